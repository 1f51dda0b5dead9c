"""The house rules of a campaign, and the readings among them that Setup Areas depend on.

The register is ``data/pb/rulings.yaml`` with another module's own laid over it. A campaign stores
the choices of its players; ``kernel/rulings.py`` gives the reading that is played for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.reader import Reader
from asl_pbcg.kernel.rulings import Register


@cache
def campaign_rulings(folder: str = SHIPPED) -> Register[Any]:
    """Return the register of a module; a ruling it does not have is that of the shipped one."""
    return Register(folder, base=None if folder == SHIPPED else campaign_rulings())


def replaced_choices(chosen: Mapping[str, str], folder: str = SHIPPED) -> Iterator[str]:
    """Say of each stored choice that is no longer offered which one is played in its place."""
    register = campaign_rulings(folder)
    for id, stored, now in register.replaced_choices(chosen):
        meaning = register[id].choices[now]
        yield f"House rule {id}={stored} is no longer offered: {id}={now} is played ({meaning})."


def default_words(id: str) -> str:
    """Say what is played of a house rule unless the players choose another reading."""
    ruling = campaign_rulings()[id]
    return (
        f"House rule {id}, unless the players choose otherwise: {ruling.choices[ruling.default]}."
    )


class AreaRulings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of 9.2 and 9.605-9.6057; the ids are those of ``data/pb/rulings.yaml``."""

    day_2_entry: Literal["TT14", "TT4"] = "TT14"
    """A-05: where British reinforcements of Day II enter."""
    british_goals: Literal["glider-z28-eligible", "glider-z28"] = "glider-z28-eligible"
    """B-03: what keeps a British Location from being Isolated."""
    z28: Literal["always", "when-in-use"] = "always"
    """B-04: on which CG Dates Z28 is an Eligible Entry Area."""
    uncontrolled: Literal["rest", "distance"] = "rest"
    """B-06: all that is left, or only hexes more than two from any Controlled Location."""
    surrounded: Literal["joins-only", "control-passes"] = "control-passes"
    """C-05: whether Control of what is enclosed, empty and enemy-Controlled passes."""
    map_edge: Literal["edge-opens", "edge-encloses"] = "edge-opens"
    """C-06: whether a pocket at the map edge is enclosed."""
    reach: Literal["any-level", "ground-only"] = "any-level"
    """C-07: whether upper-level Strategic Locations reach two hexes."""
    enterable: Literal["any-path", "two-hexes"] = "any-path"
    """C-11: how far Infantry may go inside the Setup Area to reach a hex of it."""
    upper_level: Literal["traced", "alone"] = "traced"
    """P-04: a Location above the enemy's ground level, with a path by 9.6057."""
    upper_touching: Literal["one", "each"] = "one"
    """P-40: Locations above the enemy's ground level that touch are one Setup Area."""

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> AreaRulings:
        """Take the house rules of a campaign, id to choice; others than these are let pass.

        Raises FaultsError for a choice there is none of.
        """
        hints = get_type_hints(cls)
        choices: dict[str, str] = {}
        reader = Reader("The house rules")
        for id, field in RULING_FIELDS.items():
            if id not in chosen:
                continue
            legal = get_args(hints[field]) if get_origin(hints[field]) is Literal else ()
            if chosen[id] in legal:
                choices[field] = chosen[id]
            else:
                reader.fault(id, chosen[id], f"must be one of: {', '.join(legal)}")
        reader.raise_faults()
        return msgspec.convert(choices, cls)


RULING_FIELDS: Final = {
    "A-05": "day_2_entry",
    "B-03": "british_goals",
    "B-04": "z28",
    "B-06": "uncontrolled",
    "C-05": "surrounded",
    "C-06": "map_edge",
    "C-07": "reach",
    "C-11": "enterable",
    "P-04": "upper_level",
    "P-40": "upper_touching",
}
"""Which field of AreaRulings a ruling of the register sets."""

DEFAULT_RULINGS: Final = AreaRulings()
