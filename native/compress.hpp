// The way of a sentence through the core: parse -> tree -> p_del -> k best, within a budget -> tokens to print.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "budget.hpp"
#include "coreference.hpp"
#include "kbest.hpp"
#include "realise.hpp"
#include "score.hpp"
#include "tree.hpp"

namespace laconic {

struct Options {
  int64_t k = 1;
  double rho = 0.5;
  int32_t beam = 0;  // of the node subset scorer; 0: top-down alone
  Objective objective = Objective::mean;
  int64_t candidates = 0;  // that are put in the order of their expected F1; 0: results are in the order of their scores
  double temperature = 1;  // of the candidates' distribution
};

// All results of a batch, as columns.
struct Results {
  std::vector<int32_t> sentence_text;
  std::vector<int64_t> sentence_first, sentence_last;  // rows of tokens
  std::vector<int64_t> result_ptr{0};                  // results of a sentence
  std::vector<double> score;
  std::vector<int64_t> node_ptr{0};   // nodes of a result
  std::vector<int32_t> node;
  std::vector<int64_t> piece_ptr{0};  // pieces of a result
  std::vector<int32_t> piece_start, piece_end;         // characters of the text
  std::vector<uint8_t> piece_space;
  std::vector<uint8_t> piece_word;    // a word, not punctuation
  std::vector<int64_t> piece_pronoun; // row of the token in whose place it is printed, or -1
  std::vector<int64_t> nanoseconds;   // transform, root edges, decode with the other edges, realise, for each sentence
  // With limits, by sentence.
  std::vector<uint8_t> problem;           // Problem
  std::vector<uint8_t> exact;             // the best were found for sure
  std::vector<int64_t> shortest, longest; // of all prints, where none fits
  std::vector<int64_t> first, second;     // rows of tokens that do not go together, or -1
};

// Prints the subtrees that a decoder found and collects them. For each sentence: `begin`, `add` its results, `end`.
class Writer {
 public:
  Writer(const Parses& parses, const Rules& rules, bool resolve, std::span<const Pin> pins = {})
      : parses_(parses), rules_(rules), resolve_(resolve), pins_(pins) {}
  void begin(const Sentence& sentence, const Tree& tree);
  // Returns the characters of the print; when these are more than `room`, nothing is added.
  int64_t add(double score, const std::vector<int32_t>& nodes, int64_t room = std::numeric_limits<int64_t>::max());
  void end();
  // With limits, once for each sentence.
  void note(const Budget::Failure& failure, bool exact);
  // Prepared for the sentence that was begun.
  Realiser& realiser() { return realiser_; }

  Results results;

 private:
  const Parses& parses_;
  const Rules& rules_;
  bool resolve_;  // pronouns
  std::span<const Pin> pins_;  // by token of the batch, or empty
  Resolver resolver_;
  Sentence sentence_{};
  const Tree* tree_ = nullptr;
  Realiser realiser_;
  std::vector<Piece> pieces_;
};

// With limits, the objective must be the joint one.
void compress(const Parses& parses, const Rules& rules, Edges& edges, const Options& options, const Limits* limits,
              Writer& writer);

}  // namespace laconic
