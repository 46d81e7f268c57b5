"""The words of a batch as the rules of the guard see them: what each is, and what hangs on what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import Op
from laconic.language import words
from laconic.parse import lemma_id
from laconic.parse.masks import Masks
from laconic.parse.program import Mask, Numbers, Tape

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
    """The words of a batch, one row a token, as the rules of the guard see them."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._found: dict[str, Mask] = {}
        self.unknown = self.lemma == 0  # a parser need not know lemmas
        #: Words right after a comma, or after what opens with one: "who" of ", who", "with" of ", with".
        self.after_comma = self._follow_commas()
        self.opens = Numbers(tape, Op.SENTENCE_START) != 0  # the first words of sentences
        self.opens_entity = Numbers(tape, Op.ENTITY_START) != 0
        self.shall = self._shall()
        self._known = self.lemma.among(_lemmas()[0])  # which listed lemma; -1: one that is in no list
        # "World No 1" denies nothing
        number = self.listed("no") & self.labelled(("appos", "compound", "nmod", "pobj", "poss"))
        self._no_denial = number & self.after(self.tagged(("CD",)), -1)

    def _follow_commas(self) -> Mask:
        """Words whose phrase begins after a comma or a dash."""
        comma = self.tagged((",", ":", "-LRB-"))
        starts = self.after(comma)
        below = self.first_below(self.root | self.hangs)
        first = self.rows  # the first word of each phrase, two levels deep
        for _ in range(2):
            first = first.least((below >= 0).where(first[below], first))
        return starts | (starts[first] & ~self.root)

    def _shall(self) -> Mask:
        """Words below a verb with a modal: what "where" and "when" open there is a condition."""
        modal = self.parents_of(self.tagged(("MD",)) & (self.head > self.rows))
        return modal[self.head] | modal[self.head[self.head]]

    def listed(self, name: str) -> Mask:
        """Words whose lemma is in a list."""
        members = self._known.listed_in(_lemmas()[1][_LIST[name]])
        return members & ~self._no_denial if name == "denials" else members

    def found(self, find: Callable[[Words], Mask]) -> Mask:
        """What a function finds, once for all rules that ask for it."""
        mask = self._found.get(find.__name__)
        if mask is None:
            mask = self._found[find.__name__] = find(self)
        return mask

    def phrases(self) -> tuple[Numbers, Numbers]:
        """Neighbours within the phrases that stay together, as rows of the first and of the second."""
        codes, following, ends = _phrase_steps()
        start = self.listed("phrase openers").rows()
        state = start * 0
        first = second = start[state != 0]  # none yet
        for place in range(_LONGEST):
            at = (state * _STRIDE + self._known[start + place]).among(codes)
            goes = at >= 0
            start, state = start[goes], at[goes].entry_of(following)
            whole = start[state.listed_in(ends)]
            for back in range(place):
                first, second = first.followed_by(whole + back), second.followed_by(whole + back + 1)
        return first, second


@lru_cache(maxsize=1)
def _phrase_steps() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]:
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
    codes = np.array(sorted(steps), dtype=np.uint64)
    ends = np.zeros(states, dtype=bool)
    ends[list(ending)] = True
    return codes, np.array([steps[code] for code in codes.tolist()], dtype=np.uint64), ends


@lru_cache(maxsize=1)
def _lemmas() -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """The ids of all listed lemmas, sorted, and by list which of them it has."""
    ids = np.unique(np.array([lemma_id(word) for own in LISTS.values() for word in own], dtype=np.uint64))
    members = np.zeros((len(LISTS), len(ids)), dtype=bool)
    for row, own in zip(members, LISTS.values(), strict=True):
        row[:] = np.isin(ids, np.array([lemma_id(word) for word in own], dtype=np.uint64))
    return ids, members
