"""Encoders start from the weights of others."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch")

import torch
from encoder_weights import bert

from laconic.network.shape import Shape
from laconic.network.torch_model import Encoder, load_encoder

TINY = Shape(layers=2, width=32, heads=4, inner=64, edge=16, vocabulary=2000)
CPU = torch.device("cpu")


SHORT = replace(TINY, vocabulary=200)


def test_an_encoder_of_the_same_width_gets_all_weights() -> None:
    encoder, weights = Encoder(replace(SHORT, layers=2)), bert(32, 64, 5, 200)
    load_encoder(encoder, weights)
    own = encoder.state_dict()
    assert (own["pieces.weight"] == weights["embeddings.word_embeddings.weight"]).all()
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    assert (own["places.weight"] == weights["embeddings.position_embeddings.weight"] + kind).all()
    assert not own["cases.weight"].any()
    for i, source in ((0, 0), (1, 4)):  # evenly spaced: the first and the last
        prefix = f"encoder.layer.{source}."
        for part, name in enumerate(("query", "key", "value")):
            rows = own[f"layers.{i}.qkv.weight"][32 * part : 32 * (part + 1)]
            assert (rows == weights[f"{prefix}attention.self.{name}.weight"]).all()
        names = {
            "out": "attention.output.dense",
            "norm1": "attention.output.LayerNorm",
            "up": "intermediate.dense",
            "down": "output.dense",
            "norm2": "output.LayerNorm",
        }
        for name, theirs in names.items():
            for what in ("weight", "bias"):
                assert (own[f"layers.{i}.{name}.{what}"] == weights[f"{prefix}{theirs}.{what}"]).all()


def test_an_encoder_with_berts_weights_computes_what_bert_computes() -> None:
    # One layer, written down anew from BERT's names.
    weights, shape = bert(32, 64, 1, 200), replace(SHORT, layers=1, norm_epsilon=1e-5)
    encoder = Encoder(shape).eval()
    load_encoder(encoder, weights)
    ids = torch.tensor([[101, 5, 9, 11, 102]])
    w = {name.removeprefix("encoder.layer.0."): value for name, value in weights.items()}

    def linear(x: object, name: str) -> object:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: object, name: str) -> object:
        return torch.nn.functional.layer_norm(x, (32,), w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:5]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    q, k, v = (
        linear(x, f"attention.self.{name}").view(1, 5, 4, 8).transpose(1, 2) for name in ("query", "key", "value")
    )
    context = ((q @ k.transpose(-1, -2) / 8**0.5).softmax(-1) @ v).transpose(1, 2).reshape(1, 5, 32)
    x = norm(x + linear(context, "attention.output.dense"), "attention.output.LayerNorm")
    inner = torch.nn.functional.gelu(linear(x, "intermediate.dense"), approximate="tanh")
    expected = norm(x + linear(inner, "output.dense"), "output.LayerNorm")
    for grad in (True, False):  # two ways to the same attention
        with torch.set_grad_enabled(grad):
            found = encoder(ids, torch.zeros_like(ids), torch.ones_like(ids, dtype=torch.bool))
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_mpnets_own_pieces_and_places_are_put_in_berts_order() -> None:
    encoder, weights = Encoder(SHORT, relative=True), bert(32, 64, 2, 200, mpnet=True)
    load_encoder(encoder, weights)
    own, theirs = encoder.state_dict(), weights["embeddings.word_embeddings.weight"]
    for bert_id, mpnet_id in ((0, 1), (101, 0), (102, 2), (100, 104), (150, 154), (199, 203)):
        assert (own["pieces.weight"][bert_id] == theirs[mpnet_id]).all()
    assert (own["places.weight"] == weights["embeddings.position_embeddings.weight"][2:]).all()
    assert (own["relative.weight"] == weights["encoder.relative_attention_bias.weight"]).all()
    assert (own["layers.1.qkv.weight"][:32] == weights["encoder.layer.1.attention.attn.q.weight"]).all()
    assert (own["layers.1.out.bias"] == weights["encoder.layer.1.attention.attn.o.bias"]).all()


def test_a_narrower_encoder_gets_the_principal_directions_of_the_embeddings() -> None:
    encoder = Encoder(replace(SHORT, width=8, inner=16))
    before = {name: value.clone() for name, value in encoder.state_dict().items()}
    weights = bert(32, 64, 2, 200)
    low = torch.randn(200, 8, generator=torch.Generator().manual_seed(0))
    mixed = low @ torch.randn(8, 32, generator=torch.Generator().manual_seed(1))
    weights["embeddings.word_embeddings.weight"] = mixed  # of rank 8: nothing is lost
    load_encoder(encoder, weights)
    own = encoder.state_dict()
    distances = [torch.pdist(table.double()) for table in (own["pieces.weight"], mixed)]
    torch.testing.assert_close(*distances, atol=1e-3, rtol=1e-4)
    assert all((own[name] == before[name]).all() for name in own if name.startswith("layers."))
