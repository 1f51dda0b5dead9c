"""``pbcg st study``: players, rulings and variants compared over many games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.progress import Progress
from rich.table import Table

from asl_pbcg.cli.sentences import Sentences
from asl_pbcg.cli.st_new import DifficultyName
from asl_pbcg.cli.streams import unguarded_console
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.many.sim import MAX_GAMES
from asl_pbcg.st.many.study import StudyFolder, study_of
from asl_pbcg.st.many.study_plot import plot_study
from asl_pbcg.st.many.workers import cores
from asl_pbcg.st.settings import ST_RULINGS

app = typer.Typer(add_completion=False)


@app.command()
def study(
    folder: Path = typer.Argument(..., help="Where the study is kept; an old one goes on."),
    games: int = typer.Option(1000, "--games", "-n", help="Games of each arm."),
    player: list[str] = typer.Option(
        ["good"], "--player", help="random, good or expert; may be repeated."
    ),
    vary: list[str] = typer.Option(
        [], "--vary", metavar="ID=A,B", help="A setting and the choices compared; may be repeated."
    ),
    setting: list[str] = typer.Option(
        [], "--setting", metavar="ID=CHOICE", help="A setting that all arms have."
    ),
    difficulty: DifficultyName | None = typer.Option(
        None, "--difficulty", help="Variable games of this difficulty; else historical ones."
    ),
    seed: int = typer.Option(0, "--seed", help="The same seed, the same dice for every arm."),
    jobs: int = typer.Option(
        0, "--jobs", "-j", show_default=False, help="How many cores; else all there are."
    ),
    dask: str = typer.Option("", "--dask", metavar="ADDRESS", help="Play on the scheduler there."),
) -> None:
    """Compare over many games with paired dice; Ctrl-C keeps what is done, the same goes on."""

    if not 2 <= games <= MAX_GAMES:
        raise PBCGError(f"--games {games} is not possible: 2 to {MAX_GAMES} is.")
    for name in player:
        if name not in ("random", "good", "expert"):
            raise PBCGError(f"--player {name}: there are random, good and expert.")
    settings: dict[str, Any] = {"mode": "historical", **ST_RULINGS.read_typed(setting, "--setting")}
    if difficulty:
        settings |= {"mode": "variable", "difficulty": difficulty.value}
    choices: dict[str, list[Any]] = {}
    for each in vary:
        id, _, listed = each.partition("=")
        typed = [[f"{id}={value}"] for value in listed.split(",")]
        choices[id] = [ST_RULINGS.read_typed(each, "--vary")[id] for each in typed]
    found = StudyFolder(folder, study_of(player, choices, settings, seed, games))  # type: ignore[arg-type]
    complete = _with_bar(found, games, jobs or cores(), dask)
    _print(found)
    for path in found.write():
        typer.echo(f"{path} is written.")

    picture = folder / "study.svg"
    plot_study(found.compare_arms()).write(picture)
    typer.echo(f"{picture} is written.")
    if not complete:
        typer.secho("Stopped; the same command goes on.", fg="yellow", err=True)


def _with_bar(found: StudyFolder, games: int, jobs: int, dask: str) -> bool:

    with Progress(console=unguarded_console(), transient=True) as progress:
        total = games * len(found.study.arms)
        task = progress.add_task("Games", total=total, completed=found.done)
        return found.run(jobs, dask, lambda done: progress.update(task, completed=done))


def _print(found: StudyFolder) -> None:

    # Each interval stands below its value: side by side they leave the names no room.
    grid = Table(box=None, pad_edge=False)
    grid.add_column("", overflow="fold")
    for heading in ("Games", "VP\n95%", "Victories\n95%", "Gain\n95%"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for each in found.compare_arms():
        grid.add_row(
            each.name, f"{each.games:,}",
            f"{each.vp:.2f}\n{each.low:.2f} to {each.high:.2f}",
            f"{each.victory:.1%}\n{each.victory_low:.1%} to {each.victory_high:.1%}",
            f"{each.gain:+.2f}\n{each.gain_low:+.2f} to {each.gain_high:+.2f}",
        )  # fmt: skip
    Sentences().print(grid)
