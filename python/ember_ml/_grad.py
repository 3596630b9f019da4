"""Gradients of Python functions: this module handles arguments, the core walks the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import _core, tree

EmberTensor = _core.EmberTensor


class no_grad(_core.GradMode):
    """Disables gradients on this thread: `with no_grad():` or `@no_grad()`."""

    def __init__(self) -> None:
        super().__init__(False)

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        return _inside(type(self), f)


class enable_grad(_core.GradMode):
    """Enables gradients on this thread."""

    def __init__(self) -> None:
        super().__init__(True)

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        return _inside(type(self), f)


def _inside(mode: Callable[[], Any], f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with mode():
            return f(*args, **kwargs)

    return wrapped


def _collect(x: Any, found: list[EmberTensor]) -> None:
    if isinstance(x, EmberTensor):
        found.append(x)
    elif isinstance(x, dict):
        for value in x.values():
            _collect(value, found)
    elif isinstance(x, (list, tuple, Iterator)):
        for value in x:
            _collect(value, found)
    elif x is not None:
        raise TypeError(
            f"[eval] takes tensors and lists, tuples and dicts of them, not {type(x).__name__}"
        )


def eval(*tensors: Any) -> None:
    """Evaluates tensors, and those in lists, tuples, dicts and iterators, in one pass."""
    found: list[EmberTensor] = []
    _collect(tensors, found)
    if found:
        _core.eval(found)


def gradients(ys: Any, xs: Any) -> list[EmberTensor | None]:
    """The gradients of the sum of ys with respect to each of xs; None for those that it does not
    depend on. xs are Parameters, or tensors that require gradients, such as
    model.trainable_variables.
    """
    outputs = list(ys) if isinstance(ys, (tuple, list)) else [ys]
    inputs = list(xs) if not isinstance(xs, EmberTensor) else [xs]
    ones = [_core.functions["ones_like"](y) for y in outputs]
    try:
        return list(_core.gradients(outputs, inputs, ones, False, False, False))
    except _core.ValueError:  # at least one is not connected: find out which
        if len(inputs) == 1:
            return [None]
        return [g for x in inputs for g in _one(outputs, x, ones)]


def _one(
    outputs: list[EmberTensor], x: EmberTensor, ones: list[EmberTensor]
) -> list[EmberTensor | None]:
    try:
        return list(_core.gradients(outputs, [x], ones, False, True, False))
    except _core.ValueError:
        return [None]


def _is_number_list(x: Any) -> bool:
    """Whether x is a list or tuple of plain numbers, which Ember takes for a tensor."""
    if not isinstance(x, (list, tuple)) or not x:
        return False
    return all(isinstance(v, (int, float, complex)) or _is_number_list(v) for v in x)


def _detach(x: Any) -> Any:
    return x.detach() if isinstance(x, EmberTensor) else x


def value_and_grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives f's value and its gradient with respect to the arguments at argnums.

    An argument may be a dict, list or tuple of tensors, arbitrarily nested: its gradient has the
    same structure. With has_aux, f returns (value, more) and the result is ((value, more),
    gradient).
    """
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        at = [p + len(args) if p < 0 else p for p in places]
        if any(not 0 <= p < len(args) for p in at):
            raise IndexError(f"[grad] argnums {argnums} for {len(args)} positional arguments")
        leaves, structure = tree.flatten([args[p] for p in at], is_leaf=_is_number_list)

        def of_leaves(*chosen: Any) -> Any:
            given = list(args)
            for p, x in zip(at, tree.unflatten(structure, chosen)):
                given[p] = x
            return f(*given, **kwargs)

        value, grads, aux = _core.value_and_grad(
            of_leaves, [_core.convert_to_tensor(x) for x in leaves], has_aux
        )
        gradients = tree.unflatten(structure, grads)
        gradient = gradients[0] if isinstance(argnums, int) else tuple(gradients)
        if has_aux and not value.requires_grad:  # it is not differentiated again
            aux = tree.map(_detach, aux)
        return ((value, aux) if has_aux else value), gradient

    return wrapped


def grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives f's gradient with respect to the arguments at argnums; grad(grad(f)) is
    the second derivative.
    """
    both = value_and_grad(f, argnums, has_aux)

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def jacobian(f: Callable[..., Any], *args: Any, argnums: int = 0) -> Any:
    """The derivative of each element of f(x) with respect to each of x: shape f(x).shape + x.shape.

    `jacobian(f, x)` is the derivative at x, `jacobian(f)` the function that gives it. Of several arguments
    x is the one at argnums.
    """
    if not args:
        return functools.partial(jacobian, f, argnums=argnums)
    x = _core.convert_to_tensor(args[argnums], requires_grad=True)
    given = list(args)
    given[argnums] = x
    y = f(*given)
    flat = y.reshape(-1)
    rows = [_core.gradients([flat[i]], [x], [], True)[0] for i in range(flat.size)]
    functions = _core.functions
    return (
        functions["reshape"](functions["stack"](rows), (*y.shape, *x.shape))
        if rows
        else functions["zeros"]((*y.shape, *x.shape))
    )


def hessian(f: Callable[..., Any], *args: Any) -> Any:
    """The second derivatives of f, which gives one number: shape x.shape + x.shape.

    `hessian(f, x)` is the matrix at x, `hessian(f)` the function that gives it.
    """
    return jacobian(grad(f), *args)


def checkpoint(f: Callable[..., EmberTensor], *args: Any) -> Any:
    """f(*args), recomputed in the backward pass, which stores only the arguments.

    `checkpoint(f, x)` is the value, `checkpoint(f)` the function that gives it.
    """
    if not args:
        return functools.wraps(f)(functools.partial(checkpoint, f))
    return _core.checkpoint(f, list(args))
