"""Linear algebra: the array API's extension, and more of NumPy's."""
from ._names import named, of_families

globals().update(of_families("linear algebra"))
globals().update(named(["matrix_transpose", "diagonal", "diag"]))
__all__ = [n for n in globals() if not n.startswith("_") and n not in ("named", "of_families")]
