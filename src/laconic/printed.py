"""Results as they are printed for people."""

from __future__ import annotations

from laconic.results import Result


def as_text(result: Result, k: int) -> str:
    """With k = 1 one line for the text; otherwise a line for each compression and a blank one after each sentence."""
    if k == 1:
        line = " ".join(sentence.compressions[0].text for sentence in result.sentences)
        return line.replace("\n", " ") + "\n"
    lines = []
    for sentence in result.sentences:
        lines += [f"{c.rank:>3} {c.score:>8.3f} {c.rate:>5.0%}  {c.text}\n" for c in sentence.compressions]
        lines.append("\n")
    return "".join(lines)
