// What is asked of a token, and of a node.
#pragma once

#include <cstdint>

namespace laconic {

enum class Pin : uint8_t { none, keep, drop };

// A node that must be there; that must not hang on its parent; that must not be the root; that stays where its parent does.
struct NodePin {
  static constexpr uint8_t keep = 1, not_below = 2, not_root = 4, stays = 8, drop = not_below | not_root;
};

}  // namespace laconic
