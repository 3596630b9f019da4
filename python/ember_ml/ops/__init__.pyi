# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import ember_ml as _ember
from ember_ml._core import (binary_split_result, eig_result, eigh_result, histogram_result, lstsq_result, lu_result, qr_result,
    slogdet_result, svd_result, topk_result, tril_indices_result, triu_indices_result, unique_all_result, unique_counts_result,
    unique_inverse_result, asarray as asarray, finfo as finfo, iinfo as iinfo, asarray as array, convert_to_tensor as convert_to_tensor, DType
    as DType, EmberTensor as EmberTensor, Parameter as Parameter, auto_select_backend as auto_select_backend, backend_info as backend_info,
    clear_cache as clear_cache, counters as counters, from_dlpack as from_dlpack, get_available_backends as get_available_backends,
    get_available_devices as get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as
    get_device, get_printoptions as get_printoptions, load as load, load_metadata as load_metadata, memory_stats as memory_stats, save as save,
    set_backend as set_backend, set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions as set_printoptions,
    synchronize as synchronize, to_device as to_device, using_backend as using_backend, get_device as get_default_device, set_device as
    set_default_device, set_backend as set_ops, EmberTensor as Tensor)
from types import (ModuleType as _ModuleType)
from typing import (Any as Any)
from ember_ml._compat import (absent as _absent)
from ember_ml._names import (FUNCTIONS as _FUNCTIONS)
from ember_ml.ops import (activations as activations, bitwise as bitwise, linearalg as linearalg, random as random, stats as stats)
from ember_ml._compat.calculus import (gradient as gradient)
from ember_ml._more import (slice_update as slice_update, dtype as dtype, from_dtype_str as from_dtype_str, get_device_of_tensor as
    get_device_of_tensor, get_dtype as get_dtype, index_update as index_update, is_available as is_available, memory_info as memory_info,
    memory_usage as memory_usage, to_dtype_str as to_dtype_str, to_numpy as to_numpy)
from ember_ml._compat.numpy import (identity as identity, append as append, apply_along_axis as apply_along_axis, apply_over_axes as
    apply_over_axes, argpartition as argpartition, array2string as array2string, array_repr as array_repr, array_str as array_str,
    ascontiguousarray as ascontiguousarray, atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d, bartlett as bartlett,
    blackman as blackman, block as block, column_stack as column_stack, compress as compress, delete as delete, diag_indices as diag_indices,
    diag_indices_from as diag_indices_from, diagflat as diagflat, divmod as divmod, dsplit as dsplit, ediff1d as ediff1d, extract as extract,
    fill_diagonal as fill_diagonal, flatnonzero as flatnonzero, fliplr as fliplr, flipud as flipud, float_power as float_power, fmax as fmax,
    fmin as fmin, frexp as frexp, frombuffer as frombuffer, fromfunction as fromfunction, fromiter as fromiter, gcd as gcd, geomspace as
    geomspace, hamming as hamming, hanning as hanning, histogram2d as histogram2d, histogram_bin_edges as histogram_bin_edges, histogramdd as
    histogramdd, hsplit as hsplit, in1d as in1d, indices as indices, insert as insert, interp as interp, intersect1d as intersect1d, iscomplex
    as iscomplex, iscomplexobj as iscomplexobj, isneginf as isneginf, isposinf as isposinf, isreal as isreal, isrealobj as isrealobj, isscalar
    as isscalar, kaiser as kaiser, lcm as lcm, ldexp as ldexp, lexsort as lexsort, logaddexp2 as logaddexp2, matvec as matvec, modf as modf,
    nancumprod as nancumprod, nancumsum as nancumsum, nanpercentile as nanpercentile, nanquantile as nanquantile, ndenumerate as ndenumerate,
    ndindex as ndindex, partition as partition, piecewise as piecewise, poly as poly, polyadd as polyadd, polyder as polyder, polydiv as
    polydiv, polyfit as polyfit, polyint as polyint, polymul as polymul, polysub as polysub, polyval as polyval, promote_types as promote_types,
    ravel_multi_index as ravel_multi_index, real_if_close as real_if_close, resize as resize, rollaxis as rollaxis, roots as roots, savez as
    savez, select as select, setdiff1d as setdiff1d, setxor1d as setxor1d, spacing as spacing, trapezoid as trapezoid, trapz as trapz,
    tril_indices_from as tril_indices_from, trim_zeros as trim_zeros, triu_indices_from as triu_indices_from, union1d as union1d, unravel_index
    as unravel_index, unwrap as unwrap, vdot as vdot, vecmat as vecmat, vectorize as vectorize, vsplit as vsplit)
from ember_ml._compat.grids import (ix_ as ix_)
from ember_ml._compat.random import (rand as rand, rand_like as rand_like, randint as randint, randn as randn, randn_like as randn_like,
    randperm as randperm)
from ember_ml._compat.text import (genfromtxt as genfromtxt, loadtxt as loadtxt, savetxt as savetxt)
from ember_ml._compat.torch import (addcdiv as addcdiv, addcmul as addcmul, addmm as addmm, addmv as addmv, aminmax as aminmax, as_tensor as
    as_tensor, baddbmm as baddbmm, bernoulli as bernoulli, block_diag as block_diag, bucketize as bucketize, cartesian_prod as cartesian_prod,
    cdist as cdist, chunk as chunk, combinations as combinations, compile as compile, complex as complex, cumulative_trapezoid as
    cumulative_trapezoid, diag_embed as diag_embed, dist as dist, entr as entr, frac as frac, from_numpy as from_numpy, histc as histc,
    index_copy as index_copy, index_fill as index_fill, index_select as index_select, is_complex as is_complex, is_floating_point as
    is_floating_point, is_grad_enabled as is_grad_enabled, is_tensor as is_tensor, jit as jit, kthvalue as kthvalue, logdet as logdet, logit as
    logit, masked_scatter as masked_scatter, mode as mode, narrow as narrow, normal as normal, polar as polar, scatter_reduce as scatter_reduce,
    set_grad_enabled as set_grad_enabled, std_mean as std_mean, stop_gradient as stop_gradient, t as t, tensor_split as tensor_split, unflatten
    as unflatten, unique_consecutive as unique_consecutive, var_mean as var_mean, view_as_complex as view_as_complex, view_as_real as
    view_as_real, xlog1py as xlog1py, xlogy as xlogy)
from ember_ml._grad import (no_grad as inference_mode, checkpoint as checkpoint, enable_grad as enable_grad, eval as eval, grad as grad,
    gradients as gradients, hessian as hessian, jacobian as jacobian, no_grad as no_grad, value_and_grad as value_and_grad, jacobian as jacfwd,
    jacobian as jacrev)
from ember_ml._custom import (custom_function as custom_function, custom_vjp as custom_vjp, jvp as jvp, vjp as vjp)
def zeros(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of zeros."""
def ones(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of ones."""
def full(shape: Ints, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor filled with one value."""
def empty(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of zeros: nothing is ever uninitialised."""
def zeros_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Zeros in the shape of x."""
def ones_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Ones in the shape of x."""
def full_like(x: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """One value in the shape of x."""
def empty_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Zeros in the shape of x."""
def eye(n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Ones on the k-th diagonal, zeros elsewhere."""
def arange(start: Any, stop: Any | None = None, step: Any = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Numbers from start up to stop, without it, in steps."""
def linspace(start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Evenly spaced numbers between two ends."""
def logspace(start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, base: Number = 10.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Powers of a base with evenly spaced exponents."""
def meshgrid(*arrays: ArrayLike | Tensors, indexing: builtins.str = 'xy', device: builtins.str | None = None) -> builtins.tuple[EmberTensor, ...]:
    """Coordinate grids of vectors."""
def tril(x: ArrayLike, k: SupportsIndex = 0) -> EmberTensor:
    """The lower triangle of matrices, zeros above the k-th diagonal."""
def triu(x: ArrayLike, k: SupportsIndex = 0) -> EmberTensor:
    """The upper triangle of matrices, zeros below the k-th diagonal."""
def tri(n: SupportsIndex, m: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Ones at and below the k-th diagonal, zeros above."""
def tril_indices(n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None, *, device: builtins.str | None = None) -> tril_indices_result:
    """Rows and columns of the lower triangle of an n by m matrix."""
def triu_indices(n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None, *, device: builtins.str | None = None) -> triu_indices_result:
    """Rows and columns of the upper triangle of an n by m matrix."""
def diag(x: ArrayLike, k: SupportsIndex = 0, *, device: builtins.str | None = None) -> EmberTensor:
    """A vector as the k-th diagonal of a matrix, or the k-th diagonal of a matrix."""
def one_hot(indices: ArrayLike, depth: SupportsIndex, axis: SupportsIndex = -1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """1 at the index, 0 elsewhere, along a new axis; all 0 for an index outside it."""
def copy(x: ArrayLike) -> EmberTensor:
    """A copy with memory of its own."""
def astype(x: ArrayLike, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
    """x in another dtype."""
def vander(x: ArrayLike, n: SupportsIndex | None = None, increasing: builtins.bool = False, *, device: builtins.str | None = None) -> EmberTensor:
    """Powers of a vector's elements as columns."""
def abs(x: ArrayLike) -> EmberTensor:
    """Absolute value; of complex numbers the modulus."""
def acos(x: ArrayLike) -> EmberTensor:
    """Inverse cosine."""
def acosh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic cosine."""
def asin(x: ArrayLike) -> EmberTensor:
    """Inverse sine."""
def asinh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic sine."""
def atan(x: ArrayLike) -> EmberTensor:
    """Inverse tangent."""
def atanh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic tangent."""
def bitwise_invert(x: ArrayLike) -> EmberTensor:
    """Every bit flipped; of bool, logical not."""
def cbrt(x: ArrayLike) -> EmberTensor:
    """Cube root."""
def ceil(x: ArrayLike) -> EmberTensor:
    """The next whole number up."""
def conj(x: ArrayLike) -> EmberTensor:
    """Complex conjugate."""
def cos(x: ArrayLike) -> EmberTensor:
    """Cosine."""
def cosh(x: ArrayLike) -> EmberTensor:
    """Hyperbolic cosine."""
def digamma(x: ArrayLike) -> EmberTensor:
    """The logarithmic derivative of the gamma function."""
def erf(x: ArrayLike) -> EmberTensor:
    """Error function."""
def erfc(x: ArrayLike) -> EmberTensor:
    """1 - erf(x), without cancellation."""
def erfinv(x: ArrayLike) -> EmberTensor:
    """Inverse error function."""
def exp(x: ArrayLike) -> EmberTensor:
    """e to the power x."""
def exp2(x: ArrayLike) -> EmberTensor:
    """2 to the power x."""
def expm1(x: ArrayLike) -> EmberTensor:
    """exp(x) - 1, exact near 0."""
def floor(x: ArrayLike) -> EmberTensor:
    """The next whole number down."""
def imag(x: ArrayLike) -> EmberTensor:
    """Imaginary part."""
def isfinite(x: ArrayLike) -> EmberTensor:
    """Neither infinite nor NaN."""
def isinf(x: ArrayLike) -> EmberTensor:
    """Positive or negative infinity."""
def isnan(x: ArrayLike) -> EmberTensor:
    """Not a number."""
def lgamma(x: ArrayLike) -> EmberTensor:
    """Logarithm of the absolute value of the gamma function."""
def log(x: ArrayLike) -> EmberTensor:
    """Natural logarithm."""
def log10(x: ArrayLike) -> EmberTensor:
    """Logarithm to base 10."""
def log1p(x: ArrayLike) -> EmberTensor:
    """log(1 + x), exact near 0."""
def log2(x: ArrayLike) -> EmberTensor:
    """Logarithm to base 2."""
def logical_not(x: ArrayLike) -> EmberTensor:
    """True where x is false or zero."""
def negative(x: ArrayLike) -> EmberTensor:
    """-x."""
def popcount(x: ArrayLike) -> EmberTensor:
    """The number of bits that are one."""
def count_zeros(x: ArrayLike) -> EmberTensor:
    """The number of bits that are zero."""
def positive(x: ArrayLike) -> EmberTensor:
    """x itself."""
def real(x: ArrayLike) -> EmberTensor:
    """Real part."""
def reciprocal(x: ArrayLike) -> EmberTensor:
    """1 / x."""
def round(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """Rounded to the given number of decimals, halves to even."""
def rsqrt(x: ArrayLike) -> EmberTensor:
    """1 / sqrt(x)."""
def sigmoid(x: ArrayLike) -> EmberTensor:
    """1 / (1 + exp(-x))."""
def sign(x: ArrayLike) -> EmberTensor:
    """-1, 0 or 1; of complex numbers x / |x|."""
def signbit(x: ArrayLike) -> EmberTensor:
    """True where the sign bit is set, also of -0.0 and NaN."""
def sin(x: ArrayLike) -> EmberTensor:
    """Sine."""
def sinh(x: ArrayLike) -> EmberTensor:
    """Hyperbolic sine."""
def sqrt(x: ArrayLike) -> EmberTensor:
    """Square root."""
def square(x: ArrayLike) -> EmberTensor:
    """x * x."""
def tan(x: ArrayLike) -> EmberTensor:
    """Tangent."""
def tanh(x: ArrayLike) -> EmberTensor:
    """Hyperbolic tangent."""
def trunc(x: ArrayLike) -> EmberTensor:
    """The whole number next towards zero."""
def angle(x: ArrayLike) -> EmberTensor:
    """The argument of a complex number, in radians."""
def deg2rad(x: ArrayLike) -> EmberTensor:
    """Degrees to radians."""
def rad2deg(x: ArrayLike) -> EmberTensor:
    """Radians to degrees."""
def sinc(x: ArrayLike) -> EmberTensor:
    """sin(pi x) / (pi x), 1 at 0."""
def add(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Sum."""
def subtract(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Difference."""
def multiply(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Product."""
def divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient; of integers in the default float."""
def maximum(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The larger of the two; NaN if either is."""
def minimum(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The smaller of the two; NaN if either is."""
def floor_divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient rounded down; of integers by zero, 0."""
def remainder(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder with the divisor's sign; of integers by zero, 0."""
def fmod(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder with the dividend's sign."""
def pow(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 to the power x2."""
def atan2(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The angle of the point (x2, x1)."""
def copysign(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 with the sign of x2."""
def hypot(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """sqrt(x1^2 + x2^2) without overflow."""
def logaddexp(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """log(exp(x1) + exp(x2)) without overflow."""
def nextafter(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The next number after x1 towards x2."""
def heaviside(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """0 for negative x1, x2 at 0, 1 for positive x1."""
def bitwise_and(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise and; of bool, logical and."""
def bitwise_or(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise or; of bool, logical or."""
def bitwise_xor(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise exclusive or."""
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / 2^x2, rounded down."""
def rotate_left(x: ArrayLike, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
    """The lower bits, or all, moved left; those pushed out come in on the right."""
def rotate_right(x: ArrayLike, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
    """The lower bits, or all, moved right; those pushed out come in on the left."""
def get_bit(x: ArrayLike, position: ArrayLike) -> EmberTensor:
    """The bit at a position, 0 or 1."""
def set_bit(x: ArrayLike, position: ArrayLike, value: ArrayLike) -> EmberTensor:
    """The bit at a position set to value."""
def toggle_bit(x: ArrayLike, position: ArrayLike) -> EmberTensor:
    """The bit at a position flipped."""
def logical_and(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Both are true."""
def logical_or(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """At least one is true."""
def logical_xor(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Exactly one is true."""
def equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 == x2."""
def not_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 != x2."""
def less(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 < x2."""
def less_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 <= x2."""
def greater(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 > x2."""
def greater_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 >= x2."""
def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 where the condition holds, x2 elsewhere."""
def clip(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
    """x held between two bounds."""
def lerp(a: ArrayLike, b: ArrayLike, weight: ArrayLike) -> EmberTensor:
    """a + (b - a) * weight."""
def nan_to_num(x: ArrayLike, nan: Number = 0.0, posinf: Number | None = None, neginf: Number | None = None) -> EmberTensor:
    """NaN and infinities replaced by numbers."""
def isclose(a: ArrayLike, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
    """True where |a - b| <= atol + rtol * |b|."""
def allclose(a: ArrayLike, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
    """True if isclose holds everywhere."""
def array_equal(a: ArrayLike, b: ArrayLike, equal_nan: builtins.bool = False) -> EmberTensor:
    """True if shapes and all elements are equal."""
def sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum over axes; of small integers in 64 bits."""
def prod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Product over axes; of small integers in 64 bits."""
def mean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Arithmetic mean over axes; of integers in the default float."""
def var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes; correction is subtracted from the count."""
def std(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes."""
def max(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if there is one."""
def min(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if there is one."""
def all(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if all elements over axes are true or nonzero."""
def any(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if any element over axes is true or nonzero."""
def count_nonzero(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The number of elements that are not zero."""
def logsumexp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(sum(exp(x))) over axes, without overflow."""
def argmax(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first largest element along an axis, or in the flattened tensor."""
def argmin(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first smallest element along an axis, or in the flattened tensor."""
def cumulative_sum(x: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False, reverse: builtins.bool = False, exclusive: builtins.bool = False) -> EmberTensor:
    """Running sum along an axis."""
def cumulative_prod(x: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False) -> EmberTensor:
    """Running product along an axis."""
def cumsum(x: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False, reverse: builtins.bool = False, exclusive: builtins.bool = False) -> EmberTensor:
    """Running sum along an axis, or of the flattened tensor."""
def cumprod(x: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False) -> EmberTensor:
    """Running product along an axis, or of the flattened tensor."""
def cummax(x: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Running maximum along an axis."""
def cummin(x: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Running minimum along an axis."""
def logcumsumexp(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Running log(sum(exp(x))) along an axis."""
def sort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Elements in order along an axis, NaN last."""
def argsort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Indices that would sort x along an axis."""
def topk(x: ArrayLike, k: SupportsIndex, axis: SupportsIndex = -1, largest: builtins.bool = True) -> topk_result:
    """The k largest or smallest elements along an axis, in order, and their indices."""
def searchsorted(x1: ArrayLike, x2: ArrayLike, side: builtins.str = 'left', sorter: ArrayLike | None = None) -> EmberTensor:
    """Where x2's elements would be put into the sorted x1."""
def nonzero(x: ArrayLike) -> builtins.tuple[EmberTensor, ...]:
    """The indices of the elements that are not zero, one vector for each axis."""
def argwhere(x: ArrayLike) -> EmberTensor:
    """The indices of the elements that are not zero, one row for each."""
def unique_all(x: ArrayLike) -> unique_all_result:
    """The distinct elements in order, where each first appears, which of them each element is, and how often each appears."""
def unique_counts(x: ArrayLike) -> unique_counts_result:
    """The distinct elements in order and how often each appears."""
def unique_inverse(x: ArrayLike) -> unique_inverse_result:
    """The distinct elements in order and which of them each element is."""
def unique_values(x: ArrayLike) -> EmberTensor:
    """The distinct elements in order; every NaN is distinct."""
def isin(x1: ArrayLike, x2: ArrayLike, invert: builtins.bool = False) -> EmberTensor:
    """True where an element of x1 is among those of x2."""
def median(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The middle element over axes, or the mean of the two; NaN if there is one."""
def quantile(x: ArrayLike, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
    """Quantiles q, 0 to 1, over axes by linear, lower, higher, midpoint or nearest; q's axes come first."""
def percentile(x: ArrayLike, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
    """Quantiles for q from 0 to 100."""
def diff(x: ArrayLike, n: SupportsIndex = 1, axis: SupportsIndex = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> EmberTensor:
    """Differences of neighbours along an axis, n times over."""
def histogram(x: ArrayLike, bins: SupportsIndex = 10, low: Number | None = None, high: Number | None = None, weights: ArrayLike | None = None, density: builtins.bool = False) -> histogram_result:
    """Counts in bins of equal width, and the bins' edges."""
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> EmberTensor:
    """How often each whole number from 0 up appears, or the sum of its weights."""
def digitize(x: ArrayLike, bins: ArrayLike, right: builtins.bool = False) -> EmberTensor:
    """The bin each element falls into; bins rise or fall, right closes them at that end."""
def nansum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum over axes, NaN left out."""
def nanprod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Product over axes, NaN left out."""
def nanmean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Mean over axes, NaN left out."""
def nanvar(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes, NaN left out."""
def nanstd(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes, NaN left out."""
def nanmax(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes, NaN left out; NaN if there is nothing else."""
def nanmin(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes, NaN left out; NaN if there is nothing else."""
def nanmedian(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The middle element over axes, NaN left out."""
def nanargmax(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first largest element, NaN left out."""
def nanargmin(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first smallest element, NaN left out."""
def cov(x: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True, ddof: Number = 1.0) -> EmberTensor:
    """Covariance matrix of variables, one in each row, or each column."""
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True) -> EmberTensor:
    """Correlation coefficients of variables, one in each row, or each column."""
def gaussian(x: ArrayLike, mu: ArrayLike = 0.0, sigma: ArrayLike = 1.0) -> EmberTensor:
    """The density of the normal distribution."""
def reduce_l1(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum of absolute values over axes."""
def reduce_l2(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Root of the sum of squares over axes."""
def reduce_log_sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Logarithm of the sum over axes."""
def reduce_sum_square(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum of squares over axes."""
def ptp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest less smallest element over axes."""
def average(x: ArrayLike, axis: Ints | None = None, weights: ArrayLike | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Mean over axes, weighted if weights of x's shape, or of the axes', are given."""
@overload
def reshape(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
    """The same elements in another shape; one dimension may be -1."""
@overload
def reshape(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
@overload
def transpose(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """Axes in another order; without axes, reversed."""
@overload
def transpose(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
@overload
def permute_dims(x: ArrayLike, axes: Ints) -> EmberTensor:
    """Axes in another order."""
@overload
def permute_dims(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
def matrix_transpose(x: ArrayLike) -> EmberTensor:
    """The last two axes swapped."""
@overload
def moveaxis(x: ArrayLike, source: Ints, destination: Ints) -> EmberTensor:
    """Axes moved to other places, the rest kept in order."""
@overload
def moveaxis(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
def swapaxes(x: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
    """Two axes swapped."""
def squeeze(x: ArrayLike, axis: Ints | None = None) -> EmberTensor:
    """Axes of length 1 removed."""
@overload
def expand_dims(x: ArrayLike, axis: Ints = [0]) -> EmberTensor:
    """New axes of length 1."""
@overload
def expand_dims(x: ArrayLike, *axis: SupportsIndex) -> EmberTensor: ...
@overload
def broadcast_to(x: ArrayLike, shape: Ints) -> EmberTensor:
    """x repeated along its axes of length 1, and new ones in front, to a shape."""
@overload
def broadcast_to(x: ArrayLike, *shape: SupportsIndex) -> EmberTensor: ...
def broadcast_arrays(*arrays: ArrayLike | Tensors) -> builtins.tuple[EmberTensor, ...]:
    """All arrays broadcast to their common shape."""
def broadcast_shapes(*shapes: Ints) -> builtins.tuple[builtins.int, ...]:
    """The common shape that shapes broadcast to."""
def concat(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays joined along an axis; without one, flattened first."""
def stack(arrays: Tensors, axis: SupportsIndex = 0) -> EmberTensor:
    """Arrays joined along a new axis."""
def hstack(arrays: Tensors) -> EmberTensor:
    """Arrays joined along the second axis; of vectors the first."""
def vstack(arrays: Tensors) -> EmberTensor:
    """Arrays joined along the first axis, vectors as rows."""
def dstack(arrays: Tensors) -> EmberTensor:
    """Arrays joined along the third axis."""
def unstack(x: ArrayLike, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """The parts along an axis, without that axis."""
def split(x: ArrayLike, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Equal parts along an axis, or, given a list, parts cut at those positions."""
def array_split(x: ArrayLike, sections: SupportsIndex, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Parts along an axis whose lengths differ by at most one."""
@overload
def tile(x: ArrayLike, repetitions: Ints) -> EmberTensor:
    """x repeated as a whole along its axes."""
@overload
def tile(x: ArrayLike, *repetitions: SupportsIndex) -> EmberTensor: ...
def repeat(x: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Each element repeated along an axis; without one, of the flattened tensor."""
def flip(x: ArrayLike, axis: Ints | None = None) -> EmberTensor:
    """The order of elements reversed along axes."""
def roll(x: ArrayLike, shift: Ints, axis: Ints | None = None) -> EmberTensor:
    """Elements shifted along axes, those pushed out come in at the other end."""
def rot90(x: ArrayLike, k: SupportsIndex = 1, axes: Ints = [0, 1]) -> EmberTensor:
    """Rotated by k quarter turns in the plane of two axes."""
def pad(x: ArrayLike, pad_width: Ints, mode: builtins.str = 'constant', value: ArrayLike = 0) -> EmberTensor:
    """Elements added around x: a constant, or x's own by edge, reflect, symmetric or wrap."""
def flatten(x: ArrayLike) -> EmberTensor:
    """All elements in one axis."""
def atleast_nd(x: ArrayLike, ndim: SupportsIndex) -> EmberTensor:
    """Axes of length 1 put in front until there are ndim."""
def diagonal(x: ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = -2, axis2: SupportsIndex = -1) -> EmberTensor:
    """Diagonals of matrices, as the last axis."""
def as_strided(x: ArrayLike, shape: Ints, strides: Ints, offset: SupportsIndex = 0) -> EmberTensor:
    """The contiguous x read with other strides, in elements."""
def windows(x: ArrayLike, window: Ints, step: Ints = [1], axis: Ints | None = None) -> EmberTensor:
    """Sliding windows along axes, the windows' own axes last."""
def frame(x: ArrayLike, frame_length: SupportsIndex, hop_length: SupportsIndex, axis: SupportsIndex = -1) -> EmberTensor:
    """An axis cut into frames that start every hop_length elements."""
def slice(x: ArrayLike, starts: Ints, stops: Ints, steps: Ints | None = None, axes: Ints | None = None) -> EmberTensor:
    """x[start:stop:step] along each of the axes."""
def take(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Elements or slices of x at indices along an axis; without one, of the flattened tensor."""
def take_along_axis(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices that match it beside the axis."""
def gather(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
    """Slices of x at indices along an axis."""
def gather_nd(x: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Elements or slices of x at tuples of indices, the last axis of indices."""
def scatter(values: ArrayLike, indices: ArrayLike, dim_size: Any | None = None, aggr: builtins.str = 'add', axis: SupportsIndex = 0) -> EmberTensor:
    """Values collected into buckets by index: add, mean, max, min or mul, 0 where none falls, or the softmax within each bucket."""
def scatter_add(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """The sum of the values of each index."""
def scatter_max(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """The largest of the values of each index, 0 where there is none."""
def scatter_min(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """The smallest of the values of each index, 0 where there is none."""
def scatter_softmax(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """The softmax of the values within those of the same index."""
def scatter_mean(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """The mean of the values of each index."""
def scatter_elements(x: ArrayLike, indices: ArrayLike, updates: ArrayLike, axis: SupportsIndex = 0, reduction: builtins.str = 'set') -> EmberTensor:
    """x with updates set, added, multiplied, or taken the max or min of, at indices along an axis."""
def scatter_nd(x: ArrayLike, indices: ArrayLike, updates: ArrayLike, reduction: builtins.str = 'set') -> EmberTensor:
    """x with updates set, added, multiplied, or taken the max or min of, at tuples of indices."""
def tensor_scatter_nd_update(x: ArrayLike, indices: ArrayLike, updates: ArrayLike) -> EmberTensor:
    """x with updates set at tuples of indices."""
@overload
def slice_tensor(x: ArrayLike, starts: Ints, sizes: Ints) -> EmberTensor:
    """The part of x that begins at starts; a size of -1 goes to the end."""
@overload
def slice_tensor(x: ArrayLike, starts: Ints, *sizes: SupportsIndex) -> EmberTensor: ...
def index_add(x: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
    """x with values added at indices along an axis."""
def put_along_axis(x: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """x with values set at indices that match it beside the axis."""
def segment_sum(x: ArrayLike, segment_ids: ArrayLike, num_segments: SupportsIndex | None = None) -> EmberTensor:
    """The sum of the slices of each segment."""
def embedding(weight: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Rows of a table at indices."""
def masked_select(x: ArrayLike, mask: ArrayLike) -> EmberTensor:
    """The elements where the mask is true, in one axis."""
def masked_fill(x: ArrayLike, mask: ArrayLike, value: ArrayLike) -> EmberTensor:
    """x with a value where the mask is true."""
def matmul(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
def dot(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Sum of products over the last axis of a and the last but one of b; with a scalar, the product."""
def inner(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Sum of products over the last axes."""
def outer(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Every element of x1 times every element of x2, both flattened."""
def vecdot(x1: ArrayLike, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Sum of products along an axis, x1 conjugated."""
def tensordot(x1: ArrayLike, x2: ArrayLike, axes: Any = 2) -> EmberTensor:
    """Sum of products over several axes: the last of x1 and the first of x2, or two lists of axes."""
def einsum(equation: builtins.str, *operands: ArrayLike | Tensors) -> EmberTensor:
    """Products summed as an equation of letters for axes says, in a cheap order."""
def kron(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Kronecker product: b scaled by each element of a."""
def cross(x1: ArrayLike, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Cross product of vectors of three elements along an axis."""
def multi_dot(arrays: Tensors) -> EmberTensor:
    """Product of several matrices in the cheapest order."""
def gemm(a: ArrayLike, b: ArrayLike, c: ArrayLike | None = None, alpha: Number = 1, beta: Number = 1, a_transpose: builtins.bool = False, b_transpose: builtins.bool = False) -> EmberTensor:
    """alpha * a @ b + beta * c, a and b transposed if asked."""
def trace(x: ArrayLike, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum of a diagonal of matrices."""
def cholesky(x: ArrayLike, upper: builtins.bool = False) -> EmberTensor:
    """The triangular factor of symmetric or Hermitian positive definite matrices."""
def det(x: ArrayLike) -> EmberTensor:
    """Determinants of square matrices."""
def slogdet(x: ArrayLike) -> slogdet_result:
    """Sign and logarithm of the absolute value of determinants."""
def eig(x: ArrayLike) -> eig_result:
    """Eigenvalues and eigenvectors of square matrices, complex."""
def eigh(x: ArrayLike, upper: builtins.bool = False) -> eigh_result:
    """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices, of which one triangle is read."""
def eigvals(x: ArrayLike) -> EmberTensor:
    """Eigenvalues of square matrices, complex."""
def eigvalsh(x: ArrayLike, upper: builtins.bool = False) -> EmberTensor:
    """Eigenvalues of symmetric or Hermitian matrices, ascending."""
def inv(x: ArrayLike) -> EmberTensor:
    """Inverses of square matrices."""
def pinv(x: ArrayLike, rtol: ArrayLike | None = None) -> EmberTensor:
    """Pseudo-inverses; singular values up to rtol times the largest count as zero."""
def qr(x: ArrayLike, mode: builtins.str = 'reduced') -> qr_result:
    """Orthogonal and upper triangular factors, reduced or complete."""
def solve(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The solution of x1 @ x = x2; x2 is a vector only if it has one dimension."""
def solve_triangular(a: ArrayLike, b: ArrayLike, upper: builtins.bool = False, unit_diagonal: builtins.bool = False, transposed: builtins.bool = False) -> EmberTensor:
    """The solution of a @ x = b for a triangular a, of which one triangle is read."""
def svd(x: ArrayLike, full_matrices: builtins.bool = True, compute_uv: builtins.bool = True) -> svd_result:
    """Singular value decomposition: u, the singular values, descending, and the adjoint of v; or the values alone."""
def svdvals(x: ArrayLike) -> EmberTensor:
    """Singular values, descending."""
def lu(x: ArrayLike) -> lu_result:
    """Row order p, lower and upper triangular factors with x[p] = l @ u."""
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Number | None = None) -> lstsq_result:
    """Least squares: solution, residuals, rank and singular values."""
def matrix_power(x: ArrayLike, n: SupportsIndex) -> EmberTensor:
    """Square matrices multiplied by themselves n times; inverted for negative n."""
def matrix_rank(x: ArrayLike, rtol: ArrayLike | None = None) -> EmberTensor:
    """The number of singular values above rtol times the largest."""
def matrix_norm(x: ArrayLike, ord: Any = 'fro', keepdims: builtins.bool = False) -> EmberTensor:
    """Norms of matrices: fro, nuc, inf, -inf, 1, -1, 2 or -2."""
def vector_norm(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, ord: Number = 2.0) -> EmberTensor:
    """The norm of vectors along axes: sum(|x|^ord)^(1/ord), and its limits for inf, -inf and 0."""
def norm(x: ArrayLike, ord: Any | None = None, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """A vector norm over one axis or a matrix norm over two; without ord, the root of the sum of squares."""
def expm(x: ArrayLike) -> EmberTensor:
    """The exponential of square matrices."""
def orthogonal(shape: Ints, gain: Number = 1.0, dtype: DTypeLike | None = None, seed: SupportsIndex | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A random orthogonal matrix, its columns the product of all dimensions but the first."""
def cond(x: ArrayLike) -> EmberTensor:
    """Condition numbers: the largest singular value over the smallest."""
def fft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along an axis."""
def ifft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along an axis."""
def rfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers, its first half."""
def irfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Real numbers from the first half of their Fourier transform."""
def hfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of numbers with Hermitian symmetry, of which half are given."""
def ihfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse of hfft."""
def fftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along several axes."""
def ifftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along several axes."""
def rfftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers along several axes, half of the last."""
def irfftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Real numbers from their Fourier transform along several axes."""
def fft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along two axes."""
def ifft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along two axes."""
def rfft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers along two axes, half of the last."""
def irfft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Real numbers from their Fourier transform along two axes."""
def fftfreq(n: SupportsIndex, d: Number = 1.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """The frequencies of fft's elements, d the spacing of samples."""
def rfftfreq(n: SupportsIndex, d: Number = 1.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """The frequencies of rfft's elements, d the spacing of samples."""
def fftshift(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """The zero frequency moved to the middle."""
def ifftshift(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """The zero frequency moved back to the front."""
def hann_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hann's window, a raised cosine."""
def hamming_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hamming's window, a cosine on a step."""
def blackman_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Blackman's window, a sum of two cosines."""
def bartlett_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Bartlett's window, a triangle."""
def kaiser_window(n: SupportsIndex, beta: Number = 12.0, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Kaiser's window, its shape given by beta."""
def overlap_add(frames: ArrayLike, hop_length: SupportsIndex) -> EmberTensor:
    """A signal from frames that start every hop_length elements, added up."""
def stft(x: ArrayLike, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """Fourier transforms of short pieces, [frequency, frame]; hop_length is n_fft / 4 and the window Hann's if left out; without n_fft, x holds frames already cut and weighed."""
def istft(x: ArrayLike, length: SupportsIndex | None = None, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """The signal from its short-time Fourier transform."""
def spectrogram(x: ArrayLike, power: Number = 2.0, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """The absolute values of the short-time Fourier transform to a power."""
def mel_filter_bank(n_mels: SupportsIndex, n_fft: SupportsIndex, sample_rate: Number, low: Number = 0.0, high: Number | None = None, dtype: DTypeLike | None = None) -> EmberTensor:
    """Triangular filters on Slaney's mel scale, each of area 1: [n_mels, n_fft / 2 + 1]."""
def convolve(a: ArrayLike, v: ArrayLike, mode: builtins.str = 'full') -> EmberTensor:
    """Convolution of two sequences: full, same or valid."""
def correlate(a: ArrayLike, v: ArrayLike, mode: builtins.str = 'valid') -> EmberTensor:
    """Correlation of two sequences, v conjugated: full, same or valid."""
def relu(x: ArrayLike) -> EmberTensor:
    """x where positive, 0 elsewhere."""
def relu6(x: ArrayLike) -> EmberTensor:
    """x held between 0 and 6."""
def hard_sigmoid(x: ArrayLike, alpha: Number = 0.2, beta: Number = 0.5) -> EmberTensor:
    """alpha * x + beta, held between 0 and 1."""
def softmax(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """exp(x) divided by its sum along an axis."""
def log_softmax(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Logarithm of softmax, without overflow."""
def softplus(x: ArrayLike, beta: Number = 1) -> EmberTensor:
    """log(1 + exp(beta * x)) / beta."""
def softsign(x: ArrayLike) -> EmberTensor:
    """x / (1 + |x|)."""
def gelu(x: ArrayLike, approximate: builtins.str = 'none') -> EmberTensor:
    """x times the normal distribution function of x; approximate: none or tanh."""
def silu(x: ArrayLike) -> EmberTensor:
    """x * sigmoid(x)."""
def elu(x: ArrayLike, alpha: Number = 1) -> EmberTensor:
    """x where positive, alpha * (exp(x) - 1) elsewhere."""
def selu(x: ArrayLike) -> EmberTensor:
    """Scaled elu with the constants that keep variance."""
def celu(x: ArrayLike, alpha: Number = 1) -> EmberTensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def leaky_relu(x: ArrayLike, alpha: Number = 0.01) -> EmberTensor:
    """x where positive, alpha * x elsewhere."""
def prelu(x: ArrayLike, slope: ArrayLike) -> EmberTensor:
    """x where positive, slope * x elsewhere."""
def mish(x: ArrayLike) -> EmberTensor:
    """x * tanh(softplus(x))."""
def hardswish(x: ArrayLike) -> EmberTensor:
    """x * (min(max(x + 3, 0), 6) / 6)."""
def hardtanh(x: ArrayLike, low: Number = -1, high: Number = 1) -> EmberTensor:
    """x held between low and high."""
def threshold(x: ArrayLike, threshold: Number, value: Number = 0) -> EmberTensor:
    """value up to the threshold, x above it."""
def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None) -> EmberTensor:
    """x @ weight.T + bias."""
def glu(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """The first half times the sigmoid of the second half."""
def tanhshrink(x: ArrayLike) -> EmberTensor:
    """x - tanh(x)."""
def hardshrink(x: ArrayLike, lambd: Number = 0.5) -> EmberTensor:
    """0 where |x| <= lambd, x elsewhere."""
def softshrink(x: ArrayLike, lambd: Number = 0.5) -> EmberTensor:
    """x moved towards 0 by lambda, 0 where it would cross."""
def logsigmoid(x: ArrayLike) -> EmberTensor:
    """Logarithm of the sigmoid, without overflow."""
def conv1d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Convolution over 1 axes, without mirroring the filter."""
def conv_transpose1d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Transposed convolution over 1 axes: the gradient of a convolution by its input."""
def conv2d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Convolution over 2 axes, without mirroring the filter."""
def conv_transpose2d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Transposed convolution over 2 axes: the gradient of a convolution by its input."""
def conv3d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Convolution over 3 axes, without mirroring the filter."""
def conv_transpose3d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Transposed convolution over 3 axes: the gradient of a convolution by its input."""
def max_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The largest element of each window over 1 axes."""
def average_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The mean of each window over 1 axes."""
def l2_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The square root of the sum of squares of each window over 1 axes."""
def max_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The largest element of each window over 2 axes."""
def average_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The mean of each window over 2 axes."""
def l2_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The square root of the sum of squares of each window over 2 axes."""
def max_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The largest element of each window over 3 axes."""
def average_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The mean of each window over 3 axes."""
def l2_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """The square root of the sum of squares of each window over 3 axes."""
@overload
def adaptive_average_pool(x: ArrayLike, output_size: Ints) -> EmberTensor:
    """The means of as many windows along the last axes as output_size says."""
@overload
def adaptive_average_pool(x: ArrayLike, *output_size: SupportsIndex) -> EmberTensor: ...
@overload
def adaptive_max_pool(x: ArrayLike, output_size: Ints) -> EmberTensor:
    """The largest elements of as many windows along the last axes as output_size says."""
@overload
def adaptive_max_pool(x: ArrayLike, *output_size: SupportsIndex) -> EmberTensor: ...
def global_average_pool(x: ArrayLike, layout: builtins.str = 'nchw') -> EmberTensor:
    """The mean over all spatial axes, which are kept with length 1."""
def global_max_pool(x: ArrayLike, layout: builtins.str = 'nchw') -> EmberTensor:
    """The largest element over all spatial axes, which are kept with length 1."""
def pixel_shuffle(x: ArrayLike, factor: SupportsIndex) -> EmberTensor:
    """Channels spread over an image that is larger by a factor."""
def pixel_unshuffle(x: ArrayLike, factor: SupportsIndex) -> EmberTensor:
    """Blocks of an image gathered into channels."""
def resample(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
def grid_sample(x: ArrayLike, grid: ArrayLike, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> EmberTensor:
    """Images sampled at the places of a grid whose coordinates run from -1 to 1."""
def batch_norm(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axis: SupportsIndex = 1, eps: Number = 1e-05) -> EmberTensor:
    """x less the mean, divided by the square root of the variance, both given to each channel."""
def layer_norm(x: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
    """x less its mean over axes, divided by its standard deviation."""
def rms_norm(x: ArrayLike, scale: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
    """x divided by the root of its mean square over axes."""
def group_norm(x: ArrayLike, groups: SupportsIndex, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05) -> EmberTensor:
    """Normalization over groups of channels of each sample."""
def instance_norm(x: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05, layout: builtins.str = 'nchw') -> EmberTensor:
    """Normalization over the spatial axes of each sample and channel."""
def dropout(x: ArrayLike, p: Number = 0.5, training: builtins.bool = True) -> EmberTensor:
    """Elements set to 0 with probability p, the others divided by 1 - p."""
def scaled_dot_product_attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, causal: builtins.bool = False, scale: Number | None = None) -> EmberTensor:
    """softmax(query @ key.T * scale + mask) @ value; a bool mask is true where a query may attend."""
def rope(x: ArrayLike, positions: ArrayLike | None = None, base: Number = 10000, interleaved: builtins.bool = False) -> EmberTensor:
    """Rotary position embedding: pairs of features turned by angles that grow with the position."""
def lstm(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Long short-term memory over a sequence: the last hidden and cell state, and every hidden state."""
def lstm_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, cell: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """One step of a long short-term memory: the next hidden and cell state."""
def gru(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Gated recurrent unit over a sequence: the last hidden state, and every one."""
def gru_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
    """One step of a gated recurrent unit: the next hidden state."""
def rnn(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Recurrent network over a sequence: the last hidden state, and every one."""
def rnn_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
    """One step of a recurrent network: the next hidden state."""
def quantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
    """round(x / scale) + zero_point, held within the dtype of zero_point."""
def dequantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
    """(x - zero_point) * scale."""
def mse_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The squared difference."""
def mae_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The absolute difference."""
def huber_loss(prediction: ArrayLike, target: ArrayLike, delta: Number = 1, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Half the squared difference up to delta, linear beyond."""
def log_cosh_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The logarithm of the hyperbolic cosine of the difference."""
def binary_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities, or logits, of yes and no."""
def categorical_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities, or logits, with a distribution."""
def sparse_categorical_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities, or logits, with the number of a class."""
def binary_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """binary_cross_entropy with the target first, its mean over axes."""
def categorical_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """categorical_cross_entropy over the last axis with the target first, its mean over axes."""
def sparse_categorical_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """sparse_categorical_cross_entropy over the last axis with the target first, its mean over axes."""
def nll_loss(log_probabilities: ArrayLike, target: ArrayLike, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Minus the logarithm of the probability of the target's class."""
def kl_div_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean') -> EmberTensor:
    """target * (log(target) - prediction), the prediction being logarithms of probabilities."""
def ctc_loss(log_probabilities: ArrayLike, targets: ArrayLike, input_lengths: ArrayLike, target_lengths: ArrayLike, blank: SupportsIndex = 0, reduction: builtins.str = 'mean') -> EmberTensor:
    """Minus the logarithm of the probability of label sequences over all alignments."""
def contrastive_loss(a: ArrayLike, b: ArrayLike, target: ArrayLike, margin: Number = 1, reduction: builtins.str = 'mean') -> EmberTensor:
    """The squared distance of pairs whose target is 1, the squared lack of distance up to margin of others."""
def cosine_embedding_loss(a: ArrayLike, b: ArrayLike, target: ArrayLike, margin: Number = 0, reduction: builtins.str = 'mean') -> EmberTensor:
    """1 - cosine of pairs whose target is 1, the cosine above margin of others."""
def cosine_similarity(a: ArrayLike, b: ArrayLike, axis: SupportsIndex = -1, eps: Number = 1e-08) -> EmberTensor:
    """The cosine of the angle between vectors along an axis."""
def euclidean_distance(a: ArrayLike, b: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """The length of the difference of vectors along an axis."""
def pairwise_distance(a: ArrayLike, b: ArrayLike | None = None, p: Number = 2) -> EmberTensor:
    """The distance of each point of a to each of b, by the p-norm."""
def normalize_vector(x: ArrayLike, axis: SupportsIndex | None = -1, eps: Number = 1e-12) -> EmberTensor:
    """Vectors along an axis, or the whole tensor, divided by their length."""
def seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Starts the process's generator anew."""
def get_seed(*, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.int:
    """What the generator was started with."""
@overload
def random_bits(shape: Ints, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Random 32-bit words (uint32)."""
@overload
def random_bits(*shape: SupportsIndex, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def random_uniform(shape: Ints, low: Number = 0, high: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Uniform numbers, low included, high not."""
def random_normal(shape: Ints, mean: Number = 0, stddev: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Normally distributed numbers."""
def truncated_normal(shape: Ints, mean: Number = 0, stddev: Number = 1, low: Number = -2, high: Number = 2, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Normal numbers kept within low and high standard deviations."""
def random_bernoulli(shape: Ints, p: ArrayLike = 0.5, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """True with probability p."""
def random_binomial(shape: Ints, p: Number = 0.5, n: SupportsIndex = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """The number of successes in n trials."""
def random_categorical(logits: ArrayLike, num_samples: SupportsIndex = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with probabilities softmax(logits) along the last axis."""
def random_multinomial(probabilities: ArrayLike, num_samples: SupportsIndex = 1, replacement: builtins.bool = True, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with given probabilities along the last axis."""
def random_gamma(shape: Ints, alpha: Number = 1, beta: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Gamma-distributed numbers; beta is the rate."""
def random_beta(shape: Ints, a: Number, b: Number, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Beta-distributed numbers."""
def random_exponential(shape: Ints, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Exponentially distributed numbers."""
def random_poisson(shape: Ints, rate: Number = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Poisson-distributed counts."""
def random_laplace(shape: Ints, loc: Number = 0, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Laplace-distributed numbers."""
def random_gumbel(shape: Ints, loc: Number = 0, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Gumbel-distributed numbers."""
def random_integers(shape: Ints, low: SupportsIndex, high: SupportsIndex, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Integers, low included, high not."""
def random_permutation(x: ArrayLike, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """The entries along an axis in random order; an integer n means arange(n)."""
def shuffle(x: ArrayLike, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """The entries along an axis in random order."""
@overload
def choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Elements drawn from a vector."""
@overload
def choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def compute_energy_stability(input_wave: ArrayLike, window_size: SupportsIndex = 100) -> EmberTensor:
    """1 / (1 + variance / mean) of the energies of consecutive windows; 1 of less than two."""
def compute_interference_strength(input_wave1: ArrayLike, input_wave2: ArrayLike) -> EmberTensor:
    """The correlation of two waves times 1 - their mean difference in phase, in half turns."""
def compute_phase_coherence(input_wave1: ArrayLike, input_wave2: ArrayLike, freq_range: Sequence[Number] | None = None) -> EmberTensor:
    """How alike the differences in phase of two waves are over the frequencies: 1 where all are the same."""
def partial_interference(input_wave1: ArrayLike, input_wave2: ArrayLike, window_size: SupportsIndex = 100) -> EmberTensor:
    """compute_interference_strength in each window of two waves."""
def exponential_decay(initial_value: ArrayLike, decay_rate: ArrayLike, time_step: ArrayLike | None = None) -> EmberTensor:
    """initial_value * exp(-decay_rate * time_step); without it, entry i is at time i."""
def binary_wave_interference(waves: Tensors, mode: builtins.str = 'xor') -> EmberTensor:
    """Waves of bits joined by xor, and, or or."""
def binary_wave_propagate(wave: ArrayLike, shift: ArrayLike) -> EmberTensor:
    """Bits moved left, or right by a negative shift."""
def create_duty_cycle(length: SupportsIndex, duty_cycle: Number) -> EmberTensor:
    """Ones up to a part of the length, zeros from there on (int32)."""
def generate_blocky_sin(length: SupportsIndex, half_period: SupportsIndex) -> EmberTensor:
    """Ones and zeros in turn, half a period of each (int32)."""
def binary_split(a: SupportsIndex, b: SupportsIndex) -> binary_split_result:
    """The factors of the Chudnovsky series for pi over the terms from a to b, float64."""
def shape(x: ArrayLike) -> builtins.tuple[builtins.int, ...]:
    """The length of each axis."""
def ndim(x: ArrayLike) -> builtins.int:
    """The number of axes."""
def size(x: ArrayLike) -> builtins.int:
    """The number of elements."""
def device(x: ArrayLike) -> builtins.str:
    """Where the memory is."""
def backend(x: ArrayLike) -> builtins.str:
    """The engine that computes it."""
def strides(x: ArrayLike) -> builtins.tuple[builtins.int, ...]:
    """Steps between neighbours along each axis, in elements."""
def nbytes(x: ArrayLike) -> builtins.int:
    """The number of bytes of all elements."""
def item(x: ArrayLike) -> Any:
    """The single element as a number."""
def tolist(x: ArrayLike) -> Any:
    """The elements as nested lists of numbers."""
def can_cast(from_: DTypeLike, to: DTypeLike) -> builtins.bool:
    """True if every value of one dtype has its place in the other."""
def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that an op on these arrays, dtypes and numbers gives."""
def isdtype(dtype: DTypeLike, kind: Any) -> builtins.bool:
    """True if a dtype is of a kind: bool, signed integer, unsigned integer, integral, real floating, complex floating or numeric; or one of several."""
def absolute(x: ArrayLike) -> EmberTensor:
    """Absolute value; of complex numbers the modulus."""
def arccos(x: ArrayLike) -> EmberTensor:
    """Inverse cosine."""
def arccosh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic cosine."""
def arcsin(x: ArrayLike) -> EmberTensor:
    """Inverse sine."""
def arcsinh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic sine."""
def arctan(x: ArrayLike) -> EmberTensor:
    """Inverse tangent."""
def arctan2(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """The angle of the point (x2, x1)."""
def arctanh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic tangent."""
def amax(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if there is one."""
def amin(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if there is one."""
def bitwise_count(x: ArrayLike) -> EmberTensor:
    """The number of bits that are one."""
def bitwise_not(x: ArrayLike) -> EmberTensor:
    """Every bit flipped; of bool, logical not."""
def cast(x: ArrayLike, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
    """x in another dtype."""
def clamp(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
    """x held between two bounds."""
def concatenate(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays joined along an axis; without one, flattened first."""
def conjugate(x: ArrayLike) -> EmberTensor:
    """Complex conjugate."""
def count_ones(x: ArrayLike) -> EmberTensor:
    """The number of bits that are one."""
def degrees(x: ArrayLike) -> EmberTensor:
    """Radians to degrees."""
def div(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient; of integers in the default float."""
@overload
def expand(x: ArrayLike, shape: Ints) -> EmberTensor:
    """x repeated along its axes of length 1, and new ones in front, to a shape."""
@overload
def expand(x: ArrayLike, *shape: SupportsIndex) -> EmberTensor: ...
def floordiv(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient rounded down; of integers by zero, 0."""
def floor_div(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient rounded down; of integers by zero, 0."""
def gather_elements(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices that match it beside the axis."""
def invert(x: ArrayLike) -> EmberTensor:
    """Every bit flipped; of bool, logical not."""
def left_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
def lookup(weight: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Rows of a table at indices."""
def mod(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder with the divisor's sign; of integers by zero, 0."""
def mul(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Product."""
def nanstdev(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes, NaN left out."""
def neg(x: ArrayLike) -> EmberTensor:
    """-x."""
@overload
def permute(x: ArrayLike, axes: Ints) -> EmberTensor:
    """Axes in another order."""
@overload
def permute(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
def power(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 to the power x2."""
def radians(x: ArrayLike) -> EmberTensor:
    """Degrees to radians."""
def ravel(x: ArrayLike) -> EmberTensor:
    """All elements in one axis."""
def reduce_all(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if all elements over axes are true or nonzero."""
def reduce_any(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if any element over axes is true or nonzero."""
def reduce_logsumexp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(sum(exp(x))) over axes, without overflow."""
def reduce_max(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if there is one."""
def reduce_mean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Arithmetic mean over axes; of integers in the default float."""
def reduce_min(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if there is one."""
def reduce_prod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Product over axes; of small integers in 64 bits."""
def reduce_std(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes."""
def reduce_sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum over axes; of small integers in 64 bits."""
def reduce_var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes; correction is subtracted from the count."""
def resample2d(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
def right_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / 2^x2, rounded down."""
def shift_left(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
def shift_right(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / 2^x2, rounded down."""
def sub(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Difference."""
def swish(x: ArrayLike) -> EmberTensor:
    """x * sigmoid(x)."""
def true_divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Quotient; of integers in the default float."""
def unique(x: ArrayLike) -> EmberTensor:
    """The distinct elements in order; every NaN is distinct."""
def hann(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hann's window, a raised cosine."""
@overload
def random_choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Elements drawn from a vector."""
@overload
def random_choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def random_shuffle(x: ArrayLike, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """The entries along an axis in random order."""
def multinomial(probabilities: ArrayLike, num_samples: SupportsIndex = 1, replacement: builtins.bool = True, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with given probabilities along the last axis."""
def mean_squared_error(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The squared difference."""
def mean_absolute_error(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The absolute difference."""
def attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, causal: builtins.bool = False, scale: Number | None = None) -> EmberTensor:
    """softmax(query @ key.T * scale + mask) @ value; a bool mask is true where a query may attend."""
def interpolate(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
def stdev(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes."""
def mse(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The squared difference."""
def set_seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Starts the process's generator anew."""
def split_tensor(x: ArrayLike, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Equal parts along an axis, or, given a list, parts cut at those positions."""
def tensor_sort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Elements in order along an axis, NaN last."""
def tensor_var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes; correction is subtracted from the count."""
def fabs(x: ArrayLike) -> EmberTensor:
    """Absolute value; of complex numbers the modulus."""
def rint(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """Rounded to the given number of decimals, halves to even."""
def around(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """Rounded to the given number of decimals, halves to even."""
def fix(x: ArrayLike) -> EmberTensor:
    """The whole number next towards zero."""
def row_stack(arrays: Tensors) -> EmberTensor:
    """Arrays joined along the first axis, vectors as rows."""
def bmm(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
def cat(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays joined along an axis; without one, flattened first."""
def clone(x: ArrayLike) -> EmberTensor:
    """A copy with memory of its own."""
def dim(x: ArrayLike) -> builtins.int:
    """The number of axes."""
def eq(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 == x2."""
def ge(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 >= x2."""
def gt(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 > x2."""
def le(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 <= x2."""
def lt(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 < x2."""
def manual_seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Starts the process's generator anew."""
def mm(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
@overload
def movedim(x: ArrayLike, source: Ints, destination: Ints) -> EmberTensor:
    """Axes moved to other places, the rest kept in order."""
@overload
def movedim(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
def mv(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
def ne(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 != x2."""
def numel(x: ArrayLike) -> builtins.int:
    """The number of elements."""
def repeat_interleave(x: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Each element repeated along an axis; without one, of the flattened tensor."""
def swapdims(x: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
    """Two axes swapped."""
def unbind(x: ArrayLike, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """The parts along an axis, without that axis."""
@overload
def unsqueeze(x: ArrayLike, axis: Ints = [0]) -> EmberTensor:
    """New axes of length 1."""
@overload
def unsqueeze(x: ArrayLike, *axis: SupportsIndex) -> EmberTensor: ...
@overload
def view(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
    """The same elements in another shape; one dimension may be -1."""
@overload
def view(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
def inverse(x: ArrayLike) -> EmberTensor:
    """Inverses of square matrices."""
def l1_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """The absolute difference."""
def nelement(x: ArrayLike) -> builtins.int:
    """The number of elements."""
def take_along_dim(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices that match it beside the axis."""
def expit(x: ArrayLike) -> EmberTensor:
    """1 / (1 + exp(-x))."""
def gammaln(x: ArrayLike) -> EmberTensor:
    """Logarithm of the absolute value of the gamma function."""
def hard_tanh(x: ArrayLike, low: Number = -1, high: Number = 1) -> EmberTensor:
    """x held between low and high."""
def hard_swish(x: ArrayLike) -> EmberTensor:
    """x * (min(max(x + 3, 0), 6) / 6)."""
def log_sigmoid(x: ArrayLike) -> EmberTensor:
    """Logarithm of the sigmoid, without overflow."""
c_: Any
mgrid: Any
ogrid: Any
r_: Any
s_: Any
index: Any
e: builtins.float
pi: builtins.float
inf: builtins.float
nan: builtins.float
newaxis: None
bool: DType
int4: DType
uint4: DType
int8: DType
uint8: DType
int16: DType
uint16: DType
int32: DType
uint32: DType
int64: DType
uint64: DType
float16: DType
bfloat16: DType
float32: DType
float64: DType
complex64: DType
complex128: DType
bool_: DType
__all__: list[str] = ['DType', 'EmberTensor', 'Parameter', 'Tensor', 'abs', 'absolute', 'acos', 'acosh', 'activations',
    'adaptive_average_pool', 'adaptive_max_pool', 'add', 'addcdiv', 'addcmul', 'addmm', 'addmv', 'all', 'allclose', 'amax', 'amin', 'aminmax',
    'angle', 'any', 'append', 'apply_along_axis', 'apply_over_axes', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2',
    'arctanh', 'argmax', 'argmin', 'argpartition', 'argsort', 'argwhere', 'around', 'array', 'array2string', 'array_equal', 'array_repr',
    'array_split', 'array_str', 'as_strided', 'as_tensor', 'asarray', 'ascontiguousarray', 'asin', 'asinh', 'astype', 'atan', 'atan2', 'atanh',
    'atleast_1d', 'atleast_2d', 'atleast_3d', 'atleast_nd', 'attention', 'auto_select_backend', 'average', 'average_pool1d', 'average_pool2d',
    'average_pool3d', 'backend', 'backend_info', 'baddbmm', 'bartlett', 'bartlett_window', 'batch_norm', 'bernoulli', 'bfloat16',
    'binary_cross_entropy', 'binary_crossentropy', 'binary_split', 'binary_wave_interference', 'binary_wave_propagate', 'bincount', 'bitwise',
    'bitwise_and', 'bitwise_count', 'bitwise_invert', 'bitwise_left_shift', 'bitwise_not', 'bitwise_or', 'bitwise_right_shift', 'bitwise_xor',
    'blackman', 'blackman_window', 'block', 'block_diag', 'bmm', 'bool', 'bool_', 'broadcast_arrays', 'broadcast_shapes', 'broadcast_to',
    'bucketize', 'c_', 'can_cast', 'cartesian_prod', 'cast', 'cat', 'categorical_cross_entropy', 'categorical_crossentropy', 'cbrt', 'cdist',
    'ceil', 'celu', 'checkpoint', 'choice', 'cholesky', 'chunk', 'clamp', 'clear_cache', 'clip', 'clone', 'column_stack', 'combinations',
    'compile', 'complex', 'complex128', 'complex64', 'compress', 'compute_energy_stability', 'compute_interference_strength',
    'compute_phase_coherence', 'concat', 'concatenate', 'cond', 'conj', 'conjugate', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d',
    'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'convert_to_tensor', 'convolve', 'copy', 'copysign', 'corrcoef', 'correlate',
    'cos', 'cosh', 'cosine_embedding_loss', 'cosine_similarity', 'count_nonzero', 'count_ones', 'count_zeros', 'counters', 'cov',
    'create_duty_cycle', 'cross', 'ctc_loss', 'cummax', 'cummin', 'cumprod', 'cumsum', 'cumulative_prod', 'cumulative_sum',
    'cumulative_trapezoid', 'custom_function', 'custom_vjp', 'deg2rad', 'degrees', 'delete', 'dequantize_linear', 'det', 'device', 'diag',
    'diag_embed', 'diag_indices', 'diag_indices_from', 'diagflat', 'diagonal', 'diff', 'digamma', 'digitize', 'dim', 'dist', 'div', 'divide',
    'divmod', 'dot', 'dropout', 'dsplit', 'dstack', 'dtype', 'e', 'ediff1d', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'elu', 'embedding',
    'empty', 'empty_like', 'enable_grad', 'entr', 'eq', 'equal', 'erf', 'erfc', 'erfinv', 'euclidean_distance', 'eval', 'exp', 'exp2', 'expand',
    'expand_dims', 'expit', 'expm', 'expm1', 'exponential_decay', 'extract', 'eye', 'fabs', 'fft', 'fft2', 'fftfreq', 'fftn', 'fftshift',
    'fill_diagonal', 'finfo', 'fix', 'flatnonzero', 'flatten', 'flip', 'fliplr', 'flipud', 'float16', 'float32', 'float64', 'float_power',
    'floor', 'floor_div', 'floor_divide', 'floordiv', 'fmax', 'fmin', 'fmod', 'frac', 'frame', 'frexp', 'from_dlpack', 'from_dtype_str',
    'from_numpy', 'frombuffer', 'fromfunction', 'fromiter', 'full', 'full_like', 'gammaln', 'gather', 'gather_elements', 'gather_nd',
    'gaussian', 'gcd', 'ge', 'gelu', 'gemm', 'generate_blocky_sin', 'genfromtxt', 'geomspace', 'get_available_backends',
    'get_available_devices', 'get_backend', 'get_bit', 'get_default_device', 'get_default_dtype', 'get_device', 'get_device_of_tensor',
    'get_dtype', 'get_printoptions', 'get_seed', 'global_average_pool', 'global_max_pool', 'glu', 'grad', 'gradient', 'gradients', 'greater',
    'greater_equal', 'grid_sample', 'group_norm', 'gru', 'gru_cell', 'gt', 'hamming', 'hamming_window', 'hann', 'hann_window', 'hanning',
    'hard_sigmoid', 'hard_swish', 'hard_tanh', 'hardshrink', 'hardswish', 'hardtanh', 'heaviside', 'hessian', 'hfft', 'histc', 'histogram',
    'histogram2d', 'histogram_bin_edges', 'histogramdd', 'hsplit', 'hstack', 'huber_loss', 'hypot', 'identity', 'ifft', 'ifft2', 'ifftn',
    'ifftshift', 'ihfft', 'iinfo', 'imag', 'in1d', 'index', 'index_add', 'index_copy', 'index_fill', 'index_select', 'index_update', 'indices',
    'inf', 'inference_mode', 'inner', 'insert', 'instance_norm', 'int16', 'int32', 'int4', 'int64', 'int8', 'interp', 'interpolate',
    'intersect1d', 'inv', 'inverse', 'invert', 'irfft', 'irfft2', 'irfftn', 'is_available', 'is_complex', 'is_floating_point',
    'is_grad_enabled', 'is_tensor', 'isclose', 'iscomplex', 'iscomplexobj', 'isdtype', 'isfinite', 'isin', 'isinf', 'isnan', 'isneginf',
    'isposinf', 'isreal', 'isrealobj', 'isscalar', 'istft', 'item', 'ix_', 'jacfwd', 'jacobian', 'jacrev', 'jit', 'jvp', 'kaiser',
    'kaiser_window', 'kl_div_loss', 'kron', 'kthvalue', 'l1_loss', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'lcm', 'ldexp', 'le',
    'leaky_relu', 'left_shift', 'lerp', 'less', 'less_equal', 'lexsort', 'lgamma', 'linear', 'linearalg', 'linspace', 'load', 'load_metadata',
    'loadtxt', 'log', 'log10', 'log1p', 'log2', 'log_cosh_loss', 'log_sigmoid', 'log_softmax', 'logaddexp', 'logaddexp2', 'logcumsumexp',
    'logdet', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'logit', 'logsigmoid', 'logspace', 'logsumexp', 'lookup', 'lstm',
    'lstm_cell', 'lstsq', 'lt', 'lu', 'mae_loss', 'manual_seed', 'masked_fill', 'masked_scatter', 'masked_select', 'matmul', 'matrix_norm',
    'matrix_power', 'matrix_rank', 'matrix_transpose', 'matvec', 'max', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'maximum', 'mean',
    'mean_absolute_error', 'mean_squared_error', 'median', 'mel_filter_bank', 'memory_info', 'memory_stats', 'memory_usage', 'meshgrid',
    'mgrid', 'min', 'minimum', 'mish', 'mm', 'mod', 'mode', 'modf', 'moveaxis', 'movedim', 'mse', 'mse_loss', 'mul', 'multi_dot', 'multinomial',
    'multiply', 'mv', 'nan', 'nan_to_num', 'nanargmax', 'nanargmin', 'nancumprod', 'nancumsum', 'nanmax', 'nanmean', 'nanmedian', 'nanmin',
    'nanpercentile', 'nanprod', 'nanquantile', 'nanstd', 'nanstdev', 'nansum', 'nanvar', 'narrow', 'nbytes', 'ndenumerate', 'ndim', 'ndindex',
    'ne', 'neg', 'negative', 'nelement', 'newaxis', 'nextafter', 'nll_loss', 'no_grad', 'nonzero', 'norm', 'normal', 'normalize_vector',
    'not_equal', 'numel', 'ogrid', 'one_hot', 'ones', 'ones_like', 'orthogonal', 'outer', 'overlap_add', 'pad', 'pairwise_distance',
    'partial_interference', 'partition', 'percentile', 'permute', 'permute_dims', 'pi', 'piecewise', 'pinv', 'pixel_shuffle', 'pixel_unshuffle',
    'polar', 'poly', 'polyadd', 'polyder', 'polydiv', 'polyfit', 'polyint', 'polymul', 'polysub', 'polyval', 'popcount', 'positive', 'pow',
    'power', 'prelu', 'prod', 'promote_types', 'ptp', 'put_along_axis', 'qr', 'quantile', 'quantize_linear', 'r_', 'rad2deg', 'radians', 'rand',
    'rand_like', 'randint', 'randn', 'randn_like', 'random', 'random_bernoulli', 'random_beta', 'random_binomial', 'random_bits',
    'random_categorical', 'random_choice', 'random_exponential', 'random_gamma', 'random_gumbel', 'random_integers', 'random_laplace',
    'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson', 'random_shuffle', 'random_uniform', 'randperm', 'ravel',
    'ravel_multi_index', 'real', 'real_if_close', 'reciprocal', 'reduce_all', 'reduce_any', 'reduce_l1', 'reduce_l2', 'reduce_log_sum',
    'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_sum_square', 'reduce_var',
    'relu', 'relu6', 'remainder', 'repeat', 'repeat_interleave', 'resample', 'resample2d', 'reshape', 'resize', 'result_type', 'rfft', 'rfft2',
    'rfftfreq', 'rfftn', 'right_shift', 'rint', 'rms_norm', 'rnn', 'rnn_cell', 'roll', 'rollaxis', 'roots', 'rope', 'rot90', 'rotate_left',
    'rotate_right', 'round', 'row_stack', 'rsqrt', 's_', 'save', 'savetxt', 'savez', 'scaled_dot_product_attention', 'scatter', 'scatter_add',
    'scatter_elements', 'scatter_max', 'scatter_mean', 'scatter_min', 'scatter_nd', 'scatter_reduce', 'scatter_softmax', 'searchsorted', 'seed',
    'segment_sum', 'select', 'selu', 'set_backend', 'set_bit', 'set_default_device', 'set_default_dtype', 'set_device', 'set_grad_enabled',
    'set_ops', 'set_printoptions', 'set_seed', 'setdiff1d', 'setxor1d', 'shape', 'shift_left', 'shift_right', 'shuffle', 'sigmoid', 'sign',
    'signbit', 'silu', 'sin', 'sinc', 'sinh', 'size', 'slice', 'slice_tensor', 'slice_update', 'slogdet', 'softmax', 'softplus', 'softshrink',
    'softsign', 'solve', 'solve_triangular', 'sort', 'spacing', 'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy',
    'spectrogram', 'split', 'split_tensor', 'sqrt', 'square', 'squeeze', 'stack', 'stats', 'std', 'std_mean', 'stdev', 'stft', 'stop_gradient',
    'strides', 'sub', 'subtract', 'sum', 'svd', 'svdvals', 'swapaxes', 'swapdims', 'swish', 'synchronize', 't', 'take', 'take_along_axis',
    'take_along_dim', 'tan', 'tanh', 'tanhshrink', 'tensor_scatter_nd_update', 'tensor_sort', 'tensor_split', 'tensor_var', 'tensordot',
    'threshold', 'tile', 'to_device', 'to_dtype_str', 'to_numpy', 'toggle_bit', 'tolist', 'topk', 'trace', 'transpose', 'trapezoid', 'trapz',
    'tri', 'tril', 'tril_indices', 'tril_indices_from', 'trim_zeros', 'triu', 'triu_indices', 'triu_indices_from', 'true_divide', 'trunc',
    'truncated_normal', 'uint16', 'uint32', 'uint4', 'uint64', 'uint8', 'unbind', 'unflatten', 'union1d', 'unique', 'unique_all',
    'unique_consecutive', 'unique_counts', 'unique_inverse', 'unique_values', 'unravel_index', 'unsqueeze', 'unstack', 'unwrap',
    'using_backend', 'value_and_grad', 'vander', 'var', 'var_mean', 'vdot', 'vecdot', 'vecmat', 'vector_norm', 'vectorize', 'view',
    'view_as_complex', 'view_as_real', 'vjp', 'vsplit', 'vstack', 'where', 'windows', 'xlog1py', 'xlogy', 'zeros', 'zeros_like']
