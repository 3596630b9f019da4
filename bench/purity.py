"""Measures the guideline's claims (docs/purity.md): each impure pattern against the pure one, on
every backend found.

PYTHONPATH=build/python build/venv/bin/python bench/purity.py
"""

from __future__ import annotations

import math
import os
import sys
import timeit
from collections.abc import Callable
from typing import Any

# One thread, so that libraries are comparable. Freed memory is kept, so that page faults are not
# measured.
SETTINGS = {
    "EMBER_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
}
if not SETTINGS.keys() <= os.environ.keys():
    os.execve(sys.executable, [sys.executable, *sys.argv], {**SETTINGS, **os.environ})

import numpy as np  # ember: allow[EM101] needed for the round trips

import ember_ml as em
from ember_ml import ops, tensor

LARGE, MIDDLE, SMALL = 100_000, 10_000, 1_000
PAIRS: list[tuple[str, str, Callable[[], Any], Callable[[], Any]]] = []


def pair(
    what: str, claim: str
) -> Callable[[Callable[[], tuple[Callable[[], Any], Callable[[], Any]]]], None]:
    def add(make: Callable[[], tuple[Callable[[], Any], Callable[[], Any]]]) -> None:
        PAIRS.append((what, claim, *make()))

    return add


def numbers(*shape: int) -> Any:
    x = ops.random_uniform(shape, 0.5, 1.5)
    em.eval(x)
    return x


def patterns() -> None:
    """The pairs, with their tensors on the current backend."""
    PAIRS.clear()
    x, y, z, m, s = numbers(LARGE), numbers(LARGE), numbers(LARGE), numbers(MIDDLE), numbers(SMALL)
    trips(x, m)
    loops(s, numbers(64, 8))
    reads(x, s)
    operators(x, y, z, s)


def trips(x: Any, m: Any) -> None:
    """Data that leaves Ember and comes back."""

    @pair("round trip through NumPy, 100k floats", "10-100x")
    def _() -> Any:
        return (
            lambda: tensor.convert_to_tensor(np.log(1 + np.abs(np.asarray(x)))),  # ember: allow
            lambda: ops.log(ops.add(1, ops.abs(x))),
        )

    @pair("round trip through a list, 10k floats", "10-100x")
    def _() -> Any:
        def through_list() -> Any:
            values = [math.log(1 + abs(v)) for v in m.tolist()]  # ember: allow
            return tensor.convert_to_tensor(values)  # ember: allow

        return through_list, lambda: ops.log(ops.add(1, ops.abs(m)))

    @pair("another backend for every other op, 100k floats", "10-100x")
    def _() -> Any:
        other = "native" if em.get_backend() != "native" else "numpy"  # ember: allow

        def switching() -> Any:
            a = ops.abs(x)
            with em.using_backend(other):
                b = ops.add(1, a)
            return ops.log(b)

        return switching, lambda: ops.log(ops.add(1, ops.abs(x)))

    @pair("unnecessary copies, 100k floats", "2-5x")
    def _() -> Any:
        def copying() -> Any:
            copy = tensor.convert_to_tensor(np.array(x))  # ember: allow
            product = np.array(ops.multiply(copy, 2))  # ember: allow
            return ops.sum(tensor.convert_to_tensor(product))  # ember: allow

        return copying, lambda: ops.sum(ops.multiply(x, 2))


def loops(s: Any, points: Any) -> None:
    """Python loops over elements."""

    @pair("Python loops over 64 points", "10-1000x")
    def _() -> Any:
        def loop() -> Any:
            distances = []
            for i in range(len(points)):  # ember: allow
                for j in range(i + 1, len(points)):  # ember: allow
                    distances.append(
                        ops.sqrt(ops.sum(ops.square(ops.subtract(points[i], points[j]))))
                    )
            return distances

        def whole() -> Any:
            diff = ops.subtract(ops.expand_dims(points, axis=1), ops.expand_dims(points, axis=0))
            return ops.sqrt(ops.sum(ops.square(diff), axis=2)[ops.triu_indices(len(points), k=1)])

        return loop, whole

    @pair("builtin sum() of 1k floats", "10-1000x")
    def _() -> Any:
        return lambda: sum(s), lambda: ops.sum(s)  # ember: allow

    @pair("100 elements written one by one, 1k floats", "")
    def _() -> Any:
        index = ops.arange(SMALL)

        def write() -> Any:
            v = ops.copy(s)
            for i in range(100):
                v[i] = 0.0  # ember: allow
            return v

        return write, lambda: ops.where(ops.less(index, 100), 0.0, s)


def reads(x: Any, s: Any) -> None:
    """Values that are read before they are needed."""

    @pair("a scalar read in each of 100 steps, 1k floats", "10-100x")
    def _() -> Any:
        def read() -> Any:
            v = s
            for _ in range(100):
                v = ops.subtract(v, float(ops.mean(v)))  # ember: allow
            return v

        def keep() -> Any:
            v = s
            for _ in range(100):
                v = ops.subtract(v, ops.mean(v))
            return v

        return read, keep

    @pair("minimum and maximum read to normalize, 100k floats", "10-100x")
    def _() -> Any:
        def read() -> Any:
            low, high = float(ops.min(x)), float(ops.max(x))  # ember: allow
            return ops.divide(ops.subtract(x, low), high - low)

        def keep() -> Any:
            low = ops.min(x)
            return ops.divide(ops.subtract(x, low), ops.subtract(ops.max(x), low))

        return read, keep


def operators(x: Any, y: Any, z: Any, s: Any) -> None:
    """Operators of tensors in place of the functions of ops."""

    @pair("operators instead of ops, 1k floats", "2-10x")
    def _() -> Any:
        return lambda: (s - 0.5) / 2 + s * s, lambda: ops.add(
            ops.divide(ops.subtract(s, 0.5), 2), ops.multiply(s, s)
        )

    @pair("operators instead of ops, 100k floats", "up to 100x")
    def _() -> Any:
        return lambda: (x - y) / z + x * y, lambda: ops.add(
            ops.divide(ops.subtract(x, y), z), ops.multiply(x, y)
        )

    @pair("operators mixed with ops, 100k floats", "5-20x")
    def _() -> Any:
        return lambda: ops.multiply(x + y, z), lambda: ops.multiply(ops.add(x, y), z)

    @pair("sum / len instead of mean, 100k floats", "")
    def _() -> Any:
        return lambda: ops.sum(x) / len(x), lambda: ops.mean(x)  # ember: allow


def ratio(impure: Callable[[], Any], pure: Callable[[], Any]) -> float:
    """Times of the fastest rounds, measured alternately so that a busy machine slows both.
    Results are evaluated."""
    timers = [timeit.Timer(lambda f=f: em.eval(f())) for f in (impure, pure)]  # type: ignore[misc]
    counts = []
    for t in timers:
        t.timeit(2)
        counts.append(max(1, round(0.02 / max(t.timeit(1), 1e-7))))
    rounds = [[t.timeit(n) / n for t, n in zip(timers, counts)] for _ in range(15)]
    return min(r[0] for r in rounds) / min(r[1] for r in rounds)


def shown(times: float) -> str:
    return f"{times:.0f}x" if times >= 10 else f"{times:.1f}x"


def main() -> None:
    backends = em.get_available_backends()
    table: dict[tuple[str, str], list[str]] = {}
    for backend in backends:
        with em.using_backend(backend):
            patterns()
            for what, claim, impure, pure in PAIRS:
                table.setdefault((what, claim), []).append(shown(ratio(impure, pure)))
    print("| impure pattern | the claim | " + " | ".join(backends) + " |")
    print("|---|---|" + "---|" * len(backends))
    for (what, claim), cells in table.items():
        print(f"| {what} | {claim or 'none'} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
