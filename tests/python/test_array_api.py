"""The array API standard (2025.12): its rules in small.

The whole suite, array-api-tests, is run from outside.
"""

import inspect
import math

import pytest

import ember_ml as em

inf, nan = math.inf, math.nan
NAMES = """arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros zeros_like
astype can_cast finfo iinfo isdtype result_type abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift
bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal
hypot imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum
multiply negative nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc
take take_along_axis matmul matrix_transpose tensordot vecdot broadcast_arrays broadcast_shapes broadcast_to concat expand_dims flip moveaxis
permute_dims repeat reshape roll squeeze stack tile unstack argmax argmin count_nonzero nonzero searchsorted where isin unique_all
unique_counts unique_inverse unique_values argsort sort cumulative_prod cumulative_sum max mean min prod std sum var all any diff
e inf nan newaxis pi bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128 __array_namespace_info__
linalg fft""".split()
LINALG = """cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose outer pinv qr
slogdet solve svd svdvals tensordot trace vecdot vector_norm""".split()
FFT = "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift".split()


def test_every_name_is_there_and_listed():
    assert (
        em.__array_api_version__ == "2025.12"
        and em.ones(1).__array_namespace__(api_version="2025.12") is em
    )
    with pytest.raises(ValueError):
        em.ones(1).__array_namespace__(api_version="1999.01")
    for names, where in ((NAMES, em), (LINALG, em.linalg), (FFT, em.fft)):
        missing = [n for n in names if not hasattr(where, n) or n not in where.__all__]
        assert not missing, missing


@pytest.mark.parametrize(
    "name,expected",
    [
        ("sum", "(x, axis=None, keepdims=False, dtype=None)"),
        ("zeros", "(shape, dtype=None, *, device=None)"),
        ("concat", "(arrays, axis=0)"),
        ("meshgrid", "(*arrays, indexing='xy', device=None)"),
        ("full", "(shape, fill_value, dtype=None, *, device=None)"),
        ("can_cast", "(from_, to)"),
    ],
)
def test_signatures_are_readable(name, expected):
    assert str(inspect.signature(getattr(em, name))) == expected


def test_every_function_has_a_signature_and_a_docstring():
    for name in em.__all__:
        f = getattr(em, name)
        # A dtype converts when it is called, as a type does; it has no signature.
        if callable(f) and not inspect.isclass(f) and not isinstance(f, type(em.float32)):
            inspect.signature(f)
            assert inspect.getdoc(f), name


def test_namespace_info(engine):
    info = em.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": 64,
    }
    assert info.default_device() in info.devices() and isinstance(info.devices(), tuple)
    assert info.default_dtypes() == {
        "real floating": em.float32,
        "complex floating": em.complex64,
        "integral": em.int64,
        "indexing": em.int64,
    }
    assert set(info.dtypes(kind="unsigned integer")) == {"uint8", "uint16", "uint32", "uint64"}
    assert len(info.dtypes()) == 13 and info.dtypes(kind=("bool", "complex floating")).keys() == {
        "bool",
        "complex64",
        "complex128",
    }


def test_finfo_and_iinfo():
    f = em.finfo(em.float32)
    assert (f.bits, f.eps, f.smallest_normal, f.dtype) == (
        32,
        2**-23,
        2**-126,
        em.float32,
    ) and em.finfo(em.ones(1, dtype="complex128")).bits == 64
    assert em.iinfo("uint64").max == 2**64 - 1 and em.iinfo(em.int8).min == -128
    for f, bad in ((em.finfo, "int8"), (em.iinfo, "float32"), (em.finfo, "x")):
        with pytest.raises(TypeError):
            f(bad)


def test_result_type_can_cast_isdtype():
    assert (
        em.result_type(em.int8, em.uint8) == "int16"
        and em.result_type(em.ones(1, dtype="float32"), 1.0) == "float32"
    )
    assert em.result_type(em.float32, em.ones(2, dtype="complex128"), 3) == "complex128"
    assert (
        em.can_cast(em.int8, em.int16)
        and not em.can_cast(em.float64, em.int64)
        and em.can_cast(em.ones(1), "float64")
    )
    assert (
        em.isdtype(em.int8, "signed integer")
        and em.isdtype(em.int8, ("bool", em.int8))
        and not em.isdtype(em.int8, "real floating")
    )


def test_masks_of_length_zero_fit_and_choose_nothing(engine):
    x = em.ones((2, 4))
    assert x[em.zeros((2, 0), dtype="bool")].shape == (0,) and x[
        em.zeros(0, dtype="bool")
    ].shape == (0, 4)
    x[em.zeros((0, 4), dtype="bool")] = 5
    assert x.tolist() == [[1] * 4] * 2
    with pytest.raises(IndexError):
        x[em.zeros((2, 3), dtype="bool")]


def test_asarray_of_a_tensor_is_that_tensor():
    x = em.ones(3)
    assert (
        em.asarray(x) is x
        and em.asarray(x, copy=False) is x
        and em.asarray(x, copy=True) is not x
        and em.asarray(x, dtype="int8") is not x
    )


def test_results_with_names():
    x = em.asarray([[2.0, 1.0], [1.0, 3.0]])
    assert em.linalg.eigh(x)._fields == ("eigenvalues", "eigenvectors") and em.linalg.qr(
        x
    ).Q.shape == (2, 2)
    assert em.linalg.svd(x)._fields == ("U", "S", "Vh") and em.linalg.slogdet(x)._fields == (
        "sign",
        "logabsdet",
    )
    u = em.unique_all(em.asarray([3, 1, 3]))
    assert (
        u.values.tolist(),
        u.indices.tolist(),
        u.inverse_indices.tolist(),
        u.counts.tolist(),
    ) == ([1, 3], [1, 0], [1, 0, 1], [1, 2])


SPECIAL = [  # special cases of the standard that libraries often miss
    ("floor_divide", (inf, 2.0), inf),
    ("floor_divide", (1.0, -inf), -0.0),
    ("floor_divide", (-1.0, inf), -0.0),
    ("floor_divide", (-0.0, 3.0), -0.0),
    ("remainder", (-0.0, 3.0), 0.0),
    ("remainder", (0.0, -3.0), -0.0),
    ("remainder", (1.0, -inf), -inf),
    ("remainder", (inf, 2.0), nan),
    ("pow", (1.0, nan), 1.0),
    ("pow", (-1.0, inf), 1.0),
    ("pow", (nan, 0.0), 1.0),
    ("pow", (-0.0, -3.0), -inf),
    ("sign", (-0.0,), 0.0),
    ("expm1", (-0.0,), -0.0),
    ("tanh", (-0.0,), -0.0),
    ("log1p", (-1.0,), -inf),
    ("atan2", (0.0, -0.0), math.pi),
    ("hypot", (inf, nan), inf),
    ("copysign", (1.0, -0.0), -1.0),
    ("nextafter", (1.0, 1.0), 1.0),
    ("signbit", (-0.0,), True),
    ("round", (2.5,), 2.0),
    ("round", (-0.5,), -0.0),
    ("logaddexp", (-inf, -inf), -inf),
    ("expm1", (complex(-0.0, 0.0),), 0j),
    ("tanh", (complex(inf, 2.0),), 1 + 0j),
    ("sign", (complex(-0.0, -0.0),), 0j),
]


@pytest.mark.parametrize("name,args,want", SPECIAL, ids=lambda v: str(v))
@pytest.mark.parametrize("wide", [False, True])
def test_special_cases(name, args, want, wide, engine):
    dtype = (
        ("complex128" if wide else "complex64")
        if isinstance(args[0], complex)
        else "float64"
        if wide
        else "float32"
    )
    got = getattr(em, name)(*(em.asarray(a, dtype=dtype) for a in args)).item()
    parts = lambda v: (v.real, v.imag) if isinstance(v, complex) else (v,)
    for g, w in zip(parts(got), parts(want)):
        assert g == pytest.approx(w, nan_ok=True) and (
            w != w or math.copysign(1, g) == math.copysign(1, w)
        ), (got, want)


def test_the_divisor_of_a_remainder_stays_as_it_is(engine):
    # The divisor is computed in the same slice and has no other reader: the result must not reuse
    # its buffer before its sign is read.
    a, b = em.asarray([5.0, -5.0, 6.0]), em.asarray([1.0, 1.0, -2.0])
    assert (
        em.remainder(a, b * 3).tolist() == [2.0, 1.0, -0.0]
        and math.copysign(1, em.remainder(a, b * 3)[2].item()) == -1
    )
    assert em.floor_divide(a, b * 2).tolist() == [2.0, -3.0, -2.0]


def test_a_diagonal_out_of_reach_is_empty():
    assert em.eye(2, k=-(2**80)).tolist() == [[0, 0], [0, 0]] and em.tril(
        em.ones((2, 2)), k=2**80
    ).tolist() == [[1, 1], [1, 1]]


def test_scalars_and_shapes(engine):
    assert em.searchsorted(em.asarray([1, 3, 5]), 4).item() == 2 and em.isin(
        em.asarray([1, 2]), 2
    ).tolist() == [False, True]
    assert em.broadcast_shapes((2, 1), (3,), (1, 1, 1)) == (1, 2, 3)
    assert (
        em.sum(em.asarray([200, 100], dtype="uint8")).dtype == "uint64"
        and em.sum(em.ones(3, dtype="bool")).dtype == "int64"
    )
    assert em.mean(em.asarray([1.0]), axis=()).shape == (1,) and em.zeros((2, 0)).sum(
        axis=1
    ).tolist() == [0, 0]
    assert em.reshape(em.ones(1), (1,) * 32).ndim == 32
    assert (
        isinstance(em.nonzero(em.ones(2)), tuple)
        and isinstance(em.unstack(em.ones((2, 2))), tuple)
        and isinstance(em.ones((2, 3)).shape, tuple)
    )
    assert (
        em.where(em.asarray([True, False]), 1.5, em.asarray([0, 1], dtype="float64")).dtype
        == "float64"
    )
    assert em.arange(2**53, 2**53 + 2).tolist() == [2**53, 2**53 + 1] and em.linspace(
        0, 1, 5
    ).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert em.full(3, 2**64 - 1, dtype="uint64").tolist() == [2**64 - 1] * 3
