"""Memory shared with other libraries in both directions, and objects that cannot be shared."""

import array
import os
import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import ember_ml as em

ROOT = pathlib.Path(__file__).parents[2]
DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


def address(a):
    return np.asarray(a).__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_both_ways(dtype, engine):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    t = em.asarray(a)
    assert t.dtype == dtype and t.shape == (2, 3) and np.array_equal(np.asarray(t), a)
    assert np.asarray(t).dtype == a.dtype
    assert np.array_equal(np.from_dlpack(t), a)
    assert np.array_equal(np.asarray(em.from_dlpack(a)), a)


def test_export_shares_read_only_memory_that_stays():
    t = em.asarray([1.0, 2.0, 3.0])
    a, m = np.asarray(t), memoryview(t)
    assert (
        address(t) == address(a)
        and m.readonly
        and m.format == "f"
        and m.shape == (3,)
        and not a.flags.writeable
    )
    with pytest.raises(ValueError):
        a[0] = 5
    t += 1
    assert a.tolist() == [1, 2, 3] and t.tolist() == [2, 3, 4]
    del t
    assert a.tolist() == [1, 2, 3] and m.tolist() == [1, 2, 3]


def test_import_copies_unless_asked_to_share():
    a = np.ones(4, np.float32)
    copied, shared, by_dlpack = (
        em.asarray(a),
        em.asarray(a, copy=False),
        em.from_dlpack(a, copy=False),
    )
    a[:] = 7
    assert copied.tolist() == [1] * 4
    assert address(shared) == a.ctypes.data == address(by_dlpack)
    with pytest.raises(ValueError):
        em.asarray([1, 2], copy=False)
    with pytest.raises(ValueError):
        em.asarray(a, dtype="float64", copy=False)


def test_a_shared_array_lives_as_long_as_the_tensor():
    t = em.asarray(np.arange(1000.0), copy=False)
    u = t[10:20] + 1
    del t
    assert u.tolist() == [float(i) for i in range(11, 21)]


@pytest.mark.parametrize(
    "make",
    [
        lambda a: a[::-1],
        lambda a: a[:, ::2],
        lambda a: a.T,
        lambda a: a[1:1],
        lambda a: np.broadcast_to(a[0], (3, 4)),
        np.asfortranarray,
    ],
)
@pytest.mark.parametrize("copy", [None, False])
def test_strided_arrays(make, copy):
    a = make(np.arange(12.0).reshape(3, 4))
    assert np.array_equal(np.asarray(em.asarray(a, copy=copy)), a)
    if copy is None:
        assert np.array_equal(np.asarray(em.from_dlpack(a)), a)


def test_foreign_byte_order_and_misalignment():
    a = np.array([1.5, -2.5], ">f4")
    assert em.asarray(a).tolist() == [1.5, -2.5]
    assert em.asarray(np.array([1 + 2j], ">c16")).tolist() == [1 + 2j]
    b = np.frombuffer(b"\0" + np.array([1.0, 2.0]).tobytes(), np.float64, offset=1)
    assert em.asarray(b).tolist() == [1.0, 2.0]
    for x in (a, b):
        with pytest.raises(ValueError):
            em.asarray(x, copy=False)


def test_bfloat16_and_four_bits():
    t = em.asarray(np.array([1.5, 2.5], ml_dtypes.bfloat16))
    assert t.dtype == "bfloat16" and t.tolist() == [1.5, 2.5]
    with pytest.raises(TypeError, match="cast"):
        np.asarray(t)
    with pytest.raises(BufferError, match="cast"):
        memoryview(t)
    four = em.asarray(np.array([-8, 7], ml_dtypes.int4))
    assert four.dtype == "int4" and four.tolist() == [-8, 7]
    with pytest.raises(TypeError):
        em.asarray(np.array([1.0], ml_dtypes.float8_e4m3fn))


def test_buffers_of_the_standard_library():
    assert em.asarray(array.array("i", [1, 2])).dtype == "int32"
    assert em.asarray(memoryview(b"abc")).tolist() == [97, 98, 99]
    assert em.asarray(range(3)).tolist() == [0, 1, 2]
    assert bytes(memoryview(em.asarray([1, 2], dtype="int8")).cast("B")) == b"\1\2"


def test_numpy_functions_take_tensors():
    t = em.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert np.sin(t).shape == (2, 2) and np.linalg.det(t) == pytest.approx(-2)
    assert np.asarray(t, dtype=np.float64).dtype == np.float64
    assert np.array(t).flags.writeable


def test_broadcast_elements_are_exported_apart():
    t = em.ones((2, 3))
    assert np.from_dlpack(t).strides == (12, 4) and np.asarray(t).strides == (12, 4)


def test_jax_both_ways():
    jnp = pytest.importorskip("jax.numpy")
    assert jnp.from_dlpack(em.ones(3)).tolist() == jnp.asarray(em.ones(3)).tolist() == [1, 1, 1]
    t = em.asarray(np.arange(64, dtype=np.float32))
    j = jnp.from_dlpack(t)
    assert j.tolist() == t.tolist() and j.unsafe_buffer_pointer() == address(t)
    back = em.from_dlpack(j, copy=False)
    assert back.tolist() == t.tolist() and address(back) == address(t)
    assert em.asarray(j).tolist() == t.tolist()


def test_mlx_both_ways():
    mx = pytest.importorskip("mlx.core")
    t = em.asarray([[1.0, 2.0], [3.0, 4.0]])
    m = mx.array(t)
    assert m.dtype == mx.float32 and m.tolist() == t.tolist()
    assert em.asarray(m * 2).tolist() == (t * 2).tolist()
    assert em.asarray(mx.array([1.5], dtype=mx.bfloat16)).dtype == "bfloat16"


def test_torch_both_ways():
    python = os.environ.get("EMBER_BENCH_PYTHON", str(ROOT / "build/bench/bin/python"))
    if not os.path.exists(python):
        pytest.skip("no Python with torch: tools/setup bench makes one")
    code = """
import torch, ember_ml as em
t = em.asarray([1.0, 2.0, 3.0])
p = torch.from_dlpack(t)
assert p.tolist() == [1, 2, 3] and memoryview(t).nbytes == 12
q = torch.arange(4, dtype=torch.float64)
s = em.from_dlpack(q, copy=False)
assert torch.from_dlpack(s).data_ptr() == q.data_ptr()
assert em.asarray(torch.tensor([1.5], dtype=torch.bfloat16)).dtype == "bfloat16"
assert (t + torch.ones(3)).tolist() == [2, 3, 4]
assert em.zeros(2, dtype=torch.int32).dtype == "int32"
try: em.asarray(torch.ones(2, requires_grad=True))
except (TypeError, RuntimeError, BufferError): pass
print("good")
"""
    r = subprocess.run(
        [python, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if "No module named 'torch'" in r.stderr:
        pytest.skip("this Python has no torch")
    assert r.stdout == "good\n", r.stderr


# ---- Objects that other libraries fail on ----
class Itself:
    def __array__(self):
        return self


class Raises:
    def __iter__(self):
        raise RuntimeError("no")

    def __getitem__(self, i):
        raise RuntimeError("no")

    def __len__(self):
        return 3


nested = []
nested.append(nested)
deep = 1
for _ in range(5000):
    deep = [deep]


@pytest.mark.parametrize(
    "bad,error",
    [
        (2**70, ValueError),
        ([2**70], ValueError),
        ([-(2**63) - 1], ValueError),
        ([[1], [1, 2]], ValueError),
        ([[1, 2], 3], ValueError),
        ([1, [2]], ValueError),
        (nested, ValueError),
        (deep, ValueError),
        ("abc", TypeError),
        (["a"], TypeError),
        (None, TypeError),
        ([None], TypeError),
        (object(), TypeError),
        (np.array([None]), TypeError),
        (np.array(["a"]), TypeError),
        (np.array([(1, 2)], "i,i"), TypeError),
        (np.array(["2020"], "M8[D]"), TypeError),
        (Itself(), TypeError),
        (Raises(), TypeError),
        ((i for i in range(3)), TypeError),
        ({1, 2}, TypeError),
        ({}, TypeError),
    ],
)
def test_objects_that_are_not_arrays_are_refused(bad, error):
    with pytest.raises(error):
        em.asarray(bad)
    with pytest.raises(error):
        em.sin(bad)
    assert em.asarray([1]).tolist() == [1]


@pytest.mark.parametrize("bad", [1.0, None, "x", [1], np])
def test_from_dlpack_of_something_else(bad):
    with pytest.raises(TypeError):
        em.from_dlpack(bad)


def test_a_capsule_is_used_once():
    class Once:
        def __init__(self, t):
            self.capsule = t.__dlpack__()

        def __dlpack__(self, **_):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    once = Once(em.ones(3))
    assert em.from_dlpack(once).tolist() == [1, 1, 1]
    with pytest.raises(TypeError):
        em.from_dlpack(once)


def test_dlpack_requests_that_cannot_be_met():
    t = em.ones(3)
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError):
        t.__dlpack__(stream=1)
    assert "dltensor_versioned" in repr(t.__dlpack__(max_version=(1, 0))) and '"dltensor"' in repr(
        t.__dlpack__()
    )
    assert t.__dlpack_device__() == (1, 0)


def test_integers_that_do_not_fit_a_dtype():
    for values, dtype in (([300], "uint8"), ([-1], "uint16"), ([2**63], "int64"), ([128], "int8")):
        with pytest.raises(ValueError):
            em.asarray(values, dtype=dtype)
    assert em.asarray([255], dtype="uint8").tolist() == [255]


def test_lists_of_arrays_and_tensors():
    assert em.asarray([em.asarray(1.0), em.asarray(2.0)]).tolist() == [1.0, 2.0]
    assert em.asarray([np.arange(2), [5, 6]]).tolist() == [[0, 1], [5, 6]]
    assert em.asarray([np.float32(1), 2]).tolist() == [1.0, 2.0]


def test_what_cannot_be_shared_is_not_copied_in_silence():
    for data in (bytearray(b"abc"), b"abc"):
        assert em.asarray(data, copy=False).tolist() == [97, 98, 99]
    data = bytearray(b"abc")
    shared = em.asarray(data, copy=False)
    data[0] = 0
    assert shared.tolist() == [0, 98, 99]
    with pytest.raises(em.errors.ValueError, match="shared"):
        em.asarray(range(3), copy=False)


def test_names_go_to_files_and_back_as_they_are(tmp_path):
    path = tmp_path / "x.safetensors"
    names = {"a": 7.0, "a\0x": 1.0, "a\0y": 2.0, "\u00e9": 3.0}
    em.save(path, {name: em.full((2,), value) for name, value in names.items()})
    assert {name: x.tolist()[0] for name, x in em.load(path).items()} == names
    for name in ("a\ud800", "\udfff"):
        with pytest.raises(em.errors.ValueError, match="surrogate"):
            em.save(path, {name: em.ones(2)})
    with pytest.raises(em.errors.DTypeError, match="a name must be a str"):
        em.save(path, {1: em.ones(2)})
