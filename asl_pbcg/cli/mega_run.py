"""``pbcg mega run``: an evening at one table, typed or read from a script."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.mega_typed import Running, settle_typed
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import number_words

if TYPE_CHECKING:
    from asl_pbcg.megagame.desk import Desk


def may_write(ctx: typer.Context, path: Path) -> None:
    """Settle that a line may write the file ``path``: one of a script only below its folder."""
    folder = getattr(ctx.obj, "folder", None)
    if folder is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise PBCGError(
            f"{path} is not below {folder.resolve()}: a script writes nowhere else. "
            "Say --into FOLDER when you run it."
        )


def run_table(
    ctx: typer.Context,
    file: Path,
    title: str,
    script: Path | None,
    start: int,
    seed: str,
    settings: Path | None,
    ask: bool,
    into: Path | None = None,
) -> None:
    """Begin or go on with the table's log at ``file`` and settle every line that comes.

    Lines of a script or a pipe write files only below ``into``, or the folder one stands in.
    """
    from asl_pbcg.kernel.textfiles import read_text

    if isinstance(ctx.obj, Running):
        raise PBCGError("A table is open already: quit first.")
    # The script is read before anything is begun, so that a wrong name changes nothing.
    lines = read_text(script).splitlines() if script else None
    if lines is not None and start > max(1, len(lines)):
        raise PBCGError(f"--from {start}: {script} has {number_words(len(lines), 'line')}.")
    with _open(file, title, seed, settings) as desk:
        running = Running(desk, ask)
        # The very command this runs in: its lines are what may be typed here.
        group = ctx.parent.command if ctx.parent else ctx.command
        if lines is not None or not sys.stdin.isatty():
            running.folder = into or Path()
        if lines is not None:
            _run_script(group, running, lines, str(script), start)
        elif sys.stdin.isatty():
            _run_terminal(group, running, file)
        else:
            _run_script(group, running, _piped_lines(), "the input", 1)


def _open(file: Path, title: str, seed: str, settings: Path | None) -> Desk:
    from asl_pbcg.megagame.desk import Desk
    from asl_pbcg.megagame.settings import Settings

    if not file.exists():
        own = Settings.read(settings).own if settings else {}
        desk = Desk.create(file, title or file.stem, own, seed or None)
        typer.echo(f"{file} begun: {desk.table.title}.")
        return desk
    desk = Desk.open(file)
    others = title not in ("", desk.table.title) or seed not in ("", str(desk.given_seed))
    if others or settings:
        desk.close()
        raise PBCGError(
            f"{file} is in progress: its title and dice stay. "
            "For other settings write the line: settings FILE."
        )
    if desk.table.lines:
        typer.echo(f"{file} goes on after {number_words(desk.table.lines, 'line')}.")
    return desk


def _piped_lines() -> Iterator[str]:
    """Lines as they come; nothing is read ahead, so that a pipe can wait for each answer."""
    while line := sys.stdin.readline():
        yield line


def _run_script(
    group: Any, running: Running, lines: Iterable[str], source: str, start: int
) -> None:
    """Settle every line of a script; the first wrong one ends it, and all before it are kept."""
    for number, line in enumerate(lines, 1):
        if number < start:
            continue
        try:
            if not settle_typed(group, running, line):
                break
        except PBCGError as error:
            kept = number_words(running.desk.table.lines, "line")
            raise PBCGError(
                f"{source}, line {number}: {error}\n"
                f"Everything before it is kept ({kept} in the log). "
                f"Mend the line and go on with --from {number}."
            ) from error
        sys.stdout.flush()


def _run_terminal(group: Any, running: Running, file: Path) -> None:
    """Seat the umpire at the terminal until he leaves; what is wrong costs nothing but the line."""
    from asl_pbcg.cli.mega_manner import MegaManner
    from asl_pbcg.cli.terminal import Terminal
    from asl_pbcg.kernel.views import UMPIRE
    from asl_pbcg.play.mega import MegaPlug
    from asl_pbcg.play.open_game import OpenGame
    from asl_pbcg.play.seat import Seat

    session = running.desk.session
    assert session
    game = OpenGame(file, MegaPlug(), session, True)
    terminal = Terminal(Seat(game, UMPIRE), MegaManner(group, running))
    terminal.skip_told()
    typer.echo("Type a line, ? for help, or q. Everything answered is kept.")
    terminal.play()
    typer.echo(f"{file}: {number_words(running.desk.table.lines, 'line')} kept.")
