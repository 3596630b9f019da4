# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter
from ember_ml._core.distributed import Strategy

class ParamGroup:
    """
    A parameter group of an optimizer: a mapping whose changes reach the optimizer.
    """

    def __getitem__(self, arg: str, /) -> Any: ...

    def __setitem__(self, arg0: str, arg1: object, /) -> None: ...

    def __contains__(self, arg: object, /) -> bool: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def keys(self) -> list[Any]: ...

    def values(self) -> list[Any]: ...

    def items(self) -> list[Any]: ...

    def __repr__(self) -> str: ...

class Optimizer:
    """
    The base of optimizers. A step updates each parameter that has a gradient.
    """

    def step(self, also: object=(), *, only_if: ArrayLike | None=None) -> bool:
        """
        All updates as one graph, evaluated once together with the tensors in also. Where no parameter has a gradient and also has a tensor
        of each one's shape, those are the gradients.

        Returns whether the step took place: False only if only_if, one bool, is false.
        """

    def apply_gradients(self, grads_and_vars: object) -> bool:
        """
        A step with the gradients of pairs (gradient, Parameter); None is passed over. New Parameters join the first group.
        """

    def zero_grad(self, set_to_none: bool=True) -> None:
        """Clears the gradients."""

    def parameters(self) -> list[Parameter]:
        """The parameters of all groups."""

    @property
    def lr(self) -> float:
        """
        The learning rate of the first group; assignment sets that of all groups.
        """

    @lr.setter
    def lr(self, arg: float, /) -> None: ...

    @property
    def learning_rate(self) -> float:
        """
        The learning rate of the first group; assignment sets that of all groups.
        """

    @learning_rate.setter
    def learning_rate(self, arg: float, /) -> None: ...

    def state_dict(self) -> dict[str, EmberTensor]:
        """The state, as tensors: state.0.exp_avg, group.0.lr..."""

    def load_state_dict(self, state_dict: object) -> None:
        """
        Takes the state of an optimizer of the same kind over parameters of the same shapes; else nothing changes.
        """

    def update(self, *args: Any, **kwargs: Any) -> Any: ...
    state: Any

class SGD(Optimizer):
    """Gradient descent, optionally with momentum."""

    def __init__(self, params: object=None, lr: float=0.001, momentum: float=0.0, dampening: float=0.0, weight_decay: float=0.0, nesterov: bool=False, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Adam(Optimizer):
    """Adam: Kingma and Ba's method of moments."""

    def __init__(self, params: object=None, lr: float=0.001, betas: tuple[float, float]=(0.9, 0.999), eps: float=1e-08, weight_decay: float=0.0, amsgrad: bool=False, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class AdamW(Optimizer):
    """Adam with decoupled weight decay."""

    def __init__(self, params: object=None, lr: float=0.001, betas: tuple[float, float]=(0.9, 0.999), eps: float=1e-08, weight_decay: float=0.01, amsgrad: bool=False, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Adamax(Optimizer):
    """Adam with the infinity norm instead of the second moment."""

    def __init__(self, params: object=None, lr: float=0.002, betas: tuple[float, float]=(0.9, 0.999), eps: float=1e-08, weight_decay: float=0.0, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class RMSprop(Optimizer):
    """Gradients divided by their running root mean square."""

    def __init__(self, params: object=None, lr: float=0.01, alpha: float=0.99, eps: float=1e-08, weight_decay: float=0.0, momentum: float=0.0, centered: bool=False, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Adagrad(Optimizer):
    """Gradients divided by the root of the sum of their squares."""

    def __init__(self, params: object=None, lr: float=0.01, lr_decay: float=0.0, weight_decay: float=0.0, initial_accumulator_value: float=0.0, eps: float=1e-10, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Adadelta(Optimizer):
    """Adadelta: steps in the units of the parameters."""

    def __init__(self, params: object=None, lr: float=1.0, rho: float=0.9, eps: float=1e-06, weight_decay: float=0.0, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Lion(Optimizer):
    """Lion: the sign of a running mean of gradients."""

    def __init__(self, params: object=None, lr: float=0.0001, betas: tuple[float, float]=(0.9, 0.99), weight_decay: float=0.0, maximize: bool=False, **kwargs: object) -> None: ...

    def add_param_group(self, param_group: object) -> None:
        """
        Adds Parameters, or a dict with 'params' and options of their own; others are those of the first group.
        """

    def __getattr__(self, name: str) -> Any:
        """The options of the first group: momentum, beta_1, weight_decay..."""

    @property
    def param_groups(self) -> list[Any]:
        """
        The groups, each a mapping of its parameters and options; what is assigned there counts from the next step on.
        """

class Schedule:
    """
    Sets the learning rates of an optimizer: step() after each epoch, or after each step of the optimizer.
    """

    def step(self, metric: float | None=None) -> None:
        """Sets the next rate; ReduceLROnPlateau needs its metric."""

    def get_last_lr(self) -> list[float]:
        """The rate of each group."""

    @property
    def last_epoch(self) -> int:
        """The number of calls of step()."""

    def state_dict(self) -> dict[str, EmberTensor]:
        """The state, as tensors."""

    def load_state_dict(self, state_dict: object) -> None:
        """Restores a saved state."""

class LambdaLR(Schedule):
    """The first rate times lr_lambda(count)."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable[[int], float]) -> None: ...

class StepLR(LambdaLR):
    """Times gamma every step_size counts."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float=0.1) -> None: ...

class MultiStepLR(LambdaLR):
    """Times gamma at each milestone."""

    def __init__(self, optimizer: Optimizer, milestones: Sequence[int], gamma: float=0.1) -> None: ...

class ExponentialLR(LambdaLR):
    """Times gamma at each count."""

    def __init__(self, optimizer: Optimizer, gamma: float) -> None: ...

class LinearLR(LambdaLR):
    """
    A factor that goes from start_factor to end_factor in total_iters counts.
    """

    def __init__(self, optimizer: Optimizer, start_factor: float=0.3333333333333333, end_factor: float=1.0, total_iters: int=5) -> None: ...

class CosineAnnealingLR(Schedule):
    """Half a cosine from the first rate to eta_min in T_max counts."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float=0.0) -> None: ...

class CosineAnnealingWarmRestarts(Schedule):
    """Half cosines of T_0, T_0 * T_mult, ... counts."""

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int=1, eta_min: float=0.0) -> None: ...

class OneCycleLR(Schedule):
    """Up to max_lr, and down again, in total_steps counts."""

    def __init__(self, optimizer: Optimizer, max_lr: float, total_steps: int | None=None, epochs: int | None=None, steps_per_epoch: int | None=None, pct_start: float=0.3, anneal_strategy: str='cos', cycle_momentum: bool=True, base_momentum: float=0.85, max_momentum: float=0.95, div_factor: float=25.0, final_div_factor: float=10000.0, three_phase: bool=False) -> None: ...

class ReduceLROnPlateau(Schedule):
    """
    Times factor if a metric has not improved for more than patience counts.
    """

    def __init__(self, optimizer: Optimizer, mode: str='min', factor: float=0.1, patience: int=10, threshold: float=0.0001, threshold_mode: str='rel', cooldown: int=0, min_lr: float=0.0, eps: float=1e-08) -> None: ...

class SequentialLR(Schedule):
    """Schedules in sequence; each begins at its milestone."""

    def __init__(self, optimizer: Optimizer, schedulers: Sequence[Schedule], milestones: Sequence[int]) -> None: ...

def clip_grad_norm_(parameters: object, max_norm: float, norm_type: float=2.0) -> EmberTensor:
    """
    Scales the gradients so that their common norm is at most max_norm; returns the original norm.
    """

def clip_grad_value_(parameters: object, clip_value: float) -> None:
    """Clamps each element of the gradients to [-clip_value, clip_value]."""

class Dataset:
    """
    The base of datasets: define __len__ and __getitem__, which gives one example: a tuple of the inputs and the target.
    """

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Any: ...

class TensorDataset(Dataset):
    """Example i is row i of each tensor."""

    def __init__(self, *tensors: Any) -> None: ...

class Subset(Dataset):
    """Some examples of another dataset, in this order."""

    def __init__(self, dataset: object, indices: object) -> None: ...

    @property
    def indices(self) -> list[int]:
        """The indices of the examples."""

def permutation(n: int, seed: int, epoch: int=0) -> list[int]:
    """The order of n examples in an epoch of a shuffling loader."""

class Batches:

    def __iter__(self) -> Any: ...

    def __next__(self) -> Any: ...

class DataLoader:
    """
    Batches of a dataset, epoch after epoch, stacked in the form of its examples: tuples, lists, dicts.

    Each pass, `for batch in loader`, is a whole epoch, as in PyTorch; one after seek() or load_state_dict() begins there. The order is a
    function of the seed and the epoch alone, and random ops in a dataset draw from a generator of the seed, the epoch and the batch: the
    same batches come whatever num_workers (threads that make batches ahead) is. sampler: indices of an epoch; batch_sampler: lists of
    them. collate_fn: makes a batch of a list of examples.
    """

    def __init__(self, dataset: object, batch_size: int=32, shuffle: bool=False, sampler: object | None=None, batch_sampler: object | None=None, num_workers: int=0, collate_fn: object | None=None, *, drop_last: bool=False, seed: int=0, prefetch: int=2) -> None: ...

    def __len__(self) -> int:
        """Batches of an epoch."""

    def __iter__(self) -> Batches: ...

    @property
    def examples(self) -> int:
        """Examples of an epoch."""

    @property
    def batch_size(self) -> int: ...

    @property
    def seed(self) -> int: ...

    def order(self, epoch: int) -> list[int]:
        """The order of the examples in an epoch."""

    @property
    def position(self) -> tuple[int, int]:
        """The epoch and the number of the next batch."""

    def seek(self, epoch: int, batch: int=0) -> None:
        """Moves to a batch of an epoch."""

    def state_dict(self) -> dict[str, EmberTensor]:
        """The position and the parameters of the order."""

    def load_state_dict(self, state_dict: object) -> None:
        """Restores a saved position."""

class Metric:
    """
    The contribution of a batch is recorded with the step and summed when the metric is read.

    One of your own defines statistics(prediction, target), a vector of what a batch adds to the totals, and result(), which makes a
    number of self.totals; the attribute name says how it is called in the history.
    """

    def __init__(self) -> None: ...

    @property
    def name(self) -> str:
        """Its name in the history."""

    def statistics(self, prediction: ArrayLike, target: ArrayLike) -> EmberTensor:
        """The vector that a batch adds to the totals."""

    def result(self) -> float:
        """The score computed from the totals."""

    def update(self, prediction: ArrayLike, target: ArrayLike) -> None:
        """Adds a batch."""

    def value(self) -> float:
        """The score of all batches so far."""

    def reset(self) -> None:
        """Clears the totals."""

    def __call__(self, prediction: ArrayLike, target: ArrayLike) -> float:
        """The score of these predictions."""

    @property
    def totals(self) -> list[float]:
        """The sums so far."""

    @totals.setter
    def totals(self, arg: Sequence[float], /) -> None: ...

class Accuracy(Metric):
    """
    The fraction of correct predictions: scores per class, or positive above the threshold.
    """

    def __init__(self, threshold: float=0.5) -> None: ...

class ConfusionMatrix(Metric):
    """The confusion matrix; its value is the accuracy."""

    def __init__(self, classes: int, threshold: float=0.5) -> None: ...

    def matrix(self) -> list[list[int]]:
        """Counts: [target][prediction]."""

class Precision(ConfusionMatrix):
    """The fraction of positive predictions that are correct."""

    def __init__(self, classes: int=2, average: str='macro', threshold: float=0.5) -> None: ...

class Recall(ConfusionMatrix):
    """The fraction of positive targets that were found."""

    def __init__(self, classes: int=2, average: str='macro', threshold: float=0.5) -> None: ...

class F1(ConfusionMatrix):
    """The harmonic mean of precision and recall."""

    def __init__(self, classes: int=2, average: str='macro', threshold: float=0.5) -> None: ...

class AUC(Metric):
    """The area under the ROC curve."""

    def __init__(self) -> None: ...

class MeanSquaredError(Metric):
    """The mean of the squared differences."""

    def __init__(self) -> None: ...

class MeanAbsoluteError(MeanSquaredError):
    """The mean of the absolute differences."""

    def __init__(self) -> None: ...

class R2(Metric):
    """The fraction of the variance that is explained."""

    def __init__(self) -> None: ...

def confusion_matrix(y_true: ArrayLike, y_pred: ArrayLike, normalize: bool=False, threshold: float=0.5) -> EmberTensor:
    """
    Counts of each class taken for each: [target][prediction]; normalize: parts of each target's row.
    """

def classification_metrics(y_true: ArrayLike, y_pred: ArrayLike) -> dict[str, float]:
    """accuracy, and precision, recall and f1 as the mean over the classes."""

def binary_classification_metrics(y_true: ArrayLike, y_pred: ArrayLike, threshold: float=0.5) -> dict[str, float]:
    """accuracy, precision, recall and f1 of class 1."""

def regression_metrics(y_true: ArrayLike, y_pred: ArrayLike) -> dict[str, float]:
    """mse, rmse, mae and r2."""

def roc_auc(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The area under the ROC curve."""

def precision_recall_curve(y_true: ArrayLike, y_score: ArrayLike) -> tuple[Any, ...]:
    """(precision, recall, thresholds), from the lowest score on."""

def average_precision_score(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The area under the precision-recall curve, as a sum of steps."""

def cross_entropy(input: ArrayLike, target: ArrayLike, weight: ArrayLike | None=None, ignore_index: int=-100, reduction: str='mean', label_smoothing: float=0.0) -> EmberTensor:
    """
    Cross entropy of logits (classes along axis 1) with target classes or probabilities. weight: one number per class.
    """

def nll_loss(input: ArrayLike, target: ArrayLike, weight: ArrayLike | None=None, ignore_index: int=-100, reduction: str='mean') -> EmberTensor:
    """
    Negative log probability of the target class (classes along axis 1). weight: one number per class.
    """

def binary_cross_entropy(input: ArrayLike, target: ArrayLike, weight: ArrayLike | None=None, reduction: str='mean') -> EmberTensor:
    """Binary cross entropy of probabilities."""

def binary_cross_entropy_with_logits(input: ArrayLike, target: ArrayLike, weight: ArrayLike | None=None, reduction: str='mean', pos_weight: ArrayLike | None=None) -> EmberTensor:
    """
    Binary cross entropy of logits. pos_weight: the weight of positive targets.
    """

def smooth_l1_loss(input: ArrayLike, target: ArrayLike, reduction: str='mean', beta: float=1.0) -> EmberTensor:
    """d^2 / (2 beta) below beta, d - beta / 2 above."""

def kl_div(input: ArrayLike, target: ArrayLike, reduction: str='mean', log_target: bool=False) -> EmberTensor:
    """
    target (log(target) - input) for logarithms of probabilities; reduction may be batchmean.
    """

def poisson_nll_loss(input: ArrayLike, target: ArrayLike, log_input: bool=True, full: bool=False, eps: float=1e-08, reduction: str='mean') -> EmberTensor:
    """Negative log likelihood of counts, given the rate or its logarithm."""

def gaussian_nll_loss(input: ArrayLike, target: ArrayLike, var: ArrayLike, full: bool=False, eps: float=1e-06, reduction: str='mean') -> EmberTensor:
    """
    Negative log likelihood of a normal distribution with this mean and variance.
    """

def margin_ranking_loss(input1: ArrayLike, input2: ArrayLike, target: ArrayLike, margin: float=0.0, reduction: str='mean') -> EmberTensor:
    """max(0, margin - target (input1 - input2)); targets are 1 and -1."""

def hinge_embedding_loss(input: ArrayLike, target: ArrayLike, margin: float=1.0, reduction: str='mean') -> EmberTensor:
    """input where the target is 1, max(0, margin - input) where it is -1."""

def soft_margin_loss(input: ArrayLike, target: ArrayLike, reduction: str='mean') -> EmberTensor:
    """log(1 + exp(-target input)); targets are 1 and -1."""

def triplet_margin_loss(anchor: ArrayLike, positive: ArrayLike, negative: ArrayLike, margin: float=1.0, p: float=2.0, eps: float=1e-06, swap: bool=False, reduction: str='mean') -> EmberTensor:
    """max(0, |anchor - positive| - |anchor - negative| + margin)."""

def multi_margin_loss(input: ArrayLike, target: ArrayLike, p: float=1.0, margin: float=1.0, weight: ArrayLike | None=None, reduction: str='mean') -> EmberTensor:
    """
    The hinge loss of each class against the target class, averaged over the classes.
    """

def multilabel_margin_loss(input: ArrayLike, target: ArrayLike, reduction: str='mean') -> EmberTensor:
    """
    The multi-class hinge loss with several target classes: those of each row up to the first -1.
    """

def multilabel_soft_margin_loss(input: ArrayLike, target: ArrayLike, weight: ArrayLike | None=None, reduction: str='mean') -> EmberTensor:
    """Binary cross entropy of logits, averaged over the classes."""

def ctc_loss(log_probs: ArrayLike, targets: ArrayLike, input_lengths: ArrayLike, target_lengths: ArrayLike, blank: int=0, reduction: str='mean', zero_infinity: bool=False) -> EmberTensor:
    """
    Negative log probability of label sequences, summed over all alignments.
    """

class LossScaler:
    """
    Scales the loss so that small gradients do not underflow in 16 bits.

    If gradients overflow, the step is skipped and the scale reduced.
    """

    def __init__(self, init_scale: float=65536.0, growth_factor: float=2.0, backoff_factor: float=0.5, growth_interval: int=2000, enabled: bool=True) -> None: ...

    @property
    def scale(self) -> float:
        """The current scale of the loss."""

    def unscale(self, parameters: object) -> EmberTensor:
        """
        Unscales the gradients; returns one bool for step(only_if=...): whether all are finite.
        """

    def update(self, finite: bool) -> None:
        """Call after each step with whether it took place."""

    def state_dict(self) -> dict[str, EmberTensor]: ...

    def load_state_dict(self, state_dict: object) -> None: ...

class Callback:
    """
    Hooks into fit: override on_fit_begin, on_epoch_begin, on_step_end, on_epoch_end, on_fit_end, each called with the trainer.

    state_dict and load_state_dict, if defined, make its state part of checkpoints.
    """

    def __init__(self) -> None: ...

    def on_fit_begin(self, trainer: Trainer) -> None:
        """After a checkpoint was loaded."""

    def on_epoch_begin(self, trainer: Trainer) -> None: ...

    def on_step_end(self, trainer: Trainer) -> None:
        """After each step of the optimizer."""

    def on_epoch_end(self, trainer: Trainer) -> None:
        """The record of the epoch is complete."""

    def on_fit_end(self, trainer: Trainer) -> None: ...

    def runs_last(self) -> bool:
        """
        Whether it runs after the others, like callbacks that save their state.
        """

    def state_dict(self) -> dict[str, EmberTensor]:
        """The state, as tensors or numbers."""

    def load_state_dict(self, state_dict: object) -> None: ...

class Checkpoint(Callback):
    """
    Saves the complete state, so that fit(resume=folder) continues bit for bit.
    """

    def __init__(self, folder: object, *, every_steps: int=0, every_epochs: int=1, keep: int=0, best: bool=False, best_only: bool=False, monitor: str='val_loss', maximize: bool=False) -> None: ...

    @staticmethod
    def latest(folder: object) -> str:
        """The path of the newest checkpoint, or an empty string."""

class EarlyStopping(Callback):
    """
    Stops if the monitored metric has not improved for more than patience epochs.
    """

    def __init__(self, monitor: str='val_loss', patience: int=0, min_delta: float=0.0, maximize: bool=False, restore_best: bool=False) -> None: ...

    @property
    def best(self) -> float:
        """The best value so far."""

class CSVLog(Callback):
    """A row per epoch; after a resume the file has each epoch once."""

    def __init__(self, path: str | PathLike[str]) -> None: ...

class TensorBoard(Callback):
    """
    TensorBoard's event files of the history, and of the loss at an interval of steps.
    """

    def __init__(self, folder: object, every_steps: int=0) -> None: ...

class Progress(Callback):
    """
    A bar with rate and remaining time on a terminal, a line per epoch elsewhere. file: sys.stderr unless given.
    """

    def __init__(self, file: object | None=None) -> None: ...

class EventWriter:
    """TensorBoard's event files."""

    def __init__(self, folder: object, first_step: int=0) -> None: ...

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Writes a number."""

    def flush(self) -> None: ...

    @property
    def path(self) -> str: ...

class Trainer:
    """
    Trains a module: epochs, validation, metrics, accumulation, clipping, mixed precision, schedules, callbacks, exact resume.

    The last tensor of a batch is the target, those before it are the inputs; a batch of one tensor is both. loss(prediction, target)
    is any callable that returns one number as a tensor; forward(model, *inputs), if given, is called in place of model(*inputs).
    strategy, such as distributed.DataParallelStrategy(), trains on several processes.
    """

    def __init__(self, model: object, optimizer: object, loss: object, *, accumulate: int=1, clip_norm: float=0.0, clip_value: float=0.0, precision: DTypeLike | None=None, scaler: LossScaler | None=None, schedule: Schedule | None=None, schedule_each_step: bool=False, schedule_metric: str='', metrics: Sequence[Metric]=(), forward: object | None=None, strategy: Strategy | None=None) -> None: ...

    def fit(self, data: DataLoader, epochs: int=1, *, validation: DataLoader | None=None, callbacks: Sequence[Callback]=(), resume: object | None=None) -> dict[str, Any]:
        """
        Trains the model and returns the history, a list for each name. resume: a checkpoint, or a folder of them whose newest is taken; epochs then count from where the
        interrupted fit began.
        """

    def evaluate(self, data: DataLoader) -> dict[str, float]:
        """Loss and metrics, from the start of the loader's first epoch."""

    @overload
    def predict(self, data: DataLoader) -> EmberTensor:
        """
        The predictions for all examples of a loader, in order, or for a tensor.
        """

    @overload
    def predict(self, data: ArrayLike) -> EmberTensor: ...

    def stop(self) -> None:
        """Ends fit after this epoch."""

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the complete state of the training."""

    def load(self, path: str | PathLike[str]) -> None:
        """
        Restores weights, optimizer and the rest of the state from a checkpoint.
        """

    @property
    def model(self) -> Any: ...

    @property
    def optimizer(self) -> Any: ...

    @property
    def scaler(self) -> LossScaler: ...

    @property
    def history(self) -> dict[str, Any]:
        """All epochs so far, a list per name."""

    @property
    def record(self) -> dict[str, float]:
        """The epoch that just ended."""

    @property
    def epoch(self) -> int:
        """Epochs completed."""

    @property
    def epochs(self) -> int:
        """The last epoch of this fit."""

    @property
    def step(self) -> int:
        """Steps so far, including skipped ones."""

    @property
    def skipped(self) -> int:
        """Steps skipped because of infinities."""

    @property
    def batch(self) -> int:
        """Batches of this epoch so far."""

    @property
    def batches(self) -> int:
        """Batches of an epoch."""

    @property
    def loss(self) -> float:
        """The mean loss of this epoch so far."""

    @property
    def last_loss(self) -> float:
        """The loss of the last batch."""