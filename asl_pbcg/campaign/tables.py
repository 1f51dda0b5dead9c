"""The roll tables of the campaign game, from ``data/pb/tables.yaml``."""

from __future__ import annotations

from functools import cache

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.tables import RollTable, TableSet


@cache
def campaign_tables() -> TableSet:
    """All roll tables of the Pegasus Bridge campaign game."""
    return TableSet.read(load_data("pb/tables.yaml"), "data/pb/tables.yaml")


def table(name: str) -> RollTable:
    """The roll table ``name``, for example ``"rg_strength"``."""
    return campaign_tables()[name]
