"""``pbcg refit``: go on with a campaign, through the Refit Phase step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.new import closing
from asl_pbcg.cli.records import Viewer
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.cli.terminal import TerminalAnswers
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
        if position:
            give_position(session, position)
        date = session.state.date
        go_on(session, viewer.value, answers, auto, manual)
        tell_end(session, file, date)


def read_document(path: str) -> Any:
    """The position or changes that the file ``path`` holds, as plain data."""
    import msgspec

    from asl_pbcg.campaign.position_files import read_position
    from asl_pbcg.hexes.board import load_board
    from asl_pbcg.kernel.textfiles import read_yaml_or_json

    place = Path(path.strip().strip('"'))
    if place.suffix in (".yaml", ".yml", ".json"):
        raw = read_yaml_or_json(place)
        if isinstance(raw, dict) and raw.get("format") == "pbcg-changes/1":
            return raw
    return msgspec.to_builtins(read_position(place, load_board()))


def give_position(session: Session[Campaign], path: Path) -> None:
    """Answer the question for the end position with a file."""
    from asl_pbcg.kernel.prompts import Prompt

    asked = session.pending
    if not isinstance(asked, Prompt) or asked.kind != "document":
        raise PBCGError(
            "No position is asked for now: "
            + (f"the next question is {asked.id} {asked.text}" if asked else "nothing waits.")
        )
    session.answer(read_document(str(path)))


def go_on(
    session: Session[Campaign],
    viewer: str,
    answers: Path | None,
    auto: int,
    manual: bool | None,
) -> None:
    """Answer what waits until the next scenario begins or somebody leaves."""
    from asl_pbcg.kernel.answers import ListedAnswers, RandomAnswers, drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.kernel.prompts import Prompt

    dice = SeededDice(session.journal.meta("seed"))
    begun = session.state.date

    def done() -> bool:
        asked = session.pending
        wants_position = isinstance(asked, Prompt) and asked.id == "0.2"
        at_next = session.state.at == "scenario" and session.state.date is not begun
        return at_next or (auto >= 0 and wants_position)

    if auto >= 0:
        drive(session, RandomAnswers(auto), dice, until=done)
        return
    if answers:
        listed = ListedAnswers.read(answers, lambda name: read_document(_beside(answers, name)))
        if drive(session, listed, dice, until=done):
            return
        typer.echo("The answers file ends here; the rest is asked.", err=True)
    drive(session, person(session, viewer, manual), dice, until=done)


def _beside(answers: Path, name: str) -> str:
    """A file named in an answers file stands beside it."""
    path = Path(name)
    return str(path if path.is_absolute() else answers.parent / path)


def person(session: Session[Campaign], viewer: str, manual: bool | None) -> TerminalAnswers:
    """The player at the keyboard, with the keys of the Refit Phase."""
    from asl_pbcg.campaign.charts import frame
    from asl_pbcg.cli.campaign import status_facts
    from asl_pbcg.cli.terminal import TerminalAnswers

    def title() -> str:
        return f"RePh after {session.state.date.title}"

    def show_status() -> None:
        for name, value in status_facts(session, viewer).items():
            told.console.print(f"   {name}: {value}", markup=False)

    def show_steps() -> None:
        for chart in frame().steps:
            mark = ">" if session.state.at == chart.step else " "
            told.console.print(f" {mark} {chart.step} {chart.title}", markup=False)

    real = session.journal.meta("dice") == "manual" if manual is None else manual
    told = TerminalAnswers(
        session,
        title=title,
        manual=real,
        viewer=viewer,
        keys={"s": ("status", show_status), "t": ("steps", show_steps)},
        read_document=read_document,
    )
    return told


def tell_end(session: Session[Campaign], file: Path, begun: Any) -> None:
    """Say where the campaign stands when the program stops."""
    from asl_pbcg.campaign.charts import frame

    state = session.state
    if state.ended:
        typer.echo(f"CG End: {state.ended}")
    elif state.at == "scenario" and state.date is not begun:
        order = frame().setup_order[state.date]
        typer.echo(
            f"{state.date.title} is ready: {order.first_setup.title} set up first, "
            f"{order.first_move.title} move first (9.62023)."
        )
    else:
        typer.echo(f'Kept up to here. "pbcg refit {file}" goes on.')
