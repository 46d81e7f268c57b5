"""What the documentation shows is what the program prints."""

from __future__ import annotations

import importlib.util
import re
import runpy
import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from serving import serving

import laconic
from laconic.cli import COMMANDS, make_app
from laconic.model_folders import maxent_folder
from laconic.score import Model

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "tools" / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    sys.modules[name] = tool
    spec.loader.exec_module(tool)
    return tool


examples = load_tool("examples")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", examples.PAGES)
def test_the_examples_of_a_page_print_what_it_shows(page: str) -> None:
    found = list(examples.run_page(page))
    wrong = [(example.source, example.printed) for example in found if not example.right]
    assert not wrong, "run python docs/tools/examples.py --write"


def test_pages_have_the_examples_that_they_had() -> None:
    """Nothing is left out because it is written in another way."""
    least = {
        "README.md": 3,
        "docs/harvest.md": 1,
        "docs/metrics.md": 2,
        "docs/network.md": 0,
        "docs/subtitles.md": 1,
        "docs/agents.md": 3,
        "docs/documents.md": 3,
        "docs/limits.md": 11,
        "docs/usage.md": 6,
    }
    for page in examples.PAGES:
        count = len(re.findall(r"^    \$ laconic |^```python\n(?:(?!^```).)*^```\n\n    ", read(page), re.M | re.S))
        assert count >= least.get(page, 0 if page.endswith("index.md") else 4), page


def known_flags() -> dict[str, set[str]]:
    group: Any = typer.main.get_command(make_app(*COMMANDS))
    return {
        name: {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}
        for name, command in group.commands.items()
    }


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_commands_on_a_page_exist_and_have_the_flags_that_it_gives_them(page: Path) -> None:
    flags = known_flags()
    lines = re.sub(r"\\\n\s*", "", page.read_text(encoding="utf-8"))
    for command, rest in re.findall(r"(?:^    (?:\$ )?|`)laconic ([a-z][a-z-]*)([^`\n]*)", lines, re.M):
        assert command in flags, f"{page.name}: laconic {command}"
        given = re.findall(r"(?<=\s)--?[a-z][a-z0-9-]*", re.sub(r"""#\s.*|"[^"]*"|'[^']*'""", "", rest))
        assert set(given) <= flags[command], f"{page.name}: laconic {command}{rest}"


def test_the_picture_shows_what_compress_prints(compressor: laconic.Compressor) -> None:
    picture = ElementTree.fromstring(read("docs/before-after.svg"))
    lines = list(picture.iter("{http://www.w3.org/2000/svg}text"))
    before = " ".join("".join(line.itertext()) for line in lines if line.get("class") == "kept")
    after = " ".join("".join(line.itertext()) for line in lines if line.get("class") == "after")
    assert str(compressor.compress(before)) == after
    kept = " ".join(
        (line.text or "") + "".join(part.tail or "" for part in line) for line in lines if line.get("class") == "kept"
    )
    assert " ".join(kept.split()).replace(" ,", ",") == after
    assert f"{len(before)} characters" in read("docs/before-after.svg")
    assert f"{len(after)} characters" in read("docs/before-after.svg")


def test_the_example_of_the_service_prints_what_the_page_shows() -> None:
    code, shown = re.search(
        r"^```python\n(.*?)^```\n\n((?:    [^\n]*\n)+)", read("docs/serve.md"), re.M | re.S
    ).groups()
    printed = StringIO()
    with serving("--workers", "1") as service, redirect_stdout(printed):
        exec(code.replace("http://127.0.0.1:8000/", service.url), {})
    assert printed.getvalue() == re.sub(r"^    ", "", shown, flags=re.MULTILINE)


def test_the_k_best_example() -> None:
    shown = re.search(r">>> (laconic\.k_best\(.*\))\n(.*)\n", read("docs/usage.md"))
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


@pytest.mark.parametrize("name", ["options", "commands"])
def test_the_pages_of_options_and_commands_are_what_their_definitions_make(name: str) -> None:
    make_page = runpy.run_path(str(ROOT / "docs" / "tools" / f"{name}_page.py"))["make_page"]
    assert read(f"docs/{name}.md") == make_page(), "run make docs"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(document: Path) -> None:
    for target, place in re.findall(r"\]\(([^)#:\s]*)(#[^)\s]*)?\)", document.read_text(encoding="utf-8")):
        path = document.parent / target if target else document
        assert path.exists(), f"{document.name}: {target}"
        if place:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
            assert place[1:] in {anchor(heading) for heading in headings}, f"{document.name}: {target}{place}"


def anchor(heading: str) -> str:
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def test_every_page_is_in_the_sites_navigation() -> None:
    navigation = read("mkdocs.yml").partition("\nnav:\n")[2]
    for page in (ROOT / "docs").rglob("*.md"):
        assert f"- {page.relative_to(ROOT / 'docs').as_posix()}\n" in navigation, page.name


def test_every_dependency_has_its_reason_and_its_licence() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *(each for extra in extras if extra != "dev" for each in extras[extra])]
    rows = [line for line in read("docs/dependencies.md").splitlines() if line.startswith("| ")]
    for requirement in named:
        name = re.match(r"[\w-]+", requirement)[0]
        assert name == "laconic" or any(re.search(rf"\b{name}\b", row) for row in rows), name
    for extra in extras:
        assert f"`{extra}`" in read("docs/dependencies.md"), extra


def test_the_version_is_in_one_place() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert version == laconic.__version__
    assert f"\n## {version}\n" in read("CHANGELOG.md")


@pytest.mark.parametrize("script", sorted((ROOT / "bench").glob("*.py")), ids=lambda path: path.name)
def test_benchmarks_that_the_documentation_names_can_be_started(script: Path) -> None:
    assert callable(runpy.run_path(str(script), run_name="a benchmark")["main"])
