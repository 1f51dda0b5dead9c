"""Decisions and results in words: ``wrecks the car`` instead of ``1(H)``."""

from __future__ import annotations

import re
from typing import Final

from asl_pbcg.st.procedures.assaults import ANY_LOSS
from asl_pbcg.st.procedures.losses import names
from asl_pbcg.st.procedures.odds import WORDS, GrenadeTargets, fight_words, grenade_effect
from asl_pbcg.st.state.area_tables import AGAIN, read_hit
from asl_pbcg.st.state.decision import Decision

SMALL_ARMS: Final = ("fire_combat", "opportunity_fire_combat")
GUNS: Final = ("tank_at_fire", "piat_fire", "gammon")
PRINTED: Final = (*SMALL_ARMS, *GUNS, "grenade", "hand_to_hand_combat")
"""Rolls whose table prints a code, which players look up."""
CAR: Final = "Mercedes"
_WEAPONS: Final = ("MG", "AT gun")
_SORTS: Final = {"MG": "guns", "AT": "guns", "tank": "tank", CAR: "car", "Lt": "leaders",
                 "Mjr": "leaders"}  # fmt: skip
"""Targets of a grenade that are not combat units, by how their names begin."""
_AIMED_AT: Final = re.compile(r"^Tank/AT fire, \d+ SP, on (?:(tank|MG|AT gun)\b)?")
_LEADER: Final = re.compile(
    r"^(?:Tank/AT fire, \d+ SP,|(?:Opportunity )?Fire, .+\)) on (?:Lt|Capt|Mjr|Col) "
)
"""Leaders alone: they roll for casualties and lose no SP. Rule: ST-LDR-01, ST-TAT-18."""


STEPS: Final = ("action", "declare_action")
"""Questions of one step of an order: what the units do is told with their names."""
_TOLD: Final = ("act", "declare", "fire", "declare_fire", "carry_out", "carry_out_fire")
"""Questions whose answers say by themselves what was decided."""


def decided_words(asked: Decision, words: str) -> str:
    """Return a decision in words; ``words`` is the answer, which may need its question."""
    if asked.id in _TOLD:
        return words
    if asked.id in STEPS:
        return f"{names(asked.situation.units[id] for id in asked.pieces)}: {words}"
    return f"{asked.text.partition('?')[0]}? {words[:1].upper()}{words[1:]}"


def effect_words(point: str, text: str, result: str, says: str = "") -> str:
    """Return the effect of the ``result`` of the roll at ``point``; ``text`` names the roll.

    Rule: ST-FIR-17 to ST-FIR-21, ST-GRE-09 to ST-GRE-11, ST-TAT-15, ST-PIA-09, ST-GAM-08.
    """
    if point in SMALL_ARMS:
        return _small_arms(result, CAR in text, bool(_LEADER.search(text)))
    if point == "grenade":
        return _grenade(result, text)
    if point in GUNS:
        return _gun(point, result, text)
    if point == "hand_to_hand_combat" and ":" in result:
        return fight_words(result)
    if point == "random_selection":
        return _chosen(text, result)
    return WORDS.get(says or result, says or result).replace("_", " ")


def _chosen(text: str, result: str) -> str:
    """Return the one chosen: ``text`` lists all, each after its number. Rule: ST-GRE-08."""
    if result == AGAIN:
        return "once more"
    listed = "1 " + text.rpartition(" (1 ")[2].removesuffix(")")
    match = re.search(rf"(?:^|, ){result} (.+?)(?:, {int(result) + 1} .*)?$", listed)
    return match[1] if match else result


def _small_arms(result: str, car: bool, leaders: bool) -> str:
    hit = read_hit(result)
    if car:
        return "wrecks the car" if hit.loss else "no effect"
    if hit.suppressed:
        return "suppressed"
    if leaders and hit.loss:
        return "Casualty rolls"
    return f"{hit.loss} SP lost" if hit.loss else "no effect"


def _grenade(result: str, text: str) -> str:
    """Say what a grenade does; ``text`` names those it falls on. Rule: ST-GRE-07 to ST-GRE-11."""
    names = text.partition(" throws a grenade at ")[2].rpartition(" in ")[0].split(", ")
    sorts = [_SORTS.get(name.split(" ")[0], "fighters") for name in names]
    there = GrenadeTargets(
        **{sort: sort in sorts for sort in ("fighters", "leaders", "guns", "car", "tank")},
        any_loss_wrecks_car=ANY_LOSS in text,
    )
    return grenade_effect(read_hit(result), there, "{} SP lost")


def _gun(point: str, result: str, text: str) -> str:
    """S does nothing here; (H) breaks things. Rule: ST-TAT-15, ST-TAT-16, ST-PIA-09, ST-GAM-09."""
    hit = read_hit(result)
    breaks = breakable(text)
    if point == "gammon":
        wrecked = hit.hard or (hit.suppressed and breaks == "car")
        return f"wrecks the {breaks}" if wrecked else "no effect"
    if point == "piat_fire":
        if not hit.hard:
            return "no effect"
        return "wrecks the tank" if hit.loss else "hits the tank"
    if not hit.hard:
        return "no effect"
    if not breaks and not hit.loss:
        return "no effect but on a prepared position"
    lost = "Casualty rolls" if _LEADER.search(text) else f"{hit.loss} SP lost"
    verb = "destroys" if breaks in _WEAPONS else "wrecks"
    words = [f"{verb} the {breaks}"] if breaks else []
    return " and ".join([*words, *([lost] if hit.loss else [])])


def breakable(text: str) -> str:
    """Return the thing that breaks at which ``text``, a roll for a gun, PIAT or bomb, aims."""
    if CAR in text:
        return "car"
    aimed_at = _AIMED_AT.search(text)
    # PIATs and gammon bombs are for vehicles alone.
    return (aimed_at[1] or "") if aimed_at else "tank"
