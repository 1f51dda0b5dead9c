"""A Refit Phase on one page: what happened to each side, from its events and its two ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.position_words import EquipmentStatus, Status, UnitStatus, VehicleStatus
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.sheets.ledger import header, place_of, roster_lines
from asl_pbcg.campaign.state.campaign_events import PieceEvent
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone
from asl_pbcg.campaign.state.piece_events import (
    BattleHardened,
    Deployed,
    Received,
    Recombined,
    Reduced,
    Repaired,
    Replaced,
)
from asl_pbcg.campaign.state.piece_names import name_list, name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import UMPIRE, lines_for_side, viewer_named
from asl_pbcg.campaign.state.seen import may_know_loss, seen_pieces
from asl_pbcg.campaign.terms import Side
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout

_STATUS: dict[Status, tuple[str, str]] = {
    UnitStatus.WALKING_WOUNDED: ("Walking Wounded", "CG17"),
    UnitStatus.WOUNDED: ("Wounded", "9.610"),
    UnitStatus.FANATIC: ("Fanatic", "9.6112"),
    UnitStatus.HEROIC: ("Heroic", "9.6112"),
    EquipmentStatus.MALFUNCTIONED: ("Malfunctioned", "9.6142"),
    VehicleStatus.IMMOBILIZED: ("Immobilized", "9.6141"),
    VehicleStatus.ABANDONED: ("Abandoned", "9.6141"),
    EquipmentStatus.CAPTURED: ("Captured", "9.607"),
    UnitStatus.PRISONER: ("Prisoners", "9.608"),
}
_TYPE_TOLD = (BattleHardened, Deployed, Recombined, Reduced, Replaced)
"""Events that tell how the type of a piece changed."""
_HOW = {
    "eliminated": "Eliminated",
    "withdrawn": "Withdrawn",
    "replaced": "Replaced",
    "split": "Parted",
    "recombined": "Recombined",
    "promoted": "Promoted",
    "captured": "Taken by the enemy",
}


def reph_summary(
    before: Campaign | None,
    after: Campaign,
    viewer: str = UMPIRE,
    templates: Path | None = None,
    events: Sequence[PieceEvent] = (),
) -> Sheet:
    """The page that tells a RePh in short, as ``viewer`` may see it; empty is both together.

    ``events`` are those since the CG scenario began that ``viewer`` may see. ``before`` is the
    campaign as it began, None if that is not kept. Rule: 9.6, 9.613.
    """
    eyes = viewer_named(viewer) if viewer else None
    layout = load_layout("reph_summary", templates)
    rows = [row for side in after.sides for row in _rows(before, after, side, viewer, events)]
    head = header(after)
    return Sheet(
        layout=layout,
        tables={"points": _points(after, viewer), "events": rows},
        subtitle=f"{head.campaign}, after {after.date_played.title}",
        facts=(
            *head.player_facts,
            ("Seen by", eyes.title if eyes else "Umpire" if viewer == UMPIRE else "Both sides"),
        ),
        footer=f"{head.campaign}, {after.date.title}",
        strip=head.strip,
    )


def _points(state: Campaign, viewer: str) -> list[dict[str, Any]]:
    lines = roster_lines(state)
    for eyes in [viewer] if viewer else state.sides:
        lines = lines_for_side(lines, eyes)
    account = next((line for line in lines if line.date is state.date), None)
    lost = [line for line in lines if line.british_cvp_lost is not None]
    rows: list[dict[str, Any]] = [
        {"what": f"Before {state.date.title}", **_order_words(state)},
        {"what": "SAN", **{side.value: san_in_force(state, side) for side in state.sides}},
    ]
    if lost:
        rows.append(
            {
                "what": f"Casualty VP lost in {lost[-1].date.title}",
                "british": lost[-1].british_cvp_lost,
                "german": lost[-1].german_cvp_lost,
            }
        )
    if account is not None:
        if account.cpp_available is not None:
            words = f"{account.cpp_available} available, {account.cpp_spent or 0} spent"
            rows.append({"what": "CPP", "german": f"{words}, {account.cpp_left} left"})
        rows.append(
            {
                "what": "FPP",
                "british": _pair(account.british_fpp_received, account.british_fpp_spent),
                "german": _pair(account.german_fpp_received, account.german_fpp_spent),
            }
        )
        if account.reinforcements:
            rows.append({"what": "Reinforcements", "british": account.reinforcements})
    return rows


def _order_words(state: Campaign) -> dict[str, str]:
    """Say of each side whether it sets up first and moves first. Rule: 9.62023."""
    order = state.frame.setup_order[state.date]
    firsts = {"sets up first": order.first_setup, "moves first": order.first_move}
    return {
        side.value: " and ".join(words for words, first in firsts.items() if first is side)
        for side in state.sides
    }


def _pair(received: float | None, spent: float | None) -> str:
    if spent is None:
        return "" if received is None else f"{received:g} received"
    return f"{received or 0:g} received, {spent:g} spent"


# What happened to a side's pieces


def _rows(
    before: Campaign | None,
    after: Campaign,
    side: Side,
    viewer: str,
    events: Sequence[PieceEvent],
) -> Iterable[dict[str, Any]]:
    own = [event for event in events if event.piece.side is side]
    told = [*_losses(before, after, side, viewer), *_event_rows(own)]
    if before is None:
        received = [each.piece for each in own if isinstance(each, Received)]
        told += [("Received", name_list(received), "9.610, 9.615, 9.618")]
        told += [("Other changes in play", "not kept", "9.13")] if own else []
        if viewer in (UMPIRE, side.value):
            told += [*_retained_elsewhere(after, side), *_purchases_of(after, side)]
    else:
        told += _changes(before, after, side, viewer, own)
    found = False
    for what, pieces, rule in told:
        if pieces:
            found = True
            yield {"section": side.title, "what": what, "pieces": pieces, "rule": rule}
    if not found:
        what = "Nothing changed" if before is not None else "Not kept"
        yield {"section": side.title, "what": what, "pieces": "", "rule": ""}


Told = tuple[str, str, str]
"""An event: the pieces it happened to, and the rule."""


def _event_rows(events: Sequence[PieceEvent]) -> Iterable[Told]:
    """Yield what happened to a side's pieces by the events alone."""
    for in_play, where in ((True, "in play"), (False, "in the Refit Phase")):
        reduced = [e for e in events if isinstance(e, Reduced) and e.in_play is in_play]
        words = ", ".join(f"{name_piece(each.piece)} to {each.to.type}" for each in reduced)
        yield f"Reduced {where}", words, "A7.302"
    replaced = [each for each in events if isinstance(each, Replaced)]
    words = ", ".join(f"{each.piece.type} by {name_list(each.by)}" for each in replaced)
    yield "Replaced", words, "A19.13"
    deployed = [each for each in events if isinstance(each, Deployed)]
    words = "; ".join(f"{each.piece.type} into {name_list(each.into)}" for each in deployed)
    yield "Deployed", words, "A1.31"
    hardened = [
        change.after
        for each in events
        if isinstance(each, BattleHardened)
        for change in each.changes
        if change.after
    ]
    yield "Battle Hardened", name_list(hardened), "9.611"
    yield "Repaired", name_list(e.piece for e in events if isinstance(e, Repaired)), "9.614"


def _losses(before: Campaign | None, after: Campaign, side: Side, viewer: str) -> Iterable[Told]:
    known = len(before.gone) if before else 0
    if before is None:
        gone = [each for each in after.gone if each.date in (after.date_played, after.date)]
    else:
        gone = list(after.gone[known:])
    own = [each for each in gone if each.piece.side is side and may_know_loss(after, each, viewer)]

    def key(each: Gone) -> tuple[int, str, str]:
        number = 0 if each.step == "scenario" else 1
        return number, each.step, each.how

    for (_, step, how), some in groupby(sorted(own, key=key), key=key):
        where = "in play" if step == "scenario" else "in the Refit Phase"
        what = f"{_HOW.get(how, how.capitalize())} {where}"
        rule = "9.2" if step == "scenario" else step
        yield what, name_list(each.piece for each in some), rule


def _changes(
    before: Campaign, after: Campaign, side: Side, viewer: str, events: Sequence[PieceEvent]
) -> Iterable[Told]:
    """Yield what no event tells yet, by comparing the states."""
    own = viewer in (UMPIRE, side.value)
    old = {piece.id: piece for piece in (before.of(side) if own else seen_pieces(before, side))}
    new = after.of(side) if own else seen_pieces(after, side)
    stayed = [(old[piece.id], piece) for piece in new if piece.id in old]
    if not own:  # the status of vehicles and Guns may be kept secret (CG9)
        stayed = [(a, b) for a, b in stayed if b.is_personnel]
    told = {each.piece.id for each in events if isinstance(each, _TYPE_TOLD)}
    retyped = [(a, b) for a, b in stayed if a.type != b.type and b.id not in told]
    yield "Changed type", ", ".join(f"{a.type} now {name_piece(b)}" for a, b in retyped), "9.6"
    for status, (what, rule) in _STATUS.items():
        found = [b for a, b in stayed if b.has(status) and not a.has(status)]
        yield what, name_list(found), rule
    if own:
        yield from _retained_elsewhere(after, side)
    told = {id for each in events if isinstance(each, Deployed | Replaced) for id in each.came_from}
    fresh = [b for b in new if b.id not in old and b.id not in told]
    if own:
        theirs = {piece.id for piece in before.of(side.other)}
        came = [(_came(after, b, b.id in theirs), b) for b in fresh]
        for what, rule in CAME.items():
            yield what, name_list(b for how, b in came if how == what), rule
        yield from _purchases_of(after, side)
    else:
        yield "Taken from the enemy", name_list(b for b in fresh if b.captured), "9.607"
        yield "Seen for the first time", name_list(b for b in fresh if not b.captured), ""


def _retained_elsewhere(state: Campaign, side: Side) -> Iterable[Told]:
    """Yield what a side has Retained elsewhere than it stands on the map."""
    moved = [
        each
        for each in state.of(side)
        if each.is_unit_or_equipment and each.on_map and each.area and not place_of(state, each)
    ]
    for area, some in groupby(sorted(moved, key=_area), key=_area):
        yield f"Retained in {area}", name_list(some), "9.606, 9.613"


def _purchases_of(state: Campaign, side: Side) -> Iterable[Told]:
    """Yield what a side has bought with CPP and FPP."""
    yield "RG purchased", _purchases(state, side), "9.617"
    yield "Bought with FPP", _fpp_purchases(state, side), "9.619"


CAME = {
    "Received": "9.615, 9.617",
    "Won back": "9.607",
    "Taken from the enemy": "9.607",
    "Captured crews": "9.6071",
    "Walking Wounded placed": "9.6102",
    "Left their vehicles": "9.6051, 9.614",
    "Removed or Scrounged": "9.614",
    "Created": "A15, A18",
    "New": "9.2 OB",
}
"""How a side may have come by a piece, and the rule."""


def _came(state: Campaign, piece: Piece, was_theirs: bool) -> str:
    """How a side has come by a piece that it did not have when the CG scenario began."""
    if piece.captured:
        return "Taken from the enemy"
    if was_theirs:
        return "Won back"
    bought = {group.key for group in state.groups if group.date is state.date}
    if piece.listed_at or piece.rg in bought:
        return "Received"
    if piece.is_prisoner:
        return "Captured crews"
    if piece.has(UnitStatus.WALKING_WOUNDED):
        return "Walking Wounded placed"
    kinds = {
        "crew": "Left their vehicles",
        "sw": "Removed or Scrounged",
        "leader": "Created",
        "hero": "Created",
    }
    return kinds.get(piece.kind, "New")


def _purchases(state: Campaign, side: Side) -> str:
    if side is not Side.GERMAN:
        return ""
    mine = [each for each in state.groups if each.date is state.date and not each.given]
    return ", ".join(f"{each.id} {each.cost + each.entry_cost} CPP" for each in mine)


def _fpp_purchases(state: Campaign, side: Side) -> str:
    kinds = state.charts.fortifications.kinds
    mine = [each for each in state.bought if each.side is side and each.date is state.date]
    counts = Counter(
        f"{kinds[each.kind].name}{f' ×{each.factors}' if each.factors else ''}"
        f"{f' {each.at}' if each.at else ''}"
        for each in mine
    )
    # "HIP, squad" has a comma of its own.
    return "; ".join(f"{many} × {words}" if many > 1 else words for words, many in counts.items())


def _area(piece: Piece) -> str:
    return str(Area.parse(piece.area))
