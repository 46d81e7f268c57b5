"""Tree: the transformed dependency trees of a batch (paper §2.1)."""

from laconic.tree.forest import Forest, make_forest
from laconic.tree.tree import ROOT, Coreference, Edge, Node, Tree, make_trees

__all__ = ["ROOT", "Coreference", "Edge", "Forest", "Node", "Tree", "make_forest", "make_trees"]
