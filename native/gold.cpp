#include "gold.hpp"

#include <algorithm>

namespace laconic {

void GoldSubtree::find(const Tree& tree, std::span<const uint8_t> gold, std::span<const uint8_t> is_word) {
  const int32_t n = tree.size();
  kept.assign(n, 0);
  root = -1;
  f1 = 0;
  int32_t gold_words = 0;
  for (size_t t = 0; t < gold.size(); ++t) gold_words += gold[t] && is_word[t];
  // The words of a node that the gold has, and those that count against the node: none if the gold has its head word,
  // since words merged into it come along. Both also for the node as the root, without words that a root does not print.
  struct Count {
    int32_t hits = 0, cost = 0;
  };
  std::vector<Count> inner(n), as_root(n);
  const auto whole = [&](int32_t node) { return gold[tree.nodes[node].word] != 0; };
  for (int32_t i = 0; i < n; ++i) {
    const auto add = [&](Count& count, int32_t t) {
      count.hits += gold[t];
      count.cost += whole(i) ? gold[t] : 1;
    };
    for (const int32_t t : tree.tokens(i)) {
      if (!is_word[t]) continue;
      if (tree.print[t] == Print::coordinate && !gold[t]) continue;  // not printed if its first conjunct is deleted
      add(inner[i], t);
      if (tree.print[t] != Print::subordinate) add(as_root[i], t);
    }
    for (int32_t t = 0; tree.nodes[i].owner >= 0 && t < tree.length(); ++t) {
      if (is_word[t] && tree.lends(t, i)) add(as_root[i], t);
    }
  }
  // Words that lead into a coordination are kept with its first member in the gold.
  for (int32_t t = 0; t < tree.length(); ++t) {
    if (tree.print[t] != Print::leading || !gold[t] || !is_word[t] || whole(tree.node_of[t])) continue;
    for (int32_t u = t + 1; u < tree.length(); ++u) {
      const int32_t node = tree.node_of[u];
      if (tree.coordination[u] != tree.coordination[t] || node < 0 || !whole(node)) continue;
      --inner[tree.node_of[t]].hits;
      ++inner[node].hits;
      ++inner[node].cost;
      break;
    }
  }
  std::vector<double> best(n);
  std::vector<uint8_t> mark(n), printed;
  double reached = 0;
  for (int round = 0; round < 50; ++round) {
    // The subtree that maximises 2·hits − reached·(cost + gold words).
    int32_t top = -1;
    double top_value = 0;
    for (const int32_t i : tree.bottom_up) {
      double below = 0;
      for (const int32_t c : tree.children(i)) below += best[c] > 0 ? best[c] : 0;
      best[i] = 2 * inner[i].hits - reached * inner[i].cost + below;
      const double value = 2 * as_root[i].hits - reached * as_root[i].cost + below;
      if (tree.nodes[i].root_edge && (top < 0 || value > top_value)) {
        top = i;
        top_value = value;
      }
    }
    if (top < 0) return;
    mark.assign(n, 0);
    mark[top] = 1;
    Count total = as_root[top];
    for (auto it = tree.bottom_up.rbegin(); it != tree.bottom_up.rend(); ++it) {
      const int32_t parent = tree.nodes[*it].parent;
      if (*it == top || parent < 0 || !mark[parent] || best[*it] <= 0) continue;
      mark[*it] = 1;
      total.hits += inner[*it].hits;
      total.cost += inner[*it].cost;
    }
    const auto score = [&](int32_t hits, int32_t size) { return 2.0 * hits / std::max(size + gold_words, 1); };
    if (root >= 0 && score(total.hits, total.cost) <= reached + 1e-12) return;
    reached = score(total.hits, total.cost);
    tree.find_printed(mark, top, printed);
    int32_t words = 0, hits = 0;
    for (size_t t = 0; t < gold.size(); ++t) {
      words += printed[t] && is_word[t];
      hits += printed[t] && is_word[t] && gold[t];
    }
    f1 = score(hits, words);
    root = top;
    kept.swap(mark);
    if (gold_words == 0) return;
  }
}

}  // namespace laconic
