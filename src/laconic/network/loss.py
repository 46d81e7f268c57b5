"""What a network is trained to do: the teacher's trees, and the retained and deleted edges of the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from laconic.network.examples import UNKNOWN
from laconic.network.torch_model import Network

#: What each task counts in the sum.
WEIGHTS: Final = {"arc": 1.0, "label": 1.0, "tag": 0.5, "entity": 0.5, "retain": 3.0, "root": 1.0, "keep": 1.5}

_CLASSES: Final = ("arc", "label", "tag", "entity")


def hard_losses(out: Mapping[str, Tensor], batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Against what is known: means over words, for the root over sentences."""
    words = batch["words"]
    losses = {}
    for name in _CLASSES:
        target = batch["head" if name == "arc" else name]
        # As rows: the gradient over more dimensions is not the same on every run.
        loss = functional.cross_entropy(out[name].flatten(0, 1), target.flatten(), reduction="none")
        losses[name] = _mean(loss.view_as(target), words)
    keep, root = batch["keep"].float(), batch["root"]
    losses["keep"] = _mean(_binary(out["keep"], keep), words)
    losses["retain"] = _mean(
        _binary(out["retain"], batch["retain"].clamp(max=1).float()), batch["retain"] != UNKNOWN, words
    )
    known = words & (root != UNKNOWN)
    sentences = known.any(1).sum().clamp(min=1)
    losses["root"] = (_binary(out["root"], root.clamp(max=1).float()) * known).sum() / sentences
    return losses


def soft_losses(
    out: Mapping[str, Tensor], taught: Mapping[str, Tensor], batch: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Against a teacher's probabilities, as `teach` gives them."""
    words = batch["words"]
    losses = {}
    for name in _CLASSES:
        losses[name] = _mean(-(taught[name] * out[name].log_softmax(-1)).sum(-1), words)
    losses["keep"] = _mean(_binary(out["keep"], taught["keep"]), words)
    # An edge matters as far as its head may be kept.
    matters = (0.1 + taught["keep"].gather(1, taught["head"])) * words
    losses["retain"] = (_binary(out["retain"], taught["retain"]) * matters).sum() / matters.sum().clamp(min=1)
    losses["root"] = (_binary(out["root"], taught["root"]) * words).sum() / len(words)
    return losses


@torch.no_grad()
def teach(teachers: Sequence[Network], batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The mean of some teachers' probabilities; labels are of the edges to `head`: the gold's, or the teachers'."""
    encoded = [teacher.encode(batch) for teacher in teachers]
    arcs = [teacher.arcs(x, batch["words"]) for teacher, x in zip(teachers, encoded, strict=True)]
    head = batch["head"] if "head" in batch else torch.stack([arc.softmax(-1) for arc in arcs]).mean(0).argmax(-1)
    outs = [{"arc": arc, **teacher.classify(x, head)} for teacher, x, arc in zip(teachers, encoded, arcs, strict=True)]
    taught = {name: torch.stack([out[name].softmax(-1) for out in outs]).mean(0) for name in _CLASSES}
    taught |= {name: torch.stack([out[name].sigmoid() for out in outs]).mean(0) for name in ("retain", "root", "keep")}
    return {**taught, "head": head}


def total(losses: Mapping[str, Tensor]) -> Tensor:
    """The weighted sum."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in losses.items()]).sum()


def _binary(logit: Tensor, target: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logit, target, reduction="none")


def _mean(loss: Tensor, *masks: Tensor) -> Tensor:
    mask = masks[0] if len(masks) == 1 else masks[0] & masks[1]
    return (loss * mask).sum() / mask.sum().clamp(min=1)
