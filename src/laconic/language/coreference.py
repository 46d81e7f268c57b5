"""The tables of the pronoun resolver: number and gender of words, tags and entity types.

The resolver (`native/coreference.cpp`) works within one sentence:

- A relative pronoun refers to the noun that its clause modifies.
- A personal pronoun refers to a preceding word in a higher clause, a possessive one also to a word in its own clause.
  The nearest clause with a matching word decides; within a clause, the subject is tried first, then objects from left
  to right. A word matches if number and gender agree as far as they are known. If the matching word is itself a
  pronoun, its antecedent is used; if it has none, there is none.
- "it" before a clause ("it was announced that …", "it is time to …") refers to that clause, and to no noun.
- "he" in a quotation does not refer to anyone outside it.
- Pronouns of the first and second person have no antecedent in the sentence.

An antecedent is a single node of the tree, so "they" refers to "Ann and Bob" only if the two are one node.
"""

from __future__ import annotations

from typing import Final

from laconic._core import Kind

_PERSON: Final = Kind.MALE | Kind.FEMALE
_ANY: Final = _PERSON | Kind.THING
_GROUP: Final = Kind.SINGULAR | Kind.PLURAL | Kind.THING  # "the company said it …", "the company said they …"

PRONOUNS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("he", "him", "his"), Kind.SINGULAR | Kind.MALE),
    **dict.fromkeys(("she", "her"), Kind.SINGULAR | Kind.FEMALE),
    **dict.fromkeys(("it", "its"), Kind.SINGULAR | Kind.THING),
    **dict.fromkeys(("they", "them", "their"), Kind.PLURAL | _ANY),
}

#: Number and gender of nouns by tag; other tags are not nouns.
NOUNS: Final[dict[str, Kind]] = {
    "NN": Kind.SINGULAR | Kind.THING,  # people are in the table of words
    "NNP": Kind.SINGULAR | _ANY,
    "NNS": Kind.PLURAL | _ANY,
    "NNPS": Kind.PLURAL | Kind.SINGULAR | _ANY,
}

#: Number and gender of names by entity type; times and amounts are no antecedents.
NAMES: Final[dict[str, Kind]] = {
    "PERSON": Kind.SINGULAR | _PERSON,
    "NORP": Kind.PLURAL | Kind.SINGULAR | _ANY,
    "ORG": _GROUP,
    "GPE": Kind.SINGULAR | Kind.THING,
    "LOC": Kind.SINGULAR | Kind.THING,
    "FAC": Kind.SINGULAR | Kind.THING,
    "PRODUCT": Kind.SINGULAR | Kind.THING,
    "EVENT": Kind.SINGULAR | Kind.THING,
    "WORK_OF_ART": Kind.SINGULAR | Kind.THING,
    "LAW": Kind.SINGULAR | Kind.THING,
    "LANGUAGE": Kind.SINGULAR | Kind.THING,
}

_MEN: Final = """
man boy father dad son brother husband uncle nephew grandfather king prince duke lord sir mr mr. actor waiter
policeman fireman businessman chairman spokesman gentleman monk priest bishop pope salesman congressman fisherman
widower
""".split()

_WOMEN: Final = """
woman girl mother mum mom daughter sister wife aunt niece grandmother queen princess duchess lady mrs mrs. ms ms. miss
actress waitress policewoman businesswoman chairwoman spokeswoman heroine nun congresswoman widow
""".split()

_PEOPLE: Final = """
person child kid baby teenager teen adult driver officer suspect victim teacher student pupil doctor nurse patient
lawyer attorney judge minister president premier chancellor governor mayor senator lawmaker politician candidate
leader chief director manager coach captain player striker defender goalkeeper midfielder winger quarterback pitcher
singer rapper musician artist author writer poet painter director producer comedian celebrity star model designer chef
farmer worker employee employer resident neighbour neighbor passenger pilot cyclist pedestrian soldier general
sergeant detective inspector sheriff prosecutor defendant prisoner inmate thief robber burglar killer murderer gunman
scientist researcher professor economist analyst engineer journalist reporter editor blogger activist campaigner
protester owner founder executive ceo boss customer tourist visitor fan winner champion veteran spokesperson official
""".split()

_GROUPS: Final = """
company firm bank agency team club party government council committee court parliament congress senate group band army
navy union university college school hospital church family couple crowd jury board police staff public media ministry
department association organisation organization
""".split()

#: First names that are mostly male; below, mostly female.
_HIS_NAMES: Final = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
steven steve paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary
nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack
dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle walter ethan jeremy harold keith christian
roger noah gerald carl terry sean austin arthur lawrence jesse dylan bryan joe billy bruce albert willie gabriel logan
alan juan wayne roy ralph randy eugene vincent bobby johnny tom tony mike jim bill barack vladimir mohammed muhammad
ahmed ali ben dave dan chris nick phil simon neil ian graham stuart martin harry luke liam oliver
""".split()

_HER_NAMES: Final = """
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret
kimberly emily donna michelle carol amanda melissa deborah stephanie dorothy rebecca sharon laura cynthia amy kathleen
angela shirley brenda emma anna pamela nicole samantha katherine christine helen debra rachel carolyn janet maria
catherine heather diane olivia julie joyce victoria ruth virginia lauren christina evelyn judith
hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann anne kathryn abigail sophia frances
alice judy isabella julia grace denise amber beyonce rihanna britney kate hillary angelina scarlett miley katy
jane lucy sophie charlotte chloe claire fiona
""".split()

WORDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(_PEOPLE, Kind.SINGULAR | _PERSON),
    **dict.fromkeys(_GROUPS, _GROUP),
    **dict.fromkeys([*_MEN, *_HIS_NAMES], Kind.SINGULAR | Kind.MALE),
    **dict.fromkeys([*_WOMEN, *_HER_NAMES], Kind.SINGULAR | Kind.FEMALE),
    "men": Kind.PLURAL | Kind.MALE,
    "women": Kind.PLURAL | Kind.FEMALE,
    "people": Kind.PLURAL | _PERSON,
    "children": Kind.PLURAL | _PERSON,
    **{word: kind | Kind.PRONOUN for word, kind in PRONOUNS.items()},
    **dict.fromkeys(("no", "every", "each", "any", "many", "few", "neither", "either"), Kind.QUANTIFIER),
}

#: Labels of nodes that are printed together with an antecedent: "[the mayor's] office", "[two] men".
CARRIED: Final = ("poss", "nummod", "det")

#: Relative pronouns that refer to people: "the mayor of Leeds, who" is not Leeds.
PERSONAL_RELATIVES: Final = ("who", "whom")

#: Verbs besides the copula whose "it" may refer to a following clause: "it takes an hour to …".
IMPERSONAL_VERBS: Final = ("takes", "took")
