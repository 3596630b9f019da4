"""NumPy's random generators and JAX's keys, over Ember's random ops."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core import EmberTensor, convert_to_tensor
from .._core import ValueError as EmberValueError
from . import op

_MASK = 2**64 - 1
Size = int | Sequence[int] | None


def _mixed(*words: int) -> int:
    """A 63-bit seed by splitmix64, so that neighbouring words give unrelated seeds."""
    state = 0
    for word in words:
        state = (state + word + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state >> 1


class Key:
    """JAX's key: the numbers drawn with a key are always the same."""

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = int(seed) & (_MASK >> 1)

    def __repr__(self) -> str:
        return f"Key({self.seed})"


def PRNGKey(seed: int) -> Key:
    """A key from a seed."""
    return Key(_mixed(int(seed) & _MASK))


def key(seed: int) -> Key:
    """A key from a seed."""
    return PRNGKey(seed)


def split(key: Key, num: int = 2) -> list[Key]:
    """num new keys."""
    return [fold_in(key, i) for i in range(num)]


def fold_in(key: Key, data: int) -> Key:
    """A new key from a key and an integer."""
    return Key(_mixed(key.seed, int(data) & _MASK))


class Generator:
    """NumPy's Generator: an independent random generator, float64 by default. size=None
    gives a 0-d tensor."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = (
            int(op.random_bits((2,)).tolist()[0]) if seed is None else _mixed(int(seed) & _MASK)
        )
        self._drawn = 0

    def _next(self) -> int:
        self._drawn += 1
        return _mixed(self._seed, self._drawn)

    def _draw(self, name: str, size: Size, dtype: Any, *args: Any) -> EmberTensor:
        return getattr(op, name)(_shape(size), *args, dtype=dtype, seed=self._next())

    def random(self, size: Size = None, dtype: Any = "float64") -> EmberTensor:  # ember: allow
        """Uniform numbers in [0, 1)."""
        return self._draw("random_uniform", size, dtype)

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size = None) -> EmberTensor:
        """Uniform numbers in [low, high)."""
        return self._draw("random_uniform", size, "float64", low, high)

    def standard_normal(
        self,
        size: Size = None,
        dtype: Any = "float64",  # ember: allow
    ) -> EmberTensor:
        """Normal numbers of mean 0 and standard deviation 1."""
        return self._draw("random_normal", size, dtype)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> EmberTensor:
        """Normal numbers of mean loc and standard deviation scale, which may be tensors."""
        loc = convert_to_tensor(loc, dtype="float64")
        scale = convert_to_tensor(scale, dtype="float64")
        shape = op.broadcast_shapes(loc.shape, scale.shape) if size is None else size
        return loc + scale * self.standard_normal(shape)

    def integers(
        self,
        low: int,
        high: int | None = None,
        size: Size = None,
        dtype: Any = "int64",  # ember: allow
        endpoint: bool = False,
    ) -> EmberTensor:
        """Integers in [low, high), or [low, high] with endpoint; with one bound, from 0."""
        first, last = (0, low) if high is None else (low, high)
        return self._draw("random_integers", size, dtype, first, last + endpoint)

    def exponential(self, scale: float = 1.0, size: Size = None) -> EmberTensor:
        """Exponential numbers of mean scale."""
        return self._draw("random_exponential", size, "float64", scale)

    def gamma(self, shape: float, scale: float = 1.0, size: Size = None) -> EmberTensor:
        """Gamma-distributed numbers."""
        return self._draw("random_gamma", size, "float64", shape, 1 / scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Size = None) -> EmberTensor:
        """Numbers whose logarithms are normal."""
        return op.exp(self.normal(mean, sigma, size))

    def chisquare(self, df: float, size: Size = None) -> EmberTensor:
        """Chi-squared numbers with df degrees of freedom."""
        return self.gamma(df / 2, 2.0, size)

    def beta(self, a: float, b: float, size: Size = None) -> EmberTensor:
        """Beta-distributed numbers."""
        return self._draw("random_beta", size, "float64", a, b)

    def poisson(self, lam: float = 1.0, size: Size = None) -> EmberTensor:
        """Poisson-distributed integers."""
        return self._draw("random_poisson", size, "int64", lam)

    def binomial(self, n: int, p: float, size: Size = None) -> EmberTensor:
        """The number of successes in n trials with probability p."""
        return self._draw("random_binomial", size, "int64", p, n)

    def laplace(self, loc: float = 0.0, scale: float = 1.0, size: Size = None) -> EmberTensor:
        """Laplace-distributed numbers."""
        return self._draw("random_laplace", size, "float64", loc, scale)

    def gumbel(self, loc: float = 0.0, scale: float = 1.0, size: Size = None) -> EmberTensor:
        """Gumbel-distributed numbers."""
        return self._draw("random_gumbel", size, "float64", loc, scale)

    def multivariate_normal(self, mean: Any, cov: Any, size: Size = None) -> EmberTensor:
        """Normal vectors with a mean and a covariance matrix."""
        mean = convert_to_tensor(mean, dtype="float64")
        cov = convert_to_tensor(cov, dtype="float64")
        values, vectors = op.eigh(cov)
        root = vectors * op.sqrt(op.clip(values, 0))
        return mean + self.standard_normal((*_shape(size), mean.shape[0])) @ root.T

    def dirichlet(self, alpha: Any, size: Size = None) -> EmberTensor:
        """Dirichlet-distributed vectors, which sum to 1."""
        columns = [self.gamma(float(a), 1.0, size) for a in convert_to_tensor(alpha).tolist()]
        drawn = op.stack(columns, -1)
        return drawn / op.sum(drawn, axis=-1, keepdims=True)

    def choice(
        self, a: Any, size: Size = None, replace: bool = True, p: Any = None, axis: int = 0
    ) -> EmberTensor:
        """Elements of a vector, or integers below a, or entries along an axis."""
        x = convert_to_tensor(a)
        n = x.shape[axis] if x.ndim else int(x)
        at = op.choice(n, _shape(size), replace, p, seed=self._next())
        return op.take(x, at, axis) if x.ndim else at

    def permutation(self, x: Any, axis: int = 0) -> EmberTensor:
        """The entries along an axis in random order; an integer n means arange(n)."""
        return op.random_permutation(x, axis, seed=self._next())

    def permuted(self, x: Any, axis: int | None = None) -> EmberTensor:
        """The elements in random order, independently along each line of an axis."""
        x = convert_to_tensor(x)
        order = op.argsort(
            self.random(x.shape if axis is not None else (x.size,)),
            axis=-1 if axis is None else axis,
        )
        if axis is None:
            return op.reshape(op.take(op.flatten(x), order), x.shape)
        return op.take_along_axis(x, order, axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Shuffles the entries along an axis of a tensor, or of a list, in place."""
        if isinstance(x, EmberTensor):
            x[...] = op.shuffle(x, axis, seed=self._next())
        elif isinstance(x, list):
            x[:] = [x[i] for i in self.permutation(len(x)).tolist()]
        else:
            raise TypeError(
                f"[shuffle] shuffles a tensor or a list in place, not {type(x).__name__}"
            )

    def spawn(self, n_children: int) -> list[Generator]:
        """Generators that are independent of this one."""
        return [Generator(self._next()) for _ in range(n_children)]


def default_rng(seed: int | Generator | None = None) -> Generator:
    """Creates a Generator, as in NumPy."""
    return seed if isinstance(seed, Generator) else Generator(seed)


def _shape(size: Size) -> tuple[int, ...]:
    if size is None:
        return ()
    return (size,) if isinstance(size, int) else tuple(size)


# ---- Functions that use the process generator ----
def _lengths(shape: tuple[Any, ...], size: Any = None) -> tuple[int, ...]:
    if size is not None:
        return _shape(size)
    return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape


def rand(*shape: Any, size: Any = None, **options: Any) -> EmberTensor:
    """Uniform numbers in [0, 1): rand(2, 3) or rand((2, 3))."""
    return op.random_uniform(_lengths(shape, size), **options)


def randn(*shape: Any, size: Any = None, **options: Any) -> EmberTensor:
    """Normal numbers of mean 0 and standard deviation 1: randn(2, 3) or randn((2, 3))."""
    return op.random_normal(_lengths(shape, size), **options)


def randint(
    *args: Any,
    low: int | None = None,
    high: int | None = None,
    size: Any = None,
    shape: Any = None,
    **options: Any,
) -> EmberTensor:
    """Integers in [low, high), or [0, low) if one bound is given: randint(10, size=3),
    randint(0, 10, (3,)).

    JAX's randint(key, shape, low, high) works too.
    """
    limits = list(args)
    if limits and isinstance(limits[0], Key):
        options["seed"] = limits.pop(0).seed
        low = options.pop("minval", low)
        high = options.pop("maxval", high)
        given = [*limits, *(v for v in (low, high) if v is not None)]
        if shape is None and given:
            shape = given.pop(0)
        if shape is None or len(given) != 2:
            raise EmberValueError("[randint] needs key, shape, low and high")
        (low, high), limits = given, []
    lengths = size if size is not None else shape
    if limits and isinstance(limits[-1], (list, tuple)):
        lengths = limits.pop()
    elif len(limits) == 3:
        lengths = limits.pop()
    limits += [v for v in (low, high) if v is not None]
    if len(limits) not in (1, 2):
        raise EmberValueError("[randint] needs high, or low and high: randint(low, high, size)")
    first, last = (0, limits[0]) if len(limits) == 1 else limits
    return op.random_integers(_shape(lengths), int(first), int(last), **options)


def randperm(n: int, **options: Any) -> EmberTensor:
    """The integers from 0 to n - 1 in random order."""
    return op.random_permutation(n, **options)


def standard_normal(size: Size = None, **options: Any) -> EmberTensor:
    """Normal numbers of mean 0 and standard deviation 1."""
    return randn(size=() if size is None else size, **options)


def random_sample(size: Size = None, **options: Any) -> EmberTensor:
    """Uniform numbers in [0, 1)."""
    return rand(size=() if size is None else size, **options)


def _generator(given: list[Any]) -> Generator:
    """The generator of JAX's key, which is taken from the front of the arguments, or a new one."""
    return Generator(given.pop(0).seed) if given and isinstance(given[0], Key) else default_rng()


def multivariate_normal(*args: Any, **kwargs: Any) -> EmberTensor:
    """Normal vectors: multivariate_normal(mean, cov, size), behind a key with shape= for size."""
    given = list(args)
    return _generator(given).multivariate_normal(*given, **_sized(kwargs))


def dirichlet(*args: Any, **kwargs: Any) -> EmberTensor:
    """Vectors that sum to 1: dirichlet(alpha, size), behind a key with shape= for size."""
    given = list(args)
    return _generator(given).dirichlet(*given, **_sized(kwargs))


def _sized(options: dict[str, Any]) -> dict[str, Any]:
    if "shape" in options:
        options["size"] = options.pop("shape")
    return options


def rand_like(x: Any, **options: Any) -> EmberTensor:
    """Uniform numbers in [0, 1) with the shape and dtype of x."""
    x = convert_to_tensor(x)
    return rand(size=x.shape, **{"dtype": x.dtype, **options})


def randn_like(x: Any, **options: Any) -> EmberTensor:
    """Normal numbers of mean 0 and standard deviation 1, with the shape and dtype of x."""
    x = convert_to_tensor(x)
    return randn(size=x.shape, **{"dtype": x.dtype, **options})
