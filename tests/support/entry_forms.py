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
from asl_pbcg.campaign.entry.position_files import read_checked, read_position
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


def remarks(form: str, folder: Path, given: Any) -> tuple[str, ...]:
    """Return what a form asks to look at again, in a position without faults."""
    if form == "orders":
        return _typed(given, [])[1].remarks()
    if form == "mouse":
        return tuple(_worked(folder, given, [])["remarks"])
    made = FILES_OF[form](folder, given)
    if form == "paper":
        return read_book(made, {}).remarks
    return (checked_save if form == "vasl" else read_checked)(made, BOARD).remarks


def told(check: Callable[[], object]) -> Told:
    """Return what a check refuses, without its places."""
    try:
        check()
    except FaultsError as error:
        return sorted(f"{fault.value} {fault.wrong}".strip() for fault in error.faults)
    return []


# -- files -----------------------------------------------------------------------------------------


def _yaml(folder: Path, keys: dict[str, Any]) -> Path:
    file = folder / "it.yaml"
    file.write_text(json.dumps(data(**keys)), encoding="utf-8")
    return file


def _workbook(folder: Path, keys: dict[str, Any]) -> Path:
    file = folder / "it.xlsx"
    file.write_bytes(to_workbook(data(**keys)))
    return file


def _counts(folder: Path, keys: dict[str, Any]) -> Path:
    lists = {name: [_counted(entry) for entry in keys.get(name, ())] for name in PIECES}
    return _yaml(folder, {**keys, **{name: rows for name, rows in lists.items() if rows}})


def _counted(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"} | {"count": 1}


def _vasl(folder: Path, keys: dict[str, Any]) -> Path:
    file = folder / "it.vsav"
    position = msgspec.convert(data(**keys), Position)
    file.write_bytes(write_save(position).content())
    return file


def _paper(folder: Path, keys: dict[str, Any]) -> Path:
    file = folder / "paper.yaml"
    book = {**data(**keys), "format": "pbcg-paper/1", "campaign": "CG1"}
    file.write_text(json.dumps(book), encoding="utf-8")
    return file


FILES_OF = {
    "yaml": _yaml, "workbook": _workbook, "counts": _counts, "vasl": _vasl, "paper": _paper,
}  # fmt: skip
"""By form, how a position becomes a file of it."""


def yaml(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a position in YAML."""
    return told(lambda: read_position(_yaml(folder, keys)))


def workbook(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a position in a workbook."""
    return told(lambda: read_position(_workbook(folder, keys)))


def counts(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of rows that count their pieces and name none."""
    return told(lambda: read_position(_counts(folder, keys)))


def changes(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of changes to a position in which no piece stands anywhere."""
    state = campaign()
    given = {**data(**keys), "format": CHANGES}
    return told(lambda: settle_position(state, given))


def vasl(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a VASL save, every question answered by its likeliest answer."""
    return told(lambda: checked_save(_vasl(folder, keys), BOARD))


def paper(folder: Path, keys: dict[str, Any]) -> Told:
    """Return what is told of a campaign from paper with this position."""
    return told(lambda: read_book(_paper(folder, keys), {}))


FILES = (workbook, yaml, counts, changes, vasl, paper)
"""The forms that are read as a whole."""


# -- orders ----------------------------------------------------------------------------------------


def orders(folder: Path, typed: Sequence[str]) -> Told:
    """Return what is told of orders at the terminal: refusals, then the faults of the draft."""
    refused: Told = []
    _, draft = _typed(typed, refused)
    return sorted([*refused, *told(lambda: _raise(draft.faults()))])


def _typed(typed: Sequence[str], refused: Told) -> tuple[Editor, Draft]:
    state = campaign()
    editor = Editor(Draft(state, state.board, state.catalogue))
    for order in typed:
        try:
            editor.do(order)
        except PBCGError as error:
            refused.append(str(error).removesuffix("."))
    return editor, editor.draft


def _raise(faults: list[Fault]) -> None:
    if faults:
        raise FaultsError("The draft", faults)


def mouse(folder: Path, done: Sequence[dict[str, Any]]) -> Told:
    """Return what the page's editor tells of orders: refusals, then the faults of the draft."""
    found: Told = []
    for fault in _worked(folder, done, found)["faults"]:
        place = str(Fault(fault["where"], fault["value"], ""))
        found.append(f"{fault['value']} {fault['sentence'].removeprefix(place).strip()}".strip())
    return sorted(found)


def _worked(folder: Path, done: Sequence[dict[str, Any]], refused: Told) -> dict[str, Any]:
    """Return how the page judges its draft after orders."""
    room: Any = SimpleNamespace(
        path=folder / "it.pbcg", drafting={}, played=set(), draft=0, setups={}
    )
    session: Any = SimpleNamespace(state=campaign())
    for order in done:
        try:
            Work(room, session, "umpire", None).carry_out([DraftOrder(**order)])
        except PBCGError as error:
            refused.append(str(error).removesuffix("."))
    return Work(room, session, "umpire", None).judge()
