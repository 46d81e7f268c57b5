// Finds which words of a sentence refer to others (paper §2.1): relative pronouns by syntax; personal and possessive
// pronouns by their clause, and by number and gender (tables: laconic.language.coreference).
#pragma once

#include <cstdint>
#include <vector>

#include "tree.hpp"

namespace laconic {

struct Coreference {
  int32_t word;        // token: the pronoun
  int32_t pronoun;     // its node
  int32_t noun;        // token: the antecedent's head word
  int32_t antecedent;  // its node
  bool printable;      // the antecedent can be printed in its place; not for "his", "whose", "where"
};

// Finds the coreferences of one sentence. All vectors keep their memory from one sentence to the next.
class Resolver {
 public:
  void resolve(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree);

  std::vector<Coreference> found;  // in the order of the pronouns

 private:
  void survey();
  int32_t relative(int32_t token) const;
  int32_t personal(int32_t token, bool possessive);
  int32_t antecedent_in(int32_t clause, int32_t top, int32_t token, uint8_t wanted);
  bool fits(int32_t token, int32_t candidate, uint8_t wanted) const;
  bool impersonal(int32_t token) const;
  bool printable(int32_t noun) const;
  uint8_t kind(int32_t token) const;
  uint8_t word_kind(int32_t token) const;
  uint16_t tag(int32_t token) const { return rules_->tag[parses_->tag[sentence_->first + token]]; }
  bool is_verb(int32_t token) const { return (tag(token) & TagFlag::verb) != 0; }
  Role role(int32_t token) const { return rules_->role[tree_->label[token]]; }

  const Parses* parses_ = nullptr;
  const Sentence* sentence_ = nullptr;
  const Rules* rules_ = nullptr;
  const Tree* tree_ = nullptr;
  // By token.
  std::vector<int32_t> clause_;        // the verb whose clause it is in (for a verb, the clause above), or -1
  std::vector<int32_t> quotes_;        // quotation marks before it
  std::vector<uint8_t> has_subject_;
  std::vector<uint8_t> conjoined_;     // has conjuncts in other nodes
  std::vector<int32_t> stands_for_;    // pronoun -> head word of its antecedent, or -1
  std::vector<uint8_t> above_;         // whether the current pronoun depends on it
  std::vector<int32_t> nominals_, nominal_ptr_;  // by clause: possible antecedents, in order
  std::vector<int32_t> path_;
};

}  // namespace laconic
