#include "levels.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {
namespace {

float probability(float logit) { return 1 / (1 + std::exp(-logit)); }

// -log(1 - p) of the probability that belongs to a logit.
float cost(float logit) { return std::max(logit, 0.0F) + std::log1p(std::exp(-std::abs(logit))); }

}  // namespace

LevelProbabilities between_levels(const Forest& forest, const LevelLogits& logits, const LevelSettings& settings,
                                  std::span<const double> places, std::span<const uint8_t> fills) {
  const size_t tokens = forest.parses.start.size();
  LevelProbabilities found{std::vector<float>(tokens), std::vector<float>(tokens), std::vector<float>(tokens),
                           std::vector<float>(tokens), std::vector<float>(tokens)};
  for (size_t i = 0; i < forest.size(); ++i) {
    const double place = std::clamp(places[i], 1.0, static_cast<double>(nested_levels));
    const size_t longer = std::min(static_cast<size_t>(place), nested_levels - 1) - 1;  // index of the longer level
    const auto part = static_cast<float>(place - 1 - static_cast<double>(longer));
    const auto mixed = [=](float one, float other) { return one * (1 - part) + other * part; };
    const auto setting = [=](const auto& values) { return mixed(values[longer], values[longer + 1]); };
    const float threshold = !fills.empty() && fills[i] ? 0 : setting(settings.thresholds);
    const float weight = setting(settings.probability_weights), need_weight = setting(settings.need_weights);
    for (int64_t row = forest.sentences[i].first; row < forest.sentences[i].last; ++row) {
      const auto between = [&](const Logits& own) { return mixed(own(row, longer), own(row, longer + 1)); };
      found.retain[row] = probability(settings.edge_weight * between(logits.retain));
      found.root_retain[row] = probability(between(logits.root));
      // Punctuation, which is in no node, follows the words.
      found.evidence[row] = forest.node_of[row] < 0 ? 0 : weight * (probability(between(logits.keep)) - threshold);
      found.need[row] = need_weight * cost(logits.need(row, 0));
      found.alone[row] = need_weight * cost(logits.alone(row, 0));
    }
  }
  return found;
}

}  // namespace laconic
