"""Features, compared with NumPy's and SciPy's formulas; the registry, memory and checkpointed
functions."""

import json

import numpy as np
import pytest
import scipy.stats

import ember_ml as em
from ember_ml import errors, features, memory, nn, registry as registry_module
from ember_ml.registry import Registry, register, registry

rng = np.random.default_rng(11)
X = rng.normal(size=(40, 5)) @ rng.normal(size=(5, 5)) + 3


def same(x, y, tolerance=1e-9):
    np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=tolerance, atol=tolerance)


# ---- Extractors ----
@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "randomized"])
def test_principal_components(engine, solver):
    mean = X.mean(0)
    u, s, vt = np.linalg.svd(X - mean, full_matrices=False)
    vt *= np.sign(vt[np.arange(5), np.abs(vt).argmax(1)])[:, None]
    pca = features.pca(3, svd_solver=solver, seed=1)
    y = pca.fit_transform(X)
    (
        same(pca.mean_, mean),
        same(pca.singular_values_, s[:3], 1e-6),
        same(pca.components_, vt[:3], 1e-6),
    )
    same(y, (X - mean) @ vt[:3].T, 1e-6)
    (
        same(pca.explained_variance_, s[:3] ** 2 / 39, 1e-6),
        same(pca.explained_variance_ratio_, s[:3] ** 2 / (s**2).sum(), 1e-6),
    )
    same(pca.noise_variance_, (s[3:] ** 2).mean() / 39, 1e-6)
    same(pca.inverse_transform(y), (X - mean) @ vt[:3].T @ vt[:3] + mean, 1e-6)
    assert (pca.n_components_, pca.n_samples_, pca.feature_dim) == (3, 40, 5)


def test_options_of_the_constructor_and_of_fit():
    a, b = features.PCA(2, whiten=True).fit(X), features.PCA().fit(X, 2, whiten=True)
    same(a.transform(X), b.transform(X))
    same(np.asarray(a.transform(X)).std(0, ddof=1), [1, 1])
    c = features.PCA(2, whiten=True)
    # The other components are unchanged.
    same(c.fit_transform(X, n_components=3)[:, :2], a.transform(X))
    explained = np.cumsum(np.asarray(features.PCA().fit(X).explained_variance_ratio_))
    assert features.PCA(0.9).fit(X).n_components_ == np.searchsorted(explained, 0.9, "right") + 1
    part = features.PCA(3, svd_solver="incremental").partial_fit(X[:20]).partial_fit(X[20:])
    same(part.explained_variance_ratio_, features.PCA(3).fit(X).explained_variance_ratio_, 0.02)


def test_scaling(engine):
    same(features.standardize_features().fit_transform(X), (X - X.mean(0)) / X.std(0))
    same(
        features.standardize().fit_transform(X, axis=1),
        (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True),
    )
    s = features.Standardize(with_std=False).fit(X)
    (
        same(s.transform(X), X - X.mean(0)),
        same(s.inverse_transform(s.transform(X)), X),
        same(s.mean_, X.mean(0, keepdims=True)),
    )
    for norm, length in (
        ("l1", np.abs(X).sum(1)),
        ("l2", np.sqrt((X**2).sum(1))),
        ("max", np.abs(X).max(1)),
    ):
        same(features.normalize_features().fit_transform(X, norm=norm), X / length[:, None])
    same(
        features.Normalize(norm="minmax", low=-1, high=3).fit_transform(X),
        (X - X.min(0)) / (X.max(0) - X.min(0)) * 4 - 1,
    )
    low, high = np.quantile(X, [0.25, 0.75], axis=0)
    robust = features.normalize(norm="robust")
    (
        same(robust.fit_transform(X), (X - np.median(X, 0)) / (high - low)),
        same(robust.inverse_transform(robust.transform(X)), X),
    )
    with pytest.raises(NotImplementedError):
        features.Normalize().fit(X).inverse_transform(X)


def test_time_series(engine):
    series = rng.normal(size=(3, 32))
    same(
        features.TimeSeriesFeatures().extract(series),
        (series - series.mean(1, keepdims=True)) / series.std(1, keepdims=True),
    )
    windows = np.lib.stride_tricks.sliding_window_view(series, 8, axis=1)[:, ::4]
    expected = [
        windows.mean(-1),
        windows.std(-1),
        windows.min(-1),
        windows.max(-1),
        np.median(windows, -1),
        scipy.stats.skew(windows, -1),
        scipy.stats.kurtosis(windows, -1),
    ]
    same(features.window_statistics(series, 8, 4), np.stack(expected, -1))
    f, power = (
        np.fft.rfftfreq(32, 1 / 100)[1:],
        np.abs(np.fft.rfft(series)[:, 1:]) ** 2 * np.where(np.arange(16) == 15, 1, 2),
    )
    same(
        features.spectral_features(series, 100.0),
        np.stack([(series**2).mean(1), (power * f).sum(1) / power.sum(1), f[power.argmax(1)]], -1),
    )
    same(features.lagged(series, [0, 2]), np.stack([series[:, 2:], series[:, :-2]], -1))
    same(
        features.differences(series, [1, 2]),
        np.stack([np.diff(series)[:, 1:], np.diff(series, 2)], -1),
    )
    both = features.time_series_features(window=8, step=4, statistics=["mean", "max"], lags=[1])
    assert both.feature_names() == ["mean", "max", "lag_1"]
    same(
        both.transform(series), np.stack([windows.mean(-1), windows.max(-1), windows[..., -2]], -1)
    )
    wave = features.WaveFeatureExtractor(8, 4).extract(series)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(8) / 8)
    same(wave, np.fft.rfft(windows * hann), 1e-6)


def test_the_state_of_an_extractor_in_a_file(tmp_path):
    pca = features.PCA(2).fit(X)
    pca.save(tmp_path / "pca.safetensors")
    other = features.PCA(2)
    other.load(tmp_path / "pca.safetensors")
    same(other.transform(X), pca.transform(X), 0)
    other.load_state_dict({k: np.asarray(v) for k, v in pca.state_dict().items()})
    with pytest.raises(ValueError, match="another kind"):
        features.Standardize().load(tmp_path / "pca.safetensors")


def test_an_extractor_in_python(tmp_path):
    class Doubled(features.FeatureExtractor):
        def __init__(self):
            super().__init__(5)
            self.most = None

        def fit(self, x):
            super().fit(x)
            self.most = em.max(em.asarray(x))
            return self

        def transform(self, x):
            return em.asarray(x) * 2 / self.most

        def state_dict(self):
            return {"most": self.most}

        def load_state_dict(self, state):
            self.most = state["most"]

    d = Doubled()
    same(d.fit_transform(X), X * 2 / X.max())
    same(d.extract(X, np.ones(5) * 0.5), X / X.max())
    d.save(tmp_path / "d.safetensors")
    other = Doubled()
    other.load(tmp_path / "d.safetensors")
    same(other.transform(X), d.transform(X)), same(d.feature_dim, 5)
    with pytest.raises(NotImplementedError, match="Doubled"):
        d.inverse_transform(X)
    with pytest.raises(ValueError, match="another kind"):
        features.PCA().load(tmp_path / "d.safetensors")


def test_the_seed_s_own_extractors():
    from ember_ml import ops
    from ember_ml.features import base
    from ember_ml.nn import tensor

    class TimeSeriesFeatures(base.FeatureExtractor):
        def extract(self, data):
            x = tensor.convert_to_tensor(data)
            mean = ops.reduce_mean(x, axis=1, keepdims=True)
            std = ops.reduce_std(x, axis=1, keepdims=True)
            return ops.divide(ops.subtract(x, mean), std)

    same(
        TimeSeriesFeatures(4).extract(X),
        (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True),
        1e-6,
    )
    for role, factor in (("memory", 0.95), ("inhibition", -0.5), ("default", 1)):
        same(features.SpecializedProcessor(role).process(X), X * factor)


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: features.PCA(0), ValueError, "n_components"),
        (lambda: features.PCA("all"), TypeError, "n_components"),
        (lambda: features.PCA(2, 3), TypeError, "by keyword"),
        (lambda: features.PCA(solver="x"), TypeError, "no option 'solver'"),
        (lambda: features.PCA(svd_solver="x"), ValueError, "svd_solver"),
        (lambda: features.PCA().transform(X), RuntimeError, "fit"),
        (lambda: features.PCA().components_, RuntimeError, "fit"),
        (lambda: features.PCA().fit(X[0]), ValueError, "samples"),
        (lambda: features.PCA(9).fit(X), ValueError, "9 components"),
        (lambda: features.Normalize(norm="l3"), ValueError, "norm"),
        (lambda: features.Standardize().fit(X).transform(X[:, :2]), ValueError, "fitted"),
        (lambda: features.lagged(X, [50]), ValueError, "lags"),
        (lambda: features.window_statistics(X, 2, names=["mode"]), ValueError, "mode"),
    ],
)
def test_wrong_arguments_say_what_is_wrong(make, kind, words):
    with pytest.raises(kind, match=words) as e:
        make()
    assert isinstance(e.value, errors.Error)


def test_functions_and_paths_of_ember_ml():
    from ember_ml.features.common import standardize_features
    from ember_ml.features.pca_features import PCA
    from ember_ml.features.tensor_features import one_hot
    from ember_ml.nn import features as below
    from ember_ml.nn.features.common import pca

    assert (
        below is features
        and pca is PCA is features.PCA
        and standardize_features is features.Standardize
    )
    assert features.get_features_ops_module() is features
    same(one_hot(em.asarray([0, 2]), 3), np.eye(3)[[0, 2]])
    same(features.scatter(em.ones(4), em.asarray([0, 1, 0, 2]), 3), [2, 1, 1])
    assert all(hasattr(features, n) for n in features.__all__)


# ---- The registry ----
def test_entries_of_the_core():
    net = registry().create({"type": "models/mlp", "sizes": [4, 8, 2], "activation": "tanh"})
    assert net(em.ones((3, 4))).shape == (3, 2) and net.parameter_count() == 4 * 8 + 8 + 8 * 2 + 2
    assert registry().create("layers/linear", in_features=3, out_features=2)(
        em.ones((1, 3))
    ).shape == (1, 2)
    assert registry().create(json.dumps({"type": "layers/relu"})) is not None
    assert (
        "models/mlp" in registry()
        and {"models/mlp", "models/transformer"} <= set(registry().list("models/"))
        and len(registry()) > 50
    )
    with pytest.raises(ValueError, match="did you mean models/mlp"):
        registry().create("models/mpl")
    with pytest.raises(ValueError, match="sizes"):
        registry().create("models/mlp", size=[3, 4])
    with pytest.raises(TypeError, match="name"):
        registry().create({"type": "models/mlp"}, sizes=[1, 2])


class TransformerModel(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.layer = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.layer(x)


def test_a_config_in_python(engine):
    own = Registry()

    @register("models/transformer", own)
    class TransformerConfig:
        def __init__(self, hidden_size: int):
            self.hidden_size = hidden_size

        def create(self, backend_context):
            assert backend_context == engine
            return TransformerModel(self.hidden_size)

    @register("models/plain", own)
    class Plain(TransformerModel):
        pass

    @register("layers/pair", own)
    def pair(sizes, bias=True):
        return nn.Linear(*sizes, bias=bias)

    for config in ({"type": "models/transformer", "hidden_size": 4}, TransformerConfig(4)):
        model = own.create(config)
        assert type(model) is TransformerModel and model(em.ones((2, 4))).backend == engine
    assert type(own.create("models/plain", hidden_size=3)) is Plain
    assert own.create("layers/pair", sizes=[2, 3], bias=False).parameter_count() == 6
    assert own.list() == ["layers/pair", "models/plain", "models/transformer"]
    with pytest.raises(TypeError, match="width"):
        own.create("models/plain", width=3)
    with pytest.raises(ValueError, match="already registered"):
        own.add("models/plain", Plain)
    own.add("models/number", lambda: 3)
    with pytest.raises(TypeError, match="module"):
        own.create("models/number")
    own.add("models/broken", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        own.create("models/broken")
    assert own.remove("models/broken") and not own.remove("models/broken")
    with pytest.raises(TypeError, match="class or a function"):
        own.add("models/x", 3)


def test_the_decorator_enters_the_process_s_registry():
    before = registry().create("models/mlp", sizes=[2, 2])
    try:
        register("models/test")(TransformerModel)
        assert type(registry().create("models/test", hidden_size=2)) is TransformerModel
        nested = registry().create(
            {
                "type": "models/sequential",
                "layers": [{"type": "models/test", "hidden_size": 2}, {"type": "layers/relu"}],
            }
        )
        assert [type(m) for m in nested.children()][0] is TransformerModel and nested(
            em.ones((1, 2))
        ).shape == (1, 2)
    finally:
        registry().remove("models/test")
    assert before(em.ones((1, 2))).shape == (1, 2) and registry_module.registry() is registry()


# ---- Memory ----
def test_checkpointed_functions_have_the_same_gradients(engine):
    w = em.Parameter(em.asarray(rng.normal(size=(5, 5))))
    x = em.asarray(X)
    x.requires_grad = True

    def f(a):
        return em.tanh(em.tanh(a @ w) @ w)

    def gradients(run):
        w.grad = x.grad = None
        em.sum(run(x) ** 2).backward()
        return np.asarray(w.grad), np.asarray(x.grad)

    plain = gradients(f)
    for checkpointed in (
        memory.manager.checkpoint_function,
        memory.GradientCheckpointing().checkpoint,
        memory.checkpoint,
    ):
        for g, expected in zip(gradients(lambda a: checkpointed(f, a)), plain):
            assert g.tobytes() == expected.tobytes()

    def broken(a):
        broken.calls += 1
        if broken.calls > 1:
            raise LookupError("not again")
        return f(a)

    broken.calls = 0
    y = em.sum(memory.checkpoint(broken, x))
    with pytest.raises(LookupError, match="not again"):
        y.backward()
    with pytest.raises(TypeError, match="tensor"):
        memory.checkpoint(lambda a: 3, x)


def test_memory_is_counted():
    memory.reset_peak()
    before = memory.stats()
    kept = em.arange(1000000).eval()
    assert (
        memory.stats()["used"] >= before["used"] + kept.nbytes
        and memory.stats()["peak"] >= memory.stats()["used"]
    )
