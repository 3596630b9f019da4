"""Losses as modules, compared with the published formulas in float64; their gradients, compared
with finite differences."""

import numpy as np
import pytest
from scipy.special import log_softmax

import ember_ml as em
from ember_ml import nn

rng = np.random.default_rng(8)
N, C = 7, 4
X, LABELS = rng.normal(size=(N, C)), rng.integers(0, C, N)
A, B, D = rng.normal(size=(N, C)), rng.normal(size=(N, C)), rng.normal(size=(N, C))
P, Q = rng.random((N, C)) * 0.9 + 0.05, rng.random((N, C)) * 0.9 + 0.05
SIGN, W, COUNTS = (
    rng.choice([-1, 1], N),
    rng.random(C) + 0.5,
    rng.integers(0, 6, (N, C)).astype("f8"),
)
SEVERAL = np.array(
    [
        [2, 0, -1, 3],
        [1, -1, -1, -1],
        [-1, 2, 1, 0],
        [3, 2, 1, 0],
        [0, -1, 1, -1],
        [1, 3, 0, -1],
        [2, -1, 3, 3],
    ]
)
LOG_P = log_softmax(X, axis=1)


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def huber(d, delta):
    return np.where(np.abs(d) <= delta, d * d / 2, delta * (np.abs(d) - delta / 2))


def norm(x, p=2):
    return (np.abs(x) ** p).sum(-1) ** (1 / p)


def cosine(a, b):
    return (a * b).sum(1) / np.sqrt(((a * a).sum(1) + 1e-12) * ((b * b).sum(1) + 1e-12))


def stirling(t):
    many = np.where(t > 1, t, 1)
    return np.where(t > 1, many * np.log(many) - many + 0.5 * np.log(2 * np.pi * many), 0)


def multi_margin(p, weight):
    r = np.zeros(N)
    for n in range(N):
        for i in range(C):
            if i != LABELS[n]:
                r[n] += weight[LABELS[n]] * max(0, 0.8 - X[n, LABELS[n]] + X[n, i]) ** p / C
    return r


def multilabel_margin():
    r = np.zeros(N)
    for n in range(N):
        wanted = []
        for k in SEVERAL[n]:
            if k < 0:
                break
            wanted.append(k)
        r[n] = (
            sum(
                max(0, 1 - (X[n, j] - X[n, i])) for j in wanted for i in range(C) if i not in wanted
            )
            / C
        )
    return r


ONE = np.ones(C)
CASES = {  # the loss without its reduction, its arguments, its value per example
    "MSE": (nn.MSELoss, {}, (A, B), (A - B) ** 2),
    "L1": (nn.L1Loss, {}, (A, B), np.abs(A - B)),
    "Huber": (nn.HuberLoss, {"delta": 0.7}, (A, B), huber(A - B, 0.7)),
    "Huber inf": (nn.HuberLoss, {"delta": np.inf}, (A, B), (A - B) ** 2 / 2),
    "SmoothL1": (nn.SmoothL1Loss, {"beta": 0.6}, (A, B), huber(A - B, 0.6) / 0.6),
    "SmoothL1 0": (nn.SmoothL1Loss, {"beta": 0.0}, (A, B), np.abs(A - B)),
    "BCE": (nn.BCELoss, {}, (P, Q), -(Q * np.log(P) + (1 - Q) * np.log(1 - P))),
    "BCE weight": (
        nn.BCELoss,
        {"weight": W},
        (P, Q),
        -W * (Q * np.log(P) + (1 - Q) * np.log(1 - P)),
    ),
    "BCEWithLogits": (nn.BCEWithLogitsLoss, {}, (X, Q), softplus(X) - X * Q),
    "BCEWithLogits pos": (
        nn.BCEWithLogitsLoss,
        {"pos_weight": W * 3, "weight": W},
        (X, Q),
        W * (3 * W * Q * softplus(-X) + (1 - Q) * softplus(X)),
    ),
    "KLDiv": (nn.KLDivLoss, {}, (LOG_P, Q), Q * (np.log(Q) - LOG_P)),
    "KLDiv log": (nn.KLDivLoss, {"log_target": True}, (LOG_P, np.log(Q)), Q * (np.log(Q) - LOG_P)),
    "PoissonNLL": (nn.PoissonNLLLoss, {}, (X, COUNTS), np.exp(X) - COUNTS * X),
    "PoissonNLL full": (
        nn.PoissonNLLLoss,
        {"log_input": False, "full": True},
        (P, COUNTS),
        P - COUNTS * np.log(P + 1e-8) + stirling(COUNTS),
    ),
    "GaussianNLL": (nn.GaussianNLLLoss, {}, (A, B, P), 0.5 * (np.log(P) + (A - B) ** 2 / P)),
    "GaussianNLL full": (
        nn.GaussianNLLLoss,
        {"full": True, "eps": 0.5},
        (A, B, P),
        0.5 * (np.log(np.maximum(P, 0.5)) + (A - B) ** 2 / np.maximum(P, 0.5) + np.log(2 * np.pi)),
    ),
    "MarginRanking": (
        nn.MarginRankingLoss,
        {"margin": 0.3},
        (A[:, 0], B[:, 0], SIGN),
        np.maximum(0, -SIGN * (A[:, 0] - B[:, 0]) + 0.3),
    ),
    "HingeEmbedding": (
        nn.HingeEmbeddingLoss,
        {},
        (A[:, 0], SIGN),
        np.where(SIGN == 1, A[:, 0], np.maximum(0, 1 - A[:, 0])),
    ),
    "SoftMargin": (nn.SoftMarginLoss, {}, (A[:, 0], SIGN), np.log1p(np.exp(-SIGN * A[:, 0]))),
    "CosineEmbedding": (
        nn.CosineEmbeddingLoss,
        {"margin": 0.1},
        (A, B, SIGN),
        np.where(SIGN == 1, 1 - cosine(A, B), np.maximum(0, cosine(A, B) - 0.1)),
    ),
    "TripletMargin": (
        nn.TripletMarginLoss,
        {},
        (A, B, D),
        np.maximum(0, norm(A - B + 1e-6) - norm(A - D + 1e-6) + 1),
    ),
    "TripletMargin swap": (
        nn.TripletMarginLoss,
        {"swap": True, "p": 3.0, "margin": 2.0},
        (A, B, D),
        np.maximum(
            0, norm(A - B + 1e-6, 3) - np.minimum(norm(A - D + 1e-6, 3), norm(B - D + 1e-6, 3)) + 2
        ),
    ),
    "TripletMarginWithDistance": (
        nn.TripletMarginWithDistanceLoss,
        {"distance_function": lambda a, b: em.sum(em.abs(a - b), axis=-1), "swap": True},
        (A, B, D),
        np.maximum(0, norm(A - B, 1) - np.minimum(norm(A - D, 1), norm(B - D, 1)) + 1),
    ),
    "MultiMargin": (nn.MultiMarginLoss, {"margin": 0.8}, (X, LABELS), multi_margin(1, ONE)),
    "MultiMargin 2": (
        nn.MultiMarginLoss,
        {"margin": 0.8, "p": 2, "weight": W},
        (X, LABELS),
        multi_margin(2, W),
    ),
    "MultiLabelMargin": (nn.MultiLabelMarginLoss, {}, (X, SEVERAL), multilabel_margin()),
    "MultiLabelSoftMargin": (
        nn.MultiLabelSoftMarginLoss,
        {"weight": W},
        (X, Q),
        (W * (softplus(X) - X * Q)).mean(1),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_formula(engine, name):
    make, options, given, each = CASES[name]
    for reduction, expected in (("none", each), ("sum", each.sum()), ("mean", each.mean())):
        loss = make(reduction=reduction, **options)
        np.testing.assert_allclose(
            np.asarray(loss(*given)), expected, rtol=1e-9, atol=1e-11, err_msg=reduction
        )
        half = np.asarray(
            make(reduction=reduction, **options)(em.asarray(given[0], dtype="float32"), *given[1:])
        )
        np.testing.assert_allclose(half, expected, rtol=3e-5, atol=3e-5)
    with pytest.raises(ValueError, match="reduction"):
        make(reduction="median", **options)
    assert make.__name__ in repr(loss) and isinstance(loss, nn.Module)


@pytest.mark.parametrize("name", CASES)
def test_gradient(name):
    make, options, given, _ = CASES[name]
    loss = make(reduction="sum", **options)
    x, direction = given[0], np.random.default_rng(1).normal(size=given[0].shape)
    slope = np.asarray(em.grad(lambda v: loss(v, *given[1:]))(em.asarray(x)))
    assert np.isfinite(slope).all()
    h = 1e-6
    found = (
        float(loss(x + h * direction, *given[1:])) - float(loss(x - h * direction, *given[1:]))
    ) / (2 * h)
    assert (slope * direction).sum() == pytest.approx(found, rel=1e-4, abs=1e-6)


def test_class_weights(engine):
    y = LABELS.copy()
    each = -LOG_P[np.arange(N), y]
    ce, nll = nn.CrossEntropyLoss, nn.NLLLoss
    for make, given in ((ce, X), (nll, LOG_P)):
        np.testing.assert_allclose(
            np.asarray(make(weight=W, reduction="none")(given, y)), W[y] * each, rtol=1e-9
        )
        np.testing.assert_allclose(
            float(make(weight=W)(given, y)), (W[y] * each).sum() / W[y].sum(), rtol=1e-9
        )
        np.testing.assert_allclose(
            float(make(W, reduction="sum")(given, y)), (W[y] * each).sum(), rtol=1e-9
        )
        # The first argument in Ember ML.
        np.testing.assert_allclose(float(make("sum")(given, y)), each.sum(), rtol=1e-9)
        with pytest.raises(ValueError, match="one number per class"):
            make(weight=W[:3])(given, y)
    smooth = 0.9 * W[y] * each - 0.1 / C * (W * LOG_P).sum(1)
    np.testing.assert_allclose(
        float(ce(weight=W, label_smoothing=0.1)(X, y)), smooth.sum() / W[y].sum(), rtol=1e-9
    )
    np.testing.assert_allclose(float(ce(weight=W)(X, Q)), -(W * Q * LOG_P).sum(1).mean(), rtol=1e-9)
    y[1] = y[4] = 9
    counted = y != 9
    np.testing.assert_allclose(
        float(nll(W, ignore_index=9)(LOG_P, y)),
        (W[y[counted]] * each[counted]).sum() / W[y[counted]].sum(),
        rtol=1e-9,
    )
    image, labels = rng.normal(size=(2, C, 3)), rng.integers(0, C, (2, 3))  # classes along axis 1
    flat = log_softmax(image, axis=1).transpose(0, 2, 1).reshape(-1, C)
    of = W[labels.reshape(-1)]
    np.testing.assert_allclose(
        float(ce(W)(image, labels)),
        -(of * flat[np.arange(6), labels.reshape(-1)]).sum() / of.sum(),
        rtol=1e-9,
    )
    one = ce(W)(X[0], LABELS[0])
    np.testing.assert_allclose(float(one), -LOG_P[0, LABELS[0]], rtol=1e-9)
    assert set(ce(W).state_dict()) == {"weight"} and ce(W).to(em.float32).weight.dtype == em.float32
    for wrong in (X[:, :3], LABELS.astype("f8")[:3], LABELS[:3]):
        with pytest.raises(ValueError):
            ce()(X, wrong)


def test_batchmean():
    np.testing.assert_allclose(
        float(nn.KLDivLoss("batchmean")(LOG_P, Q)), (Q * (np.log(Q) - LOG_P)).sum() / N, rtol=1e-9
    )


def test_ctc():
    log_p = log_softmax(rng.normal(size=(5, 2, 3)), axis=2)
    targets, lengths = np.array([[1, 2], [1, 1]]), np.array([2, 1])

    def by_hand(p, label):  # sums over all paths of 5 steps
        total = -np.inf
        for path in np.ndindex(*(3,) * len(p)):
            merged = [k for i, k in enumerate(path) if k and (i == 0 or path[i - 1] != k)]
            if merged == label:
                total = np.logaddexp(total, sum(p[t, k] for t, k in enumerate(path)))
        return -total

    each = np.array([by_hand(log_p[:, 0], [1, 2]), by_hand(log_p[:, 1], [1])])
    given = (log_p, targets, np.array([5, 5]), lengths)
    np.testing.assert_allclose(np.asarray(nn.CTCLoss(reduction="none")(*given)), each, rtol=1e-9)
    np.testing.assert_allclose(float(nn.CTCLoss()(*given)), (each / lengths).mean(), rtol=1e-9)
    short = (log_p[:1], targets, np.array([1, 1]), lengths)
    assert float(nn.CTCLoss(reduction="none")(*short)[0]) == np.inf
    finite = np.asarray(nn.CTCLoss(reduction="none", zero_infinity=True)(*short))
    np.testing.assert_allclose(finite, [0, -log_p[0, 1, 1]], rtol=1e-9)
    slope = np.asarray(
        em.grad(lambda v: nn.CTCLoss(zero_infinity=True)(v, *short[1:]))(em.asarray(short[0]))
    )
    assert np.isfinite(slope).all()


def test_gradients_where_formulas_have_none():
    a = em.asarray(rng.normal(size=(4, 3)))
    slope = np.asarray(em.grad(lambda v: em.sum(em.pairwise_distance(v, p=0.5)))(a))
    h, moved, found = 1e-6, np.asarray(a), np.zeros((4, 3))
    for i in np.ndindex(4, 3):
        e = np.zeros((4, 3))
        e[i] = h
        found[i] = (
            float(em.sum(em.pairwise_distance(moved + e, p=0.5)))
            - float(em.sum(em.pairwise_distance(moved - e, p=0.5)))
        ) / (2 * h)
    np.testing.assert_allclose(slope, found, rtol=1e-4, atol=1e-4)
