"""Models of Ember ML: the restricted Boltzmann machine."""

from .rbm import RBM, RBMModule, RestrictedBoltzmannMachine
from .._compat.absent import getter as _getter

__all__ = ["RBM", "RBMModule", "RestrictedBoltzmannMachine"]

__getattr__ = _getter(__name__, {"load_model": "use net.load(path), or em.onnx.load"}, __all__)
