"""A Refit Phase on one page: what happened to each side, from its events and its two ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position_words import EquipmentStatus, Status, UnitStatus, VehicleStatus
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.sheets.ledger import header, place_of, roster_lines
from asl_pbcg.campaign.state.campaign_events import PieceChange, PieceEvent
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone
from asl_pbcg.campaign.state.piece_events import (
    Abandoned,
    BattleHardened,
    CameInPlay,
    Corrected,
    Deployed,
    Freed,
    HeroCreated,
    LeaderCreated,
    Received,
    Recombined,
    Recovered,
    Reduced,
    Repaired,
    Replaced,
    Replenished,
    Scrounged,
)
from asl_pbcg.campaign.state.piece_names import name_list, name_piece, name_pieces
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import UMPIRE, lines_for_side, viewer_named
from asl_pbcg.campaign.state.seen import seen_pieces
from asl_pbcg.campaign.terms import Side
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout

_WEAPON_STATES: tuple[Literal["malfunctioned", "disabled"], ...] = ("malfunctioned", "disabled")
_STATUS: dict[Status, tuple[str, str]] = {
    UnitStatus.WALKING_WOUNDED: ("Walking Wounded", "CG17"),
    UnitStatus.WOUNDED: ("Wounded", "9.610"),
    UnitStatus.FANATIC: ("Fanatic", "9.6112"),
    UnitStatus.HEROIC: ("Heroic", "9.6112"),
    EquipmentStatus.MALFUNCTIONED: ("Malfunctioned", "9.6142"),
    VehicleStatus.IMMOBILIZED: ("Immobilized", "9.6141"),
    VehicleStatus.ABANDONED: ("Abandoned", "9.6141"),
    VehicleStatus.STUNNED: ("Stunned", "9.6141"),
    VehicleStatus.RECALL: ("Under Recall", "9.6141"),
    **{
        VehicleStatus.of_weapon(weapon, state): (f"{weapon} {state}", "9.6142")
        for weapon in ("MA", "BMG", "CMG", "AAMG")
        for state in _WEAPON_STATES
    },
    VehicleStatus.LOW_AMMO: ("Low Ammo", "9.61425"),
    UnitStatus.PRISONER: ("Prisoners", "9.608"),
}
_TYPE_TOLD = (BattleHardened, Deployed, Freed, Recombined, Reduced, Replaced)
"""Events that tell how the type of a piece changed."""


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
    if state.massacre:
        committed = {side.value: "committed" for side in state.massacre}
        rows.append({"what": "Massacre (CG3)", **committed})
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
    rows = [
        *_losses(events, side),
        *_event_rows(own),
        *_changes(before, after, side, viewer, events),
    ]
    if before is None and own:
        rows.append(("Other changes in play", "not kept", "9.13"))
    has_rows = False
    for what, pieces, rule in rows:
        if pieces:
            has_rows = True
            yield {"section": side.title, "what": what, "pieces": pieces, "rule": rule}
    if not has_rows:
        what = "Nothing changed" if before is not None else "Not kept"
        yield {"section": side.title, "what": what, "pieces": "", "rule": ""}


Told = tuple[str, str, str]
"""An event: the pieces it happened to, and the rule."""


def _event_rows(events: Sequence[PieceEvent]) -> Iterable[Told]:
    """Yield what happened to a side's pieces by the events alone."""
    for in_play, where in ((True, "in play"), (False, "in the Refit Phase")):
        reduced = [e for e in events if isinstance(e, Reduced) and e.in_play is in_play]
        words = ", ".join(f"{name_piece(event.piece)} to {event.to.type}" for event in reduced)
        yield f"Reduced {where}", words, "A7.302"
    replaced = [event for event in events if isinstance(event, Replaced)]
    for rule, replacements in groupby(sorted(replaced, key=_paragraph), key=_paragraph):
        words = ", ".join(f"{event.piece.type} by {name_list(event.by)}" for event in replacements)
        yield "Replaced", words, rule
    deployed = [event for event in events if isinstance(event, Deployed)]
    words = "; ".join(f"{event.piece.type} into {name_list(event.into)}" for event in deployed)
    yield "Deployed", words, "A1.31"
    hardened = [
        change.after for e in events if isinstance(e, BattleHardened) for change in e.changes
    ]
    yield "Battle Hardened", name_list(filter(None, hardened)), "9.611"
    recombined = [event for event in events if isinstance(event, Recombined)]
    words = "; ".join(
        f"{name_pieces((event.piece, event.other))} to {name_piece(event.squad)}"
        for event in recombined
    )
    yield "Recombined", words, _rules(recombined, "9.6111")
    yield from _rows_of_repair(events)
    freed = [event for event in events if isinstance(event, Freed)]
    words = "; ".join(
        f"{name_piece(event.piece)}{f', now {event.to}' if event.to != event.piece.type else ''}"
        for event in freed
    )
    yield "Freed", words, "9.608"


def _rows_of_repair(events: Sequence[PieceEvent]) -> Iterable[Told]:
    """Yield what was repaired and replenished, and who recovered or rallied."""
    mended = [event for event in events if isinstance(event, Repaired)]
    wholes = {event.piece.id: event.piece for event in mended if not event.what}
    parts = [f"{event.what} of {name_piece(event.piece)}" for event in mended if event.what]
    yield "Repaired", "; ".join(filter(None, [name_list(wholes.values()), *parts])), "9.614"
    replenished = {
        event.piece.id: event.piece for event in events if isinstance(event, Replenished)
    }
    yield "Replenished", name_list(replenished.values()), "9.614"
    for is_vehicle, what in ((True, "Recovered"), (False, "Rallied")):
        better = [
            e for e in events if isinstance(e, Recovered) and e.piece.is_vehicle is is_vehicle
        ]
        pieces = {event.piece.id: event.piece for event in better}
        yield what, name_list(pieces.values()), _rules(better, "9.614")


def _losses(events: Sequence[PieceEvent], side: Side) -> Iterable[Told]:
    """Yield what a side lost, by how and where."""
    lost = [
        gone
        for event in events
        if not isinstance(event, Recombined)
        for gone in event.gone
        if gone.piece.side is side
    ]

    def key(gone: Gone) -> tuple[bool, str, str]:
        is_manning = gone.how == "recombined" and gone.piece.kind == "crew"
        return gone.step != SCENARIO, gone.step, "went aboard as a crew" if is_manning else gone.how

    for (later, step, how), losses in groupby(sorted(lost, key=key), key=key):
        where = "in the Refit Phase" if later else "in play"
        what = f"{how.capitalize()} {where}"
        yield what, name_list(loss.piece for loss in losses), step if later else "9.2"


def _changes(
    before: Campaign | None, after: Campaign, side: Side, viewer: str, events: Sequence[PieceEvent]
) -> Iterable[Told]:
    """Yield how the pieces that a side has now changed, and how it came by the new ones."""
    own = viewer in (UMPIRE, side.value)
    pieces = {piece.id: piece for piece in (after.of(side) if own else seen_pieces(after, side))}
    changes = [(event, change) for event in events for change in event.changes]
    first: dict[str, Piece | None] = {}
    for _, change in changes:
        first.setdefault(change.id, change.before)
    had = {id: old for id, old in first.items() if old and old.side is side}
    kept = [id for id in had if id in pieces]
    # The type and status of the enemy's vehicles and Guns may be kept secret (CG9).
    shown = {id for id, piece in pieces.items() if own or piece.is_personnel}
    yield from _new_types((event, change) for event, change in changes if change.id in shown)
    for status, (what, rule) in _STATUS.items():
        new = [id for id in kept if id in shown and pieces[id].has(status) > had[id].has(status)]
        causes = [
            event
            for event, change in changes
            if change.id in new and change.after and change.after.has(status)
            if not (change.before and change.before.has(status))
        ]
        yield what, name_list(pieces[id] for id in new), _rules(causes, rule)
    if own:
        yield from _retained_elsewhere(after, side, had, changes)
    came: dict[str, tuple[str, PieceEvent, Piece]] = {}
    for event, change in changes:
        if change.id not in had and change.after and change.after.side is side:
            came.setdefault(change.id, (_came(event, change), event, change.after))
    for what, rule in CAME.items():
        if own or what in _SEEN:
            arrivals = [(event, piece) for how, event, piece in came.values() if how == what]
            rules = _rules([event for event, _ in arrivals], rule)
            yield what, name_list(piece for _, piece in arrivals), rules
    if own:
        yield from _purchases_of(after, side)
    elif before is not None:
        ids_in_sight = {id for id, (how, *_) in came.items() if not how or how in _SEEN}
        ids_in_sight |= {piece.id for piece in seen_pieces(before, side)}
        fresh = (piece for id, piece in pieces.items() if id not in ids_in_sight)
        yield "Came into sight", name_list(fresh), ""


def _new_types(changes: Iterable[tuple[PieceEvent, PieceChange]]) -> Iterable[Told]:
    """Yield the pieces whose type changed by an event that has no row of its own."""
    words = [
        f"{change.before.type} now {name_piece(change.after)}"
        for event, change in changes
        if not isinstance(event, _TYPE_TOLD)
        if change.before and change.after
        if change.before.type != change.after.type
    ]
    yield "Changed type", ", ".join(words), "9.6"


def _retained_elsewhere(
    state: Campaign,
    side: Side,
    had: Mapping[str, Piece],
    changes: Iterable[tuple[PieceEvent, PieceChange]],
) -> Iterable[Told]:
    """Yield what a side has Retained elsewhere than it stands, or ``had`` stood, on the map."""
    causes = {
        change.id: event
        for event, change in changes
        if change.before and change.after and change.before.area != change.after.area
    }
    stood = {id for id, piece in had.items() if piece.on_map}
    moved = [
        piece
        for piece in state.of(side)
        if piece.is_unit_or_equipment and piece.area
        if (not place_of(state, piece) if piece.on_map else piece.id in stood)
    ]
    for area, pieces in groupby(sorted(moved, key=_area), key=_area):
        retained = [*pieces]
        rules = _rules([causes[piece.id] for piece in retained if piece.id in causes], "9.605")
        yield f"Retained in {area}", name_list(retained), rules


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
_SEEN = ("Won back", "Taken from the enemy")
"""Those of them that the other side sees."""
_CAME: Mapping[type[PieceEvent], str] = {
    Received: "Received",
    Abandoned: "Left their vehicles",
    Scrounged: "Removed or Scrounged",
    LeaderCreated: "Created",
    HeroCreated: "Created",
    CameInPlay: "New",
    Corrected: "New",
}


def _came(event: PieceEvent, change: PieceChange) -> str:
    """Return how a side came by a piece; empty where another row says so."""
    piece = change.after
    assert piece
    if piece.captured:
        return "Taken from the enemy"
    if change.before is not None:
        return "Won back"
    match event:
        case Abandoned() if piece.is_prisoner:
            return "Captured crews"
        case Received() if piece.has(UnitStatus.WALKING_WOUNDED):
            return "Walking Wounded placed"
    return _CAME.get(type(event), "")


def _purchases(state: Campaign, side: Side) -> str:
    if side is not Side.GERMAN:
        return ""
    mine = [group for group in state.groups if group.date is state.date and not group.given]
    return ", ".join(f"{group.id} {group.cost + group.entry_cost} CPP" for group in mine)


def _fpp_purchases(state: Campaign, side: Side) -> str:
    kinds = state.charts.fortifications.kinds
    mine = [
        purchase
        for purchase in state.bought
        if purchase.side is side and purchase.date is state.date
    ]
    counts = Counter(
        f"{kinds[purchase.kind].name}{f' ×{purchase.factors}' if purchase.factors else ''}"
        f"{f' {purchase.at}' if purchase.at else ''}"
        for purchase in mine
    )
    # "HIP, squad" has a comma of its own.
    return "; ".join(f"{many} × {words}" if many > 1 else words for words, many in counts.items())


def _paragraph(event: PieceEvent) -> str:
    """Return the rule of an event without its note."""
    return event.rule.partition(" note")[0] or "A19.13"


def _rules(events: Iterable[PieceEvent], usual: str) -> str:
    """Return the rules by which the same happened, or the ``usual`` one."""
    rules = {"9.2" if event.in_play else event.rule for event in events} - {""}
    return ", ".join(sorted(rules)) or usual


def _area(piece: Piece) -> str:
    return str(Area.parse(piece.area))
