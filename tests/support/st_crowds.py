"""Area games in which, turn after turn, many of both sides are about one place of the map.

What seldom meets in a whole game meets here: tanks and gammon bombs, prisoners and bunkers, guns
under fire, a damaged bridge, a stack of leaders alone.
"""

from __future__ import annotations

import random

from asl_pbcg.st.area_terms import BRITISH, BRITISH_INFANTRY, GERMAN
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import Pow, State, Unit
from asl_pbcg.st.state.phase_situation import Situation


def crowd(rules: Rules, state: State, source: random.Random) -> State:
    """The state with many units and weapons brought together, some of them worse for it."""
    sit = Situation(rules, state)
    geo = sit.geo
    about = source.choice([geo.pegasus, geo.ranville_bridge, geo.pillbox, *sorted(geo.land_set)])
    areas = sorted({b for a in geo.near[about] for b in geo.near[a]} & geo.land_set)
    for unit in [*sit.on_map(BRITISH), *sit.on_map(GERMAN)]:
        if source.random() < 0.5 and unit.kind != "mercedes":
            _bring(sit, unit, areas, source)
        if sit.units[unit.id].status == "map":
            _worsen(sit, sit.units[unit.id], source)
    _hand_out(sit, areas, source)
    if source.random() < 0.15:
        sit.bridge = source.choice(["intact", "damaged", "destroyed"])
    sit.triggered = sit.triggered or source.random() < 0.2
    return sit.close()


def _bring(sit: Situation, unit: Unit, areas: list[str], source: random.Random) -> None:
    """Put a unit into one of the areas, a tank onto a road, some into a bunker."""
    there = [a for a in areas if a in sit.geo.road_steps] if unit.kind == "tank" else areas
    if not there:
        return
    area = source.choice(there)
    other = GERMAN if unit.side == BRITISH else BRITISH
    bunker = area in sit.geo.has_bunker and unit.kind != "tank"
    inside = bunker and source.random() < 0.4 and not sit.at(other, sit.rules.bunker_in[area])
    if unit.face_down and sit.is_occupied(BRITISH, area):
        return
    sit.put(unit.id, area, inside)


def _worsen(sit: Situation, unit: Unit, source: random.Random) -> None:
    """Suppress, wound, engage a unit or take SP and grenades from it, now and then."""
    place = unit.place
    other = GERMAN if unit.side == BRITISH else BRITISH
    if unit.face_down or unit.kind in ("tank", "mercedes"):
        return
    if source.random() < 0.15:
        sit.change(unit.id, suppressed=True)
    if unit.kind == "leader" and source.random() < 0.1:
        sit.change(unit.id, wounded=True)
    if unit.combat and unit.strength > 1 and source.random() < 0.2:
        sit.change(unit.id, lost=unit.lost + 1)
    if unit.kind in BRITISH_INFANTRY and source.random() < 0.3:
        sit.change(unit.id, grenades=source.randint(0, 2))
    if sit.at(other, place) and source.random() < 0.3:
        sit.change(unit.id, engaged=sit.turn)


def _hand_out(sit: Situation, areas: list[str], source: random.Random) -> None:
    """Lay weapons down or give them to somebody; a prisoner or two."""
    bearers = [unit for unit in sit.on_map(BRITISH) if unit.combat]
    for weapon in list(sit.weapons.values()):
        if weapon.status != "map" or source.random() > 0.3:
            continue
        taken = {(each.carrier, each.kind) for each in sit.weapons.values()}
        able = [unit for unit in bearers if (unit.id, weapon.kind) not in taken]
        if able and weapon.kind != "at" and source.random() < 0.5:
            unit = source.choice(able)
            sit.change_weapon(weapon.id, area=unit.area, inside=unit.inside, carrier=unit.id)
        elif weapon.kind != "at":
            sit.change_weapon(weapon.id, area=source.choice(areas), inside=False, carrier="")
    if bearers and not sit.pows and source.random() < 0.3:
        pow = Pow(id="pow-1", name="POW 1", escort=source.choice(bearers).id)
        sit.pows = sit.pows.having(pow)
        sit.book(pows_taken=1)
