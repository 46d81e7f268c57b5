"""Train networks on prepared examples: large teachers on the gold, small ones on the gold and on what teachers say.

Needs torch, NumPy and safetensors alone, so it can run on another machine than the rest:
`python -m laconic.network.fit FOLDER`.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from laconic.errors import LaconicError
from laconic.network.batches import Batches, change_case
from laconic.network.examples import UNKNOWN, Examples
from laconic.network.loss import hard_losses, soft_losses, teach, total
from laconic.network.shape import SHAPES, Shape
from laconic.network.torch_model import Network, load_encoder

#: The files of examples.
EXAMPLES: Final = ("train.npz", "dev.npz", "plain.npz", "polish.npz")

TEACHER: Final = Shape(layers=12, width=768, heads=12, inner=3072, edge=256, norm_epsilon=1e-5)

#: What the small networks lose against what is known; the rest is against the teachers.
HARD: Final = 0.3


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Everything about the training of networks that could change them."""

    teachers: int = 2
    teacher_epochs: int = 3
    teacher_rate: float = 6e-5
    teacher_pieces: int = 8192  # in a batch
    epochs: int = 7  # of the gold and of the plain sentences
    rate: float = 5.5e-4
    small_rate: float = 2e-3
    pieces: int = 32768
    polish_epochs: int = 2
    polish_rate: float = 1e-4
    small_polish_rate: float = 2e-4
    polish_pieces: int = 2048
    dropout: float = 0.1
    seed: int = 0


def fit_teacher(
    folder: Path, weights: Mapping[str, Any], settings: FitSettings, number: int, log: Callable[[str], None]
) -> Network:
    """Train teacher `number` on the gold."""
    device = start(settings.seed + 1000 * (number + 1))
    train, dev = _load(folder, "train", device), _load(folder, "dev", device)
    network = Network(TEACHER, relative=True, dropout=settings.dropout)
    load_encoder(network.encoder, weights)
    network.to(device)
    plan = [
        (train, numbers)
        for epoch in range(settings.teacher_epochs)
        for numbers in train.plan(settings.teacher_pieces, settings.seed + 1000 * (number + 1) + epoch)
    ]
    trainer = _Trainer(network, settings.teacher_rate, len(plan), settings.seed)
    for batch in _steps(plan, dev, [(f"teacher {number}", trainer)], log):
        trainer.step(batch, lambda out, batch: total(hard_losses(out, batch)))
    return network


def fit_students(
    folder: Path,
    weights: Mapping[str, Any],
    teachers: Sequence[Network],
    settings: FitSettings,
    log: Callable[[str], None],
) -> dict[str, Network]:
    """Train the networks that are shipped, side by side: the teachers speak once for all of them."""
    device = start(settings.seed)
    train, dev, plain = (_load(folder, name, device) for name in ("train", "dev", "plain"))
    plan = [(plain, numbers) for epoch in range(settings.epochs) for numbers in plain.plan(settings.pieces, epoch)]
    gold = [
        (train, numbers)
        for epoch in range(settings.epochs)
        for numbers in train.plan(settings.pieces, settings.seed + 500 + epoch)
    ]
    plan += gold
    plan = [plan[i] for i in np.random.default_rng(settings.seed).permutation(len(plan))]
    trainers = {}
    for name, shape in SHAPES.items():
        network = Network(shape, dropout=settings.dropout if name == "default" else 0.0)
        load_encoder(network.encoder, weights)
        rate = settings.rate if name == "default" else settings.small_rate
        trainers[name] = _Trainer(network.to(device), rate, len(plan), settings.seed)
    for teacher in teachers:
        teacher.to(device).eval()
    for batch in _steps(plan, dev, list(trainers.items()), log):
        with torch.autocast(device.type, torch.bfloat16):
            taught = teach(teachers, batch)

        def loss(out: dict[str, Tensor], batch: dict[str, Tensor], taught: dict[str, Tensor] = taught) -> Tensor:
            soft = total(soft_losses(out, taught, batch))
            return HARD * total(hard_losses(out, batch)) + (1 - HARD) * soft if "head" in batch else soft

        for trainer in trainers.values():
            trainer.step(batch, loss, taught["head"])
    return {name: trainer.network for name, trainer in trainers.items()}


def polish(folder: Path, name: str, network: Network, settings: FitSettings, log: Callable[[str], None]) -> Network:
    """Train a little more on text as users have it: what goes in here has its case, its numbers and its rare words.

    Half of the loss is against the network as it was, so that what it knows is not lost.
    """
    device = start(settings.seed)
    gold, dev = _load(folder, "polish", device), _load(folder, "dev", device)
    teacher = copy.deepcopy(network).to(device).eval()
    plan = [
        (gold, numbers)
        for epoch in range(settings.polish_epochs)
        for numbers in gold.plan(settings.polish_pieces, settings.seed + epoch)
    ]
    rate = settings.polish_rate if name == "default" else settings.small_polish_rate
    trainer = _Trainer(network.to(device), rate, len(plan), settings.seed, heads=rate)
    for batch in _steps(plan, dev, [(f"{name}, polished", trainer)], log):
        with torch.autocast(device.type, torch.bfloat16):
            taught = teach([teacher], batch)

        def loss(out: dict[str, Tensor], batch: dict[str, Tensor], taught: dict[str, Tensor] = taught) -> Tensor:
            return (total(hard_losses(out, batch)) + total(soft_losses(out, taught, batch))) / 2

        trainer.step(batch, loss, taught["head"])
    return network


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

    def step(
        self,
        batch: dict[str, Tensor],
        loss: Callable[[dict[str, Tensor], dict[str, Tensor]], Tensor],
        heads: Tensor | None = None,
    ) -> None:
        """One batch."""
        self.network.train()
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
    dev: Batches,
    trainers: Sequence[tuple[str, _Trainer]],
    log: Callable[[str], None],
) -> Iterator[dict[str, Tensor]]:
    """The batches of a plan; five times on the way, and at the end, the networks are measured."""
    begun = time.monotonic()
    for step, (source, numbers) in enumerate(plan):
        yield source.batch(numbers)
        if (step + 1) % max(1, len(plan) // 6) == 0 or step + 1 == len(plan):
            for name, trainer in trainers:
                found = " ".join(f"{key} {value:.4f}" for key, value in measure(trainer.network, dev).items())
                log(f"{name}: step {step + 1} of {len(plan)}, {time.monotonic() - begun:.0f} s: {found}")


@torch.no_grad()
def measure(network: Network, dev: Batches) -> dict[str, float]:
    """How a network does on the words of examples: with the teacher's trees, and with the gold's edges."""
    network.eval()
    device = next(network.parameters()).device
    sums: dict[str, float] = {}
    counts: dict[str, float] = {}

    def add(name: str, right: Tensor, mask: Tensor) -> None:
        sums[name] = sums.get(name, 0.0) + float((right * mask).sum())
        counts[name] = counts.get(name, 0.0) + float(mask.sum())

    for batch in dev:
        with torch.autocast(device.type, torch.bfloat16):
            out = network(batch)
        words = batch["words"]
        head = out["arc"].argmax(-1) == batch["head"]
        add("head", head, words)
        add("labelled", head & (out["label"].argmax(-1) == batch["label"]), words)
        add("tag", out["tag"].argmax(-1) == batch["tag"], words)
        add("entity", out["entity"].argmax(-1) == batch["entity"], words)
        known = words & (batch["retain"] != UNKNOWN)
        target = batch["retain"].clamp(max=1).float()
        add("retain", (out["retain"] > 0) == (target > 0), known)
        add(
            "retain_loss",
            torch.nn.functional.binary_cross_entropy_with_logits(out["retain"], target, reduction="none"),
            known,
        )
        best = out["root"].masked_fill(~words, -1e4).argmax(-1)
        rooted = (batch["root"] == 1).any(1)
        add("root", batch["root"].gather(1, best[:, None])[:, 0] == 1, rooted)
        kept = (out["keep"] > 0) & words
        gold = (batch["keep"] > 0) & words
        f1 = 2 * (kept & gold).sum(1) / (kept.sum(1) + gold.sum(1)).clamp(min=1)
        add("keep_f1", f1, torch.ones_like(f1))
    return {name: sums[name] / max(counts[name], 1) for name in sums}


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


def save(network: Network, path: Path) -> None:
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


def fit(folder: Path, settings: FitSettings, log: Callable[[str], None]) -> None:
    """Train teachers and networks on the examples of a folder, and write their weights there; what is there stays."""
    from safetensors.torch import load_file

    check_inputs(folder, *EXAMPLES, "mpnet.safetensors", "minilm.safetensors")
    _check_settings(folder / "fit.json", settings)

    def finished(name: str) -> Path:
        return folder / f"{name}.weights.npz"

    if not all(finished(f"{name}-taught").exists() for name in SHAPES):
        teachers = []
        for number in range(settings.teachers):
            path = finished(f"teacher-{number}")
            if not path.exists():
                save(fit_teacher(folder, load_file(folder / "mpnet.safetensors"), settings, number, log), path)
            teachers.append(read(path, TEACHER, relative=True))
        weights = load_file(folder / "minilm.safetensors")
        for name, network in fit_students(folder, weights, teachers, settings, log).items():
            save(network, finished(f"{name}-taught"))
    for name, shape in SHAPES.items():
        if not finished(name).exists():
            taught = read(finished(f"{name}-taught"), shape)
            save(polish(folder, name, taught, settings, log), finished(name))


def check_inputs(folder: Path, *names: str) -> None:
    """Refuse to begin where something is missing that will be needed hours later."""
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise LaconicError(f"{folder} has no {', '.join(missing)}: run the stages before this one first (--stage)")


def _check_settings(path: Path, settings: FitSettings) -> None:
    """Weights of other settings are not gone on with."""
    wanted = asdict(settings)
    if path.exists() and json.loads(path.read_text()) != wanted:
        raise LaconicError(f"the weights beside {path} were fitted with other settings: delete them and that file")
    path.write_text(json.dumps(wanted))


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the examples and the weights to start from")
    parser.add_argument("--teacher", type=int, help="train this teacher alone")
    for name, value in asdict(FitSettings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args())
    folder, only = given.pop("folder"), given.pop("teacher")
    settings = FitSettings(**given)

    def log(line: str) -> None:
        print(line, flush=True)

    if only is None:
        fit(folder, settings, log)
    else:
        from safetensors.torch import load_file

        check_inputs(folder, *EXAMPLES, "mpnet.safetensors")
        weights = load_file(folder / "mpnet.safetensors")
        save(fit_teacher(folder, weights, settings, only, log), folder / f"teacher-{only}.weights.npz")


if __name__ == "__main__":
    main()
