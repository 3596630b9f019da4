"""Writes python/ember_ml/_examples.py: an example for the docstring of every op, from its parity
cases.

`make generate` runs it. With a path as argument it writes there instead. Of an op's cases the one
that reads best is taken, its arrays made small and their numbers short; the native engine computes
it, and where the case has a reference, the reference must agree. Examples that hold are kept;
--anew makes all.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import io
import itertools
import math
import pathlib
import re
import sys
import zlib
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "parity"))

import harness  # noqa: E402
import numpy as np  # noqa: E402

import ember_ml  # noqa: E402
from ember_ml import _core, ops  # noqa: E402
from ember_ml._examples import EXAMPLES  # noqa: E402

TARGET = ROOT / "python" / "ember_ml" / "_examples.py"
WIDTH = 100
LARGE = 6  # elements per array
ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in _core.rows()}


# ---- Small arrays with short numbers ----
def arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, harness.A):
        yield value
    elif isinstance(value, (list, tuple)):
        for element in value:
            yield from arrays(element)


def draw_arrays(
    value: Any, sizes: dict[int, int], everywhere: bool, dtype: str, rng: np.random.Generator
) -> Any:
    """Draws the arrays, with the lengths of their axes replaced; everywhere: in other integers
    too."""
    if isinstance(value, harness.A):
        if everywhere and value.dtype and value.high in sizes:  # indices of an axis
            value = dataclasses.replace(value, high=sizes[int(value.high)])
        array = value.draw(rng, dtype)
        # A part of it, because the whole may be symmetric or a list of special values.
        if array.ndim:
            array = array[
                np.ix_(
                    *[
                        np.linspace(0, n - 1, sizes.get(n, n)).round().astype(int)
                        for n in array.shape
                    ]
                )
            ]
        if array.dtype.kind not in "fcV":
            return array
        # No -0.0.
        return (
            np.round(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64), 1)
            + 0.0
        )
    if isinstance(value, (list, tuple)):
        return [draw_arrays(element, sizes, everywhere, dtype, rng) for element in value]
    if isinstance(value, int) and not isinstance(value, bool) and (everywhere or value > 999):
        return sizes.get(value, min(value, 4))
    return value


# ---- Formatting ----
def literal(value: Any, dtype: bool) -> str:
    """dtype: gives arrays their dtype if a list would have another."""
    if isinstance(value, np.ndarray):
        text = re.sub(
            r"\b(nan|inf)\b", r"float('\1')", re.sub(r"\(([^()]*j)\)", r"\1", repr(value.tolist()))
        )
        name = value.dtype.name
        return (
            f"ops.asarray({text}, dtype={name!r})"
            if dtype and name not in ("float64", "int64", "bool", "complex128")
            else text
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(element, dtype) for element in value) + "]"
    return repr(value)


def statements(
    op: str, args: list[Any], kwargs: dict[str, Any], dtype: bool
) -> tuple[list[str], str]:
    """The lines that define arrays, and the call."""
    row = ROWS[op]
    names = [name for name, *_ in row["args"]]
    variadic = bool(row["args"]) and row["args"][0][3]
    given = list(args[0]) if variadic and len(args) == 1 and isinstance(args[0], list) else args
    takes = inspect.signature(_core.functions[op]).parameters
    texts = [literal(a, dtype) for a in given]
    texts += [
        f"{k}={literal(v, dtype)}"
        for k, v in kwargs.items()
        if k not in takes or literal(v, dtype) != repr(takes[k].default)
    ]
    if "seed" in takes and row["result"] == "Tensor":
        texts.append("seed=7")
    if op == "slice_update":  # ops.slice_update has the arguments of an index expression
        return [], f"ops.asarray({texts[0]}).{op}({', '.join(texts[1:])})"
    call = f"ops.{op}({', '.join(texts)})"
    if len(call) <= WIDTH - 10:
        return [], call
    before = []
    for i, text in enumerate(texts):
        name, equals, rest = text.partition("=") if i >= len(given) else ("", "", "")
        value = rest if equals else text
        if len(value) > 12:
            variable = name or (
                names[i] if not variadic and i < len(names) else f"{names[0][0]}{i}"
            )
            before.append(f"{variable} = {value}")
            texts[i] = f"{name}={variable}" if equals else variable
    return before, f"ops.{op}({', '.join(texts)})"


def run(lines: list[str], scope: dict[str, Any]) -> str:
    """The interpreter's output for these lines."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for line in lines:
            exec(compile(line, "<example>", "single"), scope)
    return out.getvalue()


def printing_lines(call: str, result: Any, names: list[str]) -> list[str]:
    """The lines that print a result, rounded where it has many digits."""

    def of(expression: str, tensors: list[Any]) -> str:
        inexact = any(ops.isdtype(t.dtype, ("real floating", "complex floating")) for t in tensors)
        long = inexact and any(
            len(number) > 7 for t in tensors for number in re.findall(r"[\d.]+", str(t))
        )
        return f"{expression}.round(3)" if long else expression

    if isinstance(result, ember_ml.EmberTensor):
        return [f"print({of(call, [result])})"]
    if (
        isinstance(result, tuple)
        and result
        and all(isinstance(r, ember_ml.EmberTensor) for r in result)
    ):
        if names:
            return [
                f"{', '.join(names)} = {call}",
                *(f"print({of(n, [r])})" for n, r in zip(names, result)),
            ]
        each = of("r", list(result))
        return [
            f"print(*{call}, sep='\\n')"
            if each == "r"
            else f"print(*[{each} for r in {call}], sep='\\n')"
        ]
    return [f"{call}.max" if isinstance(result, (ember_ml.finfo, ember_ml.iinfo)) else call]


# ---- Selection ----
def agrees(case: Any, args: list[Any], kwargs: dict[str, Any], result: Any) -> bool:
    """Whether the case's reference agrees. Cases that compare by themselves (decompositions,
    distributions) are trusted."""
    if case.check or case.ref is None:
        return True
    with np.errstate(all="ignore"):

        def widen(value: Any) -> Any:
            return harness.convert(value, harness.wide)

        want = case.ref(*map(widen, args), **{k: widen(v) for k, v in kwargs.items()})
    wants = list(want) if isinstance(want, (list, tuple)) else [want]
    gots = list(result) if isinstance(result, tuple) else [result]
    same = [
        np.shape(g) == np.shape(w) and np.allclose(np.asarray(g), w, 1e-4, 1e-4, equal_nan=True)
        for g, w in zip(gots, wants)
    ]
    return len(wants) == len(gots) and all(same)


def shape_cost(shape: tuple[int, ...]) -> float:
    """A measure of how hard an array is to read."""
    size = math.prod(shape)
    wide = 4 * shape.count(1) if len(shape) < 3 else 3 * sum(n > 1 for n in shape[:-2])
    return (
        8 * max(0, size - LARGE) + 3 * max(0, 4 - size) + 1.5 * len(shape) + 30 * (size == 0) + wide
    )


def sizes_of(shapes: list[tuple[int, ...]]) -> list[tuple[float, dict[int, int]]]:
    """Ways to shorten axes, with the resulting costs of the arrays."""
    lengths = sorted({n for shape in shapes for n in shape if n > 1}, reverse=True)[:5]
    ways = [
        dict(zip(lengths, way))
        for way in itertools.product(
            *[[n for n in (3, 2, 1, 4, 5, 6) if n < length] + [length] for length in lengths]
        )
    ]
    costs = [
        (sum(shape_cost(tuple(way.get(n, n) for n in shape)) for shape in shapes), i, way)
        for i, way in enumerate(ways)
    ]
    return [(price, way) for price, _, way in [*sorted(costs)[:60], costs[-1]]]


def value_cost(value: Any) -> float:
    if isinstance(value, np.ndarray):
        numbers, few = np.abs(value.astype(np.complex128)), len(np.unique(value))
        return (
            20 * (not np.isfinite(numbers).all())
            + 4 * (few < value.size)
            + 15 * (few == 1 < value.size)
            + 6 * float((numbers > 99).any())
        )
    if isinstance(value, list):
        alone = len(value) == 1 and isinstance(value[0], np.ndarray)
        return (
            2
            + sum(map(value_cost, value))
            + 6 * (not value or 0 in [e for e in value if isinstance(e, int)])
            + 8 * alone
        )
    return 4 if value is None else 2


def dull(args: list[Any], result: Any) -> bool:
    """Not instructive: empty, huge or tiny, constant, unchanged, not finite."""
    if (
        [] in [a for a in args if isinstance(a, list)]
        or any(isinstance(a, np.ndarray) for a in args)
        and not any(np.ndim(a) for a in args)
    ):
        return True
    for r in result if isinstance(result, tuple) else [result]:
        if isinstance(r, ember_ml.EmberTensor):
            a = np.asarray(r.astype("float32") if r.dtype in ("bfloat16", "float16") else r)
            size = np.abs(a.astype(np.complex128))
            if (
                a.size == 0
                or a.size > 3 * LARGE
                or not np.isfinite(size).all()
                or (a.ndim and len(np.unique(a)) == 1)
            ):
                return True
            if size.max() > 9999 or (0 < size[size > 0].min(initial=1) < 0.001):
                return True
            if any(
                isinstance(x, np.ndarray) and x.shape == a.shape and np.allclose(x, a) for x in args
            ):
                return True
    return False


def candidates(op: str) -> Iterator[list[tuple[float, Any, list[Any], dict[str, Any]]]]:
    """Cases of an op with random arrays, grouped by the arrays' sizes and sorted by cost."""
    first = ROWS[op]["args"][0][:2] if ROWS[op]["args"] else ("", "")
    plans: list[tuple[float, int, Any, str, dict[int, int], bool, int]] = []
    for place, case in enumerate([c for c in harness.CASES if c.op == op and c.dtypes][:60]):
        dtypes = [d for d in ("float32", "int64", "bool", "complex64") if d in case.dtypes] or [
            case.dtypes[0]
        ]
        shapes = [a.shape for a in arrays([case.args, list(case.kwargs.values())])]
        if first[1] == "Tensor" and not list(arrays(case.args)):
            continue
        for dtype, (price, lengths), everywhere, seed in itertools.product(
            dtypes, sizes_of(shapes), (False, True), range(3)
        ):
            price += (
                4 * len(case.kwargs)
                + 0.01 * place
                + 0.5 * everywhere
                + 0.3 * seed
                + 2 * dtypes.index(dtype)
            )
            plans.append((price, len(plans), case, dtype, lengths, everywhere, seed))
    plans.sort()
    for part in range(0, len(plans), 300):
        found = []
        for price, _, case, dtype, lengths, everywhere, seed in plans[part : part + 300]:
            rng = np.random.default_rng(zlib.crc32(op.encode()) + seed)
            args = draw_arrays(list(case.args), lengths, everywhere, dtype, rng)
            kwargs = {
                name: draw_arrays(v, lengths, everywhere, dtype, rng)
                for name, v in case.kwargs.items()
                if name != "dtype"
            }
            if seed == 2:  # smaller numbers
                args = [
                    np.round(a / 4, 1)
                    if isinstance(a, np.ndarray)
                    and a.dtype.kind == "f"
                    and np.abs(a).max(initial=0) > 3
                    else a
                    for a in args
                ]
            if first[0] == "shape" and ROWS[op]["family"] == "random":
                args[0] = [2, 3]
            found.append(
                (price + sum(map(value_cost, [*args, *kwargs.values()])), case, args, kwargs)
            )
        yield sorted(found, key=lambda f: f[0])


def written(
    case: Any, args: list[Any], kwargs: dict[str, Any], dtype: bool, choosy: bool
) -> str | None:
    """The example's text, if it runs and the reference agrees."""
    before, call = statements(case.op, args, kwargs, dtype)
    scope: dict[str, Any] = {"ops": ops}
    if case.op in ("dropout", "get_seed"):
        before.append("ops.seed(7)")
    try:
        run(before, scope)
        result = eval(call, scope)
        if (choosy and dull(args, result)) or not agrees(case, args, kwargs, result):
            return None
        lines = [
            "from ember_ml import ops",
            *before,
            *printing_lines(call, result, ROWS[case.op]["results"]),
        ]
        scope = {}
        outputs = [run([line], scope) for line in lines]
    except Exception:
        return None
    if choosy and re.search(r"\d\.\d{5}|\de[+-]\d", "".join(outputs)):
        return None
    text = "".join(f">>> {line}\n{output}" for line, output in zip(lines, outputs)).rstrip()
    return "\n\n" + re.sub(r"\n(?=\n)", "\n<BLANKLINE>", text)


def example(op: str) -> str | None:
    for choosy in (True, False):
        for part in candidates(op):
            best: list[tuple[float, str]] = []
            for price, case, args, kwargs in part:
                text = next(
                    (
                        t
                        for dtype in (False, True)
                        if (t := written(case, args, kwargs, dtype, choosy))
                    ),
                    None,
                )
                if text:
                    best.append(
                        (
                            price
                            + text.count("\n")
                            + 3 * text.count("<BLANKLINE>")
                            + 2 * text.count(" = "),
                            text,
                        )
                    )
                    if len(best) == 6:
                        break
            if best:
                return min(best)[1]
    return None


def holds(text: str) -> bool:
    """Whether an example still gives the output shown."""
    lines = re.findall(r"^>>> (.*)\n((?:(?!>>> ).*\n?)*)", text + "\n", re.M)
    scope: dict[str, Any] = {}
    try:
        return all(
            run([line], scope).rstrip() == shown.replace("<BLANKLINE>", "").rstrip()
            for line, shown in lines
        )
    except Exception:
        return False


def main() -> None:
    for path in sorted((ROOT / "tests" / "parity").glob("cases_*.py")):
        importlib.import_module(path.stem)
    ember_ml.set_backend("native")
    before = {} if "--anew" in sys.argv else EXAMPLES
    texts = {op: before[op] if op in before and holds(before[op]) else example(op) for op in ROWS}
    paths = [a for a in sys.argv[1:] if a != "--anew"]
    pathlib.Path(paths[0] if paths else TARGET).write_text(
        '"""Examples of the ops, shown in their docstrings. Written by tools/generate/examples.py: run `make generate`."""\n'
        "EXAMPLES: dict[str, str] = {\n"
        + "".join(f'    "{op}": r"""{text}""",\n' for op, text in texts.items() if text)
        + "}\n"
    )
    missing = [op for op, text in texts.items() if not text]
    if missing:
        sys.exit(f"no example for: {', '.join(missing)}")


if __name__ == "__main__":
    main()
