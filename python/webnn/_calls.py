"""How the builder's methods call an operator by its row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

from ember_ml import errors
from ember_ml._core.webnn import Builder, MLOperand

from ._errors import explained

Number: TypeAlias = SupportsFloat | SupportsIndex
Ints: TypeAlias = Sequence[SupportsIndex]


class Calls(Builder):
    def _run(self, op: str, args: tuple[Any, ...], options: dict[str, Any], family: str) -> Any:
        try:
            return self._call(op, args, options)
        except errors.Error as e:
            error = explained(op, args, options, family, e)
        raise error

    def _one(
        self, op: str, args: tuple[Any, ...], options: dict[str, Any], family: str = ""
    ) -> MLOperand:
        result: MLOperand = self._run(op, args, options, family)
        return result

    def _several(self, op: str, args: tuple[Any, ...], options: dict[str, Any]) -> list[MLOperand]:
        result: list[MLOperand] = self._run(op, args, options, "")
        return result
