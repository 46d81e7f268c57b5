// Attaches conjuncts, and the nouns of "X of Y", so that either can be kept.
#include "tree.hpp"

namespace laconic {

// Conjuncts other than verbs are attached to the head of the first conjunct, with its label (Filippova & Strube 2008).
bool TreeBuilder::move_conjuncts(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  bool moved = false;
  for (const int32_t t : by_depth_) {
    if (rules.role[label_[t]] != Role::conjunct || head_[t] == t || function_[t]) continue;
    const int32_t first = head_[t];
    if (coordination_[first] < 0) coordination_[first] = first;
    coordination_[t] = coordination_[first];
    const int32_t lead = coordination_[first];
    const bool singular = (rules.tag[parses.tag[sentence.first + lead]] & TagFlag::singular) != 0;
    if (singular && rules.role[label_[lead]] == Role::subject && plural_[head_[lead]]) {
      unite(t, lead);  // "Paul Simon and his wife were": neither can be kept alone
      continue;
    }
    const bool verbs = (rules.tag[parses.tag[sentence.first + t]] & TagFlag::verb) != 0;
    const int32_t top = leader(first, rules);  // the preposition of an object is printed with whichever conjunct is kept
    // "to [stop and] ask": with either of two infinitives or participles, the words that open the first are printed.
    const uint16_t form = rules.tag[parses.tag[sentence.first + lead]];
    const bool alike = parses.tag[sentence.first + lead] == parses.tag[sentence.first + t] && !has_subject_[t] &&
                       (form & (TagFlag::verb | TagFlag::finite)) == TagFlag::verb && !has_subject_[lead];
    if ((verbs && top == first && !alike) || head_[top] == top) continue;
    for (int32_t u = 0; verbs && u < lead; ++u) {
      const Role role = rules.role[label_[u]];
      if (head_[u] != lead || (role != Role::function && role != Role::subordinator)) continue;
      print_[u] = Print::leading;
      coordination_[u] = lead;
    }
    for (int32_t p = first; p != top; p = head_[p]) {
      const int32_t preposition = head_[p], before = preposition - 1;
      print_[preposition] = Print::leading;
      coordination_[preposition] = lead;
      if (before < 0 || outside_[before] || head_[before] != preposition) continue;
      unite(before, preposition);  // "such as A and B" is not "as B"
      print_[before] = Print::leading;
      coordination_[before] = lead;
    }
    head_[t] = head_[top];
    label_[t] = label_[first];
    moved = true;
  }
  return close_lists(parses, sentence, rules) || moved;
}

// "bread, milk and eggs": without the last member, there is no conjunction, so the inner members are attached to the
// last one.
bool TreeBuilder::close_lists(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto n = static_cast<int32_t>(head_.size());
  fill_.assign(n, 0);  // token: whether a conjunction leads into it
  for (const int32_t conjunct : next_conjunct_) {
    if (conjunct >= 0) fill_[conjunct] = 1;
  }
  const auto parsed = [&](int32_t t) {
    return static_cast<int32_t>(parses.head[sentence.first + t] + parses.token_ptr[sentence.text] - sentence.first);
  };
  const auto conjunct = [&](int32_t t) {
    return rules.role[parses.label[sentence.first + t]] == Role::conjunct && !function_[t] && coordination_[t] >= 0;
  };
  bool moved = false;
  for (int32_t t = n; t-- > 0;) {  // the conjunct before `t` is attached to it, and so on down to the first
    if (!conjunct(t) || fill_[t] == 0) continue;
    for (int32_t middle = parsed(t); middle >= 0 && middle < t && conjunct(middle) && fill_[middle] == 0;
         middle = parsed(middle)) {
      if (find(middle) == find(t) || find(middle) == find(coordination_[middle])) break;
      if (head_[t] == middle) head_[t] = head_[middle];
      head_[middle] = t;
      moved = true;
    }
  }
  return moved;
}

// The preposition, or the first of several ("out of"), that is merged into an object; the token itself if there is none.
int32_t TreeBuilder::leader(int32_t object, const Rules& rules) const {
  int32_t top = object;
  for (int32_t head = head_[top]; head != top && rules.role[label_[head]] == Role::preposition; head = head_[top]) {
    if (object_[head] != top && (object_[head] >= 0 || inner_[head] != top)) break;
    top = head;
  }
  return top;
}

// "[the suburbs of] the city", "discuss [aspects of] the case": editors keep either noun. The preposition belongs to the
// noun before it; a preposition that leads into that noun is printed with either. Other phrases stay with what they
// modify: "the parents of a boy with a cold" are not "the parents with a cold".
bool TreeBuilder::raise_genitives(const Parses& parses, const Sentence& sentence, const Rules& rules) {
  const auto tag = [&](int32_t t) { return rules.tag[parses.tag[sentence.first + t]]; };
  const auto type = [&](int32_t t) { return parses.entity[sentence.first + t]; };
  // "[a group of] workers can produce": modals do not show number.
  const auto inflected = [&](int32_t verb) {
    for (int32_t t = 0; t < verb; ++t) {
      if (head_[t] == verb && (tag(t) & TagFlag::modal) != 0) return false;
    }
    return true;
  };
  raised_.assign(head_.size(), 0);
  bool moved = false;
  for (const int32_t t : by_depth_) {
    const int32_t noun = head_[t];
    if (rules.role[label_[t]] != Role::preposition || t != noun + 1 || object_[t] < 0 || print_[t] != Print::always) continue;
    if (parses.lemma[sentence.first + t] != rules.genitive) continue;
    const int32_t top = leader(noun, rules);
    if (head_[top] == top) continue;
    const Role role = rules.role[label_[noun]];
    const bool link = coordination_[t] >= 0 || rules.entity[type(t)] == Entity::name || raised_[noun];
    const bool name = rules.entity[type(noun)] == Entity::name && (tag(noun) & (TagFlag::number | TagFlag::several)) == 0;
    // "members of the Society" are not the Society; "a means of promoting it" is not promoting it.
    const bool members = (tag(noun) & TagFlag::several) != 0 && rules.entity[type(object_[t])] == Entity::name;
    if (link || name || members || ((tag(noun) | tag(object_[t])) & TagFlag::verb) != 0) continue;
    if (role == Role::subject ? inflected(head_[noun]) && (tag(noun) & TagFlag::singular) != (tag(object_[t]) & TagFlag::singular)
                              : role != Role::object && role != Role::complement)
      continue;
    if (coordination_[noun] < 0) coordination_[noun] = noun;
    for (int32_t p = noun; p != top; p = head_[p]) {
      print_[head_[p]] = Print::leading;
      coordination_[head_[p]] = coordination_[noun];
    }
    print_[t] = Print::coordinate;
    coordination_[t] = coordination_[noun];
    raised_[object_[t]] = 1;
    head_[t] = head_[top];
    moved = true;
    // "most [of the] shops": if the first word is no noun, the preposition goes with the determiner, which a plural does
    // not need.
    const int32_t object = object_[t];
    if (t + 1 >= object || head_[t + 1] != object) continue;
    const bool determiner = rules.role[label_[t + 1]] == Role::function && (tag(object) & TagFlag::several) != 0;
    if (!determiner || (tag(noun) & (TagFlag::singular | TagFlag::several)) != 0) continue;
    head_[object] = head_[top];
    label_[object] = label_[noun];
    if (coordination_[object] < 0) coordination_[object] = coordination_[noun];
    head_[t] = object;
    object_[t] = t + 1;
  }
  return moved;
}

}  // namespace laconic
