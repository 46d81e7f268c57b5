"""Parsers: the network, or a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from laconic.model_folders import NETWORK, SPACY, network_folder

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.parse.parses import Parses
    from laconic.parse.texts import Spans


class Parser(Protocol):
    """Anything that turns texts into `Parses`."""

    @property
    def description(self) -> str:
        """Name and version, as written into caches, signatures and cards."""
        ...

    @property
    def tokens(self) -> str:
        """The name of the tokeniser, for signatures."""
        ...

    def check(self, doc: Doc) -> None:
        """Refuse a document that cannot be used as it is."""
        ...

    def parse(self, texts: Iterable[str | Doc], whole: Sequence[Spans] = ()) -> Parses:
        """The parses of texts, in order; no sentence begins inside the spans in `whole`, given for each text."""
        ...


def load_parser(
    name: str | None = None, *, model: str | Path | None = None, split: bool = True, threads: int = 1
) -> Parser:
    """A parser by name: `network` (the default; that of `model`), `spacy`, or the name or path of a spaCy pipeline.

    With `split=False`, every text is one sentence. `threads` is the number of threads of the network.
    """
    if name in (None, NETWORK):
        from laconic.parse.network import NetworkParser

        return NetworkParser(network_folder(model), split=split, threads=threads)
    from laconic.parse.spacy import SpacyParser

    return SpacyParser(None if name == SPACY else name, split=split)
