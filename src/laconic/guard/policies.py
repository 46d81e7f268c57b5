"""Which rules each policy includes; rules are discovered among the modules of `laconic.guard.rules`."""

from __future__ import annotations

import atexit
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from laconic.guard import rules
from laconic.guard.pins import PinBoard, Pins, run_rules
from laconic.guard.rule import Policy, Rule
from laconic.guard.rule_words import Words
from laconic.parse.program import Tape

if TYPE_CHECKING:
    from laconic._core import Program
    from laconic.tree import Forest


def make_pins(forest: Forest, policy: Policy) -> Pins | None:
    """The guard's pins on the trees of a batch; None: no pins."""
    return None if policy is Policy.NONE else run_rules(*_program(policy), forest)


@cache
def find_rules() -> tuple[Rule, ...]:
    """The rules of all modules of `laconic.guard.rules`, in the order in which they run."""
    found: list[Rule] = [import_module(f"{rules.__name__}.{each.name}").RULE for each in iter_modules(rules.__path__)]
    assert found, "no rules: the modules of laconic.guard.rules must be installed as files"
    return tuple(sorted(found, key=lambda rule: rule.order))  # stable: rules of equal order run by module name


@cache
def _program(policy: Policy) -> tuple[Program, tuple[str, ...]]:
    """The rules of a policy, recorded as a program, and the names of their pins."""
    tape = Tape()
    words, board = Words(tape), PinBoard(tape)
    for rule in find_rules():
        if policy in rule.policies:
            rule.pin(words, board)
    return tape.program(), tuple(board.names)


atexit.register(_program.cache_clear)  # no object of the core may outlive the interpreter
