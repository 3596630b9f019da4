# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._names import (FUNCTIONS as _FUNCTIONS, named as _named)
from ember_ml.ops import (bitwise_invert as bitwise_invert, count_zeros as count_zeros, bitwise_and as bitwise_and, bitwise_or as
    bitwise_or, bitwise_xor as bitwise_xor, bitwise_left_shift as bitwise_left_shift, bitwise_right_shift as bitwise_right_shift, rotate_left as
    rotate_left, rotate_right as rotate_right, get_bit as get_bit, set_bit as set_bit, toggle_bit as toggle_bit, binary_wave_interference as
    binary_wave_interference, binary_wave_propagate as binary_wave_propagate, bitwise_count as bitwise_count, bitwise_not as bitwise_not,
    count_ones as count_ones, left_shift as left_shift, right_shift as right_shift, shift_left as shift_left, shift_right as shift_right, invert
    as invert, popcount as popcount, create_duty_cycle as create_duty_cycle, generate_blocky_sin as generate_blocky_sin)
__all__: list[str] = ['binary_wave_interference', 'binary_wave_propagate', 'bitwise_and', 'bitwise_count', 'bitwise_invert',
    'bitwise_left_shift', 'bitwise_not', 'bitwise_or', 'bitwise_right_shift', 'bitwise_xor', 'count_ones', 'count_zeros', 'create_duty_cycle',
    'generate_blocky_sin', 'get_bit', 'invert', 'left_shift', 'popcount', 'right_shift', 'rotate_left', 'rotate_right', 'set_bit', 'shift_left',
    'shift_right', 'toggle_bit']
