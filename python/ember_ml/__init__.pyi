# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import importlib as _importlib
import math as _math
from typing import (Any as _Any)
from ember_ml import (_aliases as _aliases, activations as activations, backend as backend, bitwise as bitwise, datasets as datasets,
    distributed as distributed, errors as errors, features as features, interfaces as interfaces, linalg as linalg, linearalg as linearalg, lint
    as lint, memory as memory, models as models, nn as nn, onnx as onnx, ops as ops, random as random, registry as registry, stats as stats,
    training as training, types as types, utils as utils, visualization as visualization)
from ember_ml._core import (DType as DType, EmberTensor as EmberTensor, Parameter as Parameter, asarray as asarray, auto_select_backend as
    auto_select_backend, backend_info as backend_info, clear_cache as clear_cache, convert_to_tensor as convert_to_tensor, counters as counters,
    finfo as finfo, from_dlpack as from_dlpack, get_available_backends as get_available_backends, get_available_devices as
    get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as get_device, get_printoptions as
    get_printoptions, iinfo as iinfo, load as load, load_metadata as load_metadata, memory_stats as memory_stats, save as save, set_backend as
    set_backend, set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions as set_printoptions, synchronize as
    synchronize, to_device as to_device, using_backend as using_backend, __version__ as __version__)
from ember_ml._grad import (checkpoint as checkpoint, enable_grad as enable_grad, eval as eval, grad as grad, gradients as gradients,
    jacobian as jacobian, no_grad as no_grad, value_and_grad as value_and_grad)
from ember_ml._info import (__array_namespace_info__ as __array_namespace_info__)
from ember_ml._more import (dtype as dtype, from_dtype_str as from_dtype_str, get_default_device as get_default_device, get_device_of_tensor
    as get_device_of_tensor, get_dtype as get_dtype, index as index, index_update as index_update, is_available as is_available, memory_info as
    memory_info, memory_usage as memory_usage, set_default_device as set_default_device, set_ops as set_ops, slice_update as slice_update,
    to_dtype_str as to_dtype_str, to_numpy as to_numpy)
from ember_ml._names import (DTYPES as _DTYPES, FUNCTIONS as _FUNCTIONS)
from ember_ml.ops import (zeros as zeros, ones as ones, full as full, empty as empty, zeros_like as zeros_like, ones_like as ones_like,
    full_like as full_like, empty_like as empty_like, eye as eye, arange as arange, linspace as linspace, logspace as logspace, meshgrid as
    meshgrid, tril as tril, triu as triu, tri as tri, tril_indices as tril_indices, triu_indices as triu_indices, diag as diag, one_hot as
    one_hot, copy as copy, astype as astype, vander as vander, abs as abs, acos as acos, acosh as acosh, asin as asin, asinh as asinh, atan as
    atan, atanh as atanh, bitwise_invert as bitwise_invert, cbrt as cbrt, ceil as ceil, conj as conj, cos as cos, cosh as cosh, digamma as
    digamma, erf as erf, erfc as erfc, erfinv as erfinv, exp as exp, exp2 as exp2, expm1 as expm1, floor as floor, imag as imag, isfinite as
    isfinite, isinf as isinf, isnan as isnan, lgamma as lgamma, log as log, log10 as log10, log1p as log1p, log2 as log2, logical_not as
    logical_not, negative as negative, popcount as popcount, count_zeros as count_zeros, positive as positive, real as real, reciprocal as
    reciprocal, round as round, rsqrt as rsqrt, sigmoid as sigmoid, sign as sign, signbit as signbit, sin as sin, sinh as sinh, sqrt as sqrt,
    square as square, tan as tan, tanh as tanh, trunc as trunc, angle as angle, deg2rad as deg2rad, rad2deg as rad2deg, sinc as sinc, add as
    add, subtract as subtract, multiply as multiply, divide as divide, maximum as maximum, minimum as minimum, floor_divide as floor_divide,
    remainder as remainder, fmod as fmod, pow as pow, atan2 as atan2, copysign as copysign, hypot as hypot, logaddexp as logaddexp, nextafter as
    nextafter, heaviside as heaviside, bitwise_and as bitwise_and, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor, bitwise_left_shift as
    bitwise_left_shift, bitwise_right_shift as bitwise_right_shift, rotate_left as rotate_left, rotate_right as rotate_right, get_bit as
    get_bit, set_bit as set_bit, toggle_bit as toggle_bit, logical_and as logical_and, logical_or as logical_or, logical_xor as logical_xor,
    equal as equal, not_equal as not_equal, less as less, less_equal as less_equal, greater as greater, greater_equal as greater_equal, where as
    where, clip as clip, lerp as lerp, nan_to_num as nan_to_num, isclose as isclose, allclose as allclose, array_equal as array_equal, sum as
    sum, prod as prod, mean as mean, var as var, std as std, max as max, min as min, all as all, any as any, count_nonzero as count_nonzero,
    logsumexp as logsumexp, argmax as argmax, argmin as argmin, cumulative_sum as cumulative_sum, cumulative_prod as cumulative_prod, cumsum as
    cumsum, cumprod as cumprod, cummax as cummax, cummin as cummin, logcumsumexp as logcumsumexp, sort as sort, argsort as argsort, topk as
    topk, searchsorted as searchsorted, nonzero as nonzero, argwhere as argwhere, unique_all as unique_all, unique_counts as unique_counts,
    unique_inverse as unique_inverse, unique_values as unique_values, isin as isin, median as median, quantile as quantile, percentile as
    percentile, diff as diff, gradient as gradient, histogram as histogram, bincount as bincount, digitize as digitize, nansum as nansum,
    nanprod as nanprod, nanmean as nanmean, nanvar as nanvar, nanstd as nanstd, nanmax as nanmax, nanmin as nanmin, nanmedian as nanmedian,
    nanargmax as nanargmax, nanargmin as nanargmin, cov as cov, corrcoef as corrcoef, gaussian as gaussian, reduce_l1 as reduce_l1, reduce_l2 as
    reduce_l2, reduce_log_sum as reduce_log_sum, reduce_sum_square as reduce_sum_square, ptp as ptp, average as average, reshape as reshape,
    transpose as transpose, permute_dims as permute_dims, matrix_transpose as matrix_transpose, moveaxis as moveaxis, swapaxes as swapaxes,
    squeeze as squeeze, expand_dims as expand_dims, broadcast_to as broadcast_to, broadcast_arrays as broadcast_arrays, broadcast_shapes as
    broadcast_shapes, concat as concat, stack as stack, hstack as hstack, vstack as vstack, dstack as dstack, unstack as unstack, split as
    split, array_split as array_split, tile as tile, repeat as repeat, flip as flip, roll as roll, rot90 as rot90, pad as pad, flatten as
    flatten, atleast_nd as atleast_nd, diagonal as diagonal, as_strided as as_strided, windows as windows, frame as frame, slice as slice, take
    as take, take_along_axis as take_along_axis, gather as gather, gather_nd as gather_nd, scatter as scatter, scatter_add as scatter_add,
    scatter_max as scatter_max, scatter_min as scatter_min, scatter_softmax as scatter_softmax, scatter_mean as scatter_mean, scatter_elements
    as scatter_elements, scatter_nd as scatter_nd, tensor_scatter_nd_update as tensor_scatter_nd_update, slice_tensor as slice_tensor, index_add
    as index_add, put_along_axis as put_along_axis, segment_sum as segment_sum, embedding as embedding, masked_select as masked_select,
    masked_fill as masked_fill, matmul as matmul, dot as dot, inner as inner, outer as outer, vecdot as vecdot, tensordot as tensordot, einsum
    as einsum, kron as kron, cross as cross, multi_dot as multi_dot, gemm as gemm, trace as trace, cholesky as cholesky, det as det, slogdet as
    slogdet, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, pinv as pinv, qr as qr, solve as solve,
    solve_triangular as solve_triangular, svd as svd, svdvals as svdvals, lu as lu, lstsq as lstsq, matrix_power as matrix_power, matrix_rank as
    matrix_rank, matrix_norm as matrix_norm, vector_norm as vector_norm, norm as norm, expm as expm, orthogonal as orthogonal, cond as cond,
    ifft as ifft, rfft as rfft, irfft as irfft, hfft as hfft, ihfft as ihfft, fftn as fftn, ifftn as ifftn, rfftn as rfftn, irfftn as irfftn,
    fft2 as fft2, ifft2 as ifft2, rfft2 as rfft2, irfft2 as irfft2, fftfreq as fftfreq, rfftfreq as rfftfreq, fftshift as fftshift, ifftshift as
    ifftshift, hann_window as hann_window, hamming_window as hamming_window, blackman_window as blackman_window, bartlett_window as
    bartlett_window, kaiser_window as kaiser_window, overlap_add as overlap_add, stft as stft, istft as istft, spectrogram as spectrogram,
    mel_filter_bank as mel_filter_bank, convolve as convolve, correlate as correlate, relu as relu, relu6 as relu6, hard_sigmoid as
    hard_sigmoid, softmax as softmax, log_softmax as log_softmax, softplus as softplus, softsign as softsign, gelu as gelu, silu as silu, elu as
    elu, selu as selu, celu as celu, leaky_relu as leaky_relu, prelu as prelu, mish as mish, hardswish as hardswish, hardtanh as hardtanh,
    threshold as threshold, linear as linear, glu as glu, tanhshrink as tanhshrink, hardshrink as hardshrink, softshrink as softshrink,
    logsigmoid as logsigmoid, conv1d as conv1d, conv_transpose1d as conv_transpose1d, conv2d as conv2d, conv_transpose2d as conv_transpose2d,
    conv3d as conv3d, conv_transpose3d as conv_transpose3d, max_pool1d as max_pool1d, average_pool1d as average_pool1d, l2_pool1d as l2_pool1d,
    max_pool2d as max_pool2d, average_pool2d as average_pool2d, l2_pool2d as l2_pool2d, max_pool3d as max_pool3d, average_pool3d as
    average_pool3d, l2_pool3d as l2_pool3d, adaptive_average_pool as adaptive_average_pool, adaptive_max_pool as adaptive_max_pool,
    global_average_pool as global_average_pool, global_max_pool as global_max_pool, pixel_shuffle as pixel_shuffle, pixel_unshuffle as
    pixel_unshuffle, resample as resample, grid_sample as grid_sample, batch_norm as batch_norm, layer_norm as layer_norm, rms_norm as rms_norm,
    group_norm as group_norm, instance_norm as instance_norm, dropout as dropout, scaled_dot_product_attention as scaled_dot_product_attention,
    rope as rope, lstm as lstm, lstm_cell as lstm_cell, gru as gru, gru_cell as gru_cell, rnn as rnn, rnn_cell as rnn_cell, quantize_linear as
    quantize_linear, dequantize_linear as dequantize_linear, mse_loss as mse_loss, mae_loss as mae_loss, huber_loss as huber_loss, log_cosh_loss
    as log_cosh_loss, binary_cross_entropy as binary_cross_entropy, categorical_cross_entropy as categorical_cross_entropy,
    sparse_categorical_cross_entropy as sparse_categorical_cross_entropy, binary_crossentropy as binary_crossentropy, categorical_crossentropy
    as categorical_crossentropy, sparse_categorical_crossentropy as sparse_categorical_crossentropy, nll_loss as nll_loss, kl_div_loss as
    kl_div_loss, ctc_loss as ctc_loss, contrastive_loss as contrastive_loss, cosine_embedding_loss as cosine_embedding_loss, cosine_similarity
    as cosine_similarity, euclidean_distance as euclidean_distance, pairwise_distance as pairwise_distance, normalize_vector as
    normalize_vector, seed as seed, get_seed as get_seed, random_bits as random_bits, random_uniform as random_uniform, random_normal as
    random_normal, truncated_normal as truncated_normal, random_bernoulli as random_bernoulli, random_binomial as random_binomial,
    random_categorical as random_categorical, random_multinomial as random_multinomial, random_gamma as random_gamma, random_beta as
    random_beta, random_exponential as random_exponential, random_poisson as random_poisson, random_laplace as random_laplace, random_gumbel as
    random_gumbel, random_integers as random_integers, random_permutation as random_permutation, shuffle as shuffle, choice as choice,
    compute_energy_stability as compute_energy_stability, compute_interference_strength as compute_interference_strength,
    compute_phase_coherence as compute_phase_coherence, partial_interference as partial_interference, exponential_decay as exponential_decay,
    binary_wave_interference as binary_wave_interference, binary_wave_propagate as binary_wave_propagate, create_duty_cycle as
    create_duty_cycle, generate_blocky_sin as generate_blocky_sin, binary_split as binary_split, shape as shape, ndim as ndim, size as size,
    device as device, strides as strides, nbytes as nbytes, item as item, tolist as tolist, can_cast as can_cast, result_type as result_type,
    isdtype as isdtype, absolute as absolute, arccos as arccos, arccosh as arccosh, arcsin as arcsin, arcsinh as arcsinh, arctan as arctan,
    arctan2 as arctan2, arctanh as arctanh, amax as amax, amin as amin, bitwise_count as bitwise_count, bitwise_not as bitwise_not, cast as
    cast, clamp as clamp, concatenate as concatenate, conjugate as conjugate, count_ones as count_ones, degrees as degrees, div as div, expand
    as expand, floordiv as floordiv, floor_div as floor_div, gather_elements as gather_elements, identity as identity, invert as invert,
    left_shift as left_shift, lookup as lookup, mod as mod, mul as mul, nanstdev as nanstdev, neg as neg, permute as permute, power as power,
    radians as radians, ravel as ravel, reduce_all as reduce_all, reduce_any as reduce_any, reduce_logsumexp as reduce_logsumexp, reduce_max as
    reduce_max, reduce_mean as reduce_mean, reduce_min as reduce_min, reduce_prod as reduce_prod, reduce_std as reduce_std, reduce_sum as
    reduce_sum, reduce_var as reduce_var, resample2d as resample2d, right_shift as right_shift, shift_left as shift_left, shift_right as
    shift_right, sub as sub, swish as swish, true_divide as true_divide, unique as unique, hann as hann, hamming as hamming, blackman as
    blackman, bartlett as bartlett, kaiser as kaiser, random_choice as random_choice, random_shuffle as random_shuffle, multinomial as
    multinomial, mean_squared_error as mean_squared_error, mean_absolute_error as mean_absolute_error, attention as attention, interpolate as
    interpolate, stdev as stdev, mse as mse, set_seed as set_seed, split_tensor as split_tensor, tensor_sort as tensor_sort, tensor_var as
    tensor_var)
from ember_ml.fft import (_Fft as _fft_)
from ember_ml.tensor import (_Tensor as _tensor_)
array = asarray
Tensor = EmberTensor
__array_api_version__: builtins.str
e: builtins.float
pi: builtins.float
inf: builtins.float
nan: builtins.float
newaxis: None
bool: DType
int4: DType
uint4: DType
int8: DType
uint8: DType
int16: DType
uint16: DType
int32: DType
uint32: DType
int64: DType
uint64: DType
float16: DType
bfloat16: DType
float32: DType
float64: DType
complex64: DType
complex128: DType
bool_: DType
fft = _fft_
tensor = _tensor_
__all__: list[str] = ['DType', 'EmberTensor', 'Parameter', 'Tensor', '__array_namespace_info__', 'abs', 'absolute', 'acos', 'acosh',
    'adaptive_average_pool', 'adaptive_max_pool', 'add', 'all', 'allclose', 'amax', 'amin', 'angle', 'any', 'arange', 'arccos', 'arccosh',
    'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argsort', 'argwhere', 'array', 'array_equal', 'array_split',
    'as_strided', 'asarray', 'asin', 'asinh', 'astype', 'atan', 'atan2', 'atanh', 'atleast_nd', 'attention', 'auto_select_backend', 'average',
    'average_pool1d', 'average_pool2d', 'average_pool3d', 'backend_info', 'bartlett', 'bartlett_window', 'batch_norm', 'bfloat16',
    'binary_cross_entropy', 'binary_crossentropy', 'binary_split', 'binary_wave_interference', 'binary_wave_propagate', 'bincount',
    'bitwise_and', 'bitwise_count', 'bitwise_invert', 'bitwise_left_shift', 'bitwise_not', 'bitwise_or', 'bitwise_right_shift', 'bitwise_xor',
    'blackman', 'blackman_window', 'bool', 'bool_', 'broadcast_arrays', 'broadcast_shapes', 'broadcast_to', 'can_cast', 'cast',
    'categorical_cross_entropy', 'categorical_crossentropy', 'cbrt', 'ceil', 'celu', 'checkpoint', 'choice', 'cholesky', 'clamp', 'clear_cache',
    'clip', 'complex128', 'complex64', 'compute_energy_stability', 'compute_interference_strength', 'compute_phase_coherence', 'concat',
    'concatenate', 'cond', 'conj', 'conjugate', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d',
    'conv_transpose3d', 'convert_to_tensor', 'convolve', 'copy', 'copysign', 'corrcoef', 'correlate', 'cos', 'cosh', 'cosine_embedding_loss',
    'cosine_similarity', 'count_nonzero', 'count_ones', 'count_zeros', 'counters', 'cov', 'create_duty_cycle', 'cross', 'ctc_loss', 'cummax',
    'cummin', 'cumprod', 'cumsum', 'cumulative_prod', 'cumulative_sum', 'deg2rad', 'degrees', 'dequantize_linear', 'det', 'device', 'diag',
    'diagonal', 'diff', 'digamma', 'digitize', 'div', 'divide', 'dot', 'dropout', 'dstack', 'dtype', 'e', 'eig', 'eigh', 'eigvals', 'eigvalsh',
    'einsum', 'elu', 'embedding', 'empty', 'empty_like', 'enable_grad', 'equal', 'erf', 'erfc', 'erfinv', 'euclidean_distance', 'eval', 'exp',
    'exp2', 'expand', 'expand_dims', 'expm', 'expm1', 'exponential_decay', 'eye', 'fft', 'fft2', 'fftfreq', 'fftn', 'fftshift', 'finfo',
    'flatten', 'flip', 'float16', 'float32', 'float64', 'floor', 'floor_div', 'floor_divide', 'floordiv', 'fmod', 'frame', 'from_dlpack',
    'from_dtype_str', 'full', 'full_like', 'gather', 'gather_elements', 'gather_nd', 'gaussian', 'gelu', 'gemm', 'generate_blocky_sin',
    'get_available_backends', 'get_available_devices', 'get_backend', 'get_bit', 'get_default_device', 'get_default_dtype', 'get_device',
    'get_device_of_tensor', 'get_dtype', 'get_printoptions', 'get_seed', 'global_average_pool', 'global_max_pool', 'glu', 'grad', 'gradient',
    'gradients', 'greater', 'greater_equal', 'grid_sample', 'group_norm', 'gru', 'gru_cell', 'hamming', 'hamming_window', 'hann', 'hann_window',
    'hard_sigmoid', 'hardshrink', 'hardswish', 'hardtanh', 'heaviside', 'hfft', 'histogram', 'hstack', 'huber_loss', 'hypot', 'identity',
    'ifft', 'ifft2', 'ifftn', 'ifftshift', 'ihfft', 'iinfo', 'imag', 'index', 'index_add', 'index_update', 'inf', 'inner', 'instance_norm',
    'int16', 'int32', 'int4', 'int64', 'int8', 'interpolate', 'inv', 'invert', 'irfft', 'irfft2', 'irfftn', 'is_available', 'isclose',
    'isdtype', 'isfinite', 'isin', 'isinf', 'isnan', 'istft', 'item', 'jacobian', 'kaiser', 'kaiser_window', 'kl_div_loss', 'kron', 'l2_pool1d',
    'l2_pool2d', 'l2_pool3d', 'layer_norm', 'leaky_relu', 'left_shift', 'lerp', 'less', 'less_equal', 'lgamma', 'linalg', 'linear', 'linspace',
    'load', 'load_metadata', 'log', 'log10', 'log1p', 'log2', 'log_cosh_loss', 'log_softmax', 'logaddexp', 'logcumsumexp', 'logical_and',
    'logical_not', 'logical_or', 'logical_xor', 'logsigmoid', 'logspace', 'logsumexp', 'lookup', 'lstm', 'lstm_cell', 'lstsq', 'lu', 'mae_loss',
    'masked_fill', 'masked_select', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'max', 'max_pool1d',
    'max_pool2d', 'max_pool3d', 'maximum', 'mean', 'mean_absolute_error', 'mean_squared_error', 'median', 'mel_filter_bank', 'memory_info',
    'memory_stats', 'memory_usage', 'meshgrid', 'min', 'minimum', 'mish', 'mod', 'moveaxis', 'mse', 'mse_loss', 'mul', 'multi_dot',
    'multinomial', 'multiply', 'nan', 'nan_to_num', 'nanargmax', 'nanargmin', 'nanmax', 'nanmean', 'nanmedian', 'nanmin', 'nanprod', 'nanstd',
    'nanstdev', 'nansum', 'nanvar', 'nbytes', 'ndim', 'neg', 'negative', 'newaxis', 'nextafter', 'nll_loss', 'no_grad', 'nonzero', 'norm',
    'normalize_vector', 'not_equal', 'one_hot', 'ones', 'ones_like', 'orthogonal', 'outer', 'overlap_add', 'pad', 'pairwise_distance',
    'partial_interference', 'percentile', 'permute', 'permute_dims', 'pi', 'pinv', 'pixel_shuffle', 'pixel_unshuffle', 'popcount', 'positive',
    'pow', 'power', 'prelu', 'prod', 'ptp', 'put_along_axis', 'qr', 'quantile', 'quantize_linear', 'rad2deg', 'radians', 'random_bernoulli',
    'random_beta', 'random_binomial', 'random_bits', 'random_categorical', 'random_choice', 'random_exponential', 'random_gamma',
    'random_gumbel', 'random_integers', 'random_laplace', 'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson',
    'random_shuffle', 'random_uniform', 'ravel', 'real', 'reciprocal', 'reduce_all', 'reduce_any', 'reduce_l1', 'reduce_l2', 'reduce_log_sum',
    'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_sum_square', 'reduce_var',
    'relu', 'relu6', 'remainder', 'repeat', 'resample', 'resample2d', 'reshape', 'result_type', 'rfft', 'rfft2', 'rfftfreq', 'rfftn',
    'right_shift', 'rms_norm', 'rnn', 'rnn_cell', 'roll', 'rope', 'rot90', 'rotate_left', 'rotate_right', 'round', 'rsqrt', 'save',
    'scaled_dot_product_attention', 'scatter', 'scatter_add', 'scatter_elements', 'scatter_max', 'scatter_mean', 'scatter_min', 'scatter_nd',
    'scatter_softmax', 'searchsorted', 'seed', 'segment_sum', 'selu', 'set_backend', 'set_bit', 'set_default_device', 'set_default_dtype',
    'set_device', 'set_ops', 'set_printoptions', 'set_seed', 'shape', 'shift_left', 'shift_right', 'shuffle', 'sigmoid', 'sign', 'signbit',
    'silu', 'sin', 'sinc', 'sinh', 'size', 'slice', 'slice_tensor', 'slice_update', 'slogdet', 'softmax', 'softplus', 'softshrink', 'softsign',
    'solve', 'solve_triangular', 'sort', 'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'spectrogram', 'split',
    'split_tensor', 'sqrt', 'square', 'squeeze', 'stack', 'std', 'stdev', 'stft', 'strides', 'sub', 'subtract', 'sum', 'svd', 'svdvals',
    'swapaxes', 'swish', 'synchronize', 'take', 'take_along_axis', 'tan', 'tanh', 'tanhshrink', 'tensor_scatter_nd_update', 'tensor_sort',
    'tensor_var', 'tensordot', 'threshold', 'tile', 'to_device', 'to_dtype_str', 'to_numpy', 'toggle_bit', 'tolist', 'topk', 'trace',
    'transpose', 'tri', 'tril', 'tril_indices', 'triu', 'triu_indices', 'true_divide', 'trunc', 'truncated_normal', 'uint16', 'uint32', 'uint4',
    'uint64', 'uint8', 'unique', 'unique_all', 'unique_counts', 'unique_inverse', 'unique_values', 'unstack', 'using_backend', 'value_and_grad',
    'vander', 'var', 'vecdot', 'vector_norm', 'vstack', 'where', 'windows', 'zeros', 'zeros_like']
