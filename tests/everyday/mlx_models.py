"""More of MLX's documentation and examples: models, optimizers, trees of weights, generation."""

import math
import numpy as np
import ember_ml as mx
import ember_ml.nn as nn
import ember_ml.optimizers as optim
from ember_ml.utils import tree_flatten, tree_map, tree_unflatten
from check import close, equal


def program_transformer_language_model():
    class Block(nn.Module):
        def __init__(self, dims, num_heads):
            super().__init__()
            self.num_heads = num_heads
            self.norm = nn.RMSNorm(dims)
            self.qkv = nn.Linear(dims, 3 * dims, bias=False)
            self.out = nn.Linear(dims, dims, bias=False)
            self.mlp = nn.Sequential(
                nn.Linear(dims, 2 * dims), nn.GELU(), nn.Linear(2 * dims, dims)
            )

        def __call__(self, x, mask):
            B, L, D = x.shape
            q, k, v = mx.split(self.qkv(self.norm(x)), 3, axis=-1)
            q, k, v = (t.reshape(B, L, self.num_heads, -1).transpose(0, 2, 1, 3) for t in (q, k, v))
            scale = math.sqrt(1 / q.shape[-1])
            h = mx.fast.scaled_dot_product_attention(q, k, v, scale=scale, mask=mask)
            x = x + self.out(h.transpose(0, 2, 1, 3).reshape(B, L, D))
            return x + self.mlp(x)

    class TransformerLM(nn.Module):
        def __init__(self, vocab_size, num_layers, dims, num_heads):
            super().__init__()
            self.embedding = nn.Embedding(vocab_size, dims)
            self.layers = [Block(dims, num_heads) for _ in range(num_layers)]
            self.head = nn.Linear(dims, vocab_size)

        def __call__(self, x):
            L = x.shape[1]
            mask = mx.triu(mx.full((L, L), -1e9), k=1)
            x = self.embedding(x)
            for layer in self.layers:
                x = layer(x, mask)
            return self.head(x)

    mx.random.seed(0)
    model = TransformerLM(8, 1, 16, 2)
    tokens = mx.array(np.tile(np.arange(8), (4, 2))[:, :9])
    x, y = tokens[:, :-1], tokens[:, 1:]

    def loss_fn(model, x, y):
        return nn.losses.cross_entropy(model(x), y, reduction="mean")

    optimizer = optim.AdamW(learning_rate=1e-2)
    step = nn.value_and_grad(model, loss_fn)
    losses = []
    for _ in range(20):
        loss, grads = step(model, x, y)
        optimizer.update(model, grads)
        mx.eval(model.state, optimizer.state)
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]
    prompt = mx.array([[0, 1, 2]])
    for _ in range(4):
        following = mx.argmax(model(prompt)[:, -1], axis=-1)
        prompt = mx.concatenate([prompt, following[:, None]], axis=1)
    equal(prompt, [[0, 1, 2, 3, 4, 5, 6]])


def program_convolutional_images():
    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 4, 3, padding=1)
            self.pool = nn.MaxPool2d(2, 2)
            self.fc = nn.Linear(4 * 4 * 4, 2)

        def __call__(self, x):
            x = self.pool(nn.relu(self.conv(x)))
            return self.fc(x.reshape(x.shape[0], -1))

    rng = np.random.default_rng(0)
    y = np.arange(24) % 2
    x = 0.1 * rng.normal(size=(24, 1, 8, 8))
    x[y == 1, :, 4:] += 1
    x[y == 0, :, :4] += 1
    X, Y = mx.array(x.astype(np.float32)), mx.array(y)
    model = LeNet()
    optimizer = optim.Adam(learning_rate=0.02)
    step = nn.value_and_grad(model, lambda m, a, b: nn.losses.cross_entropy(m(a), b).mean())
    for _ in range(15):
        loss, grads = step(model, X, Y)
        optimizer.update(model, grads)
        mx.eval(model.parameters(), optimizer.state)
    assert mx.mean(mx.argmax(model(X), axis=1) == Y).item() == 1


def program_trees_of_weights():
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    names = [name for name, _ in tree_flatten(model.trainable_parameters())]
    assert len(names) == 4 and all(n.endswith(("weight", "bias")) for n in names)
    count = sum(v.size for _, v in tree_flatten(model.parameters()))
    assert count == 13
    flat = tree_flatten({"a": [mx.array(1), mx.array(2)], "b": mx.array(3)})
    assert [k for k, _ in flat] == ["a.0", "a.1", "b"]
    assert tree_unflatten([("a.0", 1), ("a.1", 2), ("b", 3)]) == {"a": [1, 2], "b": 3}
    doubled = tree_map(lambda v: 2 * v, {"w": mx.array([1.0]), "rest": [mx.array(2.0)]})
    close(doubled["rest"][0], 4)


def program_low_rank_adapter():
    class LoRALinear(nn.Module):
        def __init__(self, linear, r=2, scale=2.0):
            super().__init__()
            self.linear = linear
            self.scale = scale
            out, inp = linear.weight.shape
            bound = 1 / math.sqrt(inp)
            self.lora_a = nn.Parameter(mx.random.uniform(low=-bound, high=bound, shape=(inp, r)))
            self.lora_b = nn.Parameter(mx.zeros(shape=(r, out)))

        def __call__(self, x):
            return self.linear(x) + self.scale * ((x @ self.lora_a) @ self.lora_b)

    base = nn.Linear(4, 3)
    before = np.array(base.weight)
    model = LoRALinear(base)
    model.linear.freeze()
    names = [k for k, _ in tree_flatten(model.trainable_parameters())]
    assert names == ["lora_a", "lora_b"]
    x = mx.random.normal((16, 4))
    target = base(x) + 1.0
    step = nn.value_and_grad(model, lambda m, x, t: nn.losses.mse_loss(m(x), t))
    optimizer = optim.Adam(learning_rate=0.05)
    first = step(model, x, target)[0].item()
    for _ in range(30):
        loss, grads = step(model, x, target)
        optimizer.update(model, grads)
    assert loss.item() < first
    equal(base.weight, before)


def program_learning_rate_by_hand():
    model = nn.Linear(1, 1, bias=False)
    optimizer = optim.SGD(learning_rate=0.5)
    start = model.weight.item()
    for step in range(3):
        optimizer.learning_rate = 0.5 * 0.5**step
        optimizer.update(model, {"weight": mx.array([[1.0]])})
    close(model.weight.item(), start - 0.5 - 0.25 - 0.125)


def program_clip_and_inspect():
    grads = {"w": mx.array([3.0, 4.0]), "b": mx.array([0.0])}
    clipped, norm = optim.clip_grad_norm(grads, max_norm=1.0)
    close(norm, 5)
    close(clipped["w"], [0.6, 0.8], atol=1e-4)
    optimizer = optim.Adam(learning_rate=1e-3, betas=[0.9, 0.99])
    close(optimizer.learning_rate, 1e-3)
    optimizer.learning_rate = 1e-4
    close(optimizer.learning_rate, 1e-4)


def program_save_weights(folder):
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    x = mx.random.normal((3, 2))
    model.save_weights(str(folder / "model.safetensors"))
    again = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    again.load_weights(str(folder / "model.safetensors"))
    close(again(x), model(x))
    weights = mx.load(str(folder / "model.safetensors"))
    again.update(tree_unflatten([(k, 0 * v) for k, v in weights.items()]))
    close(again(x), np.zeros((3, 1)))


def program_sampling():
    mx.random.seed(3)
    logits = mx.log(mx.array([0.1, 0.2, 0.7]))
    drawn = mx.random.categorical(logits, num_samples=3000)
    close(np.bincount(np.array(drawn), minlength=3) / 3000, [0.1, 0.2, 0.7], atol=0.04)

    def sample(logits, temp):
        if temp == 0:
            return mx.argmax(logits, axis=-1)
        return mx.random.categorical(logits * (1 / temp))

    assert sample(logits, 0).item() == 2
    assert sample(mx.expand_dims(logits, 0), 0.5).item() in (0, 1, 2)
    key = mx.random.key(7)
    a, b = mx.random.split(key)
    equal(mx.random.normal((3,), key=a), mx.random.normal((3,), key=a))
    assert not mx.array_equal(mx.random.normal((3,), key=a), mx.random.normal((3,), key=b)).item()


def program_generate_with_cache():
    mx.random.seed(0)
    dims, heads = 8, 2
    proj = {n: 0.5 * mx.random.normal((dims, dims)) for n in "qkvo"}

    def attention(x, cache=None):
        B, L, D = x.shape
        split = lambda t: t.reshape(B, L, heads, -1).transpose(0, 2, 1, 3)
        q, k, v = (split(x @ proj[n]) for n in "qkv")
        if cache is not None:
            k = mx.concatenate([cache[0], k], axis=2)
            v = mx.concatenate([cache[1], v], axis=2)
        scores = (q * math.sqrt(1 / q.shape[-1])) @ k.transpose(0, 1, 3, 2)
        if cache is None:
            mask = mx.triu(mx.full((L, L), -1e9), k=1)
            scores = scores + mask.astype(scores.dtype)
        out = mx.softmax(scores, axis=-1) @ v
        return out.transpose(0, 2, 1, 3).reshape(B, L, -1) @ proj["o"], (k, v)

    x = mx.random.normal((1, 5, dims))
    full, _ = attention(x)
    step, cache = attention(x[:, :1])
    outputs = [step]
    for t in range(1, 5):
        step, cache = attention(x[:, t : t + 1], cache)
        outputs.append(step)
    close(mx.concatenate(outputs, axis=1), full, atol=1e-4)


def program_gradients_by_name():
    def loss(params, x):
        return mx.sum((params["w"] * x + params["b"]) ** 2)

    params = {"w": mx.array(2.0), "b": mx.array(1.0)}
    value, grads = mx.value_and_grad(loss)(params, mx.array([1.0, 2.0]))
    close(value, 9 + 25)
    close(grads["w"], 2 * (3 * 1 + 5 * 2))
    close(grads["b"], 2 * (3 + 5))
    h = mx.grad(lambda x: mx.sum(mx.stop_gradient(x) * x))
    close(h(mx.array([2.0, 3.0])), [2, 3])


def program_compiled_step():
    from functools import partial

    x = 10 * mx.random.uniform(shape=(4, 10))
    y = mx.array([0, 1, 0, 1])
    model = nn.Linear(10, 2)
    optimizer = optim.SGD(learning_rate=0.01, momentum=0.8)
    state = [model.state, optimizer.state]

    def loss_fn(model, x, y):
        return nn.losses.cross_entropy(model(x), y).mean()

    @partial(mx.compile, inputs=state, outputs=state)
    def step(x, y):
        loss, grads = nn.value_and_grad(model, loss_fn)(model, x, y)
        optimizer.update(model, grads)
        return loss

    losses = []
    for _ in range(30):
        loss = step(x, y)
        mx.eval(state)
        losses.append(loss.item())
    assert losses[-1] < losses[0]


def program_linear_algebra_and_transforms():
    a = mx.array([[2.0, 1.0], [1.0, 3.0]])
    close(mx.linalg.inv(a) @ a, np.eye(2), atol=1e-5)
    close(mx.linalg.norm(mx.array([3.0, 4.0])), 5)
    q, r = mx.linalg.qr(a)
    close(q @ r, a)
    close(mx.fft.rfft(mx.array([1.0, 0.0, 0.0, 0.0])), np.ones(3))
    close(mx.addmm(mx.ones(2), a, mx.eye(2)), [[3, 2], [2, 4]])
    close(mx.outer(mx.array([1.0, 2.0]), mx.array([3.0, 4.0])), [[3, 4], [6, 8]])
    close(mx.logsumexp(mx.array([0.0, 0.0])), math.log(2))
    close(mx.repeat(mx.array([1, 2]), 2), [1, 1, 2, 2])


def program_rotary_and_norms():
    x = mx.random.normal((1, 2, 4, 8))
    rotated = mx.fast.rope(x, 8, traditional=False, base=10000.0, scale=1.0, offset=0)
    close((rotated**2).sum(-1), (x**2).sum(-1), atol=1e-4)
    norm = nn.RMSNorm(8)
    v = np.array(x)
    close(norm(x), v / np.sqrt((v**2).mean(-1, keepdims=True) + 1e-5), atol=1e-4)
    layer = nn.LayerNorm(8)
    close(layer(x).mean(-1), np.zeros((1, 2, 4)), atol=1e-5)
    close(nn.gelu(mx.array([0.0, 1.0])), [0, 0.841345], atol=1e-3)


def program_generator_and_discriminator():
    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = nn.Linear(6, 4)
            self.decoder = nn.Linear(2, 6)

        def __call__(self, x):
            mu, logvar = mx.split(self.encoder(x), 2, axis=-1)
            z = mu + mx.random.normal(mu.shape) * mx.exp(0.5 * logvar)
            return self.decoder(z), mu, logvar

    def loss_fn(model, x):
        out, mu, logvar = model(x)
        recon = mx.sum((out - x) ** 2, axis=-1)
        kl = -0.5 * mx.sum(1 + logvar - mu.square() - logvar.exp(), axis=-1)
        return mx.mean(recon + 0.1 * kl)

    mx.random.seed(1)
    base = np.random.default_rng(0).normal(size=(32, 2)) @ np.ones((2, 6))
    x = mx.array(base.astype(np.float32))
    model = VAE()
    step = nn.value_and_grad(model, loss_fn)
    optimizer = optim.Adam(learning_rate=0.03)
    losses = []
    for _ in range(60):
        loss, grads = step(model, x)
        optimizer.update(model, grads)
        mx.eval(model.parameters())
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def program_modules_by_class():
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)))
    linears = [m for _, m in model.named_modules() if isinstance(m, nn.Linear)]
    assert len(linears) == 2
    model.eval()
    assert not model.training
    model.train()
    init_fn = nn.init.constant(0.25)
    model.update({name: init_fn(p.shape) for name, p in model.trainable_parameters().items()})
    close(linears[0].weight, np.full((2, 2), 0.25))
    model.freeze()
    assert model.trainable_parameters() == {}
    model.unfreeze()
    assert len(model.trainable_parameters()) == 4
