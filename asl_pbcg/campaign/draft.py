"""A position while it is made: every change is a new position, so any of them can be taken back.

Terminal and browser edit the same draft: place by count, move, statuses, Control, from the last
position; what is not placed yet, faults and Setup Areas are there at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.catalogue import MMC, Catalogue
from asl_pbcg.campaign.draft_entries import (
    SECTIONS,
    Entry,
    Ground,
    entries_of,
    entry_of,
    ground_of,
    made_entry,
    section_of,
    section_of_entry,
    with_entry,
)
from asl_pbcg.campaign.draft_past import Past
from asl_pbcg.campaign.draft_ties import (
    along,
    drop_claims,
    give_to,
    hook,
    leave_behind,
    move_entry,
    part_from,
    tie,
    unhook,
)
from asl_pbcg.campaign.fortification_ground import fortification_refusal
from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.piece_matching import Wanted, match, sections_of
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import (
    FORMAT,
    Control,
    EquipmentEntry,
    Fortification,
    Position,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.position_check import check_raw
from asl_pbcg.campaign.position_fields import read_place
from asl_pbcg.campaign.position_raw import Raw
from asl_pbcg.campaign.position_words import FortificationKind, UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import Wrong

if TYPE_CHECKING:
    from asl_pbcg.campaign.area_map import AreaMap
    from asl_pbcg.campaign.board import Board


class Draft:
    """The position as it stands, what it was before (``past``), and what is not placed yet.

    ``known`` are the pieces that may be placed, each as it was last; without it those of the
    campaign.
    """

    def __init__(
        self,
        state: Campaign | None,
        board: Board,
        catalogue: Catalogue,
        position: Position | None = None,
        date: CGDate | None = None,
        known: Iterable[Entry] | None = None,
    ) -> None:
        self.state = state
        self.board = board
        self.catalogue = catalogue
        if known is None:
            known = entries_of(to_position(state, everything=True)) if state else ()
        self.known: Mapping[str, Entry] = {entry.id: entry for entry in known}
        now = date or (state.date if state else CGDate.NIGHT_1)
        start = position or Position(format=FORMAT, date=now)
        if position is None and state is not None:
            # What stood on the ground and who Controlled what is there until somebody says so.
            last = to_position(state)
            start = msgspec.structs.replace(
                start,
                control=last.control,
                gliders=last.gliders,
                fortifications=last.fortifications,
                terrain=last.terrain,
            )
        self.past = Past(start)
        self.known_works = [*start.fortifications, *(state.fortifications if state else ())]
        """The Fortifications on record, those without a place too."""

    # -- looking -------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self.past.now

    def entry(self, id: str) -> Entry:
        """The piece ``id`` as it stands. Raises PBCGError if it is not placed."""
        for entry in self.entries():
            if entry.id == id:
                return entry
        raise PBCGError(f"{id} is not placed.")

    def entries(self) -> list[Entry]:
        """All pieces placed."""
        return entries_of(self.position)

    def at(self, place: str) -> list[Entry]:
        """The pieces placed in a Location."""
        return [entry for entry in self.entries() if entry.at == place]

    def pieces_to_place(self, side: Side | None = None) -> list[Piece]:
        """The pieces of the campaign that are not placed yet."""
        done = {*(entry.id for entry in self.entries()), *self.position.eliminated}
        return [
            piece
            for piece in (self.state.pieces if self.state else ())
            if piece.id not in done and sections_of(piece) and side in (None, piece.side)
        ]

    def faults(self) -> list[Fault]:
        """All that is wrong with the position as it stands."""
        try:
            self._check()
        except FaultsError as error:
            return list(error.faults)
        return []

    def _check(self) -> Position:
        if self.state is not None:
            from asl_pbcg.campaign.end_position import settle_position

            return settle_position(self.state, self.position, self.board, self.catalogue)
        raw = Raw("The position", msgspec.to_builtins(self.position))
        return check_raw(raw, self.board, self.catalogue).position

    def areas(self) -> AreaMap:
        """The Setup Areas of the position as it stands. Raises FaultsError. Rule: 9.605."""
        from asl_pbcg.campaign.areas import determine_areas

        return determine_areas(self.board, self._check())

    def along(self, ids: Iterable[str]) -> set[str]:
        """Pieces with all that goes along: what they possess and tow, whom they guard and carry.

        With a piece that is not placed yet goes what it had and what is not placed either.
        """
        return along(ids, self._by_id(), self.known)

    def _by_id(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.entries()}

    def is_of_the_ob(self, id: str) -> bool:
        """Whether a piece was in an OB before this draft; always without a campaign."""
        return self.state is None or id in self.known

    def is_on_record(self, part: Ground) -> bool:
        """Whether a pillbox is on record and stands nowhere yet; true of all that play can bring.

        Nobody builds a pillbox in play; another Fortification may be one that was bought in secret.
        """
        if self.state is None or not isinstance(part, Fortification):
            return True
        if part.kind is not FortificationKind.PILLBOX:
            return True
        known = [each.at for each in self.known_works if each.kind is part.kind]
        placed = [each.at for each in self.position.fortifications if each.kind is part.kind]
        many = len(set(filter(None, known))) + known.count("")
        return part.at not in placed and len(placed) < many

    # -- changing ------------------------------------------------------------------------

    def _change(self, **fields: Any) -> None:
        new = msgspec.structs.replace(self.position, **fields)
        placed = {entry.id for entry in entries_of(new)}
        gone = tuple(dict.fromkeys(id for id in new.eliminated if id not in placed))
        self.past.change(msgspec.structs.replace(new, eliminated=gone))

    def place_of(self, text: str) -> str:
        """A place as positions write it. Raises PBCGError."""
        try:
            return str(read_place(text, self.board))
        except Wrong as error:
            areas = {piece.area for piece in self.state.pieces} if self.state else set()
            entry = next((each for each in areas if text in (each, f"off-map {each}")), "")
            if entry:
                raise PBCGError(
                    f"{entry} is no Entry Area: leave out what comes on there and has not entered. "
                    "The Refit Phase asks which pieces never entered (CG16)."
                ) from error
            raise PBCGError(f"{text} {error.wrong}.") from error

    def place(
        self,
        type: str,
        side: Side,
        at: str,
        count: int = 1,
        status: Iterable[str] = (),
        maker: Side | None = None,
    ) -> list[str]:
        """Place ``count`` pieces of a type: the likeliest of those not placed yet, else new ones.

        ``maker`` is the side whose counter captured Equipment is. Gives their ids. Raises
        PBCGError for a place or type that is none.
        """
        place = self.place_of(at)
        maker = maker or side
        found = self.catalogue.get(type, maker)
        section = section_of(found)
        told = tuple(status)
        if section != "units" and maker is not side:
            told = tuple(dict.fromkeys([*told, "captured"]))
        wanted = [
            Wanted(f"{number}", section, type, maker, place, told, kind=found.kind)
            for number in range(count)
        ]
        waiting = self.pieces_to_place()
        far = self._how_far(waiting, place)
        ids = match(wanted, waiting, self.board, self.catalogue, far=far).ids
        made = Ids(self.state, (entry.id for entry in self.entries()))
        before = to_position(self.state, everything=True) if self.state else None
        position = self.position
        given = []
        for each in wanted:
            id = ids[each.key] or made.next(maker, type)
            given.append(id)
            old = entry_of(before, id)
            position = with_entry(
                position, section, made_entry(section, old, id, side, type, place, told)
            )
        self._change(**{section: getattr(position, section)})
        return given

    def _how_far(self, waiting: Iterable[Piece], place: str) -> dict[str, int]:
        """How far from a place the company of each piece is that stands nowhere yet.

        It is where its zone of the Initial Scenario is, and where others of it are placed already.
        Rule: 9.51, 9.52.
        """
        state, to = self.state, Location.parse(place)
        if state is None or not to.on_map:
            return {}
        companies: dict[tuple[Side, str], list[str]] = {}
        known = {piece.id: piece for piece in state.pieces}
        for entry in self.entries():
            piece, at = known.get(entry.id), Location.parse(entry.at)
            if piece is not None and piece.formation and at.on_map:
                companies.setdefault((piece.side, piece.formation), []).append(at.hex)
        initial = state.charts.initial.get(state.campaign)
        for group in initial.groups if initial and state.determined is None else ():
            zone = zone_hexes(group.zone, self.board).names
            companies.setdefault((group.side, group.formation), []).extend(zone)
        nearest = {
            company: min(self.board.distance(to.hex, each) for each in hexes)
            for company, hexes in companies.items()
            if hexes
        }
        return {
            piece.id: nearest[piece.side, piece.formation]
            for piece in waiting
            if not piece.at and (piece.side, piece.formation) in nearest
        }

    def move(self, id: str, at: str) -> None:
        """Move a piece; what it possesses, tows and guards and who is aboard go with it."""
        self.entry(id)
        self.put([id], at)

    def put(self, ids: Iterable[str], at: str) -> None:
        """Put pieces in a Location, those not placed yet as they were last; all goes along.

        What leaves its possessor or towing vehicle is no longer possessed or towed, who leaves his
        vehicle no longer aboard. Raises PBCGError for a piece that is none and a place that is
        none.
        """
        place = self.place_of(at)
        placed = self._by_id()
        moving = self.along(ids)
        for id in sorted(moving - set(placed) - set(self.known)):
            raise PBCGError(f"{id} is no piece that can be placed.")
        new = [entry for id, entry in self.known.items() if id in moving and id not in placed]
        changed: dict[str, tuple[Entry, ...]] = {}
        for name in SECTIONS:
            listed: list[Entry] = [*getattr(self.position, name)]
            listed += [each for each in new if section_of_entry(each) == name]
            changed[name] = tuple(
                move_entry(entry, place, moving, placed)
                if entry.id in moving
                else leave_behind(entry, place, moving)
                for entry in listed
            )
        self._change(**changed)

    def face(self, id: str, facing: str) -> None:
        """Turn a Gun (CA) or a vehicle (VCA). Raises PBCGError."""
        entry = self.entry(id)
        name = {"equipment": "ca", "vehicles": "vca"}.get(section_of_entry(entry))
        if name is None:
            raise PBCGError(f"{id} has no facing: only Guns and vehicles have one.")
        try:
            new = msgspec.convert({**msgspec.to_builtins(entry), name: facing}, type(entry))
        except msgspec.ValidationError as error:
            raise PBCGError(f"{facing} is no facing: write two hexes, as Y22/Z22.") from error
        self._each(lambda each: new if each.id == id else each)

    def replace(self, position: Position) -> None:
        """Go on with another position; it can be taken back."""
        self._change(**{name: getattr(position, name) for name in position.__struct_fields__})

    def set_status(
        self, ids: Iterable[str], add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> None:
        """Say what is true of pieces, and what no longer is. Raises PBCGError."""
        wanted = dict.fromkeys(ids)
        for id in wanted:
            self.entry(id)
        add, remove = list(add), set(remove)

        def change_entry(entry: Entry) -> Entry:
            if entry.id not in wanted:
                return entry
            kept = [str(each) for each in entry.status if str(each) not in remove]
            data = msgspec.to_builtins(entry)
            data["status"] = list(dict.fromkeys([*kept, *add]))
            if "prisoner" not in data["status"]:
                data.pop("guarded_by", None)  # nobody guards who is free
            try:
                made: Entry = msgspec.convert(data, type(entry))
            except msgspec.ValidationError as error:
                raise PBCGError(f"{', '.join(add)} cannot be true of {entry.id}.") from error
            return made

        self._each(change_entry)

    def give(self, holder: str, piece: str) -> None:
        """Let a unit possess a SW or Gun, which goes to its Location. Raises PBCGError."""
        unit, weapon = self.entry(holder), self.entry(piece)
        if not isinstance(unit, UnitEntry) or not isinstance(weapon, EquipmentEntry):
            raise PBCGError(f"{holder} cannot possess {piece}: a unit possesses a SW or Gun.")
        new = give_to(weapon, unit)
        if any(piece in each.tows and each.at != unit.at for each in self.position.vehicles):
            new = unhook(new)
        self._each(lambda entry: tie(entry, holder, "possesses", new))

    def tow(self, vehicle: str, gun: str) -> None:
        """Let a vehicle tow a Gun, which goes to its Location. Raises PBCGError. Rule: C10.1."""
        by, piece = self.entry(vehicle), self.entry(gun)
        if (
            not isinstance(by, VehicleEntry)
            or not isinstance(piece, EquipmentEntry)
            or (self._kind(piece) != "gun")
        ):
            raise PBCGError(f"{vehicle} cannot tow {gun}: a vehicle tows a Gun.")
        new = hook(give_to(piece, by))
        self._each(lambda entry: tie(entry, vehicle, "tows", new))

    def board_vehicle(self, ids: Iterable[str], vehicle: str) -> None:
        """Let units be aboard a vehicle, with what they possess. Raises PBCGError. Rule: D6.1."""
        by, units = self.entry(vehicle), dict.fromkeys(ids)
        for id in units:
            unit = self.entry(id)
            if not isinstance(unit, UnitEntry) or not isinstance(by, VehicleEntry):
                raise PBCGError(f"{id} cannot be aboard {vehicle}: a unit is aboard a vehicle.")
            if unit.side is not by.side and UnitStatus.PRISONER not in unit.status:
                raise PBCGError(f"{id} cannot be aboard {vehicle}, which is the enemy's.")
        with self.past.one_change():
            self.put(units, by.at)
            self._each(
                lambda entry: (
                    msgspec.structs.replace(entry, aboard=vehicle, climbing_to="")
                    if entry.id in units
                    else entry
                )
            )

    def guard(self, prisoner: str, guard: str) -> None:
        """Make a unit the prisoner of another. Raises PBCGError."""
        unit = self.entry(prisoner)
        if not isinstance(unit, UnitEntry) or not isinstance(self.entry(guard), UnitEntry):
            raise PBCGError("A unit guards a unit.")
        data = msgspec.to_builtins(unit)
        data["status"] = list(dict.fromkeys([*data.get("status", ()), "prisoner"]))
        data |= {"guarded_by": guard, "at": self.entry(guard).at}
        new = msgspec.convert(data, UnitEntry)
        self._each(lambda entry: new if entry.id == prisoner else entry)

    def _each(self, changed: Any) -> None:
        self._change(
            **{name: tuple(changed(e) for e in getattr(self.position, name)) for name in SECTIONS}
        )

    def take_off(self, ids: Iterable[str]) -> None:
        """Take pieces off the map again; they are not placed then. Raises PBCGError."""
        gone = dict.fromkeys(ids)
        for id in gone:
            if id not in self.position.eliminated:
                self.entry(id)
        kept = tuple(id for id in self.position.eliminated if id not in gone)
        self._change(**self._without(gone), eliminated=kept)

    def eliminate(self, ids: Iterable[str]) -> None:
        """Say that pieces were Eliminated in play. Raises PBCGError. Rule: 9.2 Eliminated."""
        gone = dict.fromkeys(ids)
        placed = self._by_id()
        for id in gone:
            if id not in placed and id not in self.known:
                raise PBCGError(f"{id} is no piece that can be placed.")
        self._change(**self._without(gone), eliminated=(*self.position.eliminated, *gone))

    def _without(self, gone: Mapping[str, None]) -> dict[str, Any]:
        return {
            name: tuple(
                part_from(e, gone) for e in getattr(self.position, name) if e.id not in gone
            )
            for name in SECTIONS
        }

    def set_control(self, side: Side | None, places: Iterable[str]) -> None:
        """Say who Controls Locations; None is nobody. Raises PBCGError."""
        named = [self.place_of(place) for place in places]
        held = {
            each: [p for p in self.position.control.of(each) if p not in named] for each in Side
        }
        if side is not None:
            held[side] += named
        self._change(control=self._order(held))

    def _order(self, held: dict[Side, list[str]]) -> Control:
        def order(place: str) -> tuple[int, str]:
            return self.board.grid.index(Location.parse(place).hex), place

        return Control(
            british=tuple(sorted(held[Side.BRITISH], key=order)),
            german=tuple(sorted(held[Side.GERMAN], key=order)),
        )

    def infer_control(self) -> tuple[str, ...]:
        """Let who stands where gain Control of it; gives what changed. Rule: 9.605, A26.11."""
        from asl_pbcg.campaign.occupation import infer_control

        found = infer_control(self.position, self.position.control, self.board, self.catalogue)
        changed = tuple(place for side in Side for place in found.gained[side])
        self._change(control=found.control)
        return (*changed, *found.dropped)

    def add_ground(self, part: Ground) -> None:
        """Put a glider, Fortification or terrain change on the map.

        Raises PBCGError for a Fortification in ground that cannot take it. Rule: B26-B30.
        """
        name = ground_of(part)
        if isinstance(part, Fortification):
            barred = fortification_refusal(self.board, self.position.terrain, part)
            if barred:
                ground, rule = barred
                raise PBCGError(f"{part.at} has {ground}: no {part.kind} can be there ({rule}).")
        self._change(**{name: (*getattr(self.position, name), part)})

    def remove_ground(self, kind: str, at: str) -> None:
        """Take a glider, Fortification or terrain change off. Raises PBCGError."""
        place = self.place_of(at)
        for name in ("gliders", "fortifications", "terrain"):
            listed = getattr(self.position, name)
            for part in listed:
                own = str(getattr(part, "kind", "glider"))
                if (own, part.at) == (kind, place):
                    self._change(**{name: tuple(each for each in listed if each is not part)})
                    return
        raise PBCGError(f"There is no {kind} in {at}.")

    def from_last(self) -> int:
        """Put everything not placed yet where it was last; gives how many that were."""
        if self.state is None:
            raise PBCGError("There is no last position without a campaign.")
        placed = self._by_id()
        waiting = [
            drop_claims(each, placed)
            for each in self.known.values()
            if each.at and each.id not in placed and each.id not in self.position.eliminated
        ]
        added = {
            name: (
                *getattr(self.position, name),
                *(entry for entry in waiting if section_of_entry(entry) == name),
            )
            for name in SECTIONS
        }
        count = sum(len(added[name]) - len(getattr(self.position, name)) for name in SECTIONS)
        self._change(**added)
        return count

    def strategic(self) -> StrategicLocations:
        """The Strategic Locations as the position stands. Rule: 9.2."""
        return StrategicLocations(self.position, self.board, self.catalogue)

    def can_hold(self, entry: Entry) -> bool:
        """Whether an entry is an MMC that may possess a SW or Gun."""
        return isinstance(entry, UnitEntry) and self._kind(entry) in MMC

    def is_armor_leader(self, entry: Entry) -> bool:
        """Whether an entry is an Armor Leader, who is part of a vehicle's crew. Rule: D3.4."""
        return self._kind(entry) == "armor_leader"

    def _kind(self, entry: Entry) -> str:
        side = entry.side if isinstance(entry, UnitEntry) else entry.type_side
        found = self.catalogue.find(entry.type, side)
        return found.kind if found else ""
