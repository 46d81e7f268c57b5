// The Python handles of core objects, which keep the arrays that they refer to alive.
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

struct ForestHandle {
  nb::object parses;               // laconic.parse.Parses
  std::vector<nb::object> arrays;  // its columns
  Forest forest;
  std::vector<int64_t> row;        // by node: the row of its head word in the parses
};

// The columns of laconic.parse.Parses, by name, checked; `arrays` keeps them alive.
Parses read_parses(nb::handle parses, std::vector<nb::object>& arrays);

// Anything that has p_ret of edges.
struct EdgeScoresHandle {
  explicit EdgeScoresHandle(std::vector<nb::object> arrays) : arrays(std::move(arrays)) {}
  virtual ~EdgeScoresHandle() = default;
  virtual std::unique_ptr<Edges> edges(const Forest& forest) const = 0;

  std::vector<nb::object> arrays;
};

struct ModelHandle : EdgeScoresHandle {
  ModelHandle(const Model& model, std::vector<nb::object> arrays) : EdgeScoresHandle(std::move(arrays)), model(model) {}
  std::unique_ptr<Edges> edges(const Forest& forest) const override {
    return std::make_unique<ModelEdges>(forest.parses, forest.rules, model);
  }

  Model model;
};

struct ProbabilitiesHandle : EdgeScoresHandle {
  ProbabilitiesHandle(const Array<float>& retain, const Array<float>& root_retain, const Array<float>& evidence,
                      const Array<float>& need, const Array<float>& alone)
      : EdgeScoresHandle({nb::cast(retain), nb::cast(root_retain), nb::cast(evidence), nb::cast(need), nb::cast(alone)}),
        probabilities{view(retain), view(root_retain), view(evidence), view(need), view(alone)} {}
  std::unique_ptr<Edges> edges(const Forest& forest) const override {
    const size_t tokens = forest.parses.start.size();
    const auto& [retain, root_retain, evidence, need, alone] = probabilities;
    for (const size_t size : {retain.size(), root_retain.size(), evidence.size(), need.size(), alone.size()}) {
      if (size == tokens) continue;
      throw std::invalid_argument("there are probabilities for " + std::to_string(size) + " tokens, and the parses have " +
                                  std::to_string(tokens) + ": give one for each token");
    }
    return std::make_unique<GivenEdges>(probabilities);
  }

  Probabilities probabilities;
};

}  // namespace laconic
