# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter

def zeros(shape: int | Sequence[int], dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Zeros."""

def zeros_(tensor: object) -> Any:
    """Zeros."""

def ones(shape: int | Sequence[int], dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Ones."""

def ones_(tensor: object) -> Any:
    """Ones."""

def constant_(tensor: object, val: float) -> Any:
    """One value."""

def constant(shape: int | Sequence[int], value: float, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """One value."""

def uniform(shape: int | Sequence[int], a: float=0.0, b: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Uniform between a and b."""

def uniform_(tensor: object, a: float=0.0, b: float=1.0) -> Any:
    """Uniform between a and b."""

def random_uniform(shape: int | Sequence[int], minval: float=0.0, maxval: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Uniform between minval and maxval."""

def normal(shape: int | Sequence[int], mean: float=0.0, std: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal."""

def normal_(tensor: object, mean: float=0.0, std: float=1.0) -> Any:
    """Normal."""

def random_normal(shape: int | Sequence[int], mean: float=0.0, stddev: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal."""

def truncated_normal(shape: int | Sequence[int], mean: float=0.0, std: float=1.0, a: float=-2.0, b: float=2.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal, truncated to [a, b]."""

def trunc_normal_(tensor: object, mean: float=0.0, std: float=1.0, a: float=-2.0, b: float=2.0) -> Any:
    """Normal, truncated to [a, b]."""

def orthogonal(shape: int | Sequence[int], gain: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """A matrix with orthogonal rows or columns, times gain."""

def orthogonal_(tensor: object, gain: float=1.0) -> Any:
    """A matrix with orthogonal rows or columns, times gain."""

def xavier_uniform(shape: int | Sequence[int], gain: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Uniform with variance gain^2 2 / (fan_in + fan_out)."""

def xavier_uniform_(tensor: object, gain: float=1.0) -> Any:
    """Uniform with variance gain^2 2 / (fan_in + fan_out)."""

def glorot_uniform(shape: int | Sequence[int], gain: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Uniform with variance gain^2 2 / (fan_in + fan_out)."""

def glorot_uniform_(tensor: object, gain: float=1.0) -> Any:
    """Uniform with variance gain^2 2 / (fan_in + fan_out)."""

def xavier_normal(shape: int | Sequence[int], gain: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal with variance gain^2 2 / (fan_in + fan_out)."""

def xavier_normal_(tensor: object, gain: float=1.0) -> Any:
    """Normal with variance gain^2 2 / (fan_in + fan_out)."""

def glorot_normal(shape: int | Sequence[int], gain: float=1.0, dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal with variance gain^2 2 / (fan_in + fan_out)."""

def glorot_normal_(tensor: object, gain: float=1.0) -> Any:
    """Normal with variance gain^2 2 / (fan_in + fan_out)."""

def kaiming_uniform(shape: int | Sequence[int], a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu', dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """
    Uniform with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def kaiming_uniform_(tensor: object, a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu') -> Any:
    """
    Uniform with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def he_uniform(shape: int | Sequence[int], a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu', dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """
    Uniform with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def he_uniform_(tensor: object, a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu') -> Any:
    """
    Uniform with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def kaiming_normal(shape: int | Sequence[int], a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu', dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """
    Normal with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def kaiming_normal_(tensor: object, a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu') -> Any:
    """
    Normal with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def he_normal(shape: int | Sequence[int], a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu', dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """
    Normal with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def he_normal_(tensor: object, a: float=0.0, mode: str='fan_in', nonlinearity: str='leaky_relu') -> Any:
    """
    Normal with variance gain^2 / fan; a is the slope of the leaky relu after the layer.
    """

def lecun_uniform(shape: int | Sequence[int], dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Uniform with variance 1 / fan_in."""

def lecun_uniform_(tensor: object) -> Any:
    """Uniform with variance 1 / fan_in."""

def lecun_normal(shape: int | Sequence[int], dtype: DTypeLike | None=None, device: str | None=None) -> EmberTensor:
    """Normal with variance 1 / fan_in, truncated at two standard deviations."""

def lecun_normal_(tensor: object) -> Any:
    """Normal with variance 1 / fan_in, truncated at two standard deviations."""

def calculate_gain(nonlinearity: str, param: float=0.01) -> float:
    """The gain that preserves the variance after an activation."""
__all__: list[str] = ['calculate_gain', 'constant', 'constant_', 'glorot_normal', 'glorot_normal_', 'glorot_uniform', 'glorot_uniform_', 'he_normal', 'he_normal_', 'he_uniform', 'he_uniform_', 'kaiming_normal', 'kaiming_normal_', 'kaiming_uniform', 'kaiming_uniform_', 'lecun_normal', 'lecun_normal_', 'lecun_uniform', 'lecun_uniform_', 'normal', 'normal_', 'ones', 'ones_', 'orthogonal', 'orthogonal_', 'random_normal', 'random_uniform', 'trunc_normal_', 'truncated_normal', 'uniform', 'uniform_', 'xavier_normal', 'xavier_normal_', 'xavier_uniform', 'xavier_uniform_', 'zeros', 'zeros_']
