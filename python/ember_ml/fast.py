"""MLX's fast functions: ops under the names and with the arguments of mlx.core.fast."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any

from ._compat import op as _op
from ._compat.absent import getter as _getter
from ._core import EmberTensor, UnsupportedError, convert_to_tensor


def scaled_dot_product_attention(
    q: Any, k: Any, v: Any, *, scale: float, mask: Any = None
) -> EmberTensor:
    """softmax(scale * q @ k.T + mask) @ v; mask='causal' hides later keys."""
    causal = isinstance(mask, str) and mask == "causal"
    return _op.scaled_dot_product_attention(q, k, v, None if causal else mask, causal, scale)


def rms_norm(x: Any, weight: Any = None, eps: float = 1e-5) -> EmberTensor:
    """x divided by its root mean square along the last axis, times weight."""
    return _op.rms_norm(x, weight, eps=eps)


def layer_norm(x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> EmberTensor:
    """x with mean 0 and variance 1 along the last axis, times weight, plus bias."""
    return _op.layer_norm(x, weight, bias, eps=eps)


def rope(
    x: Any,
    dims: int,
    *,
    traditional: bool = False,
    base: float = 10000,
    scale: float = 1.0,
    offset: int = 0,
) -> EmberTensor:
    """Rotary position embedding of the last axis, whose length is dims."""
    t = convert_to_tensor(x)
    if dims != t.shape[-1]:
        raise UnsupportedError(
            f"[rope] dims must be the length of the last axis, {t.shape[-1]}, not {dims}"
        )
    positions = (_op.arange(t.shape[-2]) + offset) * scale
    return _op.rope(t, positions, base, traditional)


__all__ = ["layer_norm", "rms_norm", "rope", "scaled_dot_product_attention"]

__getattr__ = _getter(
    __name__, {"metal_kernel": "write the function in ops, which engines fuse"}, __all__
)
