"""Keys at a question that both settle: agree to a proposal, decline, withdraw or read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from asl_pbcg.campaign.entry import position_files
from asl_pbcg.campaign.position import Position
from asl_pbcg.cli.terminal.manner import Key, Shown
from asl_pbcg.kernel.answers import Again
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.asked import AskedPrompt, ShownProposal

if TYPE_CHECKING:
    from asl_pbcg.cli.terminal.manner import Speaking


class AgreementKeys:
    """The keys for proposals at one terminal; each names the digest of what the screen showed."""

    def __init__(self, terminal: Speaking) -> None:
        self._terminal = terminal
        self.all = (
            Key(("accept",), "", "agree to what the other player proposes", self._accept,
                takes=True),
            Key(("decline", "withdraw"), "", "decline what is proposed, or withdraw it",
                self._decline, takes=True),
            Key(("look",), "", "what a proposed position changes; a file is written of it",
                self._look, takes=True),
        )  # fmt: skip

    def _accept(self, argument: str, asked: Shown) -> None:
        proposal = self._meant(argument, asked, own=False)
        self._terminal.seat.agree(proposal.digest, asked.seq)
        self._terminal.screen.say(f"Agreed: {proposal.words}", "yellow")
        raise Again

    def _decline(self, argument: str, asked: Shown) -> None:
        proposal = self._meant(argument, asked, own=True)
        self._terminal.seat.decline(proposal.digest)
        self._terminal.screen.say(f"No longer proposed: {proposal.words}", "yellow")
        raise Again

    def _look(self, argument: str, asked: Shown) -> None:
        proposal = self._meant(argument, asked, own=True)
        try:
            position = msgspec.convert(proposal.value, Position)
        except msgspec.ValidationError as error:
            raise PBCGError("A file is written of a whole position only.") from error
        game = self._terminal.path
        path = game.with_name(f"{game.stem}-proposed-{proposal.by}.yaml")
        position_files.write_position(position, path)
        difference = self._terminal.seat.difference(proposal.digest)
        for line in difference.lines if difference else ():
            self._terminal.screen.say(line.text)
        self._terminal.screen.say(f"{path} holds what the {proposal.by.capitalize()} proposes.")

    def _meant(self, argument: str, asked: Shown, own: bool) -> ShownProposal:
        """Return the proposal that a key is about: of a side that is named, else the only one.

        The other side's comes first; a side's own counts with ``own``. Raises PBCGError.
        """
        made = asked.proposals if isinstance(asked, AskedPrompt) else ()
        viewer, named = self._terminal.seat.viewer, argument.strip().lower()
        if named:
            made = tuple(proposal for proposal in made if proposal.by == named)
        others = tuple(proposal for proposal in made if proposal.by != viewer)
        candidates = others or (made if own else ())
        if not candidates:
            raise PBCGError("Nothing is proposed here that you can answer so.")
        if len(candidates) > 1:
            raise PBCGError("Both sides propose something: name one, as accept german.")
        return candidates[0]
