// Converts kept nodes to a printable sentence: which words and punctuation are printed, and where spaces go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "coreference.hpp"
#include "pin.hpp"
#include "tree.hpp"

namespace laconic {

// A kept token, or just its last character, and whether a space precedes it.
struct Piece {
  int32_t token;
  int32_t start, end;  // characters of the text
  bool space;
  bool word;           // not punctuation
  int32_t pronoun = -1;  // token that this one replaces in print, or -1
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
  // Analyses the punctuation of a sentence; call it before `realise`. Of the given coreferences, a pronoun whose
  // antecedent is deleted is printed as the antecedent; they must outlive the calls of `realise`. So must the pins, by
  // token of the sentence: a token pinned to be kept is printed with its node regardless of the rules, and punctuation
  // in any case.
  void prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
               std::span<const Coreference> coreferences = {}, std::span<const Pin> pins = {});
  // The tokens to print when the given nodes (sorted, a subtree with the given root) are kept.
  void realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out);

  // Properties of all prints, for minimum lengths:
  // A mark that is printed whenever a node is kept, or only if the node is not the root. If another mark replaces it,
  // that has at least one character, too.
  struct SureMark {
    int32_t node, token;
    bool as_root;
  };
  void find_sure_marks(std::vector<SureMark>& out) const;
  // A final stop, which every print has.
  bool ends_sentence(int32_t token) const { return is_final_stop(token) && !asks_; }
  // A word or bracket of a node that is not always printed with it.
  bool is_optional(int32_t token) const {
    const bool joins = tree_->print[token] != Print::coordinate && may_join_nothing(token);  // the others are weighed
    return kind_[token] != Shape::word || may_dangle(token) || joins;
  }
  bool opens(int32_t token) const { return kind_[token] == Shape::open; }
  // A pronoun that may be replaced by an antecedent.
  bool may_print_another(int32_t token) const;

 private:
  enum class Shape : uint8_t { word, separator, stop, open, close, other, space };
  // A punctuation mark. Brackets may be tokens of a node, if they are part of a name.
  struct Mark {
    int32_t token;
    Shape kind;
    uint32_t character;
    int32_t partner;  // index of the other bracket, tag or quotation mark, or -1
    bool quote;
    bool twin;        // two tokens: "``"
    bool hidden;      // inside a deleted bracket

    // Neither a quotation mark nor an HTML tag.
    bool is_bracket() const { return !quote && character != '<'; }
  };
  // The gap between two adjacent words of a print: the lowest node that contains or dominates both, and its children
  // that lead to each word; -1 if a word is in that node itself.
  struct Gap {
    int32_t left, right;  // tokens
    int32_t first, last;  // marks between them, not all of them separators
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
  bool lost_its_question() const;
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
  std::vector<int32_t> words_before_;  // number of words before a token
  std::vector<int32_t> previous_, next_;  // nearest kept word before and after a token
  int32_t final_ = 0;           // from this token on, there is only closing punctuation
  std::vector<uint8_t> end_;    // by token: a stop that ends the sentence
  bool asks_ = false;           // the sentence ends with a question mark
  int32_t stop_before_note_;    // the stop before a bracket that ends the sentence, as in "in May. [3]", or -1
  std::vector<int32_t> questions_;  // nodes of clauses in the form of a question, if the sentence ends with a question mark
  std::vector<uint8_t> kept_;   // by token
  std::vector<uint8_t> in_;     // by node
  std::vector<uint32_t> opened_;  // by node: the separator printed before it that must be closed, or 0
  int32_t open_from_ = -1;        // the first word of the last aside that is still open, or -1
  int32_t root_ = -1;
  std::vector<int32_t> kept_sum_;   // number of kept words before a token
  std::vector<int32_t> kept_words_;
  std::vector<int32_t> open_;
  std::vector<int32_t> words_;    // of an antecedent
  std::vector<int32_t> instead_;  // by token: the coreference whose antecedent replaces it, or -1
};

}  // namespace laconic
