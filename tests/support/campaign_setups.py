"""Whole setups of a side, at random but legal, for campaigns that are played by themselves."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from campaign_generator import CampaignAnswers

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in, with_last_places
from asl_pbcg.refit.setup.recorded_setup import unplaced_purchases, with_purchases_placed
from asl_pbcg.refit.setup.setup_check import check_setup
from asl_pbcg.refit.setup.setup_rules import (
    Setup,
    friendly_setup_hexes,
    is_level_of,
    placement_refusal,
    setups,
)

LISTS = ("units", "equipment", "vehicles")
ROUNDS = 8


def place_for(state: Campaign, setup: Setup, source: random.Random) -> str:
    """A Location where a piece may set up or wait; empty where there is none."""
    if setup.fixed:
        return setup.fixed
    if setup.hexes is None:
        return f"off-map {setup.entry}"
    fits = [hex for hex in setup.hexes if is_level_of(state, setup.piece, Location(hex))]
    return str(source.choice(fits)) if fits else ""


def whole_setup(state: Campaign, side: Side, source: random.Random) -> dict[str, Any]:
    """A setup of every piece of ``side``, as its template with all places filled in.

    What the rules refuse (Overstacked, an RG apart ...) is placed again, in the end left out.
    """
    places = {each.piece.id: each for each in setups(state, side)}
    template = position_to_fill_in(state, side)
    entries = {each.id: each for name in LISTS for each in getattr(template, name)}
    held = {id for each in entries.values() for tie in ("possesses", "tows")
            for id in getattr(each, tie, ())}  # fmt: skip
    at = {
        id: place_for(state, places[id], source)
        for id, each in entries.items()
        if id in places and not (places[id].piece.is_armor_leader and not each.aboard)
    }
    found = Position(format=template.format, date=state.date)
    for attempt in range(ROUNDS):
        for id, each in entries.items():  # who is aboard, and what is held, is where that is
            if (carrier := getattr(each, "aboard", "")) in at:
                at[id] = at[carrier]
        for each in entries.values():
            for tie in ("possesses", "tows"):
                at |= {id: at.get(each.id, "") for id in getattr(each, tie, ()) if id in at}
        found = _filled_in(template, at)
        wrong = {str(fault.where) for fault in check_setup(state, side, found)}
        if not wrong:
            return dict(msgspec.to_builtins(found))
        bad = {id for id in at if id in wrong or at[id] in wrong} - held
        for id in bad:
            last = attempt >= ROUNDS // 2
            at[id] = "" if last else place_for(state, places[id], source)
    return {"format": found.format, "date": state.date.value}


def _filled_in(template: Position, at: dict[str, str]) -> Position:
    """The template of a setup with places; what has none is left out, with its ties."""
    there = {id for id, place in at.items() if place}

    def fill(each: Any) -> Any:
        changed: dict[str, Any] = {"at": at[each.id]}
        for tie in ("possesses", "tows"):
            if tie in each.__struct_fields__:
                changed[tie] = tuple(id for id in getattr(each, tie) if id in there)
        return msgspec.structs.replace(each, **changed)

    lists = {
        name: tuple(fill(each) for each in getattr(template, name) if each.id in there)
        for name in LISTS
    }
    return Position(format=template.format, date=template.date, **lists)


def with_places(state: Campaign, source: random.Random) -> Campaign:
    """The campaign in which what was not set up stands somewhere, Fortifications too."""
    state = with_last_places(state)
    for side in state.sides:
        for each in setups(state, side):
            piece = state.piece(each.piece.id)
            if piece.is_armor_leader and not piece.aboard:  # he is part of a crew (D3.4)
                tanks = [tank for tank in state.of(side) if tank.is_vehicle]
                own = [tank for tank in tanks if tank.rg == piece.rg] or tanks
                state = update(state, piece.id, aboard=own[0].id)
            elif not piece.at:
                state = update(state, piece.id, at=place_for(state, each, source))
        hexes = [str(hex) for hex in friendly_setup_hexes(state, side)]
        for bought in unplaced_purchases(state, side):
            chart = state.charts.fortifications.kinds[bought.kind]
            fits = [hex for hex in hexes if not placement_refusal(state, side, chart, hex)[0]]
            state = with_purchases_placed(state, {bought.key: source.choice(fits)})
    return with_last_places(state)


class WholeSetups(CampaignAnswers):
    """Random answers that set every piece up, and what they gave last for each side."""

    def __init__(self, seed: int, session: Session[Campaign]) -> None:
        super().__init__(seed, session)
        self.given: dict[Side, dict[str, Any]] = {}

    def answer(self, prompt: Prompt) -> Any:
        """A whole setup where one is asked for, else as at random."""
        state = self.session.state
        if prompt.id == "9.620.2" and state.determined is not None:
            side = Side(prompt.side)
            self.given[side] = whole_setup(state, side, self._battles)
            return self.given[side]
        return super().answer(prompt)
