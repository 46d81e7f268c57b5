// A weight table: feature id -> one or more weights, memory-mapped from the model file.
//
// Open addressing with Robin Hood insertion. A slot is 1 + columns numbers of 16 bits: a tag, then the weights as
// fractions of the table's scale. The tag has the distance of the slot from its home (1 to 31; 0: empty) and those bits
// of the id that the home does not determine, so lookups are exact. With fewer than 2^21 slots, the lowest bits of ids
// are dropped. Extra slots after the last home take what does not fit there, so nothing wraps around.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lanes.hpp"

namespace laconic {

struct Table {
  static constexpr int rest_bits = 11;
  static constexpr int most_steps = 31;

  std::span<const uint16_t> slots;
  int32_t bits = 0;  // 2^bits homes
  int32_t columns = 1;
  float scale = 0;

  static size_t size(int32_t bits) { return (size_t{1} << bits) + most_steps + 1; }
  size_t stride() const { return 1 + static_cast<size_t>(columns); }
  uint32_t key(uint32_t id) const { return id >> (32 - bits - rest_bits); }
  uint32_t rest(uint32_t id) const { return (key(id) & ((1u << rest_bits) - 1)) << 5; }
  const uint16_t* home(uint32_t id) const { return slots.data() + (key(id) >> rest_bits) * stride(); }

  // Prefetches the memory where a feature most likely is.
  void prefetch(uint32_t id) const { laconic::prefetch(home(id)); }

  // For one column: adds the weight of a feature, if it exists, to the lanes. Compares four slots at once: whether and
  // where a feature is found is unpredictable, and a mispredicted branch costs more than the comparisons. Only if the
  // fourth slot is that far from its own home can the feature be further on, which is rare.
  void add(uint32_t id, Lanes& sums) const {
    const uint16_t* slot = home(id);
    Lanes wanted = Lanes{1, 2, 3, 4} + static_cast<int32_t>(rest(id));
    for (int32_t furthest = 4;; furthest += 4, slot += 8, wanted += 4) {
      Lanes found;  // tags in the lower halves, weights in the upper ones
      std::memcpy(&found, slot, sizeof(found));
      sums += (found >> 16) & ((found & 0xffff) == wanted);
      if ((found[3] & 31) < furthest || furthest > most_steps) [[likely]]
        return;
    }
  }

  // The weights of a feature, or nullptr.
  const int16_t* find(uint32_t id) const {
    const uint16_t* slot = home(id);
    const uint32_t tag = rest(id);
    for (uint32_t step = 1; step <= most_steps; ++step, slot += stride()) {
      if (slot[0] == (tag | step)) return reinterpret_cast<const int16_t*>(slot + 1);
      if ((slot[0] & 31u) < step) return nullptr;
    }
    return nullptr;
  }
};

// Fills the slots of a table of 2^bits homes; returns false if it is too full.
bool fill_table(std::span<const uint32_t> ids, std::span<const int16_t> weights, int32_t columns, int32_t bits,
                std::vector<uint16_t>& slots);

}  // namespace laconic
