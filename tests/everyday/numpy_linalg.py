"""Linear algebra and what is made of it: regression, components, chains, ranks."""

import numpy
import ember_ml as np
from check import close, equal


def program_solve_a_system():
    a = np.array([[3.0, 1.0, -1.0], [2.0, 4.0, 1.0], [-1.0, 2.0, 5.0]])
    b = np.array([4.0, 1.0, 1.0])
    x = np.linalg.solve(a, b)
    close(x, [2, -1, 1])
    close(a @ x, b)
    close(np.linalg.det(a), 35)
    close(np.linalg.inv(a) @ a, np.eye(3))
    close(np.trace(a), 12)
    assert np.linalg.matrix_rank(a) == 3
    close(np.linalg.norm(b), numpy.sqrt(18))
    close(np.linalg.norm(a, axis=1), numpy.sqrt([11, 21, 30]))
    try:
        float(np.linalg.inv(np.ones((2, 2))).sum())
    except np.linalg.LinAlgError:
        pass
    else:
        raise AssertionError("a singular matrix was inverted")


def program_normal_equations():
    x = np.linspace(0, 1, 20)
    y = 3 * x + 2 + 0.1 * np.cos(40 * x)
    X = np.c_[np.ones(20), x]
    theta = np.linalg.inv(X.T.dot(X)).dot(X.T).dot(y)
    slope, intercept = numpy.polyfit(numpy.linspace(0, 1, 20), numpy.asarray(y), 1)
    close(theta, [intercept, slope])
    solution, residuals, rank, singular = np.linalg.lstsq(X, y, rcond=None)
    close(solution, theta)
    assert rank == 2
    close(np.linalg.pinv(X) @ y, theta)


def program_fit_a_polynomial():
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    y = x**2 - 2 * x + 3
    coefficients = np.polyfit(x, y, 2)
    close(coefficients, [1, -2, 3], atol=1e-3)
    close(np.polyval(coefficients, np.array([6.0])), [27], atol=1e-2)
    close(np.sort(np.roots([1, -3, 2])), [1, 2])
    close(np.vander(np.array([1.0, 2.0, 3.0]), 3), [[1, 1, 1], [4, 2, 1], [9, 3, 1]])


def program_polynomial_object():
    p = np.poly1d([1, -3, 2])
    close(p(np.array([0.0, 1.0, 4.0])), [2, 0, 6])


def program_principal_components():
    t = np.linspace(0, 2 * np.pi, 50)
    X = np.stack([3 * np.cos(t), 3 * np.cos(t) + 0.1 * np.sin(t), np.sin(5 * t)], axis=1)
    X_centered = X - X.mean(axis=0)
    U, S, Vt = np.linalg.svd(X_centered, full_matrices=False)
    explained = S**2 / np.sum(S**2)
    cov = numpy.cov(numpy.asarray(X, dtype=float).T)
    theirs = numpy.linalg.eigvalsh(cov)[::-1]
    close(explained, theirs / theirs.sum())
    projected = X_centered @ Vt[:2].T
    assert projected.shape == (50, 2)
    close(projected.var(axis=0) * 50 / 49, theirs[:2])
    close((U * S) @ Vt, X_centered, atol=1e-4)


def program_eigenvectors():
    a = np.array([[4.0, 1.0], [2.0, 3.0]])
    w, v = np.linalg.eig(a)
    close(np.sort(np.real(w)), [2, 5])
    close(a @ v, v * w)
    s = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]])
    values, vectors = np.linalg.eigh(s)
    close(values, [2 - numpy.sqrt(2), 2, 2 + numpy.sqrt(2)])
    close(vectors @ np.diag(values) @ vectors.T, s)


def program_power_iteration():
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    b = np.ones(2)
    for _ in range(30):
        b = a @ b
        b = b / np.linalg.norm(b)
    close(b @ a @ b, (5 + numpy.sqrt(5)) / 2)


def program_page_rank():
    links = {0: [1, 2], 1: [2], 2: [0], 3: [0, 2]}
    n = 4
    M = np.zeros((n, n))
    for page, targets in links.items():
        for target in targets:
            M[target, page] = 1 / len(targets)
    d = 0.85
    rank = np.ones(n) / n
    for _ in range(60):
        rank = (1 - d) / n + d * M @ rank
    m = numpy.array([[0, 0, 1, 0.5], [0.5, 0, 0, 0], [0.5, 1, 0, 0.5], [0, 0, 0, 0]])
    close(rank, numpy.linalg.solve(numpy.eye(n) - d * m, numpy.full(n, (1 - d) / n)))
    equal(np.argsort(rank)[::-1][0], 2)


def program_markov_chain():
    P = np.array([[0.9, 0.075, 0.025], [0.15, 0.8, 0.05], [0.25, 0.25, 0.5]])
    state = np.array([0.0, 1.0, 0.0])
    close(state @ np.linalg.matrix_power(P, 3), [0.3575, 0.56825, 0.07425])
    close(np.linalg.matrix_power(P, 200)[0], [0.625, 0.3125, 0.0625])
    values, vectors = np.linalg.eig(P.T)
    stationary = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    close(stationary / stationary.sum(), [0.625, 0.3125, 0.0625], atol=1e-4)


def program_gaussian_process():
    def kernel(a, b):
        return np.exp(-0.5 * (a[:, None] - b[None, :]) ** 2)

    X = np.array([-4.0, -3.0, -2.0, -1.0, 1.0])
    y = np.sin(X)
    Xs = np.linspace(-5, 5, 9)
    K = kernel(X, X) + 1e-4 * np.eye(len(X))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    mean = kernel(Xs, X) @ alpha
    v = np.linalg.solve(L, kernel(X, Xs))
    variance = np.diag(kernel(Xs, Xs)) - np.sum(v**2, axis=0)

    x = numpy.array([-4.0, -3, -2, -1, 1])
    xs = numpy.linspace(-5, 5, 9)
    k = numpy.exp(-0.5 * (x[:, None] - x) ** 2) + 1e-4 * numpy.eye(5)
    ks = numpy.exp(-0.5 * (xs[:, None] - x) ** 2)
    close(mean, ks @ numpy.linalg.solve(k, numpy.sin(x)), atol=1e-3)
    close(variance, 1 - (ks * numpy.linalg.solve(k, ks.T).T).sum(1), atol=1e-3)


def program_low_rank_image():
    y, x = np.meshgrid(np.arange(16), np.arange(12), indexing="ij")
    image = np.sin(x / 3) * np.cos(y / 4) + 0.1 * x
    U, s, Vt = np.linalg.svd(image)
    assert U.shape == (16, 16) and s.shape == (12,) and Vt.shape == (12, 12)
    k = 2
    compressed = U[:, :k] @ np.diag(s[:k]) @ Vt[:k, :]
    close(compressed, image, atol=1e-4)
    close(np.linalg.norm(image, "fro"), np.sqrt(np.sum(s**2)))


def program_matrix_factorization():
    target = np.array([[5.0, 3.0, 1.0], [4.0, 2.4, 0.8], [1.0, 0.6, 0.2], [2.0, 1.2, 0.4]])
    P = np.full((4, 1), 1.0)
    Q = np.full((3, 1), 0.5)
    for step in range(150):
        error = target - P @ Q.T
        P, Q = P + 0.02 * error @ Q, Q + 0.02 * error.T @ P
    close(P @ Q.T, target, atol=1e-2)


def program_gram_schmidt():
    A = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    Q = np.zeros((3, 3))
    for i in range(3):
        v = A[:, i]
        for j in range(i):
            v = v - np.dot(Q[:, j], A[:, i]) * Q[:, j]
        Q[:, i] = v / np.linalg.norm(v)
    close(Q.T @ Q, np.eye(3))
    q, r = np.linalg.qr(A)
    close(np.abs(q), np.abs(Q))
    close(q @ r, A)


def program_rotations():
    theta = np.radians(30)
    c, s = np.cos(theta), np.sin(theta)
    R = np.array([[c, -s], [s, c]])
    square = np.array([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    turned = R @ square
    close(turned[:, 1], [numpy.sqrt(3) / 2, 0.5])
    close(np.linalg.matrix_power(R, 12), np.eye(2))
    a = np.array([1.0, 0.0, 0.0])
    b = np.array([0.0, 1.0, 0.0])
    close(np.cross(a, b), [0, 0, 1])
    angle = np.degrees(np.arccos(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))))
    close(angle, 90)
    close(np.rad2deg(np.arctan2(1.0, 1.0)), 45)


def program_products():
    a = np.arange(6).reshape(2, 3)
    b = np.arange(12).reshape(3, 4)
    equal(np.einsum("ij,jk->ik", a, b), np.matmul(a, b))
    equal(np.einsum("ij->i", a), [3, 12])
    equal(np.einsum("ii", np.arange(9).reshape(3, 3)), 12)
    equal(np.einsum("i,j->ij", np.arange(3), np.arange(2)), np.outer(np.arange(3), np.arange(2)))
    equal(np.tensordot(a, b, axes=1), a @ b)
    equal(np.inner(np.array([1, 2, 3]), np.array([0, 1, 0])), 2)
    equal(np.vdot(np.array([1, 2]), np.array([3, 4])), 11)
    equal(np.kron(np.eye(2), np.ones((1, 2))), [[1, 1, 0, 0], [0, 0, 1, 1]])
    batch = np.arange(24).reshape(2, 3, 4)
    assert np.einsum("bij,bkj->bik", batch, batch).shape == (2, 3, 3)
    equal(np.einsum("...ij->...ji", batch), batch.transpose(0, 2, 1))
    equal(np.linalg.multi_dot([a, b, np.ones((4, 1))]), (a @ b).sum(axis=1, keepdims=True))


def program_fibonacci():
    F = np.array([[1, 1], [1, 0]])
    assert np.linalg.matrix_power(F, 30)[0, 1] == 832040
    n = np.arange(1, 11)
    phi = (1 + np.sqrt(5)) / 2
    fib = np.rint((phi**n - (-1 / phi) ** n) / np.sqrt(5))
    equal(fib, [1, 1, 2, 3, 5, 8, 13, 21, 34, 55])
