"""laconic in query engines of LlamaIndex."""

from __future__ import annotations

import asyncio

import pytest
from conftest import ANSWER, DOCUMENTS, QUESTION, count_tokens, embed, is_subsequence
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode

import laconic
from laconic.frameworks.llama_index import LaconicPostprocessor


class HashedWords(BaseEmbedding):
    def _get_query_embedding(self, query: str) -> list[float]:
        return embed(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return embed(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return embed(text)


@pytest.fixture(scope="module")
def index() -> VectorStoreIndex:
    documents = [Document(text=text, id_=name, metadata={"source": name}) for name, text in DOCUMENTS.items()]
    splitter = SentenceSplitter(chunk_size=512, tokenizer=str.split)
    return VectorStoreIndex.from_documents(documents, embed_model=HashedWords(), transformations=[splitter])


def test_what_an_engine_gives_to_the_model_is_within_the_budget_and_has_the_answer(index: VectorStoreIndex) -> None:
    shorten = LaconicPostprocessor(max_tokens=60, tokenizer=count_tokens)
    engine = index.as_query_engine(llm=MockLLM(), similarity_top_k=4, node_postprocessors=[shorten])
    answer = engine.query(QUESTION)
    texts = [found.node.text for found in answer.source_nodes]
    assert count_tokens("\n\n".join(texts)) <= 60
    assert ANSWER in " ".join(texts)
    assert ANSWER in str(answer)  # the model gives its prompt back
    assert "laconic_" not in str(answer)
    assert (asyncio.run(engine.aquery(QUESTION))).source_nodes == answer.source_nodes


def test_the_query_decides_what_is_kept(index: VectorStoreIndex) -> None:
    nodes = index.as_retriever(similarity_top_k=4).retrieve(QUESTION)
    shorten = LaconicPostprocessor(max_chars=250)
    about_books = " ".join(
        found.node.text for found in shorten.postprocess_nodes(nodes, query_str="Who directs the library?")
    )
    assert "Miriam Okafor" in about_books
    assert "Miriam Okafor" not in " ".join(
        found.node.text for found in shorten.postprocess_nodes(nodes, query_str=QUESTION)
    )


def test_nodes_keep_ids_scores_relations_and_metadata_and_are_not_changed_themselves(index: VectorStoreIndex) -> None:
    nodes = index.as_retriever(similarity_top_k=4).retrieve(QUESTION)
    before = {found.node.node_id: found for found in nodes}
    found = LaconicPostprocessor(rate=0.4).postprocess_nodes(nodes, query_str=QUESTION)
    assert found
    for each in found:
        source = before[each.node.node_id]
        assert each.score == source.score
        assert each.node.relationships == source.node.relationships
        assert each.node.metadata["source"] == source.node.metadata["source"]
        assert each.node.metadata["laconic_chars"] == len(source.node.text)
        assert is_subsequence(each.node.text, source.node.text)
        assert source.node.text == DOCUMENTS[source.node.metadata["source"]]
        assert "laconic_" not in each.node.get_content(MetadataMode.LLM)
        assert "laconic_" not in each.node.get_content(MetadataMode.EMBED)


def test_without_a_query_and_with_other_nodes() -> None:
    image = NodeWithScore(node=ImageNode(image_url="file:///map.png"), score=0.1)
    nodes = [NodeWithScore(node=TextNode(text=text), score=0.5) for text in DOCUMENTS.values()]
    found = LaconicPostprocessor(max_chars=120, each=True).postprocess_nodes([image, *nodes])
    assert found[0] is image
    assert len(found) == len(nodes) + 1
    assert all(0 < len(each.node.text) <= 120 for each in found[1:])
    assert LaconicPostprocessor(max_chars=100).postprocess_nodes([]) == []


def test_bad_options_are_told_before_anything_is_asked() -> None:
    with pytest.raises(laconic.LaconicError, match="need a tokenizer"):
        LaconicPostprocessor(max_tokens=100)
