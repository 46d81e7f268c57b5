// The Python face of training.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

#include "handles.hpp"
#include "train.hpp"

using namespace nanobind::literals;

namespace laconic {

void bind_train(nb::module_& m) {
  m.def("gold", [](const ParsesHandle& parses, const Rules& rules, Array<uint8_t> gold) {
    check(gold.size() == parses.parses.start.size(), "gold must have one entry for each token");
    std::vector<double> f1;
    std::vector<int32_t> root;
    std::vector<int64_t> node_ptr{0};
    std::vector<uint8_t> kept;
    {
      nb::gil_scoped_release release;
      Tree tree;
      GoldSubtree target;
      std::vector<uint8_t> is_word;
      for (const Sentence& sentence : sentences(parses.parses)) {
        tree.build(parses.parses, sentence, rules);
        find_words(parses.parses, sentence, is_word);
        target.find(tree, view(gold).subspan(sentence.first, is_word.size()), is_word);
        f1.push_back(target.f1);
        root.push_back(target.root);
        kept.insert(kept.end(), target.kept.begin(), target.kept.end());
        node_ptr.push_back(static_cast<int64_t>(kept.size()));
      }
    }
    return nb::make_tuple(numpy(std::move(f1)), numpy(std::move(root)), numpy(std::move(node_ptr)),
                          numpy(std::move(kept)));
  }, "parses"_a, "rules"_a, "gold"_a);

  m.def("examples", [](const ParsesHandle& parses, const Rules& rules, Array<uint8_t> gold, bool nodes, double min_f1) {
    check(gold.size() == parses.parses.start.size(), "gold must have one entry for each token");
    Examples examples;
    {
      nb::gil_scoped_release release;
      extract(parses.parses, view(gold), rules, nodes, min_f1, examples);
    }
    return nb::make_tuple(numpy(std::move(examples.ptr)), numpy(std::move(examples.ids)),
                          numpy(std::move(examples.label)));
  }, "parses"_a, "rules"_a, "gold"_a, "nodes"_a, "min_f1"_a);

  // The features of every edge, in the order of the programs' edges.
  m.def("edge_features", [](const ParsesHandle& parses, const Rules& rules) {
    Examples edges;
    {
      nb::gil_scoped_release release;
      Tree tree;
      Features features;
      for (const Sentence& sentence : sentences(parses.parses)) {
        tree.build(parses.parses, sentence, rules);
        features.prepare(parses.parses, sentence, rules, tree);
        for_each_edge(tree, [&](const Edge& edge) {
          features.edge(edge, edges.ids);
          edges.ptr.push_back(static_cast<int64_t>(edges.ids.size()));
        });
      }
    }
    return nb::make_tuple(numpy(std::move(edges.ptr)), numpy(std::move(edges.ids)));
  }, "parses"_a, "rules"_a);

  nb::class_<FeatureIndex>(m, "FeatureIndex")
      .def(nb::init<>())
      .def("count", [](FeatureIndex& self, Array<uint32_t> ids) { self.count(view(ids)); }, "ids"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("prune", &FeatureIndex::prune, "least"_a)
      .def("__len__", &FeatureIndex::size)
      .def("ids", [](const FeatureIndex& self) { return numpy(self.ids()); })
      .def("number", [](const FeatureIndex& self, Array<uint32_t> ids, Array<int64_t> ptr) {
        std::vector<int32_t> columns;
        std::vector<int64_t> new_ptr;
        {
          nb::gil_scoped_release release;
          self.number(view(ids), view(ptr), columns, new_ptr);
        }
        return nb::make_tuple(numpy(std::move(new_ptr)), numpy(std::move(columns)));
      }, "ids"_a, "ptr"_a);

  m.def("logistic_loss", [](Array<int64_t> ptr, Array<int32_t> columns, Array<uint8_t> label, Array<double> weights,
                            MutableArray<double> gradient, int32_t threads) {
    return logistic_loss(view(ptr), view(columns), view(label), view(weights), {gradient.data(), gradient.size()},
                         threads);
  }, "ptr"_a, "columns"_a, "label"_a, "weights"_a, "gradient"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>());

  m.def("perceptron_pass", [](Array<int64_t> ptr, Array<int32_t> columns, Array<uint8_t> label, Array<int64_t> order,
                              int32_t classes, int64_t step, MutableArray<double> weights, MutableArray<double> totals) {
    return perceptron_pass(view(ptr), view(columns), view(label), view(order), classes, step,
                           {weights.data(), weights.size()}, {totals.data(), totals.size()});
  }, "ptr"_a, "columns"_a, "label"_a, "order"_a, "classes"_a, "step"_a, "weights"_a, "totals"_a,
        nb::call_guard<nb::gil_scoped_release>());

  m.def("fill_table", [](Array<uint32_t> ids, Array<int16_t> weights, int32_t columns, int32_t bits) -> nb::object {
    check(weights.size() == ids.size() * static_cast<size_t>(columns), "one row of weights for each id");
    std::vector<uint16_t> slots;
    if (!fill_table(view(ids), view(weights), columns, bits, slots)) return nb::none();
    return numpy(std::move(slots));
  }, "ids"_a, "weights"_a, "columns"_a, "bits"_a);
}

}  // namespace laconic
