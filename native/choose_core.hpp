// The search behind Choose: decides on the few changes that may still pay off (Pisinger 1995).
//
// It begins with a choice, the start, which is optimal at a given price per unit of length. At that price, every change
// to it has a non-negative loss: the length that it frees is worth no more than the value that it gives up. Losses add
// up, so a change whose loss exceeds the gap between the best known choice and the upper bound need not be examined.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wide.hpp"

namespace laconic {

struct Total {
  int64_t length = 0, value = 0;
};

class Core {
 public:
  // A change: the increase of length and value; the caller knows what is changed to what.
  struct Move {
    int64_t length, value;
    int32_t place, option;
  };
  // A unit of value is `scale` units of price per unit of length; totals of values times the scale stay below 2^61. All
  // lengths differ by multiples of length_step, and all values by multiples of value_step.
  struct Terms {
    int64_t price, scale;
    int64_t budget, length_step, value_step;
  };

  Core(const Terms& terms, Total start, Total best);

  // The loss that a choice may have and still beat the best known one; negative: that one is optimal.
  Wide gap() const;
  Wide loss(int64_t length, int64_t value) const { return Wide::product(terms_.price, length) - scaled(value); }

  // Building: the moves of a step exclude each other; moves that lose more than the gap minus `spent` are left out. A stage
  // consists of one or more steps.
  void move(const Move& move, Wide spent);
  void end_step();
  void end_stage();
  // Ends a stage whose steps count only if it is open. The move closes it or, if `opens`, opens it. If a stage is closed
  // at the start, no choice in it gives more value per length than `slope` when it is opened.
  void end_group(const Move& toggle, bool opens, int64_t slope);

  // Looks for a choice better than the best known one; false: there is none. Throws std::length_error if the states
  // would exceed the memory of a usual machine.
  bool search();
  std::vector<Move> moves() const;  // from the start to the best choice, in this order
  int64_t states = 0;               // number of states kept, over all steps

 private:
  // The best rates of moves: value gained per length added, value given up per length freed.
  struct Slopes {
    int64_t up, down;
  };
  struct Step {
    int32_t first, last;  // into moves_
    int64_t near;         // distance between the price of its best move and the price
    Slopes slopes, after;  // of its own moves, and of all later moves
  };
  struct Stage {
    int32_t first, last;  // into steps_
    int32_t toggle;       // into moves_; -1: always open
    bool opens;
    int64_t near;
    Slopes slopes, after;
  };
  struct State {
    int64_t length, value;
    int32_t node;
  };
  // The last move of a state, and the node of the previous state; -1: the start.
  struct Node {
    int32_t before, move;
  };

  static Slopes best(const Slopes& a, const Slopes& b);
  int64_t scaled(int64_t value) const { return value * terms_.scale; }
  Slopes slope(const Move& move) const;
  int64_t nearness(const Slopes& slopes) const;
  template <class Part>
  void sort(std::span<Part> parts) const;
  void arrange();
  void take(const Step& step);
  void take(const Stage& stage);
  bool alive(int64_t length, int64_t value, const Slopes& rest) const;
  void prune(std::vector<State>& states, const Slopes& rest) const;
  void join(std::span<const State> from, int32_t move, const Slopes& rest);
  void forget();

  Terms terms_;
  Total start_, best_;
  int32_t best_node_ = -1;
  std::vector<Move> moves_;
  std::vector<Step> steps_;
  std::vector<Stage> stages_;
  std::vector<State> states_, from_, joined_, aside_;  // sorted by length and value
  std::vector<Node> nodes_;
  size_t nodes_limit_ = size_t{1} << 20;
};

}  // namespace laconic
