"""LangChain: a compressor of retrieved documents, and a transformer of documents before they are indexed.

Needs the extra `langchain`: pip install "laconic[langchain]".
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from laconic.frameworks.shorten import SPANS, Shortener, Shortens, needed

with needed(__name__, "LangChain", "langchain"):
    from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document
    from pydantic import PrivateAttr

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks

    from laconic.compressor import Compressor
    from laconic.options import FitOptions


class LaconicCompressor(Shortens, BaseDocumentCompressor):
    """Fits retrieved documents into one budget, keeping first what answers the query.

    Every sentence is kept whole, compressed or left out; a document of which nothing is left is removed. With
    `each=True`, the budget applies to each document. The other options are those of `laconic.fit`.
    """

    _shortener: Shortener = PrivateAttr()

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """What is left of the documents; their metadata gets the original lengths and the kept spans."""
        return _shorten(self._shortener, documents, query)

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """`compress_documents` in a thread."""
        return await asyncio.to_thread(self.compress_documents, documents, query, callbacks)


class LaconicTransformer(BaseDocumentTransformer):
    """Shortens documents, each to the budget, before they are indexed or given to a model.

    With `each=False`, the budget applies to all documents together. The other options are those of `laconic.fit`.
    """

    def __init__(
        self, *, compressor: Compressor | None = None, each: bool = True, **options: Unpack[FitOptions]
    ) -> None:
        self._shortener = Shortener(compressor=compressor, each=each, **options)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """What is left of the documents; metadata has no lists, which vector stores do not accept."""
        found = _shorten(self._shortener, documents, None)
        return [_with_metadata(document, without=SPANS) for document in found]

    async def atransform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """`transform_documents` in a thread."""
        return await asyncio.to_thread(self.transform_documents, documents, **kwargs)


def _shorten(shortener: Shortener, documents: Sequence[Document], query: str | None) -> list[Document]:
    found = shortener([document.page_content for document in documents], query)
    return [
        document.model_copy(update={"page_content": short.text, "metadata": {**document.metadata, **short.metadata}})
        for document, short in zip(documents, found, strict=True)
        if short is not None
    ]


def _with_metadata(document: Document, *, without: str) -> Document:
    kept = {name: value for name, value in document.metadata.items() if name != without}
    return document.model_copy(update={"metadata": kept})
