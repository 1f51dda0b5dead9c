"""Facts by name, as a roster on paper lists them: ``san/german``, ``units/british/6-4-8``.

They are taken from the lines that the sheets print; nothing is counted a second time. Whose secret
a fact is follows from its name alone, never from its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.sheets.ledger import force_lines, purchase_lines, roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.record_lines import (
    UMPIRE,
    ForceLine,
    RosterLine,
    lines_for_side,
    owner_of_column,
)
from asl_pbcg.campaign.terms import DUMMIES, NOBODY, CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest, nearest_or_all

Value = int | float | str | None
"""A number, a word, or None where the sheet has a blank."""

_FORMS = """
campaign date san/SIDE[/DATE] san-base/SIDE cvp-lost/SIDE[/DATE] cpp/SIDE[/DATE]
cpp-available/SIDE[/DATE] cpp-spent/SIDE[/DATE] cpp-base/SIDE[/DATE] cpp-loss-points/SIDE[/DATE]
fpp/SIDE fpp-received/SIDE[/DATE] fpp-spent/SIDE[/DATE] reinforcements[/DATE] rg/ID[/DATE]
bought/SIDE/KIND[/DATE] units/SIDE[/TYPE] squads/SIDE[/TYPE] half-squads/SIDE[/TYPE]
crews/SIDE[/TYPE] leaders/SIDE[/TYPE] heroes/SIDE[/TYPE] sw/SIDE[/TYPE] guns/SIDE[/TYPE]
vehicles/SIDE[/TYPE] prisoners/SIDE[/TYPE] fortifications/SIDE[/TYPE] dummies/SIDE ww-box[/TYPE]
areas/SIDE control/SIDE-or-LOCATION
"""
FORMS: Final = {re.split(r"[/[]", form)[0]: form for form in _FORMS.split()}
"""The facts there are, and how each is written."""

_COLUMNS = {
    "san": "{side}_san",
    "cvp-lost": "{side}_cvp_lost",
    "cpp": "cpp_left",
    "cpp-available": "cpp_available",
    "cpp-spent": "cpp_spent",
    "cpp-base": "cpp_base",
    "cpp-loss-points": "cpp_loss_points",
    "fpp-received": "{side}_fpp_received",
    "fpp-spent": "{side}_fpp_spent",
}
"""The columns of the CG Roster."""
_SHEETS = {
    **dict.fromkeys((*_COLUMNS, "reinforcements", "bought"), "roster"),
    "rg": "purchases",
}
"""The sheet that a fact stands on, where that is not the Force Roster."""
_KINDS = {
    "squads": ("squad",),
    "half-squads": ("half_squad",),
    "crews": ("crew",),
    "leaders": ("leader", "armor_leader"),
    "heroes": ("hero",),
    "sw": ("sw",),
    "guns": ("gun",),
    "vehicles": ("vehicle",),
}
"""The kinds of pieces that a fact counts on the Force Roster."""
_TIMES = re.compile(r"(.+?) x(\d+)")
"""How the Force Roster writes several of a kind on one line: A-P Mine Factor x6."""


class NoSuchFact(Exception):
    """A name that is not one of a fact for this viewer; the words say what is wrong with it."""


class UnknownFact(NoSuchFact):
    """A name that begins like no fact."""


class RosterFact(NamedTuple):
    """A fact: its name, the side whose secret it is (None: both know it), its value."""

    name: str
    owner: Side | None
    value: Value


def plain(text: str) -> str:
    """Return a name without capitals, spaces and signs: ``1+3+5-pillbox``, ``night-i``."""
    return re.sub(r"[^\w+]+", "-", text.casefold()).strip("-")


class RosterFacts:
    """The facts of a campaign as ``viewer`` has them on his sheets; empty for what both know."""

    def __init__(self, state: Campaign, viewer: str = UMPIRE) -> None:
        self.state = state
        self.viewer = viewer
        self._eyes = viewer or UMPIRE
        sheets = state.module.sheets
        self.forms = {
            head: form for head, form in FORMS.items() if _SHEETS.get(head, "forces") in sheets
        }
        """The facts that this campaign's module has sheets for, and how each is written."""

    def find(self, name: str) -> RosterFact:
        """Return the fact called ``name``.

        Raises NoSuchFact; of the other side's facts it says the same whatever their values are.
        """
        head, *keys = [part.strip() for part in name.split("/")]
        head = head.lower()
        if head not in self.forms:
            raise UnknownFact(f"is not a fact{nearest(head, self.forms)}")
        form = self.forms[head]
        parts = form.replace("-or-LOCATION", "").replace("[", "").replace("]", "").split("/")[1:]
        if len(keys) < form.partition("[")[0].count("/") or "" in keys:
            raise NoSuchFact(f"is not a whole name: write {form}")
        side = None
        if "SIDE" in parts:
            side = next((army for army in self.state.sides if army.value == keys[0].lower()), None)
            if side is None and head == "control":
                return self._controller("/".join(keys))
            if side is None:
                raise NoSuchFact(f"names no side{nearest_or_all(keys[0], self.state.sides)}")
        if len(keys) > len(parts) and "TYPE" not in parts:
            raise NoSuchFact(f"says too much: write {form}")
        owner = self._owner(head, side)
        if owner and self.viewer not in (UMPIRE, owner):  # whatever the rest of its name says
            raise NoSuchFact(f"is for the {owner.title} player or an umpire alone")
        canonical = "/".join([head, *keys])
        date = None
        if parts[-1:] == ["DATE"] and len(keys) == len(parts):
            date = self.date_named(keys.pop())
        return RosterFact(canonical, owner, self._value(head, side, keys[side is not None :], date))

    def _owner(self, head: str, side: Side | None) -> Side | None:
        """Return whose secret a fact is, by its name."""
        if head in ("campaign", "date", "san-base", "reinforcements", "ww-box", "control", "areas"):
            return None
        if head == "rg":
            return self.state.frame.cpp_side
        assert side
        return owner_of_column(_COLUMNS[head].format(side=side.value)) if head in _COLUMNS else side

    def _value(self, head: str, side: Side | None, keys: list[str], date: CGDate | None) -> Value:
        state = self.state
        if head in ("campaign", "date"):
            return state.campaign if head == "campaign" else state.date.value
        if head == "reinforcements":
            return self._column("reinforcements", date)
        if head == "ww-box":
            type = self._type(keys)
            return sum(count for name, count in state.ww_box.items() if type in ("", plain(name)))
        if head == "rg":
            return self._groups(keys[0], date)
        assert side
        if head in _COLUMNS:
            if head.startswith("cpp") and side is not state.frame.cpp_side:
                raise NoSuchFact(f"is not a fact: the {state.frame.cpp_side.title} alone has CPP")
            return self._column(_COLUMNS[head].format(side=side.value), date)
        if head == "bought":
            return self._bought(side, keys[0], date)
        if head == "areas":
            return len(state.areas.areas[side]) if state.determined else None
        numbers: dict[str, Value] = {
            "san-base": state.san.get(side),
            "fpp": state.fpp.get(side),
            "dummies": state.dummies.get(side, 0),
            "control": len(state.control.of(side)),
        }
        if head in numbers:
            return numbers[head]
        return self._count(head, side, self._type(keys, known=head != "fortifications"))

    # -- from the lines of the sheets ----------------------------------------------------------

    @cached_property
    def _roster(self) -> Mapping[CGDate, RosterLine]:
        lines = lines_for_side(roster_lines(self.state), self._eyes)
        return {line.date: line for line in lines}

    def _column(self, name: str, date: CGDate | None) -> Value:
        line = self._roster.get(date or self.state.date)
        value: Value = getattr(line, name) if line else None
        return value

    def _groups(self, id: str, date: CGDate | None) -> int:
        groups = self.state.charts.groups.groups
        if id.upper() not in groups:
            raise NoSuchFact(f"names no RG{nearest_or_all(id, groups)}")
        lines = lines_for_side(purchase_lines(self.state), self._eyes)
        return sum(
            line.rg == id.upper() and not line.given and date in (None, line.date) for line in lines
        )

    def _bought(self, side: Side, kind: str, date: CGDate | None) -> int:
        kinds = self.state.charts.fortifications.kinds
        if kind.lower() not in kinds:
            raise NoSuchFact(f"names nothing that FPP buy{nearest_or_all(kind, kinds)}")
        line = self._roster.get(date or self.state.date)
        return sum(
            entry.factors or entry.count
            for entry in (line.fortifications if line else ())
            if entry.side is side and entry.kind == kind.lower()
        )

    def _count(self, head: str, side: Side, type: str) -> int:
        lines = lines_for_side(force_lines(self.state, side, self._eyes), self._eyes)
        return sum(
            times
            for line in lines
            for name, times in [_times(line)]
            if type in ("", plain(name)) and self._is_of(head, line)
        )

    def _is_of(self, head: str, line: ForceLine) -> bool:
        if head == "units":
            return line.kind == "MMC"
        if head == "prisoners":
            return UnitStatus.PRISONER in line.status
        if head == "fortifications":
            return line.kind == "other" and line.type not in (DUMMIES, "Glider")
        return self._kind.get(line.id) in _KINDS[head]

    @cached_property
    def _kind(self) -> Mapping[str, str]:
        return {piece.id: piece.kind for piece in self.state.pieces}

    # -- names ---------------------------------------------------------------------------------

    def date_named(self, name: str) -> CGDate:
        """Return the CG Date of this campaign that is called so. Raises NoSuchFact."""
        dates = self.state.frame.campaigns[self.state.campaign].dates
        for date in dates:
            if plain(name) in (date.value, plain(date.title)):
                return date
        raise NoSuchFact(f"names no CG Date of this campaign{nearest_or_all(name, dates)}")

    def _type(self, keys: Iterable[str], known: bool = True) -> str:
        """Return the type that a name ends with, in plain letters; empty for all types."""
        name = "/".join(keys)
        names = {plain(type.name): type.name for type in self.state.catalogue}
        if name and known and plain(name) not in names:
            raise NoSuchFact(f"names no type of unit or Equipment{nearest(name, names)}")
        return plain(name)

    def _controller(self, name: str) -> RosterFact:
        """Return the side that Controls a Location, by the Control markers. Rule: 9.605."""
        hex, slash, level = name.partition("/")
        try:
            place = Location.parse(f"{hex.upper()}{slash}{level.lower()}")
        except PBCGError as error:
            places = "control/Z15, control/Z15/1 or control/Z21/pillbox"
            raise NoSuchFact(f"names no side and no Location: write {places}") from error
        grid = self.state.board.grid
        if place.hex not in grid.position:
            near = ", ".join(grid.nearest_names(place.hex))
            raise NoSuchFact(f"names no side and no hex{f'; nearest: {near}' if near else ''}")
        holder = str(self.state.control.holders.get(str(place), NOBODY))
        return RosterFact(f"control/{place}", None, holder)


def _times(line: ForceLine) -> tuple[str, int]:
    """Return the type of a line and how many of it the line stands for."""
    several = _TIMES.fullmatch(line.type) if line.kind == "other" else None
    return (several[1], int(several[2])) if several else (line.type, 1)
