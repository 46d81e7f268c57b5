// The transformed dependency tree (paper §2.1): what it is, and how it is built.
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
  leading,      // when any member of its coordination is kept: "in Spain and France", "in France"
  below,        // a node of its own, printed only below a subordinate clause: "that", which adds nothing to it
};

// The tree of one sentence, as a view of arrays that are elsewhere (a Forest, a TreeBuilder). Tokens are numbered from the
// first token of the sentence, nodes in sentence order of their head words.
class Tree {
 public:
  struct Node {
    int32_t word;         // token: head word, whose lemma and tag stand for the node
    int32_t anchor;       // token: the one whose edge leads to the parent
    int32_t preposition;  // token that names the edge, or -1
    int32_t parent;       // node, or -1 under the dummy root
    int32_t depth;
    int32_t words;        // tokens of the node
    int32_t token;        // where they begin in `token_list`
    int32_t children;     // nodes that hang on it
    int32_t child;        // where they begin in `child_list`
    int32_t first, last;  // first and last token of the node's subtree
    int32_t subtree_words;
    uint8_t label;        // of the edge from the parent
    uint8_t root_edge;    // the dummy root has an edge to it
    bool finite;
    bool negated;
    bool subject;
    int32_t owner;        // token: verb whose subject is printed with this one where it is the root, or -1
  };

  // The children of a node, in sentence order.
  std::span<const int32_t> children(int32_t node) const { return child_list.subspan(nodes[node].child, nodes[node].children); }
  // The tokens of a node, in sentence order.
  std::span<const int32_t> tokens(int32_t node) const { return token_list.subspan(nodes[node].token, nodes[node].words); }
  // Whether a token is printed with a node where that is the root, though it hangs on another verb.
  bool lends(int32_t token, int32_t root) const {
    return shared[token] >= 0 && shared[token] == nodes[root].owner && print[token] == Print::always &&
           !(nodes[root].finite && function[token] && head[token] == shared[token]);
  }
  // Which tokens are printed, punctuation aside, where these nodes (1 for each) are kept under this root.
  void find_printed(std::span<const uint8_t> kept, int32_t root, std::vector<uint8_t>& printed) const;

  int32_t size() const { return static_cast<int32_t>(nodes.size()); }
  int32_t length() const { return static_cast<int32_t>(node_of.size()); }

  std::span<const Node> nodes;
  std::span<const int32_t> node_of;       // token -> node, or -1 for punctuation
  std::span<const Print> print;           // by token
  std::span<const int32_t> coordination;  // token -> first conjunct of the coordination it is in, or -1
  std::span<const int32_t> shared;        // token of a subject or an auxiliary -> the verb whose conjuncts share it, or -1
  std::span<const uint8_t> function;      // token -> collapsed into another
  std::span<const int32_t> head;          // of a token as the transformation left it; a root is its own head
  std::span<const uint8_t> label;         // of a token, likewise
  std::span<const int32_t> bottom_up;     // nodes, children before parents
  std::span<const int32_t> child_list, token_list;
};

// Builds one tree after another; all vectors keep their memory from one sentence to the next.
class TreeBuilder {
 public:
  // The tree of a sentence; it is valid until the next one is built.
  Tree build(const Parses& parses, const Sentence& sentence, const Rules& rules);

 private:
  void attach(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void measure_depths();
  bool head_names(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were moved
  void find_partners(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void share_subjects(const Parses& parses, const Sentence& sentence, const Rules& rules);
  int32_t leader(int32_t object, const Rules& rules) const;
  bool raise_genitives(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were moved
  bool move_conjuncts(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were moved
  bool close_lists(const Parses& parses, const Sentence& sentence, const Rules& rules);  // likewise
  void collapse_function_words(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void reduce_clauses(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_predicates(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_written_together(const Parses& parses, const Sentence& sentence);
  void collapse_entities(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void collapse_after_articles(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void make_nodes(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void print_words_whole();
  void link();

  int32_t find(int32_t token);
  void unite(int32_t a, int32_t b);
  int32_t climb(int32_t token) const;

  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }
  std::span<const int32_t> tokens(int32_t node) const {
    return std::span(token_list_).subspan(nodes_[node].token, nodes_[node].words);
  }
  std::span<const int32_t> children(int32_t node) const {
    return std::span(child_list_).subspan(nodes_[node].child, nodes_[node].children);
  }

  // What becomes the tree: see there.
  std::vector<Tree::Node> nodes_;
  std::vector<int32_t> node_of_, coordination_, shared_, bottom_up_, child_list_, token_list_;
  std::vector<Print> print_;
  std::vector<uint8_t> function_;

  std::vector<int32_t> head_;         // of tokens, as the transformation moves them; a root is its own head
  std::vector<uint8_t> label_;
  std::vector<int32_t> depth_;
  std::vector<int32_t> by_depth_;
  std::vector<int32_t> group_;        // union-find over tokens
  std::vector<uint8_t> outside_;      // token is in no node
  std::vector<int32_t> object_, inner_, next_conjunct_;
  std::vector<uint8_t> is_word_;      // token has a letter or digit
  std::vector<uint8_t> together_;     // token is written as one word with the next
  std::vector<uint8_t> plural_;       // verb that asks for a plural subject
  std::vector<uint8_t> apart_;        // auxiliary that may go with the subject of its clause
  std::vector<uint8_t> raised_;       // object of a preposition that no longer hangs on the noun before it
  std::vector<uint8_t> has_subject_;  // by token, as parsed
  std::vector<uint8_t> shares_subject_;  // conjunct without a subject of its own
  std::vector<int32_t> anchor_, word_;  // by group
  std::vector<int32_t> fill_;
};

}  // namespace laconic
