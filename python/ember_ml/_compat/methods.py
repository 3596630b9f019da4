"""Methods of torch's and NumPy's tensors that are not ops, and those that
write in place."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _core
from .._core import DTypeError, EmberTensor, ShapeError, convert_to_tensor
from .._grad import no_grad
from . import absent, op
from . import torch as functions


# ---- Dtypes, devices, libraries ----
def to(
    self: EmberTensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    non_blocking: bool = False,
) -> EmberTensor:
    """The tensor with a dtype, on a device, or with both of another tensor."""
    for a in args:
        if isinstance(a, EmberTensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, bool):
            copy = copy or a
        elif _is_device(a):
            device = str(a)
        else:
            dtype = a
    result = self if dtype is None else op.astype(self, dtype)
    if device is not None and str(device) != result.device:
        result = result.to_device(str(device))
    return op.copy(result) if copy and result is self else result


def _is_device(a: Any) -> bool:
    return type(a).__name__ == "device" or (
        isinstance(a, str) and a.partition(":")[0] in ("cpu", "cuda", "mps", "gpu", "xpu")
    )


def cast(dtype: str) -> Callable[[EmberTensor], EmberTensor]:
    def method(self: EmberTensor) -> EmberTensor:
        return op.astype(self, dtype)

    method.__doc__ = f"The elements as {dtype}."
    return method


def type_(self: EmberTensor, dtype: Any = None) -> Any:
    """The elements with another dtype; without one, the name of the dtype."""
    return self.dtype.name if dtype is None else op.astype(self, dtype)


def cpu(self: EmberTensor) -> EmberTensor:
    """The same value in the host's memory."""
    return self.to_device("cpu")


def cuda(self: EmberTensor, device: int | str | None = None) -> EmberTensor:
    """The same value on a CUDA device."""
    return self.to_device(
        device if isinstance(device, str) else "cuda" if device is None else f"cuda:{device}"
    )


def numpy(self: EmberTensor, *, force: bool = False) -> Any:
    """The tensor as a NumPy array, sharing its memory."""
    if self.requires_grad and not force:
        raise _core.StateError(
            "[numpy] the tensor requires gradients, which a NumPy array cannot carry: use "
            "x.detach().numpy()"
        )
    return self.to_numpy()  # ember: allow


def block_until_ready(self: EmberTensor) -> EmberTensor:
    """The tensor, evaluated."""
    self.eval()
    return self


# ---- Shapes ----
def contiguous(self: EmberTensor) -> EmberTensor:
    """The tensor itself: its memory layout is not visible."""
    return self


def is_contiguous(self: EmberTensor) -> bool:
    """True: the memory layout is not visible."""
    return True


def element_size(self: EmberTensor) -> int:
    """Bytes of one element."""
    return self.itemsize


class Size(int):
    """The number of elements. Called, it is torch's size(): the shape, or the length of an axis."""

    def __new__(cls, shape: tuple[int, ...]) -> Size:
        size = super().__new__(cls, math.prod(shape))
        size.shape = shape
        return size

    shape: tuple[int, ...]

    def __call__(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def __reduce__(self) -> Any:
        return int, (int(self),)


class Flags(NamedTuple):
    """NumPy's x.flags, of the memory that another library gets: in row-major order, and read-only."""

    c_contiguous: bool
    f_contiguous: bool
    contiguous: bool = True
    forc: bool = True
    fnc: bool = False
    owndata: bool = True
    writeable: bool = False
    aligned: bool = True


def flags(self: EmberTensor) -> Flags:
    """The layout of the memory that another library gets."""
    return Flags(c_contiguous=True, f_contiguous=sum(n > 1 for n in self.shape) < 2)


def view_as(self: EmberTensor, other: EmberTensor) -> EmberTensor:
    """The elements in the shape of another tensor."""
    return op.reshape(self, other.shape)


def expand_as(self: EmberTensor, other: EmberTensor) -> EmberTensor:
    """The tensor broadcast to the shape of another one."""
    return op.broadcast_to(self, other.shape)


def type_as(self: EmberTensor, other: EmberTensor) -> EmberTensor:
    """The elements with the dtype of another tensor."""
    return op.astype(self, other.dtype)


def unfold(self: EmberTensor, dimension: int, size: int, step: int) -> EmberTensor:
    """The sliding windows of an axis, with their elements along a new last axis."""
    return op.windows(self, size, step, dimension)


def hermitian(self: EmberTensor) -> EmberTensor:
    """The conjugate transpose of a matrix."""
    if self.ndim != 2:
        raise ShapeError(f"[H] needs a matrix, not shape {list(self.shape)}: use x.mT.conj()")
    return op.conj(self.T)


def clamp_min(self: EmberTensor, min: Any) -> EmberTensor:
    """The elements, not less than min."""
    return op.maximum(self, min)


def clamp_max(self: EmberTensor, max: Any) -> EmberTensor:
    """The elements, not greater than max."""
    return op.minimum(self, max)


def where(self: EmberTensor, condition: Any, other: Any) -> EmberTensor:
    """The tensor where the condition holds, other elsewhere."""
    return op.where(condition, self, other)


def new(name: str) -> Callable[..., EmberTensor]:
    make = getattr(op, name)

    def method(
        self: EmberTensor, size: Any, *args: Any, dtype: Any = None, **options: Any
    ) -> EmberTensor:
        shape, more = (
            (size, args)
            if isinstance(size, (list, tuple)) or name == "full"
            else ((size, *args), ())
        )
        return make(shape, *more, dtype=self.dtype if dtype is None else dtype, **options)

    method.__doc__ = f"As em.{name}, with this tensor's dtype."
    return method


def new_tensor(self: EmberTensor, data: Any, dtype: Any = None) -> EmberTensor:
    """A tensor of data, with this one's dtype."""
    return convert_to_tensor(data, dtype=self.dtype if dtype is None else dtype)


# ---- torch's scatter ----
def scatter(
    self: EmberTensor,
    dim: int,
    index: Any,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
) -> EmberTensor:
    """The tensor with the elements of src, or one value, stored at index along dim."""
    modes = {None: "set", "add": "add", "multiply": "mul"}
    if (src is None) == (value is None) or reduce not in modes:
        raise DTypeError(
            "[scatter] takes dim, index and src, or value=; reduce= is add or multiply"
        )
    at = convert_to_tensor(index)
    updates = convert_to_tensor(src if value is None else value, dtype=self.dtype)
    return op.scatter_elements(self, at, op.broadcast_to(updates, at.shape), dim, modes[reduce])


def scatter_add(self: EmberTensor, dim: int, index: Any, src: Any) -> EmberTensor:
    """The tensor with the elements of src added at index along dim."""
    return op.scatter_elements(self, index, src, dim, "add")


# ---- Gradients ----
def requires_grad_(self: EmberTensor, requires_grad: bool = True) -> EmberTensor:
    """Sets whether the tensor requires gradients."""
    self.requires_grad = requires_grad
    return self


def detach_(self: EmberTensor) -> EmberTensor:
    """Detaches the tensor from its graph, in place."""
    if self.is_leaf:
        self.requires_grad = False
    else:
        set_data(self, self)
    return self


KINDS = "buifc"


# ---- In place: the name gets a new value, as with x += y ----
def in_place(f: Callable[..., EmberTensor], name: str) -> Callable[..., EmberTensor]:
    def method(self: EmberTensor, *args: Any, **kwargs: Any) -> EmberTensor:
        result = f(self, *args, **kwargs)
        if KINDS.index(result.dtype.kind) > KINDS.index(self.dtype.kind):
            raise DTypeError(
                f"[{name}_] an in-place op cannot change the dtype from {self.dtype} to {result.dtype}"
            )
        self[...] = result
        return self

    method.__name__, method.__doc__ = f"{name}_", f"{name}, in place: this name gets the new value."
    return method


def _filled(self: EmberTensor, value: Any) -> EmberTensor:
    return op.full_like(self, value)


def fill(self: EmberTensor, value: Any) -> None:
    """One value for all elements, in place: this name gets the new value."""
    self[...] = _filled(self, value)


def _copied(self: EmberTensor, src: Any, non_blocking: bool = False) -> EmberTensor:
    return op.broadcast_to(convert_to_tensor(src, dtype=self.dtype), self.shape)


def _normal(self: EmberTensor, mean: float = 0, std: float = 1) -> EmberTensor:
    return op.random_normal(self.shape, mean, std, dtype=self.dtype)


def _uniform(self: EmberTensor, a: float = 0, b: float = 1, **limits: float) -> EmberTensor:
    return op.random_uniform(
        self.shape, limits.pop("from", a), limits.pop("to", b), dtype=self.dtype
    )


IN_PLACE = {
    "fill": _filled,
    "copy": _copied,
    "normal": _normal,
    "uniform": _uniform,
    "zero": op.zeros_like,
    "scatter": scatter,
    "scatter_add": scatter_add,
    "index_copy": functions.index_copy,
    "index_fill": functions.index_fill,
    "masked_scatter": functions.masked_scatter,
    "addcmul": functions.addcmul,
    "addcdiv": functions.addcdiv,
    "addmm": functions.addmm,
    **{
        name: getattr(op, name)
        for name in """add sub subtract mul multiply div divide pow remainder fmod clamp clip exp log log1p sqrt rsqrt square abs neg
            negative sigmoid tanh relu round floor ceil trunc sin cos reciprocal erf erfinv masked_fill lerp index_add floor_divide tril triu
            nan_to_num logical_not logical_and logical_or softmax""".split()
    },
}

METHODS: dict[str, Any] = {
    "to": to,
    "type": type_,
    "cpu": cpu,
    "cuda": cuda,
    "block_until_ready": block_until_ready,
    "numpy": numpy,
    "contiguous": contiguous,
    "is_contiguous": is_contiguous,
    "element_size": element_size,
    "view_as": view_as,
    "reshape_as": view_as,
    "expand_as": expand_as,
    "type_as": type_as,
    "clamp_max": clamp_max,
    "clamp_min": clamp_min,
    "where": where,
    "scatter": scatter,
    "scatter_add": scatter_add,
    "requires_grad_": requires_grad_,
    "detach_": detach_,
    "new_tensor": new_tensor,
    "unfold": unfold,
    **{f"new_{name}": new(name) for name in ("zeros", "ones", "empty", "full")},
    **{
        name: cast(dtype)
        for name, dtype in {
            "float": "float32",
            "double": "float64",
            "half": "float16",
            "bfloat16": "bfloat16",
            "long": "int64",
            "int": "int32",
            "short": "int16",
            "char": "int8",
            "byte": "uint8",
            "bool": "bool",
        }.items()
    },
    **{
        name: getattr(functions, name)
        for name in """addcdiv addcmul addmm aminmax baddbmm bucketize cdist chunk diag_embed dist frac
       histc index_copy index_fill index_select is_complex is_floating_point kthvalue logdet logit masked_scatter mode narrow
       scatter_reduce t tensor_split unflatten unique_consecutive xlogy""".split()
    },
    **{f"{name}_": in_place(f, name) for name, f in IN_PLACE.items()},
    "fill": fill,
}


def get_data(self: EmberTensor) -> EmberTensor:
    return self.detach()


def set_data(self: EmberTensor, value: Any) -> None:
    with no_grad():
        self[...] = convert_to_tensor(value).detach()


def install() -> None:
    for name, method in METHODS.items():
        if "__name__" in dir(method):
            method.__name__ = name
        setattr(EmberTensor, name, method)
    setattr(EmberTensor, "H", property(hermitian))
    setattr(EmberTensor, "flags", property(flags, doc=flags.__doc__))
    setattr(
        EmberTensor,
        "size",
        property(
            lambda self: Size(self.shape), doc="The number of elements; size(axis) is a length."
        ),
    )
    setattr(
        EmberTensor,
        "flat",
        property(lambda self: op.flatten(self), doc="The elements as a vector."),
    )
    setattr(
        EmberTensor,
        "mH",
        property(lambda self: op.conj(self.mT), doc="The last two axes swapped, conjugated."),
    )
    if not hasattr(EmberTensor, "data"):
        setattr(
            EmberTensor,
            "data",
            property(
                get_data, set_data, doc="The value, outside every gradient; it can be assigned."
            ),
        )
    setattr(
        EmberTensor,
        "is_cuda",
        property(
            lambda self: self.device.startswith("cuda"), doc="Whether it is on a CUDA device."
        ),
    )
    for name, advice in absent.TENSOR.items():
        if name not in vars(EmberTensor):
            setattr(EmberTensor, name, absent.Missing(name, advice))
    setattr(EmberTensor, "__dir__", names)


def names(self: EmberTensor) -> list[str]:
    return sorted(name for name in object.__dir__(self) if name not in absent.TENSOR)
