// The k best subtrees of a tree with edge probabilities (paper §2.3, §2.4 and, with subset sizes, §3).
//
// Equations 4–8 add up over the children of a node: score(C_n) = 1/|M| · Σ_i g_i(k_i) with g(-1) = log p_del,
// g(0) = log p_ret and g(j) = log p_ret + score(C_m^j) for j ≥ 1. So every child is a stream of options, best first, and
// the results at a node are the largest sums that take one option of each stream. They are produced lazily: a node is
// asked for its next result only when its parent, or the dummy root, needs it (Huang & Chiang 2005, algorithm 3). Every
// combination has exactly one predecessor (Lawler 1972), so nothing is generated twice and no set of seen ones is kept.
//
// The other objective is the log-probability of the whole subtree: score(C_n) = Σ_i g_i(k_i), where g(0), too, has the
// score of what lies below: g(j) = log p_ret + score(C_m^j) for all j. The streams are the same, but a child that may be
// retained must have its first result before its parent has one.
//
// Scores are fixed-point integers: sums are exact in any order, and ties are ties. Of two results with the same score the
// one that retains the first node in which they differ, in sentence order, comes first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace laconic {

using Score = int64_t;

// log(p) as a fixed-point number, p clipped to [1e-6, 1 - 1e-6].
Score log_score(double p);
double to_double(Score score);
Score to_score(double log_odds);

// p_del after the piecewise linear map that sends 0 to 0, rho to 1/2 and 1 to 1 (paper §2.3).
inline double rescale(double p_del, double rho) {
  if (p_del <= rho) return rho > 0 ? 0.5 * p_del / rho : 0.5;
  return rho < 1 ? 0.5 + 0.5 * (p_del - rho) / (1 - rho) : 0.5;
}

enum class Objective : uint8_t {
  mean,   // equations 4-8
  joint,  // log-probability of the whole subtree
};

class KBest {
 public:
  static constexpr int32_t classes = 5;  // subset sizes 0, 1, 2, 3, 4+
  using SizeScores = std::array<Score, classes>;

  // The source of p_ret of the edges. It is queried once for the edges to the children of a node, when the node is first
  // visited: edges that no result needs are never scored.
  class Source {
   public:
    virtual ~Source() = default;
    virtual void retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) = 0;
  };

  // A tree: the parent of every node (-1: only the dummy root leads to it), p_ret of the dummy root's edge to it
  // (negative: there is none), and the source of the other edges' p_ret. Parents must not form a cycle. Two of the
  // `pins` (NodePin, by node, or empty) are used: a node that `stays` (also `or_next`: the first of the two) has no
  // deletion in its stream of options, one that is `not_below` has only the deletion.
  void reset(std::span<const int32_t> parent, std::span<const double> root_retain, Source& source,
             Objective objective = Objective::mean, std::span<const uint8_t> pins = {});

  // Adds log p(|C|) to the scores of every node's subsets (equation 9; requires the objective `mean`). The best is then
  // chosen among the next `beam` combinations. Nodes without children have no subsets, so no such score.
  void set_sizes(std::span<const SizeScores> sizes, int32_t beam);

  // Finds the next best subtree; returns false if there is no more.
  bool next();
  // The last subtree found: its score and its nodes, sorted.
  double score() const { return to_double(score_); }
  const std::vector<int32_t>& nodes() const { return found_; }

 private:
  static constexpr int32_t none = -1;

  // One combination at a node: that of `previous`, except for option number `rank` of the child at position `place`.
  // `none` as previous stands for the first option of every child.
  struct State {
    int32_t previous;
    int32_t place;
    int32_t rank;
    int32_t retained;  // number of children retained
  };
  struct Candidate {
    Score sum;
    int32_t state;
  };
  struct Result {
    Score score;
    int32_t state;
  };
  struct Node {
    int32_t first_child = 0, children = 0;  // into child_
    Score retain = 0, remove = 0;           // of the edge from the parent
    int32_t removal = -1;                   // position of the deletion in the stream of options; -1: not known yet
    int32_t summed = -1;                    // children whose first option is in the first sum; -1: edges not scored yet
    bool stays = false;                     // never deleted
    bool gone = false;                      // always deleted
    bool started = false;                   // the first combination has been taken
    bool ordered = false;                   // places are sorted by the cost of the second option
    bool exhausted = false;                 // no more combinations
    int32_t pending = -2;                   // the last combination taken, whose successors are not in the heap yet; -2: none
    Score pending_sum = 0;
  };
  // Below the dummy root: result number `index` of a node.
  struct Pick {
    int32_t node, index;
    int32_t first = none;  // smallest node of the subtree; computed for breaking ties
  };
  enum class Ready { yes, no, end };

  void extend(int32_t node);
  int32_t advance(int32_t node);
  bool take(int32_t node, int32_t& missing, Candidate& taken);
  int32_t start(int32_t node);
  int32_t order(int32_t node);
  int32_t push_successors(int32_t node);
  void push(int32_t node, Score sum, State state);
  Ready option(int32_t child, int32_t rank, Score& value);
  Ready result_option(int32_t child, int32_t rank, Score& value);
  bool retains(int32_t child, int32_t rank) const { return nodes_[child].removal != rank; }
  Score total(Score sum, int32_t options) const;
  bool earlier(int32_t node, const Candidate& a, const Candidate& b);
  bool has_second(int32_t child);
  bool order_before(int32_t a, int32_t b);
  int32_t first_difference(int32_t child, bool& in_first);
  void collect(int32_t node, int32_t state, std::vector<int32_t>& into);
  void collect_option(int32_t child, int32_t rank, std::vector<std::pair<int32_t, int32_t>>& stack);
  int32_t result_state(int32_t node, int32_t index);
  bool add_root(int32_t node, int32_t index);
  bool root_earlier(const Candidate& a, const Candidate& b);
  int32_t first_node(Pick& pick);

  Source* source_ = nullptr;
  Objective objective_ = Objective::mean;
  std::vector<double> p_ret_;
  std::vector<Node> nodes_;
  std::vector<int32_t> child_;                   // children of all nodes, in sentence order, later sorted by cost
  std::vector<State> states_;
  std::vector<std::vector<Result>> results_;     // by node
  std::vector<std::vector<Candidate>> heaps_;    // by node
  std::vector<std::vector<Candidate>> beams_;    // by node: combinations that wait in the beam
  std::span<const SizeScores> sizes_;
  int32_t beam_ = 1;
  // The dummy root: a heap over picks; `state` of a candidate is an index into picks_.
  std::vector<Score> root_retain_;
  std::vector<uint8_t> is_top_;  // whether only the dummy root leads to it
  std::vector<Pick> picks_;
  std::vector<Candidate> root_heap_;
  int32_t root_pending_ = none;
  int32_t root_edges_ = 0;
  Score root_removed_ = 0;  // sum of the scores for deleting all root edges
  Score score_ = 0;
  std::vector<int32_t> found_, left_, right_, stack_;
  std::vector<std::pair<int32_t, int32_t>> walk_;
};

}  // namespace laconic
