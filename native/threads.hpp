// Runs work in several threads, including the caller's.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace laconic {

// Calls `work` in each of `threads` threads and waits for all of them; `work` is told whether it runs in the caller's
// thread. If one throws an exception, `stop` tells the others to end early, and the first exception is rethrown. If the
// system has no more threads, fewer are used.
template <class Work, class Stop>
void run_in_threads(int32_t threads, const Work& work, const Stop& stop) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto attempt = [&](bool own) {
    try {
      work(own);
    } catch (...) {
      stop();
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  try {
    for (int32_t t = 1; t < threads; ++t) pool.emplace_back(attempt, false);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the existing threads do all of the work
  }
  attempt(true);
  for (std::thread& thread : pool) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace laconic
