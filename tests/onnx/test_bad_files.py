"""Malicious files: each is a typed error that names the problem, and the process continues."""

import gc
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx as onnx_package
import pytest
from onnx import TensorProto, helper, numpy_helper

import ember_ml
from ember_ml import errors, onnx

from engines import to_numpy

F = TensorProto.FLOAT


def value(name, shape=(2,), dtype=F):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs=("x",), outputs=("y",), initializers=(), opset=17, shape=(2,), **kwargs):
    graph = helper.make_graph(
        nodes,
        "g",
        [value(n, shape) for n in inputs],
        [value(n, None) for n in outputs],
        list(initializers),
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **kwargs)


def refused(m, error, text):
    with pytest.raises(error, match=text):
        onnx.parse(m if isinstance(m, bytes) else m.SerializeToString())


GOOD = model([helper.make_node("Relu", ["x"], ["y"])]).SerializeToString()


# ---- The wire format ----
def varint(v):
    out = b""
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


@pytest.mark.parametrize(
    "data, text",
    [
        (b"", "no graph with outputs"),
        (b"\x08", "truncated"),
        (b"\x08" + b"\xff" * 9, "truncated"),
        (b"\x08" + b"\xff" * 20, "more than ten bytes"),
        (b"\x3a\xff\xff\xff\xff\x0f", "exceeds the file"),
        (b"\x3a" + varint(2**64 - 1), "exceeds the file"),
        (b"\x3a" + varint(2**63), "exceeds the file"),
        (b"\x0b\x0c", "wire type 3"),
        (b"\x0e", "wire type 6"),
        (b"\x00\x00", "number 0"),
        (b"\x09\x00\x00", "exceeds the file"),
        (b"\x38\x01", "field 7 with the wire type 0"),
        (b"not a model at all", "not a valid ONNX model"),
        (b"\x08\x07", "no graph with outputs"),
    ],
    ids=range(14),
)
def test_malformed_wire_format(data, text):
    refused(data, errors.IoError, text)


def test_names_that_are_not_utf8_are_quoted():
    refused(GOOD.replace(b"Relu", b"\xffelu"), errors.Error, "xffelu")


def test_every_cut_is_an_error_or_less():
    """A truncated file loads as the part that is left, or not at all."""
    for n in range(len(GOOD)):
        try:
            onnx.parse(GOOD[:n])
        except errors.Error:
            pass


def test_every_changed_byte_is_harmless():
    for n in range(len(GOOD)):
        for v in (0, 127, 128, 255):
            try:
                onnx.parse(GOOD[:n] + bytes([v]) + GOOD[n + 1 :])
            except errors.Error:
                pass


def test_deep_nesting():
    graph = field(12, field(1, b"y"))
    for _ in range(200):  # a graph in an attribute in a node in a graph
        graph = field(1, field(4, b"If") + field(5, field(1, b"then_branch") + field(6, graph)))
    refused(field(7, graph), errors.IoError, "nested more than 100 deep")


def test_many_empty_messages():
    """Two bytes in a file must not need hundreds in memory without a limit."""
    refused(
        field(7, field(1, b"") * (1 << 22) + field(1, b"")),
        errors.IoError,
        "more than 4194304 messages",
    )


@pytest.mark.parametrize(
    "head, text",
    [
        (b"PK\x03\x04\0\0data.pkl", "pickle"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"<!DOCTYPE html>", "web page"),
        (b"\x93NUMPY\x01\0", ".npy"),
    ],
)
def test_a_file_of_another_format(tmp_path, head, text):
    (tmp_path / "m.onnx").write_bytes(head)
    with pytest.raises(errors.IoError, match=text):
        onnx.load(tmp_path / "m.onnx")


@pytest.mark.parametrize("what", ["missing", "directory", "fifo"])
def test_a_path_that_is_not_a_file(tmp_path, what):
    path = tmp_path / "m.onnx"
    if what == "directory":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    with pytest.raises(errors.IoError):
        onnx.load(path)


# ---- Invalid graphs ----
def test_cycle():
    refused(
        model(
            [
                helper.make_node("Relu", ["b"], ["a"]),
                helper.make_node("Relu", ["a"], ["b"]),
                helper.make_node("Relu", ["a"], ["y"]),
            ]
        ),
        errors.ValueError,
        "cycle: Relu, which reads from Relu, which reads from Relu",
    )


def test_a_node_that_reads_its_own_output():
    refused(
        model([helper.make_node("Relu", ["y"], ["y"])]),
        errors.ValueError,
        "cycle: Relu, which reads from Relu",
    )


def test_a_cycle_names_its_nodes():
    """Does not name nodes that only wait for the cycle."""
    nodes = [
        helper.make_node("Neg", ["c"], ["y"], name="after"),
        helper.make_node("Add", ["x", "c"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="second"),
        helper.make_node("Relu", ["b"], ["c"], name="third"),
    ]
    refused(
        model(nodes),
        errors.ValueError,
        '^.onnx. the graph has a cycle: Relu "third", which reads from Relu "second", '
        'which reads from Add "first", which reads from Relu "third"$',
    )


def test_an_input_that_nothing_computes():
    refused(
        model([helper.make_node("Relu", ["z"], ["y"])]),
        errors.ValueError,
        'reads "z", which no node computes',
    )


def test_a_duplicate_name():
    refused(
        model([helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Relu", ["x"], ["y"])]),
        errors.ValueError,
        "already defined",
    )
    refused(
        model([helper.make_node("Relu", ["x"], ["y"])], inputs=("x", "x")),
        errors.ValueError,
        "two inputs",
    )
    refused(
        model([helper.make_node("Relu", ["x"], ["y"])], outputs=("y", "y")),
        errors.ValueError,
        "twice",
    )


def test_an_output_that_nothing_computes():
    refused(
        model([helper.make_node("Relu", ["x"], ["z"])]),
        errors.ValueError,
        'output "y".*no node computes',
    )


@pytest.mark.parametrize("opset", [0, 29, 2**40, -3])
def test_unknown_opset(opset):
    refused(
        model([helper.make_node("Relu", ["x"], ["y"])], opset=opset),
        errors.UnsupportedError,
        "Ember reads 1 to 28|no ai.onnx|opset",
    )


def test_unknown_operators():
    refused(model([helper.make_node("Reluu", ["x"], ["y"])]), errors.UnsupportedError, "Reluu")
    refused(
        model([helper.make_node("Relu", ["x"], ["y"], domain="my.ops")]),
        errors.UnsupportedError,
        'Relu.*"my.ops"',
    )
    refused(
        model([helper.make_node("Gelu", ["x"], ["y"])], opset=19),
        errors.UnsupportedError,
        "Gelu.*needs opset 20",
    )
    body = helper.make_graph([helper.make_node("Nope", ["x"], ["z"])], "b", [], [value("z", None)])
    refused(
        model([helper.make_node("If", ["x"], ["y"], then_branch=body, else_branch=body)]),
        errors.UnsupportedError,
        "_branch.*Nope",
    )


def test_unknown_attribute():
    net = onnx.parse(model([helper.make_node("Relu", ["x"], ["y"], slope=0.1)]).SerializeToString())
    with pytest.raises(errors.UnsupportedError, match='Relu.*"slope"'):
        net(np.ones(2, np.float32))


def test_attribute_of_another_type():
    net = onnx.parse(
        model([helper.make_node("LeakyRelu", ["x"], ["y"], alpha="soon")]).SerializeToString()
    )
    with pytest.raises(errors.ValueError, match="alpha"):
        net(np.ones(2, np.float32))


@pytest.mark.parametrize(
    "op, inputs",
    [
        ("Add", ["x"]),
        ("Identity", []),
        ("Concat", []),
        ("Where", ["x", "x"]),
        ("Conv", ["x", ""]),
        ("If", []),
        ("Loop", []),
        ("Sum", []),
        ("LSTM", ["x"]),
        ("SequenceAt", ["x", "x"]),
        ("Attention", ["x", "x", "x"]),
        ("Resize", ["x"]),
    ],
)
def test_missing_inputs(op, inputs):
    body = helper.make_graph([], "b", [], [value("x", None)])
    more = {
        "If": dict(then_branch=body, else_branch=body),
        "Loop": dict(body=body),
        "Concat": dict(axis=0),
    }.get(op, {})
    net = onnx.parse(
        model([helper.make_node(op, inputs, ["y"], **more)], opset=23).SerializeToString()
    )
    with pytest.raises((errors.ValueError, errors.ShapeError)):
        net(np.ones(2, np.float32))


@pytest.mark.parametrize(
    "op, inputs, text",
    [
        ("Relu", ["x", "x"], "Relu.*1 inputs at most.*not 2"),
        ("Conv", ["i", "w", "x", "x"], "Conv.*3 inputs"),
        ("Gather", ["x", "x"], "Gather.*indices must be integers, not float32"),
    ],
)
def test_inputs_of_operators(op, inputs, text):
    weights = [numpy_helper.from_array(np.ones((1, 1, 1), np.float32), n) for n in ("i", "w")]
    net = onnx.parse(
        model(
            [helper.make_node(op, inputs, ["y"])], initializers=weights, shape=(1,)
        ).SerializeToString()
    )
    with pytest.raises((errors.ValueError, errors.DTypeError), match=text):
        net(np.ones(1, np.float32))


def test_strings_are_not_numbers():
    words = numpy_helper.from_array(np.array(["a", "b"], object), "w")
    net = onnx.parse(
        model(
            [helper.make_node("Add", ["x", "w"], ["y"])], initializers=[words]
        ).SerializeToString()
    )
    with pytest.raises(errors.UnsupportedError, match="Add.*strings"):
        net(np.ones(2, np.float32))


def test_endless_loop():
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Identity", ["s"], ["t"])],
        "b",
        [value("i", (), TensorProto.INT64), value("c", (), TensorProto.BOOL), value("s")],
        [value("d", (), TensorProto.BOOL), value("t")],
    )
    net = onnx.parse(
        model([helper.make_node("Loop", ["", "", "x"], ["y"], body=body)]).SerializeToString()
    )
    with pytest.raises(errors.UnsupportedError, match="Loop.*too long"):
        net(np.ones(2, np.float32))


def test_functions_that_call_each_other():
    call = [helper.make_node("f", ["a"], ["b"], domain="d")]
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("d", 1)]
    m = model(call, inputs=("a",), outputs=("b",))
    m.opset_import.append(imports[1])
    m.functions.append(helper.make_function("d", "f", ["a"], ["b"], call, imports))
    with pytest.raises(errors.UnsupportedError, match="nested more than 64 deep"):
        onnx.parse(m.SerializeToString())(np.ones(2, np.float32))


def test_functions_that_double():
    """Each function calls the previous one twice: 2 ** 40 nodes."""
    m = model([helper.make_node("f40", ["x"], ["y"], domain="d")])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("d", 1)]
    m.opset_import.append(imports[1])
    for k in range(41):
        op = ("Relu", "") if k == 0 else (f"f{k - 1}", "d")
        nodes = [
            helper.make_node(op[0], ["a"], ["b"], domain=op[1]),
            helper.make_node(op[0], ["b"], ["c"], domain=op[1]),
        ]
        m.functions.append(helper.make_function("d", f"f{k}", ["a"], ["c"], nodes, imports))
    with pytest.raises(errors.UnsupportedError, match="more than 1048576 nodes"):
        onnx.parse(m.SerializeToString())(np.ones(2, np.float32))


def growing(op, *numbers):
    """x: float32[1] as the first input, unless op takes numbers alone; then a vector of int64 for each."""
    names = [f"n{i}" for i in range(len(numbers))]
    inputs = names if op == "ConstantOfShape" else ["x", *names]
    weights = [
        numpy_helper.from_array(np.asarray(n, np.int64), name) for n, name in zip(numbers, names)
    ]
    return onnx.parse(
        model(
            [helper.make_node(op, inputs, ["y"])], initializers=weights, shape=(1,)
        ).SerializeToString()
    )


@pytest.mark.parametrize(
    "op, numbers",
    [
        ("Pad", [[0, 2**31]]),
        ("Tile", [[2**31]]),
        ("Expand", [[2**31]]),
        ("ConstantOfShape", [[2**16, 2**15]]),
    ],
)
def test_small_files_ask_for_no_gigabytes(op, numbers):
    """Refused when it is recorded: nothing of that size is allocated or computed."""
    with pytest.raises(errors.MemoryError, match=rf"{op}.*a result of 8589934\d+ bytes from"):
        growing(op, *numbers)(np.ones(1, np.float32))


def test_large_results_of_small_files():
    """Less than a gigabyte may come from any file."""
    y = growing("Expand", [2**22])(np.ones(1, np.float32))
    assert y.shape == (2**22,) and ember_ml.sum(y).item() == 2**22


# ---- Tensors ----
def tensor(dims=(2,), dtype=F, name="w", **fields):
    t = TensorProto(name=name, data_type=dtype, dims=dims)
    for key, v in fields.items():
        (getattr(t, key).extend if isinstance(v, list) else lambda v, key=key: setattr(t, key, v))(
            v
        )
    return t


ADD = [helper.make_node("Add", ["x", "w"], ["y"])]


@pytest.mark.parametrize(
    "t, error, text",
    [
        (tensor(raw_data=b"1234"), errors.IoError, "4 bytes.*needs 8"),
        (tensor(raw_data=b"1" * 12), errors.IoError, "12 bytes.*needs 8"),
        (tensor(), errors.IoError, "0 numbers"),
        (tensor(float_data=[1.0]), errors.IoError, "1 numbers"),
        (tensor(float_data=[1.0, 2, 3]), errors.IoError, "3 numbers"),
        (tensor(int32_data=[1, 2]), errors.IoError, "numbers"),
        (tensor((-1,), raw_data=b""), errors.IoError, r"\[-1\]"),
        (tensor((2**62, 2**62)), errors.IoError, "is invalid"),
        (tensor((0, 2**50)), errors.ShapeError, "too long"),
        (tensor((2**40,)), errors.IoError, "0 numbers"),
        (tensor((1,) * 65, raw_data=b"1234"), errors.ValueError, "65 dimensions"),
        (tensor(dtype=99, raw_data=b"12345678"), errors.UnsupportedError, "type 99"),
        (tensor(dtype=TensorProto.STRING, string_data=[b"a"]), errors.IoError, "1 strings"),
        (
            tensor(dtype=TensorProto.FLOAT8E5M2, raw_data=b"12"),
            errors.UnsupportedError,
            "float8e5m2",
        ),
        (
            tensor(raw_data=b"12345678", float_data=[1.0, 2.0]),
            errors.IoError,
            "stored twice: as bytes and as a list of 2 numbers",
        ),
    ],
    ids=range(15),
)
def test_tensor(t, error, text):
    refused(model(ADD, initializers=[t]), error, text)


def test_sparse_initializer():
    m = model(ADD, initializers=[numpy_helper.from_array(np.ones(2, np.float32), "w")])
    m.graph.sparse_initializer.add()
    refused(m, errors.UnsupportedError, "sparse")


def external(location, **more):
    t = tensor(data_location=TensorProto.EXTERNAL)
    for key, v in {"location": location, **more}.items():
        t.external_data.add(key=key, value=str(v))
    return model(ADD, initializers=[t])


def load_with(tmp_path, m, text):
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    (folder / "w.bin").write_bytes(np.arange(4, dtype=np.float32).tobytes())
    (tmp_path / "secret").write_bytes(b"12345678")
    (folder / "out").unlink(missing_ok=True), (folder / "in").unlink(missing_ok=True)
    (folder / "out").symlink_to("../secret"), (folder / "in").symlink_to("w.bin")
    if not (folder / "fifo").exists():
        os.mkfifo(folder / "fifo")
    (folder / "m.onnx").write_bytes(m.SerializeToString())
    if text is None:
        return onnx.load(folder / "m.onnx")
    with pytest.raises(errors.IoError, match=text):
        onnx.load(folder / "m.onnx")


@pytest.mark.parametrize(
    "location, more, text",
    [
        ("/etc/passwd", {}, "absolute"),
        ("../secret", {}, "outside"),
        ("a/../../secret", {}, "outside"),
        ("out", {}, "outside the model"),
        ("fifo", {}, "regular file"),
        ("", {}, "not a file name"),
        (".", {}, "bytes|directory"),
        ("nothing", {}, "cannot be opened"),
        ("w.bin\0", {}, "not a file name"),
        ("/dev/zero", {}, "absolute"),
        ("w.bin", {"offset": 2**64 - 4, "length": 8}, "has 16"),
        ("w.bin", {"offset": 12}, "has 16"),
        ("w.bin", {"offset": -1}, "not a number"),
        ("w.bin", {"offset": 2**70}, "not a number"),
        ("w.bin", {"length": 7}, "7 bytes.*needs 8"),
        ("w.bin", {"offset": "x"}, "not a number"),
        ("w.bin", {"length": ""}, "not a number"),
    ],
    ids=range(17),
)
def test_external_data(tmp_path, location, more, text):
    load_with(tmp_path, external(location, **more), text)


@pytest.mark.parametrize(
    "location, more, want",
    [
        ("w.bin", {}, [1, 2]),
        ("w.bin", {"offset": 8, "length": 8}, [3, 4]),
        ("in", {"offset": 4}, [2, 3]),
        ("./w.bin", {}, [1, 2]),
    ],
)
def test_external_data_in_the_folder(tmp_path, location, more, want):
    net = load_with(tmp_path, external(location, **more), None)
    assert to_numpy(net(np.ones(2, np.float32))).tolist() == want


def test_external_data_is_mapped(tmp_path):
    """Not copied; the mapping lives as long as the network.

    Numbers at an odd place in the file are copied, as they must be.
    """
    (tmp_path / "w.bin").write_bytes(b"-" + np.arange(3, dtype=np.float32).tobytes())
    mapped = lambda: str(tmp_path / "w.bin") in pathlib.Path("/proc/self/maps").read_text()
    onnx_package.save(external("w.bin", offset=1), tmp_path / "odd.onnx")
    net = onnx.load(tmp_path / "odd.onnx")
    assert to_numpy(net(np.ones(2, np.float32))).tolist() == [1, 2] and not mapped()
    (tmp_path / "w.bin").write_bytes(np.arange(3, dtype=np.float32).tobytes())
    onnx_package.save(external("w.bin", offset=4), tmp_path / "m.onnx")
    net = onnx.load(tmp_path / "m.onnx")
    assert mapped()
    y = net(np.ones(2, np.float32))
    assert to_numpy(y).tolist() == [2, 3]
    del net
    gc.collect()
    assert to_numpy(y).tolist() == [2, 3] and not mapped()


def test_external_data_without_a_folder(tmp_path):
    refused(external("w.bin"), errors.IoError, "no folder")
    (tmp_path / "w.bin").write_bytes(bytes(8))
    assert to_numpy(
        onnx.parse(external("w.bin").SerializeToString(), tmp_path)(np.ones(2, np.float32))
    ).tolist() == [1, 1]


# ---- Inputs ----
NET = model(
    [helper.make_node("MatMul", ["x", "w"], ["y"])],
    initializers=[numpy_helper.from_array(np.ones((3, 2), np.float32), "w")],
    shape=("n", 3),
)


@pytest.mark.parametrize(
    "feed, error, text",
    [
        ({}, errors.ValueError, 'input "x" is missing'),
        ({"z": [[1.0] * 3]}, errors.ValueError, '"x" is missing'),
        ({"x": [[1.0] * 3], "w": 1.0}, errors.ValueError, 'unknown input "w"'),
        ({"x": np.ones((1, 3))}, errors.DTypeError, r"must be float32\[n, 3\], not float64"),
        (
            {"x": np.ones((1, 4), np.float32)},
            errors.ShapeError,
            r"must be float32\[n, 3\], not float32\[1, 4\]",
        ),
        ({"x": np.ones(3, np.float32)}, errors.ShapeError, "must be"),
    ],
    ids=range(6),
)
def test_inputs(feed, error, text):
    net = onnx.parse(NET.SerializeToString())
    with pytest.raises(error, match=text):
        net.run(feed)
    assert to_numpy(net([[1.0, 2.0, 3.0]])).tolist() == [[6, 6]]  # the network still works


def test_names_that_do_things_to_a_terminal():
    m = model([helper.make_node("Relu", ["\x1b[2Jx"], ["y"])], inputs=("\x1b[2Jx",))
    with pytest.raises(errors.ValueError, match=r"\\x1b\[2Jx"):
        onnx.parse(m.SerializeToString()).run({})
    m.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "\x1b[31m"
    assert "\x1b" not in str(onnx.parse(m.SerializeToString()).inputs[0]).split(": ")[1]


def test_a_wrong_dtype_in_the_file():
    m = model([helper.make_node("Cast", ["x"], ["y"], to=TensorProto.INT32)])
    with pytest.raises(
        errors.DTypeError, match='output "y" is int32, but the file declares float32'
    ):
        onnx.parse(m.SerializeToString())(np.ones(2, np.float32))


def test_tensors_too_large_for_memory():
    shape = numpy_helper.from_array(np.array([2**20, 2**20]), "s")
    m = model(
        [helper.make_node("Expand", ["x", "s"], ["e"]), helper.make_node("Relu", ["e"], ["y"])],
        initializers=[shape],
        shape=(1,),
    )
    with pytest.raises((errors.MemoryError, errors.ShapeError)):
        onnx.parse(m.SerializeToString())(np.ones(1, np.float32))
    assert ember_ml.ones(2).sum().item() == 2


LARGE_PADS = """
import numpy as np, sys
import ember_ml, ember_ml.onnx
ember_ml.set_backend("native")
net = ember_ml.onnx.parse(sys.stdin.buffer.read())
before = ember_ml.memory_stats()["used"]
result = net(np.arange(60, dtype=np.int32).reshape(1, 3, 4, 5))
peak = ember_ml.memory_stats()["peak"] - before
assert result.shape == (56321, 3, 6, 7), result.shape
assert result[56320, 2, 5, 6].item() == 59 and result[0, 0, 0, 0].item() == 0
assert peak < 1.1 * result.nbytes, (peak, result.nbytes)
"""


def test_large_pads_cost_no_more_than_their_result():
    """The file's pads decide how much is computed: intermediate values must not exceed the
    result."""
    pads = numpy_helper.from_array(np.array([56320, 0, 1, 1, 0, 0, 1, 1]), "pads")
    m = model(
        [helper.make_node("Pad", ["x", "pads"], ["y"], mode="edge")],
        initializers=[pads],
        shape=(1, 3, 4, 5),
    )
    for v in (m.graph.input[0], m.graph.output[0]):
        v.type.tensor_type.elem_type = TensorProto.INT32
    r = subprocess.run(
        [sys.executable, "-c", LARGE_PADS], input=m.SerializeToString(), capture_output=True
    )
    assert r.returncode == 0, r.stderr.decode()


def test_the_package_accepts_what_this_file_builds():
    """The models above are invalid in one respect only."""
    good = onnx_package.shape_inference.infer_shapes(NET)
    onnx_package.checker.check_model(good)
    assert to_numpy(onnx.parse(good.SerializeToString())([[1.0, 2.0, 3.0]])).tolist() == [[6, 6]]
