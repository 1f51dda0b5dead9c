"""Verifying a campaign file: its chain, its bare replay, what it keeps, its dice.

And comparing two copies of one campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.dice import KeyedDice
from asl_pbcg.kernel.entries import Entry, exception_of, faces_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.run import Game
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import Line, read_lines
from asl_pbcg.kernel.wording import number_words

S = TypeVar("S")


class Verified(msgspec.Struct, kw_only=True):
    """What was found: ``faults`` are what does not fit, ``remarks`` what one should know."""

    entries: int
    last: str
    fingerprint: str
    corrections: int
    rolls: int
    rolls_taken_back: int
    exceptions: int
    dice: str
    faults: list[str] = []
    remarks: list[str] = []

    @property
    def sentence(self) -> str:
        """All of it in one line, as ``whole: 804 entries, last 2026-11-22, 8 corrections``."""
        counts = [
            number_words(self.entries, "entry", "entries"),
            f"last {self.last[:10]}" if self.last else "",
            number_words(self.corrections, "correction") if self.corrections else "",
            number_words(self.rolls_taken_back, "roll") + " taken back"
            if self.rolls_taken_back
            else "",
            number_words(self.exceptions, "roll") + " with other dice" if self.exceptions else "",
        ]
        return ("whole: " if not self.faults else "not whole: ") + ", ".join(filter(None, counts))


class _Bare(Session[S], Generic[S]):
    """A bare replay that remembers the state at the end of each step, and what was rolled."""

    def __init__(self, game: Game[S], journal: Journal) -> None:
        self.ended: list[tuple[int, str, S, list[Line]]] = []
        self.thrown: dict[int, Roll] = {}
        super().__init__(game, journal, bare=True)

    def _keep(self, seq: int, step: str, state: S, lines: list[Line]) -> None:
        self.ended.append((seq, step, state, list(lines)))

    def _feed(self, asked: Prompt | Roll, sent: Any, seq: int, stored: Any) -> None:
        if isinstance(asked, Roll):
            self.thrown[seq] = asked
        super()._feed(asked, sent, seq, stored)


def verify(
    journal: Journal,
    game: Game[S],
    program: str,
    balances: Callable[[S], Iterable[str]] = lambda state: (),
) -> Verified:
    """Verify a journal, its whole chain first; ``balances`` finds wrong books.

    Raises Damaged for the first entry that does not fit. A game whose answers bring their dice
    with them says by ``rolls_in(body)`` how many, and whether they were not the campaign's own.
    ``program`` is the version that verifies: what another one wrote may be asked otherwise today,
    which is a remark and no fault.
    """
    entries = journal.entries()
    void = journal.void()
    within = _rolls_within(entries, void, getattr(game, "rolls_in", None))
    found = Verified(
        entries=len(entries),
        last=next((each.at for each in reversed(entries) if each.kind != "carried"), ""),
        fingerprint=journal.fingerprint,
        corrections=sum(each.kind == "correction" and each.seq not in void for each in entries),
        rolls=journal.rolls() + within[0],
        rolls_taken_back=_rolls_taken_back(entries) + within[1],
        exceptions=within[2]
        + sum(
            each.kind == "roll" and each.seq not in void and bool(exception_of(each.body))
            for each in entries
        ),
        dice=_source(journal),
        remarks=list(journal.remarks),
    )
    foreign = {each.program for each in entries if each.kind != "carried"} - {program}
    if journal.carried:
        found.remarks.append("It was carried over from an older form, whose entries had no chain.")
    replay = _replay(journal, game, found, foreign)
    if replay:
        _check_states(journal, game, replay, found, foreign)
        _check_dice(journal, replay, found)
        for ended in replay.ended:
            found.faults += [f"after {ended[1]}: {fault}" for fault in balances(ended[2])][:3]
    return found


def _rolls_taken_back(entries: list[Entry]) -> int:
    """How many rolls were taken back for good, and not given again by a correction or a redo.

    An undo says which; those of older forms do not, but a correction gave again what it could.
    """
    older = max((entry.seq for entry in entries if entry.kind == "carried"), default=0)
    stand: list[Entry] = []
    redone = {entry.body.get("undo") for entry in entries if entry.kind == "redo"}
    count = 0
    for entry in entries:
        if entry.kind == "undo":
            taken = 0
            while stand and stand[-1].seq > entry.body["back_to"]:
                taken += stand.pop().kind == "roll"
            corrects = entry.seq < len(entries) and entries[entry.seq].kind == "correction"
            if entry.seq < older and not corrects:
                count += taken
            count += len(entry.body.get("taken") or ()) if entry.seq not in redone else 0
        stand.append(entry)
    return count


def _rolls_within(
    entries: list[Entry], void: AbstractSet[int], rolls_in: Callable[[Any], tuple[int, bool]] | None
) -> tuple[int, int, int]:
    """The rolls that answers brought: standing, taken back, standing with other dice."""
    stand = back = other = 0
    if rolls_in is None:
        return 0, 0, 0
    for entry in entries:
        rolls, not_own = rolls_in(entry.body) if entry.kind == "answer" else (0, False)
        if entry.seq in void:
            back += rolls
        else:
            stand += rolls
            other += rolls if not_own else 0
    return stand, back, other


def _source(journal: Journal) -> str:
    if journal.meta("dice") in ("manual", "table"):
        return "real dice, typed in"
    if journal.meta("seed") is not None and not journal.carried:
        return "the program's, of a seed: whoever has the file can foresee them"
    return "the program's, from the system's entropy"


def _replay(journal: Journal, game: Game[S], found: Verified, foreign: set[str]) -> _Bare[S] | None:
    try:
        return _Bare(game, journal)
    except Exception as error:  # whatever an entry that does not fit does to a script
        known = str(error) if isinstance(error, PBCGError) else "an entry does not fit the rules"
        if not foreign and not journal.carried:
            found.faults.append(f"Played again from its beginning it comes to a stop: {known}")
            return None
        found.remarks.append(
            f"It was written by pbcg {', '.join(sorted(foreign)) or 'of an older form'} too; this "
            f"version asks otherwise and cannot play it again from its beginning: {known}"
        )
        return None


def _check_states(
    journal: Journal, game: Game[S], replay: _Bare[S], found: Verified, foreign: set[str]
) -> None:
    """Compare what the file keeps with what the bare replay came to."""
    ended = iter(replay.ended)
    for kept in journal.snapshots():
        again = next((each for each in ended if each[:2] == (kept.seq, kept.step)), None)
        place = f"after {kept.step} (entry {kept.seq})"
        if again is None:
            found.faults.append(f"It keeps a state {place}, but no step ends there.")
            return
        try:
            same = game.decode(kept.state) == again[2]
        except (msgspec.DecodeError, PBCGError):
            same = False
        if not same:
            if foreign or journal.carried:
                found.remarks.append(
                    f"An earlier pbcg read a rule otherwise: played again by this one, the state "
                    f"{place} is another. What the file keeps goes on."
                )
            else:
                found.faults.append(f"The state it keeps {place} is not what its entries come to.")
            return
        if not foreign and not journal.carried:
            told = read_lines(kept.lines)
            if told != msgspec.json.decode(msgspec.json.encode(again[3]), type=list[Line]):
                found.faults.append(f"The log it keeps {place} is not what its entries tell.")
                return


def _check_dice(journal: Journal, replay: _Bare[S], found: Verified) -> None:
    """Settle that rolls of a seed are those that the seed gives."""
    dice = replay.program_dice
    if not isinstance(dice, KeyedDice) or replay.typed_dice:
        return
    before: set[tuple[str, str, tuple[int, ...]]] = set()
    for situation, entry in journal.situations():
        if entry.kind != "roll":
            continue
        faces = faces_of(entry.body)
        key = (entry.point, entry.about, faces)
        asked = replay.thrown.get(entry.seq)
        again = key in before
        before.add(key)
        if asked is None or exception_of(entry.body) or again:
            continue
        about = f"{entry.point} {entry.about}".strip()
        if dice.throw_in(asked.spec, situation, about) != faces:
            found.faults.append(
                f"Roll {entry.seq} ({about} in {entry.step}) is not what the campaign's seed gives."
            )
            return


# -- Comparing ---------------------------------------------------------------------------


class Parting(msgspec.Struct, frozen=True):
    """Where two files part: the last entry they share, and what each has next (if anything)."""

    shared: int
    settings: tuple[str, ...]
    first: Entry | None
    second: Entry | None
    times: bool
    """Whether they say the same but were written at other times."""


def compare(first: Journal, second: Journal) -> Parting:
    """Where two copies of a campaign part."""
    keys = sorted({*first.settings(), *second.settings()})
    differ = tuple(key for key in keys if first.meta(key) != second.meta(key))
    shared, times = 0, first.head != second.head
    ones, others = first.entries(), second.entries()
    for one, other in zip(ones, others, strict=False):
        if _content(one) != _content(other):
            break
        shared += 1
    return Parting(
        shared,
        differ,
        ones[shared] if shared < len(ones) else None,
        others[shared] if shared < len(others) else None,
        times,
    )


def _content(entry: Entry) -> tuple[Any, ...]:
    return (
        entry.kind,
        entry.step,
        entry.point,
        entry.about,
        entry.side,
        entry.secret,
        entry.body if entry.kind != "carried" else None,
    )
