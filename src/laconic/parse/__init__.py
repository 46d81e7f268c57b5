"""Parse: raw text to plain arrays of tokens, heads, labels, tags, lemmas and entities."""

from laconic.parse.parses import Parses, lemma_id
from laconic.parse.spacy import SpacyParser

__all__ = ["Parses", "SpacyParser", "lemma_id"]
