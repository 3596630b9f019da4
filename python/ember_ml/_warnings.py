"""Warnings of the core, as Python's."""

from __future__ import annotations

import os
import sys
import warnings

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(text: str) -> None:
    """A UserWarning at the line of the program that called the package; Python shows it once per
    line.
    """
    level, frame = 1, sys._getframe(0)
    while frame.f_back and frame.f_code.co_filename.startswith(_HERE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, UserWarning, stacklevel=level)
