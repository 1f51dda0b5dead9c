"""Whether what a file says is a position: every fault at once, each with its place.

This file reads the parts one by one; what they say of each other is in ``position_rules.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import FORMAT, LISTS, BySide, Control, Position, required_keys
from asl_pbcg.campaign.position_fields import COUNTED, NEITHER, Field, fields_of, read_value
from asl_pbcg.campaign.position_raw import (
    MOST_FAULTS,
    Raw,
    Rows,
    Spot,
    TooMany,
    Where,
)
from asl_pbcg.campaign.position_rules import check_rules
from asl_pbcg.campaign.position_spelling import is_eliminated, spell_out
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import Wrong, WrongItems, nearest, value_words

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board


def _first_faults(faults: list[Fault]) -> list[Fault]:
    """The faults in the order of the file, and a word if there are more than anybody reads."""

    def order(fault: Fault) -> tuple[int, int]:
        return fault.where.order if isinstance(fault.where, Spot) else (0, 0)

    found = sorted(faults, key=order)
    if len(found) < MOST_FAULTS:
        return found
    return [*found[: MOST_FAULTS - 1], Fault("", "", "and more; put these right first")]


class Unreadable(msgspec.Struct, frozen=True):
    """A value that only its kind of file can hold, and what would be right."""

    value: str
    wrong: str


_UNREAD = object()


class Checked(msgspec.Struct, frozen=True):
    """A position without faults, and what is worth a second look."""

    position: Position
    remarks: tuple[str, ...]


def check_raw(raw: Raw, board: Board, catalogue: Catalogue | None = None) -> Checked:
    """Settle that ``raw`` is a position on ``board``.

    Raises FaultsError with every fault at once; PBCGError if it is no position file at all.
    """
    from asl_pbcg.campaign.position_remarks import remarks

    rows, position = _read(raw, board, catalogue, check_rules)
    return Checked(position, (*rows.remarks, *remarks(position, board, rows.catalogue)))


def read_unchecked(raw: Raw, board: Board, catalogue: Catalogue | None = None) -> Position:
    """The position that ``raw`` writes, to go on with, whatever its parts say of each other.

    Raises FaultsError with what cannot be read; PBCGError if it is no position file at all.
    """
    return _read(raw, board, catalogue, lambda rows: None)[1]


def _read(
    raw: Raw, board: Board, catalogue: Catalogue | None, check: Callable[[Rows], None]
) -> tuple[Rows, Position]:
    """What ``raw`` writes, when ``check`` has looked at the parts too."""
    if not isinstance(raw.data, dict) or not ("format" in raw.data or raw.data.keys() & LISTS):
        raise PBCGError(
            f"{raw.source} is no position: it must begin with format: {FORMAT} and then have "
            "keys as date, control and units."
        )
    told = raw.data.get("format")
    kind = FORMAT.partition("/")[0]
    if isinstance(told, str) and told.startswith("pbcg-") and not told.startswith(f"{kind}/"):
        raise PBCGError(
            f"{raw.source} is no position but another kind of file ({told}). A position begins "
            f"with format: {FORMAT}; changes are taken where a Refit Phase asks for the position."
        )
    catalogue = catalogue or load_catalogue()
    raw.data = with_holders(spell_out(raw.data, catalogue))
    rows = Rows(raw, board, catalogue)
    try:
        facts = _read_facts(rows)
        for section, part in LISTS.items():
            rows.lists[section] = _read_list(rows, section, part)
        facts["eliminated"] = _read_eliminated(rows, facts.get("eliminated", ()))
        check(rows)
    except TooMany:
        pass
    if raw.faults:
        raise FaultsError(raw.source, _first_faults(raw.faults))
    parts: dict[str, Any] = {name: tuple(part for _, part in rows.lists[name]) for name in LISTS}
    return rows, Position(**facts, **parts)


def with_holders(data: dict[str, Any]) -> dict[str, Any]:
    """What is possessed, towed, guarded or aboard and says no place of its own is where he is."""
    found = dict(data)
    by_id: dict[str, dict[str, Any]] = {}
    waiting: list[dict[str, Any]] = []
    for section in ("units", "equipment", "vehicles"):
        if isinstance(data.get(section), list | tuple):
            made = [dict(each) if isinstance(each, dict) else each for each in data[section]]
            found[section] = made
            named = [each for each in made if isinstance(each, dict)]
            by_id |= {each["id"]: each for each in named if isinstance(each.get("id"), str)}
            waiting += [each for each in named if _blank(each.get("at"))]
    if not waiting:
        return data
    carrier: dict[str, str] = {}
    for id, each in by_id.items():
        for key in ("possesses", "tows"):
            if isinstance(each.get(key), list | tuple):
                carrier |= {item: id for item in each[key] if isinstance(item, str)}
        for key in ("aboard", "guarded_by"):
            if isinstance(each.get(key), str) and each[key]:
                carrier[id] = each[key]
    for _ in range(3):  # a SW of a Passenger of a vehicle
        for each in waiting:
            holder = by_id.get(carrier.get(str(each.get("id")), ""))
            if holder is not None and _blank(each.get("at")) and not _blank(holder.get("at")):
                each["at"] = holder["at"]
    return found


def check_position(
    position: Position, board: Board, catalogue: Catalogue | None = None
) -> tuple[str, ...]:
    """Settle that a position the program made is one players could have written.

    Gives what is worth a second look; raises FaultsError with every fault.
    """
    raw = Raw("The position", msgspec.to_builtins(position))
    return check_raw(raw, board, catalogue).remarks


def _read_facts(rows: Rows) -> dict[str, Any]:
    """The single facts: all keys that are no list of entries."""
    data = rows.raw.data
    known = fields_of(Position)
    for key in data:
        if key not in known:
            near = nearest(str(key), known) or f"; known are: {', '.join(known)}"
            rows.fault(value_words(key), "", f"is no key of a position{near}")
    places = rows.raw.places
    facts: dict[str, Any] = {}
    if data.get("format") != FORMAT:
        value = data.get("format")
        if value is None:
            rows.fault(places.top("format"), "", f"is missing: it must be {FORMAT}")
        else:
            rows.fault(places.top("format"), value, f"is not read: it must be {FORMAT}")
    facts["format"] = FORMAT
    if _blank(data.get("date")):
        listed = ", ".join(CGDate)
        rows.fault(places.top("date"), "", f"is missing: choose the CG Date just played: {listed}")
    for name, each in known.items():
        if each.form != "part" and name != "format" and not _blank(data.get(name)):
            value = _read_field(rows, each, data[name], places.top(name))
            if value is not None:
                facts[name] = value
    if "control" in data:
        facts["control"] = _read_control(rows)
    if "casualty_vp" in data:
        facts["casualty_vp"] = _read_by_side(rows, "casualty_vp")
    return facts


def _blank(value: object) -> bool:
    """Whether a value counts as not given."""
    return value is None or (isinstance(value, str) and not value.strip())


def _read_field(rows: Rows, each: Field, value: object, where: Where) -> Any:
    """The value of one field, or None after noting what is wrong with it."""
    if isinstance(value, Unreadable):
        rows.fault(where, value.value, value.wrong)
        return None
    try:
        clean = read_value(each, value, rows.board)
        return None if clean == "" else clean
    except Wrong as error:
        wrong = error.wrong
        if each.form == "flag" and rows.raw.yes_no:
            wrong = "must be yes or no"
        rows.fault(where, value, wrong)
    except WrongItems as error:
        for item in error.wrong:
            rows.fault(where, item.value, item.wrong)
        return error.rest
    return None


def _mapping(rows: Rows, key: str, part: type[msgspec.Struct]) -> dict[str, Any]:
    value = rows.raw.data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        rows.fault(rows.raw.places.top(key), value, "must have the keys british and german")
        return {}
    for name in value:
        if name == NEITHER and part is Control:
            continue
        if name not in fields_of(part):
            where = rows.raw.places.top(key)
            rows.fault(where, name, "is no side: the keys are british and german")
    return value


def _read_by_side(rows: Rows, key: str) -> BySide:
    value = _mapping(rows, key, BySide)
    found = {}
    for side, each in fields_of(BySide).items():
        if value.get(side) is not None:
            where = f"{rows.raw.places.top(key)}, {side}"
            number = _read_field(rows, each, value[side], where)
            if number is not None:
                found[side] = number
    return BySide(**found)


def _read_control(rows: Rows) -> Control:
    value = _mapping(rows, "control", Control)
    found: dict[str, tuple[str, ...]] = {}
    for side, each in fields_of(Control).items():
        listed = value.get(side)
        if listed is None:
            continue
        if not isinstance(listed, list | tuple):
            place = f"{rows.raw.places.top('control')}, {side}"
            rows.fault(place, listed, "must be a list of Locations, as [Z15, Z15/1]")
            continue
        texts = []
        for number, text in enumerate(listed, 1):
            where = rows.at_control(Side(side), number)
            # The items one by one, so that each has a place of its own.
            clean = _read_field(rows, each, [text], where)
            if clean:
                texts.append(clean[0])
                rows.control.append((Side(side), number, Location.parse(clean[0])))
        found[side] = tuple(texts)
    return Control(**found)


def _read_list(rows: Rows, section: str, part: type[msgspec.Struct]) -> list[tuple[int, Any]]:
    listed = rows.raw.data.get(section)
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        rows.fault(rows.raw.places.top(section), listed, "must be a list of entries")
        return []
    known = fields_of(part)
    needed = required_keys(part)
    found = []
    for number, entry in enumerate(listed, 1):
        if not isinstance(entry, dict):
            where = rows.raw.places.entry(section, number, "")
            example = ", ".join(f"{name}: ..." for name, each in known.items() if each.required)
            rows.fault(where, entry, f"must have keys and values, as {{{example}}}")
            continue
        if is_eliminated(section, entry):
            rows.eliminated.append((section, number, value_words(entry.get("id") or "")))
            continue
        values = _read_entry(rows, section, number, entry, known)
        if all(name in values for name in needed):
            found.append((number, part(**values)))
        elif "at" in values:
            rows.unread_hexes.add(Location.parse(values["at"]).hex)
    return found


def _missing(section: str, key: str) -> str:
    if section in COUNTED and key == "at":
        return f"is missing: write its Location, or {ELIMINATED}"
    return "is missing"


def _read_eliminated(rows: Rows, named: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of the Eliminated: those named at once, then those whose entries say so."""
    for section, number, id in rows.eliminated:
        if not id:
            where = rows.raw.places.key(section, number, "", "id")
            rows.fault(where, "", "is missing: say which piece was Eliminated by its id")
    found = dict.fromkeys((*named, *(id for _, _, id in rows.eliminated if id)))
    for section in COUNTED:
        for number, piece in rows.entries(section):
            if piece.id in found:
                place = rows.at(section, number, piece, "id")
                rows.fault(place, piece.id, "is among the Eliminated too: keep one of the two")
    return tuple(found)


def _read_entry(
    rows: Rows, section: str, number: int, entry: dict[Any, Any], known: dict[str, Field]
) -> dict[str, Any]:
    places = rows.raw.places
    id = entry.get("id")
    named = value_words(id) if isinstance(id, str | int) else ""
    values: dict[str, Any] = {}
    for key, value in entry.items():
        each = known.get(key)
        if each is None:
            near = nearest(str(key), known) or f"; known are: {', '.join(known)}"
            rows.fault(places.entry(section, number, named), key, f"is no key here{near}")
        elif not _blank(value):
            where = partial(places.key, section, number, named, key)
            clean = _read_field(rows, each, value, where)
            values[key] = _UNREAD if clean is None else clean
    for name, each in known.items():
        if each.required and name not in values and (section, name) not in rows.raw.told_missing:
            rows.fault(places.key(section, number, named, name), "", _missing(section, name))
    return {key: value for key, value in values.items() if value is not _UNREAD}
