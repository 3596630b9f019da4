"""Signals and images as arrays."""

import numpy
import ember_ml as np
from check import close, equal


def program_find_frequencies():
    fs, n = 100, 200
    t = np.arange(n) / fs
    x = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 20 * t)
    spectrum = np.fft.fft(x)
    freq = np.fft.fftfreq(n, d=1 / fs)
    power = np.abs(spectrum) / n * 2
    peaks = freq[(power > 0.3) & (freq > 0)]
    close(peaks, [5, 20])
    half = np.abs(np.fft.rfft(x))
    assert half.shape == (101,)
    close(np.fft.rfftfreq(n, 1 / fs)[half.argmax()], 5)
    close(np.fft.ifft(spectrum).real, x, atol=1e-5)


def program_filter_noise():
    t = np.linspace(0, 1, 256, endpoint=False)
    clean = np.sin(2 * np.pi * 3 * t)
    noisy = clean + 0.5 * np.cos(2 * np.pi * 60 * t)
    F = np.fft.rfft(noisy)
    F[20:] = 0
    close(np.fft.irfft(F), clean, atol=1e-4)
    F = np.fft.fft(noisy)
    frequencies = np.fft.fftfreq(256, 1 / 256)
    F[np.abs(frequencies) > 20] = 0
    close(np.real(np.fft.ifft(F)), clean, atol=1e-4)
    shifted = np.fft.fftshift(frequencies)
    assert shifted[0] == -128 and shifted[128] == 0


def program_convolve():
    close(np.convolve([1, 2, 3], [0, 1, 0.5]), [0, 1, 2.5, 4, 1.5])
    a = np.array([1.0, 2.0, 3.0, 4.0])
    k = np.array([1.0, 0.0, -1.0])
    close(np.convolve(a, k, mode="same"), [2, 2, 2, -3])
    close(np.correlate(a, k, mode="valid"), [-2, -2])
    size = len(a) + len(k) - 1
    fast = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(k, size), size)
    close(fast, np.convolve(a, k), atol=1e-5)


def program_autocorrelation():
    x = np.sin(2 * np.pi * np.arange(60) / 12)
    x = x - x.mean()
    r = np.correlate(x, x, mode="full")[len(x) - 1 :]
    r = r / r[0]
    assert 10 <= int(np.argmax(r[6:]) + 6) <= 13
    v = numpy.sin(2 * numpy.pi * numpy.arange(60) / 12)
    v = v - v.mean()
    expected = numpy.correlate(v, v, "full")[59:]
    close(r, expected / expected[0], atol=1e-4)


def program_edges_by_slices():
    image = np.zeros((6, 6))
    image[2:4, 2:4] = 1.0
    gx = (
        image[:-2, 2:]
        + 2 * image[1:-1, 2:]
        + image[2:, 2:]
        - image[:-2, :-2]
        - 2 * image[1:-1, :-2]
        - image[2:, :-2]
    )
    gy = (
        image[2:, :-2]
        + 2 * image[2:, 1:-1]
        + image[2:, 2:]
        - image[:-2, :-2]
        - 2 * image[:-2, 1:-1]
        - image[:-2, 2:]
    )
    magnitude = np.sqrt(gx**2 + gy**2)
    r = numpy.sqrt(2)
    s = numpy.sqrt(10)
    q = numpy.sqrt(18)
    close(magnitude, [[r, s, s, r], [s, q, q, s], [s, q, q, s], [r, s, s, r]])


def program_gray_image():
    rng = numpy.random.default_rng(0)
    rgb = np.array(rng.integers(0, 256, (8, 10, 3)), dtype=np.uint8)
    gray = np.dot(rgb[..., :3], [0.299, 0.587, 0.114])
    plain = numpy.asarray(rgb).astype(float)
    close(gray, plain @ [0.299, 0.587, 0.114], rtol=1e-3)
    assert rgb[::-1].shape == (8, 10, 3)
    equal(rgb[:, ::-1][0, 0], rgb[0, -1])
    negative = 255 - rgb
    equal(negative, 255 - numpy.asarray(rgb))
    red = rgb.copy()
    red[:, :, 1:] = 0
    assert red[..., 1].sum() == 0 and rgb[..., 1].sum() > 0
    binary = (gray > 128).astype(np.uint8) * 255
    assert set(np.unique(binary).tolist()) <= {0, 255}
    crop = rgb[2:6, 3:7]
    assert crop.shape == (4, 4, 3)
    bright = np.clip(rgb.astype(np.int16) + 50, 0, 255).astype(np.uint8)
    equal(bright, numpy.minimum(numpy.asarray(rgb).astype(int) + 50, 255))


def program_pool_blocks():
    image = np.arange(16.0).reshape(4, 4)
    blocks = image.reshape(2, 2, 2, 2)
    close(blocks.mean(axis=(1, 3)), [[2.5, 4.5], [10.5, 12.5]])
    close(blocks.max(axis=(1, 3)), [[5, 7], [13, 15]])
    close(image[::2, ::2], [[0, 2], [8, 10]])
    larger = np.repeat(np.repeat(image, 2, axis=0), 2, axis=1)
    assert larger.shape == (8, 8)
    close(np.kron(image, np.ones((2, 2))), larger)


def program_gaussian_blur():
    x = np.arange(-3, 4)
    kernel = np.exp(-(x**2) / 2)
    kernel = kernel / kernel.sum()
    image = np.zeros((9, 9))
    image[4, 4] = 1
    rows = np.apply_along_axis(lambda m: np.convolve(m, kernel, mode="same"), axis=0, arr=image)
    blurred = np.apply_along_axis(lambda m: np.convolve(m, kernel, mode="same"), axis=1, arr=rows)
    k = numpy.exp(-(numpy.arange(-3, 4) ** 2) / 2)
    k /= k.sum()
    close(blurred[1:8, 1:8], numpy.outer(k, k))
    close(blurred.sum(), 1)


def program_convolve_image():
    def convolve2d(image, kernel):
        kh, kw = kernel.shape
        out = np.zeros((image.shape[0] - kh + 1, image.shape[1] - kw + 1))
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = np.sum(image[i : i + kh, j : j + kw] * kernel)
        return out

    image = np.arange(25.0).reshape(5, 5)
    close(convolve2d(image, np.ones((3, 3)) / 9), [[6, 7, 8], [11, 12, 13], [16, 17, 18]])


def program_histogram_equalization():
    image = np.array([[52, 55, 61], [59, 79, 61], [85, 62, 59]])
    hist = np.bincount(image.ravel(), minlength=256)
    cdf = hist.cumsum()
    cdf_min = cdf[cdf > 0].min()
    table = np.round((cdf - cdf_min) / (image.size - cdf_min) * 255).astype(int)
    close(table[image], [[0, 32, 159], [96, 223, 159], [255, 191, 96]], atol=1)


def program_windows_and_spectrogram():
    n = 256
    x = np.sin(2 * np.pi * 32 * np.arange(n) / n)
    window = np.hanning(64)
    close(window, 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(64) / 63), atol=1e-5)
    frames = np.array([x[i : i + 64] * window for i in range(0, n - 63, 32)])
    spec = np.abs(np.fft.rfft(frames, axis=1))
    assert spec.shape == (7, 33)
    equal(spec.argmax(axis=1), [8] * 7)


def program_unwrap_and_phase():
    t = np.linspace(0, 4 * np.pi, 50)
    z = np.exp(1j * t)
    close(np.unwrap(np.angle(z)), numpy.linspace(0, 4 * numpy.pi, 50), atol=1e-4)
    close(np.abs(z), numpy.ones(50))
    close((z * z.conj()).real, numpy.ones(50))


def program_two_dimensional_fft():
    y, x = np.mgrid[0:16, 0:16]
    image = np.cos(2 * np.pi * 3 * x / 16) + 0 * y
    spectrum = np.fft.fftshift(np.abs(np.fft.fft2(image)))
    rows, columns = np.where(spectrum > 100)
    equal(rows, [8, 8])
    equal(columns, [5, 11])
    close(np.fft.ifft2(np.fft.fft2(image)).real, image, atol=1e-5)
