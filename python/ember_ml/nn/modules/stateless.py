"""PyTorch's layers without weights: functions of nn.functional with their options, as modules."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Any

from ... import ops as _ops
from ..._compat import functional as _f
from ..._compat.torch import unflatten as _unflatten
from ..._core import EmberTensor, Parameter, ShapeError
from ..._core.nn import Module
from ..._core.nn import init as _init

__all__ = [
    "AlphaDropout",
    "Bilinear",
    "ChannelShuffle",
    "CircularPad1d",
    "CircularPad2d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "CosineSimilarity",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "Fold",
    "Hardshrink",
    "Hardtanh",
    "PairwiseDistance",
    "PixelShuffle",
    "PixelUnshuffle",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "Softmin",
    "Softshrink",
    "Tanhshrink",
    "Threshold",
    "Unflatten",
    "Unfold",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class Stateless(Module):
    """A layer whose attributes are its options, which its printed form shows."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        for name, value in options.items():
            setattr(self, name, value)
        self._options = tuple(options)

    def extra_repr(self) -> str:
        """The options in the printed form."""
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self._options)


# ---- Activations ----
class Hardtanh(Stateless):
    """Elements clamped to [min_val, max_val]."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(min_val=min_val, max_val=max_val)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.hardtanh(x, self.min_val, self.max_val)


class Threshold(Stateless):
    """x where x > threshold, value elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(threshold=threshold, value=value)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.threshold(x, self.threshold, self.value)


class Hardshrink(Stateless):
    """Zero where |x| <= lambd, x elsewhere."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__(lambd=lambd)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.hardshrink(x, self.lambd)


class Softshrink(Stateless):
    """Elements moved toward zero by lambd."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__(lambd=lambd)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.softshrink(x, self.lambd)


class Tanhshrink(Stateless):
    """x - tanh(x)."""

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.tanhshrink(x)


class Softmin(Stateless):
    """softmax of -x."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim=dim)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.softmin(x, self.dim)


# ---- Dropout ----
class _Dropout(Stateless):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__(p=p)


class Dropout1d(_Dropout):
    """In training, channels of [..., channels, length] are zero with probability p."""

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.dropout1d(x, self.p, self.training)


class Dropout2d(_Dropout):
    """In training, channels of [..., channels, h, w] are zero with probability p."""

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.dropout2d(x, self.p, self.training)


class Dropout3d(_Dropout):
    """In training, channels of [..., channels, d, h, w] are zero with probability p."""

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.dropout3d(x, self.p, self.training)


class AlphaDropout(_Dropout):
    """Dropout for selu that preserves mean and variance."""

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.alpha_dropout(x, self.p, self.training)


# ---- Shapes ----
class Unflatten(Stateless):
    """One axis split into several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__(dim=dim, unflattened_size=tuple(unflattened_size))

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _unflatten(x, self.dim, self.unflattened_size)


class PixelShuffle(Stateless):
    """Channels rearranged into rows and columns."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__(upscale_factor=upscale_factor)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.pixel_shuffle(x, self.upscale_factor)


class PixelUnshuffle(Stateless):
    """Rows and columns rearranged into channels."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__(downscale_factor=downscale_factor)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _ops.pixel_unshuffle(x, self.downscale_factor)


class ChannelShuffle(Stateless):
    """Channels interleaved across groups."""

    def __init__(self, groups: int) -> None:
        super().__init__(groups=groups)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        n, c, *rest = x.shape
        if c % self.groups:
            raise ShapeError(
                f"[ChannelShuffle] {c} channels cannot be split into {self.groups} groups (x: "
                f"{x.dtype}{list(x.shape)})"
            )
        grouped = _ops.reshape(x, (n, self.groups, c // self.groups, *rest))
        return _ops.reshape(_ops.swapaxes(grouped, 1, 2), x.shape)


class Unfold(Stateless):
    """The windows of images as columns."""

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.unfold(x, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Stateless):
    """Images from their windows; overlaps are added."""

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__(
            output_size=output_size,
            kernel_size=kernel_size,
            dilation=dilation,
            padding=padding,
            stride=stride,
        )

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.fold(
            x, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )


class Upsample(Stateless):
    """[batch, channels, ...] brought to a size, or by a factor; mode: nearest, linear, bilinear,
    bicubic, trilinear."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
    ) -> None:
        super().__init__(
            size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners
        )

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)


class UpsamplingNearest2d(Upsample):
    """Images resized by nearest-neighbor interpolation."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor)


class UpsamplingBilinear2d(Upsample):
    """Images resized by bilinear interpolation, with the corners in
    their places."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


# ---- Padding ----
class _Pad(Stateless):
    dimensions = 1
    mode = "constant"

    def __init__(self, padding: Any, **options: Any) -> None:
        super().__init__(
            padding=(padding,) * (2 * self.dimensions)
            if isinstance(padding, int)
            else tuple(padding),
            **options,
        )

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        return _f.pad(x, self.padding, self.mode, getattr(self, "value", 0))


class ConstantPad1d(_Pad):
    """One value before and after the last axis."""

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding, value=value)


class ConstantPad2d(ConstantPad1d):
    """One value around the last two axes."""

    dimensions = 2


class ConstantPad3d(ConstantPad1d):
    """One value around the last three axes."""

    dimensions = 3


class ZeroPad1d(_Pad):
    """Zeros before and after the last axis."""


class ZeroPad2d(_Pad):
    """Zeros around the last two axes."""

    dimensions = 2


class ZeroPad3d(_Pad):
    """Zeros around the last three axes."""

    dimensions = 3


class ReflectionPad1d(_Pad):
    """The elements near both ends of the last axis, mirrored at the end."""

    mode = "reflect"


class ReflectionPad2d(ReflectionPad1d):
    """The elements near the edges of the last two axes, mirrored there."""

    dimensions = 2


class ReplicationPad1d(_Pad):
    """The elements at both ends of the last axis, repeated."""

    mode = "replicate"


class ReplicationPad2d(ReplicationPad1d):
    """The elements at the edges of the last two axes, repeated."""

    dimensions = 2


class CircularPad1d(_Pad):
    """The elements of the other end, for both ends of the last axis."""

    mode = "circular"


class CircularPad2d(CircularPad1d):
    """The elements of the other edge, for the edges of the last two axes."""

    dimensions = 2


# ---- Two inputs ----
class CosineSimilarity(Stateless):
    """The cosine of the angle between vectors along dim."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__(dim=dim, eps=eps)

    def forward(self, x1: Any, x2: Any) -> EmberTensor:
        """The layer's output."""
        return _f.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Stateless):
    """The distance between corresponding vectors of two inputs."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__(p=p, eps=eps, keepdim=keepdim)

    def forward(self, x1: Any, x2: Any) -> EmberTensor:
        """The layer's output."""
        return _f.pairwise_distance(x1, x2, self.p, self.eps, self.keepdim)


class Bilinear(Stateless):
    """x1 @ weight[k] @ x2 + bias[k] for each output k."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        super().__init__(
            in1_features=in1_features, in2_features=in2_features, out_features=out_features
        )
        bound = 1 / math.sqrt(in1_features)
        self.weight = Parameter(
            _init.uniform((out_features, in1_features, in2_features), -bound, bound)
        )
        self.bias = Parameter(_init.uniform((out_features,), -bound, bound)) if bias else None

    def forward(self, x1: Any, x2: Any) -> EmberTensor:
        """The layer's output."""
        return _f.bilinear(x1, x2, self.weight, self.bias)
