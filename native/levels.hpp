// p_ret at one level or between two, from the logits of a network (laconic.score.level_scores).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forest.hpp"

namespace laconic {

// The nested levels: light, medium, short.
constexpr size_t nested_levels = 3;

// Logits by token and level, as a view of an array of any strides.
struct Logits {
  const float* data;
  int64_t row_stride, column_stride;

  float operator()(size_t row, size_t column) const {
    return data[static_cast<int64_t>(row) * row_stride + static_cast<int64_t>(column) * column_stride];
  }
};

struct LevelLogits {
  Logits retain, root, keep;  // the first columns are the nested levels
  Logits need, alone;         // one column
};

// The settings of the nested levels, from light to short (laconic.score.level_scores.Decoding).
struct LevelSettings {
  float edge_weight;
  std::array<float, nested_levels> need_weights, probability_weights, thresholds;
};

// As `Probabilities`, by token.
struct LevelProbabilities {
  std::vector<float> retain, root_retain, evidence, need, alone;
};

// `places` are the positions of the sentences on the line of levels; `fills`, unless it is empty, marks the sentences
// that use up their budget: their words have no threshold.
LevelProbabilities between_levels(const Forest& forest, const LevelLogits& logits, const LevelSettings& settings,
                                  std::span<const double> places, std::span<const uint8_t> fills);

}  // namespace laconic
