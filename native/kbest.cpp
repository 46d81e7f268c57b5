#include "kbest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interrupt.hpp"
#include "pin.hpp"

namespace laconic {
namespace {

constexpr double scale = 1099511627776.0;  // 2^40: a thousand children with log(1e-6) are far from overflow
constexpr Score removed_edge = std::numeric_limits<Score>::min();

// The mean of a node's options, rounded down, which preserves the order.
Score mean(Score sum, int32_t options) {
  const Score by = std::max(options, 1);
  const Score quotient = sum / by;
  return quotient * by > sum ? quotient - 1 : quotient;
}

// The smallest element in only one of two sorted lists, and which list has it; returns false if they are equal.
bool difference(const std::vector<int32_t>& a, const std::vector<int32_t>& b, int32_t& node, bool& in_first) {
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  if (i == a.size() && i == b.size()) return false;
  in_first = i == b.size() || (i < a.size() && a[i] < b[i]);
  node = in_first ? a[i] : b[i];
  return true;
}

}  // namespace

Score log_score(double p) { return std::llrint(std::log(std::clamp(p, 1e-6, 1 - 1e-6)) * scale); }
Score to_score(double log_odds) { return std::llrint(log_odds * scale); }
double to_double(Score score) { return static_cast<double>(score) / scale; }

void KBest::reset(std::span<const int32_t> parent, std::span<const double> root_retain, Source& source, Objective objective,
                  std::span<const uint8_t> pins) {
  source_ = &source;
  objective_ = objective;
  const auto n = static_cast<int32_t>(parent.size());
  nodes_.assign(n, Node{});
  if (results_.size() < parent.size()) {
    results_.resize(parent.size());
    heaps_.resize(parent.size());
    beams_.resize(parent.size());
  }
  for (int32_t i = 0; i < n; ++i) {
    results_[i].clear();
    heaps_[i].clear();
    beams_[i].clear();
    if (parent[i] >= 0) ++nodes_[parent[i]].children;
    nodes_[i].gone = !pins.empty() && (pins[i] & NodePin::not_below) != 0;
    nodes_[i].stays = !pins.empty() && !nodes_[i].gone && (pins[i] & (NodePin::stays | NodePin::or_next)) != 0;
  }
  int32_t at = 0;
  for (Node& node : nodes_) {
    node.first_child = at;
    at += node.children;
    node.children = 0;
  }
  child_.resize(at);
  root_retain_.assign(n, removed_edge);
  is_top_.assign(n, 0);
  root_removed_ = 0;
  root_edges_ = 0;
  for (int32_t i = 0; i < n; ++i) {
    if (parent[i] >= 0) {
      Node& head = nodes_[parent[i]];
      child_[head.first_child + head.children++] = i;
    }
    is_top_[i] = parent[i] < 0;
    if (root_retain[i] >= 0) {
      const Score remove = log_score(1 - root_retain[i]);
      root_retain_[i] = log_score(root_retain[i]) - remove;
      root_removed_ += remove;
      ++root_edges_;
    }
  }
  states_.clear();
  sizes_ = {};
  beam_ = 1;
  picks_.clear();
  root_heap_.clear();
  root_pending_ = none;
}

void KBest::set_sizes(std::span<const SizeScores> sizes, int32_t beam) {
  sizes_ = sizes;
  beam_ = std::max(beam, 1);
  // First results from the leaves up: with subset sizes, they depend on the children's.
  stack_.clear();
  for (int32_t i = 0; i < static_cast<int32_t>(nodes_.size()); ++i) {
    if (is_top_[i]) stack_.push_back(i);
  }
  std::vector<int32_t> order;
  order.reserve(nodes_.size());
  while (!stack_.empty()) {
    const Node& node = nodes_[order.emplace_back(stack_.back())];
    stack_.pop_back();
    stack_.insert(stack_.end(), child_.begin() + node.first_child, child_.begin() + node.first_child + node.children);
  }
  std::for_each(order.rbegin(), order.rend(), [this](int32_t node) { extend(node); });
}

bool KBest::next() {
  count_steps(nodes_.size());
  const auto later = [this](const Candidate& a, const Candidate& b) { return root_earlier(b, a); };
  if (picks_.empty()) {
    for (int32_t i = 0; i < static_cast<int32_t>(nodes_.size()); ++i) {
      if (root_retain_[i] != removed_edge) add_root(i, 0);
    }
    std::make_heap(root_heap_.begin(), root_heap_.end(), later);  // fewer comparisons than one by one, as ties are costly
  } else if (root_pending_ != none && add_root(picks_[root_pending_].node, picks_[root_pending_].index + 1)) {
    std::push_heap(root_heap_.begin(), root_heap_.end(), later);
  }
  if (root_heap_.empty()) return false;
  std::pop_heap(root_heap_.begin(), root_heap_.end(), later);
  const Candidate best = root_heap_.back();
  root_heap_.pop_back();
  root_pending_ = best.state;
  score_ = total(best.sum, root_edges_);
  const Pick pick = picks_[best.state];
  collect(pick.node, result_state(pick.node, pick.index), found_);
  return true;
}

// Adds result `index` of a node below the dummy root to the candidates, if it exists.
bool KBest::add_root(int32_t node, int32_t index) {
  Score sum = root_removed_ + root_retain_[node];
  if (index > 0 || objective_ == Objective::joint) {
    while (static_cast<int32_t>(results_[node].size()) <= index && !nodes_[node].exhausted) extend(node);
    if (static_cast<int32_t>(results_[node].size()) <= index) return false;
    sum += results_[node][index].score;
  }
  picks_.push_back({node, index, none});
  root_heap_.push_back({sum, static_cast<int32_t>(picks_.size()) - 1});
  return true;
}

bool KBest::root_earlier(const Candidate& a, const Candidate& b) {
  if (a.sum != b.sum) return a.sum > b.sum;
  if (a.state == b.state) return false;
  Pick &p = picks_[a.state], &q = picks_[b.state];
  if (first_node(p) != first_node(q)) return p.first < q.first;
  collect(p.node, result_state(p.node, p.index), left_);
  collect(q.node, result_state(q.node, q.index), right_);
  int32_t node;
  bool in_first;
  return difference(left_, right_, node, in_first) && in_first;
}

int32_t KBest::first_node(Pick& pick) {
  if (pick.first == none) {
    collect(pick.node, result_state(pick.node, pick.index), left_);
    pick.first = left_.front();
  }
  return pick.first;
}

// The score of a node, or of the dummy root, whose options add up to `sum`.
Score KBest::total(Score sum, int32_t options) const { return objective_ == Objective::joint ? sum : mean(sum, options); }

int32_t KBest::result_state(int32_t node, int32_t index) {
  while (static_cast<int32_t>(results_[node].size()) <= index) extend(node);
  return results_[node][index].state;
}

// Adds one result to a node, or finds that there is none. Results that it needs of its children are computed first,
// using an explicit stack, since a tree may be a chain of any depth.
void KBest::extend(int32_t node) {
  const auto bottom = stack_.size();
  stack_.push_back(node);
  while (stack_.size() > bottom) {
    count_steps();
    const int32_t missing = advance(stack_.back());
    if (missing == none) {
      stack_.pop_back();
    } else {
      stack_.push_back(missing);
    }
  }
}

// One step towards the next result of a node. Returns the child whose next result is needed first, or `none` if done.
int32_t KBest::advance(int32_t index) {
  Node& node = nodes_[index];
  if (node.exhausted) return none;
  int32_t missing = none;
  Candidate taken{};
  if (sizes_.empty()) {
    if (take(index, missing, taken)) {
      results_[index].push_back({total(taken.sum, node.children), taken.state});
    } else if (missing == none) {
      node.exhausted = true;
    }
    return missing;
  }
  // With subset sizes: fill the beam, then take the best in it.
  auto& beam = beams_[index];
  while (static_cast<int32_t>(beam.size()) < beam_ && take(index, missing, taken)) {
    const int32_t retained = taken.state == none ? 0 : states_[taken.state].retained;
    const Score size = sizes_[index][std::min(retained, classes - 1)];
    beam.push_back({mean(taken.sum, node.children) + (node.children > 0 ? size : 0), taken.state});
  }
  if (missing != none) return missing;
  if (beam.empty()) {
    node.exhausted = true;
    return none;
  }
  const auto best = std::max_element(beam.begin(), beam.end(),
                                     [](const Candidate& a, const Candidate& b) { return a.sum < b.sum; });
  Score score = best->sum;
  // Scores must not increase along the list, even if a late combination turns out better.
  if (!results_[index].empty()) score = std::min(score, results_[index].back().score);
  results_[index].push_back({score, best->state});
  beam.erase(best);
  return none;
}

// The next combination at a node by the sum of its options. Returns false if a child must be extended first (`missing`)
// or if there is none left.
bool KBest::take(int32_t index, int32_t& missing, Candidate& taken) {
  Node& node = nodes_[index];
  if (!node.started) {
    missing = start(index);
    if (missing != none) return false;
    node.started = true;
    taken = {node.pending_sum, node.pending};
    return true;
  }
  if (node.pending != -2) {
    missing = push_successors(index);
    if (missing != none) return false;
    node.pending = -2;
  }
  auto& heap = heaps_[index];
  if (heap.empty()) return false;
  std::pop_heap(heap.begin(), heap.end(), [&](const Candidate& a, const Candidate& b) { return earlier(index, b, a); });
  taken = heap.back();
  heap.pop_back();
  node.pending = taken.state;
  node.pending_sum = taken.sum;
  return true;
}

// The first combination: the better of retaining and deleting each child. Returns the child that must be extended first;
// when called again, it continues from there.
int32_t KBest::start(int32_t index) {
  Node& node = nodes_[index];
  const std::span<const int32_t> children{child_.data() + node.first_child, static_cast<size_t>(node.children)};
  if (node.summed < 0) {
    p_ret_.resize(children.size());
    if (!children.empty()) source_->retain(index, children, p_ret_);
    for (size_t i = 0; i < children.size(); ++i) {
      Node& child = nodes_[children[i]];
      child.retain = log_score(p_ret_[i]);
      child.remove = log_score(1 - p_ret_[i]);
    }
    node.pending = static_cast<int32_t>(states_.size());
    states_.push_back({none, none, 0, 0});
    node.summed = 0;
  }
  for (; node.summed < node.children; ++node.summed) {
    const int32_t child = children[node.summed];
    Score value = 0;
    if (option(child, 0, value) == Ready::no) return child;
    node.pending_sum += value;
    states_[node.pending].retained += retains(child, 0);
  }
  return none;
}

// Sorts the children by the cost of their second option.
int32_t KBest::order(int32_t index) {
  Node& node = nodes_[index];
  const auto begin = child_.begin() + node.first_child, end = begin + node.children;
  Score value;
  for (auto it = begin; it != end; ++it) {
    if (option(*it, 1, value) == Ready::no) return *it;
  }
  // Ties are rare, and breaking them allocates memory, so sort by cost alone unless there are ties.
  std::sort(begin, end, [this](int32_t a, int32_t b) { return order_before(a, b); });
  node.ordered = true;
  return none;
}

// Whether a child has a second option: a child that stays and has no choice below it has only one. The second one, if
// any, is computed when the children are sorted.
bool KBest::has_second(int32_t child) {
  Score value;
  return option(child, 1, value) == Ready::yes;
}

bool KBest::order_before(int32_t a, int32_t b) {
  if (a == b) return false;
  const bool second_of_a = has_second(a), second_of_b = has_second(b);
  if (!second_of_a || !second_of_b) return second_of_a != second_of_b ? second_of_a : a < b;
  Score first_a = 0, second_a = 0, first_b = 0, second_b = 0;
  option(a, 0, first_a);
  option(a, 1, second_a);
  option(b, 0, first_b);
  option(b, 1, second_b);
  const Score cost_a = first_a - second_a, cost_b = first_b - second_b;
  if (cost_a != cost_b) return cost_a < cost_b;
  // Changing child a and changing child b first differ at the smaller of the two nodes; the one that retains it comes
  // first.
  bool in_first_a, in_first_b;
  const int32_t at_a = first_difference(a, in_first_a), at_b = first_difference(b, in_first_b);
  return at_a < at_b ? !in_first_a : in_first_b;
}

// The first node in which the first two options of a child differ, and whether the first option has it.
int32_t KBest::first_difference(int32_t child, bool& in_first) {
  left_.clear();
  right_.clear();
  if (retains(child, 0)) collect(child, result_state(child, 0), left_);
  if (retains(child, 1)) {
    const int32_t result = nodes_[child].removal == 0 ? 0 : 1;
    collect(child, result_state(child, result), right_);
  }
  int32_t node = none;
  difference(left_, right_, node, in_first);
  return node;
}

// Pushes the successors of the last combination taken to the heap. Returns the child that must be extended first.
int32_t KBest::push_successors(int32_t index) {
  Node& node = nodes_[index];
  if (node.children == 0) return none;
  if (!node.ordered) {
    const int32_t missing = order(index);
    if (missing != none) return missing;
  }
  const State state = states_[node.pending];
  const auto child = [&](int32_t place) { return child_[node.first_child + place]; };
  const auto cost = [&](int32_t place) {
    Score first, second;
    option(child(place), 0, first);
    option(child(place), 1, second);
    return first - second;
  };
  const auto change = [&](int32_t place, int32_t from, int32_t to) {
    return (retains(child(place), to) ? 1 : 0) - (retains(child(place), from) ? 1 : 0);
  };
  if (state.rank > 0) {  // the next option of the same child
    Score current, following;
    option(child(state.place), state.rank, current);
    const Ready ready = option(child(state.place), state.rank + 1, following);
    if (ready == Ready::no) return child(state.place);
    if (ready == Ready::yes) {
      push(index, node.pending_sum - current + following,
           {state.previous, state.place, state.rank + 1, state.retained + change(state.place, state.rank, state.rank + 1)});
    }
  }
  const int32_t following = state.place + 1;
  if (following < node.children && has_second(child(following))) {  // those without a second option are last
    push(index, node.pending_sum - cost(following), {node.pending, following, 1, state.retained + change(following, 0, 1)});
    if (state.rank == 1) {  // the next child in place of this one
      push(index, node.pending_sum + cost(state.place) - cost(following),
           {state.previous, following, 1, state.retained + change(state.place, 1, 0) + change(following, 0, 1)});
    }
  }
  return none;
}

void KBest::push(int32_t index, Score sum, State state) {
  states_.push_back(state);
  auto& heap = heaps_[index];
  heap.push_back({sum, static_cast<int32_t>(states_.size()) - 1});
  std::push_heap(heap.begin(), heap.end(), [&](const Candidate& a, const Candidate& b) { return earlier(index, b, a); });
}

// Option number `rank` in the stream of a child: its results in order, with the deletion at the position of its score.
KBest::Ready KBest::option(int32_t index, int32_t rank, Score& value) {
  Node& child = nodes_[index];
  if (child.stays) return result_option(index, rank, value);
  if (child.gone) {
    child.removal = 0;
    value = child.remove;
    return rank == 0 ? Ready::yes : Ready::end;
  }
  // Scores of subtrees are at most 0: if p_ret < p_del, deletion is the first option, whatever the child's results.
  if (child.removal == -1 && rank == 0 && child.remove > child.retain) child.removal = 0;
  if (child.removal == rank) {
    value = child.remove;
    return Ready::yes;
  }
  const int32_t result = child.removal >= 0 && child.removal < rank ? rank - 1 : rank;
  if (result == 0 && objective_ == Objective::mean) {
    value = child.retain;
    return Ready::yes;
  }
  const auto known = static_cast<int32_t>(results_[index].size());
  if (known > result) {
    value = child.retain + results_[index][result].score;
    if (child.removal == -1 && value < child.remove) {
      child.removal = rank;
      value = child.remove;
    }
    return Ready::yes;
  }
  if (!child.exhausted) return Ready::no;
  if (child.removal == -1) {
    child.removal = rank;
    value = child.remove;
    return Ready::yes;
  }
  return Ready::end;
}

// Option number `rank` of a child that is never deleted: its results in order.
KBest::Ready KBest::result_option(int32_t index, int32_t rank, Score& value) {
  const Node& child = nodes_[index];
  if (rank == 0 && objective_ == Objective::mean) {
    value = child.retain;
    return Ready::yes;
  }
  if (static_cast<int32_t>(results_[index].size()) <= rank) return child.exhausted ? Ready::end : Ready::no;
  value = child.retain + results_[index][rank].score;
  return Ready::yes;
}

bool KBest::earlier(int32_t index, const Candidate& a, const Candidate& b) {
  if (a.sum != b.sum) return a.sum > b.sum;
  if (a.state == b.state) return false;
  collect(index, a.state, left_);
  collect(index, b.state, right_);
  int32_t node;
  bool in_first;
  return difference(left_, right_, node, in_first) && in_first;
}

// The nodes of a combination at a node, sorted.
void KBest::collect(int32_t index, int32_t state, std::vector<int32_t>& into) {
  into.clear();
  walk_.clear();
  walk_.emplace_back(index, state);
  while (!walk_.empty()) {
    const auto [at, combination] = walk_.back();
    walk_.pop_back();
    into.push_back(at);
    const Node& node = nodes_[at];
    // The chain of combinations names the children that are not at their first option, from the last place to the first.
    int32_t link = combination;
    for (int32_t place = node.children; place-- > 0;) {
      int32_t rank = 0;
      if (link != none && states_[link].place == place) {
        rank = states_[link].rank;
        link = states_[link].previous;
      }
      collect_option(child_[node.first_child + place], rank, walk_);
    }
  }
  std::sort(into.begin(), into.end());
}

void KBest::collect_option(int32_t child, int32_t rank, std::vector<std::pair<int32_t, int32_t>>& stack) {
  const Node& node = nodes_[child];
  if (node.removal == rank) return;
  const int32_t result = node.removal >= 0 && node.removal < rank ? rank - 1 : rank;
  // Does not need the child's children: with subset sizes and with the joint objective, first results exist.
  if (results_[child].empty()) extend(child);
  stack.emplace_back(child, results_[child][result].state);
}

}  // namespace laconic
