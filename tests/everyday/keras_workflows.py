"""More of what Keras's users do: schedules, checkpoints, several inputs, forecasts, generated text."""

import math
import numpy as np
import ember_ml as em
from ember_ml import nn, training
from check import close, equal


def rings(n=60):
    """Points inside and outside a circle, and which."""
    rng = np.random.default_rng(2)
    angle = rng.uniform(0, 2 * np.pi, n)
    y = np.arange(n) % 2
    radius = np.where(y == 1, 2.0, 0.7) + 0.1 * rng.normal(size=n)
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return x.astype("float32"), y


def classifier(x, y, lr=0.03, **options):
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = training.Adam(model.parameters(), lr=lr)
    trainer = training.Trainer(
        model,
        optimizer,
        training.CrossEntropyLoss(),
        metrics=[training.Accuracy()],
        **options,
    )
    return model, optimizer, trainer


def program_validation_split_and_history():
    x, y = rings()
    model, optimizer, trainer = classifier(x, y)
    history = trainer.fit(x, y, epochs=30, batch_size=10, validation_split=0.2, verbose=0)
    assert set(history) >= {"loss", "accuracy", "val_loss", "val_accuracy"}
    assert len(history["loss"]) == 30
    assert history["val_accuracy"][-1] == 1.0
    assert max(history["accuracy"]) == 1.0


def program_reduce_rate_on_plateau():
    x, y = rings()
    model = nn.Linear(2, 2)
    optimizer = training.SGD(model.parameters(), lr=0.1)
    plateau = training.ReduceLROnPlateau(
        optimizer, factor=0.5, patience=2, threshold=1.0, threshold_mode="abs"
    )
    loss_fn = training.CrossEntropyLoss()
    for epoch in range(10):
        loss = loss_fn(model(em.asarray(x)), em.asarray(y))
        loss.backward()
        optimizer.step()
        plateau.step(loss.item())
    assert optimizer.lr < 0.1
    close(math.log2(0.1 / optimizer.lr), round(math.log2(0.1 / optimizer.lr)))


def program_scheduled_rate():
    x, y = rings()
    model, optimizer, trainer = classifier(x, y, lr=0.1)
    seen = []

    class Rate(training.Callback):
        def on_epoch_begin(self, trainer):
            optimizer.lr = 0.1 * 0.5 ** (len(seen) // 2)

        def on_epoch_end(self, trainer):
            seen.append(optimizer.lr)

    trainer.fit(x, y, epochs=6, batch_size=20, callbacks=[Rate()])
    close(seen, [0.1, 0.1, 0.05, 0.05, 0.025, 0.025])


def program_best_checkpoint(folder):
    x, y = rings()
    model, optimizer, trainer = classifier(x, y)
    best = {"loss": math.inf}

    class KeepBest(training.Callback):
        def on_epoch_end(self, trainer):
            loss = trainer.record["val_loss"]
            if loss < best["loss"]:
                best["loss"] = loss
                model.save(folder / "best.safetensors")

    trainer.fit(
        x[:40],
        y[:40],
        epochs=20,
        batch_size=20,
        validation_data=(x[40:], y[40:]),
        callbacks=[KeepBest()],
    )
    model.load(folder / "best.safetensors")
    loss = training.CrossEntropyLoss()(model(em.asarray(x[40:])), em.asarray(y[40:]))
    close(loss, best["loss"], rtol=1e-3)


def program_resume(folder):
    x, y = rings()
    data = lambda: training.DataLoader(
        training.TensorDataset(x, y), batch_size=20, shuffle=True, seed=3
    )
    em.random.seed(5)
    model, optimizer, trainer = classifier(x, y)
    full = trainer.fit(data(), epochs=6)
    em.random.seed(5)
    model, optimizer, trainer = classifier(x, y)
    trainer.fit(data(), epochs=3, callbacks=[training.Checkpoint(folder / "run")])
    model, optimizer, trainer = classifier(x, y)
    rest = trainer.fit(data(), epochs=6, resume=folder / "run")
    close(rest["loss"][-1], full["loss"][-1])


def program_class_weights():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(0, 1, (90, 1)), rng.normal(1.5, 1, (10, 1))]).astype("float32")
    y = np.array([0] * 90 + [1] * 10)

    def recall(**options):
        em.random.seed(0)
        model = nn.Linear(1, 2)
        trainer = training.Trainer(
            model, training.Adam(model.parameters(), lr=0.05), training.CrossEntropyLoss()
        )
        trainer.fit(x, y, epochs=30, batch_size=50, **options)
        return (np.asarray(trainer.predict(x)).argmax(1)[90:] == 1).mean()

    assert recall(class_weight={0: 1.0, 1: 9.0}) > recall()


def program_two_inputs():
    rng = np.random.default_rng(1)
    a = rng.normal(size=(64, 3)).astype("float32")
    b = rng.normal(size=(64, 2)).astype("float32")
    y = (a.sum(1, keepdims=True) - 2 * b[:, :1]).astype("float32")

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.left, self.right = nn.Linear(3, 4), nn.Linear(2, 4)
            self.top = nn.Linear(8, 1)

        def forward(self, a, b):
            return self.top(em.concatenate([self.left(a), self.right(b)], axis=-1))

    model = Model()
    trainer = training.Trainer(
        model, training.Adam(model.parameters(), lr=0.05), training.MSELoss()
    )
    history = trainer.fit((a, b), y, epochs=40, batch_size=32)
    assert history["loss"][-1] < 0.05
    assert trainer.predict((a, b)).shape == (64, 1)


def program_time_series_forecast():
    series = np.sin(np.arange(120) * 0.3).astype("float32")
    window = 10
    x = np.stack([series[i : i + window] for i in range(100)])[..., None]
    y = series[window : window + 100, None]

    class Forecast(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(1, 16, batch_first=True)
            self.dense = nn.Linear(16, 1)

        def forward(self, x):
            out, _ = self.lstm(x)
            return self.dense(out[:, -1])

    model = Forecast()
    trainer = training.Trainer(
        model, training.Adam(model.parameters(), lr=0.02), training.MSELoss()
    )
    history = trainer.fit(
        x[:80], y[:80], epochs=20, batch_size=20, validation_data=(x[80:], y[80:])
    )
    assert history["val_loss"][-1] < 0.1
    known = list(series[:window])
    for _ in range(5):
        following = trainer.predict(
            np.array(known[-window:], dtype="float32").reshape(1, window, 1)
        )
        known.append(following.item())
    assert len(known) == 15 and all(abs(v) < 1.5 for v in known)


def program_character_generation():
    text = "abcd" * 12
    vocab = sorted(set(text))
    ids = np.array([vocab.index(c) for c in text])
    x = np.stack([ids[i : i + 6] for i in range(40)])
    y = np.stack([ids[i + 1 : i + 7] for i in range(40)])

    class Generator(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(len(vocab), 8)
            self.gru = nn.GRU(8, 16, batch_first=True)
            self.dense = nn.Linear(16, len(vocab))

        def forward(self, x, state=None, return_state=False):
            x, state = self.gru(self.embedding(x), state)
            x = self.dense(x)
            return (x, state) if return_state else x

    em.random.seed(1)
    model = Generator()
    optimizer = training.Adam(model.parameters(), lr=0.03)
    loss_fn = training.CrossEntropyLoss()
    for _ in range(25):
        logits = model(em.asarray(x))
        loss = loss_fn(logits.reshape(-1, len(vocab)), em.asarray(y).reshape(-1))
        loss.backward()
        optimizer.step()
    model.eval()
    state, following, result = None, em.asarray([[0]]), ["a"]
    for _ in range(7):
        logits, state = model(following, state, return_state=True)
        probabilities = em.softmax(logits[:, -1] / 0.1, axis=-1)
        following = em.random.categorical(em.log(probabilities), 1)
        result.append(vocab[following.item()])
    assert "".join(result) == "abcdabcd"


def program_denoising_autoencoder():
    rng = np.random.default_rng(0)
    base = np.eye(8, dtype="float32")[np.arange(64) % 8]
    noisy = (base + 0.2 * rng.normal(size=base.shape)).astype("float32")
    model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8), nn.Sigmoid())
    trainer = training.Trainer(
        model, training.Adam(model.parameters(), lr=0.03), training.BCELoss()
    )
    history = trainer.fit(noisy, base, epochs=60, batch_size=32)
    assert history["loss"][-1] < 0.7 * history["loss"][0]
    cleaned = trainer.predict(noisy)
    assert cleaned.shape == (64, 8)
    assert cleaned.min().item() >= 0 and cleaned.max().item() <= 1


def program_freeze_and_fine_tune():
    x, y = rings()
    model, optimizer, trainer = classifier(x, y)
    trainer.fit(x, y, epochs=15, batch_size=20)
    base = model[0]
    base.freeze()
    before = np.array(base.weight)
    head = nn.Sequential(base, nn.ReLU(), nn.Linear(16, 2))
    optimizer = training.Adam([p for p in head.parameters() if p.requires_grad], lr=0.03)
    tuned = training.Trainer(
        head, optimizer, training.CrossEntropyLoss(), metrics=[training.Accuracy()]
    )
    tuned.fit(x, y, epochs=25, batch_size=20)
    equal(base.weight, before)
    assert tuned.evaluate(x, y)["accuracy"] > 0.9


def program_custom_layer_and_loss():
    class Quadratic(nn.Module):
        def __init__(self, units, dim):
            super().__init__()
            self.w = nn.Parameter(0.1 * em.random.normal((dim, units)))
            self.b = nn.Parameter(em.zeros((units,)))

        def forward(self, x):
            return em.square(x) @ self.w + self.b

    def loss(prediction, target):
        return em.mean(em.abs(prediction - target)) + 0.0

    x = np.linspace(-1, 1, 40, dtype="float32").reshape(-1, 1)
    y = 2 * x**2 - 1
    model = Quadratic(1, 1)
    trainer = training.Trainer(model, training.Adam(model.parameters(), lr=0.05), loss)
    trainer.fit(x, y, epochs=100, batch_size=20)
    close(model.w, [[2]], atol=0.1)
    close(model.b, [-1], atol=0.1)


def program_k_fold():
    x, y = rings()
    scores = []
    folds = np.array_split(np.random.default_rng(0).permutation(60), 3)
    for k in range(3):
        rest = np.concatenate([f for i, f in enumerate(folds) if i != k])
        em.random.seed(k)
        model, optimizer, trainer = classifier(x, y)
        trainer.fit(x[rest], y[rest], epochs=25, batch_size=10)
        scores.append(trainer.evaluate(x[folds[k]], y[folds[k]])["accuracy"])
    assert np.mean(scores) > 0.95


def program_normalization_and_dropout():
    x, y = rings()
    model = nn.Sequential(
        nn.BatchNorm1d(2), nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2)
    )
    optimizer = training.AdamW(model.parameters(), lr=0.03, weight_decay=1e-3)
    trainer = training.Trainer(
        model, optimizer, training.CrossEntropyLoss(), metrics=[training.Accuracy()]
    )
    trainer.fit(em.asarray(x), em.asarray(y), epochs=25, batch_size=15)
    one = trainer.predict(x)
    equal(trainer.predict(x), one)
    close(model[0].running_mean, x.mean(0), atol=0.2)
    assert trainer.evaluate(x, y)["accuracy"] > 0.95


def program_word_tokens():
    samples = ["the cat sat on the mat", "the dog ate my homework", "a cat and a dog"]
    words = sorted({w for s in samples for w in s.split()})
    index = {w: i + 1 for i, w in enumerate(words)}
    sequences = [[index[w] for w in s.split()] for s in samples]
    length = max(map(len, sequences))
    padded = em.asarray([[0] * (length - len(s)) + s for s in sequences])
    assert padded.shape == (3, 6)
    one_hot = em.one_hot(padded, len(words) + 1)
    bag = one_hot[:, :, 1:].max(axis=1)
    assert bag.shape == (3, len(words))
    equal(bag.sum(axis=1), [len(set(s.split())) for s in samples])
    mask = padded != 0
    equal(mask.sum(axis=1), [6, 5, 5])
    embedding = nn.Embedding(len(words) + 1, 4, padding_idx=0)
    vectors = embedding(padded)
    equal(vectors[1, 0], np.zeros(4))
    mean = (vectors * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    assert mean.shape == (3, 4)
