"""The words of a player's position in the program's spelling: ``Broken``, ``z20`` and ``lmg``.

Every kind of file goes through here before it is read, so that all of them take the same words.
What is no known word stays as it was written, and the reader tells what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.draft_words import is_place, place_of
from asl_pbcg.campaign.position import LISTS, Control, Position
from asl_pbcg.campaign.position_fields import COUNTED, Field, fields_of
from asl_pbcg.campaign.position_words import ELIMINATED

_HEXSIDE = re.compile(r"[a-z]{1,2}\d{1,2}(/[a-z]{1,2}\d{1,2})?", re.IGNORECASE)


def spell_out(data: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Return plain data of a position, or of changes, with its known words as they are kept."""
    known = fields_of(Position)
    found = {
        key: _value(known[key], value) if key in known and known[key].form != "part" else value
        for key, value in data.items()
    }
    control = data.get("control")
    if isinstance(control, dict):
        sides = fields_of(Control)
        found["control"] = {
            side: _value(sides[side], listed) if side in sides else listed
            for side, listed in control.items()
        }
    for section, part in LISTS.items():
        if isinstance(data.get(section), list | tuple):
            fields = fields_of(part)
            found[section] = [
                _entry(entry, fields, catalogue) if isinstance(entry, dict) else entry
                for entry in data[section]
            ]
    return found


def is_eliminated(section: str, entry: Mapping[str, Any]) -> bool:
    """Return whether an entry says of a piece that it was Eliminated. Rule: 9.2."""
    if section not in COUNTED:
        return False
    status = entry.get("status")
    return isinstance(status, list | tuple) and ELIMINATED in status


def _entry(
    entry: dict[str, Any], fields: Mapping[str, Field], catalogue: Catalogue
) -> dict[str, Any]:
    found = {
        key: _value(fields[key], value) if key in fields else value for key, value in entry.items()
    }
    if isinstance(entry.get("type"), str):
        found["type"] = catalogue.spelling(entry["type"].strip())
    if "status" in fields and found.get("at") == ELIMINATED:  # as its place means the same
        status = found.get("status")
        del found["at"]
        found["status"] = [*(status if isinstance(status, list | tuple) else ()), ELIMINATED]
    return found


def _value(field: Field, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_word(field, each) for each in value]
    return _word(field, value)


def _word(field: Field, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if field.form == "choice" and field.choices is not None:
        word = "-".join(text.lower().replace("_", " ").split())
        return word if word in (*field.choices, *field.also) else value
    if field.form in ("place", "on_map"):
        if text.lower() == ELIMINATED:
            return ELIMINATED
        return place_of(text) if is_place(text) else value
    if field.form == "hexside" and _HEXSIDE.fullmatch(text):
        return text.upper()
    return value
