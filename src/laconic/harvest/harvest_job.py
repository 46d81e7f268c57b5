"""The harvest as a bulk job: rows with headline and text in, training items and, optionally, rejected pairs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final

from laconic import compatibility
from laconic.bulk.formats import Field, encode
from laconic.bulk.job import Output, Stream
from laconic.bulk.partitions import Partition
from laconic.bulk.sources import Column
from laconic.errors import LaconicError
from laconic.harvest.harvest import Harvester, Rejected
from laconic.harvest.thresholds import Settings
from laconic.model_folders import NETWORK, SPACY
from laconic.package_versions import installed_version
from laconic.parse import SpacyParser

#: The default columns of headline and text in files of pairs or articles.
HEADLINE: Final = Column(("headline", "title"))
TEXT: Final = Column(("sentence", "lead", "text", "article", "body", "content", "description"))

#: The counter of accepted pairs.
ACCEPTED: Final = "accepted"

_BATCH: Final = 512
_ITEM: Final = (
    Field("id"),
    Field("sentence"),
    Field("headline"),
    Field("compression"),
    Field("tokens", "texts"),
    Field("keep", "integers"),
    Field("tree", "json"),
)
_REJECTED: Final = (Field("id"), Field("reason"), Field("detail"), Field("headline"), Field("text"))


@dataclass(frozen=True, slots=True)
class HarvestJob:
    """Harvests the pairs of rows; items and rejected pairs have the id of their row."""

    settings: Settings = field(default_factory=Settings)
    parser: str | None = None
    suffix: str = ".jsonl"  # of the items
    explain: str | None = None  # suffix of the rejected pairs, if they are written

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The items, and the rejected pairs."""
        items = Stream("items", self.suffix)
        return (items,) if self.explain is None else (items, Stream("rejected", self.explain))

    def describe(self) -> dict[str, Any]:
        """The settings, and the versions of everything that the results depend on."""
        return {
            "name": "harvest",
            "laconic": installed_version("laconic"),
            "compatibility": compatibility.record(),
            "parser": f"{_parser(self.parser).description}, spaCy {installed_version('spacy')}",
            **asdict(self.settings),
        }

    def start(self) -> Callable[[Partition], Output]:
        """Load the parser."""
        harvester = Harvester(_parser(self.parser), self.settings)
        return lambda partition: self._harvest(harvester, partition)

    def _harvest(self, harvester: Harvester, partition: Partition) -> Output:
        rows = [row for row in partition.rows if row.problem is None]
        outcomes = []
        for at in range(0, len(rows), _BATCH):
            outcomes += harvester.harvest([(row.values[0], row.values[1]) for row in rows[at : at + _BATCH]])
        items, rejected = [], []
        counts: Counter[str] = Counter()
        found = dict(zip((row.id for row in rows), outcomes, strict=True))
        for row in partition.rows:
            outcome = found.get(row.id)
            if outcome is not None and not isinstance(outcome, Rejected):
                counts[ACCEPTED] += 1
                items.append({"id": row.id, **outcome.to_dict()})
                continue
            reason, detail = row.problem, row.detail  # counted by the bulk module
            if outcome is not None:
                reason, detail = outcome.reason, outcome.detail
                counts[outcome.reason] += 1
            headline, text = (*row.values, "", "")[:2]
            rejected.append({"id": row.id, "reason": reason, "detail": detail, "headline": headline, "text": text})
        streams = [encode(items, _ITEM, self.suffix)]
        if self.explain is not None:
            streams.append(encode(rejected, _REJECTED, self.explain))
        return Output(tuple(streams), (len(items), len(rejected))[: len(streams)], counts)


@lru_cache(maxsize=1)
def _parser(name: str | None) -> SpacyParser:
    """The parser, loaded once per process."""
    if name == NETWORK:
        raise LaconicError("pairs are matched by the lemmas of spaCy: use the parser spacy, or a spaCy pipeline")
    return SpacyParser(None if name == SPACY else name)
