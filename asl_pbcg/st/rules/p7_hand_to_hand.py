"""Hand-to-Hand Combat Phase. Rule: ST-H2H-01 to ST-H2H-21."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from asl_pbcg.kernel.prompts import Option, Script, ask
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, COMBAT_KINDS, GERMAN, VEHICLES, SideName
from asl_pbcg.st.procedures.crashes import share_losses
from asl_pbcg.st.procedures.garrisons import alarm, turn_up
from asl_pbcg.st.procedures.losses import (
    active_tanks,
    any_led,
    casualty_roll,
    disturb,
    kill_leader,
    kill_unit,
    lose,
    names,
)
from asl_pbcg.st.procedures.movement import retreat_side
from asl_pbcg.st.procedures.odds import in_words
from asl_pbcg.st.state.area_tables import Loss, odds, read_fight, table
from asl_pbcg.st.state.decision import area_option, decide, note, throw_on
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

_SAPPER_OR_HQ = frozenset({"sapper", "hq"})


class Fight(NamedTuple):
    """A fight in an area: combat units and leaders."""

    area: str
    british: tuple[str, ...]
    german: tuple[str, ...]


def hand_to_hand(rules: Rules, state: State) -> Script[State]:
    """Every area with both sides fights, in the order the player picks. Rule: ST-SEQ-14."""
    sit = Situation(rules, state)
    left = fights(sit)
    if not left:
        return sit.end()
    while left:
        area = left[0]
        if len(left) > 1:
            ids = tuple(left)
            area = yield from ask(
                decide(
                    "hand_to_hand",
                    "Which hand-to-hand combat comes next?",
                    rule="ST-SEQ-14",
                    situation=sit,
                    ids=ids,
                    build=partial(_fight_options, sit, ids),
                    default=left[0],
                )
            )
        left.remove(area)
        yield from combat(sit, area)
        left = [each for each in left if gather(sit, each)]
    return sit.end()


def fights(sit: Situation) -> list[str]:
    """Return the areas where both sides must fight, in id order. Rule: ST-H2H-01."""
    both = sit.areas_of(BRITISH) & sit.areas_of(GERMAN)
    return sorted([area for area in both if gather(sit, area)])


def gather(sit: Situation, area: str) -> Fight | None:
    """Return the fight in ``area``; None without both sides. Rule: ST-H2H-01, AMB-20, AMB-21."""
    units_of = sit.in_area if sit.settings.bunker_hand_to_hand else sit.at
    british = sorted([unit.id for unit in units_of(BRITISH, area)])
    german = sorted([unit.id for unit in units_of(GERMAN, area) if unit.kind not in VEHICLES])
    return Fight(area, tuple(british), tuple(german)) if british and german else None


# -- strength, odds, modifiers ----------------------------------------------------------


def strength(sit: Situation, units: Sequence[str]) -> int:
    """Return the SP in hand-to-hand combat: leaders count 1 each, leaders alone 1 together.

    Rule: ST-H2H-02, ST-LDR-01.
    """
    found = _those(sit, units)
    fighting = [unit.strength for unit in found if unit.kind in COMBAT_KINDS]
    if not fighting:
        return sit.n.leaders_alone_sp
    leaders = [unit for unit in found if unit.kind == "leader"]
    return sum(fighting) + len(leaders) * sit.n.leader_sp


ODDS = ((4, 1, ">=4:1"), (3, 1, "3:1"), (2, 1, "2:1"), (3, 2, "3:2"), (1, 1, "1:1"))


def odds_column(british: int, german: int) -> str:
    """Return the odds column, rounded in the German favour. Rule: ST-H2H-03."""
    for ours, theirs, name in ODDS:
        if british * theirs >= german * ours:
            return name
    return "<=1:2"


def fight_given(sit: Situation, fight: Fight) -> dict[str, bool | str]:
    """Return the odds and the modifiers of a fight. Rule: ST-H2H-04 to ST-H2H-13."""
    area = fight.area
    british = _those(sit, fight.british)
    german = _those(sit, fight.german)
    column = odds_column(strength(sit, fight.british), strength(sit, fight.german))
    given: dict[str, bool | str] = {"odds": column}
    if active_tanks(sit, area):
        given["tank"] = True
    if [unit for unit in british if unit.suppressed]:
        given["british_suppressed"] = True
    if [unit for unit in german if unit.suppressed]:
        given["german_suppressed"] = True
    unhurt = sit.settings.wounded_leader_h2h == "no_bonus"
    if any_led(sit, german, unhurt=unhurt):
        given["german_leader"] = True
    if any_led(sit, british, unhurt=unhurt):
        given["british_leader"] = True
    position = sit.positions.get(area)
    if sit.is_cover(area) or (position and not position.builder):
        last = sit.entered.get(area, GERMAN)
        given[f"{last}_entered_cover"] = True
    if not [unit for unit in british if unit.kind in _SAPPER_OR_HQ]:
        given["no_sapper_or_hq"] = True
    if all_garrison(sit, german, area):
        given["all_garrison"] = True
    given |= _wounded_given(sit, british, german)
    return given


def _wounded_given(
    sit: Situation, british: Sequence[Unit], german: Sequence[Unit]
) -> dict[str, bool | str]:
    """Return whose wounded leaders modify a fight. Rule: ST-H2H-13, AMB-19."""
    reading = sit.settings.wounded_leader_h2h
    ours = any(unit.wounded for unit in british)
    theirs = any(unit.wounded for unit in german)
    given: dict[str, bool | str] = {}
    if reading == "printed" and (ours or theirs):
        given["wounded"] = True
    if reading in ("both", "british") and ours:
        given["british_wounded"] = True
    if reading == "both" and theirs:
        given["german_wounded"] = True
    return given


def all_garrison(sit: Situation, german: Sequence[Unit], area: str) -> bool:
    """Tell whether all German units in the fight are garrisons; a tank there is none. ST-H2H-12."""
    fighting = {unit.kind for unit in german if unit.combat}
    return fighting == {"garrison"} and not active_tanks(sit, area)


def fight_option(sit: Situation, area: str) -> Option:
    """Return a fight as people read it, with its exact odds."""
    fight = gather(sit, area)
    if fight is None or any(sit.units[unit].face_down for unit in fight.german):
        return area_option(sit, area)
    given = fight_given(sit, fight)
    chances = odds(table("hand_to_hand"), given)
    return Option(
        area,
        sit.geo.text(area),
        consequence=f"{strength(sit, fight.british)} to {strength(sit, fight.german)} SP, "
        f"{given['odds']}",
        odds=in_words(chances),
        rule="ST-H2H-03",
        topic=Topic(places=(area,)),
    )


def _fight_options(sit: Situation, areas: Sequence[str]) -> list[Option]:
    return [fight_option(sit, area) for area in areas]


# -- one fight --------------------------------------------------------------------------


def combat(sit: Situation, area: str) -> Script[None]:
    """Settle the fight in ``area``. Rule: ST-H2H-03, ST-H2H-14 to ST-H2H-21."""
    fight = gather(sit, area)
    if fight is None:
        return
    units = sit.units
    hidden = [unit for unit in fight.german if units[unit].face_down]
    if hidden:
        for unit in hidden:
            yield from turn_up(sit, unit, roll=True)
        fight = gather(sit, area)
        if fight is None:
            return
    sit.attacked = True
    yield from disturb(sit, *fight.british)
    for unit in fight.german:
        yield from alarm(sit, unit)
    british, german = names(_those(sit, fight.british)), names(_those(sit, fight.german))
    rolled = yield from throw_on(
        sit,
        "hand_to_hand_combat",
        f"Hand-to-hand in {sit.geo.text(area)}: {british} against {german}",
        fight_given(sit, fight),
        roll_table=table("hand_to_hand"),
        where=area,
    )
    result = read_fight(rolled.result)
    if result is None:
        for unit in (*fight.british, *fight.german):
            sit.change(unit, engaged=sit.turn + 1)
        yield note(sit, f"Both sides in {sit.geo.text(area)} are engaged.", "ST-H2H-15")
        return
    lost_british = yield from side_loses(sit, fight.british, result[0])
    lost_german = yield from side_loses(sit, fight.german, result[1])
    if lost_british:
        yield from _leaders_roll(sit, fight.british)
    if lost_german:
        yield from _leaders_roll(sit, fight.german)
    if gather(sit, area):
        yield from retreat_side(sit, area, loser(sit, area, lost_british, lost_german))


def _those(sit: Situation, units: Sequence[str]) -> list[Unit]:
    return list(map(sit.units.__getitem__, units))


def side_loses(sit: Situation, units: Sequence[str], result: Loss) -> Script[int]:
    """Take the loss ``result`` from a side; return the SP lost. ST-H2H-14, 16, 17."""
    if result is Loss.NONE:
        return 0
    sp = strength(sit, units)
    if result is Loss.ALL:
        for unit in units:
            if sit.units[unit].kind == "leader":
                if sit.settings.leaders_with_e == "roll":
                    continue  # it rolls for the loss of the others
                name = sit.units[unit].name
                kill_leader(sit, unit)
                yield note(sit, f"{name} is killed.", "ST-H2H-16")
            else:
                yield from kill_unit(sit, unit)
        return sp
    counted = sp
    if not sit.settings.half_loss_counts_leaders:
        counted = sum(sit.units[unit].strength for unit in units if sit.units[unit].combat)
    loss = (counted + 1) // 2
    if not any(sit.units[unit].combat for unit in units):
        # Leaders alone are one unit of 1 SP: half of it, rounded up, is all of it.
        for unit in units:
            kill_leader(sit, unit)
            yield note(sit, f"{sit.units[unit].name} is killed.", "ST-H2H-17")
        return loss
    if sit.units[units[0]].side == BRITISH:
        yield from share_losses(sit, "h2h_losses", "ST-H2H-17", _fighters_first(sit, units), loss)
    else:
        yield from _germans_lose(sit, units, loss)
    return loss


def _fighters_first(sit: Situation, units: Sequence[str]) -> list[str]:
    return sorted(units, key=lambda unit: (sit.units[unit].kind == "leader", unit))


def _germans_lose(sit: Situation, units: Sequence[str], sp: int) -> Script[None]:
    """The Germans lose from the weakest unit on, leaders last. Rule: ST-H2H-17, AMB-40."""
    left = sp
    while left:
        alive = [sit.units[unit] for unit in units if sit.units[unit].status == "map"]
        if not alive:
            return
        unit = min(alive, key=lambda u: (u.kind == "leader", u.strength, u.id))
        if unit.kind == "leader":
            kill_leader(sit, unit.id)
            yield note(sit, f"{unit.name} is killed.", "ST-H2H-17")
            left -= sit.n.leader_sp
        else:
            share = min(left, unit.strength)
            yield from lose(sit, unit.id, share)
            left -= share


def _leaders_roll(sit: Situation, units: Sequence[str]) -> Script[None]:
    """Leaders of a side that lost SP roll. Rule: ST-H2H-21."""
    for unit in units:
        if sit.units[unit].kind == "leader" and sit.units[unit].status == "map":
            yield from casualty_roll(sit, unit)


def loser(sit: Situation, area: str, british: int, german: int) -> SideName:
    """Return the side that retreats: it lost more SP, or entered last. ST-H2H-18, ST-H2H-19."""
    if british != german:
        return BRITISH if british > german else GERMAN
    return sit.entered.get(area, GERMAN)
