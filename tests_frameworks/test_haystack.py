"""laconic in pipelines of Haystack."""

from __future__ import annotations

import asyncio

import pytest
from conftest import ANSWER, DOCUMENTS, QUESTION, count_tokens, is_subsequence
from haystack import Document, Pipeline
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

import laconic
from laconic.frameworks.haystack import LaconicCompressor

TEMPLATE = "{% for document in documents %}{{ document.content }}\n{% endfor %}Question: {{ query }}"


def make_pipeline(**options: object) -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=text, meta={"source": name}) for name, text in DOCUMENTS.items()])
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=4))
    pipeline.add_component("shorten", LaconicCompressor(**options))
    pipeline.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["documents", "query"]))
    pipeline.connect("retriever.documents", "shorten.documents")
    pipeline.connect("shorten.documents", "prompt.documents")
    return pipeline


def ask(question: str) -> dict[str, dict[str, str]]:
    return {name: {"query": question} for name in ("retriever", "shorten", "prompt")}


def test_what_a_pipeline_puts_into_the_prompt_is_within_the_budget_and_has_the_answer() -> None:
    pipeline = make_pipeline(max_tokens=60, tokenizer=count_tokens)
    found = pipeline.run(ask(QUESTION), include_outputs_from={"shorten"})
    texts = [document.content for document in found["shorten"]["documents"]]
    assert count_tokens("\n\n".join(texts)) <= 60
    assert ANSWER in found["prompt"]["prompt"]
    assert ANSWER not in pipeline.run(ask("When is the library open?"))["prompt"]["prompt"]


def test_meta_scores_and_ids_stay() -> None:
    given = [Document(content=text, meta={"source": name}, score=0.7, id=name) for name, text in DOCUMENTS.items()]
    for document in LaconicCompressor(rate=0.4).run(documents=given, query=QUESTION)["documents"]:
        source = DOCUMENTS[document.meta["source"]]
        assert (document.id, document.score) == (document.meta["source"], 0.7)
        assert document.meta["laconic_chars"] == len(source)
        assert is_subsequence(document.content, source)
    assert [document.content for document in given] == list(DOCUMENTS.values())


def test_documents_without_text_pass_and_the_query_may_be_missing() -> None:
    bare = Document(content=None, meta={"file": "map.png"})
    given = [bare, *(Document(content=text) for text in DOCUMENTS.values())]
    found = LaconicCompressor(max_chars=120, each=True).run(documents=given)["documents"]
    assert found[0] is bare
    assert len(found) == len(given)
    assert all(0 < len(document.content) <= 120 for document in found[1:])
    assert LaconicCompressor(max_chars=120).run(documents=[])["documents"] == []


def test_the_component_runs_asynchronously() -> None:
    given = [Document(content=text) for text in DOCUMENTS.values()]
    component = LaconicCompressor(max_chars=300)
    found = asyncio.run(component.run_async(documents=given, query=QUESTION))
    assert found == component.run(documents=given, query=QUESTION)


def test_a_pipeline_is_saved_and_loaded() -> None:
    pipeline = make_pipeline(max_chars=300, keep_all=["numbers"])
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["laconic.frameworks.haystack"])
    assert again.get_component("shorten").to_dict() == pipeline.get_component("shorten").to_dict()
    with pytest.raises(laconic.LaconicError, match="tokenizer cannot be saved"):
        LaconicCompressor(max_tokens=10, tokenizer=count_tokens).to_dict()
