"""Set-up: the kind of game, the British gliders. Rule: ST-SET-01 to ST-SET-13."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial
from typing import Any, cast

from msgspec.structs import replace

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Script, ask, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, Difficulty, Mode
from asl_pbcg.st.british.british_start import set_british_force
from asl_pbcg.st.germans.german_setup import german_setup
from asl_pbcg.st.state.decision import decide, note, unit_option
from asl_pbcg.st.state.game_rules import Rules, british_order, german_order
from asl_pbcg.st.state.game_state import AreaGlider, AreaWeapon, State, Unit
from asl_pbcg.st.state.phase_situation import Situation

MODES = {
    "historical": "historical: the real forces, glider losses are rolled",
    "full_history": "full history: the same without glider 4, which was lost",
    "variable": "variable: you load the gliders, a set-up chit is drawn",
}
DIFFICULTIES = {
    "easy": "easy: chits A to C",
    "medium": "medium: chits A to F",
    "hard": "hard: chits D to H",
}


def fresh(state: State) -> State:
    """Return the state with every British counter in the pool and the gliders ready."""
    units, weapons, gliders = _counters(state.settings.gammon_uses)
    return replace(state, units=units, weapons=weapons, gliders=gliders)


@cache
def _counters(
    gammon_uses: int,
) -> tuple[tuple[Unit, ...], tuple[AreaWeapon, ...], tuple[AreaGlider, ...]]:
    """Return the British counters as every game begins with them."""
    order = british_order()
    units = tuple(
        Unit(
            id=line.id,
            name=line.name,
            side=BRITISH,
            kind=line.kind,
            sp=line.sp,
            grenades=0,
            under=line.under,
            roster=line.roster,
        )
        for line in order.units
    )
    weapons = tuple(
        replace(weapon, charges=gammon_uses if weapon.kind == "gammon" else weapon.charges)
        for weapon in order.weapons
    )
    gliders = tuple(
        AreaGlider(number=number, line=cast(Any, edge))
        for edge, numbers in order.lines.items()
        for number in numbers
    )
    return units, weapons, gliders


def setup(rules: Rules, state: State) -> Script[State]:
    """The whole set-up of both sides. Rule: ST-SET-01."""
    sit = Situation(rules, fresh(state))
    settings = state.settings
    mode = settings.mode or (yield from _choose(sit, "mode", "Which set-up?", "ST-SET-01", MODES))
    settings = replace(settings, mode=cast(Mode, mode))
    difficulty = german_order().historical.difficulty
    if mode == "variable":
        difficulty = settings.difficulty or (
            yield from _choose(
                sit, "difficulty", "How difficult shall it be?", "ST-SET-18", DIFFICULTIES
            )
        )
    sit.settings = settings
    yield from load_gliders(sit)
    chit = yield from german_setup(sit, difficulty)
    if settings.historical:
        sit.german_force = german_order().historical.force
        yield from set_british_force(sit, british_order().reinforcements.historical)
    return sit.close(
        settings=settings,
        difficulty=cast(Difficulty, difficulty),
        chit=chit,
        hickman=german_order().chits[chit].hickman,
        ready=True,
    )


def _choose(
    sit: Situation, point: str, text: str, rule: str, choices: dict[str, str]
) -> Script[str]:
    answer = yield from ask(
        decide(
            point,
            text,
            rule=rule,
            situation=sit,
            ids=tuple(choices),
            build=lambda: [Option(id, words) for id, words in choices.items()],
        )
    )
    return answer


# -- gliders ----------------------------------------------------------------------------


def load_gliders(sit: Situation) -> Script[None]:
    """Historical loads, or the player's. Rule: ST-SET-04 to ST-SET-10, ST-SET-12."""
    order = british_order()
    if sit.settings.mode == "variable":
        yield from _load_freely(sit)
        return
    unused = order.glider_not_used_in_full_history if sit.settings.mode == "full_history" else 0
    for number, load in order.gliders.items():
        if number == unused:
            sit.gliders[number] = replace(sit.gliders[number], status="unused")
            for id in load:
                if id in sit.units:
                    sit.change(id, status="absent")
        else:
            put_aboard(sit, number, load)


def put_aboard(sit: Situation, number: int, load: Sequence[str]) -> None:
    """Load units and weapons into a glider; its first combat unit carries the weapons."""
    units = [id for id in load if id in sit.units]
    roster = sit.rules.roster
    for id in units:
        sit.change(id, status="aboard", glider=number, grenades=roster[id].grenades)
    sit.book(grenades_issued=sum([roster[id].grenades for id in units]))
    if len(units) < len(load):
        carrier = next((id for id in units if sit.units[id].combat), "")
        for id in load:
            if id not in sit.units:
                sit.change_weapon(id, glider=number, carrier=carrier)


def _load_freely(sit: Situation) -> Script[None]:
    pool = yield from _platoons_or_squads(sit)
    for number in sit.gliders:
        ids, last = tuple(pool), number == max(sit.gliders)
        chosen = yield from ask_some(
            decide(
                "load_glider",
                f"Who flies in glider {number} ({sit.n.glider_capacity} SP at most)?",
                rule="ST-SET-12",
                situation=sit,
                ids=ids,
                build=partial(_load_options, sit, ids),
                kind="choose-some",
                default=_usual_load(sit, number, ids, last),
                pieces=(str(number),),
                help="Leaders, HQ and sappers weigh 1 SP, a squad 4, a platoon 8, the PIAT "
                "nothing.",
                verify=partial(_check_load, sit, ids, last),
                draw=partial(_random_load, sit, ids),
            )
        )
        put_aboard(sit, number, chosen)
        pool = [id for id in pool if id not in chosen]
    for id in pool:
        if id in sit.units:
            sit.change(id, status="absent")
            yield note(sit, f"{sit.units[id].name} stays behind.", "ST-SET-12")


def weight(sit: Situation, id: str) -> int:
    """Return the SP that a unit or weapon takes in a glider. Rule: ST-SET-13."""
    unit = sit.units.get(id)
    return unit.sp if unit else 0


def _check_load(sit: Situation, ids: Sequence[str], last: bool, chosen: list[str]) -> list[str]:
    capacity = sit.n.glider_capacity
    sp = sum(weight(sit, id) for id in chosen)
    if sp > capacity:
        raise IllegalAnswer(f"That is {sp} SP; a glider holds {capacity}.", "ST-SET-12")
    carries = any(id in sit.units and sit.units[id].combat for id in chosen)
    if any(id in sit.weapons for id in chosen) and not carries:
        raise IllegalAnswer("A combat unit must carry the PIAT.", "ST-PIA-02")
    if last and sit.settings.must_load_all:
        for id in ids:
            if id not in chosen and id in sit.units and sp + weight(sit, id) <= capacity:
                raise IllegalAnswer(
                    f"{sit.units[id].name} still fits into this last glider.", "ST-SET-12"
                )
    return chosen


def _usual_load(sit: Situation, number: int, ids: Sequence[str], last: bool) -> list[str]:
    """Return the historical load of a glider that has no place yet; in the last one the rest.

    It is what is offered, no rule.
    """
    chosen = [
        id
        for glider in british_order().gliders[number]
        for id in (glider, *sit.rules.squads.get(glider, ()))
        if id in ids
    ]
    left = sit.n.glider_capacity - sum(weight(sit, id) for id in chosen)
    for id in ids if last else ():
        if id not in chosen and id in sit.units and weight(sit, id) <= left:
            chosen.append(id)
            left -= weight(sit, id)
    carries = any(id in sit.units and sit.units[id].combat for id in chosen)
    return [id for id in chosen if carries or id in sit.units]


def _random_load(sit: Situation, ids: Sequence[str], source: random.Random) -> list[str]:
    """Return a full random load, the heavy units first so that all find room."""
    units = sit.units
    order = sorted([(-weight(sit, id), source.random(), id) for id in ids])
    left = sit.n.glider_capacity
    chosen: list[str] = []
    for sp, _, id in order:
        if id in units and -sp <= left:
            chosen.append(id)
            left += sp
    if any(units[id].combat for id in chosen):
        chosen += [id for id in ids if id in sit.weapons]
    return chosen


def _load_options(sit: Situation, ids: Sequence[str]) -> list[Option]:
    return [_load_option(sit, id, weight(sit, id)) for id in ids]


def _load_option(sit: Situation, id: str, sp: int) -> Option:
    topic = Topic(pieces=(id,), sp=sp)
    return Option(id, sit.name_of(id), consequence=f"{sp} SP", topic=topic)


def _platoons_or_squads(sit: Situation) -> Script[list[str]]:
    """Ask what there is to load: which platoons fly as two squads. Rule: ST-SET-13."""
    platoons = tuple(sit.rules.squads)
    split = yield from ask_some(
        decide(
            "load_squads",
            "Which platoons fly as two squads?",
            rule="ST-SET-13",
            situation=sit,
            ids=platoons,
            build=lambda: [unit_option(sit, id) for id in platoons],
            kind="choose-some",
            default=[],
        )
    )
    order = british_order()
    late = order.reinforcements.leader
    pool = []
    for line in order.units:
        if line.id == late or line.under == late:
            continue
        if line.kind == "platoon" and line.id in split:
            continue
        if line.kind == "squad" and sit.rules.platoon_of[line.id] not in split:
            continue
        pool.append(line.id)
    first = min(weapon.id for weapon in order.weapons if weapon.kind == "piat")
    return [*pool, first]
