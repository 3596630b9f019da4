"""Feature extraction: principal components, scaling, time series, each with fit and transform."""

from __future__ import annotations

import sys
from types import ModuleType

from .._core.features import (
    FeatureExtractor,
    Normalize,
    PCA,
    SpecializedProcessor,
    Standardize,
    TimeSeriesFeatures,
    differences,
    lagged,
    spectral_features,
    window_statistics,
)
from ..ops import one_hot, scatter, scatter_mean
from .columns import (
    ColumnFeatureExtractor,
    ColumnPCAFeatureExtractor,
    GenericCSVLoader,
    GenericTypeDetector,
    TemporalColumnFeatureExtractor,
)
from .wave import WaveFeatureExtractor

pca = PCA
standardize = standardize_features = Standardize
normalize = normalize_features = Normalize
time_series_features = TimeSeriesFeatures


def get_features_ops_module() -> ModuleType:
    """Returns this module: its functions use the current backend."""
    return sys.modules[__name__]


__all__ = [
    "ColumnFeatureExtractor",
    "ColumnPCAFeatureExtractor",
    "FeatureExtractor",
    "GenericCSVLoader",
    "GenericTypeDetector",
    "Normalize",
    "PCA",
    "SpecializedProcessor",
    "Standardize",
    "TemporalColumnFeatureExtractor",
    "TimeSeriesFeatures",
    "WaveFeatureExtractor",
    "differences",
    "get_features_ops_module",
    "lagged",
    "normalize",
    "normalize_features",
    "one_hot",
    "pca",
    "scatter",
    "scatter_mean",
    "spectral_features",
    "standardize",
    "standardize_features",
    "time_series_features",
    "window_statistics",
]
