#include "table.hpp"

#include <algorithm>
#include <utility>

namespace laconic {

bool fill_table(std::span<const uint32_t> ids, std::span<const int16_t> weights, int32_t columns, int32_t bits,
                std::vector<uint16_t>& slots) {
  Table table;
  table.bits = bits;
  table.columns = columns;
  const size_t stride = table.stride();
  slots.assign(Table::size(bits) * stride, 0);
  std::vector<uint16_t> carried(stride);
  for (size_t i = 0; i < ids.size(); ++i) {
    uint32_t rest = table.rest(ids[i]);
    uint16_t* slot = slots.data() + (table.key(ids[i]) >> Table::rest_bits) * stride;
    for (int32_t c = 0; c < columns; ++c) carried[1 + c] = static_cast<uint16_t>(weights[i * columns + c]);
    for (uint32_t step = 1;; ++step, slot += stride) {
      if (step > Table::most_steps) return false;
      const uint32_t theirs = slot[0] & 31u;
      carried[0] = static_cast<uint16_t>(rest | step);
      if (slot[0] == carried[0]) break;  // two ids that differ only in dropped bits: the first one wins
      if (theirs == 0) {
        std::copy(carried.begin(), carried.end(), slot);
        break;
      }
      if (theirs < step) {  // the entry closer to its home moves on
        for (size_t c = 0; c < stride; ++c) std::swap(carried[c], slot[c]);
        rest = carried[0] & ~31u;
        step = theirs;
      }
    }
  }
  return true;
}

}  // namespace laconic
