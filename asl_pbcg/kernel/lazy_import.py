"""Modules that are loaded when they are first used: how a slow library keeps a start quick."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """A stand-in for a module, which is imported when an attribute of it is first read."""

    def __getattr__(self, name: str) -> Any:
        """Return the attribute ``name`` of the module, as it is now."""
        return getattr(import_module(self.__name__), name)


def lazy_import(name: str) -> Any:
    """Return a stand-in for the module with the full ``name``.

    A file that needs a slow module in some of its functions says so once, at its top, instead of
    importing it in each of them::

        if TYPE_CHECKING:
            import pandas as pd
            from asl_pbcg.refit import sequence
        else:
            pd = lazy_import("pandas")
            sequence = lazy_import("asl_pbcg.refit.sequence")
    """
    return LazyModule(name)
