"""The logits of a network for edges and words at every level, and p_ret at one level or between two.

For headlines, p_ret comes from the network's logits of edges; its logits of words are extra evidence for the order by
expected F1. For the other levels, one score combines both: log p_ret of the kept edges, log p_del of the cut ones,
minus the costs of cutting what is needed and of printing alone what needs its parent, plus, for every kept word, its
probability minus a threshold. Without a budget, the threshold is the level's. With a budget, it is zero, so that every
word has a value and the budget is used up.

Levels are positions on a line: 1 is light, 2 medium, 3 short. A budget has a position on it, given by the share of the
sentence that it allows; its scores are interpolated between the two neighbouring levels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.levels import LEVELS, NESTED, Level
from laconic.score.probabilities import Probabilities

if TYPE_CHECKING:
    from laconic.tree import Forest

#: The shares of characters that editors keep at the nested levels.
RATES: Final = (0.84, 0.64, 0.45)

_HEADLINE: Final = LEVELS.index(Level.HEADLINE)


@dataclass(frozen=True, slots=True)
class Decoding:
    """The decoder settings that a network was tuned with."""

    # Settings for headlines, as in `Probabilities`.
    rho: float = 0.5
    objective: str = "joint"
    order: str = "expected-f1"
    temperature: float = 1.0
    candidates: int = 64
    word_weight: float = 1.0
    # Settings for the nested levels, from light to short. Where much is kept, the weight of the words' probabilities is
    # higher, so that the room is used.
    edge_weight: float = 0.5  # of the logits of edges
    need_weights: tuple[float, ...] = (48.0, 32.0, 32.0)  # of the costs of cutting what is needed
    probability_weights: tuple[float, ...] = (16.0, 20.0, 8.0)  # of a word's probability minus the threshold
    thresholds: tuple[float, ...] = (0.68, 0.6, 0.57)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-ready data."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Decoding:
        """Read the result of `to_dict`; `TypeError` or `KeyError` if a setting is missing, unknown or invalid."""
        if set(data) != {field.name for field in fields(cls)}:
            raise KeyError("settings")
        known: dict[str, Any] = {
            name: tuple(map(float, value)) if isinstance(value, list) else value for name, value in data.items()
        }
        for field in fields(cls):
            value, kind = known[field.name], type(field.default)
            if type(value) is not kind and not (kind is float and type(value) is int):
                raise TypeError("settings")
        if any(len(value) != len(NESTED) for value in known.values() if isinstance(value, tuple)):
            raise TypeError("settings")
        return cls(**known)


@dataclass(frozen=True, slots=True)
class LevelScores:
    """The logits of a batch, by token and level (in the order of `LEVELS`).

    `retain` is for the edge into the node whose head word the token is, given that the parent node is kept; `root` is
    for the edge from the dummy root to that node; `keep` is for the word itself. The other two are by token only:
    `need` says that the edge must not be cut, `alone` that the node must not be printed without its parent.
    """

    retain: NDArray[np.float32]
    need: NDArray[np.float32]
    root: NDArray[np.float32]
    alone: NDArray[np.float32]
    keep: NDArray[np.float32]
    decoding: Decoding = Decoding()

    def take(self, rows: NDArray[np.int64]) -> LevelScores:
        """The logits of some tokens."""
        retain, need, root, alone, keep = (
            values[rows] for values in (self.retain, self.need, self.root, self.alone, self.keep)
        )
        return LevelScores(retain, need, root, alone, keep, self.decoding)

    def headline(self) -> Probabilities:
        """p_ret for the level headline."""
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
        """p_ret at each sentence's position on the line of levels; `fills` marks those that use up their budget."""
        return self._between(forest, places, fills, self.decoding.edge_weight)

    def shown(self, forest: Forest, places: NDArray[np.float64]) -> Probabilities:
        """The network's own p_ret at these positions, as explanations show it: without the weight of edges."""
        return self._between(forest, places, None, 1.0)

    def shown_at(self, forest: Forest, level: Level) -> Probabilities:
        """The same at a level."""
        if level is Level.HEADLINE:
            return self.headline()
        return self.shown(forest, np.full(len(forest), 1.0 + NESTED.index(level)))

    def _between(
        self, forest: Forest, places: NDArray[np.float64], fills: NDArray[np.bool_] | None, edge_weight: float
    ) -> Probabilities:
        own = self.decoding
        filled = np.zeros(0, dtype=bool) if fills is None else fills
        found = _core.between_levels(
            forest,
            self.retain,
            self.root,
            self.keep,
            self.need,
            self.alone,
            edge_weight,
            own.need_weights,
            own.probability_weights,
            own.thresholds,
            places,
            filled,
        )
        return Probabilities(*found, objective="words", temperature=own.temperature, candidates=own.candidates)


def _probability(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = np.reciprocal(1 + np.exp(-logits))
    return found


def place_of(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The positions on the line of levels of budgets that allow these shares of sentences."""
    found: NDArray[np.float64] = np.interp(-np.asarray(rates), [-rate for rate in RATES], range(1, len(RATES) + 1))
    return found
