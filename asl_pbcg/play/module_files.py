"""The data files of all games: those of the campaign's folder, and those that modules hold."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from asl_pbcg.campaign.board import board_file
from asl_pbcg.campaign.board_margins import names_file
from asl_pbcg.campaign.campaign_tables import tables_file
from asl_pbcg.campaign.entry_areas import entry_file
from asl_pbcg.campaign.fortification_ground import ground_table
from asl_pbcg.campaign.house_rules import campaign_rulings
from asl_pbcg.campaign.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.kernel.comma_table import TableFile
from asl_pbcg.kernel.rulings import Register
from asl_pbcg.kernel.typed_data import DataFile

RulesFile = DataFile[Any] | TableFile[Any]
_FOLDER: Final = PEGASUS_BRIDGE.folder
CAMPAIGN_FILES: Final[tuple[RulesFile, ...]] = (
    *PEGASUS_BRIDGE.charts.files,
    tables_file(_FOLDER),
    campaign_rulings(_FOLDER).file,
    entry_file(_FOLDER),
    names_file(_FOLDER),
    board_file(),
    ground_table(),
)
MODULES: Final = (
    "asl_pbcg.airborne.drift_diagrams",
    "asl_pbcg.airborne.drop_settings",
    "asl_pbcg.airborne.drop_tables",
    "asl_pbcg.campaign.board_check",
    "asl_pbcg.campaign.game_system",
    "asl_pbcg.megagame.game_table",
    "asl_pbcg.megagame.line_words",
    "asl_pbcg.megagame.mega_settings",
    "asl_pbcg.megagame.mega_tables",
    "asl_pbcg.play.area_guide",
    "asl_pbcg.play.help_texts",
    "asl_pbcg.play.obligations",
    "asl_pbcg.refit.prompt_defaults",
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


def data_files() -> list[RulesFile]:
    """Return every data file; the catalogue, whose tables name each other, is read apart."""
    files: dict[str, RulesFile] = {f.name: f for f in CAMPAIGN_FILES}
    for module in MODULES:
        constants = vars(import_module(module))
        for value in [*constants.values(), *constants.get("FILES", ())]:
            file = value.file if isinstance(value, Register) else value
            if isinstance(file, DataFile | TableFile):
                files[file.name] = file
    return list(files.values())
