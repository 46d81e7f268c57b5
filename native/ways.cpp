#include "ways.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interrupt.hpp"

namespace laconic {

Ways::Ways(const PartOptions& parts, int64_t separator, int64_t most)
    : sentence_ptr_(parts.sentence_ptr.begin(), parts.sentence_ptr.end()),
      is_table_(parts.is_table.begin(), parts.is_table.end()) {
  const auto count = static_cast<int64_t>(parts.lead.size());
  // A document may have millions of parts, mostly with one sentence and one way: growing vectors would need twice the
  // memory.
  way_ptr.reserve(parts.lead.size() + 1);
  first_.reserve(parts.lead.size());
  step_ptr_.reserve(parts.required.size() + 1);
  order_.reserve(parts.required.size());
  length.reserve(parts.required.size());
  value.reserve(parts.required.size());
  before_.reserve(parts.required.size());
  option_.reserve(parts.required.size());
  for (int64_t part = 0; part < count; ++part) {
    if (is_table_[part]) {
      combine_rows(parts, part);
    } else {
      combine(parts, part, separator, most);
    }
    way_ptr.push_back(static_cast<int64_t>(length.size()));
  }
}

void Ways::combine(const PartOptions& parts, int64_t part, int64_t separator, int64_t most) {
  const int64_t first = sentence_ptr_[part], last = sentence_ptr_[part + 1];
  ways_.assign(1, {0, 0, -1, -1});
  printed_ = 1;  // the first sentence has no predecessor that could be missing
  for (int64_t sentence = first; sentence < last; ++sentence) {
    // The value of the next sentence depends on whether this one is printed: then the best ways of both kinds are kept.
    const bool both = sentence + 1 < last && parts.alone[sentence + 1] != 1;
    add_sentence(parts, sentence, both, separator);
    const auto fits = [&](const Way& way) { return way.length <= most; };
    if (most != any_length && std::any_of(ways_.begin(), ways_.end(), fits)) {
      printed_ = std::count_if(ways_.begin(), ways_.begin() + static_cast<ptrdiff_t>(printed_), fits);
      ways_.erase(std::remove_if(ways_.begin(), ways_.end(), [&](const Way& way) { return !fits(way); }), ways_.end());
    }
    for (const Way& way : ways_) {
      before_.push_back(way.before);
      option_.push_back(way.option);
    }
    step_ptr_.push_back(static_cast<int64_t>(before_.size()));
    order_.push_back(-1);
  }
  const auto prints = [](const Way& way) { return way.length > 0; };
  const auto begin = std::find_if(ways_.begin(), ways_.end(), prints);
  first_.push_back(static_cast<int32_t>(begin - ways_.begin()));
  for (auto way = begin; way != ways_.end(); ++way) {
    length.push_back(way->length + parts.lead[part]);
    value.push_back(way->value);
  }
}

// Extends the ways by one sentence. If `both` kinds are kept, those that print it come first.
void Ways::add_sentence(const PartOptions& parts, int64_t sentence, bool both, int64_t separator) {
  const int64_t first = parts.option_ptr[sentence], last = parts.option_ptr[sentence + 1];
  const std::span<const Way> all(ways_);
  const auto printed = all.first(printed_), unprinted = all.subspan(printed_);
  const auto leave_out = [&] {
    if (parts.required[sentence]) return;
    merge(printed, 0, 0, 1, 0, -1);
    merge(unprinted, 0, 0, 1, 0, -1);
  };
  made_.clear();
  if (!both) leave_out();
  for (int64_t option = first; option < last; ++option) {
    const auto number = static_cast<int32_t>(option - first);
    merge(printed, parts.length[option], parts.value[option], 1, separator, number);
    merge(unprinted, parts.length[option], parts.value[option], parts.alone[sentence], separator, number);
  }
  if (both) {
    std::vector<Way> with = std::exchange(made_, {});
    leave_out();
    printed_ = with.size();
    with.insert(with.end(), made_.begin(), made_.end());
    made_ = std::move(with);
  } else {
    printed_ = made_.size();  // the next sentence does not depend on it
  }
  std::swap(ways_, made_);
}

// Merges the ways that extend `from`, which is sorted, by one option, into `made_`.
void Ways::merge(std::span<const Way> from, int64_t added, int64_t worth, double share, int64_t separator, int32_t option) {
  if (from.empty()) return;
  count_steps(from.size() + made_.size());
  const int64_t left = share == 1 ? worth : std::llrint(static_cast<double>(worth) * share);
  const auto base = static_cast<int32_t>(from.data() - ways_.data());
  merged_.clear();
  int64_t best = -1;  // value of the last one kept
  const auto keep = [&](const Way& way) {
    if (way.value <= best) return;
    best = way.value;
    merged_.push_back(way);
  };
  size_t old = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t apart = option >= 0 && from[i].length > 0 ? separator : 0;
    const Way way{from[i].length + added + apart, from[i].value + left, base + static_cast<int32_t>(i), option};
    // Of two with equal length and value, the one that extends the earlier way comes first.
    for (; old < made_.size(); ++old) {
      const Way& other = made_[old];
      if (other.length != way.length ? other.length > way.length : other.value < way.value) break;
      if (other.length == way.length && other.value == way.value && other.before > way.before) break;
      keep(other);
    }
    keep(way);
  }
  for (; old < made_.size(); ++old) keep(made_[old]);
  std::swap(made_, merged_);
}

void Ways::combine_rows(const PartOptions& parts, int64_t part) {
  const int64_t first = sentence_ptr_[part], last = sentence_ptr_[part + 1];
  const auto able = [&](int64_t row) { return parts.option_ptr[row] < parts.option_ptr[row + 1]; };
  const auto density = [&](int64_t row) {
    const int64_t option = parts.option_ptr[row];
    return static_cast<double>(parts.value[option]) / static_cast<double>(std::max<int64_t>(parts.length[option], 1));
  };
  std::vector<int32_t> order;
  for (int64_t row = first; row < last; ++row) {
    if (able(row)) order.push_back(static_cast<int32_t>(row - first));
  }
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const bool must = parts.required[first + a], other = parts.required[first + b];
    return must != other ? must : density(first + a) > density(first + b);
  });
  const auto must = std::count_if(order.begin(), order.end(), [&](int32_t row) { return parts.required[first + row] != 0; });
  const auto least = std::max<int64_t>(must, 1);
  int64_t lengths = parts.lead[part], values = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t option = parts.option_ptr[first + order[i]];
    lengths += parts.length[option];
    values += parts.value[option];
    if (static_cast<int64_t>(i) + 1 < least) continue;
    length.push_back(lengths);
    value.push_back(values);
  }
  first_.push_back(static_cast<int32_t>(least));
  order.resize(last - first, -1);
  order_.insert(order_.end(), order.begin(), order.end());
  step_ptr_.resize(step_ptr_.size() + (last - first), static_cast<int64_t>(before_.size()));
}

std::vector<int32_t> Ways::options(int64_t part, int64_t way) const {
  const int64_t first = sentence_ptr_[part], last = sentence_ptr_[part + 1];
  std::vector<int32_t> found(last - first, -1);
  if (is_table_[part]) {
    for (int64_t i = 0; i < first_[part] + way; ++i) found[order_[first + i]] = 0;
    return found;
  }
  auto at = static_cast<int32_t>(first_[part] + way);
  for (int64_t sentence = last; sentence-- > first;) {
    const int64_t step = step_ptr_[sentence] + at;
    found[sentence - first] = option_[step];
    at = before_[step];
  }
  return found;
}

}  // namespace laconic
