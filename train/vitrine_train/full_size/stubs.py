"""Stand-ins for packages that a trainer imports beside its configuration and that are not installed, such as torch."""

from __future__ import annotations

import abc
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any


class _Anything(abc.ABCMeta):
    """A class that has every attribute and can be called, subscripted and joined with |; each gives the class Nothing."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing

    def __getitem__(cls, key: Any) -> Any:
        return Nothing

    def __or__(cls, other: Any) -> Any:
        return Any

    __ror__ = __or__

    def __iter__(cls) -> Iterator[Any]:
        return iter(())

    def __bool__(cls) -> bool:
        return False


class Nothing(metaclass=_Anything):
    """Is any class, function, decorator or value of a package that is not there."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Nothing:  # a trainer's subclass of a missing class
            return super().__new__(cls)
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else Nothing  # a decorator gives what it decorates

    def __init_subclass__(cls, **kwargs: Any) -> None:
        pass


class _Module(types.ModuleType):
    __version__ = "0"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.wanted = wanted

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if self.wanted(name) else None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def install(*own: str, always: Sequence[str] = ("torch", "transformers")) -> None:
    """Makes packages importable that are not installed, all but the trainer's own, and those of always even if they are."""
    replace(*always)
    sys.meta_path.append(_Finder(lambda name: _missing(name, own)))


def replace(*packages: str) -> None:
    """Makes these packages empty, even if they are installed."""
    sys.meta_path.insert(0, _Finder(lambda name: any(f"{name}.".startswith(f"{package}.") for package in packages)))


def _missing(name: str, own: Sequence[str]) -> bool:
    package, dot, _ = name.partition(".")
    return isinstance(sys.modules[package], _Module) if dot else package not in own and package not in sys.stdlib_module_names
