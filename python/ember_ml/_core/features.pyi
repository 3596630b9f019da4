# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter

class FeatureExtractor:
    """
    The base class, which learns and changes nothing. Override fit, transform or extract.
    """

    def __init__(self, feature_dim: int=0) -> None: ...

    def fit(self, x: ArrayLike) -> Any:
        """Learns from data."""

    def transform(self, x: ArrayLike) -> EmberTensor:
        """Applies what fit learned."""

    def inverse_transform(self, x: ArrayLike) -> EmberTensor:
        """The inverse of transform, if there is one."""

    def fit_transform(self, x: object, *args: Any, **kwargs: Any) -> Any:
        """fit, then transform."""

    def extract(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """transform of x, multiplied by the mask if there is one."""

    @property
    def feature_dim(self) -> int:
        """The number of input features, if known."""

    @feature_dim.setter
    def feature_dim(self, arg: int, /) -> None: ...

    def state_dict(self) -> dict[str, EmberTensor]:
        """The learned state as tensors."""

    def load_state_dict(self, state_dict: object) -> None: ...

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the learned state to a file."""

    def load(self, path: str | PathLike[str]) -> None:
        """Loads the learned state of the same kind of extractor."""

class PCA(FeatureExtractor):
    """
    Principal components of rows [samples, features]. The largest loading of every component is positive.
    """

    def __init__(self, n_components: int | float | None=None, *, whiten: bool=False, center: bool=True, svd_solver: str='auto', oversamples: int=10, power_iterations: int | None=None, seed: int | None=None, batch_size: int | None=None) -> None: ...

    def fit(self, x: ArrayLike, *args: Any, **kwargs: Any) -> Any:
        """Learns from data; options given here replace earlier ones."""

    def partial_fit(self, x: ArrayLike) -> Any:
        """Updates the learned state with more rows."""

    @property
    def components_(self) -> EmberTensor:
        """[components, features], rows of length 1."""

    @property
    def n_components_(self) -> int: ...

    @property
    def n_samples_(self) -> int: ...

    @property
    def singular_values_(self) -> EmberTensor: ...

    @property
    def mean_(self) -> EmberTensor: ...

    @property
    def explained_variance_(self) -> EmberTensor: ...

    @property
    def explained_variance_ratio_(self) -> EmberTensor: ...

    @property
    def noise_variance_(self) -> EmberTensor:
        """The mean variance of the discarded directions."""

class Standardize(FeatureExtractor):
    """
    Scales to mean 0 and standard deviation 1 along an axis; constant features keep their scale.
    """

    def __init__(self, *, with_mean: bool=True, with_std: bool=True, axis: int=0) -> None: ...

    def fit(self, x: ArrayLike, *args: Any, **kwargs: Any) -> Any:
        """Learns from data; options given here replace earlier ones."""

    @property
    def mean_(self) -> EmberTensor: ...

    @property
    def scale_(self) -> EmberTensor: ...

class Normalize(FeatureExtractor):
    """
    Scales to length 1 (l1, l2, max), into a range (minmax), or by median and quantiles (robust).

    Along axis 0 the scale is learned by fit, along another it is worked out anew for each sample.
    """

    def __init__(self, *, norm: str='l2', axis: int | None=None, low: float=0.0, high: float=1.0, clip: bool=False, quantile_low: float=0.25, quantile_high: float=0.75) -> None: ...

    def fit(self, x: ArrayLike, *args: Any, **kwargs: Any) -> Any:
        """Learns from data; options given here replace earlier ones."""

    @property
    def center_(self) -> EmberTensor: ...

    @property
    def scale_(self) -> EmberTensor: ...

class TimeSeriesFeatures(FeatureExtractor):
    """
    Features of series [batch, steps], [steps] or [batch, steps, channels].

    Without options, each series is standardized.
    """

    def __init__(self, *, window: int | None=None, step: int=1, statistics: list[str]=[], lags: list[int]=[], differences: list[int]=[], sample_rate: float=1.0) -> None: ...

    def feature_names(self) -> list[str]:
        """Of one channel: mean, lag_2, difference_1."""

class SpecializedProcessor:
    """
    The effect of a neuron's role on a signal: memory decays slowly, inhibition dampens and inverts.
    """

    def __init__(self, role: str='default') -> None: ...

    @property
    def role(self) -> str: ...

    def process(self, x: ArrayLike) -> EmberTensor: ...

    def __call__(self, x: ArrayLike) -> EmberTensor: ...

def window_statistics(x: ArrayLike, window: int, step: int=1, names: Sequence[str]=..., axis: int=-1, sample_rate: float=1.0) -> EmberTensor:
    """Features of each window along an axis: [..., windows, features]."""

def spectral_features(x: ArrayLike, sample_rate: float=1.0, axis: int=-1) -> EmberTensor:
    """[..., 3]: power, centroid, dominant frequency."""

def lagged(x: ArrayLike, lags: int | Sequence[int], axis: int=-1) -> EmberTensor:
    """Lagged values: [..., steps - largest, lags]."""

def differences(x: ArrayLike, orders: int | Sequence[int]=1, axis: int=-1) -> EmberTensor:
    """Differences of the given orders: [..., steps - largest, orders]."""