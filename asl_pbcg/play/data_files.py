"""Checking the data files: after a change all are read before anything is played."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path

from asl_pbcg import __version__
from asl_pbcg.kernel.data import data_path, data_stamp


def check_changed_data(tell: Callable[[], None]) -> None:
    """Read every data file if one has changed since that was done last; ``tell`` of it before.

    That it was done is kept where Python keeps compiled files; where nothing can be kept, a fault
    is told when its file is first asked for. Raises PBCGError with file, key and what would be
    right.
    """
    if sys.dont_write_bytecode:
        return
    kept = Path(cache_from_source(str(data_path("pb").parent / "checked.py")))
    stamp = f"{__version__} {data_stamp()}"
    with contextlib.suppress(OSError):
        if kept.read_text(encoding="utf-8") == stamp:
            return
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("", encoding="utf-8")
    except OSError:
        return
    tell()
    check_data()
    with contextlib.suppress(OSError):
        kept.write_text(stamp, encoding="utf-8")


def check_data() -> None:
    """Read every data file as it is now. Raises PBCGError for the first fault."""

    from asl_pbcg.campaign.module import catalogue
    from asl_pbcg.play import module_files

    for file in module_files.data_files():
        file.read_now()
    catalogue.load_catalogue()
