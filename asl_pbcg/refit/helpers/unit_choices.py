"""Choices of one shape in many steps: one of several units, one of several ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from asl_pbcg.campaign.areas.area_paths import Destination
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Option, Prompt, Script, Subject, ask
from asl_pbcg.refit.helpers.subjects import area_option, piece_option
from asl_pbcg.refit.helpers.unit_paths import destination_words, leads_to_isolated


def draw_weighted(
    options: Sequence[Option], weights: Mapping[str, float]
) -> Callable[[Random], str]:
    """Return how automatic play answers: an option without a weight has 1."""
    ids = [option.id for option in options]
    return lambda source: source.choices(ids, [weights.get(id, 1.0) for id in ids])[0]


def choose_unit(
    state: Campaign,
    point: str,
    subject: Subject,
    units: Sequence[Piece],
    text: str,
    *,
    rule: str = "",
    help: str = "",
    secret: bool = False,
    name: Callable[[Piece], str] = name_piece,
    with_place: bool = False,
) -> Script[str]:
    """Let a side choose one of ``units`` and return its id; the only one is taken unasked."""
    if len(units) == 1:
        return units[0].id
    chosen = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=subject,
            rule=rule,
            secret=secret,
            options=tuple(
                piece_option(unit, unit.at if with_place else "", text=name(unit)) for unit in units
            ),
            text=text,
            help=help,
        )
    )
    return chosen


def choose_way(
    state: Campaign, point: str, unit: Piece, ways: Sequence[Destination], text: str
) -> Script[Destination]:
    """Let a unit's owner choose among areas that are equally near; the only one needs no choice."""
    if len(ways) == 1:
        return ways[0]
    chosen = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=unit,
            options=tuple(
                area_option(
                    way.id,
                    destination_words(way),
                    "Isolated" if leads_to_isolated(state, unit.side, way) else "",
                )
                for way in ways
            ),
            text=text,
        )
    )
    return next(way for way in ways if way.id == chosen)
