"""Training: optimizers and schedules, datasets and loaders, losses, metrics, the Trainer and its callbacks.

Most of it is the core's; what Python adds are losses as modules, samplers, arrays in the Trainer, GradientTape and HebbianLayer.
"""
from __future__ import annotations

from .._core.training import (AUC, Accuracy, Adadelta, Adagrad, Adam, Adamax, AdamW, Callback, Checkpoint, ConfusionMatrix, CosineAnnealingLR,
                              CosineAnnealingWarmRestarts, CSVLog, Dataset, EarlyStopping, EventWriter, ExponentialLR, F1, LambdaLR,
                              LinearLR, Lion, LossScaler, MeanAbsoluteError, MeanSquaredError, Metric, MultiStepLR, OneCycleLR, Optimizer,
                              Precision, Progress, R2, Recall, ReduceLROnPlateau, RMSprop, Schedule, SequentialLR, SGD, StepLR, TensorBoard,
                              TensorDataset, average_precision_score, binary_classification_metrics, classification_metrics,
                              clip_grad_norm_, clip_grad_value_, confusion_matrix, cross_entropy, precision_recall_curve, regression_metrics,
                              roc_auc)
from .hebb import HebbianLayer
from .data import (BatchSampler, ConcatDataset, DataLoader, IterableDataset, RandomSampler, Sampler, SequentialSampler, Subset, SubsetRandomSampler,
                   WeightedRandomSampler, random_split)
from .losses import (BCELoss, BCEWithLogitsLoss, CosineEmbeddingLoss, CrossEntropyLoss, CTCLoss, GaussianNLLLoss, HingeEmbeddingLoss, HuberLoss,
                     KLDivLoss, L1Loss, Loss, MarginRankingLoss, MSELoss, MultiLabelMarginLoss, MultiLabelSoftMarginLoss, MultiMarginLoss, NLLLoss,
                     PoissonNLLLoss, SmoothL1Loss, SoftMarginLoss, TripletMarginLoss, TripletMarginWithDistanceLoss)
from .tape import GradientTape
from .trainer import Trainer

LRScheduler = Schedule

__all__ = ["AUC", "Accuracy", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "BCELoss", "BCEWithLogitsLoss", "BatchSampler", "CSVLog",
           "CTCLoss", "Callback", "Checkpoint", "ConcatDataset", "ConfusionMatrix", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
           "CosineEmbeddingLoss", "CrossEntropyLoss", "DataLoader", "Dataset", "EarlyStopping", "EventWriter", "ExponentialLR", "F1",
           "GaussianNLLLoss", "GradientTape", "HebbianLayer", "HingeEmbeddingLoss", "HuberLoss", "IterableDataset", "KLDivLoss", "L1Loss",
           "LRScheduler", "LambdaLR", "LinearLR", "Lion", "Loss", "LossScaler", "MSELoss", "MarginRankingLoss", "MeanAbsoluteError",
           "MeanSquaredError", "Metric", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "MultiStepLR", "NLLLoss",
           "OneCycleLR", "Optimizer", "PoissonNLLLoss", "Precision", "Progress", "R2", "RMSprop", "RandomSampler", "Recall",
           "ReduceLROnPlateau", "SGD", "Sampler", "Schedule", "SequentialLR", "SequentialSampler", "SmoothL1Loss", "SoftMarginLoss",
           "StepLR", "Subset", "SubsetRandomSampler", "TensorBoard", "TensorDataset", "Trainer", "TripletMarginLoss",
           "TripletMarginWithDistanceLoss", "WeightedRandomSampler", "average_precision_score", "binary_classification_metrics",
           "classification_metrics", "clip_grad_norm_", "clip_grad_value_", "confusion_matrix", "cross_entropy", "precision_recall_curve",
           "random_split", "regression_metrics", "roc_auc"]
