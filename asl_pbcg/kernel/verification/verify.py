"""Verify a campaign file: its chain, its bare replay, its checkpoints and its dice.

The replay plays the journal again from its entries alone and uses nothing else that was kept.
``compare`` finds where two copies of a campaign part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from asl_pbcg.kernel.checkpoints import read_checkpoint
from asl_pbcg.kernel.deciders import check_hand
from asl_pbcg.kernel.dice import KeyedDice, SeededDice
from asl_pbcg.kernel.entries import Entry, exception_of, faces_of, words_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal, Snapshot
from asl_pbcg.kernel.journal_cache import CORRECTION
from asl_pbcg.kernel.journal_lines import lost_entries
from asl_pbcg.kernel.player_notes import check_words
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.replay import SAYS_MORE, beginning, decode_state, repeat
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.kernel.run import Game, Run, as_asked
from asl_pbcg.kernel.seals import check_seals
from asl_pbcg.kernel.session import is_by_program, own_source, program_dice, throw_by
from asl_pbcg.kernel.standing import Standing, content
from asl_pbcg.kernel.views import UMPIRE, LogLine, read_lines, visible
from asl_pbcg.kernel.wording import number_words

S = TypeVar("S")
Players = Mapping[str, Sequence[str]]
"""The players of each side."""


class BareReplay(Generic[S]):
    """A game played again from ``start`` (or its beginning) on, as far as its entries fit.

    ``error`` is what ended it before the last entry.
    """

    def __init__(
        self,
        game: Game[S],
        journal: Journal,
        start: Snapshot | None = None,
        wanted: Collection[int] = (),
    ) -> None:
        self.ended: dict[tuple[int, str], tuple[S, list[LogLine]]] = {}
        """State and log at the end of each step, by its last entry and its id."""
        self.asked: dict[int, Prompt | Roll] = {}
        """The prompt or roll that each entry answers."""
        self.steps: dict[int, str] = {}
        """The step in which each was asked."""
        self.corrected: dict[int, LogLine] = {}
        """The line that tells each correction."""
        self.states: dict[int, S] = {}
        """The state after each ``wanted`` entry."""
        self.reached = start.seq if start else 0
        """The last entry that fits."""
        self.error: Exception | None = None
        state = game.decode(start.state) if start else beginning(game, journal)
        try:
            self.run = Run(game, state, self.reached, self._end_step)
            if self.reached in wanted:
                self.states[self.reached] = state
            for entry in as_asked(lambda: self.run, journal.standing(self.reached)):
                asked, step = self.run.pending, self.run.step
                repeat(game, self.run, entry)
                if asked and step and entry.kind != "correction":
                    self.asked[entry.seq], self.steps[entry.seq] = asked, step.id
                self.reached = max(self.reached, entry.seq)
                if entry.seq in wanted:
                    self.states[entry.seq] = self.run.state
        except Exception as error:  # whatever an unforeseen answer does to a script
            self.error = error

    def _end_step(self, seq: int, step: str, state: S, lines: list[LogLine]) -> None:
        self.ended[seq, step] = (state, list(lines))
        if step == CORRECTION:
            self.corrected[seq] = lines[0]


_MAX_BALANCES = 3
"""So many wrong books of a step are named."""


class Verified(msgspec.Struct, kw_only=True):
    """The result: ``faults`` are what does not fit, ``remarks`` what players should know.

    No number tells how many secret answers were given: only what both sides may know is counted.
    ``partly`` says from where on a file that is whole could be played again, if not from its
    beginning.
    """

    open_entries: int
    last: str
    fingerprint: str
    corrections: int
    rolls: int
    rolls_undone: int
    exceptions: int
    dice: str
    rules: list[str]
    faults: list[str] = []
    remarks: list[str] = []
    partly: str = ""

    @property
    def sentence(self) -> str:
        """All of it in one line, as ``whole: 804 open entries, last 2026-11-22, 8 corrections``."""
        counts = [
            number_words(self.open_entries, "open entry", "open entries"),
            f"last {self.last[:10]}" if self.last else "",
            number_words(self.corrections, "correction") if self.corrections else "",
            number_words(self.rolls_undone, "roll") + " undone" if self.rolls_undone else "",
            number_words(self.exceptions, "roll") + " with other dice" if self.exceptions else "",
        ]
        head = "not whole" if self.faults else "whole, not played again from its beginning"
        if not self.faults and not self.partly:
            head = "whole"
        return f"{head}: " + ", ".join(filter(None, counts))


class _Stop(NamedTuple):
    """Where a replay parts from the file.

    ``fault`` says how, ``seq`` is the entry, ``checkpoint`` the one to go on from, and ``gap``
    whether lines before that were lost.
    """

    fault: str
    seq: int
    checkpoint: Entry | None
    gap: bool = False


def verify(
    journal: Journal,
    game: Game[S],
    balances: Callable[[S], Iterable[str]] = lambda state: (),
    players: Callable[[S], Players] = lambda state: {},
) -> Verified:
    """Verify a journal, whose chain was checked when it was read.

    ``balances`` yields a sentence for each account of a state that does not add up; ``players``
    gives the players of each side, if the game lists any. A game whose answers bring their dice
    with them has ``rolls_in(body)``: how many there are, and whether the program did not throw
    them. A part played under other rules may be asked otherwise by this program: an answer that
    does not fit there is no fault, but the file is not called whole.
    """
    journal.rules_of = getattr(game, "rules_of", ((), ()))
    verifier = _Verifier(journal, game, balances, players)
    verifier.check_rolls_again()
    verifier.check_redone()
    verifier.check_times()
    verifier.check_checkpoint_sides()
    verifier.check_words()
    verifier.play_again()
    return verifier.result


class _Verifier(Generic[S]):
    def __init__(
        self,
        journal: Journal,
        game: Game[S],
        balances: Callable[[S], Iterable[str]],
        players: Callable[[S], Players],
    ) -> None:
        self._journal = journal
        self._game = game
        self._balances = balances
        self._players = players
        self._rules = rules_fingerprint(*journal.rules_of)
        """The rules of this program."""
        self._own = own_source(journal)
        self.result = self._count()

    def _count(self) -> Verified:
        journal = self._journal
        entries, standing, undone = journal.entries(), journal.standing(), self._undone_rolls()
        rolls = [entry for entry in standing if entry.kind == "roll"]
        within = self._rolls_within()
        return Verified(
            open_entries=sum(not each.secret for each in entries),
            last=entries[-1].at if entries else "",
            fingerprint=journal.fingerprint,
            corrections=sum(each.kind == "correction" and not each.secret for each in standing),
            rolls=sum(not each.secret for each in rolls) + within[0],
            rolls_undone=undone + within[1],
            exceptions=within[2] + sum(bool(exception_of(each.body)) for each in rolls),
            dice=self._dice_words(),
            rules=journal.rules_named(),
            remarks=[each.removesuffix(SAYS_MORE) for each in journal.remarks],
        )

    def _undone_rolls(self) -> int:
        """Return how many rolls were undone and not given again by the same command or a redo."""
        redone = {entry.body["undo"] for entry in self._journal.entries_of("redo")}
        return sum(
            entry.kind == "roll"
            for undo in self._journal.entries_of("undo")
            if undo.seq not in redone
            for entry in lost_entries(self._journal, undo)
        )

    def _rolls_within(self) -> tuple[int, int, int]:
        """Return the rolls that answers brought: standing, undone, standing with other dice."""
        standing = undone = other = 0
        rolls_in = getattr(self._game, "rolls_in", lambda body: (0, False))
        for entry in self._journal.entries_of("answer"):
            rolls, not_own = rolls_in(entry.body)
            if entry.seq in self._journal.void():
                undone += rolls
            else:
                standing += rolls
                other += rolls if not_own else 0
        return standing, undone, other

    def _dice_words(self) -> str:
        if self._own == "table":
            return "real dice, typed in"
        if self._journal.meta("seed") is not None:
            return "the program's, of a seed: whoever has the file can foresee them"
        return "the program's, from the system's entropy"

    # -- without a replay ----------------------------------------------------------------

    def check_rolls_again(self) -> None:
        """Check that own dice are the same in a situation met before. J16."""
        thrown: dict[tuple[bytes, str, str], tuple[int, ...]] = {}
        rolls = self._journal.entries_of("roll")
        for roll in rolls if self._own != "table" else ():
            if exception_of(roll.body):
                continue
            key, faces = (self._journal.situation(roll.seq), roll.point, roll.about), roll.body
            if thrown.setdefault(key, faces) != faces:
                self._add_fault(
                    roll,
                    "was thrown again: it was made in the same situation before, with other dice "
                    "(J16).",
                )
                return

    def check_redone(self) -> None:
        """Check that each redo restores what its undo took, in its own line. J20."""
        if not self._journal.entries_of("redo"):
            return
        standing = Standing()
        for entry in self._journal.entries():
            if entry.kind == "redo":
                undone = standing.undone_by(entry.body["undo"])
                taken = undone.entries if undone else []
                given = self._journal.same_command(entry)[: len(taken)]
                if list(map(_comparison_key, given)) != list(map(_comparison_key, taken)):
                    self._add_fault(entry, "restores what was not undone (J20).")
                    return
            standing.add(entry)

    def check_times(self) -> None:
        """Mention times that run backwards."""
        for before, entry in pairwise(self._journal.entries()):
            if entry.at < before.at:
                self.result.remarks.append(
                    f"{_subject(entry)} is dated {entry.at}, but what stands before it "
                    f"{before.at}: times are what the clock of the machine said."
                )
                return

    def check_checkpoint_sides(self) -> None:
        """Check that checkpoints are veiled and no side's. J23."""
        for entry in self._journal.entries_of("checkpoint"):
            if entry.side or not entry.secret:
                self._add_fault(entry, "is one side's or open (J23).")
                return

    def check_words(self) -> None:
        """Check that notes, hand-overs, assertions and reasons are what commands keep. J20."""
        for entry in self._journal.entries():
            try:
                check_words(entry)
            except PBCGError as error:
                self._add_fault(entry, f"is not one that is kept: {str(error).rstrip('.')} (J20).")
                return
        if wrong := check_seals(self._journal):
            self._add_fault(wrong[0], f"is not one that is kept: {wrong[1]} (J20).")

    def _add_fault(self, entry: Entry, words: str) -> None:
        self.result.faults.append(f"{_subject(entry)} {words}")

    # -- replay --------------------------------------------------------------------------

    def play_again(self) -> None:
        """Play the whole journal again, from checkpoint to checkpoint where other rules part it."""
        checkpoints = sorted(self._journal.checkpoints(), key=_after)
        start: Snapshot | None = None
        gap = any(each.body.get("gap") for each in checkpoints)
        below = self._journal.text.standing.below
        handed = [(below[entry.seq], entry) for entry in self._journal.entries_of("hand")]
        while True:
            replay = BareReplay(self._game, self._journal, start, {below for below, _ in handed})
            self._check_hands(replay, handed)
            self._check_asked(replay)
            if not gap:
                self._check_seed(replay)
            for (_, step), (state, _) in replay.ended.items():
                wrong = [f"After {step}: {words} (J26)." for words in self._balances(state)]
                self.result.faults += wrong[:_MAX_BALANCES]
            stop = self._first_stop(replay, checkpoints)
            if stop is None or not self._may_part(stop):
                return
            if stop.checkpoint is None:
                self.result.partly = f"up to {words_of(self._journal.entry(stop.seq))} only"
                return
            step = stop.checkpoint.step
            self.result.partly = f"from the checkpoint after {step} on"
            try:
                start = read_checkpoint(stop.checkpoint)
                decode_state(self._game, start)
            except PBCGError:
                self.result.faults.append(f"The checkpoint after {step} cannot be read (J21).")
                return
            checkpoints = [each for each in checkpoints if _after(each) > start.seq]

    def _check_hands(self, replay: BareReplay[S], handed: Iterable[tuple[int, Entry]]) -> None:
        """Check that whoever took over was a player of that side then. J20.

        ``handed`` are hand-overs, each behind the number of the entry that was uppermost.
        """
        for below, entry in handed:
            players = self._players(replay.states[below]) if below in replay.states else {}
            if not players:
                continue
            try:
                check_hand(players.get(entry.side, ()), entry.side, str(entry.body))
            except PBCGError as error:
                self._add_fault(entry, f"is not one that is kept: {str(error).rstrip('.')} (J20).")

    def _may_part(self, stop: _Stop) -> bool:
        """Remark that the file parts from its replay by other rules or lost lines, else a fault."""
        remarks = self.result.remarks
        if stop.checkpoint and stop.gap:
            lost = f"Lines before the end of {stop.checkpoint.step} were lost"
            if not any(remark.startswith(lost) for remark in remarks):
                remarks.append(f"{lost}.")
            return True
        named = self._journal.rules_named(stop.seq)
        if all(rules == self._rules != "" for rules in named):
            self.result.faults.append(stop.fault)
            return False
        remarks.append(
            f"A part was played under other rules than those of this version. {stop.fault}"
        )
        return True

    def _first_stop(self, replay: BareReplay[S], checkpoints: list[Entry]) -> _Stop | None:
        """Return where a replay first parts from the file; None if it does not."""
        before: tuple[int, str] | None = None
        for checkpoint in checkpoints:
            if replay.error is not None and _after(checkpoint) > replay.reached:
                break
            if fault := self._checkpoint_fault(replay, checkpoint, before):
                gap = bool(checkpoint.body.get("gap"))
                return _Stop(fault, checkpoint.seq, checkpoint, gap)
            before = (_after(checkpoint), checkpoint.step)
        if replay.error is None:
            return None
        reason = (
            " ".join(str(replay.error).split())
            if isinstance(replay.error, PBCGError)
            else "an entry does not fit"
        )
        waiting = self._journal.standing(replay.reached)
        return _Stop(
            f"Played again it comes to a stop: {reason.rstrip('.')} (J20).",
            waiting[0].seq if waiting else self._journal.last,
            next((each for each in checkpoints if _after(each) > replay.reached), None),
        )

    def _checkpoint_fault(
        self, replay: BareReplay[S], checkpoint: Entry, before: tuple[int, str] | None
    ) -> str:
        """Say how a checkpoint is not what a replay comes to; nothing if it is. J21, J22."""
        step, end = checkpoint.step, (_after(checkpoint), checkpoint.step)
        ends = list(replay.ended)
        ends = ends[ends.index(before) + 1 :] if before else ends
        if end not in ends:
            return f"A checkpoint says that {step} ended there (J21)."
        try:
            kept = read_checkpoint(checkpoint)
            same = decode_state(self._game, kept) == replay.ended[end][0]
        except PBCGError:
            same = False
        if not same or checkpoint.body.get("gap"):
            return f"The state that it keeps after {step} is not what its entries come to (J21)."
        part = ends[: ends.index(end) + 1]
        lines = [line.as_kept for at in part for line in replay.ended[at][1]]
        if read_lines(kept.log) != read_lines(msgspec.json.encode(lines)):
            return f"The log that it keeps up to {step} is not what its entries tell (J22)."
        return ""

    def _check_asked(self, replay: BareReplay[S]) -> None:
        """Check step, name, side, secrecy and source of what was asked. J20, J23, J25."""
        for seq in sorted(replay.asked.keys() | replay.corrected.keys()):
            entry, asked = self._journal.entry(seq), replay.asked.get(seq)
            if words := self._other_than_asked(replay, entry):
                if self._rules and self._journal.rules_at(seq) == self._rules:
                    self.result.faults.append(words)
                else:
                    self.result.remarks.append(words)
                    self.result.partly = "but for sides and secrecy"
                return
            if isinstance(asked, Roll) and exception_of(entry.body) == self._own != "":
                if self._own == "table" and is_by_program(self._game, asked):
                    continue
                self._add_fault(entry, "names a source that is its own (J25).")
                return

    def _other_than_asked(self, replay: BareReplay[S], entry: Entry) -> str:
        """Say how an entry differs from what was asked; nothing if it does not. J20, J23."""
        asked = replay.asked.get(entry.seq)
        whose = asked or replay.corrected[entry.seq]
        if (entry.side, entry.secret) != (whose.side, whose.secret):
            return f"{_subject(entry)} is not of the side or secrecy that it is asked (J23)."
        if asked is None:
            return ""
        if (entry.step, entry.about) != (replay.steps[entry.seq], asked.about):
            return (
                f"{_subject(entry)} is of another step, or about another thing, than is asked "
                "(J20)."
            )
        return ""

    def _check_seed(self, replay: BareReplay[S]) -> None:
        """Check that rolls of a seed are those that the seed gives. J24."""
        journal, dice = self._journal, program_dice(self._game, self._journal)
        if self._own == "table" or not isinstance(dice, KeyedDice | SeededDice):
            return
        keyed = isinstance(dice, KeyedDice)
        given: set[tuple[str, str, tuple[int, ...]]] = set()
        rolls = journal.entries() if keyed else journal.standing()
        for number, roll in enumerate(each for each in rolls if each.kind == "roll"):
            faces, asked = faces_of(roll.body), replay.asked.get(roll.seq)
            again = keyed and (roll.point, roll.about, faces) in given  # a correction may move it
            given.add((roll.point, roll.about, faces))
            if again or not isinstance(asked, Roll) or exception_of(roll.body):
                continue
            if faces != throw_by(dice, asked, number, partial(journal.situation, roll.seq)):
                self._add_fault(roll, "is not what the campaign's seed gives (J24).")
                return


def _subject(entry: Entry) -> str:
    return words_of(entry)[0].upper() + words_of(entry)[1:]


def _after(checkpoint: Entry) -> int:
    return int(checkpoint.body["after"])


# -- Comparing ---------------------------------------------------------------------------


class Parting(msgspec.Struct, frozen=True):
    """Where two files part: the last entry they share, and what each has next (if anything).

    Of what they share it is the last that the viewer has seen.
    """

    shared: Entry | None
    settings: tuple[str, ...]
    first: Entry | None
    second: Entry | None


def compare(first: Journal, second: Journal, viewer: str = UMPIRE) -> Parting:
    """Find where two copies of a campaign part; checkpoints count only where entries are alike."""
    settings, others = first.text.meta(), second.text.meta()
    keys = sorted({*settings, *others})
    ones, twos = first.entries(), second.entries()
    pairs = zip(map(_comparison_key, ones), map(_comparison_key, twos), strict=False)
    shared = next(
        (at for at, (one, two) in enumerate(pairs) if one != two), min(len(ones), len(twos))
    )
    return Parting(
        next((each for each in reversed(ones[:shared]) if visible(each, viewer)), None),
        tuple(key for key in keys if settings.get(key) != others.get(key)),
        ones[shared] if shared < len(ones) else None,
        twos[shared] if shared < len(twos) else None,
    )


def _comparison_key(entry: Entry) -> tuple[Any, ...]:
    return (*content(entry), entry.secret)
