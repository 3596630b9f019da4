#!/usr/bin/env python3
"""Finds code that leaves Ember: other array libraries, conversions, early reads of scalars, loops
over elements, in-place writes.

Run as `ember lint PATH...`, `python -m ember_ml.lint PATH...` or this file itself. docs/purity.md
explains every rule. A comment `# ember: allow` or `# ember: allow[EM101,EM201]` on a line silences
it: adapters at the boundary are legitimate.
"""

from __future__ import annotations

import os
import sys

# Run as a file: neighbouring modules would hide the standard library's types, random...
if __name__ == "__main__":
    sys.path[:] = [
        p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))
    ]

import argparse
import ast
import builtins
import io
import json
import re
import runpy
import signal
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from typing import NamedTuple

if sys.version_info < (3, 10):
    print("ember lint needs Python 3.10 or newer", file=sys.stderr)
    raise SystemExit(2)

RULES = {
    "EM101": "another array library is imported",
    "EM102": "a function, constant or class of another array library",
    "EM201": "a tensor is converted to or from another library's array",
    "EM202": "data leaves Ember and comes back: a round trip",
    "EM301": "a number is read out of a tensor: float(), int(), bool(), complex(), item(), math.*",
    "EM302": "a mean by hand: a sum divided by a length",
    "EM401": "a Python loop over the elements of a tensor",
    "EM402": "a Python builtin that walks through a tensor element by element",
    "EM501": "a dtype of another array library",
    "EM502": "an array type of another library, in isinstance() or an annotation",
    "EM503": "a probe for another library's type",
    "EM504": "a dtype as a string where a constant is meant",
    "EM601": "random numbers of another library",
    "EM602": "device code of one library",
    "EM603": "a branch on the name of the backend",
    "EM701": "an element of a tensor is assigned",
    "EM702": "a method that changes a tensor in place",
    "EM703": "out= writes a result into an existing tensor",
}


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    column: int
    code: str
    message: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.code} {self.message}"


# ---- Knowledge of other libraries ----
ENGINES = frozenset(
    "autograd cupy jax jaxlib mlx mxnet numpy onnxruntime paddle tensorflow tinygrad torch".split()
)
EMBER = frozenset(("ember_ml", "emberharmony"))
BACKENDS = ENGINES | {"native", "cuda", "pytorch"}
# Conventional names of modules, used where a file does not bind them.
CONVENTIONS = {
    "np": "numpy",
    "mx": "mlx.core",
    "jnp": "jax.numpy",
    "tf": "tensorflow",
    "ort": "onnxruntime",
    "cp": "cupy",
    **{name: name for name in ENGINES | EMBER},
    **{
        name: "ember_ml." + name
        for name in (
            "ops",
            "tensor",
            "stats",
            "linearalg",
            "EmberTensor",
            "get_backend",
            "convert_to_tensor",
        )
    },
}
MODULES = (
    frozenset(
        "core numpy linalg fft random nn functional optim cuda mps backends distributed utils data testing typing lib math "
        "lax init autograd keras signal special".split()
    )
    | ENGINES
)
DTYPES = {
    name: name
    for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128".split()
}
DTYPES |= {
    "float_": "float64",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "bool_": "bool_",
    "int_": "int64",
    "long": "int64",
    "float": "float32",
    "bool": "bool_",
    "complex_": "complex128",
    "int": "int32",
    "short": "int16",
}
# Dtypes that a string may name.
NAMED_DTYPES = frozenset(n for n in DTYPES if n[-1].isdigit()) | {"bool"}
ARRAY_TYPES = frozenset(
    "ndarray Tensor Array array generic number floating integer FloatTensor LongTensor DoubleTensor HalfTensor "
    "IntTensor BoolTensor ByteTensor Variable NDArray ArrayLike matrix EagerTensor".split()
)
CONVERTERS = frozenset(
    "array asarray asanyarray ascontiguousarray asfortranarray frombuffer fromiter from_numpy from_dlpack tensor as_tensor "
    "Tensor convert_to_tensor constant asnumpy to_numpy device_get ndarray".split()
)
DEVICE = frozenset(
    "cuda mps xpu device devices device_put default_device set_default_device set_device gpu cpu local_devices backends "
    "get_device synchronize default_stream get_default_device list_physical_devices set_default_tensor_type".split()
)
RANDOM = {
    "normal": "random_normal",
    "randn": "random_normal",
    "randn_like": "random_normal",
    "standard_normal": "random_normal",
    "rand": "random_uniform",
    "random": "random_uniform",
    "uniform": "random_uniform",
    "rand_like": "random_uniform",
    "random_sample": "random_uniform",
    "randint": "random_integers",
    "integers": "random_integers",
    "randint_like": "random_integers",
    "random_integers": "random_integers",
    "permutation": "random_permutation",
    "randperm": "random_permutation",
    "shuffle": "shuffle",
    "choice": "choice",
    "bernoulli": "random_bernoulli",
    "multinomial": "random_multinomial",
    "categorical": "random_categorical",
    "truncated_normal": "truncated_normal",
    "seed": "seed",
    "manual_seed": "seed",
    "set_seed": "seed",
    "default_rng": "seed",
    "RandomState": "seed",
    "Generator": "seed",
    "PRNGKey": "seed",
    "key": "seed",
    **{n: "random_" + n for n in "binomial poisson exponential gamma beta laplace gumbel".split()},
}
TORCH_RANDOM = frozenset(
    "randn rand randint randperm manual_seed bernoulli multinomial normal poisson Generator randn_like rand_like "
    "randint_like seed".split()
)
RENAMED = {
    "cat": "concat",
    "mm": "matmul",
    "bmm": "matmul",
    "mv": "matmul",
    "addmm": "gemm",
    "unsqueeze": "expand_dims",
    "view": "reshape",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "numel": "size",
    "chunk": "array_split",
    "unbind": "unstack",
    "index_select": "take",
    "scatter_add": "index_add",
    "avg_pool1d": "average_pool1d",
    "avg_pool2d": "average_pool2d",
    "avg_pool3d": "average_pool3d",
    "l1_loss": "mae_loss",
    "cross_entropy": "sparse_categorical_cross_entropy",
    "rint": "round",
    "around": "round",
    "fix": "trunc",
    "fabs": "abs",
    "float_power": "pow",
    "flatnonzero": "nonzero",
    "rollaxis": "moveaxis",
    "column_stack": "stack",
    "atleast_1d": "atleast_nd",
    "atleast_2d": "atleast_nd",
    "atleast_3d": "atleast_nd",
    "argpartition": "argsort",
    "partition": "sort",
    "at": "scatter",
    "masked_scatter": "where",
    "fliplr": "flip",
    "flipud": "flip",
    "append": "concat",
    "newaxis": "expand_dims",
    "vdot": "vecdot",
    "matrix_diag": "diag",
    "special_erf": "erf",
    "triangular_solve": "solve_triangular",
    "normalize": "normalize_vector",
    "divmod": "floor_divide",
}
CONSTANTS = {"pi": "ops.pi", "e": "math.e", "inf": 'float("inf")', "nan": 'float("nan")'}
IN_PLACE = frozenset(
    "add_ sub_ mul_ div_ pow_ neg_ abs_ exp_ log_ sqrt_ zero_ fill_ copy_ clamp_ clip_ relu_ sigmoid_ tanh_ scatter_ scatter_add_ "
    "index_add_ index_copy_ index_fill_ index_put_ masked_fill_ masked_scatter_ normal_ uniform_ addmm_ addcmul_ addcdiv_ lerp_ "
    "floor_ ceil_ round_ transpose_ squeeze_ unsqueeze_ resize_ bernoulli_ random_ subtract_ multiply_ divide_".split()
)
FILLED = {
    "zero_": "zeros_like",
    "fill_": "full_like",
    "normal_": "random_normal",
    "uniform_": "random_uniform",
    "bernoulli_": "random_bernoulli",
}
PROBES = frozenset(
    "numpy __array__ __array_interface__ __torch_function__ __cuda_array_interface__ to_numpy asnumpy cpu cuda "
    "detach from_numpy".split()
)
FRAMES = frozenset("pandas polars pyarrow xarray dask".split())
TO_ENGINE = frozenset("numpy to_numpy asnumpy __array__ to_backend_tensor".split())

# ---- Knowledge of Ember: the ops, by their first argument ----
# Read by path, because this file also runs where the package cannot be imported.
_KINDS = runpy.run_path(os.path.join(os.path.dirname(__file__), "_op_kinds.py"))
ELEMENTWISE: frozenset[str] = _KINDS["ELEMENTWISE"]
ARRAYS: frozenset[str] = _KINDS["ARRAYS"]
OPS: frozenset[str] = _KINDS["MADE"] | ELEMENTWISE | ARRAYS
PLAIN_OPS: frozenset[str] = _KINDS["PLAIN"] - {"item", "tolist"} | {"save"}
PAIRS = frozenset(
    "matmul dot inner outer vecdot cross kron cosine_similarity euclidean_distance pairwise_distance mse_loss mae_loss".split()
)
LISTS = re.compile(
    r"(weights|biases|params|parameters|grads|gradients|layers|tensors|parts|chunks|batches|models|modules|states|outputs|_list)$"
)
OPAQUE = frozenset(
    "load load_metadata grad value_and_grad jacobian checkpoint no_grad enable_grad eval index counters "
    "clear_cache backend_info".split()
)
SEVERAL: frozenset[str] = _KINDS["SEVERAL"] | {"gradients"}
CONSTRUCTORS = frozenset(
    "array asarray convert_to_tensor tensor Tensor EmberTensor Parameter copy from_dlpack".split()
)
OPS_MODULES = frozenset(
    "ops tensor stats linearalg linalg activations bitwise random fft features functional".split()
)
TENSOR_TYPES = frozenset("Tensor EmberTensor TensorLike TensorTypes Parameter".split())
TENSOR_ATTRIBUTES = frozenset("T mT real imag grad data".split())
PLAIN_METHODS = frozenset("dim numel element_size tobytes is_contiguous eval backward save".split())
CASTS = frozenset("cast astype to type convert_to_tensor asarray array".split())
SCALARS = frozenset("float int bool complex".split())
WALKERS = {
    "sum": "sum",
    "max": "max",
    "min": "min",
    "any": "any",
    "all": "all",
    "sorted": "sort",
    "map": "",
    "filter": "",
}
GROWING = frozenset(
    "add subtract multiply maximum minimum concat concatenate logical_or logical_and".split()
)
# Reading a value to show or check it is allowed.
SHOWN = frozenset("print str repr format".split())
SHOWN_PATHS = frozenset("builtins." + name for name in SHOWN)
SHOWN_METHODS = frozenset(
    "format info debug warning error exception critical log write add_scalar approx set_postfix "
    "set_description dump dumps writerow".split()
)
IMPORTERS = frozenset(("importlib.import_module", "builtins.__import__", "pytest.importorskip"))


# ---- Values: the kind of a name or expression, inferred within one function ----
class Value(NamedTuple):
    kind: str
    of: str = ""  # ref: its path; length, sum (a tensor): the names it is of; function: the kind that it returns


TENSOR, MANY, REF, LENGTH, FUNCTION = "tensor", "many", "ref", "length", "function"
ENGINE, LEFT = "engine", "left"  # another library's array; data that was converted from a tensor
ARRAY, OPERAND, PARAM = (
    "array",
    "operand",
    "param",
)  # a parameter: used as an array by ops; used as an operand by ops; unknown
BACKEND, PLAIN = "backend", Value("plain")
UNKNOWN = Value("")
RANK = (REF, TENSOR, LEFT, ENGINE, MANY, ARRAY, OPERAND, PARAM, BACKEND, FUNCTION)
TENSORS = (TENSOR, ARRAY, OPERAND)


def join(a: Value, b: Value) -> Value:
    """The union of two kinds; a possible tensor counts as a tensor."""
    if a == b:
        return a
    for kind in RANK:
        if kind in (a.kind, b.kind):
            return (a if a.kind == kind else b) if kind == REF or a.kind != b.kind else Value(kind)
    return PLAIN if {a.kind, b.kind} <= {LENGTH, PLAIN.kind} else UNKNOWN


def element(v: Value) -> Value:
    if v.kind == MANY:
        return Value(TENSOR)
    return (
        Value(v.kind)
        if v.kind in (*TENSORS, ENGINE, LEFT)
        else v
        if v.kind == LENGTH
        else PLAIN
        if v.kind == PLAIN.kind
        else UNKNOWN
    )


def dotted(node: ast.AST) -> str:
    """`a.b.c` for names and attributes, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def names_in(*nodes: ast.AST | None) -> set[str]:
    """The names that expressions read: `self.w` counts as self and as self.w."""
    return {
        d
        for root in nodes
        if root
        for n in ast.walk(root)
        if isinstance(n, (ast.Name, ast.Attribute)) and (d := dotted(n))
    }


def bindings(body: Sequence[ast.AST]) -> set[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    todo: list[ast.AST] = list(body)
    while todo:
        n = todo.pop()
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(n.name)
            continue
        if isinstance(n, ast.Lambda):
            continue
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            found.add(n.id)
        elif isinstance(n, ast.alias):
            found.add(n.asname or n.name.partition(".")[0])
        elif isinstance(n, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and n.name:
            found.add(n.name)
        todo.extend(ast.iter_child_nodes(n))
    return found


def shown_only(body: Sequence[ast.AST]) -> set[str]:
    """The names whose every use is in a print, a message or an assertion."""
    shown: set[str] = set()
    used: set[str] = set()
    todo = [(n, False) for n in body]
    while todo:
        n, inside = todo.pop()
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            (shown if inside else used).add(n.id)
        inside = (
            inside
            or isinstance(n, (ast.JoinedStr, ast.Assert))
            or (
                isinstance(n, ast.Call)
                and (
                    isinstance(n.func, ast.Name)
                    and n.func.id in SHOWN
                    or isinstance(n.func, ast.Attribute)
                    and n.func.attr in SHOWN_METHODS
                )
            )
        )
        todo.extend((c, inside) for c in ast.iter_child_nodes(n))
    return shown - used


class Scope:
    """Names and their values, with a journal, so that a branch can be undone."""

    def __init__(
        self, bound: Iterable[str], parent: Scope | None = None, shown: Iterable[str] = ()
    ) -> None:
        self.names: dict[str, Value | None] = dict.fromkeys(bound, UNKNOWN)
        self.parent = parent
        self.shown = frozenset(shown)
        self.journal: list[tuple[str, Value | None]] = []
        self.attributes: dict[str, set[str]] = {}

    def get(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def set(self, name: str, value: Value | None) -> None:
        self.journal.append((name, self.names.get(name)))
        self.names[name] = value
        base, dot, _ = name.partition(".")
        if dot:
            self.attributes.setdefault(base, set()).add(name)
        elif base in self.attributes:
            for attribute in self.attributes.pop(base):
                self.set(attribute, None)

    def undo(self, mark: int) -> dict[str, Value | None]:
        """Undoes the assignments since a mark and returns them."""
        undone = {name: self.names[name] for name, _ in self.journal[mark:]}
        while len(self.journal) > mark:
            name, old = self.journal.pop()
            self.names[name] = old
        return undone


def carries(body: Sequence[ast.stmt]) -> bool:
    """Whether a pass of a loop needs the result of the one before (a recurrence), other than by
    adding to it.
    """
    read: set[str] = set()
    written: set[str] = set()
    collected: set[str] = set()

    def visit(stmts: Sequence[ast.stmt]) -> bool:
        for s in stmts:
            if isinstance(s, ast.Assign | ast.AnnAssign) and s.value:
                targets = s.targets if isinstance(s, ast.Assign) else [s.target]
                flat = [
                    e
                    for t in targets
                    for e in (t.elts if isinstance(t, ast.Tuple | ast.List) else [t])
                ]
                loads = names_in(s.value)
                if len(flat) == 1 and (rest := grown(flat[0], s.value)):
                    if dotted(flat[0]) in read:  # the result depends on the sum's value
                        return True
                    read.update(names_in(*rest) - written)
                    continue
                read.update(loads - written)
                for t in flat:
                    if (
                        isinstance(t, ast.Subscript)
                        and dotted(t.value) in loads
                        or dotted(t) in read - written
                    ):
                        return True
                    written.add(dotted(t))
            elif isinstance(s, ast.AugAssign):
                loads = names_in(s.value)
                read.update(loads - written)
                # `i += 1` is only a counter.
                if dotted(s.target) in loads or loads and dotted(s.target) in read:
                    return True
            elif (
                isinstance(s, ast.Expr)
                and isinstance(s.value, ast.Call)
                and isinstance(s.value.func, ast.Attribute)
            ):
                if s.value.func.attr in ("backward", "step"):
                    return True
                if s.value.func.attr in ("append", "extend", "insert"):
                    collected.add(dotted(s.value.func.value))
                    read.update(names_in(*s.value.args))
                else:
                    read.update(names_in(s.value) - written)
            elif isinstance(
                s, ast.For | ast.AsyncFor | ast.While | ast.If | ast.With | ast.AsyncWith | ast.Try
            ):
                for part in ast.iter_child_nodes(s):
                    if isinstance(part, ast.expr):
                        read.update(names_in(part) - written)
                if isinstance(s, ast.For | ast.AsyncFor):
                    written.update(names_in(s.target))
                inner = [b for h in getattr(s, "handlers", []) for b in h.body]
                if visit(
                    [
                        *getattr(s, "body", []),
                        *inner,
                        *getattr(s, "orelse", []),
                        *getattr(s, "finalbody", []),
                    ]
                ):
                    return True
            else:
                read.update(names_in(s) - written)
        return False

    return visit(body) or bool(collected & read)


def grown(target: ast.expr, value: ast.expr) -> list[ast.expr]:
    """The addend of `t = t + e` or `t = ops.add(t, e)`; None for other assignments."""
    name = dotted(target)
    operands: list[ast.expr] = []
    if isinstance(value, ast.BinOp):
        operands = [value.left, value.right]
    elif (
        isinstance(value, ast.Call)
        and dotted(value.func).rpartition(".")[2] in GROWING
        and len(value.args) == 2
    ):
        operands = value.args
    rest = [o for o in operands if dotted(o) != name]
    return (
        rest
        if name and len(rest) == 1 and len(operands) == 2 and name not in names_in(*rest)
        else []
    )


def collects(body: Sequence[ast.stmt]) -> bool:
    for s in body:
        for n in ast.walk(s):
            if (
                isinstance(n, ast.Yield | ast.AugAssign)
                or isinstance(n, ast.Subscript)
                and isinstance(n.ctx, ast.Store)
            ):
                return True
            if (
                isinstance(n, ast.Call)
                and isinstance(n.func, ast.Attribute)
                and n.func.attr in ("append", "extend", "insert")
            ):
                return True
            if isinstance(n, ast.Assign) and len(n.targets) == 1 and grown(n.targets[0], n.value):
                return True
    return False


def classify(path: str, called: bool, as_type: bool) -> tuple[str, str, str]:
    """Code, message and advice for a use of `path` of another library."""
    parts = path.split(".")
    last, middle = parts[-1], parts[1:-1]
    if "random" in parts[1:] or (parts[0] == "torch" and last in TORCH_RANDOM):
        name = RANDOM.get(last, "random_uniform")
        return (
            "EM601",
            f"{path} draws from one library's generator",
            f"ops.{name}(...): the same numbers on every backend",
        )
    if (
        as_type
        and last in ARRAY_TYPES
        or not called
        and last in ARRAY_TYPES - CONVERTERS
        or not called
        and last in ("Tensor", "ndarray")
    ):
        return (
            "EM502",
            f"{path} is the array type of one backend",
            "tensor.Tensor as the type; tensor.convert_to_tensor(x) takes whatever comes",
        )
    if last in DTYPES and (not called or not middle) or last == "dtype":
        name = DTYPES.get(last, "float32") if last != "dtype" else "float32"
        return (
            "EM501",
            f"{path} is a dtype of one library",
            f"ops.{name}" + (" (or the like)" if last == "dtype" else ""),
        )
    if last in CONVERTERS:
        return (
            "EM201",
            f"{path} makes an array outside Ember",
            "tensor.convert_to_tensor(...), and ops from there on",
        )
    if last in DEVICE or DEVICE.intersection(middle):
        return (
            "EM602",
            f"{path} is device code of one library",
            "ops.to_device(x, device), ops.get_device(x), ops.get_available_devices()",
        )
    if last in CONSTANTS:
        return "EM102", f"{path} is taken from another library", CONSTANTS[last]
    name = RENAMED.get(last, last if last in OPS else "")
    if last in ("load", "save"):
        name = last
    if name and not (last[0].isupper()):
        return "EM102", f"{path} computes outside Ember", f"ops.{name}(...)"
    if last[:1].isupper() and {"nn", "optim", "layers"} & set(middle):
        return (
            "EM102",
            f"{path} belongs to one library",
            "its counterpart in ember_ml.nn, which runs on every backend",
        )
    return (
        "EM102",
        f"{path} belongs to one library",
        "the same in ops; or an adapter with `# ember: allow` on its lines",
    )


class Loop(NamedTuple):
    indices: set[str]
    rows: set[str]
    lengths: set[str]


METHOD_CODES = (
    "EM201",
    "EM602",
    "EM702",
)  # reported at the method's name: chains run over several lines


def combine(a: Value, b: Value) -> Value:
    """The result of an operator."""
    kinds = {a.kind, b.kind}
    for kind in (TENSOR, LEFT, ENGINE, MANY, ARRAY):
        if kind in kinds:
            return Value(kind)
    return PLAIN if kinds <= {PLAIN.kind, LENGTH} else UNKNOWN


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def brief(node: ast.expr) -> str:
    try:
        text = ast.unparse(node)
    except RecursionError:
        text = "..."
    return text if len(text) <= 60 else text[:57] + "..."


class Checker:
    """Interprets a module in order, function by function, with a kind for every name."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.lines = text.split("\n")
        self.found: dict[tuple[int, int, str], Finding] = {}
        self.later: list[Callable[[], None]] = []
        self.showing = 0  # inside a print, a message or an assertion
        self.typing = 0  # inside an annotation or the types of isinstance()
        self.promised = False  # in a function that is annotated to return numbers
        self.silent: set[ast.AST] = set()
        self.star = ""  # the library of `from library import *`
        tree = ast.parse(text, path)
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        roots = {
            a.name.partition(".")[0]
            for n in ast.walk(tree)
            if isinstance(n, ast.Import)
            for a in n.names
        }
        roots |= {
            (n.module or "").partition(".")[0]
            for n in ast.walk(tree)
            if isinstance(n, ast.ImportFrom)
        }
        self.frames = bool(roots & FRAMES)  # to_numpy() of data frames is allowed
        # Weak evidence counts only near tensors.
        self.relevant = bool((names | roots) & (set(CONVENTIONS) | ENGINES | EMBER))
        bound = bindings(tree.body) | {
            n for g in ast.walk(tree) if isinstance(g, ast.Global) for n in g.names
        }
        self.scope = Scope(bound, None, shown_only(tree.body))
        self.body(tree.body, self.scope)

    def report(
        self, node: ast.expr | ast.stmt | ast.alias, code: str, message: str, instead: str
    ) -> None:
        line, column = node.lineno, node.col_offset
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and code in METHOD_CODES
            and node.func.end_lineno
        ):
            line, column = (
                node.func.end_lineno,
                (node.func.end_col_offset or 0) - len(node.func.attr.encode()),
            )
        if line <= len(self.lines):  # ast's columns count bytes
            column = len(
                self.lines[line - 1].encode("utf-8", "replace")[:column].decode("utf-8", "replace")
            )
        self.found.setdefault(
            (line, column, code), Finding(self.path, line, column + 1, code, message, instead)
        )

    # ---- Statements ----
    def body(self, stmts: Sequence[ast.stmt], scope: Scope) -> None:
        outer = self.scope, self.later
        self.scope, self.later = scope, []
        self.run(stmts)
        for job in self.later:
            job()
        self.scope, self.later = outer

    def run(self, stmts: Sequence[ast.stmt]) -> bool:
        """Interprets a block; returns whether it always leaves."""
        for s in stmts:
            getattr(self, "s_" + type(s).__name__, self.any_statement)(s)
        return bool(stmts) and isinstance(
            stmts[-1], ast.Return | ast.Raise | ast.Continue | ast.Break
        )

    def any_statement(self, s: ast.stmt) -> None:
        for n in ast.iter_child_nodes(s):
            if isinstance(n, ast.expr):
                self.value(n)

    def s_Assert(self, s: ast.Assert) -> None:
        self.showing += 1
        self.any_statement(s)
        self.showing -= 1

    def s_Return(self, s: ast.Return) -> None:
        self.showing += self.promised
        self.any_statement(s)
        self.showing -= self.promised

    def s_Import(self, s: ast.Import) -> None:
        for a in s.names:
            root = a.name.partition(".")[0]
            if root in ENGINES:
                self.report(
                    a,
                    "EM101",
                    f"{a.name} is imported" + (f" as {a.asname}" if a.asname else ""),
                    "from ember_ml import ops, tensor",
                )
            self.scope.set(a.asname or root, Value(REF, a.name if a.asname else root))

    def s_ImportFrom(self, s: ast.ImportFrom) -> None:
        module = s.module or ""
        engine = not s.level and module.partition(".")[0] in ENGINES
        if engine:
            what = ", ".join(a.name for a in s.names)
            self.report(
                s,
                "EM101",
                f"{what if len(what) < 60 else 'names'} imported from {module}",
                "from ember_ml import ops, tensor",
            )
        for a in s.names:
            if a.name == "*":
                self.star = module if engine else self.star
            else:
                self.scope.set(a.asname or a.name, Value(REF, f"{'.' * s.level}{module}.{a.name}"))

    def s_FunctionDef(
        self, s: ast.FunctionDef | ast.AsyncFunctionDef, owner: dict[str, Value] | None = None
    ) -> None:
        for decorator in s.decorator_list:
            self.value(decorator)
        for default in [*s.args.defaults, *(d for d in s.args.kw_defaults if d)]:
            self.value(default)
        kinds = self.parameters(s.args)
        returns = self.annotation(s.returns) if s.returns else UNKNOWN
        result = Value(FUNCTION, returns.kind if returns.kind in (TENSOR, MANY) else "")
        if owner is None:
            self.scope.set(s.name, result)
        else:
            owner[s.name] = result
        parent = self.scope
        first = s.args.args[0].arg if owner is not None and s.args.args else ""

        def job() -> None:
            scope = Scope(
                bindings(s.body)
                - {
                    n
                    for g in ast.walk(s)
                    if isinstance(g, ast.Global | ast.Nonlocal)
                    for n in g.names
                },
                parent,
                shown_only(s.body),
            )
            scope.names.update(kinds)
            if first:
                scope.names[first] = UNKNOWN
                for name, v in (owner or {}).items():
                    scope.set(f"{first}.{name}", v)
            self.used_as_tensors(s, scope)
            outer, self.promised = self.promised, returns.kind == PLAIN.kind
            self.body(s.body, scope)
            self.promised = outer
            if first and owner is not None:
                for key, value in scope.names.items():
                    if key.startswith(first + ".") and key.count(".") == 1 and value:
                        name = key.partition(".")[2]
                        owner[name] = join(owner[name], value) if name in owner else value

        self.later.append(job)

    s_AsyncFunctionDef = s_FunctionDef

    def parameters(self, args: ast.arguments) -> dict[str, Value]:
        plain = [*args.posonlyargs, *args.args]
        defaults = dict(
            zip([a.arg for a in plain][len(plain) - len(args.defaults) :], args.defaults)
        )
        defaults |= {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
        kinds: dict[str, Value] = {}
        for a in [*plain, *args.kwonlyargs, args.vararg, args.kwarg]:
            if not a:
                continue
            default = defaults.get(a.arg)
            hint = self.annotation(a.annotation) if a.annotation else None
            if a.arg == "dtype" and self.relevant and (hint is None or hint.kind != PLAIN.kind):
                self.dtype_text(default)
            kinds[a.arg] = (
                hint
                if hint is not None
                else PLAIN
                if default is not None and not is_none(default)
                else Value(PARAM)
            )
        if args.vararg:
            kinds[args.vararg.arg] = (
                Value(MANY) if kinds[args.vararg.arg].kind == TENSOR else UNKNOWN
            )
        if args.kwarg:
            kinds[args.kwarg.arg] = PLAIN
        return kinds

    def used_as_tensors(self, s: ast.AST, scope: Scope) -> None:
        """Marks parameters that ops take as an array or operand as tensors."""
        before, self.scope = self.scope, scope
        for n in ast.walk(s):
            if (
                isinstance(n, ast.Call)
                and n.args
                and (path := self.ref(n.func)).partition(".")[0] in EMBER
            ):
                op = path.rpartition(".")[2]
                for a in n.args[:1] if op in ARRAYS else n.args if op in ELEMENTWISE else []:
                    if (
                        isinstance(a, ast.Name)
                        and (v := scope.names.get(a.id))
                        and v.kind in (PARAM, OPERAND)
                    ):
                        scope.names[a.id] = Value(ARRAY if op in ARRAYS else OPERAND)
        self.scope = before

    def s_ClassDef(self, s: ast.ClassDef) -> None:
        for e in [*s.decorator_list, *s.bases, *(k.value for k in s.keywords)]:
            self.value(e)
        outer = self.scope
        owner: dict[str, Value] = {}
        methods = [m for m in s.body if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef)]
        # Its annotations give the attributes' types.
        for m in sorted(methods, key=lambda m: m.name != "__init__"):
            static = any(
                isinstance(d, ast.Name) and d.id == "staticmethod" for d in m.decorator_list
            )
            self.s_FunctionDef(m, None if static else owner)
        self.scope = Scope(bindings(s.body), outer)
        self.run([x for x in s.body if not isinstance(x, ast.FunctionDef | ast.AsyncFunctionDef)])
        self.scope = outer
        outer.set(s.name, UNKNOWN)

    def s_Assign(self, s: ast.Assign) -> None:
        shown = all(isinstance(t, ast.Name) and t.id in self.scope.shown for t in s.targets)
        self.showing += shown
        if (
            len(s.targets) == 1
            and isinstance(t := s.targets[0], ast.Tuple)
            and isinstance(s.value, ast.Tuple)
            and len(t.elts) == len(s.value.elts)
            and not any(isinstance(e, ast.Starred) for e in [*t.elts, *s.value.elts])
        ):
            for target, v in zip(t.elts, [self.value(e) for e in s.value.elts]):
                self.assign(target, v)
        else:
            v = self.value(s.value)
            for target in s.targets:
                self.assign(target, v)
        self.showing -= shown

    def s_AnnAssign(self, s: ast.AnnAssign) -> None:
        hint = self.annotation(s.annotation)
        v = self.value(s.value) if s.value else UNKNOWN
        self.assign(s.target, hint if hint.kind and v.kind in ("", PLAIN.kind) else v)

    def s_AugAssign(self, s: ast.AugAssign) -> None:
        v = self.value(s.value)
        if isinstance(s.target, ast.Subscript):
            self.assign(s.target, v)
        else:
            self.assign(s.target, combine(self.look(s.target), v))

    def assign(self, target: ast.expr, v: Value) -> None:
        if isinstance(target, ast.Name):
            self.scope.set(target.id, v)
        elif isinstance(target, ast.Tuple | ast.List):
            for t in target.elts:
                self.assign(
                    t.value if isinstance(t, ast.Starred) else t,
                    v if isinstance(t, ast.Starred) else element(v),
                )
        elif isinstance(target, ast.Attribute):
            self.named(target, assigned=True)
            if key := dotted(target):
                self.scope.set(key, v)
        elif isinstance(target, ast.Subscript):
            base = self.value(target.value)
            self.value(target.slice)
            if base.kind in TENSORS:
                name = brief(target.value)
                self.report(
                    target,
                    "EM701",
                    f"an element of {name} is assigned: each write makes a new tensor",
                    f"{name} = ops.where(condition, value, {name}), ops.slice_update(...), or ops.stack of the parts",
                )

    def branch(self, blocks: Sequence[tuple[Sequence[ast.stmt], dict[str, Value]]]) -> None:
        """Interprets blocks as alternatives and joins their states, except those that leave the
        function or loop.
        """
        ends: list[dict[str, Value | None]] = []
        for stmts, given in blocks:
            mark = len(self.scope.journal)
            for name, v in given.items():
                self.scope.set(name, v)
            left = self.run(stmts)
            changed = self.scope.undo(mark)
            if not left:
                ends.append(changed)
        for name in {n for e in ends for n in e}:
            self.scope.set(
                name,
                reduce(
                    join,
                    [(e[name] if name in e else self.scope.get(name)) or UNKNOWN for e in ends],
                ),
            )

    def s_If(self, s: ast.If) -> None:
        self.value(s.test)
        yes, no = self.narrow(s.test)
        self.branch([(s.body, yes), (s.orelse, no)])

    def s_Try(self, s: ast.Try) -> None:
        self.run(s.body)
        for h in s.handlers:
            if h.type:
                self.value(h.type)
        self.branch([(s.orelse, {}), *((h.body, {}) for h in s.handlers)])
        self.run(s.finalbody)

    s_TryStar = s_Try

    def s_With(self, s: ast.With | ast.AsyncWith) -> None:
        for item in s.items:
            v = self.value(item.context_expr)
            if item.optional_vars:
                self.assign(item.optional_vars, UNKNOWN if v.kind == REF else v)
        self.run(s.body)

    s_AsyncWith = s_With

    def s_Match(self, s: ast.Match) -> None:
        subject = self.value(s.subject)
        for case in s.cases:
            for n in ast.walk(case.pattern):
                if isinstance(n, ast.MatchValue):
                    if (
                        subject.kind == BACKEND
                        and isinstance(n.value, ast.Constant)
                        and n.value.value in BACKENDS
                    ):
                        self.on_backend(n.value)
                    self.value(n.value)
            if case.guard:
                self.value(case.guard)
        self.branch(
            [(case.body, {n: UNKNOWN for n in bindings([case.pattern])}) for case in s.cases]
            + [([], {})]
        )

    def s_For(self, s: ast.For | ast.AsyncFor) -> None:
        loop = self.bind(s.target, s.iter)
        if collects(s.body) and self.loops_over(loop, s.body) and not carries(s.body):
            self.element_loop(s, s.iter)
        self.run(s.body)
        self.run(s.orelse)

    s_AsyncFor = s_For

    def s_While(self, s: ast.While) -> None:
        self.value(s.test)
        if isinstance(s.test, ast.Compare):
            lengths = {
                v.of
                for side in s.test.comparators
                if isinstance(side, ast.Call | ast.Name | ast.Subscript)
                and (v := self.peek_length(side))
            }
            loop = Loop({d for d in names_in(s.test.left) if "." not in d}, set(), lengths)
            if collects(s.body) and self.loops_over(loop, s.body) and not carries(s.body):
                self.element_loop(s, s.test)
        self.run(s.body)
        self.run(s.orelse)

    # ---- Loops ----
    def peek_length(self, n: ast.expr) -> Value | None:
        if isinstance(n, ast.Call) and self.ref(n.func) == "builtins.len" and n.args:
            return Value(LENGTH, dotted(n.args[0]))
        v = self.scope.get(dotted(n))
        return v if v and v.kind == LENGTH else None

    def bind(self, target: ast.expr, source: ast.expr) -> Loop:
        """Assigns a loop's target; returns the names that are indices, those that are rows of a
        tensor, and those whose lengths bound it.
        """
        loop = Loop(set(), set(), set())
        pairs: list[tuple[ast.expr, Value]] = []
        of = self.ref(source.func) if isinstance(source, ast.Call) else ""
        if (
            isinstance(source, ast.Call)
            and of in ("builtins.enumerate", "builtins.zip")
            and isinstance(target, ast.Tuple)
        ):
            values = [self.value(a) for a in source.args]
            for k in source.keywords:
                self.value(k.value)
            if of.endswith("enumerate"):
                values = [Value(PLAIN.kind), *values[:1]]
                loop.indices.update(names_in(target.elts[0]))
            pairs = list(zip(target.elts, values))
        else:
            v = self.value(source)
            if of == "builtins.range":
                loop.indices.update(names_in(target))
                loop.lengths.update(v.of.split("|"))
            pairs = [(target, v)]
        for t, v in pairs:
            if v.kind in TENSORS[:2]:
                loop.rows.update(bindings([t]))
            self.assign(t, element(v))
        return loop

    def loops_over(self, loop: Loop, parts: Sequence[ast.AST]) -> bool:
        """Whether ops are applied to single elements: rows of a tensor, or x[i] with the loop's
        index.
        """
        rows = set(loop.rows)  # of a tensor
        likely: set[str] = set()  # of an object that ops may accept

        def is_element(n: ast.AST, strong: bool) -> bool:
            if isinstance(n, ast.Name):
                return isinstance(n.ctx, ast.Load) and (
                    n.id in rows or not strong and n.id in likely
                )
            if not isinstance(n, ast.Subscript) or not isinstance(n.ctx, ast.Load):
                return False
            at = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
            if not any(not isinstance(i, ast.Slice) and names_in(i) & loop.indices for i in at):
                return False
            base = dotted(n.value)
            kind = (self.scope.get(base) or UNKNOWN).kind if base else ""
            return (
                kind in TENSORS
                or not strong
                and base in loop.lengths
                and kind in (PARAM, "")
                and not LISTS.search(base)
            )

        def operands(n: ast.AST) -> Iterator[ast.AST]:
            """Whether the expression consists of elements and their arithmetic; other calls are not
            followed.
            """
            yield n
            for c in (
                [n.value]
                if isinstance(n, ast.Subscript)
                else []
                if isinstance(n, ast.Call)
                else ast.iter_child_nodes(n)
            ):
                yield from operands(c)

        for root in parts:
            for n in ast.walk(root):
                if isinstance(n, ast.Assign) and is_element(n.value, False):
                    (rows if is_element(n.value, True) else likely).update(
                        t.id for t in n.targets if isinstance(t, ast.Name)
                    )
        for root in parts:
            for n in ast.walk(root):
                if isinstance(n, ast.Call):
                    path = self.ref(n.func)
                    op = path.rpartition(".")[2]
                    if path.partition(".")[0] in EMBER and op not in PLAIN_OPS:
                        # Others may be shapes, axes, counts.
                        tensors = (
                            len(n.args) if op in ELEMENTWISE | PAIRS else 1 if op in ARRAYS else 0
                        )
                        if any(
                            is_element(e, i >= tensors)
                            for i, a in enumerate(n.args)
                            for e in operands(a)
                        ):
                            return True
                    elif (
                        isinstance(n.func, ast.Attribute)
                        and is_element(n.func.value, True)
                        and n.func.attr in OPS
                    ):
                        return True
                elif isinstance(n, ast.BinOp) and (
                    is_element(n.left, True) or is_element(n.right, True)
                ):
                    return True
                elif isinstance(n, ast.AugAssign) and is_element(n.value, True):
                    return True
        return False

    def element_loop(self, node: ast.stmt | ast.expr, source: ast.expr) -> None:
        self.report(
            node,
            "EM401",
            f"a Python loop over {brief(source)}: one small op per element",
            "one op over the whole tensor: broadcasting (ops.expand_dims), an axis= argument, ops.where, ops.take",
        )

    # ---- Types ----
    def narrow(self, test: ast.expr) -> tuple[dict[str, Value], dict[str, Value]]:
        """The kinds of names that a condition implies if it is true, and if it is false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yes, no = self.narrow(test.operand)
            return no, yes
        if isinstance(test, ast.BoolOp):
            sides = [self.narrow(v) for v in test.values]
            all_of = isinstance(test.op, ast.And)
            merged = {k: v for side in sides for k, v in side[0 if all_of else 1].items()}
            return (merged, {}) if all_of else ({}, merged)
        if (
            isinstance(test, ast.Call)
            and self.ref(test.func) == "builtins.isinstance"
            and len(test.args) == 2
            and (name := dotted(test.args[0]))
        ):
            types = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
            v = reduce(join, [self.type_kind(t) for t in types] or [UNKNOWN])
            return {name: v}, {name: UNKNOWN} if v.kind == TENSOR else {}
        return {}, {}

    def type_kind(self, node: ast.expr) -> Value:
        path = self.ref(node)
        root, last = path.partition(".")[0], path.rpartition(".")[2]
        if root in ENGINES:
            return Value(ENGINE)
        if root == "builtins":
            return PLAIN
        unbound = isinstance(node, ast.Name) and self.scope.get(node.id) is None
        return (
            Value(TENSOR)
            if (root in EMBER or unbound) and (last or dotted(node)) in TENSOR_TYPES
            else UNKNOWN
        )

    def annotation(self, node: ast.expr) -> Value:
        self.typing += 1
        try:
            return self.hint(node, None)
        finally:
            self.typing -= 1

    def hint(
        self, node: ast.expr, at: ast.expr | None
    ) -> Value:  # at: the string that contains an annotation
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                return self.hint(ast.parse(node.value, mode="eval").body, node)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return UNKNOWN
        if isinstance(node, ast.Constant):
            return PLAIN
        if isinstance(node, ast.Name | ast.Attribute):
            path = self.ref(node)
            if path.partition(".")[0] in ENGINES:
                self.report(at or node, *classify(path, False, True))
            return self.type_kind(node)
        if isinstance(node, ast.List):  # of Callable
            return reduce(join, [self.hint(e, at) for e in node.elts] or [UNKNOWN])
        if isinstance(node, ast.BinOp):
            return join(self.hint(node.left, at), self.hint(node.right, at))
        if isinstance(node, ast.Subscript):
            parts = [
                self.hint(e, at)
                for e in (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])
            ] or [UNKNOWN]
            head = dotted(node.value).rpartition(".")[2]
            if head in ("Optional", "Union", "Annotated", "Final", "ClassVar"):
                return reduce(join, parts if head == "Union" else parts[:1])
            outer = self.hint(node.value, at)
            if head in (
                "list",
                "List",
                "tuple",
                "Tuple",
                "Sequence",
                "Iterable",
                "Iterator",
                "Collection",
                "set",
                "dict",
                "Dict",
                "Mapping",
            ):
                if any(p.kind == TENSOR for p in parts):
                    return UNKNOWN if head in ("dict", "Dict", "Mapping") else Value(MANY)
                return PLAIN
            return outer if outer.kind in (ENGINE, TENSOR) else UNKNOWN
        return UNKNOWN

    # ---- Names ----
    def ref(self, node: ast.AST) -> str:
        """The dotted path of a name or attribute through imports and aliases, or None."""
        tail: list[str] = []
        while isinstance(node, ast.Attribute):
            tail.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        v = self.name(node.id)
        return ".".join([v.of, *reversed(tail)]) if v.kind == REF else ""

    def name(self, name: str) -> Value:
        v = self.scope.get(name)
        if v is not None:
            return v
        if (
            self.star
            and name in OPS | RENAMED.keys() | DTYPES.keys() | CONSTANTS.keys()
            and not hasattr(builtins, name)
        ):
            return Value(REF, f"{self.star}.{name}")
        if hasattr(builtins, name):
            return Value(REF, "builtins." + name)
        return Value(REF, CONVENTIONS[name]) if name in CONVENTIONS else UNKNOWN

    def look(self, node: ast.expr) -> Value:
        """The kind of an expression; a reference to a library alone is not a finding."""
        if isinstance(node, ast.Name):
            return self.name(node.id)
        return (
            self.attribute(node, self.look(node.value))
            if isinstance(node, ast.Attribute)
            else self.value(node)
        )

    def attribute(self, node: ast.Attribute, base: Value) -> Value:
        if base.kind == REF:
            return Value(REF, f"{base.of}.{node.attr}")
        if (key := dotted(node)) and (known := self.scope.get(key)):
            return known
        if base.kind in (*TENSORS, PARAM) and node.attr in ("shape", "size"):
            return Value(LENGTH, dotted(node.value))
        if base.kind in TENSORS:
            return (
                Value(BACKEND)
                if node.attr == "backend"
                else Value(base.kind)
                if node.attr in TENSOR_ATTRIBUTES
                else PLAIN
            )
        return base if base.kind in (ENGINE, LEFT) else UNKNOWN

    def named(self, node: ast.expr, assigned: bool = False) -> Value:
        v = self.look(node)
        parts = v.of.split(".")
        if v.kind == REF and parts[0] in ENGINES and (assigned or parts[-1] not in MODULES):
            code, message, instead = classify(v.of, False, self.typing > 0)
            self.report(node, code, message, instead)
            # A function assigned to a new name is still a function.
            return v if code in ("EM102", "EM201") and parts[-1] not in CONSTANTS else UNKNOWN
        return PLAIN if v.kind == REF and parts[0] in EMBER and parts[-1] in CONSTANTS else v

    x_Name = x_Attribute = named

    # ---- Expressions ----
    def value(self, node: ast.expr) -> Value:
        v: Value = getattr(self, "x_" + type(node).__name__, self.any_expression)(node)
        return v

    def any_expression(self, node: ast.expr) -> Value:
        for n in ast.iter_child_nodes(node):
            if isinstance(n, ast.expr):
                self.value(n)
        return UNKNOWN

    def x_Constant(self, node: ast.Constant) -> Value:
        return PLAIN

    def x_JoinedStr(self, node: ast.JoinedStr) -> Value:
        self.showing += 1
        self.any_expression(node)
        self.showing -= 1
        return PLAIN

    def x_List(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        kinds = {self.value(e).kind for e in node.elts}
        return (
            Value(LEFT)
            if LEFT in kinds
            else Value(MANY)
            if TENSOR in kinds and kinds <= {TENSOR, MANY}
            else PLAIN
        )

    x_Tuple = x_Set = x_List

    def x_Dict(self, node: ast.Dict) -> Value:
        self.any_expression(node)
        return PLAIN

    def x_Starred(self, node: ast.Starred | ast.Await) -> Value:
        return self.value(node.value)

    x_Await = x_Starred

    def x_NamedExpr(self, node: ast.NamedExpr) -> Value:
        v = self.value(node.value)
        self.assign(node.target, v)
        return v

    def x_UnaryOp(self, node: ast.UnaryOp) -> Value:
        v = self.value(node.operand)
        return PLAIN if isinstance(node.op, ast.Not) else combine(v, v)

    def x_BinOp(self, node: ast.BinOp) -> Value:
        chain: list[ast.BinOp] = [node]
        while isinstance(chain[-1].left, ast.BinOp):  # long sums are deep trees: iterate
            chain.append(chain[-1].left)
        v = self.value(chain[-1].left)
        for n in reversed(chain):
            text = (
                isinstance(n.op, ast.Mod)
                and isinstance(n.left, ast.Constant)
                and isinstance(n.left.value, str)
            )
            self.showing += text
            other = self.value(n.right)
            self.showing -= text
            if isinstance(n.op, ast.Div):
                self.mean_by_hand(n, v, other)
            v = combine(v, other)
        return v

    def mean_by_hand(self, node: ast.expr, total: Value, count: Value) -> None:
        if (
            total.kind == TENSOR
            and total.of
            and count.kind == LENGTH
            and count.of in total.of.split("|")
        ):
            self.report(
                node,
                "EM302",
                f"a sum divided by the length of {count.of}",
                "ops.mean(...), along an axis where only one is meant",
            )

    def x_BoolOp(self, node: ast.BoolOp) -> Value:
        return reduce(join, [self.value(e) for e in node.values])

    def x_IfExp(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        return join(self.value(node.body), self.value(node.orelse))

    def x_Compare(self, node: ast.Compare) -> Value:
        sides = [node.left, *node.comparators]
        values = [self.value(s) for s in sides]
        literals = [
            c.value
            for s in sides
            for c in (s.elts if isinstance(s, ast.Tuple | ast.List | ast.Set) else [s])
            if isinstance(c, ast.Constant)
        ]
        if any(v.kind == BACKEND for v in values) and any(
            literal in BACKENDS for literal in literals if isinstance(literal, str)
        ):
            self.on_backend(node)
        attributes = {s.attr for s in sides if isinstance(s, ast.Attribute)}
        words = {w for literal in literals if isinstance(literal, str) for w in literal.split(".")}
        if (
            "__module__" in attributes
            and words & ENGINES
            or attributes & {"__name__", "__qualname__"}
            and "ndarray" in words
        ):
            self.report(
                node,
                "EM503",
                "a type is told by its name",
                "tensor.convert_to_tensor(x) takes whatever comes",
            )
        if any(v.kind == TENSOR for v in values) and not any(
            isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops
        ):
            return Value(TENSOR)
        return UNKNOWN

    def on_backend(self, node: ast.expr) -> None:
        self.report(
            node,
            "EM603",
            "a branch on the name of the backend",
            "one path for all: ops run on whichever backend is in force",
        )

    def x_Subscript(self, node: ast.Subscript) -> Value:
        base = self.value(node.value)
        chosen = self.value(node.slice).kind
        # {"numpy": f, "torch": g}[get_backend()].
        if chosen == BACKEND and isinstance(node.value, ast.Dict):
            self.on_backend(node)
        if base.kind == REF:  # sys.modules["numpy"]
            name = node.slice.value if isinstance(node.slice, ast.Constant) else ""
            if (
                base.of == "sys.modules"
                and isinstance(name, str)
                and name.partition(".")[0] in ENGINES
            ):
                self.report(
                    node,
                    "EM101",
                    f"{name} is taken from sys.modules",
                    "from ember_ml import ops, tensor",
                )
                return Value(REF, name)
            return UNKNOWN
        return base if base.kind == MANY and isinstance(node.slice, ast.Slice) else element(base)

    def x_Lambda(self, node: ast.Lambda) -> Value:
        outer = self.scope
        kinds = self.parameters(node.args)
        self.scope = Scope((), outer)
        self.scope.names.update(kinds)
        self.used_as_tensors(node.body, self.scope)
        self.value(node.body)
        self.scope = outer
        return Value(FUNCTION)

    def x_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        v = self.comprehension(node, node.generators, [node.elt])
        return Value(LEFT) if v.kind == LEFT else Value(MANY) if v.kind == TENSOR else PLAIN

    x_SetComp = x_GeneratorExp = x_ListComp

    def x_DictComp(self, node: ast.DictComp) -> Value:
        self.comprehension(node, node.generators, [node.key, node.value])
        return PLAIN

    def comprehension(
        self, node: ast.expr, generators: list[ast.comprehension], elements: list[ast.expr]
    ) -> Value:
        outer = self.scope
        self.scope = Scope(bindings([g.target for g in generators]), outer)
        for g in generators:
            loop = self.bind(g.target, g.iter)
            for condition in g.ifs:
                self.value(condition)
            if self.loops_over(loop, elements):
                self.element_loop(node, g.iter)
        values = [self.value(e) for e in elements]
        self.scope = outer
        return values[-1]

    # ---- Calls ----
    def x_Call(self, node: ast.Call) -> Value:
        base, method = UNKNOWN, ""
        if isinstance(node.func, ast.Attribute):
            method = node.func.attr
            if method in TO_ENGINE:  # x.detach().cpu().numpy() is one conversion
                inner = node.func.value
                while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                    self.silent.add(inner)
                    inner = inner.func.value
            base = self.look(node.func.value)
            func = self.attribute(node.func, base)
        else:
            func = self.look(node.func)
        path = func.of if func.kind == REF else ""
        root, name = path.partition(".")[0], path.rpartition(".")[2]
        shown = path in SHOWN_PATHS or method in SHOWN_METHODS and root not in EMBER | ENGINES
        self.showing += shown
        self.typing += (types := path in ("builtins.isinstance", "builtins.issubclass"))
        args = [self.value(a) for a in node.args]
        named = {k.arg or "": self.value(k.value) for k in node.keywords}
        self.typing -= types
        self.showing -= shown
        if path in IMPORTERS:
            return self.imported(node)
        if root in ENGINES:
            return self.engine_call(node, path, [*args, *named.values()])
        if root in EMBER:
            return self.ember_call(node, path, name, args, named)
        if root == "builtins":
            return self.builtin_call(node, name, args)
        if func.kind == FUNCTION:
            return Value(func.of)
        if name == "get_backend" and path.startswith("."):
            return Value(BACKEND)
        if root == "math" and any(a.kind == TENSOR for a in args) and not self.showing:
            self.report(
                node,
                "EM301",
                f"math.{name} reads a number out of a tensor",
                f"ops.{name if name in OPS else '...'}(...)",
            )
        return (
            self.method_call(node, base, method, args, named)
            if method and base.kind != REF
            else UNKNOWN
        )

    def imported(self, node: ast.Call) -> Value:
        name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
        if not isinstance(name, str) or name.partition(".")[0] not in ENGINES | EMBER:
            return UNKNOWN
        if name.partition(".")[0] in ENGINES:
            self.report(node, "EM101", f"{name} is imported", "from ember_ml import ops, tensor")
        return Value(REF, name)

    def engine_call(self, node: ast.Call, path: str, args: list[Value]) -> Value:
        code, message, instead = classify(path, True, False)
        named = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        self.report(
            node.func,
            code,
            message,
            f"ops.{DTYPES[str(named)]}"
            if path.endswith(".dtype") and named in NAMED_DTYPES
            else instead,
        )
        self.writes_out(node)
        kinds = {a.kind for a in args}
        return Value(LEFT) if kinds & {TENSOR, ARRAY, LEFT} else Value(ENGINE)

    def writes_out(self, node: ast.Call) -> None:
        for k in node.keywords:
            if k.arg == "out" and not is_none(k.value):
                self.report(
                    k.value,
                    "EM703",
                    "out= writes into an existing tensor",
                    "y = ops.f(...): results are new values, and their memory is reused",
                )

    def dtype_text(self, *given: ast.expr | None) -> None:
        for e in given:
            if isinstance(e, ast.Constant) and e.value in NAMED_DTYPES:
                self.report(
                    e, "EM504", f"dtype {e.value!r} is a string", f"ops.{DTYPES[str(e.value)]}"
                )

    def ember_call(
        self, node: ast.Call, path: str, name: str, args: list[Value], named: dict[str, Value]
    ) -> Value:
        self.writes_out(node)
        self.dtype_text(
            *node.args[1:2] if name in CASTS else (),
            *(k.value for k in node.keywords if k.arg == "dtype"),
        )
        first = args[0] if args else UNKNOWN
        text = dotted(node.args[0]) if node.args else ""
        if name == "item":
            return self.scalar(node, "item()", node.args[0] if node.args else node)
        if name in TO_ENGINE:
            return self.leaves(node, path)
        if name == "tolist":
            return Value(LEFT)
        if name in ("get_backend", "backend"):
            return Value(BACKEND)
        if name in ("size", "shape"):
            return Value(LENGTH, text)
        if name in CONSTRUCTORS:
            data = first if args else named.get("data", UNKNOWN)
            if data.kind == LEFT:
                self.report(
                    node,
                    "EM202",
                    "data left Ember above and comes back here",
                    "ops on the tensor itself: no copy, and the backend stays free",
                )
            return Value(TENSOR)
        if name in ("sum", "reduce_sum"):
            return Value(TENSOR, "|".join(names_in(*node.args[:1])))
        if name in ("divide", "div", "true_divide") and len(args) == 2:
            self.mean_by_hand(node, *args)
        if name in PLAIN_OPS:
            return PLAIN
        if name in OPAQUE:
            return UNKNOWN
        if name in SEVERAL:
            return Value(MANY)
        container = path.rpartition(".")[0].rpartition(".")[2]
        free = (
            container in OPS_MODULES
            and not name[:1].isupper()
            and not re.match(r"(get|set|is|to_dtype|from|auto|using|memory|synch)_?", name)
        )
        return Value(TENSOR) if name in OPS or free else UNKNOWN

    def builtin_call(self, node: ast.Call, name: str, args: list[Value]) -> Value:
        first = args[0] if args else UNKNOWN
        if name in SCALARS:
            if first.kind == TENSOR or first.kind == ARRAY and name != "bool":
                return self.scalar(node, name + "()", node.args[0])
            return first if first.kind == LENGTH else PLAIN
        if name == "len":
            return Value(LENGTH, dotted(node.args[0])) if node.args else PLAIN
        if name == "range":
            return Value(PLAIN.kind, "|".join(a.of for a in args if a.kind == LENGTH))
        if (
            name in ("hasattr", "getattr")
            and len(node.args) > 1
            and isinstance(node.args[1], ast.Constant)
        ):
            what = node.args[1].value
            # getattr(np, "mean").
            if first.kind == REF and name == "getattr" and isinstance(what, str):
                path = f"{first.of}.{what}"
                if path.partition(".")[0] in ENGINES:
                    self.report(node, *classify(path, False, False))
                return Value(REF, path)
            if what in PROBES and first.kind != REF:
                self.report(
                    node,
                    "EM503",
                    f"{name}(..., {what!r}) asks which library made a value",
                    "tensor.convert_to_tensor(x) takes whatever comes",
                )
            return UNKNOWN
        if name in WALKERS and node.args:
            walked = args[1:] if name in ("map", "filter") else args if len(args) == 1 else []
            if any(a.kind == TENSOR for a in walked):
                op = WALKERS[name]
                self.report(
                    node,
                    "EM402",
                    f"{name}() walks through a tensor element by element",
                    f"ops.{op}(...)" if op else "one op over the whole tensor",
                )
                return Value(TENSOR)
            return Value(LEFT) if any(a.kind == LEFT for a in walked) else UNKNOWN
        if name in ("list", "tuple", "reversed", "set") and first.kind in (LEFT, MANY):
            return first
        if name == "abs":
            return combine(first, first)
        return (
            PLAIN
            if name
            in (
                "list",
                "tuple",
                "dict",
                "set",
                "str",
                "repr",
                "round",
                "sorted",
                "input",
                "open",
                "id",
                "isinstance",
            )
            else UNKNOWN
        )

    def scalar(self, node: ast.Call, how: str, what: ast.expr) -> Value:
        if not self.showing:
            self.report(
                node,
                "EM301",
                f"{how} reads a number out of a tensor: all work before it runs now",
                f"keep the tensor ({brief(what)}); read values where they are shown",
            )
        return PLAIN

    def leaves(self, node: ast.Call, how: str) -> Value:
        self.report(
            node,
            "EM201",
            f"{how}() takes the data out of Ember",
            "ops on the tensor itself; np.asarray(x) belongs in an adapter",
        )
        return Value(LEFT)

    def method_call(
        self, node: ast.Call, base: Value, method: str, args: list[Value], named: dict[str, Value]
    ) -> Value:
        assert isinstance(node.func, ast.Attribute)
        receiver = node.func.value
        if base.kind == PLAIN.kind:
            if (
                method in ("append", "extend", "insert")
                and args
                and (name := dotted(receiver))
                and args[-1].kind in (LEFT, TENSOR, MANY)
            ):
                self.scope.set(name, Value(LEFT if args[-1].kind == LEFT else MANY))
            return UNKNOWN
        if method in TO_ENGINE and not (
            method == "to_numpy" and self.frames and base.kind in (PARAM, "")
        ):
            return self.leaves(node, "." + method)
        if method == "tolist":
            return Value(LEFT) if base.kind in (*TENSORS, PARAM, ENGINE, LEFT) else UNKNOWN
        if (
            method == "item"
            and not node.args
            and not node.keywords
            and (base.kind in TENSORS or base.kind in (PARAM, "") and self.relevant)
        ):
            return self.scalar(node, "item()", receiver)
        if method == "get_backend" or base.kind == BACKEND:
            return Value(BACKEND)
        if (
            method in ("cuda", "cpu", "mps", "xpu")
            and len(node.args) < 2
            or method == "to"
            and self.names_device(node)
        ):
            if node not in self.silent:
                self.report(
                    node,
                    "EM602",
                    f".{method}() is device code of one library",
                    'ops.to_device(x, "cuda"), on every backend that has one',
                )
            return base if base.kind in (*TENSORS, ENGINE, LEFT) else UNKNOWN
        marked = method.endswith("_") and not method.endswith("__") and method != "requires_grad_"
        if method in IN_PLACE or marked and base.kind == TENSOR:
            name = FILLED.get(method) or RENAMED.get(method[:-1], method[:-1])
            self.report(
                node,
                "EM702",
                f".{method}() changes a tensor in place",
                f"{brief(receiver)} = ops.{name}(...)"
                if name in OPS
                else "an op, which returns a new tensor",
            )
            return base
        if (
            method == "startswith"
            and isinstance(receiver, ast.Attribute)
            and receiver.attr == "__module__"
        ):
            if any(
                isinstance(a, ast.Constant) and str(a.value).partition(".")[0] in ENGINES
                for a in node.args
            ):
                self.report(
                    node,
                    "EM503",
                    "a type is told by its name",
                    "tensor.convert_to_tensor(x) takes whatever comes",
                )
            return PLAIN
        if base.kind == TENSOR:
            self.writes_out(node)
            self.dtype_text(
                *node.args[:1] if method in CASTS else (),
                *(k.value for k in node.keywords if k.arg == "dtype"),
            )
            if method == "sum":
                return Value(TENSOR, dotted(receiver))
            return (
                UNKNOWN
                if method in PLAIN_METHODS
                else Value(MANY)
                if method in SEVERAL
                else Value(TENSOR)
            )
        return base if base.kind in (ENGINE, LEFT, ARRAY) else UNKNOWN

    def names_device(self, node: ast.Call) -> bool:
        """Whether the arguments of .to() are a device: "cuda", device, self.device, device=..."""
        for e in [*node.args[:1], *(k.value for k in node.keywords if k.arg == "device")]:
            if (
                isinstance(e, ast.Constant)
                and isinstance(e.value, str)
                and re.fullmatch(r"(cuda|cpu|mps|gpu|xpu|tpu)(:\d+)?", e.value)
            ):
                return True
            if self.relevant and re.search(r"(^|[._])(device|dev)$", dotted(e)):
                return True
            path = self.ref(e.func if isinstance(e, ast.Call) else e)
            if path.partition(".")[0] in ENGINES and path.rpartition(".")[2] in DEVICE:
                return True
        return False


def allowed(text: str) -> dict[int, set[str]]:
    """Maps a line to the codes that its comment allows; an empty set allows all."""
    lines: dict[int, set[str]] = {}
    if "ember:" not in text:
        return lines
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and (
            m := re.search(r"#\s*ember:\s*allow\b(?:\[([^\]]*)\])?", token.string)
        ):
            lines[token.start[0]] = (
                set(re.split(r"[,\s]+", m[1].strip())) if m[1] is not None else set()
            )
    return lines


def check_source(text: str, path: str) -> list[Finding]:
    """All findings in the source of a module, in order; raises SyntaxError if it is not Python."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20000))
    try:
        found = Checker(text, path).found.values()
    except (RecursionError, MemoryError) as e:
        raise SyntaxError("too deeply nested to read") from e
    except ValueError as e:  # null bytes
        raise SyntaxError(str(e)) from e
    finally:
        sys.setrecursionlimit(limit)
    allow = allowed(text)
    return sorted(
        f for f in found if f.line not in allow or allow[f.line] and f.code not in allow[f.line]
    )


SKIPPED = frozenset(("build", "venv", "env", "site-packages", "node_modules", "__pycache__"))


def files_in(paths: Iterable[str], failed: Callable[[OSError], None]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, files in os.walk(path, onerror=failed):
            folders[:] = sorted(
                f
                for f in folders
                if f[0] != "."
                and f not in SKIPPED
                and not os.path.exists(os.path.join(folder, f, "pyvenv.cfg"))
            )
            yield from (
                p
                for f in sorted(files)
                if f.endswith(".py") and os.path.isfile(p := os.path.join(folder, f))
            )


def codes(text: str) -> tuple[str, ...]:
    given = tuple(c for c in text.split(",") if c)
    for c in given:
        if not any(rule.startswith(c) for rule in RULES):
            raise argparse.ArgumentTypeError(f"unknown rule {c!r}: see --list-rules")
    return given


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "ember lint",
        description="Finds code that leaves Ember and suggests replacements.",
        epilog="Exit code: 0 clean, 1 findings, 2 wrong usage or a file that cannot be read. "
        "`# ember: allow` or `# ember: allow[CODE]` on a line silences it.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, and folders that are searched for .py files",
    )
    parser.add_argument("--json", action="store_true", help="the findings as a JSON list")
    parser.add_argument(
        "--select",
        type=codes,
        default=(),
        metavar="CODE,...",
        help="only these rules (EM1 means all EM1xx)",
    )
    parser.add_argument(
        "--ignore", type=codes, default=(), metavar="CODE,...", help="all rules but these"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="one line per finding, no cures, no summary"
    )
    parser.add_argument("--list-rules", action="store_true", help="show the rules and stop")
    try:
        options = parser.parse_args(argv)
        if not options.paths and not options.list_rules:
            parser.error("no files or folders given")
    except SystemExit as e:
        return int(e.code or 0)
    if options.list_rules:
        print("\n".join(f"{code}  {title}" for code, title in RULES.items()))
        return 0
    found: list[Finding] = []
    failed: list[Exception] = []

    def fail(e: Exception, path: str = "", line: int | None = 1, column: int | None = 1) -> None:
        failed.append(e)
        why = getattr(e, "strerror", None) or getattr(e, "msg", None) or e
        print(
            f"{path or getattr(e, 'filename', '')}:{line or 1}:{column or 1}: error: {why}",
            file=sys.stderr,
        )

    count = 0
    for path in dict.fromkeys(files_in(options.paths, fail)):
        count += 1
        try:
            with tokenize.open(path) as file:  # decodes as Python does
                found += check_source(file.read(), path)
        except SyntaxError as e:
            fail(e, path, e.lineno, e.offset)
        except (OSError, UnicodeError) as e:
            fail(e, path)
    found = [
        f
        for f in found
        if f.code.startswith(options.select or "EM") and not f.code.startswith(options.ignore)
    ]
    if options.json:
        print(json.dumps([asdict(f) for f in found], indent=2))
    else:
        for f in found:
            print(f if options.quiet else f"{f}\n    instead: {f.instead}")
        if not options.quiet:
            touched = len({f.path for f in found})
            print(
                f"{len(found)} finding{'s' * (len(found) != 1)} in {touched} of {count} file{'s' * (count != 1)}"
                + (f", {len(failed)} could not be read" if failed else "")
            )
    return 2 if failed else 1 if found else 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `ember lint . | head`
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape")  # file names may contain any bytes
    sys.exit(main())
