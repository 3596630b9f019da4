"""NumPy programs on data: tables, strategies, images, tests of hypotheses, simulations."""

import numpy
import ember_ml as np
from check import close, equal


def program_regression_with_intervals():
    rng = numpy.random.default_rng(7)
    xs = numpy.linspace(0, 10, 30)
    ys = 1.5 * xs + 4 + rng.normal(size=30)
    x, y = np.array(xs), np.array(ys)
    n = x.size
    slope = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    intercept = y.mean() - slope * x.mean()
    residuals = y - (slope * x + intercept)
    error = np.sqrt(np.sum(residuals**2) / (n - 2) / np.sum((x - x.mean()) ** 2))
    from scipy import stats

    expected = stats.linregress(xs, ys)
    close([slope, intercept, error], [expected.slope, expected.intercept, expected.stderr])
    r = np.corrcoef(x, y)[0, 1]
    close(r, expected.rvalue)


def program_permutation_test():
    a = np.array([12.1, 14.3, 13.8, 15.0, 14.4])
    b = np.array([11.0, 11.5, 12.0, 10.9, 11.7])
    observed = a.mean() - b.mean()
    pooled = np.concatenate([a, b])
    rng = np.random.default_rng(0)
    count = 0
    for _ in range(200):
        mixed = rng.permutation(pooled)
        count += int(mixed[:5].mean() - mixed[5:].mean() >= observed)
    assert count / 200 < 0.05


def program_chi_square_and_entropy():
    observed = np.array([[20, 30], [30, 20]])
    total = observed.sum()
    expected = observed.sum(axis=1, keepdims=True) * observed.sum(axis=0) / total
    chi2 = ((observed - expected) ** 2 / expected).sum()
    close(chi2, 4)
    p = np.array([0.5, 0.25, 0.25])
    close(-np.sum(p * np.log2(p)), 1.5)
    q = np.full(3, 1 / 3)
    close(np.sum(p * np.log(p / q)), numpy.log(3) - 1.5 * numpy.log(2))


def program_mutual_information():
    rng = numpy.random.default_rng(0)
    xs = rng.normal(size=500)
    ys = xs + 0.1 * rng.normal(size=500)
    counts, xe, ye = np.histogram2d(np.array(xs), np.array(ys), bins=5)
    p = counts / counts.sum()
    px, py = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    nonzero = p > 0
    information = np.sum(p[nonzero] * np.log(p[nonzero] / (px * py)[nonzero]))
    h = numpy.histogram2d(xs, ys, bins=5)[0] / 500
    outer = h.sum(1, keepdims=True) * h.sum(0, keepdims=True)
    m = h > 0
    close(information, (h[m] * numpy.log(h[m] / outer[m])).sum())


def program_mahalanobis_and_whitening():
    rng = numpy.random.default_rng(3)
    a = rng.normal(size=(60, 2)) @ [[2.0, 0.0], [1.0, 0.5]]
    x = np.array(a)
    cov = np.cov(x, rowvar=False)
    centered = x - x.mean(axis=0)
    d = np.sqrt(np.einsum("ij,jk,ik->i", centered, np.linalg.inv(cov), centered))
    from scipy.spatial.distance import mahalanobis

    inverse = numpy.linalg.inv(numpy.cov(a, rowvar=False))
    close(d[:3], [mahalanobis(row, a.mean(0), inverse) for row in a[:3]], rtol=1e-3)
    w, v = np.linalg.eigh(cov)
    white = centered @ v / np.sqrt(w)
    close(np.cov(white.T), numpy.eye(2), atol=1e-3)


def program_kernel_density():
    data = np.array([-1.0, 0.0, 0.2, 2.0])
    grid = np.linspace(-6, 6, 601)
    h = 0.5
    kernels = np.exp(-0.5 * ((grid[:, None] - data) / h) ** 2) / (h * np.sqrt(2 * np.pi))
    density = kernels.mean(axis=1)
    close(np.trapezoid(density, grid), 1, atol=1e-4)
    assert abs(grid[density.argmax()].item()) < 0.3
    cdf = np.cumsum(density) * (grid[1] - grid[0])
    close(np.interp(0.5, cdf, grid), grid[np.searchsorted(cdf, 0.5)], atol=0.03)


def program_empirical_distribution():
    sample = np.array([3.0, 1.0, 2.0, 2.0])
    xs = np.sort(sample)
    ecdf = np.arange(1, xs.size + 1) / xs.size
    close(ecdf[np.searchsorted(xs, 2.0, side="right") - 1], 0.75)
    values, counts = np.unique(sample, return_counts=True)
    equal(values[counts == counts.max()], [2])
    close(np.quantile(sample, [0.1, 0.9]), numpy.quantile([3.0, 1, 2, 2], [0.1, 0.9]))
    close(np.average(sample, weights=np.array([1, 2, 3, 4])), (3 + 2 + 6 + 8) / 10)


def program_rolling_statistics():
    prices = np.array([10.0, 11.0, 12.0, 11.0, 13.0, 15.0])
    window = 3
    sums = np.cumsum(np.insert(prices, 0, 0.0))
    means = (sums[window:] - sums[:-window]) / window
    close(means, [11, 34 / 3, 12, 13])
    close(np.convolve(prices, np.ones(3) / 3, mode="valid"), means)
    index = np.arange(4)[:, None] + np.arange(3)
    close(prices[index].std(axis=1, ddof=1), [1, 0.5773503, 1, 2])
    returns = np.diff(prices) / prices[:-1]
    growth = np.cumprod(1 + returns)
    close(growth[-1], 1.5)
    alpha, ema = 0.5, [prices[0]]
    for p in prices[1:]:
        ema.append(alpha * p + (1 - alpha) * ema[-1])
    close(np.stack(ema)[-1], 13.53125)


def program_backtest():
    rng = numpy.random.default_rng(11)
    steps = rng.normal(0.001, 0.01, 120)
    price = np.array(100 * numpy.exp(numpy.cumsum(steps)))
    fast = np.convolve(price, np.ones(5) / 5, mode="valid")[15:]
    slow = np.convolve(price, np.ones(20) / 20, mode="valid")
    position = np.where(fast > slow, 1, 0)
    returns = np.diff(np.log(price))[-len(position) + 1 :]
    strategy = position[:-1] * returns
    p = 100 * numpy.exp(numpy.cumsum(steps))
    f = numpy.convolve(p, numpy.ones(5) / 5, "valid")[15:]
    s = numpy.convolve(p, numpy.ones(20) / 20, "valid")
    held = (f > s).astype(int)
    expected = held[:-1] * numpy.diff(numpy.log(p))[-len(held) + 1 :]
    close(strategy.sum(), expected.sum(), atol=1e-4)
    changes = np.flatnonzero(np.diff(position))
    equal(changes, numpy.flatnonzero(numpy.diff(held)))


def program_portfolio():
    cov = np.array([[0.04, 0.01], [0.01, 0.09]])
    mean = np.array([0.08, 0.12])
    inv = np.linalg.inv(cov)
    ones = np.ones(2)
    w = inv @ ones / (ones @ inv @ ones)
    close(w.sum(), 1)
    close(w, [8 / 11, 3 / 11])
    close(np.sqrt(w @ cov @ w), numpy.sqrt(0.035 / 1.1), rtol=1e-4)
    grid = np.linspace(0, 1, 11)
    weights = np.column_stack([grid, 1 - grid])
    risk = np.sqrt(np.einsum("ni,ij,nj->n", weights, cov, weights))
    assert grid[risk.argmin()].item() in (numpy.float32(0.7), 0.7)
    close(weights @ mean, 0.12 - 0.04 * numpy.linspace(0, 1, 11))


def program_queue_simulation():
    arrivals = np.cumsum(np.array([0.0, 1.0, 1.0, 3.0, 0.5]))
    service = np.array([2.0, 2.0, 1.0, 1.0, 1.0])
    finish = np.zeros(5)
    for i in range(5):
        start = arrivals[i] if i == 0 else np.maximum(arrivals[i], finish[i - 1])
        finish[i] = start + service[i]
    close(finish, [2, 4, 5, 6, 7])
    close((finish - service - arrivals).mean(), (0 + 1 + 2 + 0 + 0.5) / 5)


def program_epidemic():
    S, I, R = 990.0, 10.0, 0.0
    history = np.empty((40, 3))
    for t in range(40):
        history[t] = np.array([S, I, R])
        new, healed = 0.4 * S * I / 1000, 0.1 * I
        S, I, R = S - new, I + new - healed, R + healed
    close(history.sum(axis=1), numpy.full(40, 1000), rtol=1e-5)
    peak = history[:, 1].argmax()
    assert 15 < int(peak) < 30
    assert bool(np.all(np.diff(history[:, 0]) <= 0))


def program_random_walks_in_bulk():
    rng = np.random.default_rng(3)
    steps = np.where(rng.integers(0, 2, size=(500, 100)) > 0, 1, -1)
    walks = steps.cumsum(axis=1)
    assert walks.shape == (500, 100)
    hits = (np.abs(walks) >= 10).any(axis=1)
    crossing = (np.abs(walks[hits]) >= 10).argmax(axis=1)
    assert 9 <= crossing.min().item() and crossing.max().item() < 100
    close((walks[:, -1] ** 2).mean(), 100, rtol=0.3)


def program_text_as_bytes():
    message = np.frombuffer(b"attack at dawn", dtype=np.uint8)
    letters = message[(message >= 97) & (message <= 122)]
    shifted = (letters - 97 + 3) % 26 + 97
    assert bytes(shifted.astype(np.uint8).tolist()) == b"dwwdfndwgdzq"
    counts = np.bincount(letters - 97, minlength=26)
    assert chr(97 + int(counts.argmax())) == "a"
    key = np.array([5, 9, 1], dtype=np.uint8)
    pad = np.resize(key, message.shape)
    equal(np.bitwise_xor(np.bitwise_xor(message, pad), pad), message)


def program_image_channels():
    rgb = np.zeros((4, 6, 3), dtype=np.uint8)
    rgb[..., 0] = 200
    rgb[1:3, 2:4] = [10, 20, 30]
    gray = (0.299 * rgb[..., 0] + 0.587 * rgb[..., 1] + 0.114 * rgb[..., 2]).astype(np.uint8)
    assert gray[0, 0] == 59 and gray[1, 2] == 18
    flipped = rgb[:, ::-1]
    equal(flipped[1, 2], [10, 20, 30])
    turned = np.rot90(gray)
    assert turned.shape == (6, 4)
    negative = 255 - rgb
    equal(negative[0, 0], [55, 255, 255])
    small = gray.reshape(2, 2, 3, 2).mean(axis=(1, 3))
    assert small.shape == (2, 3)
    tiled = np.tile(gray, (2, 2))
    assert tiled.shape == (8, 12)
    big = np.kron(gray, np.ones((2, 2), dtype=np.uint8))
    equal(big[::2, ::2], gray)
    stacked = np.dstack([gray, gray, gray])
    assert stacked.shape == (4, 6, 3)


def program_convolution_by_windows():
    image = np.arange(25.0).reshape(5, 5)
    kernel = np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
    rows = np.arange(3)[:, None] + np.arange(3)
    patches = image[rows[:, None, :, None], rows[None, :, None, :]]
    assert patches.shape == (3, 3, 3, 3)
    close(np.einsum("ijkl,kl->ij", patches, kernel), numpy.zeros((3, 3)))
    close(np.tensordot(patches, kernel, axes=((2, 3), (0, 1))), numpy.zeros((3, 3)))


def program_levenshtein():
    a, b = "kitten", "sitting"
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    assert d[-1, -1] == 3


def program_shortest_paths():
    inf = np.inf
    d = np.array([[0, 3, inf, 7], [8, 0, 2, inf], [5, inf, 0, 1], [2, inf, inf, 0]])
    for k in range(4):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    equal(d, [[0, 3, 5, 6], [5, 0, 2, 3], [3, 6, 0, 1], [2, 5, 7, 0]])
    reach = np.isfinite(d).all()
    assert bool(reach)


def program_genetic_algorithm():
    rng = np.random.default_rng(4)
    target = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 1])
    population = rng.integers(0, 2, size=(30, 10))
    for _ in range(40):
        fitness = (population == target).sum(axis=1)
        order = np.argsort(-fitness)
        parents = population[order[:10]]
        left = parents[rng.integers(0, 10, size=30)]
        right = parents[rng.integers(0, 10, size=30)]
        take = rng.random((30, 10)) < 0.5
        population = np.where(take, left, right)
        flips = rng.random((30, 10)) < 0.02
        population = np.where(flips, 1 - population, population)
        population[0] = parents[0]
    assert (population == target).sum(axis=1).max() >= 9


def program_simulated_annealing():
    rng = np.random.default_rng(0)
    f = lambda x: float((x**2 + 10 * (1 - np.cos(x))).sum())
    x = np.array([4.0, -3.0])
    best, temperature = f(x), 10.0
    for _ in range(300):
        candidate = x + 0.5 * rng.standard_normal(2)
        delta = f(candidate) - f(x)
        if delta < 0 or rng.random().item() < numpy.exp(-delta / temperature):
            x = candidate
        best = min(best, f(x))
        temperature *= 0.98
    assert best < 2


def program_table_joins():
    ids = np.array([3, 1, 2, 3, 1])
    amounts = np.array([30.0, 5.0, 7.0, 10.0, 15.0])
    keys, inverse = np.unique(ids, return_inverse=True)
    totals = np.bincount(inverse, weights=amounts)
    close(totals, [20, 7, 40])
    prices = {1: 2.0, 2: 3.0, 3: 4.0}
    lookup = np.array([prices[int(k)] for k in keys])
    close(amounts * lookup[inverse], [120, 10, 21, 40, 30])
    common, left, right = np.intersect1d(ids[:3], np.array([2, 3]), return_indices=True)
    equal(common, [2, 3])
    equal(left, [2, 0])
    order = np.lexsort((amounts, ids))
    equal(order, [1, 4, 2, 3, 0])
    pivot = np.zeros((3, 2))
    np.add.at(pivot, (inverse, np.array([0, 1, 0, 1, 0])), amounts)
    close(pivot, [[15, 5], [7, 0], [30, 10]])


def program_calendar_arithmetic():
    minutes = np.array([75, 130, 1439])
    hours, rest = np.divmod(minutes, 60)
    equal(hours, [1, 2, 23])
    equal(rest, [15, 10, 59])
    year = np.arange(1996, 2005)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    equal(year[leap], [1996, 2000, 2004])
    c = np.array([-40.0, 0.0, 100.0])
    close(c * 9 / 5 + 32, [-40, 32, 212])
    equal(np.sign(np.array([-2.5, 0.0, 3.0])), [-1, 0, 1])
    equal(np.trunc(np.array([-1.7, 1.7])), [-1, 1])
