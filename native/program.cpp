#include "program.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

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

// Operations that do not depend on words. Loops use spans, since the compiler must assume that a byte written may belong
// to the vector itself.

// Two lists of numbers, element by element; a list of length 1 is combined with every element of the other.
template <class To, class Function>
void pair(const Numbers& a, const Numbers& b, std::vector<To>& to, Function function) {
  const size_t size = a.size() == 1 ? b.size() : a.size();
  demand(b.size() == size || b.size() == 1, "numbers of different lengths");
  to.resize(size);
  const std::span<const int64_t> left(a), right(b);
  const std::span<To> out(to);
  if (right.size() == 1) {
    const int64_t one = right[0];
    for (size_t i = 0; i < size; ++i) out[i] = function(left[i], one);
  } else if (left.size() == 1) {
    const int64_t one = left[0];
    for (size_t i = 0; i < size; ++i) out[i] = function(one, right[i]);
  } else {
    for (size_t i = 0; i < size; ++i) out[i] = function(left[i], right[i]);
  }
}

template <class Function>
void pair(const Mask& a, const Mask& b, Mask& to, Function function) {
  const size_t size = a.size();
  demand(b.size() == size, "masks of different lengths");
  to.resize(size);
  const std::span<const uint8_t> left(a), right(b);
  const std::span<uint8_t> out(to);
  for (size_t i = 0; i < size; ++i) out[i] = function(left[i], right[i]);
}

// Ids have 64 bits, and arithmetic wraps around.
template <class Function>
void mix(const Numbers& a, const Numbers& b, Numbers& to, Function function) {
  pair(a, b, to, [function](int64_t x, int64_t y) {
    return static_cast<int64_t>(function(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
  });
}

void invert(const Mask& a, Mask& to) {
  to.resize(a.size());
  const std::span<const uint8_t> in(a);
  const std::span<uint8_t> out(to);
  for (size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ 1;
}

void where(const Mask& a, const Numbers& yes, const Numbers& no, Numbers& to) {
  const size_t size = a.size();
  demand((yes.size() == size || yes.size() == 1) && (no.size() == size || no.size() == 1), "numbers of different lengths");
  to.resize(size);
  for (size_t i = 0; i < size; ++i) to[i] = a[i] ? yes[yes.size() == 1 ? 0 : i] : no[no.size() == 1 ? 0 : i];
}

template <class Value, class To>
void look_up(const std::vector<Value>& values, const Numbers& at, std::vector<To>& to, To none) {
  to.resize(at.size());
  const std::span<const Value> in(values);
  const std::span<const int64_t> places(at);
  const std::span<To> out(to);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<uint64_t>(places[i]);  // negative numbers become out of range
    out[i] = place < in.size() ? static_cast<To>(in[place]) : none;
  }
}

void find(const std::vector<uint64_t>& ids, const Numbers& wanted, Numbers& to) {
  to.resize(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto id = static_cast<uint64_t>(wanted[i]);
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    to[i] = at != ids.end() && *at == id ? at - ids.begin() : -1;
  }
}

void filter(const Numbers& a, const Mask& chosen, Numbers& to) {
  demand(a.size() == chosen.size(), "numbers and mask of different lengths");
  to.clear();
  for (size_t i = 0; i < a.size(); ++i) {
    if (chosen[i]) to.push_back(a[i]);
  }
}

void find_rows(const Mask& a, Numbers& to) {
  to.clear();
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i]) to.push_back(static_cast<int64_t>(i));
  }
}

// The words of a batch and their dependencies. Masks have one value for each word.
class Words {
 public:
  explicit Words(const Parses& parses) : parses_(parses), head_(parses.head.size()) {
    for_each_text([&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) head_[row] = first + parses.head[row];
    });
  }

  size_t size() const { return head_.size(); }
  const Numbers& head() const { return head_; }

  void rows(Numbers& to) const {
    to.resize(size());
    for (size_t row = 0; row < size(); ++row) to[row] = static_cast<int64_t>(row);
  }

  void sentence_starts(Numbers& to) const {
    to.assign(parses_.sentence_start.begin(), parses_.sentence_start.end());
    for_each_text([&](int64_t first, int64_t last) {
      if (first < last) to[first] = 1;
    });
  }

  void heads(const Mask& a, Mask& to) const {
    check(a);
    to.assign(size(), 0);
    const std::span<const int64_t> head(head_);
    const std::span<const uint8_t> in(a);
    const std::span<uint8_t> out(to);
    for (size_t row = 0; row < head.size(); ++row) {
      if (in[row]) out[head[row]] = 1;
    }
  }

  // Neighbours are in the same text, so that results do not depend on the other texts of a batch.
  void last(const Mask& a, Numbers& to) const {
    check(a);
    to.resize(size());
    for_each_text([&](int64_t first, int64_t end) {
      int64_t last = -1;
      for (int64_t row = first; row < end; ++row) to[row] = last = a[row] ? row : last;
    });
  }

  void coming(const Mask& a, Numbers& to) const {
    check(a);
    to.resize(size());
    for_each_text([&](int64_t first, int64_t end) {
      int64_t next = -1;
      for (int64_t row = end; row-- > first;) to[row] = next = a[row] ? row : next;
    });
  }

  void after(const Mask& a, int64_t places, Mask& to) const {
    check(a);
    to.assign(size(), 0);
    for_each_text([&](int64_t first, int64_t end) {
      for (int64_t row = std::max(first, first + places); row < std::min(end, end + places); ++row) to[row] = a[row - places];
    });
  }

  void first_below(const Mask& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    for (size_t row = size(); row-- > 0;) {
      if (a[row]) to[head_[row]] = static_cast<int64_t>(row);
    }
  }

  void last_below(const Mask& a, Numbers& to) const {
    check(a);
    to.assign(size(), -1);
    for (size_t row = 0; row < size(); ++row) {
      if (a[row]) to[head_[row]] = static_cast<int64_t>(row);
    }
  }

  void best(const Mask& a, const Numbers& weight, Mask& to) const {
    check(a), check(weight);
    Numbers chosen(size(), -1);
    for (size_t row = 0; row < size(); ++row) {
      int64_t& own = chosen[head_[row]];
      if (a[row] && (own < 0 || weight[row] > weight[own])) own = static_cast<int64_t>(row);
    }
    to.assign(size(), 0);
    for (const int64_t row : chosen) {
      if (row >= 0) to[row] = 1;
    }
  }

  void below(const Mask& a, Mask& to) const {
    check(a);
    to.assign(size(), 0);
    for (bool more = true; more;) {
      more = false;
      for (size_t row = 0; row < size(); ++row) {
        const auto head = static_cast<size_t>(head_[row]);
        if (to[row] || head == row || !(a[head] || to[head])) continue;
        to[row] = 1;
        more = true;
      }
    }
  }

  void chained(const Mask& a, Mask& to) const {
    check(a);
    to = a;
    for (bool more = true; more;) {
      more = false;
      for (size_t row = 0; row < size(); ++row) {
        if (!to[row] || to[head_[row]]) continue;
        to[row] = 0;
        more = true;
      }
    }
  }

  void pin(const Mask& a, int64_t rule, std::vector<uint8_t>& pins) const {
    check(a);
    for (size_t row = 0; row < size(); ++row) {
      if (a[row] && pins[row] == Board::no_rule) pins[row] = static_cast<uint8_t>(rule);
    }
  }

 private:
  template <class Values>
  void check(const Values& values) const {
    demand(values.size() == size(), "not one value for each word");
  }

  template <class Function>
  void for_each_text(Function function) const {
    for (size_t text = 0; text + 1 < parses_.token_ptr.size(); ++text)
      function(parses_.token_ptr[text], parses_.token_ptr[text + 1]);
  }

  const Parses& parses_;
  Numbers head_;  // as rows of the batch
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

Program::Program(std::vector<Step> steps, std::vector<Mask> tables, std::vector<std::vector<uint64_t>> ids)
    : steps_(std::move(steps)), to_(steps_.size(), 0), tables_(std::move(tables)), ids_(std::move(ids)) {
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
    if (step.op == Op::listed) demand(number < tables_.size(), "no such table");
    if (step.op == Op::find || step.op == Op::entry) demand(number < ids_.size(), "no such ids");
    if (step.op == Op::find) demand(std::is_sorted(ids_[number].begin(), ids_[number].end()), "ids must be sorted");
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

Program::Outcome Program::run(const Parses& parses) const {
  const Words words(parses);
  Outcome outcome{{Mask(words.size(), Board::no_rule), Mask(words.size(), Board::no_rule), Mask(words.size(), 0), {}, {}}, {}};
  Board& board = outcome.board;
  std::vector<Mask> m(places_);
  std::vector<Numbers> n(places_);
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto [op, a, b, c, constant] = steps_[i];
    Mask& mask = m[to_[i]];
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
      case Op::least: pair(n[a], n[b], numbers, [](int64_t x, int64_t y) { return std::min(x, y); }); break;
      case Op::where: where(m[a], n[b], n[c], numbers); break;
      case Op::take: look_up(n[a], n[b], numbers, int64_t{-1}); break;
      case Op::filter: filter(n[a], m[b], numbers); break;
      case Op::concatenate:
        numbers = n[a];
        numbers.insert(numbers.end(), n[b].begin(), n[b].end());
        break;
      case Op::find: find(ids_[constant], n[a], numbers); break;
      case Op::entry: look_up(ids_[constant], n[a], numbers, int64_t{-1}); break;
      case Op::rows: find_rows(m[a], numbers); break;
      case Op::last: words.last(m[a], numbers); break;
      case Op::coming: words.coming(m[a], numbers); break;
      case Op::first_below: words.first_below(m[a], numbers); break;
      case Op::last_below: words.last_below(m[a], numbers); break;
      case Op::both: pair(m[a], m[b], mask, [](uint8_t x, uint8_t y) { return x & y; }); break;
      case Op::either: pair(m[a], m[b], mask, [](uint8_t x, uint8_t y) { return x | y; }); break;
      case Op::invert: invert(m[a], mask); break;
      case Op::less: pair(n[a], n[b], mask, [](int64_t x, int64_t y) { return x < y; }); break;
      case Op::equal: pair(n[a], n[b], mask, [](int64_t x, int64_t y) { return x == y; }); break;
      case Op::pick: look_up(m[a], n[b], mask, uint8_t{0}); break;
      case Op::listed: look_up(tables_[constant], n[a], mask, uint8_t{0}); break;
      case Op::after: words.after(m[a], constant, mask); break;
      case Op::heads: words.heads(m[a], mask); break;
      case Op::best: words.best(m[a], n[b], mask); break;
      case Op::below: words.below(m[a], mask); break;
      case Op::chained: words.chained(m[a], mask); break;
      case Op::stays: words.pin(m[a], constant, board.stays); break;
      case Op::not_root: words.pin(m[a], constant, board.not_root); break;
      case Op::prefers: pair(board.preferred, m[a], board.preferred, [](uint8_t x, uint8_t y) { return x | y; }); break;
      case Op::needs: demand_pairs(n[a], n[b], constant, board.needs); break;
      case Op::one_of: demand_pairs(n[a], n[b], constant, board.choices); break;
      case Op::give_mask: outcome.given.emplace_back(m[a]); break;
      case Op::give_numbers: outcome.given.emplace_back(n[a]); break;
    }
  }
  return outcome;
}

}  // namespace laconic
