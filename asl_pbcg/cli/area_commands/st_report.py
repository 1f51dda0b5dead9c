"""``pbcg st status``, ``log``, ``undo`` and ``score``: reports on a game of the area game.

They show VP, units and the Germans known; nothing hidden is printed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.area_commands.st_areas import Areas
from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.cli.terminal.streams import print_document
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.play.area_play.area_game import log_text, situation, step_title, turn_words
from asl_pbcg.play.area_play.area_words import (
    coming,
    out_of_play,
    score_of,
    score_words,
)
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.area_terms import BRITISH, PHASES, numbers
from asl_pbcg.st.british.orders import number_of
from asl_pbcg.st.many.score_card import game_card
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.game_state import Result, State, Unit


def facts(session: Session[State]) -> dict[str, Any]:
    """Return where the game stands, as plain data for ``--json``; nothing hidden is in it."""
    sit = situation(session)
    state = Areas(sit).state
    asked = session.pending
    answer: dict[str, Any] = {
        "at": turn_words(state),
        "turn": min(state.turn, numbers().turns),
        "phase": "" if state.over else PHASES[state.phase].name,
        "set_up": state.settings.mode,
        "difficulty": state.difficulty,
        "over": state.over,
        "next": {"point": asked.id, "text": asked.text, "rule": asked.rule} if asked else None,
    }
    if state.ready:
        result = score_of(sit)
        answer["vp"] = result.vp
        answer["level"] = result.level
        answer["scores"] = [msgspec.to_builtins(score) for score in result.scores]
    answer["british"] = [_plain(unit) for unit in state.units if unit.side == BRITISH]
    answer["german"] = [_plain(u) for u in state.units if u.side != BRITISH and u.status == "map"]
    answer["weapons"] = [
        facts_of(weapon, "id name carrier charges", at="place")
        for weapon in state.weapons
        if weapon.status == "map"
    ]
    return answer


def _plain(unit: Unit) -> dict[str, Any]:
    if unit.face_down:
        return facts_of(unit, "id name status face_down", at="place")
    names = "id name kind status strength grenades suppressed wounded"
    return facts_of(unit, names, at="place")


def print_status(console: Console, session: Session[State]) -> None:
    """Print the whole situation: VP, what is to come, the units by area, Germans known."""
    sit = situation(session)
    areas = Areas(sit)
    state = areas.state
    console.print(Text(turn_words(state), "bold"))
    mode = state.settings.mode.replace("_", " ")
    if mode:
        console.print(Text(f"  {mode} game, {state.difficulty or 'difficulty still open'}"))
    if not state.ready:
        return
    console.print(Text(f"  {score_words(state, score_of(sit))}"))
    for words in coming(state):
        console.print(Text(f"  {words}"))
    console.print(_units(areas))
    far = sorted(areas.german)
    if far:
        console.print(Text("Germans on the map", "bold"))
    for area in far:
        console.print(Text(f"  {sit.geo.text(area)}: {areas.germans(area)}"))
    away = out_of_play(state)
    if away:
        console.print(Text("Lost or not in play: ", "bold") + Text(", ".join(away), ""))


def _units(areas: Areas) -> Table:
    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("", "SP", "Grenades", "MP", ""):
        grid.add_column(name, no_wrap=name in ("SP", "Grenades", "MP"))
    geo = areas.sit.geo
    for area in sorted(areas.british):
        grid.add_row(Text(geo.text(area), "bold cyan"), "", "", "", Text(areas.ground(area), "dim"))
        for unit in areas.british[area]:
            name, *cells = areas.unit_cells(unit)
            grid.add_row(f"  {number_of(areas.sit, unit.id):>3} {name}", *cells)
        for words in areas.lying(area):
            grid.add_row(Text(f"  {words}", "cyan"))
        if german := areas.germans(area):
            grid.add_row(Text(f"  Germans here: {german}", "red"))
        for near in areas.near_germans(area):
            grid.add_row(Text(f"  next to {near}", "red"))
    return grid


status_app = typer.Typer(add_completion=False)
log_app = typer.Typer(add_completion=False)
undo_app = typer.Typer(add_completion=False)
score_app = typer.Typer(add_completion=False)

_FILE = typer.Argument(..., help="The game file.")


@status_app.command()
@answers
def status(file: Path = _FILE) -> Answer:
    """Say where a game stands: turn, VP, your units, the Germans you know of."""
    with opened_game(file, look=True) as session:
        return Answer(facts(session), lambda _: _show_status(session))


def _show_status(session: Session[State]) -> None:
    print_status(Sentences(), session)
    if asked := session.pending:
        typer.echo(f"Asked now: {asked.text}{f' ({asked.rule})' if asked.rule else ''}")


@log_app.command()
@answers
def log(
    file: Path = _FILE,
    turn: int = typer.Option(0, "--turn", show_default=False, help="Only this turn."),
    unit: str = typer.Option("", "--unit", help="Only lines that name this unit."),
    hidden: bool = typer.Option(
        False, "--hidden", help="Also what you could not see; once the game is over."
    ),
    as_answers: bool = typer.Option(
        False, "--answers", help="Your decisions as an answers file, to play them again."
    ),
) -> Answer:
    """Print what happened: every decision, every roll with its modifiers, what followed."""
    if as_answers:
        refuse_idle("with --answers", "--turn", "--unit", "--hidden")
    with opened_game(file, look=True) as session:
        if hidden and not session.state.over:
            raise PBCGError("What is hidden stays hidden until the game is over.")
        if as_answers:
            return Answer(_answers_data(session), _print_answers_file)
        lines = for_side(session.lines(), "umpire" if hidden else BRITISH)
    if turn:
        lines = [line for line in lines if line.step.split(".")[0] == str(turn)]
    return Answer([line for line in lines if unit.lower() in line.text.lower()], _show_log)


def _show_log(lines: Sequence[LogLine]) -> None:
    for step, of_step in groupby(lines, key=lambda line: line.step):
        typer.secho(f"\n{step_title(step)}", bold=True)
        for line in of_step:
            typer.echo(f"  {line.rule:10} {log_text(line)}")


def _answers_data(session: Session[State]) -> dict[str, Any]:
    """Return the decisions that stand as an answers file; real dice as the player threw them."""
    typed = session.typed_dice
    answers = [
        {entry.point: entry.body}
        for entry in session.journal.standing()
        if entry.kind == "answer" or (typed and entry.kind == "roll" and not entry.secret)
    ]
    return {"format": "pbcg-answers/1", "answers": answers}


def _print_answers_file(data: dict[str, Any]) -> None:
    lines = [f"format: {data['format']}", "answers:"]
    for answer in data["answers"]:
        for point, body in answer.items():
            lines.append(f"  - {point}: {json.dumps(body, ensure_ascii=False)}")
    print_document("\n".join(lines) + "\n")


@undo_app.command()
@answers
def undo(
    file: Path = _FILE,
    reason: str = typer.Option(
        "", "--reason", help="Needed if dice were thrown since; it stays in the log."
    ),
) -> Answer:
    """Undo the last decision, and the dice thrown since."""
    with OpenGame.open(file, game=AreaGame.name) as game:
        done = f"Undone: {Seat(game, BRITISH).undo(reason.strip())}"
    return Answer({"done": done}, lambda _: typer.echo(done))


@score_app.command()
@answers
def score(
    file: Path = _FILE,
    card: bool = typer.Option(False, "--card", help="As a block of text to paste."),
) -> Answer:
    """Count the VP as the map stands, line by line, and the victory level they earn."""
    with opened_game(file, look=True) as session:
        state = session.state
        if not state.ready:
            raise PBCGError("Nothing is set up yet; play the set-up first.")
        result = score_of(situation(session))
        if card:
            return Answer(
                {"card": game_card(session, result)}, lambda data: print_document(data["card"])
            )
    return Answer(result, lambda _: print_score(Sentences(), result, state))


def print_score(console: Console, result: Result, state: State) -> None:
    """Print the VP sheet and what the levels need."""
    chart = victory_chart()
    grid = Table("", "Count", "VP each", "VP", "Rule", box=None, header_style="bold")
    for line in result.scores:
        points = line.vp // line.count if line.count else chart.points[line.item].value
        style = "" if line.count else "dim"
        grid.add_row(
            line.text, str(line.count), f"{points:+d}", f"{line.vp:+d}", line.rule, style=style
        )
    console.print(grid)
    console.print(score_words(state, result), style="bold")
    least = chart.least[state.difficulty or "easy"]
    needs = ", ".join(f"{vp} {chart.names[name]}" for name, vp in least.items())
    console.print(f"Needed at {state.difficulty or 'easy'}: {needs} (ST-VIC-14)", style="dim")
