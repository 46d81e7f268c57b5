"""The stages of `laconic train-reader`: from sentences with compressions and verdicts to a reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.model_folders import DEFAULT, GRAPH_NAME, HEADER_NAME, model_folder
from laconic.network.stages import Stage, check_stage, finished_folder, need_modules

if TYPE_CHECKING:
    from laconic.reader.fit import ReaderSettings


@dataclass(frozen=True, slots=True)
class ReaderSources:
    """The files that a reader is trained on."""

    levels: Sequence[Path]  # sentences with an editor's three compressions
    verdicts: Path  # compressions of ours, and which deletions an editor would undo
    plain: Path  # sentences that we compress ourselves

    @property
    def files(self) -> list[Path]:
        """All of them."""
        return [*self.levels, self.verdicts, self.plain]


def train_reader(
    sources: ReaderSources,
    *,
    out: Path,
    cache: Path,
    settings: ReaderSettings | None = None,
    stage: Stage | str = Stage.ALL,
    log: Callable[[str], None] = lambda _: None,
) -> None:
    """Train a reader for the network of the folder `out`, and write its files there.

    What is finished is kept in `cache`.
    """
    stage = check_stage(stage)
    network = model_folder(out)
    folder = finished_folder("reader", cache, [*sources.files, network / GRAPH_NAME], None, log)
    if stage in (Stage.ALL, Stage.PREPARE):
        need_modules("onnx", "safetensors")
        _prepare(sources, network, folder, log)
    if stage in (Stage.ALL, Stage.FIT):
        need_modules("torch")
        from laconic.reader.fit import ReaderSettings, fit_reader

        fit_reader(folder, settings or ReaderSettings(), log)
    if stage in (Stage.ALL, Stage.SHIP):
        need_modules("torch", "onnx")
        _ship(sources, network, folder)


def _prepare(sources: ReaderSources, network: Path, folder: Path, log: Callable[[str], None]) -> None:
    from laconic.network.start import find_start, go_on_from, write_rounding
    from laconic.parse.network import NetworkParser
    from laconic.reader.fit import CUTS, NETWORK, ROUNDING
    from laconic.reader.make_cuts import make_cuts

    find_start(folder, log)
    go_on_from(folder, {NETWORK: network})
    write_rounding(folder / ROUNDING, network / GRAPH_NAME)
    if not (folder / CUTS).exists():
        parser = NetworkParser(network, split=False)
        cuts = make_cuts(parser, levels=sources.levels, verdicts=sources.verdicts, plain=sources.plain)
        cuts.save(folder / CUTS)
        log(f"{len(cuts):,} sentences, {len(cuts.source):,} versions")


def _ship(sources: ReaderSources, network: Path, folder: Path) -> None:
    from laconic.network.distil import check_inputs
    from laconic.reader.cuts import EDITORS, OURS, VERDICTS, CutSentences
    from laconic.reader.fit import CUTS, SETTINGS, WEIGHTS, ReaderSettings
    from laconic.reader.ship import ship_reader

    check_inputs(folder, CUTS, SETTINGS, WEIGHTS)
    source = CutSentences.load(folder / CUTS).source

    def named(path: Path) -> str:
        return f"{path.parent.name}/{path.name}"

    levels = [named(path) for path in sources.levels]
    given = " ".join(f"--levels {each}" for each in levels)
    facts: dict[str, Any] = {
        "command": f"laconic train-reader {DEFAULT} {given} --verdicts {named(sources.verdicts)} "
        f"--plain {named(sources.plain)}",
        "network": json.loads((network / HEADER_NAME).read_text(encoding="utf-8"))["name"],
        "levels": levels,
        "verdicts": named(sources.verdicts),
        "plain": named(sources.plain),
        "versions": {
            name: int((source == each).sum())
            for name, each in (("editors", EDITORS), ("verdicts", VERDICTS), ("ours", OURS))
        },
        "settings": asdict(ReaderSettings(**json.loads((folder / SETTINGS).read_text()))),
    }
    ship_reader(folder, out=network, facts=facts)
