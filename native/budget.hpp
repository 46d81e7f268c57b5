// The k best compressions of a sentence whose print has a length within bounds and keeps or drops given words.
//
// The length of a print is not exactly the sum over its nodes: a comma, for example, is only printed between two kept
// words. So the knapsack uses the minimum length that each node adds, produces subtrees best first, and those whose
// print is too long or too short are skipped. No subtree that fits is excluded, so the first one that fits is the best.
// Few are skipped, as most punctuation belongs to a single node. After `patience` of them in a row, the bounds are moved
// by the average excess of the skipped prints; if that does not help, they are narrowed step by step. Then the search
// ends soon, but may miss the best result (`exact` tells).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "knapsack.hpp"
#include "realise.hpp"

namespace laconic {

enum class Unit : uint8_t {
  none,   // any length
  chars,  // characters of the print
  words,  // separated by spaces
  given,  // counted outside the core
};

// The limits on all compressions of a batch.
struct Limits {
  using Measure = std::function<int64_t(const Sentence&, std::span<const Piece>)>;

  Unit unit = Unit::none;
  std::span<const int64_t> least, most;  // by sentence
  std::span<const Pin> pin;              // by token; for a token that is not a word, `keep` prints it in any case
  // If lengths are counted outside: the length that a token adds, that of an empty print, and the function that counts a
  // print.
  std::span<const int32_t> cost;
  int64_t base = 0;
  Measure measure;
  bool nearest = false;  // if nothing fits, the nearest result is used
  int32_t patience = 20000;  // misfits in a row that are skipped before the bounds are moved
};

// Why a sentence has no result.
enum class Problem : uint8_t { none, length, conflict };

// For each sentence: `begin`, then `next` until there are enough results or it returns false; then `explain` if there
// were none.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}
  // Scores are the tree's, by node, and so are the guard's pins (NodePin, or empty); the realiser must be prepared for
  // the tree.
  void begin(const Parses& parses, const Sentence& sentence, size_t number, const Tree& tree, Realiser& realiser,
             std::span<const int32_t> parent, std::span<const uint8_t> pins, const EdgeScores& scores);
  bool next();
  double score() const { return to_double(knapsack_.score()); }
  const std::vector<int32_t>& nodes() const { return knapsack_.nodes(); }
  // Whether the results are certainly the best; not if lengths are counted outside, as they do not quite add up.
  bool exact() const { return rounds_ == 0 && limits_.unit != Unit::given; }

  struct Failure {
    Problem problem = Problem::none;
    int64_t shortest = 0, longest = 0;  // over all prints that satisfy the pins
    int64_t first = -1, second = -1;    // rows of tokens that contradict each other
    std::vector<int32_t> nearest;       // nodes; within the limits after all, if there is no problem
  };
  // Explains why there was no result.
  Failure explain();
  double score_of(const std::vector<int32_t>& nodes) const;

 private:
  void pin_nodes(std::span<const uint8_t> pins);
  void measure_nodes();
  void restart();
  bool fits(const std::vector<int32_t>& nodes, int64_t about);
  bool print(const std::vector<int32_t>& nodes);
  int64_t measure();
  int64_t token_cost(int32_t token) const;
  int64_t mark_cost(int32_t token) const;
  std::pair<int64_t, std::vector<int32_t>> extreme(int32_t sign, int64_t most);
  void find_conflict(Failure& failure) const;
  int64_t blocking(int32_t node, std::vector<int32_t>& roots) const;
  int64_t pinned_token(int32_t node, uint8_t pin) const;
  bool bounded() const { return limits_.unit != Unit::none; }

  const Limits& limits_;
  const Parses* parses_ = nullptr;
  Sentence sentence_{};
  const Tree* tree_ = nullptr;
  Realiser* realiser_ = nullptr;
  int64_t least_ = 0, most_ = 0;
  int64_t base_ = 0;    // length of every print besides its nodes
  int64_t spread_ = 0;  // by how much a print can exceed the minimum lengths of its nodes
  int32_t passed_ = 0;  // number of results skipped in a row
  int64_t over_ = 0;    // the sum of their excess over the minimum lengths of their nodes
  int32_t rounds_ = 0;  // number of times that the bounds were changed
  int64_t shift_ = 0;   // then: the estimated excess of a print
  int64_t margin_ = 0;  // the amount by which the bounds were narrowed
  bool contradictory_ = false;   // a node has a word to keep and one to drop
  bool pinned_ = false; // there are words to keep or to drop
  WeighedTree weighed_;
  Knapsack knapsack_;
  std::vector<int32_t> length_, root_length_;
  std::vector<uint8_t> pin_;  // NodePin
  std::vector<std::vector<int32_t>> found_;  // results so far; sorted up to `seen_`, which were found with other bounds
  size_t seen_ = 0;
  std::vector<Realiser::SureMark> sure_;
  std::vector<Piece> pieces_;
};

}  // namespace laconic
