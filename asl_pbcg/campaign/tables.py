"""The roll tables of Pegasus Bridge, from ``data/pb/tables.yaml``; a module brings its own."""

from __future__ import annotations

from functools import cache

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.tables import RollTable, TableSet


@cache
def campaign_tables(folder: str = SHIPPED) -> TableSet:
    """All roll tables of a module."""
    return TableSet.read(load_data(f"{folder}/tables.yaml"), f"data/{folder}/tables.yaml")


def table(name: str) -> RollTable:
    """The roll table ``name``, for example ``"rg_strength"``."""
    return campaign_tables()[name]
