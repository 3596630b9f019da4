"""Random bits are Philox's and equal on every engine; uniform numbers are derived from them bit
for bit, other distributions within rounding."""

import numpy as np
import pytest

from ember_ml import _core as E
from harness import call, ENGINES, to_numpy

MASK = 0xFFFFFFFF


def philox(counter, key):
    """Philox 4x32-10 of Salmon and others (2011), with Python's integers."""
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = (
            (b >> 32) ^ counter[1] ^ key[0],
            b & MASK,
            (a >> 32) ^ counter[3] ^ key[1],
            a & MASK,
        )
        key = (key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK
    return counter


def words(seed, count, skip=0):
    seed %= 1 << 64
    blocks = [
        philox((i & MASK, i >> 32, 0, 0), (seed & MASK, seed >> 32))
        for i in range(skip, skip + -(-count // 4))
    ]
    return np.array(blocks, np.uint32).reshape(-1)[:count]


def draw(engine, seed, op, *args, **kwargs):
    E.set_backend(engine)
    call("seed", seed)
    return to_numpy(call(op, *args, **kwargs))


def test_reference_knows_the_published_vectors():
    assert [f"{w:08x}" for w in philox((0, 0, 0, 0), (0, 0))] == [
        "6627e8d5",
        "e169c58d",
        "bc57ac4c",
        "9b00dbd8",
    ]
    assert [f"{w:08x}" for w in philox((MASK,) * 4, (MASK,) * 2)] == [
        "408f276d",
        "41c83b0e",
        "a20bc7c6",
        "6d5451fd",
    ]
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)
    assert [f"{w:08x}" for w in philox(*pi)] == ["d16cfe09", "94fdcceb", "5001e420", "24126ea1"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", [0, 1, 1234567890123, -1, 2**63 - 1])
@pytest.mark.parametrize("shape", [[], [1], [3], [4], [5], [257], [3, 7], [0]])
def test_random_bits_are_philox(engine, seed, shape):
    got = draw(engine, seed, "random_bits", shape)
    assert got.dtype == np.uint32
    np.testing.assert_array_equal(got, words(seed, int(np.prod(shape))).reshape(shape))


@pytest.mark.parametrize("engine", ENGINES)
def test_draws_continue_the_same_stream(engine):
    E.set_backend(engine)
    call("seed", 5)
    parts = [to_numpy(call("random_bits", [n])) for n in (3, 8, 1)]
    want = words(5, 16)
    np.testing.assert_array_equal(
        np.concatenate(parts), np.concatenate([want[0:3], want[4:12], want[12:13]])
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_counter_is_taken_when_the_op_is_called(engine):
    E.set_backend(engine)
    call("seed", 5)
    first, second = call("random_bits", [4]), call("random_bits", [4])
    np.testing.assert_array_equal(to_numpy(second), words(5, 4, 1))
    np.testing.assert_array_equal(to_numpy(first), words(5, 4))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_long_draw_has_the_same_bits(engine):
    got = draw(engine, 9, "random_bits", [300001])
    np.testing.assert_array_equal(got[:40], words(9, 40))
    np.testing.assert_array_equal(got[-41:], words(9, 41, 74990))
    np.testing.assert_array_equal(got[150000:150040], words(9, 40, 37500))


@pytest.mark.parametrize("engine", ENGINES)
def test_uniform_bits(engine):
    np.testing.assert_array_equal(
        draw(engine, 3, "random_uniform", [101]),
        (words(3, 101) >> 8).astype(np.float32) * np.float32(2.0**-24),
    )
    two = words(3, 202).astype(np.uint64).reshape(101, 2)
    np.testing.assert_array_equal(
        draw(engine, 3, "random_uniform", [101], dtype="float64"),
        ((two[:, 0] << 32 | two[:, 1]) >> 11).astype(np.float64) * 2.0**-53,
    )
    np.testing.assert_array_equal(
        draw(engine, 3, "random_uniform", [101], dtype="float16"),
        ((words(3, 101) >> 21).astype(np.float64) * 2.0**-11).astype(np.float16),
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("args", [(), (-3, 5), (0.1, 0.7), (1e-3, 1e3)])
def test_uniform_is_the_same_on_every_engine(dtype, args):
    want = draw("native", 3, "random_uniform", [70000], *args, dtype=dtype)
    for engine in ENGINES:
        assert (
            draw(engine, 3, "random_uniform", [70000], *args, dtype=dtype).tobytes()
            == want.tobytes()
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_uniform_over_a_range_wider_than_the_largest_number(engine):
    for dtype, most in (("float32", 3e38), ("float64", 1.5e308)):
        got = draw(engine, 4, "random_uniform", [1000], -most, most, dtype=dtype)
        assert np.isfinite(got).all() and len(np.unique(got)) > 990
        assert (got < -most / 2).any() and (got > most / 2).any() and abs(got / most).max() <= 1


@pytest.mark.parametrize(
    "op,args",
    [
        ("random_normal", ()),
        ("random_exponential", ()),
        ("random_laplace", ()),
        ("random_gumbel", ()),
        ("truncated_normal", ()),
        ("random_gamma", (3.0,)),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions_agree_within_rounding(op, args, dtype):
    want = draw("native", 11, op, [10000], *args, dtype=dtype)
    for engine in ENGINES:
        got = draw(engine, 11, op, [10000], *args, dtype=dtype)
        far = ~np.isclose(got, want, rtol=1e-4, atol=1e-5 if dtype == "float32" else 1e-12)
        # Rounding may accept a rejected draw elsewhere.
        assert far.sum() <= 1, f"{engine}: {far.sum()} differ"


def test_integers_and_orders_are_the_same_on_every_engine():
    for op, args in (
        ("random_integers", ([5000], -7, 1000)),
        ("random_permutation", (5000,)),
        ("random_bernoulli", ([5000], 0.3)),
        ("random_binomial", ([500], 0.4, 9)),
    ):
        want = draw("native", 2, op, *args)
        for engine in ENGINES:
            np.testing.assert_array_equal(draw(engine, 2, op, *args), want)


def test_seeds_differ():
    assert len({draw("native", s, "random_bits", [8]).tobytes() for s in range(100)}) == 100
