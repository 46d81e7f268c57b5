"""A compress request: its checked options, the limits made of them, and the run of the later stages on parsed texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from laconic._core import Unit
from laconic.compress_sentences import compress_sentences
from laconic.decode import Method
from laconic.decode.choices import check_k, check_limits
from laconic.errors import LaconicError
from laconic.foreign import find_foreign, leave_as_they_are
from laconic.levels import Level
from laconic.limits import Limits
from laconic.options import CompressOptions, DocumentOptions, FitOptions, LimitOptions, Options, complete, fields
from laconic.parse import Parser
from laconic.parse.spacy import check_doc
from laconic.plan import level_for
from laconic.refused import Refused, check_texts, take_all_markers_out
from laconic.request import Request
from laconic.results import Result
from laconic.score import LevelScores, Model
from laconic.texts import compress_texts, several_sentences
from laconic.tree import Forest, make_forest

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: What is compressed: a text, or a parsed spaCy `Doc`.
Text: TypeAlias = "str | Doc"
#: Any number of texts; iterated over only once.
Texts: TypeAlias = Iterable[Text]


@dataclass(frozen=True, slots=True)
class Asked:
    """The texts of a batch that can be read, with the checked options; errors of the others are in `unread`."""

    texts: Sequence[Text]  # without those in `unread`
    options: CompressOptions  # with the defaults filled in
    limits: Limits
    unread: Refused
    refused: Refused  # by index in `texts`: their protection markers are not balanced

    @classmethod
    def of(cls, parser: Parser, texts: Sequence[Text], k: int, options: Options) -> Asked:
        """Check the options and texts; invalid options raise an error."""
        asked, limits = check_options(k, **options)
        texts, unread = check_texts(texts, getattr(parser, "check", _check_doc))
        refused: Refused = {}
        if asked["protect"] is not None:
            texts, protected, refused = take_all_markers_out(texts, asked["protect"])
            limits = replace(limits, protected=protected)
        return cls(texts, asked, limits, unread, refused)

    @property
    def method(self) -> Method:
        """How compressions are searched for."""
        return Method(self.options["method"])

    def compress(self, forest: Forest, scores: Model | LevelScores) -> tuple[list[Result], Refused]:
        """The results of the texts, given their trees, and the errors of refused texts."""
        options = self.options
        request = Request(
            k=options["k"],
            method=self.method,
            level=level_for(scores, options["level"], rho=options["rho"]),
            rho=options["rho"],
            order=options["order"],
            guarded=options["guard"],
            resolves=options["resolve_pronouns"],
            explains=options["explain"],
        )
        foreign = find_foreign(forest.parses.texts(), options["language"])
        results, misfits = _compress(
            forest, scores, self.limits, request, foreign=foreign, each=options["each_sentence"]
        )
        return results, misfits | self.refused


def _compress(
    forest: Forest,
    scores: Model | LevelScores,
    limits: Limits,
    request: Request,
    *,
    foreign: NDArray[np.bool_],
    each: bool,
) -> tuple[list[Result], Refused]:
    """The results of the texts, and the errors of refused ones.

    `foreign` texts are left unchanged. A budget applies to `each` sentence, or to each text as a whole.
    """

    def leave(forest: Forest, _: Model | LevelScores, limits: Limits, request: Request) -> tuple[list[Result], Refused]:
        return leave_as_they_are(forest, limits, each=each, explains=request.explains)

    of_text = np.zeros(len(forest.parses), dtype=np.bool_)
    if limits.budget.unit is not Unit.ANY and not each:
        of_text = several_sentences(forest) & ~foreign
    ways = ((~of_text & ~foreign, compress_sentences), (of_text, compress_texts), (foreign, leave))
    results: dict[int, Result] = {}
    refused: Refused = {}
    for own, compress in ways:
        if own.all():
            return compress(forest, scores, limits, request)
        if not own.any():
            continue
        numbers = np.flatnonzero(own)
        parses, rows = forest.parses.take(numbers)
        found, misfits = compress(
            make_forest(parses),
            scores if isinstance(scores, Model) else scores.take(rows),
            limits.take(numbers.tolist()),
            request,
        )
        results |= dict(zip(numbers.tolist(), found, strict=True))
        refused |= {int(numbers[i]): error for i, error in misfits.items()}
    return [results[number] for number in range(len(results))], refused


def _check_doc(doc: Doc) -> None:
    """The check of a `Doc` for parsers that have no check of their own."""
    check_doc(doc)


def check_options(k: int, **options: Unpack[Options]) -> tuple[CompressOptions, Limits]:
    """The options with defaults filled in, and their limits; refuses invalid values and combinations."""
    check_k(k)
    asked = cast(CompressOptions, complete("compress", {**options, "k": k}))
    method = Method(asked["method"])
    limits = _limits(asked)
    check_limits(limits, method, asked["resolve_pronouns"])
    if asked["protect"] is not None and method is not Method.TOPDOWN:
        raise LaconicError(f"protect goes with the method topdown: leave out protect or the method {method}")
    if asked["level"] not in (None, Level.HEADLINE) and method is not Method.TOPDOWN:
        raise LaconicError(f"the method {method} writes headlines only: drop the method or the level {asked['level']}")
    return asked, limits


def check_fit_options(options: FitOptions | DocumentOptions) -> tuple[FitOptions, Limits]:
    """The same for documents, which refuse spans: users do not know the offsets of a document's words."""
    asked = cast(FitOptions, complete("fit", options))
    limits = _limits(asked)
    for constraint in limits.constraints:
        if constraint.span is not None:
            raise LaconicError(f"{constraint} does not go with a document: name words or kinds of words")
    return asked, limits


def _limits(asked: CompressOptions | FitOptions) -> Limits:
    """The limits on length and words that the options ask for."""
    return Limits.of(**cast(LimitOptions, {name: asked.get(name) for name in fields(LimitOptions)}))
