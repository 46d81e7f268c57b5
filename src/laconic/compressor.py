"""The compressor: text → parse → tree → score → decode → realise → text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.decode import Decoded, Method, decode
from laconic.decode.options import check_k, check_max_chars, check_method, check_resolve_pronouns, check_rho
from laconic.errors import LaconicError
from laconic.parse import Parses, SpacyParser
from laconic.realise import find_lowered, join_pieces
from laconic.results import Compression, Resolved, Result, Sentence
from laconic.score import Model
from laconic.tree import Tree, make_trees

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: Texts that are parsed together, at most.
BATCH_SIZE: Final = 128


class Compressor:
    """Compresses English text; holds a parser and a model and can be used again and again."""

    def __init__(self, parser: SpacyParser, model: Model) -> None:
        self.parser = parser
        self.model = model

    def compress(
        self,
        text: str | Doc,
        k: int = 1,
        *,
        method: Method | str = Method.TOPDOWN,
        rho: float | None = None,
        max_chars: int | None = None,
        resolve_pronouns: bool = False,
    ) -> list[list[Compression]]:
        """The k best compressions of every sentence of a text, one list for each sentence.

        `max_chars` goes with the method ilp: no compression has more characters. With `resolve_pronouns` a pronoun is
        printed as its antecedent where that is deleted: "the man was arrested" for "he was arrested".
        """
        (result,) = self.batch(
            [text], k, method=method, rho=rho, max_chars=max_chars, resolve_pronouns=resolve_pronouns
        )
        return [list(sentence.compressions) for sentence in result.sentences]

    def batch(
        self,
        texts: Sequence[str | Doc],
        k: int = 1,
        *,
        method: Method | str = Method.TOPDOWN,
        rho: float | None = None,
        max_chars: int | None = None,
        resolve_pronouns: bool = False,
    ) -> list[Result]:
        """The results of several texts, parsed together."""
        check_k(k)
        check_max_chars(max_chars, check_method(method))
        check_resolve_pronouns(resolve_pronouns, max_chars)
        if rho is not None:
            check_rho(rho)
        parses = self.parser.parse(texts)
        decoded = decode(
            parses, self.model, k=k, method=method, rho=rho, max_chars=max_chars, resolve_pronouns=resolve_pronouns
        )
        results = realise(parses, decoded)
        if max_chars is not None:
            _refuse_longer(results, max_chars)
        return results

    def stream(
        self,
        texts: Iterable[str | Doc],
        k: int = 1,
        *,
        method: Method | str = Method.TOPDOWN,
        rho: float | None = None,
        max_chars: int | None = None,
        resolve_pronouns: bool = False,
        batch_size: int = BATCH_SIZE,
    ) -> Iterator[Result]:
        """The results of many texts, in order, while they are read: memory does not grow with their number.

        The first batch is one text and later ones are larger, up to `batch_size`: the first result comes early.
        """
        if isinstance(texts, str):
            raise LaconicError("stream takes many texts: give a list or another iterable of them, not one text")
        if batch_size < 1:
            raise LaconicError(f"batch_size is {batch_size}: give 1 or more")
        iterator = iter(texts)
        size = 1
        while batch := list(islice(iterator, size)):
            yield from self.batch(
                batch, k, method=method, rho=rho, max_chars=max_chars, resolve_pronouns=resolve_pronouns
            )
            size = min(2 * size, batch_size)

    def tree(self, text: str | Doc) -> list[Tree]:
        """The transformed tree of every sentence of a text, with the probabilities of its edges."""
        return make_trees(self.parser.parse([text]), self.model)


def load(model: str | Path | None = None, *, parser: str | None = None, split: bool = True) -> Compressor:
    """A compressor, ready for use.

    `model` is a folder that `laconic train` wrote (default: the model that comes with laconic); `parser` is the name of
    an installed spaCy pipeline (default: the small English one). With `split=False` every text is one sentence.
    """
    opened = Model.load(default_model() if model is None else Path(model))
    return Compressor(SpacyParser(parser, split=split), opened)


def compress(
    text: str | Doc,
    k: int = 1,
    *,
    method: Method | str = Method.TOPDOWN,
    rho: float | None = None,
    max_chars: int | None = None,
    resolve_pronouns: bool = False,
) -> list[list[Compression]]:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them, which takes a second or two; later calls use them again.
    """
    return _default_compressor().compress(
        text, k, method=method, rho=rho, max_chars=max_chars, resolve_pronouns=resolve_pronouns
    )


def default_model() -> Path:
    """Where the model is that comes with laconic."""
    return Path(__file__).with_name("models") / "en"


@lru_cache(maxsize=1)
def _default_compressor() -> Compressor:
    return load()


def _refuse_longer(results: list[Result], max_chars: int) -> None:
    """A sentence without a compression that fits comes back whole: too long."""
    for result in results:
        for sentence in result.sentences:
            if len(sentence.compressions[0].text) > max_chars:
                shown = sentence.text if len(sentence.text) <= 60 else sentence.text[:59] + "…"
                raise LaconicError(f"no compression of {shown!r} fits into {max_chars} characters: give more")


def realise(parses: Parses, decoded: Decoded) -> list[Result]:
    """The printed form of decoded results."""
    texts = parses.texts()
    sentences: list[list[Sentence]] = [[] for _ in texts]
    result_ptr, piece_ptr, scores = decoded.result_ptr.tolist(), decoded.piece_ptr.tolist(), decoded.score.tolist()
    starts, ends = decoded.piece_start.tolist(), decoded.piece_end.tolist()
    spaces, pronouns = decoded.piece_space.tolist(), decoded.piece_pronoun.tolist()
    resolves = bool((decoded.piece_pronoun >= 0).any())  # the rest is quicker without
    for i, number in enumerate(decoded.sentence_text.tolist()):
        text = texts[number]
        start = int(parses.start[decoded.sentence_first[i]])
        end = int(parses.end[decoded.sentence_last[i] - 1])
        whole = text[start:end].strip()
        if not whole:
            continue
        start = text.index(whole, start)
        end = start + len(whole)
        compressions = []
        for rank, row in enumerate(range(result_ptr[i], result_ptr[i + 1]), 1):
            pieces = slice(piece_ptr[row], piece_ptr[row + 1])
            lowered = -1
            resolved: tuple[Resolved, ...] = ()
            if resolves:
                lowered = find_lowered(parses, int(decoded.sentence_first[i]), starts[pieces], pronouns[pieces])
                resolved = _resolved(parses, starts[pieces], ends[pieces], pronouns[pieces])
            printed, spans = join_pieces(text, starts[pieces], ends[pieces], spaces[pieces], lowered)
            compressions.append(Compression(printed, scores[row], rank, len(printed) / len(whole), spans, resolved))
        if not compressions:  # nothing but punctuation
            compressions = [Compression(whole, 0.0, 1, 1.0, ((start, end),))]
        sentences[number].append(Sentence(whole, start, end, tuple(compressions)))
    return [Result(text, tuple(found)) for text, found in zip(texts, sentences, strict=True)]


def _resolved(parses: Parses, starts: list[int], ends: list[int], pronouns: list[int]) -> tuple[Resolved, ...]:
    """Which pieces are printed in the place of which pronouns (rows of the parses; -1: of none)."""
    found: dict[int, list[tuple[int, int]]] = {}
    for start, end, row in zip(starts, ends, pronouns, strict=True):
        if row >= 0:
            found.setdefault(row, []).append((start, end))
    return tuple(Resolved((int(parses.start[row]), int(parses.end[row])), tuple(spans)) for row, spans in found.items())
