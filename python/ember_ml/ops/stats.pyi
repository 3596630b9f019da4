# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._compat.calculus import (gradient as gradient)
from ember_ml._names import (of_families as _of)
from ember_ml.ops import (sum as sum, prod as prod, mean as mean, var as var, std as std, max as max, min as min, all as all, any as any,
    count_nonzero as count_nonzero, logsumexp as logsumexp, argmax as argmax, argmin as argmin, cumulative_sum as cumulative_sum,
    cumulative_prod as cumulative_prod, cumsum as cumsum, cumprod as cumprod, cummax as cummax, cummin as cummin, logcumsumexp as logcumsumexp,
    sort as sort, argsort as argsort, topk as topk, searchsorted as searchsorted, nonzero as nonzero, argwhere as argwhere, unique_all as
    unique_all, unique_counts as unique_counts, unique_inverse as unique_inverse, unique_values as unique_values, isin as isin, median as
    median, quantile as quantile, percentile as percentile, diff as diff, histogram as histogram, bincount as bincount, digitize as digitize,
    nansum as nansum, nanprod as nanprod, nanmean as nanmean, nanvar as nanvar, nanstd as nanstd, nanmax as nanmax, nanmin as nanmin, nanmedian
    as nanmedian, nanargmax as nanargmax, nanargmin as nanargmin, cov as cov, corrcoef as corrcoef, gaussian as gaussian, reduce_l1 as
    reduce_l1, reduce_l2 as reduce_l2, reduce_log_sum as reduce_log_sum, reduce_sum_square as reduce_sum_square, ptp as ptp, average as average,
    amax as amax, amin as amin, nanstdev as nanstdev, reduce_all as reduce_all, reduce_any as reduce_any, reduce_logsumexp as reduce_logsumexp,
    reduce_max as reduce_max, reduce_mean as reduce_mean, reduce_min as reduce_min, reduce_prod as reduce_prod, reduce_std as reduce_std,
    reduce_sum as reduce_sum, reduce_var as reduce_var, unique as unique, stdev as stdev, tensor_sort as tensor_sort, tensor_var as tensor_var)
__all__: list[str] = ['all', 'amax', 'amin', 'any', 'argmax', 'argmin', 'argsort', 'argwhere', 'average', 'bincount', 'corrcoef',
    'count_nonzero', 'cov', 'cummax', 'cummin', 'cumprod', 'cumsum', 'cumulative_prod', 'cumulative_sum', 'diff', 'digitize', 'gaussian',
    'gradient', 'histogram', 'isin', 'logcumsumexp', 'logsumexp', 'max', 'mean', 'median', 'min', 'nanargmax', 'nanargmin', 'nanmax', 'nanmean',
    'nanmedian', 'nanmin', 'nanprod', 'nanstd', 'nanstdev', 'nansum', 'nanvar', 'nonzero', 'percentile', 'prod', 'ptp', 'quantile',
    'reduce_all', 'reduce_any', 'reduce_l1', 'reduce_l2', 'reduce_log_sum', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min',
    'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_sum_square', 'reduce_var', 'searchsorted', 'sort', 'std', 'stdev', 'sum', 'tensor_sort',
    'tensor_var', 'topk', 'unique', 'unique_all', 'unique_counts', 'unique_inverse', 'unique_values', 'var']
