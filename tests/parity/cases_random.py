"""Distributions against SciPy's: a Kolmogorov-Smirnov test or a chi-square test that a right one
fails once in a million seeds, the first moments within five standard errors. Seeds are fixed
(conftest.py)."""

import numpy as np
import scipy.stats as st

from harness import *

N = 20000
RARE = 1e-6


def continuous(dist):
    """Values of a SciPy distribution; 16-bit floats are coarse, so only their moments are
    tested."""

    def check(got, args, dtype):
        x = got[0].astype(np.float64)
        name = "bfloat16" if got[0].dtype == np_dtype("bfloat16") else got[0].dtype.name
        assert name == dtype and x.shape == tuple(np.atleast_1d(args[0])), (name, x.shape)
        assert np.isfinite(x).all()
        low, high = dist.support()
        assert x.min() >= low - 0.01 * abs(low) and x.max() <= high + 0.01 * abs(high), (
            x.min(),
            x.max(),
        )
        slack = 2.0**-8 * np.abs(dist.mean()) + 2.0**-7 * dist.std() if name == "bfloat16" else 0
        assert abs(x.mean() - dist.mean()) <= 5 * dist.std() / np.sqrt(x.size) + slack, (
            x.mean(),
            dist.mean(),
        )
        # The relative standard error of the variance.
        spread = np.sqrt((dist.stats("k") + 2) / x.size)
        assert abs(x.var() / dist.var() - 1) <= 5 * spread + (0.02 if slack else 1e-3), (
            x.var(),
            dist.var(),
        )
        if name in REALS:
            assert st.kstest(x.ravel(), dist.cdf).pvalue > RARE

    return check


def discrete(dist, support, out="int64"):
    def check(got, args, dtype):
        x = got[0]
        assert x.dtype.name == out, x.dtype
        same_counts(x.ravel().astype(int), support, dist.pmf(support))

    return check


def same_counts(x, support, p):
    """The count of each value of the support; values expected fewer than five times are counted
    together."""
    assert np.isin(x, support).all()
    have, want = np.array([(x == v).sum() for v in support]), np.asarray(p) * x.size
    often = want >= 5
    have, want = (
        np.append(have[often], have[~often].sum()),
        np.append(want[often], x.size - want[often].sum()),
    )
    keep = want > 1e-9
    assert have[~keep].sum() == 0
    have, want = have[keep], want[keep]
    if len(want) > 1:
        assert st.chisquare(have, want * have.sum() / want.sum()).pvalue > RARE, (have, want)


def shaped(op, args, dtype="float32", **kw):
    """Only the shape: 0-d, empty, several axes."""
    for shape in ([], [0], [2, 0, 3], [7], [2, 3, 4]):

        def check(got, a, d, shape=shape):
            assert list(got[0].shape) == shape and got[0].dtype == np_dtype(dtype), (
                got[0].shape,
                got[0].dtype,
            )

        case(op, [shape, *args], None, ("float32",), check=check, id=f"shape {shape}", **kw)


case("seed", [7], None, ("float32",), check=lambda got, a, d: None)
shaped("random_bits", [], "uint32")
case(
    "random_bits",
    [[N]],
    None,
    ("float32",),
    check=lambda got, a, d: [
        same_counts((got[0] >> s) & 255, np.arange(256), np.full(256, 1 / 256))
        for s in (0, 8, 16, 24)
    ],
)
CONTINUOUS = (
    ("random_uniform", [], st.uniform()),
    ("random_uniform", [-2, 3], st.uniform(-2, 5)),
    ("random_normal", [], st.norm()),
    ("random_normal", [1.5, 0.25], st.norm(1.5, 0.25)),
    ("truncated_normal", [], st.truncnorm(-2, 2)),
    ("truncated_normal", [1, 2, -1, 0.5], st.truncnorm(-1, 0.5, 1, 2)),
    ("truncated_normal", [0, 1, 2, 4], st.truncnorm(2, 4)),
    ("random_gamma", [2.5], st.gamma(2.5)),
    ("random_gamma", [0.3], st.gamma(0.3)),
    ("random_gamma", [7, 2.0], st.gamma(7, scale=0.5)),
    ("random_beta", [2, 5], st.beta(2, 5)),
    ("random_beta", [0.5, 0.5], st.beta(0.5, 0.5)),
    ("random_exponential", [], st.expon()),
    ("random_exponential", [3.0], st.expon(scale=3)),
    ("random_laplace", [], st.laplace()),
    ("random_laplace", [1, 0.5], st.laplace(1, 0.5)),
    ("random_gumbel", [], st.gumbel_r()),
    ("random_gumbel", [-1, 2], st.gumbel_r(-1, 2)),
)
for op, args, dist in CONTINUOUS:
    for d in FLOATS:
        case(op, [[N], *args], None, (d,), dtype=d, check=continuous(dist), id=f"{args}")
for op, args in (
    ("random_uniform", []),
    ("random_normal", []),
    ("truncated_normal", []),
    ("random_gamma", [0.5]),
    ("random_beta", [1, 2]),
    ("random_exponential", []),
    ("random_laplace", []),
    ("random_gumbel", []),
):
    shaped(op, args)
case(
    "random_normal",
    [[1001]],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_equal(len(np.unique(got[0])), 1001),
    id="odd",
)
case(
    "random_uniform",
    [[N], 2, 2],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_array_equal(got[0], 2),
    id="one point",
)
case(
    "random_uniform",
    [[N], 1, 1.0000001],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_array_equal(got[0], 1),
    id="high is never reached",
)
case(
    "random_beta",
    [[N], 0.01, 0.01],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_(
        np.isfinite(got[0]).all() and abs(got[0].mean() - 0.5) < 0.03
    ),
    id="at both ends",
)

shaped("random_bernoulli", [], "bool")
for p in (0.0, 0.3, 1.0):
    case(
        "random_bernoulli",
        [[N], p],
        None,
        ("float32",),
        check=discrete(st.bernoulli(p), np.arange(2), "bool"),
        id=str(p),
    )
case(
    "random_bernoulli",
    [[N, 2], A((2,), values=[0.1, 0.9], dtype="float32")],
    None,
    ("float32",),
    id="a tensor",
    check=lambda got, a, d: [
        same_counts(got[0][:, k].astype(int), np.arange(2), [1 - p, p])
        for k, p in enumerate((0.1, 0.9))
    ],
)
shaped("random_binomial", [0.5, 5], "int64")
for n, p in ((0, 0.5), (1, 0.5), (20, 0.3), (10, 0.0), (10, 1.0)):
    case(
        "random_binomial",
        [[N], p, n],
        None,
        ("float32",),
        check=discrete(st.binom(n, p), np.arange(n + 1)),
        id=f"{n} {p}",
    )
shaped("random_poisson", [2.5], "int64")
for rate in (0, 0.5, 4, 60):
    case(
        "random_poisson",
        [[N], rate],
        None,
        ("float32",),
        check=discrete(st.poisson(rate), np.arange(int(rate + 12 * np.sqrt(rate + 1) + 17))),
        id=str(rate),
    )
for d in INTS:
    case(
        "random_integers",
        [[N], 3, 17],
        None,
        (d,),
        dtype=d,
        check=lambda got, a, d: (
            np.testing.assert_equal(got[0].dtype.name, d),
            same_counts(got[0].astype(int), np.arange(3, 17), np.full(14, 1 / 14)),
        ),
    )
case(
    "random_integers",
    [[N], -9, -4],
    None,
    ("int8",),
    check=discrete(st.randint(-9, -4), np.arange(-9, -4)),
    id="negative",
)
case(
    "random_integers",
    [[N], -(2**63), 2**63 - 1],
    None,
    ("int64",),
    id="all",
    check=lambda got, a, d: np.testing.assert_(
        st.kstest(got[0].astype(float) / 2**64 + 0.5, "uniform").pvalue > RARE
    ),
)
case(
    "random_integers",
    [[N], 0, 256],
    None,
    ("uint8",),
    dtype="uint8",
    id="to the end",
    check=lambda got, a, d: same_counts(got[0].astype(int), np.arange(256), np.full(256, 1 / 256)),
)
shaped("random_integers", [0, 5], "int64")

P = np.array([0.1, 0.2, 0.0, 0.5, 0.2])
logs = A((5,), values=np.log(np.where(P > 0, P, 1e-300)))
case(
    "random_categorical",
    [logs, N],
    None,
    FLOATS,
    check=lambda got, a, d: same_counts(got[0], np.arange(5), P)
    if d in REALS
    else np.testing.assert_(got[0].shape == (N,)),
)
case(
    "random_categorical",
    [A((3, 5), values=np.log([0.2] * 5 + [0.96] + [0.01] * 4 + [0.1, 0.2, 0.3, 0.2, 0.2])), N],
    None,
    REALS,
    id="rows",
    check=lambda got, a, d: [
        same_counts(got[0][k], np.arange(5), np.exp(a[0][k].astype(float))) for k in range(3)
    ],
)
case(
    "random_categorical",
    [A((2, 3, 4))],
    None,
    REALS,
    id="one",
    check=lambda got, a, d: np.testing.assert_equal(got[0].shape, (2, 3, 1)),
)
for d in REALS + ("float16",):
    case(
        "random_multinomial",
        [A((5,), values=P), N],
        None,
        (d,),
        check=lambda got, a, d: same_counts(
            got[0], np.arange(5), a[0].astype(float) / a[0].astype(float).sum()
        ),
    )
case(
    "random_multinomial",
    [A((5000, 4), values=[0.4, 0.3, 0.2, 0.1]), 4, False],
    None,
    FLOATS,
    id="without replacement",
    check=lambda got, a, d: (
        np.testing.assert_array_equal(np.sort(got[0], axis=1), np.tile(np.arange(4), (5000, 1))),
        same_counts(got[0][:, 0], np.arange(4), [0.4, 0.3, 0.2, 0.1]),
    ),
)


def permuted(got, args, dtype):
    """All rows occur, in another order, and each position is equally likely for each."""
    x = np.asarray(args[0])
    np.testing.assert_array_equal(
        np.sort(got[0].astype(np.float64), axis=0), np.sort(x.astype(np.float64), axis=0)
    )
    if x.size > 100:
        assert abs(np.corrcoef(x.ravel(), got[0].ravel())[0, 1]) < 5 / np.sqrt(x.size)


for name in ("shuffle", "random_permutation"):
    case(
        name,
        [A((1000,), values=np.arange(1000))],
        None,
        ("float32", "int64", "int16"),
        check=permuted,
    )
    case(
        name,
        [A((0,))],
        None,
        ALL,
        check=lambda got, a, d: np.testing.assert_equal(got[0].shape, (0,)),
        id="empty",
    )
    case(
        name,
        [A((4, 50), values=np.arange(200))],
        None,
        ("float32",),
        axis=1,
        id="axis",
        check=lambda got, a, d: (
            np.testing.assert_array_equal(np.sort(got[0], axis=1), a[0]),
            np.testing.assert_array_equal(got[0] % 50, np.tile(got[0][0] % 50, (4, 1))),
        ),
    )
case(
    "random_permutation",
    [1000],
    None,
    ("int64",),
    check=lambda got, a, d: np.testing.assert_array_equal(np.sort(got[0]), np.arange(1000)),
    id="an integer",
)
case(
    "random_permutation",
    [0],
    None,
    ("int64",),
    check=lambda got, a, d: np.testing.assert_equal(got[0].shape, (0,)),
    id="nothing",
)
case(
    "choice",
    [A((5,), values=[2, 3, 5, 7, 11]), [N]],
    None,
    NUMERIC,
    check=lambda got, a, d: same_counts(
        got[0].astype(complex).real.astype(int), np.array([2, 3, 5, 7, 11]), np.full(5, 0.2)
    ),
)
case(
    "choice",
    [A((5,), values=[2, 3, 5, 7, 11]), [N], True, A((5,), values=P)],
    None,
    REALS,
    id="p",
    check=lambda got, a, d: same_counts(got[0].astype(int), np.array([2, 3, 5, 7, 11]), P),
)
case(
    "choice",
    [A((50,), values=np.arange(50)), [5, 10], False],
    None,
    ("int32",),
    id="without replacement",
    check=lambda got, a, d: (
        np.testing.assert_equal(got[0].shape, (5, 10)),
        np.testing.assert_array_equal(np.sort(got[0].ravel()), np.arange(50)),
    ),
)
case(
    "choice",
    [7],
    None,
    ("int64",),
    id="an integer",
    check=lambda got, a, d: np.testing.assert_(got[0].shape == () and 0 <= got[0] < 7),
)
