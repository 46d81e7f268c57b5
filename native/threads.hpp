// Work shared by several threads, of which one is the caller's.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace laconic {

// Calls `work` in each of so many threads and waits for all of them; `work` is told whether it runs in the caller's. Where
// one throws, the others are to end early (`stop` tells them), and the first exception is thrown on. Where the system has
// no more threads, there are fewer.
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
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): those that there are do all of it
  }
  attempt(true);
  for (std::thread& thread : pool) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace laconic
