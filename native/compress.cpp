#include "compress.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "clock.hpp"
#include "expected_f1.hpp"

namespace laconic {
namespace {

// Edges after the map of rho. The dummy root's are not mapped: it chooses one of them whatever the threshold.
class RescaledEdges : public KBest::Source {
 public:
  RescaledEdges(Edges& edges, double rho) : edges_(edges), rho_(rho) {}
  void retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) override {
    edges_.retain(node, children, p_ret);
    for (double& p : p_ret) p = 1 - rescale(1 - p, rho_);
  }

 private:
  Edges& edges_;
  double rho_;
};

}  // namespace

void Writer::begin(const Sentence& sentence, const Tree& tree) {
  sentence_ = sentence;
  tree_ = &tree;
  if (resolve_) resolver_.resolve(parses_, sentence_, rules_, tree);
  const auto pins = pins_.empty() ? pins_ : pins_.subspan(sentence.first, sentence.last - sentence.first);
  realiser_.prepare(parses_, sentence_, rules_, tree, resolver_.found, pins);
}

int64_t Writer::add(double score, const std::vector<int32_t>& nodes, int64_t room) {
  realiser_.realise(nodes, root_of(*tree_, nodes), pieces_);
  const int64_t length = print_length(parses_, sentence_, pieces_, false);
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

void Writer::note(const Budget::Failure& failure, bool exact) {
  results.problem.push_back(static_cast<uint8_t>(failure.problem));
  results.exact.push_back(exact);
  results.shortest.push_back(failure.shortest);
  results.longest.push_back(failure.longest);
  results.first.push_back(failure.first);
  results.second.push_back(failure.second);
}

void compress(const Parses& parses, const Rules& rules, Edges& edges, const Options& options, const Limits* limits,
              Writer& writer) {
  Tree tree;
  RescaledEdges source(edges, options.rho);
  KBest k_best;
  EdgeScores scores;
  std::optional<Budget> budget;
  if (limits) budget.emplace(*limits);
  ExpectedF1 expected_f1;
  std::vector<int32_t> parent, roots, order;
  std::vector<double> p_ret, root_retain, retain;
  std::vector<KBest::SizeScores> sizes;
  std::vector<uint8_t> is_word;
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  size_t number = 0;
  for (const Sentence& sentence : sentences(parses)) {
    Stopwatch watch(writer.results.nanoseconds);
    tree.build(parses, sentence, rules);
    watch.lap();
    const int32_t n = tree.size();
    edges.begin(sentence, tree);
    parent.resize(n);
    roots.clear();
    for (int32_t i = 0; i < n; ++i) {
      parent[i] = tree.nodes[i].parent;
      if (tree.nodes[i].root_edge) roots.push_back(i);
    }
    p_ret.resize(roots.size());
    edges.retain(-1, roots, p_ret);
    root_retain.assign(n, -1);
    for (size_t i = 0; i < roots.size(); ++i) {
      // What is given as impossible is no edge; a tree has its own root in any case.
      if (p_ret[i] > 0 || parent[roots[i]] < 0) root_retain[roots[i]] = p_ret[i];
    }
    if (options.beam > 0) {
      sizes.assign(n, {});
      for (int32_t i = 0; i < n; ++i) {
        if (!tree.children(i).empty()) sizes[i] = edges.sizes(i);
      }
    }
    watch.lap();
    size_t count = 0;
    const auto collect = [&](auto& search) {
      while (static_cast<int64_t>(count) < std::max(options.k, options.candidates) && search.next()) {
        if (found.size() <= count) found.emplace_back();
        found[count].first = search.score();
        found[count].second = search.nodes();
        ++count;
      }
    };
    if (budget) {
      writer.begin(sentence, tree);
      retain.assign(n, 0);
      for (int32_t i = 0; i < n; ++i) {
        const std::span<const int32_t> children = tree.children(i);
        if (children.empty()) continue;
        p_ret.resize(children.size());
        source.retain(i, children, p_ret);
        for (size_t c = 0; c < children.size(); ++c) retain[children[c]] = p_ret[c];
      }
      scores.find(retain, root_retain);
      budget->begin(parses, sentence, number++, tree, writer.realiser(), parent, retain, scores);
      collect(*budget);
      Budget::Failure failure;
      if (count == 0 && n > 0) failure = budget->explain();
      if (!failure.nearest.empty() && limits->nearest) {
        found.resize(std::max<size_t>(found.size(), 1));
        found[count++] = {budget->score_of(failure.nearest), failure.nearest};
        failure = {};
      }
      writer.note(failure, budget->exact());
    } else {
      k_best.reset(parent, root_retain, source, options.objective);
      if (options.beam > 0) k_best.set_sizes(sizes, options.beam);
      collect(k_best);
    }
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    const size_t results = std::min(count, static_cast<size_t>(options.k));
    if (options.candidates > 0) {
      find_words(parses, sentence, is_word);
      expected_f1.begin(tree, is_word, edges.evidence());
      for (size_t i = 0; i < std::min(count, static_cast<size_t>(options.candidates)); ++i) {
        expected_f1.add(found[i].first, found[i].second);
      }
      expected_f1.rank(options.temperature, results, order);
    }
    watch.lap();
    if (!budget) writer.begin(sentence, tree);
    for (size_t i = 0; i < results; ++i) writer.add(found[order[i]].first, found[order[i]].second);
    writer.end();
    watch.lap();
  }
}

}  // namespace laconic
