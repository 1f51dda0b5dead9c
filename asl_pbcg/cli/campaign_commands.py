"""``pbcg refit``, ``status``, ``log``, ``undo``, ``redo``, ``correct``: a campaign in progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from asl_pbcg.cli.common import Viewer, as_option, closing
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import number_words

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.kernel.entries import Entry
    from asl_pbcg.kernel.prompts import Prompt, Roll
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.kernel.views import Line
    from asl_pbcg.play.seat import Seat

T = TypeVar("T")
log_app = typer.Typer(add_completion=False)
undo_app = typer.Typer(add_completion=False)
redo_app = typer.Typer(add_completion=False)
correct_app = typer.Typer(add_completion=False)
status_app = typer.Typer(add_completion=False)


def _open(file: Path) -> Session[Campaign]:
    from asl_pbcg.cli.campaign_file import open_campaign

    return open_campaign(file)


def _look(file: Path) -> Session[Campaign]:
    from asl_pbcg.cli.campaign_file import open_campaign

    return open_campaign(file, look=True)


@log_app.command()
def log(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option("Whose eyes: british or german.", "--side"),
    step: str = typer.Option("", "--step", help="Only a step or rule: 9.606, 9.6061 or dawn."),
    piece: str = typer.Option("", "--piece", help="Only one piece: its service record."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Print what happened: every decision, every roll with its modifiers, what followed."""
    import msgspec

    from asl_pbcg.kernel.views import for_side

    session = _look(file)
    with closing(session):
        lines = for_side(session.lines(), viewer.value)
    if any(step in line.step for line in lines):
        lines = [line for line in lines if step in line.step]
    else:
        lines = [line for line in lines if line.rule.startswith(step)]
    lines = [line for line in lines if not piece or _names(line, piece)]
    if not lines and (piece or step):
        raise PBCGError(f"Nothing in this log is about {piece or step}.")
    if as_json:
        import json

        typer.echo(json.dumps(msgspec.to_builtins(lines), indent=1, ensure_ascii=False))
        return
    at = ""
    for line in lines:
        if line.step != at:
            at = line.step
            typer.secho(f"\n{at}", bold=True)
        side = f" [{line.side}{', secret' if line.secret else ''}]" if line.side else ""
        typer.echo(f"  {line.rule:9}  {line.text}{side}")


def _names(line: Any, piece: str) -> bool:
    import re

    return line.where == piece or bool(
        re.search(rf"(?<![\w-]){re.escape(piece)}(?![\w-])", line.text)
    )


@undo_app.command()
def undo(
    file: Path = typer.Argument(..., help="The campaign file."),
    reason: str = typer.Option("", "--reason", help="Needed to take back a roll; it is logged."),
    to: str = typer.Option("", "--to", metavar="STEP", help="Back to a step: 9.606, dawn/9.606."),
    viewer: Viewer = as_option("Only this side's answers."),
    yes: bool = typer.Option(False, "--yes", help="Also over a CG Date or many answers."),
) -> None:
    """Take back the last answer; over a roll only with a reason that stays in the log.

    With --to everything since the first question of a step is taken back, for a reason. Over a CG
    Date, or for more than 20 answers and rolls, you are asked first; pbcg redo gives all back.
    """
    from asl_pbcg.cli.campaign_file import open_game
    from asl_pbcg.play.campaign import taken_back
    from asl_pbcg.play.seat import Seat

    with open_game(file) as game:
        session = game.session
        if to:
            step = _step_named(session, to.strip())
            taken = _undo_to(Seat(game, viewer.value), step, reason, yes)
            corrections = sum(entry.kind == "correction" for entry in taken)
            words = number_words(len(taken) - corrections, "answer or roll", "answers and rolls")
            if corrections:
                words += f" and {number_words(corrections, 'correction')} (the log has them)"
            words += f", back to {step}"
        else:
            session.check_undo(viewer.value)
            lines = session.lines()
            words = taken_back(session.undo(reason), lines, also_secret=True).rstrip(".")
        asked = session.pending
    typer.echo(f"Taken back: {words}.")
    _say_what_comes_next(asked, viewer.value)


@redo_app.command()
def redo(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option("Only this side's answers."),
) -> None:
    """Give back what the last undo took, with the same dice.

    It can be repeated as often as undo was; giving another answer than before ends it.
    """
    session = _open(file)
    with closing(session):
        session.check_redo(viewer.value)
        given = session.redo()
        asked = session.pending
        words = number_words(len(given), "answer or roll", "answers and rolls")
    first, last = given[0].step, given[-1].step
    where = f"in {first}" if first == last else f"from {first} to {last}"
    typer.echo(f"Given back: {words}, {where}.")
    _say_what_comes_next(asked, viewer.value)


def _say_what_comes_next(asked: Prompt | Roll | None, viewer: str) -> None:
    from asl_pbcg.kernel.views import visible

    if asked is not None and visible(asked, viewer):
        typer.echo(f"Next comes {asked.id} {asked.text}")
    elif asked is not None:
        typer.echo(f"Next comes a question of the {asked.side.capitalize()} player.")


def _undo_to(seat: Seat, step: str, reason: str, yes: bool) -> list[Entry]:
    """Go back to a step; where that is much, ask first."""
    from asl_pbcg.play.errors import NeedsConfirmation

    try:
        return seat.undo_to(step, reason, yes)
    except NeedsConfirmation as error:
        typer.echo(str(error), err=True)
    if not typer.confirm("Take all of it back?", default=False, err=True):
        raise PBCGError("Nothing was taken back. With --yes it is.")
    return seat.undo_to(step, reason, sure=True)


def _step_named(session: Session[Campaign], name: str) -> str:
    """The step ``name`` in full, 9.606 as night-1/9.606: the last one, back to this RePh's first.

    The CG Date changes in the middle of a RePh, in 9.612.
    """
    if "/" in name:
        return name
    asked = [entry.step for entry in session.journal.standing()]
    dates = dict.fromkeys([*(step.partition("/")[0] for step in asked), session.state.date.value])
    found = [f"{date}/{name}" for date in [*dates][-2:] if f"{date}/{name}" in asked]
    return found[-1] if found else f"{session.state.date.value}/{name}"


@correct_app.command()
def correct(
    file: Path = typer.Argument(..., help="The campaign file."),
    change: str = typer.Argument("", metavar="PATH=VALUE", help="pieces/b-648-1/at=Y20"),
    reason: str = typer.Option("", "--reason", help="Why; it stays in the log."),
    viewer: Viewer = as_option("This side alone: what is not its own is proposed."),
    yes: bool = typer.Option(False, "--yes", help="Also where answers find no place any more."),
    agree: bool = typer.Option(False, "--agree", help="Agree to what the other side proposes."),
    decline: bool = typer.Option(False, "--decline", help="Decline or withdraw what is proposed."),
) -> None:
    """Change a fact of a campaign; it stays visible in the log as a correction.

    What was answered in the step in progress is given again where the same is asked. Answers that
    find no place are listed before anything is written; each is given again by itself as soon as
    what it answers is asked.

    The path names a field, then keys or ids: san/german=4, "pieces/b-648-1/status=[broken, dm]",
    pieces/g-447-3/at=Z15/1, fpp/british=12.

    With --as a side corrects alone only a few facts of its own, such as notes on its pieces;
    anything else it proposes, and the other side agrees with --agree or declines. Without
    PATH=VALUE the command says what is proposed.
    """
    from asl_pbcg.cli.campaign_file import open_game
    from asl_pbcg.play.seat import Seat

    path, equals, typed = change.partition("=")
    if change and not equals:
        raise PBCGError("Write PATH=VALUE, for example san/german=4.")
    with open_game(file, look=not (change or agree or decline)) as game:
        seat = Seat(game, viewer.value)
        line: Line | None = None
        if agree:
            line = _listing_lost(seat.agree, yes)
        elif decline:
            seat.decline()
        elif change:
            if not reason.strip():
                raise PBCGError("A correction needs a reason, which stays in the log: --reason.")
            line = _listing_lost(
                lambda lose: seat.correct_typed(path.strip(), typed, reason, lose), yes
            )
        typer.echo(line.text if line else _words_of_proposal(seat))


def _words_of_proposal(seat: Seat) -> str:
    """The correction that waits for agreement, in words."""
    proposed = seat.proposed_correction
    if proposed is None:
        return "No correction is proposed."
    words = f"The {proposed.side.capitalize()} player proposes a correction: {proposed.words}"
    then = "Agree with --agree, or --decline it."
    if seat.viewer == proposed.side:
        then = "The other player has to agree, with --agree."
    return f"{words} Reason: {proposed.reason}\n{then}"


def _listing_lost(make: Callable[[bool], T], yes: bool) -> T:
    """Make a correction; where answers would be lost, list them and ask first."""
    from asl_pbcg.play.errors import LostAnswers

    try:
        return make(yes)
    except LostAnswers as error:
        if error.again:
            again = number_words(error.again, "answer or roll", "answers and rolls")
            typer.echo(f"Given again by itself: {again}.", err=True)
        typer.echo("These find no place at once, and are given again as they are asked:", err=True)
        for lost in error.lost:
            typer.echo(f"  {lost}", err=True)
    if not typer.confirm("Make the correction?", default=False, err=True):
        raise PBCGError("Nothing was changed. With --yes the correction is made.")
    return make(True)


@status_app.command()
def status(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option(),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Say where a campaign stands: CG Date, what is asked next and of whom, forces, points."""
    from asl_pbcg.play.campaign_facts import facts

    session = _look(file)
    with closing(session):
        found = facts(session, viewer.value)
    if as_json:
        import json

        typer.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    for name, value in status_words(found).items():
        typer.echo(f"{name + ':':14} {value}")
    typer.echo("Whoever holds this file can read what either side keeps secret.")


_KINDS = {
    "half_squad": "HS",
    "armor_leader": "Armor Leader",
    "sw": "SW",
    "gun": "Gun",
    "fortification": "Fortification",
}


def status_words(facts: dict[str, Any]) -> dict[str, str]:
    """The facts of ``play`` as they are printed."""
    words = {
        "Campaign": facts["title"],
        "CG Date": facts["date_title"],
        "Setup, move": f"{facts['setup_first'].capitalize()} first, "
        f"{facts['move_first'].capitalize()} first",
        "SAN": _list_words({side.capitalize(): san for side, san in facts["san"].items()}),
    }
    if facts["ended"]:
        words["CG End"] = facts["ended"]
    elif facts["next"]:
        words["Next"] = facts["next"]
    elif facts["asked"]:
        who = facts["waiting_for"]
        who = "both sides" if who == "both" else who.capitalize()
        words["Next"] = f"{facts['asked']['id']} {facts['asked']['text']} ({who})"
    else:
        words["Next"] = f"waiting for the {facts['waiting_for'].capitalize()} player"
    for side, kinds in facts["ob"].items():
        words[f"{side.capitalize()} OB"] = _list_words(
            {_KINDS.get(kind, kind): count for kind, count in kinds.items()}
        )
        if side in facts["fpp"]:
            words[f"{side.capitalize()} FPP"] = facts["fpp"][side]
    if facts["cpp"] is not None:
        words["CPP"] = str(facts["cpp"])
    return words


def _list_words(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
