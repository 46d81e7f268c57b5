"""One definition of every option: what is made of it agrees with it."""

from __future__ import annotations

import itertools
from typing import Any

import jsonschema
import pytest

from laconic import LaconicError
from laconic.options import ENTRY_POINTS, Field, check, check_json, complete, defaults, json_schema, options_of

OPTIONS = [(point, field) for point in ENTRY_POINTS for field in options_of(point).values()]
VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 0.0, 0.5, 1.5, -0.5, 100_000, 100_001, 2**40, "", " ", "x", "short",
    "nss", "expected-f1", "any", "en", "text", "o200k_base", "./tokenizer.json", "tokenizer.json", "a/b", [], ["x"],
    ["x", "y"], ["x", "x"], ["x", "y", "z"], [""], ["names"], ["PERSON", "numbers"], ["nothing"],
    [[0, 5]], [[0]], [[-1, 2]], [["a", "b"]], [1], {},
    {"x": 1},
]  # fmt: skip


def accepts(point: str, name: str, value: Any) -> bool:
    try:
        check_json(point, {name: value})
    except LaconicError:
        return False
    return True


@pytest.mark.parametrize("point", ENTRY_POINTS)
def test_the_schema_describes_what_is_taken(point: str) -> None:
    schema = json_schema(point)
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for name, value in itertools.product(schema["properties"], VALUES):
        if name not in ("model", "parser", "query"):  # of these it says only that they are texts
            described = validator.is_valid({name: value})
            assert described == accepts(point, name, value), (name, value)
    validator.validate(defaults_in_json(point))
    assert check_json(point, defaults_in_json(point)).keys() <= schema["properties"].keys()


def defaults_in_json(point: str) -> dict[str, Any]:
    return {name: each["default"] for name, each in json_schema(point)["properties"].items()}


@pytest.mark.parametrize(("point", "field"), OPTIONS, ids=lambda each: getattr(each, "name", each))
def test_bounds_are_those_of_the_check(point: str, field: Field) -> None:
    option = field.option
    step = 1 if int in field.types else 1e-6
    bounds = [(option.least, 0, -step), (option.most, 0, step), (option.above, step, 0)]
    for bound, good, bad in bounds:
        if bound is not None:
            number = int if int in field.types else float
            assert field.check(number(bound + good)) == bound + good
            with pytest.raises(LaconicError, match=f"^{field.name} is "):
                field.check(number(bound + bad))


@pytest.mark.parametrize(("point", "field"), OPTIONS, ids=lambda each: getattr(each, "name", each))
def test_an_option_has_a_sentence_and_a_default_that_it_takes(point: str, field: Field) -> None:
    option = field.option
    assert option.help.endswith(".")
    assert "--" not in option.help + option.more, "the command line adds its flags"
    taken = field.check(option.default)
    assert (tuple(taken) if field.many and taken is not None else taken) == option.default
    assert option.default is None or not option.unset
    assert (option.default is True) == bool(option.no)


def test_what_is_not_given_is_the_default() -> None:
    assert complete("compress", {"max_chars": 5, "guard": None}) == {**defaults("compress"), "max_chars": 5}
    assert check("compress", {"max_chars": None}) == {}


def test_an_option_of_another_place_is_refused_with_what_to_do() -> None:
    with pytest.raises(LaconicError, match=r"^protect does not go with a document: name what must stay with keep$"):
        check("fit", {"protect": ["[[", "]]"]})
    with pytest.raises(LaconicError, match="leave out minima and nearest"):
        check("fit", {"min_chars": 5})
    with pytest.raises(LaconicError, match=r"^protect takes markers out of a text"):
        check("spacy", {"protect": ["[[", "]]"]})
    with pytest.raises(LaconicError, match=r"^unknown option 'max_char': use one of k, .*max_chars, "):
        check("compress", {"max_char": None})


def test_from_elsewhere_nobody_names_files_or_threads() -> None:
    with pytest.raises(LaconicError, match=r"^tokenizer is '/etc/passwd': give a name, not a path$"):
        check_json("compress", {"tokenizer": "/etc/passwd"})
    with pytest.raises(LaconicError, match=r"^unknown option 'threads'"):
        check_json("fit", {"threads": 4})
