"""Print results as plain text."""

from __future__ import annotations

from laconic.results import Result


def as_text(result: Result, k: int) -> str:
    """With k = 1, one line for the text; otherwise, one line for each compression.

    With k > 1, a blank line follows each sentence or, if the budget applies to the text as a whole, the text.
    """
    if k == 1:
        return str(result).replace("\n", " ") + "\n"
    lines = []
    for part in result.parts():
        lines += [f"{c.rank:>3} {c.score:>8.3f} {c.rate:>5.0%}  {c.text}\n" for c in part.compressions]
        lines.append("\n")
    return "".join(lines)
