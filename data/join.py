"""Puts editors' compressions and verdicts together with the sentences that they are of (data/README.md).

Usage: python data/join.py OUT_DIR general/plain.jsonl.gz general/train.jsonl.gz news/articles.jsonl.gz

The files here say which characters of a sentence an editor kept, and which deletions are at fault, but not the
sentence: that is known by its hash, and found in the files that are given. Writes editors.jsonl.gz, verdicts.jsonl.gz
and strict.jsonl.gz into OUT_DIR, which `laconic train-network` takes, and verdicts-dev.jsonl.gz and
strict-dev.jsonl.gz: the verdicts on one sentence in twenty, which are held out to measure what was learned
(bench/verdicts.py).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEVELS = ("light", "medium", "short")
VERDICTS = ("verdicts", "strict")
HELD_OUT = 20  # one sentence in so many
FOLDER = Path(__file__).parent


def key_of(text: str) -> str:
    """What a sentence is known by."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main(out: Path, sources: list[Path]) -> None:
    """Join the files; ends with an error where a sentence is in none of the sources."""
    wanted = {name: list(_lines(FOLDER / f"{name}.jsonl.gz")) for name in ("editors", *VERDICTS)}
    keys = {record["key"] for records in wanted.values() for record in records}
    texts: dict[str, str] = {}
    for source in [*sources, FOLDER / "own.jsonl.gz", FOLDER / "written.jsonl.gz"]:
        for record in _lines(source):
            text = record["text"] if "text" in record else record["lead"]
            if (key := key_of(text)) in keys:
                texts[key] = text
    if missing := len(keys - set(texts)):
        sys.exit(f"{missing} of {len(keys)} sentences are not in these files: give all that data/README.md names")
    out.mkdir(parents=True, exist_ok=True)
    for name in VERDICTS:
        said = wanted[name]
        wanted[name] = [record for record in said if int(record["key"], 16) % HELD_OUT]
        wanted[f"{name}-dev"] = [record for record in said if not int(record["key"], 16) % HELD_OUT]
    for name, records in wanted.items():
        with gzip.open(out / f"{name}.jsonl.gz", "wt", encoding="utf-8", compresslevel=9) as file:
            for record in records:
                text = texts[record.pop("key")]
                for level in LEVELS:
                    if level in record:
                        record[level] = " ".join(text[first:last] for first, last in record[level])
                file.write(json.dumps({**record, "text": text}, ensure_ascii=False) + "\n")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])
