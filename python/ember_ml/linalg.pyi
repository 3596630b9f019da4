# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._names import (named as named, of_families as of_families)
from ember_ml.ops import (matmul as matmul, dot as dot, inner as inner, outer as outer, vecdot as vecdot, tensordot as tensordot, einsum as
    einsum, kron as kron, cross as cross, multi_dot as multi_dot, gemm as gemm, trace as trace, cholesky as cholesky, det as det, slogdet as
    slogdet, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, pinv as pinv, qr as qr, solve as solve,
    solve_triangular as solve_triangular, svd as svd, svdvals as svdvals, lu as lu, lstsq as lstsq, matrix_power as matrix_power, matrix_rank as
    matrix_rank, matrix_norm as matrix_norm, vector_norm as vector_norm, norm as norm, expm as expm, orthogonal as orthogonal, cond as cond,
    matrix_transpose as matrix_transpose, diagonal as diagonal, diag as diag)
__all__: list[str] = ['cholesky', 'cond', 'cross', 'det', 'diag', 'diagonal', 'dot', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'expm',
    'gemm', 'inner', 'inv', 'kron', 'lstsq', 'lu', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'multi_dot',
    'norm', 'orthogonal', 'outer', 'pinv', 'qr', 'slogdet', 'solve', 'solve_triangular', 'svd', 'svdvals', 'tensordot', 'trace', 'vecdot',
    'vector_norm']
