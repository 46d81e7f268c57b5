// Pins: from what rules ask of words to what decoders obey, by node.
#pragma once

#include <cstdint>
#include <vector>

#include "forest.hpp"

namespace laconic {

// What rules ask for, by token. The first rule that pins a word names the pin.
struct Board {
  static constexpr uint8_t no_rule = 255;
  // Where `word` stays, so does `other`: rows; rows that are none ask for nothing.
  struct Need {
    int64_t word, other;
    uint8_t rule;
  };

  std::vector<uint8_t> stays, not_root;  // by token: a rule, or none
  std::vector<uint8_t> preferred;        // by token
  std::vector<Need> needs;
  std::vector<Need> choices;  // where what both hang on stays, `word` or `other` does
};

// The same by node.
struct Pins {
  std::vector<uint8_t> flags;  // of NodePin
  std::vector<uint8_t> stays, not_root, preferred;
};

// `fallen` is the rule of what fell off its tree, where no sentence begins.
Pins make_pins(const Forest& forest, const Board& board, uint8_t fallen);

}  // namespace laconic
