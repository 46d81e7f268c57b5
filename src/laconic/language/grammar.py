"""The meaning of labels, tags and entity types, in one table each (paper §2.1).

The native core reads the first three; its code mentions no label or tag by name. To change how a construction is
treated, change its row here and measure the ceiling again (`laconic evaluate`).
"""

from __future__ import annotations

from typing import Final

from laconic._core import Entity, Role, Tag

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
    "preconj": Role.CORRELATIVE,  #       [both] tea and coffee
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

TAGS: Final[dict[str, Tag]] = {
    "VBD": Tag.VERB | Tag.FINITE,
    "VBP": Tag.VERB | Tag.FINITE | Tag.PLURAL,
    "VBZ": Tag.VERB | Tag.FINITE,
    "MD": Tag.VERB | Tag.FINITE | Tag.MODAL,
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
    "NNS": Tag.SEVERAL,
    "NNPS": Tag.SEVERAL,
    "$": Tag.CURRENCY,
    "_SP": Tag.SPACE,
}

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


#: The label of a noun before a name that is its title ("actor Tom Hanks").
TITLE_LABEL: Final = "compound"

#: Label of an adverbial clause ("when [asked]").
ADVERBIAL_LABEL: Final = "advcl"

#: The label of expletives ("[there] are").
EXPLETIVE_LABEL: Final = "expl"

#: Entity types of names.
NAMES: Final = ("EVENT", "FAC", "GPE", "LANGUAGE", "LAW", "LOC", "NORP", "ORG", "PERSON", "PRODUCT", "WORK_OF_ART")

#: Entity types of times.
TIMES: Final = ("DATE", "TIME")

# Groups of labels that the guard, the preferences and the harvest use.
SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj", "csubjpass")
OBJECTS: Final = ("dobj", "attr", "dative")
COMPLEMENTS: Final = ("ccomp", "xcomp")
PREDICATES: Final = ("acomp", "attr")
ADVERBS: Final = ("advmod", "neg", "det", "predet", "preconj")
RELATIVE_CLAUSE: Final = "relcl"
NOUN_CLAUSES: Final = ("acl", RELATIVE_CLAUSE)
ADVERBIAL_CLAUSES: Final = ("advcl",)
EXPLETIVES: Final = ("expl",)
CONJUNCTS: Final = ("conj",)
COORDINATORS: Final = ("cc", "preconj")
SUBORDINATORS: Final = ("mark",)
ADVERBIALS: Final = ("advmod",)
AUXILIARIES: Final = ("aux", "auxpass")
PREPOSITIONS: Final = ("prep", "agent")
#: Labels of a verb's arguments, without which its clause is incomplete.
ARGUMENTS: Final = (
    *SUBJECTS, *EXPLETIVES, "dobj", "dative", "attr", "acomp", "oprd", *COMPLEMENTS, "prt", "agent", "neg",
)  # fmt: skip
#: Labels of clauses that cannot stand without their heads.
DEPENDENT_CLAUSES: Final = (*NOUN_CLAUSES, *ADVERBIAL_CLAUSES, "csubj", "csubjpass", "pcomp")
#: Labels that a noun keeps in a compression that follows a headline: its number and its possessor.
NOUN_DETERMINERS: Final = ("nummod", "poss")
#: Labels that relate a headline's words to the words that they were matched with.
MODIFIERS: Final = ("amod", "compound", "nsubj", "nsubjpass", "poss")
#: Labels of everything that a verb may govern.
GOVERNED: Final = ("dobj", "attr", "acomp", "oprd", *reversed(COMPLEMENTS), "dative")

#: Tags of question words: a complement with one of them ("what happened") is no statement.
QUESTION_TAGS: Final = ("WP", "WP$", "WRB", "WDT")
#: Tags of verbs that can be the main verb of a sentence.
MAIN_VERB_TAGS: Final = ("VB", "VBD", "VBP", "VBZ", "MD")
#: The tag prefixes of content words.
CONTENT_TAGS: Final = ("NN", "VB", "JJ", "CD")
