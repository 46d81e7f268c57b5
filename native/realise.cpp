#include "realise.hpp"

#include <algorithm>

#include "text.hpp"

namespace laconic {
void Realiser::prepare(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree,
                       std::span<const Coreference> coreferences, std::span<const Pin> pins) {
  parses_ = &parses;
  sentence_ = &sentence;
  rules_ = &rules;
  tree_ = &tree;
  coreferences_ = coreferences;
  pins_ = pins;
  classify();
  pair();
  find_end();
  questions_.clear();
  if (asks_) find_questions();
}

void Realiser::classify() {
  const int32_t n = tree_->length();
  kind_.assign(n, Shape::word);
  marks_.clear();
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence_->first + t;
    const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text] + parses_->start[row];
    const int32_t size = parses_->end[row] - parses_->start[row];
    const uint32_t c = size > 0 ? chars[0] : ' ';
    const bool inside = tree_->node_of[t] >= 0;
    if (inside && (size != 1 || !is_bracket(c))) continue;
    Mark mark{t, Shape::other, c, -1, false, false, false};
    switch (c) {
      case ',': case ';': case ':': case '-': case 0x2013: case 0x2014: case 0x2026:
        mark.kind = Shape::separator;
        break;
      case '.': case '!': case '?':
        mark.kind = Shape::stop;
        break;
      case '(': case '[': case '{':
        mark.kind = Shape::open;
        break;
      case ')': case ']': case '}':
        mark.kind = Shape::close;
        break;
      case '"': case '\'': case '`': case 0x2018: case 0x2019: case 0x201c: case 0x201d: case 0xab: case 0xbb:
        mark.kind = Shape::open;  // or closing: see pair()
        mark.quote = true;
        break;
      default:
        if (is_space(c)) mark.kind = Shape::space;
    }
    kind_[t] = mark.kind;
    if (mark.kind == Shape::space) continue;
    // "``" comes as two tokens from some tokenisers: one mark.
    if (c == '`' && size == 1 && !marks_.empty() && marks_.back().token == t - 1 && !marks_.back().twin &&
        parses_->end[row - 1] == parses_->start[row] && chars[-1] == '`') {
      marks_.back().twin = true;
      continue;
    }
    marks_.push_back(mark);
  }
  const auto word = [&](int32_t t) { return kind_[t] == Shape::word; };
  words_before_.assign(n + 1, 0);
  previous_.assign(n, -1);
  next_.assign(n, n);
  for (int32_t t = 0; t < n; ++t) words_before_[t + 1] = words_before_[t] + word(t);
  for (int32_t t = 1; t < n; ++t) previous_[t] = word(t - 1) ? t - 1 : previous_[t - 1];
  for (int32_t t = n - 1; t-- > 0;) next_[t] = word(t + 1) ? t + 1 : next_[t + 1];
  final_ = n;
  while (final_ > 0 && !word(final_ - 1)) --final_;
}

// Whether a token is a word with the bracket in it that the next token closes: "one(s" and ")".
bool Realiser::opens_inside(int32_t token) const {
  if (token < 0 || kind_[token] != Shape::word) return false;
  const int64_t row = sentence_->first + token;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const auto opens = [](uint32_t c) { return c == '(' || c == '['; };
  return parses_->end[row] == parses_->start[row + 1] &&
         std::any_of(chars + parses_->start[row], chars + parses_->end[row], opens);
}

// Matches brackets and quotation marks. One without a partner is not printed, unless it is part of a name.
void Realiser::pair() {
  open_.clear();
  const auto quote_class = [&](const Mark& mark) -> int {
    const int64_t row = sentence_->first + mark.token;
    if (mark.character == '\'' && parses_->end[row] - parses_->start[row] == 1) return 1;
    return mark.character == 0x2018 || mark.character == 0x2019 ? 1 : 2;
  };
  for (int32_t i = 0; i < static_cast<int32_t>(marks_.size()); ++i) {
    Mark& mark = marks_[i];
    if (!mark.quote && mark.kind != Shape::open && mark.kind != Shape::close) continue;
    int32_t at = static_cast<int32_t>(open_.size()) - 1;
    if (mark.quote) {
      while (at >= 0 && !(marks_[open_[at]].quote && quote_class(marks_[open_[at]]) == quote_class(mark))) --at;
    } else if (mark.kind == Shape::close) {
      while (at >= 0 && marks_[open_[at]].quote) --at;
    } else {
      at = -1;
    }
    if (at < 0) {
      if (mark.kind != Shape::close) open_.push_back(i);
      if (mark.kind == Shape::close && opens_inside(mark.token - 1)) kind_[mark.token] = mark.kind = Shape::other;
      continue;
    }
    mark.kind = Shape::close;
    kind_[mark.token] = Shape::close;
    mark.partner = open_[at];
    marks_[open_[at]].partner = i;
    open_.resize(at);
  }
}

// The stop that ends the sentence: one, though some writers put several; three full stops are an ellipsis. What stands in
// brackets at the end is no part of it: "(or so they say!)."
void Realiser::find_end() {
  end_.assign(tree_->length(), 0);
  asks_ = false;
  int32_t stops = 0, points = 0, chosen = -1;
  for (size_t i = marks_.size(); i-- > 0 && marks_[i].token >= final_;) {
    Mark& mark = marks_[i];
    if (mark.kind == Shape::close && !mark.quote && mark.partner >= 0) break;
    if (mark.character == 0x2026) kind_[mark.token] = mark.kind = Shape::stop;
    if (mark.kind != Shape::stop) continue;
    ++stops;
    const bool point = mark.character == '.';
    points += point;
    const bool better = chosen < 0 || point || (marks_[chosen].character != '.' && !point);
    if (better) chosen = static_cast<int32_t>(i);
    end_[mark.token] = 1;
  }
  if (chosen < 0 || (stops == points && stops >= 3)) return;
  for (int32_t t = final_; t < tree_->length(); ++t) end_[t] = t == marks_[chosen].token;
  asks_ = marks_[chosen].character == '?';
}

// Clauses with a verb before their subject or at the front, or that begin with a word that asks and hang on no other
// word than one they are coordinated with.
void Realiser::find_questions() {
  questions_.clear();
  const auto& nodes = tree_->nodes;
  const auto tag = [&](int32_t t) { return rules_->tag[parses_->tag[sentence_->first + t]]; };
  for (int32_t i = 0; i < tree_->size(); ++i) {
    if (!nodes[i].finite) continue;
    const auto tokens = tree_->tokens(i);
    const auto is_finite = [&](int32_t t) { return (tag(t) & TagFlag::finite) != 0; };
    const auto finite = std::find_if(tokens.begin(), tokens.end(), is_finite);
    const auto children = tree_->children(i);
    const bool inverted = finite != tokens.end() && std::any_of(children.begin(), children.end(), [&](int32_t child) {
      return nodes[child].subject && nodes[child].word > *finite;
    });
    int32_t first = nodes[i].first;
    while (first < nodes[i].last && (tree_->node_of[first] < 0 || tree_->print[first] == Print::coordinate)) ++first;
    const bool asking = (tag(first) & TagFlag::relative) != 0 && (nodes[i].parent < 0 || is_conjunct(i));
    const bool verb_first = tree_->node_of[first] == i && (tag(first) & TagFlag::finite) != 0;
    if (inverted || asking || verb_first) questions_.push_back(i);
  }
}

// Whether what is kept is still a question: one of its questions is there, or it never had the form of one.
bool Realiser::asks() const {
  if (questions_.empty()) return tree_->nodes[root_].parent < 0;
  return std::any_of(questions_.begin(), questions_.end(), [&](int32_t i) { return in_[i] != 0; });
}

bool Realiser::is_separator(const Mark& mark) const {
  return mark.token < final_ && !mark.hidden && (mark.kind == Shape::separator || mark.kind == Shape::stop);
}

// Whether a conjunction joins what is printed, though what it was coordinated with is gone: a clause is joined to what it
// hangs on, and where the parser lost what is joined, that is the word which it hangs on.
bool Realiser::joins(int32_t token) const {
  const int32_t node = tree_->node_of[token], group = tree_->coordination[token];
  if (tree_->print[token] != Print::coordinate || node == root_ || kept_sum_[token] == 0) return false;
  if (group >= 0) return token > group && is_clause(node);
  const int32_t head = tree_->node_of[tree_->head[token]];
  return head >= 0 && head != node && in_[head];
}

// A conjunction that is only printed where words follow it.
bool Realiser::may_join_nothing(int32_t token) const {
  return tree_->print[token] == Print::coordinate ||
         (tree_->print[token] == Print::subordinate && rules_->role[tree_->label[token]] == Role::conjunction);
}

// A preposition that is a node of its own says nothing without what hangs on it: "equitable, with [nobody left out]".
bool Realiser::dangles(int32_t token) const {
  const int32_t node = tree_->node_of[token];
  if (!may_dangle(token) || pin(token) == Pin::keep) return false;
  const auto children = tree_->children(node);
  const auto follows = [&](int32_t child) { return in_[child] && tree_->nodes[child].last > token; };
  return std::none_of(children.begin(), children.end(), follows);
}

bool Realiser::may_dangle(int32_t token) const {
  const int32_t node = tree_->node_of[token];
  return node >= 0 && !tree_->function[token] && rules_->role[tree_->label[token]] == Role::preposition &&
         tree_->nodes[node].words == 1 && tree_->nodes[node].last > token;
}

bool Realiser::is_conjunct(int32_t node) const {
  const int32_t word = tree_->nodes[node].word;
  return tree_->coordination[word] >= 0 && tree_->coordination[word] != word;
}

bool Realiser::is_verb(int32_t node) const {
  return (rules_->tag[parses_->tag[sentence_->first + tree_->nodes[node].word]] & TagFlag::verb) != 0;
}

// With a subject of its own.
bool Realiser::is_clause(int32_t node) const { return tree_->nodes[node].finite && tree_->nodes[node].root_edge != 0; }

// The separator that stands right before all words of a node, or -1.
int32_t Realiser::mark_before(const Gap& gap, int32_t node) const {
  for (int32_t i = gap.last; i >= gap.first; --i) {
    if (is_separator(marks_[i]) && next_[marks_[i].token] == tree_->nodes[node].first) return i;
  }
  return -1;
}

// Whether a separator stands right after a node, or after its head word ("Ann, who …"), before other words.
bool Realiser::is_enclosed(int32_t node) const {
  for (const int32_t last : {tree_->nodes[node].last, tree_->nodes[node].word}) {
    for (int32_t t = last + 1; t < final_ && kind_[t] != Shape::word; ++t) {
      if (kind_[t] == Shape::separator) return true;
    }
  }
  return false;
}

// Whether what stands before the gap leads into a clause: "In 2019, sales rose".
bool Realiser::opens_sentence(const Gap& gap) const {
  const auto& nodes = tree_->nodes;
  if (gap.before < 0 || nodes[gap.before].word > nodes[gap.top].word || !is_verb(gap.top)) return false;
  // Of two subjects the first is somebody who is spoken to: "Ann, he left".
  if (nodes[gap.before].subject) return gap.after >= 0 && nodes[gap.after].subject && !is_conjunct(gap.after);
  bool subject_before = false, subject_after = false;
  for (const int32_t child : tree_->children(gap.top)) {
    if (!nodes[child].subject || !in_[child]) continue;
    (nodes[child].word < nodes[gap.before].word ? subject_before : subject_after) = true;
  }
  if (subject_before || subject_after || !nodes[gap.top].finite) return !subject_before;
  // A finite verb without a subject may have it in what the parser took for something else: not in what a preposition
  // or a subordinator leads.
  const auto tokens = tree_->tokens(gap.before);
  const auto leads = [&](int32_t t) { return tree_->print[t] == Print::subordinate; };
  const bool led = nodes[gap.before].preposition >= 0 || std::any_of(tokens.begin(), tokens.end(), leads);
  return led || (rules_->tag[parses_->tag[sentence_->first + gap.right]] & TagFlag::verb) == 0;
}

// Whether of a longer list a conjunct and one other member are left.
bool Realiser::is_pair(int32_t node) const { return members_before(node, true) == 1 && members_before(node, false) > 0; }

// Members of a conjunct's coordination that stand before it and are kept, or not kept.
int32_t Realiser::members_before(int32_t node, bool kept) const {
  const int32_t word = tree_->nodes[node].word, group = tree_->coordination[word];
  int32_t count = 0;
  for (int32_t t = group; t < word; ++t) {
    const bool member = tree_->coordination[t] == group && tree_->print[t] != Print::coordinate;
    count += member && (kept_[t] != 0) == kept;
  }
  return count;
}

// Of the separators between two words that are neighbours in the print at most one is printed.
void Realiser::separate() {
  const auto& nodes = tree_->nodes;
  const auto total = static_cast<int32_t>(kept_words_.size());
  for (Mark& mark : marks_) mark.hidden = false;
  for (int32_t i = 0; i < static_cast<int32_t>(marks_.size());) {
    const int32_t place = kept_sum_[marks_[i].token];
    Gap gap{-1, -1, i, i, -1, -1, -1};
    for (; i < static_cast<int32_t>(marks_.size()) && kept_sum_[marks_[i].token] == place; ++i) {
      gap.last = i;
      const Mark& mark = marks_[i];
      // None is printed right inside a bracket.
      if (mark.kind == Shape::close && !mark.quote && mark.partner >= 0 && mark.partner < gap.first) {
        gap.first = i;
      }
    }
    for (int32_t j = gap.first; j <= gap.last; ++j) {
      if (marks_[j].kind != Shape::open || marks_[j].quote || marks_[j].partner < 0) continue;
      if (marks_[j].partner > gap.last) {
        gap.last = j;
      } else {  // and none of a bracket that is gone
        for (int32_t k = j + 1; k < marks_[j].partner; ++k) marks_[k].hidden = true;
      }
    }
    const auto divides = [&](const Mark& mark) { return is_separator(mark); };
    if (place == 0 || place == total) continue;
    if (std::none_of(marks_.begin() + gap.first, marks_.begin() + gap.last + 1, divides)) continue;
    gap.left = kept_words_[place - 1];
    gap.right = kept_words_[place];
    int32_t left = tree_->node_of[gap.left], right = tree_->node_of[gap.right];
    while (left != right && left >= 0 && right >= 0) {
      if (nodes[left].depth >= nodes[right].depth) {
        gap.before = left;
        left = nodes[left].parent;
      } else {
        gap.after = right;
        right = nodes[right].parent;
      }
    }
    if (left != right || left < 0) continue;
    gap.top = left;
    const int32_t chosen = choose(gap);
    if (chosen >= 0) kept_[marks_[chosen].token] = 1;
  }
}

// The separator of a gap that is printed, or -1.
int32_t Realiser::choose(const Gap& gap) {
  const auto& nodes = tree_->nodes;
  const auto find = [&](const auto& fits) {
    for (int32_t i = gap.first; i <= gap.last; ++i) {
      if (is_separator(marks_[i]) && fits(marks_[i])) return i;
    }
    return -1;
  };
  const int32_t after = gap.after;
  const bool conjunct = after >= 0 && is_conjunct(after);
  // What follows is an aside, which must be closed: it hangs on a word before it, or stands between subject and verb.
  const bool aside = after >= 0 && !conjunct && !nodes[after].subject &&
                     (nodes[gap.top].word < gap.right || (gap.before >= 0 && nodes[gap.before].subject));
  const auto open = [&](int32_t mark) {
    if (aside) {
      opened_[after] = marks_[mark].character;
      open_from_ = gap.right;
    }
    return mark;
  };
  const auto close = [&](uint32_t character) {
    open_from_ = -1;
    const int32_t same = find([&](const Mark& mark) { return mark.character == character; });
    return same >= 0 ? same : find([](const Mark&) { return true; });
  };
  const bool coordinated = conjunct && !is_clause(after) && tree_->print[gap.right] == Print::coordinate;
  const bool whole = words_before_[gap.right] - words_before_[gap.left] == 1;
  if (whole) {
    if (gap.before >= 0 && nodes[gap.before].first < open_from_) open_from_ = -1;
    // "tea, milk, and sugar" without milk: two need no comma.
    const int32_t mark = find([](const Mark&) { return true; });
    return coordinated && is_pair(after) && marks_[mark].character == ',' ? -1 : open(mark);
  }
  if (tree_->print[gap.left] == Print::coordinate) return -1;  // "and[, in the rain,] a hat"
  // The end of an aside.
  for (int32_t i = tree_->node_of[gap.left]; i >= 0 && i != gap.top; i = nodes[i].parent) {
    if (opened_[i] != 0) return close(opened_[i]);
  }
  // Or, where the parser has parts of it elsewhere, the end of the subject that it is in.
  if (gap.before >= 0 && nodes[gap.before].subject && nodes[gap.before].first < open_from_) return close(',');
  // What leads into a quotation, or is stronger than a comma and stands between clauses or right after the word.
  for (int32_t i = gap.first + 1; i <= gap.last; ++i) {
    const bool quote = marks_[i].quote && marks_[i].kind == Shape::open && kept_[marks_[i].token] != 0;
    if (quote && is_separator(marks_[i - 1]) && marks_[i - 1].token + 1 == marks_[i].token) return i - 1;
  }
  const int32_t strong = find([](const Mark& each) { return each.character != ','; });
  if (strong >= 0 && !conjunct) {
    const uint32_t character = marks_[strong].character;
    int32_t alike = 0;
    for (int32_t i = gap.first; i <= gap.last; ++i) alike += marks_[i].character == character;
    const bool beside = previous_[marks_[strong].token] == gap.left;
    const auto clause = [&](int32_t i) { return i >= 0 && (is_clause(i) || (character == ';' && is_verb(i))); };
    const bool clauses = clause(after) || clause(gap.before);
    // Nor does a colon stand after a verb whose object, of which it speaks, is gone: "I was told [two things]: …".
    const bool announces = character == ':' && after >= 0 && rules_->role[nodes[after].label] == Role::complement;
    if (alike == 1 && (beside || (clauses && !announces))) return open(strong);
  }
  const int32_t mark = after >= 0 ? mark_before(gap, after) : -1;
  if (conjunct) {  // the first that is left of a list stands in the place of the list
    const bool first = !is_clause(after) && members_before(after, true) == 0;
    if (mark >= 0 && !first) return coordinated && is_pair(after) && marks_[mark].character == ',' ? -1 : mark;
  }
  if (mark >= 0 && !conjunct && !nodes[after].subject) {
    const Role role = rules_->role[nodes[after].label];
    const bool comma = marks_[mark].character == ',', beside = previous_[marks_[mark].token] == gap.left;
    // The separator may have closed what is gone: "the man[, 41,] who left". Then it is needed before an aside alone,
    // which ends with a separator or with the sentence.
    const bool closes = !beside && find([](const Mark&) { return true; }) != mark;
    const bool ends = is_enclosed(after) || nodes[after].last + 1 >= final_;
    const bool noun = role == Role::apposition || role == Role::relative;
    const bool parted = closes ? (noun || nodes[after].finite) && ends : noun || is_verb(after) || is_enclosed(after);
    // A verb and its complement are not parted.
    const bool complement = role == Role::complement && !beside && (is_verb(after) || !is_enclosed(after)) &&
                            (comma || marks_[mark].character == ':');
    if (!complement && (parted || beside || !comma)) return open(mark);
  }
  if (opens_sentence(gap)) {
    for (int32_t i = gap.last; i >= gap.first; --i) {
      if (is_separator(marks_[i]) && marks_[i].character == ',') return i;
    }
  }
  return -1;
}

// Whether a sign that is no mark of these kinds ("#1", "1+") has the words that it is written to, or stands between two.
bool Realiser::is_attached(int32_t token) const {
  const int32_t left = previous_[token], right = next_[token];
  const auto glued = [&](int32_t first, int32_t last) {
    for (int32_t t = first; t < last; ++t) {
      if (parses_->end[sentence_->first + t] < parses_->start[sentence_->first + t + 1]) return false;
    }
    return true;
  };
  const bool to_left = left >= 0 && glued(left, token), to_right = right < tree_->length() && glued(token, right);
  const bool has_left = left >= 0 && kept_[left] != 0, has_right = right < tree_->length() && kept_[right] != 0;
  if (!to_left && !to_right) return has_left && has_right;
  return (!to_left || has_left) && (!to_right || has_right);
}

// Brackets stay around anything, and where they never had anything in them with the word that they are written to:
// "render()". Quotation marks stay around a quotation, also a shortened one, but not around some words of a phrase.
void Realiser::enclose() {
  constexpr int32_t phrase = 4;
  for (const Mark& mark : marks_) {
    if (mark.kind != Shape::open || mark.partner < 0) continue;
    const int32_t t = mark.token, close = marks_[mark.partner].token;
    const int32_t inside = kept_between(t, close), all = words_before_[close] - words_before_[t];
    const bool call = all == 0 && !mark.quote && t > 0 && kept_[t - 1] != 0 && kind_[t - 1] == Shape::word &&
                      parses_->end[sentence_->first + t - 1] == parses_->start[sentence_->first + t];
    const bool printed = call || (inside > 0 && (!mark.quote || inside == all || all >= phrase));
    for (const int32_t each : {t, close}) {
      if (tree_->node_of[each] < 0 || pin(each) != Pin::keep) kept_[each] = printed;
    }
    if (mark.twin) kept_[t + 1] = kept_[t];
  }
}

void Realiser::realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out) {
  const int32_t n = tree_->length();
  in_.assign(tree_->size(), 0);
  for (const int32_t i : nodes) in_[i] = 1;
  kept_sum_.assign(n + 1, 0);
  kept_words_.clear();
  opened_.assign(tree_->size(), 0);
  open_from_ = -1;
  root_ = root;
  tree_->find_printed(in_, root, kept_);
  for (int32_t t = 0; t < n; ++t) {
    const int32_t node = tree_->node_of[t];
    if (node >= 0 && in_[node]) {
      kept_[t] = (kept_[t] && (node == root || tree_->print[t] != Print::always || !dangles(t))) || joins(t) ||
                 pin(t) == Pin::keep;
    }
    const bool word = kept_[t] && kind_[t] == Shape::word;
    if (word) kept_words_.push_back(t);
    kept_sum_[t + 1] = kept_sum_[t] + (word ? 1 : 0);
  }
  // A conjunction that nothing follows joins nothing.
  while (kept_words_.size() > 1 && may_join_nothing(kept_words_.back()) && pin(kept_words_.back()) != Pin::keep) {
    const int32_t t = kept_words_.back();
    kept_[t] = 0;
    kept_words_.pop_back();
    for (int32_t u = t + 1; u <= n; ++u) --kept_sum_[u];
  }
  const int32_t total = kept_sum_[n];
  if (total == 0) {  // nothing but punctuation, or only a word that is never printed: the sentence as it is
    for (const int32_t i : nodes) {
      for (const int32_t t : tree_->tokens(i)) kept_[t] = 1;
    }
  }
  enclose();
  separate();
  for (const Mark& mark : marks_) {
    const int32_t t = mark.token;
    if (is_final_stop(t)) {
      kept_[t] = !asks_ || asks();
    } else if (mark.kind == Shape::stop && t >= final_) {  // in brackets at the end
      kept_[t] = previous_[t] >= 0 && kept_[previous_[t]];
    } else if (mark.kind == Shape::other) {
      kept_[t] = is_attached(t);
    }
  }
  for (int32_t t = 0; t < n && !pins_.empty(); ++t) {
    if (tree_->node_of[t] < 0 && kind_[t] != Shape::space && pins_[t] != Pin::none) kept_[t] = pins_[t] == Pin::keep;
  }
  if (!coreferences_.empty()) substitute();
  // Separators only between words: none at the front, none doubled, none before the final stop.
  out.clear();
  int32_t separator = -1;  // waits for the word after it
  bool word_seen = false;
  for (int32_t t = 0; t < n; ++t) {
    if (!kept_[t]) continue;
    const Shape kind = kind_[t];
    if (kind != Shape::word && pin(t) == Pin::keep) {  // whatever stands around it
      out.push_back(piece(t));
      if (kind != Shape::open) word_seen = false;
      separator = -1;
      continue;
    }
    if (kind == Shape::separator || (kind == Shape::stop && t < final_)) {
      if (word_seen && separator < 0) separator = t;
      continue;
    }
    if (separator >= 0 && !(kind == Shape::stop && t >= final_)) {
      // A comma inside closing quotation marks stays where it was printed.
      if (kind != Shape::close || t < final_) {
        out.push_back(piece(separator));
        separator = -1;
      }
    }
    if (kind == Shape::word) word_seen = true;
    if (!coreferences_.empty() && instead_[t] >= 0) {
      print_antecedent(coreferences_[instead_[t]], out);
    } else {
      out.push_back(piece(t));
    }
  }
  for (size_t i = 1; i < out.size(); ++i) {
    // An antecedent stands between its neighbours as the pronoun does.
    const Piece &left = out[i - 1], &right = out[i];
    const bool same = left.pronoun == right.pronoun;
    out[i].space = has_space_between(left.pronoun >= 0 && !same ? left.pronoun : left.token,
                                     right.pronoun >= 0 && !same ? right.pronoun : right.token);
  }
  // "police sued Acme Inc.": its stop is the sentence's too.
  if (out.size() > 1 && out[out.size() - 2].word && kind_[out.back().token] == Shape::stop && pin(out.back().token) != Pin::keep) {
    const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
    if (chars[out[out.size() - 2].end - 1] == '.') out.pop_back();
  }
  // "£6m." is one token: when it goes, its full stop stays.
  const int32_t end = final_ - 1;
  if (final_ == n && end >= 0 && !kept_[end] && !out.empty()) {
    Piece stop = piece(end);
    stop.start = stop.end - 1;
    stop.word = false;
    const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + stop.start];
    const uint32_t last = parses_->chars[parses_->char_ptr[sentence_->text] + out.back().end - 1];
    const auto ends = [](uint32_t mark) { return mark == '.' || mark == '!' || mark == '?'; };
    if (ends(c) && !ends(last)) out.push_back(stop);
  }
}

int64_t print_length(const Parses& parses, const Sentence& sentence, std::span<const Piece> pieces, bool words) {
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  int64_t length = 0;
  for (const Piece& piece : pieces) {
    if (!words) {
      length += piece.end - piece.start + piece.space;
      continue;
    }
    length += piece.space || &piece == pieces.data();
    for (int32_t c = piece.start + 1; c < piece.end; ++c) length += is_space(chars[c - 1]) && !is_space(chars[c]);
  }
  return length;
}

void Realiser::find_sure_marks(std::vector<SureMark>& out) const {
  out.clear();
  int32_t taken = -1;  // the word after a mark that is counted: of several marks before it one is printed
  // Punctuation that stays in any case takes the place of other marks between the same words.
  const bool displaced = std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) { return pin(mark.token) == Pin::keep; });
  for (const Mark& mark : marks_) {
    if (pin(mark.token) != Pin::none) continue;
    const bool bracket = mark.kind == Shape::open && mark.partner >= 0 && !mark.quote;
    if (!bracket && (mark.kind == Shape::open || mark.kind == Shape::close)) continue;
    bool as_root = true;
    int32_t node = -1;
    if (bracket) {
      // Anything inside keeps the pair. One of the two is counted: a word after the other has no space before it.
      for (int32_t t = mark.token + 1; t < marks_[mark.partner].token; ++t) {
        const int32_t own = tree_->node_of[t];
        if (own >= 0 && certain(t, own) && (node < 0 || tree_->nodes[own].depth < tree_->nodes[node].depth)) node = own;
      }
    } else if (!displaced && is_separator(mark) && next_[mark.token] != taken) {
      node = sure_node(mark, as_root);
      if (node >= 0) taken = next_[mark.token];
    }
    if (node >= 0) out.push_back({node, mark.token, as_root});
  }
}

// The node that a separator goes with, or -1: the words on both sides of it are printed for sure when the node is.
int32_t Realiser::sure_node(const Mark& mark, bool& as_root) const {
  const int32_t left = previous_[mark.token], right = next_[mark.token];
  if (left < 0 || right >= tree_->length()) return -1;
  for (int32_t t = left + 1; t < right; ++t) {
    if (kind_[t] == Shape::open || kind_[t] == Shape::close) return -1;
  }
  const int32_t before = tree_->node_of[left], after = tree_->node_of[right];
  if (!certain(left, before) || !certain(right, after)) return -1;
  as_root = before == after;
  // When a child is kept, so is its parent, unless the child is the root.
  if (as_root || before == tree_->nodes[after].parent) return after;
  return tree_->nodes[before].parent == after ? before : -1;
}

// Whether a token is printed whenever its node is.
bool Realiser::certain(int32_t token, int32_t node) const {
  return node >= 0 && kind_[token] == Shape::word && tree_->print[token] == Print::always && !may_dangle(token) &&
         !may_print_another(token);
}

bool Realiser::may_print_another(int32_t token) const {
  return std::any_of(coreferences_.begin(), coreferences_.end(),
                     [&](const Coreference& pair) { return pair.word == token && printable(pair); });
}

// Whether an antecedent may stand for a word: not where the word is to stay, or where a word of the antecedent is to go.
bool Realiser::printable(const Coreference& pair) const {
  if (!pair.printable || pin(pair.word) == Pin::keep) return false;
  const auto goes = [&](int32_t node) {
    const auto tokens = tree_->tokens(node);
    return std::any_of(tokens.begin(), tokens.end(), [&](int32_t t) { return pin(t) == Pin::drop; });
  };
  const auto children = tree_->children(pair.antecedent);
  return !goes(pair.antecedent) && std::none_of(children.begin(), children.end(), [&](int32_t child) {
    return rules_->carried[tree_->nodes[child].label] && goes(child);
  });
}

// Where no word that stands for an antecedent is clear without it, the first one is printed as the antecedent.
void Realiser::substitute() {
  instead_.assign(tree_->length(), -1);
  for (size_t i = 0; i < coreferences_.size(); ++i) {
    const Coreference& pair = coreferences_[i];
    if (!printable(pair) || !kept_[pair.word] || in_[pair.antecedent]) continue;
    const bool again = std::any_of(coreferences_.begin(), coreferences_.begin() + static_cast<ptrdiff_t>(i), [&](const Coreference& earlier) {
      return earlier.antecedent == pair.antecedent && instead_[earlier.word] >= 0;
    });
    if (!again) instead_[pair.word] = static_cast<int32_t>(i);
  }
}

// Of the antecedent's node: the noun and the words that hang on it or are of its name, and what is carried with it ("the
// mayor's", "two"). Not what leads into it ("by", "and"), what follows it ("'s"), or the verb that it is the predicate of.
void Realiser::print_antecedent(const Coreference& pair, std::vector<Piece>& out) {
  const auto entity = [&](int32_t t) { return parses_->entity[sentence_->first + t]; };
  const auto starts = [&](int32_t t) { return parses_->entity_start[sentence_->first + t] != 0; };
  int32_t first = pair.noun, last = pair.noun;  // of the name
  if (entity(pair.noun) != 0) {
    while (first > 0 && !starts(first) && entity(first - 1) == entity(first)) --first;
    while (last + 1 < tree_->length() && !starts(last + 1) && entity(last + 1) == entity(last)) ++last;
  }
  const auto hangs = [&](int32_t t) {
    for (int32_t at = t; tree_->head[at] != at && tree_->node_of[at] == pair.antecedent;) {
      at = tree_->head[at];
      if (at == pair.noun) return true;
    }
    return false;
  };
  words_.clear();
  for (const int32_t t : tree_->tokens(pair.antecedent)) {
    const bool name = t >= first && t <= last;
    if (!name && !hangs(t)) continue;
    const Role role = rules_->role[tree_->label[t]];
    // Inside a name or a coordination "of" and "and" are words like others.
    const bool leads = role == Role::preposition || role == Role::subordinator ||
                       (role == Role::conjunction && (words_.empty() || t < pair.noun));
    const bool follows = t > pair.noun && role == Role::function;
    if (!name && tree_->function[t] && (leads || follows)) continue;
    words_.push_back(t);
  }
  for (const int32_t child : tree_->children(pair.antecedent)) {
    if (!rules_->carried[tree_->nodes[child].label]) continue;
    for (const int32_t t : tree_->tokens(child)) words_.push_back(t);
  }
  std::sort(words_.begin(), words_.end());
  for (const int32_t t : words_) {
    out.push_back(piece(t));
    out.back().pronoun = pair.word;
  }
}

Piece Realiser::piece(int32_t token) const {
  const int64_t row = sentence_->first + token;
  return {token, parses_->start[row], parses_->end[row], false, kind_[token] == Shape::word};
}

// A mark that has no space before it, whatever the text has: one comma, semicolon or stop with nothing written to it.
bool Realiser::closes_up(int32_t token) const {
  const int64_t row = sentence_->first + token;
  const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + parses_->start[row]];
  const bool mark = kind_[token] == Shape::stop || (kind_[token] == Shape::separator && (c == ',' || c == ';'));
  const bool last = token + 1 == tree_->length();
  return mark && parses_->end[row] - parses_->start[row] == 1 && (last || parses_->end[row] < parses_->start[row + 1]);
}

// A space where the text has one anywhere between two tokens; also between two words when what stood between is gone.
bool Realiser::has_space_between(int32_t left, int32_t right) const {
  const int64_t l = sentence_->first + left, r = sentence_->first + right;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  if (right == left + 1 && !(kind_[left] == Shape::word && closes_up(right))) return parses_->end[l] < parses_->start[r];
  if (kind_[right] == Shape::stop || kind_[right] == Shape::close) return false;
  if (kind_[right] == Shape::separator) {
    const bool comma = chars[parses_->start[r]] == ',' || chars[parses_->start[r]] == ';' || chars[parses_->start[r]] == ':';
    if (comma) return false;
  }
  if (kind_[left] == Shape::open) return false;
  for (int32_t c = parses_->end[l]; c < parses_->start[r]; ++c) {
    if (is_space(chars[c])) return true;
  }
  return kind_[left] != Shape::other && kind_[right] != Shape::other;
}

}  // namespace laconic
