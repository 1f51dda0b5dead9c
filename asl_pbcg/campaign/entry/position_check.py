"""Check whether the contents of a file are a position; report every fault with its place.

``read_parts`` reads the entries one by one and ``complete`` makes the parts of the position of
them; ``position_rules.py`` checks the parts against each other. A position without faults gets
``remarks`` on points worth a second look.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import (
    StrategicLocations,
    pieces_by_place,
    sole_occupants,
)
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.entry.position_fields import NEITHER
from asl_pbcg.campaign.entry.position_raw import COUNT, COUNT_TYPE, GoneEntry, Raw, Rows, Written
from asl_pbcg.campaign.entry.position_rules import (
    MINES,
    check_rules,
    mine_chart,
    missing_weapons,
    wrong_type_of_any,
)
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.module.fortification_ground import barred_words
from asl_pbcg.campaign.position import (
    FORMAT,
    LISTS,
    PIECES,
    Control,
    Fortification,
    OnMap,
    Position,
    VehicleEntry,
)
from asl_pbcg.campaign.position_words import ELIMINATED, VehicleStatus, status_words
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces, short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.reader import nearest_or_all, value_words
from asl_pbcg.kernel.struct_reader import UNREAD, ListItem, type_of
from asl_pbcg.kernel.wording import number_words


def remarks(position: Position, board: Board, catalogue: Catalogue) -> Iterator[str]:
    """Yield sentences for players about what may be a slip of the pen."""
    yield from _control_remarks(position, board, catalogue)
    for vehicle in position.vehicles:
        yield from _weapon_remarks(vehicle, catalogue)
    for part in position.fortifications:
        yield from _size_remarks(part, board)
    for part in position.fortifications:
        if barred := barred_words(board, position.terrain, part):
            yield barred
    wet = board.water - board.bridges
    pieces = (*position.units, *position.vehicles)
    water = [f"{name_piece(piece)} ({piece.at})" for piece in pieces if piece.location.hex in wet]
    if water:
        yield f"In a Water Obstacle: {', '.join(water)}."


def _control_remarks(position: Position, board: Board, catalogue: Catalogue) -> Iterator[str]:
    """Yield who is alone in a Location that its side does not Control. Rule: A26.11."""
    strategic = StrategicLocations(position, board, catalogue)
    control = position.control
    controller = {Location.parse(place): side for place, side in control.holders.items()}
    for place, pieces in pieces_by_place(position, catalogue).items():
        location, units = Location.parse(place), sole_occupants(pieces)
        if not units:
            continue
        enemy = units[0].side.other
        names = name_pieces(units)
        are = "is" if len(units) == 1 else "are"
        if controller.get(location) is enemy:
            side = f"the {enemy.title} side"
            yield f"{names} {are} alone in {location}, which {side} Controls (A26.11)."
        elif location not in controller and location in strategic:
            inside = controller.get(Location(location.hex, pillbox=True))
            if location.ground and inside and strategic.why(location) == ("pillbox",):
                continue
            yield f"Nobody Controls {location}, where {names} {are} alone (A26.11)."


def _weapon_remarks(vehicle: VehicleEntry, catalogue: Catalogue) -> Iterator[str]:
    for status, weapon, _ in missing_weapons(catalogue, vehicle):
        yield (
            f"{name_piece(vehicle)} is {status_words([status])}, but as far as the catalogue knows "
            f"a {vehicle.type} has no {weapon}: look at its counter."
        )
    for weapon in ("MA", "BMG", "CMG", "AAMG"):
        malfunctioned = VehicleStatus.of_weapon(weapon, "malfunctioned")
        disabled = VehicleStatus.of_weapon(weapon, "disabled")
        if vehicle.has(malfunctioned) and vehicle.has(disabled):
            yield (
                f"The {weapon} of {name_piece(vehicle)} is malfunctioned and disabled: it is taken "
                "as disabled, and no dr repairs it (9.6142)."
            )


def _size_remarks(part: Fortification, board: Board) -> Iterator[str]:
    if part.strength and not re.fullmatch(r"\d\+\d\+\d", part.strength):
        yield f"pillbox in {part.at}: {part.strength} is not a strength as 1+3+5."
    if part.kind in MINES and part.size and part.size not in mine_chart(board, part).sizes:
        sizes = ", ".join(map(str, mine_chart(board, part).sizes))
        factors = number_words(part.size, "factor")
        yield (
            f"{factors} of {part.kind.called} in {part.at}: minefields come with {sizes} "
            "(B28; house rule C-48)."
        )


class Checked(msgspec.Struct, frozen=True):
    """A position without faults, and what is worth a second look."""

    position: Position
    remarks: tuple[str, ...]


def check_raw(raw: Raw, board: Board, catalogue: Catalogue | None = None) -> Checked:
    """Return the position that ``raw`` is on ``board``.

    Raises FaultsError with every fault at once; PBCGError if it is not a position file at all.
    """
    rows = read_parts(raw, board, catalogue)
    complete(rows)
    return check_rows(rows)


def check_position(
    position: Position,
    board: Board,
    catalogue: Catalogue | None = None,
    source: str = "The position",
) -> Checked:
    """Return a position that the program made, checked as a file of the players is.

    Raises FaultsError with every fault.
    """
    return check_raw(Raw(source, msgspec.to_builtins(position)), board, catalogue)


def check_rows(rows: Rows, rules: bool = True) -> Checked:
    """Return the position of complete parts; without ``rules`` whatever they say of each other.

    Raises FaultsError with every fault.
    """
    if rules:
        check_rules(rows)
    rows.raise_faults()
    position = as_position(rows)
    if not rules:
        return Checked(position, ())
    return Checked(position, (*rows.remarks, *remarks(position, rows.board, rows.catalogue)))


def read_readable(raw: Raw, board: Board, catalogue: Catalogue, date: CGDate) -> Position:
    """Return as much of ``raw`` as makes sense by itself, whatever is wrong with the rest."""
    rows = Rows(raw, board, catalogue)
    with suppress(FaultsError):
        read_facts(rows)
        read_lists(rows)
        complete(rows)
    rows.facts["date"] = date
    return as_position(rows)


def as_position(rows: Rows) -> Position:
    """Return the position of the parts that could be read."""
    parts: dict[str, Any] = {
        name: tuple(part for _, part in listed) for name, listed in rows.lists.items()
    }
    return Position(**rows.facts, **parts)


# -- one entry after the other ------------------------------------------------------------


def read_parts(raw: Raw, board: Board, catalogue: Catalogue | None = None) -> Rows:
    """Return the facts and entries of a position as they are written.

    Raises PBCGError if it is not a position file at all, FaultsError for far too many faults.
    """
    if not isinstance(raw.data, dict) or not ("format" in raw.data or raw.data.keys() & LISTS):
        raise PBCGError(
            f"{raw.source} is not a position: it must begin with format: {FORMAT} and then have "
            "keys as date, control and units."
        )
    written = raw.data.get("format")
    kind = FORMAT.partition("/")[0]
    if isinstance(written, str) and written.startswith("pbcg-") and kind not in written:
        raise PBCGError(
            f"{raw.source} is not a position but another kind of file ({written}). A position "
            f"begins with format: {FORMAT}; changes are taken where a Refit Phase asks for it."
        )
    rows = Rows(raw, board, catalogue or load_catalogue())
    note_unknown_keys(rows, Position.__struct_fields__, "a position")
    if written != FORMAT:
        wrong = "is missing" if written is None else "is not read"
        rows.wrong(("format",), written, f"{wrong}: it must be {FORMAT}")
    read_facts(rows)
    read_lists(rows)
    return rows


def note_unknown_keys(rows: Rows, keys: Collection[str], of: str) -> None:
    """Report the keys of a file that are not among ``keys``, which are those ``of`` it."""
    for key in rows.raw.data:
        if key not in keys:
            wrong = f"is not a key of {of}{nearest_or_all(key, keys)}"
            rows.wrong((value_words(key),), "", wrong)


def read_facts(rows: Rows, neither: bool = False) -> None:
    """Read the single facts: all keys that are no list of entries.

    ``neither`` reads the Locations that no side Controls any more, too.
    """
    fields = set(Position.__struct_fields__) - {"control", *LISTS}
    data = {key: value for key, value in rows.raw.data.items() if key in fields}
    rows.facts = rows.read_fields({**data, "format": FORMAT}, Position)
    if "control" in rows.raw.data:
        rows.facts["control"] = _read_control(rows, neither)


def _read_control(rows: Rows, neither: bool) -> Control:
    data = rows.raw.data["control"]
    sides = [*Control.__struct_fields__, *([NEITHER] if neither else [])]
    named = f"{', '.join(sides[:-1])} and {sides[-1]}"
    if not isinstance(data, dict):
        if data is not None:
            rows.wrong(("control",), data, f"must have the keys {named}")
        data = {}
    for name in data.keys() - {*sides, NEITHER}:
        rows.wrong(("control",), name, f"is not a side: the keys are {named}")
    held: dict[str, tuple[str, ...]] = {}
    for side in sides:
        for number, place in rows.entries(data.get(side), OnMap, ("control", side)):
            if not place:
                rows.wrong(("control", side, ListItem(number)), "", "must not be empty")
                continue
            held[side] = (*held.get(side, ()), place)
            owner = side if side == NEITHER else Side(side)
            rows.control.append((owner, number, Location.parse(place)))
    held.pop(NEITHER, None)
    return Control(**held)


def read_lists(rows: Rows) -> None:
    """Read the lists of entries."""
    for section, part in LISTS.items():
        for number, entry in rows.list_items(rows.raw.data.get(section), (section,)):
            _read_entry(rows, section, part, number, entry)


def _read_entry(
    rows: Rows, section: str, part: type[msgspec.Struct], number: int, entry: Any
) -> None:
    item = rows.entry(number, entry)
    if not isinstance(entry, dict):
        rows.read_fields(entry, part, (section, item))
        return
    if section in PIECES and _is_eliminated(entry):
        rows.eliminated.append(GoneEntry(section, number, item.name, _side_in(entry)))
        return
    counts = {}
    if section in PIECES and COUNT in entry:
        blank = rows.is_blank(entry[COUNT], None)
        count = 1 if blank else rows.value(entry[COUNT], COUNT_TYPE, (section, item, COUNT))
        counts = {COUNT: 1 if count is UNREAD else count}
    entry = {key: value for key, value in entry.items() if key not in counts}
    values = rows.read_fields(entry, part, (section, item))
    keys = {key for key, value in entry.items() if not rows.is_blank(value, None)}
    unread = dict.fromkeys(keys.intersection(part.__struct_fields__) - values.keys())
    rows.written[section].append(Written(section, number, counts | values | unread, item.name))


def _is_eliminated(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says of a piece that it was Eliminated, as status or place. Rule: 9.2."""
    status = entry.get("status")
    words = [*status] if isinstance(status, list | tuple) else []
    return ELIMINATED in (word.strip().lower() for word in (*words, entry.get("at"))
                          if isinstance(word, str))  # fmt: skip


def _side_in(entry: Mapping[str, Any]) -> Side | None:
    """Return the side that an entry writes, if it is one."""
    word = str(entry.get("side") or "").strip().lower()
    return next((side for side in Side if side.value == word), None)


# -- the parts of a position ----------------------------------------------------------------


def complete(rows: Rows) -> None:
    """Make the parts of the position: each entry must have what its list asks for."""
    place_with_holders(rows)
    for section, part in LISTS.items():
        fields = part.__struct_fields__
        needed = [field.name for field in type_of(part).fields if field.required]
        for written in rows.written[section]:
            place = partial(rows.at, section, written.number, written)
            if COUNT in written.values and COUNT not in fields:
                rows.wrong(place(), COUNT, f"is not a key here{nearest_or_all(COUNT, fields)}")
            values = {k: v for k, v in written.values.items() if v is not None and k in fields}
            for name in needed:
                if name not in written.values and (section, name) not in rows.raw.missing:
                    rows.wrong(place(name), "", _missing(section, name))
            type = values.get("type", "") if section in PIECES and "side" not in values else ""
            if type and (wrong := wrong_type_of_any(rows.catalogue, section, type)):
                rows.wrong(place("type"), type, wrong)
            if values.keys() >= {*needed}:
                rows.lists[section].append((written.number, part(**values)))
            elif "at" in values:
                rows.unread_hexes.add(Location.parse(values["at"]).hex)
    _take_eliminated(rows)


def _missing(section: str, key: str) -> str:
    if section in PIECES and key == "at":
        return f"is missing: write its Location, or {ELIMINATED}"
    return "is missing"


def place_with_holders(rows: Rows) -> None:
    """Give pieces without a place that another possesses, tows, guards or carries its place."""
    waiting = [row for row in rows.pieces() if "at" not in row.values]
    if not waiting:
        return
    by_id = {row.id: row.values for row in rows.pieces()}
    holders: dict[str, str] = {}
    for id, values in by_id.items():
        holders |= dict.fromkeys(
            (*(values.get("possesses") or ()), *(values.get("tows") or ())), id
        )
        for key in ("aboard", "guarded_by"):
            if values.get(key):
                holders[id] = values[key]
    for _ in range(3):  # a SW of a Passenger of a vehicle
        for row in waiting:
            holder = by_id.get(holders.get(row.id, ""), {})
            if "at" not in row.values and holder.get("at"):
                row.values["at"] = holder["at"]


def _take_eliminated(rows: Rows) -> None:
    """Collect the ids of the Eliminated: from their list, then from entries marked so."""
    for entry in rows.eliminated:
        if not entry.id:
            place = (entry.section, ListItem(entry.number), "id")
            rows.wrong(place, "", "is missing: name the piece that was Eliminated, as A-3")
    ids = (entry.id for entry in rows.eliminated if entry.id)
    named = (*rows.facts.get("eliminated", ()), *ids)
    rows.facts["eliminated"] = tuple(dict.fromkeys(named))
    for section in PIECES:
        for number, piece in rows.lists[section]:
            if piece.id in named:
                where = rows.at(section, number, piece, "id")
                rows.wrong(
                    where, short_name(piece.id), "is among the Eliminated too: keep one of the two"
                )
