"""Single elements are read and written without a node, compared with NumPy."""

import ml_dtypes
import numpy as np
import pytest

import ember_ml as em

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
    "bfloat16",
    "float32",
    "float64",
]


def as_numpy(x):
    return np.frombuffer(
        x.tobytes(), ml_dtypes.bfloat16 if str(x.dtype) == "bfloat16" else str(x.dtype)
    ).reshape(x.shape)


@pytest.fixture(autouse=True)
def native():
    with em.using_backend("native"):
        yield


@pytest.mark.parametrize("dtype", DTYPES)
def test_single_elements_are_read(dtype):
    a = np.array([[0, 1, 2], [3, 100, 127]]).astype(
        ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    )
    x = em.asarray(a.tolist(), dtype=getattr(em, dtype)).eval()
    for t, want in ((x, a), (x[::-1, ::2].eval(), a[::-1, ::2])):
        for i in range(-t.shape[0], t.shape[0]):
            for j in range(-t.shape[1], t.shape[1]):
                v = t[i, j]
                assert v.shape == () and v.dtype == x.dtype and v.item() == want[i, j].item()
                assert float(v) == float(want[i, j]) and int(v) == int(want[i, j])
                assert as_numpy(v) == want[i, j] and as_numpy(v + v) == as_numpy(em.add(t, t))[i, j]
    assert [float(v) for v in x[1]] == a[1].astype(float).tolist()


def test_an_element_promotes_as_a_tensor_does():
    wide = em.asarray([1.5], dtype=em.float64).eval()[0]
    assert (wide + em.asarray([1.0], dtype=em.float32)).dtype == em.float64
    assert (
        em.asarray([300], dtype=em.int32).eval()[0] + em.asarray([1], dtype=em.uint8)
    ).dtype == em.int32


@pytest.mark.parametrize("dtype", DTYPES)
def test_single_elements_are_written(dtype):
    a = np.zeros((3, 4), ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    x = em.zeros((3, 4), dtype=getattr(em, dtype))
    for k in range(12):
        value = k % 2 == 0 if dtype == "bool" else k
        x[k // 4, k % 4 - 4] = value
        a[k // 4, k % 4 - 4] = value
    assert np.array_equal(as_numpy(x), a)


def test_writing_an_element_leaves_other_tensors():
    x = em.asarray([1.0, 2.0, 3.0]).eval()
    alias, view, pending, shared = x, x[1:], x * 2, np.asarray(x)
    x[1] = 9
    assert x.tolist() == alias.tolist() == [1, 9, 3]  # both names refer to the same object
    assert (
        view.tolist() == [2, 3] and pending.tolist() == [2, 4, 6] and shared.tolist() == [1, 2, 3]
    )
    y = em.positive(x)
    x[0] = 5
    assert y.tolist() == [1, 9, 3] and x.tolist() == [5, 9, 3]


def test_writing_follows_the_rules_of_indexing():
    x = em.zeros(3, dtype=em.uint8).eval()
    for key, value, error in (
        (3, 1, IndexError),
        (-4, 1, IndexError),
        ((0, 0), 1, IndexError),
        (0, 300, ValueError),
        (0, -1, ValueError),
    ):
        with pytest.raises(error):
            x[key] = value
    with pytest.raises(IndexError):
        x[7]
    assert x.tolist() == [0, 0, 0]
    w = em.Tensor([1.0, 2.0], requires_grad=True)
    em.sum(w[0] * 3).backward()
    assert w.grad.tolist() == [3, 0]


def test_iteration():
    assert [v.item() for v in em.arange(5).eval()] == [0, 1, 2, 3, 4]
    assert [v.tolist() for v in em.reshape(em.arange(6), (3, 2)).eval()] == [[0, 1], [2, 3], [4, 5]]
