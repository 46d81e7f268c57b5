// What Python holds of the core: objects that keep the arrays alive that they look at.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "compress.hpp"
#include "score.hpp"

namespace laconic {

struct ParsesHandle {
  Parses parses;
  std::vector<nb::object> arrays;
};

// Anything that has p_ret of edges.
struct ScorerHandle {
  explicit ScorerHandle(std::vector<nb::object> arrays) : arrays(std::move(arrays)) {}
  virtual ~ScorerHandle() = default;
  virtual std::unique_ptr<Edges> edges(const Parses& parses, const Rules& rules) const = 0;

  std::vector<nb::object> arrays;
};

struct ModelHandle : ScorerHandle {
  ModelHandle(const Model& model, std::vector<nb::object> arrays) : ScorerHandle(std::move(arrays)), model(model) {}
  std::unique_ptr<Edges> edges(const Parses& parses, const Rules& rules) const override {
    return std::make_unique<ModelEdges>(parses, rules, model);
  }

  Model model;
};

struct ProbabilitiesHandle : ScorerHandle {
  ProbabilitiesHandle(const Array<float>& retain, const Array<float>& root_retain, const Array<float>& evidence)
      : ScorerHandle({nb::cast(retain), nb::cast(root_retain), nb::cast(evidence)}),
        probabilities{view(retain), view(root_retain), view(evidence)} {}
  std::unique_ptr<Edges> edges(const Parses& parses, const Rules&) const override {
    for (const size_t size : {probabilities.retain.size(), probabilities.root_retain.size(), probabilities.evidence.size()}) {
      if (size == parses.start.size()) continue;
      throw nb::value_error(("there are probabilities for " + std::to_string(size) + " tokens, and the parses have " +
                             std::to_string(parses.start.size()) + ": give one for each token").c_str());
    }
    return std::make_unique<GivenEdges>(probabilities);
  }

  Probabilities probabilities;
};

// The columns of results, in the order of laconic.decode.Decoded.
nb::tuple columns(Results&& results);

}  // namespace laconic
