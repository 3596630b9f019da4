"""The layers of docs/architecture.md: which folder may include which."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]

# A layer of src/ and the layers directly below it. It may include those and everything below them.
BELOW = {
    "core": [],
    "graph": ["core"],
    "ops": ["graph"],
    "io": ["graph"],
    "engines": ["io"],
    "nn": ["ops", "io"],
    "features": ["nn"],
    "distributed": ["nn"],
    "train": ["distributed"],
    "onnx": ["ops", "io"],
    "webnn": ["ops", "io"],
    "coreml": ["io"],
}
# The layers of the public headers. Those that no line names are of the core.
HEADERS = {
    "graph": "custom_gradient element grad memory program row",
    "ops": "ops",
    "io": "dlpack io",
    "nn": "nn registry",
    "features": "features",
    "distributed": "distributed",
    "train": "losses train",
    "onnx": "onnx onnx_writer",
    "webnn": "webnn",
    "coreml": "coreml",
    "all": "ember",
}
LAYER_OF_HEADER = {name: layer for layer, names in HEADERS.items() for name in names.split()}
# Folders that are not the library: they include its public headers, themselves, and what is here.
USERS = {
    "python/src": ["src/webnn/state.h"],
    "node": [],
    "cli": ["src/io/"],
    "bench": ["examples/", "cli/", "engines/numpy/python.h", "src/distributed/mpi.h"],
}
# Edges that break the rule, with the reason.
ALLOWED = {
    ("src/graph/grad.cpp", "ember/ops.h"): "the reverse walk adds and reshapes gradients by ops",
    ("src/core/tensor.cpp", "ember/grad.h"): "methods of Tensor evaluate and differentiate",
    ("src/core/tensor.cpp", "ember/ops.h"): "methods of Tensor evaluate and differentiate",
    ("src/core/tensor.cpp", "src/graph/compile.h"): "methods of Tensor evaluate and differentiate",
    ("src/core/memory.cpp", "src/graph/graph.h"): "clear_cache also clears the engines' caches",
    ("engines/native/kernels/random.cpp", "src/core/philox.h"): "random words are alike everywhere",
    ("engines/torch/kernels/random.cpp", "src/core/philox.h"): "random words are alike everywhere",
}


def below(layer):
    """The layer and all layers that it rests on."""
    return {layer}.union(*(below(b) for b in BELOW[layer]))


def layer_of(path):
    """The layer that a file of src/ or a public header belongs to."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "src":
        return parts[1]
    name = "nn" if parts[1] == "nn" else parts[1].removesuffix(".h")
    return LAYER_OF_HEADER.get(name, "core")


def includes(folder):
    """(file, included path as written) of the quoted includes in a folder."""
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".h", ".cpp") and "onnxruntime/include" not in str(path):
            for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
                yield str(path.relative_to(ROOT)), included


def is_project_file(path, included):
    """Whether it is a source file outside the including file's folder; the build writes others."""
    beside = (ROOT / path).parent / included
    if beside.exists() or included.endswith(".inc") or included == "ember/engine_interface.h":
        return False
    assert re.match(r"(ember|src|engines|python|node|cli|bench|examples)/", included), included
    return True


def test_layers_of_the_library_point_one_way():
    wrong = []
    for folder in ("src", "include"):
        for path, included in includes(folder):
            if not is_project_file(path, included) or (path, included) in ALLOWED:
                continue
            own = layer_of(path.removeprefix("include/"))
            if own == "all":
                continue
            if not included.startswith(("src/", "ember/")) or layer_of(included) not in below(own):
                wrong.append(f"{path} ({own}) includes {included}")
    assert not wrong, "\n".join(wrong)


def test_engines_include_public_headers_only():
    wrong = []
    for path, included in includes("engines"):
        own = "/".join(path.split("/")[:2]) + "/"
        if (path, included) in ALLOWED:
            continue
        if is_project_file(path, included) and not included.startswith(("ember/", own)):
            wrong.append(f"{path} includes {included}")
    assert not wrong, "\n".join(wrong)


def test_users_of_the_library_include_public_headers_and_what_is_listed():
    wrong, used = [], set()
    for folder, more in USERS.items():
        for path, included in includes(folder):
            if not is_project_file(path, included) or included.startswith(("ember/", folder + "/")):
                continue
            reasons = [m for m in more if included.startswith(m)]
            used.update((folder, m) for m in reasons)
            if not reasons:
                wrong.append(f"{path} includes {included}")
    unused = {(folder, m) for folder, more in USERS.items() for m in more} - used
    assert not wrong and not unused, "\n".join(wrong + [f"not needed: {u}" for u in sorted(unused)])


def test_every_exception_is_needed():
    edges = {edge for folder in ("src", "include", "engines") for edge in includes(folder)}
    assert not set(ALLOWED) - edges
    assert {p.name for p in (ROOT / "src").iterdir() if p.is_dir()} == set(BELOW)


def test_no_engine_is_named_above_the_ops():
    """Modules, features and training are written in ops alone, so that they run on every engine."""
    names = sorted(p.name for p in (ROOT / "engines").iterdir() if p.is_dir()) + ["cuda"]
    word = re.compile(r"\b(" + "|".join(names) + r")\b")
    found = []
    for folder in ("src/nn", "src/features", "src/train"):
        for path in (ROOT / folder).rglob("*.*"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if word.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
