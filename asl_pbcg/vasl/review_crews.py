"""Who has which vehicle: captured, who is aboard, what it tows. Asked when the pieces are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.vasl.review_words import NOBODY
from asl_pbcg.vasl.scene import Seen

if TYPE_CHECKING:
    from asl_pbcg.vasl.made_position import Chosen

_YES_NO = (Option("no", "no"), Option("yes", "yes"))


def ask_vehicles(chosen: Chosen, state: Campaign | None) -> Script[None]:
    """Settle which vehicles are captured, who is aboard them and which Guns they tow."""
    before = {piece.id: piece for piece in state.pieces} if state else {}
    for vehicle in chosen.pieces():
        if vehicle.section == "vehicles":
            yield from _capture(chosen, vehicle, before)
    for seen in chosen.pieces():
        if seen.aboard:
            yield from _aboard(chosen, seen, before)
    for seen in chosen.pieces():
        if seen.section == "equipment" and EquipmentStatus.HOOKED in seen.status:
            yield from _tow(chosen, seen, before)


def _capture(chosen: Chosen, vehicle: Seen, before: dict[str, Piece]) -> Script[None]:
    """Whether the other side has a vehicle: it had it before, or its units lie on it.

    Rule: A21.2.
    """
    assert vehicle.side
    was = before.get(chosen.ids[vehicle.key])
    had = was is not None and was.captured
    others = [
        each
        for each in chosen.pieces()
        if each.aboard and each.hex == vehicle.hex and each.side is not vehicle.side
    ]
    if had or others:
        captor = vehicle.side.other
        answer = yield from ask(
            Prompt(
                id="vasl.captured",
                about=vehicle.key,
                where=vehicle.hex,
                rule="A21.2",
                options=_YES_NO,
                default="yes" if had else "no",
                text=f"Have the {captor.people} captured {vehicle.type} in {vehicle.at}?",
            )
        )
        if answer == "yes":
            chosen.captured.add(vehicle.key)


def _aboard(chosen: Chosen, unit: Seen, before: dict[str, Piece]) -> Script[None]:
    """Whether a unit that lies on a vehicle is aboard, or aboard another of its hex.

    An Armor Leader is always aboard. Rule: D3.4, D6.1.
    """
    there = [
        each
        for each in chosen.pieces()
        if each.section == "vehicles"
        and each.hex == unit.hex
        and chosen.vehicle_side(each) is unit.side
    ]
    there.sort(key=lambda each: each.key != unit.aboard)
    leads = unit.kind == "armor_leader"
    if not there:
        chosen.set_aboard(unit.key, "")
        return
    answer = there[0].key
    if not leads or len(there) > 1:
        last = _last_aboard(chosen, unit, there, before)
        options = [Option(each.key, f"aboard {chosen.words(each.key)}") for each in there[1:]]
        options.insert(0, Option("yes", f"aboard {chosen.words(answer)}"))
        if not leads:
            options.insert(0, Option("no", "no"))
        answer = yield from ask(
            Prompt(
                id="vasl.aboard",
                about=unit.key,
                where=unit.hex,
                rule="D3.4" if leads else "D6.1",
                options=tuple(options),
                default="yes" if last == answer else last or options[0].id,
                text=f"Is {unit.name} in {unit.at} aboard {there[0].type}?",
            )
        )
    if answer == "no":
        chosen.set_aboard(unit.key, "")
        return
    chosen.set_aboard(unit.key, there[0].key if answer == "yes" else answer)
    chosen.set_at(unit.key, unit.hex)


def _last_aboard(chosen: Chosen, unit: Seen, there: list[Seen], before: dict[str, Piece]) -> str:
    """The vehicle it was aboard; of a unit that is no known piece, one that its like was aboard."""
    known = before.get(chosen.ids[unit.key])
    for vehicle in there:
        if known is not None and known.aboard and known.aboard == chosen.ids[vehicle.key]:
            return vehicle.key
    alike = {
        before[piece.aboard].type
        for piece in before.values()
        if piece.aboard in before and (piece.type, piece.side) == (unit.type, unit.side)
    }
    if known is None and there[0].type in alike:
        return there[0].key
    return ""


def _tow(chosen: Chosen, gun: Seen, before: dict[str, Piece]) -> Script[None]:
    """Which vehicle of its hex tows a hooked Gun. Rule: C10.1."""
    there = [
        each
        for each in chosen.pieces()
        if each.section == "vehicles" and each.hex == gun.hex and not gun.holder
    ]
    if not there:
        return
    id = chosen.ids[gun.key]
    old = {each.key: before.get(chosen.ids[each.key]) for each in there}
    last = next((key for key, piece in old.items() if piece and id in piece.tows), "")
    answer = yield from ask(
        Prompt(
            id="vasl.tow",
            about=gun.key,
            where=gun.hex,
            rule="C10.1",
            options=(
                *(Option(each.key, chosen.words(each.key)) for each in there),
                Option(NOBODY, "none"),
            ),
            default=last or there[0].key,
            text=f"Which vehicle tows {gun.name} in {gun.at}?",
        )
    )
    if answer != NOBODY:
        chosen.tows[gun.key] = answer
