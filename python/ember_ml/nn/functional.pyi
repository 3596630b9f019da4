# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as _Any)
from ember_ml._compat.absent import (NN as _ADVICE, missing as _missing)
from ember_ml._compat.functional import (__all__ as _torchs, adaptive_avg_pool1d as adaptive_avg_pool1d, adaptive_avg_pool2d as
    adaptive_avg_pool2d, adaptive_avg_pool3d as adaptive_avg_pool3d, adaptive_max_pool1d as adaptive_max_pool1d, adaptive_max_pool2d as
    adaptive_max_pool2d, adaptive_max_pool3d as adaptive_max_pool3d, affine_grid as affine_grid, alpha_dropout as alpha_dropout, avg_pool1d as
    avg_pool1d, avg_pool2d as avg_pool2d, avg_pool3d as avg_pool3d, bilinear as bilinear, cosine_similarity as cosine_similarity, dropout1d as
    dropout1d, dropout2d as dropout2d, dropout3d as dropout3d, fold as fold, gumbel_softmax as gumbel_softmax, hardsigmoid as hardsigmoid,
    interpolate as interpolate, normalize as normalize, pad as pad, pairwise_distance as pairwise_distance, softmin as softmin, unfold as
    unfold)
from ember_ml._core import (training as _training)
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
    batch_norm as batch_norm, layer_norm as layer_norm, layer_norm_grad as layer_norm_grad, rms_norm as rms_norm, group_norm as group_norm,
    instance_norm as instance_norm, dropout as dropout, scaled_dot_product_attention as scaled_dot_product_attention, attention_grad as
    attention_grad, rope as rope, lstm as lstm, lstm_cell as lstm_cell, gru as gru, gru_cell as gru_cell, rnn as rnn, rnn_cell as rnn_cell,
    quantize_linear as quantize_linear, dequantize_linear as dequantize_linear, mse_loss as mse_loss, mae_loss as mae_loss, huber_loss as
    huber_loss, log_cosh_loss as log_cosh_loss, categorical_cross_entropy as categorical_cross_entropy, sparse_categorical_cross_entropy as
    sparse_categorical_cross_entropy, binary_crossentropy as binary_crossentropy, categorical_crossentropy as categorical_crossentropy,
    sparse_categorical_crossentropy as sparse_categorical_crossentropy, kl_div_loss as kl_div_loss, contrastive_loss as contrastive_loss,
    cosine_embedding_loss as cosine_embedding_loss, euclidean_distance as euclidean_distance, normalize_vector as normalize_vector, resample2d
    as resample2d, swish as swish, mean_squared_error as mean_squared_error, mean_absolute_error as mean_absolute_error, attention as attention,
    mse as mse, l1_loss as l1_loss, hard_tanh as hard_tanh, hard_swish as hard_swish, log_sigmoid as log_sigmoid, sigmoid as sigmoid, tanh as
    tanh, embedding as embedding, one_hot as one_hot, logsumexp as logsumexp)
from ember_ml._core.training import (binary_cross_entropy as binary_cross_entropy, nll_loss as nll_loss, ctc_loss as ctc_loss,
    binary_cross_entropy_with_logits as binary_cross_entropy_with_logits, cross_entropy as cross_entropy, gaussian_nll_loss as
    gaussian_nll_loss, hinge_embedding_loss as hinge_embedding_loss, kl_div as kl_div, margin_ranking_loss as margin_ranking_loss,
    multi_margin_loss as multi_margin_loss, multilabel_margin_loss as multilabel_margin_loss, multilabel_soft_margin_loss as
    multilabel_soft_margin_loss, poisson_nll_loss as poisson_nll_loss, smooth_l1_loss as smooth_l1_loss, soft_margin_loss as soft_margin_loss,
    triplet_margin_loss as triplet_margin_loss)
__all__: list[str] = ['adaptive_average_pool', 'adaptive_avg_pool1d', 'adaptive_avg_pool2d', 'adaptive_avg_pool3d', 'adaptive_max_pool',
    'adaptive_max_pool1d', 'adaptive_max_pool2d', 'adaptive_max_pool3d', 'affine_grid', 'alpha_dropout', 'attention', 'attention_grad',
    'average_pool1d', 'average_pool2d', 'average_pool3d', 'avg_pool1d', 'avg_pool2d', 'avg_pool3d', 'batch_norm', 'bilinear',
    'binary_cross_entropy', 'binary_cross_entropy_with_logits', 'binary_crossentropy', 'categorical_cross_entropy', 'categorical_crossentropy',
    'celu', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d',
    'cosine_embedding_loss', 'cosine_similarity', 'cross_entropy', 'ctc_loss', 'dequantize_linear', 'dropout', 'dropout1d', 'dropout2d',
    'dropout3d', 'elu', 'embedding', 'euclidean_distance', 'fold', 'gaussian_nll_loss', 'gelu', 'global_average_pool', 'global_max_pool', 'glu',
    'grid_sample', 'group_norm', 'gru', 'gru_cell', 'gumbel_softmax', 'hard_sigmoid', 'hard_swish', 'hard_tanh', 'hardshrink', 'hardsigmoid',
    'hardswish', 'hardtanh', 'hinge_embedding_loss', 'huber_loss', 'instance_norm', 'interpolate', 'kl_div', 'kl_div_loss', 'l1_loss',
    'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'layer_norm_grad', 'leaky_relu', 'linear', 'log_cosh_loss', 'log_sigmoid',
    'log_softmax', 'logsigmoid', 'logsumexp', 'lstm', 'lstm_cell', 'mae_loss', 'margin_ranking_loss', 'max_pool1d', 'max_pool2d', 'max_pool3d',
    'mean_absolute_error', 'mean_squared_error', 'mish', 'mse', 'mse_loss', 'multi_margin_loss', 'multilabel_margin_loss',
    'multilabel_soft_margin_loss', 'nll_loss', 'normalize', 'normalize_vector', 'one_hot', 'pad', 'pairwise_distance', 'pixel_shuffle',
    'pixel_unshuffle', 'poisson_nll_loss', 'prelu', 'quantize_linear', 'relu', 'relu6', 'resample', 'resample2d', 'rms_norm', 'rnn', 'rnn_cell',
    'rope', 'scaled_dot_product_attention', 'selu', 'sigmoid', 'silu', 'smooth_l1_loss', 'soft_margin_loss', 'softmax', 'softmin', 'softplus',
    'softshrink', 'softsign', 'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'swish', 'tanh', 'tanhshrink', 'threshold',
    'triplet_margin_loss', 'unfold']
