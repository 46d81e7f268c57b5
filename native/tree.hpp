// The transformed dependency tree (paper §2.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse.hpp"
#include "rules.hpp"

namespace laconic {

// How a token is printed beyond "with its node".
enum class Print : uint8_t {
  always,
  subordinate,  // only while its clause is subordinate: not when its node is the root of the compression
  coordinate,   // only when an earlier member of its coordination is kept
  never,        // "that": says nothing the clause does not
};

// The tree of one sentence. Tokens are numbered from the first token of the sentence, nodes in sentence order of their
// head words. All vectors keep their memory from one sentence to the next.
class Tree {
 public:
  struct Node {
    int32_t word;         // token: head word, whose lemma and tag stand for the node
    int32_t anchor;       // token: the one whose edge leads to the parent
    int32_t preposition;  // token that names the edge, or -1
    int32_t parent;       // node, or -1 under the dummy root
    uint8_t label;        // of the edge from the parent
    bool finite;
    bool negated;
    bool subject;
    bool root_edge;       // the dummy root has an edge to it
    int32_t depth;
    int32_t words;        // tokens of the node
    int32_t first, last;  // first and last token of the node's subtree
    int32_t subtree_words;
  };

  void build(const Parses& parses, const Sentence& sentence, const Rules& rules);

  std::span<const int32_t> children(int32_t node) const {
    return {child_.data() + child_ptr_[node], static_cast<size_t>(child_ptr_[node + 1] - child_ptr_[node])};
  }
  // The tokens of a node, in sentence order.
  std::span<const int32_t> tokens(int32_t node) const {
    return {token_.data() + token_ptr_[node], static_cast<size_t>(token_ptr_[node + 1] - token_ptr_[node])};
  }
  // Head and label of a token as the transformation left them; a root is its own head.
  int32_t head(int32_t token) const { return head_[token]; }
  uint8_t label(int32_t token) const { return label_[token]; }
  int32_t size() const { return static_cast<int32_t>(nodes.size()); }
  int32_t length() const { return static_cast<int32_t>(node_of.size()); }

  std::vector<Node> nodes;
  std::vector<int32_t> node_of;      // token -> node, or -1 for punctuation
  std::vector<Print> print;          // by token
  std::vector<int32_t> coordination; // token -> first conjunct of the coordination it is in, or -1
  std::vector<uint8_t> function;     // token -> collapsed into another
  std::vector<int32_t> bottom_up;    // nodes, children before parents

 private:
  void attach(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void measure_depths();
  bool head_names(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were moved
  void find_partners(const Parses& parses, const Sentence& sentence, const Rules& rules);
  bool move_conjuncts(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were moved
  void collapse_function_words(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_predicates(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_written_together(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_entities(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_after_articles(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void make_nodes(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void link(const Parses& parses, const Sentence& sentence, const Rules& rules);

  int32_t find(int32_t token);
  void unite(int32_t a, int32_t b);
  int32_t climb(int32_t token) const;

  std::vector<int32_t> head_;         // of tokens, as the transformation moves them; a root is its own head
  std::vector<uint8_t> label_;
  std::vector<int32_t> depth_;
  std::vector<int32_t> by_depth_;
  std::vector<int32_t> group_;        // union-find over tokens
  std::vector<uint8_t> outside_;      // token is in no node
  std::vector<int32_t> object_, inner_, next_conjunct_;
  std::vector<uint8_t> plural_;       // verb that asks for a plural subject
  std::vector<uint8_t> has_subject_;  // by token, as parsed
  std::vector<uint8_t> shares_subject_;  // conjunct without a subject of its own
  std::vector<int32_t> anchor_, word_;  // by group
  std::vector<int32_t> child_ptr_, child_, token_ptr_, token_, fill_;
};

}  // namespace laconic
