"""torch.nn.utils.rnn: sequences of several lengths in one tensor."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Sequence

from ..._compat import op as _op
from ..._compat.absent import missing as _missing
from ..._core import EmberTensor, convert_to_tensor


def pad_sequence(
    sequences: Sequence[Any], batch_first: bool = False, padding_value: float = 0.0
) -> EmberTensor:
    """The sequences stacked, each padded at its end to the length of the longest."""
    rows = [convert_to_tensor(s) for s in sequences]
    length = max(s.shape[0] for s in rows)
    filled = [
        _op.pad(
            s, ((0, length - s.shape[0]),) + ((0, 0),) * (s.ndim - 1), "constant", padding_value
        )
        for s in rows
    ]
    return _op.stack(filled, 0 if batch_first else 1)


_ADVICE = {
    "pack_padded_sequence": "use pad_sequence and mask the padding",
    "pack_sequence": "use pad_sequence and mask the padding",
    "pad_packed_sequence": "use pad_sequence and mask the padding",
}
__all__ = ["pad_sequence"]


def __getattr__(name: str) -> Any:
    _missing(__name__, name, _ADVICE, __all__)
