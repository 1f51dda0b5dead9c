"""The layout of a workbook that players fill in: of a position, or of more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from asl_pbcg.campaign import position_guide as guide
from asl_pbcg.campaign.position import FORMAT, LISTS, BySide, Position
from asl_pbcg.campaign.position_fields import Field, fields_of


class WorkbookLayout(NamedTuple):
    """The questions of a workbook: the rows of its sheet about, its lists, and how it is told."""

    format: str
    title: str
    about: Mapping[str, Field]
    lists: Mapping[str, type[msgspec.Struct]]
    steps: Sequence[str]
    """How to fill it in."""
    sheets: Mapping[str, str]
    """The contents of each sheet, in words."""


def about_fields() -> dict[str, Field]:
    """The rows of the sheet about: the single facts, Casualty VP once for each side."""
    found = {name: each for name, each in fields_of(Position).items() if each.form != "part"}
    notes = found.pop("notes")
    for side, each in fields_of(BySide).items():
        found[f"casualty_vp_{side}"] = each
    return found | {"notes": notes}


def position_layout() -> WorkbookLayout:
    """Return the layout of a position."""
    title = "A position of the Pegasus Bridge campaign game"
    return WorkbookLayout(FORMAT, title, about_fields(), LISTS, guide.STEPS, guide.SHEETS)
