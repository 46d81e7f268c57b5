"""laconic makes sentences shorter by deleting words: the k best extractive compressions, each with its score.

>>> import laconic
>>> laconic.compress("The police said the man who robbed a bank was arrested late Friday.", k=2)  # doctest: +SKIP
"""

from importlib.metadata import version

from laconic.compressor import Compressor, compress, load
from laconic.decode import Method, k_best
from laconic.errors import LaconicError
from laconic.results import Compression, Result, Sentence

__version__ = version("laconic")

__all__ = [
    "Compression",
    "Compressor",
    "LaconicError",
    "Method",
    "Result",
    "Sentence",
    "compress",
    "k_best",
    "load",
]
