"""Whether the answer to a question survives in what is kept of a text: python bench/answers.py DATA [--questions 300]

DATA has one article on each line, `{"title", "paragraphs": [{"text", "questions": [{"question", "answers"}]}]}`. Each
question is asked of its own paragraph, which is cut to 25% and 50% of its characters, and of eight paragraphs (its own
and seven others of the article, in the article's order), which are cut to 10% and 25%. An answer survives if its words
are next to each other in the output; if nothing fits, it is lost. Four methods are compared: the beginning of the text;
whole sentences by BM25, the best first as long as they fit, in the order of the text; `fit` without the question; `fit`
with it. p is from paired tests: `fit` with the question against BM25, and `fit` without it against the beginning.
"""

import argparse
import gzip
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

import laconic
from laconic.metrics.series import Series, compare

SEED = 15
#: How many paragraphs, and the shares of their characters.
TASKS = ((1, 0.25), (1, 0.5), (8, 0.1), (8, 0.25))
WORD = re.compile(r"[^\W_]+")


class Question(NamedTuple):
    question: str
    answers: list[str]
    documents: dict[int, str]  # by the number of paragraphs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--questions", type=int, help="so many, drawn by a fixed seed; all of them if not given")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--show", type=int, default=0, help="print so many answers that are lost with the question")
    args = parser.parse_args()
    questions = list(read(args.data))
    if args.questions:
        drawn = random.Random(SEED).sample(range(len(questions)), args.questions)
        questions = [questions[i] for i in sorted(drawn)]
    print(f"{len(questions):,} questions\n")
    header = "".join(f"{f'{count} at {share:.0%}':>12}" for count, share in TASKS)
    print(f"{'the answer survives':<28}{header}")
    with ProcessPoolExecutor(args.jobs) as pool:
        chunk = max(1, len(questions) // (args.jobs * 8))
        found = np.array(list(pool.map(survives, questions, chunksize=chunk)), dtype=float)  # question, way, task
    for way, name in enumerate(WAYS):
        print(f"{name:<28}{''.join(f'{value:>12.3f}' for value in found[:, way].mean(axis=0))}")
    ways = list(WAYS)
    for a, b in (("fit with the question", "sentences by BM25"), ("fit", "truncation")):
        pairs = zip(found[:, ways.index(a)].T, found[:, ways.index(b)].T, strict=True)
        tests = [compare(Series("alive", "alive", x), Series("alive", "alive", y)) for x, y in pairs]
        print(f"p, {a} against {b}: {', '.join(f'{test.p:.4f}' for test in tests)}")
    lost = np.argwhere(found[:, ways.index("fit with the question")] == 0)
    for number, task in islice(lost, args.show):
        (count, share), (question, answers, documents) = TASKS[task], questions[number]
        text = documents[count]
        kept = fit_with_question(text, int(len(text) * share), question)
        print(f"\n{count} at {share:.0%}: {question} – {answers}\n  of: {text[:2000]}\n  kept: {kept}")


def read(path: Path) -> Iterator[Question]:
    rng = random.Random(SEED)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            paragraphs = json.loads(line)["paragraphs"]
            for number, paragraph in enumerate(paragraphs):
                others = [i for i in range(len(paragraphs)) if i != number]
                for item in paragraph["questions"]:
                    chosen = sorted([number, *rng.sample(others, min(7, len(others)))])
                    eight = "\n\n".join(paragraphs[i]["text"] for i in chosen)
                    yield Question(item["question"], item["answers"], {1: paragraph["text"], 8: eight})


def survives(item: Question) -> list[list[bool]]:
    """Way by way, and task by task."""
    texts = [(item.documents[count], int(len(item.documents[count]) * share)) for count, share in TASKS]
    return [[alive(way(text, most, item.question), item.answers) for text, most in texts] for way in WAYS.values()]


def alive(text: str, answers: list[str]) -> bool:
    words = f" {' '.join(WORD.findall(text.lower()))} "
    return any(f" {' '.join(WORD.findall(answer.lower()))} " in words for answer in answers)


def truncate(text: str, most: int, _: str) -> str:
    return text[:most]


def by_bm25(text: str, most: int, question: str) -> str:
    sentences = [sentence for paragraph in text.split("\n\n") for sentence in split(paragraph)]
    scores = bm25([WORD.findall(sentence.lower()) for sentence in sentences], WORD.findall(question.lower()))
    chosen: list[int] = []
    length = -1
    for i in sorted(range(len(sentences)), key=lambda i: -scores[i]):
        if length + 1 + len(sentences[i]) <= most:
            chosen.append(i)
            length += 1 + len(sentences[i])
    return " ".join(sentences[i] for i in sorted(chosen))


def bm25(sentences: list[list[str]], query: list[str], k1: float = 1.2, b: float = 0.75) -> list[float]:
    among = Counter(word for sentence in sentences for word in set(sentence))
    idf = {word: math.log(1 + (len(sentences) - among[word] + 0.5) / (among[word] + 0.5)) for word in set(query)}
    average = sum(map(len, sentences)) / len(sentences)

    def score(sentence: list[str]) -> float:
        own, norm = Counter(sentence), k1 * (1 - b + b * len(sentence) / average)
        return sum(weight * own[word] * (k1 + 1) / (own[word] + norm) for word, weight in idf.items())

    return [score(sentence) for sentence in sentences]


def fit(text: str, most: int, _: str) -> str:
    return fit_with_question(text, most, None)


def fit_with_question(text: str, most: int, question: str | None) -> str:
    try:
        return compressor().fit(text, max_chars=most, format="text", query=question).text
    except laconic.LaconicError:
        return ""


WAYS: dict[str, Callable[[str, int, str], str]] = {
    "truncation": truncate,
    "sentences by BM25": by_bm25,
    "fit": fit,
    "fit with the question": fit_with_question,
}


@cache
def compressor() -> laconic.Compressor:
    return laconic.load()


@cache
def split(paragraph: str) -> list[str]:
    parses = compressor().parser.parse([paragraph])
    return [paragraph[parses.start[first] : parses.end[last - 1]].strip() for _, first, last in parses.sentences()]


if __name__ == "__main__":
    main()
