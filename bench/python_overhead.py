"""What a call from Python costs: `ember bench python` runs this file. One process per peer, taken
in turn, lower quartile of rounds.

Prints one line per measurement: peer, workload, nanoseconds per op."""

import json
import os
import subprocess
import sys
import time

OPS = 1000
PEERS = ["numpy", "torch", "mlx", "ember:native", "ember:numpy", "ember:torch", "ember:mlx"]


def repeated(call, names):
    """A function that evaluates the expression 1,000 times."""
    scope = dict(names)
    exec(f"def work():\n    for _ in range({OPS}):\n        {call}\n", scope)
    return scope["work"]


def workloads(peer):
    """Functions by name, each 1,000 ops on 10 floats: dependent ones, some computed one at a
    time, and calls alone, whose results nobody reads: Ember records them."""
    library, _, engine = peer.partition(":")
    if library == "ember":
        import ember_ml

        ember_ml.set_backend(engine)
        a, b, finish = (
            ember_ml.asarray([1.0] * 10),
            ember_ml.asarray([0.999] * 10),
            lambda x: x.eval(),
        )
    elif library == "numpy":
        import numpy

        a, b, finish = numpy.ones(10, "float32"), numpy.full(10, 0.999, "float32"), lambda x: None
    elif library == "torch":
        import torch

        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        a, b, finish = torch.ones(10), torch.full((10,), 0.999), lambda x: None
    else:
        import mlx.core as mx

        a, b, finish = mx.ones(10), mx.full(10, 0.999), mx.eval
    finish(a)
    finish(b)

    def chain():
        x = a
        for _ in range(OPS // 2):
            x = x * b
            x = x + a
        finish(x)

    def one_by_one():
        for _ in range(OPS):
            finish(a + b)

    work = {"chain": chain, "alone": one_by_one}
    if library == "ember":
        calls = {
            "add": "a + a",
            "softmax": "softmax(a, axis=-1)",
            "sum": "sum(a, axis=0)",
            "reshape": "reshape(a, (2, 5))",
            "sum_method": "a.sum(axis=0)",
            "reshape_method": "a.reshape(2, 5)",
        }
        work |= {name: repeated(call, vars(ember_ml) | {"a": a}) for name, call in calls.items()}
    elif library == "numpy":
        calls = {
            "softmax": "(e := exp(a - max(a, axis=-1))) / sum(e, axis=-1)",
            "sum": "sum(a, axis=0)",
            "reshape": "reshape(a, (2, 5))",
            "sum_method": "a.sum(axis=0)",
            "reshape_method": "a.reshape(2, 5)",
        }
        work |= {name: repeated(call, vars(numpy) | {"a": a}) for name, call in calls.items()}
    return work


def serve(peer):
    """Measures each time a line is read."""
    work = workloads(peer)
    for f in work.values():
        f()
    print("ready", flush=True)
    for _ in sys.stdin:
        times = {}
        for name, f in work.items():
            f()  # refills the caches after the other peers
            start = time.perf_counter()
            f()
            times[name] = (time.perf_counter() - start) / OPS * 1e9
        print(json.dumps(times), flush=True)


def main(rounds=25):
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", EMBER_NUM_THREADS="1")
    servers, seen = {}, {}
    for peer in PEERS:
        p = subprocess.Popen(
            [sys.executable, __file__, peer],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if p.stdout.readline().strip() == "ready":
            servers[peer], seen[peer] = p, []
        else:
            print(peer, "missing", p.stderr.read().strip().split("\n")[-1][:200], flush=True)
    for _ in range(rounds):
        for peer, p in servers.items():
            p.stdin.write("\n")
            p.stdin.flush()
            seen[peer].append(json.loads(p.stdout.readline()))
    for peer, times in seen.items():
        for name in times[0]:
            print(peer, name, sorted(t[name] for t in times)[len(times) // 4], flush=True)


if __name__ == "__main__":
    serve(sys.argv[1]) if len(sys.argv) > 1 else main()
