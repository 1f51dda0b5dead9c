"""Abandoning, Scrounging and Removal in each friendly Setup Area.

Weapons are Removed by the crew that Abandons a vehicle or by its captor, and Scrounged out of
vehicles and Wrecks. Rule: 9.61423, D5.411, CG8, CG14.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.module.catalogue import VehicleType, WeaponType
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import WRECKS, TerrainKind, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.piece_changes import add_status, transfer, update
from asl_pbcg.campaign.state.piece_events import Retained, Scrounged, Wrecked
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_if_open,
    ask_some,
    paragraph,
)
from asl_pbcg.refit.helpers.catalogue_questions import has_wreck, inherent_crew, scrounges
from asl_pbcg.refit.helpers.retained_equipment import area_id, retained_vehicles
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.situation import personnel_in
from asl_pbcg.refit.helpers.subjects import About, by_name, place_option, put_to, side_in
from asl_pbcg.refit.helpers.unit_changes import stands
from asl_pbcg.refit.helpers.unit_choices import choose_unit
from asl_pbcg.refit.helpers.vehicle_actions import (
    WRECK_WORDS,
    can_scrounge,
    dead_to_wreck,
    functioning_weapons,
    has_crew,
    is_scrounged,
    leave,
    scrounge,
    scrounge_prompt,
    to_wreck,
    vehicle_lost,
    vehicle_type,
    with_scrounged_weapon,
)


@paragraph("D5.411")
def removal(state: Told, id: str, by: Sequence[str], rule: str) -> Script[Told]:
    """Decide which Weapons the crew that has just Abandoned a vehicle, or a captor, Removes.

    A Removed vehicular Weapon is a SW that one of the units ``by`` possesses; in the vehicle it
    counts as disabled. Which may be Removed the players say by D5.411 and its Vehicle Note.

    Rule: 9.61423, 9.6056 chart, D5.411.
    """
    if not by:
        return state
    side = state.piece(by[0]).side
    vehicle = state.piece(id)
    entry = vehicle_type(state, vehicle)
    if entry is None:
        return state
    removable = _removable(state, vehicle, entry)
    if not removable:
        return state
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id=f"{rule}.removal",
            subject=put_to(side, vehicle),
            kind="choose-some",
            options=tuple(Option(name, f"{name} of {name_piece(vehicle)}") for name in removable),
            default="none",
            text=f"Which Weapons are Removed from {name_piece(vehicle)}?",
            help="Only what D5.411 and the Vehicle Notes allow, within what who Removes them can "
            "portage.",
        )
    )
    if not chosen:
        return state
    unit = yield from choose_unit(
        state,
        f"{rule}.removal.by",
        put_to(side, vehicle),
        [state.piece(each) for each in by],
        f"Which unit takes what is Removed from {name_piece(vehicle)}?",
        with_place=True,
    )
    for name in chosen:
        state = yield from _remove(state, id, unit, name, entry)
    return state


def _removable(state: Campaign, vehicle: Piece, entry: VehicleType) -> list[str]:
    """Return the functioning Weapons small enough for Removal: MGs, or MA that is a SW."""
    return [
        name
        for name in functioning_weapons(state, vehicle)
        if name != "MA" or entry.main_armament == "MG" or _is_sw(state, vehicle, entry)
    ]


def _is_sw(state: Campaign, vehicle: Piece, entry: VehicleType) -> bool:
    found = state.catalogue.find(entry.main_armament, vehicle.maker)
    return isinstance(found, WeaponType) and found.kind == "sw"


def _remove(state: Told, id: str, by: str, name: str, entry: VehicleType) -> Script[Told]:
    vehicle, side = state.piece(id), state.piece(by).side
    if name == "MA" and _is_sw(state, vehicle, entry):
        weapon = entry.main_armament
    else:
        state, weapon = yield from scrounges(state, entry.name, entry.side, side)
    after = add_status(state, id, VehicleStatus.of_weapon(name, "disabled"))
    if not weapon:
        yield Note(f"The {name} of {name_piece(vehicle)} yields no SW.")
        return (yield from happen(state, after, Scrounged(piece=vehicle, weapons=())))
    after, found = with_scrounged_weapon(after, weapon, side, vehicle.maker, state.piece(by))
    yield Note(f"{name_piece(state.piece(by))} Removes the {name}: {name_piece(found)}.")
    after = transfer(after, found.id, by)
    return (yield from happen(state, after, Scrounged(piece=vehicle, weapons=(found,))))


RULE = "9.61423"
_KINDS = {"wreck": TerrainKind.WRECK, "burnt-out": TerrainKind.BURNT_OUT_WRECK}
_NOBODY = "No Personnel is Retained in that Setup Area."


def wrecks_and_scrounging(state: Told, side: Side) -> Script[Told]:
    """Decide what each side does with vehicles and Wrecks in its Setup Areas.

    Rule: 9.61423; ruling P-77.
    """
    return (yield from in_areas(state, state.areas.areas[side]))


@paragraph(RULE)
def in_areas(state: Told, areas: Sequence[SetupArea]) -> Script[Told]:
    """Decide what is done with vehicles and Wrecks of a side's Setup Areas.

    Rule: 9.61423, 9.6071.
    """
    tried: set[str] = set()
    while True:
        found = {area.id: _options(state, area, tried) for area in areas}
        found = {
            id: options
            for id, options in found.items()
            if not all(option.refused for option in options)
        }
        if not found:
            return state
        options = [option for same in found.values() for option in same]
        at = {option.id: id for id, each in found.items() for option in each}
        names = ", ".join(found)
        several = "s" if len(found) > 1 else ""
        side = areas[0].side
        answer = yield from ask(
            Prompt(
                state=state,
                id=RULE,
                subject=side_in(side, names),
                secret=True,
                options=(*options, Option("done", "nothing more")),
                default="done",
                earlier=_earlier_names(state, areas),
                draw=_mostly_done([option.id for option in options if not option.refused]),
                text=f"Vehicles and Wrecks in Setup Area{several} {names}: what is done?",
                help="Vehicles may be Abandoned, turned into a (Burnt-Out) Wreck, or Scrounged; "
                "Wrecks may be Scrounged. Not a Recalled vehicle, and not without Personnel in the "
                "Setup Area; an abandoning crew is Personnel.",
            )
        )
        if answer == "done":
            return state
        area = next(area for area in areas if area.id == at[answer])
        state = yield from _carry_out(state, area, answer, tried)


def _carry_out(state: Told, area: SetupArea, answer: str, tried: set[str]) -> Script[Told]:
    """Abandon, wreck or Scrounge as the ``answer`` says; what cannot be again is ``tried``."""
    action, _, target = answer.partition(" ")
    if action == "abandon":
        return (yield from settle_abandoning(state, target, RULE))
    if action in _KINDS:
        state = yield from turn_into(state, target, _KINDS[action], RULE)
        if stands(state, target):
            tried.add(f"burnt-out {target}")
        elif target in tried:
            tried |= set(list(wrecks_in(state, area))[-1:])
        return state
    tried.add(target)
    if stands(state, target):
        return (yield from _scrounge_vehicle(state, area, target))
    return (yield from _scrounge_wreck(state, area, wrecks_in(state, area)[target]))


def anything_to_do(state: Campaign, area: SetupArea) -> bool:
    """Return whether a vehicle or Wreck of a Setup Area can be Abandoned, wrecked or Scrounged."""
    return not all(option.refused for option in _options(state, area, set()))


def _earlier_names(state: Campaign, areas: Sequence[SetupArea]) -> Mapping[str, str]:
    """Return the present answer for each as earlier versions of the program spelled it."""
    return {
        f"scrounge {earlier}": f"scrounge {name}"
        for area in areas
        for name, _, earlier in _named_wrecks(state, area)
    }


def _mostly_done(ids: list[str]) -> Callable[[random.Random], str]:
    """Return what automatic play does: mostly nothing."""
    return lambda source: source.choice([*ids, *["done"] * (2 * len(ids))])


def _options(state: Campaign, area: SetupArea, tried: set[str]) -> list[Option]:
    """Return what may be done with each vehicle and Wreck of a Setup Area, refused or not."""
    nobody = "" if personnel_in(state, area.side, area.id) else _NOBODY
    found = []
    for vehicle in retained_vehicles(state, area.side):
        if area_id(state, vehicle) != area.id:
            continue
        name, id = name_piece(vehicle), vehicle.id
        recalled = "It is Recalled." if vehicle.has(VehicleStatus.RECALL) else ""
        empty = vehicle.has(VehicleStatus.ABANDONED)
        alone = "" if has_crew(state, vehicle) else nobody
        stays = recalled or alone or ("It is Abandoned already." if empty else "")
        burnt = "A Scrounged Wreck is Burnt-Out." if is_scrounged(vehicle) else ""
        no_wreck = "It cannot be turned into a Wreck." if f"burnt-out {id}" in tried else ""
        found += [
            Option(f"abandon {id}", f"Abandon {name}", refused=stays, rule=RULE),
            Option(
                f"wreck {id}",
                f"turn {name} into a Wreck",
                refused=recalled or alone or no_wreck or burnt,
                rule="CG14" if burnt or no_wreck else RULE,
            ),
            Option(
                f"burnt-out {id}",
                f"turn {name} into a Burnt-Out Wreck",
                refused=recalled or alone or no_wreck,
                rule="CG14" if no_wreck else RULE,
            ),
            Option(
                f"scrounge {id}",
                f"Scrounge {name}",
                refused=recalled or nobody or _no_scrounge(state, vehicle, tried),
                rule=RULE if recalled or nobody else "D10.5",
            ),
        ]
    for key, wreck in wrecks_in(state, area).items():
        refused = nobody or ("It has been tried." if key in tried else "")
        rule = RULE if nobody else "D10.5"
        text = f"Scrounge the Wreck {wreck.type or 'of unknown type'} in {wreck.at}"
        found.append(Option(f"scrounge {key}", text, refused=refused, rule=rule))
    return found


def _no_scrounge(state: Campaign, vehicle: Piece, tried: set[str]) -> str:
    if vehicle.id in tried:
        return "It has been tried."
    if not vehicle.has(VehicleStatus.ABANDONED):
        return "It is manned: Abandon it first."
    known = can_scrounge(state, vehicle) or _scrounges_unsure(state, vehicle)
    return "" if known else "It has no Weapon to Scrounge."


def _scrounges_unsure(state: Campaign, vehicle: Piece) -> bool:
    """Return whether the players have still to say what a type yields when Scrounged."""
    entry = vehicle_type(state, vehicle)
    return bool(entry and not entry.sure("scrounges"))


# -- Abandon, wreck -------------------------------------------------------------------------


def settle_abandoning(state: Told, id: str, rule: str) -> Script[Told]:
    """Abandon a vehicle; its crew is a unit Retained in the same area. Rule: 9.61423, CG8."""
    vehicle = state.piece(id)
    state, _ = yield from inherent_crew(state, vehicle)
    area = area_id(state, vehicle)
    state, crew = yield from leave(state, id)
    if crew:
        after = update(state, crew, area=area)
        state = yield from happen(state, after, Retained(piece=state.piece(crew)))
    who = f"; crew {name_piece(state.piece(crew))} in the same area" if crew else ""
    yield Note(f"{name_piece(vehicle)} is Abandoned{who}.", rule)
    if crew:
        state = yield from removal(state, id, [crew], rule)
    return (yield from dead_to_wreck(state, id))


def turn_into(
    state: Told, id: str, kind: TerrainKind, rule: str, forced: bool = False
) -> Script[Told]:
    """Turn a vehicle into a (Burnt-Out) Wreck; whoever is in it abandons it first.

    A vehicle without a wreck depiction stays as it is; if it must go (``forced``) it is
    Eliminated. Rule: 9.61423, 9.61422, CG14; rulings P-72, P-73.
    """
    vehicle = state.piece(id)
    state, depicted = yield from has_wreck(state, vehicle.type, vehicle.maker, vehicle.side)
    if not depicted and not forced:
        yield Note(f"{name_piece(vehicle)} has no wreck depiction and stays as it is.", "CG14")
        return state
    if not vehicle.has(VehicleStatus.ABANDONED):
        state = yield from settle_abandoning(state, id, rule)
        if not stands(state, id):
            return state
    if not depicted or not vehicle.on_map:
        why = "no wreck depiction" if not depicted else "off map"
        return (yield from vehicle_lost(state, id, f"{why}, so no Wreck", rule, None))
    at = yield from _hex_of(state, vehicle)
    yield Note(f"{name_piece(vehicle)} in {at} is now {WRECK_WORDS[kind]}.", rule)
    moved = update(state, id, at=at)
    vehicle = moved.piece(id)
    after = to_wreck(moved, vehicle, f"turned into {WRECK_WORDS[kind]}", kind)
    return (yield from happen(state, after, Wrecked(piece=vehicle)))


@paragraph(RULE)
def _hex_of(state: Campaign, vehicle: Piece) -> Script[str]:
    """Where a Wreck lies: where the vehicle stands, or in a hex of the area it was Retained into.

    Ruling P-73.
    """
    if still_there(state, vehicle):
        return vehicle.at
    area = state.areas[vehicle.side, vehicle.area]
    answer = yield from ask_if_open(
        Prompt(
            state=state,
            id=f"{RULE}.hex",
            subject=by_name(vehicle),
            secret=True,
            options=tuple(place_option(name) for name in area.hexes),
            text=f"{name_piece(vehicle)} was Retained into Setup Area {area.id}. In which hex "
            "does its "
            "Wreck lie?",
        )
    )
    return answer


# -- Scrounge -------------------------------------------------------------------------------


def wrecks_in(state: Campaign, area: SetupArea) -> dict[str, Terrain]:
    """Return the Wrecks of a Setup Area that can be Scrounged, each under a name."""
    return {name: each for name, each, _ in _named_wrecks(state, area)}


def _named_wrecks(state: Campaign, area: SetupArea) -> Iterator[tuple[str, Terrain, str]]:
    """Yield the Wrecks of a Setup Area with their names, today's and that of earlier versions.

    The number in today's counts the Wrecks of the hex; once it counted all terrain on the map, so
    that it told of Wrecks made in secret.
    """
    areas = state.areas
    in_hex: Counter[str] = Counter()
    for number, each in enumerate(state.terrain, 1):
        if each.kind not in WRECKS:
            continue
        in_hex[each.at] += 1
        here = areas.area_of(area.side, each.location)
        if here and here.id == area.id and each.kind is TerrainKind.WRECK and not each.scrounged:
            yield f"{each.at}-{in_hex[each.at]}", each, f"{each.at}#{number}"


def _scrounger(state: Campaign, area: SetupArea, what: str) -> Script[str]:
    return choose_unit(
        state,
        f"{RULE}.by",
        About(what, area.side, area.id),
        personnel_in(state, area.side, area.id),
        f"Which unit Scrounges {what}?",
        rule="D10.5",
        secret=True,
    )


def _scrounge_vehicle(state: Told, area: SetupArea, id: str) -> Script[Told]:
    vehicle = state.piece(id)
    state, yields = yield from scrounges(state, vehicle.type, vehicle.maker, area.side)
    if not yields:
        yield Note(f"{name_piece(vehicle)} has no Weapon to Scrounge.", "D10.5")
        return state
    by = yield from _scrounger(state, area, name_piece(vehicle))
    state = yield from scrounge(state, id, RULE, f"{RULE}.result", area.side, by)
    return (yield from dead_to_wreck(state, id))


def _lying(wreck: Terrain, area: SetupArea) -> About:
    """Return a Wreck that lies in an area of the side that is asked."""
    return About(f"{wreck.type} {wreck.at}", area.side, wreck.at)


def _scrounge_wreck(state: Told, area: SetupArea, wreck: Terrain) -> Script[Told]:
    """Resolve an attempt to Scrounge a Wreck; Scrounged it is Burnt-Out. Rule: 9.61423, CG14."""
    maker = wreck.side or area.side
    state, yields = yield from _yields(state, area, wreck)
    if not yields:
        yield Note(f"The Wreck in {wreck.at} has no Weapon to Scrounge.", "D10.5")
        return state
    by = yield from _scrounger(state, area, f"the Wreck in {wreck.at}")
    what = f"the Wreck {wreck.type} in {wreck.at}"
    prompt = scrounge_prompt(state, f"{RULE}.result", _lying(wreck, area), what, yields)
    if (yield from ask(msgspec.structs.replace(prompt, secret=True))) != "succeeded":
        return state
    after, found = with_scrounged_weapon(state, yields, area.side, maker, state.piece(by))
    burnt = msgspec.structs.replace(wreck, kind=TerrainKind.BURNT_OUT_WRECK, scrounged=True)
    terrain = tuple(burnt if terrain is wreck else terrain for terrain in state.terrain)
    after = change(transfer(after, found.id, by), terrain=terrain)
    words = f"The Wreck in {wreck.at} yields a {name_piece(found)}; Burnt-Out now."
    event = Scrounged(piece=found, weapons=(found,), text=words, rule="CG14")
    return (yield from happen(state, after, event))


@paragraph("D10.5")
def _yields(state: Told, area: SetupArea, wreck: Terrain) -> Script[tuple[Told, str]]:
    """Return what a Wreck yields; of a Wreck whose type is not known the players say it."""
    if wreck.type and wreck.side:
        return (yield from scrounges(state, wreck.type, wreck.side, area.side))
    answer = yield from ask(
        Prompt(
            state=state,
            id=f"{RULE}.what",
            subject=_lying(wreck, area),
            secret=True,
            options=(Option("lmg", "a LMG"), Option("nothing", "nothing")),
            text=f"What can the Wreck in {wreck.at} yield?",
        )
    )
    return state, "LMG" if answer == "lmg" else ""
