"""The session: a game in progress is its journal, replayed, and goes on with each answer.

A ``Game`` says which step comes next and how its state is stored. A ``Session`` runs the
step's script up to the next prompt or roll (``replay``), takes the answer, writes it down and goes
on. What one call changes is one transaction of the journal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec

from asl_pbcg.kernel.checkpoints import checkpoint_entry, part_of
from asl_pbcg.kernel.dice import Dice, EntropyDice, KeyedDice, SeededDice, SituationDice
from asl_pbcg.kernel.entries import Entry, words_of
from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.player_notes import MAX_REASON, check_reason
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.replay import Replay, correct, feed, is_apart, plain_words, repeat
from asl_pbcg.kernel.run import (
    Correctable,
    Game,
    HasSections,
    Step,
    check_entry,
    fits,
    fitting,
    place,
    without,
)
from asl_pbcg.kernel.standing import Undone
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.undo_rights import KnownEntries, had_turn
from asl_pbcg.kernel.views import UMPIRE, LogLine, read_lines, visible

__all__ = ["Correctable", "Game", "Session", "Step"]

S = TypeVar("S")
_OWN_SOURCES = {"seeded": "program", "program": "program", "manual": "table", "table": "table"}


class LostAnswer(msgspec.Struct, frozen=True):
    """An answer or roll that finds no place, and what was answered, in words."""

    entry: Entry
    words: str

    def words_for(self, viewer: str) -> str:
        """Return what ``viewer`` may know of it."""
        entry = self.entry
        if entry.secret and viewer not in (UMPIRE, entry.side):
            return f"a secret {entry.kind} of the {entry.side.capitalize()} side"
        return self.words


class CorrectionPlan(msgspec.Struct, frozen=True):
    """The effect of a correction: the line that tells it, and what could not be placed after it.

    ``again`` counts the answers and rolls of the step in progress that are given again by
    themselves. Those ``lost`` stay in the journal; each is given again by itself as soon as what
    it answers is asked, unless that was answered again.
    """

    line: LogLine
    again: int
    lost: tuple[LostAnswer, ...]


class Session(Replay[S]):
    """A game in progress on a journal.

    What is answered, rolled, undone or corrected is on the disk when the call returns; the
    answers of another version that do not fit (``unfit``) are put aside with the next one.
    """

    until: int | None = None
    """The last entry that may be looked at; None for the whole journal."""

    def __init__(self, game: Game[S], journal: Journal) -> None:
        self._own = own_source(journal)
        self._within = False
        self.parts: dict[str, Session[S]] = {}
        """The part of each side in the section that both are at."""
        self._ended: list[tuple[int, str]] = []
        """Last entry and id of each step that ended a part of the game since the last write."""
        super().__init__(game, journal)

    # -- answering --------------------------------------------------------------------

    def answer(self, value: Any) -> None:
        """Answer the pending prompt; on the disk when this returns.

        Raises IllegalAnswer if the rules do not allow it; nothing has changed then.
        """
        prompt = self.pending
        if not isinstance(prompt, Prompt):
            raise PBCGError("Nothing is asked now." if prompt is None else "Dice are due now.")
        stored = prompt.check(value)
        with self.together():
            self._record(prompt, stored, stored)
            self._give_again()

    def throw(self, faces: tuple[int, ...], by: str = "") -> Rolled:
        """Settle the pending roll by the dice ``faces``; on the disk when this returns.

        ``by`` is the source of the dice, ``program`` or ``table`` (real dice, typed or listed); one
        that is not the campaign's own is marked for both sides. Empty: the campaign's own.
        """
        roll = self.pending
        if not isinstance(roll, Roll):
            raise PBCGError("No roll is due now.")
        rolled = roll.resolve(faces)
        body: Any = list(rolled.dice)
        if by and self._own and by != self._own and not is_by_program(self.game, roll):
            body = {"dice": body, "source": by}
        with self.together():
            self._record(roll, body, rolled)
            self._give_again()
        return rolled

    def give(self, entry: Entry) -> None:
        """Give an answer or roll of another copy again; on the disk when this returns.

        Raises PBCGError if it is not what is asked now.
        """
        asked, step = self.pending, self.step
        if asked is None or step is None or not fits(entry, asked, step.id):
            raise PBCGError(f"What comes next is not asked now: {words_of(entry)}.")
        stored, sent = check_entry(asked, entry)
        with self.together():
            self._record(asked, stored, sent)
            self._give_again()

    def expected_dice(self) -> tuple[int, ...] | None:
        """Return the program's dice of the pending roll, if its situation alone decides them."""
        roll = self.pending
        if not isinstance(roll, Roll) or self._own == "table":
            return None
        branch = self._branch_of(roll)
        again = self.journal.thrown_before(roll.id, roll.about, branch)
        dice = self.program_dice
        if again is None and isinstance(dice, KeyedDice | SeededDice):
            again = throw_by(dice, roll, self.rolls, partial(self.journal.situation, side=branch))
        return again

    @property
    def typed_dice(self) -> bool:
        """Return whether the campaign's own dice are real ones, typed by the players."""
        return self._own == "table"

    @property
    def program_dice(self) -> Dice:
        """Return the program's dice of this campaign: of its seed if it was begun with one."""
        return program_dice(self.game, self.journal)

    def dice(self, source: Dice) -> tuple[int, ...]:
        """Return the campaign's own dice for the pending roll, from ``source``.

        A roll that was asked in this very situation before, and undone, gets the dice that it
        got then.
        """
        roll = self.pending
        assert isinstance(roll, Roll)
        program = isinstance(source, SituationDice | SeededDice)
        branch = self._branch_of(roll)
        again = self.journal.thrown_before(roll.id, roll.about, branch) if program else None
        if again is not None:
            with contextlib.suppress(IllegalAnswer):
                return roll.spec.check(again)
        return throw_by(source, roll, self.rolls, partial(self.journal.situation, side=branch))

    def read_again(self) -> None:
        """Go on from the file as it stands now, after it changed underneath.

        Raises PBCGError if that is not possible; then nothing has changed.
        """
        self.journal.read_again()
        self.parts.clear()
        self._replay()

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Write what is answered, corrected or undone within as one line, or nothing of it."""
        if self._within:
            yield
            return
        self._within, self._ended = True, []
        try:
            with self.journal.transaction():
                yield
                self.write_checkpoints()
        except BaseException:
            self._replay()
            raise
        finally:
            self._within = False

    def _record(self, asked: Prompt | Roll, stored: Any, sent: Any) -> None:
        self._put_aside()
        assert self.step
        entry = Entry(
            kind="roll" if isinstance(asked, Roll) else "answer",
            step=self.step.id,
            point=asked.id,
            about=asked.about,
            side=asked.side,
            secret=asked.secret,
            body=stored,
            on=self._parents(self._branch_of(asked)),
            seq=self.journal.last + 1,
        )
        self._on_branch = len(entry.on) == 1
        # The script comes first: an answer that it refuses must leave no trace.
        feed(self._run, sent, entry)
        self.journal.append(entry)
        if self._rolls is not None:
            self._rolls += entry.kind == "roll"
        self._held = without(self._held, entry)
        self._run.close()
        self._catch_up()

    # -- both sides at once -------------------------------------------------------------

    def play_again(self) -> None:
        """Play the journal again as it stands, after a side has undone or corrected its part."""
        self._replay()

    def hear(self, entry: Entry) -> None:
        """Go on with what a side has answered in its own part, as far as the rules ask for it."""
        self._rolls = None
        self._ahead.add(entry)
        self._catch_up()

    def _catch_up(self) -> None:
        """Give the run what a side has answered ahead and it asks for by now."""
        while entry := self._ahead.take(self._run):
            self._on_branch = True
            repeat(self.game, self._run, entry)

    def _branch_of(self, asked: Prompt | Roll | Entry) -> str:
        """Return the side on whose branch an answer stands; empty while no branch is open."""
        open_now = self.journal.text.standing.branches is not None and self.apart
        return asked.side if open_now and asked.secret else self.own_branch

    def _parents(self, branch: str) -> tuple[int, ...]:
        return self.journal.text.standing.parents(branch)

    # -- undoing ------------------------------------------------------------------

    def undo(self, reason: str = "") -> Entry:
        """Undo the last answer; back over a roll only with a ``reason``, which is logged.

        Answers that do not fit any more are undone together. Returns the (first) entry
        undone. Raises PBCGError if there is none.
        """
        if self.unfit:
            first = self.unfit[0]
            with self.together():
                self._put_aside()
            return first
        standing = self.undoable()
        if not standing:
            raise PBCGError("There is nothing to undo.")
        last = standing[-1]
        if last.kind == "roll" and not reason:
            raise NeedsReason(
                "The last thing was a roll: it can be undone only with a reason, "
                "which stays in the log."
            )
        self._undo_from(standing, len(standing) - 1, reason)
        return last

    def known_entries(self, viewer: str) -> KnownEntries:
        """Return what stands as far as ``viewer`` may know it: refusals are made from it."""
        return KnownEntries.of(self._run, self.undoable(), viewer)

    def undoable(self) -> list[Entry]:
        """Return what stands and can be undone here, in order."""
        return self.standing()

    def check_undo(self, viewer: str, step: str | int = "") -> tuple[Entry, ...]:
        """Return what a side alone (``viewer``) undoes: the last answer, or all since a step.

        A number for ``step`` is that of an entry; the umpire undoes whatever there is. Raises
        PBCGError where the other side has, or may have, acted in secret since: in the same words
        whether or not it was asked.
        """
        known = self.known_entries(viewer)
        if viewer == UMPIRE:
            return known.since(step)
        since = known.since_alone(step)
        for entry in self.standing(since[0].seq):  # a secret turn in which all are asked
            if entry.side not in ("", viewer):
                raise had_turn(entry.side)
        return since

    def undo_to(self, step: str | int, reason: str) -> list[Entry]:
        """Go back to the first question of ``step``, for example ``night-1/9.606``, or an entry.

        Everything since is undone by one entry, whose ``reason`` stays in the log. Returns
        the entries undone, oldest first. Raises PBCGError without a reason, or if that step
        has asked nothing yet.
        """
        if not reason.strip():
            raise NeedsReason("To go back to a step needs a reason; it stays in the log.")
        taken = self.since(step)
        standing = self.undoable()
        self._undo_from(standing, len(standing) - len(taken), reason)
        return taken

    def undo_back_to(self, seq: int, reason: str) -> None:
        """Undo all that stands behind the entry ``seq``. Raises PBCGError if that is nothing."""
        standing = self.undoable()
        first = next((at for at, entry in enumerate(standing) if entry.seq > seq), None)
        if first is None:
            raise PBCGError("There is nothing to undo.")
        self._undo_from(standing, first, reason)

    def since(self, step: str | int) -> list[Entry]:
        """Return what stands since the first question of ``step`` as it was asked last, in order.

        A number is that of an entry. Raises PBCGError if that step has asked nothing, or the
        entry no longer stands.
        """
        standing = self.undoable()
        if isinstance(step, int):
            found = [entry for entry in standing if entry.seq >= step]
            if not found or found[0].seq != step:
                raise PBCGError("That answer no longer stands: look at the log again.")
            return found
        first = len(standing) - 1
        while first >= 0 and standing[first].step != step:
            first -= 1
        if first < 0:
            asked = ", ".join(dict.fromkeys(entry.step for entry in standing)) or "none"
            raise PBCGError(f"{step} has asked nothing; steps to go back to: {asked}.")
        while first > 0 and standing[first - 1].step == step:
            first -= 1
        return standing[first:]

    @property
    def undone(self) -> Undone | None:
        """The undo that ``redo`` reverses; None when nothing was undone since the last answer."""
        if self._placed is not None or self.unfit:
            return None
        return self.journal.last_undo(self.own_branch)

    def check_redo(self, viewer: str) -> None:
        """Settle that a side alone (``viewer``) may redo: its own answers, or dice of neither.

        Raises PBCGError otherwise, in the same words whatever the other side undid in secret.
        """
        undone = self.undone
        hidden = self.pending is not None and not visible(self.pending, viewer)
        other = undone and not all(restores_alone(viewer, each) for each in undone.entries)
        if viewer != UMPIRE and (undone is None or hidden or other):
            raise PBCGError(
                "One side alone can redo only its own answers; there are none to redo now."
            )

    def redo(self) -> list[Entry]:
        """Redo what was undone last; returns the entries, oldest first.

        They are written down again after an entry that names the undo. Raises PBCGError if nothing
        was undone since the last answer.
        """
        undone = self.undone
        if undone is None:
            raise PBCGError("There is nothing to redo: nothing was undone since the last answer.")
        given, first = list(undone.entries), undone.entries[0]
        with self.together():
            self.journal.append(
                Entry(
                    kind="redo",
                    step=first.step,
                    point=first.point,
                    about=first.about,
                    side=first.side,
                    secret=first.secret,
                    body={"undo": undone.undo},
                )
            )
            self._again(given)
            self._replay()
        return given

    def _undo_from(self, standing: list[Entry], first: int, reason: str) -> None:
        """Undo what stands from ``first`` on."""
        with self.together():
            back_to = standing[first - 1].seq if first else self._bottom
            self._write_undo(standing[first:], back_to, reason, None)
            self._replay()

    @property
    def _bottom(self) -> int:
        """The entry that stands when all that can be undone is."""
        return 0

    def _write_undo(
        self, taken: list[Entry], back_to: int, reason: str, waiting: list[Entry] | None
    ) -> None:
        """Write down that ``taken`` no longer stands.

        ``waiting`` of it waits to be given again and the rest is given again at once; None takes
        all of it back for good. What only makes room so is neither side's: whether it was written
        would tell a side that the other had answered.
        """
        check_reason(reason)
        body: dict[str, Any] = {"back_to": back_to}
        if reason:
            body["reason"] = reason
        if waiting:
            body["left"] = [entry.seq for entry in waiting]
        if self.own_branch:
            body["of"] = self.own_branch
        first = taken[0]
        self.journal.append(
            Entry(
                kind="undo",
                step=first.step,
                point=first.point,
                about=first.about,
                side=self.own_branch or (first.side if waiting is None else ""),
                secret=first.secret or waiting is not None,
                body=body,
            )
        )

    def _words(self, entry: Entry) -> str:
        """Return what an entry answered, brought or corrected, in the words of the log."""
        for line in self._run.lines:
            if line.seq == entry.seq and line.kind == entry.kind:
                return line.text
        for kept in self.journal.states:
            for line in read_lines(kept.log) if kept.seq >= entry.seq else ():
                if line.seq == entry.seq and line.kind == entry.kind:
                    return line.text
        return plain_words(entry)

    # -- corrections --------------------------------------------------------------------

    def plan(self, path: str, value: Any) -> CorrectionPlan:
        """Return what ``correct`` would do; nothing is changed or written.

        Raises PBCGError if the change makes no sense.
        """
        return self._plan(path, value)[0]

    def correct(self, path: str, value: Any, reason: str) -> LogLine:
        """Change one fact of the state, for a ``reason`` that stays visible in the log.

        The change is made at the start of the step in progress; answers already given in that
        step are given again where the same is asked about the same piece or place, as ``plan``
        says. Raises PBCGError if the change makes no sense.
        """
        if not reason.strip():
            raise NeedsReason("A correction needs a reason; it stays in the log.")
        check_reason(reason)
        plan, placed = self._plan(path, value)
        _, seq, step = self._ground()
        taken = self._answers_behind(seq)
        with self.together():
            if taken:
                self._write_undo(taken, seq, reason, [lost.entry for lost in plan.lost])
            self.journal.append(
                Entry(
                    kind="correction",
                    step=step.id if step else "",
                    point=path,
                    side=plan.line.side,
                    secret=plan.line.secret,
                    on=self._parents(self.own_branch),
                    body={"value": value, "reason": reason},
                )
            )
            self._again(placed)
            self._replay()
        return plan.line

    def _plan(self, path: str, value: Any) -> tuple[CorrectionPlan, list[Entry]]:
        state, seq, step = self._ground()
        new, line = correct(self.game, state, path, value)
        if self._corrects_section and not is_apart(self.game, new):
            raise PBCGError(
                f"With {path} so both players could no longer be asked at once, and both are: "
                "undo to before this part of the Refit Phase and correct it there."
            )
        pool = sorted([*self._answers_behind(seq), *self._held], key=lambda entry: entry.seq)
        try:
            placed = self._place_again(new, seq, pool)
        except PBCGError:
            raise
        except Exception as error:  # whatever an unforeseen fact does to a script
            where = step.title if step else "it"
            raise PBCGError(f"{path} cannot be that: {where} could not go on with it.") from error
        kept = {entry.seq for entry in placed}
        lost = tuple(LostAnswer(each, self._words(each)) for each in pool if each.seq not in kept)
        return CorrectionPlan(line, len(placed), lost), placed

    @property
    def _corrects_section(self) -> bool:
        """Whether a correction is made before a section in which somebody has acted by himself."""
        open_now = self.journal.text.standing.branches is not None and self.apart
        return open_now and not self.own_branch

    def _ground(self) -> tuple[S, int, Step[S] | None]:
        """Return what a correction is made on: the state, its last entry and the step behind it."""
        if not self._corrects_section:
            return self.state, self._run.began, self.step
        state, seq = self._from_state()
        return state, seq, self.game.next_step(state)

    def _place_again(self, state: S, seq: int, pool: list[Entry]) -> list[Entry]:
        """Return what of ``pool`` is given again behind a corrected state, in its order."""
        game = self.game
        if not self._corrects_section or not isinstance(game, HasSections):
            return place(game, state, seq, pool)[1]
        placed: list[Entry] = []
        for side in dict.fromkeys(entry.side for entry in pool):
            own = [entry for entry in pool if entry.side == side]
            given = place(game, game.part(state, side), seq, own)[1]
            placed += [msgspec.structs.replace(entry, on=(seq,)) for entry in given]
        return placed

    def _answers_behind(self, seq: int) -> list[Entry]:
        """Return the answers that stand behind the entry ``seq``, each with what it is about.

        Raises PBCGError where a side has corrected a secret of its own among them.
        """
        standing = self.standing(seq)
        if self._corrects_section and any(entry.kind == "correction" for entry in standing):
            raise PBCGError(
                "A fact was corrected since this part of the Refit Phase began: this can be "
                "corrected when both players are done with it."
            )
        return [entry for entry in standing if entry.kind != "correction"]

    # -- giving again -------------------------------------------------------------------

    def _keep(self, seq: int, step: str, state: S, lines: list[LogLine]) -> None:
        super()._keep(seq, step, state, lines)
        if part := part_of(step):
            following = self.game.next_step(state)
            if following is None or part_of(following.id) != part:
                self._ended.append((seq, step))

    def write_checkpoints(self) -> None:
        """Write down the state after each part of the game that ended within this command."""
        ended, self._ended = self._ended, []
        written = self.journal.checkpoints() if ended else []
        ends = [(each.body["after"], each.step) for each in written]
        for end in ended:
            part = self.journal.states.until(end, after=ends[-1] if ends else None)
            if part and end not in ends:
                self.journal.append(checkpoint_entry(part[-1], [kept.log for kept in part]))
                ends.append(end)

    def _again(self, placed: list[Entry]) -> None:
        """Write entries down once more."""
        for entry in placed:
            on = self._parents(entry.side if len(entry.on) == 1 else "")
            self.journal.append(msgspec.structs.replace(entry, on=on))

    def _give_again(self) -> None:
        """Give what was held back as soon as what it answers is asked."""
        while self._held and self.pending is not None and self.step:
            found = fitting(self._held, self.pending, self.step.id)
            if found is None:
                return
            try:
                stored, sent = check_entry(self.pending, found)
            except IllegalAnswer:
                return
            self._record(self.pending, stored, sent)

    def _put_aside(self) -> None:
        """Write down how the answers of another version were placed; the rest is undone."""
        if self._placed is None:
            return
        placed, unfit, why = self._placed, self.unfit, self.why_unfit
        waiting = self.standing(self._base)
        same = 0
        while same < len(placed) and placed[same].seq == waiting[same].seq:
            same += 1
        back_to = waiting[same - 1].seq if same else self._base
        self._write_undo(waiting[same:], back_to, why[:MAX_REASON], unfit)
        self._again(placed[same:])
        self._replay()


def own_source(journal: Journal) -> str:
    """Return the source of a campaign's own dice: ``program``, ``table`` or empty."""
    return _OWN_SOURCES.get(str(journal.meta("dice") or ""), "")


def program_dice(game: Game[Any], journal: Journal) -> Dice:
    """Return the program's dice of a campaign: of its seed if it was begun with one."""
    seed = journal.meta("seed")
    if seed is None:
        return EntropyDice()
    of_seed: type[KeyedDice | SeededDice] = getattr(game, "dice_of_seed", KeyedDice)
    return of_seed(seed)


def throw_by(
    dice: Dice, roll: Roll, number: int, situation: Callable[[], bytes]
) -> tuple[int, ...]:
    """Throw a roll in its situation, or by its number with dice that know of none."""
    if isinstance(dice, SituationDice):
        return dice.throw_in(roll.spec, situation(), f"{roll.id} {roll.about}".strip())
    return dice.throw(roll.spec, number, roll.text)


def is_by_program(game: Game[Any], roll: Roll) -> bool:
    """Return whether the program makes a roll that no player at the table may see."""
    return roll.secret and bool(getattr(game, "secret_by_program", False))


def restores_alone(side: str, entry: Entry) -> bool:
    """Return whether a side alone may redo an entry: what both settled takes both words again."""
    return entry.side == side or (entry.kind == "roll" and not entry.side)
