"""New campaigns from a form, and the sample campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.deciders import read_players
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug, create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Beginning, Chosen, FormField

if TYPE_CHECKING:
    from asl_pbcg.play.campaign_game.campaign_from_paper import PaperBook


SAMPLE_SEED: Final = 60644
"""The seed of the sample campaign, as ``pbcg demo`` builds it."""


def _settings(chosen: Chosen) -> dict[str, Any]:
    names = {side.value: read_players(chosen[side.value]) for side in PEGASUS_BRIDGE.sides}
    return {
        "campaign": chosen["campaign"],
        "players": {side: name for side, name in names.items() if name},
        "balance": chosen["balance"],
        "house_rules": {},
    }


def _dice(chosen: Chosen, seed: int | None) -> dict[str, Any]:
    return {"dice": chosen["dice"]} | ({} if seed is None else {"seed": seed})


def _begin_campaign(path: Path, chosen: Chosen, seed: int | None) -> None:
    create_campaign(path, {"settings": _settings(chosen), **_dice(chosen, seed)}).close()


def _begin_paper(path: Path, chosen: Chosen, seed: int | None) -> None:
    """Begin a campaign whose records and position on paper will be asked for."""
    dates = PEGASUS_BRIDGE.frame.campaigns[chosen["campaign"]].dates
    if chosen["date"] not in dates:
        listed = ", ".join(date.title for date in dates)
        raise PBCGError(f"{chosen['campaign']} has no such CG Date: {listed}.")
    settings = {**_settings(chosen), "from_paper": chosen["date"]}
    create_campaign(path, {"settings": settings, **_dice(chosen, seed)}).close()


def _begin_from_book(path: Path, chosen: Chosen, seed: int | None, file: Path) -> None:
    """Begin a campaign as a file tells it; what it leaves out will be asked for."""

    from asl_pbcg.play.campaign_game import campaign_from_paper

    names = _settings(chosen)["players"]
    book = campaign_from_paper.read_book(file, {"players": names})
    begin_from(path, book, _dice(chosen, seed)).close()


def begin_from(path: Path, book: PaperBook, dice: Mapping[str, Any]) -> OpenGame:
    """Make a new campaign file at ``path`` and bring in what ``book`` says; the caller closes it.

    ``dice`` holds ``dice`` and ``seed``. Raises PBCGError before anything is made.
    """

    from asl_pbcg.play.campaign_game import campaign_from_paper

    module = module_of(book.settings["campaign"])
    meta = {**dice, "settings": book.settings}
    trial = Journal.in_memory({"game": module.name, **meta})
    campaign_from_paper.bring_in(CampaignPlug(module).session(trial), book)
    game = create_campaign(path, meta)
    try:
        campaign_from_paper.bring_in(game.session, book)
    except BaseException:
        game.close()
        raise
    game.note_change()
    return game


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
            until=lambda: session.state.in_scenario,
        )


_CAMPAIGN: Final = FormField(
    name="campaign",
    label="1. Which campaign?",
    default="CG1",
    options=(
        ("CG1", "CG I, Coup de Main", "from Night I, 5/6 June 1944"),
        ("CG2", "CG II, Hold Until Relieved", "from Dawn; both sides buy before it"),
    ),
)
_FIELDS: Final = (
    _CAMPAIGN,
    *(
        FormField(
            name=side.value,
            label=f"Who plays the {side.people}? (Commas between several.)",
            kind="text",
        )
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
_NO_BOOK: Final = ("book=",)
_PAPER_FIELDS: Final = (
    FormField(
        name="book",
        label="Your workbook, YAML or JSON file",
        kind="file",
        help='"pbcg position template start.xlsx --records" makes one to fill in. Without a file '
        "everything is asked here.",
    ),
    msgspec.structs.replace(_CAMPAIGN, only=_NO_BOOK),
    FormField(
        name="date",
        label="Which CG scenario has just ended?",
        default="day-1",
        options=tuple((date.value, date.title, "") for date in PEGASUS_BRIDGE.dates),
        only=_NO_BOOK,
    ),
    *_FIELDS[1:],
)
PAPER: Final = "Bring in a campaign"
SAMPLE: Final = "Try the sample"
BEGINNINGS: Final = (
    Beginning(kind="sample", button=SAMPLE, title=SAMPLE, file="sample", begin=_begin_sample),
    Beginning(
        kind="paper",
        button=f"{PAPER} …",
        title=f"{PAPER} that was begun on paper",
        file="evening",
        begin=_begin_paper,
        begin_from=_begin_from_book,
        fields=_PAPER_FIELDS,
    ),
    Beginning(
        kind="campaign",
        button="New campaign …",
        title="New campaign",
        file="evening",
        begin=_begin_campaign,
        fields=_FIELDS,
    ),
)
