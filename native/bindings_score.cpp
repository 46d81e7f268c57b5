// Python bindings of sources of p_ret.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "levels.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

Table table(const Array<uint16_t>& slots, int32_t columns, float scale) {
  Table result;
  result.slots = view(slots);
  result.columns = columns;
  result.scale = scale;
  while (Table::size(result.bits + 1) * result.stride() <= slots.size()) ++result.bits;
  check(Table::size(result.bits) * result.stride() == slots.size() && result.bits <= 32 - Table::rest_bits,
        "a weight table must have a power of two of homes, at most 2^21");
  return result;
}

using Grid = nb::ndarray<const float, nb::ndim<2>, nb::device::cpu>;
using Strided = nb::ndarray<const float, nb::ndim<1>, nb::device::cpu>;

Logits logits(const Grid& grid, size_t tokens) {
  check(grid.shape(0) == tokens && grid.shape(1) >= nested_levels, "there must be logits for every token and level");
  return {grid.data(), grid.stride(0), grid.stride(1)};
}

Logits logits(const Strided& column, size_t tokens) {
  check(column.shape(0) == tokens, "there must be logits for every token");
  return {column.data(), column.stride(0), 0};
}

// The place of the first value that the function rejects, or -1.
template <class Function>
int64_t first_wrong(const Array<float>& values, Function right) {
  const std::span<const float> own = view(values);
  const auto found = std::find_if_not(own.begin(), own.end(), right);
  return found == own.end() ? -1 : found - own.begin();
}

}  // namespace

void bind_score(nb::module_& m) {
  nb::class_<EdgeScoresHandle>(m, "EdgeScores", "Anything that has p_ret of edges.")
      .def(
          "retain",
          [](const EdgeScoresHandle& self, const ForestHandle& forest) {
            const size_t count = forest.forest.nodes.size();
            std::vector<double> retain(count, 0), root_retain(count, -1);
            const auto edges = self.edges(forest.forest);
            {
              nb::gil_scoped_release release;
              for (size_t i = 0; i < forest.forest.size(); ++i) {
                const Tree tree = forest.forest.tree(i);
                edges->begin(forest.forest.sentences[i], tree);
                for_each_edge(tree, [&](const Edge& edge) {
                  double& p_ret = (edge.head < 0 ? root_retain : retain)[forest.forest.node_ptr[i] + edge.node];
                  edges->retain(edge.head, {&edge.node, 1}, {&p_ret, 1});
                });
              }
            }
            return std::pair{numpy(std::move(retain)), numpy(std::move(root_retain))};
          },
          "forest"_a,
          "By node: p_ret of its parent's edge (0 where there is none), and of the dummy root's (-1 where there is none).");

  nb::class_<ModelHandle, EdgeScoresHandle>(m, "Model", "The classifiers of the paper.")
      .def(
          "__init__",
          [](ModelHandle* self, Array<uint16_t> maxent, float maxent_scale, Array<uint16_t> nss, float nss_scale,
             Array<uint16_t> ilp, float ilp_scale, float temperature, float size_weight) {
            new (self) ModelHandle({table(maxent, 1, maxent_scale), table(nss, KBest::classes, nss_scale),
                                    table(ilp, 1, ilp_scale), temperature, size_weight},
                                   {nb::cast(maxent), nb::cast(nss), nb::cast(ilp)});
          },
          "maxent"_a, "maxent_scale"_a, "nss"_a, "nss_scale"_a, "ilp"_a, "ilp_scale"_a, "temperature"_a, "size_weight"_a)
      .def(
          "sizes",
          [](const ModelHandle& self, const ForestHandle& forest) {
            std::vector<double> sizes;
            {
              nb::gil_scoped_release release;
              FeatureSums feature_sums;
              for (size_t number = 0; number < forest.forest.size(); ++number) {
                const Tree tree = forest.forest.tree(number);
                feature_sums.prepare(forest.forest.parses, forest.forest.sentences[number], forest.forest.rules, tree);
                for (int32_t i = 0; i < tree.size(); ++i) {
                  const KBest::SizeScores scores = tree.children(i).empty() ? KBest::SizeScores{}
                                                                            : feature_sums.sizes(i, self.model);
                  for (const Score score : scores) sizes.push_back(to_double(score));
                }
              }
            }
            return numpy(std::move(sizes));
          },
          "forest"_a,
          "The scores of the subset sizes 0, 1, 2, 3, 4+ of every node (weighted log p; zero where a node has no children).");

  nb::class_<ProbabilitiesHandle, EdgeScoresHandle>(m, "Probabilities", "p_ret from outside, by token.")
      .def(nb::init<const Array<float>&, const Array<float>&, const Array<float>&, const Array<float>&, const Array<float>&>(),
           "retain"_a, "root_retain"_a, "evidence"_a, "need"_a, "alone"_a);

  using PerLevel = std::array<float, nested_levels>;
  m.def(
      "between_levels",
      [](const ForestHandle& forest, const Grid& retain, const Grid& root, const Grid& keep, const Strided& need,
         const Strided& alone, float edge_weight, const PerLevel& need_weights, const PerLevel& probability_weights,
         const PerLevel& thresholds, const Array<double>& places, const Array<bool>& fills) {
        const size_t tokens = forest.forest.parses.start.size(), sentences = forest.forest.size();
        check(places.size() == sentences && (fills.size() == 0 || fills.size() == sentences),
              "there must be a position on the line of levels for every sentence");
        for (const double place : view(places)) check(!std::isnan(place), "a position on the line of levels is no number");
        const LevelLogits given{logits(retain, tokens), logits(root, tokens), logits(keep, tokens), logits(need, tokens),
                                logits(alone, tokens)};
        const std::span filled(reinterpret_cast<const uint8_t*>(fills.data()), fills.size());
        LevelProbabilities found = between_levels(forest.forest, given,
                                                  {edge_weight, need_weights, probability_weights, thresholds}, view(places),
                                                  filled);
        return std::tuple{numpy(std::move(found.retain)), numpy(std::move(found.root_retain)), numpy(std::move(found.evidence)),
                          numpy(std::move(found.need)), numpy(std::move(found.alone))};
      },
      "forest"_a, "retain"_a, "root"_a, "keep"_a, "need"_a, "alone"_a, "edge_weight"_a, "need_weights"_a, "probability_weights"_a,
      "thresholds"_a, "places"_a, "fills"_a,
      "By token: p_ret of the parent's edge and of the dummy root's, the worth of the word, and the costs of cutting the "
      "edge and of printing the node without its parent, at each sentence's position on the line of levels.");
  m.def(
      "first_no_probability",
      [](const Array<float>& values) { return first_wrong(values, [](float p) { return p >= 0 && p <= 1; }); }, "values"_a,
      "The place of the first value that is no probability, or -1.");
  m.def(
      "first_not_finite",
      [](const Array<float>& values) { return first_wrong(values, [](float x) { return std::isfinite(x); }); }, "values"_a,
      "The place of the first value that is not finite, or -1.");
}

}  // namespace laconic
