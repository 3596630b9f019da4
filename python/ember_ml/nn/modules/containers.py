"""Modules and parameters by key, and lists of parameters."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Mapping

from ..._core import DTypeError, Parameter
from ..._core.nn import Module


class _Keyed(Module):
    """Members by key, with the methods of a dict."""

    def _put(self, key: str, value: Any) -> None:
        raise NotImplementedError

    def _all(self) -> dict[str, Any]:
        raise NotImplementedError

    def __init__(self, given: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        super().__init__()
        self.update(given or {})

    def __getitem__(self, key: str) -> Any:
        return self._all()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._put(key, value)

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __contains__(self, key: object) -> bool:
        return key in self._all()

    def keys(self) -> Iterable[str]:
        """The keys, in insertion order."""
        return self._all().keys()

    def values(self) -> Iterable[Any]:
        """The members, in insertion order."""
        return self._all().values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Pairs of a key and a member."""
        return self._all().items()

    def update(self, given: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Adds the members of a dict, or pairs of a key and a member."""
        for key, value in dict(given).items():
            self[key] = value

    def pop(self, key: str) -> Any:
        """Removes and returns a member."""
        value = self[key]
        del self[key]
        return value

    def clear(self) -> None:
        """Removes all members."""
        for key in list(self):
            del self[key]


class ModuleDict(_Keyed):
    """A dict of modules that are all registered."""

    def _put(self, key: str, value: Any) -> None:
        self.add_module(key, value)

    def _all(self) -> dict[str, Any]:
        return dict(self.named_children())


class ParameterDict(_Keyed):
    """A dict of Parameters that are all registered; other tensors become Parameters."""

    def _put(self, key: str, value: Any) -> None:
        self.register_parameter(key, value if isinstance(value, Parameter) else Parameter(value))

    def _all(self) -> dict[str, Any]:
        return dict(self.named_parameters(recurse=False, remove_duplicate=False))


class ParameterList(Module):
    """A list of Parameters that are all registered; other tensors become Parameters."""

    def __init__(self, parameters: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(parameters)

    def append(self, parameter: Any) -> ParameterList:
        """Appends a Parameter."""
        self.register_parameter(
            str(len(self)), parameter if isinstance(parameter, Parameter) else Parameter(parameter)
        )
        return self

    def extend(self, parameters: Iterable[Any]) -> ParameterList:
        """Appends Parameters."""
        for p in parameters:
            self.append(p)
        return self

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Parameter]:
        return (p for _, p in self.named_parameters(recurse=False, remove_duplicate=False))

    def __getitem__(self, index: int) -> Parameter:
        return [*iter(self)][index]

    def __setitem__(self, index: int, parameter: Any) -> None:
        if not isinstance(parameter, Parameter):
            raise DTypeError(f"[ParameterList] takes a Parameter, not {type(parameter).__name__}")
        self.register_parameter(str(range(len(self))[index]), parameter)
