"""``pbcg st sim``: many games played by themselves, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.progress import TimeRemainingColumn as Remaining
from rich.table import Table

from asl_pbcg.cli.sentences import Sentences
from asl_pbcg.cli.st_new import DifficultyName
from asl_pbcg.cli.st_play import Policy
from asl_pbcg.cli.streams import unguarded_console
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.records.output import save
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.sim import MAX_GAMES, Results, Spec, simulate
from asl_pbcg.st.many.sim_plot import games_words, plot, set_up_words
from asl_pbcg.st.many.sim_report import Report, report, to_csv, to_json
from asl_pbcg.st.many.workers import cores
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.sheets import simulation_sheet

app = typer.Typer(add_completion=False)
ENDINGS = (".xlsx", ".csv", ".json", ".png", ".svg", ".pdf")


@app.command()
def sim(
    games: int = typer.Option(..., "--games", "-n", help="How many games."),
    jobs: int = typer.Option(
        0, "--jobs", "-j", show_default=False, help="How many cores; else all there are."
    ),
    difficulty: DifficultyName | None = typer.Option(
        None, "--difficulty", help="Variable games of this difficulty; else historical ones."
    ),
    full_history: bool = typer.Option(
        False, "--full-history", help="Historical games without glider 4."
    ),
    policy: Policy = typer.Option(
        Policy.GOOD, "--player", "--policy", help="Who plays the British."
    ),
    seed: int = typer.Option(0, "--seed", help="The same seed, the same results."),
    output: list[Path] = typer.Option(
        [], "-o", "--output",
        help="Write them here: .xlsx, .csv, .json, or a plot as .png, .svg, .pdf; may be repeated.",
    ),
    setting: list[str] = typer.Option(
        [], "--setting", metavar="ID=CHOICE", help='See "pbcg st settings"; may be repeated.'
    ),
    map_file: Path | None = typer.Option(None, "--map", metavar="MAP", help="A map of your own."),
    dask: str = typer.Option(
        "", "--dask", metavar="ADDRESS", help="Play on the Dask scheduler there, tcp://host:8786."
    ),
) -> None:  # fmt: skip
    """Play many games by themselves; Ctrl-C stops and keeps what is done."""

    if not 1 <= games <= MAX_GAMES:
        raise PBCGError(f"--games {games} is not possible: 1 to {MAX_GAMES} is.")
    if not 0 <= jobs <= 1024:
        raise PBCGError(f"--jobs {jobs} is not possible: 1 to 1024 is.")
    for path in output:
        _check(path)
    if full_history and difficulty:
        raise PBCGError("Give --difficulty for variable games, or --full-history.")
    settings: dict[str, Any] = ST_RULINGS.read_typed(setting, "--setting")
    settings["mode"] = "full_history" if full_history else "historical"
    if difficulty:
        settings |= {"mode": "variable", "difficulty": difficulty.value}
    spec = Spec.of(policy.value, seed, settings, load_map(map_file) if map_file else None)
    results = _with_bar(spec, games, jobs or cores(), dask)
    if not results.done:
        raise PBCGError("No game was done.")
    if results.done < games:
        typer.secho(f"Stopped: {results.done} of {games} games are done.", fg="yellow", err=True)
    _print(results)
    for path in output:
        _write(results, path)
        typer.echo(f"{path} is written.")


def _check(path: Path) -> None:
    if path.suffix.lower() not in ENDINGS:
        raise PBCGError(f"{path} should end in one of {', '.join(ENDINGS)}.")
    if not path.absolute().parent.is_dir():
        raise PBCGError(f"{path}: there is no folder {path.parent}.")


def _with_bar(spec: Spec, games: int, jobs: int, dask: str) -> Results:

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        Remaining(),
        console=unguarded_console(),
        transient=True,
    )
    with progress:
        task = progress.add_task("Games", total=games, rate="")

        def tell(results: Results, _: Sequence[int]) -> None:
            speed = progress.tasks[0].speed
            progress.update(
                task, completed=results.done, rate=f"{speed:.1f} a second" if speed else ""
            )

        return simulate(spec, games, jobs, dask, tell)


def _write(results: Results, path: Path) -> None:

    kind = path.suffix.lower()
    if kind == ".xlsx":
        save(simulation_sheet(results), path)
    elif kind in (".json", ".csv"):
        write_atomic(path, to_json(results) if kind == ".json" else to_csv(results))
    else:
        plot(results).write(path)


def _print(results: Results) -> None:

    found: Report = report(results)
    names = victory_chart().names
    console = Sentences()
    console.print(
        f"{games_words(found)}, {set_up_words(found)}, British player {found.policy}, "
        f"seed {found.seed}"
    )
    vp = found.vp
    console.print(
        f"[bold]{vp.mean:.1f} VP[/] a game (95%: {vp.low:.1f} to {vp.high:.1f}), median "
        f"{vp.median:g}, half between {vp.quarter:g} and {vp.three_quarters:g}, "
        f"all between {vp.least} and {vp.most}"
    )
    grid = Table("", "Games", "Share", "95% interval", box=None, header_style="bold")
    for level, share in found.levels.items():
        grid.add_row(
            names[level], str(share.count), f"{share.share:.1%}",
            f"{share.low:.1%} to {share.high:.1%}",
        )  # fmt: skip
    console.print(grid)
    lines = Table("", "Number", "VP", box=None, header_style="bold")
    for line in found.lines.values():
        lines.add_row(line.text, f"{line.mean:.2f}", f"{line.vp:+.2f}")
    console.print(lines)
