"""9.608 Prisoners: Eliminated, unless their Guard is Isolated and keeps or frees them."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from asl_pbcg.campaign.area_paths import Destination
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign, remove, update
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell
from asl_pbcg.refit.guards import can_guard, no_longer_prisoner, wards_of
from asl_pbcg.refit.paths import freed_ways, leads_to_isolated, named
from asl_pbcg.refit.retention import retained, still_there
from asl_pbcg.refit.situation import in_board_order, is_isolated, retained_area, retained_in
from asl_pbcg.refit.unit_changes import words

RULE = "9.608"


def prisoners(state: Campaign) -> Script[Campaign]:
    """Settle what becomes of each prisoner. Rule: 9.608."""
    held = [piece for piece in state.pieces if piece.is_prisoner]
    if not held:
        yield from tell("There are no prisoners.")
    for prisoner in in_board_order(state, held):
        guard = guard_of(state, prisoner)
        if guard is None:
            yield from tell(f"{words(prisoner)} has no Guard.")
            state = yield from _without_guard(state, prisoner)
        elif is_isolated(state, guard):
            state = yield from _isolated_guard(state, guard, prisoner)
        else:
            state = yield from _eliminated(state, guard, prisoner)
    return state


def _without_guard(state: Campaign, prisoner: Piece) -> Script[Campaign]:
    """Free a prisoner whom nobody guards: Retained as one that his Guard frees. Rule: A20.551."""
    ways = freed_ways(state, prisoner) if prisoner.on_map else []
    if ways:
        return (yield from _freed(state, prisoner, ways))
    return (yield from no_longer_prisoner(state, prisoner.id, "A20.551"))


def guard_of(state: Campaign, prisoner: Piece) -> Piece | None:
    """The Guard of a prisoner."""
    return next((piece for piece in state.pieces if piece.id == prisoner.guarded_by), None)


def _eliminated(state: Campaign, guard: Piece, prisoner: Piece) -> Script[Campaign]:
    """Eliminate the prisoner of a Guard who is not Isolated. Rule: 9.608."""
    yield from tell(
        f"{words(prisoner)}, prisoner of {words(guard)}, is Eliminated: its Guard is not Isolated."
    )
    return remove(state, prisoner.id, "eliminated", "prisoner of a non-Isolated Guard", RULE)


# -- An Isolated Guard ----------------------------------------------------------------------------


def _isolated_guard(state: Campaign, guard: Piece, prisoner: Piece) -> Script[Campaign]:
    """Let the Guard's side keep, transfer or free a prisoner. Rule: 9.608."""
    ways = ways_home(state, guard, prisoner)
    free = " or ".join(named(way) for way in ways)
    answer = yield from ask(
        Prompt(
            id="9.608.2",
            about=prisoner.id,
            side=guard.side,
            options=(
                Option("keep", f"keep: {words(guard)} guards it on"),
                *(
                    Option(each.id, f"transfer to {words(each)}", each.at)
                    for each in other_guards(state, guard, prisoner)
                ),
                Option(
                    "free",
                    "free",
                    f"Retained by its side: {free}",
                    refused=""
                    if ways
                    else "No friendly Setup or Eligible Entry Area of its side can be reached.",
                    rule=RULE,
                ),
            ),
            text=f"Isolated {words(guard)} guards {words(prisoner)}. What becomes of the prisoner?",
            where=guard.at,
            help="A Guard must be able to guard it (A20.5).",
        )
    )
    if answer == "keep":
        yield from tell(f"{words(guard)} keeps {words(prisoner)}.")
        return state
    if answer == "free":
        return (yield from _freed(state, prisoner, ways))
    new = state.piece(answer)
    yield from tell(f"{words(new)} takes over {words(prisoner)} from {words(guard)}.")
    return update(state, prisoner.id, guarded_by=new.id, at=new.at)


def other_guards(state: Campaign, guard: Piece, prisoner: Piece) -> list[Piece]:
    """The units in the Guard's Setup Area that could guard the prisoner instead.

    Above the ground of an area they are Isolated if he is. Rule: 9.608, 9.6057.
    """
    isolated = is_isolated(state, guard)
    return [
        piece
        for piece in retained_in(state, guard.side, guard.area)
        if guard.area
        and piece.id != guard.id
        and can_guard(piece, prisoner)
        and is_isolated(state, piece) == isolated
    ]


def ways_home(state: Campaign, guard: Piece, prisoner: Piece) -> list[Destination]:
    """What a freed prisoner is Retained into: the nearest area of his side, or several.

    With a Guard who was Retained elsewhere than he stood, counted from the nearest hex of that
    Setup Area. Rule: 9.608.
    """
    if still_there(state, guard):
        return freed_ways(state, prisoner)
    area = retained_area(state, guard)
    if area is None:
        return []
    places = area.hexes.names or [str(each) for each in area.strategic_locations]
    found: list[Destination] = []
    for place in places:
        found += freed_ways(state, msgspec.structs.replace(prisoner, at=place))
    nearest = min((way.length for way in found), default=0)
    kept: dict[tuple[str, str], Destination] = {}
    for way in found:
        if way.length == nearest:
            kept.setdefault((way.kind, way.id), way)
    return list(kept.values())


def _freed(state: Campaign, prisoner: Piece, ways: list[Destination]) -> Script[Campaign]:
    """Retain a freed prisoner by his own side: an MMC Replaced, an SMC as he was. Rule: 9.608."""
    way = ways[0]
    if len(ways) > 1:
        answer = yield from ask(
            Prompt(
                id="9.608.3",
                about=prisoner.id,
                side=prisoner.side,
                options=tuple(
                    Option(
                        each.id,
                        named(each),
                        "Isolated" if leads_to_isolated(state, prisoner.side, each) else "",
                    )
                    for each in ways
                ),
                text=f"The freed {words(prisoner)} is equally near to these. Where is it Retained?",
                where=prisoner.at,
            )
        )
        way = next(each for each in ways if each.id == answer)
    state = yield from no_longer_prisoner(state, prisoner.id, RULE)
    unit = state.piece(prisoner.id)
    into = "in " if way.kind == "Setup Area" else ""
    yield from tell(f"{words(unit)} is free and Retained {into}{named(way)}.")
    return retained(state, unit.id, way.kind, way.id)


# -- A Guard who is lost after 9.608 --------------------------------------------------------------


def guard_lost(
    state: Campaign, guard: Piece, point: str, left: Collection[str] = ()
) -> Script[Campaign]:
    """Give the prisoners of a Guard who is about to be lost to another one, or free them.

    Another unit of the same Area takes over, as its owner likes; ``point`` is the prompt's id.
    ``left`` are units that are lost with him.

    Rule: 9.608, A20.551.
    """
    for ward in wards_of(state, guard.id):
        others = [each for each in other_guards(state, guard, ward) if each.id not in left]
        if not others:
            ways = ways_home(state, guard, ward)
            if ways:
                state = yield from _freed(state, ward, ways)
            else:
                state = yield from no_longer_prisoner(state, ward.id, "A20.551")
            continue
        new = others[0].id
        if len(others) > 1:
            new = yield from ask(
                Prompt(
                    id=point,
                    about=ward.id,
                    rule="A20.5",
                    side=guard.side,
                    options=tuple(Option(each.id, words(each), each.at) for each in others),
                    text=f"{words(guard)} is lost. Who takes over its prisoner {words(ward)}?",
                    where=ward.id,
                )
            )
        state = update(state, ward.id, guarded_by=new, at=state.piece(new).at)
        yield from tell(f"{words(state.piece(new))} takes over {words(ward)}.", "A20.5")
    return state
