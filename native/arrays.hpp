// NumPy arrays at the boundary of the core: views of inputs, columns of outputs.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace laconic {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Outputs: an array that NumPy owns, and one that refers to an object of the core and keeps it alive.
template <class T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Column = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
std::span<T> fill(const MutableArray<T>& array) {
  return {array.data(), array.size()};
}

// Transfers a vector's memory to NumPy, optionally as elements of another type of the same size.
template <class T, class Element = T>
Owned<Element> numpy(std::vector<T>&& values) {
  static_assert(sizeof(T) == sizeof(Element));
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  nb::capsule owner(held.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  std::vector<T>& owned = *held.release();  // owned by the capsule from here on
  return Owned<Element>(reinterpret_cast<Element*>(owned.data()), {owned.size()}, owner);
}

// Booleans, which are stored as bytes.
inline Owned<bool> numpy_mask(std::vector<uint8_t>&& values) { return numpy<uint8_t, bool>(std::move(values)); }

template <class T>
Column<T> column(nb::handle owner, const std::vector<T>& values) {
  return Column<T>(values.data(), {values.size()}, owner);
}

// One field of all the structures in a vector.
template <class Struct, class T>
Column<T> column(nb::handle owner, const std::vector<Struct>& values, const T Struct::* field) {
  static_assert(sizeof(Struct) % sizeof(T) == 0);
  const T* first = values.empty() ? nullptr : &(values.front().*field);
  return Column<T>(first, {values.size()}, owner, {static_cast<int64_t>(sizeof(Struct) / sizeof(T))});
}

inline void check(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// Row pointers: `entries` start positions and one end.
inline void check_pointers(const Array<int64_t>& pointers, size_t entries, size_t end, const char* message) {
  check(pointers.size() == entries + 1 && pointers.data()[0] == 0 && pointers.data()[entries] == static_cast<int64_t>(end) &&
            std::is_sorted(pointers.data(), pointers.data() + pointers.size()),
        message);
}

// The parent of every node of a tree: a node, or -1; without cycles.
inline void check_parents(const Array<int32_t>& parent) {
  const auto n = static_cast<int32_t>(parent.size());
  check(parent.size() < size_t{1} << 31, "there must be fewer than 2^31 nodes");
  std::vector<int32_t> seen(parent.size(), -1);  // by node: the start of the walk that reached it
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t at = i; at >= 0 && seen[at] < 0; at = parent.data()[at]) {
      const int32_t above = parent.data()[at];
      check(above >= -1 && above < n, "parents must be nodes, or -1");
      seen[at] = i;
      check(above < 0 || seen[above] != i, "parents must not go round in a circle");
    }
  }
}

// An attribute of a Python object that must be an array of this type; it is not converted, as the core would use a copy.
template <class Wanted>
Wanted attribute(nb::handle object, const char* name) {
  const nb::object value = object.attr(name);
  Wanted found;
  if (!nb::try_cast(value, found, false)) {
    throw std::invalid_argument(std::string(name) + " must be a contiguous array of its type");
  }
  return found;
}

// Functions that bind the parts of the module: enumerations, trees, programs over words, decoders, training, the outputs
// of the network, fitting documents.
void bind_enums(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_program(nb::module_& m);
void bind_score(nb::module_& m);
void bind_decode(nb::module_& m);
void bind_train(nb::module_& m);
void bind_network(nb::module_& m);
void bind_fit(nb::module_& m);

}  // namespace laconic
