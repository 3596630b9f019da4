"""MLX's form of training and its losses, compared with MLX and closed forms."""

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


def test_a_training_step(engine):
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


def test_value_and_grad_with_auxiliary_results():
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


def test_trees_with_names():
    flat = em.utils.tree_flatten({"layers": [{"w": 1}, {}, {"w": (2, 3)}], "b": 4})
    assert flat == [("layers.0.w", 1), ("layers.2.w.0", 2), ("layers.2.w.1", 3), ("b", 4)]
    again = em.utils.tree_unflatten(flat)
    assert again == {"layers": [{"w": 1}, {}, {"w": [2, 3]}], "b": 4}
    assert em.utils.tree_unflatten([("", 7)]) == 7 == dict(em.utils.tree_flatten(7))[""]
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert [p.size for _, p in em.utils.tree_flatten(model.parameters())] == [6, 3, 3, 1]
    named = em.utils.tree_map_with_path(
        lambda name, p, q: (name, p.size + q), {"a": em.ones(2)}, {"a": 1}
    )
    assert named == {"a": ("a", 3)}


def test_clip_grad_norm():
    mx = pytest.importorskip("mlx.core")
    clip = pytest.importorskip("mlx.optimizers").clip_grad_norm
    grads = {"w": LOGITS, "b": [OTHER[0]]}
    for limit in (0.5, 100.0):
        theirs, norm = clip({"w": mx.array(LOGITS), "b": [mx.array(OTHER[0])]}, limit)
        ours, length = em.optim.clip_grad_norm(em.tree.map(em.asarray, grads), limit)
        np.testing.assert_allclose(length.item(), norm.item(), rtol=1e-5)
        np.testing.assert_allclose(ours["w"], np.array(theirs["w"]), rtol=1e-5)
        np.testing.assert_allclose(ours["b"][0], np.array(theirs["b"][0]), rtol=1e-5)


def test_weights_of_modules(tmp_path):
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    model.save_weights(tmp_path / "w.npz")
    again = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    x = em.ones((1, 2))
    assert again.load_weights(tmp_path / "w.npz")(x).item() == model(x).item()
    again.load_weights([("2.bias", em.asarray([5.0]))], strict=False)
    assert again(x).item() == pytest.approx((model(x) - model[2].bias + 5).item(), rel=1e-5)
    with pytest.raises(ValueError, match="no parameter '7.bias'; it has 0.weight"):
        again.update({"7": {"bias": em.ones(1)}})
    model[0].freeze()
    assert list(model.trainable_parameters()) == ["2.weight", "2.bias"]
    assert len(model.unfreeze().trainable_parameters()) == 4
