// What has become of the words of a sentence in a result: what the reader (laconic.reader) is shown and asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compress.hpp"

namespace laconic {

struct WordState {
  enum State : uint8_t {
    sign,      // is in no node
    printed,
    deleted,
    cut,       // deleted, and the head word of what was cut off a node that is kept
    promoted,  // printed, and the head word of the root, which stands below another word in the sentence
  };
};

struct Cuts {
  std::vector<int64_t> token_ptr{0};  // by result: its first token, and one end
  std::vector<uint8_t> state;         // of the tokens of its sentence
};

// Of the results of these numbers.
Cuts find_cuts(const Forest& forest, const Results& results, std::span<const int64_t> rows);

}  // namespace laconic
