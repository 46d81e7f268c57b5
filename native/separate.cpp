// Decides which separators, brackets and quotation marks are printed around and between the kept words.
#include "realise.hpp"

#include <algorithm>

namespace laconic {

bool Realiser::is_conjunct(int32_t node) const {
  const int32_t word = tree_->nodes[node].word;
  return tree_->coordination[word] >= 0 && tree_->coordination[word] != word;
}

bool Realiser::is_verb(int32_t node) const {
  return (rules_->tag[parses_->tag[sentence_->first + tree_->nodes[node].word]] & TagFlag::verb) != 0;
}

// Whether a node is a finite clause, which may be a root.
bool Realiser::is_clause(int32_t node) const { return tree_->nodes[node].finite && tree_->nodes[node].root_edge != 0; }

// The separator that stands right before all words of a node, or -1.
int32_t Realiser::mark_before(const Gap& gap, int32_t node) const {
  for (int32_t i = gap.last; i >= gap.first; --i) {
    if (is_separator(marks_[i]) && next_[marks_[i].token] == tree_->nodes[node].first) return i;
  }
  return -1;
}

// Whether a separator follows a node, or its head word ("Ann, who …"), before other words.
bool Realiser::is_enclosed(int32_t node) const {
  for (const int32_t last : {tree_->nodes[node].last, tree_->nodes[node].word}) {
    for (int32_t t = last + 1; t < final_ && kind_[t] != Shape::word; ++t) {
      if (kind_[t] == Shape::separator) return true;
    }
  }
  return false;
}

// Whether the phrase before the gap opens a clause: "In 2019, sales rose".
bool Realiser::opens_sentence(const Gap& gap) const {
  const auto& nodes = tree_->nodes;
  if (gap.before < 0 || nodes[gap.before].word > nodes[gap.top].word || !is_verb(gap.top)) return false;
  // Of two subjects, the first is a form of address: "Ann, he left".
  if (nodes[gap.before].subject) return gap.after >= 0 && nodes[gap.after].subject && !is_conjunct(gap.after);
  bool subject_before = false, subject_after = false;
  for (const int32_t child : tree_->children(gap.top)) {
    if (!nodes[child].subject || !in_[child]) continue;
    (nodes[child].word < nodes[gap.before].word ? subject_before : subject_after) = true;
  }
  if (subject_before || subject_after || !nodes[gap.top].finite) return !subject_before;
  // The subject of a finite verb without one may be a phrase that the parser mislabelled, but not one with a preposition
  // or a subordinator.
  const auto tokens = tree_->tokens(gap.before);
  const auto leads = [&](int32_t t) { return tree_->print[t] == Print::subordinate; };
  const bool led = nodes[gap.before].preposition >= 0 || std::any_of(tokens.begin(), tokens.end(), leads);
  return led || (rules_->tag[parses_->tag[sentence_->first + gap.right]] & TagFlag::verb) == 0;
}

// Whether only a conjunct and one other member of a longer list are left.
bool Realiser::is_pair(int32_t node) const { return members_before(node, true) == 1 && members_before(node, false) > 0; }

// The number of members before a conjunct in its coordination that are kept, or deleted.
int32_t Realiser::members_before(int32_t node, bool kept) const {
  const int32_t word = tree_->nodes[node].word, group = tree_->coordination[word];
  int32_t count = 0;
  for (int32_t t = group; t < word; ++t) {
    const bool member = tree_->coordination[t] == group && tree_->print[t] != Print::coordinate;
    count += member && (kept_[t] != 0) == kept;
  }
  return count;
}

// At most one separator is printed between two adjacent words.
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
      // No separator right inside a bracket.
      if (mark.kind == Shape::close && mark.is_bracket() && mark.partner >= 0 && mark.partner < gap.first) {
        gap.first = i;
      }
    }
    for (int32_t j = gap.first; j <= gap.last; ++j) {
      if (marks_[j].kind != Shape::open || !marks_[j].is_bracket() || marks_[j].partner < 0) continue;
      if (marks_[j].partner > gap.last) {
        gap.last = j;
      } else {  // and none of a deleted bracket
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

// The separator that is printed in a gap, or -1.
int32_t Realiser::choose(const Gap& gap) {
  const auto& nodes = tree_->nodes;
  const auto find = [&](const auto& fits) {
    for (int32_t i = gap.first; i <= gap.last; ++i) {
      if (is_separator(marks_[i]) && fits(marks_[i])) return i;
    }
    return -1;
  };
  // Inner members of a list are attached to its last member (`TreeBuilder::close_lists`): the separator is for the next
  // member.
  const auto list = [&](int32_t node) { return node < 0 ? -1 : tree_->coordination[nodes[node].word]; };
  const int32_t member = tree_->node_of[gap.right];
  const bool inner = is_conjunct(member) && list(gap.after < 0 ? gap.before : gap.after) == list(member);
  const int32_t after = inner ? member : gap.after;
  const bool conjunct = after >= 0 && is_conjunct(after);
  // The next phrase is an aside, which must be closed: it depends on a preceding word, or stands between subject and verb.
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
    // "tea, milk, and sugar" without milk: two members need no comma.
    const int32_t mark = find([](const Mark&) { return true; });
    return coordinated && is_pair(after) && marks_[mark].character == ',' ? -1 : open(mark);
  }
  // "and[, in the rain,] a hat", "that[, in May,] they left"
  const Print opener = tree_->print[gap.left];
  if (opener == Print::coordinate || opener == Print::subordinate || opener == Print::below) return -1;
  // "three things: tents[, gas] and maps"
  if (coordinated && is_pair(after) && list(tree_->node_of[gap.left]) == list(after)) return -1;
  // The end of an aside.
  for (int32_t i = tree_->node_of[gap.left]; i >= 0 && i != gap.top; i = nodes[i].parent) {
    if (opened_[i] != 0) return close(opened_[i]);
  }
  // Or, if the parser attached parts of the aside elsewhere, the end of the subject that contains it.
  if (gap.before >= 0 && nodes[gap.before].subject && nodes[gap.before].first < open_from_) return close(',');
  // "Athens [declined, but] rose": no separator between a verb and a subject that it shares with another verb.
  if (tree_->lends(gap.left, root_) && !tree_->lends(gap.right, root_)) return -1;
  // A separator before a quotation, or one stronger than a comma between clauses or right after the word.
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
    if (alike == 1 && (beside || clauses)) return open(strong);
  }
  const int32_t mark = after >= 0 ? mark_before(gap, after) : -1;
  if (conjunct) {  // the first kept member takes the place of the list
    const bool first = !is_clause(after) && members_before(after, true) == 0;
    if (mark >= 0 && !first) return coordinated && is_pair(after) && marks_[mark].character == ',' ? -1 : mark;
    // including the colon before it: "three things: [tents, gas and] maps"
    const int32_t list_begins = tree_->coordination[nodes[after].word];
    const int32_t colon = find([&](const Mark& each) { return each.character == ':' && each.token < list_begins; });
    if (first && colon >= 0) return colon;
  }
  if (mark >= 0 && !conjunct && !nodes[after].subject) {
    const Role role = rules_->role[nodes[after].label];
    const bool comma = marks_[mark].character == ',', beside = previous_[marks_[mark].token] == gap.left;
    // The separator may have closed a deleted phrase: "the man[, 41,] who left". Then it is only needed before an aside
    // that ends with a separator or with the sentence.
    const bool closes = !beside && find([](const Mark&) { return true; }) != mark;
    const bool ends = is_enclosed(after) || nodes[after].last + 1 >= final_;
    const bool noun = role == Role::apposition || role == Role::relative;
    const bool parted = closes ? (noun || nodes[after].finite) && ends : noun || is_verb(after) || is_enclosed(after);
    // No separator between a verb and its complement; but "we asked [politely], we asked often".
    const bool spliced = gap.first == gap.last && nodes[after].finite;
    const bool complement = role == Role::complement && !beside && comma && !spliced && (is_verb(after) || !is_enclosed(after));
    if (!complement && (parted || beside || !comma)) return open(mark);
  }
  if (opens_sentence(gap)) {
    for (int32_t i = gap.last; i >= gap.first; --i) {
      if (is_separator(marks_[i]) && marks_[i].character == ',') return i;
    }
  }
  return -1;
}

// Whether a sign that is no punctuation mark ("#1", "1+") is printed: the words that it is attached to are kept, or both
// neighbours.
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

// Brackets are kept around any kept text; empty brackets are kept with the word that they are attached to: "render()".
// Quotation marks are kept around a quotation, even a shortened one, but not around some words of a phrase.
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

}  // namespace laconic
