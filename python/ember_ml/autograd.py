"""Gradients under torch's names: `autograd.grad`, `autograd.backward`, `autograd.functional`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from . import _core
from ._compat.absent import getter as _getter
from ._compat.torch import set_grad_enabled
from ._custom import Function, gradcheck
from ._grad import enable_grad, hessian, jacobian, no_grad

EmberTensor = _core.EmberTensor
Tensors = EmberTensor | Sequence[EmberTensor]

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "functional",
    "grad",
    "gradcheck",
    "no_grad",
    "set_grad_enabled",
]


def _several(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (list, tuple)) else [x]


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[EmberTensor, ...]:
    """The gradients of the outputs, weighted by grad_outputs, with respect to each input.

    create_graph lets them be differentiated again. An input that the outputs do not depend on is an
    error; with allow_unused its gradient is zero.
    """
    ys, xs = _several(outputs), _several(inputs)
    weights = [] if grad_outputs is None else _several(grad_outputs)
    if not weights and any(y.size != 1 for y in ys):
        shapes = ", ".join(str(list(y.shape)) for y in ys)
        raise _core.ShapeError(
            f"[autograd.grad] needs grad_outputs for outputs of more than one element (outputs: {shapes})"
        )
    retain = create_graph if retain_graph is None else retain_graph
    return tuple(_core.gradients(ys, xs, weights, create_graph, retain, allow_unused))


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> None:
    """Adds the tensors' gradients to .grad of the leaves."""
    ys = _several(tensors)
    weights = [None] * len(ys) if grad_tensors is None else _several(grad_tensors)
    for i, (y, weight) in enumerate(zip(ys, weights)):
        keep = retain_graph or create_graph or i + 1 < len(ys)
        y.backward(weight, retain_graph=keep, create_graph=create_graph)


def _jacobian(func: Callable[..., Any], inputs: Any) -> EmberTensor:
    """The derivative of each element of func(inputs) with respect to each of inputs."""
    result: EmberTensor = jacobian(func, inputs)
    return result


def _hessian(func: Callable[..., Any], inputs: Any) -> EmberTensor:
    """The second derivatives of func, which gives one number."""
    result: EmberTensor = hessian(func, inputs)
    return result


functional = SimpleNamespace(hessian=_hessian, jacobian=_jacobian)

__getattr__ = _getter(
    __name__,
    {
        "detect_anomaly": "use em.isnan(x).any() where a value first goes wrong",
        "set_detect_anomaly": "use em.isnan(x).any() where a value first goes wrong",
    },
    __all__,
)
