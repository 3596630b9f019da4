"""Machine learning by hand, in arrays alone."""

import numpy
import ember_ml as np
from check import close, equal


def blobs():
    """Three groups of twenty points, far apart."""
    rng = numpy.random.default_rng(0)
    centers = numpy.array([[0.0, 0.0], [5.0, 5.0], [0.0, 6.0]])
    points = centers.repeat(20, axis=0) + 0.4 * rng.normal(size=(60, 2))
    return points, numpy.arange(3).repeat(20)


def program_gradient_descent():
    x = np.linspace(-1, 1, 40)
    y = 2.5 * x - 0.75
    w, b, lr = 0.0, 0.0, 0.3
    n = len(x)
    for epoch in range(80):
        y_pred = w * x + b
        dw = (-2 / n) * np.sum(x * (y - y_pred))
        db = (-2 / n) * np.sum(y - y_pred)
        w = w - lr * dw
        b = b - lr * db
    close(w, 2.5, atol=1e-3)
    close(b, -0.75, atol=1e-3)


def program_logistic_regression():
    X0, labels = blobs()
    keep = labels < 2
    X = np.array(X0[keep])
    y = np.array(labels[keep].astype(float))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X = np.hstack([np.ones((X.shape[0], 1)), X])
    theta = np.zeros(X.shape[1])
    losses = []
    for _ in range(60):
        h = 1 / (1 + np.exp(-(X @ theta)))
        losses.append(-np.mean(y * np.log(h + 1e-9) + (1 - y) * np.log(1 - h + 1e-9)))
        theta -= 0.5 * X.T @ (h - y) / y.size
    close(losses[0], numpy.log(2), atol=1e-4)
    assert losses[-1] < 0.1
    assert np.mean((X @ theta > 0) == (y == 1)) == 1.0


def program_k_means():
    points, labels = blobs()
    X = np.array(points)
    centroids = X[[0, 20, 40]]
    for _ in range(6):
        distances = np.linalg.norm(X[:, np.newaxis] - centroids, axis=2)
        closest = np.argmin(distances, axis=1)
        centroids = np.array([X[closest == k].mean(axis=0) for k in range(3)])
    close(centroids, numpy.array([points[labels == k].mean(0) for k in range(3)]))
    equal(closest, labels)
    inertia = np.sum(np.min(distances, axis=1) ** 2)
    close(
        inertia,
        sum(((points[labels == k] - points[labels == k].mean(0)) ** 2).sum() for k in range(3)),
        rtol=1e-3,
    )


def program_nearest_neighbors():
    points, labels = blobs()
    X_train, y_train = np.array(points[::2]), np.array(labels[::2])
    X_test, y_test = np.array(points[1::2]), np.array(labels[1::2])
    dists = np.sqrt(((X_test[:, None, :] - X_train[None, :, :]) ** 2).sum(-1))
    nearest = np.argsort(dists, axis=1)[:, :5]
    votes = y_train[nearest]
    predictions = np.array([np.bincount(v).argmax() for v in votes])
    assert (predictions == y_test).mean() == 1.0
    one = np.argmax(np.bincount(votes[0]))
    assert one == y_test[0]


def program_naive_bayes():
    points, labels = blobs()
    X, y = np.array(points), np.array(labels)
    mean = np.array([X[y == c].mean(axis=0) for c in range(3)])
    var = np.array([X[y == c].var(axis=0) for c in range(3)])
    log_likelihood = -0.5 * np.sum(
        np.log(2 * np.pi * var)[None] + (X[:, None] - mean[None]) ** 2 / var[None], axis=2
    )
    equal(np.argmax(log_likelihood + np.log(1 / 3), axis=1), labels)


def program_perceptron():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 0, 0, 1])
    w = np.zeros(2)
    b = 0.0
    for _ in range(10):
        for xi, target in zip(X, y):
            output = 1 if np.dot(w, xi) + b > 0 else 0
            update = 0.5 * (target - output)
            w += update * xi
            b += update
    equal((X @ w + b > 0).astype(int), [0, 0, 0, 1])


def program_network_for_xor():
    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([[0.0], [1.0], [1.0], [0.0]])
    W1 = np.array([[2.0, -1.5, 1.0], [-2.0, 1.0, 1.5]])
    b1 = np.zeros((1, 3))
    W2 = np.array([[1.0], [1.0], [-1.0]])
    b2 = np.zeros((1, 1))
    for _ in range(150):
        a1 = sigmoid(X @ W1 + b1)
        a2 = sigmoid(a1 @ W2 + b2)
        d2 = a2 - y
        d1 = (d2 @ W2.T) * a1 * (1 - a1)
        W2 -= 1.0 * a1.T @ d2
        b2 -= 1.0 * np.sum(d2, axis=0, keepdims=True)
        W1 -= 1.0 * X.T @ d1
        b1 -= 1.0 * np.sum(d1, axis=0, keepdims=True)
    equal(np.round(a2), y)


def program_softmax_regression():
    def softmax(z):
        e = np.exp(z - np.max(z, axis=1, keepdims=True))
        return e / np.sum(e, axis=1, keepdims=True)

    points, labels = blobs()
    X = np.c_[np.array(points), np.ones(60)]
    Y = np.eye(3)[labels]
    W = np.zeros((3, 3))
    for _ in range(60):
        P = softmax(X @ W)
        W -= 0.1 * X.T @ (P - Y) / len(X)
    loss = -np.mean(np.sum(Y * np.log(P), axis=1))
    assert loss < 0.35
    assert np.mean(np.argmax(P, axis=1) == np.array(labels)) > 0.95
    close(softmax(np.array([[1.0, 2.0, 3.0]])), [[0.09003057, 0.24472847, 0.66524096]])
    close(P.sum(axis=1), numpy.ones(60))


def program_ridge():
    x = np.linspace(-1, 1, 15)
    X = np.vander(x, 4, increasing=True)
    y = np.sin(2 * x)
    lam = 0.1
    w = np.linalg.solve(X.T @ X + lam * np.eye(4), X.T @ y)
    v = numpy.vander(numpy.linspace(-1, 1, 15), 4, increasing=True)
    close(
        w,
        numpy.linalg.solve(
            v.T @ v + lam * numpy.eye(4), v.T @ numpy.sin(2 * numpy.linspace(-1, 1, 15))
        ),
        atol=1e-4,
    )
    ss_res = np.sum((y - X @ w) ** 2)
    ss_tot = np.sum((y - np.mean(y)) ** 2)
    assert 1 - ss_res / ss_tot > 0.98


def program_confusion_matrix():
    y_true = np.array([0, 1, 2, 2, 1, 0, 2])
    y_pred = np.array([0, 2, 2, 2, 1, 0, 1])
    cm = np.zeros((3, 3), dtype=int)
    for t, p in zip(y_true, y_pred):
        cm[t, p] += 1
    equal(cm, [[2, 0, 0], [0, 1, 1], [0, 1, 2]])
    accuracy = np.trace(cm) / np.sum(cm)
    close(accuracy, 5 / 7)
    precision = np.diag(cm) / cm.sum(axis=0)
    recall = np.diag(cm) / cm.sum(axis=1)
    close(precision, [1, 0.5, 2 / 3])
    close(2 * precision * recall / (precision + recall), [1, 0.5, 2 / 3])


def program_roc_curve():
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.4])
    truth = np.array([1, 1, 0, 1, 0, 0])
    order = np.argsort(scores)[::-1]
    truth = truth[order]
    tpr = np.cumsum(truth) / truth.sum()
    fpr = np.cumsum(1 - truth) / (1 - truth).sum()
    tpr = np.concatenate(([0], tpr))
    fpr = np.concatenate(([0], fpr))
    close(np.trapezoid(tpr, fpr), 8 / 9)


def program_gaussian_mixture():
    rng = numpy.random.default_rng(1)
    x = np.array(numpy.concatenate([rng.normal(-2, 0.5, 60), rng.normal(3, 1.0, 40)]))
    mu, sigma, pi = np.array([-1.0, 1.0]), np.array([1.0, 1.0]), np.array([0.5, 0.5])
    for _ in range(15):
        p = pi * np.exp(-0.5 * ((x[:, None] - mu) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
        r = p / p.sum(axis=1, keepdims=True)
        n = r.sum(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / n
        sigma = np.sqrt((r * (x[:, None] - mu) ** 2).sum(axis=0) / n)
        pi = n / len(x)
    close(pi, [0.6, 0.4], atol=0.03)
    close(mu, [-2, 3], atol=0.4)


def program_word_vectors():
    docs = [[1, 0, 2, 0], [0, 1, 1, 1], [2, 0, 4, 0]]
    counts = np.array(docs)
    tf = counts / counts.sum(axis=1, keepdims=True)
    idf = np.log(counts.shape[0] / (counts > 0).sum(axis=0))
    tfidf = tf * idf
    similarity = tfidf @ tfidf.T
    norms = np.linalg.norm(tfidf, axis=1)
    cosine = similarity / np.outer(norms, norms)
    close(cosine[0, 2], 1)
    close(np.diag(cosine), [1, 1, 1])
    assert cosine[0, 1] < 0.5


def program_forward_algorithm():
    A = np.array([[0.7, 0.3], [0.4, 0.6]])
    B = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    start = np.array([0.6, 0.4])
    observations = [0, 1, 2]
    alpha = start * B[:, observations[0]]
    for o in observations[1:]:
        alpha = (alpha @ A) * B[:, o]
    close(alpha.sum(), 0.03628, atol=1e-6)
    delta = np.log(start) + np.log(B[:, observations[0]])
    back = []
    for o in observations[1:]:
        scores = delta[:, None] + np.log(A)
        back.append(np.argmax(scores, axis=0))
        delta = np.max(scores, axis=0) + np.log(B[:, o])
    path = [int(np.argmax(delta))]
    for pointers in reversed(back):
        path.insert(0, int(pointers[path[0]]))
    assert path == [0, 0, 1]
    close(np.exp(delta.max()), 0.01512, atol=1e-6)


def program_mini_batches():
    rng = np.random.default_rng(0)
    X = np.array(numpy.random.default_rng(2).normal(size=(64, 3)))
    true_w = np.array([1.0, -2.0, 0.5])
    y = X @ true_w
    w = np.zeros(3)
    for epoch in range(12):
        idx = rng.permutation(len(X))
        for start in range(0, len(X), 16):
            batch = idx[start : start + 16]
            xb, yb = X[batch], y[batch]
            grad = 2 / len(xb) * xb.T @ (xb @ w - yb)
            w = w - 0.2 * grad
    close(w, [1, -2, 0.5], atol=1e-2)


def program_bandit():
    np.random.seed(3)
    probabilities = np.array([0.2, 0.5, 0.8])
    counts = np.zeros(3)
    values = np.zeros(3)
    for step in range(60):
        arm = np.random.randint(3) if step < 15 else int(np.argmax(values))
        reward = 1.0 if np.random.rand() < probabilities[arm] else 0.0
        counts[arm] += 1
        values[arm] += (reward - values[arm]) / counts[arm]
    assert counts.sum() == 60
    assert values.min() >= 0 and values.max() <= 1


def program_value_iteration():
    # Four states in a chain; moving right from the third to the last state has reward 1.
    P = np.zeros((2, 4, 4))
    for s in range(3):
        P[0, s, max(s - 1, 0)] = 1
        P[1, s, s + 1] = 1
    P[:, 3, 3] = 1
    R = np.zeros((2, 4))
    R[1, 2] = 1
    V = np.zeros(4)
    for _ in range(20):
        Q = R + 0.9 * np.einsum("aij,j->ai", P, V)
        V = Q.max(axis=0)
    close(V, [0.81, 0.9, 1, 0])
    equal(Q.argmax(axis=0)[:3], [1, 1, 1])


def program_kalman_filter():
    z = np.array([1.1, 1.9, 3.2, 3.9, 5.1])
    F = np.array([[1.0, 1.0], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q, R = 0.01 * np.eye(2), np.array([[0.1]])
    x, P = np.zeros((2, 1)), 10 * np.eye(2)
    for k in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z[k] - H @ x)
        P = (np.eye(2) - K @ H) @ P
    close(x[:, 0], [5, 1], atol=0.15)
