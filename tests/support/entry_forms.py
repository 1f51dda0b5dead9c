"""The eight forms in which an end position is entered, each telling what is wrong with it.

Each takes a position as plain data, or orders, and returns what is told of it: value and what
would be right, without the place (a cell, a line, a key), which differs by form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
from positions import BOARD, data
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from vasl_writer import write_position as write_save

from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_excel_write import to_workbook
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import PIECES, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.play.campaign_game.campaign_from_paper import read_book
from asl_pbcg.play.campaign_game.vasl_save import checked_save
from asl_pbcg.web.draft_work import Work
from asl_pbcg.web.messages import DraftOrder

Told = list[str]


def campaign() -> Campaign:
    """A campaign whose pieces stand nowhere yet: A-1 to A-3, E-1, D-1, SW, a Gun and a vehicle."""
    pieces = [
        *(piece(f"b-648-{number}", BRITISH, "6-4-8") for number in (1, 2, 3)),
        piece("g-447-1", GERMAN, "4-4-7"),
        piece("g-467-1", GERMAN, "4-6-7"),
        piece("b-lmg-1", BRITISH, "LMG"),
        piece("g-50l-at-1", GERMAN, "50L AT"),
        piece("g-35-s-739-f-1", GERMAN, "35-S 739(f)"),
    ]
    return campaign_at("scenario", *pieces, date=CGDate.NIGHT_1, determined=False)


def told(check: Callable[[], object]) -> Told:
    """Return what a check refuses, without its places."""
    try:
        check()
    except FaultsError as error:
        return sorted(f"{fault.value} {fault.wrong}".strip() for fault in error.faults)
    return []


# -- files -----------------------------------------------------------------------------------------


def yaml(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a position in YAML."""
    file = folder / "it.yaml"
    file.write_text(json.dumps(data(**keys)), encoding="utf-8")
    return told(lambda: read_position(file))


def workbook(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a position in a workbook."""
    file = folder / "it.xlsx"
    file.write_bytes(to_workbook(data(**keys)))
    return told(lambda: read_position(file))


def counts(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of rows that count their pieces and name none."""
    lists = {name: [_counted(entry) for entry in keys.get(name, ())] for name in PIECES}
    return yaml(folder, {**keys, **{name: rows for name, rows in lists.items() if rows}})


def _counted(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"} | {"count": 1}


def changes(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of changes to a position in which no piece stands anywhere."""
    state = campaign()
    return told(
        lambda: settle_position(
            state, {**data(**keys), "format": CHANGES}, state.board, state.catalogue
        )
    )


def vasl(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a VASL save, every question answered by its likeliest answer."""
    file = folder / "it.vsav"
    position = msgspec.convert(data(**keys), Position)
    file.write_bytes(write_save(position).content())
    return told(lambda: checked_save(file, BOARD))


def paper(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a campaign from paper with this position."""
    file = folder / "paper.yaml"
    book = {**data(**keys), "format": "pbcg-paper/1", "campaign": "CG1"}
    file.write_text(json.dumps(book), encoding="utf-8")
    return told(lambda: read_book(file, {}))


FILES = (workbook, yaml, counts, changes, vasl, paper)
"""The forms that are read as a whole."""


# -- orders ----------------------------------------------------------------------------------------


def orders(folder: Path, typed: Sequence[str]) -> Told:
    """Return what is told of orders at the terminal: refusals, then the faults of the draft."""
    state = campaign()
    editor = Editor(Draft(state, state.board, state.catalogue))
    found = []
    for order in typed:
        try:
            editor.do(order)
        except PBCGError as error:
            found.append(str(error).removesuffix("."))
    return sorted([*found, *told(lambda: _raise(editor.draft.faults()))])


def _raise(faults: list[Fault]) -> None:
    if faults:
        raise FaultsError("The draft", faults)


def mouse(folder: Path, done: Sequence[dict[str, Any]]) -> Told:
    """Return what the page's editor tells of orders: refusals, then the faults of the draft."""
    room: Any = SimpleNamespace(
        path=folder / "it.pbcg", drafting={}, played=set(), draft=0, setups={}
    )
    session: Any = SimpleNamespace(state=campaign())
    found = []
    for order in done:
        try:
            Work(room, session, "umpire", None).carry_out([DraftOrder(**order)])
        except PBCGError as error:
            found.append(str(error).removesuffix("."))
    for fault in Work(room, session, "umpire", None).judge()["faults"]:
        place = str(Fault(fault["where"], fault["value"], ""))
        found.append(f"{fault['value']} {fault['sentence'].removeprefix(place).strip()}".strip())
    return sorted(found)
