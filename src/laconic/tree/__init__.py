"""Tree: the transformed dependency trees of a batch (paper §2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.names import imported_when_asked
from laconic.tree.forest import Forest, make_forest

if TYPE_CHECKING:
    from laconic.tree.tree import ROOT, Coreference, Edge, Node, Tree, make_trees

__all__ = ["ROOT", "Coreference", "Edge", "Forest", "Node", "Tree", "make_forest", "make_trees"]

#: Compressions are made from the forest alone.
__getattr__ = imported_when_asked(
    __name__, dict.fromkeys(("ROOT", "Coreference", "Edge", "Node", "Tree", "make_trees"), "tree")
)
