// 128-bit integers for sums of products of two 64-bit numbers: exact, with any compiler.
#pragma once

#include <compare>
#include <cstdint>

namespace laconic {

class Wide {
 public:
  constexpr Wide(int64_t value = 0)  // implicit, as from any integer
      : high_(value < 0 ? -1 : 0), low_(static_cast<uint64_t>(value)) {}

  static constexpr Wide product(int64_t a, int64_t b) {
    const Wide positive = multiply(magnitude(a), magnitude(b));
    return (a < 0) != (b < 0) ? -positive : positive;
  }

  friend constexpr Wide operator+(const Wide& a, const Wide& b) {
    const uint64_t low = a.low_ + b.low_;
    return {static_cast<uint64_t>(a.high_) + static_cast<uint64_t>(b.high_) + (low < a.low_ ? 1 : 0), low};
  }
  friend constexpr Wide operator-(const Wide& a) { return Wide{~static_cast<uint64_t>(a.high_), ~a.low_} + Wide{1}; }
  friend constexpr Wide operator-(const Wide& a, const Wide& b) { return a + -b; }
  friend constexpr auto operator<=>(const Wide& a, const Wide& b) = default;  // by the high half, which has the sign, first

 private:
  constexpr Wide(uint64_t high, uint64_t low) : high_(static_cast<int64_t>(high)), low_(low) {}

  static constexpr uint64_t magnitude(int64_t value) {
    return value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  }
  // Long multiplication with 32-bit digits.
  static constexpr Wide multiply(uint64_t a, uint64_t b) {
    constexpr uint64_t digit = 0xffffffff;
    const uint64_t low = (a & digit) * (b & digit);
    const uint64_t middle = (a >> 32) * (b & digit) + (low >> 32);
    const uint64_t other = (a & digit) * (b >> 32) + (middle & digit);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), (other << 32) | (low & digit)};
  }

  int64_t high_;
  uint64_t low_;
};

}  // namespace laconic
