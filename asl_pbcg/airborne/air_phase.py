"""The Air Phase up to the landing: anti-aircraft fire, drift, gliders, limits of a hex.

Rule: I.F, I.G, II.A to II.C, III.D to III.F.
"""

from __future__ import annotations

from asl_pbcg.airborne.drop_settings import tell_used
from asl_pbcg.airborne.drop_state import DropState, Stick, WholeUnit
from asl_pbcg.airborne.drop_tables import NUMBERS, drift_row
from asl_pbcg.airborne.landing import (
    GliderResult,
    assign_places,
    disperse,
    disperse_sticks,
    glider_landing,
    land_stick,
    over_glider_limit,
    over_stacking_limit,
    shift_words,
)
from asl_pbcg.airborne.landing_orders import Drop, GliderOrder
from asl_pbcg.airborne.turn_parts import ask_which, number_options, throw_on
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.kernel.wording import number_words


def anti_aircraft(state: DropState) -> Script[DropState]:
    """Take from players which planes and gliders were shot down before landing.

    Rule: I.B.2, I.G, III.D.
    """
    turn = state.turn
    drops = [drop for drops in state.sealed.drops_of(turn).values() for drop in drops]
    gliders = state.sealed.gliders_of(turn)
    loads: list[Drop | GliderOrder] = [*drops, *gliders]
    if not loads:
        return state.next_part()
    coming = [number_words(len(drops), "plane")] if drops else []
    coming += [number_words(len(gliders), "glider")] if gliders else []
    heavy = " and ".join(NUMBERS.content.heavy_anti_aircraft)
    yield Note(
        f"Turn {turn}, coming in: {' and '.join(coming)}. Anti-aircraft units may fire on them "
        f"before they land; {heavy} batteries may be used so.",
        rule="I.G",
    )
    texts = [f"the plane of {drop.platoon}" for drop in drops]
    texts += [f"the glider of {order.load}" for order in gliders]
    answer = yield from ask_which(
        "air.shot_down",
        "Which of them were shot down?",
        "I.G",
        number_options(texts),
        "Anti-aircraft fire is resolved by the base game; type its result.",
    )
    downed = [loads[int(number) - 1] for number in answer]
    if downed:
        yield from tell_used(("plane_shot_down",), state.settings)
    if downed and state.settings.plane_shot_down == "load_jumps":
        yield Note("Their loads land all the same.", rule="I.G")
        return state.next_part()
    sticks = [stick for load in downed if isinstance(load, Drop) for stick in sticks_of(load)]
    units = [load_of(load) for load in downed if isinstance(load, GliderOrder)]
    state = state.with_(sticks=(*state.sticks, *sticks), units=(*state.units, *units))
    return state.change([*sticks, *units], status="shot down").next_part()


def landing(state: DropState) -> Script[DropState]:
    """Land the sticks and gliders of the turn: one drift die for each target hex.

    Rule: II.C, III.F.
    """
    used: list[str] = []
    downed = {counter.id for counter in state.counters}
    for at, drops in state.sealed.drops_of(state.turn).items():
        sticks = [stick for drop in drops for stick in sticks_of(drop) if stick.id not in downed]
        if sticks:
            state = yield from _drift(state, at, sticks, used)
        else:
            yield Note(f"No plane reaches {at}.", rule="I.G")
    for order in state.sealed.gliders_of(state.turn):
        if order.load not in downed:
            state = yield from _glide(state, order, used)
    if state.settings.cap_check == "before_survival":
        state = yield from disperse_sticks(state, used)
    gliders = over_glider_limit(state)
    full = {at: n for at, n in over_stacking_limit(state).items() if at not in gliders}
    used += ["stacking_limit"] if full else []
    state = yield from disperse(state, gliders, "gliders landed", "III.E")
    state = yield from disperse(state, full, "whole units stack", "III.E")
    yield from tell_used(used, state.settings)
    return state.next_part()


def _drift(state: DropState, at: str, sticks: list[Stick], used: list[str]) -> Script[DropState]:
    """Land everything aimed at one hex. Rule: II.C."""
    wind, settings, dropmap = state.wind, state.settings, state.make_map()
    assert wind
    number = number_words(len(sticks), "stick")
    words = f"drift of the {number} aimed at {at}"
    rolled = yield from throw_on(
        state, "drift_pattern", "drift.pattern", at, at, words, "II.C", wind=wind.speed
    )
    row = drift_row(rolled.result, settings)
    numbers = " ".join(map(str, row.sticks))
    yield Note(f"{at}: row {row.letter}, {numbers} towards {wind.blows_to}.", rule="II.C")
    places = yield from assign_places(sticks, row, settings, state.side)
    landed = [land_stick(stick, places[stick.id], row, wind, dropmap) for stick in sticks]
    for drift in sorted(set(places.values())):
        group = [stick for stick in landed if stick.drift == drift]
        names = ", ".join(stick.id for stick in group)
        place = group[0].at or "off the map, lost"
        yield Note(f"{at} +{drift}, {place}: {names}", rule="II.C")
    used.append("sticks_per_platoon")
    if len(sticks) < row.total or len({stick.type for stick in sticks}) > 1:
        used.append("stick_assignment")
    if row.certainty != "certain":
        used.append(f"drift row {row.letter} ({row.certainty})")
    return state.with_(sticks=(*state.sticks, *landed))


def _glide(state: DropState, order: GliderOrder, used: list[str]) -> Script[DropState]:
    """Land one glider. Rule: III.F."""
    wind, settings = state.wind, state.settings
    assert wind
    words = (
        f"glider of {order.load}, aimed at {order.at}, flying {order.flight} from {order.enters}"
    )
    rolled = yield from throw_on(
        state, "glider_landing", "glider.landing", order.load, order.at, words, "III.F.1"
    )
    result: GliderResult = rolled.result  # type: ignore[assignment]
    landed = glider_landing(order.at, order.flight, result, wind, state.make_map(), settings)
    used += landed.used
    where = f"{result.replace('_', ' ')} and shifts {shift_words(landed, wind, settings)}"
    yield Note(f"The glider of {order.load} is {where}.", rule="III.F.2")
    at = landed.at or ""
    status = "undispersed" if at else "lost"
    state = state.with_(units=(*state.units, load_of(order)))
    return state.change(state.units[-1:], at=at, fell=at, status=status, landing=result)


def sticks_of(drop: Drop) -> list[Stick]:
    """Return the sticks of a plane load before they jump."""
    facts = facts_of(drop, "platoon type kind turn", aimed="at")
    return [Stick(id=f"{drop.platoon}.{number}", **facts) for number in range(1, drop.sticks + 1)]


def load_of(order: GliderOrder) -> WholeUnit:
    """Return the load of a glider before it lands."""
    facts = facts_of(order, "type kind turn", id="load", aimed="at")
    return WholeUnit(glider=True, **facts)
