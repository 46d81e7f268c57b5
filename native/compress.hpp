// The way of a sentence through the core: tree -> p_ret -> pins of the guard -> k best, within limits -> tokens to print.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include "budget.hpp"
#include "forest.hpp"
#include "kbest.hpp"
#include "realise.hpp"
#include "score.hpp"

namespace laconic {

struct Options {
  int64_t k = 1;
  double rho = 0.5;
  int32_t beam = 0;  // of the node subset scorer; 0: top-down alone
  Objective objective = Objective::mean;
  int64_t candidates = 0;  // that are put in the order of their expected F1; 0: results are in the order of their scores
  double temperature = 1;  // of the candidates' distribution
  bool words = false;      // the log-odds of the words that are kept are part of the score; the objective must be joint
};

// All results of a batch, as columns.
struct Results {
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
  std::vector<uint8_t> nearest;           // nothing is within the limits, and the result is what comes nearest to them
};

// Prints the subtrees that a decoder found and collects them. For each sentence: `begin`, `add` its results, `end`.
class Writer {
 public:
  // With `resolve`, antecedents are printed in the place of pronouns. Pins are by token of the batch, or none at all.
  Writer(const Forest& forest, bool resolve, std::span<const Pin> pins = {}) : forest_(forest), resolve_(resolve), pins_(pins) {}
  void begin(size_t sentence);
  // False where nothing is added: the print has more characters than `room`, or the sentence has one that reads the same.
  bool add(double score, const std::vector<int32_t>& nodes, int64_t room = std::numeric_limits<int64_t>::max());
  void end();
  // With limits, once for each sentence.
  void note(const Budget::Failure& failure, bool exact, bool nearest);
  // Prepared for the sentence that was begun.
  Realiser& realiser() { return realiser_; }

  Results results;

 private:
  bool is_new();

  const Forest& forest_;
  bool resolve_;
  std::span<const Pin> pins_;
  const Sentence* sentence_ = nullptr;
  Tree tree_;
  Realiser realiser_;
  std::vector<Piece> pieces_;
  std::unordered_set<uint64_t> printed_;  // hashes of what was printed of this sentence, so far
};

// The k best compressions of every sentence. The guard's pins (NodePin) are by node of the forest, or there are none.
// With limits, the objective must be the joint one.
void compress(const Forest& forest, Edges& edges, std::span<const uint8_t> guard, const Options& options, const Limits* limits,
              Writer& writer);

}  // namespace laconic
