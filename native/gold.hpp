// The subtree that comes closest to a gold compression: the target of training and the ceiling of any decoder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree.hpp"

namespace laconic {

class GoldSubtree {
 public:
  // `gold` has 1 for every token of the sentence that the compression keeps. Finds the subtree under one root edge with
  // the highest word F1 (Dinkelbach's method: a few linear passes, exact).
  void find(const Tree& tree, std::span<const uint8_t> gold, std::span<const uint8_t> is_word);

  std::vector<uint8_t> kept;  // by node
  int32_t root = -1;
  double f1 = 0;  // of its words against the gold's
};

}  // namespace laconic
