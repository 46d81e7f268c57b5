"""What must hold for every document: python bench/invariants.py [--most N] [FOLDER…]

Fits Markdown files (*.md) of some folders, by default up to 300, at the rates 1, .8, .5 and .2, and to the smallest
possible number of characters and of words. Prints how many files break each invariant of tests/invariants.py. Without
folders, the files are those of the installed packages. Details of each failure go to standard error.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import laconic
from laconic.document import fit as module

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from invariants import INVARIANTS, check_least, check_rates

RATES = (1.0, 0.8, 0.5, 0.2)
SYSTEM = ("/usr/lib/node_modules", "/usr/share/doc", "/usr/share/nodejs", "/usr/lib", "/usr/share", "/usr/local/lib")
LONGEST = 100_000  # bytes: longer ones are for bench/fit.py


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=300, help="files, at most")
    asked = parser.parse_args()
    folders = asked.folders or [Path(sysconfig.get_path("purelib")), *map(Path, SYSTEM)]
    compressor = laconic.load()
    broken: Counter[str] = Counter()
    files = fits = 0
    for file, text in islice(find_texts(folders), asked.most):
        files += 1
        remember_parts()
        wrong = set()
        for problem in chain(check_rates(compressor, text, RATES), check_least(compressor, text)):
            if problem is None:
                fits += 1
            else:
                wrong.add(problem[0])
                print(f"{file}: {problem[0]}: {problem[1][:200]}", file=sys.stderr)
        broken.update(wrong)
    print(f"{files:,} files, {fits:,} fits")
    for name, meaning in INVARIANTS.items():
        print(f"{broken[name]:>6}  {meaning}")
    sys.exit(bool(broken))


def find_texts(folders: list[Path]) -> Iterator[tuple[Path, str]]:
    """Markdown files and what is in them, each text once."""
    seen = set()
    for file in chain.from_iterable(sorted(folder.rglob("*.md")) for folder in folders if folder.exists()):
        try:
            data = file.read_bytes()
            text = data.decode()
        except (OSError, UnicodeDecodeError):
            continue
        key = hashlib.sha256(data).digest()
        if 200 < len(data) < LONGEST and key not in seen:
            seen.add(key)
            yield file, text


read_parts = module.read_parts


def remember_parts() -> None:
    """The sentences of a document are read once for all of its budgets."""
    known = {}

    def read(compressor, documents, *arguments, **options):
        key = tuple(document.text for document in documents)
        if key not in known:
            known[key] = read_parts(compressor, documents, *arguments, **options)
        return known[key]

    module.read_parts = read


if __name__ == "__main__":
    main()
