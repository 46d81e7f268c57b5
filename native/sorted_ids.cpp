#include "sorted_ids.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace laconic {

SortedIds::SortedIds(std::vector<uint64_t> ids) : ids_(std::move(ids)) {
  if (!std::is_sorted(ids_.begin(), ids_.end())) throw std::invalid_argument("ids must be sorted");
  if (ids_.size() > UINT32_MAX) throw std::invalid_argument("too many ids");
  const int bits = std::max(static_cast<int>(std::bit_width(ids_.size())), 1);
  shift_ = 64 - bits;
  start_.assign((size_t{1} << bits) + 1, 0);
  begins_.assign(size_t{1} << (bits + more_bits));
  for (const uint64_t id : ids_) {
    ++start_[(id >> shift_) + 1];
    begins_.set(id >> (shift_ - more_bits));
  }
  for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
}

int64_t SortedIds::find(uint64_t id) const {
  if (!begins_[id >> (shift_ - more_bits)]) return -1;
  const uint64_t bucket = id >> shift_;
  const auto first = ids_.begin() + start_[bucket], last = ids_.begin() + start_[bucket + 1];
  const auto at = std::lower_bound(first, last, id);
  return at != last && *at == id ? at - ids_.begin() : -1;
}

}  // namespace laconic
