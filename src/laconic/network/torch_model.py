"""The network in torch: an encoder over word pieces, and heads for the outputs of every word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from laconic.network.shape import OUTPUTS, SAID, Shape

#: Outputs of a word that do not depend on its head, in the order of the columns.
_OF_WORDS: Final = ("tag", "entity", *SAID)


class Layer(nn.Module):
    """Attention and a feed-forward layer, each added to its input and normalised (as in BERT)."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.norm1 = nn.LayerNorm(shape.width, eps=shape.norm_epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.norm2 = nn.LayerNorm(shape.width, eps=shape.norm_epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`bias` is added to the attention scores: a large negative number for padding."""
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        bias = bias.to(q.dtype)
        if torch.is_grad_enabled():
            # Written out, since the gradients of fused kernels are not deterministic.
            attention = (q @ k.transpose(-1, -2) / math.sqrt(width // self.heads) + bias).softmax(-1)
            context = self.dropout(attention).to(v.dtype) @ v
        else:
            context = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.expand(batch, -1, length, -1))
        context = context.transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.dropout(self.out(context)))
        inner = functional.gelu(self.up(x), approximate="tanh")
        return cast(Tensor, self.norm2(x + self.dropout(self.down(inner))))


class Encoder(nn.Module):
    """A transformer over word pieces, with embeddings of case classes."""

    def __init__(self, shape: Shape, *, relative: bool = False, dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.cases = nn.Embedding(shape.cases, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.norm_epsilon)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.relative = nn.Embedding(32, shape.heads) if relative else None
        self.dropout = nn.Dropout(dropout)
        for embedding in (self.pieces, self.places):
            nn.init.normal_(embedding.weight, std=0.02)
        nn.init.zeros_(self.cases.weight)

    def forward(self, pieces: Tensor, cases: Tensor, mask: Tensor) -> Tensor:
        """A vector for every piece; `mask` marks the real ones."""
        length = pieces.shape[1]
        x = self.dropout(self.norm(self.pieces(pieces) + self.places.weight[:length] + self.cases(cases)))
        bias = torch.where(mask, 0.0, -1e4)[:, None, None, :]
        if self.relative is not None:
            bias = bias + self.relative(_buckets(length, pieces.device)).permute(2, 0, 1)[None]
        for layer in self.layers:
            x = layer(x, bias)
        return cast(Tensor, x)


def _buckets(length: int, device: torch.device) -> Tensor:
    """The bucket of the distance between two positions (MPNet, after T5): 8 near ones each way, then logarithmic."""
    at = torch.arange(length, device=device)
    distance = at[:, None] - at[None, :]
    side, distance = (distance < 0).long() * 16, distance.abs()
    far = 8 + (torch.log(distance.clamp(min=1).float() / 8) / math.log(128 / 8) * 8).long()
    return side + torch.where(distance < 8, distance, far.clamp(max=15))


class Network(nn.Module):
    """An encoder with heads. `forward` returns the scores of every word's possible heads, and other outputs by name."""

    def __init__(self, shape: Shape, *, relative: bool = False, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.encoder = Encoder(shape, relative=relative, dropout=dropout)
        self.arc_dependent = nn.Linear(shape.width, shape.edge)
        self.arc_head = nn.Linear(shape.width, shape.edge)
        self.edge_dependent = nn.Linear(shape.width, shape.edge)
        self.edge_head = nn.Linear(shape.width, shape.edge)
        self.label = nn.Linear(shape.edge, OUTPUTS["label"])
        self.retain_edge = nn.Linear(shape.edge, OUTPUTS["retain"] + OUTPUTS["need"])
        self.word = nn.Linear(shape.width, sum(OUTPUTS[name] for name in _OF_WORDS))

    def forward(self, batch: Mapping[str, Tensor], heads: Tensor | None = None) -> dict[str, Tensor]:
        """`heads` are the true heads, if known; the labels are then those of the edges to them."""
        x = self.encode(batch)
        arc = self.arcs(x, batch["words"])
        return {"arc": arc, **self.classify(x, arc.argmax(-1) if heads is None else heads)}

    def encode(self, batch: Mapping[str, Tensor]) -> Tensor:
        """A vector for every word: that of its first piece."""
        x: Tensor = self.encoder(batch["pieces"], batch["cases"], batch["mask"])
        return rows_of(batch["first"], x.shape[1], x.dtype) @ x

    def arcs(self, x: Tensor, words: Tensor) -> Tensor:
        """The score of every word as the head of every other; its score as its own head is that of being a root."""
        arc = self.arc_dependent(x) @ self.arc_head(x).transpose(1, 2) / math.sqrt(self.shape.edge)
        return cast(Tensor, arc.float().masked_fill(~words[:, None, :], -1e4))

    def classify(self, x: Tensor, heads: Tensor) -> dict[str, Tensor]:
        """All outputs but the arcs, given the heads."""
        chosen = rows_of(heads, x.shape[1], x.dtype)
        edge = functional.relu(self.edge_dependent(x) + chosen @ self.edge_head(x))
        parts = self.word(x).float().split([OUTPUTS[name] for name in _OF_WORDS], dim=-1)
        found = dict(zip(_OF_WORDS, parts, strict=True))
        of_edges = self.retain_edge(edge).float().split([OUTPUTS["retain"], OUTPUTS["need"]], dim=-1)
        for name, part in zip(("retain", "need"), of_edges, strict=True):
            found[name] = found[name] + part
        return {"label": self.label(edge).float(), **found}


def rows_of(numbers: Tensor, count: int, dtype: torch.dtype) -> Tensor:
    """One-hot rows: multiplying by them gathers rows, with deterministic gradients."""
    return (numbers[..., None] == torch.arange(count, device=numbers.device)).to(dtype)


def load_encoder(encoder: Encoder, weights: Mapping[str, Any]) -> None:
    """Load the weights of a BERT or MPNet into an encoder, by their published names.

    A narrower or shallower encoder gets the principal directions of the embeddings, and evenly spaced layers.
    """
    own = encoder.state_dict()
    pieces = torch.as_tensor(weights["embeddings.word_embeddings.weight"])
    places = torch.as_tensor(weights["embeddings.position_embeddings.weight"])
    if encoder.relative is not None:  # MPNet adds five special tokens of its own to BERT's vocabulary
        own["relative.weight"] = torch.as_tensor(weights["encoder.relative_attention_bias.weight"])
        special = {0: 1, 101: 0, 102: 2}
        order = torch.arange(own["pieces.weight"].shape[0]) + 4
        for bert, mpnet in special.items():
            order[bert] = mpnet
        pieces, places = pieces[order], places[2:]
    else:
        places = places + torch.as_tensor(weights["embeddings.token_type_embeddings.weight"])[0]
    width = own["pieces.weight"].shape[1]
    if width < pieces.shape[1]:
        directions = torch.linalg.svd(pieces - pieces.mean(0), full_matrices=False).Vh[:width].T
        own["pieces.weight"] = (pieces - pieces.mean(0)) @ directions
        own["places.weight"] = ((places - places.mean(0)) @ directions)[: own["places.weight"].shape[0]]
        encoder.load_state_dict(own)
        return
    own["pieces.weight"], own["places.weight"] = pieces, places[: own["places.weight"].shape[0]]
    for name in ("weight", "bias"):
        own[f"norm.{name}"] = torch.as_tensor(weights[f"embeddings.LayerNorm.{name}"])
    depth = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    layers = len(encoder.layers)
    for i, source in enumerate(torch.linspace(0, depth - 1, layers).round().int().tolist()):
        own |= {f"layers.{i}.{name}": value for name, value in _layer(weights, f"encoder.layer.{source}.").items()}
    encoder.load_state_dict(own)


def _layer(weights: Mapping[str, Any], prefix: str) -> dict[str, Tensor]:
    mpnet = f"{prefix}attention.attn.q.weight" in weights
    names = ["attention.attn.q", "attention.attn.k", "attention.attn.v"]
    if not mpnet:
        names = ["attention.self.query", "attention.self.key", "attention.self.value"]
    single = {
        "out": "attention.attn.o" if mpnet else "attention.output.dense",
        "norm1": "attention.LayerNorm" if mpnet else "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    found = {}
    for kind in ("weight", "bias"):
        found[f"qkv.{kind}"] = torch.cat([torch.as_tensor(weights[f"{prefix}{name}.{kind}"]) for name in names])
        for own, name in single.items():
            found[f"{own}.{kind}"] = torch.as_tensor(weights[f"{prefix}{name}.{kind}"])
    return found
