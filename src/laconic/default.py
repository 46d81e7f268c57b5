"""The functions of the package: the default parser and model are loaded when one of them is called first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Unpack, overload

from laconic.compressor import Compressor, Options, Raise, Text, load
from laconic.errors import LaconicError
from laconic.foreign import Language
from laconic.limits import LimitOptions
from laconic.results import Result

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.document.fit import Fitted
    from laconic.document.relevance import Relevance
    from laconic.document.several import FittedAll


def compress(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them; later calls use them again.
    """
    return _default_compressor().compress(text, k, **options)


@lru_cache(maxsize=1)
def _default_compressor() -> Compressor:
    return load()


def fit(
    text: str | Doc,
    *,
    format: str = "markdown",  # noqa: A002
    language: Language | str | None = None,
    query: str | None = None,
    relevance: Relevance | None = None,
    threads: int | None = None,
    **limits: Unpack[LimitOptions],
) -> Fitted:
    """A whole document within one budget, with the default parser and model: see `Compressor.fit`."""
    return _default_compressor().fit(
        text, format=format, language=language, query=query, relevance=relevance, threads=threads, **limits
    )


def fit_all(
    documents: Sequence[str] | Mapping[str, str],
    *,
    format: str | Sequence[str] = "markdown",  # noqa: A002
    language: Language | str | None = None,
    query: str | None = None,
    relevance: Relevance | None = None,
    threads: int | None = None,
    **limits: Unpack[LimitOptions],
) -> FittedAll:
    """Several documents within one budget, with the default parser and model: see `Compressor.fit_all`."""
    return _default_compressor().fit_all(
        documents, format=format, language=language, query=query, relevance=relevance, threads=threads, **limits
    )


@overload
def fit_batch(
    texts: Sequence[Text],
    *,
    format: str = "markdown",
    language: Language | str | None = None,
    threads: int | None = None,
    errors: Raise = "raise",
    **limits: Unpack[LimitOptions],
) -> list[Fitted]: ...
@overload
def fit_batch(
    texts: Sequence[Text],
    *,
    format: str = "markdown",
    language: Language | str | None = None,
    threads: int | None = None,
    errors: str,
    **limits: Unpack[LimitOptions],
) -> list[Fitted | LaconicError]: ...
def fit_batch(
    texts: Sequence[Text],
    *,
    format: str = "markdown",  # noqa: A002
    language: Language | str | None = None,
    threads: int | None = None,
    errors: str = "raise",
    **limits: Unpack[LimitOptions],
) -> list[Fitted] | list[Fitted | LaconicError]:
    """Several documents, each within the budget, with the default parser and model: see `Compressor.fit_batch`."""
    return _default_compressor().fit_batch(
        texts, format=format, language=language, threads=threads, errors=errors, **limits
    )


def explain(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the reason for every deletion."""
    return _default_compressor().explain(text, k, **options)
