"""Haystack: a component between a retriever and a prompt.

Needs the extra `haystack`: pip install "laconic[haystack]".
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from laconic.errors import LaconicError
from laconic.frameworks.shorten import Shortener, needed

with needed(__name__, "Haystack", "haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.options import FitOptions


@component
class LaconicCompressor:
    """Fits retrieved documents into one budget, keeping first what answers the query.

    Every sentence is kept whole, compressed or left out; a document of which nothing is left is removed. With
    `each=True`, the budget applies to each document. The other options are those of `laconic.fit`.
    """

    def __init__(
        self, *, compressor: Compressor | None = None, each: bool = False, **options: Unpack[FitOptions]
    ) -> None:
        self._saved = {"compressor": compressor, "each": each, **options}
        self._shortener = Shortener(compressor=compressor, each=each, **options)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document], query: str | None = None) -> dict[str, list[Document]]:
        """What is left of the documents; their meta gets the original lengths and the kept spans."""
        found = self._shortener([document.content for document in documents], query)
        kept = [
            document
            if document.content is None
            else replace(document, content=short.text, meta={**document.meta, **short.metadata})
            for document, short in zip(documents, found, strict=True)
            if short is not None
        ]
        return {"documents": kept}

    @component.output_types(documents=list[Document])
    async def run_async(self, documents: list[Document], query: str | None = None) -> dict[str, list[Document]]:
        """`run` in a thread."""
        return await asyncio.to_thread(self.run, documents, query)

    def to_dict(self) -> dict[str, Any]:
        """The component as data, to save a pipeline."""
        saved = {name: value for name, value in self._saved.items() if value is not None}
        for name, value in saved.items():
            if callable(value) or name == "compressor":
                raise LaconicError(f"{name} cannot be saved: give a name or a path, or leave it out")
        return default_to_dict(self, **saved)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> LaconicCompressor:
        """The component from its data."""
        return default_from_dict(cls, data)
