"""Tree: the transformed dependency tree (paper §2.1)."""

from laconic.tree.tree import ROOT, Coreference, Edge, Node, Tree, make_trees

__all__ = ["ROOT", "Coreference", "Edge", "Node", "Tree", "make_trees"]
