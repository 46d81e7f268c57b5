"""Sentences with their parses written down, the compressors that all tests share, and what was not tested."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import laconic
from laconic.parse import Parses, lemma_id, scheme
from laconic.parse.parses import code_points

if TYPE_CHECKING:
    from spacy.tokens import Doc

pytest.register_assert_rewrite("command_line", "rating")

# A shell starts its background jobs with interrupts ignored, and what the tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What has to do with terminals, signals, limits of processes and /proc is tested on Linux alone.
if sys.platform != "linux":
    collect_ignore = [
        f"test_{name}.py" for name in
        ("bulk", "bulk_compress", "bulk_rows", "cli", "explanation", "interrupt", "mcp", "rate", "rate_page", "ray",
         "serve", "serve_faults", "serve_page")
    ]  # fmt: skip

#: word/tag/label/head, with "=" before a word that is written together with the one before it.
FIGURE_1 = (
    "The/DT/det/1 police/NNS/nsubj/2 said/VBD/ROOT/2 the/DT/det/4 man/NN/nsubjpass/12 who/WP/nsubj/6 "
    "robbed/VBD/relcl/4 a/DT/det/8 bank/NN/dobj/6 in/IN/prep/6 Arizona/NNP/pobj/9 was/VBD/auxpass/12 "
    "arrested/VBN/ccomp/2 at/IN/prep/12 his/PRP$/poss/15 home/NN/pobj/13 late/JJ/amod/17 Friday/NNP/npadvmod/12 "
    "=././punct/2"
)
FIGURE_1_ENTITIES = [("GPE", 10, 11), ("DATE", 16, 18)]


def given_parses(
    spec: str, entities: Sequence[tuple[str, int, int]] = (), lemmas: dict[str, str] | None = None
) -> Parses:
    """The arrays of a line of word/tag/label/head; lemmas are the lower-cased words unless given."""
    words, joined, tags, labels, heads = _columns(spec)
    text, start = "", []
    for word, close in zip(words, joined, strict=True):
        text += "" if close or not text else " "
        start.append(len(text))
        text += word
    entity, entity_start = [0] * len(words), [0] * len(words)
    for name, first, last in entities:
        entity[first:last] = [scheme.ENTITIES.index(name)] * (last - first)
        entity_start[first] = 1
    chars, char_ptr = code_points([text])
    return Parses(
        chars=chars,
        char_ptr=char_ptr,
        token_ptr=np.array([0, len(words)], dtype=np.int64),
        start=np.array(start, dtype=np.int32),
        end=np.array([first + len(word) for first, word in zip(start, words, strict=True)], dtype=np.int32),
        head=np.array(heads, dtype=np.int32),
        label=np.array([scheme.LABEL_ID.get(label, scheme.LABEL_ID["dep"]) for label in labels], dtype=np.uint8),
        tag=np.array([scheme.TAG_ID[tag] for tag in tags], dtype=np.uint8),
        lemma=np.array([lemma_id((lemmas or {}).get(word, word.lower())) for word in words], dtype=np.uint64),
        entity=np.array(entity, dtype=np.uint8),
        entity_start=np.array(entity_start, dtype=np.uint8),
        sentence_start=np.array(_sentence_starts(heads), dtype=np.uint8),
    )


def given_doc(spec: str, entities: Sequence[tuple[str, int, int]] = (), lemmas: dict[str, str] | None = None) -> Doc:
    """The same as a document of spaCy."""
    import spacy
    from spacy.tokens import Doc, Span

    words, joined, tags, labels, heads = _columns(spec)
    doc = Doc(
        spacy.blank("en").vocab,
        words=words,
        spaces=[not close for close in joined[1:]] + [False],
        tags=tags,
        deps=labels,
        heads=heads,
        lemmas=[(lemmas or {}).get(word, word.lower()) for word in words],
    )
    doc.ents = [Span(doc, start, end, label=label) for label, start, end in entities]
    return doc


def _columns(spec: str) -> tuple[list[str], list[bool], list[str], list[str], list[int]]:
    """Words, whether each is written together with the one before, tags, labels and heads."""
    rows = [token.rsplit("/", 3) for token in spec.split()]
    return (
        [row[0].removeprefix("=") for row in rows],
        [row[0].startswith("=") for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
        [int(row[3]) for row in rows],
    )


def _sentence_starts(heads: Sequence[int]) -> list[bool]:
    """A sentence begins with the first word below each root, and with the text."""
    first: dict[int, int] = {}
    for word in range(len(heads)):
        root = word
        for _ in heads:
            root = heads[root]
        first.setdefault(root, word)
    return [word == 0 or word in first.values() for word in range(len(heads))]


@pytest.fixture(scope="session")
def compressor() -> laconic.Compressor:
    """What users get who choose nothing: the network parses and scores."""
    return laconic.load()


@pytest.fixture(scope="session")
def paper_compressor() -> laconic.Compressor:
    """The paper's system: spaCy parses, the maximum entropy model scores."""
    pytest.importorskip("spacy")
    return laconic.load(parser="spacy", scorer="maxent")


@pytest.fixture(scope="session")
def maxent_compressor() -> laconic.Compressor:
    """The paper's model on the network's trees: what tests the model's decoders and needs no spaCy."""
    return laconic.load(scorer="maxent")


@pytest.fixture(scope="session", params=["network", "paper"])
def system(request: pytest.FixtureRequest) -> laconic.Compressor:
    """Both systems, one after the other."""
    return request.getfixturevalue("compressor" if request.param == "network" else "paper_compressor")


@pytest.fixture
def items_file(tmp_path: Path) -> Path:
    """Items for raters."""
    from rating import write_items

    return write_items(tmp_path / "items.jsonl")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was not tested, and why."""
    skipped = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped"))
    if skipped:
        terminalreporter.section("not tested")
    for reason, count in sorted(skipped.items()):
        terminalreporter.line(f"{count} skipped: {reason}")
