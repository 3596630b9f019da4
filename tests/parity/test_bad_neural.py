"""Invalid inputs of convolution, pooling, windows, normalization, recurrent networks and losses:
the call raises a typed error that begins with the op's name, and the library still works."""

import numpy as np
import pytest

from ember_ml import _core as E
from harness import call, ENGINES, to_ember, to_numpy

SHAPE, DTYPE, INDEX, VALUE = E.ShapeError, E.DTypeError, E.IndexError, E.ValueError
LOWEST, HIGHEST = -(2**63), 2**63 - 1


class Of:
    """A tensor of ones, created by the test."""

    def __init__(self, *shape, dtype="float32"):
        self.shape, self.dtype = shape, dtype

    def make(self):
        return call("ones", list(self.shape), dtype=self.dtype)


BAD = []


def bad(error, op, *args, **options):
    BAD.append(pytest.param(error, op, args, options, id=f"{op}-{len(BAD)}"))


X, W = Of(1, 4, 5, 5), Of(4, 4, 2, 2)
for op in ("conv2d", "conv_transpose2d"):
    for o in (
        {"strides": 0},
        {"strides": [1, 0]},
        {"strides": -1},
        {"strides": LOWEST},
        {"strides": []},
        {"strides": [1, 2, 3]},
        {"dilation": 0},
        {"dilation": [0, 1]},
        {"dilation": -2},
        {"padding": -1},
        {"padding": [1, 1, 1]},
        {"padding": [0, 0, 0, -1]},
        {"padding": []},
        {"groups": 0},
        {"groups": -1},
        {"groups": LOWEST},
        {"input_layout": "hwcn"},
        {"filter_layout": "abcd"},
        {"filter_layout": ""},
    ):
        bad(VALUE, op, X, W, **o)
    for o in (
        {"groups": 3},
        {"groups": HIGHEST},
        {"dilation": 2**62},
        {"dilation": HIGHEST},
        {"padding": 2**62},
        {"padding": HIGHEST},
    ):
        bad(SHAPE, op, X, W, **o)
    bad(SHAPE, op, X, Of(4, 4, 0, 2))
    bad(SHAPE, op, X, Of(4, 4, 2, 0))
    bad(SHAPE, op, X, Of(4, 3, 2, 2) if op == "conv2d" else Of(3, 4, 2, 2))
    bad(SHAPE, op, X, Of(4, 4, 2))
    bad(SHAPE, op, Of(4, 5, 5), W)
    bad(SHAPE, op, Of(), W)
    bad(SHAPE, op, X, W, Of(3))
    bad(SHAPE, op, X, W, Of(4, 1))
    bad(SHAPE, op, X, W, Of())
    bad(DTYPE, op, Of(1, 4, 5, 5, dtype="float16"), W)
    bad(DTYPE, op, Of(1, 4, 5, 5, dtype="int4"), Of(4, 4, 2, 2, dtype="int4"))
bad(SHAPE, "conv2d", X, W, groups=2)
bad(SHAPE, "conv2d", X, Of(3, 2, 2, 2), groups=2)
bad(SHAPE, "conv2d", X, Of(4, 4, 6, 2))
bad(SHAPE, "conv2d", X, Of(4, 4, 8, 2), padding=1)
bad(SHAPE, "conv2d", X, W, dilation=5)
bad(SHAPE, "conv2d", X, W, dilation=2**31)
bad(SHAPE, "conv2d", Of(1, 4, 0, 5), W)
bad(VALUE, "conv2d", X, W, auto_pad="same")
bad(VALUE, "conv2d", X, W, auto_pad="same_upper", padding=1)
bad(VALUE, "conv2d", X, W, auto_pad="same_upper", strides=0)
bad(SHAPE, "conv1d", X, W)
bad(SHAPE, "conv3d", X, W)
bad(VALUE, "conv1d", Of(1, 1, 5), Of(1, 1, 2), strides=[1, 1])
bad(SHAPE, "conv1d", Of(1, 1, 5), Of(1, 1, 3), dilation=2**62 + 1)
bad(SHAPE, "conv3d", Of(1, 1, 3, 3, 3), Of(1, 1, 4, 1, 1))
bad(VALUE, "conv_transpose2d", X, W, output_padding=1)
bad(VALUE, "conv_transpose2d", X, W, output_padding=-1)
bad(VALUE, "conv_transpose2d", X, W, strides=2, output_padding=2)
bad(VALUE, "conv_transpose2d", X, W, strides=2, output_padding=[1, 1, 1])
bad(VALUE, "conv_transpose2d", X, W, output_padding=HIGHEST)
bad(SHAPE, "conv_transpose2d", X, W, output_sizes=[1, 1])
bad(SHAPE, "conv_transpose2d", X, W, output_sizes=[6, 7])
bad(SHAPE, "conv_transpose2d", X, W, output_sizes=[LOWEST, HIGHEST])
bad(VALUE, "conv_transpose2d", X, W, output_sizes=[6])
bad(SHAPE, "conv_transpose2d", X, W, padding=10)
bad(SHAPE, "conv_transpose2d", X, W, strides=2**62)
bad(SHAPE, "conv_transpose2d", X, W, strides=2**40)
bad(SHAPE, "conv_transpose1d", Of(1, 1, 4), Of(1, 2**20, 1), groups=1, strides=2**50)

for op in ("max_pool2d", "average_pool2d", "l2_pool2d"):
    for o in (
        {"kernel_size": 0},
        {"kernel_size": [2, 0]},
        {"kernel_size": -1},
        {"kernel_size": [2, 2, 2]},
        {"kernel_size": []},
        {"strides": 0},
        {"strides": LOWEST},
        {"dilation": 0},
        {"padding": -1},
        {"padding": 2},
        {"padding": [0, 0, 0, 2]},
        {"padding": HIGHEST},
        {"layout": "chwn"},
    ):
        bad(VALUE, op, X, **o)
    for o in (
        {"kernel_size": 9},
        {"kernel_size": 9, "ceil_mode": True},
        {"kernel_size": HIGHEST},
        {"dilation": 2**62},
        {"kernel_size": 2, "dilation": 2**31},
    ):
        bad(SHAPE, op, X, **o)
    bad(SHAPE, op, Of(4, 5, 5))
    bad(SHAPE, op, Of(1, 4, 0, 5))
    bad(SHAPE, op, Of())
    bad(DTYPE, op, Of(1, 4, 5, 5, dtype="complex64"))
for op in ("adaptive_average_pool", "adaptive_max_pool"):
    bad(VALUE, op, X, [0])
    bad(VALUE, op, X, [2, -1])
    bad(SHAPE, op, X, [])
    bad(SHAPE, op, X, [1] * 5)
    bad(SHAPE, op, Of(2, 0), [2])
    bad(SHAPE, op, X, [HIGHEST])
    bad(DTYPE, op, Of(2, 3, dtype="complex64"), [2])
for op in ("global_average_pool", "global_max_pool"):
    bad(SHAPE, op, Of(2, 3))
    bad(VALUE, op, X, layout="x")
bad(VALUE, "pixel_shuffle", X, 0)
bad(VALUE, "pixel_shuffle", X, LOWEST)
bad(SHAPE, "pixel_shuffle", X, 3)
bad(SHAPE, "pixel_shuffle", X, 2**40)
bad(SHAPE, "pixel_shuffle", Of(4, 5), 2)
bad(VALUE, "pixel_unshuffle", X, -1)
bad(SHAPE, "pixel_unshuffle", X, 2)
bad(SHAPE, "pixel_unshuffle", Of(1, 0, 0), 2**40)
bad(VALUE, "resample", X)
bad(VALUE, "resample", X, scales=[2.0], sizes=[3])
bad(VALUE, "resample", X, sizes=[0])
bad(VALUE, "resample", X, sizes=[-3])
bad(VALUE, "resample", X, scales=[0.0])
bad(VALUE, "resample", X, scales=[-1.0])
bad(VALUE, "resample", X, scales=[float("nan")])
bad(VALUE, "resample", X, scales=[float("inf")])
bad(VALUE, "resample", X, scales=[0.1])
bad(SHAPE, "resample", X, scales=[1e300])
bad(SHAPE, "resample", X, sizes=[2**62])
bad(SHAPE, "resample", X, sizes=[1, 1, 1, 1, 1])
bad(SHAPE, "resample", X, sizes=[3, 3], axes=[1])
bad(INDEX, "resample", X, sizes=[3], axes=[4])
bad(VALUE, "resample", X, sizes=[3], mode="lanczos")
bad(VALUE, "resample", X, sizes=[3], antialias=True)
bad(SHAPE, "resample", Of(2, 0), sizes=[3])
bad(SHAPE, "grid_sample", X, Of(1, 2, 2, 3))
bad(SHAPE, "grid_sample", X, Of(2, 2, 2, 2))
bad(SHAPE, "grid_sample", Of(4, 5, 5), Of(1, 2, 2, 2))
bad(SHAPE, "grid_sample", Of(1, 4, 0, 5), Of(1, 2, 2, 2))
bad(VALUE, "grid_sample", X, Of(1, 2, 2, 2), mode="cubic")
bad(VALUE, "grid_sample", X, Of(1, 2, 2, 2), padding_mode="wrap")
bad(DTYPE, "grid_sample", X, Of(1, 2, 2, 2, dtype="complex64"))

SIGNAL = Of(8)
bad(VALUE, "frame", SIGNAL, 0, 1)
bad(VALUE, "frame", SIGNAL, 4, 0)
bad(VALUE, "frame", SIGNAL, -1, 1)
bad(VALUE, "frame", SIGNAL, 4, LOWEST)
bad(SHAPE, "frame", SIGNAL, 9, 1)
bad(INDEX, "frame", SIGNAL, 4, 1, axis=1)
bad(VALUE, "stft", SIGNAL, n_fft=0)
bad(VALUE, "stft", SIGNAL, n_fft=-4)
bad(VALUE, "stft", SIGNAL, n_fft=4, hop_length=0)
bad(SHAPE, "stft", SIGNAL, n_fft=9, center=False)
bad(SHAPE, "stft", SIGNAL, n_fft=4, win_length=4, window=Of(3))
bad(VALUE, "stft", SIGNAL, n_fft=4, window=Of(5))
bad(VALUE, "stft", SIGNAL, n_fft=4, win_length=5)
bad(VALUE, "stft", SIGNAL, n_fft=4, win_length=0)

V = Of(6)
bad(SHAPE, "layer_norm", X, Of(4))
bad(SHAPE, "layer_norm", X, Of(5), Of(5, 5))
bad(INDEX, "layer_norm", X, axes=4)
bad(INDEX, "layer_norm", X, axes=-5)
bad(VALUE, "layer_norm", X, axes=[1, 1])
bad(VALUE, "layer_norm", X, eps=-1.0)
bad(VALUE, "layer_norm", X, eps=float("nan"))
bad(INDEX, "layer_norm", Of())
bad(DTYPE, "layer_norm", Of(2, 3, dtype="complex64"))
bad(SHAPE, "rms_norm", X, Of(4))
bad(INDEX, "rms_norm", X, axes=0x7FFFFFFF)
bad(SHAPE, "batch_norm", X, V, V)
bad(SHAPE, "batch_norm", X, Of(4), Of(4), Of(3))
bad(INDEX, "batch_norm", X, Of(4), Of(4), axis=4)
bad(INDEX, "batch_norm", X, Of(4), Of(4), axis=LOWEST)
bad(DTYPE, "batch_norm", X, Of(4, dtype="complex64"), Of(4))
bad(VALUE, "group_norm", X, 0)
bad(SHAPE, "group_norm", X, 3)
bad(SHAPE, "group_norm", Of(4), 2)
bad(SHAPE, "group_norm", X, 2, Of(5))
bad(SHAPE, "instance_norm", Of(2, 3))
bad(VALUE, "instance_norm", X, layout="nc")
bad(VALUE, "dropout", X, 1.5)
bad(VALUE, "dropout", X, -0.1)
bad(VALUE, "dropout", X, float("nan"))
A3 = Of(2, 5, 8)
ATTENTION = "scaled_dot_product_attention"
bad(SHAPE, ATTENTION, A3, Of(2, 5, 7), A3)
bad(SHAPE, ATTENTION, A3, A3, Of(2, 6, 8))
bad(SHAPE, ATTENTION, A3, Of(3, 5, 8), Of(3, 5, 8))
bad(SHAPE, ATTENTION, Of(8), Of(8), Of(8))
bad(SHAPE, ATTENTION, A3, A3, A3, Of(4, 5, dtype="bool"))
bad(DTYPE, ATTENTION, A3, A3, A3, Of(5, 5, dtype="int32"))
bad(DTYPE, ATTENTION, Of(2, 5, 8, dtype="float16"), A3, A3)
bad(SHAPE, "rope", Of(3, 5))
bad(SHAPE, "rope", Of(4))
bad(SHAPE, "rope", Of(3, 4), Of(2, dtype="int64"))
bad(VALUE, "rope", Of(3, 4), base=0.0)
bad(VALUE, "rope", Of(3, 4), base=float("inf"))
bad(DTYPE, "rope", Of(3, 4, dtype="complex64"))

S, LW, LR = Of(3, 2, 4), Of(1, 20, 4), Of(1, 20, 5)
bad(SHAPE, "lstm", Of(2, 4), LW, LR)
bad(SHAPE, "lstm", S, Of(1, 20, 3), LR)
bad(SHAPE, "lstm", S, LW, Of(1, 19, 5))
bad(SHAPE, "lstm", S, LW, Of(20, 5))
bad(SHAPE, "lstm", S, LW, LR, direction="both")
bad(SHAPE, "lstm", S, LW, LR, bias=Of(1, 19))
bad(SHAPE, "lstm", S, LW, LR, peephole=Of(1, 20))
bad(SHAPE, "lstm", S, LW, LR, initial_hidden=Of(1, 3, 5))
bad(SHAPE, "lstm", S, LW, LR, initial_cell=Of(2, 5))
bad(VALUE, "lstm", S, LW, LR, direction="sideways")
bad(VALUE, "lstm", S, LW, LR, layout="abcd")
bad(VALUE, "lstm", S, LW, LR, activations=["tanh"])
bad(VALUE, "lstm", S, LW, LR, activations=["tanh", "tanh", "softmax"])
bad(DTYPE, "lstm", Of(3, 2, 4, dtype="complex64"), LW, LR)
bad(SHAPE, "gru", S, LW, LR)
bad(VALUE, "gru", S, Of(1, 15, 4), Of(1, 15, 5), peephole=Of(1, 15))
bad(VALUE, "gru", S, Of(1, 15, 4), Of(1, 15, 5), initial_cell=Of(1, 2, 5))
bad(VALUE, "rnn", S, Of(1, 5, 4), Of(1, 5, 5), layout="zrn")
bad(VALUE, "lstm", Of(2**30, 0, 4), LW, LR)
bad(SHAPE, "gru_cell", S, Of(15, 4), Of(15, 5), Of(2, 5))
bad(SHAPE, "gru_cell", Of(2, 4), Of(15, 4), Of(15, 5), Of(3, 5))
bad(VALUE, "lstm_cell", Of(2, 4), Of(20, 4), Of(20, 5), Of(2, 5), Of(2, 5), initial_hidden=Of(2, 5))
bad(VALUE, "rnn_cell", Of(2, 4), Of(5, 4), Of(5, 5), Of(2, 5), direction="both")

P = Of(5, 4)
for op in (
    "mse_loss",
    "mae_loss",
    "huber_loss",
    "log_cosh_loss",
    "binary_cross_entropy",
    "kl_div_loss",
    "categorical_cross_entropy",
):
    bad(VALUE, op, P, P, reduction="average")
    bad(SHAPE, op, P, Of(3, 4))
    bad(DTYPE, op, P, Of(5, 4, dtype="complex64"))
bad(VALUE, "huber_loss", P, P, delta=0.0)
bad(VALUE, "huber_loss", P, P, delta=float("nan"))
bad(SHAPE, "categorical_cross_entropy", P, Of(4))
bad(INDEX, "categorical_cross_entropy", P, P, axis=2)
for op in ("nll_loss", "sparse_categorical_cross_entropy"):
    bad(DTYPE, op, P, Of(5))
    bad(DTYPE, op, P, Of(5, dtype="bool"))
    bad(SHAPE, op, P, Of(4, dtype="int64"))
    bad(INDEX, op, P, Of(5, dtype="int64"), axis=-3)
C, IDS, N = Of(5, 2, 4), Of(2, 3, dtype="int64"), Of(2, dtype="int64")
bad(INDEX, "ctc_loss", C, IDS, N, N, blank=4)
bad(INDEX, "ctc_loss", C, IDS, N, N, blank=-1)
bad(SHAPE, "ctc_loss", C, Of(3, 3, dtype="int64"), N, N)
bad(SHAPE, "ctc_loss", C, IDS, Of(3, dtype="int64"), N)
bad(SHAPE, "ctc_loss", P, IDS, N, N)
bad(VALUE, "quantize_linear", P, Of(4), Of(4, dtype="int8"))
bad(DTYPE, "quantize_linear", P, Of(), Of())
bad(DTYPE, "quantize_linear", P, Of(), Of(dtype="int64"))
bad(SHAPE, "quantize_linear", P, Of(3), Of(3, dtype="int8"), axis=1)
bad(SHAPE, "quantize_linear", P, Of(5, 3), Of(5, 3, dtype="int8"))
bad(VALUE, "quantize_linear", P, Of(2), Of(2, dtype="int8"), axis=1, block_size=0)
bad(VALUE, "quantize_linear", P, Of(2), Of(2, dtype="int8"), block_size=2)
bad(SHAPE, "quantize_linear", P, Of(3), Of(3, dtype="int8"), axis=1, block_size=2)
bad(INDEX, "quantize_linear", P, Of(4), Of(4, dtype="int8"), axis=2)
bad(SHAPE, "quantize_linear", Of(), Of(2, 2), Of(2, 2, dtype="int8"))
bad(DTYPE, "dequantize_linear", P, Of(), Of(dtype="int8"))
bad(DTYPE, "dequantize_linear", Of(5, 4, dtype="int8"), Of(dtype="bool"), Of(dtype="int8"))
bad(SHAPE, "dequantize_linear", Of(5, 4, dtype="int8"), Of(1, 5, 4), Of(dtype="int8"))
bad(INDEX, "cosine_similarity", P, P, axis=2)
bad(SHAPE, "cosine_similarity", P, Of(5, 3))
bad(INDEX, "euclidean_distance", P, P, axis=-3)
bad(SHAPE, "pairwise_distance", P, Of(5, 3))
bad(SHAPE, "pairwise_distance", Of(5))
bad(VALUE, "pairwise_distance", P, p=-1.0)
bad(VALUE, "pairwise_distance", P, p=float("nan"))
bad(INDEX, "normalize_vector", P, axis=2)
bad(INDEX, "normalize_vector", Of())


def make(v):
    return v.make() if isinstance(v, Of) else v


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("error,op,args,options", BAD)
def test_bad_arguments_raise(error, op, args, options, engine):
    E.set_backend(engine)
    given = [make(a) for a in args], {k: make(v) for k, v in options.items()}
    with pytest.raises(E.Error) as caught:
        call(op, *given[0], **given[1])
    assert type(caught.value) is error, f"{type(caught.value).__name__}: {caught.value}"
    assert str(caught.value).startswith(f"[{op}]"), caught.value
    # The library still works.
    assert np.array_equal(to_numpy(call("add", to_ember(np.arange(3.0)), 1)), [1, 2, 3])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "op,x,indices",
    [
        ("nll_loss", (3, 4), [0, 4, 1]),
        ("nll_loss", (3, 4), [0, -5, 1]),
        ("sparse_categorical_cross_entropy", (3, 4), [2**32 + 1, 0, 0]),
    ],
)
def test_class_out_of_range(op, x, indices, engine):
    """The error depends on values, so each evaluation raises it."""
    E.set_backend(engine)
    y = call(op, Of(*x).make(), to_ember(np.array(indices)), reduction="none")
    for _ in range(2):
        with pytest.raises(E.IndexError):
            to_numpy(y)


@pytest.mark.parametrize("engine", ENGINES)
def test_ctc_label_out_of_range(engine):
    E.set_backend(engine)
    lengths = to_ember(np.array([2, 2]))
    for label in (4, -5, 2**40):
        y = call(
            "ctc_loss",
            Of(5, 2, 4).make(),
            to_ember(np.array([[1, label], [1, 2]])),
            lengths,
            lengths,
        )
        with pytest.raises(E.IndexError):
            to_numpy(y)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("scale", [0.0, -0.5])
def test_attention_without_a_positive_scale(engine, scale):
    E.set_backend(engine)
    q, k, v = np.random.default_rng(1).standard_normal((3, 2, 3, 4, 5)).astype(np.float32)
    s = np.exp(q @ k.swapaxes(-1, -2) * scale)
    got = to_numpy(call(ATTENTION, to_ember(q), to_ember(k), to_ember(v), scale=scale))
    assert np.allclose(got, s / s.sum(-1, keepdims=True) @ v, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_unusual_but_valid_arguments(engine):
    """Unusual but valid: no channels, strides past the end, windows as long as the input."""
    E.set_backend(engine)
    bias = to_ember(np.array([1.0, 2.0], np.float32))
    assert np.array_equal(
        to_numpy(call("conv1d", Of(2, 0, 5).make(), Of(2, 0, 2).make(), bias)),
        np.broadcast_to([[1.0], [2.0]], (2, 2, 4)),
    )
    assert to_numpy(call("conv2d", X.make(), W.make(), strides=2**62)).shape == (1, 4, 1, 1)
    assert to_numpy(
        call("conv_transpose2d", Of(1, 4, 1, 1).make(), W.make(), strides=2**40)
    ).shape == (1, 4, 2, 2)
    assert to_numpy(call("conv2d", X.make(), Of(4, 4, 1, 1).make(), dilation=2**62)).shape == (
        1,
        4,
        5,
        5,
    )
    for ceil in (False, True):
        assert to_numpy(call("max_pool2d", X.make(), strides=2**62, ceil_mode=ceil)).shape == (
            1,
            4,
            1,
            1,
        )
    assert to_numpy(
        call("average_pool2d", X.make(), kernel_size=1, dilation=2**62, strides=1)
    ).shape == (1, 4, 5, 5)
    assert to_numpy(call("frame", SIGNAL.make(), 8, 2**62)).shape[-2:] in ((1, 8), (8, 1))
