"""How far words, sentences and lemmas agree with spaCy's: python bench/words.py ARTICLES [--limit N] [--show N]

ARTICLES has one JSON object on each line with a field "lead", gzipped or not. Every n-th lead is used, from the first
one on, so that about --limit leads come from the whole file. spaCy's words are those of its English tokeniser, without
white space. Its sentences come from the parser of its small English pipeline, and its lemmas from that pipeline's tags,
which are also the input for our lemmas. Speed is that of the tokenisers alone, each on all leads, after one pass that
fills the caches.

Most leads are one sentence, and spaCy often takes a dateline for a separate one. So leads that end in a word of at
least four small letters (some were cut at "Sen.") and a final mark are also joined, five at a time, with a space
between them. For these the true boundaries are known, and the share of them that is found is printed.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import spacy
from spacy.tokens import Doc

from laconic.parse.lemmas import lemma
from laconic.parse.sentences import sentence_starts
from laconic.parse.spacy import SpacyParser
from laconic.parse.words import WordTokeniser
from laconic.timing import one_core

GROUP = 5
ENDED = re.compile(r"[a-z]{4}[.!?]\s*$")


class Agreement:
    """Counts what two sides found, and what both did."""

    def __init__(self) -> None:
        self.both = self.ours = self.theirs = self.same = self.texts = 0
        self.differences: Counter[str] = Counter()

    def add(self, ours: set[tuple[int, int]], theirs: set[tuple[int, int]], text: str) -> None:
        self.both += len(ours & theirs)
        self.ours += len(ours)
        self.theirs += len(theirs)
        self.texts += 1
        self.same += ours == theirs
        for side, spans in (("ours", ours - theirs), ("spaCy", theirs - ours)):
            self.differences.update(
                f"{side}: {text[max(start - 20, 0) : start]}|{text[start:end]}" for start, end in spans
            )

    def __str__(self) -> str:
        f1 = 2 * self.both / max(self.ours + self.theirs, 1)
        found = f"{self.both:,} of ours {self.ours:,} and spaCy's {self.theirs:,}"
        return f"F1 {f1:.4f} ({found}), the same in {self.same / max(self.texts, 1):.1%} of the texts"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", type=Path)
    parser.add_argument("--limit", type=int, default=5000, help="leads, about")
    parser.add_argument("--show", type=int, default=0, help="differences to print")
    args = parser.parse_args()
    leads = list(read(args.articles))
    step = max(1, len(leads) // args.limit)
    sample = leads[::step]
    print(f"{len(sample):,} of {len(leads):,} leads: every {step}th")
    with one_core():
        compare(sample, args.show)
        speed(sample)


def read(path: Path) -> Iterator[str]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for line in lines:
            yield json.loads(line)["lead"]


def compare(texts: list[str], show: int) -> None:
    nlp = SpacyParser().nlp
    words, sentences = Agreement(), Agreement()
    lemmas: Counter[tuple[str, str, str, str]] = Counter()
    tokeniser = WordTokeniser()
    for text, doc in zip(texts, nlp.pipe(texts, disable=["ner"]), strict=True):
        starts, ends = tokeniser.spans(text)
        tokens = [token for token in doc if not token.is_space]
        words.add(set(zip(starts, ends, strict=True)), {(token.idx, token.idx + len(token)) for token in tokens}, text)
        sentences.add(
            {(start, start + 20) for start in inner_starts(text, tokeniser)},
            {(start, start + 20) for start in spacy_starts(doc)},
            text,
        )
        lemmas.update((token.text, token.tag_, lemma(token.text, token.tag_), token.lemma_) for token in tokens)
    same = sum(count for (_, _, ours, theirs), count in lemmas.items() if ours == theirs)
    print(f"words      {words}")
    print(f"sentences  {sentences} (first words left out)")
    print(f"lemmas     {same / lemmas.total():.2%} the same, given spaCy's tags")
    whole = [text for text in texts if ENDED.search(text)]
    groups = [whole[at : at + GROUP] for at in range(0, len(whole) - GROUP + 1, GROUP)]
    joined = [" ".join(group) for group in groups]
    ours = joints(groups, [set(inner_starts(text, tokeniser)) for text in joined])
    theirs = joints(groups, [set(spacy_starts(doc)) for doc in nlp.pipe(joined, disable=["ner"])])
    print(f"joints     ours finds {ours:.2%}, spaCy {theirs:.2%} of the {len(groups) * (GROUP - 1):,} between leads")
    if show:
        for name, counts in (("words", words.differences), ("sentences", sentences.differences)):
            print(f"\n{name}")
            print("\n".join(f"{count:5}  {what}" for what, count in counts.most_common(show)))
        print("\nlemmas")
        wrong = Counter({key: count for key, count in lemmas.items() if key[2] != key[3]})
        for (form, tag, own, other), count in wrong.most_common(show):
            print(f"{count:5}  {form} {tag}: {own}, spaCy {other}")


def inner_starts(text: str, tokeniser: WordTokeniser) -> list[int]:
    """Where our sentences begin, apart from the first."""
    starts, ends = tokeniser.spans(text)
    return [starts[at] for at in sentence_starts(text, starts, ends)[1:]]


def spacy_starts(doc: Doc) -> list[int]:
    """Where spaCy's sentences begin, apart from the first; white space at the beginning of one is passed over."""
    firsts = [next((token.idx for token in sentence if not token.is_space), None) for sentence in doc.sents]
    return [first for first in firsts if first is not None][1:]


def joints(groups: list[list[str]], found: list[set[int]]) -> float:
    """The share of the true boundaries, between joined leads, that are found."""
    hits = total = 0
    for group, starts in zip(groups, found, strict=True):
        at = 0
        for before, after in pairwise(group):
            at += len(before) + 1
            hits += at + len(after) - len(after.lstrip()) in starts
            total += 1
    return hits / max(total, 1)


def speed(texts: list[str]) -> None:
    nlp = spacy.blank("en")
    tokeniser = WordTokeniser()
    spans = [tokeniser.spans(text) for text in texts]
    ours = each(tokeniser.spans, texts)
    theirs = each(nlp.make_doc, texts)
    begin = perf_counter()
    for text, (starts, ends) in zip(texts, spans, strict=True):
        sentence_starts(text, starts, ends)
    sentences = (perf_counter() - begin) / len(texts) * 1e6
    words = sum(len(starts) for starts, _ in spans) / len(texts)
    print(
        f"µs a text  words {ours:.1f}, spaCy's tokeniser {theirs:.1f}; sentences {sentences:.1f} "
        f"({words:.1f} words a text)"
    )


def each(function: Callable[[str], object], texts: list[str]) -> float:
    """Microseconds a text, the best of three passes after one that is not counted."""
    times = []
    for _ in range(4):
        begin = perf_counter()
        for text in texts:
            function(text)
        times.append(perf_counter() - begin)
    return min(times[1:]) / len(texts) * 1e6


if __name__ == "__main__":
    main()
