"""The network as parser and scorer: from texts to `Parses` and the logits of their edges, in a single pass."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.batching import batches
from laconic.errors import LaconicWarning
from laconic.network.runtime import Batch, Network, Word, windows
from laconic.network.shape import LOGITS, MAX_PIECES, OUTPUTS, SAID
from laconic.parse import scheme
from laconic.parse.lemmas import lemma
from laconic.parse.parses import Parses, code_points, lemma_id
from laconic.parse.sentences import sentence_starts
from laconic.parse.spacy import check_doc, from_docs
from laconic.parse.tags import is_tag
from laconic.parse.texts import Spans, clean, spans_of, split_text
from laconic.parse.words import TOKENS, WordTokeniser
from laconic.score.level_scores import LevelScores

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: The number of characters that are parsed together: enough sentences of every length to fill a batch.
GROUP_CHARS: Final = 50_000

#: The maximum number of cached lemmas.
_REMEMBERED: Final = 200_000

_DEP: Final = scheme.LABEL_ID["dep"]
#: The form that the network reads in place of an HTML tag.
_QUOTE: Final = '"'
_ROOT: Final = scheme.LABEL_ID["ROOT"]
#: The ends of the compression outputs in the columns of the logits.
_ENDS: Final = np.cumsum([OUTPUTS[name] for name in SAID])[:-1]
_CC: Final = scheme.LABEL_ID["cc"]
_POBJ: Final = scheme.LABEL_ID["pobj"]
_PREP: Final = scheme.LABEL_ID["prep"]
_PUNCT: Final = scheme.LABEL_ID["punct"]
_BRACKET: Final = scheme.TAG_ID["-LRB-"]


class NetworkParser:
    """A network that parses texts into plain arrays and scores the edges of their trees.

    The network is opened in the background, until `wait` or its first use. With `split=False`, every text is one
    sentence. `threads` share the work of one batch.
    """

    def __init__(self, folder: Path, *, split: bool = True, threads: int = 1) -> None:
        self.network = Network(folder, threads=threads)
        self.split = split
        self._opened = (folder, split, threads)
        self._tokeniser = WordTokeniser()
        self._lemmas: dict[tuple[str, int], int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # Open objects cannot be pickled, so another process opens the network again.
        return _open, self._opened

    @property
    def description(self) -> str:
        """Name and version of the network, as written into caches and model cards."""
        return self.network.description

    @property
    def tokens(self) -> str:
        """The name of the tokeniser, for signatures."""
        return TOKENS

    def wait(self) -> None:
        """Wait until the network is open; refuses an invalid one."""
        self.network.wait()

    def check(self, doc: Doc) -> None:
        """Refuse anything but a parsed document."""
        check_doc(doc)

    def parse(self, texts: Iterable[str | Doc], whole: Sequence[Spans] = ()) -> Parses:
        """Parse texts; a parsed `Doc` keeps its parse.

        No sentence begins inside the spans in `whole`, given for each text.
        """
        return self.read(texts, whole)[0]

    def read(self, texts: Iterable[str | Doc], whole: Sequence[Spans] = ()) -> tuple[Parses, LevelScores]:
        """The parses of texts, as from `parse`, and the logits of their edges."""
        found: list[tuple[Parses, list[Columns]]] = []
        pairs = itertools.zip_longest(texts, whole, fillvalue=())
        for given, group in itertools.groupby(pairs, lambda pair: isinstance(pair[0], str)):
            items: list[Any] = list(group)
            docs = [doc for doc, _ in items]
            found.append(self._read(items) if given else self._read_docs(docs))
        found = found or [self._read([])]
        columns = [own for _, parts in found for own in parts]
        return Parses.concatenate([parses for parses, _ in found]), self._scores(columns)

    def score(self, parses: Parses) -> LevelScores:
        """The logits of the edges of trees that another parser made."""
        return self._scores([self._score(parses)])

    def _scores(self, found: Sequence[Columns]) -> LevelScores:
        columns = np.split(np.concatenate([own.logits for own in found]), _ENDS, axis=1)
        said = {name: own if OUTPUTS[name] > 1 else own[:, 0] for name, own in zip(SAID, columns, strict=True)}
        return LevelScores(**said, decoding=self.network.decoding)

    def _score(self, parses: Parses) -> Columns:
        texts = parses.texts()
        start, end = parses.start.tolist(), parses.end.tolist()
        columns = Columns(len(start))
        first_token = parses.token_ptr.tolist()
        for sentences in _groups(parses.sentences()):
            reading = _Reading(self.network, columns)
            for number, first, last in sentences:
                text = texts[number]
                rows = [row for row in range(first, last) if not text[start[row] : end[row]].isspace()]
                words = self._words([text[start[row] : end[row]] for row in rows])
                for a, b in _parts(words, text[start[first] :]):
                    reading.add(words[a:b], rows[a:b], first_token[number])
            reading.run()
        return columns

    def _read_docs(self, docs: Sequence[Doc]) -> tuple[Parses, list[Columns]]:
        parses = from_docs([check_doc(doc) for doc in docs])
        return parses, [self._score(parses)]

    def _read(self, texts: Sequence[tuple[str, Spans]]) -> tuple[Parses, list[Columns]]:
        own = [list(_text_parts(clean(text), whole)) for text, whole in texts]
        parts = itertools.chain.from_iterable(own)
        together = batches(parts, chars=GROUP_CHARS, size=lambda part: len(part[0]))
        groups = [self._parse_group(group) for group in together]
        groups = groups or [self._parse_group([])]
        parses = Parses.concatenate([parsed for parsed, _ in groups]).merge([len(parts) for parts in own])
        return parses, [columns for _, columns in groups]

    def _parse_group(self, texts: Sequence[tuple[str, Spans]]) -> tuple[Parses, Columns]:
        """Parse texts that go through the network together, each with its unsplittable spans."""
        starts: list[int] = []
        ends: list[int] = []
        forms: list[str] = []
        token_ptr = [0]
        sentence_rows = []
        reads: list[tuple[list[Word], int, int]] = []  # words of a part of a sentence, its first row, its text
        joined: list[list[int]] = []  # for each sentence that was split, the first rows of its parts
        for text, whole in texts:
            own_starts, own_ends = self._tokeniser.spans(text)
            own = [text[a:b] for a, b in zip(own_starts, own_ends, strict=True)]
            base = len(starts)
            cuts = sentence_starts(text, own_starts, own_ends, whole) if self.split else [0][: len(own)]
            words = self._words(own)
            for first, last in itertools.pairwise([*cuts, len(own)]):
                parts = _parts(words[first:last], text[own_starts[first] :])
                if len(parts) > 1:
                    joined.append([base + first + a for a, _ in parts])
                reads += [(words[first + a : first + b], base + first + a, base) for a, b in parts]
            sentence_rows += [base + first for first in cuts]
            starts += own_starts
            ends += own_ends
            forms += own
            token_ptr.append(len(starts))
        columns = Columns(len(starts))
        reading = _Reading(self.network, columns)
        for read, row, base in reads:
            reading.add(read, range(row, row + len(read)), base)
        reading.run()
        for rows in joined:
            _join_parts(columns, rows, np.array(token_ptr))
        tags = [
            row for row, form in enumerate(forms) if form[0] == "<" and is_tag(form) and columns.label[row] != _ROOT
        ]
        columns.label[tags], columns.tag[tags] = _PUNCT, _BRACKET
        _mend_prepositions(columns, np.array(token_ptr))
        chars, char_ptr = code_points([text for text, _ in texts])
        begins = np.zeros(len(starts), dtype=np.uint8)
        begins[sentence_rows] = 1
        parses = Parses(
            chars=chars,
            char_ptr=char_ptr,
            token_ptr=np.array(token_ptr, dtype=np.int64),
            start=np.array(starts, dtype=np.int32),
            end=np.array(ends, dtype=np.int32),
            head=columns.head,
            label=columns.label,
            tag=columns.tag,
            lemma=self._lemma_ids(forms, columns.tag),
            entity=columns.entity,
            entity_start=columns.entity_start,
            sentence_start=begins,
        )
        return parses, columns

    def _words(self, forms: Sequence[str]) -> list[Word]:
        """Words in the form that the network reads: it was not trained on HTML tags, so it reads quotes."""
        return self.network.pieces.read([_QUOTE if form[0] == "<" and is_tag(form) else form for form in forms])

    def _lemma_ids(self, forms: list[str], tags: NDArray[np.uint8]) -> NDArray[np.uint64]:
        known = self._lemmas
        if len(known) > _REMEMBERED:
            known.clear()
        found = []
        for key in zip(forms, tags.tolist(), strict=True):
            number = known.get(key)
            if number is None:
                number = known[key] = lemma_id(lemma(key[0], scheme.TAGS[key[1]]))
            found.append(number)
        return np.array(found, dtype=np.uint64)


def _mend_prepositions(columns: Columns, token_ptr: NDArray[np.int64]) -> None:
    """A conjunction with an object is a preposition: "all [but] two of them"."""
    objects = np.flatnonzero(columns.label == _POBJ)
    above = columns.head[objects] + np.repeat(token_ptr[:-1], np.diff(token_ptr))[objects]
    columns.label[above[columns.label[above] == _CC]] = _PREP


def _text_parts(text: str, whole: Spans) -> Iterator[tuple[str, Spans]]:
    """The parts of a long text, each with its unsplittable spans."""
    at = 0
    for part in split_text(text, whole):
        yield part, spans_of(at, at + len(part), whole) if whole else ()
        at += len(part)


def _open(folder: Path, split: bool, threads: int) -> NetworkParser:
    return NetworkParser(folder, split=split, threads=threads)


class Columns:
    """The output of the network, one row per token; the core accesses the arrays by name."""

    def __init__(self, rows: int) -> None:
        self.head = np.zeros(rows, dtype=np.int32)
        self.label, self.tag, self.entity, self.entity_start = (np.zeros(rows, dtype=np.uint8) for _ in range(4))
        self.logits = np.zeros((rows, LOGITS), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Words:
    """The positions of a batch's words and the tokens they belong to; the core accesses the arrays by name."""

    ptr: NDArray[np.int64]  # sentence i of the batch has the words ptr[i]:ptr[i + 1]
    piece: NDArray[np.int32]  # position of the word's first piece
    row: NDArray[np.int64]  # row of the word's token in the columns
    token: NDArray[np.int32]  # the same row, relative to the first token of its text


class _Reading:
    """Sentences that go through the network together, with the rows of their words in the columns."""

    def __init__(self, network: Network, columns: Columns) -> None:
        self._network = network
        self._columns = columns
        self._sentences: list[Sequence[Word]] = []
        self._rows: list[Sequence[int]] = []
        self._base: list[int] = []

    def add(self, words: Sequence[Word], rows: Sequence[int], base: int) -> None:
        """Add a sentence or a part of one; heads are relative to row `base`."""
        if words:
            self._sentences.append(words)
            self._rows.append(rows)
            self._base.append(base)

    def run(self) -> None:
        """Fill the columns."""
        for batch in self._network.run(self._sentences):
            self._fill(batch)

    def _fill(self, batch: Batch) -> None:
        counts = [len(own) for own in batch.first]
        rows = np.fromiter(itertools.chain.from_iterable(self._rows[i] for i in batch.numbers), np.int64)
        base = np.repeat([self._base[i] for i in batch.numbers], counts)
        words = Words(
            ptr=np.cumsum([0, *counts], dtype=np.int64),
            piece=np.fromiter(itertools.chain.from_iterable(batch.first), np.int32),
            row=rows,
            token=(rows - base).astype(np.int32),
        )
        _core.read_network(
            batch,
            words,
            self._columns,
            tags=len(scheme.TAGS),
            no_label=scheme.LABEL_ID[""],
            root_label=_ROOT,
        )


def _join_parts(columns: Columns, rows: Sequence[int], token_ptr: NDArray[np.int64]) -> None:
    """Attach the later parts of a long sentence to the root of the first; `rows` are the first rows of the parts."""
    text = int(np.searchsorted(token_ptr, rows[0], side="right")) - 1
    base, end = int(token_ptr[text]), int(token_ptr[text + 1])
    tops = []
    for first, last in itertools.pairwise([*rows, end]):
        own = np.arange(first, last)
        tops.append(int(own[columns.head[own] == own - base][0]))
    columns.head[tops[1:]] = tops[0] - base
    columns.label[tops[1:]] = _DEP


def _groups(sentences: Sequence[Any], size: int = 256) -> Iterator[Sequence[Any]]:
    for start in range(0, len(sentences), size):
        yield sentences[start : start + size]


def _parts(words: Sequence[Word], text: str) -> list[tuple[int, int]]:
    """The parts in which a sentence is read; warns if there are several. `text` begins with the sentence."""
    parts = windows(words)
    if len(parts) > 1:
        warnings.warn(
            f"the sentence {text[:40]!r}… has {len(words):,} words: it is read in {len(parts)} parts of up to "
            f"{MAX_PIECES} word pieces, whose trees are joined at their roots",
            LaconicWarning,
            stacklevel=2,
        )
    return parts
