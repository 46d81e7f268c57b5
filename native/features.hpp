// Features of edges and nodes (paper §2.2): 32-bit ids, hashed from the template's number and its parts.
#pragma once

#include <cstdint>
#include <vector>

#include "tree.hpp"

namespace laconic {

// An edge that the classifier scores.
struct Edge {
  int32_t head;  // node, or -1 for the dummy root
  int32_t node;
};

class Features {
 public:
  // Precomputes what the templates need from the tree; call it before the two functions below.
  void prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree);

  // Appends the features of an edge (for MaxEnt).
  void edge(const Edge& edge, std::vector<uint32_t>& out) const;
  // Appends the features of a node (for the node subset scorer).
  void node(int32_t node, std::vector<uint32_t>& out) const;

 private:
  // The properties of a node that templates use: small numbers, hashes of strings.
  struct Atoms {
    uint64_t label;      // preposition, or label of the edge into the node
    uint64_t relation;   // label, preposition or not
    uint64_t tag;        // of the head word
    uint64_t lemma;      // of the head word; 0: unknown
    uint64_t entity;     // type
    uint64_t first;      // lemma of the node's first word: article, auxiliary, possessive …
    uint64_t opening;    // lemma of the first word of the subtree
    uint64_t before, after;  // the signs around the subtree: comma, quote, nothing …
    uint64_t outer_before, outer_after;  // lemmas of the words around the subtree
    uint64_t depth, words, chars, children, subtree;  // counts, capped
    uint64_t position;   // position in the sentence, in eighths
    uint64_t shape;      // capital, number
    uint64_t child_set;  // hash of the labels of the children, in order
    bool subject, object;  // has such a child
  };

  void tree_edge(int32_t head, int32_t node, std::vector<uint32_t>& out) const;
  void root_edge(int32_t node, std::vector<uint32_t>& out) const;

  const Tree* tree_ = nullptr;
  const Parses* parses_ = nullptr;
  const Sentence* sentence_ = nullptr;
  std::vector<uint64_t> lemmas_;  // by token; the same for all tokens with a digit
  std::vector<Atoms> atoms_;
  std::vector<int32_t> rank_;  // index of a node among its siblings
  std::vector<int32_t> root_edges_;
  uint64_t length_ = 0;  // of the sentence, in buckets
  uint64_t main_ = 0;    // lemma of the sentence's own root
};

}  // namespace laconic
