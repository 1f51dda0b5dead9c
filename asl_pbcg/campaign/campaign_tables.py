"""The roll tables of Pegasus Bridge, from ``data/pb/tables.yaml``; a module brings its own."""

from __future__ import annotations

from functools import cache

from asl_pbcg.campaign.table_results import RESULTS
from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.kernel.typed_data import DataFile


@cache
def tables_file(folder: str = SHIPPED) -> DataFile[TableSet]:
    """The file of a module's roll tables."""
    return DataFile(
        f"{folder}/tables.yaml", lambda raw, source: TableSet.read(raw, source, results=RESULTS)
    )


@cache
def campaign_tables(folder: str = SHIPPED) -> TableSet:
    """All roll tables of a module."""
    return tables_file(folder).content


def table(name: str) -> RollTable:
    """The roll table ``name``, for example ``"rg_strength"``."""
    return campaign_tables()[name]
