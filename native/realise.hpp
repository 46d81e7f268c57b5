// From kept nodes to a printable sentence: which words and punctuation stay, and where a space goes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "coreference.hpp"
#include "pin.hpp"
#include "tree.hpp"

namespace laconic {

// A kept token, or its last character, and whether a space goes before it.
struct Piece {
  int32_t token;
  int32_t start, end;  // characters of the text
  bool space;
  bool word;           // not punctuation
  int32_t pronoun = -1;  // token in whose place this one is printed, or -1
};

// The root of a subtree given by its nodes: the one whose parent is not among them.
inline int32_t root_of(const Tree& tree, const std::vector<int32_t>& nodes) {
  for (const int32_t i : nodes) {
    if (!std::binary_search(nodes.begin(), nodes.end(), tree.nodes[i].parent)) return i;
  }
  return -1;
}

// The length of a print in characters, or in words with spaces between them.
int64_t print_length(const Parses& parses, const Sentence& sentence, std::span<const Piece> pieces, bool words);

class Realiser {
 public:
  // Finds out about the punctuation of a sentence; call before `realise`. Of the coreferences given here, a pronoun whose
  // antecedent is not kept is printed as that; they must outlive the calls of `realise`. So must the pins, by token of the
  // sentence: what is pinned to stay is printed with its node whatever the rules say, and punctuation in any case.
  void prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
               std::span<const Coreference> coreferences = {}, std::span<const Pin> pins = {});
  // The tokens to print when the given nodes (sorted, a subtree with the given root) are kept.
  void realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out);

  // What is known of prints before there is one.
  // Punctuation that is printed whenever a node is kept: at all, or only where it is not the root of what is kept. Where
  // another mark takes its place, that has at least one character, too.
  struct SureMark {
    int32_t node, token;
    bool as_root;
  };
  void find_sure_marks(std::vector<SureMark>& out) const;
  // A final stop, which every print has.
  bool ends_sentence(int32_t token) const { return is_final_stop(token) && !asks_; }
  // A word or bracket of a node that is not printed with it in every case.
  bool is_optional(int32_t token) const {
    const bool joins = tree_->print[token] != Print::coordinate && may_join_nothing(token);  // the others are weighed
    return kind_[token] != Shape::word || may_dangle(token) || joins;
  }
  bool opens(int32_t token) const { return kind_[token] == Shape::open; }
  // A pronoun in whose place an antecedent may be printed.
  bool may_print_another(int32_t token) const;

 private:
  enum class Shape : uint8_t { word, separator, stop, open, close, other, space };
  // A mark that is no word. Brackets may be tokens of a node, where they are part of a name.
  struct Mark {
    int32_t token;
    Shape kind;
    uint32_t character;
    int32_t partner;  // index of the other bracket, tag or quotation mark, or -1
    bool quote;
    bool twin;        // two tokens: "``"
    bool hidden;      // in a bracket that is gone

    // Neither a quotation mark nor a tag of HTML.
    bool is_bracket() const { return !quote && character != '<'; }
  };
  // A place between two neighbouring words of a print: the lowest node that both are below or in, and its children that
  // they are in; -1 where a word is in that node itself.
  struct Gap {
    int32_t left, right;  // tokens
    int32_t first, last;  // marks between them, some of which are no separators
    int32_t top, before, after;
  };

  void classify();
  void pair();
  void find_end();
  void find_questions();
  void separate();
  int32_t choose(const Gap& gap);
  void enclose();
  bool is_separator(const Mark& mark) const;
  bool is_final_stop(int32_t token) const { return token >= final_ && end_[token] != 0; }
  bool joins(int32_t token) const;
  bool is_conjunct(int32_t node) const;
  bool is_verb(int32_t node) const;
  bool is_clause(int32_t node) const;
  int32_t mark_before(const Gap& gap, int32_t node) const;
  bool is_enclosed(int32_t node) const;
  bool opens_sentence(const Gap& gap) const;
  int32_t members_before(int32_t node, bool kept) const;
  bool is_pair(int32_t node) const;
  bool opens_inside(int32_t token) const;
  bool asks() const;
  bool is_attached(int32_t token) const;
  bool is_part_of(int32_t token, int32_t other) const;
  bool would_merge(const std::vector<Piece>& out, size_t i) const;
  bool may_dangle(int32_t token) const;
  bool may_join_nothing(int32_t token) const;
  bool dangles(int32_t token) const;
  bool closes_up(int32_t token) const;
  bool has_space_between(int32_t left, int32_t right) const;
  Piece piece(int32_t token) const;
  void substitute();
  void print_antecedent(const Coreference& pair, std::vector<Piece>& out);
  Pin pin(int32_t token) const { return pins_.empty() ? Pin::none : pins_[token]; }
  bool certain(int32_t token, int32_t node) const;
  bool printable(const Coreference& pair) const;
  int32_t sure_node(const Mark& mark, bool& as_root) const;
  int32_t kept_between(int32_t first, int32_t last) const { return kept_sum_[last + 1] - kept_sum_[first]; }

  const Parses* parses_ = nullptr;
  const Sentence* sentence_ = nullptr;
  const Rules* rules_ = nullptr;
  const Tree* tree_ = nullptr;
  std::span<const Coreference> coreferences_;
  std::span<const Pin> pins_;
  std::vector<Shape> kind_;      // by token
  std::vector<Mark> marks_;
  std::vector<int32_t> words_before_;  // words before a token
  std::vector<int32_t> previous_, next_;  // nearest word before and after a token
  int32_t final_ = 0;           // from this token on there is nothing but closing punctuation
  std::vector<uint8_t> end_;    // by token: a stop that ends the sentence
  bool asks_ = false;           // the sentence ends with a question mark
  std::vector<int32_t> questions_;  // nodes of clauses that have the form of a question, where the sentence asks
  std::vector<uint8_t> kept_;   // by token
  std::vector<uint8_t> in_;     // by node
  std::vector<uint32_t> opened_;  // by node: the separator that was printed before it and must be closed, or 0
  int32_t open_from_ = -1;        // the first word of the last aside that was opened and not closed, or -1
  int32_t root_ = -1;
  std::vector<int32_t> kept_sum_;   // kept words before a token
  std::vector<int32_t> kept_words_;
  std::vector<int32_t> open_;
  std::vector<int32_t> words_;    // of an antecedent
  std::vector<int32_t> instead_;  // by token: the coreference whose antecedent is printed in its place, or -1
};

}  // namespace laconic
