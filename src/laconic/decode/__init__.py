"""Decode: the k best subtrees of a tree with edge probabilities."""

from laconic.decode.k_best import Decoded, Method, decode, k_best

__all__ = ["Decoded", "Method", "decode", "k_best"]
