"""One viewer's seat at an open game: what is asked of him, his answers, what he may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.kernel.deciders import deciders
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import NeedsReason, PBCGError
from asl_pbcg.kernel.player_notes import check_reason
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.reader import plain_dashes
from asl_pbcg.kernel.session import restores_alone
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.textfiles import parse_yaml
from asl_pbcg.kernel.views import UMPIRE, LogLine, visible
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.asked import AskedPrompt, AskedRoll, Curtain, ShownProposal, ask_of
from asl_pbcg.play.consent import Consent, shown_proposal
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import BOTH, OPEN, SheetName, StepState
from asl_pbcg.play.proposals import Correction, Proposal
from asl_pbcg.play.refusals import (
    SECRET_FAULT,
    LostAnswers,
    Moved,
    NeedsConfirmation,
    NotYours,
    OnlyLooking,
)
from asl_pbcg.play.waiting import as_seen, check_players, hand_decisions, waits
from asl_pbcg.records.sheet import Sheet

if TYPE_CHECKING:
    from asl_pbcg.chronicle.difference import Difference
    from asl_pbcg.play.campaign_game.assertions import ComparedFact
    from asl_pbcg.refit.correction_choices import CorrectableFact

_MAX_PROPOSED = 2000
MAX_UNDONE: Final = 20
"""So many answers and rolls an undo removes without asking."""
Whatever = AskedPrompt | AskedRoll | Curtain | None


class Seat:
    """A viewer's place: a side, ``umpire`` (sees all, answers for all) or ``both`` (one screen).

    ``eyes`` is who sits before a screen for both: a side, empty for both together, or ``umpire``
    once they said that all may be seen. Nothing here prints, reads or waits.
    """

    def __init__(self, game: OpenGame, viewer: str, eyes: str = "") -> None:
        if viewer not in (*game.viewers, UMPIRE, BOTH):
            raise PBCGError(f"The {viewer.capitalize()} player has no part in this game.")
        self._whole = game
        self.viewer = viewer
        self.eyes = eyes
        self.consent = Consent(game, viewer)

    @property
    def game(self) -> OpenGame:
        """The game, or in a section in which both sides act at once this side's own part of it."""
        return self._whole.played_by(self.viewer)

    # -- who sees what ------------------------------------------------------------------

    @property
    def sees(self) -> str:
        """The eyes on the screen: a side, ``umpire``, or empty for what both may know."""
        return self.eyes if self.viewer == BOTH else self.viewer

    @property
    def is_side(self) -> bool:
        """Whether one side alone sits here."""
        return self.consent.is_of_one_side

    @property
    def seq(self) -> int:
        """The count of the journal's entries these eyes know of; it goes up with each of them."""
        return self.game.seq(self.sees)

    @property
    def last_written(self) -> str:
        """When the last entry was written that this seat knows of; empty before the first."""
        entries = reversed(self.game.entries())
        return next((each.at for each in entries if visible(each, self._knows_of)), "")

    @property
    def _knows_of(self) -> str:
        return UMPIRE if self.viewer == BOTH else self.viewer

    @property
    def _pending(self) -> Prompt | Roll | None:
        return self.game.session.pending

    @property
    def pending(self) -> Prompt | Roll | None:
        """The prompt or roll itself, for a skin that shows its table; None if it is not his."""
        asked = self._pending
        if asked is None or not self._is_mine(asked) or self._curtain(asked):
            return None
        return self._as_asked(asked)

    def _as_asked(self, asked: Prompt | Roll) -> Prompt | Roll:
        if isinstance(asked, Roll):
            return asked
        return self.game.plug.as_asked(self.game.session, asked, self.sees)

    def question(self) -> Whatever:
        """Return what is asked of this seat now: a prompt, a roll, a curtain first, or None.

        None also while somebody else is asked; ``waiting_for`` says who.
        """
        asked = self._pending
        if asked is None or not self._is_mine(asked):
            return None
        if curtain := self._curtain(asked):
            return curtain
        session = self.game.session
        step = session.step.title if session.step else ""
        heading = self.game.plug.heading(session)
        question = ask_of(asked, self.seq, step, heading, self.game.typed_dice)
        if decider := self.deciders.get(asked.side):
            question = msgspec.structs.replace(question, decider=decider)
        if isinstance(question, AskedPrompt) and isinstance(asked, Prompt):
            made = self.consent.proposals(asked)
            shown = tuple(self._show(asked, each) for each in made)
            question = msgspec.structs.replace(question, proposals=shown)
        return question

    def _show(self, asked: Prompt, proposal: Proposal) -> ShownProposal:
        shown = shown_proposal(asked, proposal)
        difference = self._difference(asked, proposal)
        if difference is None:
            return shown
        return msgspec.structs.replace(shown, words=f"{shown.words}: {difference.summary}")

    def _difference(self, asked: Prompt, proposal: Proposal) -> Difference | None:
        """Return what a proposal changes; the game keeps it while its journal ends as it does."""
        session, kept = self.game.session, self.game.differences
        key = (session.journal.head, proposal.digest, self.sees)
        if key not in kept:
            kept[key] = self.game.plug.difference(session, asked, proposal.value, self.sees)
        return kept[key]

    def waiting_for(self) -> str:
        """Return the side whose answer is awaited, ``both``, or empty where nothing is asked."""
        asked = self._pending
        return "" if asked is None else asked.side or BOTH

    def _is_mine(self, asked: Prompt | Roll) -> bool:
        if not self.is_side:
            return True
        if isinstance(asked, Roll):
            return self.game.plug.throws(asked, self.viewer)
        return asked.side in ("", self.viewer)

    def _curtain(self, asked: Prompt | Roll) -> Curtain | None:
        if self.viewer != BOTH or self.eyes == OPEN:
            return None
        wanted = asked.side if asked.secret else ""
        return None if wanted == self.eyes else Curtain(side=wanted, leaving=self.eyes)

    def lift(self, side: str) -> None:
        """Say who sits before a screen for both: a side, nobody alone (empty), or ``umpire``."""
        if self.viewer != BOTH or side not in ("", OPEN, *self.game.plug.sides):
            raise PBCGError(f'"{side}" cannot take this seat.')
        self.eyes = side

    # -- answering ------------------------------------------------------------------------

    def answer(self, value: Any, seq: int | None = None, prompt: str = "") -> None:
        """Answer the prompt; on the disk when this returns.

        ``seq`` and ``prompt`` say what the viewer looked at. Raises Moved if the game has gone on,
        NotYours, IllegalAnswer with the rule, and NeedsAgreement where both sides settle it and
        one alone answers: that is kept as a proposal until the other agrees or says the same.
        """
        asked = self._as_asked(self._ready(seq, prompt))
        if not isinstance(asked, Prompt):
            raise Moved("Dice are due now, no answer.")
        checked = asked.check(value)
        if asked.kind == "document":
            value = checked
        self.consent.take(asked, checked)
        self._write(value)

    def answer_all(self, values: Sequence[Any], seq: int, prompt: str) -> None:
        """Answer the prompt and what is asked after it: all answers are taken or none.

        Raises as ``answer`` does, and PBCGError where one that follows takes both sides' words.
        """
        first, *others = values
        if not others:
            self.answer(first, seq, prompt)
            return
        try:
            with self.game.session.together():
                self.answer(first, seq, prompt)
                for value in others:
                    if self.consent.needs_both(self._pending):
                        raise PBCGError(
                            "Both players settle what is asked then: answer it by itself."
                        )
                    self.answer(value)
        finally:
            self.game.note_change()

    def _write(self, value: Any) -> None:
        """Write an answer down that has all the words it takes."""
        session, beforehand = self.game.session, self.game.beforehand
        if beforehand:
            with session.together():
                session.journal.append(beforehand)
                session.answer(value)
            self.game.beforehand = None
        else:
            session.answer(value)
        self.game.note_change()
        self.game.throw_by_itself()

    def agree(self, digest: str, seq: int | None = None, lose: bool = False) -> LogLine | None:
        """Agree to what the other side proposes by its digest; of a correction return the line.

        Raises ProposalChanged if that is not what is proposed now, OwnProposal, IllegalAnswer for
        an answer that is refused by now, and for a correction as ``correct`` does. A fault in what
        the other side keeps secret is not named.
        """
        self.must_write()
        proposal = self.consent.find_proposal(digest, self._pending)
        self.consent.check_agreement(proposal)
        if isinstance(proposal, Correction):
            return self._agree_to_correction(proposal, lose)
        asked = self._as_asked(self._ready(seq, proposal.prompt))
        assert isinstance(asked, Prompt)
        asked.check(proposal.value)
        self._write(proposal.value)
        return None

    def proposed_document(self, digest: str) -> dict[str, Any]:
        """Return a proposed document by its digest, to be looked at. Raises ProposalChanged."""
        proposal = self.consent.find_proposal(digest, self._pending)
        if not isinstance(proposal.value, dict):
            raise PBCGError("A correction or a word is not a position to look at.")
        return proposal.value

    def difference(self, digest: str) -> Difference | None:
        """Return what a proposal changes of what this seat knows; None if nothing can be seen.

        Raises ProposalChanged.
        """
        self.proposed_document(digest)
        asked, proposal = self._pending, self.consent.find_proposal(digest, self._pending)
        if not isinstance(asked, Prompt) or isinstance(proposal, Correction):
            return None
        return self._difference(asked, proposal)

    def decline(self, digest: str) -> None:
        """Decline what the other side proposes, or withdraw what this one does, by its digest.

        Raises ProposalChanged if that is not what is proposed now.
        """
        self.must_write()
        self.consent.end(self.consent.find_proposal(digest, self._pending))

    def roll(
        self, faces: tuple[int, ...] | None = None, seq: int | None = None, roll: str = ""
    ) -> Rolled:
        """Settle the roll that is due, by the program's dice or by ``faces`` thrown at the table.

        Raises Moved, NotYours, IllegalAnswer for dice that cannot lie so, and PBCGError where the
        campaign uses the other kind of dice.
        """
        asked = self._ready(seq, roll)
        if not isinstance(asked, Roll):
            raise Moved("A decision is due now, no roll.")
        by = "table"
        if faces is None:
            if self.game.typed_dice:
                raise PBCGError("Real dice are used in this game: throw them and type them.")
            faces, by = self.game.session.dice(self.game.dice), "program"
        elif not self.game.typed_dice:
            raise PBCGError("The program rolls in this game.")
        rolled = self.game.session.throw(faces, by)
        self.game.note_change()
        self.game.throw_by_itself()
        return rolled

    def roll_all(self) -> list[Rolled]:
        """Throw all program rolls that come one after the other without a decision between them."""
        return [self.roll(), *self.roll_on()]

    def roll_on(self) -> list[Rolled]:
        """Throw the program rolls that come next without a decision between them."""
        rolled = []
        while not self.game.typed_dice and isinstance(self.question(), AskedRoll):
            rolled.append(self.roll())
        return rolled

    def _ready(self, seq: int | None, id: str) -> Prompt | Roll:
        """The pending prompt or roll, if it is this seat's and still the one he looked at."""
        if not self.game.writing:
            raise OnlyLooking
        asked = self._pending
        if asked is None or (seq is not None and seq != self.seq) or (id and id != asked.id):
            if asked is not None and not self._is_mine(asked):
                raise NotYours(asked.side)
            raise Moved("The game has gone on since you looked: look again.")
        if not self._is_mine(asked):
            raise NotYours(asked.side)
        if self._curtain(asked):
            raise NotYours(asked.side or BOTH)
        return asked

    # -- undoing ----------------------------------------------------------------------

    def undo(self, reason: str = "") -> str:
        """Undo the last answer, as this game and this seat may; says what it was.

        Raises NeedsReason where dice were thrown since, and at one screen where these eyes may not
        see what was done last; PBCGError if the other side has, or may have, acted since.
        """
        self.must_write()
        last = self.game.session.journal.standing()[-1:]
        hidden = not all(visible(each, self.sees) for each in last) or waits(self.game, self.sees)
        if hidden and not self.is_side and not reason:
            raise NeedsReason(
                "What was done last one side keeps secret: it can be undone only with a reason, "
                "which stays in the log."
            )
        taken = self.game.plug.undo(self.game.session, self._alone, reason)
        self.game.note_change()
        return taken

    def entry_of(self, line: int) -> int:
        """Return the number of the entry that the answer or roll on a ``line`` is, counted from 0.

        A side does not learn it. Raises PBCGError where no answer or roll stands on that line.
        """
        seen = [each for each in self.game.session.lines() if visible(each, self.sees)]
        if line < len(seen) and seen[line].kind in ("answer", "roll"):
            return seen[line].seq
        raise PBCGError("No answer or roll stands on that line of the log: choose another.")

    def undo_to(self, step: str | int, reason: str, sure: bool = False) -> list[Entry]:
        """Undo everything since the first question of ``step``, or since an entry by its number.

        Returns the entries. Only what these eyes may know of counts, and is told.

        Raises NeedsReason without a reason, PBCGError if the other side has, or may have, acted
        since, and NeedsConfirmation where much would be undone, unless ``sure``.
        """
        self.must_write()
        session = self.game.session
        if self.is_side:
            since = session.check_undo(self.viewer, step)
        else:
            since = session.known_entries(self.sees).since(step)
        if reason.strip() and not sure:
            self._check_size(since)
        taken = session.undo_to(since[0].seq, reason)
        self.game.note_change()
        return taken

    def _check_size(self, taken: Sequence[Entry]) -> None:
        """Raise NeedsConfirmation if an undo goes over a CG Date or takes many answers."""
        dates = self.game.plug.dates_undone(taken)
        if len(dates) > 1 or len(taken) > MAX_UNDONE:
            words = number_words(len(taken), "answer or roll", "answers and rolls")
            if self.sees != UMPIRE and not self.is_side:
                words += " that both may see, with all that was done in secret since"
            over = f", over the CG Dates {', '.join(dates)}" if len(dates) > 1 else ""
            raise NeedsConfirmation(
                f"That undoes {words}{over}. A redo restores them until something else is answered."
            )

    def redo(self) -> str:
        """Redo what was undone last; says what it was.

        Raises PBCGError if nothing was undone since the last answer, or not by this side.
        """
        self.must_write()
        session = self.game.session
        session.check_redo(self._alone)
        given = session.redo()
        self.game.note_change()
        last = given[-1]
        seen = [entry for entry in given if visible(entry, self.sees)]
        if len(given) == 1 and seen:
            seq = session.journal.last
            lines = [line for line in session.lines() if line.seq == seq and line.kind == last.kind]
            if lines:
                return lines[0].text
        if not seen:
            return "what was undone last"
        return number_words(len(seen), "answer or roll", "answers and rolls")

    @property
    def can_redo(self) -> bool:
        """Whether this seat may redo something now; never while the other side acts in secret."""
        asked = self._pending
        if "correct" not in self.game.plug.features or (asked and not visible(asked, self._alone)):
            return False
        undone = self.game.session.undone
        if undone is None or not self.is_side:
            return undone is not None
        return all(restores_alone(self.viewer, each) for each in undone.entries)

    # -- correcting -----------------------------------------------------------------------

    def correct(self, path: str, value: Any, reason: str, lose: bool = False) -> LogLine | None:
        """Change a fact for a ``reason`` that stays in the log; returns the line that tells it.

        A side alone corrects what its plug lists; anything else it proposes, and None is returned.
        Without ``lose`` LostAnswers is raised where answers would find no place. Raises PBCGError
        for what does not fit, from what this seat may know.
        """
        self.must_write()
        check_reason(reason)
        game = self.game
        path, value = game.plug.spell_correction(game.session, path, value, self.sees)
        check_players(path, value, self.deciders)
        if self.sees == UMPIRE:
            return self._correct_now(path, value, reason, lose)
        alone = self.is_side and game.plug.corrects_alone(game.session, path, self.viewer)
        if alone and waits(game, self.viewer):
            raise PBCGError(
                "The other player acts in secret now: correct this when that is over, or both "
                "together."
            )
        known, path = self._as_known(path, value)
        if alone or not self.is_side:
            return self._correct_now(path, value, reason, lose, plays_on=not alone)
        if len(msgspec.json.encode(value)) > _MAX_PROPOSED:
            raise PBCGError(f"A proposed value can have {_MAX_PROPOSED:,} characters at most.")
        words = known.text.removeprefix("Correction: ")
        self.consent.propose_correction(path, value, reason, words)
        return None

    def correct_typed(
        self, path: str, typed: str, reason: str, lose: bool = False
    ) -> LogLine | None:
        """As ``correct``, with the value as a player types it: YAML, or else plain text."""
        path, typed = plain_dashes(path), plain_dashes(typed)
        value = parse_yaml(typed, "The value")
        try:
            return self.correct(path, value, reason, lose)
        except LostAnswers:
            raise
        except PBCGError:
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise
        return self.correct(path, typed.strip(), reason, lose)  # a step: at=9.606

    @property
    def proposed_correction(self) -> Correction | None:
        """The correction that waits for agreement; both sides may read it."""
        return self.consent.correction

    def _agree_to_correction(self, proposed: Correction, lose: bool) -> LogLine:
        if self.sees != UMPIRE:
            self._as_known(proposed.path, proposed.value)
        line = self._correct_now(proposed.path, proposed.value, proposed.reason, lose)
        self.consent.end(proposed)
        return line

    def _as_known(self, path: str, value: Any) -> tuple[LogLine, str]:
        """Check a correction against the game as these eyes know it: they read no other refusal."""
        game = as_seen(self.game, self.viewer)
        plug, session = game.plug, game.session
        return plug.correction_as_known(session, path, value, self.sees, self.is_side)

    def _correct_now(
        self, path: str, value: Any, reason: str, lose: bool, plays_on: bool = True
    ) -> LogLine:
        """Make a correction; what is proposed stands unless the game ``plays_on`` by it."""
        game = self._whole if plays_on else self.game
        session, plug, apart = game.session, game.plug, game is not self.game
        try:
            plan = session.plan(path, value)
            lost = [each.words for each in plan.lost if visible(each.entry, self.sees)]
            if apart or waits(game, self.sees):
                lost.append("what the other player answered in secret and finds no place any more")
            if lost and not lose:
                raise LostAnswers(lost, plan.again if self.sees == UMPIRE else 0)
            line = session.correct(path, value, reason)
        except LostAnswers:
            raise
        except PBCGError as error:
            if self.sees != UMPIRE:  # it fits what these eyes know
                raise PBCGError(SECRET_FAULT) from error
            raise plug.named_fault(error) from error
        game.note_change(plays_on)
        return line

    @property
    def _alone(self) -> str:
        """The side that acts alone here; the umpire where both sit."""
        return self.viewer if self.is_side else UMPIRE

    def must_write(self) -> None:
        """Refuse where the file is open only to look. Raises OnlyLooking."""
        if not self.game.writing:
            raise OnlyLooking

    # -- several players a side -------------------------------------------------------------

    @property
    def players(self) -> dict[str, tuple[str, ...]]:
        """The players of each side."""
        return self.game.plug.players(self.game.session.state)

    @property
    def deciders(self) -> dict[str, str]:
        """Return who decides for each side now, where several share it and one was named."""
        return deciders(self.game.session.journal, self._knows_of)

    def correctable_facts(self, piece: str) -> Sequence[CorrectableFact]:
        """Return the facts of a piece (of the game if empty) that can be corrected by choosing."""
        return self.game.plug.correctable_facts(self.game.session, self.sees, piece)

    def hand(self, name: str, side: str = "") -> str:
        """Hand what a side decides to one of its players; returns the name as the side has it.

        Without a ``side`` it is the seat's own, else that which is asked now. Raises PBCGError.
        """
        self.must_write()
        pending = self._pending
        side = self.viewer if self.is_side else side or (pending.side if pending else "")
        return hand_decisions(self.game, side, name, self.deciders)

    # -- looking --------------------------------------------------------------------------

    def lines(self, since: int = 0) -> list[LogLine]:
        """The log as these eyes may see it, from its line number ``since`` (from 0) on."""
        return self.game.lines(self.sees)[since:]

    def steps(self) -> list[StepState]:
        """The timeline of the moment."""
        return self.game.plug.steps(self.game.session, self.lines())

    def facts(self) -> dict[str, Any]:
        """Where the game stands, as plain data."""
        return self.game.plug.facts(self.game.session, self.sees)

    def layers(self, at: str = "") -> dict[str, Any] | None:
        """Return what lies on the map, now or at the end of an earlier date; None without a map."""
        return self.game.plug.layers(self.game.session, self.sees, at)

    def piece(self, id: str) -> dict[str, Any] | None:
        """The facts of one piece; None if these eyes may not know of it, or there is none."""
        return self.game.plug.piece(self.game.session, self.sees, id)

    def sheets(self) -> list[SheetName]:
        """The sheets that can be printed for these eyes."""
        return self.game.plug.sheets(self.game.session, self.sees)

    def sheet(self, names: Sequence[str] = (), paper: str = "a4") -> list[Sheet]:
        """The sheets of these names, filled; all of them without any."""
        return self.game.plug.sheet(self.game.session, self.sees, names, paper)

    def compare_with_paper(
        self, typed: Sequence[str], keep: bool = False
    ) -> tuple[list[ComparedFact], bool]:
        """Hold facts of a roster on paper against the game, as these eyes may know it.

        With ``keep`` an entry is kept if all agree; the second value says whether it was. Raises
        FaultsError for facts that are unknown, malformed or not for these eyes.
        """

        from asl_pbcg.play.campaign_game import assertions

        if keep:
            self.must_write()
        known = as_seen(self.game, self.viewer)
        compared = assertions.compare_facts(known, self.sees, typed)
        kept = keep and all(each.agrees for each in compared)
        if kept:
            assertions.keep_assertion(self.game, compared, known.session.state.date.value)
        return compared, kept
