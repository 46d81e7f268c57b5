"""The description of the API (OpenAPI 3.1), with examples."""

from __future__ import annotations

from typing import Any, Final

from laconic.package_versions import installed_version
from laconic.serve.fields import ENDPOINTS, Fields
from laconic.serve.problems import MEDIA_TYPE, TITLES
from laconic.serve.settings import WORDPIECE, Settings

_POLICE: Final = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
_MINUTES: Final = (
    "# Minutes\n\nThe board met on Monday, as it does every month. It decided, after a long discussion, to close the "
    "old harbour in May. Two members, who had asked for more time, voted against it.\n"
)

_EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "compress": {
        "the best": {"value": {"texts": [_POLICE]}},
        "k best, with reasons": {"value": {"texts": [_POLICE], "k": 3, "explain": True}},
        "a length": {"value": {"texts": [_POLICE], "max_chars": 60, "keep": ["Friday"]}},
        "no more tokens than": {"value": {"texts": [_POLICE], "max_tokens": 12, "tokenizer": WORDPIECE}},
    },
    "fit": {
        "a document": {"value": {"documents": [_MINUTES], "rate": 0.6}},
        "what answers a question": {
            "value": {"documents": [_MINUTES], "max_words": 20, "query": "When does the harbour close?"}
        },
    },
    "tree": {"data": {"value": {"texts": [_POLICE]}}, "a drawing": {"value": {"texts": [_POLICE], "format": "svg"}}},
}
_SUMMARIES: Final = {
    "compress": "The k best compressions of texts, sentence by sentence or within a budget",
    "fit": "Documents within a budget: of each sentence a compression, the whole, or nothing",
    "tree": "The transformed trees of texts, with the probabilities of their edges",
}
_SPANS: Final = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
_LENGTHS: Final = {
    "type": "object",
    "properties": {name: {"type": "integer"} for name in ("chars", "words", "tokens")},
    "required": ["chars", "words"],
    "description": "Of the printed text; tokens if the request names a tokenizer.",
}
_PROBLEMS: Final = {
    400: "The body is not a JSON object", 401: "The key is missing or wrong", 403: "A foreign host or origin",
    408: "The body took too long to arrive", 413: "Too much at once", 415: "The body is not application/json",
    422: "An option is unknown or invalid", 500: "The computation failed twice", 503: "Busy: see Retry-After",
    504: "The answer took too long",
}  # fmt: skip


def describe(settings: Settings) -> dict[str, Any]:
    """The full description, for these models, tokenizers and limits."""
    paths: dict[str, Any] = {f"/v1/{name}": {"post": _operation(name)} for name in _SUMMARIES}
    paths |= {
        "/v1/models": _reading("Models, tokenizers and limits of this service"),
        "/health": _reading("Whether the service runs"),
        "/ready": _reading("Whether it can take requests", busy=True),
        "/metrics": _reading("Figures for Prometheus", media="text/plain"),
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "laconic",
            "version": installed_version("laconic"),
            "summary": "Makes sentences shorter by deleting words, and only that.",
        },
        "paths": paths,
        "components": {"schemas": {**_requests(settings), **_answers()}, **_security(settings)},
        **({"security": [{"key": []}]} if settings.key is not None else {}),
    }


def _security(settings: Settings) -> dict[str, Any]:
    return {} if settings.key is None else {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}}


def _operation(name: str) -> dict[str, Any]:
    answers: dict[str, Any] = {
        str(status): {
            "description": text,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            **({"headers": {"Retry-After": {"schema": {"type": "integer"}}}} if status == 503 else {}),
        }
        for status, text in _PROBLEMS.items()
    }
    ok = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name.title()}Answer"}}}
    return {
        "operationId": name,
        "summary": _SUMMARIES[name],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"$ref": f"#/components/schemas/{name.title()}"},
                    "examples": _EXAMPLES[name],
                }
            },
        },
        "responses": {"200": {"description": "Results in the order of the texts", "content": ok}, **answers},
    }


def _reading(summary: str, *, media: str = "application/json", busy: bool = False) -> dict[str, Any]:
    ok: dict[str, Any] = {"200": {"description": summary, "content": {media: {"schema": {}}}}}
    for status in (401, 403, *((503,) if busy else ())):
        ok[str(status)] = {
            "description": _PROBLEMS[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return {"get": {"summary": summary, "responses": ok}}


def _requests(settings: Settings) -> dict[str, Any]:
    """The bodies that the endpoints take."""
    return {endpoint.title(): Fields(endpoint, settings).schema() for endpoint in ENDPOINTS}


def _object(always: dict[str, Any], sometimes: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with required and optional fields."""
    return {"type": "object", "properties": always | sometimes, "required": list(always)}


def _answers() -> dict[str, Any]:
    """The responses of the endpoints; refused texts have a problem in place of the result."""
    problem = {"$ref": "#/components/schemas/Problem"}
    text, number, integer = ({"type": name} for name in ("string", "number", "integer"))
    objects = {"type": "array", "items": {"type": "object"}}
    spans = {**_SPANS, "description": "Offsets (code points) into the text of what is printed."}
    compression = _object(
        {"text": text, "score": number, "rank": integer, "rate": number, "spans": spans}, {"deletions": objects}
    )
    result = _object(
        {"best": text, "lengths": _LENGTHS, "text": text, "sentences": objects},
        {"compressions": {"type": "array", "items": compression}},
    )
    fitted = _object(
        {"text": text, "lengths": _LENGTHS, "length": integer, "most": integer, "kept": objects},
        {"deletions": objects},
    )
    tree = {"type": "object", "properties": {"sentences": {"type": "array"}, "svg": {"type": "string"}}}
    found = {"Compress": result, "Fit": fitted, "Tree": tree}
    return {
        **{
            f"{name}Answer": {
                "type": "object",
                "properties": {"results": {"type": "array", "items": {"anyOf": [problem, schema]}}},
                "required": ["results"],
            }
            for name, schema in found.items()
        },
        "Problem": {
            "type": "object",
            "description": "RFC 9457. Types: " + "; ".join(f"{name}: {title}" for name, title in TITLES.items()),
            "properties": {
                "type": {"type": "string"},
                "title": {"type": "string"},
                "status": {"type": "integer"},
                "detail": {"type": "string"},
                "number": {"type": "integer", "description": "Index of the text concerned, from 0."},
                "shortest": {"type": "integer"},
                "longest": {"type": "integer"},
            },
            "required": ["type", "title", "status", "detail"],
        },
    }
