// Python bindings of sources of p_ret.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <utility>
#include <vector>

#include "handles.hpp"

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
}

}  // namespace laconic
