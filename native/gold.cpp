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
  // Words of a node, those that the gold has, and those that count against the node: none when the gold has its head word,
  // since what collapsed into that comes along. Each also for the node as root, without what a root does not print.
  struct Count {
    int32_t words = 0, hits = 0, cost = 0;
  };
  std::vector<Count> inner(n), as_root(n);
  for (int32_t i = 0; i < n; ++i) {
    const bool whole = gold[tree.nodes[i].word] != 0;
    const auto add = [&](Count& count, int32_t t) {
      count.words += 1;
      count.hits += gold[t];
      count.cost += whole ? gold[t] : 1;
    };
    for (const int32_t t : tree.tokens(i)) {
      if (!is_word[t] || tree.print[t] == Print::never) continue;
      add(inner[i], t);
      if (tree.print[t] != Print::subordinate) add(as_root[i], t);
    }
  }
  std::vector<double> best(n);
  std::vector<uint8_t> mark(n);
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
      total.words += inner[*it].words;
      total.hits += inner[*it].hits;
      total.cost += inner[*it].cost;
    }
    const auto score = [&](int32_t size) { return 2.0 * total.hits / std::max(size + gold_words, 1); };
    if (root >= 0 && score(total.cost) <= reached + 1e-12) return;
    reached = score(total.cost);
    f1 = score(total.words);
    root = top;
    kept.swap(mark);
    if (gold_words == 0) return;
  }
}

}  // namespace laconic
