"""9.13 The records of a campaign that was begun on paper, before its next end position."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.paper.paper_checks import cpp_left, faults_in, san_bounds, san_without_ii13
from asl_pbcg.campaign.paper.paper_records import FORMAT, GroupEntry, Records, part_of, with_records
from asl_pbcg.campaign.scenario.snipers import san_recorded
from asl_pbcg.campaign.state.campaign_events import (
    BuildingControlled,
    CampaignBegun,
    happen,
    keep_book,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, DateAccount, Told, change, with_account
from asl_pbcg.campaign.terms import NOBODY, CGDate, Side
from asl_pbcg.kernel.errors import Fault, FaultsError, IllegalAnswer
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_document,
    ask_number,
    paragraph,
)
from asl_pbcg.kernel.struct_reader import StructReader, place_words
from asl_pbcg.refit.helpers.strategic_control import counts
from asl_pbcg.refit.helpers.subjects import About, both_at, own_turn, whole_side

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN
NONE = "none"


@paragraph("9.13")
def starting_records(state: Told) -> Script[Told]:
    """Take in what CG Roster and RG Purchase Record say; what they leave out is asked once.

    The pieces come with the end position. Rule: 9.13, 9.6178.
    """
    title = state.frame.campaigns[state.campaign].title
    yield Note(f"{title} goes on from paper after the {state.date.title} CG scenario.")
    state = keep_book(state, change(state, accounts=(DateAccount(date=state.date),)))
    state = yield from _take(state, (yield from _records(state, None)))
    state = yield from _san(state)
    for side in state.sides:
        state = yield from own_turn(state, _own_records(state, side), side, "9.13")
    return state


def _take(state: Told, records: Records) -> Script[Told]:
    """Take over what records on paper say. Rule: 9.13."""
    return (yield from happen(state, with_records(state, records), CampaignBegun()))


def _records(state: Campaign, side: Side | None) -> Script[Records]:
    """Ask for the lists that ``side`` alone knows, or both."""

    def settle(answer: Any) -> Any:
        if answer in (None, "", NONE):
            return None
        records = read_records(answer, state)
        return msgspec.to_builtins(part_of(_before_end(records, state.date), side))

    whose = f"the {side.people} alone know it" if side else "both sides know it"
    answer = yield from ask_document(
        Prompt(
            state=state,
            id="9.13.1",
            subject=whole_side(side) if side else None,
            kind="document",
            default=NONE,
            text=f"The paper CG Roster, as far as {whose}: a file, or none?",
            help='A workbook made by "pbcg position template start.xlsx --records", YAML or JSON; '
            "or none, and the few numbers that matter are asked one by one.",
            verify=settle,
        )
    )
    return msgspec.convert(answer, Records) if answer else Records(format=FORMAT)


def read_records(data: Any, state: Campaign) -> Records:
    """Return plain data as records. Raises FaultsError with every fault."""
    source = "The records"
    reader = StructReader(source)
    records = reader.read(data, Records)
    reader.raise_faults()
    assert records
    faults = [
        Fault(place_words(path), str(value), wrong)
        for path, value, wrong in faults_in(records, state)
    ]
    if faults:
        raise FaultsError(source, faults)
    return records


def _before_end(records: Records, date: CGDate) -> Records:
    """Return the records without the CVP of the scenario that is just over.

    They are asked with its end position. Rule: 9.12.
    """
    rows = (
        msgspec.structs.replace(row, british_cvp_lost=None, german_cvp_lost=None)
        if row.date is date
        else row
        for row in records.roster
    )
    return msgspec.structs.replace(records, roster=tuple(rows))


# -- SAN -------------------------------------------------------------------------------------------


@paragraph("9.6122")
def _san(state: Told) -> Script[Told]:
    """Decide the SAN of both sides, and who Controlled II13. Rule: 9.6122, CG13."""
    san = dict(state.account.san)
    for side in state.sides:
        if side not in san:
            text = f"{side.title} SAN in the {state.date.title} CG scenario?"
            least, most = san_bounds(state, side, state.date)
            san[side] = yield from ask_number(_number(state, "9.13.2", side, least, most, text))
    state = yield from happen(state, change(state, san=san), CampaignBegun())
    if counts(state, state.date):
        building = state.frame.san.building
        answer = yield from ask(
            Prompt(
                state=state,
                id="9.13.3",
                subject=both_at(building),
                options=(
                    *(Option(side.value, f"the {side.people}") for side in state.sides),
                    Option(NOBODY, "neither side"),
                ),
                text=f"Who Controlled the building in {building} as {state.date.title} began?",
                help="Its Control moves the German SAN (CG13).",
            )
        )
        after = change(state, ii13="" if answer == NOBODY else str(answer))
        state = yield from happen(state, after, BuildingControlled())
        able = san_without_ii13(state, san[GERMAN])
        base = able[0] if len(able) == 1 else (yield from ask_number(_base(state, able)))
        after = change(state, san={**san, GERMAN: base})
        state = yield from happen(state, after, CampaignBegun())
    return keep_book(state, san_recorded(state))


def _base(state: Campaign, able: list[int]) -> Prompt:
    """Return the question for the German SAN without II13, which the SAN in force leaves open."""
    text = "German SAN without what II13 does to it?"
    question = _number(state, "9.13.4", GERMAN, 0, 9, text)
    return msgspec.structs.replace(question, secret=False, default=able[-1] if able else None)


def _number(state: Campaign, id: str, side: Side, least: int, most: int, text: str) -> Prompt:
    return Prompt(
        state=state,
        id=id,
        about=side.value,
        kind="number",
        least=least,
        most=most,
        text=text,
        help="The records that were brought in do not say it.",
    )


# -- what one side alone knows ---------------------------------------------------------------------


def _own_records(state: Told, side: Side) -> Script[Told]:
    records = yield from _records(state, side)
    state = yield from _take(state, records)
    if side is not state.frame.cpp_side:
        return state
    days = [date for date in _past(state) if not date.is_night]
    rows = list[GroupEntry](records.rg or ())
    if records.rg is None:
        for date in days:
            rows += yield from _bought_on(state, date, rows)
        state = yield from _take(state, Records(format=FORMAT, rg=tuple(rows)))
    left = records.line(state.date).cpp_left
    if left is None and days:
        text = f"CPP left after the purchase of {state.date.title}?"
        known = Records(format=FORMAT, roster=records.roster, rg=tuple(rows))
        most = cpp_left(known, state, state.date)[1]
        left = yield from ask_number(_number(state, "9.13.6", side, 0, most, text))
    after = with_account(change(state, cpp=left or 0), cpp_left=left or 0)
    words = f"{left or 0} CPP left, {len(state.groups)} RG on record."
    return (yield from happen(state, after, CampaignBegun(text=words)))


def _past(state: Campaign) -> list[CGDate]:
    dates = state.frame.campaigns[state.campaign].dates
    return [date for date in dates if date.number <= state.date.number]


@paragraph("9.6178")
def _bought_on(state: Campaign, date: CGDate, before: list[GroupEntry]) -> Script[list[GroupEntry]]:
    """Ask which RG were bought on a CG Date. Rule: 9.6175, 9.6176, 9.6178."""

    def rows(typed: str) -> list[GroupEntry]:
        ids = [] if typed == NONE else typed.replace(",", " ").split()
        return [GroupEntry(date=date, rg=id.upper()) for id in ids]

    def settle(typed: str) -> str:
        found = rows(typed)
        records = Records(format=FORMAT, rg=(*before, *found))
        wrong = next((f"{value} {wrong}" for _, value, wrong in faults_in(records, state)), "")
        if wrong:
            raise IllegalAnswer(f"{wrong}.")
        return " ".join(each.rg for each in found) or NONE

    answer = yield from ask(
        Prompt(
            state=state,
            id="9.13.5",
            subject=About(date.value, GERMAN, date.title),
            kind="text",
            default=NONE,
            text=f"Which RG were bought on {date.title}, as I5 V3 V3?",
            help="Each counts to the limits per CG Date and per CG (9.6175, 9.6176).",
            verify=settle,
        )
    )
    return rows(answer)
