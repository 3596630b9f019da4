"""Operators of com.microsoft, which ONNX Runtime's optimizer and quantizer write, compared with
ONNX Runtime."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from ember_ml import errors, onnx

from engines import ENGINES, to_ember, to_numpy
from test_convert import convert
from test_networks import oracle

F = TensorProto.FLOAT
rng = np.random.default_rng(7)


def floats(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def integers(low, high, *shape, dtype=np.uint8):
    return rng.integers(low, high, shape).astype(dtype)


def one_node(op, inputs, outputs=1, constants=(), domain="com.microsoft", **attributes):
    """A model of one node. inputs: arrays, or None for omitted ones; constants: the inputs that
    are stored in the file."""
    names = ["" if x is None else f"i{k}" for k, x in enumerate(inputs)]
    node = helper.make_node(
        op, names, [f"y{k}" for k in range(outputs)], domain=domain, **attributes
    )
    given = [
        (n, x)
        for k, (n, x) in enumerate(zip(names, inputs))
        if x is not None and k not in constants
    ]
    ports = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for n, x in given
    ]
    results = [helper.ValueInfoProto(name=f"y{k}") for k in range(outputs)]
    stored = [numpy_helper.from_array(inputs[k], names[k]) for k in constants]
    graph = helper.make_graph([node], "g", ports, results, stored)
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        ir_version=9,
    )
    return model, dict(given)


def compare(op, inputs, outputs=1, rtol=1e-4, atol=1e-5, **more):
    model, feed = one_node(op, inputs, outputs, **more)
    want = oracle(model).run(None, feed)
    got = onnx.parse(model.SerializeToString()).run({n: to_ember(x) for n, x in feed.items()})
    for g, w in zip(map(to_numpy, got.values()), want, strict=True):
        assert g.shape == w.shape and g.dtype == w.dtype
        if g.dtype.kind in "iu":  # rounding in another order changes at most one step
            assert np.abs(g.astype(np.int64) - w.astype(np.int64)).max(initial=0) <= 1
        else:
            np.testing.assert_allclose(g, w, rtol=rtol, atol=atol)


def scale(v):
    return np.array(v, np.float32)


def zero(v, dtype=np.uint8):
    return np.array(v, dtype)


X, MASK = floats(2, 5, 12), np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]], np.int32)
QKV, BIAS = floats(12, 36, scale=0.3), floats(36)
Q, K, V = floats(2, 5, 12), floats(2, 7, 12), floats(2, 7, 8)
PAST = floats(2, 2, 3, 4, 4)
WIDE_ANGLES = np.outer(np.arange(20), 0.5 ** np.arange(8)).astype(np.float32)
ANGLES = np.outer(np.arange(20), [1, 0.3]).astype(np.float32)
U = integers(0, 256, 2, 6, 4, 4)
CONV, FILTER = floats(1, 2, 6, 6), floats(3, 2, 3, 3)
A8, B8 = integers(0, 256, 4, 16), integers(-128, 128, 16, 5, dtype=np.int8)

CASES = {
    "gelu": ("Gelu", [X]),
    "bias_gelu": ("BiasGelu", [X, floats(12)]),
    "fast_gelu": ("FastGelu", [X, floats(12)]),
    "fast_gelu_plain": ("FastGelu", [X]),
    "quick_gelu": ("QuickGelu", [X], dict(alpha=1.3)),
    "quick_gelu_default": ("QuickGelu", [X]),
    "skip": (
        "SkipLayerNormalization",
        [X, floats(2, 5, 12), floats(12), floats(12), floats(12)],
        dict(outputs=1, epsilon=1e-5),
    ),
    "skip_broadcast": ("SkipLayerNormalization", [X, floats(5, 12), floats(12)], {}),
    "skip_simplified": (
        "SkipSimplifiedLayerNormalization",
        [X, floats(2, 5, 12), floats(12), floats(12)],
        dict(epsilon=1e-6),
    ),
    "simplified": (
        "SimplifiedLayerNormalization",
        [X, floats(12)],
        dict(axis=-1, epsilon=1e-5, domain=""),
    ),
    "embed": (
        "EmbedLayerNormalization",
        [
            integers(0, 9, 2, 5, dtype=np.int32),
            integers(0, 2, 2, 5, dtype=np.int32),
            floats(9, 12),
            floats(8, 12),
            floats(2, 12),
            floats(12),
            floats(12),
            MASK,
        ],
        dict(outputs=3, epsilon=1e-5),
    ),
    "embed_positions": (
        "EmbedLayerNormalization",
        [
            integers(0, 9, 2, 5, dtype=np.int32),
            None,
            floats(9, 12),
            floats(8, 12),
            None,
            floats(12),
            floats(12),
            None,
            integers(0, 8, 2, 5, dtype=np.int32),
        ],
        dict(outputs=2),
    ),
    "matmul": (
        "FusedMatMul",
        [floats(2, 4, 3), floats(2, 5, 4)],
        dict(alpha=0.5, transA=1, transB=1),
    ),
    "matmul_batch": ("FusedMatMul", [floats(3, 2, 4), floats(2, 4, 5)], dict(transBatchA=1)),
    "gemm": (
        "FusedGemm",
        [floats(3, 4), floats(5, 4), floats(5)],
        dict(transB=1, alpha=0.5, activation="LeakyRelu", activation_alpha=0.2),
    ),
    "conv": ("FusedConv", [CONV, FILTER, floats(3)], dict(activation="Relu", pads=[1, 1, 1, 1])),
    "conv_added": (
        "FusedConv",
        [CONV, FILTER, floats(3), floats(1, 3, 4, 4)],
        dict(activation="Relu"),
    ),
    "conv_clip": (
        "FusedConv",
        [CONV, FILTER],
        dict(activation="Clip", activation_params=[-0.5, 1.5]),
    ),
    "attention": ("Attention", [X, QKV, BIAS], dict(num_heads=3)),
    "attention_mask": ("Attention", [X, QKV, BIAS, MASK], dict(num_heads=3, scale=0.4)),
    "attention_lengths": (
        "Attention",
        [X, QKV, BIAS, np.array([3, 4], np.int32)],
        dict(num_heads=3),
    ),
    "attention_ends_and_starts": (
        "Attention",
        [X, QKV, BIAS, np.array([5, 4, 1, 0], np.int32)],
        dict(num_heads=3),
    ),
    "attention_mask_of_each_query": (
        "Attention",
        [X, QKV, BIAS, integers(0, 2, 2, 5, 5, dtype=np.int32)],
        dict(num_heads=3),
    ),
    "attention_causal_past": (
        "Attention",
        [X, QKV, BIAS, None, PAST],
        dict(num_heads=3, unidirectional=1, outputs=2),
    ),
    "attention_bias": (
        "Attention",
        [X, QKV, BIAS, None, None, floats(1, 3, 5, 5)],
        dict(num_heads=3),
    ),
    "attention_sizes": (
        "Attention",
        [X, floats(12, 30, scale=0.3), floats(30)],
        dict(num_heads=3, qkv_hidden_sizes=[12, 12, 6]),
    ),
    "multi": ("MultiHeadAttention", [Q, K, V], dict(num_heads=4)),
    "multi_bias": ("MultiHeadAttention", [Q, K, V, floats(32)], dict(num_heads=4, scale=0.7)),
    "multi_mask": ("MultiHeadAttention", [X, X, X, None, MASK], dict(num_heads=3)),
    "multi_lengths": (
        "MultiHeadAttention",
        [X, X, X, None, np.array([2, 5], np.int32)],
        dict(num_heads=3),
    ),
    "multi_added": (
        "MultiHeadAttention",
        [Q, K, V, None, None, floats(1, 4, 5, 7)],
        dict(num_heads=4),
    ),
    "multi_heads_of_keys": (
        "MultiHeadAttention",
        [Q, floats(2, 3, 7, 4), floats(2, 3, 7, 4)],
        dict(num_heads=3),
    ),
    "multi_past": (
        "MultiHeadAttention",
        [X, X, X, None, None, None, PAST[0], PAST[1]],
        dict(num_heads=3, outputs=3, unidirectional=1),
    ),
    "rotary": (
        "RotaryEmbedding",
        [floats(2, 5, 8), np.array([3], np.int64), np.cos(ANGLES), np.sin(ANGLES)],
        dict(num_heads=2),
    ),
    "rotary_interleaved": (
        "RotaryEmbedding",
        [floats(2, 3, 5, 4), integers(0, 20, 2, 5, dtype=np.int64), np.cos(ANGLES), np.sin(ANGLES)],
        dict(interleaved=1),
    ),
    "rotary_part": (
        "RotaryEmbedding",
        [floats(2, 5, 12), np.array([0], np.int64), np.cos(ANGLES), np.sin(ANGLES)],
        dict(num_heads=2, rotary_embedding_dim=4),
    ),
    "group_prompt": (
        "GroupQueryAttention",
        [
            floats(2, 5, 32),
            floats(2, 5, 16),
            floats(2, 5, 16),
            None,
            None,
            np.array([4, 4], np.int32),
            np.array(5, np.int32),
        ],
        dict(num_heads=4, kv_num_heads=2, outputs=3, constants=(6,)),
    ),
    "group_step": (
        "GroupQueryAttention",
        [
            floats(2, 1, 64),
            floats(2, 1, 32),
            floats(2, 1, 32),
            floats(2, 2, 5, 16),
            floats(2, 2, 5, 16),
            np.array([5, 5], np.int32),
            np.array(6, np.int32),
            np.cos(WIDE_ANGLES),
            np.sin(WIDE_ANGLES),
        ],
        dict(num_heads=4, kv_num_heads=2, outputs=3, do_rotary=1, constants=(6,)),
    ),
    "group_packed_window": (
        "GroupQueryAttention",
        [
            floats(2, 6, 128),
            None,
            None,
            None,
            None,
            np.array([5, 5], np.int32),
            np.array(6, np.int32),
            np.cos(WIDE_ANGLES),
            np.sin(WIDE_ANGLES),
        ],
        dict(
            num_heads=4,
            kv_num_heads=2,
            outputs=3,
            do_rotary=1,
            rotary_interleaved=1,
            local_window_size=3,
            softcap=2.0,
            scale=0.3,
            constants=(6,),
        ),
    ),
    "quantize": (
        "QuantizeLinear",
        [floats(3, 4), scale([0.1, 0.02, 0.05, 0.2]), zero([3, 128, 0, 255])],
        dict(axis=1),
    ),
    "quantize_16": ("QuantizeLinear", [floats(3, 4), scale(0.001), zero(7, np.int16)], {}),
    "dequantize": (
        "DequantizeLinear",
        [
            integers(0, 65536, 3, 4, dtype=np.uint16),
            scale([0.1, 0.02, 0.05]),
            zero([3, 128, 0], np.uint16),
        ],
        dict(axis=0),
    ),
    "q_add": (
        "QLinearAdd",
        [U, scale(0.1), zero(128), U[:, :1], scale(0.2), zero(100), scale(0.3), zero(120)],
        {},
    ),
    "q_mul": (
        "QLinearMul",
        [U, scale(0.01), zero(128), U[:1], scale(0.02), zero(100), scale(0.03), zero(120)],
        {},
    ),
    "q_sigmoid": (
        "QLinearSigmoid",
        [U, scale(0.05), zero(128), scale(1 / 256), zero(0)],
        dict(constants=(1, 2, 3, 4)),
    ),
    "q_leaky_relu": (
        "QLinearLeakyRelu",
        [U, scale(0.05), zero(128), scale(0.04), zero(90)],
        dict(alpha=0.2, constants=(1, 2, 3, 4)),
    ),
    "q_softmax": (
        "QLinearSoftmax",
        [U, scale(0.02), zero(128), scale(1 / 256), zero(0)],
        dict(axis=-1, opset=13, constants=(1, 2, 3, 4)),
    ),
    "q_softmax_flat": (
        "QLinearSoftmax",
        [U, scale(0.02), zero(128), scale(1 / 256), zero(0)],
        dict(axis=2, opset=11, constants=(1, 2, 3, 4)),
    ),
    "q_average": (
        "QLinearGlobalAveragePool",
        [U, scale(0.05), zero(128), scale(0.04), zero(90)],
        {},
    ),
    "q_average_last": (
        "QLinearGlobalAveragePool",
        [U, scale(0.05), zero(128), scale(0.04), zero(90)],
        dict(channels_last=1),
    ),
    "q_average_pool": (
        "QLinearAveragePool",
        [U, scale(0.05), zero(128), scale(0.04), zero(90)],
        dict(kernel_shape=[2, 3], strides=[1, 2], pads=[0, 1, 0, 1]),
    ),
    "q_concat": (
        "QLinearConcat",
        [scale(0.1), zero(90), U, scale(0.05), zero(128), U, scale(0.2), zero(3)],
        dict(axis=1, constants=(0, 1, 3, 4, 6, 7)),
    ),
    "q_where": (
        "QLinearWhere",
        [
            integers(0, 2, 2, 6, 4, 4, dtype=bool),
            U,
            scale(0.1),
            zero(128),
            U[:, :1],
            scale(0.2),
            zero(100),
            scale(0.3),
            zero(120),
        ],
        dict(constants=(2, 3, 5, 6, 7, 8)),
    ),
    "q_gemm": (
        "QGemm",
        [
            A8,
            scale(0.02),
            zero(120),
            B8,
            scale([0.01, 0.02, 0.03, 0.01, 0.05]),
            np.zeros(5, np.int8),
            integers(-900, 900, 5, dtype=np.int32),
            scale(0.3),
            zero(100),
        ],
        {},
    ),
    "q_gemm_float": (
        "QGemm",
        [A8, scale(0.02), zero(120), B8.T.copy(), scale(0.03), zero(3, np.int8)],
        dict(transB=1, alpha=0.5),
    ),
    "integer_to_float": (
        "MatMulIntegerToFloat",
        [
            A8,
            B8,
            scale(0.02),
            scale([0.01, 0.02, 0.03, 0.01, 0.05]),
            zero(120),
            zero(2, np.int8),
            floats(5),
        ],
        {},
    ),
    "dynamic_matmul": (
        "DynamicQuantizeMatMul",
        [floats(2, 4, 16), B8, scale(0.03), zero(2, np.int8), floats(5)],
        {},
    ),
    "bits_4": (
        "MatMulNBits",
        [floats(2, 3, 40), integers(0, 256, 6, 2, 16), floats(12)],
        dict(K=40, N=6, bits=4, block_size=32, constants=(1, 2)),
    ),
    "bits_4_zeros": (
        "MatMulNBits",
        [
            floats(3, 40),
            integers(0, 256, 6, 3, 8),
            floats(18),
            integers(0, 256, 12),
            None,
            floats(6),
        ],
        dict(K=40, N=6, bits=4, block_size=16, constants=(1, 2, 3)),
    ),
    "bits_8": (
        "MatMulNBits",
        [floats(3, 32), integers(0, 256, 6, 2, 16), floats(12)],
        dict(K=32, N=6, bits=8, block_size=16, constants=(1, 2)),
    ),
    "q_attention": (
        "QAttention",
        [
            integers(0, 256, 2, 5, 12),
            integers(-128, 128, 12, 36, dtype=np.int8),
            BIAS,
            scale(0.02),
            scale(0.01),
            MASK,
            zero(128),
            zero(0, np.int8),
        ],
        dict(num_heads=3),
    ),
    "inverse": ("Inverse", [floats(2, 3, 3) + 3 * np.eye(3, dtype=np.float32)], {}),
}
LOOSE = {
    "dynamic_matmul": dict(rtol=1e-3, atol=1e-3),
    "bits_8": dict(rtol=1e-3, atol=1e-3),
    "bits_4": dict(rtol=1e-3, atol=1e-3),
    "bits_4_zeros": dict(rtol=1e-3, atol=1e-3),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("engine", ENGINES)
def test_as_onnxruntime(name, engine, on_engine):
    on_engine(engine)
    op, inputs, *more = CASES[name]
    compare(op, inputs, **(more[0] if more else {}), **LOOSE.get(name, {}))


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("columns", [False, True])
def test_quantized_lstm(direction, columns):
    directions = 2 if direction == "bidirectional" else 1
    steps, batch, features, hidden = 4, 2, 6, 5
    number = (
        lambda: (floats(directions, 4 * hidden) if columns else floats(directions)) ** 2 * 0.001
        + 0.004
    )
    zeros = np.zeros((directions, 4 * hidden) if columns else (directions,), np.int8)
    weights = [
        integers(-128, 128, directions, n, 4 * hidden, dtype=np.int8) for n in (features, hidden)
    ]
    inputs = [
        floats(steps, batch, features),
        *weights,
        floats(directions, 8 * hidden),
        None,
        None,
        None,
        None,
        number().astype(np.float32),
        zeros,
        number().astype(np.float32),
        zeros,
    ]
    compare(
        "DynamicQuantizeLSTM",
        inputs,
        outputs=3,
        constants=(1, 2, 3, 8, 9, 10, 11),
        hidden_size=hidden,
        direction=direction,
        rtol=1e-3,
        atol=2e-3,
    )


def test_packed_queries_and_keys():
    """ONNX Runtime has these only for GPUs: they are compared with the operators that they fuse."""
    q, k, v = (floats(2, 5, 3, 4) for _ in range(3))
    flat = [x.reshape(2, 5, 12) for x in (q, k, v)]
    model, feed = one_node("MultiHeadAttention", flat, num_heads=3)
    want = oracle(model).run(None, feed)[0]
    for inputs in ([np.stack([q, k, v], 3)], [flat[0], np.stack([k, v], 3)]):
        model, feed = one_node("MultiHeadAttention", inputs, num_heads=3)
        np.testing.assert_allclose(
            to_numpy(onnx.parse(model.SerializeToString()).run(feed)["y0"]),
            want,
            rtol=1e-4,
            atol=1e-5,
        )


def test_samples_of_different_lengths_in_a_buffer():
    """The new key of each sample follows its own past; the reference sums the visible keys in
    float64."""
    batch, heads, size, room, lengths = 2, 2, 8, 6, [3, 6]
    q, k, v = (floats(batch, 1, heads * size) for _ in range(3))
    past = floats(2, batch, heads, room, size)
    model, feed = one_node(
        "GroupQueryAttention",
        [q, k, v, past[0], past[1], np.array(lengths, np.int32) - 1, np.array(room, np.int32)],
        3,
        (6,),
        num_heads=heads,
        kv_num_heads=heads,
    )
    y, keys, values = map(to_numpy, onnx.parse(model.SerializeToString()).run(feed).values())
    for b, n in enumerate(lengths):
        for h in range(heads):
            own = [x[b, 0].reshape(heads, size)[h].astype(np.float64) for x in (q, k, v)]
            all_keys, all_values = (np.vstack([p[b, h, : n - 1], x]) for p, x in zip(past, own[1:]))
            weights = np.exp(all_keys @ own[0] / np.sqrt(size))
            np.testing.assert_allclose(
                y[b, 0].reshape(heads, size)[h],
                weights @ all_values / weights.sum(),
                rtol=1e-4,
                atol=1e-5,
            )
            np.testing.assert_allclose(keys[b, h, :n], all_keys, rtol=1e-6)
            np.testing.assert_allclose(values[b, h, :n], all_values, rtol=1e-6)


def test_weights_are_unpacked_once(tmp_path):
    """The recorded graph only contains the product."""
    model, _ = one_node(
        "MatMulNBits",
        [floats(2, 32), integers(0, 256, 6, 1, 16), floats(6)],
        constants=(1, 2),
        K=32,
        N=6,
        block_size=32,
    )
    model.graph.output[0].type.tensor_type.elem_type = F
    (tmp_path / "a.onnx").write_bytes(model.SerializeToString())
    assert convert(tmp_path / "a.onnx", tmp_path / "b.onnx").returncode == 0
    assert onnx.load(tmp_path / "b.onnx").operators == {"MatMul": 1}


@pytest.mark.parametrize(
    "op, inputs, attributes, text",
    [
        ("Attention", [X, QKV, BIAS], dict(num_heads=3, do_rotary=1), "do_rotary"),
        (
            "Attention",
            [X, QKV, BIAS, np.zeros((2, 1, 9, 9), np.int32)],
            dict(num_heads=3),
            "a mask of shape",
        ),
        ("Attention", [X, QKV, BIAS], dict(num_heads=5), "cannot be split into 5 heads"),
        (
            "MatMulNBits",
            [floats(2, 32), U, floats(4)],
            dict(K=32, N=6, bits=3, block_size=32),
            "3 bits",
        ),
        ("FusedConv", [CONV, FILTER], dict(activation="Swish"), "activation 'Swish'"),
        ("NoSuch", [X], {}, "com.microsoft.*not a supported operator"),
    ],
)
def test_unsupported_attributes_are_refused(op, inputs, attributes, text):
    model, feed = one_node(op, inputs, **attributes)
    with pytest.raises((errors.UnsupportedError, errors.ShapeError), match=text):
        onnx.parse(model.SerializeToString()).run(feed)
