"""Training in MLX's form: `nn.value_and_grad(model, f)` and `optimizer.update(model, gradients)`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import _core
from .._compat.mlx import METHODS
from .._core.nn import Embedding, Module
from .._core.training import Optimizer


def value_and_grad(
    model: Module, fn: Callable[..., Any]
) -> Callable[..., tuple[Any, dict[str, Any]]]:
    """A function that gives fn's value and its gradient with respect to the model's trainable
    parameters, by name.

    fn returns one number, or a tuple whose first element is that number, computed with the model.
    """

    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        result = fn(*args, **kwargs)
        value = result[0] if isinstance(result, tuple) else result
        if not isinstance(value, _core.EmberTensor) or value.size != 1:
            raise _core.ShapeError(
                f"[value_and_grad] the function must return one number, not {value!r}"
            )
        named = {name: p for name, p in model.named_parameters() if p.requires_grad}
        if not named:
            raise _core.StateError("[value_and_grad] the model has no trainable parameters")
        gradients = _core.gradients([value], list(named.values()))
        return result, dict(zip(named, gradients))

    return wrapped


def update(self: Optimizer, model: Module, gradients: dict[str, Any]) -> None:
    """One step with gradients by the names of the model's parameters, as nn.value_and_grad gives
    them.
    """
    parameters = dict(model.named_parameters())
    unknown = [name for name in gradients if name not in parameters]
    if unknown:
        raise _core.ValueError(
            f"[update] the model has no parameter {unknown[0]!r}; it has {', '.join(parameters)}"
        )
    self.apply_gradients([(gradient, parameters[name]) for name, gradient in gradients.items()])


class _State:
    """`state`, for `eval(model.state, optimizer.state)`. A module may have an attribute of that
    name instead.
    """

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner.state_dict()


def from_pretrained(
    cls: type[Embedding], embeddings: Any, freeze: bool = True, padding_idx: int | None = None
) -> Embedding:
    """torch's: an embedding with these vectors, which are not trained unless freeze is False."""
    vectors = _core.convert_to_tensor(embeddings)
    count, width = vectors.shape
    layer = cls(count, width) if padding_idx is None else cls(count, width, padding_idx)
    layer.load_state_dict({"weight": vectors})
    layer.freeze(freeze)
    return layer


def install() -> None:
    """Adds MLX's methods to optimizers and modules."""
    setattr(Optimizer, "update", update)
    setattr(Embedding, "from_pretrained", classmethod(from_pretrained))
    for method in METHODS:
        setattr(Module, method.__name__, method)
    for kind in (Optimizer, Module):
        setattr(kind, "state", _State())
