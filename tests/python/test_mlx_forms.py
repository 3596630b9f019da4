"""MLX's form of training and its losses, against MLX itself and closed forms."""

import numpy as np
import pytest

import ember_ml as em
from ember_ml import nn

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(5, 3)).astype(np.float32)
OTHER = RNG.normal(size=(5, 3)).astype(np.float32)
CLASSES = np.array([0, 2, 1, 1, 0])
SOFT = np.exp(OTHER) / np.exp(OTHER).sum(1, keepdims=True)
BITS = np.array([[1, 0, 1]] * 5, dtype=np.float32)
SIGNS = np.sign(OTHER)
WEIGHTS = np.array([1, 2, 0, 1, 0.5], dtype=np.float32)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize(
    "name, given, options",
    [
        ("cross_entropy", (LOGITS, CLASSES), {}),
        ("cross_entropy", (LOGITS, CLASSES), {"weights": WEIGHTS, "label_smoothing": 0.1}),
        ("cross_entropy", (LOGITS, SOFT), {}),
        ("nll_loss", (LOGITS, CLASSES), {}),
        ("binary_cross_entropy", (LOGITS, BITS), {}),
        ("binary_cross_entropy", (SOFT, BITS), {"with_logits": False}),
        ("mse_loss", (LOGITS, OTHER), {}),
        ("l1_loss", (LOGITS, OTHER), {}),
        ("smooth_l1_loss", (LOGITS, OTHER), {"beta": 0.5}),
        ("huber_loss", (LOGITS, OTHER), {"delta": 0.5}),
        ("log_cosh_loss", (LOGITS, OTHER), {}),
        ("hinge_loss", (LOGITS, SIGNS), {}),
        ("kl_div_loss", (np.log(SOFT), np.log(SOFT[::-1])), {}),
        ("cosine_similarity_loss", (LOGITS, OTHER), {}),
        ("triplet_loss", (LOGITS, OTHER, LOGITS[::-1].copy()), {}),
    ],
)
def test_losses(name, given, options, reduction):
    mx = pytest.importorskip("mlx.core")
    theirs = pytest.importorskip("mlx.nn").losses
    expected = getattr(theirs, name)(
        *map(mx.array, given),
        reduction=reduction,
        **{k: mx.array(v) if isinstance(v, np.ndarray) else v for k, v in options.items()},
    )
    got = getattr(nn.losses, name)(*map(em.asarray, given), reduction=reduction, **options)
    np.testing.assert_allclose(np.asarray(got), np.array(expected), rtol=1e-5, atol=1e-6)


def test_losses_refuse():
    with pytest.raises(ValueError, match="unknown reduction 'average'; available: none, mean, sum"):
        nn.losses.mse_loss(em.ones(2), em.ones(2), reduction="average")
    with pytest.raises(ValueError, match=r"\[mse_loss\] shapes differ: \[2, 1\] and \[2\]"):
        nn.losses.mse_loss(em.ones((2, 1)), em.ones(2))


def test_a_step(engine):
    model = nn.Linear(2, 1)
    w, b = np.array(model.weight.detach()), np.array(model.bias.detach())
    x, y = (
        np.array([[1.0, 2.0], [3.0, -1.0]], dtype=np.float32),
        np.array([[1.0], [0.0]], dtype=np.float32),
    )
    loss, gradients = nn.value_and_grad(model, lambda m, x, y: nn.losses.mse_loss(m(x), y))(
        model, em.asarray(x), em.asarray(y)
    )
    r = x @ w.T + b - y
    np.testing.assert_allclose(loss.item(), (r**2).mean(), rtol=1e-5)
    assert list(gradients) == ["weight", "bias"]
    np.testing.assert_allclose(np.asarray(gradients["weight"]), r.T @ x, rtol=1e-4, atol=1e-6)
    optimizer = em.optim.SGD(learning_rate=0.1)
    optimizer.update(model, gradients)
    em.eval(model.state, optimizer.state)
    np.testing.assert_allclose(
        np.asarray(model.weight.detach()), w - 0.1 * r.T @ x, rtol=1e-4, atol=1e-6
    )
    with pytest.raises(ValueError, match="no parameter 'wait'; it has weight, bias"):
        optimizer.update(model, {"wait": gradients["bias"]})


def test_a_value_with_more():
    model = nn.Linear(2, 1)
    (value, more), gradients = nn.value_and_grad(model, lambda x: (model(x).sum(), "more"))(
        em.ones((3, 2))
    )
    assert more == "more" and value.size == 1
    np.testing.assert_allclose(np.asarray(gradients["bias"]), [3])


def test_what_cannot_be_differentiated():
    with pytest.raises(RuntimeError, match="no trainable parameters"):
        nn.value_and_grad(nn.ReLU(), lambda: em.asarray(1.0))()
    with pytest.raises(ValueError, match="one number"):
        nn.value_and_grad(nn.Linear(2, 1), lambda: em.ones(2))()


def test_a_module_may_have_a_state_of_its_own():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.state = 3

    assert Counter().state == 3 and list(nn.Linear(1, 1).state) == ["weight", "bias"]
