"""Layers as configs: the path of the class, and the arguments."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..._core import DTypeError, ValueError


def describe(module: Any) -> dict[str, Any]:
    cls = type(module)
    return {"class_name": f"{cls.__module__}:{cls.__qualname__}", "config": module.get_config()}


def rebuild(description: Any) -> Any:
    if not isinstance(description, dict) or set(description) != {"class_name", "config"}:
        raise DTypeError(
            f"[from_config] a layer's config must have class_name and config, not {description!r}"
        )
    place, _, name = description["class_name"].partition(":")
    found: Any = import_module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError(f"[from_config] unknown class {description['class_name']!r}")
        found = getattr(found, part)
    return found.from_config(description["config"])


def of_sequential(layers: Any) -> dict[str, Any]:
    return {"layers": [describe(layer) for layer in layers]}


def sequential(cls: Any, config: Any) -> Any:
    return cls(*(rebuild(d) for d in config["layers"]))
