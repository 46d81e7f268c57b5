// Character classes for the few code points that the rules and the realiser need; independent of language.
#pragma once

#include <cstdint>

namespace laconic {

inline bool is_space(uint32_t c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

inline bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

inline bool is_upper_ascii(uint32_t c) { return c >= 'A' && c <= 'Z'; }

// Letters and digits; everything beyond Latin-1's symbols counts as a letter, except for blocks of punctuation.
inline bool is_word_char(uint32_t c) {
  if (c < 0x80) return is_digit(c) || is_upper_ascii(c) || (c >= 'a' && c <= 'z');
  if (c < 0xc0) return c == 0xaa || c == 0xb5 || c == 0xba;
  const bool mark = (c >= 0x2000 && c <= 0x206f) || (c >= 0x3000 && c <= 0x3020) || (c >= 0xff01 && c <= 0xff0f);
  return !mark && c != 0xd7 && c != 0xf7;
}

// Characters that join the parts of a word.
inline bool is_joiner(uint32_t c) { return c == '-' || c == '/' || c == 0x2010 || c == 0x2011 || c == '&' || c == '@'; }

inline bool is_bracket(uint32_t c) { return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}'; }

inline bool is_apostrophe(uint32_t c) { return c == '\'' || c == 0x2019; }

// Lower case, for letters with a fixed distance between cases: Latin, Greek, Cyrillic.
inline uint32_t lower(uint32_t c) {
  const bool latin = is_upper_ascii(c) || (c >= 0xc0 && c <= 0xde && c != 0xd7);
  const bool greek = c >= 0x391 && c <= 0x3a9, cyrillic = c >= 0x410 && c <= 0x42f;
  if (latin || greek || cyrillic) return c + 32;
  return c >= 0x400 && c <= 0x40f ? c + 80 : c >= 0x100 && c <= 0x137 ? c | 1 : c;
}

// Names that may begin with a sign: options, files and attributes, such as "--abort", ".session", "/home".
inline bool is_option(const uint32_t* begin, const uint32_t* end) {
  const uint32_t* c = begin;
  while (c != end && (*c == '-' || *c == '.' || *c == '/' || *c == '~' || *c == '_' || *c == '+' || *c == '=')) ++c;
  return c != end && (is_digit(*c) || is_upper_ascii(*c) || (*c >= 'a' && *c <= 'z'));
}

// Tokens that consist of quotation marks only.
inline bool is_quote(const uint32_t* begin, const uint32_t* end) {
  for (const uint32_t* c = begin; c != end; ++c) {
    const bool mark = *c == '"' || *c == '\'' || *c == '`' || (*c >= 0x2018 && *c <= 0x201f) || *c == 0xab || *c == 0xbb;
    if (!mark) return false;
  }
  return begin != end;
}

}  // namespace laconic
