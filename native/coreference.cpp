#include "coreference.hpp"

#include <algorithm>
#include <string>

#include "text.hpp"

namespace laconic {

void Resolver::resolve(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree) {
  parses_ = &parses;
  sentence_ = &sentence;
  rules_ = &rules;
  tree_ = &tree;
  found.clear();
  const int32_t n = tree.length();
  has_subject_.assign(n, 0);
  conjoined_.assign(n, 0);
  stands_for_.assign(n, -1);
  for (int32_t t = 0; t < n; ++t) {
    if (tree.head(t) != t && rules.role[tree.label(t)] == Role::subject) has_subject_[tree.head(t)] = 1;
    const int32_t lead = tree.coordination[t];
    if (lead >= 0 && lead != t && tree.node_of[lead] != tree.node_of[t]) conjoined_[lead] = conjoined_[t] = 1;
  }
  for (int32_t t = 0; t < n; ++t) {
    if (tree.node_of[t] < 0) continue;
    const uint16_t tag = rules.tag[parses.tag[sentence.first + t]];
    const bool possessive = (tag & TagFlag::possessive) != 0;
    const int32_t noun = (tag & TagFlag::relative) != 0 ? relative(t) : personal(t, possessive);
    if (noun < 0 || tree.node_of[noun] < 0 || tree.node_of[noun] == tree.node_of[t]) continue;
    stands_for_[t] = noun;
    const bool printable = !possessive && (tag & TagFlag::adverb) == 0;
    found.push_back({t, tree.node_of[t], noun, tree.node_of[noun], printable});
  }
}

// A relative pronoun stands for the noun that its clause hangs on.
int32_t Resolver::relative(int32_t token) const {
  int32_t clause = token;
  while (tree_->head(clause) != clause && rules_->role[tree_->label(clause)] != Role::relative) {
    clause = tree_->head(clause);
  }
  if (rules_->role[tree_->label(clause)] != Role::relative || tree_->head(clause) == clause) return -1;
  if (token > clause) return -1;  // not the one that opens the clause
  return tree_->head(clause);
}

// The antecedent of a personal pronoun is in a higher clause, that of a possessive may be in the same: there the subject
// is asked first, then objects, from the left. The nearest clause with one that fits decides.
int32_t Resolver::personal(int32_t token, bool possessive) {
  const uint8_t own = word_kind(token);
  if ((own & Kind::pronoun) == 0 || (rules_->noun[parses_->tag[sentence_->first + token]] != 0)) return -1;
  const auto wanted = static_cast<uint8_t>(own & (Kind::number | Kind::gender));
  int32_t clause = clause_of(token);
  if (clause < 0 || (own & Kind::gender) == 0 || impersonal(token)) return -1;
  // Verbs without a subject share that of the verb above: "he wants to see him" are two persons.
  const bool subject = rules_->role[tree_->label(token)] == Role::subject && tree_->head(token) == clause;
  while (!subject && !has_subject_[clause]) {
    const int32_t higher = clause_of(clause);
    if (higher < 0) break;
    clause = higher;
  }
  for (bool same = true; clause >= 0; same = false) {
    // Up to a verb with a subject: its clause is asked together with those in it that have none.
    int32_t top = clause;
    while (!has_subject_[top] && clause_of(top) >= 0) top = clause_of(top);
    if (!same || possessive) {
      const int32_t noun = antecedent_in(clause, top, token, wanted);
      if (noun == -2) return -1;
      if (noun >= 0) return noun;
    }
    clause = clause_of(top);
  }
  return -1;
}

// The word that fits best in the clauses from `clause` up to `top`, -1 for none; -2 when it is a pronoun that stands for nothing in this sentence.
int32_t Resolver::antecedent_in(int32_t clause, int32_t top, int32_t token, uint8_t wanted) const {
  const auto inside = [&](int32_t verb) {
    for (int32_t at = clause; at != top; at = clause_of(at)) {
      if (at == verb) return true;
    }
    return verb == top;
  };
  int32_t best = -1;
  for (int pass = 0; pass < 2 && best < 0; ++pass) {  // the subject, then the rest
    for (int32_t u = 0; u < token && best < 0; ++u) {
      if (tree_->node_of[u] < 0 || tree_->node_of[u] == tree_->node_of[token] || holds(u, token)) continue;
      const Role role = rules_->role[tree_->label(u)];
      const bool subject = role == Role::subject && tree_->head(u) == top;
      const bool other = role == Role::complement || role == Role::object || role == Role::preposition ||
                         role == Role::subject;
      if (subject != (pass == 0) || (!subject && !other) || !inside(clause_of(u))) continue;
      const bool pronoun = (word_kind(u) & Kind::pronoun) != 0 || stands_for_[u] >= 0;
      const int32_t noun = stands_for_[u] >= 0 ? stands_for_[u] : u;
      const auto shared = static_cast<uint8_t>((pronoun && noun == u ? word_kind(u) : kind(noun)) & wanted);
      if ((shared & Kind::number) == 0 || (shared & Kind::gender) == 0) continue;
      if (pronoun && noun == u) return -2;
      // What is printed in place of the pronoun is one node, headed by the noun.
      if (conjoined_[noun] || tree_->nodes[tree_->node_of[noun]].word != noun) continue;
      best = noun;
    }
  }
  return best;
}

// The verb whose clause a token is in, itself excepted, or -1.
int32_t Resolver::clause_of(int32_t token) const {
  for (int32_t at = token; tree_->head(at) != at;) {
    at = tree_->head(at);
    if (is_verb(at) && !tree_->function[at]) return at;
  }
  return -1;
}

// Whether a token is among those that hang on `top`.
bool Resolver::holds(int32_t top, int32_t token) const {
  for (int32_t at = token; tree_->head(at) != at; at = tree_->head(at)) {
    if (tree_->head(at) == top) return true;
  }
  return false;
}

// "it was announced that", "it is hard to": stands for the clause that follows.
bool Resolver::impersonal(int32_t token) const {
  if ((word_kind(token) & Kind::gender) != Kind::thing || (word_kind(token) & Kind::plural) != 0) return false;
  const int32_t verb = tree_->head(token);
  if (rules_->role[tree_->label(token)] != Role::subject) return false;
  const bool copula = parses_->lemma[sentence_->first + verb] == rules_->copula;
  bool passive = false, clause = false;
  for (int32_t u = 0; u < tree_->length(); ++u) {
    if (tree_->head(u) != verb || u == verb) continue;
    passive |= tree_->function[u] && parses_->lemma[sentence_->first + u] == rules_->copula;
    clause |= u > verb && is_verb(u) && rules_->role[tree_->label(u)] == Role::complement;
  }
  return (copula || passive) && clause;
}

// Number and gender of a noun as far as they are known: by its word, by its first name, by its entity, by its tag.
uint8_t Resolver::kind(int32_t token) const {
  const int64_t row = sentence_->first + token;
  const uint8_t tag = rules_->noun[parses_->tag[row]];
  if (tag == 0) return 0;
  const uint8_t type = parses_->entity[row];
  if (type != 0) {
    const uint8_t entity = rules_->named[type];
    if ((entity & Kind::gender) != (Kind::male | Kind::female)) return entity;
    int32_t first = token;
    while (first > 0 && !parses_->entity_start[sentence_->first + first] && parses_->entity[sentence_->first + first - 1] == type) --first;
    const uint8_t name = word_kind(first);
    return (name & Kind::gender) != 0 ? name : entity;
  }
  const uint8_t word = word_kind(token);
  const auto number = static_cast<uint8_t>((word & Kind::number) != 0 && (tag & Kind::plural) == 0 ? word & Kind::number : tag & Kind::number);
  const auto gender = static_cast<uint8_t>((word & Kind::gender) != 0 ? word & Kind::gender : tag & Kind::gender);
  return number | gender;
}

// What the table says of a word, in any case of letters; of a plural in -s, what it says of the singular.
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

bool Resolver::is_verb(int32_t token) const {
  return (rules_->tag[parses_->tag[sentence_->first + token]] & TagFlag::verb) != 0;
}

}  // namespace laconic
