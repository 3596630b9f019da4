"""gradient and methods of functions in NumPy's form, compared with NumPy."""

import numpy as np
import pytest

import ember_ml as em

RNG = np.random.default_rng(0)
Y = RNG.normal(size=(5, 6))
ROWS = np.array([0.0, 1, 3, 4, 9])
COLUMNS = np.sort(RNG.normal(size=6))


def same(x, expected):
    np.testing.assert_allclose(np.asarray(x), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize("spacing", [(), (0.5,), (2.0, 0.5), (ROWS, COLUMNS), (ROWS, 0.5)])
def test_gradient_along_all_axes(engine, spacing, edge_order):
    got = em.gradient(em.asarray(Y), *spacing, edge_order=edge_order)
    expected = np.gradient(Y, *spacing, edge_order=edge_order)
    assert len(got) == len(expected) == 2
    for g, e in zip(got, expected):
        same(g, e)


def test_gradient_along_one_axis(engine):
    same(em.gradient(em.asarray(Y), COLUMNS, axis=1), np.gradient(Y, COLUMNS, axis=1))
    same(em.gradient(em.asarray(Y), axis=-2), np.gradient(Y, axis=-2))
    same(em.gradient(em.asarray(Y[0]), em.asarray(COLUMNS)), np.gradient(Y[0], COLUMNS))
    same(em.gradient([1, 2, 4, 7]), [1, 1.5, 2.5, 3])
    assert len(em.gradient(em.asarray(Y), axis=(1, 0))) == 2


def test_gradient_by_name():
    same(em.gradient(f=[1.0, 4.0, 9.0]), [3, 4, 5])
    same(em.gradient(x=[1.0, 4.0, 9.0], spacing=2.0), [1.5, 2, 2.5])


def test_gradient_refuses_what_does_not_fit():
    with pytest.raises(TypeError, match="one tensor"):
        em.gradient()
    for spacing in (1.0, [0.0, 1.0, 3.0]):
        for points, edge_order in ((3, 3), (2, 2)):
            with pytest.raises(ValueError, match="gradient"):
                em.gradient(
                    [0.0, 1.0, 4.0][:points],
                    spacing if isinstance(spacing, float) else spacing[:points],
                    edge_order=edge_order,
                )
    with pytest.raises(ValueError, match=r"6 points \(axis 1, coordinates: \[5\]\)"):
        em.gradient(em.asarray(Y), ROWS, axis=1)
    with pytest.raises(TypeError, match="2 axes, not 3"):
        em.gradient(em.asarray(Y), 1.0, 1.0, 1.0)


def test_outer(engine):
    same(em.multiply.outer([1.0, 2], [3.0, 4, 5]), np.multiply.outer([1, 2], [3, 4, 5]))
    same(em.subtract.outer(em.asarray(Y), ROWS), np.subtract.outer(Y, ROWS))


def test_reduce_and_accumulate(engine):
    y = em.asarray(Y)
    for name in ("add", "multiply", "maximum", "minimum"):
        for axis in (0, 1):
            same(getattr(em, name).reduce(y, axis=axis), getattr(np, name).reduce(Y, axis=axis))
            same(
                getattr(em, name).accumulate(y, axis=axis),
                getattr(np, name).accumulate(Y, axis=axis),
            )
    same(em.add.reduce(y, axis=(0, 1)), Y.sum())
    assert em.logical_and.reduce(em.asarray([True, False])).item() is False
    assert em.logical_or.reduce(em.asarray([True, False])).item() is True


def test_at_changes_in_place(engine):
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
        x, expected = em.asarray(Y), Y.copy()
        getattr(em, name).at(x, [0, 2, 0], 3.0)
        getattr(np, name).at(expected, [0, 2, 0], 3.0)
        same(x, expected)


def test_methods_that_a_function_lacks():
    with pytest.raises(
        NotImplementedError, match=r"\[hypot\] has no method reduce; it exists for: add"
    ):
        em.hypot.reduce([1.0, 2.0])
    with pytest.raises(TypeError, match="changes a tensor, not list"):
        em.add.at([1.0], [0], 1.0)


@pytest.mark.parametrize(
    "options",
    [
        {"delimiter": ",", "skiprows": 1},
        {"delimiter": ",", "skiprows": 1, "usecols": (0, 2)},
        {"delimiter": ",", "skiprows": 1, "usecols": 1},
        {"delimiter": ",", "skiprows": 1, "unpack": True},
        {"delimiter": ",", "skiprows": 1, "max_rows": 1},
        {"delimiter": ",", "skiprows": 1, "dtype": "int32"},
        {"delimiter": ",", "skiprows": 1, "converters": {2: lambda s: float(s) + 1}},
    ],
)
def test_loadtxt(tmp_path, options):
    path = tmp_path / "table.csv"
    path.write_text("a,b,c\n1, 2,3  # first\n\n4,5,-6\n")
    got, expected = em.loadtxt(path, **options), np.loadtxt(path, **options)
    assert got.shape == expected.shape and str(got.dtype) == str(expected.dtype)
    same(got, expected)


def test_loadtxt_names_what_is_wrong():
    same(em.loadtxt(["1 2", "3 4"]), [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match=r"\[loadtxt\] not a number: 'x' \(line 2, column 1\)"):
        em.loadtxt(["1 2", "3 x"])
    with pytest.raises(ValueError, match=r"3 columns instead of 2 \(line 2\)"):
        em.loadtxt(["1 2", "3 4 5"])


def test_genfromtxt_fills_gaps(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("day,low,high\n1,3.5,9\n2,,7\n3,n/a,\n")
    got = em.genfromtxt(path, delimiter=",", skip_header=1)
    np.testing.assert_array_equal(
        np.asarray(got), np.genfromtxt(path, delimiter=",", skip_header=1)
    )
    same(em.genfromtxt(path, delimiter=",", skip_header=1, filling_values=-1)[2], [3, -1, -1])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"delimiter": ",", "fmt": "%.3f", "header": "a,b,c,d,e,f"},
        {"fmt": "%d", "footer": "end"},
    ],
)
def test_savetxt_writes_the_same_text(tmp_path, options):
    for x in (Y, Y[0]):
        em.savetxt(tmp_path / "ours.txt", em.asarray(x), **options)
        np.savetxt(tmp_path / "theirs.txt", x, **options)
        assert (tmp_path / "ours.txt").read_text() == (tmp_path / "theirs.txt").read_text()


def test_result_type_of_names():
    assert em.result_type("float32", "int8") == em.float32
    assert em.result_type(em.ones(1, dtype=em.int8), "float64") == em.float64
    with pytest.raises(TypeError, match="unknown dtype 'flout'"):
        em.result_type("flout", em.ones(1))


def test_flags_are_those_of_the_exported_memory():
    for x in (
        em.ones((2, 3)),
        em.ones((2, 3)).T,
        em.ones((1, 3)),
        em.asarray(1.0),
        em.ones((0, 3)),
    ):
        theirs = np.asarray(x).flags
        for name in ("c_contiguous", "contiguous", "forc", "writeable", "aligned"):
            assert getattr(x.flags, name) == getattr(theirs, name), (x.shape, name)
    assert em.ones((1, 3)).flags.f_contiguous and not em.ones((2, 3)).flags.f_contiguous


def test_forms_of_handbooks():
    points, step = em.linspace(0, 1, 5, retstep=True)
    assert points.tolist() == [0, 0.25, 0.5, 0.75, 1] and step.item() == 0.25
    assert em.linspace(0, 1, 3, retstep=False).shape == (3,)
    assert em.sort(em.asarray([[3, 1], [2, 0]]), axis=None).tolist() == [0, 1, 2, 3]
    x = em.ones((2, 2))
    assert x.fill(7.0) is None and x.tolist() == [[7, 7], [7, 7]]
    rng = em.random.default_rng(0)
    # The standard errors of the means are 0.008 and 0.04.
    np.testing.assert_allclose(em.log(rng.lognormal(1.0, 0.5, 4000)).mean().item(), 1, atol=0.04)
    np.testing.assert_allclose(rng.chisquare(3, 4000).mean().item(), 3, atol=0.2)
