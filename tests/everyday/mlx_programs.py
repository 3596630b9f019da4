"""Programs of MLX's documentation, with the import lines changed."""

import math
import numpy as np
import ember_ml as mx
import ember_ml.nn as nn
import ember_ml.optim as optim
from check import close, equal


def program_quick_start():
    a = mx.array([1, 2, 3, 4])
    assert a.shape == (4,)
    b = mx.array([1.0, 2.0, 3.0, 4.0])
    assert b.dtype == mx.float32
    c = a + b
    mx.eval(c)
    close(c, [2, 4, 6, 8])
    close(np.array(c), [2, 4, 6, 8])
    x = mx.array(0.0)
    close(mx.sin(x), 0)
    close(mx.grad(mx.sin)(x), 1)
    close(mx.grad(mx.grad(mx.sin))(mx.array(math.pi / 2)), -1)
    assert c.tolist() == [2.0, 4.0, 6.0, 8.0]
    assert mx.array(3.0).item() == 3.0


def program_linear_regression():
    num_features, num_examples, num_iters, lr = 5, 80, 60, 0.1
    rng = np.random.default_rng(0)
    w_star = mx.array(rng.normal(size=num_features).astype(np.float32))
    X = mx.array(rng.normal(size=(num_examples, num_features)).astype(np.float32))
    y = X @ w_star

    def loss_fn(w):
        return 0.5 * mx.mean(mx.square(X @ w - y))

    grad_fn = mx.grad(loss_fn)
    w = mx.zeros(num_features)
    for _ in range(num_iters):
        grad = grad_fn(w)
        w = w - lr * grad
        mx.eval(w)
    loss = loss_fn(w)
    error_norm = mx.sum(mx.square(w - w_star)).item() ** 0.5
    assert loss.item() < 1e-3
    assert error_norm < 0.1


def program_random_data():
    mx.random.seed(0)
    x = mx.random.normal((500, 2))
    close(mx.mean(x), 0, atol=0.15)
    u = mx.random.uniform(low=-1, high=1, shape=(200,))
    assert u.min().item() >= -1 and u.max().item() < 1
    n = 1e-2 * mx.random.normal((10,))
    assert mx.abs(n).max().item() < 0.1
    r = mx.random.randint(0, 5, (50,))
    assert r.min().item() >= 0 and r.max().item() < 5
    b = mx.random.bernoulli(0.5, (400,))
    close(mx.mean(b.astype(mx.float32)), 0.5, atol=0.1)
    c = mx.random.categorical(mx.log(mx.array([0.001, 0.999])))
    assert c.item() in (0, 1)


def program_function_transforms():
    def loss_fn(w, x, y):
        return mx.mean(mx.square(w * x - y))

    w = mx.array(1.0)
    x = mx.array([0.5, -0.5])
    y = mx.array([1.5, -1.5])
    loss_and_grad_fn = mx.value_and_grad(loss_fn)
    loss, grad_w = loss_and_grad_fn(w, x, y)
    close(loss, 1)
    close(grad_w, -1)
    grad_fn = mx.grad(loss_fn, argnums=1)
    close(grad_fn(w, x, y), [-1, 1])

    def dict_loss(params, x, y):
        h = x * params["weight"] + params["bias"]
        return mx.mean(mx.square(h - y))

    grads = mx.grad(dict_loss)({"weight": mx.array(1.0), "bias": mx.array(0.0)}, x, y)
    close(grads["weight"], -1)
    close(grads["bias"], 0)


def program_vectorized_map():
    xs = mx.arange(12.0).reshape(3, 4)
    ys = mx.ones((4, 3))
    out = mx.vmap(lambda x, y: x + y, in_axes=(0, 1))(xs, ys)
    close(out, np.arange(12).reshape(3, 4) + 1)


def program_compile():
    def fun(x, y):
        return mx.exp(-x) + y

    compiled_fun = mx.compile(fun)
    close(compiled_fun(mx.array(1.0), mx.array(2.0)), math.exp(-1) + 2)


def program_mlp():
    class MLP(nn.Module):
        def __init__(self, num_layers, input_dim, hidden_dim, output_dim):
            super().__init__()
            layer_sizes = [input_dim] + [hidden_dim] * num_layers + [output_dim]
            self.layers = [
                nn.Linear(idim, odim) for idim, odim in zip(layer_sizes[:-1], layer_sizes[1:])
            ]

        def __call__(self, x):
            for layer in self.layers[:-1]:
                x = mx.maximum(layer(x), 0.0)
            return self.layers[-1](x)

    def loss_fn(model, X, y):
        return mx.mean(nn.losses.cross_entropy(model(X), y))

    def eval_fn(model, X, y):
        return mx.mean(mx.argmax(model(X), axis=1) == y)

    rng = np.random.default_rng(0)
    labels = np.arange(48) % 3
    images = 0.3 * rng.normal(size=(48, 6))
    images[np.arange(48), labels] += 2
    X, y = mx.array(images.astype(np.float32)), mx.array(labels)
    model = MLP(2, 6, 16, 3)
    mx.eval(model.parameters())
    loss_and_grad_fn = nn.value_and_grad(model, loss_fn)
    optimizer = optim.SGD(learning_rate=0.3)
    for e in range(25):
        loss, grads = loss_and_grad_fn(model, X, y)
        optimizer.update(model, grads)
        mx.eval(model.parameters(), optimizer.state)
    assert eval_fn(model, X, y).item() > 0.95


def program_lazy_evaluation():
    def fun(x):
        a = mx.exp(x)
        b = mx.sin(a)
        return a, b

    a, _ = fun(mx.array(1.0))
    close(a, math.e)
    x = mx.ones((4, 4))
    for _ in range(5):
        x = x @ x / 4
        mx.eval(x)
    close(x, np.ones((4, 4)))


def program_indexing():
    arr = mx.arange(10)
    assert arr[3].item() == 3
    assert arr[-2].item() == 8
    equal(arr[2:8:2], [2, 4, 6])
    equal(arr[mx.array([5, 7])], [5, 7])
    grid = mx.arange(8).reshape(2, 2, 2)
    equal(grid[:, :, 0], [[0, 2], [4, 6]])
    equal(grid[..., 0], [[0, 2], [4, 6]])
    assert grid[None].shape == (1, 2, 2, 2)
    a = mx.array([1, 2, 3])
    a[2] = 0
    equal(a, [1, 2, 0])
    equal(mx.expand_dims(a, 0).shape, (1, 3))
    idx = mx.array([0, 0])
    b = mx.zeros(2).at[idx].add(mx.array([1.0, 1.0]))
    close(b, [2, 0])


def program_gradient_descent_on_sine():
    x = mx.linspace(-1, 1, 40)
    y = mx.sin(3 * x)
    params = [mx.zeros(4)]

    def loss(w):
        pred = w[0] + w[1] * x + w[2] * x**2 + w[3] * x**3
        return mx.mean((pred - y) ** 2)

    w = params[0]
    for _ in range(150):
        value, g = mx.value_and_grad(loss)(w)
        w = w - 0.3 * g
        mx.eval(w)
    assert value.item() < 0.05


def program_optimizer_with_layers():
    model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    x = mx.linspace(-1, 1, 20).reshape(-1, 1)
    y = x * x

    def loss_fn(model, x, y):
        return nn.losses.mse_loss(model(x), y)

    optimizer = optim.Adam(learning_rate=0.03)
    step = nn.value_and_grad(model, loss_fn)
    losses = []
    for _ in range(60):
        loss, grads = step(model, x, y)
        optimizer.update(model, grads)
        mx.eval(model.state, optimizer.state)
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]


def program_save_arrays(folder):
    a = mx.array([1.0, 2.0])
    mx.save(str(folder / "array.npy"), a)
    close(mx.load(str(folder / "array.npy")), [1, 2])
    mx.savez(str(folder / "arrays.npz"), a, b=mx.ones(3))
    arrays = mx.load(str(folder / "arrays.npz"))
    close(arrays["b"], [1, 1, 1])
    close(arrays["arr_0"], [1, 2])


def program_save_safetensors(folder):
    mx.save_safetensors(str(folder / "w.safetensors"), {"w": mx.array([1.0, 2.0])})
    close(mx.load(str(folder / "w.safetensors"))["w"], [1, 2])


def program_streams():
    a = mx.random.uniform(shape=(8, 8))
    b = mx.random.uniform(shape=(8, 8))
    close(mx.add(a, b, stream=mx.cpu), np.array(a) + np.array(b))


def program_default_device():
    mx.set_default_device(mx.cpu)
    assert mx.default_device() is not None


def program_fast_attention():
    q = mx.random.normal((1, 2, 4, 8))
    out = mx.fast.scaled_dot_product_attention(q, q, q, scale=1 / math.sqrt(8))
    s = np.array(q, dtype=np.float64)
    p = np.exp(s @ s.swapaxes(-1, -2) / math.sqrt(8))
    close(out, p / p.sum(-1, keepdims=True) @ s, atol=1e-4)
    x = mx.array([[3.0, 4.0]])
    close(mx.fast.rms_norm(x, mx.ones(2), 1e-5), np.array([[3, 4]]) / math.sqrt(12.5))
