"""Movement: the legal British actions with their MP, moves and the enemy's reaction, retreats.

:func:`legal_actions` lists everything a unit may do; a caller that wants less filters that list.
``st/rules/p3_british_movement.py`` carries an action out.
Rule: ST-SEQ-04, ST-MOV, ST-OPF-01, ST-H2H-18 to ST-H2H-20.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Final, Literal, NamedTuple

from asl_pbcg.kernel.prompts import Script, ask
from asl_pbcg.st.area_terms import (
    BRITISH,
    BRITISH_INFANTRY,
    COMBAT_KINDS,
    GERMAN,
    VEHICLES,
    SideName,
    other,
)
from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.procedures.fire import crews
from asl_pbcg.st.procedures.garrisons import activate_near, capture_schmidt, release
from asl_pbcg.st.procedures.german_guns import british_opportunity_fire, german_opportunity_fire
from asl_pbcg.st.procedures.losses import has_room, suppress
from asl_pbcg.st.state.decision import area_option, decide, note
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation

ActionKind = Literal[
    "move",
    "arrow",
    "enter-bunker",
    "leave-bunker",
    "grenade",
    "grenade-bunker",
    "gammon",
    "clear-bunker",
    "prepare-position",
    "take",
    "leave",
]
STEPS: Final = frozenset({"move", "arrow"})
"""The moves from area to area."""
MOVES: Final = STEPS | {"enter-bunker", "leave-bunker"}
STACK: Final = "stack "
"""The word before a place in the answer that names the stack there."""
STOP: Final = "stop"
"""The answer that ends the actions of a unit for now."""


class Action(NamedTuple):
    """One thing a unit may do: what, to what, and the MP it costs; made by :func:`action`."""

    kind: ActionKind
    target: str
    mp: int
    id: str
    """The name of the action in an answer."""


@cache
def action(kind: ActionKind, target: str, mp: int) -> Action:
    """Return the action of this kind, target and cost; there are few, and each is made once."""
    return Action(kind, target, mp, f"{kind} {target}" if target else kind)


def legal_actions(sit: Situation, unit: Unit) -> list[Action]:
    """Return every legal action of ``unit`` now, in a fixed order."""
    if unit.suppressed or unit.status != "map":
        return []
    left = mp_left(sit, unit)
    found = [*moves(sit, unit, left).values()]
    if unit.kind in COMBAT_KINDS:
        if left > 0:
            found += _attacks(sit, unit, left)
            found += _works(sit, unit, left)
        found += loads(sit, unit)
    return found


def moves_together(sit: Situation, units: Sequence[Unit]) -> list[Action]:
    """Return the moves that all of ``units`` can make, at the cost of the dearest."""
    first, *others = [moves(sit, unit, mp_left(sit, unit)) for unit in units]
    return [
        action(each.kind, each.target, max([each.mp, *[other[id].mp for other in others]]))
        for id, each in first.items()
        if all(id in other for other in others)
    ]


def able_units(sit: Situation, idle: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the British who can act now, by place; ``idle`` ones have nothing to do. ST-SUP-02."""
    units, spent = sit.units, sit.spent
    able = {
        place: [
            id
            for id in ids
            if id not in idle
            and not units[id].suppressed
            and (id not in spent or _has_mp_left(sit, units[id]))
        ]
        for place, ids in sit.british.items()
    }
    return {place: ids for place, ids in able.items() if ids}


def _has_mp_left(sit: Situation, unit: Unit) -> bool:
    """Tell whether a unit that has moved can go on; a bunker can always be left."""
    return unit.inside or (sit.spent[unit.id] < sit.n.mp_british and mp_left(sit, unit) > 0)


def acting_ids(able: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the answers that name those who can act: units, then the places of stacks."""
    units = sorted([id for ids in able.values() for id in ids])
    return (*units, *sorted([STACK + place for place, ids in able.items() if len(ids) > 1]))


# -- MP ---------------------------------------------------------------------------------


def allowance(sit: Situation, unit: Unit) -> int:
    """Return the MP of a British unit in this phase, with what it carries and guards.

    Rule: ST-MOV-01, ST-MOV-02, ST-MOV-04, ST-MOV-06, ST-POW-04, AMB-113.
    """
    n, id = sit.n, unit.id
    mp = n.mp_wounded if unit.wounded else n.mp_british
    if id in sit.slowed or (sit.pows and sit.pows_of(id)):
        mp = min(mp, n.mp_escort)
    if id in sit.weapons.mg_bearers or id in sit.carried_mg:
        mp += n.mp_carrying_mg
    return mp


def mp_left(sit: Situation, unit: Unit) -> int:
    """Return the MP that ``unit`` has not spent. Rule: ST-MOV-27."""
    return allowance(sit, unit) - sit.spent.get(unit.id, 0)


def mp_for_pows(sit: Situation, unit: Unit, left: int) -> int:
    """Return how much of ``left`` MP ``unit`` can use to go to another area with its POWs.

    A POW may be handed over, but never moves more than its 2 MP a turn. Rule: ST-POW-06.
    """
    if not sit.pows:
        return left
    moved = [sit.pow_moved.get(pow.id, 0) for pow in sit.pows_of(unit.id)]
    return min([left, *[sit.n.mp_escort - mp for mp in moved]])


# -- moving -----------------------------------------------------------------------------


def moves(sit: Situation, unit: Unit, left: int) -> Mapping[str, Action]:
    """Return every legal move of ``unit`` with ``left`` MP, by its answer. ST-MOV-08 to 21."""
    area, german = unit.area, sit.german
    if unit.inside:
        mp = sit.n.cost_leave_bunker_enemy if area in german else sit.n.cost_leave_bunker
        return {"leave-bunker": action("leave-bunker", "", mp)} if mp <= left else {}
    if left <= 0:
        return {}
    geo, pegasus = sit.geo, sit.geo.pegasus
    germans = sit.rules.step_places[area].intersection(german)
    far = 0 if unit.engaged >= sit.turn else mp_for_pows(sit, unit, left)
    if sit.bridge == "intact" or pegasus not in geo.near[area]:
        return _moves(sit.rules, area, left, far, germans)
    bridge = [
        (there, _bridge_mp(sit, unit, there, line + _enemy_mp(sit, there), far))
        for there, line in geo.steps[area]
        if pegasus in (area, there)
    ]
    return _moves(sit.rules, area, left, far, germans, tuple(bridge))


@lru_cache(maxsize=5000)
def _moves(
    rules: Rules,
    area: str,
    left: int,
    far: int,
    germans: frozenset[str],
    bridge: tuple[tuple[str, int], ...] = (),
) -> Mapping[str, Action]:
    """Return the moves out of the open of ``area``: into its bunker, and ``far`` MP along lines.

    ``germans`` are the places among ``step_places`` that Germans hold; ``bridge`` has lines that
    cost something else.
    """
    n, geo, bunker_in, on_bridge = rules.n, rules.geo, rules.bunker_in, dict(bridge)
    found: list[Action] = []
    may_enter = area in geo.has_bunker and bunker_in[area] not in germans
    if may_enter and n.cost_enter_bunker <= left:
        found.append(action("enter-bunker", "", n.cost_enter_bunker))
    lines: list[tuple[ActionKind, str, int]] = [("move", *step) for step in geo.steps[area]]
    if area in geo.flight and rules.settings.flight_area_exit == "arrows":
        ends = [there for there in geo.arrows[area] if there not in geo.solid[area]]
        lines += [("arrow", there, n.cost_arrow) for there in ends]
    for kind, there, mp in lines:
        enemy = there in germans or bunker_in[there] in germans
        mp = on_bridge.get(there, mp + (n.cost_enemy_occupied if enemy else 0))
        if mp <= far:
            found.append(action(kind, there, mp))
    return {each.id: each for each in found}


def _enemy_mp(sit: Situation, area: str) -> int:
    """Return the extra MP for an enemy in an area or its bunker. Rule: ST-MOV-13."""
    return sit.n.cost_enemy_occupied if sit.is_occupied(GERMAN, area) else 0


def _bridge_mp(sit: Situation, unit: Unit, there: str, mp: int, left: int) -> int:
    """Return the MP onto or off the damaged or destroyed Pegasus Bridge for ``mp`` by its line.

    A sapper spends all its MP to enter; others enter the destroyed bridge by ferry, and all leave
    it on the bank they came from. More than is left where no step is possible.
    Rule: ST-DEM-09, ST-DEM-12, ST-SAP-06, ST-SAP-07, AMB-112.
    """
    sapper = unit.kind == "sapper"
    if there == sit.geo.pegasus:
        if sapper:
            return max(left, mp)
        if sit.bridge == "damaged":
            return mp
        return sit.n.cost_ferry + _enemy_mp(sit, there) if ferry_works(sit) else left + 1
    crosses = sit.bridge == "destroyed" and unit.bank and sit.bank_of(there) != unit.bank
    return left + 1 if crosses and (sapper or not ferry_works(sit)) else mp


def ferry_works(sit: Situation) -> bool:
    """Tell whether a sapper stays on the bridge since an earlier turn. Rule: ST-SAP-07."""
    return any(
        unit.kind == "sapper" and unit.came < sit.turn for unit in sit.at(BRITISH, sit.geo.pegasus)
    )


# -- attacks, works, loads --------------------------------------------------------------


def _attacks(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """Return the grenades and gammon bombs that ``unit`` can use. ST-GRE-01, ST-GAM-01."""
    n, area, german = sit.n, unit.area, sit.german
    found: list[Action] = []
    if unit.grenades and unit.kind in BRITISH_INFANTRY and n.cost_grenade <= left:
        if area in german:
            found.append(action("grenade", area, n.cost_grenade))
        if sit.rules.bunker_in[area] in german:
            found.append(action("grenade-bunker", area, n.cost_grenade))
        found += [
            action("grenade", there, n.cost_grenade)
            for there, _ in sit.geo.steps[area]
            if there in german
        ]
    if area in sit.vehicles and n.cost_gammon <= left and not unit.inside:
        targets = sorted([u.id for u in sit.at(GERMAN, area) if u.kind in VEHICLES])
        if targets and sit.weapons_at(BRITISH, area, "gammon"):
            found += [action("gammon", target, n.cost_gammon) for target in targets]
    return found


def _works(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """Return clearing the bunker it is in, or a position in the open. ST-BUN-01, ST-PRE-01."""
    n, area = sit.n, unit.area
    if unit.inside:
        if area not in sit.cleared and n.cost_clear_bunker <= left:
            return [action("clear-bunker", "", n.cost_clear_bunker)]
    elif (
        left >= n.cost_prepare_position and not sit.spent.get(unit.id) and area not in sit.positions
    ):
        return [action("prepare-position", "", n.cost_prepare_position)]
    return []


def loads(sit: Situation, unit: Unit) -> list[Action]:
    """Return taking and leaving weapons and POWs, each once a phase. Rule: ST-GEN-08."""
    found: list[Action] = []
    place = unit.place
    if place not in sit.weapons.at and not sit.pows:
        return found
    for weapon in sit.weapons.at.get(place, ()):
        if weapon.carrier == unit.id:
            found.append(action("leave", weapon.id, 0))
        elif sit.owner(weapon) == BRITISH and _can_carry(sit, unit, weapon.kind):
            found.append(action("take", weapon.id, 0))
    for pow in sit.pows_in(unit.area) if sit.pows else ():
        found.append(action("leave" if pow.escort == unit.id else "take", pow.id, 0))
    return [each for each in found if (unit.id, each.kind, each.target) not in sit.handled]


def _can_carry(sit: Situation, unit: Unit, kind: str) -> bool:
    """Tell whether ``unit`` can take a weapon of ``kind`` with what it carries.

    With an MG its smaller allowance must still cover what it has spent. ST-MOV-06, ST-PIA-02.
    """
    carried = [each.kind for each in sit.loads(unit.id)]
    if kind == "at" or kind in carried or (carried and sit.settings.one_weapon_per_unit):
        return False
    if kind != "mg" or unit.id in sit.carried_mg:
        return True
    return allowance(sit, unit) + sit.n.mp_carrying_mg >= sit.spent.get(unit.id, 0)


def spend(sit: Situation, unit: str, mp: int) -> None:
    """Take ``mp`` from what ``unit`` has left in this phase. Rule: ST-MOV-27."""
    sit.spent[unit] = sit.spent.get(unit, 0) + mp


def pay_for_move(sit: Situation, units: Sequence[str], action: Action) -> None:
    """Let British units pay for a move, each what it costs it alone. Rule: ST-MOV-27.

    An MG and POWs that go along slow their unit down. Rule: ST-MOV-06, ST-POW-04, ST-POW-06.
    """
    mps = [action.mp] * len(units)
    if len(units) > 1 and sit.bridge != "intact":
        stack = [sit.units[unit] for unit in units]
        mps = [moves(sit, unit, mp_left(sit, unit))[action.id].mp for unit in stack]
    for unit, mp in zip(units, mps, strict=True):
        spend(sit, unit, mp)
        if action.kind not in STEPS:
            continue
        if unit in sit.weapons.mg_bearers:
            sit.carried_mg.add(unit)
        for pow in sit.pows_of(unit):
            sit.pow_moved[pow.id] = sit.pow_moved.get(pow.id, 0) + mp
            sit.slowed.add(unit)


def move(
    sit: Situation,
    units: Sequence[str],
    area: str,
    *,
    inside: bool = False,
    mg: str = "",
    fire: bool = True,
) -> Script[None]:
    """Bring ``units`` of one side to a place together; the enemy near it reacts.

    A German takes ``mg`` along. Without ``fire`` they draw no Opportunity Fire.
    """
    for unit in units:
        sit.put(unit, area, inside)
        if mg:
            carry_mg(sit, unit, mg)
    british = sit.units[units[0]].side == BRITISH
    enemies = sit.german if british else sit.british
    if enemies.keys().isdisjoint(sit.rules.near_places[area]):
        return
    if british:
        yield from _germans_react(sit, units, area, fire)
        return
    if sit.is_occupied(BRITISH, area):
        for unit in units:
            yield from release(sit, unit, "enters an area with British")
    if fire:
        yield from british_opportunity_fire(sit, units)


def _germans_react(sit: Situation, units: Sequence[str], area: str, fire: bool) -> Script[None]:
    """Turn up the counters near British who have moved, give up Schmidt alone, fire on them.

    Rule: ST-GAR-02, ST-MER-10, ST-OPF-01, ST-OPF-06.
    """
    yield from activate_near(sit, area)
    if sit.is_occupied(GERMAN, area):
        yield from capture_schmidt(sit, area, units[0])
    if fire:
        yield from german_opportunity_fire(sit, units)


def carry_mg(sit: Situation, unit: str, mg: str) -> None:
    """Bring an MG to where its German bearer stands."""
    bearer = sit.units[unit]
    held = sit.held_by(GERMAN, bearer.place)
    sit.change_weapon(mg, area=bearer.area, inside=bearer.inside, held=held)


def retreat_side(sit: Situation, area: str, side: SideName) -> Script[None]:
    """The side leaves ``area`` for one area without enemies, or is suppressed. ST-H2H-18, 20."""
    units = [unit for unit in sit.at(side, area) if unit.combat or unit.kind == "leader"]
    units.sort(key=lambda unit: unit.id)
    open_to = retreat_areas(sit, area, side, units)
    if not open_to:
        yield note(
            sit, f"The {side.title()}s cannot retreat.".replace("Britishs", "British"), "ST-H2H-20"
        )
        for unit in units:
            yield from suppress(sit, unit.id)
        return
    if side == GERMAN:
        there = min(open_to, key=_german_liking(sit, area)) if len(open_to) > 1 else open_to[0]
    elif len(open_to) == 1:
        there = open_to[0]
    else:
        there = yield from ask(
            decide(
                "retreat",
                f"The British in {sit.geo.text(area)} retreat. Where to?",
                rule="ST-H2H-18",
                situation=sit,
                ids=tuple(open_to),
                build=lambda: [area_option(sit, id) for id in open_to],
                pieces=tuple(unit.id for unit in units),
            )
        )
    guns = sit.weapons_at(GERMAN, area, "mg") if side == GERMAN else []
    bearers = crews([unit for unit in units if unit.combat], len(guns))
    for unit in units:
        sit.put(unit.id, there)
    for unit, gun in zip(bearers, guns, strict=False):
        carry_mg(sit, unit.id, gun.id)
    who = "British" if side == BRITISH else "Germans"
    yield note(sit, f"The {who} retreat to {sit.geo.text(there)}.", "ST-H2H-18")


def retreat_areas(sit: Situation, area: str, side: SideName, units: list[Unit]) -> list[str]:
    """The adjacent areas without enemies that ``side`` can retreat to, in id order. ST-H2H-18."""
    found = []
    for there in sorted(sit.geo.solid[area]):
        if sit.is_occupied(other(side), there):
            continue
        if sit.bridge == "destroyed":
            if there == sit.geo.pegasus:
                continue
            if area == sit.geo.pegasus and any(
                unit.bank and unit.bank != sit.bank_of(there) for unit in units
            ):
                continue
        infantry = sum(unit.combat for unit in units)
        if side == GERMAN and infantry and not has_room(sit, there, infantry):
            continue
        found.append(there)
    return found


def _german_liking(sit: Situation, here: str) -> Callable[[str], tuple[bool, int, str]]:
    """Obstructed first, then nearest to the Germans elsewhere, then id. Rule: AMB-41."""
    germans = map(sit.units.__getitem__, chain.from_iterable(sit.german.values()))
    friends = {unit.area for unit in germans if not unit.face_down and unit.combat} - {here}

    def liking(there: str) -> tuple[bool, int, str]:
        away = sit.geo.away(there)
        nearest = min([away.get(area, FAR) for area in friends], default=FAR)
        return (not sit.is_obstructed(there), nearest, there)

    return liking
