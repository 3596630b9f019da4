"""Programs of Ember ML's users: ops and tensor, liquid networks, features, training loops."""

import math
import numpy as np
from ember_ml import ops
from ember_ml.nn import tensor
from check import close, equal


def sine_waves(batch=16, steps=12):
    """Waves with shifted phases, and the same one step later: [batch, steps, 1]."""
    t = np.arange(steps + 1) * 0.5
    waves = np.sin(t[None, :] + np.arange(batch)[:, None])[:, :, None]
    return waves[:, :-1].astype("float32"), waves[:, 1:].astype("float32")


def program_first_operations():
    x = tensor.convert_to_tensor([[1.0, 2.0], [3.0, 4.0]])
    y = tensor.ones((2, 2))
    close(ops.add(x, y), [[2, 3], [4, 5]])
    close(ops.matmul(x, y), [[3, 3], [7, 7]])
    close(ops.multiply(x, 2), [[2, 4], [6, 8]])
    assert tensor.shape(x) == (2, 2)
    close(tensor.reshape(x, (4,)), [1, 2, 3, 4])
    close(tensor.transpose(x), [[1, 3], [2, 4]])
    close(tensor.concatenate([x, y], axis=0).shape, (4, 2))
    close(tensor.to_numpy(x), [[1, 2], [3, 4]])
    assert tensor.item(ops.stats.sum(x)) == 10
    close(tensor.cast(x, tensor.int32), [[1, 2], [3, 4]])
    close(tensor.gather(x, [1]), [[3, 4]])


def program_switching_backends():
    before = ops.get_backend()
    results = []
    for name in ("native", "numpy"):
        ops.set_backend(name)
        results.append(tensor.to_numpy(ops.sin(tensor.linspace(0.0, 1.0, 5))))
    ops.set_backend(before)
    close(results[0], results[1])
    close(results[0], np.sin(np.linspace(0, 1, 5)))


def program_statistics_and_linear_algebra():
    data = tensor.array([1.0, 2.0, 3.0, 4.0, 5.0])
    close(ops.stats.mean(data), 3)
    close(ops.stats.std(data), math.sqrt(2))
    close(ops.stats.var(data), 2)
    close(ops.stats.median(data), 3)
    close(ops.stats.percentile(data, 50), 3)
    a = tensor.convert_to_tensor([[2.0, 1.0], [1.0, 3.0]])
    close(ops.linearalg.solve(a, tensor.array([3.0, 5.0])), [0.8, 1.4])
    close(ops.linearalg.inv(a), np.linalg.inv([[2, 1], [1, 3]]))
    close(ops.linearalg.det(a), 5)
    u, s, vh = ops.linearalg.svd(a)
    close(s, np.linalg.svd([[2, 1], [1, 3]])[1])
    q, r = ops.linearalg.qr(a)
    close(ops.matmul(q, r), a)


def program_activations():
    from ember_ml.nn.modules.activations import ReLU, get_activation

    x = tensor.convert_to_tensor([-1.0, 0.0, 2.0])
    close(ops.relu(x), [0, 0, 2])
    close(ReLU()(x), [0, 0, 2])
    close(get_activation("tanh")(x), np.tanh([-1, 0, 2]))
    close(ops.sigmoid(x), 1 / (1 + np.exp([1.0, 0, -2])))


def program_train_with_gradients():
    from ember_ml.nn.modules import Linear
    from ember_ml.training import SGD, MSELoss

    model = Linear(2, 1)
    optimizer = SGD(learning_rate=0.3)
    loss_fn = MSELoss()
    X = tensor.convert_to_tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    y = tensor.convert_to_tensor([[1.0], [3.0], [0.0], [2.0]])
    for epoch in range(150):
        loss = loss_fn(y, model(X))
        gradients = ops.gradients(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    close(model.weight, [[2, -1]], atol=0.02)
    close(model.bias, [1], atol=0.02)


def program_step_with_gradients():
    from ember_ml.nn.modules import Linear
    from ember_ml.training import Adam, MSELoss

    model = Linear(1, 1)
    optimizer = Adam(model.parameters(), learning_rate=0.1)
    x = tensor.reshape(tensor.linspace(-1.0, 1.0, 20), (20, 1))
    y = ops.add(ops.multiply(x, 2.0), 1.0)
    for _ in range(120):
        optimizer.zero_grad()
        loss = MSELoss()(model(x), y)
        grads = ops.gradients(loss, model.parameters())
        optimizer.step(grads)
    close(model.weight, [[2]], atol=0.05)
    close(model.bias, [1], atol=0.05)


def program_closed_form_network():
    from ember_ml.nn import Module, Linear
    from ember_ml.nn.modules.rnn import CfC
    from ember_ml.nn.modules.wiring import NCPMap
    from ember_ml.training import Adam, MSELoss

    class Forecast(Module):
        def __init__(self):
            super().__init__()
            self.map = NCPMap(
                inter_neurons=6, command_neurons=4, motor_neurons=2, sensory_neurons=1, seed=1
            )
            self.rnn = CfC(neuron_map=self.map, return_sequences=True)
            self.out = Linear(2, 1)

        def forward(self, x):
            return self.out(self.rnn(x))

    x, y = sine_waves(steps=6)
    x, y = tensor.convert_to_tensor(x), tensor.convert_to_tensor(y)
    model = Forecast()
    assert model(x).shape == (16, 6, 1)
    optimizer = Adam(model.parameters(), learning_rate=0.03)
    losses = []
    for _ in range(12):
        loss = MSELoss()(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(tensor.item(loss))
    assert losses[-1] < 0.7 * losses[0]


def program_liquid_time_constants():
    from ember_ml.nn.modules.rnn import LTC
    from ember_ml.nn.modules.wiring import FullyConnectedMap
    from ember_ml.training import Adam

    model = LTC(FullyConnectedMap(units=6, output_dim=1, input_dim=1), return_sequences=True)
    x, y = sine_waves(8, 4)
    x, y = tensor.convert_to_tensor(x), tensor.convert_to_tensor(y)
    optimizer = Adam(model.parameters(), learning_rate=0.02)
    losses = []
    for _ in range(8):
        loss = ops.mean(ops.square(ops.subtract(model(x), y)))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(tensor.item(loss))
    assert losses[-1] < losses[0] and all(math.isfinite(v) for v in losses)


def program_unbuilt_network_is_trained():
    from ember_ml.nn import Sequential
    from ember_ml.nn.modules.rnn import CfC
    from ember_ml.nn.modules.wiring import FullyConnectedMap
    from ember_ml.training import SGD

    rnn = CfC(FullyConnectedMap(units=5, output_dim=1))
    model = Sequential([rnn])
    x, y = sine_waves(8, 6)
    x, y = tensor.convert_to_tensor(x), tensor.convert_to_tensor(y[:, -1])
    try:
        optimizer = SGD(model.parameters(), learning_rate=0.1)
    except ValueError:
        # An optimizer without parameters raises, so the model is built by a first call.
        model(x)
        optimizer = SGD(model.parameters(), learning_rate=0.1)
    first = tensor.item(ops.mse_loss(model(x), y))
    for _ in range(8):
        loss = ops.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert tensor.item(ops.mse_loss(model(x), y)) < first


def program_recurrent_layers():
    from ember_ml.nn import modules

    x = tensor.ones((4, 5, 3))
    outputs, state = modules.RNN(input_size=3, hidden_size=6, return_state=True)(x)
    assert outputs.shape == (4, 5, 6)
    last = modules.LSTM(3, 6, return_sequences=False)(x)
    assert last.shape == (4, 6)
    assert modules.GRU(3, 6)(x).shape == (4, 5, 6)


def program_neural_circuit_policy():
    from ember_ml.nn.modules import AutoNCP, NCP
    from ember_ml.nn.modules.wiring import NCPMap

    wiring = NCPMap(inter_neurons=8, command_neurons=4, motor_neurons=3, sensory_neurons=5, seed=42)
    y = NCP(wiring, activation="tanh")(tensor.ones((2, 5)))
    assert y.shape[-1] == 3
    auto = AutoNCP(units=16, output_size=2, sparsity_level=0.5)
    assert auto(tensor.ones((2, 5))).shape[-1] == 2


def program_wiring():
    from ember_ml.nn.modules.wiring import FullyConnectedMap, NCPMap, RandomMap

    full = FullyConnectedMap(units=4, output_dim=2, input_dim=3)
    assert full.get_input_mask().shape == (3, 4)
    assert full.get_recurrent_mask().shape == (4, 4)
    assert tensor.item(ops.stats.sum(full.get_output_mask())) == 2
    random = RandomMap(units=10, output_dim=2, input_dim=3, sparsity_level=0.5, seed=0)
    assert 0 < random.synapse_count < 100
    again = NCPMap.from_config(NCPMap(3, 2, 1, sensory_neurons=2, seed=5).get_config())
    again.build(2)
    assert again.units == 6


def program_features():
    from ember_ml.features import one_hot, pca, standardize

    rng = np.random.default_rng(0)
    a = rng.normal(size=(30, 3)) * [3, 1, 0.1] + 5
    x = tensor.convert_to_tensor(a)
    scaled = standardize().fit_transform(x)
    close(scaled, (a - a.mean(0)) / a.std(0), atol=1e-4)
    projected = pca(n_components=2).fit_transform(x)
    centered = a - a.mean(0)
    u, s, vt = np.linalg.svd(centered, full_matrices=False)
    close(np.abs(tensor.to_numpy(projected)), np.abs(u[:, :2] * s[:2]), atol=1e-4)
    equal(one_hot(tensor.array([0, 2]), 3), [[1, 0, 0], [0, 0, 1]])


def program_time_series_features():
    series = tensor.convert_to_tensor(np.sin(np.arange(32) / 4))
    frames = ops.frame(series, frame_length=8, hop_length=4)
    assert frames.shape == (7, 8)
    means = ops.reduce_mean(frames, axis=1)
    v = np.sin(np.arange(32) / 4)
    close(means, [v[i : i + 8].mean() for i in range(0, 25, 4)])
    window = ops.hann_window(8)
    spectrum = ops.stft(ops.multiply(frames, window))
    assert spectrum.shape[0] == 5


def program_scatter_mean():
    values = tensor.array([1.0, 2.0, 3.0, 4.0])
    indices = tensor.array([0, 1, 0, 2])
    total = ops.scatter(values, indices, 4, "add")
    close(total, [4, 2, 4, 0])
    count = ops.scatter(ops.ones_like(values), indices, 4, "add")
    count = ops.where(count == 0, ops.ones_like(count), count)
    close(ops.divide(total, count), [2, 2, 4, 0])


def program_scatter_into_a_tensor():
    x = tensor.zeros((2, 3))
    x = tensor.tensor_scatter_nd_update(x, tensor.array([[0, 1], [1, 2]]), tensor.array([5.0, 7.0]))
    close(x, [[0, 5, 0], [0, 0, 7]])
    order = tensor.random_permutation(6)
    equal(ops.stats.sort(order), np.arange(6))
    noise = tensor.random_normal((500,), mean=2.0, stddev=0.5)
    close(ops.stats.mean(noise), 2, atol=0.1)
    shift = tensor.random_uniform((4,), minval=1.0, maxval=2.0)
    assert tensor.item(ops.stats.min(shift)) >= 1


def program_metrics():
    from ember_ml.training import classification_metrics, confusion_matrix, regression_metrics

    y_true = tensor.convert_to_tensor([0, 1, 2, 0, 1, 2])
    y_pred = tensor.convert_to_tensor([0, 2, 1, 0, 1, 2])
    close(classification_metrics(y_true, y_pred)["accuracy"], 4 / 6)
    equal(confusion_matrix(y_true, y_pred), [[2, 0, 0], [0, 1, 1], [0, 1, 1]])
    found = regression_metrics(tensor.array([1.0, 2.0, 3.0]), tensor.array([1.0, 2.0, 5.0]))
    close(found["mse"], 4 / 3)
    close(found["r2"], -1)


def program_layers_of_the_users():
    from ember_ml.nn import Module, Parameter

    class Scale(Module):
        def __init__(self, size):
            super().__init__()
            self.weight = Parameter(tensor.ones((size,)))

        def forward(self, x: tensor.EmberTensor) -> tensor.EmberTensor:
            x = tensor.convert_to_tensor(x)
            return ops.multiply(x, self.weight)

    layer = Scale(3)
    close(layer([1.0, 2.0, 3.0]), [1, 2, 3])
    assert len(list(layer.parameters())) == 1
    x = tensor.EmberTensor([1.0, 2.0, 3.0], requires_grad=True)
    ops.stats.sum(ops.square(layer(x))).backward()
    close(x.grad, [2, 4, 6])
    close(layer.weight.grad, [2, 8, 18])


def program_save_and_restore(folder):
    x = tensor.convert_to_tensor([[1.0, 2.0]])
    ops.save(str(folder / "x.npy"), x)
    close(ops.load(str(folder / "x.npy")), x)
    from ember_ml.nn import Linear

    one, two = Linear(2, 2), Linear(2, 2)
    one.save(str(folder / "layer.safetensors"))
    two.load(str(folder / "layer.safetensors"))
    close(two(x), one(x))
