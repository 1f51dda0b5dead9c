"""Requests that only a campaign answers: its board, what RG may bring, moves, paper, its past."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.campaign.map.board_sheet import board_geometry, board_svg
from asl_pbcg.campaign.paper.roster_facts import FORMS
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.player_notes import notes_of
from asl_pbcg.play.campaign_game import campaign_notes, campaign_seals
from asl_pbcg.play.campaign_game.campaign_groups import what_groups_bring
from asl_pbcg.play.campaign_game.campaign_moves import moves as list_moves
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.campaign_game.history import dates
from asl_pbcg.play.look_ahead import legal_places
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Game, as_json

router = APIRouter(prefix="/api/games/{id}")
SVG: dict[int | str, dict[str, Any]] = {**REFUSALS, 200: {"content": {"image/svg+xml": {}}}}


@router.get("/board.svg", responses=SVG, response_class=Response)
async def board_picture(called: Called, id: Game) -> Response:
    """The board without anything that changes."""
    drawn = await called.look(
        id, lambda seat: board_svg(seat.game.session.state.board), CampaignPlug
    )
    return Response(drawn, media_type="image/svg+xml")


@router.get("/board", responses=REFUSALS)
async def board(called: Called, id: Game) -> Response:
    """Where every hex lies in that picture, and what is printed in it."""
    return await called.tell(
        id, lambda seat: board_geometry(seat.game.session.state.board), CampaignPlug
    )


@router.get("/hexes/{hex}", responses=REFUSALS)
async def hex_facts(
    called: Called, id: Game, hex: Annotated[str, InPath(max_length=8)]
) -> Response:
    """Return what is printed in a hex."""

    def read(seat: Seat) -> dict[str, Any]:
        board = seat.game.session.state.board
        info = board[board.grid.check(hex.upper())]
        return {"road": info.road, **msgspec.to_builtins(info)}

    return await called.tell(id, read, CampaignPlug)


@router.get("/history", responses=REFUSALS)
async def history(called: Called, id: Game) -> Response:
    """Return what each CG Date so far brought, as far as this viewer may know it."""
    return await called.tell(
        id,
        lambda seat: {
            "dates": dates(
                seat.game.session.state,
                seat.sees,
                notes_of(seat.game.session.journal, seat.sees),
            )
        },
        CampaignPlug,
    )


@router.get("/what-if", response_model=messages.WhatIfOut, responses=REFUSALS)
async def what_if(
    called: Called,
    id: Game,
    group: Annotated[list[messages.Short], Query(max_length=40)] = [],  # noqa: B006
) -> Response:
    """The exact distribution of what each RG would bring, and of all ``group`` together.

    A group is named with its Setup or Entry Area, if it has one, as ``I5@J0``.
    """
    return await called.tell(id, lambda seat: what_groups_bring(seat, group))


@router.get("/moves", response_model=messages.MovesOut, responses=REFUSALS)
async def moves(called: Called, id: Game) -> Response:
    """Before Escape and Shift: every destination and grouping with its exact chances."""
    return await called.tell(id, lambda seat: {"moves": list_moves(seat)})


@router.get("/places", response_model=messages.PlacesOut, responses=REFUSALS)
async def places(called: Called, id: Game) -> Response:
    """Where a hex is asked for: every hex that may not be the answer, and why."""

    def read(seat: Seat) -> dict[str, Any]:
        names = [str(hex) for hex in seat.game.session.state.board.grid.all]
        refusals = legal_places(seat, names)
        return {
            "legal": [name for name, refused in refusals.items() if not refused],
            "refused": {name: refused for name, refused in refusals.items() if refused},
        }

    return await called.tell(id, read, CampaignPlug)


@router.post("/notes", response_model=messages.StateOut, responses=REFUSALS)
async def keep_note(called: Called, id: Game, given: messages.NoteIn) -> Response:
    """Keep a note of this viewer; a private one is for its writer alone."""
    note = given.model_dump()
    text = note.pop("text")
    return await called.change(
        id, lambda seat: campaign_notes.keep_note(seat, text, **note), CampaignPlug
    )


@router.get("/notes", responses=REFUSALS)
async def own_notes(called: Called, id: Game) -> Response:
    """Return the notes of this viewer that stand, with the numbers by which they are changed."""
    return await called.tell(
        id,
        lambda seat: {
            "notes": [
                {"number": each.number, "text": each.text, "head": each.head}
                for each in campaign_notes.own_notes(seat)
            ]
        },
        CampaignPlug,
    )


@router.post("/notes/{number}", response_model=messages.StateOut, responses=REFUSALS)
async def revise_note(
    called: Called,
    id: Game,
    number: Annotated[int, InPath(ge=1, le=100_000)],
    given: messages.RevisedNoteIn,
) -> Response:
    """Put other words in place of a note of this viewer; without words it is withdrawn."""
    return await called.change(
        id, lambda seat: campaign_notes.revise_note(seat, number, given.text), CampaignPlug
    )


@router.get("/seals", responses=REFUSALS)
async def list_seals(called: Called, id: Game) -> Response:
    """Return the seals that stand, with what was sealed where this viewer may read it."""
    return await called.tell(id, lambda seat: {"seals": _seals(seat)}, CampaignPlug)


def _seals(seat: Seat) -> list[dict[str, Any]]:
    return [
        {
            **msgspec.structs.asdict(each),
            "title": CGDate.title_of(each.date),
            "own": each.side == seat.sees,
        }
        for each in campaign_seals.list_seals(seat)
    ]


@router.post("/seals", response_model=messages.StateOut, responses=REFUSALS)
async def seal_holdings(called: Called, id: Game) -> Response:
    """Seal what this viewer's side holds at the present CG Date."""
    return await called.change(id, campaign_seals.seal_holdings, CampaignPlug)


@router.post("/seals/opened", response_model=messages.StateOut, responses=REFUSALS)
async def open_seal(called: Called, id: Game, given: messages.SealWordsIn) -> Response:
    """Show what this viewer's side sealed to both."""
    return await called.change(
        id, lambda seat: campaign_seals.unseal(seat, given.words, to_all=True), CampaignPlug
    )


@router.get("/seals/check", responses=REFUSALS)
async def check_seal(called: Called, id: Game, words: messages.Short) -> Response:
    """Hold what was sealed against what stands, as far as this viewer may know it."""

    def check(seat: Seat) -> campaign_seals.SealCheck:
        # What stands is the sealing side's to know, also where the one who asks only waits.
        known = Seat(called.room(id).game(), seat.viewer, seat.eyes)
        return campaign_seals.check_seal(known, words)

    return await called.tell(id, check, CampaignPlug)


@router.get("/assertions", response_model=messages.FactFormsOut, responses=REFUSALS)
async def fact_forms(called: Called, id: Game) -> Response:
    """How the facts are written that a roster on paper can be compared by."""
    return await called.tell(id, lambda seat: {"forms": list(FORMS.values())}, CampaignPlug)


@router.post("/assertions", response_model=messages.AssertionsOut, responses=REFUSALS)
async def compare_with_paper(called: Called, id: Game, given: messages.AssertionsIn) -> Response:
    """Hold a roster on paper against the file, as this viewer may know it."""

    def compare() -> dict[str, Any]:
        compared, kept = called.seat(id, write=given.keep).compare_with_paper(
            given.facts, given.keep
        )
        if kept:
            called.room(id).tell()
        return {"facts": [each.plain_data for each in compared], "kept": kept}

    return as_json(await called.server.work(compare))
