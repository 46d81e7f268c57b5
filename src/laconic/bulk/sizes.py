"""How large partitions are."""

from __future__ import annotations

from typing import Final

PARTITION_ROWS: Final = 2000
#: A partition ends with the row that takes its values to this many characters, however few the rows.
PARTITION_CHARS: Final = 8_000_000
