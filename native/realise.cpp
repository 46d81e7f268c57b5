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
}

void Realiser::classify() {
  const int32_t n = tree_->length();
  kind_.assign(n, Shape::word);
  marks_.clear();
  words_before_.assign(n + 1, 0);
  previous_.assign(n, -1);
  next_.assign(n, n);
  for (int32_t t = 1; t < n; ++t) previous_[t] = tree_->node_of[t - 1] >= 0 ? t - 1 : previous_[t - 1];
  for (int32_t t = n - 1; t-- > 0;) next_[t] = tree_->node_of[t + 1] >= 0 ? t + 1 : next_[t + 1];
  final_ = n;
  for (int32_t t = 0; t < n; ++t) {
    words_before_[t + 1] = words_before_[t] + (tree_->node_of[t] >= 0 ? 1 : 0);
    if (tree_->node_of[t] >= 0) continue;
    const int64_t row = sentence_->first + t;
    const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text] + parses_->start[row];
    const int32_t size = parses_->end[row] - parses_->start[row];
    const uint32_t c = size > 0 ? chars[0] : ' ';
    Mark mark{t, Shape::other, 0, -1, 0, -1, -1, -1, false, false};
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
    delimit(mark);
    marks_.push_back(mark);
  }
  while (final_ > 0 && tree_->node_of[final_ - 1] < 0) --final_;
}

// Matches brackets and quotation marks. One without a partner is not printed.
void Realiser::pair() {
  open_.clear();
  const auto quote_class = [&](const Mark& mark) -> int {
    const int64_t row = sentence_->first + mark.token;
    const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + parses_->start[row]];
    if (c == '\'' && parses_->end[row] - parses_->start[row] == 1) return 1;
    return c == 0x2018 || c == 0x2019 ? 1 : 2;
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
      continue;
    }
    mark.kind = Shape::close;
    kind_[mark.token] = Shape::close;
    mark.partner = open_[at];
    marks_[open_[at]].partner = i;
    open_.resize(at);
  }
}

// The words that must not all be gone for a separator to make sense. On each side this is the smallest constituent that
// the separator delimits: one that reaches from it to other punctuation or to the edge of the sentence; failing that, the
// largest constituent that begins or ends there.
void Realiser::delimit(Mark& mark) {
  const int32_t n = tree_->length();
  const auto& nodes = tree_->nodes;
  const int32_t left = previous_[mark.token], right = next_[mark.token];
  const auto conjunct = [&](int32_t i) {
    return tree_->coordination[nodes[i].word] >= 0 && tree_->coordination[nodes[i].word] != nodes[i].word;
  };
  bool delimited = false;
  if (left >= 0) {
    mark.left_first = mark.left_last = left;
    for (int32_t i = tree_->node_of[left]; i >= 0 && nodes[i].last == left && !delimited; i = nodes[i].parent) {
      mark.left_first = nodes[i].first;
      delimited = nodes[i].first == 0 || tree_->node_of[nodes[i].first - 1] < 0;
      if (delimited && nodes[i].first > 0 && !conjunct(i)) mark.opener = nodes[i].first - 1;
      // No comma parts a subject from its verb but the one that closes what stands before it: "the violin [that …], was".
      if (delimited && nodes[i].first == 0 && nodes[i].subject) mark.left_first = left;
    }
  }
  if (right >= n) return;
  mark.right_first = mark.right_last = right;
  int32_t constituent = -1;
  for (int32_t i = tree_->node_of[right]; i >= 0 && nodes[i].first == right; i = nodes[i].parent) {
    mark.right_last = nodes[i].last;
    constituent = i;
    if (nodes[i].last == n - 1 || tree_->node_of[nodes[i].last + 1] < 0 || conjunct(i)) break;
  }
  // What follows may belong to a head further left, whatever became of the words between: "fish [and chips], drank beer".
  if (constituent < 0 || delimited || left < 0 || nodes[constituent].parent < 0) return;
  const int32_t head = conjunct(constituent) ? tree_->coordination[nodes[constituent].word]
                                             : nodes[nodes[constituent].parent].word;
  if (head < mark.left_first) mark.left_first = head;
}

void Realiser::realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out) {
  const int32_t n = tree_->length();
  in_.assign(tree_->size(), 0);
  for (const int32_t i : nodes) in_[i] = 1;
  kept_sum_.assign(n + 1, 0);
  tree_->find_printed(in_, root, kept_);
  for (int32_t t = 0; t < n; ++t) {
    const int32_t node = tree_->node_of[t];
    kept_[t] |= node >= 0 && in_[node] && pin(t) == Pin::keep;
    kept_sum_[t + 1] = kept_sum_[t] + (kept_[t] ? 1 : 0);
  }
  const int32_t total = kept_sum_[n];
  if (total == 0) {  // nothing but punctuation, or only a word that is never printed: the sentence as it is
    for (const int32_t i : nodes) {
      for (const int32_t t : tree_->tokens(i)) kept_[t] = 1;
    }
  }
  for (const Mark& mark : marks_) {
    const int32_t t = mark.token;
    if (t >= final_ && mark.kind == Shape::stop) {
      kept_[t] = 1;
    } else if (mark.kind == Shape::separator || mark.kind == Shape::stop || mark.kind == Shape::other) {
      kept_[t] = t < final_ && mark.left_last >= 0 && mark.right_last >= 0 &&
                 kept_between(mark.left_first, mark.left_last) > 0 &&
                 kept_between(mark.right_first, mark.right_last) > 0 &&
                 // of two commas around a constituent both are printed or none
                 !(mark.opener >= 0 && kind_[mark.opener] == Shape::separator && !kept_[mark.opener]);
    } else if (mark.kind == Shape::open && mark.partner >= 0) {
      const int32_t close = marks_[mark.partner].token;
      const int32_t inside = kept_between(t, close);
      // Brackets stay around anything; quotation marks only around a quotation that is whole.
      const int32_t all = words_before_[close] - words_before_[t];
      kept_[t] = kept_[close] = inside > 0 && (!mark.quote || inside == all);
      if (mark.twin) kept_[t + 1] = kept_[t];
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
    if (kind == Shape::separator || kind == Shape::other || (kind == Shape::stop && t < final_)) {
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
    } else if (!displaced && mark.token < final_ && next_[mark.token] != taken) {
      node = sure_node(mark, as_root);
      if (node >= 0) taken = next_[mark.token];
    }
    if (node >= 0) out.push_back({node, mark.token, as_root});
  }
}

// The node that a separator goes with, or -1: the word after it is printed for sure, and so is one of those that the
// separator parts it from.
int32_t Realiser::sure_node(const Mark& mark, bool& as_root) const {
  if (mark.left_last < 0 || mark.right_last < 0 || mark.opener >= 0) return -1;
  const int32_t right = mark.right_first, node = tree_->node_of[right];
  if (!certain(right, node)) return -1;
  int32_t found = -1;
  for (int32_t t = mark.left_last; t >= mark.left_first; --t) {
    const int32_t own = tree_->node_of[t];
    if (own < 0 || !certain(t, own)) continue;
    if (own == node) {
      as_root = true;
      return node;
    }
    as_root = false;
    if (own == tree_->nodes[node].parent) found = node;
    // A child before its parent: when it is kept, so is the parent, unless the child is the root.
    if (found < 0 && tree_->nodes[own].parent == node) found = own;
  }
  return found;
}

// Whether a token is printed whenever its node is.
bool Realiser::certain(int32_t token, int32_t node) const {
  return node >= 0 && tree_->print[token] == Print::always && !may_print_another(token);
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

// A space where the text has one anywhere between two tokens; also between two words when what stood between is gone.
bool Realiser::has_space_between(int32_t left, int32_t right) const {
  const int64_t l = sentence_->first + left, r = sentence_->first + right;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  if (right == left + 1) return parses_->end[l] < parses_->start[r];
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
