import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import read_cases

from laconic.parse.sentences import sentence_starts
from laconic.parse.words import WordTokeniser

TOKENISER = WordTokeniser()

#: Cases as tests/data/sentences.txt has them: what is known to fail begins with "! ".
CASES = read_cases("sentences")


def sentences(text: str) -> list[str]:
    starts, ends = TOKENISER.spans(text)
    bounds = [*sentence_starts(text, starts, ends), len(starts)]
    return [text[starts[first] : ends[after - 1]] for first, after in pairwise(bounds)]


def expect(case: str) -> tuple[str, list[str]]:
    """The text of a case of the file, and its sentences."""
    for name, char in (("n", "\n"), ("r", "\r"), ("t", "\t")):
        case = case.replace(f"\\{name}", char)
    return case.replace("||", "").replace(" | ", " "), [part.strip() for part in re.split(r"\|\|| \| ", case)]


@pytest.mark.parametrize("case", [case for case in CASES if not case.startswith("! ")])
def test_hard_cases(case: str) -> None:
    text, expected = expect(case)
    assert sentences(text) == expected


@pytest.mark.parametrize("case", [case[2:] for case in CASES if case.startswith("! ")])
def test_cases_that_are_known_to_fail_do(case: str) -> None:
    """One that no longer fails is to lose its mark."""
    text, expected = expect(case)
    assert sentences(text) != expected


def test_there_are_many_hard_cases() -> None:
    assert len(CASES) >= 200
    assert sum(case.startswith("! ") for case in CASES) <= 4


def test_no_sentence_begins_inside_of_what_is_whole() -> None:
    text = "It is so. Or not. The end."
    starts, ends = TOKENISER.spans(text)

    def begins(*whole: tuple[int, int]) -> list[int]:
        return [starts[at] for at in sentence_starts(text, starts, ends, whole)]

    assert begins() == [0, 10, 18]
    assert begins((6, 17)) == [0, 18]
    assert begins((10, 17)) == [0, 10, 18]  # it begins there
    assert begins((0, 9), (10, len(text))) == [0, 10]


@pytest.mark.parametrize(
    "marked",
    [
        "He left. | She stayed! | Did they? | Yes.",
        "Why?! | Nobody knows.",
        # closing quotes and brackets belong to the sentence before
        "He said “no.” | She said ‘yes.’ | They left.",
        "(He was ill.) | She stayed. | (See p. 12.) | Fine.",
        'He said: "It is over." | Then he left.',
        # speech goes on
        "“Go!” – Ann Lee, who left; “Why?”, he asked.",
        '"Stop!" Ann Lee said. | "Why?" he asked. | "Go!" | Then she left.',
        'He said "Go!" and left.',
        # abbreviations
        "He met Dr. Lee and Mrs. Ray at St. Mary's. | Sgt. Poe came, too.",
        "The U.S. Army stayed. | He lives in the U.S. | The talks failed.",
        "Acme Inc. Chairman Bob Ray quit. | He ran Acme Inc. | The firm closed.",
        "Rep. Lee, D-Calif., spoke on Jan. 5. | It rained.",
        "J. K. Lee wrote it. | George W. Ray read it. | Plan B. | The end.",
        "It is No. 1. | No. 10 declined. | No. | He left.",
        "Lee v. Ray, e.g. this one, eggs etc. and more. | Bring eggs, milk etc. | Call me.",
        "She lives on Main St. | He lives on Elm Ave. in Leeds.",
        # hours
        "It opens at 5 p.m. Monday. | It closes at 9 p.m. | Visitors must leave.",
        "It was 5 a.m. EST and 10 a.m. in London.",
        # numbers and names with marks
        "Prices rose 3.5 percent to $4.20. | Then they fell.",
        "The firm paid £5m. | Nobody knew.",
        "Visit Yahoo! today. | Yahoo! said so. | Read example.com. | Call.",
        "The phone is out. | iPhone sales rose.",
        # ellipses
        "Wait... what happened? | Well… nothing. | He waited... | Then he left.",
        "It was . . . odd.",
        # capitals, or none
        "THE SHOP IS SHUT. | NOBODY CAME! | DR. LEE AND ST. LOUIS LEFT.",
        "i went home. | he stayed! | nobody knew",
        "no punctuation at all in this text",
        "This is it. | and that, too.",
        # no space
        "This is it.|Next one.",
        "これは文です。|次の文です。",
        # paragraphs, items and lines that were ended on purpose
        "A heading without a stop\n\n|A paragraph\n \t\n|another",
        "one\u2029|two\r\n\r\n|three",
        "We need:\n|- eggs\n|* milk\n|• tea\n|1. Wash it.\n|2) Cook it.\n|(a) Eat it.",
        "He left.\n|she stayed.\n|He came back.",
        "Rain hits north\n|Mayor resigns after vote on the new budget\n|Cup final postponed",
        "Introduction\n|This is the first line of a text that somebody has wrapped at seventy\ncharacters.",
    ],
)
def test_begins_a_sentence_at_the_marks(marked: str) -> None:
    expected = [part.strip() for part in marked.split("|")]
    assert sentences(marked.replace(" | ", " ").replace("|", "")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "This sentence was wrapped by an editor at a width of about\nsixty characters and goes on until it\nends.",
        "Among the guests in the garden last night were\nAnn Lee and Bob Ray of Leeds, who had not met\nbefore.",
        "a short line\nthat goes on\nin small letters",
        "He likes red,\nGreen and blue.",
    ],
)
def test_hard_wrapped_text_stays_whole(text: str) -> None:
    assert sentences(text) == [text]


def test_of_two_headlines_the_longer_first_looks_wrapped() -> None:
    assert len(sentences("Mayor of Leeds resigns after vote on budget\nRain hits north")) == 1


@pytest.mark.parametrize("text", ["", "  \n ", "\n\n"])
def test_no_words_no_sentence(text: str) -> None:
    assert sentences(text) == []


@pytest.mark.parametrize("text", [".", "...", ". . .", "?!", "\ud800.", '"', "。", ".\n.", "(.)", "U.S."])
def test_marks_alone_are_a_sentence(text: str) -> None:
    assert sentences(text)[0].startswith(text[0])


PIECES = st.sampled_from(
    [
        *'.!?…"”()。,:-1aAI',
        " ",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "Mr.",
        "U.S.",
        "p.m.",
        "The",
        "said",
        "...",
        "No.",
        "😀",
        "- ",
    ]
)


@given(st.lists(PIECES).map("".join) | st.text())
def test_sentences_begin_at_words_in_order(text: str) -> None:
    starts, ends = TOKENISER.spans(text)
    firsts = sentence_starts(text, starts, ends)
    assert firsts == sorted(set(firsts))
    assert firsts[:1] == ([0] if starts else [])
    assert all(first < len(starts) for first in firsts)


@given(st.lists(st.sampled_from("cat Dog sat ran. left! Who? (yes) end.\" it's".split()), min_size=1).map(" ".join))
def test_blank_lines_always_separate(text: str) -> None:
    assert len(sentences(f"{text}\n\n{text}")) == 2 * len(sentences(text))


@pytest.mark.parametrize("piece", [". ", "a. ", "A\n", '. " ', "... (", "U.S. ", "A b.\n\n"])
def test_long_texts(piece: str) -> None:
    text = piece * 20_000
    assert sentences(text)
