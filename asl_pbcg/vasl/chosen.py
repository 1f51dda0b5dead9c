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
        self.pieces: dict[str, Seen] = {piece.key: piece for piece in scene.pieces}
        """The units, Equipment and vehicles by key, as they are known by now."""
        self.fortifications: list[Fortification] = list(scene.fortifications)

    def all(self, section: str = "") -> list[Seen]:
        """Return the pieces as they are known by now, of one list or of all."""
        return [piece for piece in self.pieces.values() if section in ("", piece.section)]

    def vehicles_in(self, hex: str) -> list[Seen]:
        """Return the vehicles in a hex."""
        return [piece for piece in self.all("vehicles") if piece.hex == hex]

    def change(self, key: str, **fields: Any) -> None:
        """Say what else is known of a piece."""
        self.pieces[key] = msgspec.structs.replace(self.pieces[key], **fields)

    def move(self, key: str, hex: str) -> None:
        """Say which of two hexes a piece is in."""
        piece = self.pieces[key]
        if hex != piece.hex:
            at = f"{hex}{piece.at.removeprefix(piece.hex)}"
            arcs = {"ca": piece.across_ca, "tca": piece.across_tca}
            arcs |= {"across_ca": piece.ca, "across_tca": piece.tca}
            self.change(key, at=at, across=piece.hex, **arcs)

    def drop(self, key: str) -> None:
        """Leave a piece out, with what belongs to it by its place."""
        del self.pieces[key]
        for piece in self.all():
            ties = [name for name in ("holder", "aboard", "guard") if getattr(piece, name) == key]
            self.change(piece.key, **dict.fromkeys(ties, ""))

    def take_unknown(self, counters: list[Unknown], type: str, catalogue: Catalogue) -> None:
        """Take counters whose name is not known for pieces of a type."""
        for item in counters:
            assert item.side
            kind = catalogue.get(type, item.side).kind
            section: Any = CLASSES[kind].section
            status = ("hidden",) if item.hidden else ()
            self.pieces[item.key] = Seen(
                item.key, section, kind, type, item.side, item.at, item.name, status=status
            )

    def make_up_ids(self, state: Campaign | None = None) -> None:
        """Give every counter that is not a known piece an id that no piece had."""
        ids = Ids(state)
        for piece in self.all():
            if not piece.id:
                assert piece.side
                self.change(piece.key, id=ids.next(piece.side, piece.type or piece.kind))


def known_statuses(section: str) -> frozenset[str]:
    """Return the statuses a save can show of a list's pieces; the others stay as they were."""
    statuses = {status for lists in facts().statuses.values() for status in lists.get(section, ())}
    return frozenset(statuses | set(_OWN))


def make_position(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Position:
    """Return the position as chosen, without Control."""
    before = to_position(state, everything=True) if state else None
    entries = {entry.id: entry for entry in (before.pieces if before else ())}
    pieces = [_piece(chosen, piece, entries.get(piece.id), catalogue) for piece in chosen.all()]
    terrain, gliders = chosen.scene.terrain, chosen.scene.gliders
    if before:
        marks = {(mark.kind, mark.at): mark for mark in before.terrain}
        terrain = tuple(_keep(change, marks.get((change.kind, change.at))) for change in terrain)
        landed = {glider.at: glider.notes for glider in before.gliders}
        gliders = tuple(
            msgspec.structs.replace(glider, notes=landed.get(glider.at, glider.notes))
            for glider in gliders
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


def _piece(chosen: Chosen, piece: Seen, old: PieceEntry | None, catalogue: Catalogue) -> PieceEntry:
    """Return a counter as an entry: what the save shows, and of ``old`` what it cannot show."""
    made = {"units": _unit, "equipment": _equipment, "vehicles": _vehicle}[piece.section]
    fields = made(chosen, piece, old, catalogue)
    part: Any = LISTS[piece.section]
    fields |= {"id": piece.id, "status": part.own_statuses(fields["status"])}
    entry: PieceEntry = (
        msgspec.structs.replace(old, **fields) if isinstance(old, part) else part(**fields)
    )
    return entry


def _status(piece: Seen, old: PieceEntry | None) -> list[str]:
    """Return what the save shows, and of the last position what it cannot show."""
    before = list(map(str, old.status)) if old else []
    kept = [word for word in before if word not in {*known_statuses(piece.section), "exited"}]
    if UnitStatus.NO_MOVE in piece.status:
        kept = [word for word in kept if word != "freedom-of-movement"]
    if piece.section == "units" and "walking-wounded" in before:
        kept.append("walking-wounded")
    if piece.is_prisoner and "wounded" in before:  # his counter has no wound
        kept.append("wounded")
    return list(dict.fromkeys([*kept, *piece.status]))


def _unit(
    chosen: Chosen, piece: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    assert piece.side
    pieces = chosen.pieces
    held = (item for item in chosen.all("equipment") if item.holder == piece.key)
    type = piece.type
    if not type and old:
        type = old.type
        entry = catalogue.find(type, piece.side)
        if piece.kind == "half_squad" and isinstance(entry, InfantryType) and entry.half_squad:
            type = entry.half_squad
    fields: dict[str, Any] = {
        "side": piece.side,
        "type": type,
        "at": pieces[piece.guard].at if piece.guard else piece.at,
        "status": _status(piece, old),
        "possesses": tuple(item.id for item in held),
        "aboard": pieces[piece.aboard].id if piece.aboard in pieces else "",
        "guarded_by": pieces[piece.guard].id if piece.guard else "",
        "climbing_to": "",
    }
    if not isinstance(old, UnitEntry):
        fields["formation"] = "" if piece.formation == "para" else piece.formation
    return fields


def _equipment(
    chosen: Chosen, piece: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    holder = chosen.pieces.get(piece.tower or piece.holder)
    side = holder.has_it if holder and holder.side else piece.side
    if old and not piece.holder and not piece.tower and old.captured:
        side = old.side
    status = [word for word in _status(piece, old) if word != "captured"]
    if side is not piece.side:
        status.insert(0, "captured")
    if "emplaced" in status and old and (old.at != piece.at or "hooked" in status):
        status.remove("emplaced")
    fields = {
        "side": side,
        "type": piece.type,
        "at": chosen.pieces[piece.holder or piece.tower or piece.key].at,
        "status": status,
        "depleted": _depletion(piece, catalogue),
    }
    return {**fields, "ca": piece.ca} if piece.ca else fields


def _depletion(piece: Seen, catalogue: Catalogue) -> tuple[str, ...]:
    """Return what No Ammo markers say, in the catalogue's words: HE is HE8 of that Gun."""
    type = catalogue.find(piece.type, piece.side) if piece.side else None
    own = {ammo.rstrip("0123456789"): ammo for ammo in (type.special_ammo if type else ())}
    return tuple(dict.fromkeys(own.get(ammo, ammo) for ammo in piece.depleted))


def _vehicle(
    chosen: Chosen, piece: Seen, old: PieceEntry | None, catalogue: Catalogue
) -> dict[str, Any]:
    captured = ["captured"] if piece.captured else []
    towed = {gun.id for gun in chosen.all("equipment") if gun.tower == piece.key}
    last = old.tows if old else ()
    return {
        "side": piece.has_it,
        "type": piece.type,
        "at": piece.hex,
        "status": [*captured, *(word for word in _status(piece, old) if word != "captured")],
        "vca": piece.ca,
        "tca": piece.tca,
        "bypass": f"{piece.hex}/{piece.across}" if piece.across else "",
        "depleted": _depletion(piece, catalogue),
        "tows": (*(id for id in last if id in towed), *sorted(towed - {*last})),
    }
