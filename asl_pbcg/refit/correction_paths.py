"""Facts that ``pbcg assert`` and ``pbcg correct`` call by one name, with one meaning.

A roster has the SAN in force; the campaign keeps it without II13 (CG13), and so does the journal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from asl_pbcg.campaign.scenario.snipers import ii13_controller, san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.refit.correction_policy import parts_of

SAN: Final = "san"
SHARED: Final[Mapping[str, str]] = MappingProxyType(
    {SAN: SAN, "san-base": SAN, "ww-box": "ww_box"}
    | {name: name for name in ("date", "dummies", "fpp")}
)
"""The facts of a roster that players correct by its name for them, and the field of each."""
_NUMBER: Final = re.compile(r"[+-]?\d{1,4}")


def stored_correction(state: Campaign, path: str, value: Any) -> tuple[str, Any]:
    """Return a correction of a fact of the roster as the journal stores it.

    Any other correction stays as it is. Raises PBCGError for a SAN that cannot be in force.
    """
    head, *rest = parts_of(path) or [""]
    if SHARED.get(head, head) == head != SAN:
        return path, value
    stored = "/".join([SHARED[head], *rest])
    side = next((side for side in state.sides if rest == [side.value]), None)
    san = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else value
    if SHARED[head] != SAN or side is None or isinstance(san, bool) or not isinstance(san, int):
        return stored, value
    if san == (san_in_force(state, side) if head == SAN else state.san.get(side, 0)):
        raise PBCGError(f"That changes nothing: {head}/{side} is {san} already.")
    return stored, _without_ii13(state, side, san) if head == SAN else san


def _without_ii13(state: Campaign, side: Side, san: int) -> int:
    """Return the SAN without II13, the nearest to the present one, by which ``san`` is in force.

    Rule: CG13.
    """
    here = state.san.get(side, 0)
    by_base = {
        base: san_in_force(change(state, san={**state.san, side: base}), side)
        for base in range(state.frame.san.ii13_most + 1)
    }
    fitting = [base for base, in_force in by_base.items() if in_force == san]
    if fitting:
        return min(fitting, key=lambda base: (abs(base - here), base))
    holder = ii13_controller(state)
    why = f" while the {holder.people} Control II13 (CG13)" if holder else ""
    right = f"must be {min(by_base.values())} to {max(by_base.values())}{why}"
    raise FaultsError("The correction", [Fault(f"{SAN}/{side}", str(san), right)])
