"""Calls in another library's form, for ops whose own signature refuses them: each gives
NotImplemented for a form it does not know.

The core asks here once an op has raised, so a call in Ember's form costs nothing.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral
from types import SimpleNamespace
from typing import Any

from .._core import DType, EmberTensor, ShapeError, convert_to_tensor
from . import op
from .numpy import lexsort
from .random import Key
from .torch import Pair, kthvalue

FORMS: dict[str, Callable[..., Any]] = {}


def form(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        FORMS.update(dict.fromkeys(names, f))
        return f

    return register


def is_integer(x: Any) -> bool:
    return isinstance(x, Integral) and not isinstance(x, bool)


def is_shape(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and all(map(is_integer, x))


# ---- Movement and indexing ----
@form("transpose")
def transpose(*args: Any, **kwargs: Any) -> Any:
    """torch's x.transpose(0, 1), if the two integers are not a permutation."""
    if len(args) == 1 and {"dim0", "dim1"} == kwargs.keys():
        args = (*args, kwargs["dim0"], kwargs["dim1"])
    elif kwargs:
        return NotImplemented
    if len(args) != 3 or not (is_integer(args[1]) and is_integer(args[2])):
        return NotImplemented
    return NotImplemented if convert_to_tensor(args[0]).ndim == 2 else op.swapaxes(*args)


@form("flatten")
def flatten(x: Any, start_dim: Any = 0, end_dim: Any = -1, **kwargs: Any) -> Any:
    """torch's x.flatten(start_dim, end_dim)."""
    if kwargs or not (is_integer(start_dim) and is_integer(end_dim)):
        return NotImplemented
    x = convert_to_tensor(x)
    if not x.ndim:
        return op.reshape(x, (1,))
    start, end = start_dim % x.ndim, end_dim % x.ndim
    merged = math.prod(x.shape[start : end + 1])
    return op.reshape(x, (*x.shape[:start], merged, *x.shape[end + 1 :]))


@form("broadcast_to")
def broadcast_to(x: Any, *shape: Any, **kwargs: Any) -> Any:
    """torch's x.expand(-1, 3): -1 keeps the length of an axis."""
    wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    if kwargs or not is_shape(wanted) or -1 not in wanted or set(wanted) == {-1}:
        return NotImplemented
    x = convert_to_tensor(x)
    lengths = (None,) * (len(wanted) - x.ndim) + x.shape
    if any(n == -1 and have is None for n, have in zip(wanted, lengths)):
        return NotImplemented
    return op.broadcast_to(x, tuple(have if n == -1 else n for n, have in zip(wanted, lengths)))


@form("gather")
def gather(x: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's x.gather(dim, index), which is NumPy's take_along_axis."""
    if len(args) == 2 and not kwargs:
        dim, index = args
    elif len(args) == 1 and kwargs.keys() == {"index"}:
        dim, index = args[0], kwargs["index"]
    elif not args and kwargs.keys() == {"dim", "index"}:
        dim, index = kwargs["dim"], kwargs["index"]
    else:
        return NotImplemented
    return op.take_along_axis(x, index, dim) if is_integer(dim) else NotImplemented


@form("index_add")
def index_add(x: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's x.index_add(dim, index, source)."""
    if len(args) != 3 or kwargs or not is_integer(args[0]):
        return NotImplemented
    return op.index_add(x, args[1], args[2], args[0])


@form("unique_values")
def unique(x: Any, *args: Any, **kwargs: Any) -> Any:
    """unique(x, return_index, return_inverse, return_counts) of NumPy and torch."""
    known = {
        "return_index",
        "return_inverse",
        "return_counts",
        "axis",
        "dim",
        "sorted",
        "equal_nan",
    }
    if args or not kwargs or not kwargs.keys() <= known:
        return NotImplemented
    axis = kwargs.get("axis", kwargs.get("dim"))
    found = op.unique_all(x) if axis is None else unique_entries(convert_to_tensor(x), axis)
    parts = {
        "return_index": found.indices,
        "return_inverse": found.inverse_indices,
        "return_counts": found.counts,
    }
    wanted = [found.values, *(part for name, part in parts.items() if kwargs.get(name))]
    return tuple(wanted) if len(wanted) > 1 else wanted[0]


def unique_entries(x: EmberTensor, axis: int) -> Any:
    """The distinct entries along an axis, sorted lexicographically."""
    entries = op.moveaxis(x, axis, 0)
    rows = op.reshape(entries, (x.shape[axis], -1))
    order = lexsort(op.unstack(op.flip(rows, 1), 1)) if rows.shape[1] else op.arange(rows.shape[0])
    ordered = op.take(rows, order, 0)
    changes = op.any(ordered[1:] != ordered[:-1], axis=1)
    first = op.concat([op.ones(min(rows.shape[0], 1), dtype="bool"), changes])
    starts = op.nonzero(first)[0]
    inverse = op.take(op.cumulative_sum(first.astype("int64"), axis=0) - 1, op.argsort(order))
    values = op.moveaxis(op.take(entries, op.take(order, starts), 0), 0, axis)
    return SimpleNamespace(
        values=values,
        indices=op.take(order, starts),
        inverse_indices=inverse,
        counts=op.diff(starts, append=convert_to_tensor([rows.shape[0]])),
    )


# ---- Creation ----
def sizes(name: str) -> None:
    @form(name)
    def of_integers(*shape: Any, **kwargs: Any) -> Any:
        """torch's zeros(2, 3)."""
        several = len(shape) > 1 and is_shape(shape)
        return getattr(op, name)(shape, **kwargs) if several else NotImplemented


sizes("zeros")
sizes("ones")
sizes("empty")


@form("linspace")
def linspace(*args: Any, **kwargs: Any) -> Any:
    """NumPy's retstep=: the numbers, and the distance between them."""
    if not isinstance(kwargs.get("retstep"), bool):
        return NotImplemented
    retstep = kwargs.pop("retstep")
    points = op.linspace(*args, **kwargs)
    return (points, points[1] - points[0]) if retstep else points


# ---- Reductions and sorting: dim= selects torch's form, which returns values and indices ----
def with_indices(name: str, arg: str) -> None:
    @form(name)
    def extreme(x: Any, *args: Any, **kwargs: Any) -> Any:
        if args or "dim" not in kwargs or kwargs.keys() - {"dim", "keepdim"}:
            return of_two(x, *args, **kwargs)
        axis, keepdim = kwargs["dim"], kwargs.get("keepdim", False)
        return Pair(getattr(op, name)(x, axis, keepdim), getattr(op, arg)(x, axis, keepdim))

    def of_two(x: Any, *args: Any, **kwargs: Any) -> Any:
        """torch's max(x, y), which is NumPy's maximum."""
        if len(args) + len(kwargs) != 1:
            return NotImplemented
        other = args[0] if args else kwargs.get("other")
        if not isinstance(other, EmberTensor) or not other.ndim:
            return NotImplemented
        return op.maximum(x, other) if name == "max" else op.minimum(x, other)


with_indices("max", "argmax")
with_indices("min", "argmin")


@form("sort")
def sort(x: Any, *args: Any, **kwargs: Any) -> Any:
    if not args and kwargs.keys() == {"axis"} and kwargs["axis"] is None:  # NumPy's
        return op.sort(op.flatten(convert_to_tensor(x)))
    if args or "dim" not in kwargs or kwargs.keys() - {"dim", "descending", "stable"}:
        return NotImplemented
    axis = kwargs["dim"]
    order = op.argsort(x, axis, kwargs.get("descending", False))
    return Pair(op.take_along_axis(x, order, axis), order)


@form("median")
def median(x: Any, *args: Any, **kwargs: Any) -> Any:
    """The lower of two middle values."""
    if args or "dim" not in kwargs or kwargs.keys() - {"dim", "keepdim"}:
        return NotImplemented
    axis = kwargs["dim"]
    return kthvalue(
        x, (convert_to_tensor(x).shape[axis] + 1) // 2, axis, kwargs.get("keepdim", False)
    )


@form("split")
def split(x: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's split(x, length, dim=0) and split(x, lengths, dim=0); NumPy's cuts in an array."""
    axis = kwargs.pop("dim", None)
    if axis is None:
        if args and not kwargs and hasattr(args[0], "tolist"):
            return op.split(x, [int(i) for i in args[0].tolist()], *args[1:])
        return NotImplemented
    lengths: Any = kwargs.get("split_size_or_sections")
    if len(args) == 1 and not kwargs:
        lengths = args[0]
    n = convert_to_tensor(x).shape[axis]
    if is_integer(lengths) and lengths > 0:
        return op.split(x, list(range(lengths, n, lengths)), axis)
    if not is_shape(lengths) or sum(lengths) != n:
        return NotImplemented
    cuts = [sum(lengths[: i + 1]) for i in range(len(lengths) - 1)]
    return op.split(x, cuts, axis)


@form("result_type")
def result_type(*args: Any, **kwargs: Any) -> Any:
    """NumPy's dtypes by name."""
    if kwargs or not any(isinstance(a, str) for a in args):
        return NotImplemented
    return op.result_type(*(DType(a) if isinstance(a, str) else a for a in args))


@form("cov")
def covariance(
    x: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, **kwargs: Any
) -> Any:
    """NumPy's bias=."""
    if kwargs or not isinstance(bias, bool):
        return NotImplemented
    return op.cov(x, y, rowvar, float(not bias if ddof is None else ddof))


def spread(name: str) -> None:
    @form(name)
    def with_unbiased(x: Any, *args: Any, **kwargs: Any) -> Any:
        """torch's std(x, dim, unbiased=False)."""
        unbiased = kwargs.pop("unbiased", None)
        if not isinstance(unbiased, bool):
            return NotImplemented
        return getattr(op, name)(x, *args, correction=int(unbiased), **kwargs)


spread("std")
spread("var")


@form("histogram")
def histogram(x: Any, bins: Any = 10, *args: Any, **kwargs: Any) -> Any:
    """NumPy's range=, and edges instead of a number of bins."""
    limits = kwargs.pop("range", None)
    if args and isinstance(args[0], (list, tuple)):
        limits, args = args[0], args[1:]
    if args or kwargs.keys() - {"weights", "density"}:
        return NotImplemented
    if not is_integer(bins):
        return of_edges(convert_to_tensor(x), convert_to_tensor(bins), **kwargs)
    if limits is None or len(limits) != 2:
        return NotImplemented
    return op.histogram(x, int(bins), float(limits[0]), float(limits[1]), **kwargs)


def of_edges(
    x: EmberTensor, edges: EmberTensor, weights: Any = None, density: bool = False
) -> tuple[EmberTensor, EmberTensor]:
    x, n = op.flatten(x), edges.size - 1
    inside = op.logical_and(x >= edges[0], x <= edges[-1])
    bin_of = op.where(x == edges[-1], n - 1, op.searchsorted(edges, x, side="right") - 1)[inside]
    shares = None if weights is None else op.flatten(convert_to_tensor(weights))[inside]
    counts = op.bincount(bin_of, shares, n)
    return (counts / op.diff(edges) / op.sum(counts) if density else counts), edges


@form("bincount")
def bincount(x: Any, weights: Any = None, **kwargs: Any) -> Any:
    """JAX's length=: larger integers are not counted."""
    length = kwargs.pop("length", None)
    if kwargs or not is_integer(length):
        return NotImplemented
    return op.bincount(x, weights, length)[:length]


# ---- Linear algebra ----
@form("norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> Any:
    """torch's p=: without an axis, the norm of all elements as one vector."""
    p = kwargs.pop("p", None)
    axis, keepdims = kwargs.pop("dim", axis), kwargs.pop("keepdim", keepdims)
    if kwargs or ord is not None or isinstance(p, bool) or not isinstance(p, (int, float)):
        return NotImplemented
    return op.vector_norm(x, ord=float(p), axis=axis, keepdims=keepdims)


@form("solve_triangular")
def solve_triangular(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    """SciPy's lower=; the default is an upper triangle."""
    lower = kwargs.pop("lower", None)
    if args or not isinstance(lower, bool) or kwargs.keys() - {"unit_diagonal"}:
        return NotImplemented
    return op.solve_triangular(a, b, upper=not lower, **kwargs)


@form("cholesky")
def cholesky(x: Any, **kwargs: Any) -> Any:
    lower = kwargs.pop("lower", None)
    if kwargs or not isinstance(lower, bool):
        return NotImplemented
    return op.cholesky(x, upper=not lower)


# ---- Neural networks ----
@form("conv1d", "conv2d", "conv3d")
def convolution(x: Any, weight: Any, *args: Any, **kwargs: Any) -> Any:
    """padding='same' and padding='valid'."""
    padding = kwargs.pop("padding", None)
    spatial = convert_to_tensor(weight).ndim - 2
    if padding not in ("same", "valid", "SAME", "VALID") or spatial not in (1, 2, 3):
        return NotImplemented
    f = getattr(op, f"conv{spatial}d")
    return f(
        x, weight, *args, auto_pad="same_upper" if padding.lower() == "same" else "valid", **kwargs
    )


@form("gelu")
def gelu(x: Any, approximate: Any = None, **kwargs: Any) -> Any:
    """approximate=True of JAX and Keras."""
    if kwargs or not isinstance(approximate, bool):
        return NotImplemented
    return op.gelu(x, "tanh" if approximate else "none")


@form("embedding")
def embedding(first: Any, second: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's embedding(indices, weight)."""
    first, second = convert_to_tensor(first), convert_to_tensor(second)
    if args or kwargs or first.dtype.kind not in "iu" or second.dtype.kind != "f":
        return NotImplemented
    return op.embedding(second, first)


@form("one_hot")
def one_hot(indices: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's one_hot(indices), with one class more than the largest index."""
    if args or kwargs.keys() - {"axis", "dtype"}:
        return NotImplemented
    return op.one_hot(indices, int(op.max(indices)) + 1, **kwargs)


@form("layer_norm")
def layer_norm(
    x: Any,
    normalized_shape: Any = None,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
    **kwargs: Any,
) -> Any:
    """torch's layer_norm(x, normalized_shape, weight, bias)."""
    shape = (normalized_shape,) if is_integer(normalized_shape) else normalized_shape
    if (
        kwargs
        or not is_shape(shape)
        or tuple(shape) != tuple(convert_to_tensor(x).shape[-len(shape) :])
    ):
        return NotImplemented
    return op.layer_norm(x, weight, bias, axes=tuple(range(-len(shape), 0)), eps=eps)


@form("scaled_dot_product_attention")
def attention(query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
    """torch's dropout_p=0."""
    if kwargs.pop("dropout_p", None) != 0:
        return NotImplemented
    return op.scaled_dot_product_attention(query, key, value, *args, **kwargs)


@form("resample")
def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    **kwargs: Any,
) -> Any:
    """torch's interpolate(x, size, scale_factor, mode) of [batch, channels, ...]."""
    modes = {
        "nearest": "nearest",
        "linear": "linear",
        "bilinear": "linear",
        "trilinear": "linear",
        "bicubic": "cubic",
    }
    one = (size is None) != (scale_factor is None)
    if not one or mode not in modes or kwargs.keys() - {"antialias"}:
        return NotImplemented
    x = convert_to_tensor(x)
    axes = tuple(range(2, x.ndim))
    several = size if size is not None else scale_factor
    values = tuple(several) if isinstance(several, (list, tuple)) else (several,) * len(axes)
    if len(values) != len(axes):
        return NotImplemented
    if mode == "nearest":  # torch rounds positions down, resample to the nearest
        for axis, value in zip(axes, values):
            n = x.shape[axis]
            length = value if size is not None else int(n * value)
            step = n / length if size is not None else 1 / value
            x = op.take(x, [min(int(i * step), n - 1) for i in range(length)], axis)
        return x
    options: dict[str, Any] = {"sizes": values}
    if size is None:
        options = {"scales": [float(v) for v in values]}
    return op.resample(
        x, mode=modes[mode], axes=axes, align_corners=bool(align_corners), **options, **kwargs
    )


@form("nonzero")
def nonzero(x: Any, **kwargs: Any) -> Any:
    """torch's as_tuple=."""
    if kwargs.keys() != {"as_tuple"}:
        return NotImplemented
    return op.nonzero(x) if kwargs["as_tuple"] else op.argwhere(x)


@form("device")
def device(name: Any, index: int | None = None) -> Any:
    """torch.device("cuda", 0): Ember's devices are their names."""
    if not isinstance(name, str):
        return NotImplemented
    return name if index is None else f"{name}:{index}"


def scaled(name: str) -> None:
    @form(name)
    def with_alpha(x: Any, other: Any, **kwargs: Any) -> Any:
        """torch's add(x, y, alpha=2)."""
        if kwargs.keys() != {"alpha"}:
            return NotImplemented
        return getattr(op, name)(x, op.multiply(other, kwargs["alpha"]))


scaled("add")
scaled("subtract")


# ---- Random numbers: NumPy's order of arguments, JAX's keys ----
def drawing(name: str, numpys: tuple[str, ...], jaxs: tuple[str, ...]) -> None:
    """numpys: the arguments in NumPy's order, the shape last; jaxs: those behind JAX's key."""

    @form(name)
    def draw(*args: Any, **kwargs: Any) -> Any:
        f = getattr(op, name)
        key = args[0] if args and isinstance(args[0], Key) else kwargs.pop("key", None)
        if isinstance(key, Key):
            given = dict(zip(jaxs, args[1:] if args and args[0] is key else args))
            if "shape" in jaxs and not kwargs.keys() & {"shape", "size"}:
                given.setdefault("shape", ())
            return f(**given, **kwargs, seed=key.seed)
        if "key" in kwargs or len(args) != len(numpys) or is_shape(args[0]):
            return NotImplemented
        if not is_shape(args[-1]) and not is_integer(args[-1]):
            return NotImplemented
        return f(**dict(zip(numpys, args)), **kwargs)


@form("random_categorical")
def categorical(
    *args: Any,
    key: Any = None,
    logits: Any = None,
    axis: int = -1,
    shape: Any = None,
    num_samples: int | None = None,
) -> Any:
    """With a key, as in JAX and MLX, the result has an axis for samples only if one is asked for."""
    given = list(args)
    if given and isinstance(given[0], Key):
        key = given.pop(0)
    if given and logits is None:
        logits = given.pop(0)
    if not isinstance(key, Key) or logits is None or given:
        return NotImplemented
    x = op.moveaxis(convert_to_tensor(logits), axis, -1)
    batch = x.shape[:-1]
    if num_samples is not None:
        return op.random_categorical(x, num_samples, seed=key.seed)
    wanted = batch if shape is None else tuple(shape)
    samples = wanted[: len(wanted) - len(batch)]
    if samples + batch != wanted:
        raise ShapeError(
            f"[random_categorical] shape must end in {list(batch)}, the shape of the rows (logits: "
            f"{x.dtype}{list(x.shape)}, shape: {list(wanted)})"
        )
    drawn = op.random_categorical(x, math.prod(samples), seed=key.seed)
    return op.reshape(op.moveaxis(drawn, -1, 0), wanted)


drawing("random_normal", ("mean", "stddev", "shape"), ("shape", "dtype"))
drawing("random_uniform", ("low", "high", "shape"), ("shape", "dtype", "low", "high"))
drawing("random_integers", ("low", "high", "shape"), ("shape", "low", "high", "dtype"))
drawing("random_bernoulli", ("p", "shape"), ("p", "shape"))
drawing("random_binomial", ("n", "p", "shape"), ("n", "p", "shape"))
drawing("random_exponential", ("scale", "shape"), ("shape", "dtype"))
drawing("random_poisson", ("rate", "shape"), ("rate", "shape", "dtype"))
drawing("random_beta", ("a", "b", "shape"), ("a", "b", "shape", "dtype"))
drawing("random_gamma", ("alpha", "beta", "shape"), ("alpha", "shape", "dtype"))
drawing("random_laplace", ("loc", "scale", "shape"), ("shape", "dtype"))
drawing("random_gumbel", ("loc", "scale", "shape"), ("shape", "dtype"))
drawing("truncated_normal", ("shape",), ("low", "high", "shape", "dtype"))
drawing("random_permutation", ("x",), ("x", "axis"))
drawing("choice", ("x",), ("x", "shape", "replace", "p"))
