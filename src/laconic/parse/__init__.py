"""Parse: raw text to plain arrays of tokens, heads, labels, tags, lemmas and entities."""

from laconic.parse.parser import Parser, load_parser
from laconic.parse.parses import Parses, lemma_id
from laconic.parse.spacy import SpacyParser, from_docs

__all__ = ["Parser", "Parses", "SpacyParser", "from_docs", "lemma_id", "load_parser"]
