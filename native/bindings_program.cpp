// Python bindings of programs over words, and of the pins that they set.
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
  nb::class_<Program>(m, "Program", "Rules on words, recorded as steps that run on batches.")
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
          "By node: flags of NodePin; the rules that pin its edge and forbid it as a root, or 255; whether keeping its edge is "
          "preferred. `fallen` is the rule for roots of detached trees.")
      .def(
          "values",
          [](const Program& self, nb::handle parses) {
            std::vector<nb::object> arrays;
            const Parses read = read_parses(parses, arrays);
            Program::Outcome outcome = run(self, read);
            nb::list found;
            for (auto& value : outcome.given) {
              if (auto* mask = std::get_if<std::vector<uint8_t>>(&value)) found.append(numpy_mask(std::move(*mask)));
              else found.append(numpy(std::move(std::get<Numbers>(value))));
            }
            return found;
          },
          "parses"_a, nb::sig("def values(self, parses: laconic.parse.parses.Parses) -> list[numpy.typing.NDArray[typing.Any]]"),
          "What is given out for a batch, in order.");
}

}  // namespace laconic
