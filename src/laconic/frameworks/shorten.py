"""The common part of the frameworks' components: fit documents into a budget, given the query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from laconic import default
from laconic.document.fit import check_budget
from laconic.limits import Limits
from laconic.options import FitOptions, LimitOptions, check, fields

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.fit import Fitted

#: The keys in a document's metadata: its original number of characters, and the spans of what is left.
CHARS: Final = "laconic_chars"
SPANS: Final = "laconic_spans"


@contextmanager
def needed(module: str, library: str, extra: str) -> Iterator[None]:
    """Wraps the imports of a framework: if it is missing, the error names the extra to install."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f'{module} needs {library}: pip install "laconic[{extra}]"') from error


@dataclass(frozen=True, slots=True)
class Shortened:
    """What is left of a document, with metadata."""

    text: str
    metadata: dict[str, Any] = field(default_factory=dict)


class Shortener:
    """Fits documents into a budget, together or each on its own; a document of which nothing is left is removed.

    By default, the compressor is the default one, loaded on first use. The options are those of `laconic.fit`.
    """

    def __init__(
        self, *, compressor: Compressor | None = None, each: bool = False, **options: Unpack[FitOptions]
    ) -> None:
        asked = check("fit", options)  # invalid options fail here, before the first query
        limits = {name: asked[name] for name in fields(LimitOptions) if name in asked}
        check_budget(Limits.of(**cast(LimitOptions, limits)).budget)
        self._compressor, self._each = compressor, each
        self._options: dict[str, Any] = dict(options)

    def __call__(self, texts: Sequence[str | None], query: str | None = None) -> list[Shortened | None]:
        """What is left of each text, in order; None: nothing. Items without text are unchanged."""
        given = {i: text for i, text in enumerate(texts) if text is not None and text.strip()}
        found: list[Shortened | None] = [Shortened(text or "") for text in texts]
        for (i, text), fitted in zip(given.items(), self._fit(list(given.values()), query), strict=True):
            found[i] = _shortened(text, fitted)
        return found

    def _fit(self, texts: list[str], query: str | None) -> Sequence[Fitted]:
        if not texts:
            return []
        how = dict(self._options)
        if query is not None and any(map(str.isalnum, query)):
            how["query"] = query
        if how.get("query") is None:
            how.pop("relevance", None)  # without a query, there is no relevance
        home = self._compressor or default
        return home.fit_batch(texts, **how) if self._each else home.fit_all(texts, **how).documents


class Shortens:
    """A mixin for components whose framework class takes no arguments: its constructor takes ours."""

    def __init__(
        self, *, compressor: Compressor | None = None, each: bool = False, **options: Unpack[FitOptions]
    ) -> None:
        super().__init__()
        self._shortener = Shortener(compressor=compressor, each=each, **options)


def _shortened(text: str, fitted: Fitted) -> Shortened | None:
    if not fitted.text.strip():
        return None
    return Shortened(fitted.text, {CHARS: len(text), SPANS: [list(span) for span in fitted.spans]})
