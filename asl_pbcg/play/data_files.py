"""The data files of each game: after a change all of them are read before anything is played."""

from __future__ import annotations

import contextlib
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg import __version__
from asl_pbcg.kernel.data import data_path, data_stamp

if TYPE_CHECKING:
    from asl_pbcg.kernel.comma_table import TableFile
    from asl_pbcg.kernel.typed_data import DataFile

Files = tuple["DataFile[Any]", ...]
Tables = tuple["TableFile[Any]", ...]
GAMES = ("campaign", "st", "drop", "mega")


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
    for game in GAMES:
        check_data(game)
    with contextlib.suppress(OSError):
        kept.write_text(stamp, encoding="utf-8")


def check_data(game: str) -> None:
    """Read every data file of a game (``campaign``, ``st``, ``drop``, ``mega``) as it is now.

    Raises PBCGError with file, key and what would be right for the first fault.
    """
    for file in data_files(game):
        file.read_now()
    for table in comma_tables(game):
        table.read_now()
    if game == "campaign":
        from asl_pbcg.campaign.catalogue import load_catalogue

        load_catalogue()


def data_files(game: str) -> Files:
    """The YAML files of a game."""
    return {"campaign": _campaign, "st": _st, "drop": _drop, "mega": _mega}[game]()


def comma_tables(game: str) -> Tables:
    """The comma tables of a game; the catalogue, whose tables name each other, is read apart."""
    from asl_pbcg.play.obligations import obligations_file

    if game == "campaign":
        from asl_pbcg.campaign.board import board_file
        from asl_pbcg.campaign.board_check import NOTES
        from asl_pbcg.campaign.fortification_ground import ground_table
        from asl_pbcg.vasl.names import NAMES

        return (board_file(), NOTES, ground_table(), NAMES, obligations_file("pb"))
    if game == "st":
        from asl_pbcg.st.board.map_sight import SIGHT

        return (SIGHT, obligations_file("st"))
    return (obligations_file({"drop": "airborne", "mega": "megagame"}[game]),)


def _campaign() -> Files:
    from asl_pbcg.campaign.board_check import DOUBTS, NAMED_PLACES
    from asl_pbcg.campaign.board_margins import names_file
    from asl_pbcg.campaign.entry_areas import entry_file
    from asl_pbcg.campaign.game_system import UNITS
    from asl_pbcg.campaign.house_rules import campaign_rulings
    from asl_pbcg.campaign.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.campaign.tables import tables_file
    from asl_pbcg.play.help_texts import REFIT_HELP
    from asl_pbcg.refit.s604_bog import NUMBERS
    from asl_pbcg.refit.status_chart import STATUS_CHART
    from asl_pbcg.refit.vehicle_paths import PATHS
    from asl_pbcg.vasl.names import FACTS

    folder = PEGASUS_BRIDGE.folder
    return (
        *PEGASUS_BRIDGE.charts.files,
        tables_file(folder),
        campaign_rulings(folder).file,
        entry_file(folder),
        names_file(folder),
        DOUBTS,
        NAMED_PLACES,
        UNITS,
        PATHS,
        NUMBERS,
        STATUS_CHART,
        FACTS,
        REFIT_HELP,
    )


def _st() -> Files:
    from asl_pbcg.play.area_guide import GUIDE
    from asl_pbcg.play.help_texts import AREA_GAME_HELP
    from asl_pbcg.st.board.map_rules import MAP_RULES
    from asl_pbcg.st.numbers import NUMBERS
    from asl_pbcg.st.rules.german_resolute import RESOLUTE
    from asl_pbcg.st.rules.rules import BRITISH_ORDER, GERMAN_ORDER
    from asl_pbcg.st.rules.scoring import VICTORY
    from asl_pbcg.st.rules.tables import FIRE_READINGS, TABLES
    from asl_pbcg.st.settings import ST_RULINGS

    return (
        NUMBERS,
        BRITISH_ORDER,
        GERMAN_ORDER,
        RESOLUTE,
        VICTORY,
        ST_RULINGS.file,
        MAP_RULES,
        TABLES,
        FIRE_READINGS,
        AREA_GAME_HELP,
        GUIDE,
    )


def _drop() -> Files:
    from asl_pbcg.airborne.drift_diagrams import DIAGRAMS
    from asl_pbcg.airborne.drop_settings import DROP_RULINGS
    from asl_pbcg.airborne.drop_tables import NUMBERS, TABLES

    return (DROP_RULINGS.file, DIAGRAMS, NUMBERS, TABLES)


def _mega() -> Files:
    from asl_pbcg.megagame.readings import READINGS
    from asl_pbcg.megagame.settings import SETTINGS
    from asl_pbcg.megagame.table import PHASES
    from asl_pbcg.megagame.tables import TABLES
    from asl_pbcg.megagame.words import WORDS

    return (SETTINGS, WORDS, PHASES, READINGS, TABLES)
