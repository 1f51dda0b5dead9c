"""Slow libraries that are loaded when they are first used: how they keep a start quick.

A file that needs one in many of its functions says so at its top::

    from asl_pbcg.kernel.slow_libraries import pandas as pd

A file of ours that a rare option needs is imported at the top of the function that needs it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import icepool as icepool
    import numpy as numpy
    import pandas as pandas
    import shapely as shapely
    import yaml as yaml
    from PIL import Image as Image
    from PIL import ImageDraw as ImageDraw
    from PIL import ImageFont as ImageFont
    from shapely import affinity as affinity
else:

    def __getattr__(name: str) -> LazyModule:
        """Return a stand-in for the library, or the part of one, that is imported from here."""
        if name.startswith("__"):
            raise AttributeError(name)
        whole = {"affinity": "shapely.", "Image": "PIL.", "ImageDraw": "PIL.", "ImageFont": "PIL."}
        return LazyModule(whole.get(name, "") + name)


class LazyModule(ModuleType):
    """A stand-in for a module, which is imported when an attribute of it is first read."""

    def __getattr__(self, name: str) -> Any:
        """Return the attribute ``name`` of the module, as it is now."""
        return getattr(import_module(self.__name__), name)
