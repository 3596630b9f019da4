#!/usr/bin/env python3
"""Figures of docs/performance.md, from what `ember bench speed --json` wrote.

bench/figures.py one.json two.json                         # a table for each thread count
bench/figures.py one.json --plot docs/performance.png      # and bars
"""

from __future__ import annotations

import argparse
import json
from typing import Any

Row = dict[str, Any]
COLORS = {
    "numpy": "#4c78a8",
    "numexpr": "#9ecae9",
    "torch": "#f58518",
    "torch compile": "#ffbf79",
    "jax": "#54a24b",
    "mlx": "#b279a2",
    "mlx compile": "#d6a5c9",
    "onnxruntime": "#e45756",
    "sklearn": "#79706e",
}


def table(rows: list[Row]) -> None:
    print("| workload | Ember | of the best peer | target | | |")
    print("|---|---|---|---|---|---|")
    for r in rows:
        ratio = f"{r['ratio']:.2f} {r['reference']}" if r.get("reference") else ""
        target = f"{r['target']:.2f}" if r.get("target") else ""
        print(
            f"| {r['name']} | {r['value']:.3g} {r['unit']} | {ratio} | {target} | {'met' if r['met'] else 'missed'} | {r.get('note', '')} |"
        )
    print(f"\n{sum(r['met'] for r in rows)} of {len(rows)} met\n")


def plot(rows: list[Row], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [r for r in rows if r["peers"]][::-1]
    figure, axis = pyplot.subplots(figsize=(10, 0.27 * len(rows) + 1.6), layout="constrained")
    for y, r in enumerate(rows):
        axis.barh(y, 1 / r["ratio"], color="#0b6e99" if r["ratio"] <= 1 else "#a9c7d6", height=0.72)
        for peer, value in r["peers"].items():
            speed = r["value"] / value / r["ratio"]
            if speed > 0.04:
                axis.plot(speed, y, "o", color=COLORS.get(peer, "#888888"), markersize=4.5)
        if r.get("target"):
            axis.plot([1 / r["target"]] * 2, [y - 0.42, y + 0.42], color="black", linewidth=1.4)
    for peer, color in COLORS.items():
        axis.plot([], [], "o", color=color, markersize=4.5, label=peer)
    axis.plot([], [], color="black", linewidth=1.4, label="target")
    axis.axvline(1, color="#666666", linewidth=0.8)
    axis.set_yticks(range(len(rows)), [r["name"] for r in rows], fontsize=8)
    axis.set(
        xscale="log",
        xlim=(0.04, 40),
        ylim=(-0.8, len(rows) - 0.2),
        xlabel="speed: Ember is the bar; 1 is the fastest peer (NumPy for float64 and int32)",
    )
    axis.set_xticks(
        [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
        ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20"],
    )
    axis.grid(axis="x", alpha=0.3)
    axis.legend(loc="lower right", fontsize=7, ncols=2)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--plot", help="write bars of the first file's rows to this picture")
    arguments = parser.parse_args()
    runs: list[list[Row]] = [
        [r for r in json.load(open(f))["workloads"] if r["suite"] == "speed"]
        for f in arguments.files
    ]
    for rows in runs:
        print(f"**{rows[0]['threads']} thread{'s' if rows[0]['threads'] > 1 else ''}**\n")
        table(rows)
    if arguments.plot:
        plot(runs[0], arguments.plot)


if __name__ == "__main__":
    main()
