"""Layers in Python: values compared with NumPy's formulas, PyTorch's names, constructors, Ember
ML's paths."""

import inspect

import numpy as np
import pytest

import ember_ml as em
from ember_ml import nn
from ember_ml.errors import DTypeError, StateError, UnsupportedError, ValueError as EmberValueError


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype("f4")


def value(t):
    return np.asarray(t.detach())


def close(a, b, tolerance=2e-5):
    np.testing.assert_allclose(np.asarray(a.detach()), b, rtol=tolerance, atol=tolerance)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# ---- Values ----
def test_linear_and_embedding(engine):
    x, layer = numbers(2, 5, 3), nn.Linear(3, 4)
    close(layer(x), x @ value(layer.weight).T + value(layer.bias))
    assert layer.weight.shape == (4, 3) and nn.Linear(3, 4, bias=False).bias is None
    table = nn.Embedding(5, 2, padding_idx=1)
    close(table(em.asarray([[0, 1], [4, 1]])), value(table.weight)[[[0, 1], [4, 1]]])
    assert not value(table.weight)[1].any()


ACTIVATIONS = {
    "ReLU": lambda x: np.maximum(x, 0),
    "ReLU6": lambda x: np.clip(x, 0, 6),
    "Sigmoid": sigmoid,
    "Tanh": np.tanh,
    "SiLU": lambda x: x * sigmoid(x),
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "LeCunTanh": lambda x: 1.7159 * np.tanh(2 * x / 3),
    "LogSigmoid": lambda x: -np.log1p(np.exp(-x)),
    "Hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
    "Hardswish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "Mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "Softmax": softmax,
    "LogSoftmax": lambda x: np.log(softmax(x)),
    "Softplus": lambda x: np.log1p(np.exp(x)),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(x)),
    "CELU": lambda x: np.where(x > 0, x, np.expm1(x)),
    "LeakyReLU": lambda x: np.where(x > 0, x, 0.01 * x),
    "SELU": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    "GLU": lambda x: x[..., :2] * sigmoid(x[..., 2:]),
    "PReLU": lambda x: np.where(x > 0, x, 0.25 * x),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(engine, name):
    x = 3 * numbers(3, 4)
    close(getattr(nn, name)()(x), ACTIVATIONS[name](x))


def test_convolution_is_cross_correlation(engine):
    x, layer = (
        numbers(2, 4, 7, 6),
        nn.Conv2d(4, 6, (3, 2), stride=2, padding=1, dilation=(1, 2), groups=2),
    )
    w, b = value(layer.weight), value(layer.bias)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    expected = np.zeros((2, 6, 4, 3), "f4")
    for o in range(6):
        for i in range(4):
            for j in range(3):
                window = padded[
                    :, o // 3 * 2 : o // 3 * 2 + 2, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3 : 2
                ]
                expected[:, o, i, j] = (window * w[o]).sum((1, 2, 3)) + b[o]
    close(layer(x), expected)
    assert nn.Conv1d(4, 5, 3, padding="same")(numbers(2, 4, 9)).shape == (2, 5, 9)
    assert nn.Conv1d(4, 5, 3, padding="valid")(numbers(2, 4, 9)).shape == (2, 5, 7)
    assert nn.ConvTranspose2d(4, 3, 2, stride=2)(x).shape == (2, 3, 14, 12)


def test_pools(engine):
    x = numbers(2, 3, 4, 6)
    tiles = x.reshape(2, 3, 2, 2, 3, 2)
    close(nn.MaxPool2d(2)(x), tiles.max((3, 5)))
    close(nn.AvgPool2d(2)(x), tiles.mean((3, 5)))
    close(nn.AdaptiveAvgPool2d((2, 3))(x), tiles.mean((3, 5)))
    close(nn.AdaptiveMaxPool2d(1)(x), x.max((2, 3), keepdims=True))
    close(nn.GlobalAvgPool()(x), x.mean((2, 3)))


def test_norms(engine):
    x = numbers(6, 4, 5)
    close(
        nn.LayerNorm(5)(x),
        (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5),
    )
    close(nn.RMSNorm(5, eps=1e-6)(x), x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6))
    g = x.reshape(6, 2, 10)
    close(
        nn.GroupNorm(2, 4)(x),
        ((g - g.mean(-1, keepdims=True)) / np.sqrt(g.var(-1, keepdims=True) + 1e-5)).reshape(
            x.shape
        ),
    )
    close(
        nn.InstanceNorm1d(4)(x),
        (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5),
    )
    norm = nn.BatchNorm1d(4, momentum=0.25)
    mean, var = x.mean((0, 2), keepdims=True), x.var((0, 2), keepdims=True)
    close(norm(x), (x - mean) / np.sqrt(var + 1e-5))
    close(norm.running_mean, 0.25 * mean.reshape(4))
    close(norm.running_var, 0.75 + 0.25 * var.reshape(4) * 30 / 29)
    assert norm.num_batches_tracked.item() == 1
    norm.eval()
    close(
        norm(x),
        (x - value(norm.running_mean)[:, None]) / np.sqrt(value(norm.running_var)[:, None] + 1e-5),
    )
    bare = nn.BatchNorm1d(4, affine=False, track_running_stats=False)
    assert bare.weight is None and bare.running_mean is None and not bare.state_dict()


def test_dropout_only_while_training(engine):
    x, layer = em.ones((1000,)), nn.Dropout(0.5)
    dropped = value(layer(x))
    assert set(np.unique(dropped)) == {0.0, 2.0} and 350 < (dropped == 0).sum() < 650
    layer.eval()
    assert (value(layer(x)) == 1).all()


def test_recurrent_networks_return_what_pytorch_returns(engine):
    x, h = numbers(4, 2, 3), np.zeros((2, 5), "f4")
    rnn = nn.RNN(3, 5)
    w, u, b, c = (
        value(rnn.state_dict()[k])
        for k in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    steps = []
    for t in range(4):
        h = np.tanh(x[t] @ w.T + b + h @ u.T + c)
        steps.append(h)
    out, last = rnn(x)
    close(out, np.stack(steps))
    close(last, h[None])

    lstm = nn.LSTM(3, 5)
    w, u, b, c = (
        value(lstm.state_dict()[k])
        for k in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    h, cell = numbers(2, 5, seed=1), numbers(2, 5, seed=2)
    first = (h[None], cell[None])
    for t in range(4):
        i, f, g, o = np.split(x[t] @ w.T + b + h @ u.T + c, 4, axis=1)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(cell)
    out, (hidden, memory) = lstm(x, first)
    close(out[-1], h)
    close(hidden, h[None])
    close(memory, cell[None])

    gru = nn.GRU(3, 5, batch_first=True, bidirectional=True, num_layers=2)
    out, hidden = gru(numbers(2, 4, 3))
    assert out.shape == (2, 4, 10) and hidden.shape == (4, 2, 5)
    close(out[:, -1, :5], value(hidden)[2])
    assert [k for k in gru.state_dict() if k.endswith("reverse")] == [
        f"{p}_l{n}_reverse"
        for n in (0, 1)
        for p in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ]
    with pytest.raises(DTypeError, match="pair of tensors"):
        lstm(x, first[0])
    hidden, memory = nn.LSTMCell(3, 5)(x[0])
    assert hidden.shape == memory.shape == (2, 5) and nn.GRUCell(3, 5)(x[0]).shape == (2, 5)


def test_attention(engine):
    x, layer = numbers(2, 4, 6), nn.MultiheadAttention(6, 2, batch_first=True)
    q, k, v = np.split(x @ value(layer.in_proj_weight).T + value(layer.in_proj_bias), 3, axis=-1)
    heads = [a.reshape(2, 4, 2, 3).transpose(0, 2, 1, 3) for a in (q, k, v)]
    scores = heads[0] @ heads[1].transpose(0, 1, 3, 2) / np.sqrt(3)
    scores = np.where(np.triu(np.ones((4, 4), bool), 1), -np.inf, scores)
    weights = softmax(scores)
    seen = (weights @ heads[2]).transpose(0, 2, 1, 3).reshape(2, 4, 6)
    out, w = layer(x, x, x, attn_mask=nn.causal_mask(4))
    close(out, seen @ value(layer.out_proj.weight).T + value(layer.out_proj.bias))
    close(w, weights.mean(1))
    assert layer(x, x, x, need_weights=False)[1] is None and layer.q_proj_weight is None


def test_transformers(engine):
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, norm_first=True)
    encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(8))
    x = numbers(2, 5, 8)
    expected = encoder.norm(encoder.layers[1](encoder.layers[0](x)))
    close(encoder(x), value(expected))
    close(encoder.layers[0](x), value(layer(x)))  # every layer starts as a copy, as in PyTorch
    decoder = nn.TransformerDecoder(
        nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 1
    )
    assert decoder(x, encoder(x), tgt_is_causal=True).shape == (2, 5, 8)
    seen = encoder(np.concatenate([x[:, :4], 100 + x[:, 4:]], 1), is_causal=True)
    close(seen[:, :4], value(encoder(x, is_causal=True))[:, :4])


def test_liquid_networks(engine):
    x = numbers(2, 5, 4)
    for wiring, outputs in ((nn.auto_ncp_map(4, 16, 3), 3), (8, 8)):
        for kind in (nn.LTC, nn.CfC):
            out, state = kind(4, wiring)(x)
            assert (
                out.shape == (2, 5, outputs)
                and state.shape == (2, 16 if outputs == 3 else 8)
                and np.isfinite(value(out)).all()
            )
    out, (state, memory) = nn.CfC(4, 6, mixed_memory=True)(x, timespans=np.full((2, 5), 0.5, "f4"))
    assert state.shape == memory.shape == (2, 6)
    net = nn.LTC(4, 6)
    whole, last = net(x)
    first, state = net(x[:, :3])
    second, state = net(x[:, 3:], state)
    close(second, value(whole)[:, 3:])
    close(state, value(last))
    with pytest.raises(EmberValueError, match="input_size is 3, but the map has 4"):
        nn.LTC(3, nn.auto_ncp_map(4, 16, 3))


def test_mixing_layers_take_masks(engine):
    x, mask = numbers(2, 4, 6), np.array([[1, 1, 1, 0], [1, 1, 0, 0]], bool)
    spoiled = np.where(mask[..., None], x, np.nan)
    layers = nn.layers
    for layer in (
        layers.MLP(6),
        layers.GatedMLP(6, hidden_size=8),
        layers.Attention(6, num_heads=2),
        layers.CausalAttention(6),
        layers.Convolution(6),
        layers.Recurrent(6, cell="lstm"),
    ):
        out = value(layer(spoiled, mask))
        assert np.isfinite(out).all() and not out[~mask].any() and out[mask].any(), layer
    model = nn.Model([layers.MLP(6), layers.Attention(6)])
    close(
        model(x, mask),
        value(model.add(layers.MLP(6)) or nn.Model(list(model.children())[:2])(x, mask)),
    )
    hybrid = nn.HybridModel(6, sequence_mixer="recurrent", residual=True)
    assert hybrid(x, mask).shape == (2, 4, 6) and [n for n, _ in hybrid.named_children()] == [
        "channel_mixer",
        "sequence_mixer",
        "norm1",
        "norm2",
    ]


def test_initializers(engine):
    p = nn.Parameter(em.zeros((200, 100)))
    assert nn.init.xavier_uniform_(p) is p and p.requires_grad
    v, bound = value(p), np.sqrt(6 / 300)
    assert abs(v).max() <= bound and v.std() == pytest.approx(bound / np.sqrt(3), rel=0.03)
    nn.init.kaiming_normal_(p, mode="fan_out", nonlinearity="relu")
    assert value(p).std() == pytest.approx(np.sqrt(2 / 200), rel=0.03)
    nn.init.constant_(p, 3)
    assert (value(p) == 3).all()
    q = value(nn.initializers.orthogonal((4, 9), gain=2.0))
    np.testing.assert_allclose(q @ q.T, 4 * np.eye(4), atol=1e-4)
    assert nn.initializers.get_initializer("glorot_uniform")((2, 3)).shape == (2, 3)
    assert value(nn.initializers.random_uniform((1000,), minval=2.0, maxval=3.0)).min() >= 2
    assert nn.init.zeros((2,), dtype="float64").dtype == em.float64
    with pytest.raises(EmberValueError, match="glorot_uniform"):
        nn.initializers.get_initializer("nonsense")


# ---- Names ----
KEYS = {
    "Linear(2, 3)": ["weight", "bias"],
    "BatchNorm2d(3)": ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"],
    "LSTM(2, 3, num_layers=2)": [
        f"{p}_l{n}" for n in (0, 1) for p in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ],
    "GRUCell(2, 3)": ["weight_ih", "weight_hh", "bias_ih", "bias_hh"],
    "MultiheadAttention(4, 2)": [
        "in_proj_weight",
        "in_proj_bias",
        "out_proj.weight",
        "out_proj.bias",
    ],
    "MultiheadAttention(4, 2, kdim=3)": [
        "q_proj_weight",
        "k_proj_weight",
        "v_proj_weight",
        "in_proj_bias",
        "out_proj.weight",
        "out_proj.bias",
    ],
    "Sequential(Conv2d(1, 2, 3, bias=False), ReLU(), Linear(2, 2))": [
        "0.weight",
        "2.weight",
        "2.bias",
    ],
    "TransformerEncoder(TransformerEncoderLayer(4, 2, 8), 1)": [
        f"layers.0.{k}"
        for k in (
            "self_attn.in_proj_weight",
            "self_attn.in_proj_bias",
            "self_attn.out_proj.weight",
            "self_attn.out_proj.bias",
            "linear1.weight",
            "linear1.bias",
            "linear2.weight",
            "linear2.bias",
            "norm1.weight",
            "norm1.bias",
            "norm2.weight",
            "norm2.bias",
        )
    ],
}


@pytest.mark.parametrize("made", KEYS)
def test_state_has_pytorchs_names_in_its_order(made):
    assert list(eval(made, vars(nn)).state_dict()) == KEYS[made]


def test_signatures_and_configs():
    assert (
        str(inspect.signature(nn.Conv2d))
        == "(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True)"
    )
    assert (
        str(inspect.signature(nn.LSTM))
        == "(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False)"
    )
    assert nn.Linear.__doc__.startswith("x @ weight.T") and nn.Linear.__module__ == "ember_ml.nn"
    layer = nn.Conv2d(1, 2, kernel_size=3, bias=False)
    assert layer.get_config() == {
        "in_channels": 1,
        "out_channels": 2,
        "kernel_size": 3,
        "stride": 1,
        "padding": 0,
        "dilation": 1,
        "groups": 1,
        "bias": False,
    }
    assert layer.kernel_size == 3 and layer.bias is None
    for name in nn.__all__:
        thing = getattr(nn, name)
        if isinstance(thing, type) and issubclass(thing, nn.Module):
            assert thing.__doc__ and inspect.signature(thing) is not None, name
    assert (
        nn.Linear(2, 2, dtype="float64").weight.dtype == em.float64
        and nn.Softmax(axis=0).dim == 0
        and nn.Dropout(rate=0.1).p == 0.1
    )


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: nn.Linear(3),
            r"needs the argument 'out_features': Linear\(in_features, out_features, bias=True\)",
        ),
        (lambda: nn.Linear(3, 4.5), "'out_features' must be an integer, not 4.5"),
        (lambda: nn.Linear(3, 4, True, 1), "takes 3 arguments, not 4"),
        (lambda: nn.Linear(3, 4, out_features=3), "two values for 'out_features'"),
        (lambda: nn.Linear(3, 4, offset=1), "has no argument 'offset'"),
        (lambda: nn.Conv2d(1, 2, "big"), "'kernel_size' must be an integer or a tuple"),
        (lambda: nn.Sequential(nn.ReLU(), 3), "a module is needed, not int"),
        (lambda: nn.Model([nn.Linear(2, 2)]), "takes layers whose forward takes a mask"),
    ],
)
def test_bad_constructors(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.Linear(3, -1), "must be positive"),
        (lambda: nn.Dropout(2), "between 0 and 1"),
        (lambda: nn.GELU("x")(em.ones((2,))), "approximate"),
        (lambda: nn.Conv2d(1, 2, 2, padding="same"), "odd length"),
        (lambda: nn.modules.Dense(2, 2, activation="nonsense"), "nonsense"),
    ],
)
def test_bad_values(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# ---- Ember ML's paths ----
IMPORTS = """
from ember_ml.nn import tensor, modules, layers, features, Model
from ember_ml.nn import functional, init, initializers
from ember_ml.nn.layers import base, channel_mixing, sequence_mixing
from ember_ml.nn.modules import Module, Parameter, Dense, BaseModule, NCP, AutoNCP
from ember_ml.nn.modules.base_module import BaseModule
from ember_ml.nn.modules.activations import get_activation, get_activations_module, relu, sigmoid, tanh, softmax, softplus, ReLU
from ember_ml.nn.modules.activations.relu_module import ReLU
from ember_ml.nn.modules.activations.sigmoid_module import Sigmoid
from ember_ml.nn.modules.activations.softmax_module import Softmax
from ember_ml.nn.modules.wiring import NeuronMap, NCPMap, FullyConnectedMap, RandomMap, EnhancedNCPMap, FullyConnectedNCPMap, EnhancedNeuronMap
from ember_ml.nn.modules.wiring.ncp_map import NCPMap
from ember_ml.nn.modules.rnn import CfC, LTC, LSTM, LQNet, CTRQNet, seCfC
from ember_ml.nn.modules.rnn.ltc import LTC
from ember_ml.nn.modules.auto_ncp import AutoNCP
from ember_ml.nn.initializers import get_initializer, random_normal
from ember_ml.nn.initializers.glorot import glorot_uniform
from ember_ml.nn.init import xavier_uniform_
from ember_ml.nn.layers.linear import Linear
import ember_ml.nn.modules.activations as activations
"""


def test_import_paths():
    for line in IMPORTS.strip().splitlines():
        names = {}
        exec(line, names)
        assert all(v is not None for v in names.values()), line
    assert (
        nn.tensor is em.tensor
        and nn.init is nn.initializers
        and nn.modules.activations.relu_module.ReLU is nn.ReLU
    )
    with pytest.raises(ImportError):
        exec("from ember_ml.nn.modules import Nonsense")


def test_ember_ml_layers(engine):
    x = numbers(2, 3)
    dense = nn.modules.Dense(3, 4, activation="relu", use_bias=False)
    close(dense(x), np.maximum(x @ value(dense.weight).T, 0))
    assert nn.modules.activations.get_activation("relu")(em.asarray([-1.0, 2.0])).tolist() == [0, 2]
    sequence = numbers(2, 5, 3)
    lstm = nn.modules.rnn.LSTM(3, 4)
    out = lstm(sequence)
    assert out.shape == (2, 5, 4)
    lstm.return_sequences, lstm.return_state = False, True
    last, (hidden, cell) = lstm(sequence)
    close(last, value(out)[:, -1])
    close(hidden[0], value(last))
    rnn, wiring = nn.modules.rnn, nn.modules.wiring
    lazy = rnn.LTC(wiring.NCPMap(inter_neurons=6, command_neurons=4, motor_neurons=2))
    assert (
        [p.size for p in lazy.parameters()] == [0]
        and lazy(sequence).shape == (2, 5, 2)
        and len(list(lazy.parameters())) > 5
    )
    assert rnn.CfC(wiring.RandomMap(8, 3, input_dim=3))(sequence).shape == (2, 3)
    with pytest.raises(StateError, match="is not built"):
        wiring.NCPMap(4, 3, 2).wiring
    m = wiring.NCPMap(6, 4, 2, sensory_neurons=3, sparsity_level=0.5, seed=7)
    assert m.get_input_mask().shape == (3, 12) and m.get_output_mask().tolist() == [1, 1] + 10 * [0]
    assert m.synapse_count == int(value(m.get_recurrent_mask()).sum()) and m.get_neuron_groups()[
        "motor"
    ] == [0, 1]
    twin = wiring.NCPMap.from_config(m.get_config())
    np.testing.assert_array_equal(value(twin.erev_initializer()), value(m.erev_initializer()))
    ncp = nn.modules.NCP(m)
    y, state = ncp(x, return_state=True)
    close(state, np.tanh(x @ (value(ncp.kernel) * value(m.get_input_mask()))))
    close(
        ncp(x, state),
        np.tanh(
            x @ (value(ncp.kernel) * value(m.get_input_mask()))
            + value(state) @ (value(ncp.recurrent_kernel) * value(m.get_recurrent_mask()))
        )[:, :2],
    )
    with pytest.raises(UnsupportedError, match="LTC or CfC"):
        rnn.LQNet(m)


def test_the_seeds_hybrid_model(engine):
    class HybridModel(nn.Model):
        def __init__(self, hidden_size):
            super().__init__()
            self.channel_mixer = nn.layers.channel_mixing.MLP(hidden_size)
            self.sequence_mixer = nn.layers.sequence_mixing.Attention(hidden_size)

        def forward(self, x):
            return self.sequence_mixer(self.channel_mixer(nn.tensor.convert_to_tensor(x)))

    model, x = HybridModel(4), numbers(2, 3, 4)
    close(model(x), value(model.sequence_mixer(model.channel_mixer(x))))
    close(nn.Sequential(model)(x), value(model(x)))


def test_a_list_of_modules_is_registered(engine):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(2, 3), nn.Linear(3, 1)]
            self.sizes = [2, 3, 1]
            self.none = []

        def forward(self, x):
            for layer in self.layers[:-1]:
                x = em.relu(layer(x))
            return self.layers[-1](x)

    net = Net()
    assert list(net.state_dict()) == [
        "layers.0.weight",
        "layers.0.bias",
        "layers.1.weight",
        "layers.1.bias",
    ]
    assert isinstance(net.layers, nn.ModuleList) and net.sizes == [2, 3, 1] and net.none == []
    assert net(em.ones((4, 2))).shape == (4, 1)
    net.layers = [nn.Linear(2, 2)]
    assert list(net.state_dict()) == ["layers.0.weight", "layers.0.bias"]
