"""Numerical methods and small simulations in arrays."""

import numpy
import ember_ml as np
from check import close, equal


def program_runge_kutta():
    def f(t, y):
        return np.array([y[1], -y[0]])

    y = np.array([1.0, 0.0])
    t, h = 0.0, 0.1
    for _ in range(20):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    close(y, [numpy.cos(2), -numpy.sin(2)], atol=1e-4)


def program_lorenz():
    def step(state, dt=0.01, sigma=10.0, rho=28.0, beta=8.0 / 3):
        x, y, z = state
        return state + dt * np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])

    states = np.empty((51, 3))
    states[0] = np.array([1.0, 1.0, 1.0])
    for i in range(50):
        states[i + 1] = step(states[i])
    s = numpy.ones(3)
    for _ in range(50):
        x, y, z = s
        s = s + 0.01 * numpy.array([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])
    close(states[-1], s, rtol=1e-3)


def program_heat_equation():
    n, steps, alpha = 21, 40, 0.2
    x = np.linspace(0, 1, n)
    u = np.sin(np.pi * x)
    for _ in range(steps):
        u[1:-1] = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
    factor = 1 - 4 * alpha * numpy.sin(numpy.pi / (2 * (n - 1))) ** 2
    close(u, factor**steps * numpy.sin(numpy.pi * numpy.linspace(0, 1, n)), atol=1e-5)


def program_heat_plate():
    plate = np.zeros((8, 8))
    plate[0, :] = 100.0
    for _ in range(60):
        inner = 0.25 * (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:])
        plate[1:-1, 1:-1] = inner
    p = numpy.zeros((8, 8))
    p[0] = 100
    for _ in range(60):
        p[1:-1, 1:-1] = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4
    close(plate, p, atol=1e-3)


def program_wave_equation():
    n = 50
    x = np.linspace(0, 1, n + 1)
    u_prev = np.sin(2 * np.pi * x)
    u = u_prev.copy()
    c2 = 1.0
    u[1:-1] = u_prev[1:-1] + 0.5 * c2 * (u_prev[2:] - 2 * u_prev[1:-1] + u_prev[:-2])
    for _ in range(24):
        u_next = np.zeros_like(u)
        u_next[1:-1] = 2 * u[1:-1] - u_prev[1:-1] + c2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u_prev, u = u, u_next
    close(u, -numpy.sin(2 * numpy.pi * numpy.linspace(0, 1, n + 1)), atol=1e-3)


def program_game_of_life():
    grid = np.zeros((8, 8), dtype=int)
    grid[1, 2] = grid[2, 3] = grid[3, 1] = grid[3, 2] = grid[3, 3] = 1
    glider = grid.copy()
    for _ in range(4):
        neighbors = sum(
            np.roll(np.roll(grid, i, 0), j, 1)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        grid = ((neighbors == 3) | ((grid == 1) & (neighbors == 2))).astype(int)
    equal(grid, np.roll(np.roll(glider, 1, axis=0), 1, axis=1))


def program_game_of_life_by_slices():
    Z = np.array(
        [
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 1, 0, 0],
            [0, 1, 0, 1, 0, 0],
            [0, 0, 1, 1, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
        ]
    )
    for _ in range(4):
        N = (
            Z[0:-2, 0:-2]
            + Z[0:-2, 1:-1]
            + Z[0:-2, 2:]
            + Z[1:-1, 0:-2]
            + Z[1:-1, 2:]
            + Z[2:, 0:-2]
            + Z[2:, 1:-1]
            + Z[2:, 2:]
        )
        birth = (N == 3) & (Z[1:-1, 1:-1] == 0)
        survive = ((N == 2) | (N == 3)) & (Z[1:-1, 1:-1] == 1)
        Z[...] = 0
        Z[1:-1, 1:-1][birth | survive] = 1
    equal(np.argwhere(Z), [[2, 4], [3, 2], [3, 4], [4, 3], [4, 4]])


def program_mandelbrot():
    x = np.linspace(-2, 0.5, 26)
    y = np.linspace(-1.25, 1.25, 21)
    c = x[np.newaxis, :] + 1j * y[:, np.newaxis]
    z = np.zeros_like(c)
    steps = np.zeros(c.shape, dtype=int)
    for _ in range(20):
        inside = np.abs(z) <= 2
        z = np.where(inside, z**2 + c, z)
        steps = steps + inside
    cs = numpy.linspace(-2, 0.5, 26)[None] + 1j * numpy.linspace(-1.25, 1.25, 21)[:, None]
    expected = numpy.zeros(cs.shape, int)
    for i in numpy.ndindex(cs.shape):
        v = 0
        for _ in range(20):
            if abs(v) > 2:
                break
            v = v * v + cs[i]
            expected[i] += 1
    assert (numpy.asarray(steps) != expected).mean() < 0.01
    assert steps[10, 20] == 20


def program_mandelbrot_with_masks():
    h, w, maxit = 15, 18, 12
    y, x = np.ogrid[-1.4 : 1.4 : h * 1j, -2 : 0.8 : w * 1j]
    c = x + y * 1j
    z = c
    divtime = maxit + np.zeros(z.shape, dtype=int)
    for i in range(maxit):
        z = z**2 + c
        diverge = np.abs(z) > 2
        div_now = diverge & (divtime == maxit)
        divtime[div_now] = i
        z[diverge] = 2
    assert divtime.shape == (15, 18)
    assert divtime.max() == maxit and divtime.min() == 0
    assert divtime[7, 12] == maxit


def program_newton():
    x = np.array([1.0, 2.0, 10.0])
    for _ in range(12):
        x = x - (x**2 - 2) / (2 * x)
    close(x, numpy.full(3, 2**0.5))
    guess = 1.0
    while abs(guess**3 - 27) > 1e-6:
        guess = guess - (guess**3 - 27) / (3 * guess**2)
    close(np.array(guess), 3)


def program_bisection():
    low, high = np.zeros(3), np.full(3, 4.0)
    target = np.array([2.0, 3.0, 10.0])
    for _ in range(30):
        mid = (low + high) / 2
        above = mid**2 > target
        high = np.where(above, mid, high)
        low = np.where(above, low, mid)
    close(mid, numpy.sqrt([2, 3, 10]))


def program_integrate():
    x = np.linspace(0, np.pi, 101)
    y = np.sin(x)
    close(np.trapezoid(y, x), 2, atol=1e-3)
    dx = x[1] - x[0]
    close(np.sum(y[:-1] * dx), 2, atol=1e-3)
    simpson = dx / 3 * (y[0] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum() + y[-1])
    close(simpson, 2)
    cumulative = np.concatenate([[0.0], np.cumsum((y[1:] + y[:-1]) / 2 * dx)])
    close(cumulative, 1 - numpy.cos(numpy.linspace(0, numpy.pi, 101)), atol=1e-3)


def program_differentiate():
    x = np.linspace(0, 2, 201)
    y = x**3
    slope = np.gradient(y, x)
    close(slope[1:-1], 3 * numpy.linspace(0, 2, 201)[1:-1] ** 2, atol=1e-2)
    close(np.gradient(np.array([1.0, 2.0, 4.0, 7.0, 11.0])), [1, 1.5, 2.5, 3.5, 4])
    dy, dx = np.gradient(np.outer(np.arange(4.0), np.arange(5.0)))
    close(dx, numpy.outer(numpy.arange(4), numpy.ones(5)))
    close(np.diff(np.array([1.0, 4.0, 9.0, 16.0]), n=2), [2, 2])


def program_interpolate():
    xp = np.array([1.0, 2.0, 3.0])
    fp = np.array([3.0, 2.0, 0.0])
    close(np.interp(2.5, xp, fp), 1)
    close(np.interp(np.array([0.0, 1.0, 1.5, 2.72, 3.14]), xp, fp), [3, 3, 2.5, 0.56, 0])
    image = np.arange(12.0).reshape(3, 4)
    yy, xx = np.array([0.5, 1.25]), np.array([1.5, 2.0])
    y0, x0 = np.floor(yy).astype(int), np.floor(xx).astype(int)
    wy, wx = yy - y0, xx - x0
    top = image[y0, x0] * (1 - wx) + image[y0, x0 + 1] * wx
    bottom = image[y0 + 1, x0] * (1 - wx) + image[y0 + 1, x0 + 1] * wx
    close(top * (1 - wy) + bottom * wy, [3.5, 7])


def program_primes():
    n = 100
    sieve = np.ones(n + 1, dtype=bool)
    sieve[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if sieve[i]:
            sieve[i * i :: i] = False
    primes = np.nonzero(sieve)[0]
    assert len(primes) == 25
    equal(primes[:6], [2, 3, 5, 7, 11, 13])
    numbers = np.arange(2, 50)
    has_divisor = (numbers[:, None] % np.arange(2, 50) == 0).sum(axis=1) > 1
    equal(numbers[~has_divisor], primes[primes < 50])
    equal(np.gcd(np.array([12, 18]), 8), [4, 2])
    equal(np.lcm(np.array([4, 6]), 10), [20, 30])


def program_sudoku():
    board = np.array([[(3 * (r % 3) + r // 3 + c) % 9 + 1 for c in range(9)] for r in range(9)])
    digits = np.arange(1, 10)

    def valid(b):
        rows = all(np.array_equal(np.sort(b[i]), digits) for i in range(9))
        columns = all(np.array_equal(np.sort(b[:, i]), digits) for i in range(9))
        blocks = b.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
        return (
            rows and columns and all(set(block.tolist()) == set(range(1, 10)) for block in blocks)
        )

    assert valid(board)
    board[0, 0], board[0, 1] = board[0, 1].item(), board[0, 0].item()
    assert not valid(board)


def program_distance_matrix():
    points = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    diff = points[:, np.newaxis, :] - points[np.newaxis, :, :]
    distances = np.sqrt((diff**2).sum(axis=-1))
    close(distances, [[0, 5, 10], [5, 0, 5], [10, 5, 0]])
    np.fill_diagonal(distances, np.inf)
    equal(distances.argmin(axis=1), [1, 0, 1])
    squares = (points**2).sum(1)
    close(
        squares[:, None] + squares[None] - 2 * points @ points.T,
        [[0, 25, 100], [25, 0, 25], [100, 25, 0]],
    )
    close(np.hypot(points[:, 0], points[:, 1]), [0, 5, 10])


def program_n_body():
    pos = np.array([[0.0, 0.0], [1.0, 0.0]])
    vel = np.array([[0.0, -0.5], [0.0, 0.5]])
    mass = np.array([0.5, 0.5])
    dt = 0.01
    for _ in range(20):
        d = pos[None, :, :] - pos[:, None, :]
        r3 = (d**2).sum(-1, keepdims=True) ** 1.5 + np.eye(2)[:, :, None]
        acc = (mass[None, :, None] * d / r3).sum(axis=1)
        vel += acc * dt
        pos += vel * dt
    close((mass[:, None] * vel).sum(axis=0), [0, 0])
    close(np.linalg.norm(pos[1] - pos[0]), 1, atol=0.02)


def program_projectile():
    g, v0 = 9.81, 20.0
    angles = np.deg2rad(np.array([30.0, 45.0, 60.0]))
    t = np.linspace(0, 4, 401)
    y = v0 * np.sin(angles)[:, None] * t - 0.5 * g * t**2
    airborne = y >= 0
    landing = np.array([t[row][-1] for row in airborne])
    close(landing, 2 * v0 * numpy.sin(numpy.deg2rad([30, 45, 60])) / g, atol=0.011)
    close(y.max(axis=1), (v0 * numpy.sin(numpy.deg2rad([30, 45, 60]))) ** 2 / (2 * g), atol=0.01)


def program_jacobi():
    A = np.array([[4.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 4.0]])
    b = np.array([2.0, 4.0, 10.0])
    D = np.diag(A)
    R = A - np.diagflat(D)
    x = np.zeros_like(b)
    for _ in range(40):
        x_new = (b - np.dot(R, x)) / D
        if np.allclose(x, x_new, atol=1e-7):
            break
        x = x_new
    close(x, [1, 2, 3], atol=1e-4)


def program_pascal_and_series():
    row = np.array([1])
    for _ in range(6):
        row = np.convolve(row, np.array([1, 1]))
    equal(row, [1, 6, 15, 20, 15, 6, 1])
    n = np.arange(0, 12)
    factorial = np.concatenate(([1.0], np.cumprod(np.arange(1.0, 12.0))))
    close(np.sum(1 / factorial), numpy.e)
    k = np.arange(2000)
    close(4 * np.sum((-1.0) ** k / (2 * k + 1)), numpy.pi, atol=1e-3)
    equal(np.power(2, n)[-1], 2048)
    equal(np.cumsum(np.arange(1, 6)), [1, 3, 6, 10, 15])


def program_vectorize():
    def fizz(n):
        return 15 if n % 15 == 0 else 5 if n % 5 == 0 else 3 if n % 3 == 0 else n

    equal(np.vectorize(fizz)(np.arange(1, 16)), [1, 2, 3, 4, 5, 3, 7, 8, 3, 5, 11, 3, 13, 14, 15])
    equal(np.apply_along_axis(lambda r: r.max() - r.min(), 1, np.array([[1, 5], [2, 9]])), [4, 7])
    equal(np.array(list(map(lambda v: int(v) ** 2, np.arange(4)))), [0, 1, 4, 9])
    equal(np.fromiter((i * i for i in range(4)), dtype=int), [0, 1, 4, 9])
    q, r = np.divmod(np.array([7, 8]), 3)
    equal(q, [2, 2])
    equal(r, [1, 2])


def program_bits_and_integers():
    a = np.array([5, 12, 255], dtype=np.uint8)
    equal(a & 1, [1, 0, 1])
    equal(a >> 2, [1, 3, 63])
    equal(np.bitwise_xor(a, 15), [10, 3, 240])
    equal(~a, [250, 243, 0])
    bits = (np.arange(8)[:, None] >> np.arange(3)[::-1]) & 1
    equal(bits[5], [1, 0, 1])
    equal((bits * 2 ** np.arange(3)[::-1]).sum(axis=1), np.arange(8))


def program_unpack_bits():
    equal(np.unpackbits(np.array([5], dtype=np.uint8)), [0, 0, 0, 0, 0, 1, 0, 1])


def program_cellular_automaton():
    rule = np.array([(30 >> i) & 1 for i in range(8)])
    cells = np.zeros(15, dtype=int)
    cells[7] = 1
    history = [cells]
    for _ in range(3):
        pattern = 4 * np.roll(cells, 1) + 2 * cells + np.roll(cells, -1)
        cells = rule[pattern]
        history.append(cells)
    equal(
        np.stack(history)[:, 3:12],
        [
            [0, 0, 0, 0, 1, 0, 0, 0, 0],
            [0, 0, 0, 1, 1, 1, 0, 0, 0],
            [0, 0, 1, 1, 0, 0, 1, 0, 0],
            [0, 1, 1, 0, 1, 1, 1, 1, 0],
        ],
    )
