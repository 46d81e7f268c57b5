#include "expected_f1.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "interrupt.hpp"
#include "realise.hpp"

namespace laconic {
namespace {

constexpr double one = 1 << 30;  // the sum of all p times an F1 of 1 is far from overflow
constexpr double margin = 0.6931471805599453;  // log 2: the first rank is at least half as probable as the best candidate

}  // namespace

void ExpectedF1::begin(const Tree& tree, std::span<const uint8_t> is_word, std::span<const float> evidence) {
  tree_ = &tree;
  evidence_ = evidence;
  int32_t words = 0;
  bit_.resize(is_word.size());
  for (size_t t = 0; t < is_word.size(); ++t) {
    bit_[t] = is_word[t] ? words++ : -1;
  }
  limbs_ = static_cast<size_t>(words + 63) / 64;
  bits_.clear();
  words_.clear();
  score_.clear();
}

void ExpectedF1::add(double score, const std::vector<int32_t>& nodes) {
  bits_.resize(bits_.size() + limbs_, 0);
  uint64_t* bits = bits_.data() + bits_.size() - limbs_;
  const int32_t root = root_of(*tree_, nodes);
  int32_t words = 0;
  for (const int32_t node : nodes) {
    for (const int32_t t : tree_->tokens(node)) {
      if (bit_[t] < 0 || (node == root && tree_->print[t] == Print::subordinate)) continue;
      bits[bit_[t] / 64] |= uint64_t{1} << (bit_[t] % 64);
      if (!evidence_.empty()) score += evidence_[t];
      ++words;
    }
  }
  words_.push_back(words);
  score_.push_back(score);
}

void ExpectedF1::weigh(double temperature) {
  top_ = score_.empty() ? 0 : *std::max_element(score_.begin(), score_.end());
  find_weights(temperature);
  f1_.resize(score_.size() * score_.size());
  known_.assign(score_.size(), 0);
  reached_.assign(score_.size(), 0);
  left_.resize(score_.size());
  std::iota(left_.begin(), left_.end(), 0);
}

int32_t ExpectedF1::next() {
  if (left_.empty()) return -1;
  const bool first = left_.size() == score_.size();
  auto best = left_.begin();
  int64_t most = -1;
  for (auto it = left_.begin(); it != left_.end(); ++it) {
    if (first && score_[*it] < top_ - margin) continue;
    const int64_t adds = gain(*it);
    if (adds > most) {
      most = adds;
      best = it;
    }
  }
  const int32_t chosen = *best;
  const int32_t* own = f1(chosen);
  for (size_t i = 0; i < score_.size(); ++i) reached_[i] = std::max(reached_[i], own[i]);
  left_.erase(best);
  return chosen;
}

void ExpectedF1::find_weights(double temperature) {
  double total = 0;
  p_.clear();
  for (const double score : score_) total += p_.emplace_back(std::exp((score - top_) / temperature));
  weight_.clear();
  for (const double p : p_) weight_.push_back(static_cast<int32_t>(std::lrint(p / total * one)));
}

const int32_t* ExpectedF1::f1(size_t candidate) {
  const size_t n = score_.size();
  int32_t* row = f1_.data() + candidate * n;
  if (known_[candidate]) return row;
  count_steps(n * limbs_);
  for (size_t other = 0; other < n; ++other) {
    if (known_[other]) {
      row[other] = f1_[other * n + candidate];
      continue;
    }
    int32_t common = 0;
    for (size_t i = 0; i < limbs_; ++i) common += std::popcount(bits_[candidate * limbs_ + i] & bits_[other * limbs_ + i]);
    row[other] = static_cast<int32_t>(2 * common * one / std::max(words_[candidate] + words_[other], 1));
  }
  known_[candidate] = 1;
  return row;
}

// The gain in the expected F1 of the best in the list if a candidate is added.
int64_t ExpectedF1::gain(size_t candidate) {
  const int32_t* own = f1(candidate);
  count_steps(weight_.size());
  int64_t sum = 0;
  for (size_t i = 0; i < weight_.size(); ++i) {
    sum += static_cast<int64_t>(weight_[i]) * std::max(own[i] - reached_[i], 0);
  }
  return sum;
}

}  // namespace laconic
