"""Properties of tensors and dtypes: ops whose results are not tensors."""

import os

import numpy as np

from harness import *


def gives(want):
    """The flat result must equal want(array, dtype)."""

    def check(got, args, dtype):
        expect = want(args[0], dtype)
        expect = list(expect) if isinstance(expect, (list, tuple)) else [expect]
        assert [g.tolist() for g in got] == expect, (
            f"{[g.tolist() for g in got]}, expected {expect}"
        )

    return check


def flat(x):
    """As Python lists it: bool, int, float or complex."""
    return [
        v if x.dtype.kind in "biu" else complex(v) if x.dtype.kind == "c" else float(v)
        for v in x.reshape(-1).tolist()
    ]


for s in ((), (3,), (2, 3, 4), (0, 5)):
    for name, want in (
        ("shape", lambda x, d: list(x.shape)),
        ("ndim", lambda x, d: x.ndim),
        ("size", lambda x, d: x.size),
        ("dtype", lambda x, d: d),
        ("nbytes", lambda x, d: x.nbytes),
        ("tolist", lambda x, d: flat(x)),
    ):
        case(name, [A(s)], None, ALL, check=gives(want), id=str(s))
    case(
        "device",
        [A(s)],
        None,
        ("float32",),
        check=gives(lambda x, d: os.environ.get("EMBER_TEST_DEVICE", "cpu")),
        id=str(s),
    )
case(
    "strides",
    [A((2, 3, 4))],
    None,
    ("float32", "int8"),
    check=lambda got, a, d: np.testing.assert_array_equal(
        np.abs([int(g) for g in got]), [12, 4, 1]
    ),
)
case("strides", [A(())], None, ("float32", "int8"), check=gives(lambda x, d: []), id="0-d")
case(
    "backend",
    [A((2,))],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_equal(str(got[0]), E.get_backend()),
)
for s in ((), (1,), (1, 1, 1)):
    case("item", [A(s)], None, ALL, check=gives(lambda x, d: flat(x)), id=str(s))
case(
    "item",
    [A((1,), values=[2**63 - 1])],
    None,
    ("int64",),
    check=gives(lambda x, d: 2**63 - 1),
    id="largest",
)
case(
    "item",
    [A((1,), values=np.array([2**63 - 1], np.uint64))],
    None,
    ("uint64",),
    check=gives(lambda x, d: 2**63 - 1),
    id="large",
)
for d in FLOATS:
    info = ml_dtypes.finfo(np_dtype(d))
    limits = [
        info.bits,
        float(info.eps),
        float(info.max),
        float(info.min),
        float(info.smallest_normal),
        float(info.smallest_subnormal),
    ]
    case("finfo", [d], None, (d,), check=gives(lambda x, d, limits=limits: limits))
case(
    "finfo",
    ["complex64"],
    None,
    ("float32",),
    check=lambda got, a, d: gives(lambda x, d: 32)(got[:1], a, d),
    id="complex",
)
for d in INTS:
    info = np.iinfo(d)
    case(
        "iinfo",
        [d],
        None,
        (d,),
        check=gives(
            lambda x, d, info=info: [
                info.bits,
                info.min,
                info.max if info.max < 2**63 else float(info.max),
            ]
        ),
    )
for name, limits in (("int4", [4, -8, 7]), ("uint4", [4, 0, 15])):
    case("iinfo", [name], None, ("int8",), check=gives(lambda x, d, limits=limits: limits), id=name)
NUMPY_DTYPES = [d for d in ALL if d != "bfloat16"]
for a in NUMPY_DTYPES:
    for b in NUMPY_DTYPES:
        # NumPy considers int64 -> float64 safe although it rounds, and int32 -> float32 unsafe;
        # Ember has its own rule for integers and floats.
        if (a in INTS) == (b in INTS):
            case(
                "can_cast",
                [a, b],
                None,
                ("float32",),
                check=gives(lambda x, d, a=a, b=b: bool(np.can_cast(a, b, "safe"))),
                id=f"{a} {b}",
            )
        if a in INTS and b in ("bool",):
            case(
                "can_cast",
                [a, b],
                None,
                ("float32",),
                check=gives(lambda x, d: False),
                id=f"{a} {b}",
            )
KINDS = {
    "bool": ("bool",),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTS,
    "real floating": FLOATS,
    "complex floating": COMPLEX,
    "numeric": NUMERIC,
}
for kind, members in KINDS.items():
    for d in ALL:
        case("isdtype", [d, kind], None, (d,), check=gives(lambda x, d, m=members: d in m), id=kind)
for a, b, want in (
    ("int8", "uint8", "int16"),
    ("int32", "float32", "float32"),
    ("int64", "float32", "float32"),
    ("float16", "bfloat16", "float32"),
    ("float32", "float64", "float64"),
    ("float64", "complex64", "complex128"),
    ("bool", "int8", "int8"),
    ("uint32", "int32", "int64"),
    ("bool", "bool", "bool"),
    ("bfloat16", "int64", "bfloat16"),
):
    case(
        "result_type",
        [[A((2,), dtype=a), A((2,), dtype=b)]],
        None,
        ("float32",),
        check=gives(lambda x, d, want=want: want),
        id=f"{a} {b}",
    )
case("result_type", [[A((2,)), 2]], None, NUMERIC, check=gives(lambda x, d: d), id="a scalar")
case("result_type", [[A((2,)), 0.5]], None, FLOATS, check=gives(lambda x, d: d), id="a float")
case(
    "result_type",
    [[A((2,)), 0.5]],
    None,
    INTS,
    check=gives(lambda x, d: "float32"),
    id="a float with integers",
)
