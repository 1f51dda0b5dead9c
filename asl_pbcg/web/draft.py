"""The drafts of a game: the end position, and each side's setup; kept beside the game file.

One draft of the end position, for everybody who enters it: what it holds stands on the map for
both to see. What a side alone knows (hidden pieces) is asked of that side afterwards and never
stands in it. The draft of a setup is its side's own.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import FORMAT, LISTS, Control, Position
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited
from asl_pbcg.kernel.views import UMPIRE

PIECES: Final = ("units", "equipment", "vehicles")
SECRET: Final = ("formation", "rg", "notes")
"""What an entry of the draft does not tell: a piece keeps it anyway."""
HIDDEN: Final = (UnitStatus.HIDDEN, UnitStatus.CLOAKED)
MOST: Final = 4 * 1024 * 1024
"""So many bytes a draft may have on the disk; one that a page sends is half as large at most."""


class Draft(msgspec.Struct, frozen=True):
    """The draft number ``number`` for the CG Date ``date``."""

    date: str
    number: int
    position: dict[str, Any]


def draft_file(game: Path, setup: Side | None = None) -> Path:
    """Where a draft of a game is kept: of the end position, or of the setup of a side."""
    return game.with_name(f".{game.name}.{f'{setup}-setup' if setup else 'draft'}.json")


def read_draft(game: Path, state: Campaign, setup: Side | None = None) -> Draft | None:
    """The draft of this CG Date, or None.

    Raises PBCGError for a file that is far larger than any draft.
    """
    file = draft_file(game, setup)
    if not file.exists():
        return None
    try:
        found = msgspec.json.decode(read_limited(file, MOST), type=Draft)
    except (msgspec.DecodeError, RecursionError):
        return None
    except PBCGError as error:
        raise PBCGError(
            f"{error} It holds a draft of {game.name}: move it away to begin anew."
        ) from error
    return found if found.date == state.date.value else None


def keep_draft(
    game: Path, state: Campaign, number: int, position: dict[str, Any], setup: Side | None = None
) -> Draft:
    """Keep ``position`` as the draft; on the disk when this returns."""
    draft = Draft(state.date.value, number, {**position, "format": FORMAT})
    write_atomic(draft_file(game, setup), msgspec.json.encode(draft))
    return draft


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
    _cut_loose([entry for name in PIECES for entry in found[name]])
    found["fortifications"] = [
        each for each in found.get("fortifications", []) if not each.get("hidden")
    ]
    for key in ("moved_first", "ww_box", "casualty_vp", "notes"):
        found.pop(key, None)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))  # lists, no tuples
    return plain


def _cut_loose(entries: list[dict[str, Any]]) -> None:
    """Let no entry name a piece that is none of ``entries``."""
    listed = {entry["id"] for entry in entries}
    for entry in entries:
        for key in ("possesses", "tows"):
            kept = [each for each in entry.get(key, ()) if each in listed]
            entry.pop(key, None)
            if kept:
                entry[key] = kept
        for key in ("aboard", "guarded_by"):
            if entry.get(key) not in listed:
                entry.pop(key, None)


def _open(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in SECRET}


def tray(state: Campaign, sees: str, played: bool = False) -> list[dict[str, Any]]:
    """Return the pieces that ``sees`` may place, each as an entry of the draft would say it.

    At a screen for both (empty) those of both sides are there, but for what is hidden or waits off
    map: that comes when its side alone looks. What an RG brought comes once both say that the CG
    scenario is ``played``: what set up on the map was seen in it. What the
    OB of the Initial Scenario prints is no secret, wherever it waits. What was Retained
    elsewhere since has no place. Rule: 9.51, 9.52.
    """
    from asl_pbcg.play.campaign_map import pieces_seen

    seen = {line.id: line.location for line in pieces_seen(state, sees)}
    entries = {
        entry["id"]: (name, entry)
        for name in PIECES
        for entry in msgspec.to_builtins(to_position(state, everything=True)).get(name, [])
    }
    found = []
    for piece in known_to(state, sees, played).pieces:
        if piece.id not in entries:
            continue
        own = sees in (UMPIRE, piece.side.value)
        section, entry = entries[piece.id]
        if seen.get(piece.id, "") != entry["at"]:
            entry = entry | {"at": ""}
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


def known_to(state: Campaign, sees: str, played: bool = False) -> Campaign:
    """The campaign with those pieces alone that ``sees`` may place; see :func:`tray`."""
    from asl_pbcg.play.campaign_map import pieces_seen

    seen = {line.id for line in pieces_seen(state, sees)}
    first = state.frame.campaigns[state.campaign].dates[0]
    pieces = [
        piece
        for piece in state.pieces
        if _may_place(piece, sees, seen, piece.received is first and not piece.own_rg, played)
    ]
    return change(state, pieces=tuple(pieces))


def _may_place(piece: Piece, sees: str, seen: set[str], is_printed: bool, played: bool) -> bool:
    if sees == UMPIRE or piece.id in seen:
        return True
    if sees:
        return piece.side.value == sees
    if piece.own_rg and not played:  # bought in secret, and nobody has seen it yet
        return False
    area = piece.retained_in
    waits = area is not None and area.is_entry_area and not piece.on_map and not is_printed
    return not waits and not piece.hip and not piece.has(*HIDDEN)


# -- the setup of a side ------------------------------------------------------------------


def first_setup(state: Campaign, side: Side) -> dict[str, Any]:
    """What may stand in one place only stands there, what is off map is there. Rule: 9.6202."""
    from asl_pbcg.refit.setup_rules import setups

    entries: dict[str, list[dict[str, Any]]] = {name: [] for name in PIECES}
    known = {each["entry"]["id"]: each for each in setup_tray(state, side)[0]}
    for each in setups(state, side):
        at = each.fixed or (f"off-map {each.entry}" if each.hexes is None and each.entry else "")
        if at and each.piece.id in known:
            found = known[each.piece.id]
            entries[found["section"]].append({**found["entry"], "at": at})
    _cut_loose([entry for name in PIECES for entry in entries[name]])
    return {"format": FORMAT, "date": state.date.value, **entries}


def setup_tray(state: Campaign, side: Side) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The pieces that ``side`` sets up, and the places they may: words, rule, hexes.

    Each piece names its place by number. Rule: 9.62021, 9.62022, CG6.
    """
    from asl_pbcg.refit.setup_rules import setups

    position = msgspec.to_builtins(to_position(state, everything=True))
    entries = {entry["id"]: (name, entry) for name in PIECES for entry in position.get(name, [])}
    places: dict[tuple[str, str, tuple[str, ...] | None], int] = {}
    found, plain = [], []
    for each in setups(state, side):
        if each.piece.id not in entries:
            continue
        hexes = tuple(map(str, each.hexes)) if each.hexes is not None else None
        if each.fixed:
            hexes = (each.fixed.split("/")[0],)
        number = places.setdefault((each.words, each.rule, hexes), len(places))
        section, entry = entries[each.piece.id]
        own: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(_open(entry)))
        plain.append(own | {"at": ""})
        found.append(
            {
                "section": section,
                "kind": each.piece.kind,
                "group": f"{'Isolated: ' if each.isolated else ''}{each.words}",
                "area": each.piece.area,
                "place": number,
                "entry": plain[-1],
            }
        )
    _cut_loose(plain)
    listed = [
        {"words": words, "rule": rule, "hexes": None if hexes is None else list(hexes)}
        for words, rule, hexes in places
    ]
    return found, listed


def judge_setup(state: Campaign, side: Side, position: dict[str, Any]) -> dict[str, Any]:
    """What the rules do not allow in the draft of a setup; the Setup Areas as they stand.

    Rule: 9.6202.
    """
    from asl_pbcg.campaign.areas_report import areas_report
    from asl_pbcg.play.campaign_map import areas_seen
    from asl_pbcg.refit.setup_rules import check_setup

    try:
        faults = _fault_words(check_setup(state, side, msgspec.convert(position, Position)))
    except (msgspec.ValidationError, PBCGError) as error:
        faults = [{"where": "", "value": "", "sentence": f"This is no setup: {error}."}]
    areas = None
    if state.determined is not None:
        areas = areas_report(areas_seen(state, side.value))
    return {"faults": faults, "areas": areas, "strategic": []}


def _fault_words(faults: list[Fault]) -> list[dict[str, str]]:
    return [
        {"where": str(each.where), "value": str(each.value), "sentence": str(each)}
        for each in faults
    ]


# -- what is wrong with it, and what follows from it ------------------------------------------


def judge(state: Campaign, position: dict[str, Any]) -> dict[str, Any]:
    """The faults of a draft, and the Setup Areas it makes as far as it can be read."""
    from asl_pbcg.campaign.end_position import settle_position

    faults: list[dict[str, str]] = []
    try:
        settled = settle_position(state, position, state.board, state.catalogue, "The position")
    except FaultsError as error:
        faults = _fault_words(list(error.faults))
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

    def held_places(side: str) -> tuple[str, ...]:
        control = position.get("control") or {}
        found = control.get(side) if isinstance(control, dict) else ()
        places = found if isinstance(found, list) else ()
        return tuple(
            each for each in places if isinstance(each, str) and each.split("/")[0] in grid
        )

    with contextlib.suppress(msgspec.ValidationError):
        control = msgspec.convert(
            {side.value: held_places(side.value) for side in state.sides}, Control
        )
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
    named = {place.partition("/")[0] for place in strategic.objectives}
    return {"areas": areas_report(found), "strategic": sorted({*strategic.hexes, *named})}
