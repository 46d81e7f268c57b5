"""Build the table of frames from a corpus of plain text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laconic.frames.count import FrameCounts
from laconic.frames.table import make_frames, write_frames
from laconic.parse import load_parser
from laconic.progress import Log, ignore

if TYPE_CHECKING:
    from laconic.frames.table import Frame


def count_frames(
    corpus: Path, *, out: Path, cache: Path, parser: str | None = None, workers: int | None = None, log: Log = ignore
) -> list[Frame]:
    """Parse a corpus of plain text, count the frames of its words, and write the table to `out`."""
    from laconic.train.cache import parse_corpus

    parsed = parse_corpus(corpus, cache=cache, parser=parser, plain=True, workers=workers)
    counts = FrameCounts()
    for shard in parsed:
        counts.add(shard.parses)
        log(f"{counts.sentences:,} sentences counted")
    frames = make_frames(counts)
    write_frames(frames, out, _source(corpus, counts.sentences, parser))
    log(f"{len(frames):,} frames written to {out}")
    return frames


def _source(corpus: Path, sentences: int, parser: str | None) -> str:
    """The source information at the head of the file."""
    description = load_parser(parser, split=False).description
    option = f" --parser {Path(parser).name}" if parser else ""
    return "\n".join(
        (
            "What words seldom stand without; laconic/frames/table.py says what the columns are.",
            f"Counted on {sentences:,} sentences of {corpus.name}, parsed by {description}, with",
            f"laconic count-frames {corpus.name}{option} --out frames.tsv",
        )
    )
