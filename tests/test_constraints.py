"""Constraints: what must stay is in every print, what must go is in none, and what cannot be is refused by name."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bulk_job import write_lines, written
from sentences import EXAMPLE, SENTENCES

from laconic import Compression, Compressor, LaconicError, Result
from laconic.limits import Constraint, Limits
from laconic.limits.markers import take_markers_out
from laconic.parse import SpacyParser, scheme

if TYPE_CHECKING:
    from spacy.tokens import Doc

MARKERS = ("[[", "]]")


@pytest.fixture(scope="module")
def inputs(system: Compressor) -> list[str | Doc]:
    """The sentences; for the paper's system parsed once and for all, which it takes as it takes their texts."""
    return list(system.parser.nlp.pipe(SENTENCES)) if isinstance(system.parser, SpacyParser) else list(SENTENCES)


def squeeze(text: str) -> str:
    return "".join(text.split())


def stays(words: str, printed: str) -> bool:
    """Whether words are in a print, up to white space and a capital at its front."""
    words, printed = squeeze(words), squeeze(printed)
    return words in printed or front(printed).startswith(front(words))


def front(text: str) -> str:
    """Without marks at the front and the capital behind them."""
    text = re.sub(r"^\W+", "", text)
    return text[:1].lower() + text[1:]


def count(words: str, text: str) -> int:
    """How often words are in a text, in any case of letters."""
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))


def plain_words(text: str) -> list[tuple[int, int]]:
    """Spans of the words with white space around them, without punctuation at their ends."""
    found = []
    for match in re.finditer(r"\S+", text):
        word = match.group().strip(",;:!?()\"“”‘’«»-'")
        if not re.fullmatch(r".*\.\w*\.|\w\.|Mr\.|Dr\.|Inc\.|Corp\.|-5°C", word):
            word = word.rstrip(".")
        if match.group() == "-5°C":
            word = "-5°C"
        if word:
            start = text.index(word, match.start())
            found.append((start, start + len(word)))
    return found


def around(result: Result, span: tuple[int, int]) -> tuple[Compression, ...]:
    """The compressions of the sentence that a span is in."""
    (sentence,) = [each for each in result.sentences if each.start <= span[0] and span[1] <= each.end]
    return sentence.compressions


def texts(found: list[list[Compression]]) -> list[str]:
    return [each.text for sentence in found for each in sentence]


#: What is asked for on top of a word that must stay or go, word by word.
EXTRA = [
    {},
    {"rate": 0.5, "nearest": True},
    {"max_words": 5, "nearest": True},
    {"order": "score"},
    {"min_rate": 0.8, "nearest": True},
]


def test_every_word_that_is_kept_is_in_every_compression(system: Compressor, inputs: list) -> None:
    for text, given in zip(SENTENCES, inputs, strict=True):
        for n, (start, end) in enumerate(plain_words(text)):
            word = text[start:end]
            keep = word if n % 2 and count(word, text) == 1 else (start, end)
            (result,) = system.batch([given], 3, keep=[keep], **EXTRA[n % len(EXTRA)])
            for each in around(result, (start, end)):
                assert stays(word, each.text), (word, each.text)
                assert any(first <= start and end <= last for first, last in each.spans)


def test_every_word_that_is_dropped_is_in_no_compression(system: Compressor, inputs: list) -> None:
    refused = 0
    for text, given in zip(SENTENCES, inputs, strict=True):
        for n, (start, end) in enumerate(plain_words(text)):
            word = text[start:end]
            if count(word, text) > 1:
                continue
            try:
                (result,) = system.batch([given], 3, drop=[word if n % 2 else (start, end)], **EXTRA[n % len(EXTRA)])
            except LaconicError as error:
                assert "leaves nothing" in str(error)  # noqa: PT017
                refused += 1
                continue
            for each in around(result, (start, end)):
                assert not count(word, each.text), (word, each.text)
                assert not any(first < end and start < last for first, last in each.spans)
    assert refused < 45


@pytest.mark.parametrize("seed", range(3))
def test_phrases_with_punctuation_and_all_stay_as_they_are(system: Compressor, inputs: list, seed: int) -> None:
    rng = random.Random(seed)
    for text, given in zip(SENTENCES, inputs, strict=True):
        words = plain_words(text)
        first = rng.randrange(len(words))
        start, end = words[first][0], words[min(first + rng.randint(1, 5), len(words) - 1)][1]
        phrase = text[start:end]
        (result,) = system.batch([given], 4, keep=[phrase], **rng.choice(EXTRA))
        for sentence in result.sentences:
            own = text[max(start, sentence.start) : min(end, sentence.end)]
            for each in sentence.compressions:
                assert not own or stays(own, each.text), (own, each.text)


def test_phrases_go_as_a_whole(system: Compressor) -> None:
    (found,) = system.compress(EXAMPLE, 20, drop=["a bank in Arizona"])
    assert not any(word in each.text for each in found for word in (" a ", "bank", " in ", "Arizona"))
    (found,) = system.compress("The man in the red car and the man in the blue car died.", 20, drop=["blue car"])
    assert all("blue" not in each.text and each.text.count("car") <= 1 for each in found)
    assert any("red car" in each.text for each in found)


KINDS = ["names", "numbers", "quotes", "negations", *scheme.ENTITIES[1:]]


def test_every_kind_of_words_stays_and_goes(system: Compressor, inputs: list) -> None:
    """With the words that the parser finds; each kind that there is in the sentences."""
    seen = set()
    for text, given in zip(SENTENCES, inputs, strict=True):
        parses = system.read([given])[0].parses
        for n, kind in enumerate(KINDS):
            rows = Constraint(True, kind=kind).rows(parses, [text], 0)
            spans = [(int(parses.start[row]), int(parses.end[row])) for row in rows]
            if not spans:
                continue
            seen.add(kind)
            extra = EXTRA[n % len(EXTRA)]
            (result,) = system.batch([given], 4, keep_all=[kind], **extra)
            for span in spans:
                for each in around(result, span):
                    assert stays(text[slice(*span)], each.text)
                    assert any(first <= span[0] and span[1] <= last for first, last in each.spans)
            try:
                (result,) = system.batch([given], 4, drop_all=[kind], **extra)
            except LaconicError as error:
                assert f"drop {kind} leaves nothing of" in str(error)  # noqa: PT017
                continue
            for span in spans:
                for each in around(result, span):
                    # The full stop of a word at the end of a sentence is the sentence's, too.
                    assert not any(first < span[1] - (text[span[1] - 1] == ".") and span[0] < last
                                   for first, last in each.spans)  # fmt: skip
    assert seen >= {"names", "numbers", "quotes", "negations", "PERSON", "GPE", "ORG", "DATE", "MONEY", "PERCENT"}


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("numbers", "Acme Inc. said profit fell 4.5% to $60m in May.", ["4.5%", "$60m"]),
        ("numbers", "Please find attached the invoice for €1,250.50, which is due on the 30th.", ["€1,250.50", "30th"]),
        ("numbers", "The film cost about £120m and earned more than $2 billion abroad.", ["£120m", "$2 billion"]),
        ("numbers", "Temperatures fell to -5°C in Berlin on Wednesday night, the service said.", ["-5°C"]),
        ("numbers", "The meeting that was planned for 10:30 on 12/05/2014 was moved to room B-12.", ["10:30", "B-12"]),
        ("numbers", "Engineers who write code earn 10-15% more than other people, a survey said.", ["10-15%"]),
        ("numbers", "A 26-year-old woman from Leeds died after a fall, police said.", ["26-year-old"]),
        ("negations", "I don't think that we can't finish, but John won't sign it.", ["don't", "can't", "won't"]),
        ("negations", "He isn’t sure that we cannot win, the coach said.", ["isn’t", "cannot"]),
        ("negations", SENTENCES[40], ["weren’t"]),
        ("negations", "You shall not sublet it without consent, which none gave.", ["shall not", "without", "none"]),
        ("quotes", 'The mayor said it was "a very, very bad idea" on Monday.', ['"a very, very bad idea"']),
        ("quotes", "The mayor said it was “a very, very bad idea” on Monday.", ["“a very, very bad idea”"]),
        ("quotes", "«Nous sommes vraiment prêts», the minister said.", ["«Nous sommes vraiment prêts»"]),
        ("quotes", "The teacher told us: ‘This is very unfair on us.’", ["‘This is very unfair on us.’"]),
        ("quotes", "‘It’s very unfair on us,’ the teacher told The Sun on Monday.", ["‘It’s very unfair on us,’"]),
    ],
)  # fmt: skip
def test_kinds_stay_with_what_is_written_together_with_them(
    system: Compressor, kind: str, text: str, words: list[str]
) -> None:
    """A number with its sign and its unit, a negation with its verb, a quotation with its marks."""
    for printed in texts(system.compress(text, 5, keep_all=[kind])):
        assert all(stays(each, printed) for each in words), printed


def test_several_limits_at_once_hold_for_all_compressions(system: Compressor, inputs: list) -> None:
    rng = random.Random(5)
    met = 0
    for text, given in zip(SENTENCES, inputs, strict=True):
        spans = plain_words(text)
        for _ in range(4):
            chosen = rng.sample(spans, min(rng.randint(2, 4), len(spans)))
            keep, drop = chosen[1:], chosen[:1] if rng.random() < 0.5 else []
            name, most = rng.choice([("max_chars", 90), ("max_words", 14), ("max_chars", 60), ("max_words", 9)])
            try:
                (result,) = system.batch([given], 4, keep=keep, drop=drop, **{name: most})
            except LaconicError as error:
                assert re.search("contradict|leaves nothing|no compression of", str(error))  # noqa: PT017
                continue
            met += 1
            for span in keep:
                assert all(stays(text[slice(*span)], each.text) for each in around(result, span))
            for span in drop:
                assert not any(s < span[1] and span[0] < e for each in around(result, span) for s, e in each.spans)
            for sentence in result.sentences:
                for each in sentence.compressions:
                    assert len(each.text if name == "max_chars" else each.text.split()) <= most
    assert met > 60


def test_budget_too_small_for_what_must_stay_says_so_or_takes_the_nearest(system: Compressor) -> None:
    with pytest.raises(LaconicError, match=r"the shortest possible result that keeps what must stay has \d+;") as info:
        system.compress(EXAMPLE, max_chars=20, keep=["Arizona", "Friday"])
    shortest = int(re.search(r"has (\d+);", str(info.value))[1])
    (found,) = system.compress(EXAMPLE, 3, max_chars=20, keep=["Arizona", "Friday"], nearest=True)
    assert len(found[0].text) == shortest
    assert all("Arizona" in each.text and "Friday" in each.text for each in found)


def test_spans_are_the_words_in_them(system: Compressor) -> None:
    for keep in ("man", "bank in Arizona", "late Friday.", "The police"):
        span = (EXAMPLE.index(keep), EXAMPLE.index(keep) + len(keep))
        assert system.compress(EXAMPLE, 5, keep=[span]) == system.compress(EXAMPLE, 5, keep=[keep])
        assert system.compress(EXAMPLE, 5, keep=keep) == system.compress(EXAMPLE, 5, keep=[keep])
    wide = EXAMPLE.index(" bank"), EXAMPLE.index("bank ") + len("bank ")
    assert system.compress(EXAMPLE, 5, drop=[wide]) == system.compress(EXAMPLE, 5, drop=["bank"])


def test_more_compressions_than_there_are(system: Compressor) -> None:
    (everything,) = system.compress("Rain fell in Spain on Monday.", 1000, order="score")
    (found,) = system.compress("Rain fell in Spain on Monday.", 1000, keep=["Spain"], order="score")
    assert {each.text for each in found} == {each.text for each in everything if "Spain" in each.text}
    assert [each.rank for each in found] == list(range(1, len(found) + 1))


def test_best_of_those_that_keep_and_lose_what_they_should(compressor: Compressor) -> None:
    how = {"level": "headline", "order": "score"}
    (everything,) = compressor.compress(EXAMPLE, 100_000, **how)
    (found,) = compressor.compress(EXAMPLE, 5, keep=["Friday"], drop=["Arizona"], **how)
    expected = [each for each in everything if "Friday" in each.text and "Arizona" not in each.text]
    assert [each.text for each in found] == [each.text for each in expected[:5]]
    assert [each.score for each in found] == pytest.approx([each.score for each in expected[:5]])


def test_phrases_that_are_not_in_the_text_ask_for_nothing(compressor: Compressor) -> None:
    free = compressor.compress(EXAMPLE, 5)
    assert compressor.compress(EXAMPLE, 5, keep=["zebra", "bank robbed"], drop=["ban", "olice"]) == free
    assert compressor.compress(EXAMPLE, 5, keep=[], drop=(), keep_all=[], drop_all=()) == free
    assert compressor.compress(EXAMPLE, 5, keep_all=["MONEY", "quotes"], drop_all=["negations"]) == free


@pytest.mark.parametrize(
    ("text", "phrase", "words"),
    [
        ("The start of the art show.", "art", ["art"]),
        ("The start of the art show.", "ART", []),
        ("The start of the Art show.", "art", ["Art"]),
        ("Polish workers polish it.", "Polish", ["Polish"]),
        ("Polish workers polish it.", "polish", ["Polish", "polish"]),
        ("They left the U.S. in May.", "U.S.", ["U.S."]),
        ("They left the U.S. in May.", "u.s.", ["U.S."]),
        ("They left the UXSX in May.", "U.S.", []),
        ("He writes C++ or C# code in C.", "C++", ["C++"]),
        ("He writes C++ or C# code in C.", "c#", ["C", "#"]),
        ("The sign (a+b) fell.", "(a+b)", ["(", "a+b", ")"]),
        ("The sign .* fell.", ".*", [".", "*"]),
        ("He has $ 5 [sic] now.", "[sic]", ["[", "sic", "]"]),
        ("The old\nbridge fell.", "old bridge", ["old", "bridge"]),
        ("The old  \t bridge fell.", "old bridge", ["old", "bridge"]),
        ("In New\u00a0York it fell.", "New York", ["New", "York"]),
        ("The old bridge fell.", " old \n bridge ", ["old", "bridge"]),
        ("ZÜRICH and Zürich fell.", "zürich", ["ZÜRICH", "Zürich"]),
        ("Die Straße fell.", "straße", ["Straße"]),
        ("Он сказал нет.", "сказал", ["сказал"]),
        ("The émigré left.", "migr", []),
        ("It was, however, late.", "however,", ["however", ","]),
        ("The man, the man and THE MAN.", "the man", ["The", "man", "the", "man", "THE", "MAN"]),
        ("He is McDonald's boss.", "McDonald's", ["McDonald", "'s"]),
        ("We don't know.", "don't", ["do", "n't"]),
        ("The 😀 fell.", "😀", ["😀"]),
        # The parts of a number are not words.
        ("It fell 3.5 percent.", "5", []),
        ("It fell 3.5 percent.", "3", []),
        ("It cost $5,000 then.", "$5", []),
        ("It cost $5,000 then.", "$5,000", ["$", "5,000"]),
        ("It fell by 5, then by 5.", "5", ["5", "5"]),
    ],
)
def test_phrases_are_found_word_by_word(paper_compressor: Compressor, text: str, phrase: str, words: list[str]) -> None:
    """In any case of letters unless the phrase has a capital; any white space; no character means anything else."""
    parses = paper_compressor.parser.parse([text])
    (constraint,) = Constraint.words(True, [phrase])
    found = [text[parses.start[row] : parses.end[row]] for row in constraint.rows(parses, [text], 0)]
    assert squeeze("".join(found)) == "".join(words)  # wherever the parser parts them


def test_overlapping_phrases_both_hold(system: Compressor) -> None:
    for printed in texts(system.compress(EXAMPLE, 5, keep=["robbed a bank", "a bank in Arizona", "bank"])):
        assert "robbed a bank in Arizona" in printed
    with pytest.raises(LaconicError, match="keep 'robbed a bank' and drop 'a bank in Arizona' contradict"):
        system.compress(EXAMPLE, keep=["robbed a bank"], drop=["a bank in Arizona"])


# Pronouns that are printed as their antecedents.


#: A sentence, a pronoun in it, and a word of its antecedent.
PRONOUNS = [
    ("The man who lost his job said he would sue the firm.", "he", "man"),
    ("J. K. Rowling, the author of Harry Potter, told The Guardian she had never planned a sequel.", "she", "Rowling"),
    ("Police in Rio de Janeiro, Brazil, said they had seized 2.3 tons of cocaine in some fish.", "they", "Police"),
]


@pytest.mark.parametrize(("text", "pronoun"), [each[:2] for each in PRONOUNS])
def test_pronoun_that_must_stay_is_not_printed_as_its_antecedent(system: Compressor, text: str, pronoun: str) -> None:
    for printed in texts(system.compress(text, 10, keep=[pronoun], resolve_pronouns=True)):
        assert count(pronoun, printed), printed


@pytest.mark.parametrize(("text", "word"), [(text, word) for text, _, word in PRONOUNS])
def test_antecedent_that_must_go_is_not_printed_for_its_pronoun(system: Compressor, text: str, word: str) -> None:
    for printed in texts(system.compress(text, 10, drop=[word], resolve_pronouns=True)):
        assert not count(word, printed), printed


def test_pronoun_that_is_protected_is_printed_as_it_is(system: Compressor) -> None:
    marked = "The man who lost his job said [[he would sue]] the firm."
    for printed in texts(system.compress(marked, 10, protect=MARKERS, resolve_pronouns=True)):
        assert "he would sue" in printed


def test_resolved_pronouns_leave_what_must_stay_alone(system: Compressor) -> None:
    text = "The man who lost his job said he would sue the firm, which had hired him in 2003."
    for printed in texts(system.compress(text, 10, keep=["firm", "2003"], resolve_pronouns=True, max_chars=70)):
        assert "firm" in printed
        assert "2003" in printed
        assert len(printed) <= 70


# Protection markers.


@pytest.mark.parametrize(
    ("marked", "text", "spans"),
    [
        ("Rain [[fell]] in Spain.", "Rain fell in Spain.", [(5, 9)]),
        ("[[Rain]] fell [[in Spain]].", "Rain fell in Spain.", [(0, 4), (10, 18)]),
        ("[[Rain fell.]]", "Rain fell.", [(0, 10)]),
        ("Rain [[]]fell.", "Rain fell.", []),
        ("Rain [[fell]][[ in]] Spain.", "Rain fell in Spain.", [(5, 9), (9, 12)]),
        ("No markers at all.", "No markers at all.", []),
        ("", "", []),
        ("a [b] [[c]] d", "a [b] c d", [(6, 7)]),
        ("😀 [[É fell]]!", "😀 É fell!", [(2, 8)]),
        ("a [[b\nc]] d", "a b\nc d", [(2, 5)]),
    ],
)
def test_markers_are_taken_out_and_leave_spans(marked: str, text: str, spans: list[tuple[int, int]]) -> None:
    assert take_markers_out(marked, MARKERS) == (text, spans)


@pytest.mark.parametrize("markers", [("<", ">"), ("*", "**"), ("((", "("), ("{keep}", "{/keep}"), (".*", "\\d")])
def test_any_two_strings_are_markers(markers: tuple[str, str]) -> None:
    before, after = markers
    text, spans = take_markers_out(f"Rain {before}fell in{after} Spain.", markers)
    assert (text, spans) == ("Rain fell in Spain.", [(5, 12)])


def test_what_is_protected_is_printed_as_it_is(system: Compressor) -> None:
    rng = random.Random(3)
    for text in SENTENCES:
        words = plain_words(text)
        first = rng.randrange(len(words))
        start, end = words[first][0], words[min(first + rng.randint(0, 4), len(words) - 1)][1]
        marked = f"{text[:start]}[[{text[start:end]}]]{text[end:]}"
        (result,) = system.batch([marked], 4, protect=MARKERS, **rng.choice(EXTRA))
        assert result.text == text
        for sentence in result.sentences:
            assert sentence.text == text[sentence.start : sentence.end]
            own = text[max(start, sentence.start) : min(end, sentence.end)]
            for each in sentence.compressions:
                assert squeeze(own) in squeeze(each.text), (own, each.text)
                assert squeeze("".join(text[slice(*span)] for span in each.spans)).lower() == squeeze(each.text).lower()


@pytest.mark.parametrize(
    ("marked", "protected"),
    [
        ("Police said that [[sales, fell]] on Monday, too.", "sales, fell"),
        ('The firm said "[[sales fell]]" on Monday.', "sales fell"),
        ("The firm said “[[sales fell]]” on Monday.", "sales fell"),
        ("Police said that ([[acme]]) was closed.", "acme"),
        ("The man, [[who]] left Rome, died.", "who"),
    ],
)
def test_what_is_protected_gets_no_capital(system: Compressor, marked: str, protected: str) -> None:
    for printed in texts(system.compress(marked, 10, protect="[[ ]]")):
        assert protected in printed


def test_markers_beside_and_around_punctuation(system: Compressor) -> None:
    marked = "Rain fell in Spain[[, on]] Monday[[.]] It was (very cold[[)]] there, said [[“]]Tom[[”]]."
    (result,) = system.batch([marked], 5, protect=MARKERS)
    assert result.text == "Rain fell in Spain, on Monday. It was (very cold) there, said “Tom”."
    first, second = result.sentences
    assert all(", on" in each.text and each.text.endswith(".") for each in first.compressions)
    assert all(")" in each.text and "“" in each.text and "”" in each.text for each in second.compressions)


def test_protected_text_may_go_on_over_the_end_of_a_sentence(system: Compressor) -> None:
    (result,) = system.batch(
        ["Rain fell in Spain [[on Monday. It was]] very cold there, said Tom."], 5, protect=MARKERS
    )
    first, second = result.sentences
    assert all("on Monday." in each.text for each in first.compressions)
    assert all("It was" in each.text for each in second.compressions)


def test_markers_without_anything_between_them_protect_nothing(compressor: Compressor) -> None:
    assert compressor.batch([f"[[]]{EXAMPLE}[[ ]]"], 5, protect=MARKERS)[0].sentences == tuple(
        compressor.batch([EXAMPLE + " "], 5)[0].sentences
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Rain [[fell.", r"the protection marker '\[\[' at character 5 .* there is no '\]\]' after it; close it, or"),
        ("Rain fell]].", r"the protection marker '\]\]' at character 9 .* there is no '\[\[' before it"),
        ("[[Rain [[fell]] in]] Spain.", r"the protection marker '\[\[' at character 7 .* '\]\]' is missing before it"),
        ("[[Rain]] fell]].", r"the protection marker '\]\]' at character 13"),
        ("Ra[[in]] fell.", r"protect 2:4 cuts the word 'Rain' at 0:4: give a span of whole words"),
    ],
)
def test_unbalanced_markers_are_named_with_the_place_and_a_remedy(
    compressor: Compressor, text: str, message: str
) -> None:
    with pytest.raises(LaconicError, match=message):
        compressor.compress(text, protect=MARKERS)


def test_unbalanced_marker_is_named_with_its_text(compressor: Compressor) -> None:
    with pytest.raises(LaconicError, match=r"Snow \[\[fell"):
        compressor.batch(["Rain [[fell]] on Monday.", "Snow [[fell on Monday."], protect=MARKERS)


@pytest.mark.parametrize("markers", ["[[", "", ("[[",), ("[[", "[["), ("[[", ""), ("[[", " "), ("a", "b", "c"), (1, 2)])
def test_markers_that_are_no_pair_are_refused(compressor: Compressor, markers: object) -> None:
    with pytest.raises(LaconicError, match=r"protect is .*: give two different markers"):
        compressor.compress(EXAMPLE, protect=markers)


def test_markers_are_not_looked_for_in_a_doc(paper_compressor: Compressor) -> None:
    with pytest.raises(LaconicError, match="give the text, or spans to keep"):
        paper_compressor.compress(paper_compressor.parser.nlp(EXAMPLE), protect=MARKERS)


# Contradictions and bad input.


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        ({"keep": ["bank"], "drop": ["bank"]}, ["keep 'bank' and drop 'bank' contradict", "both are about 'bank'"]),
        ({"keep": ["robbed a bank"], "drop": ["a bank"]}, ["keep 'robbed a bank' and drop 'a bank' contradict"]),
        ({"keep": [(37, 41)], "drop": ["bank"]}, ["keep 37:41 and drop 'bank' contradict", "both are about 'bank'"]),
        ({"keep": ["bank"], "drop": [(35, 41)]}, ["keep 'bank' and drop 35:41 contradict"]),
        ({"keep": ["Arizona"], "drop_all": ["names"]}, ["keep 'Arizona' and drop names contradict"]),
        ({"keep_all": ["GPE"], "drop": ["Arizona"]}, ["drop 'Arizona' and keep GPE contradict"]),
        ({"keep_all": ["names"], "drop_all": ["GPE"]}, ["keep names and drop GPE contradict", "'Arizona'"]),
        ({"keep": ["bank"], "drop": ["robbed"]}, ["keep 'bank' and drop 'robbed'", "'bank' cannot stay when"]),
        ({"keep_all": ["GPE"], "drop": ["robbed"]}, ["keep GPE and drop 'robbed' contradict", "'Arizona' cannot stay"]),
        ({"keep": ["Friday"], "drop": ["arrested"], "max_chars": 50}, ["keep 'Friday' and drop 'arrested' contradict"]),
        ({"keep": ["bank"], "drop": ["robbed"], "max_chars": 5, "nearest": True}, ["keep 'bank' and drop"]),
        ({"drop": ["said", "robbed", "arrested"]}, ["drop 'arrested' leaves nothing of", "drop less"]),
    ],
)  # fmt: skip
def test_contradictions_name_both_sides(system: Compressor, options: dict, messages: list[str]) -> None:
    with pytest.raises(LaconicError) as info:
        system.compress(EXAMPLE, **options)
    assert all(each in str(info.value) for each in [*messages, "The police said"]), info.value


def test_marker_against_a_word_that_must_go_is_a_contradiction(system: Compressor) -> None:
    with pytest.raises(LaconicError, match="drop 'Arizona' and protect 8:15 contradict each other: both are about"):
        system.compress("Rain in [[Arizona]] fell on Monday.", drop=["Arizona"], protect=MARKERS)


@pytest.mark.parametrize(
    ("options", "possible"),
    [
        ({"keep": ["anymore"], "drop": ["because"]}, "Won't work anymore."),
        ({"drop": ["Please visit", "because", "before you send the form"]}, "The old page won't work."),
    ],
)
def test_nothing_is_called_a_contradiction_that_is_none(system: Compressor, options: dict, possible: str) -> None:
    """A word like "because" goes when its clause is all that is left, so the clause need not go with it."""
    text = "Please visit the shop before you send the form, because the old page won't work anymore."
    how = {"level": "headline", "order": "score", "guard": False}
    (everything,) = system.compress(text, 100_000, **how)
    assert possible in [each.text for each in everything]
    (found,) = system.compress(text, 100_000, **how, **options)
    assert possible in [each.text for each in found]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": [(3, 400)]}, r"keep 3:400 is outside the text 'The police .*', which has 90 characters: give a span"),
        ({"drop": [(90, 91)]}, "drop 90:91 is outside the text"),
        ({"keep": [(5, 10)]}, "keep 5:10 cuts the word 'police' at 4:10: give a span of whole words"),
        ({"keep": [(4, 8)]}, "keep 4:8 cuts the word 'police' at 4:10"),
        ({"drop": [(5, 8)]}, "drop 5:8 cuts the word 'police'"),
        ({"keep": [(-3, 4)]}, "keep has the span -3:4: give a start of 0 or more and an end after it"),
        ({"drop": [(5, 5)]}, "drop has the span 5:5"),
        ({"drop": [(5, 4)]}, "drop has the span 5:4"),
        ({"keep": [(1, 2, 3)]}, r"keep has \(1, 2, 3\): give words, or the start and end of a span"),
        ({"keep": (3, 7)}, "keep has 3: give words, or the start and end of a span"),
        ({"keep": [("a", "b")]}, r"keep has \('a', 'b'\)"),
        ({"keep": [None]}, "keep has None"),
        ({"keep": [""]}, "keep has an empty phrase: give words of the text"),
        ({"drop": " \n"}, "drop has an empty phrase"),
        ({"keep_all": ["CITY"]}, "unknown entity type or kind of words 'CITY': use one of names, numbers, .*, PERSON"),
        ({"drop_all": "persons"}, "unknown entity type or kind of words 'persons'"),
        ({"drop_all": [""]}, "unknown entity type or kind of words ''"),
        ({"keep_all": [7]}, "unknown entity type or kind of words 7"),
        ({"keep": ["bank"], "method": "nss"}, "constraints go with the method topdown"),
        ({"keep": ["bank"], "method": "ilp"}, "constraints go with the method topdown"),
        ({"protect": "[[ ]]", "method": "nss"}, "protect goes with the method topdown"),
    ],
)  # fmt: skip
def test_bad_constraints_are_refused_with_a_remedy(compressor: Compressor, options: dict, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        compressor.compress(EXAMPLE, **options)


def test_bad_kinds_and_phrases_are_refused_before_anything_is_read() -> None:
    with pytest.raises(LaconicError, match="unknown entity type"):
        Limits.of(keep_all=["CITY"])
    with pytest.raises(LaconicError, match="empty phrase"):
        Limits.of(drop=[""])


# Several texts.


def test_several_texts_have_their_own_words_and_markers(system: Compressor) -> None:
    marked = [
        "Rain fell [[on Monday]] in Spain, police said.",
        "",
        "Snow fell on Monday in [[Wales, police]] say.",
        "?!",
    ]
    options = {"keep": ["police"], "drop": ["in Spain"], "keep_all": ["DATE"], "protect": MARKERS}
    together = system.batch(marked, 3, **options)
    assert together == [system.batch([each], 3, **options)[0] for each in marked]
    assert together == list(system.stream(marked, 3, batch_size=2, **options))
    assert [each.text for each in together] == [each.replace("[[", "").replace("]]", "") for each in marked]
    for each in together[0].sentences[0].compressions:
        assert "on Monday" in each.text
        assert "olice" in each.text
        assert "Spain" not in each.text
    assert all("Wales, police" in each.text and "Monday" in each.text for each in together[2].sentences[0].compressions)


def test_span_must_be_in_every_text_of_a_batch(compressor: Compressor) -> None:
    first, second = compressor.batch(["Rain fell in Spain.", "Snow fell in Wales."], 5, keep=[(10, 18)])
    assert all("in Spain" in each.text for each in first.sentences[0].compressions)
    assert all("in Wales" in each.text for each in second.sentences[0].compressions)
    with pytest.raises(LaconicError, match=r"keep 10:18 is outside the text 'Snow fell.', which has 10 characters"):
        compressor.batch(["Rain fell in Spain.", "Snow fell."], keep=[(10, 18)])


def test_every_occurrence_in_a_text_of_several_sentences(system: Compressor) -> None:
    text = "Rain fell in Spain on Monday, police said. On Monday, police said, snow fell in Wales. Monday was cold."
    (result,) = system.batch([text], 5, keep=["Monday"])
    assert len(result.sentences) == 3
    assert all("Monday" in each.text for sentence in result.sentences for each in sentence.compressions)
    (result,) = system.batch([text], 5, drop=["police"])
    assert not any("police" in each.text.lower() for sentence in result.sentences for each in sentence.compressions)


# The command line.


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "laconic", "compress", *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)  # fmt: skip


def test_command_line_has_the_options_of_python(compressor: Compressor) -> None:
    marked = EXAMPLE.replace("home", "<home>")
    done = run(marked, "-k", 4, "--format", "json", "--keep", "late Friday", "--keep-span", "28:34", "--drop-span",
               "35:36", "--drop", "arizona", "--keep-all", "DATE", "--protect", "< >", "--max-chars", 80)  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = compressor.batch([marked], 4, keep=["late Friday", (28, 34)], drop=["arizona", (35, 36)],
                                keep_all=["DATE"], protect=("<", ">"), max_chars=80)  # fmt: skip
    assert json.loads(done.stdout) == [expected[0].to_dict()]
    assert expected[0].text == EXAMPLE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--drop-span", "5-8"], "--drop-span is '5-8': give the first character and the one after the last"),
        (["--protect", "[["], "give two different markers"),
    ],
)
def test_command_line_refuses_in_one_line(arguments: list[str], message: str) -> None:
    done = run(EXAMPLE, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("laconic: ")
    assert message in done.stderr


def test_a_contradiction_is_about_the_text() -> None:
    done = run(EXAMPLE, "--keep", "bank", "--drop", "robbed")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "\n", 1)
    assert "laconic: keep 'bank' and drop 'robbed' contradict each other in" in done.stderr


def test_bulk_jobs_have_what_compress_prints_and_refuse_row_by_row(tmp_path: Path, compressor: Compressor) -> None:
    lines = ["Rain [[fell]] on Monday, police said.", "Snow [[fell on Monday.", "", "A man robbed a bank on Monday."]
    path, out = write_lines(tmp_path / "a.txt", lines), tmp_path / "out"
    done = run(path, "--out", out, "-k", 3, "--protect", "[[ ]]", "--keep", "Monday", "--keep", "bank", "--drop",
               "robbed", "--drop", "police", "--workers", 1)  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, second, third, fourth = written(out)
    options = {"keep": ["Monday", "bank"], "drop": ["robbed", "police"], "protect": MARKERS}
    assert first == {"id": "a.txt:1", **compressor.batch(lines[:1], 3, **options)[0].to_dict()}
    assert (second["problem"], third["sentences"], fourth["problem"]) == ("refused", [], "refused")
    assert "'[[' at character 5" in second["detail"]
    assert "keep 'bank' and drop 'robbed' contradict" in fourth["detail"]
    assert "refused: 2" in done.stderr


def test_what_cannot_do_without_a_word_that_must_go_goes_with_it(compressor: Compressor) -> None:
    text = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
    found = compressor.compress(text, drop=["bank"])[0][0].text
    assert "robbed" not in found
    assert "arrested" in found
