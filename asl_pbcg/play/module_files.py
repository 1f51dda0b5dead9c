"""The data files of the shipped campaign that are named by the folder of their module."""

from __future__ import annotations

from typing import Final

from asl_pbcg.campaign.board import board_file
from asl_pbcg.campaign.board_margins import names_file
from asl_pbcg.campaign.entry_areas import entry_file
from asl_pbcg.campaign.fortification_ground import ground_table
from asl_pbcg.campaign.house_rules import campaign_rulings
from asl_pbcg.campaign.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.tables import tables_file

_FOLDER: Final = PEGASUS_BRIDGE.folder
FILES: Final = (
    *PEGASUS_BRIDGE.charts.files,
    tables_file(_FOLDER),
    campaign_rulings(_FOLDER).file,
    entry_file(_FOLDER),
    names_file(_FOLDER),
    board_file(),
    ground_table(),
)
