// Which version of every sentence to take so that a text of several is within a budget: the k best choices.
//
// To take one of several options is to cut a chain: its first node is the shortest option, and every node after it adds
// what the next longer one has more. A text is then a tree, its sentences are the chains below its root, and what is asked
// for are its k best subtrees within a length (knapsack.hpp). That takes a table of options times length; for one choice
// out of a whole document there is choose.hpp.
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
