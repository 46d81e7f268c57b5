#include "program.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace laconic {
namespace {

void demand(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// Two lists of numbers side by side; one of length 1 goes with every entry of the other.
template <class To, class Function>
void pair(const Numbers& a, const Numbers& b, std::vector<To>& to, Function function) {
  const size_t size = a.size() == 1 ? b.size() : a.size();
  demand(b.size() == size || b.size() == 1, "numbers of different lengths");
  to.resize(size);
  if (b.size() == 1) {
    for (size_t i = 0; i < size; ++i) to[i] = function(a[i], b[0]);
  } else if (a.size() == 1) {
    for (size_t i = 0; i < size; ++i) to[i] = function(a[0], b[i]);
  } else {
    for (size_t i = 0; i < size; ++i) to[i] = function(a[i], b[i]);
  }
}

template <class Function>
void pair(const Mask& a, const Mask& b, Mask& to, Function function) {
  demand(a.size() == b.size(), "masks of different lengths");
  to.resize(a.size());
  for (size_t i = 0; i < a.size(); ++i) to[i] = function(a[i], b[i]);
}

// What is looked up by number.
template <class Value, class To>
void look_up(std::span<const Value> values, const Numbers& at, std::vector<To>& to, To none) {
  to.resize(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    const auto place = static_cast<uint64_t>(at[i]);  // what is negative is out of range, too
    to[i] = place < values.size() ? static_cast<To>(values[place]) : none;
  }
}

// A run of a program. The values of steps are in places, which later values take over.
class Run {
 public:
  Run(const Parses& parses, size_t places) : parses_(parses), masks_(places), numbers_(places), tokens_(parses.head.size()), head_(tokens_) {
    for (size_t text = 0; text + 1 < parses.token_ptr.size(); ++text) {
      for (int64_t row = parses.token_ptr[text]; row < parses.token_ptr[text + 1]; ++row) {
        head_[row] = parses.token_ptr[text] + parses.head[row];
      }
    }
    outcome.board = {Mask(tokens_, Board::no_rule), Mask(tokens_, Board::no_rule), Mask(tokens_, 0), {}};
  }

  Mask& mask(int32_t place) { return masks_[place]; }
  Numbers& numbers(int32_t place) { return numbers_[place]; }

  template <class T>
  void column(std::span<const T> values, Numbers& to) const {
    to.assign(values.begin(), values.end());
  }

  void sentence_starts(Numbers& to) const {
    to.assign(parses_.sentence_start.begin(), parses_.sentence_start.end());
    for (size_t text = 0; text + 1 < parses_.token_ptr.size(); ++text) {
      if (parses_.token_ptr[text] < parses_.token_ptr[text + 1]) to[parses_.token_ptr[text]] = 1;
    }
  }

  void heads(const Mask& a, Mask& to) const {
    to.assign(tokens_, 0);
    for (size_t row = 0; row < tokens_; ++row) to[head_[row]] |= a[row];
  }

  // Of those that hang on the same word, that with the greatest weight; of equals the first.
  void best(const Mask& a, const Numbers& weight, Mask& to) const {
    Numbers chosen(tokens_, -1);
    for (size_t row = 0; row < tokens_; ++row) {
      int64_t& own = chosen[head_[row]];
      if (a[row] && (own < 0 || weight[row] > weight[own])) own = row;
    }
    to.assign(tokens_, 0);
    for (const int64_t row : chosen) {
      if (row >= 0) to[row] = 1;
    }
  }

  void below(const Mask& a, Mask& to) const {
    to.assign(tokens_, 0);
    for (bool more = true; more;) {
      more = false;
      for (size_t row = 0; row < tokens_; ++row) {
        const int64_t head = head_[row];
        if (to[row] || head == static_cast<int64_t>(row) || !(a[head] || to[head])) continue;
        more = (to[row] = true);
      }
    }
  }

  // Those of the words that have only such words above them.
  void chained(const Mask& a, Mask& to) const {
    to = a;
    for (bool more = true; more;) {
      more = false;
      for (size_t row = 0; row < tokens_; ++row) {
        if (!to[row] || to[head_[row]]) continue;
        to[row] = false;
        more = true;
      }
    }
  }

  void after(const Mask& a, int64_t places, Mask& to) const {
    const auto size = static_cast<int64_t>(a.size());
    to.assign(a.size(), 0);
    for (int64_t row = std::max<int64_t>(0, places); row < std::min(size, size + places); ++row) to[row] = a[row - places];
  }

  const Numbers& head() const { return head_; }
  size_t tokens() const { return tokens_; }
  const Parses& parses() const { return parses_; }

  Program::Outcome outcome;

 private:
  const Parses& parses_;
  std::vector<Mask> masks_;
  std::vector<Numbers> numbers_;
  size_t tokens_;
  Numbers head_;
};

}  // namespace

Program::Signature Program::signature(Op op) {
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
    case Op::stays: case Op::not_root: case Op::prefers: return {"m", '-'};
    case Op::needs: return {"nn", '-'};
    case Op::give: return {"?", '-'};
  }
  throw std::invalid_argument("no such operation");
}

Program::Program(std::vector<Step> steps, std::vector<Mask> tables, std::vector<std::vector<uint64_t>> ids)
    : steps_(std::move(steps)), tables_(std::move(tables)), ids_(std::move(ids)), place_(steps_.size(), -1) {
  const auto count = static_cast<int32_t>(steps_.size());
  std::vector<int32_t> last_use(count);
  for (int32_t i = 0; i < count; ++i) {
    const Step& step = steps_[i];
    const auto [arguments, gives] = signature(step.op);
    const int32_t given[] = {step.a, step.b, step.c};
    last_use[i] = i;
    for (size_t j = 0; j < arguments.size(); ++j) {
      demand(given[j] >= 0 && given[j] < i, "a step takes the values of earlier ones");
      const char kind = signature(steps_[given[j]].op).gives;
      demand(arguments[j] == '?' ? kind != '-' : kind == arguments[j], "a step takes values of another kind");
      last_use[given[j]] = i;
      if (step.op == Op::give) given_.push_back(kind);
    }
    if (step.op == Op::listed) demand(step.constant >= 0 && static_cast<size_t>(step.constant) < tables_.size(), "no such table");
    if (step.op == Op::find || step.op == Op::entry) {
      demand(step.constant >= 0 && static_cast<size_t>(step.constant) < ids_.size(), "no such ids");
      const auto& own = ids_[step.constant];
      demand(step.op == Op::entry || std::is_sorted(own.begin(), own.end()), "ids must be sorted");
    }
  }
  std::vector<int32_t> free;
  for (int32_t i = 0; i < count; ++i) {
    const auto [arguments, gives] = signature(steps_[i].op);
    if (gives != '-') {
      if (free.empty()) free.push_back(static_cast<int32_t>(places_++));
      place_[i] = free.back();
      free.pop_back();
      if (last_use[i] == i) free.push_back(place_[i]);  // nobody needs it
    }
    const int32_t given[] = {steps_[i].a, steps_[i].b, steps_[i].c};
    for (size_t j = 0; j < arguments.size(); ++j) {
      const bool again = std::find(given, given + j, given[j]) != given + j;
      if (last_use[given[j]] == i && !again) free.push_back(place_[given[j]]);
    }
  }
}

Program::Outcome Program::run(const Parses& parses) const {
  Run run(parses, places_);
  Board& board = run.outcome.board;
  const auto tokens = static_cast<int64_t>(run.tokens());
  const auto wrapped = [](auto function) {  // ids are 64 bits and wrap around
    return [function](int64_t x, int64_t y) {
      return static_cast<int64_t>(function(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
    };
  };
  const auto by_token = [&](const auto& values) { demand(values.size() == run.tokens(), "one value for each token"); };
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const auto [arguments, gives] = signature(step.op);
    const auto place = [&](size_t number, int32_t value) { return number < arguments.size() ? place_[value] : 0; };
    const int32_t a = place(0, step.a), b = place(1, step.b), c = place(2, step.c);
    Mask& mask = run.mask(std::max(place_[i], 0));
    Numbers& numbers = run.numbers(std::max(place_[i], 0));
    switch (step.op) {
      case Op::row:
        numbers.resize(tokens);
        for (int64_t row = 0; row < tokens; ++row) numbers[row] = row;
        break;
      case Op::head: numbers = run.head(); break;
      case Op::label: run.column(parses.label, numbers); break;
      case Op::tag: run.column(parses.tag, numbers); break;
      case Op::entity: run.column(parses.entity, numbers); break;
      case Op::entity_start: run.column(parses.entity_start, numbers); break;
      case Op::sentence_start: run.sentence_starts(numbers); break;
      case Op::lemma: run.column(parses.lemma, numbers); break;
      case Op::number: numbers.assign(1, step.constant); break;
      case Op::add: pair(run.numbers(a), run.numbers(b), numbers, wrapped([](uint64_t x, uint64_t y) { return x + y; })); break;
      case Op::subtract: pair(run.numbers(a), run.numbers(b), numbers, wrapped([](uint64_t x, uint64_t y) { return x - y; })); break;
      case Op::multiply: pair(run.numbers(a), run.numbers(b), numbers, wrapped([](uint64_t x, uint64_t y) { return x * y; })); break;
      case Op::exclusive_or: pair(run.numbers(a), run.numbers(b), numbers, wrapped([](uint64_t x, uint64_t y) { return x ^ y; })); break;
      case Op::shift: pair(run.numbers(a), run.numbers(b), numbers, wrapped([](uint64_t x, uint64_t y) { return x >> (y & 63); })); break;
      case Op::least: pair(run.numbers(a), run.numbers(b), numbers, [](int64_t x, int64_t y) { return std::min(x, y); }); break;
      case Op::where: {
        const Mask& chosen = run.mask(a);
        const Numbers &yes = run.numbers(b), &no = run.numbers(c);
        const size_t size = chosen.size();
        demand((yes.size() == size || yes.size() == 1) && (no.size() == size || no.size() == 1), "numbers of different lengths");
        numbers.resize(size);
        for (size_t j = 0; j < size; ++j) {
          numbers[j] = chosen[j] ? yes[yes.size() == 1 ? 0 : j] : no[no.size() == 1 ? 0 : j];
        }
        break;
      }
      case Op::take: look_up(std::span<const int64_t>(run.numbers(a)), run.numbers(b), numbers, int64_t{-1}); break;
      case Op::filter: {
        const Numbers& all = run.numbers(a);
        const Mask& chosen = run.mask(b);
        demand(all.size() == chosen.size(), "numbers and mask of different lengths");
        numbers.clear();
        for (size_t j = 0; j < all.size(); ++j) {
          if (chosen[j]) numbers.push_back(all[j]);
        }
        break;
      }
      case Op::concatenate:
        numbers = run.numbers(a);
        numbers.insert(numbers.end(), run.numbers(b).begin(), run.numbers(b).end());
        break;
      case Op::find: {
        const std::vector<uint64_t>& ids = ids_[step.constant];
        const Numbers& wanted = run.numbers(a);
        numbers.resize(wanted.size());
        for (size_t j = 0; j < wanted.size(); ++j) {
          const auto id = static_cast<uint64_t>(wanted[j]);
          const auto at = std::lower_bound(ids.begin(), ids.end(), id);
          numbers[j] = at != ids.end() && *at == id ? at - ids.begin() : -1;
        }
        break;
      }
      case Op::entry: look_up(std::span<const uint64_t>(ids_[step.constant]), run.numbers(a), numbers, int64_t{-1}); break;
      case Op::rows: {
        const Mask& of = run.mask(a);
        numbers.clear();
        for (size_t j = 0; j < of.size(); ++j) {
          if (of[j]) numbers.push_back(static_cast<int64_t>(j));
        }
        break;
      }
      case Op::last: {
        const Mask& of = run.mask(a);
        numbers.resize(of.size());
        int64_t last = -1;
        for (size_t j = 0; j < of.size(); ++j) numbers[j] = last = of[j] ? static_cast<int64_t>(j) : last;
        break;
      }
      case Op::coming: {
        const Mask& of = run.mask(a);
        numbers.resize(of.size());
        int64_t next = -1;
        for (size_t j = of.size(); j-- > 0;) numbers[j] = next = of[j] ? static_cast<int64_t>(j) : next;
        break;
      }
      case Op::first_below: case Op::last_below: {
        const Mask& of = run.mask(a);
        by_token(of);
        numbers.assign(tokens, -1);
        for (int64_t row = 0; row < tokens; ++row) {
          int64_t& own = numbers[run.head()[row]];
          if (of[row] && (own < 0 || step.op == Op::last_below)) own = row;
        }
        break;
      }
      case Op::both: pair(run.mask(a), run.mask(b), mask, [](uint8_t x, uint8_t y) { return x & y; }); break;
      case Op::either: pair(run.mask(a), run.mask(b), mask, [](uint8_t x, uint8_t y) { return x | y; }); break;
      case Op::invert: {
        const Mask& of = run.mask(a);
        mask.resize(of.size());
        for (size_t j = 0; j < of.size(); ++j) mask[j] = of[j] ^ 1;
        break;
      }
      case Op::less: pair(run.numbers(a), run.numbers(b), mask, [](int64_t x, int64_t y) { return x < y; }); break;
      case Op::equal: pair(run.numbers(a), run.numbers(b), mask, [](int64_t x, int64_t y) { return x == y; }); break;
      case Op::pick: look_up(std::span<const uint8_t>(run.mask(a)), run.numbers(b), mask, uint8_t{0}); break;
      case Op::listed: look_up(std::span<const uint8_t>(tables_[step.constant]), run.numbers(a), mask, uint8_t{0}); break;
      case Op::after: run.after(run.mask(a), step.constant, mask); break;
      case Op::heads: by_token(run.mask(a)), run.heads(run.mask(a), mask); break;
      case Op::best:
        by_token(run.mask(a)), by_token(run.numbers(b));
        run.best(run.mask(a), run.numbers(b), mask);
        break;
      case Op::below: by_token(run.mask(a)), run.below(run.mask(a), mask); break;
      case Op::chained: by_token(run.mask(a)), run.chained(run.mask(a), mask); break;
      case Op::stays: case Op::not_root: {
        Mask& pins = step.op == Op::stays ? board.stays : board.not_root;
        const Mask& of = run.mask(a);
        by_token(of);
        for (int64_t row = 0; row < tokens; ++row) {
          if (of[row] && pins[row] == Board::no_rule) pins[row] = static_cast<uint8_t>(step.constant);
        }
        break;
      }
      case Op::prefers: pair(run.mask(a), board.preferred, board.preferred, [](uint8_t x, uint8_t y) { return x | y; }); break;
      case Op::needs: {
        const Numbers &words = run.numbers(a), &others = run.numbers(b);
        demand(words.size() == others.size(), "rows in pairs");
        for (size_t j = 0; j < words.size(); ++j) board.needs.push_back({words[j], others[j], static_cast<uint8_t>(step.constant)});
        break;
      }
      case Op::give:
        if (signature(steps_[step.a].op).gives == 'm') run.outcome.masks.push_back(run.mask(a));
        else run.outcome.numbers.push_back(run.numbers(a));
        break;
    }
  }
  return std::move(run.outcome);
}

}  // namespace laconic
