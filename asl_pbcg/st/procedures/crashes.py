"""Glider crashes and what they cost. Rule: ST-GLI-21, ST-GLI-22, ST-GLI-23."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Option, Script, ask, ask_number
from asl_pbcg.st.procedures.losses import casualty_roll, kill_leader, kill_unit, lose
from asl_pbcg.st.state.area_tables import ALL_KILLED, Crash
from asl_pbcg.st.state.decision import Decision, decide, note, pick, throw_on
from asl_pbcg.st.state.phase_situation import Situation


def crashes(sit: Situation, order: Sequence[int]) -> Script[None]:
    """Each glider rolls, in the order they landed. Rule: ST-GLI-21, AMB-104."""
    there: dict[str, int] = {}
    total: dict[str, int] = {}
    for number in order:
        area = sit.gliders[number].area
        total[area] = total.get(area, 0) + 1
    for number in order:
        area = sit.gliders[number].area
        before = there.get(area, 0)
        there[area] = before + 1
        count = before if sit.settings.crash_drm == "landed_before" else total[area] - 1
        rolled = yield from throw_on(
            sit,
            "glider.crash",
            f"Glider {number}",
            {"landed_before": count} if count else {},
            on=(str(number),),
        )
        if rolled.result == Crash.CRASHED:
            sit.gliders[number] = replace(sit.gliders[number], status="crashed")
            yield from crash(sit, number)


def crash(sit: Situation, number: int) -> Script[None]:
    """A crashed glider: SP lost, then every leader aboard rolls. Rule: ST-GLI-22, ST-GLI-23."""
    rolled = yield from throw_on(
        sit, "glider.crash_losses", f"Losses of glider {number}", on=(str(number),)
    )
    aboard = sorted(u.id for u in sit.units.values() if u.glider == number and u.status == "aboard")
    if rolled.result == ALL_KILLED:
        for unit in aboard:
            if sit.units[unit].kind == "leader":
                kill_leader(sit, unit)
            else:
                yield from kill_unit(sit, unit)
        for weapon in list(sit.weapons.values()):
            if weapon.glider == number:
                sit.change_weapon(weapon.id, status="map", area=sit.gliders[number].area, glider=0)
        yield note(sit, f"All aboard glider {number} are killed.", "ST-GLI-22")
        return
    sp = int(rolled.result)
    if not sp:
        return
    fighting = [unit for unit in aboard if sit.units[unit].combat]
    sp = min(sp, sum(sit.units[unit].strength for unit in fighting))
    yield from share_losses(sit, "crash_losses", "ST-GLI-22", fighting, sp)
    for unit in aboard:
        if sit.units[unit].kind == "leader":
            yield from casualty_roll(sit, unit)


def share_losses(
    sit: Situation, point: str, rule: str, units: Sequence[str], sp: int
) -> Script[None]:
    """British units of one place lose ``sp`` in all, shared out by the player (or as set)."""
    left = sp
    while left:
        open_to = [unit for unit in units if sit.units[unit].status in ("map", "aboard")]
        if not open_to:
            return
        if len(open_to) == 1:
            unit = open_to[0]
            share = min(left, sit.units[unit].strength)
        elif point == "crash_losses" and sit.settings.crash_losses == "random":
            unit = yield from pick(
                sit, open_to, "Which unit loses 1 SP", rule="ST-GLI-22", called=sit.name_of
            )
            share = 1
        else:
            unit = yield from ask(_who_loses(sit, point, rule, open_to, left))
            share = min(left, sit.units[unit].strength)
            if share > 1:
                share = yield from ask_number(_how_many(sit, point, rule, unit, share))
        if sit.units[unit].kind == "leader":
            name = sit.units[unit].name
            kill_leader(sit, unit)
            yield note(sit, f"{name} is killed.", "ST-LDR-10")
        else:
            yield from lose(sit, unit, share)
        left -= share


def _who_loses(sit: Situation, point: str, rule: str, units: Sequence[str], left: int) -> Decision:
    ids = tuple(units)
    first = sit.units[ids[0]]
    lost = "1 SP is" if left == 1 else f"{left} SP are"
    place = (
        f"Glider {first.glider}" if first.status == "aboard" else sit.geo.place_text(first.place)
    )
    return decide(
        point,
        f"{place}: {lost} lost. Which unit loses SP?",
        rule=rule,
        situation=sit,
        ids=ids,
        build=lambda: [
            Option(id, f"{sit.units[id].name}, {sit.units[id].strength} SP") for id in ids
        ],
    )


def _how_many(sit: Situation, point: str, rule: str, unit: str, most: int) -> Decision:
    return decide(
        f"{point}_sp",
        f"How many SP does {sit.units[unit].name} lose (1 to {most})?",
        rule=rule,
        situation=sit,
        ids=(),
        build=lambda: (),
        kind="number",
        least=1,
        most=most,
        default=most,
        pieces=(unit,),
    )
