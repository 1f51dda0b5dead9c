"""A scene with what the players said of it, and the position that it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.module.catalogue import Catalogue, InfantryType
from asl_pbcg.campaign.position import (
    FORMAT,
    LISTS,
    BySide,
    Fortification,
    PieceEntry,
    Position,
    UnitEntry,
)
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_changes import Ids
from asl_pbcg.campaign.state.pieces import CLASSES
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.scene import Scene, Seen, Unknown

OUT: Final = "leave-out"
RULE: Final = "9.2"
YES_NO: Final = (Option("no", "no"), Option("yes", "yes"))
MAX_NAMED: Final = 12
_OWN: Final = ("hidden", "concealed", "prisoner", "unarmed", "cloaked")


def name_some(names: Sequence[str]) -> str:
    """Return the first few of some names, and how many more there are."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def choose(
    doubt: str,
    text: str,
    options: Iterable[Option],
    default: str | None = None,
    *,
    about: str = "",
    where: str = "",
    rule: str = RULE,
    help: str = "",
) -> Script[str]:
    """Ask what is true of a counter, or of what else a question is ``about``."""
    answer = yield from ask(
        Prompt(
            id=f"vasl.{doubt}",
            about=about,
            where=where,
            rule=rule,
            options=tuple(options),
            default=default,
            text=text,
            help=help,
        )
    )
    return answer


class Chosen:
    """A scene, and what the players have said of it so far."""

    def __init__(self, scene: Scene, date: CGDate) -> None:
        self.scene = scene
        self.date = date
        self.pieces: dict[str, Seen] = {seen.key: seen for seen in scene.pieces}
        """The units, Equipment and vehicles by key, as they are known by now."""
        self.fortifications: list[Fortification] = list(scene.fortifications)

    def all(self, section: str = "") -> list[Seen]:
        """Return the pieces as they are known by now, of one list or of all."""
        return [seen for seen in self.pieces.values() if section in ("", seen.section)]

    def vehicles_in(self, hex: str) -> list[Seen]:
        """Return the vehicles in a hex."""
        return [seen for seen in self.all("vehicles") if seen.hex == hex]

    def change(self, key: str, **fields: Any) -> None:
        """Say what else is known of a piece."""
        self.pieces[key] = msgspec.structs.replace(self.pieces[key], **fields)

    def move(self, key: str, hex: str) -> None:
        """Say which of two hexes a piece is in."""
        seen = self.pieces[key]
        if hex != seen.hex:
            at = f"{hex}{seen.at.removeprefix(seen.hex)}"
            arcs = {"ca": seen.across_ca, "tca": seen.across_tca}
            arcs |= {"across_ca": seen.ca, "across_tca": seen.tca}
            self.change(key, at=at, across=seen.hex, **arcs)

    def drop(self, key: str) -> None:
        """Leave a piece out, with what belongs to it by its place."""
        del self.pieces[key]
        for other in self.all():
            ties = [name for name in ("holder", "aboard", "guard") if getattr(other, name) == key]
            self.change(other.key, **dict.fromkeys(ties, ""))

    def take_unknown(self, counters: list[Unknown], type: str, catalogue: Catalogue) -> None:
        """Take counters whose name is not known for pieces of a type."""
        for each in counters:
            assert each.side
            kind = catalogue.get(type, each.side).kind
            section: Any = CLASSES[kind].section
            status = ("hidden",) if each.hidden else ()
            self.pieces[each.key] = Seen(
                each.key, section, kind, type, each.side, each.at, each.name, status=status
            )

    def make_up_ids(self, state: Campaign | None = None) -> None:
        """Give every counter that is not a known piece an id that no piece had."""
        ids = Ids(state)
        for seen in self.all():
            if not seen.id:
                assert seen.side
                self.change(seen.key, id=ids.next(seen.side, seen.type or seen.kind))


def known_statuses(section: str) -> frozenset[str]:
    """Return the statuses a save can show of a list's pieces; the others stay as they were."""
    known = {status for each in facts().statuses.values() for status in each.get(section, ())}
    return frozenset(known | set(_OWN))


def make_position(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Position:
    """Return the position as chosen, without Control."""
    before = to_position(state, everything=True) if state else None
    entries = {entry.id: entry for entry in (before.pieces if before else ())}
    pieces = [_piece(chosen, seen, entries.get(seen.id), catalogue) for seen in chosen.all()]
    terrain, gliders = chosen.scene.terrain, chosen.scene.gliders
    if before:
        marks = {(each.kind, each.at): each for each in before.terrain}
        terrain = tuple(_keep(each, marks.get((each.kind, each.at))) for each in terrain)
        landed = {each.at: each.notes for each in before.gliders}
        gliders = tuple(
            msgspec.structs.replace(each, notes=landed.get(each.at, each.notes)) for each in gliders
        )
    return Position(
        format=FORMAT,
        date=chosen.date,
        fortifications=tuple(chosen.fortifications),
        terrain=terrain,
        gliders=gliders,
        casualty_vp=BySide().with_numbers(dict(chosen.scene.casualties)),
    ).with_pieces(pieces)


def _keep(new: Any, old: Any) -> Any:
    """Return a terrain change with what the last position says of it and the save does not."""
    if old is None:
        return new
    names = ("type", "side", "hexside", "notes", "scrounged")
    fields = {name: getattr(new, name) or getattr(old, name) for name in names}
    return msgspec.structs.replace(new, **fields)


def _piece(chosen: Chosen, seen: Seen, old: PieceEntry | None, catalogue: Catalogue) -> PieceEntry:
    """Return a counter as an entry: what the save shows, and of ``old`` what it cannot show."""
    made = {"units": _unit, "equipment": _equipment, "vehicles": _vehicle}[seen.section]
    fields = made(chosen, seen, old, catalogue)
    part: Any = LISTS[seen.section]
    fields |= {"id": seen.id, "status": part.own_statuses(fields["status"])}
    entry: PieceEntry = (
        msgspec.structs.replace(old, **fields) if isinstance(old, part) else part(**fields)
    )
    return entry


def _status(seen: Seen, old: PieceEntry | None) -> list[str]:
    """Return what the save shows, and of the last position what it cannot show."""
    before = list(map(str, old.status)) if old else []
    kept = [each for each in before if each not in {*known_statuses(seen.section), "exited"}]
    if UnitStatus.NO_MOVE in seen.status:
        kept = [each for each in kept if each != "freedom-of-movement"]
    if seen.section == "units" and "walking-wounded" in before:
        kept.append("walking-wounded")
    if seen.is_prisoner and "wounded" in before:  # his counter has no wound
        kept.append("wounded")
    return list(dict.fromkeys([*kept, *seen.status]))


def _unit(
    chosen: Chosen, seen: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    assert seen.side
    pieces = chosen.pieces
    held = (each for each in chosen.all("equipment") if each.holder == seen.key)
    type = seen.type
    if not type and old:
        type = old.type
        known = catalogue.find(type, seen.side)
        if seen.kind == "half_squad" and isinstance(known, InfantryType) and known.half_squad:
            type = known.half_squad
    fields: dict[str, Any] = {
        "side": seen.side,
        "type": type,
        "at": pieces[seen.guard].at if seen.guard else seen.at,
        "status": _status(seen, old),
        "possesses": tuple(each.id for each in held),
        "aboard": pieces[seen.aboard].id if seen.aboard in pieces else "",
        "guarded_by": pieces[seen.guard].id if seen.guard else "",
        "climbing_to": "",
    }
    if not isinstance(old, UnitEntry):
        fields["formation"] = "" if seen.formation == "para" else seen.formation
    return fields


def _equipment(
    chosen: Chosen, seen: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    holder = chosen.pieces.get(seen.tower or seen.holder)
    side = holder.has_it if holder and holder.side else seen.side
    if old and not seen.holder and not seen.tower and old.captured:
        side = old.side
    status = [each for each in _status(seen, old) if each != "captured"]
    if side is not seen.side:
        status.insert(0, "captured")
    if "emplaced" in status and old and (old.at != seen.at or "hooked" in status):
        status.remove("emplaced")
    fields = {
        "side": side,
        "type": seen.type,
        "at": chosen.pieces[seen.holder or seen.tower or seen.key].at,
        "status": status,
        "depleted": _depletion(seen, catalogue),
    }
    return {**fields, "ca": seen.ca} if seen.ca else fields


def _depletion(seen: Seen, catalogue: Catalogue) -> tuple[str, ...]:
    """Return what No Ammo markers say, in the catalogue's words: HE is HE8 of that Gun."""
    type = catalogue.find(seen.type, seen.side) if seen.side else None
    own = {each.rstrip("0123456789"): each for each in (type.special_ammo if type else ())}
    return tuple(dict.fromkeys(own.get(each, each) for each in seen.depleted))


def _vehicle(
    chosen: Chosen, seen: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    captured = ["captured"] if seen.captured else []
    towed = {gun.id for gun in chosen.all("equipment") if gun.tower == seen.key}
    last = old.tows if old else ()
    return {
        "side": seen.has_it,
        "type": seen.type,
        "at": seen.hex,
        "status": [*captured, *(each for each in _status(seen, old) if each != "captured")],
        "vca": seen.ca,
        "tca": seen.tca,
        "bypass": f"{seen.hex}/{seen.across}" if seen.across else "",
        "depleted": _depletion(seen, catalogue),
        "tows": (*(id for id in last if id in towed), *sorted(towed - {*last})),
    }
