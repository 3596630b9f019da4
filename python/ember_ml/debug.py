"""JAX's debug: values can be read anywhere, so these call Python's functions directly."""

import builtins
from collections.abc import Callable
from typing import Any

__all__ = ["callback", "print"]


def print(fmt: str, *args: Any, **kwargs: Any) -> None:
    """Prints fmt.format(*args, **kwargs)."""
    builtins.print(fmt.format(*args, **kwargs))


def callback(callback: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Calls callback(*args, **kwargs)."""
    callback(*args, **kwargs)
