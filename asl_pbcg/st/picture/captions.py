"""Decisions and results in words: ``wrecks the car`` instead of ``1(H)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.procedures.losses import names
from asl_pbcg.st.procedures.odds import WORDS, GrenadeTargets, fight_words, grenade_effect
from asl_pbcg.st.state.area_tables import AGAIN, read_hit
from asl_pbcg.st.state.decision import FRAGILE_CAR, Decision

SMALL_ARMS: Final = ("fire_combat", "opportunity_fire_combat")
GUNS: Final = ("tank_at_fire", "piat_fire", "gammon")
PRINTED: Final = (*SMALL_ARMS, *GUNS, "grenade", "hand_to_hand_combat")
"""Rolls whose table prints a code, which players look up."""
_LEADERS: Final = "leaders"
"""Leaders alone roll for casualties and lose no SP. Rule: ST-LDR-01, ST-TAT-18."""
_CARS: Final = frozenset({"car", FRAGILE_CAR})
_BREAKABLE: Final = {"mg": "MG", "at": "AT gun", "tank": "tank", **dict.fromkeys(_CARS, "car")}
"""The targets of Tank/AT fire that (H) breaks, and their names."""


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


def effect_words(point: str, topic: Topic, result: str, says: str = "") -> str:
    """Return the effect of the ``result`` of the roll at ``point``; ``topic`` is the roll's.

    Rule: ST-FIR-17 to ST-FIR-21, ST-GRE-09 to ST-GRE-11, ST-TAT-15, ST-PIA-09, ST-GAM-08.
    """
    targets = topic.kind.split()
    if point in SMALL_ARMS:
        return _small_arms(result, targets)
    if point == "grenade":
        return _grenade(result, targets)
    if point in GUNS:
        return _gun(point, result, targets)
    if point == "hand_to_hand_combat" and ":" in result:
        return fight_words(result)
    if point == "random_selection":
        return "once more" if result == AGAIN else topic.choices[int(result) - 1]
    return WORDS.get(says or result, says or result).replace("_", " ")


def _small_arms(result: str, targets: Sequence[str]) -> str:
    hit = read_hit(result)
    if not _CARS.isdisjoint(targets):
        return "wrecks the car" if hit.loss else "no effect"
    if hit.suppressed:
        return "suppressed"
    if targets == [_LEADERS] and hit.loss:
        return "Casualty rolls"
    return f"{hit.loss} SP lost" if hit.loss else "no effect"


def _grenade(result: str, targets: Sequence[str]) -> str:
    """Say what a grenade does to those it falls on. Rule: ST-GRE-07 to ST-GRE-11."""
    present = GrenadeTargets(
        fighters="fighters" in targets,
        leaders=_LEADERS in targets,
        guns="mg" in targets or "at" in targets,
        car=not _CARS.isdisjoint(targets),
        tank="tank" in targets,
        any_loss_wrecks_car=FRAGILE_CAR in targets,
    )
    return grenade_effect(read_hit(result), present, "{} SP lost")


def _gun(point: str, result: str, targets: Sequence[str]) -> str:
    """S does nothing here; (H) breaks things. Rule: ST-TAT-15, ST-TAT-16, ST-PIA-09, ST-GAM-09."""
    hit = read_hit(result)
    breaks = next((_BREAKABLE[sort] for sort in targets if sort in _BREAKABLE), "")
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
    lost = "Casualty rolls" if targets == [_LEADERS] else f"{hit.loss} SP lost"
    verb = "destroys" if breaks in ("MG", "AT gun") else "wrecks"
    words = [f"{verb} the {breaks}"] if breaks else []
    return " and ".join([*words, *([lost] if hit.loss else [])])
