"""Small helpers that Ember ML's code imports."""
from . import backend_utils

__all__ = ["backend_utils"]
