// The k best subtrees within length bounds that contain, or do not contain, given nodes: a knapsack over the tree.
//
// Nodes are processed in tree order: a parent before its children, these from left to right. A node is either included,
// and the next node in this order follows; or excluded, and the next one after its subtree follows. With the score of
// the joint objective, which adds up over edges, a table gives, for every place in this order and every remaining
// length, the best score of the rest, in time (nodes × length) for each root edge. Roots are opened only when their best
// score without length bounds could be the next result. As the table is exact, every step away from the best path leads
// to a path with a known score, and results come off a heap in order (Lawler 1972).
//
// If a node or its next sibling must be included, excluding the first means including the second, in one step.
//
// Of two subtrees with the same score, the one that has the first node, in tree order, in which they differ comes first.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kbest.hpp"
#include "pin.hpp"

namespace laconic {

// A tree whose edges have scores and whose nodes have lengths, by node.
struct WeighedTree {
  static constexpr Score no_edge = std::numeric_limits<Score>::min();

  std::span<const int32_t> parent;       // -1: only the dummy root leads to it
  std::span<const Score> retain, remove;  // of the parent's edge
  std::span<const Score> root;           // of the dummy root's edge to it and to nothing else, or no_edge
  std::span<const int32_t> length;       // that the node adds below a parent; not negative
  std::span<const int32_t> root_length;  // that it adds as the root of the subtree
  std::span<const uint8_t> pin;          // NodePin
};

// The scores of edges with given probabilities, by node, which KBest's joint objective adds up.
struct EdgeScores {
  // p_ret of the edges from parents, and of the dummy root's edges (negative: there is none).
  void find(std::span<const double> p_ret, std::span<const double> root_p_ret);

  std::vector<Score> retain, remove, root;
};

class Knapsack {
 public:
  // The maximum number of entries in all tables: four gigabytes. Beyond it, std::length_error is thrown.
  static constexpr size_t max_entries = size_t{1} << 29;

  // Lengths are at least `low` and at most `high`. The tree must outlive the calls of `next`.
  void reset(const WeighedTree& tree, int64_t low, int64_t high);

  // Finds the next best subtree; returns false if there is no more.
  bool next();
  // The last subtree found: its score, its length and its nodes, sorted.
  Score score() const { return score_; }
  int64_t length() const { return length_; }
  const std::vector<int32_t>& nodes() const { return nodes_; }

 private:
  static constexpr int32_t none = -1;
  // Far below every sum of scores, but adding such a sum does not overflow.
  static constexpr Score never = std::numeric_limits<Score>::min() / 2;
  static bool possible(Score score) { return score > never / 2; }

  // A path through the tree order: that of result `parent` up to place `at`, there the opposite choice, and then the
  // best one. Without a parent, it is the best path below its root; until the root is open, the score is an upper bound.
  struct Path {
    Score score;
    int32_t root;       // place
    int32_t parent, at;
    int32_t room;       // the length left at this place
    bool open;          // the root's table has been computed
  };
  // The scores of including and excluding the node at a place.
  struct Fork {
    Score include, exclude;
  };

  void number_nodes();
  void bound_roots();
  void open(int32_t root);
  // The best score from a place on if its node is included, or excluded.
  Score included(int32_t root, int32_t place, int32_t room) const;
  Score excluded(int32_t root, int32_t place, int32_t room) const;
  Fork fork(int32_t root, int32_t place, int32_t room) const;
  Score& rest(int32_t root, int32_t place, int32_t room) {
    return tables_[end_[root]][static_cast<size_t>(end_[root] - place) * width_ + room];
  }
  Score rest(int32_t root, int32_t place, int32_t room) const {
    return tables_[end_[root]][static_cast<size_t>(end_[root] - place) * width_ + room];
  }
  // Moves on from a place, including or excluding its node.
  void include(std::vector<int32_t>& places, int32_t& place, int32_t& room) const {
    places.push_back(place);
    room -= weight_[place++];
  }
  void exclude(std::vector<int32_t>& places, int32_t& place, int32_t& room) const {
    const bool chosen = choice_[place] != 0;
    place = end_[place];
    if (chosen) include(places, place, room);
  }
  void follow(const Path& path, std::vector<int32_t>& places, int32_t& place, int32_t& room) const;
  void complete(int32_t root, int32_t place, int32_t room, std::vector<int32_t>& places) const;
  bool earlier(const Path& a, const Path& b);
  void push(const Path& path);

  WeighedTree tree_;
  int32_t high_ = 0, slack_ = 0;     // the maximum length; how much of it may be left at the end of a path
  int32_t width_ = 1;                // of a row of a table
  bool weightless_ = false;          // every subtree is within the bounds
  std::vector<int32_t> node_;        // by place
  std::vector<int32_t> end_;         // by place: the place after the subtree
  std::vector<int32_t> weight_;      // by place: length of the node below a parent
  std::vector<uint8_t> must_;        // by place: whether the subtree has a node to keep
  std::vector<uint8_t> fixed_;       // by place: whether it has one, or the node stays with its parent
  std::vector<uint8_t> choice_;      // by place: if the node is excluded, its next sibling is included
  std::vector<std::vector<Score>> tables_;  // by the end of roots, filled backwards: roots with the same end share them
  size_t entries_ = 0;               // in all tables
  std::vector<Path> heap_, others_;
  std::vector<int64_t> found_ptr_;   // places of the results so far
  std::vector<int32_t> found_;
  std::vector<int32_t> places_, left_, right_, stack_, first_child_, sibling_;
  std::vector<Score> best_;          // by place: upper bound on the score of the subtree
  Score score_ = 0;
  int64_t length_ = 0;
  std::vector<int32_t> nodes_;
  int32_t musts_ = 0;
};

}  // namespace laconic
