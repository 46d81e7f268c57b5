import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.parse.words import CACHE_CHUNKS, RUN, WordTokeniser

TOKENISER = WordTokeniser()


def words(text: str) -> list[str]:
    starts, ends = TOKENISER.spans(text)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    "marked",
    [
        # punctuation
        "Hello|,|world|!",
        '"|Stop|,|" she said|.',
        "“|Stop|!|” ‘|No|.|’",
        "(|see [|1|]|)",
        "word|...|word|…|word|....",
        "one|,|two",
        "the end|.|Next one",
        "what|?|!",
        "これ|。|次",
        "•|item",
        # contractions
        "do|n't can|not wo|n’t Ca|n't",
        "I|'m you|'re we|’ve she|'ll they|'d it|'s",
        "could|n't|'ve he|'d|'ve",
        "DO|N'T I|'M IT|'S",
        "gon|na got|ta y'|all",
        "do|nt I|m they|re what|s",
        "well were its ill wed Wed|. id hell",
        "Bob|'s Bobs|' twenty|-|one|'s",
        "rock'n'roll o'clock O’Brien ma'am 'em",
        "'|90s",
        # abbreviations and initials
        "U.S. U.K. a.m. Ph.D. J. J.K. Mr. Inc. Jan. Calif. i.e.",
        "U.S.|'s (|U.S.|)|, p.m.|;",
        "D|-|Calif.|, R|-|Ga.|)",
        "Mr.|Smith Lt|. etc|.",
        "SpaceX|.",
        # numbers, money, units
        "10|am 5|p.m. 10|am|. 10:30",
        "$|12|m £|5bn 50|% (|5|%|) US$|5 5|€",
        "10|km 100|mph 5|GB 5|°|C 10|+",
        "1,000 3.5|. 1/2 24/7 9/11 1990s 3rd 5G",
        "2|-|1 2020|-|21 10–12 12|-|year|-|old 3|+|4",
        "£|5.1|m|.",
        # hyphens, slashes, dashes
        "well|-|known COVID-19 e|-|mail -word word-",
        "this|—|that|–|other|--|more",
        "he|/|she and/or",
        # addresses and the like
        "http://example.com/a-b?c=d www.example.com example.co.uk/x-y|. (|example.com|)|,",
        "ann.lee@mail.example.com|, example.com|'s",
        "#|tag @name AT&T R&D",
        # names of programs, and missing spaces
        "pandas.DataFrame os.Path|, a.B.Cd|. (|obj.Next|(|)|) it.Next.then",
        "over|.|The tea|.|Please|! done|.|I it|.|He",
        # references
        'rain[2] fell|.[1] it|.|"[4] args[0]|, a[b]|; (|[|5|]|)',
        "so|.|[|citation needed|] “|[|w]e",
        # emoticons, emoji, signs
        ":-) :( <3 hello|:)",
        "hello|😀|😀|! Foo|™",
        "hi|👍🏽|! 👩‍👩‍👧 🇬🇧|🇫🇷 ❤️",
        # characters without a width
        "cafe\u0301|. word|.\u200b \ufeffword so\u00adcalled",
    ],
)
def test_cuts_at_white_space_and_at_the_marks(marked: str) -> None:
    assert words(marked.replace("|", "")) == marked.replace("|", " ").split()


@pytest.mark.parametrize("text", ["", " ", "\n\t\u00a0\u2029"])
def test_a_text_without_words_has_none(text: str) -> None:
    assert TOKENISER.spans(text) == ([], [])


def test_offsets_count_code_points() -> None:
    assert TOKENISER.spans("  é😀 \u00a0don't\n") == ([2, 3, 6, 8], [3, 4, 8, 11])


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfff.", "\x00\x07", "\u200b", "\u200d\u200d", "\ufeffword", "\u0301", "🏽"]
)
def test_odd_characters_are_in_a_word(text: str) -> None:
    assert "".join(words(text)) == text


SIGNS = st.sampled_from(
    [*"abcXYZ019 .,-'’\"“”()$%!?:;/…—\n\t@#", "n't", "😀", "🏽", "\u200d", "🇬🇧", "é", "U.S.", "http://"]
)


@given(st.lists(SIGNS).map("".join) | st.text())
def test_every_character_but_white_space_is_in_exactly_one_word(text: str) -> None:
    starts, ends = WordTokeniser().spans(text)
    at = 0
    for start, end in zip(starts, ends, strict=True):
        assert start < end
        assert not text[at:start].strip()
        assert not any(char.isspace() for char in text[start:end])
        at = end
    assert not text[at:].strip()


@given(st.lists(SIGNS).map("".join))
def test_what_is_remembered_does_not_change_the_words(text: str) -> None:
    tokeniser = WordTokeniser()
    assert tokeniser.spans(text) == tokeniser.spans(text) == WordTokeniser().spans(text)


@pytest.mark.parametrize("sign", ["a", ")", ".", "a-", "😀", "n't", "\u200d"])
def test_a_long_run_without_white_space_is_cut_into_pieces(sign: str) -> None:
    text = sign * (200_000 // len(sign))
    starts, ends = TOKENISER.spans(text)
    assert (starts[0], ends[-1]) == (0, len(text))
    assert max(end - start for start, end in zip(starts, ends, strict=True)) <= RUN


@pytest.mark.parametrize("gap", [",", "/", "'", "n't", "-"])
def test_a_long_run_is_cut_between_words_or_between_letters(gap: str) -> None:
    text = gap.join(["a", "39-year-old", "nurse's", "bike"] * 100)
    starts, _ = TOKENISER.spans(text)
    before = [text[start - 1] for start in starts[1:]]
    assert not [start for start, sign in zip(starts[1:], before, strict=True) if sign == "'" and text[start].isalpha()]


def test_memory_is_bounded() -> None:
    tokeniser = WordTokeniser()
    tokeniser.spans(" ".join(f"w{i}" for i in range(CACHE_CHUNKS + 10)))
    assert len(tokeniser._cache) <= CACHE_CHUNKS
