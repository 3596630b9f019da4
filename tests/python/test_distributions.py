"""Distributions, compared with SciPy's, and their draws, compared with their moments."""

import numpy as np
import pytest

import ember_ml as em
from ember_ml.distributions import Bernoulli, Categorical, Normal, Uniform, kl_divergence

stats = pytest.importorskip("scipy.stats")
LOC, SCALE = np.array([0.0, 1.0, -2.0]), np.array([1.0, 0.5, 3.0])
P, Q = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]), np.array([[0.3, 0.3, 0.4], [0.1, 0.8, 0.1]])


def same(x, expected, tol=1e-6):
    np.testing.assert_allclose(np.asarray(x), expected, rtol=tol, atol=tol)


def test_normal(engine):
    d, expected = Normal(em.asarray(LOC), em.asarray(SCALE)), stats.norm(LOC, SCALE)
    x = np.array([0.3, 1.2, -4.0])
    same(d.log_prob(em.asarray(x)), expected.logpdf(x))
    same(d.cdf(em.asarray(x)), expected.cdf(x))
    same(d.entropy(), expected.entropy())
    same(d.stddev, SCALE)
    draws = d.sample((4000,))
    assert draws.shape == (4000, 3)
    same(em.mean(draws, axis=0), LOC, 0.2)
    same(em.std(draws, axis=0), SCALE, 0.1)


def test_normal_draws_have_gradients():
    slope = em.grad(lambda v: Normal(v, 2.0).rsample((5,)).sum())(em.asarray(1.0))
    same(slope, 5)
    v = em.asarray(1.0)
    v.requires_grad = True
    assert not Normal(v, 2.0).sample().requires_grad


def test_uniform(engine):
    d = Uniform(1.0, 3.0)
    same(d.log_prob(em.asarray([0.5, 1.5, 3.0])), [-np.inf, -np.log(2), -np.inf])
    same(d.entropy(), np.log(2))
    same(d.mean, 2)
    same(d.variance, 1 / 3)
    draws = d.sample((1000,))
    assert em.min(draws) >= 1 and em.max(draws) < 3


@pytest.mark.parametrize("by", ["probs", "logits"])
def test_categorical(engine, by):
    d = Categorical(**{by: em.asarray(P if by == "probs" else np.log(P) + 7)})
    same(d.probs, P)
    same(d.log_prob(em.asarray([2, 0])), np.log([0.5, 0.6]))
    same(d.log_prob(em.asarray([[2], [1]])), np.log([[0.5, 0.1], [0.3, 0.3]]))
    same(d.entropy(), stats.entropy(P, axis=1))
    draws = np.asarray(d.sample((3000,)))
    assert draws.shape == (3000, 2)
    same([[(draws[:, i] == k).mean() for k in range(3)] for i in range(2)], P, 0.05)


def test_categorical_never_draws_what_is_impossible():
    draws = Categorical(em.asarray([0.0, 1.0, 0.0])).sample((500,))
    assert em.unique_values(draws).tolist() == [1]
    same(Categorical(em.asarray([0.0, 1.0])).entropy(), 0)


@pytest.mark.parametrize("by", ["probs", "logits"])
def test_bernoulli(engine, by):
    p = np.array([0.1, 0.5, 0.8])
    d = Bernoulli(**{by: em.asarray(p if by == "probs" else np.log(p / (1 - p)))})
    same(d.log_prob(em.asarray([1.0, 0.0, 1.0])), stats.bernoulli(p).logpmf([1, 0, 1]))
    same(d.entropy(), stats.bernoulli(p).entropy())
    same(d.variance, p * (1 - p))
    same(em.mean(d.sample((3000,)), axis=0), p, 0.05)


def test_divergences():
    same(
        kl_divergence(Categorical(em.asarray(P)), Categorical(em.asarray(Q))),
        (P * np.log(P / Q)).sum(1),
    )
    same(kl_divergence(Normal(0.0, 1.0), Normal(1.0, 2.0)), np.log(2) + 2 / 8 - 0.5)
    same(
        kl_divergence(Bernoulli(em.asarray(0.3)), Bernoulli(em.asarray(0.6))),
        0.3 * np.log(0.5) + 0.7 * np.log(0.7 / 0.4),
    )
    with pytest.raises(NotImplementedError, match="Normal and Uniform"):
        kl_divergence(Normal(0.0, 1.0), Uniform(0.0, 1.0))


def test_what_is_refused():
    with pytest.raises(TypeError, match="either probs or logits"):
        Categorical()
    with pytest.raises(NotImplementedError, match="no gradient"):
        Categorical(em.asarray(P)).rsample()
