#include "coreference.hpp"

#include <algorithm>
#include <numeric>

#include "interrupt.hpp"
#include "text.hpp"

namespace laconic {
namespace {

constexpr int32_t reach = 8;  // the maximum number of clauses above a pronoun's own that are examined

}  // namespace

void Resolver::resolve(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree) {
  parses_ = &parses;
  sentence_ = &sentence;
  rules_ = &rules;
  tree_ = &tree;
  found.clear();
  survey();
  for (int32_t t = 0; t < tree.length(); ++t) {
    if (tree.node_of[t] < 0) continue;
    count_steps(tree.length());
    const bool possessive = (tag(t) & TagFlag::possessive) != 0;
    const int32_t noun = (tag(t) & TagFlag::relative) != 0 ? relative(t) : personal(t, possessive);
    if (noun < 0 || tree.node_of[noun] < 0 || tree.node_of[noun] == tree.node_of[t]) continue;
    stands_for_[t] = noun;
    const bool print = !possessive && (tag(t) & TagFlag::adverb) == 0 && printable(noun);
    found.push_back({t, tree.node_of[t], noun, tree.node_of[noun], print});
  }
}

// Precomputes by token what is needed repeatedly.
void Resolver::survey() {
  const int32_t n = tree_->length();
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  has_subject_.assign(n, 0);
  conjoined_.assign(n, 0);
  stands_for_.assign(n, -1);
  above_.assign(n, 0);
  quotes_.assign(n, 0);
  clause_.assign(n, -2);
  for (int32_t t = 0; t < n; ++t) {
    const int64_t row = sentence_->first + t;
    if (tree_->head[t] != t && role(t) == Role::subject) has_subject_[tree_->head[t]] = 1;
    const int32_t lead = tree_->coordination[t];
    if (lead >= 0 && lead != t && tree_->print[t] == Print::always && tree_->node_of[lead] != tree_->node_of[t])
      conjoined_[lead] = conjoined_[t] = 1;
    const bool quote = tree_->node_of[t] < 0 && is_quote(chars + parses_->start[row], chars + parses_->end[row]);
    if (t + 1 < n) quotes_[t + 1] = quotes_[t] + (quote ? 1 : 0);
    // Go up to a token whose clause is known, and back down.
    path_.clear();
    int32_t at = t;
    while (clause_[at] == -2) {
      path_.push_back(at);
      const int32_t head = tree_->head[at];
      if (head == at) {
        clause_[at] = -1;
      } else if (is_verb(head) && !tree_->function[head]) {
        clause_[at] = head;
      } else {
        at = head;
      }
    }
    for (const int32_t each : path_) {
      if (clause_[each] == -2) clause_[each] = clause_[at];
    }
  }
  // Possible antecedents, by clause.
  nominal_ptr_.assign(n + 1, 0);
  const auto nominal = [&](int32_t t) {
    const Role own = role(t);
    return tree_->node_of[t] >= 0 && clause_[t] >= 0 &&
           (own == Role::subject || own == Role::complement || own == Role::object || own == Role::preposition);
  };
  for (int32_t t = 0; t < n; ++t) {
    if (nominal(t)) ++nominal_ptr_[clause_[t] + 1];
  }
  std::partial_sum(nominal_ptr_.begin(), nominal_ptr_.end(), nominal_ptr_.begin());
  nominals_.resize(nominal_ptr_.back());
  path_.assign(nominal_ptr_.begin(), nominal_ptr_.end());
  for (int32_t t = 0; t < n; ++t) {
    if (nominal(t)) nominals_[path_[clause_[t]]++] = t;
  }
}

// A relative pronoun refers to the noun that its clause modifies; "who" does not refer to Leeds in "the mayor of Leeds,
// who".
int32_t Resolver::relative(int32_t token) const {
  int32_t clause = token;
  while (tree_->head[clause] != clause && role(clause) != Role::relative) clause = tree_->head[clause];
  if (role(clause) != Role::relative || tree_->head[clause] == clause) return -1;
  if (token > clause) return -1;  // not the word that opens the clause
  const int32_t noun = tree_->head[clause];
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const int64_t row = sentence_->first + token;
  const uint32_t *begin = chars + parses_->start[row], *end = chars + parses_->end[row];
  const bool person = rules_->personal_relatives.has(begin, end);
  const bool named = parses_->entity[sentence_->first + noun] != 0;
  if (person && named && (kind(noun) & (Kind::male | Kind::female | Kind::plural)) == 0) return -1;
  return noun;
}

// The antecedent of a personal pronoun is in a higher clause, that of a possessive one possibly in its own. Within a
// clause, the subject is tried first, then objects from left to right. The nearest clause with a match decides.
int32_t Resolver::personal(int32_t token, bool possessive) {
  const uint8_t own = word_kind(token);
  if ((own & Kind::pronoun) == 0 || rules_->noun[parses_->tag[sentence_->first + token]] != 0) return -1;
  const auto wanted = static_cast<uint8_t>(own & (Kind::number | Kind::gender));
  int32_t clause = clause_[token];
  if (clause < 0 || impersonal(token)) return -1;
  // Verbs without a subject share that of the verb above: in "he wants to see him", the two pronouns differ.
  const bool subject = role(token) == Role::subject && tree_->head[token] == clause;
  while (!subject && !has_subject_[clause] && clause_[clause] >= 0) clause = clause_[clause];
  path_.clear();
  for (int32_t at = token; tree_->head[at] != at;) {
    at = tree_->head[at];
    above_[at] = 1;
    path_.push_back(at);
  }
  int32_t noun = -1;
  for (int32_t step = 0; step < reach && clause >= 0 && noun == -1; ++step) {
    // Up to a verb with a subject: its clause is examined together with the subjectless ones in it.
    int32_t top = clause;
    while (!has_subject_[top] && clause_[top] >= 0) top = clause_[top];
    if (step > 0 || possessive) noun = antecedent_in(clause, top, token, wanted);
    clause = clause_[top];
  }
  for (const int32_t at : path_) above_[at] = 0;
  return noun < 0 ? -1 : noun;
}

// The best match in the clauses from `clause` up to `top`; -1: none; -2: the match is a pronoun without an antecedent in
// this sentence.
int32_t Resolver::antecedent_in(int32_t clause, int32_t top, int32_t token, uint8_t wanted) {
  int32_t best = -1, subject = -1;
  for (int32_t verb = clause;; verb = clause_[verb]) {
    for (int32_t i = nominal_ptr_[verb]; i < nominal_ptr_[verb + 1]; ++i) {
      const int32_t u = nominals_[i];
      if (u >= token) break;
      if (!fits(token, u, wanted)) continue;
      const bool first = role(u) == Role::subject && tree_->head[u] == top;
      int32_t& place = first ? subject : best;
      if (place < 0 || u < place) place = u;
    }
    if (verb == top) break;
  }
  const int32_t chosen = subject >= 0 ? subject : best;
  if (chosen < 0) return -1;
  if (stands_for_[chosen] >= 0) return stands_for_[chosen];
  return (word_kind(chosen) & Kind::pronoun) != 0 ? -2 : chosen;
}

// Whether a word before a pronoun may be its antecedent, or have the same antecedent.
bool Resolver::fits(int32_t token, int32_t candidate, uint8_t wanted) const {
  if (tree_->node_of[candidate] == tree_->node_of[token] || above_[candidate]) return false;
  if ((quotes_[token] - quotes_[candidate]) % 2 != 0) return false;  // exactly one of them is in a quotation
  const int32_t noun = stands_for_[candidate] >= 0 ? stands_for_[candidate] : candidate;
  const bool pronoun = (word_kind(noun) & Kind::pronoun) != 0;
  const auto shared = static_cast<uint8_t>((pronoun ? word_kind(noun) : kind(noun)) & wanted);
  if ((shared & Kind::number) == 0 || (shared & Kind::gender) == 0) return false;
  // The antecedent that is printed is a single node, headed by the noun.
  return pronoun || (!conjoined_[noun] && tree_->nodes[tree_->node_of[noun]].word == noun);
}

// "it was announced that", "it is time to", "it takes an hour to": refers to the following clause.
bool Resolver::impersonal(int32_t token) const {
  if ((word_kind(token) & Kind::gender) != Kind::thing || role(token) != Role::subject) return false;
  const int32_t verb = tree_->head[token];
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const int64_t row = sentence_->first + verb;
  const uint32_t *begin = chars + parses_->start[row], *end = chars + parses_->end[row];
  bool open = parses_->lemma[row] == rules_->copula || rules_->impersonal_verbs.has(begin, end);
  for (int32_t u = 0; u < verb; ++u) {  // passive
    open |= tree_->head[u] == verb && tree_->function[u] && parses_->lemma[sentence_->first + u] == rules_->copula;
  }
  if (!open) return false;
  for (int32_t u = verb + 1; u < tree_->length(); ++u) {
    if (is_verb(u) && !tree_->function[u] && clause_[u] == verb && role(u) != Role::object) return true;
  }
  return false;
}

// Whether an antecedent is understandable on its own: not "no company", not "whose dog", not just "office".
bool Resolver::printable(int32_t noun) const {
  const int32_t node = tree_->node_of[noun];
  for (const int32_t t : tree_->tokens(node)) {
    if ((tag(t) & TagFlag::relative) != 0 || (word_kind(t) & Kind::quantifier) != 0) return false;
  }
  const uint8_t own = rules_->noun[parses_->tag[sentence_->first + noun]];
  const bool name = parses_->entity[sentence_->first + noun] != 0 || (own & Kind::plural) != 0 || (own & Kind::male) != 0;
  if (name || tree_->tokens(node).size() > 1) return true;
  const auto children = tree_->children(node);
  return std::any_of(children.begin(), children.end(), [&](int32_t c) { return rules_->carried[tree_->nodes[c].label]; });
}

// Number and gender of a noun as far as known, by word, first name, entity and tag.
uint8_t Resolver::kind(int32_t token) const {
  const int64_t row = sentence_->first + token;
  const uint8_t by_tag = rules_->noun[parses_->tag[row]];
  if (by_tag == 0) return 0;
  const uint8_t type = parses_->entity[row];
  if (type != 0) {
    const uint8_t entity = rules_->named[type];
    if ((entity & Kind::gender) != (Kind::male | Kind::female)) return entity;
    int32_t first = token;
    while (first > 0 && !parses_->entity_start[sentence_->first + first] &&
           parses_->entity[sentence_->first + first - 1] == type) {
      --first;
    }
    const uint8_t name = word_kind(first);
    return (name & Kind::gender) != 0 ? name : entity;
  }
  const uint8_t word = word_kind(token);
  const bool plural = (by_tag & Kind::plural) != 0;
  const uint8_t number = (word & Kind::number) != 0 && !plural ? word & Kind::number : by_tag & Kind::number;
  const uint8_t gender = (word & Kind::gender) != 0 ? word & Kind::gender : by_tag & Kind::gender;
  return number | gender;
}

// The table's entry for a word, ignoring case; for a plural in -s, that of the singular.
uint8_t Resolver::word_kind(int32_t token) const {
  const int64_t row = sentence_->first + token;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  const auto length = static_cast<size_t>(parses_->end[row] - parses_->start[row]);
  constexpr size_t longest = 24;
  if (length > longest) return 0;
  char text[longest];
  for (size_t i = 0; i < length; ++i) {
    const uint32_t c = lower(chars[parses_->start[row] + static_cast<int32_t>(i)]);
    if (c >= 0x80) return 0;
    text[i] = static_cast<char>(c);
  }
  const uint8_t found = rules_->word_kind({text, length});
  if (found != 0 || length < 3 || text[length - 1] != 's') return found;
  return rules_->word_kind({text, length - 1}) & Kind::gender;
}

}  // namespace laconic
