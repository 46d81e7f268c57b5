"""The words of a batch as the rules of the guard see them: what each is, and what hangs on what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.language import words
from laconic.parse import lemma_id
from laconic.parse.masks import Mask, Masks, read_only

if TYPE_CHECKING:
    from laconic.parse import Parses

#: The lists of lemmas that rules ask for; a lemma may be in several.
LISTS: Final[dict[str, Iterable[str]]] = {
    "denials": words.negations(words.Denies.CLAUSE),
    "coordinating denial": [words.COORDINATING_NEGATION],
    "doubts": words.DOUBTS,
    "conditions": words.CONDITIONS,
    "strict conditions": words.STRICT_CONDITIONS,
    "loose conditions": words.LOOSE_CONDITIONS,
    "conditional prepositions": words.CONDITIONAL_PREPOSITIONS,
    "conditional nouns": words.CONDITIONAL_NOUNS,
    "outcomes": words.OUTCOMES,
    "exceptions": words.EXCEPTIONS,
    "hedges": words.HEDGES,
    "bounding": words.BOUNDING,
    "bounds after": words.BOUNDS_AFTER,
    "sources": words.SOURCES,
    "owners": words.OWNERS,
    "parenthetical owners": words.PARENTHETICAL_OWNERS,
    "partisans": words.PARTISANS,
    "authorities": words.AUTHORITIES,
    "doubtful": words.DOUBTFUL,
    "plain nouns": words.PLAIN_NOUNS,
    "restricted": words.RESTRICTED,
    "definite": words.DEFINITE,
    "directives": words.DIRECTIVES,
    "deadlines": words.DEADLINES,
    "manners": words.MANNERS,
    "turns": words.TURNS,
    "limiting": words.LIMITING,
    "permissions": words.PERMISSIONS,
    "times": words.TIMES,
    "units": words.UNITS,
    "announcing": words.ANNOUNCING,
    "announcing modals": words.ANNOUNCING_MODALS,
    "asserting": words.ASSERTING,
    "amount prepositions": words.AMOUNT_PREPOSITIONS,
    "governed prepositions": words.GOVERNED_PREPOSITIONS,
    "forbidding": words.FORBIDDING,
    "particles": words.PARTICLES,
    "tight bounds": words.TIGHT_BOUNDS,
    "later": words.LATER,
    "foremost": words.FOREMOST,
    "reasons": words.REASONS,
    "referring": words.REFERRING,
    "cases": words.CASES,
    "quantities": words.QUANTITIES,
    "opinions": words.OPINIONS,
    "claiming": words.CLAIMING,
    "certain modals": words.CERTAIN_MODALS,
    "inverted": words.INVERTED,
    "fractions": words.FRACTIONS,
    "limits": words.LIMITS,
    "totals": words.TOTALS,
    "ordinals": words.ORDINALS,
    "restricting prepositions": words.RESTRICTING_PREPOSITIONS,
    "bounding prepositions": words.BOUNDING_PREPOSITIONS,
    "with to into": words.WITH_TO_INTO,
    "on in under": words.ON_IN_UNDER,
    "fillers": words.FILLERS,
    "with article": words.WITH_ARTICLE,
    "some of them": words.SOME_OF_THEM,
    "most of them": words.MOST_OF_THEM,
    "sure": words.SURE,
    "copula": [words.COPULA],
    **{word: [word] for word in words.SINGLE},
}

#: The phrases as ids, by their first word.
_PHRASES: Final = tuple(tuple(phrase.split()) for phrase in words.PHRASES if phrase.strip())


LISTS["phrase openers"] = {phrase[0] for phrase in _PHRASES}
LISTS["phrase words"] = {word for phrase in _PHRASES for word in phrase}
_LIST: Final = {name: number for number, name in enumerate(LISTS)}
_STRIDE: Final = 1 << 16  # more than there are listed lemmas
_LONGEST: Final = max(map(len, _PHRASES))


class Words(Masks):
    """The words of a batch, one row a token; masks are arrays of truth values by row."""

    def __init__(self, parses: Parses) -> None:
        super().__init__(parses)
        self._found: dict[str, Mask] = {}
        self.unknown: NDArray[np.bool_] = parses.lemma == 0  # a parser need not know lemmas
        #: Words right after a comma, or after what opens with one: "who" of ", who", "with" of ", with".
        self.after_comma = self._follow_commas()
        self.opens: NDArray[np.bool_] = parses.sentence_start.astype(bool)  # the first words of sentences
        self.opens[parses.token_ptr[:-1][np.diff(parses.token_ptr) > 0]] = True
        self.shall = self._shall()
        ids = _lemmas()[0]
        at = np.minimum(np.searchsorted(ids, parses.lemma), len(ids) - 1)
        self._known = np.where(ids[at] == parses.lemma, at, len(ids))  # which listed lemma, or one that is in no list
        self._lists = _lemmas()[1][:, self._known]  # by list and row
        # "World No 1" denies nothing
        number = self.listed("no") & self.labelled(("appos", "compound", "nmod", "pobj", "poss"))
        self._lists[_LIST["denials"]] &= ~(number & self.after(self.tagged(("CD",)), -1))
        read_only(self._lists)

    def _follow_commas(self) -> NDArray[np.bool_]:
        """Words whose phrase begins after a comma or a dash."""
        comma = self.tagged((",", ":", "-LRB-"))
        starts = self.after(comma)
        first = self.rows.copy()  # the first word of each phrase, two levels deep; of equal places the last one counts
        first[self.head[::-1]] = self.rows[::-1]
        first = np.minimum(first, self.rows)
        deeper = first.copy()
        deeper[self.head[::-1]] = first[::-1]
        first = np.minimum(first, deeper)
        follows: NDArray[np.bool_] = starts | (starts[first] & ~self.root)
        return follows

    def _shall(self) -> NDArray[np.bool_]:
        """Words below a verb with a modal: what "where" and "when" open there is a condition."""
        modal = self.parents_of(self.tagged(("MD",)) & (self.head > self.rows))
        below: NDArray[np.bool_] = modal[self.head] | modal[self.head[self.head]]
        return below

    def listed(self, name: str) -> Mask:
        """Words whose lemma is in a list."""
        members: Mask = self._lists[_LIST[name]]
        return members

    def found(self, find: Callable[[Words], Mask]) -> Mask:
        """What a function finds, once for all rules that ask for it."""
        mask = self._found.get(find.__name__)
        if mask is None:
            mask = self._found[find.__name__] = read_only(find(self))
        return mask

    def after(self, mask: NDArray[np.bool_], places: int = 1) -> NDArray[np.bool_]:
        """Words so many places after any of these; before them where the number is negative."""
        found = np.zeros(len(mask), dtype=bool)
        if places > 0:
            found[places:] = mask[:-places]
        else:
            found[:places] = mask[-places:]
        return found

    def last(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """By row: the last of these words up to there, or -1."""
        rows: NDArray[np.int64] = np.maximum.accumulate(np.where(mask, self.rows, -1))
        return rows

    def phrases(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Neighbours within the phrases that stay together, as rows of the first and of the second."""
        codes, following, ends = _phrase_steps()
        known = np.append(self._known, np.full(_LONGEST, len(_lemmas()[0])))
        start = np.flatnonzero(self.listed("phrase openers"))
        state = np.zeros(len(start), dtype=np.int64)
        first, second = [], []
        for place in range(_LONGEST):
            code = state * _STRIDE + known[start + place]
            at = np.minimum(np.searchsorted(codes, code), len(codes) - 1)
            goes = codes[at] == code
            start, state = start[goes], following[at[goes]]
            whole = start[ends[state]]
            for back in range(place):
                first.append(whole + back)
                second.append(whole + back + 1)
        return np.concatenate(first), np.concatenate(second)

    def below(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """All words below any of these."""
        below = np.zeros(len(self.head), dtype=bool)
        hangs = self.head != self.rows
        while not np.array_equal(below, following := (mask | below)[self.head] & hangs):
            below = following
        return below


@lru_cache(maxsize=1)
def _phrase_steps() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """The phrases as a trie: codes of (state, word), sorted; the state each leads to; which states end a phrase."""
    ids = _lemmas()[0]
    steps: dict[int, int] = {}
    states, ending = 1, set()
    for phrase in _PHRASES:
        state = 0
        for word in phrase:
            code = state * _STRIDE + int(np.searchsorted(ids, np.uint64(lemma_id(word))))
            if code not in steps:
                steps[code] = states
                states += 1
            state = steps[code]
        ending.add(state)
    codes = np.array(sorted(steps), dtype=np.int64)
    ends = np.zeros(states, dtype=bool)
    ends[list(ending)] = True
    return codes, np.array([steps[code] for code in codes.tolist()], dtype=np.int64), ends


@lru_cache(maxsize=1)
def _lemmas() -> tuple[NDArray[np.uint64], Mask]:
    """The ids of all listed lemmas, sorted, and by list which of them it has; the last column is that of no lemma."""
    ids = np.unique(np.array([lemma_id(word) for own in LISTS.values() for word in own], dtype=np.uint64))
    members = np.zeros((len(LISTS), len(ids) + 1), dtype=bool)
    for row, own in zip(members, LISTS.values(), strict=True):
        row[:-1] = np.isin(ids, np.array([lemma_id(word) for word in own], dtype=np.uint64))
    return ids, members
