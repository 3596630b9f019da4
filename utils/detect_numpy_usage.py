#!/usr/bin/env python3
"""Runs the purity check of this repository, as `ember lint` does: detect_numpy_usage.py [options]
PATH..."""

import runpy
from pathlib import Path

runpy.run_path(
    str(Path(__file__).resolve().parents[1] / "python/ember_ml/lint.py"), run_name="__main__"
)
