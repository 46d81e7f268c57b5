// WordPiece (Wu et al. 2016, as in BERT): a word is split into the longest pieces of a vocabulary, from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace laconic {

class WordPieces {
 public:
  static constexpr int64_t most_characters = 100;  // longer words are unknown

  // The pieces in the order of their ids, one a line; pieces that do not begin a word have the prefix "##". Of
  // duplicates, the last one counts.
  explicit WordPieces(std::string_view lines);

  // Appends the pieces of a normalised UTF-8 word, or `unknown` if it cannot be split into pieces.
  void cut(std::string_view word, int32_t unknown, std::vector<int32_t>& pieces) const;

  size_t size() const { return count_; }

 private:
  // Allows lookups of a string_view without allocating a string.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Numbers = std::unordered_map<std::string, int32_t, Hash, std::equal_to<>>;

  Numbers beginning_, inside_;
  size_t longest_ = 0;  // maximum number of bytes in a piece
  size_t count_ = 0;
};

}  // namespace laconic
