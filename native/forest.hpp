// The trees of a batch: built once, and then used for decoding, explanations, evaluation, drawing and training.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "coreference.hpp"
#include "parse.hpp"
#include "rules.hpp"
#include "tree.hpp"

namespace laconic {

// Columns by token are indexed by the rows of the parses, columns by node by the nodes of all sentences, end to end. The
// values in them are relative to the sentence, as in a Tree.
class Forest {
 public:
  Forest(const Parses& parses, const Rules& rules);

  size_t size() const { return sentences.size(); }
  Tree tree(size_t sentence) const;
  // The coreferences of a sentence; computed for the whole batch on first use.
  std::span<const Coreference> coreferences(size_t sentence) const;
  const std::vector<Coreference>& coreferences() const;
  const std::vector<int64_t>& coreference_ptr() const;

  const Parses parses;
  const Rules rules;
  const std::vector<Sentence> sentences;
  std::vector<int64_t> node_ptr;  // by sentence: its first node, plus the total
  std::vector<Tree::Node> nodes;
  std::vector<int32_t> node_of, coordination, shared, head;  // by token
  std::vector<Print> print;
  std::vector<uint8_t> function, label;
  std::vector<int64_t> nanoseconds;  // by sentence: the time to build its tree

 private:
  void resolve() const;

  std::vector<int32_t> bottom_up_, child_list_, token_list_;  // by node, by node, by token
  mutable std::once_flag resolved_;
  mutable std::vector<Coreference> coreferences_;
  mutable std::vector<int64_t> coreference_ptr_;
};

}  // namespace laconic
