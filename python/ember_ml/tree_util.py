"""JAX's names for the functions of ember_ml.tree."""

from .tree import (
    flatten as tree_flatten,
    leaves as tree_leaves,
    map as tree_map,
    reduce as tree_reduce,
    structure as tree_structure,
    unflatten as tree_unflatten,
)

__all__ = [
    "tree_flatten",
    "tree_leaves",
    "tree_map",
    "tree_reduce",
    "tree_structure",
    "tree_unflatten",
]
