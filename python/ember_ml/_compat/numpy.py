"""NumPy's functions that are not ops, written with ops: they run on every engine and take
part in gradients where ops do."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import builtins
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .._core import DType, EmberTensor, asarray, convert_to_tensor, get_default_dtype
from .._core import IndexError as EmberIndexError
from .._core import ShapeError
from .._core import ValueError as EmberValueError
from . import op

__all__ = [
    "append",
    "apply_along_axis",
    "apply_over_axes",
    "argpartition",
    "array2string",
    "array_repr",
    "array_str",
    "ascontiguousarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "bartlett",
    "blackman",
    "block",
    "column_stack",
    "compress",
    "delete",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "divmod",
    "dsplit",
    "ediff1d",
    "extract",
    "fill_diagonal",
    "flatnonzero",
    "fliplr",
    "flipud",
    "float_power",
    "fmax",
    "fmin",
    "frexp",
    "frombuffer",
    "fromfunction",
    "fromiter",
    "gcd",
    "geomspace",
    "hamming",
    "hanning",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "hsplit",
    "identity",
    "in1d",
    "indices",
    "insert",
    "interp",
    "intersect1d",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "kaiser",
    "lcm",
    "ldexp",
    "lexsort",
    "logaddexp2",
    "matvec",
    "modf",
    "nancumprod",
    "nancumsum",
    "nanpercentile",
    "nanquantile",
    "ndenumerate",
    "ndindex",
    "partition",
    "piecewise",
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "promote_types",
    "ravel_multi_index",
    "real_if_close",
    "resize",
    "rollaxis",
    "roots",
    "savez",
    "select",
    "setdiff1d",
    "setxor1d",
    "spacing",
    "trapezoid",
    "trapz",
    "tril_indices_from",
    "trim_zeros",
    "triu_indices_from",
    "union1d",
    "unravel_index",
    "unwrap",
    "vdot",
    "vecmat",
    "vectorize",
    "vsplit",
]


def _axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise EmberIndexError(f"axis {axis} is out of range for {ndim} dimensions")
    return axis % ndim


def _floating(x: Any) -> EmberTensor:
    t = convert_to_tensor(x)
    return t if t.dtype.kind in "fc" else t.astype(get_default_dtype())


def _cut(axis: int, part: Any) -> tuple[Any, ...]:
    """The index that selects a part of an axis and all of the axes before it."""
    return (slice(None),) * axis + (part,)


# ---- Creating, joining, splitting ----
def ascontiguousarray(a: Any, dtype: Any = None) -> EmberTensor:
    """The data as a tensor of at least one dimension."""
    return atleast_1d(asarray(a, dtype=dtype))


def atleast_1d(*arrays: Any) -> Any:
    """The arrays, with at least one dimension each."""
    found = [op.atleast_nd(convert_to_tensor(a), 1) for a in arrays]
    return found[0] if len(found) == 1 else tuple(found)


def atleast_2d(*arrays: Any) -> Any:
    """The arrays, with at least two dimensions each; new ones come first."""
    found = [op.atleast_nd(convert_to_tensor(a), 2) for a in arrays]
    return found[0] if len(found) == 1 else tuple(found)


def atleast_3d(*arrays: Any) -> Any:
    """The arrays, with at least three dimensions each: a vector becomes (1, n, 1), a matrix (m, n,
    1)."""
    found = []
    for a in arrays:
        x = convert_to_tensor(a)
        x = (
            op.expand_dims(x, -1)
            if x.ndim == 2
            else op.reshape(x, (1, x.size, 1))
            if x.ndim < 2
            else x
        )
        found.append(x)
    return found[0] if len(found) == 1 else tuple(found)


def append(arr: Any, values: Any, axis: int | None = None) -> EmberTensor:
    """arr with values appended along an axis; without an axis, both flattened."""
    return op.concat([convert_to_tensor(arr), convert_to_tensor(values)], axis)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> EmberTensor:
    """arr with values inserted before the positions obj of an axis."""
    x = convert_to_tensor(arr)
    if axis is None:
        x, axis = op.flatten(x), 0
    axis = _axis(axis, x.ndim)
    n = x.shape[axis]
    places = (
        list(range(*obj.indices(n)))
        if isinstance(obj, builtins.slice)
        else convert_to_tensor(obj).tolist()
    )
    one = not isinstance(places, list)
    places = [places] if one else places
    if any(not -n <= p <= n for p in places):
        raise EmberIndexError(
            f"[insert] index {places} is out of range for axis {axis} of length {n}"
        )
    places = [p + n if p < 0 else p for p in places]
    v = convert_to_tensor(values, dtype=x.dtype)
    if one and v.ndim:  # all values go to the same position
        if v.ndim < x.ndim:
            v = op.reshape(v, (1,) * (x.ndim - v.ndim) + v.shape)
            v = op.moveaxis(v, -1, axis) if x.ndim == 1 else op.moveaxis(v, 0, axis)
        v = op.broadcast_to(v, (*x.shape[:axis], v.shape[axis], *x.shape[axis + 1 :]))
        places = places * v.shape[axis]
    else:
        v = op.broadcast_to(v, (*x.shape[:axis], len(places), *x.shape[axis + 1 :]))
    order = sorted(range(len(places)), key=places.__getitem__)
    index, old = [], 0
    for i in order:  # the row of concat([x, v]) for each row of the result
        index += list(range(old, places[i])) + [n + i]
        old = places[i]
    index += list(range(old, n))
    return op.take(op.concat([x, v], axis), index, axis)


def delete(arr: Any, obj: Any, axis: int | None = None) -> EmberTensor:
    """arr without the entries obj of an axis: an integer, several, a slice or a mask."""
    x = convert_to_tensor(arr)
    if axis is None:
        x, axis = op.flatten(x), 0
    axis = _axis(axis, x.ndim)
    n = x.shape[axis]
    if isinstance(obj, builtins.slice):
        gone = set(range(*obj.indices(n)))
    else:
        at = convert_to_tensor(obj)
        found = op.flatten(at).tolist()
        if at.dtype == "bool":
            gone = {i for i, drop in enumerate(found) if drop}
        else:
            if any(not -n <= i < n for i in found):
                raise EmberIndexError(
                    f"[delete] index {found} is out of range for axis {axis} of length {n}"
                )
            gone = {i % n for i in found}
    kept = [i for i in range(n) if i not in gone]
    return op.take(x, convert_to_tensor(kept, dtype="int64"), axis)


def block(arrays: Any) -> EmberTensor:
    """An array from nested lists of blocks: the innermost are concatenated along the last axis, the
    others along the ones before.
    """

    def depth_of(part: Any) -> int:
        return 1 + max(map(depth_of, part)) if isinstance(part, list) and part else 0

    depth = depth_of(arrays)
    leaves: list[EmberTensor] = []

    def collect(part: Any) -> None:
        if isinstance(part, list):
            for p in part:
                collect(p)
        else:
            leaves.append(convert_to_tensor(part))

    collect(arrays)
    ndim = max(depth, *(t.ndim for t in leaves), 0)

    def join_blocks(part: Any, level: int) -> EmberTensor:
        if not isinstance(part, list):
            return op.atleast_nd(convert_to_tensor(part), ndim)
        result = op.concat([join_blocks(p, level + 1) for p in part], level - depth)
        return result

    return join_blocks(arrays, 0)


def column_stack(tup: Sequence[Any]) -> EmberTensor:
    """A matrix from vectors as columns and matrices side by side."""
    columns = [op.reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in map(convert_to_tensor, tup)]
    return op.concat(columns, 1)


def hsplit(ary: Any, indices_or_sections: Any) -> tuple[EmberTensor, ...]:
    """Parts along the second axis; along the only axis of a vector."""
    x = convert_to_tensor(ary)
    return tuple(op.split(x, indices_or_sections, 1 if x.ndim > 1 else 0))


def vsplit(ary: Any, indices_or_sections: Any) -> tuple[EmberTensor, ...]:
    """Parts along the first axis."""
    return tuple(op.split(convert_to_tensor(ary), indices_or_sections, 0))


def dsplit(ary: Any, indices_or_sections: Any) -> tuple[EmberTensor, ...]:
    """Parts along the third axis."""
    return tuple(op.split(convert_to_tensor(ary), indices_or_sections, 2))


def fliplr(m: Any) -> EmberTensor:
    """The array with its second axis reversed."""
    return op.flip(convert_to_tensor(m), 1)


def flipud(m: Any) -> EmberTensor:
    """The array with its first axis reversed."""
    return op.flip(convert_to_tensor(m), 0)


def rollaxis(a: Any, axis: int, start: int = 0) -> EmberTensor:
    """The array with an axis moved before another."""
    x = convert_to_tensor(a)
    axis = _axis(axis, x.ndim)
    start = start + x.ndim if start < 0 else start
    return op.moveaxis(x, axis, start - 1 if axis < start else start)


def resize(a: Any, new_shape: Any) -> EmberTensor:
    """The elements in another shape, repeated as often as needed."""
    x = op.flatten(convert_to_tensor(a))
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    n = math.prod(shape)
    if not x.size:
        return op.zeros(shape, x.dtype)
    return op.reshape(op.tile(x, -(-n // x.size))[:n], shape)


def identity(n: Any, dtype: Any = None) -> EmberTensor:
    """The identity matrix of n rows; a tensor is returned as it is."""
    return op.eye(n, dtype=dtype or get_default_dtype()) if isinstance(n, int) else op.positive(n)


def fromfunction(
    function: Callable[..., Any],
    shape: Sequence[int],
    *,
    dtype: Any = "float32",  # ember: allow
    **kwargs: Any,
) -> Any:
    """The function applied to the tensors of indices."""
    return function(*indices(shape, dtype=dtype), **kwargs)


def fromiter(iter: Iterable[Any], dtype: Any = None, count: int = -1) -> EmberTensor:
    """A vector of the numbers of an iterator."""
    return asarray(list(iter if count < 0 else itertools.islice(iter, count)), dtype=dtype)


def frombuffer(buffer: Any, dtype: Any = None, count: int = -1, offset: int = 0) -> EmberTensor:
    """A vector of the numbers stored in bytes."""
    wanted = DType("float32" if dtype is None else dtype)
    codes: dict[str, Any] = {
        "bool": "?",
        "int8": "b",
        "uint8": "B",
        "int16": "h",
        "uint16": "H",
        "int32": "i",
        "uint32": "I",
        "int64": "q",
        "uint64": "Q",
        "float32": "f",
        "float64": "d",
    }
    if wanted.name not in codes:
        raise EmberValueError(f"[frombuffer] reads {', '.join(codes)}, not {wanted}")
    view = memoryview(buffer).cast("B")[offset:]
    whole = len(view) // wanted.itemsize if count < 0 else count
    if count < 0 and len(view) % wanted.itemsize:
        raise EmberValueError(
            f"[frombuffer] {len(view)} bytes are not a multiple of the element size, {wanted.itemsize} "
            "bytes"
        )
    if whole * wanted.itemsize > len(view):
        raise EmberValueError(
            f"[frombuffer] {count} elements of {wanted} need {whole * wanted.itemsize} bytes, not "
            f"{len(view)}"
        )
    return asarray(view[: whole * wanted.itemsize].cast(codes[wanted.name]))


def geomspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, dtype: Any = None
) -> EmberTensor:
    """num numbers from start to stop with a constant ratio."""
    if start * stop <= 0:
        raise EmberValueError(
            f"[geomspace] start and stop must have the same sign, and not be zero: {start} and "
            f"{stop}"
        )
    exponents = op.linspace(0.0, math.log(stop / start), num, endpoint, dtype="float64")
    return (op.exp(exponents) * start).astype(dtype or get_default_dtype())


def indices(
    dimensions: Sequence[int],
    dtype: Any = "int64",  # ember: allow
    sparse: bool = False,
) -> Any:
    """The indices of an array of these dimensions, one tensor for each axis."""
    n = len(dimensions)
    lines = [
        op.reshape(op.arange(length, dtype=dtype), (1,) * i + (length,) + (1,) * (n - i - 1))
        for i, length in enumerate(dimensions)
    ]
    return (
        tuple(lines)
        if sparse
        else op.stack([op.broadcast_to(line, tuple(dimensions)) for line in lines])
    )


def diag_indices(n: int, ndim: int = 2) -> tuple[EmberTensor, ...]:
    """The indices of the diagonal of an array with ndim axes of length n."""
    return (op.arange(n),) * ndim


def diag_indices_from(arr: Any) -> tuple[EmberTensor, ...]:
    """The indices of the diagonal of an array whose axes have one length."""
    x = convert_to_tensor(arr)
    if x.ndim < 2 or len(set(x.shape)) != 1:
        raise ShapeError(
            f"[diag_indices_from] needs two axes or more of one length, not shape {list(x.shape)}"
        )
    return diag_indices(x.shape[0], x.ndim)


def tril_indices_from(arr: Any, k: int = 0) -> tuple[EmberTensor, EmberTensor]:
    """The indices of the lower triangle of a matrix."""
    rows, columns = convert_to_tensor(arr).shape
    return op.tril_indices(rows, k, columns)


def triu_indices_from(arr: Any, k: int = 0) -> tuple[EmberTensor, EmberTensor]:
    """The indices of the upper triangle of a matrix."""
    rows, columns = convert_to_tensor(arr).shape
    return op.triu_indices(rows, k, columns)


def diagflat(v: Any, k: int = 0) -> EmberTensor:
    """A matrix with the elements on a diagonal."""
    return op.diag(op.flatten(convert_to_tensor(v)), k)


def fill_diagonal(a: EmberTensor, val: Any, wrap: bool = False) -> None:
    """Writes val to the diagonal of a tensor, in place."""
    if not isinstance(a, EmberTensor):
        raise TypeError(f"[fill_diagonal] writes to a tensor, not {type(a).__name__}")
    if wrap or a.ndim < 2 or (a.ndim > 2 and len(set(a.shape)) != 1):
        raise EmberValueError(
            "[fill_diagonal] needs a matrix, or axes of one length, and no wrap (a: "
            f"{a.dtype}{list(a.shape)})"
        )
    a[(op.arange(builtins.min(a.shape)),) * a.ndim] = val


def savez(file: Any, *args: Any, **kwargs: Any) -> None:
    """Writes tensors to an .npz file, named arr_0, arr_1, ... or by keyword."""
    from .._core import save

    path = str(file)
    save(
        path if path.endswith(".npz") else f"{path}.npz",
        {**{f"arr_{i}": convert_to_tensor(a) for i, a in enumerate(args)}, **kwargs},
    )


def array2string(a: Any, **options: Any) -> str:
    """The text of a tensor for print."""
    return str(convert_to_tensor(a))


def array_str(a: Any) -> str:
    """The text of a tensor for print."""
    return str(convert_to_tensor(a))


def array_repr(arr: Any) -> str:
    """The text of a tensor for Python's prompt."""
    return repr(convert_to_tensor(arr))


def promote_types(type1: Any, type2: Any) -> DType:
    """The dtype to which both arguments are promoted."""
    result: DType = op.result_type(DType(type1), DType(type2))
    return result


# ---- Calling functions ----
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any
) -> EmberTensor:
    """The function applied to each vector along an axis; its result replaces that axis."""
    x = convert_to_tensor(arr)
    axis = _axis(axis, x.ndim)
    lines = op.moveaxis(x, axis, -1)
    found = [
        convert_to_tensor(func1d(line, *args, **kwargs))
        for line in op.reshape(lines, (-1, x.shape[axis]))
    ]
    if not found:
        raise EmberValueError(
            f"[apply_along_axis] the shape {list(x.shape)} has no vectors along axis {axis}"
        )
    result = op.reshape(op.stack(found), (*lines.shape[:-1], *found[0].shape))
    inner = found[0].ndim
    return (
        op.moveaxis(result, list(range(-inner, 0)), list(range(axis, axis + inner)))
        if inner
        else result
    )


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Any) -> EmberTensor:
    """The function applied over each axis in turn, which is kept with length 1."""
    x = convert_to_tensor(a)
    for axis in [axes] if isinstance(axes, int) else axes:
        y = convert_to_tensor(func(x, axis))
        x = y if y.ndim == x.ndim else op.expand_dims(y, axis)
    return x


class vectorize:
    """A function of Python's numbers, called for every element of its broadcast arguments, one by
    one."""

    def __init__(
        self, pyfunc: Callable[..., Any], otypes: Any = None, doc: str | None = None
    ) -> None:
        self.pyfunc, self.dtype, self.__doc__ = (
            pyfunc,
            otypes[0] if otypes else None,
            doc or pyfunc.__doc__,
        )

    def __call__(self, *args: Any) -> EmberTensor:
        arrays = op.broadcast_arrays(*map(convert_to_tensor, args))
        values = [
            self.pyfunc(*element) for element in zip(*(op.flatten(a).tolist() for a in arrays))
        ]
        return op.reshape(asarray(values, dtype=self.dtype), arrays[0].shape)


def piecewise(
    x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kwargs: Any
) -> EmberTensor:
    """The value of the last function or number whose condition is true; one more is the
    rest."""
    x = convert_to_tensor(x)
    conditions = (
        [convert_to_tensor(c) for c in condlist]
        if isinstance(condlist, (list, tuple))
        else [convert_to_tensor(condlist)]
    )
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise EmberValueError(
            f"[piecewise] {len(funclist)} functions for {len(conditions)} conditions"
        )
    values = [f(x, *args, **kwargs) if callable(f) else f for f in funclist]
    result = (
        op.full_like(x, 0) if len(values) == len(conditions) else op.zeros_like(x) + values.pop()
    )
    for condition, value in zip(conditions, values):
        result = op.where(condition, value, result)
    return op.astype(result, x.dtype)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> EmberTensor:
    """The choice of the first condition that is true."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise EmberValueError(f"[select] {len(choicelist)} choices for {len(condlist)} conditions")
    result: Any = (
        convert_to_tensor(default) if not isinstance(default, (int, float, complex)) else default
    )
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        result = op.where(convert_to_tensor(condition), choice, result)
    return result


def ndenumerate(arr: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Pairs of an index and its element as a Python number."""
    x = convert_to_tensor(arr)
    return zip(ndindex(*x.shape), op.flatten(x).tolist())


def ndindex(*shape: Any) -> Iterator[tuple[int, ...]]:
    """The indices of an array of this shape."""
    lengths = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    return itertools.product(*map(range, lengths))


# ---- Elementwise ----
def divmod(x1: Any, x2: Any) -> tuple[EmberTensor, EmberTensor]:
    """Quotients rounded down, and remainders."""
    return op.floor_divide(x1, x2), op.remainder(x1, x2)


def modf(x: Any) -> tuple[EmberTensor, EmberTensor]:
    """Fractional and integral parts, with the sign of x."""
    t = _floating(x)
    whole = op.trunc(t)
    return op.copysign(op.where(op.isinf(t), 0.0, t - whole), t), whole


def frexp(x: Any) -> tuple[EmberTensor, EmberTensor]:
    """Mantissas with absolute values in [0.5, 1), and exponents of 2."""
    t = _floating(x)
    plain = op.logical_and(op.isfinite(t), t != 0)
    wide = op.where(plain, op.abs(t), 0.5).astype("float64")
    exponent = op.floor(op.log2(wide)) + 1
    half = op.floor(exponent / 2)
    # In two steps: 2**-exponent may overflow.
    mantissa = wide / op.exp2(half) / op.exp2(exponent - half)
    exponent = op.where(
        mantissa >= 1, exponent + 1, op.where(mantissa < 0.5, exponent - 1, exponent)
    )
    mantissa = op.where(
        mantissa >= 1, mantissa / 2, op.where(mantissa < 0.5, mantissa * 2, mantissa)
    )
    return op.where(plain, op.copysign(mantissa.astype(t.dtype), t), t), op.where(
        plain, exponent, 0.0
    ).astype("int32")


def ldexp(x1: Any, x2: Any) -> EmberTensor:
    """x1 * 2**x2."""
    t = _floating(x1)
    exponent = convert_to_tensor(x2)
    half = op.floor_divide(exponent, 2)
    return t * op.exp2(half.astype(t.dtype)) * op.exp2((exponent - half).astype(t.dtype))


def float_power(x1: Any, x2: Any) -> EmberTensor:
    """Powers in float64, or complex128."""
    a, b = convert_to_tensor(x1), convert_to_tensor(x2)
    dtype = "complex128" if "c" in (a.dtype.kind, b.dtype.kind) else "float64"
    return op.pow(a.astype(dtype), b.astype(dtype))


def fmax(x1: Any, x2: Any) -> EmberTensor:
    """The larger of two numbers; NaN only if both are NaN."""
    a, b = op.broadcast_arrays(convert_to_tensor(x1), convert_to_tensor(x2))
    return op.where(op.isnan(a), b, op.where(op.isnan(b), a, op.maximum(a, b)))


def fmin(x1: Any, x2: Any) -> EmberTensor:
    """The smaller of two numbers; NaN only if both are NaN."""
    a, b = op.broadcast_arrays(convert_to_tensor(x1), convert_to_tensor(x2))
    return op.where(op.isnan(a), b, op.where(op.isnan(b), a, op.minimum(a, b)))


def logaddexp2(x1: Any, x2: Any) -> EmberTensor:
    """log2(2**x1 + 2**x2), without overflow."""
    a, b = _floating(x1), _floating(x2)
    return op.logaddexp(a * math.log(2), b * math.log(2)) / math.log(2)


def gcd(x1: Any, x2: Any) -> EmberTensor:
    """The greatest common divisors of integers."""
    a, b = op.broadcast_arrays(convert_to_tensor(x1), convert_to_tensor(x2))
    dtype = op.result_type(a, b)
    if dtype.kind not in "iu":
        raise TypeError(f"[gcd] needs integers, not {dtype}")
    a, b = op.abs(a.astype(dtype)), op.abs(b.astype(dtype))
    while bool(op.any(b != 0)):  # Euclid's algorithm, at most 93 steps for 64 bits
        a, b = op.where(b == 0, a, b), op.where(b == 0, 0, op.remainder(a, op.where(b == 0, 1, b)))
    return a


def lcm(x1: Any, x2: Any) -> EmberTensor:
    """The least common multiples of integers."""
    divisor = gcd(x1, x2)
    return op.abs(
        op.floor_divide(convert_to_tensor(x1), op.where(divisor == 0, 1, divisor))
        * convert_to_tensor(x2)
    )


def spacing(x: Any) -> EmberTensor:
    """The distance to the next representable number, away from zero."""
    t = _floating(x)
    return op.nextafter(t, op.copysign(op.full_like(t, math.inf), t)) - t


def isposinf(x: Any) -> EmberTensor:
    """Whether an element is positive infinity."""
    return convert_to_tensor(x) == math.inf


def isneginf(x: Any) -> EmberTensor:
    """Whether an element is negative infinity."""
    return convert_to_tensor(x) == -math.inf


def isreal(x: Any) -> EmberTensor:
    """Whether an element has no imaginary part."""
    t = convert_to_tensor(x)
    return op.imag(t) == 0 if t.dtype.kind == "c" else op.ones_like(t, dtype="bool")


def iscomplex(x: Any) -> EmberTensor:
    """Whether an element has an imaginary part."""
    return op.logical_not(isreal(x))


def iscomplexobj(x: Any) -> bool:
    """Whether the dtype is complex."""
    return convert_to_tensor(x).dtype.kind == "c"


def isrealobj(x: Any) -> bool:
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


def isscalar(element: Any) -> bool:
    """Whether it is a Python or NumPy number, not an array."""
    if isinstance(element, (int, float, complex, str, bytes)):
        return True
    numpys = type(element).__module__ == "numpy" and hasattr(element, "dtype")  # ember: allow
    return numpys and not hasattr(element, "__setitem__")


def real_if_close(a: Any, tol: float = 100) -> EmberTensor:
    """The real part, if all imaginary parts are near zero: less than tol times the dtype's spacing."""
    t = convert_to_tensor(a)
    if t.dtype.kind != "c":
        return t
    limit = tol * (2**-52 if t.dtype == "complex128" else 2**-23) if tol > 1 else tol
    return t.real if bool(op.all(op.abs(t.imag) < limit)) else t


def unwrap(
    p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi
) -> EmberTensor:
    """Angles without jumps: where one exceeds half a period, periods are added to what
    follows."""
    t = _floating(p)
    axis = _axis(axis, t.ndim)
    step = op.diff(t, axis=axis)
    half = period / 2
    wrapped = op.remainder(step + half, period) - half
    wrapped = op.where(op.logical_and(wrapped == -half, step > 0), half, wrapped)
    correction = op.where(
        op.abs(step) < (half if discont is None else builtins.max(discont, half)),
        0.0,
        wrapped - step,
    )
    start = op.zeros_like(t[_cut(axis, slice(0, 1))])
    return t + op.concat([start, op.cumulative_sum(correction, axis=axis)], axis)


# ---- Sorting and sets ----
def partition(a: Any, kth: Any, axis: int | None = -1) -> EmberTensor:
    """The elements with the kth in its sorted position; here all are sorted."""
    x = convert_to_tensor(a)
    return op.sort(op.flatten(x)) if axis is None else op.sort(x, axis)


def argpartition(a: Any, kth: Any, axis: int | None = -1) -> EmberTensor:
    """The indices of a partition; here those that sort."""
    x = convert_to_tensor(a)
    return op.argsort(op.flatten(x)) if axis is None else op.argsort(x, axis)


def lexsort(keys: Any, axis: int = -1) -> EmberTensor:
    """The indices that sort by several keys, the last key first."""
    rows = [convert_to_tensor(k) for k in keys]
    order = op.argsort(rows[0], axis)
    for row in rows[1:]:
        order = op.take_along_axis(
            order, op.argsort(op.take_along_axis(row, order, axis), axis), axis
        )
    return order


def union1d(ar1: Any, ar2: Any) -> EmberTensor:
    """The sorted distinct elements of both."""
    return op.unique_values(op.concat([convert_to_tensor(ar1), convert_to_tensor(ar2)], None))


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The sorted elements that are in both."""
    a, b = op.unique_all(ar1), op.unique_all(ar2)
    common = op.isin(a.values, b.values)
    values = a.values[common]
    if not return_indices:
        return values
    return values, a.indices[common], b.indices[op.isin(b.values, a.values)]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> EmberTensor:
    """The sorted elements of the first that are not in the second."""
    values = op.unique_values(ar1)
    return values[op.isin(values, convert_to_tensor(ar2), invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> EmberTensor:
    """The sorted elements that occur in only one of them."""
    return union1d(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> EmberTensor:
    """Whether each element of the flattened first is in the second."""
    return op.isin(op.flatten(convert_to_tensor(ar1)), convert_to_tensor(ar2), invert)


def extract(condition: Any, arr: Any) -> EmberTensor:
    """The elements where the condition holds."""
    return op.flatten(convert_to_tensor(arr))[op.flatten(convert_to_tensor(condition)) != 0]


def compress(condition: Any, a: Any, axis: int | None = None) -> EmberTensor:
    """The entries along an axis where the condition holds."""
    x = convert_to_tensor(a)
    if axis is None:
        x, axis = op.flatten(x), 0
    return op.take(x, op.nonzero(convert_to_tensor(condition))[0], axis)


def flatnonzero(a: Any) -> EmberTensor:
    """The indices of the nonzero elements of the flattened array."""
    return op.nonzero(op.flatten(convert_to_tensor(a)))[0]


def trim_zeros(filt: Any, trim: str = "fb") -> EmberTensor:
    """A vector without leading (f) and trailing (b) zeros."""
    x = convert_to_tensor(filt)
    places = flatnonzero(x).tolist()
    if not places:
        return x[:0]
    start = places[0] if "f" in trim.lower() else 0
    return x[start : places[-1] + 1 if "b" in trim.lower() else x.size]


def unravel_index(indices: Any, shape: Any) -> tuple[EmberTensor, ...]:
    """Indices into a flattened array as indices along its axes."""
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    at = convert_to_tensor(indices)
    if at.size and not 0 <= int(op.min(at)) <= int(op.max(at)) < math.prod(lengths):
        raise EmberValueError(f"[unravel_index] an index is out of range for shape {list(lengths)}")
    found = []
    for n in reversed(lengths):
        found.append(op.remainder(at, n))
        at = op.floor_divide(at, n)
    return tuple(reversed(found))


def ravel_multi_index(
    multi_index: Sequence[Any], dims: Sequence[int], mode: str = "raise"
) -> EmberTensor:
    """Indices along the axes of an array as indices into the flattened one; mode: raise, wrap or
    clip."""
    if mode not in ("raise", "wrap", "clip"):
        raise EmberValueError(f"[ravel_multi_index] mode must be raise, wrap or clip, not {mode!r}")
    result = convert_to_tensor(0)
    for at, n in zip(map(convert_to_tensor, multi_index), dims, strict=True):
        if mode == "wrap":
            at = op.remainder(at, n)
        elif mode == "clip":
            at = op.clip(at, 0, n - 1)
        elif at.size and not 0 <= int(op.min(at)) <= int(op.max(at)) < n:
            raise EmberValueError(
                f"[ravel_multi_index] an index is out of range for an axis of length {n}"
            )
        result = result * n + at
    return result


# ---- Sums, quantiles, histograms ----
def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> EmberTensor:
    """Running sums, ignoring NaN."""
    x = convert_to_tensor(a)
    x = op.where(op.isnan(x), 0.0, x)
    return op.cumulative_sum(
        op.flatten(x) if axis is None else x, axis=0 if axis is None else axis, dtype=dtype
    )


def nancumprod(a: Any, axis: int | None = None, dtype: Any = None) -> EmberTensor:
    """Running products, ignoring NaN."""
    x = convert_to_tensor(a)
    x = op.where(op.isnan(x), 1.0, x)
    return op.cumulative_prod(
        op.flatten(x) if axis is None else x, axis=0 if axis is None else axis, dtype=dtype
    )


def nanquantile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> EmberTensor:
    """Quantiles q in [0, 1] over axes, ignoring NaN, with linear interpolation."""
    x, levels = _floating(a), convert_to_tensor(q)
    axes = (
        list(range(x.ndim))
        if axis is None
        else [_axis(i, x.ndim) for i in ([axis] if isinstance(axis, int) else axis)]
    )
    kept = [i for i in range(x.ndim) if i not in axes]
    lengths = [x.shape[i] for i in kept]
    # NaN sorts last.
    rows = op.sort(op.reshape(op.permute_dims(x, kept + axes), (*lengths, -1)), axis=-1)
    count = op.sum(op.logical_not(op.isnan(rows)), axis=-1, keepdims=True)
    last = op.maximum(count - 1, 0)
    place = op.flatten(levels).astype(x.dtype) * last.astype(x.dtype)
    low = op.floor(place).astype("int64")
    high = op.minimum(low + 1, last)
    below, above = op.take_along_axis(rows, low, -1), op.take_along_axis(rows, high, -1)
    found = op.lerp(below, above, place - low.astype(x.dtype))
    result = op.reshape(op.moveaxis(found, -1, 0), (*levels.shape, *lengths))
    if not keepdims:
        return result
    return op.reshape(
        result, (*levels.shape, *(1 if i in axes else n for i, n in enumerate(x.shape)))
    )


def nanpercentile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> EmberTensor:
    """Quantiles for q in [0, 100], ignoring NaN."""
    return nanquantile(a, _floating(q) / 100, axis, keepdims)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> EmberTensor:
    """Differences of neighbours in the flattened array, with optional elements before and after
    them.
    """
    parts = [op.diff(op.flatten(convert_to_tensor(ary)))]
    if to_begin is not None:
        parts.insert(0, op.atleast_nd(convert_to_tensor(to_begin), 1))
    if to_end is not None:
        parts.append(op.atleast_nd(convert_to_tensor(to_end), 1))
    return op.concat(parts, None)


def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> EmberTensor:
    """The integral along an axis by the trapezoidal rule."""
    values = _floating(y)
    axis = _axis(axis, values.ndim)
    step: Any = dx
    if x is not None:
        points = convert_to_tensor(x)
        step = op.diff(points, axis=-1 if points.ndim == 1 else axis)
        step = (
            op.reshape(step, (-1,) + (1,) * (values.ndim - axis - 1)) if points.ndim == 1 else step
        )
    return op.sum(
        (values[_cut(axis, slice(1, None))] + values[_cut(axis, slice(None, -1))]) * step / 2,
        axis=axis,
    )


trapz: Callable[..., Any] = trapezoid


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None
) -> EmberTensor:
    """Piecewise linear interpolation of the points (xp, fp) at x, with increasing xp; left and
    right are used outside.
    """
    at, points, values = _floating(x), _floating(xp), convert_to_tensor(fp)
    if points.ndim != 1 or points.shape != values.shape or not points.size:
        raise ShapeError(
            f"[interp] xp and fp must be vectors of one length (xp: {list(points.shape)}, fp: "
            f"{list(values.shape)})"
        )
    dtype = op.result_type(
        at, points, op.astype(values, values.dtype) if values.dtype.kind in "fc" else points
    )
    at, points, values = at.astype(dtype), points.astype(dtype), values.astype(dtype)
    if period is not None:
        at, points = op.remainder(at, period), op.remainder(points, period)
        order = op.argsort(points)
        points, values = op.take(points, order), op.take(values, order)
        points = op.concat([points[-1:] - period, points, points[:1] + period])
        values = op.concat([values[-1:], values, values[:1]])
    n = points.size
    if n == 1:
        found = op.zeros_like(at) + values[0]
    else:
        right_of = op.clip(op.searchsorted(points, at, side="right"), 1, n - 1)
        x0, x1 = op.take(points, right_of - 1), op.take(points, right_of)
        y0, y1 = op.take(values, right_of - 1), op.take(values, right_of)
        same = x1 == x0
        weight = op.where(same, 0.0, (at - x0) / op.where(same, 1.0, x1 - x0))
        found = op.where(at == x1, y1, y0 + (y1 - y0) * weight)
    found = op.where(
        at < points[0], values[0] if left is None or period is not None else left, found
    )
    return op.where(
        at > points[-1], values[-1] if right is None or period is not None else right, found
    )


def histogram_bin_edges(
    a: Any, bins: int = 10, range: Sequence[float] | None = None
) -> EmberTensor:
    """The bin edges that histogram uses."""
    x = convert_to_tensor(a)
    if isinstance(bins, int):
        return op.histogram(x, bins, *(map(float, range) if range is not None else ())).edges
    return convert_to_tensor(bins)


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> tuple[EmberTensor, tuple[EmberTensor, ...]]:
    """Counts of points in a grid of bins, and the edges along each axis; sample holds a point in
    each row, or a list of coordinates."""
    if isinstance(sample, (list, tuple)):
        columns = [op.flatten(convert_to_tensor(c)) for c in sample]
    else:
        columns = list(op.unstack(convert_to_tensor(sample), 1))
    several = isinstance(bins, (list, tuple))
    if several and len(bins) != len(columns):
        raise EmberValueError(f"[histogramdd] {len(bins)} bins for {len(columns)} coordinates")
    edges = tuple(
        histogram_bin_edges(c, bins[i] if several else bins, None if range is None else range[i])
        for i, c in enumerate(columns)
    )
    lengths = [e.size - 1 for e in edges]
    inside: Any = op.ones_like(columns[0], dtype="bool")
    place: Any = op.zeros_like(columns[0], dtype="int64")
    for c, e, n in zip(columns, edges, lengths):
        inside = op.logical_and(inside, op.logical_and(c >= e[0], c <= e[-1]))
        place = place * n + op.clip(
            op.where(c == e[-1], n - 1, op.searchsorted(e, c, side="right") - 1), 0, n - 1
        )
    kept = None if weights is None else convert_to_tensor(weights)[inside]
    counts = op.reshape(op.bincount(place[inside], kept, math.prod(lengths)), tuple(lengths))
    if density:
        counts = counts / op.sum(counts)
        for i, e in enumerate(edges):
            counts = counts / op.reshape(op.diff(e), (-1,) + (1,) * (len(edges) - i - 1))
    return counts, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> tuple[EmberTensor, EmberTensor, EmberTensor]:
    """Counts of points in a grid of bins, and the edges along x and y."""
    one = isinstance(bins, int) or not isinstance(bins, (list, tuple)) or len(bins) != 2
    counts, (first, second) = histogramdd(
        [x, y], (bins, bins) if one else bins, range, density, weights
    )
    return counts, first, second


# ---- Polynomials: coefficients of the highest power first ----
def poly(seq_of_zeros: Any) -> EmberTensor:
    """Coefficients of the polynomial with the given roots, or of a square matrix's characteristic
    polynomial."""
    zeros = convert_to_tensor(seq_of_zeros)
    if zeros.ndim == 2:
        zeros = op.eigvals(_floating(zeros))
    found = op.ones(1, dtype=zeros.dtype)
    for zero in op.unstack(op.atleast_nd(zeros, 1)):
        found = op.pad(found, (0, 1)) - zero * op.pad(found, (1, 0))
    if zeros.dtype.is_complex and bool(op.all(op.isin(op.conj(zeros), zeros))):
        return op.real(found)
    return found


def polyval(p: Any, x: Any) -> EmberTensor:
    """The value of a polynomial at x."""
    t = convert_to_tensor(x)
    result: Any = op.zeros_like(t)
    for coefficient in op.unstack(op.atleast_nd(convert_to_tensor(p), 1)):
        result = result * t + coefficient
    return result


def polyfit(x: Any, y: Any, deg: int, rcond: float | None = None, w: Any = None) -> EmberTensor:
    """The polynomial of degree deg that fits best, by least squares; y may have a column for each
    of several."""
    points, values = _floating(x).astype("float64"), _floating(y).astype("float64")
    matrix = op.vander(points, deg + 1)
    if w is not None:
        weights = convert_to_tensor(w, dtype="float64")
        matrix, values = (
            matrix * weights[:, None],
            values * (weights if values.ndim == 1 else weights[:, None]),
        )
    scale = op.sqrt(op.sum(matrix * matrix, axis=0))
    right = values[:, None] if values.ndim == 1 else values
    found = op.lstsq(matrix / scale, right, rcond)[0] / scale[:, None]
    found = found[:, 0] if values.ndim == 1 else found
    return found.astype(op.result_type(_floating(x), _floating(y)))


def polyder(p: Any, m: int = 1) -> EmberTensor:
    """The mth derivative of a polynomial."""
    found = op.atleast_nd(convert_to_tensor(p), 1)
    for _ in range(m):
        if found.size < 2:
            return op.zeros(0, dtype=found.dtype)
        found = found[:-1] * op.arange(found.size - 1, 0, -1)
    return found


def polyint(p: Any, m: int = 1, k: float = 0.0) -> EmberTensor:
    """The mth integral of a polynomial, with the constant k."""
    found = _floating(op.atleast_nd(convert_to_tensor(p), 1))
    for _ in range(m):
        found = op.concat(
            [found / op.arange(found.size, 0, -1), op.full((1,), k, dtype=found.dtype)]
        )
    return found


def polyadd(a1: Any, a2: Any) -> EmberTensor:
    """The sum of two polynomials."""
    a, b = op.atleast_nd(convert_to_tensor(a1), 1), op.atleast_nd(convert_to_tensor(a2), 1)
    n = builtins.max(a.size, b.size)
    return op.pad(a, (n - a.size, 0)) + op.pad(b, (n - b.size, 0))


def polysub(a1: Any, a2: Any) -> EmberTensor:
    """The difference of two polynomials."""
    return polyadd(a1, -convert_to_tensor(a2))


def polymul(a1: Any, a2: Any) -> EmberTensor:
    """The product of two polynomials."""
    return op.convolve(
        op.atleast_nd(convert_to_tensor(a1), 1), op.atleast_nd(convert_to_tensor(a2), 1)
    )


def polydiv(u: Any, v: Any) -> tuple[EmberTensor, EmberTensor]:
    """Quotient and remainder of two polynomials; the remainder has no leading zeros."""
    rest, divisor = op.atleast_nd(_floating(u), 1), op.atleast_nd(_floating(v), 1)
    factors = [op.zeros((), dtype=op.result_type(rest, divisor))]
    while rest.size >= divisor.size:
        factors.append(rest[0] / divisor[0])
        rest = (rest - op.pad(factors[-1] * divisor, (0, rest.size - divisor.size)))[1:]
    rest = trim_zeros(rest, "f")
    return op.stack(factors[1:] or factors), rest if rest.size else op.stack(factors[:1])


def roots(p: Any) -> EmberTensor:
    """The complex roots of a polynomial: the eigenvalues of its companion matrix."""
    coefficients = _floating(p)
    places = flatnonzero(coefficients).tolist()
    if not places:
        return op.zeros(0, dtype="complex64" if coefficients.dtype == "float32" else "complex128")
    zeros = coefficients.size - 1 - places[-1]
    inner = coefficients[places[0] : places[-1] + 1]
    n = inner.size - 1
    dtype = op.result_type(coefficients, op.zeros(0, dtype="complex64"))
    found = op.zeros(0, dtype=dtype)
    if n:
        companion = op.concat(
            [op.reshape(-inner[1:] / inner[0], (1, n)), op.eye(n - 1, n, dtype=inner.dtype)]
        )
        found = op.eigvals(companion)
    return op.concat([found, op.zeros(zeros, dtype=dtype)])


# ---- Windows: symmetric, whereas hann_window and related ops are periodic ----
def hanning(M: int) -> EmberTensor:
    """The symmetric Hann window."""
    return op.hann_window(M, False)


def hamming(M: int) -> EmberTensor:
    """The symmetric Hamming window."""
    return op.hamming_window(M, False)


def blackman(M: int) -> EmberTensor:
    """The symmetric Blackman window."""
    return op.blackman_window(M, False)


def bartlett(M: int) -> EmberTensor:
    """The symmetric Bartlett window: a triangle that is zero at its ends."""
    return op.bartlett_window(M, False)


def kaiser(M: int, beta: float) -> EmberTensor:
    """The symmetric Kaiser window."""
    return op.kaiser_window(M, float(beta), False)


# ---- Products ----
def vdot(a: Any, b: Any) -> EmberTensor:
    """The dot product of the flattened arrays, the first one conjugated."""
    return op.vecdot(op.flatten(convert_to_tensor(a)), op.flatten(convert_to_tensor(b)))


def matvec(x1: Any, x2: Any) -> EmberTensor:
    """Products of matrices and vectors."""
    return op.matmul(x1, op.expand_dims(convert_to_tensor(x2), -1))[..., 0]


def vecmat(x1: Any, x2: Any) -> EmberTensor:
    """Products of vectors, conjugated, and matrices."""
    return op.matmul(op.expand_dims(op.conj(convert_to_tensor(x1)), -2), x2)[..., 0, :]
