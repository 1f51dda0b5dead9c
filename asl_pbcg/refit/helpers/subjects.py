"""Subjects of prompts that are not a single piece in its place, and secret turns of one side.

A subject is a side, a stack, a Location, an attempt, a piece that another side is asked about, or
a piece that stands under its name because many are Retained in one area. Its name, side and place
are made here and nowhere by hand. In a secret turn nothing shows the other side whether a question
was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, secretly, under
from asl_pbcg.kernel.topic import IDLE, NOTHING, Topic


class About(NamedTuple):
    """A ``Subject`` of the kernel's prompts: its name, its side, its place and the thing itself."""

    id: str
    side: str
    at: str = ""
    topic: Topic = NOTHING


def whole_side(side: Side, where: str = "") -> About:
    """Return the subject of a question that is about a side as a whole."""
    return About(side.value, side, where)


def stack_of(units: Sequence[Piece], where: str = "") -> About:
    """Return units of one side that act together, where the first is or as ``where`` says."""
    ids = tuple(unit.id for unit in units)
    return About(" ".join(ids), units[0].side, where or units[0].at, Topic(pieces=ids))


def both_at(at: str) -> About:
    """Return a Location that both sides are asked about."""
    return About(at, "", at, Topic(places=(at,)))


def by_name(piece: Piece) -> About:
    """Return a piece among others in its area: it stands under its name."""
    return About(piece.id, piece.side, name_piece(piece), piece.topic)


def part_of(piece: Piece, part: str) -> About:
    """Return a Weapon or a type of ammunition of a piece, which stands under its name."""
    return About(f"{piece.id} {part}", piece.side, name_piece(piece), piece.topic)


def put_to(side: Side, piece: Piece) -> About:
    """Return a piece that is in the hands of ``side``, whosever it was."""
    return About(piece.id, side, piece.at, piece.topic)


def round_of(place: str, number: int) -> About:
    """Return a round of Melee in a Location; both sides say together whether it is fought."""
    return About(f"{place} round {number}", "", place, Topic(places=(place,)))


def both_on(piece: Piece) -> About:
    """Return a piece of which both sides say together what became of it."""
    return About(piece.id, "", piece.at, piece.topic)


def side_at(side: Side, place: str) -> About:
    """Return what a side has in a Location."""
    return About(f"{place} {side.value}", side, place, Topic(places=(place,)))


def side_in(side: Side, area: str, where: str = "") -> About:
    """Return what a side has in one of its areas, or in several that are named together."""
    return About(f"{side.value} {area}", side, where or area, Topic(areas=(area,)))


def attempt_of(piece: Piece, number: int) -> About:
    """One of several attempts that a piece makes in a step, from 1 on."""
    return About(f"{piece.id} attempt {number}", piece.side, piece.at, piece.topic)


# -- Options about a piece --------------------------------------------------------------------


def piece_option(
    piece: Piece, consequence: str = "", *, text: str = "", refused: str = "", rule: str = ""
) -> Option:
    """Return a piece as a choice, by its name where no ``text`` is given."""
    words = text or name_piece(piece)
    return Option(piece.id, words, consequence, refused=refused, rule=rule, topic=piece.topic)


def area_option(
    id: str, text: str, consequence: str = "", *, refused: str = "", rule: str = ""
) -> Option:
    """Return a Setup Area or an Entry Area as a choice."""
    topic = Topic(areas=(id,))
    return Option(id, text, consequence, refused=refused, rule=rule, topic=topic)


def place_option(
    place: str, text: str = "", consequence: str = "", *, refused: str = "", rule: str = ""
) -> Option:
    """Return a hex or Location as a choice."""
    topic = Topic(places=(place,))
    return Option(place, text or place, consequence, refused=refused, rule=rule, topic=topic)


T = TypeVar("T")

PASS = "pass"
"""The decision point of a prompt that is there only so that waiting tells nothing."""


def own_turn(state: Campaign, script: Script[T], side: Side, rule: str) -> Script[T]:
    """Run ``script`` so that ``side`` alone sees it, and ask that side something in any case.

    Else the other side would know, by not having to wait, that nothing was asked. It stands under
    ``rule`` where it names none. Nothing of it where the other side's part is played.
    """
    if not state.plays_part(side):
        return own_part(state, script, side)
    return under(secretly(_with_pass(state, script, side), side), rule=rule)


def own_part(state: Any, script: Script[Any], side: Side) -> Script[Any]:
    """Run ``script`` for ``side`` alone; return ``state`` where the other side's part is played."""
    if state.plays_part(side):
        return (yield from secretly(script, side))
    script.close()
    return state


def _with_pass(state: Campaign, script: Script[T], side: Side) -> Script[T]:
    asked, sent = False, None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            settled: T = finished.value
            if not asked:  # the state as it is now, not as the turn began
                yield pass_prompt(settled if isinstance(settled, Campaign) else state, side)
            return settled
        asked = asked or isinstance(item, Prompt)
        sent = yield item


def pass_prompt(state: Campaign, side: Side) -> Prompt:
    """Nothing is asked of ``side``: it goes on, and the other side cannot tell."""
    return Prompt(
        state=state,
        id=PASS,
        subject=whole_side(side),
        options=(Option("on", "go on"),),
        default="on",
        topic=IDLE,
        text=f"Nothing is asked of the {side.people} here.",
        help="The other side waits for you in any case, so that waiting tells nothing.",
    )
