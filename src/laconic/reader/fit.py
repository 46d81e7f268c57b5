"""Train the reader on prints, from plain sentences alone.

A large network, the detector, learns to say where in a print something was cut, with the cuts that were made at random;
the reader, a small one, learns what was cut and what the detector says, with prints of both kinds.

Needs torch and NumPy alone, so it can run on another machine than the rest: `python -m laconic.reader.fit FOLDER`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from laconic.network.distil import HARD, TEACHER, check_inputs, check_settings, save, start
from laconic.network.pieces import CLS, SEP
from laconic.network.shape import SHAPES, Shape
from laconic.network.start import EARLIER, MPNET, read_start
from laconic.network.torch_model import Encoder, load_encoder
from laconic.reader.prints import SEVERAL, Prints

#: Files in the folder of a training: the prints, and what comes out.
PRINTS: Final = "prints.npz"
WEIGHTS: Final = "reader.weights.npz"
SETTINGS: Final = "reader-fit.json"

#: The network whose encoder the reader begins with, and whose shape it has.
START: Final = "small"

#: Of the sentences, every so many is held out to measure on.
HELD_OUT: Final = 50


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Everything about the training of the reader that could change it."""

    detector_rate: float = 6e-5
    detector_pieces: int = 12000  # in a batch
    prints: int = 1_200_000  # that the reader is shown, of all
    rate: float = 1e-3
    pieces: int = 24000
    dropout: float = 0.1  # of the detector
    seed: int = 0


class ReaderModel(nn.Module):
    """Says of every word of a print, and of its end, whether something is missing before it."""

    def __init__(self, shape: Shape, *, relative: bool = False, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = Encoder(shape, relative=relative, dropout=dropout)
        self.missing = nn.Linear(shape.width, 1)

    def forward(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """A logit for every piece. The case of letters is not shown: it tells where a sentence began."""
        return cast(Tensor, self.missing(self.encoder(pieces, torch.zeros_like(pieces), mask)).squeeze(-1).float())


class PrintBatches:
    """All prints on a device; batches of them are cut out there."""

    def __init__(self, prints: Prints, device: torch.device) -> None:
        def put(column: np.ndarray) -> Tensor:
            return torch.from_numpy(column.astype(np.int64)).to(device)

        words = np.diff(prints.word_ptr)
        sentence = np.repeat(np.arange(len(prints)), np.diff(prints.print_ptr))
        at = np.concatenate([[0], np.cumsum(words[sentence])])
        self.device = device
        self.several = put(prints.print_node == SEVERAL).bool()
        self.held_out = put(sentence % HELD_OUT == 0).bool()
        self._sentence = put(sentence)
        self._word_ptr, self._piece_ptr = put(prints.word_ptr), put(prints.piece_ptr)
        self._is_word, self._piece = put(prints.node >= 0).bool(), put(prints.piece)
        self._word_start = put(prints.word_start).bool()
        self._word_of_piece = torch.cumsum(self._word_start.long(), 0) - 1
        self._at = put(at)
        self._printed = torch.from_numpy(np.unpackbits(prints.printed, count=int(at[-1]))).to(device)
        self.length = put(np.diff(prints.piece_ptr)[sentence])  # of the sentence, in pieces, by print

    def batch(self, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Pieces of prints, which are real, and what is missing before each: 1 something, 0 nothing, -1 not asked."""
        sentence = self._sentence[numbers]
        first, count = self._word_ptr[sentence], self._word_ptr[sentence + 1] - self._word_ptr[sentence]
        place = torch.arange(int(count.max()), device=self.device)[None]
        inside = place < count[:, None]
        is_word = inside & self._is_word[torch.where(inside, first[:, None] + place, 0)]
        shown = inside & (self._printed[torch.where(inside, self._at[numbers][:, None] + place, 0)] > 0)
        kept = shown & is_word
        lost = torch.cumsum((is_word & ~shown).long(), 1)  # words up to here
        at_last = torch.where(kept, lost, 0).cummax(1).values  # the same at the last kept word
        before = torch.cat([torch.zeros_like(lost[:, :1]), at_last[:, :-1]], 1)
        missing = kept & (lost > before)
        ends = lost[:, -1] > at_last[:, -1]
        # The pieces of what is printed.
        base, pieces = self._piece_ptr[sentence], self.length[numbers]
        place = torch.arange(int(pieces.max()), device=self.device)[None]
        inside = place < pieces[:, None]
        source = torch.where(inside, base[:, None] + place, 0)
        word = torch.where(inside, self._word_of_piece[source] - first[:, None], 0)
        here = inside & shown.gather(1, word)
        asked = here & self._word_start[source] & kept.gather(1, word)
        label = torch.where(asked, missing.gather(1, word).long(), -1)
        target, length = torch.cumsum(here.long(), 1), here.sum(1)
        rows, columns = torch.nonzero(here, as_tuple=True)
        found = torch.zeros((len(numbers), int(length.max()) + 2), dtype=torch.long, device=self.device)
        labels = torch.full_like(found, -1)
        found[:, 0] = CLS
        found[rows, target[rows, columns]] = self._piece[source[rows, columns]]
        labels[rows, target[rows, columns]] = label[rows, columns]
        each = torch.arange(len(numbers), device=self.device)
        found[each, length + 1], labels[each, length + 1] = SEP, ends.long()
        real = torch.arange(found.shape[1], device=self.device)[None] <= length[:, None] + 1
        return found, real, labels

    def plan(self, chosen: Tensor, pieces: int, seed: int) -> list[Tensor]:
        """Batches of about so many pieces, of prints of sentences of about the same length, in random order."""
        rng = np.random.default_rng(seed)
        numbers, size = chosen.cpu().numpy(), self.length[chosen].cpu().numpy()
        order = rng.permutation(len(numbers))
        plan: list[np.ndarray] = []
        step = 50 * max(1, pieces // max(int(size.mean()), 1))
        for begin in range(0, len(order), step):
            part = order[begin : begin + step]
            part = part[np.argsort(size[part], kind="stable")]
            filled = np.cumsum(size[part] + 2) // pieces
            plan += np.split(numbers[part], np.flatnonzero(np.diff(filled)) + 1)
        return [torch.from_numpy(plan[i]).to(self.device) for i in rng.permutation(len(plan))]


class _Optimiser:
    """AdamW, whose rate rises over the first twentieth of the steps and falls to zero."""

    def __init__(self, groups: Sequence[tuple[Iterable[nn.Parameter], float]], steps: int) -> None:
        given = [{"params": list(parameters), "lr": rate} for parameters, rate in groups]
        self._parameters = [parameter for group in given for parameter in group["params"]]  # type: ignore[attr-defined]
        self._optimiser = torch.optim.AdamW(given, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
        rise = max(1, steps // 20)
        self._rate = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min((step + 1) / rise, max(0.0, (steps - step) / max(steps - rise, 1)))
        )

    def step(self, loss: Tensor) -> None:
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._parameters, 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._rate.step()


def train_detector(
    batches: PrintBatches, weights: Mapping[str, Any], settings: ReaderSettings, log: Callable[[str], None]
) -> ReaderModel:
    """Train a large reader on the prints with random cuts, each shown once."""
    begun = time.monotonic()
    start(settings.seed)
    detector = ReaderModel(TEACHER, relative=True, dropout=settings.dropout)
    load_encoder(detector.encoder, weights)
    detector.to(batches.device).train()
    shown = torch.nonzero(batches.several & ~batches.held_out).squeeze(1)
    plan = batches.plan(shown, settings.detector_pieces, settings.seed)
    groups = [(detector.encoder.parameters(), settings.detector_rate), (detector.missing.parameters(), 1e-3)]
    optimiser = _Optimiser(groups, len(plan))
    for numbers in plan:
        pieces, real, labels = batches.batch(numbers)
        with torch.autocast(batches.device.type, torch.bfloat16):
            out = detector(pieces, real)
        optimiser.step(_loss(out, labels.clamp(min=0).float(), labels))
    detector.eval()
    area = measure(detector, batches)
    log(f"detector: {len(plan)} steps, {time.monotonic() - begun:.0f} s: area under the curve {area:.4f}, held out")
    return detector


def train_reader(
    batches: PrintBatches,
    weights: Mapping[str, Any],
    shape: Shape,
    detector: ReaderModel,
    settings: ReaderSettings,
    log: Callable[[str], None],
) -> ReaderModel:
    """Train the reader on prints of both kinds: on what was cut, and on what the detector says of it."""
    begun = time.monotonic()
    start(settings.seed + 1)
    reader = ReaderModel(shape)
    own = {name.removeprefix("encoder."): torch.tensor(value) for name, value in weights.items()}
    reader.encoder.load_state_dict({name: own[name] for name in reader.encoder.state_dict()})
    reader.to(batches.device).train()
    shown = torch.nonzero(~batches.held_out).squeeze(1)
    order = torch.randperm(len(shown), generator=torch.Generator().manual_seed(settings.seed))
    shown = shown[order[: settings.prints].to(batches.device)]
    plan = batches.plan(shown, settings.pieces, settings.seed)
    optimiser = _Optimiser([(reader.parameters(), settings.rate)], len(plan))
    for numbers in plan:
        pieces, real, labels = batches.batch(numbers)
        with torch.autocast(batches.device.type, torch.bfloat16):
            with torch.no_grad():
                taught = detector(pieces, real).sigmoid()
            out = reader(pieces, real)
        optimiser.step(_loss(out, HARD * labels.clamp(min=0).float() + (1 - HARD) * taught, labels))
    reader.eval()
    area = measure(reader, batches)
    log(f"reader: {len(plan)} steps, {time.monotonic() - begun:.0f} s: area under the curve {area:.4f}, held out")
    return reader


def _loss(out: Tensor, wanted: Tensor, labels: Tensor) -> Tensor:
    asked = labels >= 0
    loss = functional.binary_cross_entropy_with_logits(out, wanted, reduction="none")
    return (loss * asked).sum() / asked.sum()


@torch.no_grad()
def measure(reader: ReaderModel, batches: PrintBatches) -> float:
    """How well places where something is missing are told from others: the area under the ROC curve, held out."""
    scores, right = [], []
    for numbers in torch.nonzero(batches.several & batches.held_out).squeeze(1).split(256):
        pieces, real, labels = batches.batch(numbers)
        with torch.autocast(batches.device.type, torch.bfloat16):
            out = reader(pieces, real)
        scores.append(out[labels >= 0])
        right.append(labels[labels >= 0])
    score, truth = torch.cat(scores), torch.cat(right).bool()
    ranks = torch.empty_like(score, dtype=torch.float64)
    ranks[score.argsort()] = torch.arange(1, len(score) + 1, dtype=torch.float64, device=score.device)
    of = truth.sum().double()
    return float((ranks[truth].sum() - of * (of + 1) / 2) / (of * (len(score) - of)).clamp(min=1))


def fit_reader(folder: Path, settings: ReaderSettings, log: Callable[[str], None], shape: Shape | None = None) -> None:
    """Train the detector and the reader on the prints of a folder, and write the reader's weights there."""
    shape = SHAPES[START] if shape is None else shape
    check_inputs(folder, PRINTS, MPNET, f"{START}{EARLIER}")
    check_settings(folder / SETTINGS, asdict(settings))
    if (folder / WEIGHTS).exists():
        return
    batches = PrintBatches(Prints.load(folder / PRINTS), start(settings.seed))
    log(f"{len(batches.length):,} prints")
    detector = train_detector(batches, read_start(folder / MPNET), settings, log)
    weights = read_start(folder / f"{START}{EARLIER}")
    save(train_reader(batches, weights, shape, detector, settings, log), folder / WEIGHTS)


def main(given: Sequence[str] | None = None) -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the prints and the weights to start from")
    for name, value in asdict(ReaderSettings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = vars(parser.parse_args(given))
    fit_reader(options.pop("folder"), ReaderSettings(**options), lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
