"""NumPy programs of numerical mathematics: polynomials, transforms, linear systems by hand."""

import numpy
import ember_ml as np
from check import close, equal


def program_polynomial_arithmetic():
    p, q = np.array([1.0, -6.0, 11.0, -6.0]), np.array([1.0, -1.0])
    close(np.sort(np.roots(p).real), [1, 2, 3], atol=1e-3)
    close(np.poly([1.0, 2.0, 3.0]), [1, -6, 11, -6])
    close(np.polymul(p, q), numpy.polymul([1, -6, 11, -6], [1, -1]))
    quotient, remainder = np.polydiv(p, q)
    close(quotient, [1, -5, 6])
    close(remainder, [0])
    close(np.polyadd(p, q), [1, -6, 12, -7])
    close(np.polysub(p, q), [1, -6, 10, -5])
    close(np.polyder(p), [3, -12, 11])
    close(np.polyint(np.array([3.0, -12.0, 11.0])), [1, -6, 11, 0])
    close(np.polyval(p, 4.0), 6)


def program_polynomial_fit_with_noise():
    rng = numpy.random.default_rng(0)
    x = np.linspace(-3, 3, 50)
    y = 0.5 * x**3 - 2 * x + 1 + 0.1 * np.array(rng.normal(size=50))
    coeffs = np.polyfit(x, y, 3)
    expected = numpy.polyfit(numpy.asarray(x, dtype=float), numpy.asarray(y, dtype=float), 3)
    close(coeffs, expected, atol=1e-3)
    fitted = np.polyval(coeffs, x)
    ss_res = np.sum((y - fitted) ** 2)
    ss_tot = np.sum((y - np.mean(y)) ** 2)
    assert 1 - ss_res / ss_tot > 0.99


def program_lagrange_interpolation():
    xs = np.array([0.0, 1.0, 2.0, 4.0])
    ys = xs**3 - xs

    def lagrange(x):
        total = 0.0
        for i in range(len(xs)):
            others = np.delete(xs, i)
            total += ys[i] * np.prod((x - others) / (xs[i] - others))
        return total

    close(lagrange(3.0), 24, rtol=1e-4)
    V = np.vander(xs)
    close(np.linalg.solve(V, ys), [1, 0, -1, 0], atol=1e-4)
    V = np.vander(xs, 4, increasing=True)
    close(V[2], [1, 2, 4, 8])


def program_divided_differences():
    x = np.array([1.0, 2.0, 4.0, 5.0])
    y = np.array([2.0, 3.0, 1.0, 4.0])
    n = len(y)
    table = np.zeros((n, n))
    table[:, 0] = y
    for j in range(1, n):
        for i in range(n - j):
            table[i, j] = (table[i + 1, j - 1] - table[i, j - 1]) / (x[i + j] - x[i])
    a = table[0]
    value = a[n - 1]
    for k in range(1, n):
        value = a[n - 1 - k] + (3.0 - x[n - 1 - k]) * value
    close(value, numpy.polyval(numpy.polyfit([1, 2, 4, 5], [2, 3, 1, 4], 3), 3.0), rtol=1e-3)


def program_natural_spline():
    x = np.linspace(0, 4, 5)
    y = np.sin(x)
    h = np.diff(x)
    n = len(x)
    A = np.eye(n)
    rhs = np.zeros(n)
    for i in range(1, n - 1):
        A[i, i - 1 : i + 2] = [h[i - 1], 2 * (h[i - 1] + h[i]), h[i]]
        rhs[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = np.linalg.solve(A, rhs)
    from scipy.interpolate import CubicSpline

    xs = numpy.linspace(0, 4, 5)
    spline = CubicSpline(xs, numpy.sin(xs), bc_type="natural")
    close(m, spline(xs, 2), atol=1e-4)


def program_chebyshev_nodes():
    n = 8
    k = np.arange(n)
    nodes = np.cos((2 * k + 1) * np.pi / (2 * n))
    T = np.cos(k[:, None] * np.arccos(nodes)[None, :])
    close(T @ T.T, numpy.diag([8] + [4] * 7), atol=1e-4)
    coeffs = 2 / n * (T @ np.exp(nodes))
    coeffs[0] /= 2
    expected = numpy.polynomial.chebyshev.chebinterpolate(numpy.exp, 7)
    close(coeffs, expected, atol=1e-5)


def program_taylor_series():
    x = np.linspace(-1, 1, 11)
    n = np.arange(12)
    factorials = np.cumprod(np.concatenate([[1], np.arange(1, 12)]))
    assert factorials[-1] == 39916800
    series = (x[:, None] ** n / factorials).sum(axis=1)
    close(series, numpy.exp(numpy.linspace(-1, 1, 11)))
    fractions = 4 * np.sum((-1.0) ** np.arange(2000) / (2 * np.arange(2000) + 1))
    close(fractions, numpy.pi, atol=1e-3)


def program_gauss_quadrature():
    nodes, weights = numpy.polynomial.legendre.leggauss(5)
    nodes, weights = np.array(nodes), np.array(weights)
    close(weights @ nodes**8, 2 / 9, rtol=1e-4)
    a, b = 0.0, 2.0
    t = 0.5 * (nodes + 1) * (b - a) + a
    close(0.5 * (b - a) * np.sum(weights * np.exp(t)), numpy.exp(2) - 1, rtol=1e-4)


def program_romberg():
    f = np.sin
    n = 6
    R = np.zeros((n, n))
    for i in range(n):
        x = np.linspace(0, np.pi, 2**i + 1)
        R[i, 0] = np.trapezoid(f(x), x=x)
        for j in range(1, i + 1):
            R[i, j] = R[i, j - 1] + (R[i, j - 1] - R[i - 1, j - 1]) / (4**j - 1)
    close(R[n - 1, n - 1], 2, atol=1e-5)


def program_lu_by_hand():
    A = np.array([[2.0, 1.0, 1.0], [4.0, -6.0, 0.0], [-2.0, 7.0, 2.0]])
    n = 3
    U, L = A.copy(), np.eye(n)
    for k in range(n - 1):
        for i in range(k + 1, n):
            L[i, k] = U[i, k] / U[k, k]
            U[i, k:] -= L[i, k] * U[k, k:]
    close(L @ U, A)
    close(np.tril(L), L)
    close(np.prod(np.diag(U)), np.linalg.det(A), rtol=1e-4)
    b = np.array([5.0, -2.0, 9.0])
    y = np.zeros(n)
    for i in range(n):
        y[i] = b[i] - L[i, :i] @ y[:i]
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (y[i] - U[i, i + 1 :] @ x[i + 1 :]) / U[i, i]
    close(x, [1, 1, 2])


def program_gauss_elimination_with_pivots():
    A = np.array([[0.0, 2.0, 1.0], [1.0, -2.0, -3.0], [-1.0, 1.0, 2.0]])
    b = np.array([-8.0, 0.0, 3.0])
    M = np.hstack([A, b.reshape(-1, 1)])
    for i in range(3):
        pivot = i + np.argmax(np.abs(M[i:, i]))
        if pivot != i:
            M[[i, pivot]] = M[[pivot, i]]
        M[i] /= M[i, i]
        for j in range(3):
            if j != i:
                M[j] -= M[j, i] * M[i]
    close(M[:, 3], numpy.linalg.solve(numpy.asarray(A), numpy.asarray(b)), atol=1e-4)


def program_cholesky_by_hand():
    A = np.array([[4.0, 12.0, -16.0], [12.0, 37.0, -43.0], [-16.0, -43.0, 98.0]])
    L = np.zeros_like(A)
    for i in range(3):
        for j in range(i + 1):
            s = np.sum(L[i, :j] * L[j, :j])
            L[i, j] = np.sqrt(A[i, i] - s) if i == j else (A[i, j] - s) / L[j, j]
    close(L, [[2, 0, 0], [6, 1, 0], [-8, 5, 3]], atol=1e-3)
    close(np.linalg.cholesky(A), L, atol=1e-3)


def program_householder():
    rng = numpy.random.default_rng(3)
    A = np.array(rng.normal(size=(5, 3)))
    R, Q = A.copy(), np.eye(5)
    for k in range(3):
        x = R[k:, k]
        e = np.zeros_like(x)
        e[0] = np.copysign(np.linalg.norm(x), x[0])
        v = x + e
        v = v / np.linalg.norm(v)
        R[k:, k:] = R[k:, k:] - 2 * np.outer(v, v @ R[k:, k:])
        Q[:, k:] = Q[:, k:] - 2 * np.outer(Q[:, k:] @ v, v)
    close(Q @ R, A, atol=1e-4)
    close(Q.T @ Q, numpy.eye(5), atol=1e-4)
    close(np.tril(R, -1), numpy.zeros((5, 3)), atol=1e-4)


def program_conjugate_gradients():
    n = 12
    A = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    b = np.ones(n)
    x = np.zeros(n)
    r = b - A @ x
    p = r
    rs = r @ r
    for _ in range(n):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        new = r @ r
        if np.sqrt(new) < 1e-8:
            break
        p = r + (new / rs) * p
        rs = new
    i = numpy.arange(1, n + 1)
    close(x, i * (n + 1 - i) / 2, rtol=1e-3)


def program_gauss_seidel():
    A = np.array([[4.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 4.0]])
    b = np.array([2.0, 6.0, 2.0])
    x = np.zeros(3)
    for iteration in range(50):
        old = np.copy(x)
        for i in range(3):
            s = np.dot(A[i, :i], x[:i]) + np.dot(A[i, i + 1 :], old[i + 1 :])
            x[i] = (b[i] - s) / A[i, i]
        if np.allclose(x, old, rtol=1e-6):
            break
    close(x, [1, 2, 1], rtol=1e-3)
    assert 2 < iteration < 49


def program_qr_eigenvalues():
    A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
    T = A
    for _ in range(60):
        Q, R = np.linalg.qr(T)
        T = R @ Q
    close(np.sort(np.diag(T)), numpy.linalg.eigvalsh(numpy.asarray(A)), rtol=1e-3)
    w, v = np.linalg.eigh(A)
    close(A @ v, v * w, atol=1e-4)
    close(v @ np.diag(w) @ v.T, A, atol=1e-4)


def program_complex_eigenvalues():
    R = np.array([[0.0, -1.0], [1.0, 0.0]])
    w, v = np.linalg.eig(R)
    close(np.sort(w.imag), [-1, 1])
    close(np.abs(w), [1, 1])
    close(R @ v, w * v, atol=1e-5)
    close(np.linalg.eigvals(np.array([[2.0, 0.0], [0.0, 5.0]])).real.max(), 5)


def program_null_space_and_rank():
    A = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
    u, s, vh = np.linalg.svd(A)
    tol = 1e-5 * s.max()
    rank = int((s > tol).sum())
    assert rank == 2 == int(np.linalg.matrix_rank(A))
    null_space = vh[rank:].T
    close(A @ null_space, numpy.zeros((3, 1)), atol=1e-5)
    close(np.linalg.pinv(A) @ A @ null_space, numpy.zeros((3, 1)), atol=1e-4)
    try:
        np.linalg.inv(np.array([[1.0, 2.0], [2.0, 4.0]])).tolist()
    except np.linalg.LinAlgError as e:
        assert "inv" in str(e)
    else:
        raise AssertionError("a singular matrix has no inverse")


def program_least_squares_plane():
    rng = numpy.random.default_rng(5)
    xy = rng.uniform(-1, 1, (40, 2))
    z = 1.5 * xy[:, 0] - 0.5 * xy[:, 1] + 2
    A = np.c_[xy, np.ones(40)]
    C, _, _, _ = np.linalg.lstsq(A, np.array(z), rcond=None)
    close(C, [1.5, -0.5, 2], atol=1e-4)
    hat = A @ np.linalg.inv(A.T @ A) @ A.T
    close(np.trace(hat), 3, atol=1e-3)


def program_matrix_functions():
    A = np.array([[0.0, 1.0], [-1.0, 0.0]])
    total, term = np.eye(2), np.eye(2)
    for k in range(1, 20):
        term = term @ A / k
        total = total + term
    close(total, [[numpy.cos(1), numpy.sin(1)], [-numpy.sin(1), numpy.cos(1)]])
    close(np.linalg.matrix_power(A, 4), numpy.eye(2))
    B = np.block([[A, np.zeros((2, 2))], [np.zeros((2, 2)), np.ones((2, 2))]])
    assert B.shape == (4, 4)
    close(np.kron(np.eye(2), A)[2:, 2:], A)
    sign, logdet = np.linalg.slogdet(np.array([[3.0, 0.0], [0.0, -2.0]]))
    close(sign * np.exp(logdet), -6)
    close(np.linalg.cond(np.diag(np.array([1.0, 10.0]))), 10, rtol=1e-3)


def program_multiply_polynomials_by_fft():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])
    n = len(a) + len(b) - 1
    size = 2 ** int(np.ceil(np.log2(n)))
    product = np.fft.ifft(np.fft.fft(a, size) * np.fft.fft(b, size)).real[:n]
    close(product, [4, 13, 22, 15])
    close(np.convolve(a, b), [4, 13, 22, 15])
    equal(np.rint(product).astype(int), [4, 13, 22, 15])


def program_spectral_derivative():
    n = 32
    x = 2 * np.pi * np.arange(n) / n
    f = np.exp(np.sin(x))
    k = np.fft.fftfreq(n, d=1.0 / n)
    derivative = np.real(np.fft.ifft(1j * k * np.fft.fft(f)))
    xs = 2 * numpy.pi * numpy.arange(n) / n
    close(derivative, numpy.cos(xs) * numpy.exp(numpy.sin(xs)), atol=1e-3)


def program_low_pass_image():
    image = np.zeros((16, 16))
    image[4:12, 4:12] = 1.0
    spectrum = np.fft.fftshift(np.fft.fft2(image))
    rows, cols = image.shape
    u, v = np.meshgrid(np.arange(rows) - rows // 2, np.arange(cols) - cols // 2, indexing="ij")
    keep = np.sqrt(u**2 + v**2) <= 4
    smooth = np.fft.ifft2(np.fft.ifftshift(spectrum * keep)).real
    ref = numpy.fft.fftshift(numpy.fft.fft2(numpy.asarray(image)))
    expected = numpy.fft.ifft2(numpy.fft.ifftshift(ref * numpy.asarray(keep))).real
    close(smooth, expected, atol=1e-5)
    close(smooth.mean(), image.mean())


def program_power_spectrum():
    rate, seconds = 100, 2.0
    t = np.arange(0, seconds, 1 / rate)
    rng = numpy.random.default_rng(0)
    signal = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 20 * t)
    noisy = signal + 0.1 * np.array(rng.normal(size=200))
    power = np.abs(np.fft.rfft(noisy)) ** 2 / len(t)
    freqs = np.fft.rfftfreq(len(t), 1 / rate)
    top = np.argsort(power)[::-1][:2]
    equal(np.sort(freqs[top]), [5, 20])
    close(np.sum(noisy**2), (np.sum(power) * 2 - power[0] - power[-1]), rtol=1e-3)
    clean = np.fft.irfft(np.where(power > 5, np.fft.rfft(noisy), 0), n=len(t))
    close(clean, signal, atol=0.1)


def program_discrete_fourier_matrix():
    N = 8
    n = np.arange(N)
    M = np.exp(-2j * np.pi * n.reshape((N, 1)) * n / N)
    x = np.array([1.0, 2, 3, 4, 0, -1, 2, 1])
    close(np.dot(M, x), numpy.fft.fft(numpy.asarray(x)), atol=1e-4)

    def FFT(x):
        N = x.shape[0]
        if N == 1:
            return x.astype(np.complex128)
        even, odd = FFT(x[::2]), FFT(x[1::2])
        factor = np.exp(-2j * np.pi * np.arange(N) / N)
        half = N // 2
        return np.concatenate([even + factor[:half] * odd, even + factor[half:] * odd])

    close(FFT(x), numpy.fft.fft(numpy.asarray(x)), atol=1e-4)
    assert np.allclose(FFT(x), np.fft.fft(x), atol=1e-4)


def program_masked_arrays_of_numpy():
    x = np.array([1.0, 2.0, -999.0, 4.0])
    masked = numpy.ma.masked_equal(x, -999.0)
    close(masked.mean(), 7 / 3)
    masked = numpy.ma.masked_array(x, mask=x < 0)
    assert masked.count() == 3
    close(np.array(masked.filled(0)).sum(), 7)
    masked = numpy.ma.masked_invalid(np.array([1.0, np.nan, 3.0]))
    close(masked.sum(), 4)


def program_records_of_columns():
    name = ["Ann", "Bob", "Cid", "Dee"]
    data = {"age": np.array([25, 45, 37, 19]), "weight": np.array([55.0, 85.5, 68.0, 61.5])}
    young = data["age"] < 30
    assert [n for n, y in zip(name, young) if y] == ["Ann", "Dee"]
    order = np.lexsort((data["weight"], data["age"] // 20))
    assert [name[i] for i in order] == ["Dee", "Ann", "Cid", "Bob"]
    record = numpy.zeros(4, dtype=[("age", "i4"), ("weight", "f8")])
    record["age"] = data["age"]
    record["weight"] = data["weight"]
    close(np.array(record["weight"]).mean(), 67.5)
    table = np.array(record["age"]) * 2
    equal(table, [50, 90, 74, 38])


def program_logistic_map():
    r = np.linspace(2.5, 4.0, 7)
    x = 1e-1 * np.ones(7)
    for _ in range(300):
        x = r * x * (1 - x)
    close(x[0], 1 - 1 / 2.5, atol=1e-4)
    close(x[1], 1 - 1 / 2.75, atol=1e-4)
    assert bool(((x > 0) & (x < 1))[:-1].all())


def program_coordinates():
    lat = np.radians(np.array([52.52, 48.85]))
    lon = np.deg2rad(np.array([13.405, 2.35]))
    dlat, dlon = lat[1] - lat[0], lon[1] - lon[0]
    a = np.sin(dlat / 2) ** 2 + np.cos(lat[0]) * np.cos(lat[1]) * np.sin(dlon / 2) ** 2
    km = 2 * 6371 * np.arcsin(np.sqrt(a))
    close(km, 878, atol=2)
    r, theta = np.hypot(3.0, 4.0), np.arctan2(4.0, 3.0)
    close([r * np.cos(theta), r * np.sin(theta)], [3, 4])
    equal(np.round(np.degrees(np.array([np.pi, np.pi / 2]))), [180, 90])
