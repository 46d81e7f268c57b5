// The tables of laconic.tree.rules and laconic.tree.coreference: what the core knows of labels, tags, entity types, words.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "hash.hpp"

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

// Number and gender of words that may corefer.
struct Kind {
  static constexpr uint8_t singular = 1, plural = 2, male = 4, female = 8, thing = 16, pronoun = 32, quantifier = 64;
  static constexpr uint8_t number = singular | plural, gender = male | female | thing;
};

struct Rules {
  std::array<Role, 256> role{};         // by label
  std::array<uint16_t, 256> tag{};      // by tag
  std::array<Entity, 256> entity{};     // by entity type
  uint8_t title_label = 0;              // of a title before a name
  uint64_t copula = 0;                  // lemma of the verb that collapses with its predicate
  uint64_t complementizer = 0;          // lemma of the subordinator that is never needed
  // Coreference: what is known of a noun by its tag (0: no noun), by its entity type and by its word.
  std::array<uint8_t, 256> noun{}, named{};
  std::array<uint8_t, 256> carried{};  // by label: printed with an antecedent
  std::vector<std::pair<uint64_t, uint8_t>> words;  // hash of the lower-cased word -> Kind, sorted

  uint8_t word_kind(std::string_view word) const {
    const uint64_t id = hash_string(word);
    const auto at = std::lower_bound(words.begin(), words.end(), std::pair<uint64_t, uint8_t>{id, 0});
    return at != words.end() && at->first == id ? at->second : 0;
  }
};

}  // namespace laconic
