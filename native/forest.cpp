#include "forest.hpp"

#include <algorithm>

#include "clock.hpp"
#include "interrupt.hpp"

namespace laconic {

Forest::Forest(const Parses& given, const Rules& given_rules)
    : parses(given), rules(given_rules), sentences(laconic::sentences(given)) {
  const size_t tokens = parses.start.size();
  node_of.resize(tokens);
  coordination.resize(tokens);
  shared.resize(tokens);
  head.resize(tokens);
  print.resize(tokens);
  function.resize(tokens);
  label.resize(tokens);
  token_list_.resize(tokens);
  node_ptr.assign(1, 0);
  nanoseconds.reserve(sentences.size());
  TreeBuilder builder;
  for (const Sentence& sentence : sentences) {
    count_steps(static_cast<size_t>(sentence.last - sentence.first));
    Stopwatch watch(nanoseconds);
    const Tree tree = builder.build(parses, sentence, rules);
    const auto copy = [&](const auto& from, auto& to) { std::copy(from.begin(), from.end(), to.begin() + sentence.first); };
    copy(tree.node_of, node_of);
    copy(tree.coordination, coordination);
    copy(tree.shared, shared);
    copy(tree.head, head);
    copy(tree.print, print);
    copy(tree.function, function);
    copy(tree.label, label);
    copy(tree.token_list, token_list_);
    nodes.insert(nodes.end(), tree.nodes.begin(), tree.nodes.end());
    bottom_up_.insert(bottom_up_.end(), tree.bottom_up.begin(), tree.bottom_up.end());
    child_list_.insert(child_list_.end(), tree.child_list.begin(), tree.child_list.end());
    child_list_.resize(nodes.size());  // roots are in no child list
    node_ptr.push_back(static_cast<int64_t>(nodes.size()));
    watch.lap();
  }
}

Tree Forest::tree(size_t sentence) const {
  const int64_t token = sentences[sentence].first, node = node_ptr[sentence];
  const auto length = static_cast<size_t>(sentences[sentence].last - token);
  const auto count = static_cast<size_t>(node_ptr[sentence + 1] - node);
  const auto of_tokens = [&](const auto& column) { return std::span(column).subspan(token, length); };
  const auto of_nodes = [&](const auto& column) { return std::span(column).subspan(node, count); };
  return {of_nodes(nodes),      of_tokens(node_of),    of_tokens(print),      of_tokens(coordination),
          of_tokens(shared),    of_tokens(function),   of_tokens(head),       of_tokens(label),
          of_nodes(bottom_up_), of_nodes(child_list_), of_tokens(token_list_)};
}

std::span<const Coreference> Forest::coreferences(size_t sentence) const {
  const std::vector<Coreference>& all = coreferences();
  return std::span(all).subspan(coreference_ptr_[sentence], coreference_ptr_[sentence + 1] - coreference_ptr_[sentence]);
}

const std::vector<Coreference>& Forest::coreferences() const {
  std::call_once(resolved_, [this] { resolve(); });
  return coreferences_;
}

const std::vector<int64_t>& Forest::coreference_ptr() const {
  coreferences();
  return coreference_ptr_;
}

void Forest::resolve() const {
  Resolver resolver;
  coreference_ptr_.assign(1, 0);
  for (size_t i = 0; i < size(); ++i) {
    const Tree own = tree(i);
    resolver.resolve(parses, sentences[i], rules, own);
    coreferences_.insert(coreferences_.end(), resolver.found.begin(), resolver.found.end());
    coreference_ptr_.push_back(static_cast<int64_t>(coreferences_.size()));
  }
}

}  // namespace laconic
