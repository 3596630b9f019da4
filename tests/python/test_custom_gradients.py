"""Functions with user-defined gradients, and directional derivatives, compared with closed forms
in NumPy."""

import gc
import weakref

import numpy as np
import pytest

import ember_ml as em


class Cube(em.autograd.Function):
    """x^3 with twice its gradient, which distinguishes it from the derived one."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 6 * x * x


def test_a_function_has_its_own_gradient(engine):
    x = em.tensor([1.0, -2.0], requires_grad=True)
    y = Cube.apply(x)
    (y * em.asarray([1.0, 10.0])).sum().backward()
    np.testing.assert_array_equal(y, [1, -8])
    np.testing.assert_array_equal(x.grad, [6, 240])


def test_its_gradient_is_differentiable():
    second = em.grad(lambda x: em.grad(lambda v: Cube.apply(v).sum())(x).sum())(
        em.asarray([1.0, -2.0])
    )
    np.testing.assert_array_equal(second, [12, -24])


def test_arguments_without_gradients_several_results_and_setup_context():
    class Polar(em.autograd.Function):
        @staticmethod
        def forward(r, angle, unit):
            angle = angle * (np.pi / 180 if unit == "degrees" else 1)
            return r * em.cos(angle), r * em.sin(angle)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.x, ctx.y = output
            assert ctx.needs_input_grad == (True, False, False)

        @staticmethod
        def backward(ctx, gx, gy):
            return gx * 100 + gy, None, None

    r = em.tensor(2.0, requires_grad=True)
    x, y = Polar.apply(r, em.asarray(90.0), "degrees")
    np.testing.assert_allclose([x.item(), y.item()], [0, 2], atol=1e-6)
    (3 * x + y).backward()
    assert r.grad.item() == 301


def test_wrong_counts_of_gradients_are_named():
    class Twice(em.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(ValueError, match=r"\[Twice.backward\] gave 1 gradients for 2 arguments"):
        Twice.apply(
            em.tensor(1.0, requires_grad=True), em.tensor(2.0, requires_grad=True)
        ).backward()


def test_errors_of_backward_come_through_and_nothing_stays_alive():
    class Broken(em.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.marker = marker = type("Marker", (), {})()
            alive.append(weakref.ref(marker))
            return x + 0

        @staticmethod
        def backward(ctx, g):
            raise KeyError("mine")

    alive = []
    x = em.tensor(1.0, requires_grad=True)
    y = Broken.apply(x)
    with pytest.raises(KeyError, match="mine"):
        y.backward()
    del y
    gc.collect()
    assert alive[0]() is None


def test_jax_custom_vjp_of_trees():
    @em.custom_vjp
    def scaled(params, x):
        return params["w"] * x

    scaled.defvjp(
        lambda params, x: (params["w"] * x, (params["w"], x)),
        lambda res, g: ({"w": g * res[1] * 10}, g * res[0]),
    )
    grads = em.grad(lambda p, x: scaled(p, x).sum(), argnums=(0, 1))(
        {"w": em.asarray([2.0, 3.0])}, em.asarray([5.0, 7.0])
    )
    np.testing.assert_array_equal(grads[0]["w"], [50, 70])
    np.testing.assert_array_equal(grads[1], [2, 3])


def test_mlx_custom_function():
    @em.custom_function
    def f(x, y):
        return em.sin(x) * y

    @f.vjp
    def f_vjp(primals, cotangent, output):
        x, y = primals
        return cotangent * em.cos(x) * y * 2, cotangent * em.sin(x)

    gx, gy = em.grad(lambda x, y: f(x, y), argnums=(0, 1))(em.asarray(0.5), em.asarray(3.0))
    np.testing.assert_allclose([gx.item(), gy.item()], [np.cos(0.5) * 6, np.sin(0.5)], rtol=1e-6)


def test_vjp_and_jvp_of_a_matrix_function(engine):
    a = np.random.default_rng(0).standard_normal((3, 2))
    x, t, w = np.array([0.3, -1.2]), np.array([2.0, 0.5]), np.array([1.0, -1.0, 3.0])

    def f(v):
        return em.sin(em.asarray(a.astype(np.float32)) @ v)

    jacobian = np.cos(a @ x)[:, None] * a
    value, pull = em.vjp(f, em.asarray(x.astype(np.float32)))
    np.testing.assert_allclose(value, np.sin(a @ x), rtol=1e-5)
    np.testing.assert_allclose(
        pull(em.asarray(w.astype(np.float32)))[0], w @ jacobian, rtol=1e-4, atol=1e-5
    )
    value, along = em.jvp(
        f, (em.asarray(x.astype(np.float32)),), (em.asarray(t.astype(np.float32)),)
    )
    np.testing.assert_allclose(value, np.sin(a @ x), rtol=1e-5)
    np.testing.assert_allclose(along, jacobian @ t, rtol=1e-4, atol=1e-5)


def test_jvp_of_linear_and_constant_functions():
    x, t = em.asarray([1.0, 2.0]), em.asarray([3.0, 4.0])
    np.testing.assert_array_equal(em.jvp(lambda v: 2 * v, (x,), (t,))[1], [6, 8])
    np.testing.assert_array_equal(em.jvp(lambda v: em.ones(2), (x,), (t,))[1], [0, 0])
    with pytest.raises(
        ValueError, match=r"\[jvp\] a tangent has the shape \[3\], its primal \[2\]"
    ):
        em.jvp(lambda v: v, (x,), (em.ones(3),))


def test_gradcheck_sees_a_wrong_gradient():
    x = em.tensor([0.5, 1.5], dtype="float64", requires_grad=True)
    assert em.autograd.gradcheck(lambda v: em.exp(v) * v, (x,))
    with pytest.raises(
        ValueError, match=r"input 0, element 0: the gradient is 1.5, central differences give 0.75"
    ):
        em.autograd.gradcheck(Cube.apply, (x,), atol=1e-4)
    assert not em.autograd.gradcheck(Cube.apply, (x,), raise_exception=False)


def test_torch_func():
    from ember_ml import func

    g, v = func.grad_and_value(lambda x: (x * x).sum())(em.asarray([1.0, 2.0]))
    assert v.item() == 5 and g.tolist() == [2, 4]
    np.testing.assert_array_equal(
        func.jacrev(lambda x: x * x)(em.asarray([1.0, 2.0])), [[2, 0], [0, 4]]
    )
