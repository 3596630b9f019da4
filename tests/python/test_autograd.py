"""Gradients under torch's names, compared with closed forms."""

import numpy as np
import pytest

import ember_ml as em


def same(x, expected):
    np.testing.assert_allclose(np.asarray(x.detach()), expected, rtol=1e-5, atol=1e-6)


def leaf(values):
    return em.Tensor(values, requires_grad=True)


def test_grad_of_grad(engine):
    x = leaf(3.0)
    (slope,) = em.autograd.grad(x**3, x, create_graph=True)
    same(slope, 27)
    same(em.autograd.grad(slope, x)[0], 18)


def test_weights_of_outputs(engine):
    x = leaf([1.0, 2.0])
    w = leaf([3.0, 4.0])
    dx, dw = em.autograd.grad(outputs=x * w, inputs=[x, w], grad_outputs=em.asarray([1.0, 10.0]))
    same(dx, [3, 40])
    same(dw, [1, 20])
    with pytest.raises(ValueError, match="grad_outputs"):
        em.autograd.grad(x * w, x)


def test_unused_inputs():
    x, other = leaf([1.0]), leaf([1.0])
    with pytest.raises(ValueError):
        em.autograd.grad(x.sum(), [x, other])
    same(em.autograd.grad(x.sum(), [x, other], allow_unused=True)[1], [0])


def test_leaves_keep_their_own_gradients():
    x = leaf([1.0, 2.0])
    em.autograd.grad((x**2).sum(), x)
    assert x.grad is None


def test_backward_of_several():
    x = leaf([1.0, 2.0])
    y = x * x
    em.autograd.backward([y.sum(), (y * 3).sum()])
    same(x.grad, [8, 16])


def test_functional():
    x = em.asarray([1.0, 2.0])
    same(em.autograd.functional.jacobian(lambda v: v**2, x), [[2, 0], [0, 4]])
    same(em.autograd.functional.hessian(lambda v: (v**3).sum(), x), [[6, 0], [0, 12]])


def test_set_grad_enabled():
    x = leaf([1.0])
    with em.set_grad_enabled(False):
        assert not (2 * x).requires_grad
        with em.set_grad_enabled(True):
            assert (2 * x).requires_grad
