"""``pbcg st challenge``: the game of a date, and its score card."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.st_file import opened_game
from asl_pbcg.play.area_game import create_game, situation
from asl_pbcg.play.area_words import score_of
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.challenge import challenge_meta, challenge_of, read_date, score_card

app = typer.Typer(add_completion=False)


@app.command()
def challenge(
    date: str = typer.Argument(..., help="The date, as 2026-11-22; today: the game of today."),
    file: Path | None = typer.Argument(None, help="The file to make; else DATE.pbcg."),
    card: bool = typer.Option(False, "--card", help="Print the score card of that file."),
) -> None:
    """Begin the game of a date, the same set-up and dice for everyone; --card tells how it went."""

    day = read_date(date)
    path = file or Path(f"{day.isoformat()}.pbcg")
    if card:
        with opened_game(path, look=True) as session:
            result = score_of(situation(session)) if session.state.ready else None
            typer.echo(score_card(session, day, result))
        return
    found = challenge_of(day)
    create_game(path, challenge_meta(day), load_map()).close()
    typer.echo(f"{day.isoformat()}: {found.title}. {path} begins.")
    scored = in_quotes("st", "challenge", day.isoformat(), path, "--card")
    typer.echo(f"{in_quotes('st', 'play', path)} plays it, {scored} prints its score card.")
