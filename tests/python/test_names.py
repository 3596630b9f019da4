"""Ember ML's names: each of its list (tests/data/ember-ml-api.md) is where its users look for it.

It takes the parameters that the list documents.
"""

import ast
import importlib
import pathlib
import re

import numpy as np
import pytest

import ember_ml
from ember_ml import linearalg, ops, stats, tensor

TEXT = (pathlib.Path(__file__).resolve().parents[1] / "data/ember-ml-api.md").read_text()

# Internal functions of one backend; the core does their work.
INSIDES = {
    "NumpyDType",
    "NumpyTensor",
    "convert_to_torch_tensor",
    "HPC16x8",
    "orthogonalize_nonsquare",
}
# Parameters of a single backend, or without a meaning in Ember: files never contain pickled
# objects.
ALONE = {"allow_pickle", "k", "debug", "max_matrix_size", "max_threads", "timeout_seconds"}
SHARED_K = {"diag"}  # all backends have its k


def section(number):
    m = re.search(rf"^### {re.escape(number)} .*?(?=^### |\Z)", TEXT, re.M | re.S)
    return m[0] if m else ""


def parts(s):
    out, depth, one = [], 0, ""
    for c in s:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            out.append(one.strip())
            one = ""
        else:
            one += c
    return [*out, one.strip()] if one.strip() else out


def entries(number):
    """(name, [[(parameter, default or None), ...] for each way its backends have it])."""
    for line in section(number).splitlines():
        if not (m := re.match(r"- [N-][T-][M-] `(\w+)(.*)$", line)):
            continue
        name, rest = m[1], m[2]
        ways = (
            re.findall(r"[NTM] `\((.*?)\)`(?=[;\s]|$)", rest)
            if "differs:" in line
            else [s[0] for s in re.findall(r"^\((.*)\)(`)", rest)]
        )
        yield (
            name,
            [
                [
                    (p.partition("=")[0].strip(), p.partition("=")[2].strip() or None)
                    for p in parts(w)
                ]
                for w in dict.fromkeys(ways)
            ],
        )


MATRIX = [[4.0, 1.0], [1.0, 3.0]]
BITS = ("bit", "shift", "rotate", "count_")
SAMPLES = {
    **dict.fromkeys(
        (
            "x",
            "y",
            "a",
            "b",
            "A",
            "matrix",
            "data",
            "tensor",
            "data1",
            "data2",
            "input_array",
            "input_vector",
            "logits",
        ),
        MATRIX,
    ),
    **dict.fromkeys(
        (
            "vector1",
            "vector2",
            "input_wave",
            "input_wave1",
            "input_wave2",
            "f",
            "initial_value",
            "input_value",
        ),
        [1.0, 4.0, 9.0],
    ),
    "tensors": [MATRIX, MATRIX],
    "min_val": 0.0,
    "max_val": 2.0,
    "q": 50.0,
    "condition": [True, False],
    "device": "cpu",
    "decay_rate": 0.5,
    "y_true": [0.0, 1.0],
    "y_pred": [0.25, 0.5],
    "shape": (2, 3),
    "fill_value": 7,
    "n": 2,
    "start": 0,
    "stop": 4,
    "num": 5,
    "indices": [0, 1],
    "index": [0, 1, 0],
    "values": [1.0, 2.0, 3.0],
    "src": [1.0, 2.0, 3.0],
    "dim_size": 2,
    "paddings": [[1, 1], [0, 2]],
    "num_samples": 3,
    "axis": 0,
    "starts": [0, 1],
    "sizes": [2, 1],
    "slices": tensor.index[0],
    "updates": [9.0, 9.0],
    "num_or_size_splits": 2,
    "num_splits": 2,
    "reps": (2, 1),
    "seed": 3,
    "value": 1,
    "position": 1,
    "shifts": 1,
    "shift": 1,
    "wave": [1, 2],
    "waves": [[1, 2], [3, 4]],
    "length": 8,
    "duty_cycle": 0.25,
    "half_period": 2,
    "dtype": "float32",
}
OWN = {
    "arange": {"stop": 4},
    "gather": {"indices": [0, 1]},
    "scatter": {"data": [1.0, 2.0, 3.0], "indices": [0, 1, 0]},
    "tensor_scatter_nd_update": {"indices": [[0, 0], [1, 1]]},
    "reshape": {"shape": (4,)},
    "squeeze": {"data": [[1.0]], "tensor": [[1.0]]},
    "binary_split": {"a": 0, "b": 4},
    "index_update": {"value": 5.0},
    "categorical_crossentropy": {"y_true": [[0.0, 1.0]], "y_pred": [[0.25, 0.75]]},
    "sparse_categorical_crossentropy": {"y_true": [1], "y_pred": [[0.25, 0.75]]},
    **{name: {"data": [MATRIX, MATRIX]} for name in ("concatenate", "stack", "hstack", "vstack")},
    "item": {"data": [[3.0]]},
    "cumsum": {"x": [1.0, 2.0]},  # without an axis only for vectors, as in the standard
    "sum": {"keepdims": True},
}


def sample(name, parameter, default):
    if parameter in OWN.get(name, {}):
        return OWN[name][parameter]
    if default is not None:
        return ast.literal_eval(default)
    if parameter in ("x", "y") and (name in ember_ml.bitwise.__all__):
        return [5, 9]
    return SAMPLES[parameter]


def call(f, name, way):
    # scatter(indices, updates, shape): the shape distinguishes it, so the order is given.
    if way and way[0][0] == "indices":
        return f([[0, 1], [2, 2]], [100, 200], (3, 4))
    if any(p == "*indices" for p, _ in way):
        return f(MATRIX, 0, 1, value=5.0)
    if any(p == "*arrays" for p, _ in way):
        return f([1.0, 2.0], [3.0, 4.0, 5.0], indexing="xy")
    if name == "slice_update":  # its first parameter has another name on each backend
        return f(MATRIX, **{p: sample(name, p, d) for p, d in way[1:]})
    dropped = ALONE - ({"k"} if name in SHARED_K else set()) | (
        {"keepdim"} if ("keepdims", "None") in way else set()
    )
    return f(
        **{
            p: sample(name, p, d)
            for p, d in way
            if p not in dropped and not p.startswith("*") and not (d or "").startswith("mlx.")
        }
    )


PLACES = [
    ("1.2", "ember_ml.ops"),
    ("1.3", "ember_ml.ops.stats"),
    ("1.3", "ember_ml.stats"),
    ("1.4", "ember_ml.ops.linearalg"),
    ("1.4", "ember_ml.linearalg"),
    ("1.4", "ember_ml.linalg"),
    ("1.5", "ember_ml.ops.bitwise"),
    ("1.5", "ember_ml.bitwise"),
    ("1.6", "ember_ml.ops.activations"),
    ("1.6", "ember_ml.activations"),
    ("1.7", "ember_ml"),
    ("1.7", "ember_ml.tensor"),
    ("1.7", "ember_ml.nn.tensor"),
]
NAMES = [
    pytest.param(place, name, ways, id=f"{place}.{name}")
    for number, place in PLACES
    for name, ways in entries(number)
    if name not in INSIDES
]


def test_the_list_of_names_is_complete():
    assert (
        len(list(entries("1.2"))) > 180
        and len(list(entries("1.7"))) == 58
        and all(ways for _, ways in entries("1.7"))
    )


@pytest.mark.parametrize("place,name,ways", NAMES)
def test_name_is_there(place, name, ways):
    assert hasattr(importlib.import_module(place), name)


# A function that is in several modules is called in one of them only.
@pytest.mark.parametrize(
    "name,ways",
    [
        pytest.param(*p.values[1:], id=p.id)
        for p in NAMES
        if p.values[0] in ("ember_ml.ops", "ember_ml.linearalg", "ember_ml.tensor")
        and p.values[1] not in ("pi", "save", "load")
    ],
)
def test_name_takes_its_parameters(engine, name, ways, request):
    place = importlib.import_module(request.node.callspec.id.split("-")[-1].rpartition(".")[0])
    for way in ways:
        result = call(getattr(place, name), name, way)
        for t in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(t, tensor.EmberTensor):
                t.tolist()


def test_modules_hold_the_same_functions():
    for place in ("ember_ml", "ember_ml.ops", "ember_ml.tensor"):
        module = importlib.import_module(place)
        for other in (stats, ember_ml.bitwise, ember_ml.activations):
            assert all(getattr(module, n) is getattr(other, n) for n in other.__all__)
    assert (
        ops.stats is stats
        and ops.linearalg is linearalg is ember_ml.linalg
        and ops.random is ember_ml.random
        and ember_ml.nn.tensor is tensor
    )


# 1.1: the top level and the backends.
@pytest.mark.parametrize(
    "name",
    """set_backend get_backend get_available_backends auto_select_backend using_backend ops stats linalg linearalg activations bitwise random training
    utils array convert_to_tensor tensor dtype get_dtype to_dtype_str from_dtype_str float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ index
    tolist random_bernoulli backend types""".split(),
)
def test_top_level_name(name):
    assert hasattr(ember_ml, name)


@pytest.mark.parametrize(
    "module,names",
    [
        (
            "ember_ml.backend",
            "get_backend_module load_backend_config get_device set_device set_backend get_backend get_available_backends auto_select_backend using_backend",
        ),
        (
            "ember_ml.types",
            "TensorLike ShapeLike Numeric Scalar Vector Matrix Shape DType Device Axis ScalarLike SupportsDType SupportsDevice EmberTensorLike TensorTypes",
        ),
        (
            "ember_ml.ops",
            "set_backend set_ops get_backend auto_select_backend using_backend random eval float32 int64 convert_to_tensor",
        ),
        (
            "ember_ml.nn.tensor",
            """EmberTensor EmberDType DType dtype TensorInterface DTypeInterface array convert_to_tensor get_dtype to_dtype_str from_dtype_str float16 float32 float64
        int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ zeros ones eye arange linspace zeros_like ones_like full full_like reshape transpose concatenate stack split
        split_tensor expand_dims squeeze tile gather scatter tensor_scatter_nd_update slice_tensor slice_update index_update cast copy pad to_numpy item shape random_uniform
        random_normal maximum random_bernoulli random_gamma random_exponential random_poisson random_categorical random_permutation shuffle random_shuffle set_seed get_seed
        meshgrid nonzero index Tensor save load slice integer floating""",
        ),
        (
            "ember_ml.utils.backend_utils",
            "get_current_backend set_preferred_backend initialize_random_seed convert_to_tensor_safe tensor_to_numpy_safe print_backend_info",
        ),
    ],
)
def test_module_has(module, names):
    m = importlib.import_module(module)
    assert not [n for n in names.split() if not hasattr(m, n)]


def test_backend_words(capsys):
    from ember_ml import backend
    from ember_ml.utils import backend_utils

    name, device = backend.auto_select_backend()
    assert name in backend.get_available_backends() and device in ("cpu", "cuda", "mps", "cuda:0")
    assert backend.load_backend_config()["native"] is True
    assert (
        backend_utils.set_preferred_backend("no such backend")
        == backend.get_backend()
        == backend_utils.get_current_backend()
    )
    backend_utils.print_backend_info()
    assert backend.get_backend() in capsys.readouterr().out
    backend_utils.initialize_random_seed(5)
    first = tensor.random_normal((3,)).tolist()
    backend_utils.initialize_random_seed(5)
    assert tensor.random_normal((3,)).tolist() == first and tensor.get_seed() == 5
    assert isinstance(backend_utils.tensor_to_numpy_safe([1, 2]), np.ndarray)


def test_backend_modules_can_only_be_read(engine):
    from ember_ml import backend

    m = backend.get_backend_module()
    assert (
        m.__name__.endswith(engine)
        and m.add(1, 2).item() == 3
        and backend.get_stats_module().mean([1.0, 3.0]).item() == 2
    )
    assert (
        backend.get_linearalg_module().det(MATRIX).item() == pytest.approx(11)
        and backend.get_activations_module().relu(-1.0).item() == 0
    )
    with pytest.raises(AttributeError, match="read"):
        m.add = None
    with pytest.raises(AttributeError, match="read"):
        del m.add
    assert ops.add(1, 2).item() == 3


def test_devices_and_memory(engine, tmp_path):
    x = ops.to_device(tensor([1.0, 2.0]), "cpu")
    assert (
        ops.get_device_of_tensor(x) == ops.get_device(x) == ops.get_default_device() == "cpu"
        and "cpu" in ops.get_available_devices()
    )
    assert ops.is_available("cpu") and not ops.is_available("abacus")
    big = ops.random_normal((1 << 20,)).eval()
    info = ops.memory_info()
    # Other engines have their own memory.
    assert info["allocated"] >= big.nbytes or engine != "native"
    assert (
        info["total"] > info["free"] > 0
        and info["reserved"] >= info["allocated"] > 0
        and ops.memory_usage("cpu")["total"] == info["total"]
    )
    ops.synchronize()
    ops.set_default_device("cpu")


# Names that users' code expects, one by one.
def test_tensor_is_callable_a_namespace_and_a_module(engine):
    import ember_ml.tensor as module
    from ember_ml.nn import tensor as in_nn

    assert module is tensor is in_nn
    assert (
        tensor([1, 2]).tolist() == [1, 2]
        and tensor.zeros((2,)).tolist() == [0, 0]
        and isinstance(tensor([1]), tensor.EmberTensor)
    )
    t = tensor([1.0, 2.0], dtype=tensor.float16, requires_grad=True)
    assert t.dtype == "float16" and t.requires_grad and tensor(t) is t


def test_dtypes_compare_as_their_names(engine):
    t = tensor.ones((2, 2))
    assert (
        tensor.dtype(t) == tensor.float32 == "float32"
        and tensor.dtype(t) in [tensor.float32, tensor.float64]
        and tensor.dtype(t) not in ["int32"]
    )
    assert (
        tensor.shape(t) == (2, 2)
        and isinstance(tensor.shape(t), tuple)
        and str(t.dtype).endswith("float32")
    )
    assert (
        tensor.dtype("int8")
        == tensor.get_dtype("int8")
        == tensor.from_dtype_str("int8")
        == tensor.int8
        and tensor.to_dtype_str(tensor.int8) == "int8"
    )
    assert ops.dtype([True]) == "bool" and tensor.dtype() == ember_ml.get_default_dtype()


def test_allclose_is_a_boolean_with_item(engine):
    yes, no = ops.allclose([1.0, 2.0], [1.0, 2.0]), ops.allclose([1.0, 2.0], [1.0, 2.5])
    assert (
        yes
        and yes.item() is True
        and not no
        and no.item() is False
        and yes.shape == ()
        and yes.dtype == "bool"
    )


@pytest.mark.parametrize("suffix", [".npy", ".safetensors"])
def test_save_takes_both_orders(engine, tmp_path, suffix):
    x = tensor([[1.0, 2.0], [3.0, 4.0]])
    ops.save(x, tmp_path / ("a" + suffix))
    tensor.save(str(tmp_path / ("b" + suffix)), x)
    ops.save(filepath=str(tmp_path / ("c" + suffix)), obj=x)
    for name in "abc":
        y = tensor.load(str(tmp_path / (name + suffix)))
        assert y.tolist() == x.tolist() and y.dtype == x.dtype and y.backend == engine
    assert len({(tmp_path / (name + suffix)).read_bytes() for name in "abc"}) == 1


def test_scatter_has_two_forms(engine):
    assert ops.scatter([1.0, 2.0, 3.0], [0, 1, 0], 4).tolist() == [4, 2, 0, 0]
    assert ops.scatter([1.0, 2.0, 3.0], [0, 1, 0], dim_size=3, aggr="max", axis=0).tolist() == [
        3,
        2,
        0,
    ]
    assert tensor.scatter(tensor([[0, 1], [2, 2]]), tensor([100, 200]), (3, 4)).tolist() == [
        [0, 100, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 200, 0],
    ]
    assert tensor.scatter([[2], [2]], [[1.0, 2.0], [3.0, 4.0]], [3, 2]).tolist() == [
        [0, 0],
        [0, 0],
        [4, 6],
    ]
    with pytest.raises(ValueError):
        tensor.scatter([[0]], [1.0], (2,), "mean")


def test_split_cuts_at_positions(engine):
    assert [p.tolist() for p in ops.split(tensor.arange(10), [3, 7])] == [
        [0, 1, 2],
        [3, 4, 5, 6],
        [7, 8, 9],
    ]
    assert [p.shape for p in tensor.split(tensor.zeros((4, 2)), num_or_size_splits=2)] == [
        (2, 2),
        (2, 2),
    ]


def test_what_its_tests_use_and_it_lacks(engine):
    x = tensor.reshape(tensor.arange(12), (3, 4))
    assert tensor.slice(x, starts=[1, 0], sizes=[2, 2]).tolist() == [
        [4, 5],
        [8, 9],
    ] and tensor.slice(x, [1, 2], [-1, -1]).tolist() == [[6, 7], [10, 11]]
    assert tensor.sort([3, 1, 2], descending=True).tolist() == [3, 2, 1] and tensor.argsort(
        [3, 1, 2]
    ).tolist() == [1, 2, 0]
    drawn = tensor.random_binomial((1000,), 0.25)
    assert 150 < drawn.sum().item() < 350 and set(drawn.tolist()) == {0, 1}
    assert (
        tensor.random_uniform((4,), minval=2, maxval=3, seed=7).tolist()
        == tensor.random_uniform((4,), 2, 3, seed=7).tolist()
        != tensor.random_uniform((4,), 2, 3, seed=8).tolist()
    )
    assert tensor.convert_to_tensor([1.0], requires_grad=True).requires_grad
    y = ops.sin(x)
    assert ops.eval(y) is None and y.evaluated
    ops.set_ops(engine)
    assert ops.get_backend() == engine and ops.get_device_of_tensor(x) == "cpu"
    assert isinstance(tensor.item(tensor([3])), (int, tensor.integer)) and isinstance(
        tensor.item(tensor([3.0])), (float, tensor.floating)
    )


def test_pi_is_a_float():
    assert ops.pi == 3.141592653589793 and isinstance(ops.pi, float)
    assert tensor([0.0, ops.pi / 2, 3 * ops.pi / 2]).shape == (3,)


def test_optimizers_take_both_spellings():
    from ember_ml.nn import Parameter
    from ember_ml.training import SGD, Adam

    p = Parameter(tensor([1.0]))
    for made in (
        SGD([p], learning_rate=0.1),
        SGD([p], lr=0.1),
        Adam([p], learning_rate=0.1, beta_1=0.8, beta_2=0.9, epsilon=1e-6),
        Adam([p], lr=0.1, betas=(0.8, 0.9), eps=1e-6),
    ):
        assert made.lr == pytest.approx(0.1)


def test_updates_return_a_new_tensor(engine):
    x = tensor([[1.0, 2.0], [3.0, 4.0]])
    assert tensor.index_update(x, 0, 1, value=9.0).tolist() == [
        [1, 9],
        [3, 4],
    ] and tensor.index_update(x, 1, value=[5.0, 6.0]).tolist() == [[1, 2], [5, 6]]
    assert tensor.slice_update(x, tensor.index[:, 1], [7.0, 8.0]).tolist() == [[1, 7], [3, 8]]
    assert tensor.slice_update(x, [slice(0, 1), slice(None)], 0.0).tolist() == [
        [0, 0],
        [3, 4],
    ] and tensor.slice_update(x, 1).tolist() == [3, 4]
    assert x.tolist() == [[1, 2], [3, 4]]


def test_to_numpy_shares_memory(engine):
    x = tensor([[1.0, 2.0], [3.0, 4.0]])
    a = tensor.to_numpy(x)
    assert (
        isinstance(a, np.ndarray) and a.tolist() == x.tolist() and np.shares_memory(a, x.to_numpy())
    )


def test_counted_imports_work():
    """The import lines of its tests, without the modules that Ember does not offer (its wave
    package and its plots)."""
    lines = re.findall(
        r"`((?:from|import) ember_ml[^`]*)`",
        TEXT[TEXT.index("### Import paths") : TEXT.index("## Inventory")],
    )
    scope = {}
    tried = []
    for line in lines:
        if re.search(r"ember_ml\.wave|visualization", line):
            continue
        exec(re.sub(r" / ", ", ", line), scope)
        tried.append(line)
    assert len(tried) > 40


# Results that differ between its backends: one of them is right, and Ember has it on every engine.
def value(x):
    return x.tolist() if isinstance(x, tensor.EmberTensor) else x


SAME = {
    "integers": lambda: (tensor.convert_to_tensor([1, 2, 3]).dtype, "int64"),
    "booleans": lambda: (tensor.convert_to_tensor([True, False]).dtype, "bool"),
    "booleans choose": lambda: (
        ops.where(tensor.convert_to_tensor([True, False]), 1.0, 2.0),
        [1, 2],
    ),
    "2**24 + 1": lambda: (tensor.convert_to_tensor([2**24 + 1]), [16777217]),
    "float64": lambda: (tensor.convert_to_tensor([1.5], dtype="float64").dtype, "float64"),
    "float64 sums": lambda: (ops.add(np.array([1.0]), np.array([2**-40])).dtype, "float64"),
    "float64 sum": lambda: (ops.add(np.array([1.0]), np.array([2**-40])), [1 + 2**-40]),
    "complex": lambda: (tensor.convert_to_tensor([1j]), [1j]),
    "arange": lambda: (tensor.arange(3).dtype, "int64"),
    "full": lambda: (tensor.full((2,), 7).dtype, "int64"),
    "bernoulli": lambda: (tensor.random_bernoulli((3,), 0.5).dtype, "bool"),
    "to_numpy": lambda: (type(tensor.to_numpy(tensor([1]))), np.ndarray),
    "item": lambda: (tensor.item(tensor.array(1 + 2j)), 1 + 2j),
    "median": lambda: (stats.median([1, 2, 3, 4]), 2.5),
    "gaussian": lambda: (
        stats.gaussian([0.0, 1.0]),
        [pytest.approx(v, rel=3e-7) for v in (0.3989422804, 0.2419707245)],
    ),
    "softplus": lambda: (ops.softplus(1000), 1000),
    "softmax": lambda: (ops.softmax([1000, 0]), [1, 0]),
    "split": lambda: ([p.shape[0] for p in ops.split([1, 2, 3, 4], [1, 3])], [1, 2, 1]),
    "transpose": lambda: (
        ops.transpose(ops.zeros((2, 3, 4))).shape,
        (4, 3, 2),
    ),  # NumPy's rule; the standard's permute_dims leaves it open
    "transpose axes": lambda: (
        ops.transpose(ops.zeros((2, 3, 4)), axes=(0, 2, 1)).shape,
        (2, 4, 3),
    ),
    "meshgrid": lambda: (ops.meshgrid([1, 2], [3, 4, 5])[0], [[1, 2]] * 3),
    "inv": lambda: (linearalg.inv([[0, 1], [1, 0]]), [[0, 1], [1, 0]]),
    "diag": lambda: (linearalg.diag([1, 2]), [[1, 0], [0, 2]]),
    "eigvals": lambda: (
        sorted(v.imag for v in linearalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).tolist()),
        [pytest.approx(-1), pytest.approx(1)],
    ),
    "irfft": lambda: (ops.irfft(ops.rfft([1, 2, 3, 4])), pytest.approx([1, 2, 3, 4])),
    "gradient": lambda: (ops.gradient([1, 4, 9]), [3, 4, 5]),
    "energy": lambda: (
        ops.compute_energy_stability(ops.arange(8.0), window_size=4),
        pytest.approx(1 / (1 + np.var([14, 126]) / 70)),
    ),
    "scatter": lambda: (ops.scatter([1.0, 2.0, 3.0], [0, 1, 0], 4), [4, 2, 0, 0]),
    "pow": lambda: (ops.pow([2.0, 4.0], -1), [0.5, 0.25]),
    "mse": lambda: (ops.mse([1.0, 2.0], [1.0, 4.0]), 2),
    "lstsq": lambda: (
        linearalg.lstsq([[2.0, 0.0], [0.0, 4.0]], [[2.0], [8.0]])[0],
        [[pytest.approx(1)], [pytest.approx(2)]],
    ),
    "norm": lambda: (linearalg.norm([[3.0, 4.0]], keepdims=True), [[5]]),
    "norm keepdim": lambda: (linearalg.norm([[3.0, 4.0]], axis=1, keepdim=True), [[5]]),
    "svd": lambda: (linearalg.svd([[3.0, 0.0], [0.0, 2.0]])[1], pytest.approx([3, 2])),
    "qr": lambda: (
        [abs(v) for v in linearalg.qr([[3.0], [4.0]])[1].tolist()[0]],
        [pytest.approx(5)],
    ),
    "poisson": lambda: (tensor.random_poisson((3,), lam=1.0).shape, (3,)),
    "gamma": lambda: (tensor.random_gamma((3,), alpha=2.0, beta=1.0).shape, (3,)),
}


@pytest.mark.parametrize("what", SAME)
def test_results_that_differ_between_backends(engine, what):
    got, want = SAME[what]()
    assert value(got) == want


def test_no_number_is_made_up(engine):
    with pytest.raises(TypeError):
        tensor.convert_to_tensor(None)
    with pytest.raises(ValueError, match="power"):
        ops.pow([2, 3], -1)


def test_names_imported_before_a_switch_work_after_it(engine):
    import ember_ml.ops.stats as module
    from ember_ml.ops import add, matmul, random_normal, scatter
    from ember_ml.ops.stats import mean

    before = ember_ml.get_backend()
    made_before = ops.ones((2, 2))
    for name in [*ember_ml.get_available_backends(), before]:
        ops.set_backend(name)
        assert (
            add([1.0], 2.0).backend
            == mean([1.0]).backend
            == module.mean([1.0]).backend
            == random_normal((2,)).backend
            == name
        )
        assert scatter([1.0, 2.0], [0, 0]).tolist() == [3] and matmul(
            made_before, made_before
        ).tolist() == [[2, 2], [2, 2]]
        assert made_before.backend == before


def test_imports_are_one_module_under_all_names():
    import emberharmony
    import emberharmony.ops.stats
    from emberharmony import ops as older
    from emberharmony.nn.tensor.common.dtypes import DType

    assert (
        older is ops
        and emberharmony.ops.stats is stats
        and DType is ember_ml.DType
        and emberharmony.float32 == "float32"
    )
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ember_ml.tensor.nothing")
    with pytest.raises(AttributeError):
        emberharmony.nothing


WRONG = [
    ("compute_energy_stability", ([1.0], 0), ValueError),
    ("compute_energy_stability", ([[1.0]],), ValueError),
    ("compute_energy_stability", ([1j],), TypeError),
    ("compute_interference_strength", ([], []), ValueError),
    ("compute_interference_strength", ([1.0], [1j]), TypeError),
    ("partial_interference", ([1.0], [1.0], 0), ValueError),
    ("compute_phase_coherence", ([1.0], [1.0], (0.1, 0.2, 0.3)), ValueError),
    ("exponential_decay", (1.0, 0.5), ValueError),
    ("binary_wave_interference", ([],), ValueError),
    ("binary_wave_interference", ([[1], [2]], "nand"), ValueError),
    ("binary_wave_interference", ([[1.0], [2.0]],), TypeError),
    ("binary_wave_propagate", ([1.0], 1), TypeError),
    ("binary_wave_propagate", ([1], 0.5), TypeError),
    ("create_duty_cycle", (0, 0.5), ValueError),
    ("create_duty_cycle", (5, 1.5), ValueError),
    ("create_duty_cycle", (5, float("nan")), ValueError),
    ("create_duty_cycle", (2**62, 0.5), ValueError),
    ("generate_blocky_sin", (5, 0), ValueError),
    ("generate_blocky_sin", (-1, 2), ValueError),
    ("binary_split", (3, 3), ValueError),
    ("binary_split", (-1, 2), ValueError),
    ("binary_split", (0, 2**62), ValueError),
    ("slice_tensor", ([1, 2, 3], [1], [3]), IndexError),
    ("slice_tensor", ([1, 2, 3], [-9], [1]), IndexError),
    ("slice_tensor", ([1, 2, 3], [0, 0], [1, 1]), ValueError),
    ("slice_tensor", ([1, 2, 3], [0], [-2]), IndexError),
    ("scatter_add", ([1.0], [0, 0], 1), ValueError),
    ("scatter", ([[5]], [1.0], (2,)), IndexError),
    ("scatter", ([[0.5]], [1.0], (2,)), TypeError),
    ("rotate_left", ([1], 1, 0), ValueError),
    ("rotate_left", ([1], 1, 65), ValueError),
    ("gradient", (MATRIX, [1.0, 2.0, 3.0]), ValueError),
    ("gradient", ([1.0, 2.0], 1.0, 1.0), TypeError),
    ("gradient", (), TypeError),
    ("mean", ([1.0], None, False, "int32"), TypeError),
    ("orthogonal", ((2, 2), 1.0, "int32"), TypeError),
    ("random_binomial", ((2,), 0.5, -1), ValueError),
    ("binary_crossentropy", ([1.0], [0.5, 0.5], False, 3), IndexError),
    ("sparse_categorical_crossentropy", ([0.5], [[0.5, 0.5]]), TypeError),
    ("mse", ([1.0], [2.0], "most"), ValueError),
]


@pytest.mark.parametrize(
    "name,args,kind", WRONG, ids=[f"{n}{i}" for i, (n, *_) in enumerate(WRONG)]
)
def test_wrong_arguments_name_the_op(engine, name, args, kind):
    with pytest.raises(kind, match=r"^\["):
        result = getattr(ops, name)(*args)
        ops.eval(result)
