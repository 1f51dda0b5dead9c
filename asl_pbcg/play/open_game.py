"""A game file that is open: to play, or to look at beside the one who plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg import __version__
from asl_pbcg.kernel.dice import Dice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Entry, Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.side_part import part_of_side
from asl_pbcg.kernel.views import UMPIRE, LogLine, for_side, visible
from asl_pbcg.play.plug import BOTH, Plug, commands_of, plug_for, title_of, with_article
from asl_pbcg.play.proposals import Proposals

if TYPE_CHECKING:
    from asl_pbcg.chronicle.difference import Difference


class OpenGame:
    """One game file with its session and its plug; seats (``play.seat``) are taken at it.

    ``writing`` is False where it was opened to look. ``version`` counts what has changed in it
    since it was opened, whoever changed it.
    """

    def __init__(self, path: Path, plug: Plug, session: Session[Any], writing: bool) -> None:
        self.path = path
        self.plug = plug
        self.session = session
        self.writing = writing
        self.typed_dice: bool = session.typed_dice
        """Whether the players throw real dice and type them."""
        self._dice: Dice | None = None
        self.until: Callable[[], bool] | None = None
        """Says where the program is to stop throwing by itself."""
        self.remarks: tuple[str, ...] = ()
        """Remarks on the file for players, for example about an interrupted write."""
        self.beforehand: Entry | None = None
        """The entry that is written with the next answer, for example that a player took advice."""
        self.at_once = False
        """Whether a side is asked from its own part where both can act at once; tests say so."""
        self.version = 0
        self.proposals = Proposals(session.journal.path, session.journal.head)
        """The proposals of each side where both must agree."""
        self.differences: dict[tuple[str, str, str], Difference | None] = {}
        """The change of each proposal by the journal's head, its digest and who looks."""
        self._entries: list[Entry] = []
        self._lines: tuple[tuple[int, int], list[LogLine]] = ((-1, -1), [])
        self._parts: dict[str, OpenGame] = {}
        """The own part of each side, in a section in which both act at once."""

    @classmethod
    def open(cls, path: Path, look: bool = False, game: str = "") -> OpenGame:
        """Open the file at ``path`` to play, or with ``look`` beside somebody who plays.

        With ``game`` it must hold that game. Raises PBCGError otherwise, and if it is missing,
        damaged or open elsewhere. The caller closes it.
        """

        def check_game(name: str) -> None:
            if game and game != name:
                raise PBCGError(
                    f"{path} holds {with_article(title_of(name))}, "
                    f"not {with_article(title_of(game))}.{commands_of(name)}"
                )

        journal = (Journal.read if look else Journal.open)(path, __version__, check_game)
        try:
            plug = plug_for(str(journal.meta("game")), str(path))
            opened = cls(path, plug, plug.session(journal), not look)
        except BaseException:
            journal.close()
            raise
        opened.remarks = tuple(journal.remarks)
        return opened

    def played_by(self, viewer: str) -> OpenGame:
        """Return the game as ``viewer`` plays it.

        In a section in which both sides act at once a side plays its own part: nothing of the
        other side is in it.
        """
        if not self.at_once or viewer not in self.plug.sides or not self.session.apart:
            return self
        part = part_of_side(self.session, viewer)
        game = self._parts.get(viewer)
        if game is None or game.session is not part:
            version = game.version + 1 if game else 0
            game = self._parts[viewer] = _PartOfGame(self, part, version)
        game.typed_dice, game.until, game._dice = self.typed_dice, self.until, self._dice
        return game

    @property
    def is_done(self) -> bool:
        """Whether it is a side's own part, and that side has done all of it."""
        return bool(self.session.own_branch) and self.session.pending is None

    @property
    def dice(self) -> Dice:
        """The dice of the program, or what was put in their place."""
        if self._dice is None:
            self._dice = self.session.program_dice
        return self._dice

    @dice.setter
    def dice(self, source: Dice) -> None:
        self._dice = source

    @property
    def viewers(self) -> tuple[str, ...]:
        """The viewers it may have: each side, the umpire, both at one screen."""
        both = (BOTH,) if len(self.plug.sides) > 1 else ()
        return (*self.plug.sides, UMPIRE, *both)

    def note_change(self, plays_on: bool = True) -> None:
        """Say that the game has gone on or back; if it has not, what is proposed stands."""
        self.version += 1
        self.differences.clear()
        head = self.session.journal.head
        self.proposals.go_on(head) if plays_on else self.proposals.stay(head)

    def read_again(self) -> None:
        """Read the file again that changed underneath. Raises PBCGError if that fails."""
        self.session.read_again()
        self._entries = []
        self.note_change()

    def throw_by_itself(self) -> None:
        """Throw what nobody has to look at first; a skin begins with it where it plays."""
        while isinstance(roll := self.session.pending, Roll):
            if self.session.journal.text.standing.branches and not self.session.own_branch:
                return  # it falls as soon as its side goes on
            if self.until and self.until():
                return
            if not self.plug.throws_itself(roll, self.typed_dice):
                return
            self.session.throw(self.session.dice(self.dice), "program")
            self.note_change()

    def entries(self) -> list[Entry]:
        """Every entry of the journal, read on from where it was read last."""
        self._entries += self.session.journal.entries(self._entries[-1].seq if self._entries else 0)
        return self._entries

    def seq(self, sees: str) -> int:
        """How many entries of the journal ``sees`` may know of: his count, no other's."""
        return sum(visible(entry, sees) for entry in self.entries())

    def lines(self, sees: str) -> list[LogLine]:
        """The log as ``sees`` may see it, from the beginning."""
        stamp = (self.version, self.seq(self.session.own_branch or UMPIRE))
        if self._lines[0] != stamp:
            self._lines = (stamp, self.session.lines())
        return for_side(self._lines[1], sees)

    def close(self) -> None:
        """Let the file go."""
        self.session.journal.close()

    def __enter__(self) -> OpenGame:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _PartOfGame(OpenGame):
    """One side's own part of an open game; what is changed in it is changed in ``whole``."""

    def __init__(self, whole: OpenGame, part: Session[Any], version: int) -> None:
        super().__init__(whole.path, whole.plug, part, whole.writing)
        self._whole = whole
        self.proposals, self.remarks, self.version = whole.proposals, whole.remarks, version

    def played_by(self, viewer: str) -> OpenGame:
        """Return this part: nothing else is played in it."""
        return self

    def note_change(self, plays_on: bool = True) -> None:
        """Say that the part has gone on or back, and the whole with it."""
        self.version += 1
        self._whole.note_change(plays_on)

    def read_again(self) -> None:
        """Read the file of the whole again that changed underneath."""
        self._whole.read_again()
