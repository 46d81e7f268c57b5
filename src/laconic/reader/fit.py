"""Train the reader on versions of sentences, some of whose deletions editors have judged.

A large network, the judge, sees the sentence and what has become of its words, and learns what editors say. The reader,
a small one, begins with what the shipped network has understood of the sentence, and learns from editors and from the
judge, on many more versions.

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

from laconic.network.distil import TEACHER, check_inputs, check_settings, save, start
from laconic.network.pieces import CLS, SEP
from laconic.network.shape import SHAPES, Shape
from laconic.network.start import EARLIER, MPNET, read_start
from laconic.network.torch_model import Encoder, Layer, Network, load_encoder, rows_of
from laconic.reader.cuts import CUT, EDITORS, OURS, PROMOTED, STATES, UNKNOWN, VERDICTS, CutSentences

#: Files in the folder of a training: the versions, how the network's vectors are rounded, and what comes out.
CUTS: Final = "cuts.npz"
ROUNDING: Final = "rounding.npz"
WEIGHTS: Final = "reader.weights.npz"
SETTINGS: Final = "reader-fit.json"

#: The network whose vectors the reader is given.
NETWORK: Final = "default"

#: The reader's own layers.
SHAPE: Final = Shape(layers=2, width=192, heads=6, inner=768)

#: Of the sentences with verdicts, every so many is held out to measure on.
HELD_OUT: Final = 12


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Everything about the training of the reader that could change it."""

    judges: int = 2
    judge_epochs: int = 3  # of the verdicts, with a part of the editors' versions each
    judge_rate: float = 4e-5
    judge_pieces: int = 4096  # in a batch
    epochs: int = 3
    rate: float = 1e-3
    pieces: int = 24000
    hard: float = 0.3  # of what is known, the rest is what the judge says
    dropout: float = 0.1
    seed: int = 0


class Judge(nn.Module):
    """Sees the pieces of a sentence and what has become of its words: of each, the logit that it is at fault."""

    def __init__(self, shape: Shape, *, relative: bool = False, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = Encoder(shape, relative=relative, dropout=dropout)
        self.states = nn.Embedding(STATES, shape.width)
        self.hidden = nn.Linear(shape.width, 256)
        self.fault = nn.Linear(256, 1)
        nn.init.normal_(self.states.weight, std=0.02)

    def forward(self, batch: Mapping[str, Tensor]) -> Tensor:
        """A logit for every word."""
        of_pieces = batch["states"].gather(1, batch["word_of_piece"])
        besides = self.states(torch.where(batch["inside"], of_pieces, 0))
        x = self.encoder(batch["pieces"], batch["cases"], batch["mask"], besides)
        x = rows_of(batch["first"], x.shape[1], x.dtype) @ x
        return cast(Tensor, self.fault(functional.relu(self.hidden(x))).squeeze(-1).float())


class ReaderModel(nn.Module):
    """The same, on top of the vectors that a network has of the words."""

    def __init__(self, width: int, shape: Shape, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.vectors = nn.Linear(width, shape.width)
        self.states = nn.Embedding(STATES, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.norm_epsilon)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.fault = nn.Linear(shape.width, 1)

    def forward(self, vectors: Tensor, states: Tensor, words: Tensor) -> Tensor:
        """A logit for every word; `words` says which are real."""
        x = self.norm(self.vectors(vectors) + self.states(states))
        bias = torch.where(words, 0.0, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, bias)
        return cast(Tensor, self.fault(x).squeeze(-1).float())


class VersionBatches:
    """All versions on a device; batches of them are cut out there."""

    def __init__(self, cuts: CutSentences, device: torch.device) -> None:
        def put(column: np.ndarray) -> Tensor:
            return torch.from_numpy(column.astype(np.int64)).to(device)

        words = np.diff(cuts.word_ptr)
        sentence = np.repeat(np.arange(len(cuts)), np.diff(cuts.version_ptr))
        at = np.concatenate([[0], np.cumsum(words[sentence])])
        self.device = device
        self.source = put(cuts.source)
        self.held_out = put((cuts.source == VERDICTS) & (sentence % HELD_OUT == 0)).bool()
        self.length = np.diff(cuts.piece_ptr)[sentence]  # of the sentence, in pieces, by version
        self._sentence, self._at = put(sentence), put(at)
        self._word_ptr, self._piece_ptr = put(cuts.word_ptr), put(cuts.piece_ptr)
        self._piece, self._case = put(cuts.piece), put(cuts.case)
        self._word_of_piece = torch.cumsum(put(cuts.word_start), 0) - 1
        self._first = torch.nonzero(put(cuts.word_start)).squeeze(1)
        self._state = torch.from_numpy(cuts.state).to(device)
        self._label = torch.from_numpy(cuts.label).to(device)

    def batch(self, numbers: Tensor) -> dict[str, Tensor]:
        """Versions of these numbers, padded."""
        sentence = self._sentence[numbers]
        first_word, first_piece = self._word_ptr[sentence], self._piece_ptr[sentence]
        words, pieces = self._word_ptr[sentence + 1] - first_word, self._piece_ptr[sentence + 1] - first_piece
        place = torch.arange(int(words.max()), device=self.device)[None]
        real = place < words[:, None]
        word = torch.where(real, first_word[:, None] + place, 0)
        own = torch.where(real, self._at[numbers][:, None] + place, 0)
        found = {
            "words": real,
            "first": torch.where(real, self._first[word] - first_piece[:, None] + 1, 0),
            "states": torch.where(real, self._state[own].long(), 0),
            "label": torch.where(real, self._label[own].long(), UNKNOWN),
        }
        place = torch.arange(int(pieces.max()) + 2, device=self.device)[None]
        found["mask"] = place <= pieces[:, None] + 1
        found["inside"] = inside = (place > 0) & (place <= pieces[:, None])
        piece = torch.where(inside, first_piece[:, None] + place - 1, 0)
        end = torch.where(place == 0, CLS, torch.where(place == pieces[:, None] + 1, SEP, 0))
        found["pieces"] = torch.where(inside, self._piece[piece], end)
        of_piece = self._word_of_piece[piece]
        found["cases"] = torch.where(inside, self._case[of_piece], 0)
        found["word_of_piece"] = torch.where(inside, of_piece - first_word[:, None], 0)
        return found

    def plan(self, numbers: np.ndarray, pieces: int, seed: int) -> list[Tensor]:
        """Batches of about so many pieces, of versions of sentences of about the same length, in random order."""
        rng = np.random.default_rng(seed)
        size = self.length[numbers]
        order = rng.permutation(len(numbers))
        plan: list[np.ndarray] = []
        step = 50 * max(1, pieces // max(int(size.mean()) if len(size) else 1, 1))
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


def train_judge(
    batches: VersionBatches,
    weights: Mapping[str, Any],
    settings: ReaderSettings,
    number: int,
    log: Callable[[str], None],
) -> Judge:
    """Train judge `number` on what editors cut, and on their verdicts on what we cut."""
    begun = time.monotonic()
    seed = settings.seed + 1000 * number
    start(seed)
    judge = Judge(TEACHER, relative=True, dropout=settings.dropout)
    load_encoder(judge.encoder, weights)
    judge.to(batches.device).train()
    source, held_out = batches.source.cpu().numpy(), batches.held_out.cpu().numpy()
    editors = np.random.default_rng(seed).permutation(np.flatnonzero(source == EDITORS))
    verdicts = np.flatnonzero((source == VERDICTS) & ~held_out)
    plan: list[Tensor] = []
    for epoch, part in enumerate(np.array_split(editors, settings.judge_epochs)):
        plan += batches.plan(np.concatenate([part, verdicts]), settings.judge_pieces, seed + epoch)
    heads = [*judge.states.parameters(), *judge.hidden.parameters(), *judge.fault.parameters()]
    optimiser = _Optimiser([(judge.encoder.parameters(), settings.judge_rate), (heads, 1e-3)], len(plan))
    for numbers in plan:
        batch = batches.batch(numbers)
        with torch.autocast(batches.device.type, torch.bfloat16):
            out = judge(batch)
        optimiser.step(_loss(out, batch["label"].clamp(max=1).float(), batch["label"] != UNKNOWN))
    judge.eval()
    with torch.no_grad(), torch.autocast(batches.device.type, torch.bfloat16):
        area = measure(judge, batches)
    log(f"judge {number}: {_took(plan, begun)}: area under the curve {area:.4f}, held out")
    return judge


def train_reader(
    batches: VersionBatches,
    network: Network,
    rounding: tuple[float, int],
    judges: Sequence[Judge],
    settings: ReaderSettings,
    log: Callable[[str], None],
) -> ReaderModel:
    """Train the reader on all versions: on what editors say, where they do, and on what the judges say."""
    begun = time.monotonic()
    start(settings.seed + 1)
    reader = ReaderModel(network.shape.width, SHAPE, dropout=settings.dropout)
    reader.to(batches.device).train()
    network.to(batches.device).eval()
    numbers = np.flatnonzero(~batches.held_out.cpu().numpy())
    plan = [part for epoch in range(settings.epochs) for part in batches.plan(numbers, settings.pieces, epoch)]
    optimiser = _Optimiser([(reader.parameters(), settings.rate)], len(plan))
    for chosen in plan:
        batch = batches.batch(chosen)
        asked = (batch["states"] == CUT) | (batch["states"] == PROMOTED)
        with torch.no_grad(), torch.autocast(batches.device.type, torch.bfloat16):
            said = torch.stack([judge(batch).sigmoid() for judge in judges]).mean(0)
            vectors = rounded(network.encode(batch), rounding)
        known = batch["label"] != UNKNOWN
        hard = settings.hard * batch["label"].clamp(max=1).float() + (1 - settings.hard) * said
        with torch.autocast(batches.device.type, torch.bfloat16):
            out = reader(vectors, batch["states"], batch["words"])
        optimiser.step(_loss(out, torch.where(known, hard, said), asked))
    reader.eval()

    @torch.no_grad()
    def read(batch: Mapping[str, Tensor]) -> Tensor:
        with torch.autocast(batches.device.type, torch.bfloat16):
            return cast(Tensor, reader(rounded(network.encode(batch), rounding), batch["states"], batch["words"]))

    area = measure(read, batches)
    log(f"reader: {_took(plan, begun)}: area under the curve {area:.4f}, held out")
    return reader


def _took(plan: Sequence[Tensor], begun: float) -> str:
    return f"{len(plan)} steps, {time.monotonic() - begun:.0f} s"


def rounded(vectors: Tensor, rounding: tuple[float, int]) -> Tensor:
    """Vectors as the reader is given them, cut into 256 steps: `rounding` is a step's size, and which of them is 0."""
    scale, zero = rounding
    return (torch.clamp(torch.round(vectors.float() / scale) + zero, 0, 255) - zero) * scale


def _loss(out: Tensor, wanted: Tensor, asked: Tensor) -> Tensor:
    loss = functional.binary_cross_entropy_with_logits(out, wanted, reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


@torch.no_grad()
def measure(judge: Callable[[Mapping[str, Tensor]], Tensor], batches: VersionBatches) -> float:
    """How well deletions that are at fault are told from others: the area under the ROC curve, held out."""
    scores, right = [], []
    for numbers in torch.nonzero(batches.held_out).squeeze(1).split(128):
        batch = batches.batch(numbers)
        known = batch["label"] != UNKNOWN
        scores.append(judge(batch)[known])
        right.append(batch["label"][known])
    score, truth = torch.cat(scores), torch.cat(right).bool()
    ranks = torch.empty_like(score, dtype=torch.float64)
    ranks[score.argsort()] = torch.arange(1, len(score) + 1, dtype=torch.float64, device=score.device)
    of = truth.sum().double()
    return float((ranks[truth].sum() - of * (of + 1) / 2) / (of * (len(score) - of)).clamp(min=1))


def read_network(folder: Path) -> Network:
    """The network whose vectors the reader is given, as it is shipped."""
    network = Network(SHAPES[NETWORK])
    weights = read_start(folder / f"{NETWORK}{EARLIER}")
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return network


def read_rounding(folder: Path) -> tuple[float, int]:
    """How the network's vectors are rounded."""
    with np.load(folder / ROUNDING, allow_pickle=False) as archive:
        return float(archive["scale"].item()), int(archive["zero"].item())


def fit_reader(folder: Path, settings: ReaderSettings, log: Callable[[str], None]) -> None:
    """Train judges and the reader on the versions of a folder, and write the reader's weights there."""
    check_inputs(folder, CUTS, ROUNDING, MPNET, f"{NETWORK}{EARLIER}")
    check_settings(folder / SETTINGS, asdict(settings))
    if (folder / WEIGHTS).exists():
        return
    batches = VersionBatches(CutSentences.load(folder / CUTS), start(settings.seed))
    counts = [int((batches.source == each).sum()) for each in (EDITORS, VERDICTS, OURS)]
    log(f"versions: {counts[0]:,} of editors, {counts[1]:,} with verdicts, {counts[2]:,} of ours")
    weights = read_start(folder / MPNET)
    judges = [train_judge(batches, weights, settings, number, log) for number in range(settings.judges)]
    reader = train_reader(batches, read_network(folder), read_rounding(folder), judges, settings, log)
    save(reader, folder / WEIGHTS)


def main(given: Sequence[str] | None = None) -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the versions and the weights to start from")
    for name, value in asdict(ReaderSettings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = vars(parser.parse_args(given))
    fit_reader(options.pop("folder"), ReaderSettings(**options), lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
