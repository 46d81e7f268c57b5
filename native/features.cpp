#include "features.hpp"

#include <algorithm>
#include <cassert>

#include "hash.hpp"
#include "text.hpp"

namespace laconic {
namespace {

// The number of neighbours on each side that a feature examines, which keeps the cost linear in the sentence length.
constexpr int32_t horizon = 8;

constexpr uint64_t number_lemma = 0x23;  // stands for all words with a digit

// Buckets of counts, by table lookup: the comparison is unpredictable, and a mispredicted branch costs more.
template <size_t size>
class Buckets {
 public:
  // The limits are the first counts of the second bucket, the third …; the last is `size`.
  template <size_t n>
  constexpr explicit Buckets(const int32_t (&limits)[n]) {
    for (size_t count = 0, bucket = 0; count <= size; ++count) {
      while (bucket < n && static_cast<int32_t>(count) >= limits[bucket]) ++bucket;
      bucket_[count] = static_cast<uint8_t>(bucket);
    }
  }
  uint64_t operator()(int32_t count) const { return bucket_[std::min(static_cast<size_t>(count), size)]; }

 private:
  uint8_t bucket_[size + 1]{};
};

constexpr Buckets<25> bucket{{1, 2, 3, 4, 5, 7, 10, 15, 25}};  // for counts that grow
constexpr Buckets<25> character_bucket{{4, 7, 11, 16, 25}};

uint64_t cap(int32_t count, int32_t most = 7) { return static_cast<uint64_t>(std::min(count, most)); }

uint32_t id(uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
  // The products are independent; the compiler multiplies the constants.
  uint64_t h = number * 0x9e3779b97f4a7c15ULL + a * 0xff51afd7ed558ccdULL + b * 0xc4ceb9fe1a85ec53ULL +
               c * 0xa0761d6478bd642fULL + d * 0x8ebc6af09c88c6e3ULL;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
  return static_cast<uint32_t>(h >> 32);
}

// Appends ids without checking the capacity each time; `most` is the maximum number.
class Appender {
 public:
  Appender(std::vector<uint32_t>& out, size_t most) : out_(out) {
    const size_t size = out.size();
    out.resize(size + most);
    at_ = out.data() + size;
  }
  ~Appender() {
    const auto size = static_cast<size_t>(at_ - out_.data());
    assert(size <= out_.size());
    out_.resize(size);
  }
  void push(uint32_t id) { *at_++ = id; }

 private:
  std::vector<uint32_t>& out_;
  uint32_t* at_;
};

// The kind of a token as a neighbour.
uint64_t mark(uint32_t c) {
  if (is_word_char(c)) return 1;
  // clang-format off
  switch (c) {
    case ',': return 2;
    case '"': case '`': case '\'': case 0x201c: case 0x201d: case 0x2018: case 0x2019: return 3;
    case '(': case ')': case '[': case ']': return 4;
    case '-': case 0x2013: case 0x2014: return 5;
    case ':': case ';': return 6;
    case '.': case '!': case '?': return 7;
    default: return 8;
  }
  // clang-format on
}

}  // namespace

void Features::prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree) {
  tree_ = &tree;
  parses_ = &parses;
  sentence_ = &sentence;
  const int32_t length = tree.length();
  const auto row = [&](int32_t t) { return sentence.first + t; };
  const auto chars = [&](int32_t t) { return parses.chars.data() + parses.char_ptr[sentence.text] + parses.start[row(t)]; };
  lemmas_.resize(length);
  for (int32_t t = 0; t < length; ++t) {
    const uint32_t* word = chars(t);
    const int32_t size = parses.end[row(t)] - parses.start[row(t)];
    lemmas_[t] = std::any_of(word, word + size, is_digit) ? number_lemma : parses.lemma[row(t)];
  }
  const auto lemma = [&](int32_t t) { return lemmas_[t]; };
  const auto neighbour = [&](int32_t t) -> uint64_t {
    if (t < 0) return 9;
    if (t >= length) return 10;
    return parses.end[row(t)] > parses.start[row(t)] ? mark(*chars(t)) : 8;
  };
  atoms_.resize(tree.size());
  rank_.resize(tree.size());
  root_edges_.clear();
  length_ = bucket(tree.size());
  main_ = 0;
  for (int32_t i = 0; i < tree.size(); ++i) {
    const Tree::Node& node = tree.nodes[i];
    Atoms& a = atoms_[i];
    a.relation = node.label;
    a.label = node.preposition >= 0 ? (lemma(node.preposition) | 0x8000000000000000ULL) : node.label;
    a.tag = parses.tag[row(node.word)];
    a.lemma = lemma(node.word);
    a.entity = parses.entity[row(node.word)];
    const auto tokens = tree.tokens(i);
    a.first = tokens.front() == node.word ? 1 : lemma(tokens.front());
    a.opening = node.first == node.word ? 1 : lemma(node.first);
    a.before = neighbour(node.first - 1);
    a.after = neighbour(node.last + 1);
    a.outer_before = node.first > 0 ? lemma(node.first - 1) : 2;
    a.outer_after = node.last + 1 < length ? lemma(node.last + 1) : 2;
    a.depth = cap(node.depth);
    a.words = cap(node.words);
    int32_t size = 0;
    for (const int32_t t : tokens) size += parses.end[row(t)] - parses.start[row(t)];
    a.chars = character_bucket(size);
    const auto children = tree.children(i);
    a.children = cap(static_cast<int32_t>(children.size()));
    a.subtree = bucket(node.subtree_words);
    a.position = static_cast<uint64_t>(8 * node.word / std::max(length, 1));
    const uint32_t c = *chars(node.word);
    a.shape = a.lemma == number_lemma ? 2 : is_upper_ascii(c) ? 1 : 0;
    a.subject = a.object = false;
    for (size_t j = 0; j < children.size(); ++j) rank_[children[j]] = static_cast<int32_t>(j);
    if (node.parent < 0) {
      rank_[i] = 0;
      if (main_ == 0) main_ = a.lemma;
    }
    if (node.root_edge) root_edges_.push_back(i);
  }
  for (int32_t i = 0; i < tree.size(); ++i) {
    uint64_t set = 1;
    for (const int32_t c : tree.children(i)) {
      const uint64_t relation = atoms_[c].relation;
      set = mix(set, relation + (c > i ? 64 : 0));
      atoms_[i].subject |= rules.role[relation] == Role::subject;
      atoms_[i].object |= rules.role[relation] == Role::complement || rules.role[relation] == Role::predicate;
    }
    atoms_[i].child_set = set;
  }
}

void Features::edge(const Edge& edge, std::vector<uint32_t>& out) const {
  if (edge.head < 0) {
    root_edge(edge.node, out);
  } else {
    tree_edge(edge.head, edge.node, out);
  }
}

void Features::tree_edge(int32_t head, int32_t node, std::vector<uint32_t>& out) const {
  const Atoms& n = atoms_[node];
  const Atoms& h = atoms_[head];
  const Tree::Node& place = tree_->nodes[node];
  const Tree::Node& head_place = tree_->nodes[head];
  const Atoms* g = head_place.parent >= 0 ? &atoms_[head_place.parent] : nullptr;
  const auto siblings = tree_->children(head);
  const auto rank = rank_[node];
  const uint64_t side = node < head ? 0 : 1;
  const uint64_t distance = bucket(std::abs(place.word - head_place.word));
  const auto count = static_cast<int32_t>(siblings.size());
  const uint64_t left = rank > 0 ? atoms_[siblings[rank - 1]].label : 250;
  const uint64_t right = rank + 1 < count ? atoms_[siblings[rank + 1]].label : 251;
  const uint64_t l = n.label, r = n.relation;
  const uint64_t head_root = head_place.root_edge ? 1 : 0;
  const uint64_t flags = (n.subject ? 1 : 0) + (n.object ? 2 : 0) + (place.finite ? 4 : 0) + (place.negated ? 8 : 0);
  Appender ids(out, 48 + 4 * siblings.size() + 3 * tree_->children(node).size() + tree_->tokens(node).size());
  const auto add = [&](uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
    ids.push(id(number, a, b, c, d));
  };
  // Syntactic.
  add(1, l);
  add(2, r, n.tag, h.tag);
  add(3, l, n.tag, h.tag);
  add(4, l, h.label);
  add(5, l, h.label, h.tag);
  add(6, r, h.relation, g ? g->relation : 99);
  add(7, l, n.entity, n.tag);
  add(8, l, h.entity);
  add(9, l, n.child_set);
  add(10, l, flags);
  add(11, l, h.child_set);
  add(12, l, side, distance);
  add(13, l, left);
  add(14, l, right);
  add(15, r, left, right, h.tag);
  add(16, l, n.before, n.after, side);
  add(17, l, n.shape, n.entity, n.first);
  add(18, r, n.tag, n.first, side);
  // Lexical.
  if (n.lemma) {
    add(20, n.lemma);
    add(21, l, n.lemma);
    add(22, r, n.lemma, h.tag);
    add(23, n.lemma, h.relation, r);
    add(24, n.lemma, n.subtree, r);
    if (h.lemma) add(25, h.lemma, l, n.lemma);
  }
  if (h.lemma) {
    add(26, h.lemma, l);
    add(27, h.lemma, l, side, n.subtree);
    add(28, h.lemma, l, h.label);
    add(29, h.lemma, l, n.entity, n.tag);
    add(30, h.lemma, r, left, right);
    add(31, h.lemma, l, count);
    add(32, h.lemma, r);
    if (g && g->lemma) add(33, g->lemma, h.lemma, l, h.relation);
  }
  if (g && g->lemma) add(34, g->lemma, h.label, l);
  add(35, l, n.opening);
  add(36, l, n.outer_before);
  add(37, l, n.outer_after);
  add(38, l, main_);
  // Numeric.
  add(40, l, n.depth);
  add(41, l, n.words, n.chars);
  add(42, l, n.children, h.children);
  add(43, l, n.subtree, length_);
  add(44, l, n.position, side);
  add(45, l, h.depth, head_root, length_);
  add(46, l, n.subtree, n.before, side);
  add(47, l, static_cast<uint64_t>(rank), cap(count - rank));
  add(48, r, n.tag, n.subtree, n.entity);
  // Every sibling.
  for (int32_t s = std::max(0, rank - horizon); s < std::min(count, rank + horizon + 1); ++s) {
    if (s == rank) continue;
    const Atoms& sibling = atoms_[siblings[s]];
    const uint64_t where = s < rank ? 0 : 1;
    add(50, l, sibling.label, where);
    if (h.lemma) add(51, h.lemma, r, sibling.label);
    add(52, r, sibling.relation, sibling.subtree, n.subtree);
    if (sibling.lemma) add(53, r, sibling.relation, sibling.lemma);
  }
  // Every child.
  for (const int32_t c : tree_->children(node)) {
    const Atoms& child = atoms_[c];
    add(55, l, child.label);
    if (n.lemma) add(56, n.lemma, r, child.label);
    if (child.lemma) add(57, r, child.relation, child.lemma);
  }
  for (const int32_t t : tree_->tokens(node)) {
    if (t != place.word) add(58, l, parses_->lemma[sentence_->first + t]);
  }
}

void Features::root_edge(int32_t node, std::vector<uint32_t>& out) const {
  const Atoms& n = atoms_[node];
  const Tree::Node& place = tree_->nodes[node];
  const Atoms* h = place.parent >= 0 ? &atoms_[place.parent] : nullptr;
  const auto count = static_cast<int32_t>(root_edges_.size());
  const auto rank = static_cast<int32_t>(std::lower_bound(root_edges_.begin(), root_edges_.end(), node) - root_edges_.begin());
  const uint64_t among = cap(count, 5);
  const uint64_t flags = (n.subject ? 1 : 0) + (n.object ? 2 : 0) + (place.finite ? 4 : 0) + (place.negated ? 8 : 0);
  const uint64_t l = n.label, hl = h ? h->lemma : 3, hr = h ? h->relation : 99;
  const uint64_t share = static_cast<uint64_t>(8 * place.subtree_words / std::max(tree_->length(), 1));
  const size_t siblings_most = place.parent >= 0 ? tree_->children(place.parent).size() : 0;
  Appender ids(out,
               26 + 6 * root_edges_.size() + 4 * siblings_most + 11 * tree_->children(node).size() + tree_->tokens(node).size());
  const auto add = [&](uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
    ids.push(id(100 + number, a, b, c, d));
  };
  add(0, 0);
  add(1, l, among);
  add(2, l, n.tag);
  add(3, n.lemma);
  add(4, n.lemma, l);
  add(5, hl, l);
  add(6, hl, l, n.lemma);
  add(7, flags, l);
  add(8, n.lemma, flags);
  add(9, l, hr, n.depth);
  add(10, among, cap(rank), cap(count - rank));
  add(11, n.child_set);
  add(12, n.child_set, l);
  add(13, n.before, n.after, l);
  add(14, share, l);
  add(15, share, n.lemma);
  add(16, n.opening, l);
  add(17, n.position, l, among);
  add(18, n.subtree, length_, l);
  add(19, n.first, l);
  add(20, n.first, n.lemma, l);
  add(21, n.children, n.words, n.depth);
  add(22, main_, n.depth, l);
  add(23, n.outer_before, l);
  for (const int32_t c : tree_->children(node)) {
    const Atoms& child = atoms_[c];
    const uint64_t side = c < node ? 0 : 1;
    add(30, child.label, side);
    add(31, child.label, n.lemma);
    add(32, child.relation, child.lemma, l);
    add(33, child.relation, child.tag, l);
    add(34, child.relation, child.entity, l);
    add(35, child.relation, child.subtree, l);
    add(36, child.relation, child.lemma, n.lemma);
    add(37, child.relation, child.first, l);
    if (tree_->nodes[c].root_edge) {
      add(38, child.relation, n.lemma, child.lemma);
      add(39, child.relation, n.lemma, child.subject);
      add(40, child.relation, child.before, side, n.lemma);
    }
  }
  // The other candidates.
  for (int32_t i = std::max(0, rank - horizon); i < std::min(count, rank + horizon + 1); ++i) {
    if (i == rank) continue;
    const int32_t other = root_edges_[i];
    const Atoms& o = atoms_[other];
    const uint64_t where = other < node ? 0 : 1;
    const uint64_t link = tree_->nodes[other].parent == node ? 1 : place.parent == other ? 2 : 0;
    add(45, o.lemma, where, l);
    add(46, o.label, where, l, link);
    add(47, o.lemma, n.lemma, link);
    add(48, o.child_set, where, link, l);
    add(49, o.subject, n.subject, link, where);
    add(50, o.subtree, n.subtree, link);
  }
  for (const int32_t t : tree_->tokens(node)) add(55, parses_->lemma[sentence_->first + t], l);
  if (place.parent >= 0) {
    const Tree::Node& parent = tree_->nodes[place.parent];
    add(60, parent.finite, parent.depth, l);
    add(61, hl, h->subject, l, n.subject);
    const auto siblings = tree_->children(place.parent);
    const int32_t at = rank_[node], all = static_cast<int32_t>(siblings.size());
    for (int32_t i = std::max(0, at - horizon); i < std::min(all, at + horizon + 1); ++i) {
      const int32_t s = siblings[i];
      if (s == node) continue;
      add(62, atoms_[s].label, l, s < node);
      add(63, atoms_[s].relation, hl, l);
      add(64, atoms_[s].relation, atoms_[s].tag, atoms_[s].entity, l);
      add(65, atoms_[s].relation, atoms_[s].lemma, l);
    }
  }
}

void Features::node(int32_t node, std::vector<uint32_t>& out) const {
  const Atoms& n = atoms_[node];
  const Tree::Node& place = tree_->nodes[node];
  const Atoms* h = place.parent >= 0 ? &atoms_[place.parent] : nullptr;
  Appender ids(out, 17 + 8 * tree_->children(node).size());
  const auto add = [&](uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
    ids.push(id(200 + number, a, b, c, d));
  };
  const uint64_t children = n.children, l = n.label;
  add(0, children);
  add(1, l, children);
  add(2, n.tag, children);
  add(3, n.lemma, children);
  add(4, n.lemma, n.child_set);
  add(5, n.child_set);
  add(6, n.child_set, l);
  add(7, n.depth, children);
  add(8, n.entity, children, n.tag);
  add(9, n.subtree, children, l);
  add(10, n.first, n.tag, children);
  add(11, n.lemma, l);
  add(12, h ? h->lemma : 3, l, children);
  add(13, h ? h->tag : 3, n.tag, l);
  add(14, place.negated, n.tag, children);
  add(15, length_, n.subtree, n.depth);
  add(16, n.words, n.chars, children);
  for (const int32_t c : tree_->children(node)) {
    const Atoms& child = atoms_[c];
    const uint64_t side = c < node ? 0 : 1;
    add(20, child.label, side, children);
    add(21, child.label, n.lemma, children);
    add(22, child.relation, child.lemma, children);
    add(23, child.relation, child.tag, child.entity, children);
    add(24, child.relation, child.subtree, children, n.tag);
    add(25, child.label, child.lemma, n.lemma);
    add(26, child.label, child.before, side, children);
    add(27, child.label, n.child_set);
  }
}

}  // namespace laconic
