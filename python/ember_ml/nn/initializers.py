"""Initializers: `xavier_uniform_(p)` fills a tensor, `glorot_uniform(shape)` makes one.

`glorot_uniform()` without a shape returns an initializer: a function of the shape, as in Ember ML,
or of a key and the shape, as in JAX.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .._compat.random import Key
from .._core import EmberTensor, ValueError, functions as _f
from .._core.nn import init as _init
from .._core.nn.init import *  # noqa: F403
from .._core.nn.init import __all__ as _core_names

__path__: list[str] = []  # so that initializers.glorot can be imported: _aliases knows it


# The option for which an initializer of JAX takes one number.
_SCALES = {"normal": "std", "uniform": "b"}


def _or_factory(make: Callable[..., EmberTensor]) -> Callable[..., Any]:
    """Without a shape, returns a function of the shape with the other arguments."""

    @functools.wraps(make)
    def wrapped(shape: Any = None, *args: Any, seed: int | None = None, **options: Any) -> Any:
        if (
            isinstance(shape, float) and make.__name__ in _SCALES
        ):  # JAX's normal(0.02) gives a function of a key and a shape
            options[_SCALES[make.__name__]] = shape
            return functools.partial(wrapped, **options)
        if isinstance(shape, Key):
            return _of_key(wrapped, shape, *args, **options)
        if "stddev" in options and make.__name__ == "normal":
            options["std"] = options.pop("stddev")
        if shape is None:
            return (
                functools.partial(wrapped, *args, seed=seed, **options)
                if not args
                else lambda s, **more: wrapped(s, *args, seed=seed, **options, **more)
            )
        if seed is None:
            return make(shape, *args, **options)
        before = _f["get_seed"]()
        _f["seed"](seed)
        try:
            return make(shape, *args, **options).eval()
        finally:
            _f["seed"](before)

    return wrapped


def _of_key(
    make: Callable[..., EmberTensor],
    key: Key,
    shape: Sequence[int],
    dtype: Any = None,
    **options: Any,
) -> EmberTensor:
    """JAX's form, with weights [..., inputs, outputs] instead of [outputs, inputs, ...]."""
    n = len(shape)
    if n < 2:
        return make(shape, seed=key.seed, dtype=dtype, **options)
    drawn = make((shape[-1], shape[-2], *shape[:-2]), seed=key.seed, dtype=dtype, **options)
    permuted: EmberTensor = _f["permute_dims"](drawn, (*range(2, n), 1, 0))
    return permuted


_MAKERS = [
    n for n in _core_names if not n.endswith("_") and n not in ("calculate_gain", "constant")
]
globals().update({_n: _or_factory(getattr(_init, _n)) for _n in _MAKERS})


def constant(value: Any = None, shape: Any = None, *, dtype: Any = None, device: Any = None) -> Any:  # type: ignore[no-redef]
    """constant(value, shape), in either order; without a shape, a function of the shape."""
    if isinstance(value, (tuple, list)):
        value, shape = shape, value
    if value is None:
        raise ValueError("[constant] needs a value")
    if shape is None:

        def of_shape(*shape: Any, dtype: Any = dtype, device: Any = device) -> EmberTensor:
            # The shape comes last: JAX gives a key before it.
            return _init.constant(shape[-1], value, dtype=dtype, device=device)

        return of_shape
    return _init.constant(shape, value, dtype=dtype, device=device)


def binomial(
    shape: Any = None, probability: float = 0.5, seed: int | None = None, dtype: Any = None
) -> Any:
    """Ones with this probability, else zeros; without a shape, a function of the shape."""
    if shape is None:
        return lambda s, dtype=dtype: binomial(s, probability, seed, dtype)
    return _f["random_bernoulli"](shape, probability, seed=seed).astype(dtype or "float32")


class BinomialInitializer:
    """A function of the shape: ones with this probability, else zeros, drawn with a seed."""

    def __init__(self, probability: float = 0.5, seed: int | None = None) -> None:
        self.probability, self.seed = probability, seed

    def __call__(self, shape: Any, dtype: Any = None) -> EmberTensor:
        drawn: EmberTensor = binomial(shape, self.probability, self.seed, dtype)
        return drawn

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {"probability": self.probability, "seed": self.seed}


__all__ = [*_core_names, "BinomialInitializer", "binomial", "get_initializer"]


def get_initializer(name: str | Callable[..., Any]) -> Callable[..., Any]:
    """The initializer with a name such as 'glorot_uniform', a function of the shape; a function is
    returned unchanged.
    """
    if callable(name):
        return name
    if name not in _core_names or name.endswith("_") or name == "calculate_gain":
        known = ", ".join(n for n in _core_names if not n.endswith("_") and n != "calculate_gain")
        raise ValueError(f"[get_initializer] unknown initializer {name!r}; available: {known}")
    function: Callable[..., Any] = getattr(_init, name)
    return function
