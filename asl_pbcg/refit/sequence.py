"""The sequence of the Refit Phase and the Initial Scenario, as the kernel runs it. Rule: 9.6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from asl_pbcg.campaign.charts import frame
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.session import Step
from asl_pbcg.refit.s617_purchase import purchase
from asl_pbcg.refit.s618_strength import strength_weapons_leaders
from asl_pbcg.refit.s619_fortifications import purchase_fortifications
from asl_pbcg.refit.s620_commencement import commencement
from asl_pbcg.refit.s950_initial import begin, orders_of_battle

_SCRIPTS = {
    "9.5": orders_of_battle,
    "9.617": purchase,
    "9.618": strength_weapons_leaders,
    "9.619": purchase_fortifications,
    "9.620": commencement,
}


class PegasusBridge:
    """The campaign game for the script runner: which step follows which."""

    name = "pegasus-bridge"

    def begin(self, settings: Mapping[str, Any]) -> Campaign:
        """The campaign before its first step."""
        return begin(settings)

    def next_step(self, state: Campaign) -> Step[Campaign] | None:
        """The step that comes next; None while a CG scenario is played."""
        script = _SCRIPTS.get(state.at)
        if script is None:
            return None
        titles = {chart.step: chart.title for chart in frame().steps}
        return Step(
            id=f"{state.date}/{state.at}",
            title=titles.get(state.at, "Initial Scenario"),
            script=script,
            rule=state.at,
        )

    def encode(self, state: Campaign) -> bytes:
        """The state as it is stored."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Campaign:
        """The state from its stored form; fields that are newer take their defaults."""
        return msgspec.json.decode(stored, type=Campaign)
