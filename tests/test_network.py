"""The network as parser and scorer: what it says of a sentence, that nothing else changes it, and what it survives."""

from __future__ import annotations

import itertools
import random
import warnings

import numpy as np
import pytest
from command_line import run
from sentences import WRITTEN

import laconic
from laconic import Compressor, LaconicError
from laconic.errors import LaconicWarning
from laconic.levels import LEVELS
from laconic.model_folders import NAMES, model_folder
from laconic.network.runtime import BATCH_PIECES, STEP
from laconic.network.shape import MAX_PIECES
from laconic.parse import Parses, lemma_id, scheme
from laconic.parse.network import NetworkParser
from laconic.results import Result
from laconic.score import LevelScores
from laconic.tree import make_forest

#: Two of the sentences below are not English, and left as they are.
pytestmark = pytest.mark.filterwarnings("ignore::laconic.errors.LanguageWarning")

EXAMPLE = "Two brothers who ran a bakery in Lyon were fined on Tuesday, the city council said."


def varied() -> list[str]:
    """Sixty texts: short and long, in capitals, without punctuation, several sentences in one."""
    rng = random.Random(1)
    texts = list(WRITTEN)
    texts += [text.upper() for text in WRITTEN[:6]]
    texts += [text.rstrip(".").replace(",", "").lower() for text in WRITTEN[4:9]]
    texts += [" ".join(rng.sample(WRITTEN, 4)) for _ in range(5)]
    texts += [", and ".join(text.rstrip(".") for text in rng.sample(WRITTEN, n)) + "." for n in (2, 3, 4, 5, 6)]
    texts += ["", " ", "\n\n", WRITTEN[3] + "\n\n" + WRITTEN[4], "a " * 60]
    return texts


@pytest.fixture(scope="module", params=NAMES)
def compressor(request: pytest.FixtureRequest) -> Compressor:
    return laconic.load(request.param)


@pytest.fixture(scope="module")
def parser(compressor: Compressor) -> NetworkParser:
    assert isinstance(compressor.parser, NetworkParser)
    return compressor.parser


@pytest.fixture(scope="module")
def small() -> Compressor:
    return laconic.load("small")


def words_of(parses: Parses) -> list[str]:
    texts = parses.texts()
    return [
        texts[number][parses.start[row] : parses.end[row]]
        for number, first, last in parses.sentences()
        for row in range(first, last)
    ]


def check_parses(parses: Parses) -> None:
    """What every stage after the parse relies on."""
    for number, text in enumerate(parses.texts()):
        rows = slice(parses.token_ptr[number], parses.token_ptr[number + 1])
        start, end, head = parses.start[rows], parses.end[rows], parses.head[rows]
        assert (start < end).all()
        assert (end[:-1] <= start[1:]).all()
        if len(start):
            assert (start[0], end[-1]) >= (0, 0)
            assert end[-1] <= len(text)
            assert parses.sentence_start[rows][0] == 1
            assert head.min() >= 0
            assert head.max() < len(start)
        assert not "".join(text[a:b] for a, b in zip([0, *end], [*start, len(text)], strict=True)).strip()
    for number, first, last in parses.sentences():
        base = int(parses.token_ptr[number])
        head = parses.head[first:last] + base
        own = np.arange(first, last)
        roots = own[head == own]
        assert len(roots) == 1
        assert parses.label[roots[0]] == scheme.LABEL_ID["ROOT"]
        assert (parses.label[first:last] == scheme.LABEL_ID["ROOT"]).sum() == 1
        assert (parses.label[first:last] != scheme.LABEL_ID[""]).all()
        assert (parses.tag[first:last] > 0).all()
        for row in own.tolist():
            at, steps = row, 0
            while at != roots[0]:
                assert first <= at < last
                at, steps = int(head[at - first]), steps + 1
                assert steps <= last - first
        inside = (parses.entity[first:last] > 0) & (parses.entity_start[first:last] == 0)
        before = np.append(0, parses.entity[first : last - 1])
        assert (parses.entity[first:last][inside] == before[inside]).all()
        assert (parses.entity[first:last][parses.entity_start[first:last] == 1] > 0).all()


def check_result(result: Result, k: int) -> None:
    """Every compression is made of pieces of its sentence, in their order, and of nothing else."""
    text = result.text
    assert bool(result.sentences) == bool(text.strip())
    for sentence in result.sentences:
        assert text[sentence.start : sentence.end] == sentence.text
        assert 1 <= len(sentence.compressions) <= k
        assert [compression.rank for compression in sentence.compressions] == [
            *range(1, len(sentence.compressions) + 1)
        ]
        for compression in sentence.compressions:
            ends = [sentence.start, *itertools.chain.from_iterable(compression.spans), sentence.end]
            assert ends == sorted(ends)
            kept = "".join(text[start:end] for start, end in compression.spans)
            assert "".join(kept.split()).casefold() == "".join(compression.text.split()).casefold()
            assert compression.text


def by_text(parses: Parses, given: LevelScores) -> list[tuple[bytes, ...]]:
    """Every bit of what is known of every text."""
    names = "start end head label tag lemma entity entity_start sentence_start".split()
    columns = [*(getattr(parses, name) for name in names), given.retain, given.need, given.root, given.keep]
    return [
        tuple(column[a:b].tobytes() for column in columns) for a, b in itertools.pairwise(parses.token_ptr.tolist())
    ]


# What it says.


def test_words_tags_heads_and_labels_of_a_sentence(parser: NetworkParser) -> None:
    parses = parser.parse(["Two men robbed a bank on Friday."])
    words = words_of(parses)
    assert words == ["Two", "men", "robbed", "a", "bank", "on", "Friday", "."]
    assert [scheme.TAGS[tag] for tag in parses.tag] == ["CD", "NNS", "VBD", "DT", "NN", "IN", "NNP", "."]
    assert [words[head] for head in parses.head] == [
        "men",
        "robbed",
        "robbed",
        "bank",
        "robbed",
        "robbed",
        "on",
        "robbed",
    ]
    assert [scheme.LABELS[label] for label in parses.label] == (
        ["nummod", "nsubj", "ROOT", "det", "dobj", "prep", "pobj", "punct"]
    )
    assert [scheme.ENTITIES[entity] for entity in parses.entity] == ["CARDINAL", "", "", "", "", "", "DATE", ""]
    assert parses.entity_start.tolist() == [1, 0, 0, 0, 0, 0, 1, 0]


def test_entities_of_several_words_begin_once(parser: NetworkParser) -> None:
    parses = parser.parse(["Angela Merkel met Tim Cook in New York on Monday."])
    found = [
        (scheme.ENTITIES[parses.entity[row]], int(parses.entity_start[row])) for row in range(len(parses.start) - 1)
    ]
    assert found == [("PERSON", 1), ("PERSON", 0), ("", 0), ("PERSON", 1), ("PERSON", 0), ("", 0), ("GPE", 1),
                     ("GPE", 0), ("", 0), ("DATE", 1)]  # fmt: skip


def test_sentences_of_a_text_are_parsed_apart_and_offsets_count_from_its_start(parser: NetworkParser) -> None:
    text = "It rained. The streets were empty.\n\nNobody came."
    parses = parser.parse([text, "Snow fell."])
    assert [(number, last - first) for number, first, last in parses.sentences()] == [(0, 3), (0, 5), (0, 3), (1, 3)]
    check_parses(parses)
    verbs = [words_of(parses)[row] for row in range(len(parses.start)) if parses.label[row] == scheme.LABEL_ID["ROOT"]]
    assert verbs == ["rained", "were", "came", "fell"]


def test_lemmas_are_those_of_the_words(parser: NetworkParser) -> None:
    parses = parser.parse(["The men were seen."])
    assert parses.lemma.tolist() == [lemma_id(word) for word in ("the", "man", "be", "see", ".")]


def test_good_compressions_of_a_plain_sentence(compressor: Compressor) -> None:
    (found,) = compressor.compress(EXAMPLE, k=5, level="headline")
    texts = [compression.text for compression in found]
    assert len(texts) == len(set(texts)) == 5
    assert any(text in ("Two brothers were fined.", "Two brothers who ran a bakery were fined.") for text in texts)
    assert all("Two brothers" in text for text in texts[:2])


def test_a_negation_stays_with_its_verb(compressor: Compressor) -> None:
    for (found,) in [compressor.compress("Volvo will not close its plant in Ghent, a spokesman said on Friday.", k=10)]:
        assert all("not close" in compression.text for compression in found if "close" in compression.text)


@pytest.mark.parametrize("split", [True, False])
def test_every_parse_is_a_tree_with_one_root_a_sentence(split: bool) -> None:
    parser = NetworkParser(model_folder("small"), split=split)
    parses = parser.parse(varied())
    check_parses(parses)
    if not split:
        assert len(parses.sentences()) == sum(bool(text.strip()) for text in varied())


def test_probabilities_are_such_and_not_all_the_same(parser: NetworkParser) -> None:
    parses, given = parser.read(varied())
    assert given.retain.shape == given.root.shape == given.keep.shape == (len(parses.start), len(LEVELS))
    forest = make_forest(parses)
    for level in LEVELS:
        own = given.at(forest, level)
        assert len(own.retain) == len(own.root_retain) == len(own.evidence) == len(parses.start)
        assert own.retain.min() >= 0
        assert own.retain.max() <= 1
        assert own.retain.std() > 0.1
        # The dummy root's edge goes to few words.
        assert 0 < (own.root_retain > 0.5).mean() < 0.3
    settings, own = parser.network.header["decoding"], given.headline()
    assert (own.rho, own.objective, own.order) == (settings["rho"], settings["objective"], settings["order"])


def test_a_longer_level_keeps_more_words(parser: NetworkParser) -> None:
    _, given = parser.read(WRITTEN)
    light, medium, short, _ = given.keep.mean(0)
    assert light > medium > short


def test_evidence_is_weighted_as_the_header_says(small: Compressor) -> None:
    parser = small.scorer
    assert isinstance(parser, NetworkParser)
    given = parser.read([EXAMPLE])[1].headline()
    assert given.evidence is not None
    assert (given.evidence != 0).all()
    assert given.word_weight == parser.network.header["decoding"]["word_weight"]


@pytest.mark.parametrize("model", ["default", "small"])
def test_a_higher_rho_prints_more(model: str) -> None:
    compressor = laconic.load(model)
    lengths = [
        sum(len(compressor.compress(text, rho=rho, level="headline")[0][0].text) for text in WRITTEN[:12])
        for rho in (0, 0.2, 0.8, 1)
    ]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[1] < lengths[2] < lengths[3]


# That nothing else changes it.


def test_a_text_alone_and_among_others_is_read_the_same_to_the_bit(parser: NetworkParser) -> None:
    texts = varied()
    together = by_text(*parser.read(texts))
    assert [by_text(*parser.read([text]))[0] for text in texts] == together
    rng = random.Random(2)
    for _ in range(3):
        order = rng.sample(range(len(texts)), len(texts))
        assert by_text(*parser.read([texts[i] for i in order])) == [together[i] for i in order]
    assert by_text(*parser.read(texts * 3)) == together * 3


def test_a_sentence_alone_and_in_a_text_is_read_the_same_to_the_bit(parser: NetworkParser) -> None:
    (whole,) = by_text(*parser.read([f"{EXAMPLE} {WRITTEN[4]}"]))
    (alone,) = by_text(*parser.read([EXAMPLE]))
    for place in (3, 4, 6, 7, 9, 10, 11):  # label, tag, entities, probabilities: what has no offsets in it
        assert whole[place].startswith(alone[place])


def test_a_sentence_is_padded_by_its_own_length_and_batches_stay_small(parser: NetworkParser) -> None:
    # Whether padding changes a result depends on the processor: so it may not depend on what else is in the batch.
    network = parser.network
    tokens = [text.split() for text in varied() if text.strip()] * 3
    sentences = [network.pieces.read(words)[:200] for words in tokens]
    sentences = [words for words in sentences if sum(len(own) for own, _ in words) <= MAX_PIECES]
    seen = []
    for batch in network.run(sentences):
        length = batch.arc.shape[1]
        assert batch.arc.shape[0] == len(batch.numbers) <= max(1, BATCH_PIECES // length)
        for number, first in zip(batch.numbers, batch.first, strict=True):
            pieces = sum(len(own) for own, _ in sentences[number]) + 2
            assert length == -(-pieces // STEP) * STEP
            assert first == [1 + sum(len(own) for own, _ in sentences[number][:i]) for i in range(len(first))]
            assert len(first) == len(sentences[number])
            seen.append(number)
    assert sorted(seen) == list(range(len(sentences)))


@pytest.mark.parametrize("batch_size", [1, 2, 7, 64, 128])
def test_results_do_not_depend_on_the_batch_size(compressor: Compressor, batch_size: int) -> None:
    texts = varied()
    expected = compressor.batch(texts, k=5)
    assert list(compressor.stream(texts, k=5, batch_size=batch_size)) == expected
    backwards = list(compressor.stream(iter(texts[::-1]), k=5, batch_size=batch_size))
    assert backwards[::-1] == expected


@pytest.mark.parametrize("name", NAMES)
def test_threads_change_nothing(name: str) -> None:
    one, two = (NetworkParser(model_folder(name), threads=threads) for threads in (1, 2))
    assert by_text(*one.read(varied())) == by_text(*two.read(varied()))


def test_a_full_memory_changes_nothing(small: Compressor, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = small.batch(varied(), k=3)
    monkeypatch.setattr("laconic.network.pieces._REMEMBERED", 5)
    monkeypatch.setattr("laconic.parse.network._REMEMBERED", 5)
    assert small.batch(varied(), k=3) == expected
    assert list(small.stream(varied(), k=3, batch_size=4)) == expected


def test_a_network_scores_its_own_trees_as_it_reads_them(parser: NetworkParser) -> None:
    parses, given = parser.read(varied())
    again = parser.score(parses)
    for name in ("retain", "root", "keep"):
        assert (getattr(again, name) == getattr(given, name)).all()


# Long sentences.


def long_sentence(words: int) -> str:
    phrases = "the old mill by the river , which a farmer from Kent had bought in May ,".split()
    return " ".join(itertools.islice(itertools.cycle(phrases), words - 4)) + " was sold again ."


def test_a_sentence_of_a_thousand_words_is_one_sentence_and_a_warning_says_how_it_was_read(
    compressor: Compressor,
) -> None:
    text = long_sentence(1000)
    message = r"the sentence 'the old mill .* has 1,000 words: it is read in \d parts of up to 254 word pieces, whose"
    with pytest.warns(LaconicWarning, match=message) as caught:
        (result,) = compressor.batch([text], k=3)
    assert len(caught) == 1
    assert len(result.sentences) == 1
    assert len(result.sentences[0].compressions) == 3
    check_result(result, 3)
    with pytest.warns(LaconicWarning):
        parses = compressor.parser.parse([text])
    check_parses(parses)
    assert len(parses.start) == 1000


def test_what_stands_around_a_long_sentence_is_read_as_ever(parser: NetworkParser) -> None:
    with pytest.warns(LaconicWarning) as caught:
        parses, given = parser.read(
            [EXAMPLE, long_sentence(700), f"{EXAMPLE} {long_sentence(600)} {WRITTEN[4]}", "Hi."]
        )
    assert len(caught) == 2
    with pytest.warns(LaconicWarning):
        long_alone = by_text(*parser.read([long_sentence(700)]))
    check_parses(parses)
    assert [number for number, _, _ in parses.sentences()] == [0, 1, 2, 2, 2, 3]
    found = by_text(parses, given)
    assert found[0] == by_text(*parser.read([EXAMPLE]))[0]
    assert found[1] == long_alone[0]
    assert found[3] == by_text(*parser.read(["Hi."]))[0]
    last = by_text(*parser.read([WRITTEN[4]]))[0]
    for place in (3, 4, 6, 7, 9, 10, 11):
        assert found[2][place].endswith(last[place])


@pytest.mark.parametrize("pieces", [253, 254, 255, 256])
def test_only_a_sentence_of_more_pieces_than_fit_is_cut(small: Compressor, pieces: int) -> None:
    text = "go " * pieces
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parses = small.parser.parse([text])
    check_parses(parses)
    assert len(caught) == (pieces > MAX_PIECES)


def test_the_command_says_in_one_line_that_a_sentence_is_long() -> None:
    done = run("compress", "--model", "small", "--no-progress", stdin=f"{long_sentence(1000)}\n{EXAMPLE}\n".encode())
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("laconic: warning: the sentence 'the old mill")
    assert "has 1,000 words" in line


# What it survives.

ROBUST = {
    "empty": "",
    "white space": " \t\n\u00a0\u3000 ",
    "emoji": "😀",
    "family of emoji": "👨‍👩‍👧‍👦 👍🏽 🇫🇷",
    "control characters": "The \x01\x02man\x7f was\x1b[31m fined\x08 in\x9f Rome.",
    "nul": "The man\x00 was fined\x00.",
    "only nul": "\x00",
    "lone surrogates": "The man \ud83d was fined \ude00 on Friday.",
    "only surrogate": "\udfff",
    "zero width": "The\u200b man\u200d \ufeffwas\u2060 fined\u200e.\u202e",
    "only zero width": "\u200b \u200b",
    "combining": "T\u0301\u0302\u0303\u0304h\u0305e m\u0336a\u0336n\u0336 was fined." + "\u0300" * 300,
    "chinese": "昨天，警方在北京逮捕了一名男子。他偷了三辆自行车！",
    "arabic": "قالت الشرطة إن رجلاً اعتقل في القاهرة يوم الجمعة.",
    "german": "Die Polizei hat am Freitag in Köln einen Mann festgenommen, der drei Fahrräder gestohlen haben soll.",
    "capitals": "POLICE IN LEEDS SAID A MAN WHO STOLE THREE BIKES WAS NOT ARRESTED ON FRIDAY.",
    "no punctuation": "police in leeds said a man who stole three bikes was arrested on friday after a chase",
    "tweet": "RT @police_leeds: man who stole 3 bikes ARRESTED!!! 🚲🚔 #leeds #crime https://t.co/aB3xYz… via @bbc",
    "ocr": "Tl1e po1ice sa id tlie m an wh0 sto-\nle three b1kes w as arres ted ,, on Fri day .|",
    "title case": "Man Who Stole Three Bikes In Leeds Is Arrested After Chase Through City",
    "punctuation": "?!… -- ( ) [ ] “ ” ' \" . , ; : * & ^ % $ # @ ~ ` | \\ / < >",
    "many full stops": "." * 500,
    "many quotes": '"' * 301 + " he said " + "'" * 301,
    "numbers": "1 2 3 4 5,000.00 6e7 -8 +9 10% $11 €12 13:14 15/16/17 18-19",
    "lines": "\r\n".join(WRITTEN[:5]),
    "table": "a\tb\tc\n1\t2\t3\n\n\n4\t5\t6",
    "html": "<p>The <b>man</b> &amp; his dog</p><script>alert(1)</script>",
    "private use and noncharacters": "\ue000 \uffff \U0010ffff said so.",
    "letters that change length with case": "İstanbul'da ﬁne ßtraße ŉ ǰ were seen. ﬁne words were said.",
    "right-to-left marks": "\u202bThe man was fined.\u202c",
}


@pytest.mark.parametrize("name", ROBUST)
def test_any_text_gives_compressions_of_its_own_words(compressor: Compressor, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LaconicWarning)
        (result,) = compressor.batch([ROBUST[name]], k=4)
        check_parses(compressor.parser.parse([ROBUST[name]]))
    check_result(result, 4)
    assert len(result.text) == len(ROBUST[name])


def test_odd_texts_do_not_change_their_neighbours(compressor: Compressor) -> None:
    odd = list(ROBUST.values())
    texts = [text for pair in zip(odd, itertools.cycle(WRITTEN), strict=False) for text in pair]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LaconicWarning)
        found = compressor.batch(texts, k=2)
    assert found[1::2] == compressor.batch(texts[1::2], k=2)


def test_capitals_and_missing_punctuation_are_understood(compressor: Compressor) -> None:
    for name in ("capitals", "no punctuation"):
        ((best, *_),) = compressor.compress(ROBUST[name])
        assert {"man", "arrested"} <= set(best.text.lower().rstrip(".").split())
        assert best.rate < 0.8


def test_two_hundred_kilobytes_of_text(small: Compressor) -> None:
    sentences = 200_000 // len(EXAMPLE)
    (result,) = small.batch([f"{EXAMPLE} " * sentences])
    check_result(result, 1)
    assert len(result.sentences) == sentences
    assert len({sentence.compressions[0].text for sentence in result.sentences}) == 1


@pytest.mark.parametrize("char", ["x", "é", "😀", "\x00", "-", "\u200b", "中"])
def test_a_run_of_one_character_without_a_space(small: Compressor, char: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LaconicWarning)
        (result,) = small.batch([char * (100_000 // len(char.encode()))])
    check_result(result, 1)


def test_texts_that_are_none_are_refused(small: Compressor) -> None:
    for text in (None, 3, b"The man was fined."):
        with pytest.raises((LaconicError, TypeError)):
            small.compress(text)  # type: ignore[arg-type]


# spaCy's trees.


@pytest.fixture(scope="module")
def by_spacy() -> Compressor:
    return laconic.load("small", parser="spacy", scorer="network")


def test_the_trees_of_a_spacy_pipeline_are_scored_by_the_network(by_spacy: Compressor) -> None:
    assert by_spacy.parser is not by_spacy.scorer
    texts = [text for text in varied() if len(text.split()) < 40]
    for result in by_spacy.batch(texts, k=3):
        check_result(result, 3)
    (found,) = by_spacy.compress(EXAMPLE, k=5)
    assert any(compression.text.startswith("Two brothers") for compression in found[:2])
    assert found[0].rate < 0.9
    together = by_spacy.batch(texts, k=3)
    assert [by_spacy.batch([text], k=3)[0] for text in texts] == together


def test_docs_among_texts_are_taken_as_they_are(small: Compressor, by_spacy: Compressor) -> None:
    nlp = by_spacy.parser.nlp
    texts = WRITTEN[:6]
    docs = [nlp(text) for text in texts]
    mixed = small.batch([texts[0], docs[1], docs[2], texts[3], docs[4], texts[5]], k=3)
    from_texts, from_docs = small.batch(texts, k=3), small.batch(docs, k=3)
    for i, given in enumerate("tddtdt"):
        assert mixed[i] == (from_texts if given == "t" else from_docs)[i]
        check_result(mixed[i], 3)
    # A Doc goes the same way as its text through the pipeline that made it.
    assert from_docs == by_spacy.batch(docs, k=3)


def test_white_space_tokens_of_spacy_are_not_shown_to_the_network(small: Compressor, by_spacy: Compressor) -> None:
    nlp = by_spacy.parser.nlp
    parser = small.scorer
    assert isinstance(parser, NetworkParser)
    plain, spaced = (parser.read([nlp(text)]) for text in ("Snow fell in Rome.", "Snow  fell\n in Rome."))
    texts = spaced[0].texts()[0]
    rows = [
        row for row, (a, b) in enumerate(zip(spaced[0].start, spaced[0].end, strict=True)) if not texts[a:b].isspace()
    ]
    assert len(rows) == len(plain[0].start) < len(spaced[0].start)
    assert (spaced[1].retain[rows] == plain[1].retain).all()
