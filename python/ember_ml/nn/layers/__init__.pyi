# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._core.nn import (Linear as Linear, Sequential as Sequential)
from ember_ml._core.nn.mixing import (__all__ as _mixing, Attention as Attention, CausalAttention as CausalAttention, ChannelMixing as
    ChannelMixing, Convolution as Convolution, GatedMLP as GatedMLP, Layer as Layer, MLP as MLP, Recurrent as Recurrent, SequenceMixing as
    SequenceMixing)
from ember_ml.nn.layers import (base as base, batch_normalization as batch_normalization, channel_mixing as channel_mixing, dropout as
    dropout, linear as linear, sequence_mixing as sequence_mixing, sequential as sequential)
from ember_ml.nn.modules.batch_normalization import (BatchNormalization as BatchNormalization)
from ember_ml.nn.modules.dropout import (Dropout as Dropout)
from ember_ml.nn.layers.base import (ChannelMixingLayer as ChannelMixingLayer, SequenceMixingLayer as SequenceMixingLayer)
__all__: list[str] = ['Attention', 'BatchNormalization', 'CausalAttention', 'ChannelMixing', 'ChannelMixingLayer', 'Convolution', 'Dropout',
    'GatedMLP', 'Layer', 'Linear', 'MLP', 'Recurrent', 'SequenceMixing', 'SequenceMixingLayer', 'Sequential', 'base', 'channel_mixing',
    'sequence_mixing']
