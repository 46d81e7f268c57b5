"""Subtitles compared with simpler methods: python bench/subtitles.py DATA_FOLDER [--time] [--show FILE CPS]

The files of tests/data/subtitles, and the spoken genres of DATA_FOLDER/{dev,train}.jsonl.gz as cues of up to 84
characters timed at 22 a second, are condensed to 20, 17 and 12 characters a second. Prints
- the share of cues within the limits, of words kept, and of cues in which no sentence is broken, also for cutting every
  cue off at its limit and for deleting fillers by a list. A sentence is broken if its remaining words are not connected
  in its tree, or break a rule of the guard;
- whether every cue over its limit is reported, times and tags are unchanged, every word is in its cue, and no cue is
  empty.
With --time, prints the time of a film of 1,500 cues on one core. With --show, prints a file before and after, cue by
cue.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import laconic
from laconic.errors import LaconicWarning
from laconic.guard import make_pins
from laconic.guard.rule import Policy
from laconic.subtitles import check as check_only
from laconic.subtitles import condense
from laconic.subtitles.cues import Cue, Rules, read_cues
from laconic.subtitles.fillers import find_fillers
from laconic.subtitles.formats import read_subtitles
from laconic.subtitles.lines import set_lines
from laconic.subtitles.markup import displayed
from laconic.subtitles.passages import read_passages

SPOKEN = ("gum-conversation", "gum-interview", "gum-podcast", "gum-speech", "gum-vlog", "own-dialogue", "own-lecture")
FILES = sorted((Path(__file__).parent.parent / "tests/data/subtitles").glob("*.*"))
SPEEDS = (20, 17, 12)


def spoken_cues(sentences: Sequence[str], most: int = 84, cps: float = 22) -> str:
    """Sentences as running text in cues, each as full as it may be, as an SRT."""
    cues: list[str] = []
    for word in " ".join(sentences).split():
        if cues and len(cues[-1]) + 1 + len(word) <= most:
            cues[-1] += f" {word}"
        else:
            cues.append(word)
    blocks, at = [], 0
    for number, text in enumerate(cues, 1):
        end = at + round(1000 * len(text) / cps)
        blocks.append(f"{number}\n{_stamp(at)} --> {_stamp(end)}\n{text}\n")
        at = end
    return "\n".join(blocks)


def _stamp(ms: int) -> str:
    return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def read_spoken(folder: Path) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name in ("dev", "train"):
        with gzip.open(folder / f"{name}.jsonl.gz", "rt") as file:
            for item in map(json.loads, file):
                if item["genre"] in SPOKEN:
                    found.setdefault(item["genre"], []).append(item["text"])
    return {genre: spoken_cues(texts) for genre, texts in sorted(found.items())}


def cut_off(cue: Cue, rules: Rules) -> str:
    """As many words from the front as the limits allow; the first in any case."""
    words = cue.text.split()
    most = min(rules.allowed(cue), rules.line * rules.lines)
    while len(words) > 1 and len(" ".join(words)) > most:
        words.pop()
    return " ".join(words)


def drop_fillers(cue: Cue, _: Rules) -> str:
    text = " ".join(cue.text.split())
    while found := next(iter(find_fillers(text)), None):
        text = text[: found.start] + text[found.end :]
    return text


def words_of(text: str) -> list[str]:
    return [word for part in text.split() if (word := re.sub(r"[^\w]", "", part).lower())]


def kept_words(before: str, after: str) -> list[bool] | None:
    """By word of a cue: whether it is left; None if `after` has a word that is not from the cue."""
    left = words_of(after)
    found = []
    for word in reversed(words_of(before)):
        found.append(bool(left) and left[-1] == word)
        if found[-1]:
            left.pop()
    return None if left else found[::-1]


class Sentences:
    """The sentences of a file, each with the words of cues that it has."""

    def __init__(self, compressor: laconic.Compressor, cues: Sequence[Cue]) -> None:
        passages = read_passages(cues)
        self.forest, _ = compressor.read([passage.text for passage in passages])
        parses = self.forest.parses
        self.pins = make_pins(self.forest, Policy.SENTENCE)
        number_of = {}  # of a word, by cue and glyph
        for number, cue in enumerate(cues):
            words = [m for m in re.finditer(r"\S+", cue.text) if re.search(r"\w", m.group())]
            number_of |= {(number, i): n for n, m in enumerate(words) for i in range(m.start(), m.end())}
        self.tokens = []
        for text, first, last in parses.sentences():
            passage, own = passages[text], []
            for row in range(first, last):
                start = int(parses.start[row])
                own.append((passage.cue[start], number_of.get((passage.cue[start], passage.glyph[start]))))
            self.tokens.append((first, own))

    def whole(self, kept: Sequence[list[bool]]) -> list[tuple[bool, set[int]]]:
        """Of every sentence whether what is left of it hangs together, and its cues."""
        found = []
        forest = self.forest
        for i, (first, own) in enumerate(self.tokens):
            left = [word is not None and kept[cue][word] for cue, word in own]
            nodes = {int(forest.node_of[first + t]) for t, is_left in enumerate(left) if is_left} - {-1}
            parent = forest.parent[forest.node_ptr[i] : forest.node_ptr[i + 1]].tolist()
            roots = [node for node in nodes if parent[node] not in nodes]
            stands = len(roots) == 1 and forest.root_edge[forest.node_ptr[i] + roots[0]]
            same = all(is_left for (_, word), is_left in zip(own, left, strict=True) if word is not None)
            obeys = self.pins is None or self.pins.broken_by(forest, i, frozenset(nodes)) is None
            found.append((same or bool(stands and obeys), {cue for cue, _ in own}))
        return found


def measure(name: str, texts: Sequence[str], cues: Sequence[Cue], rules: Rules, sentences: Sentences) -> list[str]:
    kept = [
        kept_words(cue.text, text) or [False] * len(words_of(cue.text)) for cue, text in zip(cues, texts, strict=True)
    ]
    most = rules.line * rules.lines + rules.lines - 1
    fits = [
        (displayed(text) <= rules.allowed(cue)) and len(text) <= most for cue, text in zip(cues, texts, strict=True)
    ]
    total, left = sum(map(len, kept)), sum(map(sum, kept))
    broken = set()
    for whole, own in sentences.whole(kept):
        broken |= set() if whole else own
    share = 1 - len(broken) / len(cues)
    return [name, f"{sum(fits) / len(cues):.1%}", f"{left / total:.1%}", f"{share:.1%}"]


def check(before: str, result: laconic.subtitles.Condensed, cues: Sequence[Cue]) -> dict[str, int]:
    """How often something is not as it must be."""
    after = read_cues(result.file)
    return {
        "over and not reported": sum(
            result.rules.is_over(cue) and not (report.over and report.reason)
            for cue, report in zip(after, result.cues, strict=True)
        ),
        "times or tags moved": sum(
            (a.start, a.end, [tag for _, tag in a.markup.tags]) != (b.start, b.end, [tag for _, tag in b.markup.tags])
            for a, b in zip(cues, after, strict=True)
        ),
        "a word not its own": sum(kept_words(a.text, b.text) is None for a, b in zip(cues, after, strict=True)),
        "empty": sum(bool(words_of(a.text)) and not words_of(b.text) for a, b in zip(cues, after, strict=True)),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--show", nargs=2)
    arguments = parser.parse_args()
    compressor = laconic.load()
    if arguments.show:
        show(compressor, Path(arguments.show[0]), float(arguments.show[1]))
        return
    if arguments.time:
        time_film(compressor, arguments.data)
        return
    spoken = {name: text.encode() for name, text in read_spoken(arguments.data).items()}
    sets = {"written": {path.name: path.read_bytes() for path in FILES}, "spoken": spoken}
    print("| cues | cps | | within | words kept | sentences whole |\n|---|---|---|---|---|---|")
    problems: dict[str, int] = {}
    for name, files in sets.items():
        for cps in SPEEDS:
            rows: dict[str, list[list[str]]] = {}
            rules = Rules(cps)
            cues: list[Cue] = []
            after: list[str] = []
            over = unproven = 0
            for data in files.values():
                own = read_cues(read_subtitles(data))
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", LaconicWarning)
                    result = condense(data, cps=cps, compressor=compressor)
                unproven += len(caught)
                over += len(result.over)
                for problem, count in check(name, result, own).items():
                    problems[problem] = problems.get(problem, 0) + count
                cues += own
                after += [report.after for report in result.cues]
            sentences = Sentences(compressor, cues)
            ways = {
                "as they are": [cue.text for cue in cues],
                "cut off": [cut_off(cue, rules) if rules.is_over(cue) else cue.text for cue in cues],
                "fillers dropped": [drop_fillers(cue, rules) if rules.is_over(cue) else cue.text for cue in cues],
                "laconic": after,
            }
            for way, texts in ways.items():
                rows.setdefault(way, []).append(measure(way, texts, cues, rules, sentences))
            for own_rows in rows.values():
                for row in own_rows:
                    print(f"| {name}, {len(cues):,} | {cps} | " + " | ".join(row) + " |")
            print(f"|  | | {over} reported as impossible, {unproven} files with a search cut short | | | |", flush=True)
    print(problems)


def show(compressor: laconic.Compressor, path: Path, cps: float) -> None:
    for cue in condense(path.read_bytes(), cps=cps, compressor=compressor).cues:
        print(f"{cue.name:>6} {cue.chars_before:3} {cue.allowed:3} {cue.chars:3} {'over' if cue.over else '    '} "
              f"{' | '.join(cue.before.split(chr(10)))}")  # fmt: skip
        if cue.changed:
            print(f"{'':24}→ {' | '.join(cue.after.split(chr(10)))}")


def time_film(compressor: laconic.Compressor, folder: Path) -> None:
    """A film of 1,500 cues: the spoken genres, again and again from another word on, at 10 to 22 a second."""
    spoken = read_spoken(folder).values()
    words = [word for text in spoken for cue in read_cues(read_subtitles(text)) for word in cue.text.split()]
    film: list[str] = []
    at = 0
    speeds = itertools.cycle((13, 16, 11, 18, 14, 20, 12, 15, 17, 10, 22, 14))
    text = itertools.chain.from_iterable(words[start:] for start in itertools.count(0, 7))
    for number in range(1, 1501):
        own = [next(text)]
        while len(" ".join(own)) < 30 + number % 40:
            own.append(next(text))
        lines = "".join(char for char, _ in set_lines([(char, -1) for char in " ".join(own)], Rules()))
        end = at + round(1000 * displayed(lines) / next(speeds))
        film.append(f"{number}\n{_stamp(at)} --> {_stamp(end)}\n{lines}\n")
        at = end + 80
    whole = "\n".join(film)
    condense("\n".join(film[:20]), compressor=compressor)
    for cps in SPEEDS:
        over = len(check_only(whole, cps=cps).over)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LaconicWarning)
            start, started = time.perf_counter(), time.process_time()
            found = condense(whole, cps=cps, compressor=compressor)
            seconds, busy = time.perf_counter() - start, time.process_time() - started
        told = f"{seconds:.1f} s, {busy:.1f} s of the processor, {len(found.over)} still over"
        print(f"{len(found.cues)} cues, {over} over {cps} cps: {told}", flush=True)


if __name__ == "__main__":
    main()
