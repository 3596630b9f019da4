"""Types for hints."""

from __future__ import annotations

from typing import Any, Protocol, Sequence, TypeAlias, Union, runtime_checkable

from ._core import DType, EmberTensor, Parameter

Numeric: TypeAlias = Union[int, float]
Scalar: TypeAlias = Union[bool, int, float, complex]
Shape: TypeAlias = Sequence[int]
ShapeLike: TypeAlias = Union[int, Sequence[int]]
Axis: TypeAlias = Union[int, Sequence[int], None]
Device: TypeAlias = str
DTypeLike: TypeAlias = Union[DType, str, type, None]
Vector: TypeAlias = Sequence[Scalar]
Matrix: TypeAlias = Sequence[Sequence[Scalar]]
TensorTypes: TypeAlias = Union[EmberTensor, Parameter]


@runtime_checkable
class SupportsDType(Protocol):
    """Has a dtype."""

    @property
    def dtype(self) -> Any: ...


@runtime_checkable
class SupportsDevice(Protocol):
    """Has a device."""

    @property
    def device(self) -> Any: ...


@runtime_checkable
class EmberTensorLike(SupportsDType, Protocol):
    """Has a shape and a dtype, like the tensors of all libraries."""

    @property
    def shape(self) -> Any: ...


@runtime_checkable
class SupportsArray(Protocol):
    """Another library's array."""

    def __array__(self) -> Any: ...


ScalarLike: TypeAlias = Union[Scalar, EmberTensor]
TensorLike: TypeAlias = Union[TensorTypes, Scalar, Sequence[Any], SupportsArray]

__all__ = [
    "Axis",
    "DType",
    "DTypeLike",
    "Device",
    "EmberTensorLike",
    "Matrix",
    "Numeric",
    "Scalar",
    "ScalarLike",
    "Shape",
    "ShapeLike",
    "SupportsArray",
    "SupportsDType",
    "SupportsDevice",
    "TensorLike",
    "TensorTypes",
    "Vector",
]
