"""Functions of other libraries that take any array API array, given tensors."""

import numpy as np
import pytest

import ember_ml as em


def close(t, a, tol=1e-6):
    assert isinstance(t, em.EmberTensor), type(t)
    np.testing.assert_allclose(np.asarray(t), a, rtol=tol, atol=tol)


X = np.random.default_rng(0).normal(size=(6, 4))


def test_scipy_special(engine):
    special = pytest.importorskip("scipy.special")
    t = em.asarray(X)
    close(special.logsumexp(t, axis=1), special.logsumexp(X, axis=1))
    close(special.softmax(t, axis=0), special.softmax(X, axis=0))


def test_scipy_stats(engine):
    stats = pytest.importorskip("scipy.stats")
    t = em.asarray(X)
    close(stats.zscore(t, axis=0), stats.zscore(X, axis=0))
    close(stats.skew(t, axis=0), stats.skew(X, axis=0))
    close(stats.kurtosis(t, axis=1), stats.kurtosis(X, axis=1))


def test_scipy_rotation(engine):
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    q, v = X[:, :4], X[:, :3]
    turned = rotation.from_quat(em.asarray(q)).apply(em.asarray(v))
    np.testing.assert_allclose(np.asarray(turned), rotation.from_quat(q).apply(v), rtol=1e-6)


def test_scikit_learn(engine):
    sklearn = pytest.importorskip("sklearn")
    from sklearn.metrics import mean_squared_error, r2_score
    from sklearn.preprocessing import MinMaxScaler
    t = em.asarray(X)
    with sklearn.config_context(array_api_dispatch=True):
        close(MinMaxScaler().fit_transform(t), MinMaxScaler().fit_transform(X))
        assert float(mean_squared_error(t[:, 0], t[:, 1])) == pytest.approx(mean_squared_error(X[:, 0], X[:, 1]))
        assert float(r2_score(t[:, 0], t[:, 1])) == pytest.approx(r2_score(X[:, 0], X[:, 1]))


def test_einops(engine):
    einops = pytest.importorskip("einops.array_api")
    images = np.arange(2 * 4 * 6 * 3, dtype=np.float32).reshape(2, 4, 6, 3)
    t = em.asarray(images)
    close(einops.rearrange(t, "b (h p) (w q) c -> b h w (p q c)", p=2, q=3), images.reshape(2, 2, 2, 2, 3, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 2, 2, 18))
    close(einops.reduce(t, "b h w c -> b c", "max"), images.max((1, 2)))
    close(einops.repeat(t[:, 0, 0, 0], "b -> b n", n=3), np.repeat(images[:, 0, 0, :1], 3, 1))
