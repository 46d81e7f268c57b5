// Orders a sentence's best subtrees by expected F1 (minimum Bayes risk; Kumar & Byrne 2004): their average similarity to
// all candidates, weighted by probability.
//
// The candidates' scores are log-probabilities, to which the log-odds of their words can be added as further evidence (a
// product of experts: the tree's edges and the words). F1(c, i) compares the words that two candidates print. The first
// rank is the candidate c with the highest Σ_i p(i)·F1(c, i) among those whose scores are within log 2 of the best,
// since a compromise between two good sentences need not be a sentence. Each later one maximises the gain in the
// expected F1 of the best in the list, Σ_i p(i)·max_{c in list} F1(c, i). Ties are broken by score.
//
// p and F1 are fixed-point integers: sums are exact in any order, and ties are ties.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree.hpp"

namespace laconic {

// For each sentence: `begin`, `add` the candidates best first, `weigh` them, then `next`. All vectors keep their memory.
class ExpectedF1 {
 public:
  void begin(const Tree& tree, std::span<const uint8_t> is_word, std::span<const float> evidence);
  void add(double score, const std::vector<int32_t>& nodes);
  void weigh(double temperature);
  // The number of the candidate at the next rank, or -1 if there is none.
  int32_t next();

 private:
  void find_weights(double temperature);
  // F1 of a candidate with every candidate; computed on first use, since few are needed for one rank.
  const int32_t* f1(size_t candidate);
  int64_t gain(size_t candidate);

  const Tree* tree_ = nullptr;
  std::span<const float> evidence_;  // by token, or empty
  std::vector<int32_t> bit_;  // by token: its bit; -1 if it is never printed or not a word
  size_t limbs_ = 0;  // 64 words each
  std::vector<uint64_t> bits_;  // candidates × limbs: the words of a candidate
  std::vector<int32_t> words_;  // by candidate: number of words
  std::vector<double> score_;
  double top_ = 0;  // the best score
  std::vector<double> p_;
  std::vector<int32_t> weight_;  // p of a candidate
  std::vector<int32_t> f1_;  // candidates × candidates
  std::vector<uint8_t> known_;  // by candidate: whether its row of `f1_` has been computed
  std::vector<int32_t> reached_;  // by candidate: its highest F1 with any in the list
  std::vector<int32_t> left_;  // candidates without a rank so far, best first
};

}  // namespace laconic
