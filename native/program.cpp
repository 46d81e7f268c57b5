#include "program.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "batch_words.hpp"
#include "bits.hpp"

namespace laconic {
namespace {

void demand(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// The types of a step's arguments and of its result: m: mask, n: numbers, -: none.
struct Signature {
  std::string_view arguments;
  char gives;
};

Signature signature(Op op) {
  // clang-format off
  switch (op) {
    case Op::row: case Op::head: case Op::label: case Op::tag: case Op::entity: case Op::entity_start:
    case Op::sentence_start: case Op::lemma: case Op::number:
      return {"", 'n'};
    case Op::add: case Op::subtract: case Op::multiply: case Op::exclusive_or: case Op::shift: case Op::least:
    case Op::take: case Op::concatenate:
      return {"nn", 'n'};
    case Op::where: return {"mnn", 'n'};
    case Op::filter: return {"nm", 'n'};
    case Op::find: case Op::entry: return {"n", 'n'};
    case Op::rows: case Op::last: case Op::coming: case Op::first_below: case Op::last_below: return {"m", 'n'};
    case Op::both: case Op::either: return {"mm", 'm'};
    case Op::invert: case Op::after: case Op::heads: case Op::below: case Op::chained: return {"m", 'm'};
    case Op::less: case Op::equal: return {"nn", 'm'};
    case Op::pick: case Op::best: return {"mn", 'm'};
    case Op::listed: return {"n", 'm'};
    case Op::stays: case Op::not_root: case Op::prefers: case Op::give_mask: return {"m", '-'};
    case Op::needs: case Op::one_of: return {"nn", '-'};
    case Op::give_numbers: return {"n", '-'};
  }
  // clang-format on
  throw std::invalid_argument("no such operation");
}

// Operations that do not depend on words. Loops use spans: with vectors, the compiler must assume that each write may
// change the vector's own pointers.

// Combines the elements of two lists by position; a list of length 1 is combined with every element of the other. Calls
// `start` with the number of results, and with a function that computes the result at a position.
template <class Start, class Function>
void pair(const Numbers& a, const Numbers& b, Start start, Function function) {
  const size_t size = a.size() == 1 ? b.size() : a.size();
  demand(b.size() == size || b.size() == 1, "numbers of different lengths");
  const std::span<const int64_t> left(a), right(b);
  if (right.size() == 1) {
    start(size, [left, one = right[0], function](size_t i) { return function(left[i], one); });
  } else if (left.size() == 1) {
    start(size, [right, one = left[0], function](size_t i) { return function(one, right[i]); });
  } else {
    start(size, [left, right, function](size_t i) { return function(left[i], right[i]); });
  }
}

template <class Function>
void compute(const Numbers& a, const Numbers& b, Numbers& to, Function function) {
  const auto fill = [&to](size_t size, auto at) {
    to.resize(size);
    const std::span<int64_t> out(to);
    for (size_t i = 0; i < size; ++i) out[i] = at(i);
  };
  pair(a, b, fill, function);
}

template <class Function>
void compare(const Numbers& a, const Numbers& b, Bits& to, Function function) {
  pair(a, b, [&to](size_t size, auto at) { to.assign_each(size, at); }, function);
}

template <class Function>
void combine(const Bits& a, const Bits& b, Bits& to, Function function) {
  demand(a.size() == b.size(), "masks of different lengths");
  Bits::combine(a, b, to, function);
}

// Ids have 64 bits, and arithmetic wraps around.
template <class Function>
void mix(const Numbers& a, const Numbers& b, Numbers& to, Function function) {
  compute(a, b, to, [function](int64_t x, int64_t y) {
    return static_cast<int64_t>(function(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
  });
}

void where(const Bits& a, const Numbers& yes, const Numbers& no, Numbers& to) {
  const size_t size = a.size();
  demand((yes.size() == size || yes.size() == 1) && (no.size() == size || no.size() == 1), "numbers of different lengths");
  if (no.size() == 1) {
    to.assign(size, no[0]);
  } else {
    to = no;
  }
  a.for_each([&](size_t i) { to[i] = yes[yes.size() == 1 ? 0 : i]; });
}

template <class Value>
void look_up(const std::vector<Value>& values, const Numbers& at, Numbers& to) {
  to.resize(at.size());
  const std::span<const Value> in(values);
  const std::span<const int64_t> places(at);
  const std::span<int64_t> out(to);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<uint64_t>(places[i]);  // negative numbers become out of range
    out[i] = place < in.size() ? static_cast<int64_t>(in[place]) : -1;
  }
}

void pick(const Bits& a, const Numbers& at, Bits& to) {
  if (a.none()) return to.assign(at.size());
  const std::span<const int64_t> places(at);
  to.assign_each(places.size(), [&](size_t i) {
    const auto place = static_cast<uint64_t>(places[i]);
    return place < a.size() && a[place];
  });
}

void find(const SortedIds& ids, const Numbers& wanted, Numbers& to) {
  to.resize(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) to[i] = ids.find(static_cast<uint64_t>(wanted[i]));
}

void filter(const Numbers& a, const Bits& chosen, Numbers& to) {
  demand(a.size() == chosen.size(), "numbers and mask of different lengths");
  to.clear();
  chosen.for_each([&](size_t i) { to.push_back(a[i]); });
}

void find_rows(const Bits& a, Numbers& to) {
  to.clear();
  a.for_each([&](size_t i) { to.push_back(static_cast<int64_t>(i)); });
}

// For the steps that look up the same numbers in tables: the masks of all these tables, computed in one pass.
class Lookup {
 public:
  void compute(const Numbers& entries, const TablesByEntry& tables) {
    size_ = entries.size();
    const size_t blocks = Bits::blocks_for(size_);
    blocks_.assign(blocks * tables.count, 0);
    for (size_t row = 0; row < size_; ++row) {
      const auto entry = static_cast<uint64_t>(entries[row]);  // negative numbers become out of range
      if (entry >= tables.ptr.size() - 1) continue;
      const uint64_t bit = uint64_t{1} << (row % Bits::in_block);
      for (int64_t i = tables.ptr[entry]; i < tables.ptr[entry + 1]; ++i) {
        blocks_[tables.table[i] * blocks + row / Bits::in_block] |= bit;
      }
    }
    computed_ = true;
  }

  void forget() { computed_ = false; }
  bool computed() const { return computed_; }

  void give(size_t table, Bits& to) const {
    const size_t blocks = Bits::blocks_for(size_);
    to.assign(size_, std::span(blocks_).subspan(table * blocks, blocks));
  }

 private:
  bool computed_ = false;
  size_t size_ = 0;
  std::vector<uint64_t> blocks_;  // by table
};

// The values of steps: masks and numbers by position, and lookups.
struct Store {
  std::vector<Bits> masks;
  std::vector<Numbers> numbers;
  std::vector<Lookup> lookups;
};

void demand_pairs(const Numbers& words, const Numbers& others, int64_t rule, std::vector<Board::Need>& needs) {
  demand(words.size() == others.size(), "rows in pairs");
  for (size_t i = 0; i < words.size(); ++i) needs.push_back({words[i], others[i], static_cast<uint8_t>(rule)});
}

template <class T>
void copy(std::span<const T> column, Numbers& to) {
  to.assign(column.begin(), column.end());
}

}  // namespace

Program::Program(std::vector<Step> steps, const std::vector<std::vector<uint8_t>>& masks, std::vector<std::vector<uint64_t>> ids)
    : steps_(std::move(steps)), to_(steps_.size(), 0), tables_(std::move(ids)) {
  const auto count = static_cast<int32_t>(steps_.size());
  std::vector<int32_t> last_use(count);
  for (int32_t i = 0; i < count; ++i) {
    const Step& step = steps_[i];
    const std::string_view arguments = signature(step.op).arguments;
    const int32_t values[] = {step.a, step.b, step.c};
    last_use[i] = i;
    for (size_t j = 0; j < arguments.size(); ++j) {
      demand(values[j] >= 0 && values[j] < i, "a step takes the values of earlier ones");
      demand(signature(steps_[values[j]].op).gives == arguments[j], "a step takes values of another kind");
      last_use[values[j]] = i;
    }
    const auto number = static_cast<uint64_t>(step.constant);
    if (step.op == Op::listed) demand(number < masks.size(), "no such table");
    if (step.op == Op::find || step.op == Op::entry) demand(number < tables_.size(), "no such ids");
    if (step.op == Op::find && !sorted_.contains(step.constant)) sorted_.emplace(step.constant, SortedIds(tables_[number]));
  }
  join_lookups(masks);
  for (Step& step : steps_) {
    if (step.op == Op::pick) step.c = steps_[step.b].op == Op::head;
  }
  // A value reuses the position of one that is no longer needed, which keeps the working set small.
  std::vector<int32_t> free{0};
  for (int32_t i = 0; i < count; ++i) {
    Step& step = steps_[i];
    const auto [arguments, gives] = signature(step.op);
    if (gives != '-') {
      if (free.empty()) free.push_back(static_cast<int32_t>(places_++));
      to_[i] = free.back();
      free.pop_back();
    }
    std::vector<int32_t> ended;
    int32_t* const values[] = {&step.a, &step.b, &step.c};
    for (size_t j = 0; j < arguments.size(); ++j) {
      if (last_use[*values[j]] == i) ended.push_back(to_[*values[j]]);
      *values[j] = to_[*values[j]];
    }
    if (gives != '-' && last_use[i] == i) ended.push_back(to_[i]);
    std::sort(ended.begin(), ended.end());
    free.insert(free.end(), ended.begin(), std::unique(ended.begin(), ended.end()));
  }
}

// All lookups of the same numbers become one: their tables, by entry.
void Program::join_lookups(const std::vector<std::vector<uint8_t>>& masks) {
  std::map<int32_t, std::vector<size_t>> looked_up;  // by the step that gives the numbers: the steps that look them up
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].op == Op::listed) looked_up[steps_[i].a].push_back(i);
  }
  for (const auto& [_, lookups] : looked_up) {
    size_t entries = 0;
    for (const size_t i : lookups) entries = std::max(entries, masks[steps_[i].constant].size());
    TablesByEntry found;
    found.ptr.push_back(0);
    for (size_t entry = 0; entry < entries; ++entry) {
      for (size_t own = 0; own < lookups.size(); ++own) {
        const std::vector<uint8_t>& mask = masks[steps_[lookups[own]].constant];
        if (entry < mask.size() && mask[entry]) found.table.push_back(static_cast<int32_t>(own));
      }
      found.ptr.push_back(static_cast<int64_t>(found.table.size()));
    }
    found.count = lookups.size();
    for (size_t own = 0; own < lookups.size(); ++own) {
      steps_[lookups[own]].b = static_cast<int32_t>(own);
      steps_[lookups[own]].c = static_cast<int32_t>(lookups_.size());
    }
    lookups_.push_back(std::move(found));
  }
}

Program::Outcome Program::run(const Parses& parses) const {
  const BatchWords words(parses);
  const size_t size = words.size();
  Outcome outcome;
  Board& board = outcome.board;
  board.stays.assign(size, Board::no_rule);
  board.not_root.assign(size, Board::no_rule);
  board.preferred.assign(size, 0);
  static thread_local Store kept;  // from run to run: so many allocations take longer than a sentence
  auto& [m, n, lookups] = kept;
  if (m.size() < places_) m.resize(places_), n.resize(places_);
  if (lookups.size() < lookups_.size()) lookups.resize(lookups_.size());
  for (Lookup& lookup : lookups) lookup.forget();
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto [op, a, b, c, constant] = steps_[i];
    Bits& mask = m[to_[i]];
    Numbers& numbers = n[to_[i]];
    switch (op) {
      case Op::row: words.rows(numbers); break;
      case Op::head: numbers = words.head(); break;
      case Op::label: copy(parses.label, numbers); break;
      case Op::tag: copy(parses.tag, numbers); break;
      case Op::entity: copy(parses.entity, numbers); break;
      case Op::entity_start: copy(parses.entity_start, numbers); break;
      case Op::sentence_start: words.sentence_starts(numbers); break;
      case Op::lemma: copy(parses.lemma, numbers); break;
      case Op::number: numbers.assign(1, constant); break;
      case Op::add: mix(n[a], n[b], numbers, [](uint64_t x, uint64_t y) { return x + y; }); break;
      case Op::subtract: mix(n[a], n[b], numbers, [](uint64_t x, uint64_t y) { return x - y; }); break;
      case Op::multiply: mix(n[a], n[b], numbers, [](uint64_t x, uint64_t y) { return x * y; }); break;
      case Op::exclusive_or: mix(n[a], n[b], numbers, [](uint64_t x, uint64_t y) { return x ^ y; }); break;
      case Op::shift: mix(n[a], n[b], numbers, [](uint64_t x, uint64_t y) { return x >> (y & 63); }); break;
      case Op::least: compute(n[a], n[b], numbers, [](int64_t x, int64_t y) { return std::min(x, y); }); break;
      case Op::where: where(m[a], n[b], n[c], numbers); break;
      case Op::take: look_up(n[a], n[b], numbers); break;
      case Op::filter: filter(n[a], m[b], numbers); break;
      case Op::concatenate:
        numbers = n[a];
        numbers.insert(numbers.end(), n[b].begin(), n[b].end());
        break;
      case Op::find: find(sorted_.at(constant), n[a], numbers); break;
      case Op::entry: look_up(tables_[constant], n[a], numbers); break;
      case Op::rows: find_rows(m[a], numbers); break;
      case Op::last: words.last(m[a], numbers); break;
      case Op::coming: words.coming(m[a], numbers); break;
      case Op::first_below: words.first_below(m[a], numbers); break;
      case Op::last_below: words.last_below(m[a], numbers); break;
      case Op::both: combine(m[a], m[b], mask, [](uint64_t x, uint64_t y) { return x & y; }); break;
      case Op::either: combine(m[a], m[b], mask, [](uint64_t x, uint64_t y) { return x | y; }); break;
      case Op::invert: Bits::invert(m[a], mask); break;
      case Op::less: compare(n[a], n[b], mask, [](int64_t x, int64_t y) { return x < y; }); break;
      case Op::equal: compare(n[a], n[b], mask, [](int64_t x, int64_t y) { return x == y; }); break;
      case Op::pick:
        if (c != 0 && m[a].size() == size) words.with_heads(m[a], mask);
        else pick(m[a], n[b], mask);
        break;
      case Op::listed:
        if (!lookups[c].computed()) lookups[c].compute(n[a], lookups_[c]);
        lookups[c].give(b, mask);
        break;
      case Op::after: words.after(m[a], constant, mask); break;
      case Op::heads: words.heads(m[a], mask); break;
      case Op::best: words.best(m[a], n[b], mask); break;
      case Op::below: words.below(m[a], mask); break;
      case Op::chained: words.chained(m[a], mask); break;
      case Op::stays: words.pin(m[a], constant, board.stays); break;
      case Op::not_root: words.pin(m[a], constant, board.not_root); break;
      case Op::prefers: words.prefer(m[a], board.preferred); break;
      case Op::needs: demand_pairs(n[a], n[b], constant, board.needs); break;
      case Op::one_of: demand_pairs(n[a], n[b], constant, board.choices); break;
      case Op::give_mask: outcome.given.emplace_back(m[a].bytes()); break;
      case Op::give_numbers: outcome.given.emplace_back(n[a]); break;
    }
  }
  return outcome;
}

}  // namespace laconic
