"""Dropout with Ember ML's arguments."""

from __future__ import annotations

from typing import Any

from ..._core import EmberTensor, functions as _f
from ..._core import nn as _nn


class Dropout(_nn.Dropout):
    """In training, sets elements to 0 with probability rate and scales the others to keep the mean.
    With seed, the masks are reproducible.
    """

    def __init__(self, rate: float = 0.5, seed: int | None = None, **options: Any) -> None:
        super().__init__(options.pop("p", rate), **options)
        self.seed, self._calls = seed, 0

    def forward(self, x: Any, training: bool | None = None) -> EmberTensor:
        """The layer's output. training: whether to drop elements; by default the module's mode."""
        on = self.training if training is None else training
        if self.seed is None:
            return _f["dropout"](x, self.p, training=on)
        if not on:
            return _f["asarray"](x)
        self._calls += 1
        x = _f["asarray"](x)
        kept = _f["random_uniform"](x.shape, seed=self.seed + self._calls) >= self.p
        return _f["where"](kept, x / (1 - self.p) if self.p < 1 else x, _f["zeros_like"](x))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {"rate": self.p, "seed": self.seed}
