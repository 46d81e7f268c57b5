// Booleans by position, 64 in a block: operations on all of them cost little, and the few true ones are found quickly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

class Bits {
 public:
  static constexpr size_t in_block = 64;
  static size_t blocks_for(size_t size) { return (size + in_block - 1) / in_block; }

  size_t size() const { return size_; }

  // All false.
  void assign(size_t size) {
    resize(size);
    std::ranges::fill(blocks(), 0);
  }

  // Blocks of the same form; bits beyond `size` must be zero.
  void assign(size_t size, std::span<const uint64_t> from) {
    resize(size);
    std::ranges::copy(from, blocks().begin());
  }

  bool operator[](size_t i) const { return blocks()[i / in_block] >> (i % in_block) & 1; }
  void set(size_t i) { blocks()[i / in_block] |= uint64_t{1} << (i % in_block); }
  void reset(size_t i) { blocks()[i / in_block] &= ~(uint64_t{1} << (i % in_block)); }
  bool none() const {
    return std::ranges::all_of(blocks(), [](uint64_t block) { return block == 0; });
  }

  // Element by element; both have the same size. `to` may be one of them.
  template <class Function>
  static void combine(const Bits& a, const Bits& b, Bits& to, Function function) {
    to.resize(a.size_);
    const std::span<const uint64_t> left = a.blocks();
    const std::span<const uint64_t> right = b.blocks();
    const std::span<uint64_t> out = to.blocks();
    for (size_t i = 0; i < left.size(); ++i) out[i] = function(left[i], right[i]);
  }

  static void invert(const Bits& a, Bits& to) {
    combine(a, a, to, [](uint64_t x, uint64_t) { return ~x; });
    if (const size_t rest = to.size_ % in_block; rest != 0) to.blocks().back() &= (uint64_t{1} << rest) - 1;
  }

  // True where the function of the position is.
  template <class Function>
  void assign_each(size_t size, Function function) {
    resize(size);
    for (size_t start = 0; start < size; start += in_block) {
      const size_t count = std::min(in_block, size - start);
      uint64_t block = 0;
      for (size_t i = 0; i < count; ++i) block |= uint64_t{function(start + i) ? 1U : 0U} << i;
      blocks()[start / in_block] = block;
    }
  }

  // Calls the function for each true position, in ascending order.
  template <class Function>
  void for_each(Function function) const {
    for (size_t i = 0; i < blocks().size(); ++i) {
      for (uint64_t block = blocks()[i]; block != 0; block &= block - 1) function(i * in_block + std::countr_zero(block));
    }
  }

  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> found(size_, 0);
    for_each([&](size_t i) { found[i] = 1; });
    return found;
  }

 private:
  void resize(size_t size) {
    size_ = size;
    if (size > in_block && more_.size() < blocks_for(size)) more_.resize(blocks_for(size));
  }

  // Most sentences fit into one block, which needs no memory of its own.
  std::span<const uint64_t> blocks() const {
    if (size_ > in_block) return {more_.data(), blocks_for(size_)};
    return {&one_, blocks_for(size_)};
  }
  std::span<uint64_t> blocks() {
    if (size_ > in_block) return {more_.data(), blocks_for(size_)};
    return {&one_, blocks_for(size_)};
  }

  size_t size_ = 0;
  uint64_t one_ = 0;            // the only block, or
  std::vector<uint64_t> more_;  // the blocks; bits beyond `size_` are zero
};

}  // namespace laconic
