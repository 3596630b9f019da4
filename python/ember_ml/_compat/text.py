"""Tables of numbers in text files, in NumPy's form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .._core import EmberTensor, convert_to_tensor
from .._core import ValueError as EmberValueError
from . import op

Source = str | PathLike[str] | Sequence[str] | Any


def _lines(source: Source) -> list[str]:
    """The lines of a path, an open file, or a list of lines."""
    if isinstance(source, (str, PathLike)):
        return Path(source).read_text().splitlines()
    return [line.decode() if isinstance(line, bytes) else line for line in source]


def _rows(
    source: Source, delimiter: str | None, comments: str | None, skip: int, max_rows: int | None
) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of the lines that hold any."""
    found = 0
    for number, line in enumerate(_lines(source), 1):
        if number <= skip:
            continue
        if comments:
            line = line.split(comments, 1)[0]
        if not line.strip():
            continue
        if max_rows is not None and found == max_rows:
            return
        found += 1
        yield number, [field.strip() for field in line.split(delimiter)]


def _table(
    name: str,
    rows: Iterator[tuple[int, list[str]]],
    usecols: int | Sequence[int] | None,
    missing: float | None,
    dtype: Any,
    unpack: bool,
    converters: dict[int, Any] | None,
) -> EmberTensor:
    columns = [usecols] if isinstance(usecols, int) else usecols
    table: list[list[Any]] = []
    for number, fields in rows:
        chosen = list(enumerate(fields)) if columns is None else [(c, fields[c]) for c in columns]
        if table and len(chosen) != len(table[0]):
            raise EmberValueError(
                f"[{name}] {len(chosen)} columns instead of {len(table[0])} (line {number})"
            )
        values = []
        for column, field in chosen:
            try:
                convert = converters.get(column) if converters else None
                values.append(convert(field) if convert else _number(field))
            except ValueError:
                if missing is None:
                    raise EmberValueError(
                        f"[{name}] not a number: {field!r} (line {number}, column {column})"
                    ) from None
                values.append(missing)
        table.append(values)
    result = convert_to_tensor(table, dtype=dtype)
    if len(table) == 1 or (table and len(table[0]) == 1):
        result = op.reshape(result, (-1,))
    return op.matrix_transpose(result) if unpack and result.ndim == 2 else result


def _number(field: str) -> Any:
    try:
        return float(field)
    except ValueError:
        return complex(field)


def loadtxt(
    fname: Source,
    dtype: Any = "float64",  # ember: allow
    comments: str | None = "#",
    delimiter: str | None = None,
    converters: dict[int, Any] | None = None,
    skiprows: int = 0,
    usecols: int | Sequence[int] | None = None,
    unpack: bool = False,
    *,
    max_rows: int | None = None,
) -> EmberTensor:
    """The numbers of a text file, one row per line; delimiter=None splits at white space. One row
    or column gives a vector.
    """
    rows = _rows(fname, delimiter, comments, skiprows, max_rows)
    return _table("loadtxt", rows, usecols, None, dtype, unpack, converters)


def genfromtxt(
    fname: Source,
    dtype: Any = "float64",  # ember: allow
    comments: str | None = "#",
    delimiter: str | None = None,
    skip_header: int = 0,
    *,
    usecols: int | Sequence[int] | None = None,
    filling_values: float = float("nan"),
    converters: dict[int, Any] | None = None,
    unpack: bool = False,
    max_rows: int | None = None,
) -> EmberTensor:
    """Like loadtxt, with filling_values for fields that are not numbers."""
    rows = _rows(fname, delimiter, comments, skip_header, max_rows)
    return _table("genfromtxt", rows, usecols, filling_values, dtype, unpack, converters)


def savetxt(
    fname: Any,
    X: Any,
    fmt: str | Sequence[str] = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
) -> None:
    """Writes a vector or a matrix, one number or row per line."""
    x = convert_to_tensor(X)
    if x.ndim not in (1, 2):
        raise EmberValueError(f"[savetxt] writes vectors and matrices, not {x.ndim} dimensions")
    table = x.tolist() if x.ndim == 2 else [[v] for v in x.tolist()]
    lines = [comments + header] if header else []
    for row in table:
        forms = [fmt] * len(row) if isinstance(fmt, str) else fmt
        lines.append(delimiter.join(form % value for form, value in zip(forms, row)))
    if footer:
        lines.append(comments + footer)
    text = "".join(line + newline for line in lines)
    if isinstance(fname, (str, PathLike)):
        Path(fname).write_text(text)
    else:
        fname.write(text)
