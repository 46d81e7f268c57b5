"""Sentences and inline elements: nothing is torn, nothing is printed twice, tags stay in pairs, time stays linear."""

from __future__ import annotations

import re
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import pytest

import laconic
from laconic import LaconicError
from laconic.document import read as read_module
from laconic.document.candidates import Candidate, SentenceCandidates
from laconic.document.inline import read_text
from laconic.document.markdown import read_markdown
from laconic.document.plain import read_plain
from laconic.document.prose import Prose
from laconic.parse.texts import is_inside, spans_of, split_text

NASTY = """\
Catch `laconic.LaconicError. Then Retry` where an old `a.B` call fails, or pandas.DataFrame will be empty.
See [the long guide. It has examples](https://example.org/A.B) for more about this, please.

![A picture. With two sentences](shot.png) stands here, which nobody expected at all. The rest follows <i>in italic
letters. It is long</i> and goes on for a while.

Mail ann.lee@Example.com or read <https://example.org/Some.Page>. It is [free. Really](b "A. Title") for everybody.
<a href="c">An old link. With dots</a> ends the text, as links often do.
"""


def prose_of(text: str) -> list[Prose]:
    return [block.prose for block in read_markdown(text) if block.prose is not None]


def sentences(compressor: laconic.Compressor, prose: Prose) -> list[str]:
    forest, _ = compressor.read([prose.plain], whole=[prose.whole])
    parses = forest.parses
    starts = [int(parses.start[first]) for first in forest.sentence_first]
    return [prose.plain[a:b].strip() for a, b in pairwise([*starts, len(prose.plain)])]


def test_what_is_whole_is_units_and_the_text_of_links() -> None:
    (prose,) = prose_of("Use `a. B` and [c `d. E` f](g) at https://h.org, *not i. J* here.")
    assert [prose.plain[a:b] for a, b in prose.whole] == ["a. B", "c d. E f", "https://h.org"]


def test_no_sentence_begins_inside_of_what_is_whole(
    compressor: laconic.Compressor, paper_compressor: laconic.Compressor
) -> None:
    (first,) = prose_of("Use `Stop. Then go` now. See [the guide. It is long](a) first. **Good. Bad.** Yes.")
    for each in (compressor, paper_compressor):
        found = sentences(each, first)
        assert found[:2] == ["Use Stop. Then go now.", "See the guide. It is long first."]
        assert len(found) > 3  # emphasis has several
    for prose in prose_of(NASTY):
        forest, _ = compressor.read([prose.plain], whole=[prose.whole])
        begins = [int(forest.parses.start[first]) for first in forest.sentence_first]
        assert not any(is_inside(at, prose.whole) for at in begins)


@pytest.mark.parametrize("form", ["markdown", "text"])
def test_nothing_is_printed_twice(compressor: laconic.Compressor, form: str) -> None:
    text = NASTY if form == "markdown" else re.sub(r"[`\[\]!]|\([^)]*\)", "", NASTY)
    count = Counter(re.findall(r"\w+", re.sub(r"</?[ia][^>]*>", "", text).casefold()))
    for rate in (1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        printed = compressor.fit(text, rate=rate, format=form).text
        found = Counter(re.findall(r"\w+", re.sub(r"</?[ia][^>]*>", "", printed).casefold()))
        assert found <= count, (rate, found - count)
        for whole in re.findall(r"\S*\w\.[A-Z]\w*", printed):
            assert whole in text


def test_a_long_text_is_cut_outside_of_what_is_whole() -> None:
    before, unit = "Go on. " * 2000, "x. y. " * 2000
    text = before + unit + "The end."
    assert len(split_text(text)[0]) > len(before)
    whole = split_text(text, [(len(before), len(before + unit))])
    assert (whole[0], "".join(whole)) == (before, text)


def test_spans_of_a_part() -> None:
    spans = [(0, 5), (8, 12), (20, 30)]
    assert list(spans_of(0, 40, spans)) == spans
    assert list(spans_of(10, 21, spans)) == [(0, 2), (10, 20)]
    assert list(spans_of(12, 20, spans)) == []
    assert [at for at in range(31) if is_inside(at, spans)] == [*range(1, 5), *range(9, 12), *range(21, 30)]


# ---- references


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Rain fell.[1] Wind blew.[2]", "Rain fell. Wind blew."),
        ("Rain fell. [1] Wind blew. [2] [3]", "Rain fell. Wind blew."),
        ("Rain [17], [18] fell [2–4, 7], too.", "Rain fell, too."),
        ("Rain fell.[citation needed] Wind blew.[note 3]", "Rain fell. Wind blew."),
        ("Rain fell.[^1] Wind [^two] blew.", "Rain fell. Wind blew."),
        ("[1] Lee, A. Rain. 2003.", "[1] Lee, A. Rain. 2003."),
        ("Press [Enter] or [x].", "Press [Enter] or [x]."),
    ],
)
def test_references_are_no_words(text: str, plain: str) -> None:
    (prose,) = prose_of(text)
    assert prose.plain == plain == read_text(text).plain
    everything = [(0, len(plain))]
    assert prose.render(plain, everything) == read_text(text).render(plain, everything) == text


@pytest.mark.parametrize(
    ("kept", "printed"),
    [("Rain fell.", "Rain fell.[1]"), ("Wind blew.", "Wind [2], [3] blew."), ("Rain blew.", "Rain blew.")],
)
def test_references_stay_with_their_word_or_go_with_it(kept: str, printed: str) -> None:
    text = "Rain fell.[1] Wind [2], [3] blew."
    for prose in (*prose_of(text), read_text(text)):
        spans, at = [], 0
        for word in kept.replace(".", " .").split():
            at = prose.plain.index(word, at)
            spans.append((at, at + len(word)))
        assert prose.render(kept, spans) == printed


@pytest.mark.parametrize(
    ("kept", "text", "printed"),
    [
        (("Run", "npm"), "Run npm ls here", "Run `npm ls here`"),
        (("Run", "ls", "here now"), "Run npm ls here now", "Run `npm ls here` now"),
        (("Run", "npm", "here now"), "Run npm ls here now", "Run `npm ls here` now"),
        (("Run", "npm", "ls", "or", "go"), "Run npm ls here or go", "Run `npm ls here` or `go`"),
        (("npm", "now"), "npm ls here now", "`npm ls here` now"),
        (("Now", "go"), "Now go", "Now `go`"),
    ],
)
def test_a_print_has_all_of_a_unit_of_which_it_has_a_part(kept: tuple[str, ...], text: str, printed: str) -> None:
    (block,) = read_markdown("Run `npm ls here` now or `go`.")
    assert block.prose is not None
    spans: list[tuple[int, int]] = []
    for part in kept:
        start = block.prose.plain.index(part.lower() if part != "Run" else part, spans[-1][1] if spans else 0)
        spans.append((start, start + len(part)))
    found, own = block.prose.complete(" ".join(kept), spans)
    assert found == text
    assert block.prose.render(found, own) == printed
    assert " ".join(block.prose.plain[start:end] for start, end in own).lower().split() == text.lower().split()


def test_what_is_told_of_a_sentence_is_what_is_printed_of_it(
    compressor: laconic.Compressor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tear(_: object, texts: Sequence[str], *__: object, **___: object) -> list[list[SentenceCandidates]]:
        (text,) = texts
        torn = Candidate("Run npm.", ((0, 3), (4, 7), (len(text) - 1, len(text))), 1.0)
        return [[SentenceCandidates(text, (torn, Candidate(text, ((0, len(text)),), 2.0)), ("run",), False)]]

    monkeypatch.setattr(read_module, "read_candidates", tear)
    text = "Run `npm ls here` today, or some other day."
    found = compressor.fit(text, max_chars=30)
    assert found.text == "Run `npm ls here`."
    assert found.sentences == (("Run npm ls here today, or some other day.", "Run npm ls here."),)
    assert [text[start:end] for start, end in found.kept[0].spans] == ["Run", "`npm ls here`", "."]


@pytest.mark.parametrize("form", ["markdown", "text"])
def test_references_are_never_torn(compressor: laconic.Compressor, form: str) -> None:
    text = (
        "Heavy rain fell over the old town for three days in May.[1] Strong wind blew from the west, as it often does "
        "in spring.[2] [3] Interfaces [17], [18] are used by many large programs today, as we said.[4]"
    )
    for rate in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        printed = compressor.fit(text, rate=rate, format=form).text
        rest = re.sub(r"\[\d+\]", "", printed)
        assert not set("[]") & set(rest)
        assert all(re.search(rf"\w\.?\S* ?(?:\[\d+\],? ?)*\[{n}\]", printed) for n in re.findall(r"\[(\d+)\]", printed))


def test_references_in_single_sentences_are_never_torn(compressor: laconic.Compressor) -> None:
    found = compressor.compress("Heavy rain[2] fell.[1] Wind blew over the old town.[3][4]")
    assert [sentence.text for sentence in found.sentences] == [
        "Heavy rain[2] fell.[1]",
        "Wind blew over the old town.[3][4]",
    ]
    for sentence in found.sentences:
        for compression in sentence.compressions:
            assert compression.text.count("[") == compression.text.count("]")


# ---- tags


def unpaired(text: str) -> list[str]:
    """Tags that are open at the end, or were closed before they were opened."""
    stack: list[str] = []
    for closing, name in re.findall(r"<(/?)(\w+)[^>]*>", text):
        if not closing:
            stack.append(name)
        elif stack and stack[-1] == name:
            stack.pop()
        else:
            return [*stack, "/" + name]
    return stack


@pytest.mark.parametrize("form", ["markdown", "text"])
def test_tags_stay_in_pairs_around_what_is_kept(compressor: laconic.Compressor, form: str) -> None:
    text = (
        "The committee <i>approved the budget</i> for the new school after <b>a long <i>and tiring</i> debate</b> on "
        '<span class="a b">Monday evening</span>, and <b>nobody</b> objected. <i>Bees are insects. They live</i> in '
        "most places of the world, which is well known to everybody."
    )
    shorter = 0
    for rate in (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        printed = compressor.fit(text, rate=rate, format=form).text
        assert not unpaired(printed)
        rest = re.sub(r"</?(?:i|b|span)(?: class=\"a b\")?>", "", printed)
        assert not set("<>") & set(rest)
        assert not re.search(r"<(\w+)[^>]*>\s*</\1>", printed)
        shorter += 0 < len(printed) < len(text)
    assert shorter == 8


def test_marks_around_several_sentences_are_opened_once(compressor: laconic.Compressor) -> None:
    text = "_<b>The first sentence of it is here and it stays. The second is good too.</b>_\n"
    assert compressor.fit(text, max_words=8).text == "_<b>It stays. The second is good too.</b>_\n"


def test_an_address_does_not_stay_with_the_end_of_its_sentence(compressor: laconic.Compressor) -> None:
    text = "The firm sells no shares to people in Arizona who have read the whole page at http://example.com/ab…"
    printed = compressor.fit(text, max_words=8).text
    assert printed.startswith("The firm sells no shares")
    assert "http" not in printed


@pytest.mark.parametrize(
    "text",
    ["A <i> stands here alone.", "A </b> stands here.", "1 < 2 and 3 > 2.", "A <b>c <i>d</b> e</i>.", "<b></b>x"],
)
def test_tags_of_plain_text_that_are_not_in_pairs_are_text(text: str) -> None:
    prose = read_text(text)
    assert (prose.plain, prose.marks) == (text, ())
    assert prose.render(text, [(0, len(text))]) == text


def test_plain_text_has_no_other_markup() -> None:
    (block,) = read_plain("It is *so*, and a_b [c](d) `e` # f <br>and &amp; g.<!-- h -->")
    assert block.prose is not None
    plain = block.prose.plain
    assert plain == "It is *so*, and a_b [c](d) `e` # f and &amp; g."
    assert block.prose.render(plain, [(0, len(plain))]) == block.source
    start = plain.index("[c]")
    assert block.prose.render("*so*, [c](d)", [(6, 11), (start, start + 6)]) == "*so*, [c](d)"


# ---- time


def ticks(size: int) -> str:
    return " ".join("`" * length for length in range(1, int((2 * size) ** 0.5)))


ADVERSARIAL: dict[str, Callable[[int], str]] = {
    "stars": lambda n: "*" * n,
    "tildes": lambda n: "~" * n,
    "underlined": lambda n: "_a_" * (n // 3),
    "underlined words": lambda n: "_a_ " * (n // 4),
    "open emphasis": lambda n: "*a **b " * (n // 7),
    "nested emphasis": lambda n: "*_" * (n // 4) + "x" + "_*" * (n // 4),
    "open brackets": lambda n: "[" * n,
    "nested brackets": lambda n: "[" * (n // 2) + "x" + "]" * (n // 2),
    "links": lambda n: "[a](b) " * (n // 7),
    "open links": lambda n: "[a](" * (n // 4),
    "open notes": lambda n: "[^" * (n // 2),
    "citations": lambda n: "A b.[1] " * (n // 8),
    "open images": lambda n: "![" * (n // 2),
    "ticks": ticks,
    "code": lambda n: "`b` " * (n // 4),
    "less": lambda n: "<" * n,
    "open comments": lambda n: "<!--" * (n // 4),
    "open tags": lambda n: "<b>" * (n // 3),
    "nested tags": lambda n: "<b>" * (n // 7) + "x" + "</b>" * (n // 7),
    "pairs of tags": lambda n: "<b>x</b> " * (n // 9),
    "entities": lambda n: "&" * n,
    "escapes": lambda n: "\\*" * (n // 2),
    "brackets in addresses": lambda n: "https://x.org/" + "(" * (n // 2) + ")" * (n // 2),
    "hard breaks": lambda n: "b  \n" * (n // 4),
}


def read_and_render(text: str) -> None:
    for block in [*read_markdown(text), *read_plain(text)]:
        if block.prose is not None:
            plain = block.prose.plain
            spans = [(at, min(at + 3, len(plain))) for at in range(0, len(plain), 6)]
            block.prose.render(plain, [(0, len(plain))])
            block.prose.render("".join(plain[a:b] for a, b in spans), spans)


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_text_takes_linear_time(name: str) -> None:
    def seconds(size: int) -> float:
        text = f"a {ADVERSARIAL[name](size)} b"
        best = float("inf")
        for _ in range(2):
            begin = time.perf_counter()
            read_and_render(text)
            best = min(best, time.perf_counter() - begin)
        return best

    read_and_render("warm *up*")
    # Eight times the size: eight times the time, where it is linear, and 64 times, where it is quadratic.
    assert seconds(16_000) < 28 * max(seconds(2000), 0.004)


def test_a_sentence_without_end_takes_little_more_time_than_to_compress(compressor: laconic.Compressor) -> None:
    text = "a " + "&" * 4000 + " b"

    def seconds(work: Callable[[], object]) -> float:
        begin = time.perf_counter()
        with warnings.catch_warnings(), suppress(LaconicError):
            warnings.simplefilter("ignore", laconic.LaconicWarning)  # the network reads its first words alone
            work()
        return time.perf_counter() - begin

    assert seconds(lambda: compressor.fit(text, rate=0.9)) < 10 * seconds(lambda: compressor.compress(text))


def test_tags_around_a_label_and_the_sentence_after_it_are_opened_once(compressor: laconic.Compressor) -> None:
    source = '<b>THE e.u. ISN\u2019T</b> " ,, HOWEVER, yAHOO! *GONNA BUY* ROCK\u2019N\u2019 ROLL.)\n'
    assert compressor.fit(source, max_words=5).text == "<b>THE e.u. ISN\u2019T</b>, HOWEVER, yAHOO!\n"
