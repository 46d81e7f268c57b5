"""What a model fits: the record in its header, and a notice when the code moves and the record does not."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic import LaconicError, _core, compatibility
from laconic.model_folders import HEADER_NAME, NAMES, model_folder
from laconic.parse import Parses, scheme
from laconic.parse.lemmas import lemma
from laconic.parse.words import WordTokeniser
from laconic.score import Model
from laconic.score.model import write_model
from laconic.tree import Forest, make_forest

#: Some hundred sentences of many kinds with their parses, so that the trees do not depend on a parser.
GOLDEN = Path(__file__).parent / "data" / "golden-parses.npz"

#: What the code made of them when its constants were last raised: by `compatibility.CODE`, and by the features'.
WORDS = {5: "e4b048d2066c1c8e"}
TREES = {5: "6eddfcaad974432c"}
FEATURES = {2: "498d2afc47d3ac15"}


@pytest.fixture(scope="module")
def forest() -> Forest:
    parses, _ = Parses.load(GOLDEN)
    assert len(parses) > 250
    return make_forest(parses)


def digest(*arrays: object) -> str:
    joined = hashlib.sha256()
    for array in arrays:
        joined.update(np.ascontiguousarray(array).tobytes() if isinstance(array, np.ndarray) else repr(array).encode())
    return joined.hexdigest()[:16]


def test_words_and_lemmas_do_not_move_unnoticed(forest: Forest) -> None:
    """If this fails and it was meant, raise `compatibility.CODE`, write the digest here, and train the models again."""
    tags = [scheme.TAGS[tag] for tag in forest.parses.tag.tolist()]
    found: list[object] = []
    for number, text in enumerate(forest.parses.texts()):
        starts, ends = WordTokeniser().spans(text)
        own = tags[int(forest.parses.token_ptr[number]) : int(forest.parses.token_ptr[number + 1])]
        forms = [text[a:b] for a, b in zip(starts, ends, strict=True)]
        found += [starts, ends]
        found += [lemma(form, tag) for form, tag in zip(forms, own, strict=False)]
    assert {compatibility.CODE: digest(*found)} == WORDS


def test_trees_do_not_move_unnoticed(forest: Forest) -> None:
    """If this fails and it was meant, raise `compatibility.CODE`, write the digest here, and train the models again."""
    columns = [getattr(forest, name) for name in (
        "node_ptr", "node_of", "word", "parent", "label", "preposition", "root_edge", "coreference_ptr", "pronoun",
        "antecedent",
    )]  # fmt: skip
    assert {compatibility.CODE: digest(*columns)} == TREES


def test_features_do_not_move_unnoticed(forest: Forest) -> None:
    """If this fails and it was meant, raise `FEATURES_VERSION`, write the digest here, and train the models again."""
    assert {_core.FEATURES_VERSION: digest(*_core.edge_features(forest))} == FEATURES


def test_the_shipped_models_have_the_record() -> None:
    for name in NAMES:
        header = json.loads((model_folder(name) / HEADER_NAME).read_text())
        compatibility.check(header["compatibility"], name, "")
        assert header["training"]["about"].startswith(("News", "Headlines"))
    Model.load(model_folder())


def test_the_record_names_everything_that_trees_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compatibility.record()
    assert list(whole) == ["scheme", "rules", "tokeniser", "sentences", "lemmas", "code"]
    assert compatibility.record(own_words=False).keys() == {"scheme", "rules", "code"}

    def differ() -> set[str]:
        compatibility._record.cache_clear()
        found = compatibility.record()
        return {name for name in whole if found[name] != whole[name]}

    for module, name, value, changed in [
        ("laconic.parse.scheme", "TAGS", (*scheme.TAGS, "NEW"), {"scheme", "rules"}),
        ("laconic.parse.words", "UNITS", frozenset(["m"]), {"tokeniser"}),
        ("laconic.parse.sentences", "TITLES", frozenset(["mr"]), {"sentences"}),
        ("laconic.parse.lemmas", "DOUBLED", frozenset(["add"]), {"lemmas"}),
        ("laconic.language.word_lists", "PLURAL_FORMS", ("were", "are"), {"rules"}),
        ("laconic.compatibility", "CODE", 99, {"code"}),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(f"{module}.{name}", value)
            assert differ() == changed
    for module, name, value in [
        ("laconic.parse.words", "CACHE_CHARS", 1),  # says only how much is remembered
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(f"{module}.{name}", value)
            assert differ() == set()
    assert differ() == set()


def test_a_model_fits_wherever_sentences_end() -> None:
    compatibility.check({**compatibility.record(), "sentences": "other"}, "a model", "")


@pytest.mark.parametrize("changed", ["scheme", "rules", "tokeniser", "lemmas", "code"])
def test_a_network_that_does_not_fit_is_refused_with_what_differs(changed: str, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(model_folder("small"), folder)
    header = json.loads((folder / HEADER_NAME).read_text())
    header["compatibility"][changed] = "other"
    (folder / HEADER_NAME).write_text(json.dumps(header))
    with pytest.raises(LaconicError, match=rf"does not fit this version of laconic \({changed}: other, here "):
        laconic.load(folder)


def test_a_model_that_does_not_fit_is_refused_with_what_differs(tmp_path: Path) -> None:
    model = Model.load(model_folder())
    header = {key: value for key, value in model.header.items() if key not in ("format", "arrays")}
    path = tmp_path / "model.laconic"
    write_model(path, {**header, "compatibility": {**header["compatibility"], "lemmas": "other"}}, model.arrays)
    with pytest.raises(LaconicError, match=r"\(lemmas: other, here .*: train it again with `laconic train`"):
        Model.load(path)
    spacy = {**header, "training": {**header["training"], "parser": "en_core_web_sm-3.8.0"}}
    write_model(path, {**spacy, "compatibility": {**header["compatibility"], "lemmas": "other"}}, model.arrays)
    assert Model.load(path).parser == "spacy"  # whose words and lemmas are its own
