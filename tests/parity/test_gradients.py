"""Every differentiable op, compared with finite differences in float64 and complex128, for the
parity cases; a sample at second order."""

import re

import numpy as np
import pytest

import harness
from harness import call
import test_parity
from ember_ml import _core as E

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # from NumPy for infinite results

# Cases without a gradient to compare with: by op and a pattern of the case's id, with the reason.
# An entry whose case passes must be removed.
TIES = "equal elements: which comes first, or is the largest, changes"
EDGE = "at a kink or a jump"
EXCEPT = {
    "astype": {"float16|bfloat16|to float32|to complex64": "a narrower dtype has steps"},
    "binary_cross_entropy": {"^sure ": "a probability of 0 or 1 cannot go both ways"},
    "categorical_cross_entropy": {
        "^zero ": "probabilities are held within 1e-7 of 0 and 1: at that bound"
    },
    "cbrt": {"^ float64": "infinitely steep at 0"},
    "choice": {"^p ": "what is drawn jumps"},
    "cosine_similarity": {"^zero ": "a vector of length 0"},
    "histogram": {"weights": "the edges come from the data as numbers, outside the graph"},
    "kl_div_loss": {"^zero ": "a probability of 0 cannot go both ways"},
    "lstsq": {"deficient": "the rank jumps"},
    "min": {"^NaN 8 ": TIES},
    "normalize_vector": {"^zero ": "a vector of length 0"},
    "percentile": {
        r"^\[0.0, 0.25|no lines": "q cannot leave 0 to 100",
        r"^\[\[0.1, 0.77.* nearest": EDGE,
    },
    "pinv": {"deficient": "the rank jumps"},
    "pow": {r"^ulp -|^ulp 0\.5": "arguments far below the step of the differences"},
    "quantile": {
        r"^\[0.0, 0.25|no lines": "q cannot leave 0 to 1",
        r"^\[\[0.1, 0.77.* nearest": EDGE,
        "past float32": "the differences vanish in rounding",
    },
    "round": {"^ float64": EDGE},
    "sort": {"^ties": TIES},
    "tan": {"^poles ": "at a pole"},
    "topk": {"False float64$": TIES},
    "unique_all": {r"^\(10,\) |^\(4, 5\) ": TIES},
    "unique_counts": {r"^\(10,\) |^\(4, 5\) ": TIES},
    "unique_inverse": {r"^\(10,\) |^\(4, 5\) ": TIES},
    "unique_values": {r"^\(10,\) |^\(4, 5\) ": TIES},
}
# Ops that are piecewise constant: their gradient is zero or is not recorded.
FLAT = {"empty_like", "full_like", "heaviside", "histogram", "ones_like", "zeros_like"}
# Ops that reject differentiation.
REFUSED = {"nextafter"}


def is_float(x):
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def leaves(args, kwargs):
    """The floating-point arrays among the arguments, and a function that calls with other arrays
    in their places."""
    found = []

    def walk(v):
        if is_float(v):
            found.append(v)
        elif isinstance(v, (list, tuple)):
            for e in v:
                walk(e)

    for v in list(args) + list(kwargs.values()):
        walk(v)

    def rebuild(values):
        it = iter(values)

        def swap(v):
            if is_float(v):
                return next(it)
            if isinstance(v, (list, tuple)) and any(
                is_float(e) or isinstance(e, (list, tuple)) for e in v
            ):
                return [swap(e) for e in v]
            return harness.convert(v, harness.to_ember)

        return [swap(v) for v in args], {k: swap(v) for k, v in kwargs.items()}

    return found, rebuild


def outputs(result):
    flat = []

    def walk(r):
        for e in r if isinstance(r, (list, tuple)) else [r]:
            if isinstance(e, (list, tuple)):
                walk(e)
            elif isinstance(e, E.EmberTensor) and str(e.dtype).startswith(
                ("float", "complex", "bfloat")
            ):
                flat.append(e)

    walk(result)
    return flat


# ---- Factorizations that are unique only up to a choice: compares quantities that do not depend on
# it ----
def adjoint(x):
    t = call("matrix_transpose", x)
    return call("conj", t) if str(x.dtype).startswith("complex") else t


def columns(x, start, stop):
    return call("slice", x, [start], [stop], axes=[-1])


def normalize_phase(v, others=()):
    """Multiplies vectors (columns) by a phase so that the largest element of each is real and
    positive; the others are multiplied by the same phase."""
    if 0 in v.shape:
        return [v, *others]
    largest = np.argmax(np.abs(harness.to_numpy(v)), axis=-2, keepdims=True)
    phase = call("sign", call("take_along_axis", v, harness.to_ember(largest), axis=-2))
    back = call("conj", phase) if str(v.dtype).startswith("complex") else phase
    return [call("multiply", x, back) for x in (v, *others)]


def spanned(q, k):
    """The first k columns, and the projection onto the others."""
    rest = columns(q, k, q.shape[-1])
    return [columns(q, 0, k)] + ([call("matmul", rest, adjoint(rest))] if q.shape[-1] > k else [])


def fixed_eig(w, v):
    values = harness.to_numpy(w)
    order = np.lexsort((np.round(values.imag, 6), np.round(values.real, 6)), axis=-1)
    along = (
        lambda x, i: call("take_along_axis", x, harness.to_ember(i), axis=-1)
        if 0 not in x.shape
        else x
    )
    return [along(w, order), normalize_phase(along(v, order[..., None, :]))[0]]


def fixed_svd(u, s, vh):
    k = s.shape[-1]
    (u, *us), (v, *vs) = spanned(u, k), spanned(adjoint(vh), k)
    return [s, *normalize_phase(u, [v]), *us, *vs]


FIXED = {
    "eig": fixed_eig,
    "eigvals": lambda w: fixed_eig(w, call("zeros", [*w.shape, w.shape[-1]]))[:1],
    "eigh": lambda w, v: [w, *normalize_phase(v)],
    "qr": lambda q, r: [r, *spanned(q, min(q.shape[-2], r.shape[-1]))],
    "svd": fixed_svd,
}


# ---- The comparison ----
def case_function(c, rebuild):
    def f(xs):
        call("seed", 7)
        args, kwargs = rebuild(xs)
        ys = outputs(call(c.op, *args, **kwargs))
        return FIXED[c.op](*ys) if c.op in FIXED and c.id != "values alone" else ys

    return f


def weights_for(rng):
    kept = {}

    def weights(k, v):
        if k not in kept:
            w = rng.uniform(0.5, 1.5, v.shape) * rng.choice([-1, 1], v.shape)
            kept[k] = (w + 1j * rng.uniform(-1, 1, v.shape) if v.dtype.kind == "c" else w).astype(
                v.dtype
            )
        return kept[k]

    return weights


def marked(arrays):
    return [E.convert_to_tensor(harness.to_ember(a), requires_grad=True) for a in arrays]


def compare(f, arrays, what, steps=(1e-6, 1e-4, 1e-5), mark=False):
    """The gradient of sum(real(conj(w) * f(x))), compared with finite differences computed in
    NumPy."""
    rng = np.random.default_rng(5)
    weights = weights_for(rng)

    def value(at):
        ys = [
            harness.to_numpy(y)
            for y in f(marked(at) if mark else [harness.to_ember(a) for a in at])
        ]
        return sum(
            float(np.sum(np.real(np.conj(weights(k, y)) * y))) for k, y in enumerate(ys)
        ), len(ys)

    base, count = value(arrays)
    if count == 0:
        return "no floats come out"
    if not np.isfinite(base):
        return "not finite"
    xs = marked(arrays)
    ys = f(xs)
    if not any(y.requires_grad for y in ys):
        return "nothing recorded"
    grads = [
        harness.to_numpy(g)
        for g in E.gradients(
            ys, xs, [harness.to_ember(weights(k, harness.to_numpy(y))) for k, y in enumerate(ys)]
        )
    ]
    for g, a in zip(grads, arrays):
        assert g.shape == a.shape and g.dtype == a.dtype, (
            f"the gradient of {a.dtype}{a.shape} is {g.dtype}{g.shape}"
        )
    for trial in range(4):  # along random directions, and along single axes
        ds = []
        for a in arrays:
            d = rng.standard_normal(a.shape) if trial < 2 else np.zeros(a.shape)
            if trial >= 2 and a.size:
                d.flat[rng.integers(a.size)] = 1
            if a.dtype.kind == "c":
                d = d + 1j * rng.standard_normal(a.shape)
            ds.append(d.astype(a.dtype))
        got = sum(float(np.sum(np.real(np.conj(g) * d))) for g, d in zip(grads, ds))
        size = sum(float(np.sum(np.abs(g * d))) for g, d in zip(grads, ds))
        seen = []
        for h in steps:  # one step has a small rounding error and a small truncation error
            numeric = (
                value([a + h * d for a, d in zip(arrays, ds)])[0]
                - value([a - h * d for a, d in zip(arrays, ds)])[0]
            ) / (2 * h)
            seen.append(numeric)
            if abs(got - numeric) <= 2e-6 * max(1.0, abs(numeric), size, abs(base) * 1e-3):
                break
        else:
            raise AssertionError(f"{what}: along direction {trial} {got}, by differences {seen}")
    return ""


def draw(c, dtype):
    args, kwargs = harness.draw(c, dtype)
    arrays, rebuild = leaves(args, kwargs)
    return [a.astype(np.complex128 if a.dtype.kind == "c" else np.float64) for a in arrays], rebuild


def check(c, dtype, engine, second=False):
    """Why a case is excluded, or None."""
    E.set_backend(engine)
    arrays, rebuild = draw(c, dtype)
    if not arrays:
        return "takes no floats"
    if sum(a.size for a in arrays) > 4000:
        return "large"
    f = case_function(c, rebuild)
    if not second:
        return compare(f, arrays, c.op)
    weights = weights_for(np.random.default_rng(6))

    def gradient(xs):
        # Squared, so that linear ops have a second derivative too.
        ys = [call("multiply", y, y) for y in f(xs)]
        return E.gradients(
            ys,
            xs,
            [harness.to_ember(weights(k, harness.to_numpy(y))) for k, y in enumerate(ys)],
            create_graph=True,
        )

    return compare(gradient, arrays, f"{c.op} again", (1e-5, 1e-4, 1e-6), mark=True)


def kinds(c):
    return (["float64"] if set(c.dtypes) & set(harness.FLOATS) else []) + (
        ["complex128"] if set(c.dtypes) & set(harness.COMPLEX) else []
    )


CASES = {
    op: cases
    for op in test_parity.OPS
    if (cases := [c for c in harness.CASES if c.op == op and kinds(c) and not c.engines])
}


@pytest.mark.parametrize("engine", harness.ENGINES)
@pytest.mark.parametrize("op", CASES)
def test_gradient(op, engine):
    failures, skips, used = [], [], set()
    for c in CASES[op]:
        for dtype in kinds(c):
            try:
                skips.append(check(c, dtype, engine))
            except Exception as e:
                if (
                    op in REFUSED
                    and isinstance(e, E.UnsupportedError)
                    and f"[{op}] has no gradient" in str(e)
                ):
                    used.add("refused")
                    continue
                reasons = [p for p in EXCEPT.get(op, {}) if re.search(p, f"{c.id} {dtype}")]
                used.update(reasons)
                if not reasons:
                    failures.append(f"{c.id or 'plain'} {dtype}: {type(e).__name__}: {e}")
    assert not failures, f"{len(failures)} failures:\n" + "\n".join(failures[:12])
    assert op not in REFUSED or "refused" in used, (
        f"{op} is expected to say that it has no gradient"
    )
    idle = set(EXCEPT.get(op, {})) - used
    assert not idle, f"exceptions that are none: {sorted(idle)}"
    why = set(skips)
    if (
        why & {"takes no floats", "no floats come out"}
        and not why - {"takes no floats", "no floats come out", "large"}
        or op in REFUSED
    ):
        return
    assert ("" in why) != (op in FLAT), (
        f"{op}: {'is listed as flat, yet compared' if op in FLAT else sorted(why)}"
    )


def test_exception_lists_name_existing_ops():
    assert not (set(EXCEPT) | set(FLAT) | REFUSED) - set(CASES)


# ---- The forward graph ----
def evaluated(f, xs):
    """The graph ops that an evaluation of f(xs) takes, those of bodies included."""
    E.eval(xs)
    E.watch_ops(True)
    try:
        E.watched_ops()
        ys = f(xs)
        E.eval(ys)
        return sorted(op for op, _ in E.watched_ops())
    finally:
        E.watch_ops(False)


@pytest.mark.parametrize("op", CASES)
def test_the_forward_graph_does_not_depend_on_requires_grad(op):
    E.set_backend(harness.ENGINES[0])
    for c in CASES[op]:
        for dtype in kinds(c):
            arrays, rebuild = draw(c, dtype)
            f = case_function(c, rebuild)
            plain = [harness.to_ember(a) for a in arrays]
            evaluated(f, plain)  # also arguments that are pending tensors, shared by all calls
            assert evaluated(f, marked(arrays)) == evaluated(f, plain), f"{c.id} {dtype}"


# ---- Second order ----
SECOND = [
    "exp",
    "tanh",
    "multiply",
    "divide",
    "pow",
    "sqrt",
    "log",
    "sigmoid",
    "where",
    "matmul",
    "sum",
    "prod",
    "var",
    "logsumexp",
    "max",
    "cumulative_prod",
    "sort",
    "softmax",
    "log_softmax",
    "gelu",
    "silu",
    "layer_norm",
    "rms_norm",
    "batch_norm",
    "conv2d",
    "conv_transpose1d",
    "average_pool2d",
    "max_pool2d",
    "l2_pool1d",
    "scaled_dot_product_attention",
    "take",
    "take_along_axis",
    "gather_nd",
    "scatter_elements",
    "scatter_nd",
    "pad",
    "slice",
    "concat",
    "fft",
    "rfft",
    "irfft",
    "cholesky",
    "eigh",
    "inv",
    "lu",
    "qr",
    "solve",
    "solve_triangular",
    "svd",
    "det",
]


@pytest.mark.parametrize("op", SECOND)
def test_second_order(op):
    compared = 0
    for c in CASES[op]:
        arrays, _ = draw(c, kinds(c)[0])
        if (
            compared == 8
            or sum(a.size for a in arrays) > 800
            or any(re.search(p, f"{c.id} {d}") for p in EXCEPT.get(op, {}) for d in kinds(c))
        ):
            continue
        for dtype in kinds(c):
            compared += check(c, dtype, harness.ENGINES[0], second=True) == ""
    assert compared > 0


# ---- Narrower floats ----
NARROW = [
    "softmax",
    "log_softmax",
    "gelu",
    "silu",
    "layer_norm",
    "rms_norm",
    "batch_norm",
    "matmul",
    "conv2d",
    "average_pool2d",
    "take",
    "take_along_axis",
    "scatter_elements",
    "mean",
    "sum",
    "logsumexp",
    "scaled_dot_product_attention",
    "solve",
    "cumulative_sum",
    "divide",
]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("op", NARROW)
def test_narrow_floats(op, dtype):
    """Gradients have the dtype of their tensor and a corresponding accuracy."""
    compared = 0
    for c in CASES[op]:
        args, kwargs = harness.draw(c, "float64")
        arrays, rebuild = leaves(args, kwargs)
        if (
            compared == 4
            or "float64" not in kinds(c)
            or not all(a.dtype == np.float64 for a in arrays)
            or sum(a.size for a in arrays) > 800
        ):
            continue
        arrays = [a.astype(harness.np_dtype(dtype)) for a in arrays]
        found = []
        for at in (arrays, [a.astype(np.float64) for a in arrays]):
            xs = marked(at)
            ys = case_function(c, rebuild)(xs)
            if not all(np.isfinite(harness.to_numpy(y).astype(np.float64)).all() for y in ys):
                break
            ws = [
                call(
                    "astype",
                    harness.to_ember(np.linspace(-1, 1, int(np.prod(y.shape))).reshape(y.shape)),
                    y.dtype,
                )
                for y in ys
            ]
            found.append([harness.to_numpy(g) for g in E.gradients(ys, xs, ws)])
        if len(found) < 2:
            continue
        for a, g, exact in zip(arrays, *found):
            assert g.dtype == a.dtype and g.shape == a.shape
            off = np.abs(g.astype(np.float64) - exact)
            assert (
                (
                    off
                    <= 40
                    * float(harness.ml_dtypes.finfo(a.dtype).eps)
                    * (np.abs(exact) + np.sqrt(np.mean(exact**2)) + 0.1)
                ).all()
                if a.size
                else True
            ), f"{c.id}: off by {off.max()}"
        compared += 1
    assert compared


# ---- Properties that finite differences cannot show ----
def gradient_of(op, *arrays, **kwargs):
    xs = marked(np.asarray(a, np.float64) for a in arrays)
    y = call("sum", outputs(call(op, *xs, **kwargs))[0])
    return [harness.to_numpy(g).tolist() for g in E.gradients([y], xs, [call("ones_like", y)])]


def test_ties_share_the_gradient_equally():
    assert gradient_of("max", [1, 3, 3, 2, 3, 3]) == [[0, 0.25, 0.25, 0, 0.25, 0.25]]
    assert gradient_of("min", [[2, 1], [1, 1]], axis=1) == [[[0, 1], [0.5, 0.5]]]
    assert gradient_of("maximum", [1, 2, 3], [3, 2, 1]) == [[0, 0.5, 1], [1, 0.5, 0]]
    assert gradient_of("max_pool1d", [[[1, 1, 0, 2]]], kernel_size=[2]) == [[[[0.5, 0.5, 0, 1]]]]
    assert gradient_of("max_pool1d", [[[1, 1, 1]]], kernel_size=[2], strides=[1]) == [
        [[[0.5, 1, 0.5]]]
    ]
    at = harness.to_ember(np.array([0, 0, -1]))
    x, u = marked([np.array([1.0, 2, 3]), np.array([1.0, 0, 3])])
    y = call("scatter_elements", x, at, u, reduction="max")
    gx, gu = E.gradients([y], [x, u], [harness.to_ember(np.array([1.0, 1, 1]))])
    assert harness.to_numpy(gx).tolist() == [0.5, 1, 0.5] and harness.to_numpy(gu).tolist() == [
        0.5,
        0,
        0.5,
    ]


def test_a_value_that_is_overwritten_gets_nothing():
    at = harness.to_ember(np.array([[1], [-2], [1]]))  # the same element of an axis of length 3
    x, u = marked([np.array([1.0, 2, 3]), np.array([4.0, 5, 6])])
    gx, gu = E.gradients(
        [call("scatter_nd", x, at, u)], [x, u], [harness.to_ember(np.array([1.0, 2, 3]))]
    )
    assert harness.to_numpy(gx).tolist() == [1, 0, 3] and harness.to_numpy(gu).tolist() == [0, 0, 2]


def test_gradients_of_products_with_zeros():
    assert gradient_of("prod", [0, 2, 3]) == [[6, 0, 0]]
    at = harness.to_ember(np.array([0, 0, 1, 1, 1]))
    x, u = marked([np.array([2.0, 3]), np.array([0.0, 5, 0, 7, 0])])
    gx, gu = E.gradients(
        [call("scatter_elements", x, at, u, reduction="mul")],
        [x, u],
        [harness.to_ember(np.ones(2))],
    )
    assert harness.to_numpy(gx).tolist() == [0, 0] and harness.to_numpy(gu).tolist() == [
        10,
        0,
        0,
        0,
        0,
    ]


def test_gradients_of_norms_at_zero():
    for op, kwargs in (
        ("vector_norm", {}),
        ("vector_norm", {"ord": 3.0}),
        ("std", {}),
        ("reduce_l2", {}),
        ("l2_pool1d", {"kernel_size": [3]}),
    ):
        shape = (1, 1, 3) if op == "l2_pool1d" else (3,)
        assert np.ravel(gradient_of(op, np.zeros(shape), **kwargs)).tolist() == [0, 0, 0], op
    assert gradient_of("relu", [-1, 0, 2]) == [[0, 0, 1]]


def test_equal_eigenvalues():
    assert gradient_of("eigvalsh", np.eye(3)) == [np.eye(3).tolist()]
    assert np.allclose(gradient_of("svdvals", np.eye(3))[0], np.eye(3))
    assert np.isfinite(gradient_of("svd", np.eye(3))[0]).all()


def test_determinant_of_singular_matrices():
    for m in (
        [[1, 2], [2, 4]],
        [[1, 2, 3], [4, 5, 6], [5, 7, 9]],
        [[2, 0], [0, 0]],
        np.zeros((3, 3)),
    ):
        m = np.asarray(m, np.float64)
        n = len(m)
        cofactors = [
            [(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(m, i, 0), j, 1)) for j in range(n)]
            for i in range(n)
        ]
        assert np.allclose(gradient_of("det", m)[0], cofactors), m


def test_many_uses_of_one_leaf():
    (x,) = marked([np.array([1.0, 2.0])])
    y = x
    for _ in range(10):
        y = call("add", call("multiply", y, x), x)
    g = harness.to_numpy(E.gradients([y], [x], [harness.to_ember(np.ones(2))])[0])
    assert g.tolist() == [sum(k * v ** (k - 1) for k in range(1, 12)) for v in (1.0, 2.0)]


def test_a_graph_serves_once():
    (x,) = marked([np.array([1.0, 2.0])])
    y, w = call("exp", x), harness.to_ember(np.ones(2))
    first = harness.to_numpy(E.gradients([y], [x], [w])[0])
    assert np.allclose(first, np.exp([1.0, 2.0]))
    with pytest.raises(E.StateError, match="freed"):
        E.gradients([y], [x], [w])
