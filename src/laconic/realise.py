"""Realise: turn the kept pieces of the input into the printed sentence.

Which words and punctuation are kept is decided in the native core (`native/realise.cpp`, `marks.cpp`, `separate.cpp`).
Here the pieces are joined into a string. The only change to a word is its first letter: the first word gets a capital,
and an antecedent that moves from the front of the sentence into the place of its pronoun loses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.parse import Parses, scheme
from laconic.results import Compression, Resolved, Result, Sentence

#: Matches code-like words, such as addresses and identifiers ("a@b.org", "os.path", "max_chars", "render()").
_CODE: Final = re.compile(r"\w[@_]\w|[a-z]\.[a-z]{2}|://|\(\)")

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.explanation import Explainer
    from laconic.limits.limits import BoundLimits
    from laconic.tree import Forest


def realise(
    forest: Forest,
    decoded: Decoded,
    exact: Sequence[Sequence[tuple[int, int]]] = (),
    limits: BoundLimits | None = None,
    explainer: Explainer | None = None,
    as_it_is: NDArray[np.bool_] | None = None,
) -> list[Result]:
    """The results of decoding, as text; the spans in `exact`, given for each text, are printed exactly as they are.

    Results flagged in `as_it_is` print their whole sentence.
    """
    parses = forest.parses
    texts = parses.texts()
    sentences: list[list[Sentence]] = [[] for _ in texts]
    result_ptr, piece_ptr, scores = decoded.result_ptr.tolist(), decoded.piece_ptr.tolist(), decoded.score.tolist()
    starts, ends = decoded.piece_start.tolist(), decoded.piece_end.tolist()
    spaces, pronouns = decoded.piece_space.tolist(), decoded.piece_pronoun.tolist()
    resolves = bool((decoded.piece_pronoun >= 0).any())  # without resolved pronouns, this loop is faster
    first_tokens = forest.sentence_first.tolist()
    first_chars = parses.start[forest.sentence_first].tolist()
    last_chars = parses.end[forest.sentence_last - 1].tolist()
    nearest = decoded.nearest.tolist() or [0] * len(first_tokens)  # only limits that the core enforces can be missed
    for i, number in enumerate(forest.sentence_text.tolist()):
        text = texts[number]
        start, end = first_chars[i], last_chars[i]
        whole = text[start:end].strip()
        if not whole:
            continue
        start = text.index(whole, start)
        end = start + len(whole)
        nothing = None if explainer is None else ()
        over = limits.excess(i, whole) if limits is not None and limits.limits.budget.nearest else 0
        compressions: list[Compression] = []
        for rank, row in enumerate(range(result_ptr[i], result_ptr[i + 1]), 1):
            if as_it_is is not None and as_it_is[row]:
                compressions.append(
                    Compression(whole, scores[row], rank, 1.0, ((start, end),), deletions=nothing, excess=over)
                )
                continue
            pieces = slice(piece_ptr[row], piece_ptr[row + 1])
            instead = pronouns[pieces] if resolves else None
            printed, spans = print_pieces(
                parses,
                text,
                first_tokens[i],
                starts[pieces],
                ends[pieces],
                spaces[pieces],
                instead,
                exact[number] if exact else (),
            )
            resolved = _resolved(parses, starts[pieces], ends[pieces], instead) if instead else ()
            deletions, guarded = (None, ()) if explainer is None else explainer.explain(i, row, starts[pieces])
            excess = limits.excess(i, printed) if limits is not None and nearest[i] else 0
            rate = len(printed) / len(whole)
            compressions.append(
                Compression(
                    text=printed,
                    score=scores[row],
                    rank=rank,
                    rate=rate,
                    spans=spans,
                    resolved=resolved,
                    deletions=deletions,
                    guarded=guarded,
                    excess=excess,
                )
            )
        if not compressions:  # the sentence has only punctuation
            compressions = [Compression(whole, 0.0, 1, 1.0, ((start, end),), deletions=nothing, excess=over)]
        sentences[number].append(Sentence(whole, start, end, tuple(compressions)))
    return [Result(text, tuple(found)) for text, found in zip(texts, sentences, strict=True)]


def _resolved(parses: Parses, starts: list[int], ends: list[int], pronouns: list[int]) -> tuple[Resolved, ...]:
    """The pieces that are printed in place of pronouns; `pronouns` are rows of the parses, or -1."""
    found: dict[int, list[tuple[int, int]]] = {}
    for start, end, row in zip(starts, ends, pronouns, strict=True):
        if row >= 0:
            found.setdefault(row, []).append((start, end))
    return tuple(Resolved((int(parses.start[row]), int(parses.end[row])), tuple(spans)) for row, spans in found.items())


def print_pieces(
    parses: Parses,
    text: str,
    first: int,
    starts: Sequence[int],
    ends: Sequence[int],
    spaces: Sequence[int],
    pronouns: Sequence[int] | None = None,
    exact: Sequence[tuple[int, int]] = (),
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The printed form of a sentence, whose first token is `first`, and the spans of the text that it consists of.

    `pronouns` is given if pieces are printed in place of pronouns; spans in `exact` are not capitalised.
    """
    lowered = -1 if pronouns is None else find_lowered(parses, first, starts, pronouns)
    capital = not _is_lower(text, int(parses.start[first]))
    if capital and exact:
        first_word = next((a for a, b in zip(starts, ends, strict=True) if any(map(str.isalnum, text[a:b]))), -1)
        capital = not any(start <= first_word < end for start, end in exact)
    return join_pieces(text, starts, ends, spaces, lowered, capital=capital)


def _is_lower(text: str, start: int) -> bool:
    """Whether the sentence at `start` begins with a lower-case letter, as in chats; its compressions then do too."""
    while start < len(text) and not text[start].isalnum():
        start += 1
    return text[start : start + 1].islower()


def join_pieces(
    text: str,
    starts: Sequence[int],
    ends: Sequence[int],
    spaces: Sequence[int],
    lowered: int = -1,
    *,
    capital: bool = True,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The printed sentence and the spans of the text that it consists of; adjacent pieces are merged into one span.

    The piece with the index `lowered` loses its capital. The first piece gets one if `capital`.
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    for i, (start, end, space) in enumerate(zip(starts, ends, spaces, strict=True)):
        if parts:
            last_start, last_end = spans[-1]
            if (start == last_end and not space) or (space and text[last_end:start].isspace()):
                spans[-1] = (last_start, end)
            else:
                spans.append((start, end))
            if space:
                parts.append(" ")
        else:
            spans.append((start, end))
        word = text[start:end]
        parts.append(word[:1].lower() + word[1:] if i == lowered and not word[1:2].isupper() else word)
    printed = " ".join("".join(parts).split())
    return capitalise(printed) if capital else printed, tuple(spans)


def find_lowered(parses: Parses, first: int, starts: Sequence[int], pronouns: Sequence[int]) -> int:
    """The index of the piece that loses its capital, since it moved from the front and is no name; or -1."""
    if parses.entity[first] or scheme.TAGS[parses.tag[first]].startswith("NNP"):
        return -1
    front = int(parses.start[first])
    moved = (
        i for i, (start, row) in enumerate(zip(starts, pronouns, strict=True)) if i and row >= 0 and start == front
    )
    return next(moved, -1)


def capitalise(text: str) -> str:
    """Capitalise the first letter, unless its word has a capital further in, as iPhone, or is code."""
    if text[:1].isupper():  # the usual case
        return text
    for i, char in enumerate(text):
        if char.isalpha():
            word = text[i:].split(maxsplit=1)[0]
            upper = char.upper()
            if not char.islower() or len(upper) != 1 or any(c.isupper() for c in word) or _CODE.search(word):
                return text
            return text[:i] + upper + text[i + 1 :]
        if char.isdigit():
            return text
    return text
