"""Detect parts of messages that are not prose: code, JSON, logs and so on. In doubt, they are left alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import Final

from laconic.document.blocks import Block, Blocks
from laconic.document.parts import Part, Parts

#: Matches a line of code, of a log or of a terminal.
_CODE_LINE: Final = re.compile(
    r"""\s*(?:
        (?:def|class|struct|interface|enum|fn|func|function)\s+\w+\s*[(:{<]
        |(?:import|using|package|require|include)\s+[\w.:"'<>/]+(?:\s+as\s+\w+)?;?\s*$
        |from\s+[\w.]+\s+import\s
        |(?:const|let|var|val|auto|int|float|double|char|bool|string)\s+\w+(?:\s*:\s*\w+)?\s*=
        |(?:if|for|while|switch|catch)\s*\(.*\)\s*\{?\s*$
        |(?:return|raise|throw|await|yield)\b.*[;()\]}]\s*$
        |(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+TABLE|ALTER\s+TABLE)\s+\S
        |\#(?:include|define|!/)
        |(?:\$|>>>|\.\.\.|%)\s+\S
        |@\w+(?:\(.*\))?\s*$
        |[\w.\[\]"']+\s*[-+*/|&]?=\s*\S
        |[\w.\[\]-]+\s*:\s*[\w.\[\]"'/-]+\s*$
        |</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>\s*$
        |[}\])]+[;,]?\s*$
        |.*(?:[;{}]|=>|->|\):)\s*$
        |(?:Traceback\ \(most\ recent|File\ ".*",\ line\ \d|at\ [\w.$<>]+\(|Caused\ by:|[\w.]*(?:Error|Exception):\ )
        |\[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d
        |\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[]:\ ]
        |(?:diff\ --git|@@\ |\+\+\+\ |---\ [ab]/)
    )""",
    re.VERBOSE,
)
#: Matches code within prose: code spans, addresses, paths, file names, flags, identifiers.
_INLINE: Final = re.compile(
    r"(`+)(?!`).+?(?<!`)\1(?!`)"
    r"|\b\w+://[^\s<>]*[\w/]|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w/])(?:~|\.{1,2})?(?:/[\w.@-]*\w)+/?|\b[A-Za-z]:\\[\w\\.-]*\w"
    r"|\b[\w-]+\.(?:py|js|ts|tsx|jsx|json|md|txt|csv|ya?ml|toml|html?|css|java|cpp?|hpp?|rs|go|rb|sh|sql|log|xml|ini|cfg|env|lock|pdf|docx?|xlsx?|zip|png|jpe?g)\b"
    r"|(?<![\w-])--[a-z][\w-]*|\b\w+\(\)|\b\w+(?:::\w+)+|\b[A-Za-z]\w*_\w+\b|\b_+\w+",
    re.DOTALL,
)
_SYMBOLS: Final = frozenset("{}[]<>=;|\\/_^&$#@~+*`")
#: A paragraph with at least this share of symbols is not prose.
_MOST_SYMBOLS: Final = 0.08


def leave_code(blocks: Blocks) -> Blocks:
    """The blocks of a message, with everything that is not prose required unchanged: code, JSON, logs, tables, HTML."""
    code = [i for i, block in enumerate(blocks) if block.prose is None or _is_code(block)]
    # Headings, rules and definitions are printed only if other blocks need them.
    staying = [i for i in code if not blocks.heading[i] and not blocks.serves[i]]
    return blocks.leaving(code, staying)


def _is_code(block: Block) -> bool:
    assert block.prose is not None
    text = block.prose.plain
    if _is_json(text):
        return True
    if sum(char in _SYMBOLS for char in _INLINE.sub("", text)) > _MOST_SYMBOLS * len(text):
        return True
    return any(_CODE_LINE.match(line) for line in block.source.splitlines())


def _is_json(text: str) -> bool:
    """Whether a text is JSON or JSON Lines, or begins and ends like it."""
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] in ("{}", "[]"):
        return True
    try:
        return isinstance(json.loads(stripped), dict | list)
    except ValueError:
        return False


def keep_code(parts: Parts) -> Parts:
    """The parts with only those candidates of sentences that keep all of the sentence's code."""
    return Parts([_keep_code(part) for part in parts])


def _keep_code(part: Part) -> Part:
    sentences, rendered, spans = list(part.sentences), list(part.rendered), list(part.spans)
    for i, (sentence, texts, own) in enumerate(zip(part.sentences, part.rendered, part.spans, strict=True)):
        code = _code_in(texts[-1]) if texts else None
        if not code:
            continue
        able = [j for j, text in enumerate(texts) if _code_in(text) == code]
        sentences[i] = sentence._replace(
            candidates=tuple(sentence.candidates[j] for j in able),
            required=sentence.required or bool(able),
        )
        rendered[i] = [texts[j] for j in able]
        spans[i] = [own[j] for j in able]
    return replace(part, sentences=sentences, rendered=rendered, spans=spans)


def _code_in(text: str) -> Counter[str]:
    return Counter(match.group() for match in _INLINE.finditer(text))
