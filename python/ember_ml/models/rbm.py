"""A restricted Boltzmann machine: visible and hidden units that are 0 or 1, with energy -v W h - b
v - c h.
"""

from __future__ import annotations

from typing import Any

from .._core import EmberTensor, Parameter, ShapeError, StateError, ValueError, functions as _f
from .._core.nn import Module
from .._grad import eval as _evaluate, no_grad
from .._core import training as _t

__path__: list[str] = []  # so that rbm.rbm_module can be imported: _aliases knows it


class RestrictedBoltzmannMachine(Module):
    """Learns a distribution over vectors of numbers between 0 and 1, by contrastive divergence.

    weights [n_visible, n_hidden], visible_bias and hidden_bias are Parameters; train() changes them
    with momentum and weight decay. use_binary_states: Gibbs steps draw visible units instead of
    taking their probabilities.
    """

    def __init__(
        self,
        n_visible: int,
        n_hidden: int,
        learning_rate: float = 0.01,
        momentum: float = 0.5,
        weight_decay: float = 1e-4,
        batch_size: int = 10,
        use_binary_states: bool = False,
        seed: int | None = None,
    ) -> None:
        super().__init__()
        if n_visible < 1 or n_hidden < 1:
            raise ValueError(
                f"[RestrictedBoltzmannMachine] needs visible and hidden units, not {n_visible} and {n_hidden}"
            )
        self.n_visible, self.n_hidden, self.learning_rate, self.momentum = (
            n_visible,
            n_hidden,
            learning_rate,
            momentum,
        )
        self.weight_decay, self.batch_size, self.use_binary_states, self.seed = (
            weight_decay,
            batch_size,
            use_binary_states,
            seed,
        )
        self.weights = Parameter(
            _f["random_normal"]((n_visible, n_hidden), 0.0, 0.01 / n_visible**0.5, seed=seed)
        )
        self.visible_bias, self.hidden_bias = (
            Parameter(_f["zeros"]((n_visible,))),
            Parameter(_f["zeros"]((n_hidden,))),
        )
        self.training_errors: list[float] = []
        self.register_buffer("threshold", None)

    def _rows(self, v: Any, width: int) -> EmberTensor:
        x = _f["asarray"](v)
        x = x.astype(self.weights.dtype) if x.dtype != self.weights.dtype else x
        if x.ndim == 1:
            x = x[None]
        if x.ndim != 2 or x.shape[1] != width:
            raise ShapeError(
                f"[RestrictedBoltzmannMachine] takes rows of {width} units, not the shape {x.shape}"
            )
        return x

    def compute_hidden_probabilities(self, visible_states: Any) -> EmberTensor:
        """The probability of each hidden unit, given the visible units."""
        return _f["sigmoid"](
            self._rows(visible_states, self.n_visible) @ self.weights + self.hidden_bias
        )

    def compute_visible_probabilities(self, hidden_states: Any) -> EmberTensor:
        """The probability of each visible unit, given the hidden units."""
        return _f["sigmoid"](
            self._rows(hidden_states, self.n_hidden) @ self.weights.T + self.visible_bias
        )

    def sample_hidden_states(self, hidden_probs: Any) -> EmberTensor:
        """Bernoulli samples with these probabilities."""
        p = _f["asarray"](hidden_probs)
        return (_f["random_uniform"](p.shape, dtype=p.dtype) < p).astype(p.dtype)

    sample_visible_states = sample_hidden_states

    def _step(self, hidden: EmberTensor) -> EmberTensor:
        v = self.compute_visible_probabilities(hidden)
        return self.sample_visible_states(v) if self.use_binary_states else v

    def compute_free_energy(self, visible_states: Any) -> EmberTensor:
        """-log of the unnormalized probability of each row."""
        v = self._rows(visible_states, self.n_visible)
        return -(v @ self.visible_bias) - _f["sum"](
            _f["softplus"](v @ self.weights + self.hidden_bias), axis=1
        )

    free_energy = compute_free_energy

    def _divergence(self, batch: EmberTensor, k: int) -> tuple[list[EmberTensor], EmberTensor]:
        """The gradients of the log likelihood by k Gibbs steps, and the error of the
        reconstruction.
        """
        first = self.compute_hidden_probabilities(batch)
        hidden, v, h = self.sample_hidden_states(first), batch, first
        for _ in range(k):
            v = self._step(hidden)
            h = self.compute_hidden_probabilities(v)
            hidden = self.sample_hidden_states(h)
        n = batch.shape[0]
        gradients = [
            (batch.T @ first - v.T @ h) / n,
            _f["mean"](batch - v, axis=0),
            _f["mean"](first - h, axis=0),
        ]
        return gradients, _f["mean"]((batch - v) ** 2)

    def contrastive_divergence(self, batch_data: Any, k: int = 1) -> float:
        """One training step on a batch; returns the reconstruction error."""
        if k < 1:
            raise ValueError(f"[contrastive_divergence] k must be positive, not {k}")
        with no_grad():
            return float(self._learn(self._rows(batch_data, self.n_visible), k))

    def _learn(self, batch: EmberTensor, k: int) -> EmberTensor:
        gradients, error = self._divergence(batch, k)
        if not hasattr(self, "_velocity"):
            self._velocity = [_f["zeros_like"](g) for g in gradients]
        decay = (self.weight_decay, 0.0, 0.0)
        owners = (self.weights, self.visible_bias, self.hidden_bias)
        self._velocity = [
            v * self.momentum + (g - p.data * d) * self.learning_rate
            for v, g, p, d in zip(self._velocity, gradients, owners, decay)
        ]
        for p, v in zip(owners, self._velocity):
            p.data = p.data + v
        # Otherwise the graph of all steps would stay recorded.
        _evaluate(error, *owners, *self._velocity)
        return error

    def train(
        self,
        data: Any = True,
        epochs: int = 10,
        k: int = 1,
        validation_data: Any = None,
        early_stopping_patience: int | None = None,
        verbose: bool = False,
    ) -> Any:
        """Learns from rows by contrastive divergence; the mean reconstruction error of each epoch.
        train(True) and train(False) set the mode, as for every module.
        """
        if isinstance(data, bool):
            return super().train(data)
        x = self._rows(data, self.n_visible)
        best, waited = float("inf"), 0
        for epoch in range(epochs):
            errors = []
            order = _t.permutation(x.shape[0], self.seed or 0, len(self.training_errors))
            with no_grad():
                for i in range(0, len(order), self.batch_size):
                    batch = _f["take"](x, _f["asarray"](order[i : i + self.batch_size]), axis=0)
                    errors.append((self._learn(batch, k), batch.shape[0]))
            self.training_errors.append(sum(float(e) * n for e, n in errors) / len(order))
            held_out = (
                None
                if validation_data is None
                else float(self.reconstruction_error(validation_data))
            )
            if verbose:
                print(
                    f"epoch {epoch + 1}/{epochs}: error {self.training_errors[-1]:.4g}"
                    + ("" if held_out is None else f", held out {held_out:.4g}")
                )
            score = self.training_errors[-1] if held_out is None else held_out
            best, waited = (score, 0) if score < best else (best, waited + 1)
            if early_stopping_patience is not None and waited > early_stopping_patience:
                break
        scores = self.anomaly_score(x)
        self.threshold = (_f["mean"](scores) + 3 * _f["std"](scores)).detach()
        return list(self.training_errors)

    def forward(self, x: Any) -> EmberTensor:
        """The probabilities of the hidden units."""
        return self.compute_hidden_probabilities(x)

    def transform(self, data: Any) -> EmberTensor:
        """The probabilities of the hidden units, without a gradient."""
        with no_grad():
            return self.compute_hidden_probabilities(data)

    def reconstruct(self, data: Any) -> EmberTensor:
        """The reconstruction of rows from their hidden units."""
        with no_grad():
            return self.compute_visible_probabilities(self.compute_hidden_probabilities(data))

    def reconstruction_error(self, data: Any, per_sample: bool = False) -> EmberTensor:
        """The mean squared difference between rows and their reconstruction."""
        x = self._rows(data, self.n_visible)
        each = _f["mean"]((x - self.reconstruct(x)) ** 2, axis=1)
        return each if per_sample else _f["mean"](each)

    def generate_samples(self, n_samples: int, num_gibbs_steps: int = 1000) -> EmberTensor:
        """Rows drawn from the model, as probabilities of the last step."""
        with no_grad():
            v = (_f["random_uniform"]((n_samples, self.n_visible)) < 0.5).astype(self.weights.dtype)
            for _ in range(num_gibbs_steps):
                hidden = self.sample_hidden_states(self.compute_hidden_probabilities(v))
                v = self.compute_visible_probabilities(hidden)
                v = v.eval() if not self.use_binary_states else self.sample_visible_states(v).eval()
            return v

    def anomaly_score(self, data: Any, method: str = "reconstruction") -> EmberTensor:
        """An anomaly score for each row, by its reconstruction error or free energy."""
        if method == "reconstruction":
            return self.reconstruction_error(data, per_sample=True)
        if method == "free_energy":
            with no_grad():
                return self.compute_free_energy(data)
        raise ValueError(
            f"[anomaly_score] method must be reconstruction or free_energy, not {method!r}"
        )

    def is_anomaly(self, data: Any) -> EmberTensor:
        """Rows whose reconstruction error exceeds the mean of the training data by three standard
        deviations.
        """
        if self.threshold is None:
            raise StateError("[is_anomaly] call train(data) first")
        return self.anomaly_score(data) > self.threshold

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            name: getattr(self, name)
            for name in (
                "n_visible",
                "n_hidden",
                "learning_rate",
                "momentum",
                "weight_decay",
                "batch_size",
                "use_binary_states",
                "seed",
            )
        }


RBM = RBMModule = RestrictedBoltzmannMachine
__all__ = ["RBM", "RBMModule", "RestrictedBoltzmannMachine"]
