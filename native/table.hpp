// A weight table: feature id -> one or more weights, memory-mapped from the model file.
//
// Open addressing with Robin Hood insertion. A slot is 1 + columns numbers of 16 bits: a tag, then the weights as
// fractions of the table's scale. The tag holds how far the slot is from home (1 to 31; 0: empty) and the bits of the id
// that home does not tell, so a lookup is exact and touches one cache line. With fewer than 2^21 slots the lowest bits of
// an id are dropped.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace laconic {

struct Table {
  static constexpr int rest_bits = 11;
  static constexpr int most_steps = 31;

  std::span<const uint16_t> slots;
  int32_t bits = 0;  // 2^bits slots
  int32_t columns = 1;
  float scale = 0;

  size_t stride() const { return 1 + static_cast<size_t>(columns); }
  uint32_t key(uint32_t id) const { return id >> (32 - bits - rest_bits); }
  const uint16_t* home(uint32_t id) const { return slots.data() + (key(id) >> rest_bits) * stride(); }

  // The weights of a feature, or nullptr.
  const int16_t* find(uint32_t id) const {
    const uint32_t k = key(id);
    const uint32_t rest = (k & ((1u << rest_bits) - 1)) << 5;
    const uint32_t mask = (1u << bits) - 1;
    uint32_t at = k >> rest_bits;
    for (uint32_t step = 1; step <= most_steps; ++step, at = (at + 1) & mask) {
      const uint16_t* slot = slots.data() + at * stride();
      if (slot[0] == (rest | step)) return reinterpret_cast<const int16_t*>(slot + 1);
      if ((slot[0] & 31u) < step) return nullptr;
    }
    return nullptr;
  }
};

// Fills the slots of a table of 2^bits; false when it is too full.
bool fill_table(std::span<const uint32_t> ids, std::span<const int16_t> weights, int32_t columns, int32_t bits,
                std::vector<uint16_t>& slots);

}  // namespace laconic
