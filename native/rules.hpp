// The tables of laconic.tree.rules: what the transformation knows of labels, tags and entity types.
#pragma once

#include <array>
#include <cstdint>

namespace laconic {

enum class Role : uint8_t {
  node,
  function,
  preposition,
  object,
  subordinator,
  conjunction,
  conjunct,
  relative,
  punctuation,
  subject,
  apposition,
  complement,
  predicate,
};

struct TagFlag {
  static constexpr uint16_t finite = 1, verb = 2, possessive = 4, relative = 8, adposition = 16, number = 32, space = 64,
                            adverb = 128, currency = 256, singular = 512, plural = 1024;
};

enum class Entity : uint8_t { separate, name, date };

struct Rules {
  std::array<Role, 256> role{};         // by label
  std::array<uint16_t, 256> tag{};      // by tag
  std::array<Entity, 256> entity{};     // by entity type
  uint8_t title_label = 0;              // of a title before a name
  uint64_t copula = 0;                  // lemma of the verb that collapses with its predicate
  uint64_t complementizer = 0;          // lemma of the subordinator that is never needed
};

}  // namespace laconic
