"""The data files of the games: after a change all of them are read before anything is played."""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from asl_pbcg import __version__
from asl_pbcg.kernel.data import data_path, data_stamp

if TYPE_CHECKING:
    from asl_pbcg.kernel.comma_table import TableFile
    from asl_pbcg.kernel.typed_data import DataFile

MODULES: Final = (
    "asl_pbcg.airborne.drift_diagrams",
    "asl_pbcg.airborne.drop_settings",
    "asl_pbcg.airborne.drop_tables",
    "asl_pbcg.campaign.board_check",
    "asl_pbcg.campaign.game_system",
    "asl_pbcg.megagame.readings",
    "asl_pbcg.megagame.settings",
    "asl_pbcg.megagame.table",
    "asl_pbcg.megagame.tables",
    "asl_pbcg.megagame.words",
    "asl_pbcg.play.area_guide",
    "asl_pbcg.play.help_texts",
    "asl_pbcg.play.module_files",
    "asl_pbcg.play.obligations",
    "asl_pbcg.refit.s604_bog",
    "asl_pbcg.refit.status_chart",
    "asl_pbcg.refit.vehicle_paths",
    "asl_pbcg.st.board.map_rules",
    "asl_pbcg.st.board.map_sight",
    "asl_pbcg.st.numbers",
    "asl_pbcg.st.rules.german_resolute",
    "asl_pbcg.st.rules.rules",
    "asl_pbcg.st.rules.scoring",
    "asl_pbcg.st.rules.area_tables",
    "asl_pbcg.st.settings",
    "asl_pbcg.vasl.names",
)
"""The modules that hold data files as constants, or in a tuple ``FILES``."""


def check_changed_data() -> None:
    """Read every data file if one has changed since that was done last.

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
    check_data()
    with contextlib.suppress(OSError):
        kept.write_text(stamp, encoding="utf-8")


def check_data() -> None:
    """Read every data file as it is now. Raises PBCGError for the first fault."""
    for file in data_files():
        file.read_now()
    import_module("asl_pbcg.campaign.catalogue").load_catalogue()


def data_files() -> list[DataFile[Any] | TableFile[Any]]:
    """Return every data file; the catalogue, whose tables name each other, is read apart."""
    from asl_pbcg.kernel.comma_table import TableFile
    from asl_pbcg.kernel.rulings import Register
    from asl_pbcg.kernel.typed_data import DataFile

    files: dict[str, DataFile[Any] | TableFile[Any]] = {}
    for module in MODULES:
        constants = vars(import_module(module))
        for value in [*constants.values(), *constants.get("FILES", ())]:
            file = value.file if isinstance(value, Register) else value
            if isinstance(file, DataFile | TableFile):
                files[file.name] = file
    return list(files.values())
