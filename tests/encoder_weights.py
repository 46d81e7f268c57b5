"""Encoders of others, with random weights."""

from __future__ import annotations

import torch


def bert(width: int, inner: int, layers: int, vocabulary: int, *, mpnet: bool = False) -> dict[str, object]:
    """Random weights with the names of a BERT or an MPNet."""
    generator = torch.Generator().manual_seed(width)

    def make(*size: int) -> object:
        return torch.randn(*size, generator=generator) * 0.1

    names = {"attention.self.query": (width, width), "attention.self.key": (width, width),
             "attention.self.value": (width, width), "attention.output.dense": (width, width)}  # fmt: skip
    if mpnet:
        names = {f"attention.attn.{name}": (width, width) for name in "qkvo"}
    names |= {"intermediate.dense": (inner, width), "output.dense": (width, inner)}
    norms = ["attention.LayerNorm" if mpnet else "attention.output.LayerNorm", "output.LayerNorm"]
    weights: dict[str, object] = {
        "embeddings.word_embeddings.weight": make(vocabulary + 5 * mpnet, width),
        "embeddings.position_embeddings.weight": make(512 + 2 * mpnet, width),
        "embeddings.LayerNorm.weight": make(width),
        "embeddings.LayerNorm.bias": make(width),
    }
    if mpnet:
        weights["encoder.relative_attention_bias.weight"] = make(32, 4)
    else:
        weights["embeddings.token_type_embeddings.weight"] = make(2, width)
    for layer in range(layers):
        for name, size in names.items():
            weights[f"encoder.layer.{layer}.{name}.weight"] = make(*size)
            weights[f"encoder.layer.{layer}.{name}.bias"] = make(size[0])
        for name in norms:
            weights[f"encoder.layer.{layer}.{name}.weight"] = make(width)
            weights[f"encoder.layer.{layer}.{name}.bias"] = make(width)
    return weights
