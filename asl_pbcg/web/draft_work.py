"""Working at a draft: orders from the page, carried out on the draft the terminal edits too.

``campaign/draft.py`` places, lets go along what goes along, and takes back; here orders are read
and the outcome is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.campaign.draft import Draft
from asl_pbcg.campaign.position import FORMAT, LISTS, Fortification, Glider, Position, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, GliderState, TerrainKind
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.web.draft import (
    first_draft,
    first_setup,
    judge,
    judge_setup,
    keep_draft,
    read_draft,
    setup_tray,
    tray,
)

if TYPE_CHECKING:
    from asl_pbcg.web.messages import DraftOrder
    from asl_pbcg.web.room import Room

HIGHEST: Final = 4
"""The highest level of a building."""


class Work:
    """The draft of a game that is being made: of the end position, or of the setup of a side.

    ``sees`` is whose eyes look: what it may not know it cannot place.
    """

    def __init__(self, room: Room, state: Campaign, sees: str, setup: Side | None) -> None:
        self.room = room
        self.state = state
        self.sees = sees
        self.setup = setup
        kept = read_draft(room.path, state, setup)
        self.number = kept.number if kept else 0
        self.position: dict[str, Any] = kept.position if kept else self._first()

    def _first(self) -> dict[str, Any]:
        return first_setup(self.state, self.setup) if self.setup else first_draft(self.state)

    def pieces(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The pieces that may be placed; for a setup where, too."""
        if self.setup:
            return setup_tray(self.state, self.setup)
        return tray(self.state, self.sees, self.is_played), []

    @property
    def is_played(self) -> bool:
        """Whether the players at a screen for both have said that the CG scenario is played."""
        return self.state.date in self.room.played

    @property
    def hides_groups(self) -> bool:
        """Whether what an RG brought is kept out of the trays until the scenario is played."""
        return not (self.setup or self.sees or self.is_played)

    def judge(self) -> dict[str, Any]:
        """What is wrong with the draft, the areas it makes, and what can be taken back."""
        if self.setup:
            found = judge_setup(self.state, self.setup, self.position)
        else:
            found = judge(self.state, self.position)
        core = self.room.drafting.get(self._key)
        return {
            "number": self.number,
            **found,
            "undo": core is not None and core.past.can_undo,
            "redo": core is not None and core.past.can_redo,
        }

    def put(self, position: dict[str, Any]) -> None:
        """Go on with another position, whatever it holds; faults are told, never refused."""
        core = self._core(must=False)
        try:
            if core:
                core.replace(_read(position))
        except PBCGError:
            self.room.drafting.pop(self._key, None)
        self._keep(position)

    def carry_out(self, orders: list[DraftOrder]) -> None:
        """Carry out orders as one change: all of them or none. Raises PBCGError."""
        if len(orders) == 1 and orders[0].do == "played":
            if not self.setup:
                self.room.played.add(self.state.date)
            self._keep(self.position)
            return
        core = self._core(must=True)
        assert core is not None
        if len(orders) == 1 and orders[0].do in ("undo", "redo"):
            core.past.undo() if orders[0].do == "undo" else core.past.redo()
        else:
            with core.past.one_change():
                for order in orders:
                    _ORDERS[order.do](core, order)
        self._keep(msgspec.json.decode(msgspec.json.encode(core.position)))

    def _keep(self, position: dict[str, Any]) -> None:
        kept = keep_draft(self.room.path, self.state, self.number + 1, position, self.setup)
        self.number, self.position = kept.number, kept.position
        if self.setup:
            self.room.setups[self.setup] = self.number
        else:
            self.room.draft = self.number

    @property
    def _key(self) -> str:
        return f"{self.state.date} {self.setup or ''}"

    def _core(self, must: bool) -> Draft | None:
        """The draft itself, as it was left; read anew where nobody has worked at it here."""
        core = self.room.drafting.get(self._key)
        known = {each["entry"]["id"]: _entry(each) for each in self.pieces()[0]}
        if core is None:
            try:
                position = _read(self.position)
            except PBCGError:
                if must:
                    raise
                return None
            core = Draft(self.state, self.state.board, self.state.catalogue, position)
            self.room.drafting.clear()
            self.room.drafting[self._key] = core
        core.known = known
        return core


def _entry(piece: dict[str, Any]) -> Any:
    """A piece that may be placed, as it was last; what stood nowhere has no place."""
    plain, at = piece["entry"], piece["entry"].get("at", "")
    found: Any = msgspec.convert({**plain, "at": at or "A1"}, LISTS[piece["section"]])
    return found if at else msgspec.structs.replace(found, at="")


def _read(position: dict[str, Any]) -> Position:
    """A draft as a position. Raises PBCGError for what cannot be one."""
    try:
        return msgspec.convert({**position, "format": FORMAT}, Position)
    except msgspec.ValidationError as error:
        raise PBCGError(
            f"The draft holds what no position can ({error}): start from a file or an empty board."
        ) from error


# -- orders ---------------------------------------------------------------------------------


def _put(draft: Draft, order: DraftOrder) -> None:
    draft.put(order.ids, order.at)


def _off(draft: Draft, order: DraftOrder) -> None:
    placed = {entry.id for entry in draft.position.pieces}
    draft.take_off(draft.along(order.ids) & placed)


def _eliminate(draft: Draft, order: DraftOrder) -> None:
    if order.on:
        draft.eliminate(order.ids)
    else:
        draft.take_off(order.ids)


def _status(draft: Draft, order: DraftOrder) -> None:
    draft.set_status(order.ids, *(([order.name], ()) if order.on else ((), [order.name])))


def _level(draft: Draft, order: DraftOrder) -> None:
    """Up or down with all that goes along; what is in a pillbox or off map stays there."""
    goals: dict[str, list[str]] = {}
    for id in order.ids:
        hex, _, level = draft.entry(id).at.partition("/")
        if hex.startswith("off-map") or (level and not level.isdecimal()):
            continue
        new = max(0, min(HIGHEST, int(level or 0) + order.by))
        goals.setdefault(f"{hex}/{new}" if new else hex, []).append(id)
    for goal, ids in goals.items():
        draft.put(ids, goal)


def _face(draft: Draft, order: DraftOrder) -> None:
    for id in order.ids:
        draft.face(id, order.at)


def _give(draft: Draft, order: DraftOrder) -> None:
    holder, *pieces = order.ids
    for piece in pieces:
        draft.give(holder, piece)


def _guard(draft: Draft, order: DraftOrder) -> None:
    guard, *prisoners = order.ids
    for prisoner in prisoners:
        draft.guard(prisoner, guard)


def _tow(draft: Draft, order: DraftOrder) -> None:
    vehicle, *guns = order.ids
    for gun in guns:
        draft.tow(vehicle, gun)


def _aboard(draft: Draft, order: DraftOrder) -> None:
    vehicle, *units = order.ids
    draft.board_vehicle(units, vehicle)


def _control(draft: Draft, order: DraftOrder) -> None:
    draft.set_control(Side(order.side) if order.side else None, order.places)


def _ground(draft: Draft, order: DraftOrder) -> None:
    at = draft.place_of(order.at)
    if order.name == "glider":
        state = GliderState.WRECKED if order.kind == "wrecked" else GliderState.LANDED
        draft.add_ground(Glider(at=at, state=state))
    elif order.name in list(FortificationKind):
        owner = Side(order.side) if order.side else None
        kind = FortificationKind(order.name)
        draft.add_ground(Fortification(kind=kind, at=at, owner=owner, size=order.size))
    elif order.name in list(TerrainKind):
        draft.add_ground(Terrain(kind=TerrainKind(order.name), at=at))
    else:
        raise PBCGError(f"{order.name} is nothing that lies on the map.")


def _clear(draft: Draft, order: DraftOrder) -> None:
    draft.remove_ground(order.name, order.at)


def _last(draft: Draft, order: DraftOrder) -> None:
    draft.from_last()


def _empty(draft: Draft, order: DraftOrder) -> None:
    draft.replace(Position(format=FORMAT, date=draft.position.date))


def _infer(draft: Draft, order: DraftOrder) -> None:
    draft.infer_control()


def _alone(draft: Draft, order: DraftOrder) -> None:
    raise PBCGError("Taking back and doing again are orders of their own.")


_ORDERS: dict[str, Callable[[Draft, DraftOrder], None]] = {
    "put": _put, "off": _off, "eliminate": _eliminate, "status": _status, "level": _level,
    "face": _face, "give": _give,
    "guard": _guard, "tow": _tow, "aboard": _aboard, "control": _control, "ground": _ground,
    "clear": _clear, "last": _last, "empty": _empty, "infer": _infer, "undo": _alone,
    "redo": _alone,
}  # fmt: skip
