"""What must hold for results, checked by characters and words; one check needs the parser (`has_another_verb`)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import laconic
from fuzz.asks import UNITS, count_with
from laconic.parse import Parser, Parses, scheme

#: A word as readers see it: letters and digits, and what joins them.
WORD = re.compile(r"[^\W_]+(?:['’\-_][^\W_]+)*")

#: The name of what is broken, and where.
Problem = tuple[str, str]


#: What a word may be contracted with. It is a word of its own, and so is what stands before it: of "he's sick and wants
#: to sleep" remains "he wants to sleep" (see `check_contracted`). Not of "let's".
CONTRACTED = re.compile(r"(?!let['’])([^\W_]+)(['’](?:s|d|m|ll|re|ve))", re.IGNORECASE)
CONTRACTED_WORD = re.compile(rf"(?<![\w'’-]){CONTRACTED.pattern}(?![\w'’-])", re.IGNORECASE)
ENDS = ("s", "d", "m", "ll", "re", "ve")
SURROGATE = re.compile("[\ud800-\udfff]")
CLITIC = re.compile(rf"['’](?:{'|'.join(ENDS)})$")
#: What stands between the verbs of one subject: not the hyphen of a word.
JOINS = re.compile(r"\b(?:and|or|but|nor|yet|then)\b|[^\w\s'’-]|(?<!\w)-|-(?=\s)", re.IGNORECASE)


def words(text: str) -> list[str]:
    """The words of a text, in small letters, by way of capitals: the capital of a dotless i is an I."""
    return WORD.findall(text.upper().casefold())


def words_of_source(text: str) -> list[str]:
    """The words of a text; before a contraction ("he's"), its first word ("he"), which may also be printed."""
    found: list[str] = []
    for word in words(text):
        if (base := CLITIC.sub("", word)) != word and base != "let":
            found.append(base)
        found.append(word)
    return found


def letters(text: str) -> str:
    """A text without white space and case: what print may change."""
    return "".join(text.split()).upper().casefold()


def missing(small: Sequence[str], large: Sequence[str]) -> str | None:
    """The first of some words that is not found in others in this order."""
    rest = iter(large)
    return next((word for word in small if word not in rest), None)


def counters(asked: Mapping[str, Any]) -> dict[str, Callable[[str], int]]:
    tokenizer = asked.get("tokenizer")
    return UNITS | ({"tokens": count_with(tokenizer)} if tokenizer else {})


def check_length(printed: str, source: str, asked: Mapping[str, Any]) -> Iterator[Problem]:
    """Whether a print is within the budget."""
    for unit, count in counters(asked).items():
        most, least = asked.get(f"max_{unit}"), asked.get(f"min_{unit}")
        if most is not None and count(printed) > most:
            yield "budget", f"{count(printed)} of {most} {unit}: {printed!r}"
        if least is not None and count(printed) < least:
            yield "budget", f"{count(printed)} and not {least} {unit}: {printed!r}"
    if (rate := asked.get("rate")) is not None and len(printed) > int(rate * len(source.strip()) + 1e-9):
        yield "budget", f"{len(printed)} of {rate} of {len(source.strip())}: {printed!r}"


def check_words(printed: str, source: str, *, moved: bool = False) -> Iterator[Problem]:
    """Whether all words are the source's, whole and in their order, unless some are `moved`."""
    # A lone surrogate, which is no character, is read as U+FFFD.
    own, given = words(printed), words_of_source(SURROGATE.sub("\ufffd", source))
    if moved:  # "who's" may be printed with a name for "who": "Acme Inc.'s", "O'Neill's"
        own = [word if word in given else CLITIC.sub("", word) for word in own if word not in ENDS]
    wrong = next((word for word in own if word not in given), None) if moved else missing(own, given)
    if wrong is not None:
        yield "word" if wrong in given else "part", f"{wrong!r} in {printed!r}"


def check_contracted(spans: Sequence[tuple[int, int]], source: str, parser: Parser | None = None) -> Iterator[Problem]:
    """Whether a word lost what it is contracted with only where it is the subject of another verb, too.

    Of "He's sick and wants to sleep" remains "He wants to sleep"; "He sick" does not. Where no conjunction and no mark
    stands before what is printed next, the `parser` must have found another verb.
    """
    if not CONTRACTED_WORD.search(source):
        return
    printed = bytearray(len(source))
    for start, end in spans:
        printed[start:end] = b"\1" * (end - start)
    for match in CONTRACTED_WORD.finditer(source):
        if not printed[match.end(1) - 1] or printed[match.start(2)]:
            continue
        following = next((at for at in range(match.end(), len(source)) if printed[at] and source[at].isalnum()), None)
        if following is not None and JOINS.search(source, match.end(), following):
            continue
        if parser is None or not has_another_verb(parser.parse([source]), match.start()):
            yield "contraction", f"{match[0]!r} without {match[2]!r} in {source[match.start() : following]!r}"


def has_another_verb(parses: Parses, start: int) -> bool:
    """Whether the head of the word at this offset has a conjunct."""
    verb = parses.head[np.searchsorted(parses.start, start)]
    return bool(((parses.head == verb) & (parses.label == scheme.LABELS.index("conj"))).any())


def check_compression(found: laconic.Compression, source: str, parser: Parser) -> Iterator[Problem]:
    taken = "".join(source[start:end] for start, end in found.spans)
    moved = bool(found.resolved)
    if letters(taken) != letters(found.text):
        yield "spans", f"{found.text!r} is not {taken!r}"
    if not moved and any(a[1] > b[0] for a, b in zip(found.spans, found.spans[1:], strict=False)):
        yield "spans", f"out of order: {found.spans}"
    if not math.isfinite(found.score):
        yield "score", f"{found.score}"
    yield from check_words(found.text, source, moved=moved)
    if not moved:
        yield from check_contracted(found.spans, source, parser)
    for gone in found.deletions or ():
        if source[gone.start : gone.end] != gone.text:
            yield "deletions", f"{gone.text!r} at {gone.start}:{gone.end}"


def check_result(result: laconic.Result, asked: Mapping[str, Any], parser: Parser) -> Iterator[Problem]:
    """What is wrong with the result of a text."""
    source = result.text
    for part in result.parts():
        texts = [found.text for found in part]
        if not texts:
            yield "empty", f"nothing of {part.text!r}"
        if len(texts) > max(asked["k"], 1) or len(set(texts)) < len(texts):
            yield "k", f"{len(texts)} results, {len(set(texts))} different, of {part.text!r}"
        for found in part:
            yield from check_compression(found, source, parser)
            if (found.deletions is not None) != bool(asked.get("explain")):
                yield "deletions", f"{found.deletions} for {found.text!r}"
            over = list(check_length(found.text, part.text, asked))
            if not asked.get("nearest"):
                yield from over
            elif bool(over) != bool(found.excess) and "rate" not in asked:
                yield "excess", f"{found.excess} of {found.text!r}: {over}"
            for name in ("keep", "drop"):
                yield from check_constraint(name, asked.get(name) or (), found, part, source)


def check_constraint(
    name: str, phrases: Sequence[Any], found: laconic.Compression, part: laconic.Sentence, source: str
) -> Iterator[Problem]:
    """Whether what was to stay is there, and what was to go is gone; only of what is surely a word."""
    for phrase in phrases:
        if not isinstance(phrase, str) or not phrase.isalpha() or not phrase.isascii():
            continue
        flags = re.NOFLAG if any(map(str.isupper, phrase)) else re.IGNORECASE
        alone = re.compile(rf"(?<!\S){phrase}(?!\S)", flags)
        given, kept = (
            len(alone.findall(part.text)),
            len(re.findall(rf"(?<!\w){phrase}(?!\w)", found.text, re.IGNORECASE)),
        )
        if given and name == "keep" and kept < given:
            yield "keep", f"{phrase!r} in {found.text!r}"
        # As the text has it: the first word gets a capital, which the phrase may have and the word not.
        taken = " ".join(source[start:end] for start, end in found.spans)
        if given and name == "drop" and alone.search(taken) and not found.resolved:
            yield "drop", f"{phrase!r} in {found.text!r}"


def check_document(found: laconic.Fitted, source: str, asked: Mapping[str, Any], parser: Parser) -> Iterator[Problem]:
    """What is wrong with a document that was fitted."""
    if found.length > found.most:
        yield "budget", f"{found.length} of {found.most}"
    yield from check_length(found.text, source, {**asked, "rate": None})
    if (rate := asked.get("rate")) is not None and len(found.text) > int(rate * len(source) + 1e-9):
        yield "budget", f"{len(found.text)} of {rate} of {len(source)}"
    yield from check_words(found.text, source)
    yield from check_contracted(found.spans, source, parser)
