"""JAX's control flow, keys and densities in special cases; tests/everyday has whole programs."""

import numpy as np
import pytest
from scipy import stats

import ember_ml as em
import ember_ml.numpy as jnp
from ember_ml import lax, tree_util
from ember_ml.scipy import linalg, stats as densities


def test_modules_have_second_names():
    assert jnp.sin is em.sin and em.numpy is em and em.core is em
    assert linalg.solve is em.linalg.solve
    assert tree_util.tree_map is em.tree.map is em.tree_map
    with pytest.raises(AttributeError, match="use scipy.stats.gamma, which takes tensors"):
        densities.gamma
    with pytest.raises(AttributeError, match="use em.conv1d, em.conv2d or em.conv3d"):
        lax.conv_general_dilated


def test_scan_backwards_and_refusals():
    carry, ys = lax.scan(lambda c, x: (c + x, c), 0.0, em.asarray([1.0, 2.0, 3.0]), reverse=True)
    assert carry.item() == 6 and ys.tolist() == [5, 3, 0]
    with pytest.raises(ValueError, match=r"all xs must have one length, not \[2, 3\]"):
        lax.scan(lambda c, x: (c, x), 0, (em.ones(2), em.ones(3)))
    with pytest.raises(ValueError, match="at least one step"):
        lax.scan(lambda c, x: (c, x), 0, em.ones((0, 2)))


@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan(reverse):
    x = np.arange(6.0).reshape(2, 3)
    got = lax.associative_scan(em.add, x, reverse=reverse, axis=1)
    expected = np.cumsum(x[:, ::-1], 1)[:, ::-1] if reverse else np.cumsum(x, 1)
    np.testing.assert_array_equal(got, expected)


def test_blocks_are_moved_inside():
    x = em.arange(5)
    assert lax.dynamic_slice(x, (4,), (3,)).tolist() == [2, 3, 4]
    assert lax.dynamic_slice(x, (-4,), (2,)).tolist() == [1, 2]
    assert lax.dynamic_update_slice(x, em.zeros(2, dtype="int64"), (9,)).tolist() == [0, 1, 2, 0, 0]
    assert lax.dynamic_index_in_dim(x, 9, keepdims=False).item() == 4
    assert lax.switch(7, [lambda: 0, lambda: 1]) == 1
    with pytest.raises(ValueError, match=r"a start and a size for each axis \(x: int64\[5\]"):
        lax.dynamic_slice(x, (0, 0), (1,))
    with pytest.raises(ValueError, match=r"the block is larger than x \(x: int64\[5\]"):
        lax.dynamic_slice(x, (0,), (6,))


def test_categorical_with_a_key():
    key, logits = em.random.key(0), em.log(em.asarray([[0.001, 0.999], [0.999, 0.001]]))
    drawn = em.random.categorical(key, logits, shape=(50, 2))
    assert drawn.shape == (50, 2)
    np.testing.assert_allclose(np.asarray(drawn).mean(0), [1, 0], atol=0.1)
    assert em.random.categorical(key, logits.T, axis=0).shape == (2,)
    assert em.random.categorical(logits, num_samples=3, key=key).shape == (2, 3)
    with pytest.raises(ValueError, match=r"shape must end in \[2\]"):
        em.random.categorical(key, logits, shape=(50,))


def test_initializers_with_a_key():
    """The fan-in of [inputs, outputs] is the number of inputs, also with a kernel's axes before
    them."""
    init = em.nn.initializers.he_normal()
    std = em.std(init(em.random.key(0), (5, 5, 40, 30), em.float64))
    np.testing.assert_allclose(std.item(), np.sqrt(2 / (25 * 40)), rtol=0.05)
    assert em.nn.initializers.ones(em.random.key(0), (3,)).tolist() == [1, 1, 1]


def test_initializers_of_a_scale():
    key = em.random.key(0)
    init = em.nn.initializers
    for make in (init.normal(0.02), init.normal(stddev=0.02)):
        np.testing.assert_allclose(em.std(make(key, (100, 100))).item(), 0.02, rtol=0.05)
    np.testing.assert_allclose(em.max(init.uniform(0.5)(key, (1000,))).item(), 0.5, atol=0.01)
    assert init.constant(2.5)(key, (2,)).tolist() == [2.5, 2.5] == init.constant(2.5)((2,)).tolist()


def test_keys_of_vectors_and_integers():
    key = em.random.key(3)
    assert em.random.randint(key, shape=(3,), minval=4, maxval=5).tolist() == [4, 4, 4]
    assert (
        em.random.randint(key, (2,), 0, 9).tolist() == em.random.randint(key, (2,), 0, 9).tolist()
    )
    with pytest.raises(ValueError, match="needs key, shape, low and high"):
        em.random.randint(key, (3,))
    drawn = em.random.multivariate_normal(key, em.zeros(2), em.eye(2), shape=(5,))
    again = em.random.multivariate_normal(key, em.zeros(2), em.eye(2), shape=(5,))
    assert drawn.shape == (5, 2) and drawn.tolist() == again.tolist()
    np.testing.assert_allclose(em.random.dirichlet(key, em.ones(3)).sum().item(), 1, rtol=1e-6)
    assert em.random.dirichlet(em.ones(3), (4,)).shape == (4, 3)


def test_jacobian_of_one_argument():
    f = em.jacfwd(lambda a, b: a * b**2, argnums=1)
    assert f(em.asarray([2.0, 3.0]), em.asarray([1.0, 5.0])).tolist() == [[4, 0], [0, 30]]


def test_classes_of_arrays():
    assert em.ndarray is em.Array is em.Tensor
    assert isinstance(em.ones(1), em.ndarray)
    assert em.gelu(em.asarray([1.0]), approximate=True) == em.gelu(em.asarray([1.0]), "tanh")
    assert em.tree.all({"a": [True, 1]}) and not em.tree.all([0])


def test_densities():
    x = np.array([-1.0, 0.5, 2.0])
    for name in ("pdf", "logpdf", "cdf"):
        got = getattr(densities.norm, name)(em.asarray(x), 0.5, 2.0)
        np.testing.assert_allclose(got, getattr(stats.norm, name)(x, 0.5, 2.0), rtol=1e-9)
    q = em.asarray([0.1, 0.5, 0.9], dtype="float64")
    np.testing.assert_allclose(
        densities.norm.ppf(q, 1.0, 2.0), stats.norm.ppf(q, 1.0, 2.0), atol=1e-6
    )
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    points = np.array([[0.0, 1.0], [1.0, -1.0]])
    for name in ("pdf", "logpdf"):
        got = getattr(densities.multivariate_normal, name)(em.asarray(points), np.ones(2), cov)
        expected = getattr(stats.multivariate_normal, name)(points, np.ones(2), cov)
        np.testing.assert_allclose(got, expected, rtol=1e-9)


def test_dtypes_make_tensors():
    assert em.float32(3).dtype == "float32" and em.float32(3).item() == 3
    assert em.int64([1, 2]).tolist() == [1, 2] and em.bool(1).item() is True
    assert em.float64().item() == 0
    assert em.float32 == em.float32 and em.float32 != em.int8
    with pytest.raises(TypeError):
        em.float32(1, 2)


def test_checkpoint_as_a_decorator():
    calls = []

    @em.checkpoint
    def f(x):
        calls.append(1)
        return em.sin(x) ** 2

    x = em.Tensor([0.5], requires_grad=True)
    f(x).sum().backward()
    np.testing.assert_allclose(np.asarray(x.grad), [np.sin(1.0)], rtol=1e-5)
    assert f.__name__ == "f" and len(calls) == 2


def test_debug(capsys):
    em.debug.print("x = {x}, {}", 2, x=em.asarray([1.0]))
    em.debug.callback(lambda v: print(v.item()), em.asarray(3.0))
    assert capsys.readouterr().out == "x = [1.], 2\n3.0\n"
