"""Run by the script next to it, in an environment that has only ember_ml, and then NumPy too."""

import multiprocessing
import pickle
import sys

import ember_ml as em

LOADED = set(sys.modules)
MAPS = open("/proc/self/maps").read()


def alone() -> None:
    assert not LOADED & {"numpy", "torch", "mlx", "scipy"}, LOADED
    assert "libember_" not in MAPS, "importing ember_ml has loaded an engine"
    x = em.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert (x @ x + 1).tolist() == [[8, 11], [16, 23]]
    assert em.conv2d(em.ones((1, 1, 5, 5)), em.ones((1, 1, 3, 3))).tolist() == [[[[9.0] * 3] * 3]]
    assert em.linalg.solve(x, x).round(5).tolist() == [[1, 0], [0, 1]]
    backends = {b["name"]: b for b in em.backend_info()}
    assert backends["native"]["available"] and em.get_available_backends() == ["native"]
    for name in ("numpy", "torch", "mlx"):
        reason = backends[name]["reason"]
        assert not backends[name]["available"] and "not found" in reason, (name, reason)
        try:
            em.set_backend(name)
        except em.errors.EngineError as e:
            assert reason in str(e), e
        else:
            raise AssertionError(f"{name} cannot be there")
    assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(em.sum, (x,)).item() == 10
    import emberharmony

    assert emberharmony.ops.sum(x).item() == 10
    assert not {"numpy", "torch", "mlx"} & set(sys.modules)


def numpy() -> None:
    assert em.get_available_backends() == ["native", "numpy"]
    em.set_backend("numpy")
    x = em.arange(6).reshape(2, 3)
    assert x.backend == "numpy" and (x @ x.T).tolist() == [[5, 14], [14, 50]]
    import numpy as np

    assert np.asarray(x).sum() == 15 and em.asarray(np.ones(3)).tolist() == [1, 1, 1]


if __name__ == "__main__":
    globals()[sys.argv[1]]()
