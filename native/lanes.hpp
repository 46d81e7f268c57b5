// Operations on four numbers at once, and prefetching: compiler extensions beyond the standard, with equivalents in
// plain C++ for compilers without them (or with other names for them, like MSVC).
#pragma once

#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace laconic {

#if defined(__GNUC__) && !defined(LACONIC_PLAIN)  // GCC and Clang: one instruction on every processor

typedef int32_t Lanes __attribute__((vector_size(16)));

#else

struct Lanes {
  int32_t lane[4];

  int32_t operator[](int i) const { return lane[i]; }

  friend Lanes operator+(const Lanes& a, int32_t b) { return {{a[0] + b, a[1] + b, a[2] + b, a[3] + b}}; }
  friend Lanes operator&(const Lanes& a, int32_t b) { return {{a[0] & b, a[1] & b, a[2] & b, a[3] & b}}; }
  friend Lanes operator>>(const Lanes& a, int32_t b) { return {{a[0] >> b, a[1] >> b, a[2] >> b, a[3] >> b}}; }
  friend Lanes operator&(const Lanes& a, const Lanes& b) { return {{a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]}}; }
  // All bits set where the two are equal, none where they differ.
  friend Lanes operator==(const Lanes& a, const Lanes& b) {
    return {{-(a[0] == b[0]), -(a[1] == b[1]), -(a[2] == b[2]), -(a[3] == b[3])}};
  }
  Lanes& operator+=(int32_t b) { return *this = *this + b; }
  Lanes& operator+=(const Lanes& b) {
    for (int i = 0; i < 4; ++i) lane[i] += b[i];
    return *this;
  }
};

#endif

inline int64_t sum(const Lanes& lanes) { return int64_t{lanes[0]} + lanes[1] + lanes[2] + lanes[3]; }

// Prefetches the memory at an address; a mere hint.
inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#elif defined(_M_X64)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#elif defined(_M_ARM64)
  __prefetch(address);
#endif
}

}  // namespace laconic
