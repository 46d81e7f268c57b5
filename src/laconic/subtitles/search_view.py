"""A view of some texts of a search for the decoder: generates versions at given prices per character."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.decode import decode
from laconic.guard import Pins, make_pins
from laconic.guard.rule import Policy
from laconic.limits import Constraint, Limits
from laconic.parse import scheme
from laconic.score.level_scores import place_of
from laconic.subtitles.sentence_versions import Reading, SentenceVersions, Version, VersionLengths

if TYPE_CHECKING:
    from laconic.limits.limits import BoundLimits
    from laconic.score import Probabilities
    from laconic.subtitles.search import Search
    from laconic.tree import Forest

#: Kinds of words that must be kept.
_KEPT: Final = ("names", "numbers", "negations")
#: A price higher than the value of any word.
DEAR: Final = 100.0
#: The minimum probability of retaining an edge.
_EVEN: Final = np.float32(0.5)
#: Tags of words that are not always printed with their node.
_UNSURE: Final = frozenset(scheme.TAG_ID[tag] for tag in ("CC", "IN", "TO", "WDT", "WP", "WP$", "WRB"))


class SearchView:
    """Some texts of a search, prepared for the decoder."""

    def __init__(self, search: Search, texts: tuple[int, ...]) -> None:
        self.search = search
        reading = search.reading.take(texts)
        self.forest, parses = reading.forest, reading.forest.parses
        numbers = {number: [] for number in texts}  # type: dict[int, list[int]]
        for number, text in enumerate(search.forest.sentence_text.tolist()):
            if text in numbers:
                numbers[text].append(number)
        own = [number for text in texts for number in numbers[text]]
        self.sentences = [search.by_number.get(number) for number in own]
        self.pins: Pins | None = make_pins(self.forest, Policy.SENTENCE)
        self.limits = _bind(self.forest, reading, search.kept)
        # The cells of characters and tokens, and the number of characters that a token certainly adds to the print.
        self.cells = np.concatenate([np.zeros(0, np.int32), *reading.cell])
        starts = parses.char_ptr[:-1].repeat(np.diff(parses.token_ptr)) + parses.start
        self.token_cell = self.cells[starts]
        spaces = np.append(parses.chars, 32)[starts - 1] == 32
        spaces[parses.start == 0] = True
        unsure = np.isin(parses.tag, list(_UNSURE)) | (self.forest.node_of < 0)
        self.cost = np.where(unsure, 0, parses.end - parses.start + spaces).astype(np.float64)
        needs = search.needs_of
        width = max((len(each) for each in needs.values()), default=1)
        table = np.full((len(search.reading.cue) + 1, width), len(search.needs))
        for cell, each in needs.items():
            table[cell, : len(each)] = each
        self.token_needs = table[self.token_cell]  # the last index stands for no need
        rows = self.forest.sentence_last - self.forest.sentence_first
        first_node = np.repeat(self.forest.node_ptr[:-1], rows)
        self.token_node = np.where(self.forest.node_of >= 0, first_node + self.forest.node_of, -1)
        self.probabilities = self._probabilities(reading)

    def _probabilities(self, reading: Reading) -> Probabilities:
        """Probabilities for the share of each sentence that may be kept, as for budgets."""
        needed = dict.fromkeys(range(len(reading.cue)), 0.0)
        search = self.search
        totals = np.zeros(len(search.needs))
        for each in search.sentences:
            for cell, chars in each.full.items():
                for need in search.needs_of.get(cell, ()):
                    totals[need] += chars
        for cell, needs in search.needs_of.items():
            needed[cell] = max(search.needs[need].chars / max(totals[need], 1) for need in needs)
        shares = [
            1.0 if each is None
            else 1 - sum(needed[cell] * chars for cell, chars in each.full.items()) / max(sum(each.full.values()), 1)
            for each in self.sentences
        ]  # fmt: skip
        places = place_of(np.array(shares, dtype=np.float64))
        found = reading.scores.between(self.forest, places, np.full(len(places), True))
        if self.pins is not None and self.pins.preferred is not None:
            found = found.preferring(self.forest.row[self.pins.preferred])
        # Delete as little as possible: retaining an edge is never worse than cutting it.
        return replace(found, retain=np.maximum(found.retain, _EVEN))

    def ask(
        self,
        price: NDArray[np.float64],
        k: int,
        *,
        whole: bool = False,
        extreme: bool = False,
        bounds: bool = False,
        only: Set[int] | None = None,
    ) -> NDArray[np.int64]:
        """Add the k best versions at a price for each need; returns, by need, what the best versions save.

        With `whole`, the versions are the unchanged sentences; with `extreme`, the maximum savings are recorded; with
        `bounds`, the maximum value of further versions is recorded. With `only`, other sentences are skipped.
        """
        search = self.search
        paid = np.append(price, 0.0)[self.token_needs].sum(axis=1) if not whole else np.full(len(self.cost), -DEAR)
        charge = (paid * self.cost).astype(np.float32)
        assert self.probabilities.evidence is not None
        priced = replace(self.probabilities, evidence=self.probabilities.evidence - charge)
        wanted = [each is not None and (only is None or each.number in only) for each in self.sentences]
        # Other sentences are pinned as a whole, so that they have one version, at no cost.
        pins = (self.pins or Pins.none(self.forest)).whole(self.forest, ~np.array(wanted, dtype=np.bool_))
        decoded = decode(self.forest, priced, pins=pins, k=k, limits=self.limits, order="score")
        charges = np.zeros(len(self.forest.row) + 1)
        np.add.at(charges, self.token_node, charge.astype(np.float64))
        charges[-1] = 0
        lengths = VersionLengths(self, decoded)
        counts = np.diff(decoded.result_ptr)
        node_first = np.repeat(self.forest.node_ptr[:-1], counts)
        owner = np.repeat(np.arange(len(decoded.score)), np.diff(decoded.node_ptr))
        fees = np.zeros(len(decoded.score))
        np.add.at(fees, owner, charges[node_first[owner] + decoded.node])
        scores = decoded.score + fees
        saved_by_best = np.zeros(len(search.needs), dtype=np.int64)
        results = decoded.result_ptr.tolist()
        for i, sentence in enumerate(self.sentences):
            if sentence is None or not wanted[i]:
                continue
            first, last = results[i], results[i + 1]
            if whole:
                score = float(scores[first]) if last > first else 0.0
                search.add(sentence, Version(score, (0,) * len(sentence.needs)))
                sentence.most = sentence.most or (0.0,) * len(sentence.needs)
                continue
            if bounds:
                sentence.asked = k
                sentence.others = -math.inf
                if last - first >= k:  # there may be more
                    full = sum(
                        float(price[need]) * (sentence.full[cell] + 1)
                        for cell in sentence.cells for need in search.needs_of.get(cell, ())
                    )  # fmt: skip
                    sentence.others = float(decoded.score[last - 1]) + full
            for row, saved in lengths.saved(sentence, first, last):
                if row == first and not extreme:
                    saved_by_best[list(sentence.needs)] += saved
                search.add(sentence, Version(float(scores[row]), saved, lengths, row))
            if extreme and last > first:
                self._note_most(sentence, price, lengths.sure(first))
        return saved_by_best

    def _note_most(self, sentence: SentenceVersions, price: NDArray[np.float64], sure: NDArray[np.float64]) -> None:
        """Record the maximum savings of a sentence for needs with a high price: all but what is surely printed."""
        search = self.search
        found = list(sentence.most)
        for place, need in enumerate(sentence.needs):
            if price[need] > 0:
                own = [cell for cell in sentence.cells if cell in search.needs[need].cells]
                left = sum(float(sure[cell - sentence.cells[0]]) for cell in own)
                found[place] = sum(sentence.full[cell] + 1 for cell in own) - left
        sentence.most = tuple(found)


def _bind(forest: Forest, reading: Reading, kept: frozenset[int]) -> BoundLimits:
    """Limits that keep kinds of words, and everything in cells that must not change."""
    protected = []
    for text, cells in zip(forest.parses.texts(), reading.cell, strict=True):
        spans, start = [], 0
        for at in range(1, len(text) + 1):
            if at < len(text) and cells[at] == cells[start]:
                continue
            own = text[start:at]
            if int(cells[start]) in kept and own.strip():
                first = start + len(own) - len(own.lstrip())
                spans.append((first, first + len(own.strip())))
            start = at
        protected.append(tuple(spans))
    return Limits(constraints=tuple(Constraint.kinds(True, _KEPT)), protected=tuple(protected)).bind(forest)
