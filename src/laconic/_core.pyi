"""Types of the native core (native/bindings*.cpp)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FEATURES_VERSION: int
RULES_VERSION: int

class Rules:
    def __init__(
        self,
        roles: NDArray[np.uint8],
        tags: NDArray[np.uint16],
        entities: NDArray[np.uint8],
        title_label: int,
        complementizer: int,
        copula: int,
        nouns: NDArray[np.uint8],
        names: NDArray[np.uint8],
        words: NDArray[np.uint64],
        kinds: NDArray[np.uint8],
        carried: NDArray[np.uint8],
    ) -> None: ...

class Parses:
    def __init__(self, *columns: NDArray[Any]) -> None: ...

class Scorer: ...

class Model(Scorer):
    def __init__(
        self,
        maxent: NDArray[np.uint16],
        maxent_scale: float,
        nss: NDArray[np.uint16],
        nss_scale: float,
        ilp: NDArray[np.uint16],
        ilp_scale: float,
        temperature: float,
        size_weight: float,
    ) -> None: ...

class Probabilities(Scorer):
    def __init__(
        self, retain: NDArray[np.float32], root_retain: NDArray[np.float32], evidence: NDArray[np.float32]
    ) -> None: ...

class Printer:
    def __init__(self, parses: Parses, rules: Rules, resolve: bool) -> None: ...
    def begin(self, sentence: int) -> None: ...
    def add(self, score: float, nodes: list[int], room: int) -> int: ...
    def end(self) -> None: ...
    def columns(self) -> tuple[NDArray[Any], ...]: ...

class Limits:
    def __init__(
        self,
        unit: int,
        least: NDArray[np.int64],
        most: NDArray[np.int64],
        pin: NDArray[np.uint8],
        cost: NDArray[np.int32],
        base: int,
        count: Callable[[int, int, list[int], list[int], list[bool], list[int]], int] | None,
        nearest: bool,
    ) -> None: ...

class FeatureIndex:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def count(self, ids: NDArray[np.uint32]) -> None: ...
    def prune(self, least: int) -> None: ...
    def ids(self) -> NDArray[np.uint32]: ...
    def number(
        self, ids: NDArray[np.uint32], ptr: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...

def hash_string(text: str) -> int: ...
def compress(
    parses: Parses,
    rules: Rules,
    scorer: Scorer,
    k: int,
    rho: float,
    beam: int,
    joint: bool,
    candidates: int,
    temperature: float,
    resolve: bool,
    limits: Limits | None,
) -> tuple[NDArray[Any], ...]: ...
def cover(
    parent: NDArray[np.int32],
    root_edge: NDArray[np.uint8],
    words: NDArray[np.int32],
    need: NDArray[np.int32],
    option_ptr: NDArray[np.int64],
    option_node: NDArray[np.int32],
    option_count: NDArray[np.int32],
) -> list[int] | None: ...
def programs(parses: Parses, rules: Rules, model: Model | None) -> tuple[NDArray[Any], ...]: ...
def edge_features(parses: Parses, rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
def trees(parses: Parses, rules: Rules, scorer: Scorer | None) -> tuple[NDArray[Any], ...]: ...
def sizes(parses: Parses, rules: Rules, model: Model) -> NDArray[np.float64]: ...
def k_best(
    parent: NDArray[np.int32], retain: NDArray[np.float64], root_retain: NDArray[np.float64], k: int, joint: bool
) -> list[tuple[float, list[int]]]: ...
def knapsack(
    parent: NDArray[np.int32],
    retain: NDArray[np.float64],
    root_retain: NDArray[np.float64],
    length: NDArray[np.int32],
    pin: NDArray[np.uint8],
    low: int,
    high: int,
    k: int,
) -> list[tuple[float, list[int]]]: ...
def gold(
    parses: Parses, rules: Rules, gold: NDArray[np.uint8]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]: ...
def examples(
    parses: Parses, rules: Rules, gold: NDArray[np.uint8], nodes: bool, min_f1: float
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint8]]: ...
def logistic_loss(
    ptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    label: NDArray[np.uint8],
    weights: NDArray[np.float64],
    gradient: NDArray[np.float64],
    threads: int,
) -> float: ...
def perceptron_pass(
    ptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    label: NDArray[np.uint8],
    order: NDArray[np.int64],
    classes: int,
    step: int,
    weights: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> int: ...
def fill_table(
    ids: NDArray[np.uint32], weights: NDArray[np.int16], columns: int, bits: int
) -> NDArray[np.uint16] | None: ...
def read_network(
    arc: NDArray[np.float32],
    label: NDArray[np.float32],
    word: NDArray[np.float32],
    tags: int,
    no_label: int,
    root_label: int,
    word_ptr: NDArray[np.int64],
    word_piece: NDArray[np.int32],
    word_row: NDArray[np.int64],
    word_token: NDArray[np.int32],
    head: NDArray[np.int32],
    out_label: NDArray[np.uint8],
    tag: NDArray[np.uint8],
    entity: NDArray[np.uint8],
    entity_start: NDArray[np.uint8],
    retain: NDArray[np.float32],
    root_retain: NDArray[np.float32],
    keep: NDArray[np.float32],
) -> None: ...
def arborescence(scores: NDArray[np.float32]) -> NDArray[np.int32]: ...
def choose(
    item_ptr: NDArray[np.int64],
    option_ptr: NDArray[np.int64],
    length: NDArray[np.int64],
    value: NDArray[np.int64],
    setup: NDArray[np.int64],
    required: NDArray[np.uint8],
    budget: int,
) -> tuple[NDArray[np.int32], int, int, int] | int: ...
