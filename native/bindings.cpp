// The Python face of the core: arrays in, arrays out, the interpreter lock released while it works.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "compress.hpp"
#include "cover.hpp"
#include "hash.hpp"
#include "ilp.hpp"
#include "train.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

// Keeps the arrays alive that a view looks at.
struct ParsesHandle {
  Parses parses;
  std::vector<nb::object> arrays;
};

// Anything that fills the columns may come in here, so what the core relies on is checked once.
void validate(const Parses& p) {
  const size_t tokens = p.start.size();
  check(p.token_ptr.size() == p.char_ptr.size() && !p.token_ptr.empty(), "token_ptr and char_ptr must have one entry for each text and one more");
  for (const size_t size : {p.end.size(), p.head.size(), p.label.size(), p.tag.size(), p.lemma.size(), p.entity.size(),
                            p.entity_start.size(), p.sentence_start.size()}) {
    check(size == tokens, "all token columns must have the same length");
  }
  check(p.token_ptr.front() == 0 && p.token_ptr.back() == static_cast<int64_t>(tokens), "token_ptr must run from 0 to the number of tokens");
  check(p.char_ptr.front() == 0 && p.char_ptr.back() == static_cast<int64_t>(p.chars.size()), "char_ptr must run from 0 to the number of characters");
  for (size_t text = 0; text + 1 < p.token_ptr.size(); ++text) {
    check(p.token_ptr[text] <= p.token_ptr[text + 1] && p.char_ptr[text] <= p.char_ptr[text + 1], "token_ptr and char_ptr must not fall");
    const int64_t size = p.token_ptr[text + 1] - p.token_ptr[text], chars = p.char_ptr[text + 1] - p.char_ptr[text];
    int32_t at = 0;
    for (int64_t row = p.token_ptr[text]; row < p.token_ptr[text + 1]; ++row) {
      check(p.start[row] >= at && p.end[row] > p.start[row] && p.end[row] <= chars, "tokens must be in order, not empty, and inside their text");
      check(p.head[row] >= 0 && p.head[row] < size, "heads must be tokens of the same text");
      at = p.end[row];
    }
  }
}

template <class... Columns>
void construct(ParsesHandle* self, const Columns&... columns) {
  new (self) ParsesHandle{{view(columns)...}, {nb::cast(columns)...}};
  validate(self->parses);
}

// Anything that has p_ret of edges; keeps the arrays alive that it looks at.
struct ScorerHandle {
  explicit ScorerHandle(std::vector<nb::object> arrays) : arrays(std::move(arrays)) {}
  virtual ~ScorerHandle() = default;
  virtual std::unique_ptr<Edges> edges(const Parses& parses, const Rules& rules) const = 0;

  std::vector<nb::object> arrays;
};

struct ModelHandle : ScorerHandle {
  ModelHandle(const Model& model, std::vector<nb::object> arrays) : ScorerHandle(std::move(arrays)), model(model) {}
  std::unique_ptr<Edges> edges(const Parses& parses, const Rules& rules) const override {
    return std::make_unique<ModelEdges>(parses, rules, model);
  }

  Model model;
};

struct ProbabilitiesHandle : ScorerHandle {
  ProbabilitiesHandle(const Array<float>& retain, const Array<float>& root_retain, const Array<float>& evidence)
      : ScorerHandle({nb::cast(retain), nb::cast(root_retain), nb::cast(evidence)}),
        probabilities{view(retain), view(root_retain), view(evidence)} {}
  std::unique_ptr<Edges> edges(const Parses& parses, const Rules&) const override {
    for (const size_t size : {probabilities.retain.size(), probabilities.root_retain.size(), probabilities.evidence.size()}) {
      if (size == parses.start.size()) continue;
      throw nb::value_error(("there are probabilities for " + std::to_string(size) + " tokens, and the parses have " +
                             std::to_string(parses.start.size()) + ": give one for each token").c_str());
    }
    return std::make_unique<GivenEdges>(probabilities);
  }

  Probabilities probabilities;
};

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

nb::tuple columns(Results&& results) {
  return nb::make_tuple(
      numpy(std::move(results.sentence_text)), numpy(std::move(results.sentence_first)),
      numpy(std::move(results.sentence_last)), numpy(std::move(results.result_ptr)), numpy(std::move(results.score)),
      numpy(std::move(results.node_ptr)), numpy(std::move(results.node)), numpy(std::move(results.piece_ptr)),
      numpy(std::move(results.piece_start)), numpy(std::move(results.piece_end)),
      numpy(std::move(results.piece_space)), numpy(std::move(results.piece_word)), numpy(std::move(results.piece_pronoun)),
      numpy(std::move(results.nanoseconds)));
}

// Edges whose probabilities are known by node.
class NodeEdges : public KBest::Source {
 public:
  explicit NodeEdges(std::span<const double> given) : given_(given) {}
  void retain(int32_t, std::span<const int32_t> children, std::span<double> out) override {
    for (size_t i = 0; i < children.size(); ++i) out[i] = given_[children[i]];
  }

 private:
  std::span<const double> given_;
};

// A writer that builds the trees it prints from.
struct Printer {
  Printer(const ParsesHandle& handle, const Rules& given, bool resolve)
      : parses(handle.parses), rules(given), all(sentences(handle.parses)), writer(handle.parses, rules, resolve) {}
  void begin(int64_t sentence) {
    check(sentence >= 0 && sentence < static_cast<int64_t>(all.size()), "there is no such sentence");
    tree.build(parses, all[sentence], rules);
    writer.begin(all[sentence], tree);
    open = true;
  }
  int64_t add(double score, const std::vector<int32_t>& nodes, int64_t room) {
    check(open && !nodes.empty() && std::is_sorted(nodes.begin(), nodes.end()) && nodes.front() >= 0 &&
              nodes.back() < tree.size(),
          "nodes must be sorted, of the sentence that was begun, and not empty");
    return writer.add(score, nodes, room);
  }
  void end() {
    check(open, "no sentence was begun");
    writer.end();
    open = false;
  }

  const Parses& parses;
  Rules rules;
  std::vector<Sentence> all;
  Tree tree;
  Writer writer;
  bool open = false;
};

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of laconic.";

  // Raised when the same input gives other features or other trees than before: models must be trained again.
  m.attr("FEATURES_VERSION") = 2;
  m.attr("RULES_VERSION") = 1;

  m.def("hash_string", [](std::string_view text) { return hash_string(text); }, "text"_a);

  nb::class_<Rules>(m, "Rules")
      .def("__init__", [](Rules* self, Array<uint8_t> roles, Array<uint16_t> tags, Array<uint8_t> entities,
                          uint8_t title_label, uint64_t complementizer, uint64_t copula, Array<uint8_t> nouns,
                          Array<uint8_t> names, Array<uint64_t> words, Array<uint8_t> kinds, Array<uint8_t> carried) {
        check(roles.size() <= 256 && tags.size() <= 256 && entities.size() <= 256, "at most 256 labels of a kind");
        new (self) Rules();
        for (size_t i = 0; i < roles.size(); ++i) self->role[i] = static_cast<Role>(roles.data()[i]);
        for (size_t i = 0; i < tags.size(); ++i) self->tag[i] = tags.data()[i];
        for (size_t i = 0; i < entities.size(); ++i) self->entity[i] = static_cast<Entity>(entities.data()[i]);
        self->title_label = title_label;
        self->complementizer = complementizer;
        self->copula = copula;
        check(nouns.size() <= 256 && names.size() <= 256 && carried.size() <= 256, "at most 256 labels of a kind");
        std::copy_n(carried.data(), carried.size(), self->carried.begin());
        std::copy_n(nouns.data(), nouns.size(), self->noun.begin());
        std::copy_n(names.data(), names.size(), self->named.begin());
        check(words.size() == kinds.size() && std::is_sorted(words.data(), words.data() + words.size()), "words must be sorted and have a kind each");
        for (size_t i = 0; i < words.size(); ++i) self->words.emplace_back(words.data()[i], kinds.data()[i]);
      }, "roles"_a, "tags"_a, "entities"_a, "title_label"_a, "complementizer"_a, "copula"_a, "nouns"_a, "names"_a,
         "words"_a, "kinds"_a, "carried"_a);

  nb::class_<ParsesHandle>(m, "Parses")
      .def("__init__", &construct<Array<uint32_t>, Array<int64_t>, Array<int64_t>, Array<int32_t>, Array<int32_t>,
                                  Array<int32_t>, Array<uint8_t>, Array<uint8_t>, Array<uint64_t>, Array<uint8_t>,
                                  Array<uint8_t>, Array<uint8_t>>,
           "chars"_a, "char_ptr"_a, "token_ptr"_a, "start"_a, "end"_a, "head"_a, "label"_a, "tag"_a, "lemma"_a,
           "entity"_a, "entity_start"_a, "sentence_start"_a);

  nb::class_<ScorerHandle>(m, "Scorer");

  nb::class_<ModelHandle, ScorerHandle>(m, "Model")
      .def("__init__", [](ModelHandle* self, Array<uint16_t> maxent, float maxent_scale, Array<uint16_t> nss,
                          float nss_scale, Array<uint16_t> ilp, float ilp_scale, float temperature, float size_weight) {
        new (self) ModelHandle({table(maxent, 1, maxent_scale), table(nss, KBest::classes, nss_scale),
                                table(ilp, 1, ilp_scale), temperature, size_weight},
                               {nb::cast(maxent), nb::cast(nss), nb::cast(ilp)});
      }, "maxent"_a, "maxent_scale"_a, "nss"_a, "nss_scale"_a, "ilp"_a, "ilp_scale"_a, "temperature"_a, "size_weight"_a);

  nb::class_<ProbabilitiesHandle, ScorerHandle>(m, "Probabilities")
      .def(nb::init<const Array<float>&, const Array<float>&, const Array<float>&>(), "retain"_a, "root_retain"_a,
           "evidence"_a);

  m.def("compress", [](const ParsesHandle& parses, const Rules& rules, const ScorerHandle& scorer, int64_t k, double rho,
                       int32_t beam, bool joint, int64_t candidates, double temperature, bool resolve) {
    check(!joint || beam == 0, "subset sizes go with the mean: use a beam of 0, or leave out joint");
    Writer writer(parses.parses, rules, resolve);
    const auto edges = scorer.edges(parses.parses, rules);
    {
      nb::gil_scoped_release release;
      const Objective objective = joint ? Objective::joint : Objective::mean;
      compress(parses.parses, rules, *edges, {k, rho, beam, objective, candidates, temperature}, writer);
    }
    return columns(std::move(writer.results));
  }, "parses"_a, "rules"_a, "scorer"_a, "k"_a, "rho"_a, "beam"_a, "joint"_a, "candidates"_a, "temperature"_a,
        "resolve"_a);

  // For decoders that are not in the core: they bring node sets, the core prints them.
  nb::class_<Printer>(m, "Printer")
      .def(nb::init<const ParsesHandle&, const Rules&, bool>(), "parses"_a, "rules"_a, "resolve"_a,
           nb::keep_alive<1, 2>())
      .def("begin", &Printer::begin, "sentence"_a)
      .def("add", &Printer::add, "score"_a, "nodes"_a, "room"_a)
      .def("end", &Printer::end)
      .def("columns", [](Printer& self) { return columns(std::exchange(self.writer.results, {})); });

  m.def("programs", [](const ParsesHandle& parses, const Rules& rules, const ModelHandle* model) {
    Programs programs;
    {
      nb::gil_scoped_release release;
      build_programs(parses.parses, rules, model ? &model->model.ilp : nullptr, programs);
    }
    return nb::make_tuple(
        numpy(std::move(programs.edge_ptr)), numpy(std::move(programs.head)), numpy(std::move(programs.node)),
        numpy(std::move(programs.weight)), numpy(std::move(programs.length)), numpy(std::move(programs.fixed)),
        numpy(std::move(programs.row_ptr)), numpy(std::move(programs.lower)), numpy(std::move(programs.upper)),
        numpy(std::move(programs.start)), numpy(std::move(programs.entry_ptr)), numpy(std::move(programs.index)),
        numpy(std::move(programs.value)), numpy(std::move(programs.nanoseconds)));
  }, "parses"_a, "rules"_a, "model"_a.none());

  m.def("trees", [](const ParsesHandle& parses, const Rules& rules, const ScorerHandle* scorer) {
    std::vector<int64_t> node_ptr{0}, coref_ptr{0};
    std::vector<int32_t> word, parent, preposition, node_of, pronoun_word, pronoun, antecedent;
    std::vector<uint8_t> label, root_edge;
    std::vector<double> retain, root_retain;
    const auto edges = scorer ? scorer->edges(parses.parses, rules) : nullptr;
    {
      nb::gil_scoped_release release;
      Tree tree;
      Resolver resolver;
      for (const Sentence& sentence : sentences(parses.parses)) {
        tree.build(parses.parses, sentence, rules);
        const size_t first = word.size();
        retain.resize(first + tree.size(), 0);
        root_retain.resize(first + tree.size(), -1);
        if (edges) {
          edges->begin(sentence, tree);
          for_each_edge(tree, [&](const Edge& edge) {
            double& p_ret = (edge.head < 0 ? root_retain : retain)[first + edge.node];
            edges->retain(edge.head, {&edge.node, 1}, {&p_ret, 1});
          });
        }
        for (const Tree::Node& node : tree.nodes) {
          word.push_back(node.word);
          parent.push_back(node.parent);
          preposition.push_back(node.preposition);
          label.push_back(node.label);
          root_edge.push_back(node.root_edge);
        }
        node_ptr.push_back(static_cast<int64_t>(word.size()));
        node_of.insert(node_of.end(), tree.node_of.begin(), tree.node_of.end());
        resolver.resolve(parses.parses, sentence, rules, tree);
        for (const Coreference& pair : resolver.found) {
          pronoun_word.push_back(pair.word);
          pronoun.push_back(pair.pronoun);
          antecedent.push_back(pair.antecedent);
        }
        coref_ptr.push_back(static_cast<int64_t>(pronoun.size()));
      }
    }
    return nb::make_tuple(numpy(std::move(node_ptr)), numpy(std::move(word)), numpy(std::move(parent)),
                          numpy(std::move(preposition)), numpy(std::move(label)), numpy(std::move(root_edge)),
                          numpy(std::move(retain)), numpy(std::move(root_retain)), numpy(std::move(node_of)),
                          numpy(std::move(coref_ptr)), numpy(std::move(pronoun_word)), numpy(std::move(pronoun)),
                          numpy(std::move(antecedent)));
  }, "parses"_a, "rules"_a, "scorer"_a.none());

  // The scores of the subset sizes 0, 1, 2, 3, 4+ of every node (weighted log p; zero where a node has no children).
  m.def("sizes", [](const ParsesHandle& parses, const Rules& rules, const ModelHandle& model) {
    std::vector<double> sizes;
    {
      nb::gil_scoped_release release;
      Tree tree;
      Scorer scorer;
      for (const Sentence& sentence : sentences(parses.parses)) {
        tree.build(parses.parses, sentence, rules);
        scorer.prepare(parses.parses, sentence, rules, tree);
        for (int32_t i = 0; i < tree.size(); ++i) {
          const KBest::SizeScores scores = tree.children(i).empty() ? KBest::SizeScores{} : scorer.sizes(i, model.model);
          for (const Score score : scores) sizes.push_back(to_double(score));
        }
      }
    }
    return numpy(std::move(sizes));
  }, "parses"_a, "rules"_a, "model"_a);

  m.def("k_best", [](Array<int32_t> parent, Array<double> retain, Array<double> root_retain, int64_t k,
                     bool joint) {
    std::vector<std::pair<double, std::vector<int32_t>>> found;
    {
      nb::gil_scoped_release release;
      KBest k_best;
      NodeEdges source(view(retain));
      k_best.reset(view(parent), view(root_retain), source, joint ? Objective::joint : Objective::mean);
      while (static_cast<int64_t>(found.size()) < k && k_best.next()) {
        found.emplace_back(k_best.score(), k_best.nodes());
        if (found.size() % 4096 == 0) {  // a user may have asked for more than they want to wait for
          nb::gil_scoped_acquire acquire;
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
      }
    }
    return found;
  }, "parent"_a, "retain"_a, "root_retain"_a, "k"_a, "joint"_a);

  // The nodes of the smallest subtree, None where there is none, an error where the demands leave too many choices.
  m.def("cover", [](Array<int32_t> parent, Array<uint8_t> root_edge, Array<int32_t> words, Array<int32_t> need,
                    Array<int64_t> option_ptr, Array<int32_t> option_node,
                    Array<int32_t> option_count) -> std::optional<std::vector<int32_t>> {
    const auto n = static_cast<int64_t>(parent.size());
    check(root_edge.size() == parent.size() && words.size() == parent.size(), "all columns of the tree must have the same length");
    check(option_ptr.size() == need.size() + 1 && option_ptr.data()[0] == 0 &&
              option_ptr.data()[need.size()] == static_cast<int64_t>(option_node.size()) &&
              std::is_sorted(option_ptr.data(), option_ptr.data() + option_ptr.size()) &&
              option_count.size() == option_node.size(),
          "option_ptr must run from 0 to the number of options");
    for (int64_t i = 0; i < n; ++i) {
      check(parent.data()[i] >= -1 && parent.data()[i] < n, "parents must be nodes, or -1");
      check(words.data()[i] >= 0 && words.data()[i] < (1 << 16) && n < (1 << 13), "the tree is too large");
    }
    int64_t total = 0;
    for (int64_t i = 0; i < n; ++i) total += words.data()[i];
    check(total < (1 << 20), "the tree is too large");
    for (size_t d = 0; d < need.size(); ++d) {
      for (int64_t o = option_ptr.data()[d]; o < option_ptr.data()[d + 1]; ++o) {
        check(option_node.data()[o] >= 0 && option_node.data()[o] < n && option_count.data()[o] > 0, "options must be nodes");
        check(o == option_ptr.data()[d] || option_node.data()[o - 1] < option_node.data()[o], "options must be sorted and different");
      }
    }
    for (size_t d = 0; d < need.size(); ++d) check(need.data()[d] >= 0, "a demand is not negative");
    Cover cover;
    const auto outcome = cover.find({view(parent), view(root_edge), view(words)},
                                    {view(need), view(option_ptr), view(option_node), view(option_count)});
    if (outcome == Cover::Outcome::too_many) throw nb::value_error("the demands leave too many choices");
    if (outcome == Cover::Outcome::impossible) return std::nullopt;
    return std::move(cover.nodes);
  }, "parent"_a, "root_edge"_a, "words"_a, "need"_a, "option_ptr"_a, "option_node"_a, "option_count"_a);

  // Training.
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

  bind_network(m);
}

}  // namespace laconic
