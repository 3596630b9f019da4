#!/usr/bin/env python3
"""How data-parallel training scales: the cost model of docs/distributed.md, step by step and bucket
by bucket.

tools/simulate_distributed.py                    # a table: three models on 8 to 4,096 GPUs
tools/simulate_distributed.py --plot docs/distributed.png  # and the curves
tools/simulate_distributed.py --alpha-out 20e-6 --bandwidth-out 25e9
"""

from __future__ import annotations

import argparse
import dataclasses
import math


@dataclasses.dataclass
class Machine:
    node: int = 8  # GPUs per node, with a fast network between them
    alpha_in: float = 4e-6  # latency of a step within a node, in seconds
    bandwidth_in: float = 350e9  # bytes per second and GPU within a node
    alpha_out: float = 12e-6  # the same between nodes
    bandwidth_out: float = 45e9
    flops: float = 400e12  # sustained, per GPU, 16-bit


@dataclasses.dataclass
class Model:
    name: str
    parameters: float
    flops: float  # forward and backward, per example
    batch: int  # examples per GPU
    gradient_bytes: int = 2  # per number
    layers: int = 50
    sharded: bool = False  # the optimizer's state is sharded, so updated weights are sent too


MODELS = [
    Model("ResNet-50", 25.6e6, 3 * 8.2e9, 128, 4),
    Model("BERT-large, 512 tokens", 340e6, 6 * 340e6 * 512, 16, layers=24),
    Model(
        "7 billion, 4,096 tokens, sharded optimizer",
        7e9,
        6 * 7e9 * 4096,
        2,
        layers=32,
        sharded=True,
    ),
]


def ring(n: float, ranks: int, alpha: float, bandwidth: float) -> float:
    """Seconds of a reduce_scatter or an all_gather of n bytes in a ring; an all_reduce is one of
    each."""
    return (ranks - 1) * (alpha + n / ranks / bandwidth) if ranks > 1 else 0.0


def tree(n: float, ranks: int, alpha: float, bandwidth: float) -> float:
    """The same by recursive halving: fewer steps, for small messages."""
    return (
        math.ceil(math.log2(ranks)) * alpha + n * (ranks - 1) / ranks / bandwidth
        if ranks > 1
        else 0.0
    )


def half_all_reduce(n: float, ranks: int, m: Machine) -> float:
    """First within the nodes; then, each GPU with its part, between them."""
    inside = min(ranks, m.node)
    nodes = max(1, ranks // m.node)
    best_out = min(
        ring(n / inside, nodes, m.alpha_out, m.bandwidth_out),
        tree(n / inside, nodes, m.alpha_out, m.bandwidth_out),
    )
    return ring(n, inside, m.alpha_in, m.bandwidth_in) + best_out


def check(ranks: int, m: Machine) -> float:
    """The comparison before each operation: two words, up and down a tree."""
    inside = min(ranks, m.node)
    nodes = max(1, ranks // m.node)
    return (
        2 * (math.ceil(math.log2(inside)) * m.alpha_in + math.ceil(math.log2(nodes)) * m.alpha_out)
        if ranks > 1
        else 0.0
    )


@dataclasses.dataclass
class Step:
    compute: float
    exposed: float  # time that communication adds
    efficiency: float


def step(
    model: Model, ranks: int, m: Machine, bucket: float = 25 * 2**20, overlap: bool = True
) -> Step:
    """Buckets are ready evenly over the backward pass, two thirds of the work; one is sent while
    the next is computed."""
    compute = model.flops * model.batch / m.flops
    forward, backward = compute / 3, 2 * compute / 3
    n = model.parameters * model.gradient_bytes
    buckets = max(1, min(model.layers, math.ceil(n / bucket)))
    travelled = 0.0
    for k in range(1, buckets + 1):
        ready = forward + backward * (k / buckets if overlap else 1)
        travelled = (
            max(travelled, ready) + check(ranks, m) + 2 * half_all_reduce(n / buckets, ranks, m)
        )
    if model.sharded:
        travelled += check(ranks, m) + half_all_reduce(n, ranks, m)
    total = max(travelled, compute)
    return Step(compute, total - compute, compute / total)


def plot(path: str, m: Machine, ranks: list[int]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for model, color in zip(MODELS, ("#0b6e99", "#d9730d", "#448361")):
        for overlap, style in ((True, "-"), (False, ":")):
            efficiency = [100 * step(model, r, m, overlap=overlap).efficiency for r in ranks]
            axes[0].plot(
                ranks, efficiency, style, color=color, label=model.name if overlap else None
            )
        axes[1].plot(ranks, [1e3 * step(model, r, m).exposed for r in ranks], color=color)
    axes[0].plot([], [], "k:", label="without overlap")
    axes[0].set(
        xlabel="GPUs",
        ylabel="weak scaling, %",
        ylim=(0, 102),
        title="Part of the time that is computation",
    )
    axes[1].set(
        yscale="log",
        ylim=(0.1, 200),
        xlabel="GPUs",
        ylabel="ms a step",
        title="What communication adds",
    )
    for a in axes:
        a.set_xscale("log", base=2)
        a.set_xticks(ranks, [f"{r:,}" for r in ranks], rotation=45)
        a.grid(alpha=0.3)
    axes[0].legend(loc="lower left", fontsize=8)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for f in dataclasses.fields(Machine):
        parser.add_argument(
            "--" + f.name.replace("_", "-"), type=type(f.default), default=f.default
        )
    parser.add_argument("--plot", help="write the curves to this file")
    arguments = vars(parser.parse_args())
    path = arguments.pop("plot")
    m = Machine(**arguments)
    ranks = [2**k for k in range(3, 13)]
    for model in MODELS:
        print(f"{model.name}: {1e3 * step(model, 1, m).compute:.1f} ms of computation to a step")
        for r in ranks:
            s, plain = step(model, r, m), step(model, r, m, overlap=False)
            print(
                f"  {r:5,} GPUs: {1e3 * s.exposed:8.2f} ms added, weak scaling {100 * s.efficiency:5.1f} % ({100 * plain.efficiency:5.1f} % without overlap)"
            )
    if path:
        plot(path, m, ranks)


if __name__ == "__main__":
    main()
