"""The stages of `laconic train-reader`: from plain sentences to a reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.errors import LaconicError
from laconic.model_folders import DEFAULT, HEADER_NAME, VOCABULARY_NAME, model_folder
from laconic.network.stages import Stage, check_stage, key_of, need_modules

if TYPE_CHECKING:
    from laconic.reader.fit import ReaderSettings


def train_reader(
    treebank: Path,
    *,
    out: Path,
    cache: Path,
    networks: Path | None = None,
    settings: ReaderSettings | None = None,
    stage: Stage | str = Stage.ALL,
    log: Callable[[str], None] = lambda _: None,
) -> None:
    """Train a reader on plain sentences and write its folder.

    `networks` are trained ones, those that come with laconic where they are not given: the default one makes the trees
    that are cut, the small one's encoder is what the reader begins with. What is finished is kept in `cache`.
    """
    stage = check_stage(stage)
    networks = networks or model_folder(DEFAULT).parent
    files = [treebank, *(networks / name / HEADER_NAME for name in (DEFAULT, "small"))]
    for path in files:
        if not path.is_file():
            raise LaconicError(f"cannot read {path}: there is no such file")
    folder = cache / f"reader-{key_of(files, None)}"
    folder.mkdir(parents=True, exist_ok=True)
    log(f"what is finished is kept in {folder}")
    if stage in (Stage.ALL, Stage.PREPARE):
        need_modules("onnx", "safetensors")
        _prepare(treebank, networks, folder, log)
    if stage in (Stage.ALL, Stage.FIT):
        need_modules("torch")
        from laconic.reader.fit import ReaderSettings, fit_reader

        fit_reader(folder, settings or ReaderSettings(), log)
    if stage in (Stage.ALL, Stage.SHIP):
        need_modules("torch", "onnx")
        _ship(treebank, networks, folder, out)


def _prepare(treebank: Path, networks: Path, folder: Path, log: Callable[[str], None]) -> None:
    from laconic.corpus import read_plain
    from laconic.network.start import find_start, go_on_from
    from laconic.parse.network import NetworkParser
    from laconic.reader.fit import PRINTS, START
    from laconic.reader.make_prints import make_prints

    find_start(folder, log)
    go_on_from(folder, networks, [START])
    if not (folder / PRINTS).exists():
        parser = NetworkParser(networks / DEFAULT, split=False)
        prints = make_prints([item.text for item in read_plain(treebank)], parser, parser.network.pieces)
        prints.save(folder / PRINTS)
        log(f"{len(prints):,} sentences, {len(prints.print_node):,} prints")


def _ship(treebank: Path, networks: Path, folder: Path, out: Path) -> None:
    from laconic.network.distil import check_inputs
    from laconic.reader.fit import PRINTS, SETTINGS, START, WEIGHTS, ReaderSettings
    from laconic.reader.prints import Prints
    from laconic.reader.ship import ship_reader

    check_inputs(folder, PRINTS, SETTINGS, WEIGHTS)
    prints = Prints.load(folder / PRINTS)
    named = {name: json.loads((networks / name / HEADER_NAME).read_text())["name"] for name in (DEFAULT, START)}
    facts: dict[str, Any] = {
        "command": f"laconic train-reader {treebank.parent.name}/{treebank.name} --out READER_DIR",
        "sentences": len(prints),
        "prints": len(prints.print_node),
        "treebank": f"{treebank.parent.name}/{treebank.name}",
        "parser": named[DEFAULT],
        "start": named[START],
        "settings": asdict(ReaderSettings(**json.loads((folder / SETTINGS).read_text()))),
    }
    ship_reader(folder, vocabulary=networks / START / VOCABULARY_NAME, out=out, facts=facts)
