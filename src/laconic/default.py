"""The functions of the package: they share a default compressor, which is loaded on the first call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Unpack, overload

from laconic.asked import Text
from laconic.compressor import Compressor, Raise, load
from laconic.document.format import Format
from laconic.errors import LaconicError
from laconic.options import DocumentOptions, FitOptions, MessageOptions, Options
from laconic.results import Result

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.document.fit import Fitted
    from laconic.document.several import FittedAll
    from laconic.messages.chat_form import Message
    from laconic.messages.fitted_messages import FittedMessages


def compress(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the default parser and model.

    The first call loads them; later calls reuse them.
    """
    return _default_compressor().compress(text, k, **options)


@lru_cache(maxsize=1)
def _default_compressor() -> Compressor:
    return load()


def fit(text: str | Doc, **options: Unpack[FitOptions]) -> Fitted:
    """A whole document within one budget, with the default parser and model: see `Compressor.fit`."""
    return _default_compressor().fit(text, **options)


def fit_all(
    documents: Sequence[str] | Mapping[str, str],
    *,
    format: Format | str | Sequence[str] = Format.MARKDOWN,  # noqa: A002
    **options: Unpack[DocumentOptions],
) -> FittedAll:
    """Several documents within one budget, with the default parser and model: see `Compressor.fit_all`."""
    return _default_compressor().fit_all(documents, format=format, **options)


@overload
def fit_batch(texts: Sequence[Text], *, errors: Raise = "raise", **options: Unpack[FitOptions]) -> list[Fitted]: ...
@overload
def fit_batch(texts: Sequence[Text], *, errors: str, **options: Unpack[FitOptions]) -> list[Fitted | LaconicError]: ...
def fit_batch(
    texts: Sequence[Text], *, errors: str = "raise", **options: Unpack[FitOptions]
) -> list[Fitted] | list[Fitted | LaconicError]:
    """Several documents, each within the budget, with the default parser and model: see `Compressor.fit_batch`."""
    return _default_compressor().fit_batch(texts, errors=errors, **options)


def fit_messages(messages: Sequence[Message], **options: Unpack[MessageOptions]) -> FittedMessages:
    """A chat history within one budget, with the default parser and model: see `Compressor.fit_messages`."""
    return _default_compressor().fit_messages(messages, **options)


def explain(text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
    """The k best compressions of every sentence of a text, with the reason for every deletion."""
    return _default_compressor().explain(text, k, **options)
