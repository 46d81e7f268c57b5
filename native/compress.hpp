// The stages of a sentence in the core: tree -> p_ret -> pins of the guard -> k best, within limits -> tokens to print.
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
  int32_t beam = 0;  // of the node subset scorer; 0: top-down only
  Objective objective = Objective::mean;
  int64_t candidates = 0;  // the number of results that are ordered by expected F1; 0: results are ordered by score
  double temperature = 1;  // of the candidates' distribution
  bool words = false;      // the log-odds of kept words are part of the score; requires the joint objective
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
  std::vector<int64_t> piece_pronoun; // row of the token that it replaces, or -1
  std::vector<int64_t> nanoseconds;   // transform, root edges, decode with the other edges, realise, for each sentence
  // With limits, by sentence:
  std::vector<uint8_t> problem;           // Problem
  std::vector<uint8_t> exact;             // whether the results are certainly the best
  std::vector<int64_t> shortest, longest; // over all prints, if none fits
  std::vector<int64_t> first, second;     // rows of tokens that contradict each other, or -1
  std::vector<uint8_t> nearest;           // whether nothing is within the limits, so that the result is the nearest one
};

// Prints the subtrees that a decoder found and collects them. For each sentence: `begin`, `add` its results, `end`.
class Writer {
 public:
  // With `resolve`, antecedents are printed in place of pronouns. Pins are by token of the batch, or empty.
  Writer(const Forest& forest, bool resolve, std::span<const Pin> pins = {}) : forest_(forest), resolve_(resolve), pins_(pins) {}
  void begin(size_t sentence);
  // Returns false if nothing is added: the print is longer than `room`, or another result of the sentence has the same
  // text.
  bool add(double score, const std::vector<int32_t>& nodes, int64_t room = std::numeric_limits<int64_t>::max());
  void end();
  // With limits, once for each sentence.
  void note(const Budget::Failure& failure, bool exact, bool nearest);
  // Prepared for the current sentence.
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
  std::unordered_set<uint64_t> printed_;  // hashes of the texts of this sentence's results so far
};

// The k best compressions of every sentence. The guard's pins (NodePin) are by node of the forest, or empty. Limits
// require the joint objective.
void compress(const Forest& forest, Edges& edges, std::span<const uint8_t> guard, const Options& options, const Limits* limits,
              Writer& writer);

}  // namespace laconic
