"""Gradients in TensorFlow's form, over the core's graph."""

from __future__ import annotations

import threading
from typing import Any

from .. import _core, ops

EmberTensor = _core.EmberTensor
_open = threading.local()  # active tapes of this thread; their gradients are differentiable


class GradientTape:
    """`with GradientTape() as tape:` compute a target; then `tape.gradient(target, sources)`.

    Parameters and tensors that require gradients are watched automatically, others by watch(). A
    tape gives one gradient unless it is persistent; inside another tape's `with`, gradients can be
    differentiated again.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent, self._all = persistent, watch_accessed_variables
        self._watched: list[EmberTensor] = []
        self._marked: list[EmberTensor] = []  # marked by this tape and unmarked when it is used up
        self._used = False

    def __enter__(self) -> GradientTape:
        _open.depth = getattr(_open, "depth", 0) + 1
        return self

    def __exit__(self, *_: Any) -> None:
        _open.depth -= 1

    def watch(self, tensor: Any) -> None:
        for x in tensor if isinstance(tensor, (list, tuple)) else [tensor]:
            if not isinstance(x, EmberTensor):
                raise _core.DTypeError(f"[GradientTape] watches tensors, not {type(x).__name__}")
            self._watched.append(x)
            if not x.requires_grad:
                x.requires_grad = True
                self._marked.append(x)

    def watched_variables(self) -> tuple[EmberTensor, ...]:
        return tuple(self._watched)

    def gradient(self, target: Any, sources: Any, unconnected_gradients: str = "none") -> Any:
        """The gradients of the target's sum, in the form of sources: one, a list, or a dict; None
        (or zeros) for what it does not depend on.
        """
        self._take()
        found: Any
        ys = list(target) if isinstance(target, (list, tuple)) else [target]
        if isinstance(sources, dict):
            found = dict(zip(sources, self._of(ys, list(sources.values()), unconnected_gradients)))
        elif isinstance(sources, (list, tuple)):
            found = self._of(ys, list(sources), unconnected_gradients)
        else:
            found = self._of(ys, [sources], unconnected_gradients)[0]
        self._end()
        return found

    def jacobian(
        self, target: EmberTensor, source: EmberTensor, unconnected_gradients: str = "none"
    ) -> EmberTensor | None:
        """The derivative of each element of target with respect to each of source: shape
        target.shape + source.shape.
        """
        return self._rows(
            source, unconnected_gradients, target.reshape(-1), 0, (*target.shape, *source.shape)
        )

    def batch_jacobian(
        self, target: EmberTensor, source: EmberTensor, unconnected_gradients: str = "none"
    ) -> EmberTensor | None:
        """The derivative example by example: shape [batch, *target.shape[1:], *source.shape[1:]]."""
        batch = target.shape[0]
        return self._rows(
            source,
            unconnected_gradients,
            target.reshape((batch, -1)).T,
            1,
            (batch, *target.shape[1:], *source.shape[1:]),
        )

    def _rows(
        self,
        source: EmberTensor,
        unconnected: str,
        parts: EmberTensor,
        axis: int,
        shape: tuple[int, ...],
    ) -> EmberTensor | None:
        self._take()
        rows = [self._of([part], [source], unconnected, again=True)[0] for part in parts]
        self._end()
        if any(r is None for r in rows):
            return None
        return (
            ops.stack(rows, axis=axis).reshape(shape)
            if rows
            else ops.zeros(shape, dtype=source.dtype)
        )

    def _of(
        self, ys: list[EmberTensor], xs: list[EmberTensor], unconnected: str, again: bool = False
    ) -> list[Any]:
        if unconnected not in ("none", "zero"):
            raise _core.ValueError(
                f"[GradientTape] unconnected_gradients must be none or zero, not {unconnected!r}"
            )
        deeper, again, ones = (
            getattr(_open, "depth", 0) > 0,
            again or self._persistent,
            [ops.ones_like(y) for y in ys],
        )
        if unconnected == "zero":
            return list(_core.gradients(ys, xs, ones, deeper, again))
        known = [x for x in xs if self._all or any(x is w for w in self._watched)]
        try:
            found = iter(_core.gradients(ys, known, ones, deeper, again, False))
            return [next(found) if any(x is k for k in known) else None for x in xs]
        except _core.ValueError:  # at least one is not connected: find out which
            return (
                [self._of(ys, [x], unconnected, True)[0] for x in xs]
                if len(known) > 1
                else [None for x in xs]
            )

    def _take(self) -> None:
        if self._used and not self._persistent:
            raise _core.StateError(
                "[GradientTape] this tape was already used: create it with persistent=True to compute several gradients"
            )
        self._used = True

    def _end(self) -> None:
        if not self._persistent:
            for x in self._marked:
                x.requires_grad = False
            self._marked.clear()
