// Python bindings of the decoders.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "ilp.hpp"
#include "knapsack.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

// Limits on compressions, with the Python function that counts lengths, if there is one.
struct LimitsHandle {
  Limits limits;
  std::vector<nb::object> arrays;
  nb::object count;
};

std::span<const Pin> pins(const Array<uint8_t>& array) {
  for (size_t i = 0; i < array.size(); ++i) check(array.data()[i] <= 2, "a pin is 0, 1 (keep) or 2 (drop)");
  return {reinterpret_cast<const Pin*>(array.data()), array.size()};
}

// Calls Python for the length of a print.
int64_t count_outside(const nb::object& count, const Sentence& sentence, std::span<const Piece> pieces) {
  nb::gil_scoped_acquire acquire;
  nb::list starts, ends, spaces, pronouns;
  for (const Piece& piece : pieces) {
    starts.append(piece.start);
    ends.append(piece.end);
    spaces.append(piece.space);
    pronouns.append(piece.pronoun < 0 ? -1 : sentence.first + piece.pronoun);
  }
  return nb::cast<int64_t>(count(sentence.text, sentence.first, starts, ends, spaces, pronouns));
}

void check_limits(const Limits& limits, const Forest& forest) {
  const Parses& parses = forest.parses;
  if (limits.unit != Unit::none) {
    const size_t count = forest.size();
    check(limits.least.size() == count && limits.most.size() == count, "least and most must have one entry for each sentence");
  }
  check(limits.pin.empty() || limits.pin.size() == parses.start.size(), "pins must have one entry for each token");
  check(limits.unit != Unit::given || limits.cost.size() == parses.start.size(), "cost must have one entry for each token");
  for (const int32_t cost : limits.cost) check(cost >= 0 && cost < (1 << 20), "a cost is not negative, and less than 2^20");
}

// The results of a search, up to k.
template <class Search, class Score>
auto collect(Search& search, int64_t k, const Score& score) {
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  while (static_cast<int64_t>(found.size()) < k && search.next()) {
    found.emplace_back(score(), search.nodes());
  }
  return found;
}

// Edges with given probabilities by node.
class NodeEdges : public KBest::Source {
 public:
  explicit NodeEdges(std::span<const double> given) : given_(given) {}
  void retain(int32_t, std::span<const int32_t> children, std::span<double> out) override {
    for (size_t i = 0; i < children.size(); ++i) out[i] = given_[children[i]];
  }

 private:
  std::span<const double> given_;
};

// The output of decoders.
struct Decoded {
  Results results;
  std::vector<int64_t> solver_nanoseconds;
};

// Combines results of several searches of one batch: those of each sentence are rows of the sources, in order. Columns by
// sentence are taken from the first source.
Decoded pick(const std::vector<const Decoded*>& sources, std::span<const int64_t> result_ptr, std::span<const int32_t> source,
             std::span<const int64_t> row) {
  Decoded picked{sources[0]->results, {}};
  Results& to = picked.results;
  to.result_ptr.assign(result_ptr.begin(), result_ptr.end());
  to.score.clear();
  to.node_ptr.assign(1, 0);
  to.piece_ptr.assign(1, 0);
  to.node.clear();
  to.piece_start.clear();
  to.piece_end.clear();
  to.piece_space.clear();
  to.piece_word.clear();
  to.piece_pronoun.clear();
  for (size_t i = 0; i < row.size(); ++i) {
    const Results& from = sources[source[i]]->results;
    const auto copy = [&](const auto& values, auto& copied, const std::vector<int64_t>& pointers) {
      copied.insert(copied.end(), values.begin() + pointers[row[i]], values.begin() + pointers[row[i] + 1]);
    };
    to.score.push_back(from.score[row[i]]);
    copy(from.node, to.node, from.node_ptr);
    copy(from.piece_start, to.piece_start, from.piece_ptr);
    copy(from.piece_end, to.piece_end, from.piece_ptr);
    copy(from.piece_space, to.piece_space, from.piece_ptr);
    copy(from.piece_word, to.piece_word, from.piece_ptr);
    copy(from.piece_pronoun, to.piece_pronoun, from.piece_ptr);
    to.node_ptr.push_back(static_cast<int64_t>(to.node.size()));
    to.piece_ptr.push_back(static_cast<int64_t>(to.piece_start.size()));
  }
  return picked;
}

// Prints results for decoders outside the core, which supply node sets.
struct Printer {
  Printer(const ForestHandle& handle, bool resolve) : forest(handle.forest), writer(handle.forest, resolve) {}
  void begin(int64_t sentence) {
    check(sentence >= 0 && sentence < static_cast<int64_t>(forest.size()), "there is no such sentence");
    nodes = forest.tree(sentence).size();
    writer.begin(sentence);
    open = true;
  }
  bool add(double score, const std::vector<int32_t>& found, int64_t room) {
    check(open && !found.empty() && std::is_sorted(found.begin(), found.end()) && found.front() >= 0 && found.back() < nodes,
          "nodes must be sorted, of the sentence that was begun, and not empty");
    return writer.add(score, found, room);
  }
  void end() {
    check(open, "no sentence was begun");
    writer.end();
    open = false;
  }
  Decoded finish(std::optional<Array<int64_t>> nanoseconds, std::optional<Array<int64_t>> solver_nanoseconds) {
    Decoded done{std::exchange(writer.results, {}), {}};
    const auto assign = [](const std::optional<Array<int64_t>>& from, std::vector<int64_t>& to) {
      if (from) to.assign(from->data(), from->data() + from->size());
    };
    assign(nanoseconds, done.results.nanoseconds);
    assign(solver_nanoseconds, done.solver_nanoseconds);
    return done;
  }

  const Forest& forest;
  Writer writer;
  int32_t nodes = 0;
  bool open = false;
};

// Returns a function that adds properties for reading vectors as columns: of the class's objects, or of the member that
// `part` selects.
template <class Owner, class Part = std::identity>
auto column_adder(nb::class_<Owner>& bound, Part part = {}) {
  return [&bound, part]<class Struct, class T>(const char* name, std::vector<T> Struct::* member, const char* about) {
    const auto read = [part, member](nb::handle_t<Owner> self) {
      return column(self, std::invoke(part, nb::cast<const Owner&>(self)).*member);
    };
    bound.def_prop_ro(name, read, about);
  };
}

}  // namespace

void bind_decode(nb::module_& m) {
  nb::class_<LimitsHandle>(m, "Limits", "Limits on all compressions of a batch.")
      .def(
          "__init__",
          [](LimitsHandle* self, Unit unit, Array<int64_t> least, Array<int64_t> most, Array<uint8_t> pin, Array<int32_t> cost,
             int64_t base, nb::object count, bool nearest, int32_t patience) {
            check(unit != Unit::given || !count.is_none(), "where the unit is given, something must count");
            check(patience > 0, "some patience is needed");
            new (self) LimitsHandle{{unit, view(least), view(most), pins(pin), view(cost), base, {}, nearest, patience},
                                    {nb::cast(least), nb::cast(most), nb::cast(pin), nb::cast(cost)},
                                    count};
            self->limits.measure = [self](const Sentence& sentence, std::span<const Piece> pieces) {
              return count_outside(self->count, sentence, pieces);
            };
          },
          "unit"_a, "least"_a, "most"_a, "pin"_a, "cost"_a, "base"_a, "count"_a.none(), "nearest"_a, "patience"_a,
          nb::sig("def __init__(self, unit: Unit, least: numpy.typing.NDArray[numpy.int64], "
                  "most: numpy.typing.NDArray[numpy.int64], pin: numpy.typing.NDArray[numpy.uint8], "
                  "cost: numpy.typing.NDArray[numpy.int32], base: int, "
                  "count: collections.abc.Callable[[int, int, list[int], list[int], list[bool], list[int]], int] | None, "
                  "nearest: bool, patience: int) -> None"));

  nb::class_<Decoded> decoded(
      m, "Decoded",
      "The results of a batch as columns: sentences, their compressions, the pieces of text that these print.\n\n"
      "A compression's nodes are numbers of nodes in the sentence's tree. A piece is a token or a part of one, as\n"
      "characters of the text.");
  const auto add_result = column_adder(decoded, &Decoded::results);
  add_result("result_ptr", &Results::result_ptr, "By sentence: its first result, and one end.");
  add_result("score", &Results::score, "By result.");
  add_result("node_ptr", &Results::node_ptr, "By result: its first node, and one end.");
  add_result("node", &Results::node, "Nodes of results.");
  add_result("piece_ptr", &Results::piece_ptr, "By result: its first piece, and one end.");
  add_result("piece_start", &Results::piece_start, "By piece: its first character.");
  add_result("piece_end", &Results::piece_end, "By piece: the character after its last.");
  add_result("piece_space", &Results::piece_space, "By piece: whether a space goes before it.");
  add_result("piece_word", &Results::piece_word, "By piece: whether it is a word.");
  add_result("piece_pronoun", &Results::piece_pronoun, "By piece: the row of the pronoun in whose place it is printed, or -1.");
  add_result("nanoseconds", &Results::nanoseconds, "Four for each sentence: transform, root edges, decode, realise.");
  add_result("problem", &Results::problem, "With limits, by sentence: why there is no result (Problem).");
  add_result("exact", &Results::exact, "With limits, by sentence: whether the results are certainly the best.");
  add_result("shortest", &Results::shortest, "With limits, by sentence: over all prints, if none fits.");
  add_result("longest", &Results::longest, "With limits, by sentence: over all prints, if none fits.");
  add_result("first", &Results::first, "With limits, by sentence: the row of a token that contradicts the second, or -1.");
  add_result("second", &Results::second, "With limits, by sentence: the row of a token that contradicts the first, or -1.");
  add_result("nearest", &Results::nearest, "With limits, by sentence: whether its result is only what comes nearest to them.");
  column_adder(decoded)("solver_nanoseconds", &Decoded::solver_nanoseconds,
                        "By sentence: the part of decode inside the ILP's solver; empty for other methods.");

  m.def(
      "pick",
      [](const std::vector<const Decoded*>& sources, Array<int64_t> result_ptr, Array<int32_t> source, Array<int64_t> row) {
        check(!sources.empty(), "there must be a source");
        const size_t sentences = sources[0]->results.result_ptr.size();
        for (const Decoded* each : sources)
          check(each->results.result_ptr.size() == sentences, "the sources must be of one batch");
        check(result_ptr.size() == sentences && std::is_sorted(result_ptr.data(), result_ptr.data() + sentences) &&
                  result_ptr.data()[0] == 0 && result_ptr.data()[sentences - 1] == static_cast<int64_t>(row.size()),
              "result_ptr must run from 0 to the number of rows, sentence by sentence");
        check(source.size() == row.size(), "every row must have a source");
        for (size_t i = 0; i < row.size(); ++i) {
          check(source.data()[i] >= 0 && source.data()[i] < static_cast<int32_t>(sources.size()), "there is no such source");
          const auto rows = static_cast<int64_t>(sources[source.data()[i]]->results.score.size());
          check(row.data()[i] >= 0 && row.data()[i] < rows, "there is no such row");
        }
        return pick(sources, view(result_ptr), view(source), view(row));
      },
      "sources"_a, "result_ptr"_a, "source"_a, "row"_a,
      "Results of several searches of one batch as those of one, by sentence; what is said of sentences is the first source's.");

  nb::class_<Printer>(m, "Printer", "Prints the node sets of decoders that are not in the core.")
      .def(nb::init<const ForestHandle&, bool>(), "forest"_a, "resolve"_a, nb::keep_alive<1, 2>())
      .def("begin", &Printer::begin, "sentence"_a)
      .def("add", &Printer::add, "score"_a, "nodes"_a, "room"_a,
           "False if nothing is added: the print is longer than the room, or has the same text as an earlier one.")
      .def("end", &Printer::end)
      .def("finish", &Printer::finish, "nanoseconds"_a = nb::none(), "solver_nanoseconds"_a = nb::none(),
           "What was printed; the printer is empty again.");

  m.def(
      "compress",
      [](const ForestHandle& forest, const EdgeScoresHandle& edge_scores, std::optional<Array<uint8_t>> guard, int64_t k,
         double rho, int32_t beam, bool joint, bool words, int64_t candidates, double temperature, bool resolve,
         const LimitsHandle* limits) {
        check(!joint || beam == 0, "subset sizes go with the mean: use a beam of 0, or leave out joint");
        check(joint || !limits, "limits go with joint");
        check(joint || !words, "the words count beside joint");
        check(!guard || guard->size() == forest.forest.nodes.size(), "the guard must have one entry for each node");
        for (const uint8_t pin : guard ? view(*guard) : std::span<const uint8_t>{}) {
          check((pin & NodePin::keep) == 0, "the guard has no pin KEEP");
        }
        if (limits) check_limits(limits->limits, forest.forest);
        Writer writer(forest.forest, resolve, limits ? limits->limits.pin : std::span<const Pin>{});
        const auto edges = edge_scores.edges(forest.forest);
        {
          nb::gil_scoped_release release;
          const Objective objective = joint ? Objective::joint : Objective::mean;
          compress(forest.forest, *edges, guard ? view(*guard) : std::span<const uint8_t>{},
                   {k, rho, beam, objective, candidates, temperature, words}, limits ? &limits->limits : nullptr, writer);
        }
        return Decoded{std::move(writer.results), {}};
      },
      "forest"_a, "edge_scores"_a, "guard"_a.none(), "k"_a, "rho"_a, "beam"_a, "joint"_a, "words"_a, "candidates"_a,
      "temperature"_a, "resolve"_a, "limits"_a.none(),
      "The k best compressions of every sentence. The guard's pins are NodePin flags, by node.");

  nb::class_<Programs> programs(m, "Programs", "The integer linear programs of a batch; see native/ilp.hpp.");
  programs
      .def(
          "__init__",
          [](Programs* self, const ForestHandle& forest, const ModelHandle* model) {
            nb::gil_scoped_release release;
            Programs built;  // constructed in place, so that nothing is leaked if building is interrupted
            build_programs(forest.forest, model ? &model->model.ilp : nullptr, built);
            new (self) Programs(std::move(built));
          },
          "forest"_a, "model"_a.none())
      .def("__len__", [](const Programs& self) { return self.fixed.size(); });
  const auto add_program = column_adder(programs);
  add_program("edge_ptr", &Programs::edge_ptr, "By sentence: its first edge, and one end.");
  add_program("head", &Programs::head, "By edge: a node, or -1 for the dummy root.");
  add_program("node", &Programs::node, "By edge.");
  add_program("weight", &Programs::weight, "By edge; 0 without a model.");
  add_program("length", &Programs::length, "By edge: characters that its node adds at least.");
  add_program("fixed", &Programs::fixed, "By sentence: characters that every compression has.");
  add_program("row_ptr", &Programs::row_ptr, "By sentence: its first row, and one end.");
  add_program("lower", &Programs::lower, "By row.");
  add_program("upper", &Programs::upper, "By row.");
  add_program("start", &Programs::start, "By row: its first entry, counted in its sentence, and one end for each.");
  add_program("entry_ptr", &Programs::entry_ptr, "By sentence: its first entry, and one end.");
  add_program("index", &Programs::index, "By entry: its edge, counted in its sentence.");
  add_program("value", &Programs::value, "By entry.");
  add_program("nanoseconds", &Programs::nanoseconds, "Three for each sentence: transform, score, build.");

  m.def(
      "k_best",
      [](Array<int32_t> parent, Array<double> retain, Array<double> root_retain, int64_t k, bool joint) {
        check(retain.size() == parent.size() && root_retain.size() == parent.size(),
              "all columns of the tree must have the same length");
        check_parents(parent);
        nb::gil_scoped_release release;
        KBest k_best;
        NodeEdges source(view(retain));
        k_best.reset(view(parent), view(root_retain), source, joint ? Objective::joint : Objective::mean);
        return collect(k_best, k, [&] { return k_best.score(); });
      },
      "parent"_a, "retain"_a, "root_retain"_a, "k"_a, "joint"_a, "The k best subtrees of one tree.");

  m.def(
      "knapsack",
      [](Array<int32_t> parent, Array<double> retain, Array<double> root_retain, Array<int32_t> length, Array<uint8_t> pin,
         int64_t low, int64_t high, int64_t k) {
        for (const size_t size : {retain.size(), root_retain.size(), length.size(), pin.size()}) {
          check(size == parent.size(), "all columns of the tree must have the same length");
        }
        check_parents(parent);
        for (const int32_t each : view(length)) check(each >= 0, "lengths are not negative");
        std::vector<uint8_t> pinned;
        for (const Pin each : pins(pin)) {
          pinned.push_back(each == Pin::keep ? uint8_t{NodePin::keep} : each == Pin::drop ? NodePin::drop : uint8_t{0});
        }
        nb::gil_scoped_release release;
        EdgeScores scores;
        scores.find(view(retain), view(root_retain));
        Knapsack knapsack;
        knapsack.reset({view(parent), scores.retain, scores.remove, scores.root, view(length), view(length), pinned}, low, high);
        return collect(knapsack, k, [&] { return to_double(knapsack.score()); });
      },
      "parent"_a, "retain"_a, "root_retain"_a, "length"_a, "pin"_a, "low"_a, "high"_a, "k"_a,
      "The k best by the joint objective, of those with a length from low to high that keep and drop the pinned nodes.");
}

}  // namespace laconic
