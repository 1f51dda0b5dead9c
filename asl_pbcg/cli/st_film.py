"""``pbcg st film``: a game as a film."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.cli.st_file import opened_game
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.play.area_film import frames as frames_in
from asl_pbcg.play.area_game import rules_of
from asl_pbcg.st.picture.film import gif, html

app = typer.Typer(add_completion=False)


@app.command()
def film(
    file: Path = typer.Argument(..., help="The game file."),
    output: Path = typer.Option(..., "-o", "--output", help="The film: .html or .gif."),
    seconds: float = typer.Option(0.6, "--seconds", help="How long a frame of a GIF stands."),
) -> None:
    """Make a film of a game: a frame for each thing that happened."""

    if output.suffix.lower() not in (".html", ".gif"):
        raise PBCGError(f"{output} should end in .html or .gif.")
    if not 0.05 <= seconds <= 60:
        raise PBCGError(f"--seconds {seconds} is not possible: 0.05 to 60 is.")
    with opened_game(file, look=True) as session:
        frames, area_map = frames_in(session), rules_of(session).map
    made = html(area_map, frames) if output.suffix.lower() == ".html" else None
    write_atomic(output, made if made is not None else gif(area_map, frames, seconds))
    typer.echo(f"{output} is written: {len(frames)} frames.")
