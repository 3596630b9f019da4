# Written by tools/generate/webnn_operators.py: run `make generate`.
"""The operators of WebNN's specification as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from ember_ml._core.webnn import MLOperand

from ._calls import Calls, Ints, Number


class Operators(Calls):
    def abs(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The absolute value."""
        return self._one("abs", (x,), {"label": label})

    def add(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """a + b, broadcast."""
        return self._one("add", (a, b), {"label": label})

    def arg_max(
        self,
        input: MLOperand,
        axis: SupportsIndex,
        keep_dimensions: bool = False,
        output_data_type: str | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Where the largest element along the axis is."""
        return self._one(
            "argMax",
            (input, axis),
            {"keepDimensions": keep_dimensions, "outputDataType": output_data_type, "label": label},
        )

    def arg_min(
        self,
        input: MLOperand,
        axis: SupportsIndex,
        keep_dimensions: bool = False,
        output_data_type: str | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Where the smallest element along the axis is."""
        return self._one(
            "argMin",
            (input, axis),
            {"keepDimensions": keep_dimensions, "outputDataType": output_data_type, "label": label},
        )

    def average_pool2d(
        self,
        input: MLOperand,
        window_dimensions: Ints | None = None,
        strides: Ints | None = None,
        dilations: Ints | None = None,
        pads: Ints | None = None,
        layout: str = "nchw",
        output_shape_rounding: str = "floor",
        output_sizes: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """The mean of each window; without window_dimensions, of all of height and width."""
        return self._one(
            "averagePool2d",
            (input,),
            {
                "windowDimensions": window_dimensions,
                "strides": strides,
                "dilations": dilations,
                "padding": pads,
                "layout": layout,
                "outputShapeRounding": output_shape_rounding,
                "outputSizes": output_sizes,
                "label": label,
            },
        )

    def batch_normalization(
        self,
        input: MLOperand,
        mean: MLOperand,
        variance: MLOperand,
        scale: MLOperand | None = None,
        bias: MLOperand | None = None,
        epsilon: Number = 1e-05,
        axis: SupportsIndex = 1,
        *,
        label: str = "",
    ) -> MLOperand:
        """(input - mean) / sqrt(variance + epsilon) * scale + bias, along the axis."""
        return self._one(
            "batchNormalization",
            (input, mean, variance),
            {"scale": scale, "bias": bias, "epsilon": epsilon, "axis": axis, "label": label},
        )

    def cast(self, input: MLOperand, data_type: str, *, label: str = "") -> MLOperand:
        """The same values as another data type."""
        return self._one("cast", (input, data_type), {"label": label})

    def ceil(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """Rounded up."""
        return self._one("ceil", (x,), {"label": label})

    def clamp(
        self,
        input: MLOperand,
        min_value: Number | None = None,
        max_value: Number | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Held between min_value and max_value."""
        return self._one(
            "clamp", (input,), {"minValue": min_value, "maxValue": max_value, "label": label}
        )

    def concat(
        self, inputs: Sequence[MLOperand], axis: SupportsIndex, *, label: str = ""
    ) -> MLOperand:
        """The inputs one after the other along the axis."""
        return self._one("concat", (inputs, axis), {"label": label})

    def conv2d(
        self,
        input: MLOperand,
        filter: MLOperand,
        strides: Ints | None = None,
        dilations: Ints | None = None,
        pads: Ints | None = None,
        groups: SupportsIndex = 1,
        input_layout: str = "nchw",
        filter_layout: str = "oihw",
        bias: MLOperand | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """A convolution. pads: [begin height, end height, begin width, end width]."""
        return self._one(
            "conv2d",
            (input, filter),
            {
                "strides": strides,
                "dilations": dilations,
                "padding": pads,
                "groups": groups,
                "inputLayout": input_layout,
                "filterLayout": filter_layout,
                "bias": bias,
                "label": label,
            },
        )

    def conv_transpose2d(
        self,
        input: MLOperand,
        filter: MLOperand,
        strides: Ints | None = None,
        dilations: Ints | None = None,
        pads: Ints | None = None,
        output_padding: Ints | None = None,
        output_sizes: Ints | None = None,
        groups: SupportsIndex = 1,
        input_layout: str = "nchw",
        filter_layout: str = "iohw",
        bias: MLOperand | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """A transposed convolution. pads: [begin height, end height, begin width, end width]."""
        return self._one(
            "convTranspose2d",
            (input, filter),
            {
                "strides": strides,
                "dilations": dilations,
                "padding": pads,
                "outputPadding": output_padding,
                "outputSizes": output_sizes,
                "groups": groups,
                "inputLayout": input_layout,
                "filterLayout": filter_layout,
                "bias": bias,
                "label": label,
            },
        )

    def cos(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The cosine."""
        return self._one("cos", (x,), {"label": label})

    def cumulative_sum(
        self,
        input: MLOperand,
        axis: SupportsIndex,
        exclusive: bool = False,
        reversed: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """Sums of the elements so far along the axis."""
        return self._one(
            "cumulativeSum",
            (input, axis),
            {"exclusive": exclusive, "reversed": reversed, "label": label},
        )

    def dequantize_linear(
        self, input: MLOperand, scale: MLOperand, zero_point: MLOperand, *, label: str = ""
    ) -> MLOperand:
        """(input - zero_point) * scale."""
        return self._one("dequantizeLinear", (input, scale, zero_point), {"label": label})

    def div(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """a / b, broadcast; integers are cut off towards 0."""
        return self._one("div", (a, b), {"label": label})

    def elu(self, input: MLOperand, alpha: Number = 1.0, *, label: str = "") -> MLOperand:
        """x where it is positive, else alpha * (exp(x) - 1)."""
        return self._one("elu", (input,), {"alpha": alpha, "label": label})

    def equal(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a == b, else 0."""
        return self._one("equal", (a, b), {"label": label})

    def erf(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The error function."""
        return self._one("erf", (x,), {"label": label})

    def exp(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """e to the power of x."""
        return self._one("exp", (x,), {"label": label})

    def expand(self, input: MLOperand, new_shape: Ints, *, label: str = "") -> MLOperand:
        """Repeated along axes of 1, up to new_shape."""
        return self._one("expand", (input, new_shape), {"label": label})

    def floor(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """Rounded down."""
        return self._one("floor", (x,), {"label": label})

    def gather(
        self, input: MLOperand, indices: MLOperand, axis: SupportsIndex = 0, *, label: str = ""
    ) -> MLOperand:
        """The slices along the axis that indices name."""
        return self._one("gather", (input, indices), {"axis": axis, "label": label})

    def gather_elements(
        self, input: MLOperand, indices: MLOperand, axis: SupportsIndex = 0, *, label: str = ""
    ) -> MLOperand:
        """The elements that indices name along the axis."""
        return self._one("gatherElements", (input, indices), {"axis": axis, "label": label})

    def gather_nd(self, input: MLOperand, indices: MLOperand, *, label: str = "") -> MLOperand:
        """The slices that the tuples in indices name."""
        return self._one("gatherND", (input, indices), {"label": label})

    def gelu(self, input: MLOperand, *, label: str = "") -> MLOperand:
        """x * (1 + erf(x / sqrt(2))) / 2."""
        return self._one("gelu", (input,), {"label": label})

    def gemm(
        self,
        a: MLOperand,
        b: MLOperand,
        c: MLOperand | None = None,
        alpha: Number = 1.0,
        beta: Number = 1.0,
        a_transpose: bool = False,
        b_transpose: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """alpha * a @ b + beta * c."""
        return self._one(
            "gemm",
            (a, b),
            {
                "c": c,
                "alpha": alpha,
                "beta": beta,
                "aTranspose": a_transpose,
                "bTranspose": b_transpose,
                "label": label,
            },
        )

    def greater(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a > b, else 0."""
        return self._one("greater", (a, b), {"label": label})

    def greater_or_equal(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a >= b, else 0."""
        return self._one("greaterOrEqual", (a, b), {"label": label})

    def gru(
        self,
        input: MLOperand,
        weight: MLOperand,
        recurrent_weight: MLOperand,
        steps: SupportsIndex,
        hidden_size: SupportsIndex,
        bias: MLOperand | None = None,
        recurrent_bias: MLOperand | None = None,
        initial_hidden_state: MLOperand | None = None,
        return_sequence: bool = False,
        direction: str = "forward",
        reset_after: bool = True,
        layout: str = "zrn",
        activations: Sequence[str] | None = None,
        *,
        label: str = "",
    ) -> list[MLOperand]:
        """A gated recurrent network over all steps: the last state, and all of them if asked for.
        Weights are [directions, gates * hiddenSize, size]."""
        return self._several(
            "gru",
            (input, weight, recurrent_weight, steps, hidden_size),
            {
                "bias": bias,
                "recurrentBias": recurrent_bias,
                "initialHiddenState": initial_hidden_state,
                "returnSequence": return_sequence,
                "direction": direction,
                "resetAfter": reset_after,
                "layout": layout,
                "activations": activations,
                "label": label,
            },
        )

    def gru_cell(
        self,
        input: MLOperand,
        weight: MLOperand,
        recurrent_weight: MLOperand,
        hidden_state: MLOperand,
        hidden_size: SupportsIndex,
        bias: MLOperand | None = None,
        recurrent_bias: MLOperand | None = None,
        reset_after: bool = True,
        layout: str = "zrn",
        activations: Sequence[str] | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """One step of gru: the new state."""
        return self._one(
            "gruCell",
            (input, weight, recurrent_weight, hidden_state, hidden_size),
            {
                "bias": bias,
                "recurrentBias": recurrent_bias,
                "resetAfter": reset_after,
                "layout": layout,
                "activations": activations,
                "label": label,
            },
        )

    def hard_sigmoid(
        self, input: MLOperand, alpha: Number = 0.2, beta: Number = 0.5, *, label: str = ""
    ) -> MLOperand:
        """max(0, min(1, alpha * x + beta))."""
        return self._one("hardSigmoid", (input,), {"alpha": alpha, "beta": beta, "label": label})

    def identity(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The same values."""
        return self._one("identity", (x,), {"label": label})

    def instance_normalization(
        self,
        input: MLOperand,
        scale: MLOperand | None = None,
        bias: MLOperand | None = None,
        epsilon: Number = 1e-05,
        layout: str = "nchw",
        *,
        label: str = "",
    ) -> MLOperand:
        """Every channel of every sample brought to mean 0 and variance 1, times scale plus bias."""
        return self._one(
            "instanceNormalization",
            (input,),
            {"scale": scale, "bias": bias, "epsilon": epsilon, "layout": layout, "label": label},
        )

    def is_infinite(self, a: MLOperand, *, label: str = "") -> MLOperand:
        """1 where it is infinite, else 0."""
        return self._one("isInfinite", (a,), {"label": label})

    def is_nan(self, a: MLOperand, *, label: str = "") -> MLOperand:
        """1 where it is NaN, else 0."""
        return self._one("isNaN", (a,), {"label": label})

    def l2_pool2d(
        self,
        input: MLOperand,
        window_dimensions: Ints | None = None,
        strides: Ints | None = None,
        dilations: Ints | None = None,
        pads: Ints | None = None,
        layout: str = "nchw",
        output_shape_rounding: str = "floor",
        output_sizes: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """The root of the sum of squares of each window; without window_dimensions, of all of
        height and width."""
        return self._one(
            "l2Pool2d",
            (input,),
            {
                "windowDimensions": window_dimensions,
                "strides": strides,
                "dilations": dilations,
                "padding": pads,
                "layout": layout,
                "outputShapeRounding": output_shape_rounding,
                "outputSizes": output_sizes,
                "label": label,
            },
        )

    def layer_normalization(
        self,
        input: MLOperand,
        scale: MLOperand | None = None,
        bias: MLOperand | None = None,
        epsilon: Number = 1e-05,
        axes: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Brought to mean 0 and variance 1 over the axes (all but the first), times scale plus
        bias."""
        return self._one(
            "layerNormalization",
            (input,),
            {"scale": scale, "bias": bias, "epsilon": epsilon, "axes": axes, "label": label},
        )

    def leaky_relu(self, input: MLOperand, alpha: Number = 0.01, *, label: str = "") -> MLOperand:
        """x where it is positive, else alpha * x."""
        return self._one("leakyRelu", (input,), {"alpha": alpha, "label": label})

    def lesser(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a < b, else 0."""
        return self._one("lesser", (a, b), {"label": label})

    def lesser_or_equal(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a <= b, else 0."""
        return self._one("lesserOrEqual", (a, b), {"label": label})

    def linear(
        self, input: MLOperand, alpha: Number = 1.0, beta: Number = 0.0, *, label: str = ""
    ) -> MLOperand:
        """alpha * x + beta."""
        return self._one("linear", (input,), {"alpha": alpha, "beta": beta, "label": label})

    def log(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The natural logarithm."""
        return self._one("log", (x,), {"label": label})

    def logical_and(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where both are not 0, else 0."""
        return self._one("logicalAnd", (a, b), {"label": label})

    def logical_not(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """1 where it is 0, else 0."""
        return self._one("logicalNot", (x,), {"label": label})

    def logical_or(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where one is not 0, else 0."""
        return self._one("logicalOr", (a, b), {"label": label})

    def logical_xor(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where exactly one is not 0, else 0."""
        return self._one("logicalXor", (a, b), {"label": label})

    def lstm(
        self,
        input: MLOperand,
        weight: MLOperand,
        recurrent_weight: MLOperand,
        steps: SupportsIndex,
        hidden_size: SupportsIndex,
        bias: MLOperand | None = None,
        recurrent_bias: MLOperand | None = None,
        peephole_weight: MLOperand | None = None,
        initial_hidden_state: MLOperand | None = None,
        return_sequence: bool = False,
        direction: str = "forward",
        initial_cell_state: MLOperand | None = None,
        layout: str = "iofg",
        activations: Sequence[str] | None = None,
        *,
        label: str = "",
    ) -> list[MLOperand]:
        """A long short-term memory over all steps: the last state and cell, and all states if asked
        for. Weights are [directions, gates * hiddenSize, size]."""
        return self._several(
            "lstm",
            (input, weight, recurrent_weight, steps, hidden_size),
            {
                "bias": bias,
                "recurrentBias": recurrent_bias,
                "peepholeWeight": peephole_weight,
                "initialHiddenState": initial_hidden_state,
                "returnSequence": return_sequence,
                "direction": direction,
                "initialCellState": initial_cell_state,
                "layout": layout,
                "activations": activations,
                "label": label,
            },
        )

    def lstm_cell(
        self,
        input: MLOperand,
        weight: MLOperand,
        recurrent_weight: MLOperand,
        hidden_state: MLOperand,
        cell_state: MLOperand,
        hidden_size: SupportsIndex,
        bias: MLOperand | None = None,
        recurrent_bias: MLOperand | None = None,
        peephole_weight: MLOperand | None = None,
        layout: str = "iofg",
        activations: Sequence[str] | None = None,
        *,
        label: str = "",
    ) -> list[MLOperand]:
        """One step of lstm: the new state and cell."""
        return self._several(
            "lstmCell",
            (input, weight, recurrent_weight, hidden_state, cell_state, hidden_size),
            {
                "bias": bias,
                "recurrentBias": recurrent_bias,
                "peepholeWeight": peephole_weight,
                "layout": layout,
                "activations": activations,
                "label": label,
            },
        )

    def matmul(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """The product of matrices, broadcast over the axes before the last two."""
        return self._one("matmul", (a, b), {"label": label})

    def max(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """The larger of a and b."""
        return self._one("max", (a, b), {"label": label})

    def max_pool2d(
        self,
        input: MLOperand,
        window_dimensions: Ints | None = None,
        strides: Ints | None = None,
        dilations: Ints | None = None,
        pads: Ints | None = None,
        layout: str = "nchw",
        output_shape_rounding: str = "floor",
        output_sizes: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """The largest of each window; without window_dimensions, of all of height and width."""
        return self._one(
            "maxPool2d",
            (input,),
            {
                "windowDimensions": window_dimensions,
                "strides": strides,
                "dilations": dilations,
                "padding": pads,
                "layout": layout,
                "outputShapeRounding": output_shape_rounding,
                "outputSizes": output_sizes,
                "label": label,
            },
        )

    def min(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """The smaller of a and b."""
        return self._one("min", (a, b), {"label": label})

    def mul(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """a * b, broadcast."""
        return self._one("mul", (a, b), {"label": label})

    def neg(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """-x."""
        return self._one("neg", (x,), {"label": label})

    def not_equal(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """1 where a != b, else 0."""
        return self._one("notEqual", (a, b), {"label": label})

    def pow(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """a to the power of b."""
        return self._one("pow", (a, b), {"label": label})

    def prelu(self, input: MLOperand, slope: MLOperand, *, label: str = "") -> MLOperand:
        """x where it is positive, else slope * x."""
        return self._one("prelu", (input, slope), {"label": label})

    def quantize_linear(
        self, input: MLOperand, scale: MLOperand, zero_point: MLOperand, *, label: str = ""
    ) -> MLOperand:
        """round(input / scale) + zero_point, held within the type of zero_point."""
        return self._one("quantizeLinear", (input, scale, zero_point), {"label": label})

    def reciprocal(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """1 / x."""
        return self._one("reciprocal", (x,), {"label": label})

    def reduce_l1(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The sum of absolute values over the axes, or all."""
        return self._one(
            "reduceL1", (input,), {"axes": axes, "keepDimensions": keep_dimensions, "label": label}
        )

    def reduce_l2(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The root of the sum of squares over the axes, or all."""
        return self._one(
            "reduceL2", (input,), {"axes": axes, "keepDimensions": keep_dimensions, "label": label}
        )

    def reduce_log_sum(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The logarithm of the sum over the axes, or all."""
        return self._one(
            "reduceLogSum",
            (input,),
            {"axes": axes, "keepDimensions": keep_dimensions, "label": label},
        )

    def reduce_log_sum_exp(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The logarithm of the sum of exp(x) over the axes, or all."""
        return self._one(
            "reduceLogSumExp",
            (input,),
            {"axes": axes, "keepDimensions": keep_dimensions, "label": label},
        )

    def reduce_max(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The largest over the axes, or all."""
        return self._one(
            "reduceMax", (input,), {"axes": axes, "keepDimensions": keep_dimensions, "label": label}
        )

    def reduce_mean(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The mean over the axes, or all."""
        return self._one(
            "reduceMean",
            (input,),
            {"axes": axes, "keepDimensions": keep_dimensions, "label": label},
        )

    def reduce_min(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The smallest over the axes, or all."""
        return self._one(
            "reduceMin", (input,), {"axes": axes, "keepDimensions": keep_dimensions, "label": label}
        )

    def reduce_product(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The product over the axes, or all."""
        return self._one(
            "reduceProduct",
            (input,),
            {"axes": axes, "keepDimensions": keep_dimensions, "label": label},
        )

    def reduce_sum(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The sum over the axes, or all."""
        return self._one(
            "reduceSum", (input,), {"axes": axes, "keepDimensions": keep_dimensions, "label": label}
        )

    def reduce_sum_square(
        self,
        input: MLOperand,
        axes: Ints | None = None,
        keep_dimensions: bool = False,
        *,
        label: str = "",
    ) -> MLOperand:
        """The sum of squares over the axes, or all."""
        return self._one(
            "reduceSumSquare",
            (input,),
            {"axes": axes, "keepDimensions": keep_dimensions, "label": label},
        )

    def relu(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """max(0, x)."""
        return self._one("relu", (x,), {"label": label})

    def resample2d(
        self,
        input: MLOperand,
        mode: str = "nearest-neighbor",
        scales: Sequence[Number] | None = None,
        sizes: Ints | None = None,
        axes: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """Two axes in another size, by scales or to sizes."""
        return self._one(
            "resample2d",
            (input,),
            {"mode": mode, "scales": scales, "sizes": sizes, "axes": axes, "label": label},
        )

    def reshape(self, x: MLOperand, new_shape: Ints, *, label: str = "") -> MLOperand:
        """The same values in another shape."""
        return self._one("reshape", (x, new_shape), {"label": label})

    def reverse(self, input: MLOperand, axes: Ints | None = None, *, label: str = "") -> MLOperand:
        """The other way round along the axes, or all."""
        return self._one("reverse", (input,), {"axes": axes, "label": label})

    def round_even(self, input: MLOperand, *, label: str = "") -> MLOperand:
        """Rounded to the nearest integer, halves to the even one."""
        return self._one("roundEven", (input,), {"label": label})

    def scatter_elements(
        self,
        input: MLOperand,
        indices: MLOperand,
        updates: MLOperand,
        axis: SupportsIndex = 0,
        *,
        label: str = "",
    ) -> MLOperand:
        """The input with updates where indices name elements along the axis."""
        return self._one(
            "scatterElements", (input, indices, updates), {"axis": axis, "label": label}
        )

    def scatter_nd(
        self, input: MLOperand, indices: MLOperand, updates: MLOperand, *, label: str = ""
    ) -> MLOperand:
        """The input with updates where the tuples in indices name slices."""
        return self._one("scatterND", (input, indices, updates), {"label": label})

    def sigmoid(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """1 / (1 + exp(-x))."""
        return self._one("sigmoid", (x,), {"label": label})

    def sign(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """-1, 0 or 1."""
        return self._one("sign", (x,), {"label": label})

    def sin(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The sine."""
        return self._one("sin", (x,), {"label": label})

    def slice(
        self,
        input: MLOperand,
        starts: Ints,
        sizes: Ints,
        strides: Ints | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """A part: from starts, sizes long, every strides-th."""
        return self._one("slice", (input, starts, sizes), {"strides": strides, "label": label})

    def softmax(self, x: MLOperand, axis: SupportsIndex, *, label: str = "") -> MLOperand:
        """exp(x) over its sum along the axis."""
        return self._one("softmax", (x, axis), {"label": label})

    def softplus(self, input: MLOperand, *, label: str = "") -> MLOperand:
        """log(1 + exp(x))."""
        return self._one("softplus", (input,), {"label": label})

    def softsign(self, input: MLOperand, *, label: str = "") -> MLOperand:
        """x / (1 + |x|)."""
        return self._one("softsign", (input,), {"label": label})

    def split(
        self,
        input: MLOperand,
        splits: SupportsIndex | Ints,
        axis: SupportsIndex = 0,
        *,
        label: str = "",
    ) -> list[MLOperand]:
        """Equal parts along the axis, or parts of the given sizes."""
        return self._several("split", (input, splits), {"axis": axis, "label": label})

    def sqrt(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The square root."""
        return self._one("sqrt", (x,), {"label": label})

    def sub(self, a: MLOperand, b: MLOperand, *, label: str = "") -> MLOperand:
        """a - b, broadcast."""
        return self._one("sub", (a, b), {"label": label})

    def tan(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The tangent."""
        return self._one("tan", (x,), {"label": label})

    def tanh(self, x: MLOperand, *, label: str = "") -> MLOperand:
        """The hyperbolic tangent."""
        return self._one("tanh", (x,), {"label": label})

    def tile(self, input: MLOperand, repetitions: Ints, *, label: str = "") -> MLOperand:
        """Repeated along each axis."""
        return self._one("tile", (input, repetitions), {"label": label})

    def transpose(
        self, input: MLOperand, permutation: Ints | None = None, *, label: str = ""
    ) -> MLOperand:
        """Axes in another order; reversed unless said."""
        return self._one("transpose", (input,), {"permutation": permutation, "label": label})

    def triangular(
        self, input: MLOperand, upper: bool = True, diagonal: SupportsIndex = 0, *, label: str = ""
    ) -> MLOperand:
        """The upper or lower triangle of matrices, the rest 0."""
        return self._one(
            "triangular", (input,), {"upper": upper, "diagonal": diagonal, "label": label}
        )

    def where(
        self,
        condition: MLOperand,
        true_value: MLOperand,
        false_value: MLOperand,
        *,
        label: str = "",
    ) -> MLOperand:
        """true_value where condition is not 0, else false_value."""
        return self._one("where", (condition, true_value, false_value), {"label": label})
