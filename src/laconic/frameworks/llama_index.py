"""LlamaIndex: a postprocessor of retrieved nodes.

Needs the extra `llama-index`: pip install "laconic[llama-index]".
"""

from __future__ import annotations

import asyncio

from laconic.frameworks.shorten import CHARS, SPANS, Shortener, Shortens, needed

with needed(__name__, "LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class LaconicPostprocessor(Shortens, BaseNodePostprocessor):
    """Fits retrieved nodes into one budget, keeping first what answers the query.

    Every sentence is kept whole, compressed or left out; a node of which nothing is left is removed. With `each=True`,
    the budget applies to each node. The other options are those of `laconic.fit`. The budget covers the text of the
    nodes, but not metadata that the prompt shows.
    """

    _shortener: Shortener = PrivateAttr()

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex shows."""
        return "LaconicPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        # An image is also a text node, with an empty text.
        texts = [each.node.text or None if isinstance(each.node, TextNode) else None for each in nodes]
        found = self._shortener(texts, None if query_bundle is None else query_bundle.query_str)
        kept = []
        for each, text, short in zip(nodes, texts, found, strict=True):
            if text is None or short is None:
                kept += [each] * (text is None)
                continue
            node = each.node.model_copy(deep=True)
            node.set_content(short.text)
            node.metadata |= short.metadata
            for hidden in (node.excluded_llm_metadata_keys, node.excluded_embed_metadata_keys):
                hidden += [name for name in (CHARS, SPANS) if name not in hidden]  # keep these out of prompts
            kept.append(NodeWithScore(node=node, score=each.score))
        return kept

    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._postprocess_nodes, nodes, query_bundle)
