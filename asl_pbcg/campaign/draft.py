"""A position while it is made: every change is a new position, so any of them can be taken back.

Terminal and browser edit the same draft: place by count, move, statuses, Control, from the last
position; what is not placed yet, faults and Setup Areas are there at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.catalogue import MMC, Catalogue
from asl_pbcg.campaign.draft_entries import (
    SECTIONS,
    Entry,
    Ground,
    at_place,
    entries_of,
    entry_of,
    ground_of,
    section_of,
    section_of_entry,
    with_entry,
)
from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.matching import Wanted, match, sections_of
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import FORMAT, Control, Equipment, Position, Unit, Vehicle
from asl_pbcg.campaign.position_check import check_raw
from asl_pbcg.campaign.position_fields import read_place
from asl_pbcg.campaign.position_raw import Raw
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import Wrong

if TYPE_CHECKING:
    from asl_pbcg.campaign.area_map import AreaMap
    from asl_pbcg.campaign.board import Board

MOST_STEPS = 300
"""So many changes can be taken back."""


class Draft:
    """The position as it stands, what it was before, and what is not placed yet.

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
        self._past: list[Position] = []
        self._future: list[Position] = []
        self.position = start

    # -- looking -------------------------------------------------------------------------

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
        placed = {entry.id for entry in self.entries()}
        return [
            piece
            for piece in (self.state.pieces if self.state else ())
            if piece.id not in placed and sections_of(piece) and side in (None, piece.side)
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
        placed = {entry.id: entry for entry in self.entries()}
        found: set[str] = set()
        left = list(ids)
        while left:
            id = left.pop()
            if id in found:
                continue
            found.add(id)
            entry = placed.get(id) or self.known.get(id)
            own = [*getattr(entry, "possesses", ()), *getattr(entry, "tows", ())]
            left += own if id in placed else [each for each in own if each not in placed]
            left += [
                each.id
                for each in placed.values()
                if id in (getattr(each, "aboard", ""), getattr(each, "guarded_by", ""))
            ]
        return found

    # -- changing ------------------------------------------------------------------------

    def _change(self, **fields: Any) -> None:
        self._past = [*self._past[1 - MOST_STEPS :], self.position]
        self._future.clear()
        self.position = msgspec.structs.replace(self.position, **fields)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back that can be made again."""
        return bool(self._future)

    def undo(self) -> None:
        """Take the last change back. Raises PBCGError if there is none."""
        if not self._past:
            raise PBCGError("There is nothing to take back.")
        self._future.append(self.position)
        self.position = self._past.pop()

    def redo(self) -> None:
        """Make the change again that was taken back last. Raises PBCGError if there is none."""
        if not self._future:
            raise PBCGError("Nothing has been taken back.")
        self._past.append(self.position)
        self.position = self._future.pop()

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Let all changes within be one, to be taken back at once; none of them if one fails."""
        before, past, future = self.position, list(self._past), list(self._future)
        try:
            yield
        except PBCGError:
            self.position, self._past, self._future = before, past, future
            raise
        self._past = [*past, before] if self.position is not before else past

    def place_of(self, text: str) -> str:
        """A place as positions write it. Raises PBCGError."""
        try:
            return str(read_place(text, self.board))
        except Wrong as error:
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
        ids = match(wanted, self.pieces_to_place(), self.board, self.catalogue).ids
        made = Ids(self.state, (entry.id for entry in self.entries()))
        before = to_position(self.state, everything=True) if self.state else None
        position = self.position
        given = []
        for each in wanted:
            id = ids[each.key] or made.next(maker, type)
            given.append(id)
            old = entry_of(before, id)
            position = with_entry(
                position, section, self._entry(section, old, id, side, type, place, told)
            )
        self._change(**{section: getattr(position, section)})
        return given

    def _entry(
        self,
        section: str,
        old: Entry | None,
        id: str,
        side: Side,
        type: str,
        at: str,
        status: tuple[str, ...],
    ) -> Entry:
        part = {"units": Unit, "equipment": Equipment, "vehicles": Vehicle}[section]
        data: dict[str, Any] = msgspec.to_builtins(old) if old else {}
        lasting = [each for each in data.get("status", ()) if each == "walking-wounded"]
        data |= {
            "id": id,
            "side": side.value,
            "type": type,
            "at": at,
            "status": list(dict.fromkeys([*lasting, *status])),
        }
        for name in ("possesses", "aboard", "guarded_by", "climbing_to", "tows", "bypass"):
            data.pop(name, None)
        try:
            entry: Entry = msgspec.convert(data, part)
        except msgspec.ValidationError as error:
            raise PBCGError(f"{type}: {', '.join(status)} cannot be true of it.") from error
        return entry

    def move(self, id: str, at: str) -> None:
        """Move a piece; what it possesses, tows and guards and who is aboard go with it."""
        self.entry(id)
        self.put([id], at)

    def put(self, ids: Iterable[str], at: str) -> None:
        """Put pieces in a Location, those not placed yet as they were last; all goes along.

        A SW that leaves its possessor is no longer possessed. Raises PBCGError for a piece that
        is none and a place that is none.
        """
        place = self.place_of(at)
        placed = {entry.id for entry in self.entries()}
        moving = self.along(ids)
        for id in sorted(moving - placed - set(self.known)):
            raise PBCGError(f"{id} is no piece that can be placed.")
        new = [self._as_last(entry, moving) for id, entry in self.known.items() if id in moving]
        changed: dict[str, tuple[Entry, ...]] = {}
        for name in SECTIONS:
            listed: list[Entry] = [*getattr(self.position, name)]
            listed += [each for each in new if section_of_entry(each) == name
                       and each.id not in placed]  # fmt: skip
            changed[name] = tuple(
                at_place(entry, place)
                if entry.id in moving
                else self._without(entry, moving, place)
                for entry in listed
            )
        self._change(**changed)

    def _as_last(self, entry: Entry, moving: set[str]) -> Entry:
        if isinstance(entry, Unit):
            kept = tuple(id for id in entry.possesses if id in moving)
            return msgspec.structs.replace(entry, possesses=kept)
        return entry

    def _without(self, entry: Entry, gone: set[str], place: str) -> Entry:
        if isinstance(entry, Unit) and entry.at != place and gone & {*entry.possesses}:
            kept = tuple(id for id in entry.possesses if id not in gone)
            return msgspec.structs.replace(entry, possesses=kept)
        return entry

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
        if not isinstance(unit, Unit) or not isinstance(weapon, Equipment):
            raise PBCGError(f"{holder} cannot possess {piece}: a unit possesses a SW or Gun.")
        status = [str(each) for each in weapon.status if str(each) != "captured"]
        if weapon.type_side is not unit.side:
            status.append("captured")
        new = msgspec.convert(
            {
                **msgspec.to_builtins(weapon),
                "side": unit.side.value,
                "at": unit.at,
                "status": status,
            },
            Equipment,
        )

        def change_entry(entry: Entry) -> Entry:
            if entry.id == piece:
                return new
            if isinstance(entry, Unit):
                held = tuple(id for id in entry.possesses if id != piece)
                held += (piece,) if entry.id == holder else ()
                return msgspec.structs.replace(entry, possesses=held)
            return entry

        self._each(change_entry)

    def guard(self, prisoner: str, guard: str) -> None:
        """Make a unit the prisoner of another. Raises PBCGError."""
        unit = self.entry(prisoner)
        if not isinstance(unit, Unit) or not isinstance(self.entry(guard), Unit):
            raise PBCGError("A unit guards a unit.")
        data = msgspec.to_builtins(unit)
        data["status"] = list(dict.fromkeys([*data.get("status", ()), "prisoner"]))
        data |= {"guarded_by": guard, "at": self.entry(guard).at}
        new = msgspec.convert(data, Unit)
        self._each(lambda entry: new if entry.id == prisoner else entry)

    def _each(self, changed: Any) -> None:
        self._change(
            **{name: tuple(changed(e) for e in getattr(self.position, name)) for name in SECTIONS}
        )

    def take_off(self, ids: Iterable[str]) -> None:
        """Take pieces off the map again; they are not placed then. Raises PBCGError."""
        gone = dict.fromkeys(ids)
        for id in gone:
            self.entry(id)

        def without(entry: Entry) -> Entry:
            if isinstance(entry, Unit):
                held = tuple(id for id in entry.possesses if id not in gone)
                return msgspec.structs.replace(entry, possesses=held)
            return entry

        self._change(
            **{
                name: tuple(without(e) for e in getattr(self.position, name) if e.id not in gone)
                for name in SECTIONS
            }
        )

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
        """Put a glider, Fortification or terrain change on the map."""
        name = ground_of(part)
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
        placed = {entry.id for entry in self.entries()}
        waiting = [each for each in self.known.values() if each.at and each.id not in placed]
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
        found = self.catalogue.find(entry.type, entry.side)
        return isinstance(entry, Unit) and found is not None and found.kind in MMC
