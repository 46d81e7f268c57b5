// The integer linear program of a sentence (Filippova & Altun 2013), as arrays for a solver.
//
//   maximise           Σ w(e)·x(e), x(e) ∈ {0, 1}, over the edges e of the transformed tree
//   one root edge      Σ x(e) = 1 over the dummy root's edges
//   one parent         Σ x(e) ≤ 1 over the edges into n, for every node n that two edges lead to
//   connected          x(h→n) ≤ Σ x(e) over the edges into h
//
// The solver and the optional parts (length, cuts) are in Python: laconic.decode.ilp.
#pragma once

#include <cstdint>
#include <vector>

#include "forest.hpp"
#include "table.hpp"

namespace laconic {

// The programs of a batch, as columns. Edges are in the order of `for_each_edge`; rows of the matrix are compressed.
struct Programs {
  std::vector<int64_t> edge_ptr{0};  // edges of a sentence
  std::vector<int32_t> head, node;   // of an edge; head -1: the dummy root
  std::vector<double> weight;        // w(e); 0 without a model
  std::vector<double> length;        // the minimum number of characters that the node adds, including the space before it
  std::vector<double> fixed;         // by sentence: characters of every compression: final stops, less one space
  std::vector<int64_t> row_ptr{0};   // rows of a sentence
  std::vector<double> lower, upper;  // of a row
  std::vector<int32_t> start;        // first entry of a row, relative to its sentence, plus one end for each sentence
  std::vector<int64_t> entry_ptr{0};
  std::vector<int32_t> index;        // edge of an entry, relative to its sentence
  std::vector<double> value;
  std::vector<int64_t> nanoseconds;  // transform, score, build, for each sentence
};

// `weights` may be null: during training, they are kept elsewhere.
void build_programs(const Forest& forest, const Table* weights, Programs& out);

}  // namespace laconic
