"""Explanations for people: in the terminal, with deleted words struck through, and as HTML in a notebook."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from laconic.explanation.deletions import By, Deletion, Guarded

if TYPE_CHECKING:
    from rich.text import Text

    from laconic.results import Compression, Sentence

_TERMINAL: Final = {
    By.MODEL: "red",
    By.GUARD: "blue",
    By.BUDGET: "yellow",
    By.CONSTRAINT: "magenta",
    By.PRINT: "bright_black",
}
_HTML: Final = {
    By.MODEL: "#c0392b",
    By.GUARD: "#1f6fb7",
    By.BUDGET: "#b7791f",
    By.CONSTRAINT: "#8e44ad",
    By.PRINT: "#888888",
}


def pieces(sentence: Sentence, compression: Compression) -> Iterator[tuple[str, Deletion | Guarded | None]]:
    """The pieces of the sentence from left to right, each with the deletion or guard pin that applies, or None."""
    at = sentence.start
    parts: list[Deletion | Guarded] = [*(compression.deletions or ()), *compression.guarded]
    for part in sorted(parts, key=lambda each: each.start):
        if at < part.start:
            yield sentence.text[at - sentence.start : part.start - sentence.start], None
        yield part.text, part
        at = part.end
    if at < sentence.end:
        yield sentence.text[at - sentence.start :], None


def reason(deletion: Deletion) -> str:
    """The reason for a deletion, in a few words."""
    who = deletion.constraint or (str(deletion.by) if deletion.rule is None else f"{deletion.by}: {deletion.rule}")
    if deletion.p_del is None:
        return deletion.constraint or "needless in print"
    return f"{who}: {deletion.label}, p_del {deletion.p_del:.2f}"


def kept_because(words: Guarded) -> str:
    """The reason why the guard keeps words, in a few words."""
    return f"stays, guard: {words.rule}"


def as_terminal(sentence: Sentence, compression: Compression) -> Text:
    """The sentence with deletions struck through, coloured by who decided, and a line for each deletion."""
    from rich.text import Text

    text = Text()
    for piece, part in pieces(sentence, compression):
        text.append(piece, f"strike {_TERMINAL[part.by]}" if isinstance(part, Deletion) else "")
    text.append("\n")
    for deletion in compression.deletions or ():
        if deletion.by is By.PRINT:
            continue
        text.append(f"  {deletion.start}:{deletion.end}", "bright_black")
        text.append(f"  {_folded(deletion.text)}", f"strike {_TERMINAL[deletion.by]}")
        text.append(f"  {reason(deletion)}\n")
    for words in compression.guarded:
        text.append(f"  {words.start}:{words.end}", "bright_black")
        text.append(f"  {_folded(words.text)}", _TERMINAL[By.GUARD])
        text.append(f"  {kept_because(words)}\n")
    return text


def as_plain(sentence: Sentence, compression: Compression) -> str:
    """The same without colours: deletions are in brackets, as in wdiff."""
    shown = pieces(sentence, compression)
    whole = "".join(f"[-{piece}-]" if isinstance(part, Deletion) else piece for piece, part in shown)
    lines = [
        f"  {deletion.start}:{deletion.end}  {_folded(deletion.text)}  {reason(deletion)}"
        for deletion in compression.deletions or ()
        if deletion.by is not By.PRINT
    ]
    lines += [
        f"  {words.start}:{words.end}  {_folded(words.text)}  {kept_because(words)}" for words in compression.guarded
    ]
    return "\n".join([_folded(whole), *lines]) + "\n"


def as_html(sentence: Sentence, compression: Compression) -> str:
    """The sentence as a paragraph with deletions struck through; the reason is shown as a tooltip."""
    parts = []
    for piece, part in pieces(sentence, compression):
        shown = html.escape(piece)
        if isinstance(part, Deletion):
            title = html.escape(reason(part), quote=True)
            shown = f'<del title="{title}" style="color:{_HTML[part.by]}">{shown}</del>'
        elif isinstance(part, Guarded):
            title = html.escape(kept_because(part), quote=True)
            shown = f'<span title="{title}" style="color:{_HTML[By.GUARD]}">{shown}</span>'
        parts.append(shown)
    return f"<p>{''.join(parts)}</p>"


def _folded(text: str) -> str:
    return " ".join(text.split())
