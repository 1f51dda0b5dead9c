"""Consent: whose word a seat carries, and proposals that the other side agrees to.

A request of one side carries that side's word and nothing else. What takes both words is kept as a
proposal until the other side names its digest, declines it, or says the same of its own accord.
"""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play.asked import ShownProposal
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.proposals import Correction, Proposal, same_value
from asl_pbcg.play.refusals import NeedsAgreement, OwnProposal, ProposalChanged

_PIECE_LISTS = ("units", "equipment", "vehicles")


class Consent:
    """The word of ``viewer`` on what both sides of ``game`` settle.

    The umpire and both at one screen speak for both sides; a side speaks for itself.
    """

    def __init__(self, game: OpenGame, viewer: str) -> None:
        self._game = game
        self._viewer = viewer

    @property
    def is_of_one_side(self) -> bool:
        """Whether a side alone speaks here."""
        return self._viewer in self._game.plug.sides

    def needs_both(self, asked: Prompt | Roll | None) -> bool:
        """Whether what is asked takes the word of a side that does not speak here."""
        plug = self._game.plug
        settled_by_both = isinstance(asked, Prompt) and not asked.side and not plug.asks_one
        return settled_by_both and self.is_of_one_side and len(plug.sides) > 1

    def take(self, asked: Prompt, value: Any) -> None:
        """Let a checked answer pass if every side whose word it takes has given it.

        Else it is kept as this side's proposal, in place of an earlier one, and NeedsAgreement is
        raised. Another side has given its word if it proposes the same answer to the same question.
        """
        if not self.needs_both(asked):
            return
        value = same_value(value)
        same = {offer.side for offer in self.proposals(asked) if offer.value == value}
        for side in self._game.plug.sides:
            if side not in (self._viewer, *same):
                self._propose(asked, value)
                raise NeedsAgreement(side)

    def _propose(self, asked: Prompt, value: Any) -> None:
        proposal = Proposal(
            prompt=asked.id,
            about=asked.about,
            side=self._viewer,
            value=value,
            after=self._game.seq(""),
        )
        self._game.proposals.make(self._game.session.journal.head, proposal)
        self._game.version += 1

    def propose_correction(self, path: str, value: Any, reason: str, words: str) -> None:
        """Keep a correction that takes both words, in place of an earlier one."""
        correction = Correction(
            side=self._viewer,
            path=path,
            value=same_value(value),
            reason=reason,
            words=words,
            after=self._game.seq(""),
        )
        self._game.proposals.propose(correction)
        self._game.version += 1

    def proposals(self, asked: Prompt) -> list[Proposal]:
        """Return what each side proposes to answer, as far as it can be an answer."""
        if asked.side:
            return []
        made = self._game.proposals.at(self._game.session.journal.head, asked.id, asked.about)
        sides = self._game.plug.sides
        return [offer for offer in made if offer.side in sides and _may_answer(asked, offer.value)]

    @property
    def correction(self) -> Correction | None:
        """The correction that a side proposes; both may read it."""
        correction = self._game.proposals.correction
        stands = correction is not None and correction.side in self._game.plug.sides
        return correction if stands else None

    def find_proposal(self, digest: str, asked: Prompt | Roll | None) -> Proposal | Correction:
        """Return the proposal with a digest, of an answer to ``asked`` or of a correction.

        Raises ProposalChanged if there is no such proposal now.
        """
        standing: list[Proposal | Correction] = []
        if isinstance(asked, Prompt):
            standing += self.proposals(asked)
        if self.correction is not None:
            standing.append(self.correction)
        for proposal in standing:
            if proposal.digest == digest:
                return proposal
        raise ProposalChanged

    def check_agreement(self, proposal: Proposal | Correction) -> None:
        """Refuse a side's agreement to what it proposes itself. Raises OwnProposal."""
        if self.is_of_one_side and proposal.side == self._viewer:
            others = (side for side in self._game.plug.sides if side != self._viewer)
            raise OwnProposal(next(others))

    def end(self, proposal: Proposal | Correction) -> None:
        """Drop a proposal that is declined or withdrawn, or a correction that is made."""
        if isinstance(proposal, Proposal):
            self._game.proposals.drop(proposal)
        else:
            self._game.proposals.propose(None)
        self._game.version += 1


def _may_answer(asked: Prompt, value: Any) -> bool:
    """Return whether a value read from a file beside the game can be an answer.

    A document is checked when it is agreed to.
    """
    if asked.kind == "document":
        return isinstance(value, dict | str)
    try:
        asked.check(value)
    except IllegalAnswer:
        return False
    return True


def shown_proposal(asked: Prompt, proposal: Proposal) -> ShownProposal:
    """Return a proposal as front ends show it."""
    return ShownProposal(
        by=proposal.side,
        digest=proposal.digest,
        words=_words_of(asked, proposal.value),
        value=proposal.value,
    )


def _words_of(asked: Prompt, value: Any) -> str:
    """Return a proposed answer in the words of its question."""
    texts = {option.id: option.text or option.id for option in asked.options}
    if isinstance(value, dict):
        lists = [value.get(part) for part in _PIECE_LISTS]
        count = sum(len(entries) for entries in lists if isinstance(entries, list))
        return f"a position with {count} pieces"
    if isinstance(value, list):
        return ", ".join(texts.get(option_id, str(option_id)) for option_id in value) or "none"
    return texts.get(value, str(value)) or "nothing"
