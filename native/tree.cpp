#include "tree.hpp"

#include <algorithm>
#include <numeric>

#include "text.hpp"

namespace laconic {

void Tree::build(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  attach(parses, sentence, rules);
  measure_depths();
  if (head_names(parses, sentence, rules)) measure_depths();
  find_partners(parses, sentence, rules);
  if (move_conjuncts(parses, sentence, rules)) measure_depths();
  collapse_function_words(parses, sentence, rules);
  collapse_predicates(parses, sentence, rules);
  collapse_written_together(parses, sentence, rules);
  collapse_entities(parses, sentence, rules);
  collapse_after_articles(parses, sentence, rules);
  make_nodes(parses, sentence, rules);
  link(parses, sentence, rules);
}

// Heads relative to the sentence. What hangs on a token outside the sentence, or on nothing, is a root.
void Tree::attach(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(sentence.last - sentence.first);
  const int64_t base = parses.token_ptr[sentence.text] - sentence.first;
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  head_.resize(n);
  label_.resize(n);
  outside_.assign(n, 0);
  function.assign(n, 0);
  print.assign(n, Print::always);
  coordination.assign(n, -1);
  group_.resize(n);
  std::iota(group_.begin(), group_.end(), 0);
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence.first + t;
    const int64_t head = parses.head[row] + base;
    head_[t] = head < 0 || head >= n ? t : static_cast<int32_t>(head);
    label_[t] = parses.label[row];
    const Role role = rules.role[label_[t]];
    outside_[t] = role == Role::punctuation || (rules.tag[parses.tag[row]] & TagFlag::space) != 0 ||
                  (role != Role::function && is_quote(chars + parses.start[row], chars + parses.end[row]));
  }
}

// Depth of every token and an order in which heads come before what hangs on them. A cycle, which no parser should
// hand on, is cut where it is met.
void Tree::measure_depths() {
  const auto n = static_cast<int32_t>(head_.size());
  depth_.assign(n, -1);
  by_depth_.clear();
  for (int32_t t = 0; t < n; ++t) {
    int32_t at = t;
    const auto mark = by_depth_.size();
    while (depth_[at] == -1) {
      depth_[at] = -2;  // on the path
      by_depth_.push_back(at);
      if (head_[at] == at) break;
      at = head_[at];
    }
    int32_t depth = depth_[at];
    if (depth == -2) {  // a root, or the token that closes a cycle
      head_[by_depth_.back()] = by_depth_.back();
      depth = -1;
    }
    for (auto i = by_depth_.size(); i-- > mark;) depth_[by_depth_[i]] = ++depth;
  }
  // By depth, then by place: counted, since depths are small.
  fill_.assign(n + 1, 0);
  for (int32_t t = 0; t < n; ++t) ++fill_[depth_[t] + 1];
  std::partial_sum(fill_.begin(), fill_.end(), fill_.begin());
  for (int32_t t = 0; t < n; ++t) by_depth_[fill_[depth_[t]]++] = t;
}

// "ruler Pervez Musharraf": a name right after a noun is the head and the noun its title, whichever way the parser has
// it. Where the parser calls the name an apposition, the two change places.
bool Tree::head_names(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const auto type = [&](int32_t t) { return parses.entity[sentence.first + t]; };
  bool moved = false;
  for (int32_t t = 1; t < n; ++t) {
    const int32_t title = head_[t];
    if (rules.role[label_[t]] != Role::apposition || title >= t || rules.entity[type(t)] != Entity::name) continue;
    int32_t start = t;  // of the name
    while (start > 0 && !parses.entity_start[sentence.first + start] && type(start - 1) == type(t)) --start;
    if (start - 1 != title || rules.entity[type(title)] == Entity::name) continue;
    for (int32_t c = t + 1; c < n; ++c) {
      if (head_[c] == title && c != title) head_[c] = t;  // what follows describes the name
    }
    head_[t] = head_[title] == title ? t : head_[title];
    label_[t] = label_[title];
    head_[title] = t;
    label_[title] = rules.title_label;
    moved = true;
  }
  // "Kootenay Ice forward Tim Bozon": what stands before the title belongs to it and goes when it goes.
  for (int32_t t = 1; t < n; ++t) {
    if (rules.entity[type(t)] != Entity::name || head_[t] == t) continue;
    int32_t start = t;
    while (start > 0 && !parses.entity_start[sentence.first + start] && type(start - 1) == type(t)) --start;
    const int32_t title = start - 1;
    if (title < 1 || head_[title] != t || label_[title] != rules.title_label || type(title) != 0) continue;
    for (int32_t d = title - 1; d >= 0 && !outside_[d] && (head_[d] == t || (head_[d] > d && head_[d] <= title)); --d) {
      if (head_[d] != t) continue;
      head_[d] = title;
      moved = true;
    }
  }
  return moved;
}

// What each preposition and conjunction collapses into, in one pass from the right: the first object of a preposition,
// the first preposition inside it, the next conjunct beside a conjunction.
void Tree::find_partners(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  object_.assign(n, -1);
  inner_.assign(n, -1);
  next_conjunct_.assign(n, -1);
  has_subject_.assign(n, 0);
  fill_.assign(n, -1);  // by head: the leftmost conjunct met so far
  for (int32_t t = n; t-- > 0;) {
    const int32_t head = head_[t];
    if (head == t) continue;
    switch (rules.role[label_[t]]) {
      case Role::object: object_[head] = t; break;
      case Role::preposition: inner_[head] = t; break;
      case Role::conjunct: fill_[head] = t; break;
      case Role::conjunction: next_conjunct_[t] = fill_[head]; break;
      case Role::subject: has_subject_[head] = 1; break;
      default: break;
    }
  }
  // Verbs that were coordinated with another and have no subject of their own; verbs whose form asks for a plural subject.
  shares_subject_.assign(n, 0);
  plural_.assign(n, 0);
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence.first + t;
    const uint16_t tag = rules.tag[parses.tag[row]];
    shares_subject_[t] = rules.role[label_[t]] == Role::conjunct && !has_subject_[t];
    if ((tag & TagFlag::plural) != 0 || ((tag & TagFlag::finite) != 0 && is_were(chars + parses.start[row], chars + parses.end[row]))) {
      plural_[t] = 1;
      if (rules.role[label_[t]] == Role::function) plural_[head_[t]] = 1;
    }
  }
}

// Conjuncts other than verbs hang on the head of the first conjunct with its label (Filippova & Strube 2008).
bool Tree::move_conjuncts(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  bool moved = false;
  for (const int32_t t : by_depth_) {
    if (rules.role[label_[t]] != Role::conjunct || head_[t] == t) continue;
    const int32_t first = head_[t];
    if (coordination[first] < 0) coordination[first] = first;
    coordination[t] = coordination[first];
    const int32_t lead = coordination[first];
    const bool singular = (rules.tag[parses.tag[sentence.first + lead]] & TagFlag::singular) != 0;
    if (singular && rules.role[label_[lead]] == Role::subject && plural_[head_[lead]]) {
      unite(t, lead);  // "Paul Simon and his wife were": none of them alone
      continue;
    }
    const bool verbs = (rules.tag[parses.tag[sentence.first + t]] & TagFlag::verb) != 0;
    // The object of a preposition keeps its conjuncts: without it they would lose the preposition.
    if (verbs || head_[first] == first || rules.role[label_[first]] == Role::object) continue;
    head_[t] = head_[first];
    label_[t] = label_[first];
    moved = true;
  }
  return moved;
}

void Tree::make_nodes(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  anchor_.assign(n, -1);
  word_.assign(n, -1);
  for (const int32_t t : by_depth_) {  // the highest token comes first
    if (outside_[t]) continue;
    const int32_t g = group_[t] = find(t);
    if (anchor_[g] < 0 || rules.role[label_[anchor_[g]]] == Role::conjunction) anchor_[g] = t;
    if (word_[g] < 0 && !function[t]) word_[g] = t;
  }
  node_of.assign(n, -1);
  nodes.clear();
  // Numbered by the position of the head word: mark the groups there, then count.
  fill_.assign(n, -1);
  for (int32_t g = 0; g < n; ++g) {
    if (anchor_[g] < 0) continue;
    if (word_[g] < 0) word_[g] = anchor_[g];
    fill_[word_[g]] = g;
  }
  for (int32_t t = 0; t < n; ++t) {
    if (fill_[t] < 0) continue;
    const int32_t g = fill_[t];
    Node node{};
    node.word = t;
    node.anchor = anchor_[g];
    node.preposition = -1;
    node.parent = -1;
    anchor_[g] = size();  // from here on: the group's node
    nodes.push_back(node);
  }
  for (int32_t t = 0; t < n; ++t) {
    if (!outside_[t]) node_of[t] = anchor_[group_[t]];
  }
  // Tokens of each node.
  token_ptr_.assign(nodes.size() + 1, 0);
  for (int32_t t = 0; t < n; ++t) {
    if (node_of[t] >= 0) ++token_ptr_[node_of[t] + 1];
  }
  std::partial_sum(token_ptr_.begin(), token_ptr_.end(), token_ptr_.begin());
  token_.resize(token_ptr_.back());
  fill_.assign(token_ptr_.begin(), token_ptr_.end());
  for (int32_t t = 0; t < n; ++t) {
    if (node_of[t] >= 0) token_[fill_[node_of[t]]++] = t;
  }
  for (int32_t i = 0; i < size(); ++i) {
    Node& node = nodes[i];
    node.words = static_cast<int32_t>(tokens(i).size());
    node.label = label_[node.anchor];
    node.subject = rules.role[node.label] == Role::subject;
    const auto preposition = [&](int32_t t) { return function[t] && rules.role[label_[t]] == Role::preposition; };
    if (preposition(node.anchor)) node.preposition = node.anchor;
    // The prepositions that lead into the node go when it is promoted; others in it, as in "is in place", do not.
    const bool chain = node.preposition >= 0 && object_[node.anchor] < 0;
    const bool verb = (rules.tag[parses.tag[sentence.first + node.word]] & TagFlag::verb) != 0;
    for (const int32_t t : tokens(i)) {
      const bool leads = t == node.anchor || (chain && inner_[node.anchor] == t);
      if (preposition(t) && !leads) print[t] = Print::always;
      const bool finite = (rules.tag[parses.tag[sentence.first + t]] & TagFlag::finite) != 0;
      node.finite |= verb && finite && (t == node.word || function[t]);
      node.negated |= is_negation(parses.lemma[sentence.first + t]);
    }
  }
}

// Parents, children, depths and subtree spans.
void Tree::link(const Parses&, const Sentence&, const Rules&) {
  const auto count = size();
  for (int32_t i = 0; i < count; ++i) {
    Node& node = nodes[i];
    const int32_t head = climb(node.anchor);
    node.parent = head < 0 || node_of[head] == i ? -1 : node_of[head];
  }
  // Words that collapsed over a distance may leave two nodes below each other: the one met first goes to the top.
  fill_.assign(count, 0);  // 1: on the path, 2: leads to the top
  for (int32_t i = 0; i < count; ++i) {
    int32_t at = i;
    while (at >= 0 && fill_[at] == 0) {
      fill_[at] = 1;
      at = nodes[at].parent;
    }
    if (at >= 0 && fill_[at] == 1) nodes[at].parent = -1;
    for (at = i; at >= 0 && fill_[at] == 1; at = nodes[at].parent) fill_[at] = 2;
  }
  for (Node& node : nodes) {
    node.root_edge = (node.finite && !shares_subject_[node.word]) || node.parent < 0;
  }
  child_ptr_.assign(count + 1, 0);
  for (const Node& node : nodes) {
    if (node.parent >= 0) ++child_ptr_[node.parent + 1];
  }
  std::partial_sum(child_ptr_.begin(), child_ptr_.end(), child_ptr_.begin());
  child_.resize(child_ptr_.back());
  fill_.assign(child_ptr_.begin(), child_ptr_.end());
  for (int32_t i = 0; i < count; ++i) {
    if (nodes[i].parent >= 0) child_[fill_[nodes[i].parent]++] = i;
  }
  // Breadth first from the roots, then reversed.
  bottom_up.clear();
  for (int32_t i = 0; i < count; ++i) {
    if (nodes[i].parent < 0) bottom_up.push_back(i);
  }
  for (size_t at = 0; at < bottom_up.size(); ++at) {
    const int32_t i = bottom_up[at];
    nodes[i].depth = nodes[i].parent < 0 ? 1 : nodes[nodes[i].parent].depth + 1;
    for (const int32_t c : children(i)) bottom_up.push_back(c);
  }
  std::reverse(bottom_up.begin(), bottom_up.end());
  for (const int32_t i : bottom_up) {
    Node& node = nodes[i];
    node.first = tokens(i).front();
    node.last = tokens(i).back();
    node.subtree_words = node.words;
    for (const int32_t c : children(i)) {
      node.first = std::min(node.first, nodes[c].first);
      node.last = std::max(node.last, nodes[c].last);
      node.subtree_words += nodes[c].subtree_words;
    }
  }
}

// The nearest head of a token that is in a node, or -1.
int32_t Tree::climb(int32_t token) const {
  int32_t at = token;
  do {
    if (head_[at] == at) return -1;
    at = head_[at];
  } while (node_of[at] < 0);
  return at;
}

int32_t Tree::find(int32_t token) {
  while (group_[token] != token) {
    group_[token] = group_[group_[token]];
    token = group_[token];
  }
  return token;
}

void Tree::unite(int32_t a, int32_t b) {
  a = find(a);
  b = find(b);
  if (a != b) group_[std::max(a, b)] = std::min(a, b);
}

}  // namespace laconic
