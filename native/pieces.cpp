#include "pieces.hpp"

#include <algorithm>

namespace laconic {
namespace {

constexpr std::string_view continued = "##";

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

}  // namespace

WordPieces::WordPieces(std::string_view lines) {
  beginning_.reserve(1 << 15);
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    std::string_view piece = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (!piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
    const auto number = static_cast<int32_t>(count_++);
    const bool inside = piece.starts_with(continued) && piece.size() > continued.size();
    if (inside) piece.remove_prefix(continued.size());
    (inside ? inside_ : beginning_).insert_or_assign(std::string(piece), number);
    longest_ = std::max(longest_, piece.size());
  }
}

void WordPieces::cut(std::string_view word, int32_t unknown, std::vector<int32_t>& pieces) const {
  const size_t before = pieces.size();
  if (std::count_if(word.begin(), word.end(), begins_character) > most_characters) {
    pieces.push_back(unknown);
    return;
  }
  for (size_t start = 0; start < word.size();) {
    const Numbers& numbers = start == 0 ? beginning_ : inside_;
    size_t end = std::min(word.size(), start + longest_);
    auto found = numbers.end();
    for (; end > start; --end) {
      if (end < word.size() && !begins_character(word[end])) continue;
      found = numbers.find(word.substr(start, end - start));
      if (found != numbers.end()) break;
    }
    if (found == numbers.end()) {  // then the whole word is unknown
      pieces.resize(before);
      pieces.push_back(unknown);
      return;
    }
    pieces.push_back(found->second);
    start = end;
  }
}

}  // namespace laconic
