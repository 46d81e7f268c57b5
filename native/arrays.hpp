// NumPy arrays at the border of the core: views of what comes in, vectors that are handed out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace laconic {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector's memory over to NumPy.
template <class T>
nb::object numpy(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

inline void check(bool condition, const char* message) {
  if (!condition) throw nb::value_error(message);
}

// The parts of the module: decoders, training, what reads a network's outputs, and what fits documents into budgets.
void bind_decode(nb::module_& m);
void bind_train(nb::module_& m);
void bind_network(nb::module_& m);
void bind_fit(nb::module_& m);

}  // namespace laconic
