// Programs over the words of a batch: what rules say of words, written down once and run on every batch.
//
// Rules are expressions over masks (truth values by row) and numbers (rows, labels, ids), in Python (laconic.parse.program).
// There each operation becomes a step here; a batch then costs no interpreter, and a sentence of its own hardly more than
// its share of a batch.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "parse.hpp"
#include "pins.hpp"

namespace laconic {

using Mask = std::vector<uint8_t>;
using Numbers = std::vector<int64_t>;

// Numbers that are no rows of what is looked up in – mostly -1, for "none" – find nothing: false, or -1.
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

// An operation on the values of earlier steps, by their numbers. `constant` is a number, a rule, or which table.
struct Step {
  Op op;
  int32_t a, b, c;
  int64_t constant;
};

class Program {
 public:
  // `tables` are looked up by number; `ids` are sorted, or looked up by number. Throws std::invalid_argument.
  Program(std::vector<Step> steps, std::vector<Mask> tables, std::vector<std::vector<uint64_t>> ids);

  // What the rules ask for, and the values that are given out: in each place a mask or numbers.
  struct Outcome {
    Board board;
    std::vector<std::variant<Mask, Numbers>> given;
  };
  Outcome run(const Parses& parses) const;

 private:
  std::vector<Step> steps_;  // of places, not of steps: where values are while they are needed
  std::vector<int32_t> to_;  // by step: the place of its value
  size_t places_ = 1;
  std::vector<Mask> tables_;
  std::vector<std::vector<uint64_t>> ids_;
};

}  // namespace laconic
