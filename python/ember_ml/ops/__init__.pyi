# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import ember_ml as _ember
from ember_ml._core import (attention_grad_result, binary_split_result, eig_result, eigh_result, histogram_result, layer_norm_grad_result,
    lstsq_result, lu_result, qr_result, slogdet_result, svd_result, topk_result, tril_indices_result, triu_indices_result, unique_all_result,
    unique_counts_result, unique_inverse_result, asarray as asarray, finfo as finfo, iinfo as iinfo, asarray as array, convert_to_tensor as
    convert_to_tensor, get_device as default_device, get_available_devices as devices, get_available_devices as local_devices, DType as DType,
    EmberTensor as EmberTensor, Parameter as Parameter, auto_select_backend as auto_select_backend, backend_info as backend_info, clear_cache as
    clear_cache, counters as counters, from_dlpack as from_dlpack, get_available_backends as get_available_backends, get_available_devices as
    get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as get_device, get_printoptions as
    get_printoptions, load as load, load_metadata as load_metadata, memory_stats as memory_stats, save as save, set_backend as set_backend,
    set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions as set_printoptions, synchronize as synchronize,
    to_device as to_device, using_backend as using_backend, get_device as get_default_device, set_device as set_default_device, set_backend as
    set_ops, EmberTensor as Array, EmberTensor as Tensor, EmberTensor as ndarray)
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
from ember_ml._grad import (eval as async_eval, checkpoint as remat, no_grad as inference_mode, checkpoint as checkpoint, enable_grad as
    enable_grad, eval as eval, grad as grad, gradients as gradients, hessian as hessian, jacobian as jacobian, no_grad as no_grad,
    value_and_grad as value_and_grad, jacobian as jacfwd, jacobian as jacrev)
from ember_ml._compat.jax import (block_until_ready as block_until_ready, default_backend as default_backend, device_count as device_count,
    device_get as device_get, device_put as device_put)
from ember_ml.tree import (map as tree_map)
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
from ember_ml._custom import (custom_function as custom_function, custom_vjp as custom_vjp, jvp as jvp, vjp as vjp)
def zeros(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of zeros."""
def ones(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of ones."""
def full(shape: Ints, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor with every element equal to fill_value."""
def empty(shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor of zeros; memory is never uninitialized."""
def zeros_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Zeros with the shape of x."""
def ones_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Ones with the shape of x."""
def full_like(x: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """A tensor with the shape of x and every element equal to fill_value."""
def empty_like(x: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Zeros with the shape of x."""
def eye(n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Ones on the k-th diagonal, zeros elsewhere."""
def arange(start: Any, stop: Any | None = None, step: Any = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """start, start + step, start + 2 * step, ..., stop excluded; one argument is stop."""
def linspace(start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """num evenly spaced numbers from start to stop."""
def logspace(start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, base: Number = 10.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """base raised to num evenly spaced exponents from start to stop."""
def meshgrid(*arrays: ArrayLike | Tensors, indexing: builtins.str = 'xy', device: builtins.str | None = None) -> builtins.tuple[EmberTensor, ...]:
    """Coordinate grids from coordinate vectors."""
def tril(x: ArrayLike, k: SupportsIndex = 0) -> EmberTensor:
    """Lower triangles of matrices: zero above the k-th diagonal."""
def triu(x: ArrayLike, k: SupportsIndex = 0) -> EmberTensor:
    """Upper triangles of matrices: zero below the k-th diagonal."""
def tri(n: SupportsIndex, m: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Matrix with ones at and below the k-th diagonal and zeros above it."""
def tril_indices(n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None, *, device: builtins.str | None = None) -> tril_indices_result:
    """Row and column indices of the lower triangle of an n by m matrix."""
def triu_indices(n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None, *, device: builtins.str | None = None) -> triu_indices_result:
    """Row and column indices of the upper triangle of an n by m matrix."""
def diag(x: ArrayLike, k: SupportsIndex = 0, *, device: builtins.str | None = None) -> EmberTensor:
    """Matrix with the vector x on its k-th diagonal, or the k-th diagonal of the matrix x."""
def one_hot(indices: ArrayLike, depth: SupportsIndex, axis: SupportsIndex = -1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """1 at each index along a new axis and 0 elsewhere; all 0 for an index out of range."""
def copy(x: ArrayLike) -> EmberTensor:
    """Copy of x that shares no memory with it."""
def astype(x: ArrayLike, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
    """x converted to dtype."""
def vander(x: ArrayLike, n: SupportsIndex | None = None, increasing: builtins.bool = False, *, device: builtins.str | None = None) -> EmberTensor:
    """Vandermonde matrix: powers of a vector's elements as columns."""
def abs(x: ArrayLike) -> EmberTensor:
    """Absolute value |x|; the modulus of a complex number."""
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
    """Each bit inverted; logical not for bool."""
def cbrt(x: ArrayLike) -> EmberTensor:
    """Cube root."""
def ceil(x: ArrayLike) -> EmberTensor:
    """Smallest integer not less than x."""
def conj(x: ArrayLike) -> EmberTensor:
    """Complex conjugate."""
def cos(x: ArrayLike) -> EmberTensor:
    """Cosine."""
def cosh(x: ArrayLike) -> EmberTensor:
    """Hyperbolic cosine."""
def digamma(x: ArrayLike) -> EmberTensor:
    """Logarithmic derivative of the gamma function."""
def erf(x: ArrayLike) -> EmberTensor:
    """Error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
def erfc(x: ArrayLike) -> EmberTensor:
    """Complementary error function: 1 - erf(x), computed without cancellation."""
def erfinv(x: ArrayLike) -> EmberTensor:
    """Inverse error function: y with erf(y) = x."""
def exp(x: ArrayLike) -> EmberTensor:
    """e raised to the power x."""
def exp2(x: ArrayLike) -> EmberTensor:
    """2 raised to the power x."""
def expm1(x: ArrayLike) -> EmberTensor:
    """exp(x) - 1, accurate near 0."""
def floor(x: ArrayLike) -> EmberTensor:
    """Largest integer not greater than x."""
def imag(x: ArrayLike) -> EmberTensor:
    """Imaginary part; 0 for real numbers."""
def isfinite(x: ArrayLike) -> EmberTensor:
    """True where x is neither infinite nor NaN."""
def isinf(x: ArrayLike) -> EmberTensor:
    """True where x is positive or negative infinity."""
def isnan(x: ArrayLike) -> EmberTensor:
    """True where x is NaN."""
def lgamma(x: ArrayLike) -> EmberTensor:
    """Natural logarithm of |gamma(x)|."""
def log(x: ArrayLike) -> EmberTensor:
    """Natural logarithm."""
def log10(x: ArrayLike) -> EmberTensor:
    """Logarithm to base 10."""
def log1p(x: ArrayLike) -> EmberTensor:
    """log(1 + x), accurate near 0."""
def log2(x: ArrayLike) -> EmberTensor:
    """Logarithm to base 2."""
def logical_not(x: ArrayLike) -> EmberTensor:
    """True where x is zero or false."""
def negative(x: ArrayLike) -> EmberTensor:
    """-x."""
def popcount(x: ArrayLike) -> EmberTensor:
    """Number of one bits in the two's complement representation."""
def count_zeros(x: ArrayLike) -> EmberTensor:
    """Number of zero bits in the two's complement representation."""
def positive(x: ArrayLike) -> EmberTensor:
    """x itself."""
def real(x: ArrayLike) -> EmberTensor:
    """Real part."""
def reciprocal(x: ArrayLike) -> EmberTensor:
    """1 / x."""
def round(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """x rounded to the given number of decimals, ties to even."""
def rsqrt(x: ArrayLike) -> EmberTensor:
    """1 / sqrt(x)."""
def sigmoid(x: ArrayLike) -> EmberTensor:
    """1 / (1 + exp(-x))."""
def sign(x: ArrayLike) -> EmberTensor:
    """-1, 0 or 1; x / |x| for complex numbers."""
def signbit(x: ArrayLike) -> EmberTensor:
    """True where the sign bit is set, including that of -0.0 and of NaN."""
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
    """x rounded toward zero."""
def angle(x: ArrayLike) -> EmberTensor:
    """Argument of a complex number in radians; 0 or pi for real numbers."""
def deg2rad(x: ArrayLike) -> EmberTensor:
    """x * pi / 180: degrees converted to radians."""
def rad2deg(x: ArrayLike) -> EmberTensor:
    """x * 180 / pi: radians converted to degrees."""
def sinc(x: ArrayLike) -> EmberTensor:
    """sin(pi * x) / (pi * x), and 1 at 0."""
def add(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 + x2."""
def subtract(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 - x2."""
def multiply(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * x2."""
def divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / x2; integers give the default float."""
def maximum(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Larger of x1 and x2; NaN if either is NaN."""
def minimum(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Smaller of x1 and x2; NaN if either is NaN."""
def floor_divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / x2); 0 for integers divided by zero."""
def remainder(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero."""
def fmod(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder of x1 / x2 with the sign of x1."""
def pow(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 raised to the power x2."""
def atan2(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Angle in radians between the positive x axis and the point (x2, x1)."""
def copysign(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 with the sign of x2."""
def hypot(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """sqrt(x1^2 + x2^2), without overflow."""
def logaddexp(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """log(exp(x1) + exp(x2)), without overflow."""
def nextafter(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Next representable number after x1 in the direction of x2."""
def heaviside(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """0 where x1 < 0, x2 where x1 = 0, and 1 where x1 > 0."""
def bitwise_and(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise and; logical and for bool."""
def bitwise_or(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise or; logical or for bool."""
def bitwise_xor(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Bitwise exclusive or; logical exclusive or for bool."""
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / 2^x2)."""
def rotate_left(x: ArrayLike, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
    """Lowest bit_width bits (by default all) rotated left by the given number."""
def rotate_right(x: ArrayLike, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
    """Lowest bit_width bits (by default all) rotated right by the given number."""
def get_bit(x: ArrayLike, position: ArrayLike) -> EmberTensor:
    """Bit at position, 0 or 1; position 0 is the lowest."""
def set_bit(x: ArrayLike, position: ArrayLike, value: ArrayLike) -> EmberTensor:
    """x with the bit at position set to value."""
def toggle_bit(x: ArrayLike, position: ArrayLike) -> EmberTensor:
    """x with the bit at position inverted."""
def logical_and(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where both x1 and x2 are nonzero."""
def logical_or(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 or x2 is nonzero."""
def logical_xor(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where exactly one of x1 and x2 is nonzero."""
def equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 == x2."""
def not_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 != x2."""
def less(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 < x2."""
def less_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 <= x2."""
def greater(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 > x2."""
def greater_equal(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 >= x2."""
def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 where condition is true, x2 elsewhere."""
def clip(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
    """x clamped to [min, max]; a bound that is None does not apply."""
def lerp(a: ArrayLike, b: ArrayLike, weight: ArrayLike) -> EmberTensor:
    """a + (b - a) * weight."""
def nan_to_num(x: ArrayLike, nan: Number = 0.0, posinf: Number | None = None, neginf: Number | None = None) -> EmberTensor:
    """x with NaN, inf and -inf replaced; by default inf by the largest finite number."""
def isclose(a: ArrayLike, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
    """True where |a - b| <= atol + rtol * |b|."""
def allclose(a: ArrayLike, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
    """True if |a - b| <= atol + rtol * |b| for all elements."""
def array_equal(a: ArrayLike, b: ArrayLike, equal_nan: builtins.bool = False) -> EmberTensor:
    """True if a and b have the same shape and equal elements."""
def sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum over axes; small integers are added in 64 bits."""
def prod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Product over axes; small integers are multiplied in 64 bits."""
def mean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Arithmetic mean over axes; integers give the default float."""
def var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes: squared deviations divided by n - correction."""
def std(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes: the square root of var."""
def max(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if any element is NaN."""
def min(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if any element is NaN."""
def all(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if all elements over axes are nonzero."""
def any(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if any element over axes is nonzero."""
def count_nonzero(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Number of nonzero elements over axes."""
def logsumexp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(sum(exp(x))) over axes, without overflow."""
def argmax(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first largest element along an axis, or of the flattened tensor."""
def argmin(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first smallest element along an axis, or of the flattened tensor."""
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
    """Running log(sum(exp(x))) along an axis, without overflow."""
def sort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Elements in ascending or descending order along an axis, NaN last."""
def argsort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Indices that would sort x along an axis."""
def topk(x: ArrayLike, k: SupportsIndex, axis: SupportsIndex = -1, largest: builtins.bool = True) -> topk_result:
    """The k largest or smallest elements along an axis, sorted, and their indices."""
def searchsorted(x1: ArrayLike, x2: ArrayLike, side: builtins.str = 'left', sorter: ArrayLike | None = None) -> EmberTensor:
    """Index at which each element of x2 keeps the sorted vector x1 in order."""
def nonzero(x: ArrayLike) -> builtins.tuple[EmberTensor, ...]:
    """Indices of the nonzero elements, one vector for each axis."""
def argwhere(x: ArrayLike) -> EmberTensor:
    """Indices of the nonzero elements, one row for each element."""
def unique_all(x: ArrayLike) -> unique_all_result:
    """Sorted distinct elements, index of the first occurrence, index of each element of x among them, and counts."""
def unique_counts(x: ArrayLike) -> unique_counts_result:
    """Sorted distinct elements and how often each occurs."""
def unique_inverse(x: ArrayLike) -> unique_inverse_result:
    """Sorted distinct elements and, for each element of x, its index among them."""
def unique_values(x: ArrayLike) -> EmberTensor:
    """Sorted distinct elements; each NaN counts as distinct."""
def isin(x1: ArrayLike, x2: ArrayLike, invert: builtins.bool = False) -> EmberTensor:
    """True where an element of x1 occurs in x2."""
def median(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Middle element over axes, or the mean of the two middle ones; NaN if any element is NaN."""
def quantile(x: ArrayLike, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
    """Quantiles q in [0, 1] over axes; the axes of q come first in the result."""
def percentile(x: ArrayLike, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
    """Quantiles over axes for q in [0, 100]."""
def diff(x: ArrayLike, n: SupportsIndex = 1, axis: SupportsIndex = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> EmberTensor:
    """Differences x[i + 1] - x[i] along an axis, applied n times."""
def histogram(x: ArrayLike, bins: SupportsIndex = 10, low: Number | None = None, high: Number | None = None, weights: ArrayLike | None = None, density: builtins.bool = False) -> histogram_result:
    """Counts in bins of equal width and the bin edges."""
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> EmberTensor:
    """Count of each non-negative integer, or the sum of its weights."""
def digitize(x: ArrayLike, bins: ArrayLike, right: builtins.bool = False) -> EmberTensor:
    """Index of the bin of each element; bins are monotonic and right closes them at the right."""
def nansum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum over axes, ignoring NaN."""
def nanprod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Product over axes, ignoring NaN."""
def nanmean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Mean over axes, ignoring NaN."""
def nanvar(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes, ignoring NaN."""
def nanstd(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes, ignoring NaN."""
def nanmax(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes, ignoring NaN; NaN if all elements are NaN."""
def nanmin(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes, ignoring NaN; NaN if all elements are NaN."""
def nanmedian(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Median over axes, ignoring NaN."""
def nanargmax(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first largest element, ignoring NaN."""
def nanargmin(x: ArrayLike, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Index of the first smallest element, ignoring NaN."""
def cov(x: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True, ddof: Number = 1.0) -> EmberTensor:
    """Covariance matrix of variables, one in each row (or column if rowvar is false)."""
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True) -> EmberTensor:
    """Correlation matrix of variables, one in each row (or column if rowvar is false)."""
def gaussian(x: ArrayLike, mu: ArrayLike = 0.0, sigma: ArrayLike = 1.0) -> EmberTensor:
    """Density of the normal distribution with mean mu and standard deviation sigma."""
def reduce_l1(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum of absolute values over axes."""
def reduce_l2(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Square root of the sum of squares over axes."""
def reduce_log_sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(sum(x)) over axes."""
def reduce_sum_square(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Sum of squares over axes."""
def ptp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """max(x) - min(x) over axes."""
def average(x: ArrayLike, axis: Ints | None = None, weights: ArrayLike | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Mean over axes, weighted if weights are given."""
@overload
def reshape(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
    """Same elements in another shape; one extent may be -1."""
@overload
def reshape(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
@overload
def transpose(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """Axes permuted; without axes, reversed."""
@overload
def transpose(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
@overload
def permute_dims(x: ArrayLike, axes: Ints) -> EmberTensor:
    """Axes permuted: axis i of the result is axis axes[i] of x."""
@overload
def permute_dims(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
def matrix_transpose(x: ArrayLike) -> EmberTensor:
    """Last two axes swapped."""
@overload
def moveaxis(x: ArrayLike, source: Ints, destination: Ints) -> EmberTensor:
    """Axes moved to new positions, the others kept in order."""
@overload
def moveaxis(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
def swapaxes(x: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
    """Two axes swapped."""
def squeeze(x: ArrayLike, axis: Ints | None = None) -> EmberTensor:
    """Axes of length 1 removed."""
@overload
def expand_dims(x: ArrayLike, axis: Ints = [0]) -> EmberTensor:
    """x with new axes of length 1 at the given positions."""
@overload
def expand_dims(x: ArrayLike, *axis: SupportsIndex) -> EmberTensor: ...
@overload
def broadcast_to(x: ArrayLike, shape: Ints) -> EmberTensor:
    """x repeated along axes of length 1 and along new leading axes to the given shape."""
@overload
def broadcast_to(x: ArrayLike, *shape: SupportsIndex) -> EmberTensor: ...
def broadcast_arrays(*arrays: ArrayLike | Tensors) -> builtins.tuple[EmberTensor, ...]:
    """Arrays broadcast to their common shape."""
def broadcast_shapes(*shapes: Ints) -> builtins.tuple[builtins.int, ...]:
    """Shape that the given shapes broadcast to."""
def concat(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays concatenated along an axis; flattened first if axis is None."""
def stack(arrays: Tensors, axis: SupportsIndex = 0) -> EmberTensor:
    """Arrays stacked along a new axis."""
def hstack(arrays: Tensors) -> EmberTensor:
    """Arrays concatenated along the second axis; vectors along the first."""
def vstack(arrays: Tensors) -> EmberTensor:
    """Arrays concatenated along the first axis; vectors become rows."""
def dstack(arrays: Tensors) -> EmberTensor:
    """Arrays concatenated along the third axis."""
def unstack(x: ArrayLike, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Slices along an axis, without that axis."""
def split(x: ArrayLike, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Equal parts along an axis, or the parts between the given positions."""
def array_split(x: ArrayLike, sections: SupportsIndex, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Parts along an axis whose lengths differ by at most 1."""
@overload
def tile(x: ArrayLike, repetitions: Ints) -> EmberTensor:
    """x repeated as a block along its axes."""
@overload
def tile(x: ArrayLike, *repetitions: SupportsIndex) -> EmberTensor: ...
def repeat(x: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Each element repeated along an axis; the flattened tensor if axis is None."""
def flip(x: ArrayLike, axis: Ints | None = None) -> EmberTensor:
    """Elements in reverse order along axes."""
def roll(x: ArrayLike, shift: Ints, axis: Ints | None = None) -> EmberTensor:
    """Elements shifted along axes; those shifted out re-enter at the other end."""
def rot90(x: ArrayLike, k: SupportsIndex = 1, axes: Ints = [0, 1]) -> EmberTensor:
    """x rotated by k * 90 degrees in the plane of two axes."""
def pad(x: ArrayLike, pad_width: Ints, mode: builtins.str = 'constant', value: ArrayLike = 0) -> EmberTensor:
    """x with elements added at both ends of each axis; mode is constant, edge, reflect, symmetric or wrap."""
def flatten(x: ArrayLike) -> EmberTensor:
    """All elements in one axis, in row-major order."""
def atleast_nd(x: ArrayLike, ndim: SupportsIndex) -> EmberTensor:
    """x with leading axes of length 1 until it has ndim axes."""
def diagonal(x: ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = -2, axis2: SupportsIndex = -1) -> EmberTensor:
    """Diagonals of matrices as the last axis."""
def as_strided(x: ArrayLike, shape: Ints, strides: Ints, offset: SupportsIndex = 0) -> EmberTensor:
    """View of the contiguous x with the given shape and strides, in elements."""
def windows(x: ArrayLike, window: Ints, step: Ints = [1], axis: Ints | None = None) -> EmberTensor:
    """Sliding windows along axes; the axes within a window come last."""
def frame(x: ArrayLike, frame_length: SupportsIndex, hop_length: SupportsIndex, axis: SupportsIndex = -1) -> EmberTensor:
    """Frames of frame_length elements along an axis, one every hop_length elements."""
def slice(x: ArrayLike, starts: Ints, stops: Ints, steps: Ints | None = None, axes: Ints | None = None) -> EmberTensor:
    """x[start:stop:step] along the given axes."""
def take(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Slices of x at indices along an axis; elements of the flattened tensor if axis is None."""
def take_along_axis(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
def gather(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
    """Slices of x at indices along an axis."""
def gather_nd(x: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Elements or slices of x at index tuples; the last axis of indices holds a tuple."""
def scatter(values: ArrayLike, indices: ArrayLike, dim_size: Any | None = None, aggr: builtins.str = 'add', axis: SupportsIndex = 0) -> EmberTensor:
    """Values with the same index reduced by add, mean, max, min, mul or softmax; 0 where there are none."""
def scatter_add(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """Sum of the values with each index; 0 where there are none."""
def scatter_max(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """Largest of the values with each index; 0 where there are none."""
def scatter_min(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """Smallest of the values with each index; 0 where there are none."""
def scatter_softmax(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """Softmax of the values among those with the same index."""
def scatter_mean(values: ArrayLike, indices: ArrayLike, dim_size: SupportsIndex | None = None, axis: SupportsIndex = 0) -> EmberTensor:
    """Mean of the values with each index; 0 where there are none."""
def scatter_elements(x: ArrayLike, indices: ArrayLike, updates: ArrayLike, axis: SupportsIndex = 0, reduction: builtins.str = 'set') -> EmberTensor:
    """x with updates combined at indices along an axis by set, add, mul, max or min."""
def scatter_nd(x: ArrayLike, indices: ArrayLike, updates: ArrayLike, reduction: builtins.str = 'set') -> EmberTensor:
    """x with updates combined at index tuples by set, add, mul, max or min."""
def tensor_scatter_nd_update(x: ArrayLike, indices: ArrayLike, updates: ArrayLike) -> EmberTensor:
    """x with updates stored at index tuples."""
@overload
def slice_tensor(x: ArrayLike, starts: Ints, sizes: Ints) -> EmberTensor:
    """Slice of x that begins at starts; a size of -1 extends to the end."""
@overload
def slice_tensor(x: ArrayLike, starts: Ints, *sizes: SupportsIndex) -> EmberTensor: ...
def index_add(x: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
    """x with values added at indices along an axis."""
def put_along_axis(x: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """x with values stored at indices along an axis: x[i, indices[i, j]] for axis 1."""
def segment_sum(x: ArrayLike, segment_ids: ArrayLike, num_segments: SupportsIndex | None = None) -> EmberTensor:
    """Sum of the slices with each segment id."""
def embedding(weight: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Rows of weight at indices."""
def masked_select(x: ArrayLike, mask: ArrayLike) -> EmberTensor:
    """Elements where mask is true, as a vector."""
def masked_fill(x: ArrayLike, mask: ArrayLike, value: ArrayLike) -> EmberTensor:
    """x with value stored where mask is true."""
def matmul(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
def dot(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Sum of products over the last axis of a and the second to last of b; with a scalar, the product."""
def inner(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Sum of products over the last axes of a and b."""
def outer(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Product of each element of x1 with each element of x2, both flattened."""
def vecdot(x1: ArrayLike, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Sum of conj(x1) * x2 along an axis."""
def tensordot(x1: ArrayLike, x2: ArrayLike, axes: Any = 2) -> EmberTensor:
    """Sum of products over several axes: the last of x1 and the first of x2, or two lists."""
def einsum(equation: builtins.str, *operands: ArrayLike | Tensors) -> EmberTensor:
    """Einstein summation of the operands, in an order that needs few operations."""
def kron(a: ArrayLike, b: ArrayLike) -> EmberTensor:
    """Kronecker product: each element of a times b."""
def cross(x1: ArrayLike, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Cross product of 3-element vectors along an axis."""
def multi_dot(arrays: Tensors) -> EmberTensor:
    """Product of several matrices, in the order that needs the fewest operations."""
def gemm(a: ArrayLike, b: ArrayLike, c: ArrayLike | None = None, alpha: Number = 1, beta: Number = 1, a_transpose: builtins.bool = False, b_transpose: builtins.bool = False) -> EmberTensor:
    """alpha * a @ b + beta * c, with a and b transposed on request."""
def trace(x: ArrayLike, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum of the elements of a diagonal of matrices."""
def cholesky(x: ArrayLike, upper: builtins.bool = False) -> EmberTensor:
    """Cholesky factor L with x = L @ L^H of positive definite matrices, or U with x = U^H @ U."""
def det(x: ArrayLike) -> EmberTensor:
    """Determinants of square matrices."""
def slogdet(x: ArrayLike) -> slogdet_result:
    """Sign and natural logarithm of the absolute value of determinants."""
def eig(x: ArrayLike) -> eig_result:
    """Complex eigenvalues and eigenvectors of square matrices."""
def eigh(x: ArrayLike, upper: builtins.bool = False) -> eigh_result:
    """Ascending eigenvalues and eigenvectors of Hermitian matrices; only one triangle is read."""
def eigvals(x: ArrayLike) -> EmberTensor:
    """Complex eigenvalues of square matrices."""
def eigvalsh(x: ArrayLike, upper: builtins.bool = False) -> EmberTensor:
    """Ascending eigenvalues of Hermitian matrices; only one triangle is read."""
def inv(x: ArrayLike) -> EmberTensor:
    """Inverses of square matrices."""
def pinv(x: ArrayLike, rtol: ArrayLike | None = None) -> EmberTensor:
    """Pseudo-inverses; singular values up to rtol times the largest count as zero."""
def qr(x: ArrayLike, mode: builtins.str = 'reduced') -> qr_result:
    """QR factorization: Q with orthonormal columns and upper triangular R."""
def solve(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Solution x of x1 @ x = x2; a 1-d x2 is a vector."""
def solve_triangular(a: ArrayLike, b: ArrayLike, upper: builtins.bool = False, unit_diagonal: builtins.bool = False, transposed: builtins.bool = False) -> EmberTensor:
    """Solution x of a @ x = b for a triangular a; only one triangle is read."""
def svd(x: ArrayLike, full_matrices: builtins.bool = True, compute_uv: builtins.bool = True) -> svd_result:
    """Singular value decomposition: U, the singular values in descending order, and the adjoint of V."""
def svdvals(x: ArrayLike) -> EmberTensor:
    """Singular values in descending order."""
def lu(x: ArrayLike) -> lu_result:
    """LU factorization with row permutation P: x[P] = L @ U."""
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Number | None = None) -> lstsq_result:
    """Least-squares solution of a @ x = b, residuals, rank and singular values."""
def matrix_power(x: ArrayLike, n: SupportsIndex) -> EmberTensor:
    """n-th power of square matrices; of their inverses for negative n."""
def matrix_rank(x: ArrayLike, rtol: ArrayLike | None = None) -> EmberTensor:
    """Number of singular values above rtol times the largest."""
def matrix_norm(x: ArrayLike, ord: Any = 'fro', keepdims: builtins.bool = False) -> EmberTensor:
    """Matrix norm: fro, nuc, inf, -inf, 1, -1, 2 or -2."""
def vector_norm(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, ord: Number = 2.0) -> EmberTensor:
    """Vector norm over axes: sum(|x|^ord)^(1/ord), and its limits for inf, -inf and 0."""
def norm(x: ArrayLike, ord: Any | None = None, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Vector norm over one axis or matrix norm over two; by default the root of the sum of squares."""
def expm(x: ArrayLike) -> EmberTensor:
    """Matrix exponential."""
def orthogonal(shape: Ints, gain: Number = 1.0, dtype: DTypeLike | None = None, seed: SupportsIndex | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Random matrix with orthonormal rows or columns; all axes but the first form the columns."""
def cond(x: ArrayLike) -> EmberTensor:
    """Condition number: the largest singular value divided by the smallest."""
def fft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along an axis."""
def ifft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along an axis."""
def rfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers: the n / 2 + 1 non-negative frequencies."""
def irfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Real inverse Fourier transform of the non-negative frequencies."""
def hfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Real Fourier transform of a Hermitian signal, given by its first half."""
def ihfft(x: ArrayLike, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse of hfft."""
def fftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along several axes."""
def ifftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along several axes."""
def rfftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers along axes; the last keeps its non-negative frequencies."""
def irfftn(x: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse of rfftn."""
def fft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Discrete Fourier transform along two axes."""
def ifft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse discrete Fourier transform along two axes."""
def rfft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Fourier transform of real numbers along two axes; the last keeps its non-negative frequencies."""
def irfft2(x: ArrayLike, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
    """Inverse of rfft2."""
def fftfreq(n: SupportsIndex, d: Number = 1.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Frequency of each bin of fft for n samples with spacing d."""
def rfftfreq(n: SupportsIndex, d: Number = 1.0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Frequency of each bin of rfft for n samples with spacing d."""
def fftshift(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """Zero-frequency bin shifted to the center."""
def ifftshift(x: ArrayLike, axes: Ints | None = None) -> EmberTensor:
    """Inverse of fftshift."""
def hann_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hann window: 0.5 - 0.5 * cos(2 * pi * t)."""
def hamming_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hamming window: 0.54 - 0.46 * cos(2 * pi * t)."""
def blackman_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Blackman window: 0.42 - 0.5 * cos(2 * pi * t) + 0.08 * cos(4 * pi * t)."""
def bartlett_window(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Bartlett window: 1 - |2 * t - 1|, a triangle."""
def kaiser_window(n: SupportsIndex, beta: Number = 12.0, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Kaiser window with shape parameter beta."""
def overlap_add(frames: ArrayLike, hop_length: SupportsIndex) -> EmberTensor:
    """Signal from frames that start every hop_length elements; overlaps are added."""
def stft(x: ArrayLike, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """Short-time Fourier transform [frequency, frame]; without n_fft, x holds windowed frames."""
def istft(x: ArrayLike, length: SupportsIndex | None = None, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """Signal from its short-time Fourier transform."""
def spectrogram(x: ArrayLike, power: Number = 2.0, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
    """Absolute value of the short-time Fourier transform raised to a power."""
def mel_filter_bank(n_mels: SupportsIndex, n_fft: SupportsIndex, sample_rate: Number, low: Number = 0.0, high: Number | None = None, dtype: DTypeLike | None = None) -> EmberTensor:
    """Triangular filters on Slaney's mel scale, each of area 1: [n_mels, n_fft / 2 + 1]."""
def convolve(a: ArrayLike, v: ArrayLike, mode: builtins.str = 'full') -> EmberTensor:
    """Discrete convolution of two vectors; mode is full, same or valid."""
def correlate(a: ArrayLike, v: ArrayLike, mode: builtins.str = 'valid') -> EmberTensor:
    """Cross-correlation of two vectors with v conjugated; mode is full, same or valid."""
def relu(x: ArrayLike) -> EmberTensor:
    """max(x, 0)."""
def relu6(x: ArrayLike) -> EmberTensor:
    """x clamped to [0, 6]."""
def hard_sigmoid(x: ArrayLike, alpha: Number = 0.2, beta: Number = 0.5) -> EmberTensor:
    """alpha * x + beta, clamped to [0, 1]."""
def softmax(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """exp(x) / sum(exp(x)) along an axis, without overflow."""
def log_softmax(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """x - log(sum(exp(x))) along an axis, without overflow."""
def softplus(x: ArrayLike, beta: Number = 1) -> EmberTensor:
    """log(1 + exp(beta * x)) / beta, without overflow."""
def softsign(x: ArrayLike) -> EmberTensor:
    """x / (1 + |x|)."""
def gelu(x: ArrayLike, approximate: builtins.str = 'none') -> EmberTensor:
    """x * Phi(x), with Phi the normal distribution function; approximate is none or tanh."""
def silu(x: ArrayLike) -> EmberTensor:
    """x * sigmoid(x)."""
def elu(x: ArrayLike, alpha: Number = 1) -> EmberTensor:
    """x where x > 0, alpha * (exp(x) - 1) elsewhere."""
def selu(x: ArrayLike) -> EmberTensor:
    """Scaled elu with the constants that preserve mean and variance."""
def celu(x: ArrayLike, alpha: Number = 1) -> EmberTensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def leaky_relu(x: ArrayLike, alpha: Number = 0.01) -> EmberTensor:
    """x where x > 0, alpha * x elsewhere."""
def prelu(x: ArrayLike, slope: ArrayLike) -> EmberTensor:
    """x where x > 0, slope * x elsewhere."""
def mish(x: ArrayLike) -> EmberTensor:
    """x * tanh(softplus(x))."""
def hardswish(x: ArrayLike) -> EmberTensor:
    """x * clip(x + 3, 0, 6) / 6."""
def hardtanh(x: ArrayLike, low: Number = -1, high: Number = 1) -> EmberTensor:
    """x clamped to [low, high]."""
def threshold(x: ArrayLike, threshold: Number, value: Number = 0) -> EmberTensor:
    """x where x > threshold, value elsewhere."""
def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None) -> EmberTensor:
    """x @ weight.T + bias."""
def glu(x: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """First half along an axis times the sigmoid of the second half."""
def tanhshrink(x: ArrayLike) -> EmberTensor:
    """x - tanh(x)."""
def hardshrink(x: ArrayLike, lambd: Number = 0.5) -> EmberTensor:
    """0 where |x| <= lambd, x elsewhere."""
def softshrink(x: ArrayLike, lambd: Number = 0.5) -> EmberTensor:
    """x moved toward 0 by lambd, and 0 where |x| <= lambd."""
def logsigmoid(x: ArrayLike) -> EmberTensor:
    """log(sigmoid(x)), without overflow."""
def conv1d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Cross-correlation with filters over 1 spatial axes, plus bias."""
def conv_transpose1d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Gradient of conv1d with respect to its input, plus bias."""
def conv2d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Cross-correlation with filters over 2 spatial axes, plus bias."""
def conv_transpose2d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Gradient of conv2d with respect to its input, plus bias."""
def conv3d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
    """Cross-correlation with filters over 3 spatial axes, plus bias."""
def conv_transpose3d(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
    """Gradient of conv3d with respect to its input, plus bias."""
def max_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Largest element of each window over 1 spatial axes."""
def average_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Mean of each window over 1 spatial axes."""
def l2_pool1d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Square root of the sum of squares of each window over 1 spatial axes."""
def max_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Largest element of each window over 2 spatial axes."""
def average_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Mean of each window over 2 spatial axes."""
def l2_pool2d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Square root of the sum of squares of each window over 2 spatial axes."""
def max_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Largest element of each window over 3 spatial axes."""
def average_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Mean of each window over 3 spatial axes."""
def l2_pool3d(x: ArrayLike, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
    """Square root of the sum of squares of each window over 3 spatial axes."""
@overload
def adaptive_average_pool(x: ArrayLike, output_size: Ints) -> EmberTensor:
    """Means of output_size windows that cover the last axes."""
@overload
def adaptive_average_pool(x: ArrayLike, *output_size: SupportsIndex) -> EmberTensor: ...
@overload
def adaptive_max_pool(x: ArrayLike, output_size: Ints) -> EmberTensor:
    """Largest elements of output_size windows that cover the last axes."""
@overload
def adaptive_max_pool(x: ArrayLike, *output_size: SupportsIndex) -> EmberTensor: ...
def global_average_pool(x: ArrayLike, layout: builtins.str = 'nchw') -> EmberTensor:
    """Mean over all spatial axes, kept with length 1."""
def global_max_pool(x: ArrayLike, layout: builtins.str = 'nchw') -> EmberTensor:
    """Largest element over all spatial axes, kept with length 1."""
def pixel_shuffle(x: ArrayLike, factor: SupportsIndex) -> EmberTensor:
    """Channels rearranged into an image that is larger by factor along both axes."""
def pixel_unshuffle(x: ArrayLike, factor: SupportsIndex) -> EmberTensor:
    """Blocks of factor by factor pixels rearranged into channels."""
def resample(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
def grid_sample(x: ArrayLike, grid: ArrayLike, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> EmberTensor:
    """Images sampled at the coordinates of grid, which range from -1 to 1."""
def batch_norm(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axis: SupportsIndex = 1, eps: Number = 1e-05) -> EmberTensor:
    """(x - mean) / sqrt(variance + eps) * scale + bias, with one value of each for a channel."""
def layer_norm(x: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
    """(x - mean) / sqrt(variance + eps) * scale + bias, with the moments of x over axes."""
def layer_norm_grad(g: ArrayLike, x: ArrayLike, scale: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> layer_norm_grad_result:
    """Gradients of layer_norm's x, scale and bias for the cotangent g of its result."""
def rms_norm(x: ArrayLike, scale: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
    """x / sqrt(mean(x^2) + eps) * scale, with the mean over axes."""
def group_norm(x: ArrayLike, groups: SupportsIndex, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05) -> EmberTensor:
    """Normalization over groups of channels in each sample."""
def instance_norm(x: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05, layout: builtins.str = 'nchw') -> EmberTensor:
    """Normalization over the spatial axes of each sample and channel."""
def dropout(x: ArrayLike, p: Number = 0.5, training: builtins.bool = True) -> EmberTensor:
    """x with elements set to 0 with probability p and the others divided by 1 - p."""
def scaled_dot_product_attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, causal: builtins.bool = False, scale: Number | None = None) -> EmberTensor:
    """softmax(query @ key.T * scale + mask) @ value; a bool mask is true where a query may attend."""
def attention_grad(y: ArrayLike, g: ArrayLike, query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, causal: builtins.bool = False, scale: Number | None = None) -> attention_grad_result:
    """Gradients of scaled_dot_product_attention's query, key and value for its result y and the cotangent g of y."""
def rope(x: ArrayLike, positions: ArrayLike | None = None, base: Number = 10000, interleaved: builtins.bool = False) -> EmberTensor:
    """Rotary position embedding: feature pairs rotated by angles proportional to the position."""
def lstm(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Long short-term memory over a sequence: last hidden state, last cell state, all hidden states."""
def lstm_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, cell: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """One step of a long short-term memory: the next hidden and cell state."""
def gru(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Gated recurrent unit over a sequence: last hidden state, all hidden states."""
def gru_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
    """One step of a gated recurrent unit: the next hidden state."""
def rnn(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
    """Elman network over a sequence: last hidden state, all hidden states."""
def rnn_cell(x: ArrayLike, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
    """One step of an Elman network: the next hidden state."""
def quantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
    """round(x / scale) + zero_point, saturated to the dtype of zero_point."""
def dequantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
    """(x - zero_point) * scale."""
def mse_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """(prediction - target)^2."""
def mae_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """|prediction - target|."""
def huber_loss(prediction: ArrayLike, target: ArrayLike, delta: Number = 1, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """d^2 / 2 where d = |prediction - target| <= delta, delta * (d - delta / 2) elsewhere."""
def log_cosh_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(cosh(prediction - target))."""
def binary_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities or logits with targets in [0, 1]."""
def categorical_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities or logits with target distributions."""
def sparse_categorical_cross_entropy(prediction: ArrayLike, target: ArrayLike, from_logits: builtins.bool = False, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Cross entropy of probabilities or logits with target class indices."""
def binary_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """binary_cross_entropy with the target first, averaged over axes."""
def categorical_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """categorical_cross_entropy over the last axis with the target first, averaged over axes."""
def sparse_categorical_crossentropy(y_true: ArrayLike, y_pred: ArrayLike, from_logits: builtins.bool = False, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """sparse_categorical_cross_entropy over the last axis with the target first, averaged over axes."""
def nll_loss(log_probabilities: ArrayLike, target: ArrayLike, axis: SupportsIndex = -1, reduction: builtins.str = 'mean') -> EmberTensor:
    """Negative log probability of the target class."""
def kl_div_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean') -> EmberTensor:
    """target * (log(target) - prediction); prediction holds log probabilities."""
def ctc_loss(log_probabilities: ArrayLike, targets: ArrayLike, input_lengths: ArrayLike, target_lengths: ArrayLike, blank: SupportsIndex = 0, reduction: builtins.str = 'mean') -> EmberTensor:
    """Negative log probability of label sequences, summed over all alignments."""
def contrastive_loss(a: ArrayLike, b: ArrayLike, target: ArrayLike, margin: Number = 1, reduction: builtins.str = 'mean') -> EmberTensor:
    """d^2 where target is 1, max(margin - d, 0)^2 elsewhere, with d the distance of a and b."""
def cosine_embedding_loss(a: ArrayLike, b: ArrayLike, target: ArrayLike, margin: Number = 0, reduction: builtins.str = 'mean') -> EmberTensor:
    """1 - cos(a, b) where target is 1, max(cos(a, b) - margin, 0) elsewhere."""
def cosine_similarity(a: ArrayLike, b: ArrayLike, axis: SupportsIndex = -1, eps: Number = 1e-08) -> EmberTensor:
    """Cosine of the angle between vectors along an axis."""
def euclidean_distance(a: ArrayLike, b: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Euclidean length of a - b along an axis."""
def pairwise_distance(a: ArrayLike, b: ArrayLike | None = None, p: Number = 2) -> EmberTensor:
    """p-norm distance of each row of a to each row of b."""
def normalize_vector(x: ArrayLike, axis: SupportsIndex | None = -1, eps: Number = 1e-12) -> EmberTensor:
    """x divided by its Euclidean length along an axis, or over all elements if axis is None."""
def seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Seeds the random generator of the process."""
def get_seed(*, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.int:
    """Seed of the random generator."""
@overload
def random_bits(shape: Ints, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Random 32-bit words (uint32)."""
@overload
def random_bits(*shape: SupportsIndex, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def random_uniform(shape: Ints, low: Number = 0, high: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Uniform numbers in [low, high)."""
def random_normal(shape: Ints, mean: Number = 0, stddev: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Normally distributed numbers with the given mean and standard deviation."""
def truncated_normal(shape: Ints, mean: Number = 0, stddev: Number = 1, low: Number = -2, high: Number = 2, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Normal numbers between low and high standard deviations from the mean."""
def random_bernoulli(shape: Ints, p: ArrayLike = 0.5, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """True with probability p."""
def random_binomial(shape: Ints, p: Number = 0.5, n: SupportsIndex = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Number of successes in n trials with probability p."""
def random_categorical(logits: ArrayLike, num_samples: SupportsIndex = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with probabilities softmax(logits) along the last axis."""
def random_multinomial(probabilities: ArrayLike, num_samples: SupportsIndex = 1, replacement: builtins.bool = True, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with the given probabilities along the last axis."""
def random_gamma(shape: Ints, alpha: Number = 1, beta: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Gamma-distributed numbers with shape alpha and rate beta."""
def random_beta(shape: Ints, a: Number, b: Number, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Beta-distributed numbers with shapes a and b."""
def random_exponential(shape: Ints, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Exponentially distributed numbers with mean scale."""
def random_poisson(shape: Ints, rate: Number = 1, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Poisson-distributed counts with mean rate."""
def random_laplace(shape: Ints, loc: Number = 0, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Laplace-distributed numbers with mean loc and the given scale."""
def random_gumbel(shape: Ints, loc: Number = 0, scale: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Gumbel-distributed numbers with mode loc and the given scale."""
def random_integers(shape: Ints, low: SupportsIndex, high: SupportsIndex, dtype: DTypeLike = 'int64', *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Uniform integers in [low, high)."""
def random_permutation(x: ArrayLike, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Entries of x along an axis in random order; an integer n means arange(n)."""
def shuffle(x: ArrayLike, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Entries of x along an axis in random order."""
@overload
def choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Elements drawn from a vector with probabilities p, by default equal ones."""
@overload
def choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def compute_energy_stability(input_wave: ArrayLike, window_size: SupportsIndex = 100) -> EmberTensor:
    """1 / (1 + variance / mean) of the energies of consecutive windows; 1 for fewer than two."""
def compute_interference_strength(input_wave1: ArrayLike, input_wave2: ArrayLike) -> EmberTensor:
    """Correlation of two waves times (1 - mean phase difference / pi)."""
def compute_phase_coherence(input_wave1: ArrayLike, input_wave2: ArrayLike, freq_range: Sequence[Number] | None = None) -> EmberTensor:
    """Agreement of the phase differences of two waves over frequencies: 1 if they are all equal."""
def partial_interference(input_wave1: ArrayLike, input_wave2: ArrayLike, window_size: SupportsIndex = 100) -> EmberTensor:
    """compute_interference_strength in each window of two waves."""
def exponential_decay(initial_value: ArrayLike, decay_rate: ArrayLike, time_step: ArrayLike | None = None) -> EmberTensor:
    """initial_value * exp(-decay_rate * time_step); by default entry i is at time i."""
def binary_wave_interference(waves: Tensors, mode: builtins.str = 'xor') -> EmberTensor:
    """Bit waves combined by xor, and, or or."""
def binary_wave_propagate(wave: ArrayLike, shift: ArrayLike) -> EmberTensor:
    """Bits shifted left, or right by a negative shift."""
def create_duty_cycle(length: SupportsIndex, duty_cycle: Number) -> EmberTensor:
    """Ones in the first duty_cycle of the length, zeros after them (int32)."""
def generate_blocky_sin(length: SupportsIndex, half_period: SupportsIndex) -> EmberTensor:
    """Square wave: alternating runs of half_period ones and zeros (int32)."""
def binary_split(a: SupportsIndex, b: SupportsIndex) -> binary_split_result:
    """Factors of the Chudnovsky series for pi over the terms from a to b (float64)."""
def shape(x: ArrayLike) -> builtins.tuple[builtins.int, ...]:
    """Length of each axis."""
def ndim(x: ArrayLike) -> builtins.int:
    """Number of axes."""
def size(x: ArrayLike) -> builtins.int:
    """Number of elements."""
def device(x: ArrayLike) -> builtins.str:
    """Device that holds the memory."""
def backend(x: ArrayLike) -> builtins.str:
    """Backend that computes x."""
def strides(x: ArrayLike) -> builtins.tuple[builtins.int, ...]:
    """Distance between neighbors along each axis, in elements."""
def nbytes(x: ArrayLike) -> builtins.int:
    """Size of all elements in bytes."""
def item(x: ArrayLike) -> Any:
    """The only element as a Python number."""
def tolist(x: ArrayLike) -> Any:
    """Elements as nested lists of Python numbers."""
def can_cast(from_: DTypeLike, to: DTypeLike) -> builtins.bool:
    """True if every value of one dtype can be represented in the other."""
def result_type(*arrays_and_dtypes: Any) -> DType:
    """Dtype to which the given arrays, dtypes and numbers are promoted."""
def isdtype(dtype: DTypeLike, kind: Any) -> builtins.bool:
    """True if dtype is of a kind: bool, signed integer, unsigned integer, integral, real floating, complex floating or numeric; or of one of several kinds."""
def absolute(x: ArrayLike) -> EmberTensor:
    """Absolute value |x|; the modulus of a complex number."""
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
    """Angle in radians between the positive x axis and the point (x2, x1)."""
def arctanh(x: ArrayLike) -> EmberTensor:
    """Inverse hyperbolic tangent."""
def amax(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if any element is NaN."""
def amin(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if any element is NaN."""
def bitwise_count(x: ArrayLike) -> EmberTensor:
    """Number of one bits in the two's complement representation."""
def bitwise_not(x: ArrayLike) -> EmberTensor:
    """Each bit inverted; logical not for bool."""
def cast(x: ArrayLike, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
    """x converted to dtype."""
def clamp(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
    """x clamped to [min, max]; a bound that is None does not apply."""
def concatenate(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays concatenated along an axis; flattened first if axis is None."""
def conjugate(x: ArrayLike) -> EmberTensor:
    """Complex conjugate."""
def count_ones(x: ArrayLike) -> EmberTensor:
    """Number of one bits in the two's complement representation."""
def degrees(x: ArrayLike) -> EmberTensor:
    """x * 180 / pi: radians converted to degrees."""
def div(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / x2; integers give the default float."""
@overload
def expand(x: ArrayLike, shape: Ints) -> EmberTensor:
    """x repeated along axes of length 1 and along new leading axes to the given shape."""
@overload
def expand(x: ArrayLike, *shape: SupportsIndex) -> EmberTensor: ...
def floordiv(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / x2); 0 for integers divided by zero."""
def floor_div(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / x2); 0 for integers divided by zero."""
def gather_elements(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
def invert(x: ArrayLike) -> EmberTensor:
    """Each bit inverted; logical not for bool."""
def left_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
def lookup(weight: ArrayLike, indices: ArrayLike) -> EmberTensor:
    """Rows of weight at indices."""
def mod(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero."""
def mul(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * x2."""
def nanstdev(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes, ignoring NaN."""
def neg(x: ArrayLike) -> EmberTensor:
    """-x."""
@overload
def permute(x: ArrayLike, axes: Ints) -> EmberTensor:
    """Axes permuted: axis i of the result is axis axes[i] of x."""
@overload
def permute(x: ArrayLike, *axes: SupportsIndex) -> EmberTensor: ...
def power(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 raised to the power x2."""
def radians(x: ArrayLike) -> EmberTensor:
    """x * pi / 180: degrees converted to radians."""
def ravel(x: ArrayLike) -> EmberTensor:
    """All elements in one axis, in row-major order."""
def reduce_all(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if all elements over axes are nonzero."""
def reduce_any(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """True if any element over axes is nonzero."""
def reduce_logsumexp(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """log(sum(exp(x))) over axes, without overflow."""
def reduce_max(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Largest element over axes; NaN if any element is NaN."""
def reduce_mean(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Arithmetic mean over axes; integers give the default float."""
def reduce_min(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """Smallest element over axes; NaN if any element is NaN."""
def reduce_prod(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Product over axes; small integers are multiplied in 64 bits."""
def reduce_std(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes: the square root of var."""
def reduce_sum(x: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
    """Sum over axes; small integers are added in 64 bits."""
def reduce_var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes: squared deviations divided by n - correction."""
def resample2d(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
def right_shift(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / 2^x2)."""
def shift_left(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
def shift_right(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """floor(x1 / 2^x2)."""
def sub(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 - x2."""
def swish(x: ArrayLike) -> EmberTensor:
    """x * sigmoid(x)."""
def true_divide(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """x1 / x2; integers give the default float."""
def unique(x: ArrayLike) -> EmberTensor:
    """Sorted distinct elements; each NaN counts as distinct."""
def hann(n: SupportsIndex, periodic: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
    """Hann window: 0.5 - 0.5 * cos(2 * pi * t)."""
@overload
def random_choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Elements drawn from a vector with probabilities p, by default equal ones."""
@overload
def random_choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
def random_shuffle(x: ArrayLike, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Entries of x along an axis in random order."""
def multinomial(probabilities: ArrayLike, num_samples: SupportsIndex = 1, replacement: builtins.bool = True, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
    """Indices drawn with the given probabilities along the last axis."""
def mean_squared_error(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """(prediction - target)^2."""
def mean_absolute_error(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """|prediction - target|."""
def attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, causal: builtins.bool = False, scale: Number | None = None) -> EmberTensor:
    """softmax(query @ key.T * scale + mask) @ value; a bool mask is true where a query may attend."""
def interpolate(x: ArrayLike, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
    """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
def stdev(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Standard deviation over axes: the square root of var."""
def mse(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """(prediction - target)^2."""
def set_seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Seeds the random generator of the process."""
def split_tensor(x: ArrayLike, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Equal parts along an axis, or the parts between the given positions."""
def tensor_sort(x: ArrayLike, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
    """Elements in ascending or descending order along an axis, NaN last."""
def tensor_var(x: ArrayLike, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
    """Variance over axes: squared deviations divided by n - correction."""
def fabs(x: ArrayLike) -> EmberTensor:
    """Absolute value |x|; the modulus of a complex number."""
def rint(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """x rounded to the given number of decimals, ties to even."""
def around(x: ArrayLike, decimals: SupportsIndex = 0) -> EmberTensor:
    """x rounded to the given number of decimals, ties to even."""
def fix(x: ArrayLike) -> EmberTensor:
    """x rounded toward zero."""
def row_stack(arrays: Tensors) -> EmberTensor:
    """Arrays concatenated along the first axis; vectors become rows."""
def bmm(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
def cat(arrays: Tensors, axis: SupportsIndex | None = 0) -> EmberTensor:
    """Arrays concatenated along an axis; flattened first if axis is None."""
def clone(x: ArrayLike) -> EmberTensor:
    """Copy of x that shares no memory with it."""
def dim(x: ArrayLike) -> builtins.int:
    """Number of axes."""
def eq(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 == x2."""
def ge(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 >= x2."""
def gt(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 > x2."""
def le(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 <= x2."""
def lt(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 < x2."""
def manual_seed(value: SupportsIndex, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> builtins.bool:
    """Seeds the random generator of the process."""
def mm(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
@overload
def movedim(x: ArrayLike, source: Ints, destination: Ints) -> EmberTensor:
    """Axes moved to new positions, the others kept in order."""
@overload
def movedim(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
def mv(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
def ne(x1: ArrayLike, x2: ArrayLike) -> EmberTensor:
    """True where x1 != x2."""
def numel(x: ArrayLike) -> builtins.int:
    """Number of elements."""
def repeat_interleave(x: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
    """Each element repeated along an axis; the flattened tensor if axis is None."""
def swapdims(x: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
    """Two axes swapped."""
def unbind(x: ArrayLike, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
    """Slices along an axis, without that axis."""
@overload
def unsqueeze(x: ArrayLike, axis: Ints = [0]) -> EmberTensor:
    """x with new axes of length 1 at the given positions."""
@overload
def unsqueeze(x: ArrayLike, *axis: SupportsIndex) -> EmberTensor: ...
@overload
def view(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
    """Same elements in another shape; one extent may be -1."""
@overload
def view(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
def inverse(x: ArrayLike) -> EmberTensor:
    """Inverses of square matrices."""
def l1_loss(prediction: ArrayLike, target: ArrayLike, reduction: builtins.str = 'mean', axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
    """|prediction - target|."""
def nelement(x: ArrayLike) -> builtins.int:
    """Number of elements."""
def take_along_dim(x: ArrayLike, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
    """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
def expit(x: ArrayLike) -> EmberTensor:
    """1 / (1 + exp(-x))."""
def gammaln(x: ArrayLike) -> EmberTensor:
    """Natural logarithm of |gamma(x)|."""
def hard_tanh(x: ArrayLike, low: Number = -1, high: Number = 1) -> EmberTensor:
    """x clamped to [low, high]."""
def hard_swish(x: ArrayLike) -> EmberTensor:
    """x * clip(x + 3, 0, 6) / 6."""
def log_sigmoid(x: ArrayLike) -> EmberTensor:
    """log(sigmoid(x)), without overflow."""
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
__all__: list[str] = ['Array', 'DType', 'EmberTensor', 'Parameter', 'Tensor', 'abs', 'absolute', 'acos', 'acosh', 'activations',
    'adaptive_average_pool', 'adaptive_max_pool', 'add', 'addcdiv', 'addcmul', 'addmm', 'addmv', 'all', 'allclose', 'amax', 'amin', 'aminmax',
    'angle', 'any', 'append', 'apply_along_axis', 'apply_over_axes', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2',
    'arctanh', 'argmax', 'argmin', 'argpartition', 'argsort', 'argwhere', 'around', 'array', 'array2string', 'array_equal', 'array_repr',
    'array_split', 'array_str', 'as_strided', 'as_tensor', 'asarray', 'ascontiguousarray', 'asin', 'asinh', 'astype', 'async_eval', 'atan',
    'atan2', 'atanh', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'atleast_nd', 'attention', 'attention_grad', 'auto_select_backend', 'average',
    'average_pool1d', 'average_pool2d', 'average_pool3d', 'backend', 'backend_info', 'baddbmm', 'bartlett', 'bartlett_window', 'batch_norm',
    'bernoulli', 'bfloat16', 'binary_cross_entropy', 'binary_crossentropy', 'binary_split', 'binary_wave_interference', 'binary_wave_propagate',
    'bincount', 'bitwise', 'bitwise_and', 'bitwise_count', 'bitwise_invert', 'bitwise_left_shift', 'bitwise_not', 'bitwise_or',
    'bitwise_right_shift', 'bitwise_xor', 'blackman', 'blackman_window', 'block', 'block_diag', 'block_until_ready', 'bmm', 'bool', 'bool_',
    'broadcast_arrays', 'broadcast_shapes', 'broadcast_to', 'bucketize', 'c_', 'can_cast', 'cartesian_prod', 'cast', 'cat',
    'categorical_cross_entropy', 'categorical_crossentropy', 'cbrt', 'cdist', 'ceil', 'celu', 'checkpoint', 'choice', 'cholesky', 'chunk',
    'clamp', 'clear_cache', 'clip', 'clone', 'column_stack', 'combinations', 'compile', 'complex', 'complex128', 'complex64', 'compress',
    'compute_energy_stability', 'compute_interference_strength', 'compute_phase_coherence', 'concat', 'concatenate', 'cond', 'conj',
    'conjugate', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d',
    'convert_to_tensor', 'convolve', 'copy', 'copysign', 'corrcoef', 'correlate', 'cos', 'cosh', 'cosine_embedding_loss', 'cosine_similarity',
    'count_nonzero', 'count_ones', 'count_zeros', 'counters', 'cov', 'create_duty_cycle', 'cross', 'ctc_loss', 'cummax', 'cummin', 'cumprod',
    'cumsum', 'cumulative_prod', 'cumulative_sum', 'cumulative_trapezoid', 'custom_function', 'custom_vjp', 'default_backend', 'default_device',
    'deg2rad', 'degrees', 'delete', 'dequantize_linear', 'det', 'device', 'device_count', 'device_get', 'device_put', 'devices', 'diag',
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
    'kaiser_window', 'kl_div_loss', 'kron', 'kthvalue', 'l1_loss', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'layer_norm_grad',
    'lcm', 'ldexp', 'le', 'leaky_relu', 'left_shift', 'lerp', 'less', 'less_equal', 'lexsort', 'lgamma', 'linear', 'linearalg', 'linspace',
    'load', 'load_metadata', 'loadtxt', 'local_devices', 'log', 'log10', 'log1p', 'log2', 'log_cosh_loss', 'log_sigmoid', 'log_softmax',
    'logaddexp', 'logaddexp2', 'logcumsumexp', 'logdet', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'logit', 'logsigmoid',
    'logspace', 'logsumexp', 'lookup', 'lstm', 'lstm_cell', 'lstsq', 'lt', 'lu', 'mae_loss', 'manual_seed', 'masked_fill', 'masked_scatter',
    'masked_select', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'matvec', 'max', 'max_pool1d', 'max_pool2d',
    'max_pool3d', 'maximum', 'mean', 'mean_absolute_error', 'mean_squared_error', 'median', 'mel_filter_bank', 'memory_info', 'memory_stats',
    'memory_usage', 'meshgrid', 'mgrid', 'min', 'minimum', 'mish', 'mm', 'mod', 'mode', 'modf', 'moveaxis', 'movedim', 'mse', 'mse_loss', 'mul',
    'multi_dot', 'multinomial', 'multiply', 'mv', 'nan', 'nan_to_num', 'nanargmax', 'nanargmin', 'nancumprod', 'nancumsum', 'nanmax', 'nanmean',
    'nanmedian', 'nanmin', 'nanpercentile', 'nanprod', 'nanquantile', 'nanstd', 'nanstdev', 'nansum', 'nanvar', 'narrow', 'nbytes', 'ndarray',
    'ndenumerate', 'ndim', 'ndindex', 'ne', 'neg', 'negative', 'nelement', 'newaxis', 'nextafter', 'nll_loss', 'no_grad', 'nonzero', 'norm',
    'normal', 'normalize_vector', 'not_equal', 'numel', 'ogrid', 'one_hot', 'ones', 'ones_like', 'orthogonal', 'outer', 'overlap_add', 'pad',
    'pairwise_distance', 'partial_interference', 'partition', 'percentile', 'permute', 'permute_dims', 'pi', 'piecewise', 'pinv',
    'pixel_shuffle', 'pixel_unshuffle', 'polar', 'poly', 'polyadd', 'polyder', 'polydiv', 'polyfit', 'polyint', 'polymul', 'polysub', 'polyval',
    'popcount', 'positive', 'pow', 'power', 'prelu', 'prod', 'promote_types', 'ptp', 'put_along_axis', 'qr', 'quantile', 'quantize_linear',
    'r_', 'rad2deg', 'radians', 'rand', 'rand_like', 'randint', 'randn', 'randn_like', 'random', 'random_bernoulli', 'random_beta',
    'random_binomial', 'random_bits', 'random_categorical', 'random_choice', 'random_exponential', 'random_gamma', 'random_gumbel',
    'random_integers', 'random_laplace', 'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson', 'random_shuffle',
    'random_uniform', 'randperm', 'ravel', 'ravel_multi_index', 'real', 'real_if_close', 'reciprocal', 'reduce_all', 'reduce_any', 'reduce_l1',
    'reduce_l2', 'reduce_log_sum', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum',
    'reduce_sum_square', 'reduce_var', 'relu', 'relu6', 'remainder', 'remat', 'repeat', 'repeat_interleave', 'resample', 'resample2d',
    'reshape', 'resize', 'result_type', 'rfft', 'rfft2', 'rfftfreq', 'rfftn', 'right_shift', 'rint', 'rms_norm', 'rnn', 'rnn_cell', 'roll',
    'rollaxis', 'roots', 'rope', 'rot90', 'rotate_left', 'rotate_right', 'round', 'row_stack', 'rsqrt', 's_', 'save', 'savetxt', 'savez',
    'scaled_dot_product_attention', 'scatter', 'scatter_add', 'scatter_elements', 'scatter_max', 'scatter_mean', 'scatter_min', 'scatter_nd',
    'scatter_reduce', 'scatter_softmax', 'searchsorted', 'seed', 'segment_sum', 'select', 'selu', 'set_backend', 'set_bit',
    'set_default_device', 'set_default_dtype', 'set_device', 'set_grad_enabled', 'set_ops', 'set_printoptions', 'set_seed', 'setdiff1d',
    'setxor1d', 'shape', 'shift_left', 'shift_right', 'shuffle', 'sigmoid', 'sign', 'signbit', 'silu', 'sin', 'sinc', 'sinh', 'size', 'slice',
    'slice_tensor', 'slice_update', 'slogdet', 'softmax', 'softplus', 'softshrink', 'softsign', 'solve', 'solve_triangular', 'sort', 'spacing',
    'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'spectrogram', 'split', 'split_tensor', 'sqrt', 'square', 'squeeze',
    'stack', 'stats', 'std', 'std_mean', 'stdev', 'stft', 'stop_gradient', 'strides', 'sub', 'subtract', 'sum', 'svd', 'svdvals', 'swapaxes',
    'swapdims', 'swish', 'synchronize', 't', 'take', 'take_along_axis', 'take_along_dim', 'tan', 'tanh', 'tanhshrink',
    'tensor_scatter_nd_update', 'tensor_sort', 'tensor_split', 'tensor_var', 'tensordot', 'threshold', 'tile', 'to_device', 'to_dtype_str',
    'to_numpy', 'toggle_bit', 'tolist', 'topk', 'trace', 'transpose', 'trapezoid', 'trapz', 'tree_map', 'tri', 'tril', 'tril_indices',
    'tril_indices_from', 'trim_zeros', 'triu', 'triu_indices', 'triu_indices_from', 'true_divide', 'trunc', 'truncated_normal', 'uint16',
    'uint32', 'uint4', 'uint64', 'uint8', 'unbind', 'unflatten', 'union1d', 'unique', 'unique_all', 'unique_consecutive', 'unique_counts',
    'unique_inverse', 'unique_values', 'unravel_index', 'unsqueeze', 'unstack', 'unwrap', 'using_backend', 'value_and_grad', 'vander', 'var',
    'var_mean', 'vdot', 'vecdot', 'vecmat', 'vector_norm', 'vectorize', 'view', 'view_as_complex', 'view_as_real', 'vjp', 'vsplit', 'vstack',
    'where', 'windows', 'xlog1py', 'xlogy', 'zeros', 'zeros_like']
