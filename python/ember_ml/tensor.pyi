# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import sys as _sys
import ember_ml as _ember
from types import (ModuleType as _ModuleType)
from typing import (Any as Any)
from ember_ml._core import (DType as EmberDType, EmberTensor as EmberTensor, DType as DType, Parameter as Parameter, asarray as asarray,
    auto_select_backend as auto_select_backend, backend_info as backend_info, clear_cache as clear_cache, convert_to_tensor as
    convert_to_tensor, counters as counters, finfo as finfo, from_dlpack as from_dlpack, get_available_backends as get_available_backends,
    get_available_devices as get_available_devices, get_backend as get_backend, get_default_dtype as get_default_dtype, get_device as
    get_device, get_printoptions as get_printoptions, iinfo as iinfo, load as load, load_metadata as load_metadata, memory_stats as
    memory_stats, save as save, set_backend as set_backend, set_default_dtype as set_default_dtype, set_device as set_device, set_printoptions
    as set_printoptions, synchronize as synchronize, to_device as to_device, using_backend as using_backend, get_device as get_default_device,
    set_device as set_default_device, set_backend as set_ops, asarray as array, EmberTensor as Tensor)
from ember_ml._more import (_convert_to_backend_tensor as _convert_to_backend_tensor, dtype as dtype, from_dtype_str as from_dtype_str,
    get_device_of_tensor as get_device_of_tensor, get_dtype as get_dtype, index_update as index_update, is_available as is_available,
    memory_info as memory_info, memory_usage as memory_usage, slice_update as slice_update, to_dtype_str as to_dtype_str, to_numpy as to_numpy)
from ember_ml.interfaces import (DTypeInterface as DTypeInterface, TensorInterface as TensorInterface)
from ember_ml._grad import (checkpoint as checkpoint, enable_grad as enable_grad, eval as eval, grad as grad, gradients as gradients,
    jacobian as jacobian, no_grad as no_grad, value_and_grad as value_and_grad)
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
from builtins import (int as integer, float as floating)
__path__: list[str]
from typing import TypeAlias
from ember_ml._core import DType as _DType_, EmberTensor as _EmberTensor_
import ember_ml._core as __core_
import ember_ml._grad as __grad_
import ember_ml._more as __more_
import ember_ml.interfaces as _interfaces_
import ember_ml.ops as _ops_
class _TensorFunctions(type):
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
    checkpoint = staticmethod(__grad_.checkpoint)
    eval = staticmethod(__grad_.eval)
    grad = staticmethod(__grad_.grad)
    gradients = staticmethod(__grad_.gradients)
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
    gradient = staticmethod(_ops_.gradient)
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
        """The same elements in another shape; one dimension may be -1."""
    @staticmethod
    @overload
    def reshape(x: ArrayLike, *shape: SupportsIndex, copy: builtins.bool | None = None) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def transpose(x: ArrayLike, axes: Ints | None = None) -> _EmberTensor_:
        """Axes in another order; without axes, reversed."""
    @staticmethod
    @overload
    def transpose(x: ArrayLike, *axes: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def permute_dims(x: ArrayLike, axes: Ints) -> _EmberTensor_:
        """Axes in another order."""
    @staticmethod
    @overload
    def permute_dims(x: ArrayLike, *axes: SupportsIndex) -> _EmberTensor_: ...
    matrix_transpose = staticmethod(_ops_.matrix_transpose)
    @staticmethod
    @overload
    def moveaxis(x: ArrayLike, source: Ints, destination: Ints) -> _EmberTensor_:
        """Axes moved to other places, the rest kept in order."""
    @staticmethod
    @overload
    def moveaxis(x: ArrayLike, source: Ints, *destination: SupportsIndex) -> _EmberTensor_: ...
    swapaxes = staticmethod(_ops_.swapaxes)
    squeeze = staticmethod(_ops_.squeeze)
    @staticmethod
    @overload
    def expand_dims(x: ArrayLike, axis: Ints = [0]) -> _EmberTensor_:
        """New axes of length 1."""
    @staticmethod
    @overload
    def expand_dims(x: ArrayLike, *axis: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def broadcast_to(x: ArrayLike, shape: Ints) -> _EmberTensor_:
        """x repeated along its axes of length 1, and new ones in front, to a shape."""
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
        """x repeated as a whole along its axes."""
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
        """The part of x that begins at starts; a size of -1 goes to the end."""
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
        """The part of x that begins at starts; a size of -1 goes to the end."""
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
        """The means of as many windows along the last axes as output_size says."""
    @staticmethod
    @overload
    def adaptive_average_pool(x: ArrayLike, *output_size: SupportsIndex) -> _EmberTensor_: ...
    @staticmethod
    @overload
    def adaptive_max_pool(x: ArrayLike, output_size: Ints) -> _EmberTensor_:
        """The largest elements of as many windows along the last axes as output_size says."""
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
    rms_norm = staticmethod(_ops_.rms_norm)
    group_norm = staticmethod(_ops_.group_norm)
    instance_norm = staticmethod(_ops_.instance_norm)
    dropout = staticmethod(_ops_.dropout)
    scaled_dot_product_attention = staticmethod(_ops_.scaled_dot_product_attention)
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
        """Elements drawn from a vector."""
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
        """x repeated along its axes of length 1, and new ones in front, to a shape."""
    @staticmethod
    @overload
    def expand(x: ArrayLike, *shape: SupportsIndex) -> _EmberTensor_: ...
    floordiv = staticmethod(_ops_.floordiv)
    floor_div = staticmethod(_ops_.floor_div)
    gather_elements = staticmethod(_ops_.gather_elements)
    identity = staticmethod(_ops_.identity)
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
        """Axes in another order."""
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
    hamming = staticmethod(_ops_.hamming)
    blackman = staticmethod(_ops_.blackman)
    bartlett = staticmethod(_ops_.bartlett)
    kaiser = staticmethod(_ops_.kaiser)
    @staticmethod
    @overload
    def random_choice(x: ArrayLike, shape: Ints = [], replace: builtins.bool = True, p: ArrayLike | None = None, *, device: builtins.str | None = None, seed: builtins.int | None = None) -> _EmberTensor_:
        """Elements drawn from a vector."""
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
    integer = builtins.int
    floating = builtins.float
class _Tensor(metaclass=_TensorFunctions):
    def __new__(cls, data: Any, dtype: Any=None, device: str | None=None, requires_grad: builtins.bool | None=None) -> _EmberTensor_:
        """A tensor of numbers, lists or another library's array; a tensor that needs no change is returned as it is."""
    EmberDType: TypeAlias = __core_.DType
    EmberTensor: TypeAlias = __core_.EmberTensor
    DTypeInterface: TypeAlias = _interfaces_.DTypeInterface
    TensorInterface: TypeAlias = _interfaces_.TensorInterface
    DType: TypeAlias = __core_.DType
    Parameter: TypeAlias = __core_.Parameter
    finfo: TypeAlias = __core_.finfo
    iinfo: TypeAlias = __core_.iinfo
    using_backend: TypeAlias = __core_.using_backend
    enable_grad: TypeAlias = __grad_.enable_grad
    no_grad: TypeAlias = __grad_.no_grad
    Tensor: TypeAlias = __core_.EmberTensor
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
__all__: list[str] = ['DType', 'DTypeInterface', 'EmberDType', 'EmberTensor', 'Parameter', 'Tensor', 'TensorInterface', 'abs', 'absolute',
    'acos', 'acosh', 'adaptive_average_pool', 'adaptive_max_pool', 'add', 'all', 'allclose', 'amax', 'amin', 'angle', 'any', 'arange', 'arccos',
    'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argsort', 'argwhere', 'array', 'array_equal',
    'array_split', 'as_strided', 'asarray', 'asin', 'asinh', 'astype', 'atan', 'atan2', 'atanh', 'atleast_nd', 'attention',
    'auto_select_backend', 'average', 'average_pool1d', 'average_pool2d', 'average_pool3d', 'backend_info', 'bartlett', 'bartlett_window',
    'batch_norm', 'bfloat16', 'binary_cross_entropy', 'binary_crossentropy', 'binary_split', 'binary_wave_interference',
    'binary_wave_propagate', 'bincount', 'bitwise_and', 'bitwise_count', 'bitwise_invert', 'bitwise_left_shift', 'bitwise_not', 'bitwise_or',
    'bitwise_right_shift', 'bitwise_xor', 'blackman', 'blackman_window', 'bool', 'bool_', 'broadcast_arrays', 'broadcast_shapes',
    'broadcast_to', 'can_cast', 'cast', 'categorical_cross_entropy', 'categorical_crossentropy', 'cbrt', 'ceil', 'celu', 'checkpoint', 'choice',
    'cholesky', 'clamp', 'clear_cache', 'clip', 'complex128', 'complex64', 'compute_energy_stability', 'compute_interference_strength',
    'compute_phase_coherence', 'concat', 'concatenate', 'cond', 'conj', 'conjugate', 'contrastive_loss', 'conv1d', 'conv2d', 'conv3d',
    'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'convert_to_tensor', 'convolve', 'copy', 'copysign', 'corrcoef', 'correlate',
    'cos', 'cosh', 'cosine_embedding_loss', 'cosine_similarity', 'count_nonzero', 'count_ones', 'count_zeros', 'counters', 'cov',
    'create_duty_cycle', 'cross', 'ctc_loss', 'cummax', 'cummin', 'cumprod', 'cumsum', 'cumulative_prod', 'cumulative_sum', 'deg2rad',
    'degrees', 'dequantize_linear', 'det', 'device', 'diag', 'diagonal', 'diff', 'digamma', 'digitize', 'div', 'divide', 'dot', 'dropout',
    'dstack', 'dtype', 'e', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'elu', 'embedding', 'empty', 'empty_like', 'enable_grad', 'equal',
    'erf', 'erfc', 'erfinv', 'euclidean_distance', 'eval', 'exp', 'exp2', 'expand', 'expand_dims', 'expm', 'expm1', 'exponential_decay', 'eye',
    'fft2', 'fftfreq', 'fftn', 'fftshift', 'finfo', 'flatten', 'flip', 'float16', 'float32', 'float64', 'floating', 'floor', 'floor_div',
    'floor_divide', 'floordiv', 'fmod', 'frame', 'from_dlpack', 'from_dtype_str', 'full', 'full_like', 'gather', 'gather_elements', 'gather_nd',
    'gaussian', 'gelu', 'gemm', 'generate_blocky_sin', 'get_available_backends', 'get_available_devices', 'get_backend', 'get_bit',
    'get_default_device', 'get_default_dtype', 'get_device', 'get_device_of_tensor', 'get_dtype', 'get_printoptions', 'get_seed',
    'global_average_pool', 'global_max_pool', 'glu', 'grad', 'gradient', 'gradients', 'greater', 'greater_equal', 'grid_sample', 'group_norm',
    'gru', 'gru_cell', 'hamming', 'hamming_window', 'hann', 'hann_window', 'hard_sigmoid', 'hardshrink', 'hardswish', 'hardtanh', 'heaviside',
    'hfft', 'histogram', 'hstack', 'huber_loss', 'hypot', 'identity', 'ifft', 'ifft2', 'ifftn', 'ifftshift', 'ihfft', 'iinfo', 'imag', 'index',
    'index_add', 'index_update', 'inf', 'inner', 'instance_norm', 'int16', 'int32', 'int4', 'int64', 'int8', 'integer', 'interpolate', 'inv',
    'invert', 'irfft', 'irfft2', 'irfftn', 'is_available', 'isclose', 'isdtype', 'isfinite', 'isin', 'isinf', 'isnan', 'istft', 'item',
    'jacobian', 'kaiser', 'kaiser_window', 'kl_div_loss', 'kron', 'l2_pool1d', 'l2_pool2d', 'l2_pool3d', 'layer_norm', 'leaky_relu',
    'left_shift', 'lerp', 'less', 'less_equal', 'lgamma', 'linear', 'linspace', 'load', 'load_metadata', 'log', 'log10', 'log1p', 'log2',
    'log_cosh_loss', 'log_softmax', 'logaddexp', 'logcumsumexp', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'logsigmoid',
    'logspace', 'logsumexp', 'lookup', 'lstm', 'lstm_cell', 'lstsq', 'lu', 'mae_loss', 'masked_fill', 'masked_select', 'matmul', 'matrix_norm',
    'matrix_power', 'matrix_rank', 'matrix_transpose', 'max', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'maximum', 'mean',
    'mean_absolute_error', 'mean_squared_error', 'median', 'mel_filter_bank', 'memory_info', 'memory_stats', 'memory_usage', 'meshgrid', 'min',
    'minimum', 'mish', 'mod', 'moveaxis', 'mse', 'mse_loss', 'mul', 'multi_dot', 'multinomial', 'multiply', 'nan', 'nan_to_num', 'nanargmax',
    'nanargmin', 'nanmax', 'nanmean', 'nanmedian', 'nanmin', 'nanprod', 'nanstd', 'nanstdev', 'nansum', 'nanvar', 'nbytes', 'ndim', 'neg',
    'negative', 'newaxis', 'nextafter', 'nll_loss', 'no_grad', 'nonzero', 'norm', 'normalize_vector', 'not_equal', 'one_hot', 'ones',
    'ones_like', 'orthogonal', 'outer', 'overlap_add', 'pad', 'pairwise_distance', 'partial_interference', 'percentile', 'permute',
    'permute_dims', 'pi', 'pinv', 'pixel_shuffle', 'pixel_unshuffle', 'popcount', 'positive', 'pow', 'power', 'prelu', 'prod', 'ptp',
    'put_along_axis', 'qr', 'quantile', 'quantize_linear', 'rad2deg', 'radians', 'random_bernoulli', 'random_beta', 'random_binomial',
    'random_bits', 'random_categorical', 'random_choice', 'random_exponential', 'random_gamma', 'random_gumbel', 'random_integers',
    'random_laplace', 'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson', 'random_shuffle', 'random_uniform',
    'ravel', 'real', 'reciprocal', 'reduce_all', 'reduce_any', 'reduce_l1', 'reduce_l2', 'reduce_log_sum', 'reduce_logsumexp', 'reduce_max',
    'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_sum_square', 'reduce_var', 'relu', 'relu6', 'remainder',
    'repeat', 'resample', 'resample2d', 'reshape', 'result_type', 'rfft', 'rfft2', 'rfftfreq', 'rfftn', 'right_shift', 'rms_norm', 'rnn',
    'rnn_cell', 'roll', 'rope', 'rot90', 'rotate_left', 'rotate_right', 'round', 'rsqrt', 'save', 'scaled_dot_product_attention', 'scatter',
    'scatter_add', 'scatter_elements', 'scatter_max', 'scatter_mean', 'scatter_min', 'scatter_nd', 'scatter_softmax', 'searchsorted', 'seed',
    'segment_sum', 'selu', 'set_backend', 'set_bit', 'set_default_device', 'set_default_dtype', 'set_device', 'set_ops', 'set_printoptions',
    'set_seed', 'shape', 'shift_left', 'shift_right', 'shuffle', 'sigmoid', 'sign', 'signbit', 'silu', 'sin', 'sinc', 'sinh', 'size', 'slice',
    'slice_tensor', 'slice_update', 'slogdet', 'softmax', 'softplus', 'softshrink', 'softsign', 'solve', 'solve_triangular', 'sort',
    'sparse_categorical_cross_entropy', 'sparse_categorical_crossentropy', 'spectrogram', 'split', 'split_tensor', 'sqrt', 'square', 'squeeze',
    'stack', 'std', 'stdev', 'stft', 'strides', 'sub', 'subtract', 'sum', 'svd', 'svdvals', 'swapaxes', 'swish', 'synchronize', 'take',
    'take_along_axis', 'tan', 'tanh', 'tanhshrink', 'tensor_scatter_nd_update', 'tensor_sort', 'tensor_var', 'tensordot', 'threshold', 'tile',
    'to_device', 'to_dtype_str', 'to_numpy', 'toggle_bit', 'tolist', 'topk', 'trace', 'transpose', 'tri', 'tril', 'tril_indices', 'triu',
    'triu_indices', 'true_divide', 'trunc', 'truncated_normal', 'uint16', 'uint32', 'uint4', 'uint64', 'uint8', 'unique', 'unique_all',
    'unique_counts', 'unique_inverse', 'unique_values', 'unstack', 'using_backend', 'value_and_grad', 'vander', 'var', 'vecdot', 'vector_norm',
    'vstack', 'where', 'windows', 'zeros', 'zeros_like']
