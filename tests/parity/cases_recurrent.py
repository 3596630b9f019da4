"""Recurrent networks, compared with a loop over steps and directions, gate by gate, in float64."""

import itertools

import numpy as np

from harness import *

F = {"sigmoid": lambda v: 1 / (1 + np.exp(-v)), "tanh": np.tanh, "relu": lambda v: np.maximum(v, 0)}
DEFAULT = {
    "lstm": ("iofg", ["sigmoid", "tanh", "tanh"]),
    "gru": ("zrn", ["sigmoid", "tanh"]),
    "rnn": ("h", ["tanh"]),
}


def step(kind, x, w, r, h, c, bias, recurrent_bias, peephole, reset_after, layout, activations):
    """One step of one direction: the next hidden and cell state."""
    layout, f = layout or DEFAULT[kind][0], [F[a] for a in activations or DEFAULT[kind][1]]
    n = h.shape[-1]
    part = {letter: slice(k * n, (k + 1) * n) for k, letter in enumerate(layout)}
    b = 0 * w[:, 0] if bias is None else bias
    rb = 0 * w[:, 0] if recurrent_bias is None else recurrent_bias
    p = np.zeros(3 * n) if peephole is None else peephole
    seen = {g: x @ w[s].T + b[s] for g, s in part.items()}
    kept = {g: h @ r[s].T + rb[s] for g, s in part.items()}
    if kind == "lstm":
        i = f[0](seen["i"] + kept["i"] + p[:n] * c)
        o = f[0](seen["o"] + kept["o"] + p[n : 2 * n] * c)
        forget = f[0](seen["f"] + kept["f"] + p[2 * n :] * c)
        c = forget * c + i * f[1](seen["g"] + kept["g"])
        return o * f[2](c), c
    if kind == "gru":
        z, reset = f[0](seen["z"] + kept["z"]), f[0](seen["r"] + kept["r"])
        last = reset * kept["n"] if reset_after else (reset * h) @ r[part["n"]].T + rb[part["n"]]
        return z * h + (1 - z) * f[1](seen["n"] + last), c
    return f[0](seen["h"] + kept["h"]), c


def network(kind):
    def ref(
        x,
        w,
        r,
        bias=None,
        recurrent_bias=None,
        peephole=None,
        initial_hidden=None,
        initial_cell=None,
        reset_after=True,
        return_sequence=True,
        direction="forward",
        layout="",
        activations=(),
    ):
        steps, batch, _ = x.shape
        directions, hidden = r.shape[0], r.shape[2]
        h = (
            np.zeros((directions, batch, hidden))
            if initial_hidden is None
            else initial_hidden.copy()
        )
        c = np.zeros((directions, batch, hidden)) if initial_cell is None else initial_cell.copy()
        sequence = np.zeros((steps, directions, batch, hidden))
        of = lambda v, d: None if v is None else v[d]
        for d in range(directions):
            for t in range(steps) if direction != "backward" and d == 0 else reversed(range(steps)):
                h[d], c[d] = step(
                    kind,
                    x[t],
                    w[d],
                    r[d],
                    h[d],
                    c[d],
                    of(bias, d),
                    of(recurrent_bias, d),
                    of(peephole, d),
                    reset_after,
                    layout,
                    activations,
                )
                sequence[t, d] = h[d]
        return [h] + [c] * (kind == "lstm") + [sequence] * return_sequence

    return ref


def cell(kind):
    def ref(
        x,
        w,
        r,
        h,
        c=None,
        bias=None,
        recurrent_bias=None,
        peephole=None,
        reset_after=True,
        layout="",
        activations=(),
    ):
        h, c = step(
            kind, x, w, r, h, c, bias, recurrent_bias, peephole, reset_after, layout, activations
        )
        return [h, c] if kind == "lstm" else h

    return ref


STEPS, BATCH, INPUT, HIDDEN = 4, 3, 5, 2
for kind, gates, layouts in (
    ("lstm", 4, ("", "iofg", "ifgo")),
    ("gru", 3, ("", "zrn", "rzn")),
    ("rnn", 1, ("",)),
):
    g = gates * HIDDEN
    for direction, layout in itertools.product(("forward", "backward", "both"), layouts):
        d = 2 if direction == "both" else 1
        args = [A((STEPS, BATCH, INPUT)), A((d, g, INPUT)), A((d, g, HIDDEN))]
        biases = {"bias": A((d, g)), "recurrent_bias": A((d, g))}
        state = {
            "initial_hidden": A((d, BATCH, HIDDEN)),
            **({"initial_cell": A((d, BATCH, HIDDEN))} if kind == "lstm" else {}),
        }
        name = f"{direction} {layout}"
        case(
            kind,
            args,
            network(kind),
            FLOATS,
            direction=direction,
            layout=layout,
            id=name,
            **biases,
            **state,
        )
        case(
            kind, args, network(kind), REALS, direction=direction, layout=layout, id=f"{name} plain"
        )
        case(
            kind,
            args,
            network(kind),
            REALS,
            direction=direction,
            layout=layout,
            return_sequence=False,
            id=f"{name} last",
            recurrent_bias=A((d, g)),
        )
        if kind == "lstm":
            case(
                kind,
                args,
                network(kind),
                FLOATS,
                direction=direction,
                layout=layout,
                peephole=A((d, 3 * HIDDEN)),
                id=f"{name} peephole",
                **biases,
                **state,
            )
            case(
                kind,
                args,
                network(kind),
                REALS,
                direction=direction,
                layout=layout,
                activations=["relu", "sigmoid", "relu"],
                id=f"{name} activations",
                **biases,
            )
        if kind == "gru":
            case(
                kind,
                args,
                network(kind),
                FLOATS,
                direction=direction,
                layout=layout,
                reset_after=False,
                id=f"{name} reset before",
                **biases,
                **state,
            )
            case(
                kind,
                args,
                network(kind),
                REALS,
                direction=direction,
                layout=layout,
                activations=["tanh", "relu"],
                reset_after=False,
                id=f"{name} activations",
                **biases,
            )
        if kind == "rnn":
            case(
                kind,
                args,
                network(kind),
                REALS,
                direction=direction,
                activations=["relu"],
                id=f"{name} activations",
                **biases,
            )
    case(
        kind,
        [A((0, BATCH, INPUT)), A((1, g, INPUT)), A((1, g, HIDDEN))],
        network(kind),
        REALS,
        initial_hidden=A((1, BATCH, HIDDEN)),
        id="no steps",
    )
    case(
        kind,
        [A((STEPS, 0, INPUT)), A((1, g, INPUT)), A((1, g, HIDDEN))],
        network(kind),
        REALS,
        id="no batch",
    )
    case(
        kind,
        [A((1, 1, 1)), A((2, gates, 1)), A((2, gates, 1))],
        network(kind),
        REALS,
        direction="both",
        id="ones",
    )
    case(
        kind,
        [A((12, 8, 30)), A((1, gates * 40, 30), -0.2, 0.2), A((1, gates * 40, 40), -0.2, 0.2)],
        network(kind),
        ("float32", "float16"),
        bias=A((1, gates * 40)),
        id="size",
    )
    for layout in layouts:
        args = [A((BATCH, INPUT)), A((g, INPUT)), A((g, HIDDEN)), A((BATCH, HIDDEN))] + [
            A((BATCH, HIDDEN))
        ] * (kind == "lstm")
        op, ref = f"{kind}_cell", cell(kind)
        case(op, args, ref, FLOATS, layout=layout, bias=A((g,)), recurrent_bias=A((g,)), id=layout)
        case(op, args, ref, REALS, layout=layout, id=f"{layout} plain")
        if kind == "lstm":
            case(
                op,
                args,
                ref,
                REALS,
                layout=layout,
                bias=A((g,)),
                peephole=A((3 * HIDDEN,)),
                activations=["sigmoid", "relu", "tanh"],
                id=f"{layout} peephole",
            )
        if kind == "gru":
            case(
                op,
                args,
                ref,
                REALS,
                layout=layout,
                bias=A((g,)),
                recurrent_bias=A((g,)),
                reset_after=False,
                id=f"{layout} reset before",
            )
        if kind == "rnn":
            case(op, args, ref, REALS, activations=["sigmoid"], id="activations")
