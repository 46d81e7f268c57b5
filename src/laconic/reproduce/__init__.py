"""Reproduce the paper's tables and figures next to ours: `laconic reproduce`."""

from laconic.reproduce.reproduce import reproduce

__all__ = ["reproduce"]
