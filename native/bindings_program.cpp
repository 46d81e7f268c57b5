// The Python face of programs over words, and of the pins that they make.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "handles.hpp"
#include "program.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

using Row = std::tuple<Op, int32_t, int32_t, int32_t, int64_t>;

template <class T>
std::vector<std::vector<T>> lists(const std::vector<Array<T>>& arrays) {
  std::vector<std::vector<T>> copies;
  for (const Array<T>& array : arrays) copies.emplace_back(array.data(), array.data() + array.size());
  return copies;
}

Program::Outcome run(const Program& program, const Parses& parses) {
  nb::gil_scoped_release release;
  return program.run(parses);
}

Pins ask(const Program& program, const Forest& forest, uint8_t fallen) {
  nb::gil_scoped_release release;
  return make_pins(forest, program.run(forest.parses).board, fallen);
}

}  // namespace

void bind_program(nb::module_& m) {
  nb::enum_<Op>(m, "Op", nb::is_arithmetic(), "What a step of a program does.")
      .value("ROW", Op::row, "numbers by token: its own row")
      .value("HEAD", Op::head, "the row of what it hangs on; a root's own")
      .value("LABEL", Op::label, "the label of its edge")
      .value("TAG", Op::tag, "its tag")
      .value("ENTITY", Op::entity, "the type of its entity")
      .value("ENTITY_START", Op::entity_start, "1 on the first token of an entity")
      .value("SENTENCE_START", Op::sentence_start, "1 on the first token of a sentence or text")
      .value("LEMMA", Op::lemma, "the id of its lemma")
      .value("NUMBER", Op::number, "the constant, alone; it goes with numbers of any length")
      .value("ADD", Op::add, "a + b; 64 bits that wrap around, here and in the next four")
      .value("SUBTRACT", Op::subtract, "a - b")
      .value("MULTIPLY", Op::multiply, "a * b")
      .value("EXCLUSIVE_OR", Op::exclusive_or, "a ^ b")
      .value("SHIFT", Op::shift, "a >> b, without sign")
      .value("LEAST", Op::least, "the lesser of a and b")
      .value("WHERE", Op::where, "b where a is true, else c")
      .value("TAKE", Op::take, "the numbers a at the places b; -1 where there is none")
      .value("FILTER", Op::filter, "the numbers a where b is true")
      .value("CONCATENATE", Op::concatenate, "a, then b")
      .value("FIND", Op::find, "places of a among the ids; -1 where it is not among them")
      .value("ENTRY", Op::entry, "the ids at the places a; -1 where there is none")
      .value("ROWS", Op::rows, "the places where a is true")
      .value("LAST", Op::last, "by token: the last place up to there where a is true, or -1")
      .value("COMING", Op::coming, "by token: the first place from there on where a is true, or -1")
      .value("FIRST_BELOW", Op::first_below, "by token: the first of a that hangs on it, or -1")
      .value("LAST_BELOW", Op::last_below, "by token: the last of a that hangs on it, or -1")
      .value("BOTH", Op::both, "a and b")
      .value("EITHER", Op::either, "a or b")
      .value("INVERT", Op::invert, "not a")
      .value("LESS", Op::less, "a < b")
      .value("EQUAL", Op::equal, "a = b")
      .value("PICK", Op::pick, "the truth values a at the places b; false where there is none")
      .value("LISTED", Op::listed, "the table at the places a; false where there is none")
      .value("AFTER", Op::after, "a, so many places later")
      .value("HEADS", Op::heads, "what any of a hangs on")
      .value("BEST", Op::best, "of a, for each that they hang on that with the greatest b; of equals the first")
      .value("BELOW", Op::below, "all below any of a")
      .value("CHAINED", Op::chained, "those of a that have only such above them")
      .value("STAYS", Op::stays, "the edges into the nodes of a stay, by a rule")
      .value("NOT_ROOT", Op::not_root, "the nodes of a are no roots, by a rule")
      .value("PREFERS", Op::prefers, "the edges into the nodes of a had better stay")
      .value("NEEDS", Op::needs, "where a stays, so does b, by a rule: rows in pairs")
      .value("ONE_OF", Op::one_of, "where what both hang on stays, a or b does, by a rule: rows in pairs")
      .value("GIVE_MASK", Op::give_mask, "the mask a is given out")
      .value("GIVE_NUMBERS", Op::give_numbers, "the numbers a are given out");

  nb::class_<Program>(m, "Program", "What rules say of words, to be run on batches.")
      .def(
          "__init__",
          [](Program* self, const std::vector<Row>& steps, const std::vector<Array<uint8_t>>& tables,
             const std::vector<Array<uint64_t>>& ids) {
            std::vector<Step> own;
            for (const auto& [op, a, b, c, constant] : steps) own.push_back({op, a, b, c, constant});
            new (self) Program(std::move(own), lists(tables), lists(ids));
          },
          "steps"_a, "tables"_a, "ids"_a)
      .def(
          "pins",
          [](const Program& self, const ForestHandle& forest, uint8_t fallen) {
            Pins pins = ask(self, forest.forest, fallen);
            return std::tuple{numpy(std::move(pins.flags)), numpy(std::move(pins.stays)), numpy(std::move(pins.not_root)),
                              numpy_mask(std::move(pins.preferred))};
          },
          "forest"_a, "fallen"_a,
          "By node: flags of NodePin; the rule that wants its edge to stay, and that it is no root, or 255; whether its edge "
          "had better stay. `fallen` is the rule of what fell off its tree.")
      .def(
          "values",
          [](const Program& self, nb::handle parses) {
            std::vector<nb::object> arrays;
            const Parses read = read_parses(parses, arrays);
            Program::Outcome outcome = run(self, read);
            nb::list found;
            for (auto& value : outcome.given) {
              if (auto* mask = std::get_if<Mask>(&value)) found.append(numpy_mask(std::move(*mask)));
              else found.append(numpy(std::move(std::get<Numbers>(value))));
            }
            return found;
          },
          "parses"_a, nb::sig("def values(self, parses: laconic.parse.parses.Parses) -> list[numpy.typing.NDArray[typing.Any]]"),
          "What is given out for a batch, in order.");
}

}  // namespace laconic
