// The order of a sentence's best subtrees by expected F1 (minimum Bayes risk; Kumar & Byrne 2004): which of them is, on
// average over what may be right, closest to it?
//
// The candidates' scores are log-probabilities, to which the log-odds of their words may be added as further evidence
// (a product of experts: the tree's edges and the words), and F1(c, i) compares the words that two candidates print. The first
// rank is the candidate c with the highest Σ_i p(i)·F1(c, i) among those whose scores are within log 2 of the
// best, since a compromise between two good sentences need not be a sentence; each later one adds most to the expected F1 of the best in
// the list, Σ_i p(i)·max_{c in list} F1(c, i). Of two that add the same the one with the better score comes first.
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
  // The number of the candidate in the next rank, or -1 where there is none.
  int32_t next();

 private:
  void find_weights(double temperature);
  // F1 of a candidate with each: found when it is first asked for, since for one rank few are.
  const int32_t* f1(size_t candidate);
  int64_t gain(size_t candidate);

  const Tree* tree_ = nullptr;
  std::span<const float> evidence_;  // by token, or empty
  std::vector<int32_t> bit_;  // by token: its number among the words, or -1 for what is never printed or no word
  size_t limbs_ = 0;  // 64 words each
  std::vector<uint64_t> bits_;  // candidates × limbs: the words of a candidate
  std::vector<int32_t> words_;  // by candidate: how many
  std::vector<double> score_;
  double top_ = 0;  // the best score
  std::vector<double> p_;
  std::vector<int32_t> weight_;  // p of a candidate
  std::vector<int32_t> f1_;  // candidates × candidates
  std::vector<uint8_t> known_;  // by candidate: its row of these is there
  std::vector<int32_t> reached_;  // by candidate: the highest F1 of those in the list with it
  std::vector<int32_t> left_;  // candidates that have no rank yet, best first
};

}  // namespace laconic
