"""Landing orders: which plane drops what on which hex in which turn, and their sealing.

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

The fingerprint of sealed orders proves later that they were not changed: the eight words of a
seal (``kernel/seals.py``) of the orders, the map, the settings that are not the shipped ones and a
random salt. Without the salt nobody can try out which orders fit it; with all of them anybody can
compute it again. Rule: I.H, II.B, III.A-III.E.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from asl_pbcg.airborne.drop_map import DropMap, MapSpec
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.drop_tables import NUMBERS, sticks_per_hex
from asl_pbcg.hexes.lattice import UnknownHex
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import Wrong
from asl_pbcg.kernel.seals import SealedText
from asl_pbcg.kernel.struct_reader import Path, StructReader

FORMAT: Final = "pbcg-drop-orders/1"
LAST_TURN: Final = 60
MAX_LINES: Final = 300

LoadKind = Literal["platoon", "battery"]
Turn = Annotated[int, Meta(ge=1, le=LAST_TURN)]
TargetHex = Annotated[str, Meta(extra={"reads": "hex"})]
LoadName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9/&.' -]{0,23}\Z",
        extra={"expects": "a name of at most 24 letters, figures and / & . ' -"},
    ),
]
TypeWord = Annotated[str, Meta(extra={"reads": "type"})]
HeadLine = Annotated[str, Meta(max_length=80)]


class Drop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One plane load: a platoon whose sticks jump over one hex in one turn. Rule: II.B."""

    turn: Turn
    at: TargetHex
    platoon: LoadName
    type: TypeWord = "para"
    sticks: int
    kind: LoadKind = "platoon"


class GliderOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One glider: its load, its target hex and its flight. Rule: III.A to III.C.

    ``flight`` is the hexside, by compass, that it flies towards; ``enters`` the map-edge hex of
    the hex row it comes in along. A file gives one of them, or both.
    """

    turn: Turn
    at: TargetHex
    load: LoadName
    type: TypeWord = "airlanding"
    kind: LoadKind = "platoon"
    flight: str = ""
    enters: str = ""


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All landings of one side, written before the enemy sets up. Rule: I.H, III.B."""

    title: HeadLine = ""
    side: HeadLine = ""
    drops: Annotated[tuple[Drop, ...], Meta(max_length=MAX_LINES)] = ()
    gliders: Annotated[tuple[GliderOrder, ...], Meta(max_length=MAX_LINES)] = ()

    @property
    def turns(self) -> list[int]:
        """Return the turns with a landing, in order."""
        return sorted({drop.turn for drop in self.drops} | {glider.turn for glider in self.gliders})

    @property
    def last_turn(self) -> int:
        """Return the last turn with a landing, 0 without one."""
        return max(self.turns, default=0)

    def drops_of(self, turn: int) -> dict[str, tuple[Drop, ...]]:
        """Return the drops of a turn by target hex, in the order they were written."""
        by_hex: dict[str, tuple[Drop, ...]] = {}
        for drop in self.drops:
            if drop.turn == turn:
                by_hex[drop.at] = (*by_hex.get(drop.at, ()), drop)
        return by_hex

    def gliders_of(self, turn: int) -> tuple[GliderOrder, ...]:
        """Return the gliders of a turn, in the order they were written."""
        return tuple(order for order in self.gliders if order.turn == turn)

    def to_data(self) -> dict[str, Any]:
        """Return plain data, as an orders file holds it."""
        data: dict[str, Any] = {"format": FORMAT, **msgspec.to_builtins(self)}
        return data


def read_orders(raw: Any, dropmap: DropMap, settings: DropSettings, source: str) -> Orders:
    """Read orders and hold them against the rules.

    Raises FaultsError with every fault: hexes off the map, more than two platoons or two gliders
    aimed at a hex in a turn, airdropped artillery, a glider that does not fly along the hex row.
    Rule: I.H, II.B, III.A to III.E.
    """
    rules = _OrderRules(dropmap, settings)
    reader = StructReader(
        source,
        words={"hex": rules.read_hex, "type": _read_type},
        checks={
            Drop: rules.check_drop,
            GliderOrder: rules.check_glider,
            Orders: rules.check_limits,
        },
        numbers_as_text=True,
    )
    if not isinstance(raw, dict):
        reader.fault("", "", f"an orders file has the keys format, side, drops ({FORMAT})")
        reader.raise_faults()
    if raw.get("format") != FORMAT:
        reader.fault("format", raw.get("format"), f"must be {FORMAT}")
    body = {key: raw[key] for key in raw if key not in _OTHER_KEYS}
    if not body.get("drops") and not body.get("gliders"):
        reader.fault("drops", "", "is empty: name at least one drop or glider")
    orders = reader.read(rules.with_usual(body), Orders)
    reader.raise_faults()
    assert orders
    flown = tuple(
        msgspec.structs.replace(order, flight=flight, enters=enters)
        for order in orders.gliders
        for flight, enters in rules.flights(order)
    )
    return msgspec.structs.replace(orders, gliders=flown)


_OTHER_KEYS: Final = ("format", "map", "sealed")


def _read_type(text: str) -> str:
    word = text.lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,19}", word):
        raise Wrong("must be one short word, for example para")
    return word


class _OrderRules:
    """The checks of orders by rules and map, for the reader of the file."""

    def __init__(self, dropmap: DropMap, settings: DropSettings) -> None:
        self.map = dropmap
        self.settings = settings

    def with_usual(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the file with the usual sticks and types where a line leaves them out."""
        full = {"sticks": self.settings.sticks_per_platoon}
        usual: dict[str, dict[str, Any]] = {
            "drops": {"type": "para", **full},
            "gliders": {"type": "airlanding"},
        }
        filled = dict(body)
        for key, defaults in usual.items():
            if isinstance(body.get(key), list):
                filled[key] = [self._with_defaults(line, defaults) for line in body[key]]
        return filled

    def _with_defaults(self, line: Any, defaults: dict[str, Any]) -> Any:
        if not isinstance(line, dict):
            return line
        battery = {"type": "artillery"} if line.get("kind") == "battery" else {}
        return {**defaults, **battery, **line}

    def read_hex(self, text: str) -> str:
        """Read a hex that a landing can be aimed at. Raises Wrong."""
        try:
            return self.map.check(text.upper())
        except UnknownHex as error:
            close = f": perhaps {' or '.join(error.nearest)}" if error.nearest else ""
            raise Wrong(f"is not a hex of the map{close}") from error
        except PBCGError as error:
            raise Wrong("is out of play on this map") from error

    def check_drop(self, drop: Drop, path: Path) -> Iterator[tuple[str, object, str]]:
        """Yield what is wrong with one plane load. Rule: II.B, III.C."""
        most = self.settings.sticks_per_platoon
        if not 1 <= drop.sticks <= most:
            wrong = f"is not possible: a plane carries one platoon, that is 1 to {most} sticks"
            yield "sticks", drop.sticks, wrong
        scenario = NUMBERS.content.airdropped_artillery_scenario
        if drop.kind == "battery" and self.settings.scenario != scenario:
            wrong = f"artillery comes by glider, except in scenario {scenario} (III.C)"
            yield "kind", drop.kind, f"cannot be airdropped: {wrong}"

    def flights(self, order: GliderOrder) -> list[tuple[str, str]]:
        """Return the flights along the hex rows of the target, with entry hexes, that fit."""
        flights = [(side, self.map.entry_hex(order.at, side)) for side in self.map.sides]
        return [
            (side, entry)
            for side, entry in flights
            if order.flight.upper() in ("", side) and order.enters.upper() in ("", entry)
        ]

    def check_glider(self, order: GliderOrder, path: Path) -> Iterator[tuple[str, object, str]]:
        """Yield what is wrong with the flight of a glider. Rule: III.A."""
        at, flight, enters = order.at, order.flight.upper(), order.enters.upper()
        rows = {side: self.map.entry_hex(at, side) for side in self.map.sides}
        fitting = [side for side, entry in rows.items() if entry == enters]
        if flight and flight not in rows:
            wrong = f"is not along a hex row: the directions are {', '.join(rows)} (III.A)"
            yield "flight", order.flight, wrong
        elif not flight and not enters:
            yield "", "", "needs flight (a direction) or enters (a map-edge hex)"
        elif len(self.flights(order)) == 1:
            return
        elif flight and fitting:
            wrong = f"does not fit: from {enters} to {at} a glider flies {fitting[0]} (III.A)"
            yield "flight", order.flight, wrong
        else:
            listed = ", ".join(f"{entry} flying {side}" for side, entry in rows.items())
            wrong = f"is not where a hex row of {at} meets the map edge: {listed} are (III.A)"
            yield "enters", order.enters, wrong

    def check_limits(self, orders: Orders, path: Path) -> Iterator[tuple[str, object, str]]:
        """Yield where orders together bring too much to one hex. Rule: II.B, III.E."""
        most, gliders = sticks_per_hex(self.settings), NUMBERS.content.gliders_per_hex
        sticks = Counter[tuple[int, str]]()
        for drop in orders.drops:
            sticks[drop.turn, drop.at] += drop.sticks
        for (turn, at), number in sticks.items():
            if number > most:
                wrong = f"two platoons, that is {most} sticks, are the most for one hex (II.B)"
                place = f"drops, turn {turn}, {at}"
                yield place, "", f"has {number} sticks aimed at it: {wrong}"
        aimed = Counter((order.turn, order.at) for order in orders.gliders)
        for (turn, at), number in aimed.items():
            if number > gliders:
                wrong = f"has {number} gliders aimed at it: {gliders} are the most (III.E)"
                yield f"gliders, turn {turn}, {at}", "", wrong
        names = Counter([drop.platoon for drop in orders.drops])
        names.update(order.load for order in orders.gliders)
        for name, number in names.items():
            if number > 1:
                yield "orders", name, f"is ordered {number} times: every load lands once"


def fingerprint(orders: Orders, salt: str, settings: DropSettings, spec: MapSpec) -> str:
    """Return the fingerprint of sealed orders: the eight words of a seal."""
    parts = {
        "map": msgspec.to_builtins(spec),
        "orders": orders.to_data(),
        "settings": settings.chosen_values(),
    }
    facts = {name: json.dumps(part, sort_keys=True) for name, part in parts.items()}
    return SealedText(facts={**facts, "salt": salt}).words
