"""A setup held against the rules: every fault at once.

Rule: 9.62021, 9.62022, 9.6071, 9.619, CG6, CG8, CG11, 9.51, 9.6183.
"""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.fortification_ground import fortification_refusal, ground_refusal
from asl_pbcg.campaign.module.zones import zone_hexes
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus
from asl_pbcg.campaign.scenario.scenario_facts import is_gun_of_i_2, may_tow
from asl_pbcg.campaign.state.campaign_state import Campaign, possessor
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.pieces import Piece, Vehicle, Weapon
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.topic import about_pieces
from asl_pbcg.refit.helpers.equipment import ipc, pp
from asl_pbcg.refit.setup.recorded_setup import match_purchases, told_ties, unplaced_purchases
from asl_pbcg.refit.setup.setup_rules import (
    Setup,
    enterable_now,
    is_level_of,
    placement_refusal,
    setups,
)
from asl_pbcg.refit.setup.stacking import excess_of

_LED = ("squad", "half_squad", "crew", "vehicle")


def check_setup(state: Campaign, side: Side, setup: Position) -> list[Fault]:
    """Return everything in ``setup`` (the pieces of ``side`` as set up) that the rules forbid."""
    faults = _SetupCheck(state, side, setup).faults()
    return [
        Fault(
            short_name(fault.where), short_name(fault.value), fault.wrong, about_pieces(fault.where)
        )
        for fault in faults
    ]


class _SetupCheck:
    """The setup of a side next to its OB."""

    def __init__(self, state: Campaign, side: Side, setup: Position) -> None:
        self.state = state
        self.side = side
        self.setup = setup
        self.own = state.of(side)
        self.ob = {piece.id: piece for piece in self.own}
        self.places = {piece.id: piece.at for piece in setup.pieces}
        self.allowed = {each.piece.id: each for each in setups(state, side)}
        self.holders = {item: unit.id for unit in setup.units for item in unit.possesses}

    def faults(self) -> Iterator[Fault]:
        """Yield every fault."""
        yield from self._same_pieces()
        yield from self._places()
        yield from self._facings()
        yield from self._towing()
        yield from self._ties()
        yield from self._overstacking()
        yield from self._groups()
        yield from self._hip()
        yield from self._hidden()
        yield from self._hip_ground()
        initial_cg1 = self.state.campaign == "CG1" and self.state.determined is None
        if initial_cg1 and self.side is Side.GERMAN:
            yield from self._initial_limits()
            yield from self._initial_fortifications()
        yield from self._new_fortifications()
        yield from self._initial_gun()
        if initial_cg1:
            yield from self._glider_loads()

    def _same_pieces(self) -> Iterator[Fault]:
        """Check that the pieces are those of the OB, each listed once, for the CG Date to come."""
        setup, date = self.setup, self.state.date
        if setup.date is not date:
            yield Fault("date", setup.date, f"must be {date}: that CG Date is set up")
        seen: set[str] = set()
        for each in setup.pieces:
            if each.id in seen:
                yield Fault(each.id, "", "is listed twice")
            seen.add(each.id)
            piece = self.ob.get(each.id)
            if piece is None:
                continue  # told with its place
            if each.side is not self.side:
                yield Fault(each.id, each.side, f"is a {self.side.title} piece")
            if each.type != piece.type:
                yield Fault(each.id, each.type, f"is a {piece.type} in the OB")

    def _places(self) -> Iterator[Fault]:
        """Check that each piece stands where it may. Rule: 9.62021, 9.62022, 9.2 Enterable."""
        arrows = entry_areas(self.state.board)
        could_enter = enterable_now(self.state)
        for id, at in self.places.items():
            allowed = self.allowed.get(id)
            if allowed is None:
                yield Fault(id, at, f"is not a {self.side.title} piece that sets up")
                continue
            place = Location.parse(at)
            if allowed.fixed:
                wrong = at != allowed.fixed
            elif allowed.hexes is not None:
                in_area = is_level_of(self.state, allowed.piece, place)
                wrong = place.hex not in allowed.hexes or not in_area
            else:
                wrong = place.on_map or (allowed.entry in arrows and place.entry != allowed.entry)
            if place.on_map and not allowed.fixed and place.hex not in could_enter:
                yield Fault(id, at, "is a hex that it could not enter (9.2 Enterable)")
            elif wrong:
                level = self._level_words(allowed, place)
                yield Fault(id, at, f"is not allowed: it {allowed.words}{level} ({allowed.rule})")

    def _level_words(self, allowed: Setup, place: Location) -> str:
        """Return which Locations of a hex are of its Setup Area, where only some are; else empty.

        Rule: 9.605, 9.62021, 9.62022.
        """
        piece = allowed.piece
        if not allowed.hexes or place.hex not in allowed.hexes or self.state.determined is None:
            return ""
        for area in self.state.areas.areas[piece.side]:
            if area.id == piece.area:
                if place.hex in area.hexes:
                    return f", to which {place} does not belong, as the rest of {place.hex} does"
                own = [
                    str(location)
                    for location in area.strategic_locations
                    if location.hex == place.hex
                ]
                return f", to which of {place.hex} only {' and '.join(own)} belongs"
        return ""

    def _facings(self) -> Iterator[Fault]:
        """Check that Immobile vehicles have the VCA they ended the scenario with. Rule: 9.6071."""
        fixed = {id: each.piece for id, each in self.allowed.items() if each.rule == "9.6071"}
        for vehicle in self.setup.vehicles:
            piece = fixed.get(vehicle.id)
            if isinstance(piece, Vehicle) and piece.vca not in ("", vehicle.vca) and vehicle.vca:
                yield Fault(vehicle.id, vehicle.vca, f"must keep VCA {piece.vca} (9.6071)")

    def _towing(self) -> Iterator[Fault]:
        """Check that no Gun is towed, but in the Dusk CG scenario. Rule: CG11."""
        if not may_tow(self.state.date, self.state.frame):
            for vehicle in self.setup.vehicles:
                for gun in vehicle.tows:
                    yield Fault(vehicle.id, gun, "may not be towed on this CG Date (CG11)")

    def _ties(self) -> Iterator[Fault]:
        """Check possession, Passengers and tows: each piece is where its one holder is.

        Rule: A4.43, D6.1.
        """
        places = self.places
        holders: dict[str, str] = {}
        for piece in self.setup.pieces:
            for id in (*piece.possesses, *piece.tows):
                if not isinstance(self.ob.get(id), Weapon):
                    wrong = f"is not a {self.side.title} SW or Gun that it can have"
                    yield Fault(piece.id, id, wrong)
                elif id in holders:
                    yield Fault(
                        piece.id,
                        id,
                        f"is with {short_name(holders[id])} already: it has one holder",
                    )
                elif places.get(id, piece.at) != piece.at:
                    yield Fault(piece.id, id, f"is in {places[id]}, its holder in {piece.at}")
                holders.setdefault(id, piece.id)
            if not piece.aboard:
                continue
            carrier = self.ob.get(piece.aboard)
            if carrier is None or not (isinstance(carrier, Vehicle) or carrier.kind == "glider"):
                yield Fault(piece.id, piece.aboard, f"is not a {self.side.title} vehicle")
            elif places.get(piece.aboard, piece.at) != piece.at:
                apart = f"is in {places[piece.aboard]}, who is aboard in {piece.at}"
                yield Fault(piece.id, piece.aboard, apart)

    def _overstacking(self) -> Iterator[Fault]:
        """Check that no Location is Overstacked, but by what had to stay there.

        Rule: 9.606, A5.1; ruling P-16.
        """
        by_place: dict[str, list[Piece]] = {}
        tells = "aboard" in told_ties(self.setup)
        aboard = {unit.id: unit.aboard for unit in self.setup.units}
        for piece in self.own:
            at = self.places.get(piece.id, "")
            inside = aboard.get(piece.id, "") if tells else piece.aboard
            if at and Location.parse(at).on_map and not piece.is_prisoner and not inside:
                by_place.setdefault(at, []).append(piece)
        fixed = {id for id, each in self.allowed.items() if each.fixed}
        for at, pieces in by_place.items():
            excess = " and ".join(excess_of(pieces).values())
            if excess and any(piece.id not in fixed for piece in pieces):
                yield Fault(at, "", f"would be Overstacked: {excess} (A5.1)")

    def _area_of(self, at: str) -> str:
        """Return the Setup Area or Entry Area that a place is in; empty if not placed."""
        place = Location.parse(at) if at else None
        if place is None or not place.on_map:
            return place.entry if place else ""
        area = self.state.areas.area_of(self.side, place) if self.state.determined else None
        return area.id if area else "on map"

    def _groups(self) -> Iterator[Fault]:
        """Check that an RG just received sets up together, Equipment and leader with its own units.

        Rule: 9.6183, CG6; ruling P-214.
        """
        state, places = self.state, self.places
        if self.side is not Side.GERMAN:
            return
        new = {group.key for group in state.groups if group.date is state.date}
        for piece in self.own:
            at = places.get(piece.id)
            if at is None or piece.rg not in new or piece.kind == "vehicle":
                continue
            units = [each for each in self.own if each.rg == piece.rg and each.kind in _LED]
            with_unit = any(places.get(unit.id) == at and unit.id != piece.id for unit in units)
            led = with_unit
            if state.plays("P-214", "area"):
                area = self._area_of(at)
                led = any(area == self._area_of(places.get(unit.id, "")) for unit in units)
            if piece.kind in ("leader", "armor_leader", "hero") and not led:
                yield Fault(piece.id, at, f"must set up with a unit of {piece.rg} (9.6183)")
            holder = self.ob.get(self.holders.get(piece.id, "")) or possessor(state, piece.id)
            own = holder is not None and holder.rg == piece.rg
            left_with_unit = with_unit and piece.id not in self.holders
            if piece.kind in ("sw", "gun") and not (own or left_with_unit):
                yield Fault(piece.id, at, f"must be possessed by a unit of {piece.rg} (CG6)")

    def _hip(self) -> Iterator[Fault]:
        """Check SW with a HIP unit: up to its IPC, an SMC there lending his, or one 50* MTR.

        Rule: 9.619 note b.
        """
        state, ob = self.state, self.ob
        for unit in self.setup.units:
            piece = ob.get(unit.id)
            if piece is None or not piece.hip:
                continue
            held = [ob[id] for id in unit.possesses if id in ob]
            if [each.type for each in held] == ["50* MTR"]:
                continue
            lent = sum(
                ipc(state, ob[each.id])
                for each in self.setup.units
                if each.at == unit.at
                and each.id in ob
                and ob[each.id].kind in ("leader", "hero")
                and not each.possesses
            )
            carried = sum(pp(state, each) or 0 for each in held)
            most = ipc(state, piece) + lent
            if carried > most:
                wrong = f"is HIP with {carried} PP of SW; its IPC with help is {most}"
                yield Fault(unit.id, unit.at, f"{wrong} (9.619 note b)")

    def _hidden(self) -> Iterator[Fault]:
        """Check that only what HIP was bought for sets up hidden, and Guns with their Infantry.

        SW are hidden with their possessors. No German uses HIP in the Dusk CG scenario.

        Rule: 9.619 notes b, h, A12.34; house rules P-98, P-205.
        """
        state, ob = self.state, self.ob
        hidden = [piece for piece in self.setup.pieces if UnitStatus.HIDDEN in piece.status]
        if self.side is Side.GERMAN and state.date is CGDate.DUSK:
            for each in hidden:
                yield Fault(each.id, each.at, "may not use HIP at Dusk (9.619 note h)")
            return
        guns = {each.id for each in hidden if each.id in ob and ob[each.id].kind == "gun"}
        free = guns if state.plays("P-205", "free") else set()
        if state.plays("P-98", "with-gun"):
            free = free | {self.holders[id] for id in guns & self.holders.keys()}
        for each in hidden:
            piece = ob.get(each.id)
            if piece and piece.id not in free and not piece.hip and piece.kind != "sw":
                yield Fault(
                    piece.id, each.at, "may not be hidden: no HIP was bought for it (9.619)"
                )

    def _hip_ground(self) -> Iterator[Fault]:
        """Check that nothing uses HIP in ground that cannot hold it. Rule: B16.41, B21.1, CG10."""
        for each in (*self.setup.units, *self.setup.equipment):
            piece, place = self.ob.get(each.id), Location.parse(each.at)
            hides = UnitStatus.HIDDEN in map(str, each.status)
            if piece is None or not place.on_map or not (hides or piece.hip):
                continue
            kind = "hip-gun" if piece.kind == "gun" else "hip"
            barred = ground_refusal(self.state.board, self.state.terrain, kind, place.hex)
            if barred:
                yield Fault(each.id, each.at, f"has {barred[0]}: no HIP there ({barred[1]})")

    # -- The Initial Scenarios ---------------------------------------------------------------

    def _initial_limits(self) -> Iterator[Fault]:
        """Check German Infantry: in building, Gun and Fortification Locations, one MMC each.

        Rule: SSR I-2.
        """
        dug_in = [self.places.get(piece.id, piece.at) for piece in self.own
                  if piece.kind in ("fortification", "gun")]  # fmt: skip
        shelter = {Location.parse(at).hex for at in dug_in if at}
        shelter |= {fortification.location.hex for fortification in self.setup.fortifications}
        shelter |= set(self.state.board.buildings)
        seen: dict[str, str] = {}
        for piece in self.own:
            at = self.places.get(piece.id, "")
            if not at or not piece.is_personnel or not Location.parse(at).on_map:
                continue
            if Location.parse(at).hex not in shelter:
                where = "must be in a building, Gun or Fortification Location (I-2)"
                yield Fault(piece.id, at, where)
            if piece.kind in ("squad", "half_squad", "crew"):
                if at in seen:
                    yield Fault(
                        piece.id,
                        at,
                        f"stands with {short_name(seen[at])}; one MMC a Location (I-2)",
                    )
                seen.setdefault(at, piece.id)

    def _initial_fortifications(self) -> Iterator[Fault]:
        """Check the Fortifications of CG I: those of the OB, in its zone, and as SSR I-2 has them.

        The pillbox in Z21, no Wire on paved roads or the bridge, nothing HIP. Rule: 9.51, SSR I-2.
        """
        state, board = self.state, self.state.board
        initial = state.charts.initial["CG1"]
        group = next(group for group in initial.groups if group.fortifications)
        remaining = {
            kind.split()[-1].lower(): count for kind, count in group.fortifications.items()
        }
        zone = zone_hexes(group.zone, board, state.ruling("P-03"))
        pillbox = next(each for each in initial.fixed if "Pillbox" in each.kind)
        for fortification in self.setup.fortifications:
            hex = fortification.location.hex
            remaining[fortification.kind] = remaining.get(fortification.kind, 0) - 1
            barred = fortification_refusal(board, state.terrain, fortification)
            wrong = []
            if remaining[fortification.kind] < 0:
                wrong.append(f"is one more than the OB has ({group.rule})")
            if hex not in enterable_now(state):
                wrong.append("is a hex that nobody can enter (9.2 Enterable)")
            elif hex not in zone:
                wrong.append(f"must be {group.place} ({group.rule})")
            elif barred:
                wrong.append(f"has {barred[0]}: it cannot be there ({barred[1]})")
            if fortification.kind == "pillbox" and (hex, fortification.ca) != (
                pillbox.at,
                pillbox.ca,
            ):
                wrong.append(f"must be in {pillbox.at}, CA {pillbox.ca} (I-2)")
            if fortification.kind == "wire" and (board[hex].road == "paved" or board[hex].bridge):
                wrong.append("is a paved-road or bridge hex (I-2)")
            if fortification.hidden:
                wrong.append("may not be HIP (I-2)")
            yield from (Fault(fortification.kind, fortification.at, words) for words in wrong)

    def _new_fortifications(self) -> Iterator[Fault]:
        """Check that Fortifications stand already, or were bought and may be where they are.

        Rule: 9.619, 9.62022.
        """
        state = self.state
        printed = {
            (piece.type.split()[-1].lower(), piece.at)
            for piece in self.own
            if piece.kind == "fortification"
        }
        places, others = match_purchases(state, self.side, self.setup.fortifications)
        for each in others:
            if not {(str(each.kind), each.at), (str(each.kind), "")} & printed:
                yield Fault(each.kind, each.at, "was not bought for this CG Date (9.619)")
        for bought in unplaced_purchases(state, self.side):
            if hex := places.get(bought.key):
                chart = state.charts.fortifications.kinds[bought.kind]
                refused, rule = placement_refusal(state, self.side, chart, hex)
                if refused:
                    yield Fault(bought.kind, hex, f"cannot set up there: {refused} ({rule})")

    def _initial_gun(self) -> Iterator[Fault]:
        """Check that the 50L AT in X20 is neither HIP nor possessed as the campaign begins.

        Rule: 9.51 SSR I-2, 9.52; ruling P-95.
        """
        bound = {piece.id for piece in self.own if is_gun_of_i_2(self.state, piece)}
        for gun in self.setup.equipment:
            if gun.id in bound and EquipmentStatus.HIDDEN in gun.status:
                yield Fault(gun.id, gun.at, "may not be HIP (I-2)")
        for unit in self.setup.units:
            for id in bound & set(unit.possesses):
                yield Fault(
                    unit.id,
                    unit.at,
                    f"may not possess {short_name(id)}: it begins unpossessed (I-2)",
                )

    def _glider_loads(self) -> Iterator[Fault]:
        """Check that each glider holds one 2-4-8, once loads are written down. Rule: SSR I-4."""
        gliders = [piece.id for piece in self.own if piece.kind == "glider"]
        units = self.setup.units
        loads = {id: [unit.type for unit in units if unit.aboard == id] for id in gliders}
        if any(loads.values()):
            for glider, types in loads.items():
                if (count := types.count("2-4-8")) != 1:
                    yield Fault(glider, "", f"holds {count} 2-4-8; one is right (I-4)")
