"""Fourier transforms, compared with NumPy; windows and short-time transforms, compared with
SciPy and plain loops, in float64."""

import numpy as np
import scipy.signal as ss

from harness import *

NORMS = ("backward", "ortho", "forward")
HALF = {"float16": 4e-3, "bfloat16": 3e-2}


def complex_of(dtype):
    return {"float64": "complex128", "complex128": "complex128"}.get(dtype, "complex64")


def plain_of(dtype):
    return {"float64": "float64", "complex128": "float64"}.get(dtype, "float32")


# ---- Fourier transforms: op, dtypes accepted, dtype returned ----
ONE = (
    ("fft", COMPLEX + REALS, complex_of),
    ("ifft", COMPLEX + REALS, complex_of),
    ("rfft", REALS, complex_of),
    ("irfft", COMPLEX + REALS, plain_of),
    ("hfft", COMPLEX + REALS, plain_of),
    ("ihfft", REALS, complex_of),
)
LENGTHS = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    11,
    12,
    13,
    16,
    17,
    25,
    30,
    31,
    32,
    37,
    49,
    60,
    64,
    74,
    97,
    100,
    128,
    210,
    243,
    255,
    256,
    257,
    509,
    512,
    1000,
    1009,
    1024,
    2048,
    3000,
    4096,
    5040,
    6561,
    8191,
    10007,
    16384,
)
for op, dtypes, out in ONE:
    f = getattr(np.fft, op)
    for n in LENGTHS:
        if n > 1 or op not in ("irfft", "hfft"):
            case(op, [A((n,))], f, dtypes[:2], out=out, id=str(n))
    for n in (8, 60, 97):
        case(op, [A((40, n))], f, dtypes, out=out, id=f"rows of {n}")
        case(
            op,
            [A((n, 3, 33))],
            lambda x, axis, f=f: f(x, axis=axis),
            dtypes,
            out=out,
            axis=0,
            id=f"columns of {n}",
        )
    for norm in NORMS:
        for n, axis in ((None, -1), (1, 0), (2, -1), (5, 0), (8, -1), (13, 0), (40, -1)):
            case(
                op,
                [A((7, 3, 6))],
                lambda x, f=f, **k: f(x, **k),
                dtypes[::-3] if len(dtypes) > 2 else dtypes,
                out=out,
                n=n,
                axis=axis,
                norm=norm,
                id=f"{n} {axis} {norm}",
            )
    case(op, [A((3, 8))], f, ("float16", "bfloat16"), out=out, id="narrow")
    case(op, [A((3, 8))], f, ("int8", "uint32", "bool"), out=out, id="integers")
    case(op, [A((0, 4))], lambda x, f=f: f(np.zeros((1, 4)))[:0], dtypes, out=out, id="no lines")
    case(
        op,
        [A((3, 0), dtype="float32")],
        lambda x, n, f=f: np.zeros((3, f(np.zeros(4), n=n).size)),
        ("float32",),
        out=out,
        n=4,
        id="zeros only",
    )
    case(
        op,
        [A((4,), values=[1, np.nan, 2, 3])],
        lambda x, f=f: f(x) * np.nan,
        ("float32", "float64"),
        out=out,
        id="nan",
        check=lambda got, args, d: np.testing.assert_(np.isnan(got[0]).all()),
    )
case("fft", [A((3, 1 << 17))], np.fft.fft, ("complex64", "float64"), out=complex_of, id="long")
case("rfft", [A((100003,))], np.fft.rfft, REALS, out=complex_of, id="long prime")
case("fft", [A((5,), values=[1 + 2j, 0, 1j, -1, 3])], np.fft.fft, COMPLEX, id="fixed")
case("ifft", [A((64,), -1, 1)], lambda x: np.fft.ifft(x), COMPLEX, id="inverse of a transform")

MANY = (
    ("fftn", COMPLEX + REALS, complex_of),
    ("ifftn", COMPLEX + REALS, complex_of),
    ("rfftn", REALS, complex_of),
    ("irfftn", COMPLEX + REALS, plain_of),
)
OPTIONS = (
    dict(),
    dict(axes=[0, 2]),
    dict(axes=[2, 0], s=[5, 4]),
    dict(axes=[1], s=[9]),
    dict(axes=[0, 1], s=[-1, 4]),
    dict(s=[3, 8], axes=[-2, -1]),
    dict(axes=[-1, -3]),
)
for op, dtypes, out in MANY:
    f = getattr(np.fft, op)
    for norm in NORMS:
        for k in OPTIONS:
            case(
                op,
                [A((5, 6, 4))],
                lambda x, f=f, **k: f(x, **k),
                dtypes[::-3] if len(dtypes) > 2 else dtypes[:1],
                out=out,
                norm=norm,
                id=f"{k} {norm}",
                **k,
            )
    case(op, [A((3, 4, 4))], f, ("float16", "int32"), out=out, id="others")
    two = op[:-1] + "2"
    g = getattr(np.fft, two)
    for norm in NORMS:
        for k in (dict(), dict(s=[3, 9]), dict(axes=[0, 1]), dict(axes=[1, 0], s=[4, 6])):
            case(
                two,
                [A((5, 6, 4))],
                lambda x, g=g, **k: g(x, **k),
                dtypes[::-3] if len(dtypes) > 2 else dtypes[:1],
                out=out,
                norm=norm,
                id=f"{k} {norm}",
                **k,
            )
    case(two, [A((40, 66))], g, dtypes, out=out, id="image")
    case(two, [A((3, 4, 4))], g, ("float16", "int32"), out=out, id="others")
case("fftn", [A((5,))], np.fft.fftn, COMPLEX, id="vector")
case("fftn", [A((3, 4))], lambda x, axes: x, COMPLEX, axes=[], id="no axes")
for n in (1, 2, 5, 8, 9):
    for d in (1.0, 0.1, -2.0):
        for t in REALS:
            case(
                "fftfreq",
                [n],
                lambda n, d, **k: np.fft.fftfreq(n, d),
                (t,),
                d=d,
                dtype=t,
                id=f"{n} {d}",
            )
            case(
                "rfftfreq",
                [n],
                lambda n, d, **k: np.fft.rfftfreq(n, d),
                (t,),
                d=d,
                dtype=t,
                id=f"{n} {d}",
            )
case("fftfreq", [6], np.fft.fftfreq, ("float32",), id="default")
case("rfftfreq", [6], np.fft.rfftfreq, ("float32",), id="default")
case("fftfreq", [6], lambda n, **k: np.fft.fftfreq(n), ("float16",), dtype="float16", id="narrow")
for op in ("fftshift", "ifftshift"):
    f = getattr(np.fft, op)
    for axes in (None, 0, [1], [0, -1], []):
        case(
            op,
            [A((5, 4, 3))],
            lambda x, axes, f=f: f(x, axes),
            ALL if axes is None else REALS,
            axes=axes,
            id=str(axes),
        )
    case(op, [A((0, 3))], f, REALS, id="empty")
    case(op, [A((9,))], f, REALS, id="vector")

# ---- Windows ----
for t in FLOATS:
    for n in (0, 1, 2, 3, 9, 64) if t in REALS else (1, 8):
        for periodic in (True, False):
            for op, name in (
                ("hann_window", "hann"),
                ("hamming_window", "hamming"),
                ("blackman_window", "blackman"),
                ("bartlett_window", "bartlett"),
            ):
                case(
                    op,
                    [n],
                    lambda n, periodic, name=name, **k: ss.get_window(name, n, fftbins=periodic)
                    if n
                    else np.zeros(0),
                    (t,),
                    periodic=periodic,
                    dtype=t,
                    id=f"{n} {periodic}",
                )
            for beta in (0.0, 12.0, -3.0, 500.0 if n > 2 else 80.0):
                case(
                    "kaiser_window",
                    [n],
                    lambda n, periodic, beta, **k: ss.get_window(
                        ("kaiser", beta), n, fftbins=periodic
                    )
                    if n
                    else np.zeros(0),
                    (t,),
                    beta=beta,
                    periodic=periodic,
                    dtype=t,
                    id=f"{n} {periodic} {beta}",
                )
for op, window in (
    ("hann_window", "hann"),
    ("hamming_window", "hamming"),
    ("blackman_window", "blackman"),
    ("bartlett_window", "bartlett"),
    ("kaiser_window", ("kaiser", 12.0)),
):
    case(op, [10], lambda n, window=window: ss.get_window(window, n), ("float32",), id="default")


# ---- Short-time transforms, naive ----
def overlap_add(frames, hop):
    count, length = frames.shape[-2:]
    y = np.zeros(frames.shape[:-2] + ((count - 1) * hop + length if count else 0,), frames.dtype)
    for i in range(count):
        y[..., i * hop : i * hop + length] += frames[..., i, :]
    return y


def padded_window(window, n_fft, win_length=None):
    w = ss.get_window("hann", win_length or n_fft) if window is None else window
    left = (n_fft - len(w)) // 2
    return np.pad(w, (left, n_fft - len(w) - left))


def stft(x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect"):
    w, hop = padded_window(window, n_fft, win_length), hop_length or max(n_fft // 4, 1)
    if center:
        x = np.pad(
            x,
            [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)],
            mode={"edge": "edge", "reflect": "reflect", "constant": "constant"}[pad_mode],
        )
    frames = [x[..., i : i + n_fft] * w for i in range(0, x.shape[-1] - n_fft + 1, hop)]
    return np.stack([np.fft.rfft(f) for f in frames], -1)


def istft(z, n_fft=None, hop_length=None, win_length=None, window=None, center=True, length=None):
    n_fft = n_fft or 2 * (z.shape[-2] - 1)
    w, hop = padded_window(window, n_fft, win_length), hop_length or max(n_fft // 4, 1)
    frames = np.fft.irfft(np.swapaxes(z, -1, -2), n_fft) * w
    y, weight = (
        overlap_add(frames, hop),
        overlap_add(np.broadcast_to(w * w, (z.shape[-1], n_fft)), hop),
    )
    y = y / np.where(weight > 1e-11, weight, 1)
    y = y[..., n_fft // 2 : y.shape[-1] - (n_fft // 2 if length is None else 0)] if center else y
    if length is not None:
        y = y[..., :length]
        y = np.pad(y, [(0, 0)] * (y.ndim - 1) + [(0, length - y.shape[-1])])
    return y


for hop in (1, 3, 5, 7):
    case(
        "overlap_add",
        [A((2, 4, 5)), hop],
        overlap_add,
        FLOATS + COMPLEX + ("int32",),
        id=str(hop),
        tol=HALF,
        why="the sums of several frames are rounded one by one",
    )
    case("overlap_add", [A((4, 5)), hop], overlap_add, REALS, id=f"one {hop}")
case("overlap_add", [A((2, 0, 5)), 3], lambda x, hop: np.zeros((2, 0)), REALS, id="no frames")
case("overlap_add", [A((0, 4, 5)), 3], lambda x, hop: np.zeros((0, 14)), REALS, id="empty")
case("overlap_add", [A((30, 400)), 100], overlap_add, REALS, id="long")
for n in (16, 15, 4, 1, 64):
    for k in (
        dict(),
        dict(hop_length=1),
        dict(hop_length=3),
        dict(center=False),
        dict(hop_length=n // 2 + 1, center=False),
    ):
        case("stft", [A((2, 100))], stft, REALS, out=complex_of, n_fft=n, id=f"{n} {k}", **k)
        case(
            "spectrogram",
            [A((2, 100))],
            lambda x, **k: np.abs(stft(x, **k)) ** 2,
            REALS,
            n_fft=n,
            id=f"{n} {k}",
            **k,
        )
for k in (
    dict(win_length=10),
    dict(win_length=11),
    dict(pad_mode="edge"),
    dict(pad_mode="constant"),
):
    case("stft", [A((100,))], stft, REALS, out=complex_of, n_fft=16, id=str(k), **k)
window = A((10,), 0.1, 1)
case("stft", [A((100,))], stft, REALS, out=complex_of, n_fft=16, window=window, id="window")
case(
    "stft",
    [A((100,))],
    stft,
    REALS,
    out=complex_of,
    n_fft=16,
    win_length=10,
    window=window,
    id="window and its length",
)
case(
    "stft",
    [A((2, 3, 50))],
    stft,
    ("float16", "bfloat16", "int16"),
    out=complex_of,
    n_fft=8,
    id="others",
)
case("stft", [A((7, 16))], lambda x: np.fft.rfft(x).T, REALS, out=complex_of, id="frames")
case("stft", [A((16,))], np.fft.rfft, REALS, out=complex_of, id="one frame")
case("stft", [A((16000,))], stft, REALS, out=complex_of, n_fft=400, hop_length=160, id="speech")
scipys = (
    lambda x, n_fft, hop_length: ss.stft(
        x, window="hann", nperseg=n_fft, noverlap=n_fft - hop_length, boundary="even", padded=False
    )[2]
    * ss.get_window("hann", n_fft).sum()
)
for n, hop in ((16, 4), (64, 32), (30, 7)):
    case(
        "stft",
        [A((2, 500))],
        scipys,
        REALS,
        out=complex_of,
        n_fft=n,
        hop_length=hop,
        id=f"scipy {n} {hop}",
    )
for power in (1.0, 2.0, 0.5, 3.0):
    case(
        "spectrogram",
        [A((100,))],
        lambda x, power, **k: np.abs(stft(x, **k)) ** power,
        REALS,
        n_fft=16,
        power=power,
        id=f"power {power}",
        tol={"float32": 2e-5},
        why="a power multiplies the relative rounding",
    )
case(
    "spectrogram",
    [A((2, 50))],
    lambda x, n_fft: np.abs(stft(x, n_fft)) ** 2,
    ("float16", "int16"),
    out="float32",
    n_fft=8,
    id="others",
)


@dataclasses.dataclass
class Spectrum(A):
    """The short-time transform of a known signal."""

    options: dict = dataclasses.field(default_factory=dict)

    def draw(self, rng, dtype):
        return stft(known(self.shape), **self.options).astype(np_dtype(dtype))


def known(shape):
    i = np.arange(np.prod(shape)).reshape(shape)
    return np.sin(0.7 * i) + 0.3 * np.cos(0.11 * i * i)


for n in (16, 15, 4, 64):
    for k in (dict(), dict(hop_length=1), dict(hop_length=3), dict(hop_length=n // 2)):
        case(
            "istft",
            [Spectrum((2, 96), options=dict(n_fft=n, **k))],
            lambda z, n_fft, **k: istft(z, n_fft, **k),
            COMPLEX,
            out=plain_of,
            n_fft=n,
            id=f"{n} {k}",
            **k,
        )
        hop = k.get("hop_length", n // 4)
        if (96 + 2 * (n // 2) - n) % hop == 0 and hop < n // 2 + 1:
            case(
                "istft",
                [Spectrum((2, 96), options=dict(n_fft=n, **k))],
                lambda z, **k: known((2, 96)),
                COMPLEX,
                out=plain_of,
                n_fft=n,
                length=96,
                id=f"round trip {n} {k}",
                tol={"float32": 5e-5, "float64": 1e-11},
                why="the signal's ends are divided by small weights",
                **k,
            )
for length in (10, 96, 120, 0):
    case(
        "istft",
        [Spectrum((2, 96), options=dict(n_fft=16))],
        lambda z, **k: istft(z, **k),
        COMPLEX,
        out=plain_of,
        length=length,
        id=f"length {length}",
        tol={"float32": 1e-4, "float64": 1e-11},
        why="the signal's ends are divided by small weights",
    )
case("istft", [A((9, 7))], istft, COMPLEX, out=plain_of, id="any numbers")
case(
    "istft",
    [A((2, 9, 7))],
    lambda z, **k: istft(z, **k),
    COMPLEX,
    out=plain_of,
    center=False,
    hop_length=8,
    id="uncentred",
    check=lambda got, args, d: ends(got[0], args[0], d),
)
case(
    "istft",
    [A((9, 7))],
    lambda z, **k: istft(z, **k),
    COMPLEX,
    out=plain_of,
    win_length=10,
    hop_length=2,
    id="short window",
)
case(
    "istft",
    [A((9, 7))],
    lambda z, **k: istft(z, **k),
    COMPLEX,
    out=plain_of,
    window=A((16,), 0.5, 1, dtype="float64"),
    id="window",
)
case("istft", [A((9, 7))], lambda z: istft(z), REALS, id="real")


def ends(got, z, dtype):
    """Where the window is nearly 0, so is the divisor: those elements are ignored."""
    want = istft(wide(z), center=False, hop_length=8)
    near = np.abs(got - want) <= (1e-4 if dtype == "complex64" else 1e-11) * np.max(np.abs(want))
    assert got.shape == want.shape and near[..., 2:-2].all()


scipy_back = lambda z, n_fft, hop_length: ss.istft(
    z / ss.get_window("hann", n_fft).sum(),
    window="hann",
    nperseg=n_fft,
    noverlap=n_fft - hop_length,
    boundary=True,
)[1]
for n, hop in ((16, 4), (64, 32)):
    case(
        "istft",
        [A((n // 2 + 1, 9))],
        scipy_back,
        COMPLEX,
        out=plain_of,
        n_fft=n,
        hop_length=hop,
        id=f"scipy {n} {hop}",
    )


def mel_filters(n_mels, n_fft, sample_rate, low=0.0, high=None, dtype=None):
    """Triangular filters on Slaney's scale: 200/3 Hz per mel up to 1000 Hz, then 27 mels per
    factor of 6.4."""

    def mel(f):
        return 3 * f / 200 if f < 1000 else 15 + 27 * np.log(f / 1000) / np.log(6.4)

    def hertz(m):
        return 200 * m / 3 if m < 15 else 1000 * 6.4 ** ((m - 15) / 27)

    top = sample_rate / 2 if high is None else high
    points = [hertz(m) for m in np.linspace(mel(low), mel(top), n_mels + 2)]
    out = np.zeros((n_mels, n_fft // 2 + 1))
    for i in range(n_mels):
        a, b, c = points[i : i + 3]
        for k in range(n_fft // 2 + 1):
            f = k * sample_rate / n_fft
            out[i, k] = max(0, min((f - a) / (b - a), (c - f) / (c - b))) * 2 / (c - a)
    return out


for t in FLOATS:
    case(
        "mel_filter_bank",
        [40, 512, 16000.0],
        lambda *a, **k: mel_filters(*a),
        (t,),
        dtype=t,
        id="speech",
    )
    case(
        "mel_filter_bank",
        [10, 255, 8000.0, 100.0, 3000.0],
        lambda *a, **k: mel_filters(*a),
        (t,),
        dtype=t,
        id="band",
    )
case("mel_filter_bank", [80, 400, 16000.0], mel_filters, ("float32",), id="default")

# ---- Convolution of sequences ----
for mode in ("full", "same", "valid"):
    for na, nv in ((7, 3), (3, 7), (4, 4), (1, 5), (6, 2), (2, 6), (8, 5), (1, 1), (300, 40)):
        kinds = (
            NUMERIC
            if (na, nv, mode) == (7, 3, "full")
            else ("int32", "float16", "float32", "complex128")
        )
        case(
            "convolve",
            [A((na,)), A((nv,))],
            lambda a, v, mode: np.convolve(a, v, mode),
            kinds,
            mode=mode,
            id=f"{na} {nv} {mode}",
        )
        case(
            "correlate",
            [A((na,)), A((nv,))],
            lambda a, v, mode: np.correlate(a, v, mode),
            kinds,
            mode=mode,
            id=f"{na} {nv} {mode}",
        )
case("convolve", [A((5,)), A((3,))], np.convolve, ("bool",), id="bool")
case("correlate", [A((5,)), A((3,))], np.correlate, ("bool",), id="bool")
case("convolve", [A((5,), dtype="int32"), A((3,))], np.convolve, FLOATS, id="mixed")
case("correlate", [A((5,)), A((3,), dtype="float32")], np.correlate, COMPLEX, id="mixed")
