"""The bounds of every value that a correction sets: texts, numbers, dates, places, names of things.

What a field may hold by its type alone ``kernel.corrections`` sees to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.location import HEXSIDE_PATTERN
from asl_pbcg.campaign.pieces import Infantry, Piece, Vehicle, Weapon
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.errors import Fault, PBCGError
from asl_pbcg.kernel.reader import Wrong, read_text

MAX_NUMBER: Final = 9_999
MAX_NAME: Final = 60
"""The most characters of a name or any other word; of a text as ``LONG`` has it ``MAX_TEXT``."""
MAX_TEXT: Final = 2_000
LONG: Final = ("notes", "why", "reinforcements", "ended", "ended_by")
FIXED: Final = {
    "campaign": "cannot change: begin another campaign",
    "readings": "cannot change: the campaign was begun with it",
    "salt": "cannot change: the campaign was begun with it",
    "determined": "follows from the end position: undo to 9.605 and correct that",
    "seen": "follows from what stands on the map: correct the pieces",
    "answered_in_secret": "follows from what was asked",
}
"""Facts that are not corrected, and why."""
_OPEN: Final = ("corrections", "catalogue_corrections", "determined", "seen")
"""Facts whose own readers check them, or that are not corrected."""
_OTHER_CHECKS: Final = ("cpp", "fpp", "san", "ww_box")


def check_fixed(before: Campaign, after: Campaign) -> Iterator[Fault]:
    """Refuse a change of what no correction changes."""
    for name, right in FIXED.items():
        if getattr(before, name) != getattr(after, name):
            yield Fault(name, "", right)


def check_date(before: Campaign, after: Campaign) -> Iterator[Fault]:
    """Refuse to skip a CG Date, which would never be played."""
    dates = before.frame.campaigns[before.campaign].dates
    if before.date not in dates or after.date not in dates:
        return
    way = dates.index(after.date) - dates.index(before.date)
    if abs(way) > 1:
        next = dates[dates.index(before.date) + (1 if way > 0 else -1)]
        yield Fault(
            "date",
            after.date,
            f"skips a CG Date, whose scenario and Refit Phase would be missing: correct to {next}, "
            "or undo to go back",
        )


def check_values(state: Campaign, board: Board) -> Iterator[Fault]:
    """Find texts, numbers and names out of bounds."""
    data = msgspec.to_builtins(state, str_keys=True)
    for root, value in data.items():
        if root not in _OPEN:
            yield from _check_plain(root, value, root, root not in _OTHER_CHECKS)
    yield from _check_settings(state)
    yield from _check_groups(state)
    yield from _check_bought(state)
    for piece in state.pieces:
        yield from _check_piece(state, piece, board)


def _check_plain(where: str, value: Any, field: str, numbers: bool) -> Iterator[Fault]:
    """Check the texts, and ``numbers`` too if so wanted, in ``value``, whatever they mean."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _check_text(where, key, MAX_NAME)
            yield from _check_plain(f"{where}/{key}", inner, key, numbers)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            name = inner.get("id") or inner.get("key") if isinstance(inner, dict) else None
            yield from _check_plain(f"{where}/{name or number}", inner, field, numbers)
    elif isinstance(value, str):
        yield from _check_text(where, value, MAX_TEXT if field in LONG else MAX_NAME)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return
    elif numbers and not 0 <= value <= MAX_NUMBER:
        yield Fault(where, f"{value:,}", f"must be 0 to {MAX_NUMBER:,}")


def _check_text(where: str, text: str, longest: int) -> Iterator[Fault]:
    try:
        read_text(text, longest)
    except Wrong as wrong:
        yield Fault(where, "", str(wrong))


def _check_settings(state: Campaign) -> Iterator[Fault]:
    sides = [side.value for side in state.sides]
    if state.ii13 not in ("", *sides):
        yield Fault("ii13", state.ii13[:MAX_NAME], f"must be {' or '.join(sides)}, or empty")
    provisions = [side.value for side in state.frame.balance]
    if state.balance not in ("", *provisions):
        right = f"must be {' or '.join(provisions)}, or empty"
        yield Fault("balance", state.balance[:MAX_NAME], right)
    pieces = {piece.id: piece for piece in state.pieces}
    for id in state.cut_off:
        if id not in pieces or not pieces[id].is_vehicle:
            yield Fault("cut_off", id[:MAX_NAME], "is not a vehicle of either side")
    for kind, number in state.ww_box.items():
        if not any(state.catalogue.find(kind, side) for side in state.sides):
            yield Fault("ww_box", kind[:MAX_NAME], "is not a type of MMC")
        elif not 0 <= number <= 100:
            yield Fault(f"ww_box/{kind}", str(number), "must be 0 to 100")


def _check_groups(state: Campaign) -> Iterator[Fault]:
    known = state.charts.groups.groups
    keys = [group.key for group in state.groups]
    for group in state.groups:
        where = f"groups/{group.key[:MAX_NAME]}"
        if group.id not in known:
            yield Fault(f"{where}/id", group.id[:MAX_NAME], f"must be one of: {', '.join(known)}")
        if group.strength not in ("", "full", "depleted"):
            wrong = "must be full or depleted, or empty while that is not known"
            yield Fault(f"{where}/strength", group.strength[:MAX_NAME], wrong)
        if keys.count(group.key) > 1 or not group.key:
            yield Fault(where, "", "must have a key that no other RG has")


def _check_bought(state: Campaign) -> Iterator[Fault]:
    pieces = {piece.id for piece in state.pieces} | {each.piece.id for each in state.gone}
    for bought in state.bought:
        where = f"bought/{bought.key[:MAX_NAME]}"
        if bought.unit and bought.unit not in pieces:
            yield Fault(f"{where}/unit", bought.unit[:MAX_NAME], "is not a piece")


def _check_piece(state: Campaign, piece: Piece, board: Board) -> Iterator[Fault]:
    where = f"pieces/{piece.id[:MAX_NAME]}"
    keys = [group.key for group in state.groups]
    if piece.rg and piece.rg not in keys:
        right = f"must be one of: {', '.join(keys)}" if keys else "is not an RG: no RG is there yet"
        yield Fault(f"{where}/rg", piece.rg[:MAX_NAME], right)
    names = [each.name for each in state.catalogue.formations.values()]
    if piece.formation and piece.formation not in names:
        yield Fault(
            f"{where}/formation", piece.formation[:MAX_NAME], f"must be one of: {', '.join(names)}"
        )
    if isinstance(piece, Weapon):
        yield from _check_facing(f"{where}/ca", piece.ca, board)
    if isinstance(piece, Vehicle):
        for field in ("vca", "tca", "bypass"):
            yield from _check_facing(f"{where}/{field}", getattr(piece, field), board)
        crew = next((each for each in state.pieces if each.id == piece.manned_by), None)
        if piece.manned_by and not (isinstance(crew, Infantry) and crew.aboard == piece.id):
            right = "must be an MMC aboard it"
            yield Fault(f"{where}/manned_by", piece.manned_by[:MAX_NAME], right)


def _check_facing(where: str, text: str, board: Board) -> Iterator[Fault]:
    """Check a covered arc or hexside: the two hexes it lies between."""
    right = "must be the two hexes it lies between, as Y22/Z22"
    if not re.fullmatch(HEXSIDE_PATTERN, text):
        yield Fault(where, text[:MAX_NAME], right)
        return
    try:
        for hex in re.findall("[A-Z]+[0-9]+", text):
            board.grid.check(hex)
    except PBCGError:
        yield Fault(where, text, right)
