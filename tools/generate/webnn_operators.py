"""Writes python/webnn/_operators.py, the builder's methods, from the rows of WebNN's operators.

`make generate` runs it. With a path as argument it writes there instead. Names and the order of
arguments are pywebnn's where it has the operator, else the specification's.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap

from ember_ml._core.webnn import _operators

TARGET = pathlib.Path(__file__).parents[2] / "python" / "webnn" / "_operators.py"
TYPES = [
    "MLOperand",
    "Sequence[MLOperand]",
    "bool",
    "SupportsIndex",
    "SupportsIndex",
    "SupportsIndex",
    "Ints",
    "Ints",
    "Number",
    "Sequence[Number]",
    "Number",
    "str",
    "str",
    "Sequence[str]",
    "SupportsIndex | Ints",
]
BY_HAND = {"pad", "hardSwish"}  # written by hand in _builder.py
SNAKE = {"isNaN": "is_nan"}
# Names that differ between pywebnn and the specification.
UNARY = "abs ceil floor neg sign exp log sqrt reciprocal sin cos tan erf identity relu sigmoid tanh logicalNot softmax reshape".split()
RENAMED = {
    **{op: {"input": "x", "a": "x"} for op in UNARY},
    **{
        op: {"padding": "pads"}
        for op in "conv2d convTranspose2d averagePool2d maxPool2d l2Pool2d".split()
    },
}
POOL = "windowDimensions strides dilations padding layout outputShapeRounding outputSizes"
ORDER = {
    "conv2d": "strides dilations padding groups inputLayout filterLayout bias",
    "convTranspose2d": "strides dilations padding outputPadding outputSizes groups inputLayout filterLayout bias",
    "averagePool2d": POOL,
    "maxPool2d": POOL,
    "l2Pool2d": POOL,
    "batchNormalization": "scale bias epsilon axis",
    "layerNormalization": "scale bias epsilon axes",
}
DEFAULTS: dict[str, object] = {
    "epsilon": 1e-5,
    "keepDimensions": False,
    "returnSequence": False,
    "exclusive": False,
    "reversed": False,
    "upper": True,
    "diagonal": 0,
    "resetAfter": True,
    "aTranspose": False,
    "bTranspose": False,
    "groups": 1,
}
OWN_DEFAULTS: dict[str, dict[str, object]] = {
    "elu": {"alpha": 1.0},
    "leakyRelu": {"alpha": 0.01},
    "hardSigmoid": {"alpha": 0.2, "beta": 0.5},
    "linear": {"alpha": 1.0, "beta": 0.0},
    "gemm": {"alpha": 1.0, "beta": 1.0},
    "batchNormalization": {"axis": 1},
    "split": {"axis": 0},
    **{op: {"axis": 0} for op in "gather gatherElements scatterElements".split()},
}
RECURRENT = "Weights are [directions, gates * hiddenSize, size]."
DOCS = {
    "add": "a + b, broadcast.",
    "sub": "a - b, broadcast.",
    "mul": "a * b, broadcast.",
    "div": "a / b, broadcast; integers are cut off towards 0.",
    "max": "The larger of a and b.",
    "min": "The smaller of a and b.",
    "pow": "a to the power of b.",
    "equal": "1 where a == b, else 0.",
    "notEqual": "1 where a != b, else 0.",
    "greater": "1 where a > b, else 0.",
    "greaterOrEqual": "1 where a >= b, else 0.",
    "lesser": "1 where a < b, else 0.",
    "lesserOrEqual": "1 where a <= b, else 0.",
    "logicalAnd": "1 where both are not 0, else 0.",
    "logicalOr": "1 where one is not 0, else 0.",
    "logicalXor": "1 where exactly one is not 0, else 0.",
    "logicalNot": "1 where it is 0, else 0.",
    "isNaN": "1 where it is NaN, else 0.",
    "isInfinite": "1 where it is infinite, else 0.",
    "abs": "The absolute value.",
    "ceil": "Rounded up.",
    "floor": "Rounded down.",
    "roundEven": "Rounded to the nearest integer, halves to the even one.",
    "neg": "-x.",
    "sign": "-1, 0 or 1.",
    "exp": "e to the power of x.",
    "log": "The natural logarithm.",
    "sqrt": "The square root.",
    "reciprocal": "1 / x.",
    "sin": "The sine.",
    "cos": "The cosine.",
    "tan": "The tangent.",
    "erf": "The error function.",
    "identity": "The same values.",
    "relu": "max(0, x).",
    "sigmoid": "1 / (1 + exp(-x)).",
    "tanh": "The hyperbolic tangent.",
    "gelu": "x * (1 + erf(x / sqrt(2))) / 2.",
    "softplus": "log(1 + exp(x)).",
    "softsign": "x / (1 + |x|).",
    "softmax": "exp(x) over its sum along the axis.",
    "elu": "x where it is positive, else alpha * (exp(x) - 1).",
    "leakyRelu": "x where it is positive, else alpha * x.",
    "prelu": "x where it is positive, else slope * x.",
    "hardSigmoid": "max(0, min(1, alpha * x + beta)).",
    "linear": "alpha * x + beta.",
    "clamp": "Held between min_value and max_value.",
    "cast": "The same values as another data type.",
    "where": "true_value where condition is not 0, else false_value.",
    "matmul": "The product of matrices, broadcast over the axes before the last two.",
    "gemm": "alpha * a @ b + beta * c.",
    "conv2d": "A convolution. pads: [begin height, end height, begin width, end width].",
    "convTranspose2d": "A transposed convolution. pads: [begin height, end height, begin width, end width].",
    "averagePool2d": "The mean of each window; without window_dimensions, of all of height and width.",
    "maxPool2d": "The largest of each window; without window_dimensions, of all of height and width.",
    "l2Pool2d": "The root of the sum of squares of each window; without window_dimensions, of all of height and width.",
    "batchNormalization": "(input - mean) / sqrt(variance + epsilon) * scale + bias, along the axis.",
    "instanceNormalization": "Every channel of every sample brought to mean 0 and variance 1, times scale plus bias.",
    "layerNormalization": "Brought to mean 0 and variance 1 over the axes (all but the first), times scale plus bias.",
    "reshape": "The same values in another shape.",
    "expand": "Repeated along axes of 1, up to new_shape.",
    "transpose": "Axes in another order; reversed unless said.",
    "concat": "The inputs one after the other along the axis.",
    "slice": "A part: from starts, sizes long, every strides-th.",
    "split": "Equal parts along the axis, or parts of the given sizes.",
    "tile": "Repeated along each axis.",
    "reverse": "The other way round along the axes, or all.",
    "triangular": "The upper or lower triangle of matrices, the rest 0.",
    "gather": "The slices along the axis that indices name.",
    "gatherElements": "The elements that indices name along the axis.",
    "gatherND": "The slices that the tuples in indices name.",
    "scatterElements": "The input with updates where indices name elements along the axis.",
    "scatterND": "The input with updates where the tuples in indices name slices.",
    "argMax": "Where the largest element along the axis is.",
    "argMin": "Where the smallest element along the axis is.",
    "cumulativeSum": "Sums of the elements so far along the axis.",
    "resample2d": "Two axes in another size, by scales or to sizes.",
    "quantizeLinear": "round(input / scale) + zero_point, held within the type of zero_point.",
    "dequantizeLinear": "(input - zero_point) * scale.",
    **{
        f"reduce{n}": f"{what} over the axes, or all."
        for n, what in {
            "Sum": "The sum",
            "Mean": "The mean",
            "Max": "The largest",
            "Min": "The smallest",
            "Product": "The product",
            "L1": "The sum of absolute values",
            "L2": "The root of the sum of squares",
            "LogSum": "The logarithm of the sum",
            "LogSumExp": "The logarithm of the sum of exp(x)",
            "SumSquare": "The sum of squares",
        }.items()
    },
    "gru": f"A gated recurrent network over all steps: the last state, and all of them if asked for. {RECURRENT}",
    "gruCell": "One step of gru: the new state.",
    "lstm": f"A long short-term memory over all steps: the last state and cell, and all states if asked for. {RECURRENT}",
    "lstmCell": "One step of lstm: the new state and cell.",
}
HEAD = '''# Written by tools/generate/webnn_operators.py: run `make generate`.
"""The operators of WebNN's specification as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from ember_ml._core.webnn import MLOperand

from ._calls import Calls, Ints, Number


class Operators(Calls):'''


def snake(name: str) -> str:
    return SNAKE.get(name) or re.sub(r"(?<=[a-z0-9])([A-Z]+)", lambda m: "_" + m[1].lower(), name)


def method(
    op: str,
    params: list[tuple[str, int, list[str]]],
    options: list[tuple[str, int, list[str]]],
    several: bool,
) -> str:
    def python_name(name: str) -> str:
        return snake(RENAMED.get(op, {}).get(name, name))

    by_name = {o[0]: o for o in options}
    ordered = [by_name[n] for n in ORDER[op].split()] if op in ORDER else options
    assert len(ordered) == len(options), op
    parts = ["self"] + [f"{python_name(n)}: {TYPES[kind]}" for n, kind, _ in params]
    for n, kind, choices in ordered:
        default = OWN_DEFAULTS.get(op, {}).get(
            n, DEFAULTS.get(n, choices[0] if choices and kind == 12 else None)
        )
        parts.append(
            f"{python_name(n)}: {TYPES[kind]}{' | None' if default is None else ''} = {shown_default(default)}"
        )
    given = ", ".join(python_name(n) for n, *_ in params) + ("," if len(params) == 1 else "")
    named = [f'"{n}": {python_name(n)}' for n in [*(n for n, *_ in ordered), "label"]]
    result, call = ("list[MLOperand]", "_several") if several else ("MLOperand", "_one")
    parts += ["*", 'label: str = ""']
    doc = textwrap.fill(f'"""{DOCS[op]}"""', 100, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"""
    def {snake(op)}({", ".join(parts)}) -> {result}:
{doc}
        return self.{call}("{op}", ({given}), {{{", ".join(named)}}})
"""


def shown_default(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def text() -> str:
    return HEAD + "".join(method(*row) for row in _operators() if row[0] not in BY_HAND)


if __name__ == "__main__":
    pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TARGET).write_text(text())
