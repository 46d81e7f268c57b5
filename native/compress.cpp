#include "compress.hpp"

#include <cmath>

#include "clock.hpp"

namespace laconic {
namespace {

constexpr size_t ahead = 64;  // lookups whose cache lines are on the way: about an edge

}  // namespace

void Scorer::score_edges(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
                         const Table& table, std::vector<double>& out) {
  features_.prepare(parses, sentence, rules, tree);
  ids_.clear();
  ends_.clear();
  for_each_edge(tree, [&](const Edge& edge) {
    features_.edge(edge, ids_);
    ends_.push_back(ids_.size());
  });
  out.clear();
  size_t at = 0;
  for (const size_t end : ends_) {
    Lanes sums{};
    for (; at < end; ++at) {
      if (at + ahead < ids_.size()) table.prefetch(ids_[at + ahead]);
      table.add(ids_[at], sums);
    }
    out.push_back(static_cast<double>(sum(sums)) * table.scale);
  }
}

void Scorer::score(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
                   const Model& model, bool with_sizes, Scored& out) {
  const int32_t n = tree.size();
  score_edges(parses, sentence, rules, tree, model.maxent, scores_);
  out.retain.assign(n, 0);
  out.root_retain.assign(n, -1);
  size_t edge_number = 0;
  for_each_edge(tree, [&](const Edge& edge) {
    auto& p_ret = edge.head < 0 ? out.root_retain : out.retain;
    p_ret[edge.node] = 1 / (1 + std::exp(scores_[edge_number++]));
  });
  if (!with_sizes) return;
  out.sizes.assign(n, {});
  for (int32_t i = 0; i < n; ++i) {
    if (tree.children(i).empty()) continue;
    ids_.clear();
    features_.node(i, ids_);
    std::array<int64_t, KBest::classes> sums{};
    for (size_t j = 0; j < ids_.size(); ++j) {
      if (j + ahead < ids_.size()) model.nss.prefetch(ids_[j + ahead]);
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

void Writer::begin(const Sentence& sentence, const Tree& tree) {
  sentence_ = sentence;
  tree_ = &tree;
  realiser_.prepare(parses_, sentence_, tree);
}

int64_t Writer::add(double score, const std::vector<int32_t>& nodes, int64_t room) {
  realiser_.realise(nodes, root_of(*tree_, nodes), pieces_);
  int64_t length = 0;
  for (const Piece& piece : pieces_) length += piece.end - piece.start + piece.space;
  if (length > room) return length;
  results.score.push_back(score);
  results.node.insert(results.node.end(), nodes.begin(), nodes.end());
  results.node_ptr.push_back(static_cast<int64_t>(results.node.size()));
  for (const Piece& piece : pieces_) {
    results.piece_start.push_back(piece.start);
    results.piece_end.push_back(piece.end);
    results.piece_space.push_back(piece.space);
    results.piece_word.push_back(piece.word);
  }
  results.piece_ptr.push_back(static_cast<int64_t>(results.piece_start.size()));
  return length;
}

void Writer::end() {
  results.sentence_text.push_back(sentence_.text);
  results.sentence_first.push_back(sentence_.first);
  results.sentence_last.push_back(sentence_.last);
  results.result_ptr.push_back(static_cast<int64_t>(results.score.size()));
}

void compress(const Parses& parses, const Rules& rules, const Model& model, const Options& options, Writer& writer) {
  Tree tree;
  Scorer scorer;
  Scored scored;
  KBest k_best;
  std::vector<int32_t> parent;
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  for (const Sentence& sentence : sentences(parses)) {
    Stopwatch watch(writer.results.nanoseconds);
    tree.build(parses, sentence, rules);
    watch.lap();
    const int32_t n = tree.size();
    scorer.score(parses, sentence, rules, tree, model, options.beam > 0, scored);
    watch.lap();
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
    watch.lap();
    writer.begin(sentence, tree);
    for (size_t i = 0; i < count; ++i) writer.add(found[i].first, found[i].second);
    writer.end();
    watch.lap();
  }
}

}  // namespace laconic
