"""From trained weights to the files of a reader: a graph of 8-bit products, a header and a card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto

from laconic.model_folders import HEADER_NAME as NETWORK_HEADER
from laconic.network.export import Graph, add_layers, add_norm, find_limits, full_precision, make_model, write_graph
from laconic.network.shape import SHAPES, Shape
from laconic.reader.cuts import CutSentences
from laconic.reader.fit import (
    CUTS,
    NETWORK,
    SHAPE,
    WEIGHTS,
    ReaderModel,
    VersionBatches,
    measure,
    read_network,
    read_rounding,
    rounded,
)
from laconic.reader.reader import FORMAT_VERSION, GRAPH_NAME, HEADER_NAME

#: Raised when a reader gives other results: it is part of its name.
VERSION: Final = 2

CARD_NAME: Final = "READER.md"

#: Batches of versions from which the ranges of the activations are read.
_CALIBRATION: Final = 40


def build_reader_graph(
    weights: Mapping[str, NDArray[Any]],
    shape: Shape,
    limits: Mapping[str, tuple[float, float]],
    rounding: tuple[float, int],
) -> onnx.ModelProto:
    """The graph of a reader: for every word the logit that what became of it is at fault.

    Inputs: the vectors of the words, rounded as the network rounds them, what has become of the words, and a mask.
    """
    graph, w = Graph(limits), full_precision(weights)
    scale = graph.constant("vectors.scale", np.float32(rounding[0]))
    zero = graph.constant("vectors.zero", np.uint8(rounding[1]))
    x = graph.product(("vectors", scale, zero), "narrow", w["vectors.weight"].T, w["vectors.bias"])
    states = graph.add("Gather", [graph.constant("state", w["states.weight"]), "states"], "state.rows")
    x = add_norm(graph, graph.add("Add", [x, states], "seen"), "embedded", w, "norm", shape)
    x = add_layers(graph, x, w, shape, "layers")
    top = graph.quantise(x, "top", graph.limit("fault"))
    graph.product(top, "fault", w["fault.weight"].T, w["fault.bias"])
    inputs = {"states": TensorProto.INT32, "mask": TensorProto.INT32}
    return make_model(graph, inputs, {"fault": 1}, vectors={"vectors": w["vectors.weight"].shape[1]})


def ship_reader(folder: Path, *, out: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Write the reader whose weights are in `folder` into the folder of its network; the header."""
    width, rounding = SHAPES[NETWORK].width, read_rounding(folder)
    model = ReaderModel(width, SHAPE).eval()
    with np.load(folder / WEIGHTS, allow_pickle=False) as archive:
        weights = {name: archive[name].astype(np.float32) for name in archive.files}
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    batches = VersionBatches(CutSentences.load(folder / CUTS), torch.device("cpu"))
    network = read_network(folder).eval()

    def seen(batch: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
        return rounded(network.encode(batch), rounding), batch["states"], batch["words"]

    limits = find_limits(model, (seen(batch) for batch in _calibration(batches)))
    write_graph(build_reader_graph(weights, SHAPE, limits, rounding), out / GRAPH_NAME)
    header = {
        "format": FORMAT_VERSION,
        "name": f"laconic-reader-{VERSION}",
        "shape": SHAPE.to_dict(),
        "training": dict(facts),
        "area_under_the_curve": measure(lambda batch: model(*seen(batch)), batches),
        "network_sha256": json.loads((out / NETWORK_HEADER).read_text(encoding="utf-8"))["sha256"],
        "sha256": hashlib.sha256((out / GRAPH_NAME).read_bytes()).hexdigest(),
    }
    (out / HEADER_NAME).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    _write_card(out, header)
    return header


def _calibration(batches: VersionBatches) -> Iterator[dict[str, torch.Tensor]]:
    shown = np.flatnonzero(~batches.held_out.numpy())
    for numbers in batches.plan(shown, 1024, seed=0)[:_CALIBRATION]:
        yield batches.batch(numbers)


def _write_card(folder: Path, header: Mapping[str, Any]) -> None:
    shape, facts = header["shape"], header["training"]
    size = (folder / GRAPH_NAME).stat().st_size / 1e6
    versions = facts["versions"]
    (folder / CARD_NAME).write_text(
        f"""# {header["name"]}

English. A transformer of {shape["layers"]} layers of width {shape["width"]} on top of the vectors that \
{facts["network"]} has of the words
of a sentence. It sees which words a compression prints and which are gone, and says of every deletion how likely it is
that an editor would undo it. {size:.1f} MB: a graph of 8-bit products, in the format ONNX.

    {facts["command"]}

| | |
|---|---|
| compressions of editors | {versions["editors"]:,}, of {", ".join(facts["levels"])}: what they cut is fine; \
one more cut is not |
| verdicts on our compressions | {versions["verdicts"]:,}, of {facts["verdicts"]}: which deletions an editor would \
undo |
| our compressions without verdicts | {versions["ours"]:,}, of sentences of {facts["plain"]}: judged by the teachers |
| who judged | language models acting as copy editors (data/README.md) |
| teachers | {facts["settings"]["judges"]} times MPNet (all-mpnet-base-v2), trained on the first two kinds |
| settings | {", ".join(f"{name} {value}" for name, value in facts["settings"].items())} |
| sentences held out | area under the ROC curve {header["area_under_the_curve"]:.4f}: deletions at fault, and others. \
The network below had learned from the verdicts on these sentences: expect less of new ones |

Intended use: choosing among compressions of one sentence (`--order reader`).
""",
        encoding="utf-8",
    )
