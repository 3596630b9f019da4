"""The Trainer in Python: digits on every engine, exact resume, errors and Ctrl-C during fit,
callbacks, mixed precision."""

import csv
import gc
import io
import json
import signal
import subprocess
import sys
import textwrap
import weakref
from pathlib import Path

import numpy as np
import pytest

import ember_ml as em
from ember_ml import nn, training as tr

DIGITS = np.loadtxt(Path(__file__).resolve().parents[2] / "examples/data/digits.csv", delimiter=",")


def cross_entropy(prediction, target):
    return em.ops.sparse_categorical_cross_entropy(prediction, target, from_logits=True)


class Net(nn.Module):
    def __init__(self, inputs=64, hidden=48, outputs=10, dropout=0.0):
        super().__init__()
        self.first, self.second, self.dropout = (
            nn.Linear(inputs, hidden),
            nn.Linear(hidden, outputs),
            dropout,
        )
        self.register_buffer("seen", em.zeros(()))

    def forward(self, x):
        if self.training:
            self.seen = self.seen + 1
        h = em.ops.relu(self.first(x))
        if self.dropout:
            h = em.ops.dropout(h, self.dropout, training=self.training)
        return self.second(h)


def digits(dtype, held_out=False, **options):
    rows = DIGITS[(np.arange(len(DIGITS)) % 5 == 0) == held_out]
    x, y = rows[:, :64] / 16, rows[:, 64].astype("i8")
    return tr.DataLoader(
        tr.TensorDataset(em.asarray(x, dtype=dtype), em.asarray(y)),
        **{"batch_size": 50, "shuffle": True, **options},
    )


def points(n=40, **options):
    r = np.random.default_rng(0)
    x = r.normal(size=(n, 4))
    return tr.DataLoader(
        tr.TensorDataset(x, np.stack([x[:, 0] * x[:, 1], x.sum(1)], 1)),
        **{"batch_size": 8, "shuffle": True, "seed": 3, **options},
    )


def small(**options):
    """A trainer in float64 with most options."""
    em.random.seed(7)
    net = Net(4, 8, 2, dropout=0.2).to(em.float64)
    optimizer = tr.AdamW(net.parameters(), lr=0.02)
    return tr.Trainer(
        net,
        optimizer,
        tr.MSELoss(),
        schedule=tr.ExponentialLR(optimizer, 0.97),
        schedule_each_step=True,
        clip_norm=1.0,
        metrics=[tr.MeanAbsoluteError()],
        **options,
    )


def weights(trainer):
    return {k: np.asarray(v).tobytes() for k, v in trainer.model.state_dict().items()}


def timeless(history):
    return {k: v for k, v in history.items() if k != "seconds"}


class Steps(tr.Callback):
    """Counts steps across resumes; optionally raises at one of them."""

    def __init__(self, stop_at=None, error=None):
        super().__init__()
        self.steps, self.stop_at, self.error = 0, stop_at, error

    def on_step_end(self, trainer):
        self.steps += 1
        if self.steps == self.stop_at:
            raise self.error

    def state_dict(self):
        return {"steps": self.steps, "half": self.steps / 2}

    def load_state_dict(self, state):
        self.steps = int(state["steps"])
        assert float(state["half"]) == self.steps / 2


# ---- One program on every engine ----
def losses_of(engine, steps=50):
    with em.using_backend(engine):
        em.random.seed(1)
        net, data = Net().to(em.float64), digits(em.float64)
        optimizer, losses = tr.Adam(net.parameters(), lr=3e-3), []
        while len(losses) < steps:
            for x, y in data:
                loss = cross_entropy(net(x), y)
                loss.backward()
                optimizer.step(loss)
                losses.append(loss.item())
        return losses[:steps]


def test_digits_are_learned_on_every_engine(engine):
    net = Net()
    trainer = tr.Trainer(
        net, tr.Adam(net.parameters(), lr=5e-3), cross_entropy, metrics=[tr.Accuracy()]
    )
    history = trainer.fit(
        digits(em.float32), epochs=12, validation=digits(em.float32, held_out=True, shuffle=False)
    )
    assert history["val_accuracy"][-1] > 0.95
    assert history["loss"][-1] < history["loss"][0] / 4 and len(history["val_loss"]) == 12
    assert float(net.seen) == 12 * 29 and net.first.weight.backend == engine


def test_losses_are_the_same_on_every_engine(engine):
    np.testing.assert_allclose(losses_of(engine), losses_of("native"), rtol=0, atol=1e-8)


def test_begun_on_native_and_continued_elsewhere(engine, tmp_path):
    with em.using_backend("native"):
        begun, data = small(), points()
        begun.fit(data, epochs=2, callbacks=[tr.Checkpoint(tmp_path)])
        expected = begun.fit(data, epochs=2)
    there = small()
    history = there.fit(
        points(),
        epochs=4,
        callbacks=[tr.Checkpoint(tmp_path / "new")],
        resume=tr.Checkpoint.latest(tmp_path),
    )
    assert there.model.first.weight.backend == engine
    for name in ("loss", "mae", "lr"):
        np.testing.assert_allclose(history[name], expected[name], rtol=0, atol=1e-8)


# ---- Exact resume ----
@pytest.mark.parametrize("workers", [0, 2])
def test_an_interrupted_fit_is_resumed_bit_for_bit(engine, tmp_path, workers):
    whole, counted = small(), Steps()
    expected = whole.fit(
        points(num_workers=workers), epochs=4, validation=points(16), callbacks=[counted]
    )
    broken = small()
    with pytest.raises(OSError, match="power"):
        broken.fit(
            points(num_workers=workers),
            epochs=4,
            validation=points(16),
            callbacks=[Steps(13, OSError("no power")), tr.Checkpoint(tmp_path, every_steps=4)],
        )
    assert sorted(p.name for p in tmp_path.iterdir())[-1] == "step-000000012.safetensors"
    resumed, again = small(), Steps()
    history = resumed.fit(
        points(num_workers=workers),
        epochs=4,
        validation=points(16),
        resume=tmp_path,
        callbacks=[again, tr.Checkpoint(tmp_path, every_steps=4)],
    )
    assert timeless(history) == timeless(expected) and again.steps == counted.steps == 20
    assert weights(resumed) == weights(whole)


def save_checkpoint(path, state, metadata):
    em.save(path, state)
    data = path.read_bytes()
    n = int.from_bytes(data[:8], "little")
    header = json.dumps({**json.loads(data[8 : 8 + n]), "__metadata__": metadata}).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(len(header).to_bytes(8, "little") + header + data[8 + n :])


def damaged(state, key):
    """The checkpoint with one entry missing, or changed to an impossible value."""
    yield {k: v for k, v in state.items() if k != key}
    if key.startswith("trainer.") and not key.endswith("loss_sum"):
        yield {**state, key: em.asarray(-1)}
        yield {**state, key: em.asarray(2**63 - 1)}


def test_a_failed_resume_changes_nothing(tmp_path):
    path = tmp_path / "step.safetensors"
    begun = small()
    begun.fit(
        points(),
        epochs=2,
        callbacks=[tr.EarlyStopping(monitor="loss", patience=9), tr.Checkpoint(tmp_path / "all")],
    )
    whole = em.load(tr.Checkpoint.latest(tmp_path / "all"))
    meta = em.load_metadata(tr.Checkpoint.latest(tmp_path / "all"))

    def everything(trainer, loader, callbacks):
        state = {
            **trainer.model.state_dict(),
            **trainer.optimizer.state_dict(),
            **loader.state_dict(),
            **callbacks[0].state_dict(),
        }
        return (
            {k: np.asarray(v).tobytes() for k, v in state.items()},
            trainer.history,
            trainer.step,
            trainer.epoch,
            trainer.optimizer.lr,
            em._core.get_random_state(),
        )

    refused = 0
    # Not needed here: a callback that this fit does not have, and the initial rate of a later
    # schedule.
    keys = [
        k
        for k in whole
        if not k.startswith(("history.", "callback.1.")) and not k.endswith("initial_lr")
    ]
    trainer, loader, callbacks = small(), points(), [tr.EarlyStopping(monitor="loss", patience=9)]
    trainer.fit(points(), epochs=1)
    before = everything(trainer, loader, callbacks)
    for key in keys:
        for state in damaged(whole, key):
            save_checkpoint(path, state, meta)
            with pytest.raises((ValueError, OSError)) as e:
                trainer.fit(loader, epochs=4, resume=path, callbacks=callbacks)
                pytest.fail(f"{key} is not needed")
            refused += 1
            assert (
                key.rpartition(".")[2] in str(e.value)
                or "random" in str(e.value)
                or "shape" in str(e.value)
            ), (key, e.value)
            assert everything(trainer, loader, callbacks) == before, key
    assert refused > len(keys) + 4
    save_checkpoint(path, whole, meta)
    with pytest.raises(ValueError, match="batch_size"):  # another loader
        trainer.fit(points(batch_size=4), epochs=4, resume=path, callbacks=callbacks)
    assert everything(trainer, loader, callbacks) == before
    trainer.fit(loader, epochs=4, resume=path, callbacks=callbacks)
    assert trainer.epoch == 4


def test_a_fresh_start_where_there_is_no_checkpoint(tmp_path):
    one = small()
    history = one.fit(points(), 2)
    other = small()
    assert timeless(other.fit(points(), 2, resume=tmp_path)) == timeless(history)
    other.save(tmp_path / "all.safetensors")
    third = small()
    third.load(tmp_path / "all.safetensors")
    assert (
        weights(third) == weights(other)
        and third.epoch == 2
        and timeless(third.history) == timeless(one.history)
    )
    em.save(tmp_path / "x.safetensors", {"a": em.ones(2)})
    with pytest.raises(OSError, match="not a checkpoint"):
        third.load(tmp_path / "x.safetensors")


# ---- Errors in Python code ----
def bad_loss(p, t):
    raise bad_loss.error


class Bad(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.error = nn.Linear(4, 2), None

    def forward(self, x):
        if self.error and self.training:
            raise self.error
        return self.layer(x.astype(em.float32))


class BadMetric(tr.Metric):
    def statistics(self, prediction, target):
        raise self.error

    def result(self):
        return 0.0


@pytest.mark.parametrize("where", ["loss", "forward", "callback", "metric", "dataset"])
@pytest.mark.parametrize("kind", [ArithmeticError, KeyboardInterrupt])
def test_an_error_arrives_unchanged_and_leaves_everything_usable(where, kind):
    error, net, metric, data = kind("no luck"), Bad(), BadMetric(), points()
    metric.error = bad_loss.error = error
    optimizer = tr.SGD(net.parameters(), lr=0.01)
    good = tr.Trainer(net, optimizer, tr.MSELoss())
    bad = tr.Trainer(
        net,
        optimizer,
        bad_loss if where == "loss" else tr.MSELoss(),
        metrics=[metric] if where == "metric" else [],
    )
    net.error = error if where == "forward" else None
    if where == "dataset":

        class Broken(tr.Dataset):
            def __len__(self):
                return 8

            def __getitem__(self, i):
                raise error

        data = tr.DataLoader(Broken(), num_workers=2)
    with pytest.raises(kind) as caught:
        bad.fit(data, callbacks=[Steps(2, error)] if where == "callback" else [])
    assert caught.value is error
    net.error = None
    assert all(p.grad is None for p in net.parameters()) and good.batch == 0
    assert len(good.fit(points(), epochs=2)["loss"]) == 2


def test_what_is_no_tensor_is_an_error():
    net = Bad()
    optimizer = tr.SGD(net.parameters())
    for loss, words in ((lambda p, t: 3.0, "loss"), (lambda p, t: None, "loss")):
        with pytest.raises(TypeError, match=words):
            tr.Trainer(net, optimizer, loss).fit(points())
    with pytest.raises(TypeError, match="forward"):
        tr.Trainer(net, optimizer, tr.MSELoss(), forward=lambda model, x: 3).fit(points())
    for wrong in ((3, optimizer, len), (net, 3, len), (net, optimizer, 3)):
        with pytest.raises(TypeError):
            tr.Trainer(*wrong)
    with pytest.raises(ValueError, match="accumulate"):
        tr.Trainer(net, optimizer, tr.MSELoss(), accumulate=0)
    with pytest.raises(TypeError, match="float16 or bfloat16"):
        tr.Trainer(net, optimizer, tr.MSELoss(), precision="float64")


CTRL_C = """
    import signal, sys, time
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits that it is ignored
    import ember_ml as em
    from ember_ml import nn, training as tr

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 2)
        def forward(self, x):
            return self.layer(x)

    class Slow(tr.Dataset):
        def __len__(self):
            return 64
        def __getitem__(self, i):
            global rounds
            while blocked and trainer.step >= 2:
                time.sleep(0.01)
                rounds += 1
                if rounds == 100:  # fit has consumed the prepared batches and waits
                    print("started", flush=True)
            return em.ones(4) * i, em.ones(2)

    class Started(tr.Callback):
        def on_step_end(self, trainer):
            if trainer.step == 2 and not blocked:
                print("started", flush=True)

    def op(a, b):
        return em.ops.mse_loss(a, b)

    how, blocked, rounds = sys.argv[1], sys.argv[1] == "workers", 0
    net = Net() if how != "core" else nn.Linear(4, 2)
    trainer = tr.Trainer(net, tr.SGD(net.parameters(), lr=1e-6), em.ops.mse_loss if how == "core" else op)
    data = tr.DataLoader(Slow() if blocked else tr.TensorDataset(em.ones((64, 4)), em.ones((64, 2))), 4, num_workers=2 if blocked else 0)
    try:
        trainer.fit(data, epochs=10**9, callbacks=[Started()])
    except KeyboardInterrupt:
        blocked = False
        done = trainer.epoch
        trainer.fit(data, epochs=1)
        print("usable", trainer.epoch - done, all(p.grad is None for p in net.parameters()))
"""


@pytest.mark.parametrize("how", ["python", "core", "workers"])
def test_ctrl_c_in_the_middle_of_fit(how):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CTRL_C), how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert (out, err, process.returncode) == ("usable 1 True\n", "", 0)


# ---- Options of the Trainer ----
def test_accumulated_batches_are_one_large_batch():
    results = []
    for parts in (1, 4):
        em.random.seed(7)
        net = Net(4, 8, 2).to(em.float64)
        tr.Trainer(
            net, tr.Adam(net.parameters()), tr.MSELoss(), accumulate=parts, clip_value=0.05
        ).fit(points(batch_size=16 // parts), epochs=3)
        results.append(np.asarray(net.first.weight))
    np.testing.assert_allclose(results[0], results[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("precision", ["float16", "bfloat16"])
def test_mixed_precision(engine, precision):
    seen = set()

    class Half(Net):
        def forward(self, x):
            seen.add((str(x.dtype), str(self.first.weight.dtype)))
            return super().forward(x)

    net = Half()
    trainer = tr.Trainer(
        net,
        tr.Adam(net.parameters(), lr=5e-3),
        cross_entropy,
        precision=precision,
        metrics=[tr.Accuracy()],
        scaler=tr.LossScaler(init_scale=2.0**26, growth_interval=20),
    )
    history = trainer.fit(digits(em.float32), epochs=6)
    assert seen == {(precision, precision)} and net.first.weight.dtype == em.float32
    assert history["accuracy"][-1] > 0.9
    scale, skipped = trainer.scaler.scale, trainer.skipped
    assert (
        1 < scale < 2.0**26 and skipped > 0
        if precision == "float16"
        else (scale, skipped) == (1, 0)
    )


def test_a_loss_scaler_by_hand():
    p, scaler = (
        em.Parameter(em.ones(2, dtype=em.float32)),
        tr.LossScaler(init_scale=8.0, growth_interval=1),
    )
    optimizer = tr.SGD([p], lr=0.5)
    (em.sum(p * p) * scaler.scale).backward()
    taken = optimizer.step(only_if=scaler.unscale([p]))
    scaler.update(taken)
    assert taken and p.tolist() == [0, 0] and scaler.scale == 16
    (em.sum(p) * em.inf).backward()
    taken = optimizer.step(only_if=scaler.unscale([p]))
    scaler.update(taken)
    assert not taken and p.tolist() == [0, 0] and scaler.scale == 8


def test_several_inputs_and_a_forward_of_ones_own():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2, 1)

        def forward(self, a, b):
            return self.layer(em.stack([a, b], axis=1))

    net, x = Two(), np.random.default_rng(1).normal(size=(12, 2)).astype("f4")
    data = lambda: tr.DataLoader(tr.TensorDataset(x[:, 0], x[:, 1], x.sum(1, keepdims=True)), 4)
    first = tr.Trainer(net, tr.SGD(net.parameters(), lr=0.1), tr.MSELoss()).fit(data(), epochs=20)
    assert first["loss"][-1] < first["loss"][0] / 10
    swapped = tr.Trainer(
        net, tr.SGD(net.parameters(), lr=0.1), tr.MSELoss(), forward=lambda model, a, b: model(b, a)
    )
    assert swapped.predict(data()).shape == (12, 1)
    assert swapped.evaluate(data())["loss"] == pytest.approx(first["loss"][-1], abs=0.05)


def test_evaluation_and_prediction_change_nothing():
    trainer, held_out = small(), points(16, shuffle=False)
    trainer.fit(points(), epochs=1)
    before = weights(trainer)
    assert trainer.evaluate(held_out) == trainer.evaluate(held_out) and set(
        trainer.evaluate(held_out)
    ) == {"loss", "mae"}
    one, all_at_once = (
        trainer.predict(held_out),
        trainer.predict(em.concat([b[0] for b in held_out])),
    )
    np.testing.assert_allclose(np.asarray(one), np.asarray(all_at_once), rtol=0, atol=1e-12)
    assert weights(trainer) == before and trainer.model.training


def test_prediction_of_several_inputs():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 1), nn.Linear(2, 1)

        def forward(self, a, b):
            return self.a(a) + self.b(b)

    net = Two()
    trainer = tr.Trainer(net, tr.SGD(net.parameters(), lr=0.1), tr.MSELoss())
    a, b = np.ones((5, 3)), em.ones((5, 2))
    for options in ({}, {"batch_size": 2}):
        got = trainer.predict((a, b), **options)
        np.testing.assert_allclose(np.asarray(got), np.asarray(net(em.ones((5, 3)), b).detach()))
    assert tr.Trainer(
        nn.Linear(2, 1), tr.SGD(nn.Linear(2, 1).parameters(), lr=0.1), tr.MSELoss()
    ).predict(((1.0, 2.0), (3.0, 4.0))).shape == (2, 1)


def test_a_plateau_in_the_trainer():
    net = Bad()
    optimizer = tr.SGD(net.parameters(), lr=1e-9)  # the loss never improves
    trainer = tr.Trainer(
        net,
        optimizer,
        tr.MSELoss(),
        schedule=tr.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, threshold=0.5, eps=0.0),
    )
    assert trainer.fit(points(), epochs=6)["lr"] == pytest.approx(
        [1e-9, 1e-9, 1e-9, 5e-10, 5e-10, 2.5e-10]
    )


# ---- Callbacks ----
def test_hooks_are_called_in_order():
    calls = []

    class Log(tr.Callback):
        def on_fit_begin(self, trainer):
            calls.append("fit")

        def on_epoch_begin(self, trainer):
            calls.append(f"epoch {trainer.epoch + 1} of {trainer.epochs}")

        def on_step_end(self, trainer):
            calls.append(f"{trainer.batch}/{trainer.batches}")
            assert trainer.loss > 0 and trainer.last_loss > 0 and trainer.model is net

        def on_epoch_end(self, trainer):
            calls.append(sorted(trainer.record))
            if trainer.epoch == 2:
                trainer.stop()

        def on_fit_end(self, trainer):
            calls.append("end")

    class Last(Log):
        def runs_last(self):
            return True

        def on_fit_end(self, trainer):
            super().on_fit_end(trainer)
            calls.append("last")

    net = Bad()
    trainer = tr.Trainer(net, tr.SGD(net.parameters()), tr.MSELoss())
    names = ["epoch", "loss", "lr", "seconds"]
    assert list(trainer.fit(points(16), epochs=9, callbacks=[Log()])) == names
    assert calls == [
        "fit",
        "epoch 1 of 9",
        "1/2",
        "2/2",
        names,
        "epoch 2 of 9",
        "1/2",
        "2/2",
        names,
        "end",
    ]
    calls.clear()
    trainer.fit(points(16), epochs=0, callbacks=[Last(), Log()])
    assert calls == ["fit", "fit", "end", "end", "last"]


def test_early_stopping_checkpoints_and_logs(tmp_path):
    trainer = small()
    best = tr.EarlyStopping(patience=2, min_delta=0.05, restore_best=True)
    history = trainer.fit(
        points(16),
        epochs=200,
        validation=points(64),
        callbacks=[
            best,
            tr.Checkpoint(tmp_path / "c", keep=2, best=True),
            tr.CSVLog(tmp_path / "log.csv"),
            tr.TensorBoard(tmp_path / "board", 5),
        ],
    )
    n = len(history["loss"])
    assert n < 200 and best.best == history["val_loss"][n - 4]
    assert trainer.evaluate(points(64))["loss"] == pytest.approx(best.best, abs=1e-12)
    assert (
        len(list((tmp_path / "c").glob("step-*"))) == 2
        and (tmp_path / "c/best.safetensors").exists()
    )
    rows = list(csv.DictReader(open(tmp_path / "log.csv")))
    assert [float(r["val_loss"]) for r in rows] == history["val_loss"]
    assert [p.stat().st_size > 100 for p in (tmp_path / "board").iterdir()] == [True]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_writes_where_python_writes(capsys):
    trainer = small()
    trainer.fit(points(), epochs=2, callbacks=[tr.Progress()])
    lines = capsys.readouterr().err.splitlines()
    # Not a terminal: one line per epoch.
    assert len(lines) == 2 and lines[0].startswith("epoch 1/2") and "loss" in lines[1]
    out = Terminal()
    trainer.fit(points(), callbacks=[tr.Progress(out)])
    assert out.getvalue().startswith("\r\x1b[2K")

    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError("nobody reads")

    with pytest.raises(BrokenPipeError, match="nobody reads"):
        trainer.fit(points(), callbacks=[tr.Progress(Closed())])


def test_a_subclass_of_a_callback_of_the_core(tmp_path):
    class Quiet(tr.Checkpoint):
        written = 0

        def on_epoch_end(self, trainer):
            super().on_epoch_end(trainer)
            Quiet.written += 1

    small().fit(points(), epochs=3, callbacks=[Quiet(tmp_path)])
    assert Quiet.written == 3 and len(list(tmp_path.iterdir())) == 3


# ---- Lifetimes ----
def test_a_trainer_in_a_cycle_is_collected():
    class App:
        def __init__(self):
            self.net = Bad()
            self.trainer = tr.Trainer(
                self.net, tr.SGD(self.net.parameters()), self.loss, schedule=None
            )

        def loss(self, prediction, target):
            return em.mean((prediction - target) ** 2)

    app = App()
    app.trainer.fit(points())
    gone = weakref.ref(app)
    del app
    gc.collect()
    assert gone() is None


def test_what_a_trainer_uses_lives_as_long_as_it_does():
    def make():
        net = Bad()
        optimizer = tr.SGD(net.parameters(), lr=0.1)
        return tr.Trainer(
            net,
            optimizer,
            tr.MSELoss(),
            schedule=tr.StepLR(optimizer, 1),
            metrics=[tr.MeanAbsoluteError()],
        )

    trainer = make()
    gc.collect()
    assert trainer.fit(points(), epochs=2)["lr"] == pytest.approx([0.1, 0.01])
    schedule = tr.StepLR(tr.SGD(trainer.model.parameters(), lr=1.0), 1)
    gc.collect()
    schedule.step()
    assert schedule.get_last_lr() == pytest.approx([0.1])
