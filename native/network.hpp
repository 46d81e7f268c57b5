// From the outputs of the network to the columns of a parse and the probabilities of edges.
#pragma once

#include <cstdint>
#include <span>

#include "arborescence.hpp"

namespace laconic {

// The outputs of one batch, as the network gives them: for every piece of every sentence a row.
struct NetworkOutput {
  int64_t sentences, length;
  std::span<const float> arc;    // sentences × length × length
  std::span<const float> label;  // sentences × length × labels
  std::span<const float> word;   // sentences × length × (tags + entities + logits)
  int32_t labels, tags, entities, logits;
};

// Where the sentences' words begin, and which tokens they are.
struct NetworkWords {
  std::span<const int64_t> ptr;    // words of sentence i: ptr[i] to ptr[i + 1]
  std::span<const int32_t> piece;  // place of the first piece of a word
  std::span<const int64_t> row;    // row of its token in the columns
  std::span<const int32_t> token;  // the same, counted from the first token of its text: what a head is given as
};

// The columns to fill, by row; as in Parses, and what the network says of the word's edges and of the word, as it is.
struct NetworkColumns {
  std::span<int32_t> head;
  std::span<uint8_t> label, tag, entity, entity_start;
  std::span<float> logits;  // rows × logits
};

// The labels with a meaning of their own.
struct NetworkLabels {
  int32_t none, root;
};

void read_network(const NetworkOutput& output, const NetworkWords& words, const NetworkLabels& labels,
                  const NetworkColumns& columns);

}  // namespace laconic
