"""Writes the stubs of ember_ml (.pyi), from the rows and from what the modules hold when they are
imported.

`make generate` runs it. With a folder as argument it writes there instead of into python/ember_ml.

The extension has a stub (_core), and so has every module that gets names without an
assignment that a type checker sees; the others are typed themselves.
"""

from __future__ import annotations

import ast
import importlib
import keyword
import pathlib
import re
import sys
import textwrap
import types
from collections.abc import Iterable
from typing import Any

from ember_ml import _core
from ember_ml._aliases import MODULES as ALIASES, target
from stubs_core import (
    FIRST,
    ROWS,
    Function,
    InFull,
    core_stub,
    op_stub,
    submodule_stub,
    submodules,
    unparsed,
)

SOURCE = pathlib.Path(__file__).parents[2] / "python" / "ember_ml"
HEAD = """import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors"""


def assigned(tree: ast.Module) -> set[str]:
    """Names that a type checker sees at the top of a module."""
    names: set[str] = set()

    def walk(body: list[ast.stmt]) -> None:
        for node in body:
            match node:
                case (
                    ast.FunctionDef(name=name)
                    | ast.ClassDef(name=name)
                    | ast.AsyncFunctionDef(name=name)
                ):
                    names.add(name)
                    continue
                case ast.Import(names=found) | ast.ImportFrom(names=found):
                    names.update((a.asname or a.name).partition(".")[0] for a in found)
                case ast.Assign(targets=targets):
                    names.update(
                        n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)
                    )
                case ast.AnnAssign(target=target) | ast.For(target=target):
                    names.update(n.id for n in ast.walk(target) if isinstance(n, ast.Name))
            for field in ("body", "orelse", "finalbody"):
                walk(getattr(node, field, []))

    walk(tree.body)
    return names


class Bodiless(ast.NodeTransformer):
    """Definitions without their bodies, but with their docstrings."""

    def __init__(self, hidden: Iterable[str]) -> None:
        self.in_full = InFull(hidden)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        told = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        node.body = node.body[:1] if told else [ast.Expr(ast.Constant(...))]
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg) and argument.annotation:
                argument.annotation = self.in_full.visit(argument.annotation)
        node.returns = node.returns and self.in_full.visit(node.returns)
        return node


def origin(module: str, name: str, value: Any) -> tuple[str, str] | None:
    """Where a stub can import a value from: (module, name there), or None if it is written out.

    Searched: ember_ml.ops for ops; else the extension and its submodules, then the module that
    value.__module__ names. The module that the stub describes does not count.
    """
    if isinstance(value, types.ModuleType):
        package, _, last = value.__name__.rpartition(".")
        return (package, last) if package else None
    claimed = getattr(value, "__module__", None)
    if (
        not isinstance(value, (type, types.FunctionType, Function))
        and type(value).__name__ != "nb_func"
    ):
        return None
    places = (
        [_core, *submodules()]
        if not (isinstance(value, Function) and value.family)
        else [importlib.import_module("ember_ml.ops")]
    )
    if isinstance(claimed, str) and claimed != "ember_ml":  # the package itself only re-exports
        places.append(importlib.import_module(claimed))
    for place in places:
        there = {} if place.__name__ == module else vars(place)
        found = next((n for n in [name, *there] if there.get(n) is value), None)
        if found:
            return place.__name__, found
    return None


def value_stub(name: str, value: Any) -> str:
    if isinstance(value, Function):
        return op_stub(
            name, value, ROWS[next(key for key, f in _core.functions.items() if f is value)]
        )
    if isinstance(value, _core.DType):
        return f"{name}: DType"
    kind = type(value).__name__ if type(value).__module__ == "builtins" else ""
    of = {
        "list": "[Any]",
        "dict": "[Any, Any]",
        "tuple": "[Any, ...]",
        "set": "[Any]",
        "frozenset": "[Any]",
    }.get(kind, "")
    return f"{name}: " + ("None" if value is None else f"builtins.{kind}{of}" if kind else "Any")


def wrapped(text: str) -> str:
    return "\n    ".join(textwrap.wrap(text, 140, break_long_words=False, break_on_hyphens=False))


def callable_stub(module: types.ModuleType, methods: ast.ClassDef) -> list[str]:
    """A module that can be called, as a class: calling it makes a tensor, its types are types of
    the class, its functions those of the metaclass. Tensors derive from it, as mypy asks of what
    __new__ gives."""
    own = [
        ast.unparse(Bodiless(module.__all__).visit(n))
        for n in methods.body
        if isinstance(n, ast.FunctionDef)
    ]
    own = [
        re.sub(r"\bEmberTensor\b", "_EmberTensor_", text).replace(
            "def __call__(self,", "def __new__(cls,"
        )
        for text in own
    ]
    kinds: list[str] = []
    parts: list[str] = []
    places: set[str] = set()
    for name in module.__all__:
        value = vars(module)[name]
        there = origin("", name, value)
        if not there:
            parts.append(re.sub(r"\bDType\b", "_DType_", value_stub(name, value)))
        elif (
            isinstance(value, Function)
            and value.family
            and "@overload" in (text := op_stub(name, value, ROWS[there[1]]))
        ):
            parts.append(
                re.sub(
                    r"\bEmberTensor\b",
                    "_EmberTensor_",
                    text.replace("@overload", "@staticmethod\n@overload"),
                )
            )
        elif there[0] == "builtins":
            parts.append(f"{name} = builtins.{there[1]}")
        else:
            places.add(there[0])
            where = f"_{there[0].rpartition('.')[2]}_.{there[1]}"
            if isinstance(value, type):
                kinds.append(f"{name}: TypeAlias = {where}")
            else:
                parts.append(f"{name} = staticmethod({where})")

    def indented(texts: list[str]) -> list[str]:
        return [f"    {line}" for text in texts for line in text.splitlines()]

    return [
        "from typing import TypeAlias",
        "from ember_ml._core import DType as _DType_, EmberTensor as _EmberTensor_",
        *(f"import {place} as _{place.rpartition('.')[2]}_" for place in sorted(places)),
        f"class {methods.name}Functions(type):",
        *indented(parts),
        f"class {methods.name}(metaclass={methods.name}Functions):",
        *indented([*own, *kinds]),
    ]


def module_stub(
    module: types.ModuleType, tree: ast.Module, package: bool, below: list[str]
) -> str | None:
    """The stub of a module that has names of which its source says nothing, else None.

    below: its public submodules.
    """
    values = {
        n: v for n, v in vars(module).items() if n.isidentifier() and not keyword.iskeyword(n)
    }
    seen = assigned(tree)
    hidden = [
        n for n in values if n not in seen and n not in below and not re.fullmatch("__.*__", n)
    ]
    if not hidden:
        return None
    parts = [FIRST, HEAD]
    imports: dict[str, list[str]] = {}
    if module.__name__ == "ember_ml.ops":
        imports["ember_ml._core"] = sorted(
            {f"{row['name']}_result" for row in ROWS.values() if row["results"]}
        )
    bodiless = Bodiless(values)
    written: set[str] = set(below)
    texts = []
    for node in tree.body:
        match node:
            case ast.ImportFrom(module="__future__"):
                written.add("annotations")
            case ast.Import():
                parts.append(ast.unparse(node))
                written.update(a.asname or a.name for a in node.names)
            case ast.ImportFrom() if node.names[0].name != "*":
                parents = (
                    module.__name__.split(".")[
                        : len(module.__name__.split(".")) - node.level + package
                    ]
                    if node.level
                    else []
                )
                place = ".".join([*parents, node.module] if node.module else parents)
                imports.setdefault(place, []).extend(
                    f"{a.name} as {a.asname or a.name}"
                    for a in node.names
                    if (a.asname or a.name) not in below
                )
                written.update(a.asname or a.name for a in node.names)
            case ast.ClassDef(name=name) if type(module).__name__ == name:
                texts += callable_stub(module, node)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if not name.startswith("_"):
                texts.append(unparsed(bodiless.visit(node)))
                written.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                texts.append(f"{name}: {ast.unparse(bodiless.in_full.visit(node.annotation))}")
                written.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if (
                other in written
            ):
                texts.append(f"{name} = {other}")
                written.add(name)
    for name, value in values.items():
        if name in written or (
            name.startswith("_") and name not in ("__version__", "__array_api_version__")
        ):
            continue
        there = origin(module.__name__, name, value)
        if there:
            imports.setdefault(there[0], []).append(f"{there[1]} as {name}")
        else:
            texts.append(value_stub(name, value))
    for name in below:
        real = importlib.import_module(f"{module.__name__}.{name}")
        if callable(real):
            imports.setdefault(real.__name__, []).append(f"{type(real).__name__} as _{name}_")
            texts.append(f"{name} = _{name}_")
        else:
            imports.setdefault(module.__name__, []).append(f"{name} as {name}")
    parts += [
        wrapped(f"from {place} import ({', '.join(names)})")
        for place, names in imports.items()
        if names
    ]
    parts += texts
    if "__all__" in values:
        parts.append(
            wrapped(f"__all__: list[str] = {sorted(set(values['__all__']) - {'annotations'})!r}")
        )
    return "\n".join(parts) + "\n"


def stubs() -> dict[str, str]:
    """Every stub: its path under ember_ml, and its text."""
    texts = {"_core/__init__.pyi": core_stub()}
    core = [m.__name__ for m in submodules()]
    for module in submodules():
        place = module.__name__.removeprefix("ember_ml.").replace(".", "/")
        texts[
            place
            + (
                "/__init__.pyi"
                if any(n.startswith(module.__name__ + ".") for n in core)
                else ".pyi"
            )
        ] = submodule_stub(module)
    files = {
        ".".join(("ember_ml", *p.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): p
        for p in sorted(SOURCE.rglob("*.py"))
        if p.name != "__main__.py"
    }
    packages = {n for n, p in files.items() if p.name == "__init__.py"}
    aliases = {
        n for n in ALIASES if n.rpartition(".")[0] in packages | set(ALIASES) and n not in files
    }
    aliases = {n for n in aliases if all(p in packages or p in aliases for p in parents(n))}
    for name in aliases:  # aliases in a second module
        folder = any(a.startswith(name + ".") for a in aliases)
        texts["/".join(name.split(".")[1:]) + ("/__init__.pyi" if folder else ".pyi")] = (
            f"{FIRST}from {target(name)} import *\n"
        )
    modules = {name: importlib.import_module(name) for name in files}
    for name, path in files.items():
        below = sorted(
            n.rpartition(".")[2] for n in {*files, *aliases} if n.rpartition(".")[0] == name
        )
        text = module_stub(
            modules[name],
            ast.parse(path.read_text()),
            name in packages,
            [b for b in below if not b.startswith("_")],
        )
        if text:
            texts[str(path.relative_to(SOURCE).with_suffix(".pyi"))] = text
    return texts


def parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(1, len(parts))]


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    texts = stubs()
    for old in folder.rglob("*.pyi"):
        if old.read_text().startswith(FIRST):
            old.unlink()
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


if __name__ == "__main__":
    main()
