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

// Whether a conjunction joins anything in print if its first conjunct is deleted: a clause is joined to its head; and if
// the parser found no coordination, the conjunction joins the head that it depends on.
bool Realiser::joins(int32_t token) const {
  const int32_t node = tree_->node_of[token], group = tree_->coordination[token];
  if (tree_->print[token] != Print::coordinate || node == root_ || kept_sum_[token] == 0) return false;
  if (group >= 0) return token > group && is_clause(node);
  const int32_t head = tree_->node_of[tree_->head[token]];
  return head >= 0 && head != node && in_[head];
}

// A conjunction that is only printed if words follow it.
bool Realiser::may_join_nothing(int32_t token) const {
  return tree_->print[token] == Print::coordinate ||
         (tree_->print[token] == Print::subordinate && rules_->role[tree_->label[token]] == Role::conjunction);
}

// A preposition that is a node of its own is incomplete without its dependents: "equitable, with [nobody left out]".
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
  // A conjunction at the end joins nothing.
  while (kept_words_.size() > 1 && may_join_nothing(kept_words_.back()) && pin(kept_words_.back()) != Pin::keep) {
    const int32_t t = kept_words_.back();
    kept_[t] = 0;
    kept_words_.pop_back();
    for (int32_t u = t + 1; u <= n; ++u) --kept_sum_[u];
  }
  const int32_t total = kept_sum_[n];
  if (total == 0) {  // only punctuation, or a word that is never printed: print the whole sentence
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
  // Separators only between words: none at the beginning, no doubles, none before the final stop.
  out.clear();
  int32_t separator = -1;  // pending until the next word
  bool word_seen = false;
  for (int32_t t = 0; t < n; ++t) {
    if (!kept_[t]) continue;
    const Shape kind = kind_[t];
    if (kind != Shape::word && pin(t) == Pin::keep) {  // regardless of its neighbours
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
      // A comma inside closing quotation marks stays inside.
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
  // "in May. [3]": without the note, the stop before it ends the sentence.
  if (stop_before_note_ >= 0 && !out.empty() && out.back().token < stop_before_note_ && !asks_) {
    out.push_back(piece(stop_before_note_));
  }
  for (size_t i = 1; i < out.size(); ++i) {
    // An antecedent takes its pronoun's place, including the spaces.
    const Piece &left = out[i - 1], &right = out[i];
    const bool same = left.pronoun == right.pronoun;
    out[i].space = has_space_between(left.pronoun >= 0 && !same ? left.pronoun : left.token,
                                     right.pronoun >= 0 && !same ? right.pronoun : right.token) ||
                   would_merge(out, i);
  }
  // "police sued Acme Inc.": its full stop also ends the sentence.
  if (out.size() > 1 && out[out.size() - 2].word && kind_[out.back().token] == Shape::stop &&
      pin(out.back().token) != Pin::keep) {
    const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
    if (chars[out[out.size() - 2].end - 1] == '.') out.pop_back();
  }
  // "£6m." is one token: if it is deleted, its full stop is kept.
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
  int32_t taken = -1;  // the word after the last mark counted: of several marks before a word, one is printed
  // Punctuation that is kept in any case replaces other marks between the same words.
  const bool displaced = std::any_of(marks_.begin(), marks_.end(),
                                     [&](const Mark& mark) { return pin(mark.token) == Pin::keep; });
  for (const Mark& mark : marks_) {
    if (pin(mark.token) != Pin::none) continue;
    const bool bracket = mark.kind == Shape::open && mark.partner >= 0 && !mark.quote;
    if (!bracket && (mark.kind == Shape::open || mark.kind == Shape::close)) continue;
    bool as_root = true;
    int32_t node = -1;
    if (bracket) {
      // The pair is kept with anything inside it. Only one of the two is counted: a word after the other has no space
      // before it.
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

// The node that a separator is printed with, or -1: the words on both sides are certainly printed if the node is.
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

// Whether an antecedent may replace a word: not if the word must be kept, or if a word of the antecedent must be dropped.
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

// Of the kept pronouns whose antecedent is deleted, the first one for each antecedent is printed as the antecedent.
void Realiser::substitute() {
  instead_.assign(tree_->length(), -1);
  for (size_t i = 0; i < coreferences_.size(); ++i) {
    const Coreference& pair = coreferences_[i];
    if (!printable(pair) || !kept_[pair.word] || in_[pair.antecedent]) continue;
    const bool again = std::any_of(coreferences_.begin(), coreferences_.begin() + static_cast<ptrdiff_t>(i),
                                   [&](const Coreference& earlier) {
                                     return earlier.antecedent == pair.antecedent && instead_[earlier.word] >= 0;
                                   });
    if (!again) instead_[pair.word] = static_cast<int32_t>(i);
  }
}

// Prints the noun of the antecedent's node with its dependents and the rest of its name, and other nodes carried with it
// ("the mayor's", "two"). Not words that lead into it ("by", "and"), that follow it ("'s"), or a verb whose predicate it
// is.
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
    // Inside a name or a coordination, "of" and "and" are ordinary words.
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
  for (size_t i = 0; i < words_.size(); ++i) {  // it grows inside the loop
    for (const int32_t t : {words_[i] - 1, words_[i] + 1}) {
      if (is_part_of(t, words_[i]) && std::find(words_.begin(), words_.end(), t) == words_.end()) words_.push_back(t);
    }
  }
  std::sort(words_.begin(), words_.end());
  for (const int32_t t : words_) {
    out.push_back(piece(t));
    out.back().pronoun = pair.word;
  }
}

// Whether a token is written together with its neighbour as one word; a genitive's "'s" is a separate word.
bool Realiser::is_part_of(int32_t token, int32_t other) const {
  if (token < 0 || token >= tree_->length() || tree_->node_of[token] != tree_->node_of[other]) return false;
  const int64_t left = sentence_->first + std::min(token, other);
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const bool genitive = token > other && tree_->function[token] && is_apostrophe(chars[parses_->start[left + 1]]);
  return parses_->end[left] == parses_->start[left + 1] && !genitive;
}

Piece Realiser::piece(int32_t token) const {
  const int64_t row = sentence_->first + token;
  return {token, parses_->start[row], parses_->end[row], false, kind_[token] == Shape::word};
}

// Whether a piece and the previous one, which are not adjacent in the text, would read as one word. An apostrophe
// belongs to the word that it is attached to: "rock 'n' roll".
bool Realiser::would_merge(const std::vector<Piece>& out, size_t i) const {
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const Piece &left = out[i - 1], &right = out[i];
  if (left.end == right.start) return false;
  const uint32_t last = chars[left.end - 1], first = chars[right.start];
  const bool goes_on = right.end > right.start + 1 && is_word_char(chars[right.start + 1]);
  if (is_apostrophe(first)) {  // "cats [and] 'dogs'", but "the man [in black]'s hat"
    constexpr int32_t longest_ending = 3;
    const bool alone = right.end == right.start + 1;
    if (alone && (i + 1 == out.size() || out[i + 1].start != right.end)) return false;
    if (!alone && right.end <= right.start + longest_ending && right.start > 0 && is_word_char(chars[right.start - 1]))
      return false;
    return is_word_char(last) && is_word_char(chars[right.start + 1]);
  }
  if (is_joiner(first) && goes_on) return is_word_char(last);  // "and[/or] -x"
  if (!is_word_char(first)) return false;
  if (is_word_char(last)) return true;
  if (!is_apostrophe(last) && last != '-' && last != '_') return false;
  if (left.end > left.start + 1) return is_word_char(chars[left.end - 2]);
  return i > 1 && !left.space && is_word_char(chars[out[i - 2].end - 1]);
}

// A mark without a space before it, whatever the text has: a single comma, semicolon or stop that nothing is attached to.
bool Realiser::closes_up(int32_t token) const {
  const int64_t row = sentence_->first + token;
  const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + parses_->start[row]];
  const bool mark = kind_[token] == Shape::stop || (kind_[token] == Shape::separator && (c == ',' || c == ';'));
  const bool last = token + 1 == tree_->length();
  return mark && parses_->end[row] - parses_->start[row] == 1 && (last || parses_->end[row] < parses_->start[row + 1]);
}

// A space if the text has one anywhere between two tokens; also between two words if the text between them is deleted.
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
