"""Deeds in sentences: one for each, in the players' words, with short names of pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from asl_pbcg.campaign.location import Area, where_words
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    Status,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.state.piece_names import short_name, typed_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.deeds import HOLDER, MELEE, Deed, Throw
from asl_pbcg.kernel.tables import percent

_DONE_TO: Final = {
    UnitStatus.BROKEN: ("broke", "rallied"),
    UnitStatus.WOUNDED: ("wounded", "recovered from its wound"),
    UnitStatus.FANATIC: ("became Fanatic", "no longer Fanatic"),
    UnitStatus.HEROIC: ("became heroic", "no longer heroic"),
    UnitStatus.BERSERK: ("went berserk", "no longer berserk"),
    UnitStatus.PRISONER: ("taken prisoner", "freed"),
    UnitStatus.ENCIRCLED: ("Encircled", "no longer Encircled"),
    UnitStatus.CONCEALED: ("concealed", "no longer concealed"),
    UnitStatus.HIDDEN: ("hidden", "found"),
    UnitStatus.NO_MOVE: ("on No Move", "No Move removed"),
    UnitStatus.FREEDOM_OF_MOVEMENT: ("gained Freedom of Movement", "lost Freedom of Movement"),
    EquipmentStatus.MALFUNCTIONED: ("malfunctioned", "repaired"),
    UnitStatus.DM: ("DM", "no longer DM"),
    EquipmentStatus.CAPTURED: ("", ""),
    EquipmentStatus.EMPLACED: ("Emplaced", "no longer Emplaced"),
    EquipmentStatus.HOOKED: ("hooked up", "unhooked"),
    UnitStatus.EXITED: ("left the map", ""),
    VehicleStatus.STUNNED: ("stunned", "no longer stunned"),
    VehicleStatus.STUN_PLUS_1: ("", ""),
    VehicleStatus.RECALL: ("under Recall", "no longer under Recall"),
}
"""The words for a status that came and for one that went; another is named as it stands."""
_MOVED: Final[Mapping[str, str]] = {
    SCENARIO: "from {old} to {new}",
    "9.601": "Withdrew from {old} to {new}",
    "9.605": "Retained {new}",
    "9.606": "Escaped from {old} {into}",
    "9.607": "Retained {new}",
    "9.608": "Retained {new}",
    "9.613": "Shifted from {old} {into}",
    "9.615": "entered {new}",
    "9.620": "set up {new}",
}
_SILENT: Final = frozenset(
    {"at", "area", "type", "status", "side", "possesses", "tows", "aboard", "guarded_by", HOLDER}
    | {"listed_at", "shift_tried", "hardened", "airborne", "ox_and_bucks", "hip", "ammo_shortage"}
)
"""Facts with words of their own, and those that another fact of the same deed tells."""


def sentence(deed: Deed, catalogue: Catalogue) -> str:
    """Return a deed as one sentence; what was undone begins by saying so."""
    words = _Words(deed, catalogue)
    clauses = [clause for clause in words.clauses() if clause]
    text = "; ".join(clauses) or "went on unchanged"
    if deed.corrected:
        text = f"corrected: {text}"
    if deed.undone:
        number = f" by entry {deed.undone}" if deed.entries else ""
        text = f"undone{number}: {text}"
    return f"{text[0].upper()}{text[1:]}."


class _Words:
    """The clauses of one deed."""

    def __init__(self, deed: Deed, catalogue: Catalogue) -> None:
        self._deed = deed
        self._catalogue = catalogue
        self._net = deed.net()

    def clauses(self) -> Iterator[str]:
        deed = self._deed
        throws = [
            throw for throw in deed.throws if not (self._has_left and throw.table in _JOURNEYS)
        ]
        changes = [*filter(None, (self._type(), *self._status(), *self._others()))]
        departure = self._departure()
        cause = throws[0] if len(throws) == 1 and throws[0].told is not None else None
        if cause is not None and departure and not self._is_recalled:
            departure = f"{departure.partition(':')[0]} ({_because(cause)})"
            throws = []
        elif cause is not None and changes:
            changes[0] = f"{changes[0]} ({_because(cause)})"
            throws = []
        yield self._arrival()
        yield from self._acts()
        yield self._move()
        yield self._capture()
        yield from changes
        yield from () if departure and deed.rule == SCENARIO else self._ties()
        yield from self._kin()
        for throw in throws:
            yield f"{throw.title}: {_outcome(throw)}"
        yield departure

    @property
    def _has_left(self) -> bool:
        """Whether it got away: the roll stands behind where it went."""
        return bool({"at", "area"} & self._net.keys()) and self._deed.departure is None

    @property
    def _is_recalled(self) -> bool:
        """Whether it left under Recall, whatever a roll brought."""
        departure = self._deed.departure
        return departure is not None and departure.why == "under Recall"

    def _acts(self) -> Iterator[str]:
        """Yield its acts, but not that it stayed what or where it stays no longer."""
        old, new = self._net.get("status", ((), ()))
        freed = UnitStatus.PRISONER in old and UnitStatus.PRISONER not in new
        for act in self._deed.acts:
            over = freed if act == "stayed a prisoner" else self._has_left
            if act != SCENARIO and not (act.startswith("stayed") and over):
                yield act

    def _name(self, id: str) -> str:
        return typed_name(self._deed.types.get(id, ""), id)

    def _names(self, ids: Iterable[str]) -> str:
        return ", ".join(map(self._name, ids))

    # -- coming and going ----------------------------------------------------------------

    def _arrival(self) -> str:
        arrival, piece = self._deed.arrival, self._deed.piece
        if arrival is None:
            return ""
        if arrival.how == "seen":
            return f"seen {_place(piece.at, '')}"
        where = f" {_place(piece.at, piece.area)}" if piece.at or piece.area else ""
        words = [word for status in piece.status if (word := _change_words(status, came=True))]
        status = f" ({', '.join(words)})" if words else ""
        if arrival.parents:
            parents = self._names(arrival.parents)
            return f"{arrival.verb} {parents}{where}{status}"
        verb = arrival.verb or _ARRIVED.get(self._deed.rule, "came into being")
        if piece.captured and not arrival.verb:  # whose it was before its new side need not know
            verb = "captured"
        how = f" {arrival.how}" if arrival.how and self._deed.rule in _ARRIVED else ""
        return f"{verb}{how}{where}{status}"

    def _departure(self) -> str:
        departure, piece = self._deed.departure, self._deed.piece
        if departure is None:
            return ""
        where = f" {_place(piece.at, piece.area)}" if piece.at or piece.area else ""
        if departure.how == "recombined" and piece.kind == "crew" and departure.into:
            return f"became the crew of {self._name(departure.into)}"
        if departure.how == "recombined":
            return (
                f"Recombined with {self._name(departure.into)}" if departure.into else "Recombined"
            )
        why = departure.why
        for id in self._deed.types:
            why = why.replace(id, self._name(id))
        why = " ".join(map(short_name, why.split(" ")))
        if self._deed.rule == SCENARIO:
            return "Eliminated in play"
        because = "" if not why or _RULE.fullmatch(departure.why) else f": {why}"
        return f"{departure.how.replace('eliminated', 'Eliminated')}{where}{because}"

    # -- what changed --------------------------------------------------------------------

    def _move(self) -> str:
        deed, piece, before = self._deed, self._deed.piece, self._deed.before
        stood = SCENARIO in deed.acts
        if not (stood or {"at", "area"} & self._net.keys()) or not (piece.at or piece.area):
            return ""
        if deed.arrival is not None or before is None:
            return ""
        old, new = _place(before.at, before.area), _place(piece.at, piece.area)
        carrier = deed.holder if piece.is_weapon and not self._net.get(HOLDER, ("", ""))[1] else ""
        carried = f"with {self._name(carrier)} " if carrier else ""
        if deed.rule == SCENARIO and before.off_map and piece.on_map:
            return f"{carried}entered at {before.location.entry} and ended {new}"
        if deed.rule == SCENARIO and piece.off_map:
            exit_words = f"left the map from {old.removeprefix('in ')} at {piece.location.entry}"
            return f"{carried}{exit_words if before.on_map else f'stayed {new}'}"
        if stood and before.at == piece.at:
            return f"{carried}stayed {new}"
        if stood and not before.at:
            return f"{carried}ended {new}"
        words = _MOVED.get(deed.rule, "went from {old} {into}")
        if piece.is_weapon and deed.holder and not stood:
            if words.startswith("Retained") and piece.area:
                return f"Retained {carried}{_place('', piece.area)}"
            return f"{carried}{_into(piece)}"
        if deed.rule == MELEE and before.location.hex == piece.location.hex:
            words = "climbed from {old} to {new}"
        if words.startswith("Retained") and piece.area:
            new = _place("", piece.area)
        text = words.format(
            old=old.removeprefix("in "),
            new=new
            if words.startswith(("Retained", "entered", "set up"))
            else new.removeprefix("in "),
            into=_into(piece),
        )
        throw = next((throw for throw in deed.throws if throw.table in _JOURNEYS), None)
        return f"{carried}{text}{f' ({_outcome(throw)})' if throw else ''}"

    def _capture(self) -> str:
        if "side" not in self._net:
            return ""
        side: Side = self._net["side"][1]
        return f"{'captured' if self._deed.piece.captured else 'won back'} by the {side.people}"

    def _type(self) -> str:
        clauses = [clause for event in self._deed.events if (clause := event.clause(self._deed.id))]
        if clauses:
            return "; ".join(clauses)
        return f"now {self._net['type'][1]}" if "type" in self._net else ""

    def _status(self) -> Iterator[str]:
        old, new = self._net.get("status", ((), ()))
        is_new = self._deed.arrival is not None
        for status in new:
            if status not in old and not is_new:
                yield _change_words(status, came=True)
        for status in old:
            if status not in new:
                yield _change_words(status, came=False)
        if "ammo_shortage" in self._net:
            short = self._net["ammo_shortage"][1]
            yield "short of Ammunition, Isolated" if short else "no longer short of Ammunition"
        if "hip" in self._net:
            yield "sets up HIP" if self._net["hip"][1] else ""
        if "hardened" in self._net and "type" not in self._net:
            heroes = f" as {self._names(self._deed.joined)} is Eliminated"
            yield f"Battle Hardened{heroes if self._deed.joined else ''}"

    def _ties(self) -> Iterator[str]:
        for name, (gain, lose) in _TIED.items():
            if name not in self._net:
                continue
            old, new = (value if isinstance(value, tuple) else (value,) if value else ()
                        for value in self._net[name])  # fmt: skip
            if gained := [id for id in new if id not in old]:
                yield f"{gain} {self._names(gained)}"
            if (
                lose
                and (lost := [id for id in old if id not in new])
                and not (name == HOLDER and gained)
            ):
                yield f"{lose} {self._names(lost)}"

    def _kin(self) -> Iterator[str]:
        if "type" in self._net:
            return
        vehicle = self._deed.piece.is_vehicle
        if self._deed.joined and "hardened" not in self._net:
            yield f"{'manned' if vehicle else 'joined'} by {self._names(self._deed.joined)}"
        if self._deed.parted:
            verb = "out of it came" if vehicle else "created"
            yield f"{verb} {self._names(self._deed.parted)}"

    def _others(self) -> Iterator[str]:
        for name, (_, new) in self._net.items():
            if name in _SILENT:
                continue
            words = _FACTS.get(name)
            yield words(new) if words else f"{name.replace('_', ' ')} {_value(new)}"


_JOURNEYS: Final = ("escape.infantry", "escape.vehicle", "shift")
"""Tables whose outcome stands behind where the piece went."""
_ARRIVED: Final = {
    "9.5": "in the Initial OB",
    "9.610": "came back",
    "9.615": "received as reinforcement",
    "9.618": "received",
    SCENARIO: "came into being in play",
}
_RULE: Final = re.compile(r"(?:CG|SSR |[A-Z])?\d[\d.]*[a-z]?(?: notes? .*)?")
"""A reason that is only a rule number."""
_TIED: Final = {
    "possesses": ("took", "gave up"),
    HOLDER: ("held by", "no longer held by"),
    "tows": ("tows", "unhooked"),
    "aboard": ("aboard", "left"),
    "guarded_by": ("guarded by", ""),
    "manned_by": ("manned by", "no longer manned by"),
}
"""The words for a tie that was made and for one that was let go."""
_FACTS: Final[Mapping[str, Callable[[Any], str]]] = {
    "name": lambda new: f'named "{new}"' if new else "lost its name",
    "notes": lambda new: "",
    "ca": lambda new: "",
    "vca": lambda new: "",
    "tca": lambda new: "",
    "bypass": lambda new: f"in Bypass along {new}" if new else "",
    "climbing_to": lambda new: f"climbing to {new}" if new else "",
    "depleted": lambda new: f"out of {', '.join(new)}" if new else "ammunition restored",
    "aamg": lambda new: "with AAMG" if new else "without AAMG",
    "scrounged": lambda new: "Scrounged" if new else "",
    "formation": lambda new: f"of {new}" if new else "",
    "manned_by": lambda new: "",
}


def _place(at: str, area: str) -> str:
    """Return where a piece is: ``in Y20``, ``in Setup Area B``, ``off map at A7``."""
    if at:
        return where_words(at)
    if not area:
        return ""
    named = Area.parse(area)
    return (
        f"in {named}" if named.is_setup_area else str(named).replace("Entry Area", "at Entry Area")
    )


def _into(piece: Piece) -> str:
    """Return where a piece has gone: its area, else its Location."""
    if piece.area:
        return f"to {Area.parse(piece.area)}"
    if not piece.on_map:
        return _place(piece.at, "")
    return _place(piece.at, "").replace("in ", "to ", 1)


def _change_words(status: Status, came: bool) -> str:
    pair = _DONE_TO.get(status)
    if pair is not None:
        return str(pair[0] if came else pair[1])
    return status_words([status]) if came else f"no longer {status_words([status])}"


def _because(throw: Throw) -> str:
    """Return a roll as the cause of a clause, which says the outcome already."""
    title = f"{throw.title}: {throw.told}" if throw.told else throw.title
    return f"{title}, Final {throw.final}, {percent(throw.chance)}"


def _outcome(throw: Throw) -> str:
    return ", ".join(filter(None, (throw.says, f"Final {throw.final}", percent(throw.chance))))


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) if value not in (None, "") else "none"
