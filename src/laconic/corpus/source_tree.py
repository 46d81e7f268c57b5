"""Convert the original tree of an official record (`source_tree`) to an item's tree.

Nearly every node is a single word; nodes of several words are dates ("May 10"). A record whose tree is incomplete, or
does not match its sentence, gets none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from laconic.corpus import stanford
from laconic.corpus.align import MAX_GAP
from laconic.corpus.stanford import Word
from laconic.corpus.trees import ItemTree, find_cycle

#: The parser of the released files' trees (Filippova & Altun 2013).
PARSER: Final = "google-2013"

_ROOT: Final = -1
_DOUBLE: Final = ("``", "''", '"', "“", "”")
_SINGLE: Final = ("`", "'", "‘", "’")
#: Alternative spellings of tokens in the text.
_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(_DOUBLE, _DOUBLE),
    **dict.fromkeys(_SINGLE, _SINGLE),
    "-LRB-": ("(",),
    "-RRB-": (")",),
    "-LSB-": ("[",),
    "-RSB-": ("]",),
    "...": ("...", "…"),
    "--": ("--", "–", "—"),
}
#: A mention without one of these tags is a common noun ("the company"), not a name or an amount.
_NAME_TAGS: Final = stanford.NAMES | {"CD", "$"}

#: First position, last position, type.
_Span = tuple[int, int, str]


def read_source_tree(source: Any, text: str) -> ItemTree | None:
    """The tree in our scheme, or None if it is not a complete tree of the text."""
    try:
        words, nodes = _read_words(source)
        spans = _find_words(text, words)
        entities = _entities(source, words, nodes)
        stanford.convert(words)
        tree = ItemTree(
            parser=PARSER,
            start=tuple(start for start, _ in spans),
            end=tuple(end for _, end in spans),
            head=tuple(word.head for word in words),
            label=tuple(word.label for word in words),
            tag=tuple(word.tag for word in words),
            lemma=tuple(word.stem for word in words),
            entity=tuple(entities),
        )
        tree.check(text)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return None
    return tree


def _read_words(source: dict[str, Any]) -> tuple[list[Word], list[tuple[dict[str, Any], list[int]]]]:
    """The words in sentence order, with their heads, and every node with the positions of its words."""
    nodes = {node["word"][node.get("head_word_index", 0)]["id"]: node for node in source["node"]}
    nodes.pop(_ROOT, None)
    edges = {edge["child_id"]: edge for edge in source["edge"]}
    if edges.keys() != nodes.keys() or len(edges) != len(source["edge"]):
        raise ValueError("not one edge into every node")
    words = []
    for own, node in nodes.items():
        for word in node["word"]:
            label = edges[own].get("label", "dep") if word["id"] == own else stanford.JOINED
            words.append(Word(word["id"], word["form"], word.get("stem", ""), word["tag"], own, label))
    words.sort(key=lambda word: word.id)
    places = {word.id: i for i, word in enumerate(words)}
    if len(places) != len(words):
        raise ValueError("a word in two nodes")
    for i, word in enumerate(words):
        if word.id in nodes:
            parent = edges[word.id]["parent_id"]
            word.head = i if parent == _ROOT else places[parent]
            if parent != _ROOT and parent not in nodes:
                raise ValueError("an edge from no node")
        else:
            word.head = places[word.head]
    if find_cycle([word.head for word in words]) is not None:
        raise ValueError("a cycle")
    return words, [(node, sorted(places[word["id"]] for word in node["word"])) for node in nodes.values()]


def _find_words(text: str, words: list[Word]) -> list[tuple[int, int]]:
    """The span of each word in the text, in order."""
    spans = []
    at = 0
    for word in words:
        forms = _SPELLINGS.get(word.form) or (word.form, word.form.replace("'", "’"))
        found = [
            (start, start + len(form))
            for form in forms
            if (start := text.find(form, at, at + MAX_GAP + len(form))) >= 0
        ]
        start, end = min(found)
        spans.append((start, end))
        at = end
    return spans


def _entities(source: dict[str, Any], words: list[Word], nodes: list[tuple[dict[str, Any], list[int]]]) -> list[str]:
    """The entity tag of each word, as in `ItemTree`; of overlapping spans, the longest counts."""
    found = ["O"] * len(words)
    mentions = sorted(_mentions(source, words), key=lambda span: span[0] - span[1])  # longest first
    times = [(first, last, "DATE") for first, last in stanford.dates(words)]
    money = [(first, last, "MONEY") for first, last in stanford.amounts(words)]
    for first, last, kind in (*mentions, *_typed_nodes(words, nodes), *times, *money):
        if all(entity == "O" for entity in found[first : last + 1]):
            found[first : last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
    return found


def _mentions(source: dict[str, Any], words: list[Word]) -> Iterator[_Span]:
    """The names that the record lists, by the ids of the first word, the last word and the head."""
    for mention in source.get("entity_mention") or ():
        kind = stanford.ENTITIES.get(str(mention.get("type")).upper())
        own = [i for i, word in enumerate(words) if mention["start"] <= word.id <= mention["end"]]
        head = next((i for i in own if words[i].id == mention.get("head")), None)
        if head is not None:  # words that the head does not dominate are not part of the name
            own = [i for i in own if _is_below(words, i, head)]
        is_name = mention.get("is_proper_name_entity")
        if is_name is None:
            is_name = any(words[i].tag in _NAME_TAGS for i in own)
        if kind and is_name and own and own[-1] - own[0] == len(own) - 1:
            yield own[0], own[-1], kind


def _typed_nodes(words: list[Word], nodes: list[tuple[dict[str, Any], list[int]]]) -> Iterator[_Span]:
    """Nodes with an entity type, including preceding words of the name; and nodes of several words, which are dates."""
    for node, places in nodes:
        first, last = places[0], places[-1]
        if last - first != len(places) - 1:
            continue
        kind = stanford.ENTITIES.get(str(node.get("type")).upper())
        if kind and any(words[i].tag in _NAME_TAGS for i in places):
            while first > 0 and _is_name_part(words[first - 1], places):
                first -= 1
            yield first, last, kind
        elif len(places) > 1 and any(words[i].tag == "CD" for i in places):
            yield first, last, "DATE"


def _is_name_part(word: Word, places: list[int]) -> bool:
    return word.label == "nn" and word.tag in stanford.NAMES and word.head in places


def _is_below(words: list[Word], place: int, head: int) -> bool:
    while place != head and words[place].head != place:
        place = words[place].head
    return place == head
