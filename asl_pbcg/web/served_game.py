"""One served game file: opened when it is needed, let go when nobody writes, told when it changes.

All of it runs in the one thread that works on games; nothing here waits for the network.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.player_orders import PlayerOrders, orders_for
from asl_pbcg.play.plug import Plug
from asl_pbcg.play.proposals import proposals_file
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.waiting import as_it_stood, waits
from asl_pbcg.web.draft_trays import OWN_DRAFTS
from asl_pbcg.web.page_work import own_viewer

if TYPE_CHECKING:
    from asl_pbcg.campaign.entry.position_draft import Draft
    from asl_pbcg.campaign.terms import CGDate

HELD: Final = 20.0
"""So many seconds after the last answer another program may write the file again."""
LATEST: Final = 60
"""How many lines of the log come along with the state; the page asks for more."""

Listener = Callable[[int], None]


class ServedGame:
    """The game file at ``path``.

    A page looks at it beside a terminal that plays; only an answer takes the file, until nobody
    has answered for a while. ``busy`` is what is said while another program has it.
    """

    def __init__(self, path: Path, id: str) -> None:
        self.path = path
        self.id = id
        self._game: OpenGame | None = None
        self._plug: Plug | None = None
        self._seen = self._stat()
        self._last = 0.0
        self._listeners: dict[int, tuple[str, str, Listener]] = {}
        self._told: dict[tuple[str, str], bytes] = {}
        self._states: dict[tuple[str, str], tuple[tuple[object, ...], dict[str, Any]]] = {}
        self._waiting: dict[str, tuple[tuple[int, int], OpenGame]] = {}
        self.orders = PlayerOrders()
        """The orders of the player, in a game that has some."""
        self.draft = 0
        """The number of the draft of an end position, as far as somebody has kept one here."""
        self.setups: dict[str, int] = {}
        """The number of the draft of each side's setup."""
        self.drafting: dict[str, Draft] = {}
        """The draft that is being worked at, with what can be undone."""
        self.played: set[CGDate] = set()
        """The CG Dates whose scenario the players at a screen for both have said is played."""
        self.generation = 0
        """Goes up whenever what is kept in memory may be another game than before."""

    # -- the file -------------------------------------------------------------------------

    def game(self, write: bool = False) -> OpenGame:
        """The open game; with ``write`` this program alone holds the file from now on.

        Raises PBCGError if it is missing, damaged or held by another program.
        """
        if self._game and self._stands(write):
            if write:
                self._last = time.monotonic()
            return self._game
        self._close()
        before = self._plug
        self._game = OpenGame.open(self.path, look=not write)
        self._plug = self._game.plug
        if before is None or before.kind != self._plug.kind:
            self.orders = orders_for(self._plug.features)
        self._seen = self._stat()
        if write:
            # What is thrown without anybody looking is due as soon as somebody plays.
            self._game.throw_by_itself()
            self._last = time.monotonic()
        self.generation += 1
        return self._game

    def _stands(self, write: bool) -> bool:
        """Whether what is open is still the file, to look at as it is or held to write."""
        assert self._game
        if self._game.writing:  # another file may have been put in its place
            return self._stat()[0] == self._seen[0]
        return not write and self._stat() == self._seen

    def seat(self, viewer: str, eyes: str = "", write: bool = False) -> Seat:
        """The seat of ``viewer`` at the game."""
        game = self.game(write)
        if not write and game.plug.sides and self._throws_itself(game):
            with contextlib.suppress(PBCGError):  # another program plays it: it will throw
                game = self.game(write=True)
        viewer = own_viewer(game, viewer)
        waiting = viewer in game.plug.sides and waits(game.played_by(viewer), viewer)
        if not write and waiting:
            game = self._as_it_stood(game, viewer)
        return Seat(game, viewer, eyes if viewer == "both" else "")

    def _throws_itself(self, game: OpenGame) -> bool:
        """Whether dice are due that nobody has to look at first."""
        pending = None if game.at_once and game.session.apart else game.session.pending
        return isinstance(pending, Roll) and game.plug.throws_itself(pending, game.typed_dice)

    def _as_it_stood(self, game: OpenGame, side: str) -> OpenGame:
        stamp = (self.generation, game.version)
        kept = self._waiting.get(side)
        if not kept or kept[0] != stamp:
            kept = self._waiting[side] = (stamp, as_it_stood(game, side))
        return kept[1]

    def _stat(self) -> tuple[int, ...]:
        """How the file looks, and what is kept of proposals; it begins with which file it is."""
        stamps: list[int] = []
        for path in (self.path, proposals_file(self.path)):
            try:
                stat = path.stat()
                stamps += [stat.st_ino, stat.st_mtime_ns, stat.st_size]
            except OSError:
                stamps += [0, 0, 0]
        return tuple(stamps)

    def _close(self) -> None:
        if self._game:
            self._game.close()
        self._game = None

    def close(self) -> None:
        """Let the file go."""
        self._close()

    def tend(self) -> None:
        """Let the file go if nobody has answered for a while; tell what others have changed."""
        if self._game and self._game.writing:
            if time.monotonic() - self._last <= HELD and self._stands(write=True):
                return
            self._close()
        if self._listeners and self._stat() != self._seen:
            self.tell()

    # -- what a viewer sees -----------------------------------------------------------------

    def state(self, viewer: str, eyes: str = "") -> dict[str, Any]:
        """Where the game stands for ``viewer``."""
        seat = self.seat(viewer, eyes)
        drafts = (self.draft, *self.setups.values())
        played = self.game().played_by(viewer)
        proposed = seat.proposed_correction
        stamp = (
            *(self.generation, played is self.game(), played.version, seat.seq),
            *(proposed.digest if proposed else "", *drafts),
        )
        kept = self._states.get((viewer, eyes))
        if kept and kept[0] == stamp:
            return kept[1]
        found = self._state(seat)
        self._states[viewer, eyes] = (stamp, found)
        return found

    def _state(self, seat: Seat) -> dict[str, Any]:
        game, asked = seat.game, seat.question()
        session, plug = game.session, game.plug
        lines = seat.lines()
        first = max(0, len(lines) - LATEST)
        waiting, coming = seat.waiting_for(), plug.next_thing(session)
        if plug.terminal_command:  # here one looks on
            asked, waiting = None, ""
            command = f"{plug.terminal_command} {self.path.name}"
            coming = f"its lines are typed at the terminal: {command}"
        return {
            "id": self.id,
            "seq": seat.seq,
            "viewer": seat.viewer,
            "eyes": seat.eyes,
            "sides": list(plug.sides),
            "kind": plug.kind,
            "called": plug.called,
            "features": list(plug.features),
            "file": self.path.name,
            "title": plug.title(session),
            "date": plug.date(session),
            "date_short": plug.date_in_short(session),
            "played": seat.last_written,
            "heading": plug.heading(session),
            "steps": msgspec.to_builtins(seat.steps()),
            "asked": msgspec.to_builtins(asked) if asked is not None else None,
            "waiting_for": waiting,
            "next": "" if waiting else coming,
            "lines": [line_out(line, first + n, plug) for n, line in enumerate(lines[first:])],
            "line_count": len(lines),
            "redo": seat.can_redo,
            "correction": _correction_of(seat),
            "typed_dice": game.typed_dice,
            "players": {side: list(names) for side, names in seat.players.items()},
            "draft": self._draft_of(seat),
            "said": self.orders.said,
        }

    def _draft_of(self, seat: Seat) -> int:
        """The number of the draft that the seat works at: that of a setup is its side's own."""
        asked = seat.pending
        if isinstance(asked, Prompt) and asked.widget in OWN_DRAFTS:
            return self.setups.get(asked.side, 0)
        return self.draft

    # -- who listens --------------------------------------------------------------------------

    def listen(self, number: int, viewer: str, eyes: str, heard: Listener) -> int:
        """Call ``heard`` with the viewer's number whenever what he sees has changed."""
        state = self.state(viewer, eyes)
        self._listeners[number] = (viewer, eyes, heard)
        self._told[viewer, eyes] = _digest(state)
        return int(state["seq"])

    def leave(self, number: int) -> None:
        """Listen no more."""
        self._listeners.pop(number, None)

    @property
    def listened(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def tell(self) -> None:
        """Tell those, and only those, for whom something has changed that they can see."""
        changed: dict[tuple[str, str], int | None] = {}
        for viewer, eyes, heard in list(self._listeners.values()):
            who = (viewer, eyes)
            if who not in changed:
                changed[who] = self._change(who)
            number = changed[who]
            if number is not None:
                heard(number)

    def _change(self, who: tuple[str, str]) -> int | None:
        try:
            state = self.state(*who)
            digest, seq = _digest(state), int(state["seq"])
        except PBCGError as error:  # gone, or damaged: the page asks, and is told so
            digest, seq = str(error).encode(), 0
        if self._told.get(who) == digest:
            return None
        self._told[who] = digest
        return seq


def _correction_of(seat: Seat) -> dict[str, Any] | None:
    """Return the correction that a side proposes, with the digest by which one agrees to it."""
    correction = seat.proposed_correction
    if correction is None:
        return None
    return {**msgspec.to_builtins(correction), "digest": correction.digest}


def line_out(line: LogLine, number: int, plug: Plug) -> dict[str, Any]:
    """A line of the log as the page gets it; ``n`` is its place in what the viewer may see."""
    data: dict[str, Any] = msgspec.to_builtins(line)
    data.pop("answer", None)
    data["text"] = plug.line_text(line)
    if line.roll is not None:
        data["roll"]["total_drm"] = line.roll.total_drm
    return {"n": number, **data, "at": msgspec.to_builtins(plug.name_step(line.step))}


def _digest(state: dict[str, Any]) -> bytes:
    return hashlib.sha256(msgspec.json.encode(state)).digest()
