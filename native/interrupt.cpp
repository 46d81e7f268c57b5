#include "interrupt.hpp"

#include <nanobind/nanobind.h>

#include <chrono>

namespace nb = nanobind;

namespace laconic {

void count_steps(size_t steps) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t between_clocks = size_t{1} << 14;
  constexpr auto between_signals = std::chrono::milliseconds(50);  // acquiring the interpreter lock may take time
  thread_local size_t done = 0;
  thread_local Clock::time_point last = Clock::now();
  done += steps;
  if (done < between_clocks) return;
  done = 0;
  const auto now = Clock::now();
  if (now - last < between_signals) return;
  last = now;
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace laconic
