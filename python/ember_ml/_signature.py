"""Signatures of the extension's functions as `inspect` shows them: names and defaults; types are in
the stubs.
"""

from __future__ import annotations

import ast
import re
from typing import Any


def plain(overloads: tuple[tuple[str, Any, tuple[Any, ...] | None], ...]) -> str:
    text, _, defaults = overloads[0]
    values = list(defaults or ())
    # Nanobind numbers unnamed arguments.
    text = re.sub(r"\\(\d+)", lambda m: repr(values[int(m.group(1))]), text)
    text = re.sub(r"def \w+", "def f", text, count=1)
    function = ast.parse(f"{text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    for argument in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ):
        if argument is not None:
            argument.annotation = None
    return ast.unparse(arguments)
