// The subtree that comes closest to a gold compression: the target of training and the ceiling of any decoder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree.hpp"

namespace laconic {

class GoldSubtree {
 public:
  // `gold` has 1 for every token of the sentence that the compression keeps. Finds the subtree under one root edge whose
  // words have the highest F1 against the gold's. Words that are merged into a head word of the gold do not count
  // against it: a subject must not be lost because of an adjective in its node. Exact, in a few linear passes
  // (Dinkelbach).
  void find(const Tree& tree, std::span<const uint8_t> gold, std::span<const uint8_t> is_word);

  std::vector<uint8_t> kept;  // by node
  int32_t root = -1;
  double f1 = 0;  // of its words against the gold's
};

}  // namespace laconic
