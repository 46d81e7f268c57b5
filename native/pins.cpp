#include "pins.hpp"

#include <algorithm>

#include "pin.hpp"

namespace laconic {
namespace {

// Two nodes that climb the tree until they meet, as indices in the whole batch.
struct Way {
  int64_t up, down;
  uint8_t rule;
};

void pin(uint8_t& by, uint8_t rule) {
  if (by == Board::no_rule) by = rule;
}

// By token: its node as an index in the whole batch, or -1.
std::vector<int64_t> batch_nodes(const Forest& forest) {
  std::vector<int64_t> node(forest.node_of.size(), -1);
  for (size_t i = 0; i < forest.size(); ++i) {
    for (int64_t row = forest.sentences[i].first; row < forest.sentences[i].last; ++row) {
      if (forest.node_of[row] >= 0) node[row] = forest.node_ptr[i] + forest.node_of[row];
    }
  }
  return node;
}

// By node: the first node of its sentence.
std::vector<int64_t> first_nodes(const Forest& forest) {
  std::vector<int64_t> first(forest.nodes.size());
  for (size_t i = 0; i < forest.size(); ++i) {
    std::fill(first.begin() + forest.node_ptr[i], first.begin() + forest.node_ptr[i + 1], forest.node_ptr[i]);
  }
  return first;
}

// Pins the nodes between words that need each other: from the first word up, none may be a root; down to the second, all
// stay. All paths advance in parallel, so that the rule with the shortest path names a pin.
void pin_ways(const Forest& forest, const Board& board, std::span<const int64_t> node, Pins& pins) {
  const std::vector<int64_t> first = first_nodes(forest);
  const auto tokens = static_cast<int64_t>(node.size());
  const auto find = [&](int64_t row) { return row < 0 || row >= tokens ? -1 : node[row]; };
  const auto parent = [&](int64_t at) { return forest.nodes[at].parent < 0 ? -1 : first[at] + forest.nodes[at].parent; };
  const auto ended = [](const Way& way) { return way.up == way.down || way.up < 0 || way.down < 0; };
  std::vector<Way> ways;
  for (const Board::Need& need : board.needs) {
    const Way way{find(need.word), find(need.other), need.rule};
    if (!ended(way) && first[way.up] == first[way.down]) ways.push_back(way);
  }
  while (!ways.empty()) {
    for (Way& way : ways) {
      const int32_t above = forest.nodes[way.up].depth, below = forest.nodes[way.down].depth;
      if (above >= below) {
        pin(pins.not_root[way.up], way.rule);
        way.up = parent(way.up);
      }
      if (below >= above) {
        pin(pins.stays[way.down], way.rule);
        way.down = parent(way.down);
      }
    }
    std::erase_if(ways, ended);
  }
}

// If two words have the same head and are adjacent siblings, either suffices. Otherwise, the first one stays.
void pin_choices(const Forest& forest, const Board& board, std::span<const int64_t> node, Pins& pins) {
  for (const Board::Need& choice : board.choices) {
    const int64_t one = node[choice.word], other = node[choice.other];
    if (one < 0 || pins.stays[one] != Board::no_rule) continue;
    const auto beside = [&](int64_t at) { return forest.nodes[at].parent == forest.nodes[one].parent; };
    int64_t next = one + 1;
    while (next < other && !beside(next)) ++next;
    pins.stays[one] = choice.rule;
    if (other > one && next == other && beside(other)) pins.flags[one] = NodePin::or_next;
  }
}

// By node: whether it is the top node above the root of the sentence as parsed; if that root is in no node, all top
// nodes of the sentence are.
std::vector<uint8_t> find_mains(const Forest& forest, std::span<const int64_t> node) {
  std::vector<uint8_t> mains(forest.nodes.size(), 0);
  const Parses& parses = forest.parses;
  for (size_t i = 0; i < forest.size(); ++i) {
    const int64_t base = parses.token_ptr[forest.sentences[i].text];
    bool any = false;
    for (int64_t row = forest.sentences[i].first; row < forest.sentences[i].last; ++row) {
      if (base + parses.head[row] != row || node[row] < 0) continue;
      int64_t top = node[row];
      while (forest.nodes[top].parent >= 0) top = forest.node_ptr[i] + forest.nodes[top].parent;
      any = (mains[top] = true);
    }
    if (!any) std::fill(mains.begin() + forest.node_ptr[i], mains.begin() + forest.node_ptr[i + 1], true);
  }
  return mains;
}

}  // namespace

Pins make_pins(const Forest& forest, const Board& board, uint8_t fallen) {
  const size_t count = forest.nodes.size();
  Pins pins{std::vector<uint8_t>(count), std::vector<uint8_t>(count), std::vector<uint8_t>(count), std::vector<uint8_t>(count)};
  size_t tops = 0;
  for (size_t i = 0; i < forest.size(); ++i) {
    for (int64_t at = forest.node_ptr[i]; at < forest.node_ptr[i + 1]; ++at) {
      const int64_t row = forest.sentences[i].first + forest.nodes[at].word;
      pins.stays[at] = board.stays[row];
      pins.not_root[at] = board.not_root[row];
      pins.preferred[at] = board.preferred[row];
      tops += forest.nodes[at].parent < 0;
    }
  }
  const std::vector<int64_t> node = batch_nodes(forest);
  pin_ways(forest, board, node, pins);
  pin_choices(forest, board, node, pins);
  for (size_t at = 0; at < count; ++at) {
    if (forest.nodes[at].parent < 0 || !forest.nodes[at].root_edge) pins.not_root[at] = Board::no_rule;
  }
  if (tops > forest.size()) {
    const std::vector<uint8_t> mains = find_mains(forest, node);
    for (size_t at = 0; at < count; ++at) {
      if (forest.nodes[at].parent < 0 && !mains[at]) pins.not_root[at] = fallen;
    }
  }
  for (size_t at = 0; at < count; ++at) {
    if (pins.stays[at] != Board::no_rule && pins.flags[at] == 0) pins.flags[at] = NodePin::stays;
    if (pins.not_root[at] != Board::no_rule) pins.flags[at] |= NodePin::not_root;
  }
  return pins;
}

}  // namespace laconic
