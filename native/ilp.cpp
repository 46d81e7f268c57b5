#include "ilp.hpp"

#include <limits>

#include "clock.hpp"
#include "interrupt.hpp"
#include "score.hpp"
#include "text.hpp"

namespace laconic {
namespace {

// The minimum number of characters that a node adds: tokens that are always printed, each with the space before it.
// Punctuation, brackets in names and conjunctions that depend on other words only add to it, so no compression that fits
// is excluded.
int32_t least_length(const Parses& parses, const Sentence& sentence, const Tree& tree, int32_t node) {
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  int32_t length = 0;
  for (const int32_t t : tree.tokens(node)) {
    if (tree.print[t] != Print::always) continue;
    const int64_t row = sentence.first + t;
    const int32_t start = parses.start[row];
    if (parses.end[row] - start == 1 && is_bracket(chars[start])) continue;
    length += parses.end[row] - start + (start > 0 && is_space(chars[start - 1]) ? 1 : 0);
  }
  return length;
}

}  // namespace

void build_programs(const Forest& forest, const Table* weights, Programs& out) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Parses& parses = forest.parses;
  FeatureSums feature_sums;
  std::vector<Edge> edges;
  std::vector<int32_t> into[2];  // by sentence: the edges into each node, from the dummy root and from its parent; or -1
  for (size_t number = 0; number < forest.size(); ++number) {
    const Sentence& sentence = forest.sentences[number];
    const Tree tree = forest.tree(number);
    count_steps(tree.length());
    out.nanoseconds.push_back(forest.nanoseconds[number]);
    Stopwatch watch(out.nanoseconds);
    edges.clear();
    for_each_edge(tree, [&](const Edge& edge) { edges.push_back(edge); });
    if (weights) {
      feature_sums.prepare(parses, sentence, forest.rules, tree);
      const std::vector<double>& sums = feature_sums.edges(edges, *weights);
      out.weight.insert(out.weight.end(), sums.begin(), sums.end());
    }
    watch.lap();
    const int32_t n = tree.size();
    for (auto& edges : into) edges.assign(n, -1);
    for (int32_t e = 0; e < static_cast<int32_t>(edges.size()); ++e) {
      into[edges[e].head >= 0][edges[e].node] = e;
      out.head.push_back(edges[e].head);
      out.node.push_back(edges[e].node);
      if (!weights) out.weight.push_back(0);
      out.length.push_back(least_length(parses, sentence, tree, edges[e].node));
    }
    // A full stop at the very end is always printed: one of several stops, but a question mark only for a question.
    const int32_t end = tree.length() - 1;
    const bool stop = end >= 0 && tree.node_of[end] < 0 &&
                      parses.chars[parses.char_ptr[sentence.text] + parses.start[sentence.first + end]] == '.';
    out.fixed.push_back(stop - 1);
    const size_t entries = out.index.size();
    const auto add = [&](int32_t e, double value) {
      if (e < 0) return;
      out.index.push_back(e);
      out.value.push_back(value);
    };
    const auto row = [&](double lower, double upper, const auto& fill) {
      out.start.push_back(static_cast<int32_t>(out.index.size() - entries));
      fill();
      out.lower.push_back(lower);
      out.upper.push_back(upper);
    };
    if (n > 0) {
      row(1, 1, [&] {
        for (const int32_t e : into[0]) add(e, 1);
      });
    }
    for (int32_t i = 0; i < n; ++i) {
      if (into[0][i] >= 0 && into[1][i] >= 0) {
        row(-infinity, 1, [&] {
          for (const auto& edges : into) add(edges[i], 1);
        });
      }
      if (into[1][i] >= 0) {
        const int32_t head = tree.nodes[i].parent;
        row(-infinity, 0, [&] {
          add(into[1][i], 1);
          for (const auto& edges : into) add(edges[head], -1);
        });
      }
    }
    out.start.push_back(static_cast<int32_t>(out.index.size() - entries));
    out.edge_ptr.push_back(static_cast<int64_t>(out.head.size()));
    out.row_ptr.push_back(static_cast<int64_t>(out.lower.size()));
    out.entry_ptr.push_back(static_cast<int64_t>(out.index.size()));
    watch.lap();
  }
}

}  // namespace laconic
