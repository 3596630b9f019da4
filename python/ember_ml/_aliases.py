"""Module paths of Ember ML, as aliases of Ember's modules."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# A name below an alias is also an alias. A module with submodules needs a __path__.
MODULES = {
    "emberharmony": "ember_ml",
    "ember_ml.activations": "ember_ml.ops.activations",
    "ember_ml.backend.mlx": "ember_ml.backend",
    "ember_ml.backend.numpy": "ember_ml.backend",
    "ember_ml.backend.torch": "ember_ml.backend",
    "ember_ml.backend.types": "ember_ml.types",
    "ember_ml.bitwise": "ember_ml.ops.bitwise",
    "ember_ml.core": "ember_ml",
    "ember_ml.linearalg": "ember_ml.linalg",
    "ember_ml.nn.tensor": "ember_ml.tensor",
    "ember_ml.ops.linearalg": "ember_ml.linalg",
    "ember_ml.numpy": "ember_ml",
    "ember_ml.optimizers": "ember_ml.optim",
    "ember_ml.random": "ember_ml.ops.random",
    "ember_ml.scipy.linalg": "ember_ml.linalg",
    "ember_ml.scipy.special": "ember_ml.special",
    "ember_ml.stats": "ember_ml.ops.stats",
    "ember_ml.tensor.common": "ember_ml.tensor",
    "ember_ml.tensor.dtypes": "ember_ml.tensor",
    "ember_ml.tensor.interfaces": "ember_ml.interfaces",
    "ember_ml.tensor.types": "ember_ml.types",
    "ember_ml.interfaces.dtype": "ember_ml.interfaces",
    "ember_ml.interfaces.tensor": "ember_ml.interfaces",
    "ember_ml.features.base": "ember_ml.features",
    "ember_ml.features.column_feature_extraction": "ember_ml.features.columns",
    "ember_ml.features.common": "ember_ml.features",
    "ember_ml.features.generic_csv_loader": "ember_ml.features.columns",
    "ember_ml.features.generic_type_detector": "ember_ml.features.columns",
    "ember_ml.features.pca_features": "ember_ml.features",
    "ember_ml.features.tensor_features": "ember_ml.features",
    "ember_ml.features.wave_extractor": "ember_ml.features.wave",
    "ember_ml.nn.features": "ember_ml.features",
    "ember_ml.nn.init": "ember_ml.nn.initializers",
    "ember_ml.models.rbm.rbm": "ember_ml.models.rbm",
    "ember_ml.models.rbm.rbm_module": "ember_ml.models.rbm",
    "ember_ml.nn.initializers.binomial": "ember_ml.nn.initializers",
    "ember_ml.nn.initializers.glorot": "ember_ml.nn.initializers",
    "ember_ml.nn.initializers.orthogonal": "ember_ml.nn.initializers",
    "ember_ml.nn.layers.batch_normalization": "ember_ml.nn.modules.batch_normalization",
    "ember_ml.nn.layers.dropout": "ember_ml.nn.layers",
    "ember_ml.nn.layers.linear": "ember_ml.nn.layers",
    "ember_ml.nn.layers.sequential": "ember_ml.nn.layers",
    "ember_ml.nn.modules.activations.dropout_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.lecun_tanh_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.relu_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.sigmoid_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.softmax_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.softplus_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.activations.tanh_module": "ember_ml.nn.modules.activations",
    "ember_ml.nn.modules.auto_ncp": "ember_ml.nn.modules.ncp",
    "ember_ml.nn.modules.base_module": "ember_ml.nn.modules",
    "ember_ml.nn.modules.rnn.cfc": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.ctrqnet": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.gru": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.lqnet": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.lstm": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.ltc": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.rnn": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.se_cfc": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.stride_aware": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.stride_aware_cell": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.stride_aware_cfc": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.rnn.stride_aware_cfc_layer": "ember_ml.nn.modules.rnn",
    "ember_ml.nn.modules.wiring.enhanced_ncp_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.enhanced_neuron_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.fully_connected_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.fully_connected_ncp_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.ncp_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.neuron_map": "ember_ml.nn.modules.wiring",
    "ember_ml.nn.modules.wiring.random_map": "ember_ml.nn.modules.wiring",
    "ember_ml.training.hebbian": "ember_ml.training",
    "ember_ml.training.hebbian.hebbian": "ember_ml.training",
    "ember_ml.training.loss": "ember_ml.training",
    "ember_ml.training.loss.base": "ember_ml.training",
    "ember_ml.training.loss.cross_entropy": "ember_ml.training",
    "ember_ml.training.loss.mse": "ember_ml.training",
    "ember_ml.training.metrics": "ember_ml.training",
    "ember_ml.training.metrics.classification": "ember_ml.training",
    "ember_ml.training.metrics.regression": "ember_ml.training",
    "ember_ml.training.optimizer": "ember_ml.training",
    "ember_ml.training.optimizer.adam": "ember_ml.training",
    "ember_ml.training.optimizer.base": "ember_ml.training",
    "ember_ml.training.optimizer.gradient_tape": "ember_ml.training",
    "ember_ml.training.optimizer.sgd": "ember_ml.training",
    "ember_ml.utils.visualization": "ember_ml.visualization",
}


def target(name: str) -> str:
    """The path of the module that an alias stands for."""
    parent = name
    while parent:
        if parent in MODULES:
            return target(MODULES[parent] + name[len(parent) :])
        parent = parent.rpartition(".")[0]
    return name


class Aliases:
    """First among the finders: below a second name another one would load the same file again."""

    def find_spec(self, name: str, path: Any = None, of: Any = None) -> ModuleSpec | None:
        ours = name.startswith(("ember_ml.", "emberharmony."))
        return ModuleSpec(name, self) if ours and target(name) != name else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # Import returns this object.
        sys.modules[module.__name__] = import_module(target(module.__name__))


sys.meta_path.insert(0, Aliases())
