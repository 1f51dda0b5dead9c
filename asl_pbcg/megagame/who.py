"""The units that a line speaks of: of the table, or as the words describe them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.megagame.settings import Settings
from asl_pbcg.megagame.table import Table, Unit, kind_of
from asl_pbcg.megagame.words import Said, vocabulary, whole_number

MAX_LETTERS: Final = 40
_GROUP: Final = re.compile(r"(\d+):?([a-z]*)")


def unit_said(said: Said, role: str, table: Table, default: str) -> Unit:
    """The unit that a line speaks of as ``role`` (``at`` or ``by``): of the table, or as said.

    What the table does not know of its unit yet is taken from the line; what it knows otherwise
    is refused. Raises IllegalAnswer.
    """
    settings = table.settings
    name = said.get(f"{role}.name", "")
    if len(name) > MAX_LETTERS:
        raise IllegalAnswer(f"A name has at most {MAX_LETTERS} letters.")
    facts: dict[str, Any] = {
        key: said.get(f"{role}.{key}") for key in ("side", "quality", "vehicle", "figures")
    }
    known = table.find(name) if name else None
    if known:
        return _fill(known, facts, settings)
    vehicle = facts["vehicle"] or ""
    return Unit(
        name=name or default,
        side=facts["side"] or "",
        quality=facts["quality"] or "",
        vehicle=vehicle,
        kind=kind_of(vehicle, settings),
        figures=facts["figures"],
        started=facts["figures"],
        listed=bool(name),
    )


def _fill(unit: Unit, facts: Mapping[str, Any], settings: Settings) -> Unit:
    new: dict[str, Any] = {}
    for key, value in facts.items():
        if value is None:
            continue
        has = getattr(unit, key)
        if has not in ("", None) and has != value:
            raise IllegalAnswer(
                f"{unit.name} has {key} {has} at this table, not {value}; set changes it."
            )
        new[key] = value
    if "vehicle" in new:
        new["kind"] = kind_of(new["vehicle"], settings)
    if "figures" in new and unit.started is None:
        new["started"] = new["figures"]
    return msgspec.structs.replace(unit, **new)


def group_said(word: str, table: Table, default: str) -> Unit:
    """A side's unit in a house fight: of the table by name, or ``3:veteran``.

    Raises IllegalAnswer.
    """
    known = table.find(word) or table.begins_with(word)
    if known:
        return known
    match = _GROUP.fullmatch(word.lower())
    qualities = vocabulary("quality", table.settings)
    if not match or (match[2] and match[2] not in qualities):
        raise IllegalAnswer(
            f'"{word}" is no group of figures: write 3:veteran, or the name of a unit.'
        )
    figures = whole_number(match[1], "number of figures", 200)
    return Unit(
        name=default,
        quality=qualities[match[2]] if match[2] else "",
        figures=figures,
        started=figures,
        listed=False,
    )
