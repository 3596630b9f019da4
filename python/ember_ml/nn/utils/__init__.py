"""torch.nn.utils: gradient clipping, parameters as one vector, sequences padded to one
length."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Iterable

from ..._compat import op as _op
from ..._compat.absent import missing as _missing
from ..._core import EmberTensor
from ..._core.training import clip_grad_norm_, clip_grad_value_
from . import rnn


def parameters_to_vector(parameters: Iterable[Any]) -> EmberTensor:
    """The elements of all parameters, concatenated."""
    return _op.concat([_op.flatten(p) for p in parameters])


def vector_to_parameters(vec: EmberTensor, parameters: Iterable[Any]) -> None:
    """Copies the elements of a vector into the parameters."""
    at = 0
    for p in parameters:
        n = int(p.size)
        p.data = _op.reshape(vec[at : at + n], p.shape)
        at += n


_ADVICE = {
    "prune": "multiply the weight by a mask in forward",
    "spectral_norm": "divide the weight by em.linalg.matrix_norm(weight, 2) in forward",
    "weight_norm": "divide the weight by em.linalg.vector_norm(weight, axis=1, keepdims=True) in forward",
}
__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "rnn",
    "vector_to_parameters",
]


def __getattr__(name: str) -> Any:
    _missing(__name__, name, _ADVICE, __all__)
