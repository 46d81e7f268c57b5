// Programs over the words of a batch: rules are recorded once and run on every batch.
//
// Rules are expressions over masks (booleans by row) and numbers (rows, labels, ids), written in Python
// (laconic.parse.program). Each operation becomes a step here, so a batch needs no interpreter, and a single sentence
// takes little more time than its share of a batch. Most masks have few true values or none: they are packed
// (`bits.hpp`), and the true values alone are visited.
#pragma once

#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "parse.hpp"
#include "pins.hpp"
#include "sorted_ids.hpp"

namespace laconic {

using Numbers = std::vector<int64_t>;

// Numbers that are out of range for a lookup (mostly -1, for "none") give false or -1.
// clang-format off
enum class Op : uint8_t {
  // numbers by token
  row, head, label, tag, entity, entity_start, sentence_start, lemma,
  // numbers
  number, add, subtract, multiply, exclusive_or, shift, least, where, take, filter, concatenate,
  find, entry, rows, last, coming, first_below, last_below,
  // masks
  both, either, invert, less, equal, pick, listed, after, heads, best, below, chained,
  // no value
  stays, not_root, prefers, needs, one_of, give_mask, give_numbers,
};
// clang-format on

// An operation on the values of earlier steps, given by number. `constant` is a number, a rule, or the index of a table.
struct Step {
  Op op;
  int32_t a, b, c;
  int64_t constant;
};

// Boolean tables that are looked up at the same entries: which of them contain an entry.
struct TablesByEntry {
  std::vector<int64_t> ptr;    // by entry: its first place in `table`
  std::vector<int32_t> table;  // numbers of tables
  size_t count = 0;            // of the tables
};

class Program {
 public:
  // `masks` are boolean tables, indexed by number; `ids` are either sorted for searching or indexed by number. Throws
  // std::invalid_argument.
  Program(std::vector<Step> steps, const std::vector<std::vector<uint8_t>>& masks, std::vector<std::vector<uint64_t>> ids);

  // The pins that the rules set, and the output values: masks, with a byte for each value, and numbers.
  struct Outcome {
    Board board;
    std::vector<std::variant<std::vector<uint8_t>, Numbers>> given;
  };
  Outcome run(const Parses& parses) const;

 private:
  void join_lookups(const std::vector<std::vector<uint8_t>>& masks);

  std::vector<Step> steps_;  // with positions in the value store instead of step numbers
  std::vector<int32_t> to_;  // by step: the position of its value in the store
  size_t places_ = 1;
  std::vector<std::vector<uint64_t>> tables_;  // of numbers
  std::map<int64_t, SortedIds> sorted_;        // by the table
  std::vector<TablesByEntry> lookups_;
};

}  // namespace laconic
