"""NumPy functions that are not ops, compared with NumPy in float64."""

import numpy as np
import pytest

import ember_ml as em

RNG = np.random.default_rng(0)
V, W = RNG.normal(size=7), np.sort(RNG.normal(size=7))
M, N = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
C = RNG.normal(size=(2, 3, 4))
I, J = RNG.integers(-20, 20, size=(3, 4)), RNG.integers(1, 9, size=(3, 4))
B = M > 0
HOLES = np.where(RNG.random((3, 5)) < 0.3, np.nan, RNG.normal(size=(3, 5)))
SQUARE = RNG.normal(size=(4, 4))


def tensors(a):
    if isinstance(a, np.ndarray):
        return em.asarray(a)
    return type(a)(map(tensors, a)) if type(a) in (list, tuple) else a


def same(ours, theirs):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for o, t in zip(ours, theirs):
            same(o, t)
    elif isinstance(ours, em.EmberTensor):
        theirs = np.asarray(theirs)
        assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-9, atol=1e-11)
    else:
        assert ours == theirs


CASES = [
    ("append", V, W),
    ("append", M, N, {"axis": 1}),
    ("append", M, V),
    ("insert", V, 2, 9.0),
    ("insert", V, [1, 5, 1], [7.0, 8.0, 9.0]),
    ("insert", V, -1, [7.0, 8.0]),
    ("insert", M, 1, 5.0, {"axis": 1}),
    ("insert", M, 1, M[:, 0], {"axis": 1}),
    ("insert", M, [0, 2], M[:2], {"axis": 0}),
    ("insert", M, slice(0, 2), 3.0, {"axis": 1}),
    ("insert", M, 0, M[0], {"axis": 0}),
    ("insert", M, 2, 1.5),
    ("delete", V, 2),
    ("delete", V, [0, -1]),
    ("delete", M, slice(0, 2), {"axis": 1}),
    ("delete", M, 1, {"axis": 0}),
    ("delete", M, 5),
    ("delete", V, V > 0),
    ("block", [[M, N], [N, M]]),
    ("block", [V, W]),
    ("column_stack", [V, W]),
    ("column_stack", [M, V[:3]]),
    ("hsplit", M, 2),
    ("hsplit", V[:6], [2, 4]),
    ("vsplit", M, 3),
    ("dsplit", C, 2),
    ("fliplr", M),
    ("flipud", M),
    ("rollaxis", C, 2),
    ("rollaxis", C, 0, 3),
    ("rollaxis", C, 1, 2),
    ("resize", V, (3, 4)),
    ("resize", V, 3),
    ("identity", 3),
    ("indices", (2, 3)),
    ("diag_indices", 3),
    ("diag_indices_from", SQUARE),
    ("tril_indices_from", M),
    ("triu_indices_from", M, 1),
    ("diagflat", M[:2, :2]),
    ("diagflat", V, 1),
    ("geomspace", 1.0, 1000.0, 4),
    ("geomspace", -2.0, -32.0, 5),
    ("atleast_1d", 3.0),
    ("atleast_2d", V),
    ("atleast_3d", V),
    ("atleast_3d", M),
    ("atleast_3d", 2.0),
    ("atleast_1d", V, M),
    ("ascontiguousarray", M),
    ("apply_over_axes", np.sum, C, [0, 2]),
    ("select", [M > 1, M > 0], [M, N]),
    ("select", [M > 1, M > 0], [M, -M], 7.0),
    ("select", [np.array([False, False])], [np.array([2, 3])], -1),
    ("divmod", I, J),
    ("divmod", M, 0.3),
    ("modf", M),
    ("modf", np.array([np.inf, -np.inf, -0.5, 3.0])),
    ("frexp", M),
    ("frexp", np.array([0.0, 1.0, 0.5, -8.0, 3e300, 1e-300, np.inf])),
    ("ldexp", V, np.arange(7)),
    ("float_power", J, 2),
    ("fmax", HOLES, HOLES[:, ::-1]),
    ("fmin", HOLES, HOLES[:, ::-1]),
    ("logaddexp2", M, N),
    ("gcd", I, J),
    ("gcd", 12, I),
    ("lcm", I, J),
    ("lcm", np.array([0, 4]), np.array([0, 6])),
    ("spacing", V),
    ("isposinf", np.array([np.inf, -np.inf, 0])),
    ("isneginf", np.array([np.inf, -np.inf, 0])),
    ("isreal", M + 0j),
    ("iscomplex", np.array([1, 1j])),
    ("isreal", M),
    ("real_if_close", np.array([1 + 1e-15j])),
    ("real_if_close", np.array([1 + 1e-3j])),
    ("unwrap", np.cumsum(np.abs(V) * 3) % (2 * np.pi)),
    ("unwrap", C * 5, {"axis": 1}),
    ("unwrap", np.array([0, 1, 2, -1, 0.0]), {"period": 4}),
    ("unwrap", V * 9, {"discont": 4.0}),
    ("lexsort", (np.array([1, 0, 1, 0]), np.array([2, 2, 1, 1]))),
    ("union1d", I, J),
    ("intersect1d", I, J),
    ("intersect1d", I, J, {"return_indices": True}),
    ("setdiff1d", I, J),
    ("setxor1d", I, J),
    ("extract", B, M),
    ("compress", [True, False, True], M, {"axis": 0}),
    ("compress", [1, 0, 1, 1], M, {"axis": 1}),
    ("compress", [False, True], M),
    ("flatnonzero", I),
    ("trim_zeros", np.array([0, 0, 1, 0, 2, 0])),
    ("trim_zeros", np.array([0.0, 1, 0]), "f"),
    ("unravel_index", np.array([22, 41, 37]), (7, 6)),
    ("unravel_index", 5, (2, 3)),
    ("ravel_multi_index", (np.array([3, 6]), np.array([4, 5])), (7, 6)),
    ("ravel_multi_index", (np.array([3, 9]), np.array([-1, 5])), (7, 6), {"mode": "wrap"}),
    ("ravel_multi_index", (np.array([3, 9]), np.array([-1, 5])), (7, 6), {"mode": "clip"}),
    ("nancumsum", HOLES),
    ("nancumsum", HOLES, {"axis": 1}),
    ("nancumprod", HOLES, {"axis": 0}),
    ("nanquantile", HOLES, 0.3),
    ("nanquantile", HOLES, [0.25, 1.0], {"axis": 1}),
    ("nanpercentile", HOLES, 60, {"axis": 0}),
    ("nanpercentile", HOLES, [10, 90], {"axis": (0, 1), "keepdims": True}),
    ("ediff1d", M),
    ("ediff1d", V, {"to_begin": -1.0, "to_end": [5.0, 6.0]}),
    ("trapezoid", M),
    ("trapezoid", M, {"axis": 0, "dx": 0.5}),
    ("trapezoid", M, V[:4]),
    ("trapezoid", C, V[:3], {"axis": 1}),
    ("interp", M, W, V),
    ("interp", M * 9, W, V, {"left": -1.0, "right": 1.0}),
    ("interp", 0.5, [0, 1, 2], [3, 2, 0]),
    ("interp", V * 300, np.array([190.0, -190, 350, -350]), [5, 10, 3, 4], {"period": 360}),
    ("histogram_bin_edges", V, 4),
    ("histogram2d", V, W, 3),
    ("histogram2d", V, W, [2, 4], [[-1, 1], [-2, 2]]),
    ("histogram2d", V, W, {"bins": 2, "density": True}),
    ("histogram2d", V, W, {"bins": [np.array([-2.0, 0, 2]), np.array([-1.0, 0, 0.5, 3])]}),
    ("poly", [1.0, 2.0, -3.0]),
    ("poly", np.array([1j, -1j])),
    ("poly", np.array([[2.0, 1.0], [1.0, 3.0]])),
    ("polydiv", [1.0, -6.0, 11.0, -5.0], [1.0, -1.0]),
    ("polydiv", [2.0, 4.0], [1.0, 2.0]),
    ("polydiv", [2.0], [1.0, 2.0]),
    ("polyval", [2, 0, 1], M),
    ("polyval", V, 2.0),
    ("polyfit", W, V, 2),
    ("polyfit", W, np.stack([V, W], 1), 1),
    ("polyfit", W, V, 1, {"w": np.abs(V)}),
    ("polyder", [3, 2, 1, 4]),
    ("polyder", [3, 2, 1, 4], 2),
    ("polyint", [3.0, 2, 1]),
    ("polyadd", [1, 2, 3], [4, 5]),
    ("polysub", [1, 2, 3], [4, 5]),
    ("polymul", [1, 2, 3], [4, 5]),
    ("vdot", M, N),
    ("vdot", M + 1j * N, N - 2j * M),
    ("matvec", M, V[:4]),
    ("vecmat", V[:3], M),
    ("vecmat", V[:3] * 1j, M),
    ("array_split", V, 3),
    ("argwhere", B),
    ("rint", M * 5),
    ("fabs", M),
    ("fix", M * 3),
    ("around", M, 2),
    ("row_stack", [V, W]) if hasattr(np, "row_stack") else ("vstack", [V, W]),
    ("cumsum", M),
    ("cumprod", M),
    ("unique", I % 2, {"axis": 0}),
    (
        "unique",
        I % 2,
        {"axis": 1, "return_index": True, "return_inverse": True, "return_counts": True},
    ),
    ("cov", V, W, {"bias": True}),
    ("cov", M, {"ddof": 2}),
    ("hanning", 8),
    ("hamming", 8),
    ("blackman", 7),
    ("bartlett", 8),
    ("kaiser", 8, 5.0),
    ("histogram", V, {"bins": 4, "range": (-1, 1)}),
    ("histogram", V, {"bins": np.array([-1.0, 0.0, 0.25, 1.0])}),
    ("histogram", V, np.array([-1.0, 0.5, 1.0]), {"density": True}),
    ("unique", I, {"return_counts": True}),
    ("unique", I, {"return_inverse": True, "return_index": True}),
    ("clip", M, {"a_min": -0.5, "a_max": 0.5}),
    ("transpose", M, (1, 0)),
    ("swapaxes", C, 0, 2),
    ("broadcast_to", V, {"shape": (2, 7)}),
    ("reshape", M, {"shape": (4, 3)}),
    ("tile", V, {"reps": 2}),
    ("expand_dims", V, {"axis": 1}),
    ("take", M, [0, 2], {"axis": 0, "mode": "raise"}),
]


@pytest.mark.parametrize(
    "name,args", [pytest.param(c[0], c[1:], id=f"{c[0]}-{i}") for i, c in enumerate(CASES)]
)
def test_function_gives_what_numpys_gives(engine, name, args):
    args, more = (args[:-1], args[-1]) if isinstance(args[-1], dict) else (args, {})
    given = [em.sum if a is np.sum else tensors(a) for a in args]
    before = em.get_default_dtype()
    em.set_default_dtype("float64")
    try:
        f = getattr(em, name)
        same(
            f(*given, **{k: tensors(v) for k, v in more.items()}), getattr(np, name)(*args, **more)
        )
    finally:
        em.set_default_dtype(before)


def test_partitions_are_sorted(engine):
    assert (
        em.partition(tensors(V), 3).tolist() == sorted(V)
        and em.argpartition(tensors(M), 1, axis=None).tolist() == np.argsort(M, None).tolist()
    )


def test_roots(engine):
    for p in ([1, -6, 11, -6], [0, 0, 2, -4, 0, 0], [1, 0, 1], [5]):
        ours = sorted(
            em.roots(em.asarray(p, dtype="float64")).tolist(),
            key=lambda z: (round(z.real, 6), z.imag),
        )
        theirs = sorted(np.roots(p).astype(complex), key=lambda z: (round(z.real, 6), z.imag))
        np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_functions_of_functions(engine):
    t = tensors(C)
    same(
        em.apply_along_axis(lambda v: v.sum() * 2, 1, t),
        np.apply_along_axis(lambda v: v.sum() * 2, 1, C),
    )
    same(
        em.apply_along_axis(lambda v: v[::-1] - v[0], 0, t),
        np.apply_along_axis(lambda v: v[::-1] - v[0], 0, C),
    )
    same(em.apply_along_axis(em.diag, 1, tensors(M)), np.apply_along_axis(np.diag, 1, M))
    assert (
        em.vectorize(lambda a, b: a if a > b else b)(tensors(I), 2).tolist()
        == np.maximum(I, 2).tolist()
    )
    same(
        em.piecewise(tensors(M), [tensors(M < 0), tensors(M >= 1)], [lambda x: -x, 5.0, 2.0]),
        np.piecewise(M, [M < 0, M >= 1], [lambda x: -x, 5.0, 2.0]),
    )
    same(
        em.fromfunction(lambda i, j: i + 2 * j, (2, 3)),
        np.fromfunction(lambda i, j: i + 2 * j, (2, 3)),
    )
    assert list(em.ndenumerate(tensors(I))) == [(i, v) for i, v in np.ndenumerate(I)] and list(
        em.ndindex(2, 3)
    ) == list(np.ndindex(2, 3))


def test_indexed_objects(engine):
    same(em.mgrid[0:3, 1:5:2], np.mgrid[0:3, 1:5:2])
    same(em.mgrid[0:1:5j].astype("float64"), np.mgrid[0:1:5j])
    same(em.ogrid[0:3, 0:2], np.ogrid[0:3, 0:2])
    same(em.r_[0:3, 7, tensors(I[0])], np.r_[0:3, 7, I[0]])
    same(em.c_[tensors(V), tensors(W)], np.c_[V, W])
    same(
        tensors(M)[em.ix_([0, 2], em.asarray([True, False, True, False]))],
        M[np.ix_([0, 2], [True, False, True, False])],
    )
    assert em.s_[1:3, ..., 0] == np.s_[1:3, ..., 0]


def test_memory_and_files(tmp_path):
    assert em.frombuffer(np.arange(5, dtype="int16").tobytes(), dtype="int16").tolist() == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert em.frombuffer(bytearray(8 * 4), "float64", count=2, offset=8).tolist() == [
        0,
        0,
    ] and em.fromiter((i * i for i in range(4)), "int32").tolist() == [0, 1, 4, 9]
    with pytest.raises(ValueError, match="not a multiple"):
        em.frombuffer(b"12345", dtype="float32")
    em.savez(tmp_path / "a", em.arange(3), named=em.ones(2))
    assert {k: v.tolist() for k, v in em.load(tmp_path / "a.npz").items()} == {
        "arr_0": [0, 1, 2],
        "named": [1, 1],
    }


def test_in_place_and_kinds():
    x = em.zeros((3, 4))
    em.fill_diagonal(x, 5.0)
    a = np.zeros((3, 4))
    np.fill_diagonal(a, 5.0)
    assert x.tolist() == a.tolist()
    assert (
        em.isscalar(3)
        and em.isscalar(np.float32(1))
        and not em.isscalar(em.asarray(1))
        and not em.isscalar([1])
        and not em.isscalar(np.ones(1))
    )
    assert (
        em.iscomplexobj(em.asarray([1j]))
        and em.isrealobj([1.0])
        and em.promote_types("int8", "uint8") == "int16"
    )
    with pytest.raises(TypeError, match="integers"):
        em.gcd(em.asarray([1.5]), 2)
    with pytest.raises(ValueError, match="out of range"):
        em.unravel_index(6, (2, 3))
    with pytest.raises(IndexError, match="out of range"):
        em.delete(em.arange(3), 3)


def test_tensor_equations(engine):
    a, b = RNG.normal(size=(2, 3, 6)), RNG.normal(size=(2, 3))
    same(em.linalg.tensorsolve(tensors(a), tensors(b)), np.linalg.tensorsolve(a, b))
    same(em.linalg.tensorinv(tensors(a), ind=2), np.linalg.tensorinv(a, ind=2))
    with pytest.raises(em.linalg.LinAlgError):
        em.linalg.inv(em.zeros((2, 2))).tolist()
    positive = SQUARE @ SQUARE.T + np.eye(4)
    for lower in (True, False):
        factor = em.linalg.cholesky(tensors(positive), lower=lower)
        same(em.linalg.cho_solve((factor, lower), tensors(V[:4])), np.linalg.solve(positive, V[:4]))
    same(
        em.linalg.solve_triangular(tensors(np.triu(SQUARE)), tensors(V[:4]), lower=False),
        np.linalg.solve(np.triu(SQUARE), V[:4]),
    )


def test_gradients_pass(engine):
    x = em.asarray([0.5, 1.5], dtype="float64")
    slope = em.grad(
        lambda v: em.interp(v, [0.0, 1.0, 2.0], em.asarray([0.0, 3.0, 4.0], dtype="float64")).sum()
    )(x)
    assert slope.tolist() == pytest.approx([3, 1])
    assert em.grad(lambda v: em.polyval([1, 2, 3], v).sum())(x).tolist() == pytest.approx([3, 5])
    assert em.grad(lambda v: em.trapezoid(v * v, dx=2.0))(x).tolist() == pytest.approx([1, 3])
