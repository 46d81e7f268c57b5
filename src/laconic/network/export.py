"""Export a trained network as an ONNX graph with 8-bit products, built by hand: no tracing, no unneeded nodes.

Weights have a scale for every output column. Activations have a fixed scale, fitted beforehand on sentences, so that
the result for a sentence does not depend on the others in its batch. Embeddings have a scale for every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from laconic.levels import LEVELS, NESTED
from laconic.network.shape import LOGITS, MAX_PIECES, OUTPUTS, Shape

OPSET: Final = 21
_MICROSOFT: Final = "com.microsoft"

#: The maximum quantised weight, so that the sum of two products fits into 16 bits: without VNNI, processors saturate
#: there.
_LARGEST: Final = 63

Array = NDArray[np.float32]


class Graph:
    """Collects nodes and constants. Without ranges for the inputs of products, nothing is quantised."""

    def __init__(self, limits: Mapping[str, tuple[float, float]] | None) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._limits = limits

    def limit(self, name: str) -> tuple[float, float] | None:
        """The range of the input of the product with that name."""
        return None if self._limits is None else self._limits[name]

    def constant(self, name: str, value: Any) -> str:
        """Add a constant; returns its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, op: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Add a node; returns the name of its output."""
        domain = _MICROSOFT if op in ("MatMulIntegerToFloat", "MultiHeadAttention", "FastGelu") else ""
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def split(self, x: str, outputs: list[str], sizes: list[int]) -> list[str]:
        """Split the columns into parts; returns their names."""
        at = self.constant(f"{outputs[0]}.sizes", np.array(sizes, dtype=np.int64))
        self.nodes.append(helper.make_node("Split", [x, at], outputs, name=f"{outputs[0]}.split", axis=-1))
        return outputs

    def quantise(self, x: str, name: str, limits: tuple[float, float] | None) -> tuple[str, ...]:
        """Quantise an activation to 8 bits: result, scale and zero point; just `x` if products have full precision."""
        if limits is None:
            return (x,)
        low, high = min(limits[0], 0.0), max(limits[1], 0.0)
        scale = np.float32(max(high - low, 1e-6) / 255)
        zero = np.uint8(np.clip(np.round(-low / scale), 0, 255))
        names = self.constant(f"{name}.scale", scale), self.constant(f"{name}.zero", zero)
        return self.add("QuantizeLinear", [x, *names], f"{name}.8bit"), *names

    def product(self, x: tuple[str, ...], name: str, weight: Array, bias: Array) -> str:
        """Add X · weight + bias; `weight` has a column for each output."""
        offset = self.constant(f"{name}.bias", bias)
        if len(x) == 1:
            full = self.add("MatMul", [x[0], self.constant(f"{name}.weight", weight)], f"{name}.product")
            return self.add("Add", [full, offset], name)
        scale = np.maximum(np.abs(weight).max(axis=0), 1e-8) / _LARGEST
        constants = {
            "weight": np.round(weight / scale).astype(np.int8),
            "weight_scale": scale.astype(np.float32),
            "weight_zero": np.zeros(weight.shape[1], dtype=np.int8),
        }
        w, w_scale, w_zero = (self.constant(f"{name}.{key}", value) for key, value in constants.items())
        data, x_scale, x_zero = x
        return self.add("MatMulIntegerToFloat", [data, w, x_scale, w_scale, x_zero, w_zero, offset], name)

    def embedding(self, numbers: str, name: str, table: Array) -> str:
        """Add a lookup of rows in a table."""
        if self._limits is None:
            return self.add("Gather", [self.constant(name, table), numbers], f"{name}.rows")
        scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8) / 127
        rows = self.add(
            "Gather", [self.constant(name, np.round(table / scale).astype(np.int8)), numbers], f"{name}.8bit"
        )
        scales = self.add(
            "Gather", [self.constant(f"{name}.scales", scale.astype(np.float32)), numbers], f"{name}.scale"
        )
        return self.add("Mul", [self.add("Cast", [rows], f"{name}.cast", to=TensorProto.FLOAT), scales], f"{name}.rows")


def build_graph(
    weights: Mapping[str, NDArray[Any]], shape: Shape, limits: Mapping[str, tuple[float, float]] | None
) -> onnx.ModelProto:
    """The graph of a network. `limits` are the input ranges of products, by name; without them, nothing is quantised.

    Inputs, for a batch of sentences padded to the same length: the pieces, their cases, a mask of real pieces, and an
    array with zero for pieces that begin a word and a large negative number for others. Outputs: the scores of every
    piece as the head of every other, the labels, and the other outputs; only rows of pieces that begin a word are
    meaningful.
    """
    graph, w = Graph(limits), full_precision(weights)
    x = _add_encoder(graph, w, shape)
    _add_heads(graph, x, w, shape)
    inputs = dict.fromkeys(("pieces", "mask", "cases"), TensorProto.INT32) | {"not_a_word": TensorProto.FLOAT}
    columns: dict[str, Any] = {
        "arc": "length",
        "label": OUTPUTS["label"],
        "word": sum(OUTPUTS.values()) - OUTPUTS["label"],
    }
    return _make_model(graph, inputs, columns)


def full_precision(weights: Mapping[str, NDArray[Any]]) -> dict[str, Array]:
    """The weights as 32-bit floats."""
    return {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}


def _make_model(graph: Graph, inputs: Mapping[str, int], columns: Mapping[str, Any]) -> onnx.ModelProto:
    """A graph as a model: inputs with their types, outputs with their numbers of columns."""
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "laconic",
            [helper.make_tensor_value_info(name, kind, ["batch", "length"]) for name, kind in inputs.items()],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "length", size])
                for name, size in columns.items()
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(_MICROSOFT, 1)],
        ir_version=10,
        producer_name="laconic",
    )


def _add_encoder(graph: Graph, w: Mapping[str, Array], shape: Shape) -> str:
    def norm(x: str, name: str, source: str) -> str:
        parameters = [graph.constant(f"{name}.{kind}", w[f"{source}.{kind}"]) for kind in ("weight", "bias")]
        return graph.add("LayerNormalization", [x, *parameters], name, epsilon=shape.norm_epsilon)

    def linear(x: str, own: str, name: str, source: str) -> str:
        given = graph.quantise(x, own, graph.limit(source))
        return graph.product(given, name, w[f"{source}.weight"].T, w[f"{source}.bias"])

    x = graph.embedding("pieces", "piece", w["encoder.pieces.weight"])
    places = graph.constant("places", w["encoder.places.weight"][: MAX_PIECES + 2])
    length = graph.add(
        "Gather", [graph.add("Shape", ["pieces"], "shape"), graph.constant("one", np.array([1]))], "length"
    )
    zero = graph.constant("zero", np.array([0]))
    here = graph.add("Slice", [places, zero, length, zero], "here")
    x = graph.add("Add", [x, here], "placed")
    case = graph.add("Gather", [graph.constant("case", w["encoder.cases.weight"]), "cases"], "case.rows")
    x = norm(graph.add("Add", [x, case], "written"), "embedded", "encoder.norm")
    for i in range(shape.layers):
        own, source = f"layer{i}", f"encoder.layers.{i}"
        qkv = linear(x, f"{own}.in", f"{own}.qkv", f"{source}.qkv")
        parts = graph.split(qkv, [f"{own}.q", f"{own}.k", f"{own}.v"], [shape.width] * 3)
        context = graph.add("MultiHeadAttention", [*parts, "", "mask"], f"{own}.context", num_heads=shape.heads)
        out = linear(context, f"{own}.mix", f"{own}.out", f"{source}.out")
        x = norm(graph.add("Add", [x, out], f"{own}.sum1"), f"{own}.norm1", f"{source}.norm1")
        up = linear(x, f"{own}.mid", f"{own}.up", f"{source}.up")
        up = graph.add("FastGelu", [up], f"{own}.gelu")
        down = linear(up, f"{own}.inner", f"{own}.down", f"{source}.down")
        x = norm(graph.add("Add", [x, down], f"{own}.sum2"), f"{own}.norm2", f"{source}.norm2")
    return x


def _add_heads(graph: Graph, x: str, w: Mapping[str, Array], shape: Shape) -> None:
    """Add the heads as a single product; the scale of arc scores is folded into the weights."""
    names = ["arc_dependent", "arc_head", "edge_dependent", "edge_head"]
    width = len(w["word.bias"])
    scale = {"arc_dependent": np.float32(1 / np.sqrt(shape.edge))}
    weight = np.concatenate([w[f"{n}.weight"].T * scale.get(n, 1) for n in names] + [w["word.weight"].T], axis=1)
    bias = np.concatenate([w[f"{n}.bias"] * scale.get(n, 1) for n in names] + [w["word.bias"]])
    heads = graph.product(graph.quantise(x, "top", graph.limit("word")), "heads", weight, bias)
    dependent, head, below, above, words = graph.split(
        heads, ["dependent", "head", "below", "above", "words"], [shape.edge] * 4 + [width]
    )
    scores = graph.add("MatMul", [dependent, graph.add("Transpose", [head], "heads_first", perm=[0, 2, 1])], "scores")
    axis = graph.constant("axis", np.array([1]))
    graph.add("Add", [scores, graph.add("Unsqueeze", ["not_a_word", axis], "no_heads")], "arc")
    best = graph.add("ArgMax", ["arc"], "best", axis=2, keepdims=1)
    above = graph.add("GatherND", [above, best], "above_best", batch_dims=1)
    edge = graph.add("Relu", [graph.add("Add", [below, above], "edge_sum")], "edge")
    # The last columns are the edge's contribution to the logits of retaining it (one per level) and of needing it.
    both = np.concatenate([w["label.weight"].T, w["retain_edge.weight"].T], axis=1)
    offset = np.concatenate([w["label.bias"], w["retain_edge.bias"]])
    labels = graph.product(graph.quantise(edge, "edge_in", graph.limit("label")), "labels", both, offset)
    of_edge = OUTPUTS["retain"] + OUTPUTS["need"]
    _, retain = graph.split(labels, ["label", "retain_edge"], [OUTPUTS["label"], of_edge])
    sizes = [OUTPUTS["tag"] + OUTPUTS["entity"], of_edge, OUTPUTS["root"] + OUTPUTS["alone"] + OUTPUTS["keep"]]
    plain, own, others = graph.split(words, ["classes", "retain_word", "others"], sizes)
    retain = graph.add("Add", [own, retain], "retain")
    graph.add("Concat", [plain, retain, others], "word", axis=-1)


def read_graph(path: Path, shape: Shape) -> dict[str, Array]:
    """The weights of a graph that `build_graph` made, by their names in torch, at 8-bit precision.

    Networks of 0.11.0 lack the output `alone`: its weights are those of `root` at the level short, negated.
    """
    found = {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}

    def product(name: str) -> tuple[Array, Array]:
        scale = found.get(f"{name}.weight_scale", np.float32(1))
        return np.ascontiguousarray((found[f"{name}.weight"] * scale).T), found[f"{name}.bias"]

    places = np.zeros((shape.positions, shape.width), np.float32)
    places[: len(found["places"])] = found["places"]
    weights = {
        "encoder.pieces.weight": found["piece"] * found.get("piece.scales", np.float32(1)),
        "encoder.places.weight": places,
        "encoder.cases.weight": found["case"],
        "encoder.norm.weight": found["embedded.weight"],
        "encoder.norm.bias": found["embedded.bias"],
    }
    for i in range(shape.layers):
        own, source = f"layer{i}", f"encoder.layers.{i}"
        for name in ("qkv", "out", "up", "down"):
            weights[f"{source}.{name}.weight"], weights[f"{source}.{name}.bias"] = product(f"{own}.{name}")
        for name in ("norm1", "norm2"):
            weights |= {f"{source}.{name}.{kind}": found[f"{own}.{name}.{kind}"] for kind in ("weight", "bias")}
    heads, bias = product("heads")
    names = ["arc_dependent", "arc_head", "edge_dependent", "edge_head"]
    for i, name in enumerate(names):
        own_rows, scale = slice(i * shape.edge, (i + 1) * shape.edge), np.float32(np.sqrt(shape.edge) if i == 0 else 1)
        weights |= {f"{name}.weight": heads[own_rows] * scale, f"{name}.bias": bias[own_rows] * scale}
    classes = OUTPUTS["tag"] + OUTPUTS["entity"]
    rows = np.arange(len(names) * shape.edge, len(bias))
    sign = np.ones(classes + LOGITS, np.float32)
    if len(rows) < classes + LOGITS:
        at = classes + OUTPUTS["retain"] + OUTPUTS["need"]
        rows = np.insert(rows, at + len(LEVELS), rows[at + LEVELS.index(NESTED[-1])])
        sign[at + len(LEVELS)] = -1
    weights |= {"word.weight": heads[rows] * sign[:, None], "word.bias": bias[rows] * sign}
    labels, bias = product("labels")
    weights |= {"label.weight": labels[: OUTPUTS["label"]], "label.bias": bias[: OUTPUTS["label"]]}
    rows = np.arange(OUTPUTS["label"], len(bias))
    return weights | {"retain_edge.weight": labels[rows], "retain_edge.bias": bias[rows]}


def find_limits(network: Any, batches: Iterable[Any]) -> dict[str, tuple[float, float]]:
    """For the input of every product, the range with the least error when quantised to 256 steps, over some batches."""
    import torch

    seen: dict[str, list[NDArray[np.float32]]] = {}
    rng = np.random.default_rng(0)
    hooks = []
    for name, module in network.named_modules():
        if isinstance(module, torch.nn.Linear):

            def keep(_: Any, inputs: tuple[Any, ...], name: str = name) -> None:
                values = inputs[0].detach().float().flatten(0, -2)
                rows = rng.choice(len(values), min(len(values), 64), replace=False)
                seen.setdefault(name, []).append(values[torch.from_numpy(rows)].numpy().ravel())

            hooks.append(module.register_forward_pre_hook(keep))
    network.eval()
    with torch.no_grad():
        for batch in batches:
            network(batch)
    for hook in hooks:
        hook.remove()
    return {name: _best_range(np.concatenate(parts)) for name, parts in seen.items()}


def _best_range(values: NDArray[np.float32]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    best, found = np.inf, (low, high)
    for part in np.linspace(0.3, 1.0, 36):
        a, b = low * part, high * part
        step = max(b - a, 1e-6) / 255
        error = float(np.mean((np.clip(np.round((values - a) / step), 0, 255) * step + a - values) ** 2))
        if error < best:
            best, found = error, (a, b)
    return found


def write_graph(model: onnx.ModelProto, path: Path) -> None:
    """Check a graph and write it."""
    onnx.checker.check_model(model)
    part = path.with_suffix(".part")
    part.write_bytes(model.SerializeToString())
    part.replace(path)
