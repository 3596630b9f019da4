"""torch's functions that are not ops, written with ops."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import itertools
import math
import warnings
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from .. import _core
from .._core import EmberTensor, ShapeError, asarray, convert_to_tensor
from .._core import ValueError as EmberValueError
from .._grad import no_grad
from . import op

__all__ = [
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "aminmax",
    "as_tensor",
    "baddbmm",
    "bernoulli",
    "block_diag",
    "bucketize",
    "cartesian_prod",
    "cdist",
    "chunk",
    "combinations",
    "compile",
    "complex",
    "cumulative_trapezoid",
    "diag_embed",
    "dist",
    "entr",
    "frac",
    "from_numpy",
    "histc",
    "index_copy",
    "index_fill",
    "index_select",
    "inference_mode",
    "is_complex",
    "is_floating_point",
    "is_grad_enabled",
    "is_tensor",
    "jit",
    "kthvalue",
    "logdet",
    "logit",
    "masked_scatter",
    "mode",
    "narrow",
    "normal",
    "polar",
    "scatter_reduce",
    "set_grad_enabled",
    "std_mean",
    "stop_gradient",
    "t",
    "tensor_split",
    "unflatten",
    "unique_consecutive",
    "var_mean",
    "view_as_complex",
    "view_as_real",
    "xlog1py",
    "xlogy",
]

Pair = namedtuple("Pair", ["values", "indices"])
Extremes = namedtuple("Extremes", ["min", "max"])


def _axis(dim: int, ndim: int) -> int:
    if not -ndim <= dim < ndim:
        raise _core.IndexError(f"dim {dim} is out of range for {ndim} dimensions")
    return dim % ndim


# ---- Creation ----
def as_tensor(data: Any, dtype: Any = None, device: str | None = None) -> EmberTensor:
    """The data as a tensor; a tensor that needs no change is returned unchanged."""
    return asarray(data, dtype=dtype, device=device)


def from_numpy(ndarray: Any) -> EmberTensor:
    """A tensor that shares the memory of a NumPy array, which must not change."""
    return asarray(ndarray, copy=False)


def complex(real: Any, imag: Any) -> EmberTensor:
    """Complex numbers from real and imaginary parts."""
    return convert_to_tensor(real) + convert_to_tensor(imag) * 1j


def polar(abs: Any, angle: Any) -> EmberTensor:
    """Complex numbers from absolute values and angles."""
    return complex(abs * op.cos(angle), abs * op.sin(angle))


def view_as_real(input: Any) -> EmberTensor:
    """Real and imaginary parts along a new last axis."""
    return op.stack([op.real(input), op.imag(input)], -1)


def view_as_complex(input: Any) -> EmberTensor:
    """Complex numbers from the pairs along the last axis."""
    x = convert_to_tensor(input)
    if not x.ndim or x.shape[-1] != 2:
        raise ShapeError(
            f"[view_as_complex] the last axis must have length 2 (input: {x.dtype}{list(x.shape)})"
        )
    return complex(x[..., 0], x[..., 1])


def block_diag(*tensors: Any) -> EmberTensor:
    """A block-diagonal matrix."""
    blocks = [op.atleast_nd(convert_to_tensor(b), 2) for b in tensors]
    width, before, rows = sum(b.shape[1] for b in blocks), 0, []
    for b in blocks:
        rows.append(op.pad(b, ((0, 0), (before, width - before - b.shape[1]))))
        before += b.shape[1]
    return op.concat(rows)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> EmberTensor:
    """Matrices with the vectors of the last axis on a diagonal."""
    x = convert_to_tensor(input)
    n = x.shape[-1] + abs(offset)
    row, column = op.arange(n)[:, None], op.arange(n)
    # The element of the diagonal in each column (offset >= 0) or in each row.
    elements = op.take(x, op.clip(column, 0, max(x.shape[-1] - 1, 0)), x.ndim - 1)
    elements = op.expand_dims(elements, -1 if offset >= 0 else -2)
    matrix = op.where(column - row == offset, elements, op.astype(0, x.dtype))
    ndim = x.ndim + 1
    if (dim1 % ndim, dim2 % ndim) != (ndim - 2, ndim - 1):
        matrix = op.moveaxis(matrix, (-2, -1), (dim1, dim2))
    return matrix


def cartesian_prod(*tensors: Any) -> EmberTensor:
    """All tuples of an element of each vector."""
    vectors = [convert_to_tensor(v) for v in tensors]
    if len(vectors) == 1:
        return vectors[0]
    return op.stack([op.flatten(g) for g in op.meshgrid(*vectors, indexing="ij")], -1)


def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> EmberTensor:
    """All combinations of r elements of a vector."""
    x = convert_to_tensor(input)
    choices = (
        itertools.combinations_with_replacement if with_replacement else itertools.combinations
    )(range(x.shape[0]), r)
    return op.take(x, op.reshape(convert_to_tensor(list(choices), dtype="int64"), (-1, r)), 0)


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> EmberTensor:
    """Normal numbers of a mean and a standard deviation, which may be tensors."""
    center, width = convert_to_tensor(mean), convert_to_tensor(std)
    shape = op.broadcast_shapes(center.shape, width.shape) if size is None else size
    return mean + std * op.random_normal(shape, **options)


def bernoulli(input: Any, **options: Any) -> EmberTensor:
    """Ones with the probabilities given by the elements, else zeros."""
    p = convert_to_tensor(input)
    return op.random_bernoulli(p.shape, p, **options).astype(p.dtype)


# ---- Splitting and selecting ----
def chunk(input: Any, chunks: int, dim: int = 0) -> tuple[EmberTensor, ...]:
    """At most that many parts of equal length; the last may be shorter."""
    x = convert_to_tensor(input)
    n = x.shape[_axis(dim, x.ndim)]
    if chunks < 1:
        raise EmberValueError(f"[chunk] chunks must be positive, not {chunks}")
    length = -(-n // chunks)
    return tuple(op.split(x, list(range(length, n, length)) if length else [], dim))


def tensor_split(input: Any, indices_or_sections: Any, dim: int = 0) -> tuple[EmberTensor, ...]:
    """That many parts of nearly equal length, or parts between positions."""
    cut = op.array_split if isinstance(indices_or_sections, int) else op.split
    return tuple(cut(convert_to_tensor(input), indices_or_sections, dim))


def unflatten(input: Any, dim: int, sizes: Any) -> EmberTensor:
    """One axis split into several."""
    x = convert_to_tensor(input)
    axis = _axis(dim, x.ndim)
    lengths = list(sizes)
    if -1 in lengths:
        known = math.prod(n for n in lengths if n != -1)
        lengths[lengths.index(-1)] = x.shape[axis] // known if known else 0
    if math.prod(lengths) != x.shape[axis]:
        raise ShapeError(
            f"[unflatten] axis {dim} of length {x.shape[axis]} cannot become {list(sizes)}"
        )
    return op.reshape(x, (*x.shape[:axis], *lengths, *x.shape[axis + 1 :]))


def narrow(input: Any, dim: int, start: int, length: int) -> EmberTensor:
    """length entries of an axis, from start on."""
    x = convert_to_tensor(input)
    axis = _axis(dim, x.ndim)
    start = start + x.shape[axis] if start < 0 else start
    if not 0 <= start <= start + length <= x.shape[axis]:
        raise _core.IndexError(
            f"[narrow] {length} entries from {start} exceed axis {dim} of length {x.shape[axis]}"
        )
    return x[(slice(None),) * axis + (slice(start, start + length),)]


def index_select(input: Any, dim: int, index: Any) -> EmberTensor:
    """The entries of an axis at these indices."""
    return op.take(input, index, dim)


def index_copy(input: Any, dim: int, index: Any, source: Any) -> EmberTensor:
    """input with the entries of an axis at these indices replaced by source."""
    x = op.copy(convert_to_tensor(input))
    x[(slice(None),) * _axis(dim, x.ndim) + (convert_to_tensor(index),)] = source
    return x


def index_fill(input: Any, dim: int, index: Any, value: Any) -> EmberTensor:
    """input with the entries of an axis at these indices replaced by one value."""
    return index_copy(input, dim, index, value)


def masked_scatter(input: Any, mask: Any, source: Any) -> EmberTensor:
    """input with the elements of source, in order, where mask is true."""
    x, chosen = op.broadcast_arrays(convert_to_tensor(input), convert_to_tensor(mask))
    place = op.clip(op.cumulative_sum(op.flatten(chosen).astype("int64"), axis=0) - 1, 0, None)
    values = op.reshape(op.take(op.flatten(convert_to_tensor(source)), place), x.shape)
    return op.where(chosen, values, x)


def scatter_reduce(
    input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> EmberTensor:
    """input with the elements of src reduced into index along dim: sum, prod, amax or
    amin."""
    modes = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
    if reduce not in modes or not include_self:
        raise EmberValueError(
            f"[scatter_reduce] reduce must be one of {', '.join(modes)}, with include_self, not "
            f"{reduce!r}"
        )
    return op.scatter_elements(input, index, src, dim, modes[reduce])


def bucketize(input: Any, boundaries: Any, *, right: bool = False) -> EmberTensor:
    """The index of the interval between boundaries for each element, closed above, with right
    the lower one."""
    return op.searchsorted(boundaries, input, side="right" if right else "left")


def histc(input: Any, bins: int = 100, min: float = 0, max: float = 0) -> EmberTensor:
    """Counts in bins of equal width, as floats; equal limits mean the data's."""
    x = convert_to_tensor(input)
    counts = op.histogram(x, bins) if min == max else op.histogram(x, bins, float(min), float(max))
    return counts.counts.astype(x.dtype)


# ---- Sorting and statistics ----
def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The kth smallest values along an axis, and their indices."""
    x = convert_to_tensor(input)
    axis = _axis(dim, x.ndim)
    if not 1 <= k <= x.shape[axis]:
        raise EmberValueError(f"[kthvalue] k must be 1 to {x.shape[axis]}, not {k}")
    at = narrow(op.argsort(x, axis), axis, k - 1, 1)
    found = op.take_along_axis(x, at, axis)
    return Pair(found, at) if keepdim else Pair(op.squeeze(found, axis), op.squeeze(at, axis))


def mode(input: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent values along an axis (the smallest if there are several), and the indices
    where they stand last.
    """
    x = convert_to_tensor(input)
    axis = _axis(dim, x.ndim)
    order = op.moveaxis(op.argsort(x, axis), axis, -1)
    rows = op.take_along_axis(op.moveaxis(x, axis, -1), order, -1)
    place = op.broadcast_to(op.arange(rows.shape[-1]), rows.shape)
    first = op.concat(
        [op.ones_like(rows[..., :1], dtype="bool"), rows[..., 1:] != rows[..., :-1]], -1
    )
    length = place - op.cummax(op.where(first, place, 0), -1)
    last = op.argmax(length, -1, True)
    parts = [op.moveaxis(op.take_along_axis(y, last, -1), -1, axis) for y in (rows, order)]
    return Pair(*(parts if keepdim else [op.squeeze(p, axis) for p in parts]))


def aminmax(input: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest and the largest elements."""
    return Extremes(op.min(input, dim, keepdim), op.max(input, dim, keepdim))


def var_mean(
    input: Any, dim: Any = None, *, correction: float = 1, keepdim: bool = False
) -> tuple[EmberTensor, EmberTensor]:
    """The variance, divided by n - correction, and the mean."""
    return op.var(input, dim, correction, keepdim), op.mean(input, dim, keepdim)


def std_mean(
    input: Any, dim: Any = None, *, correction: float = 1, keepdim: bool = False
) -> tuple[EmberTensor, EmberTensor]:
    """The standard deviation, with the divisor n - correction, and the mean."""
    return op.std(input, dim, correction, keepdim), op.mean(input, dim, keepdim)


def unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False
) -> Any:
    """The flattened tensor without consecutive duplicates."""
    x = op.flatten(convert_to_tensor(input))
    first = op.concat([op.ones(min(x.size, 1), dtype="bool"), x[1:] != x[:-1]])
    starts = op.nonzero(first)[0]
    found = [x[first]]
    if return_inverse:
        found.append(
            op.reshape(
                op.cumulative_sum(first.astype("int64"), axis=0) - 1, convert_to_tensor(input).shape
            )
        )
    if return_counts:
        found.append(op.diff(starts, append=convert_to_tensor([x.size])))
    return tuple(found) if len(found) > 1 else found[0]


# ---- Elementwise ----
def frac(input: Any) -> EmberTensor:
    """The fractional part, with the sign of the number."""
    x = convert_to_tensor(input)
    return x - op.trunc(x)


def xlogy(input: Any, other: Any) -> EmberTensor:
    """input * log(other), 0 where input is 0."""
    x, y = convert_to_tensor(input), convert_to_tensor(other)
    zero = op.logical_and(x == 0, op.logical_not(op.isnan(y)))
    return op.where(zero, 0.0, x * op.log(op.where(zero, 1.0, y)))


def xlog1py(input: Any, other: Any) -> EmberTensor:
    """input * log1p(other), 0 where input is 0."""
    x, y = convert_to_tensor(input), convert_to_tensor(other)
    zero = op.logical_and(x == 0, op.logical_not(op.isnan(y)))
    return op.where(zero, 0.0, x * op.log1p(op.where(zero, 0.0, y)))


def entr(input: Any) -> EmberTensor:
    """-x * log(x), 0 at 0, -inf below."""
    x = convert_to_tensor(input)
    return op.where(x < 0, -math.inf, -xlogy(x, op.where(x < 0, 1.0, x)))


def logit(input: Any, eps: float | None = None) -> EmberTensor:
    """log(x / (1 - x)), with x clamped to [eps, 1 - eps]."""
    x = convert_to_tensor(input)
    if eps is not None:
        x = op.clip(x, eps, 1 - eps)
    return op.log(x) - op.log1p(-x)


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> EmberTensor:
    """input + value * tensor1 * tensor2."""
    return op.add(input, op.multiply(op.multiply(tensor1, tensor2), value))


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> EmberTensor:
    """input + value * tensor1 / tensor2."""
    return op.add(input, op.multiply(op.divide(tensor1, tensor2), value))


# ---- Linear algebra ----
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> EmberTensor:
    """beta * input + alpha * mat1 @ mat2."""
    product = op.matmul(mat1, mat2)
    product = product if alpha == 1 else product * alpha
    return op.add(product, input if beta == 1 else op.multiply(input, beta))


addmv: Callable[..., Any] = addmm
baddbmm: Callable[..., Any] = addmm


def t(input: Any) -> EmberTensor:
    """A matrix transposed; a vector or 0-d tensor unchanged."""
    x = convert_to_tensor(input)
    if x.ndim > 2:
        raise ShapeError(
            "[t] needs two dimensions at most: use swapaxes or mT (input: "
            f"{x.dtype}{list(x.shape)})"
        )
    return x.T if x.ndim == 2 else x


def cdist(x1: Any, x2: Any, p: float = 2.0) -> EmberTensor:
    """The distance of each row of x1 from each of x2."""
    a, b = convert_to_tensor(x1), convert_to_tensor(x2)
    return op.norm(op.expand_dims(a, -2) - op.expand_dims(b, -3), ord=float(p), axis=-1)


def dist(input: Any, other: Any, p: float = 2.0) -> EmberTensor:
    """The norm of the difference, of all elements as one vector."""
    return op.vector_norm(op.flatten(op.subtract(input, other)), ord=float(p))


def logdet(input: Any) -> EmberTensor:
    """The logarithm of the determinant; NaN where that is negative."""
    sign, size = op.slogdet(input)
    return op.where(sign < 0, math.nan, size)


def cumulative_trapezoid(y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> EmberTensor:
    """Running integrals along an axis by the trapezoidal rule."""
    values = convert_to_tensor(y)
    axis = _axis(dim, values.ndim)
    n = values.shape[axis]
    step = dx if x is None else op.diff(convert_to_tensor(x), axis=-1)
    if x is not None and convert_to_tensor(x).ndim == 1:
        step = op.reshape(step, (-1,) + (1,) * (values.ndim - axis - 1))
    areas = (narrow(values, axis, 1, n - 1) + narrow(values, axis, 0, n - 1)) * step / 2
    return op.cumulative_sum(areas, axis=axis)


# ---- Predicates and modes ----
def is_tensor(obj: Any) -> bool:
    """Whether the object is a tensor."""
    return isinstance(obj, EmberTensor)


def is_floating_point(input: EmberTensor) -> bool:
    """Whether the elements are real floating-point numbers."""
    return input.dtype.is_floating_point


def is_complex(input: EmberTensor) -> bool:
    """Whether the elements are complex numbers."""
    return input.dtype.is_complex


def is_grad_enabled() -> bool:
    """Whether gradients are enabled."""
    return _core.grad_enabled()


inference_mode = no_grad


class set_grad_enabled(_core.GradMode):
    """torch's with set_grad_enabled(flag). It acts inside a with block only, and warns where it is
    used without one."""

    def __init__(self, mode: bool) -> None:
        super().__init__(bool(mode))
        self.entered = False

    def __enter__(self) -> None:
        self.entered = True
        super().__enter__()

    def __del__(self) -> None:
        if not getattr(self, "entered", True):
            warnings.warn(
                "[set_grad_enabled] has no effect without a block: write `with em.set_grad_enabled(flag):`",
                stacklevel=2,
            )


def stop_gradient(x: Any) -> EmberTensor:
    """The same value, outside every gradient."""
    return convert_to_tensor(x).detach()


def jit(fun: Any = None, **options: Any) -> Any:
    """The function itself: Ember compiles its graph when a value is read and reuses the program in
    the next call."""

    def same(f: Callable[..., Any]) -> Callable[..., Any]:
        return f

    return same if fun is None else fun


def _trace(func: Any, example_inputs: Any = None, **options: Any) -> Any:
    """The function itself, as jit gives it."""
    return func


setattr(jit, "script", jit)
setattr(jit, "trace", _trace)
compile: Callable[..., Any] = jit
