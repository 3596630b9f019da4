"""Trees of tensors, their gradients, and updates by `x.at`, compared with NumPy."""

from collections import namedtuple

import numpy as np
import pytest

import ember_ml as em
from ember_ml import tree

Layer = namedtuple("Layer", ["w", "b"])
X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def same(x, expected):
    np.testing.assert_allclose(np.asarray(x), expected, rtol=1e-5, atol=1e-6)


def test_map_keeps_the_structure():
    given = {"a": 1, "b": [2, (3, None)], "c": Layer(4, 5)}
    made = tree.map(lambda v: 10 * v, given)
    assert made == {"a": 10, "b": [20, (30, None)], "c": Layer(40, 50)}
    assert isinstance(made["c"], Layer)
    assert tree.map(lambda p, q: p - q, given, made)["b"] == [-18, (-27, None)]
    with pytest.raises(ValueError, match="differ"):
        tree.map(lambda p, q: p, [1, 2], [1])
    with pytest.raises(ValueError, match="differ"):
        tree.map(lambda p, q: p, {"a": 1}, {"b": 1})


def test_flatten_and_back():
    given = {"a": 1, "b": [2, (3, None)]}
    leaves, structure = tree.flatten(given)
    assert leaves == [1, 2, 3] == tree.leaves(given)
    assert tree.unflatten(structure, [4, 5, 6]) == {"a": 4, "b": [5, (6, None)]}
    assert tree.reduce(lambda a, b: a + b, given) == 6
    assert tree.leaves([[1, 2], 3], is_leaf=lambda v: v == [1, 2]) == [[1, 2], 3]
    with pytest.raises(ValueError, match="2 leaves"):
        tree.unflatten(structure, [1, 2])


@pytest.mark.parametrize(
    "params",
    [
        {"w": [1.0, -2.0], "b": 0.5},
        {"b": np.float32(0.5), "w": np.array([1.0, -2.0], dtype=np.float32)},
    ],
)
def test_gradient_of_a_dict(engine, params):
    params = {k: em.asarray(v) for k, v in params.items()}
    x, y = em.asarray(X, dtype=em.float32), em.asarray([1.0, 0.0, -1.0])

    def loss(p, x, y):
        return em.mean((x @ p["w"] + p["b"] - y) ** 2)

    value, slope = em.value_and_grad(loss)(params, x, y)
    r = X @ [1, -2] + 0.5 - [1, 0, -1]
    same(value, (r**2).mean())
    assert list(slope) == list(params)
    same(slope["w"], 2 * X.T @ r / 3)
    same(slope["b"], 2 * r.mean())


def test_gradient_of_nested_layers(engine):
    params = [Layer(em.ones((2, 2)), em.zeros(2)), {"out": (em.ones(2), None)}]
    slope = em.grad(lambda p: em.sum((em.ones(2) @ p[0].w + p[0].b) * p[1]["out"][0]))(params)
    assert isinstance(slope[0], Layer) and slope[1]["out"][1] is None
    same(slope[0].w, np.ones((2, 2)))
    same(slope[0].b, [1, 1])
    same(slope[1]["out"][0], [2, 2])


def test_gradient_of_a_tuple_is_a_tuple():
    both = em.grad(lambda p: (p[0] * p[1]).sum())((em.asarray([1.0, 2.0]), em.asarray([3.0, 4.0])))
    assert isinstance(both, tuple)
    same(both[0], [3, 4])
    same(both[1], [1, 2])


def test_plain_numbers_are_one_tensor():
    same(em.grad(lambda v: (v**2).sum())([1.0, 2.0]), [2, 4])
    same(em.grad(lambda v: (v**2).sum())([[1, 2.5]]), [[2, 5]])


def test_second_derivative_through_a_tree():
    inner = em.grad(lambda p: p["x"] ** 3)
    same(em.grad(lambda v: inner({"x": v})["x"])(em.asarray(2.0)), 12)


def test_more_results_need_no_gradient():
    (value, more), slope = em.value_and_grad(
        lambda v: (v.sum(), {"twice": 2 * v, "word": "w"}), has_aux=True
    )(em.ones(2))
    assert not more["twice"].requires_grad and more["word"] == "w"
    same(more["twice"], [2, 2])
    # Inside another gradient, auxiliary values are differentiated too.
    outer = em.grad(lambda v: em.grad(lambda u: (u.sum(), u * v), has_aux=True)(v)[1].sum())
    same(outer(em.asarray([3.0])), [6])


def test_hessian_and_jacobian_as_functions():
    x = em.asarray([1.0, 2.0])
    same(em.hessian(lambda v: (v**3).sum())(x), [[6, 0], [0, 12]])
    same(em.hessian(lambda v: v[0] * v[1], x), [[0, 1], [1, 0]])
    for name in ("jacobian", "jacrev", "jacfwd"):
        same(getattr(em, name)(lambda v: v**2)(x), [[2, 0], [0, 4]])


def test_at_gives_a_new_tensor(engine):
    x = em.asarray(X)
    rows = np.array([0, 2])
    same(x.at[1].set(0), np.where(np.arange(3)[:, None] == 1, 0, X))
    same(x.at[rows].add(1), X + [[1], [0], [1]])
    same(x.at[:, 0].multiply(2), X * [2, 1])
    same(x.at[x > 4].set(0), np.where(X > 4, 0, X))
    same(x.at[..., 1].max(5), np.maximum(X, [-9, 5]))
    same(x.at[0].min(1.5), np.minimum(X, [[1.5], [9], [9]]))
    same(x.at[0, 1].divide(4), np.where(X == 2, 0.5, X))
    same(x.at[0].power(3), np.concatenate([X[:1] ** 3, X[1:]]))
    same(x.at[1:].subtract(1), X - [[0], [1], [1]])
    same(x.at[0].apply(em.square), np.concatenate([X[:1] ** 2, X[1:]]))
    same(x.at[2].get(), X[2])
    same(x, X)


def test_at_accumulates_repeated_indices(engine):
    same(em.zeros(3).at[em.asarray([0, 0, 2])].add(em.asarray([1.0, 2.0, 4.0])), [3, 0, 4])
    assert em.zeros(3, dtype=em.int32).at[0].add(1).dtype == em.int32


def test_at_has_gradients():
    x, v = em.asarray([1.0, 2.0, 3.0]), em.asarray([5.0, 7.0])
    dx, dv = em.grad(lambda x, v: (x.at[1:].set(v) ** 2).sum(), argnums=(0, 1))(x, v)
    same(dx, [2, 0, 0])
    same(dv, [10, 14])


def test_eval_takes_iterators():
    a, b = em.ones(3) * 2, em.ones(3) * 3
    em.eval(iter([a, [b]]))
    assert a.evaluated and b.evaluated
