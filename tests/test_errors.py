"""Errors stay with their text: the others have their results, in their places."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from conftest import given_doc

import laconic
import laconic.cli
from laconic import Compressor, LaconicError, MisfitError, Result

SHORT, LONG, PLAIN = "Rain fell.", "The administration's representatives telephoned.", "Snow fell on Monday."


def texts(results: list[Result | LaconicError]) -> list[str | None]:
    return [None if isinstance(each, LaconicError) else each[0][0].text for each in results]


@pytest.mark.parametrize("how", ["batch", "stream"])
def test_a_text_that_nothing_fits_for_has_its_error_in_its_place(compressor: Compressor, how: str) -> None:
    found = list(getattr(compressor, how)([SHORT, LONG, PLAIN], max_chars=10, errors="return"))
    assert texts(found) == ["Rain fell.", None, "Snow fell."]
    error = found[1]
    assert isinstance(error, MisfitError)
    assert error.shortest == len(compressor.compress(LONG, max_chars=1, nearest=True)[0][0].text)
    assert error.longest == len(LONG)
    assert f"the shortest possible result has {error.shortest};" in str(error)
    with pytest.raises(MisfitError, match="telephoned"):
        list(getattr(compressor, how)([SHORT, LONG, PLAIN], max_chars=10))


def test_exactly_so_many_fit(compressor: Compressor) -> None:
    (error,) = compressor.batch([LONG], max_chars=1, errors="return")
    assert isinstance(error, MisfitError)
    assert error.shortest is not None
    assert len(compressor.compress(LONG, max_chars=error.shortest)[0][0].text) == error.shortest


def test_contradictions_spans_and_markers_are_of_one_text(compressor: Compressor) -> None:
    given = [SHORT, PLAIN]
    assert texts(compressor.batch(given, keep=["Monday"], drop=["Monday"], errors="return")) == ["Rain fell.", None]
    assert texts(compressor.batch(given, keep=[(12, 20)], errors="return")) == [None, "Snow fell on Monday."]
    marked = ["[[Rain]] fell.", "Snow [[fell.", "]]Hail fell."]
    found = compressor.batch(marked, protect=("[[", "]]"), errors="return")
    assert texts(found) == ["Rain fell.", None, None]
    assert "not balanced" in str(found[1])
    doc = given_doc("Rain/NN/nsubj/1 fell/VBD/ROOT/1")
    found = compressor.batch([doc, "[[Rain]] fell."], protect=("[[", "]]"), errors="return")
    assert texts(found) == [None, "Rain fell."]


def test_what_is_no_text_is_refused_in_its_place(compressor: Compressor) -> None:
    parsed = given_doc("Rain/NN/nsubj/1 fell/VBD/ROOT/1")
    unparsed = parsed.copy()
    for token in unparsed:
        token.dep_ = ""
    found = compressor.batch([None, SHORT, unparsed, parsed], errors="return")  # type: ignore[list-item]
    assert texts(found) == [None, "Rain fell.", None, "Rain fell"]
    assert "got NoneType" in str(found[0])
    assert "has no dependency parse" in str(found[2])


def test_the_ilp_refuses_text_by_text(maxent_compressor: Compressor) -> None:
    found = maxent_compressor.batch([SHORT, LONG], method="ilp", max_chars=10, errors="return")
    assert texts(found) == ["Rain fell.", None]
    assert isinstance(found[1], MisfitError)


def test_bad_options_are_raised_all_the_same(compressor: Compressor) -> None:
    with pytest.raises(LaconicError, match="max_chars is 0"):
        compressor.batch([SHORT], max_chars=0, errors="return")
    for method in (compressor.batch, compressor.stream):
        with pytest.raises(LaconicError, match="errors is 'ignore': use raise or return"):
            method([], errors="ignore")


def test_a_parser_need_not_check(compressor: Compressor) -> None:
    class Own:
        description = tokens = "own"

        def parse(self, given: list[str]) -> laconic.parse.Parses:
            return compressor.parser.parse(given)

    found = Compressor(Own(), compressor.model).batch([SHORT, None], errors="return")  # type: ignore[arg-type, list-item]
    assert texts(found) == ["Rain fell.", None]


def test_no_warning_of_a_text_that_is_refused(compressor: Compressor, recwarn: pytest.WarningsRecorder) -> None:
    compressor.batch([LONG], keep=["telephoned"], drop=["telephoned"], max_chars=9, errors="return")
    assert not recwarn.list


def test_what_is_nearest_says_how_far_it_is_off(compressor: Compressor) -> None:
    (over, fits) = compressor.batch([LONG, SHORT], max_chars=10, nearest=True)
    assert over[0][0].excess == len(over[0][0].text) - 10 > 0
    assert fits[0][0].excess == 0
    assert over.to_dict()["sentences"][0]["compressions"][0]["excess"] == over[0][0].excess
    assert "excess" not in fits.to_dict()["sentences"][0]["compressions"][0]
    (under,) = compressor.batch([SHORT], min_words=9, nearest=True)
    assert under[0][0].excess == 2 - 9
    (marks,) = compressor.batch(["?!?!?!"], max_chars=2, nearest=True)
    assert marks[0][0].excess == 4


def test_errors_travel_between_processes(compressor: Compressor) -> None:
    (error,) = compressor.batch([LONG], max_chars=1, errors="return")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.shortest) == (type(error), str(error), error.shortest)


@pytest.mark.parametrize("how", [{}, {"model": "small"}, {"parser": "spacy", "scorer": "maxent"}, {"parser": "spacy"}])
def test_a_compressor_can_be_pickled(how: dict) -> None:
    compressor = laconic.load(**how, split=False)
    again = pickle.loads(pickle.dumps(compressor))
    text = "The police said two men were arrested on Friday. Rain fell."
    assert again.batch([text], 3) == compressor.batch([text], 3)
    assert (again.parser is again.scorer) == (compressor.parser is compressor.scorer)
    assert again.compress(text, method="nss") == compressor.compress(text, method="nss")


def test_one_type_comes_back_that_iterates_and_indexes(compressor: Compressor) -> None:
    text = "The police said two men were arrested on Friday. Rain fell in Spain."
    result = compressor.compress(text, k=2)
    assert type(result) is type(compressor.explain(text)) is type(compressor.batch([text])[0]) is Result
    assert [len(result), len(result[0])] == [2, 2]
    assert [[each.text for each in sentence] for sentence in result] == [
        [each.text for each in sentence.compressions] for sentence in result.sentences
    ]
    assert result[-1][0] is result.sentences[1].compressions[0]
    assert result[:1] == result.sentences[:1]
    assert not compressor.compress("")
    ((best,),) = compressor.compress("Rain fell in Spain.")  # as nested lists would
    assert str(best) == best.text


def test_the_public_names_are_there() -> None:
    assert laconic.Options.__annotations__.keys() >= {"rho", "max_chars", "keep"}
    assert laconic.Fitted.__name__ == "Fitted"
    assert laconic.Deletion.__name__ == "Deletion"
    assert set(dir(laconic)) >= set(laconic.__all__)


def messages(module: Path) -> Iterator[str]:
    """The texts in what a module raises or warns of, and in the problems that the service answers with."""
    for call in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
        if name.endswith(("Error", "Warning", "Problem")):
            yield " ".join(
                each.value for each in ast.walk(call) if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def test_messages_of_the_library_name_no_flags() -> None:
    # The command line adds the flags of the options that an error was raised with.
    commands = typer.main.get_command(laconic.cli.app).commands.values()
    flags = {flag for command in commands for parameter in command.params for flag in parameter.opts}
    assert {"--max-chars", "--allow-host", "-k"} <= flags
    package = Path(laconic.__file__).parent
    modules = [path for path in package.rglob("*.py") if package / "cli" not in path.parents]
    found = [text for path in modules for text in messages(path)]
    assert len(found) > 200
    assert [text for text in found if flags & set(re.findall(r"(?<!\w)--?[a-z][a-z0-9-]*", text))] == []
