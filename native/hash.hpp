// String and feature hashing.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace laconic {

// MurmurHash64A: the id of a lemma in a parse. spaCy's string store uses the same function and seed, so its ids can be used
// without the strings.
inline uint64_t hash_string(std::string_view bytes, uint64_t seed = 1) {
  constexpr uint64_t m = 0xc6a4a7935bd1e995ULL;
  constexpr int r = 47;
  uint64_t h = seed ^ (bytes.size() * m);
  const char* data = bytes.data();
  const size_t blocks = bytes.size() / 8;
  for (size_t i = 0; i < blocks; ++i) {
    uint64_t k;
    std::memcpy(&k, data + 8 * i, 8);
    k *= m;
    k ^= k >> r;
    k *= m;
    h ^= k;
    h *= m;
  }
  const size_t rest = bytes.size() & 7;
  if (rest != 0) {
    uint64_t tail = 0;
    std::memcpy(&tail, data + 8 * blocks, rest);
    h ^= tail;
    h *= m;
  }
  h ^= h >> r;
  h *= m;
  h ^= h >> r;
  return h;
}

// Mixes two values into one; used to build a feature's id from its template and its parts.
constexpr uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15ULL + b;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

}  // namespace laconic
