"""Ember under an older name: an alias of ember_ml."""

from __future__ import annotations

from typing import Any

import ember_ml

__all__ = ember_ml.__all__
__version__ = ember_ml.__version__


def __getattr__(name: str) -> Any:
    return getattr(ember_ml, name)


def __dir__() -> list[str]:
    return dir(ember_ml)
