// Which tokens a result prints, and where words have gone: what the reader (laconic.reader) is shown and asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compress.hpp"

namespace laconic {

struct Gaps {
  std::vector<int64_t> token_ptr{0};  // by result: its first token, and one end
  std::vector<int64_t> token;         // rows of tokens, in the order of the print
  std::vector<uint8_t> missing;       // by token: a word before which words have gone
  std::vector<uint8_t> ends;          // by result: words have gone after its last
};

// Of the results of these numbers.
Gaps find_gaps(const Forest& forest, const Results& results, std::span<const int64_t> rows);

}  // namespace laconic
