"""German reinforcements: the roll, the column that enters, its march. Rule: ST-GRN, ST-TNK."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.germans.german_advance import Approach, Onward, Route, may_move, routes, walk
from asl_pbcg.st.germans.german_resolute import resolute_numbers
from asl_pbcg.st.procedures.demolition import tank_on_bridge
from asl_pbcg.st.procedures.losses import (
    ORDER,
    has_room,
    infantry_in,
    names,
    tank_in,
    tanks_on_map,
    vehicle_mp,
)
from asl_pbcg.st.procedures.movement import move, spend
from asl_pbcg.st.procedures.tanks import break_position, retreat
from asl_pbcg.st.state.area_tables import GERMAN_ENTRY
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.game_rules import german_order
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


def reinforcement_roll(sit: Situation) -> Script[None]:
    """Turn 4: which force comes, and when. Rule: ST-SEQ-07, ST-GRN-01, AMB-33."""
    if sit.turn != sit.n.german_roll_turn:
        return
    if not sit.german_force:
        rolled = yield from throw_on(
            sit,
            "german_reinforcement",
            "German reinforcements",
            {"chit": sit.state.chit},
            side=GERMAN,
        )
        sit.german_force = rolled.result
    turns = german_order().entry_turns[sit.settings.german_entry_turns]
    sit.german_turn = turns[sit.german_force]
    yield note(
        sit,
        f"German reinforcements: force {sit.german_force}, on turn {sit.german_turn}.",
        "ST-GRN-01",
    )


def column_forms(sit: Situation) -> Script[None]:
    """On the turn of entry: where they enter, and who drives with whom. ST-GRN-05, ST-TNK-03."""
    if not sit.german_force or sit.turn != sit.german_turn:
        return
    rolled = yield from throw_on(sit, "german_entry", "German reinforcements enter", side=GERMAN)
    entry = GERMAN_ENTRY.facts(rolled).entry
    force = german_order().forces[sit.german_force]
    tanks = _from_pool(sit, "tank", force.tanks)
    infantry = _from_pool(sit, "infantry", force.infantry)
    stacks = [[tank] for tank in tanks]
    for stack, unit in zip(stacks, infantry, strict=False):
        stack.append(unit)
    rest = infantry[len(tanks) :]
    if rest:
        leads = sit.settings.german == "resolute"  # RES-6
        stacks.insert(0 if leads else len(stacks), rest)
    grenades = resolute_numbers().grenades if sit.settings.german == "resolute" else 0
    sit.book(grenades_issued=grenades * len(infantry))
    for number, stack in enumerate(stacks, 1):
        for unit in stack:
            sit.change(
                unit,
                status="waiting",
                enters=entry,
                enters_turn=sit.turn,
                stack=number,
                force=True,
                released=False,
                grenades=grenades if unit in infantry else 0,
            )
    yield note(
        sit,
        f"{len(tanks)} tanks and {len(infantry)} infantry come in column at {entry}.",
        "ST-TNK-03",
    )


def _from_pool(sit: Situation, kind: str, count: int | None) -> list[str]:
    """Units of a kind that are still in the counter mix, at most ``count``. Rule: ST-GRN-04."""
    found = sorted(u.id for u in sit.units.values() if u.kind == kind and u.status == "pool")
    german = [id for id in found if sit.units[id].side == GERMAN]
    return german if count is None else german[:count]


def enter_columns(sit: Situation, approach: Approach, entered: Counter[str]) -> Script[bool]:
    """Bring the waiting stacks on one after the other; tell whether one could enter.

    Stack k of the turn pays k-1 MP; ``entered`` counts the stacks at each entry. Infantry that
    still stands in the entry area makes room first (AMB-122). Rule: ST-TNK-04.
    """
    before = entered.total()
    for entry, column in sorted(waiting_columns(sit).items()):
        for _, units in sorted(column.items()):
            in_entry = sit.in_area(GERMAN, sit.geo.entry(entry))
            yield from _on_foot(sit, approach, [u.id for u in in_entry if u.kind == "infantry"])
            if not (yield from _enter_stack(sit, approach, entry, entered[entry], units)):
                break
            entered[entry] += 1
    return entered.total() > before


def waiting_columns(sit: Situation) -> dict[str, dict[tuple[int, int], list[Unit]]]:
    """Return the stacks that wait off the map, by entry, turn and place in the column."""
    columns: dict[str, dict[tuple[int, int], list[Unit]]] = {}
    for unit in sit.units.values():
        if (
            unit.status == "waiting"
            and unit.side == GERMAN
            and unit.kind in ("tank", "infantry")
            and unit.enters_turn <= sit.turn
        ):
            stack = (unit.enters_turn, unit.stack)
            columns.setdefault(unit.enters, {}).setdefault(stack, []).append(unit)
    return columns


def tell_who_waits(sit: Situation) -> Script[None]:
    """Say where a column could not enter whole. Rule: ST-TNK-04."""
    for entry in sorted(waiting_columns(sit)):
        yield note(sit, f"The rest of the column at {entry} waits off the map.", "ST-TNK-04")


def _enter_stack(
    sit: Situation, approach: Approach, entry: str, number: int, units: Sequence[Unit]
) -> Script[bool]:
    """Bring one stack on, which goes on with the rest of its MP; tell whether it could enter."""
    area = sit.geo.entry(entry)
    cost = number + sit.n.cost_enemy_occupied * sit.is_occupied(BRITISH, area)
    coming = _units_with_room(sit, approach, area, units)
    if cost > sit.n.mp_german or not coming:
        return False
    tanks = [unit.id for unit in coming if unit.kind == "tank"]
    infantry = [unit.id for unit in coming if unit.kind == "infantry"]
    if tanks:
        # Infantry that finds no room with its tank follows as soon as there is some.
        last = 1 + max(unit.stack for unit in sit.units.values())
        for unit in units:
            if unit not in coming:
                sit.change(unit.id, stack=last)
    order = 1 + max(map(ORDER, sit.units.values()))
    loose = entry == german_order().march_exit
    for unit in coming:
        sit.change(unit.id, order=order, enters="", stack=0, loose=loose)
        sit.spent[unit.id] = cost
    come = [sit.units[unit] for unit in (*tanks, *infantry)]
    verb = "enters" if len(come) == 1 else "enter"
    yield note(sit, f"{names(come)} {verb} at {entry} for {cost} MP.", "ST-TNK-04")
    yield from move(sit, (*tanks, *infantry), area)
    if tanks:
        yield from drive(sit, approach, tanks[0], fresh=True)
    else:
        yield from march(sit, approach, infantry)
    return True


def _units_with_room(
    sit: Situation, approach: Approach, area: str, units: Sequence[Unit]
) -> Sequence[Unit]:
    """Return those of a stack that the entry area has room for. Rule: ST-STK-03, RES-6."""
    tanks = [unit for unit in units if unit.kind == "tank"]
    infantry = [unit for unit in units if unit.kind == "infantry"]
    standing = infantry_in(sit, area)
    room = standing + len(infantry) <= sit.n.infantry_with_tank
    tank_there = tank_in(sit, area, wrecks=sit.settings.wreck_blocks_road)
    if tanks and tank_there:
        return infantry if room and approach.enters_alone else []
    if tanks and not room:
        return tanks if standing <= sit.n.infantry_with_tank else []
    return units if room or not tank_there else []


def _on_foot(sit: Situation, approach: Approach, units: Sequence[str]) -> Script[None]:
    """Walk reinforcement infantry at once with the MP it has left, if the march is over.

    It makes room for the stack behind it. Rule: ST-TNK-07, ST-STK-03, AMB-122.
    """
    for id in units:
        unit = sit.units[id]
        if sit.triggered and unit.force and may_move(sit, unit) and mp_left(sit, id) > 0:
            yield from walk(sit, approach, id)


def drive_all(sit: Situation, approach: Approach) -> Script[None]:
    """The tanks that are on the map already, head of the column first. Rule: ST-TNK-02.

    Infantry that marches at its head goes first, or it would stand in their way (AMB-122).
    """
    tanks = tanks_on_map(sit)
    if tanks and not sit.triggered:
        yield from march_all(sit, approach, before=sit.units[tanks[0]].order)
    for tank in tanks:
        yield from drive(sit, approach, tank)


def drive_held_up(sit: Situation, approach: Approach) -> Script[bool]:
    """Drive the tanks that Germans on the road held up; tell whether one moved. AMB-122."""
    moved = False
    for tank in tanks_on_map(sit):
        found, before = sit.units[tank], mp_left(sit, tank)
        if before > 0 and not found.retreat:
            yield from drive(sit, approach, tank, fresh=True)
            moved = moved or mp_left(sit, tank) < before
    return moved


def drive(sit: Situation, approach: Approach, tank: str, fresh: bool = False) -> Script[None]:
    """One tank moves, with the infantry under it while they march. Rule: ST-TNK-01 to 10.

    A ``fresh`` tank has just entered the map and begins its turn nowhere.
    """
    found = sit.units[tank]
    if found.immobile or found.status != "map":
        return
    if not fresh and sit.positions and (yield from break_position(sit, tank)):
        return
    if found.retreat:
        yield from retreat(sit, tank)
        return
    mp = mp_left(sit, tank)
    if mp > 0 and marching(sit, found):
        mp = yield from _march_with_tank(sit, tank, mp)
    if mp > 0:
        yield from _attack_by_road(sit, approach, tank, mp)


def marching(sit: Situation, unit: Unit) -> bool:
    """Tell whether a German marches to Ranville: he came in elsewhere, and nobody has attacked.

    Rule: ST-TNK-05, ST-TNK-07, AMB-125.
    """
    return unit.force and not sit.triggered and not unit.loose


def _with_tank(sit: Situation, tank: Unit) -> list[str]:
    """Return the infantry that marches with a tank."""
    if len(sit.german[tank.area]) == 1:
        return []
    return [
        unit.id
        for unit in sit.at(GERMAN, tank.area)
        if unit.kind == "infantry" and unit.force and may_move(sit, unit)
    ]


def _march_with_tank(sit: Situation, tank: str, mp: int) -> Script[int]:
    """A tank marches to Ranville; returns the MP left for it to turn on the British. ST-TNK-05."""
    exit_area = sit.geo.entry(german_order().march_exit)
    onward = sit.geo.on_road_to(exit_area)
    spent = sit.spent
    while mp > 0:
        found = sit.units[tank]
        here = found.area
        if here == exit_area:
            for id in (tank, *_with_tank(sit, found)):
                sit.take_off(id, "left")
            yield note(sit, f"{found.name} leaves the map at Ranville.", "ST-TNK-05")
            return 0
        if here not in onward:
            return 0
        there, cost = onward[here]
        pay = vehicle_mp(sit, there, cost, tank=True)
        if pay is None or pay > mp:
            return 0
        yield note(sit, f"{found.name} marches from {here} to {sit.geo.text(there)}.", "ST-TNK-05")
        mp -= pay
        movers = [tank]
        along = _with_tank(sit, found)
        if along:
            space = max(0, sit.n.infantry_with_tank - infantry_in(sit, there))
            most = sit.n.mp_german - pay
            movers += [id for id in along if spent.get(id, 0) <= most][:space]
        for id in movers:
            spend(sit, id, pay)
        yield from move(sit, movers, there)
        if sit.bridge == "damaged":
            yield from tank_on_bridge(sit, tank)
            if sit.units[tank].status != "map":
                return 0
        if sit.triggered:
            return mp
    return 0


def mp_left(sit: Situation, unit: str) -> int:
    """Return the MP a German tank or infantry unit has left in this phase."""
    return sit.n.mp_german - sit.spent.get(unit, 0)


def steps_by_road(sit: Situation, approach: Approach, tank: Unit) -> Onward:
    """Return the steps of a tank, which stops where it meets British. ST-TNK-01, ST-TNK-02."""

    def onward(here: str) -> Iterable[tuple[str, int]]:
        if here != tank.area and approach.meets(here):
            return
        for there, line in sit.geo.road_steps.get(here, ()):
            mp = vehicle_mp(sit, there, line, tank=True)
            if mp is not None:
                yield there, mp

    return onward


def choose_tank_end(sit: Situation, approach: Approach, tank: Unit, mp: int) -> Route | None:
    """Return the way of a tank to the road area nearest to the British. Rule: ST-TNK-07."""
    ways = routes(sit, approach, tank.area, mp, steps_by_road(sit, approach, tank))
    ends = [area for area in ways if approach.may_stop(tank, area)] or [tank.area]
    end = min(ends, key=lambda area: (approach.nearest(area), ways[area][0], area))
    return ways[end] if end != tank.area else None


def _attack_by_road(sit: Situation, approach: Approach, tank: str, mp: int) -> Script[None]:
    """A tank drives to the road area nearest to the British. Rule: ST-TNK-07."""
    found = sit.units[tank]
    route = choose_tank_end(sit, approach, found, mp)
    if route is None:
        return
    mp_spent, _, _, areas = route
    yield note(
        sit,
        f"{found.name} drives from {found.area} to {sit.geo.text(areas[-1])}, the road area "
        "nearest to the British.",
        "ST-TNK-07",
    )
    spend(sit, tank, mp_spent)
    for area in areas:
        yield from move(sit, (tank,), area)
        if sit.bridge == "damaged":
            yield from tank_on_bridge(sit, tank)
        if sit.units[tank].status != "map":
            return
        if approach.meets(area):
            sit.spent[tank] = sit.n.mp_german
            return


def march_all(sit: Situation, approach: Approach, before: int = 0) -> Script[None]:
    """Reinforcement infantry without a tank marches on while nothing has happened. ST-TNK-05.

    With ``before``, only what goes ahead of that place in the column. Rule: AMB-122.
    """
    groups: dict[tuple[int, str], list[str]] = {}
    units = sit.units
    for ids in sit.german.values():
        for id in ids:
            unit = units[id]
            if (
                unit.order
                and unit.kind == "infantry"
                and unit.force
                and not (before and unit.order >= before)
                and mp_left(sit, id) > 0
                and not tank_in(sit, unit.area, wrecks=False)
            ):
                groups.setdefault((unit.order, unit.area), []).append(id)
    for key in sorted(groups):
        group = sorted(groups[key])
        if sit.triggered:
            yield from _on_foot(sit, approach, group)
        else:
            yield from march(sit, approach, group)


def march(sit: Situation, approach: Approach, units: Sequence[str]) -> Script[None]:
    """Infantry of the column marches by road until a reinforcement is attacked. Rule: ST-TNK-05."""
    exit_area = sit.geo.entry(german_order().march_exit)
    onward = sit.geo.on_road_to(exit_area)
    spent = sit.spent
    while not sit.triggered:
        movers = _marchers(sit, units)
        if not movers:
            return
        area = sit.units[movers[0]].area
        if area == exit_area:
            for id in movers:
                sit.take_off(id, "left")
            yield note(sit, "Infantry of the column leaves the map at Ranville.", "ST-TNK-05")
            return
        if area not in onward:
            return
        there, cost = onward[area]
        if not has_room(sit, there, len(movers)):
            return
        pay = vehicle_mp(sit, there, cost, tank=False)
        if pay is None:
            return
        most = sit.n.mp_german - pay
        going = [id for id in movers if spent.get(id, 0) <= most]
        if not going:
            return
        for id in going:
            spend(sit, id, pay)
        yield note(sit, f"Infantry marches from {area} to {sit.geo.text(there)}.", "ST-TNK-05")
        yield from move(sit, going, there)
    yield from _on_foot(sit, approach, units)


def _marchers(sit: Situation, units: Sequence[str]) -> list[str]:
    """Return those of ``units`` with MP left where the first that may move stands."""
    able = [unit for unit in map(sit.units.__getitem__, units) if may_move(sit, unit)]
    if not able:
        return []
    area = able[0].area
    return [unit.id for unit in able if unit.area == area and mp_left(sit, unit.id) > 0]
