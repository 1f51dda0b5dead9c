"""Setup by 9.62021, 9.62022, CG6, CG8, CG11 and 9.6183, as data and as a check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.fortification_ground import fortification_refusal, ground_refusal
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.pieces import Piece, Vehicle
from asl_pbcg.campaign.position import EquipmentEntry, Position, UnitEntry
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus
from asl_pbcg.campaign.reinforcement_places import NOTE_3, entry_hexes, setup_hexes
from asl_pbcg.campaign.scenario_facts import is_gun_of_i_2, may_tow
from asl_pbcg.campaign.state import Campaign, possessor
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.refit.new_fortifications import match_purchases, unplaced_purchases
from asl_pbcg.refit.portage import ipc, pp
from asl_pbcg.refit.recorded_setup import tie_faults, told_ties
from asl_pbcg.refit.setup_ground import enterable_now, placement_refusal
from asl_pbcg.refit.situation import is_isolated
from asl_pbcg.refit.stacking import excess_of
from asl_pbcg.refit.vehicle_actions import KEPT_IN_PLACE


@dataclass(frozen=True, slots=True)
class Setup:
    """Where one piece may begin the CG scenario.

    ``fixed`` is its one Location if it may not choose; ``hexes`` those it may choose from; with
    neither it is off map and enters at ``entry`` (an Entry Area's arrow hex).
    """

    piece: Piece
    isolated: bool
    words: str
    rule: str
    fixed: str = ""
    hexes: HexSet | None = None
    entry: str = ""


def setups(state: Campaign, side: Side) -> list[Setup]:
    """Return where each piece of ``side`` may set up or enter. Rule: 9.62021, 9.62022."""
    return [
        _setup(state, piece)
        for piece in state.of(side)
        if piece.is_unit_or_equipment and not piece.is_prisoner
    ]


def _setup(state: Campaign, piece: Piece) -> Setup:
    if state.determined is None:
        return _initial(state, piece)
    isolated = is_isolated(state, piece)
    if piece.off_map:
        return _off_map(state, piece)
    if not piece.at and piece.area in entry_areas(state.board):  # an RG just purchased
        return Setup(piece, False, f"enters at Entry Area {piece.area}", "CG6", entry=piece.area)
    areas = state.areas.areas[piece.side]
    if piece.on_map and all(area.id != piece.area for area in areas):
        return Setup(piece, False, f"stays in {piece.at}", "9.6072", fixed=piece.at)
    if isinstance(piece, Vehicle) and piece.has(*KEPT_IN_PLACE):
        facing = f", VCA {piece.vca}" if piece.vca else ""
        return Setup(piece, isolated, f"stays in {piece.at}{facing}", "9.6071", fixed=piece.at)
    if is_held_by_no_move(state, piece, state.board):
        return Setup(piece, isolated, f"stays in {piece.at}", "9.6058", fixed=piece.at)
    area = _area_hexes(state, piece) & enterable_now(state)
    if piece.kind == "gun" and piece.on_map:
        return _gun(state, piece, isolated, area)
    words = f"sets up in Setup Area {piece.area}"
    listed = setup_hexes(state, piece)
    if listed is not None:
        listed &= enterable_now(state)
        words = f"sets up in {', '.join(listed)}"
        return Setup(piece, isolated, words, "9.6152 note 3", hexes=listed)
    return Setup(piece, isolated, words, "9.62021" if isolated else "9.62022", hexes=area)


def _off_map(state: Campaign, piece: Piece) -> Setup:
    """Off map it enters at its Entry Area, an OB-given reinforcement as 9.6152 lists it."""
    entry = piece.location.entry
    if not piece.listed_at:
        if _is_closed(state, piece.side, entry):
            return Setup(piece, False, "is held off map", "CG5", entry=entry)
        return Setup(piece, False, f"enters at Entry Area {entry}", "CG6", entry=entry)
    hexes = entry_hexes(state, piece)
    if not hexes:
        return Setup(piece, False, "is held off map", "9.6151", entry=entry)
    where = f"hex {entry}" if len(hexes) == 1 else f"Entry Area {entry}"
    how = ", Manhandled" if piece.listed_at == NOTE_3 and piece.kind == "gun" else ""
    return Setup(piece, False, f"enters at {where}{how}", "9.6151", entry=entry)


def _is_closed(state: Campaign, side: Side, entry: str) -> bool:
    """Return whether an Entry Area of a side is not Eligible on this CG Date. Rule: CG5."""
    entries = state.areas.entry_areas[side]
    return any(each.id == entry and not each.eligible for each in entries)


def _initial(state: Campaign, piece: Piece) -> Setup:
    """Return as the Initial Scenario's OB says. Rule: 9.51, 9.52, CG6."""
    initial = state.charts.initial[state.campaign]
    if piece.at:
        return Setup(piece, False, f"sets up in {piece.at}", initial.setup.rule, fixed=piece.at)
    for group in initial.groups:
        if group.side is piece.side and group.area == piece.area:
            hexes = zone_hexes(group.zone, state.board, state.ruling("P-03"))
            if group.zone.glider or group.zone.entry:
                return Setup(piece, False, group.place, group.rule, entry=piece.area)
            words = f"sets up {group.place}"
            hexes &= enterable_now(state)
            return Setup(piece, False, words, group.rule, hexes=hexes)
    return Setup(piece, False, f"enters at Entry Area {piece.area}", "CG6", entry=piece.area)


def _area_hexes(state: Campaign, piece: Piece) -> HexSet:
    """Return the hexes of the Setup Area a piece is Retained in, with Strategic Locations."""
    for area in state.areas.areas[piece.side]:
        if area.id == piece.area:
            places = [place.hex for place in area.strategic_locations]
            return area.hexes | state.board.grid.set(places)
    return state.board.grid.set([])


def _gun(state: Campaign, piece: Piece, isolated: bool, area: HexSet) -> Setup:
    """Return a Gun that ended the last scenario on the map. Rule: CG11; house rule C-68."""
    guns = state.frame.guns
    here = piece.location.hex
    if guns.is_bound(piece.type, here):
        return Setup(piece, isolated, f"stays in {here}", "CG11", fixed=piece.at)
    near = state.board.grid.set([here]).spread(guns.setup_range)
    if state.plays("C-68", "same-area"):
        hexes = near & area
    else:
        hexes = near & state.areas.friendly(piece.side)
    words = f"sets up within {guns.setup_range} hexes of {here}, in Setup Area {piece.area}"
    return Setup(piece, isolated, words, "CG11", hexes=hexes)


def check_setup(state: Campaign, side: Side, setup: Position) -> list[Fault]:
    """Return everything in ``setup`` (the pieces of ``side`` as set up) that the rules forbid.

    Rule: 9.62021, 9.62022, 9.6071, 9.619, CG6, CG8, CG11, 9.51, 9.6183.
    """
    where = {each.id: each.at for each in setup.pieces}
    allowed = {each.piece.id: each for each in setups(state, side)}
    return [
        *_same_pieces(state, side, setup),
        *_places(state, side, where, allowed),
        *_facings(setup, allowed),
        *_towing(state, setup),
        *tie_faults(state, side, setup),
        *_overstacking(state, side, where, setup, allowed),
        *_groups(state, side, where, setup),
        *_hip(state, side, setup),
        *_hidden(state, side, setup),
        *_hip_ground(state, side, setup),
        *_initial_limits(state, side, setup, where),
        *_initial_fortifications(state, side, setup),
        *_new_fortifications(state, side, setup),
        *_initial_gun(state, side, setup),
        *_glider_loads(state, side, setup),
    ]


def _same_pieces(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Yield whether the pieces are those of the OB, each listed once, for the CG Date to come."""
    if setup.date is not state.date:
        yield Fault("date", setup.date, f"must be {state.date}: that CG Date is set up")
    pieces = {piece.id: piece for piece in state.of(side)}
    seen: set[str] = set()
    for each in setup.pieces:
        id = each.id
        if id in seen:
            yield Fault(id, "", "is listed twice")
        seen.add(id)
        piece = pieces.get(id)
        if piece is None:
            continue  # told with its place
        if each.side is not side:
            yield Fault(id, each.side, f"is a {side.title} piece")
        if each.type != piece.type:
            yield Fault(id, each.type, f"is a {piece.type} in the OB")


def _places(
    state: Campaign, side: Side, where: dict[str, str], setups_by_id: dict[str, Setup]
) -> Iterator[Fault]:
    arrows = entry_areas(state.board)
    could_enter = enterable_now(state)
    for id, at in where.items():
        allowed = setups_by_id.get(id)
        if allowed is None:
            yield Fault(id, at, f"is not a {side.title} piece that sets up")
            continue
        place = Location.parse(at)
        wrong = (
            at != allowed.fixed
            if allowed.fixed
            else place.hex not in allowed.hexes or not is_level_of(state, allowed.piece, place)
            if allowed.hexes is not None
            else place.on_map or (allowed.entry in arrows and place.entry != allowed.entry)
        )
        if place.on_map and not allowed.fixed and place.hex not in could_enter:
            yield Fault(id, at, "is a hex that it could not enter (9.2 Enterable)")
        elif wrong:
            level = _level_words(state, allowed, place)
            yield Fault(id, at, f"is not allowed: it {allowed.words}{level} ({allowed.rule})")


def is_level_of(state: Campaign, piece: Piece, place: Location) -> bool:
    """Return whether a Location of a hex it may set up in belongs to its own Setup Area.

    Where both sides Control levels of a hex one of them is the other side's, or an area of its
    own. Rule: 9.62021, 9.62022, 9.6054 EX; house rule C-68.
    """
    if state.determined is None:
        return True
    area = state.areas.area_of(piece.side, place)
    any_area = piece.kind == "gun" and state.plays("C-68", "three-hexes")
    return area is not None and (any_area or area.id == piece.area)


def _level_words(state: Campaign, allowed: Setup, place: Location) -> str:
    """Return which Locations of a hex are of its Setup Area, where only some are; else empty.

    Rule: 9.605, 9.62021, 9.62022.
    """
    piece = allowed.piece
    if allowed.hexes is None or place.hex not in allowed.hexes or state.determined is None:
        return ""
    for area in state.areas.areas[piece.side]:
        if area.id == piece.area:
            if place.hex in area.hexes:
                return f", to which {place} does not belong, as the rest of {place.hex} does"
            own = [str(each) for each in area.strategic_locations if each.hex == place.hex]
            return f", to which of {place.hex} only {' and '.join(own)} belongs"
    return ""


def _overstacking(
    state: Campaign,
    side: Side,
    where: dict[str, str],
    setup: Position,
    allowed: dict[str, Setup],
) -> Iterator[Fault]:
    """No Location is Overstacked, but by what had to stay there. Rule: 9.606, A5.1; ruling P-16."""
    fixed = {id for id, each in allowed.items() if each.fixed}
    by_place: dict[str, list[Piece]] = {}
    tells = "aboard" in told_ties(setup)
    aboard = {unit.id: unit.aboard for unit in setup.units}
    for piece in state.of(side):
        at = where.get(piece.id, "")
        on_map = bool(at) and Location.parse(at).on_map
        inside = aboard.get(piece.id, "") if tells else piece.aboard
        if on_map and not piece.is_prisoner and not inside:
            by_place.setdefault(at, []).append(piece)
    for at, pieces in by_place.items():
        excess = " and ".join(excess_of(pieces).values())
        if excess and any(piece.id not in fixed for piece in pieces):
            yield Fault(at, "", f"would be Overstacked: {excess} (A5.1)")


def _facings(setup: Position, allowed: dict[str, Setup]) -> Iterator[Fault]:
    """Yield whether Immobile vehicles have the VCA they ended the scenario with. Rule: 9.6071."""
    fixed = {id: each.piece for id, each in allowed.items() if each.rule == "9.6071"}
    for vehicle in setup.vehicles:
        piece = fixed.get(vehicle.id)
        if isinstance(piece, Vehicle) and piece.vca not in ("", vehicle.vca) and vehicle.vca:
            yield Fault(vehicle.id, vehicle.vca, f"must keep VCA {piece.vca} (9.6071)")


def _towing(state: Campaign, setup: Position) -> Iterator[Fault]:
    """No Gun is towed, but in the Dusk CG scenario. Rule: CG11."""
    if may_tow(state.date, state.frame):
        return
    for vehicle in setup.vehicles:
        for gun in vehicle.tows:
            yield Fault(vehicle.id, gun, "may not be towed on this CG Date (CG11)")


_LED = ("squad", "half_squad", "crew", "vehicle")


def _area_of(state: Campaign, side: Side, at: str) -> str:
    """Return which area a place is in: a Setup Area's ID or an Entry Area; empty if not placed."""
    place = Location.parse(at) if at else None
    if place is None or not place.on_map:
        return place.entry if place else ""
    area = state.areas.area_of(side, place) if state.determined else None
    return area.id if area else "on map"


def _groups(state: Campaign, side: Side, where: dict[str, str], setup: Position) -> Iterator[Fault]:
    """Yield an RG just received sets up together, its Equipment and leader with its own units."""
    pieces = {piece.id: piece for piece in state.of(side)}
    holders = {item: unit.id for unit in setup.units for item in unit.possesses}
    new = {group.key for group in state.groups if group.date is state.date and side is Side.GERMAN}
    for piece in state.of(side):
        at = where.get(piece.id)
        if at is None or piece.rg not in new or piece.kind == "vehicle":
            continue
        mates = [
            each
            for each in state.of(side)
            if each.rg == piece.rg and each.id != piece.id and where.get(each.id) == at
        ]
        with_unit = any(each.kind in _LED for each in mates)
        led = with_unit
        if state.plays("P-214", "area"):
            area = _area_of(state, side, at)
            led = any(
                each.kind in _LED and area == _area_of(state, side, where.get(each.id, ""))
                for each in state.of(side)
                if each.rg == piece.rg
            )
        if piece.kind in ("leader", "armor_leader", "hero") and not led:
            yield Fault(piece.id, at, f"must set up with a unit of {piece.rg} (9.6183)")
        holder = pieces.get(holders.get(piece.id, "")) or possessor(state, piece.id)
        own = holder is not None and holder.rg == piece.rg
        with_unit = with_unit and piece.id not in holders
        if piece.kind in ("sw", "gun") and not (own or with_unit):
            yield Fault(piece.id, at, f"must be possessed by a unit of {piece.rg} (CG6)")


def _initial_limits(
    state: Campaign, side: Side, setup: Position, where: dict[str, str]
) -> Iterator[Fault]:
    """SSR I-2: German Infantry in building, Gun and Fortification Locations, one MMC each."""
    if state.campaign != "CG1" or state.determined is not None or side is not Side.GERMAN:
        return
    board = state.board
    dug_in = [where.get(piece.id, piece.at) for piece in state.of(side)
              if piece.kind in ("fortification", "gun")]  # fmt: skip
    fortified = {Location.parse(at).hex for at in dug_in if at}
    fortified |= {each.location.hex for each in setup.fortifications}
    seen: dict[str, str] = {}
    for piece in state.of(side):
        at = where.get(piece.id, "")
        if not at or not piece.is_personnel:
            continue
        place = Location.parse(at)
        if not place.on_map:
            continue
        if place.hex not in board.buildings and place.hex not in fortified:
            yield Fault(piece.id, at, "must be in a building, Gun or Fortification Location (I-2)")
        if piece.kind in ("squad", "half_squad", "crew"):
            if at in seen:
                yield Fault(piece.id, at, f"stands with {seen[at]}; one MMC a Location (I-2)")
            seen.setdefault(at, piece.id)


def _hip(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """SW with a HIP unit: up to its IPC, an SMC in the Location lending his, or one 50* MTR.

    Rule: 9.619 note b.
    """
    pieces = {piece.id: piece for piece in state.of(side)}
    for unit in setup.units:
        piece = pieces.get(unit.id)
        if piece is None or not piece.hip or not unit.possesses:
            continue
        held = [pieces[id] for id in unit.possesses if id in pieces]
        mortars = [each for each in held if each.type == "50* MTR"]
        if len(mortars) == 1 and len(held) == 1:
            continue
        lent = sum(
            ipc(state, pieces[each.id])
            for each in setup.units
            if each.at == unit.at
            and each.id in pieces
            and pieces[each.id].kind in ("leader", "hero")
            and not each.possesses
        )
        carried = sum(pp(state, each) or 0 for each in held)
        most = ipc(state, piece) + lent
        if carried > most:
            yield Fault(
                unit.id,
                unit.at,
                f"is HIP with {carried} PP of SW; its IPC with help is {most} (9.619 note b)",
            )


def _hidden(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Only what HIP was bought for sets up hidden, and Guns with the Infantry that has them.

    SW are hidden with their possessors. No German uses HIP in the Dusk CG scenario.

    Rule: 9.619 notes b, h, A12.34; house rules P-98, P-205.
    """
    pieces = {piece.id: piece for piece in state.of(side)}
    hidden = [each for each in setup.pieces if UnitStatus.HIDDEN in each.status]
    if side is Side.GERMAN and state.date is CGDate.DUSK:
        for each in hidden:
            yield Fault(each.id, each.at, "may not use HIP at Dusk (9.619 note h)")
        return
    holders = {item: unit.id for unit in setup.units for item in unit.possesses}
    guns = {each.id for each in hidden if getattr(pieces.get(each.id), "kind", "") == "gun"}
    manning = {holders[id] for id in guns & holders.keys() if state.plays("P-98", "with-gun")}
    free = manning | (guns if state.plays("P-205", "free") else set())
    for each in hidden:
        piece = pieces.get(each.id)
        if piece and piece.id not in free and not piece.hip and piece.kind != "sw":
            yield Fault(piece.id, each.at, "may not be hidden: no HIP was bought for it (9.619)")


def _hip_ground(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Nothing uses HIP in ground that cannot hold it. Rule: B16.41, B21.1, CG10."""
    pieces = {piece.id: piece for piece in state.of(side)}
    listed: list[UnitEntry | EquipmentEntry] = [*setup.units, *setup.equipment]
    for each in listed:
        piece, place = pieces.get(each.id), Location.parse(each.at)
        hides = UnitStatus.HIDDEN in map(str, each.status)
        if piece is None or not place.on_map or not (hides or piece.hip):
            continue
        kind = "hip-gun" if piece.kind == "gun" else "hip"
        barred = ground_refusal(state.board, state.terrain, kind, place.hex)
        if barred:
            yield Fault(each.id, each.at, f"has {barred[0]}: no HIP there ({barred[1]})")


def _initial_fortifications(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Yield the Fortifications of CG I: those of the OB, in its zone, and as SSR I-2 has them.

    The pillbox in Z21, no Wire on paved roads or the bridge, nothing HIP. Rule: 9.51, SSR I-2.
    """
    if state.campaign != "CG1" or state.determined is not None or side is not Side.GERMAN:
        return
    board = state.board
    initial = state.charts.initial["CG1"]
    group = next(each for each in initial.groups if each.fortifications)
    remaining = {kind.split()[-1].lower(): count for kind, count in group.fortifications.items()}
    zone = zone_hexes(group.zone, board, state.ruling("P-03"))
    pillbox = next(each for each in initial.fixed if "Pillbox" in each.kind)
    for each in setup.fortifications:
        info = board[each.location.hex]
        remaining[each.kind] = remaining.get(each.kind, 0) - 1
        if remaining[each.kind] < 0:
            yield Fault(each.kind, each.at, f"is one more than the OB has ({group.rule})")
        barred = fortification_refusal(board, state.terrain, each)
        if each.location.hex not in enterable_now(state):
            yield Fault(each.kind, each.at, "is a hex that nobody can enter (9.2 Enterable)")
        elif each.location.hex not in zone:
            yield Fault(each.kind, each.at, f"must be {group.place} ({group.rule})")
        elif barred:
            yield Fault(each.kind, each.at, f"has {barred[0]}: it cannot be there ({barred[1]})")
        if each.kind == "pillbox" and (each.location.hex, each.ca) != (pillbox.at, pillbox.ca):
            yield Fault(each.kind, each.at, f"must be in {pillbox.at}, CA {pillbox.ca} (I-2)")
        if each.kind == "wire" and (info.road == "paved" or info.bridge):
            yield Fault(each.kind, each.at, "is a paved-road or bridge hex (I-2)")
        if each.hidden:
            yield Fault(each.kind, each.at, "may not be HIP (I-2)")


def _new_fortifications(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Yield the Fortifications of a setup stand already, or were bought and may be where they are.

    Rule: 9.619, 9.62022.
    """
    ob = {
        (piece.type.split()[-1].lower(), piece.at)
        for piece in state.of(side)
        if piece.kind == "fortification"
    }
    places, others = match_purchases(state, side, setup.fortifications)
    for each in others:
        printed = {(str(each.kind), each.at), (str(each.kind), "")} & ob
        if not printed:
            yield Fault(each.kind, each.at, "was not bought for this CG Date (9.619)")
    for bought in unplaced_purchases(state, side):
        if hex := places.get(bought.key):
            chart = state.charts.fortifications.kinds[bought.kind]
            refused, rule = placement_refusal(state, side, chart, hex)
            if refused:
                yield Fault(bought.kind, hex, f"cannot set up there: {refused} ({rule})")


def _initial_gun(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """Yield the 50L AT in X20 is neither HIP nor possessed as the campaign begins.

    Rule: 9.51 SSR I-2, 9.52; ruling P-95.
    """
    bound = {piece.id for piece in state.of(side) if is_gun_of_i_2(state, piece)}
    for gun in setup.equipment:
        if gun.id in bound and EquipmentStatus.HIDDEN in gun.status:
            yield Fault(gun.id, gun.at, "may not be HIP (I-2)")
    for unit in setup.units:
        for id in bound & set(unit.possesses):
            yield Fault(unit.id, unit.at, f"may not possess {id}: it begins unpossessed (I-2)")


def _glider_loads(state: Campaign, side: Side, setup: Position) -> Iterator[Fault]:
    """SSR I-4: each glider holds one 2-4-8; told once the loads are written down."""
    if state.campaign != "CG1" or state.determined is not None:
        return
    loads = {
        piece.id: [unit.type for unit in setup.units if unit.aboard == piece.id]
        for piece in state.of(side)
        if piece.kind == "glider"
    }
    if any(loads.values()):
        for glider, types in loads.items():
            if types.count("2-4-8") != 1:
                yield Fault(glider, "", f"holds {types.count('2-4-8')} 2-4-8; one is right (I-4)")
