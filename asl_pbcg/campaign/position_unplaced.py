"""Pieces that a position names without a place: asked about at once, before the faults are told."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.position_check import with_holders
from asl_pbcg.campaign.position_fields import COUNTED
from asl_pbcg.campaign.position_raw import Raw
from asl_pbcg.campaign.position_spelling import is_eliminated, spell_out
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.kernel.wording import number_words

_NAMED = 12
"""So many pieces are named in the question."""
_LOOK = "look"


def entries_without_place(raw: Raw, state: Campaign) -> list[dict[str, Any]]:
    """Return the entries of ``raw`` that have an id and neither a place nor anybody to be with."""
    if not isinstance(raw.data, dict):
        return []
    data = with_holders(spell_out(raw.data, state.catalogue))
    return [
        entry
        for section in COUNTED
        for entry in data.get(section) or ()
        if isinstance(entry, dict)
        and entry.get("id")
        and entry.get("at") in (None, "")
        and not is_eliminated(section, entry)
    ]


def place_unplaced(raw: Raw, state: Campaign) -> Script[Raw]:
    """Ask whether the pieces without a place were Eliminated; else they stay as they are.

    Rule: 9.2 Eliminated.
    """
    entries = entries_without_place(raw, state)
    names = [f"{entry.get('type', '')} {entry['id']}".strip() for entry in entries]
    more = len(names) - _NAMED
    named = ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    answer = yield from ask(
        Prompt(
            id="ob.unplaced",
            rule="9.2 Eliminated",
            options=(
                Option(ELIMINATED, "yes, Eliminated"),
                Option(_LOOK, "no: show where their places are missing"),
            ),
            text=f"No place is given for {number_words(len(names), 'piece')}: {named}. Were they "
            "Eliminated?",
            help="A piece that was Eliminated has eliminated as its status or place, or no row at "
            "all. What never entered waits at its Entry Area, as off-map A7.",
        )
    )
    if answer == _LOOK:
        return raw
    ids = tuple(entry["id"] for entry in entries)
    data = dict(raw.data)
    for section in COUNTED:
        listed = data.get(section)
        if isinstance(listed, list | tuple):
            data[section] = [_eliminate_entry(each, ids) for each in listed]
    return msgspec.structs.replace(raw, data=data)


def _eliminate_entry(entry: Any, ids: tuple[Any, ...]) -> Any:
    if not isinstance(entry, dict) or entry.get("id") not in ids:
        return entry
    return {**entry, "at": ELIMINATED}
