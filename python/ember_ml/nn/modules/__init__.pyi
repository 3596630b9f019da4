# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as _Any)
from ember_ml._core import (Parameter as Parameter)
from ember_ml._core.nn import (Module as Module, __all__ as _layers, AdaptiveAvgPool1d as AdaptiveAvgPool1d, AdaptiveAvgPool2d as
    AdaptiveAvgPool2d, AdaptiveAvgPool3d as AdaptiveAvgPool3d, AdaptiveMaxPool1d as AdaptiveMaxPool1d, AdaptiveMaxPool2d as AdaptiveMaxPool2d,
    AdaptiveMaxPool3d as AdaptiveMaxPool3d, AvgPool1d as AvgPool1d, AvgPool2d as AvgPool2d, AvgPool3d as AvgPool3d, BatchNorm1d as BatchNorm1d,
    BatchNorm2d as BatchNorm2d, BatchNorm3d as BatchNorm3d, CELU as CELU, CfCCell as CfCCell, Conv1d as Conv1d, Conv2d as Conv2d, Conv3d as
    Conv3d, ConvTranspose1d as ConvTranspose1d, ConvTranspose2d as ConvTranspose2d, ConvTranspose3d as ConvTranspose3d, ELU as ELU, Embedding as
    Embedding, Flatten as Flatten, GELU as GELU, GLU as GLU, GRUCell as GRUCell, GlobalAvgPool as GlobalAvgPool, GlobalMaxPool as GlobalMaxPool,
    GroupNorm as GroupNorm, Hardsigmoid as Hardsigmoid, Hardswish as Hardswish, HybridModel as HybridModel, Identity as Identity, InstanceNorm1d
    as InstanceNorm1d, InstanceNorm2d as InstanceNorm2d, InstanceNorm3d as InstanceNorm3d, LSTMCell as LSTMCell, LTCCell as LTCCell, LayerNorm
    as LayerNorm, LeCunTanh as LeCunTanh, LeakyReLU as LeakyReLU, LearnedPositions as LearnedPositions, Linear as Linear, LoadReport as
    LoadReport, LogSigmoid as LogSigmoid, LogSoftmax as LogSoftmax, MaxPool1d as MaxPool1d, MaxPool2d as MaxPool2d, MaxPool3d as MaxPool3d, Mish
    as Mish, Model as Model, ModuleList as ModuleList, MultiheadAttention as MultiheadAttention, PReLU as PReLU, RMSNorm as RMSNorm, RNNCell as
    RNNCell, ReLU as ReLU, ReLU6 as ReLU6, RotaryPositions as RotaryPositions, SELU as SELU, Sequential as Sequential, SiLU as SiLU, Sigmoid as
    Sigmoid, SinusoidalPositions as SinusoidalPositions, Softmax as Softmax, Softplus as Softplus, Softsign as Softsign, Tanh as Tanh,
    TransformerDecoder as TransformerDecoder, TransformerDecoderLayer as TransformerDecoderLayer, TransformerEncoder as TransformerEncoder,
    TransformerEncoderLayer as TransformerEncoderLayer, WiredCfCCell as WiredCfCCell, auto_ncp_map as auto_ncp_map, causal_mask as causal_mask,
    fully_connected_map as fully_connected_map, get_activation as get_activation, ncp_map as ncp_map, random_map as random_map)
from ember_ml.nn.modules import (activations as activations, auto_ncp as auto_ncp, base_module as base_module, batch_normalization as
    batch_normalization, containers as containers, dense as dense, dropout as dropout, ncp as ncp, rnn as rnn, stateless as stateless, wiring as
    wiring)
from ember_ml.nn.modules.batch_normalization import (BatchNormalization as BatchNormalization)
from ember_ml.nn.modules.containers import (ModuleDict as ModuleDict, ParameterDict as ParameterDict, ParameterList as ParameterList)
from ember_ml.nn.modules.dense import (Dense as Dense)
from ember_ml.nn.modules.dropout import (Dropout as Dropout)
from ember_ml.nn.modules.ncp import (NCP as NCP, AutoNCP as AutoNCP)
from ember_ml.nn.modules.rnn import (GRU as GRU, LSTM as LSTM, LTC as LTC, RNN as RNN, CfC as CfC, StrideAware as StrideAware,
    StrideAwareCell as StrideAwareCell, StrideAwareCfC as StrideAwareCfC, seCfC as seCfC)
from ember_ml.nn.modules.wiring import (AutoNCPMap as AutoNCPMap, EnhancedNCPMap as EnhancedNCPMap, EnhancedNeuronMap as EnhancedNeuronMap,
    FullyConnectedMap as FullyConnectedMap, FullyConnectedNCPMap as FullyConnectedNCPMap, NCPMap as NCPMap, NeuronMap as NeuronMap, RandomMap as
    RandomMap)
BaseModule = Module
__all__: list[str] = ['AdaptiveAvgPool1d', 'AdaptiveAvgPool2d', 'AdaptiveAvgPool3d', 'AdaptiveMaxPool1d', 'AdaptiveMaxPool2d',
    'AdaptiveMaxPool3d', 'AutoNCP', 'AutoNCPMap', 'AvgPool1d', 'AvgPool2d', 'AvgPool3d', 'BaseModule', 'BatchNorm1d', 'BatchNorm2d',
    'BatchNorm3d', 'BatchNormalization', 'CELU', 'CfC', 'CfCCell', 'Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d',
    'ConvTranspose3d', 'Dense', 'Dropout', 'ELU', 'Embedding', 'EnhancedNCPMap', 'EnhancedNeuronMap', 'Flatten', 'FullyConnectedMap',
    'FullyConnectedNCPMap', 'GELU', 'GLU', 'GRU', 'GRUCell', 'GlobalAvgPool', 'GlobalMaxPool', 'GroupNorm', 'Hardsigmoid', 'Hardswish',
    'HybridModel', 'Identity', 'InstanceNorm1d', 'InstanceNorm2d', 'InstanceNorm3d', 'LSTM', 'LSTMCell', 'LTC', 'LTCCell', 'LayerNorm',
    'LeCunTanh', 'LeakyReLU', 'LearnedPositions', 'Linear', 'LoadReport', 'LogSigmoid', 'LogSoftmax', 'MaxPool1d', 'MaxPool2d', 'MaxPool3d',
    'Mish', 'Model', 'Module', 'ModuleDict', 'ModuleList', 'MultiheadAttention', 'NCP', 'NCPMap', 'NeuronMap', 'PReLU', 'Parameter',
    'ParameterDict', 'ParameterList', 'RMSNorm', 'RNN', 'RNNCell', 'RandomMap', 'ReLU', 'ReLU6', 'RotaryPositions', 'SELU', 'Sequential',
    'SiLU', 'Sigmoid', 'SinusoidalPositions', 'Softmax', 'Softplus', 'Softsign', 'StrideAware', 'StrideAwareCell', 'StrideAwareCfC', 'Tanh',
    'TransformerDecoder', 'TransformerDecoderLayer', 'TransformerEncoder', 'TransformerEncoderLayer', 'WiredCfCCell', 'activations',
    'auto_ncp_map', 'batch_normalization', 'causal_mask', 'containers', 'dense', 'dropout', 'fully_connected_map', 'get_activation', 'ncp',
    'ncp_map', 'random_map', 'rnn', 'seCfC', 'wiring']
