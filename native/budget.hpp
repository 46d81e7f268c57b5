// The k best compressions of a sentence whose print has a given length and keeps, or loses, given words.
//
// What a print has is not quite the sum of what its nodes add: a comma stays only between two things that stay. So the
// knapsack works with what each node adds at least, finds subtrees best first, and those whose print is too long, or too
// short, are passed over. No subtree that fits is shut out, hence the first that fits is the best one that does. Most
// punctuation goes with one node, so few are passed over. After `patience` of them in a row the bounds move by how much
// longer the prints turned out to be, and if that does not help they are narrowed, step by step: this ends the search soon
// and may miss the best (`exact` says so).
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
  none,   // any length will do
  chars,  // characters of the print
  words,  // separated by spaces
  given,  // something outside counts
};

// What is asked of all compressions of a batch.
struct Limits {
  using Measure = std::function<int64_t(const Sentence&, std::span<const Piece>)>;

  Unit unit = Unit::none;
  std::span<const int64_t> least, most;  // by sentence
  std::span<const Pin> pin;              // by token; of a token that is no word, `keep` prints it in any case
  // Where the unit is given: what a token adds, what every print has besides, and the length of a print.
  std::span<const int32_t> cost;
  int64_t base = 0;
  Measure measure;
  bool nearest = false;  // where nothing fits, the one that comes nearest is taken
  int32_t patience = 20000;  // prints that do not fit and are passed over, in a row, before the bounds move
};

// Why a sentence has no result.
enum class Problem : uint8_t { none, length, conflict };

// For each sentence: `begin`, then `next` until it has enough or is false; then `explain` where there was nothing.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}
  // Scores are the tree's, by node, and so are the pins of the guard (NodePin, or none at all); the realiser is prepared
  // for the tree.
  void begin(const Parses& parses, const Sentence& sentence, size_t number, const Tree& tree, Realiser& realiser,
             std::span<const int32_t> parent, std::span<const uint8_t> pins, const EdgeScores& scores);
  bool next();
  double score() const { return to_double(knapsack_.score()); }
  const std::vector<int32_t>& nodes() const { return knapsack_.nodes(); }
  // Whether the best were found for sure; what is counted outside does not quite add up.
  bool exact() const { return rounds_ == 0 && limits_.unit != Unit::given; }

  struct Failure {
    Problem problem = Problem::none;
    int64_t shortest = 0, longest = 0;  // of all prints that keep and lose what they should
    int64_t first = -1, second = -1;    // rows of tokens that do not go together
    std::vector<int32_t> nearest;       // nodes; where there is no problem after all, they are within the limits
  };
  // Why there was nothing.
  Failure explain();
  double score_of(const std::vector<int32_t>& nodes) const;

 private:
  void pin_nodes(std::span<const uint8_t> pins);
  void measure_nodes();
  void restart();
  bool fits(const std::vector<int32_t>& nodes, int64_t about);
  int64_t measure(const std::vector<int32_t>& nodes);
  int64_t token_cost(int32_t token) const;
  int64_t mark_cost(int32_t token) const;
  std::pair<int64_t, std::vector<int32_t>> extreme(int32_t sign, int64_t most);
  void find_conflict(Failure& failure) const;
  int64_t blocking(int32_t node, std::vector<int32_t>& roots) const;
  int64_t pinned_token(int32_t node, uint8_t pin) const;
  bool loses_all() const;
  bool bounded() const { return limits_.unit != Unit::none; }

  const Limits& limits_;
  const Parses* parses_ = nullptr;
  Sentence sentence_{};
  const Tree* tree_ = nullptr;
  Realiser* realiser_ = nullptr;
  int64_t least_ = 0, most_ = 0;
  int64_t base_ = 0;    // what every print has, beside its nodes
  int64_t spread_ = 0;  // how much longer a print may be than what its nodes add at least
  int32_t passed_ = 0;  // in a row
  int64_t over_ = 0;    // how much longer the prints of those were than what their nodes add at least, together
  int32_t rounds_ = 0;  // how often the bounds were changed
  int64_t shift_ = 0;   // then: how much longer a print is, as far as is known
  int64_t margin_ = 0;  // by which the bounds were narrowed
  bool contradictory_ = false;   // a node has a word that is to stay and one that is to go
  bool pinned_ = false; // something is to stay or to go
  WeighedTree weighed_;
  Knapsack knapsack_;
  std::vector<int32_t> length_, root_length_;
  std::vector<uint8_t> pin_;  // NodePin
  std::vector<std::vector<int32_t>> found_;  // so far; sorted up to `seen_`, which were found with other bounds
  size_t seen_ = 0;
  std::vector<Realiser::SureMark> sure_;
  std::vector<Piece> pieces_;
};

}  // namespace laconic
