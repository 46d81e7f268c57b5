"""Harvest: turn pairs of headline and sentence into sentences with compressions (Filippova & Altun 2013).

The filters that need no parse are applied first: few of a hundred pairs in a news feed need the parser at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from laconic import _core
from laconic.corpus.trees import ItemTree, tree_of_doc
from laconic.harvest.boilerplate import clean_text, first_part, is_unfinished, noise, readings
from laconic.harvest.headline import (
    Headline,
    check_lengths,
    check_missing,
    count_words,
    read_headline,
    screen,
)
from laconic.harvest.headline_words import Lemmas
from laconic.harvest.match import SentenceTree, match, sentence_trees
from laconic.harvest.reasons import Reason, UnfitError
from laconic.harvest.thresholds import Settings
from laconic.language.word_lists import RELATIVES
from laconic.parse import SpacyParser
from laconic.parse.spacy import from_docs
from laconic.realise import find_lowered, join_pieces
from laconic.tree import Forest, make_forest

if TYPE_CHECKING:
    from spacy.tokens import Doc

_RELATIVE: Final = frozenset(map(str.capitalize, RELATIVES))

#: The number of characters of a text that are parsed; its first sentence is among them.
TEXT_CHARS: Final = 2000


class Harvested(NamedTuple):
    """A training item: a sentence, its tree, the headline, and the compression derived from the headline."""

    sentence: str
    headline: str
    compression: str
    tokens: tuple[str, ...]
    keep: tuple[int, ...]  # by token: 1 if it, or its antecedent, is in the compression
    tree: ItemTree

    def to_dict(self) -> dict[str, Any]:
        """The item in the form that `laconic train` reads."""
        own = {"tokens": list(self.tokens), "keep": list(self.keep), "tree": self.tree.to_dict()}
        return {**self._asdict(), **own}


@dataclass(frozen=True, slots=True)
class Rejected:
    """A pair that was rejected, with the reason."""

    reason: Reason
    detail: str = ""


class Harvester:
    """Turns pairs into training items; can be used for any number of pairs."""

    def __init__(self, parser: SpacyParser | None = None, settings: Settings | None = None) -> None:
        self.parser = SpacyParser() if parser is None else parser
        self.settings = Settings() if settings is None else settings
        self._lemmas = Lemmas(self.parser.nlp)

    def harvest(self, pairs: Sequence[tuple[str, str]]) -> list[Harvested | Rejected]:
        """The item or rejection of each pair of a headline and a text; only the first sentence of the text is used."""
        outcomes: list[Harvested | Rejected | None] = [None] * len(pairs)
        with self.parser.forgetting():
            waiting: list[tuple[int, list[Headline], str]] = []
            for i, (headline, text) in enumerate(pairs):
                found = self._screen(headline, text)
                if isinstance(found, Rejected):
                    outcomes[i] = found
                else:
                    waiting.append((i, *found))
            docs = self.parser.docs(text for _, _, text in waiting)
            kept: list[tuple[int, list[Headline], Doc]] = []
            for (i, headlines, _), doc in zip(waiting, docs, strict=True):
                try:
                    kept.append((i, headlines, self._first_sentence(doc)))
                except UnfitError as error:
                    outcomes[i] = Rejected(error.reason, error.detail)
            for (i, _, _), outcome in zip(kept, self._match(kept), strict=True):
                outcomes[i] = outcome
        return [outcome for outcome in outcomes if outcome is not None]

    def _screen(self, headline: str, text: str) -> tuple[list[Headline], str] | Rejected:
        """The readings of a headline that pass the first filters, and the text; or a rejection."""
        text = clean_text(text[: 2 * TEXT_CHARS], headline)[:TEXT_CHARS]
        if len(text) == TEXT_CHARS and len(first_part(text)) == TEXT_CHARS:
            return Rejected(Reason.LONG_SENTENCE, f"{TEXT_CHARS:,} characters or more")
        there: set[str] = set()
        found, rejected = [], []
        for reading in readings(headline[:TEXT_CHARS]):
            try:
                screen(reading, text, self.settings)
                there = there or {lemma for form in self._tokenise(text) for lemma in self._lemmas.of(form)}
                read = read_headline(reading, self._tokenise(reading), self._lemmas)
                check_missing(
                    [word.form for word in read.wanted if word.content and not word.lemmas & there], self.settings
                )
                found.append(read)
            except UnfitError as error:
                rejected.append(Rejected(error.reason, error.detail))
        return (found, text) if found else rejected[0]

    def _tokenise(self, text: str) -> list[str]:
        return [token.text for token in self.parser.nlp.tokenizer(text)]

    def _first_sentence(self, doc: Doc) -> Doc:
        """The first sentence of a text that is long enough; if none is, the whole text."""
        sentences = list(doc.sents)
        if len(sentences) > 1:
            long = (each for each in sentences if count_words(each.text) >= self.settings.min_words)
            doc = next(long, sentences[0]).as_doc()
        if len(doc) > self.settings.max_words:
            raise UnfitError(Reason.LONG_SENTENCE, f"{len(doc)} tokens")
        sentence = doc.text.strip()
        if is_unfinished(sentence):
            raise UnfitError(Reason.UNFINISHED, sentence[-20:])
        found = noise(sentence)
        if found:
            raise UnfitError(found)
        return doc

    def _match(self, kept: Sequence[tuple[int, list[Headline], Doc]]) -> Iterator[Harvested | Rejected]:
        if not kept:
            return
        forest = make_forest(from_docs(doc for _, _, doc in kept))
        printer = _Printer(forest)
        for i, ((_, headlines, doc), tree) in enumerate(zip(kept, sentence_trees(forest), strict=True)):
            rejected = []
            for headline in headlines:
                try:
                    yield self._match_one(headline, doc, tree, partial(printer.print, i))
                    break
                except UnfitError as error:
                    rejected.append(Rejected(error.reason, error.detail))
            else:
                yield rejected[0]

    def _match_one(
        self, headline: Headline, doc: Doc, tree: SentenceTree, print_nodes: Callable[[str, list[int]], str]
    ) -> Harvested:
        check_lengths(count_words(headline.text), doc.text, self.settings)
        nodes = match(headline, tree, self._lemmas, self.settings)
        compression = print_nodes(doc.text, nodes)
        if compression.split(maxsplit=1)[0] in _RELATIVE:
            raise UnfitError(Reason.DANGLING, compression)
        if len(compression) > self.settings.max_length * len(headline.text):
            raise UnfitError(Reason.LONG_COMPRESSION, compression)
        members = set(nodes)
        return Harvested(
            doc.text.strip(),
            headline.text,
            compression,
            tuple(tree.forms),
            tuple(int(node in members) for node in tree.node_of),
            tree_of_doc(doc, parser=self.parser.description),
        )


class _Printer:
    """Prints subtrees of a batch, with antecedents in place of pronouns that would have none."""

    def __init__(self, forest: Forest) -> None:
        self._parses = forest.parses
        self._core = _core.Printer(forest, True)

    def print(self, sentence: int, text: str, nodes: list[int]) -> str:
        self._core.begin(sentence)
        self._core.add(0.0, nodes, len(text) * 4)
        self._core.end()
        decoded = self._core.finish()
        starts = decoded.piece_start.tolist()
        lowered = find_lowered(
            self._parses, int(self._parses.token_ptr[sentence]), starts, decoded.piece_pronoun.tolist()
        )
        return join_pieces(text, starts, decoded.piece_end.tolist(), decoded.piece_space.tolist(), lowered)[0]
