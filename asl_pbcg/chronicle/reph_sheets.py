"""Sheets of the Refit Phase: the table of Setup Areas, Setup Sheets, the map record, the report.

The table lists every piece by Setup Area, Entry Area and the ground between. Rule: 9.605, 9.6054.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.areas.area_map import SetupArea, Territory, short
from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.map.board_sheet import MapHeading, map_sheet
from asl_pbcg.campaign.map.counter_faces import counter_sign
from asl_pbcg.campaign.map.map_layers import position_sheet
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.scenario.scenario_facts import statuses_that_matter
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.sheets.campaign_sheets_content import SheetHeader
from asl_pbcg.campaign.sheets.ledger import force_line, header
from asl_pbcg.campaign.sheets.scenario_card import card_for, evening_rows, scenario_card
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import mark
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import UMPIRE, viewer_named
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.situation import in_board_order, is_isolated, territory
from asl_pbcg.refit.helpers.status_chart import Status, status_of
from asl_pbcg.refit.setup.setup_rules import Setup, fortification_setups, setups


class PieceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One unit or piece of Equipment on the page."""

    id: str
    side: Side
    type: str
    at: str
    """Its Location; of what was Retained elsewhere, the one where it ended the scenario."""
    moved: bool
    """Whether it was Retained elsewhere than it stood."""
    isolated: bool
    says: str
    """The words of the status chart. Rule: 9.6056."""
    rule: str


class AreaLine(msgspec.Struct, frozen=True, kw_only=True):
    """A Setup Area, an Entry Area, No Man's Land or Uncontrolled Territory, with all in it."""

    title: str
    side: Side | None = None
    id: str = ""
    name: str = ""
    """The name its side gave it beside its ID."""
    isolated: bool = False
    eligible: bool = True
    """Of an Entry Area: whether it is Eligible."""
    strategic_locations: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    front_line: tuple[str, ...] = ()
    pieces: tuple[PieceLine, ...] = ()


def area_title(state: Campaign, side: Side, id: str) -> str:
    """Return a Setup Area as players know it: its ID, and its name if it has one. Rule: 9.6054."""
    name = state.area_names.get(f"{side.value}/{id}")
    return f"Setup Area {id} ({name})" if name else f"Setup Area {id}"


def area_table(state: Campaign, viewer: Side | None = None) -> list[AreaLine]:
    """Return each side's Setup Areas and Entry Areas, then the ground between, with what is there.

    The map and what stands on it both sides may see. What waits off map only its own side sees:
    with a ``viewer`` the other side's is left out. Rule: 9.605, 9.6054, 9.6056.
    """
    lines = []
    for side in state.sides:
        lines += [_setup_area(state, area) for area in state.areas.areas[side]]
        lines += _entry_areas(state, side, viewer)
    for where in (Territory.NO_MANS_LAND, Territory.UNCONTROLLED):
        lines.append(_between(state, where))
    lines.append(_in_enemy_areas(state))
    return lines


def _setup_area(state: Campaign, area: SetupArea) -> AreaLine:
    pieces = [
        piece
        for piece in state.pieces
        if piece.side is area.side and piece.area == area.id and not piece.is_prisoner
    ]
    return AreaLine(
        title=f"{area.side.title} {area_title(state, area.side, area.id)}",
        side=area.side,
        id=area.id,
        name=state.area_names.get(f"{area.side.value}/{area.id}", ""),
        isolated=area.isolated,
        strategic_locations=tuple(str(location) for location in area.strategic_locations),
        hexes=tuple(area.hexes.names),
        front_line=tuple(area.front_line.names),
        pieces=_piece_lines(state, [*pieces, *_prisoners_of(state, pieces)]),
    )


def _prisoners_of(state: Campaign, guards: Iterable[Piece]) -> list[Piece]:
    ids = {guard.id for guard in guards}
    return [piece for piece in state.pieces if piece.guarded_by in ids]


def _entry_areas(state: Campaign, side: Side, viewer: Side | None) -> list[AreaLine]:
    lines = []
    for entry in state.areas.entry_areas[side]:
        is_visible = viewer in (None, side)
        pieces = [piece for piece in state.pieces if piece.side is side and piece.area == entry.id]
        if entry.eligible or (pieces and is_visible):
            lines.append(
                AreaLine(
                    title=f"{side.title} Entry Area {entry.id}",
                    side=side,
                    id=entry.id,
                    eligible=entry.eligible,
                    hexes=tuple(entry.hexes.names),
                    pieces=_piece_lines(state, pieces if is_visible else []),
                )
            )
    return lines


def _between(state: Campaign, where: Territory) -> AreaLine:
    areas = state.areas
    hexes = areas.no_mans_land if where is Territory.NO_MANS_LAND else areas.uncontrolled
    return AreaLine(
        title=where.value,
        hexes=tuple(hexes.names),
        pieces=_piece_lines(state, [p for p in _nowhere(state) if territory(state, p) is where]),
    )


def _in_enemy_areas(state: Campaign) -> AreaLine:
    pieces = [p for p in _nowhere(state) if territory(state, p) is Territory.ENEMY]
    return AreaLine(title="in enemy Setup Areas", pieces=_piece_lines(state, pieces))


def _nowhere(state: Campaign) -> list[Piece]:
    """Return what is Retained nowhere, prisoners aside."""
    return [
        piece
        for piece in state.pieces
        if not piece.area and not piece.is_prisoner and piece.is_unit_or_equipment
    ]


def _piece_lines(state: Campaign, pieces: list[Piece]) -> tuple[PieceLine, ...]:
    lines = []
    for piece in in_board_order(state, pieces):
        status: Status = status_of(state, piece)
        moved = piece.on_map and not still_there(state, piece)
        lines.append(
            PieceLine(
                id=piece.id,
                side=piece.side,
                type=piece.type,
                at=piece.at,
                moved=moved,
                isolated=not piece.is_prisoner and is_isolated(state, piece),
                says="Retained here" if moved else status.says,
                rule=status.rule,
            )
        )
    return tuple(lines)


def setup_sheet(
    state: Campaign, side: Side, viewer: str = UMPIRE, templates: Path | None = None
) -> Sheet:
    """Return what of ``side`` may set up where in the coming CG scenario; the side's own secret.

    Raises PBCGError if the other side asks. Rule: 9.62021, 9.62022.
    """
    eyes = viewer_named(viewer)
    if eyes is not None and eyes is not side:
        raise PBCGError(f"The {side.title} setup sheet is for the {side.title} player alone.")
    all_setups = [*setups(state, side), *fortification_setups(state, side)]
    usual = _usual_words(state, all_setups)
    sections = _sections(usual)
    made = [_row(state, setup, usual, sections) for setup in all_setups]
    made += [*_wards(state, side, made), *_purchases(state, side), *_dummies(state, side, sections)]
    count = Counter(row["section"] for row in made if row["id"])
    for row in made:
        if row["section"] != _BOUGHT and (pieces := count[row["section"]]):
            row["section"] += f": {number_words(pieces, 'piece', 'pieces')}"
    areas = state.areas if state.determined is not None else None
    card = card_for(scenario_card(state, state.board, areas), side.value)
    layout = load_layout("setup_sheet", templates)
    san = {own_side: san_in_force(state, own_side) for own_side in state.sides}
    tables = {
        "pieces": sorted(made, key=lambda row: row["order"]),
        "card": [{"text": card_line.text, "rule": card_line.rule} for card_line in card],
        _EVENING: evening_rows(state.module, state.campaign, san),
    }
    return _sheet(layout, tables, header(state), f"{side.title} {layout.title}")


_EVENING = "evening"


def blank_setup_sheets(
    sides: Iterable[Side], head: SheetHeader, templates: Path | None = None
) -> list[Sheet]:
    """Return an empty Setup Sheet of each of ``sides``; what an evening rolls is on its card."""
    layout = load_layout("setup_sheet", templates)
    forms = tuple(table for table in layout.tables if table.key != _EVENING)
    form = msgspec.structs.replace(layout, tables=forms)
    return [_sheet(form, {}, head, f"{side.title} {layout.title}") for side in sides]


_Heading = tuple[int, str, str]
"""The place of a heading in the order, its area, and the new RG that sets up or enters there."""


def _group(state: Campaign, setup: Setup) -> _Heading:
    """Return under which heading a piece stands."""
    order = 0 if setup.isolated else 2 if setup.entry else 1
    return order, setup.entry if order == 2 else setup.piece.area, _new_rg(state, setup)


def _new_rg(state: Campaign, setup: Setup) -> str:
    """Return the RG received for this CG Date with which a piece sets up or enters. Rule: CG6."""
    own = setup.piece.own_rg
    return (
        own if any(group.key == own and group.date is state.date for group in state.groups) else ""
    )


def _usual_words(state: Campaign, all_setups: Iterable[Setup]) -> dict[_Heading, str]:
    """Return by heading where most of its pieces that may choose set up."""
    words = {_group(state, setup): Counter[str]() for setup in all_setups}
    for setup in all_setups:
        if not setup.fixed:
            words[_group(state, setup)][setup.words] += 1
    return {
        group: max(counts, key=counts.__getitem__, default="") for group, counts in words.items()
    }


_WHEN = {0: "First, Isolated", 1: "Then", 2: "Off map"}


def _sections(usual: Mapping[_Heading, str]) -> dict[_Heading, str]:
    """Return the words of each heading; where to set up stands in the first of several RG."""
    sections: dict[_Heading, str] = {}
    usual_places: dict[tuple[int, str], str] = {}
    for order, area, rg in sorted(usual):
        words, place = usual[order, area, rg], _place(area)
        section = f"{_WHEN[order]}: {place}"
        usual_there = words in ("", f"sets up in {place}", f"enters at {place}")
        if not usual_there and usual_places.get((order, area)) != words:
            section += f", {words.removeprefix('sets up ')}"
            usual_places[order, area] = words
        sections[order, area, rg] = section + (f", RG {rg}" if rg else "")
    return sections


def _order_of_head(head: _Heading) -> tuple[int, tuple[bool, str, str]]:
    """Return the place of a heading: what is outside all Setup Areas comes after them."""
    order, area, rg = head
    return order, (not area, area, rg)


def _row(
    state: Campaign, setup: Setup, usual: Mapping[_Heading, str], sections: Mapping[_Heading, str]
) -> dict[str, Any]:
    piece = setup.piece
    group = _group(state, setup)
    notes = [*piece.remarks]
    if setup.isolated:
        notes.append("Ammunition Shortage")
    if piece.hip:
        notes.append("HIP")
    status = status_words(statuses_that_matter(piece, state.date))
    # The heading says where most may set up; Isolation stands there too.
    own = "" if setup.words == usual[group] else setup.words
    if setup.fixed:  # its place has a column of its own
        verb, _, facing = setup.words.partition(f" in {piece.location.hex}")
        own = f"stays{facing.partition('/')[0]}" if verb == "stays" else ""
    remarks = [own, status, *(note for note in notes if note != "Ammunition Shortage")]
    return {
        "order": (
            *_order_of_head(group),
            _ORDER.get(piece.kind, 9),
            piece.type,
            _order_of_id(piece.id),
        ),
        "section": sections[group],
        "counter": counter_sign(force_line(state, piece), state.catalogue),
        "name": "" if piece.kind == "fortification" else piece.name or mark(piece.id),
        "id": piece.id,
        "type": piece.type,
        "remark": "; ".join(part for part in remarks if part),
        "where": setup.words,
        "rule": setup.rule,
        "rg": piece.own_rg,
        "status": status,
        "notes": "; ".join(notes),
        "location": setup.fixed,
    }


def _order_of_id(id: str) -> list[tuple[int, str]]:
    """Return an id as it is put in order: 7 before 11."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", id)]


_ORDER = {"vehicle": 0, "squad": 1, "half_squad": 2, "crew": 3, "leader": 4, "hero": 4, "gun": 5}
"""In which order the kinds of pieces stand under a heading."""


def _wards(state: Campaign, side: Side, rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Return the prisoners whom a side's units guard, Isolated or not. Rule: 9.608."""
    guards = {row["id"]: row for row in rows}
    for prisoner in state.of(side.other):
        if prisoner.is_prisoner and (guard := guards.get(prisoner.guarded_by)):
            words = f"prisoner, guarded by {guard['type']} {guard['name']}"
            yield {
                "order": (*guard["order"][:2], 8, prisoner.type, _order_of_id(prisoner.id)),
                "section": guard["section"],
                "counter": counter_sign(force_line(state, prisoner), state.catalogue),
                "name": prisoner.name or mark(prisoner.id),
                "id": prisoner.id,
                "type": prisoner.type,
                "remark": words,
                "where": f"with his Guard {mark(guard['id'])}",
                "rule": "9.608",
                "status": status_words(prisoner.status),
                "notes": words,
                "location": guard["location"],
            }


def _purchases(state: Campaign, side: Side) -> Iterable[dict[str, Any]]:
    """Return what the side bought with FPP for the coming CG scenario, mines too. Rule: 9.619."""
    kinds = state.charts.fortifications.kinds
    for purchase in state.bought:
        # Dummies are counted with those that were received.
        if purchase.side is not side or purchase.date is not state.date or purchase.kind == "dummy":
            continue
        unit = next((piece for piece in state.pieces if piece.id == purchase.unit), None)
        words = f"{unit.type} {unit.name or mark(unit.id)}" if unit else ""
        many = f" ×{purchase.factors}" if purchase.factors else ""
        place = f"set up in {purchase.at}" if purchase.at else ""
        yield {
            "order": (3, (), 0, purchase.kind, _order_of_id(purchase.key)),
            "section": _BOUGHT,
            "name": "",
            "id": purchase.key,
            "type": f"{kinds[purchase.kind].name}{many}",
            "remark": words,
            "where": words
            or place
            or ("in force" if kinds[purchase.kind].most else "in a Setup Area"),
            "rule": "9.619",
            "location": purchase.at,
        }


_BOUGHT = "Bought for this scenario"


def _dummies(
    state: Campaign, side: Side, sections: Mapping[_Heading, str]
) -> Iterable[dict[str, Any]]:
    """Return the "?" of a side: by Setup Area before an Initial Scenario, else in all.

    Rule: 9.52, 9.619.
    """
    groups: list[tuple[tuple[Any, ...], str, int]] = []
    for group in state.charts.initial[state.campaign].groups if state.determined is None else ():
        if group.side is side and group.dummies:
            new = (1, group.area, "")
            head = min((head for head in sections if head[:2] == new[:2]), default=new)
            section = sections.get(head, f"Then: {_place(group.area)}")
            groups.append((_order_of_head(head), section, group.dummies))
    bought = state.dummies.get(side, 0) - sum(count for *_, count in groups)
    if bought > 0:
        groups.append(((3, ()), _BOUGHT, bought))
    for order, section, count in groups:
        yield {
            "order": (*order, 7, "?", []),
            "section": section,
            "name": "",
            "id": "",
            "type": '"?"',
            "remark": f"{count} to set up",
            "where": f"{count} to set up",
            "rule": "9.619" if section == _BOUGHT else "9.52",
            "notes": f"x{count}",
            "location": "",
        }


def _place(area: str) -> str:
    if not area:
        return "outside all Setup Areas"
    return str(Area.parse(area))


def map_record(state: Campaign, paper: str = "a4", templates: Path | None = None) -> Sheet:
    """Return the Setup Areas as 9.605 last determined them, as a table and on the map.

    Both sides see the same. Raises PBCGError before a CG scenario was played. Rule: 9.6054.
    """
    if state.determined is None:
        raise PBCGError("There are no Setup Areas yet: 9.605 determines them after a CG scenario.")
    area_map = state.areas
    rows = []
    for side in state.sides:
        for area in area_map.areas[side]:
            rows.append(
                {
                    "side": side.title,
                    "area": area_title(state, side, area.id),
                    "isolated": "Isolated" if area.isolated else "",
                    "strategic": " ".join(str(location) for location in area.strategic_locations),
                    "hexes": short(area.hexes.names),
                    "front_line": short(area.front_line.names),
                }
            )
        for entry in area_map.entry_areas[side]:
            eligible = "" if entry.eligible else ", not Eligible"
            name = f"Entry Area {entry.id}{eligible}"
            rows.append({"side": side.title, "area": name, "hexes": short(entry.hexes.names)})
    nobodys = short(area_map.no_mans_land.names)
    rows.append({"side": "Neither", "area": "No Man's Land", "hexes": nobodys})
    layout = load_layout("setup_areas", templates)
    sheet = _sheet(layout, {"areas": rows}, header(state))
    name = state.frame.campaigns[state.campaign].title
    drawn = position_sheet(area_map, paper=Paper.parse(paper), campaign=name, terrain=state.terrain)
    return replace(sheet, subtitle=f"Setup Areas after {area_map.date.title}", picture=drawn)


def blank_map(head: SheetHeader, paper: Paper, templates: Path | None = None) -> Sheet:
    """Return an empty table of Setup Areas, and the board to mark them on. Rule: 9.6054."""
    sheet = _sheet(load_layout("setup_areas", templates), {}, head)
    heading = MapHeading(subtitle="Setup Areas", lines=(head.campaign, "CG Date: ____________"))
    return replace(sheet, picture=map_sheet(load_board(), heading=heading, paper=paper))


def report(
    lines: Iterable[LogLine],
    state: Campaign,
    viewer: str = UMPIRE,
    date: str = "",
    templates: Path | None = None,
) -> Sheet:
    """Return the report of a RePh: every decision, every roll with its DRM, what followed.

    ``date`` keeps only the steps of one CG Date, for example ``dawn``. Rule: 9.6.
    """
    viewer_named(viewer)
    rows = [
        {
            "section": _step_title(state, line.step),
            "rule": line.rule,
            "side": f"{line.side.capitalize()} {line.by}".strip(),
            "text": line.text,
            "dice": " ".join(str(face) for face in line.roll.dice) if line.roll else None,
            "drm": line.roll.total_drm if line.roll else None,
            "final": line.roll.final if line.roll else None,
        }
        for line in for_side(lines, viewer)
        if not date or line.step.startswith(f"{date}/")
    ]
    layout = load_layout("reph_report", templates)
    return _sheet(layout, {"lines": rows}, header(state))


def _step_title(state: Campaign, step: str) -> str:
    """Return the heading of a step: ``dawn/9.606`` is Dawn, 9.606 Escape."""
    date, _, number = step.partition("/")
    titles = {chart.step: f"{number} {chart.title}" for chart in state.frame.steps}
    titles |= {SCENARIO: "end of the CG scenario", "9.5": "9.5 Initial Scenario"}
    titles["roster"] = "the roster on paper"
    named = next((cg_date.title for cg_date in state.module.dates if cg_date.value == date), date)
    return f"{named}, {titles[number]}" if number in titles else step.replace("/", "  ")


def _sheet(layout: Any, tables: dict[str, Any], head: SheetHeader, title: str = "") -> Sheet:
    date = head.date.title if head.date else ""
    return Sheet(
        layout=layout,
        tables=tables,
        title=title,
        subtitle=head.campaign,
        facts=tuple(head.player_facts),
        footer=", ".join(filter(None, (head.campaign, date))),
        strip=head.strip,
    )
