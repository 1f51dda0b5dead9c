"""The British player's options in words: consequences and exact odds beside each action or attack.

Nothing is computed until somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from asl_pbcg.kernel.prompts import Option
from asl_pbcg.kernel.tables import Likelihood
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH_INFANTRY, GERMAN, area_of, is_bunker
from asl_pbcg.st.british.orders import all_firers
from asl_pbcg.st.british.reach import watch_on
from asl_pbcg.st.procedures.assaults import grenade_chances, grenade_targets
from asl_pbcg.st.procedures.fire import Target, on_line, target_name
from asl_pbcg.st.procedures.german_guns import british_volley, firing_choices, moving_targets
from asl_pbcg.st.procedures.gun_fire import Attack, gun_given, piat_given
from asl_pbcg.st.procedures.losses import next_guard
from asl_pbcg.st.procedures.movement import Action, ActionKind, allowance, mp_left
from asl_pbcg.st.procedures.odds import (
    fire_odds,
    gammon_odds,
    grenade_odds,
    gun_odds,
    in_words,
    piat_odds,
)
from asl_pbcg.st.state.area_tables import odds, table
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation

WORDS = {
    "end-phase": "end the British Movement Phase",
    "end-declaration": "everything is declared",
    "stop": "nothing more for now",
}


def unit_text(sit: Situation, unit: Unit) -> str:
    """Return a British unit in a line: name, SP, grenades, MP, what it carries."""
    parts = [unit.name]
    if unit.combat:
        parts.append(f"{unit.strength} SP")
    if unit.kind in BRITISH_INFANTRY:
        parts.append(f"{unit.grenades} grenade{'s' * (unit.grenades != 1)}")
    parts.append(f"{max(0, mp_left(sit, unit))} of {allowance(sit, unit)} MP")
    for weapon in sit.loads(unit.id):
        shots = f" ({weapon.charges})" if weapon.charges else ""
        parts.append(f"{weapon.name}{shots}")
    parts += [pow.name for pow in sit.pows_of(unit.id)]
    if unit.wounded:
        parts.append("wounded")
    return ", ".join(parts)


def unit_options(sit: Situation, ids: Sequence[str]) -> list[Option]:
    """Return the units (and stacks) that may be chosen."""
    found = []
    for id in ids:
        if id in WORDS:
            found.append(Option(id, WORDS[id], topic=Topic(kind="end")))
        elif id.startswith("stack "):
            place = id.removeprefix("stack ")
            text = f"units in {place_text(sit, place)} move together"
            topic = Topic(kind="stack", places=(area_of(place),), group=place)
            found.append(Option(id, text, rule="ST-OPF-04", topic=topic))
        else:
            unit = sit.units[id]
            where = place_text(sit, unit.place)
            topic = Topic(kind="unit", places=(unit.area,), pieces=(id,), group=unit.place)
            found.append(Option(id, unit_text(sit, unit), consequence=where, topic=topic))
    return found


def place_text(sit: Situation, place: str) -> str:
    """Return a place as players read it."""
    text = sit.geo.text(area_of(place))
    return f"{text}, in the bunker" if is_bunker(place) else text


def thing_name(sit: Situation, id: str) -> str:
    """Return a weapon, vehicle or POW as players read it."""
    if id in sit.weapons or id in sit.units:
        return sit.name_of(id)
    return sit.pows[id].name if id in sit.pows else "the POW"


ACTIONS: Final[dict[ActionKind, tuple[str, str]]] = {
    "move": ("move to {area}", "ST-MOV-08"),
    "arrow": ("walk along the arrow to {area}", "ST-MOV-10"),
    "enter-bunker": ("enter the bunker", "ST-MOV-19"),
    "leave-bunker": ("leave the bunker", "ST-MOV-20"),
    "grenade": ("throw a grenade at {area}", "ST-GRE-01"),
    "grenade-bunker": ("throw a grenade into the bunker of {area}", "ST-GRE-01"),
    "gammon": ("use a gammon bomb on {thing}", "ST-GAM-01"),
    "clear-bunker": ("clear the bunker", "ST-BUN-01"),
    "prepare-position": ("begin a prepared position", "ST-PRE-02"),
    "take": ("take {thing}", "ST-GEN-08"),
    "leave": ("leave {thing} here", "ST-GEN-08"),
}
"""Each kind of action in words, and its rule."""


def action_text(sit: Situation, unit: Unit, action: Action) -> str:
    """Return an action of ``unit`` in words."""
    target = action.target
    if action.kind == "leave" and target not in sit.weapons:
        name, guard = thing_name(sit, target), next_guard(sit, unit)
        return f"hand {name} over to {guard.name}" if guard else f"let {name} go: he escapes"
    if target in sit.geo.names:
        return ACTIONS[action.kind][0].format(area=sit.geo.text(target))
    return ACTIONS[action.kind][0].format(thing=thing_name(sit, target))


def action_options(sit: Situation, units: tuple[str, ...], legal: Sequence[Action]) -> list[Option]:
    """The legal actions of a unit or stack, then stop, then what the rules refuse and why."""
    found = [_action_option(sit, units, action) for action in legal]
    found.append(Option("stop", WORDS["stop"], topic=Topic(kind="stop")))
    if len(units) == 1:
        found += _refusals(sit, sit.units[units[0]], {action.id for action in legal})
    return found


def _action_option(sit: Situation, units: tuple[str, ...], action: Action) -> Option:
    unit = sit.units[units[0]]
    consequence = f"{action.mp} MP"
    chances: dict[str, Likelihood] = {}
    if action.kind in ("move", "arrow", "enter-bunker", "leave-bunker"):
        consequence, chances = _move_consequence(sit, units, action)
    elif action.kind in ("grenade", "grenade-bunker"):
        area, bunker = action.target, action.kind == "grenade-bunker"
        there = grenade_targets(sit, sit.rules.bunker_in[area] if bunker else area)
        chances = grenade_odds(there, grenade_chances(sit, unit, area, bunker))
        consequence = f"1 MP, 1 of {unit.grenades} grenades"
    elif action.kind == "gammon":
        chances = gammon_odds(sit, action.target, odds(sit.rules.fire.gammon.table))
        consequence = "1 MP, one use of the bomb"
    elif action.kind == "clear-bunker":
        says = {row.result: row.says for row in table("bunker_clearing").rows}
        chances = {
            says[result]: chance
            for result, chance in in_words(odds(table("bunker_clearing"))).items()
        }
        consequence = f"{action.mp} MP; a cleared bunker earns VP"
    elif action.kind == "prepare-position":
        consequence = f"{action.mp} MP; ready at the end of the turn if it neither fires nor fights"
    return Option(
        action.id,
        action_text(sit, unit, action),
        consequence=consequence,
        odds=chances,
        rule=ACTIONS[action.kind][1],
        topic=action_topic(sit, action),
    )


def action_topic(sit: Situation, action: Action) -> Topic:
    """Return the area or the thing that an action is about."""
    if action.target in sit.geo.names:
        return Topic(kind=action.kind, places=(action.target,))
    return Topic(kind=action.kind, pieces=(action.target,) if action.target else ())


def _move_consequence(
    sit: Situation, units: tuple[str, ...], action: Action
) -> tuple[str, dict[str, Likelihood]]:
    """MP, and the Opportunity Fire that known Germans can give on entry."""
    left = min(mp_left(sit, sit.units[unit]) for unit in units) - action.mp
    area = action.target or sit.units[units[0]].area
    words = [f"{action.mp} MP, {left} left"]
    watch = watch_on(sit, area)
    if watch.hidden:
        words.append(f"turns up {watch.hidden} face-down counter{'s' if watch.hidden > 1 else ''}")
    if watch.waiting:
        words.append("Germans that hold their fire may spot it")
    chances: dict[str, Likelihood] = {}
    if watch.volley.sp > 0:
        inside = action.kind == "enter-bunker"
        target, *_ = moving_targets(sit, units)
        target = Target(sit.rules.bunker_in[area] if inside else area, target.units)
        words.append(f"Opportunity Fire with {watch.volley.sp} SP")
        chances = fire_odds(sit, watch.volley, target, opportunity=True)
    return ", ".join(words), chances


def _refusals(sit: Situation, unit: Unit, legal: set[str]) -> list[Option]:
    """Return the options that a player may look for in vain, with the rule that refuses it."""
    found = []
    left = mp_left(sit, unit)
    for there, mp in sit.geo.steps[unit.area]:
        if f"move {there}" in legal:
            continue
        why, rule = _why_no_move(sit, unit, there, mp, left)
        found.append(
            Option(
                f"move {there}",
                f"move to {sit.geo.text(there)}",
                refused=why,
                rule=rule,
                topic=Topic(kind="move", places=(there,)),
            )
        )
    bunker = sit.rules.bunker_in[unit.area]
    if unit.area in sit.geo.has_bunker and not unit.inside and bunker in sit.german:
        found.append(
            Option(
                "enter-bunker",
                "enter the bunker",
                refused="The enemy holds the bunker: grenades or fire must empty it first.",
                rule="ST-MOV-22",
            )
        )
    if unit.kind in BRITISH_INFANTRY and not unit.grenades and unit.area in sit.german:
        found.append(
            Option(
                f"grenade {unit.area}",
                "throw a grenade",
                refused=f"{unit.name} has no grenades left.",
                rule="ST-GRE-04",
            )
        )
    return found


def _why_no_move(sit: Situation, unit: Unit, there: str, mp: int, left: int) -> tuple[str, str]:
    if unit.inside:
        return "It must leave the bunker first.", "ST-MOV-20"
    if unit.engaged >= sit.turn:
        return f"{unit.name} is engaged and may not leave the area this turn.", "ST-H2H-15"
    if there == sit.geo.pegasus and sit.bridge == "destroyed":
        return "The bridge is destroyed.", "ST-DEM-09"
    if unit.area == sit.geo.pegasus and sit.bridge == "destroyed":
        return "It leaves a destroyed bridge on the bank it came from.", "ST-DEM-09"
    if sit.pows_of(unit.id):
        return "A POW moves 2 MP a turn at most.", "ST-POW-06"
    enemy = " and 1 for the enemy there" if sit.is_occupied(GERMAN, there) else ""
    return f"That takes {mp} MP{enemy}, {max(0, left)} left.", "ST-MOV-27"


def attack_text(sit: Situation, attack: Attack) -> str:
    """Return an attack in words."""
    if attack.aimed_weapon:
        aimed = sit.weapons[attack.aimed_weapon]
        where = f"{aimed.name} in {sit.geo.text(aimed.area)}"
    elif sit.units[attack.target.id].kind == "tank":
        where = f"{sit.units[attack.target.id].name} in {sit.geo.text(attack.target.area)}"
    else:
        where = target_name(sit, attack.target)
    what = sit.weapons[attack.weapon].name if attack.weapon else "fire"
    return f"{what} at {where}"


def attack_topic(sit: Situation, attack: Attack) -> Topic:
    """Return the area that an attack is aimed at."""
    aimed = sit.weapons[attack.aimed_weapon].area if attack.aimed_weapon else ""
    return Topic(kind="attack", places=(aimed or attack.target.area,))


def attack_options(sit: Situation, legal: Sequence[Attack]) -> list[Option]:
    """Every attack with the odds it has when all who can fire do, then the end of the phase."""
    found = [_option(sit, attack) for attack in legal]
    text = "end the British Fire Phase"
    found.append(Option("end-phase", text, topic=Topic(kind="end-fire")))
    return found


def _option(sit: Situation, attack: Attack) -> Option:
    target, consequence, rule = attack.target, "", "ST-TAT-04"
    words: dict[str, Likelihood] = {}
    if attack.kind == "small-arms":
        units = [sit.units[unit] for unit in attack.firers]
        choices = firing_choices(sit, units)
        volley = british_volley(sit, all_firers(choices), choices)
        kind = f" ({volley.mg} SP of MG)" if volley.mg else " of small arms"
        fire = f"{volley.sp} SP{kind}"
        consequence, rule = f"{len(units)} can fire, {fire}", "ST-FIR-05"
        words = fire_odds(sit, volley, target) if volley.sp > 0 else {}
    elif attack.kind == "piat":
        firer, left = sit.units[attack.firers[0]], sit.weapons[attack.weapon].charges
        consequence = f"1 of {left} shots; a hit wrecks on 1-2, else the tank only stops"
        words = piat_odds(odds(sit.rules.fire.piat.table, piat_given(sit, firer, target)))
        rule = "ST-PIA-04"
    else:
        line, firers = sit.rules.fire.tank_at, (sit.units[attack.firers[0]],)
        chances = odds(line.table, on_line(line, sit.n.gun_sp, gun_given(sit, firers, target)))
        words = gun_odds(sit, target, attack.aimed_weapon, chances)
    return Option(
        attack.id,
        attack_text(sit, attack),
        consequence=consequence,
        odds=words,
        rule=rule,
        topic=attack_topic(sit, attack),
    )
