# Written by tools/generate/stubs.py: run `make generate`.


import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from types import EllipsisType, ModuleType
from typing import Any, ClassVar, NamedTuple, Protocol, Self, SupportsFloat, SupportsIndex, TypeAlias, overload

from typing_extensions import Buffer

from ember_ml._compat.methods import Size
from ember_ml.tensor import _Tensor

__version__: builtins.str

class _HasArray(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

class _HasDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

class _HasItemsize(Protocol):  # the dtypes of NumPy and torch
    @property
    def itemsize(self) -> builtins.int: ...

class _HasSize(Protocol):  # those of MLX
    @property
    def size(self) -> builtins.int: ...

ArrayLike: TypeAlias = EmberTensor | builtins.complex | list[Any] | builtins.tuple[Any, ...] | range | Buffer | _HasArray | _HasDLPack
DTypeLike: TypeAlias = DType | builtins.str | builtins.type[Any] | _HasItemsize | _HasSize | Callable[[], Any]
Tensors: TypeAlias = EmberTensor | Sequence[ArrayLike]
Number: TypeAlias = SupportsFloat | SupportsIndex
Ints: TypeAlias = EmberTensor | SupportsIndex | Sequence[SupportsIndex | Sequence[SupportsIndex]]
Index: TypeAlias = SupportsIndex | builtins.slice | EllipsisType | list[Any] | builtins.tuple[Any, ...] | _HasDLPack | _HasArray | None

class Function:
    """An op whose name is known at run time only; most give a tensor. `ops` has all of them with their types."""

    __name__: builtins.str
    family: builtins.str
    def __call__(self, *args: Any, **kwargs: Any) -> EmberTensor: ...

functions: builtins.dict[builtins.str, Function]

class Error(builtins.Exception): ...

class ShapeError(Error, builtins.ValueError): ...

class DTypeError(Error, builtins.TypeError): ...

class IndexError(Error, builtins.IndexError): ...

class ValueError(Error, builtins.ValueError): ...

class DeviceError(Error, builtins.RuntimeError): ...

class UnsupportedError(Error, builtins.NotImplementedError): ...

class EngineError(Error, builtins.RuntimeError): ...

class StateError(Error, builtins.RuntimeError): ...

class MemoryError(Error, builtins.MemoryError): ...

class IoError(Error, builtins.OSError): ...

class DType(object):
    """The type of a tensor's elements."""
    def __new__(cls, dtype: DTypeLike) -> DType: ...
    def __call__(self, data: ArrayLike = 0, /) -> EmberTensor: ...
    def __hash__(self) -> builtins.int: ...
    def __eq__(self, other: object, /) -> builtins.bool: ...
    def __ne__(self, other: object, /) -> builtins.bool: ...
    @property
    def name(self) -> builtins.str:
        """The name, such as 'float32'."""
    @property
    def dtype(self) -> Any:
        """NumPy's dtype of that name, for NumPy's functions."""
    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
    @property
    def kind(self) -> builtins.str:
        """NumPy's letter for the kind of number: b, i, u, f or c."""
    @property
    def char(self) -> builtins.str:
        """NumPy's letter for the type."""
    @property
    def is_floating_point(self) -> builtins.bool:
        """Whether elements are real floating-point numbers."""
    @property
    def is_complex(self) -> builtins.bool:
        """Whether elements are complex numbers."""

class EmberTensor(_Tensor):
    """A tensor: calling an op records it, reading a value evaluates it."""
    def __init__(self, data: ArrayLike | None = None, *, dtype: DTypeLike | None = None, device: builtins.str | None = None, requires_grad: builtins.bool = False) -> None: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __lt__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __le__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __eq__(self, other: object, /) -> EmberTensor: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> EmberTensor: ...  # type: ignore[override]
    def __gt__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __ge__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __iter__(self) -> Iterator[EmberTensor]: ...
    def __add__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __radd__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __sub__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rsub__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __mul__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rmul__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __mod__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rmod__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __divmod__(self, other: ArrayLike, /) -> builtins.tuple[EmberTensor, EmberTensor]: ...
    def __rdivmod__(self, other: ArrayLike, /) -> builtins.tuple[EmberTensor, EmberTensor]: ...
    def __pow__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rpow__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __neg__(self) -> EmberTensor: ...
    def __pos__(self) -> EmberTensor: ...
    def __abs__(self) -> EmberTensor: ...
    def __bool__(self) -> builtins.bool: ...
    def __invert__(self) -> EmberTensor: ...
    def __lshift__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rlshift__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rshift__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rrshift__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __and__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rand__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __xor__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rxor__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __or__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __ror__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __int__(self) -> builtins.int: ...
    def __float__(self) -> builtins.float: ...
    def __iadd__(self, other: ArrayLike, /) -> Self: ...
    def __isub__(self, other: ArrayLike, /) -> Self: ...
    def __imul__(self, other: ArrayLike, /) -> Self: ...
    def __imod__(self, other: ArrayLike, /) -> Self: ...
    def __ipow__(self, other: ArrayLike, /) -> Self: ...
    def __ilshift__(self, other: ArrayLike, /) -> Self: ...
    def __irshift__(self, other: ArrayLike, /) -> Self: ...
    def __iand__(self, other: ArrayLike, /) -> Self: ...
    def __ixor__(self, other: ArrayLike, /) -> Self: ...
    def __ior__(self, other: ArrayLike, /) -> Self: ...
    def __floordiv__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rfloordiv__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __truediv__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rtruediv__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __ifloordiv__(self, other: ArrayLike, /) -> Self: ...
    def __itruediv__(self, other: ArrayLike, /) -> Self: ...
    def __index__(self) -> builtins.int: ...
    def __matmul__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __rmatmul__(self, other: ArrayLike, /) -> EmberTensor: ...
    def __imatmul__(self, other: ArrayLike, /) -> Self: ...
    def __len__(self) -> builtins.int: ...
    def __getitem__(self, key: Index, /) -> EmberTensor: ...
    def __setitem__(self, key: Index, value: ArrayLike, /) -> None: ...
    def __contains__(self, value: object, /) -> builtins.bool: ...
    @property
    def shape(self) -> builtins.tuple[builtins.int, ...]:
        """The length of each axis."""
    @property
    def dtype(self) -> DType:
        """The type of the elements."""
    @property
    def device(self) -> builtins.str:
        """The device of the tensor."""
    @property
    def backend(self) -> builtins.str:
        """The backend of the tensor."""
    @property
    def requires_grad(self) -> builtins.bool:
        """Whether the tensor requires gradients."""
    @requires_grad.setter
    def requires_grad(self, value: builtins.bool) -> None: ...
    @property
    def ndim(self) -> builtins.int:
        """The number of axes."""
    @property
    def size(self) -> Size:
        """The number of elements; size(axis) is a length."""
    @property
    def nbytes(self) -> builtins.int:
        """The number of bytes of all elements."""
    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
    @property
    def strides(self) -> builtins.tuple[builtins.int, ...]:
        """Distances between neighbors along each axis, in elements; evaluates the tensor."""
    @property
    def data(self) -> EmberTensor:
        """The value without a gradient; assignment replaces it by one of the same shape and dtype."""
    @data.setter
    def data(self, value: ArrayLike) -> None: ...
    @property
    def T(self) -> EmberTensor:
        """The transposed matrix."""
    @property
    def mT(self) -> EmberTensor:
        """The last two axes swapped."""
    @property
    def real(self) -> EmberTensor:
        """The real part."""
    @property
    def imag(self) -> EmberTensor:
        """The imaginary part."""
    @property
    def grad(self) -> EmberTensor | None:
        """The gradient from backward(), or None."""
    @grad.setter
    def grad(self, value: ArrayLike | None) -> None: ...
    @property
    def is_leaf(self) -> builtins.bool:
        """Whether the tensor was not computed from tensors that require gradients."""
    @property
    def evaluated(self) -> builtins.bool:
        """Whether the value has been computed."""
    @property
    def _dtype(self) -> DType: ...
    @property
    def _device(self) -> builtins.str: ...
    @property
    def _requires_grad(self) -> builtins.bool: ...
    @property
    def _backend(self) -> builtins.str: ...
    def item(self) -> Any:
        """The only element as a Python number."""
    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
    def zero_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """zero, in place: this name gets the new value."""
    def eval(self) -> Self:
        """Evaluates the tensor."""
    def detach(self) -> EmberTensor:
        """The same value without a gradient."""
    def backward(self, gradient: ArrayLike | None=None, retain_graph: builtins.bool=False, create_graph: builtins.bool=False) -> None:
        """Adds the gradients of this tensor to grad of every leaf that requires them."""
    def to_device(self, device: str, *, stream: object | None=None) -> EmberTensor:
        """The same value on another device."""
    def to_backend(self, name: str) -> EmberTensor:
        """The same value on another engine."""
    def __array_namespace__(self, *, api_version: str | None=None) -> ModuleType:
        """The array API namespace: ember_ml."""
    def _repr_html_(self) -> str: ...
    def __format__(self, how: builtins.str, /) -> builtins.str: ...
    def __round__(self, ndigits: object | None=None) -> Any: ...
    def __complex__(self) -> builtins.complex: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __dlpack__(self, *, stream: object | None=None, max_version: object | None=None, dl_device: object | None=None, copy: builtins.bool | None=None) -> Any:
        """The memory as a DLPack capsule."""
    def __dlpack_device__(self) -> tuple[builtins.int, builtins.int]:
        """DLPack's device: (1, 0), host memory."""
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> Any: ...
    def to_numpy(self) -> Any:
        """The tensor as a NumPy array, sharing its memory."""
    def to_backend_tensor(self) -> Any:
        """The tensor as its backend's own object: an np.ndarray, torch.Tensor or mx.array."""
    def __jax_array__(self) -> Any:
        """The tensor as a JAX array."""
    def tobytes(self) -> bytes:
        """The bytes of the elements in row-major order."""
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...
    def asarray(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, converted to dtype if one is given."""
    def zeros(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of zeros."""
    def ones(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of ones."""
    def full(self, shape: Ints, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor with every element equal to fill_value."""
    def empty(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of zeros; memory is never uninitialized."""
    def zeros_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Zeros with the shape of x."""
    def ones_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Ones with the shape of x."""
    def full_like(self, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor with the shape of x and every element equal to fill_value."""
    def empty_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Zeros with the shape of x."""
    def eye(self, n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Ones on the k-th diagonal, zeros elsewhere."""
    def arange(self, start: Any, stop: Any | None = None, step: Any = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """start, start + step, start + 2 * step, ..., stop excluded; one argument is stop."""
    def linspace(self, start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """num evenly spaced numbers from start to stop."""
    def tril(self, k: SupportsIndex = 0) -> EmberTensor:
        """Lower triangles of matrices: zero above the k-th diagonal."""
    def triu(self, k: SupportsIndex = 0) -> EmberTensor:
        """Upper triangles of matrices: zero below the k-th diagonal."""
    def diag(self, k: SupportsIndex = 0, *, device: builtins.str | None = None) -> EmberTensor:
        """Matrix with the vector x on its k-th diagonal, or the k-th diagonal of the matrix x."""
    def copy(self) -> EmberTensor:
        """Copy of x that shares no memory with it."""
    def astype(self, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
        """x converted to dtype."""
    def vander(self, n: SupportsIndex | None = None, increasing: builtins.bool = False, *, device: builtins.str | None = None) -> EmberTensor:
        """Vandermonde matrix: powers of a vector's elements as columns."""
    def abs(self) -> EmberTensor:
        """Absolute value |x|; the modulus of a complex number."""
    def acos(self) -> EmberTensor:
        """Inverse cosine."""
    def acosh(self) -> EmberTensor:
        """Inverse hyperbolic cosine."""
    def asin(self) -> EmberTensor:
        """Inverse sine."""
    def asinh(self) -> EmberTensor:
        """Inverse hyperbolic sine."""
    def atan(self) -> EmberTensor:
        """Inverse tangent."""
    def atanh(self) -> EmberTensor:
        """Inverse hyperbolic tangent."""
    def bitwise_invert(self) -> EmberTensor:
        """Each bit inverted; logical not for bool."""
    def cbrt(self) -> EmberTensor:
        """Cube root."""
    def ceil(self) -> EmberTensor:
        """Smallest integer not less than x."""
    def conj(self) -> EmberTensor:
        """Complex conjugate."""
    def cos(self) -> EmberTensor:
        """Cosine."""
    def cosh(self) -> EmberTensor:
        """Hyperbolic cosine."""
    def digamma(self) -> EmberTensor:
        """Logarithmic derivative of the gamma function."""
    def erf(self) -> EmberTensor:
        """Error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
    def erfc(self) -> EmberTensor:
        """Complementary error function: 1 - erf(x), computed without cancellation."""
    def erfinv(self) -> EmberTensor:
        """Inverse error function: y with erf(y) = x."""
    def exp(self) -> EmberTensor:
        """e raised to the power x."""
    def exp2(self) -> EmberTensor:
        """2 raised to the power x."""
    def expm1(self) -> EmberTensor:
        """exp(x) - 1, accurate near 0."""
    def floor(self) -> EmberTensor:
        """Largest integer not greater than x."""
    def isfinite(self) -> EmberTensor:
        """True where x is neither infinite nor NaN."""
    def isinf(self) -> EmberTensor:
        """True where x is positive or negative infinity."""
    def isnan(self) -> EmberTensor:
        """True where x is NaN."""
    def lgamma(self) -> EmberTensor:
        """Natural logarithm of |gamma(x)|."""
    def log(self) -> EmberTensor:
        """Natural logarithm."""
    def log10(self) -> EmberTensor:
        """Logarithm to base 10."""
    def log1p(self) -> EmberTensor:
        """log(1 + x), accurate near 0."""
    def log2(self) -> EmberTensor:
        """Logarithm to base 2."""
    def logical_not(self) -> EmberTensor:
        """True where x is zero or false."""
    def negative(self) -> EmberTensor:
        """-x."""
    def popcount(self) -> EmberTensor:
        """Number of one bits in the two's complement representation."""
    def count_zeros(self) -> EmberTensor:
        """Number of zero bits in the two's complement representation."""
    def positive(self) -> EmberTensor:
        """x itself."""
    def reciprocal(self) -> EmberTensor:
        """1 / x."""
    def round(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """x rounded to the given number of decimals, ties to even."""
    def rsqrt(self) -> EmberTensor:
        """1 / sqrt(x)."""
    def sigmoid(self) -> EmberTensor:
        """1 / (1 + exp(-x))."""
    def sign(self) -> EmberTensor:
        """-1, 0 or 1; x / |x| for complex numbers."""
    def signbit(self) -> EmberTensor:
        """True where the sign bit is set, including that of -0.0 and of NaN."""
    def sin(self) -> EmberTensor:
        """Sine."""
    def sinh(self) -> EmberTensor:
        """Hyperbolic sine."""
    def sqrt(self) -> EmberTensor:
        """Square root."""
    def square(self) -> EmberTensor:
        """x * x."""
    def tan(self) -> EmberTensor:
        """Tangent."""
    def tanh(self) -> EmberTensor:
        """Hyperbolic tangent."""
    def trunc(self) -> EmberTensor:
        """x rounded toward zero."""
    def angle(self) -> EmberTensor:
        """Argument of a complex number in radians; 0 or pi for real numbers."""
    def deg2rad(self) -> EmberTensor:
        """x * pi / 180: degrees converted to radians."""
    def rad2deg(self) -> EmberTensor:
        """x * 180 / pi: radians converted to degrees."""
    def sinc(self) -> EmberTensor:
        """sin(pi * x) / (pi * x), and 1 at 0."""
    def add(self, x2: ArrayLike) -> EmberTensor:
        """x1 + x2."""
    def subtract(self, x2: ArrayLike) -> EmberTensor:
        """x1 - x2."""
    def multiply(self, x2: ArrayLike) -> EmberTensor:
        """x1 * x2."""
    def divide(self, x2: ArrayLike) -> EmberTensor:
        """x1 / x2; integers give the default float."""
    def maximum(self, x2: ArrayLike) -> EmberTensor:
        """Larger of x1 and x2; NaN if either is NaN."""
    def minimum(self, x2: ArrayLike) -> EmberTensor:
        """Smaller of x1 and x2; NaN if either is NaN."""
    def floor_divide(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / x2); 0 for integers divided by zero."""
    def remainder(self, x2: ArrayLike) -> EmberTensor:
        """Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero."""
    def fmod(self, x2: ArrayLike) -> EmberTensor:
        """Remainder of x1 / x2 with the sign of x1."""
    def pow(self, x2: ArrayLike) -> EmberTensor:
        """x1 raised to the power x2."""
    def atan2(self, x2: ArrayLike) -> EmberTensor:
        """Angle in radians between the positive x axis and the point (x2, x1)."""
    def copysign(self, x2: ArrayLike) -> EmberTensor:
        """x1 with the sign of x2."""
    def hypot(self, x2: ArrayLike) -> EmberTensor:
        """sqrt(x1^2 + x2^2), without overflow."""
    def logaddexp(self, x2: ArrayLike) -> EmberTensor:
        """log(exp(x1) + exp(x2)), without overflow."""
    def nextafter(self, x2: ArrayLike) -> EmberTensor:
        """Next representable number after x1 in the direction of x2."""
    def heaviside(self, x2: ArrayLike) -> EmberTensor:
        """0 where x1 < 0, x2 where x1 = 0, and 1 where x1 > 0."""
    def bitwise_and(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise and; logical and for bool."""
    def bitwise_or(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise or; logical or for bool."""
    def bitwise_xor(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise exclusive or; logical exclusive or for bool."""
    def bitwise_left_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
    def bitwise_right_shift(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / 2^x2)."""
    def rotate_left(self, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
        """Lowest bit_width bits (by default all) rotated left by the given number."""
    def rotate_right(self, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
        """Lowest bit_width bits (by default all) rotated right by the given number."""
    def get_bit(self, position: ArrayLike) -> EmberTensor:
        """Bit at position, 0 or 1; position 0 is the lowest."""
    def set_bit(self, position: ArrayLike, value: ArrayLike) -> EmberTensor:
        """x with the bit at position set to value."""
    def toggle_bit(self, position: ArrayLike) -> EmberTensor:
        """x with the bit at position inverted."""
    def logical_and(self, x2: ArrayLike) -> EmberTensor:
        """True where both x1 and x2 are nonzero."""
    def logical_or(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 or x2 is nonzero."""
    def logical_xor(self, x2: ArrayLike) -> EmberTensor:
        """True where exactly one of x1 and x2 is nonzero."""
    def not_equal(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 != x2."""
    def less(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 < x2."""
    def less_equal(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 <= x2."""
    def greater(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 > x2."""
    def greater_equal(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 >= x2."""
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
        """x clamped to [min, max]; a bound that is None does not apply."""
    def lerp(self, b: ArrayLike, weight: ArrayLike) -> EmberTensor:
        """a + (b - a) * weight."""
    def nan_to_num(self, nan: Number = 0.0, posinf: Number | None = None, neginf: Number | None = None) -> EmberTensor:
        """x with NaN, inf and -inf replaced; by default inf by the largest finite number."""
    def isclose(self, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
        """True where |a - b| <= atol + rtol * |b|."""
    def allclose(self, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
        """True if |a - b| <= atol + rtol * |b| for all elements."""
    def array_equal(self, b: ArrayLike, equal_nan: builtins.bool = False) -> EmberTensor:
        """True if a and b have the same shape and equal elements."""
    def sum(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum over axes; small integers are added in 64 bits."""
    def prod(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Product over axes; small integers are multiplied in 64 bits."""
    def mean(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Arithmetic mean over axes; integers give the default float."""
    def var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes: squared deviations divided by n - correction."""
    def std(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes: the square root of var."""
    def max(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if any element is NaN."""
    def min(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if any element is NaN."""
    def all(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if all elements over axes are nonzero."""
    def any(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if any element over axes is nonzero."""
    def count_nonzero(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Number of nonzero elements over axes."""
    def logsumexp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """log(sum(exp(x))) over axes, without overflow."""
    def argmax(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first largest element along an axis, or of the flattened tensor."""
    def argmin(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first smallest element along an axis, or of the flattened tensor."""
    def cumulative_sum(self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False, reverse: builtins.bool = False, exclusive: builtins.bool = False) -> EmberTensor:
        """Running sum along an axis."""
    def cumulative_prod(self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False) -> EmberTensor:
        """Running product along an axis."""
    def cumsum(self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False, reverse: builtins.bool = False, exclusive: builtins.bool = False) -> EmberTensor:
        """Running sum along an axis, or of the flattened tensor."""
    def cumprod(self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, include_initial: builtins.bool = False) -> EmberTensor:
        """Running product along an axis, or of the flattened tensor."""
    def cummax(self, axis: SupportsIndex | None = None) -> EmberTensor:
        """Running maximum along an axis."""
    def cummin(self, axis: SupportsIndex | None = None) -> EmberTensor:
        """Running minimum along an axis."""
    def logcumsumexp(self, axis: SupportsIndex = -1) -> EmberTensor:
        """Running log(sum(exp(x))) along an axis, without overflow."""
    def sort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Elements in ascending or descending order along an axis, NaN last."""
    def argsort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Indices that would sort x along an axis."""
    def topk(self, k: SupportsIndex, axis: SupportsIndex = -1, largest: builtins.bool = True) -> topk_result:
        """The k largest or smallest elements along an axis, sorted, and their indices."""
    def searchsorted(self, x2: ArrayLike, side: builtins.str = 'left', sorter: ArrayLike | None = None) -> EmberTensor:
        """Index at which each element of x2 keeps the sorted vector x1 in order."""
    def nonzero(self) -> builtins.tuple[EmberTensor, ...]:
        """Indices of the nonzero elements, one vector for each axis."""
    def argwhere(self) -> EmberTensor:
        """Indices of the nonzero elements, one row for each element."""
    def unique_all(self) -> unique_all_result:
        """Sorted distinct elements, index of the first occurrence, index of each element of x among them, and counts."""
    def unique_counts(self) -> unique_counts_result:
        """Sorted distinct elements and how often each occurs."""
    def unique_inverse(self) -> unique_inverse_result:
        """Sorted distinct elements and, for each element of x, its index among them."""
    def unique_values(self) -> EmberTensor:
        """Sorted distinct elements; each NaN counts as distinct."""
    def isin(self, x2: ArrayLike, invert: builtins.bool = False) -> EmberTensor:
        """True where an element of x1 occurs in x2."""
    def median(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Middle element over axes, or the mean of the two middle ones; NaN if any element is NaN."""
    def quantile(self, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
        """Quantiles q in [0, 1] over axes; the axes of q come first in the result."""
    def percentile(self, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
        """Quantiles over axes for q in [0, 100]."""
    def diff(self, n: SupportsIndex = 1, axis: SupportsIndex = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> EmberTensor:
        """Differences x[i + 1] - x[i] along an axis, applied n times."""
    def gradient(f, *varargs: Any, axis: Any=None, edge_order: builtins.int=1, x: Any=None, spacing: Any=None) -> Any:
        """Gradient along an axis, or a list of gradients along several; along all axes if axis is None."""
    def histogram(self, bins: SupportsIndex = 10, low: Number | None = None, high: Number | None = None, weights: ArrayLike | None = None, density: builtins.bool = False) -> histogram_result:
        """Counts in bins of equal width and the bin edges."""
    def bincount(self, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> EmberTensor:
        """Count of each non-negative integer, or the sum of its weights."""
    def digitize(self, bins: ArrayLike, right: builtins.bool = False) -> EmberTensor:
        """Index of the bin of each element; bins are monotonic and right closes them at the right."""
    def nansum(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum over axes, ignoring NaN."""
    def nanprod(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Product over axes, ignoring NaN."""
    def nanmean(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Mean over axes, ignoring NaN."""
    def nanvar(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes, ignoring NaN."""
    def nanstd(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes, ignoring NaN."""
    def nanmax(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes, ignoring NaN; NaN if all elements are NaN."""
    def nanmin(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes, ignoring NaN; NaN if all elements are NaN."""
    def nanmedian(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Median over axes, ignoring NaN."""
    def nanargmax(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first largest element, ignoring NaN."""
    def nanargmin(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first smallest element, ignoring NaN."""
    def cov(self, y: ArrayLike | None = None, rowvar: builtins.bool = True, ddof: Number = 1.0) -> EmberTensor:
        """Covariance matrix of variables, one in each row (or column if rowvar is false)."""
    def corrcoef(self, y: ArrayLike | None = None, rowvar: builtins.bool = True) -> EmberTensor:
        """Correlation matrix of variables, one in each row (or column if rowvar is false)."""
    def gaussian(self, mu: ArrayLike = 0.0, sigma: ArrayLike = 1.0) -> EmberTensor:
        """Density of the normal distribution with mean mu and standard deviation sigma."""
    def reduce_l1(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum of absolute values over axes."""
    def reduce_l2(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Square root of the sum of squares over axes."""
    def reduce_log_sum(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """log(sum(x)) over axes."""
    def reduce_sum_square(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum of squares over axes."""
    def ptp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """max(x) - min(x) over axes."""
    def average(self, axis: Ints | None = None, weights: ArrayLike | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Mean over axes, weighted if weights are given."""
    @overload
    def reshape(self, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
        """Same elements in another shape; one extent may be -1."""
    @overload
    def reshape(self, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
    @overload
    def transpose(self, axes: Ints | None = None) -> EmberTensor:
        """Axes permuted; without axes, reversed."""
    @overload
    def transpose(self, *axes: SupportsIndex) -> EmberTensor: ...
    @overload
    def permute_dims(self, axes: Ints) -> EmberTensor:
        """Axes permuted: axis i of the result is axis axes[i] of x."""
    @overload
    def permute_dims(self, *axes: SupportsIndex) -> EmberTensor: ...
    def matrix_transpose(self) -> EmberTensor:
        """Last two axes swapped."""
    @overload
    def moveaxis(self, source: Ints, destination: Ints) -> EmberTensor:
        """Axes moved to new positions, the others kept in order."""
    @overload
    def moveaxis(self, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
        """Two axes swapped."""
    def squeeze(self, axis: Ints | None = None) -> EmberTensor:
        """Axes of length 1 removed."""
    @overload
    def expand_dims(self, axis: Ints = [0]) -> EmberTensor:
        """x with new axes of length 1 at the given positions."""
    @overload
    def expand_dims(self, *axis: SupportsIndex) -> EmberTensor: ...
    @overload
    def broadcast_to(self, shape: Ints) -> EmberTensor:
        """x repeated along axes of length 1 and along new leading axes to the given shape."""
    @overload
    def broadcast_to(self, *shape: SupportsIndex) -> EmberTensor: ...
    def unstack(self, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Slices along an axis, without that axis."""
    def split(self, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Equal parts along an axis, or the parts between the given positions."""
    def array_split(self, sections: SupportsIndex, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Parts along an axis whose lengths differ by at most 1."""
    @overload
    def tile(self, repetitions: Ints) -> EmberTensor:
        """x repeated as a block along its axes."""
    @overload
    def tile(self, *repetitions: SupportsIndex) -> EmberTensor: ...
    def repeat(self, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Each element repeated along an axis; the flattened tensor if axis is None."""
    def flip(self, axis: Ints | None = None) -> EmberTensor:
        """Elements in reverse order along axes."""
    def roll(self, shift: Ints, axis: Ints | None = None) -> EmberTensor:
        """Elements shifted along axes; those shifted out re-enter at the other end."""
    def rot90(self, k: SupportsIndex = 1, axes: Ints = [0, 1]) -> EmberTensor:
        """x rotated by k * 90 degrees in the plane of two axes."""
    def pad(self, pad_width: Ints, mode: builtins.str = 'constant', value: ArrayLike = 0) -> EmberTensor:
        """x with elements added at both ends of each axis; mode is constant, edge, reflect, symmetric or wrap."""
    def flatten(self) -> EmberTensor:
        """All elements in one axis, in row-major order."""
    def atleast_nd(self, ndim: SupportsIndex) -> EmberTensor:
        """x with leading axes of length 1 until it has ndim axes."""
    def diagonal(self, offset: SupportsIndex = 0, axis1: SupportsIndex = -2, axis2: SupportsIndex = -1) -> EmberTensor:
        """Diagonals of matrices as the last axis."""
    def as_strided(self, shape: Ints, strides: Ints, offset: SupportsIndex = 0) -> EmberTensor:
        """View of the contiguous x with the given shape and strides, in elements."""
    def windows(self, window: Ints, step: Ints = [1], axis: Ints | None = None) -> EmberTensor:
        """Sliding windows along axes; the axes within a window come last."""
    def frame(self, frame_length: SupportsIndex, hop_length: SupportsIndex, axis: SupportsIndex = -1) -> EmberTensor:
        """Frames of frame_length elements along an axis, one every hop_length elements."""
    def slice(self, starts: Ints, stops: Ints, steps: Ints | None = None, axes: Ints | None = None) -> EmberTensor:
        """x[start:stop:step] along the given axes."""
    def take(self, indices: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Slices of x at indices along an axis; elements of the flattened tensor if axis is None."""
    def take_along_axis(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
    def gather(self, indices: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
        """Slices of x at indices along an axis."""
    def gather_nd(self, indices: ArrayLike) -> EmberTensor:
        """Elements or slices of x at index tuples; the last axis of indices holds a tuple."""
    def scatter_elements(self, indices: ArrayLike, updates: ArrayLike, axis: SupportsIndex = 0, reduction: builtins.str = 'set') -> EmberTensor:
        """x with updates combined at indices along an axis by set, add, mul, max or min."""
    def scatter_nd(self, indices: ArrayLike, updates: ArrayLike, reduction: builtins.str = 'set') -> EmberTensor:
        """x with updates combined at index tuples by set, add, mul, max or min."""
    def tensor_scatter_nd_update(self, indices: ArrayLike, updates: ArrayLike) -> EmberTensor:
        """x with updates stored at index tuples."""
    @overload
    def slice_update(self, update: ArrayLike, starts: Ints, steps: Ints | None = None) -> EmberTensor:
        """x with the slice that begins at starts replaced by update."""
    @overload
    def slice_update(self, update: ArrayLike, starts: Ints, *steps: SupportsIndex) -> EmberTensor: ...
    @overload
    def slice_tensor(self, starts: Ints, sizes: Ints) -> EmberTensor:
        """Slice of x that begins at starts; a size of -1 extends to the end."""
    @overload
    def slice_tensor(self, starts: Ints, *sizes: SupportsIndex) -> EmberTensor: ...
    def index_add(self, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
        """x with values added at indices along an axis."""
    def put_along_axis(self, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """x with values stored at indices along an axis: x[i, indices[i, j]] for axis 1."""
    def segment_sum(self, segment_ids: ArrayLike, num_segments: SupportsIndex | None = None) -> EmberTensor:
        """Sum of the slices with each segment id."""
    def masked_select(self, mask: ArrayLike) -> EmberTensor:
        """Elements where mask is true, as a vector."""
    def masked_fill(self, mask: ArrayLike, value: ArrayLike) -> EmberTensor:
        """x with value stored where mask is true."""
    def matmul(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
    def dot(self, b: ArrayLike) -> EmberTensor:
        """Sum of products over the last axis of a and the second to last of b; with a scalar, the product."""
    def inner(self, b: ArrayLike) -> EmberTensor:
        """Sum of products over the last axes of a and b."""
    def outer(self, x2: ArrayLike) -> EmberTensor:
        """Product of each element of x1 with each element of x2, both flattened."""
    def vecdot(self, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Sum of conj(x1) * x2 along an axis."""
    def tensordot(self, x2: ArrayLike, axes: Any = 2) -> EmberTensor:
        """Sum of products over several axes: the last of x1 and the first of x2, or two lists."""
    def kron(self, b: ArrayLike) -> EmberTensor:
        """Kronecker product: each element of a times b."""
    def cross(self, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Cross product of 3-element vectors along an axis."""
    def gemm(self, b: ArrayLike, c: ArrayLike | None = None, alpha: Number = 1, beta: Number = 1, a_transpose: builtins.bool = False, b_transpose: builtins.bool = False) -> EmberTensor:
        """alpha * a @ b + beta * c, with a and b transposed on request."""
    def trace(self, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum of the elements of a diagonal of matrices."""
    def cholesky(self, upper: builtins.bool = False) -> EmberTensor:
        """Cholesky factor L with x = L @ L^H of positive definite matrices, or U with x = U^H @ U."""
    def det(self) -> EmberTensor:
        """Determinants of square matrices."""
    def slogdet(self) -> slogdet_result:
        """Sign and natural logarithm of the absolute value of determinants."""
    def eig(self) -> eig_result:
        """Complex eigenvalues and eigenvectors of square matrices."""
    def eigh(self, upper: builtins.bool = False) -> eigh_result:
        """Ascending eigenvalues and eigenvectors of Hermitian matrices; only one triangle is read."""
    def eigvals(self) -> EmberTensor:
        """Complex eigenvalues of square matrices."""
    def eigvalsh(self, upper: builtins.bool = False) -> EmberTensor:
        """Ascending eigenvalues of Hermitian matrices; only one triangle is read."""
    def inv(self) -> EmberTensor:
        """Inverses of square matrices."""
    def pinv(self, rtol: ArrayLike | None = None) -> EmberTensor:
        """Pseudo-inverses; singular values up to rtol times the largest count as zero."""
    def qr(self, mode: builtins.str = 'reduced') -> qr_result:
        """QR factorization: Q with orthonormal columns and upper triangular R."""
    def solve(self, x2: ArrayLike) -> EmberTensor:
        """Solution x of x1 @ x = x2; a 1-d x2 is a vector."""
    def solve_triangular(self, b: ArrayLike, upper: builtins.bool = False, unit_diagonal: builtins.bool = False, transposed: builtins.bool = False) -> EmberTensor:
        """Solution x of a @ x = b for a triangular a; only one triangle is read."""
    def svd(self, full_matrices: builtins.bool = True, compute_uv: builtins.bool = True) -> svd_result:
        """Singular value decomposition: U, the singular values in descending order, and the adjoint of V."""
    def svdvals(self) -> EmberTensor:
        """Singular values in descending order."""
    def lu(self) -> lu_result:
        """LU factorization with row permutation P: x[P] = L @ U."""
    def lstsq(self, b: ArrayLike, rcond: Number | None = None) -> lstsq_result:
        """Least-squares solution of a @ x = b, residuals, rank and singular values."""
    def matrix_power(self, n: SupportsIndex) -> EmberTensor:
        """n-th power of square matrices; of their inverses for negative n."""
    def matrix_rank(self, rtol: ArrayLike | None = None) -> EmberTensor:
        """Number of singular values above rtol times the largest."""
    def matrix_norm(self, ord: Any = 'fro', keepdims: builtins.bool = False) -> EmberTensor:
        """Matrix norm: fro, nuc, inf, -inf, 1, -1, 2 or -2."""
    def vector_norm(self, axis: Ints | None = None, keepdims: builtins.bool = False, ord: Number = 2.0) -> EmberTensor:
        """Vector norm over axes: sum(|x|^ord)^(1/ord), and its limits for inf, -inf and 0."""
    def norm(self, ord: Any | None = None, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Vector norm over one axis or matrix norm over two; by default the root of the sum of squares."""
    def expm(self) -> EmberTensor:
        """Matrix exponential."""
    def cond(self) -> EmberTensor:
        """Condition number: the largest singular value divided by the smallest."""
    def fft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along an axis."""
    def ifft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along an axis."""
    def rfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers: the n / 2 + 1 non-negative frequencies."""
    def irfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Real inverse Fourier transform of the non-negative frequencies."""
    def hfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Real Fourier transform of a Hermitian signal, given by its first half."""
    def ihfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse of hfft."""
    def fftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along several axes."""
    def ifftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along several axes."""
    def rfftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers along axes; the last keeps its non-negative frequencies."""
    def irfftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse of rfftn."""
    def fft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along two axes."""
    def ifft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along two axes."""
    def rfft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers along two axes; the last keeps its non-negative frequencies."""
    def irfft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse of rfft2."""
    def fftshift(self, axes: Ints | None = None) -> EmberTensor:
        """Zero-frequency bin shifted to the center."""
    def ifftshift(self, axes: Ints | None = None) -> EmberTensor:
        """Inverse of fftshift."""
    def stft(self, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """Short-time Fourier transform [frequency, frame]; without n_fft, x holds windowed frames."""
    def istft(self, length: SupportsIndex | None = None, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """Signal from its short-time Fourier transform."""
    def spectrogram(self, power: Number = 2.0, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """Absolute value of the short-time Fourier transform raised to a power."""
    def convolve(self, v: ArrayLike, mode: builtins.str = 'full') -> EmberTensor:
        """Discrete convolution of two vectors; mode is full, same or valid."""
    def correlate(self, v: ArrayLike, mode: builtins.str = 'valid') -> EmberTensor:
        """Cross-correlation of two vectors with v conjugated; mode is full, same or valid."""
    def relu(self) -> EmberTensor:
        """max(x, 0)."""
    def relu6(self) -> EmberTensor:
        """x clamped to [0, 6]."""
    def hard_sigmoid(self, alpha: Number = 0.2, beta: Number = 0.5) -> EmberTensor:
        """alpha * x + beta, clamped to [0, 1]."""
    def softmax(self, axis: SupportsIndex = -1) -> EmberTensor:
        """exp(x) / sum(exp(x)) along an axis, without overflow."""
    def log_softmax(self, axis: SupportsIndex = -1) -> EmberTensor:
        """x - log(sum(exp(x))) along an axis, without overflow."""
    def softplus(self, beta: Number = 1) -> EmberTensor:
        """log(1 + exp(beta * x)) / beta, without overflow."""
    def softsign(self) -> EmberTensor:
        """x / (1 + |x|)."""
    def gelu(self, approximate: builtins.str = 'none') -> EmberTensor:
        """x * Phi(x), with Phi the normal distribution function; approximate is none or tanh."""
    def silu(self) -> EmberTensor:
        """x * sigmoid(x)."""
    def elu(self, alpha: Number = 1) -> EmberTensor:
        """x where x > 0, alpha * (exp(x) - 1) elsewhere."""
    def selu(self) -> EmberTensor:
        """Scaled elu with the constants that preserve mean and variance."""
    def celu(self, alpha: Number = 1) -> EmberTensor:
        """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def leaky_relu(self, alpha: Number = 0.01) -> EmberTensor:
        """x where x > 0, alpha * x elsewhere."""
    def prelu(self, slope: ArrayLike) -> EmberTensor:
        """x where x > 0, slope * x elsewhere."""
    def mish(self) -> EmberTensor:
        """x * tanh(softplus(x))."""
    def hardswish(self) -> EmberTensor:
        """x * clip(x + 3, 0, 6) / 6."""
    def hardtanh(self, low: Number = -1, high: Number = 1) -> EmberTensor:
        """x clamped to [low, high]."""
    def threshold(self, threshold: Number, value: Number = 0) -> EmberTensor:
        """x where x > threshold, value elsewhere."""
    def linear(self, weight: ArrayLike, bias: ArrayLike | None = None) -> EmberTensor:
        """x @ weight.T + bias."""
    def glu(self, axis: SupportsIndex = -1) -> EmberTensor:
        """First half along an axis times the sigmoid of the second half."""
    def tanhshrink(self) -> EmberTensor:
        """x - tanh(x)."""
    def hardshrink(self, lambd: Number = 0.5) -> EmberTensor:
        """0 where |x| <= lambd, x elsewhere."""
    def softshrink(self, lambd: Number = 0.5) -> EmberTensor:
        """x moved toward 0 by lambd, and 0 where |x| <= lambd."""
    def logsigmoid(self) -> EmberTensor:
        """log(sigmoid(x)), without overflow."""
    def conv1d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Cross-correlation with filters over 1 spatial axes, plus bias."""
    def conv_transpose1d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Gradient of conv1d with respect to its input, plus bias."""
    def conv2d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Cross-correlation with filters over 2 spatial axes, plus bias."""
    def conv_transpose2d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Gradient of conv2d with respect to its input, plus bias."""
    def conv3d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Cross-correlation with filters over 3 spatial axes, plus bias."""
    def conv_transpose3d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Gradient of conv3d with respect to its input, plus bias."""
    def max_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Largest element of each window over 1 spatial axes."""
    def average_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Mean of each window over 1 spatial axes."""
    def l2_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Square root of the sum of squares of each window over 1 spatial axes."""
    def max_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Largest element of each window over 2 spatial axes."""
    def average_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Mean of each window over 2 spatial axes."""
    def l2_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Square root of the sum of squares of each window over 2 spatial axes."""
    def max_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Largest element of each window over 3 spatial axes."""
    def average_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Mean of each window over 3 spatial axes."""
    def l2_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """Square root of the sum of squares of each window over 3 spatial axes."""
    @overload
    def adaptive_average_pool(self, output_size: Ints) -> EmberTensor:
        """Means of output_size windows that cover the last axes."""
    @overload
    def adaptive_average_pool(self, *output_size: SupportsIndex) -> EmberTensor: ...
    @overload
    def adaptive_max_pool(self, output_size: Ints) -> EmberTensor:
        """Largest elements of output_size windows that cover the last axes."""
    @overload
    def adaptive_max_pool(self, *output_size: SupportsIndex) -> EmberTensor: ...
    def global_average_pool(self, layout: builtins.str = 'nchw') -> EmberTensor:
        """Mean over all spatial axes, kept with length 1."""
    def global_max_pool(self, layout: builtins.str = 'nchw') -> EmberTensor:
        """Largest element over all spatial axes, kept with length 1."""
    def pixel_shuffle(self, factor: SupportsIndex) -> EmberTensor:
        """Channels rearranged into an image that is larger by factor along both axes."""
    def pixel_unshuffle(self, factor: SupportsIndex) -> EmberTensor:
        """Blocks of factor by factor pixels rearranged into channels."""
    def resample(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
    def grid_sample(self, grid: ArrayLike, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> EmberTensor:
        """Images sampled at the coordinates of grid, which range from -1 to 1."""
    def batch_norm(self, mean: ArrayLike, variance: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axis: SupportsIndex = 1, eps: Number = 1e-05) -> EmberTensor:
        """(x - mean) / sqrt(variance + eps) * scale + bias, with one value of each for a channel."""
    def layer_norm(self, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
        """(x - mean) / sqrt(variance + eps) * scale + bias, with the moments of x over axes."""
    def rms_norm(self, scale: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
        """x / sqrt(mean(x^2) + eps) * scale, with the mean over axes."""
    def group_norm(self, groups: SupportsIndex, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05) -> EmberTensor:
        """Normalization over groups of channels in each sample."""
    def instance_norm(self, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05, layout: builtins.str = 'nchw') -> EmberTensor:
        """Normalization over the spatial axes of each sample and channel."""
    def dropout(self, p: Number = 0.5, training: builtins.bool = True) -> EmberTensor:
        """x with elements set to 0 with probability p and the others divided by 1 - p."""
    def rope(self, positions: ArrayLike | None = None, base: Number = 10000, interleaved: builtins.bool = False) -> EmberTensor:
        """Rotary position embedding: feature pairs rotated by angles proportional to the position."""
    def lstm(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Long short-term memory over a sequence: last hidden state, last cell state, all hidden states."""
    def lstm_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, cell: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """One step of a long short-term memory: the next hidden and cell state."""
    def gru(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Gated recurrent unit over a sequence: last hidden state, all hidden states."""
    def gru_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
        """One step of a gated recurrent unit: the next hidden state."""
    def rnn(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Elman network over a sequence: last hidden state, all hidden states."""
    def rnn_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
        """One step of an Elman network: the next hidden state."""
    def quantize_linear(self, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
        """round(x / scale) + zero_point, saturated to the dtype of zero_point."""
    def dequantize_linear(self, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
        """(x - zero_point) * scale."""
    def contrastive_loss(self, b: ArrayLike, target: ArrayLike, margin: Number = 1, reduction: builtins.str = 'mean') -> EmberTensor:
        """d^2 where target is 1, max(margin - d, 0)^2 elsewhere, with d the distance of a and b."""
    def cosine_embedding_loss(self, b: ArrayLike, target: ArrayLike, margin: Number = 0, reduction: builtins.str = 'mean') -> EmberTensor:
        """1 - cos(a, b) where target is 1, max(cos(a, b) - margin, 0) elsewhere."""
    def cosine_similarity(self, b: ArrayLike, axis: SupportsIndex = -1, eps: Number = 1e-08) -> EmberTensor:
        """Cosine of the angle between vectors along an axis."""
    def euclidean_distance(self, b: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Euclidean length of a - b along an axis."""
    def pairwise_distance(self, b: ArrayLike | None = None, p: Number = 2) -> EmberTensor:
        """p-norm distance of each row of a to each row of b."""
    def normalize_vector(self, axis: SupportsIndex | None = -1, eps: Number = 1e-12) -> EmberTensor:
        """x divided by its Euclidean length along an axis, or over all elements if axis is None."""
    def random_uniform(self, shape: Ints, low: Number = 0, high: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Uniform numbers in [low, high)."""
    def random_normal(self, shape: Ints, mean: Number = 0, stddev: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Normally distributed numbers with the given mean and standard deviation."""
    def random_permutation(self, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Entries of x along an axis in random order; an integer n means arange(n)."""
    def shuffle(self, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Entries of x along an axis in random order."""
    @overload
    def choice(self, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Elements drawn from a vector with probabilities p, by default equal ones."""
    @overload
    def choice(self, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
    def absolute(self) -> EmberTensor:
        """Absolute value |x|; the modulus of a complex number."""
    def arccos(self) -> EmberTensor:
        """Inverse cosine."""
    def arccosh(self) -> EmberTensor:
        """Inverse hyperbolic cosine."""
    def arcsin(self) -> EmberTensor:
        """Inverse sine."""
    def arcsinh(self) -> EmberTensor:
        """Inverse hyperbolic sine."""
    def arctan(self) -> EmberTensor:
        """Inverse tangent."""
    def arctan2(self, x2: ArrayLike) -> EmberTensor:
        """Angle in radians between the positive x axis and the point (x2, x1)."""
    def arctanh(self) -> EmberTensor:
        """Inverse hyperbolic tangent."""
    def array(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, converted to dtype if one is given."""
    def amax(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if any element is NaN."""
    def amin(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if any element is NaN."""
    def bitwise_count(self) -> EmberTensor:
        """Number of one bits in the two's complement representation."""
    def bitwise_not(self) -> EmberTensor:
        """Each bit inverted; logical not for bool."""
    def cast(self, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
        """x converted to dtype."""
    def clamp(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
        """x clamped to [min, max]; a bound that is None does not apply."""
    def conjugate(self) -> EmberTensor:
        """Complex conjugate."""
    def convert_to_tensor(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, converted to dtype if one is given."""
    def count_ones(self) -> EmberTensor:
        """Number of one bits in the two's complement representation."""
    def degrees(self) -> EmberTensor:
        """x * 180 / pi: radians converted to degrees."""
    def div(self, x2: ArrayLike) -> EmberTensor:
        """x1 / x2; integers give the default float."""
    @overload
    def expand(self, shape: Ints) -> EmberTensor:
        """x repeated along axes of length 1 and along new leading axes to the given shape."""
    @overload
    def expand(self, *shape: SupportsIndex) -> EmberTensor: ...
    def floordiv(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / x2); 0 for integers divided by zero."""
    def floor_div(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / x2); 0 for integers divided by zero."""
    def gather_elements(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
    def identity(self) -> EmberTensor:
        """x itself."""
    def invert(self) -> EmberTensor:
        """Each bit inverted; logical not for bool."""
    def left_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
    def mod(self, x2: ArrayLike) -> EmberTensor:
        """Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero."""
    def mul(self, x2: ArrayLike) -> EmberTensor:
        """x1 * x2."""
    def nanstdev(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes, ignoring NaN."""
    def neg(self) -> EmberTensor:
        """-x."""
    @overload
    def permute(self, axes: Ints) -> EmberTensor:
        """Axes permuted: axis i of the result is axis axes[i] of x."""
    @overload
    def permute(self, *axes: SupportsIndex) -> EmberTensor: ...
    def power(self, x2: ArrayLike) -> EmberTensor:
        """x1 raised to the power x2."""
    def radians(self) -> EmberTensor:
        """x * pi / 180: degrees converted to radians."""
    def ravel(self) -> EmberTensor:
        """All elements in one axis, in row-major order."""
    def reduce_all(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if all elements over axes are nonzero."""
    def reduce_any(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if any element over axes is nonzero."""
    def reduce_logsumexp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """log(sum(exp(x))) over axes, without overflow."""
    def reduce_max(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if any element is NaN."""
    def reduce_mean(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Arithmetic mean over axes; integers give the default float."""
    def reduce_min(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if any element is NaN."""
    def reduce_prod(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Product over axes; small integers are multiplied in 64 bits."""
    def reduce_std(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes: the square root of var."""
    def reduce_sum(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum over axes; small integers are added in 64 bits."""
    def reduce_var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes: squared deviations divided by n - correction."""
    def resample2d(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
    def right_shift(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / 2^x2)."""
    def shift_left(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, discarding high bits; 0 if x2 is the width or more."""
    def shift_right(self, x2: ArrayLike) -> EmberTensor:
        """floor(x1 / 2^x2)."""
    def sub(self, x2: ArrayLike) -> EmberTensor:
        """x1 - x2."""
    def swish(self) -> EmberTensor:
        """x * sigmoid(x)."""
    def true_divide(self, x2: ArrayLike) -> EmberTensor:
        """x1 / x2; integers give the default float."""
    def unique(self) -> EmberTensor:
        """Sorted distinct elements; each NaN counts as distinct."""
    @overload
    def random_choice(self, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Elements drawn from a vector with probabilities p, by default equal ones."""
    @overload
    def random_choice(self, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
    def random_shuffle(self, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Entries of x along an axis in random order."""
    def interpolate(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes resized by nearest, linear or cubic interpolation, with half-pixel centers unless align_corners."""
    def stdev(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes: the square root of var."""
    def split_tensor(self, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Equal parts along an axis, or the parts between the given positions."""
    def tensor_sort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Elements in ascending or descending order along an axis, NaN last."""
    def tensor_var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes: squared deviations divided by n - correction."""
    def fabs(self) -> EmberTensor:
        """Absolute value |x|; the modulus of a complex number."""
    def rint(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """x rounded to the given number of decimals, ties to even."""
    def around(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """x rounded to the given number of decimals, ties to even."""
    def fix(self) -> EmberTensor:
        """x rounded toward zero."""
    def bmm(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
    def clone(self) -> EmberTensor:
        """Copy of x that shares no memory with it."""
    def dim(self) -> builtins.int:
        """Number of axes."""
    def eq(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 == x2."""
    def ge(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 >= x2."""
    def gt(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 > x2."""
    def le(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 <= x2."""
    def lt(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 < x2."""
    def mm(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
    @overload
    def movedim(self, source: Ints, destination: Ints) -> EmberTensor:
        """Axes moved to new positions, the others kept in order."""
    @overload
    def movedim(self, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
    def mv(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product over the last two axes, broadcast over the others; vectors act as a row or column."""
    def ne(self, x2: ArrayLike) -> EmberTensor:
        """True where x1 != x2."""
    def numel(self) -> builtins.int:
        """Number of elements."""
    def repeat_interleave(self, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Each element repeated along an axis; the flattened tensor if axis is None."""
    def swapdims(self, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
        """Two axes swapped."""
    def unbind(self, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Slices along an axis, without that axis."""
    @overload
    def unsqueeze(self, axis: Ints = [0]) -> EmberTensor:
        """x with new axes of length 1 at the given positions."""
    @overload
    def unsqueeze(self, *axis: SupportsIndex) -> EmberTensor: ...
    @overload
    def view(self, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
        """Same elements in another shape; one extent may be -1."""
    @overload
    def view(self, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
    def inverse(self) -> EmberTensor:
        """Inverses of square matrices."""
    def nelement(self) -> builtins.int:
        """Number of elements."""
    def take_along_dim(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1."""
    def expit(self) -> EmberTensor:
        """1 / (1 + exp(-x))."""
    def gammaln(self) -> EmberTensor:
        """Natural logarithm of |gamma(x)|."""
    def hard_tanh(self, low: Number = -1, high: Number = 1) -> EmberTensor:
        """x clamped to [low, high]."""
    def hard_swish(self) -> EmberTensor:
        """x * clip(x + 3, 0, 6) / 6."""
    def log_sigmoid(self) -> EmberTensor:
        """log(sigmoid(x)), without overflow."""
    @property
    def at(self) -> Any:
        """x.at[i].set(v), .add(v) and similar methods return x with the elements at i changed."""
    def to(self, *args: Any, dtype: Any=None, device: Any=None, copy: builtins.bool=False, non_blocking: builtins.bool=False) -> EmberTensor:
        """The tensor with a dtype, on a device, or with both of another tensor."""
    def type(self, dtype: Any=None) -> Any:
        """The elements with another dtype; without one, the name of the dtype."""
    def cpu(self) -> EmberTensor:
        """The same value in the host's memory."""
    def cuda(self, device: builtins.int | str | None=None) -> EmberTensor:
        """The same value on a CUDA device."""
    def block_until_ready(self) -> EmberTensor:
        """The tensor, evaluated."""
    def numpy(self, *, force: builtins.bool=False) -> Any:
        """The tensor as a NumPy array, sharing its memory."""
    def contiguous(self) -> EmberTensor:
        """The tensor itself: its memory layout is not visible."""
    def is_contiguous(self) -> builtins.bool:
        """True: the memory layout is not visible."""
    def element_size(self) -> builtins.int:
        """Bytes of one element."""
    def view_as(self, other: EmberTensor) -> EmberTensor:
        """The elements in the shape of another tensor."""
    def reshape_as(self, other: EmberTensor) -> EmberTensor:
        """The elements in the shape of another tensor."""
    def expand_as(self, other: EmberTensor) -> EmberTensor:
        """The tensor broadcast to the shape of another one."""
    def type_as(self, other: EmberTensor) -> EmberTensor:
        """The elements with the dtype of another tensor."""
    def clamp_max(self, max: Any) -> EmberTensor:
        """The elements, not greater than max."""
    def clamp_min(self, min: Any) -> EmberTensor:
        """The elements, not less than min."""
    def where(self, condition: Any, other: Any) -> EmberTensor:
        """The tensor where the condition holds, other elsewhere."""
    def scatter(self, dim: builtins.int, index: Any, src: Any=None, *, value: Any=None, reduce: str | None=None) -> EmberTensor:
        """The tensor with the elements of src, or one value, stored at index along dim."""
    def scatter_add(self, dim: builtins.int, index: Any, src: Any) -> EmberTensor:
        """The tensor with the elements of src added at index along dim."""
    def requires_grad_(self, requires_grad: builtins.bool=True) -> EmberTensor:
        """Sets whether the tensor requires gradients."""
    def detach_(self) -> EmberTensor:
        """Detaches the tensor from its graph, in place."""
    def new_tensor(self, data: Any, dtype: Any=None) -> EmberTensor:
        """A tensor of data, with this one's dtype."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> EmberTensor:
        """The sliding windows of an axis, with their elements along a new last axis."""
    def new_zeros(self, size: Any, *args: Any, dtype: Any=None, **options: Any) -> EmberTensor:
        """As em.zeros, with this tensor's dtype."""
    def new_ones(self, size: Any, *args: Any, dtype: Any=None, **options: Any) -> EmberTensor:
        """As em.ones, with this tensor's dtype."""
    def new_empty(self, size: Any, *args: Any, dtype: Any=None, **options: Any) -> EmberTensor:
        """As em.empty, with this tensor's dtype."""
    def new_full(self, size: Any, *args: Any, dtype: Any=None, **options: Any) -> EmberTensor:
        """As em.full, with this tensor's dtype."""
    def float(self) -> EmberTensor:
        """The elements as float32."""
    def double(self) -> EmberTensor:
        """The elements as float64."""
    def half(self) -> EmberTensor:
        """The elements as float16."""
    def bfloat16(self) -> EmberTensor:
        """The elements as bfloat16."""
    def long(self) -> EmberTensor:
        """The elements as int64."""
    def int(self) -> EmberTensor:
        """The elements as int32."""
    def short(self) -> EmberTensor:
        """The elements as int16."""
    def char(self) -> EmberTensor:
        """The elements as int8."""
    def byte(self) -> EmberTensor:
        """The elements as uint8."""
    def bool(self) -> EmberTensor:
        """The elements as bool."""
    def addcdiv(input, tensor1: Any, tensor2: Any, *, value: Any=1) -> EmberTensor:
        """input + value * tensor1 / tensor2."""
    def addcmul(input, tensor1: Any, tensor2: Any, *, value: Any=1) -> EmberTensor:
        """input + value * tensor1 * tensor2."""
    def addmm(input, mat1: Any, mat2: Any, *, beta: Any=1, alpha: Any=1) -> EmberTensor:
        """beta * input + alpha * mat1 @ mat2."""
    def aminmax(input, *, dim: Any=None, keepdim: builtins.bool=False) -> Any:
        """The smallest and the largest elements."""
    def baddbmm(input, mat1: Any, mat2: Any, *, beta: Any=1, alpha: Any=1) -> EmberTensor:
        """beta * input + alpha * mat1 @ mat2."""
    def bucketize(input, boundaries: Any, *, right: builtins.bool=False) -> EmberTensor:
        """The index of the interval between boundaries for each element, closed above, with right
        the lower one."""
    def cdist(x1, x2: Any, p: builtins.float=2.0) -> EmberTensor:
        """The distance of each row of x1 from each of x2."""
    def chunk(input, chunks: builtins.int, dim: builtins.int=0) -> tuple[EmberTensor, ...]:
        """At most that many parts of equal length; the last may be shorter."""
    def diag_embed(input, offset: builtins.int=0, dim1: builtins.int=-2, dim2: builtins.int=-1) -> EmberTensor:
        """Matrices with the vectors of the last axis on a diagonal."""
    def dist(input, other: Any, p: builtins.float=2.0) -> EmberTensor:
        """The norm of the difference, of all elements as one vector."""
    def frac(input) -> EmberTensor:
        """The fractional part, with the sign of the number."""
    def histc(input, bins: builtins.int=100, min: builtins.float=0, max: builtins.float=0) -> EmberTensor:
        """Counts in bins of equal width, as floats; equal limits mean the data's."""
    def index_copy(input, dim: builtins.int, index: Any, source: Any) -> EmberTensor:
        """input with the entries of an axis at these indices replaced by source."""
    def index_fill(input, dim: builtins.int, index: Any, value: Any) -> EmberTensor:
        """input with the entries of an axis at these indices replaced by one value."""
    def index_select(input, dim: builtins.int, index: Any) -> EmberTensor:
        """The entries of an axis at these indices."""
    def is_complex(input) -> builtins.bool:
        """Whether the elements are complex numbers."""
    def is_floating_point(input) -> builtins.bool:
        """Whether the elements are real floating-point numbers."""
    def kthvalue(input, k: builtins.int, dim: builtins.int=-1, keepdim: builtins.bool=False) -> Any:
        """The kth smallest values along an axis, and their indices."""
    def logdet(input) -> EmberTensor:
        """The logarithm of the determinant; NaN where that is negative."""
    def logit(input, eps: builtins.float | None=None) -> EmberTensor:
        """log(x / (1 - x)), with x clamped to [eps, 1 - eps]."""
    def masked_scatter(input, mask: Any, source: Any) -> EmberTensor:
        """input with the elements of source, in order, where mask is true."""
    def mode(input, dim: builtins.int=-1, keepdim: builtins.bool=False) -> Any:
        """The most frequent values along an axis (the smallest if there are several), and the indices
        where they stand last."""
    def narrow(input, dim: builtins.int, start: builtins.int, length: builtins.int) -> EmberTensor:
        """length entries of an axis, from start on."""
    def scatter_reduce(input, dim: builtins.int, index: Any, src: Any, reduce: str, *, include_self: builtins.bool=True) -> EmberTensor:
        """input with the elements of src reduced into index along dim: sum, prod, amax or
        amin."""
    def t(input) -> EmberTensor:
        """A matrix transposed; a vector or 0-d tensor unchanged."""
    def tensor_split(input, indices_or_sections: Any, dim: builtins.int=0) -> tuple[EmberTensor, ...]:
        """That many parts of nearly equal length, or parts between positions."""
    def unflatten(input, dim: builtins.int, sizes: Any) -> EmberTensor:
        """One axis split into several."""
    def unique_consecutive(input, return_inverse: builtins.bool=False, return_counts: builtins.bool=False) -> Any:
        """The flattened tensor without consecutive duplicates."""
    def xlogy(input, other: Any) -> EmberTensor:
        """input * log(other), 0 where input is 0."""
    def fill_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """fill, in place: this name gets the new value."""
    def copy_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """copy, in place: this name gets the new value."""
    def normal_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """normal, in place: this name gets the new value."""
    def uniform_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """uniform, in place: this name gets the new value."""
    def scatter_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """scatter, in place: this name gets the new value."""
    def scatter_add_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """scatter_add, in place: this name gets the new value."""
    def index_copy_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """index_copy, in place: this name gets the new value."""
    def index_fill_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """index_fill, in place: this name gets the new value."""
    def masked_scatter_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """masked_scatter, in place: this name gets the new value."""
    def addcmul_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """addcmul, in place: this name gets the new value."""
    def addcdiv_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """addcdiv, in place: this name gets the new value."""
    def addmm_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """addmm, in place: this name gets the new value."""
    def add_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """add, in place: this name gets the new value."""
    def sub_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """sub, in place: this name gets the new value."""
    def subtract_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """subtract, in place: this name gets the new value."""
    def mul_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """mul, in place: this name gets the new value."""
    def multiply_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """multiply, in place: this name gets the new value."""
    def div_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """div, in place: this name gets the new value."""
    def divide_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """divide, in place: this name gets the new value."""
    def pow_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """pow, in place: this name gets the new value."""
    def remainder_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """remainder, in place: this name gets the new value."""
    def fmod_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """fmod, in place: this name gets the new value."""
    def clamp_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """clamp, in place: this name gets the new value."""
    def clip_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """clip, in place: this name gets the new value."""
    def exp_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """exp, in place: this name gets the new value."""
    def log_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """log, in place: this name gets the new value."""
    def log1p_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """log1p, in place: this name gets the new value."""
    def sqrt_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """sqrt, in place: this name gets the new value."""
    def rsqrt_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """rsqrt, in place: this name gets the new value."""
    def square_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """square, in place: this name gets the new value."""
    def abs_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """abs, in place: this name gets the new value."""
    def neg_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """neg, in place: this name gets the new value."""
    def negative_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """negative, in place: this name gets the new value."""
    def sigmoid_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """sigmoid, in place: this name gets the new value."""
    def tanh_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """tanh, in place: this name gets the new value."""
    def relu_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """relu, in place: this name gets the new value."""
    def round_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """round, in place: this name gets the new value."""
    def floor_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """floor, in place: this name gets the new value."""
    def ceil_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """ceil, in place: this name gets the new value."""
    def trunc_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """trunc, in place: this name gets the new value."""
    def sin_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """sin, in place: this name gets the new value."""
    def cos_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """cos, in place: this name gets the new value."""
    def reciprocal_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """reciprocal, in place: this name gets the new value."""
    def erf_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """erf, in place: this name gets the new value."""
    def erfinv_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """erfinv, in place: this name gets the new value."""
    def masked_fill_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """masked_fill, in place: this name gets the new value."""
    def lerp_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """lerp, in place: this name gets the new value."""
    def index_add_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """index_add, in place: this name gets the new value."""
    def floor_divide_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """floor_divide, in place: this name gets the new value."""
    def tril_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """tril, in place: this name gets the new value."""
    def triu_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """triu, in place: this name gets the new value."""
    def nan_to_num_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """nan_to_num, in place: this name gets the new value."""
    def logical_not_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """logical_not, in place: this name gets the new value."""
    def logical_and_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """logical_and, in place: this name gets the new value."""
    def logical_or_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """logical_or, in place: this name gets the new value."""
    def softmax_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """softmax, in place: this name gets the new value."""
    def fill(self, value: Any) -> None:
        """One value for all elements, in place: this name gets the new value."""
    @property
    def H(self) -> EmberTensor:
        """The conjugate transpose of a matrix."""
    @property
    def flags(self) -> builtins.tuple[builtins.int, ...]:
        """The layout of the memory that another library gets."""
    @property
    def flat(self) -> EmberTensor:
        """The elements as a vector."""
    @property
    def mH(self) -> EmberTensor:
        """The last two axes swapped, conjugated."""
    @property
    def is_cuda(self) -> builtins.bool:
        """Whether it is on a CUDA device."""
    def __buffer__(self, flags: builtins.int, /) -> memoryview: ...

class Parameter(EmberTensor):
    """A trainable tensor, shared by modules and optimizers."""
    def __init__(self, data: ArrayLike, requires_grad: builtins.bool = True) -> None: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...

class tril_indices_result(NamedTuple):
    rows: EmberTensor
    columns: EmberTensor

class triu_indices_result(NamedTuple):
    rows: EmberTensor
    columns: EmberTensor

class topk_result(NamedTuple):
    values: EmberTensor
    indices: EmberTensor

class unique_all_result(NamedTuple):
    values: EmberTensor
    indices: EmberTensor
    inverse_indices: EmberTensor
    counts: EmberTensor

class unique_counts_result(NamedTuple):
    values: EmberTensor
    counts: EmberTensor

class unique_inverse_result(NamedTuple):
    values: EmberTensor
    inverse_indices: EmberTensor

class histogram_result(NamedTuple):
    counts: EmberTensor
    edges: EmberTensor

class slogdet_result(NamedTuple):
    sign: EmberTensor
    logabsdet: EmberTensor

class eig_result(NamedTuple):
    eigenvalues: EmberTensor
    eigenvectors: EmberTensor

class eigh_result(NamedTuple):
    eigenvalues: EmberTensor
    eigenvectors: EmberTensor

class qr_result(NamedTuple):
    Q: EmberTensor
    R: EmberTensor

class svd_result(NamedTuple):
    U: EmberTensor
    S: EmberTensor
    Vh: EmberTensor

class lu_result(NamedTuple):
    P: EmberTensor
    L: EmberTensor
    U: EmberTensor

class lstsq_result(NamedTuple):
    solution: EmberTensor
    residuals: EmberTensor
    rank: EmberTensor
    singular_values: EmberTensor

class layer_norm_grad_result(NamedTuple):
    x_grad: EmberTensor
    scale_grad: EmberTensor
    bias_grad: EmberTensor

class attention_grad_result(NamedTuple):
    query_grad: EmberTensor
    key_grad: EmberTensor
    value_grad: EmberTensor

class binary_split_result(NamedTuple):
    P: EmberTensor
    Q: EmberTensor

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
def asarray(obj: ArrayLike, dtype: DTypeLike | None=None, device: str | None=None, copy: builtins.bool | None=None) -> EmberTensor:
    """A tensor of numbers, nested lists, or another library's array. copy=False shares the memory, which must not change then."""
def convert_to_tensor(data: ArrayLike, dtype: DTypeLike | None=None, device: str | None=None, requires_grad: builtins.bool | None=None) -> EmberTensor:
    """The same object if it is a matching tensor, else a tensor of it."""
def from_dlpack(x: _HasDLPack, *, device: str | None=None, copy: builtins.bool | None=None) -> EmberTensor:
    """A tensor of another library's array, by DLPack. copy=False shares the memory, which must not change then."""
def set_backend(backend: str, *, persist: builtins.bool=False) -> None:
    """Selects the backend of subsequent ops; persist: also for later processes."""
def get_backend() -> str:
    """The name of the current engine."""
def get_available_backends() -> list[str]:
    """The available backends."""
def auto_select_backend() -> tuple[str, str]:
    """Selects and returns the best available backend and device."""
def get_device(tensor: ArrayLike | None=None) -> str:
    """The current device, or that of a tensor."""
def set_device(device: str) -> None:
    """Selects the device of subsequent ops."""
def to_device(x: ArrayLike, device: str) -> EmberTensor:
    """The same value on another device."""
def get_available_devices() -> list[str]:
    """The current engine's devices."""
def synchronize(device: object | None=None) -> None:
    """Waits for all work of the devices."""
def backend_info() -> list[dict[str, Any]]:
    """All known backends, and the reason for each that is not available."""
def memory_stats() -> dict[str, int]:
    """Bytes in use, cached, and at the peak."""
def reset_peak_memory() -> None:
    """Resets the peak to the bytes in use."""
def clear_cache() -> None:
    """Returns cached memory to the system."""
def counters() -> dict[str, int]:
    """Counts of evaluations, compilations, copies and fallbacks."""
def get_default_dtype() -> DType:
    """The default float dtype."""
def set_default_dtype(dtype: DTypeLike) -> None:
    """Sets the default float dtype."""
def eval(tensors: Sequence[ArrayLike]) -> None: ...
def gradients(ys: Sequence[ArrayLike], xs: Sequence[ArrayLike], gs: Sequence[ArrayLike]=..., create_graph: builtins.bool=False, retain_graph: builtins.bool=False, allow_unused: builtins.bool=True) -> list[EmberTensor]:
    """The gradients of sum(ys * gs) with respect to xs."""
def grad_enabled() -> builtins.bool:
    """Whether gradients are enabled."""
def value_and_grad(f: Callable[..., Any], args: Sequence[ArrayLike], has_aux: builtins.bool=False) -> tuple[Any, ...]: ...
def checkpoint(f: Callable[..., Any], args: Sequence[ArrayLike]) -> EmberTensor: ...
def with_gradient(y: ArrayLike, inputs: Sequence[ArrayLike], vjp: Callable[..., Any]) -> EmberTensor: ...
def get_random_state() -> tuple[int, int]:
    """The key and counter of the random generator."""
def set_random_state(state: tuple[int, int]) -> None:
    """Restores the state of the random generator."""
def save(filepath: object, obj: ArrayLike | Mapping[str, ArrayLike]) -> None:
    """Writes a tensor (.npy, .safetensors) or a dict of tensors (.safetensors, .npz), atomically."""
def load(filepath: object, mmap: builtins.bool=False) -> Any:
    """Reads a file: one tensor, or a dict of them. Never runs code."""
def load_metadata(path: str | PathLike[str]) -> dict[str, str]:
    """The metadata of a safetensors file."""
def get_printoptions() -> dict[str, Any]:
    """The print options of tensors."""
def set_printoptions(*, precision: int | None=None, threshold: int | None=None, edgeitems: int | None=None, linewidth: int | None=None, suppress: builtins.bool | None=None) -> None:
    """Sets the print options of tensors, like NumPy's function of that name."""
def rows() -> list[Any]: ...
def aliases() -> dict[str, Any]: ...
def watch_ops(on: builtins.bool) -> None: ...
def watched_ops() -> list[Any]: ...
class using_backend:
    """A context manager that selects a backend on this thread."""

    def __init__(self, name: str) -> None: ...

    def __enter__(self) -> str: ...

    def __exit__(self, *args: Any) -> None: ...

class GradMode:

    def __init__(self, enabled: builtins.bool) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: Any) -> None: ...

class finfo:
    """The limits of a floating-point dtype."""

    def __init__(self, type: DTypeLike | EmberTensor) -> None: ...

    @property
    def bits(self) -> int: ...

    @property
    def eps(self) -> float: ...

    @property
    def max(self) -> float: ...

    @property
    def min(self) -> float: ...

    @property
    def smallest_normal(self) -> float: ...

    @property
    def smallest_subnormal(self) -> float: ...

    @property
    def dtype(self) -> DType: ...

    @property
    def tiny(self) -> float: ...

class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, type: DTypeLike | EmberTensor) -> None: ...

    @property
    def bits(self) -> int: ...

    @property
    def max(self) -> int: ...

    @property
    def min(self) -> int: ...

    @property
    def dtype(self) -> DType: ...
from ember_ml._core import nn as nn
from ember_ml._core import training as training
from ember_ml._core import distributed as distributed
from ember_ml._core import features as features
from ember_ml._core import registry as registry
from ember_ml._core import webnn as webnn
from ember_ml._core import onnx as onnx
from ember_ml._core import coreml as coreml
