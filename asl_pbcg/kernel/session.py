"""The script runner: a game in progress is its journal, replayed.

A ``Game`` says which step comes next and how its state is stored. A ``Session`` runs the
step's script up to the next prompt or roll, takes the answer, writes it down and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Entry, Journal, Snapshot
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.views import UMPIRE, Line

S = TypeVar("S")


class Step(msgspec.Struct, Generic[S], frozen=True):
    """One numbered step of a procedure: its script takes the state and returns the new one."""

    id: str
    title: str
    script: Callable[[S], Script[S]]
    rule: str = ""


class Game(Protocol[S]):
    """What the runner must know of a game."""

    name: str

    def begin(self, settings: Mapping[str, Any]) -> S:
        """The state before the first step."""
        ...

    def next_step(self, state: S) -> Step[S] | None:
        """The step that comes next, or None when nothing is left to do."""
        ...

    def encode(self, state: S) -> bytes:
        """The state as it is stored."""
        ...

    def decode(self, stored: bytes) -> S:
        """The state from its stored form, also one that an older version wrote."""
        ...


class Correctable(Game[S], Protocol[S]):
    """A game whose players may correct facts.

    With ``check_correction(before, after)`` it refuses what it could not go on with.
    """

    def correct(self, state: S, path: str, value: Any) -> tuple[S, Line]:
        """The state with one fact changed by the players, and the line that tells it."""
        ...


class Session(Generic[S]):
    """A game in progress on a journal.

    ``pending`` is the prompt or roll that waits, None when the game waits for nothing;
    ``state`` is the state at the last finished step. With ``bare`` snapshots are not used: the
    whole journal is replayed.

    ``unfit`` are answers of the step in progress that do not fit what is asked now, because
    another version of the program asked otherwise; ``why_unfit`` says so to players. The file
    stays as it is until the next answer, which puts them aside; they remain in the journal.
    """

    def __init__(self, game: Game[S], journal: Journal, bare: bool = False) -> None:
        self.game = game
        self.journal = journal
        self._bare = bare
        self.pending: Prompt | Roll | None = None
        self.step: Step[S] | None = None
        self.unfit: list[Entry] = []
        self.why_unfit = ""
        self._rolls = 0
        self._replay()

    # -- reading ----------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The state at the last finished step."""
        return self._state

    @property
    def rolls(self) -> int:
        """How many rolls stand in the journal; the next roll has this number."""
        return self._rolls

    @property
    def begun(self) -> bool:
        """Whether anything was answered or rolled in the step in progress."""
        return self._seq > self._step_began

    def lines(self) -> list[Line]:
        """The whole log from the beginning, as it was told when it happened."""
        told: list[Line] = []
        for lines in self.journal.logs():
            told += msgspec.json.decode(lines, type=list[Line])
        return told + self._lines

    # -- answering --------------------------------------------------------------------

    def answer(self, value: Any) -> None:
        """Answer the pending prompt; on the disk when this returns.

        Raises IllegalAnswer if the rules do not allow it; nothing has changed then.
        """
        prompt = self.pending
        if not isinstance(prompt, Prompt):
            raise PBCGError("Nothing is asked now." if prompt is None else "Dice are due now.")
        stored = prompt.check(value)
        self._record("answer", prompt, stored, stored)

    def throw(self, faces: tuple[int, ...]) -> Rolled:
        """Settle the pending roll by the dice ``faces``; on the disk when this returns."""
        roll = self.pending
        if not isinstance(roll, Roll):
            raise PBCGError("No roll is due now.")
        rolled = roll.resolve(faces)
        self._record("roll", roll, list(rolled.dice), rolled)
        return rolled

    def _record(self, kind: str, asked: Prompt | Roll, stored: Any, sent: Any) -> None:
        assert self.step
        entry = Entry(
            kind=kind,
            step=self.step.id,
            point=asked.id,
            side=asked.side,
            secret=asked.secret,
            body=stored,
        )
        try:
            # The script comes first: an answer that it refuses must leave no trace.
            self._feed(asked, sent)
        except BaseException:
            self._replay()
            raise
        try:
            if self.unfit:
                self._put_aside()
            entry = self.journal.append(entry)
        except PBCGError:
            self._replay()
            raise
        self._seq = entry.seq
        self._rolls += kind == "roll"
        self._finish_steps()

    def undo(self, reason: str = "") -> Entry:
        """Take back the last answer; back over a roll only with a ``reason``, which is logged.

        Answers that do not fit any more are taken back together. Returns the (first) entry taken
        back. Raises PBCGError if there is none.
        """
        if self.unfit:
            first = self.unfit[0]
            self._put_aside()
            self._replay()
            return first
        standing = self.journal.standing()
        if not standing:
            raise PBCGError("There is nothing to undo.")
        last = standing[-1]
        if last.kind == "roll" and not reason:
            raise NeedsReason(
                "The last thing was a roll: it can be taken back only with a reason, "
                "which stays in the log."
            )
        self._take_back(last, standing[:-1], reason)
        return last

    def check_undo(self, viewer: str, step: str = "") -> None:
        """Settle that a side alone (``viewer``) may take back the last answer, or all since a step.

        Raises PBCGError if the other side has answered since, whatever that was.
        """
        standing = self.journal.standing()
        since = standing[-1:]
        if step:
            since = [entry for entry in standing if entry.step == step]
            since = [entry for entry in standing if since and entry.seq >= since[0].seq]
        for entry in since:
            if viewer != UMPIRE and entry.side not in ("", viewer):
                raise PBCGError(
                    f"The {entry.side.capitalize()} player has answered since: only both together "
                    "can take that back."
                )
        if step and not since:
            raise PBCGError(f"{step} has asked nothing.")

    def undo_to(self, step: str, reason: str) -> list[Entry]:
        """Go back to the first question of ``step``, for example ``night-1/9.606``.

        Everything since is taken back by one entry, whose ``reason`` stays in the log. Returns
        the entries taken back, oldest first. Raises PBCGError without a reason, or if that step
        has asked nothing yet.
        """
        if not reason.strip():
            raise NeedsReason("To go back to a step needs a reason; it stays in the log.")
        standing = self.journal.standing()
        first = len(standing) - 1
        while first >= 0 and standing[first].step != step:
            first -= 1
        if first < 0:
            asked = ", ".join(dict.fromkeys(entry.step for entry in standing)) or "none"
            raise PBCGError(f"{step} has asked nothing; steps to go back to: {asked}.")
        while first > 0 and standing[first - 1].step == step:
            first -= 1
        self._take_back(standing[first], standing[:first], reason)
        return standing[first:]

    def _put_aside(self) -> None:
        """Take back the answers that do not fit; they stay in the journal."""
        self._undone(self.unfit[0], self._seq, self.why_unfit)
        self.unfit = []

    def _take_back(self, taken: Entry, kept: list[Entry], reason: str) -> None:
        """Take back ``taken`` and what came after it; ``kept`` stands."""
        self._undone(taken, kept[-1].seq if kept else 0, reason)
        self._replay()

    def _undone(self, taken: Entry, back_to: int, reason: str) -> None:
        """Write down that ``taken`` and what came after it no longer stand."""
        self.journal.append(
            Entry(
                kind="undo",
                step=taken.step,
                point=taken.point,
                side=taken.side,
                secret=taken.secret,
                body={"back_to": back_to, "reason": reason},
            )
        )

    def correct(self, path: str, value: Any, reason: str) -> Line:
        """Change one fact of the state, for a ``reason`` that stays visible in the log.

        The change is made at the start of the step in progress; answers already given in that
        step are kept as far as they still fit. Raises PBCGError if the change makes no sense.
        """
        if not reason.strip():
            raise NeedsReason("A correction needs a reason; it stays in the log.")
        new, line = self._corrected(path, value)
        if check := getattr(self.game, "check_correction", None):
            check(self._state, new)  # of a new correction only: what stands in a journal stands
        began = self._step_began
        again = [entry for entry in self.journal.standing(began) if entry.kind != "correction"]
        if again:
            self.journal.append(
                Entry(
                    kind="undo",
                    step=again[0].step,
                    point=again[-1].point,
                    body={"back_to": began, "reason": reason},
                )
            )
        self.journal.append(
            Entry(
                kind="correction",
                step=self.step.id if self.step else "",
                point=path,
                side=line.side,
                secret=line.secret,
                body={"value": value, "reason": reason},
            )
        )
        self._replay()
        for entry in again:
            asked = self.pending
            if asked is None or asked.id != entry.point:
                break
            try:
                if isinstance(asked, Roll):
                    self.throw(tuple(entry.body))
                else:
                    self.answer(entry.body)
            except IllegalAnswer:
                break
        return line

    def _corrected(self, path: str, value: Any) -> tuple[S, Line]:
        if not hasattr(self.game, "correct"):
            raise PBCGError("This game knows no corrections.")
        return cast("Correctable[S]", self.game).correct(self._state, path, value)

    # -- running ----------------------------------------------------------------------

    def _replay(self) -> None:
        """Bring the session to where its journal stands, as far as its answers fit."""
        self.unfit = []
        self.why_unfit = ""
        while True:
            waiting = self._from_snapshot()
            fit = waiting[: len(waiting) - len(self.unfit)]
            for entry in fit:
                try:
                    self._repeat(entry)
                except Exception as error:  # whatever an unforeseen answer does to a script
                    if self._bare:
                        raise
                    self.unfit = waiting[waiting.index(entry) :]
                    known = isinstance(error, PBCGError) and not entry.secret
                    self.why_unfit = (f"{error} " if known else "") + _given_again(self.unfit)
                    break
            else:
                self._rolls -= sum(entry.kind == "roll" for entry in self.unfit)
                return
            # The script that failed is of no use any more: once more, up to the answer before.

    def _from_snapshot(self) -> list[Entry]:
        """Go to the last finished step; return the answers given since."""
        snapshot = None if self._bare else self.journal.last_snapshot()
        if snapshot:
            try:
                self._state = self.game.decode(snapshot.state)
            except msgspec.DecodeError as error:
                raise PBCGError(
                    f"The file keeps the state after {snapshot.step} in a form that this version "
                    f"of pbcg cannot read ({error}): use the version that wrote it."
                ) from error
            self._seq = snapshot.seq
        else:
            self._state = self.game.begin(self.journal.meta("settings") or {})
            self._seq = 0
        self._rolls = self.journal.rolls()
        waiting = self.journal.standing(self._seq)
        self._step_began = self._seq
        self._start()
        self._finish_steps()
        return waiting

    def _repeat(self, entry: Entry) -> None:
        if entry.kind == "correction":
            self._seq = entry.seq
            self._change(entry)
            return
        asked = self.pending
        if (
            asked is None
            or asked.id != entry.point
            or isinstance(asked, Roll) != (entry.kind == "roll")
        ):
            raise PBCGError(
                f"Entry {entry.seq} of the journal answers {entry.point}, but this version of "
                f"pbcg asks {asked.id if asked else 'nothing'} there."
            )
        try:
            if isinstance(asked, Roll):
                self._feed(asked, asked.resolve(tuple(entry.body)))
            else:
                self._feed(asked, entry.body)
        except IllegalAnswer as error:
            raise PBCGError(f"Entry {entry.seq} of the journal ({entry.point}): {error}") from error
        self._seq = entry.seq
        self._finish_steps()

    def _change(self, entry: Entry) -> None:
        """Carry out a correction and begin the step again on the corrected state."""
        self._state, line = self._corrected(entry.point, entry.body["value"])
        line = msgspec.structs.replace(line, text=f"{line.text} Reason: {entry.body['reason']}")
        self._keep("correction", [line])
        self._start()
        self._finish_steps()

    def _keep(self, step: str, lines: list[Line]) -> None:
        self._step_began = self._seq
        if not self._bare:
            self.journal.keep(
                Snapshot(
                    seq=self._seq,
                    step=step,
                    state=self.game.encode(self._state),
                    lines=msgspec.json.encode(lines).decode(),
                )
            )

    def _start(self) -> None:
        """Begin the step that comes next."""
        self._lines: list[Line] = []
        self._done = False
        self.step = self.game.next_step(self._state)
        self.pending = None
        if self.step:
            self._script = self.step.script(self._state)
            self._send(None)

    def _feed(self, asked: Prompt | Roll, sent: Any) -> None:
        assert self.step
        line = Line.of(self.step.id, asked, sent)
        self._lines.append(line)
        self._send(sent)

    def _send(self, value: Any) -> None:
        """Run the script on to its next prompt or roll, gathering notes on the way."""
        assert self.step
        try:
            asked = self._script.send(value)
            while isinstance(asked, Note):
                self._lines.append(Line.of_note(self.step.id, asked))
                asked = self._script.send(None)
            self.pending = asked
        except StopIteration as finished:
            self.pending = None
            self._finished: S = finished.value
            self._done = True

    def _finish_steps(self) -> None:
        """Close every step that is done: keep its state and log, then begin the next."""
        while self._done and self.step:
            self._state = self._finished
            self._keep(self.step.id, self._lines)
            self._start()


def _given_again(unfit: list[Entry]) -> str:
    """What becomes of answers that do not fit, for players."""
    first, count = unfit[0], len(unfit)
    many = "the answer" if count == 1 else f"the {count} answers and rolls"
    return (
        f"In {first.step} {many} from {first.point} on must be given again; what was given before "
        "stays in the journal."
    )


def corrected(state: Any, path: str, value: Any) -> tuple[Any, Any]:
    """The frozen Struct ``state`` with the value at ``path`` changed, and what stood there.

    A path names fields, keys and list entries (by their ``id`` or ``key``, or by number from 0),
    parted by ``/``: ``san/german`` or ``pieces/b-648-1/status``. Raises PBCGError with the names
    there are.
    """
    data = msgspec.json.decode(msgspec.json.encode(state))
    found: Any = data
    parts = [part for part in path.strip().split("/") if part]
    if not parts:
        raise PBCGError("Say what to correct: a field, then keys or ids, parted by /.")
    for depth, part in enumerate(parts):
        where = "/".join(parts[:depth]) or "the campaign"
        key = _key(found, part, where)
        if depth == len(parts) - 1:
            old = found[key] if isinstance(found, list) else found.get(key)
            found[key] = value
            break
        if isinstance(found, dict) and key not in found:
            found[key] = {}
        found = found[key]
    try:
        new = msgspec.convert(data, type(state), strict=False)
    except msgspec.ValidationError as error:
        raise PBCGError(f"{path} cannot be {value!r}: {error}.") from error
    if new == state:
        raise PBCGError(f"That changes nothing: there is no {path}, or it is {value!r} already.")
    return new, old


def _key(found: Any, part: str, where: str) -> Any:
    if isinstance(found, list):
        for number, each in enumerate(found):
            if isinstance(each, dict) and part in (each.get("id"), each.get("key")):
                return number
        if part.isdecimal() and int(part) < len(found):
            return int(part)
        names = [each.get("id") or each.get("key") for each in found if isinstance(each, dict)]
        raise PBCGError(f'{where} has no "{part}"{_nearest(part, names)}')
    if not isinstance(found, dict):
        raise PBCGError(f"{where} is a single value; there is nothing in it called {part}.")
    return part


def _nearest(part: str, names: list[Any]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(part, [name for name in names if name], 3, 0.4)
    return f"; nearest: {', '.join(close)}." if close else "."
