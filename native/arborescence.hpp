// The best tree over the words of a sentence, given a score for every pair of a word and its possible head.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

class Arborescence {
 public:
  // `scores[d * n + h]` is the score of h as the head of d; h = d stands for d as the root. Finds the heads with the
  // highest total that form a tree with exactly one root, which is its own head (Chu & Liu 1965, Edmonds 1967). If the
  // best heads of all words form a tree already, as they mostly do, nothing else is done.
  void find(std::span<const float> scores, int32_t n);

  std::vector<int32_t> heads;

 private:
  bool is_tree();

  std::vector<uint8_t> state_;
};

}  // namespace laconic
