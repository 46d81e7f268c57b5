"""The Python interface, with the real parsers and the shipped models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest
import spacy

import laconic
from laconic.errors import LaconicWarning
from laconic.parse.texts import PART_CHARS

EXAMPLE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."


def test_one_list_of_compressions_for_each_sentence() -> None:
    found = laconic.compress(
        f"{EXAMPLE} The mayor, who was in Rome, praised the officers on Sunday.", k=5, level="headline"
    )
    assert [len(compressions) for compressions in found] == [5, 5]
    for compressions in found:
        assert [c.rank for c in compressions] == [1, 2, 3, 4, 5]
        assert len({c.text for c in compressions}) == 5


@pytest.mark.parametrize("scorer", ["network", "maxent"])
def test_scores_fall_in_the_order_by_score(scorer: str) -> None:
    for compressions in laconic.load(scorer=scorer).compress(EXAMPLE, k=20, order="score", level="headline"):
        scores = [c.score for c in compressions]
        assert len(scores) == 20
        assert scores == sorted(scores, reverse=True)


def test_the_papers_example_keeps_who_did_what(compressor: laconic.Compressor) -> None:
    best = compressor.compress(EXAMPLE)[0][0]
    assert "man" in best.text
    assert "was arrested" in best.text
    assert "Friday" not in best.text
    assert best.rate == pytest.approx(len(best.text) / len(EXAMPLE))


def test_same_answer_alone_and_in_any_batch(compressor: laconic.Compressor) -> None:
    texts = [EXAMPLE, "Rain fell in Spain.", "", "Two ATMs were stolen Friday, police said."] * 3
    alone = [compressor.batch([text], k=3)[0] for text in texts]
    assert list(compressor.stream(texts, k=3, batch_size=5)) == alone
    assert compressor.batch(texts, k=3) == alone


def test_stream_yields_before_the_input_ends(compressor: laconic.Compressor) -> None:
    taken = []

    def endless() -> Iterator[str]:
        for i in itertools.count():
            taken.append(i)
            yield f"Storm number {i} hit the coast on Monday."

    results = compressor.stream(endless(), k=2)
    assert next(results).text.startswith("Storm number 0")
    assert len(taken) == 1
    assert [next(results).text.split()[2] for _ in range(20)] == [str(i) for i in range(1, 21)]


def test_doc_is_accepted_in_place_of_text(compressor: laconic.Compressor, paper_compressor: laconic.Compressor) -> None:
    doc = paper_compressor.parser.nlp(EXAMPLE)
    assert paper_compressor.compress(doc, k=3) == paper_compressor.compress(EXAMPLE, k=3)
    first, second = paper_compressor.stream([doc, EXAMPLE], k=2)
    assert first == second
    assert paper_compressor.tree(doc) == paper_compressor.tree(EXAMPLE)
    # The network takes its tree as it is, and scores it as it scores spaCy's own.
    other = "Rain fell in Spain on Monday."
    mixed = laconic.load(parser="spacy", scorer="network")
    assert compressor.tree(doc) == mixed.tree(EXAMPLE)
    expected = [*compressor.batch([other], k=3), *mixed.batch([EXAMPLE], k=3), *compressor.batch([other], k=3)]
    assert compressor.batch([other, doc, other], k=3) == expected


def test_unparsed_doc_is_refused_with_the_remedy(
    compressor: laconic.Compressor, paper_compressor: laconic.Compressor
) -> None:
    for each in (compressor, paper_compressor):
        with pytest.raises(laconic.LaconicError, match="run it through a pipeline with a parser"):
            each.compress(spacy.blank("en")(EXAMPLE))


def test_unsplit_text_is_one_sentence() -> None:
    text = "It rained on Monday. It snowed on Tuesday."
    assert len(laconic.compress(text)) == 2
    for parser in ("network", "spacy"):
        assert len(laconic.load(parser=parser, split=False).compress(text)) == 1


def test_node_subset_scorer_is_a_method(compressor: laconic.Compressor) -> None:
    found = compressor.compress(EXAMPLE, k=5, method="nss")[0]
    assert len({c.text for c in found}) == 5
    assert [c.score for c in found] != [c.score for c in compressor.compress(EXAMPLE, k=5)[0]]
    model = laconic.load(scorer="maxent")
    assert found == model.compress(EXAMPLE, k=5, method="nss")[0]  # always with the paper's model
    assert found != model.compress(EXAMPLE, k=5)[0]


def test_result_as_json_has_the_documented_form(compressor: laconic.Compressor) -> None:
    (result,) = compressor.batch([f"  {EXAMPLE}"], k=1)
    data = json.loads(json.dumps(result.to_dict()))
    assert list(data) == ["text", "sentences"]
    (sentence,) = data["sentences"]
    assert list(sentence) == ["text", "start", "end", "compressions"]
    assert (sentence["start"], sentence["end"]) == (2, 2 + len(EXAMPLE))
    assert list(sentence["compressions"][0]) == ["text", "score", "rank", "rate", "spans"]


@pytest.mark.parametrize("text", ["", "   ", "\n\t "])
def test_nothing_in_nothing_out(text: str, compressor: laconic.Compressor) -> None:
    assert list(compressor.compress(text, k=3)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Stop",
        "...",
        "👍🏽",
        "Rain in Spain",
        "🎉 The café\u0301 in Zürich opened 👩‍👩‍👧 on Monday, 東京 said.",
        "He\x00llo\x07 wo\x1brld said the man\u2028on Friday.",
        "Der Hund, der gestern bellte, hat die Katze nicht gesehen.",
        "THE MAYOR SAID ON FRIDAY THAT THE BRIDGE IS CLOSED",
        "lone \ud83d surrogate was found on Monday",
        '"""((("',
        "a" * 3000,
        "!" * 3000,
        "x" * 500 + " is a word, " + "y" * 500 + " said on Monday.",
    ],
)
@pytest.mark.parametrize("used", ["compressor", "paper_compressor"])
@pytest.mark.filterwarnings("ignore::laconic.errors.LaconicWarning")  # that some of it is long
def test_odd_text_gives_a_sensible_result_with_right_offsets(
    text: str, used: str, request: pytest.FixtureRequest
) -> None:
    (result,) = request.getfixturevalue(used).batch([text], k=3)
    assert len(result.text) == len(text)
    for sentence in result.sentences:
        assert result.text[sentence.start : sentence.end] == sentence.text
        assert sentence.compressions
        for compression in sentence.compressions:
            kept = "".join(result.text[start:end] for start, end in compression.spans)
            assert "".join(kept.split()).lower() == "".join(compression.text.split()).lower()


def test_two_thousand_words_in_one_sentence(
    compressor: laconic.Compressor, paper_compressor: laconic.Compressor
) -> None:
    text = "The man " + "who saw the dog that bit " * 400 + "left."
    with pytest.warns(LaconicWarning, match="has 2,404 words: it is read in 10 parts"):
        (network,) = compressor.batch([text], k=5)
    (paper,) = paper_compressor.batch([text], k=5)
    assert len(network.sentences) == 1
    for found in (network, paper):
        assert all(sentence.compressions for sentence in found.sentences)


@pytest.mark.parametrize("used", ["compressor", "paper_compressor"])
def test_long_text_is_parsed_in_parts_with_right_offsets(used: str, request: pytest.FixtureRequest) -> None:
    sentence = "The storm hit the coast on Monday, officials in the capital said. "
    text = sentence * (2 * PART_CHARS // len(sentence) + 5)
    (result,) = request.getfixturevalue(used).batch([text])
    assert result.text == text
    assert len(result.sentences) == text.count(sentence)
    for i, found in enumerate(result.sentences):
        assert found.start == i * len(sentence)
        assert text[found.start : found.end] == found.text


@pytest.mark.parametrize("sign", "/_-'")
def test_text_that_lost_its_spaces_is_one_word(compressor: laconic.Compressor, sign: str) -> None:
    sentence = sign.join("The storm that had crossed the sea on Friday hit the coast on Monday at noon so it".split())
    (found,) = compressor.batch([f"We saw yesterday that {sentence} is what they wrote."], level="short")
    printed = found.parts()[0][0].text
    assert (sentence in printed) == ("storm" in printed)
    run = sign.join([sentence] * (PART_CHARS // len(sentence) + 5))  # and however long it is
    with pytest.warns(LaconicWarning, match="it is read in"):
        (found,) = compressor.batch([run], level="short")
    assert [part[0].text for part in found.parts()] == [run]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k is 0"),
        ({"k": -1}, "k is -1"),
        ({"k": 10**7}, "at most 100000"),
        ({"method": "ilp2"}, "unknown method 'ilp2': use one of topdown, nss"),
        ({"rho": 1.5}, "rho is 1.5"),
        ({"rho": float("nan")}, "rho is nan"),
        ({"order": "best"}, "unknown order 'best': use one of score, expected-f1"),
        ({"method": "ilp", "order": "score"}, "order does not go with the method ilp: leave it out"),
    ],
)
def test_bad_options_are_named_with_the_remedy(options: dict, message: str, compressor: laconic.Compressor) -> None:
    with pytest.raises(laconic.LaconicError, match=message):
        compressor.compress(EXAMPLE, **options)


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["a list"]])
def test_what_is_no_text_is_named(text: object, compressor: laconic.Compressor) -> None:
    with pytest.raises(laconic.LaconicError, match="give a text"):
        compressor.compress(text)


def test_stream_refuses_one_text_and_empty_batches(compressor: laconic.Compressor) -> None:
    with pytest.raises(laconic.LaconicError, match="many texts"):
        next(compressor.stream("one text"))
    with pytest.raises(laconic.LaconicError, match="batch_size is 0"):
        next(compressor.stream(["a text"], batch_size=0))
    with pytest.raises(laconic.LaconicError, match="batch_size is '3': give 1 or more"):
        next(compressor.stream(["a text"], batch_size="3"))


@pytest.mark.parametrize("texts", [None, 5])
def test_what_is_no_list_of_texts_is_refused(texts: object, compressor: laconic.Compressor) -> None:
    with pytest.raises(laconic.LaconicError, match="several texts: give a list"):
        compressor.batch(texts)
    with pytest.raises(laconic.LaconicError, match="many texts: give a list"):
        compressor.stream(texts)


def test_what_is_no_list_of_words_is_refused(compressor: laconic.Compressor) -> None:
    for name in ("keep", "drop", "keep_all", "drop_all"):
        for call in (compressor.compress, compressor.fit):
            with pytest.raises(laconic.LaconicError, match=f"{name} is 5: give a list of"):
                call(EXAMPLE, max_chars=60, **{name: 5})
    with pytest.raises(laconic.LaconicError, match="protect is 5: give two different markers"):
        compressor.compress(EXAMPLE, protect=5)
    with pytest.raises(laconic.LaconicError, match="model is 5: use one of default, small"):
        laconic.load(5)


def test_half_a_surrogate_pair_is_no_character(compressor: laconic.Compressor) -> None:
    text = "Rain \ud83d fell on the old town, forecasters said on Monday."
    for found in (
        str(compressor.compress(text, keep=["\ud83d fell"])),
        compressor.fit(text, max_chars=40, keep=["\ud83d fell"]).text,
    ):
        assert "\ufffd fell" in found
        found.encode("utf-8")


def test_more_threads_than_cores_are_as_many_as_there_are() -> None:
    assert laconic.load("small", threads=9999).compress("Rain fell on Monday.")


def test_vocabulary_does_not_grow_with_the_input(paper_compressor: laconic.Compressor) -> None:
    paper_compressor.compress("A warm-up sentence was read.")
    before = len(paper_compressor.parser.nlp.vocab.strings)
    for i in range(30):
        paper_compressor.compress(f"Qwe{i}rty asd{i}fgh zxc{i}vbn on Monday.")
    assert len(paper_compressor.parser.nlp.vocab.strings) <= before


def test_unknown_parser_is_named_with_the_remedy() -> None:
    with pytest.raises(laconic.LaconicError, match="cannot load the parser 'no_such_model'"):
        laconic.load(parser="no_such_model")


def test_parser_without_dependency_labels_is_refused(tmp_path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(laconic.LaconicError, match="has no dependency parser"):
        laconic.load(parser=str(tmp_path / "blank"))


def test_parser_with_other_labels_is_refused(tmp_path) -> None:
    nlp = spacy.blank("de")
    nlp.add_pipe("parser").add_label("oa")
    nlp.initialize()
    nlp.to_disk(tmp_path / "other")
    with pytest.raises(laconic.LaconicError, match="labels that laconic does not know"):
        laconic.load(parser=str(tmp_path / "other"))


def test_components_that_nobody_reads_are_not_run(tmp_path) -> None:
    nlp = laconic.load(parser="spacy").parser.nlp
    nlp.add_pipe("merge_noun_chunks")
    nlp.to_disk(tmp_path / "extended")
    assert "merge_noun_chunks" not in laconic.load(parser=str(tmp_path / "extended")).parser.nlp.pipe_names
