// WordPiece (Wu et al. 2016, as BERT uses it): a word is cut into the longest pieces of a vocabulary, from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace laconic {

class WordPieces {
 public:
  static constexpr int64_t most_characters = 100;  // a longer word is unknown

  // The pieces in the order of their numbers, one a line; "##" stands before those that begin no word. Where a piece is
  // there twice, the last one counts.
  explicit WordPieces(std::string_view lines);

  // Adds the pieces of a word of UTF-8, which is normalised already, or `unknown` where it cannot be cut into pieces.
  void cut(std::string_view word, int32_t unknown, std::vector<int32_t>& pieces) const;

  size_t size() const { return count_; }

 private:
  // Looks up a part of a string without making a string of it.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Numbers = std::unordered_map<std::string, int32_t, Hash, std::equal_to<>>;

  Numbers beginning_, inside_;
  size_t longest_ = 0;  // bytes of a piece
  size_t count_ = 0;
};

}  // namespace laconic
