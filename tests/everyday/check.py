"""Compares what a program computed with what it should have computed."""

import numpy


def values(x):
    """The numbers of a tensor, an array or a list, as a NumPy array."""
    detach = getattr(x, "detach", None)
    return numpy.asarray(detach() if detach else x)


def close(got, expected, rtol=1e-4, atol=1e-5):
    """Same shape and, to rounding, the same numbers; NaN equals NaN."""
    expected = values(expected)
    got = values(got)
    assert got.shape == expected.shape, f"shape {got.shape} instead of {expected.shape}"
    numpy.testing.assert_allclose(got, expected, rtol=rtol, atol=atol)


def equal(got, expected):
    """Same shape and exactly the same values."""
    expected = values(expected)
    got = values(got)
    assert got.shape == expected.shape, f"shape {got.shape} instead of {expected.shape}"
    numpy.testing.assert_array_equal(got, expected)
