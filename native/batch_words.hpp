// The words of a batch as rules see them (program.cpp): heads, neighbours in the same text, and what hangs below.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "bits.hpp"
#include "program.hpp"

namespace laconic {

// The words of a batch and their dependencies. Masks have one value for each word.
class BatchWords {
 public:
  explicit BatchWords(const Parses& parses)
      : parses_(parses), head_(parses.head.size()), first_(head_.size()), last_(head_.size()) {
    for_each_text([&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        head_[row] = first + parses.head[row];
        first_[row] = first, last_[row] = last;
      }
    });
    below_ptr_.assign(size() + 2, 0);
    for (const int64_t head : head_) ++below_ptr_[head + 2];
    for (size_t row = 0; row < size(); ++row) below_ptr_[row + 2] += below_ptr_[row + 1];
    below_.resize(size());
    for (size_t row = 0; row < size(); ++row) below_[below_ptr_[head_[row] + 1]++] = static_cast<int32_t>(row);
  }

  size_t size() const { return head_.size(); }
  const Numbers& head() const { return head_; }

  void rows(Numbers& to) const {
    to.resize(size());
    for (size_t row = 0; row < size(); ++row) to[row] = static_cast<int64_t>(row);
  }

  void sentence_starts(Numbers& to) const {
    to.assign(parses_.sentence_start.begin(), parses_.sentence_start.end());
    for_each_text([&](int64_t first, int64_t last) {
      if (first < last) to[first] = 1;
    });
  }

  void heads(const Bits& a, Bits& to) const {
    check(a);
    to.assign(size());
    a.for_each([&](size_t row) { to.set(head_[row]); });
  }

  // The words whose heads are in the mask.
  void with_heads(const Bits& a, Bits& to) const {
    check(a);
    to.assign(size());
    a.for_each([&](size_t head) {
      for (const int32_t row : words_below(head)) to.set(row);
    });
  }

  // Neighbours are in the same text, so that results do not depend on the other texts of a batch.
  void last(const Bits& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    for_each_text([&](int64_t first, int64_t end) {
      int64_t last = -1;
      for (int64_t row = first; row < end; ++row) to[row] = last = a[row] ? row : last;
    });
  }

  void coming(const Bits& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    for_each_text([&](int64_t first, int64_t end) {
      int64_t next = -1;
      for (int64_t row = end; row-- > first;) to[row] = next = a[row] ? row : next;
    });
  }

  void after(const Bits& a, int64_t places, Bits& to) const {
    check(a);
    to.assign(size());
    a.for_each([&](size_t row) {
      const int64_t place = static_cast<int64_t>(row) + places;
      if (place >= first_[row] && place < last_[row]) to.set(place);
    });
  }

  void first_below(const Bits& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    a.for_each([&](size_t row) {
      if (to[head_[row]] < 0) to[head_[row]] = static_cast<int64_t>(row);
    });
  }

  void last_below(const Bits& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    a.for_each([&](size_t row) { to[head_[row]] = static_cast<int64_t>(row); });
  }

  void best(const Bits& a, const Numbers& weight, Bits& to) const {
    check(a), check(weight);
    Numbers chosen(size(), -1);
    to.assign(size());
    a.for_each([&](size_t row) {
      int64_t& own = chosen[head_[row]];
      if (own >= 0 && weight[row] <= weight[own]) return;
      if (own >= 0) to.reset(own);
      to.set(row);
      own = static_cast<int64_t>(row);
    });
  }

  void below(const Bits& a, Bits& to) const {
    check(a);
    to.assign(size());
    std::vector<size_t> heads;
    a.for_each([&](size_t row) { heads.push_back(row); });
    while (!heads.empty()) {
      const size_t head = heads.back();
      heads.pop_back();
      for (const int32_t row : words_below(head)) {
        if (to[row] || static_cast<size_t>(row) == head) continue;
        to.set(row);
        heads.push_back(row);
      }
    }
  }

  void chained(const Bits& a, Bits& to) const {
    check(a);
    Bits out, broken;
    Bits::invert(a, out);
    below(out, broken);
    Bits::combine(a, broken, to, [](uint64_t x, uint64_t y) { return x & ~y; });
  }

  void pin(const Bits& a, int64_t rule, std::vector<uint8_t>& pins) const {
    check(a);
    a.for_each([&](size_t row) {
      if (pins[row] == Board::no_rule) pins[row] = static_cast<uint8_t>(rule);
    });
  }

  void prefer(const Bits& a, std::vector<uint8_t>& preferred) const {
    check(a);
    a.for_each([&](size_t row) { preferred[row] = 1; });
  }

 private:
  template <class Values>
  void check(const Values& values) const {
    if (values.size() != size()) throw std::invalid_argument("not one value for each word");
  }

  template <class Function>
  void for_each_text(Function function) const {
    for (size_t text = 0; text + 1 < parses_.token_ptr.size(); ++text)
      function(parses_.token_ptr[text], parses_.token_ptr[text + 1]);
  }

  std::span<const int32_t> words_below(size_t head) const {
    return {below_.data() + below_ptr_[head], below_.data() + below_ptr_[head + 1]};
  }

  const Parses& parses_;
  Numbers head_;                    // as rows of the batch
  std::vector<int64_t> first_, last_;  // by row: the rows of its text
  std::vector<int32_t> below_;      // the words by head; a root is below itself
  std::vector<int64_t> below_ptr_;  // by head: its first place in `below_`
};

}  // namespace laconic
