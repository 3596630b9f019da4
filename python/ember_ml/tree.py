"""Trees: dicts, lists and tuples of tensors, arbitrarily nested, like the parameters of networks in
JAX and MLX.

Everything else is a leaf. None is an empty tree, as in JAX.
"""

from __future__ import annotations

from functools import reduce as _fold
from typing import Any, Callable, Iterable, Iterator

__all__ = ["all", "flatten", "leaves", "map", "reduce", "structure", "unflatten"]


class _Leaf:
    """Stands for a leaf in a structure."""

    def __repr__(self) -> str:
        return "*"


_LEAF = _Leaf()
_IsLeaf = Callable[[Any], bool] | None


def _rebuild(container: Any, children: list[Any]) -> Any:
    """A list or tuple of the container's type."""
    if hasattr(container, "_fields"):  # a named tuple
        return type(container)(*children)
    return type(container)(children)


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _IsLeaf = None) -> Any:
    """The tree of f(leaf, ...), where the further trees have the same structure.

    >>> map(lambda p, g: p - 0.5 * g, {"w": 1.0, "b": [2.0]}, {"w": 2.0, "b": [4.0]})
    {'w': 0.0, 'b': [0.0]}
    """
    if is_leaf is not None and is_leaf(tree):
        return f(tree, *rest)
    if tree is None:
        return None
    if isinstance(tree, dict):
        for other in rest:
            if not isinstance(other, dict) or other.keys() != tree.keys():
                raise ValueError(f"[tree.map] the trees differ: keys {list(tree)} and {other!r}")
        return {
            key: map(f, child, *(r[key] for r in rest), is_leaf=is_leaf)
            for key, child in tree.items()
        }
    if isinstance(tree, (list, tuple)):
        for other in rest:
            if not isinstance(other, (list, tuple)) or len(other) != len(tree):
                raise ValueError(f"[tree.map] the trees differ: {len(tree)} children and {other!r}")
        return _rebuild(tree, [map(f, *children, is_leaf=is_leaf) for children in zip(tree, *rest)])
    return f(tree, *rest)


def _walk(tree: Any, is_leaf: _IsLeaf) -> Iterator[Any]:
    if is_leaf is not None and is_leaf(tree):
        yield tree
    elif isinstance(tree, dict):
        for child in tree.values():
            yield from _walk(child, is_leaf)
    elif isinstance(tree, (list, tuple)):
        for child in tree:
            yield from _walk(child, is_leaf)
    elif tree is not None:
        yield tree


def leaves(tree: Any, is_leaf: _IsLeaf = None) -> list[Any]:
    """The leaves, in the order of the containers."""
    return list(_walk(tree, is_leaf))


def structure(tree: Any, is_leaf: _IsLeaf = None) -> Any:
    """The tree without its leaves, for unflatten."""
    return map(lambda leaf: _LEAF, tree, is_leaf=is_leaf)


def flatten(tree: Any, is_leaf: _IsLeaf = None) -> tuple[list[Any], Any]:
    """The leaves and the structure."""
    return leaves(tree, is_leaf), structure(tree, is_leaf)


def unflatten(structure: Any, leaves: Iterable[Any]) -> Any:
    """The tree of a structure with these leaves.

    >>> unflatten(structure([1, (2, 3)]), "abc")
    ['a', ('b', 'c')]
    """
    remaining = list(leaves)
    expected = sum(1 for _ in _walk(structure, None))
    if expected != len(remaining):
        raise ValueError(f"[tree.unflatten] {len(remaining)} leaves for a structure of {expected}")
    following = iter(remaining)
    return map(lambda _: next(following), structure)


def reduce(f: Callable[[Any, Any], Any], tree: Any, *initializer: Any) -> Any:
    """f over all leaves, as functools.reduce does it."""
    return _fold(f, leaves(tree), *initializer)


def all(tree: Any) -> bool:
    """Whether all leaves are true."""
    return not [leaf for leaf in leaves(tree) if not leaf]
