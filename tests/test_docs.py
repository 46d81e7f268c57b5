"""What the documentation shows is what the program prints."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from serving import serving

import laconic
from laconic.model_folders import maxent_folder
from laconic.options.page import make_page
from laconic.score import Model

SENTENCE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
ROOT = Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readmes_first_example_is_what_compress_prints(compressor: laconic.Compressor) -> None:
    command, *lines = re.search(r"^    \$ laconic compress -k 5 (.*?)\n\n", read("README.md"), re.M | re.S)[1].split(
        "\n"
    )
    found = compressor.compress(json.loads(command), k=5)[0]
    assert [f"{c.rank:>3} {c.score:>8.3f} {c.rate:>5.0%}  {c.text}" for c in found] == [line[4:] for line in lines]


@pytest.mark.parametrize("document", ["README.md", "docs/limits.md"])
def test_examples_of_limits_are_what_compress_prints(document: str) -> None:
    """Every command but the first example's, which has a test of its own; "…" stands for the rest of the sentence."""
    shown = re.findall(r"^    \$ (laconic compress (?!-k 5).*)\n((?:    (?!\$).*\n)+)", read(document), re.M)
    assert shown
    for command, output in shown:
        arguments = shlex.split(command)[1:]
        if arguments[-1].endswith("…"):
            arguments[-1] = SENTENCE
        done = run(*arguments)
        printed = (done.stdout + done.stderr).split("\n")
        assert [line.rstrip() for line in printed if line] == [line[4:] for line in output.split("\n") if line], command


def test_examples_of_documents_are_what_fit_prints() -> None:
    shown = re.findall(r"^    \$ (laconic fit .*)\n((?:(?:    (?!\$).*)?\n)+)", read("docs/documents.md"), re.M)
    assert len(shown) == 2
    for command, output in shown:
        _, name, file, *options = shlex.split(command)
        done = run(name, str(ROOT / "tests" / "data" / "markdown" / file), *options)
        expected = [line[4:] for line in output.split("\n") if line]
        assert [line for line in (done.stdout + done.stderr).split("\n") if line] == expected, command


def test_examples_of_agents_print_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    names: dict[str, Any] = {}
    examples = re.findall(
        r"^```python\n(.*?)^```\n\n((?:    [^\n]*\n)+)", read("docs/agents.md"), re.MULTILINE | re.DOTALL
    )
    assert len(examples) == 3
    for code, shown in examples:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == re.sub(r"^    ", "", shown, flags=re.MULTILINE), code


def test_the_example_of_the_service_prints_what_the_page_shows() -> None:
    code, shown = re.search(
        r"^```python\n(.*?)^```\n\n((?:    [^\n]*\n)+)", read("docs/serve.md"), re.M | re.S
    ).groups()
    printed = StringIO()
    with serving("--workers", "1") as service, redirect_stdout(printed):
        exec(code.replace("http://127.0.0.1:8000/", service.url), {})
    assert printed.getvalue() == re.sub(r"^    ", "", shown, flags=re.MULTILINE)


def test_the_readmes_k_best_example() -> None:
    shown = re.search(r">>> (laconic\.k_best\(.*\))\n(.*)\n", read("README.md"))
    found = eval(shown[1], {"laconic": laconic})
    for (score, nodes), (expected, expected_nodes) in zip(found, eval(shown[2]), strict=True):
        assert nodes == expected_nodes
        assert score == pytest.approx(expected, abs=1e-9)


def test_scores_in_the_documentation_are_the_models() -> None:
    scores = Model.load(maxent_folder()).header["scores"]
    for method in ["topdown", "nss", "ilp"]:
        row = re.search(rf"^\| {method} \|(.*)\|$", read("docs/numbers.md"), re.M)[1].split("|")
        names = ["tree_f1", "word_f1", "exact", "rate", "best_of_k_word_f1", "best_of_k_tree_f1"]
        for name, cell in zip(names, row, strict=True):
            assert float(cell) == pytest.approx(scores[method][name], abs=0.0006), name


def test_the_page_of_options_is_what_their_definitions_make() -> None:
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == make_page(), "run make docs"


def test_links_between_the_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("script", sorted((ROOT / "bench").glob("*.py")), ids=lambda path: path.name)
def test_benchmarks_that_the_documentation_names_can_be_started(script: Path) -> None:
    assert callable(runpy.run_path(str(script), run_name="a benchmark")["main"])
