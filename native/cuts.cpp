#include "cuts.hpp"

#include <algorithm>

#include "interrupt.hpp"

namespace laconic {

Cuts find_cuts(const Forest& forest, const Results& results, std::span<const int64_t> rows) {
  Cuts cuts;
  std::vector<uint8_t> kept;
  for (const int64_t row : rows) {
    const auto after = std::upper_bound(results.result_ptr.begin(), results.result_ptr.end(), row);
    const auto number = static_cast<size_t>(after - results.result_ptr.begin() - 1);
    const Sentence& sentence = forest.sentences[number];
    const auto length = static_cast<size_t>(sentence.last - sentence.first);
    count_steps(length);
    const size_t begin = cuts.state.size();
    for (int64_t token = sentence.first; token < sentence.last; ++token) {
      cuts.state.push_back(forest.node_of[token] < 0 ? WordState::sign : WordState::deleted);
    }
    const std::span state(cuts.state.begin() + static_cast<ptrdiff_t>(begin), length);
    const auto start = forest.parses.start.begin();
    for (int64_t piece = results.piece_ptr[row]; piece < results.piece_ptr[row + 1]; ++piece) {
      // A stop that was cut off a word belongs to that word.
      const auto found = std::upper_bound(start + sentence.first, start + sentence.last, results.piece_start[piece]);
      const int64_t token = std::max<int64_t>(found - start - 1, sentence.first);
      // What is printed in the place of a pronoun stands there, not where it was taken from.
      const int64_t place = results.piece_pronoun[piece] >= 0 ? results.piece_pronoun[piece] : token;
      if (forest.node_of[place] >= 0) state[place - sentence.first] = WordState::printed;
    }
    const std::span nodes(forest.nodes.begin() + forest.node_ptr[number], forest.nodes.begin() + forest.node_ptr[number + 1]);
    kept.assign(nodes.size(), 0);
    for (int64_t at = results.node_ptr[row]; at < results.node_ptr[row + 1]; ++at) kept[results.node[at]] = 1;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const int32_t parent = nodes[i].parent;
      uint8_t& own = state[nodes[i].word];
      if (parent < 0 || kept[i] == kept[parent]) continue;
      if (kept[i] != 0 && own == WordState::printed) own = WordState::promoted;
      if (kept[parent] != 0 && own == WordState::deleted) own = WordState::cut;
    }
    cuts.token_ptr.push_back(static_cast<int64_t>(cuts.state.size()));
  }
  return cuts;
}

}  // namespace laconic
