"""The readings of the area game and the two helpers, in one shape for lists and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from asl_pbcg.airborne.readings import READINGS as DROP_READINGS
from asl_pbcg.airborne.settings import setting_list
from asl_pbcg.megagame.readings import READINGS as MEGA_READINGS
from asl_pbcg.megagame.settings import known_settings
from asl_pbcg.st.settings import READINGS as ST_READINGS

GAMES: Final = {
    "st": "Strategy & Tactics 122",
    "drop": "Parachute and glider drops",
    "mega": "Megagame umpire",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One doubtful place: what is done there and why, or what may be chosen.

    ``choices`` are value and words; ``default`` is the value played if nobody chooses.
    """

    id: str
    rule: str
    question: str
    reading: str
    why: str
    choices: dict[str, str] = field(default_factory=dict)
    default: str = ""


def readings(game: str) -> list[Reading]:
    """Every reading of ``game`` (``st``, ``drop`` or ``mega``): those with a choice first."""
    if game == "st":
        return [*_area_settings(), *_area_fixed()]
    folder = {"drop": "airborne", "mega": "megagame"}[game]
    return [*_settings(folder), *_fixed_readings(folder)]


def _area_settings() -> Iterator[Reading]:
    for name, each in ST_READINGS.content.settings.items():
        choices = {str(value): words for value, words in each.choices.items()}
        yield Reading(
            f"{each.id} {name}",
            each.rule,
            each.question,
            "",
            each.why,
            choices,
            str(each.default),
        )


def _area_fixed() -> Iterator[Reading]:
    for each in ST_READINGS.content.fixed:
        yield Reading(each.id, each.rule, "", each.text, each.why)


def _settings(folder: str) -> Iterator[Reading]:
    """Settings whose value the sources leave open."""
    known = setting_list() if folder == "airborne" else known_settings()
    for name, each in known.items():
        if each.why:
            words = each.words[0].upper() + each.words[1:]
            yield Reading(name, each.rule, f"{words}.", _value(each.default), each.why)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_value(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _fixed_readings(folder: str) -> Iterator[Reading]:
    file = DROP_READINGS if folder == "airborne" else MEGA_READINGS
    for number, each in enumerate(file.content, 1):
        yield Reading(f"R{number:02}", each.rule, each.question, each.reading, each.reason)
