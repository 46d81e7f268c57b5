"""Turn the bodies of requests into the bodies of responses, in a worker; pending requests are processed together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from laconic.batching import batches
from laconic.compressor import BATCH_SIZE, Compressor
from laconic.document.explain import explain_fitted
from laconic.document.fit import Fitted
from laconic.errors import LaconicError
from laconic.limits import Budget
from laconic.limits.tokens import Count
from laconic.parse.texts import clean
from laconic.results import Result
from laconic.serve.fields import ENDPOINTS, Fields
from laconic.serve.problems import Problem, bad_option, of_error
from laconic.serve.settings import Settings
from laconic.together import Question, compress_together
from laconic.tree.draw import as_svg

#: The maximum number of characters that are parsed together.
_BATCH_CHARS = 1 << 17
_WORDS = Budget.of({"max_words": 1})


class Job(NamedTuple):
    """A request as passed to a worker."""

    number: int
    endpoint: str  # compress, fit or tree
    body: bytes


class Answer(NamedTuple):
    """The response to a job."""

    number: int
    status: int
    body: bytes
    texts: int = 0  # number of texts computed, for statistics


class Cancelled(Exception):  # noqa: N818 – nothing is wrong
    """The client has left."""


@dataclass(slots=True)
class _Asked:
    """A parsed request: its texts, the model and tokenizer that it names, and its options."""

    job: Job
    texts: list[str]
    compressor: Compressor
    count: Count | None
    options: dict[str, Any]


class Answerer:
    """Answers requests with the models and tokenizers that the service was started with."""

    def __init__(self, settings: Settings, models: Mapping[str, Compressor], tokenizers: Mapping[str, Count]) -> None:
        self._settings = settings
        self._models = models
        self._tokenizers = tokenizers
        self._fields = {endpoint: Fields(endpoint, settings) for endpoint in ENDPOINTS}

    def answer(self, jobs: Sequence[Job], gone: Callable[[int], bool] = lambda _: False) -> Iterator[list[Answer]]:
        """The answers as they become ready; `gone` tells whether the client of a job has left."""
        asked: list[_Asked] = []
        for job in jobs:
            try:
                asked.append(self._read(job))
            except Problem as problem:
                yield [Answer(job.number, problem.status, problem.encode())]
        yield from self._compress([one for one in asked if one.job.endpoint == "compress"], gone)
        for one in asked:
            if one.job.endpoint == "compress" or gone(one.job.number):
                continue
            try:
                found = self._fit(one, gone) if one.job.endpoint == "fit" else self._draw(one, gone)
                yield [_encode(one, found)]
            except Problem as problem:
                yield [Answer(one.job.number, problem.status, problem.encode())]
            except Cancelled:
                continue

    def _read(self, job: Job) -> _Asked:
        """Parse a request; raises a `Problem` if it is invalid."""
        try:
            given = json.loads(job.body)
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, json.JSONDecodeError) else "it cannot be read"
            raise Problem(HTTPStatus.BAD_REQUEST, "bad-json", f"send a JSON object: {reason}") from None
        if not isinstance(given, dict):
            raise Problem(HTTPStatus.BAD_REQUEST, "bad-json", "send a JSON object, with the texts and the options")
        fields = self._fields[job.endpoint]
        texts = self._check_texts(fields.texts, given.pop(fields.texts, None))
        options = fields.check(given)
        model = options.pop("model", next(iter(self._models)))
        tokenizer = options.pop("tokenizer", None)
        count = None if tokenizer is None else self._tokenizers[tokenizer]
        if options.keys() & {"max_tokens", "min_tokens"}:
            if count is None:
                raise bad_option(f"tokens need a tokenizer: name one of {', '.join(self._tokenizers)}")
            options["tokenizer"] = count
        if sum(map(len, texts)) * options.get("k", 1) > self._settings.max_results:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                "too-large",
                f"k times the characters of all texts is more than {self._settings.max_results}: send fewer at once",
            )
        return _Asked(job, texts, self._models[model], count, options)

    def _check_texts(self, name: str, given: Any) -> list[str]:
        if not isinstance(given, list) or not given or not all(isinstance(text, str) for text in given):
            raise bad_option(f"{name} is missing or not a list of texts: give at least one text")
        if len(given) > self._settings.max_texts:
            raise bad_option(f"there are {len(given)} {name}: send at most {self._settings.max_texts} at once")
        return [clean(text) for text in given]

    def _compress(self, asked: Sequence[_Asked], gone: Callable[[int], bool]) -> Iterator[list[Answer]]:
        """Compress the texts of all requests, in passes over several requests."""
        for compressor in {id(one.compressor): one.compressor for one in asked}.values():
            own = [one for one in asked if one.compressor is compressor]
            found: dict[int, list[Result | LaconicError]] = {one.job.number: [] for one in own}
            refused: dict[int, LaconicError] = {}
            rows = [(one, text) for one in own for text in one.texts]
            for batch in batches(rows, chars=_BATCH_CHARS, count=BATCH_SIZE, size=lambda row: len(row[1])):
                parts: dict[int, tuple[_Asked, list[str]]] = {}
                for one, text in batch:
                    parts.setdefault(one.job.number, (one, []))[1].append(text)
                waited = [part for number, part in parts.items() if number not in refused and not gone(number)]
                for (one, _), results in zip(waited, compress_together(compressor, _questions(waited)), strict=True):
                    if isinstance(results, LaconicError):
                        refused[one.job.number] = results
                    else:
                        found[one.job.number] += results
                ready = [one for one, _ in waited if one.texts and len(found[one.job.number]) == len(one.texts)]
                answers = [_encode(one, {"results": _results(one, found.pop(one.job.number))}) for one in ready]
                for one, _ in waited:
                    if one.job.number in refused and found.pop(one.job.number, None) is not None:
                        problem = bad_option(refused[one.job.number])
                        answers.append(Answer(one.job.number, problem.status, problem.encode()))
                if answers:
                    yield answers

    def _fit(self, one: _Asked, gone: Callable[[int], bool]) -> dict[str, Any]:
        """Fit documents, each within the budget or all together; stops if the client leaves."""

        def advance(_: int) -> None:
            if gone(one.job.number):
                raise Cancelled

        explains, together = one.options.pop("explain", False), one.options.pop("together", False)
        how = {**one.options, "threads": 1, "advance": advance}
        if together:
            try:
                all_fitted = one.compressor.fit_all(one.texts, **how)
            except LaconicError as error:
                raise of_error(error) from None
            results = [
                _fitted(one, text, each, explains=explains) for text, each in zip(one.texts, all_fitted, strict=True)
            ]
            return {"text": all_fitted.text, "length": all_fitted.length, "most": all_fitted.most, "results": results}
        try:
            each_fitted = one.compressor.fit_batch(one.texts, errors="return", **how)
        except LaconicError as error:
            raise bad_option(error) from None
        found: list[dict[str, Any]] = []
        for number, (text, fitted) in enumerate(zip(one.texts, each_fitted, strict=True)):
            if isinstance(fitted, LaconicError):
                found.append({**of_error(fitted).to_dict(), "number": number})
            else:
                found.append(_fitted(one, text, fitted, explains=explains))
        return {"results": found}

    def _draw(self, one: _Asked, gone: Callable[[int], bool]) -> dict[str, Any]:
        """The trees of texts, as data or as drawings."""
        found: list[dict[str, Any]] = []
        svg = one.options.pop("format", "json") == "svg"
        for number, text in enumerate(one.texts):
            if gone(one.job.number):
                raise Cancelled
            try:
                trees = one.compressor.tree(text, **one.options)
            except LaconicError as error:
                found.append({**of_error(error).to_dict(), "number": number})
                continue
            found.append({"svg": as_svg(trees)} if svg else {"sentences": [tree.to_dict() for tree in trees]})
        return {"results": found}


def _questions(parts: Sequence[tuple[_Asked, list[str]]]) -> list[Question]:
    return [
        Question(texts, one.options.get("k", 1), {name: value for name, value in one.options.items() if name != "k"})  # type: ignore[arg-type]
        for one, texts in parts
    ]


def _results(one: _Asked, results: Sequence[Result | LaconicError]) -> list[dict[str, Any]]:
    """The response data of every text, in order."""
    found = []
    for number, result in enumerate(results):
        if isinstance(result, LaconicError):
            found.append({**of_error(result).to_dict(), "number": number})
        else:
            best = str(result)
            found.append({"best": best, "lengths": _lengths(best, one.count), **result.to_dict()})
    return found


def _fitted(one: _Asked, text: str, fitted: Fitted, *, explains: bool) -> dict[str, Any]:
    """The response data of a document."""
    found = {
        **fitted.to_dict(),
        "lengths": _lengths(fitted.text, one.count),
        "length": fitted.length,
        "most": fitted.most,
        "sentences": {"whole": fitted.whole, "shortened": fitted.shortened, "left_out": fitted.left_out},
    }
    if explains:
        drop = [each for each in one.options.get("drop", ()) if isinstance(each, str)]
        found["deletions"] = [each.to_dict() for each in explain_fitted(one.compressor, fitted, drop=drop)]
    return found


def _lengths(text: str, count: Count | None) -> dict[str, int]:
    """The lengths of a printed text in all available units."""
    lengths = {"chars": len(text), "words": _WORDS.length(text)}
    return lengths if count is None else {**lengths, "tokens": count(text)}


def _encode(one: _Asked, found: dict[str, Any]) -> Answer:
    body = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return Answer(one.job.number, HTTPStatus.OK, body, len(one.texts))
