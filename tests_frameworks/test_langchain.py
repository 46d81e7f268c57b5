"""laconic in retrieval chains of LangChain."""

from __future__ import annotations

import asyncio

import pytest
from conftest import ANSWER, DOCUMENTS, QUESTION, count_tokens, embed, is_subsequence
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

import laconic
from laconic.frameworks.langchain import LaconicCompressor, LaconicTransformer


class HashedWords(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [embed(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return embed(text)


def documents() -> list[Document]:
    return [Document(text, id=name, metadata={"source": name}) for name, text in DOCUMENTS.items()]


@pytest.fixture(scope="module")
def store() -> InMemoryVectorStore:
    return InMemoryVectorStore.from_documents(documents(), HashedWords())


def retriever(store: InMemoryVectorStore, **options: object) -> ContextualCompressionRetriever:
    base = store.as_retriever(search_kwargs={"k": 4})
    return ContextualCompressionRetriever(base_retriever=base, base_compressor=LaconicCompressor(**options))


def test_what_a_retriever_finds_is_within_the_budget_and_has_the_answer(store: InMemoryVectorStore) -> None:
    found = retriever(store, max_tokens=60, tokenizer=count_tokens).invoke(QUESTION)
    assert count_tokens("\n\n".join(document.page_content for document in found)) <= 60
    assert ANSWER in " ".join(document.page_content for document in found)
    assert all(is_subsequence(each.page_content, DOCUMENTS[each.metadata["source"]]) for each in found)


def test_another_query_keeps_something_else_of_the_same_documents(store: InMemoryVectorStore) -> None:
    own = retriever(store, max_tokens=60, tokenizer=count_tokens)
    text = " ".join(document.page_content for document in own.invoke("When is the library open?"))
    assert "nine until seven" in text
    assert ANSWER not in text


def test_metadata_and_id_stay_and_say_where_the_text_stood(store: InMemoryVectorStore) -> None:
    for document in retriever(store, max_chars=300).invoke(QUESTION):
        source = DOCUMENTS[document.metadata["source"]]
        assert document.id == document.metadata["source"]
        assert document.metadata["laconic_chars"] == len(source)
        kept = " ".join(source[start:end] for start, end in document.metadata["laconic_spans"])
        assert is_subsequence(document.page_content, kept)


def test_the_async_retriever_finds_the_same_and_several_run_at_once(store: InMemoryVectorStore) -> None:
    own = retriever(store, max_tokens=60, tokenizer=count_tokens)
    questions = [QUESTION, "When is the library open?", "Who led the volunteers?"]

    async def ask() -> list[list[Document]]:
        return await asyncio.gather(*(own.ainvoke(question) for question in questions))

    assert asyncio.run(ask()) == [own.invoke(question) for question in questions]


def test_batches_of_questions(store: InMemoryVectorStore) -> None:
    own = retriever(store, max_tokens=60, tokenizer=count_tokens)
    assert own.batch([QUESTION, "Who led the volunteers?"])[0] == own.invoke(QUESTION)


def test_a_chain_puts_what_is_left_into_a_prompt(store: InMemoryVectorStore) -> None:
    def join(found: list[Document]) -> str:
        return "\n\n".join(document.page_content for document in found)

    prompt = ChatPromptTemplate.from_template("Answer from this context:\n{context}\nQuestion: {question}")
    own = retriever(store, max_tokens=60, tokenizer=count_tokens)
    chain = {"context": own | join, "question": RunnablePassthrough()} | prompt
    (message,) = chain.invoke(QUESTION).to_messages()
    assert ANSWER in message.content
    assert count_tokens(message.content) < 60 + 25


def test_each_document_can_have_the_budget() -> None:
    found = LaconicCompressor(max_chars=160, each=True).compress_documents(documents(), QUESTION)
    assert len(found) == len(DOCUMENTS)
    assert all(0 < len(document.page_content) <= 160 for document in found)


def test_what_is_within_the_budget_and_what_is_empty_stays_as_it_is() -> None:
    given = [Document("  "), *documents()]
    found = LaconicCompressor(max_chars=10_000).compress_documents(given, QUESTION)
    assert [document.page_content for document in found] == [document.page_content for document in given]
    assert LaconicCompressor(max_chars=100).compress_documents([], QUESTION) == []
    assert "laconic_chars" not in given[1].metadata


def test_the_transformer_shortens_each_document_in_a_pipeline_too() -> None:
    transformer = LaconicTransformer(rate=0.5)
    found = transformer.transform_documents(documents())
    assert [document.metadata["source"] for document in found] == list(DOCUMENTS)
    for document in found:
        assert len(document.page_content) <= 0.5 * len(DOCUMENTS[document.metadata["source"]])
        assert all(isinstance(value, str | int) for value in document.metadata.values())
    assert asyncio.run(transformer.atransform_documents(documents())) == found
    pipeline = DocumentCompressorPipeline(transformers=[transformer, LaconicCompressor(max_chars=200)])
    short = pipeline.compress_documents(documents(), QUESTION)
    assert sum(len(document.page_content) for document in short) <= 200


def test_transformed_documents_can_be_indexed_and_found() -> None:
    store = InMemoryVectorStore.from_documents(
        LaconicTransformer(rate=0.6).transform_documents(documents()), HashedWords()
    )
    assert store.similarity_search(QUESTION, k=1)[0].metadata["source"] == "bridge"


def test_bad_options_are_told_before_anything_is_asked() -> None:
    with pytest.raises(laconic.LaconicError, match="needs a budget"):
        LaconicCompressor()
    with pytest.raises(laconic.LaconicError, match="unknown option 'max_token'"):
        LaconicCompressor(max_token=3)
    with pytest.raises(laconic.LaconicError, match="max_chars is 0"):
        LaconicTransformer(max_chars=0)
