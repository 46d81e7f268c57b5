// Python bindings of training.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "train.hpp"

using namespace nanobind::literals;

namespace laconic {

namespace {

// The gold subtrees of a batch.
struct GoldSubtrees {
  std::vector<double> f1;     // by sentence: of its words against the gold's
  std::vector<int32_t> root;  // by sentence, or -1
  std::vector<uint8_t> kept;  // by node
};

// Rows of features, each with a label; the features' indices are below `features`.
void check_rows(const Array<int64_t>& ptr, const Array<int32_t>& columns, size_t labels, size_t features) {
  check_pointers(ptr, labels, columns.size(), "ptr must run from 0 to the number of columns, with one row for each label");
  const auto outside = [&](int32_t column) { return column < 0 || static_cast<size_t>(column) >= features; };
  check(std::none_of(columns.data(), columns.data() + columns.size(), outside), "columns must be features");
}

}  // namespace

void bind_train(nb::module_& m) {
  const auto gold = []<class T>(std::vector<T> GoldSubtrees::* member) {
    return [member](nb::handle_t<GoldSubtrees> self) { return column(self, nb::cast<const GoldSubtrees&>(self).*member); };
  };
  nb::class_<GoldSubtrees>(m, "GoldSubtrees", "The subtrees that are closest to gold compressions.")
      .def(
          "__init__",
          [](GoldSubtrees* self, const ForestHandle& handle, Array<uint8_t> gold) {
            const Forest& forest = handle.forest;
            check(gold.size() == forest.parses.start.size(), "gold must have one entry for each token");
            nb::gil_scoped_release release;
            GoldSubtrees found;
            GoldSubtree target;
            std::vector<uint8_t> is_word;
            for (size_t i = 0; i < forest.size(); ++i) {
              find_words(forest.parses, forest.sentences[i], is_word);
              target.find(forest.tree(i), view(gold).subspan(forest.sentences[i].first, is_word.size()), is_word);
              found.f1.push_back(target.f1);
              found.root.push_back(target.root);
              found.kept.insert(found.kept.end(), target.kept.begin(), target.kept.end());
            }
            new (self) GoldSubtrees(std::move(found));
          },
          "forest"_a, "gold"_a)
      .def_prop_ro("f1", gold(&GoldSubtrees::f1), "By sentence: word F1 against the gold.")
      .def_prop_ro("root", gold(&GoldSubtrees::root), "By sentence: its root, or -1.")
      .def_prop_ro("kept", gold(&GoldSubtrees::kept), "By node: whether it is in the subtree.");

  m.def(
      "examples",
      [](const ForestHandle& forest, Array<uint8_t> gold, bool nodes, double min_f1) {
        check(gold.size() == forest.forest.parses.start.size(), "gold must have one entry for each token");
        Examples examples;
        {
          nb::gil_scoped_release release;
          extract(forest.forest, view(gold), nodes, min_f1, examples);
        }
        return std::tuple{numpy(std::move(examples.ptr)), numpy(std::move(examples.ids)), numpy(std::move(examples.label))};
      },
      "forest"_a, "gold"_a, "nodes"_a, "min_f1"_a,
      "Edges, or nodes, for training: pointers into the ids, the ids of features, labels.");

  m.def(
      "edge_features",
      [](const ForestHandle& handle) {
        Examples edges;
        {
          nb::gil_scoped_release release;
          const Forest& forest = handle.forest;
          Features features;
          for (size_t i = 0; i < forest.size(); ++i) {
            const Tree tree = forest.tree(i);
            features.prepare(forest.parses, forest.sentences[i], forest.rules, tree);
            for_each_edge(tree, [&](const Edge& edge) {
              features.edge(edge, edges.ids);
              edges.ptr.push_back(static_cast<int64_t>(edges.ids.size()));
            });
          }
        }
        return std::pair{numpy(std::move(edges.ptr)), numpy(std::move(edges.ids))};
      },
      "forest"_a, "The features of every edge, in the order of the programs' edges: pointers into the ids, and these.");

  nb::class_<FeatureIndex>(m, "FeatureIndex")
      .def(nb::init<>())
      .def(
          "count", [](FeatureIndex& self, Array<uint32_t> ids) { self.count(view(ids)); }, "ids"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def("prune", &FeatureIndex::prune, "least"_a)
      .def("__len__", &FeatureIndex::size)
      .def("ids", [](const FeatureIndex& self) { return numpy(self.ids()); })
      .def(
          "number",
          [](const FeatureIndex& self, Array<uint32_t> ids, Array<int64_t> ptr) {
            check(ptr.size() > 0, "ptr must have an end");
            check_pointers(ptr, ptr.size() - 1, ids.size(), "ptr must run from 0 to the number of ids");
            std::vector<int32_t> columns;
            std::vector<int64_t> new_ptr;
            {
              nb::gil_scoped_release release;
              self.number(view(ids), view(ptr), columns, new_ptr);
            }
            return std::pair{numpy(std::move(new_ptr)), numpy(std::move(columns))};
          },
          "ids"_a, "ptr"_a);

  m.def(
      "logistic_loss",
      [](Array<int64_t> ptr, Array<int32_t> columns, Array<uint8_t> label, Array<double> weights, MutableArray<double> gradient,
         int32_t threads) {
        check_rows(ptr, columns, label.size(), weights.size());
        check(gradient.size() == weights.size(), "the gradient must have one entry for each weight");
        nb::gil_scoped_release release;
        return logistic_loss(view(ptr), view(columns), view(label), view(weights), {gradient.data(), gradient.size()}, threads);
      },
      "ptr"_a, "columns"_a, "label"_a, "weights"_a, "gradient"_a, "threads"_a);

  m.def(
      "perceptron_pass",
      [](Array<int64_t> ptr, Array<int32_t> columns, Array<uint8_t> label, Array<int64_t> order, int32_t classes, int64_t step,
         MutableArray<double> weights, MutableArray<double> totals) {
        check(classes > 0, "there must be a class");
        check_rows(ptr, columns, label.size(), weights.size() / static_cast<size_t>(classes));
        check(totals.size() == weights.size(), "totals must have one entry for each weight");
        for (const uint8_t each : view(label)) check(each < classes, "labels must be classes");
        for (const int64_t row : view(order)) check(row >= 0 && row < static_cast<int64_t>(label.size()), "there is no such row");
        nb::gil_scoped_release release;
        return perceptron_pass(view(ptr), view(columns), view(label), view(order), classes, step,
                               {weights.data(), weights.size()}, {totals.data(), totals.size()});
      },
      "ptr"_a, "columns"_a, "label"_a, "order"_a, "classes"_a, "step"_a, "weights"_a, "totals"_a);

  m.def(
      "fill_table",
      [](Array<uint32_t> ids, Array<int16_t> weights, int32_t columns, int32_t bits) -> std::optional<Owned<uint16_t>> {
        check(columns > 0 && weights.size() == ids.size() * static_cast<size_t>(columns), "one row of weights for each id");
        check(bits >= 0 && bits <= 32 - Table::rest_bits, "a table has at most 2^21 homes");
        std::vector<uint16_t> slots;
        if (!fill_table(view(ids), view(weights), columns, bits, slots)) return std::nullopt;
        return numpy(std::move(slots));
      },
      "ids"_a, "weights"_a, "columns"_a, "bits"_a);
}

}  // namespace laconic
