"""Convolution, pooling and resampling, compared with plain loops over the output, in float64 or
the integers' own arithmetic."""

import itertools
import math

import numpy as np

from harness import *


def per_axis(v, n):
    return (
        list(v)
        if isinstance(v, (list, tuple)) and len(v) == n
        else [v[0] if isinstance(v, (list, tuple)) else v] * n
    )


def sides(padding, n):
    """[before, after] per axis."""
    if isinstance(padding, (list, tuple)) and len(padding) == 2 * n:
        return [(padding[2 * d], padding[2 * d + 1]) for d in range(n)]
    return [(p, p) for p in per_axis(padding, n)]


def first_axes(layout, a, b, n):
    """Permutes the axes of a layout such as hwio to the order a, b, spatial."""
    names = [
        c for l in layout if l != "w" for c in ([f"s{d}" for d in range(n)] if l == "h" else [l])
    ]
    return [names.index(c) for c in [a, b] + [f"s{d}" for d in range(n)]]


def back(axes):
    return np.argsort(axes)


def conv_ref(
    x,
    w,
    bias=None,
    strides=1,
    padding=0,
    dilation=1,
    groups=1,
    auto_pad="none",
    input_layout="nchw",
    filter_layout="oihw",
):
    n = x.ndim - 2
    order = first_axes(input_layout, "n", "c", n)
    x, w = x.transpose(order), w.transpose(first_axes(filter_layout, "o", "i", n))
    st, dil, pads = per_axis(strides, n), per_axis(dilation, n), sides(padding, n)
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dil)]
    if auto_pad.startswith("same"):
        total = [max(0, (-(-i // s) - 1) * s + r - i) for i, s, r in zip(x.shape[2:], st, reach)]
        pads = [
            (t // 2, t - t // 2) if auto_pad == "same_upper" else (t - t // 2, t // 2)
            for t in total
        ]
    x = np.pad(x, [(0, 0), (0, 0)] + pads)
    out = [(i - r) // s + 1 for i, r, s in zip(x.shape[2:], reach, st)]
    y = np.zeros([x.shape[0], w.shape[0], *out], x.dtype)
    f, c = w.shape[0] // groups, x.shape[1] // groups
    for at in itertools.product(*map(range, out)):
        window = tuple(slice(p * s, p * s + r, d) for p, s, r, d in zip(at, st, reach, dil))
        for g in range(groups):
            seen = x[(slice(None), slice(g * c, (g + 1) * c), *window)].reshape(
                x.shape[0], math.prod(w.shape[1:])
            )
            y[(slice(None), slice(g * f, (g + 1) * f), *at)] = (
                seen @ w[g * f : (g + 1) * f].reshape(f, math.prod(w.shape[1:])).T
            )
    if bias is not None:
        y = y + bias.reshape((-1,) + (1,) * n)
    return y.transpose(back(order))


def transposed_ref(
    x,
    w,
    bias=None,
    strides=1,
    padding=0,
    output_padding=0,
    dilation=1,
    groups=1,
    output_sizes=None,
    input_layout="nchw",
    filter_layout="iohw",
):
    """Every input element adds the scaled filter to the output; the padding is cropped."""
    n = x.ndim - 2
    order = first_axes(input_layout, "n", "c", n)
    x, w = x.transpose(order), w.transpose(first_axes(filter_layout, "i", "o", n))
    st, dil, pads, more = (
        per_axis(strides, n),
        per_axis(dilation, n),
        sides(padding, n),
        per_axis(output_padding, n),
    )
    full = [(i - 1) * s + (k - 1) * d + 1 for i, s, k, d in zip(x.shape[2:], st, w.shape[2:], dil)]
    if output_sizes:
        more = [o - (e - low - high) for o, e, (low, high) in zip(output_sizes, full, pads)]
    f, c = w.shape[1], x.shape[1] // groups
    y = np.zeros([x.shape[0], f * groups] + [e + m for e, m in zip(full, more)], x.dtype)
    for at in itertools.product(*map(range, x.shape[2:])):
        window = tuple(
            slice(p * s, p * s + (k - 1) * d + 1, d) for p, s, k, d in zip(at, st, w.shape[2:], dil)
        )
        for g in range(groups):
            seen = x[(slice(None), slice(g * c, (g + 1) * c), *at)]
            y[(slice(None), slice(g * f, (g + 1) * f), *window)] += np.tensordot(
                seen, w[g * c : (g + 1) * c], 1
            )
    y = y[
        (
            slice(None),
            slice(None),
            *(slice(low, e + m - high) for e, m, (low, high) in zip(full, more, pads)),
        )
    ]
    if bias is not None:
        y = y + bias.reshape((-1,) + (1,) * n)
    return y.transpose(back(order))


SIZES, KERNEL = (7, 6, 5), (3, 2, 2)
CONV_OPTIONS = [  # 4 channels in, 6 filters
    {},
    {"strides": 2},
    {"padding": 1},
    {"dilation": 2},
    {"groups": 2},
    {"strides": 2, "padding": 2, "dilation": 2, "groups": 2},
    {"auto_pad": "same_upper", "strides": 2},
    {"auto_pad": "same_lower"},
    {"auto_pad": "valid"},
    {"auto_pad": "same_upper", "dilation": 2},
]
for n in (1, 2, 3):
    op, size, kernel = f"conv{n}d", SIZES[:n], KERNEL[:n]
    uneven = [
        {"padding": [0, 1, 2, 0, 1, 2][: 2 * n]},
        {"strides": [2, 1, 3][:n], "padding": [1, 0, 2][:n], "dilation": [1, 2, 1][:n]},
    ]
    for k, o in enumerate(CONV_OPTIONS + uneven):
        g = o.get("groups", 1)
        case(
            op,
            [A((2, 4) + size), A((6, 4 // g) + kernel), A((6,))],
            conv_ref,
            FLOATS if k < 4 else REALS,
            id=f"options {k}",
            **o,
        )
    case(op, [A((2, 4) + size), A((6, 4) + kernel)], conv_ref, NUMERIC, id="no bias")
    case(
        op,
        [A((2, 4) + size), A((8, 1) + kernel), A((8,))],
        conv_ref,
        REALS + ("int32",),
        groups=4,
        padding=1,
        id="depthwise",
    )
    case(
        op,
        [A((3, 8) + size), A((8, 1) + kernel)],
        conv_ref,
        REALS,
        groups=8,
        strides=2,
        id="depthwise, strides",
    )
    case(op, [A((2, 5) + size), A((4, 5) + (1,) * n), A((4,))], conv_ref, FLOATS, id="one tap")
    case(
        op,
        [A((0, 4) + size), A((6, 4) + kernel), A((6,))],
        conv_ref,
        FLOATS + ("int32",),
        id="no images",
    )
    case(op, [A((2, 0) + size), A((3, 0) + kernel), A((3,))], conv_ref, REALS, id="no channels")
    case(op, [A((2, 4) + size), A((0, 4) + kernel)], conv_ref, REALS, id="no filters")
    case(
        op,
        [A((2, 4) + size), A((3, 4) + size), A((3,))],
        conv_ref,
        REALS,
        id="the filter covers the image",
    )
    for x_layout, w_layout in itertools.product(("nchw", "nhwc"), ("oihw", "hwio", "ohwi", "ihwo")):
        x_shape = (2, 4) + size if x_layout == "nchw" else (2,) + size + (4,)
        w_shape = {"o": (6,), "i": (2,), "h": kernel, "w": ()}
        case(
            op,
            [A(x_shape), A(sum((w_shape[c] for c in w_layout), ())), A((6,))],
            conv_ref,
            REALS,
            input_layout=x_layout,
            filter_layout=w_layout,
            groups=2,
            padding=1,
            strides=2,
            id=f"{x_layout} {w_layout}",
        )

    op = f"conv_transpose{n}d"
    small = (4, 3, 3)[:n]
    for k, o in enumerate(
        (
            {},
            {"strides": 2},
            {"strides": 2, "padding": 1, "output_padding": 1},
            {"strides": 3, "output_padding": 2, "dilation": 2},
            {"padding": 1, "dilation": 3},
            {"strides": 2, "padding": 2, "dilation": 2},
            {"groups": 2, "strides": 2},
            {"groups": 4},
            {"strides": [2, 1, 3][:n], "padding": [1, 0, 2][:n], "output_padding": [1, 0, 2][:n]},
            {"strides": 2, "padding": [0, 1, 1, 0, 1, 1][: 2 * n]},
        )
    ):
        g = o.get("groups", 1)
        case(
            op,
            [A((2, 4) + small), A((4, 3) + kernel), A((3 * g,))],
            transposed_ref,
            FLOATS if k in (0, 2) else REALS,
            id=f"options {k}",
            **o,
        )
    case(
        op,
        [A((2, 4) + small), A((4, 3) + kernel)],
        transposed_ref,
        NUMERIC,
        strides=2,
        id="no bias",
    )
    sizes = [(i - 1) * 3 + k for i, k in zip(small, kernel)]
    for k in range(3):
        case(
            op,
            [A((2, 4) + small), A((4, 3) + kernel), A((3,))],
            transposed_ref,
            REALS,
            strides=3,
            output_sizes=[s + (k + d) % 3 for d, s in enumerate(sizes)],
            id=f"sizes {k}",
        )
    case(op, [A((0, 4) + small), A((4, 3) + kernel)], transposed_ref, REALS, id="no images")
    for x_layout, w_layout in itertools.product(("nchw", "nhwc"), ("iohw", "hwoi", "ohwi", "oihw")):
        x_shape = (2, 4) + small if x_layout == "nchw" else (2,) + small + (4,)
        w_shape = {"i": (4,), "o": (3,), "h": kernel, "w": ()}
        case(
            op,
            [A(x_shape), A(sum((w_shape[c] for c in w_layout), ())), A((6,))],
            transposed_ref,
            REALS,
            input_layout=x_layout,
            filter_layout=w_layout,
            groups=2,
            padding=1,
            strides=2,
            output_padding=1,
            id=f"{x_layout} {w_layout}",
        )

# Sizes for which engines use other algorithms: many channels, long and wide filters, images of one
# pixel.
for k, (x, w, o) in enumerate(
    (
        ((1, 32, 14, 14), (32, 32, 3, 3), {"padding": 1}),
        ((2, 16, 12, 12), (24, 16, 1, 1), {"strides": 2}),
        ((1, 3, 30, 30), (16, 3, 7, 7), {"strides": 2, "padding": 3}),
        ((1, 32, 15, 15), (32, 1, 3, 3), {"groups": 32, "padding": 1, "strides": 2}),
        ((2, 4, 20, 20), (5, 4, 18, 17), {}),
        ((4, 64, 1, 1), (10, 64, 1, 1), {}),
        ((1, 16, 9, 9), (16, 4, 3, 3), {"groups": 4, "dilation": 3, "padding": 3}),
        ((1, 2200, 2, 2), (2, 2200, 2, 2), {}),
    )
):
    case("conv2d", [A(x), A(w), A(w[:1])], conv_ref, REALS, id=f"size {k}", **o)
for k, (x, w, o) in enumerate(
    (
        ((1, 16, 1, 1), (16, 1, 5, 5), {"groups": 16, "padding": 2}),
        ((1, 6, 2, 1), (3, 2, 5, 7), {"groups": 3, "padding": 3, "strides": [4, 1]}),
        ((2, 4, 1, 1), (4, 4, 3, 3), {"padding": 2, "dilation": 2}),
    )
):
    case("conv2d", [A(x), A(w), A(w[:1])], conv_ref, FLOATS, id=f"more padding than image {k}", **o)
case(
    "conv3d",
    [A((1, 4, 1, 1, 1)), A((4, 4, 3, 3, 3))],
    conv_ref,
    REALS,
    padding=2,
    dilation=2,
    id="more padding than image",
)
case(
    "conv_transpose2d",
    [A((1, 16, 9, 9)), A((16, 24, 3, 3)), A((24,))],
    transposed_ref,
    REALS,
    strides=2,
    padding=1,
    output_padding=1,
    id="size",
)
case(
    "conv_transpose2d",
    [A((1, 16, 7, 7)), A((16, 1, 4, 4)), A((16,))],
    transposed_ref,
    REALS,
    strides=2,
    padding=1,
    groups=16,
    id="size, depthwise",
)
case("conv1d", [A((2, 1, 40)), A((1, 1, 25))], conv_ref, FLOATS, id="long")
case(
    "conv1d",
    [A((1, 2, 6), 100, 127), A((1, 2, 3), 100, 127)],
    conv_ref,
    ("int8", "uint8", "int16"),
    id="wraps",
)
case(
    "conv1d",
    [A((1, 2, 6), dtype="bool"), A((1, 2, 3), dtype="int16")],
    lambda x, w: conv_ref(x.astype(np.int16), w),
    ("int16",),
    id="bool with integers",
)
case(
    "conv2d",
    [
        A((1, 1, 3, 3), values=[1, np.nan, 2, np.inf, 1, 3, 0, 1, -np.inf]),
        A((1, 1, 2, 2), values=[1, 2, 1, 1]),
    ],
    conv_ref,
    REALS,
    id="special",
)


def pool_ref(how):
    def ref(
        x,
        kernel_size=2,
        strides=None,
        padding=0,
        dilation=1,
        ceil_mode=False,
        count_include_pad=False,
        layout="nchw",
    ):
        n = x.ndim - 2
        order = first_axes(layout, "n", "c", n)
        x = x.transpose(order)
        size, k = x.shape[2:], per_axis(kernel_size, n)
        st, dil, pads = (
            per_axis(strides, n) if strides else k,
            per_axis(dilation, n),
            sides(padding, n),
        )
        out = []
        for d in range(n):
            free = size[d] + sum(pads[d]) - ((k[d] - 1) * dil[d] + 1)
            o = (-(-free // st[d]) if ceil_mode else free // st[d]) + 1
            # No window starts after the end of the input.
            out.append(o - (ceil_mode and (o - 1) * st[d] >= size[d] + pads[d][0]))
        y = np.zeros(x.shape[:2] + tuple(out), x.dtype if how == "max" else np.float64)
        for at in itertools.product(*map(range, out)):
            places, count = [], 1
            for d in range(n):
                taps = [at[d] * st[d] + j * dil[d] - pads[d][0] for j in range(k[d])]
                count *= sum(p < size[d] + pads[d][1] for p in taps)
                places.append([p for p in taps if 0 <= p < size[d]])
            seen = x[np.ix_(range(x.shape[0]), range(x.shape[1]), *places)].reshape(
                x.shape[:2] + (math.prod(map(len, places)),)
            )
            if how == "max":
                v = seen.max(-1) if seen.shape[-1] else -np.inf
            elif how == "average":
                v = seen.sum(-1, dtype=np.float64) / (
                    count if count_include_pad else seen.shape[-1]
                )
            else:
                v = np.sqrt((seen.astype(np.float64) ** 2).sum(-1))
            y[(slice(None), slice(None), *at)] = v
        return y.transpose(back(order))

    return ref


POOL_OPTIONS = [
    dict(kernel_size=k, padding=p, dilation=d, ceil_mode=c, **({"strides": s} if s else {}))
    for k, s, p, d, c in itertools.product((2, 3), (None, 1, 2), (0, 1), (1, 2), (False, True))
]
for n in (1, 2, 3):
    size = SIZES[:n]
    for how in ("max", "average", "l2"):
        op, ref = f"{how}_pool{n}d", pool_ref(how)
        for k, o in enumerate(POOL_OPTIONS):
            if n == 2 or k % 5 == n % 5:
                case(
                    op,
                    [A((2, 3) + size)],
                    ref,
                    REALS if n == 2 else ("float32",),
                    id=f"options {k}",
                    **o,
                )
                if how == "average" and (o["padding"] or o["ceil_mode"]):
                    case(
                        op,
                        [A((2, 3) + size)],
                        ref,
                        REALS if n == 2 else ("float32",),
                        count_include_pad=True,
                        id=f"options {k}, counting",
                        **o,
                    )
        uneven = dict(
            kernel_size=[3, 2, 4][:n], strides=[1, 2, 3][:n], padding=[2, 1, 0, 1, 3, 0][: 2 * n]
        )
        case(op, [A((2, 3) + size)], ref, FLOATS, id="uneven", **uneven)
        case(op, [A((2, 3) + size)], ref, REALS, ceil_mode=True, id="uneven, ceil", **uneven)
        case(op, [A((2,) + size + (3,))], ref, FLOATS, layout="nhwc", id="channels last", **uneven)
        case(
            op,
            [A((1, 2) + (2, 1, 3)[:n])],
            ref,
            REALS,
            kernel_size=4,
            strides=1,
            padding=2,
            id="windows larger than the image",
        )
        case(op, [A((0, 3) + size)], ref, REALS, id="no images")
        case(op, [A((2, 0) + size)], ref, REALS, id="no channels")
        case(op, [A((2, 3) + size)], ref, REALS, kernel_size=list(size), id="one window")
        if how == "max":
            case(op, [A((2, 3) + size)], ref, INTS, padding=1, id="integers")
        else:
            case(
                op,
                [A((2, 3) + size)],
                ref,
                ("int8", "int32", "uint8"),
                padding=1,
                out="float32",
                id="integers",
            )
        case(
            op,
            [A((1, 1) + size, values=[1, 2, np.nan, -1, np.inf, 0, 3, -np.inf, 4, 5, 6])],
            ref,
            REALS,
            strides=1,
            id="special",
        )
    case(
        f"average_pool{n}d",
        [A((2, 3) + size)],
        pool_ref("average"),
        FLOATS,
        count_include_pad=True,
        padding=1,
        kernel_size=3,
        strides=2,
        ceil_mode=True,
        id="counting",
    )
case(
    "max_pool2d",
    [A((1, 1, 4, 4), -90, -80)],
    pool_ref("max"),
    SIGNED + REALS,
    padding=1,
    id="padding is no element",
)
case(
    "max_pool2d",
    [A((2, 16, 24, 24))],
    pool_ref("max"),
    ("float32", "float16"),
    kernel_size=3,
    strides=2,
    padding=1,
    id="size",
)
case(
    "average_pool2d",
    [A((2, 16, 24, 24))],
    pool_ref("average"),
    ("float32", "float16"),
    kernel_size=7,
    strides=1,
    id="size",
)
case(
    "average_pool1d",
    [A((1, 2, 400))],
    pool_ref("average"),
    FLOATS,
    kernel_size=300,
    strides=7,
    id="long",
)


def adaptive_ref(f):
    def ref(x, output_size):
        for k, out in enumerate(output_size):
            axis = x.ndim - len(output_size) + k
            n = x.shape[axis]
            parts = [
                f(np.take(x, range(i * n // out, -(-(i + 1) * n // out)), axis), axis=axis)
                for i in range(out)
            ]
            x = np.stack(parts, axis)
        return x

    return ref


for shape, out in (
    ((2, 3, 7), [3]),
    ((2, 3, 7, 9), [3, 4]),
    ((2, 3, 7, 9), [7, 1]),
    ((2, 7, 9), [10, 9]),
    ((7, 9), [5, 13]),
    ((2, 3, 6, 8), [3, 2]),
    ((1, 2, 5, 4, 3), [2, 4, 2]),
    ((0, 3, 4), [2]),
):
    case(
        "adaptive_average_pool", [A(shape), out], adaptive_ref(np.mean), FLOATS, id=f"{shape}{out}"
    )
    case(
        "adaptive_max_pool",
        [A(shape), out],
        adaptive_ref(np.max),
        FLOATS + ("int16",),
        id=f"{shape}{out}",
    )
case(
    "adaptive_average_pool",
    [A((2, 7)), [3]],
    adaptive_ref(np.mean),
    ("int32",),
    out="float32",
    id="integers",
)
for n in (1, 2, 3):
    size = SIZES[:n]
    for layout, axes in (("nchw", tuple(range(2, n + 2))), ("nhwc", tuple(range(1, n + 1)))):
        case(
            "global_average_pool",
            [A((2, 3) + size)],
            lambda x, layout, axes=axes: x.mean(axes, keepdims=True),
            FLOATS,
            layout=layout,
            id=f"{n} {layout}",
        )
        case(
            "global_max_pool",
            [A((2, 3) + size)],
            lambda x, layout, axes=axes: x.max(axes, keepdims=True),
            FLOATS + ("int32",),
            layout=layout,
            id=f"{n} {layout}",
        )


def shuffle_ref(x, r):
    *batch, c, h, w = x.shape
    y = np.zeros((*batch, c // r**2, h * r, w * r), x.dtype)
    for k, i, j in itertools.product(range(c // r**2), range(r), range(r)):
        y[..., k, i::r, j::r] = x[..., k * r * r + i * r + j, :, :]
    return y


def unshuffle_ref(x, r):
    *batch, c, h, w = x.shape
    y = np.zeros((*batch, c * r * r, h // r, w // r), x.dtype)
    for k, i, j in itertools.product(range(c), range(r), range(r)):
        y[..., k * r * r + i * r + j, :, :] = x[..., k, i::r, j::r]
    return y


for shape, r in (
    ((2, 8, 3, 2), 2),
    ((9, 2, 5), 3),
    ((1, 2, 4, 1, 3), 2),
    ((2, 3, 4), 1),
    ((0, 4, 2, 2), 2),
):
    case("pixel_shuffle", [A(shape), r], shuffle_ref, ALL, id=f"{shape}")
for shape, r in (((2, 2, 6, 4), 2), ((1, 6, 9), 3), ((3, 2, 4), 1), ((2, 0, 2, 2), 2)):
    case("pixel_unshuffle", [A(shape), r], unshuffle_ref, ALL, id=f"{shape}")


def cubic(t, a):
    t = abs(t)
    return (
        (a + 2) * t**3 - (a + 3) * t**2 + 1
        if t < 1
        else a * (t**3 - 5 * t**2 + 8 * t - 4)
        if t < 2
        else 0.0
    )


def weights(n, out, ratio, mode, corners, antialias):
    """The matrix that resamples n elements to `out`."""
    m = np.zeros((out, n))
    if corners:
        ratio = (n - 1) / (out - 1) if out > 1 else 0
    for i in range(out):
        if antialias:
            stretch, centre = max(ratio, 1), (i + 0.5) * ratio
            w = np.array(
                [
                    max(0.0, 1 - abs((j + 0.5 - centre) / stretch))
                    if mode == "linear"
                    else cubic((j + 0.5 - centre) / stretch, -0.5)
                    for j in range(n)
                ]
            )
            m[i] = w / w.sum()
            continue
        at = i * ratio if corners else (i + 0.5) * ratio - 0.5
        if mode == "nearest":
            m[i, min(max(math.floor(at + 0.5), 0), n - 1)] = 1
        elif mode == "linear":
            at = min(max(at, 0), n - 1)
            j = min(int(at), max(n - 2, 0))
            m[i, j] += 1 - (at - j)
            if n > 1:
                m[i, j + 1] += at - j
        else:
            for j in range(math.floor(at) - 1, math.floor(at) + 3):
                m[i, min(max(j, 0), n - 1)] += cubic(at - j, -0.75)
    return m


def resample_ref(
    x, mode="nearest", scales=None, sizes=None, axes=None, align_corners=False, antialias=False
):
    count = len(scales or sizes)
    for k, axis in enumerate(axes or range(x.ndim - count, x.ndim)):
        n = x.shape[axis]
        out = sizes[k] if sizes else math.floor(n * scales[k])
        m = weights(n, out, n / out if sizes else 1 / scales[k], mode, align_corners, antialias)
        x = np.moveaxis(np.tensordot(m, x, (1, axis)), 0, axis)
    return x


for k, o in enumerate(
    (
        dict(scales=[2.0, 3.0]),
        dict(sizes=[3, 11]),
        dict(scales=[0.5, 0.7]),
        dict(scales=[1.5]),
        dict(sizes=[9, 2], axes=[1, 2]),
        dict(sizes=[1, 1]),
        dict(sizes=[5, 6]),
        dict(sizes=[4, 3, 2, 5], axes=[3, 0, 2, 1]),
    )
):
    for mode, corners, antialias in (
        ("nearest", False, False),
        ("nearest", True, False),
        ("linear", False, False),
        ("linear", True, False),
        ("linear", False, True),
        ("cubic", False, False),
        ("cubic", True, False),
        ("cubic", False, True),
    ):
        case(
            "resample",
            [A((2, 3, 5, 6))],
            resample_ref,
            FLOATS,
            mode=mode,
            align_corners=corners,
            antialias=antialias,
            id=f"{mode} {corners} {antialias} {k}",
            **o,
        )
case(
    "resample",
    [A((2, 3, 5, 6))],
    lambda x, **o: resample_ref(x, **o).astype(x.dtype),
    INTS + ("bool",),
    scales=[2, 2],
    id="nearest, integers",
)
case(
    "resample",
    [A((2, 30))],
    resample_ref,
    ("int32",),
    mode="linear",
    sizes=[17],
    out="float32",
    id="linear, integers",
)
case(
    "resample",
    [A((1, 2, 64, 50))],
    resample_ref,
    REALS,
    mode="cubic",
    sizes=[9, 7],
    antialias=True,
    id="many terms",
)
case("resample", [A((0, 2, 4, 4))], resample_ref, REALS, mode="linear", sizes=[3, 7], id="empty")
case("resample", [A((1, 1, 3))], resample_ref, COMPLEX, mode="nearest", sizes=[6], id="complex")


def mirrored(v, n, corners):
    low, span = (0, n - 1) if corners else (-0.5, n)
    if span == 0:
        return 0.0
    v = abs(v - low)
    rest = math.fmod(v, span)
    return min(max(rest + low if math.floor(v / span) % 2 == 0 else span - rest + low, 0), n - 1)


def grid_ref(x, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    batch, c, h, w = x.shape
    y = np.zeros((batch, c) + grid.shape[1:3])

    def inside(v, n):
        return (
            v
            if padding_mode == "zeros"
            else min(max(v, 0), n - 1)
            if padding_mode == "border"
            else mirrored(v, n, align_corners)
        )

    def element(b, i, j):
        i, j = int(i), int(j)
        return x[b, :, i, j] if 0 <= i < h and 0 <= j < w else np.zeros(c)

    for b, r, s in itertools.product(range(batch), *map(range, grid.shape[1:3])):
        gx, gy = grid[b, r, s]
        px, py = (
            ((gx + 1) / 2 * (w - 1), (gy + 1) / 2 * (h - 1))
            if align_corners
            else (((gx + 1) * w - 1) / 2, ((gy + 1) * h - 1) / 2)
        )
        if mode != "bicubic":
            px, py = inside(px, w), inside(py, h)
        fx, fy = math.floor(px), math.floor(py)
        if mode == "nearest":
            y[b, :, r, s] = element(b, np.rint(py), np.rint(px))
        elif mode == "bilinear":
            y[b, :, r, s] = sum(
                element(b, fy + j, fx + i) * (1 - abs(px - fx - i)) * (1 - abs(py - fy - j))
                for i in (0, 1)
                for j in (0, 1)
            )
        else:
            y[b, :, r, s] = sum(
                element(b, inside(fy + j, h), inside(fx + i, w))
                * cubic(px - fx - i, -0.75)
                * cubic(py - fy - j, -0.75)
                for i in range(-1, 3)
                for j in range(-1, 3)
            )
    return y


for mode, padding, corners in itertools.product(
    ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True)
):
    case(
        "grid_sample",
        [A((2, 3, 5, 6)), A((2, 4, 7, 2), -1.6, 1.6)],
        grid_ref,
        REALS,
        mode=mode,
        padding_mode=padding,
        align_corners=corners,
        id=f"{mode} {padding} {corners}",
    )
case("grid_sample", [A((2, 1, 3, 4)), A((2, 2, 2, 2), -1, 1)], grid_ref, FLOATS, id="dtypes")
case(
    "grid_sample",
    [A((1, 2, 1, 1)), A((1, 2, 2, 2), -2, 2)],
    grid_ref,
    REALS,
    padding_mode="reflection",
    align_corners=True,
    id="one element",
)
case("grid_sample", [A((0, 2, 3, 3)), A((0, 2, 2, 2), -1, 1)], grid_ref, REALS, id="no images")
