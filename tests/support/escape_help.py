"""Units put on the ground of the worked example of 9.6054, for the tests of 9.606 and 9.607."""

from __future__ import annotations

from typing import Any

import msgspec
from refit_helpers import campaign_at

from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.prompts import Prompt, Roll

EXAMPLE = read_position(data_path("pb/samples/worked-example.yaml"))

# P14, Q13, P12 and R13 lie in British Setup Area A (Isolated), X18 and Y19 in B (Isolated), W21 in
# C; V12 in German Setup Area A, Z20 and AA23 in B (Isolated). Y17, Z23 and Y21 are No Man's Land,
# W25 and S16 Uncontrolled Territory.


def ground(*pieces: Piece, house: dict[str, str] | None = None, **fields: Any) -> Campaign:
    """Only ``pieces`` on the map of the example; areas, Control and so on are as it has them."""
    common: dict[str, Any] = {
        "date": EXAMPLE.date,
        "british": EXAMPLE.control.british,
        "german": EXAMPLE.control.german,
        "gliders": {each.at: each.state.value for each in EXAMPLE.gliders},
        "fortifications": EXAMPLE.fortifications,
        "terrain": EXAMPLE.terrain,
        "house_rules": house or {},
    }
    state = campaign_at(fields.pop("step", "9.606"), *pieces, **{**common, **fields})
    if fields.keys() & common.keys() <= {"date"}:
        example = msgspec.structs.replace(EXAMPLE, date=state.date)
        state = change(state, determined=example)
    return state


def prompts(asked: list[Prompt | Roll], id: str) -> list[Prompt]:
    """The prompts of one decision point among all that was asked."""
    return [each for each in asked if isinstance(each, Prompt) and each.id == id]


def rolls(asked: list[Prompt | Roll], id: str = "9.606.8") -> list[Roll]:
    """The rolls of one kind among all that was asked."""
    return [each for each in asked if isinstance(each, Roll) and each.id == id]


def drms(roll: Roll) -> dict[str, int]:
    """The DRM of a roll by name."""
    assert roll.table
    return {drm.name: drm.value for drm in roll.table.modifiers(roll.given)}


def total(roll: Roll) -> int:
    """The total DRM of a roll."""
    return sum(drms(roll).values())


def throw_of(original: int) -> tuple[int, int]:
    """Two dice that come to ``original``."""
    first = max(1, original - 6)
    return first, original - first
