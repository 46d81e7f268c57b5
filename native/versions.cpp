#include "versions.hpp"

#include "knapsack.hpp"

namespace laconic {

std::vector<std::vector<int32_t>> choose_k_best(std::span<const int64_t> option_ptr, std::span<const int32_t> length,
                                                std::span<const int64_t> value, int64_t low, int64_t high, int64_t k) {
  const size_t items = option_ptr.size() - 1, nodes = length.size() + 1;  // node 0 is the root
  std::vector<int32_t> parent(nodes, -1), adds(nodes, 0);
  std::vector<Score> retain(nodes, 0), remove(nodes, 0), root(nodes, WeighedTree::no_edge);
  std::vector<uint8_t> pin(nodes, 0);
  root[0] = 0;
  pin[0] = NodePin::keep;
  for (size_t item = 0; item < items; ++item) {
    for (int64_t option = option_ptr[item]; option < option_ptr[item + 1]; ++option) {
      const bool first = option == option_ptr[item];
      const size_t node = static_cast<size_t>(option) + 1;
      parent[node] = first ? 0 : static_cast<int32_t>(node) - 1;
      adds[node] = length[option] - (first ? 0 : length[option - 1]);
      retain[node] = value[option] - (first ? 0 : value[option - 1]);
      if (first) pin[node] = NodePin::keep;
    }
  }
  Knapsack knapsack;
  knapsack.reset({parent, retain, remove, root, adds, adds, pin}, low, high);
  std::vector<std::vector<int32_t>> found;
  while (static_cast<int64_t>(found.size()) < k && knapsack.next()) {
    std::vector<int32_t>& choice = found.emplace_back(items, -1);
    size_t item = 0;
    for (const int32_t node : knapsack.nodes()) {
      if (node == 0) continue;
      while (node - 1 >= option_ptr[item + 1]) ++item;
      ++choice[item];
    }
  }
  return found;
}

}  // namespace laconic
