"""The graph builder: the operators of the specification and pywebnn's additions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

from ember_ml._core.webnn import MLOperand

from ._operators import Operators


class MLGraphBuilder(Operators):
    """Builds graphs: inputs, constants and operators, then build(). It may build again."""

    def pad(
        self,
        input: MLOperand,
        padding: Sequence[SupportsIndex],
        mode: str | None = None,
        value: SupportsFloat | SupportsIndex | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Pads the input: first the beginnings of all axes, then their ends. mode: constant, edge
        or reflection.
        """
        half = len(padding) // 2
        if len(padding) != 2 * len(input.shape):
            raise ValueError(
                f"padding must have {2 * len(input.shape)} numbers for rank {len(input.shape)}: the beginnings, then the ends"
            )
        return self._one(
            "pad",
            (input, padding[:half], padding[half:]),
            {"mode": mode, "value": value, "label": label},
        )

    def hard_swish(
        self, input: MLOperand, alpha: float = 1 / 6, beta: float = 0.5, *, label: str = ""
    ) -> MLOperand:
        """x * max(0, min(6, x + 3)) / 6; the specification has no other alpha and beta."""
        if (alpha, beta) != (1 / 6, 0.5):
            raise ValueError(
                "hard_swish has alpha 1/6 and beta 0.5: for others use mul(x, hard_sigmoid(x, alpha, beta))"
            )
        return self._one("hardSwish", (input,), {"label": label})

    def where_(
        self,
        condition: MLOperand,
        true_value: MLOperand,
        false_value: MLOperand,
        *,
        label: str = "",
    ) -> MLOperand:
        """An alias of where."""
        return self.where(condition, true_value, false_value, label=label)

    def global_average_pool(
        self, input: MLOperand, layout: str | None = None, *, label: str = ""
    ) -> MLOperand:
        """The mean over height and width."""
        return self._one(
            "averagePool2d", (input,), {"layout": layout, "label": label}, "Global pooling"
        )

    def global_max_pool(
        self, input: MLOperand, layout: str | None = None, *, label: str = ""
    ) -> MLOperand:
        """The maximum over height and width."""
        return self._one(
            "maxPool2d", (input,), {"layout": layout, "label": label}, "Global pooling"
        )
