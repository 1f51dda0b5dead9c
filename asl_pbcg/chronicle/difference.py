"""The difference that an end position makes: a list by hex, before anyone agrees to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position import Fortification, Position, Terrain
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.deed_words import sentence
from asl_pbcg.chronicle.deeds import Deed, deeds_between
from asl_pbcg.kernel.topic import NOTHING, Topic
from asl_pbcg.refit.helpers.unit_changes import cvp_of
from asl_pbcg.refit.s600_ground import is_accounted_for
from asl_pbcg.refit.s600_scenario_end import table_events, take_as_open

What = Literal["gone", "unlisted", "moved", "new", "changed", "control", "ground"]
_COUNTED: Final[dict[What, tuple[str, str]]] = {
    "gone": ("piece gone", "pieces gone"),
    "unlisted": ("not listed", "not listed"),
    "moved": ("moved", "moved"),
    "new": ("new", "new"),
    "changed": ("changed where it stands", "changed where they stand"),
    "control": ("change of Control", "changes of Control"),
    "ground": ("change of the ground", "changes of the ground"),
}
"""How many of each are told in one line, in this order."""
_NAMED: Final = 6
"""So many of the pieces that are gone are named in one line."""
_PLACE: Final = {"at", "area", "listed_at", "shift_tried"}
"""Facts of where a piece is; only the first is of the map."""


class DifferenceLine(msgspec.Struct, frozen=True):
    """One thing that would differ; ``at`` is the place where it shows, empty if it has none.

    ``name`` is the piece's, ``cvp`` are the Casualty VP of a unit that is gone.
    """

    what: What
    at: str
    text: str
    cvp: int = 0
    topic: Topic = NOTHING
    name: str = ""


class Difference(msgspec.Struct, frozen=True):
    """All that would differ, in the order of the places, and how much it is in one line."""

    summary: str
    lines: tuple[DifferenceLine, ...]


def end_position_difference(
    state: Campaign, position: Position, viewers: Sequence[Side] = ()
) -> Difference:
    """Return what an end position changes of the campaign as its ``viewers`` know it.

    What is hidden, waits off map or was last recorded nowhere may be left out of it: its side is
    asked next, so it is not called gone. No viewers are the umpire. Rule: 9.2, 9.12.
    """
    after = take_as_open(state, position, {})
    events = [*table_events(state, after)]
    deeds = deeds_between(state, after, events, f"{state.date.value}/{SCENARIO}")
    lines = [
        line
        for deed in deeds
        if not _is_nothing(deed)
        if (line := _line(state, deed)).what != "unlisted" or deed.piece.side in (viewers or Side)
    ]
    carriers = {id for line in lines if line.what == "moved" for id in line.topic.pieces}
    carried = {deed.id for deed in deeds if deed.holder in carriers and not _is_changed(deed)}
    lines = [line for line in lines if line.what != "moved" or not carried & {*line.topic.pieces}]
    lines += (*_control(state, after), *_ground(state, after))
    order = [*_COUNTED]
    first = order.index("unlisted")
    lines.sort(
        key=lambda line: (
            min(order.index(line.what), first + 1),
            line.at,
            order.index(line.what),
            line.text,
        )
    )
    return Difference(_summary(lines), tuple(lines))


def _is_changed(deed: Deed) -> bool:
    """Whether more than its place became another."""
    return bool(deed.net().keys() - _PLACE)


def _is_nothing(deed: Deed) -> bool:
    """Whether a piece came out of it where and as it was."""
    at = deed.net().get("at")
    return deed.arrival is None and deed.departure is None and at is None and not _is_changed(deed)


def _line(state: Campaign, deed: Deed) -> DifferenceLine:
    piece, name = deed.piece, name_piece(deed.piece)
    what: What = "changed"
    cvp = 0
    text = f"{name}: {sentence(deed, state.catalogue)}"
    if deed.departure is not None and (piece.hip or not piece.on_map):
        what, text = "unlisted", f"{name}: not listed; whether it never entered is asked next."
    elif deed.departure is not None:
        what, cvp = "gone", cvp_of(state, piece)
        text = f"{name}{f', {cvp} CVP' if cvp else ''}: gone from {piece.at}."
    elif deed.arrival is not None:
        what = "new"
        if not deed.arrival.parents:
            status = f", {status_words(piece.status)}" if piece.status else ""
            text = f"{name}: new in {place_words(piece.at)}{status}."
    elif "at" in deed.net():
        what = "moved"
    places = tuple(
        dict.fromkeys(version.at for version in (deed.before, piece) if version and version.at)
    )
    topic = Topic(kind=what, places=places, pieces=(deed.id,))
    return DifferenceLine(what, piece.at, text, cvp, topic, name)


def _control(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    """Yield who Controls a Location that another did. Rule: A26.11."""
    old, new = before.control.holders, after.control.holders
    for place in sorted({*old, *new}):
        if old.get(place) != new.get(place):
            holder = new.get(place)
            words = f"the {holder.people} Control it" if holder else "nobody Controls it"
            yield _of_place("control", place, f"{place}: {words} now.")


def _ground(before: Campaign, after: Campaign) -> Iterator[DifferenceLine]:
    """Yield what came to lie on the map or is there no longer. Rule: CG14."""
    old: Counter[Fortification | Terrain] = Counter([*before.fortifications, *before.terrain])
    new: Counter[Fortification | Terrain] = Counter([*after.fortifications, *after.terrain])
    for thing in new - old:
        yield _of_ground(thing, "there now")
    for thing in old - new:
        is_known = is_accounted_for(after, thing)
        gone = "there no longer" if is_known else "not listed; whether it was removed is asked next"
        yield _of_ground(thing, gone)


def _of_ground(thing: Fortification | Terrain, words: str) -> DifferenceLine:
    called = f"{thing.kind.called[0].upper()}{thing.kind.called[1:]}"
    return _of_place("ground", thing.at, f"{called} {thing.at}: {words}.")


def _of_place(what: What, at: str, text: str) -> DifferenceLine:
    return DifferenceLine(what, at, text, topic=Topic(kind=what, places=(at,)))


def _summary(lines: Sequence[DifferenceLine]) -> str:
    """Return how many things differ, with the names and the CVP of what is gone."""
    counts = Counter(line.what for line in lines)
    words = {
        what: f"{counts[what]} {forms[counts[what] > 1]}"
        for what, forms in _COUNTED.items()
        if counts[what]
    }
    if gone := [line for line in lines if line.what == "gone"]:
        cvp = sum(line.cvp for line in gone)
        more = [f"{len(gone) - _NAMED} more"] if len(gone) > _NAMED else []
        worth = f"; {cvp} CVP of Personnel" if cvp else ""
        words["gone"] += f" ({', '.join([*(line.name for line in gone[:_NAMED]), *more])}{worth})"
    return ", ".join(words.values()) or "nothing changes"
