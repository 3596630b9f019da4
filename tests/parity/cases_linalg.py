"""Linear algebra, compared with NumPy and SciPy in float64. Decompositions are tested by their
defining properties, because signs and phases are arbitrary."""

import functools

import numpy as np
import scipy.linalg as sl

from harness import *

LAPACK = REALS + COMPLEX
FEW = ("float32", "complex128")
SOME = ("int8", "uint32", "int64") + FLOATS + ("complex64",)
LIMIT = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float32": 2e-5,
    "complex64": 2e-5,
    "float64": 1e-12,
    "complex128": 1e-12,
}


@dataclasses.dataclass
class Made(A):
    """A random array, transformed by a function in float64 or complex128."""

    make: typing.Callable = None

    def draw(self, rng, dtype):
        x = self.make(wide(super().draw(rng, dtype)))
        return (
            np.round(x.real).astype(np_dtype(dtype)) if dtype in INTS else x.astype(np_dtype(dtype))
        )


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def square(*shape):
    """Well-conditioned."""
    return Made(shape, -1, 1, make=lambda x: x + 2 * np.sqrt(shape[-1]) * np.eye(shape[-1]))


def hermitian(*shape):
    return Made(shape, make=lambda x: x + adjoint(x))


def definite(*shape):
    return Made(shape, make=lambda x: x @ adjoint(x) / max(1, shape[-1]) + np.eye(shape[-1]))


def deficient(*shape):
    """The last column equals the first."""
    return Made(shape, make=lambda x: np.concatenate([x[..., :-1], x[..., :1]], -1))


def same(got, want, limit, what):
    assert got.shape == want.shape, f"{what}: shape {got.shape}, expected {want.shape}"
    if got.size:
        off = np.max(np.abs(wide(got) - wide(want)))
        assert off <= limit * max(1.0, np.max(np.abs(want))), f"{what}: off by {off}"


def is_unitary(q, limit, what):
    """Orthonormal columns."""
    same(
        adjoint(wide(q)) @ wide(q),
        np.broadcast_to(np.eye(q.shape[-1]), q.shape[:-2] + (q.shape[-1],) * 2),
        limit,
        what + " is not orthonormal",
    )


def dtypes_are(got, *names):
    assert [g.dtype.name for g in got] == list(names), (
        f"dtypes {[g.dtype.name for g in got]}, expected {names}"
    )


def complex_of(dtype):
    return {"float64": "complex128", "complex128": "complex128"}.get(dtype, "complex64")


def spreads(got, second, dtype):
    """A NaN in the first matrix of a batch reaches its result and does not affect the second
    one's."""
    assert np.isnan(got[0]).any()
    same(got[1], second, LIMIT[dtype], "the second matrix")


def limit_of(dtype, n):
    return LIMIT[float_of(dtype)] * max(1, n / 8)


# ---- Products ----
SHAPES = (
    ((3, 4), (4, 5)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((4,), (4,)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (6, 4, 5)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)),
    ((3, 0), (0, 5)),
    ((0, 4), (4, 5)),
    ((3, 4), (4, 0)),
    ((0,), (0,)),
    ((0, 3, 4), (4, 5)),
    ((2, 3, 0), (0, 4)),
    ((1, 1), (1, 1)),
    ((1, 7), (7, 1)),
    ((7, 1), (1, 7)),
    ((6, 1, 4), (4, 9)),
    ((3, 17, 16), (3, 16, 15)),
)
for a, b in SHAPES:
    case(
        "matmul",
        [A(a), A(b)],
        np.matmul,
        ALL
        if (a, b) in (SHAPES[0], SHAPES[7], SHAPES[10])
        else ("int32", "float16", "float32", "complex128"),
        id=f"{a}{b}",
    )
for a, b in (
    ((70, 65), (65, 130)),
    ((1, 1280), (1280, 1000)),
    ((1280,), (1280, 100)),
    ((300, 1280), (1280, 1)),
    ((200, 190), (190, 210)),
    ((20, 20000), (20000, 20)),
    ((5, 40, 64), (64, 48)),
    ((64, 48), (5, 48, 40)),
    ((3, 170, 170), (3, 170, 170)),
    ((40, 9, 33), (40, 33, 17)),
    ((2, 3, 1, 65), (3, 65, 66)),
    ((4, 1, 33, 20), (5, 20, 31)),
    ((600, 8), (8, 600)),
    ((1, 3000), (3000, 3)),
):
    case("matmul", [A(a), A(b)], np.matmul, FLOATS + ("complex64",), id=f"{a}{b}")
for d in ("int8", "int32", "uint64", "bool"):
    for a, b in (
        ((70, 65), (65, 130)),
        ((20, 20000), (20000, 20)),
        ((3, 40, 300), (300, 17)),
        ((1, 1280), (1280, 100)),
    ):
        case("matmul", [A(a), A(b)], np.matmul, (d,), id=f"{a}{b} integers")
case(
    "matmul", [A((2500000,), 0, 1), A((2500000,), 0, 1)], np.matmul, ("float32",), id="long vectors"
)
case(
    "matmul",
    [A((2, 3), values=[np.inf, 0, 1, np.nan, 1, 2]), A((3, 2), values=[1, 0, 0, 1, 2, 3])],
    np.matmul,
    FLOATS,
    id="special",
)
case(
    "matmul",
    [A((2, 300), values=[200.0]), A((300, 2), values=[200.0, -200.0, 1, 2])],
    np.matmul,
    ("float16",),
    id="past float16 on the way",
)
case(
    "matmul",
    [A((3, 4), dtype="float32"), A((4, 5), dtype="float64")],
    np.matmul,
    ("float64",),
    id="promotes",
)
case("matmul", [A((3, 4), dtype="int32"), A((4, 5))], np.matmul, FLOATS, id="integers with floats")
case("matmul", [A((3, 4), dtype="float32"), A((4, 5))], np.matmul, COMPLEX, id="real with complex")
for a, b in (
    ((), (3,)),
    ((3,), ()),
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((2, 4, 3), (5, 3, 4)),
    ((2, 0), (0, 3)),
):
    case("dot", [A(a), A(b)], np.dot, SOME, id=f"{a}{b}")
for a, b in (
    ((), (3,)),
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 3), (4, 3)),
    ((2, 4, 3), (5, 3)),
    ((2, 0), (3, 0)),
    ((60, 70), (50, 70)),
):
    case("inner", [A(a), A(b)], np.inner, SOME, id=f"{a}{b}")
for a, b in (((3,), (4,)), ((2, 3), (2,)), ((), (3,)), ((0,), (3,))):
    case("outer", [A(a), A(b)], np.outer, ALL, id=f"{a}{b}")
for a, b, axis in (
    ((3,), (3,), -1),
    ((2, 3), (4, 1, 3), -1),
    ((3, 2), (3, 2), -2),
    ((2, 0), (2, 0), -1),
    ((5, 300), (300,), -1),
):
    case(
        "vecdot",
        [A(a), A(b)],
        lambda x, y, axis: np.linalg.vecdot(x, y, axis=axis),
        SOME,
        axis=axis,
        id=f"{a}{b}{axis}",
    )
for a, b, axes in (
    ((3, 4, 5), (4, 5, 6), 2),
    ((3, 4, 5), (5, 6), 1),
    ((0, 2), (3,), 0),
    ((2, 3), (2, 3), 2),
    ((3, 4, 5), (4, 5, 6), [[1, 2], [0, 1]]),
    ((3, 4, 5), (5, 4, 2), [[2, 1], [0, 1]]),
    ((3, 4, 5), (4, 5, 6), [-2, 0]),
    ((3, 4, 5), (4, 6), [[1], [-2]]),
    ((8, 30, 9), (9, 8, 40), [[0, 2], [1, 0]]),
    ((3, 0), (0, 4), 1),
):
    case(
        "tensordot",
        [A(a), A(b)],
        lambda x, y, axes: np.tensordot(x, y, axes),
        SOME,
        axes=axes,
        id=f"{a}{b}{axes}",
    )
for a, b in (((2, 3), (4, 5)), ((3,), (2, 2)), ((), (2,)), ((2, 2, 2), (3,)), ((0, 2), (2, 3))):
    case("kron", [A(a), A(b)], np.kron, SOME, id=f"{a}{b}")
for a, b, axis in (
    ((3,), (3,), -1),
    ((2, 3), (4, 1, 3), -1),
    ((3, 2), (3, 2), 0),
    ((2, 3, 4), (2, 3, 4), 1),
    ((0, 3), (0, 3), -1),
):
    case(
        "cross",
        [A(a), A(b)],
        lambda x, y, axis: np.linalg.cross(*np.broadcast_arrays(x, y), axis=axis),
        SOME,
        axis=axis,
        id=f"{a}{b}{axis}",
        tol={"float16": 4e-3, "bfloat16": 3e-2},
        why="products are rounded before their difference",
    )
for shapes in (
    ((10, 100), (100, 5), (5, 50), (50, 2)),
    ((10,), (10, 5), (5,)),
    ((2, 3), (3, 4)),
    ((4,), (4, 5)),
    ((2, 3), (3, 4), (4,)),
    ((2, 0), (0, 3), (3, 4)),
    ((2, 2),) * 12,
):
    case(
        "multi_dot",
        [[A(s) for s in shapes]],
        lambda xs: functools.reduce(np.matmul, xs),
        REALS + COMPLEX + ("int64",),
        id=str(shapes),
        tol={"float32": 2e-5, "complex64": 2e-5},
        why="several products after one another",
    )
    case(
        "multi_dot",
        [[A(s, -1, 1) for s in shapes]],
        lambda xs: functools.reduce(np.matmul, xs),
        ("float16", "bfloat16"),
        id=str(shapes),
        tol={"float16": 1e-2, "bfloat16": 8e-2},
        why="every product is rounded",
    )
near = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
}  # the product, the scaled product and the sum are each rounded
for ta in (False, True):
    for tb in (False, True):
        for m, n, k in (
            (3, 4, 5),
            (70, 65, 130),
            (1, 40, 30),
            (40, 1, 30),
            (1, 1280, 1000),
            (1, 1, 9),
            (300, 3, 4),
        ):
            a, b = (k, m) if ta else (m, k), (n, k) if tb else (k, n)
            turned = lambda x, y, ta=ta, tb=tb: (np.swapaxes(x, -1, -2) if ta else x) @ (
                np.swapaxes(y, -1, -2) if tb else y
            )
            case(
                "gemm",
                [A(a), A(b)],
                lambda x, y, f=turned, **k: f(x, y),
                FLOATS + COMPLEX + ("int32",)
                if m * n * k < 10000
                else ("float16", "float32", "float64"),
                a_transpose=ta,
                b_transpose=tb,
                id=f"{m} {n} {k} {ta} {tb}",
            )
        case(
            "gemm",
            [A(a), A(b), A((n,))],
            lambda x, y, c, alpha, beta, f=turned, **k: alpha * f(x, y) + beta * c,
            FLOATS,
            alpha=2.0,
            beta=0.5,
            a_transpose=ta,
            b_transpose=tb,
            id=f"c {ta} {tb}",
            tol=near,
            why="three roundings",
        )
        case(
            "gemm",
            [A((2, *a)), A((3, 1, *b))],
            lambda x, y, f=turned, **k: f(x, y),
            FLOATS,
            a_transpose=ta,
            b_transpose=tb,
            id=f"batch {ta} {tb}",
        )
for c in ((), (1,), (4, 1), (4, 6)):
    case(
        "gemm",
        [A((4, 5)), A((5, 6)), A(c)],
        lambda x, y, c, **k: x @ y + c,
        FLOATS + COMPLEX + ("int32",),
        id=f"c {c}",
        tol=near,
        why="the product is rounded before the sum",
    )
case(
    "gemm",
    [A((4, 5)), A((5, 6)), A((4, 6))],
    lambda x, y, c, **k: x @ y,
    REALS,
    beta=0.0,
    id="without c",
)
case(
    "gemm", [A((4, 0)), A((0, 6)), A((6,))], lambda x, y, c: np.zeros((4, 6)) + c, REALS, id="empty"
)
for offset in (0, 1, -1, 99):
    case(
        "trace",
        [A((2, 3, 4))],
        lambda x, offset: np.trace(
            x,
            offset,
            -2,
            -1,
            dtype=x.dtype
            if x.dtype.kind in "fc"
            else np.uint64
            if x.dtype.kind == "u"
            else np.int64,
        ),
        NUMERIC + ("bool",),
        out=sum_of,
        offset=offset,
        id=str(offset),
    )
case("trace", [A((3, 0))], lambda x: np.trace(x), REALS, id="empty")
case("trace", [A((700, 700), values=[9.0])], np.trace, ("float16",), id="past what float16 counts")

EQUATIONS = (
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk->ki", (2, 3), (3, 4)),
    ("ji,jk->ik", (3, 2), (3, 4)),
    ("ij,kj->ik", (2, 3), (4, 3)),
    ("ij->ji", (2, 3)),
    ("ij->ij", (2, 3)),
    ("ba", (2, 3)),
    ("ii", (3, 3)),
    ("ii->i", (3, 3)),
    ("ij->", (2, 3)),
    ("ij->i", (2, 3)),
    ("ij->j", (2, 3)),
    ("i->", (3,)),
    ("->", ()),
    ("i,i", (3,), (3,)),
    ("i,j", (3,), (4,)),
    ("i,i->i", (3,), (3,)),
    ("i,j->ji", (3,), (4,)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bij,bjk->kbi", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
    ("bqhd,bkhd->bhqk", (2, 4, 3, 5), (2, 6, 3, 5)),
    ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 5)),
    ("...ij,...jk", (2, 1, 3, 4), (5, 4, 5)),
    ("ij...,jk...->ik...", (2, 3, 5), (3, 4, 5)),
    ("...,...", (2, 3), (3,)),
    ("...,...->...", (2, 3), (2, 1)),
    ("i...,j->j...i", (2, 3), (4,)),
    ("ij,ij->ij", (2, 3), (2, 3)),
    ("ij,ij->", (2, 3), (2, 3)),
    ("bi,bi->b", (4, 3), (4, 3)),
    ("ij,i->ij", (2, 3), (2,)),
    ("ij,j->i", (2, 3), (3,)),
    ("i,ij->j", (2,), (2, 3)),
    ("ij,jk,kl", (2, 3), (3, 4), (4, 5)),
    ("ij,jk,kl,lm->mi", (2, 3), (3, 4), (4, 5), (5, 6)),
    ("a,ab,abc->abc", (2,), (2, 3), (2, 3, 4)),
    ("a,ab,abc->bc", (2,), (2, 3), (2, 3, 4)),
    ("a,b,c", (2,), (3,), (4,)),
    ("ab,bc,ca->", (2, 3), (3, 4), (4, 2)),
    ("iij->j", (3, 3, 4)),
    ("ijij->ij", (2, 3, 2, 3)),
    ("iii->i", (3, 3, 3)),
    ("iijj->ij", (2, 2, 3, 3)),
    ("iij,j->i", (3, 3, 4), (4,)),
    ("...ii->...i", (2, 3, 3)),
    ("i...i", (3, 2, 3)),
    ("...->...", (2, 3)),
    ("i...->...", (2, 3, 4)),
    ("i...", (2, 3, 4)),
    ("...i->i...", (2, 3, 4)),
    ("ij,jk", (2, 0), (0, 3)),
    ("ij,jk", (0, 2), (2, 3)),
    ("ij->j", (0, 3)),
    ("ij,j->i", (2, 1), (4,)),
    ("a,a,a,a,a,a,a,a,a->a", *[(3,)] * 9),
    ("ab,bc,cd,de,ef,fg,gh,hi,ij->aj", *[(2, 2)] * 9),
    (" i j , j k -> i k ", (2, 3), (3, 4)),
    ("Ab,bC", (2, 3), (3, 4)),
    (",ij", (), (2, 3)),
    ("abcd,abce->de", (2, 3, 4, 5), (2, 3, 4, 6)),
    ("ij,kj->jik", (2, 3), (4, 3)),
    ("ik,jk,k->ij", (4, 5), (6, 5), (5,)),
    ("ab,cd", (2, 3), (2, 2)),
    ("abc,cde,ea->bd", (2, 3, 4), (4, 5, 2), (2, 2)),
    ("ij,jk->ik", (70, 65), (65, 130)),
    ("bij,bkj->bik", (8, 33, 40), (8, 20, 40)),
    ("bi,bi->b", (50, 300), (50, 300)),
    ("i,i", (5000,), (5000,)),
)
for equation, *shapes in EQUATIONS:
    whole = lambda e, xs: np.einsum(e, *xs, optimize=False)
    case(
        "einsum",
        [equation, [A(s, -2, 3) for s in shapes]],
        whole,
        ("float32", "complex128", "int64"),
        id=f"{equation}{shapes}",
    )
    if len(shapes) < 3:
        case(
            "einsum",
            [equation, [A(s) for s in shapes]],
            whole,
            ("float16",),
            id=f"{equation}{shapes}",
        )
case(
    "einsum",
    ["ij,jk->ik", A((2, 3)), A((3, 4))],
    lambda e, a, b: np.einsum(e, a, b),
    REALS,
    id="operands after one another",
)
case(
    "einsum",
    ["ij->", [A((300, 300), values=[10.0])]],
    lambda e, xs: np.sum(xs[0]),
    ("float16",),
    id="past float16 counting",
)
case(
    "einsum",
    ["ij,jk,k->i", [A((4, 5)), A((5, 6)), A((6,))]],
    lambda e, xs: np.einsum(e, *xs),
    ("float16", "bfloat16"),
    id="three",
    tol={"float16": 8e-3, "bfloat16": 6e-2},
    why="every product is rounded",
)

# ---- Decompositions ----
SIZES = ((0, 0), (1, 1), (4, 4), (2, 3, 3), (2, 1, 5, 5), (0, 3, 3), (2, 0, 0), (36, 36))


def triangle(x, lower):
    return np.tril(x) if lower else np.triu(x)


for shape in SIZES:
    few = shape in ((4, 4), (2, 3, 3), (0, 0), (0, 3, 3))
    for upper in (False, True):

        def check(got, args, dtype, upper=upper):
            a, f, n = (
                wide(args[0]).astype(np.complex128 if dtype in COMPLEX else np.float64),
                got[0],
                args[0].shape[-1],
            )
            dtypes_are(got, float_of(dtype))
            same(f, triangle(f, not upper), 0, "the factor is not triangular")
            f = wide(f)
            same(
                adjoint(f) @ f if upper else f @ adjoint(f),
                a,
                limit_of(dtype, n),
                "the factor's square",
            )

        case(
            "cholesky",
            [definite(*shape)],
            None,
            (FLOATS + COMPLEX if few else LAPACK),
            check=check,
            upper=upper,
            id=f"{shape} {upper}",
        )
        case(
            "cholesky",
            [
                Made(
                    shape,
                    make=lambda x, u=upper, n=shape[-1]: triangle(
                        x @ adjoint(x) / max(1, n) + np.eye(n), not u
                    )
                    + 7 * triangle(np.ones((n, n)) - np.eye(n), u),
                )
            ],
            lambda a, upper: np.linalg.cholesky(
                np.where(np.eye(a.shape[-1]) > 0, a, triangle(a, not upper))
                + adjoint(np.where(np.eye(a.shape[-1]) > 0, 0, triangle(a, not upper))),
                upper=upper,
            ),
            LAPACK,
            upper=upper,
            id=f"{shape} {upper} one triangle",
            tol={"float32": 2e-5, "complex64": 2e-5},
            why="the condition of the matrix",
        )

        def check(got, args, dtype, upper=upper):
            a, n = wide(args[0]), args[0].shape[-1]
            dtypes_are(got, real_of(float_of(dtype)), float_of(dtype))
            w, v = wide(got[0]), wide(got[1])
            limit = limit_of(dtype, n)
            same(got[0], np.linalg.eigvalsh(a, "U" if upper else "L"), limit, "eigenvalues")
            is_unitary(got[1], limit, "v")
            h = triangle(a, not upper) + adjoint(triangle(a, not upper)) - np.eye(n) * np.real(a)
            same((v * w[..., None, :]) @ adjoint(v), h, limit, "v w v*")

        case(
            "eigh",
            [hermitian(*shape)],
            None,
            FLOATS + COMPLEX + ("int32",) if few else LAPACK,
            check=check,
            upper=upper,
            id=f"{shape} {upper}",
        )
        case(
            "eigh",
            [Made(shape, make=lambda x: x.real + 0j if np.iscomplexobj(x) else x)],
            None,
            LAPACK if few else ("float64",),
            check=check,
            upper=upper,
            id=f"{shape} {upper} one triangle",
        )
        case(
            "eigvalsh",
            [hermitian(*shape)],
            lambda a, upper: np.linalg.eigvalsh(a, "U" if upper else "L"),
            FLOATS + COMPLEX if few else FEW,
            out=real_of,
            upper=upper,
            id=f"{shape} {upper}",
            tol={"float32": 2e-5, "complex64": 2e-5},
            why="the condition of the matrix",
        )

    def check(got, args, dtype):
        a, n = wide(args[0]), args[0].shape[-1]
        dtypes_are(got, complex_of(dtype), complex_of(dtype))
        w, v = wide(got[0]), wide(got[1])
        limit = limit_of(complex_of(dtype), n) * 10
        same(a @ v, v * w[..., None, :], limit * max(1, np.abs(w).max(initial=0)), "a v = v w")
        same(np.linalg.norm(v, axis=-2), np.ones(w.shape), limit, "the eigenvectors' lengths")
        same(np.sum(w, -1), np.trace(a + 0j, 0, -2, -1), limit, "the sum of the eigenvalues")

    case(
        "eig",
        [A(shape)],
        None,
        FLOATS + COMPLEX + ("int32",) if few else LAPACK,
        check=check,
        id=str(shape),
    )
    case(
        "eig",
        [hermitian(*shape)],
        None,
        LAPACK if few else ("float64",),
        check=check,
        id=f"{shape} hermitian",
    )

    def check(got, args, dtype):
        a = wide(args[0])
        dtypes_are(got, complex_of(dtype))
        want = np.linalg.eigvals(a)
        assert got[0].shape == want.shape
        limit = limit_of(complex_of(dtype), a.shape[-1]) * 10 * max(1, np.abs(want).max(initial=0))
        for g, w in (
            zip(wide(got[0]).reshape(-1, a.shape[-1]), want.reshape(-1, a.shape[-1]))
            if want.size
            else ()
        ):
            for v in g:  # the nearest eigenvalue of each
                k = np.argmin(np.abs(w - v))
                assert abs(w[k] - v) <= limit, f"eigenvalue {v} is not among {w}"
                w = np.delete(w, k)

    case(
        "eigvals",
        [A(shape)],
        None,
        FLOATS + COMPLEX + ("int32",) if few else LAPACK,
        check=check,
        id=str(shape),
    )
    sharp = {"float32": 2e-5, "complex64": 2e-5, "float64": 2e-12}
    case(
        "inv",
        [square(*shape)],
        np.linalg.inv,
        FLOATS + COMPLEX if few else LAPACK,
        id=str(shape),
        tol=sharp,
        why="the condition of the matrix",
    )
    case(
        "inv",
        [square(*shape)],
        np.linalg.inv,
        ("int32", "uint8"),
        out="float32",
        id=f"{shape} integers",
    ) if few else None
    case(
        "det",
        [square(*shape)],
        np.linalg.det,
        FLOATS + COMPLEX if few else ("float64", "complex128"),
        id=str(shape),
        tol=sharp,
        why="the condition of the matrix",
    )
    case(
        "slogdet",
        [square(*shape)],
        lambda a: list(np.linalg.slogdet(a)),
        FLOATS + COMPLEX if few else LAPACK,
        out=[None, real_of],
        id=str(shape),
        tol=sharp,
        why="the condition of the matrix",
    )
    if few:
        case(
            "det",
            [A(shape)],
            np.linalg.det,
            REALS + COMPLEX,
            id=f"{shape} any",
            tol=sharp,
            why="the condition of the matrix",
        )
        case(
            "slogdet",
            [A(shape)],
            lambda a: list(np.linalg.slogdet(a)),
            REALS + COMPLEX,
            out=[None, real_of],
            id=f"{shape} any",
            tol=sharp,
            why="the condition of the matrix",
        )
    case(
        "expm",
        [Made(shape, -1, 1, make=lambda x, n=shape[-1]: x / max(1, np.sqrt(n)))],
        lambda a: sl.expm(a) if a.size else a,
        FLOATS + COMPLEX if few else LAPACK,
        id=str(shape),
        tol={"float32": 2e-5, "complex64": 2e-5, "float64": 2e-12},
        why="sums of many products",
    )
    for n in (0, 1, 2, 5, 10, -1, -3) if shape in ((4, 4), (2, 3, 3)) else (3, 0, -1):
        case(
            "matrix_power",
            [Made(shape, -1, 1, make=lambda x, k=shape[-1]: x / max(1, np.sqrt(k)) + np.eye(k))],
            np.linalg.matrix_power,
            FEW,
            n=n,
            id=f"{shape} {n}",
            tol={"float32": 1e-4, "complex64": 1e-4, "float64": 1e-11, "complex128": 1e-11},
            why="products of many matrices",
        )
case("matrix_power", [A((3, 3), 0, 3)], np.linalg.matrix_power, INTS, n=3, id="integers")
case(
    "matrix_power",
    [square(2, 4, 4)],
    np.linalg.matrix_power,
    ("float16", "bfloat16"),
    n=2,
    id="narrow",
)
case(
    "matrix_power",
    [square(2, 4, 4)],
    np.linalg.matrix_power,
    ("float16", "bfloat16"),
    n=-1,
    id="narrow inverse",
)
case("det", [A((2, 2), values=[1, 2, 2, 4])], np.linalg.det, FLOATS, id="singular")
case(
    "det",
    [A((7, 7), values=np.eye(7)[[3, 0, 6, 1, 2, 5, 4]].ravel())],
    np.linalg.det,
    FLOATS,
    id="permutation",
)
case("det", [A((3, 3), -9, 9)], np.linalg.det, ("int32", "uint8"), out="float32", id="integers")
case(
    "det",
    [A((3, 2, 2), values=[np.nan, 1, 2, 3, np.inf, 0, 0, 1, 1, 2, 3, 4])],
    np.linalg.det,
    FLOATS,
    id="special",
)
case(
    "slogdet",
    [A((2, 2), values=[0, 0, 0, 0])],
    lambda a: list(np.linalg.slogdet(a)),
    FLOATS,
    id="singular",
)
case(
    "slogdet",
    [Made((30, 30), make=lambda x: x * 1e30)],
    lambda a: list(np.linalg.slogdet(a)),
    ("float32",),
    id="large",
)
case(
    "inv",
    [A((2, 2, 2), values=[np.nan, 1, 2, 3, 1, 2, 3, 5])],
    None,
    REALS,
    id="nan",
    check=lambda got, args, d: spreads(got[0], np.linalg.inv(wide(args[0])[1]), d),
)
for op in ("inv", "cholesky"):
    f = getattr(np.linalg, op)
    case(
        op,
        [definite(130, 130)],
        f,
        ("float64", "complex64"),
        id="large",
        tol={"float64": 1e-11, "complex64": 2e-4},
        why="the condition of the matrix",
    )
case("expm", [A((2, 2), values=[0])], lambda a: np.eye(2), FLOATS, id="zero")
case(
    "expm",
    [Made((2, 4, 4), make=lambda x: np.stack([x[0] * 1e-3, x[1] * 8]))],
    None,
    LAPACK,
    id="small and large",
    check=lambda got, args, d: [
        same(g, w, 5e-4 if "64" not in d or d == "complex64" else 1e-10, "expm")
        for g, w in zip(
            got[0] / np.abs(sl.expm(wide(args[0]))).max((1, 2), keepdims=True),
            sl.expm(wide(args[0])) / np.abs(sl.expm(wide(args[0]))).max((1, 2), keepdims=True),
        )
    ],
)
case(
    "expm",
    [A((2, 2), 0, 2)],
    lambda a: sl.expm(a.astype(np.float64)),
    ("int32", "uint8"),
    out="float32",
    id="integers",
)
case(
    "expm",
    [A((2, 2), values=[0, np.pi / 2, -np.pi / 2, 0])],
    sl.expm,
    FLOATS,
    id="rotation",
    tol={"float16": 4e-3, "bfloat16": 3e-2},
    why="pi is rounded",
)

RECTANGLES = (
    (3, 5),
    (5, 3),
    (4, 4),
    (2, 5, 3),
    (2, 2, 3, 5),
    (1, 6),
    (6, 1),
    (0, 3),
    (3, 0),
    (0, 0),
    (0, 4, 3),
    (2, 0, 3),
    (60, 33),
    (33, 60),
    (300, 4),
)
for shape in RECTANGLES:
    few, k = shape in ((3, 5), (5, 3), (4, 4), (2, 5, 3), (0, 3)), min(shape[-2:])
    kinds = FLOATS + COMPLEX + ("int32",) if few else FEW
    for mode in ("reduced", "complete"):

        def check(got, args, dtype, mode=mode):
            a, (q, r) = wide(args[0]), got
            dtypes_are(got, float_of(dtype), float_of(dtype))
            m, n = a.shape[-2:]
            wanted = m if mode == "complete" else min(m, n)
            assert q.shape == a.shape[:-2] + (m, wanted) and r.shape == a.shape[:-2] + (
                wanted,
                n,
            ), f"shapes {q.shape} and {r.shape}"
            is_unitary(q, limit_of(dtype, max(m, n)), "q")
            same(r, np.triu(r), 0, "r is not triangular")
            same(wide(q) @ wide(r), a * 1.0, limit_of(dtype, max(m, n)), "q r")

        case("qr", [A(shape)], None, kinds, check=check, mode=mode, id=f"{shape} {mode}")
    for full in (False, True):

        def check(got, args, dtype, full=full):
            a, (u, s, vh) = wide(args[0]), got
            m, n = a.shape[-2:]
            k, limit = min(m, n), limit_of(dtype, max(m, n))
            dtypes_are(got, float_of(dtype), real_of(float_of(dtype)), float_of(dtype))
            assert u.shape[-2:] == (m, m if full else k) and vh.shape[-2:] == (
                n if full else k,
                n,
            ), f"shapes {u.shape} and {vh.shape}"
            is_unitary(u, limit, "u"), is_unitary(adjoint(vh), limit, "v")
            same(
                s,
                np.linalg.svd(a, compute_uv=False) if k else np.zeros(a.shape[:-2] + (k,)),
                limit,
                "singular values",
            )
            same(
                (wide(u)[..., :k] * wide(s)[..., None, :]) @ wide(vh)[..., :k, :],
                a * 1.0,
                limit,
                "u s vh",
            )

        case("svd", [A(shape)], None, kinds, check=check, full_matrices=full, id=f"{shape} {full}")

    def check(got, args, dtype):
        a, (p, l, u) = wide(args[0]), got
        m, n = a.shape[-2:]
        k = min(m, n)
        dtypes_are(got, "int64", float_of(dtype), float_of(dtype))
        same(np.sort(p, -1), np.broadcast_to(np.arange(m), p.shape), 0, "p is not a permutation")
        one = np.broadcast_to(np.eye(m, k), l.shape)
        (
            same(l, np.tril(l, -1) + one.astype(l.dtype), 0, "l is not unit lower triangular"),
            same(u, np.triu(u), 0, "u is not triangular"),
        )
        same(
            wide(l) @ wide(u),
            np.take_along_axis(a * 1.0, p[..., None], -2),
            limit_of(dtype, max(m, n)),
            "l u",
        )

    case("lu", [A(shape)], None, kinds, check=check, id=str(shape))
    values = lambda a: np.linalg.svd(a, compute_uv=False)
    case(
        "svdvals", [A(shape)], values, FLOATS + COMPLEX if few else FEW, out=real_of, id=str(shape)
    )
    case(
        "pinv",
        [A(shape)],
        np.linalg.pinv,
        FLOATS + COMPLEX if few and shape[-2] != shape[-1] else ("float64", "complex128"),
        id=str(shape),
        tol={
            "float32": 1e-4,
            "complex64": 1e-4,
            "float64": 1e-10,
            "complex128": 1e-10,
            "float16": 4e-3,
            "bfloat16": 3e-2,
        },
        why="the condition of the matrix",
    )
    case("matrix_rank", [A(shape)], np.linalg.matrix_rank, FEW, out="int64", id=str(shape))
    if k > 1:
        case(
            "matrix_rank",
            [deficient(*shape)],
            lambda a: np.full(a.shape[:-2], k_of(a)),
            REALS,
            out="int64",
            id=f"{shape} deficient",
        )
        case(
            "pinv",
            [deficient(*shape)],
            lambda a: np.linalg.pinv(a, rcond=1e-10),
            ("float64", "complex128"),
            id=f"{shape} deficient",
            tol=1e-8,
            why="the condition of the matrix",
        )
    if k:
        case(
            "cond",
            [Made(shape, make=lambda a, s=shape: a + 3 * np.eye(*s[-2:]))],
            np.linalg.cond,
            FLOATS + COMPLEX if few else FEW,
            out=real_of,
            id=str(shape),
            tol={"float32": 1e-4, "complex64": 1e-4, "float64": 1e-11, "complex128": 1e-11},
            why="the condition of the matrix",
        )
    for order in (
        ("fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2)
        if shape not in ((4, 4), (2, 2, 3, 5), (6, 1), (33, 60))
        else ()
    ):
        if k or order in ("fro", "nuc", np.inf, 1, 2):
            for keepdims in (False, True) if shape in ((3, 5), (2, 5, 3), (0, 3)) else (False,):
                case(
                    "matrix_norm",
                    [A(shape)],
                    lambda a, ord, keepdims: matrix_norm(a, ord, keepdims),
                    FLOATS + COMPLEX
                    if shape in ((3, 5), (2, 5, 3))
                    else FEW
                    if k
                    else ("float32",),
                    out=real_of,
                    ord=order,
                    keepdims=keepdims,
                    id=f"{shape} {order} {keepdims}",
                    tol={
                        "float32": 1e-4,
                        "complex64": 1e-4,
                        "float64": 1e-11,
                        "complex128": 1e-11,
                        "float16": 4e-3,
                    }
                    if order == -2
                    else None,
                    why="the smallest singular value is off by the largest one's rounding",
                )


def k_of(a):  # for matrices whose last column equals the first
    return min(a.shape[-2], a.shape[-1] - 1)


def matrix_norm(a, order, keepdims):
    if a.size == 0 and 0 in a.shape[-2:]:
        return np.zeros(a.shape[:-2] + ((1, 1) if keepdims else ()))
    return np.linalg.matrix_norm(a, ord=order, keepdims=keepdims)


case(
    "matrix_norm",
    [A((3, 4))],
    lambda a, ord: np.linalg.norm(a, ord),
    ("int32", "uint8"),
    out="float32",
    ord=1,
    id="integers",
)
case(
    "matrix_norm",
    [A((3, 4))],
    lambda a, ord: np.linalg.norm(a, np.inf),
    REALS,
    ord="inf",
    id="inf by name",
)
case(
    "matrix_norm",
    [A((3, 4))],
    lambda a, ord: np.linalg.norm(a, -1),
    REALS,
    ord="-1",
    id="-1 by name",
)
case(
    "matrix_rank",
    [A((4, 3))],
    lambda a, rtol: np.linalg.matrix_rank(a, rtol=rtol),
    REALS,
    out="int64",
    rtol=0.5,
    id="rtol",
)
case(
    "matrix_rank",
    [A((4, 3), values=[0])],
    np.linalg.matrix_rank,
    FLOATS + ("int32",),
    out="int64",
    id="zero",
)
case(
    "matrix_rank",
    [A((3, 3), values=[1, 2, 3, 2, 4, 6, 0, 1, 0])],
    np.linalg.matrix_rank,
    FLOATS + ("int32", "uint8"),
    out="int64",
    id="two",
)
case(
    "pinv",
    [A((4, 3))],
    lambda a, rtol: np.linalg.pinv(a, rcond=rtol),
    REALS,
    rtol=0.5,
    id="rtol",
    tol={"float32": 2e-5},
    why="the condition of the matrix",
)
case("cond", [A((2, 2), values=[0])], lambda a: np.float64(np.inf), FLOATS, id="zero")
case(
    "svdvals",
    [A((3, 4))],
    lambda a: np.linalg.svd(a.astype(np.float64), compute_uv=False),
    ("int32", "uint8"),
    out="float32",
    id="integers",
)

# ---- Solving ----
TIGHT = {"float32": 2e-5, "complex64": 2e-5}
for a, b in (
    ((4, 4), (4,)),
    ((4, 4), (4, 3)),
    ((2, 4, 4), (4, 3)),
    ((4, 4), (2, 4, 3)),
    ((2, 4, 4), (4,)),
    ((2, 1, 3, 3), (5, 3, 2)),
    ((3, 3), (3, 3)),
    ((0, 0), (0,)),
    ((0, 0), (0, 2)),
    ((3, 3), (3, 0)),
    ((0, 3, 3), (3, 2)),
    ((1, 1), (1,)),
    ((40, 40), (40, 7)),
    ((3, 2, 2), (2, 2)),
):
    kinds = FLOATS + COMPLEX if len(a) < 3 else FEW
    case(
        "solve",
        [square(*a), A(b)],
        np.linalg.solve,
        kinds,
        id=f"{a}{b}",
        tol=TIGHT,
        why="the condition of the matrix",
    )
    case(
        "solve",
        [square(*a), A(b)],
        np.linalg.solve,
        ("int32", "uint8"),
        out="float32",
        id=f"{a}{b} integers",
    ) if a[-1] < 9 else None
    for upper in (False, True):
        for unit in (False, True) if len(b) == 2 else (False,):
            for turned in (False, True):

                def solution(a, b, upper, unit_diagonal, transposed):
                    t = triangle(a, not upper)
                    t = t - np.eye(a.shape[-1]) * t + np.eye(a.shape[-1]) if unit_diagonal else t
                    return np.linalg.solve(np.swapaxes(t, -1, -2) if transposed else t, b)

                strong = Made(
                    a, -0.5, 0.5, make=lambda x, n=a[-1]: x / max(1, np.sqrt(n)) + 2 * np.eye(n)
                )
                case(
                    "solve_triangular",
                    [strong, A(b)],
                    solution,
                    kinds if not unit and a == (4, 4) else FEW,
                    upper=upper,
                    unit_diagonal=unit,
                    transposed=turned,
                    id=f"{a}{b}{upper}{unit}{turned}",
                    tol=TIGHT,
                    why="the condition of the matrix",
                )
case(
    "solve",
    [A((2, 2, 2), values=[np.nan, 1, 2, 3, 1, 2, 3, 5]), A((2,), values=[1, 2])],
    None,
    REALS,
    id="nan",
    check=lambda got, args, d: spreads(got[0], np.linalg.solve(wide(args[0])[1], wide(args[1])), d),
)
LEAST = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float64": 1e-11,
    "complex128": 1e-11,
}
for a, b in (
    ((5, 3), (5,)),
    ((5, 3), (5, 2)),
    ((3, 5), (3, 2)),
    ((4, 4), (4,)),
    ((40, 7), (40, 3)),
    ((3, 3), (3, 0)),
):
    case(
        "lstsq",
        [Made(a, -1, 1, make=lambda x, s=a: x + 3 * np.eye(*s)), A(b)],
        lambda x, y: [*np.linalg.lstsq(x, y)],
        FLOATS + COMPLEX,
        out=[None, real_of, "int64", real_of],
        id=f"{a}{b}",
        tol=LEAST,
        why="the condition of the matrix",
    )
case(
    "lstsq",
    [deficient(5, 3), A((5,))],
    lambda x, y: [*np.linalg.lstsq(x, y, rcond=1e-10)],
    ("float64", "complex128"),
    out=[None, real_of, "int64", real_of],
    id="deficient",
    tol=1e-9,
    why="the condition of the matrix",
)
case(
    "lstsq",
    [A((5, 3)), A((5,))],
    lambda x, y, rcond: [*np.linalg.lstsq(x, y, rcond)],
    REALS,
    out=[None, None, "int64", None],
    rcond=0.7,
    id="rcond",
    tol=LEAST,
    why="the condition of the matrix",
)
case(
    "lstsq",
    [square(4, 4), A((4,))],
    lambda x, y: [*np.linalg.lstsq(x, y)],
    ("int32",),
    out=["float32", "float32", "int64", "float32"],
    id="integers",
    tol=LEAST,
    why="the condition of the matrix",
)
for a, b in (((0, 3), (0,)), ((3, 0), (3, 2))):
    case(
        "lstsq",
        [A(a), A(b)],
        lambda x, y: [np.zeros(x.shape[1:] + y.shape[1:]), np.zeros(0), np.int64(0), np.zeros(0)],
        REALS,
        out=[None, None, "int64", None],
        id=f"{a}{b}",
    )

# ---- Norms of vectors ----
for order in (2, 1, 0, 3, 0.5, -1, -2, np.inf, -np.inf):
    for shape, axis in (
        ((3, 4), None),
        ((3, 4), 0),
        ((3, 4), -1),
        ((2, 3, 4), [0, 2]),
        ((5,), None),
        ((40, 300), 1),
    ):
        for keepdims in (False, True) if order in (2, 0) else (False,):
            case(
                "vector_norm",
                [A(shape, 0.5, 2)],
                lambda x, axis, keepdims, ord: np.linalg.vector_norm(
                    x,
                    axis=tuple(axis) if isinstance(axis, list) else axis,
                    keepdims=keepdims,
                    ord=ord,
                ),
                FLOATS + COMPLEX if axis in (0,) else FEW,
                out=real_of,
                axis=axis,
                keepdims=keepdims,
                ord=order,
                id=f"{shape} {axis} {order} {keepdims}",
            )
    case(
        "vector_norm",
        [A((7,), 1, 9)],
        lambda x, ord: np.linalg.vector_norm(x.astype(np.float64), ord=ord),
        ("int8", "uint32"),
        out="float32",
        ord=order,
        id=f"integers {order}",
    )
    if order != -np.inf and order >= 0:
        case(
            "vector_norm",
            [A((0,))],
            lambda x, ord: np.float64(0),
            REALS,
            ord=order,
            id=f"empty {order}",
        )
    case(
        "vector_norm",
        [A((0, 3))],
        lambda x, ord, axis: np.zeros(0),
        REALS,
        ord=order,
        axis=1,
        id=f"no lines {order}",
    )
    case(
        "vector_norm",
        [A((4,), values=[1, np.nan, -np.inf, 2])],
        lambda x, ord: np.linalg.vector_norm(x, ord=ord),
        FLOATS,
        ord=order,
        id=f"nan {order}",
    )
    case(
        "vector_norm",
        [A((4,), values=[1, -np.inf, 0.5, 2])],
        lambda x, ord: np.linalg.vector_norm(x, ord=ord),
        FLOATS,
        ord=order,
        id=f"inf {order}",
    )
case(
    "vector_norm",
    [A((4,), values=[300.0])],
    np.linalg.vector_norm,
    ("float16",),
    id="squares past float16",
)
case(
    "vector_norm",
    [A((6,), values=[-2, 0, 3, 0, np.nan, -0.0])],
    lambda x, ord: np.linalg.vector_norm(x, ord=0),
    FLOATS,
    ord=0,
    id="zeros",
)
case(
    "vector_norm",
    [A((6,), values=[-128, 5])],
    lambda x: np.linalg.vector_norm(x.astype(float)),
    ("int8",),
    out="float32",
    id="lowest",
)
for k in (
    dict(),
    dict(ord=np.inf),
    dict(ord=1),
    dict(ord=2),
    dict(ord="fro"),
    dict(ord="nuc"),
    dict(axis=1),
    dict(ord=3, axis=1),
    dict(axis=0, keepdims=True),
    dict(ord=1, axis=[1, 0]),
    dict(ord=1, axis=[0, 1], keepdims=True),
    dict(axis=[0, 1]),
    dict(ord=-np.inf, axis=[0, 1]),
    dict(ord=0, axis=0),
    dict(keepdims=True),
):
    case(
        "norm",
        [A((3, 4))],
        lambda x, **k: np.linalg.norm(
            x, **{a: tuple(v) if isinstance(v, list) else v for a, v in k.items()}
        ),
        FLOATS + COMPLEX,
        out=real_of,
        id=str(k),
        **k,
    )
case(
    "norm",
    [A((2, 3, 4))],
    lambda x: np.linalg.norm(x.ravel()),
    FLOATS + COMPLEX,
    out=real_of,
    id="all",
)
case(
    "norm",
    [A((2, 3, 4))],
    lambda x, ord, axis: np.linalg.norm(x, ord, tuple(axis)),
    REALS,
    ord="nuc",
    axis=[2, 0],
    id="nuc over axes",
)
case(
    "norm",
    [A((2, 3, 4))],
    lambda x, ord, axis, keepdims: np.linalg.norm(x, ord, tuple(axis), keepdims),
    REALS,
    ord=1,
    axis=[2, 0],
    keepdims=True,
    id="1 over axes",
)
case("norm", [A((5,))], lambda x, ord: np.linalg.norm(x, ord), REALS, ord=np.inf, id="vector")
case("norm", [A((0,))], lambda x: np.float64(0), REALS, id="empty")
case(
    "norm",
    [A((3, 4))],
    lambda x: np.linalg.norm(x.astype(np.float64)),
    ("int32", "uint8"),
    out="float32",
    id="integers",
)

for shape, gain in (((4, 6), 1.0), ((6, 2, 2), 2.0), ((5, 5), 0.5), ((64, 32), 1.0), ((0, 3), 1.0)):

    def check(got, args, dtype, shape=shape, gain=gain):
        q = got[0]
        dtypes_are(got, "float32")
        assert q.shape == shape, f"shape {q.shape}"
        if q.size:
            q = wide(q).reshape(shape[0], -1)
            is_unitary((q if q.shape[0] >= q.shape[1] else q.T) / gain, 1e-5, "the matrix")

    case("orthogonal", [list(shape)], None, ("float32",), check=check, gain=gain, id=str(shape))
    case(
        "orthogonal",
        [list(shape)],
        None,
        ("float32",),
        check=check,
        gain=gain,
        seed=7,
        id=f"{shape} seeded",
    )
