"""A round: some inputs with the same options through one function of the library."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import laconic
from fuzz.asks import make_limits, make_options
from fuzz.judge import SURROGATE, Problem, check_contracted, check_document, check_length, check_result, check_words
from fuzz.texts import make_document, make_text
from laconic.parse import Parser
from laconic.score import Model

#: What laconic is loaded with.
SYSTEMS: dict[str, dict[str, Any]] = {
    "small": {"model": "small"},
    "default": {},
    "maxent": {"model": "default", "scorer": "maxent"},
}
#: Systems to choose from; most often the small network, which takes the least time.
OFTEN = ("small",) * 8 + ("default", "maxent")
#: Longer than any input of these sizes should take, on a busy machine.
SLOW = 60.0


@dataclass
class Round:
    """What was done, and what is wrong."""

    inputs: int = 0
    refused: int = 0
    problems: list[dict[str, Any]] = field(default_factory=list)


@cache
def load(name: str) -> laconic.Compressor:
    return laconic.load(**SYSTEMS[name])


def run_round(seed: int, number: int, systems: Sequence[str] = OFTEN) -> Round:
    """One round; it depends on the seed and its number alone."""
    rng = random.Random(f"{seed}:{number}")
    done = Round()
    name = rng.choice(systems)
    run = rng.choice((run_texts,) * 6 + (run_documents,) * 2 + (run_together,))

    def report(problem: Problem, given: Any, asked: dict[str, Any]) -> None:
        shown = {key: getattr(value, "__name__", value) for key, value in asked.items()}
        where = {"round": number, "system": name, "run": run.__name__, "asked": shown, "given": given}
        done.problems.append({"problem": problem[0], "what": problem[1], **where})

    begun = time.process_time()  # other programs may keep the machine busy
    run(rng, load(name), done, report)
    if (seconds := time.process_time() - begun) > SLOW:
        report(("slow", f"{seconds:.0f} s"), None, {})
    return done


def attempt(call: Callable[[], Any]) -> tuple[Any, Problem | None]:
    """What a call returns, or the `LaconicError` that it raises; anything else is a problem."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", laconic.LaconicWarning)
            return call(), None
    except laconic.LaconicError as error:
        return error, (None if str(error).strip() and "\n" not in str(error) else ("message", repr(error)))
    except Exception as error:
        return error, ("exception", f"{type(error).__name__}: {error}")


def run_texts(rng: random.Random, compressor: laconic.Compressor, done: Round, report: Callable[..., None]) -> None:
    """Texts together; where that is a problem, one by one, which shows whose it is."""
    texts = [make_text(rng) for _ in range(rng.choice((1, 4, 16, 64)))]
    asked = make_options(rng, rng.choice(texts), plain=not isinstance(compressor.scorer, Model))
    if asked.get("protect") == ("[[", "]]"):
        texts = [protect(rng, text) for text in texts]
    done.inputs += len(texts)

    def one(text: str) -> Any:
        given = dict(asked)
        explain = given.pop("explain", False)
        call = compressor.explain if explain else compressor.compress
        return attempt(lambda: call(text, **given))

    found, problem = attempt(lambda: compressor.batch(texts, errors="return", **asked))
    if problem is not None or isinstance(found, laconic.LaconicError):
        for text in texts if problem is not None else texts[:1]:
            _, own = one(text)
            if own is not None or problem is not None:
                report(own or ("batch", str(problem)), text, asked)
        done.refused += len(texts)
        return
    for text, result in zip(texts, found, strict=True):
        if isinstance(result, laconic.LaconicError):
            done.refused += 1
            if not str(result).strip() or "\n" in str(result):
                report(("message", repr(result)), text, asked)
            continue
        for problem in distinct(check_result(result, asked, compressor.parser)):
            report(problem, text, asked)


def protect(rng: random.Random, text: str) -> str:
    """A text with markers in it, most of which are balanced."""
    words = text.split(" ")
    at = rng.randrange(len(words))
    last = rng.randrange(at, len(words))
    words[at] = "[[" + words[at]
    if rng.random() < 0.95:
        words[last] += "]]"
    return " ".join(words)


def run_documents(rng: random.Random, compressor: laconic.Compressor, done: Round, report: Callable[..., None]) -> None:
    """Documents, each within the budget."""
    texts = [make_document(rng) for _ in range(rng.choice((1, 3, 8)))]
    asked = make_limits(rng, rng.choice(texts))
    style = "text" if rng.random() < 0.2 else "markdown"
    others: dict[str, Any] = {"format": style, "threads": 1, "language": rng.choice((None, "any"))}
    done.inputs += len(texts)
    if len(texts) == 1:
        query = rng.choice((None, "Who did it?", make_text(rng)))
        found, problem = attempt(lambda: [compressor.fit(texts[0], query=query, **asked, **others)])
    else:
        found, problem = attempt(lambda: compressor.fit_batch(texts, errors="return", **asked, **others))
    if problem is not None:
        for text in texts:
            _, own = attempt(lambda text=text: compressor.fit(text, **asked, **others))
            report(own or ("batch", str(problem)), text, asked | others)
    if isinstance(found, Exception):
        done.refused += len(texts)
        return
    for text, each in zip(texts, found, strict=True):
        if isinstance(each, laconic.LaconicError):
            done.refused += 1
            continue
        for problem in distinct(check_document(each, clean(text), asked, compressor.parser)):
            report(problem, text, asked | others)


def run_together(rng: random.Random, compressor: laconic.Compressor, done: Round, report: Callable[..., None]) -> None:
    """Documents within one budget."""
    texts = [make_document(rng) for _ in range(rng.choice((1, 2, 4)))]
    asked = make_limits(rng, "\n\n".join(texts))
    others: dict[str, Any] = {
        "query": rng.choice((None, "What happened on Friday?", make_text(rng))),
        "format": rng.choice(("markdown", "markdown", "text")),
        "threads": 1,
    }
    done.inputs += len(texts)
    given: Any = {str(i): text for i, text in enumerate(texts)} if rng.random() < 0.3 else texts
    found, problem = attempt(lambda: compressor.fit_all(given, **asked, **others))
    if problem is not None:
        report(problem, texts, asked | others)
    if isinstance(found, Exception):
        done.refused += len(texts)
        return
    for problem in distinct(check_together(found, [clean(text) for text in texts], asked, compressor.parser)):
        report(problem, texts, asked | others)


def check_together(
    found: laconic.FittedAll, sources: Sequence[str], asked: dict[str, Any], parser: Parser
) -> Iterator[Problem]:
    source = "\n\n".join(sources)
    if found.length > found.most:
        yield "budget", f"{found.length} of {found.most}"
    yield from check_length(found.text, source, {**asked, "rate": None, "min_rate": None})
    yield from check_words(found.text, source)
    for document, own in zip(found, sources, strict=True):
        yield from check_contracted(document.spans, own, parser)


def clean(text: str) -> str:
    """A text with lone surrogates, which are no characters, replaced by U+FFFD, as laconic does first."""
    return SURROGATE.sub("\ufffd", text)


def distinct(problems: Iterator[Problem]) -> Iterator[Problem]:
    """The first of each kind."""
    seen = set()
    for problem in problems:
        if problem[0] not in seen:
            seen.add(problem[0])
            yield problem
