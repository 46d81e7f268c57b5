// Python bindings of the core: arrays in, objects with named arrays out, the interpreter lock released while it works.
// The stub of the module, src/laconic/_core.pyi, is generated from the bindings: `make stubs`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <new>

#include "arrays.hpp"
#include "hash.hpp"

using namespace nanobind::literals;

namespace {

// Exceptions of the core become LaconicError in Python; those raised by Python itself, as on Ctrl-C, are passed on.
void translate(const std::exception_ptr& thrown, void*) {
  const auto raise = [](const char* message) {
    PyErr_SetString(nanobind::module_::import_("laconic.errors").attr("LaconicError").ptr(), message);
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    raise("there is not enough memory for this: give smaller inputs, or fewer at a time");
  } catch (const std::exception& error) {
    raise(error.what());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of laconic.";
  nanobind::register_exception_translator(translate);

  // Incremented when the same trees give other features: models must then be trained again (laconic.compatibility has
  // the trees).
  m.attr("FEATURES_VERSION") = 2;

  m.def(
      "hash_string", [](std::string_view text) { return laconic::hash_string(text); }, "text"_a,
      "The 64-bit id of a string: MurmurHash64A of its UTF-8 bytes.");

  laconic::bind_enums(m);
  laconic::bind_tree(m);
  laconic::bind_program(m);
  laconic::bind_score(m);
  laconic::bind_decode(m);
  laconic::bind_train(m);
  laconic::bind_network(m);
  laconic::bind_fit(m);
}
