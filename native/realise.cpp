#include "realise.hpp"

#include <algorithm>

#include "text.hpp"

namespace laconic {

void Realiser::prepare(const Parses& parses, const Sentence& sentence, const Tree& tree) {
  parses_ = &parses;
  sentence_ = &sentence;
  tree_ = &tree;
  classify();
  pair();
}

void Realiser::classify() {
  const int32_t n = tree_->length();
  kind_.assign(n, Kind::word);
  marks_.clear();
  words_before_.assign(n + 1, 0);
  previous_.assign(n, -1);
  next_.assign(n, n);
  for (int32_t t = 1; t < n; ++t) previous_[t] = tree_->node_of[t - 1] >= 0 ? t - 1 : previous_[t - 1];
  for (int32_t t = n - 1; t-- > 0;) next_[t] = tree_->node_of[t + 1] >= 0 ? t + 1 : next_[t + 1];
  final_ = n;
  for (int32_t t = 0; t < n; ++t) {
    words_before_[t + 1] = words_before_[t] + (tree_->node_of[t] >= 0 ? 1 : 0);
    if (tree_->node_of[t] >= 0) continue;
    const int64_t row = sentence_->first + t;
    const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text] + parses_->start[row];
    const int32_t size = parses_->end[row] - parses_->start[row];
    const uint32_t c = size > 0 ? chars[0] : ' ';
    Mark mark{t, Kind::other, 0, -1, 0, -1, -1, -1, false, false};
    switch (c) {
      case ',': case ';': case ':': case '-': case 0x2013: case 0x2014: case 0x2026:
        mark.kind = Kind::separator;
        break;
      case '.': case '!': case '?':
        mark.kind = Kind::stop;
        break;
      case '(': case '[': case '{':
        mark.kind = Kind::open;
        break;
      case ')': case ']': case '}':
        mark.kind = Kind::close;
        break;
      case '"': case '\'': case '`': case 0x2018: case 0x2019: case 0x201c: case 0x201d: case 0xab: case 0xbb:
        mark.kind = Kind::open;  // or closing: see pair()
        mark.quote = true;
        break;
      default:
        if (is_space(c)) mark.kind = Kind::space;
    }
    kind_[t] = mark.kind;
    if (mark.kind == Kind::space) continue;
    // "``" comes as two tokens from some tokenisers: one mark.
    if (c == '`' && size == 1 && !marks_.empty() && marks_.back().token == t - 1 && !marks_.back().twin &&
        parses_->end[row - 1] == parses_->start[row] && chars[-1] == '`') {
      marks_.back().twin = true;
      continue;
    }
    delimit(mark);
    marks_.push_back(mark);
  }
  while (final_ > 0 && tree_->node_of[final_ - 1] < 0) --final_;
}

// Matches brackets and quotation marks. One without a partner is not printed.
void Realiser::pair() {
  open_.clear();
  const auto quote_class = [&](const Mark& mark) -> int {
    const int64_t row = sentence_->first + mark.token;
    const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + parses_->start[row]];
    if (c == '\'' && parses_->end[row] - parses_->start[row] == 1) return 1;
    return c == 0x2018 || c == 0x2019 ? 1 : 2;
  };
  for (int32_t i = 0; i < static_cast<int32_t>(marks_.size()); ++i) {
    Mark& mark = marks_[i];
    if (!mark.quote && mark.kind != Kind::open && mark.kind != Kind::close) continue;
    int32_t at = static_cast<int32_t>(open_.size()) - 1;
    if (mark.quote) {
      while (at >= 0 && !(marks_[open_[at]].quote && quote_class(marks_[open_[at]]) == quote_class(mark))) --at;
    } else if (mark.kind == Kind::close) {
      while (at >= 0 && marks_[open_[at]].quote) --at;
    } else {
      at = -1;
    }
    if (at < 0) {
      if (mark.kind != Kind::close) open_.push_back(i);
      continue;
    }
    mark.kind = Kind::close;
    kind_[mark.token] = Kind::close;
    mark.partner = open_[at];
    marks_[open_[at]].partner = i;
    open_.resize(at);
  }
}

// The words that must not all be gone for a separator to make sense. On each side this is the smallest constituent that
// the separator delimits: one that reaches from it to other punctuation or to the edge of the sentence; failing that, the
// largest constituent that begins or ends there.
void Realiser::delimit(Mark& mark) {
  const int32_t n = tree_->length();
  const auto& nodes = tree_->nodes;
  const int32_t left = previous_[mark.token], right = next_[mark.token];
  const auto conjunct = [&](int32_t i) {
    return tree_->coordination[nodes[i].word] >= 0 && tree_->coordination[nodes[i].word] != nodes[i].word;
  };
  bool delimited = false;
  if (left >= 0) {
    mark.left_first = mark.left_last = left;
    for (int32_t i = tree_->node_of[left]; i >= 0 && nodes[i].last == left && !delimited; i = nodes[i].parent) {
      mark.left_first = nodes[i].first;
      delimited = nodes[i].first == 0 || tree_->node_of[nodes[i].first - 1] < 0;
      if (delimited && nodes[i].first > 0 && !conjunct(i)) mark.opener = nodes[i].first - 1;
      // No comma parts a subject from its verb but the one that closes what stands before it: "the violin [that …], was".
      if (delimited && nodes[i].first == 0 && nodes[i].subject) mark.left_first = left;
    }
  }
  if (right >= n) return;
  mark.right_first = mark.right_last = right;
  int32_t constituent = -1;
  for (int32_t i = tree_->node_of[right]; i >= 0 && nodes[i].first == right; i = nodes[i].parent) {
    mark.right_last = nodes[i].last;
    constituent = i;
    if (nodes[i].last == n - 1 || tree_->node_of[nodes[i].last + 1] < 0 || conjunct(i)) break;
  }
  // What follows may belong to a head further left, whatever became of the words between: "fish [and chips], drank beer".
  if (constituent < 0 || delimited || left < 0 || nodes[constituent].parent < 0) return;
  const int32_t head = conjunct(constituent) ? tree_->coordination[nodes[constituent].word]
                                             : nodes[nodes[constituent].parent].word;
  if (head < mark.left_first) mark.left_first = head;
}

void Realiser::realise(const std::vector<int32_t>& nodes, int32_t root, std::vector<Piece>& out) {
  const int32_t n = tree_->length();
  in_.assign(tree_->size(), 0);
  for (const int32_t i : nodes) in_[i] = 1;
  kept_.assign(n, 0);
  seen_.assign(n, 0);
  kept_sum_.assign(n + 1, 0);
  const bool promoted = tree_->nodes[root].parent >= 0;
  for (int32_t t = 0; t < n; ++t) {
    const int32_t node = tree_->node_of[t];
    bool keep = node >= 0 && in_[node];
    const int32_t group = tree_->coordination[t];
    if (keep) {
      switch (tree_->print[t]) {
        case Print::always:
          if (group >= 0) seen_[group] = 1;
          break;
        case Print::subordinate:
          keep = !(promoted && node == root);
          break;
        case Print::coordinate:
          if (group < 0) {
            keep = previous_[t] >= 0 && kept_[previous_[t]] && node != root;
          } else {
            keep = t < group ? in_[tree_->node_of[group]] : seen_[group];
          }
          break;
        case Print::never:
          keep = false;
      }
    }
    kept_[t] = keep;
    kept_sum_[t + 1] = kept_sum_[t] + (keep ? 1 : 0);
  }
  const int32_t total = kept_sum_[n];
  if (total == 0) {  // nothing but punctuation, or only a word that is never printed: the sentence as it is
    for (const int32_t i : nodes) {
      for (const int32_t t : tree_->tokens(i)) kept_[t] = 1;
    }
  }
  for (const Mark& mark : marks_) {
    const int32_t t = mark.token;
    if (t >= final_ && mark.kind == Kind::stop) {
      kept_[t] = 1;
    } else if (mark.kind == Kind::separator || mark.kind == Kind::stop || mark.kind == Kind::other) {
      kept_[t] = t < final_ && mark.left_last >= 0 && mark.right_last >= 0 &&
                 kept_between(mark.left_first, mark.left_last) > 0 &&
                 kept_between(mark.right_first, mark.right_last) > 0 &&
                 // of two commas around a constituent both are printed or none
                 !(mark.opener >= 0 && kind_[mark.opener] == Kind::separator && !kept_[mark.opener]);
    } else if (mark.kind == Kind::open && mark.partner >= 0) {
      const int32_t close = marks_[mark.partner].token;
      const int32_t inside = kept_between(t, close);
      // Brackets stay around anything; quotation marks only around a quotation that is whole.
      const int32_t all = words_before_[close] - words_before_[t];
      kept_[t] = kept_[close] = inside > 0 && (!mark.quote || inside == all);
      if (mark.twin) kept_[t + 1] = kept_[t];
    }
  }
  // Separators only between words: none at the front, none doubled, none before the final stop.
  out.clear();
  int32_t separator = -1;  // waits for the word after it
  bool word_seen = false;
  for (int32_t t = 0; t < n; ++t) {
    if (!kept_[t]) continue;
    const Kind kind = kind_[t];
    if (kind == Kind::separator || kind == Kind::other || (kind == Kind::stop && t < final_)) {
      if (word_seen && separator < 0) separator = t;
      continue;
    }
    if (separator >= 0 && !(kind == Kind::stop && t >= final_)) {
      // A comma inside closing quotation marks stays where it was printed.
      if (kind != Kind::close || t < final_) {
        out.push_back(piece(separator));
        separator = -1;
      }
    }
    if (kind == Kind::word) word_seen = true;
    out.push_back(piece(t));
  }
  for (size_t i = 1; i < out.size(); ++i) out[i].space = has_space_between(out[i - 1].token, out[i].token);
  // "£6m." is one token: when it goes, its full stop stays.
  const int32_t end = final_ - 1;
  if (final_ == n && end >= 0 && !kept_[end] && !out.empty()) {
    Piece stop = piece(end);
    stop.start = stop.end - 1;
    stop.word = false;
    const uint32_t c = parses_->chars[parses_->char_ptr[sentence_->text] + stop.start];
    if (c == '.' || c == '!' || c == '?') out.push_back(stop);
  }
}

Piece Realiser::piece(int32_t token) const {
  const int64_t row = sentence_->first + token;
  return {token, parses_->start[row], parses_->end[row], false, kind_[token] == Kind::word};
}

// A space where the text has one anywhere between two tokens; also between two words when what stood between is gone.
bool Realiser::has_space_between(int32_t left, int32_t right) const {
  const int64_t l = sentence_->first + left, r = sentence_->first + right;
  const uint32_t* chars = parses_->chars.data() + parses_->char_ptr[sentence_->text];
  if (right == left + 1) return parses_->end[l] < parses_->start[r];
  if (kind_[right] == Kind::stop || kind_[right] == Kind::close) return false;
  if (kind_[right] == Kind::separator) {
    const bool comma = chars[parses_->start[r]] == ',' || chars[parses_->start[r]] == ';' || chars[parses_->start[r]] == ':';
    if (comma) return false;
  }
  if (kind_[left] == Kind::open) return false;
  for (int32_t c = parses_->end[l]; c < parses_->start[r]; ++c) {
    if (is_space(chars[c])) return true;
  }
  return kind_[left] != Kind::other && kind_[right] != Kind::other;
}

}  // namespace laconic
