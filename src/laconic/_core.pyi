"""The native core of laconic."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

import laconic.network.runtime
import laconic.parse.network
import laconic.parse.parses
import laconic.tree.rules


FEATURES_VERSION: int = 2

def hash_string(text: str) -> int:
    """The 64-bit id of a string: MurmurHash64A of its UTF-8 bytes."""

class Role(enum.IntEnum):
    """What becomes of a word, by the label of the edge into it."""

    NODE = 0
    """a node of its own"""

    FUNCTION = 1
    """collapses into its head: comes and goes with it"""

    PREPOSITION = 2
    """collapses into its object and names the edge"""

    OBJECT = 3
    """a node; what a preposition collapses into"""

    SUBORDINATOR = 4
    """
    collapses into its clause; not printed when the clause is promoted to the root
    """

    CONJUNCTION = 5
    """belongs to the conjunct that follows it"""

    CORRELATIVE = 6
    """belongs to the first conjunct; printed with a second"""

    CONJUNCT = 7
    """attached to the head of the first conjunct, unless it is a verb"""

    RELATIVE = 8
    """a relative clause: its pronoun corefers with the noun it hangs on"""

    PUNCTUATION = 9
    """in no node: the realiser decides"""

    SUBJECT = 10
    """a node"""

    APPOSITION = 11
    """a node; a name in apposition to the noun before it takes its place"""

    COMPLEMENT = 12
    """a node"""

    PREDICATE = 13
    """a node; collapses with a copula"""

class Tag(enum.IntFlag):
    """Properties of a part-of-speech tag that the rules ask for."""

    FINITE = 1
    """inflected verb: gets an edge from the dummy root"""

    VERB = 2
    """verb"""

    POSSESSIVE = 4
    """possessive pronoun: collapses like a determiner"""

    RELATIVE = 8
    """may be a relative pronoun"""

    ADPOSITION = 16
    """makes a dative a prepositional phrase"""

    NUMBER = 32
    """number"""

    SPACE = 64
    """white space: in no node"""

    ADVERB = 128
    """question adverb: opens a clause like a subordinator ("when he left")"""

    CURRENCY = 256
    """symbol that collapses into its amount"""

    SINGULAR = 512
    """noun in the singular"""

    PLURAL = 1024
    """verb that asks for a plural subject"""

    SEVERAL = 2048
    """noun in the plural: needs no determiner"""

    MODAL = 4096
    """auxiliary that says what may or must be"""

class Entity(enum.IntEnum):
    """How the words of an entity collapse."""

    SEPARATE = 0
    """not because of the entity"""

    NAME = 1
    """all words of a name or amount are one node"""

    DATE = 2
    """
    only numbers and compounds collapse: "March 4", but "late" and "Friday\"
    """

class Kind(enum.IntFlag):
    """Number and gender; several of a kind where either is possible."""

    SINGULAR = 1
    """one"""

    PLURAL = 2
    """several"""

    MALE = 4
    """he"""

    FEMALE = 8
    """she"""

    THING = 16
    """it"""

    PRONOUN = 32
    """a pronoun"""

    QUANTIFIER = 64
    """"no", "every": its noun refers to nobody in particular"""

class NodePin(enum.IntFlag):
    """What is asked of a node."""

    KEEP = 1
    """it must be there"""

    NOT_BELOW = 2
    """it must not be attached to its parent"""

    NOT_ROOT = 4
    """it must not be the root of what is kept"""

    STAYS = 8
    """it is kept if its parent is: the edge is not cut"""

    OR_NEXT = 16
    """the same, for it or its next sibling"""

class Pin(enum.IntEnum):
    """What is asked of a token."""

    NONE = 0
    """nothing"""

    KEEP = 1
    """it must stay"""

    DROP = 2
    """it must go"""

class Unit(enum.IntEnum):
    """What a length is counted in."""

    ANY = 0
    """there is no budget"""

    CHARS = 1
    """characters"""

    WORDS = 2
    """words, with white space between them"""

    TOKENS = 3
    """tokens of a tokenizer"""

class Problem(enum.IntEnum):
    """Why a sentence has no result within its limits."""

    NONE = 0
    """it has one"""

    LENGTH = 1
    """none has such a length"""

    CONFLICT = 2
    """words that are asked for do not go together"""

class Op(enum.IntEnum):
    """What a step of a program does."""

    ROW = 0
    """numbers by token: its own row"""

    HEAD = 1
    """the row of its head; a root's own"""

    LABEL = 2
    """the label of its edge"""

    TAG = 3
    """its tag"""

    ENTITY = 4
    """the type of its entity"""

    ENTITY_START = 5
    """1 on the first token of an entity"""

    SENTENCE_START = 6
    """1 on the first token of a sentence or text"""

    LEMMA = 7
    """the id of its lemma"""

    NUMBER = 8
    """the constant, alone; it goes with numbers of any length"""

    ADD = 9
    """a + b; 64 bits that wrap around, here and in the next four"""

    SUBTRACT = 10
    """a - b"""

    MULTIPLY = 11
    """a * b"""

    EXCLUSIVE_OR = 12
    """a ^ b"""

    SHIFT = 13
    """a >> b, without sign"""

    LEAST = 14
    """the lesser of a and b"""

    WHERE = 15
    """b where a is true, else c"""

    TAKE = 16
    """the numbers a at the places b; -1 where there is none"""

    FILTER = 17
    """the numbers a where b is true"""

    CONCATENATE = 18
    """a, then b"""

    FIND = 19
    """places of a among the ids; -1 where it is not among them"""

    ENTRY = 20
    """the ids at the places a; -1 where there is none"""

    ROWS = 21
    """the places where a is true"""

    LAST = 22
    """by token: the last place up to there where a is true, or -1"""

    COMING = 23
    """by token: the first place from there on where a is true, or -1"""

    FIRST_BELOW = 24
    """by token: its first dependent in a, or -1"""

    LAST_BELOW = 25
    """by token: its last dependent in a, or -1"""

    BOTH = 26
    """a and b"""

    EITHER = 27
    """a or b"""

    INVERT = 28
    """not a"""

    LESS = 29
    """a < b"""

    EQUAL = 30
    """a = b"""

    PICK = 31
    """the truth values a at the places b; false where there is none"""

    LISTED = 32
    """the table at the places a; false where there is none"""

    AFTER = 33
    """a, so many places later"""

    HEADS = 34
    """the heads of a"""

    BEST = 35
    """
    among those of a with the same head, the one with the greatest b; the first of equals
    """

    BELOW = 36
    """all below any of a"""

    CHAINED = 37
    """those of a whose ancestors are all in a"""

    STAYS = 38
    """the edges into the nodes of a stay, by a rule"""

    NOT_ROOT = 39
    """the nodes of a are no roots, by a rule"""

    PREFERS = 40
    """keeping the edges into the nodes of a is preferred"""

    NEEDS = 41
    """if a is kept, so is b, by a rule: rows in pairs"""

    ONE_OF = 42
    """if the common head is kept, so is a or b, by a rule: rows in pairs"""

    GIVE_MASK = 43
    """the mask a is given out"""

    GIVE_NUMBERS = 44
    """the numbers a are given out"""

class Rules:
    """The tables of a language, as the core reads them."""

    def __init__(self, tables: laconic.tree.rules.Tables) -> None: ...

class Forest:
    """
    The transformed trees of a batch. Tokens and nodes are numbered inside their sentence.
    """

    def __init__(self, parses: laconic.parse.parses.Parses, rules: Rules) -> None: ...

    def __len__(self) -> int: ...

    @property
    def parses(self) -> laconic.parse.parses.Parses:
        """What the trees were made of."""

    @property
    def sentence_text(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By sentence: the number of its text."""

    @property
    def sentence_first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: the row of its first token."""

    @property
    def sentence_last(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: the row after its last token."""

    @property
    def node_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first node, and one end."""

    @property
    def node_of(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By token: its node, or -1 for punctuation."""

    @property
    def word(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By node: the token that is its head word."""

    @property
    def row(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By node: the row of its head word."""

    @property
    def parent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By node: the head of its edge, or -1 under the dummy root."""

    @property
    def label(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """By node: the label of its edge."""

    @property
    def preposition(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By node: the token that names its edge, or -1."""

    @property
    def root_edge(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """By node: whether the dummy root has an edge to it."""

    @property
    def coreference_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first coreference, and one end."""

    @property
    def pronoun_word(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By coreference: the token of the pronoun."""

    @property
    def pronoun(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By coreference: the node of the pronoun."""

    @property
    def antecedent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By coreference: the node of the antecedent."""

def cover(parent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], root_edge: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], need: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], option_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], option_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], option_count: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int] | None:
    """The nodes of the smallest subtree that has what is needed, or None."""

class Program:
    """Rules on words, recorded as steps that run on batches."""

    def __init__(self, steps: Sequence[tuple[Op, int, int, int, int]], tables: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], ids: Sequence[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None: ...

    def pins(self, forest: Forest, fallen: int) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))]]:
        """
        By node: flags of NodePin; the rules that pin its edge and forbid it as a root, or 255; whether keeping its edge is preferred. `fallen` is the rule for roots of detached trees.
        """

    def values(self, parses: laconic.parse.parses.Parses) -> list[numpy.typing.NDArray[Any]]:
        """What is given out for a batch, in order."""

class EdgeScores:
    """Anything that has p_ret of edges."""

    def retain(self, forest: Forest) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        By node: p_ret of its parent's edge (0 where there is none), and of the dummy root's (-1 where there is none).
        """

class Model(EdgeScores):
    """The classifiers of the paper."""

    def __init__(self, maxent: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], maxent_scale: float, nss: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], nss_scale: float, ilp: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ilp_scale: float, temperature: float, size_weight: float) -> None: ...

    def sizes(self, forest: Forest) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The scores of the subset sizes 0, 1, 2, 3, 4+ of every node (weighted log p; zero where a node has no children).
        """

class Probabilities(EdgeScores):
    """p_ret from outside, by token."""

    def __init__(self, retain: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], root_retain: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], evidence: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], need: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], alone: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def between_levels(forest: Forest, retain: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], root: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], keep: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], need: Annotated[NDArray[numpy.float32], dict(shape=(None,), device='cpu', writable=False)], alone: Annotated[NDArray[numpy.float32], dict(shape=(None,), device='cpu', writable=False)], edge_weight: float, need_weights: Sequence[float], probability_weights: Sequence[float], thresholds: Sequence[float], places: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], fills: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """
    By token: p_ret of the parent's edge and of the dummy root's, the worth of the word, and the costs of cutting the edge and of printing the node without its parent, at each sentence's position on the line of levels.
    """

def first_no_probability(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """The place of the first value that is no probability, or -1."""

def first_not_finite(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """The place of the first value that is not finite, or -1."""

class Limits:
    """Limits on all compressions of a batch."""

    def __init__(self, unit: Unit, least: numpy.typing.NDArray[numpy.int64], most: numpy.typing.NDArray[numpy.int64], pin: numpy.typing.NDArray[numpy.uint8], cost: numpy.typing.NDArray[numpy.int32], base: int, count: Callable[[int, int, list[int], list[int], list[bool], list[int]], int] | None, nearest: bool, patience: int) -> None: ...

class Decoded:
    """
    The results of a batch as columns: sentences, their compressions, the pieces of text that these print.

    A compression's nodes are numbers of nodes in the sentence's tree. A piece is a token or a part of one, as
    characters of the text.
    """

    @property
    def result_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first result, and one end."""

    @property
    def score(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By result."""

    @property
    def node_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By result: its first node, and one end."""

    @property
    def node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """Nodes of results."""

    @property
    def piece_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By result: its first piece, and one end."""

    @property
    def piece_start(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By piece: its first character."""

    @property
    def piece_end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By piece: the character after its last."""

    @property
    def piece_space(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """By piece: whether a space goes before it."""

    @property
    def piece_word(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """By piece: whether it is a word."""

    @property
    def piece_pronoun(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By piece: the row of the pronoun in whose place it is printed, or -1."""

    @property
    def nanoseconds(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Four for each sentence: transform, root edges, decode, realise."""

    @property
    def problem(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """With limits, by sentence: why there is no result (Problem)."""

    @property
    def exact(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """With limits, by sentence: whether the results are certainly the best."""

    @property
    def shortest(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """With limits, by sentence: over all prints, if none fits."""

    @property
    def longest(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """With limits, by sentence: over all prints, if none fits."""

    @property
    def first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """
        With limits, by sentence: the row of a token that contradicts the second, or -1.
        """

    @property
    def second(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """
        With limits, by sentence: the row of a token that contradicts the first, or -1.
        """

    @property
    def nearest(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """
        With limits, by sentence: whether its result is only what comes nearest to them.
        """

    @property
    def solver_nanoseconds(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """
        By sentence: the part of decode inside the ILP's solver; empty for other methods.
        """

def pick(sources: Sequence[Decoded], result_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Decoded:
    """
    Results of several searches of one batch as those of one, by sentence; what is said of sentences is the first source's.
    """

class Printer:
    """Prints the node sets of decoders that are not in the core."""

    def __init__(self, forest: Forest, resolve: bool) -> None: ...

    def begin(self, sentence: int) -> None: ...

    def add(self, score: float, nodes: Sequence[int], room: int) -> bool:
        """
        False if nothing is added: the print is longer than the room, or has the same text as an earlier one.
        """

    def end(self) -> None: ...

    def finish(self, nanoseconds: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, solver_nanoseconds: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Decoded:
        """What was printed; the printer is empty again."""

def compress(forest: Forest, edge_scores: EdgeScores, guard: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, k: int, rho: float, beam: int, joint: bool, words: bool, candidates: int, temperature: float, resolve: bool, limits: Limits | None) -> Decoded:
    """
    The k best compressions of every sentence. The guard's pins are NodePin flags, by node.
    """

class Programs:
    """The integer linear programs of a batch; see native/ilp.hpp."""

    def __init__(self, forest: Forest, model: Model | None) -> None: ...

    def __len__(self) -> int: ...

    @property
    def edge_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first edge, and one end."""

    @property
    def head(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By edge: a node, or -1 for the dummy root."""

    @property
    def node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By edge."""

    @property
    def weight(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By edge; 0 without a model."""

    @property
    def length(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By edge: characters that its node adds at least."""

    @property
    def fixed(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By sentence: characters that every compression has."""

    @property
    def row_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first row, and one end."""

    @property
    def lower(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By row."""

    @property
    def upper(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By row."""

    @property
    def start(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """
        By row: its first entry, counted in its sentence, and one end for each.
        """

    @property
    def entry_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By sentence: its first entry, and one end."""

    @property
    def index(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By entry: its edge, counted in its sentence."""

    @property
    def value(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By entry."""

    @property
    def nanoseconds(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Three for each sentence: transform, score, build."""

def k_best(parent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], retain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], root_retain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, joint: bool) -> list[tuple[float, list[int]]]:
    """The k best subtrees of one tree."""

def knapsack(parent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], retain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], root_retain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pin: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], low: int, high: int, k: int) -> list[tuple[float, list[int]]]:
    """
    The k best by the joint objective, of those with a length from low to high that keep and drop the pinned nodes.
    """

class GoldSubtrees:
    """The subtrees that are closest to gold compressions."""

    def __init__(self, forest: Forest, gold: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def f1(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By sentence: word F1 against the gold."""

    @property
    def root(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By sentence: its root, or -1."""

    @property
    def kept(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """By node: whether it is in the subtree."""

def examples(forest: Forest, gold: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], nodes: bool, min_f1: float) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """
    Edges, or nodes, for training: pointers into the ids, the ids of features, labels.
    """

def edge_features(forest: Forest) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    The features of every edge, in the order of the programs' edges: pointers into the ids, and these.
    """

class FeatureIndex:
    def __init__(self) -> None: ...

    def count(self, ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def prune(self, least: int) -> None: ...

    def __len__(self) -> int: ...

    def ids(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    def number(self, ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

def logistic_loss(ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], label: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> float: ...

def perceptron_pass(ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], label: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: int, step: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> int: ...

def fill_table(ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, bits: int) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))] | None: ...

class WordPieces:
    """
    A vocabulary of word pieces, and how words are cut into them: native/pieces.hpp.
    """

    def __init__(self, lines: str) -> None: ...

    def __len__(self) -> int: ...

    def cut(self, words: Sequence[str], unknown: int) -> list[int]:
        """The numbers of the pieces of normalised words, one word after another."""

def read_network(output: laconic.network.runtime.Batch, words: laconic.parse.network.Words, columns: laconic.parse.network.Columns, tags: int, no_label: int, root_label: int) -> None:
    """
    Fills the columns of tokens from the outputs of one batch; the rows of other tokens stay as they are.
    """

def arborescence(scores: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The heads of the best tree with one root; a root is its own head."""

class Ways:
    """
    The ways to print the parts of a document, as columns: those that print something and that no other is
    better than, longer and worth more, one after another. See native/ways.hpp.
    """

    def __init__(self, sentence_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], option_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], required: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_table: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], separator: int, most: int) -> None: ...

    @property
    def way_ptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By part: its first way, and one end."""

    @property
    def length(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By way, with what is printed before the part."""

    @property
    def value(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By way."""

    def options(self, part: int, way: int) -> list[int]:
        """
        The option of each sentence, or row, of a part in one of its ways; -1 where it is left out.
        """

def choose_k_best(option_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], low: int, high: int, k: int) -> list[list[int]]:
    """
    The k best choices of one option for every item, best first, whose total length is from low to high. An item's
    options are in the order of their lengths.
    """

def choose(item_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], option_ptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], setup: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], required: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], int, int, int] | int:
    """
    The option of every item (-1: none), the total length, the total value, and how many states were searched; where
    nothing fits, the least total length instead.
    """
