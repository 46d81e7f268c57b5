// The transformed dependency tree (paper §2.1): what it is, and how it is built.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse.hpp"
#include "rules.hpp"

namespace laconic {

// How a token is printed, apart from "with its node".
enum class Print : uint8_t {
  always,
  subordinate,  // only while its clause is subordinate, not if its node is the root of the compression
  coordinate,   // only if an earlier member of its coordination is kept
  leading,      // if any member of its coordination is kept: "in Spain and France", "in France"
  below,        // a node of its own, printed only below a subordinate clause: "that", which can always be omitted
};

// The tree of one sentence, as a view of arrays that are stored elsewhere (a Forest, a TreeBuilder). Tokens are numbered
// from the first token of the sentence, nodes in the sentence order of their head words.
class Tree {
 public:
  struct Node {
    int32_t word;         // token: head word, whose lemma and tag stand for the node
    int32_t anchor;       // token: the one whose edge leads to the parent
    int32_t preposition;  // token that names the edge, or -1
    int32_t parent;       // node, or -1 under the dummy root
    int32_t depth;
    int32_t words;        // tokens of the node
    int32_t token;        // start of them in `token_list`
    int32_t children;     // number of children
    int32_t child;        // start of them in `child_list`
    int32_t first, last;  // first and last token of the node's subtree
    int32_t subtree_words;
    uint8_t label;        // of the edge from the parent
    uint8_t root_edge;    // the dummy root has an edge to it
    bool finite;
    bool negated;
    bool subject;
    int32_t owner;        // token: the verb whose subject is printed with this node if it is the root, or -1
  };

  // The children of a node, in sentence order.
  std::span<const int32_t> children(int32_t node) const { return child_list.subspan(nodes[node].child, nodes[node].children); }
  // The tokens of a node, in sentence order.
  std::span<const int32_t> tokens(int32_t node) const { return token_list.subspan(nodes[node].token, nodes[node].words); }
  // Whether a token that depends on another verb is printed with a node if that is the root.
  bool lends(int32_t token, int32_t root) const {
    return shared[token] >= 0 && shared[token] == nodes[root].owner && print[token] == Print::always &&
           !(nodes[root].finite && function[token] && head[token] == shared[token] && node_of[token] == node_of[head[token]]);
  }
  // Which tokens are printed, apart from punctuation, if these nodes (1 for each) are kept under this root.
  void find_printed(std::span<const uint8_t> kept, int32_t root, std::vector<uint8_t>& printed) const;

  int32_t size() const { return static_cast<int32_t>(nodes.size()); }
  int32_t length() const { return static_cast<int32_t>(node_of.size()); }

  std::span<const Node> nodes;
  std::span<const int32_t> node_of;       // token -> node, or -1 for punctuation
  std::span<const Print> print;           // by token
  std::span<const int32_t> coordination;  // token -> first conjunct of the coordination it is in, or -1
  std::span<const int32_t> shared;        // token of a subject or auxiliary -> the verb whose conjuncts share it, or -1
  std::span<const uint8_t> function;      // token -> merged into another
  std::span<const int32_t> head;          // of a token, after the transformation; a root is its own head
  std::span<const uint8_t> label;         // of a token, likewise
  std::span<const int32_t> bottom_up;     // nodes, children before parents
  std::span<const int32_t> child_list, token_list;
};

// Builds one tree after another; vectors are reused between sentences.
class TreeBuilder {
 public:
  // The tree of a sentence; it is valid until the next one is built.
  Tree build(const Parses& parses, const Sentence& sentence, const Rules& rules);

 private:
  void attach(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void measure_depths();
  bool head_names(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were changed
  void find_partners(const Parses& parses, const Sentence& sentence, const Rules& rules);
  void share_subjects(const Parses& parses, const Sentence& sentence, const Rules& rules);
  int32_t leader(int32_t object, const Rules& rules) const;
  bool raise_genitives(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were changed
  bool move_conjuncts(const Parses& parses, const Sentence& sentence, const Rules& rules);  // true: heads were changed
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

  // The columns of the resulting tree, as described there.
  std::vector<Tree::Node> nodes_;
  std::vector<int32_t> node_of_, coordination_, shared_, bottom_up_, child_list_, token_list_;
  std::vector<Print> print_;
  std::vector<uint8_t> function_;

  std::vector<int32_t> head_;         // of tokens, as changed by the transformation; a root is its own head
  std::vector<uint8_t> label_;
  std::vector<int32_t> depth_;
  std::vector<int32_t> by_depth_;
  std::vector<int32_t> group_;        // union-find over tokens
  std::vector<uint8_t> outside_;      // whether the token is in no node
  std::vector<int32_t> object_, inner_, next_conjunct_;
  std::vector<uint8_t> is_word_;      // whether the token has a letter or digit
  std::vector<uint8_t> together_;     // whether the token is written as one word with the next
  std::vector<uint8_t> plural_;       // verbs that need a plural subject
  std::vector<uint8_t> apart_;        // auxiliaries that may be deleted with the subject of their clause
  std::vector<uint8_t> raised_;       // objects of a preposition that are no longer attached to the noun before it
  std::vector<uint8_t> has_subject_;  // by token, as parsed
  std::vector<uint8_t> shares_subject_;  // conjuncts without a subject of their own
  std::vector<int32_t> anchor_, word_;  // by group
  std::vector<int32_t> fill_;
};

}  // namespace laconic
