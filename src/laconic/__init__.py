"""laconic makes sentences shorter by deleting words: the k best extractive compressions, each with its score.

>>> import laconic
>>> laconic.compress("The police said the man who robbed a bank was arrested late Friday.", k=2)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from laconic.names import imported_when_asked

if TYPE_CHECKING:
    from laconic import subtitles
    from laconic.compressor import Compressor, load
    from laconic.decode import Method
    from laconic.decode.k_best import k_best
    from laconic.default import compress, explain, fit, fit_all, fit_batch, fit_messages
    from laconic.document.fit import Fitted
    from laconic.document.several import FittedAll
    from laconic.errors import LaconicError, LaconicWarning, LanguageWarning, MisfitError
    from laconic.explanation import Deletion
    from laconic.messages import FittedMessages
    from laconic.options import Options
    from laconic.results import Compression, Result, Sentence

__all__ = [
    "Compression",
    "Compressor",
    "Deletion",
    "Fitted",
    "FittedAll",
    "FittedMessages",
    "LaconicError",
    "LaconicWarning",
    "LanguageWarning",
    "Method",
    "MisfitError",
    "Options",
    "Result",
    "Sentence",
    "compress",
    "explain",
    "fit",
    "fit_all",
    "fit_batch",
    "fit_messages",
    "k_best",
    "load",
    "subtitles",
]

_HOME = {
    "Compression": "results",
    "Compressor": "compressor",
    "Deletion": "explanation",
    "Fitted": "document.fit",
    "FittedAll": "document.several",
    "FittedMessages": "messages",
    "LaconicError": "errors",
    "LaconicWarning": "errors",
    "LanguageWarning": "errors",
    "Method": "decode",
    "MisfitError": "errors",
    "Options": "options",
    "Result": "results",
    "Sentence": "results",
    "compress": "default",
    "explain": "default",
    "fit": "default",
    "fit_all": "default",
    "fit_batch": "default",
    "fit_messages": "default",
    "k_best": "decode",
    "load": "compressor",
}
_imported = imported_when_asked(__name__, _HOME)


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that importing one part of laconic does not load the others."""
    if name == "__version__":
        from importlib.metadata import version  # it takes its time

        return version("laconic")
    if name == "subtitles":
        return import_module("laconic.subtitles")
    return _imported(name)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
