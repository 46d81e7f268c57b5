#include "compress.hpp"

#include <algorithm>
#include <optional>

#include "clock.hpp"
#include "expected_f1.hpp"
#include "hash.hpp"
#include "interrupt.hpp"
#include "text.hpp"

namespace laconic {
namespace {

constexpr int64_t extra_tries = 1000;  // attempts to find k different texts, beyond twice the requested number

// Edges as the decoder sees them. The threshold rescales their probabilities, except for the dummy root's, of which
// exactly one is taken anyway. The guard's decisions are certain: an edge that may not be cut, a node that may not be
// the root.
class DecodedEdges : public KBest::Source {
 public:
  DecodedEdges(Edges& edges, double rho) : edges_(edges), rho_(rho) {}

  void begin(const Tree& tree, std::span<const uint8_t> guard) {
    tree_ = &tree;
    guard_ = guard;
  }
  void retain(int32_t node, std::span<const int32_t> children, std::span<double> p_ret) override {
    edges_.retain(node, children, p_ret);
    for (size_t i = 0; i < children.size(); ++i) {
      p_ret[i] = is(children[i], NodePin::stays) ? 1 : 1 - rescale(1 - p_ret[i], rho_);
    }
  }
  // p_ret of all nodes' edges from their parents; 0 if there is none.
  const std::vector<double>& retain_all() {
    all_.assign(tree_->size(), 0);
    for (int32_t i = 0; i < tree_->size(); ++i) {
      const std::span<const int32_t> children = tree_->children(i);
      if (children.empty()) continue;
      p_ret_.resize(children.size());
      retain(i, children, p_ret_);
      for (size_t c = 0; c < children.size(); ++c) all_[children[c]] = p_ret_[c];
    }
    return all_;
  }
  // p_ret of the dummy root's edges, by node; -1 if there is none.
  const std::vector<double>& root_retain() {
    roots_.clear();
    for (int32_t i = 0; i < tree_->size(); ++i) {
      const Tree::Node& node = tree_->nodes[i];
      if (node.root_edge && !is(i, NodePin::not_root)) roots_.push_back(i);
    }
    p_ret_.resize(roots_.size());
    edges_.retain(-1, roots_, p_ret_);
    root_.assign(tree_->size(), -1);
    for (size_t i = 0; i < roots_.size(); ++i) root_[roots_[i]] = p_ret_[i];
    return root_;
  }

 private:
  bool is(int32_t node, NodePin::Flag pin) const { return !guard_.empty() && (guard_[node] & pin) != 0; }

  Edges& edges_;
  double rho_;
  const Tree* tree_ = nullptr;
  std::span<const uint8_t> guard_;  // by node of the tree, or empty
  std::vector<int32_t> roots_;
  std::vector<double> p_ret_, all_, root_;
};

// Adds the log-odds of a node's words, which are kept or deleted with it, to its edges' scores, and the costs of cutting
// what is needed, or of printing it alone; p_del cannot express these costs, since it is clipped.
void add_words(const Tree& tree, const Edges& edges, EdgeScores& scores) {
  const auto evidence = edges.evidence(), need = edges.need(), alone = edges.alone();
  for (int32_t i = 0; i < tree.size(); ++i) {
    double sum = 0;
    for (const int32_t t : tree.tokens(i)) sum += evidence[t];
    scores.retain[i] += to_score(sum);
    scores.remove[i] -= to_score(need[tree.nodes[i].word]);
    if (scores.root[i] == WeighedTree::no_edge) continue;
    scores.root[i] += to_score(sum);
    if (tree.nodes[i].parent >= 0) scores.root[i] -= to_score(alone[tree.nodes[i].word]);
  }
}

}  // namespace

void Writer::begin(size_t sentence) {
  sentence_ = &forest_.sentences[sentence];
  tree_ = forest_.tree(sentence);
  const auto pins = pins_.empty() ? pins_ : pins_.subspan(sentence_->first, tree_.length());
  const auto coreferences = resolve_ ? forest_.coreferences(sentence) : std::span<const Coreference>{};
  realiser_.prepare(forest_.parses, *sentence_, forest_.rules, tree_, coreferences, pins);
  printed_.clear();
}

bool Writer::add(double score, const std::vector<int32_t>& nodes, int64_t room) {
  realiser_.realise(nodes, root_of(tree_, nodes), pieces_);
  if (pieces_.empty() || print_length(forest_.parses, *sentence_, pieces_, false) > room || !is_new()) return false;
  results.score.push_back(score);
  results.node.insert(results.node.end(), nodes.begin(), nodes.end());
  results.node_ptr.push_back(static_cast<int64_t>(results.node.size()));
  for (const Piece& piece : pieces_) {
    results.piece_start.push_back(piece.start);
    results.piece_end.push_back(piece.end);
    results.piece_space.push_back(piece.space);
    results.piece_word.push_back(piece.word);
    results.piece_pronoun.push_back(piece.pronoun < 0 ? -1 : sentence_->first + piece.pronoun);
  }
  results.piece_ptr.push_back(static_cast<int64_t>(results.piece_start.size()));
  return true;
}

// Whether no other result of the sentence has the same text as these pieces, by a 64-bit hash (collisions within a
// sentence are negligible). The case of the first letter is ignored, as it will be a capital.
bool Writer::is_new() {
  const uint32_t* chars = forest_.parses.chars.data() + forest_.parses.char_ptr[sentence_->text];
  uint64_t hash = 0;
  bool inside = false;  // after the first letter or digit
  for (const Piece& piece : pieces_) {
    if (piece.space) hash = mix(hash, ' ');
    for (int32_t c = piece.start; c < piece.end; ++c) {
      hash = mix(hash, inside ? chars[c] : lower(chars[c]));
      inside = inside || is_word_char(chars[c]);
    }
  }
  return printed_.insert(hash).second;
}

void Writer::end() { results.result_ptr.push_back(static_cast<int64_t>(results.score.size())); }

void Writer::note(const Budget::Failure& failure, bool exact, bool nearest) {
  results.problem.push_back(static_cast<uint8_t>(failure.problem));
  results.exact.push_back(exact);
  results.shortest.push_back(failure.shortest);
  results.longest.push_back(failure.longest);
  results.first.push_back(failure.first);
  results.second.push_back(failure.second);
  results.nearest.push_back(nearest);
}

void compress(const Forest& forest, Edges& edges, std::span<const uint8_t> guard, const Options& options, const Limits* limits,
              Writer& writer) {
  DecodedEdges source(edges, options.rho);
  KBest k_best;
  EdgeScores scores;
  // If words count, a subtree may be worth more than its root's edge alone, which only the knapsack can handle.
  const Limits no_limits;
  std::optional<Budget> budget;
  if (limits || options.words) budget.emplace(limits ? *limits : no_limits);
  ExpectedF1 expected_f1;
  std::vector<int32_t> parent, order;
  std::vector<KBest::SizeScores> sizes;
  std::vector<uint8_t> is_word;
  std::vector<std::pair<double, std::vector<int32_t>>> found;
  for (size_t number = 0; number < forest.size(); ++number) {
    const Sentence& sentence = forest.sentences[number];
    writer.results.nanoseconds.push_back(forest.nanoseconds[number]);
    Stopwatch watch(writer.results.nanoseconds);
    const Tree tree = forest.tree(number);
    const int32_t n = tree.size();
    count_steps(tree.length());
    const auto pins = guard.empty() ? guard : guard.subspan(forest.node_ptr[number], n);
    edges.begin(sentence, tree);
    source.begin(tree, pins);
    parent.resize(n);
    for (int32_t i = 0; i < n; ++i) parent[i] = tree.nodes[i].parent;
    const std::vector<double>& root_retain = source.root_retain();
    if (options.beam > 0) {
      sizes.assign(n, {});
      for (int32_t i = 0; i < n; ++i) {
        if (!tree.children(i).empty()) sizes[i] = edges.sizes(i);
      }
    }
    watch.lap();
    size_t count = 0;
    Budget::Failure failure;
    bool nearest = false;  // the result is only the nearest one to the limits
    const auto keep = [&](double score, const std::vector<int32_t>& nodes) {
      if (found.size() <= count) found.emplace_back();
      found[count].first = score;
      found[count++].second = nodes;
    };
    const auto collect = [&](auto& search) {
      const auto enough = static_cast<size_t>(std::max(options.k, options.candidates));
      while (count < enough && search.next()) keep(search.score(), search.nodes());
    };
    if (budget) {
      writer.begin(number);
      scores.find(source.retain_all(), root_retain);
      if (options.words) add_words(tree, edges, scores);
      budget->begin(forest.parses, sentence, number, tree, writer.realiser(), parent, pins, scores);
      collect(*budget);
      if (count == 0 && n > 0) failure = budget->explain();
      nearest = failure.problem == Problem::length && limits && limits->nearest && !failure.nearest.empty();
      if (nearest || (failure.problem == Problem::none && !failure.nearest.empty())) {
        keep(budget->score_of(failure.nearest), failure.nearest);
        failure = {};
      }
    } else {
      k_best.reset(parent, root_retain, source, options.objective, pins);
      if (options.beam > 0) k_best.set_sizes(sizes, options.beam);
      collect(k_best);
    }
    order.clear();
    const size_t ranked = std::min(count, static_cast<size_t>(options.candidates));
    if (options.candidates > 0) {
      find_words(forest.parses, sentence, is_word);
      expected_f1.begin(tree, is_word, options.words ? std::span<const float>{} : edges.evidence());
      for (size_t i = 0; i < ranked; ++i) expected_f1.add(found[i].first, found[i].second);
      expected_f1.weigh(options.temperature);
      while (order.size() < std::min(ranked, static_cast<size_t>(options.k))) order.push_back(expected_f1.next());
    }
    watch.lap();
    if (!budget) writer.begin(number);
    int64_t left = options.k;
    const auto write = [&](double score, const std::vector<int32_t>& nodes) { left -= writer.add(score, nodes); };
    for (const int32_t i : order) write(found[i].first, found[i].second);
    // If some of them have the same text, continue with the other candidates, the other results, and further search.
    for (size_t i = order.size(); left > 0 && i < ranked; ++i) {
      const auto& [score, nodes] = found[expected_f1.next()];
      write(score, nodes);
    }
    for (size_t i = ranked; left > 0 && i < count; ++i) write(found[i].first, found[i].second);
    // Bounded, since a sentence that repeats a word has exponentially many subtrees with the same text.
    for (int64_t tries = 2 * options.k + extra_tries; left > 0 && tries > 0 && (budget ? budget->next() : k_best.next());
         --tries) {
      if (budget) {
        write(budget->score(), budget->nodes());
      } else {
        write(k_best.score(), k_best.nodes());
      }
    }
    if (limits && budget) writer.note(failure, budget->exact(), nearest);
    writer.end();
    watch.lap();
  }
}

}  // namespace laconic
