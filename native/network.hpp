// Converts the outputs of the network to the columns of a parse and the logits of edges.
#pragma once

#include <cstdint>
#include <span>

#include "arborescence.hpp"

namespace laconic {

// The outputs of one batch as the network returns them: a row for every piece of every sentence.
struct NetworkOutput {
  int64_t sentences, length;
  std::span<const float> arc;    // sentences × length × length
  std::span<const float> label;  // sentences × length × labels
  std::span<const float> word;   // sentences × length × (tags + entities + logits)
  int32_t labels, tags, entities, logits;
};

// The positions of the sentences' words, and their tokens.
struct NetworkWords {
  std::span<const int64_t> ptr;    // words of sentence i: ptr[i] to ptr[i + 1]
  std::span<const int32_t> piece;  // position of the word's first piece
  std::span<const int64_t> row;    // row of the word's token in the columns
  std::span<const int32_t> token;  // the same, relative to the first token of its text, as heads are
};

// The columns to fill, by row: as in Parses, plus the network's logits for the word and its edges.
struct NetworkColumns {
  std::span<int32_t> head;
  std::span<uint8_t> label, tag, entity, entity_start;
  std::span<float> logits;  // rows × logits
};

// The labels with a special meaning.
struct NetworkLabels {
  int32_t none, root;
};

void read_network(const NetworkOutput& output, const NetworkWords& words, const NetworkLabels& labels,
                  const NetworkColumns& columns);

}  // namespace laconic
