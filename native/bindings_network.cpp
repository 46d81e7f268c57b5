// The Python face of what reads a network's outputs.
#include <algorithm>

#include "arrays.hpp"
#include "network.hpp"

using namespace nanobind::literals;

namespace laconic {
namespace {

using Cube = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::span<const float> view(const Cube& cube) { return {cube.data(), cube.size()}; }

template <class T>
std::span<T> fill(MutableArray<T>& array) {
  return {array.data(), array.size()};
}

}  // namespace

void bind_network(nb::module_& m) {
  // Fills the columns of tokens from the outputs of one batch; the rows of other tokens stay as they are.
  m.def("read_network", [](Cube arc, Cube label, Cube word, int32_t tags, int32_t no_label, int32_t root_label,
                           Array<int64_t> word_ptr, Array<int32_t> word_piece, Array<int64_t> word_row,
                           Array<int32_t> word_token, MutableArray<int32_t> head, MutableArray<uint8_t> out_label,
                           MutableArray<uint8_t> tag, MutableArray<uint8_t> entity, MutableArray<uint8_t> entity_start,
                           MutableArray<float> retain, MutableArray<float> root_retain,
                           MutableArray<float> keep) {
    const auto sentences = static_cast<int64_t>(arc.shape(0)), length = static_cast<int64_t>(arc.shape(1));
    const auto labels = static_cast<int32_t>(label.shape(2)), entities = static_cast<int32_t>(word.shape(2)) - tags - 3;
    check(arc.shape(2) == arc.shape(1), "arc must have a column for each piece");
    for (const Cube* cube : {&label, &word}) {
      check(cube->shape(0) == arc.shape(0) && cube->shape(1) == arc.shape(1), "all outputs must have a row for each piece");
    }
    check(tags > 1 && entities > 0, "word must have the columns of all classes");
    check(no_label >= 0 && no_label < labels && root_label >= 0 && root_label < labels, "labels must have columns");
    const size_t words = word_piece.size();
    check(static_cast<int64_t>(word_ptr.size()) == sentences + 1 && word_ptr.data()[0] == 0 &&
              word_ptr.data()[sentences] == static_cast<int64_t>(words) &&
              std::is_sorted(word_ptr.data(), word_ptr.data() + word_ptr.size()),
          "word_ptr must run from 0 to the number of words");
    check(word_row.size() == words && word_token.size() == words, "all columns of words must have the same length");
    const size_t rows = head.size();
    for (const size_t size : {out_label.size(), tag.size(), entity.size(), entity_start.size(), retain.size(), root_retain.size(), keep.size()}) {
      check(size == rows, "all token columns must have the same length");
    }
    for (size_t i = 0; i < words; ++i) {
      check(word_piece.data()[i] >= 0 && word_piece.data()[i] < length, "words must begin with a piece");
      check(word_row.data()[i] >= 0 && word_row.data()[i] < static_cast<int64_t>(rows), "words must be tokens");
    }
    nb::gil_scoped_release release;
    read_network({sentences, length, view(arc), view(label), view(word), labels, tags, entities},
                 {view(word_ptr), view(word_piece), view(word_row), view(word_token)}, {no_label, root_label},
                 {fill(head), fill(out_label), fill(tag), fill(entity), fill(entity_start), fill(retain),
                  fill(root_retain), fill(keep)});
  }, "arc"_a, "label"_a, "word"_a, "tags"_a, "no_label"_a, "root_label"_a, "word_ptr"_a, "word_piece"_a, "word_row"_a,
        "word_token"_a, "head"_a, "out_label"_a, "tag"_a, "entity"_a, "entity_start"_a, "retain"_a, "root_retain"_a,
        "keep"_a);

  // The heads of the best tree with one root; a root is its own head.
  m.def("arborescence", [](nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu> scores) {
    check(scores.shape(0) == scores.shape(1), "scores must have a column for each word");
    Arborescence tree;
    tree.find({scores.data(), scores.size()}, static_cast<int32_t>(scores.shape(0)));
    return numpy(std::move(tree.heads));
  }, "scores"_a);
}

}  // namespace laconic
