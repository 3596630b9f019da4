# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import math as _math
from typing import (Any as Any)
from ember_ml._compat import (op as _op)
from ember_ml._compat.absent import (missing as _missing)
from ember_ml._compat.numpy import (matvec as matvec, vecmat as vecmat)
from ember_ml._compat.torch import (logdet as logdet)
from ember_ml._core import (EmberTensor as EmberTensor, ShapeError as ShapeError, convert_to_tensor as convert_to_tensor, ValueError as
    LinAlgError)
from ember_ml._names import (named as named, of_families as of_families)
from ember_ml.ops import (matmul as matmul, dot as dot, inner as inner, outer as outer, vecdot as vecdot, tensordot as tensordot, einsum as
    einsum, kron as kron, cross as cross, multi_dot as multi_dot, gemm as gemm, trace as trace, cholesky as cholesky, det as det, slogdet as
    slogdet, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, pinv as pinv, qr as qr, solve as solve,
    solve_triangular as solve_triangular, svd as svd, svdvals as svdvals, lu as lu, lstsq as lstsq, matrix_power as matrix_power, matrix_rank as
    matrix_rank, matrix_norm as matrix_norm, vector_norm as vector_norm, norm as norm, expm as expm, orthogonal as orthogonal, cond as cond, bmm
    as bmm, mm as mm, mv as mv, inverse as inverse, matrix_transpose as matrix_transpose, diagonal as diagonal, diag as diag, expm as
    matrix_exp)
def cho_factor(a: Any, lower: bool=False) -> tuple[EmberTensor, bool]:
    """The Cholesky factor of a, and whether it is lower triangular, for cho_solve."""
def cho_solve(c_and_lower: Any, b: Any) -> EmberTensor:
    """Solves a @ x = b with the result of cho_factor(a)."""
def cholesky_solve(B: Any, L: Any, upper: bool=False) -> EmberTensor:
    """Solves A @ X = B with A's Cholesky factor."""
def tensorsolve(a: Any, b: Any, axes: Any=None) -> EmberTensor:
    """Solves tensordot(a, x, x.ndim) = b."""
def tensorinv(a: Any, ind: int=2) -> EmberTensor:
    """The tensor whose tensordot with a over ind axes is the identity."""
__all__: list[str] = ['LinAlgError', 'bmm', 'cho_factor', 'cho_solve', 'cholesky', 'cholesky_solve', 'cond', 'cross', 'det', 'diag',
    'diagonal', 'dot', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'expm', 'gemm', 'inner', 'inv', 'inverse', 'kron', 'logdet', 'lstsq',
    'lu', 'matmul', 'matrix_exp', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'matvec', 'mm', 'multi_dot', 'mv', 'norm',
    'orthogonal', 'outer', 'pinv', 'qr', 'slogdet', 'solve', 'solve_triangular', 'svd', 'svdvals', 'tensordot', 'tensorinv', 'tensorsolve',
    'trace', 'vecdot', 'vecmat', 'vector_norm']
