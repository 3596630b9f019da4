"""Features from tables: columns of a pandas DataFrame, a dict or a CSV file become one numeric
matrix.
"""

from __future__ import annotations

import csv
import gzip
import math
import zlib
from datetime import date, datetime
from os import PathLike
from typing import Any, Iterable, Mapping, Sequence

from .. import _core, ops
from .._core import EmberTensor

# So that features.column_feature_extraction can be imported: _aliases knows it.
__path__: list[str] = []
_BAD = (TypeError, ValueError)


def _missing(v: Any) -> bool:
    return (
        v is None
        or v == ""
        or (isinstance(v, float) and math.isnan(v))
        or type(v).__name__ in ("NaTType", "NAType")
    )


def _number(v: Any) -> float | None:
    if isinstance(v, (datetime, date)):
        return None
    try:
        return float(v)
    except _BAD:
        return None


def _moment(v: Any) -> datetime | None:
    if isinstance(v, datetime):
        return v
    if isinstance(v, date):
        return datetime(v.year, v.month, v.day)
    if hasattr(v, "to_pydatetime"):
        return v.to_pydatetime()  # type: ignore[no-any-return]
    try:
        return (
            datetime.fromisoformat(v)
            if isinstance(v, str) and len(v) >= 8 and not v.isdigit()
            else None
        )
    except _BAD:
        return None


def read_table(table: Any) -> dict[str, list[Any]]:
    """The columns of a DataFrame, of a dict of sequences, or of a CSV file, optionally gzipped."""
    if isinstance(table, (str, PathLike)):
        open_file: Any = gzip.open if str(table).endswith(".gz") else open
        with open_file(table, "rt", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        if not rows:
            raise _core.ValueError(f"[features] {str(table)!r} has no header")
        header, body = rows[0], [r for r in rows[1:] if r]
        for i, r in enumerate(body):
            if len(r) != len(header):
                raise _core.ValueError(
                    f"[features] row {i + 1} of {str(table)!r} has {len(r)} fields, but the header has {len(header)}"
                )
        return {name: [r[i] for r in body] for i, name in enumerate(header)}
    if hasattr(table, "columns") and hasattr(table, "to_dict"):
        return {
            str(name): list(table[name].tolist() if hasattr(table[name], "tolist") else table[name])
            for name in table.columns
        }
    if not isinstance(table, Mapping):
        raise _core.DTypeError(
            f"[features] takes a DataFrame, a dict of columns or the path of a CSV file, not {type(table).__name__}"
        )
    columns = {
        str(name): list(column.tolist() if hasattr(column, "tolist") else column)
        for name, column in table.items()
    }
    if len({len(c) for c in columns.values()}) > 1:
        raise _core.ShapeError(
            f"[features] the columns have different lengths: { {n: len(c) for n, c in columns.items()} }"
        )
    return columns


def detect_column_types(table: Any, max_categories: int = 100) -> dict[str, str]:
    """The kind of each column: numeric, boolean, datetime, categorical or text."""
    kinds = {}
    for name, column in read_table(table).items():
        given = [v for v in column if not _missing(v)]
        words = {str(v).lower() for v in given}
        if given and (all(isinstance(v, bool) for v in given) or words <= {"true", "false"}):
            kinds[name] = "boolean"
        elif given and all(_number(v) is not None for v in given):
            kinds[name] = "numeric"
        elif given and all(_moment(v) is not None for v in given):
            kinds[name] = "datetime"
        else:
            many = len(words) > max_categories or (
                len(given) >= 20 and len(words) > 0.5 * len(given)
            )
            kinds[name] = "text" if many else "categorical"
    return kinds


class ColumnFeatureExtractor:
    """fit learns the columns of a table; transform converts tables with the same columns to [rows,
    features].

    numeric_strategy: standard (mean 0, deviation 1), minmax (0 to 1), robust (median and quartiles)
    or none; missing numbers are replaced by the median. categorical_strategy: onehot, ordinal or
    hash (max_categories columns, at most 16). datetime_strategy: cyclical (sine and cosine of hour,
    weekday, day and month) or components. text_strategy: basic (length, words, digits, capitals) or
    none. columns: the kinds of columns, instead of detection; bucketized: bin edges of a numeric
    column, which becomes one column per range; crossed: pairs of categorical columns whose
    combinations become columns.
    """

    def __init__(
        self,
        numeric_strategy: str = "standard",
        categorical_strategy: str = "onehot",
        datetime_strategy: str = "cyclical",
        text_strategy: str = "basic",
        max_categories: int = 100,
        *,
        columns: Mapping[str, str] | None = None,
        bucketized: Mapping[str, Sequence[float]] | None = None,
        crossed: Iterable[tuple[str, str]] = (),
    ) -> None:
        for name, given, known in (
            ("numeric_strategy", numeric_strategy, ("standard", "minmax", "robust", "none")),
            ("categorical_strategy", categorical_strategy, ("onehot", "ordinal", "hash")),
            ("datetime_strategy", datetime_strategy, ("cyclical", "components")),
            ("text_strategy", text_strategy, ("basic", "none")),
        ):
            if given not in known:
                raise _core.ValueError(
                    f"[ColumnFeatureExtractor] {name} must be one of {', '.join(known)}, not {given!r}"
                )
        self.numeric_strategy, self.categorical_strategy = numeric_strategy, categorical_strategy
        self.datetime_strategy, self.text_strategy, self.max_categories = (
            datetime_strategy,
            text_strategy,
            max_categories,
        )
        self.columns, self.crossed = dict(columns or {}), [tuple(pair) for pair in crossed]
        self.bucketized = {
            name: sorted(map(float, edges)) for name, edges in (bucketized or {}).items()
        }
        self.column_types: dict[str, str] = {}
        self._learned: dict[str, Any] = {}
        self._names: list[str] = []

    def fit(self, df: Any, target_column: str | None = None) -> ColumnFeatureExtractor:
        """Learns the columns of a table except target_column."""
        table = read_table(df)
        for name in (
            *([target_column] if target_column else []),
            *self.columns,
            *self.bucketized,
            *(c for pair in self.crossed for c in pair),
        ):
            if name not in table:
                raise _core.ValueError(
                    f"[ColumnFeatureExtractor] unknown column {name!r}; available: {', '.join(table)}"
                )
        kinds = detect_column_types(table, self.max_categories)
        self.column_types = {n: self.columns.get(n, kinds[n]) for n in table if n != target_column}
        self._learned = {n: self._learn(n, kind, table[n]) for n, kind in self.column_types.items()}
        for a, b in self.crossed:
            self._learned[f"{a} x {b}"] = self._categories(
                [f"{x} x {y}" for x, y in zip(map(str, table[a]), map(str, table[b]))]
            )
        self._names = [name for name, _ in self._made(table)]
        return self

    def transform(self, df: Any) -> EmberTensor:
        """The features of a table, float32 [rows, features], in the order of get_feature_names()."""
        if not self._learned:
            raise _core.StateError("[ColumnFeatureExtractor] fit has not been called")
        table = read_table(df)
        absent = [n for n in self.column_types if n not in table]
        if absent:
            raise _core.ValueError(
                f"[ColumnFeatureExtractor] the table has no columns {', '.join(absent)}"
            )
        made = [column for _, column in self._made(table)]
        rows = len(next(iter(table.values())))
        return ops.asarray(made, dtype="float32").T if made else ops.zeros((rows, 0))

    def fit_transform(self, df: Any, target_column: str | None = None) -> EmberTensor:
        """Calls fit and transform on the same table."""
        return self.fit(df, target_column).transform(df)

    def get_feature_names(self) -> list[str]:
        """The features' names, in order."""
        return list(self._names)

    def _categories(self, column: Iterable[Any]) -> list[str]:
        counts: dict[str, int] = {}
        for v in column:
            if not _missing(v):
                counts[str(v)] = counts.get(str(v), 0) + 1
        kept = sorted(counts, key=lambda c: (-counts[c], c))[: self.max_categories]
        return sorted(kept)

    def _learn(self, name: str, kind: str, column: list[Any]) -> Any:
        if kind == "categorical":
            return self._categories(column)
        if kind != "numeric":
            return None
        numbers = sorted(
            v for v in (_number(v) for v in column if not _missing(v)) if v is not None
        )
        if not numbers:
            return 0.0, 0.0, 1.0

        def quantile(q: float) -> float:
            at = q * (len(numbers) - 1)
            low = int(at)
            return numbers[low] + (numbers[min(low + 1, len(numbers) - 1)] - numbers[low]) * (
                at - low
            )

        median = quantile(0.5)
        filled = [median if _missing(v) else _number(v) or 0.0 for v in column]
        mean = sum(filled) / len(filled)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in filled) / len(filled))
        shift, scale = {
            "standard": (mean, deviation),
            "minmax": (numbers[0], numbers[-1] - numbers[0]),
            "robust": (median, quantile(0.75) - quantile(0.25)),
            "none": (0.0, 1.0),
        }[self.numeric_strategy]
        return median, shift, scale or 1.0

    def _made(self, table: dict[str, list[Any]]) -> list[tuple[str, list[float]]]:
        made: list[tuple[str, list[float]]] = []
        for name, kind in self.column_types.items():
            make: Any = getattr(self, f"_{kind}")
            made += make(name, table[name])
        for a, b in self.crossed:
            made += self._one_hot(
                f"{a} x {b}", [f"{x} x {y}" for x, y in zip(map(str, table[a]), map(str, table[b]))]
            )
        return made

    def _numeric(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        median, shift, scale = self._learned[name]
        numbers = []
        for v in column:
            n = median if _missing(v) else _number(v)
            if n is None:
                raise _core.ValueError(
                    f"[ColumnFeatureExtractor] {v!r} in the numeric column {name!r} is not a number"
                )
            numbers.append(n)
        if name not in self.bucketized:
            return [(name, [(n - shift) / scale for n in numbers])]
        edges = [-math.inf, *self.bucketized[name], math.inf]
        return [
            (f"{name} in [{low:g}, {high:g})", [float(low <= n < high) for n in numbers])
            for low, high in zip(edges, edges[1:])
        ]

    def _boolean(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        return [
            (
                name,
                [float(not _missing(v) and str(v).lower() in ("true", "1", "1.0")) for v in column],
            )
        ]

    def _one_hot(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        return [
            (f"{name}={c}", [float(not _missing(v) and str(v) == c) for v in column])
            for c in self._learned[name]
        ]

    def _categorical(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        if self.categorical_strategy == "onehot":
            return self._one_hot(name, column)
        if self.categorical_strategy == "ordinal":  # unknown categories are -1
            place = {c: float(i) for i, c in enumerate(self._learned[name])}
            return [(name, [-1.0 if _missing(v) else place.get(str(v), -1.0) for v in column])]
        n = min(16, self.max_categories)
        slots = [None if _missing(v) else zlib.crc32(str(v).encode()) % n for v in column]
        return [(f"{name}#{i}", [float(s == i) for s in slots]) for i in range(n)]

    def _datetime(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        moments = [None if _missing(v) else _moment(v) for v in column]
        made = []

        def parts(m: datetime) -> tuple[float, ...]:
            return m.hour + m.minute / 60, float(m.weekday()), m.day - 1.0, m.month - 1.0

        columns = list(zip(*((0.0,) * 4 if m is None else parts(m) for m in moments)))
        for part, period, values in zip(
            ("hour", "weekday", "day", "month"), (24, 7, 31, 12), map(list, columns)
        ):
            if self.datetime_strategy == "components":
                made.append((f"{name}.{part}", values))
                continue
            made.append(
                (f"{name}.{part}.sin", [math.sin(2 * math.pi * v / period) for v in values])
            )
            made.append(
                (f"{name}.{part}.cos", [math.cos(2 * math.pi * v / period) for v in values])
            )
        return made

    def _text(self, name: str, column: list[Any]) -> list[tuple[str, list[float]]]:
        if self.text_strategy == "none":
            return []
        words = ["" if _missing(v) else str(v) for v in column]
        return [
            (f"{name}.length", [float(len(w)) for w in words]),
            (f"{name}.words", [float(len(w.split())) for w in words]),
            (f"{name}.digits", [float(sum(c.isdigit() for c in w)) for w in words]),
            (f"{name}.capitals", [float(sum(c.isupper() for c in w)) for w in words]),
        ]


class ColumnPCAFeatureExtractor(ColumnFeatureExtractor):
    """Like ColumnFeatureExtractor, reduced to pca_components principal components."""

    def __init__(self, *args: Any, pca_components: int | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pca_components = pca_components
        self.pca: Any = None

    def fit(self, df: Any, target_column: str | None = None) -> ColumnPCAFeatureExtractor:
        """Learns the columns and their principal components."""
        super().fit(df, target_column)
        features = super().transform(df)
        self.pca = _core.features.PCA(self.pca_components or min(features.shape))
        self.pca.fit(features)
        return self

    def transform(self, df: Any) -> EmberTensor:
        """The principal components of a table."""
        return self.pca.transform(super().transform(df))  # type: ignore[no-any-return]


class TemporalColumnFeatureExtractor(ColumnFeatureExtractor):
    """For rows in order of time: windows of window_size rows, stride apart, [windows, window_size,
    features].
    """

    def __init__(self, window_size: int = 5, stride: int = 1, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if window_size < 1 or stride < 1:
            raise _core.ValueError(
                f"[TemporalColumnFeatureExtractor] window_size and stride must be positive, not {window_size} and {stride}"
            )
        self.window_size, self.stride = window_size, stride

    def transform(self, df: Any, time_column: str | None = None) -> EmberTensor:
        """The windows of a table, its rows sorted by time_column if that is given."""
        table = read_table(df)
        if time_column is not None:
            if time_column not in table:
                raise _core.ValueError(
                    f"[TemporalColumnFeatureExtractor] unknown column {time_column!r}"
                )
            moments = [_moment(v) or _number(v) for v in table[time_column]]
            order = sorted(range(len(moments)), key=lambda i: moments[i])  # type: ignore[arg-type, return-value]
            table = {n: [c[i] for i in order] for n, c in table.items()}
        rows = super().transform(table)
        starts = range(0, rows.shape[0] - self.window_size + 1, self.stride)
        if not starts:
            raise _core.ValueError(
                f"[TemporalColumnFeatureExtractor] {rows.shape[0]} rows are fewer than window_size = {self.window_size}"
            )
        return ops.stack([rows[s : s + self.window_size] for s in starts])

    def fit_transform(
        self, df: Any, target_column: str | None = None, time_column: str | None = None
    ) -> EmberTensor:
        """Calls fit and transform on the same table."""
        self.fit(df, target_column)
        return self.transform(df, time_column)


class GenericCSVLoader:
    """Reads a CSV file as columns."""

    def load_csv(self, file_path: Any) -> dict[str, list[Any]]:
        """The columns by name, as text."""
        return read_table(file_path)


class GenericTypeDetector:
    """Detects the kinds of the columns of a table."""

    def detect_column_types(self, df: Any) -> dict[str, list[str]]:
        """The names of the columns of each kind."""
        kinds: dict[str, list[str]] = {
            "numeric": [],
            "categorical": [],
            "datetime": [],
            "text": [],
            "boolean": [],
        }
        for name, kind in detect_column_types(df).items():
            kinds[kind].append(name)
        return kinds


__all__ = [
    "ColumnFeatureExtractor",
    "ColumnPCAFeatureExtractor",
    "GenericCSVLoader",
    "GenericTypeDetector",
    "TemporalColumnFeatureExtractor",
    "detect_column_types",
    "read_table",
]
