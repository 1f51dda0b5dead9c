"""A game as its journal has it: the state after the last finished step, and its answers since.

Answers that another version of the program asked otherwise are placed where the same is asked
about the same; what finds no place is told and left alone.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

import msgspec

from asl_pbcg.kernel.entries import Entry, exception_of, faces_of
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.journal import Journal, Snapshot, WriteFailed
from asl_pbcg.kernel.matching import fits, place, without
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.run import Correctable, Game, Run, Step, begin
from asl_pbcg.kernel.taken_back import exception_lines, undo_lines, with_undo_lines
from asl_pbcg.kernel.views import Line, read_lines

S = TypeVar("S")
T = TypeVar("T")


class Replay(Generic[S]):
    """A game as its journal has it, to look at; nothing is answered.

    ``pending`` is the prompt or roll that waits, None when the game waits for nothing;
    ``state`` is the state at the last finished step. With ``bare`` snapshots are not used: the
    whole journal is replayed.

    ``unfit`` are answers of the step in progress that cannot be placed by decision point and what
    they are about, because another version of the program asked otherwise; ``why_unfit`` says so
    to players. The file stays as it is until the next answer, which puts them aside; they remain
    in the journal.
    """

    def __init__(self, game: Game[S], journal: Journal, bare: bool = False) -> None:
        self.game = game
        self.journal = journal
        self._bare = bare
        self.unfit: list[Entry] = []
        self.why_unfit = ""
        self._placed: list[Entry] | None = None
        """Where the answers since the last finished step were placed, if not where they stand."""
        self._held: list[Entry] = []
        """What a correction could not place and nobody has answered anew since."""
        self._abouts: dict[int, str] = {}
        """What entries since the last finished step are about."""
        self._rolls: int | None = None
        """How many rolls stand, once somebody has asked."""
        self._base = 0
        self._run: Run[S]
        self._replay()

    # -- reading ----------------------------------------------------------------------

    @property
    def pending(self) -> Prompt | Roll | None:
        """The prompt or roll that waits."""
        return self._run.pending

    @property
    def step(self) -> Step[S] | None:
        """The step in progress."""
        return self._run.step

    @property
    def state(self) -> S:
        """The state at the last finished step."""
        return self._run.state

    @property
    def now(self) -> S:
        """The state as it stands inside the step in progress; to look at, no more."""
        return self._run.now

    def works_on(self, kind: type[T]) -> T | None:
        """What of ``kind`` the step in progress works on; to look at, no more."""
        return self._run.works_on(kind)

    @property
    def rolls(self) -> int:
        """How many rolls stand in the journal; the next roll has this number."""
        if self._rolls is None:
            unfit = sum(entry.kind == "roll" for entry in self.unfit)
            self._rolls = self.journal.rolls() - unfit
        return self._rolls

    @property
    def begun(self) -> bool:
        """Whether anything was answered or rolled in the step in progress."""
        return self._run.seq > self._run.began

    def ahead(self) -> Run[S]:
        """A run of its own at what waits now, to try answers on: nothing of it is kept.

        Raises PBCGError while answers of another version wait to be given again.
        """
        if self._placed is not None or self.unfit:
            raise PBCGError("Answers must be given again first: then one can look ahead.")
        run = Run(self.game, self.state, self._run.began, lambda *_: None)
        for entry in self.journal.standing(self._run.began):
            asked, sent = run.pending, entry.body
            if isinstance(asked, Roll):
                sent = asked.resolve(faces_of(entry.body))
            run.feed(sent, entry.seq)
        return run

    def lines(self) -> list[Line]:
        """The whole log from the beginning, as it was told when it happened.

        What was taken back since is told where that happened.
        """
        told: list[tuple[int, list[Line]]] = [
            (seq, read_lines(lines)) for seq, lines in self.journal.kept_lines()
        ]
        told.append((self.journal.last, self._run.lines))
        return with_undo_lines(told, undo_lines(self.journal))

    # -- running ----------------------------------------------------------------------

    def _replay(self) -> None:
        """Bring the session to where its journal stands, as far as its answers fit."""
        self.unfit, self.why_unfit = [], ""
        self._placed, self._held = None, []
        waiting = self._from_snapshot()
        try:
            for entry in waiting:
                self._repeat(entry)
        except WriteFailed:
            raise
        except Exception as error:  # whatever an unforeseen answer does to a script
            if self._bare:
                raise
            self._arrange(waiting, error)
        self._rolls = None
        self._held = self._find_held()

    def _arrange(self, waiting: list[Entry], error: Exception) -> None:
        """Place the answers since the last finished step where the same is asked."""
        waiting = [
            entry
            if entry.about
            else msgspec.structs.replace(entry, about=self._abouts.get(entry.seq, ""))
            for entry in waiting
        ]
        state, seq = self._from_state()
        corrections = [entry for entry in waiting if entry.kind == "correction"]
        failed = next((each for each in waiting if each.seq > self._run.seq), waiting[-1])
        if corrections:
            self._placed = waiting[: waiting.index(failed)]
            self._from_snapshot()
            for entry in self._placed:
                self._repeat(entry)
        else:
            run, self._placed = place(self.game, state, seq, waiting, self._keep)
            self._run = run
        kept = {entry.seq for entry in self._placed}
        self.unfit = [entry for entry in waiting if entry.seq not in kept]
        if not self.unfit:
            return
        known = isinstance(error, PBCGError) and not failed.secret
        self.why_unfit = (f"{error} " if known else "") + _words_given_again(self.unfit)

    def _from_state(self) -> tuple[S, int]:
        """The state after the last finished step, and the last entry that it includes."""
        snapshot = None if self._bare else self.journal.last_snapshot()
        if not snapshot:
            return begin(self.game, self.journal.meta("settings")), 0
        try:
            return self.game.decode(snapshot.state), snapshot.seq
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise PBCGError(
                f"The file keeps the state after {snapshot.step} in a form that this version "
                f"of pbcg cannot read ({error}): use the version that wrote it."
            ) from error

    def _from_snapshot(self) -> list[Entry]:
        """Go to the last finished step; return the answers given since."""
        state, self._base = self._from_state()
        self._abouts = {}
        self._run = Run(self.game, state, self._base, self._keep)
        return self.journal.standing(self._base)

    def _repeat(self, entry: Entry) -> None:
        if entry.kind == "correction":
            self._change(entry)
            return
        asked = self.pending
        if asked is None or not self.step or not fits(entry, asked, entry.step):
            now = f"{asked.id} {asked.about}".strip() if asked else "nothing"
            raise PBCGError(
                f"Entry {entry.seq} of the journal answers {entry.point} {entry.about}".rstrip()
                + f", but this version of pbcg asks {now} there."
            )
        try:
            sent = asked.resolve(faces_of(entry.body)) if isinstance(asked, Roll) else entry.body
            self._feed(asked, sent, entry.seq, entry.body)
        except IllegalAnswer as error:
            raise PBCGError(f"Entry {entry.seq} of the journal ({entry.point}): {error}") from error
        self._run.close()

    def _change(self, entry: Entry) -> None:
        """Carry out a correction and begin the step again on the corrected state."""
        state, line = self._correct(entry.point, entry.body["value"])
        line = msgspec.structs.replace(line, text=f"{line.text} Reason: {entry.body['reason']}")
        self._run.change(state, line, entry.seq)

    def _keep(self, seq: int, step: str, state: S, lines: list[Line]) -> None:
        if not self._bare:
            self.journal.keep(
                Snapshot(
                    seq=seq,
                    step=step,
                    state=self.game.encode(state),
                    lines=msgspec.json.encode(lines).decode(),
                )
            )

    def _feed(self, asked: Prompt | Roll, sent: Any, seq: int, stored: Any) -> None:
        self._run.feed(sent, seq)
        self._abouts[seq] = asked.about
        if isinstance(asked, Roll) and (source := exception_of(stored)):
            assert self.step
            told = self._run.lines
            at = next(n for n, line in enumerate(told) if line.seq == seq) + 1
            told[at:at] = exception_lines(self.step.id, asked, source, seq)

    def _find_held(self) -> list[Entry]:
        """What a correction could not place and nobody has answered anew since."""
        if not self.step:
            return []
        for entry in reversed(self.journal.entries_of("undo", self.journal.step_began())):
            if entry.step != self.step.id:
                return []
            if left := entry.body.get("left"):
                held = [self.journal.entry(seq) for seq in left if 0 < seq < entry.seq]
                for later in self.journal.entries(entry.seq):
                    held = without(held, later)
                return held
        return []

    def _correct(self, path: str, value: Any) -> tuple[S, Line]:
        if not hasattr(self.game, "correct"):
            raise PBCGError("This game knows no corrections.")
        return cast("Correctable[S]", self.game).correct(self.state, path, value)


def _words_given_again(unfit: list[Entry]) -> str:
    """What becomes of answers that do not fit, for players."""
    first, count = unfit[0], len(unfit)
    many = "the answer" if count == 1 else f"the {count} answers and rolls"
    return (
        f"In {first.step} {many} from {first.point} on must be given again; what was given before "
        "stays in the journal."
    )
