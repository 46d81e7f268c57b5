"""Sentences with their parses written down, and the compressors that all tests share."""

from __future__ import annotations

import signal
from collections.abc import Sequence

import pytest
import spacy
from spacy.tokens import Doc, Span

import laconic
from laconic.parse import Parses, from_docs

# A shell starts its background jobs with interrupts ignored, and what the tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: word/tag/label/head, with "=" before a word that is written together with the one before it.
FIGURE_1 = (
    "The/DT/det/1 police/NNS/nsubj/2 said/VBD/ROOT/2 the/DT/det/4 man/NN/nsubjpass/12 who/WP/nsubj/6 "
    "robbed/VBD/relcl/4 a/DT/det/8 bank/NN/dobj/6 in/IN/prep/6 Arizona/NNP/pobj/9 was/VBD/auxpass/12 "
    "arrested/VBN/ccomp/2 at/IN/prep/12 his/PRP$/poss/15 home/NN/pobj/13 late/JJ/amod/17 Friday/NNP/npadvmod/12 "
    "=././punct/2"
)
FIGURE_1_ENTITIES = [("GPE", 10, 11), ("DATE", 16, 18)]

_vocab = spacy.blank("en").vocab


def given_doc(spec: str, entities: Sequence[tuple[str, int, int]] = (), lemmas: dict[str, str] | None = None) -> Doc:
    """A parsed document from a line of word/tag/label/head; lemmas are the lower-cased words unless given."""
    rows = [token.rsplit("/", 3) for token in spec.split()]
    words = [row[0].removeprefix("=") for row in rows]
    spaces = [not row[0].startswith("=") for row in rows[1:]] + [False]
    doc = Doc(
        _vocab,
        words=words,
        spaces=spaces,
        tags=[row[1] for row in rows],
        deps=[row[2] for row in rows],
        heads=[int(row[3]) for row in rows],
        lemmas=[(lemmas or {}).get(word, word.lower()) for word in words],
    )
    doc.ents = [Span(doc, start, end, label=label) for label, start, end in entities]
    return doc


def given_parses(
    spec: str, entities: Sequence[tuple[str, int, int]] = (), lemmas: dict[str, str] | None = None
) -> Parses:
    return from_docs([given_doc(spec, entities, lemmas)])


@pytest.fixture(scope="session")
def compressor() -> laconic.Compressor:
    """What users get who choose nothing: the network parses and scores."""
    return laconic.load()


@pytest.fixture(scope="session")
def paper_compressor() -> laconic.Compressor:
    """The paper's system: spaCy parses, the maximum entropy model scores."""
    return laconic.load(parser="spacy", scorer="maxent")
