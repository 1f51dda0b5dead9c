"""Campaigns before 9.613, and a short way to order Shifts in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refit_helpers import BRITISH, GERMAN, campaign_at, piece, run_step

from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.s613_shift import shift

AT = {
    BRITISH: {"A": "L24", "B": "T20", "C": "X26"},
    GERMAN: {"A": "A1", "B": "B12", "C": "KK10"},
}
EXAMPLE = read_position(data_path("pb/samples/worked-example.yaml"))


def campaign(*pieces: Piece, played: CGDate = CGDate.DAWN, **fields: Any) -> Campaign:
    """British Setup Areas A (L24), B (T20) and C (X26), German ones A to C; none is Isolated.

    X26 lies beside Entry Area Z28, A1 beside A7. The CG Date is the one after ``played``.
    """
    fields.setdefault("british", ["X26", "L24", "T20"])
    fields.setdefault("german", ["A1", "B12", "KK10"])
    state = campaign_at("9.613", *pieces, date=played, **fields)
    assert played.next
    return change(state, date=played.next)


def example(*pieces: Piece, **house: str) -> Campaign:
    """The worked example of 9.6054: British A, B, D and German B are Isolated."""
    state = campaign_at("9.613", *pieces, date=EXAMPLE.date, determined=False)
    state = take_position(state, EXAMPLE, off_map=[each.id for each in pieces])
    rules = {name.replace("_", "-"): value for name, value in house.items()}
    assert EXAMPLE.date.next
    return change(state, determined=EXAMPLE, house_rules=rules, date=EXAMPLE.date.next)


def unit(id: str, area: str, type: str = "", side: Side = BRITISH, **fields: Any) -> Piece:
    """A unit Retained in a Setup Area, at its one Strategic Location, or off map at an arrow."""
    off_map = any(letter.isdigit() for letter in area)
    at = f"off-map {area}" if off_map else AT[side].get(area, "")
    type = type or ("6-4-8" if side is BRITISH else "4-6-7")
    return piece(id, side, type, fields.pop("at", at), area=area, **fields)


def german(id: str, area: str, type: str = "", **fields: Any) -> Piece:
    return unit(id, area, type, GERMAN, **fields)


Orders = Iterable[tuple[str, Iterable[str], str]]
"""Orders: from which area, which units, to which area."""


def shifted(
    state: Campaign,
    orders: Orders,
    dice: Iterable[tuple[int, ...] | int] = (),
    asked: list[Prompt | Roll] | None = None,
    **answers: Any,
) -> tuple[Campaign, list[LogLine]]:
    """Run 9.613 with these orders; ``answers`` by name: deploy, stay, equipment (a list), wound.

    What is not answered takes its default. ``closed="all"``: vehicles can enter no doubtful hex.
    """
    left = [(area, list(units), to) for area, units, to in orders]
    given = {
        "9.613.3": answers.pop("deploy", "none"),
        "9.613.3a": answers.pop("stay", "none"),
        "9.613.1b": answers.pop("closed", "none"),
        "9.613.4b": answers.pop("wound", "wounded"),
    }
    items = list(answers.pop("equipment", []))
    to: list[str] = []
    again: list[str] = []
    assert not answers
    seen: list[Prompt | Roll] = [] if asked is None else asked

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.613.1":
            ready = left and left[0][0] in [option.id for option in prompt.options]
            ready = ready and any(each.id == left[0][1][0] for each in state.of(Side(prompt.side)))
            return left[0][0] if ready else "done"
        if prompt.id == "9.613.1a":
            return left[0][1]
        if prompt.id == "9.613.1c":
            if again:  # a hex of the way chosen was closed: the same again, if it can be reached
                wanted = again.pop()
                return "none" if prompt.option(wanted).refused else wanted
            to.append(left.pop(0)[2])
            return to[-1]
        if prompt.id == "9.613.1b" and given["9.613.1b"] == "all":
            again.append(to[-1])
            return [option.id for option in prompt.options]
        if prompt.id == "9.613.3b" and items:
            return items.pop(0)
        return given.get(prompt.id, prompt.default)

    after, lines = run_step(state, shift, answer, dice, asked=seen)
    assert not left, f"orders left: {left}"
    assert not items, f"Equipment answers left: {items}"
    return after, lines


def where_to(
    state: Campaign, area: str, units: Iterable[str], to: str = "none"
) -> dict[str, Option]:
    """The destinations offered to a group, by area; after all doubtful hexes on its way ``to`` one
    of them were closed."""
    _, log = shifted(state, [(area, units, to)], closed="all")
    prompt = log.prompts("9.613.1c")[-1]
    return {option.id: option for option in prompt.options if option.id != "none"}


def prompts(asked: Iterable[Prompt | Roll], point: str) -> list[Prompt]:
    return [each for each in asked if isinstance(each, Prompt) and each.id == point]


def rolls(asked: Iterable[Prompt | Roll]) -> list[Roll]:
    return [each for each in asked if isinstance(each, Roll)]


def places(state: Campaign) -> dict[str, tuple[str, str]]:
    """Area and place of each piece."""
    return {each.id: (each.area, each.at) for each in state.pieces}
