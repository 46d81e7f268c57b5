"""The compressor: text → parse → tree → score → decode → realise → text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

from laconic.decode import Decoded, Method, Order, decode
from laconic.decode.options import (
    check_k,
    check_max_chars,
    check_method,
    check_order,
    check_resolve_pronouns,
    check_rho,
)
from laconic.errors import LaconicError
from laconic.model_folders import HEADER_NAME, NETWORK, maxent_folder, model_folder, network_folder
from laconic.parse import Parser, Parses, load_parser
from laconic.realise import find_lowered, join_pieces
from laconic.results import Compression, Resolved, Result, Sentence
from laconic.score import Model, Probabilities
from laconic.tree import Tree, make_trees

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.parse.network import NetworkParser

#: The scorer of the paper.
MAXENT: Final = "maxent"

#: Texts that are parsed together, at most.
BATCH_SIZE: Final = 128


class Options(TypedDict, total=False):
    """What can be asked of a compression, besides k."""

    #: `topdown`; or the paper's `nss` and `ilp`, which take the maximum entropy model as scorer.
    method: Method | str
    #: The threshold between deleting (0) and retaining (1); the scorer's own where it is not given.
    rho: float | None
    #: `score` or `expected-f1` (see `laconic.decode.Order`); the scorer's own where it is not given.
    order: Order | str | None
    #: With the method ilp: no compression has more characters.
    max_chars: int | None
    #: Print a pronoun as its antecedent where that is deleted: "the man was arrested" for "he was arrested".
    resolve_pronouns: bool


class Compressor:
    """Compresses English text; holds a parser and a scorer and can be used again and again.

    The scorer is a maximum entropy model or a network; one that is also the parser parses and scores in one pass.
    """

    def __init__(self, parser: Parser, scorer: Model | NetworkParser, *, maxent: Path | None = None) -> None:
        self.parser = parser
        self.scorer = scorer
        self._maxent = maxent

    @cached_property
    def model(self) -> Model:
        """The maximum entropy model; loaded when it is asked for, where a network is the scorer."""
        if isinstance(self.scorer, Model):
            return self.scorer
        if self._maxent is None:
            raise LaconicError("the methods nss and ilp score with maxent: leave out scorer='network', or use topdown")
        return Model.load(maxent_folder(self._maxent))

    def compress(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> list[list[Compression]]:
        """The k best compressions of every sentence of a text, one list for each sentence."""
        (result,) = self.batch([text], k, **options)
        return [list(sentence.compressions) for sentence in result.sentences]

    def batch(self, texts: Sequence[str | Doc], k: int = 1, **options: Unpack[Options]) -> list[Result]:
        """The results of several texts, parsed together."""
        if isinstance(texts, str):
            raise LaconicError("batch takes several texts: give a list of them, or use compress for one")
        method = check_options(k, **options)
        parses, scorer = self.read(texts, method)
        decoded = decode(parses, scorer, k=k, **options)
        results = realise(parses, decoded)
        if (max_chars := options.get("max_chars")) is not None:
            _refuse_longer(results, max_chars)
        return results

    def stream(
        self, texts: Iterable[str | Doc], k: int = 1, *, batch_size: int = BATCH_SIZE, **options: Unpack[Options]
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
            yield from self.batch(batch, k, **options)
            size = min(2 * size, batch_size)

    def tree(self, text: str | Doc) -> list[Tree]:
        """The transformed tree of every sentence of a text, with the probabilities of its edges."""
        return make_trees(*self.read([text]))

    def read(self, texts: Sequence[str | Doc], method: Method = Method.TOPDOWN) -> tuple[Parses, Model | Probabilities]:
        """The parses of texts, and what scores the edges of their trees."""
        if self.parser is self.scorer and method is Method.TOPDOWN:
            return self.scorer.read(texts)
        parses = self.parser.parse(texts)
        return parses, self.score(parses, method)

    def score(self, parses: Parses, method: Method = Method.TOPDOWN) -> Model | Probabilities:
        """What scores the edges of the trees of parses; the methods of the paper alone take its model."""
        if isinstance(self.scorer, Model) or method is not Method.TOPDOWN:
            return self.model
        return self.scorer.score(parses)


def check_options(k: int, **options: Unpack[Options]) -> Method:
    """Refuse what cannot be asked for, before anything takes time; the method."""
    check_k(k)
    method = check_method(options.get("method", Method.TOPDOWN))
    max_chars = options.get("max_chars")
    check_max_chars(max_chars, method)
    check_resolve_pronouns(options.get("resolve_pronouns", False), max_chars)
    if (rho := options.get("rho")) is not None:
        check_rho(rho)
    if (order := options.get("order")) is not None:
        check_order(order)
    return method


def load(
    model: str | Path | None = None,
    *,
    parser: str | None = None,
    scorer: str | None = None,
    split: bool = True,
    threads: int = 1,
) -> Compressor:
    """A compressor, ready for use.

    `model` is the name of a model that comes with laconic, `default` or `small`, or a folder that `laconic train` or
    `laconic train-network` wrote. `parser` is `network`, `spacy`, or the name of an installed spaCy pipeline; `scorer`
    is `network` or `maxent`; where they are not given, they are what the model has, and the parser, network or spaCy's
    small one, is what it was trained behind. With `split=False` every text is one sentence (up to 20,000 characters).
    `threads` are the network's.
    """
    folder = model_folder(model)
    maxent = None if scorer == NETWORK else folder  # who asks for the network gets no other
    if scorer is None:
        scorer = NETWORK if (folder / HEADER_NAME).exists() else MAXENT
    if scorer not in (NETWORK, MAXENT):
        raise LaconicError(f"unknown scorer {scorer!r}: use {NETWORK} or {MAXENT}")
    if scorer == MAXENT:
        opened = Model.load(maxent_folder(folder))
        if parser is None and not (folder / HEADER_NAME).exists():
            parser = opened.parser
        return Compressor(load_parser(parser, model=folder, split=split, threads=threads), opened)
    from laconic.parse.network import NetworkParser

    loaded = load_parser(parser, model=folder, split=split, threads=threads)
    if isinstance(loaded, NetworkParser):
        return Compressor(loaded, loaded, maxent=maxent)
    return Compressor(loaded, NetworkParser(network_folder(folder), threads=threads), maxent=maxent)


def compress(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> list[list[Compression]]:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them; later calls use them again.
    """
    return _default_compressor().compress(text, k, **options)


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
