"""``pbcg st analyse``: a report on a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.progress import Progress

from asl_pbcg.cli.st_file import opened_game
from asl_pbcg.cli.streams import unguarded_console
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.st.many.run import packed_map
from asl_pbcg.st.many.sim import Spec, simulate
from asl_pbcg.st.many.workers import cores
from asl_pbcg.st.record import record_of
from asl_pbcg.st.thinking.analysis import Analysis
from asl_pbcg.st.thinking.analysis import analyse as weigh
from asl_pbcg.st.thinking.analysis_report import draw_report, html_report, report_lines

app = typer.Typer(add_completion=False)
ENDINGS = (".html", ".pdf", ".svg", ".png")


@app.command()
def analyse(
    file: Path = typer.Argument(..., help="The game file."),
    output: Path = typer.Option(..., "-o", "--output", help="The report: .html, .pdf, .svg, .png."),
    effort: float = typer.Option(1.0, "--effort", help="2 plays twice as many imagined games."),
    against: int = typer.Option(
        10_000,
        "--against",
        help="Simulated games to be compared with.",
    ),
    jobs: int = typer.Option(
        0, "--jobs", "-j", show_default=False, help="How many cores; else all."
    ),
    dask: str = typer.Option("", "--dask", metavar="ADDRESS", help="Play all these games there."),
) -> None:
    """Weigh a game: how the prospects went, which decisions cost most, what was luck.

    Ctrl-C makes the report of what is done.
    """

    if output.suffix.lower() not in ENDINGS:
        raise PBCGError(f"{output} should end in one of {', '.join(ENDINGS)}.")
    found = _analysis(file, effort, against, jobs, dask)

    if output.suffix.lower() == ".html":
        write_atomic(output, html_report(found))
    else:
        draw_report(found).write(output)
    for heading, lines in report_lines(found):
        typer.secho(heading, bold=True)
        for line in lines:
            typer.echo(f"  {line}")
    typer.echo(f"{output} is written.")


def _analysis(file: Path, effort: float, against: int, jobs: int, dask: str) -> Analysis:

    with opened_game(file, look=True) as session:
        game: Any = session.game
        settings: dict[str, Any] = session.journal.meta("settings")
        record = record_of(session)
        state = session.state
    if not record.entries:
        raise PBCGError(f"Nothing has been played in {file}.")
    with Progress(console=unguarded_console(), transient=True) as progress:
        task = progress.add_task("Imagined games", total=1.0)
        jobs = jobs or cores()
        found = weigh(
            game, record, effort, lambda d: progress.update(task, completed=d), jobs, dask
        )
        if state.over and against > 0 and not found.stopped:
            known = {**settings, "mode": state.settings.mode}
            if state.settings.mode == "variable":
                known["difficulty"] = state.difficulty
            spec = Spec(policy="good", seed=1, settings=known, area_map=packed_map(game.map))
            others = progress.add_task("Games compared", total=against)
            results = simulate(
                spec, against, jobs, dask,
                lambda r, _: progress.update(others, completed=r.done),
            )  # fmt: skip
            if vp := results.column("vp"):
                found.compared, found.place = len(vp), sum(v < found.vp for v in vp) / len(vp)
    return found
