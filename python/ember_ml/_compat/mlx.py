"""MLX's trees with names, clipping of gradients, and methods of modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike, fspath
from typing import Any

from .. import _core, tree
from .._core import EmberTensor, Parameter
from .._core.nn import Module
from . import op


def _children(node: Any) -> Iterable[tuple[str, Any]] | None:
    """The names and values of a container's children; None for a leaf."""
    if isinstance(node, dict):
        return ((str(key), child) for key, child in node.items())
    if isinstance(node, (list, tuple)):
        return ((str(i), child) for i, child in enumerate(node))
    return None


def tree_flatten(
    tree: Any, prefix: str = "", is_leaf: Callable[[Any], bool] | None = None
) -> list[tuple[str, Any]]:
    """The leaves of a tree with their names, such as layers.0.weight.

    For the iterator of parameters(), the names are numbers; trainable_parameters() and
    state_dict() have the names of the parameters.
    """
    if not isinstance(tree, (dict, list, tuple, EmberTensor)) and hasattr(tree, "__next__"):
        tree = list(tree)
    children = None if is_leaf is not None and is_leaf(tree) else _children(tree)
    if children is None:
        return [(prefix.removeprefix("."), tree)]
    return [
        pair
        for name, child in children
        for pair in tree_flatten(child, f"{prefix}.{name}", is_leaf)
    ]


def tree_unflatten(flat: Iterable[tuple[str, Any]] | dict[str, Any]) -> Any:
    """The tree of leaves with names: dicts, and lists where all names of a level are numbers.

    A missing number becomes an empty dict, as for a layer without parameters.
    """
    pairs = list(flat.items() if isinstance(flat, dict) else flat)
    if len(pairs) == 1 and pairs[0][0] == "":
        return pairs[0][1]
    below: dict[str, list[tuple[str, Any]]] = {}
    for name, value in pairs:
        first, _, rest = name.partition(".")
        below.setdefault(first, []).append((rest, value))
    if below and all(name.isdigit() for name in below):
        length = 1 + max(int(name) for name in below)
        return [tree_unflatten(below.get(str(i), {})) for i in range(length)]
    return {name: tree_unflatten(children) for name, children in below.items()}


def tree_map_with_path(f: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """The tree of f(name, leaf, ...)."""
    others = [[leaf for _, leaf in tree_flatten(r)] for r in rest]
    named = tree_flatten(tree)
    return tree_unflatten(
        [(name, f(name, leaf, *more)) for (name, leaf), *more in zip(named, *others)]
    )


def clip_grad_norm(grads: Any, max_norm: float) -> tuple[Any, EmberTensor]:
    """A tree of gradients scaled so that their common norm is at most max_norm, and their norm."""
    norm = op.sqrt(sum((op.sum(op.square(g)) for g in tree.leaves(grads)), op.asarray(0.0)))
    scale = op.minimum(max_norm / (norm + 1e-6), 1.0)
    return tree.map(lambda g: g * scale, grads), norm


# ---- Methods of modules ----
def trainable_parameters(self: Module) -> dict[str, Parameter]:
    """The parameters that are not frozen, by name."""
    return {name: p for name, p in self.named_parameters() if p.requires_grad}


def unfreeze(self: Module) -> Module:
    """The opposite of freeze()."""
    return self.freeze(False)


def save_weights(self: Module, file: str | PathLike[str]) -> None:
    """Writes the parameters and buffers to a .safetensors or .npz file."""
    _core.save(fspath(file), self.state_dict())


def load_weights(
    self: Module, file_or_weights: str | PathLike[str] | list[tuple[str, Any]], strict: bool = True
) -> Module:
    """Loads parameters and buffers from a file, or from a list of names and tensors."""
    if isinstance(file_or_weights, list):
        weights = dict(file_or_weights)
    else:
        weights = _core.load(fspath(file_or_weights))
    self.load_state_dict(weights, strict)
    return self


def update(self: Module, parameters: Any) -> Module:
    """Replaces the parameters that a tree, or a dict by name, contains."""
    given = dict(tree_flatten(parameters))
    known = self.state_dict()
    unknown = [name for name in given if name not in known]
    if unknown:
        raise _core.ValueError(
            f"[update] the module has no parameter {unknown[0]!r}; it has {', '.join(known)}"
        )
    self.load_state_dict(given, strict=False)
    return self


METHODS = (trainable_parameters, unfreeze, save_weights, load_weights, update)
