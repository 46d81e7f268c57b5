"""The paper's tables and figures beside ours: `laconic reproduce`."""

from laconic.reproduce.reproduce import reproduce

__all__ = ["reproduce"]
