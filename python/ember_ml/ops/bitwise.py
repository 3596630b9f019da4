"""Bits of integers, and bit waves."""

from .._names import FUNCTIONS as _FUNCTIONS, named as _named

_NAMES = {
    _n: _f
    for _n, _f in _FUNCTIONS.items()
    if _n.startswith(("bitwise_", "binary_wave_", "rotate_", "count_ones", "count_zeros"))
    or _n.endswith("_bit")
}
_NAMES |= _named(
    [
        "left_shift",
        "right_shift",
        "shift_left",
        "shift_right",
        "invert",
        "popcount",
        "create_duty_cycle",
        "generate_blocky_sin",
    ]
)
globals().update(_NAMES)
__all__ = list(_NAMES)
