// The Python face of the decoders.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "knapsack.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

// What is asked of compressions, with the Python function that counts, if there is one.
struct LimitsHandle {
  Limits limits;
  std::vector<nb::object> arrays;
  nb::object count;
};

std::span<const Pin> pins(const Array<uint8_t>& array) {
  for (size_t i = 0; i < array.size(); ++i) check(array.data()[i] <= 2, "a pin is 0, 1 (keep) or 2 (drop)");
  return {reinterpret_cast<const Pin*>(array.data()), array.size()};
}

// Asks Python for the length of a print.
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

void check_limits(const Limits& limits, const Parses& parses) {
  if (limits.unit != Unit::none) {
    const size_t count = sentences(parses).size();
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
    if (found.size() % 4096 == 0) {  // a user may have asked for more than they want to wait for
      nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }
  return found;
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

}  // namespace

nb::tuple columns(Results&& results) {
  return nb::make_tuple(
      numpy(std::move(results.sentence_text)), numpy(std::move(results.sentence_first)),
      numpy(std::move(results.sentence_last)), numpy(std::move(results.result_ptr)), numpy(std::move(results.score)),
      numpy(std::move(results.node_ptr)), numpy(std::move(results.node)), numpy(std::move(results.piece_ptr)),
      numpy(std::move(results.piece_start)), numpy(std::move(results.piece_end)),
      numpy(std::move(results.piece_space)), numpy(std::move(results.piece_word)), numpy(std::move(results.piece_pronoun)),
      numpy(std::move(results.nanoseconds)), numpy(std::move(results.problem)), numpy(std::move(results.exact)),
      numpy(std::move(results.shortest)), numpy(std::move(results.longest)), numpy(std::move(results.first)),
      numpy(std::move(results.second)));
}

void bind_decode(nb::module_& m) {
  nb::class_<LimitsHandle>(m, "Limits")
      .def("__init__", [](LimitsHandle* self, uint8_t unit, Array<int64_t> least, Array<int64_t> most, Array<uint8_t> pin,
                          Array<int32_t> cost, int64_t base, nb::object count, bool nearest) {
        check(unit <= static_cast<uint8_t>(Unit::given), "a unit is 0 (none), 1 (chars), 2 (words) or 3 (given)");
        check(unit != static_cast<uint8_t>(Unit::given) || !count.is_none(), "where the unit is given, something must count");
        new (self) LimitsHandle{{static_cast<Unit>(unit), view(least), view(most), pins(pin), view(cost), base, {}, nearest},
                                 {nb::cast(least), nb::cast(most), nb::cast(pin), nb::cast(cost)},
                                 count};
        self->limits.measure = [self](const Sentence& sentence, std::span<const Piece> pieces) {
          return count_outside(self->count, sentence, pieces);
        };
      }, "unit"_a, "least"_a, "most"_a, "pin"_a, "cost"_a, "base"_a, "count"_a.none(), "nearest"_a);

  m.def("compress", [](const ParsesHandle& parses, const Rules& rules, const ScorerHandle& scorer, int64_t k, double rho,
                       int32_t beam, bool joint, int64_t candidates, double temperature, bool resolve,
                       const LimitsHandle* limits) {
    check(!joint || beam == 0, "subset sizes go with the mean: use a beam of 0, or leave out joint");
    check(joint || !limits, "limits go with joint");
    if (limits) check_limits(limits->limits, parses.parses);
    Writer writer(parses.parses, rules, resolve, limits ? limits->limits.pin : std::span<const Pin>{});
    const auto edges = scorer.edges(parses.parses, rules);
    {
      nb::gil_scoped_release release;
      const Objective objective = joint ? Objective::joint : Objective::mean;
      compress(parses.parses, rules, *edges, {k, rho, beam, objective, candidates, temperature},
               limits ? &limits->limits : nullptr, writer);
    }
    return columns(std::move(writer.results));
  }, "parses"_a, "rules"_a, "scorer"_a, "k"_a, "rho"_a, "beam"_a, "joint"_a, "candidates"_a, "temperature"_a,
        "resolve"_a, "limits"_a.none());

  m.def("k_best", [](Array<int32_t> parent, Array<double> retain, Array<double> root_retain, int64_t k, bool joint) {
    nb::gil_scoped_release release;
    KBest k_best;
    NodeEdges source(view(retain));
    k_best.reset(view(parent), view(root_retain), source, joint ? Objective::joint : Objective::mean);
    return collect(k_best, k, [&] { return k_best.score(); });
  }, "parent"_a, "retain"_a, "root_retain"_a, "k"_a, "joint"_a);

  // The k best by the joint objective, of those with a length from low to high that keep and drop the pinned nodes.
  m.def("knapsack", [](Array<int32_t> parent, Array<double> retain, Array<double> root_retain, Array<int32_t> length,
                       Array<uint8_t> pin, int64_t low, int64_t high, int64_t k) {
    for (const size_t size : {retain.size(), root_retain.size(), length.size(), pin.size()}) {
      check(size == parent.size(), "all columns of the tree must have the same length");
    }
    for (const int32_t each : view(length)) check(each >= 0, "lengths are not negative");
    std::vector<uint8_t> pinned;
    for (const Pin each : pins(pin)) {
      pinned.push_back(each == Pin::keep ? NodePin::keep : each == Pin::drop ? NodePin::drop : uint8_t{0});
    }
    nb::gil_scoped_release release;
    EdgeScores scores;
    scores.find(view(retain), view(root_retain));
    Knapsack knapsack;
    knapsack.reset({view(parent), scores.retain, scores.remove, scores.root, view(length), view(length), pinned}, low, high);
    return collect(knapsack, k, [&] { return to_double(knapsack.score()); });
  }, "parent"_a, "retain"_a, "root_retain"_a, "length"_a, "pin"_a, "low"_a, "high"_a, "k"_a);
}

}  // namespace laconic
