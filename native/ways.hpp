// The ways to print the parts of a document, by length and value: an option for each sentence, or a set of table rows.
//
// The sentences of a part are printed one after another with a separator between them. Only ways are kept that print
// something and are not dominated by another that is at most as long and at least as valuable; sorted by length, they
// are then also sorted by value. They are built sentence by sentence: each option of a sentence adds its length and
// value to all ways so far, and the sorted lists are merged. A table has one way for every number of rows: first
// required rows, then those with the highest value per length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

// Part p has the sentences, or rows, sentence_ptr[p]:sentence_ptr[p + 1], and sentence s the options
// option_ptr[s]:option_ptr[s + 1]; a row has one, or none if it must be deleted. Lengths and values are not negative.
struct PartOptions {
  std::span<const int64_t> sentence_ptr, option_ptr, length, value;
  std::span<const uint8_t> required;  // by sentence: whether one of its options must be taken
  std::span<const double> alone;  // by sentence: the share of its value that remains if the previous one is not printed
  std::span<const int64_t> lead;  // by part: the length of what is printed before it
  std::span<const uint8_t> is_table;  // by part
};

class Ways {
 public:
  static constexpr int64_t any_length = -1;

  // Ways longer than `most` are left out if there are others (any_length: none are left out).
  Ways(const PartOptions& parts, int64_t separator, int64_t most);

  // The option of each sentence of a part in one of its ways; -1 if it is left out. For a printed row, 0.
  std::vector<int32_t> options(int64_t part, int64_t way) const;
  int64_t size(int64_t part) const { return way_ptr[part + 1] - way_ptr[part]; }
  int64_t parts() const { return static_cast<int64_t>(way_ptr.size()) - 1; }

  std::vector<int64_t> way_ptr{0};  // by part
  std::vector<int64_t> length, value;  // by way, including the lead

 private:
  // A way to print the sentences so far: the way for all but the last that it extends, and the last one's option.
  struct Way {
    int64_t length, value;
    int32_t before, option;
  };

  void combine(const PartOptions& parts, int64_t part, int64_t separator, int64_t most);
  void add_sentence(const PartOptions& parts, int64_t sentence, bool both, int64_t separator);
  void merge(std::span<const Way> from, int64_t added, int64_t worth, double share, int64_t separator, int32_t option);
  void combine_rows(const PartOptions& parts, int64_t part);

  std::vector<int64_t> sentence_ptr_;  // by part
  std::vector<int64_t> step_ptr_{0};  // by sentence
  std::vector<int32_t> before_, option_;
  std::vector<int32_t> first_;  // by part: the first way that prints something; for a table, the number of rows of its first way
  std::vector<int32_t> order_;  // by position in a table's order: the row
  std::vector<uint8_t> is_table_;
  // Temporaries while a part is combined.
  std::vector<Way> ways_, made_, merged_;
  size_t printed_ = 0;  // this many of the ways, the first ones, print the last sentence; the others do not
};

}  // namespace laconic
