// The parts of training that are in the core: labelled edges and nodes with their features, a feature index, the loss of a
// maximum entropy model, an averaged perceptron.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features.hpp"
#include "forest.hpp"
#include "gold.hpp"

namespace laconic {

// Rows of feature ids with a label each.
struct Examples {
  std::vector<int64_t> ptr{0};
  std::vector<uint32_t> ids;
  std::vector<uint8_t> label;
};

// Edges with label 1 for deletion: the edges that leave nodes of the gold subtree, and the dummy root's edges (paper
// §2.2). With `nodes`, instead the nodes of the gold subtree that have children, labelled with the number of children
// retained, at most 4 (paper §3). Items whose best subtree has an F1 below `min_f1` are left out, as the tree cannot
// express their gold.
void extract(const Forest& forest, std::span<const uint8_t> gold, bool nodes, double min_f1, Examples& out);

// Counts features and indexes those that are frequent enough.
class FeatureIndex {
 public:
  FeatureIndex();
  void count(std::span<const uint32_t> ids);
  // Drops features seen fewer than `least` times and numbers the others from 0.
  void prune(uint32_t least);
  size_t size() const { return used_; }
  // The ids of features, by index.
  std::vector<uint32_t> ids() const;
  // Replaces ids by indices, dropping those that are not indexed; `ptr` is adjusted.
  void number(std::span<const uint32_t> ids, std::span<const int64_t> ptr, std::vector<int32_t>& columns,
              std::vector<int64_t>& new_ptr) const;

 private:
  struct Slot {
    uint32_t id;
    uint32_t count;  // 0: empty; after prune: index + 1
  };
  Slot* find(uint32_t id);
  const Slot* find(uint32_t id) const { return const_cast<FeatureIndex*>(this)->find(id); }
  void grow();
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// The mean logistic loss of binary features, and its gradient. Rows are split into four blocks with a gradient each, so
// that the sum does not depend on the number of threads; more than four threads are not used.
double logistic_loss(std::span<const int64_t> ptr, std::span<const int32_t> columns, std::span<const uint8_t> label,
                     std::span<const double> weights, std::span<double> gradient, int32_t threads);

// One pass of an averaged perceptron over rows in the given order. `weights` and `totals` are features × classes; `totals`
// accumulates what averaging subtracts.
int64_t perceptron_pass(std::span<const int64_t> ptr, std::span<const int32_t> columns, std::span<const uint8_t> label,
                        std::span<const int64_t> order, int32_t classes, int64_t step, std::span<double> weights,
                        std::span<double> totals);

}  // namespace laconic
