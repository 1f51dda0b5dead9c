"""The contents of the campaign's sheets: CG Roster, RG Purchase Record, force rosters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.location import Area, is_off_map
from asl_pbcg.campaign.map.counter_faces import counter_sign
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.sheets.record_tables import force_tables, purchase_tables, roster_tables
from asl_pbcg.campaign.state.piece_names import mark, short_name
from asl_pbcg.campaign.state.record_lines import (
    UMPIRE,
    ForceLine,
    FortificationLine,
    PurchaseLine,
    RosterLine,
    lines_for_side,
    viewer_named,
)
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.records.layout import Layout
from asl_pbcg.records.sheet import Sheet, Strip
from asl_pbcg.records.templates import load_layout


class SheetHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The head and foot of every sheet of a campaign."""

    campaign: str = "Pegasus Bridge"
    dates: tuple[CGDate, ...] = tuple(CGDate)
    """The CG Dates of the campaign: eight in CG I, five in CG II. Rule: 9.51, 9.52."""
    date: CGDate | None = None
    """The CG Date the sheet is printed for."""
    players: tuple[tuple[Side, str], ...] = ((Side.BRITISH, ""), (Side.GERMAN, ""))
    """Return the name of each side's player."""
    balance: str = ""

    @property
    def strip(self) -> Strip:
        """The CG Dates, the present one marked."""
        names = tuple(date.title for date in self.dates)
        return Strip("CG Date", names, self.date.title if self.date else "")

    @property
    def player_facts(self) -> list[tuple[str, str]]:
        """The players as the head of a sheet names them."""
        return [(f"{side.title} player", name) for side, name in self.players]


def cg_roster(
    lines: Sequence[RosterLine] | None,
    header: SheetHeader,
    viewer: str = UMPIRE,
    templates: Path | None = None,
    blank: bool = False,
) -> Sheet:
    """The CG Roster as ``viewer`` may see it: one line per CG Date, those to come preprinted.

    Without ``lines`` it is the blank form; with ``blank`` they are what is preprinted on it.
    Rule: 9.13, 9.2, 9.617, 9.62022.
    """
    by_date = {line.date: line for line in lines_for_side(lines or (), viewer)}
    if len(by_date) != len(lines or ()):
        raise ValueError("a CG Date has more than one line on the CG Roster")
    dates = [*header.dates, *(date for date in by_date if date not in header.dates)]
    rows = [by_date.get(date) or RosterLine(date=date) for date in sorted(dates, key=_place)]
    layout = load_layout("cg_roster", templates)
    tables = {
        "dates": [_roster_row(line) for line in rows],
        "fortifications": [_fortification_row(line) for line in rows],
    }
    sheet = _sheet(layout, tables, header, viewer, blank=blank or lines is None)
    return replace(sheet, data=roster_tables(rows, viewer))


def rg_purchase_record(
    lines: Sequence[PurchaseLine] | None,
    header: SheetHeader,
    viewer: str = UMPIRE,
    templates: Path | None = None,
) -> Sheet:
    """The RG Purchase Record as ``viewer`` may see it: one line per RG. Rule: 9.13, 9.6178.

    Without ``lines`` it is the blank form. The British see no more than RG given by an
    Initial Scenario, not even how many lines the German has.
    """
    layout = load_layout("rg_purchase_record", templates)
    visible = lines_for_side(lines or (), viewer)
    tables = {} if lines is None else {"groups": [_purchase_row(line) for line in visible]}
    sheet = _sheet(layout, tables, header, viewer, blank=lines is None)
    return replace(sheet, data=purchase_tables(visible))


def force_roster(
    lines: Sequence[ForceLine] | None,
    side: Side,
    header: SheetHeader,
    viewer: str = UMPIRE,
    templates: Path | None = None,
    areas: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
) -> Sheet:
    """All units, leaders and Equipment of ``side`` by Setup/Entry Area, as ``viewer`` may see.

    ``areas`` says more of an area, by its ID: for an Initial Scenario, where it lies. With the
    ``catalogue`` the counters are drawn. Without ``lines`` it is the blank form. The other side
    sees what stands on the map for all to see. Rule: 9.2 OB and Retained.
    """
    layout = load_layout("force_roster", templates)
    part = [line for line in lines_for_side(lines or (), viewer) if line.side is side]
    part.sort(key=_force_order)
    enemy = viewer_named(viewer) is side.other
    names = {line.id: line.name or short_name(line.id) for line in part}
    places = ["Known on the map" if enemy else _area_title(line.area, areas or {}) for line in part]
    # At CG End there are no Setup Areas: then the formation says enough.
    bare = not any(line.area and Area.parse(line.area).is_setup_area for line in part)
    sections = [
        place if enemy else _force_section(line, place, bare)
        for line, place in zip(part, places, strict=True)
    ]
    count = Counter(sections)
    rows = {
        "pieces": [
            _force_row(line, section, count[section], names)
            | {"where": place}
            | {"counter": counter_sign(line, catalogue) if catalogue else None}
            for line, place, section in zip(part, places, sections, strict=True)
        ]
    }
    tables = {} if lines is None else rows
    title = f"{side.title} {layout.title}"
    sheet = _sheet(layout, tables, header, viewer, blank=lines is None, title=title)
    return replace(sheet, data=force_tables(part))


_KINDS = ("MMC", "SMC", "SW", "Gun", "vehicle", "other")
_BY_SIZE = re.compile(r"(foxhole|hip)-(\w+)")


def _place(date: CGDate) -> int:
    return date.number


def _sheet(
    layout: Layout,
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    header: SheetHeader,
    viewer: str,
    blank: bool,
    title: str = "",
) -> Sheet:
    side = viewer_named(viewer)
    date = header.date.title if header.date else ""
    facts = [*header.player_facts, ("Balance", header.balance)]
    if not blank:
        facts.append(("Seen by", side.title if side else "Umpire"))
    return Sheet(
        layout=layout,
        tables=tables,
        title=title,
        subtitle=header.campaign,
        facts=tuple(facts),
        footer=", ".join(part for part in (header.campaign, date) if part),
        strip=header.strip,
    )


def _side(side: Side | None) -> str:
    return side.title if side else ""


def _roster_row(line: RosterLine) -> dict[str, Any]:
    plain = (
        "british_san german_san british_elr german_elr british_cvp_lost german_cvp_lost "
        "cpp_base cpp_loss_points cpp_available cpp_spent cpp_left british_fpp_received "
        "british_fpp_spent german_fpp_received german_fpp_spent reinforcements"
    )
    bought = [f"{x.rg} {x.cpp}" if x.cpp is not None else x.rg for x in line.rg_purchased]
    notes = [line.notes, line.british_notes, line.german_notes]
    return {
        "date": line.date.title,
        "first_setup": _side(line.first_setup),
        "first_move": _side(line.first_move),
        "rg_purchased": ", ".join(bought),
        "notes": "\n".join(note for note in notes if note),
        **facts_of(line, plain),
    }


def _fortification_row(line: RosterLine) -> dict[str, Any]:
    row: dict[str, Any] = {"date": line.date.title}
    for side in Side:
        for column, write in _FORTIFICATIONS.items():
            entries = [x for x in line.fortifications if x.side is side and _column(x) == column]
            row[f"{side.value}_{column}"] = write(entries)
    return row


def _column(entry: FortificationLine) -> str:
    sized = _BY_SIZE.fullmatch(entry.kind)
    kind = sized[1] if sized else entry.kind.replace("-", "_")
    british_only = kind in ("ap_mines", "at_mines", "starshell") and entry.side is Side.GERMAN
    return kind if kind in _FORTIFICATIONS and not british_only else "other"


def _list_words(entries: Iterable[FortificationLine]) -> str:
    counts = Counter[FortificationLine]()
    for entry in entries:  # those of a kind that are not set up yet are one line
        counts[msgspec.structs.replace(entry, count=1, known=False)] += entry.count
    return "\n".join(
        _entry(msgspec.structs.replace(entry, count=count)) for entry, count in counts.items()
    )


def _entry(entry: FortificationLine) -> str:
    """One Fortification as players write it: ``2 × 3S K12, L9`` or ``6 factors W20``."""
    sized = _BY_SIZE.fullmatch(entry.kind)
    what = entry.what
    if sized and sized[1] == "foxhole":
        what = sized[2].upper()
    elif entry.factors:
        what = f"{entry.factors} factor{'s' if entry.factors != 1 else ''}"
    elif sized and not what:
        what = sized[2].upper() if sized[2] in ("hs", "smc") else sized[2]
    elif _column(entry) == "other" and not what:
        what = entry.kind.replace("-", " ").replace("_", " ").capitalize()
    times = f"{entry.count} ×" if entry.count != 1 else ""
    return " ".join(part for part in (times, what, ", ".join(entry.at)) if part)


def _count_words(entries: Iterable[FortificationLine]) -> int | None:
    """How many: a number, for what has no place on the map."""
    return sum(entry.count for entry in entries) or None


def _dummies(entries: Iterable[FortificationLine]) -> str | int | None:
    entries = list(entries)
    return _list_words(entries) if any(entry.at for entry in entries) else _count_words(entries)


_FORTIFICATIONS: Mapping[str, Callable[[list[FortificationLine]], str | int | None]] = {
    "foxhole": _list_words,
    "ap_mines": _list_words,
    "at_mines": _list_words,
    "dummy": _dummies,
    "hip": _list_words,
    "san": _count_words,
    "starshell": _count_words,
    "other": _list_words,
}


def _purchase_row(line: PurchaseLine) -> dict[str, Any]:
    alone = line.units[0].number if len(line.units) == 1 else None
    numbers = "\n".join(str(units.number) for units in line.units)
    plain = "rg group_type number_purchased number_remaining strength hmg mmg lmg mtr area"
    return {
        "date": line.date.title,
        "unit_number": alone if alone is not None else numbers,
        "unit_type": "\n".join(units.type for units in line.units),
        "leaders": ", ".join(line.leaders),
        "cpp_cost": line.cpp_cost,
        "entry_cost": line.entry_cost,
        "given": "OB" if line.given else "",
        **facts_of(line, plain),
    }


def _area_place(area: str) -> tuple[bool, bool, int, str]:
    """Setup Areas A, B, ... AA, then Entry Areas, then what has none."""
    return (not area, *Area.parse(area).order) if area else (True, False, 0, "")


def _area_title(area: str, areas: Mapping[str, str]) -> str:
    if not area:
        return "No Setup or Entry Area"
    return ": ".join(part for part in (str(Area.parse(area)), areas.get(area)) if part)


def _force_order(line: ForceLine) -> tuple[Any, ...]:
    return _area_place(line.area), line.formation, _KINDS.index(line.kind), line.type


def _force_section(line: ForceLine, place: str, bare: bool) -> str:
    parts = ("" if bare and line.formation and not line.area else place, line.formation)
    return " · ".join(part for part in parts if part)


def _force_row(
    line: ForceLine, section: str, count: int, names: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "section": f"{section}: {number_words(count, 'piece', 'pieces')}",
        "name": "" if line.kind == "other" else line.name or mark(line.id),
        "id": line.id,
        "type": line.type,
        "kind": line.kind_words,
        "unit_class": line.unit_class,
        "formation": line.formation,
        "status": status_words(line.status),
        "possession": ", ".join(names.get(item, short_name(item)) for item in line.possesses),
        "location": "off map" if is_off_map(line.location) else line.location,
        "area": line.area,
        "rg": line.rg,
        "notes": line.notes,
    }
