#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "interrupt.hpp"

namespace laconic {
namespace {

int32_t best(const float* from, int32_t count) { return static_cast<int32_t>(std::max_element(from, from + count) - from); }

}  // namespace

void read_network(const NetworkOutput& output, const NetworkWords& words, const NetworkLabels& labels,
                  const NetworkColumns& columns) {
  Arborescence tree;
  std::vector<float> scores, label;
  const int64_t length = output.length, width = output.tags + output.entities + output.logits;
  const int32_t types = (output.entities - 1) / 2;  // first tokens of entities, then further tokens
  for (int64_t s = 0; s < output.sentences; ++s) {
    const int64_t first = words.ptr[s];
    const auto n = static_cast<int32_t>(words.ptr[s + 1] - first);
    count_steps(static_cast<size_t>(n) * n);
    scores.resize(static_cast<size_t>(n) * n);
    for (int32_t d = 0; d < n; ++d) {
      const float* row = &output.arc[(s * length + words.piece[first + d]) * length];
      for (int32_t h = 0; h < n; ++h) scores[static_cast<size_t>(d) * n + h] = row[words.piece[first + h]];
    }
    tree.find(scores, n);
    int32_t before = 0;
    for (int32_t d = 0; d < n; ++d) {
      const int64_t row = words.row[first + d];
      const int64_t at = s * length + words.piece[first + d];
      columns.head[row] = words.token[first + tree.heads[d]];
      const float* own = &output.label[at * output.labels];
      label.assign(own, own + output.labels);
      label[labels.none] = label[labels.root] = -INFINITY;  // the root's label is only used for the root
      columns.label[row] = static_cast<uint8_t>(tree.heads[d] == d ? labels.root : best(label.data(), output.labels));
      const float* word = &output.word[at * width];
      columns.tag[row] = static_cast<uint8_t>(1 + best(word + 1, output.tags - 1));  // tag 0 is "no tag"
      const int32_t entity = best(word + output.tags, output.entities);
      const int32_t type = entity > types ? entity - types : entity;
      columns.entity[row] = static_cast<uint8_t>(type);
      columns.entity_start[row] = type > 0 && (entity <= types || type != before);
      before = type;
      std::copy(word + width - output.logits, word + width, &columns.logits[row * output.logits]);
    }
  }
}

}  // namespace laconic
