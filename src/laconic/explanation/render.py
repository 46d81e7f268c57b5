"""Explanations for people: in the terminal, with what is gone struck through, and as HTML in a notebook."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from laconic.explanation.deletions import By, Deletion

if TYPE_CHECKING:
    from rich.text import Text

    from laconic.results import Compression, Sentence

_TERMINAL: Final = {By.MODEL: "red", By.BUDGET: "yellow", By.CONSTRAINT: "magenta", By.PRINT: "bright_black"}
_HTML: Final = {By.MODEL: "#c0392b", By.BUDGET: "#b7791f", By.CONSTRAINT: "#8e44ad", By.PRINT: "#888888"}


def pieces(sentence: Sentence, compression: Compression) -> Iterator[tuple[str, Deletion | None]]:
    """The whole sentence from left to right: what stays, and what is gone with its deletion."""
    at = sentence.start
    for deletion in compression.deletions or ():
        if at < deletion.start:
            yield sentence.text[at - sentence.start : deletion.start - sentence.start], None
        yield deletion.text, deletion
        at = deletion.end
    if at < sentence.end:
        yield sentence.text[at - sentence.start :], None


def reason(deletion: Deletion) -> str:
    """Why words are gone, in a few words."""
    who = deletion.constraint or str(deletion.by)
    if deletion.p_del is None:
        return deletion.constraint or "needless in print"
    return f"{who}: {deletion.label}, p_del {deletion.p_del:.2f}"


def as_terminal(sentence: Sentence, compression: Compression) -> Text:
    """The sentence with what is gone struck through in the colour of who decided, and a line for each deletion."""
    from rich.text import Text

    text = Text()
    for piece, deletion in pieces(sentence, compression):
        text.append(piece, "" if deletion is None else f"strike {_TERMINAL[deletion.by]}")
    text.append("\n")
    for deletion in compression.deletions or ():
        if deletion.by is By.PRINT:
            continue
        text.append(f"  {deletion.start}:{deletion.end}", "bright_black")
        text.append(f"  {_folded(deletion.text)}", f"strike {_TERMINAL[deletion.by]}")
        text.append(f"  {reason(deletion)}\n")
    return text


def as_plain(sentence: Sentence, compression: Compression) -> str:
    """The same without colours: what is gone stands in brackets, as wdiff writes it."""
    whole = "".join(piece if deletion is None else f"[-{piece}-]" for piece, deletion in pieces(sentence, compression))
    lines = [
        f"  {deletion.start}:{deletion.end}  {_folded(deletion.text)}  {reason(deletion)}"
        for deletion in compression.deletions or ()
        if deletion.by is not By.PRINT
    ]
    return "\n".join([_folded(whole), *lines]) + "\n"


def as_html(sentence: Sentence, compression: Compression) -> str:
    """The sentence as a paragraph, with what is gone struck through; the reason shows under the pointer."""
    parts = []
    for piece, deletion in pieces(sentence, compression):
        shown = html.escape(piece)
        if deletion is not None:
            title = html.escape(reason(deletion), quote=True)
            shown = f'<del title="{title}" style="color:{_HTML[deletion.by]}">{shown}</del>'
        parts.append(shown)
    return f"<p>{''.join(parts)}</p>"


def _folded(text: str) -> str:
    return " ".join(text.split())
