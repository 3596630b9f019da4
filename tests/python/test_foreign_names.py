"""Names of NumPy, torch, JAX, MLX and Keras: they resolve, or the error names a replacement."""

import importlib
import pathlib
import re

import pytest

import ember_ml as em
from ember_ml._compat import absent

LISTS = {}
for line in pathlib.Path(__file__).with_name("foreign_names.txt").read_text().splitlines():
    if line.startswith("["):
        names = LISTS.setdefault(line.strip("[]"), [])
    elif not line.startswith("#"):
        names += line.split()

# Percentages of a list's names that resolve or name an alternative, and that resolve.
GOALS = {
    "numpy": (100, 94),
    "torch": (100, 80),
    "jax": (100, 65),
    "mlx": (100, 50),
    "keras": (100, 5),
    "tensor methods": (100, 94),
}


def answer(path, start):
    """None if a name resolves, else the error's text."""
    place, walked = start, "ember_ml"
    for part in path.split("."):
        try:
            place = getattr(place, part)
        except AttributeError as e:
            try:
                place = importlib.import_module(f"{walked}.{part}")
            except ImportError:
                return str(e)
        walked += f".{part}"
    return None


def results(title):
    start = em.ones((2, 2)) if title == "tensor methods" else em
    return {name: answer(name, start) for name in LISTS[title]}


@pytest.mark.parametrize("title", LISTS)
def test_names_resolve_or_say_what_to_write(title):
    found = results(title)
    silent = [name for name, said in found.items() if said is not None and ": " not in said]
    refused = [name for name, said in found.items() if said is not None and ": " in said]
    answered, resolve = GOALS[title]
    assert 100 * len(silent) <= (100 - answered) * len(found), f"nothing is said of {silent}"
    assert 100 * (len(found) - len(silent) - len(refused)) >= resolve * len(found), (
        f"refused: {refused}, nothing is said of {silent}"
    )


ADVICE = [("em", absent.TOP), ("x", absent.TENSOR), ("nn", absent.NN)]


@pytest.mark.parametrize("place,table", ADVICE, ids=[place for place, _ in ADVICE])
def test_advice_names_what_is_there(place, table):
    """Every em.name, nn.Name and training.Name in an advice exists."""
    starts = {"em": em, "nn": em.nn, "training": em.training}
    for name, advice in table.items():
        for start, path in re.findall(r"\b(em|nn|training)\.([A-Za-z_][\w.]*\w)", advice):
            assert answer(path, starts[start]) is None, f"{place}.{name}: {advice}"


def test_advice_is_for_absent_names():
    for place, table in ((em, absent.TOP), (em.ones(1), absent.TENSOR), (em.nn, absent.NN)):
        assert not [name for name in table if hasattr(place, name)]


def test_absent_names_raise_with_advice():
    with pytest.raises(
        AttributeError, match=r"'ember_ml' has no attribute 'copyto': use x\[\.\.\.\] = y"
    ):
        em.copyto
    with pytest.raises(AttributeError, match="did you mean 'softmax'"):
        em.softmx
    with pytest.raises(AttributeError, match="did you mean 'Conv2d'"):
        em.nn.Conv2D
    with pytest.raises(AttributeError, match="nn.GroupNorm"):
        em.nn.LocalResponseNorm
    with pytest.raises(AttributeError, match=r"use em\.grad"):
        em.ones(1).register_hook
    with pytest.raises(ImportError):
        from ember_ml import copyto  # noqa: F401
    assert (
        not hasattr(em, "copyto")
        and not hasattr(em.ones(1), "register_hook")
        and not hasattr(em, "__wrapped__")
    )


def test_words_for_dtypes_hide_nothing():
    scope = {}
    exec("from ember_ml import *", scope)
    assert scope["cat"] is em.cat and not {"float", "int", "long"} & scope.keys()
    assert (
        em.float is em.float32
        and em.long is em.int64
        and em.half is em.float16
        and em.double is em.float64
    )
