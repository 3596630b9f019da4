"""More programs of Ember ML's users: cells, wirings, training with its optimizers, data, statistics."""

import math
import numpy as np
from ember_ml import ops
from ember_ml.nn import tensor
from check import close, equal


def program_tensor_creation():
    close(tensor.zeros((2, 2)), np.zeros((2, 2)))
    close(tensor.full((2,), 7.0), [7, 7])
    close(tensor.eye(2), np.eye(2))
    equal(tensor.arange(0, 10, 3), [0, 3, 6, 9])
    close(tensor.linspace(0.0, 1.0, 3), [0, 0.5, 1])
    close(tensor.ones_like(tensor.zeros((3,))), [1, 1, 1])
    x = tensor.EmberTensor([[1, 2], [3, 4]], dtype=tensor.float32)
    assert x.shape == (2, 2) and x.dtype == tensor.float32
    assert tensor.shape(tensor.expand_dims(x, 0)) == (1, 2, 2)
    assert tensor.shape(tensor.squeeze(tensor.ones((1, 3)))) == (3,)
    close(tensor.tile(tensor.array([1, 2]), [2]), [1, 2, 1, 2])
    close(tensor.stack([tensor.array([1, 2]), tensor.array([3, 4])], axis=1), [[1, 3], [2, 4]])
    a, b = tensor.split(tensor.arange(4), 2)
    equal(b, [2, 3])
    close(tensor.pad(tensor.ones((1, 1)), [[1, 1], [0, 0]]), [[0], [1], [0]])


def program_backend_report():
    name = ops.get_backend()
    before = ops.matmul(tensor.ones((2, 3)), tensor.ones((3, 2)))
    for other in ("numpy", "native"):
        ops.set_backend(other)
        assert ops.get_backend() == other
        close(ops.matmul(tensor.ones((2, 3)), tensor.ones((3, 2))), before)
    ops.set_backend(name)
    try:
        ops.set_backend("cupy")
    except (ValueError, RuntimeError) as e:
        assert "cupy" in str(e)
    else:
        raise AssertionError("there is no backend called cupy")


def program_mathematics():
    x = tensor.array([0.5, 1.0, 2.0])
    close(ops.log(ops.exp(x)), x)
    close(ops.sqrt(ops.square(x)), x)
    close(ops.clip(x, 0.6, 1.5), [0.6, 1, 1.5])
    close(ops.gradient(ops.square(tensor.arange(5.0))), np.gradient(np.arange(5.0) ** 2))
    close(ops.cumsum(x, axis=0), [0.5, 1.5, 3.5])
    close(ops.softmax(x), np.exp([0.5, 1, 2]) / np.exp([0.5, 1, 2]).sum())
    equal(ops.greater(x, 0.9), [False, True, True])
    close(ops.where(ops.less(x, 1.0), x, ops.zeros_like(x)), [0.5, 0, 0])
    assert ops.allclose(x, x + 1e-9)
    close(ops.dot(x, x), 0.25 + 1 + 4)
    close(ops.mod(tensor.array([5, 7]), 3), [2, 1])
    close(ops.floor_divide(tensor.array([5, 7]), 3), [1, 2])
    assert abs(float(ops.pi) - math.pi) < 1e-6


def program_statistics():
    v = np.random.default_rng(0).normal(size=(20, 3))
    x = tensor.convert_to_tensor(v)
    for name in ("mean", "std", "var", "median", "max", "min", "sum"):
        close(getattr(ops.stats, name)(x, axis=0), getattr(np, name)(v, axis=0), atol=1e-4)
    close(ops.stats.percentile(x, 25, axis=0), np.percentile(v, 25, axis=0))
    close(ops.stats.cumsum(x, axis=1), np.cumsum(v, axis=1))
    equal(ops.stats.argmax(x, axis=1), v.argmax(1))
    equal(ops.stats.argsort(x, axis=0), v.argsort(0))
    close(ops.stats.std(x, axis=0, ddof=1), v.std(0, ddof=1))


def program_decompositions():
    a = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    x = tensor.convert_to_tensor(a)
    L = ops.linearalg.cholesky(x)
    close(ops.matmul(L, tensor.transpose(L)), a)
    w, v = ops.linearalg.eigh(x)
    close(w, np.linalg.eigvalsh(a))
    close(ops.linearalg.lstsq(x, tensor.ones((3, 1)))[0], np.linalg.solve(a, np.ones((3, 1))))
    close(ops.linearalg.norm(x), np.linalg.norm(a))
    close(ops.linearalg.diag(tensor.array([1.0, 2.0])), [[1, 0], [0, 2]])
    close(ops.linearalg.det(x), np.linalg.det(a), rtol=1e-4)
    close(ops.linearalg.eigvals(x).real.sum(), 9)
    close(ops.linearalg.matrix_rank(x), 3)


def program_cells_step_by_step():
    from ember_ml.nn import GRUCell, LSTMCell, RNNCell

    x = tensor.random_normal((4, 3))
    for cell in (RNNCell(3, 5), GRUCell(3, 5)):
        h = tensor.zeros((4, 5))
        for _ in range(3):
            h = cell(x, h)
        assert h.shape == (4, 5)
    cell = LSTMCell(3, 5)
    h, c = cell(x)
    h, c = cell(x, (h, c))
    assert h.shape == c.shape == (4, 5)


def program_wired_classifier():
    from ember_ml.nn import Linear, Module
    from ember_ml.nn.modules.rnn import CfC
    from ember_ml.nn.modules.wiring import NCPMap
    from ember_ml.training import Adam, CrossEntropyLoss

    rng = np.random.default_rng(0)
    y = np.arange(24) % 2
    t = np.arange(8)
    x = np.where(y[:, None] == 1, np.sin(t * 1.5), np.sin(t * 0.4))[..., None]
    x = tensor.convert_to_tensor((x + 0.05 * rng.normal(size=x.shape)).astype("float32"))
    target = tensor.convert_to_tensor(y)

    class Net(Module):
        def __init__(self):
            super().__init__()
            wiring = NCPMap(
                inter_neurons=8, command_neurons=6, motor_neurons=4, sensory_neurons=1, seed=2
            )
            self.rnn = CfC(neuron_map=wiring, return_sequences=False)
            self.head = Linear(4, 2)

        def forward(self, x):
            return self.head(self.rnn(x))

    ops.random.seed(0)
    net = Net()
    net(x)
    optimizer = Adam(net.parameters(), learning_rate=0.03)
    loss_fn = CrossEntropyLoss()
    first = None
    for _ in range(25):
        loss = loss_fn(net(x), target)
        first = first or tensor.item(loss)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert tensor.item(loss) < 0.6 * first


def program_restricted_boltzmann_machine():
    from ember_ml.models.rbm import RBM

    patterns = np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]] * 10, dtype="float32")
    ops.random.seed(1)
    rbm = RBM(n_visible=6, n_hidden=4, learning_rate=0.2)
    rbm.train(tensor.convert_to_tensor(patterns), epochs=40)
    rebuilt = rbm.reconstruct(tensor.convert_to_tensor(patterns[:2]))
    assert rebuilt.shape == (2, 6)


def program_normalization_layer():
    from ember_ml.nn.modules import BatchNormalization, Dropout, Dense

    x = tensor.random_normal((50, 4), mean=3.0, stddev=2.0)
    layer = BatchNormalization()
    y = layer(x, training=True)
    close(ops.stats.mean(y, axis=0), np.zeros(4), atol=1e-3)
    close(ops.stats.std(y, axis=0), np.ones(4), atol=1e-2)
    drop = Dropout(0.5, seed=1)
    kept = drop(tensor.ones((1000,)), training=True)
    close(ops.stats.mean(kept), 1, atol=0.15)
    close(drop(tensor.ones((4,)), training=False), np.ones(4))
    dense = Dense(4, 3, activation="relu")
    assert tensor.shape(dense(x)) == (50, 3)
    assert tensor.item(ops.stats.min(dense(x))) >= 0


def program_initializers():
    from ember_ml.nn import initializers

    w = initializers.glorot_uniform()((200, 100))
    limit = math.sqrt(6 / 300)
    assert tensor.item(ops.stats.max(ops.abs(w))) <= limit
    close(ops.stats.std(w), limit / math.sqrt(3), rtol=0.05)
    close(initializers.zeros()((2,)), [0, 0])
    close(initializers.constant(2.5)((2,)), [2.5, 2.5])
    q = initializers.orthogonal()((4, 4))
    close(ops.matmul(q, tensor.transpose(q)), np.eye(4), atol=1e-4)


def program_table_features():
    from ember_ml.features import normalize

    a = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    x = tensor.convert_to_tensor(a)
    scaled = (x - ops.stats.min(x, axis=0)) / (ops.stats.max(x, axis=0) - ops.stats.min(x, axis=0))
    close(scaled, [[0, 0], [0.5, 0.5], [1, 1]])
    fitted = normalize().fit_transform(x)
    assert tensor.shape(fitted) == (3, 2)
    windows = ops.frame(tensor.arange(6.0), frame_length=3, hop_length=1)
    close(ops.stats.mean(windows, axis=1), [1, 2, 3, 4])


def program_gradient_tape():
    from ember_ml.training import GradientTape

    x = tensor.convert_to_tensor([3.0])
    with GradientTape() as tape:
        tape.watch(x)
        y = ops.square(x)
    close(tape.gradient(y, x), [6])


def program_hebbian_learning():
    from ember_ml.training import HebbianLayer

    layer = HebbianLayer(input_size=3, output_size=2)
    y = layer(tensor.ones((5, 3)))
    assert tensor.shape(y) == (5, 2)


def program_pickled_tensors():
    import copy
    import pickle

    x = tensor.convert_to_tensor([[1.0, 2.0], [3.0, 4.0]])
    again = pickle.loads(pickle.dumps(x))
    close(again, x)
    assert again.dtype == x.dtype
    clone = copy.deepcopy(x)
    clone[0, 0] = 9.0
    assert tensor.item(x[0, 0]) == 1


def program_sequences_of_layers():
    from ember_ml.nn import Sequential
    from ember_ml.nn.modules import Dense
    from ember_ml.training import SGD

    model = Sequential([Dense(1, 8, activation="tanh"), Dense(8, 1)])
    x = tensor.reshape(tensor.linspace(-1.0, 1.0, 16), (16, 1))
    y = ops.multiply(x, 2.0)
    optimizer = SGD(model.parameters(), learning_rate=0.1)
    losses = []
    for _ in range(60):
        loss = ops.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(tensor.item(loss))
    assert losses[-1] < 0.2 * losses[0]
    assert len(model.layers) == 2
