# Written by tools/stubs.py: run `make stubs`.


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
    def __hash__(self) -> builtins.int: ...
    def __eq__(self, other: object, /) -> builtins.bool: ...
    def __ne__(self, other: object, /) -> builtins.bool: ...
    @property
    def name(self) -> builtins.str:
        """The name, such as 'float32'."""
    @property
    def dtype(self) -> Any:
        """NumPy's dtype of that name, so that NumPy takes this one."""
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
    """A tensor: calling an op records it, reading a value computes it."""
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
        """Where the memory is."""
    @property
    def backend(self) -> builtins.str:
        """The engine that computes it."""
    @property
    def requires_grad(self) -> builtins.bool:
        """Whether gradients reach it."""
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
        """Steps between neighbours along each axis, in elements; evaluates."""
    @property
    def data(self) -> EmberTensor:
        """The value, outside every gradient; assigning gives another of the same shape and dtype."""
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
        """The gradient that backward() left here, or None."""
    @grad.setter
    def grad(self, value: ArrayLike | None) -> None: ...
    @property
    def is_leaf(self) -> builtins.bool:
        """Whether it is computed from nothing that requires gradients."""
    @property
    def evaluated(self) -> builtins.bool:
        """Whether its value has been computed."""
    @property
    def _dtype(self) -> DType: ...
    @property
    def _device(self) -> builtins.str: ...
    @property
    def _requires_grad(self) -> builtins.bool: ...
    @property
    def _backend(self) -> builtins.str: ...
    def item(self) -> Any:
        """The single element as one of Python's numbers."""
    def tolist(self) -> Any:
        """The elements as nested lists of Python's numbers."""
    def zero_(self, *args: Any, **kwargs: Any) -> EmberTensor:
        """zero, in place: this name gets the new value."""
    def eval(self) -> Self:
        """Computes the value now."""
    def detach(self) -> EmberTensor:
        """The same value, outside every gradient."""
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
        """DLPack's name of the device: (1, 0), host memory."""
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> Any: ...
    def to_numpy(self) -> Any:
        """The tensor as a NumPy array, sharing its memory."""
    def to_backend_tensor(self) -> Any:
        """The tensor as its backend's own object: an np.ndarray, torch.Tensor or mx.array."""
    def __jax_array__(self) -> Any:
        """The tensor as a JAX array."""
    def tobytes(self) -> bytes:
        """The elements' bytes, row by row."""
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...
    def asarray(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, of another dtype if asked."""
    def zeros(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of zeros."""
    def ones(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of ones."""
    def full(self, shape: Ints, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor filled with one value."""
    def empty(self, shape: Ints, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """A tensor of zeros: nothing is ever uninitialised."""
    def zeros_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Zeros in the shape of x."""
    def ones_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Ones in the shape of x."""
    def full_like(self, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """One value in the shape of x."""
    def empty_like(self, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Zeros in the shape of x."""
    def eye(self, n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Ones on the k-th diagonal, zeros elsewhere."""
    def arange(self, start: Any, stop: Any | None = None, step: Any = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Numbers from start up to stop, without it, in steps."""
    def linspace(self, start: Number, stop: Number, num: SupportsIndex = 50, endpoint: builtins.bool = True, dtype: DTypeLike | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """Evenly spaced numbers between two ends."""
    def tril(self, k: SupportsIndex = 0) -> EmberTensor:
        """The lower triangle of matrices, zeros above the k-th diagonal."""
    def triu(self, k: SupportsIndex = 0) -> EmberTensor:
        """The upper triangle of matrices, zeros below the k-th diagonal."""
    def diag(self, k: SupportsIndex = 0, *, device: builtins.str | None = None) -> EmberTensor:
        """A vector as the k-th diagonal of a matrix, or the k-th diagonal of a matrix."""
    def copy(self) -> EmberTensor:
        """A copy with memory of its own."""
    def astype(self, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
        """x in another dtype."""
    def vander(self, n: SupportsIndex | None = None, increasing: builtins.bool = False, *, device: builtins.str | None = None) -> EmberTensor:
        """Powers of a vector's elements as columns."""
    def abs(self) -> EmberTensor:
        """Absolute value; of complex numbers the modulus."""
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
        """Every bit flipped; of bool, logical not."""
    def cbrt(self) -> EmberTensor:
        """Cube root."""
    def ceil(self) -> EmberTensor:
        """The next whole number up."""
    def conj(self) -> EmberTensor:
        """Complex conjugate."""
    def cos(self) -> EmberTensor:
        """Cosine."""
    def cosh(self) -> EmberTensor:
        """Hyperbolic cosine."""
    def digamma(self) -> EmberTensor:
        """The logarithmic derivative of the gamma function."""
    def erf(self) -> EmberTensor:
        """Error function."""
    def erfc(self) -> EmberTensor:
        """1 - erf(x), without cancellation."""
    def erfinv(self) -> EmberTensor:
        """Inverse error function."""
    def exp(self) -> EmberTensor:
        """e to the power x."""
    def exp2(self) -> EmberTensor:
        """2 to the power x."""
    def expm1(self) -> EmberTensor:
        """exp(x) - 1, exact near 0."""
    def floor(self) -> EmberTensor:
        """The next whole number down."""
    def isfinite(self) -> EmberTensor:
        """Neither infinite nor NaN."""
    def isinf(self) -> EmberTensor:
        """Positive or negative infinity."""
    def isnan(self) -> EmberTensor:
        """Not a number."""
    def lgamma(self) -> EmberTensor:
        """Logarithm of the absolute value of the gamma function."""
    def log(self) -> EmberTensor:
        """Natural logarithm."""
    def log10(self) -> EmberTensor:
        """Logarithm to base 10."""
    def log1p(self) -> EmberTensor:
        """log(1 + x), exact near 0."""
    def log2(self) -> EmberTensor:
        """Logarithm to base 2."""
    def logical_not(self) -> EmberTensor:
        """True where x is false or zero."""
    def negative(self) -> EmberTensor:
        """-x."""
    def popcount(self) -> EmberTensor:
        """The number of bits that are one."""
    def count_zeros(self) -> EmberTensor:
        """The number of bits that are zero."""
    def positive(self) -> EmberTensor:
        """x itself."""
    def reciprocal(self) -> EmberTensor:
        """1 / x."""
    def round(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """Rounded to the given number of decimals, halves to even."""
    def rsqrt(self) -> EmberTensor:
        """1 / sqrt(x)."""
    def sigmoid(self) -> EmberTensor:
        """1 / (1 + exp(-x))."""
    def sign(self) -> EmberTensor:
        """-1, 0 or 1; of complex numbers x / |x|."""
    def signbit(self) -> EmberTensor:
        """True where the sign bit is set, also of -0.0 and NaN."""
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
        """The whole number next towards zero."""
    def angle(self) -> EmberTensor:
        """The argument of a complex number, in radians."""
    def deg2rad(self) -> EmberTensor:
        """Degrees to radians."""
    def rad2deg(self) -> EmberTensor:
        """Radians to degrees."""
    def sinc(self) -> EmberTensor:
        """sin(pi x) / (pi x), 1 at 0."""
    def add(self, x2: ArrayLike) -> EmberTensor:
        """Sum."""
    def subtract(self, x2: ArrayLike) -> EmberTensor:
        """Difference."""
    def multiply(self, x2: ArrayLike) -> EmberTensor:
        """Product."""
    def divide(self, x2: ArrayLike) -> EmberTensor:
        """Quotient; of integers in the default float."""
    def maximum(self, x2: ArrayLike) -> EmberTensor:
        """The larger of the two; NaN if either is."""
    def minimum(self, x2: ArrayLike) -> EmberTensor:
        """The smaller of the two; NaN if either is."""
    def floor_divide(self, x2: ArrayLike) -> EmberTensor:
        """Quotient rounded down; of integers by zero, 0."""
    def remainder(self, x2: ArrayLike) -> EmberTensor:
        """Remainder with the divisor's sign; of integers by zero, 0."""
    def fmod(self, x2: ArrayLike) -> EmberTensor:
        """Remainder with the dividend's sign."""
    def pow(self, x2: ArrayLike) -> EmberTensor:
        """x1 to the power x2."""
    def atan2(self, x2: ArrayLike) -> EmberTensor:
        """The angle of the point (x2, x1)."""
    def copysign(self, x2: ArrayLike) -> EmberTensor:
        """x1 with the sign of x2."""
    def hypot(self, x2: ArrayLike) -> EmberTensor:
        """sqrt(x1^2 + x2^2) without overflow."""
    def logaddexp(self, x2: ArrayLike) -> EmberTensor:
        """log(exp(x1) + exp(x2)) without overflow."""
    def nextafter(self, x2: ArrayLike) -> EmberTensor:
        """The next number after x1 towards x2."""
    def heaviside(self, x2: ArrayLike) -> EmberTensor:
        """0 for negative x1, x2 at 0, 1 for positive x1."""
    def bitwise_and(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise and; of bool, logical and."""
    def bitwise_or(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise or; of bool, logical or."""
    def bitwise_xor(self, x2: ArrayLike) -> EmberTensor:
        """Bitwise exclusive or."""
    def bitwise_left_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
    def bitwise_right_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 / 2^x2, rounded down."""
    def rotate_left(self, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
        """The lower bits, or all, moved left; those pushed out come in on the right."""
    def rotate_right(self, by: ArrayLike, bit_width: SupportsIndex | None = None) -> EmberTensor:
        """The lower bits, or all, moved right; those pushed out come in on the left."""
    def get_bit(self, position: ArrayLike) -> EmberTensor:
        """The bit at a position, 0 or 1."""
    def set_bit(self, position: ArrayLike, value: ArrayLike) -> EmberTensor:
        """The bit at a position set to value."""
    def toggle_bit(self, position: ArrayLike) -> EmberTensor:
        """The bit at a position flipped."""
    def logical_and(self, x2: ArrayLike) -> EmberTensor:
        """Both are true."""
    def logical_or(self, x2: ArrayLike) -> EmberTensor:
        """At least one is true."""
    def logical_xor(self, x2: ArrayLike) -> EmberTensor:
        """Exactly one is true."""
    def not_equal(self, x2: ArrayLike) -> EmberTensor:
        """x1 != x2."""
    def less(self, x2: ArrayLike) -> EmberTensor:
        """x1 < x2."""
    def less_equal(self, x2: ArrayLike) -> EmberTensor:
        """x1 <= x2."""
    def greater(self, x2: ArrayLike) -> EmberTensor:
        """x1 > x2."""
    def greater_equal(self, x2: ArrayLike) -> EmberTensor:
        """x1 >= x2."""
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
        """x held between two bounds."""
    def lerp(self, b: ArrayLike, weight: ArrayLike) -> EmberTensor:
        """a + (b - a) * weight."""
    def nan_to_num(self, nan: Number = 0.0, posinf: Number | None = None, neginf: Number | None = None) -> EmberTensor:
        """NaN and infinities replaced by numbers."""
    def isclose(self, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
        """True where |a - b| <= atol + rtol * |b|."""
    def allclose(self, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: builtins.bool = False) -> EmberTensor:
        """True if isclose holds everywhere."""
    def array_equal(self, b: ArrayLike, equal_nan: builtins.bool = False) -> EmberTensor:
        """True if shapes and all elements are equal."""
    def sum(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum over axes; of small integers in 64 bits."""
    def prod(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Product over axes; of small integers in 64 bits."""
    def mean(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Arithmetic mean over axes; of integers in the default float."""
    def var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes; correction is subtracted from the count."""
    def std(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes."""
    def max(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if there is one."""
    def min(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if there is one."""
    def all(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if all elements over axes are true or nonzero."""
    def any(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if any element over axes is true or nonzero."""
    def count_nonzero(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """The number of elements that are not zero."""
    def logsumexp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """log(sum(exp(x))) over axes, without overflow."""
    def argmax(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first largest element along an axis, or in the flattened tensor."""
    def argmin(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first smallest element along an axis, or in the flattened tensor."""
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
        """Running log(sum(exp(x))) along an axis."""
    def sort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Elements in order along an axis, NaN last."""
    def argsort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Indices that would sort x along an axis."""
    def topk(self, k: SupportsIndex, axis: SupportsIndex = -1, largest: builtins.bool = True) -> topk_result:
        """The k largest or smallest elements along an axis, in order, and their indices."""
    def searchsorted(self, x2: ArrayLike, side: builtins.str = 'left', sorter: ArrayLike | None = None) -> EmberTensor:
        """Where x2's elements would be put into the sorted x1."""
    def nonzero(self) -> builtins.tuple[EmberTensor, ...]:
        """The indices of the elements that are not zero, one vector for each axis."""
    def argwhere(self) -> EmberTensor:
        """The indices of the elements that are not zero, one row for each."""
    def unique_all(self) -> unique_all_result:
        """The distinct elements in order, where each first appears, which of them each element is, and how often each appears."""
    def unique_counts(self) -> unique_counts_result:
        """The distinct elements in order and how often each appears."""
    def unique_inverse(self) -> unique_inverse_result:
        """The distinct elements in order and which of them each element is."""
    def unique_values(self) -> EmberTensor:
        """The distinct elements in order; every NaN is distinct."""
    def isin(self, x2: ArrayLike, invert: builtins.bool = False) -> EmberTensor:
        """True where an element of x1 is among those of x2."""
    def median(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """The middle element over axes, or the mean of the two; NaN if there is one."""
    def quantile(self, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
        """Quantiles q, 0 to 1, over axes by linear, lower, higher, midpoint or nearest; q's axes come first."""
    def percentile(self, q: ArrayLike, axis: Ints | None = None, keepdims: builtins.bool = False, method: builtins.str = 'linear') -> EmberTensor:
        """Quantiles for q from 0 to 100."""
    def diff(self, n: SupportsIndex = 1, axis: SupportsIndex = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> EmberTensor:
        """Differences of neighbours along an axis, n times over."""
    def gradient(f, *varargs: Any, axis: Any=None, edge_order: builtins.int=1, x: Any=None, spacing: Any=None) -> Any:
        """Slopes along an axis, or a list of those along each of several; along all axes where none is named."""
    def histogram(self, bins: SupportsIndex = 10, low: Number | None = None, high: Number | None = None, weights: ArrayLike | None = None, density: builtins.bool = False) -> histogram_result:
        """Counts in bins of equal width, and the bins' edges."""
    def bincount(self, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> EmberTensor:
        """How often each whole number from 0 up appears, or the sum of its weights."""
    def digitize(self, bins: ArrayLike, right: builtins.bool = False) -> EmberTensor:
        """The bin each element falls into; bins rise or fall, right closes them at that end."""
    def nansum(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum over axes, NaN left out."""
    def nanprod(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Product over axes, NaN left out."""
    def nanmean(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Mean over axes, NaN left out."""
    def nanvar(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes, NaN left out."""
    def nanstd(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes, NaN left out."""
    def nanmax(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes, NaN left out; NaN if there is nothing else."""
    def nanmin(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes, NaN left out; NaN if there is nothing else."""
    def nanmedian(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """The middle element over axes, NaN left out."""
    def nanargmax(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first largest element, NaN left out."""
    def nanargmin(self, axis: SupportsIndex | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Index of the first smallest element, NaN left out."""
    def cov(self, y: ArrayLike | None = None, rowvar: builtins.bool = True, ddof: Number = 1.0) -> EmberTensor:
        """Covariance matrix of variables, one in each row, or each column."""
    def corrcoef(self, y: ArrayLike | None = None, rowvar: builtins.bool = True) -> EmberTensor:
        """Correlation coefficients of variables, one in each row, or each column."""
    def gaussian(self, mu: ArrayLike = 0.0, sigma: ArrayLike = 1.0) -> EmberTensor:
        """The density of the normal distribution."""
    def reduce_l1(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum of absolute values over axes."""
    def reduce_l2(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Root of the sum of squares over axes."""
    def reduce_log_sum(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Logarithm of the sum over axes."""
    def reduce_sum_square(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Sum of squares over axes."""
    def ptp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest less smallest element over axes."""
    def average(self, axis: Ints | None = None, weights: ArrayLike | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Mean over axes, weighted if weights of x's shape, or of the axes', are given."""
    @overload
    def reshape(self, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
        """The same elements in another shape; one dimension may be -1."""
    @overload
    def reshape(self, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
    @overload
    def transpose(self, axes: Ints | None = None) -> EmberTensor:
        """Axes in another order; without axes, reversed."""
    @overload
    def transpose(self, *axes: SupportsIndex) -> EmberTensor: ...
    @overload
    def permute_dims(self, axes: Ints) -> EmberTensor:
        """Axes in another order."""
    @overload
    def permute_dims(self, *axes: SupportsIndex) -> EmberTensor: ...
    def matrix_transpose(self) -> EmberTensor:
        """The last two axes swapped."""
    @overload
    def moveaxis(self, source: Ints, destination: Ints) -> EmberTensor:
        """Axes moved to other places, the rest kept in order."""
    @overload
    def moveaxis(self, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
        """Two axes swapped."""
    def squeeze(self, axis: Ints | None = None) -> EmberTensor:
        """Axes of length 1 removed."""
    @overload
    def expand_dims(self, axis: Ints = [0]) -> EmberTensor:
        """New axes of length 1."""
    @overload
    def expand_dims(self, *axis: SupportsIndex) -> EmberTensor: ...
    @overload
    def broadcast_to(self, shape: Ints) -> EmberTensor:
        """x repeated along its axes of length 1, and new ones in front, to a shape."""
    @overload
    def broadcast_to(self, *shape: SupportsIndex) -> EmberTensor: ...
    def unstack(self, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """The parts along an axis, without that axis."""
    def split(self, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Equal parts along an axis, or, given a list, parts cut at those positions."""
    def array_split(self, sections: SupportsIndex, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Parts along an axis whose lengths differ by at most one."""
    @overload
    def tile(self, repetitions: Ints) -> EmberTensor:
        """x repeated as a whole along its axes."""
    @overload
    def tile(self, *repetitions: SupportsIndex) -> EmberTensor: ...
    def repeat(self, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Each element repeated along an axis; without one, of the flattened tensor."""
    def flip(self, axis: Ints | None = None) -> EmberTensor:
        """The order of elements reversed along axes."""
    def roll(self, shift: Ints, axis: Ints | None = None) -> EmberTensor:
        """Elements shifted along axes, those pushed out come in at the other end."""
    def rot90(self, k: SupportsIndex = 1, axes: Ints = [0, 1]) -> EmberTensor:
        """Rotated by k quarter turns in the plane of two axes."""
    def pad(self, pad_width: Ints, mode: builtins.str = 'constant', value: ArrayLike = 0) -> EmberTensor:
        """Elements added around x: a constant, or x's own by edge, reflect, symmetric or wrap."""
    def flatten(self) -> EmberTensor:
        """All elements in one axis."""
    def atleast_nd(self, ndim: SupportsIndex) -> EmberTensor:
        """Axes of length 1 put in front until there are ndim."""
    def diagonal(self, offset: SupportsIndex = 0, axis1: SupportsIndex = -2, axis2: SupportsIndex = -1) -> EmberTensor:
        """Diagonals of matrices, as the last axis."""
    def as_strided(self, shape: Ints, strides: Ints, offset: SupportsIndex = 0) -> EmberTensor:
        """The contiguous x read with other strides, in elements."""
    def windows(self, window: Ints, step: Ints = [1], axis: Ints | None = None) -> EmberTensor:
        """Sliding windows along axes, the windows' own axes last."""
    def frame(self, frame_length: SupportsIndex, hop_length: SupportsIndex, axis: SupportsIndex = -1) -> EmberTensor:
        """An axis cut into frames that start every hop_length elements."""
    def slice(self, starts: Ints, stops: Ints, steps: Ints | None = None, axes: Ints | None = None) -> EmberTensor:
        """x[start:stop:step] along each of the axes."""
    def take(self, indices: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Elements or slices of x at indices along an axis; without one, of the flattened tensor."""
    def take_along_axis(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices that match it beside the axis."""
    def gather(self, indices: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
        """Slices of x at indices along an axis."""
    def gather_nd(self, indices: ArrayLike) -> EmberTensor:
        """Elements or slices of x at tuples of indices, the last axis of indices."""
    def scatter_elements(self, indices: ArrayLike, updates: ArrayLike, axis: SupportsIndex = 0, reduction: builtins.str = 'set') -> EmberTensor:
        """x with updates set, added, multiplied, or taken the max or min of, at indices along an axis."""
    def scatter_nd(self, indices: ArrayLike, updates: ArrayLike, reduction: builtins.str = 'set') -> EmberTensor:
        """x with updates set, added, multiplied, or taken the max or min of, at tuples of indices."""
    def tensor_scatter_nd_update(self, indices: ArrayLike, updates: ArrayLike) -> EmberTensor:
        """x with updates set at tuples of indices."""
    @overload
    def slice_update(self, update: ArrayLike, starts: Ints, steps: Ints | None = None) -> EmberTensor:
        """x with a region that begins at starts replaced."""
    @overload
    def slice_update(self, update: ArrayLike, starts: Ints, *steps: SupportsIndex) -> EmberTensor: ...
    @overload
    def slice_tensor(self, starts: Ints, sizes: Ints) -> EmberTensor:
        """The part of x that begins at starts; a size of -1 goes to the end."""
    @overload
    def slice_tensor(self, starts: Ints, *sizes: SupportsIndex) -> EmberTensor: ...
    def index_add(self, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = 0) -> EmberTensor:
        """x with values added at indices along an axis."""
    def put_along_axis(self, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """x with values set at indices that match it beside the axis."""
    def segment_sum(self, segment_ids: ArrayLike, num_segments: SupportsIndex | None = None) -> EmberTensor:
        """The sum of the slices of each segment."""
    def masked_select(self, mask: ArrayLike) -> EmberTensor:
        """The elements where the mask is true, in one axis."""
    def masked_fill(self, mask: ArrayLike, value: ArrayLike) -> EmberTensor:
        """x with a value where the mask is true."""
    def matmul(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
    def dot(self, b: ArrayLike) -> EmberTensor:
        """Sum of products over the last axis of a and the last but one of b; with a scalar, the product."""
    def inner(self, b: ArrayLike) -> EmberTensor:
        """Sum of products over the last axes."""
    def outer(self, x2: ArrayLike) -> EmberTensor:
        """Every element of x1 times every element of x2, both flattened."""
    def vecdot(self, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Sum of products along an axis, x1 conjugated."""
    def tensordot(self, x2: ArrayLike, axes: Any = 2) -> EmberTensor:
        """Sum of products over several axes: the last of x1 and the first of x2, or two lists of axes."""
    def kron(self, b: ArrayLike) -> EmberTensor:
        """Kronecker product: b scaled by each element of a."""
    def cross(self, x2: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Cross product of vectors of three elements along an axis."""
    def gemm(self, b: ArrayLike, c: ArrayLike | None = None, alpha: Number = 1, beta: Number = 1, a_transpose: builtins.bool = False, b_transpose: builtins.bool = False) -> EmberTensor:
        """alpha * a @ b + beta * c, a and b transposed if asked."""
    def trace(self, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum of a diagonal of matrices."""
    def cholesky(self, upper: builtins.bool = False) -> EmberTensor:
        """The triangular factor of symmetric or Hermitian positive definite matrices."""
    def det(self) -> EmberTensor:
        """Determinants of square matrices."""
    def slogdet(self) -> slogdet_result:
        """Sign and logarithm of the absolute value of determinants."""
    def eig(self) -> eig_result:
        """Eigenvalues and eigenvectors of square matrices, complex."""
    def eigh(self, upper: builtins.bool = False) -> eigh_result:
        """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices, of which one triangle is read."""
    def eigvals(self) -> EmberTensor:
        """Eigenvalues of square matrices, complex."""
    def eigvalsh(self, upper: builtins.bool = False) -> EmberTensor:
        """Eigenvalues of symmetric or Hermitian matrices, ascending."""
    def inv(self) -> EmberTensor:
        """Inverses of square matrices."""
    def pinv(self, rtol: ArrayLike | None = None) -> EmberTensor:
        """Pseudo-inverses; singular values up to rtol times the largest count as zero."""
    def qr(self, mode: builtins.str = 'reduced') -> qr_result:
        """Orthogonal and upper triangular factors, reduced or complete."""
    def solve(self, x2: ArrayLike) -> EmberTensor:
        """The solution of x1 @ x = x2; x2 is a vector only if it has one dimension."""
    def solve_triangular(self, b: ArrayLike, upper: builtins.bool = False, unit_diagonal: builtins.bool = False, transposed: builtins.bool = False) -> EmberTensor:
        """The solution of a @ x = b for a triangular a, of which one triangle is read."""
    def svd(self, full_matrices: builtins.bool = True, compute_uv: builtins.bool = True) -> svd_result:
        """Singular value decomposition: u, the singular values, descending, and the adjoint of v; or the values alone."""
    def svdvals(self) -> EmberTensor:
        """Singular values, descending."""
    def lu(self) -> lu_result:
        """Row order p, lower and upper triangular factors with x[p] = l @ u."""
    def lstsq(self, b: ArrayLike, rcond: Number | None = None) -> lstsq_result:
        """Least squares: solution, residuals, rank and singular values."""
    def matrix_power(self, n: SupportsIndex) -> EmberTensor:
        """Square matrices multiplied by themselves n times; inverted for negative n."""
    def matrix_rank(self, rtol: ArrayLike | None = None) -> EmberTensor:
        """The number of singular values above rtol times the largest."""
    def matrix_norm(self, ord: Any = 'fro', keepdims: builtins.bool = False) -> EmberTensor:
        """Norms of matrices: fro, nuc, inf, -inf, 1, -1, 2 or -2."""
    def vector_norm(self, axis: Ints | None = None, keepdims: builtins.bool = False, ord: Number = 2.0) -> EmberTensor:
        """The norm of vectors along axes: sum(|x|^ord)^(1/ord), and its limits for inf, -inf and 0."""
    def norm(self, ord: Any | None = None, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """A vector norm over one axis or a matrix norm over two; without ord, the root of the sum of squares."""
    def expm(self) -> EmberTensor:
        """The exponential of square matrices."""
    def cond(self) -> EmberTensor:
        """Condition numbers: the largest singular value over the smallest."""
    def fft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along an axis."""
    def ifft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along an axis."""
    def rfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers, its first half."""
    def irfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Real numbers from the first half of their Fourier transform."""
    def hfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of numbers with Hermitian symmetry, of which half are given."""
    def ihfft(self, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse of hfft."""
    def fftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along several axes."""
    def ifftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along several axes."""
    def rfftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers along several axes, half of the last."""
    def irfftn(self, s: Ints | None = None, axes: Ints | None = None, norm: builtins.str = 'backward') -> EmberTensor:
        """Real numbers from their Fourier transform along several axes."""
    def fft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Discrete Fourier transform along two axes."""
    def ifft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Inverse discrete Fourier transform along two axes."""
    def rfft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Fourier transform of real numbers along two axes, half of the last."""
    def irfft2(self, s: Ints | None = None, axes: Ints = [-2, -1], norm: builtins.str = 'backward') -> EmberTensor:
        """Real numbers from their Fourier transform along two axes."""
    def fftshift(self, axes: Ints | None = None) -> EmberTensor:
        """The zero frequency moved to the middle."""
    def ifftshift(self, axes: Ints | None = None) -> EmberTensor:
        """The zero frequency moved back to the front."""
    def stft(self, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """Fourier transforms of short pieces, [frequency, frame]; hop_length is n_fft / 4 and the window Hann's if left out; without n_fft, x holds frames already cut and weighed."""
    def istft(self, length: SupportsIndex | None = None, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """The signal from its short-time Fourier transform."""
    def spectrogram(self, power: Number = 2.0, n_fft: SupportsIndex | None = None, hop_length: SupportsIndex | None = None, win_length: SupportsIndex | None = None, window: ArrayLike | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect') -> EmberTensor:
        """The absolute values of the short-time Fourier transform to a power."""
    def convolve(self, v: ArrayLike, mode: builtins.str = 'full') -> EmberTensor:
        """Convolution of two sequences: full, same or valid."""
    def correlate(self, v: ArrayLike, mode: builtins.str = 'valid') -> EmberTensor:
        """Correlation of two sequences, v conjugated: full, same or valid."""
    def relu(self) -> EmberTensor:
        """x where positive, 0 elsewhere."""
    def relu6(self) -> EmberTensor:
        """x held between 0 and 6."""
    def hard_sigmoid(self, alpha: Number = 0.2, beta: Number = 0.5) -> EmberTensor:
        """alpha * x + beta, held between 0 and 1."""
    def softmax(self, axis: SupportsIndex = -1) -> EmberTensor:
        """exp(x) divided by its sum along an axis."""
    def log_softmax(self, axis: SupportsIndex = -1) -> EmberTensor:
        """Logarithm of softmax, without overflow."""
    def softplus(self, beta: Number = 1) -> EmberTensor:
        """log(1 + exp(beta * x)) / beta."""
    def softsign(self) -> EmberTensor:
        """x / (1 + |x|)."""
    def gelu(self, approximate: builtins.str = 'none') -> EmberTensor:
        """x times the normal distribution function of x; approximate: none or tanh."""
    def silu(self) -> EmberTensor:
        """x * sigmoid(x)."""
    def elu(self, alpha: Number = 1) -> EmberTensor:
        """x where positive, alpha * (exp(x) - 1) elsewhere."""
    def selu(self) -> EmberTensor:
        """Scaled elu with the constants that keep variance."""
    def celu(self, alpha: Number = 1) -> EmberTensor:
        """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def leaky_relu(self, alpha: Number = 0.01) -> EmberTensor:
        """x where positive, alpha * x elsewhere."""
    def prelu(self, slope: ArrayLike) -> EmberTensor:
        """x where positive, slope * x elsewhere."""
    def mish(self) -> EmberTensor:
        """x * tanh(softplus(x))."""
    def hardswish(self) -> EmberTensor:
        """x * (min(max(x + 3, 0), 6) / 6)."""
    def hardtanh(self, low: Number = -1, high: Number = 1) -> EmberTensor:
        """x held between low and high."""
    def threshold(self, threshold: Number, value: Number = 0) -> EmberTensor:
        """value up to the threshold, x above it."""
    def linear(self, weight: ArrayLike, bias: ArrayLike | None = None) -> EmberTensor:
        """x @ weight.T + bias."""
    def glu(self, axis: SupportsIndex = -1) -> EmberTensor:
        """The first half times the sigmoid of the second half."""
    def tanhshrink(self) -> EmberTensor:
        """x - tanh(x)."""
    def hardshrink(self, lambd: Number = 0.5) -> EmberTensor:
        """0 where |x| <= lambd, x elsewhere."""
    def softshrink(self, lambd: Number = 0.5) -> EmberTensor:
        """x moved towards 0 by lambda, 0 where it would cross."""
    def logsigmoid(self) -> EmberTensor:
        """Logarithm of the sigmoid, without overflow."""
    def conv1d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Convolution over 1 axes, without mirroring the filter."""
    def conv_transpose1d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Transposed convolution over 1 axes: the gradient of a convolution by its input."""
    def conv2d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Convolution over 2 axes, without mirroring the filter."""
    def conv_transpose2d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Transposed convolution over 2 axes: the gradient of a convolution by its input."""
    def conv3d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, auto_pad: builtins.str = 'none', input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'oihw') -> EmberTensor:
        """Convolution over 3 axes, without mirroring the filter."""
    def conv_transpose3d(self, weight: ArrayLike, bias: ArrayLike | None = None, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: SupportsIndex = 1, output_sizes: Ints | None = None, input_layout: builtins.str = 'nchw', filter_layout: builtins.str = 'iohw') -> EmberTensor:
        """Transposed convolution over 3 axes: the gradient of a convolution by its input."""
    def max_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The largest element of each window over 1 axes."""
    def average_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The mean of each window over 1 axes."""
    def l2_pool1d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The square root of the sum of squares of each window over 1 axes."""
    def max_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The largest element of each window over 2 axes."""
    def average_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The mean of each window over 2 axes."""
    def l2_pool2d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The square root of the sum of squares of each window over 2 axes."""
    def max_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The largest element of each window over 3 axes."""
    def average_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The mean of each window over 3 axes."""
    def l2_pool3d(self, kernel_size: Ints = 2, strides: Ints | None = None, padding: Ints = 0, dilation: Ints = 1, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'nchw') -> EmberTensor:
        """The square root of the sum of squares of each window over 3 axes."""
    @overload
    def adaptive_average_pool(self, output_size: Ints) -> EmberTensor:
        """The means of as many windows along the last axes as output_size says."""
    @overload
    def adaptive_average_pool(self, *output_size: SupportsIndex) -> EmberTensor: ...
    @overload
    def adaptive_max_pool(self, output_size: Ints) -> EmberTensor:
        """The largest elements of as many windows along the last axes as output_size says."""
    @overload
    def adaptive_max_pool(self, *output_size: SupportsIndex) -> EmberTensor: ...
    def global_average_pool(self, layout: builtins.str = 'nchw') -> EmberTensor:
        """The mean over all spatial axes, which are kept with length 1."""
    def global_max_pool(self, layout: builtins.str = 'nchw') -> EmberTensor:
        """The largest element over all spatial axes, which are kept with length 1."""
    def pixel_shuffle(self, factor: SupportsIndex) -> EmberTensor:
        """Channels spread over an image that is larger by a factor."""
    def pixel_unshuffle(self, factor: SupportsIndex) -> EmberTensor:
        """Blocks of an image gathered into channels."""
    def resample(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
    def grid_sample(self, grid: ArrayLike, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> EmberTensor:
        """Images sampled at the places of a grid whose coordinates run from -1 to 1."""
    def batch_norm(self, mean: ArrayLike, variance: ArrayLike, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axis: SupportsIndex = 1, eps: Number = 1e-05) -> EmberTensor:
        """x less the mean, divided by the square root of the variance, both given to each channel."""
    def layer_norm(self, scale: ArrayLike | None = None, bias: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
        """x less its mean over axes, divided by its standard deviation."""
    def rms_norm(self, scale: ArrayLike | None = None, axes: Ints = -1, eps: Number = 1e-05) -> EmberTensor:
        """x divided by the root of its mean square over axes."""
    def group_norm(self, groups: SupportsIndex, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05) -> EmberTensor:
        """Normalization over groups of channels of each sample."""
    def instance_norm(self, scale: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-05, layout: builtins.str = 'nchw') -> EmberTensor:
        """Normalization over the spatial axes of each sample and channel."""
    def dropout(self, p: Number = 0.5, training: builtins.bool = True) -> EmberTensor:
        """Elements set to 0 with probability p, the others divided by 1 - p."""
    def rope(self, positions: ArrayLike | None = None, base: Number = 10000, interleaved: builtins.bool = False) -> EmberTensor:
        """Rotary position embedding: pairs of features turned by angles that grow with the position."""
    def lstm(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Long short-term memory over a sequence: the last hidden and cell state, and every hidden state."""
    def lstm_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, cell: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """One step of a long short-term memory: the next hidden and cell state."""
    def gru(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Gated recurrent unit over a sequence: the last hidden state, and every one."""
    def gru_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
        """One step of a gated recurrent unit: the next hidden state."""
    def rnn(self, weight: ArrayLike, recurrent_weight: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> builtins.tuple[EmberTensor, ...]:
        """Recurrent network over a sequence: the last hidden state, and every one."""
    def rnn_cell(self, weight: ArrayLike, recurrent_weight: ArrayLike, hidden: ArrayLike, bias: ArrayLike | None = None, recurrent_bias: ArrayLike | None = None, peephole: ArrayLike | None = None, initial_hidden: ArrayLike | None = None, initial_cell: ArrayLike | None = None, reset_after: builtins.bool = True, return_sequence: builtins.bool = True, direction: builtins.str = 'forward', layout: builtins.str = '', activations: Sequence[builtins.str] = []) -> EmberTensor:
        """One step of a recurrent network: the next hidden state."""
    def quantize_linear(self, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
        """round(x / scale) + zero_point, held within the dtype of zero_point."""
    def dequantize_linear(self, scale: ArrayLike, zero_point: ArrayLike, axis: SupportsIndex | None = None, block_size: SupportsIndex | None = None) -> EmberTensor:
        """(x - zero_point) * scale."""
    def contrastive_loss(self, b: ArrayLike, target: ArrayLike, margin: Number = 1, reduction: builtins.str = 'mean') -> EmberTensor:
        """The squared distance of pairs whose target is 1, the squared lack of distance up to margin of others."""
    def cosine_embedding_loss(self, b: ArrayLike, target: ArrayLike, margin: Number = 0, reduction: builtins.str = 'mean') -> EmberTensor:
        """1 - cosine of pairs whose target is 1, the cosine above margin of others."""
    def cosine_similarity(self, b: ArrayLike, axis: SupportsIndex = -1, eps: Number = 1e-08) -> EmberTensor:
        """The cosine of the angle between vectors along an axis."""
    def euclidean_distance(self, b: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """The length of the difference of vectors along an axis."""
    def pairwise_distance(self, b: ArrayLike | None = None, p: Number = 2) -> EmberTensor:
        """The distance of each point of a to each of b, by the p-norm."""
    def normalize_vector(self, axis: SupportsIndex | None = -1, eps: Number = 1e-12) -> EmberTensor:
        """Vectors along an axis, or the whole tensor, divided by their length."""
    def random_uniform(self, shape: Ints, low: Number = 0, high: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Uniform numbers, low included, high not."""
    def random_normal(self, shape: Ints, mean: Number = 0, stddev: Number = 1, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Normally distributed numbers."""
    def random_permutation(self, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """The entries along an axis in random order; an integer n means arange(n)."""
    def shuffle(self, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """The entries along an axis in random order."""
    @overload
    def choice(self, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Elements drawn from a vector."""
    @overload
    def choice(self, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
    def absolute(self) -> EmberTensor:
        """Absolute value; of complex numbers the modulus."""
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
        """The angle of the point (x2, x1)."""
    def arctanh(self) -> EmberTensor:
        """Inverse hyperbolic tangent."""
    def array(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, of another dtype if asked."""
    def amax(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if there is one."""
    def amin(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if there is one."""
    def bitwise_count(self) -> EmberTensor:
        """The number of bits that are one."""
    def bitwise_not(self) -> EmberTensor:
        """Every bit flipped; of bool, logical not."""
    def cast(self, dtype: DTypeLike, copy: builtins.bool = True, *, device: builtins.str | None = None) -> EmberTensor:
        """x in another dtype."""
    def clamp(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> EmberTensor:
        """x held between two bounds."""
    def conjugate(self) -> EmberTensor:
        """Complex conjugate."""
    def convert_to_tensor(self, dtype: DTypeLike | None = None, copy: builtins.bool | None = None, *, device: builtins.str | None = None) -> EmberTensor:
        """x as a tensor, of another dtype if asked."""
    def count_ones(self) -> EmberTensor:
        """The number of bits that are one."""
    def degrees(self) -> EmberTensor:
        """Radians to degrees."""
    def div(self, x2: ArrayLike) -> EmberTensor:
        """Quotient; of integers in the default float."""
    @overload
    def expand(self, shape: Ints) -> EmberTensor:
        """x repeated along its axes of length 1, and new ones in front, to a shape."""
    @overload
    def expand(self, *shape: SupportsIndex) -> EmberTensor: ...
    def floordiv(self, x2: ArrayLike) -> EmberTensor:
        """Quotient rounded down; of integers by zero, 0."""
    def floor_div(self, x2: ArrayLike) -> EmberTensor:
        """Quotient rounded down; of integers by zero, 0."""
    def gather_elements(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices that match it beside the axis."""
    def identity(self) -> EmberTensor:
        """x itself."""
    def invert(self) -> EmberTensor:
        """Every bit flipped; of bool, logical not."""
    def left_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
    def mod(self, x2: ArrayLike) -> EmberTensor:
        """Remainder with the divisor's sign; of integers by zero, 0."""
    def mul(self, x2: ArrayLike) -> EmberTensor:
        """Product."""
    def nanstdev(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes, NaN left out."""
    def neg(self) -> EmberTensor:
        """-x."""
    @overload
    def permute(self, axes: Ints) -> EmberTensor:
        """Axes in another order."""
    @overload
    def permute(self, *axes: SupportsIndex) -> EmberTensor: ...
    def power(self, x2: ArrayLike) -> EmberTensor:
        """x1 to the power x2."""
    def radians(self) -> EmberTensor:
        """Degrees to radians."""
    def ravel(self) -> EmberTensor:
        """All elements in one axis."""
    def reduce_all(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if all elements over axes are true or nonzero."""
    def reduce_any(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """True if any element over axes is true or nonzero."""
    def reduce_logsumexp(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """log(sum(exp(x))) over axes, without overflow."""
    def reduce_max(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Largest element over axes; NaN if there is one."""
    def reduce_mean(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Arithmetic mean over axes; of integers in the default float."""
    def reduce_min(self, axis: Ints | None = None, keepdims: builtins.bool = False) -> EmberTensor:
        """Smallest element over axes; NaN if there is one."""
    def reduce_prod(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Product over axes; of small integers in 64 bits."""
    def reduce_std(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes."""
    def reduce_sum(self, axis: Ints | None = None, keepdims: builtins.bool = False, dtype: DTypeLike | None = None) -> EmberTensor:
        """Sum over axes; of small integers in 64 bits."""
    def reduce_var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes; correction is subtracted from the count."""
    def resample2d(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
    def right_shift(self, x2: ArrayLike) -> EmberTensor:
        """x1 / 2^x2, rounded down."""
    def shift_left(self, x2: ArrayLike) -> EmberTensor:
        """x1 * 2^x2, bits lost at the top; by the width or more, 0."""
    def shift_right(self, x2: ArrayLike) -> EmberTensor:
        """x1 / 2^x2, rounded down."""
    def sub(self, x2: ArrayLike) -> EmberTensor:
        """Difference."""
    def swish(self) -> EmberTensor:
        """x * sigmoid(x)."""
    def true_divide(self, x2: ArrayLike) -> EmberTensor:
        """Quotient; of integers in the default float."""
    def unique(self) -> EmberTensor:
        """The distinct elements in order; every NaN is distinct."""
    @overload
    def random_choice(self, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """Elements drawn from a vector."""
    @overload
    def random_choice(self, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor: ...
    def random_shuffle(self, axis: SupportsIndex = 0, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> EmberTensor:
        """The entries along an axis in random order."""
    def interpolate(self, mode: builtins.str = 'nearest', scales: Sequence[Number] | None = None, sizes: Ints | None = None, axes: Ints | None = None, align_corners: builtins.bool = False, antialias: builtins.bool = False) -> EmberTensor:
        """Axes made longer or shorter: nearest, linear or cubic, half-pixel centres unless align_corners."""
    def stdev(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Standard deviation over axes."""
    def split_tensor(self, sections: Any, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """Equal parts along an axis, or, given a list, parts cut at those positions."""
    def tensor_sort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> EmberTensor:
        """Elements in order along an axis, NaN last."""
    def tensor_var(self, axis: Ints | None = None, correction: Number = 0, keepdims: builtins.bool = False) -> EmberTensor:
        """Variance over axes; correction is subtracted from the count."""
    def fabs(self) -> EmberTensor:
        """Absolute value; of complex numbers the modulus."""
    def rint(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """Rounded to the given number of decimals, halves to even."""
    def around(self, decimals: SupportsIndex = 0) -> EmberTensor:
        """Rounded to the given number of decimals, halves to even."""
    def fix(self) -> EmberTensor:
        """The whole number next towards zero."""
    def bmm(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
    def clone(self) -> EmberTensor:
        """A copy with memory of its own."""
    def dim(self) -> builtins.int:
        """The number of axes."""
    def eq(self, x2: ArrayLike) -> EmberTensor:
        """x1 == x2."""
    def ge(self, x2: ArrayLike) -> EmberTensor:
        """x1 >= x2."""
    def gt(self, x2: ArrayLike) -> EmberTensor:
        """x1 > x2."""
    def le(self, x2: ArrayLike) -> EmberTensor:
        """x1 <= x2."""
    def lt(self, x2: ArrayLike) -> EmberTensor:
        """x1 < x2."""
    def mm(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
    @overload
    def movedim(self, source: Ints, destination: Ints) -> EmberTensor:
        """Axes moved to other places, the rest kept in order."""
    @overload
    def movedim(self, source: Ints, *destination: SupportsIndex) -> EmberTensor: ...
    def mv(self, x2: ArrayLike) -> EmberTensor:
        """Matrix product of the last two axes, those before broadcast; a vector is a row on the left and a column on the right."""
    def ne(self, x2: ArrayLike) -> EmberTensor:
        """x1 != x2."""
    def numel(self) -> builtins.int:
        """The number of elements."""
    def repeat_interleave(self, repeats: ArrayLike, axis: SupportsIndex | None = None) -> EmberTensor:
        """Each element repeated along an axis; without one, of the flattened tensor."""
    def swapdims(self, axis1: SupportsIndex, axis2: SupportsIndex) -> EmberTensor:
        """Two axes swapped."""
    def unbind(self, axis: SupportsIndex = 0) -> builtins.tuple[EmberTensor, ...]:
        """The parts along an axis, without that axis."""
    @overload
    def unsqueeze(self, axis: Ints = [0]) -> EmberTensor:
        """New axes of length 1."""
    @overload
    def unsqueeze(self, *axis: SupportsIndex) -> EmberTensor: ...
    @overload
    def view(self, shape: Ints, copy: builtins.bool | None = None) -> EmberTensor:
        """The same elements in another shape; one dimension may be -1."""
    @overload
    def view(self, *shape: SupportsIndex, copy: builtins.bool | None = None) -> EmberTensor: ...
    def inverse(self) -> EmberTensor:
        """Inverses of square matrices."""
    def nelement(self) -> builtins.int:
        """The number of elements."""
    def take_along_dim(self, indices: ArrayLike, axis: SupportsIndex = -1) -> EmberTensor:
        """Elements of x at indices that match it beside the axis."""
    def expit(self) -> EmberTensor:
        """1 / (1 + exp(-x))."""
    def gammaln(self) -> EmberTensor:
        """Logarithm of the absolute value of the gamma function."""
    def hard_tanh(self, low: Number = -1, high: Number = 1) -> EmberTensor:
        """x held between low and high."""
    def hard_swish(self) -> EmberTensor:
        """x * (min(max(x + 3, 0), 6) / 6)."""
    def log_sigmoid(self) -> EmberTensor:
        """Logarithm of the sigmoid, without overflow."""
    @property
    def at(self) -> Any:
        """x.at[i].set(v), .add(v) and their kin give x with the elements at i changed."""
    def to(self, *args: Any, dtype: Any=None, device: Any=None, copy: builtins.bool=False, non_blocking: builtins.bool=False) -> EmberTensor:
        """The same numbers with a dtype, on a device, or with those of another tensor."""
    def type(self, dtype: Any=None) -> Any:
        """The elements with another dtype; without one, the name of the dtype."""
    def cpu(self) -> EmberTensor:
        """The same value in the host's memory."""
    def cuda(self, device: builtins.int | str | None=None) -> EmberTensor:
        """The same value on a CUDA device."""
    def numpy(self, *, force: builtins.bool=False) -> Any:
        """The tensor as a NumPy array, sharing its memory."""
    def contiguous(self) -> EmberTensor:
        """The tensor itself: how its memory is laid out cannot be seen."""
    def is_contiguous(self) -> builtins.bool:
        """True: how memory is laid out cannot be seen."""
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
    def where(self, condition: Any, other: Any) -> EmberTensor:
        """The tensor where the condition holds, other elsewhere."""
    def scatter(self, dim: builtins.int, index: Any, src: Any=None, *, value: Any=None, reduce: str | None=None) -> EmberTensor:
        """The tensor with the elements of src, or one value, at the places of index along dim."""
    def scatter_add(self, dim: builtins.int, index: Any, src: Any) -> EmberTensor:
        """The tensor with the elements of src added at the places of index along dim."""
    def requires_grad_(self, requires_grad: builtins.bool=True) -> EmberTensor:
        """Says whether gradients reach the tensor."""
    def detach_(self) -> EmberTensor:
        """Takes the tensor out of every gradient."""
    def new_tensor(self, data: Any, dtype: Any=None) -> EmberTensor:
        """A tensor of data, with this one's dtype."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> EmberTensor:
        """The windows of an axis; their elements are along a new last axis."""
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
        """The interval of boundaries that each element is in; the upper end belongs to it, with right
        the lower one."""
    def cdist(x1, x2: Any, p: builtins.float=2.0) -> EmberTensor:
        """The distance of each row of x1 from each of x2."""
    def chunk(input, chunks: builtins.int, dim: builtins.int=0) -> tuple[EmberTensor, ...]:
        """At most that many pieces of one length, but for the last."""
    def diag_embed(input, offset: builtins.int=0, dim1: builtins.int=-2, dim2: builtins.int=-1) -> EmberTensor:
        """Matrices with the vectors of the last axis on a diagonal."""
    def dist(input, other: Any, p: builtins.float=2.0) -> EmberTensor:
        """The norm of the difference, of all elements as one vector."""
    def frac(input) -> EmberTensor:
        """The part behind the point, with the sign of the number."""
    def histc(input, bins: builtins.int=100, min: builtins.float=0, max: builtins.float=0) -> EmberTensor:
        """Counts in bins of equal width, as floats; equal limits mean the data's."""
    def index_copy(input, dim: builtins.int, index: Any, source: Any) -> EmberTensor:
        """input with source in place of the entries of an axis at these indices."""
    def index_fill(input, dim: builtins.int, index: Any, value: Any) -> EmberTensor:
        """input with one value in place of the entries of an axis at these indices."""
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
        """log(x / (1 - x)), x first held between eps and 1 - eps."""
    def masked_scatter(input, mask: Any, source: Any) -> EmberTensor:
        """input with the elements of source, in order, where the mask is true."""
    def mode(input, dim: builtins.int=-1, keepdim: builtins.bool=False) -> Any:
        """The most frequent values along an axis (of several the smallest), and the indices where they
        stand last."""
    def narrow(input, dim: builtins.int, start: builtins.int, length: builtins.int) -> EmberTensor:
        """length entries of an axis, from start on."""
    def scatter_reduce(input, dim: builtins.int, index: Any, src: Any, reduce: str, *, include_self: builtins.bool=True) -> EmberTensor:
        """input with the elements of src brought to the places of index along dim: sum, prod, amax or
        amin."""
    def t(input) -> EmberTensor:
        """A matrix transposed; a vector or a scalar as it is."""
    def tensor_split(input, indices_or_sections: Any, dim: builtins.int=0) -> tuple[EmberTensor, ...]:
        """That many pieces of nearly one length, or cuts at positions."""
    def unflatten(input, dim: builtins.int, sizes: Any) -> EmberTensor:
        """One axis as several."""
    def unique_consecutive(input, return_inverse: builtins.bool=False, return_counts: builtins.bool=False) -> Any:
        """The elements of the flattened tensor without repetitions that follow each other."""
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
    @property
    def H(self) -> EmberTensor:
        """The conjugated transpose of a matrix."""
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
    """A trainable tensor: a cell that modules and optimizers share."""
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
    """The same object where nothing would change, else a tensor of it."""
def from_dlpack(x: _HasDLPack, *, device: str | None=None, copy: builtins.bool | None=None) -> EmberTensor:
    """A tensor of another library's array, by DLPack. copy=False shares the memory, which must not change then."""
def set_backend(backend: str, *, persist: builtins.bool=False) -> None:
    """Chooses the engine of what is recorded next; persist: also for later processes."""
def get_backend() -> str:
    """The name of the current engine."""
def get_available_backends() -> list[str]:
    """The engines that work here."""
def auto_select_backend() -> tuple[str, str]:
    """The best engine and device found here."""
def get_device(tensor: ArrayLike | None=None) -> str:
    """The current device, or that of a tensor."""
def set_device(device: str) -> None:
    """Chooses the device of what is recorded next."""
def to_device(x: ArrayLike, device: str) -> EmberTensor:
    """The same value on another device."""
def get_available_devices() -> list[str]:
    """The current engine's devices."""
def synchronize(device: object | None=None) -> None:
    """Waits until the devices have done their work."""
def backend_info() -> list[dict[str, Any]]:
    """Every engine known: whether it works here, else why not."""
def memory_stats() -> dict[str, int]:
    """Bytes in use, kept for reuse, and at most so far."""
def reset_peak_memory() -> None:
    """The peak counts from here."""
def clear_cache() -> None:
    """Gives memory that is kept for reuse back to the system."""
def counters() -> dict[str, int]:
    """What evaluation did so far."""
def get_default_dtype() -> DType:
    """The dtype of floats where none is given."""
def set_default_dtype(dtype: DTypeLike) -> None:
    """Sets the dtype of floats where none is given."""
def eval(tensors: Sequence[ArrayLike]) -> None: ...
def gradients(ys: Sequence[ArrayLike], xs: Sequence[ArrayLike], gs: Sequence[ArrayLike]=..., create_graph: builtins.bool=False, retain_graph: builtins.bool=False, allow_unused: builtins.bool=True) -> list[EmberTensor]:
    """The gradients of sum(ys * gs) with respect to xs."""
def grad_enabled() -> builtins.bool:
    """Whether what is recorded now can be differentiated."""
def value_and_grad(f: Callable[..., Any], args: Sequence[ArrayLike], has_aux: builtins.bool=False) -> tuple[Any, ...]: ...
def checkpoint(f: Callable[..., Any], args: Sequence[ArrayLike]) -> EmberTensor: ...
def with_gradient(y: ArrayLike, inputs: Sequence[ArrayLike], vjp: Callable[..., Any]) -> EmberTensor: ...
def get_random_state() -> tuple[int, int]:
    """The generator's key and counter."""
def set_random_state(state: tuple[int, int]) -> None:
    """Puts the generator back to a state."""
def save(filepath: object, obj: ArrayLike | Mapping[str, ArrayLike]) -> None:
    """Writes a tensor (.npy, .safetensors) or a dict of tensors (.safetensors, .npz), atomically."""
def load(filepath: object, mmap: builtins.bool=False) -> Any:
    """Reads a file: one tensor, or a dict of them. Never runs code."""
def load_metadata(path: str | PathLike[str]) -> dict[str, str]:
    """The metadata of a safetensors file."""
def get_printoptions() -> dict[str, Any]:
    """How tensors are printed."""
def set_printoptions(*, precision: int | None=None, threshold: int | None=None, edgeitems: int | None=None, linewidth: int | None=None, suppress: builtins.bool | None=None) -> None:
    """Sets how tensors are printed, as NumPy's function of that name."""
def rows() -> list[Any]: ...
def aliases() -> dict[str, Any]: ...
def watch_ops(on: builtins.bool) -> None: ...
def watched_ops() -> list[Any]: ...
class using_backend:
    """
    A context manager: inside it, on this thread, ops are recorded for this engine.
    """

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
