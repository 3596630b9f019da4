"""A pending tensor as several operands of an op: an engine that reuses its memory must still
read it as each of them."""

import numpy as np
import pytest

import test_parity  # reads the cases
from harness import CASES, ENGINES, call, convert, draw, tensors, to_ember, to_numpy
from ember_ml import _core as E

ORDER = np.array([2, 0, 3, 1])
SAME = {  # a permutation as the array, the indices and the updates
    "slice_update": lambda x: call("slice_update", x, x, [0]),
    "slice_update backwards": lambda x: call("slice_update", x, x, [3], [-1]),
    "scatter_elements": lambda x: call("scatter_elements", x, x, x),
    "scatter_elements add": lambda x: call("scatter_elements", x, x, x, reduction="add"),
    "put_along_axis": lambda x: call("put_along_axis", x, x, x),
    "index_add": lambda x: call("index_add", x, x, x),
    "take": lambda x: call("take", x, x),
    "take_along_axis": lambda x: call("take_along_axis", x, x),
}
ROWS = {  # the same as rows of one
    "scatter_nd": lambda x: call("scatter_nd", x, x, x),
    "scatter_nd max": lambda x: call("scatter_nd", x, x, x, reduction="max"),
    "tensor_scatter_nd_update": lambda x: call("tensor_scatter_nd_update", x, x, x),
    "gather_nd": lambda x: call("gather_nd", x, x),
}
PLACED = np.empty(4, np.int64)
PLACED[ORDER] = ORDER
WANTED = {
    "slice_update": ORDER,
    "slice_update backwards": ORDER[::-1],
    "scatter_elements": PLACED,
    "put_along_axis": PLACED,
    "scatter_elements add": ORDER + PLACED,
    "index_add": ORDER + PLACED,
    "take": ORDER[ORDER],
    "take_along_axis": ORDER[ORDER],
    "scatter_nd": PLACED[:, None],
    "scatter_nd max": np.maximum(ORDER, PLACED)[:, None],
    "tensor_scatter_nd_update": PLACED[:, None],
    "gather_nd": ORDER[ORDER][:, None],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", WANTED)
def test_array_indices_and_updates(engine, name):
    with E.using_backend(engine):

        def pending():
            return call("add", to_ember(ORDER if name in SAME else ORDER[:, None]), 0)

        assert np.array_equal(to_numpy((SAME | ROWS)[name](pending())), WANTED[name])


@pytest.mark.parametrize("engine", ENGINES)
def test_assignment_of_a_tensor_to_itself(engine):
    with E.using_backend(engine):
        x = call("arange", 5) + 0
        x[::-1] = x
        assert x.tolist() == [4, 3, 2, 1, 0]
        x = call("arange", 4.0) + 0
        x[E.asarray(ORDER)] = x
        assert x.tolist() == np.argsort(ORDER).tolist()


def same_shape_and_dtype(a, b):
    return (
        isinstance(a, np.ndarray)
        and isinstance(b, np.ndarray)
        and a.ndim
        and a.shape == b.shape
        and a.dtype == b.dtype
    )


def recorded(op, args, kwargs, first, second):
    """The result of an op whose operands have no other handle. first and second: (position,
    tensor)."""
    operands = [convert(a, to_ember) for a in args]
    for place, tensor in (first, second):
        operands[place] = tensor
    call("seed", 1)
    return call(op, *operands, **{k: convert(v, to_ember) for k, v in kwargs.items()})


def differs(c, dtype):
    """Whether an op gives a different result for one pending operand in two positions than for
    two operands; None if it does not have such operands."""
    args, kwargs = draw(c, dtype)
    places = next(
        (
            (i, k)
            for i in range(len(args))
            for k in range(i)
            if same_shape_and_dtype(args[i], args[k])
        ),
        None,
    )
    if places is None:
        return None
    shared = args[places[0]]
    try:
        want = tensors(recorded(c.op, args, kwargs, *((at, to_ember(shared)) for at in places)))
    except E.Error:
        return None
    got = tensors(recorded(c.op, args, kwargs, *zip(places, [call("copy", to_ember(shared))] * 2)))
    return not all(
        np.allclose(g, w, rtol=1e-5, atol=1e-6, equal_nan=True)
        for g, w in zip(got, want, strict=True)
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_every_op(engine):
    with E.using_backend(engine):
        found = {
            f"{c.op} {c.id} {dtype}": differs(c, dtype)
            for c in CASES
            for dtype in {"float32", "int64"} & set(c.dtypes)
        }
    assert [name for name, wrong in found.items() if wrong] == []
    assert sum(wrong is False for wrong in found.values()) > 100
