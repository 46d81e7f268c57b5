"""What a network says of edges and words for every level, and p_ret of the edges for one of them or between two.

For a headline, p_ret is what the network says of the edge, and the words' own logits are a second opinion that the
order by expected F1 takes into account. For the other levels the two are added up beforehand: the logit of an edge and,
with a weight, those of the words of its node, which come and go with it. So one score says both, and the best
compression is found without comparing candidates.

Levels are places on a line: 0 is the whole sentence, 1 light, 2 medium, 3 short. A budget is a place between two of
them, by its share of the sentence; what is asked of a sentence there is between what the two levels ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.levels import LEVELS, NESTED, Level
from laconic.score.probabilities import Probabilities

if TYPE_CHECKING:
    from laconic.tree import Forest

#: The share of the characters that each place on the line keeps: the whole, and what editors keep at each level.
RATES: Final = (1.0, 0.84, 0.64, 0.45)

_HEADLINE: Final = LEVELS.index(Level.HEADLINE)


@dataclass(frozen=True, slots=True)
class Decoding:
    """What a network was tuned with."""

    # For headlines, as `Probabilities` has them.
    rho: float = 0.5
    objective: str = "joint"
    order: str = "expected-f1"
    temperature: float = 1.0
    candidates: int = 64
    word_weight: float = 1.0
    # For the levels, from light to short.
    word_weights: tuple[float, ...] = (0.5, 0.5, 0.5)  # of the logits of a node's words
    shifts: tuple[float, ...] = (0.0, 0.0, 0.0)  # added to every edge's logit
    # Within a budget.
    whole: float = 6.0  # added to light's logits where nearly the whole sentence fits
    fill: float = 2.0  # added so that the room is used

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-ready data."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Decoding:
        """Read what `to_dict` gave; `TypeError` or `KeyError` where something is missing or is no setting."""
        if set(data) != {field.name for field in fields(cls)}:
            raise KeyError("settings")
        known: dict[str, Any] = {
            name: tuple(map(float, value)) if isinstance(value, list) else value for name, value in data.items()
        }
        if any(type(known[field.name]) is not type(field.default) for field in fields(cls) if field.type != "float"):
            raise TypeError("settings")
        return cls(**known)


@dataclass(frozen=True, slots=True)
class LevelScores:
    """The logits of a batch, by token and level (in the order of `LEVELS`).

    `retain` is of the edge into the node whose head word the token is, given that the node above is kept, `root` of the
    dummy root's edge to it, `keep` of the word itself.
    """

    retain: NDArray[np.float32]
    root: NDArray[np.float32]
    keep: NDArray[np.float32]
    decoding: Decoding = Decoding()

    def headline(self) -> Probabilities:
        """p_ret for headlines."""
        own = self.decoding
        return Probabilities(
            _probability(self.retain[:, _HEADLINE]),
            _probability(self.root[:, _HEADLINE]),
            self.keep[:, _HEADLINE],
            word_weight=own.word_weight,
            rho=own.rho,
            objective=own.objective,
            order=own.order,
            temperature=own.temperature,
            candidates=own.candidates,
        )

    def at(self, forest: Forest, level: Level) -> Probabilities:
        """p_ret of the edges of the batch's trees at a level."""
        if level is Level.HEADLINE:
            return self.headline()
        return self.between(forest, np.full(len(forest), 1.0 + NESTED.index(level)))

    def between(
        self, forest: Forest, places: NDArray[np.float64], fills: NDArray[np.bool_] | None = None
    ) -> Probabilities:
        """p_ret at places on the line of levels, one for each sentence; `fills` says which are to use their room."""
        own, count = self.decoding, len(NESTED)
        rows = forest.sentence_last - forest.sentence_first
        place = np.repeat(np.clip(places, 0, count), rows)
        token = np.concatenate([[0], np.cumsum(rows)])
        start = np.clip(np.floor(place), 1, count - 1).astype(np.int64) - 1  # of the two levels, the longer
        part = np.clip(place - 1 - start, 0, 1).astype(np.float32)
        row = np.repeat(forest.sentence_first - token[:-1], rows) + np.arange(token[-1])

        def mixed(logits: NDArray[np.float32]) -> NDArray[np.float32]:
            found: NDArray[np.float32] = logits[row, start] * (1 - part) + logits[row, start + 1] * part
            return found

        def setting(values: tuple[float, ...]) -> NDArray[np.float32]:
            table = np.array(values, dtype=np.float32)
            found: NDArray[np.float32] = table[start] * (1 - part) + table[start + 1] * part
            return found

        shift: NDArray[Any] = setting(own.shifts) + np.clip(1 - place, 0, 1).astype(np.float32) * np.float32(own.whole)
        if fills is not None:
            shift += np.repeat(fills, rows).astype(np.float32) * np.float32(own.fill)
        node = np.repeat(forest.node_ptr[:-1], rows) + forest.node_of[row]
        inside = forest.node_of[row] >= 0
        by_node = np.bincount(node[inside], mixed(self.keep)[inside], minlength=len(forest.row))
        words = np.zeros(len(self.keep), dtype=np.float32)
        words[forest.row] = by_node
        evidence = words[row] * setting(own.word_weights)
        retain, root = np.zeros(len(self.keep), np.float32), np.zeros(len(self.keep), np.float32)
        retain[row] = _probability(mixed(self.retain) + evidence + shift)
        root[row] = _probability(mixed(self.root) + evidence)
        return Probabilities(retain, root, temperature=own.temperature, candidates=own.candidates)


def _probability(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = np.reciprocal(1 + np.exp(-logits))
    return found


def place_of(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where on the line of levels a budget is that allows these shares of sentences."""
    found: NDArray[np.float64] = np.interp(-np.asarray(rates), [-rate for rate in RATES], range(len(RATES)))
    return found
