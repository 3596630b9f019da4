"""Training: optimizers and schedules, datasets and loaders, losses, metrics, the Trainer and its callbacks.

All of it is the core's; what Python adds are losses as objects, GradientTape and HebbianLayer.
"""
from __future__ import annotations

from .._core.training import (AUC, Accuracy, Adadelta, Adagrad, Adam, Adamax, AdamW, Callback, Checkpoint, ConfusionMatrix, CosineAnnealingLR,
                              CosineAnnealingWarmRestarts, CSVLog, DataLoader, Dataset, EarlyStopping, EventWriter, ExponentialLR, F1, LambdaLR,
                              LinearLR, Lion, LossScaler, MeanAbsoluteError, MeanSquaredError, Metric, MultiStepLR, OneCycleLR, Optimizer,
                              Precision, Progress, R2, Recall, ReduceLROnPlateau, RMSprop, Schedule, SequentialLR, SGD, StepLR, TensorBoard,
                              TensorDataset, Trainer, average_precision_score, binary_classification_metrics, classification_metrics,
                              clip_grad_norm_, clip_grad_value_, confusion_matrix, cross_entropy, precision_recall_curve, regression_metrics,
                              roc_auc)
from .hebb import HebbianLayer
from .losses import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, L1Loss, Loss, MSELoss
from .tape import GradientTape

LRScheduler = Schedule

__all__ = ["AUC", "Accuracy", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "BCELoss", "BCEWithLogitsLoss", "CSVLog", "Callback", "Checkpoint",
           "ConfusionMatrix", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CrossEntropyLoss", "DataLoader", "Dataset", "EarlyStopping",
           "EventWriter", "ExponentialLR", "F1", "GradientTape", "HebbianLayer", "HuberLoss", "L1Loss", "LRScheduler", "LambdaLR", "LinearLR",
           "Lion", "Loss", "LossScaler", "MSELoss", "MeanAbsoluteError", "MeanSquaredError", "Metric", "MultiStepLR", "OneCycleLR", "Optimizer",
           "Precision", "Progress", "R2", "RMSprop", "Recall", "ReduceLROnPlateau", "SGD", "Schedule", "SequentialLR", "StepLR", "TensorBoard",
           "TensorDataset", "Trainer", "average_precision_score", "binary_classification_metrics", "classification_metrics", "clip_grad_norm_",
           "clip_grad_value_", "confusion_matrix", "cross_entropy", "precision_recall_curve", "regression_metrics", "roc_auc"]
