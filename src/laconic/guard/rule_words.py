"""The words of a batch as guard rules see them: masks over the tokens, and the dependency relations between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import Op
from laconic.language.grammar import CONJUNCTS
from laconic.language.word_lists import Denies, negations
from laconic.parse import lemma_id
from laconic.parse.masks import Masks
from laconic.parse.program import Mask, Numbers, Tape

_lemma_id: Final = cache(lemma_id)  # cached because rules use the same lists repeatedly
_JOINED: Final = 4  # the longest chain of conjuncts that is followed
_STRIDE: Final = 1 << 16  # larger than the number of distinct words in all phrases


class Words(Masks):
    """The words of a batch, one row per token, as guard rules see them."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._found: dict[str, Mask] = {}
        self.unknown = self.lemma == 0  # parsers need not supply lemmas
        #: Words that follow a comma or open a phrase after one: "who" of ", who", "with" of ", with".
        self.after_comma = self._follow_commas()
        #: Words in brackets, which may always be deleted.
        self.bracketed = self.last(self.tagged(("-LRB-",))) > self.last(self.tagged(("-RRB-",)))
        self.opens = Numbers(tape, Op.SENTENCE_START) != 0  # the first words of sentences
        self.opens_entity = Numbers(tape, Op.ENTITY_START) != 0
        self.shall = self._shall()
        self._place = Numbers(tape, Op.FIND, self.lemma, constant=tape.all_listed())  # of the lemma; -1: in no list
        # "World No 1" is no denial
        number = self.listed("no") & self.labelled(("appos", "compound", "nmod", "pobj", "poss"))
        #: "not" of "believe it or not", which is no denial.
        self.alternatives = self.listed("not") & self.after(self.listed("or")) & self.labelled(("conj",))
        #: Words that reverse the meaning of their head, or nearly so.
        self.denials = self.listed(negations(Denies.CLAUSE)) & ~(number & self.after(self.tagged(("CD",)), -1))
        self.denials &= ~self.alternatives

    def _follow_commas(self) -> Mask:
        """Words whose phrase begins after a comma, a dash or a bracket."""
        comma = self.tagged((",", ":", "-LRB-"))
        starts = self.after(comma)
        below = self.first_below(self.root | self.hangs)
        first = self.rows  # the first word of each phrase, looking two levels down
        for _ in range(2):
            first = first.least((below >= 0).where(first[below], first))
        return starts | (starts[first] & ~self.root)

    def _shall(self) -> Mask:
        """Words up to two levels below a verb with a modal, where "where" and "when" open a condition."""
        modal = self.parents_of(self.tagged(("MD",)) & (self.head > self.rows))
        return modal[self.head] | modal[self.head[self.head]]

    def listed(self, lemmas: str | Iterable[str]) -> Mask:
        """Words with this lemma, or with one of these lemmas."""
        own = (lemmas,) if isinstance(lemmas, str) else lemmas
        return Mask(self.tape, Op.LISTED, self._place, constant=self.tape.listed(frozenset(map(_lemma_id, own))))

    def first_joined(self, rows: Numbers) -> Numbers:
        """Replace conjuncts by the first word of their chain: "it opened" of "it opened, and we went, but …"."""
        for _ in range(_JOINED):
            rows = self.labelled(CONJUNCTS)[rows].where(self.head[rows], rows)
        return rows

    def found(self, find: Callable[[Words], Mask]) -> Mask:
        """The mask that a function computes, computed once for all rules that use it."""
        mask = self._found.get(find.__name__)
        if mask is None:
            mask = self._found[find.__name__] = find(self)
        return mask

    def phrases(self, phrases: Iterable[str]) -> tuple[Numbers, Numbers]:
        """Adjacent word pairs within these phrases, as rows of the first and of the second word."""
        trie = _make_trie(tuple(phrases))
        place = self.lemma.among(trie.lemmas)
        start = self.listed(trie.openers).rows()
        state = start * 0
        first = second = start[state != 0]  # an empty array
        for at in range(trie.longest):
            step = (state * _STRIDE + place[start + at]).among(trie.codes)
            goes = step >= 0
            start, state = start[goes], step[goes].entry_of(trie.following)
            whole = start[state.listed_in(trie.ends)]
            for back in range(at):
                first, second = first.followed_by(whole + back), second.followed_by(whole + back + 1)
        return first, second


@dataclass(frozen=True, slots=True)
class _Trie:
    """A trie of phrases, by words; the root is state 0."""

    openers: frozenset[str]
    longest: int  # number of words
    lemmas: NDArray[np.uint64]  # ids of the lemmas of all words, sorted
    codes: NDArray[np.uint64]  # of (state, index of the next lemma), sorted
    following: NDArray[np.uint64]  # by code: the next state
    ends: NDArray[np.bool_]  # by state: whether a phrase ends there


@lru_cache(maxsize=1)
def _make_trie(phrases: tuple[str, ...]) -> _Trie:
    split = [phrase.split() for phrase in phrases]
    lemmas = np.array(sorted({lemma_id(word) for phrase in split for word in phrase}), dtype=np.uint64)
    steps: dict[int, int] = {}
    states, ending = 1, set()
    for phrase in split:
        state = 0
        for word in phrase:
            code = state * _STRIDE + int(np.searchsorted(lemmas, np.uint64(lemma_id(word))))
            if code not in steps:
                steps[code] = states
                states += 1
            state = steps[code]
        ending.add(state)
    codes = np.array(sorted(steps), dtype=np.uint64)
    ends = np.zeros(states, dtype=bool)
    ends[list(ending)] = True
    following = np.array([steps[code] for code in codes.tolist()], dtype=np.uint64)
    openers = frozenset(phrase[0] for phrase in split)
    return _Trie(openers, max(map(len, split)), lemmas, codes, following, ends)
