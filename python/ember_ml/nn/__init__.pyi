# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from importlib import (import_module as _import_module)
from typing import (Any as _Any)
from ember_ml._compat.absent import (NN as _ADVICE, missing as _missing)
from ember_ml._core import (Parameter as Parameter)
from ember_ml._core.nn import (__all__ as _layers, AdaptiveAvgPool1d as AdaptiveAvgPool1d, AdaptiveAvgPool2d as AdaptiveAvgPool2d,
    AdaptiveAvgPool3d as AdaptiveAvgPool3d, AdaptiveMaxPool1d as AdaptiveMaxPool1d, AdaptiveMaxPool2d as AdaptiveMaxPool2d, AdaptiveMaxPool3d as
    AdaptiveMaxPool3d, AvgPool1d as AvgPool1d, AvgPool2d as AvgPool2d, AvgPool3d as AvgPool3d, BatchNorm1d as BatchNorm1d, BatchNorm2d as
    BatchNorm2d, BatchNorm3d as BatchNorm3d, CELU as CELU, CfC as CfC, CfCCell as CfCCell, Conv1d as Conv1d, Conv2d as Conv2d, Conv3d as Conv3d,
    ConvTranspose1d as ConvTranspose1d, ConvTranspose2d as ConvTranspose2d, ConvTranspose3d as ConvTranspose3d, Dropout as Dropout, ELU as ELU,
    Embedding as Embedding, Flatten as Flatten, GELU as GELU, GLU as GLU, GRU as GRU, GRUCell as GRUCell, GlobalAvgPool as GlobalAvgPool,
    GlobalMaxPool as GlobalMaxPool, GroupNorm as GroupNorm, Hardsigmoid as Hardsigmoid, Hardswish as Hardswish, HybridModel as HybridModel,
    Identity as Identity, InstanceNorm1d as InstanceNorm1d, InstanceNorm2d as InstanceNorm2d, InstanceNorm3d as InstanceNorm3d, LSTM as LSTM,
    LSTMCell as LSTMCell, LTC as LTC, LTCCell as LTCCell, LayerNorm as LayerNorm, LeCunTanh as LeCunTanh, LeakyReLU as LeakyReLU,
    LearnedPositions as LearnedPositions, Linear as Linear, LoadReport as LoadReport, LogSigmoid as LogSigmoid, LogSoftmax as LogSoftmax,
    MaxPool1d as MaxPool1d, MaxPool2d as MaxPool2d, MaxPool3d as MaxPool3d, Mish as Mish, Model as Model, Module as Module, ModuleList as
    ModuleList, MultiheadAttention as MultiheadAttention, NeuronMap as NeuronMap, PReLU as PReLU, RMSNorm as RMSNorm, RNN as RNN, RNNCell as
    RNNCell, ReLU as ReLU, ReLU6 as ReLU6, RotaryPositions as RotaryPositions, SELU as SELU, Sequential as Sequential, SiLU as SiLU, Sigmoid as
    Sigmoid, SinusoidalPositions as SinusoidalPositions, Softmax as Softmax, Softplus as Softplus, Softsign as Softsign, Tanh as Tanh,
    TransformerDecoder as TransformerDecoder, TransformerDecoderLayer as TransformerDecoderLayer, TransformerEncoder as TransformerEncoder,
    TransformerEncoderLayer as TransformerEncoderLayer, WiredCfCCell as WiredCfCCell, auto_ncp_map as auto_ncp_map, causal_mask as causal_mask,
    fully_connected_map as fully_connected_map, get_activation as get_activation, ncp_map as ncp_map, random_map as random_map)
from ember_ml.nn.modules.containers import (ModuleDict as ModuleDict, ParameterDict as ParameterDict, ParameterList as ParameterList)
from ember_ml.nn.modules.dense import (Dense as Dense)
from ember_ml.training.losses import (__all__ as _losses, BCELoss as BCELoss, BCEWithLogitsLoss as BCEWithLogitsLoss, CTCLoss as CTCLoss,
    CosineEmbeddingLoss as CosineEmbeddingLoss, CrossEntropyLoss as CrossEntropyLoss, GaussianNLLLoss as GaussianNLLLoss, HingeEmbeddingLoss as
    HingeEmbeddingLoss, HuberLoss as HuberLoss, KLDivLoss as KLDivLoss, L1Loss as L1Loss, Loss as Loss, MSELoss as MSELoss, MarginRankingLoss as
    MarginRankingLoss, MultiLabelMarginLoss as MultiLabelMarginLoss, MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss, MultiMarginLoss as
    MultiMarginLoss, NLLLoss as NLLLoss, PoissonNLLLoss as PoissonNLLLoss, SmoothL1Loss as SmoothL1Loss, SoftMarginLoss as SoftMarginLoss,
    TripletMarginLoss as TripletMarginLoss, TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss)
from ember_ml.nn.modules.stateless import (__all__ as _stateless, AlphaDropout as AlphaDropout, Bilinear as Bilinear, ChannelShuffle as
    ChannelShuffle, CircularPad1d as CircularPad1d, CircularPad2d as CircularPad2d, ConstantPad1d as ConstantPad1d, ConstantPad2d as
    ConstantPad2d, ConstantPad3d as ConstantPad3d, CosineSimilarity as CosineSimilarity, Dropout1d as Dropout1d, Dropout2d as Dropout2d,
    Dropout3d as Dropout3d, Fold as Fold, Hardshrink as Hardshrink, Hardtanh as Hardtanh, PairwiseDistance as PairwiseDistance, PixelShuffle as
    PixelShuffle, PixelUnshuffle as PixelUnshuffle, ReflectionPad1d as ReflectionPad1d, ReflectionPad2d as ReflectionPad2d, ReplicationPad1d as
    ReplicationPad1d, ReplicationPad2d as ReplicationPad2d, Softmin as Softmin, Softshrink as Softshrink, Tanhshrink as Tanhshrink, Threshold as
    Threshold, Unflatten as Unflatten, Unfold as Unfold, Upsample as Upsample, UpsamplingBilinear2d as UpsamplingBilinear2d, UpsamplingNearest2d
    as UpsamplingNearest2d, ZeroPad1d as ZeroPad1d, ZeroPad2d as ZeroPad2d, ZeroPad3d as ZeroPad3d)
from ember_ml.nn.transforms import (install as _install, value_and_grad as value_and_grad)
from ember_ml.nn import (features as features, functional as functional, init as init, initializers as initializers, layers as layers,
    losses as losses, modules as modules, transforms as transforms, utils as utils)
from ember_ml.tensor import (_Tensor as _tensor_)
tensor = _tensor_
__all__: list[str] = ['AdaptiveAvgPool1d', 'AdaptiveAvgPool2d', 'AdaptiveAvgPool3d', 'AdaptiveMaxPool1d', 'AdaptiveMaxPool2d',
    'AdaptiveMaxPool3d', 'AlphaDropout', 'AvgPool1d', 'AvgPool2d', 'AvgPool3d', 'BCELoss', 'BCEWithLogitsLoss', 'BatchNorm1d', 'BatchNorm2d',
    'BatchNorm3d', 'Bilinear', 'CELU', 'CTCLoss', 'CfC', 'CfCCell', 'ChannelShuffle', 'CircularPad1d', 'CircularPad2d', 'ConstantPad1d',
    'ConstantPad2d', 'ConstantPad3d', 'Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d',
    'CosineEmbeddingLoss', 'CosineSimilarity', 'CrossEntropyLoss', 'Dense', 'Dropout', 'Dropout1d', 'Dropout2d', 'Dropout3d', 'ELU',
    'Embedding', 'Flatten', 'Fold', 'GELU', 'GLU', 'GRU', 'GRUCell', 'GaussianNLLLoss', 'GlobalAvgPool', 'GlobalMaxPool', 'GroupNorm',
    'Hardshrink', 'Hardsigmoid', 'Hardswish', 'Hardtanh', 'HingeEmbeddingLoss', 'HuberLoss', 'HybridModel', 'Identity', 'InstanceNorm1d',
    'InstanceNorm2d', 'InstanceNorm3d', 'KLDivLoss', 'L1Loss', 'LSTM', 'LSTMCell', 'LTC', 'LTCCell', 'LayerNorm', 'LeCunTanh', 'LeakyReLU',
    'LearnedPositions', 'Linear', 'LoadReport', 'LogSigmoid', 'LogSoftmax', 'Loss', 'MSELoss', 'MarginRankingLoss', 'MaxPool1d', 'MaxPool2d',
    'MaxPool3d', 'Mish', 'Model', 'Module', 'ModuleDict', 'ModuleList', 'MultiLabelMarginLoss', 'MultiLabelSoftMarginLoss', 'MultiMarginLoss',
    'MultiheadAttention', 'NLLLoss', 'NeuronMap', 'PReLU', 'PairwiseDistance', 'Parameter', 'ParameterDict', 'ParameterList', 'PixelShuffle',
    'PixelUnshuffle', 'PoissonNLLLoss', 'RMSNorm', 'RNN', 'RNNCell', 'ReLU', 'ReLU6', 'ReflectionPad1d', 'ReflectionPad2d', 'ReplicationPad1d',
    'ReplicationPad2d', 'RotaryPositions', 'SELU', 'Sequential', 'SiLU', 'Sigmoid', 'SinusoidalPositions', 'SmoothL1Loss', 'SoftMarginLoss',
    'Softmax', 'Softmin', 'Softplus', 'Softshrink', 'Softsign', 'Tanh', 'Tanhshrink', 'Threshold', 'TransformerDecoder',
    'TransformerDecoderLayer', 'TransformerEncoder', 'TransformerEncoderLayer', 'TripletMarginLoss', 'TripletMarginWithDistanceLoss',
    'Unflatten', 'Unfold', 'Upsample', 'UpsamplingBilinear2d', 'UpsamplingNearest2d', 'WiredCfCCell', 'ZeroPad1d', 'ZeroPad2d', 'ZeroPad3d',
    'auto_ncp_map', 'causal_mask', 'features', 'fully_connected_map', 'functional', 'get_activation', 'init', 'initializers', 'layers',
    'losses', 'modules', 'ncp_map', 'random_map', 'tensor', 'utils', 'value_and_grad']
