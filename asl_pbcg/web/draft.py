"""The draft of an end position: what has been placed so far, kept beside the game file.

One draft a game, for everybody who enters it: what it holds stands on the map for both to see.
What a side alone knows (hidden pieces) is asked of that side afterwards and never stands in it.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import FORMAT, LISTS, Control, Position
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.views import UMPIRE

PIECES: Final = ("units", "equipment", "vehicles")
SECRET: Final = ("formation", "rg", "notes")
"""What an entry of the draft does not tell: a piece keeps it anyway."""
HIDDEN: Final = frozenset({"hidden", "cloaked", "HIP"})


class Draft(msgspec.Struct, frozen=True):
    """The draft number ``number`` for the CG Date ``date``."""

    date: str
    number: int
    position: dict[str, Any]


def draft_file(game: Path) -> Path:
    """Where the draft of a game is kept."""
    return game.with_name(f".{game.name}.draft.json")


def read_draft(game: Path, state: Campaign) -> Draft | None:
    """The draft of this CG Date, or None."""
    try:
        found = msgspec.json.decode(draft_file(game).read_bytes(), type=Draft)
    except (OSError, msgspec.DecodeError):
        return None
    return found if found.date == state.date.value else None


def keep_draft(game: Path, state: Campaign, number: int, position: dict[str, Any]) -> Draft:
    """Keep ``position`` as the draft; on the disk when this returns."""
    draft = Draft(state.date.value, number, {**position, "format": FORMAT})
    write_atomic(draft_file(game), msgspec.json.encode(draft))
    return draft


def drop_draft(game: Path) -> None:
    """Forget the draft: the position was given."""
    with contextlib.suppress(OSError):
        draft_file(game).unlink()


# -- where it begins ----------------------------------------------------------------------


def first_draft(state: Campaign) -> dict[str, Any]:
    """Everything where both sides last saw it; what only one side knows is not in it."""
    from asl_pbcg.play.campaign_map import pieces_seen

    seen = {line.id: line for line in pieces_seen(state, "")}
    found: dict[str, Any] = msgspec.to_builtins(to_position(state))
    for name in PIECES:
        found[name] = [
            _open(entry)
            for entry in found.get(name, [])
            if (line := seen.get(entry["id"])) and line.location == entry["at"]
        ]
    listed = {entry["id"] for name in PIECES for entry in found[name]}
    for name in PIECES:
        for entry in found[name]:
            for key in ("possesses", "tows"):
                kept = [each for each in entry.get(key, ()) if each in listed]
                entry.pop(key, None)
                if kept:
                    entry[key] = kept
            for key in ("aboard", "guarded_by"):
                if entry.get(key) not in listed:
                    entry.pop(key, None)
    found["fortifications"] = [
        each for each in found.get("fortifications", []) if not each.get("hidden")
    ]
    for key in ("moved_first", "ww_box", "casualty_vp", "notes"):
        found.pop(key, None)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))  # lists, no tuples
    return plain


def _open(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in SECRET}


def tray(state: Campaign, sees: str) -> list[dict[str, Any]]:
    """The pieces that ``sees`` may place, each as an entry of the draft would say it.

    At a screen for both (empty) those of both sides are there, but for what is hidden or waits
    off map: that comes when its side alone looks.
    """
    from asl_pbcg.play.campaign_map import pieces_seen

    seen = {line.id for line in pieces_seen(state, sees)}
    entries = {
        entry["id"]: (name, entry)
        for name in PIECES
        for entry in msgspec.to_builtins(to_position(state, everything=True)).get(name, [])
    }
    found = []
    for piece in state.pieces:
        if piece.id not in entries or not _may_place(piece, sees, seen):
            continue
        own = sees in (UMPIRE, piece.side.value)
        section, entry = entries[piece.id]
        found.append(
            {
                "section": section,
                "kind": piece.kind,
                "group": (piece.own_rg or piece.formation) if own else "",
                "area": piece.area if own else "",
                "entry": _open(entry),
            }
        )
    return found


def _may_place(piece: Piece, sees: str, seen: set[str]) -> bool:
    if sees == UMPIRE or piece.id in seen:
        return True
    if sees:
        return piece.side.value == sees
    area = piece.retained_in
    waits = area is not None and area.is_entry_area and not piece.on_map
    return not waits and not piece.hip and not piece.has(*HIDDEN)


# -- what is wrong with it, and what follows from it ------------------------------------------


def judge(state: Campaign, position: dict[str, Any]) -> dict[str, Any]:
    """The faults of a draft, and the Setup Areas it makes as far as it can be read."""
    from asl_pbcg.campaign.end_position import settle_position

    faults: list[dict[str, str]] = []
    try:
        settled = settle_position(state, position, state.board, state.catalogue, "The position")
    except FaultsError as error:
        faults = [
            {"where": str(each.where), "value": str(each.value), "sentence": str(each)}
            for each in error.faults
        ]
        settled = _readable(state, position)
    except PBCGError as error:
        faults = [{"where": "", "value": "", "sentence": str(error)}]
        settled = _readable(state, position)
    return {"faults": faults, **_areas(state, settled)}


def _readable(state: Campaign, position: dict[str, Any]) -> Position:
    """As much of a draft as makes sense by itself."""
    grid = state.board.grid

    def sound(section: str) -> tuple[Any, ...]:
        kept: list[Any] = []
        entries = position.get(section)
        for entry in entries if isinstance(entries, list) else ():
            with contextlib.suppress(msgspec.ValidationError, PBCGError):
                each: Any = msgspec.convert(entry, LISTS[section])
                if section == "ww_box" or each.location.hex in grid:
                    kept.append(each)
        return tuple(kept)

    def held(side: str) -> tuple[str, ...]:
        control = position.get("control") or {}
        found = control.get(side) if isinstance(control, dict) else ()
        places = found if isinstance(found, list) else ()
        return tuple(
            each for each in places if isinstance(each, str) and each.split("/")[0] in grid
        )

    with contextlib.suppress(msgspec.ValidationError):
        control = msgspec.convert({side.value: held(side.value) for side in state.sides}, Control)
        lists: dict[str, Any] = {name: sound(name) for name in LISTS if name != "ww_box"}
        return Position(format=FORMAT, date=state.date, control=control, **lists)
    return Position(format=FORMAT, date=state.date)


def _areas(state: Campaign, position: Position) -> dict[str, Any]:
    from asl_pbcg.campaign.area_rulings import AreaRulings
    from asl_pbcg.campaign.areas import determine_areas
    from asl_pbcg.campaign.areas_report import areas_report
    from asl_pbcg.campaign.strategic import StrategicLocations

    try:
        rulings = AreaRulings.of(state.house_rules)
        found = determine_areas(state.board, position, rulings, state.coming_date, state.catalogue)
        strategic = StrategicLocations(position, state.board, state.catalogue)
    except (PBCGError, KeyError, ValueError):  # a draft may be anything
        return {"areas": None, "strategic": []}
    return {"areas": areas_report(found), "strategic": sorted(strategic.hexes)}
