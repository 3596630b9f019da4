"""Graph files: a saved graph loads unchanged, other writers' files are read, and invalid ones
raise errors."""

import json
import os
import pathlib
import struct

import numpy as np
import pytest

import ember_ml
import webnn
import wpt
from webnn import MLGraph


def written(folder, text, name="model.webnn"):
    path = folder / name
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    return path


def raw_weights(folder, tensors, stem="model"):
    """A .weights file and its manifest, in webnn-graph's format."""
    data, entries = b"WGWT" + struct.pack("<I", 1), {}
    for name, (dtype, a) in tensors.items():
        entries[name] = {
            "dataType": dtype,
            "shape": list(a.shape),
            "byteOffset": len(data),
            "byteLength": a.nbytes,
            "layout": "row-major",
        }
        data += a.tobytes()
    (folder / f"{stem}.weights").write_bytes(data)
    manifest = {
        "format": "wg-weights-manifest",
        "version": 1,
        "endianness": "little",
        "tensors": entries,
    }
    (folder / f"{stem}.manifest.json").write_text(json.dumps(manifest))
    return manifest


def safetensors(path, tensors):
    """Written by hand, so that the test is independent of Ember's writer."""
    names, at, header, data = (
        {
            "float32": "F32",
            "float16": "F16",
            "uint8": "U8",
            "int8": "I8",
            "bfloat16": "BF16",
            "int64": "I64",
        },
        0,
        {},
        b"",
    )
    for name, (dtype, a) in tensors.items():
        header[name] = {
            "dtype": names[dtype],
            "shape": list(a.shape),
            "data_offsets": [at, at + a.nbytes],
        }
        at, data = at + a.nbytes, data + a.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


# ---- round trips ----


@pytest.mark.parametrize("extension", ["webnn", "json"])
def test_every_conformance_case(tmp_path, context, extension):
    """Saved and loaded, every graph of the published data gives the same bits, with the same
    inputs and outputs."""
    path = tmp_path / f"case.{extension}"
    sample = wpt.CASES if extension == "webnn" else wpt.CASES[::7]
    for name, case in sample:
        if any(
            not isinstance(t["data"], list) and t["descriptor"]["shape"]
            for t in case["graph"]["inputs"].values()
        ):
            continue  # 144 MB
        graph = wpt.build(context, case["graph"])
        graph.save(path)
        loaded = MLGraph.load(path, context=context)
        assert (
            loaded.get_input_names() == graph.get_input_names()
            and loaded.get_output_names() == graph.get_output_names()
        ), name
        assert (loaded.operand_count, loaded.operation_count) == (
            graph.operand_count,
            graph.operation_count,
        ), name
        before, after = (
            wpt.run(context, graph, case["graph"]),
            wpt.run(context, loaded, case["graph"]),
        )
        for output in before:
            assert (
                before[output].dtype == after[output].dtype
                and before[output].tobytes() == after[output].tobytes()
            ), f"{name}: {output}"


def test_text_is_readable(tmp_path, context, builder):
    x = builder.input("x", [1, 4], "float32")
    w = builder.constant(np.ones((4, 2), np.float32))
    y = builder.softmax(builder.matmul(x, w, label="head"), axis=1)
    builder.build({"probs": y}).save(tmp_path / "head.webnn", quantized=True)
    text = (tmp_path / "head.webnn").read_text()
    assert text.startswith('webnn_graph "head" v2 @quantized {')
    for line in (
        "x: f32[1, 4];",
        'v0 = matmul(x, c0, label="head");',
        "probs = softmax(v0, axis=1);",
        "probs;",
    ):
        assert line in text, text


def test_labels_and_options_survive(tmp_path, context, builder):
    x = builder.input("x", [1, 1, 4, 4], "float32")
    y = builder.clamp(
        builder.average_pool2d(
            x,
            [2, 2],
            strides=[2, 2],
            pads=[0, 1, 0, 1],
            output_shape_rounding="ceil",
            label='a "label" \\ with\nlines',
        ),
        min_value=float("-inf"),
        max_value=0.1,
    )
    graph = builder.build(
        {"y": builder.add(y, builder.constant(np.float32(-0.0)), label="ende: é\U0001f600")}
    )
    for name in ("g.webnn", "g.json"):
        graph.save(tmp_path / name)
        MLGraph.load(tmp_path / name).save(tmp_path / ("again-" + name))
        assert (tmp_path / name).read_text().replace('"g"', "") == (
            tmp_path / ("again-" + name)
        ).read_text().replace('"again-g"', "")
    nodes = json.loads((tmp_path / "g.json").read_text())["nodes"]
    assert (
        nodes[0]["options"]["label"] == 'a "label" \\ with\nlines'
        and nodes[0]["options"]["outputShapeRounding"] == "ceil"
    )
    assert nodes[1]["options"]["minValue"] == "-Infinity" and nodes[1]["options"]["maxValue"] == 0.1


@pytest.mark.parametrize(
    "name",
    [
        "x y",
        "",
        "ünïcode\U0001f600",
        "a\nb",
        'qu"ote\\',
        "\x00",
        "__proto__",
        "c0",
        "v0",
        "true",
        "x.y",
        "x" * 1000,
    ],
)
def test_odd_names(tmp_path, context, builder, name):
    if not name:
        with pytest.raises(ValueError, match="empty"):
            builder.input(name, [2], "float32")
        return
    x = builder.input(name, [2], "float32")
    y = builder.add(x, builder.constant(np.array([1, 2], np.float32)))
    builder.build({name: builder.neg(y), "other": y}).save(tmp_path / "odd.webnn")
    loaded = MLGraph.load(tmp_path / "odd.webnn", context=context)
    assert loaded.get_input_names() == [name] and loaded.get_output_names() == [name, "other"]
    out = context.compute(loaded, {name: [3.0, 4.0]})
    assert out[name].tolist() == [-4, -6] and out["other"].tolist() == [4, 6]


def test_one_operand_under_two_names(tmp_path, context, builder):
    y = builder.relu(builder.input("x", [2], "float32"))
    builder.build({"a": y, "b": y}).save(tmp_path / "two.webnn")
    out = context.compute(MLGraph.load(tmp_path / "two.webnn"), {"x": [1.0, -1.0]})
    assert out["a"].tolist() == out["b"].tolist() == [1, 0]


def test_equal_constants_are_stored_once(tmp_path, context, builder):
    w = np.random.default_rng(1).standard_normal((256, 256)).astype(np.float32)
    x = builder.input("x", [256, 256], "float32")
    tensor = context.create_constant_tensor([256, 256], "float32", w)
    y = builder.add(
        builder.add(builder.add(x, builder.constant(w)), builder.constant(w.copy())),
        builder.constant(tensor),
    )
    builder.build({"y": y}).save(tmp_path / "m.webnn")
    size = sum(p.stat().st_size for p in tmp_path.iterdir())
    assert w.nbytes < size < w.nbytes + 2000
    out = context.compute(MLGraph.load(tmp_path / "m.webnn"), {"x": np.zeros((256, 256))})
    np.testing.assert_array_equal(out["y"], w + w + w)


@pytest.mark.parametrize("dtype,values", [("int4", [-8, 7, -1, 0, 3]), ("uint4", [15, 0, 8, 1, 9])])
def test_four_bits_take_half_a_byte(tmp_path, context, builder, dtype, values):
    q = builder.constant(values, [5], dtype)
    x = builder.input("x", [5], "float32")
    zero = builder.constant(np.zeros(1), [1], dtype)
    y = builder.add(x, builder.dequantize_linear(q, builder.constant(np.ones(1, np.float32)), zero))
    builder.build({"y": y}).save(tmp_path / "q.webnn")
    header = json.loads((tmp_path / "q.safetensors").read_bytes()[8:].split(b"}}")[0] + b"}}")
    assert sorted(e["data_offsets"][1] - e["data_offsets"][0] for e in header.values()) == [1, 3, 4]
    assert (
        context.compute(MLGraph.load(tmp_path / "q.webnn"), {"x": np.zeros(5)})["y"].tolist()
        == values
    )


def test_saving_over_a_graph_never_mixes_weights(tmp_path, context, builder):
    def graph(value):
        b = context.create_graph_builder()
        return b.build(
            {"y": b.add(b.input("x", [2], "float32"), b.constant(np.full(2, value, np.float32)))}
        )

    graph(1).save(tmp_path / "m.webnn")
    old = (tmp_path / "m.webnn").read_text()
    graph(2).save(tmp_path / "m.webnn")
    assert context.compute(MLGraph.load(tmp_path / "m.webnn"), {"x": [0, 0]})["y"].tolist() == [
        2,
        2,
    ]
    (tmp_path / "m.webnn").write_text(old)  # as if saving had been interrupted
    with pytest.raises(OSError, match="no tensor"):
        MLGraph.load(tmp_path / "m.webnn")


def test_a_save_that_fails_leaves_the_old_file(tmp_path, context, builder):
    graph = builder.build({"y": builder.relu(builder.input("x", [2], "float32"))})
    with pytest.raises(OSError):
        graph.save(tmp_path / "no" / "folder.webnn")
    with pytest.raises(OSError, match="extension"):
        graph.save(tmp_path / "graph.txt")
    (tmp_path / "d.webnn").mkdir()
    with pytest.raises(OSError):
        graph.save(tmp_path / "d.webnn")
    assert not [p for p in tmp_path.iterdir() if p.is_file()]


# ---- other writers' files ----

HEAD = """# a comment
webnn_graph "head" v1 {
  inputs { x: f32[1, dyn("n", 3)]; }
  consts {
    W: f32[3, 2] @weights("layer.W");
    s: f32[] @scalar(2.0);
    k: f32[1] @bytes([0, 0, 128, 63]);   # 1.0
    b: f32[2];
  }
  nodes {
    m = matmul(x, W);
    [p0, p1] = split(m, splits=[1, 1], axis=1);
    joined = concat([p1, p0], axis=1);
    scaled = mul(joined, s);
    y = add(scaled, b);
    z = mul(y, k);
  }
  outputs { y, z; m }
}
"""
W, B, X = (
    np.arange(6, dtype=np.float32).reshape(3, 2),
    np.array([10, 20], np.float32),
    np.array([[1, 2, 3]], np.float32),
)


def check_head(graph, context):
    out = context.compute(graph, {"x": X})
    m = X @ W
    np.testing.assert_array_equal(out["m"], m)
    np.testing.assert_array_equal(out["y"], m[:, ::-1] * 2 + B)
    np.testing.assert_array_equal(out["z"], out["y"])
    assert graph.get_output_names() == ["y", "z", "m"]


@pytest.mark.parametrize(
    "names",
    [
        ("model.safetensors",),
        ("head.safetensors",),
        ("head.weights", "head.manifest.json"),
        ("model.weights", "manifest.json"),
    ],
)
def test_text_with_weights_beside_it(tmp_path, context, names):
    path = written(tmp_path, HEAD, "head.webnn")
    tensors = {"layer.W": ("float32", W), "b": ("float32", B)}
    if names[0].endswith(".safetensors"):
        safetensors(tmp_path / names[0], tensors)
    else:
        raw_weights(tmp_path, tensors, "packed")
        (tmp_path / "packed.weights").rename(tmp_path / names[0])
        (tmp_path / "packed.manifest.json").rename(tmp_path / names[1])
    check_head(MLGraph.load(path), context)


def test_weights_that_the_caller_names(tmp_path, context, monkeypatch):
    path = written(tmp_path, HEAD, "head.webnn")
    (tmp_path / "elsewhere").mkdir()
    # Other tools replace dots.
    raw_weights(tmp_path / "elsewhere", {"layer_W": ("float32", W), "b": ("float32", B)})
    with pytest.raises(OSError, match="are missing"):
        MLGraph.load(path)
    check_head(
        MLGraph.load(
            path, tmp_path / "elsewhere/model.manifest.json", tmp_path / "elsewhere/model.weights"
        ),
        context,
    )
    check_head(
        MLGraph.load(path, "elsewhere/model.manifest.json", weights_path="elsewhere/model.weights"),
        context,
    )  # relative to the graph's folder
    monkeypatch.chdir(tmp_path / "elsewhere")
    check_head(
        MLGraph.load(path, manifest_path="model.manifest.json", weights_path="model.weights"),
        context,
    )  # relative to the current folder


@pytest.mark.parametrize("version", [1, 2])
def test_json_with_everything(tmp_path, context, version):
    graph = {
        "format": "webnn-graph-json",
        "version": version,
        "name": "g",
        "made by": {"who": ["some", {"tool": None}]},
        "inputs": {"x": {"dataType": "float32", "shape": [1, {"name": "n", "maxSize": 3}]}},
        "consts": {
            "W": {
                "dataType": "float32",
                "shape": [3, 2],
                "init": {"kind": "weights", "ref": "layer.W"},
            },
            "b": {
                "dataType": "float32",
                "shape": [2],
                "init": {"kind": "inlineBytes", "bytes": list(B.tobytes())},
            },
            "s": {"dataType": "float32", "shape": [], "init": {"kind": "scalar", "value": 2}},
        },
        "nodes": [
            {"id": "m", "op": "matmul", "inputs": ["x", "W"]},
            {
                "id": "op_1",
                "op": "split",
                "inputs": ["m"],
                "options": {"splits": 2, "axis": 1},
                "outputs": ["p0", "p1"],
            },
            {
                "id": "op_2",
                "op": "concat",
                "inputs": ["p1", "p0"],
                "options": {"axis": 1},
                "outputs": ["joined"],
            },
            {
                "id": "scaled",
                "op": "mul",
                "inputs": ["joined", "s"],
                "options": {"label": None},
                "outputs": None,
            },
            {"id": "sum", "op": "add", "inputs": ["scaled", "b"]},
            {"id": "same", "op": "identity", "inputs": ["sum"]},
        ],
        "outputs": {"y": "sum", "z": "same", "m": "m"},
    }
    safetensors(tmp_path / "model.safetensors", {"layer.W": ("float32", W)})
    check_head(MLGraph.load(written(tmp_path, "\n  " + json.dumps(graph))), context)


def test_dynamic_dimensions(tmp_path, context):
    path = written(
        tmp_path,
        """webnn_graph "d" v2 { inputs { x: f32[dyn("batch", 4), 2]; }
        nodes { y = relu(x); z = reshape(y, newShape=[2, dyn("batch", 4)]); } outputs { y; z; } }""",
    )
    assert context.compute(MLGraph.load(path), {"x": np.ones((4, 2))})["z"].shape == (2, 4)
    small = MLGraph.load(path, sizes={"batch": 3})
    assert context.compute(small, {"x": np.ones((3, 2))})["z"].shape == (2, 3)
    with pytest.raises(OSError, match="at most 4"):
        MLGraph.load(path, sizes={"batch": 5})


def test_what_pywebnn_writes(tmp_path, context):
    """Other writers' names of options and operators: pads, to, snake_case, hasBias, squeeze."""
    consts = {
        "w": ([1, 1, 2, 2], np.ones(4)),
        "bias": ([1], np.array([5])),
        "mean": ([1], np.zeros(1)),
        "var": ([1], np.ones(1)),
        "shift": ([1], np.array([7])),
    }
    graph = {
        "format": "webnn-graph-json",
        "version": 2,
        "quantized": False,
        "inputs": {"x": {"dataType": "float32", "shape": [1, 1, 2, 2]}},
        "consts": {
            n: {
                "dataType": "float32",
                "shape": s,
                "init": {"kind": "inlineBytes", "bytes": list(np.asarray(v, np.float32).tobytes())},
            }
            for n, (s, v) in consts.items()
        },
        "nodes": [
            {
                "id": "op_0",
                "op": "conv2d",
                "inputs": ["x", "w", "bias"],
                "options": {
                    "strides": [1, 1],
                    "dilations": [1, 1],
                    "pads": [0, 1, 0, 1],
                    "groups": 1,
                    "inputLayout": "nchw",
                    "filterLayout": "oihw",
                    "hasBias": True,
                },
                "outputs": ["a"],
            },
            {
                "id": "op_1",
                "op": "batchNormalization",
                "inputs": ["a", "mean", "var", "shift"],
                "options": {"epsilon": 0.0, "axis": 1, "has_scale": False, "has_bias": True},
                "outputs": ["b"],
            },
            {
                "id": "op_2",
                "op": "clamp",
                "inputs": ["b"],
                "options": {"min_value": 0.0, "max_value": 14.0},
                "outputs": ["c"],
            },
            {
                "id": "op_3",
                "op": "squeeze",
                "inputs": ["c"],
                "options": {"axes": [0]},
                "outputs": ["d"],
            },
            {
                "id": "op_4",
                "op": "unsqueeze",
                "inputs": ["d"],
                "options": {"axes": [0, 4]},
                "outputs": ["e"],
            },
            {
                "id": "op_5",
                "op": "cast",
                "inputs": ["e"],
                "options": {"to": "int32"},
                "outputs": ["f"],
            },
            {
                "id": "op_6",
                "op": "pad",
                "inputs": ["f"],
                "options": {
                    "padding": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
                    "mode": "constant",
                    "value": 9,
                },
                "outputs": ["y"],
            },
            {
                "id": "op_7",
                "op": "globalAveragePool",
                "inputs": ["x"],
                "options": {"layout": "nchw"},
                "outputs": ["g"],
            },
        ],
        "outputs": {"y": "y", "g": "g"},
    }
    out = context.compute(
        MLGraph.load(written(tmp_path, json.dumps(graph))), {"x": [[[[1, 2], [3, 4]]]]}
    )
    assert out["y"].shape == (1, 1, 2, 3, 1)
    assert out["y"].reshape(2, 3).tolist() == [[9, 14, 14], [9, 14, 14]] and out["g"].item() == 2.5


def test_bfloat16_weights_become_float32(tmp_path, context):
    path = written(
        tmp_path,
        'webnn_graph "b" v1 { inputs { x: f32[2]; } consts { W: f32[2]; } nodes { y = add(x, W); } outputs { y; } }',
    )
    safetensors(
        tmp_path / "model.safetensors", {"W": ("bfloat16", np.array([0x3F80, 0xC040], np.uint16))}
    )
    assert context.compute(MLGraph.load(path), {"x": [0, 0]})["y"].tolist() == [1, -3]


@pytest.mark.parametrize("stored", ["packed", "bytes", "raw"])
def test_four_bits_of_others(tmp_path, context, stored):
    path = written(
        tmp_path,
        'webnn_graph "q" v1 { inputs { s: f32[1]; } consts { W: i4[3]; zero: i4[1] @scalar(0); } nodes { y = dequantizeLinear(W, s, zero); } outputs { y; } }',
    )
    values = np.array([-8, 7, -1], np.int8)
    if stored == "packed":
        safetensors(
            tmp_path / "model.safetensors", {"W": ("uint8", np.array([0x78, 0x0F], np.uint8))}
        )
    elif stored == "bytes":
        safetensors(tmp_path / "model.safetensors", {"W": ("int8", values)})
    else:
        raw_weights(tmp_path, {"W": ("int4", values)})
    assert context.compute(MLGraph.load(path), {"s": [1]})["y"].tolist() == [-8, 7, -1]


def test_loaded_graphs_run_on_any_context(tmp_path, context, builder):
    builder.build(
        {
            "y": builder.add(
                builder.input("x", [2], "float32"), builder.constant(np.ones(2, np.float32))
            )
        }
    ).save(tmp_path / "g.webnn")
    graph = MLGraph.load(tmp_path / "g.webnn")
    for engine in ("native", "numpy"):
        other = webnn.ML().create_context(engine=engine)
        assert other.compute(graph, {"x": [1, 2]})["y"].tolist() == [2, 3]
    bound = MLGraph.load(tmp_path / "g.webnn", context=context)
    with pytest.raises(ValueError, match="another context"):
        webnn.ML().create_context().compute(bound, {"x": [1, 2]})


# ---- bad files ----

GOOD = 'webnn_graph "g" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }'
BAD_TEXT = {
    "empty": "",
    "only a word": "webnn_graph",
    "another format": "hello",
    "a page": "<!DOCTYPE html><html></html>",
    "no end": GOOD[:-2],
    "version 9": GOOD.replace("v1", "v9"),
    "unknown block": GOOD.replace("inputs", "imports"),
    "more after it": GOOD + " }",
    "unknown type": GOOD.replace("f32", "f64"),
    "zero dimension": GOOD.replace("[2]", "[0]"),
    "negative dimension": GOOD.replace("[2]", "[-2]"),
    "dimension of 2^32": GOOD.replace("[2]", "[4294967296]"),
    "dimension of 1.5": GOOD.replace("[2]", "[1.5]"),
    "too large": GOOD.replace("[2]", "[65536, 65536]"),
    "overflowing": GOOD.replace("[2]", "[4294967295, 4294967295, 4294967295]"),
    "nine dimensions": GOOD.replace("[2]", str([1] * 9)),
    "dyn of 0": GOOD.replace("[2]", '[dyn("n", 0)]'),
    "unknown operator": GOOD.replace("relu", "explode"),
    "unknown operand": GOOD.replace("relu(x)", "relu(q)"),
    "an operand of itself": GOOD.replace("relu(x)", "relu(y)"),
    "unknown option": GOOD.replace("relu(x)", "relu(x, alpha=1)"),
    "option twice": GOOD.replace("relu(x)", "elu(x, alpha=1, alpha=2)"),
    "too many operands": GOOD.replace("relu(x)", "relu(x, x)"),
    "too few operands": GOOD.replace("relu(x)", "add(x)"),
    "a name twice": GOOD.replace("y = relu(x);", "y = relu(x); y = relu(x);"),
    "an input twice": GOOD.replace("x: f32[2];", "x: f32[2]; x: f32[2];"),
    "unknown output": GOOD.replace("outputs { y; }", "outputs { q; }"),
    "no output": GOOD.replace("outputs { y; }", "outputs { }"),
    "an input as output": GOOD.replace("outputs { y; }", "outputs { x; }"),
    "too many results": GOOD.replace("y = relu", "[y, z] = relu"),
    "a string that does not end": GOOD.replace('"g"', '"g'),
    "deep lists": GOOD.replace("relu(x)", "relu(x, a=" + "[" * 1000 + ")"),
    "a wrong option": GOOD.replace("relu(x)", 'elu(x, alpha="one")'),
    "an infinite option": GOOD.replace("relu(x)", "elu(x, alpha=1e999)"),
    "bytes too few": GOOD.replace("nodes", "consts { c: f32[2] @bytes([0, 0, 0]); } nodes"),
    "a byte of 256": GOOD.replace("nodes", "consts { c: u8[1] @bytes([256]); } nodes"),
    "an unknown annotation": GOOD.replace(
        "nodes", 'consts { c: f32[2] @file("/etc/passwd"); } nodes'
    ),
    "weights that are not there": GOOD.replace("nodes", "consts { c: f32[2]; } nodes"),
    "too large by far": GOOD.replace("[2]", "[536870912]"),
    "an alias of nothing": GOOD.replace("y = relu(x);", "y = q;"),
    "NUL": "\x00" * 100,
    "a Git LFS pointer": "version https://git-lfs.github.com/spec/v1\n",
}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_bad_text(tmp_path, name):
    with pytest.raises(OSError) as e:
        MLGraph.load(written(tmp_path, BAD_TEXT[name]))
    assert "model.webnn" in str(e.value) and len(str(e.value)) < 1000


GOOD_JSON = {
    "format": "webnn-graph-json",
    "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]}},
    "consts": {},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"], "options": {}}],
    "outputs": {"y": "y"},
}
BAD_JSON = {
    "not closed": json.dumps(GOOD_JSON)[:-1],
    "a list": "{}[]",
    "another format": json.dumps({**GOOD_JSON, "format": "onnx"}),
    "version 3": json.dumps({**GOOD_JSON, "version": 3}),
    "no format": "{}",
    "no type": json.dumps({**GOOD_JSON, "inputs": {"x": {"shape": [2]}}}),
    "type of Python's": json.dumps(
        {**GOOD_JSON, "inputs": {"x": {"dataType": "float64", "shape": [2]}}}
    ),
    "shape of strings": json.dumps(
        {**GOOD_JSON, "inputs": {"x": {"dataType": "float32", "shape": ["2"]}}}
    ),
    "an input twice": json.dumps(GOOD_JSON).replace(
        '"inputs": {', '"inputs": {"x": {"dataType": "float32", "shape": [2]}, ', 1
    ),
    "deep": '{"a": ' * 100000,
    "deep lists": '{"a": ' + "[" * 100000,
    "a surrogate": json.dumps({**GOOD_JSON, "name": "?"}).replace("?", "\\ud800"),
    "an escape": json.dumps({**GOOD_JSON, "name": "?"}).replace("?", "\\q"),
    "a control character": json.dumps({**GOOD_JSON, "name": "?"}).replace("?", "\x01"),
    "constant without value": json.dumps(
        {**GOOD_JSON, "consts": {"c": {"dataType": "float32", "shape": [1]}}}
    ),
    "constant of another kind": json.dumps(
        {
            **GOOD_JSON,
            "consts": {
                "c": {
                    "dataType": "float32",
                    "shape": [1],
                    "init": {"kind": "file", "ref": "/etc/passwd"},
                }
            },
        }
    ),
    "operand in place of a list": json.dumps(
        {**GOOD_JSON, "nodes": [{"id": "y", "op": "relu", "inputs": "x"}]}
    ),
    "no op": json.dumps({**GOOD_JSON, "nodes": [{"id": "y", "inputs": ["x"]}]}),
    "number as id": json.dumps({**GOOD_JSON, "nodes": [{"id": 1, "op": "relu", "inputs": ["x"]}]}),
    "an object as option": json.dumps(
        {
            **GOOD_JSON,
            "nodes": [
                {"id": "y", "op": "elu", "inputs": ["x"], "options": {"alpha": {"value": 1}}}
            ],
        }
    ),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_bad_json(tmp_path, name):
    with pytest.raises(OSError) as e:
        MLGraph.load(written(tmp_path, BAD_JSON[name]))
    assert "model.webnn" in str(e.value) and len(str(e.value)) < 1000


def test_not_utf8_and_no_file(tmp_path):
    with pytest.raises(OSError, match="UTF-8"):
        MLGraph.load(written(tmp_path, GOOD.encode().replace(b'"g"', b'"\xff"')))
    with pytest.raises(OSError):
        MLGraph.load(tmp_path / "absent.webnn")
    with pytest.raises(OSError):
        MLGraph.load(tmp_path)
    os.mkfifo(tmp_path / "fifo.webnn")
    with pytest.raises(OSError, match="regular"):
        MLGraph.load(tmp_path / "fifo.webnn")


def change(manifest, **fields):
    manifest["tensors"]["W"] |= fields


BAD_WEIGHTS = {
    "past the end": lambda m: change(m, byteOffset=1000),
    "offset that wraps": lambda m: change(m, byteOffset=2**63 - 1),
    "offset of 2^64": lambda m: change(m, byteOffset=2**64),
    "inside the head": lambda m: change(m, byteOffset=4),
    "length of another shape": lambda m: change(m, byteLength=4),
    "another shape": lambda m: change(m, shape=[3], byteLength=12),
    "another type": lambda m: change(m, dataType="int32"),
    "unknown type": lambda m: change(m, dataType="float64"),
    "negative": lambda m: change(m, shape=[-2]),
    "overflow": lambda m: change(m, shape=[2**40, 2**40]),
    "overlap": lambda m: m["tensors"].update(
        V={**m["tensors"]["W"], "byteOffset": 12, "byteLength": 4, "shape": [1]}
    ),
    "big-endian": lambda m: m.update(endianness="big"),
    "another format": lambda m: m.update(format="weights"),
    "version 2": lambda m: m.update(version=2),
    "no such tensor": lambda m: m["tensors"].update(V=m["tensors"].pop("W")),
    "no offset": lambda m: m["tensors"]["W"].pop("byteOffset"),
}


@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_bad_weights(tmp_path, name):
    path = written(
        tmp_path,
        'webnn_graph "b" v1 { inputs { x: f32[2]; } consts { W: f32[2]; } nodes { y = add(x, W); } outputs { y; } }',
    )
    manifest = raw_weights(tmp_path, {"W": ("float32", np.ones(2, np.float32))})
    MLGraph.load(path)
    BAD_WEIGHTS[name](manifest)
    (tmp_path / "model.manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(OSError):
        MLGraph.load(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"WGWT",
        b"WGWT\x02\x00\x00\x00",
        b"PK\x03\x04",
        b"\x80\x04K\x01.",
        b"WGWT\x01\x00\x00\x00\x00",
    ],
)
def test_invalid_weights_are_refused(tmp_path, data):
    path = written(
        tmp_path,
        'webnn_graph "b" v1 { inputs { x: f32[2]; } consts { W: f32[2]; } nodes { y = add(x, W); } outputs { y; } }',
    )
    raw_weights(tmp_path, {"W": ("float32", np.ones(2, np.float32))})
    (tmp_path / "model.weights").write_bytes(data)
    with pytest.raises(OSError):
        MLGraph.load(path)


def test_a_number_does_not_fill_memory(tmp_path):
    consts = "".join(f"c{i}: f32[400000000] @scalar(1);" for i in range(100))  # 160 GB
    before = ember_ml.memory_stats()["used"]
    graph = MLGraph.load(written(tmp_path, GOOD.replace("nodes", f"consts {{ {consts} }} nodes")))
    assert ember_ml.memory_stats()["used"] - before < 1e6
    del graph


@pytest.mark.parametrize(
    "value,dtype",
    [
        ("2.5", "f32"),
        ("2.5", "f16"),
        ("-3", "i32"),
        ("18446744073709551615", "u64"),
        ("9007199254740993", "i64"),
        ('"Infinity"', "f32"),
        ("7", "u8"),
    ],
)
def test_a_number_that_fills_a_shape(tmp_path, engine_context, value, dtype):
    text = f'webnn_graph "s" v1 {{ inputs {{ x: {dtype}[2, 3]; }} consts {{ c: {dtype}[2, 3] @scalar({value}); }} nodes {{ y = max(x, c); z = transpose(c); }} outputs {{ y; z; }} }}'
    graph = MLGraph.load(written(tmp_path, text), context=engine_context)
    x = engine_context.create_tensor(
        [2, 3],
        graph_type := {
            "f32": "float32",
            "f16": "float16",
            "i32": "int32",
            "u64": "uint64",
            "i64": "int64",
            "u8": "uint8",
        }[dtype],
    )
    y, z = (
        engine_context.create_tensor([2, 3], graph_type),
        engine_context.create_tensor([3, 2], graph_type),
    )
    x.write(np.full((2, 3), -100) if dtype[0] != "u" else np.zeros((2, 3)))
    engine_context.dispatch(graph, {"x": x}, {"y": y, "z": z})
    want = float("inf") if "Inf" in value else float(value) if dtype[0] == "f" else int(value)
    assert y.read().tolist() == [[want] * 3] * 2 and z.read().tolist() == [[want] * 2] * 3


def test_truncated_files_are_refused(tmp_path, context):
    """A truncated file is refused, or gives the same graph because only white space is missing."""
    for text in (
        HEAD.replace("b: f32[2];", "b: f32[2] @scalar(1);").replace(
            '@weights("layer.W")', "@scalar(1)"
        ),
        json.dumps(GOOD_JSON),
    ):
        for end in range(len(text)):
            path = written(tmp_path, text[:end])
            if text[end:].strip():
                with pytest.raises(OSError):
                    MLGraph.load(path)
