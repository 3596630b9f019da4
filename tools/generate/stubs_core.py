"""The stubs of the extension `ember_ml._core` and of its ops, for tools/generate/stubs.py."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import types
from collections.abc import Iterable
from typing import Any

from nanobind.stubgen import StubGen  # type: ignore[import-untyped]

from ember_ml import _core

FIRST = "# Written by tools/generate/stubs.py: run `make generate`.\n"
EmberTensor: Any = _core.EmberTensor
Function: Any = type(_core.functions["abs"])
ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in _core.rows()}
ROWS |= {alias: ROWS[target] for alias, target in _core.aliases().items() if target in ROWS}

# Python types of ops' arguments and results, by the rows' types.
TAKEN = {
    "Tensor": "ArrayLike",
    "Tensors": "Tensors",
    "DType": "DTypeLike",
    "bool": "builtins.bool",
    "int": "SupportsIndex",
    "Ints": "Ints",
    "Axes": "Ints",
    "float": "Number",
    "Floats": "Sequence[Number]",
    "str": "builtins.str",
    "Strs": "Sequence[builtins.str]",
    "Shapes": "Ints",
    "Any": "Any",
}
GIVEN = {
    "Tensor": "EmberTensor",
    "Tensors": "builtins.tuple[EmberTensor, ...]",
    "DType": "DType",
    "bool": "builtins.bool",
    "int": "builtins.int",
    "Ints": "builtins.tuple[builtins.int, ...]",
    "str": "builtins.str",
    "Any": "Any",
}
EXTRAS = {"device": "builtins.str | None", "seed": "builtins.int | None"}

HEAD = '''
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from types import EllipsisType, ModuleType
from typing import Any, ClassVar, NamedTuple, Protocol, Self, SupportsFloat, SupportsIndex, TypeAlias, overload

from typing_extensions import Buffer

from ember_ml._compat.methods import Size
from ember_ml.tensor import _Tensor

__version__: builtins.str

class _HasArray(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

class _HasDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

class _HasItemsize(Protocol):  # the dtypes of NumPy and torch
    @property
    def itemsize(self) -> builtins.int: ...

class _HasSize(Protocol):  # those of MLX
    @property
    def size(self) -> builtins.int: ...

ArrayLike: TypeAlias = EmberTensor | builtins.complex | list[Any] | builtins.tuple[Any, ...] | range | Buffer | _HasArray | _HasDLPack
DTypeLike: TypeAlias = DType | builtins.str | builtins.type[Any] | _HasItemsize | _HasSize | Callable[[], Any]
Tensors: TypeAlias = EmberTensor | Sequence[ArrayLike]
Number: TypeAlias = SupportsFloat | SupportsIndex
Ints: TypeAlias = EmberTensor | SupportsIndex | Sequence[SupportsIndex | Sequence[SupportsIndex]]
Index: TypeAlias = SupportsIndex | builtins.slice | EllipsisType | list[Any] | builtins.tuple[Any, ...] | _HasDLPack | _HasArray | None

class Function:
    """An op whose name is known at run time only; most give a tensor. `ops` has all of them with their types."""

    __name__: builtins.str
    family: builtins.str
    def __call__(self, *args: Any, **kwargs: Any) -> EmberTensor: ...

functions: builtins.dict[builtins.str, Function]
'''

# Signatures of special methods.
SPECIAL = {
    **dict.fromkeys(
        "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge".split(),
        "(self, other: ArrayLike, /) -> EmberTensor",
    ),
    "divmod": "(self, other: ArrayLike, /) -> builtins.tuple[EmberTensor, EmberTensor]",
    **dict.fromkeys("neg pos abs invert".split(), "(self) -> EmberTensor"),
    "bool": "(self) -> builtins.bool",
    "int": "(self) -> builtins.int",
    "float": "(self) -> builtins.float",
    "index": "(self) -> builtins.int",
    "complex": "(self) -> builtins.complex",
    "len": "(self) -> builtins.int",
    "iter": "(self) -> Iterator[EmberTensor]",
    "contains": "(self, value: object, /) -> builtins.bool",
    "getitem": "(self, key: Index, /) -> EmberTensor",
    "setitem": "(self, key: Index, value: ArrayLike, /) -> None",
    "format": "(self, how: builtins.str, /) -> builtins.str",
    "copy": "(self) -> Self",
    "deepcopy": "(self, memo: Any, /) -> Self",
    "array": "(self, dtype: Any = None, copy: builtins.bool | None = None) -> Any",
}
# More precise types than nanobind's, where C++ accepts or returns a plain object.
MEMBERS = {
    "parameters": "Parameter",
    "buffers": "EmberTensor",
    "modules": "Module",
    "children": "Module",
}
RESULTS = {
    "get_activation": "Callable[..., EmberTensor]",
    "asarray": "EmberTensor",
    "convert_to_tensor": "EmberTensor",
    "auto_select_backend": "tuple[str, str]",
    "backend_info": "list[dict[str, Any]]",
    "get_random_state": "tuple[int, int]",
    "EmberTensor.__dlpack_device__": "tuple[int, int]",
    "EmberTensor.eval": "Self",
    "EmberTensor.tobytes": "bytes",
    "Module.state_dict": "dict[str, EmberTensor]",
    "Module.get_config": "dict[str, Any]",
    "Module.prepare_to_load": "None",
    "Module.trainable_variables": "list[Parameter]",
    **{
        f"Module.{n}": "Self"
        for n in "apply train eval freeze requires_grad_ to half float double bfloat16".split()
    },
    **{f"Module.{n}": f"Iterator[{t}]" for n, t in MEMBERS.items()},
    **{f"Module.named_{n}": f"Iterator[tuple[str, {t}]]" for n, t in MEMBERS.items()},
}
PARAMETERS = {
    "dtype": "DTypeLike",
    "path": "str | PathLike[str]",
    "asarray.obj": "ArrayLike",
    "save.obj": "ArrayLike | Mapping[str, ArrayLike]",
    "data": "ArrayLike",
    "from_dlpack.x": "_HasDLPack",
    "__init__.type": "DTypeLike | EmberTensor",
}


def docstring(text: str | None) -> str:
    """The first paragraph, as the body of a definition."""
    first = (
        (text or "").strip().split("\n\n")[0].replace("\\", "\\\\").replace('"""', "'''").strip()
    )
    return f'\n    """{first}"""' if first else " ..."


def unparsed(node: ast.AST) -> str:
    return re.sub(r":\n\s+\.\.\.(?=\n|$)", ": ...", ast.unparse(node))


# ---- Ops ----
def argument_type(kind: str, default: object) -> str:
    text = TAKEN[kind.removesuffix("?")]
    return text + " | None" if kind.endswith("?") or default is None else text


def op_stub(name: str, function: Any, row: dict[str, Any], method: bool = False) -> str:
    """The definition of an op. As a method, the tensor is self."""
    kinds = {field: kind for field, kind, *_ in row["args"]}
    parts: list[str] = []
    shown = list(inspect.signature(function).parameters.values())
    for place, p in enumerate(shown):
        if method and place == 0:
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and not any(x.startswith("*") for x in parts):
            parts.append("*")
        kind = kinds.get(p.name, "")
        if p.kind is p.VAR_POSITIONAL:
            # A list may be given as several arguments.
            parts.append(f"*{p.name}: " + {"Tensors": "ArrayLike | Tensors"}.get(kind, TAKEN[kind]))
        else:
            default = "" if p.default is p.empty else f" = {p.default!r}"
            parts.append(
                f"{p.name}: {argument_type(kind, p.default) if kind else EXTRAS[p.name]}{default}"
            )
    result = f"{row['name']}_result" if row["results"] else GIVEN[row["result"]]

    def define(parts: list[str]) -> str:
        return f"def {name}({', '.join(parts)}) -> {result}:"

    for i, (field, kind, _, variadic) in enumerate(row["args"]):
        last = i + 1 == len(row["args"]) or (
            field == "shape" and row["args"][i + 1][1] in ("bool", "bool?")
        )
        at = i + (shown[0].name == "self")  # of a method that makes a tensor
        # x.reshape(2, 3).
        if (
            last
            and kind in ("Ints", "Ints?")
            and not variadic
            and all(" = " not in p for p in parts[:at])
        ):
            several = [*parts[:at], f"*{field}: SupportsIndex", *parts[at + 1 :]]
            return f"@overload\n{define(parts)}{docstring(row['doc'])}\n@overload\n{define([p for p in several if p != '*'])} ..."
    return define(parts) + docstring(row["doc"])


def results_stub() -> str:
    named = {
        row["name"]: "".join(f"    {field}: EmberTensor\n" for field in row["results"])
        for row in ROWS.values()
        if row["results"]
    }
    return "\n".join(
        f"class {name}_result(NamedTuple):\n{fields}" for name, fields in named.items()
    )


# ---- nanobind's signatures ----
def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class InFull(ast.NodeTransformer):
    """Builtins that a module or class shadows are written builtins.name."""

    def __init__(self, hidden: Iterable[str]) -> None:
        self.hidden = set(hidden) & set(vars(builtins))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return expression(f"builtins.{node.id}") if node.id in self.hidden else node


class Precise(ast.NodeTransformer):
    """Corrects nanobind's definitions to the types that are really accepted and returned."""

    def __init__(
        self, module: types.ModuleType = _core, hidden: Iterable[str] = (), owner: str = ""
    ) -> None:
        self.module = module
        self.in_full = InFull([*vars(module), *hidden])
        self.owner = owner
        self.taking = False
        self.imports: set[str] = set()

    def annotation(self, node: ast.expr, taking: bool) -> Any:
        self.taking = taking
        return self.in_full.visit(self.visit(node))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        plain = {
            "dict": "dict[str, Any]",
            "list": "list[Any]",
            "tuple": "tuple[Any, ...]",
            "Callable": "Callable[..., Any]",
            "Iterator": "Iterator[Any]",
            "Iterable": "Iterable[Any]",
            "Sequence": "Sequence[Any]",
            "Mapping": "Mapping[str, Any]",
        }
        better = (
            {"EmberTensor": "ArrayLike", "DType": "DTypeLike"} if self.taking else {"object": "Any"}
        )
        return expression((plain | better).get(node.id, node.id))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return ast.Subscript(self.without_module(node.value), self.visit(node.slice))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        name = self.without_module(node)
        return self.visit_Name(name) if isinstance(name, ast.Name) else name

    def without_module(self, node: ast.expr) -> ast.expr:
        """Removes the module; names of other submodules are imported."""
        place, _, name = ast.unparse(node).rpartition(".")
        if place.startswith("ember_ml"):
            home = next(
                (
                    m
                    for m in submodules()
                    if vars(m).get(name) and vars(m)[name].__module__ == place
                ),
                None,
            )
            if home and home is not self.module:
                self.imports.add(f"from {home.__name__} import {name}")
        elif place == "webnn":  # the package, whose classes are in _core.webnn
            if name not in vars(self.module):
                self.imports.add(f"from webnn import {name}")
        elif place not in ("", "collections.abc", "types", "typing", "os"):
            return node
        return ast.Name(name)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        inner = Precise(
            self.module, {n.name for n in node.body if isinstance(n, ast.FunctionDef)}, node.name
        )
        inner.imports = self.imports
        node.bases = [self.without_module(b) for b in node.bases]
        node.body = [inner.visit(n) for n in node.body]
        members = vars(vars(self.module)[node.name])
        # A constructor that parses its own arguments.
        if getattr(vars(self.module)[node.name], "__text_signature__", None):
            node.body += ast.parse(constructor_stub(vars(self.module)[node.name])).body
        # A module: forward depends on the subclass, attributes are dynamic.
        if isinstance(members.get("__call__"), types.WrapperDescriptorType):
            node.body = [
                n for n in node.body if not (isinstance(n, ast.FunctionDef) and n.name == "forward")
            ]
            node.body += ast.parse(
                "forward: Callable[..., Any]\ndef __call__(self, *args: Any, **kwargs: Any) -> Any: ...\n"
                "def __getattr__(self, name: str) -> Any: ...\ndef __setattr__(self, name: str, value: Any) -> None: ..."
            ).body
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        a = node.args
        for argument in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg):
            if argument is None or argument.arg in ("self", "cls"):
                continue
            text = ast.unparse(argument.annotation) if argument.annotation else "Any"
            known = PARAMETERS.get(f"{node.name}.{argument.arg}") or PARAMETERS.get(argument.arg)
            if known and text in ("object", "object | None"):
                argument.annotation = self.in_full.visit(expression(text.replace("object", known)))
            else:
                argument.annotation = self.annotation(expression(text), True)
        known = RESULTS.get(f"{self.owner}.{node.name}".lstrip("."))
        node.returns = (
            self.in_full.visit(expression(known))
            if known
            else self.annotation(node.returns or expression("None"), False)
        )
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.annotation = self.annotation(node.annotation, False)
        return node


def constructor_stub(cls: Any) -> str:
    """The signature that Python shows, with types from its defaults."""
    parts = ["self"]
    for p in inspect.signature(cls).parameters.values():
        kind = type(p.default).__name__ if isinstance(p.default, (bool, float, str)) else "Any"
        default = (
            ""
            if p.default is p.empty
            else f" = {p.default!r}"
            if isinstance(p.default, (int, float, str, tuple, type(None)))
            else " = ..."
        )
        if p.kind is p.KEYWORD_ONLY and not any(x.startswith("*") for x in parts):
            parts.append("*")
        parts.append(str(p).partition(":")[0].partition("=")[0] + f": {kind}{default}")
    return f"def __init__({', '.join(parts)}) -> None: ..."


def typed_stub(
    overloads: tuple[tuple[str, str | None, tuple[Any, ...] | None], ...],
    hidden: Iterable[str] = (),
    owner: str = "",
) -> str:
    """A function of the extension, from nanobind's signatures."""
    texts = []
    for text, doc, defaults in overloads:
        for i, value in enumerate(defaults or ()):
            text = text.replace(
                f"\\{i}", repr(value) if isinstance(value, (int, float, str, type(None))) else "..."
            )
        node = Precise(_core, hidden, owner).visit(ast.parse(f"{text}: ...").body[0])
        texts.append(unparsed(node).removesuffix(" ...") + docstring(doc))
    return "\n".join("@overload\n" + t for t in texts) if len(texts) > 1 else texts[0]


# ---- Types written in C ----
def special_stub(cls: Any, attribute: str, value: Any) -> str:
    """A special method, or nothing if Python's own declaration suffices."""
    tensor = issubclass(cls, EmberTensor)
    if attribute in ("__eq__", "__ne__"):
        return f"def {attribute}(self, other: object, /) -> " + (
            "EmberTensor: ...  # type: ignore[override]" if tensor else "builtins.bool: ..."
        )
    if attribute == "__hash__":
        return (
            "__hash__: ClassVar[None]  # type: ignore[assignment]"
            if value is None
            else "def __hash__(self) -> builtins.int: ..."
        )
    bare = attribute.strip("_")
    if not tensor:
        return ""
    if bare in SPECIAL:
        return f"def {attribute}{SPECIAL[bare]}: ..."
    if bare[1:] not in SPECIAL:
        return ""
    signature = SPECIAL[bare[1:]]  # reflected or in place
    return f"def {attribute}{signature if bare[0] == 'r' else signature.replace('-> EmberTensor', '-> Self')}: ..."


def property_stub(name: str, doc: str | None, sample: Any) -> str:
    """Typed by a sample value."""
    value = getattr(sample, name)
    if value is None:
        kind = "EmberTensor | None"
    elif isinstance(value, tuple):
        kind = "builtins.tuple[builtins.int, ...]"
    elif type(value).__module__.startswith("numpy"):
        kind = "Any"
    elif isinstance(value, int) and type(value).__name__ == "Size":
        kind = "Size"
    elif (
        type(value).__module__.startswith("ember_ml._")
        and type(value).__module__ != "ember_ml._core"
    ):
        kind = "Any"
    else:
        kind = ("builtins." if type(value).__module__ == "builtins" else "") + type(value).__name__
    text = f"@property\ndef {name}(self) -> {kind}:{docstring(doc)}"
    try:
        setattr(sample, name, value)
    except AttributeError:
        return text
    return f"{text}\n@{name}.setter\ndef {name}(self, value: {kind.replace('EmberTensor', 'ArrayLike')}) -> None: ..."


def method_stub(name: str, function: types.FunctionType, hidden: Iterable[str]) -> str:
    """A method that is written in Python; its annotations are strings."""
    parameters = list(inspect.signature(function).parameters.values())
    parameters[0] = parameters[0].replace(
        annotation=inspect.Parameter.empty, default=inspect.Parameter.empty
    )
    signature = inspect.signature(function).replace(parameters=parameters)
    node = ast.parse(f"def {name}{str(signature).replace(chr(39), '')}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    in_full = InFull(hidden)
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg) and argument.annotation:
            argument.annotation = in_full.visit(argument.annotation)
    node.returns = node.returns and in_full.visit(node.returns)
    return unparsed(node).removesuffix(" ...") + docstring(function.__doc__)


def type_stub(name: str, sample: Any, constructor: str) -> str:
    cls = getattr(_core, name)
    base = (
        "(_Tensor)" if cls is EmberTensor else f"({cls.__base__.__name__})"
    )  # mypy calls tensor(...) a constructor; it returns a tensor
    parts = [f'"""{cls.__doc__}"""', constructor]
    for attribute, value in vars(cls).items():
        special = special_stub(cls, attribute, value) if re.fullmatch("__.*__", attribute) else ""
        if special:
            parts.append(special)
        elif isinstance(value, Function) and hasattr(value, "__nb_signature__"):
            parts.append(typed_stub(value.__nb_signature__, vars(cls), name))
        elif isinstance(value, Function):
            parts.append(op_stub(attribute, value, ROWS[attribute], method=True))
        elif isinstance(value, types.GetSetDescriptorType | property):
            parts.append(property_stub(attribute, value.__doc__, sample))
        elif isinstance(value, types.FunctionType) and not attribute.startswith("__"):
            parts.append(method_stub(attribute, value, vars(cls)))
    if cls is EmberTensor:
        parts.append("def __buffer__(self, flags: builtins.int, /) -> memoryview: ...")
    return (
        f"class {name}{base}:\n"
        + "\n".join("    " + line for part in parts for line in part.splitlines())
        + "\n"
    )


# ---- Modules ----
def submodules(module: types.ModuleType = _core) -> list[types.ModuleType]:
    below = [v for v in vars(module).values() if isinstance(v, types.ModuleType)]
    return below + [m for b in below for m in submodules(b)]


class Generator(StubGen):  # type: ignore[misc]
    """Classes whose __module__ is one of the package's, with methods that know nothing of that;
    what is Python's own is left out."""

    module: types.ModuleType

    def put(self, value: object, name: str | None = None, parent: object = None) -> None:
        """Class members that are written in Python and added by a module of the package are
        typed as Any."""
        if isinstance(value, property) and isinstance(value.fget, types.FunctionType):
            self.write_ln("@property")
            self.write_ln(f"def {name}(self) -> Any: ...")
        elif (
            type(value).__module__.startswith("ember_ml.")
            and hasattr(type(value), "__get__")
            and isinstance(parent, type)
        ):
            self.write_ln(f"{name}: Any")
        elif isinstance(value, types.FunctionType | classmethod) and isinstance(parent, type):
            if isinstance(value, classmethod):
                self.write_ln("@classmethod")
            self.write_ln(f"def {name}(self, *args: Any, **kwargs: Any) -> Any: ...")
        else:
            super().put(value, name, parent)

    def put_function(self, fn: Any, name: str | None = None, parent: object = None) -> None:
        if isinstance(fn, classmethod):  # from_config, the only one
            for line in (
                "@classmethod",
                f"def {name}(cls, config: Mapping[str, Any]) -> Self:",
                '    """A module made of what get_config gave."""',
            ):
                self.write_ln(line)
        elif not isinstance(fn, types.WrapperDescriptorType):
            here, self.module = self.module, types.ModuleType(getattr(fn, "__module__", None) or "")
            super().put_function(fn, name, parent)
            self.module = here

    def put_value(
        self, value: object, name: str, parent: object = None, abbrev: bool = True
    ) -> None:
        if not isinstance(value, types.MethodDescriptorType):
            super().put_value(value, name, parent, abbrev)


def nanobind_stub(module: types.ModuleType, names: Iterable[str]) -> tuple[str, set[str]]:
    """Classes and functions of nanobind's, and the imports that they need."""
    precise, text = Precise(module), ""
    for name in names:
        value = vars(module)[name]
        if type(value).__name__.startswith("nb_"):
            seen = types.ModuleType(value.__module__)  # possibly a module of the package
            vars(seen)[name] = value
            generator = Generator(seen, include_private=True)
            generator.put(value, name, seen)
            text += generator.output
    return unparsed(precise.visit(ast.parse(text))), precise.imports


def core_stub() -> str:
    names = vars(_core)
    parts = [FIRST, HEAD]
    for name, error in names.items():
        if isinstance(error, type) and issubclass(error, Exception):
            bases = [
                b.__name__ if b.__module__ == "ember_ml.errors" else f"builtins.{b.__name__}"
                for b in error.__bases__
            ]
            parts.append(f"class {name}({', '.join(bases)}): ...\n")
    parts.append(
        type_stub(
            "DType",
            _core.float32,
            "def __new__(cls, dtype: DTypeLike) -> DType: ...\n"
            "def __call__(self, data: ArrayLike = 0, /) -> EmberTensor: ...",
        )
    )
    parts.append(
        type_stub(
            "EmberTensor",
            EmberTensor([[1.0]]),
            "def __init__(self, data: ArrayLike | None = None, *, dtype: DTypeLike | None = None, device: builtins.str | None = None, "
            "requires_grad: builtins.bool = False) -> None: ...",
        )
    )
    parts.append(
        type_stub(
            "Parameter",
            _core.Parameter([1.0]),
            "def __init__(self, data: ArrayLike, requires_grad: builtins.bool = True) -> None: ...",
        )
    )
    parts.append(results_stub())
    parts += [f"{name}: DType" for name, value in names.items() if isinstance(value, _core.DType)]
    parts += [
        typed_stub(value.__nb_signature__)
        for value in names.values()
        if hasattr(value, "__nb_signature__")
    ]
    text, imports = nanobind_stub(_core, names)
    parts += [*sorted(imports), text]
    parts += [
        f"from ember_ml._core import {n} as {n}"
        for n, v in names.items()
        if isinstance(v, types.ModuleType)
    ]
    return "\n".join(parts) + "\n"


def submodule_stub(module: types.ModuleType) -> str:
    names = vars(module)
    text, imports = nanobind_stub(module, names)
    head = [
        "import builtins",
        "from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence",
        "from os import PathLike",
        "from types import ModuleType",
        "from typing import Any, Self, overload",
        "",
        "from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter",
    ]
    below = [
        f"from {module.__name__} import {n} as {n}"
        for n, v in names.items()
        if isinstance(v, types.ModuleType)
    ]
    public = [f"__all__: list[str] = {list(names['__all__'])!r}\n"] if "__all__" in names else []
    return FIRST + "\n".join([*head, *sorted(imports), *below, "", text, *public])
