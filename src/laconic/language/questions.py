"""Tables for questions: question words and nouns, and the entity types that answer them."""

from __future__ import annotations

from typing import Final

#: Entity types that answer a question, by kind.
PERSON: Final = ("PERSON", "ORG", "NORP", "GPE")
GROUP: Final = ("ORG", "NORP", "GPE")
PLACE: Final = ("GPE", "LOC", "FAC")
TIME: Final = ("DATE", "TIME")
AMOUNT: Final = ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL")
DURATION: Final = (*TIME, "CARDINAL", "QUANTITY")
MONEY: Final = ("MONEY",)
SHARE: Final = ("PERCENT", "CARDINAL")

#: By question word; for "how" and "what", the next word decides.
BY_WORD: Final[dict[str, tuple[str, ...]]] = {
    "who": PERSON,
    "whom": PERSON,
    "whose": PERSON,
    "when": TIME,
    "where": (*PLACE, "ORG"),
}
#: By the word after "how".
HOW: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys("many much far large big tall high fast deep wide heavy small hot cold thick".split(), AMOUNT),
    **dict.fromkeys("long old often soon recently early late frequently".split(), DURATION),
}
#: By the noun that "what", "which" or "how many" asks for: "what year", "which company"; lemmas.
_NOUNS: Final = (
    (TIME, "year date day month century decade time era period week season hour deadline birthday"),
    (DURATION, "age duration frequency"),
    (
        PLACE,
        "country city state place region area continent location town province county nation river island ocean "
        "territory district street village capital site venue mountain sea lake address",
    ),
    (
        PERSON,
        "person man woman king queen leader president author scientist emperor actor director ruler architect duke "
        "founder inventor minister player coach governor mayor philosopher writer composer singer artist chairman "
        "manager officer judge owner candidate researcher explorer general pope bishop engineer mathematician",
    ),
    (
        GROUP,
        "company organization organisation group team university school agency party band network people tribe "
        "nationality institution firm club church league committee council department college government",
    ),
    (AMOUNT, "number amount population distance size length height rate speed temperature weight width depth score"),
    (MONEY, "price cost salary revenue budget fee income wage fine"),
    (SHARE, "percentage percent ratio proportion share fraction"),
)
BY_NOUN: Final[dict[str, tuple[str, ...]]] = {noun: kind for kind, nouns in _NOUNS for noun in nouns.split()}

#: Nouns for which the noun after "of" decides: "the name of the king".
NAMING: Final = ("name", "type", "kind", "title", "part")

#: Lemmas that do not contribute to the topic of a question or a sentence.
STOP_WORDS: Final = frozenset(
    """
    a an the of to in on at by for from with as be do have that this these those it its their his her they he she we
    you i and or but not what which who whom whose when where why how there than then so such into about between
    during after before also can could may might will would shall should must 's n't if while over under up out no
    any some my your our me him us them other type kind name
    """.split()
)

#: Conjunctive adverbs that connect a sentence to the one before: without it, they have no meaning, or another one.
JOINING: Final = frozenset(
    """
    otherwise instead therefore thus hence consequently accordingly likewise similarly conversely nevertheless
    nonetheless
    """.split()
)

#: Pronouns that refer to something in a previous sentence.
BACKWARD: Final = frozenset("it he she they this these that those its his her their such".split())
