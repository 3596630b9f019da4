# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import sys as _sys
import ember_ml as _ember
from types import (ModuleType as _ModuleType)
from typing import (Any as Any)
from ember_ml._core import (DType as EmberDType, EmberTensor as EmberTensor, get_device as default_device, get_available_devices as devices,
    get_available_devices as local_devices, DType as DType, Parameter as Parameter, asarray as asarray, auto_select_backend as
    auto_select_backend, backend_info as backend_info, clear_cache as clear_cache, convert_to_tensor as convert_to_tensor, counters as counters,
    finfo as finfo, from_dlpack as from_dlpack, get_available_backends as get_available_backends, get_available_devices as
    get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as get_device, get_printoptions as
    get_printoptions, iinfo as iinfo, load as load, load_metadata as load_metadata, memory_stats as memory_stats, save as save, set_backend as
    set_backend, set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions as set_printoptions, synchronize as
    synchronize, to_device as to_device, using_backend as using_backend, get_device as get_default_device, set_device as set_default_device,
    set_backend as set_ops, asarray as array, EmberTensor as Array, EmberTensor as Tensor, EmberTensor as ndarray)
from ember_ml._more import (_convert_to_backend_tensor as _convert_to_backend_tensor, dtype as dtype, from_dtype_str as from_dtype_str,
    get_device_of_tensor as get_device_of_tensor, get_dtype as get_dtype, index_update as index_update, is_available as is_available,
    memory_info as memory_info, memory_usage as memory_usage, slice_update as slice_update, to_dtype_str as to_dtype_str, to_numpy as to_numpy)
from ember_ml.interfaces import (DTypeInterface as DTypeInterface, TensorInterface as TensorInterface)
from ember_ml._compat.calculus import (gradient as gradient)
from ember_ml._compat.grids import (ix_ as ix_)
from ember_ml._grad import (eval as async_eval, checkpoint as remat, no_grad as inference_mode, checkpoint as checkpoint, enable_grad as
    enable_grad, eval as eval, grad as grad, gradients as gradients, hessian as hessian, jacobian as jacobian, no_grad as no_grad,
    value_and_grad as value_and_grad, jacobian as jacfwd, jacobian as jacrev)
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
from ember_ml._compat.random import (rand as rand, rand_like as rand_like, randint as randint, randn as randn, randn_like as randn_like,
    randperm as randperm)
from ember_ml._compat.text import (genfromtxt as genfromtxt, loadtxt as loadtxt, savetxt as savetxt)
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
from ember_ml._custom import (custom_function as custom_function, custom_vjp as custom_vjp, jvp as jvp, vjp as vjp)
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
    flatten, atleast_nd as atleast_nd, diagonal as diagonal, as_strided as as_strided, windows as windows, frame as frame, slice_tensor as
    slice, take as take, take_along_axis as take_along_axis, gather as gather, gather_nd as gather_nd, scatter as scatter, scatter_add as
    scatter_add, scatter_max as scatter_max, scatter_min as scatter_min, scatter_softmax as scatter_softmax, scatter_mean as scatter_mean,
    scatter_elements as scatter_elements, scatter_nd as scatter_nd, tensor_scatter_nd_update as tensor_scatter_nd_update, slice_tensor as
    slice_tensor, index_add as index_add, put_along_axis as put_along_axis, segment_sum as segment_sum, embedding as embedding, masked_select as
    masked_select, masked_fill as masked_fill, matmul as matmul, dot as dot, inner as inner, outer as outer, vecdot as vecdot, tensordot as
    tensordot, einsum as einsum, kron as kron, cross as cross, multi_dot as multi_dot, gemm as gemm, trace as trace, cholesky as cholesky, det
    as det, slogdet as slogdet, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, pinv as pinv, qr as qr, solve as
    solve, solve_triangular as solve_triangular, svd as svd, svdvals as svdvals, lu as lu, lstsq as lstsq, matrix_power as matrix_power,
    matrix_rank as matrix_rank, matrix_norm as matrix_norm, vector_norm as vector_norm, norm as norm, expm as expm, orthogonal as orthogonal,
    cond as cond, ifft as ifft, rfft as rfft, irfft as irfft, hfft as hfft, ihfft as ihfft, fftn as fftn, ifftn as ifftn, rfftn as rfftn, irfftn
    as irfftn, fft2 as fft2, ifft2 as ifft2, rfft2 as rfft2, irfft2 as irfft2, fftfreq as fftfreq, rfftfreq as rfftfreq, fftshift as fftshift,
    ifftshift as ifftshift, hann_window as hann_window, hamming_window as hamming_window, blackman_window as blackman_window, bartlett_window as
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
from builtins import (int as integer, float as floating)
__path__: list[str]
from typing import TypeAlias
from ember_ml._core import DType as _DType_, EmberTensor as _EmberTensor_
import ember_ml._compat.calculus as _calculus_
import ember_ml._compat.grids as _grids_
import ember_ml._compat.jax as _jax_
import ember_ml._compat.numpy as _numpy_
import ember_ml._compat.random as _random_
import ember_ml._compat.text as _text_
import ember_ml._compat.torch as _torch_
import ember_ml._core as __core_
import ember_ml._custom as __custom_
import ember_ml._grad as __grad_
import ember_ml._more as __more_
import ember_ml.interfaces as _interfaces_
import ember_ml.ops as _ops_
import ember_ml.tree as _tree_
class _TensorFunctions(type):
    gradient = staticmethod(_calculus_.gradient)
    c_: Any
    ix_ = staticmethod(_grids_.ix_)
    mgrid: Any
    ogrid: Any
    r_: Any
    s_: Any
    async_eval = staticmethod(__grad_.eval)
    block_until_ready = staticmethod(_jax_.block_until_ready)
    default_backend = staticmethod(_jax_.default_backend)
    default_device = staticmethod(__core_.get_device)
    device_count = staticmethod(_jax_.device_count)
    device_get = staticmethod(_jax_.device_get)
    device_put = staticmethod(_jax_.device_put)
    devices = staticmethod(__core_.get_available_devices)
    local_devices = staticmethod(__core_.get_available_devices)
    remat = staticmethod(__grad_.checkpoint)
    tree_map = staticmethod(_tree_.map)
    append = staticmethod(_numpy_.append)
    apply_along_axis = staticmethod(_numpy_.apply_along_axis)
    apply_over_axes = staticmethod(_numpy_.apply_over_axes)
    argpartition = staticmethod(_numpy_.argpartition)
    array2string = staticmethod(_numpy_.array2string)
    array_repr = staticmethod(_numpy_.array_repr)
    array_str = staticmethod(_numpy_.array_str)
    ascontiguousarray = staticmethod(_numpy_.ascontiguousarray)
    atleast_1d = staticmethod(_numpy_.atleast_1d)
    atleast_2d = staticmethod(_numpy_.atleast_2d)
    atleast_3d = staticmethod(_numpy_.atleast_3d)
    bartlett = staticmethod(_numpy_.bartlett)
    blackman = staticmethod(_numpy_.blackman)
    block = staticmethod(_numpy_.block)
    column_stack = staticmethod(_numpy_.column_stack)
    compress = staticmethod(_numpy_.compress)
    delete = staticmethod(_numpy_.delete)
    diag_indices = staticmethod(_numpy_.diag_indices)
    diag_indices_from = staticmethod(_numpy_.diag_indices_from)
    diagflat = staticmethod(_numpy_.diagflat)
    divmod = staticmethod(_numpy_.divmod)
    dsplit = staticmethod(_numpy_.dsplit)
    ediff1d = staticmethod(_numpy_.ediff1d)
    extract = staticmethod(_numpy_.extract)
    fill_diagonal = staticmethod(_numpy_.fill_diagonal)
    flatnonzero = staticmethod(_numpy_.flatnonzero)
    fliplr = staticmethod(_numpy_.fliplr)
    flipud = staticmethod(_numpy_.flipud)
    float_power = staticmethod(_numpy_.float_power)
    fmax = staticmethod(_numpy_.fmax)
    fmin = staticmethod(_numpy_.fmin)
    frexp = staticmethod(_numpy_.frexp)
    frombuffer = staticmethod(_numpy_.frombuffer)
    fromfunction = staticmethod(_numpy_.fromfunction)
    fromiter = staticmethod(_numpy_.fromiter)
    gcd = staticmethod(_numpy_.gcd)
    geomspace = staticmethod(_numpy_.geomspace)
    hamming = staticmethod(_numpy_.hamming)
    hanning = staticmethod(_numpy_.hanning)
    histogram2d = staticmethod(_numpy_.histogram2d)
    histogram_bin_edges = staticmethod(_numpy_.histogram_bin_edges)
    histogramdd = staticmethod(_numpy_.histogramdd)
    hsplit = staticmethod(_numpy_.hsplit)
    identity = staticmethod(_numpy_.identity)
    in1d = staticmethod(_numpy_.in1d)
    indices = staticmethod(_numpy_.indices)
    insert = staticmethod(_numpy_.insert)
    interp = staticmethod(_numpy_.interp)
    intersect1d = staticmethod(_numpy_.intersect1d)
    iscomplex = staticmethod(_numpy_.iscomplex)
    iscomplexobj = staticmethod(_numpy_.iscomplexobj)
    isneginf = staticmethod(_numpy_.isneginf)
    isposinf = staticmethod(_numpy_.isposinf)
    isreal = staticmethod(_numpy_.isreal)
    isrealobj = staticmethod(_numpy_.isrealobj)
    isscalar = staticmethod(_numpy_.isscalar)
    kaiser = staticmethod(_numpy_.kaiser)
    lcm = staticmethod(_numpy_.lcm)
    ldexp = staticmethod(_numpy_.ldexp)
    lexsort = staticmethod(_numpy_.lexsort)
    logaddexp2 = staticmethod(_numpy_.logaddexp2)
    matvec = staticmethod(_numpy_.matvec)
    modf = staticmethod(_numpy_.modf)
    nancumprod = staticmethod(_numpy_.nancumprod)
    nancumsum = staticmethod(_numpy_.nancumsum)
    nanpercentile = staticmethod(_numpy_.nanpercentile)
    nanquantile = staticmethod(_numpy_.nanquantile)
    ndenumerate = staticmethod(_numpy_.ndenumerate)
    ndindex = staticmethod(_numpy_.ndindex)
    partition = staticmethod(_numpy_.partition)
    piecewise = staticmethod(_numpy_.piecewise)
    poly = staticmethod(_numpy_.poly)
    polyadd = staticmethod(_numpy_.polyadd)
    polyder = staticmethod(_numpy_.polyder)
    polydiv = staticmethod(_numpy_.polydiv)
    polyfit = staticmethod(_numpy_.polyfit)
    polyint = staticmethod(_numpy_.polyint)
    polymul = staticmethod(_numpy_.polymul)
    polysub = staticmethod(_numpy_.polysub)
    polyval = staticmethod(_numpy_.polyval)
    promote_types = staticmethod(_numpy_.promote_types)
    ravel_multi_index = staticmethod(_numpy_.ravel_multi_index)
    real_if_close = staticmethod(_numpy_.real_if_close)
    resize = staticmethod(_numpy_.resize)
    rollaxis = staticmethod(_numpy_.rollaxis)
    roots = staticmethod(_numpy_.roots)
    savez = staticmethod(_numpy_.savez)
    select = staticmethod(_numpy_.select)
    setdiff1d = staticmethod(_numpy_.setdiff1d)
    setxor1d = staticmethod(_numpy_.setxor1d)
    spacing = staticmethod(_numpy_.spacing)
    trapezoid = staticmethod(_numpy_.trapezoid)
    trapz = staticmethod(_numpy_.trapz)
    tril_indices_from = staticmethod(_numpy_.tril_indices_from)
    trim_zeros = staticmethod(_numpy_.trim_zeros)
    triu_indices_from = staticmethod(_numpy_.triu_indices_from)
    union1d = staticmethod(_numpy_.union1d)
    unravel_index = staticmethod(_numpy_.unravel_index)
    unwrap = staticmethod(_numpy_.unwrap)
    vdot = staticmethod(_numpy_.vdot)
    vecmat = staticmethod(_numpy_.vecmat)
    vsplit = staticmethod(_numpy_.vsplit)
    rand = staticmethod(_random_.rand)
    rand_like = staticmethod(_random_.rand_like)
    randint = staticmethod(_random_.randint)
    randn = staticmethod(_random_.randn)
    randn_like = staticmethod(_random_.randn_like)
    randperm = staticmethod(_random_.randperm)
    genfromtxt = staticmethod(_text_.genfromtxt)
    loadtxt = staticmethod(_text_.loadtxt)
    savetxt = staticmethod(_text_.savetxt)
    addcdiv = staticmethod(_torch_.addcdiv)
    addcmul = staticmethod(_torch_.addcmul)
    addmm = staticmethod(_torch_.addmm)
    addmv = staticmethod(_torch_.addmv)
    aminmax = staticmethod(_torch_.aminmax)
    as_tensor = staticmethod(_torch_.as_tensor)
    baddbmm = staticmethod(_torch_.baddbmm)
    bernoulli = staticmethod(_torch_.bernoulli)
    block_diag = staticmethod(_torch_.block_diag)
    bucketize = staticmethod(_torch_.bucketize)
    cartesian_prod = staticmethod(_torch_.cartesian_prod)
    cdist = staticmethod(_torch_.cdist)
    chunk = staticmethod(_torch_.chunk)
    combinations = staticmethod(_torch_.combinations)
    compile = staticmethod(_torch_.compile)
    complex = staticmethod(_torch_.complex)
    cumulative_trapezoid = staticmethod(_torch_.cumulative_trapezoid)
    diag_embed = staticmethod(_torch_.diag_embed)
    dist = staticmethod(_torch_.dist)
    entr = staticmethod(_torch_.entr)
    frac = staticmethod(_torch_.frac)
    from_numpy = staticmethod(_torch_.from_numpy)
    histc = staticmethod(_torch_.histc)
    index_copy = staticmethod(_torch_.index_copy)
    index_fill = staticmethod(_torch_.index_fill)
    index_select = staticmethod(_torch_.index_select)
    is_complex = staticmethod(_torch_.is_complex)
    is_floating_point = staticmethod(_torch_.is_floating_point)
    is_grad_enabled = staticmethod(_torch_.is_grad_enabled)
    is_tensor = staticmethod(_torch_.is_tensor)
    jit = staticmethod(_torch_.jit)
    kthvalue = staticmethod(_torch_.kthvalue)
    logdet = staticmethod(_torch_.logdet)
    logit = staticmethod(_torch_.logit)
    masked_scatter = staticmethod(_torch_.masked_scatter)
    mode = staticmethod(_torch_.mode)
    narrow = staticmethod(_torch_.narrow)
    normal = staticmethod(_torch_.normal)
    polar = staticmethod(_torch_.polar)
    scatter_reduce = staticmethod(_torch_.scatter_reduce)
    std_mean = staticmethod(_torch_.std_mean)
    stop_gradient = staticmethod(_torch_.stop_gradient)
    t = staticmethod(_torch_.t)
    tensor_split = staticmethod(_torch_.tensor_split)
    unflatten = staticmethod(_torch_.unflatten)
    unique_consecutive = staticmethod(_torch_.unique_consecutive)
    var_mean = staticmethod(_torch_.var_mean)
    view_as_complex = staticmethod(_torch_.view_as_complex)
    view_as_real = staticmethod(_torch_.view_as_real)
    xlog1py = staticmethod(_torch_.xlog1py)
    xlogy = staticmethod(_torch_.xlogy)
    asarray = staticmethod(__core_.asarray)
    auto_select_backend = staticmethod(__core_.auto_select_backend)
    backend_info = staticmethod(__core_.backend_info)
    clear_cache = staticmethod(__core_.clear_cache)
    convert_to_tensor = staticmethod(__core_.convert_to_tensor)
    counters = staticmethod(__core_.counters)
    from_dlpack = staticmethod(__core_.from_dlpack)
    get_available_backends = staticmethod(__core_.get_available_backends)
    get_available_devices = staticmethod(__core_.get_available_devices)
    get_backend = staticmethod(__core_.get_backend)
    get_default_dtype = staticmethod(__core_.get_default_dtype)
    get_device = staticmethod(__core_.get_device)
    get_printoptions = staticmethod(__core_.get_printoptions)
    load = staticmethod(__core_.load)
    load_metadata = staticmethod(__core_.load_metadata)
    memory_stats = staticmethod(__core_.memory_stats)
    save = staticmethod(__core_.save)
    set_backend = staticmethod(__core_.set_backend)
    set_default_dtype = staticmethod(__core_.set_default_dtype)
    set_device = staticmethod(__core_.set_device)
    set_printoptions = staticmethod(__core_.set_printoptions)
    synchronize = staticmethod(__core_.synchronize)
    to_device = staticmethod(__core_.to_device)
    jvp = staticmethod(__custom_.jvp)
    vjp = staticmethod(__custom_.vjp)
    checkpoint = staticmethod(__grad_.checkpoint)
    eval = staticmethod(__grad_.eval)
    grad = staticmethod(__grad_.grad)
    gradients = staticmethod(__grad_.gradients)
    hessian = staticmethod(__grad_.hessian)
    jacobian = staticmethod(__grad_.jacobian)
    value_and_grad = staticmethod(__grad_.value_and_grad)
    dtype = staticmethod(__more_.dtype)
    from_dtype_str = staticmethod(__more_.from_dtype_str)
    get_default_device = staticmethod(__core_.get_device)
    get_device_of_tensor = staticmethod(__more_.get_device_of_tensor)
    get_dtype = staticmethod(__more_.get_dtype)
    index: Any
    index_update = staticmethod(__more_.index_update)
    is_available = staticmethod(__more_.is_available)
    memory_info = staticmethod(__more_.memory_info)
    memory_usage = staticmethod(__more_.memory_usage)
    set_default_device = staticmethod(__core_.set_device)
    set_ops = staticmethod(__core_.set_backend)
    slice_update = staticmethod(__more_.slice_update)
    to_dtype_str = staticmethod(__more_.to_dtype_str)
    to_numpy = staticmethod(__more_.to_numpy)
    e: builtins.float
    pi: builtins.float
    inf: builtins.float
    nan: builtins.float
    newaxis: None
    zeros = staticmethod(_ops_.zeros)
    ones = staticmethod(_ops_.ones)
    full = staticmethod(_ops_.full)
    empty = staticmethod(_ops_.empty)
    zeros_like = staticmethod(_ops_.zeros_like)
    ones_like = staticmethod(_ops_.ones_like)
    full_like = staticmethod(_ops_.full_like)
    empty_like = staticmethod(_ops_.empty_like)
    eye = staticmethod(_ops_.eye)
    arange = staticmethod(_ops_.arange)
    linspace = staticmethod(_ops_.linspace)
    logspace = staticmethod(_ops_.logspace)
    meshgrid = staticmethod(_ops_.meshgrid)
    tril = staticmethod(_ops_.tril)
    triu = staticmethod(_ops_.triu)
    tri = staticmethod(_ops_.tri)
    tril_indices = staticmethod(_ops_.tril_indices)
    triu_indices = staticmethod(_ops_.triu_indices)
    diag = staticmethod(_ops_.diag)
    one_hot = staticmethod(_ops_.one_hot)
    copy = staticmethod(_ops_.copy)
    astype = staticmethod(_ops_.astype)
    vander = staticmethod(_ops_.vander)
    abs = staticmethod(_ops_.abs)
    acos = staticmethod(_ops_.acos)
    acosh = staticmethod(_ops_.acosh)
    asin = staticmethod(_ops_.asin)
    asinh = staticmethod(_ops_.asinh)
    atan = staticmethod(_ops_.atan)
    atanh = staticmethod(_ops_.atanh)
    bitwise_invert = staticmethod(_ops_.bitwise_invert)
    cbrt = staticmethod(_ops_.cbrt)
    ceil = staticmethod(_ops_.ceil)
    conj = staticmethod(_ops_.conj)
    cos = staticmethod(_ops_.cos)
    cosh = staticmethod(_ops_.cosh)
    digamma = staticmethod(_ops_.digamma)
    erf = staticmethod(_ops_.erf)
    erfc = staticmethod(_ops_.erfc)
    erfinv = staticmethod(_ops_.erfinv)
    exp = staticmethod(_ops_.exp)
    exp2 = staticmethod(_ops_.exp2)
    expm1 = staticmethod(_ops_.expm1)
    floor = staticmethod(_ops_.floor)
    imag = staticmethod(_ops_.imag)
    isfinite = staticmethod(_ops_.isfinite)
    isinf = staticmethod(_ops_.isinf)
    isnan = staticmethod(_ops_.isnan)
    lgamma = staticmethod(_ops_.lgamma)
    log = staticmethod(_ops_.log)
    log10 = staticmethod(_ops_.log10)
    log1p = staticmethod(_ops_.log1p)
    log2 = staticmethod(_ops_.log2)
    logical_not = staticmethod(_ops_.logical_not)
    negative = staticmethod(_ops_.negative)
    popcount = staticmethod(_ops_.popcount)
    count_zeros = staticmethod(_ops_.count_zeros)
    positive = staticmethod(_ops_.positive)
    real = staticmethod(_ops_.real)
    reciprocal = staticmethod(_ops_.reciprocal)
    round = staticmethod(_ops_.round)
    rsqrt = staticmethod(_ops_.rsqrt)
    sigmoid = staticmethod(_ops_.sigmoid)
    sign = staticmethod(_ops_.sign)
    signbit = staticmethod(_ops_.signbit)
    sin = staticmethod(_ops_.sin)
    sinh = staticmethod(_ops_.sinh)
    sqrt = staticmethod(_ops_.sqrt)
    square = staticmethod(_ops_.square)
    tan = staticmethod(_ops_.tan)
    tanh = staticmethod(_ops_.tanh)
    trunc = staticmethod(_ops_.trunc)
    angle = staticmethod(_ops_.angle)
    deg2rad = staticmethod(_ops_.deg2rad)
    rad2deg = staticmethod(_ops_.rad2deg)
    sinc = staticmethod(_ops_.sinc)
    add = staticmethod(_ops_.add)
    subtract = staticmethod(_ops_.subtract)
    multiply = staticmethod(_ops_.multiply)
    divide = staticmethod(_ops_.divide)
    maximum = staticmethod(_ops_.maximum)
    minimum = staticmethod(_ops_.minimum)
    floor_divide = staticmethod(_ops_.floor_divide)
    remainder = staticmethod(_ops_.remainder)
    fmod = staticmethod(_ops_.fmod)
    pow = staticmethod(_ops_.pow)
    atan2 = staticmethod(_ops_.atan2)
    copysign = staticmethod(_ops_.copysign)
    hypot = staticmethod(_ops_.hypot)
    logaddexp = staticmethod(_ops_.logaddexp)
    nextafter = staticmethod(_ops_.nextafter)
    heaviside = staticmethod(_ops_.heaviside)
    bitwise_and = staticmethod(_ops_.bitwise_and)
    bitwise_or = staticmethod(_ops_.bitwise_or)
    bitwise_xor = staticmethod(_ops_.bitwise_xor)
    bitwise_left_shift = staticmethod(_ops_.bitwise_left_shift)
    bitwise_right_shift = staticmethod(_ops_.bitwise_right_shift)
    rotate_left = staticmethod(_ops_.rotate_left)
    rotate_right = staticmethod(_ops_.rotate_right)
    get_bit = staticmethod(_ops_.get_bit)
    set_bit = staticmethod(_ops_.set_bit)
    toggle_bit = staticmethod(_ops_.toggle_bit)
    logical_and = staticmethod(_ops_.logical_and)
    logical_or = staticmethod(_ops_.logical_or)
    logical_xor = staticmethod(_ops_.logical_xor)
    equal = staticmethod(_ops_.equal)
    not_equal = staticmethod(_ops_.not_equal)
    less = staticmethod(_ops_.less)
    less_equal = staticmethod(_ops_.less_equal)
    greater = staticmethod(_ops_.greater)
    greater_equal = staticmethod(_ops_.greater_equal)
    where = staticmethod(_ops_.where)
    clip = staticmethod(_ops_.clip)
    lerp = staticmethod(_ops_.lerp)
    nan_to_num = staticmethod(_ops_.nan_to_num)
    isclose = staticmethod(_ops_.isclose)
    allclose = staticmethod(_ops_.allclose)
    array_equal = staticmethod(_ops_.array_equal)
    sum = staticmethod(_ops_.sum)
    prod = staticmethod(_ops_.prod)
    mean = staticmethod(_ops_.mean)
    var = staticmethod(_ops_.var)
    std = staticmethod(_ops_.std)
    max = staticmethod(_ops_.max)
    min = staticmethod(_ops_.min)
    all = staticmethod(_ops_.all)
    any = staticmethod(_ops_.any)
    count_nonzero = staticmethod(_ops_.count_nonzero)
    logsumexp = staticmethod(_ops_.logsumexp)
    argmax = staticmethod(_ops_.argmax)
    argmin = staticmethod(_ops_.argmin)
    cumulative_sum = staticmethod(_ops_.cumulative_sum)
    cumulative_prod = staticmethod(_ops_.cumulative_prod)
    cumsum = staticmethod(_ops_.cumsum)
    cumprod = staticmethod(_ops_.cumprod)
    cummax = staticmethod(_ops_.cummax)
    cummin = staticmethod(_ops_.cummin)
    logcumsumexp = staticmethod(_ops_.logcumsumexp)
    sort = staticmethod(_ops_.sort)
    argsort = staticmethod(_ops_.argsort)
    topk = staticmethod(_ops_.topk)
    searchsorted = staticmethod(_ops_.searchsorted)
    nonzero = staticmethod(_ops_.nonzero)
    argwhere = staticmethod(_ops_.argwhere)
    unique_all = staticmethod(_ops_.unique_all)
    unique_counts = staticmethod(_ops_.unique_counts)
    unique_inverse = staticmethod(_ops_.unique_inverse)
    unique_values = staticmethod(_ops_.unique_values)
    isin = staticmethod(_ops_.isin)
    median = staticmethod(_ops_.median)
    quantile = staticmethod(_ops_.quantile)
    percentile = staticmethod(_ops_.percentile)
    diff = staticmethod(_ops_.diff)
    histogram = staticmethod(_ops_.histogram)
    bincount = staticmethod(_ops_.bincount)
    digitize = staticmethod(_ops_.digitize)
    nansum = staticmethod(_ops_.nansum)
    nanprod = staticmethod(_ops_.nanprod)
    nanmean = staticmethod(_ops_.nanmean)
    nanvar = staticmethod(_ops_.nanvar)
    nanstd = staticmethod(_ops_.nanstd)
    nanmax = staticmethod(_ops_.nanmax)
    nanmin = staticmethod(_ops_.nanmin)
    nanmedian = staticmethod(_ops_.nanmedian)
    nanargmax = staticmethod(_ops_.nanargmax)
    nanargmin = staticmethod(_ops_.nanargmin)
    cov = staticmethod(_ops_.cov)
    corrcoef = staticmethod(_ops_.corrcoef)
    gaussian = staticmethod(_ops_.gaussian)
    reduce_l1 = staticmethod(_ops_.reduce_l1)
    reduce_l2 = staticmethod(_ops_.reduce_l2)
    reduce_log_sum = staticmethod(_ops_.reduce_log_sum)
    reduce_sum_square = staticmethod(_ops_.reduce_sum_square)
    ptp = staticmethod(_ops_.ptp)
    average = staticmethod(_ops_.average)
    @staticmethod
    @overload
    def reshape(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> _EmberTensor_:
        """Same elements in another shape; one extent may be -1."""
    @staticmethod
    @overload
    def reshape(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def transpose(x: ArrayLike, axes: Ints | None = None) -> _EmberTensor_:
        """Axes permuted; without axes, reversed."""
    @staticmethod
    @overload
    def transpose(x: ArrayLike, *axes: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def permute_dims(x: ArrayLike, axes: Ints) -> _EmberTensor_:
        """Axes permuted: axis i of the result is axis axes[i] of x."""
    @staticmethod
    @overload
    def permute_dims(x: ArrayLike, *axes: SupportsIndex) -> _EmberTensor_: ...
    matrix_transpose = staticmethod(_ops_.matrix_transpose)
    @staticmethod
    @overload
    def moveaxis(x: ArrayLike, source: Ints, destination: Ints) -> _EmberTensor_:
        """Axes moved to new positions, the others kept in order."""
    @staticmethod
    @overload
    def moveaxis(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> _EmberTensor_: ...
    swapaxes = staticmethod(_ops_.swapaxes)
    squeeze = staticmethod(_ops_.squeeze)
    @staticmethod
    @overload
    def expand_dims(x: ArrayLike, axis: Ints = [0]) -> _EmberTensor_:
        """x with new axes of length 1 at the given positions."""
    @staticmethod
    @overload
    def expand_dims(x: ArrayLike, *axis: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def broadcast_to(x: ArrayLike, shape: Ints) -> _EmberTensor_:
        """x repeated along axes of length 1 and along new leading axes to the given shape."""
    @staticmethod
    @overload
    def broadcast_to(x: ArrayLike, *shape: SupportsIndex) -> _EmberTensor_: ...
    broadcast_arrays = staticmethod(_ops_.broadcast_arrays)
    broadcast_shapes = staticmethod(_ops_.broadcast_shapes)
    concat = staticmethod(_ops_.concat)
    stack = staticmethod(_ops_.stack)
    hstack = staticmethod(_ops_.hstack)
    vstack = staticmethod(_ops_.vstack)
    dstack = staticmethod(_ops_.dstack)
    unstack = staticmethod(_ops_.unstack)
    split = staticmethod(_ops_.split)
    array_split = staticmethod(_ops_.array_split)
    @staticmethod
    @overload
    def tile(x: ArrayLike, repetitions: Ints) -> _EmberTensor_:
        """x repeated as a block along its axes."""
    @staticmethod
    @overload
    def tile(x: ArrayLike, *repetitions: SupportsIndex) -> _EmberTensor_: ...
    repeat = staticmethod(_ops_.repeat)
    flip = staticmethod(_ops_.flip)
    roll = staticmethod(_ops_.roll)
    rot90 = staticmethod(_ops_.rot90)
    pad = staticmethod(_ops_.pad)
    flatten = staticmethod(_ops_.flatten)
    atleast_nd = staticmethod(_ops_.atleast_nd)
    diagonal = staticmethod(_ops_.diagonal)
    as_strided = staticmethod(_ops_.as_strided)
    windows = staticmethod(_ops_.windows)
    frame = staticmethod(_ops_.frame)
    @staticmethod
    @overload
    def slice(x: ArrayLike, starts: Ints, sizes: Ints) -> _EmberTensor_:
        """Slice of x that begins at starts; a size of -1 extends to the end."""
    @staticmethod
    @overload
    def slice(x: ArrayLike, starts: Ints, *sizes: SupportsIndex) -> _EmberTensor_: ...
    take = staticmethod(_ops_.take)
    take_along_axis = staticmethod(_ops_.take_along_axis)
    gather = staticmethod(_ops_.gather)
    gather_nd = staticmethod(_ops_.gather_nd)
    scatter = staticmethod(_ops_.scatter)
    scatter_add = staticmethod(_ops_.scatter_add)
    scatter_max = staticmethod(_ops_.scatter_max)
    scatter_min = staticmethod(_ops_.scatter_min)
    scatter_softmax = staticmethod(_ops_.scatter_softmax)
    scatter_mean = staticmethod(_ops_.scatter_mean)
    scatter_elements = staticmethod(_ops_.scatter_elements)
    scatter_nd = staticmethod(_ops_.scatter_nd)
    tensor_scatter_nd_update = staticmethod(_ops_.tensor_scatter_nd_update)
    @staticmethod
    @overload
    def slice_tensor(x: ArrayLike, starts: Ints, sizes: Ints) -> _EmberTensor_:
        """Slice of x that begins at starts; a size of -1 extends to the end."""
    @staticmethod
    @overload
    def slice_tensor(x: ArrayLike, starts: Ints, *sizes: SupportsIndex) -> _EmberTensor_: ...
    index_add = staticmethod(_ops_.index_add)
    put_along_axis = staticmethod(_ops_.put_along_axis)
    segment_sum = staticmethod(_ops_.segment_sum)
    embedding = staticmethod(_ops_.embedding)
    masked_select = staticmethod(_ops_.masked_select)
    masked_fill = staticmethod(_ops_.masked_fill)
    matmul = staticmethod(_ops_.matmul)
    dot = staticmethod(_ops_.dot)
    inner = staticmethod(_ops_.inner)
    outer = staticmethod(_ops_.outer)
    vecdot = staticmethod(_ops_.vecdot)
    tensordot = staticmethod(_ops_.tensordot)
    einsum = staticmethod(_ops_.einsum)
    kron = staticmethod(_ops_.kron)
    cross = staticmethod(_ops_.cross)
    multi_dot = staticmethod(_ops_.multi_dot)
    gemm = staticmethod(_ops_.gemm)
    trace = staticmethod(_ops_.trace)
    cholesky = staticmethod(_ops_.cholesky)
    det = staticmethod(_ops_.det)
    slogdet = staticmethod(_ops_.slogdet)
    eig = staticmethod(_ops_.eig)
    eigh = staticmethod(_ops_.eigh)
    eigvals = staticmethod(_ops_.eigvals)
    eigvalsh = staticmethod(_ops_.eigvalsh)
    inv = staticmethod(_ops_.inv)
    pinv = staticmethod(_ops_.pinv)
    qr = staticmethod(_ops_.qr)
    solve = staticmethod(_ops_.solve)
    solve_triangular = staticmethod(_ops_.solve_triangular)
    svd = staticmethod(_ops_.svd)
    svdvals = staticmethod(_ops_.svdvals)
    lu = staticmethod(_ops_.lu)
    lstsq = staticmethod(_ops_.lstsq)
    matrix_power = staticmethod(_ops_.matrix_power)
    matrix_rank = staticmethod(_ops_.matrix_rank)
    matrix_norm = staticmethod(_ops_.matrix_norm)
    vector_norm = staticmethod(_ops_.vector_norm)
    norm = staticmethod(_ops_.norm)
    expm = staticmethod(_ops_.expm)
    orthogonal = staticmethod(_ops_.orthogonal)
    cond = staticmethod(_ops_.cond)
    ifft = staticmethod(_ops_.ifft)
    rfft = staticmethod(_ops_.rfft)
    irfft = staticmethod(_ops_.irfft)
    hfft = staticmethod(_ops_.hfft)
    ihfft = staticmethod(_ops_.ihfft)
    fftn = staticmethod(_ops_.fftn)
    ifftn = staticmethod(_ops_.ifftn)
    rfftn = staticmethod(_ops_.rfftn)
    irfftn = staticmethod(_ops_.irfftn)
    fft2 = staticmethod(_ops_.fft2)
    ifft2 = staticmethod(_ops_.ifft2)
    rfft2 = staticmethod(_ops_.rfft2)
    irfft2 = staticmethod(_ops_.irfft2)
    fftfreq = staticmethod(_ops_.fftfreq)
    rfftfreq = staticmethod(_ops_.rfftfreq)
    fftshift = staticmethod(_ops_.fftshift)
    ifftshift = staticmethod(_ops_.ifftshift)
    hann_window = staticmethod(_ops_.hann_window)
    hamming_window = staticmethod(_ops_.hamming_window)
    blackman_window = staticmethod(_ops_.blackman_window)
    bartlett_window = staticmethod(_ops_.bartlett_window)
    kaiser_window = staticmethod(_ops_.kaiser_window)
    overlap_add = staticmethod(_ops_.overlap_add)
    stft = staticmethod(_ops_.stft)
    istft = staticmethod(_ops_.istft)
    spectrogram = staticmethod(_ops_.spectrogram)
    mel_filter_bank = staticmethod(_ops_.mel_filter_bank)
    convolve = staticmethod(_ops_.convolve)
    correlate = staticmethod(_ops_.correlate)
    relu = staticmethod(_ops_.relu)
    relu6 = staticmethod(_ops_.relu6)
    hard_sigmoid = staticmethod(_ops_.hard_sigmoid)
    softmax = staticmethod(_ops_.softmax)
    log_softmax = staticmethod(_ops_.log_softmax)
    softplus = staticmethod(_ops_.softplus)
    softsign = staticmethod(_ops_.softsign)
    gelu = staticmethod(_ops_.gelu)
    silu = staticmethod(_ops_.silu)
    elu = staticmethod(_ops_.elu)
    selu = staticmethod(_ops_.selu)
    celu = staticmethod(_ops_.celu)
    leaky_relu = staticmethod(_ops_.leaky_relu)
    prelu = staticmethod(_ops_.prelu)
    mish = staticmethod(_ops_.mish)
    hardswish = staticmethod(_ops_.hardswish)
    hardtanh = staticmethod(_ops_.hardtanh)
    threshold = staticmethod(_ops_.threshold)
    linear = staticmethod(_ops_.linear)
    glu = staticmethod(_ops_.glu)
    tanhshrink = staticmethod(_ops_.tanhshrink)
    hardshrink = staticmethod(_ops_.hardshrink)
    softshrink = staticmethod(_ops_.softshrink)
    logsigmoid = staticmethod(_ops_.logsigmoid)
    conv1d = staticmethod(_ops_.conv1d)
    conv_transpose1d = staticmethod(_ops_.conv_transpose1d)
    conv2d = staticmethod(_ops_.conv2d)
    conv_transpose2d = staticmethod(_ops_.conv_transpose2d)
    conv3d = staticmethod(_ops_.conv3d)
    conv_transpose3d = staticmethod(_ops_.conv_transpose3d)
    max_pool1d = staticmethod(_ops_.max_pool1d)
    average_pool1d = staticmethod(_ops_.average_pool1d)
    l2_pool1d = staticmethod(_ops_.l2_pool1d)
    max_pool2d = staticmethod(_ops_.max_pool2d)
    average_pool2d = staticmethod(_ops_.average_pool2d)
    l2_pool2d = staticmethod(_ops_.l2_pool2d)
    max_pool3d = staticmethod(_ops_.max_pool3d)
    average_pool3d = staticmethod(_ops_.average_pool3d)
    l2_pool3d = staticmethod(_ops_.l2_pool3d)
    @staticmethod
    @overload
    def adaptive_average_pool(x: ArrayLike, output_size: Ints) -> _EmberTensor_:
        """Means of output_size windows that cover the last axes."""
    @staticmethod
    @overload
    def adaptive_average_pool(x: ArrayLike, *output_size: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def adaptive_max_pool(x: ArrayLike, output_size: Ints) -> _EmberTensor_:
        """Largest elements of output_size windows that cover the last axes."""
    @staticmethod
    @overload
    def adaptive_max_pool(x: ArrayLike, *output_size: SupportsIndex) -> _EmberTensor_: ...
    global_average_pool = staticmethod(_ops_.global_average_pool)
    global_max_pool = staticmethod(_ops_.global_max_pool)
    pixel_shuffle = staticmethod(_ops_.pixel_shuffle)
    pixel_unshuffle = staticmethod(_ops_.pixel_unshuffle)
    resample = staticmethod(_ops_.resample)
    grid_sample = staticmethod(_ops_.grid_sample)
    batch_norm = staticmethod(_ops_.batch_norm)
    layer_norm = staticmethod(_ops_.layer_norm)
    layer_norm_grad = staticmethod(_ops_.layer_norm_grad)
    rms_norm = staticmethod(_ops_.rms_norm)
    group_norm = staticmethod(_ops_.group_norm)
    instance_norm = staticmethod(_ops_.instance_norm)
    dropout = staticmethod(_ops_.dropout)
    scaled_dot_product_attention = staticmethod(_ops_.scaled_dot_product_attention)
    attention_grad = staticmethod(_ops_.attention_grad)
    rope = staticmethod(_ops_.rope)
    lstm = staticmethod(_ops_.lstm)
    lstm_cell = staticmethod(_ops_.lstm_cell)
    gru = staticmethod(_ops_.gru)
    gru_cell = staticmethod(_ops_.gru_cell)
    rnn = staticmethod(_ops_.rnn)
    rnn_cell = staticmethod(_ops_.rnn_cell)
    quantize_linear = staticmethod(_ops_.quantize_linear)
    dequantize_linear = staticmethod(_ops_.dequantize_linear)
    mse_loss = staticmethod(_ops_.mse_loss)
    mae_loss = staticmethod(_ops_.mae_loss)
    huber_loss = staticmethod(_ops_.huber_loss)
    log_cosh_loss = staticmethod(_ops_.log_cosh_loss)
    binary_cross_entropy = staticmethod(_ops_.binary_cross_entropy)
    categorical_cross_entropy = staticmethod(_ops_.categorical_cross_entropy)
    sparse_categorical_cross_entropy = staticmethod(_ops_.sparse_categorical_cross_entropy)
    binary_crossentropy = staticmethod(_ops_.binary_crossentropy)
    categorical_crossentropy = staticmethod(_ops_.categorical_crossentropy)
    sparse_categorical_crossentropy = staticmethod(_ops_.sparse_categorical_crossentropy)
    nll_loss = staticmethod(_ops_.nll_loss)
    kl_div_loss = staticmethod(_ops_.kl_div_loss)
    ctc_loss = staticmethod(_ops_.ctc_loss)
    contrastive_loss = staticmethod(_ops_.contrastive_loss)
    cosine_embedding_loss = staticmethod(_ops_.cosine_embedding_loss)
    cosine_similarity = staticmethod(_ops_.cosine_similarity)
    euclidean_distance = staticmethod(_ops_.euclidean_distance)
    pairwise_distance = staticmethod(_ops_.pairwise_distance)
    normalize_vector = staticmethod(_ops_.normalize_vector)
    seed = staticmethod(_ops_.seed)
    get_seed = staticmethod(_ops_.get_seed)
    @staticmethod
    @overload
    def random_bits(shape: Ints, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_:
        """Random 32-bit words (uint32)."""
    @staticmethod
    @overload
    def random_bits(*shape: SupportsIndex, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_: ...
    random_uniform = staticmethod(_ops_.random_uniform)
    random_normal = staticmethod(_ops_.random_normal)
    truncated_normal = staticmethod(_ops_.truncated_normal)
    random_bernoulli = staticmethod(_ops_.random_bernoulli)
    random_binomial = staticmethod(_ops_.random_binomial)
    random_categorical = staticmethod(_ops_.random_categorical)
    random_multinomial = staticmethod(_ops_.random_multinomial)
    random_gamma = staticmethod(_ops_.random_gamma)
    random_beta = staticmethod(_ops_.random_beta)
    random_exponential = staticmethod(_ops_.random_exponential)
    random_poisson = staticmethod(_ops_.random_poisson)
    random_laplace = staticmethod(_ops_.random_laplace)
    random_gumbel = staticmethod(_ops_.random_gumbel)
    random_integers = staticmethod(_ops_.random_integers)
    random_permutation = staticmethod(_ops_.random_permutation)
    shuffle = staticmethod(_ops_.shuffle)
    @staticmethod
    @overload
    def choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_:
        """Elements drawn from a vector with probabilities p, by default equal ones."""
    @staticmethod
    @overload
    def choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_: ...
    compute_energy_stability = staticmethod(_ops_.compute_energy_stability)
    compute_interference_strength = staticmethod(_ops_.compute_interference_strength)
    compute_phase_coherence = staticmethod(_ops_.compute_phase_coherence)
    partial_interference = staticmethod(_ops_.partial_interference)
    exponential_decay = staticmethod(_ops_.exponential_decay)
    binary_wave_interference = staticmethod(_ops_.binary_wave_interference)
    binary_wave_propagate = staticmethod(_ops_.binary_wave_propagate)
    create_duty_cycle = staticmethod(_ops_.create_duty_cycle)
    generate_blocky_sin = staticmethod(_ops_.generate_blocky_sin)
    binary_split = staticmethod(_ops_.binary_split)
    shape = staticmethod(_ops_.shape)
    ndim = staticmethod(_ops_.ndim)
    size = staticmethod(_ops_.size)
    device = staticmethod(_ops_.device)
    strides = staticmethod(_ops_.strides)
    nbytes = staticmethod(_ops_.nbytes)
    item = staticmethod(_ops_.item)
    tolist = staticmethod(_ops_.tolist)
    can_cast = staticmethod(_ops_.can_cast)
    result_type = staticmethod(_ops_.result_type)
    isdtype = staticmethod(_ops_.isdtype)
    absolute = staticmethod(_ops_.absolute)
    arccos = staticmethod(_ops_.arccos)
    arccosh = staticmethod(_ops_.arccosh)
    arcsin = staticmethod(_ops_.arcsin)
    arcsinh = staticmethod(_ops_.arcsinh)
    arctan = staticmethod(_ops_.arctan)
    arctan2 = staticmethod(_ops_.arctan2)
    arctanh = staticmethod(_ops_.arctanh)
    array = staticmethod(__core_.asarray)
    amax = staticmethod(_ops_.amax)
    amin = staticmethod(_ops_.amin)
    bitwise_count = staticmethod(_ops_.bitwise_count)
    bitwise_not = staticmethod(_ops_.bitwise_not)
    cast = staticmethod(_ops_.cast)
    clamp = staticmethod(_ops_.clamp)
    concatenate = staticmethod(_ops_.concatenate)
    conjugate = staticmethod(_ops_.conjugate)
    count_ones = staticmethod(_ops_.count_ones)
    degrees = staticmethod(_ops_.degrees)
    div = staticmethod(_ops_.div)
    @staticmethod
    @overload
    def expand(x: ArrayLike, shape: Ints) -> _EmberTensor_:
        """x repeated along axes of length 1 and along new leading axes to the given shape."""
    @staticmethod
    @overload
    def expand(x: ArrayLike, *shape: SupportsIndex) -> _EmberTensor_: ...
    floordiv = staticmethod(_ops_.floordiv)
    floor_div = staticmethod(_ops_.floor_div)
    gather_elements = staticmethod(_ops_.gather_elements)
    invert = staticmethod(_ops_.invert)
    left_shift = staticmethod(_ops_.left_shift)
    lookup = staticmethod(_ops_.lookup)
    mod = staticmethod(_ops_.mod)
    mul = staticmethod(_ops_.mul)
    nanstdev = staticmethod(_ops_.nanstdev)
    neg = staticmethod(_ops_.neg)
    @staticmethod
    @overload
    def permute(x: ArrayLike, axes: Ints) -> _EmberTensor_:
        """Axes permuted: axis i of the result is axis axes[i] of x."""
    @staticmethod
    @overload
    def permute(x: ArrayLike, *axes: SupportsIndex) -> _EmberTensor_: ...
    power = staticmethod(_ops_.power)
    radians = staticmethod(_ops_.radians)
    ravel = staticmethod(_ops_.ravel)
    reduce_all = staticmethod(_ops_.reduce_all)
    reduce_any = staticmethod(_ops_.reduce_any)
    reduce_logsumexp = staticmethod(_ops_.reduce_logsumexp)
    reduce_max = staticmethod(_ops_.reduce_max)
    reduce_mean = staticmethod(_ops_.reduce_mean)
    reduce_min = staticmethod(_ops_.reduce_min)
    reduce_prod = staticmethod(_ops_.reduce_prod)
    reduce_std = staticmethod(_ops_.reduce_std)
    reduce_sum = staticmethod(_ops_.reduce_sum)
    reduce_var = staticmethod(_ops_.reduce_var)
    resample2d = staticmethod(_ops_.resample2d)
    right_shift = staticmethod(_ops_.right_shift)
    shift_left = staticmethod(_ops_.shift_left)
    shift_right = staticmethod(_ops_.shift_right)
    sub = staticmethod(_ops_.sub)
    swish = staticmethod(_ops_.swish)
    true_divide = staticmethod(_ops_.true_divide)
    unique = staticmethod(_ops_.unique)
    hann = staticmethod(_ops_.hann)
    @staticmethod
    @overload
    def random_choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_:
        """Elements drawn from a vector with probabilities p, by default equal ones."""
    @staticmethod
    @overload
    def random_choice(x: ArrayLike, *shape: SupportsIndex, replace: builtins.bool = True, p: ArrayLike | None = None, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_: ...
    random_shuffle = staticmethod(_ops_.random_shuffle)
    multinomial = staticmethod(_ops_.multinomial)
    mean_squared_error = staticmethod(_ops_.mean_squared_error)
    mean_absolute_error = staticmethod(_ops_.mean_absolute_error)
    attention = staticmethod(_ops_.attention)
    interpolate = staticmethod(_ops_.interpolate)
    stdev = staticmethod(_ops_.stdev)
    mse = staticmethod(_ops_.mse)
    set_seed = staticmethod(_ops_.set_seed)
    split_tensor = staticmethod(_ops_.split_tensor)
    tensor_sort = staticmethod(_ops_.tensor_sort)
    tensor_var = staticmethod(_ops_.tensor_var)
    fabs = staticmethod(_ops_.fabs)
    rint = staticmethod(_ops_.rint)
    around = staticmethod(_ops_.around)
    fix = staticmethod(_ops_.fix)
    row_stack = staticmethod(_ops_.row_stack)
    bmm = staticmethod(_ops_.bmm)
    cat = staticmethod(_ops_.cat)
    clone = staticmethod(_ops_.clone)
    dim = staticmethod(_ops_.dim)
    eq = staticmethod(_ops_.eq)
    ge = staticmethod(_ops_.ge)
    gt = staticmethod(_ops_.gt)
    le = staticmethod(_ops_.le)
    lt = staticmethod(_ops_.lt)
    manual_seed = staticmethod(_ops_.manual_seed)
    mm = staticmethod(_ops_.mm)
    @staticmethod
    @overload
    def movedim(x: ArrayLike, source: Ints, destination: Ints) -> _EmberTensor_:
        """Axes moved to new positions, the others kept in order."""
    @staticmethod
    @overload
    def movedim(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> _EmberTensor_: ...
    mv = staticmethod(_ops_.mv)
    ne = staticmethod(_ops_.ne)
    numel = staticmethod(_ops_.numel)
    repeat_interleave = staticmethod(_ops_.repeat_interleave)
    swapdims = staticmethod(_ops_.swapdims)
    unbind = staticmethod(_ops_.unbind)
    @staticmethod
    @overload
    def unsqueeze(x: ArrayLike, axis: Ints = [0]) -> _EmberTensor_:
        """x with new axes of length 1 at the given positions."""
    @staticmethod
    @overload
    def unsqueeze(x: ArrayLike, *axis: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def view(x: ArrayLike, shape: Ints, copy: builtins.bool | None = None) -> _EmberTensor_:
        """Same elements in another shape; one extent may be -1."""
    @staticmethod
    @overload
    def view(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> _EmberTensor_: ...
    inverse = staticmethod(_ops_.inverse)
    l1_loss = staticmethod(_ops_.l1_loss)
    nelement = staticmethod(_ops_.nelement)
    take_along_dim = staticmethod(_ops_.take_along_dim)
    expit = staticmethod(_ops_.expit)
    gammaln = staticmethod(_ops_.gammaln)
    hard_tanh = staticmethod(_ops_.hard_tanh)
    hard_swish = staticmethod(_ops_.hard_swish)
    log_sigmoid = staticmethod(_ops_.log_sigmoid)
    bool: _DType_
    int4: _DType_
    uint4: _DType_
    int8: _DType_
    uint8: _DType_
    int16: _DType_
    uint16: _DType_
    int32: _DType_
    uint32: _DType_
    int64: _DType_
    uint64: _DType_
    float16: _DType_
    bfloat16: _DType_
    float32: _DType_
    float64: _DType_
    complex64: _DType_
    complex128: _DType_
    bool_: _DType_
    jacfwd = staticmethod(__grad_.jacobian)
    jacrev = staticmethod(__grad_.jacobian)
    integer = builtins.int
    floating = builtins.float
class _Tensor(metaclass=_TensorFunctions):
    def __new__(cls, data: Any, dtype: Any=None, device: str | None=None, requires_grad: builtins.bool | None=None) -> _EmberTensor_:
        """A tensor of numbers, lists or another library's array; a tensor that needs no change is
            returned unchanged.
            """
    EmberDType: TypeAlias = __core_.DType
    EmberTensor: TypeAlias = __core_.EmberTensor
    DTypeInterface: TypeAlias = _interfaces_.DTypeInterface
    TensorInterface: TypeAlias = _interfaces_.TensorInterface
    vectorize: TypeAlias = _numpy_.vectorize
    inference_mode: TypeAlias = __grad_.no_grad
    set_grad_enabled: TypeAlias = _torch_.set_grad_enabled
    DType: TypeAlias = __core_.DType
    Parameter: TypeAlias = __core_.Parameter
    finfo: TypeAlias = __core_.finfo
    iinfo: TypeAlias = __core_.iinfo
    using_backend: TypeAlias = __core_.using_backend
    custom_function: TypeAlias = __custom_.custom_function
    custom_vjp: TypeAlias = __custom_.custom_vjp
    enable_grad: TypeAlias = __grad_.enable_grad
    no_grad: TypeAlias = __grad_.no_grad
    Array: TypeAlias = __core_.EmberTensor
    Tensor: TypeAlias = __core_.EmberTensor
    ndarray: TypeAlias = __core_.EmberTensor
c_: Any
mgrid: Any
ogrid: Any
r_: Any
s_: Any
index: Any
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
__all__: list[str] = ['Array', 'DType', 'DTypeInterface', 'EmberDType', 'EmberTensor', 'Parameter', 'Tensor', 'TensorInterface', 'abs',
    'absolute', 'acos', 'acosh', 'adaptive_average_pool', 'adaptive_max_pool', 'add', 'addcdiv', 'addcmul', 'addmm', 'addmv', 'all', 'allclose',
    'amax', 'amin', 'aminmax', 'angle', 'any', 'append', 'apply_along_axis', 'apply_over_axes', 'arange', 'arccos', 'arccosh', 'arcsin',
    'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argpartition', 'argsort', 'argwhere', 'around', 'array', 'array2string',
    'array_equal', 'array_repr', 'array_split', 'array_str', 'as_strided', 'as_tensor', 'asarray', 'ascontiguousarray', 'asin', 'asinh',
    'astype', 'async_eval', 'atan', 'atan2', 'atanh', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'atleast_nd', 'attention', 'attention_grad',
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
    'expand_dims', 'expit', 'expm', 'expm1', 'exponential_decay', 'extract', 'eye', 'fabs', 'fft2', 'fftfreq', 'fftn', 'fftshift',
    'fill_diagonal', 'finfo', 'fix', 'flatnonzero', 'flatten', 'flip', 'fliplr', 'flipud', 'float16', 'float32', 'float64', 'float_power',
    'floating', 'floor', 'floor_div', 'floor_divide', 'floordiv', 'fmax', 'fmin', 'fmod', 'frac', 'frame', 'frexp', 'from_dlpack',
    'from_dtype_str', 'from_numpy', 'frombuffer', 'fromfunction', 'fromiter', 'full', 'full_like', 'gammaln', 'gather', 'gather_elements',
    'gather_nd', 'gaussian', 'gcd', 'ge', 'gelu', 'gemm', 'generate_blocky_sin', 'genfromtxt', 'geomspace', 'get_available_backends',
    'get_available_devices', 'get_backend', 'get_bit', 'get_default_device', 'get_default_dtype', 'get_device', 'get_device_of_tensor',
    'get_dtype', 'get_printoptions', 'get_seed', 'global_average_pool', 'global_max_pool', 'glu', 'grad', 'gradient', 'gradients', 'greater',
    'greater_equal', 'grid_sample', 'group_norm', 'gru', 'gru_cell', 'gt', 'hamming', 'hamming_window', 'hann', 'hann_window', 'hanning',
    'hard_sigmoid', 'hard_swish', 'hard_tanh', 'hardshrink', 'hardswish', 'hardtanh', 'heaviside', 'hessian', 'hfft', 'histc', 'histogram',
    'histogram2d', 'histogram_bin_edges', 'histogramdd', 'hsplit', 'hstack', 'huber_loss', 'hypot', 'identity', 'ifft', 'ifft2', 'ifftn',
    'ifftshift', 'ihfft', 'iinfo', 'imag', 'in1d', 'index', 'index_add', 'index_copy', 'index_fill', 'index_select', 'index_update', 'indices',
    'inf', 'inference_mode', 'inner', 'insert', 'instance_norm', 'int16', 'int32', 'int4', 'int64', 'int8', 'integer', 'interp', 'interpolate',
    'intersect1d', 'inv', 'inverse', 'invert', 'irfft', 'irfft2', 'irfftn', 'is_available', 'is_complex', 'is_floating_point',
    'is_grad_enabled', 'is_tensor', 'isclose', 'iscomplex', 'iscomplexobj', 'isdtype', 'isfinite', 'isin', 'isinf', 'isnan', 'isneginf',
    'isposinf', 'isreal', 'isrealobj', 'isscalar', 'istft', 'item', 'ix_', 'jacfwd', 'jacobian', 'jacrev', 'jit', 'jvp', 'kaiser',
    'kaiser_window', 'kl_div_loss', 'kron', 'kthvalue', 'l1_loss', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'layer_norm_grad',
    'lcm', 'ldexp', 'le', 'leaky_relu', 'left_shift', 'lerp', 'less', 'less_equal', 'lexsort', 'lgamma', 'linear', 'linspace', 'load',
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
    'tolist', 'topk', 'trace', 'transpose', 'trapezoid', 'trapz', 'tree_map', 'tri', 'tril', 'tril_indices', 'tril_indices_from', 'trim_zeros',
    'triu', 'triu_indices', 'triu_indices_from', 'true_divide', 'trunc', 'truncated_normal', 'uint16', 'uint32', 'uint4', 'uint64', 'uint8',
    'unbind', 'unflatten', 'union1d', 'unique', 'unique_all', 'unique_consecutive', 'unique_counts', 'unique_inverse', 'unique_values',
    'unravel_index', 'unsqueeze', 'unstack', 'unwrap', 'using_backend', 'value_and_grad', 'vander', 'var', 'var_mean', 'vdot', 'vecdot',
    'vecmat', 'vector_norm', 'vectorize', 'view', 'view_as_complex', 'view_as_real', 'vjp', 'vsplit', 'vstack', 'where', 'windows', 'xlog1py',
    'xlogy', 'zeros', 'zeros_like']
