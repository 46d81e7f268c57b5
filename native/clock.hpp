// Times of the stages of a sentence.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace laconic {

// Appends the nanoseconds since its construction, or since the last lap.
class Stopwatch {
 public:
  explicit Stopwatch(std::vector<int64_t>& out) : out_(out), last_(Clock::now()) {}
  void lap() {
    const auto now = Clock::now();
    out_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count());
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<int64_t>& out_;
  Clock::time_point last_;
};

}  // namespace laconic
