"""Programs of Ember ML: its modules, options, loops, tables and plots."""

import csv
import datetime
import inspect
import json
import math
import pickle

import numpy as np
import pytest

import ember_ml as em
from ember_ml import features, models, nn, ops, tensor, training as tr
from ember_ml.nn import initializers, modules
from ember_ml.nn.modules import rnn, wiring
from ember_ml.types import EmberTensorLike

rng = np.random.default_rng(4)


def array(*shape):
    return rng.normal(size=shape).astype("f4")


# ---- Names ----
def test_modules_are_those_of_ember_ml():
    for name in (
        "RNN",
        "LSTM",
        "GRU",
        "CfC",
        "LTC",
        "seCfC",
        "StrideAware",
        "StrideAwareCell",
        "StrideAwareCfC",
    ):
        assert getattr(modules, name) is getattr(rnn, name)
    for name in (
        "NeuronMap",
        "NCPMap",
        "FullyConnectedMap",
        "RandomMap",
        "FullyConnectedNCPMap",
        "EnhancedNCPMap",
        "EnhancedNeuronMap",
    ):
        assert getattr(modules, name) is getattr(wiring, name)
    # PyTorch's LSTM returns two values.
    assert modules.Linear is nn.Linear and nn.LSTM is not modules.LSTM
    assert all(hasattr(modules, n) for n in modules.__all__)
    x = em.asarray(array(2, 5, 3))
    assert modules.LSTM(3, 4)(x).shape == (2, 5, 4) and modules.RNN(3, 4, return_state=True)(x)[1][
        0
    ].shape == (1, 2, 4)


def test_states_are_lists():
    x = em.asarray(array(2, 5, 3))
    for make, parts in ((modules.RNN, 1), (modules.GRU, 1), (modules.LSTM, 2)):
        layer = make(3, 4, num_layers=2, return_state=True)
        y, state = layer(x)
        assert isinstance(state, list) and [s.shape for s in state] == [(2, 2, 4)] * parts == [
            s.shape for s in layer.reset_state(2)
        ]
        whole, _ = layer(x)
        first, middle = layer(x[:, :2])
        rest, _ = layer(x[:, 2:], middle)
        np.testing.assert_allclose(
            np.asarray(em.concat([first, rest], axis=1)), np.asarray(whole), atol=1e-6
        )
        zeros, _ = layer(x, layer.reset_state(2))
        np.testing.assert_allclose(np.asarray(zeros), np.asarray(whole), atol=1e-6)
    for make, parts in ((modules.CfC, 1), (modules.LTC, 1)):
        for mixed in (False, True):
            layer = make(
                modules.NCPMap(4, 3, 2),
                return_sequences=True,
                return_state=True,
                mixed_memory=mixed,
            )
            whole, state = layer(x)
            assert isinstance(state, list) and [s.shape for s in state] == [(2, 9)] * (
                parts + mixed
            )
            first, middle = layer(x[:, :2])
            rest, _ = layer(x[:, 2:], middle)
            np.testing.assert_allclose(
                np.asarray(em.concat([first, rest], axis=1)), np.asarray(whole), atol=1e-5
            )


# ---- Options ----
@pytest.mark.parametrize(
    "make",
    [
        modules.NeuronMap,
        modules.RandomMap,
        modules.FullyConnectedMap,
        modules.FullyConnectedNCPMap,
        modules.EnhancedNeuronMap,
        lambda *a, **k: modules.NCPMap(4, 2, 1, **k),
        lambda *a, **k: modules.EnhancedNCPMap(4, 2, 1, **k),
        lambda *a, **k: modules.CfC(4, **k),
        lambda *a, **k: modules.LTC(4, **k),
        lambda *a, **k: modules.RNN(3, 4, **k),
        lambda *a, **k: modules.LSTM(3, 4, **k),
        lambda *a, **k: modules.seCfC(4, **k),
        lambda *a, **k: modules.StrideAwareCfC(4, **k),
        lambda *a, **k: modules.AutoNCP(8, 2, **k),
        lambda *a, **k: modules.BatchNormalization(**k),
    ],
)
def test_what_is_misspelt_is_an_error(make):
    make(5)
    with pytest.raises(TypeError, match="tpyo"):
        make(5, tpyo=3)


def test_the_options_of_a_map_are_its_networks():
    m = modules.NCPMap(
        4, 2, 1, sensory_neurons=3, mode="pure", mixed_memory=True, time_scale_factor=1.5
    )
    assert (m.time_scale_factor, m.mode, m.ode_unfolds) == (1.5, "pure", 6)
    config = modules.CfC(m).get_config()
    assert (config["mode"], config["mixed_memory"], config["time_scale_factor"]) == (
        "pure",
        True,
        1.5,
    )
    assert modules.CfC(m, mode="no_gate").get_config()["mode"] == "no_gate"
    n = modules.NCPMap(
        4, 2, 1, sensory_neurons=3, ode_unfolds=17, epsilon=1e-6, input_mapping="linear"
    )
    ltc = modules.LTC(n)
    assert "ode_unfolds" in ltc.get_config() and ltc.get_config()["ode_unfolds"] == 17
    assert not ltc.rnn.rnn_cell.input_b.requires_grad and ltc.rnn.rnn_cell.output_b.requires_grad
    x = em.asarray(array(2, 5, 3))
    assert not np.allclose(
        np.asarray(ltc(x)),
        np.asarray(_with_weights(modules.LTC(modules.NCPMap(4, 2, 1, sensory_neurons=3)), ltc)(x)),
    )
    for network, of_map in ((modules.LTC, m), (modules.CfC, n)):
        with pytest.raises(ValueError, match="the map has"):
            network(of_map)
    for wrong in (
        {"activation": "relu"},
        {"recurrent_activation": "tanh"},
        {"use_bias": False},
        {"mode": "other"},
    ):
        with pytest.raises(ValueError):
            modules.CfC(modules.NCPMap(4, 2, 1, sensory_neurons=3, **wrong))
        with pytest.raises(ValueError):
            modules.CfC(3, **wrong)
    with pytest.raises(ValueError, match="input_mapping"):
        modules.LTC(3, input_mapping="cubic")
    for layer in (lambda **k: modules.LSTM(3, 4, **k), lambda **k: modules.GRU(3, 4, **k)):
        with pytest.raises(ValueError, match="activation"):
            layer(activation="relu")
    assert modules.RNN(3, 4, activation="relu").get_config()["nonlinearity"] == "relu"
    with pytest.raises(ValueError, match="units and output_dim"):
        modules.NCPMap(4, 2, 1, units=9)


def _with_weights(layer, of):
    layer.load_state_dict(of.state_dict(), strict=False)
    return layer


def test_a_time_scale_stretches_time(engine):
    x = em.asarray(array(2, 5, 3))
    for network in (modules.CfC, modules.LTC):
        one = network(modules.NCPMap(4, 2, 2, sensory_neurons=3), return_sequences=True)
        two = _with_weights(
            network(
                modules.NCPMap(4, 2, 2, sensory_neurons=3, time_scale_factor=2.5),
                return_sequences=True,
            ),
            one,
        )
        spans = rng.random((2, 5)).astype("f4")
        np.testing.assert_allclose(
            np.asarray(two(x)),
            np.asarray(one(x, time_deltas=np.full((2, 5), 2.5, "f4"))),
            atol=1e-5,
        )
        np.testing.assert_allclose(
            np.asarray(two(x, time_deltas=spans)),
            np.asarray(one(x, timespans=spans * 2.5)),
            atol=1e-5,
        )
        steps = spans[0]
        np.testing.assert_allclose(
            np.asarray(one(x, time_deltas=list(map(float, steps)))),
            np.asarray(one(x, timespans=np.stack([steps, steps]))),
            atol=1e-5,
        )
        back = _with_weights(
            network(
                modules.NCPMap(4, 2, 2, sensory_neurons=3), return_sequences=True, go_backwards=True
            ),
            one,
        )
        np.testing.assert_allclose(
            np.asarray(back(x)), np.asarray(one(em.flip(x, axis=1))), atol=1e-5
        )
        assert not np.allclose(np.asarray(one(x)), np.asarray(two(x)))


def test_initializers_reach_the_weights():
    lstm = modules.LSTM(
        3,
        4,
        kernel_initializer="zeros",
        recurrent_initializer="orthogonal",
        bias_initializer="ones",
    )
    assert not np.asarray(lstm.weight_ih_l0).any() and np.asarray(lstm.bias_ih_l0).all()
    gate = np.asarray(lstm.weight_hh_l0)[4:8]
    np.testing.assert_allclose(gate @ gate.T, np.eye(4), atol=1e-5)
    cfc = modules.CfC(
        modules.FullyConnectedMap(4, input_dim=3),
        kernel_initializer="zeros",
        recurrent_initializer="ones",
        bias_initializer="zeros",
    )
    weight = np.asarray(cfc.rnn.rnn_cell.layer_0.ff1.weight)
    assert not weight[:, :3].any() and (weight[:, 3:] == 1).all()


# ---- Configurations ----
@pytest.mark.parametrize(
    "make",
    [
        lambda: modules.LSTM(3, 4, return_sequences=False, return_state=True, bidirectional=True),
        lambda: modules.GRU(3, 4, batch_first=False),
        lambda: modules.RNN(3, 4, activation="relu", num_layers=2),
        lambda: modules.CfC(modules.NCPMap(4, 3, 2), mode="pure", go_backwards=True),
        lambda: modules.LTC(modules.FullyConnectedMap(5, 2), ode_unfolds=3),
        lambda: modules.seCfC(modules.EnhancedNCPMap(4, 3, 2), regularization_strength=0.5),
        lambda: modules.StrideAware(3, 4, 2, return_sequences=False),
        lambda: modules.StrideAwareCell(3, 4, use_bias=False),
        lambda: modules.StrideAwareCfC(modules.NCPMap(4, 3, 2), 3),
        lambda: modules.BatchNormalization(momentum=0.5, scale=False),
        lambda: modules.Dense(3, 4, "relu"),
        lambda: modules.Dropout(0.25, seed=3),
        lambda: nn.Linear(3, 4),
        lambda: modules.NCP(modules.NCPMap(4, 3, 2)),
        lambda: models.RestrictedBoltzmannMachine(4, 3, momentum=0.9),
        lambda: nn.Conv2d(1, 2, 3, padding=1),
    ],
)
def test_configurations_come_back(make):
    layer = make()
    again = type(layer).from_config(layer.get_config())
    assert type(again) is type(layer) and again.get_config() == layer.get_config()
    assert set(inspect.signature(type(layer).__init__).parameters) or layer.get_config() is not None
    pickle.loads(pickle.dumps(layer))


def test_sequential_describes_its_layers():
    net = modules.Sequential(
        modules.Dense(3, 4, activation="relu"), nn.Dropout(0.5), nn.Sequential(nn.Linear(4, 2))
    )
    assert [type(layer).__name__ for layer in net.layers] == ["Dense", "Dropout", "Sequential"]
    text = json.dumps(net.get_config())
    again = modules.Sequential.from_config(json.loads(text))
    again.load_state_dict(net.state_dict())
    x = em.asarray(array(5, 3))
    np.testing.assert_array_equal(np.asarray(again.eval()(x)), np.asarray(net.eval()(x)))
    for wrong in ([1], [{"class_name": "ember_ml.nn:Nothing", "config": {}}]):
        with pytest.raises((TypeError, ValueError), match="from_config"):
            modules.Sequential.from_config({"layers": wrong})


def test_maps_are_rebuilt_from_their_config(engine):
    for m in (
        modules.NCPMap(
            5, 3, 2, sensory_neurons=4, seed=3, mode="pure", sensory_to_inter_sparsity=0.2
        ),
        modules.RandomMap(6, 2, 3, seed=1),
        modules.FullyConnectedNCPMap(4, 2, 3, ode_unfolds=2),
        modules.EnhancedNeuronMap(12, 2, 3, sparsity_level=0.8, distance_power=3.0),
        modules.EnhancedNCPMap(6, 4, 2, 3, neuron_type="ltc"),
    ):
        again = type(m).from_config(m.get_config())
        assert again.get_config() == m.get_config() and np.array_equal(
            again.get_recurrent_mask(), m.get_recurrent_mask()
        )


# ---- Spatial positions ----
def test_near_neurons_are_likelier_to_be_connected():
    far = []
    for power in (0.0, 8.0):
        m = modules.EnhancedNeuronMap(40, 4, 3, sparsity_level=0.8, seed=2, distance_power=power)
        mask, d = np.asarray(m.get_recurrent_mask()), np.asarray(m.get_distances())
        assert mask.sum() == 320
        far.append((mask * d).sum() / mask.sum())
    assert far[1] < 0.7 * far[0]
    places = [[0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]
    for metric, expected in (("euclidean", 5.0), ("manhattan", 7.0), ("chebyshev", 4.0)):
        m = modules.EnhancedNeuronMap(3, coordinates_list=places, distance_metric=metric)
        assert float(m.get_distances()[1, 2]) == expected
    ncp = modules.EnhancedNCPMap(6, 4, 2, 3, distance_power=4.0, seed=5)
    heard = np.asarray(ncp.get_recurrent_mask()).any(0)
    assert heard[ncp.get_neuron_groups()["motor"]].all() and ncp.get_neuron_factory() is modules.CfC
    with pytest.raises(ValueError, match="positions for 3"):
        modules.EnhancedNeuronMap(4, coordinates_list=places)


def test_secfc_charges_for_length(engine):
    m = modules.EnhancedNeuronMap(3, 2, 2, sparsity_level=0.0, coordinates_list=[[0.0, 1.0, 3.0]])
    layer = modules.seCfC(m, regularization_strength=0.5, return_sequences=True)
    assert layer(em.asarray(array(2, 4, 2))).shape == (2, 4, 2)
    d, cost, n = np.abs(np.subtract.outer([0, 1, 3], [0, 1, 3])), 0.0, 0
    for head in ("ff1", "ff2", "time_a", "time_b"):
        w = np.asarray(getattr(layer.rnn.rnn_cell.layer_0, head).weight)[:, 2:]
        cost, n = cost + (np.abs(w) * d).sum(), n + d.size
    loss = layer.get_regularization_loss()
    assert float(loss) == pytest.approx(0.5 * cost / n, rel=1e-5)
    loss.backward()
    assert layer.rnn.rnn_cell.layer_0.ff1.weight.grad is not None
    layered = modules.seCfC(modules.NCPMap(4, 3, 2, sensory_neurons=2))
    assert float(layered.get_regularization_loss()) > 0
    with pytest.raises(RuntimeError, match="not built"):
        modules.seCfC(4).get_regularization_loss()


# ---- Strides ----
def test_a_stride_aware_cell_follows_its_formula(engine):
    cell = modules.StrideAwareCell(3, 4, stride_length=2, time_scale_factor=0.3)
    x, h = array(5, 3), array(5, 4)
    w, u, b = (np.asarray(p) for p in (cell.kernel, cell.recurrent_kernel, cell.bias))
    expected = h + (1 - math.exp(-0.6 * 1.5)) * (np.tanh(x @ w + h @ u + b) - h)
    y, state = cell(em.asarray(x), em.asarray(h), 1.5)
    np.testing.assert_allclose(np.asarray(y), expected, atol=1e-5)
    layer = modules.StrideAware(3, 4, stride_length=3, return_state=True)
    sequence = em.asarray(array(2, 7, 3))
    y, state = layer(sequence)
    assert y.shape == (2, 3, 4) and isinstance(state, list)
    h = None
    for k, t in enumerate((0, 3, 6)):
        h, _ = layer.cell(sequence[:, t], h)
        np.testing.assert_allclose(np.asarray(y[:, k]), np.asarray(h), atol=1e-6)


def test_a_stride_aware_cfc_skips_steps(engine):
    m = modules.NCPMap(4, 3, 2, sensory_neurons=3)
    plain = modules.CfC(m, return_sequences=True)
    strided = _with_weights(modules.StrideAwareCfC(m, 2, return_sequences=True), plain)
    x = em.asarray(array(2, 6, 3))
    np.testing.assert_allclose(
        np.asarray(strided(x)),
        np.asarray(plain(x[:, ::2], time_deltas=np.full((2, 3), 2.0, "f4"))),
        atol=1e-5,
    )
    spans = rng.random((2, 6)).astype("f4")
    np.testing.assert_allclose(
        np.asarray(strided(x, time_deltas=spans)),
        np.asarray(plain(x[:, ::2], time_deltas=spans[:, ::2] * 2)),
        atol=1e-5,
    )


# ---- Stability ----
@pytest.mark.parametrize("constrained", [True, False])
def test_ltc_stays_finite(constrained):
    """A forecast of a sine with a large learning rate: without constraints, half of the seeds
    end in NaN."""
    t = np.arange(33) * 0.3
    x = np.stack([np.sin(t[i : i + 16]) for i in range(16)])[..., None].astype("f4")
    y = np.stack([np.sin(t[i + 1 : i + 17]) for i in range(16)])[..., None].astype("f4")
    for seed in range(6):
        em.random.seed(seed)
        net = nn.Sequential(
            modules.LTC(
                modules.NCPMap(12, 8, 4, seed=seed),
                **({} if constrained else {"implicit_param_constraints": False}),
            ),
            nn.Linear(4, 1),
        )
        optimizer = tr.Adam(net.parameters(), lr=0.01)
        losses = []
        for _ in range(40):
            loss = tr.MSELoss()(net(em.asarray(x)), em.asarray(y))
            loss.backward()
            optimizer.step(loss)
            if not constrained:
                net[0].apply_weight_constraints()
            losses.append(loss.item())
        assert np.isfinite(losses).all() and losses[-1] < losses[0] / 2, (seed, losses[-1])


# ---- Batch normalization, dropout ----
def test_batch_normalization(engine):
    layer, x = modules.BatchNormalization(momentum=0.9), array(64, 3) * 4 + 2
    y = np.asarray(layer(em.asarray(x)))
    np.testing.assert_allclose(y, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-3), atol=1e-4)
    np.testing.assert_allclose(np.asarray(layer.moving_mean), 0.1 * x.mean(0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.asarray(layer.moving_variance), 0.9 + 0.1 * x.var(0), rtol=1e-4)
    layer.gamma.data, layer.beta.data = [2.0, 1.0, 0.5], [0.0, 1.0, 2.0]
    for out in (layer(em.asarray(x), training=False), layer.eval()(em.asarray(x))):
        expected = (x - 0.1 * x.mean(0)) / np.sqrt(0.9 + 0.1 * x.var(0) + 1e-3) * [2, 1, 0.5] + [
            0,
            1,
            2,
        ]
        np.testing.assert_allclose(np.asarray(out), expected, atol=1e-3)
    image = array(4, 3, 5, 5)
    along = modules.BatchNormalization(axis=1, center=False)
    np.testing.assert_allclose(np.asarray(along(em.asarray(image))).mean((0, 2, 3)), 0, atol=1e-5)
    assert along.beta is None and len(list(along.parameters())) == 1
    assert {"gamma", "beta", "moving_mean", "moving_variance"} == set(layer.state_dict())


def test_dropout_takes_a_seed_and_a_mode():
    x = em.ones(1000)
    a, b = modules.Dropout(0.5, seed=42), modules.Dropout(rate=0.5, seed=42)
    first = a(x).tolist()
    assert first == b(x).tolist() and first != a(x).tolist() and set(first) == {0, 2}
    assert (
        a(x, training=False).tolist() == x.tolist() == a.eval()(x).tolist()
        and 0 in a(x, training=True).tolist()
    )


# ---- Loops ----
def test_the_loop_of_its_documentation(engine):
    em.random.seed(1)
    x = array(64, 2)
    y = (x @ np.array([[2.0], [-1.0]], "f4") + 0.5).astype("f4")
    model = nn.Sequential(modules.Dense(2, 1))
    optimizer, loss_fn = tr.Adam(learning_rate=0.1), tr.MSELoss()
    for _ in range(150):
        with tr.GradientTape() as tape:
            loss = loss_fn(model(em.asarray(x)), em.asarray(y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    assert float(loss) < 1e-3
    np.testing.assert_allclose(np.asarray(model.layers[0].weight), [[2, -1]], atol=0.05)
    other, sgd = nn.Linear(2, 1), tr.SGD(learning_rate=0.1, momentum=0.9)
    for _ in range(150):
        loss = loss_fn(other(em.asarray(x)), em.asarray(y))
        sgd.apply_gradients(
            zip(ops.gradients(loss, other.trainable_variables), other.trainable_variables)
        )
    assert float(loss) < 1e-3
    frozen = nn.Linear(2, 1).freeze()
    assert frozen.trainable_variables == [] and len(model.trainable_variables) == 2


def test_gradients_of_a_list():
    w, v = em.Tensor([1.0, 2.0], requires_grad=True), em.Tensor([3.0], requires_grad=True)
    found = ops.gradients([em.sum(w * w), em.sum(w)], [w, v])
    assert found[0].tolist() == [3, 5] and found[1] is None
    assert ops.gradients(em.sum(v * 2), v)[0].tolist() == [2] and w.grad is None


# ---- Initializers ----
def test_initializers_are_functions_and_make_them():
    assert initializers.zeros()((2, 3)).tolist() == [[0] * 3] * 2 and initializers.zeros(
        (2,)
    ).tolist() == [0, 0]
    for three in (
        initializers.constant(3.0, (2, 2)),
        initializers.constant((2, 2), 3.0),
        initializers.constant(3.0)((2, 2)),
        initializers.constant(value=3.0, shape=(2, 2)),
    ):
        assert three.tolist() == [[3, 3], [3, 3]]
    a, b = (initializers.random_normal((3, 3), mean=5.0, stddev=0.1, seed=7) for _ in range(2))
    assert a.tolist() == b.tolist() and abs(float(em.mean(a)) - 5) < 0.2
    make = initializers.random_uniform(minval=2.0, maxval=3.0)
    assert 2 <= float(em.min(make((50,)))) and float(em.max(make((50,)))) <= 3
    ones = initializers.binomial((1000,), probability=0.25, seed=3)
    assert set(ones.tolist()) == {0, 1} and 150 < float(em.sum(ones)) < 350
    assert initializers.BinomialInitializer(0.5, seed=1)((4,)).shape == (4,)


def test_small_helpers():
    class Thing:
        shape, dtype = (2,), em.float32

    assert (
        isinstance(Thing(), EmberTensorLike)
        and isinstance(em.ones(2), EmberTensorLike)
        and not isinstance(3, EmberTensorLike)
    )
    assert tensor.get_dtype(em.ones(2)) == em.float32 == tensor.get_dtype("float32")
    assert (
        ops.cumsum(em.ones((2, 3))).tolist() == [1, 2, 3, 4, 5, 6]
        and ops.cumsum(em.ones((2, 3)), axis=1).tolist() == [[1, 2, 3]] * 2
    )
    with pytest.raises(
        TypeError,
        match=r"\[random_normal\] argument 'mean' must be a number, not a tensor of shape \[4\]",
    ):
        em.random_normal((100, 4), mean=em.asarray([0.0, 1.0, 2.0, 3.0]))


# ---- Restricted Boltzmann machines ----
def test_the_free_energy_of_an_rbm_is_that_of_its_states(engine):
    rbm = models.RestrictedBoltzmannMachine(3, 2, seed=1)
    w, b, c = rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=2)
    rbm.to(em.float64)
    rbm.weights.data, rbm.visible_bias.data, rbm.hidden_bias.data = w, b, c
    states = np.array(list(np.ndindex(2, 2)), "f8")
    v = np.array(list(np.ndindex(2, 2, 2)), "f8")
    energy = -(v @ w @ states.T) - (v @ b)[:, None] - states @ c
    np.testing.assert_allclose(
        np.asarray(rbm.compute_free_energy(v)), -np.log(np.exp(-energy).sum(1)), rtol=1e-9
    )
    joint = np.exp(-energy)
    np.testing.assert_allclose(
        np.asarray(rbm.compute_hidden_probabilities(v)),
        joint @ states / joint.sum(1, keepdims=True),
        rtol=1e-9,
    )
    np.testing.assert_allclose(
        np.asarray(rbm.compute_visible_probabilities(states)),
        joint.T @ v / joint.sum(0)[:, None],
        rtol=1e-9,
    )


def test_an_rbm_learns_patterns(engine):
    em.random.seed(5)
    patterns = np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], "f4")
    data = patterns[rng.integers(0, 2, 100)]
    rbm = models.RBM(6, 4, learning_rate=0.2, seed=2)
    errors = rbm.train(data, epochs=40)
    assert errors[-1] < errors[0] / 5 and len(errors) == 40 == len(rbm.training_errors)
    assert np.abs(np.asarray(rbm.reconstruct(patterns)) - patterns).max() < 0.3
    assert rbm.transform(data).shape == (100, 4) and float(
        em.mean(rbm.compute_free_energy(patterns))
    ) < float(em.mean(rbm.compute_free_energy([[1, 0, 1, 0, 1, 0]])))
    assert not bool(em.any(rbm.is_anomaly(patterns))) and bool(
        rbm.is_anomaly([[1.0, 0, 1, 0, 1, 0]])[0]
    )
    drawn = np.asarray(rbm.generate_samples(20, num_gibbs_steps=30)).round()
    assert drawn.shape == (20, 6) and np.mean([(d == patterns).all(1).any() for d in drawn]) > 0.6
    copy = models.RBM.from_config(rbm.get_config())
    copy.load_state_dict(rbm.state_dict(), strict=False)
    np.testing.assert_array_equal(np.asarray(copy.transform(data)), np.asarray(rbm.transform(data)))
    rbm.train(False)
    assert not rbm.training
    with pytest.raises(ValueError, match="rows of 6"):
        rbm.transform(np.ones((2, 5)))
    with pytest.raises(RuntimeError, match="train"):
        copy.is_anomaly(data)


# ---- Tables ----
def table():
    return {
        "age": [20, 30, None, 50],
        "city": ["Ulm", "Bonn", "Ulm", None],
        "member": [True, False, True, True],
        "joined": [datetime.datetime(2024, 1, d, 6) for d in (1, 2, 3, 4)],
    }


def test_columns_become_features(tmp_path):
    x = features.ColumnFeatureExtractor()
    got, names = np.asarray(x.fit_transform(table())), None
    names = x.get_feature_names()
    assert got.dtype == np.float32 and got.shape == (4, len(names))
    assert x.column_types == {
        "age": "numeric",
        "city": "categorical",
        "member": "boolean",
        "joined": "datetime",
    }
    age = np.array([20, 30, 30, 50.0])  # missing values are replaced by the median
    np.testing.assert_allclose(
        got[:, names.index("age")], (age - age.mean()) / age.std(), rtol=1e-5
    )
    assert got[:, names.index("city=Ulm")].tolist() == [1, 0, 1, 0] and got[
        :, names.index("city=Bonn")
    ].tolist() == [0, 1, 0, 0]
    np.testing.assert_allclose(got[:, names.index("joined.hour.sin")], 1, rtol=1e-6)
    new = dict(table(), city=["Rome"] * 4)  # unknown categories are all zeros
    assert not np.asarray(x.transform(new))[
        :, [names.index("city=Ulm"), names.index("city=Bonn")]
    ].any()
    with open(tmp_path / "t.csv", "w", newline="") as f:
        rows = csv.writer(f)
        rows.writerow(table())
        rows.writerows(["" if v is None else v for v in row] for row in zip(*table().values()))
    from_file = features.ColumnFeatureExtractor()
    np.testing.assert_allclose(
        np.asarray(from_file.fit_transform(tmp_path / "t.csv")), got, rtol=1e-5
    )
    assert from_file.get_feature_names() == names
    pandas = pytest.importorskip("pandas")
    np.testing.assert_allclose(
        np.asarray(features.ColumnFeatureExtractor().fit_transform(pandas.DataFrame(table()))),
        got,
        rtol=1e-5,
    )
    assert "age" not in "".join(
        features.ColumnFeatureExtractor().fit(table(), "age").get_feature_names()
    )


def test_the_strategies_of_columns():
    data = {"n": [1.0, 2, 3, 4, 9], "c": ["a", "b", "a", "a", "b"], "d": ["x", "x", "y", "y", "x"]}
    make = lambda **k: (lambda e: (np.asarray(e.fit_transform(data)), e.get_feature_names()))(
        features.ColumnFeatureExtractor(**k)
    )
    np.testing.assert_allclose(
        make(numeric_strategy="minmax")[0][:, 0], [0, 1 / 8, 2 / 8, 3 / 8, 1]
    )
    np.testing.assert_allclose(
        make(numeric_strategy="robust")[0][:, 0], (np.array(data["n"]) - 3) / 2
    )
    np.testing.assert_allclose(make(numeric_strategy="none")[0][:, 0], data["n"])
    ranges, names = make(bucketized={"n": [2, 4]})
    assert names[:3] == ["n in [-inf, 2)", "n in [2, 4)", "n in [4, inf)"] and ranges[:, :3].argmax(
        1
    ).tolist() == [0, 1, 1, 2, 2]
    crossed, names = make(crossed=[("c", "d")])
    assert (
        crossed[:, names.index("c x d=a x x")].tolist() == [1, 0, 0, 0, 0]
        and "c x d=b x y" not in names
    )
    assert make(categorical_strategy="ordinal")[0][:, 1].tolist() == [0, 1, 0, 0, 1]
    hashed, names = make(categorical_strategy="hash", max_categories=4)
    assert len([n for n in names if n.startswith("c#")]) == 4 and (hashed[:, 1:5].sum(1) == 1).all()
    pca = features.ColumnPCAFeatureExtractor(pca_components=2)
    assert pca.fit_transform(data).shape == (5, 2)
    windows = features.TemporalColumnFeatureExtractor(window_size=3, stride=2).fit_transform(
        dict(data, t=[5, 4, 3, 2, 1]), time_column="t"
    )
    assert windows.shape[:2] == (2, 3)
    assert features.GenericTypeDetector().detect_column_types(data)["numeric"] == ["n"]
    for wrong in ({"numeric_strategy": "other"}, {"categorical_strategy": "other"}):
        with pytest.raises(ValueError, match="strategy"):
            features.ColumnFeatureExtractor(**wrong)
    extractor = features.ColumnFeatureExtractor()
    with pytest.raises(RuntimeError, match="fit"):
        extractor.transform(data)
    with pytest.raises(ValueError, match="has no columns d"):
        extractor.fit(data).transform({"n": [1], "c": ["a"]})
    with pytest.raises(ValueError, match="unknown column 'z'"):
        features.ColumnFeatureExtractor(crossed=[("c", "z")]).fit(data)
    with pytest.raises(ValueError, match="is not a number"):
        extractor.transform(dict(data, n=["many"] * 5))
    with pytest.raises(ValueError, match="lengths"):
        extractor.fit({"a": [1], "b": [1, 2]})
    with pytest.raises(TypeError, match="DataFrame"):
        extractor.fit(3)


# ---- Plots ----
def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from ember_ml import visualization
    from ember_ml.utils.visualization import plot_network

    m = modules.NCPMap(6, 4, 2, sensory_neurons=3)
    ax = visualization.plot_network(modules.CfC(m))
    assert (
        len(ax.collections) == 4
        and str(m.synapse_count + m.sensory_synapse_count) in ax.get_title()
    )
    assert (
        plot_network is visualization.plot_network
        and visualization.plot_wiring(modules.RandomMap(8, 2, 3)).get_title()
    )
    figure = visualization.plot_history(
        {
            "epoch": [1, 2],
            "loss": [2.0, 1.0],
            "val_loss": [2.5, 2.0],
            "accuracy": [0.5, 0.6],
            "seconds": [1, 1],
        }
    )
    assert [a.get_title() for a in figure.axes] == ["loss", "accuracy"] and len(
        figure.axes[0].lines
    ) == 2
    figure.savefig(tmp_path / "history.png")
    assert (tmp_path / "history.png").stat().st_size > 5000
    assert (
        visualization.plot_confusion_matrix(tr.confusion_matrix([0, 1, 1], [0, 1, 0])).get_xlabel()
        == "prediction"
    )
    with pytest.raises(ValueError, match="no nonsense"):
        visualization.plot_history({"loss": [1.0]}, ["nonsense"])
    for wrong in (3, nn.Linear(2, 2)):
        with pytest.raises(TypeError, match="neuron map"):
            visualization.plot_network(wrong)
    with pytest.raises(RuntimeError, match="not built"):
        visualization.plot_network(modules.NCPMap(3, 2, 1))
