# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import importlib as _importlib
import math as _math
from typing import (Any as _Any)
from ember_ml import (_aliases as _aliases, _at as _at, accelerator as accelerator, activations as activations, autograd as autograd,
    backend as backend, backends as backends, bitwise as bitwise, core as core, coreml as coreml, cuda as cuda, datasets as datasets, debug as
    debug, distributed as distributed, distributions as distributions, errors as errors, fast as fast, features as features, func as func,
    interfaces as interfaces, lax as lax, linalg as linalg, linearalg as linearalg, lint as lint, memory as memory, models as models, nn as nn,
    numpy as numpy, onnx as onnx, ops as ops, optim as optim, optimizers as optimizers, random as random, registry as registry, scipy as scipy,
    special as special, stats as stats, training as training, tree as tree, tree_util as tree_util, types as types, utils as utils,
    visualization as visualization)
from ember_ml._compat import (absent as _absent, einops_backend as _einops_backend, methods as _methods, ufuncs as _ufuncs)
from ember_ml._compat.calculus import (gradient as gradient, install as _install_gradient)
from ember_ml._compat.random import (rand as rand, rand_like as rand_like, randint as randint, randn as randn, randn_like as randn_like,
    randperm as randperm)
from ember_ml._compat.text import (genfromtxt as genfromtxt, loadtxt as loadtxt, savetxt as savetxt)
from ember_ml._core import (DType as DType, EmberTensor as EmberTensor, Parameter as Parameter, asarray as asarray, auto_select_backend as
    auto_select_backend, backend_info as backend_info, clear_cache as clear_cache, convert_to_tensor as convert_to_tensor, counters as counters,
    finfo as finfo, from_dlpack as from_dlpack, get_available_backends as get_available_backends, get_available_devices as
    get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as get_device, get_printoptions as
    get_printoptions, iinfo as iinfo, load as load, load_metadata as load_metadata, memory_stats as memory_stats, save as save, set_backend as
    set_backend, set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions as set_printoptions, synchronize as
    synchronize, to_device as to_device, using_backend as using_backend, __version__ as __version__, get_device as default_device,
    get_available_devices as devices, get_available_devices as local_devices, EmberTensor as Array, EmberTensor as Tensor, EmberTensor as
    ndarray)
from ember_ml._custom import (custom_function as custom_function, custom_vjp as custom_vjp, jvp as jvp, vjp as vjp)
from ember_ml._grad import (checkpoint as checkpoint, enable_grad as enable_grad, eval as eval, grad as grad, gradients as gradients,
    hessian as hessian, jacobian as jacobian, no_grad as no_grad, value_and_grad as value_and_grad, eval as async_eval, checkpoint as remat,
    no_grad as inference_mode, jacobian as jacfwd, jacobian as jacrev)
from ember_ml._info import (__array_namespace_info__ as __array_namespace_info__)
from ember_ml._more import (dtype as dtype, from_dtype_str as from_dtype_str, get_default_device as get_default_device, get_device_of_tensor
    as get_device_of_tensor, get_dtype as get_dtype, index as index, index_update as index_update, is_available as is_available, memory_info as
    memory_info, memory_usage as memory_usage, set_default_device as set_default_device, set_ops as set_ops, slice_update as slice_update,
    to_dtype_str as to_dtype_str, to_numpy as to_numpy)
from ember_ml._names import (DTYPES as _DTYPES, FUNCTIONS as _FUNCTIONS)
from ember_ml._compat.grids import (ix_ as ix_)
from ember_ml._compat.jax import (block_until_ready as block_until_ready, default_backend as default_backend, device_count as device_count,
    device_get as device_get, device_put as device_put)
from ember_ml.tree import (map as tree_map)
from ember_ml._compat.numpy import (append as append, apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes, argpartition
    as argpartition, array2string as array2string, array_repr as array_repr, array_str as array_str, ascontiguousarray as ascontiguousarray,
    atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d, bartlett as bartlett, blackman as blackman, block as block,
    column_stack as column_stack, compress as compress, delete as delete, diag_indices as diag_indices, diag_indices_from as diag_indices_from,
    diagflat as diagflat, divmod as divmod, dsplit as dsplit, ediff1d as ediff1d, extract as extract, fill_diagonal as fill_diagonal,
    flatnonzero as flatnonzero, fliplr as fliplr, flipud as flipud, float_power as float_power, fmax as fmax, fmin as fmin, frexp as frexp,
    frombuffer as frombuffer, fromfunction as fromfunction, fromiter as fromiter, gcd as gcd, geomspace as geomspace, hamming as hamming,
    hanning as hanning, histogram2d as histogram2d, histogram_bin_edges as histogram_bin_edges, histogramdd as histogramdd, hsplit as hsplit,
    identity as identity, in1d as in1d, indices as indices, insert as insert, interp as interp, intersect1d as intersect1d, iscomplex as
    iscomplex, iscomplexobj as iscomplexobj, isneginf as isneginf, isposinf as isposinf, isreal as isreal, isrealobj as isrealobj, isscalar as
    isscalar, kaiser as kaiser, lcm as lcm, ldexp as ldexp, lexsort as lexsort, logaddexp2 as logaddexp2, matvec as matvec, modf as modf,
    nancumprod as nancumprod, nancumsum as nancumsum, nanpercentile as nanpercentile, nanquantile as nanquantile, ndenumerate as ndenumerate,
    ndindex as ndindex, partition as partition, piecewise as piecewise, poly as poly, polyadd as polyadd, polyder as polyder, polydiv as
    polydiv, polyfit as polyfit, polyint as polyint, polymul as polymul, polysub as polysub, polyval as polyval, promote_types as promote_types,
    ravel_multi_index as ravel_multi_index, real_if_close as real_if_close, resize as resize, rollaxis as rollaxis, roots as roots, savez as
    savez, select as select, setdiff1d as setdiff1d, setxor1d as setxor1d, spacing as spacing, trapezoid as trapezoid, trapz as trapz,
    tril_indices_from as tril_indices_from, trim_zeros as trim_zeros, triu_indices_from as triu_indices_from, union1d as union1d, unravel_index
    as unravel_index, unwrap as unwrap, vdot as vdot, vecmat as vecmat, vectorize as vectorize, vsplit as vsplit)
from ember_ml._compat.torch import (addcdiv as addcdiv, addcmul as addcmul, addmm as addmm, addmv as addmv, aminmax as aminmax, as_tensor as
    as_tensor, baddbmm as baddbmm, bernoulli as bernoulli, block_diag as block_diag, bucketize as bucketize, cartesian_prod as cartesian_prod,
    cdist as cdist, chunk as chunk, combinations as combinations, compile as compile, complex as complex, cumulative_trapezoid as
    cumulative_trapezoid, diag_embed as diag_embed, dist as dist, entr as entr, frac as frac, from_numpy as from_numpy, histc as histc,
    index_copy as index_copy, index_fill as index_fill, index_select as index_select, is_complex as is_complex, is_floating_point as
    is_floating_point, is_grad_enabled as is_grad_enabled, is_tensor as is_tensor, jit as jit, kthvalue as kthvalue, logdet as logdet, logit as
    logit, masked_scatter as masked_scatter, mode as mode, narrow as narrow, normal as normal, polar as polar, scatter_reduce as scatter_reduce,
    set_grad_enabled as set_grad_enabled, std_mean as std_mean, stop_gradient as stop_gradient, t as t, tensor_split as tensor_split, unflatten
    as unflatten, unique_consecutive as unique_consecutive, var_mean as var_mean, view_as_complex as view_as_complex, view_as_real as
    view_as_real, xlog1py as xlog1py, xlogy as xlogy)
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
    percentile, diff as diff, histogram as histogram, bincount as bincount, digitize as digitize, nansum as nansum, nanprod as nanprod, nanmean
    as nanmean, nanvar as nanvar, nanstd as nanstd, nanmax as nanmax, nanmin as nanmin, nanmedian as nanmedian, nanargmax as nanargmax,
    nanargmin as nanargmin, cov as cov, corrcoef as corrcoef, gaussian as gaussian, reduce_l1 as reduce_l1, reduce_l2 as reduce_l2,
    reduce_log_sum as reduce_log_sum, reduce_sum_square as reduce_sum_square, ptp as ptp, average as average, reshape as reshape, transpose as
    transpose, permute_dims as permute_dims, matrix_transpose as matrix_transpose, moveaxis as moveaxis, swapaxes as swapaxes, squeeze as
    squeeze, expand_dims as expand_dims, broadcast_to as broadcast_to, broadcast_arrays as broadcast_arrays, broadcast_shapes as
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
    pixel_unshuffle, resample as resample, grid_sample as grid_sample, batch_norm as batch_norm, layer_norm as layer_norm, layer_norm_grad as
    layer_norm_grad, rms_norm as rms_norm, group_norm as group_norm, instance_norm as instance_norm, dropout as dropout,
    scaled_dot_product_attention as scaled_dot_product_attention, attention_grad as attention_grad, rope as rope, lstm as lstm, lstm_cell as
    lstm_cell, gru as gru, gru_cell as gru_cell, rnn as rnn, rnn_cell as rnn_cell, quantize_linear as quantize_linear, dequantize_linear as
    dequantize_linear, mse_loss as mse_loss, mae_loss as mae_loss, huber_loss as huber_loss, log_cosh_loss as log_cosh_loss,
    binary_cross_entropy as binary_cross_entropy, categorical_cross_entropy as categorical_cross_entropy, sparse_categorical_cross_entropy as
    sparse_categorical_cross_entropy, binary_crossentropy as binary_crossentropy, categorical_crossentropy as categorical_crossentropy,
    sparse_categorical_crossentropy as sparse_categorical_crossentropy, nll_loss as nll_loss, kl_div_loss as kl_div_loss, ctc_loss as ctc_loss,
    contrastive_loss as contrastive_loss, cosine_embedding_loss as cosine_embedding_loss, cosine_similarity as cosine_similarity,
    euclidean_distance as euclidean_distance, pairwise_distance as pairwise_distance, normalize_vector as normalize_vector, seed as seed,
    get_seed as get_seed, random_bits as random_bits, random_uniform as random_uniform, random_normal as random_normal, truncated_normal as
    truncated_normal, random_bernoulli as random_bernoulli, random_binomial as random_binomial, random_categorical as random_categorical,
    random_multinomial as random_multinomial, random_gamma as random_gamma, random_beta as random_beta, random_exponential as
    random_exponential, random_poisson as random_poisson, random_laplace as random_laplace, random_gumbel as random_gumbel, random_integers as
    random_integers, random_permutation as random_permutation, shuffle as shuffle, choice as choice, compute_energy_stability as
    compute_energy_stability, compute_interference_strength as compute_interference_strength, compute_phase_coherence as
    compute_phase_coherence, partial_interference as partial_interference, exponential_decay as exponential_decay, binary_wave_interference as
    binary_wave_interference, binary_wave_propagate as binary_wave_propagate, create_duty_cycle as create_duty_cycle, generate_blocky_sin as
    generate_blocky_sin, binary_split as binary_split, shape as shape, ndim as ndim, size as size, device as device, strides as strides, nbytes
    as nbytes, item as item, tolist as tolist, can_cast as can_cast, result_type as result_type, isdtype as isdtype, absolute as absolute,
    arccos as arccos, arccosh as arccosh, arcsin as arcsin, arcsinh as arcsinh, arctan as arctan, arctan2 as arctan2, arctanh as arctanh, amax
    as amax, amin as amin, bitwise_count as bitwise_count, bitwise_not as bitwise_not, cast as cast, clamp as clamp, concatenate as concatenate,
    conjugate as conjugate, count_ones as count_ones, degrees as degrees, div as div, expand as expand, floordiv as floordiv, floor_div as
    floor_div, gather_elements as gather_elements, invert as invert, left_shift as left_shift, lookup as lookup, mod as mod, mul as mul,
    nanstdev as nanstdev, neg as neg, permute as permute, power as power, radians as radians, ravel as ravel, reduce_all as reduce_all,
    reduce_any as reduce_any, reduce_logsumexp as reduce_logsumexp, reduce_max as reduce_max, reduce_mean as reduce_mean, reduce_min as
    reduce_min, reduce_prod as reduce_prod, reduce_std as reduce_std, reduce_sum as reduce_sum, reduce_var as reduce_var, resample2d as
    resample2d, right_shift as right_shift, shift_left as shift_left, shift_right as shift_right, sub as sub, swish as swish, true_divide as
    true_divide, unique as unique, hann as hann, random_choice as random_choice, random_shuffle as random_shuffle, multinomial as multinomial,
    mean_squared_error as mean_squared_error, mean_absolute_error as mean_absolute_error, attention as attention, interpolate as interpolate,
    stdev as stdev, mse as mse, set_seed as set_seed, split_tensor as split_tensor, tensor_sort as tensor_sort, tensor_var as tensor_var, fabs
    as fabs, rint as rint, around as around, fix as fix, row_stack as row_stack, bmm as bmm, cat as cat, clone as clone, dim as dim, eq as eq,
    ge as ge, gt as gt, le as le, lt as lt, manual_seed as manual_seed, mm as mm, movedim as movedim, mv as mv, ne as ne, numel as numel,
    repeat_interleave as repeat_interleave, swapdims as swapdims, unbind as unbind, unsqueeze as unsqueeze, view as view, inverse as inverse,
    l1_loss as l1_loss, nelement as nelement, take_along_dim as take_along_dim, expit as expit, gammaln as gammaln, hard_tanh as hard_tanh,
    hard_swish as hard_swish, log_sigmoid as log_sigmoid)
from ember_ml.fft import (_Fft as _fft_)
from ember_ml.tensor import (_Tensor as _tensor_)
array = asarray
c_: Any
mgrid: Any
ogrid: Any
r_: Any
s_: Any
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
__all__: list[str] = ['Array', 'DType', 'EmberTensor', 'Parameter', 'Tensor', '__array_namespace_info__', 'abs', 'absolute', 'acos',
    'acosh', 'adaptive_average_pool', 'adaptive_max_pool', 'add', 'addcdiv', 'addcmul', 'addmm', 'addmv', 'all', 'allclose', 'amax', 'amin',
    'aminmax', 'angle', 'any', 'append', 'apply_along_axis', 'apply_over_axes', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan',
    'arctan2', 'arctanh', 'argmax', 'argmin', 'argpartition', 'argsort', 'argwhere', 'around', 'array', 'array2string', 'array_equal',
    'array_repr', 'array_split', 'array_str', 'as_strided', 'as_tensor', 'asarray', 'ascontiguousarray', 'asin', 'asinh', 'astype',
    'async_eval', 'atan', 'atan2', 'atanh', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'atleast_nd', 'attention', 'attention_grad',
    'auto_select_backend', 'average', 'average_pool1d', 'average_pool2d', 'average_pool3d', 'backend_info', 'baddbmm', 'bartlett',
    'bartlett_window', 'batch_norm', 'bernoulli', 'bfloat16', 'binary_cross_entropy', 'binary_crossentropy', 'binary_split',
    'binary_wave_interference', 'binary_wave_propagate', 'bincount', 'bitwise_and', 'bitwise_count', 'bitwise_invert', 'bitwise_left_shift',
    'bitwise_not', 'bitwise_or', 'bitwise_right_shift', 'bitwise_xor', 'blackman', 'blackman_window', 'block', 'block_diag',
    'block_until_ready', 'bmm', 'bool', 'bool_', 'broadcast_arrays', 'broadcast_shapes', 'broadcast_to', 'bucketize', 'c_', 'can_cast',
    'cartesian_prod', 'cast', 'cat', 'categorical_cross_entropy', 'categorical_crossentropy', 'cbrt', 'cdist', 'ceil', 'celu', 'checkpoint',
    'choice', 'cholesky', 'chunk', 'clamp', 'clear_cache', 'clip', 'clone', 'column_stack', 'combinations', 'compile', 'complex', 'complex128',
    'complex64', 'compress', 'compute_energy_stability', 'compute_interference_strength', 'compute_phase_coherence', 'concat', 'concatenate',
    'cond', 'conj', 'conjugate', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d',
    'convert_to_tensor', 'convolve', 'copy', 'copysign', 'corrcoef', 'correlate', 'cos', 'cosh', 'cosine_embedding_loss', 'cosine_similarity',
    'count_nonzero', 'count_ones', 'count_zeros', 'counters', 'cov', 'create_duty_cycle', 'cross', 'ctc_loss', 'cummax', 'cummin', 'cumprod',
    'cumsum', 'cumulative_prod', 'cumulative_sum', 'cumulative_trapezoid', 'custom_function', 'custom_vjp', 'default_backend', 'default_device',
    'deg2rad', 'degrees', 'delete', 'dequantize_linear', 'det', 'device', 'device_count', 'device_get', 'device_put', 'devices', 'diag',
    'diag_embed', 'diag_indices', 'diag_indices_from', 'diagflat', 'diagonal', 'diff', 'digamma', 'digitize', 'dim', 'dist', 'div', 'divide',
    'divmod', 'dot', 'dropout', 'dsplit', 'dstack', 'dtype', 'e', 'ediff1d', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'elu', 'embedding',
    'empty', 'empty_like', 'enable_grad', 'entr', 'eq', 'equal', 'erf', 'erfc', 'erfinv', 'euclidean_distance', 'eval', 'exp', 'exp2', 'expand',
    'expand_dims', 'expit', 'expm', 'expm1', 'exponential_decay', 'extract', 'eye', 'fabs', 'fft', 'fft2', 'fftfreq', 'fftn', 'fftshift',
    'fill_diagonal', 'finfo', 'fix', 'flatnonzero', 'flatten', 'flip', 'fliplr', 'flipud', 'float16', 'float32', 'float64', 'float_power',
    'floor', 'floor_div', 'floor_divide', 'floordiv', 'fmax', 'fmin', 'fmod', 'frac', 'frame', 'frexp', 'from_dlpack', 'from_dtype_str',
    'from_numpy', 'frombuffer', 'fromfunction', 'fromiter', 'full', 'full_like', 'gammaln', 'gather', 'gather_elements', 'gather_nd',
    'gaussian', 'gcd', 'ge', 'gelu', 'gemm', 'generate_blocky_sin', 'genfromtxt', 'geomspace', 'get_available_backends',
    'get_available_devices', 'get_backend', 'get_bit', 'get_default_device', 'get_default_dtype', 'get_device', 'get_device_of_tensor',
    'get_dtype', 'get_printoptions', 'get_seed', 'global_average_pool', 'global_max_pool', 'glu', 'grad', 'gradient', 'gradients', 'greater',
    'greater_equal', 'grid_sample', 'group_norm', 'gru', 'gru_cell', 'gt', 'hamming', 'hamming_window', 'hann', 'hann_window', 'hanning',
    'hard_sigmoid', 'hard_swish', 'hard_tanh', 'hardshrink', 'hardswish', 'hardtanh', 'heaviside', 'hessian', 'hfft', 'histc', 'histogram',
    'histogram2d', 'histogram_bin_edges', 'histogramdd', 'hsplit', 'hstack', 'huber_loss', 'hypot', 'identity', 'ifft', 'ifft2', 'ifftn',
    'ifftshift', 'ihfft', 'iinfo', 'imag', 'in1d', 'index', 'index_add', 'index_copy', 'index_fill', 'index_select', 'index_update', 'indices',
    'inf', 'inference_mode', 'inner', 'insert', 'instance_norm', 'int16', 'int32', 'int4', 'int64', 'int8', 'interp', 'interpolate',
    'intersect1d', 'inv', 'inverse', 'invert', 'irfft', 'irfft2', 'irfftn', 'is_available', 'is_complex', 'is_floating_point',
    'is_grad_enabled', 'is_tensor', 'isclose', 'iscomplex', 'iscomplexobj', 'isdtype', 'isfinite', 'isin', 'isinf', 'isnan', 'isneginf',
    'isposinf', 'isreal', 'isrealobj', 'isscalar', 'istft', 'item', 'ix_', 'jacfwd', 'jacobian', 'jacrev', 'jit', 'jvp', 'kaiser',
    'kaiser_window', 'kl_div_loss', 'kron', 'kthvalue', 'l1_loss', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'layer_norm_grad',
    'lcm', 'ldexp', 'le', 'leaky_relu', 'left_shift', 'lerp', 'less', 'less_equal', 'lexsort', 'lgamma', 'linalg', 'linear', 'linspace', 'load',
    'load_metadata', 'loadtxt', 'local_devices', 'log', 'log10', 'log1p', 'log2', 'log_cosh_loss', 'log_sigmoid', 'log_softmax', 'logaddexp',
    'logaddexp2', 'logcumsumexp', 'logdet', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'logit', 'logsigmoid', 'logspace',
    'logsumexp', 'lookup', 'lstm', 'lstm_cell', 'lstsq', 'lt', 'lu', 'mae_loss', 'manual_seed', 'masked_fill', 'masked_scatter',
    'masked_select', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'matvec', 'max', 'max_pool1d', 'max_pool2d',
    'max_pool3d', 'maximum', 'mean', 'mean_absolute_error', 'mean_squared_error', 'median', 'mel_filter_bank', 'memory_info', 'memory_stats',
    'memory_usage', 'meshgrid', 'mgrid', 'min', 'minimum', 'mish', 'mm', 'mod', 'mode', 'modf', 'moveaxis', 'movedim', 'mse', 'mse_loss', 'mul',
    'multi_dot', 'multinomial', 'multiply', 'mv', 'nan', 'nan_to_num', 'nanargmax', 'nanargmin', 'nancumprod', 'nancumsum', 'nanmax', 'nanmean',
    'nanmedian', 'nanmin', 'nanpercentile', 'nanprod', 'nanquantile', 'nanstd', 'nanstdev', 'nansum', 'nanvar', 'narrow', 'nbytes', 'ndarray',
    'ndenumerate', 'ndim', 'ndindex', 'ne', 'neg', 'negative', 'nelement', 'newaxis', 'nextafter', 'nll_loss', 'no_grad', 'nonzero', 'norm',
    'normal', 'normalize_vector', 'not_equal', 'numel', 'ogrid', 'one_hot', 'ones', 'ones_like', 'orthogonal', 'outer', 'overlap_add', 'pad',
    'pairwise_distance', 'partial_interference', 'partition', 'percentile', 'permute', 'permute_dims', 'pi', 'piecewise', 'pinv',
    'pixel_shuffle', 'pixel_unshuffle', 'polar', 'poly', 'polyadd', 'polyder', 'polydiv', 'polyfit', 'polyint', 'polymul', 'polysub', 'polyval',
    'popcount', 'positive', 'pow', 'power', 'prelu', 'prod', 'promote_types', 'ptp', 'put_along_axis', 'qr', 'quantile', 'quantize_linear',
    'r_', 'rad2deg', 'radians', 'rand', 'rand_like', 'randint', 'randn', 'randn_like', 'random_bernoulli', 'random_beta', 'random_binomial',
    'random_bits', 'random_categorical', 'random_choice', 'random_exponential', 'random_gamma', 'random_gumbel', 'random_integers',
    'random_laplace', 'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson', 'random_shuffle', 'random_uniform',
    'randperm', 'ravel', 'ravel_multi_index', 'real', 'real_if_close', 'reciprocal', 'reduce_all', 'reduce_any', 'reduce_l1', 'reduce_l2',
    'reduce_log_sum', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum',
    'reduce_sum_square', 'reduce_var', 'relu', 'relu6', 'remainder', 'remat', 'repeat', 'repeat_interleave', 'resample', 'resample2d',
    'reshape', 'resize', 'result_type', 'rfft', 'rfft2', 'rfftfreq', 'rfftn', 'right_shift', 'rint', 'rms_norm', 'rnn', 'rnn_cell', 'roll',
    'rollaxis', 'roots', 'rope', 'rot90', 'rotate_left', 'rotate_right', 'round', 'row_stack', 'rsqrt', 's_', 'save', 'savetxt', 'savez',
    'scaled_dot_product_attention', 'scatter', 'scatter_add', 'scatter_elements', 'scatter_max', 'scatter_mean', 'scatter_min', 'scatter_nd',
    'scatter_reduce', 'scatter_softmax', 'searchsorted', 'seed', 'segment_sum', 'select', 'selu', 'set_backend', 'set_bit',
    'set_default_device', 'set_default_dtype', 'set_device', 'set_grad_enabled', 'set_ops', 'set_printoptions', 'set_seed', 'setdiff1d',
    'setxor1d', 'shape', 'shift_left', 'shift_right', 'shuffle', 'sigmoid', 'sign', 'signbit', 'silu', 'sin', 'sinc', 'sinh', 'size', 'slice',
    'slice_tensor', 'slice_update', 'slogdet', 'softmax', 'softplus', 'softshrink', 'softsign', 'solve', 'solve_triangular', 'sort', 'spacing',
    'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'spectrogram', 'split', 'split_tensor', 'sqrt', 'square', 'squeeze',
    'stack', 'std', 'std_mean', 'stdev', 'stft', 'stop_gradient', 'strides', 'sub', 'subtract', 'sum', 'svd', 'svdvals', 'swapaxes', 'swapdims',
    'swish', 'synchronize', 't', 'take', 'take_along_axis', 'take_along_dim', 'tan', 'tanh', 'tanhshrink', 'tensor_scatter_nd_update',
    'tensor_sort', 'tensor_split', 'tensor_var', 'tensordot', 'threshold', 'tile', 'to_device', 'to_dtype_str', 'to_numpy', 'toggle_bit',
    'tolist', 'topk', 'trace', 'transpose', 'trapezoid', 'trapz', 'tree', 'tree_map', 'tri', 'tril', 'tril_indices', 'tril_indices_from',
    'trim_zeros', 'triu', 'triu_indices', 'triu_indices_from', 'true_divide', 'trunc', 'truncated_normal', 'uint16', 'uint32', 'uint4',
    'uint64', 'uint8', 'unbind', 'unflatten', 'union1d', 'unique', 'unique_all', 'unique_consecutive', 'unique_counts', 'unique_inverse',
    'unique_values', 'unravel_index', 'unsqueeze', 'unstack', 'unwrap', 'using_backend', 'value_and_grad', 'vander', 'var', 'var_mean', 'vdot',
    'vecdot', 'vecmat', 'vector_norm', 'vectorize', 'view', 'view_as_complex', 'view_as_real', 'vjp', 'vsplit', 'vstack', 'where', 'windows',
    'xlog1py', 'xlogy', 'zeros', 'zeros_like']
