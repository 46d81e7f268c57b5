"""Word errors and warnings for the command line: add the flags of the options that the library names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from laconic.errors import LaconicError, LaconicWarning
from laconic.options import Field, fields
from laconic.options.define import CompressOptions, FitOptions

#: Options that users also give in Python: messages name both forms.
_KNOWN: Final[Mapping[str, Field]] = {**fields(FitOptions), **fields(CompressOptions)}


def told(message: LaconicError | LaconicWarning) -> str:
    """The text of an error or warning, with the flags of the options that it names."""
    text = str(message)
    for name, value in message.options.items():
        keyword = name if value is None else f"{name}={value!r}"
        flag = _KNOWN[name].flag if name in _KNOWN else f"--{name.replace('_', '-')}"
        flag += f" {value}" if isinstance(value, str) else ""
        # Take the last match: the remedy comes after any quoted input.
        found = [*re.finditer(rf"(?<!\w){re.escape(keyword)}(?!\w)", text)]
        if not found:
            text += f" ({flag})"
            continue
        start, end = found[-1].span()
        if name in _KNOWN:
            inside = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
            flag = f"{keyword}, {flag}" if inside else f"{keyword} ({flag})"
        text = text[:start] + flag + text[end:]
    return text
