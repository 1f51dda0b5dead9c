"""The Air Phase: anti-aircraft fire, landing, jump survival, enemies and mines.

Rule: I.F, I.G, II.A to II.G, III.D to III.F.
"""

from __future__ import annotations

import msgspec

from asl_pbcg.airborne import landing as rules
from asl_pbcg.airborne import limits
from asl_pbcg.airborne.drift import drift_row
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.gliders import WORDS, Result, glider_landing
from asl_pbcg.airborne.jump import stick_limit
from asl_pbcg.airborne.orders import Drop, GliderOrder
from asl_pbcg.airborne.settings import DriftRow, tell_used
from asl_pbcg.airborne.state import DropState, make_map
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.units import Stick, Unit, jump_sticks
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw
from asl_pbcg.kernel.wording import number_words


def anti_aircraft(state: DropState) -> Script[DropState]:
    """Take from players which planes and gliders were shot down before landing.

    Rule: I.B.2, I.G, III.D.
    """
    turn, settings = state.turn, state.settings
    drops = [drop for drops in state.sealed.drops_of(turn).values() for drop in drops]
    gliders = state.sealed.gliders_of(turn)
    if not drops and not gliders:
        return state.next_part()
    heavy = " and ".join(limits.heavy_anti_aircraft())
    coming = [number_words(len(drops), "plane")] if drops else []
    coming += [number_words(len(gliders), "glider")] if gliders else []
    yield from tell(
        f"Turn {turn}, coming in: {' and '.join(coming)}. Anti-aircraft units may fire on them "
        f"before they land; {heavy} batteries may be used so.",
        rule="I.G",
    )
    options = [Option(f"plane {drop.platoon}", f"the plane of {drop.platoon}") for drop in drops]
    options += [Option(f"glider {each.load}", f"the glider of {each.load}") for each in gliders]
    downed = yield from ask(
        Prompt(
            id="air.shot_down",
            text="Which of them were shot down?",
            rule="I.G",
            kind="choose-some",
            options=tuple(
                Option(str(number), option.text) for number, option in enumerate(options, 1)
            ),
            default="none",
            help="Anti-aircraft fire is resolved by the base game; type its result.",
        )
    )
    names = {options[int(number) - 1].id for number in downed}
    if not names:
        return state.next_part()
    yield from tell_used(("plane_shot_down",), settings)
    if settings.plane_shot_down == "load_jumps":
        yield from tell("Their loads land all the same.", rule="I.G")
        return state.next_part()
    sticks = [
        msgspec.structs.replace(stick, status="shot down")
        for drop in drops
        if f"plane {drop.platoon}" in names
        for stick in _sticks_of(drop)
    ]
    units = [
        msgspec.structs.replace(_load(order), status="shot down")
        for order in gliders
        if f"glider {order.load}" in names
    ]
    state = state.with_(sticks=(*state.sticks, *sticks), units=(*state.units, *units))
    return state.next_part()


def landing(state: DropState) -> Script[DropState]:
    """Land the sticks and gliders of the turn: one drift die for each target hex.

    Rule: II.C, III.F.
    """
    turn, settings = state.turn, state.settings
    dropmap = make_map(state)
    used: list[str] = []
    gone = {stick.id for stick in state.sticks}
    for at, drops in state.sealed.drops_of(turn).items():
        sticks = [stick for drop in drops for stick in _sticks_of(drop) if stick.id not in gone]
        if not sticks:
            yield from tell(f"No plane reaches {at}.", rule="I.G")
            continue
        found, row = yield from _drift(state, dropmap, at, sticks)
        state = state.with_(sticks=(*state.sticks, *found))
        used.append("sticks_per_platoon")
        if len(sticks) < row.total or len({stick.type for stick in sticks}) > 1:
            used.append("stick_assignment")
        if row.certainty != "certain":
            used.append(f"drift row {row.letter} ({row.certainty})")
    gone = {unit.id for unit in state.units}
    for order in state.sealed.gliders_of(turn):
        if order.load not in gone:
            state = yield from _glide(state, dropmap, order, used)
    if settings.cap_check == "before_survival":
        state = yield from stick_limit(state, used)
    state = yield from _glider_limits(state, used)
    yield from tell_used(used, settings)
    return state.next_part()


def _drift(
    state: DropState, dropmap: DropMap, at: str, sticks: list[Stick]
) -> Script[tuple[list[Stick], DriftRow]]:
    """The drift of everything aimed at one hex. Rule: II.C."""
    assert state.wind
    rolled = yield from throw(
        Roll(
            id="drift.pattern",
            about=at,
            text=f"Turn {state.turn}, drift of the {number_words(len(sticks), 'stick')} aimed at "
            f"{at}",
            rule="II.C",
            table=table("drift_pattern", state.settings),
            given={"wind": state.wind.speed},
            side=state.side,
            where=at,
        )
    )
    row = drift_row(rolled.result, state.settings)
    yield from tell(
        f"{at}: row {row.letter}, {' '.join(str(number) for number in row.sticks)} towards "
        f"{state.wind.blows_to}.",
        rule="II.C",
    )
    places = yield from rules.assign_places(sticks, row, state.settings, state.side)
    found = [rules.put_down(stick, places[stick.id], row, state.wind, dropmap) for stick in sticks]
    by_drift: dict[int, list[Stick]] = {}
    for stick in found:
        by_drift.setdefault(stick.drift, []).append(stick)
    for drift, members in sorted(by_drift.items()):
        names = ", ".join(stick.id for stick in members)
        place = members[0].at or "off the map, lost"
        yield from tell(f"{at} +{drift}, {place}: {names}", rule="II.C")
    return found, row


def _glide(
    state: DropState, dropmap: DropMap, order: GliderOrder, used: list[str]
) -> Script[DropState]:
    """The landing of one glider. Rule: III.F."""
    assert state.wind
    settings = state.settings
    rolled = yield from throw(
        Roll(
            id="glider.landing",
            about=order.load,
            text=(
                f"Turn {state.turn}, glider of {order.load}, aimed at {order.at}, "
                f"flying {order.flight} from {order.enters}"
            ),
            rule="III.F.1",
            table=table("glider_landing", settings),
            side=state.side,
            where=order.at,
        )
    )
    result: Result = rolled.result  # type: ignore[assignment]
    landed = glider_landing(order.at, order.flight, result, state.wind, dropmap, settings)
    used.append("glider_shift_direction")
    if landed.at is None or landed.clamped:
        used.append("glider_offboard")
    shift = limits.glider_shift(state.wind.speed)
    way = (
        state.wind.blows_to
        if settings.glider_shift_direction == "downwind"
        else state.wind.comes_from
    )
    place = landed.at or "off the map, lost"
    if landed.clamped:
        place = f"off the map, put at its edge in {landed.at}"
    yield from tell(
        f"The glider of {order.load} is {WORDS[result]} and shifts "
        f"{number_words(shift, 'hex', 'hexes')} towards {way}: {place}.",
        rule="III.F.2",
    )
    load = msgspec.structs.replace(
        _load(order),
        at=landed.at or "",
        fell=landed.at or "",
        status="undispersed" if landed.at else "lost",
        landing=result,
    )
    return state.with_(units=(*state.units, load))


def _glider_limits(state: DropState, used: list[str]) -> Script[DropState]:
    over = rules.over_glider_limit(state.units, state.turn)
    yield from rules.tell_dispersed(over, "gliders landed", "III.E")
    full = rules.over_stacking(state.units, state.turn, state.others, state.settings)
    full = {at: number for at, number in full.items() if at not in over}
    if full:
        used.append("stacking_limit")
    yield from rules.tell_dispersed(full, "whole units stack", "III.E")
    sticks, units = rules.disperse(state.sticks, state.units, (*over, *full))
    return state.with_(sticks=sticks, units=units)


def _sticks_of(drop: Drop) -> list[Stick]:
    return [
        Stick(
            id=id,
            platoon=drop.platoon,
            type=drop.type,
            kind=drop.kind,
            turn=drop.turn,
            aimed=drop.at,
        )
        for id in jump_sticks(drop.platoon, drop.sticks)
    ]


def _load(order: GliderOrder) -> Unit:
    return Unit(
        id=order.load,
        type=order.type,
        kind=order.kind,
        turn=order.turn,
        aimed=order.at,
        glider=True,
    )
