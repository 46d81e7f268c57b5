"""The exact choice within a budget, against exhaustive search and a table over all lengths."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from laconic import _core
from laconic.document.choose import Choice, Offers, TooShort, choose

Option = tuple[int, int]  # length, value
Item = tuple[bool, list[Option]]  # whether it is required
Group = tuple[int, list[Item]]  # setup


def offers_of(groups: list[Group]) -> Offers:
    items = [item for _, own in groups for item in own]
    flat = [option for _, options in items for option in options]
    return Offers(
        np.cumsum([0, *(len(own) for _, own in groups)], dtype=np.int64),
        np.cumsum([0, *(len(options) for _, options in items)], dtype=np.int64),
        np.array([length for length, _ in flat], dtype=np.int64),
        np.array([value for _, value in flat], dtype=np.int64),
        np.array([setup for setup, _ in groups], dtype=np.int64),
        np.array([required for required, _ in items], dtype=np.uint8),
    )


def total(groups: list[Group], options: list[int]) -> tuple[int, int]:
    """Length and value of a choice that must be allowed."""
    length = value = at = 0
    for setup, items in groups:
        taken = [(item, option) for item, option in zip(items, options[at:], strict=False) if option >= 0]
        assert all(option >= 0 for (required, _), option in zip(items, options[at:], strict=False) if required)
        at += len(items)
        length += setup * bool(taken) + sum(own[option][0] for (_, own), option in taken)
        value += sum(own[option][1] for (_, own), option in taken)
    return length, value


def exhaustive(groups: list[Group], budget: int) -> tuple[int, int] | TooShort:
    """Every choice is looked at."""
    ways = [range(0 if required else -1, len(options)) for _, items in groups for required, options in items]
    totals = [total(groups, list(options)) for options in itertools.product(*ways)]
    fitting = [(-value, length) for length, value in totals if length <= budget]
    if not fitting:
        return TooShort(min(length for length, _ in totals))
    value, length = min(fitting)
    return length, -value


def table(groups: list[Group], budget: int) -> tuple[int, int] | TooShort:
    """The best value for every exact length, group by group."""
    never = -(1 << 60)
    limit = max(budget, sum(min(length for length, _ in o) for _, own in groups for r, o in own if r)) + 1
    limit += sum(setup for setup, _ in groups if budget < limit)
    best = np.full(limit + 1, never)
    best[0] = 0

    def shifted(of: NDArray[np.int64], length: int, value: int) -> NDArray[np.int64]:
        moved = np.full_like(of, never)
        if length <= limit:
            moved[length:] = of[: limit + 1 - length] + value
        return moved

    for setup, items in groups:
        opened = shifted(best, setup, 0)
        for required, options in items:
            ways = [shifted(opened, length, value) for length, value in options]
            opened = np.maximum.reduce(ways if required else [opened, *ways])
        # An open group of which nothing is taken is no better than a closed one.
        best = opened if any(required for required, _ in items) else np.maximum(best, opened)
    possible = np.flatnonzero(best >= 0)
    fitting = possible[possible <= budget]
    if not len(fitting):
        return TooShort(int(possible[0]))
    value = int(best[fitting].max())
    return int(fitting[best[fitting] == value][0]), value


def check(groups: list[Group], budget: int, judge: Callable[[list[Group], int], tuple[int, int] | TooShort]) -> bool:
    found, expected = choose(offers_of(groups), budget), judge(groups, budget)
    if isinstance(found, TooShort) or isinstance(expected, TooShort):
        assert found == expected, (groups, budget)
        return False
    assert total(groups, found.options.tolist()) == (found.length, found.value)
    assert (found.length, found.value) == expected, (groups, budget)
    return True


VALUES: list[Callable[[random.Random, int], int]] = [
    lambda rng, length: rng.randint(0, 20),
    lambda rng, length: rng.randint(0, 2),
    lambda rng, length: rng.randint(0, 10**9),
    lambda rng, length: length,
    lambda rng, length: length + 5,
    lambda rng, length: 7,
]
LENGTHS: list[Callable[[random.Random], int]] = [
    lambda rng: rng.randint(0, 3),
    lambda rng: rng.randint(0, 30),
    lambda rng: rng.randint(1, 6) * 7,
    lambda rng: 10,
]


def random_groups(rng: random.Random, most: int, items: int, options: int) -> list[Group]:
    value, length = rng.choice(VALUES), rng.choice(LENGTHS)

    def item() -> Item:
        required = rng.random() < 0.1
        lengths = [length(rng) for _ in range(rng.randint(int(required), options))]
        return required, [(of, value(rng, of)) for of in lengths]

    return [
        (rng.choice([0, 1, 2, 2, 7, 20]), [item() for _ in range(rng.randint(0, items))])
        for _ in range(rng.randint(0, most))
    ]


def longest(groups: list[Group]) -> int:
    return sum(setup + sum(max([0, *(of for of, _ in own)]) for _, own in items) for setup, items in groups)


@pytest.mark.parametrize("seed", range(10))
def test_is_the_best_of_all_choices(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = set()
    for _ in range(300):
        groups = random_groups(rng, 3, 3, 2)
        outcomes.add(check(groups, rng.randint(-1, longest(groups) + 2), exhaustive))
    assert outcomes == {False, True}  # both kinds were met


@pytest.mark.parametrize("seed", range(10))
def test_is_what_a_table_over_all_lengths_finds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        groups = random_groups(rng, rng.choice([6, 40]), rng.choice([1, 4, 12]), rng.choice([1, 5]))
        check(groups, int(longest(groups) * rng.random()), table)


options = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=3)
documents = st.lists(st.tuples(st.integers(0, 5), st.lists(st.tuples(st.booleans(), options), max_size=3)), max_size=4)


@settings(max_examples=300, deadline=None)
@given(documents, st.integers(-1, 60))
def test_the_table_judges_whatever_hypothesis_thinks_of(groups: list[Group], budget: int) -> None:
    check(groups, budget, table)


FAMILIES: dict[str, Callable[[random.Random], Option]] = {
    "noisy": lambda rng: (rng.randint(5, 60), rng.randint(1, 10**6)),
    "equal values": lambda rng: (rng.randint(5, 60), 1000),
    "equal lengths": lambda rng: (40, rng.randint(1, 10**6)),
    "multiples of 7": lambda rng: (7 * rng.randint(1, 9), rng.randint(1, 10**6)),
    "small values": lambda rng: (rng.randint(5, 60), rng.randint(1, 5)),
    "value is length": lambda rng: (of := rng.randint(5, 60), of),
    "value is length, multiples of 7": lambda rng: (of := 7 * rng.randint(1, 9), of),
    "value is length and something": lambda rng: (of := rng.randint(5, 60), of + 30),
    "value is nearly length": lambda rng: (of := rng.randint(5, 60), of * 1000 + rng.randint(0, 9)),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("size", "setup"), [(6, 0), (6, 2), (500, 2), (2000, 2)])
def test_hard_families_are_exact(family: str, size: int, setup: int) -> None:
    rng = random.Random(family)
    items: list[Item] = [(False, [FAMILIES[family](rng)]) for _ in range(2000)]
    groups: list[Group] = []
    while items:
        count = size if size > 6 else rng.randint(1, size)
        groups.append((setup, items[:count]))
        items = items[count:]
    full = longest(groups)
    for share in (0.005, 0.3, 0.9):
        assert check(groups, int(full * share), table)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.95])
def test_many_options_and_required_items_are_exact(share: float) -> None:
    rng = random.Random(3)
    groups: list[Group] = []
    for _ in range(150):
        items = []
        for _ in range(rng.choice([1, 3, 6, 32]) if len(groups) % 20 == 0 else rng.randint(1, 4)):
            full, weight = rng.randint(20, 90), rng.random()
            lengths = sorted(rng.sample(range(5, full + 1), 8))
            items.append((rng.random() < 0.01, [(of, int(1e6 * weight * of**0.6 * rng.random())) for of in lengths]))
        groups.append((2, items))
    assert check(groups, max(int(longest(groups) * share), 400), table)


def test_a_budget_that_is_filled_ends_the_search() -> None:
    rng = np.random.default_rng(1)
    length = rng.integers(20, 300, 20_000)
    ptr = np.arange(20_001)
    budget = int(length.sum() // 2)
    for setup in (ptr[:-1] * 0, ptr[:1] * 0 + 2):  # every item alone; all in one group
        item_ptr = ptr if len(setup) > 1 else ptr[[0, -1]]
        found = _core.choose(item_ptr, ptr, length, length, setup, np.zeros(20_000, dtype=np.uint8), budget)
        assert not isinstance(found, int)
        assert found[1] == budget
        assert found[3] < 100_000  # states: a table has 20,000 times two million


def test_the_same_choice_every_time() -> None:
    groups: list[Group] = [(2, [(False, [(3, 5), (3, 5), (4, 6)])] * 5)] * 20
    first, second = choose(offers_of(groups), 100), choose(offers_of(groups), 100)
    assert isinstance(first, Choice)
    assert isinstance(second, Choice)
    assert first.options.tolist() == second.options.tolist()


def test_a_group_is_opened_once() -> None:
    groups: list[Group] = [(10, [(False, [(5, 4)]), (False, [(5, 4)])]), (0, [(False, [(12, 7)])])]
    found = choose(offers_of(groups), 20)
    assert isinstance(found, Choice)
    assert (found.options.tolist(), found.length, found.value) == ([0, 0, -1], 20, 8)


def test_what_is_required_stays_even_if_it_is_worth_nothing() -> None:
    groups: list[Group] = [(2, [(True, [(9, 9), (4, 0)]), (False, [(1, 1)])]), (2, [(False, [(3, 50)])])]
    found = choose(offers_of(groups), 12)
    assert isinstance(found, Choice)
    assert (found.options.tolist(), found.length, found.value) == ([1, 0, 0], 12, 51)
    assert choose(offers_of(groups), 5) == TooShort(6)


def test_an_empty_document_fits() -> None:
    found = choose(offers_of([]), 0)
    assert isinstance(found, Choice)
    assert (found.options.tolist(), found.length, found.value) == ([], 0, 0)


def test_totals_up_to_the_limit_are_exact() -> None:
    most = (1 << 60) - 1
    groups: list[Group] = [(0, [(False, [(1 << 58, most // 2)]), (False, [(1 << 58, most // 2 + 1)])])]
    found = choose(offers_of(groups), 1 << 58)
    assert isinstance(found, Choice)
    assert (found.options.tolist(), found.value) == ([-1, 0], most // 2 + 1)
    assert check(groups, 1 << 62, exhaustive)


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([(0, [(False, [(-1, 1)])])], "not be negative"),
        ([(0, [(False, [(1, -1)])])], "not be negative"),
        ([(-1, [])], "not be negative"),
        ([(0, [(True, [])])], "must have an option"),
        ([(0, [(False, [(1, 1 << 60)]), (False, [(1, 1)])])], "at most 2\\^60"),
        ([(1, [(False, [(1 << 60, 1)])])], "at most 2\\^60"),
    ],
)
def test_what_cannot_be_offered_is_refused(groups: list[Group], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        choose(offers_of(groups), 10)


def test_columns_that_do_not_fit_together_are_refused() -> None:
    one, none = np.array([1]), np.zeros(1, dtype=np.uint8)
    ptr = np.array([0, 1])
    for columns, reason in [
        ((np.array([0, 2]), ptr, one, one, one, none), "item_ptr must run"),
        ((ptr, np.array([1, 1]), one, one, one, none), "option_ptr must run"),
        ((ptr, ptr, one, np.array([1, 1]), one, none), "a length and a value"),
    ]:
        with pytest.raises(ValueError, match=reason):
            _core.choose(*columns, 10)
