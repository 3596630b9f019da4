"""Training loops: by hand, with loaders of every kind, with arrays, with layers that are built
on their first input."""

import copy
import pickle
import random
import warnings
from collections import namedtuple

import numpy as np
import pytest

import ember_ml as em
from ember_ml import datasets, nn, training as tr
from ember_ml.nn.modules import (
    LTC,
    NCP,
    AutoNCP,
    BatchNormalization,
    CfC,
    FullyConnectedMap,
    NCPMap,
)


# ---- Training by hand ----
def test_descent_by_hand_keeps_the_leaf(engine):
    x, y = np.random.default_rng(0).normal(size=(30, 3)), np.random.default_rng(1).normal(size=30)
    w, expected = em.Tensor(np.zeros(3), requires_grad=True), np.zeros(3)
    for _ in range(20):
        em.mean((em.asarray(x) @ w - em.asarray(y)) ** 2).backward()
        np.testing.assert_allclose(
            np.asarray(w.grad), 2 * x.T @ (x @ expected - y) / 30, atol=1e-12
        )
        with em.no_grad():
            w -= 0.1 * w.grad
        assert w.requires_grad and w.is_leaf
        w.grad.zero_()
        expected = expected - 0.1 * 2 * x.T @ (x @ expected - y) / 30
        np.testing.assert_allclose(np.asarray(w), expected, atol=1e-12)


@pytest.mark.parametrize("make", [lambda v: em.Tensor(v, requires_grad=True), em.Parameter])
def test_gradients_stay_until_they_are_cleared(make):
    w = make(np.array([1.0, 2.0]))
    em.sum(w * w).backward()
    with em.no_grad():
        w -= w.grad
    assert w.tolist() == [-1, -2] and w.grad.tolist() == [2, 4]
    em.sum(w * w).backward()  # accumulates, as in PyTorch
    assert w.grad.tolist() == [0, 0]
    w.grad = None
    assert w.grad is None
    w.data = w.data - 1
    assert w.requires_grad and w.is_leaf and w.tolist() == [-2, -3]
    w.data -= 1
    em.sum(w).backward()
    assert w.tolist() == [-3, -4] and w.grad.tolist() == [1, 1]
    w.data[0] = 7.0  # like p.data.fill_(v) in torch programs
    w.data.zero_()
    assert w.tolist() == [0, 0] and w.requires_grad and w.grad.tolist() == [1, 1]
    w.data[1] = 2.0
    assert w.tolist() == [0, 2]
    kept = w.grad
    w.grad += 1
    assert w.grad.tolist() == [2, 2] and kept.tolist() == [1, 1]


def test_a_tensor_changed_without_no_grad_is_part_of_the_graph():
    w = em.Tensor([1.0, 2.0], requires_grad=True)
    y = w * 1.0
    y += w
    em.sum(y).backward()
    assert w.grad.tolist() == [2, 2]


# ---- Passes over a loader ----
def counting_loader(n=10, **options):
    return tr.DataLoader(tr.TensorDataset(em.arange(n)), **{"batch_size": 4, **options})


def batches_of(loader):
    return [b[0].tolist() for b in loader]


@pytest.mark.parametrize("workers", [0, 2])
def test_each_pass_is_a_whole_epoch(workers):
    loader = counting_loader(num_workers=workers)
    assert next(iter(loader))[0].tolist() == [0, 1, 2, 3]
    assert batches_of(loader) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]] == batches_of(loader)
    shuffled = counting_loader(shuffle=True, seed=3, num_workers=workers)
    first, second = (next(iter(shuffled))[0].tolist() for _ in range(2))
    assert first == shuffled.order(0)[:4] and second == shuffled.order(1)[:4] != first
    assert sorted(sum(batches_of(shuffled), [])) == list(range(10))


@pytest.mark.parametrize("workers", [0, 2])
def test_passes_side_by_side_do_not_disturb_each_other(workers):
    loader = counting_loader(num_workers=workers)
    a, b = iter(loader), iter(loader)
    assert [next(a)[0].tolist(), next(b)[0].tolist(), next(a)[0].tolist(), next(b)[0].tolist()] == [
        [0, 1, 2, 3]
    ] * 2 + [[4, 5, 6, 7]] * 2
    assert list(b) and next(a)[0].tolist() == [8, 9] and list(a) == []


@pytest.mark.parametrize("workers", [0, 2])
def test_a_loop_by_hand_is_resumed_where_it_was_saved(workers):
    loader = counting_loader(shuffle=True, seed=1, num_workers=workers)
    expected = [b for _ in range(2) for b in batches_of(loader)]
    again, got = counting_loader(shuffle=True, seed=1, num_workers=workers), []
    for b in again:
        got.append(b[0].tolist())
        if len(got) == 2:
            state = again.state_dict()
            break
    other = counting_loader(shuffle=True, seed=1, num_workers=workers)
    other.load_state_dict(state)
    assert got + batches_of(other) + batches_of(other) == expected


# ---- Examples of any form ----
Pair = namedtuple("Pair", "a b")


def test_batches_have_the_form_of_the_examples(engine):
    data = [
        {"x": np.full(2, i, "f4"), "more": (i, [em.asarray(i * 2.0), f"name {i}"])}
        for i in range(5)
    ]
    batches = list(tr.DataLoader(data, 3))
    assert batches[0]["x"].shape == (3, 2) and batches[0]["more"][0].tolist() == [0, 1, 2]
    assert batches[1]["more"][1][0].tolist() == [6, 8] and batches[1]["more"][1][1] == [
        "name 3",
        "name 4",
    ]
    pair = next(iter(tr.DataLoader([Pair(1, 2.0), Pair(3, 4.0)], 2)))
    assert isinstance(pair, Pair) and pair.a.tolist() == [1, 3] and pair.b.tolist() == [2, 4]
    assert next(iter(tr.DataLoader([1.0, 2.0], 2))).tolist() == [
        1,
        2,
    ]  # not a tuple with one member
    with pytest.raises(ValueError, match="example 1 has a different structure"):
        next(iter(tr.DataLoader([{"a": 1}, {"b": 1}], 2)))
    with pytest.raises(ValueError, match="nested"):
        deep = 1
        for _ in range(100):
            deep = (deep,)
        next(iter(tr.DataLoader([deep], 1)))


@pytest.mark.parametrize("workers", [0, 2])
def test_collate_fn_makes_the_batch(workers):
    def padded(examples):
        longest = max(len(e) for e in examples)
        return {
            "ids": np.array([e + [0] * (longest - len(e)) for e in examples]),
            "lengths": [em.asarray(len(e)) for e in examples],
        }

    loader = tr.DataLoader([[1], [2, 3], [4, 5, 6]], 2, collate_fn=padded, num_workers=workers)
    first, second = loader
    assert first["ids"].tolist() == [[1, 0], [2, 3]] and [int(n) for n in first["lengths"]] == [
        1,
        2,
    ]
    assert second["ids"].tolist() == [[4, 5, 6]]
    rows = tr.DataLoader(
        tr.TensorDataset(em.arange(4)), 2, collate_fn=lambda e: em.stack([x for (x,) in e]) * 10
    )
    assert [b.tolist() for b in rows] == [[0, 10], [20, 30]]


# ---- Samplers and splits ----
def test_samplers():
    data = list(range(10))
    assert list(tr.SequentialSampler(data)) == data and len(tr.RandomSampler(data)) == 10
    one, two = list(tr.RandomSampler(data, seed=1)), list(tr.RandomSampler(data, seed=2))
    assert sorted(one) == sorted(two) == data and one != two
    sampler = tr.RandomSampler(data, seed=1)
    assert list(sampler) == one == sampler.order(0) and list(sampler) == sampler.order(1) != one
    drawn = tr.RandomSampler(data, replacement=True, num_samples=500, seed=4).order(0)
    assert len(drawn) == 500 and set(drawn) == set(data)
    assert sorted(tr.SubsetRandomSampler([3, 5, 7]).order(2)) == [3, 5, 7]
    assert list(tr.BatchSampler(tr.SequentialSampler(data), 4)) == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]
    assert (
        len(tr.BatchSampler(tr.SequentialSampler(data), 4, drop_last=True))
        == 2
        == len(list(tr.BatchSampler(range(10), 4, True)))
    )


def test_weighted_samples_follow_their_weights():
    counts = np.bincount(
        tr.WeightedRandomSampler([0.0, 1.0, 3.0, 0.0], 4000, seed=5).order(0), minlength=4
    )
    assert counts[0] == counts[3] == 0 and abs(counts[2] / 4000 - 0.75) < 0.03
    alone = tr.WeightedRandomSampler([1.0, 0.0, 1.0, 5.0], 3, replacement=False)
    assert all(sorted(alone.order(e)) == [0, 2, 3] for e in range(5))
    first = [
        tr.WeightedRandomSampler([1.0, 1.0, 8.0], 1, replacement=False).order(e)[0]
        for e in range(300)
    ]
    assert abs(first.count(2) / 300 - 0.8) < 0.1
    for weights, n in (([0.0], 1), ([-1.0, 2.0], 1), ([[1.0]], 1), ([np.nan], 1)):
        with pytest.raises(ValueError, match="weights"):
            tr.WeightedRandomSampler(weights, n)
    with pytest.raises(ValueError, match="without replacement"):
        tr.WeightedRandomSampler([1.0, 0.0], 2, replacement=False)


@pytest.mark.parametrize("workers", [0, 2])
def test_loaders_take_samplers(workers):
    data = tr.TensorDataset(em.arange(10))
    assert batches_of(tr.DataLoader(data, 4, sampler=[9, 1, 1, 5, 0], num_workers=workers)) == [
        [9, 1, 1, 5],
        [0],
    ]
    assert batches_of(
        tr.DataLoader(data, batch_sampler=[[1], [2, 3], [4, 5, 6]], num_workers=workers)
    ) == [[1], [2, 3], [4, 5, 6]]
    loader = tr.DataLoader(data, 4, sampler=tr.RandomSampler(data, seed=2), num_workers=workers)
    assert len(loader) == 3 and sum(batches_of(loader), []) == tr.RandomSampler(data, seed=2).order(
        0
    )
    with pytest.raises(ValueError, match="cannot be combined"):
        tr.DataLoader(data, shuffle=True, sampler=[1])
    with pytest.raises(IndexError, match="10 of 10"):
        tr.DataLoader(data, sampler=[10])


def test_a_foreign_sampler_is_resumed_with_the_order_it_gave():
    class Foreign:
        def __init__(self, seed):
            self.random = random.Random(seed)

        def __iter__(self):
            return iter(self.random.sample(range(10), 10))

        def __len__(self):
            return 10

    data = tr.TensorDataset(em.arange(10))
    loader, other = (tr.DataLoader(data, 3, sampler=Foreign(seed)) for seed in (1, 2))
    batches = iter(loader)
    next(batches)
    other.load_state_dict(loader.state_dict())
    assert batches_of(other) == [b[0].tolist() for b in batches]


def test_subsets_and_concatenated_datasets():
    data = tr.TensorDataset(em.arange(10), em.arange(10) * 2)
    part = tr.Subset(data, [7, 2, -1])
    assert len(part) == 3 and [int(v) for v in part[1]] == [2, 4] and part.indices == [7, 2, 9]
    assert [b[1].tolist() for b in tr.DataLoader(part, 2)] == [[14, 4], [18]]
    names = tr.Subset([{"n": "a"}, {"n": "b"}], [1])
    assert names[0] == {"n": "b"} and list(tr.DataLoader(names, 1)) == [{"n": ["b"]}]
    with pytest.raises(IndexError):
        tr.Subset(data, [10])
    for lengths in ([6, 3, 1], [0.6, 0.3, 0.1]):
        parts = tr.random_split(data, lengths, seed=1)
        assert [len(p) for p in parts] == [6, 3, 1]
        assert sorted(i for p in parts for i in p.indices) == list(range(10))
    assert (
        tr.random_split(data, [5, 5], seed=1)[0].indices
        != tr.random_split(data, [5, 5], seed=2)[0].indices
    )
    with pytest.raises(ValueError, match="sum"):
        tr.random_split(data, [5, 6])
    both = tr.ConcatDataset([[1, 2], data, [3]])
    assert (
        len(both) == 13 and both[1] == 2 and both[-1] == 3 and [int(v) for v in both[4]] == [2, 4]
    )
    with pytest.raises(IndexError):
        both[13]


def test_iterable_datasets():
    class Stream(tr.IterableDataset):
        def __iter__(self):
            return ((float(i), i) for i in range(5))

    loader = tr.DataLoader(Stream(), 2)
    for _ in range(2):
        assert [b[1].tolist() for b in loader] == [[0, 1], [2, 3], [4]]
    assert len(list(tr.DataLoader(Stream(), 2, drop_last=True))) == 2
    with pytest.raises(TypeError, match="length"):
        len(loader)
    with pytest.raises(ValueError, match="shuffle"):
        tr.DataLoader(Stream(), shuffle=True)
    net = nn.Linear(1, 1)
    with pytest.raises(ValueError, match="IterableDataset"):
        tr.Trainer(net, tr.SGD(net.parameters()), tr.MSELoss()).fit(loader)


# ---- Warnings ----
def test_a_loss_whose_shapes_broadcast_warns_once_per_line():
    p, t = em.ones((4, 1)), em.ones(4)
    losses = [
        tr.MSELoss(),
        tr.L1Loss(),
        tr.HuberLoss(),
        tr.SmoothL1Loss(),
        tr.BCELoss(),
        tr.BCEWithLogitsLoss(),
        em.ops.mse_loss,
    ]
    for loss in losses:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(3):
                loss(p, t)
        assert (
            len(caught) == 1
            and caught[0].filename == __file__
            and "[4, 1]" in str(caught[0].message)
        ), loss
        assert issubclass(caught[0].category, UserWarning)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loss(p, t[:, None]), loss(t, t)
            with pytest.raises(UserWarning):
                loss(p, t)


# ---- Built-in datasets ----
def test_datasets(engine):
    digits = datasets.load_digits()
    assert (
        digits.data.shape == (1797, 64)
        and digits.images.shape == (1797, 8, 8)
        and sorted(set(digits.target.tolist())) == list(range(10))
    )
    assert (
        float(em.max(digits.data)) == 16
        and datasets.load_digits(return_X_y=True)[1].dtype == em.int64
    )
    assert datasets.load_text().count("Alice") > 300
    with pytest.raises(ValueError, match="alice"):
        datasets.load_text("bob")
    x, y = datasets.make_circles(200, factor=0.5, seed=1)
    np.testing.assert_allclose(
        np.hypot(*np.asarray(x).T), np.where(np.asarray(y) == 0, 1, 0.5), atol=1e-6
    )
    x, y = (np.asarray(t) for t in datasets.make_moons(100, seed=1))
    np.testing.assert_allclose(np.hypot(*(x[y == 0]).T), 1, atol=1e-6)
    np.testing.assert_allclose(np.hypot(x[y == 1, 0] - 1, x[y == 1, 1] - 0.5), 1, atol=1e-6)
    x, y = (
        np.asarray(t)
        for t in datasets.make_blobs(3000, centers=[[0, 0], [10, 0]], cluster_std=[1, 2], seed=1)
    )
    np.testing.assert_allclose([x[y == k].mean(0) for k in (0, 1)], [[0, 0], [10, 0]], atol=0.2)
    np.testing.assert_allclose([x[y == k].std() for k in (0, 1)], [1, 5], atol=4)
    x, y, w = (
        np.asarray(t, "f8")
        for t in datasets.make_regression(50, 5, n_informative=3, coef=True, bias=2.0, seed=3)
    )
    np.testing.assert_allclose(y, x @ w + 2, rtol=1e-4, atol=1e-2)
    assert np.count_nonzero(w) == 3
    x, y = datasets.make_classification(
        400, 6, n_classes=3, class_sep=3.0, n_informative=3, flip_y=0, seed=2
    )
    assert x.shape == (400, 6) and sorted(set(y.tolist())) == [0, 1, 2]
    a, b, c = (datasets.make_moons(20, noise=0.1, random_state=s)[0].tolist() for s in (1, 1, 2))
    assert a == b != c
    with pytest.raises(TypeError, match="the same argument"):
        datasets.make_moons(seed=1, random_state=1)


# ---- Arrays in fit ----
def points(n=120):
    x, y = datasets.make_moons(n, noise=0.1, seed=1)
    return np.asarray(x, "f8"), np.asarray(y)


def classifier():
    em.random.seed(3)
    return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))


def test_fit_takes_arrays(engine):
    x, y = points()
    net = classifier()
    trainer = tr.Trainer(
        net, tr.Adam(net.parameters(), lr=0.03), nn.CrossEntropyLoss(), metrics=[tr.Accuracy()]
    )
    history = trainer.fit(x, y, epochs=30, batch_size=16, validation_split=0.25, seed=5)
    assert (
        history["val_accuracy"][-1] > 0.9
        and len(history["loss"]) == 30
        and next(net.parameters()).dtype == em.float32
    )
    assert trainer.predict(x).shape == (120, 2) and trainer.predict(x, batch_size=50).shape == (
        120,
        2,
    )
    np.testing.assert_allclose(
        np.asarray(trainer.predict(x, batch_size=50)),
        np.asarray(trainer.predict(x)),
        rtol=1e-5,
        atol=1e-5,
    )
    other = classifier()
    again = tr.Trainer(
        other, tr.Adam(other.parameters(), lr=0.03), nn.CrossEntropyLoss(), metrics=[tr.Accuracy()]
    )
    loader = tr.DataLoader(
        tr.TensorDataset(em.asarray(x[:90], dtype="float32"), y[:90]), 16, shuffle=True, seed=5
    )
    assert again.fit(loader, 30)["loss"] == history["loss"]  # the same batches
    assert trainer.evaluate(x[90:], y[90:])["accuracy"] == history["val_accuracy"][-1]


def test_fit_s_arguments():
    x, y = points()
    net = classifier()
    trainer = tr.Trainer(net, tr.SGD(net.parameters(), lr=0.1), nn.CrossEntropyLoss())
    assert "val_loss" in trainer.fit(x, y, validation_data=(x[:8], y[:8]))
    assert "val_loss" in trainer.fit(
        em.asarray(x), em.asarray(y), validation=trainer._loader(x, y, 8, False, 0)
    )
    trainer.fit([(x[i].astype("f4"), y[i]) for i in range(8)], epochs=2)  # a dataset
    loader = trainer._loader(x, y, 8, False, 0)
    for wrong in (
        lambda: trainer.fit(loader, y),
        lambda: trainer.fit(loader, batch_size=3),
        lambda: trainer.fit(x, y, validation_split=1.5),
        lambda: trainer.fit(x, y, validation_split=0.5, validation_data=(x, y)),
        lambda: trainer.fit(loader, validation_split=0.5),
        lambda: trainer.fit(loader, validation=loader, validation_data=loader),
        lambda: trainer.fit(x[:1], y[:1], validation_split=0.5),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        trainer.fit(x, y, epoch=3)


def test_verbose_says_how_it_goes(capsys):
    x, y = points(32)
    net = classifier()
    tr.Trainer(net, tr.SGD(net.parameters(), lr=0.1), nn.CrossEntropyLoss()).fit(
        x, y, epochs=2, verbose=1
    )
    assert "loss" in capsys.readouterr().err


def test_class_weights_in_fit():
    x, y = points(60)
    net = nn.Linear(2, 2).to(em.float64)
    net.weight.data, net.bias.data = np.array([[1.0, 2], [0.5, -1]]), np.array([0.1, 0.2])
    scores = x @ np.asarray(net.weight).T + np.asarray(net.bias)
    each = np.log(np.exp(scores).sum(1)) - scores[np.arange(60), y]
    trainer = tr.Trainer(net, tr.SGD(net.parameters(), lr=0.0), nn.CrossEntropyLoss())
    history = trainer.fit(
        x, y, batch_size=60, class_weight={0: 0.5, 1: 3.0}, validation_data=(x, y)
    )
    assert history["loss"][0] == pytest.approx((each * np.where(y == 0, 0.5, 3)).mean(), rel=1e-6)
    assert (
        history["val_loss"][0]
        == pytest.approx(each.mean(), rel=1e-6)
        == trainer.evaluate(x, y)["loss"]
    )
    assert trainer.fit(x, y, batch_size=60)["loss"][-1] == pytest.approx(each.mean(), rel=1e-6)
    assert trainer.fit(x, y, batch_size=60, class_weight={0: 2.0})["loss"][-1] == pytest.approx(
        (each * np.where(y == 0, 2, 1)).mean(), rel=1e-6
    )
    with pytest.raises(ValueError, match="class_weight needs a loss"):
        tr.Trainer(net, tr.SGD(net.parameters()), lambda p, t: em.mean(p)).fit(
            x, y, class_weight={0: 1.0}
        )


# ---- Layers that are built on their first input ----
class Lazy(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer, self.out = layer, nn.Linear(2, 1)

    def forward(self, x):
        return self.out(self.layer(x))


LAZY = {
    "CfC": lambda: CfC(FullyConnectedMap(6, 2)),
    "LTC": lambda: LTC(FullyConnectedMap(6, 2), return_sequences=False),
    "CfC mixed": lambda: CfC(NCPMap(3, 3, 2), mixed_memory=True),
    "NCP": lambda: NCP(NCPMap(3, 3, 2)),
    "AutoNCP": lambda: AutoNCP(8, 2),
    "BatchNormalization": lambda: nn.Sequential(nn.Linear(3, 2), BatchNormalization()),
}


@pytest.mark.parametrize("name", LAZY)
def test_an_optimizer_gets_the_parameters_of_layers_that_are_built_later(engine, name):
    em.random.seed(2)
    net = Lazy(LAZY[name]())
    x = em.asarray(
        np.random.default_rng(0).normal(
            size=(8, 3) if "NCP" in name or "Batch" in name else (8, 5, 3)
        ),
        dtype="float32",
    )
    y = em.asarray(np.linspace(-1, 1, 8).reshape(8, 1), dtype="float32")
    optimizer = tr.Adam(net.parameters(), lr=0.05)  # before the first call
    copied = pickle.loads(pickle.dumps(copy.deepcopy(net)))  # the copy is not built either
    copies = tr.Adam([{"params": list(copied.parameters())}], lr=0.05)
    net(x), copied(x)
    for model, o in ((net, optimizer), (copied, copies)):
        before = {k: np.array(v) for k, v in model.state_dict().items()}
        for _ in range(3):
            loss = tr.MSELoss()(model(x), y)
            loss.backward()
            with_gradient = {k for k, p in model.named_parameters() if p.grad is not None}
            o.step(loss)
        moved = {k for k, v in model.named_parameters() if (np.array(v) != before[k]).any()}
        # A single NCP step reads no input except its bias: that gradient is 0.
        assert (
            moved == with_gradient - ({"layer.kernel"} if "NCP" in name else set())
            and len(moved) > 2
        )
        assert len(o.parameters()) == len(list(model.parameters()))
        assert "uninitialized" not in " ".join(k for k, _ in model.named_parameters())


def test_what_was_asked_of_an_unbuilt_layer_holds_for_it_when_it_is_built():
    layer = CfC(FullyConnectedMap(4, 2)).to(em.float64).freeze()
    assert not layer.built and layer(np.ones((2, 3, 5))).dtype == em.float64
    assert layer.built and {(p.dtype, p.requires_grad) for p in layer.parameters()} == {
        (em.float64, False)
    }


@pytest.mark.parametrize("name", LAZY)
def test_a_saved_state_builds_an_unbuilt_layer(name, tmp_path):
    x = em.asarray(
        np.random.default_rng(0).normal(
            size=(8, 3) if "NCP" in name or "Batch" in name else (8, 5, 3)
        ),
        dtype="float32",
    )
    net, other = Lazy(LAZY[name]()), Lazy(LAZY[name]())
    y = net.eval()(x)
    net.save(tmp_path / "net.safetensors")
    other.load(tmp_path / "net.safetensors")
    np.testing.assert_array_equal(np.asarray(other.eval()(x)), np.asarray(y))


def test_optimizers_without_parameters():
    with pytest.raises(ValueError, match="no parameters to optimize"):
        tr.SGD([])
    with pytest.raises(ValueError, match="no parameters to optimize"):
        tr.Adam(nn.ReLU().parameters())
    with pytest.raises(RuntimeError, match="has no parameters"):
        tr.SGD(learning_rate=0.1).step()
    net = nn.Linear(2, 1)
    with pytest.raises(TypeError, match="two values for 'lr'"):
        tr.SGD(net.parameters(), learning_rate=0.1, lr=0.2)
    with pytest.raises(TypeError, match="two values for 'lr'"):
        tr.SGD(net.parameters(), 0.1, lr=0.2)
    w, b = np.array(net.weight), np.array(net.bias)
    # (gradient, parameter) pairs, as in Ember ML.
    assert tr.SGD(net.parameters(), lr=0.1).step([em.full((1, 2), -18.0), em.full((1,), -6.0)])
    np.testing.assert_allclose(np.asarray(net.weight), w + 1.8, rtol=1e-5)
    np.testing.assert_allclose(np.asarray(net.bias), b + 0.6, rtol=1e-5)


def test_gradients_are_applied_in_pairs(engine):
    net = nn.Linear(2, 1).to(em.float64)
    w, b = np.array(net.weight), np.array(net.bias)
    optimizer = tr.SGD(learning_rate=0.1, momentum=0.5)
    assert (optimizer.learning_rate, optimizer.lr, optimizer.momentum) == (0.1, 0.1, 0.5)
    gw, gb = np.array([[1.0, -2.0]]), np.array([3.0])
    optimizer.apply_gradients(zip([em.asarray(gw), em.asarray(gb)], net.trainable_variables))
    optimizer.apply_gradients([(gw, net.weight), (None, net.bias)])
    np.testing.assert_allclose(np.asarray(net.weight), w - 0.1 * gw - 0.1 * 1.5 * gw, atol=1e-12)
    np.testing.assert_allclose(np.asarray(net.bias), b - 0.1 * gb, atol=1e-12)
    with pytest.raises(ValueError, match="gradient of shape"):
        optimizer.apply_gradients([(gb, net.weight)])
    with pytest.raises(TypeError, match="pairs"):
        optimizer.apply_gradients([gb])
    adam = tr.Adam(learning_rate=0.01, beta_1=0.8, epsilon=1e-6)
    assert (adam.beta_1, adam.beta_2, adam.epsilon, adam.weight_decay) == (0.8, 0.999, 1e-6, 0.0)
    adam.learning_rate = 0.5
    assert adam.lr == 0.5
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        adam.nonsense
    em.sum(net.weight * 2.0).backward()  # not applied by the other optimizer's step
    adam.apply_gradients([(gb, net.bias)])
    assert net.weight.grad.tolist() == [[2, 2]]


def test_optimizers_take_plain_tensors(engine):
    """`SGD([w, b])`: leaves that require gradients, as in torch.optim."""
    x = em.linspace(-1, 1, 20)
    y = 3 * x - 1
    w, b = em.zeros(1), em.zeros(1)
    w.requires_grad = b.requires_grad = True
    optimizer = tr.SGD([w, b], lr=0.5, momentum=0.5)
    for _ in range(40):
        optimizer.zero_grad()
        assert w.grad is None
        loss = em.mean((w * x + b - y) ** 2)
        loss.backward()
        optimizer.step()
        assert w.requires_grad and w.is_leaf
    np.testing.assert_allclose(np.asarray(w.detach()), [3], atol=1e-3)
    np.testing.assert_allclose(np.asarray(b.detach()), [-1], atol=1e-3)


def test_plain_tensors_and_parameters_together():
    net, scale = nn.Linear(2, 1), em.Tensor([2.0], requires_grad=True)
    optimizer = tr.SGD([{"params": net.parameters()}, {"params": [scale], "lr": 0.1}], lr=0.0)
    offset = em.Tensor([1.0], requires_grad=True)
    optimizer.add_param_group({"params": offset, "lr": 1.0})
    before = net.weight.tolist()
    (scale * 3 + offset).sum().backward()
    with em.no_grad():
        scale += 1  # changes between steps are not lost
    optimizer.step()
    assert net.weight.tolist() == before
    assert scale.tolist() == pytest.approx([2.7]) and offset.tolist() == [0]
    (scale * 3 + offset).sum().backward()
    assert tr.clip_grad_norm_([scale, offset], 1.0).item() == pytest.approx(10**0.5, rel=1e-4)
    assert scale.grad.tolist() == pytest.approx([3 / 10**0.5], rel=1e-3)


def test_optimizers_refuse_tensors_that_are_no_leaves():
    x = em.Tensor([1.0], requires_grad=True)
    for wrong in (em.ones(2), x * 2):
        with pytest.raises(
            ValueError, match="require gradients and are computed from nothing that does"
        ):
            tr.SGD([wrong], lr=0.1)
    with pytest.raises(TypeError, match="takes Parameters"):
        tr.SGD([3.0], lr=0.1)


def test_validation_split_holds_out_the_last_part():
    x, y = points()
    for fraction, kept in ((0.25, 7), (0.5, 5), (0.9, 1)):
        before, _, (held, target) = tr.trainer._split(x[:10], y[:10], fraction)
        assert before.shape[0] == kept and held.shape[0] == target.shape[0] == 10 - kept
        np.testing.assert_array_equal(np.asarray(held), x[kept:10])
