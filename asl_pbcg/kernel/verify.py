"""Verifying a campaign file: its chain, its bare replay, its checkpoints, its dice.

And comparing two copies of one campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.checkpoints import read_checkpoint
from asl_pbcg.kernel.dice import KeyedDice, SeededDice
from asl_pbcg.kernel.entries import Entry, exception_of, faces_of, words_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.replay import SAYS_MORE
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.kernel.run import Game, Run
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.standing import Standing
from asl_pbcg.kernel.state_cache import Snapshot
from asl_pbcg.kernel.taken_back import taken_for_good
from asl_pbcg.kernel.views import Line, read_lines
from asl_pbcg.kernel.wording import number_words

S = TypeVar("S")
_TYPED = ("manual", "table")
_MAX_TOLD = 3


class Verified(msgspec.Struct, kw_only=True):
    """What was found. ``faults`` are what does not fit, ``remarks`` what one should know.

    No number tells how many secret answers were given: only what both sides may know is counted.
    ``partly`` says from where on a file that is whole could be played again, if not from its
    beginning.
    """

    open_entries: int
    last: str
    fingerprint: str
    corrections: int
    rolls: int
    rolls_taken_back: int
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
            number_words(self.rolls_taken_back, "roll") + " taken back"
            if self.rolls_taken_back
            else "",
            number_words(self.exceptions, "roll") + " with other dice" if self.exceptions else "",
        ]
        head = "not whole" if self.faults else "whole, not played again from its beginning"
        if not self.faults and not self.partly:
            head = "whole"
        return f"{head}: " + ", ".join(filter(None, counts))


class _Bare(Session[S], Generic[S]):
    """A bare replay from a checkpoint (or the beginning) on, as far as the entries fit.

    It remembers the state at the end of each step, and what was asked.
    """

    def __init__(self, game: Game[S], journal: Journal, start: Snapshot | None) -> None:
        self.ended: dict[tuple[int, str], tuple[S, list[Line]]] = {}
        self.asked: dict[int, Prompt | Roll] = {}
        self.steps: dict[int, str] = {}
        """The step in which each was asked."""
        self.corrected: dict[int, Line] = {}
        """What tells each correction."""
        self.error: Exception | None = None
        self._start = start
        super().__init__(game, journal, bare=True)

    @property
    def reached(self) -> int:
        """The last entry that fits."""
        return max(self._reached, self._start.seq if self._start else 0)

    def _replay(self) -> None:
        _, self.error = self._repeat_all()

    def _from_state(self) -> tuple[S, int]:
        if self._start is None:
            return super()._from_state()
        return self.game.decode(self._start.state), self._start.seq

    def _keep(self, seq: int, step: str, state: S, lines: list[Line]) -> None:
        self.ended[seq, step] = (state, list(lines))

    def _feed(self, run: Run[S], asked: Prompt | Roll, sent: Any, entry: Entry) -> None:
        self.asked[entry.seq] = asked
        self.steps[entry.seq] = run.step.id if run.step else ""
        super()._feed(run, asked, sent, entry)

    def _change(self, run: Run[S], entry: Entry) -> None:
        super()._change(run, entry)
        self.corrected[entry.seq] = self._told

    def _correct(self, state: S, path: str, value: Any) -> tuple[S, Line]:
        found = super()._correct(state, path, value)
        self._told = found[1]
        return found


def verify(
    journal: Journal, game: Game[S], balances: Callable[[S], Iterable[str]] = lambda state: ()
) -> Verified:
    """Verify a journal, whose chain was checked when it was read.

    ``balances`` finds wrong books. A game whose answers bring their dice with them says by
    ``rolls_in(body)`` how many, and whether they were not the campaign's own. What was played under
    other rules than this program's may be asked otherwise today: what does not fit then is no fault
    but is not called whole.
    """
    journal.rules_of = getattr(game, "rules_of", ((), ()))
    entries, standing = journal.entries(), journal.standing()
    within = _rolls_within(journal, getattr(game, "rolls_in", None))
    redone = {entry.body["undo"] for entry in journal.entries_of("redo")}
    lost = [each for each in taken_for_good(journal) if each.undo.seq not in redone]
    undone = [entry for taken in lost for entry in taken.entries]
    rolls = [entry for entry in standing if entry.kind == "roll"]
    found = Verified(
        open_entries=sum(not each.secret for each in entries),
        last=entries[-1].at if entries else "",
        fingerprint=journal.fingerprint,
        corrections=sum(each.kind == "correction" and not each.secret for each in standing),
        rolls=sum(not each.secret for each in rolls) + within[0],
        rolls_taken_back=sum(each.kind == "roll" for each in undone) + within[1],
        exceptions=within[2] + sum(bool(exception_of(each.body)) for each in rolls),
        dice=_source(journal),
        rules=journal.rules_named(),
        remarks=[each.removesuffix(SAYS_MORE) for each in journal.remarks],
    )
    _check_again(journal, found)
    _check_redone(journal, found)
    _check_times(journal, found)
    _play_again(journal, game, found, balances)
    return found


def _rolls_within(
    journal: Journal, rolls_in: Callable[[Any], tuple[int, bool]] | None
) -> tuple[int, int, int]:
    """Return the rolls that answers brought: standing, undone, standing with other dice."""
    stand = back = other = 0
    if rolls_in is None:
        return 0, 0, 0
    void = journal.void()
    for entry in journal.entries_of("answer"):
        rolls, not_own = rolls_in(entry.body)
        if entry.seq in void:
            back += rolls
        else:
            stand += rolls
            other += rolls if not_own else 0
    return stand, back, other


def _source(journal: Journal) -> str:
    if journal.meta("dice") in _TYPED:
        return "real dice, typed in"
    if journal.meta("seed") is not None and not journal.carried:
        return "the program's, of a seed: whoever has the file can foresee them"
    return "the program's, from the system's entropy"


def _check_again(journal: Journal, found: Verified) -> None:
    """Check that own dice are the same in a situation met before. J16."""
    if journal.meta("dice") in _TYPED:
        return
    older = max(journal.ends_of_older_forms(), default=0)
    thrown: dict[tuple[bytes, str, str], tuple[int, ...]] = {}
    for situation, entry in journal.situations():
        if entry.kind != "roll" or exception_of(entry.body) or entry.seq < older:
            continue
        key, faces = (situation, entry.point, entry.about), faces_of(entry.body)
        if thrown.setdefault(key, faces) != faces:
            found.faults.append(
                f"{_subject(entry)} was thrown again: it was made in the same situation before, "
                "with other dice (J16)."
            )
            return


def _check_redone(journal: Journal, found: Verified) -> None:
    """Check that each redo gives back what its undo took, in its own line. J20."""
    if not journal.entries_of("redo"):
        return
    standing = Standing([])
    for entry in journal.entries():
        if entry.kind == "redo" and not journal.is_imported(entry.seq):
            taken = standing.pile[-1].entries
            given = journal.same_command(entry)[: len(taken)]
            if [_content(each) for each in given] != [_content(each) for each in taken]:
                found.faults.append(f"{_subject(entry)} gives back what was not undone (J20).")
                return
        standing.add(entry)


def _check_times(journal: Journal, found: Verified) -> None:
    """Mention times that run backwards."""
    for before, entry in pairwise(journal.entries()):
        if entry.at < before.at:
            found.remarks.append(
                f"{_subject(entry)} is dated {entry.at}, but what stands before it {before.at}: "
                "times are what the clock of the machine said."
            )
            return


def _subject(entry: Entry) -> str:
    return words_of(entry)[0].upper() + words_of(entry)[1:]


# -- Replay ------------------------------------------------------------------------------


def _play_again(
    journal: Journal, game: Game[S], found: Verified, balances: Callable[[S], Iterable[str]]
) -> None:
    """Play the whole journal again, from checkpoint to checkpoint where other rules part it."""
    ours = rules_fingerprint(*journal.rules_of)
    checkpoints = sorted(journal.checkpoints(), key=lambda each: each.body["after"])
    start: Snapshot | None = None
    lines_lost = any(each.body.get("gap") for each in checkpoints)
    while True:
        replay = _Bare(game, journal, start)
        _check_asked(journal, replay, found)
        if not lines_lost:
            _check_seed(journal, replay, found)
        for (_, step), (state, _) in replay.ended.items():
            found.faults += [f"After {step}: {words} (J26)." for words in balances(state)][
                :_MAX_TOLD
            ]
        parted = _first_parting(journal, game, replay, checkpoints)
        if parted is None and replay.error is None:
            return
        checkpoint: Entry | None
        if parted is not None and (
            replay.error is None or parted[0].body["after"] <= replay.reached
        ):
            checkpoint, fault = parted
            gap = bool(checkpoint.body.get("gap"))
            upto = checkpoint.seq
        else:
            fault, gap = f"Played again it comes to a stop: {_plain(replay.error)} (J20).", False
            upto = next((e.seq for e in journal.standing(replay.reached)), journal.last)
            later = [each for each in checkpoints if each.body["after"] > replay.reached]
            checkpoint = later[0] if later else None
        foreign = [each for each in journal.rules_named(upto) if each != ours or not each]
        if not foreign and not gap:
            found.faults.append(fault)
            return
        lost = f"Lines before the end of {checkpoint.step} were lost" if checkpoint else ""
        if gap and lost:
            if not any(each.startswith(lost) for each in found.remarks):
                found.remarks.append(f"{lost}.")
        else:
            found.remarks.append(
                f"A part was played under other rules than those of this version. {fault}"
            )
        if checkpoint is None:
            found.partly = f"up to {words_of(journal.entry(upto))} only"
            return
        found.partly = f"from the checkpoint after {checkpoint.step} on"
        try:
            start = read_checkpoint(checkpoint)
            game.decode(start.state)
        except (PBCGError, msgspec.DecodeError, UnicodeError, RecursionError):
            found.faults.append(f"The checkpoint after {checkpoint.step} cannot be read (J21).")
            return
        checkpoints = [each for each in checkpoints if each.body["after"] > start.seq]


def _plain(error: Exception | None) -> str:
    return str(error).rstrip(".") if isinstance(error, PBCGError) else "an entry does not fit"


def _first_parting(
    journal: Journal, game: Game[S], replay: _Bare[S], checkpoints: list[Entry]
) -> tuple[Entry, str] | None:
    """Return the first checkpoint that is not what a replay came to, and the fault."""
    told: list[Line] = []
    ended = iter(replay.ended.items())
    for checkpoint in checkpoints:
        if replay.error is not None and checkpoint.body["after"] > replay.reached:
            return None
        key = (checkpoint.body["after"], checkpoint.step)
        told = []
        for here, (_, lines) in ended:
            told += lines
            if here == key:
                break
        else:
            return checkpoint, f"A checkpoint says that {checkpoint.step} ended there (J21)."
        try:
            kept = read_checkpoint(checkpoint)
            same = game.decode(kept.state) == replay.ended[key][0]
        except (PBCGError, msgspec.DecodeError, UnicodeError, RecursionError):
            same = False
        if not same or checkpoint.body.get("gap"):
            return checkpoint, (
                f"The state that it keeps after {checkpoint.step} is not what its entries come to "
                "(J21)."
            )
        if not journal.is_imported(checkpoint.seq):
            plain = msgspec.json.decode(msgspec.json.encode(told), type=list[Line])
            if read_lines(kept.lines) != plain:
                return checkpoint, (
                    f"The log that it keeps up to {checkpoint.step} is not what its entries tell "
                    "(J22)."
                )
    return None


def _check_asked(journal: Journal, replay: _Bare[S], found: Verified) -> None:
    """Check step, name, side, secrecy and source of what was asked. J20, J23, J25."""
    ours = rules_fingerprint(*journal.rules_of)
    typed = journal.meta("dice") in _TYPED
    own = {"seeded": "program", "program": "program", "manual": "table", "table": "table"}.get(
        str(journal.meta("dice") or ""), ""
    )
    for entry in journal.entries_of("checkpoint"):
        if entry.side or not entry.secret:
            found.faults.append(f"{_subject(entry)} is one side's or open (J23).")
            return
    for seq in sorted(replay.asked.keys() | replay.corrected.keys()):
        entry, asked = journal.entry(seq), replay.asked.get(seq)
        if words := _other_than_asked(journal, replay, entry):
            if ours and journal.rules_at(seq) == ours:
                found.faults.append(words)
            else:
                found.remarks.append(words)
                found.partly = "but for sides and secrecy"
            return
        if isinstance(asked, Roll) and (source := exception_of(entry.body)) and source == own:
            by_program = asked.secret and getattr(replay.game, "secret_by_program", False)
            if not (typed and by_program):
                found.faults.append(f"{_subject(entry)} names a source that is its own (J25).")
                return


def _other_than_asked(journal: Journal, replay: _Bare[S], entry: Entry) -> str:
    """Say how an entry differs from what was asked; nothing if it does not. J20, J23."""
    asked = replay.asked.get(entry.seq)
    whose = asked or replay.corrected[entry.seq]
    if (entry.side, entry.secret) != (whose.side, whose.secret):
        return f"{_subject(entry)} is not of the side or secrecy that it is asked (J23)."
    if asked is None or journal.is_imported(entry.seq):
        return ""
    if (entry.step, entry.about) != (replay.steps[entry.seq], asked.about):
        return f"{_subject(entry)} is of another step, or about another thing, than is asked (J20)."
    return ""


def _check_seed(journal: Journal, replay: _Bare[S], found: Verified) -> None:
    """Check that rolls of a seed are those that the seed gives. J24."""
    dice = replay.program_dice
    if replay.typed_dice:
        return
    if isinstance(dice, SeededDice):
        rolls = [entry for entry in journal.standing() if entry.kind == "roll"]
        for number, entry in enumerate(rolls):
            asked = replay.asked.get(entry.seq)
            if not isinstance(asked, Roll) or exception_of(entry.body):
                continue
            if dice.throw(asked.spec, number, asked.text) != faces_of(entry.body):
                _add_seed_fault(entry, found)
                return
    if not isinstance(dice, KeyedDice):
        return
    given: set[tuple[str, str, tuple[int, ...]]] = set()
    for situation, entry in journal.situations():
        asked = replay.asked.get(entry.seq)
        if entry.kind != "roll":
            continue
        key = (entry.point, entry.about, faces_of(entry.body))
        again = key in given  # a correction gives it again in another situation
        given.add(key)
        if not isinstance(asked, Roll) or exception_of(entry.body) or again:
            continue
        about = f"{entry.point} {entry.about}".strip()
        if dice.throw_in(asked.spec, situation, about) != faces_of(entry.body):
            _add_seed_fault(entry, found)
            return


def _add_seed_fault(entry: Entry, found: Verified) -> None:
    found.faults.append(f"{_subject(entry)} is not what the campaign's seed gives (J24).")


# -- Comparing ---------------------------------------------------------------------------


class Parting(msgspec.Struct, frozen=True):
    """Where two files part: the last entry they share, and what each has next (if anything)."""

    shared: Entry | None
    settings: tuple[str, ...]
    first: Entry | None
    second: Entry | None


def compare(first: Journal, second: Journal) -> Parting:
    """Find where two copies of a campaign part; checkpoints count only where entries are alike."""
    keys = sorted({*first.settings(), *second.settings()})
    differ = tuple(key for key in keys if first.meta(key) != second.meta(key))
    ones, others = (
        [each for each in journal.entries() if each.kind != "carried"]
        for journal in (first, second)
    )
    shared = 0
    for one, other in zip(ones, others, strict=False):
        if _content(one) != _content(other):
            break
        shared += 1
    return Parting(
        ones[shared - 1] if shared else None,
        differ,
        ones[shared] if shared < len(ones) else None,
        others[shared] if shared < len(others) else None,
    )


def _content(entry: Entry) -> Mapping[str, Any]:
    return {name: getattr(entry, name) for name in _COMPARED}


_COMPARED = ("kind", "step", "point", "about", "side", "secret", "body")
