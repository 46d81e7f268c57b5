"""The printed form of compressions: what an editor would look at."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from conftest import given_doc

import laconic
from laconic.realise import capitalise

SENTENCES = [
    "The police said the man who robbed a bank in Arizona was arrested at his home late Friday.",
    'Despite the rain, the mayor, a former teacher, said: "We will not give up our streets, ever."',
    "On Monday, however, the company (which is based in Oslo) said it doesn't plan to sell its 12-year-old plant.",
    "Soldiers, nurses and two well-known doctors arrived in Paris, London and Rome, and they left a day later.",
    "Because the bridge was closed, drivers couldn't reach the stadium; many went home, officials said.",
    "Ann's brother, Bob, isn't sure whether he'll win, but she's certain that he will.",
    "The U.S. dollar rose 3.5% to €1.10 on Tuesday -- its highest level since 2003 -- after the Fed's announcement.",
    "Did the committee, as expected, approve the plan to build 1,200 homes near the river?",
]


@pytest.fixture(scope="module")
def results(compressor: laconic.Compressor) -> list[laconic.Result]:
    return list(compressor.stream(SENTENCES, k=300))


def printed(results: list[laconic.Result]) -> list[tuple[str, laconic.Compression]]:
    return [(r.text, c) for r in results for s in r.sentences for c in s.compressions]


def test_every_word_is_a_word_of_the_input_in_its_order(results: list[laconic.Result]) -> None:
    for text, compression in printed(results):
        kept = re.findall(r"\w+", compression.text.lower())
        words = iter(re.findall(r"\w+", text.lower()))
        assert all(word in words for word in kept), compression.text


def test_spans_hold_exactly_what_is_printed(results: list[laconic.Result]) -> None:
    for text, compression in printed(results):
        kept = "".join(text[start:end] for start, end in compression.spans)
        assert re.sub(r"\s", "", kept).lower() == re.sub(r"\s", "", compression.text).lower()
        ends = [0, *(offset for span in compression.spans for offset in span)]
        assert ends == sorted(ends)


def test_commas_are_neither_doubled_nor_stray(results: list[laconic.Result]) -> None:
    for _, compression in printed(results):
        assert not re.search(r"[,;:]\s*[,;:.?!]|^\W*[,;:]|\s[,;:.?!]|[,;:]$", compression.text), compression.text


def test_quotes_and_brackets_are_balanced(results: list[laconic.Result]) -> None:
    for _, compression in printed(results):
        counts = Counter(compression.text)
        assert counts['"'] % 2 == 0, compression.text
        assert counts["("] == counts[")"], compression.text


def test_starts_with_a_capital_and_ends_with_the_sentences_stop(results: list[laconic.Result]) -> None:
    for text, compression in printed(results):
        first = next(char for char in compression.text if char.isalnum())
        assert not first.islower(), compression.text
        stop = "?" if text.endswith("?") else "."
        assert compression.text.rstrip('"').endswith(stop), compression.text


def test_no_conjunction_or_subordinator_at_the_front_of_a_promoted_clause(results: list[laconic.Result]) -> None:
    for _, compression in printed(results):
        assert not re.match(r"(that|and|but|or)\b", compression.text.lower()), compression.text


def test_contractions_and_hyphens_are_intact(results: list[laconic.Result]) -> None:
    whole = set(" ".join(SENTENCES).replace("--", " ").split())
    whole = {word.strip('.,;:?"()').lower() for word in whole}
    for _, compression in printed(results):
        for word in compression.text.replace("--", " ").split():
            assert word.strip('.,;:?"()').lower() in whole, compression.text


def test_negation_survives_with_its_verb(results: list[laconic.Result]) -> None:
    for _, compression in printed(results):
        if re.search(r"\bplan to sell\b", compression.text):
            assert "doesn't" in compression.text.lower()


def keeping(doc_spec: str, words: str, compressor: laconic.Compressor) -> str:
    """The printed form of the compression that keeps exactly these words."""
    doc = given_doc(doc_spec, lemmas={"is": "be"})
    wanted = sorted(words.lower().split())
    for compression in compressor.compress(doc, k=5000, level="headline", guard=False)[0]:
        if sorted(re.findall(r"\w+", compression.text.lower())) == wanted:
            return compression.text
    raise AssertionError(f"no compression keeps {words!r}")


COORDINATION = (
    "Soldiers/NNS/nsubj/5 =,/,/punct/0 cooks/NNS/conj/0 and/CC/cc/2 nurses/NNS/conj/2 ate/VBD/ROOT/5 bread/NN/dobj/5 "
    "=././punct/5"
)
APPOSITION = (
    "Datto/NNP/nsubj/6 =,/,/punct/0 a/DT/det/3 vendor/NN/appos/0 here/RB/advmod/3 =,/,/punct/0 sold/VBD/ROOT/6 "
    "shares/NNS/dobj/6 =././punct/6"
)
INTRODUCTION = (
    "After/IN/mark/2 he/PRP/nsubj/2 left/VBD/advcl/6 home/NN/advmod/2 =,/,/punct/6 she/PRP/nsubj/6 came/VBD/ROOT/6 "
    "=././punct/6"
)
ACTIONS = (
    "He/PRP/nsubj/1 ate/VBD/ROOT/1 fish/NN/dobj/1 and/CC/cc/2 chips/NNS/conj/2 =,/,/punct/1 drank/VBD/conj/1 "
    "beer/NN/dobj/6 =././punct/1"
)
RELATIVE = (
    "The/DT/det/1 violin/NN/nsubjpass/7 that/WDT/nsubjpass/4 was/VBD/auxpass/4 stolen/VBN/relcl/1 =,/,/punct/7 "
    "was/VBD/auxpass/7 found/VBN/ROOT/7 =././punct/7"
)
LEAGUE = (
    "He/PRP/nsubj/1 joined/VBD/ROOT/1 the/DT/det/6 `/``/punct/6 =`/``/punct/6 =big/JJ/amod/6 league/NN/dobj/1 "
    "=''/''/punct/6 today/NN/npadvmod/1 =././punct/1"
)
PREDICATE = (
    "He/PRP/nsubj/1 said/VBD/ROOT/1 that/IN/mark/5 a/DT/det/4 plan/NN/nsubj/5 is/VBZ/ccomp/1 in/IN/prep/5 "
    "place/NN/pobj/6 =././punct/1"
)
PLACE = (
    "In/IN/prep/9 the/DT/det/2 hall/NN/pobj/0 =,/,/punct/2 which/WDT/nsubj/5 leaks/VBZ/relcl/2 =,/,/punct/9 "
    "the/DT/det/8 choir/NN/nsubj/9 sang/VBD/ROOT/9 =././punct/9"
)
HOWEVER = (
    "He/PRP/nsubj/1 left/VBD/ROOT/1 =,/,/punct/1 however/RB/advmod/1 =,/,/punct/1 since/IN/mark/7 it/PRP/nsubj/7 "
    "rained/VBD/advcl/1 =././punct/1"
)
SERIES = (
    "They/PRP/nsubj/1 sell/VBP/ROOT/1 tea/NN/dobj/1 =,/,/punct/2 milk/NN/conj/2 =,/,/punct/4 sugar/NN/conj/4 "
    "=,/,/punct/6 and/CC/cc/6 salt/NN/conj/6 =././punct/1"
)
CLAUSES = (
    "She/PRP/nsubj/1 cooked/VBD/ROOT/1 rice/NN/dobj/1 (/-LRB-/punct/4 =brown/JJ/amod/2 =)/-RRB-/punct/4 =,/,/punct/1 "
    "but/CC/cc/1 he/PRP/nsubj/9 slept/VBD/conj/1 =././punct/1"
)
SEMICOLON = (
    "Send/VB/ccomp/7 copies/NNS/dobj/0 early/RB/advmod/0 =;/:/punct/7 a/DT/det/6 clear/JJ/amod/6 scan/NN/nsubj/7 "
    "works/VBZ/ROOT/7 =././punct/7"
)
AND_FIRST = "But/CC/cc/2 he/PRP/nsubj/2 left/VBD/ROOT/2 early/RB/advmod/2 =././punct/2"
ASKED = "Do/VBP/aux/2 you/PRP/nsubj/2 know/VB/ROOT/2 he/PRP/nsubj/4 left/VBD/ccomp/2 early/RB/advmod/4 =?/./punct/2"
SHOUTED = "They/PRP/nsubj/1 left/VBD/ROOT/1 early/RB/advmod/1 =!/./punct/1 =././punct/1"
CALL = "Now/RB/advmod/3 render/NN/nsubj/3 =(/-LRB-/punct/1 =)/-RRB-/punct/1 works/VBZ/ROOT/3 =././punct/3"
SPEECH = (
    '"/``/punct/4 =We/PRP/nsubj/4 will/MD/aux/4 not/RB/neg/4 leave/VB/ccomp/9 today/NN/npadvmod/4 =,/,/punct/9 '
    "=\"/''/punct/9 he/PRP/nsubj/9 said/VBD/ROOT/9 =././punct/9"
)
ASIDE = (
    "Sales/NNS/nsubj/7 -/:/punct/0 of/IN/prep/0 cars/NNS/pobj/2 =,/,/punct/3 mainly/RB/advmod/3 -/:/punct/0 "
    "fell/VBD/ROOT/7 =././punct/7"
)
QUOTE = (
    "He/PRP/nsubj/1 said/VBD/ROOT/1 \"/``/punct/4 =they/PRP/nsubj/4 won/VBD/ccomp/1 easily/RB/advmod/4 =\"/''/punct/4 "
    "=././punct/1"
)


@pytest.mark.parametrize(
    ("spec", "words", "text"),
    [
        (COORDINATION, "soldiers cooks and nurses ate bread", "Soldiers, cooks and nurses ate bread."),
        (COORDINATION, "soldiers and nurses ate bread", "Soldiers and nurses ate bread."),
        (COORDINATION, "nurses ate bread", "Nurses ate bread."),
        (APPOSITION, "datto sold shares", "Datto sold shares."),
        (APPOSITION, "datto a vendor sold shares", "Datto, a vendor, sold shares."),
        (INTRODUCTION, "she came", "She came."),
        (INTRODUCTION, "he left", "He left."),
        (INTRODUCTION, "after he left she came", "After he left, she came."),
        (ACTIONS, "He drank beer", "He drank beer."),
        (ACTIONS, "he ate fish drank beer", "He ate fish, drank beer."),
        (RELATIVE, "the violin was found", "The violin was found."),
        (RELATIVE, "the violin that was stolen was found", "The violin that was stolen, was found."),
        (LEAGUE, "he joined the big league", "He joined the ``big league''."),
        (LEAGUE, "he joined the league", "He joined the league."),
        (PREDICATE, "a plan is in place", "A plan is in place."),
        (PREDICATE, "he said a plan is in place", "He said a plan is in place."),
        (QUOTE, "he said they won easily", 'He said "they won easily".'),
        (QUOTE, "he said they won", "He said they won."),
        (PLACE, "in the hall the choir sang", "In the hall, the choir sang."),
        (PLACE, "the choir sang", "The choir sang."),
        (HOWEVER, "he left since it rained", "He left, since it rained."),
        (HOWEVER, "he left however", "He left, however."),
        (SERIES, "they sell tea milk sugar and salt", "They sell tea, milk, sugar, and salt."),
        (SERIES, "they sell tea sugar and salt", "They sell tea, sugar, and salt."),
        (SERIES, "they sell tea and salt", "They sell tea and salt."),
        (SERIES, "they sell sugar and salt", "They sell sugar and salt."),
        (SERIES, "they sell salt", "They sell salt."),
        (CLAUSES, "she cooked rice brown but he slept", "She cooked rice (brown), but he slept."),
        (CLAUSES, "she cooked rice but he slept", "She cooked rice, but he slept."),
        (CLAUSES, "she cooked but he slept", "She cooked, but he slept."),
        (SEMICOLON, "send copies a clear scan works", "Send copies; a clear scan works."),
        (AND_FIRST, "but he left early", "But he left early."),
        (AND_FIRST, "he left", "He left."),
        (ASKED, "do you know he left", "Do you know he left?"),
        (ASKED, "he left", "He left"),
        (SHOUTED, "they left", "They left."),
        (CALL, "render works", "render() works."),
        (SPEECH, "we will not leave he said", '"We will not leave," he said.'),
        (SPEECH, "he said", "He said."),
        (ASIDE, "sales of cars fell", "Sales - of cars - fell."),
        (ASIDE, "sales fell", "Sales fell."),
    ],
)
def test_punctuation_goes_with_what_it_delimits(
    spec: str, words: str, text: str, compressor: laconic.Compressor
) -> None:
    assert keeping(spec, words, compressor) == text


def test_full_stop_inside_the_last_token_stays(compressor: laconic.Compressor) -> None:
    spec = "They/PRP/nsubj/1 sold/VBD/ROOT/1 it/PRP/dobj/1 for/IN/prep/1 £/$/nmod/5 =6m./CD/pobj/3"
    assert keeping(spec, "they sold it", compressor) == "They sold it."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the end", "The end"),
        ('"the end', '"The end'),
        ("iPhone sales rose", "iPhone sales rose"),
        ("3rd place", "3rd place"),
        ("éclair", "Éclair"),
        ("ß", "ß"),
        ("", ""),
        ("…", "…"),
        ("render() draws", "render() draws"),
        ("ann@mail.org wrote", "ann@mail.org wrote"),
        ("max_chars is a limit", "max_chars is a limit"),
        ("a.m. trains run", "A.m. trains run"),
    ],
)
def test_capital_at_the_front(text: str, expected: str) -> None:
    assert capitalise(text) == expected


def test_a_text_without_capitals_gets_none(compressor: laconic.Compressor) -> None:
    spec = "so/RB/advmod/2 we/PRP/nsubj/2 left/VBD/ROOT/2 early/RB/advmod/2"
    assert keeping(spec, "we left", compressor) == "we left"


def test_conjunction_inside_of_a_node_is_printed(compressor: laconic.Compressor) -> None:
    text = "There may or may not be snow, depending on local weather conditions."
    assert "may or may not be snow" in compressor.compress(text, level="short")[0][0].text


def test_no_comma_after_what_opens_a_clause_whose_front_is_gone(compressor: laconic.Compressor) -> None:
    spec = (
        "It/PRP/nsubj/1 shows/VBZ/ROOT/1 that/IN/mark/9 while/IN/mark/5 it/PRP/nsubj/5 rains/VBZ/advcl/9 "
        "here/RB/advmod/5 ,/,/punct/9 they/PRP/nsubj/9 leave/VBP/ccomp/1 early/RB/advmod/9 ././punct/1"
    )
    assert keeping(spec, "it shows that they leave early", compressor) == "It shows that they leave early."


def test_or_not_is_no_denial(compressor: laconic.Compressor) -> None:
    text = "Believe it or not, the shop sold out within an hour of opening its doors."
    assert compressor.compress(text, level="short")[0][0].text.startswith("The shop sold out")


def test_what_stands_before_a_preposition_goes_with_whichever_object_is_kept(compressor: laconic.Compressor) -> None:
    crops = "crops/NNS/dobj/1 such/JJ/amod/4 as/IN/prep/2 maize/NN/pobj/4 and/CC/cc/5 beans/NNS/conj/5"
    spec = f"They/PRP/nsubj/1 grow/VBP/ROOT/1 {crops} ././punct/1"
    assert keeping(spec, "they grow crops such as beans", compressor) == "They grow crops such as beans."


def test_a_subject_that_is_contracted_with_not_is_not_printed_without_it(compressor: laconic.Compressor) -> None:
    first, second = "Need/NNP/nsubj/3 =n't/RB/neg/3 might/MD/aux/3 stop/VB/ROOT/3", "might/MD/aux/6 open/VB/conj/3"
    spec = f"{first} or/CC/cc/3 {second} soon/RB/advmod/6 ././punct/3"
    found = compressor.compress(given_doc(spec, lemmas={"n't": "not"}), k=500, level="headline", guard=False)[0]
    assert not [each.text for each in found if "need" in each.text.lower() and "n't" not in each.text]


def test_the_stop_before_a_note_ends_the_sentence_without_the_note(compressor: laconic.Compressor) -> None:
    text = "She often sang with another favourite singer of the queen, Angela Voglia (known as La Giorgina). [3]"
    for rate in (0.5, 0.7, 0.8):
        assert re.search(r"\w\.$", compressor.compress(text, rate=rate)[0][0].text)


@pytest.mark.parametrize("quote", "'’")
def test_a_quotation_mark_does_not_join_two_words(compressor: laconic.Compressor, quote: str) -> None:
    text = f"They {quote}said that cats and big {quote}dogs bark."
    result = compressor.compress(text, drop=["big"], keep=["dogs"], level="light")
    assert re.search(rf"cats and {quote}?dogs bark\.$", result.parts()[0][0].text)


def test_the_name_of_an_option_stays_whole(compressor: laconic.Compressor) -> None:
    result = compressor.compress("The option --legacy-queue, which printed a warning, is gone.", k=20)
    printed = [each.text for part in result.parts() for each in part]
    assert "The option --legacy-queue is gone." in printed
    assert not [text for text in printed if "queue" in text and "-legacy-queue" not in text.lower()]


def test_what_is_left_of_a_list_keeps_the_colon_that_announced_it(compressor: laconic.Compressor) -> None:
    text = "We need three things for the trip: tents, gas and maps."
    kept = {"tents", "gas", "maps"}
    for printed, dropped in (("maps", {"tents", "gas"}), ("tents and maps", {"gas"})):
        result = compressor.compress(text, level="light", drop=sorted(dropped), keep=sorted(kept - dropped))
        assert result[0][0].text.endswith(f": {printed}.")


@pytest.mark.parametrize(
    ("text", "rate", "asks"),
    [
        ("So when he opened up, she followed through, and told him about her husband, you know?", 0.6, False),
        ("Rock is now an extra for the game, along with who else?", 0.5, False),
        ("You're coming home tonight after the show?", 0.5, True),
        ("You will call me when you get home?", 0.5, True),
        ("Did the dog bark and wake you up on Friday night?", 0.7, True),
    ],
)
def test_a_question_mark_goes_with_the_words_that_ask(
    compressor: laconic.Compressor, text: str, rate: float, asks: bool
) -> None:
    assert compressor.compress(text, rate=rate, nearest=True)[0][0].text.endswith("?") == asks


def test_a_bracket_that_a_word_opens_is_closed(compressor: laconic.Compressor) -> None:
    text = "Shares of the cloud computing giant Acme(NASDAQ:ACM) are taking a punch in the gut today."
    for rate in (0.6, 0.7, 0.8):
        printed = compressor.compress(text, rate=rate)[0][0].text
        assert printed.count("(") == printed.count(")")
