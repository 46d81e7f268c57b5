// The way of a sentence through the core: parse -> tree -> p_del -> k best -> tokens to print.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "coreference.hpp"
#include "features.hpp"
#include "kbest.hpp"
#include "realise.hpp"
#include "table.hpp"
#include "tree.hpp"

namespace laconic {

// The classifiers.
struct Model {
  Table maxent;             // one column: weight towards deletion
  Table nss;                // one column for each subset size
  Table ilp;                // one column: weight towards retention, for the integer linear program
  float temperature = 1;    // of the softmax over subset sizes
  float size_weight = 1;    // of log p(|C|) beside the mean of the edges' scores
};

struct Options {
  int64_t k = 1;
  double rho = 0.5;
  int32_t beam = 0;  // of the node subset scorer; 0: top-down alone
};

// Calls `visit` with every edge: for each node the dummy root's edge to it, then its parent's.
template <class Visit>
void for_each_edge(const Tree& tree, const Visit& visit) {
  for (int32_t i = 0; i < tree.size(); ++i) {
    if (tree.nodes[i].root_edge) visit(Edge{-1, i});
    if (tree.nodes[i].parent >= 0) visit(Edge{tree.nodes[i].parent, i});
  }
}

class Scorer {
 public:
  // Reads off the tree what the features need; call before the two below.
  void prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree) {
    features_.prepare(parses, sentence, rules, tree);
  }
  // The sums of the weights of some edges' features.
  const std::vector<double>& score(std::span<const Edge> edges, const Table& table);
  // The weighted log p(|C|) of a node's subset sizes.
  KBest::SizeScores sizes(int32_t node, const Model& model);

 private:
  Features features_;
  std::vector<uint32_t> ids_;
  std::vector<size_t> ends_;
  std::vector<double> sums_;
};

// p_ret of an edge, from the sum of its weights towards deletion.
inline double p_ret(double sum) { return 1 / (1 + std::exp(sum)); }

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
};

// Prints the subtrees that a decoder found and collects them. For each sentence: `begin`, `add` its results, `end`.
class Writer {
 public:
  Writer(const Parses& parses, const Rules& rules, bool resolve) : parses_(parses), rules_(rules), resolve_(resolve) {}
  void begin(const Sentence& sentence, const Tree& tree);
  // Returns the characters of the print; when these are more than `room`, nothing is added.
  int64_t add(double score, const std::vector<int32_t>& nodes, int64_t room = std::numeric_limits<int64_t>::max());
  void end();

  Results results;

 private:
  const Parses& parses_;
  const Rules& rules_;
  bool resolve_;  // pronouns
  Resolver resolver_;
  Sentence sentence_{};
  const Tree* tree_ = nullptr;
  Realiser realiser_;
  std::vector<Piece> pieces_;
};

void compress(const Parses& parses, const Rules& rules, const Model& model, const Options& options, Writer& writer);

}  // namespace laconic
