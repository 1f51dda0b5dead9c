"""9.618 RG Strength, Weapons and Leaders: what each RG just received really brings."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.module.campaign_tables import LEADERS, Strength, SupportWeaponDr, table
from asl_pbcg.campaign.module.charts import SupportWeapon
from asl_pbcg.campaign.state.campaign_events import GroupReceived, happen, happen_to_each
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, Told, with_group
from asl_pbcg.campaign.state.piece_changes import add_pieces, update
from asl_pbcg.campaign.state.piece_events import Equipped, Received
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Roll, Script, paragraph, throw, yes_no
from asl_pbcg.kernel.tables import circumstances

GERMAN = Side.GERMAN
_TANK = "PzKpfw IVH"
ARMOR_LEADERS = "leader.armor"
"""The table of the Leader Allotment DR that gives Armor Leaders. Rule: 9.6183."""


def strength_weapons_leaders(state: Told) -> Script[Told]:
    """Settle Strength, SW and leaders of each new RG, in that order per RG. Rule: 9.618."""
    for group in state.new_groups():
        if state.charts.groups.groups[group.id].units:
            group = yield from strength(state, group)
            group = yield from support_weapons(state, group)
            group = yield from leaders(state, group)
            state = yield from happen_to_each(state, _receive(state, group), Received)
            state = yield from _optional_aamg(state, group)
        after = with_group(state, _set(group, settled=True))
        told = GroupReceived(by=GERMAN, group=group.key)
        state = yield from happen(state, after, told)
    return state


def _set(group: ReceivedGroup, **fields: object) -> ReceivedGroup:
    return msgspec.structs.replace(group, **fields)


def title(state: Campaign, group: ReceivedGroup) -> str:
    """Return an RG as prompts name it: ``I5-1 PzGrenadier Coy``."""
    return f"{group.key} {state.charts.groups.groups[group.id].name}"


@paragraph("9.6181")
def strength(state: Campaign, group: ReceivedGroup) -> Script[ReceivedGroup]:
    """Resolve Full or Depleted, and with it the units. Rule: 9.6181."""
    if not group.strength:
        rolled = yield from throw(
            Roll(
                state=state,
                id="9.6181",
                about=group.key,
                text=f"RG Strength of {title(state, group)}",
                table=table("rg_strength"),
            )
        )
        group = _set(group, strength=rolled.result)
    else:
        yield Note(
            f"{title(state, group)} is given {group.strength.capitalize()}; no RG Strength DR is "
            "made.",
            "9.6177 note e",
            side=GERMAN,
        )
    full = group.strength == Strength.FULL
    units = tuple(
        (full_count if full else depleted or 0, type)
        for full_count, depleted, type in state.charts.groups.groups[group.id].units
    )
    return _set(group, units=units)


def support_weapons(state: Campaign, group: ReceivedGroup) -> Script[ReceivedGroup]:
    """Resolve the SW of an infantry-type RG. Rule: 9.6182."""
    received: dict[str, int] = {}
    for weapon, entry in state.charts.groups.support_weapons.get(group.id, {}).items():
        count = yield from _one_weapon(state, group, weapon, entry)
        if count:
            received[weapon] = count
    return _set(group, sw=received)


@paragraph("9.6182")
def _one_weapon(
    state: Campaign, group: ReceivedGroup, weapon: str, entry: SupportWeapon
) -> Script[int]:
    full = group.strength == Strength.FULL
    if full and entry.n:
        yield Note(f"{title(state, group)} receives {entry.n} {weapon} outright.", side=GERMAN)
        return entry.n
    if full:
        name, given, tries = "sw.full", {"number": entry.p}, 1
    elif entry.p:
        name, given, tries = "sw.depleted_parentheses", {"number": entry.p}, 1
    else:
        name, given, tries = "sw.depleted", {}, entry.n
    count = 0
    for number in range(1, tries + 1):
        rolled = yield from throw(
            Roll(
                state=state,
                id="9.6182",
                about=f"{group.key} {weapon} {number}",
                text=f"{weapon} of {title(state, group)}",
                table=table(name),
                given=given,
            )
        )
        count += rolled.result == SupportWeaponDr.RECEIVED
    return count


@paragraph("9.6183")
def leaders(state: Campaign, group: ReceivedGroup) -> Script[ReceivedGroup]:
    """Resolve the leaders by Secret DR on the proper column. Rule: 9.6183."""
    chart = state.charts.groups.leaders.get(group.id)
    if not chart:
        return group
    depleted = group.strength == Strength.DEPLETED
    given = circumstances(**dict.fromkeys(chart.given, True), depleted=depleted)
    found: tuple[str, ...] = ()
    for number in range(chart.rolls):
        rolled = yield from throw(
            Roll(
                state=state,
                id="9.6183",
                about=f"{group.key} leader {number + 1}",
                text=f"Leader of {title(state, group)}",
                table=table(chart.table),
                given=given,
            )
        )
        found += LEADERS.facts(rolled).leaders
    return _set(group, leaders=found)


def _receive(state: Campaign, group: ReceivedGroup) -> Campaign:
    """Add the units, SW and leaders of ``group`` to the German OB."""
    armor = state.charts.groups.leaders.get(group.id)
    is_armor = bool(armor and armor.table == ARMOR_LEADERS)
    printed = group.given and group.id in state.charts.groups.strength_dr_exempt
    common: dict[str, Any] = {
        "rg": group.key,
        "area": group.area,
        "formation": _formation(state, group),
    }
    units = [(type, count) for count, type in group.units]
    state = add_pieces(state, GERMAN, units, openly=printed, **common)
    state = add_pieces(state, GERMAN, list(group.sw.items()), **common)
    kind = " Armor Leader" if is_armor else ""
    return add_pieces(state, GERMAN, [(leader + kind, 1) for leader in group.leaders], **common)


def _formation(state: Campaign, group: ReceivedGroup) -> str:
    if not group.given:
        return state.charts.groups.groups[group.id].name
    groups = state.charts.initial[state.campaign].groups
    return next(
        (each.formation for each in groups if (each.side, each.area) == (GERMAN, group.area)), ""
    )


@paragraph("CG7")
def _optional_aamg(state: Told, group: ReceivedGroup) -> Script[Told]:
    """Settle for each PzKpfw IVH whether its own roll gave it an Optional AAMG. Rule: CG7."""
    tanks = [piece for piece in state.pieces if piece.rg == group.key and piece.type == _TANK]
    for tank in tanks:
        with_gun = yield from yes_no(
            state,
            "CG7",
            f"{name_piece(tank)} has Schuerzen. Does its own H1.41 roll give an Optional AAMG?",
            about=tank.id,
        )
        after = update(state, tank.id, aamg=with_gun)
        state = yield from happen(state, after, Equipped(piece=tank))
    return state
