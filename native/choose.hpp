// Which compression of every sentence to take so that a whole document fits a budget (`laconic fit`).
//
// A document has groups (paragraphs, items of lists) of items (sentences), and every item has options (compressions),
// each with a length and a value. For each item, one of its options is taken or none, which has length 0 and value 0;
// for a required item, one must be taken. A group of which anything is taken costs its setup (line breaks, a list
// marker) once. The result is the choice with the highest total value whose total length is within the budget; of
// several, the one with the smallest length; and of those, the first that the search finds. All arithmetic is on
// integers, so the result is the same on every machine.
//
// The problem is a multiple-choice knapsack with setups. It is solved in four steps:
// 1. Options that are dominated by a shorter one of at least equal value are dropped. A group whose setup is 0, or must
//    be paid in any case, is split into its items, each a unit of its own. So is the only item of a group, with the
//    setup added to its lengths.
// 2. Given a price per unit of length, every unit is decided independently. The lowest price at which the units' choices
//    fit is found by bisection, in which units with the same choice at both ends are settled early. No choice can be
//    worth more than the units' choices at that price, which gives an upper bound on the value. The remaining length is
//    filled greedily.
// 3. A large group that is equally good open or closed makes the bound weak, as a part of a group is no valid choice:
//    the search branches on it, with a price for each branch.
// 4. Combinations of changes whose loss is below the gap between the bound and the best choice are searched
//    (choose_core.hpp).
// Any price gives a valid bound, so rounding it costs time but never the optimum.
//
// The time is about linear in the number of options for real documents. There is no guarantee: the problem is NP-hard,
// and on some inputs step 4 takes as long as a table over all lengths.
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
  // The totals of all items' largest lengths plus all setups, and of all items' largest values, may not exceed this.
  static constexpr int64_t max_total = int64_t{1} << 60;

  // Returns false if even the shortest choice is longer than the budget. Throws std::length_error like Core::search.
  bool find(const Offers& offers, int64_t budget);

  std::vector<int32_t> options;  // by item: index of the chosen option, -1: none
  Total total;                   // of the choice; if none fits, of the shortest possible one
  int64_t states = 0;            // number of states kept by the search

 private:
  // One way to take an item. An item's options are sorted by length and value. `next` is the distance to the next option
  // on the upper hull, which has all options that can be best at some price; 0: none.
  struct Option {
    int64_t length, value;
    int32_t index;  // -1: nothing
    int32_t next;
  };
  struct Item {
    int64_t first;   // into all_
    int32_t number;  // in the document
    int32_t pick;    // the best at the price; in a group, if it is open
  };
  // A unit of decision: an item, or a group that may be closed.
  struct Unit {
    int32_t first, last;  // into items_
    int64_t setup;        // 0: an item
    bool open;            // at the price
  };
  // A choice: by item, the index of its option from the first; by unit, whether it is open.
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
