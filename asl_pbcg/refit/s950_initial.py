"""9.5-9.52 The Initial Scenario: both sides' orders of battle before the first CG scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.module.charts import OBGroup
from asl_pbcg.campaign.module.house_rules import replaced_choices
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import EquipmentStatus, FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_events import CampaignBegun, happen, happen_to_each, keep_book
from asl_pbcg.campaign.state.campaign_state import (
    Campaign,
    DateAccount,
    ReceivedGroup,
    Told,
    change,
    group_key,
    with_group,
)
from asl_pbcg.campaign.state.piece_changes import add_pieces
from asl_pbcg.campaign.state.piece_events import Received
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.refit.helpers.strategic_control import ii13_at_start


def begin(settings: Mapping[str, Any]) -> Campaign:
    """Return the campaign before anything happened, from the settings it was started with.

    ``from_paper`` among them is the CG Date whose scenario is over in a campaign begun on paper.
    """
    campaign = settings["campaign"]
    module = module_of(campaign)
    from_paper = settings.get("from_paper", "")
    begun: Campaign = module.state(
        campaign=campaign,
        players={Side(side): name for side, name in settings.get("players", {}).items()},
        balance=settings.get("balance", ""),
        house_rules=dict(settings.get("house_rules", {})),
        readings=module.rulings.edition,
        salt=settings.get("salt", ""),
        corrections=dict(settings.get("corrections", {})),
        catalogue_corrections=dict(settings.get("catalogue_corrections", {})),
        date=CGDate(from_paper) if from_paper else module.frame.campaigns[campaign].dates[0],
        at=module.from_paper if from_paper else module.initial,
    )
    return begun


def orders_of_battle(state: Told) -> Script[Told]:
    """Resolve the Initial Scenario's OB of both sides: pieces, RG given, SAN, CPP and FPP.

    Rule: 9.5-9.52.
    """
    initial = state.charts.initial[state.campaign]
    yield Note(
        f"{state.frame.campaigns[state.campaign].title} begins with {state.date.title}.",
        state.frame.campaigns[state.campaign].rule,
    )
    for remark in replaced_choices(state.house_rules, state.module.folder):
        yield Note(remark)
    for group in initial.groups:
        rest = CampaignBegun(
            text=f"{group.formation or 'British'}: {_words(group)}; {group.place}.",
            rule=group.rule,
            side=group.side,
            secret=True,
        )
        after = _receive(state, group)
        state = yield from happen_to_each(state, after, Received, own=True, rest=rest)
    state = yield from happen(state, place_before_setup(state), CampaignBegun())
    account = DateAccount(
        date=state.date,
        san=initial.san,
        cpp_available=initial.cpp,
        cpp_left=initial.cpp,
        fpp_received={side: float(fpp) for side, fpp in initial.fpp.items()},
    )
    for side, san in initial.san.items():
        yield Note(f"{side.title} SAN {san}.", initial.setup.rule)
    for id, text in initial.ssr.items():
        yield Note(f"SSR {id}: {text}.", f"{initial.setup.rule} SSR {id}")
    after = change(
        state,
        san=initial.san,
        cpp=initial.cpp,
        accounts=(account,),
        fpp={side: float(fpp) for side, fpp in initial.fpp.items()},
    )
    state = yield from happen(state, after, CampaignBegun())
    state = yield from ii13_at_start(state)
    return keep_book(state, frozen(state))


def _receive(state: Campaign, group: OBGroup) -> Campaign:
    common: dict[str, Any] = {
        "area": group.area,
        "formation": group.formation,
        "airborne": group.airborne,
        "ox_and_bucks": group.ox_and_bucks,
    }
    state = add_pieces(state, group.side, list(group.units.items()), **common)
    state = add_pieces(
        state,
        group.side,
        list(group.captured.items()),
        status=(EquipmentStatus.CAPTURED,),
        **common,
    )
    state = add_pieces(state, group.side, list(group.fortifications.items()), **common)
    fixed = state.charts.initial[state.campaign].fixed
    for place in fixed:
        state = _place(state, group, place.kind, place.at)
    if group.dummies:
        dummies = {**state.dummies}
        dummies[group.side] = dummies.get(group.side, 0) + group.dummies
        state = change(state, dummies=dummies)
    for given in group.rg:
        received = ReceivedGroup(
            key=group_key(state, given.id),
            id=given.id,
            date=state.date,
            given=True,
            strength="" if given.strength == "roll" else given.strength,
            area=group.area,
        )
        state = with_group(state, received)
    return state


def _place(state: Campaign, group: OBGroup, kind: str, at: str) -> Campaign:
    """Put the group's piece of that kind into the hex the SSR names."""
    pieces = list(state.pieces)
    for index, piece in enumerate(pieces):
        if (
            piece.side is group.side
            and piece.area == group.area
            and piece.type == kind
            and not piece.at
        ):
            emplaced = (EquipmentStatus.EMPLACED,) if kind == "50L AT" else ()
            status = (*piece.status, *emplaced)
            pieces[index] = msgspec.structs.replace(piece, at=at, status=status)
            return change(state, pieces=tuple(pieces))
    return state


def place_before_setup(state: Campaign) -> Campaign:
    """Put on the map what an SSR places before setup and no OB lists. Rule: 9.52 II-2."""
    initial = state.charts.initial[state.campaign]
    listed = {kind for group in initial.groups for kind in group.fortifications}
    fortifications, terrain = [], []
    for place in initial.fixed:
        kind = place.kind.lower()
        if place.kind in listed:
            continue
        if kind in list(TerrainKind):
            terrain.append(Terrain(kind=TerrainKind(kind), at=place.at))
        elif kind.endswith(" pillbox"):
            pillbox = FortificationKind.PILLBOX
            strength = kind.removesuffix(" pillbox")
            fortifications.append(
                Fortification(kind=pillbox, at=place.at, strength=strength, ca=place.ca)
            )
        elif kind in list(FortificationKind):
            fortifications.append(Fortification(kind=FortificationKind(kind), at=place.at))
    return change(state, fortifications=tuple(fortifications), terrain=tuple(terrain))


def _words(group: OBGroup) -> str:
    counts = [
        *((f"RG {given.id} {given.strength}", 1) for given in group.rg),
        *group.units.items(),
        *((f"captured {type}", count) for type, count in group.captured.items()),
        *group.fortifications.items(),
    ]
    if group.dummies:
        counts.append(('"?"', group.dummies))
    return ", ".join(type if count == 1 else f"{type} x{count}" for type, count in counts)
