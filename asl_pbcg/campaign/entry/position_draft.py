"""A position in the making: a short list of edits, each of which can be undone and redone.

Terminal and browser edit the same draft. Unplaced pieces, faults and Setup Areas are available at
any time. An edit that is not possible raises PBCGError and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import msgspec

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations, infer_control
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.piece_ties import drop_claims, give_to, move_piece, tie, with_company
from asl_pbcg.campaign.entry.position_check import check_position
from asl_pbcg.campaign.entry.position_raw import read_field
from asl_pbcg.campaign.entry.position_rules import OF_THE_ENEMY
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import MMC, Catalogue
from asl_pbcg.campaign.module.fortification_ground import barred_words
from asl_pbcg.campaign.position import (
    FACINGS,
    FORMAT,
    LISTS,
    EquipmentEntry,
    Fortification,
    Glider,
    PieceEntry,
    Position,
    Terrain,
    UnitEntry,
)
from asl_pbcg.campaign.position_words import (
    ELIMINATED,
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
)
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_changes import Ids
from asl_pbcg.campaign.state.piece_matching import Wanted, company_distances, match
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.campaign.state.pieces import CLASSES, Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import nearest

MAX_UNDO: Final = 300
"""So many edits can be undone."""


class History:
    """The position ``now``, those before it, and those that were undone."""

    def __init__(self, now: Position) -> None:
        self._positions = [now]
        self._at = 0

    @property
    def now(self) -> Position:
        """The position as it stands."""
        return self._positions[self._at]

    def change(self, to: Position) -> None:
        """Go on with another position."""
        self._positions = [*self._positions[: self._at + 1], to][-MAX_UNDO - 1 :]
        self._at = len(self._positions) - 1

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether an edit was undone that can be made again."""
        return self._at + 1 < len(self._positions)

    def undo(self) -> None:
        """Undo the last edit. Raises PBCGError if there is none."""
        if not self.can_undo:
            raise PBCGError("There is nothing to undo.")
        self._at -= 1

    def redo(self) -> None:
        """Make the edit again that was undone last. Raises PBCGError if there is none."""
        if not self.can_redo:
            raise PBCGError("There is nothing to redo.")
        self._at += 1

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Let all edits within be one, to be undone at once; none of them if one fails."""
        positions, at = self._positions, self._at
        try:
            yield
            now = self.now
        except PBCGError:
            self._positions, self._at = positions, at
            raise
        self._positions, self._at = positions, at
        if now is not self.now:
            self.change(now)


Ground = Glider | Fortification | Terrain
_GROUND = ("gliders", "fortifications", "terrain")
GROUND_KINDS: Final = ("glider", *map(str, FortificationKind), *map(str, TerrainKind))
"""The things an order may put on the ground."""


class Draft:
    """A position as it stands, what it was before (``past``), and what is not placed yet.

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
        known: Iterable[PieceEntry] | None = None,
    ) -> None:
        self.state = state
        self.board = board
        self.catalogue = catalogue
        if known is None:
            known = to_position(state, everything=True).pieces if state else ()
        self.known: Mapping[str, PieceEntry] = {piece.id: piece for piece in known}
        if position is None and state is not None:
            # What stood on the ground and who Controlled what is there until somebody says so.
            last = to_position(state)
            kept = {name: getattr(last, name) for name in ("control", *_GROUND)}
            position = Position(format=FORMAT, date=date or state.date, **kept)
        self.past = History(position or Position(format=FORMAT, date=date or CGDate.NIGHT_1))
        self.known_works = [
            *self.position.fortifications, *(state.fortifications if state else ())
        ]  # fmt: skip
        """The Fortifications on record, those without a place too."""
        self.viewers: Sequence[Side] = ()
        """The sides that work at it, of which ``state`` is the campaign as they know it; none is
        the umpire."""

    # -- queries -------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self.past.now

    def entry(self, id: str) -> PieceEntry:
        """Return the piece ``id`` as it stands. Raises PBCGError if it is not placed."""
        for piece in self.position.pieces:
            if piece.id == id:
                return piece
        raise PBCGError(f"{short_name(id)} is not placed.")

    def at(self, place: str) -> list[PieceEntry]:
        """Return the pieces placed in a Location."""
        return [piece for piece in self.position.pieces if piece.at == place]

    def pieces_to_place(self, side: Side | None = None) -> list[Piece]:
        """Return the pieces of the campaign that are not placed yet."""
        done = {*self._pieces_by_id(), *self.position.eliminated}
        return [
            piece
            for piece in (self.state.pieces if self.state else ())
            if piece.id not in done and piece.section and side in (None, piece.side)
        ]

    def faults(self) -> list[Fault]:
        """Return all that is wrong with the position as it stands."""
        try:
            self._check()
        except FaultsError as error:
            return list(error.faults)
        return []

    def remarks(self) -> tuple[str, ...]:
        """Return what is worth a second look in a position without faults."""
        with suppress(FaultsError):
            return check_position(self.position, self.board, self.catalogue).remarks
        return ()

    def _check(self) -> Position:
        if self.state is not None:
            return settle_position(self.state, self.position, viewers=self.viewers)
        return check_position(self.position, self.board, self.catalogue).position

    def areas(self) -> AreaMap:
        """Return the Setup Areas as the position stands. Raises FaultsError. Rule: 9.605."""
        return determine_areas(self.board, self._check())

    def strategic(self) -> StrategicLocations:
        """Return the Strategic Locations as the position stands. Rule: 9.2."""
        return StrategicLocations(self.position, self.board, self.catalogue)

    def along(self, ids: Iterable[str]) -> set[str]:
        """Return pieces with all that goes along: what they possess, tow, guard and carry.

        With a piece that is not placed yet goes what it had and what is not placed either.
        """
        return with_company(ids, self._pieces_by_id(), self.known)

    def _pieces_by_id(self) -> dict[str, PieceEntry]:
        return {piece.id: piece for piece in self.position.pieces}

    def is_of_the_ob(self, id: str) -> bool:
        """Whether a piece was in an OB before this draft; always without a campaign."""
        return self.state is None or id in self.known

    def is_on_record(self, part: Ground) -> bool:
        """Return whether a pillbox is on record and not placed yet; True for any other ground.

        No player builds a pillbox in play; another Fortification may have been bought in secret.
        """
        if self.state is None or getattr(part, "kind", None) is not FortificationKind.PILLBOX:
            return True
        pillboxes = [work.at for work in self.known_works if work.kind is FortificationKind.PILLBOX]
        works = self.position.fortifications
        placed = [work.at for work in works if work.kind is FortificationKind.PILLBOX]
        many = len(set(filter(None, pillboxes))) + pillboxes.count("")
        return part.at not in placed and len(placed) < many

    def kind(self, piece: PieceEntry) -> str:
        """Return the kind of a piece in the catalogue; empty for a type that it does not list."""
        return self.catalogue.kind(piece.type, piece.maker)

    def can_hold(self, piece: PieceEntry) -> bool:
        """Whether a piece is an MMC that may possess a SW or Gun."""
        return self.kind(piece) in MMC

    def place_of(self, text: str) -> str:
        """Return a place as positions write it. Raises PBCGError."""
        try:
            return str(self._read(UnitEntry, "at", text))
        except PBCGError as error:
            areas = {piece.area for piece in self.state.pieces} if self.state else set()
            entry = next((area for area in areas if text in (area, f"off-map {area}")), "")
            if entry:
                raise PBCGError(
                    f"{entry} is not an Entry Area: leave out what comes on there and has not "
                    "entered. The Refit Phase asks which pieces never entered (CG16)."
                ) from error
            raise

    def _read(self, part: type[msgspec.Struct], key: str, value: object) -> Any:
        """Return a value of an entry, read as in a file. Raises PBCGError with a file's words."""
        return read_field(value, part, key, self.board, self.catalogue)

    # -- edits of pieces -----------------------------------------------------------------

    def _change(self, pieces: Iterable[PieceEntry] | None = None, **fields: Any) -> None:
        new = msgspec.structs.replace(self.position, **fields)
        if pieces is not None:
            new = new.with_pieces(pieces)
        placed = {piece.id for piece in new.pieces}
        gone = tuple(dict.fromkeys(id for id in new.eliminated if id not in placed))
        self.past.change(msgspec.structs.replace(new, eliminated=gone))

    def _change_each(self, change: Callable[[PieceEntry], PieceEntry]) -> None:
        self._change(map(change, self.position.pieces))

    def replace(self, position: Position) -> None:
        """Go on with another position."""
        self._change(**msgspec.structs.asdict(position))

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

        ``maker`` is the side whose counter captured Equipment is. Return their ids.
        """
        place = self.place_of(at)
        maker = maker or side
        kind = self.catalogue.get(type, maker).kind
        section = CLASSES[kind].section
        statuses = tuple(status)
        if section != "units" and maker is not side:
            statuses = tuple(dict.fromkeys([*statuses, "captured"]))
        wanted = [
            Wanted(f"{number}", section, type, maker, place, statuses, kind=kind)
            for number in range(count)
        ]
        waiting = self.pieces_to_place()
        far = company_distances(self.state, self.position, place) if self.state else {}
        ids = match(wanted, waiting, self.board, self.catalogue, far=far).ids
        made = Ids(self.state, self._pieces_by_id())
        placed = [ids[piece.key] or made.next(maker, type) for piece in wanted]
        facts = {"side": side, "type": type, "at": place}
        new = [self._new_piece(section, {"id": id, **facts}, statuses) for id in placed]
        self._change((*self.position.pieces, *new))
        return placed

    def _new_piece(self, section: str, facts: dict[str, Any], status: Iterable[str]) -> PieceEntry:
        """Return a piece newly placed: as it was last, but alone and with these statuses."""
        old, part = self.known.get(facts["id"]), LISTS[section]
        before: dict[str, Any] = msgspec.structs.asdict(old) if old else {}
        for name in ("possesses", "aboard", "guarded_by", "climbing_to", "tows", "bypass"):
            before.pop(name, None)
        lasting = [word for word in before.get("status", ()) if word == "walking-wounded"]
        listed = [*dict.fromkeys(map(str, [*lasting, *status]))]
        made: Any = part(**{**before, **facts, "status": self._read(part, "status", listed)})
        return cast(PieceEntry, made)

    def put(self, ids: Iterable[str], at: str) -> None:
        """Put pieces in a Location, those not placed yet as they were last; all goes along.

        What leaves its possessor or towing vehicle is no longer possessed or towed, a unit that
        leaves its vehicle no longer aboard.
        """
        place = self.place_of(at)
        placed = self._pieces_by_id()
        moving = self.along(ids)
        for id in sorted(moving - set(placed) - set(self.known)):
            raise PBCGError(f"{short_name(id)} is not a piece that can be placed.")
        new = [piece for id, piece in self.known.items() if id in moving and id not in placed]

        def change(piece: PieceEntry) -> PieceEntry:
            if piece.id in moving:
                return move_piece(piece, place, moving, placed)
            return piece if piece.at == place else piece.without(*moving)

        self._change(map(change, (*placed.values(), *new)))

    def from_last(self) -> int:
        """Put everything not placed yet where it was last; return how many that were."""
        if self.state is None:
            raise PBCGError("There is no last position without a campaign.")
        placed = self._pieces_by_id()
        done = {*placed, *self.position.eliminated}
        waiting = [piece for piece in self.known.values() if piece.at and piece.id not in done]
        self._change((*placed.values(), *(drop_claims(piece, placed) for piece in waiting)))
        return len(waiting)

    def take_off(self, ids: Iterable[str]) -> None:
        """Take pieces off the map again, or from the Eliminated; they are not placed then."""
        gone = dict.fromkeys(ids)
        for id in gone:
            if id not in self.position.eliminated:
                self.entry(id)
        kept = tuple(id for id in self.position.eliminated if id not in gone)
        self._change(self._others(gone), eliminated=kept)

    def eliminate(self, ids: Iterable[str]) -> None:
        """Say that pieces were Eliminated in play. Rule: 9.2 Eliminated."""
        gone = dict.fromkeys(ids)
        placed = self._pieces_by_id()
        for id in gone:
            if id not in placed and id not in self.known:
                raise PBCGError(f"{short_name(id)} is not a piece that can be placed.")
        self._change(self._others(gone), eliminated=(*self.position.eliminated, *gone))

    def _others(self, gone: Mapping[str, None]) -> list[PieceEntry]:
        return [piece.without(*gone) for piece in self.position.pieces if piece.id not in gone]

    def face(self, id: str, facing: str) -> None:
        """Turn a Gun (CA) or a vehicle (VCA)."""
        piece = self.entry(id)
        if not (names := FACINGS[piece.section]):
            raise PBCGError(f"{name_piece(piece)} has no facing: only Guns and vehicles have one.")
        turned = {names[0]: self._read(type(piece), names[0], facing)}
        new = msgspec.structs.replace(piece, **turned)
        self._change_each(lambda entry: new if entry.id == id else entry)

    def set_status(
        self, ids: Iterable[str], add: Sequence[str] = (), remove: Iterable[str] = ()
    ) -> None:
        """Say what is true of pieces, and what no longer is."""
        changed = dict.fromkeys(ids)
        for id in changed:
            self.entry(id)
        if ELIMINATED in add:
            self.eliminate(changed)
            return
        remove = set(remove)

        def change(piece: PieceEntry) -> PieceEntry:
            if piece.id not in changed:
                return piece
            kept = [str(status) for status in piece.status if str(status) not in remove]
            listed = list(dict.fromkeys([*kept, *add]))
            now = {"status": self._read(type(piece), "status", listed)}
            if piece.guarded_by and "prisoner" not in listed:
                now["guarded_by"] = ""  # a free unit has no Guard
            return msgspec.structs.replace(piece, **now)

        self._change_each(change)

    def give(self, holder: str, piece: str) -> None:
        """Let a unit possess a SW or Gun, which goes to its Location."""
        unit, weapon = self.entry(holder), self.entry(piece)
        if not isinstance(unit, UnitEntry) or not isinstance(weapon, EquipmentEntry):
            raise PBCGError(
                f"{name_piece(unit)} cannot possess {name_piece(weapon)}: a unit possesses a "
                "SW or Gun."
            )
        new = give_to(weapon, unit)
        if any(piece in mover.tows and mover.at != unit.at for mover in self.position.vehicles):
            new = new.without_status(EquipmentStatus.HOOKED)
        self._change_each(lambda entry: tie(entry, holder, "possesses", new))

    def tow(self, vehicle: str, gun: str) -> None:
        """Let a vehicle tow a Gun, which goes to its Location. Rule: C10.1."""
        by, piece = self.entry(vehicle), self.entry(gun)
        is_gun = isinstance(piece, EquipmentEntry) and self.kind(piece) == "gun"
        if not by.is_vehicle or not isinstance(piece, EquipmentEntry) or not is_gun:
            raise PBCGError(
                f"{name_piece(by)} cannot tow {name_piece(piece)}: a vehicle tows a Gun."
            )
        new = give_to(piece, by, hooked=True)
        self._change_each(lambda entry: tie(entry, vehicle, "tows", new))

    def board_vehicle(self, ids: Iterable[str], vehicle: str) -> None:
        """Let units be aboard a vehicle, with what they possess. Rule: D6.1."""
        by, units = self.entry(vehicle), dict.fromkeys(ids)
        for id in units:
            unit = self.entry(id)
            if not isinstance(unit, UnitEntry) or not by.is_vehicle:
                raise PBCGError(
                    f"{name_piece(unit)} cannot be aboard {name_piece(by)}: a unit is aboard a "
                    "vehicle."
                )
            if unit.side is not by.side and not unit.is_prisoner:
                raise PBCGError(f"{short_name(vehicle)} {OF_THE_ENEMY}.")

        def change(piece: PieceEntry) -> PieceEntry:
            if piece.id not in units:
                return piece
            aboard: dict[str, Any] = {"aboard": vehicle, "climbing_to": ""}
            return msgspec.structs.replace(piece, **aboard)

        with self.past.one_change():
            self.put(units, by.at)
            self._change_each(change)

    def guard(self, prisoner: str, guard: str) -> None:
        """Make a unit the prisoner of another."""
        unit, by = self.entry(prisoner), self.entry(guard)
        if not isinstance(unit, UnitEntry) or not isinstance(by, UnitEntry):
            raise PBCGError("A unit guards a unit.")
        taken = unit.with_status(UnitStatus.PRISONER)
        new = msgspec.structs.replace(taken, guarded_by=guard, at=by.at)
        self._change_each(lambda entry: new if entry.id == prisoner else entry)

    # -- edits of Control and the ground -------------------------------------------------

    def set_control(self, side: Side | None, places: Iterable[str]) -> None:
        """Say who Controls Locations; None is not a side."""
        named = [self._read(Glider, "at", place) for place in places]

        def order(place: str) -> tuple[int, str]:
            return self.board.grid.index(Location.parse(place).hex), place

        control = self.position.control.give(dict.fromkeys(named, side))
        held = {holder: sorted(control.of(holder), key=order) for holder in control.sides}
        self._change(control=control.with_places(held))

    def infer_control(self) -> tuple[str, ...]:
        """Let who stands where gain Control of it; return what changed. Rule: 9.605, A26.11."""
        inferred = infer_control(self.position, self.position.control, self.board, self.catalogue)
        self._change(control=inferred.control)
        return (*(place for side in Side for place in inferred.gained[side]), *inferred.dropped)

    def add_ground(self, part: Ground) -> None:
        """Put a glider, Fortification or terrain change on the map.

        The ground must be able to take a Fortification. Rule: B26-B30.
        """
        barred = isinstance(part, Fortification) and barred_words(
            self.board, self.position.terrain, part
        )
        if barred:
            raise PBCGError(barred)
        self._change(**{part.section: (*getattr(self.position, part.section), part)})

    def remove_ground(self, kind: str, at: str) -> None:
        """Take a glider, Fortification or terrain change off the map."""
        place = self.place_of(at)
        for name in _GROUND:
            listed = getattr(self.position, name)
            for part in listed:
                if (str(getattr(part, "kind", "glider")), part.at) == (kind, place):
                    self._change(**{name: tuple(item for item in listed if item is not part)})
                    return
        raise PBCGError(f"There is no {kind} in {at}.")


def ground_part(kind: str, at: str, *, state: str = "landed", **facts: Any) -> Ground:
    """Return a glider, Fortification or terrain change of a kind; ``facts`` of a Fortification.

    Raises PBCGError for what is no such thing.
    """
    if kind == "glider":
        return Glider(at=at, state=GliderState(state))
    if kind in list(FortificationKind):
        return Fortification(kind=FortificationKind(kind), at=at, **facts)
    if kind in list(TerrainKind):
        return Terrain(kind=TerrainKind(kind), at=at)
    raise PBCGError(f"{kind} is not one of the choices{nearest(kind, GROUND_KINDS)}.")
