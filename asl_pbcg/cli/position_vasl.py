"""``pbcg position from-vasl``: a position from a VASL save."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import Viewer, as_option, command, spare
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError

if TYPE_CHECKING:
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.campaign.terms import Side
    from asl_pbcg.kernel.answers import Answers
    from asl_pbcg.kernel.errors import IllegalAnswer
    from asl_pbcg.kernel.prompts import Prompt, Roll
    from asl_pbcg.play.vasl_save import Review

POINTS = ("vasl.", "count.", "ob.")
"""How the decision points of the questions about a file begin, before those of the Refit Phase."""
_FORCE = typer.Option(False, "--force", help="Write over a file that is there already.")


def from_vasl(
    save: Path = typer.Argument(..., metavar="SAVE", help="A VASL save: .vsav."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="The campaign whose CG scenario it ends."
    ),
    output: Path | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="A name with .xlsx, .yaml or .json."
    ),
    viewer: Viewer = as_option(),
    answers: Path | None = typer.Option(
        None, "--answers", metavar="FILE", help="Answer the questions from a file."
    ),
    force: bool = _FORCE,
) -> None:
    """Make a position of a VASL save: each counter is matched, what is not sure is asked."""
    from asl_pbcg.campaign.position_files import write_position
    from asl_pbcg.cli.campaign_file import state_of
    from asl_pbcg.play.vasl_save import open_save, settle_save

    target = output or save.with_suffix(".yaml")
    spare(target, force)
    state = state_of(campaign) if campaign else None
    side = side_of(viewer)
    dialogue = open_save(save, state, (side,) if side else ())
    position = settle_save(dialogue, asks(answers, viewer.value)(dialogue))
    write_position(position, target)
    typer.echo(f"Made {target}. Look at it with: {command('position', 'check', target)}")


def side_of(viewer: Viewer) -> Side | None:
    """The side a viewer plays; None for the umpire."""
    from asl_pbcg.campaign.terms import Side

    return None if viewer is Viewer.UMPIRE else Side(viewer.value)


def asks(answers: Path | None, viewer: str) -> Any:
    """Makes whoever answers the questions about a save: an answers file, or the player here."""

    def make(dialogue: Review) -> Answers:
        from asl_pbcg.kernel.answers import ListedAnswers

        if answers:
            return ListedAnswers.read(answers, only=POINTS)
        return AtTerminal(dialogue, viewer)

    return make


class AtTerminal:
    """Asks the player everything about a save at the first question, then gives his answers."""

    def __init__(self, dialogue: Review, viewer: str) -> None:
        self._dialogue = dialogue
        self._viewer = viewer
        self._given: list[Any] | None = None

    def answer(self, prompt: Prompt) -> Any:
        """The player's answer; raises Leave if he left before the end."""
        from asl_pbcg.kernel.answers import Leave

        if self._given is None:
            self._given = self._ask()
        if not self._given:
            raise Leave
        return self._given.pop(0)

    def _ask(self) -> list[Any]:
        from asl_pbcg.campaign.terms import Side
        from asl_pbcg.cli.file_manner import FileManner
        from asl_pbcg.cli.terminal import Terminal
        from asl_pbcg.play.dialogue import open_dialogue
        from asl_pbcg.play.seat import Seat

        sides = tuple(side.value for side in Side)
        with open_dialogue(self._dialogue, Path("position"), sides) as game:
            finished = Terminal(Seat(game, self._viewer), FileManner()).play()
            return [entry.body for entry in game.session.journal.standing()] if finished else []

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """No dice are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """What the player answered was taken once; if not now, the program is wrong."""
        raise AssertionError(f"answer to {prompt.id} refused: {error}") from error


def hold_against_ob(
    state: Campaign, position: Position, answers: Path | None, viewer: str, by_itself: bool
) -> Position:
    """The position as it stands after what looks like a slip has been asked about.

    A script whose answers file says nothing of it has the position taken as written, with a word.
    """
    from asl_pbcg.campaign.seen import view_for
    from asl_pbcg.kernel.answers import Again, Leave
    from asl_pbcg.play.against_ob import open_holding

    if by_itself:
        return position
    side = side_of(Viewer(viewer))
    known = view_for(state, side) if side else state
    dialogue = open_holding(known, position, side)
    who = asks(answers, viewer)(dialogue)
    while dialogue.pending is not None:
        asked = dialogue.pending
        try:
            answer = who.answer(asked)
        except Leave:
            if answers is None:
                raise PBCGError("The position has not been taken: questions are left.") from None
            answer = asked.legal[-1].id if asked.id != "ob.missing" else "go-on"
            typer.echo(f"{asked.text} Taken as written.", err=True)
        try:
            dialogue.answer(answer)
        except IllegalAnswer as error:
            who.hear_refusal(asked, error)
        except Again:
            continue
    return dialogue.result
