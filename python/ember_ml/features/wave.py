"""Spectra of waves."""

from __future__ import annotations

from typing import Any

from .. import ops
from .._core import EmberTensor
from .._core.features import FeatureExtractor


class WaveFeatureExtractor(FeatureExtractor):
    """The spectra of windows along a wave: frames of window_size, hop_length apart, under a Hann
    window; [..., frames, frequencies].
    """

    def __init__(self, window_size: int, hop_length: int | None = None) -> None:
        super().__init__(window_size)
        self.window_size = window_size
        self.hop_length = hop_length or window_size // 2

    def transform(self, x: Any) -> EmberTensor:
        frames = ops.frame(x, frame_length=self.window_size, hop_length=self.hop_length)
        return ops.rfft(frames * ops.hann_window(self.window_size, dtype=frames.dtype))
