"""The compressor as a job for bulk processing."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from laconic import compatibility
from laconic.batching import batches
from laconic.bulk.formats import encode_text
from laconic.bulk.job import Output, Problem, Stream
from laconic.bulk.partitions import Partition
from laconic.bulk.sources import Column
from laconic.compressor import BATCH_SIZE, Compressor, load
from laconic.errors import LaconicError, LanguageWarning
from laconic.model_folders import (
    GRAPH_NAME,
    HEADER_NAME,
    MAXENT_NAME,
    VOCABULARY_NAME,
    maxent_folder,
    network_folder,
)
from laconic.options import Options, check, defaults
from laconic.package_versions import installed_version
from laconic.plain_text import as_text
from laconic.results import Result

#: The columns that may hold the text.
TEXT: Final = Column(("text", "sentence"), plain=True)
#: The counter of texts that the compressor refuses because no compression is within the limits.
REFUSED: Final = "refused"
#: The counter of texts that are left unchanged.
FOREIGN: Final = "not English"

_BATCH_CHARS: Final = 1 << 17


@dataclass(frozen=True, slots=True)
class CompressJob:
    """Compresses the texts of rows and writes one record for each row, in order.

    In the format jsonl, a line is `Result.to_dict()` preceded by the row's id; a row with a problem has `problem` and
    `detail` in place of the sentences. As text, a row with a problem is an empty line. With k > 1, each sentence is
    followed by an empty line, and each row by one more.
    """

    k: int = 1
    options: Options = field(default_factory=Options)
    model: str | Path | None = None
    parser: str | None = None
    scorer: str | None = None
    split: bool = True
    suffix: str = ".jsonl"  # or .txt; both may be compressed: .gz
    tell: Callable[[LaconicError], str] = str  # how the output words the error of a refused text

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The only stream: the results."""
        return (Stream("results", self.suffix),)

    def describe(self) -> dict[str, Any]:
        """The settings, and the versions of everything that the results depend on."""
        compressor = self._load()
        self._results(compressor, [])  # raises an error if an option is invalid
        return {
            "name": "compress",
            "laconic": installed_version("laconic"),
            "compatibility": compatibility.record(),
            "model": _digest(self.model),
            "parser": compressor.parser.description,
            "scorer": type(compressor.scorer).__name__,
            "runtime": {name: installed_version(name) for name in ("onnxruntime", "spacy")},
            "k": self.k,
            "options": self._described_options(),
            "split": self.split,
        }

    def _described_options(self) -> dict[str, Any]:
        """The options that differ from their defaults: leaving one out and giving its default value mean the same."""
        plain = json.loads(json.dumps(defaults("compress")))
        given = json.loads(json.dumps(check("compress", self.options), sort_keys=True))
        return {name: value for name, value in given.items() if value != plain[name]}

    def start(self) -> Callable[[Partition], Output]:
        """Load parser and model."""
        compressor = self._load()
        return lambda partition: self._compress(compressor, partition)

    def _load(self) -> Compressor:
        return _load(self.model, self.parser, self.scorer, self.split)

    def _compress(self, compressor: Compressor, partition: Partition) -> Output:
        texts = [row.values[0] for row in partition.rows if row.problem is None]
        # Batches depend on the partition alone, so its results do not depend on where it is processed.
        together = batches(texts, chars=_BATCH_CHARS, count=BATCH_SIZE)
        results = (result for batch in together for result in self._results(compressor, batch))
        printed = []
        named = []
        for row in partition.rows:
            problem, detail = row.problem, row.detail
            result = Result(row.values[0], ())
            if problem is None:
                found = next(results)
                if isinstance(found, Result):
                    result = found
                    if found.foreign:
                        named.append(Problem(row.id, FOREIGN, "left as it is"))
                else:
                    problem, detail = REFUSED, self.tell(found)
                    named.append(Problem(row.id, problem, detail))
            printed.append(self._print(row.id, result, {"problem": problem, "detail": detail} if problem else {}))
        return Output((encode_text("".join(printed), self.suffix),), (len(printed),), problems=tuple(named))

    def _results(self, compressor: Compressor, texts: list[str]) -> list[Result | LaconicError]:
        """The results; a refused text does not affect the others. Texts that are not English are counted."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LanguageWarning)
            return compressor.batch(texts, self.k, errors="return", **self.options)

    def _print(self, name: str, result: Result, problem: dict[str, str]) -> str:
        if self.suffix.startswith(".txt"):
            return as_text(result, self.k) + ("" if self.k == 1 else "\n")
        return json.dumps({"id": name, **result.to_dict(), **problem}, ensure_ascii=False) + "\n"


@lru_cache(maxsize=1)
def _load(model: str | Path | None, parser: str | None, scorer: str | None, split: bool) -> Compressor:
    """The compressor, loaded once per process."""
    return load(model, parser=parser, scorer=scorer, split=split)


def _digest(model: str | Path | None) -> str:
    """The digest of all files of a model: finished partitions are not reused with another model."""
    network, maxent = network_folder(model), maxent_folder(model)
    files = [network / GRAPH_NAME, network / VOCABULARY_NAME, network / HEADER_NAME, maxent / MAXENT_NAME]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
