"""More of JAX's tutorials: functional training, loops, keys, derivatives of simulations."""

import functools
import numpy as np
import ember_ml as jax
import ember_ml as jnp
from ember_ml import grad, jit, value_and_grad
from check import close, equal


def program_adam_over_a_tree():
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros

    def update(params, grads, state, t, lr=0.1, b1=0.9, b2=0.999, eps=1e-8):
        m, v = state
        m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, m, grads)
        v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, v, grads)
        scale = lr * np.sqrt(1 - b2**t) / (1 - b1**t)
        params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + eps), params, m, v)
        return params, (m, v)

    params = {"a": jnp.array([0.0, 0.0]), "b": {"c": jnp.array(5.0)}}

    def loss(p):
        return jnp.sum((p["a"] - jnp.array([1.0, 2.0])) ** 2) + (p["b"]["c"] - 3) ** 2

    state = init(params)
    for t in range(1, 121):
        params, state = update(params, grad(loss)(params), state, t)
    close(params["a"], [1, 2], atol=0.05)
    close(params["b"]["c"], 3, atol=0.05)


def program_tree_util():
    params = [
        {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)},
        {"w": jnp.ones((2, 1)), "b": jnp.zeros(1)},
    ]
    shapes = jax.tree_util.tree_map(lambda x: x.shape, params)
    assert shapes[0] == {"w": (2, 2), "b": (2,)}
    leaves, treedef = jax.tree_util.tree_flatten(params)
    assert len(leaves) == 4
    again = jax.tree_util.tree_unflatten(treedef, [2 * x for x in leaves])
    close(again[1]["w"], [[2], [2]])
    assert sum(x.size for x in jax.tree_util.tree_leaves(params)) == 9
    total = jax.tree.reduce(lambda a, b: a + b.sum(), params, 0.0)
    close(total, 6)


def program_loss_with_accuracy():
    key = jax.random.PRNGKey(1)
    labels = np.arange(30) % 3
    x = jnp.array(np.eye(3)[labels] + 0.1 * np.random.default_rng(0).normal(size=(30, 3)))
    y = jnp.array(labels)
    k1, k2 = jax.random.split(key)
    params = {
        "w1": 0.5 * jax.random.normal(k1, (3, 8)),
        "b1": jnp.zeros((8,)),
        "w2": 0.5 * jax.random.normal(k2, (8, 3)),
        "b2": jnp.zeros((3,)),
    }

    def forward(params, x):
        h = jax.nn.relu(x @ params["w1"] + params["b1"])
        return h @ params["w2"] + params["b2"]

    def loss_fn(params, x, y):
        logits = forward(params, x)
        one_hot = jax.nn.one_hot(y, num_classes=3)
        loss = -jnp.mean(jnp.sum(one_hot * jax.nn.log_softmax(logits, axis=-1), axis=-1))
        return loss, (logits.argmax(-1) == y).mean()

    @jax.jit
    def train_step(params, x, y):
        (loss, accuracy), grads = value_and_grad(loss_fn, has_aux=True)(params, x, y)
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss, accuracy

    for epoch in range(60):
        params, loss, accuracy = train_step(params, x, y)
    assert float(accuracy) == 1.0 and float(loss) < 0.3


def program_jit_with_static_arguments():
    @functools.partial(jit, static_argnums=(1,))
    def power(x, n):
        result = jnp.ones_like(x)
        for _ in range(n):
            result = result * x
        return result

    close(power(jnp.array([2.0, 3.0]), 3), [8, 27])

    @functools.partial(jax.jit, static_argnames=["flag"])
    def f(x, flag=False):
        return x + 1 if flag else x - 1

    close(f(jnp.ones(2), flag=True), [2, 2])
    close(jit(lambda x: x * 2)(jnp.ones(2)).block_until_ready(), [2, 2])


def program_keys():
    key = jax.random.key(42)
    first, second, third = jax.random.split(key, 3)
    a = jax.random.normal(first, (4,))
    b = jax.random.normal(second, (4,))
    assert not np.allclose(np.asarray(a), np.asarray(b))
    equal(jax.random.normal(first, (4,)), a)
    subkeys = [jax.random.fold_in(key, i) for i in range(3)]
    numbers = [jax.random.uniform(k).item() for k in subkeys]
    assert len(set(numbers)) == 3 and all(0 <= n < 1 for n in numbers)
    dice = jax.random.randint(third, (200,), 1, 7)
    assert dice.min().item() >= 1 and dice.max().item() <= 6
    u = jax.random.uniform(third, shape=(100,), minval=-1.0, maxval=1.0)
    assert u.min().item() >= -1 and u.max().item() < 1
    order = jax.random.permutation(first, 10)
    equal(jnp.sort(order), np.arange(10))
    coin = jax.random.bernoulli(second, 0.25, (2000,))
    close(coin.mean(), 0.25, atol=0.05)
    classes = jax.random.categorical(first, jnp.log(jnp.array([0.2, 0.8])), shape=(2000,))
    close(classes.mean(), 0.8, atol=0.05)
    picked = jax.random.choice(second, jnp.array([3, 5, 7]), (50,))
    assert set(picked.tolist()) <= {3, 5, 7}


def program_metropolis():
    def log_density(x):
        return -0.5 * (x - 2.0) ** 2

    key = jax.random.PRNGKey(0)
    x = jnp.zeros(200)
    samples = []
    for i in range(60):
        key, k1, k2 = jax.random.split(key, 3)
        proposal = x + jax.random.normal(k1, x.shape)
        accept = jnp.log(jax.random.uniform(k2, x.shape)) < log_density(proposal) - log_density(x)
        x = jnp.where(accept, proposal, x)
        if i >= 20:
            samples.append(x)
    samples = jnp.stack(samples)
    close(samples.mean(), 2, atol=0.15)
    close(samples.std(), 1, atol=0.15)


def program_scan_cumulative_product():
    def step(carry, x):
        carry = carry * x
        return carry, carry

    last, products = jax.lax.scan(step, jnp.array(1.0), jnp.array([1.0, 2.0, 3.0, 4.0]))
    close(last, 24)
    close(products, [1, 2, 6, 24])
    carry, _ = jax.lax.scan(lambda c, _: (c * 0.5, None), jnp.array(8.0), None, length=3)
    close(carry, 1)


def program_scan_over_a_tree():
    def rnn_step(params, h, x):
        h = jnp.tanh(params["wh"] @ h + params["wx"] @ x)
        return h, h

    params = {"wh": 0.5 * jnp.eye(3), "wx": jnp.ones((3, 2)) * 0.3}
    xs = jnp.array(np.linspace(-1, 1, 8).reshape(4, 2))

    def loss(params):
        last, hs = jax.lax.scan(functools.partial(rnn_step, params), jnp.zeros(3), xs)
        return jnp.sum(last**2), hs

    (value, hs), g = value_and_grad(loss, has_aux=True)(params)
    assert hs.shape == (4, 3)
    h = np.zeros(3)
    for x in np.linspace(-1, 1, 8).reshape(4, 2):
        h = np.tanh(0.5 * h + 0.3 * x.sum())
    close(value, (h**2).sum())
    assert g["wh"].shape == (3, 3)


def program_loops_of_lax():
    close(jax.lax.fori_loop(0, 10, lambda i, x: x + i, jnp.array(0.0)), 45)
    newton = jax.lax.while_loop(
        lambda s: jnp.abs(s[0] ** 2 - 2) > 1e-5,
        lambda s: (s[0] - (s[0] ** 2 - 2) / (2 * s[0]), s[1] + 1),
        (jnp.array(1.0), 0),
    )
    close(newton[0], np.sqrt(2))
    assert newton[1] < 10
    f = lambda x: jax.lax.cond(x > 0, lambda v: v * 2, lambda v: v - 1, x)
    close(f(jnp.array(3.0)), 6)
    close(f(jnp.array(-3.0)), -4)
    close(jax.lax.map(lambda row: row.sum(), jnp.ones((3, 4))), [4, 4, 4])
    close(jax.lax.switch(1, [lambda v: v, lambda v: -v], jnp.array(2.0)), -2)
    close(jax.lax.select(jnp.array([True, False]), jnp.ones(2), jnp.zeros(2)), [1, 0])


def program_lax_slices():
    x = jnp.arange(10.0)
    close(jax.lax.dynamic_slice(x, (3,), (4,)), [3, 4, 5, 6])
    close(jax.lax.dynamic_update_slice(x, jnp.zeros(2), (1,))[:4], [0, 0, 0, 3])
    close(jax.lax.stop_gradient(x), x)
    close(jax.lax.rsqrt(jnp.array([4.0, 16.0])), [0.5, 0.25])
    values, indices = jax.lax.top_k(jnp.array([1.0, 5.0, 3.0]), 2)
    close(values, [5, 3])
    equal(indices, [1, 2])


def program_td_update():
    value_fn = lambda theta, state: jnp.dot(theta, state)
    theta = jnp.array([0.1, -0.1, 0.0])
    s_tm1, r_t, s_t = jnp.array([1.0, 2.0, -1.0]), jnp.array(1.0), jnp.array([2.0, 1.0, 0.0])

    def td_loss(theta, s_tm1, r_t, s_t):
        v_tm1 = value_fn(theta, s_tm1)
        target = r_t + value_fn(theta, s_t)
        return -0.5 * ((jax.lax.stop_gradient(target) - v_tm1) ** 2)

    close(grad(td_loss)(theta, s_tm1, r_t, s_t), [1.2, 2.4, -1.2])


def program_clip_gradient():
    @jax.custom_vjp
    def clip_gradient(lo, hi, x):
        return x

    def forward(lo, hi, x):
        return x, (lo, hi)

    def backward(residuals, g):
        lo, hi = residuals
        return (None, None, jnp.clip(g, lo, hi))

    clip_gradient.defvjp(forward, backward)
    g = grad(lambda x: jnp.sum(clip_gradient(-0.75, 0.75, jnp.sin(x))))
    close(g(jnp.array([0.0, np.pi])), [0.75, -0.75], atol=1e-4)


def program_products_with_jacobians():
    W = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    f = lambda x: jnp.tanh(W @ x)
    x, v = jnp.array([0.1, -0.2]), jnp.array([1.0, 0.5])
    y, u = jax.jvp(f, (x,), (v,))
    Wn = np.array([[1.0, 2], [3, 4]])
    J = (1 - np.tanh(Wn @ [0.1, -0.2]) ** 2)[:, None] * Wn
    close(u, J @ [1, 0.5])
    y, vjp_fun = jax.vjp(f, x)
    close(vjp_fun(jnp.array([1.0, 1.0]))[0], J.sum(axis=0))

    def hvp(f, x, v):
        return grad(lambda x: jnp.vdot(grad(f)(x), v))(x)

    close(hvp(lambda x: jnp.sum(x**3), x, v), [6 * 0.1, 6 * -0.2 * 0.5])


def program_gradient_through_simulation():
    def trajectory(velocity, dt=0.02, steps=50):
        position, v = jnp.array([0.0, 0.0]), velocity
        for _ in range(steps):
            v = v + dt * jnp.array([0.0, -9.81])
            position = position + dt * v
        return position

    def miss(velocity):
        return jnp.sum((trajectory(velocity) - jnp.array([3.0, 1.0])) ** 2)

    velocity = jnp.array([1.0, 1.0])
    for _ in range(40):
        velocity = velocity - 0.3 * grad(miss)(velocity)
    close(trajectory(velocity), [3, 1], atol=1e-2)
    close(velocity[0], 3, atol=1e-2)


def program_mixture_by_logsumexp():
    rng = np.random.default_rng(0)
    data = jnp.array(np.concatenate([rng.normal(-2, 0.5, 60), rng.normal(3, 1.0, 40)]))
    mu, log_sigma, log_w = jnp.array([-1.0, 1.0]), jnp.zeros(2), jnp.log(jnp.array([0.5, 0.5]))
    for _ in range(30):
        z = (data[:, None] - mu) / jnp.exp(log_sigma)
        log_p = log_w - log_sigma - 0.5 * z**2 - 0.5 * jnp.log(2 * jnp.pi)
        log_r = log_p - jax.nn.logsumexp(log_p, axis=1, keepdims=True)
        r = jnp.exp(log_r)
        n = r.sum(axis=0)
        mu = (r * data[:, None]).sum(axis=0) / n
        log_sigma = 0.5 * jnp.log((r * (data[:, None] - mu) ** 2).sum(axis=0) / n)
        log_w = jnp.log(n / n.sum())
    close(mu, [-2, 3], atol=0.35)
    close(jnp.exp(log_w), [0.6, 0.4], atol=0.05)


def program_gaussian_process_likelihood():
    x = jnp.linspace(0, 1, 10)
    y = jnp.sin(6 * x)

    def nll(log_params):
        length, noise = jnp.exp(log_params[0]), jnp.exp(log_params[1])
        K = jnp.exp(-0.5 * (x[:, None] - x[None, :]) ** 2 / length**2) + noise * jnp.eye(10)
        L = jnp.linalg.cholesky(K)
        alpha = jax.scipy.linalg.solve_triangular(L, y, lower=True)
        return 0.5 * jnp.sum(alpha**2) + jnp.sum(jnp.log(jnp.diag(L)))

    p = jnp.array([-1.0, -2.0])
    g = grad(nll)(p)
    e = 1e-2
    numeric = [(nll(p + e * d) - nll(p - e * d)).item() / (2 * e) for d in jnp.eye(2)]
    close(g, numeric, rtol=2e-2, atol=2e-2)


def program_scipy_names():
    x = jnp.array([0.5, 1.5])
    close(jax.scipy.special.logsumexp(x), np.log(np.exp([0.5, 1.5]).sum()))
    close(jax.scipy.special.expit(x), 1 / (1 + np.exp([-0.5, -1.5])))
    close(jax.scipy.stats.norm.pdf(x), np.exp(-0.5 * np.array([0.25, 2.25])) / np.sqrt(2 * np.pi))
    close(
        jax.scipy.stats.norm.logpdf(x, 1.0, 2.0),
        -0.5 * (np.array([-0.25, 0.25]) ** 2) - np.log(2) - 0.5 * np.log(2 * np.pi),
    )
    close(jax.scipy.special.gammaln(jnp.array([5.0])), [np.log(24)])
    A = jnp.array([[4.0, 1.0], [1.0, 3.0]])
    c = jax.scipy.linalg.cho_factor(A)
    close(
        jax.scipy.linalg.cho_solve(c, jnp.array([1.0, 2.0])),
        np.linalg.solve([[4, 1], [1, 3]], [1, 2]),
    )
    close(jax.scipy.linalg.expm(jnp.zeros((2, 2))), np.eye(2))


def program_initializers():
    init = jax.nn.initializers.glorot_normal()
    w = init(jax.random.PRNGKey(0), (200, 100))
    close(w.std(), np.sqrt(2 / 300), rtol=0.1)
    w = jax.nn.initializers.he_normal()(jax.random.key(1), (100, 50))
    close(w.std(), np.sqrt(2 / 100), rtol=0.1)
    z = jax.nn.initializers.zeros(jax.random.key(1), (3,))
    equal(z, [0, 0, 0])


def program_segments():
    data = jnp.array([1.0, 2.0, 3.0, 4.0])
    ids = jnp.array([0, 0, 1, 2])
    close(jax.ops.segment_sum(data, ids, num_segments=3), [3, 3, 4])
    close(jnp.bincount(jnp.array([0, 1, 1, 3]), length=5), [1, 2, 0, 1, 0])
    x = jnp.zeros(3).at[jnp.array([0, 0, 2])].add(jnp.array([1.0, 2.0, 5.0]))
    close(x, [3, 0, 5])
    close(jnp.ones(3).at[1].min(0.5), [1, 0.5, 1])
    close(jnp.arange(3.0).at[::2].get(), [0, 2])


def program_rematerialize_and_devices():
    @jax.checkpoint
    def block(x):
        return jnp.sin(jnp.cos(x))

    g = grad(lambda x: jnp.sum(block(x)))(jnp.array([0.3]))
    close(g, np.cos(np.cos([0.3])) * -np.sin([0.3]))
    close(grad(lambda x: jax.remat(block)(x).sum())(jnp.array([0.3])), g)
    assert len(jax.devices()) >= 1
    x = jax.device_put(jnp.ones(2))
    close(jax.device_get(x), [1, 1])
    close(jax.block_until_ready(x), [1, 1])


def program_functional_layers():
    def Dense(features):
        def init(key, n):
            w_key, _ = jax.random.split(key)
            return {
                "kernel": jax.random.normal(w_key, (n, features)) / np.sqrt(n),
                "bias": jnp.zeros(features),
            }, features

        return init, lambda p, x: x @ p["kernel"] + p["bias"]

    def serial(*layers):
        inits, applies = zip(*layers)

        def init(key, n):
            params = []
            for f in inits:
                key, sub = jax.random.split(key)
                p, n = f(sub, n)
                params.append(p)
            return params

        def apply(params, x):
            for f, p in zip(applies, params):
                x = f(p, x)
            return x

        return init, apply

    act = (lambda key, n: ((), n), lambda p, x: jnp.tanh(x))
    init, apply = serial(Dense(16), act, Dense(1))
    params = init(jax.random.PRNGKey(3), 1)
    x = jnp.linspace(-2, 2, 40).reshape(-1, 1)
    y = jnp.sin(x)
    loss = lambda p: jnp.mean((apply(p, x) - y) ** 2)
    first = loss(params).item()
    for _ in range(120):
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grad(loss)(params))
    assert loss(params).item() < 0.2 * first


def program_select_and_piecewise():
    x = jnp.array([-2.0, -0.5, 0.5, 2.0])
    close(jnp.select([x < -1, x > 1], [-1.0, 1.0], default=x), [-1, -0.5, 0.5, 1])
    close(jnp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v**2]), [2, 0.5, 0.25, 4])
    close(jnp.clip(x, min=-1, max=1), [-1, -0.5, 0.5, 1])
    close(jax.nn.silu(x), np.array([-2, -0.5, 0.5, 2]) / (1 + np.exp([2, 0.5, -0.5, -2.0])))
    close(jax.nn.leaky_relu(x, 0.1), [-0.2, -0.05, 0.5, 2])
    close(jax.nn.softplus(x), np.log1p(np.exp([-2, -0.5, 0.5, 2.0])))
    assert jnp.float32(3) + jnp.array(1.0) == 4
    close(jnp.apply_along_axis(lambda r: r.sum(), 1, jnp.ones((2, 3))), [3, 3])
