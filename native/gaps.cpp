#include "gaps.hpp"

#include <algorithm>

#include "interrupt.hpp"

namespace laconic {

Gaps find_gaps(const Forest& forest, const Results& results, std::span<const int64_t> rows) {
  Gaps gaps;
  for (const int64_t row : rows) {
    const auto after = std::upper_bound(results.result_ptr.begin(), results.result_ptr.end(), row);
    const Sentence& sentence = forest.sentences[after - results.result_ptr.begin() - 1];
    const auto start = forest.parses.start.begin();
    const auto is_word = [&](int64_t token) { return forest.node_of[token] >= 0; };
    int64_t next = sentence.first;  // the token after the last word that is printed
    const auto skipped = [&](int64_t to) {
      for (; next < to; ++next) {
        if (is_word(next)) return true;
      }
      return false;
    };
    count_steps(static_cast<size_t>(sentence.last - sentence.first));
    for (int64_t piece = results.piece_ptr[row]; piece < results.piece_ptr[row + 1]; ++piece) {
      // A stop that was cut off a word belongs to that word.
      const auto found = std::upper_bound(start + sentence.first, start + sentence.last, results.piece_start[piece]);
      const int64_t token = std::max<int64_t>(found - start - 1, sentence.first);
      // What is printed in the place of a pronoun stands there, not where it was taken from.
      const int64_t place = results.piece_pronoun[piece] >= 0 ? results.piece_pronoun[piece] : token;
      const bool word = is_word(place);
      gaps.token.push_back(token);
      gaps.missing.push_back(word && skipped(place));
      if (word) next = std::max(next, place + 1);
    }
    gaps.ends.push_back(skipped(sentence.last));
    gaps.token_ptr.push_back(static_cast<int64_t>(gaps.token.size()));
  }
  return gaps;
}

}  // namespace laconic
