"""Arguments of loaders: samplers, subsets and concatenations of datasets, streams."""

from __future__ import annotations

import bisect
import itertools
from typing import Any, Callable, Iterable, Iterator, Sequence

from .. import _core, ops
from .._core import training as _t

Subset = _t.Subset


class Sampler:
    """The base of samplers: iterating gives the indices of one epoch. A sampler with order(epoch)
    gives the same indices for the same epoch, whatever was iterated before, so that a resumed run
    repeats them.
    """

    def __init__(self, data_source: Any = None) -> None:
        self._epoch = 0

    def order(self, epoch: int) -> Any:
        """The indices of an epoch."""
        raise _core.UnsupportedError(
            f"[{type(self).__name__}] a sampler must define order(epoch), or __iter__ and __len__"
        )

    def __iter__(self) -> Iterator[Any]:
        self._epoch += 1
        return iter(self.order(self._epoch - 1))

    def __len__(self) -> int:
        return len(self.order(0))


class SequentialSampler(Sampler):
    """All examples in order."""

    def __init__(self, data_source: Any) -> None:
        super().__init__()
        self.data_source = data_source

    def order(self, epoch: int) -> list[int]:
        """The indices of an epoch."""
        return list(range(len(self.data_source)))


class RandomSampler(Sampler):
    """All examples in a random order, or num_samples of them; with replacement, examples may
    repeat.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.data_source, self.replacement, self.seed = data_source, replacement, seed
        self.num_samples = len(data_source) if num_samples is None else num_samples
        if self.num_samples < 0 or len(data_source) == 0 and self.num_samples:
            raise _core.ValueError(
                f"[RandomSampler] {self.num_samples} samples of {len(data_source)} examples"
            )

    def order(self, epoch: int) -> list[int]:
        """The indices of an epoch."""
        n = len(self.data_source)
        if self.replacement:
            return list(
                ops.random_integers(
                    (self.num_samples,), 0, n, seed=_seed(self.seed, epoch)
                ).tolist()
            )
        rounds = -(-self.num_samples // n) if n else 0
        return [i for r in range(rounds) for i in _t.permutation(n, self.seed + r, epoch)][
            : self.num_samples
        ]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Some examples in a random order."""

    def __init__(self, indices: Sequence[int], seed: int = 0) -> None:
        super().__init__()
        self.indices, self.seed = list(indices), seed

    def order(self, epoch: int) -> list[int]:
        """The indices of an epoch."""
        return [self.indices[i] for i in _t.permutation(len(self.indices), self.seed, epoch)]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """num_samples indices with probabilities proportional to weights; without replacement each
    occurs at most once.
    """

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, seed: int = 0
    ) -> None:
        super().__init__()
        self.weights = ops.asarray(weights, dtype="float64")
        self.num_samples, self.replacement, self.seed = num_samples, replacement, seed
        if (
            self.weights.ndim != 1
            or not bool(ops.all((self.weights >= 0) & ops.isfinite(self.weights)))
            or not bool(ops.any(self.weights > 0))
        ):
            raise _core.ValueError(
                "[WeightedRandomSampler] weights must be finite, not negative, and not all 0"
            )
        if not replacement and num_samples > int(ops.count_nonzero(self.weights)):
            raise _core.ValueError(
                f"[WeightedRandomSampler] {num_samples} samples without replacement of "
                f"{int(ops.count_nonzero(self.weights))} examples with a weight"
            )

    def order(self, epoch: int) -> list[int]:
        """The indices of an epoch."""
        if not self.replacement:
            # The largest log(u) / w are a sample without replacement (Efraimidis and Spirakis).
            u = ops.random_uniform(
                self.weights.shape, dtype="float64", seed=_seed(self.seed, epoch)
            )
            keys = ops.where(
                self.weights > 0,
                ops.log(1.0 - u) / ops.where(self.weights > 0, self.weights, 1.0),
                -float("inf"),
            )
            return list(ops.argsort(keys, descending=True)[: self.num_samples].tolist())
        u = ops.random_uniform((self.num_samples,), dtype="float64", seed=_seed(self.seed, epoch))
        sums = ops.cumulative_sum(self.weights)
        last = int(ops.max(ops.where(self.weights > 0, ops.arange(self.weights.shape[0]), 0)))
        return list(ops.minimum(ops.searchsorted(sums, u * sums[-1], side="right"), last).tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Batches of a sampler's indices, as lists."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool = False) -> None:
        super().__init__()
        if batch_size < 1:
            raise _core.ValueError(f"[BatchSampler] batch_size must be positive, not {batch_size}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def order(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch."""
        indices = list(
            self.sampler.order(epoch) if hasattr(self.sampler, "order") else self.sampler
        )
        batches = [
            indices[i : i + self.batch_size] for i in range(0, len(indices), self.batch_size)
        ]
        return (
            batches[:-1]
            if self.drop_last and batches and len(batches[-1]) < self.batch_size
            else batches
        )

    def __len__(self) -> int:
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def _seed(seed: int, epoch: int) -> int:
    return (seed * 0x9E3779B1 + epoch * 0x85EBCA77 + 1) & (1 << 63) - 1


class ConcatDataset(_t.Dataset):
    """Concatenated datasets."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        super().__init__()
        self.datasets = list(datasets)
        if not self.datasets:
            raise _core.ValueError("[ConcatDataset] needs at least one dataset")
        self.cumulative_sizes = list(itertools.accumulate(len(d) for d in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if not -len(self) <= index < len(self):
            raise _core.IndexError(f"[ConcatDataset] example {index} of {len(self)}")
        index %= len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]


class IterableDataset:
    """A stream of examples of unknown length: define __iter__."""

    def __iter__(self) -> Iterator[Any]:
        raise _core.UnsupportedError(
            f"[{type(self).__name__}] an IterableDataset must define __iter__"
        )


class DataLoader(_t.DataLoader):
    """Batches of a dataset, stacked in the structure of its examples: tuples, lists, dicts.

    Each pass, `for batch in loader`, is a whole epoch, as in PyTorch; one after seek() or
    load_state_dict() begins there. The order is a function of the seed and the epoch alone, and
    random ops in a dataset draw from a generator of the seed, the epoch and the batch: the same
    batches come whatever num_workers (threads that make batches ahead) is. sampler: indices of an
    epoch; batch_sampler: lists of them. collate_fn: makes a batch from a list of examples. Each
    pass over an IterableDataset iterates it again.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 32,
        shuffle: bool = False,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        *,
        drop_last: bool = False,
        seed: int = 0,
        prefetch: int = 2,
    ) -> None:
        self.dataset, self._collate, self._stream = (
            dataset,
            collate_fn,
            isinstance(dataset, IterableDataset),
        )
        if self._stream:
            for name, value in (
                ("shuffle", shuffle),
                ("sampler", sampler),
                ("batch_sampler", batch_sampler),
                ("num_workers", num_workers),
            ):
                if value:
                    raise _core.ValueError(
                        f"[DataLoader] {name} does not apply to an IterableDataset"
                    )
        super().__init__(
            [] if self._stream else dataset,
            batch_size,
            shuffle,
            sampler,
            batch_sampler,
            num_workers,
            collate_fn,
            drop_last=drop_last,
            seed=seed,
            prefetch=prefetch,
        )
        self._drop_last = drop_last

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return self._batches() if self._stream else super().__iter__()

    def __len__(self) -> int:
        if self._stream:
            raise TypeError("[DataLoader] an IterableDataset has no length")
        return super().__len__()

    def _batches(self) -> Iterator[Any]:
        examples = iter(self.dataset)
        while group := list(itertools.islice(examples, self.batch_size)):
            if len(group) < self.batch_size and self._drop_last:
                return
            yield next(iter(_t.DataLoader(group, len(group), collate_fn=self._collate)))


def random_split(dataset: Any, lengths: Sequence[float], seed: int = 0) -> list[Subset]:
    """Disjoint random parts of these lengths, or of these fractions if they sum to 1; examples left
    over by fractions go to the first parts.
    """
    n = len(dataset)
    sizes = [int(length) for length in lengths]
    if any(size != length for size, length in zip(sizes, lengths)) or (
        n != 1 and sum(lengths) == 1
    ):
        if abs(sum(lengths) - 1) > 1e-6 or any(not 0 <= f <= 1 for f in lengths):
            raise _core.ValueError(f"[random_split] fractions must sum to 1: {list(lengths)}")
        sizes = [int(n * f) for f in lengths]
        for i in range(n - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != n or any(size < 0 for size in sizes):
        raise _core.ValueError(
            f"[random_split] the lengths {list(lengths)} sum to {sum(sizes)}, but there are {n} examples"
        )
    order, ends = _t.permutation(n, seed), [0, *itertools.accumulate(sizes)]
    return [Subset(dataset, order[a:b]) for a, b in zip(ends, ends[1:])]


__all__ = [
    "BatchSampler",
    "ConcatDataset",
    "DataLoader",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Subset",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
    "random_split",
]
