"""Gradients as PyTorch's tutorials take them."""

import numpy as np
import ember_ml as torch
from ember_ml import nn
from check import close, equal


def program_first_gradients():
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    b = torch.tensor([6.0, 4.0], requires_grad=True)
    Q = 3 * a**3 - b**2
    external_grad = torch.tensor([1.0, 1.0])
    Q.backward(gradient=external_grad)
    close(a.grad, [36, 81])
    close(b.grad, [-12, -8])


def program_one_layer():
    x = torch.ones(5)
    y = torch.zeros(3)
    w = torch.full((5, 3), 0.1, requires_grad=True)
    b = torch.zeros(3, requires_grad=True)
    z = torch.matmul(x, w) + b
    loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
    loss.backward()
    sigmoid = 1 / (1 + np.exp(-0.5))
    close(loss, np.log(1 + np.exp(0.5)))
    close(w.grad, np.full((5, 3), sigmoid / 3))
    close(b.grad, np.full(3, sigmoid / 3))
    z = torch.matmul(x, w) + b
    assert z.requires_grad
    with torch.no_grad():
        z = torch.matmul(x, w) + b
    assert not z.requires_grad
    assert not (w * 2).detach().requires_grad
    assert w.is_leaf


def program_leaf_updates():
    x = torch.linspace(-1, 1, 50)
    y = 2 * x + 1
    w = torch.zeros(1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    for epoch in range(60):
        loss = ((w * x + b - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.5 * w.grad
            b -= 0.5 * b.grad
            w.grad.zero_()
            b.grad.zero_()
    close(w, [2], atol=1e-3)
    close(b, [1], atol=1e-3)


def program_polynomial_with_autograd():
    x = torch.linspace(-3.14159265, 3.14159265, 200)
    y = torch.sin(x)
    a, b, c, d = (torch.zeros((), requires_grad=True) for _ in range(4))
    for t in range(20):
        y_pred = a + b * x + c * x**2 + d * x**3
        loss = (y_pred - y).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            a -= 1e-6 * a.grad
            b -= 1e-6 * b.grad
            c -= 1e-6 * c.grad
            d -= 1e-6 * d.grad
            a.grad = None
            b.grad = None
            c.grad = None
            d.grad = None
    t = np.linspace(-np.pi, np.pi, 200)
    w = np.zeros(4)
    powers = np.stack([t**0, t, t**2, t**3])
    for _ in range(20):
        w -= 1e-6 * powers @ (2 * (w @ powers - np.sin(t)))
    close([a.item(), b.item(), c.item(), d.item()], w, rtol=1e-3, atol=1e-6)


def program_custom_function():
    class LegendrePolynomial3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return 0.5 * (5 * input**3 - 3 * input)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * input**2 - 1)

    x = torch.tensor([0.5, -1.0], requires_grad=True)
    y = LegendrePolynomial3.apply(x)
    y.sum().backward()
    close(y, [-0.4375, -1])
    close(x.grad, [0.375, 6])


def program_gradients_add_up():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x**2).sum().backward()
    (x**2).sum().backward()
    close(x.grad, [4, 8])
    x.grad.zero_()
    (3 * x).sum().backward()
    close(x.grad, [3, 3])


def program_autograd_grad():
    x = torch.tensor(3.0, requires_grad=True)
    y = x**3
    (dy,) = torch.autograd.grad(y, x, create_graph=True)
    close(dy, 27)
    (d2y,) = torch.autograd.grad(dy, x)
    close(d2y, 18)


def program_gradient_penalty():
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    w = torch.tensor([[3.0], [4.0]], requires_grad=True)
    out = x @ w
    gradients = torch.autograd.grad(
        outputs=out,
        inputs=x,
        grad_outputs=torch.ones_like(out),
        create_graph=True,
        retain_graph=True,
    )[0]
    penalty = (gradients.norm(2, dim=1) - 1).pow(2).mean()
    close(penalty, 16)
    penalty.backward()
    close(w.grad, [[4.8], [6.4]])


def program_control_flow():
    def f(a):
        b = a * 2
        while b.norm() < 1000:
            b = b * 2
        return b if b.sum() > 0 else 100 * b

    a = torch.tensor(1.5, requires_grad=True)
    d = f(a)
    d.backward()
    close(a.grad, (d / a).item())


def program_detach_and_no_grad():
    x = torch.tensor([2.0], requires_grad=True)
    y = x**2
    z = y.detach() * x
    z.backward()
    close(x.grad, [4])

    @torch.no_grad()
    def evaluate(v):
        return v * 2

    assert not evaluate(x).requires_grad
    with torch.inference_mode():
        assert not (x * 2).requires_grad
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    try:
        (x * 2).detach().sum().backward()
    except RuntimeError:
        pass
    else:
        raise AssertionError("backward() of a constant did not raise")


def program_jacobian_and_hessian():
    x = torch.tensor([1.0, 2.0])
    jacobian = torch.autograd.functional.jacobian(lambda v: v**2 * v.sum(), x)
    close(jacobian, [[7, 1], [4, 16]])
    hessian = torch.autograd.functional.hessian(lambda v: (v**3).sum(), x)
    close(hessian, [[6, 0], [0, 12]])


def program_optimize_an_input():
    target = torch.tensor([1.0, -2.0, 0.5])
    x = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.2)
    for _ in range(30):
        optimizer.zero_grad()
        loss = torch.sum((x - target) ** 2)
        loss.backward()
        optimizer.step()
    close(x, [1, -2, 0.5], atol=1e-3)


def program_rosenbrock_with_adam():
    x = torch.tensor([-1.0, 1.5], requires_grad=True)
    optimizer = torch.optim.Adam([x], lr=0.1)
    first = None
    for _ in range(80):
        optimizer.zero_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        optimizer.step()
        first = first or loss.item()
    p = np.array([-1.0, 1.5])
    m, v = np.zeros(2), np.zeros(2)
    for t in range(1, 81):
        g = np.array([-2 * (1 - p[0]) - 400 * p[0] * (p[1] - p[0] ** 2), 200 * (p[1] - p[0] ** 2)])
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        p = p - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    close(x, p, rtol=1e-2, atol=1e-2)


def program_freeze():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    for param in model[0].parameters():
        param.requires_grad = False
    model(torch.ones(3, 4)).sum().backward()
    assert model[0].weight.grad is None
    assert model[2].weight.grad is not None
    model.requires_grad_(True)
    assert all(p.requires_grad for p in model.parameters())


def program_batch_norm_by_hand():
    x = torch.tensor([[1.0, 10.0], [3.0, 30.0]], requires_grad=True)
    mean = x.mean(0, keepdim=True)
    var = ((x - mean) ** 2).mean(0, keepdim=True)
    y = (x - mean) / torch.sqrt(var + 1e-5)
    layer = nn.BatchNorm1d(2)
    close(layer(x), y)
    close(layer.running_mean, [0.2, 2])
    loss = (y[:, 0] * torch.tensor([1.0, 2.0])).sum()
    loss.backward()
    close(x.grad.sum(0), [0, 0])
