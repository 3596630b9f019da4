"""Linear algebra: the array API's extension, and more of NumPy's, SciPy's and torch's."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math as _math
from typing import Any

from ._compat import op as _op
from ._compat.absent import missing as _missing
from ._compat.numpy import matvec, vecmat
from ._compat.torch import logdet
from ._core import EmberTensor, ShapeError, convert_to_tensor
from ._core import ValueError as LinAlgError
from ._names import named, of_families

globals().update(of_families("linear algebra"))
globals().update(named(["matrix_transpose", "diagonal", "diag"]))
matrix_exp = _op.expm


def cho_factor(a: Any, lower: bool = False) -> tuple[EmberTensor, bool]:
    """The Cholesky factor of a, and whether it is lower triangular, for cho_solve."""
    return _op.cholesky(a, upper=not lower), lower


def cho_solve(c_and_lower: Any, b: Any) -> EmberTensor:
    """Solves a @ x = b with the result of cho_factor(a)."""
    factor, lower = c_and_lower
    return cholesky_solve(b, factor, not lower)


def cholesky_solve(B: Any, L: Any, upper: bool = False) -> EmberTensor:
    """Solves A @ X = B with A's Cholesky factor."""
    b, factor = convert_to_tensor(B), convert_to_tensor(L)
    lower = _op.conj(_op.matrix_transpose(factor)) if upper else factor
    columns = b[:, None] if b.ndim == 1 else b
    half = _op.solve_triangular(lower, columns)
    x = _op.solve_triangular(_op.conj(_op.matrix_transpose(lower)), half, upper=True)
    return x[:, 0] if b.ndim == 1 else x


def tensorsolve(a: Any, b: Any, axes: Any = None) -> EmberTensor:
    """Solves tensordot(a, x, x.ndim) = b."""
    left, right = convert_to_tensor(a), convert_to_tensor(b)
    if axes is not None:
        moved = [axes] if isinstance(axes, int) else list(axes)
        left = _op.permute_dims(left, [i for i in range(left.ndim) if i not in moved] + moved)
    shape = left.shape[right.ndim :]
    n = _math.prod(shape)
    if n != right.size:
        raise ShapeError(
            f"[tensorsolve] the numbers of equations and unknowns differ (a: {list(left.shape)}, "
            f"b: {list(right.shape)})"
        )
    return _op.reshape(_op.solve(_op.reshape(left, (n, n)), _op.reshape(right, (n,))), shape)


def tensorinv(a: Any, ind: int = 2) -> EmberTensor:
    """The tensor whose tensordot with a over ind axes is the identity."""
    x = convert_to_tensor(a)
    first, rest = x.shape[:ind], x.shape[ind:]
    n = _math.prod(first)
    if ind < 1 or n != _math.prod(rest):
        raise ShapeError(
            f"[tensorinv] the axes before and after {ind} must have equally many elements (a: "
            f"{x.dtype}{list(x.shape)})"
        )
    return _op.reshape(_op.inv(_op.reshape(x, (n, n))), (*rest, *first))


_ADVICE = {
    "eig_banded": "use em.linalg.eigh",
    "householder_product": "use em.linalg.qr(x).Q",
    "ldl_factor": "use em.linalg.cholesky, or em.linalg.lu",
    "lu_factor": "use em.linalg.lu(x), which returns P, L and U",
    "lu_solve": "use em.linalg.solve, or solve_triangular with L and with U",
    "schur": "use em.linalg.eigh or em.linalg.eig",
    "sqrtm": "use em.linalg.eigh: vectors * sqrt(values) @ vectors.mT",
}
__all__ = [
    n
    for n in globals()
    if not n.startswith("_")
    and n
    not in (
        "Any",
        "EmberTensor",
        "ShapeError",
        "annotations",
        "convert_to_tensor",
        "named",
        "of_families",
    )
]


def __getattr__(name: str) -> Any:
    _missing(__name__, name, _ADVICE, __all__)
