// From kept nodes to a printable sentence: which words and punctuation stay, and where a space goes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tree.hpp"

namespace laconic {

// A kept token, or its last character, and whether a space goes before it.
struct Piece {
  int32_t token;
  int32_t start, end;  // characters of the text
  bool space;
  bool word;  // not punctuation
};

// The root of a subtree given by its nodes: the one whose parent is not among them.
inline int32_t root_of(const Tree& tree, const std::vector<int32_t>& nodes) {
  for (const int32_t i : nodes) {
    if (!std::binary_search(nodes.begin(), nodes.end(), tree.nodes[i].parent)) return i;
  }
  return -1;
}

class Realiser {
 public:
  // Finds out about the punctuation of a sentence; call before `realise`.
  void prepare(const Parses& parses, const Sentence& sentence, const Tree& tree);
  // The tokens to print when the given nodes (sorted, a subtree with the given root) are kept.
  void realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out);

 private:
  enum class Kind : uint8_t { word, separator, stop, open, close, other, space };
  // Punctuation that needs something kept on both sides: tokens left_first–left_last and right_first–right_last.
  struct Mark {
    int32_t token;
    Kind kind;
    int32_t left_first, left_last, right_first, right_last;
    int32_t partner;  // index of the other bracket or quotation mark, or -1
    int32_t opener;   // token of the separator before the constituent that this one closes, or -1
    bool quote;
    bool twin;        // two tokens: "``"
  };

  void classify();
  void pair();
  void delimit(Mark& mark);
  bool has_space_between(int32_t left, int32_t right) const;
  Piece piece(int32_t token) const;
  int32_t kept_between(int32_t first, int32_t last) const { return kept_sum_[last + 1] - kept_sum_[first]; }

  const Parses* parses_ = nullptr;
  const Sentence* sentence_ = nullptr;
  const Tree* tree_ = nullptr;
  std::vector<Kind> kind_;      // by token
  std::vector<Mark> marks_;
  std::vector<int32_t> words_before_;  // tokens in nodes before a token
  std::vector<int32_t> previous_, next_;  // nearest token in a node, before and after a token
  int32_t final_ = 0;           // from this token on there is nothing but closing punctuation
  std::vector<uint8_t> kept_;   // by token
  std::vector<uint8_t> in_;     // by node
  std::vector<uint8_t> seen_;   // by token: a member of the coordination that starts there was printed
  std::vector<int32_t> kept_sum_;
  std::vector<int32_t> open_;
};

}  // namespace laconic
