// Analyses the punctuation of a sentence in advance: kinds, pairs, the end, questions.
#include "realise.hpp"

#include <algorithm>

#include "text.hpp"

namespace laconic {

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
    // HTML tags are brackets: a pair is kept around what is left of its text.
    const bool tag = size > 2 && c == '<' && chars[size - 1] == '>';
    if (inside && !tag && (size != 1 || !is_bracket(c))) continue;
    Mark mark{t, Shape::other, c, -1, false, false, false};
    // clang-format off
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
      case '<':
        if (tag) mark.kind = chars[1] == '/' ? Shape::close : Shape::open;
        break;
      default:
        if (is_space(c)) mark.kind = Shape::space;
    }
    // clang-format on
    kind_[t] = mark.kind;
    if (mark.kind == Shape::space) continue;
    // "``" is two tokens in some tokenisers, but one mark.
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

// Whether a word that is written together with a closing bracket contains the opening one: "one(s)", "Acme(NYSE:ACM)".
bool Realiser::opens_inside(int32_t close) const {
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const auto opens = [](uint32_t c) { return c == '(' || c == '['; };
  for (int64_t row = sentence_->first + close; row > sentence_->first && parses_->end[row - 1] == parses_->start[row]; --row) {
    const auto begin = chars + parses_->start[row - 1], end = chars + parses_->end[row - 1];
    if (kind_[row - 1 - sentence_->first] == Shape::word && std::any_of(begin, end, opens)) return true;
  }
  return false;
}

// Matches brackets and quotation marks. A mark without a partner is not printed, unless it is part of a name.
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
      const auto matches = [&](const Mark& open) { return !open.quote && open.is_bracket() == mark.is_bracket(); };
      while (at >= 0 && !matches(marks_[open_[at]])) --at;
    } else {
      at = -1;
    }
    if (at < 0) {
      if (mark.kind != Shape::close) open_.push_back(i);
      if (mark.kind == Shape::close && opens_inside(mark.token)) kind_[mark.token] = mark.kind = Shape::other;
      continue;
    }
    mark.kind = Shape::close;
    kind_[mark.token] = Shape::close;
    mark.partner = open_[at];
    marks_[open_[at]].partner = i;
    open_.resize(at);
  }
}

// Finds the stop that ends the sentence: only one, even if there are several; three full stops are an ellipsis. A stop
// inside brackets at the end does not count: "(or so they say!)."
void Realiser::find_end() {
  end_.assign(tree_->length(), 0);
  asks_ = false;
  stop_before_note_ = -1;
  if (const Mark* last = marks_.empty() ? nullptr : &marks_.back(); last != nullptr && last->token + 1 == tree_->length() &&
                                                                    last->kind == Shape::close && last->is_bracket() &&
                                                                    last->partner >= 0) {
    const int32_t before = marks_[last->partner].token - 1;
    if (before > 0 && kind_[before] == Shape::stop) stop_before_note_ = before;
  }
  int32_t stops = 0, points = 0, chosen = -1;
  for (size_t i = marks_.size(); i-- > 0;) {
    Mark& mark = marks_[i];
    if (mark.token < final_) break;
    if (mark.kind == Shape::close && mark.is_bracket() && mark.partner >= 0) break;
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

// Finds clauses with a verb before their subject or at the beginning, and clauses that begin with a question word and are
// top nodes or conjuncts.
void Realiser::find_questions() {
  questions_.clear();
  const auto& nodes = tree_->nodes;
  const auto tag = [&](int32_t t) { return rules_->tag[parses_->tag[sentence_->first + t]]; };
  for (int32_t i = 0; i < tree_->size(); ++i) {
    // "did it [rain and] snow": the subject that it shares follows a verb
    const bool shares = nodes[i].owner >= 0 &&
                        std::find(questions_.begin(), questions_.end(), tree_->node_of[nodes[i].owner]) != questions_.end();
    if (shares) questions_.push_back(i);
    if (shares || !nodes[i].finite) continue;
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
    if (inverted || asking || (verb_first && !is_conjunct(i))) questions_.push_back(i);
  }
}

// Whether what is kept is still a question: one of its question clauses is kept or, if there is none, a top node is the
// root, and what was asked at the end is kept.
bool Realiser::asks() const {
  if (questions_.empty()) return tree_->nodes[root_].parent < 0 && !lost_its_question();
  return std::any_of(questions_.begin(), questions_.end(), [&](int32_t i) { return in_[i] != 0; });
}

// Whether the question was asked by words at the end that are deleted: "It rained[, you know]?", "Ann [and uh who else]?"
bool Realiser::lost_its_question() const {
  const auto tag = [&](int32_t t) { return rules_->tag[parses_->tag[sentence_->first + t]]; };
  for (int32_t t = final_ - 1; t >= 0 && !kept_[t] && (tag(t) & TagFlag::finite) == 0; --t) {
    if ((tag(t) & TagFlag::relative) != 0) return true;
  }
  const auto& nodes = tree_->nodes;
  int32_t clause = final_ > 0 ? tree_->node_of[final_ - 1] : -1;
  while (clause >= 0 && !nodes[clause].finite) clause = nodes[clause].parent;
  if (clause < 0 || in_[clause]) return false;
  const int32_t opener = tree_->node_of[nodes[clause].first];
  return opener >= 0 && opener != clause && nodes[opener].subject && nodes[opener].parent == clause;
}

bool Realiser::is_separator(const Mark& mark) const {
  return mark.token < final_ && !mark.hidden && (mark.kind == Shape::separator || mark.kind == Shape::stop);
}

}  // namespace laconic
