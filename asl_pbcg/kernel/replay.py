"""A game as its journal has it: the state after the last finished step, and its answers since.

Answers that another version of the program asked otherwise are placed where the same is asked
about the same; what finds no place is told and left alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, Generic, TypeVar, cast

import msgspec

from asl_pbcg.kernel.checkpoints import read_checkpoint
from asl_pbcg.kernel.deciders import hand_lines, with_deciders
from asl_pbcg.kernel.entries import Entry, WriteFailed, exception_of, faces_of
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.journal import Journal, Snapshot
from asl_pbcg.kernel.journal_lines import (
    NumberedLines,
    assertion_lines,
    exception_lines,
    merge_lines,
    undo_lines,
)
from asl_pbcg.kernel.player_notes import note_lines
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.kernel.run import (
    BranchQueues,
    Correctable,
    Game,
    HasSections,
    Run,
    Step,
    as_asked,
    begin,
    fits,
    place,
    without,
)
from asl_pbcg.kernel.seals import seal_lines
from asl_pbcg.kernel.views import LogLine, read_lines

S = TypeVar("S")
T = TypeVar("T")


SAYS_MORE = " pbcg verify says more."
"""The end of a remark, which verify itself leaves out."""


class Replay(Generic[S]):
    """A game as its journal has it, to look at; nothing is answered.

    ``pending`` is the prompt or roll that waits, None when the game waits for nothing;
    ``state`` is the state at the last finished step.

    ``unfit`` are answers of the step in progress that cannot be placed by decision point and what
    they are about, because another version of the program asked otherwise; ``why_unfit`` says so
    to players. The file stays as it is until the next answer, which puts them aside; they remain
    in the journal.
    """

    own_branch = ""
    """The side whose part of a section is played alone; empty for the whole game."""

    def __init__(self, game: Game[S], journal: Journal) -> None:
        self.game = game
        self.journal = journal
        self.unfit: list[Entry] = []
        self.why_unfit = ""
        self._placed: list[Entry] | None = None
        """Where the answers since the last finished step were placed, if not where they stand."""
        self._held: list[Entry] = []
        """Entries that a correction could not place and no player has answered since."""
        self._to_compare: dict[tuple[int, str], Entry] = {}
        """Checkpoints that a replay from the beginning comes by, by last entry and step."""
        self._undone_words: dict[int, dict[int, str]] = {}
        """The words of the log about what each undo took, by number."""
        self._rolls: int | None = None
        """How many rolls stand, once somebody has asked."""
        self._ahead: BranchQueues[S] = BranchQueues()
        """The answers of each side of the section that the rules have not asked for yet."""
        self._on_branch = False
        """Whether the entry that the run takes stands on a side's branch."""
        self._section_ends: list[tuple[str, S, list[LogLine]]] = []
        """The steps of the section that have ended; they are kept when the section has."""
        self._base = 0
        self._reached = -1
        """The last entry that a replay got over."""
        self._run: Run[S]
        journal.rules_of = getattr(game, "rules_of", ((), ()))
        self._replay()
        self._remark_on_checkpoints()

    def _remark_on_checkpoints(self) -> None:
        """Remark that it goes on from a state that the file keeps, not from its entries."""
        journal = self.journal
        gap = next((each.step for each in journal.checkpoints() if each.body.get("gap")), "")
        if gap and journal.states.given:
            journal.remarks.append(
                f"Lines before the end of {gap} were lost; this version plays on from the state "
                f"that the file keeps after it.{SAYS_MORE}"
            )
        elif given := journal.states.given:
            journal.remarks.append(
                f"An earlier pbcg read a rule otherwise: up to {given} this is what the file "
                f"keeps; this version plays on from there.{SAYS_MORE}"
            )

    # -- reading ----------------------------------------------------------------------

    @property
    def pending(self) -> Prompt | Roll | None:
        """Return the prompt or roll that waits."""
        return self._run.pending

    @property
    def step(self) -> Step[S] | None:
        """Return the step in progress."""
        return self._run.step

    @property
    def state(self) -> S:
        """Return the state at the last finished step."""
        return self._run.state

    @property
    def now(self) -> S:
        """Return the state as it stands inside the step in progress; to look at, no more."""
        return self._run.now

    @property
    def rolls(self) -> int:
        """Return how many rolls stand in the journal; the next roll has this number."""
        if self._rolls is None:
            standing, unfit = self.journal.standing(), self.unfit
            rolls = [sum(each.kind == "roll" for each in pool) for pool in (standing, unfit)]
            self._rolls = rolls[0] - rolls[1]
        return self._rolls

    @property
    def begun(self) -> bool:
        """Return whether anything was answered or rolled in the step in progress."""
        return self._run.answered > 0

    def standing(self, after: int = 0) -> list[Entry]:
        """Return the entries after ``after`` that stand and that it is played by."""
        return self.journal.standing(after)

    @property
    def apart(self) -> bool:
        """Whether both sides are asked at once now, each by itself."""
        return self._run.step is not None and is_apart(self.game, self.state)

    def ahead(self) -> Run[S]:
        """A run of its own at what waits now, to try answers on: nothing of it is kept.

        Raises PBCGError while answers of another version wait to be given again.
        """
        if self._placed is not None or self.unfit:
            raise PBCGError("Answers must be given again first: then one can look ahead.")
        state, seq = self._from_state() if self._section_ends else (self.state, self._run.began)
        run = Run(self.game, state, seq, lambda *_: None)
        for entry in as_asked(lambda: run, self.standing(seq)):
            repeat(self.game, run, entry)
        return run

    def lines(self) -> list[LogLine]:
        """Return the whole log from the beginning, as it was told when it happened.

        What was undone since, assertions and notes are told where that happened.
        """
        steps = [(kept.seq, read_lines(kept.log)) for kept in self._kept_states()]
        steps += [(self._run.began, lines) for _, _, lines in self._section_ends]
        steps.append((self.journal.last, self._run.lines))
        others = [group for group in self._other_lines() if self._tells(group[0])]
        return with_deciders(merge_lines(steps, others), self.journal)

    def _kept_states(self) -> Sequence[Snapshot]:
        return [*self.journal.states]

    def _tells(self, seq: int) -> bool:
        """Return whether the log tells of the undo, note or hand-over that an entry is."""
        return bool(seq)

    def _other_lines(self) -> NumberedLines:
        others = undo_lines(self.journal, self._words_of_undone) + assertion_lines(self.journal)
        others += [*note_lines(self.journal.entries_of("note")), *hand_lines(self.journal)]
        return [*others, *seal_lines(self.journal)]

    def _words_of_undone(self, undo: Entry) -> dict[int, str]:
        """Return what the log told of what an undo took, by playing it again."""
        if undo.seq not in self._undone_words:
            self._undone_words[undo.seq] = self._play_undone(undo)
        return self._undone_words[undo.seq]

    def _play_undone(self, undo: Entry) -> dict[int, str]:
        taken = self.journal.text.standing.taken_by(undo)
        words = {entry.seq: plain_words(entry) for entry in taken}
        lines: list[LogLine] = []
        try:
            state, begun, stood = before_undo(self.game, self.journal, undo)
            run = Run(self.game, state, begun, lambda *step: lines.extend(step[3]))
            for entry in as_asked(lambda: run, stood):
                repeat(self.game, run, entry)
            lines += run.lines
        except Exception:  # another version asked otherwise: then the plain words stand
            return words
        kinds = {entry.seq: entry.kind for entry in taken}
        return words | {line.seq: line.text for line in lines if kinds.get(line.seq) == line.kind}

    # -- running ----------------------------------------------------------------------

    def _replay(self) -> None:
        """Bring the session to where its journal stands, as far as its answers fit."""
        self.unfit, self.why_unfit = [], ""
        self._placed, self._held = None, []
        self._rolls = None
        states = self.journal.states
        states.paused = False
        checkpoints = sorted(self.journal.checkpoints(), key=lambda each: each.body["after"])
        self._begin_at_gap(checkpoints)
        ends = {kept.end for kept in states}
        self._to_compare = {end: each for each in checkpoints if (end := _end_of(each)) not in ends}
        waiting, error = self._repeat_all()
        place = 0
        while error and (place := self._go_on_ahead(checkpoints, place)):
            waiting, error = self._repeat_all()
        self._to_compare = {}
        if error and self._reached < 0:
            raise self._no_beginning(error) from error
        if error:
            states.paused = True  # what is placed anew is not what the file comes to
            self._arrange(waiting, error)
        self._held = self._find_held()
        self.journal.save_states()

    def _begin_at_gap(self, checkpoints: list[Entry]) -> None:
        """Go to the last of the checkpoints before which lines were lost.

        What is kept of those in lines that no replay has come by yet is forgotten.
        """
        states = self.journal.states
        for each in checkpoints:
            if self.journal.line_of(each.seq) > states.examined:
                states.drop_end(_end_of(each))
        gaps = [place for place, each in enumerate(checkpoints) if each.body.get("gap")]
        if not gaps or any(kept.checkpoint == checkpoints[gaps[-1]].seq for kept in states):
            return
        states.clear()
        for each in checkpoints[: gaps[-1] + 1]:
            with contextlib.suppress(PBCGError):
                self.journal.keep(read_checkpoint(each))

    def _repeat_all(self) -> tuple[list[Entry], Exception | None]:
        """Repeat what was answered since the last finished step, up to what does not fit."""
        waiting: list[Entry] = []
        try:
            self._reached = -1
            waiting = self._from_snapshot()
            self._reached = self._base
            for entry in as_asked(lambda: self._run, waiting, self._ahead):
                self._on_branch = len(entry.on) == 1
                repeat(self.game, self._run, entry)
                self._reached = max(self._reached, entry.seq)
        except (WriteFailed, NoState):
            raise
        except Exception as error:  # whatever an unforeseen answer does to a script
            return waiting, error
        return waiting, None

    def _go_on_ahead(self, checkpoints: list[Entry], since: int) -> int:
        """Go on from the next checkpoint that a replay did not reach; ``since`` is the first place.

        Return the place behind it; 0 where none can be read. Raises PBCGError if this version reads
        the state of none.
        """
        unreadable: PBCGError | None = None
        for at, checkpoint in enumerate(checkpoints[since:], since):
            if checkpoint.body["after"] <= self._reached:
                continue
            try:
                snapshot = read_checkpoint(checkpoint)
                decode_state(self.game, snapshot)
            except NoState as error:
                unreadable = error
                continue
            except PBCGError:
                continue
            self.journal.states.drop_behind(_end_of(checkpoints[at - 1]) if at else None)
            self.journal.keep(snapshot)
            return at + 1
        if unreadable:
            raise unreadable
        return 0

    def _no_beginning(self, error: Exception) -> NoState:
        """Return the refusal of a state from which the game cannot even begin its next step."""
        snapshot = self.journal.states.last()
        kept = (
            f"the state that the file keeps after {snapshot.step[:40]}"
            if snapshot
            else "its settings"
        )
        why = f" ({_first_words(error)})" if isinstance(error, PBCGError) else ""
        told = f"This version of pbcg cannot go on from {kept}{why}"
        return NoState(f"{told}: use the version that wrote it.")

    def _arrange(self, waiting: list[Entry], error: Exception) -> None:
        """Place the answers since the last finished step where the same is asked."""
        waiting, seq = self._from_snapshot(), self._base
        state = self._run.state
        self._on_branch = self.journal.text.standing.branches is not None
        corrections = [entry for entry in waiting if entry.kind == "correction"]
        failed = next((each for each in waiting if each.seq > self._run.seq), waiting[-1])
        if corrections:
            self._placed = waiting[: waiting.index(failed)]
            self._from_snapshot()
            for entry in self._placed:
                repeat(self.game, self._run, entry)
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
        """Return the state after the last finished step, and the last entry that it includes."""
        snapshot = self.journal.states.last()
        return self._state_of([snapshot] if snapshot else []), snapshot.seq if snapshot else 0

    def before_section(self) -> list[Snapshot]:
        """Return what is kept up to the beginning of the section that both sides are at."""
        kept = [*self.journal.states]
        while kept and is_apart(self.game, self._state_of(kept[:-1])):
            kept.pop()
        return kept

    def _state_of(self, kept: Sequence[Snapshot]) -> S:
        """Return the last of the states that are kept; the one it begins with where none is."""
        if not kept:
            return beginning(self.game, self.journal)
        return decode_state(self.game, kept[-1])

    def _from_snapshot(self) -> list[Entry]:
        """Go to the last finished step; return the answers given since."""
        state, self._base = self._from_state()
        self._ahead, self._section_ends, self._on_branch = BranchQueues(), [], False
        self._run = Run(self.game, state, self._base, self._keep)
        return self.standing(self._base)

    def _keep(self, seq: int, step: str, state: S, lines: list[LogLine]) -> None:
        if checkpoint := self._to_compare.get((seq, step)):
            self._compare(checkpoint, state)
        self._section_ends.append((step, state, lines))
        if self._on_branch and is_apart(self.game, state):
            return  # what the file holds up to here may go on before this end
        ended, self._section_ends = self._section_ends, []
        for step, state, lines in ended:
            self.journal.keep(
                Snapshot(
                    seq=seq,
                    step=step,
                    stored_state=self.game.encode(state),
                    stored_log=msgspec.json.encode(lines),
                )
            )

    def _compare(self, checkpoint: Entry, state: S) -> None:
        """Compare a state with that of a checkpoint; PBCGError if other rules led to another."""
        same = False
        with contextlib.suppress(PBCGError):
            same = decode_state(self.game, read_checkpoint(checkpoint)) == state
        if same:
            return
        rules = self.journal.rules_at(checkpoint.seq)
        if rules and rules == rules_fingerprint(*self.journal.rules_of):
            self.journal.states.file = None  # a file that is not whole says so at every opening
            self.journal.remarks.append(
                f"The state that the file keeps after {checkpoint.step} is not what its entries "
                "come to; what they come to counts. pbcg verify says more."
            )
            return
        raise PBCGError(f"The state after {checkpoint.step} is another under other rules.")

    def _find_held(self) -> list[Entry]:
        """Return what a correction could not place and no player has answered since."""
        if not self.step:
            return []
        for entry in reversed(self.journal.entries_of("undo", self.journal.states.step_began)):
            if entry.body.get("of", "") not in ("", self.own_branch):
                continue
            if entry.step != self.step.id:
                return []
            if left := entry.body.get("left"):
                held = [self.journal.entry(seq) for seq in left if 0 < seq < entry.seq]
                held = [each for each in held if self.own_branch in ("", each.side)]
                for later in self.journal.entries(entry.seq):
                    held = without(held, later)
                return held
        return []


def is_apart(game: Game[S], state: S) -> bool:
    """Return whether both sides act at once, each by itself, in the step that is next."""
    return isinstance(game, HasSections) and game.is_apart(state)


def before_undo(game: Game[S], journal: Journal, undo: Entry) -> tuple[S, int, list[Entry]]:
    """Return a state kept before what an undo took, its last entry, and what stood behind it.

    Of an undo on a side's branch of a section it is that side's part alone.
    """
    kept = journal.states.last(undo.body["back_to"])
    state = game.decode(kept.state) if kept else beginning(game, journal)
    seq = kept.seq if kept else 0
    stood = journal.text.standing.stood_before(undo.seq, seq)
    of = undo.body.get("of", "")
    if of and isinstance(game, HasSections):
        return game.part(state, of), seq, [entry for entry in stood if entry.side == of]
    return state, seq, stood


class NoState(PBCGError):
    """The state to begin with cannot be read."""


def decode_state(game: Game[S], snapshot: Snapshot) -> S:
    """Return the state of a snapshot. Raises NoState where this version cannot read it."""
    try:
        state = game.decode(snapshot.state)
        if snapshot.checkpoint and (check := getattr(game, "check_state", None)):
            check(state)
        return state
    except Exception as error:  # whatever a foreign state does to the reader of a game
        known = isinstance(error, PBCGError | msgspec.DecodeError)
        why = f" ({_first_words(error)})" if known else ""
        raise NoState(
            f"The file keeps the state after {snapshot.step[:40]} in a form that this version of "
            f"pbcg cannot read{why}: use the version that wrote it."
        ) from error


def _first_words(error: Exception) -> str:
    fault = error.faults[0] if isinstance(error, FaultsError) else error
    return str(fault).partition("\n")[0][:200].rstrip(".")


def _end_of(checkpoint: Entry) -> tuple[int, str]:
    return (checkpoint.body["after"], checkpoint.step)


def beginning(game: Game[S], journal: Journal) -> S:
    """Return the state that a journal begins with. Raises PBCGError."""
    try:
        return begin(game, journal.meta("settings"))
    except PBCGError as error:
        raise NoState(str(error)) from error


def repeat(game: Game[S], run: Run[S], entry: Entry) -> None:
    """Answer what a run asks as ``entry`` did. Raises PBCGError if it does not fit."""
    if entry.kind == "correction":
        state, line = correct(game, run.state, entry.point, entry.body["value"])
        line = msgspec.structs.replace(line, text=f"{line.text} Reason: {entry.body['reason']}")
        run.change(state, line, entry.seq)
        return
    asked = run.pending
    if asked is None or not run.step or not fits(entry, asked, entry.step):
        now = f"{asked.id} {asked.about}".strip() if asked else "nothing"
        raise PBCGError(
            f"Entry {entry.seq} of the journal answers {entry.point} {entry.about}".rstrip()
            + f", but this version of pbcg asks {now} there."
        )
    try:
        sent = asked.resolve(faces_of(entry.body)) if isinstance(asked, Roll) else entry.body
        feed(run, sent, entry)
    except IllegalAnswer as error:
        raise PBCGError(f"Entry {entry.seq} of the journal ({entry.point}): {error}") from error
    run.close()


def feed(run: Run[S], sent: Any, entry: Entry) -> None:
    """Send a run what ``entry`` says; other dice than the campaign's own are told in its log."""
    asked, step = run.pending, run.step
    run.feed(sent, entry.seq)
    source = exception_of(entry.body)
    if step and isinstance(asked, Roll) and source:
        lines = run.lines
        place = next(at for at, line in enumerate(lines, 1) if line.seq == entry.seq)
        lines[place:place] = exception_lines(step.id, asked, source, entry.seq)


def correct(game: Game[S], state: S, path: str, value: Any) -> tuple[S, LogLine]:
    """Return a corrected state and the line that tells it: at the prompt and in a replay alike.

    Raises PBCGError for what the game could not go on with.
    """
    if not hasattr(game, "correct"):
        raise PBCGError("This game knows no corrections.")
    new, line = cast("Correctable[S]", game).correct(state, path, value)
    if check := getattr(game, "check_correction", None):
        check(state, new)
    return new, line


def plain_words(entry: Entry) -> str:
    """Say what an entry answered or brought, without the words of the rules."""
    said = "a document" if isinstance(entry.body, dict) else entry.body
    about = f" ({entry.about})" if entry.about else ""
    return f"{entry.point}{about}: {str(said)[:120]}"


def _words_given_again(unfit: list[Entry]) -> str:
    """Say for players what happens to answers that do not fit."""
    first, count = unfit[0], len(unfit)
    many = "the answer" if count == 1 else f"the {count} answers and rolls"
    return (
        f"In {first.step} {many} from {first.point} on must be given again; what was given before "
        "stays in the journal."
    )
