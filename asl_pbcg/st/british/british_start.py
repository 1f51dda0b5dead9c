"""The start of the British Movement Phase: reinforcements, platoons and squads.

Rule: ST-BRN-01 to ST-BRN-08, ST-BRK-01 to ST-BRK-04.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Script, ask, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, GERMAN, SideName
from asl_pbcg.st.procedures.losses import names
from asl_pbcg.st.procedures.movement import move, spend
from asl_pbcg.st.state.decision import decide, note, throw_on, unit_option
from asl_pbcg.st.state.game_rules import british_order
from asl_pbcg.st.state.game_state import AreaWeapon, Unit
from asl_pbcg.st.state.phase_situation import Situation

GO_ON = "go-on"


# -- reinforcements ---------------------------------------------------------------------


def reinforcement_roll(sit: Situation) -> Script[None]:
    """Turn 6: which force comes, and when. Rule: ST-SEQ-02, ST-BRN-01, ST-BRN-08."""
    if sit.turn != sit.n.british_roll_turn or sit.british_force:
        return
    if sit.settings.optional_british_table:
        rolled = yield from throw_on(
            sit, "british_reinforcement.optional", "British reinforcements", side=BRITISH
        )
    else:
        rolled = yield from throw_on(
            sit,
            "british_reinforcement",
            "British reinforcements",
            {"german_force": sit.german_force},
            side=BRITISH,
        )
    yield from set_british_force(sit, rolled.result)


def set_british_force(sit: Situation, force: str) -> Script[None]:
    """Bring force A, B or C up: its units and weapons wait off the map. Rule: ST-BRN-02."""
    order = british_order().reinforcements
    sit.british_force = force
    sit.british_turn = order.entry_turns[sit.settings.british_entry_turns][force]
    for unit in arriving(sit, force):
        grenades = sit.rules.roster[unit].grenades
        sit.change(unit, status="waiting", grenades=grenades)
        sit.book(grenades_issued=grenades)
    yield note(
        sit,
        f"British reinforcements: force {force}, at {order.entry} on turn {sit.british_turn}.",
        "ST-SEQ-03",
    )


def arriving(sit: Situation, force: str) -> list[str]:
    """Return the units of a force: Coffin, then his platoons in roster order. Rule: ST-BRN-02."""
    order = british_order().reinforcements
    return [order.leader, *_led_by(order.leader)[: order.forces[force].infantry]]


@cache
def _led_by(leader: str) -> tuple[str, ...]:
    """Return the units under a leader, in roster order."""
    return tuple([unit.id for unit in british_order().units if unit.under == leader])


def arrivals(sit: Situation) -> Script[None]:
    """The reinforcements enter in column, two units a stack. Rule: ST-BRN-05 to ST-BRN-07."""
    if not sit.british_force or sit.turn < sit.british_turn:
        return
    order = british_order().reinforcements
    waiting = [u for u in arriving(sit, sit.british_force) if sit.units[u].status == "waiting"]
    if not waiting:
        return
    entry = sit.geo.entry(order.entry)
    platoons = [unit for unit in waiting if unit != order.leader]
    carriers = yield from _carriers(sit, platoons)
    number = 0
    while platoons:
        stack = yield from _next_stack(sit, platoons, number + 1)
        platoons = [unit for unit in platoons if unit not in stack]
        mp = number + sit.n.cost_enemy_occupied * sit.is_occupied(GERMAN, entry)
        movers = list(stack)
        if number == 0 and order.leader in waiting:
            movers.append(order.leader)
        for unit in movers:
            for weapon, carrier in carriers.items():
                if carrier == unit:
                    sit.change_weapon(weapon, status="map", area=entry, carrier=unit)
            spend(sit, unit, mp)
        yield note(
            sit,
            f"{names(sit.units[unit] for unit in movers)} enter at {sit.geo.text(entry)} "
            f"for {mp} MP.",
            "ST-BRN-05",
        )
        yield from move(sit, movers, entry)
        number += 1


def _carriers(sit: Situation, platoons: Sequence[str]) -> Script[dict[str, str]]:
    """Ask which unit carries each PIAT and gammon, one weapon a unit. Rule: ST-BRN-07."""
    order = british_order().reinforcements
    free = list(platoons)
    found: dict[str, str] = {}
    for weapon in order.forces[sit.british_force].weapons:
        ids = tuple(free)
        unit = yield from ask(
            decide(
                "arrival_weapon",
                f"Who brings {sit.weapons[weapon].name}?",
                rule="ST-BRN-07",
                situation=sit,
                ids=ids,
                build=partial(_name_options, sit, ids),
                pieces=(weapon,),
                default=ids[0],
            )
        )
        found[weapon] = unit
        if len(free) > 1:
            free.remove(unit)
    return found


def _name_options(sit: Situation, ids: Sequence[str]) -> list[Option]:
    return [unit_option(sit, id) for id in ids]


def _next_stack(sit: Situation, platoons: Sequence[str], number: int) -> Script[list[str]]:
    """The two units of the next stack. Rule: ST-BRN-05."""
    size = sit.n.british_stack
    if len(platoons) <= size:
        return list(platoons)
    chosen = yield from ask_some(
        decide(
            "arrival_order",
            f"Which {size} units enter in stack {number} (it pays {number - 1} MP)?",
            rule="ST-BRN-05",
            situation=sit,
            ids=tuple(platoons),
            build=partial(_name_options, sit, platoons),
            kind="choose-some",
            least=size,
            most=size,
            default=list(platoons[:size]),
        )
    )
    return chosen


# -- platoons and squads ----------------------------------------------------------------


def break_down(sit: Situation) -> Script[None]:
    """Any platoon may split into squads, two squads may join again. Rule: ST-BRK-01, ST-BRK-03."""
    while True:
        found = splits(sit) + joins(sit)
        if not found:
            return
        ids = [f"{kind} {platoon}" for kind, platoon in found]
        ids.append(GO_ON)
        answer = yield from ask(
            decide(
                "break_down",
                "Does a platoon split, or do two squads join?",
                rule="ST-BRK-01",
                situation=sit,
                ids=ids,
                build=partial(_split_options, sit, ids),
                default=GO_ON,
                draw=partial(_draw_split, ids),
            )
        )
        if answer == GO_ON:
            return
        kind, platoon = answer.split(" ", 1)
        if kind == "split":
            yield from split(sit, platoon)
        else:
            yield from join(sit, platoon)


def splits(sit: Situation) -> list[tuple[str, str]]:
    """Return the platoons that may split. Rule: ST-BRK-01, ST-BRK-04."""
    found: list[tuple[str, str]] = []
    units = sit.units
    for platoon in sit.rules.squads:
        unit = units[platoon]
        if unit.status == "map" and unit.sp - unit.lost > 1:
            found.append(("split", platoon))
    return found


_STATUS: Final = attrgetter("status")


def joins(sit: Situation) -> list[tuple[str, str]]:
    """Return the platoons whose two squads stand at one place. Rule: ST-BRK-03."""
    found: list[tuple[str, str]] = []
    units = sit.units
    if "map" not in map(_STATUS, map(units.__getitem__, sit.rules.platoon_of)):
        return found
    for platoon, (a, b) in sit.rules.squads.items():
        first = units[a]
        if first.status == "map":
            second = units[b]
            if second.status == "map" and first.place == second.place:
                found.append(("join", platoon))
    return found


def _draw_split(ids: Sequence[str], source: random.Random) -> str:
    """Draw an answer, mostly neither."""
    return source.choice(ids) if source.random() < 0.15 else GO_ON


def _split_options(sit: Situation, ids: Sequence[str]) -> list[Option]:
    return [_split_option(sit, id) for id in ids]


def _split_option(sit: Situation, id: str) -> Option:
    if id == GO_ON:
        return Option(id, "no more of this", topic=Topic(kind="stop"))
    kind, platoon = id.split(" ", 1)
    unit = sit.units[platoon]
    if kind == "split":
        return Option(
            id,
            f"split {unit.name}",
            consequence=f"{unit.strength} SP and {unit.grenades} grenades over two squads",
        )
    a, b = (sit.units[squad] for squad in sit.rules.squads[platoon])
    return Option(
        id,
        f"join {a.name} and {b.name}",
        consequence=f"{a.strength + b.strength} SP and {a.grenades + b.grenades} grenades",
    )


def split(sit: Situation, platoon: str) -> Script[None]:
    """A platoon becomes two squads; losses and grenades are shared out evenly. ST-BRK-02."""
    old = sit.units[platoon]
    a, b = sit.rules.squads[platoon]
    lost_more = a
    if old.lost % 2:
        lost_more = yield from _which_squad(sit, platoon, "takes the odd SP loss")
    grenade_more = a
    if old.grenades % 2:
        grenade_more = yield from _which_squad(sit, platoon, "keeps the odd grenade")
    loads = sit.loads(platoon)
    guarded = sit.pows_of(platoon)
    held = _who_holds(sit)
    sit.take_off(platoon, "pool")
    sit.change(platoon, lost=0, grenades=0, area="")
    for squad in (a, b):
        lost = old.lost // 2 + (old.lost % 2 if squad == lost_more else 0)
        grenades = old.grenades // 2 + (old.grenades % 2 if squad == grenade_more else 0)
        _replace_by(sit, old, squad, lost, grenades)
    _as_held(sit, held)
    for weapon in loads:
        sit.change_weapon(weapon.id, carrier=a)
    sit.pows = sit.pows.having(*[replace(pow, escort=a) for pow in guarded])
    yield note(sit, f"{old.name} splits into two squads.", "ST-BRK-01")


Held = tuple[dict[str, SideName], dict[str, SideName], list[AreaWeapon]]
"""Control of places, last to enter them, weapons held among enemies."""


def _who_holds(sit: Situation) -> Held:
    return sit.control, sit.entered, [w for w in sit.weapons.values() if w.held]


def _as_held(sit: Situation, held: Held) -> None:
    """Counters have been exchanged: nobody has left or entered. Rule: ST-BRK-01."""
    sit.control, sit.entered, weapons = held
    for weapon in weapons:
        sit.change_weapon(weapon.id, held=weapon.held)


def _replace_by(sit: Situation, old: Unit, new: str, lost: int, grenades: int) -> None:
    """Put ``new`` where ``old`` stood, in its condition."""
    sit.put(new, old.area, old.inside)
    sit.change(
        new,
        lost=lost,
        grenades=grenades,
        suppressed=old.suppressed,
        engaged=old.engaged,
        fired=old.fired,
        fired_at=old.fired_at,
        came=old.came,
        bank=old.bank,
    )


def _which_squad(sit: Situation, platoon: str, what: str) -> Script[str]:
    a, b = sit.rules.squads[platoon]
    answer = yield from ask(
        decide(
            "break_down_share",
            f"Which squad {what}?",
            rule="ST-BRK-02",
            situation=sit,
            ids=(a, b),
            build=partial(_name_options, sit, (a, b)),
            pieces=(platoon,),
            default=a,
        )
    )
    return answer


def join(sit: Situation, platoon: str) -> Script[None]:
    """Two squads become their platoon again; losses and grenades are pooled. ST-BRK-03."""
    pair = [sit.units[squad] for squad in sit.rules.squads[platoon]]
    a, b = pair
    if a.place != b.place:
        raise IllegalAnswer("The squads do not stand together.", "ST-BRK-03")
    loads = [weapon for squad in pair for weapon in sit.loads(squad.id)]
    guarded = [pow for squad in pair for pow in sit.pows_of(squad.id)]
    held = _who_holds(sit)
    for squad in pair:
        sit.take_off(squad.id, "pool")
        sit.change(squad.id, lost=0, grenades=0, area="")
    _replace_by(sit, a, platoon, a.lost + b.lost, a.grenades + b.grenades)
    sit.change(
        platoon,
        suppressed=a.suppressed or b.suppressed,
        engaged=max(a.engaged, b.engaged),
        fired=max(a.fired, b.fired),
        fired_at=tuple(sorted({*a.fired_at, *b.fired_at})),
        came=max(a.came, b.came),
    )
    _as_held(sit, held)
    carried: set[str] = set()
    for weapon in loads:
        # A platoon carries one weapon of a kind; a second one is laid down.
        keeps = weapon.kind not in carried
        carried.add(weapon.kind)
        laid_down = "" if keeps else sit.held_by(BRITISH, a.place)
        sit.change_weapon(weapon.id, carrier=platoon if keeps else "", held=laid_down)
    sit.pows = sit.pows.having(*[replace(pow, escort=platoon) for pow in guarded])
    yield note(sit, f"{a.name} and {b.name} join.", "ST-BRK-03")
