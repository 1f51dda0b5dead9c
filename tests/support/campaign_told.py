"""Everything that an automatic campaign asks, tells, settles and prints, thing by thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaign_generator import Battle, CampaignAnswers
from campaign_soak import Watched, begin
from fingerprints import Item, asked_words, fields, line_words, plain

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.chronicle.reph_sheets import area_table
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.play.campaign_game.campaign_facts import facts
from asl_pbcg.play.campaign_game.campaign_sheets import (
    MAP,
    REPORT,
    background,
    campaign_sheets,
    is_of_the_evening,
    sheet_names,
)
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.refit.helpers.status_chart import status_chart

VIEWERS = ("umpire", "british", "german")


def told(seed: int, battle: type[Battle] = Battle, **settings: Any) -> list[Item]:
    """The automatic campaign of ``seed`` to its end, thing by thing."""
    session = begin(seed, **settings)
    items: list[Item] = []
    seen = 0
    before: Campaign | None = None

    def between() -> bool:
        nonlocal seen, before
        for kept in session.kept[seen:]:
            items.extend((kept.step, line_words(line)) for line in kept.lines)
            items.extend((kept.step, words) for words in changes(before, kept.state))
            if kept.state.at == "9.606":
                items.extend((kept.step, words) for words in determined(kept.state))
            if kept.state.at == "scenario" or kept.state.ended:
                items.extend((kept.step, words) for words in shown(session))
            before = kept.state
        seen = len(session.kept)
        if session.pending is not None and session.step:
            items.append((session.step.id, asked_words(session.pending)))
        return False

    drive(session, CampaignAnswers(seed, session, battle), SeededDice(seed), until=between)
    between()
    return items


def changes(before: Campaign | None, state: Campaign) -> Iterator[str]:
    """What a step changed: every fact that is another, piece by piece.

    House rules are chosen before the first step; one more would change nothing that happens.
    """
    old = {piece.id: piece for piece in before.pieces} if before else {}
    for piece in state.pieces:
        if old.pop(piece.id, None) != piece:
            yield f"{piece.id} is {plain(piece)}"
    for id in old:
        yield f"{id} is no longer there"
    for field in fields(type(state)):
        if field.name not in ("pieces", "seen", "house_rules"):
            now = getattr(state, field.name)
            if before is None or getattr(before, field.name) != now:
                yield f"{field.name} is {plain(now)}"


def determined(state: Campaign) -> Iterator[str]:
    """The Setup Areas as each may see them, and the row and column of every piece. Rule: 9.605."""
    for viewer in (None, *state.sides):
        yield from (f"area for {viewer}: {each}" for each in area_table(state, viewer))
    yield from (f"chart: {each}" for each in status_chart(state))


def shown(session: Watched) -> Iterator[str]:
    """What is printed before a CG scenario and at the end, for each who may look.

    What tells the campaign from its beginning is printed at its end: it holds every date then.
    """
    state = session.state
    behind = background(session)
    for viewer in VIEWERS:
        yield f"status for {viewer}: {plain(facts(session, viewer))}"
        names = [
            each.name
            for each in sheet_names(state, viewer)
            if not each.name.endswith((MAP, REPORT, "-card"))
            and (state.ended or is_of_the_evening(each.name))
        ]
        for sheet in campaign_sheets(state, viewer, names, behind=behind):
            yield from (f"sheet for {viewer}: {words}" for words in sheet_words(sheet))


def sheet_words(sheet: Sheet) -> Iterator[str]:
    """What stands on a sheet, line by line."""
    head = [sheet.heading, sheet.subtitle, sheet.facts, sheet.all_notes, sheet.footer]
    yield plain(head)
    for table in sheet.layout.tables:
        for row in sheet.rows(table):
            yield f"{sheet.heading}: {plain(row)}"
