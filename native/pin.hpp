// What is asked of a token, and of a node.
#pragma once

#include <cstdint>

namespace laconic {

enum class Pin : uint8_t { none, keep, drop };

struct NodePin {
  enum Flag : uint8_t {
    keep = 1,       // it must be there
    not_below = 2,  // it must not hang on its parent
    not_root = 4,   // it must not be the root of what is kept
    stays = 8,      // it stays where its parent does: the edge is not cut
    or_next = 16,   // it or its next sibling does
  };
  static constexpr uint8_t drop = not_below | not_root;
};

}  // namespace laconic
