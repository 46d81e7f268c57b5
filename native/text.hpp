// Character classes of the few code points that the rules and the realiser care about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "hash.hpp"

namespace laconic {

inline bool is_space(uint32_t c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

inline bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

inline bool is_upper_ascii(uint32_t c) { return c >= 'A' && c <= 'Z'; }

// Letters and digits; everything beyond Latin-1's symbols counts as a letter, general punctuation excepted.
inline bool is_word_char(uint32_t c) {
  if (c < 0x80) return is_digit(c) || is_upper_ascii(c) || (c >= 'a' && c <= 'z');
  if (c < 0xc0) return c == 0xaa || c == 0xb5 || c == 0xba;
  return !(c >= 0x2000 && c <= 0x206f) && c != 0xd7 && c != 0xf7;
}

// What holds parts of a word together.
inline bool is_joiner(uint32_t c) { return c == '-' || c == '/' || c == 0x2010 || c == 0x2011 || c == '&' || c == '@'; }

inline bool is_apostrophe(uint32_t c) { return c == '\'' || c == 0x2019; }

inline uint32_t lower(uint32_t c) { return is_upper_ascii(c) ? c + 32 : c; }

// Whether a word is the given one, in any case of letters.
template <size_t size>
bool is_text(const uint32_t* begin, const uint32_t* end, const char (&text)[size]) {
  if (end - begin != static_cast<ptrdiff_t>(size - 1)) return false;
  for (size_t i = 0; i + 1 < size; ++i) {
    if (lower(begin[i]) != static_cast<uint32_t>(text[i])) return false;
  }
  return true;
}

inline bool is_were(const uint32_t* begin, const uint32_t* end) { return is_text(begin, end, "were"); }

enum class Article : uint8_t { none, a, an };

inline Article article_of(const uint32_t* begin, const uint32_t* end) {
  return is_text(begin, end, "a") ? Article::a : is_text(begin, end, "an") ? Article::an : Article::none;
}

// Whether a word asks for "an": by its first letters, with the exceptions that are common.
inline bool begins_with_vowel(const uint32_t* begin, const uint32_t* end) {
  const auto starts = [&](const char* text) {
    const uint32_t* at = begin;
    for (; *text; ++text, ++at) {
      if (at == end || lower(*at) != static_cast<uint32_t>(*text)) return false;
    }
    return true;
  };
  if (begin == end) return false;
  const bool initials = end - begin > 1 && is_upper_ascii(begin[0]) && is_upper_ascii(begin[1]);
  const uint32_t c = lower(*begin);
  if (initials) return c == 'a' || c == 'e' || c == 'f' || c == 'h' || c == 'i' || c == 'l' || c == 'm' || c == 'n' ||
                       c == 'o' || c == 'r' || c == 's' || c == 'x';
  if (starts("uni") || starts("use") || starts("usu") || starts("eu") || starts("one") || starts("once")) return false;
  if (starts("hour") || starts("hon") || starts("heir")) return true;
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == '8' || starts("11") || starts("18");
}

// A token that is nothing but quotation marks.
inline bool is_quote(const uint32_t* begin, const uint32_t* end) {
  for (const uint32_t* c = begin; c != end; ++c) {
    const bool mark = *c == '"' || *c == '\'' || *c == '`' || (*c >= 0x2018 && *c <= 0x201f) || *c == 0xab || *c == 0xbb;
    if (!mark) return false;
  }
  return begin != end;
}

// "'s", "'re", "'m" with either apostrophe: a lemmatiser may not know the curly one.
inline bool is_contracted_be(const uint32_t* begin, const uint32_t* end) {
  if (begin == end || !is_apostrophe(*begin)) return false;
  return is_text(begin + 1, end, "s") || is_text(begin + 1, end, "re") || is_text(begin + 1, end, "m");
}

inline const uint64_t negations[] = {hash_string("not"), hash_string("n't"), hash_string("never"), hash_string("no"),
                                     hash_string("n’t")};

inline bool is_negation(uint64_t lemma) {
  return std::any_of(std::begin(negations), std::end(negations), [&](uint64_t word) { return word == lemma; });
}

}  // namespace laconic
