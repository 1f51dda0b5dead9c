"""The parts of a turn outside the Air Phase: wind, the base game's phases, the end of the turn."""

from __future__ import annotations

from collections import Counter

from asl_pbcg.airborne.drop_settings import tell_used
from asl_pbcg.airborne.drop_state import DropState, landed_units
from asl_pbcg.airborne.drop_tables import NUMBERS, table
from asl_pbcg.airborne.turn_reports import ask_report
from asl_pbcg.airborne.wind import wind_from
from asl_pbcg.kernel.prompts import Roll, Script, tell, throw


def weather(state: DropState) -> Script[DropState]:
    """Roll the wind of the turn, one die for direction and one for speed. Rule: I.D, I.E."""
    turn, settings = state.turn, state.settings
    if settings.night:
        yield from tell(str(NUMBERS.content.night), rule="I.C")
    if turn in state.given_weather:
        wind = state.given_weather[turn]
        yield from tell(f"Turn {turn}, as given: {wind}.", rule="I.D")
    elif turn > state.sealed.last_turn:
        yield from tell(f"Turn {turn}: no landing is left, the wind needs no roll.", rule="I.D")
        return state.with_(wind=None).next_part()
    else:
        rolls = []
        for name, rule in (("direction", "I.D"), ("speed", "I.E")):
            chart = table(f"wind_{name}", settings)
            text = f"Turn {turn}, wind {name}"
            roll = Roll(id=f"weather.{name}", text=text, rule=rule, table=chart)
            rolls.append((yield from throw(roll)))
        wind = wind_from(int(rolls[0].result), rolls[1].result, settings)  # type: ignore[arg-type]
        yield from tell(f"Turn {turn}: {wind}.", rule="I.D")
        yield from tell_used(("orientation", "wind_numbering", "wind_speed_chart"), settings)
    return state.with_(wind=wind, winds={**state.winds, turn: wind}).next_part()


def base_phase(state: DropState) -> Script[DropState]:
    """Remind players of what the variant changes in a phase of the base game. Rule: II.F, II.H."""
    formed = [unit.id for unit in state.units if unit.sticks and unit.turn == state.turn]
    phase = f"Turn {state.turn}, {state.now.replace('_', ' ')}"
    if state.now == "direct_fire" and formed:
        yield from tell(f"{phase}: not by {', '.join(formed)}.", rule="II.H")
    if state.now == "movement" and state.landed_now:
        yield from tell(f"{phase}: not by sticks that land this turn.", rule="II.F")
    if state.now == "close_assault" and state.landed_now:
        may = "sticks that landed this turn may take part, without the favourable -2."
        yield from tell(f"{phase}: {may}", rule="II.F")
    return state.next_part()


def end(state: DropState) -> Script[DropState]:
    """Take what players report of the rest of the turn, until the owner's next turn begins."""
    done = False
    while not done and landed_units(state):
        state, done = yield from ask_report(state)
    over = is_over(state)
    if over:
        sentence = "Nothing is left to land, and no platoon can form any more: the drop is over."
        yield from tell(sentence, rule="II.H")
    return state.with_(turn=state.turn + 1, part=0, wind=None, finished=over or state.finished)


def is_over(state: DropState) -> bool:
    """Return whether nothing is left to land and too few sticks of each type to form a platoon.

    Rule: II.H.
    """
    types = Counter(stick.type for stick in state.sticks if stick.on_map)
    few = all(number < state.settings.sticks_per_platoon for number in types.values())
    return few and state.turn >= state.sealed.last_turn
