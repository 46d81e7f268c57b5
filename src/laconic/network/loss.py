"""The training losses of a network: against known targets (trees and gold compressions), and against teachers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from laconic.levels import LEVELS, Level
from laconic.network.examples import UNKNOWN
from laconic.network.shape import SAID
from laconic.network.torch_model import Network

#: The weight of each task in the sum; for outputs with levels, the weight of each level.
WEIGHTS: Final = {
    "arc": 1.0,
    "label": 1.0,
    "tag": 0.5,
    "entity": 0.5,
    "retain": 3.0,
    "need": 6.0,
    "root": 1.0,
    "alone": 2.0,
    "keep": 1.5,
}

#: The weight of each level where a teacher gives targets for all levels.
LEVEL_WEIGHT: Final = 0.6

_CLASSES: Final = ("arc", "label", "tag", "entity")

#: The outputs that verdicts give targets for.
NEEDS: Final = ("need", "alone")


def hard_losses(out: Mapping[str, Tensor], batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Losses against known targets: means over words; for the root, over sentences."""
    words = batch["words"]
    losses = {}
    for name in _CLASSES:
        target = batch["head" if name == "arc" else name]
        # Flattened, since gradients over more dimensions are not deterministic.
        loss = functional.cross_entropy(out[name].flatten(0, 1), target.flatten(), reduction="none")
        losses[name] = _mean(loss.view_as(target), words)
    for name in ("keep", "retain", "root"):
        loss = _binary(of_level(out[name], batch["level"]), batch[name].clamp(max=1).float())
        known = words & (batch[name] != UNKNOWN)
        count = known.any(1) if name == "root" else known
        losses[name] = (loss * known).sum() / count.sum().clamp(min=1)
    for name in NEEDS:
        known = words & (batch[name] != UNKNOWN)
        losses[name] = _mean(_binary(out[name][..., 0], batch[name].clamp(max=1).float()), known)
    return losses


def of_level(out: Tensor, level: Tensor) -> Tensor:
    """From outputs for all levels, select each sentence's own level."""
    chosen: Tensor = (level[:, None] == torch.arange(out.shape[-1], device=level.device)).to(out.dtype)
    return (out * chosen[:, None, :]).sum(-1)


def soft_losses(
    out: Mapping[str, Tensor], taught: Mapping[str, Tensor], batch: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Losses against a teacher's probabilities, as returned by `teach`."""
    words = batch["words"]
    losses = {}
    for name in _CLASSES:
        losses[name] = _mean(-(taught[name] * out[name].log_softmax(-1)).sum(-1), words)
    each = words[..., None]
    losses["keep"] = LEVEL_WEIGHT * (_binary(out["keep"], taught["keep"]) * each).sum() / words.sum().clamp(min=1)
    # Weight edges by the probability that their heads are kept.
    heads = taught["head"][..., None].expand_as(taught["keep"])
    matters = (0.1 + taught["keep"].gather(1, heads)) * each
    retain = (_binary(out["retain"], taught["retain"]) * matters).sum((0, 1)) / matters.sum((0, 1)).clamp(min=1)
    losses["retain"] = LEVEL_WEIGHT * retain.sum()
    for name in NEEDS:
        losses[name] = _mean(_binary(out[name], taught[name])[..., 0], words)
    losses["root"] = LEVEL_WEIGHT * (_binary(out["root"], taught["root"]) * each).sum() / len(words)
    return losses


@torch.no_grad()
def teach(teachers: Sequence[Network], batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The mean probabilities of some teachers; labels are for the edges to `head`, from the gold or the teachers."""
    encoded = [teacher.encode(batch) for teacher in teachers]
    arcs = [teacher.arcs(x, batch["words"]) for teacher, x in zip(teachers, encoded, strict=True)]
    head = batch["head"] if "head" in batch else torch.stack([arc.softmax(-1) for arc in arcs]).mean(0).argmax(-1)
    outs = [{"arc": arc, **teacher.classify(x, head)} for teacher, x, arc in zip(teachers, encoded, arcs, strict=True)]
    taught = {name: torch.stack([out[name].softmax(-1) for out in outs]).mean(0) for name in _CLASSES}
    taught |= {name: torch.stack([out[name].sigmoid() for out in outs]).mean(0) for name in SAID}
    return {**taught, "head": head}


@torch.no_grad()
def remind(taught: dict[str, Tensor], earlier: Sequence[Network], batch: Mapping[str, Tensor]) -> None:
    """Average the targets for headlines with the outputs of networks of an earlier training."""
    outs = teach(earlier, {**batch, "head": taught["head"]})
    headline = LEVELS.index(Level.HEADLINE)
    for name in ("retain", "root", "keep"):
        taught[name][..., headline] = (taught[name][..., headline] + outs[name][..., headline]) / 2


def total(losses: Mapping[str, Tensor]) -> Tensor:
    """The weighted sum of losses."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in losses.items()]).sum()


def _binary(logit: Tensor, target: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logit, target, reduction="none")


def _mean(loss: Tensor, mask: Tensor) -> Tensor:
    return (loss * mask).sum() / mask.sum().clamp(min=1)
