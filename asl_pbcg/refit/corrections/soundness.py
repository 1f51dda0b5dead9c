"""Soundness of corrections and imported states: value bounds, and facts that every step relies on.

``check_correction`` refuses a correction after which the campaign could not go on;
``check_state`` refuses such a state from a file. The type of a field alone is checked by
``kernel/corrections.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.board.board import Board, load_board
from asl_pbcg.campaign.board.board_corrections import Corrections
from asl_pbcg.campaign.location import HEXSIDE_PATTERN, Location
from asl_pbcg.campaign.module.catalogue import VehicleType
from asl_pbcg.campaign.position_words import WRECKS
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance
from asl_pbcg.campaign.state.pieces import CLASSES, Infantry, Piece, Vehicle, Weapon
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
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
    "part": "is of one side's part while it is played",
    "in_turn": "follows from the prisoners and their Guards",
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


def _check_piece(state: Campaign, piece: Piece, board: Board) -> Iterator[Fault]:
    where = f"pieces/{piece.id[:MAX_NAME]}"
    keys = [group.key for group in state.groups]
    if piece.rg and piece.rg not in keys:
        right = f"must be one of: {', '.join(keys)}" if keys else "is not an RG: no RG is there yet"
        yield Fault(f"{where}/rg", piece.rg[:MAX_NAME], right)
    names = [formation.name for formation in state.catalogue.formations.values()]
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


def check_correction(before: Campaign, after: Campaign, steps: tuple[str, ...]) -> None:
    """Refuse a correction after which the campaign could not go on.

    Faults that were there before are left alone. ``steps`` are the steps there are. Raises
    FaultsError with every new fault.
    """
    fixed = [*check_fixed(before, after), *check_date(before, after)]
    if fixed:
        raise FaultsError("The correction", fixed)
    old = set(_faults(before, before, steps))
    new = [fault for fault in _faults(after, before, steps) if fault not in old]
    if new:
        raise FaultsError("The correction", dict.fromkeys(new))


def check_state(state: Campaign, steps: tuple[str, ...]) -> None:
    """Refuse a state that a file gives and no campaign goes on from: its settings, date and step.

    Raises FaultsError with every fault.
    """
    faults = [*_house_rules(state), *_catalogue(state), *_board(state)]
    if faults := faults or [*_stands(state, steps)]:
        raise FaultsError("The state", faults)


def _faults(state: Campaign, before: Campaign, steps: tuple[str, ...]) -> Iterator[Fault]:
    broken = [*_house_rules(state), *_catalogue(state), *_board(state)]
    yield from broken
    if broken:
        return  # the rest is read by these
    board = state.board
    yield from check_values(state, board)
    yield from _frame(state, steps)
    yield from _pieces(state, before, board)
    yield from _holdings(state)
    yield from _ground(state, board)


# -- What the players set -----------------------------------------------------------------


def _house_rules(state: Campaign) -> Iterator[Fault]:
    try:
        register = state.module.rulings
        played = (
            f"{id}={register.current_choice(id, choice)}"
            for id, choice in state.house_rules.items()
        )
        register.read_typed(played, "--house-rule")
    except FaultsError as error:
        for fault in error.faults:
            yield Fault("house_rules", fault.value, fault.wrong)


def _catalogue(state: Campaign) -> Iterator[Fault]:
    try:
        state.catalogue.with_corrections(state.catalogue_corrections)
    except FaultsError as error:
        yield from error.faults


def _board(state: Campaign) -> Iterator[Fault]:
    try:
        if state.corrections:
            Corrections.of(state.corrections, load_board())
    except FaultsError as error:
        yield from error.faults
    except PBCGError as error:
        yield Fault("corrections", "", str(error))


# -- Date, step, points -------------------------------------------------------------------


def _stands(state: Campaign, steps: tuple[str, ...]) -> Iterator[Fault]:
    dates = state.frame.campaigns[state.campaign].dates
    if state.date not in dates:
        yield Fault("date", state.date, f"must be one of: {', '.join(dates)}")
    if state.at not in steps:
        yield Fault("at", state.at, f"is not a step; the steps are {', '.join(steps)}")


def _frame(state: Campaign, steps: tuple[str, ...]) -> Iterator[Fault]:
    yield from _stands(state, steps)
    most = state.frame.san.ii13_most
    for side, san in state.san.items():
        if not 0 <= san <= most:
            yield Fault(f"san/{side}", str(san), f"must be 0 to {most}")
    if not 0 <= state.cpp < 1_000:
        yield Fault("cpp", str(state.cpp), "must be 0 to 999")
    for side, fpp in state.fpp.items():
        if not 0 <= fpp < 10_000 or fpp * 2 != int(fpp * 2):
            yield Fault(f"fpp/{side}", f"{fpp:g}", "must be 0 or more, in whole or half FPP")
    if not accounts_balance(state):
        yield Fault(
            "received_count", "", "no longer counts the pieces held and gone: to restore or add a "
            "piece correct pieces/+",
        )  # fmt: skip


# -- Pieces -------------------------------------------------------------------------------


def _pieces(state: Campaign, before: Campaign, board: Board) -> Iterator[Fault]:
    ids = Counter(piece.id for piece in state.pieces)
    ids.update(each.piece.id for each in state.gone)
    for id, times in ids.items():
        if times > 1 or not id or any(letter.isspace() or letter == "/" for letter in id):
            yield Fault("pieces", id, "must be an id of its own, without blanks and strokes")
    other = {piece.type for piece in before.pieces if before.type_of(piece) is None}
    areas = _areas(state)
    for piece in state.pieces:
        yield from _check_piece(state, piece, board)
        where = f"pieces/{piece.id}"
        yield from _type(state, piece, where, other)
        yield from _kind(state, piece, where)
        yield from _place(f"{where}/at", piece.at, board, off_map=True)
        if isinstance(piece, Infantry):
            yield from _place(f"{where}/climbing_to", piece.climbing_to, board)
        fixed = not piece.is_unit_or_equipment
        if piece.area and areas and not fixed and piece.area not in areas[piece.side]:
            known = ", ".join(sorted(areas[piece.side]))
            yield Fault(f"{where}/area", piece.area, f"must be one of: {known}")
        for word in piece.status:
            if word not in piece.statuses:
                yield Fault(f"{where}/status", word, f"must be one of: {', '.join(piece.statuses)}")


def _kind(state: Campaign, piece: Piece, where: str) -> Iterator[Fault]:
    entry = state.type_of(piece)
    kinds = [kind for kind, of in CLASSES.items() if of is piece.__class__]
    if entry:
        kinds = [entry.kind]
    if piece.kind not in kinds:
        right = f"must be {' or '.join(kinds)}, which goes by its type: correct {where}/type"
        yield Fault(f"{where}/kind", piece.kind, right)


def _type(state: Campaign, piece: Piece, where: str, other: set[str]) -> Iterator[Fault]:
    if state.type_of(piece) is None and piece.type not in other:
        near = ", ".join(state.catalogue.nearest(piece.type, piece.maker))
        yield Fault(
            f"{where}/type",
            piece.type,
            f"is not a {piece.maker.title} type{f'; nearest: {near}' if near else ''}",
        )


def _areas(state: Campaign) -> dict[Side, set[str]]:
    """Return the Setup and Entry Areas pieces can be Retained in; none before 9.605."""
    if state.determined is None:
        return {}
    found = state.areas
    return {
        side: {
            *(area.id for area in found.areas[side]),
            *(entry.id for entry in found.entry_areas[side]),
        }
        for side in state.sides
    }


def _holdings(state: Campaign) -> Iterator[Fault]:
    """Yield faults of possession, towing, Passengers and Guards."""
    pieces = {piece.id: piece for piece in state.pieces}
    held: Counter[str] = Counter()
    for piece in state.pieces:
        for field, ids in (("possesses", piece.possesses), ("tows", piece.tows)):
            for id in ids:
                held[id] += 1
                if id not in pieces or pieces[id].side is not piece.side:
                    yield Fault(f"pieces/{piece.id}/{field}", id, "is not a piece of that side")
                elif not pieces[id].is_weapon:
                    yield Fault(f"pieces/{piece.id}/{field}", id, "is not an SW or Gun")
        if piece.aboard and (piece.aboard not in pieces or piece.aboard == piece.id):
            yield Fault(f"pieces/{piece.id}/aboard", piece.aboard, "is not a piece")
        guard = pieces.get(piece.guarded_by)
        if piece.guarded_by and (guard is None or guard.side is piece.side):
            yield Fault(f"pieces/{piece.id}/guarded_by", piece.guarded_by, "is not an enemy unit")
        if piece.guarded_by and not piece.is_prisoner:
            yield Fault(f"pieces/{piece.id}/guarded_by", piece.guarded_by, "guards no prisoner")
    for id, times in held.items():
        if times > 1:
            yield Fault("pieces", id, "is possessed twice")


# -- The map ------------------------------------------------------------------------------


def _ground(state: Campaign, board: Board) -> Iterator[Fault]:
    for side in state.sides:
        for place in state.control.of(side):
            yield from _place(f"control/{side}", place, board)
    for place in state.occupants or ():
        yield from _place("occupants", place, board)
    for place in sorted({*state.control.british} & {*state.control.german}):
        yield Fault("control", place, "is Controlled by one side, not by both")
    for field in ("gliders", "fortifications", "terrain"):
        for number, each in enumerate(getattr(state, field)):
            yield from _place(f"{field}/{number}/at", each.at, board)
    for number, change in enumerate(state.terrain):
        sides = [change.side] if change.side else list(Side)
        types = [state.catalogue.find(change.type, side) for side in sides]
        vehicle = change.kind in WRECKS and any(isinstance(type, VehicleType) for type in types)
        if change.type and not vehicle:
            yield Fault(f"terrain/{number}/type", change.type, "is not a vehicle that is a wreck")
    for _, hex in state.minefield_counters:
        yield from _place("minefield_counters", hex, board)
    known = state.charts.fortifications.kinds
    pieces = {piece.id for piece in state.pieces} | {each.piece.id for each in state.gone}
    for number, bought in enumerate(state.bought):
        if bought.unit and bought.unit not in pieces:
            where = f"bought/{bought.key[:MAX_NAME]}/unit"
            yield Fault(where, bought.unit[:MAX_NAME], "is not a piece")
        yield from _place(f"bought/{number}/at", bought.at, board)
        if bought.kind not in known:
            wrong = f"is nothing that FPP buy; there are: {', '.join(known)}"
            yield Fault(f"bought/{number}/kind", bought.kind[:40], wrong)
    dates = [account.date for account in state.accounts]
    if len(dates) != len(set(dates)):
        yield Fault("accounts", "", "must have one line for a CG Date")


def _place(where: str, place: str, board: Board, off_map: bool = False) -> Iterator[Fault]:
    """Yield whether a place can be read and is on the board."""
    if not place:
        return
    try:
        found = Location.parse(place)
        if found.on_map:
            board.grid.check(found.hex)
        elif not off_map:
            yield Fault(where, place, "must be on the map")
    except PBCGError as error:
        yield Fault(where, "", str(error))
