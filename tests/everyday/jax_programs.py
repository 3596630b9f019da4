"""Programs of JAX's tutorials, with the import lines changed."""

import numpy as np
import ember_ml as jnp
from ember_ml import grad, value_and_grad
from check import close, equal


def program_numpy_style():
    x = jnp.arange(5.0)
    selu = 1.05 * jnp.where(x > 0, x, 1.67 * jnp.exp(x) - 1.67)
    close(selu, [1.05 * (1.67 - 1.67), 1.05, 2.1, 3.15, 4.2])
    close(jnp.linspace(0, 10, 5), [0, 2.5, 5, 7.5, 10])
    equal(jnp.dot(jnp.eye(3), jnp.arange(3)), [0, 1, 2])
    x = jnp.array([3.0, 1.0, 2.0])
    close(jnp.sort(x), [1, 2, 3])
    close(jnp.vstack([x, x]).mean(axis=0), x)
    assert jnp.float32 == x.dtype


def program_grad():
    def sum_logistic(x):
        return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))

    derivative = grad(sum_logistic)
    close(derivative(jnp.arange(3.0)), [0.25, 0.19661194, 0.10499359])
    grad_tanh = grad(jnp.tanh)
    close(grad_tanh(2.0), 0.07065083)
    close(grad(grad(grad(jnp.tanh)))(2.0), 0.25265405)


def program_polynomial_derivatives():
    f = lambda x: x**3 + 2 * x**2 - 3 * x + 1
    dfdx = grad(f)
    d2fdx = grad(dfdx)
    close(dfdx(1.0), 4)
    close(d2fdx(1.0), 10)
    close(grad(d2fdx)(1.0), 6)


def program_gradient_of_several_arguments():
    def f(w, b, x):
        return jnp.sum((x @ w + b) ** 2)

    w, b, x = jnp.array([1.0, 2.0]), 0.5, jnp.array([[1.0, 1.0], [2.0, 0.0]])
    dw, db = grad(f, argnums=(0, 1))(w, b, x)
    r = np.array([3.5, 2.5])
    close(dw, 2 * np.array([[1, 1], [2, 0]]).T @ r)
    close(db, 2 * r.sum())
    value, gradient = value_and_grad(f)(w, b, x)
    close(value, 18.5)
    close(gradient, dw)


def program_logistic_regression():
    inputs = jnp.array(
        [[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]]
    )
    targets = jnp.array([True, True, False, True])

    def predict(W, b, inputs):
        return 0.5 * (jnp.tanh((jnp.dot(inputs, W) + b) / 2) + 1)

    def loss(W, b):
        preds = predict(W, b, inputs)
        label_probs = preds * targets + (1 - preds) * (1 - targets)
        return -jnp.sum(jnp.log(label_probs))

    W, b = jnp.array([0.1, 0.2, 0.3]), 0.0
    W_grad, b_grad = grad(loss, (0, 1))(W, b)
    x = np.array(
        [[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]]
    )
    d = 1 / (1 + np.exp(-x @ [0.1, 0.2, 0.3])) - np.array([1, 1, 0, 1])
    close(W_grad, x.T @ d)
    close(b_grad, d.sum())
    eps = 1e-2
    unit = jnp.array([1.0, 0.0, 0.0])
    numerical = (loss(W + eps * unit, b) - loss(W - eps * unit, b)) / (2 * eps)
    close(numerical, W_grad[0], atol=1e-2)


def program_linear_regression_with_dict():
    xs = jnp.linspace(-1, 1, 30)
    ys = 3 * xs - 1

    def model(params, x):
        return params["w"] * x + params["b"]

    def loss_fn(params):
        return jnp.mean((model(params, xs) - ys) ** 2)

    params = {"w": jnp.array(0.0), "b": jnp.array(0.0)}
    for _ in range(80):
        grads = grad(loss_fn)(params)
        params = {k: params[k] - 0.3 * grads[k] for k in params}
    close(params["w"], 3, atol=1e-2)
    close(params["b"], -1, atol=1e-2)


def program_network_of_nested_lists():
    rng = np.random.default_rng(0)
    sizes = [8, 16, 3]
    params = [
        (jnp.array(0.3 * rng.normal(size=(n, m)), dtype=jnp.float32), jnp.zeros(n))
        for m, n in zip(sizes[:-1], sizes[1:])
    ]
    labels = np.arange(30) % 3
    images = rng.normal(size=(30, 8)) * 0.3
    images[np.arange(30), labels] += 2
    x = jnp.array(images, dtype=jnp.float32)
    y = jnp.array(np.eye(3)[labels], dtype=jnp.float32)

    def relu(v):
        return jnp.maximum(0, v)

    def predict(params, inputs):
        for w, b in params[:-1]:
            inputs = relu(jnp.dot(inputs, w.T) + b)
        w, b = params[-1]
        logits = jnp.dot(inputs, w.T) + b
        return logits - jnp.log(jnp.sum(jnp.exp(logits), axis=1, keepdims=True))

    def loss(params, images, targets):
        return -jnp.mean(jnp.sum(predict(params, images) * targets, axis=1))

    def update(params, x, y, step_size=0.5):
        grads = grad(loss)(params, x, y)
        return [(w - step_size * dw, b - step_size * db) for (w, b), (dw, db) in zip(params, grads)]

    for _ in range(25):
        params = update(params, x, y)
    accuracy = jnp.mean(jnp.argmax(predict(params, x), axis=1) == jnp.argmax(y, axis=1))
    assert float(accuracy) == 1.0


def program_tuple_gradients_keep_structure():
    def f(p):
        x, y = p
        return jnp.sum(x * y)

    gx, gy = grad(f)((jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0])))
    close(gx, [3, 4])
    close(gy, [1, 2])


def program_auxiliary_data():
    def squared_error_loss_with_aux(x, y):
        return jnp.sum((x - y) ** 2), x - y

    x, y = jnp.array([1.0, 2.0, 3.0, 4.0]), jnp.array([1.1, 2.1, 3.1, 4.1])
    gradient, residual = grad(squared_error_loss_with_aux, has_aux=True)(x, y)
    close(gradient, [-0.2] * 4)
    close(residual, [-0.1] * 4)


def program_newton_by_derivatives():
    f = lambda x: x**4 - 3 * x**2 + x
    x = jnp.array(1.0)
    for _ in range(8):
        x = x - grad(f)(x) / grad(grad(f))(x)
    close(4 * x**3 - 6 * x + 1, 0, atol=1e-4)


def program_gather_and_reduce():
    x = jnp.arange(12.0).reshape(3, 4)
    close(jnp.take(x, jnp.array([0, 2]), axis=0), [[0, 1, 2, 3], [8, 9, 10, 11]])
    close(x[:, ::-1][0], [3, 2, 1, 0])
    close(jnp.cumsum(x, axis=1)[0], [0, 1, 3, 6])
    close(jnp.linalg.norm(x[0]), np.sqrt(14))
    close(
        jnp.einsum("ij,kj->ik", x, x), np.arange(12).reshape(3, 4) @ np.arange(12).reshape(3, 4).T
    )
    close(jnp.concatenate([x, x], axis=1).shape, (3, 8))


def program_functional_update():
    x = jnp.zeros(4)
    y = x.at[1].set(5.0)
    z = y.at[1:3].add(2.0)
    close(x, [0, 0, 0, 0])
    close(y, [0, 5, 0, 0])
    close(z, [0, 7, 2, 0])
    close(z.at[jnp.array([0, 3])].multiply(3.0), [0, 7, 2, 0])


def program_random_keys():
    from ember_ml import random

    key = random.PRNGKey(0)
    key, subkey = random.split(key)
    x = random.normal(subkey, (1000,))
    close(x.mean(), 0, atol=0.15)
    equal(random.normal(subkey, (1000,)), x)
    u = random.uniform(key, (3, 2))
    assert u.shape == (3, 2)


def program_neural_functions():
    from ember_ml import nn

    x = jnp.array([-1.0, 0.0, 2.0])
    close(nn.relu(x), [0, 0, 2])
    close(nn.softmax(x).sum(), 1)
    close(nn.sigmoid(x), 1 / (1 + np.exp(-np.array([-1.0, 0, 2]))))
    equal(nn.one_hot(jnp.array([0, 2]), 3), [[1, 0, 0], [0, 0, 1]])


def program_jit():
    from ember_ml import jit

    @jit
    def selu(x, alpha=1.67, lmbda=1.05):
        return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

    close(selu(jnp.array([1.0, 2.0])), [1.05, 2.1])
    close(jit(lambda v: v * 2)(jnp.ones(2)), [2, 2])


def program_vmap():
    from ember_ml import vmap

    mat = jnp.arange(6.0).reshape(2, 3)
    batch = jnp.ones((4, 3))
    close(vmap(lambda v: jnp.dot(mat, v))(batch), np.tile([3, 12], (4, 1)))


def program_hessian():
    from ember_ml import hessian

    close(hessian(lambda x: jnp.sum(x**3))(jnp.array([1.0, 2.0])), [[6, 0], [0, 12]])


def program_jacobians():
    from ember_ml import jacfwd, jacrev

    f = lambda x: jnp.array([1.0, 2.0]) * x**2
    x = jnp.array([3.0, 4.0])
    close(jacrev(f)(x), [[6, 0], [0, 16]])
    close(jacfwd(f)(x), [[6, 0], [0, 16]])


def program_tree_map():
    from ember_ml import tree

    params = {"a": jnp.ones(2), "b": [jnp.zeros(1), jnp.full(1, 3.0)]}
    doubled = tree.map(lambda v: 2 * v, params)
    close(doubled["a"], [2, 2])
    close(doubled["b"][1], [6])
    assert len(tree.leaves(params)) == 3


def program_loops_on_device():
    from ember_ml import lax

    total = lax.fori_loop(0, 5, lambda i, v: v + i, 0)
    assert int(total) == 10
    carry, ys = lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(4.0))
    close(carry, 6)
    close(ys, [0, 0, 1, 3])


def program_adam_by_hand():
    def loss(theta):
        return jnp.sum((theta - jnp.array([1.0, -1.0])) ** 2)

    theta = jnp.zeros(2)
    m, v = jnp.zeros_like(theta), jnp.zeros_like(theta)
    for t in range(1, 41):
        g = grad(loss)(theta)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * jnp.square(g)
        theta = theta - 0.1 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
    p, a, b = np.zeros(2), np.zeros(2), np.zeros(2)
    for t in range(1, 41):
        g = 2 * (p - [1, -1])
        a, b = 0.9 * a + 0.1 * g, 0.999 * b + 0.001 * g**2
        p = p - 0.1 * (a / (1 - 0.9**t)) / (np.sqrt(b / (1 - 0.999**t)) + 1e-8)
    close(theta, p, atol=1e-3)
