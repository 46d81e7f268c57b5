// NumPy arrays at the border of the core: views of what comes in, columns of what goes out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace laconic {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Handed out: an array that NumPy owns, and one that looks into an object of the core and keeps it alive.
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

// Hands a vector's memory over to NumPy.
template <class T>
Owned<T> numpy(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Owned<T>(owned->data(), {owned->size()}, owner);
}

// The same for truth values, which are bytes here.
inline Owned<bool> numpy_mask(std::vector<uint8_t>&& values) {
  static_assert(sizeof(bool) == sizeof(uint8_t));
  auto* owned = new std::vector<uint8_t>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<uint8_t>*>(p); });
  return Owned<bool>(reinterpret_cast<bool*>(owned->data()), {owned->size()}, owner);
}

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
  if (!condition) throw nb::value_error(message);
}

// An attribute of a Python object that must be an array of this type; nothing is converted, or the core would work on a copy.
template <class Wanted>
Wanted attribute(nb::handle object, const char* name) {
  const nb::object value = object.attr(name);
  Wanted found;
  if (!nb::try_cast(value, found, false)) {
    throw nb::value_error((std::string(name) + " must be a contiguous array of its type").c_str());
  }
  return found;
}

// The parts of the module: enumerations, trees, programs over words, decoders, training, what reads a network's outputs, what fits documents into budgets.
void bind_enums(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_program(nb::module_& m);
void bind_score(nb::module_& m);
void bind_decode(nb::module_& m);
void bind_train(nb::module_& m);
void bind_network(nb::module_& m);
void bind_fit(nb::module_& m);

}  // namespace laconic
