"""The compressor: text → parse → tree → score → decode → realise → text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from laconic.decode import Decoded, Method, Order, decode
from laconic.decode.options import Objective, check_k, check_limits, check_method, check_order, check_rho
from laconic.errors import LaconicError, shorten
from laconic.explanation import Explainer
from laconic.limits import LimitOptions, Limits
from laconic.limits.budget import BUDGET_RHO
from laconic.limits.limits import BoundLimits
from laconic.limits.markers import check_markers, take_markers_out
from laconic.model_folders import HEADER_NAME, NETWORK, maxent_folder, model_folder, network_folder
from laconic.parse import Parser, Parses, load_parser
from laconic.realise import print_pieces
from laconic.results import Compression, Resolved, Result, Sentence
from laconic.score import Model, Probabilities
from laconic.tree import Tree, make_trees

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.document.fit import Fitted
    from laconic.parse.network import NetworkParser

#: The scorer of the paper.
MAXENT: Final = "maxent"

#: Options of a decoder.
_DECODING: Final = ("method", "rho", "order", "resolve_pronouns")

#: Texts that are parsed together, at most.
BATCH_SIZE: Final = 128


class Options(LimitOptions, total=False):
    """What can be asked of a compression, besides k."""

    #: `topdown`; or the paper's `nss` and `ilp`, which take the maximum entropy model as scorer.
    method: Method | str
    #: The threshold between deleting (0) and retaining (1); the scorer's own where it is not given.
    rho: float | None
    #: `score` or `expected-f1` (see `laconic.decode.Order`); the scorer's own where it is not given.
    order: Order | str | None
    #: Print a pronoun as its antecedent where that is deleted: "the man was arrested" for "he was arrested".
    resolve_pronouns: bool
    #: Say of every compression what is gone and why: `Compression.deletions`.
    explain: bool


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
        method, limits = check_options(k, **options)
        if (markers := options.get("protect")) is not None:
            texts, protected = _take_markers_out(texts, check_markers(markers))
            limits = replace(limits, protected=protected)
        parses, scorer = self.read(texts, method)
        how: dict[str, Any] = {"k": k, **{name: value for name, value in options.items() if name in _DECODING}}
        bound = limits.bind(parses, resolves=options.get("resolve_pronouns", False)) if limits else None
        decoded = decode(parses, scorer, limits=bound, **how)
        if bound is not None:
            bound.refuse(decoded)
            bound.warn(decoded)
        explainer = _explainer(parses, scorer, decoded, bound, how) if options.get("explain") else None
        results = realise(parses, decoded, limits.protected, explainer)
        if method is Method.ILP and isinstance(limits.budget.most, int):
            _refuse_longer(results, limits.budget.most)
        return results

    def explain(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
        """The k best compressions of every sentence of a text with the reason for every deletion.

        A notebook shows the result with what is gone struck through.
        """
        options["explain"] = True
        return self.batch([text], k, **options)[0]

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
        for name in ("keep", "drop", "keep_all", "drop_all"):
            if not isinstance(options.get(name), str | Sequence | None):
                raise LaconicError(f"{name} is {options.get(name)!r}: give a list, which can be read for every batch")
        iterator = iter(texts)
        size = 1
        while batch := list(islice(iterator, size)):
            yield from self.batch(batch, k, **options)
            size = min(2 * size, batch_size)

    def fit(
        self,
        text: str,
        *,
        format: str = "markdown",  # noqa: A002
        start: Callable[[int], None] = lambda _: None,
        advance: Callable[[int], None] = lambda _: None,
        **limits: Unpack[LimitOptions],
    ) -> Fitted:
        """A whole document within one budget: of every sentence a compression, the whole, or nothing.

        The budget is `max_chars`, `max_words` or `max_tokens`, or a `rate` of the document's characters. The format is
        `markdown`, whose structure survives, or `text`. Constraints are about the words of sentences; spans and markers
        do not apply. `start` is told how many characters there are, `advance` how many are read.
        """
        from laconic.document.fit import fit

        return fit(self, text, _document_limits(limits), format=format, start=start, advance=advance)

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


def check_options(k: int, **options: Unpack[Options]) -> tuple[Method, Limits]:
    """Refuse what cannot be asked for, before anything takes time; the method, and the limits."""
    check_k(k)
    method = check_method(options.get("method", Method.TOPDOWN))
    unknown = sorted(set(options) - Options.__annotations__.keys())
    if unknown:
        raise LaconicError(f"unknown option {unknown[0]!r}: use one of {', '.join(Options.__annotations__)}")
    limits = Limits.of(**_limit_options(options))
    check_limits(limits, method, options.get("resolve_pronouns", False))
    if (markers := options.get("protect")) is not None:
        check_markers(markers)
        if method is not Method.TOPDOWN:
            raise LaconicError(f"protect goes with the method topdown: leave out it or the method {method}")
    if (rho := options.get("rho")) is not None:
        check_rho(rho)
    if (order := options.get("order")) is not None:
        check_order(order)
    return method, limits


def load(
    model: str | Path | None = None,
    *,
    parser: str | Parser | None = None,
    scorer: str | None = None,
    split: bool = True,
    threads: int = 1,
) -> Compressor:
    """A compressor, ready for use.

    `model` is the name of a model that comes with laconic, `default` or `small`, or a folder that `laconic train` or
    `laconic train-network` wrote. `parser` is `network`, `spacy`, the name of an installed spaCy pipeline, or one that
    is open already; `scorer` is `network` or `maxent`; where they are not given, they are what the model has, and the
    parser, network or spaCy's small one, is what it was trained behind. With `split=False` every text is one sentence
    (up to 20,000 characters). `threads` are the network's.
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
        return Compressor(_open_parser(parser, folder, split, threads), opened)
    from laconic.parse.network import NetworkParser

    loaded = _open_parser(parser, folder, split, threads)
    if isinstance(loaded, NetworkParser):
        return Compressor(loaded, loaded, maxent=maxent)
    return Compressor(loaded, NetworkParser(network_folder(folder), threads=threads), maxent=maxent)


def _open_parser(parser: str | Parser | None, model: Path, split: bool, threads: int) -> Parser:
    if parser is not None and not isinstance(parser, str):
        return parser
    return load_parser(parser, model=model, split=split, threads=threads)


def compress(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> list[list[Compression]]:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them; later calls use them again.
    """
    return _default_compressor().compress(text, k, **options)


@lru_cache(maxsize=1)
def _default_compressor() -> Compressor:
    return load()


def fit(text: str, *, format: str = "markdown", **limits: Unpack[LimitOptions]) -> Fitted:  # noqa: A002
    """A whole document within one budget, with the default parser and model: see `Compressor.fit`."""
    return _default_compressor().fit(text, format=format, **limits)


def explain(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the reason for every deletion."""
    return _default_compressor().explain(text, k, **options)


def _take_markers_out(
    texts: Sequence[str | Doc], markers: tuple[str, str]
) -> tuple[list[str], tuple[tuple[tuple[int, int], ...], ...]]:
    """Texts without protection markers, and the spans in each that they protect."""
    if not all(isinstance(text, str) for text in texts):
        raise LaconicError("protect takes markers out of texts, not of a Doc: give the text, or spans to keep")
    found = [take_markers_out(str(text), markers) for text in texts]
    return [text for text, _ in found], tuple(tuple(spans) for _, spans in found)


def _explainer(
    parses: Parses, scorer: Model | Probabilities, decoded: Decoded, bound: BoundLimits | None, how: dict[str, Any]
) -> Explainer:
    """What explains results: it compares them with what there is without limits, and without a budget."""
    free = unbudgeted = None
    if bound is not None:
        # With the objective and the threshold that limits bring with them, or all would be their doing.
        if check_method(how.get("method", Method.TOPDOWN)) is Method.TOPDOWN:
            how = {**how, "objective": Objective.JOINT}
        if how.get("rho") is None and bound.limits.budget.has_maximum:
            how = {**how, "rho": BUDGET_RHO}
        free = decode(parses, scorer, **how)
        if bound.limits.budget.unit and bound.reasons:
            unbudgeted = decode(parses, scorer, limits=bound.without_budget(), **how)
    return Explainer(parses, make_trees(parses, scorer), decoded, bound, free, unbudgeted)


def _document_limits(options: LimitOptions) -> Limits:
    """The limits of a document, whose words have no offsets that a user would know."""
    unknown = sorted(set(options) - LimitOptions.__annotations__.keys())
    if unknown:
        raise LaconicError(f"unknown option {unknown[0]!r}: use one of {', '.join(LimitOptions.__annotations__)}")
    if options.get("protect") is not None:
        raise LaconicError("protect does not go with a document: name what must stay with keep")
    limits = Limits.of(**options)
    for constraint in limits.constraints:
        if constraint.span is not None:
            raise LaconicError(f"{constraint} does not go with a document: name words or kinds of words")
    return limits


def _limit_options(options: Options) -> LimitOptions:
    """Those of the options that are about length and words."""
    named = {name: value for name, value in options.items() if name in LimitOptions.__annotations__}
    return cast(LimitOptions, named)


def _refuse_longer(results: list[Result], max_chars: int) -> None:
    """A sentence for which the ILP has no compression that fits comes back whole: too long."""
    for result in results:
        for sentence in result.sentences:
            if len(sentence.compressions[0].text) > max_chars:
                shown = shorten(sentence.text)
                raise LaconicError(f"no compression of {shown!r} fits into {max_chars} characters: give more")


def realise(
    parses: Parses,
    decoded: Decoded,
    exact: Sequence[Sequence[tuple[int, int]]] = (),
    explainer: Explainer | None = None,
) -> list[Result]:
    """The printed form of decoded results; what is `exact`, text by text, is printed as it is."""
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
            instead = pronouns[pieces] if resolves else None
            printed, spans = print_pieces(
                parses,
                text,
                int(decoded.sentence_first[i]),
                starts[pieces],
                ends[pieces],
                spaces[pieces],
                instead,
                exact[number] if exact else (),
            )
            resolved = _resolved(parses, starts[pieces], ends[pieces], instead) if instead else ()
            deletions = None if explainer is None else explainer.deletions(i, row, spans)
            rate = len(printed) / len(whole)
            compressions.append(Compression(printed, scores[row], rank, rate, spans, resolved, deletions))
        if not compressions:  # nothing but punctuation
            deletions = None if explainer is None else ()
            compressions = [Compression(whole, 0.0, 1, 1.0, ((start, end),), deletions=deletions)]
        sentences[number].append(Sentence(whole, start, end, tuple(compressions)))
    return [Result(text, tuple(found)) for text, found in zip(texts, sentences, strict=True)]


def _resolved(parses: Parses, starts: list[int], ends: list[int], pronouns: list[int]) -> tuple[Resolved, ...]:
    """Which pieces are printed in the place of which pronouns (rows of the parses; -1: of none)."""
    found: dict[int, list[tuple[int, int]]] = {}
    for start, end, row in zip(starts, ends, pronouns, strict=True):
        if row >= 0:
            found.setdefault(row, []).append((start, end))
    return tuple(Resolved((int(parses.start[row]), int(parses.end[row])), tuple(spans)) for row, spans in found.items())
