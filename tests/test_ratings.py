"""What `laconic ratings` makes of ratings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laconic.errors import LaconicError
from laconic.rate import SCALES, Item, Output, Scale, Store
from laconic.rate.agreement import Correlation, agreement, intraclass_correlations
from laconic.rate.statistics import make_report, paired_test
from laconic.rate.tables import as_latex, as_text

#: Shrout & Fleiss (1979), table 2: six targets by four judges.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
#: Student (1908): additional hours of sleep of ten patients with two drugs.
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


@pytest.mark.parametrize(
    ("form", "value", "low", "high"),
    [
        ("ICC(1,1)", 0.17, -0.13, 0.72),
        ("ICC(2,1)", 0.29, 0.02, 0.76),
        ("ICC(3,1)", 0.71, 0.34, 0.95),
        ("ICC(1,k)", 0.44, -0.88, 0.91),
        ("ICC(2,k)", 0.62, 0.07, 0.93),
        ("ICC(3,k)", 0.91, 0.68, 0.99),
    ],
)
def test_correlations_of_shrout_and_fleiss(form: str, value: float, low: float, high: float) -> None:
    found = intraclass_correlations(SHROUT_FLEISS)[form]
    assert found.form == form
    assert round(found.value, 2) == value
    assert (found.low, found.high) == (low, high)


def test_students_sleep() -> None:
    test = paired_test(SLEEP_2, SLEEP_1)
    assert test.difference == pytest.approx(1.58)
    assert test.t == pytest.approx(4.0621, abs=5e-5)
    assert test.p == pytest.approx(0.002833, abs=5e-7)
    assert test.better
    assert not paired_test(SLEEP_1, SLEEP_2).better  # significant, but worse


def test_tests_without_an_answer_say_why() -> None:
    for system, baseline, reason in [
        ([], [], "fewer than two items in common"),
        ([4.0], [3.0], "fewer than two items in common"),
        ([4.0, 3.1], [4.0, 3.1], "the same difference in every item"),
        ([4.1, 3.2, 5.0], [3.1, 2.2, 4.0], "the same difference in every item"),
    ]:
        test = paired_test(system, baseline)
        assert (test.t, test.p, test.better, test.reason) == (None, None, False, reason)


def by_rater(rows: list[list[int]], names: str = "abcd") -> list[dict[str, int]]:
    return [dict(zip(names, row, strict=False)) for row in rows]


def test_the_same_raters_everywhere_give_the_two_way_form() -> None:
    found = agreement("readability", by_rater(SHROUT_FLEISS))
    assert found.single
    assert found.average
    assert (found.single.form, found.average.form) == ("ICC(2,1)", "ICC(2,k)")
    assert round(found.single.value, 2) == 0.29
    assert (found.texts, found.raters, found.left_out) == (6, 4, 0)


def test_other_raters_for_other_texts_give_the_one_way_form() -> None:
    texts = by_rater(SHROUT_FLEISS)
    texts[2] = dict(zip("wxyz", [8, 4, 6, 8], strict=True))
    found = agreement("readability", texts)
    assert found.single
    assert found.single.form == "ICC(1,1)"
    assert round(found.single.value, 2) == 0.17
    assert found.left_out == 0


def test_unequal_numbers_of_ratings_leave_texts_out() -> None:
    texts = [*by_rater(SHROUT_FLEISS), {"a": 3, "b": 4}, {"a": 5}, {}]
    found = agreement("readability", texts)
    assert found.single
    assert found.single.form == "ICC(1,1)"
    assert round(found.single.value, 2) == 0.17  # of the six texts with four ratings
    assert (found.texts, found.raters, found.left_out) == (6, 4, 2)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no ratings"),
        ([[3], [4], [5]], "no text has two raters"),
        ([[3, 4, 5, 5]], "too few texts"),
        ([[3, 4], [2, 2]], "too few texts"),
        ([[4, 4], [4, 4], [4, 4]], "all ratings are the same"),
    ],
)
def test_agreement_without_an_answer_says_why(rows: list[list[int]], reason: str) -> None:
    found = agreement("readability", by_rater(rows))
    assert found.single is None
    assert found.average is None
    assert reason in found.reason


def test_perfect_agreement_has_no_interval() -> None:
    found = agreement("readability", by_rater([[1, 1, 1], [5, 5, 5], [3, 3, 3]]))
    assert found.single
    assert found.single.value == pytest.approx(1)
    assert found.single.low is found.single.high is None
    assert found.single.word == "excellent"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.2, "poor"),
        (0.394, "poor"),
        (0.396, "fair"),
        (0.59, "fair"),
        (0.6, "good"),
        (0.744, "good"),
        (0.75, "excellent"),
    ],
)
def test_cicchettis_words(value: float, word: str) -> None:
    assert Correlation("ICC(2,1)", value, None, None).word == word


# --- tables ----------------------------------------------------------------------------------------------------------


def make_items(count: int, *, k: int = 2) -> list[Item]:
    """Items of all systems; `nss` prints what `topdown` does at k = 1."""
    items = []
    for number in range(count):
        outputs = [Output("zeta", 1, f"Zeta {number}."), Output("extractive", 1, f"Gold {number}.")]
        for rank in range(1, k + 1):
            outputs.append(Output("nss", rank, f"Topdown {number}." if rank == 1 else f"Nss {number} {rank}."))
            outputs.append(Output("topdown", rank, f"Topdown {number}." if rank == 1 else f"Topdown {number} {rank}."))
            outputs.append(Output("ilp", rank, f"Ilp {number} {rank}."))
        items.append(Item(str(number), f"Sentence {number}.", tuple(outputs)))
    return items


def make_database(path: Path, items: list[Item], rate: Callable[[str, int, str, Scale], int | None]) -> Path:
    """A database of what Anna, Ben and Carla said, by `rate(rater, item, text, scale)`."""
    with Store.open(path, items, source="items.jsonl") as store:
        for rater in ["Anna", "Ben", "Carla"]:
            for number, item in enumerate(items):
                for place, text in enumerate(item.texts):
                    for scale in SCALES:
                        value = rate(rater, number, text, scale)
                        if value is not None:
                            store.save(rater, number, place, scale, value)
    return path


def opinions(rater: str, item: int, text: str, scale: Scale) -> int:
    """Ilp gets 2 and 3 in turn, or 1 at k = 2; topdown one more, gold 5, everything else 3; Carla is never below 2."""
    system, *rank = text.rstrip(".").split()[0], *text.rstrip(".").split()[2:]
    base = {"Ilp": 2 + item % 2, "Topdown": 3 + (item % 4 > 1), "Gold": 5}.get(system, 3)
    if rank == ["2"]:
        base -= 1
    return max(base, 2 if rater == "Carla" else 1)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return make_database(tmp_path / "ratings.sqlite", make_items(4), opinions)


def test_means_at_rank_one_in_the_papers_order(db: Path) -> None:
    report = make_report(db)
    assert report.systems == ("extractive", "ilp", "topdown", "nss", "zeta")
    means = {system: report.cell(system, 1, "readability").mean for system in report.systems}  # type: ignore[union-attr]
    assert means == {"extractive": 5, "ilp": 2.5, "topdown": 3.5, "nss": 3.5, "zeta": 3}
    lines = as_text(report).splitlines()
    start = lines.index("Best compressions (k = 1)") + 2
    assert [line.split() for line in lines[start : start + 6]] == [
        ["system", "readability", "informativeness", "items", "ratings"],
        ["extractive", "5.00", "5.00", "4", "24"],
        ["ilp", "2.50", "2.50", "4", "24"],
        ["topdown", "3.50", "3.50", "4", "24"],
        ["nss", "3.50", "3.50", "4", "24"],
        ["zeta", "3.00", "3.00", "4", "24"],
    ]


def test_daggers_where_a_system_is_better_than_the_baseline(tmp_path: Path) -> None:
    report = make_report(make_database(tmp_path / "ratings.sqlite", make_items(20), opinions))
    text = as_text(report)
    rows = [line.split() for line in text.splitlines() if line[:2] in {"k ", "1 ", "2 "}]
    assert rows[0] == ["k", "items", "ilp", "topdown", "nss", "zeta"]
    assert rows[1][2:] == ["2.50", "/", "2.50", "3.50†", "/", "3.50†", "3.50†", "/", "3.50†", "3.00†", "/", "3.00†"]
    assert rows[2][2:5] == ["1.67", "/", "1.67"]  # (1 + 2) / 2, and Carla's 2
    assert rows[2][5:8] == ["2.50†", "/", "2.50†"]
    assert rows[2][-1] == "–"  # zeta has no second compression
    assert "† better than ilp at the same k" in text
    against_gold = make_report(tmp_path / "ratings.sqlite", "extractive")
    assert "†" not in as_text(against_gold).split("† better")[0]  # worse is not better
    cell = against_gold.cell("ilp", 1, "readability")
    assert cell
    assert cell.test
    assert cell.test.p is not None
    assert cell.test.p < 0.05


def test_the_test_pairs_the_items_means(tmp_path: Path) -> None:
    noise = {("Anna", 0): 1, ("Ben", 1): 1, ("Carla", 3): -1, ("Anna", 5): -1}

    def rate(rater: str, item: int, text: str, scale: Scale) -> int:
        return 3 + noise.get((rater, item), 0) if text.startswith("Topdown") else 2 + item % 3

    report = make_report(make_database(tmp_path / "ratings.sqlite", make_items(6, k=1), rate))
    cell = report.cell("topdown", 1, "informativeness")
    assert cell
    expected = paired_test([10 / 3, 10 / 3, 3, 8 / 3, 3, 8 / 3], [2, 3, 4, 2, 3, 4])
    assert cell.test
    assert cell.test.t == pytest.approx(expected.t)
    assert cell.test.p == pytest.approx(expected.p)
    assert cell.test.items == 6


def test_unfinished_raters_count_with_what_they_have_done(tmp_path: Path) -> None:
    def rate(rater: str, item: int, text: str, scale: Scale) -> int | None:
        if rater == "Carla" and (item > 0 or scale == "informativeness"):
            return None
        return None if item == 3 else opinions(rater, item, text, scale)

    report = make_report(make_database(tmp_path / "ratings.sqlite", make_items(4), rate))
    text = as_text(report)
    assert "3 raters, 3 of 4 items, 91 ratings" in text  # 2 × 3 × 14 and 7
    assert "Anna   42 of 56  75%" in text
    assert "Carla   7 of 56  12%" in text
    forms = {each.scale: each.single.form for each in report.agreement if each.single}
    assert forms == {"readability": "ICC(1,1)", "informativeness": "ICC(2,1)"}
    assert [each.left_out for each in report.agreement] == [7, 0]
    assert "left out: texts with another number of ratings" in text


def test_every_item_counts_the_same_however_many_raters_it_has(tmp_path: Path) -> None:
    def rate(rater: str, item: int, text: str, scale: Scale) -> int | None:
        return {0: 5, 1: 1 if rater == "Anna" else None}[item]

    cell = make_report(make_database(tmp_path / "r.sqlite", make_items(2), rate)).cell("ilp", 1, "readability")
    assert cell
    assert (cell.mean, cell.items, cell.ratings) == (3, 2, 4)


@pytest.mark.parametrize("rate", [lambda *_: None, lambda *_: 3, lambda r, *_: 4 if r == "Ben" else None])
def test_too_little_data_gives_dashes_with_reasons(tmp_path: Path, rate: Any) -> None:
    for count in [1, 2]:
        report = make_report(make_database(tmp_path / f"{count}.sqlite", make_items(count), rate))
        text = as_text(report)
        assert "– no correlation for readability: " in text
        assert "comparisons without a test: " in text
        assert "nan" not in text + as_latex(report) + json.dumps(report.to_dict())
        assert "% no ICC for readability: " in as_latex(report)


def test_a_baseline_that_is_not_there(tmp_path: Path, db: Path) -> None:
    with pytest.raises(LaconicError, match="no system 'ilpp': give one of extractive, ilp, topdown, nss, zeta"):
        make_report(db, "ilpp")
    items = [Item(str(i), "Rain fell.", (Output("topdown", 1, "Rain."), Output("b_2", 1, "Fell."))) for i in range(3)]
    report = make_report(make_database(tmp_path / "other.sqlite", items, lambda *_: 3))
    assert report.baseline is None
    assert "no daggers: there is no system ilp" in as_text(report)
    assert r"\textsc{b\_2}" in as_latex(report)
    assert "dagger" not in as_latex(report)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "laconic", "ratings", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_latex_is_the_papers_tables(tmp_path: Path) -> None:
    db = make_database(tmp_path / "ratings.sqlite", make_items(20), opinions)
    latex = run(str(db), "--format", "latex").stdout
    assert r"\textsc{Extractive} & 5.00 & 5.00 & 20 & 120 \\" in latex
    assert r"\emph{k} & \textsc{ILP} & \textsc{Top-down} & \textsc{Top-down + NSS} & \textsc{zeta} \\" in latex
    assert r"1 & 2.50 / 2.50 & 3.50$^\dagger$ / 3.50$^\dagger$ &" in latex
    assert "ICC for readability was 0." in latex
    assert r"(95\% confidence interval [0." in latex
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 2


def test_json_has_everything(db: Path) -> None:
    report = json.loads(run(str(db), "--format", "json").stdout)
    assert report["baseline"] == "ilp"
    assert report["raters"][0] == {"rater": "Anna", "ratings": 56, "of": 56}
    cell = next(c for c in report["cells"] if (c["system"], c["k"], c["scale"]) == ("topdown", 1, "readability"))
    assert cell["mean"] == 3.5
    assert cell["test"]["items"] == 4
    assert report["agreement"][0]["single"]["form"] == "ICC(2,1)"
    assert report["agreement"][0]["word"] in {"poor", "fair", "good", "excellent"}


def test_the_command_prints_text_without_warnings_and_refuses_what_it_cannot_read(tmp_path: Path, db: Path) -> None:
    done = run(str(db))
    assert done.stderr == ""
    assert done.stdout == as_text(make_report(db)) + "\n"
    for arguments, reason in [
        ([str(tmp_path / "absent.sqlite")], "does not exist"),
        ([str(db), "--format", "csv"], "use one of text, json, latex"),
        ([str(db), "--baseline", "x"], "--baseline"),
    ]:
        refused = run(*arguments)
        assert refused.returncode == 2
        assert reason in refused.stderr
        assert refused.stderr.count("\n") == 1
