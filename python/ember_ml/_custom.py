"""Custom gradients and directional derivatives in the forms of torch, JAX and MLX."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from . import _core, tree
from ._grad import enable_grad, no_grad

EmberTensor = _core.EmberTensor
_zeros_like = _core.functions["zeros_like"]


def _tensors(x: Any) -> list[EmberTensor]:
    return [leaf for leaf in tree.leaves(x) if isinstance(leaf, EmberTensor)]


def _custom(
    outputs: Sequence[EmberTensor],
    inputs: list[EmberTensor],
    backward: Callable[..., Sequence[EmberTensor | None]],
) -> list[EmberTensor]:
    """The outputs as functions of the inputs, whose gradients are backward(*gradients of the
    outputs).
    """
    outputs = [y.detach() for y in outputs]

    def along(i: int, g: EmberTensor) -> Sequence[EmberTensor | None]:
        # backward is linear in the cotangents, so each output's contribution can be computed alone.
        return backward(*(g if i == k else _zeros_like(y) for k, y in enumerate(outputs)))

    return [
        _core.with_gradient(y, inputs, functools.partial(along, i)) for i, y in enumerate(outputs)
    ]


class FunctionContext:
    """The context that a Function's forward passes to its backward: saved tensors and attributes."""

    saved_tensors: tuple[Any, ...] = ()
    needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self.non_differentiable = {id(t) for t in tensors}

    def set_materialize_grads(self, value: bool) -> None:
        """Missing gradients are always zeros, as with True."""


class Function:
    """A function with a custom gradient, like torch.autograd.Function.

    `forward(ctx, *args)` computes, `backward(ctx, *gradients)` gives one gradient per argument of
    forward, or None. Instead of taking ctx, forward may be followed by
    `setup_context(ctx, inputs, output)`. Call it by `apply`.
    """

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("[autograd.Function] a subclass must define forward")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise NotImplementedError("[autograd.Function] a subclass must define backward")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        ctx = FunctionContext()
        ctx.needs_input_grad = tuple(isinstance(a, EmberTensor) and a.requires_grad for a in args)
        with no_grad():
            if hasattr(cls, "setup_context"):
                result = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args, **kwargs)
        several = isinstance(result, tuple)
        outputs = list(result) if several else [result]
        constants: set[int] = getattr(ctx, "non_differentiable", set())
        places = [
            i
            for i, y in enumerate(outputs)
            if isinstance(y, EmberTensor) and id(y) not in constants
        ]
        inputs = [a for a in args if isinstance(a, EmberTensor)]

        def backward(*gradients: EmberTensor) -> list[EmberTensor | None]:
            all_gradients: list[Any] = [
                _zeros_like(y) if isinstance(y, EmberTensor) else None for y in outputs
            ]
            for place, g in zip(places, gradients):
                all_gradients[place] = g
            given = cls.backward(ctx, *all_gradients)
            given = given if isinstance(given, tuple) else (given,)
            if len(given) < len(args) or any(g is not None for g in given[len(args) :]):
                raise _core.ValueError(
                    f"[{cls.__name__}.backward] gave {len(given)} gradients for {len(args)} arguments"
                )
            return [g for a, g in zip(args, given) if isinstance(a, EmberTensor)]

        # Backward refers to outputs, so the results, which refer to backward, are others.
        results = list(outputs)
        for place, y in zip(places, _custom([outputs[p] for p in places], inputs, backward)):
            results[place] = y
        return tuple(results) if several else results[0]


class custom_vjp:
    """JAX's: `f = custom_vjp(f); f.defvjp(forward, backward)`.

    forward(*args) gives (result, residuals), backward(residuals, gradient) a tuple with one
    gradient per argument.
    """

    def __init__(self, f: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, f)
        self._f, self._fixed = f, tuple(nondiff_argnums)
        self._forward: Callable[..., Any] | None = None

    def defvjp(self, forward: Callable[..., Any], backward: Callable[..., Any]) -> None:
        self._forward, self._backward = forward, backward

    def __call__(self, *args: Any) -> Any:
        if self._forward is None:
            raise _core.StateError(
                "[custom_vjp] call defvjp(forward, backward) before the function"
            )
        moving = [a for i, a in enumerate(args) if i not in self._fixed]
        inputs = _tensors(moving)
        with no_grad():
            result, residuals = self._forward(*args)
        leaves, structure = tree.flatten(result)

        def backward(*gradients: EmberTensor) -> list[EmberTensor | None]:
            fixed = [args[i] for i in self._fixed]
            given = self._backward(*fixed, residuals, tree.unflatten(structure, list(gradients)))
            flat: list[EmberTensor | None] = []
            for argument, g in zip(moving, given):
                flat += [None] * len(_tensors(argument)) if g is None else _tensors(g)
            if len(flat) != len(inputs):
                raise _core.ValueError(
                    f"[custom_vjp] backward gave {len(flat)} gradients for {len(inputs)} tensors"
                )
            return flat

        return tree.unflatten(structure, _custom(leaves, inputs, backward))


class custom_function:
    """MLX's: `@custom_function` on f, then `@f.vjp` on the function (primals, cotangents, outputs)
    -> gradients.
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._vjp: Callable[..., Any] | None = None

    def vjp(self, f: Callable[..., Any]) -> custom_function:
        self._vjp = f
        return self

    def __call__(self, *args: Any) -> Any:
        if self._vjp is None:
            return self._f(*args)
        rule = self._vjp
        primals = args[0] if len(args) == 1 else args
        with no_grad():
            result = self._f(*args)
        leaves, structure = tree.flatten(result)

        def backward(*gradients: EmberTensor) -> list[EmberTensor | None]:
            return list(_tensors(rule(primals, tree.unflatten(structure, list(gradients)), result)))

        return tree.unflatten(structure, _custom(leaves, _tensors(list(args)), backward))


def _marked(x: Any) -> Any:
    """A tree of tensors that require gradients, apart from the graph that x belongs to unless it
    does so already.
    """
    return tree.map(lambda t: _core.convert_to_tensor(t, requires_grad=True), x)


def vjp(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """(f(*primals), pull): pull(cotangent) gives a tuple with the gradient of each primal, weighted
    by the cotangent.

    Primals, the result and cotangents may be trees. With has_aux, f returns (result, aux) and aux
    comes third.
    """
    with enable_grad():
        given = [_marked(p) for p in primals]
        result = f(*given)
    aux = None
    if has_aux:
        result, aux = result
    inputs, structure = tree.flatten(given)
    outputs, _ = tree.flatten(result)

    def pull(cotangent: Any) -> tuple[Any, ...]:
        weights = [_core.convert_to_tensor(c) for c in tree.leaves(cotangent)]
        for y, w in zip(outputs, weights):
            if y.shape != w.shape:
                raise _core.ShapeError(
                    f"[vjp] a cotangent has the shape {list(w.shape)}, the result {list(y.shape)}"
                )
        gradients = _core.gradients(outputs, inputs, weights, True, True, True)
        return tuple(tree.unflatten(structure, gradients))

    value = tree.map(lambda t: t.detach() if isinstance(t, EmberTensor) else t, result)
    return (value, pull, aux) if has_aux else (value, pull)


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """(f(*primals), the derivative of f along the tangents)."""
    with enable_grad():
        given = [_marked(p) for p in primals]
        result = f(*given)
        inputs = tree.leaves(given)
        outputs, structure = tree.flatten(result)
        # Forward mode as reverse mode twice: the gradient of the weighted sum of outputs is linear
        # in the weights.
        weights = [_core.convert_to_tensor(_zeros_like(y), requires_grad=True) for y in outputs]
        back = _core.gradients(outputs, inputs, weights, True, True, True)
    directions = [
        _core.convert_to_tensor(t, dtype=x.dtype)
        for t, x in zip(tree.leaves(list(tangents)), inputs)
    ]
    for x, t in zip(inputs, directions):
        if x.shape != t.shape:
            raise _core.ShapeError(
                f"[jvp] a tangent has the shape {list(t.shape)}, its primal {list(x.shape)}"
            )
    moving = [(b, d) for b, d in zip(back, directions) if b.requires_grad]
    if moving:
        along = _core.gradients(
            [b for b, _ in moving], weights, [d for _, d in moving], False, True, True
        )
    else:
        along = [_zeros_like(y) for y in outputs]
    value = tree.map(lambda t: t.detach(), result)
    return value, tree.unflatten(structure, along)


def gradcheck(
    f: Callable[..., Any],
    inputs: Any,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether the gradients of f agree with central differences. Inputs that require gradients
    should be float64.
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    functions = _core.functions
    places = [i for i, x in enumerate(given) if isinstance(x, EmberTensor) and x.requires_grad]
    if not places:
        raise _core.ValueError("[gradcheck] none of the inputs requires gradients")

    def total(xs: list[Any], weights: list[Any]) -> float:
        with no_grad():
            ys = tree.leaves(f(*xs))
            return float(sum(float(functions["sum"](y * w)) for y, w in zip(ys, weights)))

    outputs = tree.leaves(f(*given))
    weights = [
        functions["cos"](functions["reshape"](functions["arange"](y.size, dtype=y.dtype), y.shape))
        for y in outputs
    ]
    gradients = _core.gradients(outputs, [given[p] for p in places], weights, False, False, True)
    for place, gradient in zip(places, gradients):
        values = given[place].detach().flatten().tolist()
        exact = gradient.flatten().tolist()
        for k in range(len(values)):
            ends = []
            for step in (eps, -eps):
                moved = values[:k] + [values[k] + step] + values[k + 1 :]
                x = functions["reshape"](
                    _core.asarray(moved, dtype=given[place].dtype), given[place].shape
                )
                ends.append(total(given[:place] + [x] + given[place + 1 :], weights))
            numeric = (ends[0] - ends[1]) / (2 * eps)
            if abs(numeric - exact[k]) > atol + rtol * abs(numeric):
                if raise_exception:
                    raise _core.ValueError(
                        f"[gradcheck] input {place}, element {k}: the gradient is {exact[k]:.6g}, "
                        f"central differences give {numeric:.6g}"
                    )
                return False
    return True
