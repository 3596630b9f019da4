"""Describing and cleaning data, chance, and small simulations."""

import numpy
import ember_ml as np
from check import close, equal

HEIGHTS = [189, 170, 189, 163, 183, 171, 185, 168, 173, 183, 173, 173, 175, 178, 183, 193, 178]


def program_describe():
    heights = np.array(HEIGHTS)
    close(heights.mean(), numpy.mean(HEIGHTS))
    close(heights.std(), numpy.std(HEIGHTS))
    close(heights.std(ddof=1), numpy.std(HEIGHTS, ddof=1))
    close(np.var(heights), numpy.var(HEIGHTS), rtol=1e-3)
    assert heights.min() == 163 and heights.max() == 193
    close(np.percentile(heights, 25), 173)
    close(np.percentile(heights, [25, 50, 75]), numpy.percentile(HEIGHTS, [25, 50, 75]))
    close(np.median(heights), numpy.median(HEIGHTS))
    close(np.quantile(heights, 0.9), numpy.quantile(HEIGHTS, 0.9))
    assert np.ptp(heights) == 30
    close(np.average(heights, weights=np.arange(17)), numpy.average(HEIGHTS, weights=range(17)))
    close(np.mean(heights[heights > 180]), 186.428571)


def program_histogram():
    heights = np.array(HEIGHTS)
    counts, edges = np.histogram(heights, bins=5)
    equal(counts, numpy.histogram(HEIGHTS, bins=5)[0])
    close(edges, [163, 169, 175, 181, 187, 193])
    counts, edges = np.histogram(heights, bins=[160, 170, 180, 200])
    equal(counts, [2, 8, 7])
    density, edges = np.histogram(heights, bins=6, range=(160, 196), density=True)
    close(np.sum(density * np.diff(edges)), 1)
    table, xe, ye = np.histogram2d(
        np.array([0.1, 0.6, 0.7]), np.array([0.2, 0.9, 0.8]), bins=2, range=[[0, 1], [0, 1]]
    )
    equal(table, [[1, 0], [0, 2]])


def program_standardize_columns():
    X = np.array([[1.0, 200.0], [2.0, 300.0], [3.0, 700.0]])
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    close(Z.mean(axis=0), [0, 0])
    close(Z.std(axis=0), [1, 1])
    scaled = (X - X.min(0)) / (X.max(0) - X.min(0))
    close(scaled, [[0, 0], [0.5, 0.2], [1, 1]])
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    close((unit**2).sum(axis=1), [1, 1, 1])


def program_correlation():
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    y = np.array([2.0, 4.1, 5.9, 8.2, 9.9])
    expected = numpy.corrcoef([1, 2, 3, 4, 5], [2, 4.1, 5.9, 8.2, 9.9])
    close(np.corrcoef(x, y), expected)
    close(np.corrcoef(x, y)[0, 1], expected[0, 1])
    close(np.cov(np.stack([x, y])), numpy.cov([[1, 2, 3, 4, 5], [2, 4.1, 5.9, 8.2, 9.9]]))
    close(np.cov(x, y, bias=True)[0, 0], 2)
    slope = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    close(slope, 1.99)


def program_clean_missing_values():
    data = np.array([[1.0, 2.0, np.nan], [4.0, np.nan, 6.0], [7.0, 8.0, 9.0]])
    assert np.isnan(data).sum() == 2
    close(np.nanmean(data, axis=0), [4, 5, 7.5])
    filled = np.where(np.isnan(data), np.nanmean(data, axis=0), data)
    close(filled, [[1, 2, 7.5], [4, 5, 6], [7, 8, 9]])
    complete = data[~np.isnan(data).any(axis=1)]
    close(complete, [[7, 8, 9]])
    data[np.isnan(data)] = 0
    assert data.sum() == 37
    close(np.nan_to_num(np.array([np.nan, np.inf, 1.0]), nan=0.0, posinf=99.0), [0, 99, 1])
    close(np.nanmax(np.array([1.0, np.nan, 3.0])), 3)
    close(np.nansum(np.array([1.0, np.nan, 3.0])), 4)
    close(np.nanstd(np.array([1.0, np.nan, 3.0])), 1)
    close(np.nanpercentile(np.array([1.0, np.nan, 3.0]), 50), 2)
    close(np.nanmedian(np.array([1.0, np.nan, 3.0, 9.0])), 3)


def program_outliers():
    x = np.array([10.0, 12.0, 11.0, 13.0, 12.0, 95.0, 11.0, 10.0])
    z = np.abs((x - np.mean(x)) / np.std(x))
    close(x[z < 2], [10, 12, 11, 13, 12, 11, 10])
    q1, q3 = np.percentile(x, [25, 75])
    iqr = q3 - q1
    mask = (x < q1 - 1.5 * iqr) | (x > q3 + 1.5 * iqr)
    equal(np.where(mask)[0], [5])
    close(np.clip(x, None, q3 + 1.5 * iqr).max(), q3 + 1.5 * iqr)


def program_group_means():
    groups = np.array([0, 1, 0, 2, 1, 0])
    values = np.array([1.0, 10.0, 2.0, 7.0, 20.0, 6.0])
    sums = np.bincount(groups, weights=values)
    counts = np.bincount(groups)
    close(sums / counts, [3, 15, 7])
    means = [values[groups == g].mean() for g in np.unique(groups)]
    close([float(m) for m in means], [3, 15, 7])
    for g in range(3):
        values[groups == g] -= means[g]
    close(values, [-2, -5, -1, 0, 5, 3])
    order = np.argsort(groups, kind="stable")
    parts = np.split(order, np.cumsum(counts)[:-1])
    assert [p.tolist() for p in parts] == [[0, 2, 5], [1, 4], [3]]


def program_moving_average():
    x = np.array([1.0, 3.0, 5.0, 7.0, 6.0, 4.0, 2.0])
    n = 3
    total = np.cumsum(x)
    total[n:] = total[n:] - total[:-n]
    close(total[n - 1 :] / n, [3, 5, 6, 17 / 3, 4])
    close(np.convolve(x, np.ones(n) / n, mode="valid"), [3, 5, 6, 17 / 3, 4])
    close(np.convolve(x, np.ones(n), "same"), [4, 9, 15, 18, 17, 12, 6])
    alpha = 0.5
    ema = [x[0]]
    for value in x[1:]:
        ema.append(alpha * value + (1 - alpha) * ema[-1])
    close(np.array(ema), [1, 2, 3.5, 5.25, 5.625, 4.8125, 3.40625])


def program_stock_returns():
    prices = np.array([100.0, 102.0, 99.0, 105.0, 110.0])
    returns = np.diff(prices) / prices[:-1]
    close(returns, [0.02, -3 / 102, 6 / 99, 5 / 105])
    log_returns = np.log(prices[1:] / prices[:-1])
    close(log_returns.sum(), numpy.log(1.1))
    close(np.cumprod(1 + returns)[-1], 1.1)
    peak = np.maximum.accumulate(prices)
    close(((peak - prices) / peak).max(), 3 / 102)
    close(
        np.std(returns, ddof=1) * np.sqrt(252),
        numpy.std([0.02, -3 / 102, 6 / 99, 5 / 105], ddof=1) * 252**0.5,
    )


def program_legacy_random():
    np.random.seed(42)
    u = np.random.rand(1000, 2)
    assert u.shape == (1000, 2) and u.min() >= 0 and u.max() < 1
    n = np.random.randn(2000)
    close(n.mean(), 0, atol=0.1)
    close(n.std(), 1, atol=0.1)
    k = np.random.randint(1, 7, size=600)
    equal(np.unique(k), [1, 2, 3, 4, 5, 6])
    g = np.random.normal(loc=5.0, scale=2.0, size=(500, 4))
    close(g.mean(), 5, atol=0.2)
    v = np.random.uniform(-1, 1, 500)
    assert v.min() >= -1 and v.max() < 1
    np.random.seed(42)
    equal(np.random.rand(1000, 2), u)
    assert isinstance(float(np.random.rand()), float)


def program_random_generator():
    rng = np.random.default_rng(12345)
    x = rng.normal(size=2000)
    close(x.mean(), 0, atol=0.1)
    die = rng.integers(1, 7, size=(3, 4))
    assert die.shape == (3, 4) and die.min() >= 1 and die.max() <= 6
    u = rng.random((2, 3))
    assert u.shape == (2, 3)
    assert rng.standard_normal(5).shape == (5,)
    again = np.random.default_rng(12345).normal(size=2000)
    equal(again, x)
    p = rng.permutation(10)
    equal(np.sort(p), np.arange(10))
    c = rng.choice([10, 20, 30], size=50)
    assert set(np.unique(c).tolist()) <= {10, 20, 30}
    few = rng.choice(10, size=4, replace=False)
    assert np.unique(few).size == 4


def program_shuffle_in_place():
    np.random.seed(0)
    cards = np.arange(52)
    np.random.shuffle(cards)
    equal(np.sort(cards), np.arange(52))
    assert not np.array_equal(cards, np.arange(52))


def program_permute_and_choose():
    np.random.seed(0)
    draws = np.random.choice(3, size=4000, p=[0.1, 0.2, 0.7])
    close(np.bincount(draws) / 4000, [0.1, 0.2, 0.7], atol=0.05)
    X, y = np.arange(20).reshape(10, 2), np.arange(10)
    perm = np.random.permutation(len(X))
    X, y = X[perm], y[perm]
    equal(X[:, 0], 2 * y)
    X_train, X_test = X[:8], X[8:]
    assert X_train.shape == (8, 2) and X_test.shape == (2, 2)


def program_monte_carlo_pi():
    np.random.seed(1)
    n = 20000
    x = np.random.uniform(-1, 1, n)
    y = np.random.uniform(-1, 1, n)
    inside = x**2 + y**2 <= 1
    close(4 * np.sum(inside) / n, numpy.pi, atol=0.06)
    close(4 * inside.mean(), numpy.pi, atol=0.06)


def program_random_walk():
    rng = np.random.default_rng(0)
    steps = rng.choice([-1, 1], size=(400, 100))
    walks = np.cumsum(steps, axis=1)
    assert walks.shape == (400, 100)
    equal(np.abs(np.diff(walks, axis=1)), numpy.ones((400, 99)))
    close(np.mean(walks[:, -1] ** 2), 100, atol=30)
    equal(walks[:, -1] % 2, numpy.zeros(400))
    reached = (np.abs(walks) >= 10).any(axis=1)
    first = (np.abs(walks[reached]) >= 10).argmax(axis=1)
    assert first.min() >= 9


def program_bootstrap():
    rng = np.random.default_rng(7)
    data = np.array(HEIGHTS, dtype=float)
    samples = rng.choice(data, size=(1000, len(data)), replace=True)
    means = samples.mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    assert low < numpy.mean(HEIGHTS) < high
    close(means.std(), numpy.std(HEIGHTS) / len(HEIGHTS) ** 0.5, rtol=0.15)


def program_option_price():
    rng = np.random.default_rng(3)
    s0, k, r, sigma, t = 100.0, 105.0, 0.05, 0.2, 1.0
    z = rng.standard_normal(40000)
    st = s0 * np.exp((r - 0.5 * sigma**2) * t + sigma * np.sqrt(t) * z)
    price = np.exp(-r * t) * np.mean(np.maximum(st - k, 0))
    close(price, 8.02135, atol=0.4)


def program_dice_probabilities():
    die = np.arange(1, 7)
    sums = (die[:, None] + die[None, :]).ravel()
    values, counts = np.unique(sums, return_counts=True)
    equal(values, range(2, 13))
    equal(counts, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    close(counts[values == 7] / counts.sum(), [1 / 6])
    close(np.sum(values * counts) / 36, 7)


def program_grades():
    scores = np.array([[85, 92, 78], [90, 88, 95], [70, 65, 80], [60, 75, 72]])
    average = scores.mean(axis=1)
    close(average, [85, 91, 215 / 3, 69])
    passed = np.all(scores >= 65, axis=1)
    equal(passed, [True, True, True, False])
    bands = np.digitize(average, [70, 80, 90])
    equal(bands, [2, 3, 1, 0])
    names = ["Ana", "Ben", "Cem", "Dia"]
    best = names[int(np.argmax(average))]
    assert best == "Ben"
    curve = np.minimum(scores * 1.1, 100)
    assert curve.max() == 100
    assert [names[i] for i in np.argsort(-average)] == ["Ben", "Ana", "Cem", "Dia"]
