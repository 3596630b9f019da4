"""A library that Ember is compared with, in a separate process: answers lines of JSON with lines
of JSON.

serve.py LIBRARY[ compile] THREADS, as bench/speed.cpp starts it. A module use_LIBRARY.py has
  version                               the library's
  prepare(kind, inputs, order)          a function that computes the workload, or None where the
                                        library has nothing for it
  to_numpy(result)                      its result as NumPy's
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy


def turn(call: Callable[[], Any], seconds: float) -> float:
    """Seconds per call: the lower quartile of stretches of 2 ms or one call, so that
    interruptions do not count. The first call is discarded, because other peers have used the
    caches since."""
    start = time.perf_counter()
    call()
    at_once = range(max(1, int(0.002 / max(time.perf_counter() - start, 1e-9))))
    times: list[float] = []
    while sum(times) < seconds:
        start = time.perf_counter()
        for _ in at_once:
            call()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 4] / len(at_once)


def difference(ours: list[Any], theirs: list[Any]) -> float:
    """The largest difference, relative to the largest value."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        b = numpy.asarray(b)
        if a.shape != b.shape:
            raise ValueError(f"the result has shape {b.shape}, not {a.shape}")
        wide = numpy.result_type(a, numpy.float64)
        apart = numpy.max(numpy.abs(numpy.subtract(a, b, dtype=wide))) / max(
            numpy.max(numpy.abs(a)), 1e-30
        )
        worst = max(worst, float(numpy.nan_to_num(apart, nan=1e30)))
    return worst


def main() -> None:
    name, _, mode = sys.argv[1].partition(" ")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library's output must not mix with the answers

    def answer(**words: Any) -> None:
        print(json.dumps(words), file=out, flush=True)

    try:
        library = importlib.import_module("use_" + name)
        library.start(mode, int(sys.argv[2]))
        answer(version=library.version)
    except Exception as error:
        answer(missing=repr(error))
        return
    call: Callable[[], Any] | None = None
    for line in sys.stdin:
        order = json.loads(line)
        try:
            if "turn" in order:
                assert call
                answer(seconds=turn(call, order["turn"]))
                continue
            call = None
            with numpy.load(order["folder"] + "/in.npz") as file:
                inputs = dict(file)
            call = library.prepare(order["kind"], inputs, order)
            del inputs
            if not call:
                answer()
                continue
            # The third step's loss depends on the first two.
            for _ in range(3 if order["kind"].startswith("train") else 1):
                result = call()
            if order["kind"] == "svd":
                result = result[1]  # the signs of vectors are arbitrary
            results = list(result) if isinstance(result, (tuple, list)) else [result]
            with numpy.load(order["folder"] + "/out.npz") as file:
                ours = [file[str(i)] for i in range(len(file))]
            answer(
                difference=difference(
                    ours[1:2] if order["kind"] == "svd" else ours,
                    [library.to_numpy(r) for r in results],
                )
            )
            del result, results
        except Exception as error:
            call = None
            answer(error=(str(error).strip() or repr(error)).split("\n")[0])


if __name__ == "__main__":
    main()
