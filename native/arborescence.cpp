#include "arborescence.hpp"

#include <algorithm>
#include <limits>

namespace laconic {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

// Dense graph of n nodes with node 0 as the root; score[d * n + h].
struct Graph {
  int32_t n;
  std::vector<double> score;
  double& at(int32_t dependent, int32_t head) { return score[static_cast<size_t>(dependent) * n + head]; }
};

// Heads of the maximum arborescence out of node 0.
std::vector<int32_t> solve(Graph graph) {
  const int32_t n = graph.n;
  std::vector<int32_t> head(n, 0);
  for (int32_t d = 1; d < n; ++d) {
    const auto row = graph.score.begin() + static_cast<ptrdiff_t>(d) * n;
    head[d] = static_cast<int32_t>(std::max_element(row, row + n) - row);
  }
  // Find a cycle by following heads from every node; the colour of a node is the start of the walk that first reached it.
  std::vector<int32_t> colour(n, -1);
  int32_t on_cycle = -1;
  colour[0] = 0;
  for (int32_t start = 1; start < n && on_cycle < 0; ++start) {
    int32_t at = start;
    while (colour[at] < 0) {
      colour[at] = start;
      at = head[at];
    }
    if (at != 0 && colour[at] == start) on_cycle = at;
  }
  if (on_cycle < 0) return head;
  std::vector<uint8_t> in_cycle(n, 0);
  double total = 0;
  for (int32_t at = on_cycle; !in_cycle[at]; at = head[at]) {
    in_cycle[at] = 1;
    total += graph.at(at, head[at]);
  }
  // Contract the cycle into one node, the last. For every edge into or out of it, record the node of the cycle that it
  // touches.
  std::vector<int32_t> old, place(n, -1);
  for (int32_t i = 0; i < n; ++i) {
    if (in_cycle[i]) continue;
    place[i] = static_cast<int32_t>(old.size());
    old.push_back(i);
  }
  const auto m = static_cast<int32_t>(old.size()) + 1;
  Graph smaller{m, std::vector<double>(static_cast<size_t>(m) * m, never)};
  std::vector<int32_t> leaves(m, -1), enters(m, -1);  // by outside node: the cycle's node that is its best head; that it heads
  for (int32_t i = 0; i < m - 1; ++i) {
    for (int32_t j = 0; j < m - 1; ++j) smaller.at(i, j) = graph.at(old[i], old[j]);
    for (int32_t c = 0; c < n; ++c) {
      if (!in_cycle[c]) continue;
      if (old[i] != 0 && (leaves[i] < 0 || graph.at(old[i], c) > smaller.at(i, m - 1))) {
        smaller.at(i, m - 1) = graph.at(old[i], c);
        leaves[i] = c;
      }
      const double value = total - graph.at(c, head[c]) + graph.at(c, old[i]);
      if (enters[i] < 0 || value > smaller.at(m - 1, i)) {
        smaller.at(m - 1, i) = value;
        enters[i] = c;
      }
    }
  }
  const std::vector<int32_t> found = solve(std::move(smaller));
  for (int32_t i = 1; i < m - 1; ++i) head[old[i]] = found[i] == m - 1 ? leaves[i] : old[found[i]];
  head[enters[found[m - 1]]] = old[found[m - 1]];
  return head;
}

}  // namespace

void Arborescence::find(std::span<const float> scores, int32_t n) {
  heads.resize(n);
  for (int32_t d = 0; d < n; ++d) {
    const auto row = scores.begin() + static_cast<ptrdiff_t>(d) * n;
    heads[d] = static_cast<int32_t>(std::max_element(row, row + n) - row);
  }
  if (n == 0 || is_tree()) return;
  // An additional node is the root; its edges are so expensive that exactly one is taken.
  const auto [low, high] = std::minmax_element(scores.begin(), scores.begin() + static_cast<ptrdiff_t>(n) * n);
  const double cost = (static_cast<double>(*high) - *low + 1) * (n + 1);
  Graph graph{n + 1, std::vector<double>(static_cast<size_t>(n + 1) * (n + 1), never)};
  for (int32_t d = 0; d < n; ++d) {
    for (int32_t h = 0; h < n; ++h) {
      const double score = scores[static_cast<size_t>(d) * n + h];
      if (h == d) graph.at(d + 1, 0) = score - cost;
      else graph.at(d + 1, h + 1) = score;
    }
  }
  const std::vector<int32_t> found = solve(std::move(graph));
  for (int32_t d = 0; d < n; ++d) heads[d] = found[d + 1] == 0 ? d : found[d + 1] - 1;
}

bool Arborescence::is_tree() {
  const auto n = static_cast<int32_t>(heads.size());
  state_.assign(n, 0);  // 1: on the current path, 2: leads to the root
  int32_t roots = 0;
  for (int32_t d = 0; d < n; ++d) roots += heads[d] == d;
  if (roots != 1) return false;
  for (int32_t start = 0; start < n; ++start) {
    int32_t at = start;
    while (state_[at] == 0 && heads[at] != at) {
      state_[at] = 1;
      at = heads[at];
    }
    if (state_[at] == 1) return false;
    for (int32_t back = start; state_[back] == 1; back = heads[back]) state_[back] = 2;
    state_[at] = 2;
  }
  return true;
}

}  // namespace laconic
