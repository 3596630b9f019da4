"""Models of Ember ML: the restricted Boltzmann machine."""

from .rbm import RBM, RBMModule, RestrictedBoltzmannMachine

__all__ = ["RBM", "RBMModule", "RestrictedBoltzmannMachine"]
