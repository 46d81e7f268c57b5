// Chooses a version of every sentence so that a text of several sentences is within a budget: the k best choices.
//
// The options of a sentence become a chain of nodes: the first node is the shortest option, and every further node adds
// the difference to the next longer one, so an option is a prefix of the chain. A text is then a tree with one chain for
// each sentence below its root, and the k best choices are its k best subtrees within a length (knapsack.hpp). The size
// of the table is the number of options times the length; choose.hpp finds a single choice for a whole document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

// Item i has the options option_ptr[i]:option_ptr[i + 1], at least one, shortest first. Returns up to k choices (by
// item, the index of the option) with a total length from low to high, by descending total value.
std::vector<std::vector<int32_t>> choose_k_best(std::span<const int64_t> option_ptr, std::span<const int32_t> length,
                                                std::span<const int64_t> value, int64_t low, int64_t high, int64_t k);

}  // namespace laconic
