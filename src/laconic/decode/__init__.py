"""Decoders: the k best subtrees, top-down (the paper) and by an integer linear program (its baseline)."""

from laconic._core import Decoded
from laconic.decode.choices import Method, Objective, Order
from laconic.decode.decode import decode
from laconic.decode.k_best import k_best

__all__ = ["Decoded", "Method", "Objective", "Order", "decode", "k_best"]
