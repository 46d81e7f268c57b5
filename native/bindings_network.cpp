// Python bindings for reading a network's outputs.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "network.hpp"
#include "pieces.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

using Cube = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::span<const float> view(const Cube& cube) { return {cube.data(), cube.size()}; }

template <class T>
std::span<T> read(nb::handle columns, const char* name) {
  return fill(attribute<MutableArray<T>>(columns, name));
}

NetworkColumns read_columns(nb::handle columns, const Matrix& logits) {
  const NetworkColumns found{read<int32_t>(columns, "head"),         read<uint8_t>(columns, "label"),
                             read<uint8_t>(columns, "tag"),          read<uint8_t>(columns, "entity"),
                             read<uint8_t>(columns, "entity_start"), {logits.data(), logits.size()}};
  for (const size_t size :
       {found.label.size(), found.tag.size(), found.entity.size(), found.entity_start.size(), logits.shape(0)}) {
    check(size == found.head.size(), "all token columns must have the same length");
  }
  return found;
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<WordPieces>(m, "WordPieces", "A vocabulary of word pieces, and how words are cut into them: native/pieces.hpp.")
      .def(nb::init<std::string_view>(), "lines"_a)
      .def("__len__", &WordPieces::size)
      .def(
          "cut",
          [](const WordPieces& self, const std::vector<std::string_view>& words, int32_t unknown) {
            std::vector<int32_t> pieces;
            for (const std::string_view word : words) self.cut(word, unknown, pieces);
            return pieces;
          },
          "words"_a, "unknown"_a, "The numbers of the pieces of normalised words, one word after another.");

  m.def(
      "read_network",
      [](nb::handle output, nb::handle words, nb::handle columns, int32_t tags, int32_t no_label, int32_t root_label) {
        const auto columns_logits = attribute<Matrix>(columns, "logits");
        const auto arc = attribute<Cube>(output, "arc"), label = attribute<Cube>(output, "label"),
                   word = attribute<Cube>(output, "word");
        const auto sentences = static_cast<int64_t>(arc.shape(0)), length = static_cast<int64_t>(arc.shape(1));
        const auto labels = static_cast<int32_t>(label.shape(2)), logits = static_cast<int32_t>(columns_logits.shape(1));
        const int32_t entities = static_cast<int32_t>(word.shape(2)) - tags - logits;
        check(arc.shape(2) == arc.shape(1), "arc must have a column for each piece");
        for (const Cube* cube : {&label, &word}) {
          check(cube->shape(0) == arc.shape(0) && cube->shape(1) == arc.shape(1), "all outputs must have a row for each piece");
        }
        check(tags > 1 && entities > 0, "word must have the columns of all classes");
        check(no_label >= 0 && no_label < labels && root_label >= 0 && root_label < labels, "labels must have columns");
        const auto ptr = attribute<Array<int64_t>>(words, "ptr"), row = attribute<Array<int64_t>>(words, "row");
        const auto piece = attribute<Array<int32_t>>(words, "piece"), token = attribute<Array<int32_t>>(words, "token");
        const size_t count = piece.size();
        check_pointers(ptr, static_cast<size_t>(sentences), count, "ptr must run from 0 to the number of words");
        check(row.size() == count && token.size() == count, "all columns of words must have the same length");
        const NetworkColumns to = read_columns(columns, columns_logits);
        for (size_t i = 0; i < count; ++i) {
          check(piece.data()[i] >= 0 && piece.data()[i] < length, "words must begin with a piece");
          check(row.data()[i] >= 0 && row.data()[i] < static_cast<int64_t>(to.head.size()), "words must be tokens");
        }
        nb::gil_scoped_release release;
        read_network({sentences, length, view(arc), view(label), view(word), labels, tags, entities, logits},
                     {view(ptr), view(piece), view(row), view(token)}, {no_label, root_label}, to);
      },
      "output"_a, "words"_a, "columns"_a, "tags"_a, "no_label"_a, "root_label"_a,
      nb::sig("def read_network(output: laconic.network.runtime.Batch, words: laconic.parse.network.Words, "
              "columns: laconic.parse.network.Columns, tags: int, no_label: int, root_label: int) -> None"),
      "Fills the columns of tokens from the outputs of one batch; the rows of other tokens stay as they are.");

  m.def(
      "arborescence",
      [](nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu> scores) {
        check(scores.shape(0) == scores.shape(1), "scores must have a column for each word");
        Arborescence tree;
        tree.find({scores.data(), scores.size()}, static_cast<int32_t>(scores.shape(0)));
        return numpy(std::move(tree.heads));
      },
      "scores"_a, "The heads of the best tree with one root; a root is its own head.");
}

}  // namespace laconic
