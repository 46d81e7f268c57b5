"""Programs over words: every operation beside NumPy, and what a rule cannot do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from laconic._core import Op, Program
from laconic.parse import Parses
from laconic.parse.masks import Masks
from laconic.parse.program import Mask, Numbers, Tape, giving
from laconic.tree import make_forest

#: Ids of three of the eight lemmas, sorted.
KNOWN = np.sort(np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
#: Texts of these lengths, with an empty one among them.
LENGTHS = ([7, 0, 12, 1, 30], [1], [40], [0], [3, 3, 3])


def random_parses(lengths: list[int], seed: int) -> Parses:
    """Texts of one-letter words, whose heads are trees, and whose columns are random."""
    random = np.random.default_rng(seed)
    total = sum(lengths)
    heads = []
    for length in lengths:
        order = random.permutation(length)
        head = np.zeros(length, dtype=np.int32)
        for place, word in enumerate(order):
            head[word] = order[random.integers(place)] if place else word
        heads.append(head)
    start = np.concatenate([2 * np.arange(length) for length in lengths]).astype(np.int32)

    def column(high: int) -> NDArray[np.uint8]:
        return random.integers(high, size=total).astype(np.uint8)

    return Parses(
        chars=np.frombuffer("".join("a " * length for length in lengths).encode("utf-32-le"), dtype=np.uint32),
        char_ptr=np.cumsum([0, *(2 * length for length in lengths)], dtype=np.int64),
        token_ptr=np.cumsum([0, *lengths], dtype=np.int64),
        start=start,
        end=start + 1,
        head=np.concatenate(heads).astype(np.int32),
        label=column(5),
        tag=column(5),
        lemma=random.integers(8, size=total).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15),
        entity=column(3),
        entity_start=column(2),
        sentence_start=column(2),
    )


class Beside:
    """The columns of a batch as NumPy sees them; masks of two sizes and numbers of two kinds to work on."""

    def __init__(self, parses: Parses) -> None:
        first = np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
        self.head = parses.head + first
        self.starts, self.ends = parses.token_ptr[:-1].tolist(), parses.token_ptr[1:].tolist()
        self.rows = np.arange(len(self.head))
        self.a = parses.label < 2
        self.b = parses.tag < 3
        self.label = parses.label.astype(np.int64)
        self.tag = parses.tag.astype(np.int64)
        self.lemma = parses.lemma

    def gather(self, values: NDArray[np.int64] | NDArray[np.bool_], at: NDArray[np.int64]) -> list[int]:
        none = 0 if values.dtype == bool else -1
        return [int(values[place]) if 0 <= place < len(values) else none for place in at]

    def beside(self, row: int) -> range:
        """The rows of the text of one."""
        (text,) = (i for i, end in enumerate(self.ends) if self.starts[i] <= row < end)
        return range(self.starts[text], self.ends[text])

    def moved(self, mask: NDArray[np.bool_], places: int) -> list[bool]:
        """By row: whether it is so many places after one of these, in its text."""
        return [row - places in self.beside(row) and bool(mask[row - places]) for row in self.rows]

    def children(self, mask: NDArray[np.bool_]) -> list[list[int]]:
        return [[row for row in self.rows if mask[row] and self.head[row] == head] for head in self.rows]

    def above(self, row: int) -> list[int]:
        """All words above one."""
        found = []
        while self.head[row] != row:
            row = int(self.head[row])
            found.append(row)
        return found


Found = list[int] | NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.uint64]
#: What a program says, and what is true.
CASES: dict[str, tuple[Callable[[Masks, Mask, Mask], Mask | Numbers], Callable[[Beside], Found]]] = {
    "both": (lambda _, a, b: a & b, lambda n: n.a & n.b),
    "either": (lambda _, a, b: a | b, lambda n: n.a | n.b),
    "invert": (lambda _, a, __: ~a, lambda n: ~n.a),
    "less": (lambda m, _, __: m.rows < m.head, lambda n: n.rows < n.head),
    "greater": (lambda m, _, __: m.rows > m.head, lambda n: n.rows > n.head),
    "at most": (lambda m, _, __: m.rows <= 3, lambda n: n.rows <= 3),
    "at least": (lambda m, _, __: m.rows >= m.head, lambda n: n.rows >= n.head),
    "equal": (lambda m, _, __: m.rows == m.head, lambda n: n.rows == n.head),
    "not equal": (lambda m, _, __: m.rows != 2, lambda n: n.rows != 2),
    "add": (lambda m, _, __: m.rows + m.head, lambda n: n.rows + n.head),
    "subtract": (lambda m, _, __: m.rows - 4, lambda n: n.rows - 4),
    "ids": (
        lambda m, _, __: ((m.lemma * np.uint64(0xFF51AFD7ED558CCD)) ^ m.lemma) >> np.uint64(29),
        lambda n: (((n.lemma * np.uint64(0xFF51AFD7ED558CCD)) ^ n.lemma) >> np.uint64(29)).view(np.int64),
    ),
    "least": (lambda m, _, __: m.rows.least(m.head), lambda n: np.minimum(n.rows, n.head)),
    "where": (lambda m, a, __: a.where(m.head, -5), lambda n: np.where(n.a, n.head, -5)),
    "take": (lambda m, _, __: m.head[m.rows - 2], lambda n: n.gather(n.head, n.rows - 2)),
    "pick": (lambda m, a, __: a[m.rows + 2], lambda n: n.gather(n.a, n.rows + 2)),
    "filter": (lambda m, a, __: m.head[a], lambda n: n.head[n.a]),
    "concatenate": (lambda m, a, __: m.rows.followed_by(a.rows()), lambda n: [*n.rows, *np.flatnonzero(n.a)]),
    "rows": (lambda _, a, b: (a & b).rows(), lambda n: np.flatnonzero(n.a & n.b)),
    "pick of some": (lambda m, a, b: a[m.head[b.rows()]], lambda n: n.a[n.head[n.b]]),
    "find": (
        lambda m, _, __: m.lemma.among(KNOWN),
        lambda n: [KNOWN.tolist().index(own) if own in KNOWN else -1 for own in n.lemma],
    ),
    "entry": (
        lambda m, _, __: Numbers(m.tape, Op.LABEL).entry_of(np.array([7, 5, 3], dtype=np.uint64)),
        lambda n: n.gather(np.array([7, 5, 3]), n.label),
    ),
    "last": (
        lambda m, a, _: m.last(a),
        lambda n: [max((at for at in n.beside(row) if at <= row and n.a[at]), default=-1) for row in n.rows],
    ),
    "coming": (
        lambda m, a, _: m.coming(a),
        lambda n: [min((at for at in n.beside(row) if at >= row and n.a[at]), default=-1) for row in n.rows],
    ),
    "first below": (lambda m, a, _: m.first_below(a), lambda n: [own[0] if own else -1 for own in n.children(n.a)]),
    "last below": (lambda m, a, _: m.last_below(a), lambda n: [own[-1] if own else -1 for own in n.children(n.a)]),
    "after": (lambda m, a, _: m.after(a, 2), lambda n: n.moved(n.a, 2)),
    "before": (lambda m, a, _: m.after(a, -3), lambda n: n.moved(n.a, -3)),
    "heads": (lambda m, a, _: m.heads_of(a), lambda n: [bool(own) for own in n.children(n.a)]),
    "parents": (
        lambda m, a, _: m.parents_of(a),
        lambda n: [bool({*own} - {head}) for head, own in enumerate(n.children(n.a))],
    ),
    "best": (
        lambda m, a, _: m.best(a, Numbers(m.tape, Op.TAG)),
        lambda n: np.isin(n.rows, [max(own, key=lambda row: n.tag[row]) for own in n.children(n.a) if own]),
    ),
    "below": (lambda m, a, _: m.below(a), lambda n: [any(n.a[up] for up in n.above(row)) for row in n.rows]),
    "chained": (
        lambda m, _, b: m.chained(b),
        lambda n: [all(n.b[up] for up in [row, *n.above(row)]) for row in n.rows],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operation_is_what_it_says(name: str) -> None:
    find, expected = CASES[name]

    def tape_of(tape: Tape) -> list[Mask | Numbers]:
        masks = Masks(tape)
        return [find(masks, Numbers(tape, Op.LABEL) < 2, Numbers(tape, Op.TAG) < 3)]

    program = giving(tape_of)
    for seed, lengths in enumerate(LENGTHS):
        parses = random_parses(lengths, seed)
        (found,) = program.values(parses)
        assert found.tolist() == np.asarray(expected(Beside(parses)), dtype=found.dtype).tolist(), lengths


def test_values_that_share_a_place_do_not_disturb_each_other() -> None:
    """Random programs: long chains of values, some of which are needed late."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        parses = random_parses([9, 14], seed)
        beside = Beside(parses)
        tape = Tape()
        masks = Masks(tape)
        values: list[tuple[Mask, NDArray[np.bool_]]] = [
            (Numbers(tape, Op.LABEL) < 2, beside.a),
            (Numbers(tape, Op.TAG) < 3, beside.b),
        ]
        for _ in range(200):
            (x, one), (y, other) = (values[i] for i in random.integers(len(values), size=2))
            match random.integers(5):
                case 0:
                    values.append((x & ~y, one & ~other))
                case 1:
                    values.append((x | y, one | other))
                case 2:
                    values.append((x[masks.head], one[beside.head]))
                case 3:
                    values.append((masks.after(x), np.array(beside.moved(one, 1), dtype=bool)))
                case _:
                    values.append((masks.heads_of(x & y), np.isin(beside.rows, beside.head[one & other])))
        chosen = random.permutation(len(values))[:40]
        for i in chosen:
            tape.do(Op.GIVE_MASK, values[i][0])
        found = tape.program().values(parses)
        assert all(np.array_equal(own, values[i][1]) for own, i in zip(found, chosen, strict=True))


def test_equal_steps_are_one() -> None:
    tape = Tape()
    masks = Masks(tape)
    assert (masks.rows < masks.head).number == (masks.head > masks.rows).number
    assert masks.labelled(("nsubj",)).number == Masks(tape).labelled(("nsubj",)).number


def test_a_rule_cannot_ask_what_is_in_a_batch() -> None:
    masks = Masks(Tape())
    with pytest.raises(TypeError, match="once for all batches"):
        bool(masks.root)


def test_a_program_that_makes_no_sense_is_refused() -> None:
    no_table: list[NDArray[np.uint8]] = []
    no_ids: list[NDArray[np.uint64]] = []
    row = (Op.ROW, -1, -1, -1, 0)
    for steps, message in (
        ([(Op.INVERT, 0, -1, -1, 0)], "earlier"),
        ([row, (Op.INVERT, 0, -1, -1, 0)], "another kind"),
        ([row, (Op.LISTED, 0, -1, -1, 0)], "no such table"),
        ([row, (Op.FIND, 0, -1, -1, -1)], "no such ids"),
    ):
        with pytest.raises(ValueError, match=message):
            Program(steps, no_table, no_ids)
    with pytest.raises(ValueError, match="sorted"):
        Program([row, (Op.FIND, 0, -1, -1, 0)], no_table, [np.array([2, 1], dtype=np.uint64)])


def test_values_of_different_lengths_do_not_go_together() -> None:
    parses = random_parses([9], 1)
    some = giving(lambda tape: [Masks(tape).rows[Masks(tape).root] + Masks(tape).rows.followed_by(Masks(tape).rows)])
    assert len(some.values(parses)[0]) == 18  # one root: a single number goes with all
    wrong = giving(lambda tape: [Masks(tape).rows + Masks(tape).rows.followed_by(Masks(tape).rows)])
    with pytest.raises(ValueError, match="lengths"):
        wrong.values(parses)


def test_words_that_need_each_other_pin_the_way_between_them() -> None:
    """Up to what is above both none is a root; down from there all stay."""
    parses = random_parses([25, 18], 3)
    forest = make_forest(parses)
    base = np.repeat(forest.node_ptr[:-1], np.diff(forest.node_ptr))
    parent = np.where(forest.parent < 0, -1, forest.parent + base)
    node = np.where(
        forest.node_of < 0,
        -1,
        forest.node_of + np.repeat(forest.node_ptr[:-1], forest.sentence_last - forest.sentence_first),
    )

    def way_up(at: int) -> list[int]:
        found = [at]
        while parent[found[-1]] >= 0:
            found.append(int(parent[found[-1]]))
        return found

    stays, free = set(), set()
    for word in range(0, 43, 3):
        other = word + 5  # some of them are in the other text, or in none
        if other < 43 and node[word] >= 0 and node[other] >= 0 and base[node[word]] == base[node[other]]:
            up, down = way_up(int(node[word])), way_up(int(node[other]))
            free |= set(up) - set(down)
            stays |= set(down) - set(up)
    tape = Tape()
    thirds = Numbers(tape, Op.ROW).listed_in(np.arange(43) % 3 == 0).rows()
    tape.do(Op.NEEDS, thirds, thirds + 5, constant=2)
    _, stays_by, not_root_by, preferred = tape.program().pins(forest, 9)
    roots = {at for at in free if forest.parent[at] >= 0 and forest.root_edge[at]}
    assert stays
    assert set(np.flatnonzero(stays_by == 2).tolist()) == stays
    assert set(np.flatnonzero(not_root_by == 2).tolist()) == roots
    assert not preferred.any()
