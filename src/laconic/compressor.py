"""The compressor: text → parse → tree → score → guard → decode → realise → text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, Unpack, cast, overload

from laconic.decode import Decoded, Method, Order, decode
from laconic.decode.options import Objective, check_k, check_limits, check_method, check_order, check_rho
from laconic.errors import LaconicError
from laconic.explanation import Comparisons, Explainer
from laconic.guard import Pins
from laconic.levels import Level, check_level
from laconic.limits import LimitOptions, Limits
from laconic.limits.limits import BoundLimits
from laconic.limits.markers import check_markers
from laconic.model_folders import HEADER_NAME, NETWORK, maxent_folder, model_folder, network_folder
from laconic.parse import Parser, Parses, load_parser
from laconic.parse.spacy import check_doc
from laconic.plan import Plan, level_for, make_plan, policy_for
from laconic.realise import realise
from laconic.refused import Refused, check_texts, put_back, raise_first, refuse_longer, take_all_markers_out
from laconic.results import Result
from laconic.score import LevelScores, Model
from laconic.tree import Forest, Tree, make_forest, make_trees

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.document.fit import Fitted
    from laconic.document.relevance import Relevance
    from laconic.document.several import FittedAll
    from laconic.parse.network import NetworkParser
    from laconic.parse.texts import Spans

#: The scorer of the paper.
MAXENT: Final = "maxent"

#: Options of a decoder.
_DECODING: Final = ("method", "order", "resolve_pronouns")

#: Texts that are parsed together, at most.
BATCH_SIZE: Final = 128

#: What is compressed: a text, or a parsed spaCy `Doc`.
Text: TypeAlias = "str | Doc"
#: The error of a text is raised, not returned.
Raise: TypeAlias = Literal["raise"]


class Options(LimitOptions, total=False):
    """What can be asked of a compression, besides k."""

    #: `topdown`; or the paper's `nss` and `ilp`, which take the maximum entropy model as scorer.
    method: Method | str
    #: `light`, `medium` (the default), `short`, or `headline`; a budget without a level replaces it.
    level: Level | str | None
    #: Whether what changes the truth, and what a word cannot do without, stays (the default).
    guard: bool
    #: The threshold between deleting (0) and retaining (1), for headlines; the scorer's own where it is not given.
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

    def compress(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
        """The k best compressions of every sentence of a text."""
        return self.batch([text], k, **options)[0]

    @overload
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: Raise = "raise", **options: Unpack[Options]
    ) -> list[Result]: ...
    @overload
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: str, **options: Unpack[Options]
    ) -> list[Result | LaconicError]: ...
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: str = "raise", **options: Unpack[Options]
    ) -> list[Result] | list[Result | LaconicError]:
        """The results of several texts, parsed together.

        With `errors="return"`, a text that is refused has its error in the place of its result, and the others have
        theirs; a `MisfitError` says how short the sentence could be that does not fit. Bad options are always raised.
        """
        if isinstance(texts, str):
            raise LaconicError("batch takes several texts: give a list of them, or use compress for one")
        _check_errors(errors)
        method, limits = check_options(k, **options)
        texts, unread = check_texts(texts, getattr(self.parser, "check", _check_doc))
        refused: Refused = {}
        if (markers := options.get("protect")) is not None:
            texts, protected, refused = take_all_markers_out(texts, check_markers(markers))
            limits = replace(limits, protected=protected)
        if errors == "raise":
            raise_first(unread or refused)
        resolves = options.get("resolve_pronouns", False)
        how: dict[str, Any] = {"k": k, **{name: value for name, value in options.items() if name in _DECODING}}
        forest, scores = self.read(texts, method)
        level = level_for(scores, options.get("level"), rho=options.get("rho"))
        bound = limits.bind(forest, resolves=resolves) if limits else None
        policy = policy_for(scores, level, guarded=options.get("guard", True))
        plan = make_plan(
            forest, scores, level=level, limits=bound, policy=policy, rho=options.get("rho"), resolve_pronouns=resolves
        )
        how |= plan.how
        decoded = decode(forest, plan.scorer, limits=bound, **how)
        if bound is not None:
            refused = bound.refused(decoded) | refused
            if errors == "raise":
                raise_first(refused)
            bound.warn(decoded, refused)
        explainer = None
        if options.get("explain"):
            free = plan.pins
            if bound is not None and not (level is None and limits.budget.has_maximum):
                # The level before, which a level is within, has not met the limits either.
                free = make_plan(forest, scores, level=level, policy=policy, resolve_pronouns=resolves).pins
            explainer = _explainer(forest, plan, decoded, bound, how, free)
        results = realise(forest, decoded, limits.protected, bound, explainer, plan.whole)
        if method is Method.ILP and isinstance(limits.budget.most, int):
            refused = refuse_longer(results, limits.budget.most) | refused
            if errors == "raise":
                raise_first(refused)
        return put_back(results, refused, unread)

    def explain(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
        """The k best compressions of every sentence of a text with the reason for every deletion.

        A notebook shows the result with what is gone struck through.
        """
        options["explain"] = True
        return self.batch([text], k, **options)[0]

    @overload
    def stream(
        self,
        texts: Iterable[Text],
        k: int = 1,
        *,
        batch_size: int = BATCH_SIZE,
        errors: Raise = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Result]: ...
    @overload
    def stream(
        self,
        texts: Iterable[Text],
        k: int = 1,
        *,
        batch_size: int = BATCH_SIZE,
        errors: str,
        **options: Unpack[Options],
    ) -> Iterator[Result | LaconicError]: ...
    def stream(
        self,
        texts: Iterable[Text],
        k: int = 1,
        *,
        batch_size: int = BATCH_SIZE,
        errors: str = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Result] | Iterator[Result | LaconicError]:
        """The results of many texts, in order, while they are read: memory does not grow with their number.

        The first batch is one text and later ones are larger, up to `batch_size`: the first result comes early. With
        `errors="return"` a text that is refused does not end the stream: see `batch`.
        """
        if isinstance(texts, str):
            raise LaconicError("stream takes many texts: give a list or another iterable of them, not one text")
        if batch_size < 1:
            raise LaconicError(f"batch_size is {batch_size}: give 1 or more")
        for name in ("keep", "drop", "keep_all", "drop_all"):
            if not isinstance(options.get(name), str | Sequence | None):
                raise LaconicError(f"{name} is {options.get(name)!r}: give a list, which can be read for every batch")
        _check_errors(errors)
        return self._stream(iter(texts), k, batch_size, errors, options)

    def _stream(
        self, texts: Iterator[Text], k: int, batch_size: int, errors: str, options: Options
    ) -> Iterator[Result | LaconicError]:
        size = 1
        while batch := list(islice(texts, size)):
            yield from self.batch(batch, k, errors=errors, **options)
            size = min(2 * size, batch_size)

    def fit(
        self,
        text: str,
        *,
        format: str = "markdown",  # noqa: A002
        query: str | None = None,
        relevance: Relevance | None = None,
        threads: int | None = None,
        start: Callable[[int], None] = lambda _: None,
        advance: Callable[[int], None] = lambda _: None,
        **limits: Unpack[LimitOptions],
    ) -> Fitted:
        """A whole document within one budget: of every sentence a compression, the whole, or nothing.

        The budget is `max_chars`, `max_words` or `max_tokens`, or a `rate` of the document's characters; what is within
        it is returned as it is. The format is `markdown`, whose structure survives, or `text`. Constraints are about
        the words of sentences; spans and markers do not apply. With a `query`, a question or words, what answers it is
        worth most; `relevance` is a function of sentences and the query that returns a score for each, in the place of
        our own. `threads` are all cores where they are not given.
        `start` is told how many characters there are, `advance` how many are read.
        """
        from laconic.document.fit import fit_documents

        (found,) = fit_documents(
            self,
            [text],
            _document_limits(limits),
            format=format,
            query=query,
            relevance=relevance,
            start=start,
            advance=advance,
            threads=_check_threads(threads),
        )
        if isinstance(found, LaconicError):
            raise found
        return found

    @overload
    def fit_batch(
        self,
        texts: Sequence[str],
        *,
        format: str = "markdown",
        threads: int | None = None,
        errors: Raise = "raise",
        **limits: Unpack[LimitOptions],
    ) -> list[Fitted]: ...
    @overload
    def fit_batch(
        self,
        texts: Sequence[str],
        *,
        format: str = "markdown",
        threads: int | None = None,
        errors: str,
        **limits: Unpack[LimitOptions],
    ) -> list[Fitted | LaconicError]: ...
    def fit_batch(
        self,
        texts: Sequence[str],
        *,
        format: str = "markdown",  # noqa: A002
        threads: int | None = None,
        errors: str = "raise",
        **limits: Unpack[LimitOptions],
    ) -> list[Fitted] | list[Fitted | LaconicError]:
        """Several documents, each within the budget: see `fit`. Their sentences are parsed together.

        With `errors="return"`, a document that is refused has its error in the place of its result. Bad options are
        always raised.
        """
        from laconic.document.fit import fit_documents

        if isinstance(texts, str):
            raise LaconicError("fit_batch takes several documents: give a list of them, or use fit for one")
        _check_errors(errors)
        asked, cores = _document_limits(limits), _check_threads(threads)
        found = fit_documents(self, texts, asked, format=format, threads=cores)
        if errors == "raise":
            raise_first({number: one for number, one in enumerate(found) if isinstance(one, LaconicError)})
        return found

    def fit_all(
        self,
        documents: Sequence[str] | Mapping[str, str],
        *,
        format: str | Sequence[str] = "markdown",  # noqa: A002
        query: str | None = None,
        relevance: Relevance | None = None,
        threads: int | None = None,
        start: Callable[[int], None] = lambda _: None,
        advance: Callable[[int], None] = lambda _: None,
        **limits: Unpack[LimitOptions],
    ) -> FittedAll:
        """Several documents within one budget: one choice over all of them; see `fit`.

        They are texts, or texts by name, which their results have as `source`. The `format` is one for all, or one for
        each. A sentence that says the same as one of another document counts once. What is printed of the documents,
        with a blank line between two, is within the budget.
        """
        from laconic.document.several import Source, fit_together

        if isinstance(documents, str):
            raise LaconicError("fit_all takes several documents: give a list of them, or use fit for one")
        named = list(documents.items()) if isinstance(documents, Mapping) else [(None, text) for text in documents]
        formats = [format] * len(named) if isinstance(format, str) else list(format)
        if len(formats) != len(named):
            raise LaconicError(f"there are {len(formats)} formats of {len(named)} documents: give one for each, or one")
        return fit_together(
            self,
            [Source(text, name, own) for (name, text), own in zip(named, formats, strict=True)],
            _document_limits(limits),
            query=query,
            relevance=relevance,
            start=start,
            advance=advance,
            threads=_check_threads(threads),
        )

    def tree(self, text: str | Doc, *, level: Level | str | None = None) -> list[Tree]:
        """The transformed tree of every sentence of a text, with the probabilities of its edges at a level."""
        forest, scores = self.read([text])
        asked = level_for(scores, level) or Level.MEDIUM
        return make_trees(forest, scores if isinstance(scores, Model) else scores.at(forest, asked))

    def read(
        self, texts: Sequence[str | Doc], method: Method = Method.TOPDOWN, *, whole: Sequence[Spans] = ()
    ) -> tuple[Forest, Model | LevelScores]:
        """The trees of texts, and what scores their edges; inside of spans that are `whole` no sentence ends."""
        if self.parser is self.scorer and method is Method.TOPDOWN:
            parses, scores = self.scorer.read(texts, whole)
            return make_forest(parses), scores
        # A parser of the user's own need not know of what is whole.
        parses = self.parser.parse(texts, whole) if any(whole) else self.parser.parse(texts)
        return make_forest(parses), self.score(parses, method)

    def score(self, parses: Parses, method: Method = Method.TOPDOWN) -> Model | LevelScores:
        """What scores the edges of the trees of parses; the methods of the paper alone take its model."""
        if isinstance(self.scorer, Model) or method is not Method.TOPDOWN:
            return self.model
        return self.scorer.score(parses)


def _check_doc(doc: Doc) -> None:
    """What is asked of a document where a parser asks nothing more."""
    check_doc(doc)


def _check_errors(errors: str) -> None:
    if errors not in ("raise", "return"):
        raise LaconicError(f"errors is {errors!r}: use raise or return")


def _check_threads(threads: int | None) -> int:
    """How many threads work on batches of a document: all cores, where it is not said."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads is None:
        return cores
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise LaconicError(f"threads is {threads!r}: give a whole number, 1 or more")
    return min(threads, cores)


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
    level = None if options.get("level") is None else check_level(options["level"] or "")
    if level not in (None, Level.HEADLINE) and method is not Method.TOPDOWN:
        raise LaconicError(f"the method {method} knows headlines alone: leave out it, or the level {level}")
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


def compress(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them; later calls use them again.
    """
    return _default_compressor().compress(text, k, **options)


@lru_cache(maxsize=1)
def _default_compressor() -> Compressor:
    return load()


def fit(
    text: str,
    *,
    format: str = "markdown",  # noqa: A002
    query: str | None = None,
    relevance: Relevance | None = None,
    threads: int | None = None,
    **limits: Unpack[LimitOptions],
) -> Fitted:
    """A whole document within one budget, with the default parser and model: see `Compressor.fit`."""
    return _default_compressor().fit(text, format=format, query=query, relevance=relevance, threads=threads, **limits)


def fit_all(
    documents: Sequence[str] | Mapping[str, str],
    *,
    format: str | Sequence[str] = "markdown",  # noqa: A002
    query: str | None = None,
    relevance: Relevance | None = None,
    threads: int | None = None,
    **limits: Unpack[LimitOptions],
) -> FittedAll:
    """Several documents within one budget, with the default parser and model: see `Compressor.fit_all`."""
    return _default_compressor().fit_all(
        documents, format=format, query=query, relevance=relevance, threads=threads, **limits
    )


@overload
def fit_batch(
    texts: Sequence[str],
    *,
    format: str = "markdown",
    threads: int | None = None,
    errors: Raise = "raise",
    **limits: Unpack[LimitOptions],
) -> list[Fitted]: ...
@overload
def fit_batch(
    texts: Sequence[str],
    *,
    format: str = "markdown",
    threads: int | None = None,
    errors: str,
    **limits: Unpack[LimitOptions],
) -> list[Fitted | LaconicError]: ...
def fit_batch(
    texts: Sequence[str],
    *,
    format: str = "markdown",  # noqa: A002
    threads: int | None = None,
    errors: str = "raise",
    **limits: Unpack[LimitOptions],
) -> list[Fitted] | list[Fitted | LaconicError]:
    """Several documents, each within the budget, with the default parser and model: see `Compressor.fit_batch`."""
    return _default_compressor().fit_batch(texts, format=format, threads=threads, errors=errors, **limits)


def explain(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the reason for every deletion."""
    return _default_compressor().explain(text, k, **options)


def _explainer(
    forest: Forest,
    plan: Plan,
    decoded: Decoded,
    bound: BoundLimits | None,
    how: dict[str, Any],
    free_pins: Pins | None,
) -> Explainer:
    """What explains results: it compares them with what there is with less asked, all else being the same.

    `free_pins` are those of the plan without limits.
    """
    free = unbudgeted = None
    if bound is not None:
        # With the objective that limits bring with them, or all would be their doing.
        if (
            check_method(how.get("method", Method.TOPDOWN)) is Method.TOPDOWN
            and plan.scorer.objective == Objective.MEAN
        ):
            how = {**how, "objective": Objective.JOINT}
        free = decode(forest, plan.scorer, **{**how, "pins": free_pins})
        if bound.limits.budget.unit and bound.reasons:
            unbudgeted = decode(forest, plan.scorer, limits=bound.without_budget(), **how)
    guarded = plan.pins is not None and bool(plan.pins.flags.any())
    unguarded = decode(forest, plan.scorer, **{**how, "k": 1, "pins": None}) if guarded else None
    return Explainer(
        forest, plan.given or plan.scorer, plan.pins, decoded, bound, Comparisons(unguarded, free, unbudgeted)
    )


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
