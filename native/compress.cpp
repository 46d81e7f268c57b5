#include "compress.hpp"

#include <cmath>

#include "clock.hpp"

namespace laconic {
namespace {

constexpr size_t ahead = 64;  // lookups whose cache lines are on the way: about an edge

// Edges are scored when the decoder first needs them.
class LazyEdges : public KBest::Source {
 public:
  LazyEdges(Scorer& scorer, const Table& table, double rho) : scorer_(scorer), table_(table), rho_(rho) {}
  void retain(int32_t node, std::span<const int32_t> children, std::span<double> out) override {
    edges_.clear();
    for (const int32_t child : children) edges_.push_back({node, child});
    const std::vector<double>& sums = scorer_.score(edges_, table_);
    for (size_t i = 0; i < sums.size(); ++i) out[i] = 1 - rescale(1 - p_ret(sums[i]), rho_);
  }

 private:
  Scorer& scorer_;
  const Table& table_;
  double rho_;
  std::vector<Edge> edges_;
};

}  // namespace

const std::vector<double>& Scorer::score(std::span<const Edge> edges, const Table& table) {
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

KBest::SizeScores Scorer::sizes(int32_t node, const Model& model) {
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

void Writer::begin(const Sentence& sentence, const Tree& tree) {
  sentence_ = sentence;
  tree_ = &tree;
  if (resolve_) resolver_.resolve(parses_, sentence_, rules_, tree);
  realiser_.prepare(parses_, sentence_, rules_, tree, resolver_.found);
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
    results.piece_pronoun.push_back(piece.pronoun < 0 ? -1 : sentence_.first + piece.pronoun);
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
  LazyEdges source(scorer, model.maxent, options.rho);
  KBest k_best;
  std::vector<int32_t> parent;
  std::vector<Edge> root_edges;
  std::vector<double> root_retain;
  std::vector<KBest::SizeScores> sizes;
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  for (const Sentence& sentence : sentences(parses)) {
    Stopwatch watch(writer.results.nanoseconds);
    tree.build(parses, sentence, rules);
    watch.lap();
    const int32_t n = tree.size();
    scorer.prepare(parses, sentence, rules, tree);
    parent.resize(n);
    root_edges.clear();
    for (int32_t i = 0; i < n; ++i) {
      parent[i] = tree.nodes[i].parent;
      if (tree.nodes[i].root_edge) root_edges.push_back({-1, i});
    }
    root_retain.assign(n, -1);
    const std::vector<double>& sums = scorer.score(root_edges, model.maxent);
    for (size_t i = 0; i < sums.size(); ++i) root_retain[root_edges[i].node] = p_ret(sums[i]);
    if (options.beam > 0) {
      sizes.assign(n, {});
      for (int32_t i = 0; i < n; ++i) {
        if (!tree.children(i).empty()) sizes[i] = scorer.sizes(i, model);
      }
    }
    watch.lap();
    k_best.reset(parent, root_retain, source);
    if (options.beam > 0) k_best.set_sizes(sizes, options.beam);
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
