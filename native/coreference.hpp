// Which words of a sentence stand for others (paper §2.1): relative pronouns by syntax, personal and possessive pronouns
// by the clause they are in and by number and gender (laconic.tree.coreference has the tables).
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
  bool printable;      // the antecedent can be printed in its place: not of "his", "whose", "where"
};

// Finds the coreferences of one sentence. All vectors keep their memory from one sentence to the next.
class Resolver {
 public:
  void resolve(const Parses& parses, const Sentence& sentence, const Rules& rules, const Tree& tree);

  std::vector<Coreference> found;  // in the order of the pronouns

 private:
  int32_t relative(int32_t token) const;
  int32_t personal(int32_t token, bool possessive);
  int32_t antecedent_in(int32_t clause, int32_t top, int32_t token, uint8_t wanted) const;
  int32_t clause_of(int32_t token) const;
  bool holds(int32_t top, int32_t token) const;
  bool impersonal(int32_t token) const;
  uint8_t kind(int32_t token) const;
  uint8_t word_kind(int32_t token) const;
  bool is_verb(int32_t token) const;

  const Parses* parses_ = nullptr;
  const Sentence* sentence_ = nullptr;
  const Rules* rules_ = nullptr;
  const Tree* tree_ = nullptr;
  std::vector<uint8_t> has_subject_;   // by token
  std::vector<uint8_t> conjoined_;     // by token: has conjuncts in other nodes
  std::vector<int32_t> stands_for_;    // pronoun -> head word of its antecedent, or -1
};

}  // namespace laconic
