// Python bindings for fitting documents into a budget.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "choose.hpp"
#include "versions.hpp"
#include "ways.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

void add(int64_t& sum, int64_t amount) {
  check(amount >= 0, "lengths, values and setups must not be negative");
  check(amount <= Choose::max_total - sum, "lengths or values are too large: their totals must be at most 2^60");
  sum += amount;
}

void validate(const Array<int64_t>& item_ptr, const Array<int64_t>& option_ptr, const Array<int64_t>& length,
              const Array<int64_t>& value, const Array<int64_t>& setup, const Array<uint8_t>& required) {
  const size_t items = required.size();
  check_pointers(item_ptr, setup.size(), items, "item_ptr must run from 0 to the number of items");
  check_pointers(option_ptr, items, length.size(), "option_ptr must run from 0 to the number of options");
  check(value.size() == length.size(), "every option must have a length and a value");
  check(length.size() + items < size_t{1} << 31, "there must be fewer than 2^31 items and options");
  int64_t lengths = 0, values = 0;
  for (size_t g = 0; g < setup.size(); ++g) add(lengths, setup.data()[g]);
  for (size_t i = 0; i < items; ++i) {
    const int64_t first = option_ptr.data()[i], last = option_ptr.data()[i + 1];
    check(first < last || !required.data()[i], "a required item must have an option");
    int64_t longest = 0, highest = 0;
    for (int64_t o = first; o < last; ++o) {
      check(length.data()[o] >= 0 && value.data()[o] >= 0, "lengths, values and setups must not be negative");
      longest = std::max(longest, length.data()[o]);
      highest = std::max(highest, value.data()[o]);
    }
    add(lengths, longest);
    add(values, highest);
  }
}

}  // namespace

void bind_fit(nb::module_& m) {
  const auto columns = []<class T>(std::vector<T> Ways::* member) {
    return [member](nb::handle_t<Ways> self) { return column(self, nb::cast<const Ways&>(self).*member); };
  };
  nb::class_<Ways>(m, "Ways",
                   "The ways to print the parts of a document, as columns: those that print something and that no other is\n"
                   "better than, longer and worth more, one after another. See native/ways.hpp.")
      .def(
          "__init__",
          [](Ways* self, Array<int64_t> sentence_ptr, Array<int64_t> option_ptr, Array<int64_t> length, Array<int64_t> value,
             Array<uint8_t> required, Array<double> alone, Array<int64_t> lead, Array<uint8_t> is_table, int64_t separator,
             int64_t most) {
            const size_t sentences = required.size();
            check_pointers(sentence_ptr, lead.size(), sentences, "sentence_ptr must run from 0 to the number of sentences");
            check_pointers(option_ptr, sentences, length.size(), "option_ptr must run from 0 to the number of options");
            check(value.size() == length.size(), "every option must have a length and a value");
            check(alone.size() == sentences, "alone must have one entry for each sentence");
            check(is_table.size() == lead.size(), "is_table must have one entry for each part");
            check(sentences + length.size() < size_t{1} << 31, "there must be fewer than 2^31 sentences and options");
            for (const double share : view(alone)) check(share >= 0 && share <= 1, "alone is a share, from 0 to 1");
            int64_t lengths = 0, values = 0;
            for (const int64_t each : view(length)) add(lengths, each);
            for (const int64_t each : view(lead)) add(lengths, each);
            for (const int64_t each : view(value)) add(values, each);
            check(separator >= 0 && separator < int64_t{1} << 20, "the separator has a length from 0 to 2^20");
            for (size_t p = 0; p < lead.size(); ++p) {
              for (int64_t s = sentence_ptr.data()[p]; is_table.data()[p] && s < sentence_ptr.data()[p + 1]; ++s) {
                check(option_ptr.data()[s + 1] - option_ptr.data()[s] <= 1, "a row of a table has one option, or none");
              }
            }
            nb::gil_scoped_release release;
            new (self) Ways({view(sentence_ptr), view(option_ptr), view(length), view(value), view(required), view(alone),
                             view(lead), view(is_table)},
                            separator, most);
          },
          "sentence_ptr"_a, "option_ptr"_a, "length"_a, "value"_a, "required"_a, "alone"_a, "lead"_a, "is_table"_a, "separator"_a,
          "most"_a)
      .def_prop_ro("way_ptr", columns(&Ways::way_ptr), "By part: its first way, and one end.")
      .def_prop_ro("length", columns(&Ways::length), "By way, with what is printed before the part.")
      .def_prop_ro("value", columns(&Ways::value), "By way.")
      .def(
          "options",
          [](const Ways& self, int64_t part, int64_t way) {
            check(part >= 0 && part < self.parts(), "there is no such part");
            check(way >= 0 && way < self.size(part), "there is no such way");
            return self.options(part, way);
          },
          "part"_a, "way"_a, "The option of each sentence, or row, of a part in one of its ways; -1 where it is left out.");

  m.def(
      "choose_k_best",
      [](Array<int64_t> option_ptr, Array<int32_t> length, Array<int64_t> value, int64_t low, int64_t high, int64_t k) {
        check(option_ptr.size() > 0, "option_ptr must have an end");
        check_pointers(option_ptr, option_ptr.size() - 1, length.size(), "option_ptr must run from 0 to the number of options");
        check(value.size() == length.size(), "every option must have a length and a value");
        int64_t values = 0;
        for (size_t i = 0; i + 1 < option_ptr.size(); ++i) {
          const auto own = view(length).subspan(option_ptr.data()[i], option_ptr.data()[i + 1] - option_ptr.data()[i]);
          check(!own.empty() && own.front() >= 0 && std::is_sorted(own.begin(), own.end()),
                "every item must have options, in the order of their lengths, which are not negative");
          const auto worth = view(value).subspan(option_ptr.data()[i], own.size());
          check(*std::min_element(worth.begin(), worth.end()) >= 0, "values must not be negative");
          add(values, *std::max_element(worth.begin(), worth.end()));
        }
        std::vector<std::vector<int32_t>> found;
        {
          nb::gil_scoped_release release;
          found = choose_k_best(view(option_ptr), view(length), view(value), low, high, k);
        }
        return found;
      },
      "option_ptr"_a, "length"_a, "value"_a, "low"_a, "high"_a, "k"_a,
      "The k best choices of one option for every item, best first, whose total length is from low to high. An item's\n"
      "options are in the order of their lengths.");

  m.def(
      "choose",
      [](Array<int64_t> item_ptr, Array<int64_t> option_ptr, Array<int64_t> length, Array<int64_t> value, Array<int64_t> setup,
         Array<uint8_t> required,
         int64_t budget) -> std::variant<std::tuple<Owned<int32_t>, int64_t, int64_t, int64_t>, int64_t> {
        validate(item_ptr, option_ptr, length, value, setup, required);
        Choose choose;
        bool found = false;
        {
          nb::gil_scoped_release release;
          found = choose.find({view(item_ptr), view(option_ptr), view(length), view(value), view(setup), view(required)}, budget);
        }
        if (!found) return choose.total.length;
        return std::tuple{numpy(std::move(choose.options)), choose.total.length, choose.total.value, choose.states};
      },
      "item_ptr"_a, "option_ptr"_a, "length"_a, "value"_a, "setup"_a, "required"_a, "budget"_a,
      "The option of every item (-1: none), the total length, the total value, and how many states were searched; where\n"
      "nothing fits, the least total length instead.");
}

}  // namespace laconic
