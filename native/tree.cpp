#include "tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "text.hpp"

namespace laconic {
namespace {

// Lists the members of each node, given by `node_of` (-1: of none), node by node. The start of a node's members is
// written to its field `first`, their number to `size`, which must be 0 before.
void list_members(int32_t count, const auto& node_of, int32_t Tree::Node::* first, int32_t Tree::Node::* size,
                  std::vector<Tree::Node>& nodes, std::vector<int32_t>& list) {
  for (int32_t i = 0; i < count; ++i) {
    if (node_of(i) >= 0) ++(nodes[node_of(i)].*size);
  }
  int32_t total = 0;
  for (Tree::Node& node : nodes) {
    node.*first = total;
    total += std::exchange(node.*size, 0);
  }
  list.resize(total);
  for (int32_t i = 0; i < count; ++i) {
    if (node_of(i) < 0) continue;
    Tree::Node& node = nodes[node_of(i)];
    list[node.*first + (node.*size)++] = i;
  }
}

}  // namespace

Tree TreeBuilder::build(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  attach(parses, sentence, rules);
  measure_depths();
  if (head_names(parses, sentence, rules)) measure_depths();
  find_partners(parses, sentence, rules);
  if (move_conjuncts(parses, sentence, rules)) measure_depths();
  if (raise_genitives(parses, sentence, rules)) measure_depths();
  reduce_clauses(parses, sentence, rules);
  collapse_function_words(parses, sentence, rules);
  collapse_predicates(parses, sentence, rules);
  collapse_written_together(parses, sentence);
  collapse_entities(parses, sentence, rules);
  collapse_after_articles(parses, sentence, rules);
  make_nodes(parses, sentence, rules);
  print_words_whole();
  share_subjects(parses, sentence, rules);
  link();
  return {nodes_, node_of_, print_, coordination_, shared_, function_, head_, label_, bottom_up_, child_list_, token_list_};
}

// Heads relative to the sentence. A token whose head is outside the sentence, or missing, is a root.
void TreeBuilder::attach(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(sentence.last - sentence.first);
  const int64_t base = parses.token_ptr[sentence.text] - sentence.first;
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  head_.resize(n);
  label_.resize(n);
  outside_.assign(n, 0);
  function_.assign(n, 0);
  print_.assign(n, Print::always);
  coordination_.assign(n, -1);
  group_.resize(n);
  std::iota(group_.begin(), group_.end(), 0);
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence.first + t;
    const int64_t head = parses.head[row] + base;
    head_[t] = head < 0 || head >= n ? t : static_cast<int32_t>(head);
    label_[t] = parses.label[row];
    const Role role = rules.role[label_[t]];
    const uint32_t *begin = chars + parses.start[row], *end = chars + parses.end[row];
    outside_[t] = (role == Role::punctuation && !is_option(begin, end)) || (rules.tag[parses.tag[row]] & TagFlag::space) != 0 ||
                  (role != Role::function && is_quote(begin, end));
  }
}

// Computes the depth of every token, and an order in which heads precede their dependents. A cycle, which parsers should
// not produce, is cut where it is found.
void TreeBuilder::measure_depths() {
  const auto n = static_cast<int32_t>(head_.size());
  depth_.assign(n, -1);
  by_depth_.clear();
  for (int32_t t = 0; t < n; ++t) {
    int32_t at = t;
    const auto mark = by_depth_.size();
    while (depth_[at] == -1) {
      depth_[at] = -2;  // on the current path
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
  // By depth, then by position: a counting sort, since depths are small.
  fill_.assign(n + 1, 0);
  for (int32_t t = 0; t < n; ++t) ++fill_[depth_[t] + 1];
  std::partial_sum(fill_.begin(), fill_.end(), fill_.begin());
  for (int32_t t = 0; t < n; ++t) by_depth_[fill_[depth_[t]]++] = t;
}

// "ruler Pervez Musharraf": a name right after a noun becomes the head and the noun its title, however the parser
// attached them. If the parser labels the name as an apposition, the two are swapped.
bool TreeBuilder::head_names(const Parses& parses, const Sentence& sentence, const Rules& rules) {
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
      if (head_[c] == title && c != title) head_[c] = t;  // the following words describe the name
    }
    head_[t] = head_[title] == title ? t : head_[title];
    label_[t] = label_[title];
    head_[title] = t;
    label_[title] = rules.title_label;
    moved = true;
  }
  // "Kootenay Ice forward Tim Bozon": words before the title belong to it and are deleted with it.
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

// Finds what each preposition and conjunction is merged into, in one pass from the right: the first object of a
// preposition, the first preposition inside it, the next conjunct after a conjunction.
void TreeBuilder::find_partners(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  object_.assign(n, -1);
  inner_.assign(n, -1);
  next_conjunct_.assign(n, -1);
  has_subject_.assign(n, 0);
  fill_.assign(n, -1);  // by head: the leftmost conjunct so far
  for (int32_t t = n; t-- > 0;) {
    const int32_t head = head_[t];
    if (head == t) continue;
    switch (rules.role[label_[t]]) {
      case Role::object: object_[head] = t; break;
      case Role::preposition: inner_[head] = t; break;
      case Role::conjunct: fill_[head] = t; break;
      case Role::conjunction:
      case Role::correlative: next_conjunct_[t] = fill_[head]; break;
      case Role::subject: has_subject_[head] = 1; break;
      default: break;
    }
    if (label_[t] == rules.expletive_label) has_subject_[head] = 1;
  }
  // A conjunction that the parser attached elsewhere joins the conjunct that follows it.
  for (int32_t t = 0; t + 1 < n; ++t) {
    const Role role = rules.role[label_[t]];
    if ((role == Role::conjunction || role == Role::correlative) && next_conjunct_[t] < 0 &&
        rules.role[label_[t + 1]] == Role::conjunct && head_[t + 1] < t)
      next_conjunct_[t] = t + 1;
  }
  // "treat it as confidential": the dependent of a preposition in place of an object.
  for (int32_t t = n; t-- > 0;) {
    const int32_t head = head_[t];
    if (head >= t || rules.role[label_[head]] != Role::preposition || object_[head] >= 0 || inner_[head] >= 0) continue;
    const Role role = rules.role[label_[t]];
    if ((role == Role::node || role == Role::predicate || role == Role::complement) && !outside_[t]) object_[head] = t;
  }
  // "in or around the town": one preposition of two words.
  for (int32_t t = 0; t < n; ++t) {
    const int32_t first = head_[t];
    if (rules.role[label_[t]] != Role::conjunct || first >= t || rules.role[label_[first]] != Role::preposition) continue;
    if (object_[first] >= 0 || object_[t] < 0) continue;
    object_[first] = object_[t];
    head_[object_[first]] = first;
    object_[t] = -1;
    function_[t] = 1;
    unite(t, first);
  }
  // Verbs that are conjuncts and have no subject of their own; verbs whose form needs a plural subject.
  shares_subject_.assign(n, 0);
  plural_.assign(n, 0);
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence.first + t;
    const uint16_t tag = rules.tag[parses.tag[row]];
    shares_subject_[t] = rules.role[label_[t]] == Role::conjunct && !has_subject_[t];
    if ((tag & TagFlag::plural) != 0 ||
        ((tag & TagFlag::finite) != 0 && rules.plural_forms.has(chars + parses.start[row], chars + parses.end[row]))) {
      plural_[t] = 1;
      if (rules.role[label_[t]] == Role::function) plural_[head_[t]] = 1;
    }
  }
}

void TreeBuilder::make_nodes(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  anchor_.assign(n, -1);
  word_.assign(n, -1);
  for (const int32_t t : by_depth_) {  // from the highest token down
    if (outside_[t]) continue;
    const int32_t g = group_[t] = find(t);
    if (anchor_[g] < 0 || rules.role[label_[anchor_[g]]] == Role::conjunction ||
        rules.role[label_[anchor_[g]]] == Role::correlative)
      anchor_[g] = t;
    if (word_[g] < 0 && !function_[t]) word_[g] = t;
  }
  node_of_.assign(n, -1);
  nodes_.clear();
  // Numbered by the position of the head word: mark the groups at these positions, then count.
  fill_.assign(n, -1);
  for (int32_t g = 0; g < n; ++g) {
    if (anchor_[g] < 0) continue;
    if (word_[g] < 0) word_[g] = anchor_[g];
    fill_[word_[g]] = g;
  }
  for (int32_t t = 0; t < n; ++t) {
    if (fill_[t] < 0) continue;
    const int32_t g = fill_[t];
    Tree::Node node{};
    node.word = t;
    node.anchor = anchor_[g];
    node.preposition = -1;
    node.parent = -1;
    node.owner = -1;
    anchor_[g] = size();  // from here on, the group's node
    nodes_.push_back(node);
  }
  for (int32_t t = 0; t < n; ++t) {
    if (!outside_[t]) node_of_[t] = anchor_[group_[t]];
  }
  list_members(n, [&](int32_t t) { return node_of_[t]; }, &Tree::Node::token, &Tree::Node::words, nodes_, token_list_);
  for (int32_t i = 0; i < size(); ++i) {
    Tree::Node& node = nodes_[i];
    node.label = label_[node.anchor];
    node.subject = rules.role[node.label] == Role::subject;
    const auto preposition = [&](int32_t t) { return function_[t] && rules.role[label_[t]] == Role::preposition; };
    if (preposition(node.anchor)) node.preposition = node.anchor;
    // The prepositions that lead into the node are not printed if it is promoted; others in it are, as in "is in place".
    const bool chain = node.preposition >= 0 && object_[node.anchor] < 0;
    const bool verb = (rules.tag[parses.tag[sentence.first + node.word]] & TagFlag::verb) != 0;
    for (const int32_t t : tokens(i)) {
      const bool leads = t == node.anchor || (chain && inner_[node.anchor] == t);
      if (preposition(t) && !leads) print_[t] = Print::always;
      const bool finite = (rules.tag[parses.tag[sentence.first + t]] & TagFlag::finite) != 0;
      node.finite |= verb && finite && (t == node.word || function_[t]);
      node.negated |= rules.is_negation(parses.lemma[sentence.first + t]);
    }
  }
}

// The "of" in "state-of-the-art" is printed whenever "state" is, whatever its role as a separate word would be.
void TreeBuilder::print_words_whole() {
  const auto n = static_cast<int32_t>(head_.size());
  for (int32_t first = 0, last; first < n; first = last + 1) {
    last = first;
    while (together_[last]) ++last;
    const auto begin = print_.begin() + first, end = print_.begin() + last + 1;
    if (last > first && std::any_of(begin, end, [](Print print) { return print != Print::always; })) {
      std::fill(begin, end, Print::always);
    }
  }
}

// "He [opened the door and] left": a verb that shares the subject of another may be the root, and is printed with it,
// and with the auxiliaries if it has no finite form of its own ("will [stop and] ask").
void TreeBuilder::share_subjects(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const auto tag = [&](int32_t t) { return rules.tag[parses.tag[sentence.first + t]]; };
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  const auto contracts = [&](int32_t t) { return is_apostrophe(chars[parses.start[sentence.first + t]]); };  // "'s"
  shared_.assign(n, -1);
  for (Tree::Node& node : nodes_) {
    const int32_t verb = node.word;
    if (!shares_subject_[verb] || (tag(verb) & TagFlag::verb) == 0) continue;
    int32_t owner = head_[verb];
    while (shares_subject_[owner] && head_[owner] != owner && (tag(owner) & TagFlag::verb) != 0) owner = head_[owner];
    const bool alike = parses.tag[sentence.first + owner] == parses.tag[sentence.first + verb];
    if (node_of_[owner] < 0 || node_of_[owner] == node_of_[verb] || (tag(owner) & TagFlag::verb) == 0) continue;
    if (rules.role[label_[owner]] == Role::relative || (!node.finite && !alike)) continue;
    const Tree::Node& other = nodes_[node_of_[owner]];
    if (!other.finite && head_[owner] != owner) continue;
    bool apart = true;  // whether the subject can be printed apart from its verb
    bool before = false, after = false;  // of two subjects around a verb, one belongs to another clause
    for (int32_t t = 0; t < n; ++t) {
      if (head_[t] != owner || rules.role[label_[t]] != Role::subject) continue;
      (t < owner ? before : after) = true;
      const bool merged = node_of_[t] == node_of_[owner] && ((t > 0 && together_[t - 1]) || (together_[t] && !contracts(t + 1)));
      if (merged || t > verb || (tag(t) & TagFlag::relative) != 0) apart = false;
    }
    if (apart && !(before && after)) node.owner = owner;
  }
  for (const Tree::Node& node : nodes_) {
    if (node.owner < 0) continue;
    const int32_t own = node_of_[node.owner];
    for (int32_t t = 0; t < n; ++t) {
      const int32_t at = node_of_[t];
      if (at < 0) continue;
      if (t < node.owner && function_[t] && head_[t] == node.owner) shared_[t] = node.owner;  // an auxiliary
      // The subject with the words merged into it, and what is carried with it.
      const auto subject = [&](int32_t u) { return head_[u] == node.owner && rules.role[label_[u]] == Role::subject; };
      const Tree::Node& its = nodes_[at];
      const bool carried = rules.carried[label_[its.anchor]] && head_[its.anchor] != its.anchor && subject(head_[its.anchor]);
      if (at == own ? subject(t) : subject(its.anchor) || carried) shared_[t] = node.owner;
    }
  }
  // Of words written together, all are shared or none; but "he" of "he's" may be shared alone.
  for (int32_t first = 0, last; first < n; first = last + 1) {
    bool alike = true;
    for (last = first; together_[last]; ++last) {
      alike &= shared_[last] == shared_[last + 1] || (shared_[last + 1] < 0 && contracts(last + 1));
    }
    if (!alike) std::fill(shared_.begin() + first, shared_.begin() + last + 1, -1);
  }
}

// Computes parents, children, depths and subtree spans.
void TreeBuilder::link() {
  const auto count = size();
  for (int32_t i = 0; i < count; ++i) {
    Tree::Node& node = nodes_[i];
    const int32_t head = climb(node.anchor);
    node.parent = head < 0 || node_of_[head] == i ? -1 : node_of_[head];
  }
  // Words that were merged over a distance may make two nodes descendants of each other: the one found first becomes a
  // top node.
  fill_.assign(count, 0);  // 1: on the current path, 2: leads to the top
  for (int32_t i = 0; i < count; ++i) {
    int32_t at = i;
    while (at >= 0 && fill_[at] == 0) {
      fill_[at] = 1;
      at = nodes_[at].parent;
    }
    if (at >= 0 && fill_[at] == 1) nodes_[at].parent = -1;
    for (at = i; at >= 0 && fill_[at] == 1; at = nodes_[at].parent) fill_[at] = 2;
  }
  for (Tree::Node& node : nodes_) {
    node.root_edge = (node.finite && !shares_subject_[node.word]) || node.owner >= 0 || node.parent < 0;
  }
  const auto parent = [&](int32_t i) { return nodes_[i].parent; };
  list_members(count, parent, &Tree::Node::child, &Tree::Node::children, nodes_, child_list_);
  // Breadth first from the roots, then reversed.
  bottom_up_.clear();
  for (int32_t i = 0; i < count; ++i) {
    if (nodes_[i].parent < 0) bottom_up_.push_back(i);
  }
  for (size_t at = 0; at < bottom_up_.size(); ++at) {
    const int32_t i = bottom_up_[at];
    nodes_[i].depth = nodes_[i].parent < 0 ? 1 : nodes_[nodes_[i].parent].depth + 1;
    for (const int32_t c : children(i)) bottom_up_.push_back(c);
  }
  std::reverse(bottom_up_.begin(), bottom_up_.end());
  for (const int32_t i : bottom_up_) {
    Tree::Node& node = nodes_[i];
    node.first = tokens(i).front();
    node.last = tokens(i).back();
    node.subtree_words = node.words;
    for (const int32_t c : children(i)) {
      node.first = std::min(node.first, nodes_[c].first);
      node.last = std::max(node.last, nodes_[c].last);
      node.subtree_words += nodes_[c].subtree_words;
    }
  }
}

// The nearest head of a token that is in a node, or -1.
int32_t TreeBuilder::climb(int32_t token) const {
  int32_t at = token;
  do {
    if (head_[at] == at) return -1;
    at = head_[at];
  } while (node_of_[at] < 0);
  return at;
}

int32_t TreeBuilder::find(int32_t token) {
  while (group_[token] != token) {
    group_[token] = group_[group_[token]];
    token = group_[token];
  }
  return token;
}

void TreeBuilder::unite(int32_t a, int32_t b) {
  a = find(a);
  b = find(b);
  if (a != b) group_[std::max(a, b)] = std::min(a, b);
}

void Tree::find_printed(std::span<const uint8_t> kept, int32_t root, std::vector<uint8_t>& printed) const {
  const int32_t n = length();
  const bool promoted = nodes[root].parent >= 0;
  const auto in = [&](int32_t t) { return node_of[t] >= 0 && kept[node_of[t]] != 0; };
  std::vector<uint8_t> member(n), seen(n);  // by first conjunct: a member is kept; one is printed so far
  for (int32_t t = 0; t < n; ++t) {
    if (coordination[t] >= 0 && in(t)) member[coordination[t]] = 1;
  }
  int32_t previous = -1;
  printed.assign(n, 0);
  for (int32_t t = 0; t < n; ++t) {
    if (node_of[t] < 0) continue;
    const int32_t group = coordination[t];
    const bool leads = promoted && node_of[t] == root;  // words that lead into the root are not printed
    switch (print[t]) {
      case Print::always:
        printed[t] = in(t) || lends(t, root);
        if (in(t) && group >= 0) seen[group] = 1;
        break;
      case Print::subordinate:
        printed[t] = in(t) && !leads;
        if (printed[t] && group >= 0) seen[group] = 1;  // "to Ann and to Bob"
        break;
      case Print::leading: printed[t] = (in(t) && !leads) || member[group]; break;
      case Print::coordinate:
        if (!in(t)) break;
        if (group < 0) {
          // Printed with the word before it; in the root, only if that word is also in it ("may or may not" is one
          // node): otherwise, it leads into the root.
          printed[t] = previous >= 0 && printed[previous] && (node_of[t] != root || node_of[previous] == root);
        } else if (t < group) {  // the first conjunct may be punctuation, which is in no node
          printed[t] = in(group);
        } else {
          printed[t] = seen[group];
        }
        break;
      case Print::below: printed[t] = in(t) && !(promoted && nodes[node_of[t]].parent == root) && node_of[t] != root; break;
    }
    previous = t;
  }
}

}  // namespace laconic
