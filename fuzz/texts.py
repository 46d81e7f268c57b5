"""Random texts and documents: English from a small grammar and from the test data, then damaged as real texts are."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent.parent / "tests" / "data"

SUBJECTS = (
    "the committee|a 39-year-old nurse|Dr. J. K. O'Neill|nobody|they|it|she|each of the drivers|the E.U.|Acme Inc.|"
    "my sister's dog|the state-of-the-art lab|who|two ATMs|some of what we'd seen|Anna and/or Ben|you|I|what's left|"
    "the man in the café|most people|$5.3m|the U.S.-based firm|neither she nor he|the “experts”|Yahoo!|R&D|80% of users"
).split("|")
VERBS = (
    "didn't approve|can't have seen|has been told to leave|won't|isn't|'ll sell|was arrested at|said that it wants|"
    "should've known|does not believe|cannot afford|gonna buy|ain't|is ready for|would rather keep|denied stealing|"
    "hardly ever reads|might or might not open|shut down|'s reviewing|is said to own|let's go of|needn't've moved|is|"
    "announced on Monday"
).split("|")
OBJECTS = (
    "the plan|a bank in Arizona|an 11-year-old girl's bike|nothing but water|three to five km/h|£6m.|a file a.b@c.org|"
    "http://example.com/a_b?c=d|'em|that|its shares (all of them)|the so-called “peace” talks|5G|tea, milk, and sugar|"
    "50%|No. 7|more than 1,000 euros|the left-/right-hand side|10-12 weeks|no one|render()|the C++ code|him|one(s)|"
    "the CEO–who resigned–and his wife|y'all|$3/£2|rain[2]|the #1 song|p < 0.05|1st|rock 'n' roll|its|Mr. and Mrs. Hu"
).split("|")
ADVERBIALS = (
    "late Friday|if it rains|unless you're told otherwise|because of the storm|in 2019|without asking|, however,|again|"
    "at 3 p.m.|– or so they say –|(see p. 4)|not only here but also there|by Monday at the latest|as far as I know|"
    ", which nobody expected,|, I'm told,|at home|only|sort of|to the best of our knowledge|while waiting|:-)|😀|"
    "etc.|i.e. never|so that we'd win|when you're|2x|yesterday|, though"
).split("|")
LINKS = ", and|, but|; |: | because| although| – |, so| that| who| or|/|, if|... |, “|—".split("|")
STOPS = ".|.|.|.|.|!|?|...|…||?!|.”|.)|;|:|。".split("|")
STRANGE = (
    "\u00a0\u200b\u200d\ufeff\u00ad\u2028\x00\x1f\x7f\t\n\r\x0b\ud800\udc00\ufffd\U0001f600\U0001f1e9\U0001f1ea"
    "\u0301\u0338\u202eµß\u1e9eﬁıİǅ\u0660１Ａ中の가ع\U00010348'’`´\"“”«»-–—/\\|_*#~<>()[]{}.,;:!?…&%$€@=+^"
)
MARKUP = (
    "# {}",
    "## {}\n",
    "- {}",
    "* {}\n",
    "1. {}",
    "> {}",
    "> - {}",
    "    {}",
    "```\n{}\n```",
    "| {} | b |\n|---|---|",
)
MARKUP += (
    "- [ ] {}",
    "[a]: http://x.org\n{}",
    "<div>\n{}\n</div>",
    "{}\n===",
    "{}  \n{}",
    "$$\n{}\n$$",
    "***",
    "{}[^1]",
)
INLINE = (
    "**{}**",
    "*{}*",
    "_{}_",
    "`{}`",
    "[{}](http://x.y/z)",
    "![{}](i.png)",
    "<b>{}</b>",
    "~~{}~~",
    "\\{}",
    "{}[^1]",
)


@cache
def known() -> tuple[str, ...]:
    """The texts of the test data."""
    texts = [
        json.loads(line)["text"]
        for name in ("faithful.jsonl", "faithful_fresh.jsonl")
        for line in (DATA / name).read_text(encoding="utf-8").splitlines()
    ]
    lines = (DATA / "sentences.txt").read_text(encoding="utf-8").splitlines()
    texts += [
        line.removeprefix("! ").replace(" | ", " ").replace("||", "") for line in lines if line[:1] not in ("", "#")
    ]
    return tuple(texts)


@cache
def documents() -> tuple[str, ...]:
    """The documents of the test data."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted((DATA / "markdown").glob("*.md")))


def make_clause(rng: random.Random) -> str:
    parts = [rng.choice(SUBJECTS), rng.choice(VERBS)]
    if rng.random() < 0.8:
        parts.append(rng.choice(OBJECTS))
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        parts.insert(rng.choice((0, len(parts), len(parts))), rng.choice(ADVERBIALS))
    return re.sub(r" (?=[,'])", "", " ".join(parts))


def make_sentence(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return rng.choice(known())
    text = make_clause(rng)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        text += rng.choice(LINKS) + " " * (rng.random() < 0.95) + make_clause(rng)
    if rng.random() < 0.9:
        text = text[:1].upper() + text[1:]
    return text + rng.choice(STOPS)


def damage(rng: random.Random, text: str) -> str:
    """A text as typing, copying and OCR leave it."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        words = text.split(" ")
        at = rng.randrange(len(text) + 1)
        change = rng.randrange(12)
        if change == 0:
            text = text[:at] + rng.choice(STRANGE) + text[at:]
        elif change == 1:
            text = text[:at] + text[at + rng.randint(1, 4) :]
        elif change == 2:
            rng.shuffle(words)
            text = " ".join(words)
        elif change == 3:
            text = rng.choice((str.upper, str.lower, str.title, str.swapcase))(text)
        elif change == 4:
            text = re.sub(rng.choice((r" ", r"[.,;:!?]", r"['’]", r"\w+ ")), "", text, count=rng.choice((1, 1, 3, 0)))
        elif change == 5:
            word = rng.randrange(len(words))
            words[word] = words[word] * rng.choice((2, 2, 3, 30))
            text = " ".join(words)
        elif change == 6:
            sign = rng.choice(STRANGE)
            text = " ".join(sign + word if rng.random() < 0.2 else word for word in words)
        elif change == 7:
            gap = rng.choice(("", "-", "/", "--", "—", ",", ".", "'", "\n", "\t", "  ", "_", "…", "n't", "'s"))
            text = gap.join(words) if rng.random() < 0.2 else text.replace(" ", gap, 1 + rng.randrange(3))
        elif change == 8:
            text += text[at:]
        elif change == 9:
            text = text.replace("'", "’") if rng.random() < 0.5 else text.replace(" ", " n't ", 1)
        elif change == 10:
            word = rng.randrange(len(words))
            pair = rng.choice(("()", "[]", "“”", '""', "''", "{}", "«»", "--", "__", "``"))
            words[word] = pair[0] + words[word] + pair[1]
            text = " ".join(words)
        else:
            sign = rng.choice(".,;:!?-/()'\"")
            text = text.replace(rng.choice(words) or " ", sign, 1)
    return text


def make_noise(rng: random.Random) -> str:
    """Characters without sense."""
    kind = rng.randrange(6)
    size = rng.choice((0, 1, 2, 5, 30, 200))
    if kind == 0:
        return "".join(rng.choice(STRANGE) for _ in range(size))
    if kind == 1:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(size))
    if kind == 2:
        return " ".join(rng.choice(".,;:!?'\"()-") * rng.randint(1, 3) for _ in range(size))
    if kind == 3:
        return rng.choice((" ", "\n", "\t", "\u00a0", "")) * size
    if kind == 4:
        return "".join(rng.choice("ab ,.'n’t-") for _ in range(size))
    return rng.choice(SUBJECTS + OBJECTS) * rng.choice((1, 3, 60))


def make_text(rng: random.Random) -> str:
    """A text of a few sentences."""
    if rng.random() < 0.04:
        return make_noise(rng)
    count = rng.choice((1, 1, 1, 1, 2, 2, 3)) if rng.random() < 0.995 else 12
    sentences = [make_sentence(rng) for _ in range(count)]
    gap = rng.choice((" ", " ", " ", " ", "\n", "", "  ")) if count > 1 else ""
    text = gap.join(sentences)
    if rng.random() < 0.002:
        text = re.sub(r"[.!?]", "", text) + " and " + " and ".join(make_clause(rng) for _ in range(40))
    return damage(rng, text) if rng.random() < 0.55 else text


def decorate(rng: random.Random, text: str) -> str:
    """A text with some Markdown in it."""
    words = text.split(" ")
    for _ in range(rng.choice((0, 1, 2))):
        at = rng.randrange(len(words))
        last = min(at + rng.randint(1, 3), len(words))
        words[at:last] = [rng.choice(INLINE).replace("{}", " ".join(words[at:last]))]
    return " ".join(words)


def make_document(rng: random.Random) -> str:
    """A short Markdown document."""
    if rng.random() < 0.05:
        lines = rng.choice(documents()).split("\n")
        first = rng.randrange(len(lines))
        text = "\n".join(lines[first : first + rng.randint(1, 30)])
    else:
        blocks = []
        for _ in range(rng.choice((1, 2, 2, 3, 4, 6))):
            block = decorate(rng, make_text(rng)) if rng.random() < 0.5 else make_text(rng)
            blocks.append(rng.choice(MARKUP).replace("{}", block) if rng.random() < 0.5 else block)
        text = "".join(block + rng.choice(("\n\n", "\n\n", "\n\n", "\n", "\r\n\r\n", "\n\n\n")) for block in blocks)
    if rng.random() < 0.05:
        text = rng.choice(("---\na: b\n---\n", "+++\nx=1\n+++\n", "\ufeff", "\n\n")) + text
    return damage(rng, text) if rng.random() < 0.15 else text
