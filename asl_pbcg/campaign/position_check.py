"""Whether what a file says is a position: every fault at once, each with its place.

``read_parts`` reads the entries one by one, ``complete`` makes the parts of the position of them;
what the parts say of each other is in ``position_rules.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import (
    FORMAT,
    LISTS,
    PIECES,
    BySide,
    Control,
    Position,
)
from asl_pbcg.campaign.position_fields import NEITHER, Field, fields_of, read_value, spelling
from asl_pbcg.campaign.position_raw import COUNT, Raw, Rows, Where, Written
from asl_pbcg.campaign.position_remarks import remarks
from asl_pbcg.campaign.position_rules import check_rules
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.reader import Wrong, WrongItems, nearest_or_all, value_words


class UnreadableCell(msgspec.Struct, frozen=True):
    """A value that only its kind of file can hold, and what would be right."""

    value: str
    wrong: str


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
    position: Position, board: Board, catalogue: Catalogue | None = None
) -> tuple[str, ...]:
    """Return what is worth a second look in a position that the program made.

    It is checked as a file of the players is. Raises FaultsError with every fault.
    """
    raw = Raw("The position", msgspec.to_builtins(position))
    return check_raw(raw, board, catalogue).remarks


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
    known = fields_of(Position)
    for key in raw.data:
        if key not in known:
            rows.fault(
                value_words(key), "", f"is not a key of a position{nearest_or_all(key, known)}"
            )
    if written != FORMAT:
        wrong = "missing" if written is None else "not read"
        value = "" if written is None else written
        rows.fault(raw.places.top("format"), value, f"is {wrong}: it must be {FORMAT}")
    read_facts(rows)
    read_lists(rows)
    return rows


def read_facts(rows: Rows, neither: bool = False) -> None:
    """Read the single facts: all keys that are no list of entries.

    ``neither`` reads the Locations that no side Controls any more, too.
    """
    data, places = rows.raw.data, rows.raw.places
    rows.facts["format"] = FORMAT
    if _blank(data.get("date")):
        listed = ", ".join(CGDate)
        rows.fault(places.top("date"), "", f"is missing: choose the CG Date just played: {listed}")
    for name, each in fields_of(Position).items():
        if each.form != "part" and name != "format" and not _blank(data.get(name)):
            value = _read_field(rows, each, data[name], places.top(name))
            if value is not None:
                rows.facts[name] = value
    if "control" in data:
        rows.facts["control"] = _read_control(rows, neither)
    if "casualty_vp" not in data:
        return
    numbers = {}
    for side, (each, value) in _by_side(rows, "casualty_vp", fields_of(BySide)).items():
        number = _read_field(rows, each, value, f"{places.top('casualty_vp')}, {side}")
        if number is not None:
            numbers[side] = number
    rows.facts["casualty_vp"] = BySide(**numbers)


def _blank(value: object) -> bool:
    """Whether a value counts as not given."""
    return value is None or (isinstance(value, str) and not value.strip())


def _read_field(rows: Rows, field: Field, value: object, where: Where) -> Any:
    """Return the value of one field, or None after noting what is wrong with it."""
    if isinstance(value, UnreadableCell):
        rows.fault(where, value.value, value.wrong)
        return None
    value = spelling(field, value, rows.catalogue)
    try:
        clean = read_value(field, value, rows.board)
        return None if clean == "" else clean
    except Wrong as error:
        flag = field.form == "flag" and rows.raw.yes_no
        rows.fault(where, value, "must be yes or no" if flag else error.wrong)
    except WrongItems as error:
        for item in error.wrong:
            rows.fault(where, item.value, item.wrong)
        return error.rest
    return None


def _by_side(
    rows: Rows, key: str, fields: Mapping[str, Field], also: str = ""
) -> dict[str, tuple[Field, Any]]:
    """Return what a fact says of each side, with the field that reads it."""
    value = rows.raw.data.get(key)
    where = rows.raw.places.top(key)
    sides = f"british, german and {also}" if also else "british and german"
    if value is not None and not isinstance(value, dict):
        rows.fault(where, value, f"must have the keys {sides}")
    if not isinstance(value, dict):
        return {}
    for name in value:
        if name not in fields and not (name == NEITHER and key == "control"):
            rows.fault(where, name, f"is not a side: the keys are {sides}")
    return {side: (each, value[side]) for side, each in fields.items() if value.get(side)
            is not None}  # fmt: skip


def _read_control(rows: Rows, neither: bool) -> Control:
    fields = fields_of(Control)
    if neither:
        fields = {**fields, NEITHER: next(iter(fields.values()))}
    held: dict[str, tuple[str, ...]] = {}
    for side, (each, listed) in _by_side(
        rows, "control", fields, NEITHER if neither else ""
    ).items():
        if not isinstance(listed, list | tuple):
            place = f"{rows.raw.places.top('control')}, {side}"
            rows.fault(place, listed, "must be a list of Locations, as [Z15, Z15/1]")
            continue
        for number, text in enumerate(listed, 1):
            # The items one by one, so that each has a place of its own.
            clean = _read_field(rows, each, [text], rows.at_control(side, number))
            if clean:
                held[side] = (*held.get(side, ()), clean[0])
                owner = side if side == NEITHER else Side(side)
                rows.control.append((owner, number, Location.parse(clean[0])))
    held.pop(NEITHER, None)
    return Control(**held)


def read_lists(rows: Rows) -> None:
    """Read the lists of entries."""
    for section, part in LISTS.items():
        listed = rows.raw.data.get(section)
        if listed is not None and not isinstance(listed, list | tuple):
            rows.fault(rows.raw.places.top(section), listed, "must be a list of entries")
            continue
        known = fields_of(part)
        for number, entry in enumerate(listed or (), 1):
            if isinstance(entry, dict):
                _read_entry(rows, Written(section, number, {}), entry, known)
                continue
            example = ", ".join(f"{name}: ..." for name, each in known.items() if each.required)
            where = rows.raw.places.entry(section, number, "")
            rows.fault(where, entry, f"must have keys and values, as {{{example}}}")


def _read_entry(
    rows: Rows, written: Written, entry: dict[Any, Any], known: Mapping[str, Field]
) -> None:
    section, number, id = written.section, written.number, entry.get("id")
    written.named = value_words(id) if isinstance(id, str | int) else ""
    if section in PIECES and _is_eliminated(entry):
        rows.eliminated.append((section, number, value_words(id or "")))
        return
    for key, value in entry.items():
        field = known.get(key)
        if field is None and not (key == COUNT and section in PIECES):
            where = rows.at(section, number, written)
            rows.fault(where, key, f"is not a key here{nearest_or_all(key, known)}")
        elif field is None:
            written.values[COUNT] = value
        elif not _blank(value):
            where = rows.at(section, number, written, key)
            written.values[key] = _read_field(rows, field, value, where)
    rows.written[section].append(written)


def _is_eliminated(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says of a piece that it was Eliminated, as status or place. Rule: 9.2."""
    status = entry.get("status")
    words = [*status] if isinstance(status, list | tuple) else []
    return ELIMINATED in (word.strip().lower() for word in (*words, entry.get("at"))
                          if isinstance(word, str))  # fmt: skip


# -- the parts of a position ----------------------------------------------------------------


def complete(rows: Rows) -> None:
    """Make the parts of the position: each entry must have what its list asks for."""
    place_with_holders(rows)
    for section, part in LISTS.items():
        known = fields_of(part)
        needed = [name for name, each in known.items() if each.required]
        for written in rows.written[section]:
            if COUNT in written.values and COUNT not in known:
                wrong = f"is not a key here{nearest_or_all(COUNT, known)}"
                rows.fault(rows.at(section, written.number, written), COUNT, wrong)
            values = {k: v for k, v in written.values.items() if v is not None and k in known}
            for name, each in known.items():
                unsaid = name not in written.values and (section, name) not in rows.raw.missing
                if each.required and unsaid:
                    where = rows.at(section, written.number, written, name)
                    rows.fault(where, "", _missing(section, name))
            if all(name in values for name in needed):
                rows.lists[section].append((written.number, part(**values)))
            elif "at" in values:
                rows.unread_hexes.add(Location.parse(values["at"]).hex)
    _take_eliminated(rows)


def _missing(section: str, key: str) -> str:
    if section in PIECES and key == "at":
        return f"is missing: write its Location, or {ELIMINATED}"
    return "is missing"


def place_with_holders(rows: Rows) -> None:
    """Place what is possessed, towed, guarded or aboard and names no place where its holder is."""
    waiting = [each for each in rows.pieces() if "at" not in each.values]
    if not waiting:
        return
    by_id = {each.id: each.values for each in rows.pieces()}
    holders: dict[str, str] = {}
    for id, values in by_id.items():
        holders |= dict.fromkeys(
            (*(values.get("possesses") or ()), *(values.get("tows") or ())), id
        )
        for key in ("aboard", "guarded_by"):
            if values.get(key):
                holders[id] = values[key]
    for _ in range(3):  # a SW of a Passenger of a vehicle
        for each in waiting:
            holder = by_id.get(holders.get(each.id, ""), {})
            if "at" not in each.values and holder.get("at"):
                each.values["at"] = holder["at"]


def _take_eliminated(rows: Rows) -> None:
    """Keep the ids of the Eliminated: those named at once, then those whose entries say so."""
    for section, number, id in rows.eliminated:
        if not id:
            place = rows.raw.places.key(section, number, "", "id")
            rows.fault(place, "", "is missing: say which piece was Eliminated by its id")
    named = (*rows.facts.get("eliminated", ()), *(id for _, _, id in rows.eliminated if id))
    rows.facts["eliminated"] = tuple(dict.fromkeys(named))
    for section in PIECES:
        for number, piece in rows.entries(section):
            if piece.id in named:
                where = rows.at(section, number, piece, "id")
                rows.fault(where, piece.id, "is among the Eliminated too: keep one of the two")
