"""The workbook that brings in a campaign begun on paper: its records, and its last end position."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from asl_pbcg.campaign.entry import position_workbook as guide
from asl_pbcg.campaign.entry.position_excel_write import WordList, to_workbook
from asl_pbcg.campaign.entry.position_fields import fields_of
from asl_pbcg.campaign.entry.position_raw import with_names
from asl_pbcg.campaign.entry.position_text import yaml_text
from asl_pbcg.campaign.entry.position_workbook import WorkbookLayout, about_fields
from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.module.campaign_tables import Strength
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.paper import paper_records
from asl_pbcg.campaign.paper.paper_records import (
    WEAPONS,
    BoughtEntry,
    GroupEntry,
    Records,
    RosterEntry,
    part_of,
)
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.campaign.sheets.ledger import roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.record_lines import RosterLine
from asl_pbcg.campaign.state.seen import view_for
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.files import LONGEST_NAME, write_atomic
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-paper/1"
CAMPAIGNS: Final = ("CG1", "CG2")
ENDS: Final = ("dr", "agreement")
HOLDERS: Final = (*Side, "nobody")
Meta = msgspec.Meta
_Name = Annotated[str, Meta(max_length=LONGEST_NAME)]


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A house rule that the players have chosen."""

    rule: Annotated[str, Meta(description="Its id, as C-05: see pbcg rulings.", max_length=20)]
    choice: Annotated[str, Meta(description="The choice, as joins-only.", max_length=60)]


class PaperFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The single facts of a paper campaign beside those of its position."""

    campaign: Annotated[
        str, Meta(description="CG1 Coup de Main, CG2 Hold Until Relieved.", max_length=10)
    ] = ""
    british_player: Annotated[_Name, Meta(description="Who plays the British.")] = ""
    german_player: Annotated[_Name, Meta(description="Who plays the Germans.")] = ""
    balance: Annotated[
        Side | None, Meta(description="The side whose Balance provision is used (9.31).")
    ] = None
    scenario_end: Annotated[
        str, Meta(description="The scenario ended by a Game End dr or by agreement.", max_length=20)
    ] = ""
    ii13: Annotated[
        str,
        Meta(
            description="From Dawn on: who Controlled building II13 as the CG Date began (CG13).",
            max_length=20,
        ),
    ] = ""
    house_rules: tuple[HouseRule, ...] = ()


PAPER_LISTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    **paper_records.LISTS, "house_rules": HouseRule,
}  # fmt: skip
"""The sheets that a position does not have."""

_STEPS: Final = (
    "Fill this workbook in to go on here with a campaign that was begun on paper. Take the moment "
    "when a CG scenario has ended, before its Refit Phase.",
    "Begin on the sheet about: the campaign, and the CG Date just played.",
    "roster and rg are the CG Roster and the RG Purchase Record, line by line. Needed are the SAN "
    "of both sides and the CPP left, in the line of the CG Date just played, and CG Date and RG of "
    "each purchase. Whatever of these is missing is asked once. The rest is for your records.",
    "Then the end position: who Controls what, and what stands on the map. A row may stand for "
    "several pieces: leave its id empty and write how many. British pieces need their formation: "
    "what is not Airborne is withdrawn after Day II (9.6153).",
    "What waits off map, and what is hidden, concealed or Cloaked, goes on the same sheets; in the "
    "campaign file only its own side sees it. So are CPP, RG and what FPP bought. This workbook "
    "hides nothing: whoever fills it in sees both sides.",
    *guide.STEPS[2:6],
    *guide.STEPS[8:11],
    "Bring it in: pbcg new evening.pbcg --from FILE, or the page's Bring in a campaign. All "
    "mistakes are named at once, with sheet, row and column, and with what would be right.",
)
_SHEETS: Final = {
    "about": "campaign, CG Date, players and the few facts there is one of.",
    "roster": "the CG Roster: a row for each CG Date up to the one just played.",
    "rg": "the RG Purchase Record: a row for each RG. Those that the Initial Scenario gives are "
    "known; a row with yes under given adds what they received.",
    "bought": "what FPP bought, by CG Date, for your records. What stands on the map is listed on "
    "fortifications too.",
    "house_rules": "the house rules you play, if not the ones of the program (pbcg rulings).",
}


def paper_layout() -> WorkbookLayout:
    """Return the layout of the workbook."""
    facts = {name: field for name, field in fields_of(PaperFacts).items() if field.form != "part"}
    position = about_fields()
    about = {"format": position.pop("format"), "campaign": facts.pop("campaign")}
    about |= {"date": position.pop("date"), **facts, **position}
    sheets = {**_SHEETS, **{name: words for name, words in guide.SHEETS.items() if name != "about"}}
    title = "A Pegasus Bridge campaign from paper"
    return WorkbookLayout(FORMAT, title, about, {**PAPER_LISTS, **LISTS}, _STEPS, sheets)


def _words() -> dict[object, WordList]:
    """Return the words to choose from."""
    charts = module_of(CAMPAIGNS[0]).charts
    groups, kinds = charts.groups.groups, charts.fortifications.kinds
    rulings = campaign_rulings().settable
    return {
        "campaign": WordList("campaign", CAMPAIGNS),
        "scenario_end": WordList("scenario end", ENDS),
        "ii13": WordList("ii13", HOLDERS),
        "rg": WordList("RG", [*groups], [chart.name for chart in groups.values()]),
        Strength: WordList("strength", [*Strength]),
        "kind": WordList("bought", [*kinds], [chart.name for chart in kinds.values()]),
        "rule": WordList(
            "house rule", [*rulings], [", ".join(ruling.choices) for ruling in rulings.values()]
        ),
    }


EXAMPLE: Final = "pb/samples/paper-day-1.yaml"
"""A paper campaign after Day I, filled in."""


def write_paper(
    path: Path,
    state: Campaign | None,
    example: bool,
    paper: str = "a4",
    side: Side | None = None,
) -> None:
    """Write a paper campaign to fill in, the example, or the one that ``state`` would be on paper.

    A ``side`` gets its own part of it, and what both know.
    A workbook is printed on ``paper``. Raises PBCGError for another suffix than .xlsx and .yaml.
    """
    data: dict[str, Any] | None = paper_data(state, side) if state else None
    if example:
        data = read_yaml_or_json(data_path(EXAMPLE))
    if path.suffix.lower() == ".xlsx":
        write_atomic(
            path, to_workbook(data, paper=paper, layout=paper_layout(), more_words=_words())
        )
    elif data and path.suffix.lower() in (".yaml", ".yml"):
        write_atomic(path, yaml_text(data, paper_layout().lists))
    else:
        also = " or .yaml" if data else ": only a filled one can be YAML"
        raise PBCGError(f"{path} must end in .xlsx{also}.")


def paper_data(state: Campaign, side: Side | None = None) -> dict[str, Any]:
    """Return a campaign whose scenario is over as its players would bring it in from paper.

    With a ``side`` what that side knows of it.
    """
    kept = records_of(state)
    if side:
        kept, state = part_of(kept, None, side), view_for(state, side)
    data: dict[str, Any] = msgspec.to_builtins(with_names(to_position(state, everything=True)))
    records: dict[str, Any] = msgspec.to_builtins(kept)
    for row in records["roster"]:
        if row["date"] == state.date:
            for side in state.sides:
                row.pop(f"{side}_cvp_lost", None)
            row["notes"] = state.account.notes
    names = {f"{side}_player": state.players_of(side) for side in state.players}
    rules = [{"rule": rule, "choice": choice} for rule, choice in state.house_rules.items()]
    facts = {"campaign": state.campaign, "date": state.date.value, **names, "house_rules": rules}
    facts |= {"balance": state.balance} if state.balance else {}
    if state.account.ended_by:
        by_agreement = state.account.ended_by == "by agreement"
        facts["scenario_end"] = "agreement" if by_agreement else "dr"
    if state.date in state.frame.san.ii13_dates:
        facts["ii13"] = state.ii13 or "nobody"
    del records["format"]
    own = {"format": FORMAT, **facts, **records}
    return own | {name: value for name, value in data.items() if value and name not in own}


def records_of(state: Campaign) -> Records:
    """Return the records of a campaign as its players would keep them on paper."""
    return Records(
        format=paper_records.FORMAT,
        roster=tuple(_roster_entry(line) for line in roster_lines(state)),
        rg=tuple(map(_group_entry, state.groups)),
        bought=tuple(
            BoughtEntry(
                date=purchase.date,
                side=purchase.side,
                kind=purchase.kind,
                factors=purchase.factors,
                unit=short_name(purchase.unit),
                at=purchase.at,
            )
            for purchase in state.bought
        ),
    )


def _roster_entry(line: RosterLine) -> RosterEntry:
    return RosterEntry(**facts_of(line, RosterEntry.__struct_fields__))


def _group_entry(group: ReceivedGroup) -> GroupEntry:
    return GroupEntry(
        date=group.date,
        rg=group.id,
        given=group.given,
        strength=Strength(group.strength) if group.strength else None,
        area=group.area,
        entry_cost=None if group.given else group.entry_cost,
        leaders=group.leaders,
        **{name: group.sw.get(weapon) for name, weapon in WEAPONS.items()},
    )
