"""Train networks on prepared examples: large teachers on the gold, small ones on the gold and on what teachers say.

Needs torch and NumPy alone, so it can run on another machine than the rest: `python -m laconic.network.distil FOLDER`.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from laconic.errors import LaconicError
from laconic.network.batches import Batches, change_case
from laconic.network.examples import Examples
from laconic.network.loss import NEEDS, hard_losses, remind, soft_losses, teach, total
from laconic.network.measure import measure
from laconic.network.shape import SHAPES, TRIED, Shape
from laconic.network.start import EARLIER, MINILM, MPNET, read_start
from laconic.network.torch_model import Network, load_encoder

#: The files of examples: headlines and their development data, sentences at editors' levels and theirs, verdicts on
#: deletions, the strictest of these, and some to measure on, trees without compressions, plain sentences, and those of
#: the headlines whose text is as users have it.
EXAMPLES: Final = (
    "train", "dev", "levels", "levels-dev", "verdicts", "strict", "verdicts-dev", "treebank", "plain", "polish"
)  # fmt: skip
#: Those that are not needed without teachers.
TAUGHT: Final = ("train", "plain")

TEACHER: Final = Shape(layers=12, width=768, heads=12, inner=3072, edge=256, norm_epsilon=1e-5)

#: The weight of the small networks' loss against the gold; the loss against the teachers has the rest.
HARD: Final = 0.3


@dataclass(frozen=True, slots=True)
class DistilSettings:
    """Everything about the training of networks that could change them."""

    teachers: int = 2  # 0: networks of an earlier training are only polished
    teacher_epochs: int = 1  # of the headlines
    teacher_rate: float = 6e-5
    teacher_pieces: int = 8192  # in a batch
    level_epochs: int = 4  # of the levels and strict verdicts, after that, with a part of all else
    level_rate: float = 3e-5
    level_pieces: int = 3072
    epochs: int = 2  # of the headlines
    plain_epochs: int = 3
    treebank_epochs: int = 4
    student_level_epochs: int = 6
    rate: float = 3e-4
    small_rate: float = 1e-3
    pieces: int = 32768
    polish_epochs: int = 2  # of headlines and levels
    strict_epochs: int = 2  # of strict verdicts for one of the levels
    headline_epochs: int = 4  # after that, with one of the levels: there are more of those
    polish_rate: float = 1e-4
    small_polish_rate: float = 2e-4
    polish_pieces: int = 2048
    polish_runs: int = 1  # with seeds of their own; the network is their mean
    earlier_share: float = 0.5  # of weights of an earlier training, in the mean that is taken at the end
    dropout: float = 0.1
    seed: int = 0


def train_teacher(
    folder: Path, weights: Mapping[str, Any], settings: DistilSettings, number: int, log: Callable[[str], None]
) -> Network:
    """Train teacher `number` on the gold and the trees: on all of it, then on the levels, of which there is little."""
    seed = settings.seed + 1000 * (number + 1)
    device = start(seed)
    train, levels, verdicts, strict, treebank = (
        _load(folder, name, device) for name in ("train", "levels", "verdicts", "strict", "treebank")
    )
    dev = _load_dev(folder, device)
    network = Network(TEACHER, relative=True, dropout=settings.dropout)
    load_encoder(network.encoder, weights)
    network.to(device)
    pieces = settings.teacher_pieces
    first = _mix(
        seed, *(_epochs(train, settings.teacher_epochs, pieces, seed)), *_epochs(treebank, 1, pieces, seed),
        *_epochs(levels, 2, pieces, seed), *_epochs(verdicts, 2, pieces, seed),
    )  # fmt: skip
    own = [
        part
        for source in (levels, strict if len(strict.length) else verdicts)
        for part in _epochs(source, settings.level_epochs, settings.level_pieces, seed + 100)
    ]
    own += _epochs(verdicts, 1, settings.level_pieces, seed + 100) if len(strict.length) else []
    rest = [part for source in (train, treebank) for part in _epochs(source, 1, pieces, seed + 100)[: len(own) // 4]]
    for name, plan, rate in (
        ("", first, settings.teacher_rate),
        (", levels", _mix(seed, *own, *rest), settings.level_rate),
    ):
        trainer = _Trainer(network, rate, len(plan), seed, heads=1e-3 if not name else rate)
        for batch in _steps(plan, dev, [(f"teacher {number}{name}", trainer)], log):
            trainer.step(batch, lambda out, batch: total(hard_losses(out, batch)))
    return network


def _epochs(source: Batches, epochs: int, pieces: int, seed: int) -> list[tuple[Batches, Tensor]]:
    return [(source, numbers) for epoch in range(epochs) for numbers in source.plan(pieces, seed + epoch)]


def _mix(seed: int, *plan: tuple[Batches, Tensor]) -> list[tuple[Batches, Tensor]]:
    return [plan[i] for i in np.random.default_rng(seed).permutation(len(plan))]


def train_students(
    folder: Path,
    weights: Mapping[str, Any],
    teachers: Sequence[Network],
    settings: DistilSettings,
    log: Callable[[str], None],
    shapes: Mapping[str, Shape],
) -> dict[str, Network]:
    """Train networks side by side: each batch's teacher outputs are computed once for all of them."""
    device = start(settings.seed)
    dev = _load_dev(folder, device)
    epochs = {
        "plain": settings.plain_epochs,
        "train": settings.epochs,
        "treebank": settings.treebank_epochs,
        "levels": settings.student_level_epochs,
        "verdicts": settings.student_level_epochs,
        "strict": settings.student_level_epochs,
    }
    parts = [_epochs(_load(folder, name, device), count, settings.pieces, 500) for name, count in epochs.items()]
    plan = _mix(settings.seed, *(part for own in parts for part in own))
    trainers = {}
    for name, shape in shapes.items():
        start(settings.seed)  # what one network is does not depend on the others
        network = Network(shape, dropout=settings.dropout if _has_layers(shape) else 0.0)
        load_encoder(network.encoder, weights)
        for own in _load_earlier(folder, name):
            network.load_state_dict(own.state_dict())
        rate = settings.rate if _has_layers(shape) else settings.small_rate
        trainers[name] = _Trainer(network.to(device), rate, len(plan), settings.seed)
    earlier = _load_earlier(folder, "default")
    for teacher in (*teachers, *earlier):
        teacher.to(device).eval()
    for batch in _steps(plan, dev, list(trainers.items()), log):
        with torch.autocast(device.type, torch.bfloat16):
            taught = teach(teachers, batch)
            if earlier:
                remind(taught, earlier, batch)

        def loss(out: dict[str, Tensor], batch: dict[str, Tensor], taught: dict[str, Tensor] = taught) -> Tensor:
            soft = total(soft_losses(out, taught, batch))
            return HARD * total(hard_losses(out, batch)) + (1 - HARD) * soft if "head" in batch else soft

        for trainer in trainers.values():
            trainer.step(batch, loss, taught["head"])
    return {name: trainer.network for name, trainer in trainers.items()}


def _load_earlier(folder: Path, name: str) -> list[Network]:
    """The network of an earlier training from which this one continues, in a list; an empty list if there is none."""
    path = folder / f"{name}{EARLIER}"
    if not path.exists():
        return []
    network = Network(SHAPES[name])
    network.load_state_dict({key: torch.from_numpy(value) for key, value in read_start(path).items()})
    return [network]


def _has_layers(shape: Shape) -> bool:
    """Whether a network begins with the layers of MiniLM, not with its embeddings alone."""
    return shape.width == SHAPES["default"].width


def polish(
    folder: Path,
    name: str,
    network: Network,
    settings: DistilSettings,
    log: Callable[[str], None],
    *,
    headlines: int,
    levels: int,
) -> Network:
    """Train a little more on text like users' text, with its original case, numbers and rare words.

    `headlines` is the number of epochs of headlines, `levels` that of levels and of the verdicts; if some verdicts are
    strict, there are more epochs of these, and one of the others. Half of the loss is against the outputs of the
    network before polishing, so that it does not forget them. The outputs `NEEDS` are excepted: they are learned from
    verdicts alone.
    """
    device = start(settings.seed)
    strict = len(_load(folder, "strict", device).length)
    epochs = {"polish": headlines, "levels": levels, "verdicts": 1 if strict else levels}
    epochs |= {"strict": settings.strict_epochs * levels} if strict else {}
    dev = _load_dev(folder, device)
    teacher = copy.deepcopy(network).to(device).eval()
    pieces, treebank = settings.polish_pieces, _load(folder, "treebank", device)
    own = [
        part
        for source, count in epochs.items()
        for part in _epochs(_load(folder, source, device), count, pieces, settings.seed)
    ]
    plan = _mix(settings.seed, *own, *_epochs(treebank, 1, pieces, settings.seed)[: len(own) // 2])
    rate = settings.polish_rate if _has_layers(network.shape) else settings.small_polish_rate
    trainer = _Trainer(network.to(device), rate, len(plan), settings.seed, heads=rate)
    for batch in _steps(plan, dev, [(f"{name}, polished", trainer)], log):
        with torch.autocast(device.type, torch.bfloat16):
            taught = teach([teacher], batch)

        def loss(out: dict[str, Tensor], batch: dict[str, Tensor], taught: dict[str, Tensor] = taught) -> Tensor:
            soft = {name: own for name, own in soft_losses(out, taught, batch).items() if name not in NEEDS}
            return (total(hard_losses(out, batch)) + total(soft)) / 2

        trainer.step(batch, loss, taught["head"])
    return network


@torch.no_grad()
def mix_in(network: Network, other: Network, share: float) -> None:
    """Replace each weight by its weighted mean with that of the `other` network, which has this share in the mean.

    Such a mean is often better than either (Wortsman et al. 2022), also of networks that were polished with different
    seeds.
    """
    weights = other.state_dict()
    for name, own in network.state_dict().items():
        own.lerp_(weights[name].to(own), share)


class _Trainer:
    """A network with its optimiser: the rate rises over the first twentieth of the steps and falls to zero."""

    def __init__(self, network: Network, rate: float, steps: int, seed: int, heads: float = 1e-3) -> None:
        self.network = network
        device = next(network.parameters()).device
        encoder = [p for name, p in network.named_parameters() if name.startswith("encoder.") and "cases" not in name]
        rest = [p for name, p in network.named_parameters() if not name.startswith("encoder.") or "cases" in name]
        groups = [{"params": encoder, "lr": rate}, {"params": rest, "lr": max(heads, rate)}]
        self._optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
        rise = max(1, steps // 20)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min((step + 1) / rise, max(0.0, (steps - step) / max(steps - rise, 1)))
        )
        self._generator = torch.Generator(device=device).manual_seed(seed)
        self._device = device
        self._seed = seed

    def step(
        self,
        batch: dict[str, Tensor],
        loss: Callable[[dict[str, Tensor], dict[str, Tensor]], Tensor],
        heads: Tensor | None = None,
    ) -> None:
        """One batch."""
        self.network.train()
        torch.manual_seed(self._seed)  # of dropout: each network has its own, whatever is trained beside it
        self._seed += 1
        seen = {**batch, "cases": change_case(batch["cases"], self._generator)}
        with torch.autocast(self._device.type, torch.bfloat16):
            out = self.network(seen, batch["head"] if heads is None else heads)
        value = loss(out, batch)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._schedule.step()


def _steps(
    plan: Sequence[tuple[Batches, Tensor]],
    dev: Sequence[Batches],
    trainers: Sequence[tuple[str, _Trainer]],
    log: Callable[[str], None],
) -> Iterator[dict[str, Tensor]]:
    """The batches of a plan; after about each sixth of them, and at the end, the networks are measured."""
    begun = time.monotonic()
    for step, (source, numbers) in enumerate(plan):
        yield source.batch(numbers)
        if (step + 1) % max(1, len(plan) // 6) == 0 or step + 1 == len(plan):
            for name, trainer in trainers:
                found = " ".join(f"{key} {value:.4f}" for key, value in measure(trainer.network, dev).items())
                log(f"{name}: step {step + 1} of {len(plan)}, {time.monotonic() - begun:.0f} s: {found}")


def start(seed: int) -> torch.device:
    """Make what follows the same on every run, and find the device."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # a slow check
    torch.set_float32_matmul_precision("high")
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _load(folder: Path, name: str, device: torch.device) -> Batches:
    return Batches(Examples.load(folder / f"{name}.npz"), device)


def _load_dev(folder: Path, device: torch.device) -> list[Batches]:
    return [_load(folder, name, device) for name in ("dev", "levels-dev", "verdicts-dev")]


def save(network: torch.nn.Module, path: Path) -> None:
    """Write the weights as plain arrays of half precision."""
    arrays = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **arrays)
    part.replace(path)


def read(path: Path, shape: Shape, *, relative: bool = False) -> Network:
    """Read what `save` wrote."""
    network = Network(shape, relative=relative)
    with np.load(path, allow_pickle=False) as archive:
        network.load_state_dict({name: torch.from_numpy(archive[name].astype(np.float32)) for name in archive.files})
    return network


def distil(
    folder: Path, settings: DistilSettings, log: Callable[[str], None], shapes: Mapping[str, Shape] | None = None
) -> None:
    """Train teachers and networks on the examples of a folder, and write their weights there; what is there stays.

    Without `shapes`, those that are shipped.
    """
    shapes = SHAPES if shapes is None else shapes
    if settings.teachers:
        check_inputs(folder, *(f"{name}.npz" for name in EXAMPLES), MPNET, MINILM)
    else:
        check_inputs(folder, *(f"{name}.npz" for name in EXAMPLES if name not in TAUGHT))
        check_inputs(folder, *(f"{name}{EARLIER}" for name in shapes))
    check_settings(folder / "fit.json", asdict(settings))

    def finished(name: str) -> Path:
        return folder / f"{name}.weights.npz"

    if not settings.teachers:
        for name in shapes:
            save(_load_earlier(folder, name)[0], finished(f"{name}-taught"))
    elif not all(finished(f"{name}-taught").exists() for name in shapes):
        teachers = []
        for number in range(settings.teachers):
            path = finished(f"teacher-{number}")
            if not path.exists():
                save(train_teacher(folder, read_start(folder / MPNET), settings, number, log), path)
            teachers.append(read(path, TEACHER, relative=True))
        weights = read_start(folder / MINILM)
        for name, network in train_students(folder, weights, teachers, settings, log, shapes).items():
            save(network, finished(f"{name}-taught"))
    for name, shape in shapes.items():
        if not finished(name).exists():
            network = polished(folder, name, shape, settings, 0, log)
            for run in range(1, settings.polish_runs):
                mix_in(network, polished(folder, name, shape, settings, run, log), 1 / (run + 1))
            for earlier in _load_earlier(folder, name):
                mix_in(network, earlier, settings.earlier_share)
            save(network, finished(name))


def polished(
    folder: Path, name: str, shape: Shape, settings: DistilSettings, run: int, log: Callable[[str], None]
) -> Network:
    """The network of that name, polished with a seed of this run's own; it is saved, and what is there stays."""
    path = folder / f"{name}-polished-{run}.weights.npz"
    if not path.exists():
        own = replace(settings, seed=settings.seed + run)
        network = read(folder / f"{name}-taught.weights.npz", shape)
        for headlines, levels in ((settings.polish_epochs, settings.polish_epochs), (settings.headline_epochs, 1)):
            network = polish(folder, name, network, own, log, headlines=headlines, levels=levels)
        save(network, path)
    return read(path, shape)


def check_inputs(folder: Path, *names: str) -> None:
    """Refuse to begin where something is missing that will be needed hours later."""
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise LaconicError(f"{folder} has no {', '.join(missing)}: run the stages before this one first", stage=None)


def check_settings(path: Path, wanted: Mapping[str, Any]) -> None:
    """Refuse to continue with weights that were trained with other settings; write the settings to `path`."""
    if path.exists() and json.loads(path.read_text()) != wanted:
        raise LaconicError(f"the weights beside {path} were trained with other settings: delete them and that file")
    path.write_text(json.dumps(wanted))


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the examples and the weights to start from")
    parser.add_argument("--teacher", type=int, help="train this teacher alone")
    parser.add_argument("--try-sizes", action="store_true", help="train the sizes that are not shipped too")
    for name, value in asdict(DistilSettings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args())
    folder, only = given.pop("folder"), given.pop("teacher")
    shapes = {**SHAPES, **TRIED} if given.pop("try_sizes") else SHAPES
    settings = DistilSettings(**given)

    def log(line: str) -> None:
        print(line, flush=True)

    if only is None:
        distil(folder, settings, log, shapes)
    else:
        check_inputs(folder, *(f"{name}.npz" for name in EXAMPLES), MPNET)
        save(
            train_teacher(folder, read_start(folder / MPNET), settings, only, log),
            folder / f"teacher-{only}.weights.npz",
        )


if __name__ == "__main__":
    main()
