"""The parts of a turn outside the Air Phase: wind, forming platoons, what players report."""

from __future__ import annotations

from asl_pbcg.airborne import regroup as rules
from asl_pbcg.airborne.changes import ask_change, is_last
from asl_pbcg.airborne.night import night_words
from asl_pbcg.airborne.settings import tell_used
from asl_pbcg.airborne.state import DropState, landed_units
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.units import Stick, may
from asl_pbcg.airborne.wind import wind_from
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw


def weather(state: DropState) -> Script[DropState]:
    """Settle the wind of the turn, one die for direction and one for speed. Rule: I.D, I.E."""
    turn, settings = state.turn, state.settings
    if settings.night:
        yield from tell(night_words(), rule="I.C")
    if turn in state.given_weather:
        wind = state.given_weather[turn]
        yield from tell(f"Turn {turn}, as given: {wind}.", rule="I.D")
    elif turn > state.sealed.last_turn:
        yield from tell(f"Turn {turn}: no landing is left, the wind needs no roll.", rule="I.D")
        return state.with_(wind=None).next_part()
    else:
        side = yield from throw(
            Roll(
                id="weather.direction",
                text=f"Turn {turn}, wind direction",
                rule="I.D",
                table=table("wind_direction", settings),
            )
        )
        speed = yield from throw(
            Roll(
                id="weather.speed",
                text=f"Turn {turn}, wind speed",
                rule="I.E",
                table=table("wind_speed", settings),
            )
        )
        wind = wind_from(int(side.result), speed.result, settings)  # type: ignore[arg-type]
        yield from tell(f"Turn {turn}: {wind}.", rule="I.D")
        used = ("orientation", "wind_numbering", "wind_speed_chart")
        yield from tell_used(used, settings)
    return state.with_(wind=wind, winds={**state.winds, turn: wind}).next_part()


def regroup(state: DropState) -> Script[DropState]:
    """Form platoons of undispersed sticks before any other action of the turn. Rule: II.H."""
    turn, settings, side = state.turn, state.settings, state.side
    found = rules.chances(state.sticks, turn, (), settings)
    if not any(chance.platoons for chance in found):
        if found:
            listed = "; ".join(
                f"{chance.at}, {chance.type}: {chance.refused.rstrip('.')}" for chance in found
            )
            yield from tell(f"No platoon can be formed: {listed}.", rule="II.H")
        return state.next_part()
    hexes = tuple(dict.fromkeys(chance.at for chance in found if chance.platoons))
    enemies = yield from ask(
        Prompt(
            id="regroup.enemies",
            text="Which of these hexes hold enemy units?",
            rule="II.H",
            kind="choose-some",
            options=tuple(Option(at, at) for at in hexes),
            default="none",
            help="Sticks combine only in a hex that is free of enemy units.",
        )
    )
    found = rules.chances(state.sticks, turn, enemies, settings)
    options, members = _platoon_options(found, settings.sticks_per_platoon)
    legal = [option.id for option in options if not option.refused]
    if not legal:
        yield from tell("Enemy units are in every hex where a platoon could form.", rule="II.H")
        return state.next_part()
    chosen = yield from ask(
        Prompt(
            id="regroup.form",
            text="Which platoons are formed?",
            rule="II.H",
            side=side,
            kind="choose-some",
            options=options,
            default=",".join(legal),
            help="Sticks of one type combine, whatever plane they came from. A platoon formed "
            "now may move and close assault this turn, but not direct fire, and never breaks "
            "down into sticks again.",
        )
    )
    for id in chosen:
        state = yield from _form(state, members[id], enemies)
    yield from tell_used(("sticks_per_platoon",), settings)
    return state.next_part()


def _platoon_options(
    found: list[rules.Chance], need: int
) -> tuple[tuple[Option, ...], dict[str, tuple[Stick, ...]]]:
    options, members = [], {}
    for chance in found:
        if chance.refused:
            text = f"{chance.type} in {chance.at}"
            id = f"{chance.at}.{chance.type}"
            options.append(Option(id, text, refused=chance.refused, rule="II.H"))
        for number in range(chance.platoons):
            id = f"{chance.at}.{chance.type}.{number + 1}"
            members[id] = chance.sticks[number * need : (number + 1) * need]
            names = ", ".join(stick.id for stick in members[id])
            options.append(Option(id, f"{chance.type} platoon in {chance.at}", names))
    return tuple(options), members


def _form(state: DropState, sticks: tuple[Stick, ...], enemies: list[str]) -> Script[DropState]:
    import msgspec

    taken = {unit.id for unit in state.units} | {stick.platoon for stick in state.sticks}
    number = 1
    while f"{sticks[0].type} {number}" in taken:
        number += 1
    platoon = rules.form_platoon(
        f"{sticks[0].type} {number}", sticks, state.turn, enemies, state.settings
    )
    rights = may(platoon, state.turn)
    abilities = " It has all abilities of engineers (I.B.1)." if rights.engineer else ""
    yield from tell(
        f"{', '.join(platoon.sticks)} form {platoon.id} in {platoon.at}. This turn it may move "
        f"and close assault, not direct fire.{abilities}",
        rule="II.H",
    )
    joined = set(platoon.sticks)
    return state.with_(
        units=(*state.units, platoon),
        sticks=tuple(
            msgspec.structs.replace(stick, status="in a platoon", at="")
            if stick.id in joined
            else stick
            for stick in state.sticks
        ),
    )


def base_phase(state: DropState) -> Script[DropState]:
    """Remind players of what the variant changes in a phase of the base game. Rule: II.F, II.H."""
    phase, turn = state.now, state.turn
    landed = any(stick.on_map and stick.turn == turn for stick in state.sticks)
    formed = [unit.id for unit in state.units if unit.sticks and unit.turn == turn]
    words = phase.replace("_", " ")
    if phase == "direct_fire" and formed:
        yield from tell(f"Turn {turn}, {words}: not by {', '.join(formed)}.", rule="II.H")
    if phase == "movement" and landed:
        yield from tell(f"Turn {turn}, {words}: not by sticks that land this turn.", rule="II.F")
    if phase == "close_assault" and landed:
        yield from tell(
            f"Turn {turn}, {words}: sticks that landed this turn may take part, without the "
            "favourable -2.",
            rule="II.F",
        )
    return state.next_part()


def end(state: DropState) -> Script[DropState]:
    """Take what players report of the rest of the turn, until the owner's next turn begins."""
    while landed_units(state):
        state, last = yield from ask_change(state)
        if last:
            break
    done = is_last(state)
    if done:
        yield from tell(
            "Nothing is left to land, and no platoon can form any more: the drop is over.",
            rule="II.H",
        )
    return state.with_(turn=state.turn + 1, part=0, wind=None, finished=done or state.finished)
