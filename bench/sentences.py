"""How well sentence boundaries are found: python bench/sentences.py PLAIN [--groups N] [--show N] [--seed N]

PLAIN has one JSON object on each line with "genre" and "text" (one sentence), gzipped or not. Two to five sentences of
one genre, drawn with a fixed seed, are joined by a space. A boundary is right if one of the sentences begins there, and
wrong elsewhere, even if the corpus has two sentences in one item. No system finds the end of a heading, which has no
mark.

Our rules are compared, where these are installed, with pysbd (`pip install pysbd`), and with the parser and the
sentence recogniser of spaCy's small English pipeline. --show prints what our rules miss or invent, with the genre.
"""

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from time import perf_counter

from laconic.parse.sentences import sentence_starts
from laconic.parse.words import WordTokeniser
from laconic.timing import one_core

SIZES = (2, 5)
Finder = Callable[[str], set[int]]


@dataclass(frozen=True)
class Group:
    """Sentences of one genre, joined, and where all but the first begin."""

    text: str
    starts: frozenset[int]


@dataclass
class Score:
    """Boundaries that were found, that there are, and that are both."""

    found: int = 0
    there: int = 0
    right: int = 0

    def add(self, found: set[int], there: frozenset[int]) -> None:
        self.found += len(found)
        self.there += len(there)
        self.right += len(found & there)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.found + other.found, self.there + other.there, self.right + other.right)

    @property
    def precision(self) -> float:
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.there, 1)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.found + self.there, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plain", type=Path)
    parser.add_argument("--groups", type=int, default=300, help="of each genre, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="mistakes of ours to print")
    parser.add_argument("--ours", action="store_true", help="ours alone")
    args = parser.parse_args()
    groups = join(read(args.plain), args.groups, args.seed)
    finders = dict(find_all(args.ours))
    with one_core():
        scores, seconds = measure(groups, finders)
    print_table(scores, seconds)
    if args.show:
        show(groups, finders["laconic"], args.show, args.seed)


def read(path: Path) -> dict[str, list[str]]:
    """The sentences of each genre."""
    genres: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for line in lines:
            row = json.loads(line)
            genres[row["genre"]].append(" ".join(row["text"].split()))
    return dict(sorted(genres.items()))


def join(genres: Mapping[str, list[str]], count: int, seed: int) -> dict[str, list[Group]]:
    """Groups of sentences of each genre; no sentence is in two of them."""
    rng = random.Random(seed)
    groups = {}
    for genre, sentences in genres.items():
        left = rng.sample(sentences, len(sentences))
        groups[genre] = []
        while len(left) >= SIZES[1] and len(groups[genre]) < count:
            size = rng.randint(*SIZES)
            own, left = left[:size], left[size:]
            starts = accumulate(len(sentence) + 1 for sentence in own[:-1])
            groups[genre].append(Group(" ".join(own), frozenset(starts)))
    return groups


def find_all(ours: bool) -> Iterator[tuple[str, Finder]]:
    """What finds sentences, by name: where those of a text begin, apart from the first."""
    tokeniser = WordTokeniser()

    def laconic(text: str) -> set[int]:
        starts, ends = tokeniser.spans(text)
        return {starts[at] for at in sentence_starts(text, starts, ends)[1:]}

    yield "laconic", laconic
    if ours:
        return
    if find_spec("pysbd"):
        import pysbd

        segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
        yield "pysbd", lambda text: {span.start for span in segmenter.segment(text)} - {0}
    if find_spec("spacy"):
        import spacy

        from laconic.parse.spacy import DEFAULT_PIPELINES

        name = next((name for name in DEFAULT_PIPELINES if find_spec(name)), None)
        if name is not None:
            parsing = spacy.load(name, exclude=["ner", "tagger", "lemmatizer", "attribute_ruler"])
            senter = spacy.load(name, exclude=["ner", "tagger", "lemmatizer", "attribute_ruler", "parser"])
            senter.enable_pipe("senter")
            yield "spaCy parser", lambda text: {sent.start_char for sent in parsing(text).sents} - {0}
            yield "spaCy senter", lambda text: {sent.start_char for sent in senter(text).sents} - {0}


def measure(
    groups: Mapping[str, list[Group]], finders: Mapping[str, Finder]
) -> tuple[dict[str, dict[str, Score]], dict[str, float]]:
    """The scores by finder and genre, and the milliseconds that a finder takes for a group."""
    scores: dict[str, dict[str, Score]] = {}
    seconds = {}
    for name, find in finders.items():
        begin = perf_counter()
        scores[name] = {genre: Score() for genre in groups}
        for genre, own in groups.items():
            for group in own:
                scores[name][genre].add(find(group.text), group.starts)
        seconds[name] = (perf_counter() - begin) / sum(map(len, groups.values())) * 1000
    return scores, seconds


def print_table(scores: Mapping[str, Mapping[str, Score]], seconds: Mapping[str, float]) -> None:
    names = list(scores)
    print(f"{'F1 of boundaries':20} {'joints':>7}" + "".join(f"{name:>14}" for name in names))
    for genre, score in scores[names[0]].items():
        print(f"{genre:20} {score.there:7,}" + "".join(f"{scores[name][genre].f1:14.3f}" for name in names))
    whole = {name: sum(scores[name].values(), Score()) for name in names}
    print(f"{'all':20} {whole[names[0]].there:7,}" + "".join(f"{whole[name].f1:14.3f}" for name in names))
    print(f"{'precision':28}" + "".join(f"{whole[name].precision:14.3f}" for name in names))
    print(f"{'recall':28}" + "".join(f"{whole[name].recall:14.3f}" for name in names))
    print(f"{'ms a text':28}" + "".join(f"{seconds[name]:14.2f}" for name in names))


def show(groups: Mapping[str, list[Group]], find: Finder, count: int, seed: int) -> None:
    wrong = []
    for genre, own in groups.items():
        for group in own:
            found = find(group.text)
            for at in sorted(found ^ group.starts):
                kind = "missed" if at in group.starts else "invented"
                wrong.append(f"{kind:8} {genre:18} {group.text[max(0, at - 50) : at]}|{group.text[at : at + 30]}")
    print("\n".join(random.Random(seed).sample(wrong, min(count, len(wrong)))))


if __name__ == "__main__":
    main()
