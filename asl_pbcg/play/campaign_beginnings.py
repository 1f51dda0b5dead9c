"""New campaigns from a form, and the sample campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from asl_pbcg.campaign.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.foreign_text import LONGEST_NAME, read_line
from asl_pbcg.play.campaign import create_campaign
from asl_pbcg.play.plug import Beginning, Chosen, FormField

SAMPLE_SEED: Final = 60644
"""The seed of the sample campaign, as ``pbcg demo`` builds it."""


def _begin_campaign(path: Path, chosen: Chosen, seed: int | None) -> None:
    names = {
        side.value: read_line(chosen[side.value], "A player's name", LONGEST_NAME)
        for side in PEGASUS_BRIDGE.sides
    }
    settings = {
        "campaign": chosen["campaign"],
        "players": {side: name for side, name in names.items() if name},
        "balance": chosen["balance"],
        "house_rules": {},
    }
    meta: dict[str, Any] = {"settings": settings, "dice": chosen["dice"]}
    create_campaign(path, meta if seed is None else {**meta, "seed": seed}).close()


def _begin_sample(path: Path, chosen: Chosen, seed: int | None) -> None:
    """Begin a campaign that stands before its first scenario."""
    settings: dict[str, Any] = {"campaign": "CG1", "players": {}}
    meta = {"settings": settings, "dice": "seeded", "seed": SAMPLE_SEED}
    with create_campaign(path, meta) as game:
        session = game.session
        drive(
            session,
            RandomAnswers(SAMPLE_SEED),
            session.program_dice,
            until=lambda: session.state.at == "scenario",
        )


_FIELDS: Final = (
    FormField(
        name="campaign",
        label="1. Which campaign?",
        default="CG1",
        options=(
            ("CG1", "CG I, Coup de Main", "from Night I, 5/6 June 1944"),
            ("CG2", "CG II, Hold Until Relieved", "from Dawn; both sides buy before it"),
        ),
    ),
    *(
        FormField(name=side.value, label=f"Who plays the {side.people}?", kind="text")
        for side in PEGASUS_BRIDGE.sides
    ),
    FormField(
        name="dice",
        label="2. Whose dice?",
        default="seeded",
        options=(
            ("seeded", "The program rolls", ""),
            ("manual", "We throw real dice", "and type them"),
        ),
    ),
    FormField(
        name="balance",
        label="",
        options=(("", "none", ""), *((side.value, "", "") for side in PEGASUS_BRIDGE.sides)),
    ),
)
SAMPLE: Final = "Try the sample"
BEGINNINGS: Final = (
    Beginning(kind="sample", button=SAMPLE, title=SAMPLE, file="sample", begin=_begin_sample),
    Beginning(
        kind="campaign",
        button="New campaign …",
        title="New campaign",
        file="evening",
        begin=_begin_campaign,
        fields=_FIELDS,
    ),
)
