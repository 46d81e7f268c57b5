// Decides which words of a tree are merged into one node.
#include "text.hpp"
#include "tree.hpp"

namespace laconic {

void TreeBuilder::collapse_function_words(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const auto tag = [&](int32_t t) { return rules.tag[parses.tag[sentence.first + t]]; };
  const auto denies = [&](int32_t t) { return rules.is_negation(parses.lemma[sentence.first + t]); };
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  const auto article = [&](int32_t t) {
    const int64_t row = sentence.first + t;
    return rules.articles.form(chars + parses.start[row], chars + parses.end[row]) != Articles::Form::none;
  };
  const auto into = [&](int32_t t, int32_t head) {
    function_[t] = 1;
    unite(t, head);
  };
  int32_t first = 0;  // word
  while (first < n && outside_[first]) ++first;
  const auto opens = [&](int32_t t) { return t == first && rules.role[label_[t]] == Role::conjunction; };
  for (int32_t t = 0; t < n; ++t) {
    if (outside_[t] || head_[t] == t) continue;
    const int32_t head = head_[t];
    switch (rules.role[label_[t]]) {
      case Role::function:
        // "[the] shares", "[some] people": a plural noun needs no determiner, but negative determiners are kept, and so
        // is a singular article ("a few people").
        if (apart_[t]) break;
        if ((tag(head) & TagFlag::several) == 0 || t > head || denies(t) || article(t)) into(t, head);
        break;
      case Role::punctuation:  // a word that the parser takes for punctuation: "git rebase --abort"
        into(t, head);
        break;
      case Role::subordinator:
        if (parses.lemma[sentence.first + t] == rules.complementizer) {
          print_[t] = Print::below;
          break;
        }
        into(t, head);
        if (print_[t] == Print::always) print_[t] = Print::subordinate;
        break;
      case Role::preposition: {
        const int32_t object = object_[t] >= 0 ? object_[t] : inner_[t];  // "out of the house"
        if (object >= 0) {
          into(t, object);
          if (print_[t] == Print::always) print_[t] = Print::subordinate;  // not one that several nouns share
        } else if ((tag(t) & TagFlag::adposition) != 0) {  // "the town he lives in"
          into(t, head);
        }
        break;
      }
      case Role::conjunction:
      case Role::correlative: {
        const int32_t conjunct = next_conjunct_[t];
        if (opens(t)) break;  // "But he left": the conjunction refers to the previous sentence, and may be deleted on its own
        if (conjunct >= 0) {
          into(t, conjunct);
          print_[t] = Print::coordinate;
          coordination_[t] = coordination_[conjunct];
        } else if (t > 0 && t + 1 < n && !outside_[t + 1]) {  // the parser found no conjunct, so the next word begins it
          into(t, t + 1);
          print_[t] = Print::coordinate;
        } else {
          into(t, head);
          print_[t] = Print::subordinate;
        }
        break;
      }
      default:
        if ((tag(t) & TagFlag::possessive) != 0) into(t, head);
        if ((tag(t) & TagFlag::currency) != 0) into(t, head);
        if ((tag(t) & TagFlag::adverb) != 0 && (tag(head) & TagFlag::verb) != 0 && t < head) {
          into(t, head);
          print_[t] = Print::subordinate;
        }
    }
  }
}

// "the bridge [that was] closed", "when [you are] working": the subject of a relative or adverbial clause and the forms
// of the copula before its participle become one node, which may be deleted. Not if an auxiliary carries meaning, nor
// with a negation.
void TreeBuilder::reduce_clauses(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const auto tag = [&](int32_t t) { return rules.tag[parses.tag[sentence.first + t]]; };
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  apart_.assign(n, 0);
  for (int32_t verb = 0; verb < n; ++verb) {
    const bool relative = rules.role[label_[verb]] == Role::relative;
    const bool participle = (tag(verb) & (TagFlag::verb | TagFlag::finite)) == TagFlag::verb;
    if (!participle || head_[verb] == verb || !(relative || label_[verb] == rules.adverbial_label)) continue;
    int32_t subject = -1, copula = -1;
    bool opened = relative, fixed = false;
    for (int32_t t = 0; t < verb; ++t) {
      if (head_[t] == subject) fixed = true;  // a pronoun, or as short as one
      if (head_[t] != verb) continue;
      const Role role = rules.role[label_[t]];
      if (role == Role::subject) {
        fixed |= subject >= 0 || (relative && (tag(t) & TagFlag::relative) == 0) || (t > 0 && head_[t - 1] == t);
        subject = t;
      } else if (role == Role::function) {
        fixed |= (tag(t) & TagFlag::modal) != 0 || (tag(t) & TagFlag::verb) == 0;
        if (parses.lemma[sentence.first + t] == rules.copula) copula = t;
      }
      opened |= (role == Role::subordinator || (tag(t) & TagFlag::adverb) != 0) &&
                rules.before_participles.has(chars + parses.start[sentence.first + t], chars + parses.end[sentence.first + t]);
    }
    if (fixed || !opened || subject < 0 || copula < subject) continue;
    for (int32_t t = subject; t < verb; ++t) {
      if (head_[t] != verb || rules.role[label_[t]] != Role::function) continue;
      apart_[t] = function_[t] = 1;
      unite(subject, t);
    }
  }
}

// "39-year-old", "audio/video", "let's", "gonna", "10km": tokens that are written as one word are merged; so are the pieces
// of a long run of characters without a space.
void TreeBuilder::collapse_written_together(const Parses& parses, const Sentence& sentence) {
  const auto n = static_cast<int32_t>(head_.size());
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  const auto start = [&](int32_t t) { return parses.start[sentence.first + t]; };
  const auto end = [&](int32_t t) { return parses.end[sentence.first + t]; };
  const auto joined = [&](int32_t t) { return t + 1 < n && end(t) == start(t + 1); };
  const auto within_word = [](uint32_t c) { return is_word_char(c) || is_apostrophe(c); };
  const auto joins = [&](int32_t t) { return end(t) - start(t) == 1 && is_joiner(chars[start(t)]); };
  find_words(parses, sentence, is_word_);
  together_.assign(n, 0);
  const auto unite_with_next = [&](int32_t t) {
    outside_[t] = outside_[t + 1] = 0;  // however the parser labelled a part of a word
    unite(t, t + 1);
    together_[t] = 1;
  };
  constexpr int32_t least_piece = 200;  // half of `laconic.parse.words.RUN`
  for (int32_t t = 0; t + 1 < n; ++t) {
    if (!joined(t) || !is_word_[t]) continue;
    if (end(t) - start(t) >= least_piece) {
      for (int32_t u = t; joined(u); ++u) unite_with_next(u);
      continue;
    }
    const auto has = [&](int32_t u, uint32_t a, uint32_t b) {
      return std::any_of(chars + start(u), chars + end(u), [&](uint32_t c) { return c == a || c == b; });
    };
    if (has(t, '(', '[') && !has(t, ')', ']')) {  // "Acme(NYSE:ACM)"
      for (int32_t u = t; joined(u) && !has(u, ')', ']'); ++u) unite_with_next(u);
      continue;
    }
    // Signs may precede the first part: "^}39-year-old", "/so-called", but "/a/b" is a path.
    const bool path = chars[start(t)] == '/' && chars[end(t)] == '/';
    if (!path && joined(t + 1) && joins(t + 1) && is_word_char(chars[start(t + 2)])) {
      function_[t + 1] = 1;
      unite_with_next(t);
      unite_with_next(t + 1);
    } else if (is_word_[t + 1] && within_word(chars[end(t) - 1]) && within_word(chars[start(t + 1)])) {
      unite_with_next(t);
    }
  }
}

// "should be in place", "is ready": a clause needs the predicate of its copula.
void TreeBuilder::collapse_predicates(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  // The predicate is what the parser labels so; else a phrase ("in place"), unless there is a clause ("to go"); else
  // anything ("here").
  const auto rank = [&](int32_t t) {
    switch (rules.role[label_[t]]) {
      case Role::predicate: return 3;
      case Role::preposition:
      case Role::complement: return 2;
      case Role::node: return 1;
      default: return 0;
    }
  };
  fill_.assign(n, -1);  // by copula: its predicate
  for (int32_t t = n; t-- > 0;) {
    const int32_t verb = head_[t];
    if (verb >= t || outside_[t] || function_[verb]) continue;
    const int64_t row = sentence.first + verb;
    const bool copula = parses.lemma[row] == rules.copula ||
                        rules.contracted_copulas.has(chars + parses.start[row], chars + parses.end[row]);
    if (!copula || (rules.tag[parses.tag[row]] & TagFlag::verb) == 0) continue;
    if (fill_[verb] < 0 || rank(t) >= rank(fill_[verb])) fill_[verb] = t;
  }
  for (int32_t t = 0; t < n; ++t) {
    if (fill_[t] >= 0 && rank(fill_[t]) > 0 && rules.role[label_[fill_[t]]] != Role::complement) unite(t, fill_[t]);
  }
}

void TreeBuilder::collapse_entities(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  for (int32_t t = 0; t < n;) {
    const int64_t row = sentence.first + t;
    const uint8_t type = parses.entity[row];
    int32_t end = t + 1;
    while (end < n && type != 0 && parses.entity[sentence.first + end] == type && !parses.entity_start[sentence.first + end]) {
      ++end;
    }
    if (rules.entity[type] == Entity::name) {
      for (int32_t u = t; u + 1 < end; ++u) {
        const int64_t next = sentence.first + u + 1;
        if ((rules.tag[parses.tag[next]] & TagFlag::space) != 0) continue;
        if (is_quote(chars + parses.start[next], chars + parses.end[next])) continue;
        outside_[u + 1] = 0;
        unite(t, u + 1);
      }
      if (end - t > 1 && !is_quote(chars + parses.start[row], chars + parses.end[row])) outside_[t] = 0;
    } else if (rules.entity[type] == Entity::date) {
      for (int32_t u = t; u < end; ++u) {
        const bool number = (rules.tag[parses.tag[sentence.first + u]] & TagFlag::number) != 0;
        if ((number || label_[u] == rules.title_label) && !outside_[u] && head_[u] >= t && head_[u] < end) unite(u, head_[u]);
      }
    }
    t = end;
  }
}

// "an 11-year-old girl" must not become "an girl": if a later word does not match the form of the article, the word
// right after the article is kept.
void TreeBuilder::collapse_after_articles(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  const uint32_t* chars = parses.chars.data() + parses.char_ptr[sentence.text];
  const auto begin = [&](int32_t t) { return chars + parses.start[sentence.first + t]; };
  const auto end = [&](int32_t t) { return chars + parses.end[sentence.first + t]; };
  constexpr int32_t reach = 16;  // the maximum number of words between an article and its noun
  for (int32_t t = 0; t + 1 < n; ++t) {
    const Articles::Form article = rules.articles.form(begin(t), end(t));
    const int32_t noun = head_[t];
    if (article == Articles::Form::none || rules.role[label_[t]] != Role::function || noun <= t || noun > t + reach) continue;
    bool clash = false;
    for (int32_t u = t + 2; u <= noun; ++u) {
      if (outside_[u]) continue;
      int32_t first = u;  // first token of words written together: in "39-year-old", "old" is never the first word
      while (first > t + 1 && end(first - 1) == begin(first)) --first;
      clash |= first > t + 1 && article != rules.articles.before(begin(first), end(first));
    }
    if (!clash) continue;
    int32_t next = t + 1;
    while (next < noun && outside_[next]) ++next;
    for (int32_t u = next; u != noun && !outside_[u]; u = head_[u]) {
      unite(u, noun);
      if (head_[u] == u) break;
    }
  }
}

}  // namespace laconic
