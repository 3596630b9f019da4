"""Names and call forms of NumPy, torch, JAX, MLX and Keras, implemented with Ember's ops.

`numpy` and `torch` hold functions, `methods` what tensors have, `random` generators and keys,
`forms` other ways to call an op, `absent` what to write instead of a name that does not exist.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .._names import FUNCTIONS

op: Any = SimpleNamespace(**FUNCTIONS)
