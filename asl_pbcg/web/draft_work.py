"""Working at a draft: orders from the page, carried out on the draft the terminal edits too.

``campaign/entry/position_draft.py`` has the edits; here orders are read, the outcome is
judged and kept beside the game file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.campaign.areas.area_map import areas_report
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_check import read_readable, remarks
from asl_pbcg.campaign.entry.position_draft import Draft, ground_part
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.position import FORMAT, PIECES, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import mark
from asl_pbcg.campaign.state.seen import known_by, sides_that_look
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.textfiles import read_limited
from asl_pbcg.play.campaign_game.campaign_map import areas_seen
from asl_pbcg.refit.setup.setup_check import check_setup
from asl_pbcg.web.draft_trays import (
    SetupPlaces,
    TrayPiece,
    first_draft,
    first_setup,
    hidden_tray,
    setup_tray,
    tray,
)

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.web.messages import DraftOrder
    from asl_pbcg.web.served_game import ServedGame

MAX_LEVEL: Final = 4
"""The highest level of a building."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""So many bytes a draft may have on the disk; one that a page sends is half as large at most."""


class KeptDraft(msgspec.Struct, frozen=True):
    """The draft number ``number`` for the CG Date ``date``, whatever it holds."""

    date: str
    number: int
    position: dict[str, Any]


def draft_file(game: Path, side: Side | None = None, task: str = "setup") -> Path:
    """Return where a draft of a game is kept: of the end position, or a side's own of a task."""
    return game.with_name(f".{game.name}.{f'{side}-{task}' if side else 'draft'}.json")


class Work:
    """The draft of a game that is being made: of the end position, or of the setup of a ``side``.

    ``sees`` is whose eyes look: what it may not know it cannot place.
    """

    def __init__(
        self, room: ServedGame, session: Session[Campaign], sees: str, side: Side | None
    ) -> None:
        self.room = room
        self.session = session
        self.state: Campaign = session.state
        self.sees = sees
        self.side = side
        self.viewers = (side,) if side else sides_that_look(sees)
        """The sides that work at it; none is the umpire."""
        self.known = known_by(self.state, self.viewers, self.is_played)
        """The campaign as whoever works at it knows it."""
        self.file = draft_file(room.path, side, self.task)
        kept = self._read()
        self.number = kept.number if kept else 0
        self.position = kept.position if kept else _plain(self._first())

    def _read(self) -> KeptDraft | None:
        """Return the draft of this CG Date. Raises PBCGError for a file far larger than any."""
        if not self.file.exists():
            return None
        try:
            kept = msgspec.json.decode(read_limited(self.file, MAX_BYTES), type=KeptDraft)
        except (msgspec.DecodeError, RecursionError):
            return None
        except PBCGError as error:
            raise PBCGError(
                f"{error} It holds a draft of {self.room.path.name}: move it away to begin again."
            ) from error
        return kept if kept.date == self.state.date.value else None

    @property
    def task(self) -> str:
        """Name what is entered: the end position, or the setup of a side."""
        return "setup" if self.side else "end"

    def _first(self) -> Position:
        return first_setup(self.state, self.side) if self.side else first_draft(self.state)

    def pieces(self) -> tuple[list[TrayPiece], list[SetupPlaces]]:
        """Return the pieces that may be placed; for a setup where, too."""
        if self.side:
            return setup_tray(self.state, self.side)
        return tray(self.state, self.sees, self.is_played), []

    @property
    def is_played(self) -> bool:
        """Whether the players at a screen for both have said that the CG scenario is played."""
        return self.state.date in self.room.played

    @property
    def hides_groups(self) -> bool:
        """Whether what an RG brought is kept out of the trays until the scenario is played."""
        return not (self.side or self.sees or self.is_played)

    def judge(self) -> dict[str, Any]:
        """Return what is wrong with the draft, the areas it makes, and what can be undone."""
        core = self.room.drafting.get(self._key)
        judged = self._judge_own(self.side) if self.side else self._judge_end()
        undo = core is not None and core.past.can_undo
        redo = core is not None and core.past.can_redo
        found = {"number": self.number, "areas": None, "strategic": [], "remarks": [], **judged}
        return {**found, "undo": undo, "redo": redo, "marks": self._marks()}

    def _marks(self) -> dict[str, str]:
        """Return what tells each piece from others of its type, by id."""
        lists = (rows for part in PIECES if isinstance(rows := self.position.get(part), list))
        ids = [
            each["id"]
            for rows in lists
            for each in rows
            if isinstance(each, dict) and isinstance(each.get("id"), str)
        ]
        return {id: mark(id) for id in (*ids, *(each.entry.id for each in self.pieces()[0]))}

    def _judge_end(self) -> dict[str, Any]:
        """Return the faults of an end position, and the areas it makes as far as it can be read."""
        state, faults = self.state, list[Fault]()
        try:
            position = settle_position(self.known, self.position, viewers=self.viewers)
        except PBCGError as error:
            faults += (
                error.faults if isinstance(error, FaultsError) else [Fault("", "", f"{error}")]
            )
            raw = Raw("", self.position)
            position = read_readable(raw, state.board, state.catalogue, state.date)
        judged: dict[str, Any] = {"faults": _fault_words(faults)}
        try:
            rulings = AreaRulings.of(state.house_rules)
            areas = determine_areas(
                state.board, position, rulings, state.coming_date, state.catalogue
            )
            strategic = StrategicLocations(position, state.board, state.catalogue)
            judged["remarks"] = [*remarks(position, state.board, state.catalogue)]
        except (PBCGError, KeyError, ValueError):  # a draft may be anything
            return judged
        named = {place.partition("/")[0] for place in strategic.objectives}
        hexes = sorted({*strategic.hexes, *named})
        return {**judged, "areas": areas_report(areas), "strategic": hexes}

    def _judge_own(self, side: Side) -> dict[str, Any]:
        """Return what the rules do not allow, and the Setup Areas as they stand. Rule: 9.6202."""
        state = self.state
        try:
            faults = check_setup(state, side, msgspec.convert(self.position, Position))
        except (msgspec.ValidationError, PBCGError) as error:
            faults = [Fault("", "", f"This is not a setup: {error}.")]
        known = state.determined is not None
        areas = areas_report(areas_seen(state, side.value)) if known else None
        return {"faults": _fault_words(faults), "areas": areas}

    def look_at(self, position: dict[str, Any]) -> None:
        """Judge another position instead of the draft, which stays as it is."""
        self.position = position

    def put(self, position: dict[str, Any]) -> None:
        """Go on with another position, whatever it holds; faults are told, never refused."""
        core = self._core(must=False)
        try:
            if core:
                core.replace(_position(position))
        except PBCGError:
            self.room.drafting.pop(self._key, None)
        self._keep(position)

    def carry_out(self, orders: list[DraftOrder]) -> None:
        """Carry out orders as one change: all of them or none. Raises PBCGError."""
        alone = orders[0].do if len(orders) == 1 else ""
        if alone == "played":
            if not self.side and self.sees not in {*Side}:  # not a side for the shared screen
                self.room.played.add(self.state.date)
            self._keep(self.position)
            return
        core = self._core(must=True)
        assert core is not None
        if alone in ("undo", "redo"):
            core.past.undo() if alone == "undo" else core.past.redo()
        else:
            with core.past.one_change():
                for order in orders:
                    if order.do not in _ORDERS:
                        raise PBCGError("Undo and redo are orders of their own.")
                    _ORDERS[order.do](core, order)
        self._keep(_plain(core.position))

    def _keep(self, position: dict[str, Any]) -> None:
        """Keep a position as the draft; on the disk when this returns."""
        self.number += 1
        self.position = {**position, "format": FORMAT}
        kept = KeptDraft(self.state.date.value, self.number, self.position)
        write_atomic(self.file, msgspec.json.encode(kept))
        if self.side:
            self.room.setups[self.side] = self.number
        else:
            self.room.draft = self.number

    @property
    def _key(self) -> str:
        return f"{self.state.date} {self.side or ''} {self.task}"

    def _core(self, must: bool) -> Draft | None:
        """Return the draft as it was left here; read from the file where nobody worked at it."""
        core = self.room.drafting.get(self._key)
        if core is None:
            try:
                position = _position(self.position)
            except PBCGError:
                if must:
                    raise
                return None
            core = Draft(self.known, self.state.board, self.state.catalogue, position)
            self.room.drafting.clear()
            self.room.drafting[self._key] = core
        core.viewers, core.state = self.viewers, self.known
        core.known_works = [*core.position.fortifications, *self.known.fortifications]
        core.known = {each.entry.id: each.entry for each in self.pieces()[0]}
        return core


class HiddenWork(Work):
    """The draft of what ``side`` alone knows at the end of a scenario: its hidden pieces.

    Rule: 9.602(6).
    """

    side: Side

    @property
    def task(self) -> str:
        """Name what is entered: hidden pieces."""
        return "hidden"

    def _first(self) -> Position:
        return Position(format=FORMAT, date=self.state.date)

    def pieces(self) -> tuple[list[TrayPiece], list[SetupPlaces]]:
        """Return the pieces of the side that the common position leaves out, as hidden."""
        return hidden_tray(self.state, self.session.now, self.side), []

    def _judge_own(self, side: Side) -> dict[str, Any]:
        """Return what the question itself refuses of the draft; an empty one is "none"."""
        faults = list[Fault]()
        asked = self.session.pending
        assert isinstance(asked, Prompt)
        if any(self.position.get(part) for part in (*PIECES, "fortifications")):
            try:
                asked.check(self.position)
            except IllegalAnswer as error:
                cause = error.__cause__
                of_file = cause.faults if isinstance(cause, FaultsError) else ()
                faults = [*of_file] or [Fault("", "", f"{error}")]
        return {"faults": _fault_words(faults)}


def _plain(position: Position) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(position))  # lists, no tuples
    return plain


def _position(plain: dict[str, Any]) -> Position:
    """Return a draft as a position. Raises PBCGError for what cannot be one."""
    try:
        return msgspec.convert({**plain, "format": FORMAT}, Position)
    except msgspec.ValidationError as error:
        raise PBCGError(
            f"The draft holds what no position can ({error}): start from a file or an empty board."
        ) from error


def _fault_words(faults: list[Fault]) -> list[dict[str, Any]]:
    return [
        {
            "where": str(each.where),
            "value": str(each.value),
            "sentence": str(each),
            "topic": each.topic,
        }
        for each in faults
    ]


# -- orders ---------------------------------------------------------------------------------


def _change_level(draft: Draft, order: DraftOrder) -> None:
    """Move up or down with all that goes along; what is in a pillbox or off map stays there."""
    goals: dict[str, list[str]] = {}
    for id in order.ids:
        hex, _, level = draft.entry(id).at.partition("/")
        if hex.startswith("off-map") or (level and not level.isdecimal()):
            continue
        new = max(0, min(MAX_LEVEL, int(level or 0) + order.by))
        goals.setdefault(f"{hex}/{new}" if new else hex, []).append(id)
    for goal, ids in goals.items():
        draft.put(ids, goal)


def _take_off(draft: Draft, order: DraftOrder) -> None:
    placed = {piece.id for piece in draft.position.pieces}
    draft.take_off(draft.along(order.ids) & placed)


def _set_status(draft: Draft, order: DraftOrder) -> None:
    on, off = ([order.name], []) if order.on else ([], [order.name])
    draft.set_status(order.ids, on, off)


def _face(draft: Draft, order: DraftOrder) -> None:
    for id in order.ids:
        draft.face(id, order.at)


def _each(edit: Callable[[Draft, str, str], None]) -> Callable[[Draft, DraftOrder], None]:
    """Return the order that ties the first piece to each of the others."""

    def carry_out(draft: Draft, order: DraftOrder) -> None:
        first, *others = order.ids
        for other in others:
            edit(draft, first, other)

    return carry_out


def _add_ground(draft: Draft, order: DraftOrder) -> None:
    owner = Side(order.side) if order.side else None
    at, state = draft.place_of(order.at), order.kind or "landed"
    draft.add_ground(ground_part(order.name, at, state=state, owner=owner, size=order.size))


_ORDERS: Final[dict[str, Callable[[Draft, DraftOrder], object]]] = {
    "put": lambda draft, order: draft.put(order.ids, order.at),
    "off": _take_off,
    "eliminate": lambda draft, order: (draft.eliminate if order.on else draft.take_off)(order.ids),
    "status": _set_status,
    "level": _change_level,
    "face": _face,
    "give": _each(Draft.give),
    "guard": _each(lambda draft, guard, prisoner: draft.guard(prisoner, guard)),
    "tow": _each(Draft.tow),
    "aboard": lambda draft, order: draft.board_vehicle(order.ids[1:], order.ids[0]),
    "control": lambda draft, order: draft.set_control(
        Side(order.side) if order.side else None, order.places
    ),
    "ground": _add_ground,
    "clear": lambda draft, order: draft.remove_ground(order.name, order.at),
    "last": lambda draft, order: draft.from_last(),
    "empty": lambda draft, order: draft.replace(Position(format=FORMAT, date=draft.position.date)),
    "type": lambda draft, order: Editor(draft, Side(order.side or Side.BRITISH)).do(order.name),
    "infer": lambda draft, order: draft.infer_control(),
}
"""How each order of the page edits the draft; undo and redo are orders of their own."""
