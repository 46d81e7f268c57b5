"""What the transformation knows about labels, tags and entity types, as one table each (paper §2.1).

The native core reads these tables; nothing there mentions a label or a tag by name. To change how a construction is
treated, change its row here and measure the ceiling again (`laconic evaluate`).
"""

from __future__ import annotations

import hashlib
from enum import IntEnum, IntFlag
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.parse import lemma_id, scheme
from laconic.tree import coreference


class Role(IntEnum):
    """What becomes of a word, by the label of the edge into it."""

    NODE = 0  # a node of its own
    FUNCTION = 1  # collapses into its head: comes and goes with it
    PREPOSITION = 2  # collapses into its object and names the edge
    OBJECT = 3  # a node; what a preposition collapses into
    SUBORDINATOR = 4  # collapses into its clause; not printed when the clause is promoted to the root
    CONJUNCTION = 5  # belongs to the conjunct that follows it
    CONJUNCT = 6  # attached to the head of the first conjunct, unless it is a verb
    RELATIVE = 7  # a relative clause: its pronoun corefers with the noun it hangs on
    PUNCTUATION = 8  # in no node: the realiser decides
    SUBJECT = 9  # a node
    COMPLEMENT = 11  # a node
    PREDICATE = 12  # a node; collapses with a copula
    APPOSITION = 10  # a node; a name in apposition to the noun before it takes its place


ROLES: Final[dict[str, Role]] = {
    # label      role                     example
    "det": Role.FUNCTION,  #              [the] man
    "predet": Role.FUNCTION,  #           [all] the men
    "aux": Role.FUNCTION,  #              [will] leave, [to] leave
    "auxpass": Role.FUNCTION,  #          [was] arrested
    "neg": Role.FUNCTION,  #              did [not] leave: a negation is never lost
    "case": Role.FUNCTION,  #             the man ['s]
    "prt": Role.FUNCTION,  #              shut [down]
    "expl": Role.FUNCTION,  #             [there] is
    "quantmod": Role.FUNCTION,  #         [more than] 800
    "prep": Role.PREPOSITION,  #          [in] Arizona
    "agent": Role.PREPOSITION,  #         [by] a judge
    "dative": Role.PREPOSITION,  #        gave it [to] him; without a preposition ("gave [him] it") a node
    "pobj": Role.OBJECT,
    "pcomp": Role.OBJECT,  #              after [leaving]
    "mark": Role.SUBORDINATOR,  #         [that] it rained
    "cc": Role.CONJUNCTION,  #            tea [and] coffee
    "preconj": Role.CONJUNCTION,  #       [both] tea and coffee
    "conj": Role.CONJUNCT,
    "relcl": Role.RELATIVE,  #            the man who [robbed] a bank
    "punct": Role.PUNCTUATION,
    "nsubj": Role.SUBJECT,
    "nsubjpass": Role.SUBJECT,
    "csubj": Role.SUBJECT,
    "csubjpass": Role.SUBJECT,
    "appos": Role.APPOSITION,
    "dobj": Role.COMPLEMENT,
    "attr": Role.PREDICATE,
    "acomp": Role.PREDICATE,
    "oprd": Role.COMPLEMENT,
    "ccomp": Role.COMPLEMENT,
    "xcomp": Role.COMPLEMENT,
}


class Tag(IntFlag):
    """Properties of a part-of-speech tag that the rules ask for."""

    FINITE = 1  # inflected verb: gets an edge from the dummy root
    VERB = 2
    POSSESSIVE = 4  # possessive pronoun: collapses like a determiner
    RELATIVE = 8  # may be a relative pronoun
    ADPOSITION = 16  # makes a dative a prepositional phrase
    NUMBER = 32
    SPACE = 64  # white space: in no node
    ADVERB = 128  # question adverb: opens a clause like a subordinator ("when he left")
    CURRENCY = 256  # symbol that collapses into its amount
    SINGULAR = 512  # noun in the singular
    PLURAL = 1024  # verb that asks for a plural subject


TAGS: Final[dict[str, Tag]] = {
    "VBD": Tag.VERB | Tag.FINITE,
    "VBP": Tag.VERB | Tag.FINITE | Tag.PLURAL,
    "VBZ": Tag.VERB | Tag.FINITE,
    "MD": Tag.VERB | Tag.FINITE,
    "VB": Tag.VERB,
    "VBG": Tag.VERB,
    "VBN": Tag.VERB,
    "PRP$": Tag.POSSESSIVE,
    "WP$": Tag.POSSESSIVE | Tag.RELATIVE,
    "WDT": Tag.RELATIVE,
    "WP": Tag.RELATIVE,
    "WRB": Tag.RELATIVE | Tag.ADVERB,
    "IN": Tag.ADPOSITION,
    "TO": Tag.ADPOSITION,
    "CD": Tag.NUMBER,
    "NN": Tag.SINGULAR,
    "NNP": Tag.SINGULAR,
    "$": Tag.CURRENCY,
    "_SP": Tag.SPACE,
}


class Entity(IntEnum):
    """How the words of an entity collapse."""

    SEPARATE = 0  # not because of the entity
    NAME = 1  # all words of a name or amount are one node
    DATE = 2  # only numbers and compounds collapse: "March 4", but "late" and "Friday"


ENTITIES: Final[dict[str, Entity]] = {
    "PERSON": Entity.NAME,
    "ORG": Entity.NAME,
    "GPE": Entity.NAME,
    "LOC": Entity.NAME,
    "FAC": Entity.NAME,
    "PRODUCT": Entity.NAME,
    "EVENT": Entity.NAME,
    "WORK_OF_ART": Entity.NAME,
    "LAW": Entity.NAME,
    "LANGUAGE": Entity.NAME,
    "NORP": Entity.NAME,
    "MONEY": Entity.NAME,
    "PERCENT": Entity.NAME,
    "QUANTITY": Entity.NAME,
    "CARDINAL": Entity.NAME,
    "DATE": Entity.DATE,
    "TIME": Entity.DATE,
}


#: Label of the noun that stands before a name as its title ("actor Tom Hanks").
TITLE_LABEL: Final = "compound"

#: The subordinator that is never printed: "said [that] he left" loses nothing without it.
COMPLEMENTIZER: Final = "that"

#: The verb that collapses with its predicate: without it "the gazebo should be in place" says nothing.
COPULA: Final = "be"


def make_rules() -> _core.Rules:
    """The tables as the native core takes them, indexed as in the scheme."""
    roles, tags, entities = _tables()
    return _core.Rules(
        roles,
        tags,
        entities,
        scheme.LABEL_ID[TITLE_LABEL],
        lemma_id(COMPLEMENTIZER),
        lemma_id(COPULA),
        *coreference.tables(),
    )


def fingerprint() -> str:
    """Identifies the tables: a model fits the rules that made its training trees and no others."""
    digest = hashlib.sha256(f"{TITLE_LABEL} {COMPLEMENTIZER} {COPULA} {_core.RULES_VERSION}".encode())
    for table in _tables():
        digest.update(table.tobytes())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint8]]:
    roles = [ROLES.get(label, Role.NODE) for label in scheme.LABELS]
    tags = [TAGS.get(tag, Tag(0)) for tag in scheme.TAGS]
    entities = [ENTITIES.get(entity, Entity.SEPARATE) for entity in scheme.ENTITIES]
    return np.array(roles, dtype=np.uint8), np.array(tags, dtype=np.uint16), np.array(entities, dtype=np.uint8)
