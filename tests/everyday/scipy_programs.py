"""SciPy, Matplotlib, einops, pandas, Pillow and the standard library given tensors."""

import json
import math
import pickle
import numpy as np
import pytest
import ember_ml as em
from check import close, equal, values


def program_minimize():
    from scipy.optimize import minimize

    def rosenbrock(x):
        x = em.asarray(x)
        return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())

    result = minimize(rosenbrock, np.array([0.5, 0.5]), method="Nelder-Mead")
    close(result.x, [1, 1], atol=1e-3)


def program_minimize_with_gradient():
    from scipy.optimize import minimize

    def f(x):
        return em.sum((x - em.asarray([1.0, -2.0], dtype=em.float64)) ** 4)

    def value_and_slope(x):
        value, slope = em.value_and_grad(f)(em.asarray(x))
        return value.item(), np.asarray(slope)

    result = minimize(value_and_slope, np.zeros(2), jac=True, method="BFGS")
    close(result.x, [1, -2], atol=0.02)


def program_curve_fit():
    from scipy.optimize import curve_fit

    x = em.linspace(0, 4, 30, dtype=em.float64)
    y = 2.5 * em.exp(-1.3 * x) + 0.5

    def model(x, a, b, c):
        return a * np.exp(-b * x) + c

    popt, pcov = curve_fit(model, x, y)
    close(popt, [2.5, 1.3, 0.5])


def program_integrate():
    from scipy.integrate import quad, solve_ivp, trapezoid

    value, error = quad(lambda t: float(em.exp(-(em.asarray(t) ** 2))), 0, 1)
    close(value, 0.746824132812427)
    solution = solve_ivp(lambda t, y: np.asarray(-0.5 * em.asarray(y)), (0, 2), [4.0], rtol=1e-6)
    close(solution.y[0, -1], 4 * math.exp(-1), rtol=1e-3)
    x = em.linspace(0, 1, 101, dtype=em.float64)
    close(trapezoid(x**2, x), 1 / 3, atol=1e-3)


def program_statistics():
    from scipy import stats

    a = em.asarray([5.1, 4.9, 6.2, 5.8, 5.5], dtype=em.float64)
    b = em.asarray([6.1, 6.9, 7.2, 6.8, 6.5], dtype=em.float64)
    t, p = stats.ttest_ind(a, b)
    expected = stats.ttest_ind(np.asarray(a), np.asarray(b))
    close(t, expected.statistic)
    close(p, expected.pvalue)
    r = stats.pearsonr(a, b)
    close(r.statistic, np.corrcoef(np.asarray(a), np.asarray(b))[0, 1])
    close(stats.norm.cdf(em.asarray([0.0, 1.96], dtype=em.float64)), [0.5, 0.9750021])
    close(stats.zscore(a), (np.asarray(a) - 5.5) / np.asarray(a).std())
    line = stats.linregress(np.arange(5), np.asarray(2 * em.arange(5) + 1))
    close(line.slope, 2)


def program_signal():
    from scipy import signal

    t = np.arange(200) / 100
    x = em.asarray(np.sin(2 * np.pi * 2 * t) + 0.5 * np.sin(2 * np.pi * 30 * t))
    b, a = signal.butter(4, 0.2)
    smooth = signal.filtfilt(b, a, np.asarray(x))
    close(np.asarray(smooth)[20:-20], np.sin(2 * np.pi * 2 * t)[20:-20], atol=0.05)
    peaks, _ = signal.find_peaks(np.asarray(em.asarray(smooth)), prominence=0.5)
    assert len(peaks) == 4
    close(
        signal.convolve(em.asarray([1.0, 2.0, 3.0]), em.asarray([0.0, 1.0, 0.5])),
        [0, 1, 2.5, 4, 1.5],
    )


def program_distances_and_trees():
    from scipy.cluster.vq import kmeans2
    from scipy.spatial import KDTree
    from scipy.spatial.distance import cdist, pdist, squareform

    points = em.asarray([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], dtype=em.float64)
    close(cdist(points, points), [[0, 5, 10], [5, 0, 5], [10, 5, 0]])
    close(squareform(pdist(points)), cdist(points, points))
    distance, index = KDTree(points).query(em.asarray([2.9, 4.2], dtype=em.float64))
    assert index == 1
    both = em.concat([points[:1] + 0.1 * em.ones((5, 2)), points[2:] + em.zeros((5, 2))])
    centroids, labels = kmeans2(np.asarray(both), 2, minit="++", seed=0)
    assert len(set(labels[:5].tolist())) == 1


def program_interpolate():
    from scipy.interpolate import CubicSpline, interp1d

    x = em.linspace(0, 2 * em.pi, 20, dtype=em.float64)
    spline = CubicSpline(x, em.sin(x))
    close(spline(1.0), math.sin(1), atol=1e-3)
    line = interp1d(np.asarray(x), np.asarray(2 * x))
    close(line(0.5), 1)


def program_images():
    from scipy import ndimage

    image = em.zeros((7, 7), dtype=em.float64)
    image[3, 3] = 1.0
    blurred = ndimage.gaussian_filter(image, 1)
    close(values(blurred).sum(), 1, atol=1e-3)
    labels, count = ndimage.label(np.asarray(image > 0))
    assert count == 1


def program_linear_algebra():
    from scipy import linalg, sparse

    a = em.asarray([[4.0, 1.0], [1.0, 3.0]], dtype=em.float64)
    b = em.asarray([1.0, 2.0], dtype=em.float64)
    close(linalg.solve(a, b), [1 / 11, 7 / 11])
    p, lower, upper = linalg.lu(a)
    close(p @ lower @ upper, a)
    close(sparse.csr_matrix(np.asarray(a)) @ np.asarray(b), [6, 7])


def program_plot(folder):
    import matplotlib.pyplot as plt

    x = em.linspace(0, 2 * em.pi, 100)
    fig, (left, middle, right) = plt.subplots(1, 3)
    (line,) = left.plot(x, em.sin(x), label="sin")
    left.scatter(x[::10], em.cos(x[::10]), c=x[::10])
    left.fill_between(x, em.sin(x) - 0.1, em.sin(x) + 0.1, alpha=0.3)
    left.legend()
    counts, edges, bars = middle.hist(em.asarray([1.0, 2.0, 2.0, 3.0]), bins=3)
    close(counts, [1, 2, 1])
    right.imshow(em.reshape(em.arange(16), (4, 4)), cmap="viridis")
    right.bar(em.arange(3), em.asarray([1.0, 2.0, 3.0]))
    fig.savefig(folder / "plot.png")
    plt.close(fig)
    close(line.get_ydata(), np.sin(np.linspace(0, 2 * np.pi, 100)), atol=1e-5)
    assert (folder / "plot.png").stat().st_size > 1000


def program_einops():
    from einops import rearrange, reduce, repeat

    images = em.asarray(np.arange(2 * 4 * 6 * 3).reshape(2, 4, 6, 3), dtype=em.float32)
    a = np.asarray(images)
    close(rearrange(images, "b h w c -> b c h w"), a.transpose(0, 3, 1, 2))
    close(rearrange(images, "b h w c -> (b h) w c").shape, (8, 6, 3))
    patches = rearrange(images, "b (h p) (w q) c -> b (h w) (p q c)", p=2, q=2)
    assert patches.shape == (2, 6, 12)
    close(reduce(images, "b h w c -> b c", "mean"), a.mean((1, 2)))
    close(repeat(images[0, 0, :, 0], "w -> h w", h=3), np.tile(a[0, 0, :, 0], (3, 1)))


def program_pandas():
    import pandas as pd

    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4, 5, 6]})
    x = em.asarray(frame.to_numpy())
    close(x.mean(axis=0), [2, 5])
    close(em.asarray(frame["a"]), [1, 2, 3])
    back = pd.DataFrame(np.asarray(x), columns=["a", "b"])
    frame["c"] = np.asarray(em.asarray(frame["a"]) * 2)
    assert frame["c"].tolist() == [2, 4, 6]
    assert back["a"].sum() == 6


def program_numpy_functions_on_tensors():
    x = em.asarray([[1.0, 2.0], [3.0, 4.0]])
    close(np.sum(x), 10)
    close(np.mean(x, axis=0), [2, 3])
    close(np.std(x), np.std([1, 2, 3, 4]))
    close(np.max(x), 4)
    close(np.exp(x), np.exp([[1, 2], [3, 4]]))
    close(np.concatenate([x, x]).shape, (4, 2))
    close(np.dot(x, x), [[7, 10], [15, 22]])
    close(np.linalg.inv(x), np.linalg.inv([[1, 2], [3, 4]]))
    close(np.where(x > 2, x, 0), [[0, 0], [3, 4]])
    array = np.ones((2, 2))
    close(array + x, [[2, 3], [4, 5]])
    close(x * array, x)
    array += np.asarray(x)
    close(array, [[2, 3], [4, 5]])
    close(np.asarray(x)[:, 0], [1, 3])
    equal(x[np.array([1, 0])], [[3, 4], [1, 2]])
    equal(x[np.asarray(x) > 2], [3, 4])
    assert np.allclose(x, x) and np.isclose(x, 1).sum() == 1
    assert np.float32(x[0, 0]) == 1
    assert math.sqrt(x[1, 1]) == 2
    assert np.array(x, dtype=np.float64).dtype == np.float64


def program_image_file(folder):
    from PIL import Image

    y, x = em.meshgrid(em.arange(8), em.arange(10), indexing="ij")
    pixels = em.stack([x * 20, y * 20, em.zeros_like(x)], axis=-1).astype(em.uint8)
    Image.fromarray(np.asarray(pixels)).save(folder / "image.png")
    image = em.asarray(np.array(Image.open(folder / "image.png")))
    equal(image, pixels)
    gray = em.asarray(np.array(Image.open(folder / "image.png").convert("L")))
    assert gray.shape == (8, 10)
    assert em.asarray(Image.open(folder / "image.png")).shape == (8, 10, 3)


def program_plain_python():
    x = em.asarray([3.0, 1.0, 2.0])
    assert sorted(x.tolist()) == [1.0, 2.0, 3.0]
    assert sum(x) == 6 and max(x) == 3 and min(x) == 1
    assert len(x) == 3 and 2.0 in x.tolist()
    assert json.dumps(x.tolist()) == "[3.0, 1.0, 2.0]"
    assert [round(v, 1) for v in x.tolist()] == [3.0, 1.0, 2.0]
    assert round(float(x[0]), 1) == 3.0 and round(em.asarray(1.567), 2) == pytest.approx(1.57)
    assert [i for i, v in enumerate(x) if v > 1.5] == [0, 2]
    assert list(zip([1, 2, 3], x.tolist()))[0] == (1, 3.0)
    assert list(range(3))[em.asarray(2)] == 2
    assert bool(em.asarray(1.0)) and not em.asarray(0)
    assert f"{em.asarray(3.14159):.2f}" == "3.14"
    close(pickle.loads(pickle.dumps(x)), x)
    a, b, c = x
    assert b.item() == 1
    assert abs(em.asarray(-2.0)).item() == 2
    assert divmod(em.asarray(7), 2)[1].item() == 1
