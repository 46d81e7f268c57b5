// Which version of every sentence to take so that a text of several is within a budget: the k best choices.
//
// The options of a sentence become a chain of nodes: the first node is the shortest option, and every further node adds the
// difference to the next longer one, so that an option is a beginning of the chain. A text is then a tree with one chain
// for each sentence below its root, and the k best choices are its k best subtrees within a length (knapsack.hpp). The
// table has the number of options times the length as its size; choose.hpp finds a single choice for a whole document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

// Item i has the options option_ptr[i]:option_ptr[i + 1], at least one, the shortest first. Found are up to k choices, by
// item the number of the option, with a total length from low to high: the highest total value first.
std::vector<std::vector<int32_t>> choose_k_best(std::span<const int64_t> option_ptr, std::span<const int32_t> length,
                                                std::span<const int64_t> value, int64_t low, int64_t high, int64_t k);

}  // namespace laconic
