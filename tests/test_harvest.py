"""From headlines to training items: every filter, the match with the tree, the files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from harvest_files import LEAD, ROWS, read, write

import laconic
from laconic import LaconicError
from laconic.bulk import Column, LocalEngine, run
from laconic.corpus.read import read_corpus
from laconic.harvest import Harvested, Harvester, HarvestJob, Reason, Rejected, Settings
from laconic.harvest.boilerplate import clean_text, is_unfinished, noise, readings
from laconic.harvest.harvest_job import HEADLINE, TEXT


@pytest.fixture(scope="module")
def harvester(paper_compressor: laconic.Compressor) -> Harvester:
    return Harvester(paper_compressor.parser)


def one(harvester: Harvester, headline: str, text: str) -> Harvested | Rejected:
    (outcome,) = harvester.harvest([(headline, text)])
    return outcome


@pytest.mark.parametrize(
    ("headline", "text", "compression"),
    [
        ("Ann Lee opens new library near harbour", LEAD, "Ann Lee opened a new library near the harbour."),
        # inflected otherwise, and a number as a word
        (
            "3 children hurt as bus hits tree in Leeds",
            "Three children were hurt as a school bus hit a tree in Leeds early on Friday, witnesses said.",
            "Three children were hurt as a bus hit a tree in Leeds.",
        ),
        # the topic before a colon, the paper after a bar, a label in front
        ("Bergen: Ann Lee opens new library | The Daily Fjord", LEAD, "Ann Lee opened a new library."),
        ("WATCH: Ann Lee opens new library near harbour", LEAD, "Ann Lee opened a new library near the harbour."),
        # a dateline, a credit and characters of a page
        ("Ann Lee opens new library", f"BERGEN, Norway (NTB) - {LEAD}", "Ann Lee opened a new library."),
        ("Ann Lee opens new library", f"Image source, Getty Images {LEAD}", "Ann Lee opened a new library."),
        (
            "Stone & Sons close shop in Leeds",
            "Stone &amp; Sons will close their oldest shop in Leeds after a hundred years of business.",
            "Stone & Sons will close their shop in Leeds.",
        ),
        ("Ann Lee opens new library", f"Ann Lee opens new library {LEAD}", "Ann Lee opened a new library."),
        # an article: its first sentence counts
        (
            "Ann Lee opens new library",
            f"{LEAD} Old libraries were closed last year. Ann Lee opens new library after new library.",
            "Ann Lee opened a new library.",
        ),
        # capitals say nothing where all letters are
        ("ANN LEE OPENS NEW LIBRARY", LEAD, "Ann Lee opened a new library."),
        # a negation in both
        (
            "Ferry will not sail on Friday",
            "The ferry between Bergen and Stavanger will not sail on Friday because of a storm.",
            "The ferry will not sail on Friday.",
        ),
    ],
)
def test_a_pair_becomes_an_item(harvester: Harvester, headline: str, text: str, compression: str) -> None:
    outcome = one(harvester, headline, text)
    assert isinstance(outcome, Harvested), outcome
    assert outcome.compression == compression


def test_the_subject_comes_along(harvester: Harvester) -> None:
    text = "A woman from Leeds was arrested on Monday after she allegedly stabbed her neighbour with a fork."
    outcome = one(harvester, "Woman arrested after stabbing neighbour", text)
    assert isinstance(outcome, Harvested)
    assert outcome.compression == "A woman was arrested after she stabbed her neighbour."


def test_a_match_through_coreference_prints_the_antecedent(harvester: Harvester) -> None:
    text = "Aluminum producer Alcoa Inc said on Tuesday it will permanently close its smelter in Bergen."
    outcome = one(harvester, "Alcoa to close smelter in Bergen", text)
    assert isinstance(outcome, Harvested)
    assert outcome.compression == "Alcoa Inc will close its smelter in Bergen."
    kept = [token for token, keep in zip(outcome.tokens, outcome.keep, strict=True) if keep]
    assert kept == ["it", "will", "close", "its", "smelter", "in", "Bergen"]  # the subtree has the pronoun


def test_a_word_that_occurs_twice_is_matched_where_the_order_allows(harvester: Harvester) -> None:
    text = "In the city of Leeds, five Leeds officers were charged on Thursday evening with theft."
    outcome = one(harvester, "Five Leeds officers charged with theft", text)
    assert isinstance(outcome, Harvested)
    assert outcome.compression.startswith("Five Leeds officers")


@pytest.mark.parametrize(
    ("reason", "headline", "text"),
    [
        (Reason.EMPTY, "", LEAD),
        (Reason.EMPTY, "Ann Lee opens new library", " \n "),
        (Reason.MARKUP, "Ann Lee opens new library", f"<p>{LEAD}"),
        (Reason.PHOTO_CREDIT, "Ann Lee opens new library", f"Image source, Family handout Image caption, {LEAD}"),
        (Reason.PHOTO_CREDIT, "Ann Lee opens new library", "(Photo: City of Bergen) " + LEAD),
        (Reason.BYLINE, "Ann Lee opens new library", "By Olav Berg Reporter " + LEAD),
        (Reason.PAGE_TEXT, "Ann Lee opens new library", "Read more about how Ann Lee opened a new library."),
        (Reason.PAGE_TEXT, "Ann Lee opens new library", "Watch Ann Lee open a new library near the old harbour."),
        (Reason.PAGE_TEXT, "Ann Lee opens new library", "The latest Tweet by Fjord News: Ann Lee opens new library."),
        (Reason.FOREIGN, "Ann Lee opens new library", "Мэр Бергена открыла новую библиотеку рядом с портом города."),
        (Reason.QUESTION, "Will Ann Lee open new library?", LEAD),
        (Reason.QUESTION, "Why Ann Lee opens new library", LEAD),
        (Reason.SHORT_HEADLINE, "Ann Lee opens", LEAD),
        (Reason.SHORT_SENTENCE, "Ann Lee opens new library", "It opened."),
        (Reason.UNFINISHED, "Ann Lee opens new library", LEAD.removesuffix("said.") + "s"),
        (Reason.UNFINISHED, "Ann Lee opens new library", LEAD.removesuffix(".") + "..."),
        (Reason.RATIO, "Mayor Ann Lee opened new library near old harbour of Bergen on Monday", LEAD),
        (Reason.MISSING, "Ann Lee opens new theatre", LEAD),
        (Reason.NO_VERB, "New library near the harbour", LEAD),
        (Reason.STARTS_WITH_VERB, "Opened a library near harbour", LEAD),
        (Reason.ORDER, "New library opened near harbour Ann Lee", LEAD),
        (Reason.NEGATION, "Ann Lee not to open library", LEAD),
        (Reason.NEGATION, "Ferry sails on Friday", "The ferry will not sail on Friday because of a storm."),
        (
            Reason.BARE_VERB,
            "Men in Leeds jailed",
            "Men who had sold several hundred stolen bicycles to unsuspecting students in Leeds were jailed.",
        ),
        (
            Reason.DANGLING,
            "Song won prize in Oslo",
            "The singer whose song won a prize in Oslo last year has retired from music.",
        ),
        (
            Reason.LONG_COMPRESSION,
            "Children hurt as bus hits tree in Leeds",
            "Three children were hurt when a school bus hit a tree beside the oldest stone church in Leeds on Friday.",
        ),
    ],
)  # fmt: skip
def test_a_pair_is_rejected_with_its_reason(harvester: Harvester, reason: Reason, headline: str, text: str) -> None:
    outcome = one(harvester, headline, text)
    assert isinstance(outcome, Rejected), outcome
    assert outcome.reason == reason, outcome


def test_a_sentence_may_be_too_long(paper_compressor: laconic.Compressor) -> None:
    strict = Harvester(paper_compressor.parser, Settings(max_words=10))
    assert one(strict, "Ann Lee opens new library", LEAD) == Rejected(Reason.LONG_SENTENCE, "20 tokens")


def test_words_in_capitals_are_words(harvester: Harvester) -> None:
    text = "A man in Leeds was not guilty of theft, and the chief of the WHO did not warn of a new wave, it was said."
    found = one(harvester, "Chief of WHO does NOT warn", text)
    assert isinstance(found, Harvested)
    assert found.compression == "The chief of the WHO did not warn."
    # All words are there, only in another order: "WHO" asks nothing.
    assert one(harvester, "WHO chief warns of new wave", text) == Rejected(Reason.ORDER, "")
    assert one(harvester, "Who warns of new wave", text) == Rejected(Reason.QUESTION, "")


def test_each_reading_must_be_shorter_than_the_sentence(harvester: Harvester) -> None:
    text = "The council in Leeds will close ten old libraries."  # 9 words: too few for 7, enough for 6
    outcome = one(harvester, "Leeds: council will close ten old libraries", text)
    assert isinstance(outcome, Harvested)
    assert outcome.headline == "council will close ten old libraries"


def test_a_word_that_the_headline_has_twice_is_missing_where_it_is_there_once(harvester: Harvester) -> None:
    text = "A big dog attacked a man in the old town of Bergen on Monday, the police said."
    assert one(harvester, "Dog attacks man and dog", text) == Rejected(Reason.MISSING, "dog, 2 times")


def test_thresholds_are_settings(paper_compressor: laconic.Compressor) -> None:
    pair = ("Ann Lee opens new theatre", LEAD)
    assert isinstance(one(Harvester(paper_compressor.parser, Settings(max_missing=1)), *pair), Harvested)
    order = ("New library opened by Ann Lee", LEAD)
    assert isinstance(one(Harvester(paper_compressor.parser, Settings(in_order=False)), *order), Harvested)
    with pytest.raises(LaconicError, match="min_words is 0: give a number from 1"):
        Settings(min_words=0)


def test_the_outcome_does_not_depend_on_the_batch(harvester: Harvester) -> None:
    pairs = [
        ("Ann Lee opens new library", LEAD),
        ("", ""),
        ("Ferry will sail", "The ferry sails."),
        ("A b c d", "x" * 9000),
    ]
    together = harvester.harvest(pairs)
    assert together == [one(harvester, *pair) for pair in pairs]
    assert harvester.harvest([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01\x02",
        "🎉" * 3000,
        "a" * 50_000,
        "a - " + "x" * 1900 + "#",
        "(" + "A" * 1900 + "#",
        "?" * 5000,
        "\ud800 half",
        "The " * 3000 + "end.",
    ],
)
def test_odd_texts_are_only_rejected(harvester: Harvester, text: str) -> None:
    assert isinstance(one(harvester, "Ann Lee opens new library", text), Rejected)
    assert isinstance(one(harvester, text, LEAD), Rejected)


def test_items_are_what_training_reads(harvester: Harvester, tmp_path: Path) -> None:
    text = "Aluminum producer Alcoa Inc said on Tuesday it will permanently close its smelter in Bergen."
    pairs = [("Ann Lee opens new library", LEAD), ("Alcoa to close smelter in Bergen", text)]
    items = [item for item in harvester.harvest(pairs) if isinstance(item, Harvested)]
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item.to_dict()) + "\n" for item in items))
    read = list(read_corpus(path, trees="corpus"))
    assert [item.text for item in read] == [item.sentence for item in items]
    for item, source in zip(read, items, strict=True):
        words = [source.sentence[start:end] for start, end in item.kept]
        kept = [token for token, keep in zip(source.tokens, source.keep, strict=True) if keep]
        assert words == kept
        assert item.tree == source.tree


# pages


@pytest.mark.parametrize(
    "headline",
    ["Dog bites man", "Dog bites man - The Daily Dog", "“Dog bites man”", "VIDEO: Dog bites man"],
)
def test_what_surrounds_a_headline_is_not_read(headline: str) -> None:
    assert readings(headline) == ["Dog bites man"]


def test_a_headline_is_read_with_what_stands_before_a_colon_and_without_it() -> None:
    assert readings("Dogs: One bites man") == ["Dogs: One bites man", "One bites man"]
    assert readings("Record-breaking dog bites man") == ["Record-breaking dog bites man"]


@pytest.mark.parametrize(
    "dateline",
    ["(CNN) ", "(CNN)", "(Bloomberg) -- ", "LONDON (Reuters) - ", "NEW DELHI: ", "PARIS, May 3 -- ",
     "Washington [US], March 6 (ANI): ", "Beijing, March 4 ", "Washington: ", "India News: ",
     "Image source, Getty Images "],
)  # fmt: skip
def test_datelines_are_cut_off(dateline: str) -> None:
    assert clean_text(dateline + "The dog bit a man.") == "The dog bit a man."


@pytest.mark.parametrize(
    "text",
    ["The dog bit a man.", "NATO says that it will help.", "A dog (a big one) bit a man.", "May 3 is a holiday.",
     "London, where dogs bite, is big.", "Images of the dog went viral.",
     "Play was suspended at the US Open.",
     "Shop workers will strike in May.", "A gun bill sponsored by Ann Lee failed.", "A video by activists shows a dog.",
     "By Monday Hurricane Ida had passed.", "US – China trade talks began.", "She sold a million cookies."],
)  # fmt: skip
def test_sentences_are_left_alone(text: str) -> None:
    assert clean_text(text) == text
    assert noise(text) is None
    assert not is_unfinished(text)


# files


@pytest.mark.parametrize("inside", [".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet"])
def test_every_format_in_gives_the_same_items(tmp_path: Path, inside: str) -> None:
    source = write(tmp_path / f"in{inside}", ROWS)
    summary = run(HarvestJob(), [source], [HEADLINE, TEXT], tmp_path / "out.jsonl", distinct=True, engine=_here())
    assert summary.counts == {"accepted": 2, str(Reason.MISSING): 1, "duplicate": 1}
    assert [item["id"] for item in read(tmp_path / "out.jsonl")] == ["1", "4"]


def test_every_format_out_has_the_same_items(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", ROWS)
    found = {}
    for suffix in (".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet"):
        out, why = tmp_path / f"out{suffix}", tmp_path / f"why{suffix}"
        job = HarvestJob(suffix=suffix, explain=suffix)
        run(
            job,
            [source],
            [HEADLINE, TEXT],
            out,
            more={"rejected": why},
            distinct=True,
            engine=_here(),
            partition_rows=3,
        )
        found[suffix] = (read(out), read(why))
    for (left, one), (right, other) in itertools.combinations(found.items(), 2):
        assert [_plain(row) for row in one[0]] == [_plain(row) for row in other[0]], (left, right)
        assert [_plain(row) for row in one[1]] == [_plain(row) for row in other[1]], (left, right)
    rejected = found[".jsonl"][1]
    assert [(row["id"], row["reason"], row["detail"]) for row in rejected] == [
        ("2", Reason.MISSING, "theatre"),
        ("3", Reason.DUPLICATE, rejected[1]["detail"]),
    ]


def test_named_columns(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", [{"h": row["headline"], "t": row["lead"]} for row in ROWS])
    with pytest.raises(LaconicError, match=r"in\.csv.*headline.*h, t"):
        run(HarvestJob(), [source], [HEADLINE, TEXT], tmp_path / "out.jsonl", engine=_here())
    run(HarvestJob(), [source], [Column(("h",)), Column(("t",))], tmp_path / "out.jsonl", engine=_here())
    assert len(read(tmp_path / "out.jsonl")) == 3


def _plain(row: dict) -> dict:
    return {name: int(value) if name == "id" else value for name, value in row.items()}


def _here() -> LocalEngine:
    return LocalEngine(workers=1)


def test_the_parser_is_a_spacy_pipeline() -> None:
    assert HarvestJob(parser="spacy").describe() == HarvestJob().describe()
    with pytest.raises(LaconicError, match="by the lemmas of spaCy: use the parser spacy, or a spaCy pipeline"):
        HarvestJob(parser="network").describe()
