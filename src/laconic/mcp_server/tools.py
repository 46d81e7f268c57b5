"""The tools: their descriptions for agents, their inputs and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from laconic.compressor import Compressor
from laconic.errors import LaconicError, MisfitError
from laconic.known_names import unknown_name
from laconic.options import check_json, field_schema, remote_options

#: The maximum number of texts or documents in a call, and of characters in all of them.
MAX_TEXTS: Final = 1000
MAX_CHARS: Final = 2_000_000

INSTRUCTIONS: Final = """\
laconic makes English prose shorter by deleting words, and only that: nothing is reworded or invented. Use `compress` \
when sentences must fit a space, and `fit` when documents or search results must fit your context. Never use either \
on code, logs, JSON, tables of data, configuration or anything that must stay word for word."""

_COMPRESS: Final = """\
Shorten English sentences by deleting words; nothing is reworded or invented, and every sentence keeps its point.

Use it when prose must fit a space: a notification, a subtitle, a title, a cell, a summary line. Give a budget \
(max_chars, max_words, …), which is never exceeded, or a level (light, medium, short, headline). Several texts are \
shortened together, each for itself. What must survive: name words with keep, or kinds of words with keep_all \
(numbers, names, negations), or mark it in the text, as in "[[this]]" with protect ["[[", "]]"].

Do not use it for code, logs, JSON, stack traces, configuration, tables or other data: never. Nor for quotations, \
contracts or instructions in which every word counts, nor for other languages than English. For whole documents, from \
which sentences may be left out, use fit."""

_FIT: Final = """\
Fit documents into one budget: of every sentence the whole, a shorter version, or nothing, whatever says most.

Use it before you read or pass on more prose than there is room for: search results, web pages, notes, articles, \
transcripts. All documents share the budget (max_chars, max_words, …, or rate, a share of the characters). Give the \
question as query if there is one: what answers it is kept first. The structure of Markdown survives. Name words that \
must survive with keep. What is within the budget comes back as it is.

Do not use it for code, logs, JSON, stack traces, configuration or tables of data: never (code blocks in a document \
stay as they are, or go). Nor where you need every detail: then read the document itself. What it prints is an excerpt \
with words left out: do not quote it as verbatim."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a tool: texts for a model to read, and the same as data."""

    texts: list[str]
    data: dict[str, Any]
    failed: bool = False


#: The function behind a tool, from the compressor, texts and options to the answer.
Call: TypeAlias = Callable[[Compressor, list[str], dict[str, Any]], Answer]


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool: its name, its description for agents, JSON Schemas of its input and output, and its function."""

    name: str
    title: str
    description: str
    takes: str  # the field with the texts
    options: Mapping[str, Any]
    answers: dict[str, Any]
    function: Call

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the input."""
        what = "The texts to shorten." if self.takes == "texts" else "The documents, in Markdown or plain text."
        texts = {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": MAX_TEXTS,
            "description": what,
        }
        return {
            "type": "object",
            "properties": {self.takes: texts, **self.options},
            "required": [self.takes],
            "additionalProperties": False,
        }

    def call(self, compressor: Compressor, arguments: Mapping[str, Any], tokenizer: str | None) -> Answer:
        """Call the tool; errors are answers, too."""
        try:
            unknown = sorted(set(arguments) - {self.takes, *self.options})
            if unknown:
                raise unknown_name("field", unknown[0], [self.takes, *self.options])
            texts = _check_texts(self.takes, arguments.get(self.takes))
            given = {name: value for name, value in arguments.items() if name != self.takes}
            options = check_json(self.name, given)
            if "max_tokens" in options:
                options["tokenizer"] = tokenizer
            return self.function(compressor, texts, options)
        except LaconicError as error:
            return Answer([str(error)], _error(error), failed=True)


#: The options that agents can use besides texts; few, since models read the schema at every turn.
_LIMITS: Final = (
    "max_chars", "max_words", "max_tokens", "max_bytes", "rate", "keep", "drop", "keep_all", "drop_all", "language",
)  # fmt: skip
_COMPRESS_OPTIONS: Final = ("level", *_LIMITS, "protect", "nearest", "each_sentence")
_FIT_OPTIONS: Final = ("query", *_LIMITS, "format")


def _fields(entry_point: str, names: Sequence[str], *, tokens: bool) -> dict[str, Any]:
    known = remote_options(entry_point)
    return {name: field_schema(known[name]) for name in names if tokens or name != "max_tokens"}


def make_tools(*, tokens: bool) -> list[AgentTool]:
    """The tools; with lengths in tokens if there is a tokenizer."""
    return [
        AgentTool(
            "compress",
            "Shorten sentences",
            _COMPRESS,
            "texts",
            _fields("compress", _COMPRESS_OPTIONS, tokens=tokens),
            _TEXTS,
            _compress,
        ),
        AgentTool(
            "fit",
            "Fit documents into a budget",
            _FIT,
            "documents",
            _fields("fit", _FIT_OPTIONS, tokens=tokens),
            _DOCUMENTS,
            _fit,
        ),
    ]


def _compress(compressor: Compressor, texts: list[str], options: dict[str, Any]) -> Answer:
    found = compressor.batch(texts, errors="return", **options)
    results: list[dict[str, Any]] = []
    shown = []
    for result in found:
        if isinstance(result, LaconicError):
            results.append(_error(result))
            shown.append(f"error: {result}")
        else:
            results.append({"text": str(result), "chars_before": len(result.text), "chars": len(str(result))})
            shown.append(str(result))
    failed = all(isinstance(result, LaconicError) for result in found)
    return Answer(shown, {"results": results}, failed)


def _fit(compressor: Compressor, documents: list[str], options: dict[str, Any]) -> Answer:
    given = {i: text for i, text in enumerate(documents) if text.strip()}
    if not given:
        raise LaconicError("all documents are empty: give at least one with text")
    found = compressor.fit_all(list(given.values()), **options)
    texts = [""] * len(documents)
    for i, fitted in zip(given, found, strict=True):
        texts[i] = fitted.text
    data = [
        {"text": text, "chars_before": len(before), "chars": len(text)}
        for before, text in zip(documents, texts, strict=True)
    ]
    shown = [text for text in texts if text]
    return Answer(shown, {"documents": data, "length": found.length, "most": found.most})


def _check_texts(name: str, texts: Any) -> list[str]:
    if not isinstance(texts, Sequence) or isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise LaconicError(f"{name} is no list of texts: give a list, even of one")
    if not 1 <= len(texts) <= MAX_TEXTS:
        raise LaconicError(f"{name} has {len(texts)} texts: give 1 to {MAX_TEXTS}")
    if sum(map(len, texts)) > MAX_CHARS:
        raise LaconicError(f"{name} has more than {MAX_CHARS:,} characters: give fewer at a time")
    return list(texts)


def _error(error: LaconicError) -> dict[str, Any]:
    found: dict[str, Any] = {"error": str(error)}
    if isinstance(error, MisfitError) and error.shortest is not None:
        found["shortest"] = error.shortest
    return found


_LENGTHS: Final = {"chars_before": {"type": "integer"}, "chars": {"type": "integer"}}
_ERROR: Final = {"error": {"type": "string"}, "shortest": {"type": "integer", "description": "The sufficient length."}}
_TEXTS: Final = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, **_LENGTHS, **_ERROR}},
        },
        **_ERROR,
    },
}
_DOCUMENTS: Final = {
    "type": "object",
    "properties": {
        "documents": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, **_LENGTHS}},
            "description": "In the given order; empty if nothing is left of a document.",
        },
        "length": {"type": "integer", "description": "Of everything that is left, in the unit of the budget."},
        "most": {"type": "integer"},
        **_ERROR,
    },
}
