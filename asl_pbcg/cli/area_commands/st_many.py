"""``pbcg st sim``, ``analyse``: many games played by themselves, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import typer
from rich.table import Table

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.area_commands.st_new import SETTING, DifficultyName
from asl_pbcg.cli.area_commands.st_play import Policy
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_words
from asl_pbcg.cli.common import paper_option
from asl_pbcg.cli.terminal.progress import show_progress
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.hexes.drawing import write_pages
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.play.area_play.area_game import rules_of
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.output import save
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.area_sheets import simulation_sheet
from asl_pbcg.st.many.sim import MAX_GAMES, SimulatedGames
from asl_pbcg.st.many.sim_plot import games_words, plot, plot_study, set_up_words
from asl_pbcg.st.many.sim_report import SimulationReport, report, to_csv, to_json
from asl_pbcg.st.many.study import Compared, StudyRun, study_of
from asl_pbcg.st.player.policy import PolicyName
from asl_pbcg.st.player.workers import cores
from asl_pbcg.st.rules.game_record import record_of
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.thinking.analysis import AGAINST, Analysis, compare_with_good
from asl_pbcg.st.thinking.analysis import analyse as analyse_game
from asl_pbcg.st.thinking.analysis_report import draw_report, html_report, report_lines

sim_app = typer.Typer(add_completion=False)
analyse_app = typer.Typer(add_completion=False)
RESULT_FILES: Final = (".xlsx", ".csv", ".json", ".png", ".svg", ".pdf")
REPORT_FILES: Final = (".html", ".pdf", ".svg", ".png")
MAX_EFFORT: Final = 100
_JOBS = typer.Option(0, "--jobs", "-j", show_default=False, help="How many cores; else all.")
_DASK = typer.Option(
    "", "--dask", metavar="ADDRESS", help="Play on the Dask scheduler there, tcp://host:8786."
)


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Raise PBCGError for a file that cannot be written: another ending, no folder for it."""
    if path.suffix.lower() not in endings:
        raise PBCGError(f"{path} should end in one of {', '.join(endings)}.")
    if not path.absolute().parent.is_dir():
        raise PBCGError(f"{path}: there is no folder {path.parent}.")
    if path.is_dir():
        raise PBCGError(f"{path} is a folder: name a file.")


def _count_between(option: str, count: int, least: int, most: int) -> None:
    if not least <= count <= most:
        raise PBCGError(f"{option} {count} is not possible: {max(1, least)} to {most} is.")


def _refuse_jobs(dask: str) -> None:
    if dask:
        refuse_idle("with --dask", "--jobs")


# -- sim --------------------------------------------------------------------------------------


@sim_app.command()
@answers
def sim(
    games: int = typer.Option(..., "--games", "-n", help="How many games."),
    jobs: int = _JOBS,
    difficulty: DifficultyName | None = typer.Option(
        None, "--difficulty", help="Variable games of this difficulty; else historical ones."
    ),
    full_history: bool = typer.Option(
        False, "--full-history", help="Historical games without glider 4."
    ),
    policy: list[Policy] = typer.Option(
        [Policy.GOOD], "--player", "--policy",
        help="Who plays the British; repeated, they are compared.",
    ),
    vary: list[str] = typer.Option(
        [], "--vary", metavar="ID=A,B", help="Compare choices of a setting; may be repeated."
    ),
    seed: int = typer.Option(
        0, "--seed", help="The same seed, the same results; all that is compared has its dice."
    ),
    keep: Path | None = typer.Option(
        None, "--keep", metavar="FOLDER",
        help="Keep each game there as soon as it is done; the same command goes on.",
    ),
    output: list[Path] = typer.Option(
        [], "-o", "--output",
        help="Write them here: .xlsx, .csv, .json, or a plot as .png, .svg, .pdf; may be repeated.",
    ),
    setting: list[str] = SETTING,
    map_file: Path | None = typer.Option(None, "--map", metavar="MAP", help="A map of your own."),
    dask: str = _DASK,
) -> Answer:  # fmt: skip
    """Play many games by themselves; Ctrl-C stops and keeps what is done.

    Several players, or choices of a setting (--vary), are compared with the same dice.
    """
    _count_between("--games", games, 1, MAX_GAMES)
    _count_between("--jobs", jobs, 0, 1024)
    _refuse_jobs(dask)
    for path in output:
        check_ending(path, RESULT_FILES)
    if full_history and difficulty:
        raise PBCGError("Give --difficulty for variable games, or --full-history.")
    settings: dict[str, Any] = ST_RULINGS.read_typed(setting, "--setting")
    settings["mode"] = "full_history" if full_history else "historical"
    if difficulty:
        settings |= {"mode": "variable", "difficulty": difficulty.value}
    players: list[PolicyName] = [player.value for player in policy]
    board = load_map(map_file) if map_file else None
    study = study_of(players, _choices(vary), settings, seed, games, board)
    several = len(study.arms) > 1
    if several:
        _count_between("--games", games, 2, MAX_GAMES)
        refuse_idle("where several are compared (--keep writes their tables)", "--output")
    runs = StudyRun(study, keep)
    _play_games(runs, jobs or cores(), dask)
    for path in output:
        _write_results(runs.results[0], path)
    written = [*output, *(_write_folder(runs, keep) if keep else [])]
    if several:
        return Answer(runs.compare_arms(), lambda arms: _show_arms(arms, written))
    return Answer(report(runs.results[0]), lambda summary: _show_simulation(summary, written))


def _choices(vary: Sequence[str]) -> dict[str, list[Any]]:
    """Return the choices of each setting that ``--vary`` compares. Raises FaultsError."""
    choices: dict[str, list[Any]] = {}
    for comparison in vary:
        id, _, listed = comparison.partition("=")
        typed = [[f"{id}={value}"] for value in listed.split(",")]
        choices[id] = [ST_RULINGS.read_typed(setting, "--vary")[id] for setting in typed]
    return choices


def _play_games(runs: StudyRun, jobs: int, dask: str) -> None:
    """Play what is left of a study. Raises PBCGError if no game was done when it was stopped."""
    games = runs.study.games * len(runs.study.arms)
    with show_progress() as begin:
        complete = runs.run(jobs, dask, begin("Games", games))
    if not runs.done:
        raise PBCGError("No game was done.")
    if not complete:
        goes_on = " The same command goes on." if runs.folder else ""
        stopped = f"Stopped: {runs.done} of {games} games are done.{goes_on}"
        typer.secho(stopped, fg="yellow", err=True)


def _write_folder(runs: StudyRun, folder: Path) -> list[Path]:
    """Write the tables and the picture of a study beside its games."""
    picture = folder / "study.svg"
    plot_study(runs.compare_arms()).write(picture)
    return [*runs.write(folder), picture]


def _write_results(results: SimulatedGames, path: Path) -> None:
    kind = path.suffix.lower()
    if kind == ".xlsx":
        save(simulation_sheet(results), path)
    elif kind in (".json", ".csv"):
        write_atomic(path, to_json(results) if kind == ".json" else to_csv(results))
    else:
        plot(results).write(path)


def _show_simulation(summary: SimulationReport, written: Sequence[Path]) -> None:
    names = victory_chart().names
    console = Sentences()
    console.print(
        f"{games_words(summary)}, {set_up_words(summary)}, British player {summary.policy}, "
        f"seed {summary.seed}"
    )
    vp = summary.vp
    console.print(
        f"[bold]{vp.mean:.1f} VP[/] a game (95%: {vp.low:.1f} to {vp.high:.1f}), median "
        f"{vp.median:g}, half between {vp.quarter:g} and {vp.three_quarters:g}, "
        f"all between {vp.least} and {vp.most}"
    )
    grid = Table("", "Games", "Share", "95% interval", box=None, header_style="bold")
    for level, share in summary.levels.items():
        grid.add_row(
            names[level], str(share.count), f"{share.share:.1%}",
            f"{share.low:.1%} to {share.high:.1%}",
        )  # fmt: skip
    console.print(grid)
    lines = Table("", "Number", "VP", box=None, header_style="bold")
    for line in summary.lines.values():
        lines.add_row(line.text, f"{line.mean:.2f}", f"{line.vp:+.2f}")
    console.print(lines)
    _say_written(written)


def _say_written(paths: Sequence[Path]) -> None:
    for path in paths:
        typer.echo(written_words(path))


def _show_arms(arms: Sequence[Compared], written: Sequence[Path]) -> None:
    # Each interval stands below its value: side by side they leave the names no room.
    grid = Table(box=None, pad_edge=False)
    grid.add_column("", overflow="fold")
    for heading in ("Games", "VP\n95%", "Victories\n95%", "Gain\n95%"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for arm in arms:
        grid.add_row(
            arm.name, f"{arm.games:,}",
            f"{arm.vp:.2f}\n{arm.low:.2f} to {arm.high:.2f}",
            f"{arm.victory:.1%}\n{arm.victory_low:.1%} to {arm.victory_high:.1%}",
            f"{arm.gain:+.2f}\n{arm.gain_low:+.2f} to {arm.gain_high:+.2f}",
        )  # fmt: skip
    Sentences().print(grid)
    _say_written(written)


# -- analyse ----------------------------------------------------------------------------------


@analyse_app.command()
@answers
def analyse(
    file: Path = typer.Argument(..., help="The game file."),
    output: Path = typer.Option(..., "-o", "--output", help="The report: .html, .pdf, .svg, .png."),
    effort: float = typer.Option(1.0, "--effort", help="2 plays twice as many imagined games."),
    against: int = typer.Option(
        AGAINST, "--against", help="Simulated games to be compared with; 0 for none."
    ),
    jobs: int = _JOBS,
    dask: str = _DASK,
    paper: str = paper_option("A PDF on "),
) -> Answer:
    """Weigh a game: how the prospects went, which decisions cost most, what was luck.

    Ctrl-C makes the report of what is done.
    """
    check_ending(output, REPORT_FILES)
    if output.suffix.lower() != ".pdf":
        refuse_idle("but in a PDF", "--paper")
    size = Paper.parse(paper).size if output.suffix.lower() == ".pdf" else None
    _count_between("--against", against, 0, MAX_GAMES)
    _count_between("--jobs", jobs, 0, 1024)
    _refuse_jobs(dask)
    if not 0 < effort <= MAX_EFFORT:
        raise PBCGError(f"--effort {effort:g} is not possible: more than 0, up to {MAX_EFFORT} is.")
    analysis = _analysis(file, effort, against, jobs or cores(), dask)
    if output.suffix.lower() == ".html":
        write_atomic(output, html_report(analysis))
    else:
        write_pages(draw_report(analysis, size), output)
    return Answer(analysis, lambda _: _show_report(report_lines(analysis), output))


def _show_report(sections: Sequence[tuple[str, list[str]]], output: Path) -> None:
    for heading, lines in sections:
        typer.secho(heading, bold=True)
        for line in lines:
            typer.echo(f"  {line}")
    _say_written([output])


def _analysis(file: Path, effort: float, against: int, jobs: int, dask: str) -> Analysis:
    with opened_game(file, look=True) as session:
        game = rules_of(session)
        record = record_of(session)
        state = session.state
    if not record.entries:
        raise PBCGError(f"Nothing has been played in {file}.")
    with show_progress() as begin:
        analysis = analyse_game(game, record, effort, begin("Imagined games", 1.0), jobs, dask)
        if against and state.over and not analysis.stopped:
            tell = begin("Games to compare with", against)
            compare_with_good(analysis, game, state, against, tell, jobs, dask)
    return analysis
