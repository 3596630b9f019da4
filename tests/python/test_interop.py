"""Functions of other libraries that accept array API arrays, called with tensors."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import ember_ml as em


FOLDER = str(pathlib.Path(em.__file__).parents[1])


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
        assert float(mean_squared_error(t[:, 0], t[:, 1])) == pytest.approx(
            mean_squared_error(X[:, 0], X[:, 1])
        )
        assert float(r2_score(t[:, 0], t[:, 1])) == pytest.approx(r2_score(X[:, 0], X[:, 1]))


def test_einops(engine):
    einops = pytest.importorskip("einops.array_api")
    images = np.arange(2 * 4 * 6 * 3, dtype=np.float32).reshape(2, 4, 6, 3)
    t = em.asarray(images)
    close(
        einops.rearrange(t, "b (h p) (w q) c -> b h w (p q c)", p=2, q=3),
        images.reshape(2, 2, 2, 2, 3, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 2, 2, 18),
    )
    close(einops.reduce(t, "b h w c -> b c", "max"), images.max((1, 2)))
    close(einops.repeat(t[:, 0, 0, 0], "b -> b n", n=3), np.repeat(images[:, 0, 0, :1], 3, 1))


@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "mean",
        "std",
        "var",
        "max",
        "min",
        "prod",
        "all",
        "any",
        "argmax",
        "cumsum",
        "round",
        "squeeze",
        "nonzero",
    ],
)
def test_numpys_functions(engine, name):
    """NumPy calls the method of that name with axis=, dtype= and out=."""
    t = em.asarray(X)
    f = getattr(np, name)
    np.testing.assert_allclose(f(t), f(X), rtol=1e-12)
    if name not in ("round", "squeeze", "nonzero"):
        close(f(t, axis=1), f(X, axis=1), 1e-12)


@pytest.mark.parametrize("dispatch", [False, True])
def test_scikit_learn_takes_tensors_as_data(engine, dispatch):
    sklearn = pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
    from sklearn.model_selection import cross_val_score, train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    numbers = np.random.default_rng(0).normal(size=(60, 4))
    labels = (numbers[:, 0] + numbers[:, 1] > 0).astype(int)
    x, y = em.asarray(numbers), em.asarray(labels)
    with sklearn.config_context(array_api_dispatch=dispatch):
        parts = train_test_split(x, y, random_state=0, stratify=y)
        for part, theirs in zip(
            parts, train_test_split(numbers, labels, random_state=0, stratify=labels)
        ):
            close(part, theirs)
        scores = cross_val_score(LogisticRegression(), x, y, cv=3)
        np.testing.assert_allclose(
            scores, cross_val_score(LogisticRegression(), numbers, labels, cv=3), atol=1e-6
        )
        assert roc_auc_score(y, x[:, 0]) == pytest.approx(roc_auc_score(labels, numbers[:, 0]))
        assert accuracy_score(y, y) == f1_score(y, y) == 1
        model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y)
        assert float(model.score(x, y)) == pytest.approx(
            make_pipeline(StandardScaler(), LogisticRegression())
            .fit(numbers, labels)
            .score(numbers, labels)
        )


def test_a_forest_takes_tensors():
    pytest.importorskip("sklearn")
    from sklearn.ensemble import RandomForestClassifier

    y = (X[:, 0] > 0).astype(int)
    ours = (
        RandomForestClassifier(5, random_state=0)
        .fit(em.asarray(X), em.asarray(y))
        .predict(em.asarray(X))
    )
    assert ours.tolist() == RandomForestClassifier(5, random_state=0).fit(X, y).predict(X).tolist()


def test_einops_itself(engine):
    einops = pytest.importorskip("einops")
    images = np.arange(2 * 4 * 6 * 3, dtype=np.float32).reshape(2, 4, 6, 3)
    t = em.asarray(images)
    for f, pattern, more in (
        (einops.rearrange, "b (h p) (w q) c -> b h w (p q c)", {"p": 2, "q": 3}),
        (einops.reduce, "b (h p) w c -> b w h", {"reduction": "mean", "p": 2}),
        (einops.reduce, "b h w c -> c", {"reduction": "max"}),
        (einops.repeat, "b h w c -> b (h n) w c k", {"n": 2, "k": 3}),
    ):
        close(f(t, pattern, **more), f(images, pattern, **more))
    close(
        einops.einsum(t, t, "b h w c, b k w c -> h k"),
        einops.einsum(images, images, "b h w c, b k w c -> h k"),
        1e-5,
    )
    packed, shapes = einops.pack([t, t[:, 0]], "b * c")
    close(packed, einops.pack([images, images[:, 0]], "b * c")[0])
    assert [p.shape for p in einops.unpack(packed, shapes, "b * c")] == [t.shape, t[:, 0].shape]


@pytest.mark.parametrize(
    "imports", ["import einops, ember_ml as em", "import ember_ml as em, einops"]
)
def test_einops_is_imported_before_or_after(imports):
    pytest.importorskip("einops")
    code = f"{imports}; import gc; gc.collect(); print(einops.rearrange(em.ones((2, 3)), 'a b -> b a').shape)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": FOLDER},
        ).stdout
        == "(3, 2)\n"
    )


def test_importing_ember_imports_no_einops():
    code = "import ember_ml, sys; print('einops' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": FOLDER},
        ).stdout
        == "False\n"
    )


@pytest.mark.parametrize(
    "name",
    ["mean", "sum", "std", "var", "max", "min", "prod", "median", "argmax", "all", "any", "count"],
)
def test_xarray(engine, name):
    xarray = pytest.importorskip("xarray")
    ours, theirs = (
        xarray.DataArray(em.asarray(X), dims=("a", "b")),
        xarray.DataArray(X, dims=("a", "b")),
    )
    close(getattr(ours, name)("a").data, getattr(theirs, name)("a").data)
    close((ours * 2 + ours).isel(b=[0, 2]).data, (theirs * 2 + theirs).isel(b=[0, 2]).data)


def test_pandas():
    pandas = pytest.importorskip("pandas")
    t = em.asarray(X)
    assert (
        pandas.DataFrame(t).mean().tolist() == pandas.DataFrame(X).mean().tolist()
        and pandas.Series(t[0]).tolist() == X[0].tolist()
    )
    close(em.asarray(pandas.Series([1.0, 2.0])), [1.0, 2.0])
    close(t[pandas.Series([0, 2])], X[[0, 2]])
    close(t[0][pandas.Series([True, False, True, False])], X[0][[True, False, True, False]])


def test_pillow(engine):
    image = pytest.importorskip("PIL.Image")
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    t = em.asarray(image.fromarray(pixels))
    assert t.dtype == em.uint8
    close(t, pixels)
    close(
        em.asarray([image.fromarray(pixels), image.fromarray(pixels)]), np.stack([pixels, pixels])
    )
