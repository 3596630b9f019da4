# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._names import (named as _named, of_families as _of)
from ember_ml.ops import (relu as relu, relu6 as relu6, hard_sigmoid as hard_sigmoid, softmax as softmax, log_softmax as log_softmax,
    softplus as softplus, softsign as softsign, gelu as gelu, silu as silu, elu as elu, selu as selu, celu as celu, leaky_relu as leaky_relu,
    prelu as prelu, mish as mish, hardswish as hardswish, hardtanh as hardtanh, threshold as threshold, linear as linear, glu as glu, tanhshrink
    as tanhshrink, hardshrink as hardshrink, softshrink as softshrink, logsigmoid as logsigmoid, conv1d as conv1d, conv_transpose1d as
    conv_transpose1d, conv2d as conv2d, conv_transpose2d as conv_transpose2d, conv3d as conv3d, conv_transpose3d as conv_transpose3d, max_pool1d
    as max_pool1d, average_pool1d as average_pool1d, l2_pool1d as l2_pool1d, max_pool2d as max_pool2d, average_pool2d as average_pool2d,
    l2_pool2d as l2_pool2d, max_pool3d as max_pool3d, average_pool3d as average_pool3d, l2_pool3d as l2_pool3d, adaptive_average_pool as
    adaptive_average_pool, adaptive_max_pool as adaptive_max_pool, global_average_pool as global_average_pool, global_max_pool as
    global_max_pool, pixel_shuffle as pixel_shuffle, pixel_unshuffle as pixel_unshuffle, resample as resample, grid_sample as grid_sample,
    batch_norm as batch_norm, layer_norm as layer_norm, rms_norm as rms_norm, group_norm as group_norm, instance_norm as instance_norm, dropout
    as dropout, scaled_dot_product_attention as scaled_dot_product_attention, rope as rope, lstm as lstm, lstm_cell as lstm_cell, gru as gru,
    gru_cell as gru_cell, rnn as rnn, rnn_cell as rnn_cell, quantize_linear as quantize_linear, dequantize_linear as dequantize_linear, mse_loss
    as mse_loss, mae_loss as mae_loss, huber_loss as huber_loss, log_cosh_loss as log_cosh_loss, binary_cross_entropy as binary_cross_entropy,
    categorical_cross_entropy as categorical_cross_entropy, sparse_categorical_cross_entropy as sparse_categorical_cross_entropy,
    binary_crossentropy as binary_crossentropy, categorical_crossentropy as categorical_crossentropy, sparse_categorical_crossentropy as
    sparse_categorical_crossentropy, nll_loss as nll_loss, kl_div_loss as kl_div_loss, ctc_loss as ctc_loss, contrastive_loss as
    contrastive_loss, cosine_embedding_loss as cosine_embedding_loss, cosine_similarity as cosine_similarity, euclidean_distance as
    euclidean_distance, pairwise_distance as pairwise_distance, normalize_vector as normalize_vector, resample2d as resample2d, swish as swish,
    mean_squared_error as mean_squared_error, mean_absolute_error as mean_absolute_error, attention as attention, interpolate as interpolate,
    mse as mse, sigmoid as sigmoid, tanh as tanh, embedding as embedding, one_hot as one_hot, pad as pad)
__all__: list[str] = ['adaptive_average_pool', 'adaptive_max_pool', 'attention', 'average_pool1d', 'average_pool2d', 'average_pool3d',
    'batch_norm', 'binary_cross_entropy', 'binary_crossentropy', 'categorical_cross_entropy', 'categorical_crossentropy', 'celu',
    'contrastive_loss', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'cosine_embedding_loss',
    'cosine_similarity', 'ctc_loss', 'dequantize_linear', 'dropout', 'elu', 'embedding', 'euclidean_distance', 'gelu', 'global_average_pool',
    'global_max_pool', 'glu', 'grid_sample', 'group_norm', 'gru', 'gru_cell', 'hard_sigmoid', 'hardshrink', 'hardswish', 'hardtanh',
    'huber_loss', 'instance_norm', 'interpolate', 'kl_div_loss', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'leaky_relu', 'linear',
    'log_cosh_loss', 'log_softmax', 'logsigmoid', 'lstm', 'lstm_cell', 'mae_loss', 'max_pool1d', 'max_pool2d', 'max_pool3d',
    'mean_absolute_error', 'mean_squared_error', 'mish', 'mse', 'mse_loss', 'nll_loss', 'normalize_vector', 'one_hot', 'pad',
    'pairwise_distance', 'pixel_shuffle', 'pixel_unshuffle', 'prelu', 'quantize_linear', 'relu', 'relu6', 'resample', 'resample2d', 'rms_norm',
    'rnn', 'rnn_cell', 'rope', 'scaled_dot_product_attention', 'selu', 'sigmoid', 'silu', 'softmax', 'softplus', 'softshrink', 'softsign',
    'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'swish', 'tanh', 'tanhshrink', 'threshold']
