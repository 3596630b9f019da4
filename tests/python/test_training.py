"""Optimizers, schedules, clipping, loaders, losses, metrics and GradientTape, compared with
plain NumPy."""

import math
import subprocess
import sys
import threading

import numpy as np
import pytest

import ember_ml as em
from ember_ml import errors, training as tr

rng = np.random.default_rng(5)
F64 = em.float64


def parameter(values, dtype=F64):
    return em.Parameter(em.asarray(values, dtype=dtype))


def same(x, y, tolerance=1e-12):
    np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=tolerance, atol=tolerance)


# ---- Optimizers: the published formulas in plain loops ----
def sgd(
    p, g, s, t, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False
):
    g = (-g if maximize else g) + weight_decay * p
    if momentum:
        s["b"] = momentum * s["b"] + (1 - dampening) * g if "b" in s else g
        g = g + momentum * s["b"] if nesterov else s["b"]
    return p - lr * g


def adam(
    p,
    g,
    s,
    t,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    amsgrad=False,
    decoupled=False,
):
    if decoupled:
        p = p * (1 - lr * weight_decay)
    else:
        g = g + weight_decay * p
    s["m"] = betas[0] * s.get("m", 0) + (1 - betas[0]) * g
    s["v"] = betas[1] * s.get("v", 0) + (1 - betas[1]) * g * g
    s["most"] = np.maximum(s.get("most", 0), s["v"])
    v = s["most"] if amsgrad else s["v"]
    return p - lr / (1 - betas[0] ** t) * s["m"] / (np.sqrt(v) / math.sqrt(1 - betas[1] ** t) + eps)


def adamax(p, g, s, t, lr=2e-3, betas=(0.9, 0.999), eps=1e-8):
    s["m"] = betas[0] * s.get("m", 0) + (1 - betas[0]) * g
    s["u"] = np.maximum(betas[1] * s.get("u", 0), np.abs(g) + eps)
    return p - lr / (1 - betas[0] ** t) * s["m"] / s["u"]


def rmsprop(p, g, s, t, lr=1e-2, alpha=0.99, eps=1e-8, momentum=0, centered=False):
    s["v"] = alpha * s.get("v", 0) + (1 - alpha) * g * g
    v = s["v"]
    if centered:
        s["a"] = alpha * s.get("a", 0) + (1 - alpha) * g
        v = v - s["a"] ** 2
    s["b"] = momentum * s.get("b", 0) + g / (np.sqrt(v) + eps)
    return p - lr * s["b"]


def adagrad(p, g, s, t, lr=1e-2, lr_decay=0, eps=1e-10):
    s["v"] = s.get("v", 0) + g * g
    return p - lr / (1 + (t - 1) * lr_decay) * g / (np.sqrt(s["v"]) + eps)


def adadelta(p, g, s, t, lr=1.0, rho=0.9, eps=1e-6):
    s["v"] = rho * s.get("v", 0) + (1 - rho) * g * g
    move = np.sqrt(s.get("d", 0) + eps) / np.sqrt(s["v"] + eps) * g
    s["d"] = rho * s.get("d", 0) + (1 - rho) * move**2
    return p - lr * move


def lion(p, g, s, t, lr=1e-4, betas=(0.9, 0.99), weight_decay=0):
    m = s.get("m", np.zeros_like(p))
    s["m"] = betas[1] * m + (1 - betas[1]) * g
    return p * (1 - lr * weight_decay) - lr * np.sign(betas[0] * m + (1 - betas[0]) * g)


CASES = [
    ("SGD", sgd, {}),
    ("SGD", sgd, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    ("SGD", sgd, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", sgd, {"lr": 0.1, "momentum": 0.5, "dampening": 0.2, "maximize": True}),
    ("Adam", adam, {}),
    (
        "Adam",
        adam,
        {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": 0.1, "amsgrad": True},
    ),
    ("AdamW", lambda *a, **k: adam(*a, decoupled=True, **k), {"lr": 0.05, "weight_decay": 0.3}),
    ("Adamax", adamax, {"lr": 0.05}),
    ("RMSprop", rmsprop, {}),
    ("RMSprop", rmsprop, {"momentum": 0.9, "centered": True}),
    ("Adagrad", adagrad, {"lr_decay": 0.1}),
    ("Adadelta", adadelta, {}),
    ("Lion", lion, {"lr": 0.01, "weight_decay": 0.1}),
]


@pytest.mark.parametrize(
    "name, reference, options", CASES, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(CASES)]
)
def test_an_optimizer_follows_its_formula(engine, name, reference, options):
    start = [rng.normal(size=(3, 4)), rng.normal(size=5)]
    parameters, plain, states = [parameter(v) for v in start], [v.copy() for v in start], [{}, {}]
    optimizer = getattr(tr, name)(parameters, **options)
    for t in range(1, 8):
        loss = sum(em.sum(p**4) / 4 + em.sum(p) for p in parameters)
        loss.backward()
        assert optimizer.step(loss) is True
        assert loss.evaluated and all(p.grad is None for p in parameters)
        plain = [reference(p, p**3 + 1, s, t, **options) for p, s in zip(plain, states)]
    for p, q in zip(parameters, plain):
        same(p, q)


def test_both_ways_to_name_the_options():
    p = parameter(np.ones(2))
    a, b = (
        tr.Adam([p], learning_rate=0.5, beta_1=0.7, beta_2=0.8, epsilon=1e-3),
        tr.Adam([p], 0.5, (0.7, 0.8), 1e-3),
    )
    assert (
        dict(a.param_groups[0].items()).items()
        >= {"lr": 0.5, "betas": (0.7, 0.8), "eps": 1e-3}.items()
    )
    assert repr(a.param_groups[0]) == repr(b.param_groups[0])
    assert tr.SGD(learning_rate=0.25).lr == 0.25


def test_parameter_groups_have_options_of_their_own():
    a, b, c = (parameter(np.ones(2)) for _ in range(3))
    optimizer = tr.SGD([{"params": [a], "lr": 0.5}, {"params": b}], lr=0.25, momentum=0)
    optimizer.add_param_group({"params": [c], "lr": 0.125})
    assert [g["lr"] for g in optimizer.param_groups] == [0.5, 0.25, 0.125]
    sum(em.sum(p) for p in (a, b, c)).backward()
    optimizer.step()
    assert [float(p[0]) for p in (a, b, c)] == [0.5, 0.75, 0.875]
    optimizer.param_groups[1]["lr"] = 0.75  # changes the optimizer
    sum(em.sum(p) for p in (a, b, c)).backward()
    optimizer.step()
    assert [float(p[0]) for p in (a, b, c)] == [0.0, 0.0, 0.75]
    group = optimizer.param_groups[0]
    assert (
        len(group["params"]) == 1
        and "lr" in group
        and "rate" not in group
        and set(group) == set(group.keys())
    )
    optimizer.lr = 0.01
    assert [g["lr"] for g in optimizer.param_groups] == [0.01] * 3


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda p: tr.SGD([p], rate=1), TypeError, "no option 'rate'"),
        (lambda p: tr.SGD([p], "fast"), TypeError, "lr must be a number"),
        (lambda p: tr.SGD([p], lr=-1), ValueError, "lr"),
        (lambda p: tr.SGD([p, p]), ValueError, "twice"),
        (lambda p: tr.SGD([em.ones(2)]), ValueError, "require gradients"),
        (lambda p: tr.SGD(7), TypeError, "Parameter"),
        (lambda p: tr.SGD([{"lr": 1.0}]), ValueError, "params"),
        (lambda p: tr.Adam([p], betas=(0.9, 1.0)), ValueError, "beta"),
        (lambda p: tr.Adam([p], betas=0.9), TypeError, "two numbers"),
        (lambda p: tr.SGD([p]).add_param_group([p]), ValueError, "twice"),
        (lambda p: tr.SGD([p]).param_groups[0].__setitem__("lr", -1.0), ValueError, "lr"),
        (lambda p: tr.StepLR(tr.SGD([p]), 0), ValueError, "step_size"),
        (lambda p: tr.clip_grad_norm_([p], -1.0), ValueError, "max_norm"),
    ],
)
def test_wrong_arguments_say_what_is_wrong(make, kind, words):
    with pytest.raises(kind, match=words) as e:
        make(parameter(np.ones(2)))
    assert isinstance(e.value, errors.Error)


def test_a_step_with_only_if_false_changes_nothing():
    p = parameter(np.ones(2))
    optimizer = tr.Adam([p])
    em.sum(p).backward()
    before = optimizer.state_dict()
    assert optimizer.step(only_if=em.asarray(False)) is False
    same(p, [1, 1])
    assert p.grad is None and optimizer.state_dict().keys() == before.keys()


def test_the_state_of_an_optimizer_goes_on_exactly():
    def steps(p, optimizer, n):
        for _ in range(n):
            em.sum(p**4).backward()
            optimizer.step()

    p, start = parameter(rng.normal(size=4)), rng.normal(size=4)
    p.data = start
    whole = tr.AdamW([p], lr=0.1)
    steps(p, whole, 6)
    q = parameter(start)
    first = tr.AdamW([q], lr=0.1)
    steps(q, first, 3)
    r, state = parameter(np.asarray(q)), first.state_dict()
    second = tr.AdamW([r], lr=0.7)
    second.load_state_dict(state)
    steps(r, second, 3)
    assert np.asarray(r).tobytes() == np.asarray(p).tobytes()
    with pytest.raises(ValueError, match="another"):
        tr.SGD([p]).load_state_dict(state)
    with pytest.raises(ValueError, match="shape"):
        tr.AdamW([parameter(np.ones(3))]).load_state_dict(state)


def test_half_precision_parameters_are_updated_in_full():
    p = parameter(np.ones(3), em.float16)
    optimizer = tr.SGD([p], lr=1e-4)
    for _ in range(20):  # each step is smaller than float16's precision
        em.sum(p).backward()
        optimizer.step()
    assert p.dtype == em.float16
    same(p, np.full(3, np.float16(1 - 20e-4)), 1e-6)


# ---- Clipping ----
def test_gradients_are_clipped(engine):
    p, q = parameter(rng.normal(size=(2, 3))), parameter(rng.normal(size=4))
    for norm, size in (
        (2.0, lambda g: np.linalg.norm(g)),
        (math.inf, lambda g: np.abs(g).max()),
        (1.0, lambda g: np.abs(g).sum()),
    ):
        tr.SGD([p, q]).zero_grad()
        (em.sum(p * p) + em.sum(q**3)).backward()
        g = [np.asarray(p.grad), np.asarray(q.grad)]
        total = size(np.concatenate([x.ravel() for x in g]))
        same(tr.clip_grad_norm_([p, q], 0.5, norm), total)
        same(p.grad, g[0] * 0.5 / (total + 1e-6)), same(q.grad, g[1] * 0.5 / (total + 1e-6))
    tr.clip_grad_value_(iter([p, q]), 0.01)
    assert np.abs(np.asarray(p.grad)).max() <= 0.01


# ---- Schedules ----
def rates(make, n, lr=1.0, **options):
    optimizer = tr.SGD([parameter(np.ones(1))], lr=lr, momentum=0.9)
    schedule, r = make(optimizer), [optimizer.lr]
    for _ in range(n):
        schedule.step()
        r.append(schedule.get_last_lr()[0])
    assert schedule.last_epoch == n
    return r


def test_schedules_follow_their_formulas():
    same(rates(lambda o: tr.LambdaLR(o, lambda n: 1 / (n + 1)), 5), [1 / (n + 1) for n in range(6)])
    same(rates(lambda o: tr.StepLR(o, 2, gamma=0.5), 6), [0.5 ** (n // 2) for n in range(7)])
    same(rates(lambda o: tr.MultiStepLR(o, [2, 3]), 4), [1, 1, 0.1, 0.01, 0.01])
    same(rates(lambda o: tr.ExponentialLR(o, 0.9), 4), [0.9**n for n in range(5)])
    same(rates(lambda o: tr.LinearLR(o, 0.5, total_iters=4), 5), [0.5, 0.625, 0.75, 0.875, 1, 1])
    same(
        rates(lambda o: tr.CosineAnnealingLR(o, T_max=4, eta_min=0.2), 4),
        [0.2 + 0.4 * (1 + math.cos(math.pi * n / 4)) for n in range(5)],
    )
    same(
        rates(lambda o: tr.CosineAnnealingWarmRestarts(o, T_0=2, T_mult=2), 6),
        [(1 + math.cos(math.pi * x)) / 2 for x in (0, 0.5, 0, 0.25, 0.5, 0.75, 0)],
    )
    sequence = rates(
        lambda o: tr.SequentialLR(
            o, [tr.LinearLR(o, 0.5, total_iters=2), tr.ExponentialLR(o, 0.5)], [2]
        ),
        4,
    )
    same(sequence, [0.5, 0.75, 1, 0.5, 0.25])
    cycle = rates(
        lambda o: tr.OneCycleLR(o, max_lr=2.0, total_steps=10, anneal_strategy="linear"), 9
    )
    same([cycle[0], cycle[2], cycle[9]], [0.08, 2.0, 0.08 / 1e4])
    assert (
        rates(
            lambda o: tr.OneCycleLR(o, 2.0, epochs=2, steps_per_epoch=5, anneal_strategy="linear"),
            9,
        )
        == cycle
    )


def test_a_plateau_lowers_the_rate():
    optimizer = tr.SGD([parameter(np.ones(1))], lr=1.0)
    schedule = tr.ReduceLROnPlateau(optimizer, mode="max", factor=0.5, patience=1)
    seen = []
    for metric in (1, 2, 2, 2, 2, 2):
        schedule.step(metric)
        seen.append(optimizer.lr)
    assert seen == [1, 1, 1, 0.5, 0.5, 0.25]
    with pytest.raises(ValueError, match="metric"):
        schedule.step()
    other = tr.ReduceLROnPlateau(tr.SGD([parameter(np.ones(1))]), mode="max")
    other.load_state_dict(schedule.state_dict())
    assert other.state_dict().keys() == schedule.state_dict().keys()


def test_an_error_in_a_python_schedule_arrives():
    with pytest.raises(ZeroDivisionError):
        tr.LambdaLR(tr.SGD([parameter(np.ones(1))]), lambda n: 1 / n)


# ---- Data ----
class Noisy(tr.Dataset):
    """Examples with random numbers, written in Python."""

    def __init__(self, n=23, broken=-1):
        self.n, self.broken, self.threads = n, broken, set()

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        self.threads.add(threading.get_ident())
        if i == self.broken:
            raise LookupError(f"example {i} is broken")
        return em.full((2,), float(i), dtype=F64) + em.random.random_uniform((2,), dtype=F64), i


def epochs(loader, n=2):
    return [[np.asarray(t).tolist() for t in batch] for _ in range(n) for batch in loader]


def test_workers_give_the_same_batches(engine):
    state = em._core.get_random_state()
    expected = epochs(tr.DataLoader(Noisy(), 4, shuffle=True, seed=1))
    for workers in (1, 3):
        data = Noisy()
        assert (
            epochs(tr.DataLoader(data, 4, shuffle=True, seed=1, num_workers=workers, prefetch=3))
            == expected
        )
        assert threading.get_ident() not in data.threads
    assert em._core.get_random_state() == state
    assert [len(b[1]) for b in expected[:6]] == [4, 4, 4, 4, 4, 3]
    assert sorted(i for b in expected[:6] for i in b[1]) == list(range(23))


def test_a_loader_says_where_it_is_and_goes_there():
    for workers in (0, 2):
        a, b = (tr.DataLoader(Noisy(), 4, True, seed=1, num_workers=workers) for _ in range(2))
        assert (len(a), a.examples, a.position) == (6, 23, (0, 0))
        batches = iter(a)
        next(batches), next(batches)
        b.load_state_dict(a.state_dict())
        assert a.position == b.position == (0, 2)
        assert epochs(b, 1)[0] == [np.asarray(t).tolist() for t in next(batches)]
        a.seek(0, 2), b.load_state_dict(a.state_dict())
        assert a.position == b.position == (0, 2)
        assert epochs(a, 1) == epochs(b, 1) and a.position == (1, 0)
        b.seek(0, 5)
        rest = list(b)
        assert len(rest) == 1 and [int(i) for i in rest[0][1]] == b.order(0)[20:]
        with pytest.raises(IndexError):
            b.seek(0, 7)
        with pytest.raises(ValueError, match="batch_size"):
            tr.DataLoader(Noisy(), 5, True, seed=1).load_state_dict(a.state_dict())
    done = iter(tr.DataLoader([(1.0, 2)], 1))
    assert len(list(done)) == 1 and list(done) == []


def test_anything_with_a_length_and_items_is_a_dataset():
    pairs = [(np.float32(i), i) for i in range(5)]
    x, y = next(iter(tr.DataLoader(pairs, 5)))
    assert x.dtype == em.float32 and y.tolist() == [0, 1, 2, 3, 4]

    class Whole(tr.TensorDataset):
        def batch(self, indices):
            return em.asarray(indices), em.asarray(len(indices))

    i, n = next(iter(tr.DataLoader(Whole(em.ones((4, 2))), 3)))
    assert i.tolist() == [0, 1, 2] and n.item() == 3
    rows = tr.TensorDataset(em.asarray([[1, 2], [3, 4]]), [5, 6])
    assert len(rows) == 2 and rows[-1][0].tolist() == [3, 4] and rows[1][1].item() == 6
    with pytest.raises(IndexError):
        rows[2]
    for bad in (3, em.ones(3)):
        with pytest.raises(TypeError, match="dataset"):
            tr.DataLoader(bad)
    with pytest.raises(NotImplementedError, match="__len__"):
        tr.DataLoader(tr.Dataset())


@pytest.mark.parametrize("workers", [0, 2])
def test_an_error_in_a_dataset_arrives_unchanged_and_nothing_breaks(workers):
    data = Noisy(8, broken=5)
    loader = tr.DataLoader(data, 2, num_workers=workers)
    batches = iter(loader)
    next(batches), next(batches)
    for _ in range(2):
        with pytest.raises(LookupError, match="example 5 is broken") as e:
            next(batches)
        assert e.traceback[-1].name == "__getitem__"
    data.broken = -1
    loader.seek(0, 2)
    assert next(batches)[1].tolist() == [4, 5]


def test_loaders_with_threads_at_work_end_with_the_program():
    code = """
import ember_ml as em, time
from ember_ml import training as tr
class Slow(tr.Dataset):
    def __len__(self): return 1000
    def __getitem__(self, i):
        time.sleep(0.01)
        return em.ones(2) * i
kept = tr.DataLoader(Slow(), 4, num_workers=4)
batch = next(iter(kept))
print("fine")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")


# ---- Metrics, losses ----
class MeanError(tr.Metric):
    name = "mean_error"

    def statistics(self, prediction, target):
        return em.stack([em.sum(em.abs(prediction - target)), em.full((), float(target.size))])

    def result(self):
        return self.totals[0] / self.totals[1]


def test_metrics_of_python_and_of_the_core_agree(engine):
    p, t = rng.normal(size=(6, 2)).astype("f4"), rng.normal(size=(6, 2)).astype("f4")
    mine, core = MeanError(), tr.MeanAbsoluteError()
    for m in (mine, core):
        m.update(p[:4], t[:4]), m.update(p[4:], t[4:])
    same(mine.value(), core.value(), 1e-6), same(core.value(), np.abs(p - t).mean(), 1e-6)
    same(mine(p[:1], t[:1]), np.abs(p[:1] - t[:1]).mean(), 1e-6)
    assert (mine.name, core.name) == ("mean_error", "mae")
    with pytest.raises(NotImplementedError, match="statistics"):
        tr.Metric().update(p, t)


def test_scores_as_functions(engine):
    y, p = rng.integers(0, 4, 50), rng.integers(0, 4, 50)
    counts = np.array([[np.sum((y == i) & (p == k)) for k in range(4)] for i in range(4)])
    assert np.array_equal(tr.confusion_matrix(y, p), counts)
    same(tr.confusion_matrix(y, p, normalize=True), counts / counts.sum(1, keepdims=True))
    hits, predicted, actual = np.diag(counts), counts.sum(0), counts.sum(1)
    expected = {
        "accuracy": hits.sum() / 50,
        "precision": np.mean(hits / predicted),
        "recall": np.mean(hits / actual),
        "f1": np.mean(2 * hits / (predicted + actual)),
    }
    assert tr.classification_metrics(y, p) == pytest.approx(expected, abs=1e-12)
    scores = np.eye(4, dtype="f4")[p]
    assert tr.classification_metrics(y, scores) == pytest.approx(expected, abs=1e-12)
    yes, score = rng.integers(0, 2, 40), rng.integers(0, 20, 40) / 20
    decided = score > 0.3
    found = np.sum(decided & (yes == 1))
    assert tr.binary_classification_metrics(yes, score, threshold=0.3) == pytest.approx(
        {
            "accuracy": np.mean(decided == yes),
            "precision": found / decided.sum(),
            "recall": found / yes.sum(),
            "f1": 2 * found / (decided.sum() + yes.sum()),
        },
        abs=1e-12,
    )
    pairs = [(a > b) + 0.5 * (a == b) for a in score[yes == 1] for b in score[yes == 0]]
    assert tr.roc_auc(yes, score) == pytest.approx(np.mean(pairs), abs=1e-12)
    limits = np.unique(score)
    precision, recall, thresholds = tr.precision_recall_curve(yes, score)
    same(thresholds, limits)
    (
        same(precision, [*(np.mean(yes[score >= t]) for t in limits), 1]),
        same(recall, [*(np.sum(yes[score >= t]) / yes.sum() for t in limits), 0]),
    )
    steps = -np.diff(np.asarray(recall)) * np.asarray(precision)[:-1]
    assert tr.average_precision_score(yes, score) == pytest.approx(steps.sum(), abs=1e-12)
    a, b = rng.normal(size=30), rng.normal(size=30)
    mse = np.mean((a - b) ** 2)
    assert tr.regression_metrics(a, b) == pytest.approx(
        {
            "mse": mse,
            "rmse": math.sqrt(mse),
            "mae": np.mean(np.abs(a - b)),
            "r2": 1 - np.sum((a - b) ** 2) / np.sum((a - a.mean()) ** 2),
        },
        abs=1e-12,
    )
    with pytest.raises(ValueError):
        tr.confusion_matrix(y, p[:3])
    with pytest.raises(ValueError, match="-1"):
        tr.confusion_matrix(em.asarray([0, -1]), em.asarray([0, 1]))


def test_losses_as_objects(engine):
    x, t = rng.normal(size=(6, 5)), rng.integers(0, 5, 6)
    log_p = x - np.log(np.exp(x).sum(1, keepdims=True))
    plain = -log_p[np.arange(6), t]
    (
        same(tr.CrossEntropyLoss()(x, t), plain.mean()),
        same(tr.CrossEntropyLoss(reduction="none")(x, t), plain),
    )
    smooth = 0.8 * plain - 0.2 * log_p.mean(1)
    same(tr.CrossEntropyLoss("sum", label_smoothing=0.2)(x, t), smooth.sum())
    t[2] = t[4] = -100
    same(tr.CrossEntropyLoss(label_smoothing=0.2)(x, t), smooth[t >= 0].mean())
    q = rng.random((6, 5))
    same(tr.CrossEntropyLoss()(x, q), -(q * log_p).sum(1).mean())
    image, labels = rng.normal(size=(2, 3, 4)), rng.integers(0, 3, (2, 4))  # classes along axis 1
    flat = image.transpose(0, 2, 1).reshape(-1, 3)
    same(tr.CrossEntropyLoss()(image, labels), tr.CrossEntropyLoss()(flat, labels.reshape(-1)))
    a, b = rng.normal(size=8), rng.random(8)
    (
        same(tr.MSELoss()(a, b), np.mean((a - b) ** 2)),
        same(tr.L1Loss("sum")(a, b), np.abs(a - b).sum()),
    )
    d = np.abs(a - b)
    same(tr.HuberLoss(delta=0.5)(a, b), np.mean(np.where(d < 0.5, d * d / 2, 0.5 * (d - 0.25))))
    same(tr.BCEWithLogitsLoss()(a, b), np.mean(np.log1p(np.exp(a)) - a * b))
    same(tr.BCELoss()(1 / (1 + np.exp(-a)), b), tr.BCEWithLogitsLoss()(a, b), 1e-9)
    with pytest.raises(ValueError, match="reduction"):
        tr.MSELoss("median")
    with pytest.raises(ValueError, match="shape"):
        tr.CrossEntropyLoss()(x, q[:, :3])

    class Mine(tr.Loss):
        def forward(self, y_pred, y_true):
            return em.sum(y_pred * y_true)

    same(Mine()(a, em.asarray(b)), a @ b)


# ---- GradientTape ----
def test_a_tape_gives_gradients(engine):
    x, w = em.asarray([1.0, 2.0, 3.0], dtype=F64), parameter([0.5, 1.0, 2.0])
    with tr.GradientTape() as tape:
        tape.watch(x)
        y = em.sum(x * x * w)
    dx, dw, nothing = tape.gradient(y, [x, w, em.ones(2)])
    same(dx, [1, 4, 12]), same(dw, [1, 4, 9])
    assert nothing is None and not x.requires_grad
    with pytest.raises(RuntimeError, match="persistent"):
        tape.gradient(y, x)
    with tr.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, em.sum(x)
    same(tape.gradient(y, x), [2, 4, 6]), same(tape.gradient(z, {"x": x})["x"], [1, 1, 1])
    same(tape.jacobian(y, x), np.diag([2, 4, 6]))
    same(tape.gradient(y, w, unconnected_gradients="zero"), np.zeros(3))


def test_tapes_inside_each_other():
    x = em.asarray([1.0, 2.0], dtype=F64)
    with tr.GradientTape() as outer:
        outer.watch(x)
        with tr.GradientTape() as inner:
            inner.watch(x)
            y = em.sum(x**3)
        first = inner.gradient(y, x)
    same(first, [3, 12]), same(outer.gradient(first, x), [6, 12])
    m = em.asarray(rng.normal(size=(3, 2)), dtype=F64)
    with tr.GradientTape() as tape:
        tape.watch(m)
        y = m * m
    same(tape.batch_jacobian(y, m), np.stack([np.diag(2 * r) for r in np.asarray(m)]))
    with tr.GradientTape(watch_accessed_variables=False) as tape:
        p = parameter([1.0])
        y = em.sum(p * 2)
    assert tape.gradient(y, p) is None


def test_a_hebbian_layer_learns_what_goes_together():
    layer = tr.HebbianLayer(3, 2, eta=0.5)
    before, x, y = (
        np.asarray(layer.get_weights()),
        rng.normal(size=(4, 3)).astype("f4"),
        rng.normal(size=(4, 2)).astype("f4"),
    )
    same(layer(em.asarray(x)), x @ before.T, 1e-6)
    layer.hebbian_update(em.asarray(x), em.asarray(y))
    same(layer.get_weights(), before + 0.5 * y.T @ x / 4, 1e-5)
    assert (
        set(layer.get_weight_stats()) == {"mean", "std", "min", "max"}
        and "weights" in layer.state_dict()
    )


def test_ember_ml_import_paths():
    from ember_ml.training.hebbian.hebbian import HebbianLayer
    from ember_ml.training.loss import CrossEntropyLoss, Loss, MSELoss
    from ember_ml.training.loss.base import Loss as also
    from ember_ml.training.metrics.classification import classification_metrics, roc_auc
    from ember_ml.training.metrics.regression import regression_metrics
    from ember_ml.training.optimizer.adam import Adam
    from ember_ml.training.optimizer.gradient_tape import GradientTape
    from ember_ml.training.optimizer.sgd import SGD

    assert (
        also is Loss
        and issubclass(MSELoss, Loss)
        and SGD is tr.SGD
        and issubclass(Adam, tr.Optimizer)
    )
    assert all(tr.__all__.count(n) == 1 and hasattr(tr, n) for n in tr.__all__)
