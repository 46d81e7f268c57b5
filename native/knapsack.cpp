#include "knapsack.hpp"

#include <algorithm>
#include <stdexcept>

#include "interrupt.hpp"

namespace laconic {

void EdgeScores::find(std::span<const double> p_ret, std::span<const double> root_p_ret) {
  retain.clear();
  remove.clear();
  for (const double p : p_ret) {
    retain.push_back(log_score(p));
    remove.push_back(log_score(1 - p));
  }
  Score removed = 0;  // the score for deleting all of the dummy root's edges
  for (const double p : root_p_ret) {
    if (p >= 0) removed += log_score(1 - p);
  }
  root.clear();
  for (const double p : root_p_ret) {
    root.push_back(p < 0 ? WeighedTree::no_edge : removed - log_score(1 - p) + log_score(p));
  }
}

void Knapsack::reset(const WeighedTree& tree, int64_t low, int64_t high) {
  tree_ = tree;
  number_nodes();
  int64_t total = 0;  // an upper bound on the length of any subtree
  for (size_t i = 0; i < node_.size(); ++i) total += std::max(tree.length[i], tree.root_length[i]);
  high = std::min(high, total);
  weightless_ = low <= 0 && high == total;
  high_ = weightless_ ? 0 : static_cast<int32_t>(std::max<int64_t>(high, -1));
  slack_ = static_cast<int32_t>(std::min<int64_t>(high_ - std::max<int64_t>(low, 0), high_));
  width_ = high_ + 1;
  if (weightless_) slack_ = 0;
  for (size_t p = 0; p < node_.size(); ++p) weight_[p] = weightless_ ? 0 : tree.length[node_[p]];
  if (tables_.size() <= node_.size()) tables_.resize(node_.size() + 1);
  for (auto& table : tables_) table.clear();
  entries_ = 0;
  heap_.clear();
  found_.clear();
  found_ptr_.assign(1, 0);
  if (high >= low) bound_roots();
}

// Places: a parent before its children, these in the order of their numbers.
void Knapsack::number_nodes() {
  const auto n = static_cast<int32_t>(tree_.parent.size());
  first_child_.assign(n, none);
  sibling_.assign(n, none);
  stack_.clear();
  for (int32_t i = n; i-- > 0;) {
    if (tree_.parent[i] < 0) continue;
    sibling_[i] = first_child_[tree_.parent[i]];
    first_child_[tree_.parent[i]] = i;
  }
  node_.clear();
  end_.assign(n, 0);
  must_.assign(n, 0);
  weight_.resize(n);
  musts_ = 0;
  for (int32_t top = 0; top < n; ++top) {
    if (tree_.parent[top] >= 0) continue;
    stack_.push_back(top);
    while (!stack_.empty()) {
      const int32_t i = stack_.back();
      stack_.pop_back();
      node_.push_back(i);
      const auto first = static_cast<ptrdiff_t>(stack_.size());
      for (int32_t c = first_child_[i]; c != none; c = sibling_[c]) stack_.push_back(c);
      std::reverse(stack_.begin() + first, stack_.end());
    }
  }
  // Going backwards, the subtree of a node is known when the node is reached.
  std::vector<int32_t>& place = left_;
  place.resize(n);
  for (int32_t p = 0; p < n; ++p) place[node_[p]] = p;
  for (int32_t p = n; p-- > 0;) {
    end_[p] = std::max(end_[p], p + 1);
    const bool keep = (tree_.pin[node_[p]] & NodePin::keep) != 0;
    must_[p] |= keep;
    musts_ += keep;
    const int32_t parent = tree_.parent[node_[p]];
    if (parent < 0) continue;
    end_[place[parent]] = std::max(end_[place[parent]], end_[p]);
    must_[place[parent]] |= must_[p];
  }
  fixed_.resize(n);
  choice_.resize(n);
  for (int32_t p = 0; p < n; ++p) {
    const uint8_t pin = tree_.pin[node_[p]];
    const bool next = end_[p] < n && tree_.parent[node_[end_[p]]] == tree_.parent[node_[p]];
    choice_[p] = (pin & NodePin::or_next) != 0 && next;
    fixed_[p] = must_[p] || (pin & NodePin::stays) != 0 || ((pin & NodePin::or_next) != 0 && !next);
  }
}

// Computes the best score of each root for any length.
void Knapsack::bound_roots() {
  const auto n = static_cast<int32_t>(node_.size());
  best_.assign(n, 0);
  std::vector<int32_t>& musts = right_;  // by place: number of nodes to keep in the subtree
  musts.assign(n, 0);
  for (int32_t p = n; p-- > 0;) {
    musts[p] += (tree_.pin[node_[p]] & NodePin::keep) != 0;
    // The children's places follow from the ends: the first child is at the next place, its sibling at the child's end.
    for (int32_t c = p + 1; c < end_[p]; c = end_[c]) {
      const int32_t node = node_[c];
      musts[p] += musts[c];
      const Score include = (tree_.pin[node] & NodePin::not_below) != 0 ? never : tree_.retain[node] + best_[c];
      const Score exclude = fixed_[c] ? never : tree_.remove[node];
      best_[p] = std::max(best_[p] + std::max(include, exclude), never);
    }
    const int32_t node = node_[p];
    if (tree_.root[node] == WeighedTree::no_edge || (tree_.pin[node] & NodePin::not_root) != 0 || !possible(best_[p])) continue;
    if (musts[p] == musts_) push({tree_.root[node] + best_[p], p, none, p, 0, false});
  }
}

// Fills the table of a root: the best score of the rest from each place in its subtree, for each remaining length. The rest
// depends on where the subtree ends, so a root inside another one with the same end shares its table.
void Knapsack::open(int32_t root) {
  const int32_t end = end_[root];
  std::vector<Score>& table = tables_[end];
  const auto known = static_cast<int32_t>(table.size() / width_);  // rows
  if (end - root > known) {
    entries_ += static_cast<size_t>(end - root - known) * width_;
    if (entries_ > max_entries) throw std::length_error("the tree is too large for this length: give a smaller one");
    table.resize(static_cast<size_t>(end - root) * width_, never);
  }
  if (known == 0) std::fill_n(table.begin(), slack_ + 1, 0);
  for (int32_t p = end - std::max(known, 1); p > root; --p) {
    count_steps(width_);
    const int32_t node = node_[p], weight = weight_[p];
    Score* row = &rest(root, p, 0);
    if (choice_[p] != 0 && !fixed_[p]) {
      for (int32_t room = 0; room < width_; ++room) row[room] = excluded(root, p, room);
    } else if (!fixed_[p]) {
      const Score* after = &rest(root, end_[p], 0);
      const Score remove = tree_.remove[node];
      for (int32_t room = 0; room < width_; ++room) row[room] = after[room] + remove;
    }
    if ((tree_.pin[node] & NodePin::not_below) != 0) continue;
    const Score* next = &rest(root, p + 1, 0);
    const Score retain = tree_.retain[node];
    for (int32_t room = weight; room < width_; ++room) row[room] = std::max(row[room], next[room - weight] + retain);
  }
}

Score Knapsack::included(int32_t root, int32_t place, int32_t room) const {
  const int32_t node = node_[place];
  if ((tree_.pin[node] & NodePin::not_below) != 0 || room < weight_[place]) return never;
  return rest(root, place + 1, room - weight_[place]) + tree_.retain[node];
}

Score Knapsack::excluded(int32_t root, int32_t place, int32_t room) const {
  const int32_t after = end_[place];
  return (choice_[place] != 0 ? included(root, after, room) : rest(root, after, room)) + tree_.remove[node_[place]];
}

Knapsack::Fork Knapsack::fork(int32_t root, int32_t place, int32_t room) const {
  return {included(root, place, room), fixed_[place] ? never : excluded(root, place, room)};
}

bool Knapsack::next() {
  const auto later = [this](const Path& a, const Path& b) { return earlier(b, a); };
  while (!heap_.empty()) {
    count_steps(node_.size());
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Path path = heap_.back();
    heap_.pop_back();
    if (!path.open) {
      const int32_t node = node_[path.root];
      const int32_t room = high_ - (weightless_ ? 0 : tree_.root_length[node]);
      if (room < 0) continue;
      open(path.root);
      const Score reached = rest(path.root, path.root + 1, room);
      if (possible(reached)) push({tree_.root[node] + reached, path.root, none, path.root, room, true});
      continue;
    }
    int32_t place, room;
    follow(path, places_, place, room);
    const auto result = static_cast<int32_t>(found_ptr_.size()) - 1;
    others_.clear();
    while (place < end_[path.root]) {
      const Fork at = fork(path.root, place, room);
      const bool include = at.include >= at.exclude;
      const Score taken = include ? at.include : at.exclude, other = include ? at.exclude : at.include;
      if (possible(other)) others_.push_back({path.score - taken + other, path.root, result, place, room, true});
      include ? this->include(places_, place, room) : exclude(places_, place, room);
    }
    found_.insert(found_.end(), places_.begin(), places_.end());
    found_ptr_.push_back(static_cast<int64_t>(found_.size()));
    for (const Path& other : others_) push(other);
    score_ = path.score;
    nodes_.clear();
    for (const int32_t p : places_) nodes_.push_back(node_[p]);
    length_ = tree_.root_length[nodes_.front()];
    for (size_t i = 1; i < nodes_.size(); ++i) length_ += tree_.length[nodes_[i]];
    std::sort(nodes_.begin(), nodes_.end());
    return true;
  }
  return false;
}

// The places of a path up to and including the choice that sets it apart, and the place from which it continues.
void Knapsack::follow(const Path& path, std::vector<int32_t>& places, int32_t& place, int32_t& room) const {
  places.assign(1, path.root);
  place = path.root + 1;
  room = path.room;
  if (path.parent == none) return;
  const auto first = found_.begin() + found_ptr_[path.parent], last = found_.begin() + found_ptr_[path.parent + 1];
  const auto at = std::lower_bound(first, last, path.at);
  places.assign(first, at);
  place = path.at;
  at != last && *at == path.at ? exclude(places, place, room) : include(places, place, room);  // unlike the parent
}

// Completes a path by the best choices.
void Knapsack::complete(int32_t root, int32_t place, int32_t room, std::vector<int32_t>& places) const {
  while (place < end_[root]) {
    const Fork at = fork(root, place, room);
    at.include >= at.exclude ? include(places, place, room) : exclude(places, place, room);
  }
}

bool Knapsack::earlier(const Path& a, const Path& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.open != b.open) return b.open;  // an unopened root may have the first result with this score
  if (!a.open) return a.root < b.root;
  int32_t place, room;
  follow(a, left_, place, room);
  complete(a.root, place, room, left_);
  follow(b, right_, place, room);
  complete(b.root, place, room, right_);
  const auto [x, y] = std::mismatch(left_.begin(), left_.end(), right_.begin(), right_.end());
  if (x == left_.end()) return false;
  return y == right_.end() || *x < *y;
}

void Knapsack::push(const Path& path) {
  heap_.push_back(path);
  std::push_heap(heap_.begin(), heap_.end(), [this](const Path& a, const Path& b) { return earlier(b, a); });
}

}  // namespace laconic
