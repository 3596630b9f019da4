"""What Keras's users do with compile, fit, evaluate and predict, in the words of Ember's Trainer."""

import numpy as np
import ember_ml as em
from ember_ml import nn, training
from check import close, equal


def flowers():
    """Three kinds of points in four dimensions: features and class numbers."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    x = 0.3 * rng.normal(size=(60, 4))
    x[np.arange(60), y] += 2
    return x.astype("float32"), y


def program_sequential_classifier():
    x, y = flowers()
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    trainer = training.Trainer(
        model,
        training.Adam(model.parameters(), lr=0.02),
        training.CrossEntropyLoss(),
        metrics=[training.Accuracy()],
    )
    train = training.DataLoader(training.TensorDataset(x[:48], y[:48]), batch_size=16, shuffle=True)
    test = training.DataLoader(training.TensorDataset(x[48:], y[48:]), batch_size=12)
    history = trainer.fit(train, epochs=20, validation=test)
    assert history["loss"][-1] < history["loss"][0]
    assert len(history["val_loss"]) == 20
    results = trainer.evaluate(test)
    assert results["accuracy"] == 1.0
    probabilities = em.softmax(trainer.predict(x[48:]), axis=1)
    assert probabilities.shape == (12, 3)
    close(probabilities.sum(axis=1), np.ones(12))
    equal(em.argmax(probabilities, axis=1), y[48:])


def program_fit_with_arrays():
    x, y = flowers()
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    trainer = training.Trainer(
        model,
        training.Adam(model.parameters(), lr=0.03),
        training.CrossEntropyLoss(),
        metrics=[training.Accuracy()],
    )
    history = trainer.fit(
        x[:48], y[:48], batch_size=16, epochs=15, validation_data=(x[48:], y[48:])
    )
    assert history["val_accuracy"][-1] == 1.0
    assert trainer.evaluate(x[48:], y[48:])["accuracy"] == 1.0


def program_regression():
    x = np.linspace(-1, 1, 64, dtype="float32").reshape(-1, 1)
    y = 3 * x + 0.5
    model = nn.Linear(1, 1)
    trainer = training.Trainer(
        model,
        training.SGD(model.parameters(), lr=0.3),
        training.MSELoss(),
        metrics=[training.MeanAbsoluteError()],
    )
    data = training.DataLoader(training.TensorDataset(x, y), batch_size=32, shuffle=True)
    trainer.fit(data, epochs=30)
    close(model.weight, [[3]], atol=1e-2)
    close(model.bias, [0.5], atol=1e-2)
    assert trainer.evaluate(data)["mae"] < 0.02


def program_callbacks(folder):
    x, y = flowers()
    model = nn.Linear(4, 3)
    trainer = training.Trainer(
        model, training.SGD(model.parameters(), lr=0.1), training.CrossEntropyLoss()
    )
    data = training.DataLoader(training.TensorDataset(x, y), batch_size=20)
    seen = []

    class LossHistory(training.Callback):
        def on_epoch_end(self, trainer):
            seen.append(trainer.record["loss"])

    held_out = training.DataLoader(training.TensorDataset(x[::2], y[::2]), batch_size=30)
    history = trainer.fit(
        data,
        epochs=30,
        validation=held_out,
        callbacks=[
            LossHistory(),
            training.EarlyStopping(monitor="val_loss", patience=2, min_delta=0.05),
            training.CSVLog(folder / "log.csv"),
            training.Checkpoint(folder / "best"),
        ],
    )
    assert 3 < len(seen) < 30
    close(seen, history["loss"])
    assert len((folder / "log.csv").read_text().splitlines()) == len(seen) + 1


def program_convolutional_images():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    x = 0.2 * rng.normal(size=(40, 1, 8, 8))
    x[y == 0, :, :4] += 1
    x[y == 1, :, 4:] += 1
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding="same"),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64, 2),
    )
    trainer = training.Trainer(
        model,
        training.Adam(model.parameters(), lr=0.01),
        training.CrossEntropyLoss(),
        metrics=[training.Accuracy()],
    )
    data = training.DataLoader(training.TensorDataset(x.astype("float32"), y), batch_size=20)
    trainer.fit(data, epochs=8)
    assert trainer.evaluate(data)["accuracy"] > 0.95


def program_save_and_load_model(folder):
    x, y = flowers()
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    expected = model(em.asarray(x))
    model.save(folder / "model.safetensors")
    again = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    again.load(folder / "model.safetensors")
    close(again(em.asarray(x)), expected)
    assert "Linear" in str(model.summary())


def program_binary_with_metrics():
    x, y = flowers()
    target = (y == 2).astype("float32")[:, None]
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    trainer = training.Trainer(
        model, training.RMSprop(model.parameters(), lr=0.02), training.BCEWithLogitsLoss()
    )
    data = training.DataLoader(training.TensorDataset(x, target), batch_size=30)
    trainer.fit(data, epochs=25)
    scores = em.sigmoid(trainer.predict(x))
    equal(em.round(scores)[:, 0], target[:, 0])


def program_custom_training_loop():
    x, y = flowers()
    x, y = em.asarray(x), em.asarray(y)
    model = nn.Linear(4, 3)
    optimizer = training.SGD(model.parameters(), lr=0.5)
    with training.GradientTape() as tape:
        loss = em.mean(em.square(model(x)))
    gradients = tape.gradient(loss, list(model.parameters()))
    assert [g.shape for g in gradients] == [(3, 4), (3,)]
    for _ in range(20):
        loss = em.sparse_categorical_cross_entropy(model(x), y, True)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert loss.item() < 0.5


def program_to_categorical_and_normalize():
    y = np.array([0, 2, 1])
    one_hot = em.one_hot(em.asarray(y), 3)
    equal(one_hot, np.eye(3)[y])
    x = em.asarray(np.array([[0, 128, 255]], dtype="uint8")).astype("float32") / 255
    close(x, [[0, 128 / 255, 1]])
    probabilities = em.asarray([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]])
    loss = em.categorical_cross_entropy(probabilities, one_hot)
    close(loss, -np.log([0.7, 0.8, 0.4]).mean(), atol=1e-4)


def program_text_classifier():
    rng = np.random.default_rng(1)
    tokens = rng.integers(1, 20, (40, 6))
    labels = (tokens < 5).sum(axis=1) > 1

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(20, 8)
            self.dense = nn.Linear(8, 1)

        def forward(self, x):
            return self.dense(em.mean(self.embedding(x), axis=1))

    model = Net()
    trainer = training.Trainer(
        model, training.Adam(model.parameters(), lr=0.05), training.BCEWithLogitsLoss()
    )
    data = training.DataLoader(
        training.TensorDataset(tokens, labels.astype("float32")[:, None]), batch_size=20
    )
    history = trainer.fit(data, epochs=30)
    assert history["loss"][-1] < 0.45
