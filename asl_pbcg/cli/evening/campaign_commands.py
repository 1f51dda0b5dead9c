"""``pbcg status``, ``log``, ``undo``, ``redo``, ``correct``: a campaign in progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import typer

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.cli.campaign_file import look_at, open_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_tables
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine, for_side, visible
from asl_pbcg.kernel.wording import number_words, stands_in
from asl_pbcg.play.campaign_game.campaign_facts import facts
from asl_pbcg.play.campaign_game.campaign_notes import find_subject
from asl_pbcg.play.campaign_game.campaign_plug import undone_words
from asl_pbcg.play.campaign_game.viewer_tables import log_rows
from asl_pbcg.play.refusals import LostAnswers, NeedsConfirmation, ProposalChanged
from asl_pbcg.play.seat import Seat

T = TypeVar("T")
log_app = typer.Typer(add_completion=False)
undo_app = typer.Typer(add_completion=False)
redo_app = typer.Typer(add_completion=False)
correct_app = typer.Typer(add_completion=False)
status_app = typer.Typer(add_completion=False)
_FILE = typer.Argument(..., help="The campaign file.")


class ChangeOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a change of a campaign: what was done, in words, and what is asked next."""

    done: str
    next: str = ""


def _print_outcome(outcome: ChangeOutcome) -> None:
    typer.echo(outcome.done)
    if outcome.next:
        typer.echo(outcome.next)


# -- log ------------------------------------------------------------------------------------------


@log_app.command()
@answers
def log(
    file: Path = _FILE,
    viewer: Viewer = as_option("Whose eyes: british or german.", "--side"),
    step: str = typer.Option("", "--step", help="Only a step or rule: 9.606, 9.6061 or dawn."),
    piece: str = typer.Option("", "--piece", help="Only lines that name one piece."),
    output: Path | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Write it as .csv, .json or .xlsx."
    ),
) -> Answer:
    """Print what happened: every decision, every roll with its modifiers, what followed."""
    with look_at(file, viewer.value) as game:
        lines = for_side(game.session.lines(), viewer.value)
        name = short_name(find_subject(Seat(game, viewer.value), piece)).casefold() if piece else ""
    if any(step in line.step for line in lines):
        lines = [line for line in lines if step in line.step]
    else:
        lines = [line for line in lines if line.rule.startswith(step)]
    lines = [line for line in lines if not piece or stands_in(name, line.text.casefold())]
    if not lines and (piece or step):
        raise PBCGError(f"Nothing in this log is about {piece or step}.")
    if output:
        return written_tables(log_rows(lines), output)
    return Answer(lines, _print_log)


def _print_log(lines: list[LogLine]) -> None:
    step = ""
    for line in lines:
        if line.step != step:
            step = line.step
            typer.secho(f"\n{step}", bold=True)
        marks = [line.side, line.by, "secret" if line.secret else ""]
        side = f" [{', '.join(filter(None, marks))}]" if line.side else ""
        typer.echo(f"  {line.rule:9}  {line.text}{side}")


# -- undo and redo --------------------------------------------------------------------------------


@undo_app.command()
@answers
def undo(
    file: Path = _FILE,
    reason: str = typer.Option("", "--reason", help="Needed to undo a roll; it is logged."),
    to: str = typer.Option("", "--to", metavar="STEP", help="Back to a step: 9.606, dawn/9.606."),
    viewer: Viewer = as_option("Only this side's answers."),
    yes: bool = typer.Option(False, "--yes", help="Also over a CG Date or many answers."),
) -> Answer:
    """Undo the last answer; over a roll only with a reason that stays in the log.

    With --to everything since the first question of a step is undone, for a reason. Over a CG
    Date, or for more than 20 answers and rolls, you are asked first; pbcg redo redoes all of it.
    """
    if not to:
        refuse_idle("without --to", "--yes")
    with open_game(file) as game:
        session = game.session
        if to:
            seat = Seat(game, viewer.value)
            step = _step_named(session, to.strip(), viewer.value)
            taken = _undo_to(seat, step, reason, yes)
            corrections = sum(entry.kind == "correction" for entry in taken)
            words = number_words(len(taken) - corrections, "answer or roll", "answers and rolls")
            if corrections:
                words += f" and {number_words(corrections, 'correction')} (the log has them)"
            words += f", back to {step}"
        else:
            session.check_undo(viewer.value)
            lines = session.lines()
            words = undone_words(session.undo(reason), lines, also_secret=True).rstrip(".")
        asked = session.pending
    return _outcome(f"Undone: {words}.", asked, viewer.value)


@redo_app.command()
@answers
def redo(
    file: Path = _FILE,
    viewer: Viewer = as_option("Only this side's answers."),
) -> Answer:
    """Redo what was undone last, with the same dice.

    It can be repeated as often as undo was; giving another answer than before ends it.
    """
    with open_game(file) as game:
        session = game.session
        session.check_redo(viewer.value)
        entries = session.redo()
        asked = session.pending
    words = number_words(len(entries), "answer or roll", "answers and rolls")
    first, last = entries[0].step, entries[-1].step
    where = f"in {first}" if first == last else f"from {first} to {last}"
    return _outcome(f"Redone: {words}, {where}.", asked, viewer.value)


def _outcome(done: str, asked: Prompt | Roll | None, viewer: str) -> Answer:
    """Answer what was done and what is asked next, of a secret question only of whom."""
    coming = ""
    if asked is not None and visible(asked, viewer):
        coming = f"Next comes {asked.id} {asked.text}"
    elif asked is not None:
        coming = f"Next comes a question of the {asked.side.capitalize()} player."
    return Answer(ChangeOutcome(done=done, next=coming), _print_outcome)


def _undo_to(seat: Seat, step: str, reason: str, yes: bool) -> list[Entry]:
    """Go back to a step; where that is much, ask first."""
    try:
        return seat.undo_to(step, reason, yes)
    except NeedsConfirmation as error:
        typer.echo(str(error), err=True)
    if not typer.confirm("Undo all of it?", default=False, err=True):
        raise PBCGError("Nothing was undone. With --yes it is.")
    return seat.undo_to(step, reason, sure=True)


def _step_named(session: Session[Campaign], name: str, viewer: str) -> str:
    """Return the step ``name`` in full, 9.606 as night-1/9.606, of this RePh or the last one.

    The CG Date changes in the middle of a RePh, in 9.612. Steps in which ``viewer`` was not
    asked it does not know of.
    """
    if "/" in name:
        return name
    asked = session.known_entries(viewer).steps
    dates = dict.fromkeys([*(step.partition("/")[0] for step in asked), session.state.date.value])
    steps = [f"{date}/{name}" for date in [*dates][-2:] if f"{date}/{name}" in asked]
    return steps[-1] if steps else f"{session.state.date.value}/{name}"


@correct_app.command()
@answers
def correct(
    file: Path = _FILE,
    change: str = typer.Argument("", metavar="PATH=VALUE", help="pieces/A-1/at=Y20"),
    reason: str = typer.Option("", "--reason", help="Why; it stays in the log."),
    viewer: Viewer = as_option("This side alone: what is not its own is proposed."),
    yes: bool = typer.Option(False, "--yes", help="Also where answers find no place any more."),
    agree: str = typer.Option(
        "", "--agree", metavar="DIGEST", help="Agree to the correction with this digest."
    ),
    decline: str = typer.Option(
        "", "--decline", metavar="DIGEST", help="Decline or withdraw the one with this digest."
    ),
) -> Answer:
    """Change a fact of a campaign; it stays visible in the log as a correction.

    What was answered in the step in progress is given again where the same is asked. Answers that
    find no place are listed before anything is written; each is given again by itself as soon as
    what it answers is asked.

    The path names a field, then keys or ids: san/german=4, "pieces/A-1/status=[broken, dm]",
    "pieces/german E-3/at=Z15/1", fpp/british=12.

    With --as a side corrects alone only a few facts of its own, such as notes on its pieces;
    anything else it proposes, and the other side agrees with --agree or declines. Without
    PATH=VALUE the command says what is proposed, and its digest.
    """
    path, equals, typed = change.partition("=")
    if change and not equals:
        raise PBCGError("Write PATH=VALUE, for example san/german=4.")
    if bool(change) + bool(agree) + bool(decline) > 1:
        raise PBCGError("Give one of PATH=VALUE, --agree and --decline.")
    if not change:
        refuse_idle("without PATH=VALUE", "--reason", *(() if agree else ("--yes",)))
    with open_game(file, look=not (change or agree or decline)) as game:
        seat = Seat(game, viewer.value)
        line: LogLine | None = None
        if agree:
            _check_read(seat, agree)
            line = _listing_lost(lambda lose: seat.agree(agree, lose=lose), yes)
        elif decline:
            _check_read(seat, decline)
            seat.decline(decline)
        elif change:
            if not reason.strip():
                raise PBCGError("A correction needs a reason, which stays in the log: --reason.")
            line = _listing_lost(
                lambda lose: seat.correct_typed(path.strip(), typed, reason, lose), yes
            )
        done = line.text if line else _words_of_proposal(seat)
    return Answer(ChangeOutcome(done=done), _print_outcome)


def _check_read(seat: Seat, digest: str) -> None:
    """Check that a digest is that of the correction that is proposed now. Raises PBCGError."""
    proposed = seat.proposed_correction
    if proposed is None:
        raise PBCGError("No correction is proposed.")
    if proposed.digest != digest:
        raise ProposalChanged


def _words_of_proposal(seat: Seat) -> str:
    """Return the correction that waits for agreement, in words."""
    proposed = seat.proposed_correction
    if proposed is None:
        return "No correction is proposed."
    words = f"The {proposed.side.capitalize()} player proposes a correction: {proposed.words}"
    then = f"Agree to it: --agree {proposed.digest}. Or decline it: --decline {proposed.digest}."
    if seat.viewer == proposed.side:
        then = f"The other player has to agree: --agree {proposed.digest}."
    return f"{words} Reason: {proposed.reason}\n{then}"


def _listing_lost(make: Callable[[bool], T], yes: bool) -> T:
    """Make a correction; where answers would be lost, list them and ask first."""
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


# -- status ---------------------------------------------------------------------------------------


@status_app.command()
@answers
def status(file: Path = _FILE, viewer: Viewer = as_option()) -> Answer:
    """Say where a campaign stands: CG Date, what is asked next and of whom, forces, points."""
    with look_at(file, viewer.value) as game:
        return Answer(facts(game.session, viewer.value), _print_status)


def _print_status(facts: dict[str, Any]) -> None:
    for name, value in status_words(facts).items():
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
    """Return the facts of ``play`` as they are printed."""
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
