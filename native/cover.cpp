#include "cover.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "interrupt.hpp"

namespace laconic {
namespace {

constexpr uint64_t never = std::numeric_limits<uint64_t>::max();

// Nodes, then words, then the sum of node numbers, packed so that sums compare in this order.
uint64_t cost_of(int32_t node, int32_t words) {
  return (uint64_t{1} << 48) + (static_cast<uint64_t>(words) << 28) + static_cast<uint64_t>(node);
}

}  // namespace

Cover::Outcome Cover::find(const CoverTree& tree, const Demands& demands) {
  const auto n = static_cast<int32_t>(tree.parent.size());
  nodes.clear();
  must_.assign(n, 0);
  radix_.clear();
  most_.clear();
  states_ = 1;
  std::vector<size_t> choices;
  for (size_t d = 0; d < demands.need.size(); ++d) {
    int64_t total = 0;
    for (int64_t o = demands.option_ptr[d]; o < demands.option_ptr[d + 1]; ++o) total += demands.option_count[o];
    if (total < demands.need[d]) return Outcome::impossible;
    if (total == demands.need[d]) {
      for (int64_t o = demands.option_ptr[d]; o < demands.option_ptr[d + 1]; ++o) must_[demands.option_node[o]] = 1;
    } else if (demands.need[d] > 0) {
      choices.push_back(d);
    }
  }
  for (const size_t d : choices) {
    radix_.push_back(states_);
    most_.push_back(demands.need[d]);
    if (static_cast<int64_t>(states_) * (demands.need[d] + 1) > max_states) return Outcome::too_many;
    states_ *= demands.need[d] + 1;
  }
  own_.assign(n, 0);
  for (size_t c = 0; c < choices.size(); ++c) {
    for (int64_t o = demands.option_ptr[choices[c]]; o < demands.option_ptr[choices[c] + 1]; ++o) {
      own_[demands.option_node[o]] += radix_[c] * std::min(demands.option_count[o], most_[c]);
    }
  }
  // Children before parents.
  children_.assign(n, {});
  std::vector<int32_t> order;
  for (int32_t i = 0; i < n; ++i) {
    if (tree.parent[i] >= 0) {
      children_[tree.parent[i]].push_back(i);
    } else {
      order.push_back(i);
    }
  }
  for (size_t at = 0; at < order.size(); ++at) {
    for (const int32_t c : children_[order[at]]) order.push_back(c);
  }
  std::reverse(order.begin(), order.end());
  musts_below_.assign(n, 0);
  steps_.assign(n, {});
  const auto musts = static_cast<int32_t>(std::accumulate(must_.begin(), must_.end(), 0));
  Cost best = never;
  int32_t top = -1;
  for (const int32_t i : order) {
    musts_below_[i] += must_[i];
    auto& steps = steps_[i];
    steps.emplace_back(states_, Entry{never, -1, -1});
    steps[0][own_[i]].cost = cost_of(i, tree.words[i]);
    for (const int32_t c : children_[i]) {
      const std::vector<Entry>& from = steps.back();
      const std::vector<Entry>& below = steps_[c].back();
      std::vector<Entry> to(states_, Entry{never, -1, -1});
      for (int32_t s = 0; s < states_; ++s) {
        if (from[s].cost == never) continue;
        count_steps(states_);
        if (musts_below_[c] == 0 && from[s].cost < to[s].cost) to[s] = {from[s].cost, s, -1};
        for (int32_t b = 0; b < states_; ++b) {
          // A child that supplies nothing and is not required only adds cost.
          if (below[b].cost == never || (b == 0 && musts_below_[c] == 0)) continue;
          const int32_t sum = add(s, b);
          const Cost cost = from[s].cost + below[b].cost;
          if (cost < to[sum].cost) to[sum] = {cost, s, b};
        }
      }
      steps.push_back(std::move(to));
    }
    if (tree.parent[i] >= 0) musts_below_[tree.parent[i]] += musts_below_[i];
    const Cost cost = steps.back()[states_ - 1].cost;
    if (tree.root_edge[i] && musts_below_[i] == musts && cost < best) {
      best = cost;
      top = i;
    }
  }
  if (top < 0) return Outcome::impossible;
  collect(top, states_ - 1);
  std::sort(nodes.begin(), nodes.end());
  return Outcome::found;
}

// The sum of two states, digit by digit, each limited to what is needed.
int32_t Cover::add(int32_t left, int32_t right) const {
  int32_t sum = 0;
  for (size_t c = 0; c < radix_.size(); ++c) {
    const int32_t digits = left / radix_[c] % (most_[c] + 1) + right / radix_[c] % (most_[c] + 1);
    sum += radix_[c] * std::min(digits, most_[c]);
  }
  return sum;
}

void Cover::collect(int32_t node, int32_t state) {
  std::vector<std::pair<int32_t, int32_t>> stack{{node, state}};
  while (!stack.empty()) {
    const auto [i, at] = stack.back();
    stack.pop_back();
    nodes.push_back(i);
    int32_t s = at;
    for (size_t c = children_[i].size(); c-- > 0;) {
      const Entry& entry = steps_[i][c + 1][s];
      if (entry.child_state >= 0) stack.emplace_back(children_[i][c], entry.child_state);
      s = entry.before;
    }
  }
}

}  // namespace laconic
