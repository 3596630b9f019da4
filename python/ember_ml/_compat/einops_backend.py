"""einops' view of Ember's tensors: its backend for them is there once einops is imported, before
Ember or after it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

MODULE = "einops._backends"


def register(backends: Any) -> None:
    """Defines the backend: einops finds its backends among the subclasses of AbstractBackend."""
    import ember_ml as em

    class EmberBackend(backends.AbstractBackend):  # type: ignore[misc]
        framework_name = "ember_ml"

        def is_appropriate_type(self, tensor: Any) -> bool:
            return isinstance(tensor, em.EmberTensor)

        def from_numpy(self, x: Any) -> Any:
            return em.asarray(x)

        def to_numpy(self, x: Any) -> Any:
            return x.to_numpy()  # ember: allow

        def arange(self, start: int, stop: int) -> Any:
            return em.arange(start, stop)

        def transpose(self, x: Any, axes: Sequence[int]) -> Any:
            return em.permute_dims(x, tuple(axes))

        def reduce(self, x: Any, operation: str, axes: Sequence[int]) -> Any:
            return getattr(x, operation)(axis=tuple(axes))

        def stack_on_zeroth_dimension(self, tensors: list[Any]) -> Any:
            return em.stack(tensors)

        def add_axis(self, x: Any, new_position: int) -> Any:
            return em.expand_dims(x, new_position)

        def tile(self, x: Any, repeats: Sequence[int]) -> Any:
            return em.tile(x, tuple(repeats))

        def concat(self, tensors: list[Any], axis: int) -> Any:
            return em.concat(tensors, axis=axis)

        def is_float_type(self, x: Any) -> bool:
            return bool(x.dtype.is_floating_point or x.dtype.is_complex)

        def einsum(self, pattern: str, *x: Any) -> Any:
            return em.einsum(pattern, *x)

    backends.EmberBackend = (
        EmberBackend  # keeps the class alive: its parent has only a weak reference
    )


class AfterImport:
    """Finds einops' module as the other finders do, and registers the backend when it has been
    executed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != MODULE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            self.loader, spec.loader = spec.loader, self  # type: ignore[assignment]
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        register(module)


def install() -> None:
    if MODULE in sys.modules:
        register(sys.modules[MODULE])
    else:
        sys.meta_path.insert(0, AfterImport())
