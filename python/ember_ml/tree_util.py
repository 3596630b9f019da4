"""JAX's names for the functions of ember_ml.tree."""

from functools import partial as Partial

from .tree import (
    all as tree_all,
    flatten as tree_flatten,
    leaves as tree_leaves,
    map as tree_map,
    reduce as tree_reduce,
    structure as tree_structure,
    unflatten as tree_unflatten,
)

__all__ = [
    "Partial",
    "tree_all",
    "tree_flatten",
    "tree_leaves",
    "tree_map",
    "tree_reduce",
    "tree_structure",
    "tree_unflatten",
]
