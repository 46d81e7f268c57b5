"""Trees that are part of a corpus: the parse of an item, as supplied by the corpus' authors.

In JSON Lines, an item may have, besides `sentence`, the field `tree`; each of its lists has one entry per token:

    {"sentence": "Rain fell.", "compression": "Rain fell.",
     "tree": {"parser": "en_core_web_sm-3.8.0", "start": [0, 5, 9], "end": [4, 9, 10], "head": [1, 1, 1],
              "label": ["nsubj", "ROOT", "punct"], "tag": ["NN", "VBD", "."], "lemma": ["rain", "fall", "."],
              "entity": ["O", "O", "O"]}}

Labels, tags and entity types are those of `laconic.parse.scheme`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laconic.errors import LaconicError
from laconic.known_names import find_named
from laconic.parse import Parses, lemma_id, scheme
from laconic.parse.parses import code_points

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: The parser's name becomes part of a score's signature, so it must be a single word.
_NAME: Final = re.compile(r"[^\s|:,]+")
_ENTITY: Final = re.compile(r"O|[BI]-.+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NUMBERS: Final = ("start", "end", "head")

_REMEDY: Final = (
    "give parser (a name) and the lists start, end, head, label, tag, lemma and entity, one entry a token, "
    "as docs/training.md has them, or leave the tree out"
)


class Trees(StrEnum):
    """Which trees are used for training or evaluation."""

    PARSER = "parser"  # parse every sentence
    CORPUS = "corpus"  # use the items' own trees, and parse items without one


def check_trees(trees: Trees | str) -> Trees:
    """The choice of that name."""
    return find_named(Trees, trees, "trees")


@dataclass(frozen=True, slots=True)
class ItemTree:
    """The dependency tree of an item's text; each column has one entry per token."""

    parser: str  # its source, such as "en_core_web_sm-3.8.0"
    start: tuple[int, ...]  # character offsets into the text
    end: tuple[int, ...]
    head: tuple[int, ...]  # token indices; a root is its own head
    label: tuple[str, ...]
    tag: tuple[str, ...]  # Penn Treebank tags
    lemma: tuple[str, ...]  # "": unknown
    entity: tuple[str, ...]  # "B-PERSON", "I-PERSON", "O"

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.start)

    def to_dict(self) -> dict[str, Any]:
        """The tree as JSON-ready data: the field `tree` of an item."""
        return {"parser": self.parser, **{name: list(getattr(self, name)) for name in _COLUMNS}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], text: str) -> ItemTree:
        """Restore a tree of `text` from the result of `to_dict`."""
        if not isinstance(data, Mapping):
            raise _refusal("it is no object")
        missing = [field.name for field in fields(cls) if field.name not in data]
        if missing:
            raise _refusal(f"it has no {missing[0]}")
        for name in _COLUMNS:
            if not isinstance(data[name], list | tuple):
                raise _refusal(f"its {name} is no list")
        tree = cls(data["parser"], **{name: tuple(data[name]) for name in _COLUMNS})
        tree.check(text)
        return tree

    def check(self, text: str) -> None:
        """Refuse anything but a valid tree of the text."""
        if not isinstance(self.parser, str) or not _NAME.fullmatch(self.parser):
            raise _refusal(f"its parser is {self.parser!r}, no name without spaces and | : ,")
        if not len(self):
            raise _refusal("it has no token")
        for name in _COLUMNS:
            column = getattr(self, name)
            if len(column) != len(self):
                raise _refusal(f"it has {len(self)} tokens by start, but {len(column)} by {name}")
            kind = int if name in _NUMBERS else str
            odd = next((i for i, value in enumerate(column) if type(value) is not kind), None)
            if odd is not None:
                raise _refusal(f"{name} of token {odd} is {column[odd]!r}")
        at = 0
        for i, (start, end) in enumerate(zip(self.start, self.end, strict=True)):
            if not at <= start < end <= len(text):
                raise _refusal(f"token {i} is from {start} to {end}: behind {at}, within {len(text)} characters")
            at = end
        for i, entity in enumerate(self.entity):
            if not _ENTITY.fullmatch(entity):
                raise _refusal(f"entity of token {i} is {entity!r}, neither O nor B- or I- and a type")
        for i, head in enumerate(self.head):
            if not 0 <= head < len(self):
                raise _refusal(f"head of token {i} is {head}, and there are {len(self)} tokens")
        cyclic = find_cycle(self.head)
        if cyclic is not None:
            raise _refusal(f"token {cyclic} is below itself")


_COLUMNS: Final = tuple(field.name for field in fields(ItemTree) if field.name != "parser")


def _refusal(reason: str) -> LaconicError:
    return LaconicError(f"no tree of its sentence ({reason}): {_REMEDY}")


def find_cycle(heads: Sequence[int]) -> int | None:
    """A token that is its own ancestor, if there is one."""
    above = [False] * len(heads)  # known to lead to a root
    for start in range(len(heads)):
        at, path = start, set()
        while not above[at] and heads[at] != at:
            if at in path:
                return at
            path.add(at)
            at = heads[at]
        for token in (*path, at):
            above[token] = True
    return None


def tree_of_doc(doc: Doc, *, parser: str) -> ItemTree:
    """The tree of a `Doc` parsed by spaCy; `parser` is the description of the pipeline."""
    return ItemTree(
        parser=parser,
        start=tuple(token.idx for token in doc),
        end=tuple(token.idx + len(token) for token in doc),
        head=tuple(token.head.i for token in doc),
        label=tuple(token.dep_ for token in doc),
        tag=tuple(token.tag_ for token in doc),
        lemma=tuple(token.lemma_ or token.lower_ for token in doc),
        entity=tuple(f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O" for token in doc),
    )


def to_parses(texts: Sequence[str], trees: Sequence[ItemTree]) -> Parses:
    """Convert trees to arrays, as a parser would have made them of the texts, each of one sentence.

    Unknown labels become "dep", unknown tags "XX"; unknown entity types are dropped.
    """
    chars, char_ptr = code_points(map(_clean, texts))
    token_ptr = np.zeros(len(trees) + 1, dtype=np.int64)
    np.cumsum([len(tree) for tree in trees], out=token_ptr[1:])

    def numbers(name: str) -> list[int]:
        return [value for tree in trees for value in getattr(tree, name)]

    def indices(name: str, known: Mapping[str, int], other: str) -> list[int]:
        return [known.get(value, known[other]) for tree in trees for value in getattr(tree, name)]

    types = [[entity[2:] for entity in tree.entity] for tree in trees]  # "O" has none
    begins = [
        bool(own[i]) and (tree.entity[i][0] == "B" or i == 0 or own[i - 1] != own[i])
        for tree, own in zip(trees, types, strict=True)
        for i in range(len(tree))
    ]
    sentence_start = np.zeros(token_ptr[-1], dtype=np.uint8)
    sentence_start[token_ptr[:-1]] = 1
    return Parses(
        chars=chars,
        char_ptr=char_ptr,
        token_ptr=token_ptr,
        start=np.array(numbers("start"), dtype=np.int32),
        end=np.array(numbers("end"), dtype=np.int32),
        head=np.array(numbers("head"), dtype=np.int32),
        label=np.array(indices("label", scheme.LABEL_ID, "dep"), dtype=np.uint8),
        tag=np.array(indices("tag", scheme.TAG_ID, "XX"), dtype=np.uint8),
        lemma=np.array([lemma_id(_clean(lemma)) for tree in trees for lemma in tree.lemma], dtype=np.uint64),
        entity=np.array([scheme.ENTITY_ID.get(kind, 0) for own in types for kind in own], dtype=np.uint8),
        entity_start=np.array(begins, dtype=np.uint8),
        sentence_start=sentence_start,
    )


def _clean(text: str) -> str:
    """Replace lone surrogates, which are not characters, as the parser does."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
