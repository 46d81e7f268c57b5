// The parser's arrays as the core uses them (laconic.parse.Parses).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "text.hpp"

namespace laconic {

struct Parses {
  std::span<const uint32_t> chars;
  std::span<const int64_t> char_ptr, token_ptr;
  std::span<const int32_t> start, end, head;
  std::span<const uint8_t> label, tag;
  std::span<const uint64_t> lemma;
  std::span<const uint8_t> entity, entity_start, sentence_start;
};

// A run of tokens, rows `first` to `last` (exclusive) of the arrays, all of text `text`.
struct Sentence {
  int32_t text;
  int64_t first;
  int64_t last;
};

// The sentences of all texts, in order.
inline std::vector<Sentence> sentences(const Parses& parses) {
  std::vector<Sentence> found;
  for (size_t text = 0; text + 1 < parses.token_ptr.size(); ++text) {
    for (int64_t row = parses.token_ptr[text]; row < parses.token_ptr[text + 1]; ++row) {
      if (row == parses.token_ptr[text] || parses.sentence_start[row]) {
        found.push_back({static_cast<int32_t>(text), row, row});
      }
      found.back().last = row + 1;
    }
  }
  return found;
}

// Which tokens are words: those with a letter or digit.
inline void find_words(const Parses& parses, const Sentence& sentence, std::vector<uint8_t>& is_word) {
  is_word.assign(sentence.last - sentence.first, 0);
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  for (int64_t row = sentence.first; row < sentence.last; ++row) {
    is_word[row - sentence.first] = std::any_of(chars + parses.start[row], chars + parses.end[row], is_word_char);
  }
}

}  // namespace laconic
