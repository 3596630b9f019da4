# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as _Any)
from ember_ml._compat.absent import (missing as _missing)
from ember_ml._compat.random import (Generator as Generator, Key as Key, PRNGKey as PRNGKey, default_rng as default_rng, dirichlet as
    dirichlet, fold_in as fold_in, key as key, multivariate_normal as multivariate_normal, rand as rand, randint as randint, randn as randn,
    random_sample as random_sample, randperm as randperm, split as split, standard_normal as standard_normal)
from ember_ml._names import (of_families as _of)
from ember_ml.ops import (seed as seed, get_seed as get_seed, random_bits as random_bits, random_uniform as random_uniform, random_normal as
    random_normal, truncated_normal as truncated_normal, random_bernoulli as random_bernoulli, random_binomial as random_binomial,
    random_categorical as random_categorical, random_multinomial as random_multinomial, random_gamma as random_gamma, random_beta as
    random_beta, random_exponential as random_exponential, random_poisson as random_poisson, random_laplace as random_laplace, random_gumbel as
    random_gumbel, random_integers as random_integers, random_permutation as random_permutation, random_shuffle as shuffle, random_choice as
    choice, random_choice as random_choice, random_shuffle as random_shuffle, multinomial as multinomial, set_seed as set_seed, manual_seed as
    manual_seed, random_bits as bits, random_uniform as uniform, random_normal as normal, random_bernoulli as bernoulli, random_binomial as
    binomial, random_categorical as categorical, random_gamma as gamma, random_beta as beta, random_exponential as exponential, random_poisson
    as poisson, random_laplace as laplace, random_gumbel as gumbel, random_integers as integers, random_permutation as permutation)
random = random_sample
__all__: list[str] = ['Generator', 'Key', 'PRNGKey', 'bernoulli', 'beta', 'binomial', 'bits', 'categorical', 'choice', 'default_rng',
    'dirichlet', 'exponential', 'fold_in', 'gamma', 'get_seed', 'gumbel', 'integers', 'key', 'laplace', 'manual_seed', 'multinomial',
    'multivariate_normal', 'normal', 'permutation', 'poisson', 'rand', 'randint', 'randn', 'random', 'random_bernoulli', 'random_beta',
    'random_binomial', 'random_bits', 'random_categorical', 'random_choice', 'random_exponential', 'random_gamma', 'random_gumbel',
    'random_integers', 'random_laplace', 'random_multinomial', 'random_normal', 'random_permutation', 'random_poisson', 'random_sample',
    'random_shuffle', 'random_uniform', 'randperm', 'seed', 'set_seed', 'shuffle', 'split', 'standard_normal', 'truncated_normal', 'uniform']
