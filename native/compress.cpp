#include "compress.hpp"

#include <chrono>
#include <cmath>

namespace laconic {

void Scorer::score(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
                   const Model& model, bool with_sizes, Scored& out) {
  const int32_t n = tree.size();
  features_.prepare(parses, sentence, rules, tree);
  ids_.clear();
  ends_.clear();
  for (int32_t i = 0; i < n; ++i) {
    if (tree.nodes[i].root_edge) {
      features_.edge({-1, i}, ids_);
      ends_.push_back(ids_.size());
    }
    if (tree.nodes[i].parent >= 0) {
      features_.edge({tree.nodes[i].parent, i}, ids_);
      ends_.push_back(ids_.size());
    }
  }
  out.retain.assign(n, 0);
  out.root_retain.assign(n, -1);
  constexpr size_t ahead = 12;  // lookups whose cache lines are on the way
  size_t at = 0, edge = 0;
  const auto p_ret = [&] {
    int64_t sum = 0;
    const size_t end = ends_[edge++];
    for (; at < end; ++at) {
      if (at + ahead < ids_.size()) __builtin_prefetch(model.maxent.home(ids_[at + ahead]));
      if (const int16_t* weight = model.maxent.find(ids_[at])) sum += *weight;
    }
    return 1 / (1 + std::exp(static_cast<double>(sum) * model.maxent.scale));
  };
  for (int32_t i = 0; i < n; ++i) {
    if (tree.nodes[i].root_edge) out.root_retain[i] = p_ret();
    if (tree.nodes[i].parent >= 0) out.retain[i] = p_ret();
  }
  if (!with_sizes) return;
  out.sizes.assign(n, {});
  for (int32_t i = 0; i < n; ++i) {
    if (tree.children(i).empty()) continue;
    ids_.clear();
    features_.node(i, ids_);
    std::array<int64_t, KBest::classes> sums{};
    for (size_t j = 0; j < ids_.size(); ++j) {
      if (j + ahead < ids_.size()) __builtin_prefetch(model.nss.home(ids_[j + ahead]));
      if (const int16_t* weights = model.nss.find(ids_[j])) {
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
    for (int32_t c = 0; c < KBest::classes; ++c) {
      out.sizes[i][c] = static_cast<Score>(static_cast<double>(log_score(p[c] / total)) * model.size_weight);
    }
  }
}

void compress(const Parses& parses, const Rules& rules, const Model& model, const Options& options, Results& results) {
  using Clock = std::chrono::steady_clock;
  Tree tree;
  Scorer scorer;
  Scored scored;
  KBest k_best;
  Realiser realiser;
  std::vector<int32_t> parent;
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  std::vector<Piece> pieces;
  for (const Sentence& sentence : sentences(parses)) {
    const auto start = Clock::now();
    tree.build(parses, sentence, rules);
    const auto built = Clock::now();
    const int32_t n = tree.size();
    scorer.score(parses, sentence, rules, tree, model, options.beam > 0, scored);
    const auto rated = Clock::now();
    parent.resize(n);
    for (int32_t i = 0; i < n; ++i) {
      parent[i] = tree.nodes[i].parent;
      scored.retain[i] = 1 - rescale(1 - scored.retain[i], options.rho);
    }
    k_best.reset(parent, scored.retain, scored.root_retain);
    if (options.beam > 0) k_best.set_sizes(scored.sizes, options.beam);
    size_t count = 0;
    while (static_cast<int64_t>(count) < options.k && k_best.next()) {
      if (found.size() <= count) found.emplace_back();
      found[count].first = k_best.score();
      found[count].second = k_best.nodes();
      ++count;
    }
    const auto decoded = Clock::now();
    realiser.prepare(parses, sentence, tree);
    for (size_t i = 0; i < count; ++i) {
      const auto& [score, nodes] = found[i];
      realiser.realise(nodes, root_of(tree, nodes), pieces);
      results.score.push_back(score);
      results.node.insert(results.node.end(), nodes.begin(), nodes.end());
      results.node_ptr.push_back(static_cast<int64_t>(results.node.size()));
      for (const Piece& piece : pieces) {
        results.piece_start.push_back(piece.start);
        results.piece_end.push_back(piece.end);
        results.piece_space.push_back(piece.space);
        results.piece_word.push_back(piece.word);
      }
      results.piece_ptr.push_back(static_cast<int64_t>(results.piece_start.size()));
    }
    const auto realised = Clock::now();
    results.sentence_text.push_back(sentence.text);
    results.sentence_first.push_back(sentence.first);
    results.sentence_last.push_back(sentence.last);
    results.result_ptr.push_back(static_cast<int64_t>(results.score.size()));
    for (const auto& [from, to] : {std::pair{start, built}, {built, rated}, {rated, decoded}, {decoded, realised}}) {
      results.nanoseconds.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
    }
  }
}

}  // namespace laconic
