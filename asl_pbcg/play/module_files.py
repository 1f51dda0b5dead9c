"""The data files of all games: those of the campaign's folder, and those that modules hold."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from asl_pbcg.campaign.board.board import board_file
from asl_pbcg.campaign.board.entry_areas import entry_file
from asl_pbcg.campaign.map.board_margins import names_file
from asl_pbcg.campaign.module.campaign_tables import tables_file
from asl_pbcg.campaign.module.fortification_ground import ground_table
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.kernel.rulings import Register
from asl_pbcg.kernel.typed_data import DataFile, TableFile

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
    "asl_pbcg.airborne.drop_settings",
    "asl_pbcg.airborne.drop_settings",
    "asl_pbcg.airborne.drop_tables",
    "asl_pbcg.campaign.module.board_check",
    "asl_pbcg.campaign.module.frame",
    "asl_pbcg.megagame.game_table",
    "asl_pbcg.megagame.line_words",
    "asl_pbcg.megagame.mega_settings",
    "asl_pbcg.megagame.mega_tables",
    "asl_pbcg.play.area_play.area_beginnings",
    "asl_pbcg.play.help_texts",
    "asl_pbcg.play.obligations",
    "asl_pbcg.refit.helpers.prompt_defaults",
    "asl_pbcg.refit.s604_bog",
    "asl_pbcg.refit.helpers.status_chart",
    "asl_pbcg.refit.helpers.vehicle_paths",
    "asl_pbcg.st.board.map_rules",
    "asl_pbcg.st.board.map",
    "asl_pbcg.st.area_terms",
    "asl_pbcg.st.germans.german_resolute",
    "asl_pbcg.st.state.game_rules",
    "asl_pbcg.st.rules.scoring",
    "asl_pbcg.st.state.area_tables",
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
