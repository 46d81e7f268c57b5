// p_ret of the edges of a sentence's tree (paper §2.2): by the maximum entropy model, or given from outside.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "features.hpp"
#include "kbest.hpp"
#include "table.hpp"
#include "tree.hpp"

namespace laconic {

// The classifiers of the maximum entropy model.
struct Model {
  Table maxent;             // one column: weight towards deletion
  Table nss;                // one column for each subset size
  Table ilp;                // one column: weight towards retention, for the integer linear program
  float temperature = 1;    // of the softmax over subset sizes
  float size_weight = 1;    // of log p(|C|) beside the mean of the edges' scores
};

// p_ret by token of the parses, for the edges into the node whose head word the token is.
struct Probabilities {
  std::span<const float> retain;       // the parent's edge
  std::span<const float> root_retain;  // the dummy root's edge
  std::span<const float> evidence;     // log-odds that the word is kept, as additional evidence
  std::span<const float> need;         // the cost of cutting the parent's edge, on top of -log p_del: 0 or more
  std::span<const float> alone;        // the cost of printing the node without its parent: 0 or more
};

// Calls `visit` with every edge: for each node the dummy root's edge to it, then its parent's.
template <class Visit>
void for_each_edge(const Tree& tree, const Visit& visit) {
  for (int32_t i = 0; i < tree.size(); ++i) {
    if (tree.nodes[i].root_edge) visit(Edge{-1, i});
    if (tree.nodes[i].parent >= 0) visit(Edge{tree.nodes[i].parent, i});
  }
}

class FeatureSums {
 public:
  // Precomputes what the features need from the tree; call it before the two functions below.
  void prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree) {
    features_.prepare(parses, sentence, rules, tree);
  }
  // The sums of the weights of some edges' features.
  const std::vector<double>& edges(std::span<const Edge> edges, const Table& table);
  // The weighted log p(|C|) of a node's subset sizes.
  KBest::SizeScores sizes(int32_t node, const Model& model);

 private:
  Features features_;
  std::vector<uint32_t> ids_;
  std::vector<size_t> ends_;
  std::vector<double> sums_;
};

// The source of p_ret for a decoder, for one sentence at a time. The dummy root is node -1.
class Edges : public KBest::Source {
 public:
  virtual void begin(const Sentence& sentence, const Tree& tree) = 0;
  // The weighted log p(|C|) of a node's subset sizes.
  virtual KBest::SizeScores sizes(int32_t node) = 0;
  // Additional evidence that the sentence's words are kept, as log-odds; empty: none.
  virtual std::span<const float> evidence() const { return {}; }
  // The cost of cutting a node's edge from its parent, on top of -log p_del, by the token of its head word; empty: none.
  virtual std::span<const float> need() const { return {}; }
  // The cost of making a node that has a parent the root, by the token of its head word; empty: none.
  virtual std::span<const float> alone() const { return {}; }
};

// Edges scored by the maximum entropy model on request.
class ModelEdges : public Edges {
 public:
  ModelEdges(const Parses& parses, const Rules& rules, const Model& model) : parses_(parses), rules_(rules), model_(model) {}
  void begin(const Sentence& sentence, const Tree& tree) override { feature_sums_.prepare(parses_, sentence, rules_, tree); }
  void retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) override;
  KBest::SizeScores sizes(int32_t node) override { return feature_sums_.sizes(node, model_); }

 private:
  const Parses& parses_;
  const Rules& rules_;
  const Model& model_;
  FeatureSums feature_sums_;
  std::vector<Edge> edges_;
};

class GivenEdges : public Edges {
 public:
  explicit GivenEdges(const Probabilities& given) : given_(given) {}
  void begin(const Sentence& sentence, const Tree& tree) override {
    first_ = sentence.first;
    tree_ = &tree;
  }
  void retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) override;
  KBest::SizeScores sizes(int32_t) override {
    throw std::invalid_argument("given probabilities have no subset sizes: use a model, or a beam of 0");
  }
  std::span<const float> evidence() const override { return given_.evidence.subspan(first_, tree_->print.size()); }
  std::span<const float> need() const override { return given_.need.subspan(first_, tree_->print.size()); }
  std::span<const float> alone() const override { return given_.alone.subspan(first_, tree_->print.size()); }

 private:
  const Probabilities& given_;
  int64_t first_ = 0;
  const Tree* tree_ = nullptr;
};

}  // namespace laconic
