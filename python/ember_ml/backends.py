"""torch.backends: devices that Ember does not have, and settings without effect."""

from types import SimpleNamespace

__all__ = ["cudnn", "mps"]


def _no() -> bool:
    return False


mps = SimpleNamespace(is_available=_no, is_built=_no)
cudnn = SimpleNamespace(benchmark=False, deterministic=True, enabled=False, is_available=_no)
