// The tables of laconic.language: all that the core knows of labels, tags, entity types and words. No other part of the
// core names any of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "text.hpp"

namespace laconic {

enum class Role : uint8_t {
  node,
  function,
  preposition,
  object,
  subordinator,
  conjunction,
  correlative,
  conjunct,
  relative,
  punctuation,
  subject,
  apposition,
  complement,
  predicate,
};

struct TagFlag {
  enum Flag : uint16_t {
    finite = 1,
    verb = 2,
    possessive = 4,
    relative = 8,
    adposition = 16,
    number = 32,
    space = 64,
    adverb = 128,
    currency = 256,
    singular = 512,
    plural = 1024,
    several = 2048,
    modal = 4096,
  };
};

enum class Entity : uint8_t { separate, name, date };

// Number and gender of words that may be coreferent.
struct Kind {
  enum Flag : uint8_t { singular = 1, plural = 2, male = 4, female = 8, thing = 16, pronoun = 32, quantifier = 64 };
  static constexpr uint8_t number = singular | plural, gender = male | female | thing;
};

// Words, in lower case.
struct WordList {
  std::vector<std::u32string> words;

  // Whether a word is one of them, ignoring case.
  bool has(const uint32_t* begin, const uint32_t* end) const {
    return std::any_of(words.begin(), words.end(), [&](const std::u32string& word) {
      return end - begin == static_cast<ptrdiff_t>(word.size()) && starts(word, begin, end);
    });
  }
  // Whether a word begins with one of them.
  bool begins(const uint32_t* begin, const uint32_t* end) const {
    return std::any_of(words.begin(), words.end(), [&](const std::u32string& word) { return starts(word, begin, end); });
  }

 private:
  static bool starts(const std::u32string& word, const uint32_t* begin, const uint32_t* end) {
    return end - begin >= static_cast<ptrdiff_t>(word.size()) &&
           std::equal(word.begin(), word.end(), begin, [](char32_t a, uint32_t b) { return a == lower(b); });
  }
};

// An article with different forms before vowels and consonants.
struct Articles {
  enum class Form : uint8_t { none, consonant, vowel };

  WordList before_consonant, before_vowel;  // the forms themselves
  WordList vowel_letters;                   // letters whose names begin with a vowel: "an MP"
  WordList vowels, consonants;              // beginnings of words; consonants are tested first: "a unit"

  Form form(const uint32_t* begin, const uint32_t* end) const {
    return before_consonant.has(begin, end) ? Form::consonant : before_vowel.has(begin, end) ? Form::vowel : Form::none;
  }
  // The form that is used before a word.
  Form before(const uint32_t* begin, const uint32_t* end) const {
    const bool initials = end - begin > 1 && is_upper_ascii(begin[0]) && is_upper_ascii(begin[1]);
    const bool vowel = initials ? vowel_letters.begins(begin, end) : !consonants.begins(begin, end) && vowels.begins(begin, end);
    return vowel ? Form::vowel : Form::consonant;
  }
};

struct Rules {
  std::array<Role, 256> role{};         // by label
  std::array<uint16_t, 256> tag{};      // by tag
  std::array<Entity, 256> entity{};     // by entity type
  uint8_t title_label = 0;              // of a title before a name
  uint8_t adverbial_label = 0;          // of an adverbial clause
  uint8_t expletive_label = 0;          // of expletives
  uint64_t copula = 0;                  // lemma of the verb that is merged with its predicate
  uint64_t complementizer = 0;          // lemma of the subordinator that can always be omitted
  uint64_t genitive = 0;                // lemma of the preposition between a noun and its whole or owner
  WordList plural_forms;                // verb forms that need a plural subject whatever their tag
  WordList before_participles;          // subordinators of clauses that may omit subject and copula
  WordList contracted_copulas;          // lemmatisers may not know their curly apostrophe
  Articles articles;
  std::vector<uint64_t> negations;      // lemmas that negate their node, sorted
  WordList personal_relatives;          // relative pronouns that refer to people
  WordList impersonal_verbs;            // verbs, besides the copula, whose subject may refer to a following clause
  // Coreference: properties of a noun by its tag (0: not a noun), by its entity type and by its word.
  std::array<uint8_t, 256> noun{}, named{};
  std::array<uint8_t, 256> carried{};  // by label: printed with an antecedent
  std::vector<std::pair<uint64_t, uint8_t>> words;  // hash of the lower-cased word -> Kind, sorted

  bool is_negation(uint64_t lemma) const { return std::binary_search(negations.begin(), negations.end(), lemma); }
  uint8_t word_kind(std::string_view word) const {
    const uint64_t id = hash_string(word);
    const auto at = std::lower_bound(words.begin(), words.end(), std::pair<uint64_t, uint8_t>{id, 0});
    return at != words.end() && at->first == id ? at->second : 0;
  }
};

}  // namespace laconic
