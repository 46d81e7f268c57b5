#include "train.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "hash.hpp"
#include "interrupt.hpp"
#include "threads.hpp"

namespace laconic {

void extract(const Forest& forest, std::span<const uint8_t> gold, bool nodes, double min_f1, Examples& out) {
  GoldSubtree target;
  Features features;
  std::vector<uint8_t> is_word;
  for (size_t number = 0; number < forest.size(); ++number) {
    const Sentence& sentence = forest.sentences[number];
    const Tree tree = forest.tree(number);
    count_steps(tree.length());
    find_words(forest.parses, sentence, is_word);
    target.find(tree, gold.subspan(sentence.first, is_word.size()), is_word);
    if (target.root < 0 || target.f1 < min_f1) continue;
    features.prepare(forest.parses, sentence, forest.rules, tree);
    const auto end = [&](uint8_t label) {
      out.ptr.push_back(static_cast<int64_t>(out.ids.size()));
      out.label.push_back(label);
    };
    for (int32_t i = 0; i < tree.size(); ++i) {
      const Tree::Node& node = tree.nodes[i];
      if (nodes) {
        if (!target.kept[i] || tree.children(i).empty()) continue;
        int32_t retained = 0;
        for (const int32_t c : tree.children(i)) retained += target.kept[c];
        features.node(i, out.ids);
        end(static_cast<uint8_t>(std::min(retained, 4)));
      } else {
        if (node.root_edge) {
          features.edge({-1, i}, out.ids);
          end(i != target.root);
        }
        if (node.parent >= 0 && target.kept[node.parent]) {
          features.edge({node.parent, i}, out.ids);
          end(!target.kept[i]);
        }
      }
    }
  }
}

FeatureIndex::FeatureIndex() : slots_(1 << 16) {}

FeatureIndex::Slot* FeatureIndex::find(uint32_t id) {
  const size_t mask = slots_.size() - 1;
  size_t at = mix(id, 0) & mask;
  while (slots_[at].count != 0 && slots_[at].id != id) at = (at + 1) & mask;
  return &slots_[at];
}

void FeatureIndex::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.count != 0) *find(slot.id) = slot;
  }
}

void FeatureIndex::count(std::span<const uint32_t> ids) {
  for (const uint32_t id : ids) {
    count_steps();
    Slot* slot = find(id);
    if (slot->count == 0) {
      slot->id = id;
      if (++used_ * 2 > slots_.size()) {
        slot->count = 1;
        grow();
        continue;
      }
    }
    ++slot->count;
  }
}

void FeatureIndex::prune(uint32_t least) {
  std::vector<uint32_t> frequent;
  for (const Slot& slot : slots_) {
    if (slot.count != 0 && slot.count >= least) frequent.push_back(slot.id);
  }
  std::sort(frequent.begin(), frequent.end());
  used_ = frequent.size();
  size_t size = 1 << 16;
  while (size < 2 * used_) size *= 2;
  slots_.assign(size, {});
  for (size_t i = 0; i < frequent.size(); ++i) *find(frequent[i]) = {frequent[i], static_cast<uint32_t>(i + 1)};
}

std::vector<uint32_t> FeatureIndex::ids() const {
  std::vector<uint32_t> all(used_);
  for (const Slot& slot : slots_) {
    if (slot.count != 0) all[slot.count - 1] = slot.id;
  }
  return all;
}

void FeatureIndex::number(std::span<const uint32_t> ids, std::span<const int64_t> ptr, std::vector<int32_t>& columns,
                          std::vector<int64_t>& new_ptr) const {
  new_ptr.assign(1, 0);
  for (size_t row = 0; row + 1 < ptr.size(); ++row) {
    count_steps(ptr[row + 1] - ptr[row]);
    for (int64_t i = ptr[row]; i < ptr[row + 1]; ++i) {
      const Slot* slot = find(ids[i]);
      if (slot->count != 0) columns.push_back(static_cast<int32_t>(slot->count - 1));
    }
    new_ptr.push_back(static_cast<int64_t>(columns.size()));
  }
}

double logistic_loss(std::span<const int64_t> ptr, std::span<const int32_t> columns, std::span<const uint8_t> label,
                     std::span<const double> weights, std::span<double> gradient, int32_t threads) {
  constexpr int32_t blocks = 4;
  const auto rows = static_cast<int64_t>(label.size());
  std::vector<std::vector<double>> gradients(blocks);
  std::vector<double> losses(blocks, 0);
  std::atomic<int32_t> next{0};
  const auto work = [&](bool own_thread) {
    for (int32_t block; (block = next++) < blocks;) {
      auto& own = gradients[block];
      own.assign(weights.size(), 0);
      double loss = 0;
      for (int64_t row = rows * block / blocks; row < rows * (block + 1) / blocks; ++row) {
        if (own_thread) count_steps(ptr[row + 1] - ptr[row]);
        double sum = 0;
        for (int64_t i = ptr[row]; i < ptr[row + 1]; ++i) sum += weights[columns[i]];
        const double margin = label[row] ? sum : -sum;
        loss += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
        const double slope = 1 / (1 + std::exp(-sum)) - label[row];
        for (int64_t i = ptr[row]; i < ptr[row + 1]; ++i) own[columns[i]] += slope;
      }
      losses[block] = loss;
    }
  };
  run_in_threads(threads, work, [&] { next = blocks; });
  double loss = 0;
  std::fill(gradient.begin(), gradient.end(), 0);
  for (int32_t block = 0; block < blocks; ++block) {
    loss += losses[block];
    for (size_t i = 0; i < gradient.size(); ++i) gradient[i] += gradients[block][i];
  }
  const double share = rows > 0 ? 1.0 / static_cast<double>(rows) : 0;
  for (double& g : gradient) g *= share;
  return loss * share;
}

int64_t perceptron_pass(std::span<const int64_t> ptr, std::span<const int32_t> columns, std::span<const uint8_t> label,
                        std::span<const int64_t> order, int32_t classes, int64_t step, std::span<double> weights,
                        std::span<double> totals) {
  int64_t mistakes = 0;
  std::vector<double> scores(classes);
  for (const int64_t row : order) {
    ++step;
    std::fill(scores.begin(), scores.end(), 0);
    count_steps((ptr[row + 1] - ptr[row]) * classes);
    for (int64_t i = ptr[row]; i < ptr[row + 1]; ++i) {
      for (int32_t c = 0; c < classes; ++c) scores[c] += weights[int64_t{columns[i]} * classes + c];
    }
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    if (best == label[row]) continue;
    ++mistakes;
    const auto when = static_cast<double>(step);
    for (int64_t i = ptr[row]; i < ptr[row + 1]; ++i) {
      const int64_t at = int64_t{columns[i]} * classes;
      weights[at + label[row]] += 1;
      totals[at + label[row]] += when;
      weights[at + best] -= 1;
      totals[at + best] -= when;
    }
  }
  return mistakes;
}

}  // namespace laconic
