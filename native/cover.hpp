// The smallest subtree that covers the words of a headline (Filippova & Altun 2013).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

// A tree: by node, its parent (-1: only the dummy root leads to it), whether the dummy root has an edge to it, and its
// number of words.
struct CoverTree {
  std::span<const int32_t> parent;
  std::span<const uint8_t> root_edge;
  std::span<const int32_t> words;
};

// Demands: number d needs `need[d]` words, which the nodes option_node[option_ptr[d]:option_ptr[d + 1]] supply, each as
// many as option_count says. A demand names a node at most once.
struct Demands {
  std::span<const int32_t> need;
  std::span<const int64_t> option_ptr;
  std::span<const int32_t> option_node;
  std::span<const int32_t> option_count;
};

// Finds the subtree under a root edge that meets all demands with the fewest nodes; of several, the one with the fewest
// words, then the one with the smallest sum of node numbers.
//
// A demand that can only be met by all its nodes leaves no choice: these nodes are required, and the path up to them.
// For the other demands, a table is computed bottom up, with the cheapest subtree below each node for every combination
// of words supplied so far. Its size is exponential in the number of such demands, which is small in real headlines.
class Cover {
 public:
  enum class Outcome : uint8_t { found, impossible, too_many };
  static constexpr int64_t max_states = 4096;

  Outcome find(const CoverTree& tree, const Demands& demands);
  std::vector<int32_t> nodes;  // of the subtree, sorted

 private:
  using Cost = uint64_t;
  // The cheapest way to a state at a node: the state before the last child taken, and the state of that child.
  struct Entry {
    Cost cost;
    int32_t before, child_state;  // -1: the child is not taken
  };
  int32_t add(int32_t left, int32_t right) const;
  void collect(int32_t node, int32_t state);

  std::vector<int32_t> radix_, most_;              // by demand with a choice: its digit in a state, and the maximum
  std::vector<std::vector<int32_t>> children_;
  std::vector<uint8_t> must_;                      // by node: whether it is required
  std::vector<int32_t> musts_below_;               // number of required nodes in the subtree
  std::vector<int32_t> own_;                       // by node: the state that it supplies by itself
  std::vector<std::vector<std::vector<Entry>>> steps_;  // by node, after each child: by state
  int32_t states_ = 1;
};

}  // namespace laconic
