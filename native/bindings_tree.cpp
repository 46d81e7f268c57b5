// Python bindings of the transformation: rules, and the trees of a batch.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cover.hpp"
#include "handles.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

// The columns can come from anywhere, so everything that the core relies on is checked here, once.
void validate(const Parses& p) {
  const size_t tokens = p.start.size();
  check(p.token_ptr.size() == p.char_ptr.size() && !p.token_ptr.empty(),
        "token_ptr and char_ptr must have one entry for each text and one more");
  for (const size_t size : {p.end.size(), p.head.size(), p.label.size(), p.tag.size(), p.lemma.size(), p.entity.size(),
                            p.entity_start.size(), p.sentence_start.size()}) {
    check(size == tokens, "all token columns must have the same length");
  }
  check(p.token_ptr.front() == 0 && p.token_ptr.back() == static_cast<int64_t>(tokens),
        "token_ptr must run from 0 to the number of tokens");
  check(p.char_ptr.front() == 0 && p.char_ptr.back() == static_cast<int64_t>(p.chars.size()),
        "char_ptr must run from 0 to the number of characters");
  for (size_t text = 0; text + 1 < p.token_ptr.size(); ++text) {
    check(p.token_ptr[text] <= p.token_ptr[text + 1] && p.char_ptr[text] <= p.char_ptr[text + 1],
          "token_ptr and char_ptr must not fall");
    const int64_t size = p.token_ptr[text + 1] - p.token_ptr[text], chars = p.char_ptr[text + 1] - p.char_ptr[text];
    int32_t at = 0;
    for (int64_t row = p.token_ptr[text]; row < p.token_ptr[text + 1]; ++row) {
      check(p.start[row] >= at && p.end[row] > p.start[row] && p.end[row] <= chars,
            "tokens must be in order, not empty, and inside their text");
      check(p.head[row] >= 0 && p.head[row] < size, "heads must be tokens of the same text");
      at = p.end[row];
    }
  }
}

WordList word_list(nb::handle tables, const char* name) {
  WordList list;
  const nb::object words = tables.attr(name);
  for (const nb::handle word : words) {
    const auto bytes = nb::cast<nb::bytes>(nb::object(word.attr("encode")("utf-32-le")));
    std::u32string& added = list.words.emplace_back(bytes.size() / 4, U'\0');
    std::copy_n(static_cast<const char*>(bytes.data()), bytes.size(), reinterpret_cast<char*>(added.data()));
  }
  return list;
}

template <class Entry, class To>
void read_table(nb::handle tables, const char* name, To& to) {
  const auto found = attribute<Array<Entry>>(tables, name);
  check(found.size() <= to.size(), "at most 256 labels of a kind");
  std::transform(found.data(), found.data() + found.size(), to.begin(),
                 [](Entry entry) { return static_cast<typename To::value_type>(entry); });
}

// The tables of laconic.tree.rules.Tables, by name.
Rules read_rules(nb::handle tables) {
  Rules rules;
  read_table<uint8_t>(tables, "roles", rules.role);
  read_table<uint16_t>(tables, "tags", rules.tag);
  read_table<uint8_t>(tables, "entities", rules.entity);
  rules.title_label = nb::cast<uint8_t>(tables.attr("title_label"));
  rules.adverbial_label = nb::cast<uint8_t>(tables.attr("adverbial_label"));
  rules.expletive_label = nb::cast<uint8_t>(tables.attr("expletive_label"));
  rules.complementizer = nb::cast<uint64_t>(tables.attr("complementizer"));
  rules.copula = nb::cast<uint64_t>(tables.attr("copula"));
  rules.genitive = nb::cast<uint64_t>(tables.attr("genitive"));
  rules.plural_forms = word_list(tables, "plural_forms");
  rules.before_participles = word_list(tables, "before_participles");
  rules.contracted_copulas = word_list(tables, "contracted_copulas");
  rules.personal_relatives = word_list(tables, "personal_relatives");
  rules.impersonal_verbs = word_list(tables, "impersonal_verbs");
  rules.articles = {word_list(tables, "articles_before_consonant"), word_list(tables, "articles_before_vowel"),
                    word_list(tables, "vowel_letters"), word_list(tables, "vowel_beginnings"),
                    word_list(tables, "consonant_beginnings")};
  const auto negations = attribute<Array<uint64_t>>(tables, "negations");
  rules.negations.assign(negations.data(), negations.data() + negations.size());
  read_table<uint8_t>(tables, "noun_kinds", rules.noun);
  read_table<uint8_t>(tables, "name_kinds", rules.named);
  read_table<uint8_t>(tables, "carried_labels", rules.carried);
  const auto words = attribute<Array<uint64_t>>(tables, "known_words");
  const auto kinds = attribute<Array<uint8_t>>(tables, "word_kinds");
  check(words.size() == kinds.size() && std::is_sorted(words.data(), words.data() + words.size()) &&
            std::is_sorted(rules.negations.begin(), rules.negations.end()),
        "words must be sorted and have a kind each");
  for (size_t i = 0; i < words.size(); ++i) rules.words.emplace_back(words.data()[i], kinds.data()[i]);
  return rules;
}

Forest build(const Parses& parses, const Rules& rules) {
  nb::gil_scoped_release release;
  return {parses, rules};
}

}  // namespace

Parses read_parses(nb::handle parses, std::vector<nb::object>& arrays) {
  const auto read = [&]<class T>(std::span<const T>& to, const char* name) {
    const auto found = attribute<Array<T>>(parses, name);
    arrays.push_back(nb::cast(found));
    to = view(found);
  };
  Parses p;
  read(p.chars, "chars"), read(p.char_ptr, "char_ptr"), read(p.token_ptr, "token_ptr");
  read(p.start, "start"), read(p.end, "end"), read(p.head, "head"), read(p.label, "label"), read(p.tag, "tag");
  read(p.lemma, "lemma"), read(p.entity, "entity"), read(p.entity_start, "entity_start");
  read(p.sentence_start, "sentence_start");
  validate(p);
  return p;
}

void bind_tree(nb::module_& m) {
  nb::class_<Rules>(m, "Rules", "The tables of a language, as the core reads them.")
      .def(
          "__init__", [](Rules* self, nb::handle tables) { new (self) Rules(read_rules(tables)); }, "tables"_a,
          nb::sig("def __init__(self, tables: laconic.tree.rules.Tables) -> None"));

  const auto node = []<class T>(T Tree::Node::* field) {
    return [field](nb::handle_t<ForestHandle> self) {
      return column(self, nb::cast<const ForestHandle&>(self).forest.nodes, static_cast<const T Tree::Node::*>(field));
    };
  };
  const auto sentence = []<class T>(T Sentence::* field) {
    return [field](nb::handle_t<ForestHandle> self) {
      return column(self, nb::cast<const ForestHandle&>(self).forest.sentences, static_cast<const T Sentence::*>(field));
    };
  };
  const auto coreference = []<class T>(T Coreference::* field) {
    return [field](nb::handle_t<ForestHandle> self) {
      return column(self, nb::cast<const ForestHandle&>(self).forest.coreferences(), static_cast<const T Coreference::*>(field));
    };
  };
  const auto whole = []<class T>(std::vector<T> Forest::* member) {
    return [member](nb::handle_t<ForestHandle> self) { return column(self, nb::cast<const ForestHandle&>(self).forest.*member); };
  };
  nb::class_<ForestHandle>(m, "Forest", "The transformed trees of a batch. Tokens and nodes are numbered inside their sentence.")
      .def(
          "__init__",
          [](ForestHandle* self, nb::object parses, const Rules& rules) {
            std::vector<nb::object> arrays;
            const Parses read = read_parses(parses, arrays);
            new (self) ForestHandle{std::move(parses), std::move(arrays), build(read, rules), {}};
            for (size_t i = 0; i < self->forest.size(); ++i) {
              for (const Tree::Node& own : self->forest.tree(i).nodes)
                self->row.push_back(self->forest.sentences[i].first + own.word);
            }
          },
          "parses"_a, "rules"_a, nb::sig("def __init__(self, parses: laconic.parse.parses.Parses, rules: Rules) -> None"))
      .def("__len__", [](const ForestHandle& self) { return self.forest.size(); })
      .def_prop_ro(
          "parses", [](const ForestHandle& self) { return self.parses; },
          nb::sig("def parses(self) -> laconic.parse.parses.Parses"), "What the trees were made of.")
      .def_prop_ro("sentence_text", sentence(&Sentence::text), "By sentence: the number of its text.")
      .def_prop_ro("sentence_first", sentence(&Sentence::first), "By sentence: the row of its first token.")
      .def_prop_ro("sentence_last", sentence(&Sentence::last), "By sentence: the row after its last token.")
      .def_prop_ro("node_ptr", whole(&Forest::node_ptr), "By sentence: its first node, and one end.")
      .def_prop_ro("node_of", whole(&Forest::node_of), "By token: its node, or -1 for punctuation.")
      .def_prop_ro("word", node(&Tree::Node::word), "By node: the token that is its head word.")
      .def_prop_ro(
          "row", [](nb::handle_t<ForestHandle> self) { return column(self, nb::cast<const ForestHandle&>(self).row); },
          "By node: the row of its head word.")
      .def_prop_ro("parent", node(&Tree::Node::parent), "By node: the head of its edge, or -1 under the dummy root.")
      .def_prop_ro("label", node(&Tree::Node::label), "By node: the label of its edge.")
      .def_prop_ro("preposition", node(&Tree::Node::preposition), "By node: the token that names its edge, or -1.")
      .def_prop_ro("root_edge", node(&Tree::Node::root_edge), "By node: whether the dummy root has an edge to it.")
      .def_prop_ro(
          "coreference_ptr",
          [](nb::handle_t<ForestHandle> self) {
            return column(self, nb::cast<const ForestHandle&>(self).forest.coreference_ptr());
          },
          "By sentence: its first coreference, and one end.")
      .def_prop_ro("pronoun_word", coreference(&Coreference::word), "By coreference: the token of the pronoun.")
      .def_prop_ro("pronoun", coreference(&Coreference::pronoun), "By coreference: the node of the pronoun.")
      .def_prop_ro("antecedent", coreference(&Coreference::antecedent), "By coreference: the node of the antecedent.");

  // An error where the demands leave too many choices.
  m.def(
      "cover",
      [](Array<int32_t> parent, Array<uint8_t> root_edge, Array<int32_t> words, Array<int32_t> need, Array<int64_t> option_ptr,
         Array<int32_t> option_node, Array<int32_t> option_count) -> std::optional<std::vector<int32_t>> {
        const auto n = static_cast<int64_t>(parent.size());
        check(root_edge.size() == parent.size() && words.size() == parent.size(),
              "all columns of the tree must have the same length");
        check_pointers(option_ptr, need.size(), option_node.size(), "option_ptr must run from 0 to the number of options");
        check(option_count.size() == option_node.size(), "every option must have a node and a count");
        check_parents(parent);
        for (int64_t i = 0; i < n; ++i) {
          check(words.data()[i] >= 0 && words.data()[i] < (1 << 16) && n < (1 << 13), "the tree is too large");
        }
        int64_t total = 0;
        for (int64_t i = 0; i < n; ++i) total += words.data()[i];
        check(total < (1 << 20), "the tree is too large");
        for (size_t d = 0; d < need.size(); ++d) {
          for (int64_t o = option_ptr.data()[d]; o < option_ptr.data()[d + 1]; ++o) {
            check(option_node.data()[o] >= 0 && option_node.data()[o] < n && option_count.data()[o] > 0, "options must be nodes");
            check(o == option_ptr.data()[d] || option_node.data()[o - 1] < option_node.data()[o],
                  "options must be sorted and different");
          }
        }
        for (size_t d = 0; d < need.size(); ++d) check(need.data()[d] >= 0, "a demand is not negative");
        nb::gil_scoped_release release;
        Cover cover;
        const auto outcome = cover.find({view(parent), view(root_edge), view(words)},
                                        {view(need), view(option_ptr), view(option_node), view(option_count)});
        if (outcome == Cover::Outcome::too_many) throw std::length_error("the demands leave too many choices");
        if (outcome == Cover::Outcome::impossible) return std::nullopt;
        return std::move(cover.nodes);
      },
      "parent"_a, "root_edge"_a, "words"_a, "need"_a, "option_ptr"_a, "option_node"_a, "option_count"_a,
      "The nodes of the smallest subtree that has what is needed, or None.");
}

}  // namespace laconic
