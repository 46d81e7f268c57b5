#include "gold.hpp"

namespace laconic {

void GoldSubtree::find(const Tree& tree, std::span<const uint8_t> gold, std::span<const uint8_t> is_word) {
  const int32_t n = tree.size();
  kept.assign(n, 0);
  root = -1;
  f1 = 0;
  int32_t gold_words = 0;
  for (size_t t = 0; t < gold.size(); ++t) gold_words += gold[t] && is_word[t];
  std::vector<int32_t> hits(n, 0), words(n, 0), root_hits(n, 0), root_words(n, 0);
  for (int32_t i = 0; i < n; ++i) {
    for (const int32_t t : tree.tokens(i)) {
      if (!is_word[t] || tree.print[t] == Print::never) continue;
      words[i] += 1;
      hits[i] += gold[t];
      if (tree.print[t] != Print::subordinate) {
        root_words[i] += 1;
        root_hits[i] += gold[t];
      }
    }
  }
  std::vector<double> best(n);
  std::vector<uint8_t> mark(n);
  for (int round = 0; round < 50; ++round) {
    // The subtree that maximises 2·hits − f1·(words + gold words).
    int32_t top = -1;
    double top_value = 0;
    for (const int32_t i : tree.bottom_up) {
      double below = 0;
      for (const int32_t c : tree.children(i)) below += best[c] > 0 ? best[c] : 0;
      best[i] = 2 * hits[i] - f1 * words[i] + below;
      const double as_root = 2 * root_hits[i] - f1 * root_words[i] + below;
      if (tree.nodes[i].root_edge && (top < 0 || as_root > top_value)) {
        top = i;
        top_value = as_root;
      }
    }
    if (top < 0) return;
    mark.assign(n, 0);
    mark[top] = 1;
    int32_t hit = root_hits[top], word = root_words[top];
    for (auto it = tree.bottom_up.rbegin(); it != tree.bottom_up.rend(); ++it) {
      const int32_t parent = tree.nodes[*it].parent;
      if (*it == top || parent < 0 || !mark[parent] || best[*it] <= 0) continue;
      mark[*it] = 1;
      hit += hits[*it];
      word += words[*it];
    }
    const double value = 2.0 * hit / (word + gold_words > 0 ? word + gold_words : 1);
    if (root >= 0 && value <= f1 + 1e-12) return;
    f1 = value;
    root = top;
    kept.swap(mark);
    if (gold_words == 0) return;
  }
}

}  // namespace laconic
