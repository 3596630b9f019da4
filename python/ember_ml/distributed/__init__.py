"""Distributed runs: process groups, collectives, and strategies for training.

import ember_ml.distributed as dist
group = dist.init()                     # all ranks started by mpirun, srun or `ember launch`
total = group.all_reduce(x)             # sum, mean, max, min, prod
trainer = Trainer(model, optimizer, loss, strategy=dist.DataParallelStrategy())
"""

from __future__ import annotations

from . import strategy
from .._compat.absent import getter as _getter
from .._core.distributed import (
    DataParallelStrategy,
    Group,
    Strategy,
    Work,
    abort,
    all_reduce_sum,
    init,
    is_initialized,
    share,
    world,
)

__all__ = [
    "DataParallelStrategy",
    "Group",
    "Strategy",
    "Work",
    "abort",
    "all_reduce_sum",
    "init",
    "is_initialized",
    "share",
    "strategy",
    "world",
]

__getattr__ = _getter(
    __name__,
    {
        "all_gather": "use em.distributed.init().all_gather(x)",
        "all_reduce": "use em.distributed.init().all_reduce(x)",
        "all_sum": "use em.distributed.init().all_reduce(x)",
        "init_process_group": "use em.distributed.init()",
    },
    __all__,
)
