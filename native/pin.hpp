// Pins: constraints on a token or a node.
#pragma once

#include <cstdint>

namespace laconic {

enum class Pin : uint8_t { none, keep, drop };

struct NodePin {
  enum Flag : uint8_t {
    keep = 1,       // must be included
    not_below = 2,  // must not be attached to its parent
    not_root = 4,   // must not be the root of the result
    stays = 8,      // is included if its parent is: the edge is not cut
    or_next = 16,   // the same for it or its next sibling: one of the two is included
  };
  static constexpr uint8_t drop = not_below | not_root;
};

}  // namespace laconic
