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
#include "cover.hpp"
#include "handles.hpp"
#include "hash.hpp"
#include "ilp.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

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

  bind_decode(m);
  bind_train(m);
  bind_network(m);
  bind_fit(m);
}

}  // namespace laconic
