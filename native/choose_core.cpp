#include "choose_core.hpp"

#include <algorithm>
#include <stdexcept>

#include "interrupt.hpp"

namespace laconic {
namespace {

// More than any value: states that would have to free length and cannot are pruned.
constexpr int64_t never = int64_t{1} << 62;
// Some gigabytes. Lists are bounded by the range of lengths, so only totals far beyond those of texts come close.
constexpr size_t max_states = size_t{1} << 24, max_nodes = size_t{1} << 28;

}  // namespace

Core::Core(const Terms& terms, Total start, Total best) : terms_(terms), start_(start), best_(best) {}

// A better choice has a higher value or, with the same value, a smaller length.
Wide Core::gap() const {
  const Wide top = Wide{scaled(start_.value)} - Wide::product(terms_.price, start_.length);
  return top + std::max(Wide::product(terms_.price, terms_.budget) - scaled(best_.value + terms_.value_step),
                        Wide::product(terms_.price, best_.length - terms_.length_step) - scaled(best_.value));
}

Core::Slopes Core::best(const Slopes& a, const Slopes& b) { return {std::max(a.up, b.up), std::min(a.down, b.down)}; }

// Rounded optimistically.
Core::Slopes Core::slope(const Move& move) const {
  if (move.length > 0) return {(scaled(move.value) + move.length - 1) / move.length, never};
  return {0, scaled(-move.value) / -move.length};
}

int64_t Core::nearness(const Slopes& slopes) const { return std::min(terms_.price - slopes.up, slopes.down - terms_.price); }

void Core::move(const Move& move, Wide spent) {
  if (loss(move.length, move.value) + spent <= gap()) moves_.push_back(move);
}

void Core::end_step() {
  const int32_t first = steps_.empty() ? 0 : steps_.back().last, last = static_cast<int32_t>(moves_.size());
  // The toggle of a stage lies between the moves of its own steps and those of the next stage's.
  const int32_t begin = stages_.empty() ? first : std::max(first, stages_.back().toggle + 1);
  if (begin == last) return;
  Slopes slopes{0, never};
  for (int32_t m = begin; m < last; ++m) slopes = best(slopes, slope(moves_[m]));
  steps_.push_back({begin, last, nearness(slopes), slopes, {}});
}

void Core::end_stage() {
  const int32_t first = stages_.empty() ? 0 : stages_.back().last, last = static_cast<int32_t>(steps_.size());
  if (first == last) return;
  Slopes slopes{0, never};
  for (int32_t s = first; s < last; ++s) slopes = best(slopes, steps_[s].slopes);
  stages_.push_back({first, last, -1, false, nearness(slopes), slopes, {}});
}

void Core::end_group(const Move& toggle, bool opens, int64_t given) {
  const int32_t first = stages_.empty() ? 0 : stages_.back().last, last = static_cast<int32_t>(steps_.size());
  Slopes slopes{given, never};
  if (!opens) {
    slopes = slope(toggle);
    for (int32_t s = first; s < last; ++s) slopes = best(slopes, steps_[s].slopes);
  }
  stages_.push_back({first, last, static_cast<int32_t>(moves_.size()), opens, nearness(slopes), slopes, {}});
  moves_.push_back(toggle);
}

// Sorts by distance from the price: the closest moves fill the budget at the least loss, and the remaining ones can
// correct a wrong length so little that most states can be pruned. If all are equally close, as if all values are
// lengths, moves that add and moves that free length alternate: only together do they fill the budget.
template <class Part>
void Core::sort(std::span<Part> parts) const {
  const auto frees = [&](const Part& part) { return part.slopes.down - terms_.price == part.near; };
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.near < b.near; });
  for (auto first = parts.begin(); first != parts.end();) {
    const auto last = std::find_if(first, parts.end(), [&](const Part& part) { return part.near != first->near; });
    std::vector<Part> same(first, last);
    auto add = std::find_if_not(same.begin(), same.end(), frees), free = std::find_if(same.begin(), same.end(), frees);
    while (first != last) {
      if (add != same.end()) {
        *first++ = *add;
        add = std::find_if_not(add + 1, same.end(), frees);
      }
      if (free != same.end()) {
        *first++ = *free;
        free = std::find_if(free + 1, same.end(), frees);
      }
    }
  }
}

void Core::arrange() {
  for (const Stage& stage : stages_) sort(std::span(steps_).subspan(stage.first, stage.last - stage.first));
  sort(std::span(stages_));
  Slopes rest{0, never};
  for (size_t s = stages_.size(); s-- > 0;) {
    Stage& stage = stages_[s];
    stage.after = rest;
    Slopes inside = rest;
    for (int32_t step = stage.last; step-- > stage.first;) {
      steps_[step].after = inside;
      inside = best(inside, steps_[step].slopes);
    }
    rest = best(rest, stage.slopes);
  }
}

bool Core::search() {
  arrange();
  const Total known = best_;
  states_.assign(1, {start_.length, start_.value, -1});
  for (const Stage& stage : stages_) {
    take(stage);
    if (states_.empty()) break;
  }
  return best_.value != known.value || best_.length != known.length;
}

void Core::take(const Stage& stage) {
  const auto steps = [&] {
    for (int32_t s = stage.first; s < stage.last; ++s) take(steps_[s]);
  };
  if (stage.toggle < 0) return steps();
  const Move& toggle = moves_[stage.toggle];
  if (loss(toggle.length, toggle.value) > gap()) return stage.opens ? void() : steps();
  aside_ = states_;
  if (stage.opens) {
    // The states of an open group are a separate list until the group ends.
    from_.clear();
    from_.swap(states_);
    Slopes rest = stage.after;
    for (int32_t s = stage.first; s < stage.last; ++s) rest = best(rest, steps_[s].slopes);
    join(from_, stage.toggle, rest);
    steps();
    from_.clear();
    from_.swap(aside_);
    prune(from_, stage.after);
    joined_.clear();
    std::merge(from_.begin(), from_.end(), states_.begin(), states_.end(), std::back_inserter(joined_),
               [](const State& a, const State& b) { return a.length < b.length; });
    states_.clear();
    for (const State& state : joined_) {
      if (!states_.empty() && state.value <= states_.back().value) continue;
      if (!states_.empty() && state.length == states_.back().length) states_.pop_back();
      states_.push_back(state);
    }
  } else {
    steps();
    from_.swap(aside_);
    join(from_, stage.toggle, stage.after);
  }
  aside_.clear();
}

void Core::take(const Step& step) {
  bool any = false;
  for (int32_t m = step.first; m < step.last; ++m) {
    if (loss(moves_[m].length, moves_[m].value) > gap()) continue;
    if (!any) {
      from_ = states_;
      prune(states_, step.after);
    }
    any = true;
    join(from_, m, step.after);
  }
  if (nodes_.size() > nodes_limit_) forget();
}

// Whether the remaining moves can lead from here to something better: a higher value within the budget, or the same
// value with a smaller length.
bool Core::alive(int64_t length, int64_t value, const Slopes& rest) const {
  const auto reach = [&](int64_t limit) {
    return scaled(value) + Wide::product(limit >= length ? rest.up : rest.down, limit - length);
  };
  return reach(terms_.budget) >= scaled(best_.value + terms_.value_step) ||
         reach(best_.length - terms_.length_step) >= scaled(best_.value);
}

void Core::prune(std::vector<State>& states, const Slopes& rest) const {
  std::erase_if(states, [&](const State& state) { return !alive(state.length, state.value, rest); });
}

// Adds to the states the results of applying a move to `from`.
void Core::join(std::span<const State> from, int32_t move, const Slopes& rest) {
  count_steps(from.size() + states_.size());
  const Move& by = moves_[move];
  joined_.clear();
  size_t at = 0;
  const auto keep = [&](const State& state) {
    if (!joined_.empty() && joined_.back().length == state.length) joined_.pop_back();
    joined_.push_back(state);
  };
  const auto worse = [&](int64_t value) { return !joined_.empty() && value <= joined_.back().value; };
  for (const State& state : from) {
    const int64_t length = state.length + by.length, value = state.value + by.value;
    for (; at < states_.size() && states_[at].length <= length; ++at) {
      if (!worse(states_[at].value)) keep(states_[at]);
    }
    if (worse(value) || !alive(length, value, rest)) continue;
    if (joined_.size() >= max_states || nodes_.size() >= max_nodes) {
      throw std::length_error("the lengths leave too many choices: give them in a coarser unit");
    }
    const auto node = static_cast<int32_t>(nodes_.size());
    nodes_.push_back({state.node, move});
    keep({length, value, node});
    if (length <= terms_.budget && (value > best_.value || (value == best_.value && length < best_.length))) {
      best_ = {length, value};
      best_node_ = node;
    }
  }
  for (; at < states_.size(); ++at) {
    if (!worse(states_[at].value)) keep(states_[at]);
  }
  states_.swap(joined_);
  states += static_cast<int64_t>(states_.size());
}

// Drops nodes that no state refers to any more, as most states are pruned soon.
void Core::forget() {
  std::vector<int32_t> number(nodes_.size(), -1);
  const auto mark = [&](int32_t node) {
    for (; node >= 0 && number[node] < 0; node = nodes_[node].before) number[node] = 0;
  };
  mark(best_node_);
  for (const auto* list : {&states_, &aside_}) {
    for (const State& state : *list) mark(state.node);
  }
  int32_t live = 0;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (number[n] < 0) continue;
    const Node node = nodes_[n];
    number[n] = live;
    nodes_[live++] = {node.before < 0 ? -1 : number[node.before], node.move};
  }
  nodes_.resize(live);
  nodes_limit_ = std::max(nodes_limit_, 2 * nodes_.size());
  if (best_node_ >= 0) best_node_ = number[best_node_];
  for (auto* list : {&states_, &aside_}) {
    for (State& state : *list) {
      if (state.node >= 0) state.node = number[state.node];
    }
  }
}

std::vector<Core::Move> Core::moves() const {
  std::vector<Move> found;
  for (int32_t node = best_node_; node >= 0; node = nodes_[node].before) found.push_back(moves_[nodes_[node].move]);
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace laconic
