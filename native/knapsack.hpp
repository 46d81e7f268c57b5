// The k best subtrees whose length is within bounds and that have, or do not have, given nodes: a knapsack over the tree.
//
// Nodes are taken in tree order: a parent before its children, these from left to right. A node is either included, then
// the next node in this order is asked, or excluded, then the next one after its subtree. So with the score of the joint
// objective, which adds up over the edges, one table says for every place in this order and every length that is left
// what the rest can reach at best, in time (nodes × length) for each root edge; roots are opened only when their best
// score without any bound could be the next result. Since the table is exact, every step away from the best path leads to
// a path with a known score, and the results come off a heap in order (Lawler 1972).
//
// Where a node or its next sibling must be there, to exclude the first is to include the second: one step.
//
// Of two subtrees with the same score the one that has the first node, in tree order, in which they differ comes first.
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

// The scores of edges with given probabilities, by node; what KBest's joint objective adds up.
struct EdgeScores {
  // p_ret of the parent's edges, and of the dummy root's (negative: there is none).
  void find(std::span<const double> p_ret, std::span<const double> root_p_ret);

  std::vector<Score> retain, remove, root;
};

class Knapsack {
 public:
  // Entries of all tables together, at most: four gigabytes. More than that is an error (std::length_error).
  static constexpr size_t max_entries = size_t{1} << 29;

  // Lengths are at least `low` and at most `high`. The tree must outlive the calls of `next`.
  void reset(const WeighedTree& tree, int64_t low, int64_t high);

  // Finds the next best subtree; false when there is no more.
  bool next();
  // The subtree found last: its score, its length and its nodes, sorted.
  Score score() const { return score_; }
  int64_t length() const { return length_; }
  const std::vector<int32_t>& nodes() const { return nodes_; }

 private:
  static constexpr int32_t none = -1;
  // Far below every sum of scores, and far from overflow when such a sum is added to it.
  static constexpr Score never = std::numeric_limits<Score>::min() / 2;
  static bool possible(Score score) { return score > never / 2; }

  // A path through the tree order: that of result `parent` up to place `at`, there the other choice, then the best one.
  // Without a parent the best path below its root, and before the root's table is there: what that is at most.
  struct Path {
    Score score;
    int32_t root;       // place
    int32_t parent, at;
    int32_t room;       // length that is left at this place
    bool open;          // the root's table is there
  };
  // What including and excluding the node at a place lead to.
  struct Fork {
    Score include, exclude;
  };

  void number_nodes();
  void bound_roots();
  void open(int32_t root);
  // The best that can follow from a place, where its node is included or not.
  Score included(int32_t root, int32_t place, int32_t room) const;
  Score excluded(int32_t root, int32_t place, int32_t room) const;
  Fork fork(int32_t root, int32_t place, int32_t room) const;
  Score& rest(int32_t root, int32_t place, int32_t room) {
    return tables_[end_[root]][static_cast<size_t>(end_[root] - place) * width_ + room];
  }
  Score rest(int32_t root, int32_t place, int32_t room) const {
    return tables_[end_[root]][static_cast<size_t>(end_[root] - place) * width_ + room];
  }
  // Goes on from a place, where its node is included or not.
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
  int32_t high_ = 0, slack_ = 0;     // of a length; what may be left of it at the end of a path
  int32_t width_ = 1;                // of a row of a table
  bool weightless_ = false;          // every subtree is within the bounds
  std::vector<int32_t> node_;        // by place
  std::vector<int32_t> end_;         // by place: the place after the subtree
  std::vector<int32_t> weight_;      // by place: length of the node below a parent
  std::vector<uint8_t> must_;        // by place: the subtree has a node that is to be kept
  std::vector<uint8_t> fixed_;       // by place: it has, or the node stays with its parent
  std::vector<uint8_t> choice_;      // by place: without the node its next sibling is included
  std::vector<std::vector<Score>> tables_;  // by the end of roots, from there backwards: those inside others share it
  size_t entries_ = 0;               // of all tables
  std::vector<Path> heap_, others_;
  std::vector<int64_t> found_ptr_;   // places of the results so far
  std::vector<int32_t> found_;
  std::vector<int32_t> places_, left_, right_, stack_, first_child_, sibling_;
  std::vector<Score> best_;          // by place: what the subtree can reach at most
  Score score_ = 0;
  int64_t length_ = 0;
  std::vector<int32_t> nodes_;
  int32_t musts_ = 0;
};

}  // namespace laconic
