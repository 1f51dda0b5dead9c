"""``pbcg position from-vasl``: a position from a VASL save."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.campaign.entry import position_files
from asl_pbcg.campaign.state import seen
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.command_answers import Answer, answers, written_files
from asl_pbcg.cli.common import Viewer, as_option, command, spare
from asl_pbcg.kernel.answers import Again, Answers, Dialogue, Leave, ListedAnswers
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play import dialogue_game
from asl_pbcg.play.plug import sees_of

if TYPE_CHECKING:
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.campaign.state.campaign_state import Campaign

POINTS = ("vasl.", "count.", "ob.")
"""How the decision points of the questions about a file begin, before those of the Refit Phase."""
_FORCE = typer.Option(False, "--force", help="Write over a file that is there already.")


@answers
def from_vasl(
    save: Path = typer.Argument(..., metavar="SAVE", help="A VASL save: .vsav."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="The campaign whose CG scenario it ends."
    ),
    output: Path | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="A name with .xlsx, .yaml or .json."
    ),
    viewer: Viewer = as_option(),
    listed: Path | None = typer.Option(
        None, "--answers", metavar="FILE", help="Answer the questions from a file."
    ),
    force: bool = _FORCE,
) -> Answer:
    """Make a position of a VASL save: each counter is matched, what is not sure is asked."""

    from asl_pbcg.cli import campaign_file
    from asl_pbcg.play.campaign_game import vasl_save

    target = output or save.with_suffix(".yaml")
    spare(target, force)
    state = campaign_file.state_of(campaign, viewer=viewer.value) if campaign else None
    dialogue = vasl_save.open_save(save, state, seen.sides_that_look(viewer.value))
    position_files.write_position(
        vasl_save.settle_save(dialogue, asks(listed, viewer.value)(dialogue)), target
    )
    look = command("position", "check", target)
    return written_files([target], f"Look at it with: {look}")


def side_of(viewer: Viewer) -> Side | None:
    """Return the side a viewer plays; None for the umpire."""
    return None if viewer is Viewer.UMPIRE else Side(viewer.value)


def asks(answers: Path | None, viewer: str) -> Callable[[Dialogue[Any]], Answers]:
    """Return what makes whoever answers the questions about a file: a list, or the player here."""

    def make(dialogue: Dialogue[Any]) -> Answers:
        return (
            ListedAnswers.read(answers, only=POINTS, called=short_name)
            if answers
            else AtTerminal(dialogue, viewer)
        )

    return make


class AtTerminal:
    """Asks the player everything about a save at the first question, then gives his answers."""

    def __init__(self, dialogue: Dialogue[Any], viewer: str) -> None:
        self._dialogue = dialogue
        self._viewer = viewer
        self._given: list[Any] | None = None

    def answer(self, prompt: Prompt) -> Any:
        """Return the player's answer; raises Leave if he left before the end."""
        if self._given is None:
            self._given = self._ask()
        if not self._given:
            raise Leave
        return self._given.pop(0)

    def _ask(self) -> list[Any]:
        sides = tuple(side.value for side in Side)
        with dialogue_game.open_dialogue(self._dialogue, Path("position"), sides) as game:
            from asl_pbcg.cli.terminal import manner, terminal
            from asl_pbcg.play import seat

            finished = terminal.Terminal(seat.Seat(game, self._viewer), manner.FileManner()).play()
            return [entry.body for entry in game.session.journal.standing()] if finished else []

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Throw no dice: no question about a file asks for any."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Fail: the player's answer was taken once before."""
        raise AssertionError(f"answer to {prompt.id} refused: {error}") from error


def hold_against_ob(
    state: Campaign, position: Position, answers: Path | None, viewer: str, by_itself: bool
) -> Position:
    """Return the position as it stands after what looks like a slip has been asked about.

    A script whose answers file says nothing of it has the position taken as written, with a word;
    where nobody looks on, nobody has to agree to the difference.
    """

    from asl_pbcg.play.campaign_game import against_ob

    if by_itself:
        return position
    viewers = seen.sides_that_look(sees_of(viewer))
    visible_state, looks_on = seen.known_by(state, viewers), answers is None and sys.stdin.isatty()
    questions = against_ob.open_holding(visible_state, position, viewers, looks_on)
    who = asks(answers, viewer)(questions)
    while questions.pending is not None:
        asked = questions.pending
        try:
            answer = who.answer(asked)
        except Leave:
            if answers is None:
                raise PBCGError("The position has not been taken: questions are left.") from None
            ways = [option.id for option in asked.legal]
            answer = against_ob.GO_ON if against_ob.GO_ON in ways else ways[-1]
            typer.echo(f"{asked.text} Taken as written.", err=True)
        try:
            questions.answer(answer)
        except IllegalAnswer as error:
            who.hear_refusal(asked, error)
        except Again:
            continue
    return questions.result
