"""From trained weights to the folder of a reader: a graph of 8-bit products, a header and a card."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from laconic.model_folders import VOCABULARY_NAME
from laconic.network.export import INPUTS, Graph, add_encoder, find_limits, full_precision, make_model, write_graph
from laconic.network.shape import SHAPES, Shape
from laconic.reader.fit import PRINTS, START, WEIGHTS, PrintBatches, ReaderModel, measure
from laconic.reader.prints import Prints
from laconic.reader.reader import FORMAT_VERSION, GRAPH_NAME, HEADER_NAME

#: Raised when a reader gives other results: it is part of its name.
VERSION: Final = 1

CARD_NAME: Final = "READER.md"

#: Batches of prints from which the ranges of the activations are read.
_CALIBRATION: Final = 40


def build_reader_graph(
    weights: Mapping[str, NDArray[Any]], shape: Shape, limits: Mapping[str, tuple[float, float]] | None
) -> onnx.ModelProto:
    """The graph of a reader: pieces and a mask in, for every piece the logit that something is missing before it."""
    graph, w = Graph(limits), full_precision(weights)
    x = graph.quantise(add_encoder(graph, w, shape, cases=False), "top", graph.limit("missing"))
    graph.product(x, "missing", w["missing.weight"].T, w["missing.bias"])
    return make_model(graph, INPUTS, {"missing": 1})


def ship_reader(folder: Path, *, vocabulary: Path, out: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Write the reader whose weights are in `folder`; the header."""
    shape = SHAPES[START]
    model = ReaderModel(shape).eval()
    with np.load(folder / WEIGHTS, allow_pickle=False) as archive:
        weights = {name: archive[name].astype(np.float32) for name in archive.files}
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    batches = PrintBatches(Prints.load(folder / PRINTS), torch.device("cpu"))
    out.mkdir(parents=True, exist_ok=True)
    limits = find_limits(model, _calibration(batches))
    write_graph(build_reader_graph(weights, shape, limits), out / GRAPH_NAME)
    shutil.copy(vocabulary, out / VOCABULARY_NAME)
    header = {
        "format": FORMAT_VERSION,
        "name": f"laconic-reader-{VERSION}",
        "shape": shape.to_dict(),
        "training": dict(facts),
        "area_under_the_curve": measure(model, batches),
        "sha256": hashlib.sha256((out / GRAPH_NAME).read_bytes()).hexdigest(),
        "vocabulary_sha256": hashlib.sha256((out / VOCABULARY_NAME).read_bytes()).hexdigest(),
    }
    (out / HEADER_NAME).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    _write_card(out, header)
    return header


def _calibration(batches: PrintBatches) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    shown = torch.nonzero(~batches.held_out).squeeze(1)
    for numbers in batches.plan(shown, 1024, seed=0)[:_CALIBRATION]:
        pieces, real, _ = batches.batch(numbers)
        yield pieces, real


def _write_card(folder: Path, header: Mapping[str, Any]) -> None:
    shape, facts = header["shape"], header["training"]
    size = (folder / GRAPH_NAME).stat().st_size / 1e6
    (folder / CARD_NAME).write_text(
        f"""# {header["name"]}

English. A transformer of {shape["layers"]} layers of width {shape["width"]} over word pieces that reads what could be
printed and says, at every place where words have gone, how likely it is that a reader notices. {size:.1f} MB: a
graph of 8-bit products, in the format ONNX. It learned from plain sentences alone, without compressions.

    {facts["command"]}

| | |
|---|---|
| sentences | {facts["sentences"]:,} of {facts["treebank"]}, parsed by {facts["parser"]} |
| prints | {facts["prints"]:,}: with edges cut at random, and with one edge cut |
| teacher | MPNet (all-mpnet-base-v2), trained on the prints with random cuts |
| weights to start from | the encoder of {facts["start"]} |
| settings | {", ".join(f"{name} {value}" for name, value in facts["settings"].items())} |
| held out | area under the ROC curve {header["area_under_the_curve"]:.4f}: places where something was cut, and others |

Intended use: choosing among compressions of one sentence (`--order reader`).
""",
        encoding="utf-8",
    )
