"""The annotation scheme of a parse: which labels, tags and entity types exist, as small integers.

It is the scheme of spaCy's English pipelines (ClearNLP dependency labels, Penn Treebank tags, OntoNotes entity types).
A parse stores indices into these tuples, so a parser other than spaCy only has to speak the same scheme. The order is
part of the model format: append, never insert.
"""

from __future__ import annotations

from typing import Final

#: Dependency labels; index 0 is "no label" (white space, unparsed).
LABELS: Final[tuple[str, ...]] = (
    "", "ROOT", "acl", "acomp", "advcl", "advmod", "agent", "amod", "appos", "attr", "aux", "auxpass", "case", "cc",
    "ccomp", "compound", "conj", "csubj", "csubjpass", "dative", "dep", "det", "dobj", "expl", "intj", "mark", "meta",
    "neg", "nmod", "npadvmod", "nsubj", "nsubjpass", "nummod", "oprd", "parataxis", "pcomp", "pobj", "poss", "preconj",
    "predet", "prep", "prt", "punct", "quantmod", "relcl", "xcomp",
)  # fmt: skip

#: Penn Treebank tags with OntoNotes' additions.
TAGS: Final[tuple[str, ...]] = (
    "", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "HYPH", "IN", "JJ",
    "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP",
    "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB", "XX", "_SP", "``",
)  # fmt: skip

#: Entity types; index 0 is "no entity".
ENTITIES: Final[tuple[str, ...]] = (
    "", "CARDINAL", "DATE", "EVENT", "FAC", "GPE", "LANGUAGE", "LAW", "LOC", "MONEY", "NORP", "ORDINAL", "ORG",
    "PERCENT", "PERSON", "PRODUCT", "QUANTITY", "TIME", "WORK_OF_ART",
)  # fmt: skip

#: Name of the scheme, written into models: a model only fits parses of the scheme it was trained on.
NAME: Final = "clearnlp-penn-ontonotes/1"

LABEL_ID: Final = {name: i for i, name in enumerate(LABELS)}
TAG_ID: Final = {name: i for i, name in enumerate(TAGS)}
ENTITY_ID: Final = {name: i for i, name in enumerate(ENTITIES)}
