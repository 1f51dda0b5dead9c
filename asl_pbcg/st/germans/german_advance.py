"""The German Movement Phase for infantry and leaders, with Mjr Schmidt and his Mercedes.

The bullets of the rulebook's "German Movement Phase" stand in their order. Infantry head for the
nearest British as the map was when the phase began, take the quickest way there, and end their
move where the preferences of the rules are met best. Rule: ST-GMV-01 to 08, ST-MER-01 to 12.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, area_of, is_bunker, numbers
from asl_pbcg.st.board.geometry import FAR, Geometry, Reach
from asl_pbcg.st.procedures.assaults import grenade
from asl_pbcg.st.procedures.fire import crews
from asl_pbcg.st.procedures.losses import (
    MERCEDES,
    SCHMIDT,
    areas_full_of_infantry,
    road_step,
    vehicle_mp,
)
from asl_pbcg.st.procedures.movement import ferry_works, move, spend
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.game_rules import german_order
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation

# -- 1. German combat units/leaders move their full movement allowance towards nearest (in terms
#       of MPs) British-occupied area (combat units &/or leaders) as at start of the phase


def may_move(sit: Situation, unit: Unit) -> bool:
    """Tell whether a German may move now. Rule: ST-GMV-08, ST-SUP-02, ST-GAR-01, ST-H2H-15."""
    return (
        unit.status == "map"
        and not unit.face_down
        and not unit.suppressed
        and unit.engaged < sit.turn
    )


def foot_allowance(sit: Situation, unit: Unit, mg: str) -> int:
    """Return the MP of a German on foot. Rule: ST-MOV-03, ST-MOV-04, ST-MOV-06."""
    mp = sit.n.mp_wounded if unit.wounded else sit.n.mp_german
    return mp + (sit.n.mp_carrying_mg if mg else 0)


class Approach:
    """The British as the German Movement Phase begins, and how far every area is from them.

    The variant Germans override :meth:`goal` and the questions that begin with ``may``.
    """

    enters_alone = False
    """Whether infantry enters where its tank finds no room (RES-6)."""

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        self.occupied = frozenset(sit.areas_of(BRITISH))
        """Areas with a British unit or leader."""
        self.british = frozenset(area for area in self.occupied if self.meets(area))
        """Those of them that Germans head for, and go no further than."""
        self._units = {area: sit.in_area(BRITISH, area) for area in self.occupied}
        self._obstructed = {area: sit.is_obstructed(area) for area in self.british}
        self._ferry = None if sit.bridge != "destroyed" else ferry_works(sit)
        self.back = sit.geo.steps_back(self._ferry)
        self.extra = dict.fromkeys(self.occupied, sit.n.cost_enemy_occupied)
        """The MP that entering an area costs besides. Rule: ST-MOV-14."""
        self._nearest = Reach(self.back, self.british, self.extra)
        self.target: Callable[[str], str] = cache(self._target)
        """The nearest British area, or nothing. Rule: ST-GMV-01."""
        self.watched: Callable[[str], bool] = cache(self._is_watched)
        """Whether British able to fire could fire on an area."""

    def meets(self, area: str) -> bool:
        """Tell whether a German on foot stops in ``area`` as it meets British now."""
        return self.sit.is_occupied(BRITISH, area)

    def sp(self, area: str) -> int:
        """Return the SP of the British in ``area``; leaders alone are one unit. ST-GMV-02."""
        combat = [unit.strength for unit in self._units.get(area, ()) if unit.combat]
        return sum(combat) if combat else self.sit.n.leaders_alone_sp

    def _is_watched(self, area: str) -> bool:
        return any(map(self.watches, self.sit.geo.near[area]))

    def watches(self, area: str) -> bool:
        """Tell whether British in ``area`` could fire next door."""
        return any(unit.combat and not unit.suppressed for unit in self._units.get(area, ()))

    def nearest(self, area: str) -> int:
        """Return the MP from ``area`` to the nearest British; FAR if none can be reached."""
        return self._nearest.of(area)

    def distances(self, goal: str) -> Reach:
        """Return the MP from every area to ``goal``, through or round the British."""
        return _distances(self.sit.geo, goal, self.occupied, self._ferry)

    def mp_to(self, area: str, goal: str) -> int:
        """Return the MP from ``area`` to ``goal``; FAR if no way leads there."""
        return self.distances(goal).of(area)

    def _target(self, area: str) -> str:
        """Return the nearest British area; ties: obstructed, then fewer SP, then id."""
        enter = 0 if area in self.british else self.sit.n.cost_enemy_occupied
        mp = self._nearest.of(area) - enter
        ways = self.sit.geo.ways_when
        near = [g for g in self.british if ways(g, self._ferry).of(area) == mp]
        rank = lambda goal: (not self._obstructed[goal], self.sp(goal), goal)  # noqa: E731
        return min(near, key=rank, default="")

    def goal(self, unit: Unit) -> str:
        """Return where ``unit`` heads for, or nothing if it stays. Rule: ST-GMV-01."""
        return self.target(unit.area)

    def why(self, goal: str) -> str:
        """Return why a unit heads for ``goal``, in words."""
        return "the nearest British are in"

    def may_attack(self, unit: Unit, area: str) -> bool:
        """Tell whether ``unit`` may enter the British-occupied ``area``. Rule: ST-GMV-03."""
        return True

    def may_wait(self, unit: Unit, area: str) -> bool:
        """Tell whether ``unit`` may end its move in ``area``, where no British are. ST-GMV-04."""
        return True

    def must_stay(self, unit: Unit) -> bool:
        """Tell whether ``unit`` stands among British it stays with."""
        return unit.area in self.british or self.meets(unit.area)

    def halt(self, unit: Unit, end: str, ways: Mapping[str, Route], mp: int) -> str:
        """Return where on its way to ``end`` the unit ends its move."""
        return end

    def grenade_at(self, unit: Unit) -> str:
        """Return the place into which ``unit`` throws a grenade; British alone do. ST-GRE-02."""
        return ""

    def may_stop(self, tank: Unit, area: str) -> bool:
        """Tell whether a tank may end its move in ``area``. Rule: ST-TNK-07."""
        return True


@lru_cache(maxsize=400)
def _distances(geo: Geometry, goal: str, british: frozenset[str], ferry: bool | None) -> Reach:
    """Return the MP to ``goal`` from every area, more where British stand."""
    extra = dict.fromkeys(british, numbers().cost_enemy_occupied)
    return Reach(geo.steps_back(ferry), [goal], extra)


Route = tuple[int, int, int, tuple[str, ...]]
"""A way to an area: MP, areas under British eyes, obstructed areas (negative), the areas."""
Onward = Callable[[str], Iterable[tuple[str, int]]]
"""The steps out of an area, with their MP."""


def routes(
    sit: Situation, approach: Approach, start: str, mp: int, onward: Onward
) -> dict[str, Route]:
    """Return the best way from ``start`` to every area within ``mp``.

    Best is least MP, then fewest watched areas, then most obstructed ones, then id order.
    """
    obstructed, vehicles, watched = sit.geo.obstructed, sit.vehicles, approach.watched
    queue: list[Route] = [(0, 0, 0, ())]
    best = {start: queue[0]}
    while queue:
        route = heapq.heappop(queue)
        spent, seen, cover, areas = route
        area = areas[-1] if areas else start
        if spent == mp or best[area] is not route:
            continue
        for there, pay in onward(area):
            if spent + pay <= mp:
                hidden = there in obstructed or there in vehicles
                step = (spent + pay, seen + watched(there), cover - hidden, (*areas, there))
                if there not in best or step < best[there]:
                    best[there] = step
                    heapq.heappush(queue, step)
    return best


def steps_on_foot(sit: Situation, approach: Approach, unit: Unit) -> Onward:
    """Return the steps of a German on foot, who goes no further than to the British.

    Infantry finds no room beside a tank with infantry. Rule: ST-STK-03.
    """
    full = areas_full_of_infantry(sit) if unit.kind != "leader" else set()
    british, steps, broken = approach.british, sit.geo.steps, sit.bridge == "destroyed"
    occupied, enter = sit.areas_of(BRITISH), sit.n.cost_enemy_occupied

    def onward(here: str) -> list[tuple[str, int]]:
        if here in british:
            return []
        open_to = [
            (there, line + enter if there in occupied else line)
            for there, line in steps[here]
            if there not in full
        ]
        if not broken:
            return open_to
        lines = dict(steps[here])
        paid = [(there, step_mp(sit, unit, here, there, lines[there])) for there, _ in open_to]
        return [(there, mp) for there, mp in paid if mp is not None]

    return onward


def step_mp(sit: Situation, unit: Unit, here: str, there: str, mp: int) -> int | None:
    """Return the MP for a German on foot to step from ``here`` to ``there``. Rule: ST-MOV-14.

    None if the bridge is destroyed and no ferry works.
    """
    extra = sit.n.cost_enemy_occupied if sit.is_occupied(BRITISH, there) else 0
    if sit.bridge == "destroyed":
        pegasus = sit.geo.pegasus
        if there == pegasus:
            return sit.n.cost_ferry + extra if ferry_works(sit) else None
        if here == pegasus and unit.bank and sit.bank_of(there) != unit.bank:
            return mp + extra if ferry_works(sit) else None
    return mp + extra


# -- 2. They use all their MP unless this means ending in a non-British-occupied open area; instead
#       they cease moving in a non-British-occupied obstructed area if possible
# -- 3. Preferences for each area moved: 1) British-occupied obstructed 2) British-occupied open
#       3) other obstructed 4) other open area, unless no reasonable alternative exists
# -- 4. Obstructed areas include open areas containing a vehicle (Situation.is_obstructed)


def choose_end(sit: Situation, approach: Approach, unit: Unit, mp: int) -> Route | None:
    """Return the way a German on foot takes with ``mp``, or None if it stays.

    Only areas nearer to the target are considered. A leader breaks ties toward most German SP. A
    unit that has moved in this phase already leaves an obstructed area for an obstructed or
    British one alone. Rule: ST-GMV-03, ST-GMV-04, ST-GMV-05.
    """
    start, target = unit.area, approach.goal(unit)
    if not target or approach.must_stay(unit):
        return None
    away, enter = approach.distances(target), sit.n.cost_enemy_occupied
    border = enter if target in approach.occupied else 0
    here = 0 if start == target else away.of(start) - border
    attacks: list[tuple[tuple[int, ...], str]] = []
    halts: list[tuple[tuple[int, ...], str]] = []
    ways = routes(sit, approach, start, mp, steps_on_foot(sit, approach, unit))
    for area, way in ways.items():
        left = 0 if area == target else away.of(area) - border
        if left >= here and not (area == start and sit.spent.get(unit.id)):
            continue
        is_open, mp_spent = not sit.is_obstructed(area), way[0]
        tie = -german_sp(sit, area) if unit.kind == "leader" else 0
        if area in approach.british:
            if approach.may_attack(unit, area):
                attacks.append(((is_open, mp_spent, approach.sp(area), tie), area))
        elif area == target:  # whoever gets to a place to be retaken is there
            attacks.append(((True, mp_spent, 0, tie), area))
        elif approach.may_wait(unit, area):
            halts.append(((is_open, left, mp_spent, tie), area))
    _, end = min(attacks or halts, default=((), start))
    end = approach.halt(unit, end, ways, mp)
    return ways[end] if end != start else None


def german_sp(sit: Situation, area: str) -> int:
    """Return the SP of the German infantry in an area."""
    return sum(unit.strength for unit in sit.in_area(GERMAN, area) if unit.combat)


# -- 5. There is some subjectivity in German movement: make each move in the best German interest


def moving_order(sit: Situation, approach: Approach) -> list[str]:
    """Return the infantry that may move, the nearest to the British first, then by id."""
    walkers = [
        (approach.nearest(unit.area), unit.id)
        for unit in sit.on_map(GERMAN)
        if unit.combat and may_move(sit, unit) and sit.spent.get(unit.id, 0) < sit.n.mp_german
    ]
    return [unit for _, unit in sorted(walkers)]


def mg_bearers(sit: Situation) -> dict[str, str]:
    """Return which German takes which MG along, the strongest of a stack first. ST-MOV-05."""
    bearers: dict[str, str] = {}
    for place in sit.german.keys() & sit.weapons.at.keys():
        stack = [u for u in sit.at(GERMAN, place) if u.combat and may_move(sit, u)]
        mgs = sit.weapons_at(GERMAN, place, "mg")
        bearers |= {u.id: mg.id for u, mg in zip(crews(stack, len(mgs)), mgs, strict=False)}
    return bearers


def keeps_to_gun(sit: Situation, unit: Unit, mg: str) -> bool:
    """Tell whether a crew holds its gun as British are near (only as set). AMB-46, RES-4."""
    at_gun = sit.weapons_at(GERMAN, unit.place, "at")
    if not sit.settings.garrison_holds_weapon:
        resolute = sit.settings.german == "resolute" and unit.kind == "garrison"
        return resolute and bool(mg or at_gun)
    if not mg:
        stack = [each for each in sit.at(GERMAN, unit.place) if each.combat]
        crew = min(stack, key=lambda each: (each.strength, each.id), default=None)
        if not at_gun or crew is None or crew.id != unit.id:
            return False
    return any(sit.is_occupied(BRITISH, near) for near in sit.geo.near[unit.area])


def walk(sit: Situation, approach: Approach, unit: str, mg: str = "") -> Script[None]:
    """Move one German on foot step by step toward the British. Rule: ST-GMV-01 to ST-GMV-05.

    A unit that cannot go its whole way yet keeps the MP for when it can (AMB-122).
    """
    walker = sit.units[unit]
    if keeps_to_gun(sit, walker, mg):
        return
    yield from throw_grenades(sit, approach, unit, mg)
    mp = foot_allowance(sit, walker, mg) - sit.spent.get(unit, 0)
    route = choose_end(sit, approach, walker, mp) if mp > 0 else None
    if route is None:
        return
    goal = approach.goal(walker)
    if walker.inside:  # coming out of the bunker costs nothing. Rule: ST-MOV-20
        fire = sit.settings.bunker_opportunity_fire
        yield from move(sit, (unit,), walker.area, mg=mg, fire=fire)
        if not may_move(sit, sit.units[unit]):
            return
    mp_spent, _, _, areas = route
    end = sit.geo.text(areas[-1])
    gun = f" with the {sit.weapons[mg].name}" if mg else ""
    yield note(
        sit,
        f"{walker.name} moves from {walker.area} to {end}{gun}: {approach.why(goal)} "
        f"{sit.geo.text(goal)}.",
        "ST-GMV-01",
    )
    spend(sit, unit, mp_spent)
    for area in areas:
        yield from move(sit, (unit,), area, mg=mg)
        if not may_move(sit, sit.units[unit]) or approach.meets(area):
            break
    yield from throw_grenades(sit, approach, unit, mg)


def throw_grenades(sit: Situation, approach: Approach, unit: str, mg: str) -> Script[None]:
    """Throw grenades as long as ``unit`` has MP and a reason to. Rule: RES-8."""
    mp, cost = foot_allowance(sit, sit.units[unit], mg), sit.n.cost_grenade
    while sit.spent.get(unit, 0) + cost <= mp and (place := approach.grenade_at(sit.units[unit])):
        spend(sit, unit, cost)
        yield from grenade(sit, unit, area_of(place), is_bunker(place))


def drive_mercedes(sit: Situation) -> Script[None]:
    """The Mercedes appears on turn 3 and drives to leave at Le Port. ST-MER-02 to ST-MER-05."""
    car = sit.units.get(MERCEDES)
    if car is None:
        return
    if car.enters_turn == sit.turn:
        rolled = yield from throw_on(sit, "mercedes_speed", "Speed of the Mercedes", side=GERMAN)
        sit.mercedes_mp = int(rolled.result)
        yield note(sit, f"Mjr Schmidt enters at {car.enters} in his Mercedes.", "ST-MER-02")
        yield from move(sit, (MERCEDES,), sit.geo.entry(car.enters))
    goal = sit.geo.entry(german_order().mercedes_exit)
    spent = 0
    while sit.units[MERCEDES].status == "map" and spent < sit.mercedes_mp:
        car = sit.units[MERCEDES]
        if car.area == goal:
            sit.take_off(MERCEDES, "left")
            sit.take_off(SCHMIDT, "left")
            yield note(sit, "The Mercedes leaves the map at Le Port with Mjr Schmidt.", "ST-MER-05")
            return
        there, cost = road_step(sit, car.area, goal)
        pay = vehicle_mp(sit, there, cost, tank=False) if there else None
        if pay is None or spent + pay > sit.mercedes_mp:
            return
        spent += pay
        yield note(sit, f"The Mercedes drives to {sit.geo.text(there)}.", "ST-MER-05")
        yield from move(sit, (MERCEDES,), there)


def waits_in_pillbox(sit: Situation) -> bool:
    """Tell whether Schmidt stays for the demolition (chits C to H). Rule: AMB-83."""
    schmidt = sit.units[SCHMIDT]
    return (
        sit.settings.schmidt_waits_in_pillbox
        and sit.demo == "open"
        and schmidt.area == sit.geo.pillbox
    )


def on_foot(sit: Situation) -> bool:
    """Tell whether Schmidt has lost his car and not yet met other Germans. Rule: ST-MER-09."""
    schmidt = sit.units[SCHMIDT]
    car = sit.units.get(MERCEDES)
    if car is None or car.status != "wreck" or schmidt.status != "map":
        return False
    return not any(unit.combat and not unit.dummy for unit in sit.at(GERMAN, schmidt.area))


def walk_schmidt(sit: Situation, approach: Approach) -> Script[None]:
    """Schmidt on foot goes to the nearest Germans, or to leave at Le Port. Rule: ST-MER-09."""
    schmidt = sit.units[SCHMIDT]
    if not may_move(sit, schmidt):
        return
    if not on_foot(sit):
        yield from walk(sit, approach, SCHMIDT)
        return
    mp = foot_allowance(sit, schmidt, "")
    exit_area = sit.geo.entry(german_order().mercedes_exit)
    # A garrison that lies face down is a German unit too, a dummy is none.
    friends = {unit.area for unit in sit.on_map(GERMAN) if unit.combat and not unit.dummy}
    leaving = not friends
    away = Reach(approach.back, friends or {exit_area}, approach.extra)
    while mp > 0:
        schmidt = sit.units[SCHMIDT]
        if schmidt.status != "map" or schmidt.suppressed or sit.is_occupied(BRITISH, schmidt.area):
            return
        if leaving and schmidt.area == exit_area:
            sit.take_off(SCHMIDT, "left")
            yield note(sit, "Mjr Schmidt leaves the map at Le Port.", "ST-MER-09")
            return
        if not leaving and schmidt.area in friends:
            return
        here = away.of(schmidt.area)  # whatever is nearer is settled then
        steps = []
        for there, cost in sit.geo.steps[schmidt.area]:
            pay = step_mp(sit, schmidt, schmidt.area, there, cost)
            left = away.settled.get(there, FAR)
            if pay is not None and left < here:
                steps.append((left + pay, there, pay))
        if not steps or min(steps)[2] > mp:
            return
        _, there, pay = min(steps)
        mp -= pay
        yield note(sit, f"Mjr Schmidt walks to {sit.geo.text(there)}.", "ST-MER-09")
        yield from move(sit, (SCHMIDT,), there)
