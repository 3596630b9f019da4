# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from collections.abc import (Callable as Callable, Sequence as Sequence)
from typing import (Any as Any)
from ember_ml import (tree as tree)
from ember_ml._compat import (op as _op)
from ember_ml._compat.absent import (missing as _missing)
from ember_ml._compat.torch import (stop_gradient as stop_gradient)
from ember_ml._core import (EmberTensor as EmberTensor, ShapeError as ShapeError, convert_to_tensor as convert_to_tensor, ValueError as
    EmberValueError)
from ember_ml._names import (named as _named)
from ember_ml.ops import (abs as abs, acos as acos, acosh as acosh, asin as asin, asinh as asinh, atan as atan, atan2 as atan2, atanh as
    atanh, bitwise_and as bitwise_and, bitwise_not as bitwise_not, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor, ceil as ceil, conj as
    conj, cos as cos, cosh as cosh, cumsum as cumsum, cumprod as cumprod, cummax as cummax, cummin as cummin, digamma as digamma, erf as erf,
    erfc as erfc, exp as exp, exp2 as exp2, expm1 as expm1, floor as floor, imag as imag, lgamma as lgamma, log as log, log1p as log1p,
    logical_not as logical_not, neg as neg, expand_dims as expand_dims, real as real, reciprocal as reciprocal, reshape as reshape, round as
    round, rsqrt as rsqrt, sigmoid as sigmoid, sign as sign, sin as sin, sinh as sinh, sort as sort, sqrt as sqrt, square as square, tan as tan,
    tanh as tanh, concat as concatenate, dot as dot, matmul as batch_matmul, add as add, subtract as sub, multiply as mul, divide as div, pow as
    pow, maximum as max, minimum as min, remainder as rem, sigmoid as logistic, equal as eq, not_equal as ne, less as lt, less_equal as le,
    greater as gt, greater_equal as ge)
def fori_loop(lower: int, upper: int, body_fun: Callable[[int, Any], Any], init_val: Any) -> Any:
    """val = body_fun(i, val) for i in range(lower, upper)."""
def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """val = body_fun(val) while cond_fun(val), which is evaluated each time."""
def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    """true_fun(*operands) if pred, else false_fun(*operands); pred is evaluated."""
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """branches[index](*operands), with index clamped to the number of branches."""
def scan(f: Callable[[Any, Any], tuple[Any, Any]], init: Any, xs: Any=None, length: int | None=None, reverse: bool=False, unroll: Any=1) -> tuple[Any, Any]:
    """carry, y = f(carry, x) over the first axis of xs: the last carry, and the ys stacked."""
def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """f applied to each entry of the first axis, stacked."""
def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool=False, axis: int=0) -> Any:
    """The running combination of the entries along an axis by fn."""
def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Sequence[int]) -> EmberTensor:
    """The block of slice_sizes at start_indices."""
def dynamic_update_slice(operand: Any, update: Any, start_indices: Any) -> EmberTensor:
    """operand with the block at start_indices replaced by update."""
def dynamic_index_in_dim(operand: Any, index: Any, axis: int=0, keepdims: bool=True) -> EmberTensor:
    """The entry of an axis at an index."""
def select(pred: Any, on_true: Any, on_false: Any) -> EmberTensor:
    """on_true where pred is true, on_false elsewhere."""
def clamp(min: Any, x: Any, max: Any) -> EmberTensor:
    """x clamped to [min, max]."""
def top_k(operand: Any, k: int) -> tuple[EmberTensor, EmberTensor]:
    """The k largest elements of the last axis, and their indices."""
def iota(dtype: Any, size: int) -> EmberTensor:
    """The integers from 0 to size - 1."""
__all__: list[str] = ['abs', 'acos', 'acosh', 'add', 'asin', 'asinh', 'associative_scan', 'atan', 'atan2', 'atanh', 'batch_matmul',
    'bitwise_and', 'bitwise_not', 'bitwise_or', 'bitwise_xor', 'ceil', 'clamp', 'concatenate', 'cond', 'conj', 'cos', 'cosh', 'cummax',
    'cummin', 'cumprod', 'cumsum', 'digamma', 'div', 'dot', 'dynamic_index_in_dim', 'dynamic_slice', 'dynamic_update_slice', 'eq', 'erf',
    'erfc', 'exp', 'exp2', 'expand_dims', 'expm1', 'floor', 'fori_loop', 'ge', 'gt', 'imag', 'iota', 'le', 'lgamma', 'log', 'log1p',
    'logical_not', 'logistic', 'lt', 'map', 'max', 'min', 'mul', 'ne', 'neg', 'pow', 'real', 'reciprocal', 'rem', 'reshape', 'round', 'rsqrt',
    'scan', 'select', 'sigmoid', 'sign', 'sin', 'sinh', 'sort', 'sqrt', 'square', 'stop_gradient', 'sub', 'switch', 'tan', 'tanh', 'top_k',
    'while_loop']
