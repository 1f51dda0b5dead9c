"""``pbcg refit``: go on with a campaign, through the Refit Phase step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import Viewer, closing
from asl_pbcg.cli.position_vasl import POINTS, asks, side_of
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.cli.terminal import TerminalAnswers
    from asl_pbcg.kernel.answers import Answers
    from asl_pbcg.kernel.errors import IllegalAnswer
    from asl_pbcg.kernel.prompts import Prompt, Roll
    from asl_pbcg.kernel.session import Session

app = typer.Typer(add_completion=False)


@app.command()
def refit(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = typer.Option(Viewer.UMPIRE, "--as", help="Only this side's prompts."),
    position: Path = typer.Option(None, "--position", help="The position at the scenario's end."),
    answers: Path = typer.Option(None, "--answers", help="Answer the prompts from a file."),
    auto: int = typer.Option(-1, "--auto", metavar="SEED", help="Legal random answers."),
    manual: bool = typer.Option(
        None, "--manual/--seeded", help="Real dice or program dice; else as the campaign began."
    ),
) -> None:
    """Go through the Refit Phase; leave at any prompt and go on later, here or elsewhere."""
    if auto >= 0 and answers:
        raise PBCGError("Give --answers or --auto, not both.")
    from asl_pbcg.cli.campaign_file import open_campaign

    session = open_campaign(file)
    with closing(session):
        if session.state.ended:
            typer.echo(f"The campaign has ended: {session.state.ended}")
            return
        if session.pending is None:
            typer.echo(f"Nothing waits: the {session.state.date.title} CG scenario is played now.")
            return
        document = None
        if position:
            document = position_for(session, position, viewer.value, answers)
        date = session.state.date
        go_on(session, file, viewer.value, answers, auto, manual, document)
        tell_end(session, file, date)


def position_for(
    session: Session[Campaign], path: Path, viewer: str, answers: Path | None = None
) -> Any:
    """The end position of the scenario in a file; its faults are told before anything is asked.

    Of a VASL save what it cannot tell is asked first, or taken from the ``answers`` file. Raises
    PBCGError if the end position is not still to come.
    """
    from asl_pbcg.campaign.end_position import settle_position
    from asl_pbcg.kernel.views import visible
    from asl_pbcg.play.campaign import END_POSITION, read_document

    state, step, asked = session.state, session.step, session.pending
    given = any(
        entry.point == END_POSITION and step and entry.step == step.id
        for entry in session.journal.standing()
    )
    if state.at != "scenario" or given or asked is None:
        raise PBCGError(
            "No position is asked for now: "
            + (
                "nothing waits."
                if asked is None
                else f"the next question is {asked.id} {asked.text}"
                if visible(asked, viewer)
                else f"it is the {asked.side.capitalize()} player's turn."
            )
        )
    document = read_document(str(path), state, asks(answers, viewer), side_of(Viewer(viewer)))
    settle_position(state, document, state.board, state.catalogue, str(path))
    return document


class WithPosition:
    """Gives the end position when it is asked for, and leaves all else to somebody else."""

    others: Answers

    def __init__(self, document: Any) -> None:
        self.left = document

    def answer(self, prompt: Prompt) -> Any:
        """The document once; a refused one is asked for again elsewhere."""
        from asl_pbcg.play.campaign import END_POSITION

        if prompt.id == END_POSITION and self.left is not None:
            document, self.left = self.left, None
            return document
        return self.others.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Whatever the others bring."""
        return self.others.dice(roll)

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """The others hear of it."""
        self.others.refused(prompt, error)


def go_on(
    session: Session[Campaign],
    file: Path,
    viewer: str,
    answers: Path | None,
    auto: int,
    manual: bool | None,
    document: Any = None,
) -> None:
    """Answer what waits until the next scenario begins or somebody leaves.

    ``document`` is the end position, for when it is asked for.
    """
    from asl_pbcg.kernel.answers import ListedAnswers, RandomAnswers, drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.kernel.prompts import Prompt
    from asl_pbcg.play.campaign import END_POSITION, read_document

    dice = SeededDice(session.journal.meta("seed"))
    begun = session.state.date

    def done() -> bool:
        asked = session.pending
        wants_position = isinstance(asked, Prompt) and asked.id == END_POSITION
        at_next = session.state.at == "scenario" and session.state.date is not begun
        return at_next or (auto >= 0 and wants_position and giving.left is None) or theirs()

    def theirs() -> bool:
        """Whether the other side is due, and only one side answers here by itself."""
        asked = session.pending
        by_itself = viewer != "umpire" and (auto >= 0 or not asking)
        if not (by_itself and asked and asked.side not in ("", viewer)):
            return False
        typer.echo(f"It is the {asked.side.capitalize()} player's turn now.")
        return True

    def bring(others: Answers) -> Answers:
        giving.others = others
        return giving

    giving, asking = WithPosition(document), not answers
    if auto >= 0:
        drive(session, bring(RandomAnswers(auto)), dice, until=done)
        return
    if answers:
        listed = ListedAnswers.read(
            answers,
            lambda name: read_document(beside(answers, name), session.state, asks(answers, viewer)),
            without=POINTS,
        )
        if drive(session, bring(listed), dice, until=done):
            if listed.unused:
                typer.echo(listed.unused, err=True)
            return
        typer.echo("The answers file ends here; the rest is asked.", err=True)
    asking = True
    drive(session, bring(person(session, file, viewer, manual)), dice, until=done)


def beside(answers: Path, name: str) -> str:
    """A file named in an answers file stands beside it."""
    path = Path(name)
    return str(path if path.is_absolute() else answers.parent / path)


def person(
    session: Session[Campaign], file: Path, viewer: str, manual: bool | None
) -> TerminalAnswers:
    """The player at the keyboard, with the keys of the Refit Phase."""
    from asl_pbcg.cli.refit_person import RefitPlayer
    from asl_pbcg.play.campaign import read_document
    from asl_pbcg.play.campaign_facts import heading

    real = session.journal.meta("dice") == "manual" if manual is None else manual
    return RefitPlayer(
        session,
        file,
        title=lambda: heading(session.state),
        manual=real,
        viewer=viewer,
        read_document=lambda name: read_document(
            name, session.state, asks(None, viewer), side_of(Viewer(viewer))
        ),
    )


def tell_end(session: Session[Campaign], file: Path, begun: Any) -> None:
    """Say where the campaign stands when the program stops."""
    state = session.state
    if state.ended:
        typer.echo(f"CG End: {state.ended}")
    elif state.at == "scenario" and state.date is not begun:
        order = state.frame.setup_order[state.date]
        typer.echo(
            f"{state.date.title} is ready: {order.first_setup.title} set up first, "
            f"{order.first_move.title} move first (9.62023)."
        )
    else:
        typer.echo(f'Kept up to here. "pbcg refit {file}" goes on.')
