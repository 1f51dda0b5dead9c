"""The attacks of the British Fire Phase as people read them, with exact odds."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.kernel.prompts import Option
from asl_pbcg.st.orders import all_firers
from asl_pbcg.st.rules.area_tables import odds
from asl_pbcg.st.rules.attacks import Attack
from asl_pbcg.st.rules.fire import on_line, target_name
from asl_pbcg.st.rules.gun_fire import gun_given, piat_given
from asl_pbcg.st.rules.odds import fire_odds, gun_odds, piat_odds
from asl_pbcg.st.rules.opportunity_fire import british_volley, firing_choices
from asl_pbcg.st.rules.phase_situation import Situation


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


def attack_options(sit: Situation, legal: Sequence[Attack]) -> list[Option]:
    """Every attack with the odds it has when all who can fire do, then the end of the phase."""
    found = [_option(sit, attack) for attack in legal]
    found.append(Option("end-phase", "end the British Fire Phase"))
    return found


def _option(sit: Situation, attack: Attack) -> Option:
    target = attack.target
    if attack.kind == "small-arms":
        units = [sit.units[unit] for unit in attack.firers]
        choices = firing_choices(sit, units)
        volley = british_volley(sit, all_firers(choices), choices)
        fire = f"{volley.sp} SP of small arms"
        if volley.mg:
            fire = f"{volley.sp} SP ({volley.mg} SP of MG)"
        return Option(
            attack.id,
            attack_text(sit, attack),
            consequence=f"{len(units)} can fire, {fire}",
            odds=fire_odds(sit, volley, target) if volley.sp > 0 else {},
            rule="ST-FIR-05",
        )
    firer = sit.units[attack.firers[0]]
    if attack.kind == "piat":
        chances = odds(sit.rules.fire.piat.table, piat_given(sit, firer, target))
        left = sit.weapons[attack.weapon].charges
        return Option(
            attack.id,
            attack_text(sit, attack),
            consequence=f"1 of {left} shots; a hit wrecks on 1-2, else the tank only stops",
            odds=piat_odds(chances),
            rule="ST-PIA-04",
        )
    line = sit.rules.fire.tank_at
    chances = odds(line.table, on_line(line, sit.n.gun_sp, gun_given(sit, (firer,), target)))
    words = gun_odds(sit, target, attack.aimed_weapon, chances)
    return Option(attack.id, attack_text(sit, attack), odds=words, rule="ST-TAT-04")
