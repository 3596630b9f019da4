"""Derivatives of functions under torch.func's names."""

from __future__ import annotations

from ._compat.absent import getter as _getter
from ._custom import jvp, vjp
from ._grad import grad, hessian, jacobian, value_and_grad

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp"]

jacfwd = jacrev = jacobian


def grad_and_value(f, argnums=0, has_aux=False):  # type: ignore[no-untyped-def]
    """A function that gives f's gradient and value, in torch.func's order."""
    both = value_and_grad(f, argnums, has_aux)

    def wrapped(*args, **kwargs):  # type: ignore[no-untyped-def]
        value, gradient = both(*args, **kwargs)
        return gradient, value

    return wrapped


__getattr__ = _getter(
    __name__,
    {
        "functional_call": "use model.load_state_dict(weights), or em.nn.value_and_grad(model, f)",
        "vmap": "write the batch as an axis: ops broadcast, and matrices come in stacks",
    },
    __all__,
)
