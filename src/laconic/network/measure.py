"""How well a network predicts what is known of development data, while it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor

from laconic.levels import LEVELS
from laconic.network.batches import Batches
from laconic.network.examples import UNKNOWN
from laconic.network.loss import NEEDS, of_level
from laconic.network.roc import area
from laconic.network.torch_model import Network

#: The names of development data in what is measured: headlines come first, then general text.
_NAMES: Final = ("", "general ")


@torch.no_grad()
def measure(network: Network, dev: Sequence[Batches]) -> dict[str, float]:
    """How well a network predicts the heads, labels and tags of the trees, and at each level the gold compressions.

    By level: the share of edges that are rightly retained or deleted; the word F1 of the words that are likeliest kept,
    as many as in the gold; and the share of sentences whose likeliest root is the gold's. Of verdicts: the area under
    the ROC curve. `dev` has headlines, general text and, last, verdicts, which may be empty.
    """
    network.eval()
    device = next(network.parameters()).device
    sums: dict[str, float] = {}
    counts: dict[str, float] = {}

    def add(name: str, right: Tensor, mask: Tensor) -> None:
        sums[name] = sums.get(name, 0.0) + float((right * mask).sum())
        counts[name] = counts.get(name, 0.0) + float(mask.sum())

    for own, source in zip(_NAMES, dev, strict=False):
        for batch in source:
            with torch.autocast(device.type, torch.bfloat16):
                out = network(batch)
            words = batch["words"]
            head = out["arc"].argmax(-1) == batch["head"]
            add(f"{own}head", head, words)
            add(f"{own}labelled", head & (out["label"].argmax(-1) == batch["label"]), words)
            add(f"{own}tag", out["tag"].argmax(-1) == batch["tag"], words)
            retain, keep, root = (of_level(out[name], batch["level"]) for name in ("retain", "keep", "root"))
            for i, level in enumerate(LEVELS):
                of = (batch["level"] == i)[:, None] & words
                known = of & (batch["retain"] != UNKNOWN)
                add(f"{level} retain", (retain > 0) == (batch["retain"] == 1), known)
                gold = (batch["keep"] == 1) & of
                place = keep.masked_fill(~of, -1e4).argsort(-1, descending=True).argsort(-1)
                right = ((place < gold.sum(1, keepdim=True)) & gold).sum(1) / gold.sum(1).clamp(min=1)
                add(f"{level} f1", right, gold.any(1))
                best = root.masked_fill(~of, -1e4).argmax(-1)
                add(
                    f"{level} root",
                    batch["root"].gather(1, best[:, None])[:, 0] == 1,
                    (of & (batch["root"] == 1)).any(1),
                )
    found = {name: sums[name] / counts[name] for name in sums if counts[name]}
    return found | _measure_needs(network, dev[-1])


def _measure_needs(network: Network, verdicts: Batches) -> dict[str, float]:
    """The area under the ROC curve of each of the outputs that verdicts give targets for."""
    said: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {name: [] for name in NEEDS}
    for batch in verdicts:
        with torch.autocast(batch["words"].device.type, torch.bfloat16):
            out = network(batch, batch["head"])
        for name, own in said.items():
            known = batch["words"] & (batch[name] != UNKNOWN)
            own.append((out[name][..., 0][known].cpu().numpy(), batch[name][known].cpu().numpy() == 1))
    pairs = {name: [np.concatenate(column) for column in zip(*own, strict=True)] for name, own in said.items() if own}
    return {f"{name} area": area(scores, faulty) for name, (scores, faulty) in pairs.items() if len(set(faulty)) == 2}
