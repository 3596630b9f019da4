"""Data sets for experiments, all offline: handwritten digits, a text, and generated points.

The generators have scikit-learn's names and meanings. They return x [n, features] as float32 and y,
classes as int64 or numbers as float32.
"""

from __future__ import annotations

import math
import random as _random
from pathlib import Path
from typing import Any, NamedTuple, Sequence

from .. import _core, ops
from .._compat.absent import getter as _getter
from .._core import EmberTensor

_HERE = Path(__file__).resolve().parent


class Digits(NamedTuple):
    """Handwritten digits: 8 x 8 pixels between 0 and 16 as rows of 64, and their classes."""

    data: EmberTensor
    target: EmberTensor

    @property
    def images(self) -> EmberTensor:
        """The pixels as [n, 8, 8]."""
        return self.data.reshape((-1, 8, 8))

    @property
    def target_names(self) -> list[int]:
        """The classes."""
        return list(range(10))


def load_digits(return_X_y: bool = False) -> Any:
    """1,797 handwritten digits of the UCI repository: data [1797, 64] and target, or the two as a
    pair.
    """
    rows = [
        [float(v) for v in line.split(",")] for line in (_HERE / "digits.csv").read_text().split()
    ]
    digits = Digits(
        ops.asarray([r[:64] for r in rows], dtype="float32"),
        ops.asarray([int(r[64]) for r in rows], dtype="int64"),
    )
    return tuple(digits) if return_X_y else digits


def load_text(name: str = "alice") -> str:
    """A text for character models: Alice's Adventures in Wonderland."""
    if name != "alice":
        raise _core.ValueError(f"[load_text] unknown text {name!r}; available: alice")
    return (_HERE / "alice.txt").read_text()


def _generator(random_state: int | None, seed: int | None) -> _random.Random:
    if random_state is not None and seed is not None:
        raise _core.DTypeError(
            "[datasets] random_state and seed are the same argument: give one of them"
        )
    return _random.Random(
        0 if random_state is None and seed is None else random_state if seed is None else seed
    )


def _pair(
    rows: list[list[float]],
    y: Sequence[float],
    shuffle: bool,
    dice: _random.Random,
    dtype: str = "int64",
) -> tuple[EmberTensor, EmberTensor]:
    order = list(range(len(rows)))
    if shuffle:
        dice.shuffle(order)
    return (
        ops.asarray([rows[i] for i in order], dtype="float32").reshape((len(rows), -1)),
        ops.asarray([y[i] for i in order], dtype=dtype),
    )


def _noisy(row: Sequence[float], noise: float | None, dice: _random.Random) -> list[float]:
    return [v + dice.gauss(0, noise) if noise else v for v in row]


def _halves(op: str, n_samples: int | tuple[int, int]) -> tuple[int, int]:
    first, second = (
        (n_samples // 2, n_samples - n_samples // 2) if isinstance(n_samples, int) else n_samples
    )
    if first < 0 or second < 0:
        raise _core.ValueError(f"[{op}] n_samples must not be negative: {n_samples}")
    return first, second


def _along(n: int, low: float, high: float) -> list[float]:
    return [low + (high - low) * i / max(1, n - 1) for i in range(n)]


def make_moons(
    n_samples: int | tuple[int, int] = 100,
    *,
    shuffle: bool = True,
    noise: float | None = None,
    random_state: int | None = None,
    seed: int | None = None,
) -> tuple[EmberTensor, EmberTensor]:
    """Two interleaving half circles."""
    dice, (outer, inner) = _generator(random_state, seed), _halves("make_moons", n_samples)
    rows = [[math.cos(t), math.sin(t)] for t in _along(outer, 0, math.pi)]
    rows += [[1 - math.cos(t), 0.5 - math.sin(t)] for t in _along(inner, 0, math.pi)]
    return _pair([_noisy(r, noise, dice) for r in rows], [0] * outer + [1] * inner, shuffle, dice)


def make_circles(
    n_samples: int | tuple[int, int] = 100,
    *,
    shuffle: bool = True,
    noise: float | None = None,
    factor: float = 0.8,
    random_state: int | None = None,
    seed: int | None = None,
) -> tuple[EmberTensor, EmberTensor]:
    """A circle of radius 1, class 0, around one of radius factor, class 1."""
    if not 0 <= factor < 1:
        raise _core.ValueError(
            f"[make_circles] factor must be at least 0 and less than 1, not {factor}"
        )
    dice, (outer, inner) = _generator(random_state, seed), _halves("make_circles", n_samples)
    rows = [
        [radius * math.cos(2 * math.pi * i / n), radius * math.sin(2 * math.pi * i / n)]
        for radius, n in ((1.0, outer), (factor, inner))
        for i in range(n)
    ]
    return _pair([_noisy(r, noise, dice) for r in rows], [0] * outer + [1] * inner, shuffle, dice)


def make_blobs(
    n_samples: int | Sequence[int] = 100,
    n_features: int = 2,
    *,
    centers: int | Sequence[Sequence[float]] | None = None,
    cluster_std: float | Sequence[float] = 1.0,
    center_box: tuple[float, float] = (-10.0, 10.0),
    shuffle: bool = True,
    random_state: int | None = None,
    seed: int | None = None,
) -> tuple[EmberTensor, EmberTensor]:
    """Normally distributed points around centers, which are given or drawn within center_box."""
    dice = _generator(random_state, seed)
    counts = None if isinstance(n_samples, int) else list(n_samples)
    if centers is None:
        centers = len(counts) if counts else 3
    places = (
        [[dice.uniform(*center_box) for _ in range(n_features)] for _ in range(centers)]
        if isinstance(centers, int)
        else [list(c) for c in centers]
    )
    if counts is None:
        assert isinstance(n_samples, int)
        counts = [
            n_samples // len(places) + (i < n_samples % len(places)) for i in range(len(places))
        ]
    spread = (
        [float(cluster_std)] * len(places)
        if isinstance(cluster_std, (int, float))
        else list(cluster_std)
    )
    if len(counts) != len(places) or len(spread) != len(places):
        raise _core.ValueError(
            f"[make_blobs] {len(places)} centers, {len(counts)} sample counts and {len(spread)} deviations must agree in number"
        )
    rows = [_noisy(place, s, dice) for place, n, s in zip(places, counts, spread) for _ in range(n)]
    return _pair(rows, [k for k, n in enumerate(counts) for _ in range(n)], shuffle, dice)


def make_regression(
    n_samples: int = 100,
    n_features: int = 100,
    *,
    n_informative: int = 10,
    n_targets: int = 1,
    bias: float = 0.0,
    noise: float = 0.0,
    shuffle: bool = True,
    coef: bool = False,
    random_state: int | None = None,
    seed: int | None = None,
) -> Any:
    """y = x @ w + bias + noise, where n_informative of the weights are not 0; with coef also w."""
    dice = _generator(random_state, seed)
    informative = (
        dice.sample(range(n_features), min(n_features, n_informative))
        if shuffle
        else list(range(min(n_features, n_informative)))
    )
    weights = [[0.0] * n_targets for _ in range(n_features)]
    for i in sorted(informative):
        weights[i] = [100 * dice.random() for _ in range(n_targets)]
    rows = [[dice.gauss(0, 1) for _ in range(n_features)] for _ in range(n_samples)]
    x, w = (
        ops.asarray(rows, dtype="float64").reshape((n_samples, n_features)),
        ops.asarray(weights, dtype="float64"),
    )
    y = x @ w + bias
    if noise:
        y = y + ops.asarray(
            [[dice.gauss(0, noise) for _ in range(n_targets)] for _ in range(n_samples)],
            dtype="float64",
        )
    if n_targets == 1:
        y, w = y[:, 0], w[:, 0]
    found = tuple(t.astype("float32").eval() for t in (x, y, w))
    return found if coef else found[:2]


def make_classification(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_informative: int = 2,
    n_redundant: int = 2,
    n_classes: int = 2,
    class_sep: float = 1.0,
    flip_y: float = 0.01,
    shuffle: bool = True,
    random_state: int | None = None,
    seed: int | None = None,
) -> tuple[EmberTensor, EmberTensor]:
    """Classes around corners of a cube of n_informative dimensions; n_redundant features are linear
    combinations of these, the others noise. flip_y: the fraction of classes that are replaced at
    random.
    """
    if n_informative + n_redundant > n_features or n_classes > 2**n_informative:
        raise _core.ValueError(
            f"[make_classification] {n_features} features are too few for {n_informative} informative and {n_redundant} "
            f"redundant ones, or 2**{n_informative} corners for {n_classes} classes"
        )
    dice = _generator(random_state, seed)
    corners = dice.sample(range(2**n_informative), n_classes)
    mixing = [[dice.uniform(-1, 1) for _ in range(n_redundant)] for _ in range(n_informative)]
    places = dice.sample(range(n_features), n_features) if shuffle else list(range(n_features))
    rows, y = [], []
    for i in range(n_samples):
        k = i % n_classes
        informative = [
            dice.gauss(class_sep * (1 if corners[k] >> d & 1 else -1), 1)
            for d in range(n_informative)
        ]
        redundant = [sum(v * m[r] for v, m in zip(informative, mixing)) for r in range(n_redundant)]
        row = (
            informative
            + redundant
            + [dice.gauss(0, 1) for _ in range(n_features - n_informative - n_redundant)]
        )
        rows.append([row[p] for p in places])
        y.append(dice.randrange(n_classes) if dice.random() < flip_y else k)
    return _pair(rows, y, shuffle, dice)


__all__ = [
    "Digits",
    "load_digits",
    "load_text",
    "make_blobs",
    "make_circles",
    "make_classification",
    "make_moons",
    "make_regression",
]

__getattr__ = _getter(
    __name__,
    {
        name: "use em.datasets.load_digits(): all data here is offline"
        for name in ("cifar10", "fashion_mnist", "fetch_openml", "load_iris", "mnist")
    },
    __all__,
)
