"""Drop orders: which plane drops what on which hex in which turn. Rule: I.H, II.B, III.A to III.E.

An orders file::

    format: pbcg-drop-orders/1
    title: 7th Parachute Battalion
    side: british
    map: pegasus-bridge          # or columns, rows and terrain; or --map on the command line
    drops:                       # one plane load each: one platoon
      - {turn: 1, at: X24, platoon: 1/A, type: para}
      - {turn: 1, at: X24, platoon: 2/A, type: para}
    gliders:
      - {turn: 1, at: W21, load: 25/D, enters: W29}
      - {turn: 2, at: W22, load: 6-pdr, kind: battery, flight: W}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.places import straight
from asl_pbcg.airborne.settings import Settings
from asl_pbcg.hexes.lattice import UnknownHex
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.foreign_text import unseen
from asl_pbcg.kernel.reader import Reader

FORMAT: Final = "pbcg-drop-orders/1"
LAST_TURN: Final = 60
MOST_LINES: Final = 300
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9/&.' -]{0,23}")
_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")

Kind = Literal["platoon", "battery"]


class Drop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One plane load: a platoon whose sticks jump over one hex in one turn. Rule: II.B."""

    turn: int
    at: str
    platoon: str
    type: str = "para"
    sticks: int
    kind: Kind = "platoon"


class GliderOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One glider: its load, its target hex and its flight. Rule: III.A to III.C.

    ``flight`` is the hexside, by compass, that it flies towards; ``enters`` the map-edge hex of
    the hex row it comes in along.
    """

    turn: int
    at: str
    load: str
    type: str = "airlanding"
    kind: Kind = "platoon"
    flight: str
    enters: str


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All landings of one side, written before the enemy sets up. Rule: I.H, III.B."""

    title: str = ""
    side: str = ""
    drops: tuple[Drop, ...] = ()
    gliders: tuple[GliderOrder, ...] = ()

    @property
    def last_turn(self) -> int:
        """The last turn with a landing, 0 if there is none."""
        return max(
            [*(drop.turn for drop in self.drops), *(each.turn for each in self.gliders)], default=0
        )

    def drops_of(self, turn: int) -> dict[str, tuple[Drop, ...]]:
        """The drops of a turn by target hex, in the order they were written."""
        found: dict[str, list[Drop]] = {}
        for drop in self.drops:
            if drop.turn == turn:
                found.setdefault(drop.at, []).append(drop)
        return {at: tuple(drops) for at, drops in found.items()}

    def gliders_of(self, turn: int) -> tuple[GliderOrder, ...]:
        """The gliders of a turn, in the order they were written."""
        return tuple(order for order in self.gliders if order.turn == turn)

    def to_data(self) -> dict[str, Any]:
        """Plain data, as an orders file holds it."""
        data: dict[str, Any] = {"format": FORMAT, **msgspec.to_builtins(self)}
        return data


_KEYS: Final = ("format", "title", "side", "map", "drops", "gliders", "sealed")
_DROP_KEYS: Final = Drop.__struct_fields__
_GLIDER_KEYS: Final = GliderOrder.__struct_fields__


def read_orders(raw: Any, dropmap: DropMap, settings: Settings, source: str) -> Orders:
    """Settle whether orders are what the rules allow, and give them.

    Raises FaultsError with every fault: hexes off the map, more than two platoons or two gliders
    aimed at a hex in a turn, airdropped artillery, a glider that does not fly along the hex row.
    Rule: I.H, II.B, III.A to III.E.
    """
    reader = _Reader(dropmap, settings)
    orders = reader.read(raw)
    if reader.faults:
        raise FaultsError(source, reader.faults)
    return orders


class _Reader(Reader):
    """Reads orders and gathers every fault on the way."""

    def __init__(self, dropmap: DropMap, settings: Settings) -> None:
        super().__init__()
        self.map = dropmap
        self.settings = settings

    def read(self, raw: Any) -> Orders:
        if not isinstance(raw, dict):
            self.fault("", "", f"an orders file has the keys format, side, drops ({FORMAT})")
            return Orders()
        if raw.get("format") != FORMAT:
            self.fault("format", raw.get("format", ""), f"should be {FORMAT}")
        self.unknown("", raw, _KEYS)
        drops = [self.drop(where, each) for where, each in self.lines(raw, "drops", MOST_LINES)]
        gliders = [
            self.glider(where, each) for where, each in self.lines(raw, "gliders", MOST_LINES)
        ]
        if not drops and not gliders:
            self.fault("drops", "", "is empty: name at least one drop or glider")
        found = Orders(
            title=self.text("title", raw.get("title")),
            side=self.text("side", raw.get("side")),
            drops=tuple(drop for drop in drops if drop),
            gliders=tuple(glider for glider in gliders if glider),
        )
        self.limits(found)
        return found

    def text(self, where: str, value: Any) -> str:
        text = "" if value is None else str(value).strip()
        if len(text) > 80 or unseen(text):
            self.fault(where, text, "should be one line of at most 80 letters")
        return text

    def name(self, where: str, raw: Mapping[str, Any], key: str) -> str:
        value = raw.get(key)
        if value is None:
            self.fault(f"{where}, {key}", "", "is missing")
            return ""
        name = str(value).strip()
        if not _NAME.fullmatch(name):
            wrong = "should be a name of at most 24 letters, figures and / & . ' -"
            self.fault(f"{where}, {key}", name, wrong)
        return name

    def type(self, where: str, raw: Mapping[str, Any], usual: str) -> str:
        found = str(raw.get("type", usual)).strip().lower()
        if not _TYPE.fullmatch(found):
            self.fault(f"{where}, type", found, "should be one short word, for example para")
        return found

    def kind(self, where: str, raw: Mapping[str, Any]) -> Kind:
        found = raw.get("kind", "platoon")
        if found == "battery":
            return "battery"
        if found != "platoon":
            self.fault(f"{where}, kind", found, "should be platoon or battery")
        return "platoon"

    def turn(self, where: str, raw: Mapping[str, Any]) -> int:
        value = raw.get("turn")
        if type(value) is int and 1 <= value <= LAST_TURN:
            return value
        if value is None:
            self.fault(f"{where}, turn", "", "is missing")
        else:
            self.fault(f"{where}, turn", value, f"should be a whole number from 1 to {LAST_TURN}")
        return 1

    def hex(self, where: str, raw: Mapping[str, Any], key: str) -> str:
        value = raw.get(key)
        if value is None:
            self.fault(f"{where}, {key}", "", "is missing")
            return ""
        name = str(value).strip().upper()
        try:
            return self.map.check(name)
        except UnknownHex as error:
            near = f": perhaps {' or '.join(error.nearest)}" if error.nearest else ""
            self.fault(f"{where}, {key}", name, f"is no hex of the map{near}")
        except PBCGError:
            self.fault(f"{where}, {key}", name, "is out of play on this map")
        return ""

    def drop(self, where: str, raw: Mapping[str, Any]) -> Drop | None:
        self.unknown(where, raw, _DROP_KEYS)
        before = len(self.faults)
        most = self.settings.sticks_per_platoon
        sticks = raw.get("sticks", most)
        if type(sticks) is not int or not 1 <= sticks <= most:
            wrong = f"is not possible: a plane carries one platoon, that is 1 to {most} sticks"
            self.fault(f"{where}, sticks", sticks, wrong)
            sticks = most
        kind = self.kind(where, raw)
        scenario = limits.airdropped_artillery_scenario()
        if kind == "battery" and self.settings.scenario != scenario:
            wrong = (
                f"cannot be airdropped: artillery comes by glider, except in scenario {scenario} "
                "(III.C)"
            )
            self.fault(f"{where}, kind", kind, wrong)
        drop = Drop(
            turn=self.turn(where, raw),
            at=self.hex(where, raw, "at"),
            platoon=self.name(where, raw, "platoon"),
            type=self.type(where, raw, "para" if kind == "platoon" else "artillery"),
            sticks=sticks,
            kind=kind,
        )
        return drop if len(self.faults) == before else None

    def glider(self, where: str, raw: Mapping[str, Any]) -> GliderOrder | None:
        self.unknown(where, raw, _GLIDER_KEYS)
        before = len(self.faults)
        at = self.hex(where, raw, "at")
        kind = self.kind(where, raw)
        load = self.name(where, raw, "load")
        flight, enters = self.flight(where, raw, at) if at else ("", "")
        order = GliderOrder(
            turn=self.turn(where, raw),
            at=at,
            load=load,
            type=self.type(where, raw, "airlanding" if kind == "platoon" else "artillery"),
            kind=kind,
            flight=flight,
            enters=enters,
        )
        return order if len(self.faults) == before else None

    def flight(self, where: str, raw: Mapping[str, Any], at: str) -> tuple[str, str]:
        """The flight of a glider, given by direction, by entry hex or by both. Rule: III.A."""
        sides = self.map.sides
        given = raw.get("flight")
        flight = "" if given is None else str(given).strip().upper()
        if flight and flight not in sides:
            wrong = f"is no flight along a hex row: the six directions are {', '.join(sides)}"
            self.fault(f"{where}, flight", flight, f"{wrong} (III.A)")
            return "", ""
        if "enters" not in raw:
            if not flight:
                self.fault(where, "", "needs flight (a direction) or enters (a map-edge hex)")
                return "", ""
            return flight, self.map.enters_at(at, self.map.sheet_direction(flight))
        enters = self.hex(where, raw, "enters")
        if not enters:
            return "", ""
        grid = self.map.grid
        if enters == at:
            direction = self.map.sheet_direction(flight) if flight else None
        else:
            direction = straight(grid, enters, at)
        if direction is None or self.map.enters_at(at, direction) != enters:
            rows = {name: self.map.enters_at(at, self.map.sheet_direction(name)) for name in sides}
            listed = ", ".join(f"{entry} flying {name}" for name, entry in rows.items())
            wrong = f"is not where a hex row of {at} meets the map edge: {listed} are (III.A)"
            self.fault(f"{where}, enters", enters, wrong)
            return "", ""
        found = self.map.compass_name(direction)
        if flight and flight != found:
            wrong = f"does not fit: from {enters} to {at} a glider flies {found} (III.A)"
            self.fault(f"{where}, flight", flight, wrong)
        return found, enters

    def limits(self, orders: Orders) -> None:
        """Two platoons and two gliders on a hex in a turn; every load once. Rule: II.B, III.E."""
        most, gliders = limits.sticks_per_hex(self.settings), limits.gliders_per_hex()
        sticks: dict[tuple[int, str], int] = {}
        for drop in orders.drops:
            place = (drop.turn, drop.at)
            sticks[place] = sticks.get(place, 0) + drop.sticks
        for (turn, at), number in sticks.items():
            if number > most:
                wrong = (
                    f"has {number} sticks aimed at it: two platoons, that is {most} sticks, are "
                    "the most for one hex in one turn (II.B)"
                )
                self.fault(f"drops, turn {turn}, {at}", "", wrong)
        aimed: dict[tuple[int, str], int] = {}
        for order in orders.gliders:
            aimed[order.turn, order.at] = aimed.get((order.turn, order.at), 0) + 1
        for (turn, at), number in aimed.items():
            if number > gliders:
                wrong = f"has {number} gliders aimed at it: {gliders} are the most (III.E)"
                self.fault(f"gliders, turn {turn}, {at}", "", wrong)
        names = [drop.platoon for drop in orders.drops] + [order.load for order in orders.gliders]
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                wrong = f"is ordered {names.count(name)} times: every load lands once"
                self.fault("orders", name, wrong)
