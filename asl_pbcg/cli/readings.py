"""The readings of every game in one shape, for lists, searches and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.readings import READINGS as DROP_READINGS
from asl_pbcg.airborne.settings import setting_list
from asl_pbcg.campaign.rulings import rulings as campaign_rulings
from asl_pbcg.cli.st_settings import choice_words
from asl_pbcg.megagame.readings import READINGS as MEGA_READINGS
from asl_pbcg.megagame.settings import known_settings
from asl_pbcg.st.settings import READINGS as ST_READINGS

GAMES: Final = {
    "pb": "Pegasus Bridge campaign",
    "st": "Strategy & Tactics 122",
    "drop": "Parachute and glider drops",
    "mega": "Megagame umpire",
}


CHOOSING: Final = {
    "pb": '"pbcg new ... --house-rule ID=CHOICE"',
    "st": '"pbcg st new FILE --setting NAME=CHOICE"',
}
"""How players choose, in the games whose readings have choices."""


_NAMES: Final = {"airborne": "drop", "megagame": "mega"}
"""What the folders of the helpers' data are called at the command line."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One doubtful place of a game: what is done there and why, or what may be chosen.

    ``choices`` are value and words; ``default`` is the value played if nobody chooses.
    """

    game: str
    id: str
    rule: str
    question: str
    reading: str
    why: str
    choices: dict[str, str] = {}
    default: str = ""


def readings(game: str) -> list[Reading]:
    """Return every reading of ``game``, of the area game and the helpers those to choose first."""
    if game == "pb":
        return list(_campaign())
    if game == "st":
        return [*_area_settings(), *_area_fixed()]
    folder = {name: folder for folder, name in _NAMES.items()}[game]
    return [*_settings(folder), *_fixed_readings(folder)]


def find_readings(wanted: Sequence[str], games: Sequence[str]) -> list[Reading]:
    """Return the readings that go by an id, else by a rule number, else those with all words."""
    everything = [each for game in games for each in readings(game)]
    word = _plain(" ".join(wanted))
    if exact := [each for each in everything if word in map(_plain, each.id.split())]:
        return exact
    looks_like_a_rule = any(letter.isdigit() for letter in word) or "-" in wanted[0]
    by_rule = [each for each in everything if word in _plain(each.rule)]
    if looks_like_a_rule and by_rule:
        return by_rule
    return [each for each in everything if all(part.lower() in _text(each) for part in wanted)]


def _plain(word: str) -> str:
    """A word as ids and rule numbers are compared: C14 is C-14, gammon-uses gammon_uses."""
    return word.lower().replace("-", "").replace("_", "")


def _text(each: Reading) -> str:
    """All that is said of a reading."""
    choices = " ".join(f"{name} {words}" for name, words in each.choices.items())
    return " ".join((each.id, each.rule, each.question, each.reading, each.why, choices)).lower()


def _campaign() -> Iterator[Reading]:
    for id, each in campaign_rulings().items():
        yield Reading(
            game="pb",
            id=id,
            rule=each.rule,
            question=each.issue,
            reading=each.ruling,
            why=each.why,
            choices=each.choices,
            default=each.default,
        )


def _area_settings() -> Iterator[Reading]:
    for name, each in ST_READINGS.content.settings.items():
        yield Reading(
            game="st",
            id=f"{each.id} {name}",
            rule=each.rule,
            question=each.question,
            reading="",
            why=each.why,
            choices={choice_words(value): words for value, words in each.choices.items()},
            default=choice_words(each.default),
        )


def _area_fixed() -> Iterator[Reading]:
    for each in ST_READINGS.content.fixed:
        yield Reading(
            game="st",
            id=each.id,
            rule=each.rule,
            question=each.question,
            reading=each.text,
            why=each.why,
        )


def _settings(folder: str) -> Iterator[Reading]:
    """Settings whose value the sources leave open."""
    known = setting_list() if folder == "airborne" else known_settings()
    for name, each in known.items():
        if each.why:
            words = each.words[0].upper() + each.words[1:]
            yield Reading(
                game=_NAMES[folder],
                id=name,
                rule=each.rule,
                question=f"{words}.",
                reading=_value(each.default),
                why=each.why,
            )


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
        yield Reading(
            game=_NAMES[folder],
            id=f"R{number:02}",
            rule=each.rule,
            question=each.question,
            reading=each.reading,
            why=each.reason,
        )
