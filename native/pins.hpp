// Converts pins on words, set by rules, to pins on nodes for the decoders.
#pragma once

#include <cstdint>
#include <vector>

#include "forest.hpp"

namespace laconic {

// The pins that rules set, by token. The first rule that pins a word names the pin.
struct Board {
  static constexpr uint8_t no_rule = 255;
  // If `word` is kept, so is `other`; both are rows. Invalid rows are ignored.
  struct Need {
    int64_t word, other;
    uint8_t rule;
  };

  std::vector<uint8_t> stays, not_root;  // by token: a rule, or `no_rule`
  std::vector<uint8_t> preferred;        // by token
  std::vector<Need> needs;
  std::vector<Need> choices;  // if the common head is kept, so is `word` or `other`
};

// The same by node of the forest.
struct Pins {
  std::vector<uint8_t> flags;  // of NodePin
  std::vector<uint8_t> stays, not_root, preferred;
};

// `fallen` is the rule for pins on detached nodes: roots of trees other than the one with the sentence's root.
Pins make_pins(const Forest& forest, const Board& board, uint8_t fallen);

}  // namespace laconic
