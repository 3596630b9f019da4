"""The code blocks of the seeds (tests/data/seeds) that show a good pattern, run as they stand on
every engine, in float32 and float16.

A block that cannot run as it stands is followed by the letter, with the reason beside it. What is
expected comes from NumPy.
"""

import copy
import importlib
import os
import pathlib
import pickle
import re
import subprocess
import sys
import textwrap
import types
import typing

import numpy as np
import pytest

import ember_ml
from ember_ml import ops, tensor
from engines import skip_unless_under_test

SEEDS = pathlib.Path(__file__).resolve().parents[1] / "data/seeds"
FILES = {path.stem: path.read_text() for path in sorted(SEEDS.glob("*.txt"))}
BLOCKS = {
    seed: [
        textwrap.dedent(m) for m in re.findall(r"^[ ]*```python\n(.*?)^[ ]*```", text, re.M | re.S)
    ]
    for seed, text in FILES.items()
}
dtypes = pytest.mark.parametrize("dtype", ["float32", "float16"])
EPS = {"float16": 2.0**-10, "float32": 2.0**-23, "complex64": 2.0**-23}


def run(seed, place, holds, **given):
    """The names that a block defines; `holds` is a part of its text, so that a change of the
    seeds is noticed."""
    code = BLOCKS[seed][place]
    assert holds in code
    scope = {
        "__name__": "seed",
        "ops": ops,
        "tensor": tensor,
        **{
            n: getattr(typing, n)
            for n in ("Any", "Callable", "List", "Optional", "Sequence", "Union")
        },
        **given,
    }
    exec(compile(code, f"seed {seed}, block {place}", "exec"), scope)
    return scope


def sample(shape, dtype, seed=1, low=-2.0, high=2.0):
    """Multiples of 1/8, which both dtypes represent exactly: as a tensor and as NumPy's float64."""
    x = np.round(np.random.default_rng(seed).uniform(low, high, shape) * 8) / 8
    return tensor.convert_to_tensor(x.tolist(), dtype=dtype), x


def near(got, want, dtype, ulps=4, gives=None):
    """Asserts that got is within ulps of the largest expected value, and has the expected dtype
    and backend."""
    want = np.asarray(want)
    assert (
        isinstance(got, tensor.EmberTensor)
        and got.dtype == (gives or dtype)
        and got.backend == ember_ml.get_backend()
    )
    found = np.asarray(got.tolist())
    assert found.shape == want.shape
    assert np.max(np.abs(found - want), initial=0) <= ulps * EPS[str(dtype)] * np.max(
        np.abs(want), initial=1e-3
    )


def imports(text):
    return re.findall(
        r"^[ ]*((?:from|import) (?:ember_ml|emberharmony)[^\n(]*(?:\([^)]*\))?)", text, re.M
    )


# ---- Import lines ----
# Not supported: imports from inside a backend's folder, and the functions that renew aliases, which
# Ember does not need.
LINES = sorted(
    {
        textwrap.dedent(line).strip()
        for seed in ("000", "001", "002", "004")
        for code in BLOCKS[seed]
        for line in imports(code)
        if not re.search(r"backend\.(numpy|torch|mlx)\.|_update_", line)
    }
)


@pytest.mark.parametrize("line", LINES)
def test_import_line_works(line):
    exec(re.sub(r",?\s*#[^\n]*", "", line), {})


def test_import_lines_are_found():
    assert len(LINES) == 20 and any("interfaces.dtype" in line for line in LINES)


# ---- 000: EmberTensor. Its blocks are parts of a class and of its module, so tests follow the
# blocks' letters. ----
def test_000_convert_is_public_or_internal(engine):
    from ember_ml.nn.tensor.common import _convert_to_backend_tensor
    from ember_ml.nn.tensor import convert_to_tensor

    x = convert_to_tensor([1.0, 2.0], dtype="float32")
    # An EmberTensor is passed by reference.
    assert isinstance(x, tensor.EmberTensor) and convert_to_tensor(x) is x
    assert (
        convert_to_tensor(x, dtype="float16").dtype == "float16"
        and convert_to_tensor(x, requires_grad=True).requires_grad
        and not x.requires_grad
    )
    assert "_convert_to_backend_tensor" not in tensor.__all__ and {
        "EmberTensor",
        "zeros",
        "ones",
        "convert_to_tensor",
    } <= set(tensor.__all__)
    library = {"torch": "torch", "mlx": "mlx.core"}.get(engine, "numpy")
    try:
        importlib.import_module(library)
    except ImportError:  # its Python package is missing, although the engine works
        with pytest.raises(ImportError, match=engine):
            _convert_to_backend_tensor(x)
        return
    made = _convert_to_backend_tensor([1.0, 2.0], dtype="float32")
    assert type(made).__module__.partition(".")[0] == library.partition(".")[0] and np.asarray(
        made
    ).tolist() == [1, 2]
    own = x.to_backend_tensor()
    assert type(own) is type(made)
    if library != "mlx.core":  # mx.array copies its argument
        assert np.shares_memory(np.asarray(own), np.asarray(x))


@dtypes
def test_000_constructor_stores_what_it_is_told(engine, dtype):
    for given in (
        dtype,
        tensor.get_dtype(dtype),
        lambda: tensor.get_dtype(dtype),
    ):  # a name, a DType, or a callable that returns one
        x = tensor.EmberTensor([[1, 2], [3, 4]], dtype=given, device="cpu", requires_grad=True)
        assert (
            x._dtype == x.dtype == dtype
            and x._device == x.device == "cpu"
            and x._requires_grad is x.requires_grad is True
        )
        assert x._backend == x.backend == engine
    assert (
        tensor.EmberTensor().size == 0
        and not tensor.EmberTensor([1.0]).requires_grad
        and tensor.EmberTensor([1.0]).device == ember_ml.get_device()
    )
    with pytest.raises(AttributeError):
        x.dtype = "int8"


@dtypes
def test_000_properties_go_through_operations(engine, dtype):
    x = tensor.EmberTensor([[1.0, 2.0], [3.0, 4.0]], dtype=dtype, requires_grad=True)
    for y in (
        ops.sin(x),
        x + 1,
        x @ x,
        x[0],
        x.reshape((4,)),
        ops.concatenate([x, x]),
        ops.sum(x),
        -x,
        ops.where(x > 1, x, 0),
    ):
        assert (y.dtype, y.device, y.backend, y.requires_grad) == (dtype, "cpu", engine, True)


@dtypes
def test_000_state(engine, dtype):
    x = tensor.EmberTensor([[1.5, -2.0], [0.25, 4.0]], dtype=dtype, requires_grad=True)
    state = x.__getstate__()
    assert set(state) == {"tensor_data", "dtype", "device", "requires_grad", "backend"}
    assert (state["dtype"], state["device"], state["requires_grad"], state["backend"]) == (
        dtype,
        "cpu",
        True,
        engine,
    )
    for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert y.tolist() == x.tolist() and (y.dtype, y.device, y.requires_grad, y.backend) == (
            dtype,
            "cpu",
            True,
            engine,
        )
    # A state that the seed itself wrote contains a NumPy array.
    old = tensor.EmberTensor()
    old.__setstate__(
        {
            "tensor_data": np.array([[1.5, -2.0]]),
            "dtype": dtype,
            "device": "cpu",
            "requires_grad": False,
            "backend": engine,
        }
    )
    assert old.tolist() == [[1.5, -2.0]] and old.dtype == dtype and old.backend == engine


@dtypes
def test_000_state_across_backends(engine, dtype):
    x = tensor.EmberTensor([1.0, 2.0], dtype=dtype)
    data = pickle.dumps(x)
    for other in ember_ml.get_available_backends():
        with ember_ml.using_backend(other):
            y = pickle.loads(data)
            assert y.backend == engine and y.dtype == dtype and y.tolist() == [1, 2]
            assert ember_ml.get_backend() == other  # restoring did not change the backend
            assert ops.add(y, 1).tolist() == [2, 3]
    broken = x.__getstate__() | {"dtype": "no dtype"}
    with pytest.raises(TypeError):
        x.__setstate__(broken)
    assert ember_ml.get_backend() == engine


@dtypes
def test_000_array_interface_needs_no_numpy_before(engine, dtype):
    x, want = sample((2, 3), dtype)
    assert (
        x.tolist() == want.tolist()
        and np.asarray(x).dtype == dtype
        and np.array_equal(np.asarray(x), want)
    )
    code = f"import ember_ml, sys; x = ember_ml.tensor([[1.0, 2.0]], dtype='{dtype}'); x.tolist(); list(x); repr(x); assert 'numpy' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"EMBER_ML_BACKEND": "native"}
    )


@dtypes
def test_000_iteration_gives_tensors(engine, dtype):
    x = tensor.EmberTensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=dtype, requires_grad=True)
    rows = list(x)
    assert [r.tolist() for r in rows] == [[1, 2], [3, 4], [5, 6]]
    for y in (*rows, *rows[0]):
        assert isinstance(y, tensor.EmberTensor) and (
            y.dtype,
            y.device,
            y.requires_grad,
            y.backend,
        ) == (dtype, "cpu", True, engine)
    with pytest.raises(TypeError):
        iter(rows[0][0])


@dtypes
def test_000_creation_on_a_tensor_inherits(engine, dtype):
    x = tensor.EmberTensor([1.0, 2.0], dtype=dtype, requires_grad=True)
    for y in (
        x.zeros((2, 3)),
        x.ones(4),
        x.full((2,), 7),
        x.eye(2),
        x.arange(3),
        x.linspace(0, 1, 3),
        x.random_normal((2,)),
        x.random_uniform((2,)),
    ):
        assert (y.dtype, y.device, y.backend) == (dtype, "cpu", engine) and y.requires_grad
    assert (
        x.zeros((2, 3)).tolist() == [[0] * 3] * 2
        and x.zeros((2,), dtype="int32").dtype == "int32"
        and x.zeros(shape=(2,), device="cpu").device == "cpu"
    )
    with ember_ml.using_backend("native"):
        assert x.zeros((2,)).backend == engine


@dtypes
@pytest.mark.parametrize("suffix", [".npy", ".safetensors"])
def test_000_files_are_the_same_on_every_backend(engine, dtype, suffix, tmp_path):
    x, want = sample((3, 4), dtype)
    ops.save(str(tmp_path / f"a{suffix}"), x)
    with ember_ml.using_backend("native"):
        ops.save(tensor.convert_to_tensor(want.tolist(), dtype=dtype), str(tmp_path / f"b{suffix}"))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    y = ops.load(str(tmp_path / f"b{suffix}"))
    assert y.tolist() == want.tolist() and y.dtype == dtype and y.backend == engine


# ---- 001: backends ----
def test_001_management_functions_have_their_signatures():
    # Block 0 is a list of signatures without bodies.
    for name in re.findall(r"def (\w+)\(", BLOCKS["001"][0]):
        assert callable(getattr(ember_ml.backend, name))
        assert name == "get_backend_module" or getattr(ops, name) is getattr(ember_ml, name)
    assert isinstance(ember_ml.get_backend(), str) and isinstance(
        ember_ml.backend.get_backend_module(), types.ModuleType
    )
    name, device = ember_ml.auto_select_backend()
    assert name in ember_ml.get_available_backends() and isinstance(device, str)
    with pytest.raises((ValueError, RuntimeError), match="no such backend"):
        ember_ml.set_backend("no such backend")


def test_001_explicit_selection(engine):
    skip_unless_under_test("numpy")
    run("001", 1, "set_backend('numpy')", ember_ml=ember_ml)
    assert ember_ml.get_backend() == "numpy" == ops.ones((2,)).backend


def started(home, code="print(ember_ml.get_backend())", **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("EMBER_ML_")} | {
        "HOME": str(home),
        **more,
    }
    return subprocess.run(
        [sys.executable, "-c", "import ember_ml; " + code],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_001_file_and_environment_choose(engine, tmp_path):
    # Blocks 2 and 3 are internals: the file ~/.ember/backend, the environment variable, and
    # detection, which is used if neither is set.
    assert (
        started(
            tmp_path,
            "ember_ml.set_backend('{0}', persist=True); print(ember_ml.get_backend())".format(
                engine
            ),
        )
        == engine
    )
    assert (tmp_path / ".ember" / "backend").read_text().split()[0] == engine
    assert started(tmp_path) == engine
    assert started(tmp_path, EMBER_ML_BACKEND="native") == "native"
    (tmp_path / ".ember" / "backend").unlink()
    assert started(tmp_path) == ember_ml.auto_select_backend()[0]


def test_001_lazy_loading(tmp_path):
    code = "import sys; print([m for m in ('numpy', 'torch', 'mlx', 'mlx.core', 'ember_ml.nn', 'ember_ml.ops') if m in sys.modules])"
    assert started(tmp_path, code) == "[]"


def test_001_types():
    # Block 5 has Python 3.12's `type` statements; the names are the same.
    from ember_ml.types import Numeric, Shape, ShapeLike, TensorLike, TensorTypes

    assert set(re.findall(r"type (\w+) =", BLOCKS["001"][5])) == {
        "Numeric",
        "Shape",
        "ShapeLike",
        "TensorTypes",
    }
    assert (
        typing.get_args(Numeric) == (int, float)
        and int in typing.get_args(ShapeLike)
        and Shape is not None
    )
    assert tensor.EmberTensor in typing.get_args(
        TensorTypes
    ) and tensor.EmberTensor in typing.get_args(TensorLike)


LISTS = [
    (6, "_STATS_OPS_LIST", "ember_ml.ops.stats"),
    (7, "_LINEARALG_OPS_LIST", "ember_ml.ops.linearalg"),
    (8, "_ACTIVATION_OPS_LIST", "ember_ml.nn.modules.activations"),
    (10, "_FEATURES_OPS_LIST", "ember_ml.nn.features"),
    (13, "_MASTER_OPS_LIST", "ember_ml.ops"),
]


@pytest.mark.parametrize("place,name,module", LISTS, ids=[n for _, n, _ in LISTS])
def test_001_listed_names_work(place, name, module):
    listed = run("001", place, name)[name]
    m = importlib.import_module(module)
    assert listed and not [n for n in listed if not callable(getattr(m, n, None))]
    assert not hasattr(m, name)  # the private lists are not provided


MATRIX = np.array([[4.0, 1.0], [1.0, 3.0]])
STATS = {
    "mean": np.mean,
    "var": np.var,
    "median": np.median,
    "std": np.std,
    "max": np.max,
    "min": np.min,
    "sum": np.sum,
    "argmax": np.argmax,
}
LINEAR = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "cholesky": np.linalg.cholesky,
    "norm": np.linalg.norm,
    "diag": np.diag,
    "diagonal": np.diagonal,
}


@dtypes
@pytest.mark.parametrize("name", [*STATS, "percentile", "cumsum", "sort", "argsort", "gaussian"])
def test_001_statistics(engine, dtype, name):
    from ember_ml.ops import stats

    x, v = sample((5,), dtype)
    gives = "int64" if name.startswith("arg") else dtype
    if name == "percentile":
        return near(stats.percentile(x, 40), np.percentile(v, 40), dtype)
    want = {
        "cumsum": np.cumsum,
        "sort": np.sort,
        "argsort": lambda a: np.argsort(a, kind="stable"),
        "gaussian": lambda a: np.exp(-a * a / 2) / np.sqrt(2 * np.pi),
    }.get(name) or STATS[name]
    near(getattr(stats, name)(x), want(v), dtype, 8, gives=gives)


@dtypes
@pytest.mark.parametrize("name", [*LINEAR, "solve", "svd", "eig", "eigvals", "qr", "lstsq"])
def test_001_linear_algebra(engine, dtype, name):
    from ember_ml.ops import linearalg

    a, b = (
        tensor.convert_to_tensor(MATRIX.tolist(), dtype=dtype),
        tensor.convert_to_tensor([[1.0], [2.0]], dtype=dtype),
    )
    f = getattr(linearalg, name)
    if name in LINEAR:
        return near(f(a), LINEAR[name](MATRIX), dtype, 16)
    if name in ("solve", "lstsq"):
        return near(
            f(a, b) if name == "solve" else f(a, b)[0],
            np.linalg.solve(MATRIX, [[1.0], [2.0]]),
            dtype,
            16,
        )
    if name == "svd":
        u, s, vh = f(a)
        return near(u @ (s.reshape((2, 1)) * vh), MATRIX, dtype, 16)
    if name == "qr":
        q, r = f(a)
        return near(q @ r, MATRIX, dtype, 16)
    values = f(a)[0] if name == "eig" else f(a)
    found = np.sort(np.asarray(values.tolist()).real)
    assert np.allclose(found, np.linalg.eigvalsh(MATRIX), rtol=16 * EPS[dtype])


@dtypes
@pytest.mark.parametrize("name", ["relu", "sigmoid", "tanh", "softmax", "softplus"])
def test_001_activations_are_functions_and_modules(engine, dtype, name):
    from ember_ml.nn.modules import activations

    x, v = sample((3, 4), dtype)
    want = {
        "relu": lambda a: np.maximum(a, 0),
        "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
        "tanh": np.tanh,
        "softplus": lambda a: np.log1p(np.exp(a)),
        "softmax": lambda a: np.exp(a) / np.exp(a).sum(-1, keepdims=True),
    }[name](v)
    near(getattr(activations, name)(x), want, dtype, 8)
    kind = {"relu": "ReLU"}.get(name, name.capitalize())
    module = getattr(
        importlib.import_module(f"ember_ml.nn.modules.activations.{name}_module"), kind
    )
    near(module()(x), want, dtype, 8)


@dtypes
def test_001_features(engine, dtype):
    from ember_ml.nn import features

    x, v = sample((20, 3), dtype)
    # Learned values are at least float32, so that 16-bit inputs lose no precision.
    near(
        features.standardize_features().fit_transform(x), (v - v.mean(0)) / v.std(0), "float32", 16
    )
    reduced = features.pca()
    reduced.fit(x)
    near(
        ops.abs(reduced.transform(x)),
        np.abs((v - v.mean(0)) @ np.linalg.svd(v - v.mean(0))[2].T),
        "float32",
        64,
    )
    assert features.normalize_features().fit_transform(x).shape == (20, 3)
    assert features.one_hot([0, 2], 3).tolist() == [[1, 0, 0], [0, 0, 1]]
    near(
        features.scatter(x[:, 0], tensor([0, 1] * 10), 2),
        [v[::2, 0].sum(), v[1::2, 0].sum()],
        dtype,
        8,
    )


def test_001_convert_gives_the_same_object(engine):
    # Block 12 compares types in a way that is never true; its intent is that a tensor is returned
    # unchanged.
    x = tensor.convert_to_tensor([1.0, 2.0])
    assert (
        tensor.convert_to_tensor(x) is x
        and ops.convert_to_tensor(x) is x
        and ember_ml.convert_to_tensor(x, dtype="float32") is x
    )


def test_001_nothing_is_stale_after_a_switch(engine):
    # Blocks 4, 14 and 20 replace functions at each switch; here a function selects the engine at
    # each call, so an old reference works too.
    from ember_ml.ops import add, multiply
    from ember_ml.ops.linearalg import inv
    from ember_ml.ops.stats import mean

    view = ember_ml.backend.get_backend_module()
    for name in [*ember_ml.get_available_backends(), engine]:
        ops.set_backend(name)
        for y in (
            add([1.0], 1.0),
            multiply([1.0], 2.0),
            inv([[2.0]]),
            mean([1.0, 3.0]),
            view.sin([0.0]),
        ):
            assert y.backend == name
    assert ops.add is add


def test_001_devices(engine):
    # Block 18 tries each library in turn; the names are the same.
    x = ops.ones((2,))
    assert (
        ops.get_device() == ops.get_device(x) == x.device == "cpu"
        and "cpu" in ops.get_available_devices()
        and ops.to_device(x, "cpu").device == "cpu"
    )
    with pytest.raises((ValueError, RuntimeError)):
        ops.to_device(x, "abacus")


def test_001_same_signature_on_all_backends(engine):
    import inspect

    # Blocks 9, 15 to 17, 19 and 21 are one add per backend; here one add serves all backends.
    assert list(inspect.signature(ops.add).parameters) == ["x1", "x2"] and list(
        inspect.signature(ops.mean).parameters
    )[:3] == ["x", "axis", "keepdims"]
    assert ops.add(tensor([1.0, 2.0]), y=1.0).tolist() == [2, 3]


# ---- 002: front end and back end ----
@dtypes
def test_002_operation(engine, dtype):
    x, v = sample((3, 4), dtype)
    near(run("002", 0, "def process_data(")["process_data"](x), np.sin(v), dtype)


@dtypes
def test_002_conversion(engine, dtype):
    x, v = sample((5,), dtype, low=0, high=255)
    near(run("002", 1, "ops.cast(255.0, x.dtype)")["normalize_data"](x), v / 255, dtype)


@dtypes
def test_002_feature_extraction(engine, dtype):
    extractor = run("002", 2, "class FeatureExtractor:")["FeatureExtractor"](4)
    x, v = sample((3, 4), dtype)
    assert extractor.extract(x) is x
    near(
        extractor.extract(x, mask=tensor.array([1.0, 0.0, 1.0, 0.0], dtype=dtype)),
        v * [1, 0, 1, 0],
        dtype,
    )
    near(
        extractor.extract(v.tolist(), mask=tensor.convert_to_tensor([True, False, True, False])),
        v * [1, 0, 1, 0],
        "float32",
    )


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


@dtypes
def test_002_wave(engine, dtype):
    process = run("002", 3, "ops.frame(x, frame_length=1024, hop_length=512)")["process_wave"]
    x, v = sample((4096,), dtype)
    frames = np.stack([v[i : i + 1024] for i in range(0, 4096 - 1023, 512)])
    # [frequencies, frames].
    near(process(x), np.fft.rfft(frames * hann(1024)).T, "float32", 16, gives="complex64")
    assert (
        ops.hann_window(1024).shape == (1024,)
        and ops.hann_window(4).tolist() == pytest.approx([0, 0.5, 1, 0.5])
        and ops.hann_window(4, periodic=False).tolist()[-1] == pytest.approx(0)
    )


@dtypes
def test_002_scatter_mean(engine, dtype):
    x, v = sample((6,), dtype)
    scope = run("002", 4, "def scatter_mean(")
    want = [v[[0, 2, 5]].mean(), v[[1, 4]].mean(), 0, v[3]]
    near(scope["scatter_mean"](x, [0, 1, 0, 3, 1, 0], 4), want, dtype)
    near(ops.scatter_mean(x, [0, 1, 0, 3, 1, 0], 4), want, dtype)


@dtypes
def test_002_specialization(engine, dtype):
    from ember_ml.features import SpecializedProcessor as ours

    seed = run("002", 5, "class SpecializedProcessor:")["SpecializedProcessor"]
    x, v = sample((5,), dtype)
    for role, factor in (("memory", 0.95), ("inhibition", -0.5), ("default", 1.0)):
        near(seed(role).process(x), v * factor, dtype)
        near(ours(role).process(x), v * factor, dtype)
    assert seed().role == "default"


@dtypes
def test_002_scatter(engine, dtype):
    x, v = sample((5,), dtype)
    near(
        run("002", 6, 'ops.scatter(data, indices, aggr="add")')["scatter_example"](
            x, [3, 0, 3, 1, 0]
        ),
        [v[1] + v[4], v[3], 0, v[0] + v[2]],
        dtype,
    )


@dtypes
def test_002_waveform(engine, dtype):
    process = run("002", 7, "def process_waveform(")["process_waveform"]
    frames, v = sample((3, 1024), dtype)
    # A matrix: frames.
    near(process(frames), np.fft.rfft(v * hann(1024)).T, "float32", 16, gives="complex64")
    signal, v = sample((1024,), dtype)
    # A vector: one frame.
    near(process(signal), np.fft.rfft(v * hann(1024)), "float32", 16, gives="complex64")
    padded = np.pad(v, 128, mode="reflect")  # with n_fft: stft splits the signal into frames
    want = np.stack(
        [np.fft.rfft(padded[i : i + 256] * hann(256)) for i in range(0, len(padded) - 255, 64)], -1
    )
    near(ops.stft(signal, n_fft=256), want, "float32", 32, gives="complex64")


@dtypes
def test_002_best_practices(engine, dtype):
    # Blocks 8 to 10 show a wrong way after each right one; the part before "Wrong" runs.
    a, v = sample((3, 3), dtype)
    b, w = sample((3, 3), dtype, 2)

    def right(place, **given):
        scope = {"tensor": tensor, "ops": ops, **given}
        exec(BLOCKS["002"][place].partition("# ❌ Wrong")[0], scope)
        return scope

    scope = right(8, a=a, b=b)
    near(scope["result"], v @ w, dtype, 8)
    near(scope["compute"](a, b), v @ w, dtype, 8)
    assert right(9, input_data=[1.0, 2.0])["x"].tolist() == [1, 2]
    near(right(10)["process"](a), np.maximum(v, 0), dtype)


def test_002_backend_equivalence(engine):
    skip_unless_under_test("numpy", "torch", "mlx")
    run("002", 11, "ops.set_backend(backend)")["test_backend_equivalence"]()
    # The same with the intended result: x is made before the switch, and only as many values as
    # there are indices are used.
    ops.set_backend(engine)
    x = tensor.ones((10,))
    for backend in ("numpy", "torch", "mlx"):
        ops.set_backend(backend)
        assert ops.scatter(x, tensor.array([0, 1, 0])).tolist() == [2, 1]
        assert x.backend == engine


@dtypes
def test_002_scatter_edge_cases(engine, dtype):
    run("002", 12, "ops.scatter(large, sparse_indices)")["test_scatter_edge_cases"]()
    empty = ops.scatter(tensor.array([], dtype=dtype), tensor.array([], dtype=tensor.int32))
    assert empty.shape == (0,) and empty.dtype == dtype
    large = ops.scatter(tensor.ones((10000,), dtype=dtype), tensor.array([0, 9999]))
    assert (
        large.shape == (10000,)
        and large.dtype == dtype
        and large[0].item() == large[9999].item() == 1
        and ops.sum(large).item() == 2
    )
    with pytest.raises(ValueError):
        ops.scatter(tensor.ones((2,), dtype=dtype), [0, 1, 0])  # more indices than values


def test_002_type_safety(engine):
    run("002", 13, "ops.matmul(x, y)")["verify_type_safety"]()
    x, y = tensor.ones((10,), dtype=tensor.float32), tensor.ones((10,), dtype=tensor.float16)
    with pytest.raises(TypeError, match="float16"):
        ops.matmul(x, y)
    assert ops.matmul(x, x).item() == 10 and ops.matmul(y, y).dtype == "float16"


@dtypes
def test_002_layer_primitives(engine, dtype):
    scope = run("002", 14, "class SequenceMixingLayer(base.Layer):")
    x, v = sample((2, 3, 4), dtype)
    near(scope["ChannelMixingLayer"]()(x), v, dtype)
    mask = tensor.convert_to_tensor([[[1.0], [0.0], [1.0]]], dtype=dtype)
    near(scope["SequenceMixingLayer"]()(x), v, dtype)
    near(scope["SequenceMixingLayer"]()(x, mask), v * [[[1], [0], [1]]], dtype)
    near(scope["SequenceMixingLayer"]()(x, mask=mask), v * [[[1], [0], [1]]], dtype)


def test_002_registry(engine):
    from ember_ml.nn import Model
    from ember_ml.registry import registry

    class TransformerModel(Model):
        def __init__(self, hidden_size):
            super().__init__()
            self.hidden_size = hidden_size

        def forward(self, x):
            return x

    scope = run("002", 15, '@register("models/transformer")', TransformerModel=TransformerModel)
    made = registry().create({"type": "models/transformer", "hidden_size": 8})
    assert made.hidden_size == 8 and scope["TransformerConfig"](6).create(None).hidden_size == 6


@dtypes
def test_002_time_series(engine, dtype):
    features = run("002", 16, "ops.reduce_std(x, axis=1, keepdims=True)")["TimeSeriesFeatures"]()
    x, v = sample((3, 8), dtype)
    near(features.extract(x), (v - v.mean(1, keepdims=True)) / v.std(1, keepdims=True), dtype, 16)


@dtypes
def test_002_hybrid_model(engine, dtype):
    config = types.SimpleNamespace(hidden_size=8)
    model = run("002", 17, "class HybridModel(Model):", ModelConfig=types.SimpleNamespace)[
        "HybridModel"
    ](config)
    x, _ = sample((2, 5, 8), "float32")
    y = model(x)
    assert y.shape == (2, 5, 8) and y.dtype == "float32" and len(list(model.parameters())) > 4
    near(model(x), np.asarray(y.tolist()), "float32")
    model.to(dtype=dtype)
    again = model(x.astype(dtype))
    assert again.dtype == dtype
    near(again, np.asarray(y.tolist()), dtype, 32)
    # Layers do not depend on an engine: the same model continues on another one.
    with ember_ml.using_backend("native"):
        assert np.allclose(
            np.asarray(model(x.astype(dtype)).tolist()),
            np.asarray(again.tolist()),
            atol=64 * EPS[dtype],
        )


@dtypes
def test_002_distribution(engine, dtype):
    made = run("002", 18, "ops.split(batch, self.num_devices)")["DataParallelStrategy"]()
    made.num_devices = 2
    x, v = sample((6, 3), dtype)
    parts = made.distribute(x)
    near(parts[0], v[:3], dtype)
    near(parts[1], v[3:], dtype)


@dtypes
def test_002_checkpointing(engine, dtype):
    checkpoint = run("002", 19, "manager.checkpoint_function(fn, *args)")[
        "GradientCheckpointing"
    ]().checkpoint
    x, v = sample((4,), dtype)
    f = lambda a, b: ops.sum(ops.sin(ops.multiply(a, b)))
    near(checkpoint(f, x, x), np.sin(v * v).sum(), dtype, 8)
    got = ember_ml.grad(lambda a: checkpoint(f, a, a))(x)
    near(got, np.asarray(ember_ml.grad(lambda a: f(a, a))(x).tolist()), dtype)
    near(got, 2 * v * np.cos(v * v), dtype, 16)


@dtypes
def test_002_scatter_on_each_engine(engine, dtype):
    # Blocks 20 to 22 are one implementation per engine, in that engine's own functions. NumPy's
    # block runs unchanged and is the reference.
    block = run("002", 22, "np.add.at(output, indices, values)", np=np)["optimize_scatter_numpy"]
    x, v = sample((9,), dtype)
    at = tensor.convert_to_tensor([0, 3, 1, 3, 3, 0, 2, 1, 0])
    near(ops.scatter(x, at, 5), block(x, at, 5), dtype)
    assert ops.scatter(x, at, 5).backend == engine
    before = ember_ml.counters()["fallbacks"]
    ops.scatter(x, at, 5).eval()
    assert ember_ml.counters()["fallbacks"] == before  # computed by the engine itself


@dtypes
def test_002_trained_here_and_continued_there(engine, dtype):
    from ember_ml import nn
    from ember_ml.training import SGD

    x, v = sample((8, 3), "float32")
    target = tensor.convert_to_tensor((v @ [[1.0], [-2.0], [0.5]]).tolist())
    model = nn.Linear(3, 1)
    optimizer = SGD(model.parameters(), lr=0.05)

    def steps(n):
        for _ in range(n):
            optimizer.zero_grad()
            loss = ops.mse(target, model(x))
            loss.backward()
            optimizer.step()
        return loss.item()

    first = steps(1)
    here = steps(20)
    with ember_ml.using_backend("native"):
        there = steps(20)
    assert there < here < first and next(iter(model.parameters())).dtype == "float32"


# ---- 004: purity ----
@dtypes
def test_004_statistics(engine, dtype):
    scope = run("004", 1, "from emberharmony import ops")
    x, v = sample((4, 5), dtype)
    mean, std = scope["calculate_statistics"](x)
    near(mean, v.mean(), dtype)
    near(std, v.std(), dtype)
    near(scope["process_tensor"](x), v * 2, dtype)


@dtypes
def test_004_precision(engine, dtype):
    scope = run("004", 3, "return ops.mean(values)")
    x, v = sample((4, 5), dtype)
    near(scope["normalize"](x), (v - v.min()) / (v.max() - v.min()), dtype)
    near(scope["calculate_average"](x), v.mean(), dtype)
    # Integers are never divided.
    near(scope["calculate_average"](tensor.convert_to_tensor([1, 2])), 1.5, "float32")
    # As in the block's comment.
    near(ops.divide(ops.sum(x), ops.full((), 20, dtype=getattr(ops, dtype))), v.mean(), dtype)


@dtypes
def test_004_performance(engine, dtype):
    scope = run("004", 5, "indices = ops.triu_indices(len(points), k=1)")
    x, v = sample((6, 3), dtype)
    near(scope["process_data"](x), np.log(1 + np.abs(v)), dtype)
    i, j = np.triu_indices(6, 1)
    near(scope["calculate_distances"](x), np.sqrt(((v[i] - v[j]) ** 2).sum(-1)), dtype)
    near(
        scope["normalize_data"](x, ops.mean(x, axis=0), ops.std(x, axis=0)),
        (v - v.mean(0)) / v.std(0),
        dtype,
        16,
    )


@dtypes
def test_004_functions_for_operators(engine, dtype):
    scope = run("004", 7, "ops.multiply(ops.add(a, b), c)")
    (a, v), (b, w) = sample((3, 4), dtype), sample((3, 4), dtype, 2)
    near(scope["compute_loss"](a, b), ((v - w) ** 2).mean(), dtype)
    near(scope["mixed_operations"](a, b, 2.0), (v + w) * 2, dtype)
    near(ops.power(a, 2), v**2, dtype)
    # Python's operators record too.
    assert not scope["mixed_operations"](a, b, 2.0).evaluated and not ((a + b) * 2.0).evaluated


@dtypes
def test_004_types(engine, dtype):
    # ops.some_operation represents any op.
    scope = run(
        "004",
        9,
        "ops.some_operation(tensor)",
        ops=types.SimpleNamespace(
            **{n: getattr(ops, n) for n in ops.__all__}, some_operation=ops.abs
        ),
    )
    assert (
        scope["create_tensor"]((2, 3)).dtype == "float32"
        and scope["create_tensor"]((2, 3), dtype=getattr(ops, dtype)).dtype == dtype
    )
    x, v = sample((3,), dtype)
    near(scope["process_input"](x), np.abs(v), dtype)
    near(scope["process_input"](v.astype(dtype)), np.abs(v), dtype)
    near(scope["process_input"](v.tolist()), np.abs(v), "float32")


@dtypes
def test_004_random(engine, dtype):
    x = run("004", 11, "ops.random_normal(shape, mean=0.0, stddev=1.0)")["generate_samples"](
        (2000,)
    )
    assert (
        x.shape == (2000,)
        and x.dtype == "float32"
        and abs(ops.mean(x).item()) < 0.1
        and abs(ops.std(x).item() - 1) < 0.1
    )
    y = ops.random_normal((2000,), mean=3.0, stddev=0.5, dtype=dtype)
    assert (
        y.dtype == dtype
        and abs(ops.mean(y).item() - 3) < 0.1
        and abs(ops.std(y).item() - 0.5) < 0.1
    )


@dtypes
def test_004_devices(engine, dtype):
    place = run("004", 13, "ops.to_device(tensor, device)")["place_on_device"]
    x, v = sample((3,), dtype)
    near(place(x, "cpu"), v, dtype)
    if "cuda" not in {d.partition(":")[0] for d in ops.get_available_devices()}:
        with pytest.raises((ValueError, RuntimeError), match="cuda"):
            place(x)  # the block's device is not available here


@dtypes
def test_004_utility_functions(engine, dtype):
    x, v = sample((2, 3), dtype)
    assert (
        ops.shape(x) == (2, 3)
        and ops.ndim(x) == 2
        and ops.float32 == "float32"
        and ops.int64 == "int64"
    )
    near(ops.expand_dims(x, axis=1), v[:, None], dtype)
    near(ops.full((2,), 7, dtype=dtype), [7, 7], dtype)
    assert [i.tolist() for i in ops.triu_indices(3, k=1)] == [
        a.tolist() for a in np.triu_indices(3, 1)
    ]
