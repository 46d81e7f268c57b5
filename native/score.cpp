#include "score.hpp"

#include <algorithm>
#include <array>

namespace laconic {
namespace {

constexpr size_t ahead = 64;  // number of prefetched lookups: about one edge

}  // namespace

const std::vector<double>& FeatureSums::edges(std::span<const Edge> edges, const Table& table) {
  ids_.clear();
  ends_.clear();
  for (const Edge& edge : edges) {
    features_.edge(edge, ids_);
    ends_.push_back(ids_.size());
  }
  sums_.clear();
  size_t at = 0;
  for (const size_t end : ends_) {
    Lanes lanes{};
    for (; at < end; ++at) {
      if (at + ahead < ids_.size()) table.prefetch(ids_[at + ahead]);
      table.add(ids_[at], lanes);
    }
    sums_.push_back(static_cast<double>(sum(lanes)) * table.scale);
  }
  return sums_;
}

KBest::SizeScores FeatureSums::sizes(int32_t node, const Model& model) {
  ids_.clear();
  features_.node(node, ids_);
  std::array<int64_t, KBest::classes> sums{};
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (i + ahead < ids_.size()) model.nss.prefetch(ids_[i + ahead]);
    if (const int16_t* weights = model.nss.find(ids_[i])) {
      for (int32_t c = 0; c < KBest::classes; ++c) sums[c] += weights[c];
    }
  }
  std::array<double, KBest::classes> p{};
  double total = 0;
  const int64_t top = *std::max_element(sums.begin(), sums.end());
  for (int32_t c = 0; c < KBest::classes; ++c) {
    p[c] = std::exp(static_cast<double>(sums[c] - top) * model.nss.scale / model.temperature);
    total += p[c];
  }
  KBest::SizeScores scores{};
  for (int32_t c = 0; c < KBest::classes; ++c) {
    scores[c] = static_cast<Score>(static_cast<double>(log_score(p[c] / total)) * model.size_weight);
  }
  return scores;
}

void ModelEdges::retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) {
  edges_.clear();
  for (const int32_t child : children) edges_.push_back({node, child});
  const std::vector<double>& sums = feature_sums_.edges(edges_, model_.maxent);
  for (size_t i = 0; i < sums.size(); ++i) p_ret[i] = 1 / (1 + std::exp(sums[i]));  // weights are towards deletion
}

void GivenEdges::retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) {
  const std::span<const float> by_row = node < 0 ? given_.root_retain : given_.retain;
  for (size_t i = 0; i < children.size(); ++i) p_ret[i] = by_row[first_ + tree_->nodes[children[i]].word];
}

}  // namespace laconic
