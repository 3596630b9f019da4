"""JAX's lax: control flow run by Python, and the ops with the same names and arguments.

Each iteration is recorded as it runs, so a loop over n steps gives a graph of n steps.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import tree
from ._compat import op as _op
from ._compat.absent import missing as _missing
from ._compat.torch import stop_gradient
from ._core import EmberTensor, ShapeError, convert_to_tensor
from ._core import ValueError as EmberValueError
from ._names import named as _named

_OPS = _named(
    """abs acos acosh asin asinh atan atan2 atanh bitwise_and bitwise_not bitwise_or bitwise_xor ceil conj cos
    cosh cumsum cumprod cummax cummin digamma erf erfc exp exp2 expm1 floor imag lgamma log log1p logical_not neg
    expand_dims real reciprocal reshape round rsqrt sigmoid sign sin sinh sort sqrt square tan tanh""".split()
)
globals().update(_OPS)
concatenate, dot, batch_matmul = _op.concat, _op.dot, _op.matmul
add, sub, mul, div, pow = _op.add, _op.subtract, _op.multiply, _op.divide, _op.pow
max, min, rem, logistic = _op.maximum, _op.minimum, _op.remainder, _op.sigmoid
eq, ne, lt, le, gt, ge = (
    _op.equal,
    _op.not_equal,
    _op.less,
    _op.less_equal,
    _op.greater,
    _op.greater_equal,
)


def fori_loop(lower: int, upper: int, body_fun: Callable[[int, Any], Any], init_val: Any) -> Any:
    """val = body_fun(i, val) for i in range(lower, upper)."""
    value = init_val
    for i in range(int(lower), int(upper)):
        value = body_fun(i, value)
    return value


def while_loop(
    cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any
) -> Any:
    """val = body_fun(val) while cond_fun(val), which is evaluated each time."""
    value = init_val
    while bool(cond_fun(value)):
        value = body_fun(value)
    return value


def cond(
    pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any
) -> Any:
    """true_fun(*operands) if pred, else false_fun(*operands); pred is evaluated."""
    return (true_fun if bool(pred) else false_fun)(*operands)


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """branches[index](*operands), with index clamped to the number of branches."""
    last = len(branches) - 1
    return branches[sorted((0, int(index), last))[1]](*operands)


def _length(xs: Any, length: int | None) -> int:
    lengths = {convert_to_tensor(x).shape[0] for x in tree.leaves(xs)}
    if length is not None:
        lengths.add(length)
    if len(lengths) != 1:
        raise EmberValueError(f"[scan] all xs must have one length, not {sorted(lengths)}")
    return lengths.pop()


def _stack(trees: list[Any]) -> Any:
    """Trees of one structure as one tree, with the leaves stacked along a new first axis."""
    return tree.map(lambda *leaves: _op.stack([convert_to_tensor(x) for x in leaves]), *trees)


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: Any = 1,
) -> tuple[Any, Any]:
    """carry, y = f(carry, x) over the first axis of xs: the last carry, and the ys stacked."""
    n = _length(xs, length)
    carry, ys = init, []
    for i in reversed(range(n)) if reverse else range(n):
        carry, y = f(carry, tree.map(lambda x: convert_to_tensor(x)[i], xs))
        ys.append(y)
    if not ys:
        raise EmberValueError("[scan] needs at least one step")
    return carry, _stack(ys[::-1] if reverse else ys)


def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """f applied to each entry of the first axis, stacked."""
    return scan(lambda carry, x: (carry, f(x)), None, xs)[1]


def associative_scan(
    fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0
) -> Any:
    """The running combination of the entries along an axis by fn."""
    xs = tree.map(lambda x: _op.moveaxis(convert_to_tensor(x), axis, 0), elems)
    n = _length(xs, None)
    places = list(reversed(range(n)) if reverse else range(n))
    found = [tree.map(lambda x: x[places[0]], xs)]
    for i in places[1:]:
        found.append(fn(found[-1], tree.map(lambda x: x[i], xs)))
    stacked = _stack(found[::-1] if reverse else found)
    return tree.map(lambda x: _op.moveaxis(x, 0, axis), stacked)


def _starts(name: str, x: EmberTensor, starts: Any, sizes: Sequence[int]) -> list[slice]:
    """The slices of a block, clamped to lie inside x, as in JAX."""
    given = [int(s) for s in starts]
    if len(given) != x.ndim or len(sizes) != x.ndim:
        raise ShapeError(
            f"[{name}] needs a start and a size for each axis (x: {x.dtype}{list(x.shape)}, "
            f"starts: {given}, sizes: {list(sizes)})"
        )
    if any(size > n for size, n in zip(sizes, x.shape)):
        raise ShapeError(
            f"[{name}] the block is larger than x (x: {x.dtype}{list(x.shape)}, sizes: "
            f"{list(sizes)})"
        )
    placed = [
        sorted((0, s + n * (s < 0), n - size))[1] for s, n, size in zip(given, x.shape, sizes)
    ]
    return [slice(s, s + size) for s, size in zip(placed, sizes)]


def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Sequence[int]) -> EmberTensor:
    """The block of slice_sizes at start_indices."""
    x = convert_to_tensor(operand)
    return x[tuple(_starts("dynamic_slice", x, start_indices, slice_sizes))]


def dynamic_update_slice(operand: Any, update: Any, start_indices: Any) -> EmberTensor:
    """operand with the block at start_indices replaced by update."""
    x, block = _op.copy(convert_to_tensor(operand)), convert_to_tensor(update)
    x[tuple(_starts("dynamic_update_slice", x, start_indices, block.shape))] = block
    return x


def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True
) -> EmberTensor:
    """The entry of an axis at an index."""
    x = convert_to_tensor(operand)
    i = sorted((0, int(index), x.shape[axis] - 1))[1]
    return _op.take(x, [i], axis) if keepdims else _op.take(x, i, axis)


def select(pred: Any, on_true: Any, on_false: Any) -> EmberTensor:
    """on_true where pred is true, on_false elsewhere."""
    return _op.where(pred, on_true, on_false)


def clamp(min: Any, x: Any, max: Any) -> EmberTensor:
    """x clamped to [min, max]."""
    return _op.clip(x, min, max)


def top_k(operand: Any, k: int) -> tuple[EmberTensor, EmberTensor]:
    """The k largest elements of the last axis, and their indices."""
    found = _op.topk(operand, k)
    return found[0], found[1]


def iota(dtype: Any, size: int) -> EmberTensor:
    """The integers from 0 to size - 1."""
    return _op.arange(size, dtype=dtype)


_ADVICE = {
    "conv": "use em.conv1d, em.conv2d or em.conv3d",
    "conv_general_dilated": "use em.conv1d, em.conv2d or em.conv3d, with stride= and dilation=",
    "dot_general": "use em.einsum or em.tensordot",
    "pmean": "use em.distributed",
    "psum": "use em.distributed",
    "reduce_window": "use em.max_pool2d, em.average_pool2d or em.windows",
}
__all__ = sorted(
    {
        *_OPS,
        *"add associative_scan batch_matmul clamp concatenate cond div dot dynamic_index_in_dim dynamic_slice".split(),
        *"dynamic_update_slice eq fori_loop ge gt iota le logistic lt map max min mul ne".split(),
        *"pow rem scan select stop_gradient sub switch top_k while_loop".split(),
    }
)


def __getattr__(name: str) -> Any:
    _missing(__name__, name, _ADVICE, __all__)
