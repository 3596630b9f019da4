"""Longer programs of NumPy's tutorials and handbooks: fits, images, games, networks by hand."""

import numpy
import ember_ml as np
from check import close, equal


def program_static_equilibrium():
    forceA = np.array([1, 0, 0])
    forceB = np.array([0, 1, 0])
    equal(forceA + forceB, [1, 1, 0])
    r = np.array([0.0, 0.0, 10.0])
    moment = np.cross(r, np.array([3.0, 4.0, 0.0]))
    close(moment, [-40, 30, 0])
    direction = moment / np.linalg.norm(moment)
    close(np.dot(direction, direction), 1)
    # A mast with three cables: the tensions balance a load.
    top = np.array([0.0, 0.0, 12.0])
    anchors = np.array([[6.0, 0.0, 0.0], [-3.0, 4.0, 0.0], [-3.0, -4.0, 0.0]])
    units = (anchors - top) / np.linalg.norm(anchors - top, axis=1)[:, None]
    load = np.array([0.0, 0.0, -100.0])
    tensions = np.linalg.solve(units.T, load)
    assert (tensions > 0).all()
    close(tensions @ units, load, atol=1e-3)


def program_growth_law():
    year = np.arange(1970, 1990)
    count = 2000.0 * np.exp(0.35 * (year - 1970))
    Z = (year - 1970)[:, np.newaxis] ** [1, 0]
    model, residual, rank, s = np.linalg.lstsq(Z.astype(float), np.log(count), rcond=None)
    close(model, [0.35, numpy.log(2000)], rtol=1e-3)
    assert rank == 2
    A, B = np.polyfit(year - 1970, np.log(count), 1)
    close(np.exp(B), 2000, rtol=1e-3)
    close(np.log(2) / A, numpy.log(2) / 0.35, rtol=1e-3)


def program_air_quality():
    pm = np.array([12.0, np.nan, 40.5, 90.0, 130.0, np.nan, 35.4])
    missing = np.isnan(pm)
    assert missing.sum() == 2
    known = pm[~missing]
    filled = np.where(missing, known.mean(), pm)
    close(filled.mean(), known.mean())
    breakpoints = np.array([0, 51, 101, 151, 201])
    values = np.array([0, 12.1, 35.5, 55.5, 150.5])
    index = np.interp(filled, values, breakpoints)
    close(index[0], 12 / 12.1 * 51, rtol=1e-3)
    names = ["good", "moderate", "sensitive", "unhealthy", "bad"]
    category = [names[i] for i in np.digitize(index, breakpoints) - 1]
    assert category[0] == "good" and category[3] == "unhealthy"
    before, after = np.array([4.0, 5.0, 6.0, 7.0]), np.array([2.0, 3.0, 4.5, 5.0])
    t = (after.mean() - before.mean()) / np.sqrt(
        before.var(ddof=1) / len(before) + after.var(ddof=1) / len(after)
    )
    from scipy import stats

    close(t, stats.ttest_ind([2, 3, 4.5, 5], [4, 5, 6, 7], equal_var=False).statistic, rtol=1e-3)


def program_newton_fractal():
    y, x = np.mgrid[-1.5:1.5:9j, -1.5:1.5:9j]
    z = x + 1j * y
    z[z == 0] = 1e-3
    for _ in range(40):
        z = z - (z**3 - 1) / (3 * z**2)
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    which = np.abs(z[..., None] - roots).argmin(axis=-1)
    assert which.shape == (9, 9)
    assert which[4, 8] == 0
    close(np.abs(z**3 - 1).max(), 0, atol=1e-3)


def program_julia_set():
    def julia(mesh, c=-0.1 + 0.65j, steps=12, radius=2):
        z = mesh.copy()
        escaped = np.zeros(z.shape, dtype=int)
        for _ in range(steps):
            inside = np.abs(z) < radius
            z[inside] = z[inside] ** 2 + c
            escaped[inside] += 1
        return escaped

    x, y = np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-1, 1, 5))
    found = julia(x + 1j * y)
    mesh = numpy.linspace(-1.5, 1.5, 7)[None] + 1j * numpy.linspace(-1, 1, 5)[:, None]
    expected = numpy.zeros(mesh.shape, int)
    for i in numpy.ndindex(mesh.shape):
        z = complex(mesh[i])
        for _ in range(12):
            if abs(z) >= 2:
                break
            z = z * z - 0.1 + 0.65j
            expected[i] += 1
    equal(found, expected)


def program_image_svd():
    rng = numpy.random.default_rng(0)
    img = np.array(rng.random((3, 6, 5)))
    U, s, Vt = np.linalg.svd(img)
    assert U.shape == (3, 6, 6) and s.shape == (3, 5) and Vt.shape == (3, 5, 5)
    Sigma = np.zeros((3, 6, 5))
    for j in range(3):
        np.fill_diagonal(Sigma[j], s[j])
    Sigma = np.zeros((3, 6, 5))
    Sigma[:, np.arange(5), np.arange(5)] = s
    close(U @ Sigma @ Vt, img, atol=1e-5)
    k = 2
    approx = U @ Sigma[..., :k] @ Vt[..., :k, :]
    error = np.linalg.norm(img - approx, axis=(1, 2))
    close(error, np.sqrt((s[:, k:] ** 2).sum(axis=1)), rtol=1e-3)
    gray = np.transpose(img, (1, 2, 0)) @ [0.2126, 0.7152, 0.0722]
    assert gray.shape == (6, 5)


def program_vector_quantization():
    observation = np.array([111.0, 188.0])
    codes = np.array([[102.0, 203.0], [132.0, 193.0], [45.0, 155.0], [57.0, 173.0]])
    diff = codes - observation
    dist = np.sqrt(np.sum(diff**2, axis=-1))
    assert np.argmin(dist) == 0
    close(dist, numpy.hypot([9, 21, 66, 54], [15, 5, 33, 15]))


def program_best_trade():
    prices = np.array([20.0, 18, 14, 17, 20, 21, 15, 18, 11, 13])
    low = np.minimum.accumulate(prices)
    profit = prices - low
    assert np.max(profit) == 7 and np.argmax(profit) == 5
    peak = np.maximum.accumulate(prices)
    drawdown = (prices - peak) / peak
    close(drawdown.min(), (11 - 21) / 21)


def program_amortization():
    rate, n, principal = 0.05 / 12, 24, 10000.0
    payment = principal * rate / (1 - (1 + rate) ** -n)
    periods = np.arange(1, n + 1)
    balance = principal * (1 + rate) ** periods - payment * ((1 + rate) ** periods - 1) / rate
    interest = rate * np.concatenate([[principal], balance[:-1]])
    paid = payment - interest
    close(balance[-1], 0, atol=1)  # the difference of two numbers of about 11,000
    close(paid.sum(), principal, rtol=1e-4)
    assert bool(np.all(np.diff(interest) < 0))


def program_sort_by_hand():
    def selection_sort(x):
        for i in range(len(x)):
            swap = i + np.argmin(x[i:])
            (x[i], x[swap]) = (x[swap], x[i])
        return x

    equal(selection_sort(np.array([2, 1, 4, 3, 5])), [1, 2, 3, 4, 5])
    x = np.array([5, 3, 8, 1])
    for end in range(len(x) - 1, 0, -1):
        for i in range(end):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = int(x[i + 1]), int(x[i])
    equal(x, [1, 3, 5, 8])


def program_histogram_by_hand():
    rng = numpy.random.default_rng(4)
    x = np.array(rng.normal(size=100))
    bins = np.linspace(-5, 5, 20)
    counts = np.zeros_like(bins)
    i = np.searchsorted(bins, x)
    np.add.at(counts, i, 1)
    expected = numpy.histogram(numpy.asarray(x), numpy.linspace(-5, 5, 20))[0]
    equal(counts[1:], expected)


def program_nearest_by_partition():
    rng = numpy.random.default_rng(42)
    points = rng.random((10, 2))
    X = np.array(points)
    dist_sq = np.sum((X[:, np.newaxis, :] - X[np.newaxis, :, :]) ** 2, axis=-1)
    close(dist_sq.diagonal(), numpy.zeros(10))
    K = 2
    nearest_partition = np.argpartition(dist_sq, K + 1, axis=1)
    expected = numpy.argsort(((points[:, None] - points[None]) ** 2).sum(-1), axis=1)[:, :3]
    for i in range(10):
        assert set(nearest_partition[i, : K + 1].tolist()) == set(expected[i].tolist())


def program_rain_with_masks():
    inches = np.array([0, 0.2, 0.0, 1.1, 0.5, 0.7, 0, 2.0, 0.1, 0])
    assert np.sum((inches > 0.3) & (inches < 1)) == 2
    assert np.sum(~((inches <= 0.3) | (inches >= 1))) == 2
    assert np.count_nonzero(inches == 0) == 4
    rainy = inches > 0
    summer = np.arange(10) >= 6
    close(np.median(inches[rainy]), 0.6)
    close(np.max(inches[rainy & summer]), 2)
    close(np.median(inches[rainy & ~summer]), 0.6)
    assert np.any(inches > 1.5) and not np.all(rainy)
    close(
        np.percentile(inches, [25, 50, 75]), numpy.percentile(numpy.asarray(inches), [25, 50, 75])
    )


def program_boids():
    rng = numpy.random.default_rng(1)
    position = np.array(rng.random((20, 2)))
    velocity = np.array(rng.normal(size=(20, 2)))
    p, v = numpy.array(position, dtype=float), numpy.array(velocity, dtype=float)

    def rules(xp, position, velocity):
        delta = position[None, :, :] - position[:, None, :]
        distance = xp.sqrt((delta**2).sum(-1))
        near = (distance > 0) & (distance < 0.3)
        count = xp.maximum(near.sum(axis=1), 1).reshape(-1, 1)
        alignment = xp.where(near[..., None], velocity[None], 0.0).sum(axis=1) / count
        cohesion = xp.where(near[..., None], delta, 0.0).sum(axis=1) / count
        velocity = velocity + 0.1 * alignment + 0.05 * cohesion
        speed = xp.sqrt((velocity**2).sum(axis=1, keepdims=True))
        velocity = velocity / xp.maximum(speed, 1e-6)
        return (position + 0.01 * velocity) % 1.0, velocity

    for _ in range(3):
        position, velocity = rules(np, position, velocity)
        p, v = rules(numpy, p, v)
    close(position, p, atol=1e-3)


def program_lstm_by_hand():
    rng = numpy.random.default_rng(0)
    hidden, size = 4, 3
    W = {g: np.array(0.5 * rng.normal(size=(hidden, hidden + size))) for g in "fico"}
    b = {g: np.zeros((hidden, 1)) for g in "fico"}

    def sigmoid(x):
        n = np.exp(np.fmin(x, 0))
        d = 1 + np.exp(-np.abs(x))
        return n / d

    def forward(x, h, c):
        concat = np.vstack((h, x))
        f = sigmoid(W["f"].dot(concat) + b["f"])
        i = sigmoid(W["i"].dot(concat) + b["i"])
        g = np.tanh(W["c"].dot(concat) + b["c"])
        o = sigmoid(W["o"].dot(concat) + b["o"])
        c = f * c + i * g
        return o * np.tanh(c), c

    h, c = np.zeros((hidden, 1)), np.zeros((hidden, 1))
    for t in range(3):
        h, c = forward(np.ones((size, 1)) * t, h, c)
    w = {g: numpy.asarray(W[g], dtype=float) for g in "fico"}
    hidden_state, memory = numpy.zeros(hidden), numpy.zeros(hidden)
    for t in range(3):
        row = numpy.append(hidden_state, numpy.full(size, t))
        gates = {g: 1 / (1 + numpy.exp(-w[g] @ row)) for g in "fio"}
        memory = gates["f"] * memory + gates["i"] * numpy.tanh(w["c"] @ row)
        hidden_state = gates["o"] * numpy.tanh(memory)
    close(h[:, 0], hidden_state)


def program_network_with_backpropagation():
    rng = numpy.random.default_rng(1)
    labels = numpy.arange(40) % 2
    images = rng.normal(size=(40, 6)) * 0.2
    images[numpy.arange(40), labels] += 1
    images, targets = np.array(images), np.eye(2)[labels]

    def relu(x):
        return (x >= 0) * x

    def relu2deriv(output):
        return output >= 0

    weights_1 = np.array(0.4 * rng.random((6, 8)) - 0.2)
    weights_2 = np.array(0.4 * rng.random((8, 2)) - 0.2)
    for _ in range(10):
        accurate, loss = 0, 0.0
        for i in range(len(images)):
            layer_0 = images[i]
            layer_1 = np.dot(layer_0, weights_1)
            layer_1 = relu(layer_1)
            layer_2 = np.dot(layer_1, weights_2)
            loss += np.sum((targets[i] - layer_2) ** 2)
            accurate += int(np.argmax(layer_2) == np.argmax(targets[i]))
            delta_2 = targets[i] - layer_2
            delta_1 = np.dot(weights_2, delta_2) * relu2deriv(layer_1)
            weights_1 += 0.05 * np.outer(layer_0, delta_1)
            weights_2 += 0.05 * np.outer(layer_1, delta_2)
    assert accurate == 40
    assert loss < 10


def program_discounted_rewards():
    def discount_rewards(r, gamma=0.9):
        discounted_r = np.zeros_like(r)
        running_add = 0
        for t in reversed(range(0, r.size)):
            if r[t] != 0:
                running_add = 0
            running_add = running_add * gamma + r[t]
            discounted_r[t] = running_add
        return discounted_r

    got = discount_rewards(np.array([0.0, 0.0, 1.0, 0.0, -1.0]))
    close(got, [0.81, 0.9, 1.0, -0.9, -1.0])
    got -= np.mean(got)
    got /= np.std(got)
    close(got.std(), 1)


def program_sobel_and_thresholds():
    image = np.zeros((8, 8))
    image[2:6, 2:6] = 200.0
    padded = np.pad(image, 1, mode="edge")
    gx = padded[1:-1, 2:] - padded[1:-1, :-2]
    gy = padded[2:, 1:-1] - padded[:-2, 1:-1]
    magnitude = np.hypot(gx, gy)
    magnitude *= 255.0 / magnitude.max()
    assert magnitude.max() == 255
    edges = np.where(magnitude > 100, 1, 0).astype(np.uint8)
    assert edges[3, 3] == 0 and edges[3, 2] == 1
    from scipy import ndimage

    close(ndimage.sobel(image), ndimage.sobel(numpy.asarray(image)))
    masked = np.where(image > 150, image, 0)
    assert masked.sum() == 16 * 200


def program_cumulative_grid_paths():
    grid = np.ones((5, 5), dtype=int)
    for i in range(1, 5):
        grid[i] = np.cumsum(grid[i - 1])
    assert grid[4, 4] == 70
    cost = np.array([[1, 3, 1], [1, 5, 1], [4, 2, 1]])
    best = np.zeros_like(cost)
    for i in range(3):
        for j in range(3):
            ways = []
            if i:
                ways.append(best[i - 1, j])
            if j:
                ways.append(best[i, j - 1])
            best[i, j] = cost[i, j] + (min(ways) if ways else 0)
    assert best[-1, -1] == 7


def program_sentence_counts():
    text = "the cat saw the dog and the dog ran"
    words = text.split()
    vocabulary = sorted(set(words))
    ids = np.array([vocabulary.index(w) for w in words])
    counts = np.bincount(ids, minlength=len(vocabulary))
    assert vocabulary[int(counts.argmax())] == "the"
    order = np.argsort(-counts, kind="stable")
    assert [vocabulary[i] for i in order[:2]] == ["the", "dog"]
    pairs = np.zeros((len(vocabulary), len(vocabulary)), dtype=int)
    np.add.at(pairs, (ids[:-1], ids[1:]), 1)
    assert pairs.sum() == 8
    assert pairs[vocabulary.index("the"), vocabulary.index("dog")] == 2
