"""The exact chances of each destination and each grouping, before Escape and Shift.

Every stack that may go is tried by the program's own scripts on the state as it stands within the
step; nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import prod
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.areas.area_paths import Destination
from asl_pbcg.campaign.module.catalogue import SMC
from asl_pbcg.campaign.state.campaign_events import as_told
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.distribution import Thrown, distribution
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.tables import Likelihood, percent
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.helpers.situation import area_words
from asl_pbcg.refit.helpers.unit_changes import wound_chances
from asl_pbcg.refit.helpers.unit_paths import ShiftWay, destination_words, escape_ways, shift_ways
from asl_pbcg.refit.s606_attempt import attempt, beside, hs_equivalents
from asl_pbcg.refit.s613_shift import destinations, may_try, way_words
from asl_pbcg.refit.setup.stacking import no_room

WOUND: Final = "9.606.9"
"""The decision point that says what the Wound Severity dr of a SMC is for."""
MAX_TOGETHER: Final = 5
"""Of so many units in one Location every stack is tried; of more each alone and all together."""

Group = tuple[str, ...]
"""The ids of units that go together."""


class Going(msgspec.Struct, frozen=True, kw_only=True):
    """Units that go to one place with one DR: what stands beside it, the chance of each result.

    ``left`` and ``leaders`` are how many HS-equivalents and SMC get there on the average, of
    ``whole`` and ``smc``; of a vehicle, and for a Shift, they say nothing that ``odds`` do not.
    """

    units: tuple[str, ...]
    words: str
    to: str
    beside: str
    odds: dict[str, Likelihood]
    path: tuple[str, ...] = ()
    area: str = ""
    whole: int = 0
    smc: int = 0
    left: float = 0.0
    leaders: float = 0.0


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """Units of a Location as stacks, each to the place where most of it arrives.

    ``all_arrive`` is the exact chance that no stack is Eliminated.
    """

    stacks: tuple[Group, ...]
    words: str
    all_arrive: str
    left: float
    leaders: float


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """The ways from one place, and how units may be grouped."""

    where: str
    going: tuple[Going, ...]
    groupings: tuple[Grouping, ...] = ()


def is_move(seat: Seat) -> bool:
    """Whether an Escape or a Shift is being decided at this seat."""
    asked = seat.pending
    return isinstance(asked, Prompt) and asked.widget in ("escape", "shift")


def moves(seat: Seat) -> list[Moves]:
    """Return the exact chances of the Escape or Shift being decided. Raises Moved for another step.

    Rule: 9.606, 9.6061, 9.613.
    """
    asked = seat.pending
    if not isinstance(asked, Prompt) or not is_move(seat):
        raise Moved("No Escape and no Shift is decided now.")
    state = seat.game.session.ahead().now
    if asked.widget == "shift":
        return list(_shifts(state, asked))
    return list(_escapes(state, asked))


def _pieces(state: Campaign, asked: Prompt) -> list[Piece]:
    """Return the pieces a prompt is about and those it offers, in the order of the campaign."""
    named = {*asked.about.split(), *(option.id for option in asked.legal)}
    return [
        piece
        for piece in state.pieces
        if piece.id in named and (piece.is_personnel or piece.is_vehicle)
    ]


def _groups(ids: Sequence[str]) -> Iterator[Group]:
    """List the stacks that are tried."""
    if len(ids) > MAX_TOGETHER:
        yield from ((id,) for id in ids)
        yield tuple(ids)
        return
    for count in range(1, len(ids) + 1):
        yield from combinations(ids, count)


def _partitions(ids: Sequence[str]) -> Iterator[list[Group]]:
    """List every way to make stacks of units."""
    if not ids:
        yield []
        return
    first, *others = ids
    for count in range(len(others) + 1):
        for mates in combinations(others, count):
            for partition in _partitions([id for id in others if id not in mates]):
                yield [(first, *mates), *partition]


def _names(state: Campaign, ids: Sequence[str]) -> str:

    return ", ".join(name_piece(state.piece(id)) for id in ids)


# -- Escape ---------------------------------------------------------------------------------


def _escapes(state: Campaign, asked: Prompt) -> Iterator[Moves]:
    """List Location by Location, vehicles alone. Rule: 9.606, 9.6061."""
    by_place: dict[str, list[Piece]] = {}
    for piece in _pieces(state, asked):
        if piece.on_map and not piece.is_prisoner:
            by_place.setdefault(piece.at, []).append(piece)
    for place, pieces in by_place.items():
        people = [piece.id for piece in pieces if not piece.is_vehicle]
        groups = [*_groups(people), *((piece.id,) for piece in pieces if piece.is_vehicle)]
        stacks = {group: _stack(state, group) for group in groups}
        going = tuple(going for stack in stacks.values() for going, _ in stack)
        if going:
            groupings = _groupings(people, stacks) if len(people) > 1 else ()
            yield Moves(where=place, going=going, groupings=tuple(groupings))


Stack = list[tuple[Going, Fraction]]
"""A stack to each destination, with the chance that it is Eliminated."""


def _stack(state: Campaign, ids: Group) -> Stack:
    units = [state.piece(id) for id in ids]
    whole, smc = (0, 0) if units[0].is_vehicle else _strength(state, units)
    stack = []
    for way in escape_ways(state, units):
        drm, odds = beside(state, units, way)
        nothing = (Fraction(0), Fraction(0), Fraction(0))
        arrive, leaders, gone = nothing if units[0].is_vehicle else _outcome(state, ids, way)
        going = Going(
            units=ids,
            words=_names(state, ids),
            to=f"to {destination_words(way)}",
            beside=drm,
            odds=odds,
            path=tuple(way.path),
            area=way.id,
            whole=whole,
            smc=smc,
            left=round(float(arrive), 3),
            leaders=round(float(leaders), 3),
        )
        stack.append((going, gone))
    return stack


def _strength(state: Campaign, units: Sequence[Piece]) -> tuple[int, int]:
    """Return the HS-equivalents and SMC of Personnel."""
    halves = sum(hs_equivalents(state, unit) for unit in units)
    return halves, sum(unit.kind in SMC for unit in units)


def _outcome(state: Campaign, ids: Group, way: Destination) -> tuple[Fraction, Fraction, Fraction]:
    """Return what of a stack arrives on the average, and the chance that nothing does.

    It is the step's own script; Heat of Battle is taken to change nothing. Rule: 9.606.
    """
    others = {piece.id for piece in state.pieces} - {*ids}
    side = state.piece(ids[0]).side

    def count_arrived(after: Campaign) -> tuple[int, int, int]:
        arrived = [
            piece
            for piece in after.pieces
            if piece.id not in others and piece.is_personnel and piece.side is side
        ]
        return *_strength(after, arrived), len(arrived)

    cases = distribution(
        lambda: attempt(as_told(state), ids, way), count_arrived, partial(_first, state)
    )
    halves = sum((count * part for (count, _, _), part in cases.items()), Fraction(0))
    leaders = sum((count * part for (_, count, _), part in cases.items()), Fraction(0))
    return halves, leaders, cases.get((0, 0, 0), Fraction(0))


def _first(state: Campaign, prompt: Prompt) -> Any:
    """Answer a question within an attempt: the default or first choice, but a wound by its dr."""
    if prompt.id == WOUND:
        return Thrown(wound_chances(state.piece(prompt.about)))
    if prompt.default is not None:
        return prompt.default
    legal = [option.id for option in prompt.legal]
    return legal[: max(1, prompt.least)] if prompt.kind == "choose-some" else legal[0]


def _groupings(people: list[str], stacks: dict[Group, Stack]) -> Iterator[Grouping]:
    """List the ways to make stacks of people, each stack sent where most of it arrives."""
    best = {
        group: max(stack, key=lambda way: (way[0].left + way[0].leaders, -way[1]))
        for group, stack in stacks.items()
        if stack
    }
    for groups in _partitions(people) if len(people) <= MAX_TOGETHER else ():
        if not best.keys() >= {*groups}:
            continue
        going = [best[group][0] for group in groups]
        yield Grouping(
            stacks=tuple(groups),
            words="; ".join(f"{way.words} {way.to}" for way in going),
            all_arrive=percent(prod((1 - best[group][1] for group in groups), start=Fraction(1))),
            left=round(sum(way.left for way in going), 3),
            leaders=round(sum(way.leaders for way in going), 3),
        )


# -- Shift ----------------------------------------------------------------------------------


def _shifts(state: Campaign, asked: Prompt) -> Iterator[Moves]:
    """List area by area every destination, and who may go there together. Rule: 9.613."""
    by_area: dict[str, list[Piece]] = {}
    for unit in _pieces(state, asked):
        by_area.setdefault(unit.area, []).append(unit)
    if not by_area:  # areas are offered, not units
        side = Side(asked.side)
        by_area = {option.id: may_try(state, side, option.id) for option in asked.legal}
    for area, units in by_area.items():
        if units and area:
            yield Moves(where=area_words(area), going=tuple(_shift_groups(state, units)))


def _shift_groups(state: Campaign, units: list[Piece]) -> list[Going]:
    """List each way that a group of ``units`` may go; groups with the same way once."""
    by_way: dict[str, dict[tuple[str, ...], tuple[Going, list[Group]]]] = {}
    groups = list(_groups([unit.id for unit in units]))
    for group in groups:
        pieces = [state.piece(id) for id in group]
        ways = shift_ways(state, pieces)
        names = {to.id: to.name for to in destinations(state, pieces, ways)}
        for way in ways:
            beside, odds = way_words(way)
            to, path = names[way.id] + _crowd(state, pieces, way), tuple(way.path)
            going = Going(
                units=group, words="", to=to, beside=beside, odds=odds, path=path, area=way.id
            )
            alike = by_way.setdefault(way.id, {})
            alike.setdefault((to, beside, *path), (going, []))[1].append(group)
    return [
        msgspec.structs.replace(going, units=those[-1], words=_who(state, those, groups))
        for alike in by_way.values()
        for going, those in alike.values()
    ]


def _crowd(state: Campaign, units: Sequence[Piece], way: ShiftWay) -> str:
    """Say that an area has no room for units while nobody else leaves it. Rule: 9.613, A5.1."""
    if way.kind != "Setup Area" or not units:
        return ""
    excess = no_room(state, state.areas[units[0].side, way.id], units)
    return f" (no room while nobody leaves it: {excess})" if excess else ""


def _who(state: Campaign, together: list[Group], groups: list[Group]) -> str:
    """Say which groups may go a way, in few words."""
    if len(together) == len(groups):
        return "whoever goes" if len(groups) > 1 else _names(state, groups[0])
    if any(len(group) > MAX_TOGETHER for group in groups):
        # Each alone and all together were tried: subsets of so many cannot be gone through.
        alone = [_names(state, group) for group in together if len(group) == 1]
        every = [f"all {len(group)} together" for group in together if len(group) > 1]
        return " or ".join([*alone, *every])
    largest = [group for group in together if not any({*group} < {*larger} for larger in together)]
    subsets = {
        part
        for group in largest
        for n in range(1, len(group) + 1)
        for part in combinations(group, n)
    }
    if subsets == {*together}:
        return " or ".join(
            f"any of {_names(state, group)}" if len(group) > 1 else _names(state, group)
            for group in largest
        )
    return " or ".join(_names(state, group) for group in together)
