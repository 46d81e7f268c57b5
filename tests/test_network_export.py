"""The ONNX graph of a network against the same network written down in NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnx")

import onnx
import onnxruntime

from laconic.levels import LEVELS, Level
from laconic.network.export import build_graph, read_graph, write_graph
from laconic.network.shape import MAX_PIECES, OUTPUTS, Shape

SHAPE = Shape(layers=2, width=24, heads=3, inner=40, edge=10, vocabulary=50, positions=300, cases=6, norm_epsilon=1e-6)

Arrays = dict[str, NDArray]
Limits = dict[str, tuple[float, float]]


def random_weights(shape: Shape, seed: int = 0) -> Arrays:
    """Weights by the names that they have in torch; a matrix has a row for each output."""
    rng = np.random.default_rng(seed)
    sizes: dict[str, tuple[int, ...]] = {
        "encoder.pieces.weight": (shape.vocabulary, shape.width),
        "encoder.places.weight": (shape.positions, shape.width),
        "encoder.cases.weight": (shape.cases, shape.width),
    }
    linear = dict.fromkeys(("arc_dependent", "arc_head", "edge_dependent", "edge_head"), (shape.width, shape.edge))
    linear |= {"label": (shape.edge, OUTPUTS["label"])}
    linear |= {"retain_edge": (shape.edge, OUTPUTS["retain"] + OUTPUTS["need"])}
    linear["word"] = shape.width, sum(OUTPUTS.values()) - OUTPUTS["label"]
    norms = ["encoder.norm"]
    for i in range(shape.layers):
        own = f"encoder.layers.{i}"
        linear |= {f"{own}.qkv": (shape.width, 3 * shape.width), f"{own}.out": (shape.width, shape.width)}
        linear |= {f"{own}.up": (shape.width, shape.inner), f"{own}.down": (shape.inner, shape.width)}
        norms += [f"{own}.norm1", f"{own}.norm2"]
    for name, (inputs, outputs) in linear.items():
        sizes |= {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}
    weights = {name: rng.normal(size=size) / np.sqrt(size[-1]) for name, size in sizes.items()}
    for name in norms:
        weights |= {
            f"{name}.weight": 1 + 0.3 * rng.normal(size=shape.width),
            f"{name}.bias": rng.normal(size=shape.width),
        }
    return {name: value.astype(np.float32) for name, value in weights.items()}


def random_inputs(lengths: list[int], padded: int, seed: int = 1) -> Arrays:
    """Sentences of so many pieces; about two of three pieces begin a word, and the first and last none."""
    rng = np.random.default_rng(seed)
    shape = (len(lengths), padded)
    mask = (np.arange(padded) < np.array(lengths)[:, None]).astype(np.int32)
    words = (rng.random(shape) < 0.66) & (mask > 0)
    words[:, 1] = True
    words[:, 0] = False
    words[np.arange(len(lengths)), np.array(lengths) - 1] = False
    return {
        "pieces": rng.integers(0, SHAPE.vocabulary, shape).astype(np.int32) * mask,
        "cases": rng.integers(0, SHAPE.cases, shape).astype(np.int32) * mask,
        "mask": mask,
        "not_a_word": np.where(words, 0, -1e4).astype(np.float32),
    }


def forward(weights: Arrays, shape: Shape, inputs: Arrays) -> tuple[Arrays, Limits]:
    """What the network says, and the ranges of the inputs of its products."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    limits: Limits = {}

    def linear(x: NDArray, name: str) -> NDArray:
        limits[name] = float(x.min()), float(x.max())
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: NDArray, name: str) -> NDArray:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + shape.norm_epsilon)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    def gelu(x: NDArray) -> NDArray:
        return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    batch, length = inputs["pieces"].shape
    size = shape.width // shape.heads
    x = w["encoder.pieces.weight"][inputs["pieces"]] + w["encoder.cases.weight"][inputs["cases"]]
    x = norm(x + w["encoder.places.weight"][:length], "encoder.norm")
    for i in range(shape.layers):
        own = f"encoder.layers.{i}"
        qkv = linear(x, f"{own}.qkv").reshape(batch, length, 3, shape.heads, size)
        context = np.zeros((batch, length, shape.heads, size))
        for head in range(shape.heads):
            q, k, v = (qkv[:, :, part, head] for part in range(3))
            attention = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(size)) * inputs["mask"][:, None, :]
            context[:, :, head] = attention / attention.sum(-1, keepdims=True) @ v
        x = norm(x + linear(context.reshape(batch, length, shape.width), f"{own}.out"), f"{own}.norm1")
        x = norm(x + linear(gelu(linear(x, f"{own}.up")), f"{own}.down"), f"{own}.norm2")
    arc = linear(x, "arc_dependent") @ linear(x, "arc_head").transpose(0, 2, 1) / np.sqrt(shape.edge)
    arc = arc + inputs["not_a_word"][:, None, :]
    above = np.take_along_axis(linear(x, "edge_head"), arc.argmax(-1)[..., None], axis=1)
    edge = np.maximum(linear(x, "edge_dependent") + above, 0)
    word = linear(x, "word")
    classes = OUTPUTS["tag"] + OUTPUTS["entity"]
    word[..., classes : classes + OUTPUTS["retain"] + OUTPUTS["need"]] += linear(edge, "retain_edge")
    return {"arc": arc, "label": linear(edge, "label"), "word": word}, limits


def run(model: onnx.ModelProto, inputs: Arrays) -> Arrays:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in model.graph.output]
    return dict(zip(names, session.run(names, inputs), strict=True))


def constants_of(model: onnx.ModelProto) -> Arrays:
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def at_words(outputs: Arrays, inputs: Arrays) -> Arrays:
    """The rows that mean anything: of pieces that begin a word, and of these as heads, which each row ranks."""
    words = inputs["not_a_word"] == 0
    found = {name: outputs[name][words] for name in ("label", "word")}
    arcs = [own[words[i]][:, words[i]] for i, own in enumerate(outputs["arc"])]
    found["arc"] = np.concatenate([(own - own.mean(axis=1, keepdims=True)).ravel() for own in arcs])
    return found


LENGTHS = [16, 3, 9, 12, 5]


@pytest.mark.parametrize("seed", range(3))
def test_the_graph_in_full_precision_is_the_network(seed: int) -> None:
    weights, inputs = random_weights(SHAPE, seed), random_inputs(LENGTHS, 16, seed)
    expected, _ = forward(weights, SHAPE, inputs)
    found = run(build_graph(weights, SHAPE, None), inputs)
    for name, values in at_words(expected, inputs).items():
        np.testing.assert_allclose(at_words(found, inputs)[name], values, rtol=1e-4, atol=1e-4)
    assert found["arc"].argmax(-1).shape == expected["arc"].argmax(-1).shape
    words = inputs["not_a_word"] == 0
    assert (found["arc"].argmax(-1) == expected["arc"].argmax(-1))[words].all()


@pytest.mark.parametrize("shape", [Shape(1, 16, 2, 8, 4, 30, 40), Shape(3, 32, 8, 64, 20, 30, 400)])
def test_networks_of_other_shapes(shape: Shape) -> None:
    weights, inputs = random_weights(shape), random_inputs([8, 6], 8)
    inputs["pieces"] %= shape.vocabulary
    expected, _ = forward(weights, shape, inputs)
    found = at_words(run(build_graph(weights, shape, None), inputs), inputs)
    for name, values in at_words(expected, inputs).items():
        np.testing.assert_allclose(found[name], values, rtol=1e-4, atol=1e-4)


def test_products_of_8_bits_are_close_to_it() -> None:
    weights, inputs = random_weights(SHAPE), random_inputs(LENGTHS * 4, 16)
    expected, limits = forward(weights, SHAPE, inputs)
    found = run(build_graph(weights, SHAPE, limits), inputs)
    for name, values in at_words(expected, inputs).items():
        error = at_words(found, inputs)[name] - values
        # Where two heads are nearly as good the other may be taken, and the labels are those of another edge.
        assert np.median(np.abs(error)) < 0.1 * values.std()
        assert np.sqrt((error**2).mean()) < 0.3 * values.std()
    words = inputs["not_a_word"] == 0
    assert (found["arc"].argmax(-1) == expected["arc"].argmax(-1))[words].mean() > 0.85


def test_wide_limits_cost_precision_and_narrow_ones_clip() -> None:
    weights, inputs = random_weights(SHAPE), random_inputs(LENGTHS * 4, 16)
    expected, limits = forward(weights, SHAPE, inputs)

    def error(factor: float) -> float:
        changed = {name: (low * factor, high * factor) for name, (low, high) in limits.items()}
        found = run(build_graph(weights, SHAPE, changed), inputs)
        return float(np.abs(at_words(found, inputs)["word"] - at_words(expected, inputs)["word"]).mean())

    assert error(1.0) < error(8.0) < error(100.0)
    assert error(1.0) < error(0.1)


def test_limits_that_leave_out_zero_are_widened_to_it() -> None:
    # Zero must be a step of its own, or what is not there would count.
    weights, inputs = random_weights(SHAPE), random_inputs(LENGTHS, 16)
    _, limits = forward(weights, SHAPE, inputs)
    assert limits["label"][0] >= 0  # after ReLU
    shifted = {**limits, "label": (0.5, limits["label"][1])}
    found, plain = (run(build_graph(weights, SHAPE, own), inputs) for own in (shifted, limits))
    np.testing.assert_allclose(found["label"], plain["label"], atol=1e-6)


@pytest.mark.parametrize("bits", [False, True], ids=["full", "8 bit"])
def test_padding_and_other_sentences_change_nothing(bits: bool) -> None:
    weights, inputs = random_weights(SHAPE), random_inputs(LENGTHS, 16)
    _, limits = forward(weights, SHAPE, inputs)
    model = build_graph(weights, SHAPE, limits if bits else None)
    together = run(model, inputs)
    for i, length in enumerate(LENGTHS):
        alone = {name: value[i : i + 1] for name, value in inputs.items()}
        found = run(model, alone)
        # Others in the batch: not a bit.
        for name in together:
            assert (found[name][0] == together[name][i]).all()
        # What is written in the padding: not a bit. How much there is: no more than rounding, here, and in
        # laconic.network.runtime not a bit either, since it depends on the sentence alone.
        written = {name: value.copy() for name, value in alone.items()}
        for name in ("pieces", "cases"):
            written[name][0, length:] = 3
        cut = {name: value[:, :length] for name, value in alone.items()}
        for name, values in at_words(found, alone).items():
            assert (at_words(run(model, written), alone)[name] == values).all()
            atol = 0.2 * values.std() if bits else 1e-4
            np.testing.assert_allclose(at_words(run(model, cut), cut)[name], values, atol=atol)


def test_the_longest_sentence_has_places() -> None:
    weights = random_weights(SHAPE)
    inputs = random_inputs([MAX_PIECES + 2], MAX_PIECES + 2)
    expected, _ = forward(weights, SHAPE, inputs)
    found = at_words(run(build_graph(weights, SHAPE, None), inputs), inputs)
    np.testing.assert_allclose(found["word"], at_words(expected, inputs)["word"], rtol=1e-3, atol=1e-3)


def test_weights_stay_within_what_16_bit_sums_hold() -> None:
    weights = random_weights(SHAPE)
    _, limits = forward(weights, SHAPE, random_inputs(LENGTHS, 16))
    constants = constants_of(build_graph(weights, SHAPE, limits))
    matrices = [value for name, value in constants.items() if name.endswith(".weight") and value.dtype == np.int8]
    assert len(matrices) == 4 * SHAPE.layers + 2
    for matrix in matrices:
        assert 2 * 255 * int(np.abs(matrix.astype(int)).max()) < 2**15


def test_the_same_weights_give_the_same_file(tmp_path: Path) -> None:
    weights = random_weights(SHAPE)
    for name in ("a", "b"):
        write_graph(build_graph(weights, SHAPE, None), tmp_path / f"{name}.onnx")
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.onnx", "b.onnx"]


def test_a_clause_of_an_earlier_network_stands_alone_where_it_is_the_root_at_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "network.onnx"
    with monkeypatch.context() as earlier:
        earlier.setitem(OUTPUTS, "alone", 0)
        given = random_weights(SHAPE)
        write_graph(build_graph(given, SHAPE, None), path)
    found = read_graph(path, SHAPE)
    root = sum(OUTPUTS[name] for name in ("tag", "entity", "retain", "need"))
    of_short = root + LEVELS.index(Level.SHORT)
    for name in ("word.weight", "word.bias"):
        expected = np.insert(given[name], root + OUTPUTS["root"], -given[name][of_short], axis=0)
        np.testing.assert_allclose(found[name], expected, atol=1e-6)
    for name in ("retain_edge.weight", "retain_edge.bias", "label.weight"):
        np.testing.assert_allclose(found[name], given[name], atol=1e-6)
