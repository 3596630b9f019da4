"""EmberTensor: its attributes and Python's protocols."""

import copy
import gc
import multiprocessing
import operator
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import ember_ml as em
from ember_ml import errors

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def same(t, a):
    a = np.asarray(a)
    assert t.shape == a.shape and str(t.dtype) == a.dtype.name, (
        f"{t.dtype}{t.shape} for {a.dtype}{a.shape}"
    )
    assert np.array_equal(np.asarray(t), a, equal_nan=a.dtype.kind in "fc")


BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]


@pytest.mark.parametrize("name", BINARY)
def test_arithmetic_operators_are_numpys(name, engine):
    op, a, b = getattr(operator, name), X + 1, np.float32(2.5) + X[::-1].copy()
    for left, right in ((a, b), (a, 2.5), (2.5, a)):
        e = [em.asarray(v) if isinstance(v, np.ndarray) else v for v in (left, right)]
        got, want = op(*e), op(left, right).astype(np.float32)
        assert got.backend == engine and got.dtype == "float32"
        np.testing.assert_allclose(np.asarray(got), want, rtol=2e-6)
    t = em.asarray(a)
    alias = t
    t = getattr(operator, "i" + name)(t, 2)
    assert t is alias
    np.testing.assert_allclose(np.asarray(t), op(a, np.float32(2)), rtol=2e-6)


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "lshift", "rshift"])
def test_bit_operators_are_numpys(name):
    op, a, b = getattr(operator, name), np.array([5, 9, 12]), np.array([1, 2, 3])
    same(op(em.asarray(a), em.asarray(b)), op(a, b))
    same(op(em.asarray(a), 3), op(a, 3))
    same(op(6, em.asarray(b)), op(6, b))
    t = em.asarray(a)
    t = getattr(operator, "i" + name.rstrip("_"))(t, 2)
    same(t, op(a, 2))


def test_comparisons_and_unary_operators():
    a, t = X - 5, em.asarray(X - 5)
    for op in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
        same(op(t, 1), op(a, 1))
        same(op(1, t), op(1, a))
    same(-t, -a), same(+t, a), same(abs(t), abs(a)), same(~em.asarray([True, False]), [False, True])
    q, r = divmod(t, 2)
    same(q, a // 2), same(r, a % 2)
    same(t @ t.T, a @ a.T)
    m = em.asarray(np.eye(4, dtype=np.float32))
    m @= m
    same(m, np.eye(4, dtype=np.float32))


def test_numpy_arrays_and_lists_as_operands():
    same(X + em.asarray(X), X + X)
    same(em.asarray(X) * X, X * X)
    same(em.asarray([1, 2]) + [3, 4], np.array([4, 6]))
    same(np.float32(2) * em.asarray(X), 2 * X)


def test_foreign_objects_are_refused_or_unequal():
    t = em.ones(3)
    for other in (None, "a", object(), {}):
        assert (t == other) is False and (t != other) is True
        with pytest.raises(TypeError):
            t + other
    with pytest.raises(TypeError):
        hash(t)


def test_scalars_do_not_widen():
    assert (em.ones(2, dtype="float16") + 0.1).dtype == "float16"
    assert (em.ones(2, dtype="int8") + 1).dtype == "int8"
    assert (em.ones(2, dtype="int8") + 0.5).dtype == "float32"
    assert (em.ones(2) + 1j).dtype == "complex64"
    with pytest.raises(ValueError):
        em.ones(2, dtype="uint8") + 300
    assert complex((em.asarray([1j], dtype="complex128") * 0.1j)[0]) == 0.1j * 1j


def test_the_default_dtype_is_that_of_the_moment():
    em.set_default_dtype("float64")
    try:
        made = [
            em.ones(2),
            em.zeros(2),
            em.eye(2),
            em.linspace(0, 1, 3),
            em.random_normal((2,)),
            em.asarray([1.0]),
            em.asarray([1, 2]) / 2,
        ]
    finally:
        em.set_default_dtype("float32")
    assert all(t.dtype == "float64" for t in made) and em.ones(2).dtype == "float32"


def test_in_place_never_changes_dtype_or_shape():
    t = em.ones(3)
    with pytest.raises(TypeError):
        t += em.ones(3, dtype="complex64")
    with pytest.raises(ValueError):
        t += em.ones((2, 3))
    same(t, np.ones(3, np.float32))


INDICES = [
    "0",
    "-1",
    "1:3",
    "::-1",
    "..., 1",
    "None",
    "1, 2",
    "[0, 2]",
    "[0, 2], [1, 3]",
    "X > 4",
    "[True, False, True]",
    ":, [1, 1, 0]",
    "()",
    "np.array([2, 0])",
    "slice(None), None, 2",
    "True",
    "[]",
    "np.int64(1), 1:",
    "-3, ::2",
    "1:1",
]


@pytest.mark.parametrize("text", INDICES)
def test_indexing_is_numpys(text, engine):
    key = eval(f"np.s_[{text}]")
    same(em.asarray(X)[tensors(key)], X[key])


def tensors(key):
    if isinstance(key, tuple):
        return tuple(tensors(k) for k in key)
    return em.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("text", ["0", "1:3", "..., 1", "1, 2", "[0, 2]", "X > 4", "::-1, ::2"])
def test_assignment_is_numpys(text, engine):
    key = eval(f"np.s_[{text}]")
    t, a = em.asarray(X), X.copy()
    t[tensors(key)] = 7
    a[key] = 7
    same(t, a)
    t[tensors(key)] = em.asarray(a[key]) * 2
    a[key] *= 2
    same(t, a)


def test_assignment_leaves_views_and_copies_alone():
    t = em.asarray(X)
    row, other = t[0], copy.copy(t)
    t[0] = 0
    same(row, X[0]), same(other, X)


@pytest.mark.parametrize(
    "key,error",
    [
        (3, IndexError),
        (-4, IndexError),
        ((0, 4), IndexError),
        (1.5, IndexError),
        ("a", IndexError),
        ((0, 0, 0), IndexError),
        ([5], IndexError),
        (slice(None, None, 0), ValueError),
        (2**70, IndexError),
        (object(), IndexError),
    ],
)
def test_bad_indices(key, error):
    with pytest.raises(error):
        em.asarray(X)[key].eval()
    with pytest.raises(error):
        t = em.asarray(X)
        t[key] = 1
        t.eval()


def test_deleting_an_element_is_refused():
    with pytest.raises(TypeError):
        del em.ones(3)[0]


def test_tensors_convert_to_python_numbers():
    assert (
        float(em.asarray(1.5)) == 1.5
        and int(em.asarray(7)) == 7
        and complex(em.asarray(1 + 2j)) == 1 + 2j
    )
    assert em.asarray(2**64 - 1).item() == 2**64 - 1 and em.asarray(2**64 - 1).dtype == "uint64"
    assert bool(em.asarray([True])) and not em.asarray(0.0)
    assert [10, 20, 30][em.asarray(1)] == 20
    for bad in (em.ones(2), em.ones(0)):
        for f in (bool, float, int, complex):
            with pytest.raises(ValueError):
                f(bad)
    with pytest.raises(TypeError):
        [1, 2][em.asarray(1.0)]
    assert (
        em.asarray(X).tolist() == X.tolist()
        and em.asarray(2.5).tolist() == 2.5
        and em.zeros((2, 0)).tolist() == [[], []]
    )
    assert f"{em.asarray(3.14159):.2f}" == "3.14"


def test_sequence_protocol():
    t = em.asarray(X)
    assert len(t) == 3 and 5 in t and 99 not in t and "a" not in t
    rows = list(t)
    assert all(isinstance(r, em.EmberTensor) for r in rows)
    for r, a in zip(rows, X):
        same(r, a)
    for f in (len, iter):
        with pytest.raises(TypeError):
            f(em.asarray(1.0))


def test_iteration_keeps_what_a_tensor_is(engine):
    t = em.EmberTensor(X, dtype="float64", requires_grad=True)
    for r in t:
        assert (r.dtype, r.device, r.requires_grad, r.backend) == (t.dtype, t.device, True, engine)


def test_repr_is_numpys_with_dtype_device_and_backend():
    assert repr(em.asarray(X)) == repr(X).replace("array(", "tensor(").replace("\n", "\n ").replace(
        ", dtype=float32)", ", dtype=float32, device='cpu', backend='native')"
    )
    assert repr(em.asarray(True)) == "tensor(True, dtype=bool, device='cpu', backend='native')"
    assert "requires_grad=True" in repr(em.EmberTensor([1.0], requires_grad=True))
    assert "shape=(0, 3)" in repr(em.zeros((0, 3)))
    assert str(em.asarray(X)) == str(X)
    assert "..." in repr(em.zeros(5000))


def test_html_does_not_evaluate_what_is_huge():
    huge = em.zeros((2048, 2048)) + 1
    assert "not evaluated" in huge._repr_html_() and not huge.evaluated
    small = em.asarray([1.0]) < 2
    assert "True" in small._repr_html_() and small.evaluated


def test_properties():
    t = em.EmberTensor([[1, 2]], dtype=em.int16)
    assert (t.shape, t.ndim, t.size, t.nbytes, t.dtype, t.device, t.backend, t.requires_grad) == (
        (1, 2),
        2,
        2,
        4,
        em.int16,
        "cpu",
        "native",
        False,
    )
    assert (t._dtype, t._device, t._backend, t._requires_grad) == (em.int16, "cpu", "native", False)
    assert t.T.shape == (2, 1) and em.ones((2, 3, 4)).mT.shape == (2, 4, 3)
    with pytest.raises(ValueError):
        em.ones(3).T
    assert (
        em.EmberTensor().shape == (0,)
        and em.EmberTensor(dtype=lambda: "float64").dtype == "float64"
    )


def test_methods_of_creation_inherit(engine):
    t = em.EmberTensor([1.0, 2.0], dtype="float64", requires_grad=True)
    with em.using_backend("native" if engine == "numpy" else "numpy"):
        z = t.zeros((2, 3))
    assert (z.dtype, z.backend, z.requires_grad, z.shape) == ("float64", engine, True, (2, 3))
    assert t.ones(2, dtype="int32").dtype == "int32"


def test_convert_to_tensor_gives_the_same_object_where_nothing_changes():
    t = em.ones(3)
    assert (
        em.convert_to_tensor(t) is t and em.convert_to_tensor(t, dtype="float32", device="cpu") is t
    )
    assert em.convert_to_tensor(t, dtype="float64").dtype == "float64"
    assert em.convert_to_tensor(t, requires_grad=True).requires_grad and not t.requires_grad


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint64", "float16", "bfloat16", "float32", "complex128"]
)
def test_pickle_keeps_everything(dtype, engine):
    t = em.asarray([0, 1, 1], dtype=dtype)
    if dtype in ("float32", "float16"):
        t = em.EmberTensor(t, requires_grad=True)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        u = pickle.loads(pickle.dumps(t, protocol))
        assert (u.dtype, u.shape, u.backend, u.requires_grad, u.tolist()) == (
            t.dtype,
            t.shape,
            engine,
            t.requires_grad,
            t.tolist(),
        )
    assert em.get_backend() == engine


def test_pickle_of_a_missing_backend_warns_and_restores():
    state = em.asarray([1.0, 2.0]).__getstate__()
    assert set(state) == {"tensor_data", "dtype", "device", "requires_grad", "backend"}
    state["backend"] = "cuda"
    t = em.EmberTensor.__new__(em.EmberTensor)
    with pytest.warns(RuntimeWarning, match="cuda"):
        t.__setstate__(state)
    assert t.tolist() == [1.0, 2.0] and t.backend == "native"


def test_old_states_with_plain_data_load():
    t = em.EmberTensor.__new__(em.EmberTensor)
    t.__setstate__(
        {
            "tensor_data": [[1, 2], [3, 4]],
            "dtype": "float32",
            "device": "cpu",
            "requires_grad": True,
            "backend": "numpy",
        }
    )
    assert t.tolist() == [[1, 2], [3, 4]] and t.requires_grad and t.backend == "numpy"


def test_a_damaged_state_is_an_error():
    t = em.EmberTensor.__new__(em.EmberTensor)
    with pytest.raises(ValueError):
        t.__setstate__(
            {
                "tensor_data": ((3,), b"12"),
                "dtype": "float32",
                "device": "cpu",
                "requires_grad": False,
                "backend": "native",
            }
        )
    assert t.shape == (0,)


def test_copies():
    t = em.EmberTensor(X, requires_grad=True)
    for u in (copy.copy(t), copy.deepcopy(t)):
        assert u is not t and u.requires_grad
        u += 1
        same(t, X)
    p = em.Parameter(X)
    q = copy.deepcopy(p)
    assert isinstance(q, em.Parameter)
    q.data = X + 1
    same(p.data, X)


def test_dtypes_and_functions_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(em.float32)) is em.float32
    assert pickle.loads(pickle.dumps(em.sin)) is em.ops.sin
    assert pickle.loads(pickle.dumps(em.asarray)) is em.asarray


def double(t):
    return t * 2


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        for got, want in zip(
            pool.map(double, [em.asarray(X), em.asarray(X + 1)]), (X * 2, X * 2 + 2)
        ):
            same(got, want)


def test_dtype_equality_never_raises():
    assert (
        em.float32 == "float32"
        and em.float32 == np.float32
        and em.float32 == np.dtype("float32")
        and em.float32 != em.float64
    )
    for other in (None, 3, "x", object(), em.ones(2), [], np):
        assert (em.float32 == other) is False
    assert (
        {em.float32: 1}["float32"] == 1
        and str(em.bfloat16) == "bfloat16"
        and repr(em.int8) == "ember_ml.int8"
    )
    assert np.zeros(2, em.int16).dtype == np.int16 and np.dtype(em.bool) == np.bool_
    with pytest.raises(TypeError):
        em.zeros(3, dtype="float33")


def test_weak_references_and_subclasses():
    class Mine(em.EmberTensor):
        def hello(self):
            return self.sum()

    t = Mine([1.0, 2.0])
    t.note = "kept"
    assert float(t.hello()) == 3 and isinstance(t + 1, em.EmberTensor)
    r = weakref.ref(t)
    del t
    gc.collect()
    assert r() is None
    u = em.ones(2)
    assert weakref.ref(u)() is u


def test_import_loads_no_engine_and_no_numpy():
    code = (
        "import sys, ember_ml; assert 'numpy' not in sys.modules;"
        "maps = open('/proc/self/maps').read(); assert 'libember_' not in maps, 'an engine'; assert 'openblas' not in maps;"
        "ember_ml.ops, ember_ml.tensor, ember_ml.linalg, ember_ml.fft; assert 'numpy' not in sys.modules;"
        "assert 'libember_' not in open('/proc/self/maps').read()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_exit_with_live_tensors_is_clean(engine):
    code = f"import ember_ml as em; em.set_backend('{engine}'); x = em.ones(10) + 1; y = x.eval(); z = em.EmberTensor([1.0], requires_grad=True); (z * 2).sum().backward()"
    r = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert r.returncode == 0 and not r.stderr, r.stderr


def test_errors_are_pythons_own_too():
    with pytest.raises(ValueError, match=r"\[matmul\] inner dimensions differ") as e:
        em.ones((2, 3)) @ em.ones((2, 3))
    assert isinstance(e.value, errors.ShapeError) and isinstance(e.value, errors.Error)
    with pytest.raises(TypeError):
        em.matmul(em.ones((2, 2), dtype="float16"), em.ones((2, 2)))
    with pytest.raises(OSError):
        em.load("/nowhere/x.npy")
    with pytest.raises(RuntimeError):
        em.set_backend("cuda")
    with pytest.raises(NotImplementedError):
        raise errors.UnsupportedError("x")
    with pytest.raises(MemoryError):
        (em.zeros(2**44) + em.arange(2**44)).eval()


def test_eval_keeps_no_reference():
    y = em.ones(3) * 2
    before = sys.getrefcount(y)
    gc.disable()
    try:
        em.eval(y)
        em.eval([y, {"y": (y, None)}])
        assert sys.getrefcount(y) == before and y.evaluated
    finally:
        gc.enable()
    with pytest.raises(TypeError, match="takes tensors"):
        em.eval(y, 3.0)


class Foreign:
    """As in torch: __index__ for tensors of one integer, and __dlpack__."""

    def __init__(self, array):
        self.array, self.ndim, self.dtype = array, array.ndim, array.dtype

    def __index__(self):
        return self.array.__index__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


MASK = np.arange(12).reshape(3, 4) % 5 > 1
INDICES = {
    "vector": np.array([2, 0]),
    "matrix": np.array([[0, 1], [2, 2]]),
    "unsigned": np.array([1, 2], dtype=np.uint8),
    "mask": MASK,
    "row mask": np.array([True, False, True]),
    "column mask": (slice(None), np.array([True, False, True, True])),
    "two": (np.array([0, 1]), np.array([3, 1])),
    "beside a slice": (slice(1, 3), np.array([3, 1])),
    "behind an ellipsis": (..., np.array([[0, 1], [1, 0]])),
    "with a new axis": (np.array([0, 2]), ..., None, np.array([1, 1])),
    "grid": np.ix_([0, 2], [1, 3]),
    "integer": np.int64(1),
    "0-d": np.array(1),
    "0-d mask": np.array(True),
    "numpy's bool": np.True_,
    "list": [0, 2],
    "list and slice": ([0, 2], slice(1, 3)),
    "tuple inside": ((0, 2),),
    "range": range(2),
    "empty": np.array([], dtype=np.int64),
    "list of numpy's": [np.int64(2), np.int64(0)],
}


@pytest.mark.parametrize("name", INDICES)
def test_arrays_are_indices(engine, name):
    index = INDICES[name]
    array = np.arange(12.0).reshape(3, 4)
    x = em.asarray(array)
    assert x[index].shape == array[index].shape and x[index].tolist() == array[index].tolist()
    if isinstance(index, np.ndarray):
        assert x[Foreign(index)].tolist() == array[index].tolist()
    x[index] = -array[index]
    array[index] = -array[index]
    assert x.tolist() == array.tolist()
    x[index] = 7
    array[index] = 7
    assert x.tolist() == array.tolist()


def test_arrays_of_other_numbers_are_no_indices():
    with pytest.raises(TypeError, match="integers"):
        em.arange(3)[np.array([0.5])]
    with pytest.raises(IndexError, match="out of range"):
        em.arange(3)[np.array([3])].tolist()
    with pytest.raises(TypeError, match="axis.*integer"):
        em.ones((2, 2)).sum(em.ones((2, 2), dtype="int32") * 1.5)


def test_numpys_scalars_keep_their_precision():
    for value, dtype in (
        (np.float64(0.1), "float64"),
        (np.complex128(0.1j), "complex128"),
        (np.float32(0.5), "float32"),
        (np.int8(5), "int8"),
        (0.1, "float32"),
    ):
        for t in (em.asarray(value), em.asarray([value]), em.asarray([[value], [value]])):
            assert (
                t.dtype == dtype and t.flatten()[0].item() == np.asarray(value, dtype=dtype).item()
            )
    assert (
        em.asarray([np.float64(0.1), 2]).dtype == "float64"
        and em.asarray(np.float64(0.1), dtype="float32").dtype == "float32"
    )
    assert (em.ones(2) * np.float64(2)).dtype == "float32"  # in arithmetic it is a Python float


def test_formats_and_rounding():
    x = em.asarray(1.5678)
    assert f"{x:.2f}" == "1.57" and f"{em.asarray(7):05d}" == "00007" and f"{x}" == str(x)
    assert (round(x), round(x, 2)) == (2, 1.57) and isinstance(round(x), int)
    assert round(em.asarray([1.26, 2.5]), 1).tolist() == pytest.approx([1.3, 2.5])
    with pytest.raises(TypeError, match=r"\[format\].*0-d"):
        f"{em.ones(2):.2f}"
    with pytest.raises(ValueError):
        f"{em.asarray(7.5):d}"
    assert (int(x), float(em.asarray(2)), complex(em.asarray(1j)), [1, 2, 3][em.asarray(1)]) == (
        1,
        2.0,
        1j,
        2,
    )


def test_dtypes_say_their_kind():
    for dtype in (
        em.bool,
        em.int8,
        em.int64,
        em.uint16,
        em.float16,
        em.float32,
        em.float64,
        em.complex64,
        em.complex128,
    ):
        theirs = np.dtype(dtype.name)
        assert (dtype.kind, dtype.char, dtype.itemsize) == (
            theirs.kind,
            theirs.char,
            theirs.itemsize,
        )
    assert (
        em.bfloat16.kind == "f"
        and em.bfloat16.is_floating_point
        and em.complex64.is_complex
        and not em.int8.is_floating_point
    )


def test_tensors_have_the_methods_that_make_sense():
    methods = set(dir(em.EmberTensor))
    assert not methods & {
        "seed",
        "get_seed",
        "meshgrid",
        "random_poisson",
        "tri",
        "hann_window",
        "logspace",
        "manual_seed",
        "orthogonal",
    }
    assert {
        "zeros",
        "ones",
        "full",
        "eye",
        "arange",
        "linspace",
        "add",
        "matmul",
        "dot",
        "eq",
        "outer",
        "maximum",
    } <= methods


def test_where_of_one_argument(engine):
    x = em.asarray([[1, 0], [0, 2]])
    assert (
        [i.tolist() for i in em.where(x > 0)]
        == [[0, 1], [0, 1]]
        == [i.tolist() for i in np.where(np.asarray(x) > 0)]
    )


def test_keywords_that_ask_for_nothing():
    x = em.asarray([[3.0, 1.0], [2.0, 4.0]])
    assert x.sum(axis=0, dtype=None, out=None).tolist() == [5, 5] and x.reshape(
        (4,), order="C"
    ).shape == (4,)
    assert (
        x.argsort(axis=-1, kind="stable", order=None).tolist() == [[1, 0], [0, 1]]
        and em.zeros(2, requires_grad=True).requires_grad
    )
    with pytest.raises(TypeError, match="out="):
        x.sum(out=x)
    with pytest.raises(TypeError, match=r"\[sum\] has no argument 'wrong': \(x, axis"):
        x.sum(wrong=None)


def test_keywords_made_at_run_time():
    x = em.asarray([[3.0, 1.0], [2.0, 4.0]])
    for name in ("axis", "dim"):  # "".join gives a string of its own, which is not interned
        assert em.sum(x, **{"".join(name): 0}).tolist() == [5, 5]
    with pytest.raises(TypeError, match=r"\[sum\] argument 'axis' is given twice"):
        em.sum(x, 0, axis=0)
    with pytest.raises(TypeError, match=r"\[sum\] argument 'dim' is given twice"):
        em.sum(x, axis=0, dim=0)
    with pytest.raises(TypeError, match=r"\[reshape\] argument 'shape' is missing"):
        em.reshape(x)
    with pytest.raises(TypeError, match=r"\[sum\] argument 'keepdims' must be a bool, not"):
        em.sum(x, keepdims=None)


@pytest.mark.parametrize(
    "dtype, other",
    [
        ("float32", "float64"),
        ("float16", "float32"),
        ("complex64", "complex128"),
        ("int32", "int64"),
        ("uint8", "uint16"),
    ],
)
def test_in_place_keeps_the_dtype(engine, dtype, other):
    x, y = em.asarray([1, 2], dtype=dtype), em.asarray([3, 4], dtype=other)
    x += y
    assert x.dtype == dtype and x.tolist() == [4, 6]
    x -= y
    x *= y
    assert x.dtype == dtype and x.tolist() == [3, 8]


@pytest.mark.parametrize(
    "dtype, other",
    [("int32", "float32"), ("float32", "complex64"), ("uint8", "int16"), ("bool", "int32")],
)
def test_in_place_refuses_another_kind(dtype, other):
    x = em.asarray([1, 0], dtype=dtype)
    with pytest.raises(TypeError, match=f"in-place op cannot change the dtype from {dtype} to"):
        x += em.asarray([1, 1], dtype=other)


CHAINS = [
    "x[1][2] = 9",
    "x[0][1:3][1] = 9",
    "x[1:][:, 1:][x[1:, 1:] > 5] = 0",
    "x[1][2] += 5",
    "x[-1][0] *= 3",
    "x[np.int64(2)][1] = 7",
    "x[..., 1][2] = 9",
    "x[None][0][0] = 1",
    "x[0][[0, 2]] = 8",
    "x[1:3][0][1:][0] -= 1",
    "for i in range(3): x[i][i] = i",
    "for i in range(3):\n  for j in range(4): x[i][j] += i * j",
]


@pytest.mark.parametrize("code", CHAINS)
def test_assigning_to_a_slice_without_a_name_reaches_the_tensor(engine, code):
    expected = np.arange(12.0).reshape(3, 4)
    exec(code, {"x": expected, "np": np})
    x = em.asarray(np.arange(12.0).reshape(3, 4))
    exec(code, {"x": x, "np": np})
    same(x, expected)


def test_a_slice_with_a_name_is_a_value():
    x = em.asarray(np.arange(6.0).reshape(2, 3))
    y = x[0]
    y[1] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and y.tolist() == [0, 9, 2]
    y[1:][0] = 7
    y[2] += 1
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and y.tolist() == [0, 7, 3]
    rows = [x[0], x[1]]
    rows[0][0] = 5
    for row in x:
        row[0] = 8
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_assigning_to_copies_reaches_nobody():
    x = em.asarray(np.arange(6.0).reshape(2, 3))
    x[[0]][0] = 9  # NumPy's lists and masks copy too
    x[x > 2][0] = 9
    (x + 0)[0][1] = 9
    em.zeros((2, 2))[0][1] = 1
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_indexing_keeps_nothing_alive():
    x = em.asarray(np.arange(6.0).reshape(2, 3))
    seen = weakref.ref(x)
    assert x[0][1].item() == 1
    del x
    assert seen() is None


def test_assigning_through_a_parameter():
    w = em.Parameter(em.zeros((2, 2)))
    with em.no_grad():
        w[0][1] = 3
    assert w.tolist() == [[0, 3], [0, 0]] and w.requires_grad


def test_data_in_place_reaches_its_tensor(engine):
    w = em.Parameter(em.ones(3))
    (w * 2).sum().backward()
    w.data += 1
    w.data[0] = 5
    data = w.data
    data *= 2
    assert w.tolist() == [10, 4, 4] == data.tolist()
    assert w.requires_grad and w.grad.tolist() == [2, 2, 2]
    x = em.Tensor([1.0, 2.0], requires_grad=True)
    x.data -= 1
    assert x.tolist() == [0, 1] and x.requires_grad and x.is_leaf
    seen = weakref.ref(x)
    data = x.data
    del x
    data += 1
    assert data.tolist() == [1, 2] and seen() is not None
    del data
    assert seen() is None


def test_key_and_value_may_index_other_tensors():
    x, columns, values = em.zeros((2, 3)), em.asarray([2, 0]), em.asarray([7.0, 8.0])
    for i in range(2):
        x[i][columns[i]] = values[i] + columns[i]
    assert x.tolist() == [[0, 0, 9], [8, 0, 0]]
