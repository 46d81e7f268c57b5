// Enumerations that both languages use; they are defined only here.
#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "budget.hpp"
#include "pin.hpp"
#include "program.hpp"
#include "rules.hpp"

namespace laconic {

void bind_enums(nb::module_& m) {
  nb::enum_<Role>(m, "Role", nb::is_arithmetic(), "What becomes of a word, by the label of the edge into it.")
      .value("NODE", Role::node, "a node of its own")
      .value("FUNCTION", Role::function, "collapses into its head: comes and goes with it")
      .value("PREPOSITION", Role::preposition, "collapses into its object and names the edge")
      .value("OBJECT", Role::object, "a node; what a preposition collapses into")
      .value("SUBORDINATOR", Role::subordinator, "collapses into its clause; not printed when the clause is promoted to the root")
      .value("CONJUNCTION", Role::conjunction, "belongs to the conjunct that follows it")
      .value("CORRELATIVE", Role::correlative, "belongs to the first conjunct; printed with a second")
      .value("CONJUNCT", Role::conjunct, "attached to the head of the first conjunct, unless it is a verb")
      .value("RELATIVE", Role::relative, "a relative clause: its pronoun corefers with the noun it hangs on")
      .value("PUNCTUATION", Role::punctuation, "in no node: the realiser decides")
      .value("SUBJECT", Role::subject, "a node")
      .value("APPOSITION", Role::apposition, "a node; a name in apposition to the noun before it takes its place")
      .value("COMPLEMENT", Role::complement, "a node")
      .value("PREDICATE", Role::predicate, "a node; collapses with a copula");
  nb::enum_<TagFlag::Flag>(m, "Tag", nb::is_arithmetic(), nb::is_flag(),
                           "Properties of a part-of-speech tag that the rules ask for.")
      .value("FINITE", TagFlag::finite, "inflected verb: gets an edge from the dummy root")
      .value("VERB", TagFlag::verb, "verb")
      .value("POSSESSIVE", TagFlag::possessive, "possessive pronoun: collapses like a determiner")
      .value("RELATIVE", TagFlag::relative, "may be a relative pronoun")
      .value("ADPOSITION", TagFlag::adposition, "makes a dative a prepositional phrase")
      .value("NUMBER", TagFlag::number, "number")
      .value("SPACE", TagFlag::space, "white space: in no node")
      .value("ADVERB", TagFlag::adverb, "question adverb: opens a clause like a subordinator (\"when he left\")")
      .value("CURRENCY", TagFlag::currency, "symbol that collapses into its amount")
      .value("SINGULAR", TagFlag::singular, "noun in the singular")
      .value("PLURAL", TagFlag::plural, "verb that asks for a plural subject")
      .value("SEVERAL", TagFlag::several, "noun in the plural: needs no determiner")
      .value("MODAL", TagFlag::modal, "auxiliary that says what may or must be");
  nb::enum_<Entity>(m, "Entity", nb::is_arithmetic(), "How the words of an entity collapse.")
      .value("SEPARATE", Entity::separate, "not because of the entity")
      .value("NAME", Entity::name, "all words of a name or amount are one node")
      .value("DATE", Entity::date, "only numbers and compounds collapse: \"March 4\", but \"late\" and \"Friday\"");
  nb::enum_<Kind::Flag>(m, "Kind", nb::is_arithmetic(), nb::is_flag(),
                        "Number and gender; several of a kind where either is possible.")
      .value("SINGULAR", Kind::singular, "one")
      .value("PLURAL", Kind::plural, "several")
      .value("MALE", Kind::male, "he")
      .value("FEMALE", Kind::female, "she")
      .value("THING", Kind::thing, "it")
      .value("PRONOUN", Kind::pronoun, "a pronoun")
      .value("QUANTIFIER", Kind::quantifier, "\"no\", \"every\": its noun refers to nobody in particular");
  nb::enum_<NodePin::Flag>(m, "NodePin", nb::is_arithmetic(), nb::is_flag(), "What is asked of a node.")
      .value("KEEP", NodePin::keep, "it must be there")
      .value("NOT_BELOW", NodePin::not_below, "it must not be attached to its parent")
      .value("NOT_ROOT", NodePin::not_root, "it must not be the root of what is kept")
      .value("STAYS", NodePin::stays, "it is kept if its parent is: the edge is not cut")
      .value("OR_NEXT", NodePin::or_next, "the same, for it or its next sibling");
  nb::enum_<Pin>(m, "Pin", nb::is_arithmetic(), "What is asked of a token.")
      .value("NONE", Pin::none, "nothing")
      .value("KEEP", Pin::keep, "it must stay")
      .value("DROP", Pin::drop, "it must go");
  nb::enum_<Unit>(m, "Unit", nb::is_arithmetic(), "What a length is counted in.")
      .value("ANY", Unit::none, "there is no budget")
      .value("CHARS", Unit::chars, "characters")
      .value("WORDS", Unit::words, "words, with white space between them")
      .value("TOKENS", Unit::given, "tokens of a tokenizer");
  nb::enum_<Problem>(m, "Problem", nb::is_arithmetic(), "Why a sentence has no result within its limits.")
      .value("NONE", Problem::none, "it has one")
      .value("LENGTH", Problem::length, "none has such a length")
      .value("CONFLICT", Problem::conflict, "words that are asked for do not go together");
  nb::enum_<Op>(m, "Op", nb::is_arithmetic(), "What a step of a program does.")
      .value("ROW", Op::row, "numbers by token: its own row")
      .value("HEAD", Op::head, "the row of its head; a root's own")
      .value("LABEL", Op::label, "the label of its edge")
      .value("TAG", Op::tag, "its tag")
      .value("ENTITY", Op::entity, "the type of its entity")
      .value("ENTITY_START", Op::entity_start, "1 on the first token of an entity")
      .value("SENTENCE_START", Op::sentence_start, "1 on the first token of a sentence or text")
      .value("LEMMA", Op::lemma, "the id of its lemma")
      .value("NUMBER", Op::number, "the constant, alone; it goes with numbers of any length")
      .value("ADD", Op::add, "a + b; 64 bits that wrap around, here and in the next four")
      .value("SUBTRACT", Op::subtract, "a - b")
      .value("MULTIPLY", Op::multiply, "a * b")
      .value("EXCLUSIVE_OR", Op::exclusive_or, "a ^ b")
      .value("SHIFT", Op::shift, "a >> b, without sign")
      .value("LEAST", Op::least, "the lesser of a and b")
      .value("WHERE", Op::where, "b where a is true, else c")
      .value("TAKE", Op::take, "the numbers a at the places b; -1 where there is none")
      .value("FILTER", Op::filter, "the numbers a where b is true")
      .value("CONCATENATE", Op::concatenate, "a, then b")
      .value("FIND", Op::find, "places of a among the ids; -1 where it is not among them")
      .value("ENTRY", Op::entry, "the ids at the places a; -1 where there is none")
      .value("ROWS", Op::rows, "the places where a is true")
      .value("LAST", Op::last, "by token: the last place up to there where a is true, or -1")
      .value("COMING", Op::coming, "by token: the first place from there on where a is true, or -1")
      .value("FIRST_BELOW", Op::first_below, "by token: its first dependent in a, or -1")
      .value("LAST_BELOW", Op::last_below, "by token: its last dependent in a, or -1")
      .value("BOTH", Op::both, "a and b")
      .value("EITHER", Op::either, "a or b")
      .value("INVERT", Op::invert, "not a")
      .value("LESS", Op::less, "a < b")
      .value("EQUAL", Op::equal, "a = b")
      .value("PICK", Op::pick, "the truth values a at the places b; false where there is none")
      .value("LISTED", Op::listed, "the table at the places a; false where there is none")
      .value("AFTER", Op::after, "a, so many places later")
      .value("HEADS", Op::heads, "the heads of a")
      .value("BEST", Op::best, "among those of a with the same head, the one with the greatest b; the first of equals")
      .value("BELOW", Op::below, "all below any of a")
      .value("CHAINED", Op::chained, "those of a whose ancestors are all in a")
      .value("STAYS", Op::stays, "the edges into the nodes of a stay, by a rule")
      .value("NOT_ROOT", Op::not_root, "the nodes of a are no roots, by a rule")
      .value("PREFERS", Op::prefers, "keeping the edges into the nodes of a is preferred")
      .value("NEEDS", Op::needs, "if a is kept, so is b, by a rule: rows in pairs")
      .value("ONE_OF", Op::one_of, "if the common head is kept, so is a or b, by a rule: rows in pairs")
      .value("GIVE_MASK", Op::give_mask, "the mask a is given out")
      .value("GIVE_NUMBERS", Op::give_numbers, "the numbers a are given out");
}

}  // namespace laconic
