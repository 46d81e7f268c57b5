"""The paper's own numbers, for comparison with ours; none of them is measured here."""

from __future__ import annotations

from typing import Final

from laconic.decode import Method

TRAINING_ITEMS: Final = 1_800_000
EDGES: Final = 16_000_000  # "roughly"
DELETED: Final = 0.40
NODES: Final = 6_000_000  # "about"
SIZE_CLASSES: Final = (0.195, 0.406, 0.312, 0.079, 0.01)

#: Figure 3: the threshold with the highest F1 of the edge classifier.
BEST_THRESHOLD: Final = 0.45

#: Table 2: the classifier of subset sizes.
SIZE_ACCURACY: Final = 0.727
SIZE_PRECISION: Final = (0.69, 0.75, 0.76, 0.60, 0.44)
SIZE_RECALL: Final = (0.63, 0.78, 0.81, 0.42, 0.16)

#: Table 3: tree F1 and compression rate on the first 1,000 items of the test set.
TREE_F1: Final = {Method.ILP: 0.739, Method.TOPDOWN: 0.767, Method.NSS: 0.772}
RATE: Final = {Method.ILP: 0.465, Method.TOPDOWN: 0.383, Method.NSS: 0.381}
GOLD_RATE: Final = 0.405

#: Table 4: tree F1 of each of the top five.
TREE_F1_BY_RANK: Final = {
    Method.TOPDOWN: (0.767, 0.604, 0.62, 0.609, 0.596),
    Method.NSS: (0.772, 0.605, 0.64, 0.626, 0.60),
}

#: §4.4, µs without parsing: for the best result, and for each of the top five.
BEST_US: Final = {Method.ILP: 32_074.0, Method.TOPDOWN: 678.0, Method.NSS: 929.0}
OF_FIVE_US: Final = {Method.ILP: 42_213.0, Method.TOPDOWN: 143.0, Method.NSS: 195.0}

NAMES: Final = {Method.ILP: "ILP", Method.TOPDOWN: "Top-down", Method.NSS: "Top-down + NSS"}
