// Ids by which words and pairs of words are looked up in lists (laconic.parse.program).
#pragma once

#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace laconic {

// Sorted hashes, found by their first bits.
class SortedIds {
 public:
  explicit SortedIds(std::vector<uint64_t> ids);  // throws std::invalid_argument

  // The place of an id, or -1.
  int64_t find(uint64_t id) const;

 private:
  static constexpr int more_bits = 3;

  std::vector<uint64_t> ids_;
  std::vector<uint32_t> start_;  // by the first bits of an id: the first place of an id that begins so
  Bits begins_;                  // by a few more bits: whether an id begins so; few of those that are looked up do
  int shift_;
};

}  // namespace laconic
