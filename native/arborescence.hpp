// The best tree over the words of a sentence, given a score for every pair of a word and its possible head.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

class Arborescence {
 public:
  // `scores[d * n + h]` is the score of h as the head of d, and with h = d that of d as the root. Finds heads of the
  // highest total that make a tree with exactly one root, which is its own head (Chu & Liu 1965, Edmonds 1967). Mostly the
  // best heads of the words already are one, and nothing else is done.
  void find(std::span<const float> scores, int32_t n);

  std::vector<int32_t> heads;

 private:
  bool is_tree();

  std::vector<uint8_t> state_;
};

}  // namespace laconic
