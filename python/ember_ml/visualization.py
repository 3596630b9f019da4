"""Plots of networks and training with matplotlib, which is imported on first use. Each function
returns the axes or figure that it drew on; savefig of the figure writes a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core

_COLORS = {
    "sensory": "#5b8ff9",
    "inter": "#5ad8a6",
    "command": "#f6bd16",
    "motor": "#e86452",
    "neurons": "#5ad8a6",
}


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as e:
        raise _core.UnsupportedError(
            "[visualization] plots need matplotlib: pip install matplotlib"
        ) from e
    return plt


def _wiring_of(network: Any) -> Any:
    """The wiring of a map, of a network built from one, or the wiring itself."""
    found = getattr(network, "neuron_map", network)
    if isinstance(found, _core.nn.NeuronMap):
        return found
    if hasattr(found, "is_built") and hasattr(found, "wiring"):
        return found.wiring
    raise _core.DTypeError(
        f"[plot_network] takes a neuron map, or a network built from one, not {type(network).__name__}"
    )


def _place(groups: Sequence[tuple[str, Sequence[Any]]]) -> dict[Any, tuple[float, float]]:
    places = {}
    for column, (_, members) in enumerate(groups):
        n = len(members)
        for i, m in enumerate(members):
            places[m] = (float(column), 0.5 if n == 1 else i / (n - 1))
    return places


def plot_network(network: Any, ax: Any = None, title: str | None = None) -> Any:
    """The neurons of a map in columns, the inputs on the left, with their synapses: blue ones
    excite, red ones inhibit.
    """
    plt, wiring = _pyplot(), _wiring_of(network)
    if ax is None:
        _, ax = plt.subplots(figsize=(8, 5))
    inputs = [("input", i) for i in range(wiring.inputs)]
    layers = wiring.layers
    names = ["inter", "command", "motor"] if len(layers) == 3 else ["neurons"]
    groups: list[tuple[str, Sequence[Any]]] = [("sensory", inputs), *zip(names, layers)]
    # A single group is drawn on a circle, so that its own synapses are visible.
    round_layout = len(layers) == 1
    places = _place([groups[0]])
    if round_layout:
        n = len(layers[0])
        for i, neuron in enumerate(layers[0]):
            angle = 2 * math.pi * i / n + math.pi
            places[neuron] = (1.8 + 0.8 * math.cos(angle), 0.5 + 0.5 * math.sin(angle))
    else:
        places = _place(groups)

    def arrow(a: Any, b: Any, polarity: float) -> None:
        bend = 0.35 if a != b and abs(places[a][0] - places[b][0]) < 1e-9 else 0.0
        color = "#3366cc" if polarity > 0 else "#cc3333"
        if a == b:
            x, y = places[a]
            ax.add_patch(
                plt.Circle((x, y + 0.045), 0.035, fill=False, color=color, alpha=0.5, linewidth=0.8)
            )
            return
        ax.annotate(
            "",
            places[b],
            places[a],
            arrowprops={
                "arrowstyle": "-|>",
                "color": color,
                "alpha": 0.45,
                "linewidth": 0.8,
                "shrinkA": 8,
                "shrinkB": 8,
                "connectionstyle": f"arc3,rad={bend}",
            },
        )

    for i, row in enumerate(wiring.sensory_adjacency().tolist()):
        for j, polarity in enumerate(row):
            if polarity:
                arrow(("input", i), j, polarity)
    for i, row in enumerate(wiring.adjacency().tolist()):
        for j, polarity in enumerate(row):
            if polarity:
                arrow(i, j, polarity)
    for name, members in groups:
        xs, ys = zip(*(places[m] for m in members))
        ax.scatter(
            xs,
            ys,
            s=190,
            color=_COLORS[name],
            edgecolors="white",
            linewidths=1.2,
            zorder=3,
            label=f"{name} ({len(members)})",
        )
        for m in members:
            ax.annotate(
                str(m[1] if isinstance(m, tuple) else m),
                places[m],
                ha="center",
                va="center",
                fontsize=7,
                zorder=4,
            )
    ax.set_title(
        title
        or f"{wiring.units} neurons, {wiring.synapse_count + wiring.sensory_synapse_count} synapses"
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=len(groups), frameon=False)
    ax.margins(0.12)
    ax.set_axis_off()
    return ax


plot_wiring = plot_network


def plot_history(
    history: Mapping[str, Sequence[float]] | Any, metrics: Sequence[str] | None = None
) -> Any:
    """Training curves: one panel for each metric of a history, with training and validation
    together.
    """
    plt = _pyplot()
    columns: Mapping[str, Sequence[float]] = getattr(history, "history", history)
    if not isinstance(columns, Mapping) or not columns:
        raise _core.DTypeError("[plot_history] takes a history from fit, or a fitted trainer")
    names = (
        list(metrics)
        if metrics is not None
        else [n for n in columns if not n.startswith("val_") and n not in ("epoch", "seconds")]
    )
    if metrics is None and len(set(columns.get("lr", ()))) < 2:
        names = [n for n in names if n != "lr"]
    absent = [n for n in names if n not in columns]
    if absent:
        raise _core.ValueError(
            f"[plot_history] the history has no {', '.join(absent)}; it has {', '.join(columns)}"
        )
    names.sort(key=lambda n: (n != "loss", n == "lr", n))
    figure, panels = plt.subplots(
        1, len(names), figsize=(4.2 * len(names), 3.2), squeeze=False, layout="constrained"
    )
    for ax, name in zip(panels[0], names):
        epochs = range(1, len(columns[name]) + 1)
        ax.plot(
            epochs,
            columns[name],
            color="#3366cc",
            marker="o" if len(columns[name]) < 15 else None,
            markersize=3,
            label="training",
        )
        if f"val_{name}" in columns:
            ax.plot(
                epochs,
                columns[f"val_{name}"],
                color="#e86452",
                marker="o" if len(columns[name]) < 15 else None,
                markersize=3,
                label="validation",
            )
            ax.legend(frameon=False)
        ax.set_title(name)
        ax.set_xlabel("epoch")
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def plot_confusion_matrix(matrix: Any, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """A confusion matrix, [target][prediction], as colors and numbers."""
    plt = _pyplot()
    rows = matrix.tolist() if hasattr(matrix, "tolist") else [list(r) for r in matrix]
    if ax is None:
        _, ax = plt.subplots(
            figsize=(1 + 0.5 * len(rows), 1 + 0.5 * len(rows)), layout="constrained"
        )
    ax.imshow(rows, cmap="Blues")
    top = max(max(r) for r in rows)
    for i, r in enumerate(rows):
        for j, v in enumerate(r):
            ax.text(
                j,
                i,
                f"{v:.2f}" if isinstance(v, float) else str(v),
                ha="center",
                va="center",
                fontsize=8,
                color="white" if v > 0.6 * top else "black",
            )
    names = [str(k) for k in range(len(rows))] if labels is None else list(labels)
    ax.set_xticks(range(len(rows)), names)
    ax.set_yticks(range(len(rows)), names)
    ax.set_xlabel("prediction")
    ax.set_ylabel("target")
    return ax


__all__ = ["plot_confusion_matrix", "plot_history", "plot_network", "plot_wiring"]
