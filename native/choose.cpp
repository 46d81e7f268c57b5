#include "choose.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "interrupt.hpp"

namespace laconic {
namespace {

// The number of price units per unit of value, such that totals stay below 2^61.
int64_t finest(int64_t worth) {
  return int64_t{1} << std::min(32, 61 - static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(worth))));
}

}  // namespace

bool Choose::find(const Offers& offers, int64_t budget) {
  read(offers);
  total = {least_ + fixed_, 0};
  states = 0;
  found_ = false;
  if (least_ + fixed_ > budget) return false;
  find_steps();
  // Remaining lengths are multiples of the step, so the budget can be rounded down to what can be used.
  const int64_t most = std::min(budget, max_total) - fixed_ - least_;
  terms_.budget = least_ + most / terms_.length_step * terms_.length_step;
  explore(offers, 0);
  return true;
}

// Looks for a choice better than the best one so far, for the current units.
void Choose::explore(const Offers& offers, int32_t depth) {
  constexpr int32_t passes = 4, max_depth = 12;  // more passes find little, and the search finds it too
  find_price();
  Choice choice;
  settle(choice);
  // At price 0, everything with a value is taken.
  if (terms_.price == 0) return report(offers, choice);
  fill_ties(choice);
  const Choice start = choice;
  for (int32_t pass = 0; pass < passes && fill_up(choice); ++pass) {
  }
  report(offers, choice);
  Core core(terms_, start.total, {total.length - fixed_, total.value});
  if (core.gap() < 0) return;
  const int32_t weak = depth < max_depth ? weakest(core.gap()) : -1;
  if (weak >= 0) return branch(offers, depth, weak);
  choice = start;
  search(offers, core, choice);
}

// The largest group of more than a few items whose open and closed states are about equally good; -1: none.
int32_t Choose::weakest(Wide gap) const {
  constexpr int32_t few = 32;
  int32_t found = -1;
  int64_t longest = 0;
  for (int32_t u = 0; u < static_cast<int32_t>(units_.size()); ++u) {
    const Unit& unit = units_[u];
    if (unit.setup == 0 || unit.last - unit.first <= few) continue;
    Total total;
    const Wide worth_open = worth(unit, terms_.price, total);
    if (worth_open > gap || -worth_open > gap || total.length <= longest) continue;
    const auto taken = std::count_if(items_.begin() + unit.first, items_.begin() + unit.last,
                                     [&](const Item& item) { return picked(item).length > 0; });
    if (taken <= few) continue;
    found = u;
    longest = total.length;
  }
  return found;
}

void Choose::branch(const Offers& offers, int32_t depth, int32_t unit) {
  const std::vector<Unit> units = units_;
  const Core::Terms terms = terms_;
  const Unit group = units_[unit];
  units_.erase(units_.begin() + unit);
  const std::vector<Unit> closed = units_;
  if (group.setup <= terms_.budget - least_) {
    for (int32_t i = group.first; i < group.last; ++i) units_.push_back({i, i + 1, 0, true});
    fixed_ += group.setup;
    terms_.budget -= group.setup;
    explore(offers, depth + 1);
    fixed_ -= group.setup;
  }
  units_ = closed;
  terms_ = terms;
  explore(offers, depth + 1);
  units_ = units;
}

void Choose::read(const Offers& offers) {
  all_.clear();
  items_.clear();
  units_.clear();
  least_ = fixed_ = worth_ = 0;
  for (size_t g = 0; g + 1 < offers.item_ptr.size(); ++g) {
    const int64_t first = offers.item_ptr[g], last = offers.item_ptr[g + 1], setup = offers.setup[g];
    const bool must = std::any_of(offers.required.begin() + first, offers.required.begin() + last,
                                  [](uint8_t required) { return required != 0; });
    if (must) fixed_ += setup;
    const bool apart = must || setup == 0 || last - first == 1;
    const auto begin = static_cast<int32_t>(items_.size());
    for (int64_t i = first; i < last; ++i) {
      add_item(offers, i, must || !apart ? 0 : setup);
      const auto end = static_cast<int32_t>(items_.size());
      if (apart) units_.push_back({end - 1, end, 0, true});
    }
    if (!apart && first < last) units_.push_back({begin, static_cast<int32_t>(items_.size()), setup, false});
  }
  items_.push_back({static_cast<int64_t>(all_.size()), -1, 0});  // a sentinel: the end of the last item's options
}

void Choose::add_item(const Offers& offers, int64_t item, int64_t setup) {
  const auto first = static_cast<int64_t>(all_.size());
  const int64_t begin = offers.option_ptr[item], end = offers.option_ptr[item + 1];
  if (!offers.required[item]) all_.push_back({0, 0, -1, 0});
  for (int64_t o = begin; o < end; ++o) {
    all_.push_back({offers.length[o] + setup, offers.value[o], static_cast<int32_t>(o - begin), 0});
  }
  const auto shorter = [](const Option& a, const Option& b) {
    if (a.length != b.length) return a.length < b.length;
    return a.value != b.value ? a.value > b.value : a.index < b.index;
  };
  std::sort(all_.begin() + first, all_.end(), shorter);
  auto kept = static_cast<size_t>(first) + 1;
  for (size_t o = kept; o < all_.size(); ++o) {
    if (all_[o].value > all_[kept - 1].value) all_[kept++] = all_[o];
  }
  all_.resize(kept);
  find_hull(first);
  items_.push_back({first, static_cast<int32_t>(item), 0});
  least_ += all_[first].length;
  worth_ += all_.back().value;
}

void Choose::find_hull(int64_t first) {
  const auto steeper = [&](int64_t a, int64_t b, int64_t c) {  // the slope from a to b exceeds that from b to c
    return Wide::product(all_[b].value - all_[a].value, all_[c].length - all_[b].length) >
           Wide::product(all_[c].value - all_[b].value, all_[b].length - all_[a].length);
  };
  // From right to left, so that the stack is the hull itself.
  const auto last = static_cast<int64_t>(all_.size()) - 1;
  for (int64_t o = last - 1; o >= first; --o) {
    int64_t next = o + 1;
    while (all_[next].next > 0 && !steeper(o, next, next + all_[next].next)) next += all_[next].next;
    all_[o].next = static_cast<int32_t>(next - o);
  }
}

std::span<const Choose::Option> Choose::options_of(const Item& item) const {
  return {all_.data() + item.first, static_cast<size_t>((&item)[1].first - item.first)};
}

// Finds the common divisors of all lengths, and of all values, apart from what every choice contains.
void Choose::find_steps() {
  int64_t length = 0, value = 0;
  for (const Unit& unit : units_) {
    length = std::gcd(length, unit.setup);
    for (int32_t i = unit.first; i < unit.last; ++i) {
      const auto own = options_of(items_[i]);
      // The zero-length value of a group's items is either in the total or not.
      if (unit.setup > 0) value = std::gcd(value, own[0].value);
      for (size_t o = 1; o < own.size() && (length != 1 || value != 1); ++o) {
        length = std::gcd(length, own[o].length - own[o - 1].length);
        value = std::gcd(value, own[o].value - own[o - 1].value);
      }
    }
  }
  terms_.length_step = std::max<int64_t>(length, 1);
  terms_.value_step = std::max<int64_t>(value, 1);
}

// The best option of an item at a price; of several, the shortest.
int32_t Choose::best_at(const Item& item, int64_t price) const {
  const Option* option = all_.data() + item.first;
  while (option->next > 0) {
    const Option* next = option + option->next;
    if (Wide{(next->value - option->value) * terms_.scale} <= Wide::product(price, next->length - option->length)) break;
    option = next;
  }
  return static_cast<int32_t>(option - (all_.data() + item.first));
}

// The value of an open unit at a price, after the cost of its length, and its total.
Wide Choose::worth(const Unit& unit, int64_t price, Total& total) const {
  count_steps(unit.last - unit.first);
  total = {unit.setup, 0};
  for (int32_t i = unit.first; i < unit.last; ++i) {
    const Option& best = all_[items_[i].first + best_at(items_[i], price)];
    total.length += best.length;
    total.value += best.value;
  }
  return Wide{total.value * terms_.scale} - Wide::product(price, total.length);
}

int64_t Choose::length_at(const Unit& unit, int64_t price) const {
  Total total;
  return worth(unit, price, total) > 0 || unit.setup == 0 ? total.length : 0;
}

int64_t Choose::length_at(int64_t price) const {
  int64_t length = 0;
  for (const Unit& unit : units_) length += length_at(unit, price);
  return length;
}

// Finds the lowest price at which the units' own choices fit.
void Choose::find_price() {
  struct Open {
    int32_t unit;
    int64_t low, middle, high;  // lengths at the lowest, the current and the highest price
  };
  terms_.scale = finest(worth_);
  terms_.price = 0;
  std::vector<Open> open(units_.size());
  int64_t settled = 0, longest = 0;
  for (size_t u = 0; u < units_.size(); ++u) {
    open[u] = {static_cast<int32_t>(u), length_at(units_[u], 0), 0, -1};
    longest += open[u].low;
  }
  if (longest <= terms_.budget) return;
  // At the highest price, nothing with a length is taken. Starts with the average value per length and widens the range
  // from there, since each bisection step over the full range would examine all units.
  int64_t low = 0, high = worth_ * terms_.scale + 1;
  int64_t guess = worth_ * terms_.scale / longest;
  bool bounded = false;
  while (high - low > 1) {
    const int64_t price = bounded ? low + (high - low) / 2 : std::clamp(guess, low + 1, high - 1);
    int64_t length = settled;
    for (Open& unit : open) length += unit.middle = length_at(units_[unit.unit], price);
    const bool fits = length <= terms_.budget;
    bounded = bounded || (fits ? low > 0 : open[0].high >= 0);
    (fits ? high : low) = price;
    guess = fits ? price / 4 : std::min(price, high / 4) * 4;
    for (Open& unit : open) (fits ? unit.high : unit.low) = unit.middle;
    // Lengths decrease with the price: if they are equal at both ends, they are so in between.
    std::erase_if(open, [&](const Open& unit) {
      if (unit.low == unit.high) settled += unit.low;
      return unit.low == unit.high;
    });
  }
  terms_.price = high;
  std::vector<int32_t> turning;
  for (const Open& unit : open) turning.push_back(unit.unit);
  find_exact_price(std::move(turning), low);
}

// Refines the price, known up to two neighbouring integers, to the exact fraction. That matters if many units change at
// the same price, as they do if all values are lengths.
void Choose::find_exact_price(std::vector<int32_t> turning, int64_t low) {
  struct Turn {
    Total by;
    int32_t unit;
  };
  std::vector<Turn> turns;
  int64_t length = length_at(terms_.price);
  for (const int32_t u : turning) {
    Total less, more;
    const Unit& unit = units_[u];
    if (worth(unit, terms_.price, less) <= 0 && unit.setup > 0) less = {};
    if (worth(unit, low, more) <= 0 && unit.setup > 0) more = {};
    if (more.length > less.length) turns.push_back({{more.length - less.length, more.value - less.value}, u});
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    const Wide left = Wide::product(a.by.value, b.by.length), right = Wide::product(b.by.value, a.by.length);
    return left != right ? left > right : a.unit < b.unit;
  });
  for (const Turn& turn : turns) {
    length += turn.by.length;
    if (length <= terms_.budget) continue;
    const int64_t common = std::gcd(turn.by.length, turn.by.value), unit = turn.by.length / common;
    if (unit > finest(worth_)) return;
    const Core::Terms rounded = terms_;
    const int64_t times = finest(worth_) / unit;
    terms_.scale = unit * times;
    terms_.price = turn.by.value / common * times;
    if (length_at(terms_.price) > terms_.budget) terms_ = rounded;
    return;
  }
}

// The units' own choices at the price.
void Choose::settle(Choice& choice) {
  choice.pick.assign(items_.size(), 0);
  choice.open.clear();
  choice.total = {};
  for (Unit& unit : units_) {
    Total total;
    unit.open = worth(unit, terms_.price, total) > 0 || unit.setup == 0;
    choice.open.push_back(unit.open);
    for (int32_t i = unit.first; i < unit.last; ++i) {
      choice.pick[i] = items_[i].pick = best_at(items_[i], terms_.price);
    }
    if (!unit.open) continue;
    choice.total.length += total.length;
    choice.total.value += total.value;
  }
}

// Takes longer options of equal merit at the price as long as they fit. The choice remains the best at the price.
void Choose::fill_ties(Choice& choice) {
  const auto fits = [&](int64_t length, int64_t value) {
    if (Wide{value * terms_.scale} != Wide::product(terms_.price, length)) return false;
    if (length > terms_.budget - choice.total.length) return false;
    choice.total.length += length;
    choice.total.value += value;
    return true;
  };
  for (size_t u = 0; u < units_.size(); ++u) {
    Unit& unit = units_[u];
    if (!unit.open) {
      Total total;
      worth(unit, terms_.price, total);
      choice.open[u] = unit.open = fits(total.length, total.value);
    }
    for (int32_t i = unit.first; i < unit.last && unit.open; ++i) {
      const Option& now = picked(items_[i]);
      const Option& next = *(&now + now.next);
      if (now.next > 0 && fits(next.length - now.length, next.value - now.value)) {
        choice.pick[i] = items_[i].pick += now.next;
      }
    }
  }
}

// Makes the single change that adds the most value within the budget; returns false if there is none.
bool Choose::fill_up(Choice& choice) const {
  const int64_t room = terms_.budget - choice.total.length;
  Total best;
  int32_t best_unit = -1, best_item = -1, best_pick = 0;
  const auto offer = [&](Total change, int32_t unit, int32_t item, int32_t pick) {
    if (change.length > room || change.value < best.value) return;
    if (change.value == best.value && (best_unit < 0 || change.length >= best.length)) return;
    best = change;
    best_unit = unit;
    best_item = item;
    best_pick = pick;
  };
  for (int32_t u = 0; u < static_cast<int32_t>(units_.size()); ++u) {
    const Unit& unit = units_[u];
    const bool open = choice.open[u];
    Total before{open ? 0 : unit.setup, 0}, all = before;
    if (!open) {
      for (int32_t i = unit.first; i < unit.last; ++i) {
        all.length += picked(items_[i]).length;
        all.value += picked(items_[i]).value;
        before.value += all_[items_[i].first].value;  // costs no length
      }
      offer(all, u, -1, 0);
    }
    for (int32_t i = unit.first; i < unit.last; ++i) {
      const auto own = options_of(items_[i]);
      const size_t at = open ? choice.pick[i] : 0;
      if (at + 1 == own.size() || own[at + 1].length - own[at].length + before.length > room) continue;
      const auto past = std::upper_bound(own.begin() + static_cast<ptrdiff_t>(at) + 1, own.end(),
                                         room - before.length + own[at].length,
                                         [](int64_t length, const Option& option) { return length < option.length; });
      const Option& option = *(past - 1);
      offer({before.length + option.length - own[at].length, before.value + option.value - own[at].value}, u, i,
            static_cast<int32_t>(past - 1 - own.begin()));
    }
  }
  if (best_unit < 0) return false;
  const Unit& unit = units_[best_unit];
  if (!choice.open[best_unit]) {
    for (int32_t i = unit.first; i < unit.last; ++i) choice.pick[i] = best_item < 0 ? items_[i].pick : 0;
  }
  choice.open[best_unit] = 1;
  if (best_item >= 0) choice.pick[best_item] = best_pick;
  choice.total.length += best.length;
  choice.total.value += best.value;
  return true;
}

// The highest value per length that a group can have, as a price: the ratio of the best choice at each price is the next
// price, until it does not increase (Dinkelbach 1967).
int64_t Choose::best_slope(const Unit& unit) const {
  int64_t price = 0;
  for (Total total; worth(unit, price, total) > 0;) {
    price = ((total.value * terms_.scale) + total.length - 1) / total.length;
  }
  return std::min(price, terms_.price);
}

void Choose::add_moves(Core& core, int32_t item, Wide spent) const {
  const Option& now = picked(items_[item]);
  const auto own = options_of(items_[item]);
  for (size_t o = 0; o < own.size(); ++o) {
    if (static_cast<int32_t>(o) == items_[item].pick) continue;
    core.move({own[o].length - now.length, own[o].value - now.value, item, static_cast<int32_t>(o)}, spent);
  }
  core.end_step();
}

// Builds the core of changes that may pay off, and searches it.
void Choose::search(const Offers& offers, Core& core, Choice& choice) {
  for (int32_t u = 0; u < static_cast<int32_t>(units_.size()); ++u) {
    const Unit& unit = units_[u];
    Total total{unit.setup, 0};
    for (int32_t i = unit.first; i < unit.last; ++i) {
      total.length += picked(items_[i]).length;
      total.value += picked(items_[i]).value;
    }
    const Wide closing = -core.loss(total.length, total.value), toggling = closing < 0 ? -closing : closing;
    const bool settled = unit.setup == 0 || toggling > core.gap();
    if (settled && !unit.open) continue;
    for (int32_t i = unit.first; i < unit.last; ++i) {
      add_moves(core, i, unit.open ? 0 : toggling);
      if (settled) core.end_stage();
    }
    if (settled) continue;
    if (unit.open) {
      core.end_group({-total.length, -total.value, u, -1}, false, 0);
    } else {
      core.end_group({total.length, total.value, u, -1}, true, best_slope(unit));
    }
  }
  const bool better = core.search();
  states += core.states;
  if (!better) return;
  for (const Core::Move& move : core.moves()) {
    if (move.option >= 0) {
      choice.pick[move.place] = move.option;
    } else {
      choice.open[move.place] ^= 1;
    }
  }
  report(offers, choice);
}

// Stores a choice if it is better than the best one so far.
void Choose::report(const Offers& offers, const Choice& choice) {
  std::vector<int32_t> taken(offers.required.size(), -1);
  Total sum;
  for (size_t u = 0; u < units_.size(); ++u) {
    if (!choice.open[u]) continue;
    for (int32_t i = units_[u].first; i < units_[u].last; ++i) {
      taken[items_[i].number] = all_[items_[i].first + choice.pick[i]].index;
    }
  }
  for (size_t g = 0; g + 1 < offers.item_ptr.size(); ++g) {
    bool any = false;
    for (int64_t i = offers.item_ptr[g]; i < offers.item_ptr[g + 1]; ++i) {
      if (taken[i] < 0) continue;
      any = true;
      sum.length += offers.length[offers.option_ptr[i] + taken[i]];
      sum.value += offers.value[offers.option_ptr[i] + taken[i]];
    }
    if (any) sum.length += offers.setup[g];
  }
  if (found_ && (sum.value < total.value || (sum.value == total.value && sum.length >= total.length))) return;
  found_ = true;
  total = sum;
  options = std::move(taken);
}

}  // namespace laconic
