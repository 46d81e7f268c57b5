#include "budget.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "text.hpp"

namespace laconic {
namespace {

constexpr int64_t any_length = std::numeric_limits<int32_t>::max();
constexpr int64_t given_tolerance = 2;  // lengths counted outside do not quite add up over words
constexpr int32_t extreme_tries = 1000;

}  // namespace

void Budget::begin(const Parses& parses, const Sentence& sentence, size_t number, const Tree& tree, Realiser& realiser,
                   std::span<const int32_t> parent, std::span<const uint8_t> pins, const EdgeScores& scores) {
  parses_ = &parses;
  sentence_ = sentence;
  tree_ = &tree;
  realiser_ = &realiser;
  least_ = bounded() ? limits_.least[number] : 0;
  most_ = bounded() ? limits_.most[number] : any_length;
  pin_nodes(pins);
  measure_nodes();
  weighed_ = {parent, scores.retain, scores.remove, scores.root, length_, root_length_, pin_};
  rounds_ = 0;
  shift_ = margin_ = 0;
  found_.clear();
  if (contradictory_) {
    knapsack_.reset({}, 0, 0);
  } else {
    restart();
  }
}

// Computes the pins of nodes: the guard's, and those of their words, which are kept or dropped with them.
void Budget::pin_nodes(std::span<const uint8_t> pins) {
  pin_.assign(tree_->size(), 0);
  contradictory_ = pinned_ = false;
  for (size_t i = 0; i < pins.size(); ++i) pin_[i] = pins[i] & (NodePin::stays | NodePin::or_next | NodePin::not_below);
  if (limits_.pin.empty()) return;
  const auto own = limits_.pin.subspan(sentence_.first, sentence_.last - sentence_.first);
  pinned_ = std::any_of(own.begin(), own.end(), [](Pin pin) { return pin != Pin::none; });
  for (int32_t i = 0; i < tree_->size(); ++i) {
    for (const uint8_t pin : {NodePin::keep, NodePin::not_below, NodePin::not_root}) {
      if (pinned_token(i, pin) >= 0) pin_[i] |= pin;
    }
    // Constraints take precedence over the guard.
    if ((pin_[i] & NodePin::drop) != 0) pin_[i] &= ~(NodePin::stays | NodePin::or_next);
    contradictory_ |= (pin_[i] & NodePin::keep) != 0 && (pin_[i] & NodePin::drop) == NodePin::drop;
  }
  // If the guard pins a dropped node to its head, the head is dropped too, unless it has no parent or must be kept:
  // "the man who robbed a bank was arrested" loses "who robbed" with "a bank".
  for (const int32_t i : tree_->bottom_up) {
    const int32_t head = tree_->nodes[i].parent;
    if (pins.empty() || (pins[i] & NodePin::stays) == 0 || (pin_[i] & NodePin::not_below) == 0 || head < 0) continue;
    if (tree_->nodes[head].parent >= 0 && (pin_[head] & NodePin::keep) == 0) pin_[head] = NodePin::drop;
  }
}

// Computes the minimum length that each node adds, and by how much a print can exceed the sum of these lengths.
void Budget::measure_nodes() {
  const int32_t n = tree_->size();
  length_.assign(n, 0);
  root_length_.assign(n, 0);
  base_ = limits_.unit == Unit::chars ? -1 : limits_.base;  // the first word has no space before it
  spread_ = 1;                                                // the full stop left by a deleted word that ends in one
  if (!bounded()) return;
  const auto pin = [&](int32_t t) { return limits_.pin.empty() ? Pin::none : limits_.pin[sentence_.first + t]; };
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_.text];
  bool stopped = false;
  int64_t final_stop = 0;
  const auto add = [&](int32_t node, int64_t cost, bool as_root) {
    length_[node] += static_cast<int32_t>(cost);
    if (as_root) root_length_[node] += static_cast<int32_t>(cost);
  };
  for (int32_t t = 0; t < tree_->length(); ++t) {
    const int32_t node = tree_->node_of[t];
    if (node < 0) {
      const bool always = realiser_->ends_sentence(t) ? pin(t) != Pin::drop : pin(t) == Pin::keep;
      if (always) base_ += mark_cost(t);
      if (always && realiser_->ends_sentence(t)) final_stop = std::max(final_stop, mark_cost(t));
      // A word after it has no space before it. In characters, the length of the mark makes up for that, unless it is
      // counted itself.
      if (realiser_->opens(t) && (always || limits_.unit == Unit::words)) --base_;
      spread_ += token_cost(t) + 1;
      continue;
    }
    ++spread_;  // a space where the text has none
    stopped |= limits_.unit != Unit::words && chars[parses_->end[sentence_.first + t] - 1] == '.';
    int64_t cost = token_cost(t);
    if (realiser_->may_print_another(t)) {  // may be of any length
      cost = 0;
      stopped = true;
      for (int32_t u = 0; u < tree_->length(); ++u) spread_ += token_cost(u) + 1;
    }
    if (pin(t) == Pin::keep) {
      add(node, cost, true);
      continue;
    }
    if (realiser_->is_optional(t)) {
      spread_ += cost;
      continue;
    }
    switch (tree_->print[t]) {
      case Print::always: add(node, cost, true); break;
      case Print::subordinate: add(node, cost, tree_->nodes[node].parent < 0); break;
      case Print::coordinate: {
        const int32_t first = tree_->coordination[t];
        const bool sure = first >= 0 && first < t && tree_->print[first] == Print::always && tree_->node_of[first] >= 0 &&
                          tree_->coordination[first] == first && tree_->nodes[node].word > t &&
                          tree_->print[tree_->nodes[node].word] == Print::always &&
                          (tree_->node_of[first] == node || tree_->node_of[first] == tree_->nodes[node].parent);
        if (sure) {
          add(node, cost, tree_->node_of[first] == node);
        } else {
          spread_ += cost;
        }
        break;
      }
      case Print::leading:
        add(node, cost, tree_->nodes[node].parent < 0);
        spread_ += cost;  // if another conjunct causes it to be printed
        break;
      case Print::below: spread_ += cost;
    }
  }
  for (int32_t node = 0; node < n; ++node) {
    for (int32_t t = 0; tree_->nodes[node].owner >= 0 && t < tree_->length(); ++t) {
      if (tree_->lends(t, node)) root_length_[node] += static_cast<int32_t>(token_cost(t));
    }
  }
  if (stopped) base_ -= final_stop;  // if the last word ends in a full stop, it also ends the sentence
  realiser_->find_sure_marks(sure_);
  for (const Realiser::SureMark& mark : sure_) add(mark.node, std::min<int64_t>(mark_cost(mark.token), 1), mark.as_root);
  if (limits_.unit == Unit::given) spread_ += given_tolerance;
}

// Including the space before it.
int64_t Budget::token_cost(int32_t token) const {
  const int64_t row = sentence_.first + token;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_.text];
  const int32_t start = parses_->start[row];
  const bool apart = token == 0 || is_space(chars[start - 1]);
  switch (limits_.unit) {
    case Unit::chars: return parses_->end[row] - start + apart;
    case Unit::words: return apart;
    case Unit::given: return limits_.cost[row];
    case Unit::none: break;
  }
  return 0;
}

// The length of punctuation, which may have no space before it.
int64_t Budget::mark_cost(int32_t token) const {
  const int64_t row = sentence_.first + token;
  switch (limits_.unit) {
    case Unit::chars: return parses_->end[row] - parses_->start[row];
    case Unit::given: return limits_.cost[row];
    default: return 0;
  }
}

void Budget::restart() {
  passed_ = 0;
  over_ = 0;
  std::sort(found_.begin(), found_.end());
  seen_ = found_.size();
  if (rounds_ == 0) {
    const int64_t tolerance = limits_.unit == Unit::given ? given_tolerance : 0;
    knapsack_.reset(weighed_, least_ - base_ - spread_, most_ - base_ + tolerance);
  } else {
    knapsack_.reset(weighed_, least_ - base_ - shift_ + margin_, most_ - base_ - shift_ - margin_);
  }
}

bool Budget::next() {
  while (true) {
    while (knapsack_.next()) {
      const std::vector<int32_t>& nodes = knapsack_.nodes();
      if (seen_ > 0 && std::binary_search(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(seen_), nodes)) continue;
      if (fits(nodes, knapsack_.length() + base_)) {
        passed_ = 0;
        over_ = 0;
        if (bounded()) found_.push_back(nodes);
        return true;
      }
      if (++passed_ >= limits_.patience) break;
    }
    if (passed_ < limits_.patience) return false;
    shift_ = over_ / passed_;
    if (++rounds_ > 4) margin_ = std::max<int64_t>(2 * margin_, 1);
    restart();
  }
}

bool Budget::fits(const std::vector<int32_t>& nodes, int64_t about) {
  const bool surely = !bounded() || (limits_.unit != Unit::given && about >= least_ && about + spread_ <= most_);
  if (surely && !pinned_) return true;
  if (!print(nodes)) return false;
  const int64_t length = measure();
  over_ += length - about;
  return surely || (length >= least_ && length <= most_);
}

// Prints a subtree, and returns whether the print has no word to drop. The nodes do not tell: whether an "and" is
// printed depends on its neighbours.
bool Budget::print(const std::vector<int32_t>& nodes) {
  realiser_->realise(nodes, root_of(*tree_, nodes), pieces_);
  return !pinned_ || std::none_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return limits_.pin[sentence_.first + piece.token] == Pin::drop && piece.word;
  });
}

// The length of the last print. In the unit `given`, a caller's function counts it, which takes longer than printing.
int64_t Budget::measure() {
  if (limits_.unit == Unit::given) return limits_.measure(sentence_, pieces_);
  return print_length(*parses_, sentence_, pieces_, limits_.unit == Unit::words);
}

Budget::Failure Budget::explain() {
  Failure failure;
  auto [shortest, small] = contradictory_ ? std::pair<int64_t, std::vector<int32_t>>{} : extreme(-1, any_length);
  if (small.empty()) {
    failure.problem = Problem::conflict;
    find_conflict(failure);
    return failure;
  }
  failure.problem = Problem::length;
  failure.shortest = shortest;
  auto [longest, large] = extreme(1, any_length);
  failure.longest = longest;
  if (shortest > most_) {
    failure.nearest = std::move(small);
  } else if (longest < least_) {
    failure.nearest = std::move(large);
  } else {
    // If no length fits, the maximum takes precedence over the minimum. The longest print within the maximum may still
    // fit, if the search was incomplete.
    auto [length, nodes] = extreme(1, most_);
    if (nodes.empty()) std::tie(length, nodes) = std::pair{shortest, std::move(small)};
    if (length >= least_ && length <= most_) failure.problem = Problem::none;
    failure.nearest = std::move(nodes);
  }
  return failure;
}

double Budget::score_of(const std::vector<int32_t>& nodes) const {
  Score score = weighed_.root[root_of(*tree_, nodes)];
  for (const int32_t i : nodes) {
    for (const int32_t child : tree_->children(i)) {
      const bool kept = std::binary_search(nodes.begin(), nodes.end(), child);
      score += kept ? weighed_.retain[child] : weighed_.remove[child];
    }
  }
  return to_double(score);
}

// The longest (sign 1) or shortest (-1) print that satisfies the pins and is no longer than `most`.
std::pair<int64_t, std::vector<int32_t>> Budget::extreme(int32_t sign, int64_t most) {
  std::vector<Score> retain, root, remove(length_.size(), 0);
  for (size_t i = 0; i < length_.size(); ++i) {
    retain.push_back(Score{sign} * length_[i]);
    root.push_back(weighed_.root[i] == WeighedTree::no_edge ? WeighedTree::no_edge : Score{sign} * root_length_[i]);
  }
  WeighedTree by_length = weighed_;
  by_length.retain = retain;
  by_length.remove = remove;
  by_length.root = root;
  Knapsack knapsack;
  knapsack.reset(by_length, -any_length, most < any_length ? most - base_ : any_length);
  std::pair<int64_t, std::vector<int32_t>> best{0, {}};
  for (int32_t tries = 0; tries < std::min(extreme_tries, limits_.patience) && knapsack.next(); ++tries) {
    const int64_t about = knapsack.length() + base_;
    if (!best.second.empty() && (sign < 0 ? about >= best.first : about + spread_ <= best.first)) break;
    if (!print(knapsack.nodes())) continue;
    const int64_t length = measure();
    if (length > most) continue;
    if (best.second.empty() || sign * length > sign * best.first) best = {length, knapsack.nodes()};
  }
  return best;
}

// If no subtree satisfies the pins, finds two words that explain it: one must be kept and the other, which is on every
// path to it, dropped; or both must be kept and no root is above both. If there is an explanation, two words suffice.
void Budget::find_conflict(Failure& failure) const {
  std::vector<std::vector<int32_t>> roots;  // of the nodes to keep, from the top
  std::vector<int32_t> kept;
  for (int32_t i = 0; i < tree_->size(); ++i) {
    if ((pin_[i] & NodePin::keep) == 0) continue;
    std::vector<int32_t> own;
    failure.second = blocking(i, own);
    failure.first = pinned_token(i, NodePin::keep);
    if (own.empty()) return;
    for (size_t other = 0; other < kept.size(); ++other) {
      const bool together = std::any_of(own.begin(), own.end(), [&](int32_t root) {
        return std::find(roots[other].begin(), roots[other].end(), root) != roots[other].end();
      });
      if (together) continue;
      failure.second = failure.first;
      failure.first = pinned_token(kept[other], NodePin::keep);
      return;
    }
    kept.push_back(i);
    roots.push_back(std::move(own));
  }
  // Nothing must be kept, but every possible root must be dropped.
  failure.first = -1;
  for (int32_t i = 0; i < tree_->size(); ++i) {
    if (tree_->nodes[i].root_edge && (pin_[i] & NodePin::not_root) != 0) failure.second = pinned_token(i, NodePin::not_root);
  }
  if (failure.second >= 0) return;
  // Or a token to drop is printed with everything that could be kept.
  for (int64_t row = sentence_.first; row < sentence_.last && !limits_.pin.empty(); ++row) {
    if (limits_.pin[row] == Pin::drop) failure.second = row;
  }
}

// The roots above or at a node; returns a token to drop that is in the way, or -1.
int64_t Budget::blocking(int32_t node, std::vector<int32_t>& roots) const {
  for (int32_t i = node; i >= 0; i = tree_->nodes[i].parent) {
    const int64_t not_root = pinned_token(i, NodePin::not_root), not_below = pinned_token(i, NodePin::not_below);
    if (weighed_.root[i] != WeighedTree::no_edge && not_root < 0) roots.push_back(i);
    if (not_below >= 0) return not_below;
  }
  return -1;
}

// The row of a token of the node with this pin, or -1. Tokens whose printing depends on other nodes are ignored: a token
// that is printed only below a parent can be avoided by making the node a root, one that is printed only with another
// conjunct by dropping that.
int64_t Budget::pinned_token(int32_t node, uint8_t pin) const {
  if (limits_.pin.empty()) return -1;
  for (const int32_t t : tree_->tokens(node)) {
    const Pin asked = limits_.pin[sentence_.first + t];
    const Print print = tree_->print[t];
    const bool below_only = tree_->nodes[node].parent >= 0 && print == Print::subordinate;
    const bool printed = print != Print::below && print != Print::coordinate && !(pin == NodePin::not_root && below_only);
    if (pin == NodePin::keep ? asked == Pin::keep : asked == Pin::drop && printed) return sentence_.first + t;
  }
  return -1;
}

}  // namespace laconic
