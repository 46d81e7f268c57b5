"""Parse: raw text to plain arrays of tokens, heads, labels, tags, lemmas and entities."""

from laconic.parse.parses import Parses, lemma_id
from laconic.parse.spacy import SpacyParser, from_docs

__all__ = ["Parses", "SpacyParser", "from_docs", "lemma_id"]
