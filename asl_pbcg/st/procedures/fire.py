"""Small-arms and MG fire: who can be a target, the modifiers, the result. Rule: ST-FIR-01.

The British Fire Phase, the German Fire Phase and Opportunity Fire use what stands here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.area_terms import (
    BRITISH,
    BRITISH_INFANTRY,
    COMBAT_KINDS,
    SideName,
    area_of,
    is_bunker,
)
from asl_pbcg.st.procedures.losses import (
    any_led,
    casualty_check,
    casualty_roll,
    exposed_units,
    kill_leader,
    lose,
    lose_at,
    names,
    suppress,
    wreck_mercedes,
)
from asl_pbcg.st.state.area_tables import FireLine, Hit, read_hit
from asl_pbcg.st.state.decision import note, pick, throw_on
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


class Target(NamedTuple):
    """The target of fire: a combat unit, the Mercedes, or leaders alone. Rule: ST-LDR-01."""

    place: str
    units: tuple[str, ...]

    @property
    def id(self) -> str:
        """How the target is named in an answer."""
        return self.units[0]

    @property
    def area(self) -> str:
        """Its area."""
        return area_of(self.place)

    @property
    def inside(self) -> bool:
        """Whether it is in a bunker."""
        return is_bunker(self.place)


class Volley(NamedTuple):
    """The fire of some units on one target: who fires, SP of small arms, SP of MGs."""

    units: tuple[str, ...]
    small_arms: int
    mg: int

    @property
    def sp(self) -> int:
        """All SP. Rule: ST-FIR-05."""
        return self.small_arms + self.mg


def targets_at(sit: Situation, side: SideName, place: str) -> list[Target]:
    """Return the targets for small arms among the units of ``side`` at one place, in id order."""
    ids = (sit.british if side == BRITISH else sit.german).get(place)
    if ids is None:
        return []
    units = sit.units
    if len(ids) == 1:
        return [] if units[ids[0]].kind == "tank" else [Target(place, (ids[0],))]
    found: list[Target] = []
    leaders: list[str] = []
    fighting = False
    for id in sorted(ids):
        kind = units[id].kind
        if kind in COMBAT_KINDS:
            fighting = True
            found.append(Target(place, (id,)))
        elif kind == "mercedes":
            found.append(Target(place, (id,)))
        elif kind == "leader":
            leaders.append(id)
    if leaders and not fighting:
        found.append(Target(place, tuple(leaders)))
        found.sort()
    return found


def places_in_reach(sit: Situation, side: SideName) -> list[str]:
    """Return the places of ``side`` with an enemy in them or next to them. Rule: ST-FIR-01."""
    ours, enemies = sit.british, sit.german
    if side != BRITISH:
        ours, enemies = enemies, ours
    near, area_at = sit.rules.near_places, sit.geo.area_at
    return [place for place in ours if not enemies.keys().isdisjoint(near[area_at[place]])]


def left_of(sit: Situation, target: Target) -> Target:
    """Return ``target`` without those that earlier fire has eliminated."""
    units = sit.units
    for id in target.units:
        if units[id].status != "map":
            alive = tuple([id for id in target.units if units[id].status == "map"])
            return Target(target.place, alive)
    return target


def target_sp(sit: Situation, target: Target) -> int:
    """Return the SP of a target; leaders alone have 1 together. Rule: ST-LDR-01."""
    first = sit.units[target.units[0]]
    return first.strength if first.kind in COMBAT_KINDS else sit.n.leaders_alone_sp


def target_name(sit: Situation, target: Target) -> str:
    """Return a target as players read it."""
    units = [sit.units[unit] for unit in target.units]
    text = "the face-down counter" if units[0].face_down else names(units)
    return f"{text} in {sit.geo.place_text(target.place)}"


def fire_given(
    sit: Situation, firers: Sequence[Unit], target: Target, opportunity: bool
) -> dict[str, bool]:
    """Return the circumstances that modify fire on ``target``; only those that hold.

    Rule: ST-FIR-07 to ST-FIR-15.
    """
    place = target.place
    area = sit.geo.area_at[place]
    settings = sit.settings
    given: dict[str, bool] = {}
    near = [unit for unit in firers if unit.area == area]
    if len(near) < len(firers) if settings.mixed_range_fire == "any" else not near:
        given["adjacent"] = True
    obstructed = area in sit.geo.obstructed or area in sit.vehicles
    if obstructed:
        given["obstructed"] = True
    bunker = place != area or (settings.pillbox_is_bunker and area == sit.geo.pillbox)
    if bunker:
        given["bunker"] = True
    side = sit.units[target.units[0]].side
    if place in sit.positions and sit.position_of(side, place):
        given["prepared_position"] = True
    if opportunity:
        given["opportunity_fire"] = True
    led = any_led(sit, firers, active=True)
    if side == BRITISH:
        if led:
            helps = settings.german_leader_fire_drm > 0
            given["german_leader_helps" if helps else "german_leader"] = True
    else:
        if led:
            given["british_leader"] = True
        for unit in firers:
            if unit.kind in BRITISH_INFANTRY:
                given["british_infantry"] = True
                break
    if not obstructed and (not bunker or settings.open_drm_in_bunker):
        given["open"] = True
    return given


def on_line(line: FireLine, sp: int, given: dict[str, bool]) -> dict[str, bool | str]:
    """Return the circumstances with the column for ``sp``, if the line has several."""
    return {**given, "sp": line.column(sp)} if line.table.columns else dict(given)


def apply_hit(sit: Situation, target: Target, hit: Hit) -> Script[None]:
    """Apply a result of small arms to ``target``; (H) is ignored. Rule: ST-FIR-17 to 21."""
    first = sit.units[target.units[0]]
    if first.kind == "mercedes":
        if hit.loss:
            yield from wreck_mercedes(sit)
    elif hit.suppressed:
        yield from suppress(sit, *target.units)
    elif hit.loss and first.combat:
        yield from lose_at(sit, first.side, target.place, first.id, hit.loss)
    elif hit.loss:
        yield from leaders_lose(sit, first.side, target, hit.loss)


def leaders_lose(sit: Situation, side: SideName, target: Target, sp: int) -> Script[None]:
    """Settle what leaders alone lose; what is over their one SP falls on others. AMB-39."""
    leaders = target.units
    if sit.settings.leaders_alone_loss == "killed":
        for leader in leaders:
            kill_leader(sit, leader)
            yield note(sit, f"{sit.units[leader].name} is killed.", "ST-LDR-10")
        leaders = ()
    if sit.settings.leaders_alone_loss == "one":
        leaders = (
            (
                yield from pick(
                    sit,
                    leaders,
                    f"Which leader in {sit.geo.place_text(target.place)} is hit",
                    rule="ST-LDR-01",
                    side=side,
                    called=sit.name_of,
                )
            ),
        )
    for leader in leaders:
        yield from casualty_roll(sit, leader)
    for _ in range(sp - sit.n.leaders_alone_sp):
        others = [u for u in exposed_units(sit, side, target.place) if sit.units[u].combat]
        if not others:
            return
        hit = yield from pick(
            sit,
            others,
            f"Which unit in {sit.geo.place_text(target.place)} takes the excess",
            rule="ST-FIR-19",
            side=side,
            called=sit.name_of,
        )
        yield from lose(sit, hit, 1)
        yield from casualty_check(sit, side, target.place)


def shoot(
    sit: Situation,
    volley: Volley,
    target: Target,
    *,
    opportunity: bool = False,
    spread: Sequence[Target] = (),
    gunners: Collection[str] = (),
) -> Script[Rolled]:
    """One attack of small arms and MGs on ``target``; with MGs on every target of ``spread`` too.

    The same die serves for all; the others face the MG SP alone, with the modifiers of the fire
    of ``gunners``, who serve the MGs.
    Rule: ST-FIR-05, ST-FIR-06, ST-MGF-04, ST-MGF-05, ST-MGF-06, AMB-126.
    """
    firers = [sit.units[unit] for unit in volley.units]
    serving = [unit for unit in firers if unit.id in gunners]
    line = sit.rules.fire.smallarms
    given = on_line(line, volley.sp, fire_given(sit, firers, target, opportunity))
    # Circumstances are settled for every target before the first result changes anything.
    beside = [
        (each, on_line(line, volley.mg, fire_given(sit, serving, each, opportunity)))
        for each in spread
        if volley.mg
    ]
    kind = "Opportunity Fire" if opportunity else "Fire"
    mgs = f", {volley.mg} SP of MG" if volley.mg else ""
    rolled = yield from throw_on(
        sit,
        "opportunity_fire_combat" if opportunity else "fire_combat",
        f"{kind}, {volley.sp} SP ({names(firers)}{mgs}) on {target_name(sit, target)}",
        given,
        roll_table=line.table,
        side=firers[0].side,
        where=target.area,
        by=volley.units,
        on=target.units,
        beside=tuple([(each.units, holds) for each, holds in beside]),
    )
    yield from apply_hit(sit, target, read_hit(rolled.result))
    yield from _hit_beside(sit, line, rolled.dice, beside)
    return rolled


def _hit_beside(
    sit: Situation,
    line: FireLine,
    dice: tuple[int, ...],
    beside: Sequence[tuple[Target, dict[str, bool | str]]],
) -> Script[None]:
    """Apply the same die to the others that MG fire affects. Rule: ST-MGF-05."""
    for each, circumstances in beside:
        if not all(sit.units[unit].status == "map" for unit in each.units):
            continue
        hit = read_hit(line.table.resolve(dice, circumstances).result)
        effect = "suppressed" if hit.suppressed else f"{hit.loss} SP" if hit.loss else "no effect"
        yield note(
            sit, f"The same die for the MG on {target_name(sit, each)}: {effect}.", "ST-MGF-05"
        )
        yield from apply_hit(sit, each, hit)


def crews(units: Iterable[Unit], mgs: int) -> list[Unit]:
    """Return the units that fire the MGs of a German stack, the strongest first. ST-MGF-01."""
    if not mgs:
        return []
    able = sorted(units, key=lambda unit: (-unit.strength, unit.id))
    return able[:mgs]


def small_arms_sp(sit: Situation, unit: Unit, mg: bool, at: bool = False) -> int:
    """Return the SP of a unit's own small arms, less if it serves a gun. ST-MGF-03, ST-TAT-08."""
    sp = unit.strength
    if mg:
        sp -= sit.n.mg_crew_penalty
    if at:
        sp -= sit.n.at_crew_penalty
    return max(0, sp)
