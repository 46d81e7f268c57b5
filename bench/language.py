"""How often English is taken for another language, and another language for English: python bench/language.py DATA …

DATA are JSON Lines of English sentences (`text` or `sentence`, and `genre` where there is one). The other languages are
the examples that spaCy comes with, sentence by sentence.
"""

import argparse
import gzip
import importlib
import json
import pkgutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from laconic.language.detect import find_language

#: Modules of spaCy that are not another language: English, and several languages together.
NO_LANGUAGE = ("en", "xx")
#: Sentences of at least so many words are also counted separately.
LONG = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print so many of the mistakes in every row")
    asked = parser.parse_args()
    for path in asked.data:
        false_alarms(path, asked.show)
    recall(asked.show)


def false_alarms(path: Path, show: int) -> None:
    total, wrong, shown = Counter(), Counter(), {}
    start = time.perf_counter()
    for genre, text in sentences(path):
        total[genre] += 1
        if (language := find_language(text)) is not None:
            wrong[genre] += 1
            shown.setdefault(genre, []).append(f"{language}: {text}")
    spent = time.perf_counter() - start
    for genre in sorted(total):
        if wrong[genre]:
            print(f"{genre:>28} {wrong[genre]:>6,} of {total[genre]:>7,}  {wrong[genre] / total[genre]:.3%}")
            for text in shown[genre][:show]:
                print(f"{'':>30}{text}")
    count = total.total()
    print(
        f"{path.name}: {wrong.total():,} of {count:,} English sentences called foreign, {wrong.total() / count:.3%}; "
        f"{spent / count * 1e6:.1f} µs each, reading included"
    )


def sentences(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            yield item.get("genre", "-"), item.get("text") or item["sentence"]


def recall(show: int) -> None:
    import spacy.lang

    found = total = long_found = long_total = 0
    for module in pkgutil.iter_modules(spacy.lang.__path__):
        try:
            examples = importlib.import_module(f"spacy.lang.{module.name}.examples").sentences
        except (ImportError, AttributeError):
            continue
        if module.name in NO_LANGUAGE:
            continue
        missed = [text for text in examples if find_language(text) is None]
        found, total = found + len(examples) - len(missed), total + len(examples)
        long_found += sum(len(text.split()) >= LONG and text not in missed for text in examples)
        long_total += sum(len(text.split()) >= LONG for text in examples)
        if missed:
            print(f"{module.name:>28} {len(examples) - len(missed):>6} of {len(examples):>7} found")
            for text in missed[:show]:
                print(f"{'':>30}{text}")
    print(
        f"spaCy's examples: {found} of {total} sentences of other languages found, {found / total:.1%}; of "
        f"those with {LONG} words or more {long_found} of {long_total}, {long_found / long_total:.1%}"
    )


if __name__ == "__main__":
    main()
