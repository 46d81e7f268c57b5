// Which compression of every sentence to take so that a whole document fits a budget (`laconic fit`).
//
// A document has groups (paragraphs, items of lists) of items (sentences), and every item has options (compressions),
// each with a length and a value. An item takes one of its options or none, which has length 0 and value 0; a required
// item must take one. A group of which anything is taken costs its setup (line breaks, a list marker) once. Found is
// the choice with the highest total value whose total length is within the budget, and of several the one with the
// smallest length. Of those with the same value and the same length the first that the search meets is taken; all
// arithmetic is on integers, so that it is the same everywhere.
//
// The problem is a multiple-choice knapsack with setups. It is solved in four steps:
// 1. Options that are no better and no shorter than another are dropped. A group whose setup is 0, or must be paid in any
//    case, is taken apart: each of its items is a unit of its own. So is the only item of a group, with the setup added
//    to its lengths.
// 2. A price per unit of length decides for every unit alone. The lowest price at which the units' choices fit is found
//    by bisection, where the units that choose the same at both ends are settled. At that price no choice is worth more
//    than the units' together, which bounds the value. The length that is left is filled up greedily.
// 3. A large group that is as good open as closed makes the bound weak, as a part of a group is no choice: it is
//    decided both ways, and each way has a price of its own.
// 4. The changes that lose less than what lies between the bound and the choice so far are searched (choose_core.hpp).
// Any price gives a bound, so that rounding it costs time and never the optimum.
//
// The time is about linear in the number of options for real documents. That is no bound: the problem is NP-hard, and
// there are inputs for which step 4 takes as long as a table over all lengths.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "choose_core.hpp"

namespace laconic {

// Group g has the items item_ptr[g]:item_ptr[g + 1], item i the options option_ptr[i]:option_ptr[i + 1]. Nothing is
// negative; a required item has an option.
struct Offers {
  std::span<const int64_t> item_ptr, option_ptr, length, value, setup;
  std::span<const uint8_t> required;
};

class Choose {
 public:
  // The largest lengths of all items with all setups must add up to at most this, and so must the largest values.
  static constexpr int64_t max_total = int64_t{1} << 60;

  // False where even the shortest choice is longer than the budget. Throws std::length_error as Core::search does.
  bool find(const Offers& offers, int64_t budget);

  std::vector<int32_t> options;  // by item: which of its options is taken, -1: none
  Total total;                   // of the choice; if there is none, of the shortest that does without all that it can
  int64_t states = 0;            // that the search has kept

 private:
  // One way to take an item. An item's are sorted: the longer has the higher value. `next` is how many places further
  // the next one on the upper hull is, which are all that a price can make best; 0: there is none.
  struct Option {
    int64_t length, value;
    int32_t index;  // -1: nothing
    int32_t next;
  };
  struct Item {
    int64_t first;   // into all_
    int32_t number;  // in the document
    int32_t pick;    // best at the price, in a group if that is open
  };
  // What is decided together: an item, or a group that may be closed.
  struct Unit {
    int32_t first, last;  // into items_
    int64_t setup;        // 0: an item
    bool open;            // at the price
  };
  // A choice: by item the option, from its first, and by unit whether it is open.
  struct Choice {
    std::vector<int32_t> pick;
    std::vector<uint8_t> open;
    Total total;
  };

  void read(const Offers& offers);
  void add_item(const Offers& offers, int64_t item, int64_t setup);
  void find_hull(int64_t first);
  void find_steps();
  std::span<const Option> options_of(const Item& item) const;
  const Option& picked(const Item& item) const { return all_[item.first + item.pick]; }
  int32_t best_at(const Item& item, int64_t price) const;
  Wide worth(const Unit& unit, int64_t price, Total& total) const;
  int64_t length_at(const Unit& unit, int64_t price) const;
  int64_t length_at(int64_t price) const;
  void find_price();
  void find_exact_price(std::vector<int32_t> turning, int64_t low);
  void settle(Choice& choice);
  void fill_ties(Choice& choice);
  bool fill_up(Choice& choice) const;
  int64_t best_slope(const Unit& unit) const;
  void explore(const Offers& offers, int32_t depth);
  void branch(const Offers& offers, int32_t depth, int32_t unit);
  int32_t weakest(Wide gap) const;
  void search(const Offers& offers, Core& core, Choice& choice);
  void add_moves(Core& core, int32_t item, Wide spent) const;
  void report(const Offers& offers, const Choice& choice);

  std::vector<Option> all_;
  std::vector<Item> items_;
  std::vector<Unit> units_;
  Core::Terms terms_{};
  int64_t least_ = 0;   // length of the shortest choice
  int64_t fixed_ = 0;   // setups that must be paid
  int64_t worth_ = 0;   // value of everything
  bool found_ = false;
};

}  // namespace laconic
