"""``pbcg mega run``: an evening at one table, its lines typed or read from a script."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.cli.command_dress import USAGE_ERROR, usage_words
from asl_pbcg.cli.mega.mega_line import LEAVE, OpenTable
from asl_pbcg.cli.terminal.manner import Manner, Shown
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.textfiles import read_text
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.game_table import Table, all_phases
from asl_pbcg.megagame.mega_settings import UmpireSettings
from asl_pbcg.megagame.table_log import TableLog
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.mega import MegaPlug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat


def check_may_write(ctx: typer.Context, path: Path) -> None:
    """Check that a line may write the file ``path``: one of a script only below its folder."""
    folder = ctx.obj.folder if isinstance(ctx.obj, OpenTable) else None
    if folder is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise PBCGError(
            f"{path} is not below {folder.resolve()}: a script writes nowhere else. "
            "Say --into FOLDER when you run it."
        )


# -- one typed line -----------------------------------------------------------------------


def split_line(line: str) -> list[str]:
    """Return the words of a typed line; ``#`` begins a remark and quotes hold words together."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.quotes, lexer.escape, lexer.commenters, lexer.whitespace_split = '"', "", "", True
    try:
        words = list(lexer)
    except ValueError:
        raise IllegalAnswer(
            'A quote is not closed. Write inches as 10in, names as "A Coy".'
        ) from None
    end = next((place for place, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:end]


def settle_typed(group: Any, table: OpenTable, line: str) -> bool:
    """Settle one typed line; False when it says to leave. Raises PBCGError."""
    words = split_line(line)
    if words[:2] == ["pbcg", "mega"]:  # as the help shows a line
        words = words[2:]
    if not words:
        return True
    if words[0].lower() in LEAVE and len(words) == 1:
        return False
    if words in (["help"], ["?"]):
        words = ["--help"]
    try:
        group.main(args=words, prog_name="", standalone_mode=False, obj=table)
    except USAGE_ERROR as error:
        error.message = usage_words(error.message)
        raise PBCGError(error.format_message()) from error
    return True


# -- an evening ---------------------------------------------------------------------------


def run_evening(
    ctx: typer.Context,
    file: Path,
    title: str,
    seed: str,
    settings: Path | None,
    ask: bool,
    script: Path | None,
    start: int,
    into: Path | None,
) -> Table:
    """Begin or go on with the table's log at ``file``, settle every line and return the table.

    Lines of a script or a pipe write files only below ``into``, or the folder one stands in.
    """
    if isinstance(ctx.obj, OpenTable):
        raise PBCGError("A table is open already: quit first.")
    # The script is read before anything is begun, so that a wrong name changes nothing.
    lines = read_text(script).splitlines() if script else None
    if lines is not None and start > max(1, len(lines)):
        raise PBCGError(f"--from {start}: {script} has {number_words(len(lines), 'line')}.")
    with _begin_or_go_on(file, title, seed, settings) as log:
        table = OpenTable(log, ask)
        # The very command this runs in: its lines are what may be typed here.
        group = ctx.parent.command if ctx.parent else ctx.command
        if lines is None and sys.stdin.isatty():
            _run_terminal(group, table, file)
        else:
            table.folder = into or Path()
            source = "the input" if lines is None else str(script)
            _run_script(group, table, _piped_lines() if lines is None else lines, source, start)
        return log.table


def _begin_or_go_on(file: Path, title: str, seed: str, settings: Path | None) -> TableLog:
    if not file.exists():
        own = UmpireSettings.read(settings).own if settings else {}
        log = TableLog.create(file, title or file.stem, own, seed or None)
        typer.echo(f"{file} begun: {log.table.title}.")
        return log
    log = TableLog.open(file)
    if settings or title not in ("", log.table.title) or seed not in ("", str(log.given_seed)):
        log.session.journal.close()
        raise PBCGError(
            f"{file} is in progress: its title and dice stay. "
            "For other settings write the line: settings FILE."
        )
    if log.table.lines:
        typer.echo(f"{file} goes on after {number_words(log.table.lines, 'line')}.")
    return log


def _piped_lines() -> Iterator[str]:
    """Yield lines as they come; nothing is read ahead, so that a pipe can wait for an answer."""
    while line := sys.stdin.readline():
        yield line


def _run_script(
    group: Any, table: OpenTable, lines: Iterable[str], source: str, start: int
) -> None:
    """Settle every line of a script; the first wrong one ends it, and all before it are kept."""
    for number, line in enumerate(lines, 1):
        if number < start:
            continue
        try:
            if not settle_typed(group, table, line):
                break
        except PBCGError as error:
            kept = number_words(table.log.table.lines, "line")
            raise PBCGError(
                f"{source}, line {number}: {error}\n"
                f"Everything before it is kept ({kept} in the log). "
                f"Mend the line and go on with --from {number}."
            ) from error
        sys.stdout.flush()


def _run_terminal(group: Any, table: OpenTable, file: Path) -> None:
    """Seat the umpire at the terminal until he leaves; what is wrong costs nothing but the line."""
    game = OpenGame(file, MegaPlug(), table.log.session, True)
    terminal = Terminal(Seat(game, UMPIRE), _MegaManner(group, table))
    terminal.skip_told()
    typer.echo("Type a line, ? for help, or q. Everything answered is kept.")
    terminal.play()
    typer.echo(f"{file}: {number_words(table.log.table.lines, 'line')} kept.")


class _MegaManner(Manner):
    """How a table speaks at the terminal: one line in, one line out."""

    names_files = False

    def __init__(self, group: Any, table: OpenTable) -> None:
        self._group = group
        self._table = table
        # A line says by itself what it rests on; undo and ? are keys at every table.
        nothing_to_tell = {"explain", "rule", "o", "odds"}
        self.taken = ({*group.commands, *group.short_names} | nothing_to_tell) - {"undo", "u", "?"}

    def is_drawn(self, asked: Shown) -> bool:
        """Return True: nothing stands above a line."""
        return True

    def mark(self, asked: Shown) -> str:
        """Return the turn and phase."""
        table = self._table.log.table
        return f"T{table.turn} {all_phases()[table.phase].title}> "

    def enter(self, asked: AskedPrompt) -> str:
        """Return a remark, which settles nothing."""
        return "#"

    def read_document(self, asked: AskedPrompt, typed: str) -> Any:
        """Settle the line, which is kept at once. Raises PBCGError for what is wrong with it."""
        if not settle_typed(self._group, self._table, typed):
            raise Leave
        self.terminal.seat.game.note_change()
        raise Again

    def tell(self, lines: Sequence[LogLine], away: bool) -> None:
        """Tell nothing: a line tells its own answer."""

    def log(self, lines: Sequence[LogLine], argument: str) -> None:
        """Show what the lines of this phase came to."""
        notes = [line for line in lines if line.kind != "answer"]
        super().log(notes, argument)

    def help(self, asked: Shown, topic: str) -> None:
        """Show the lines that there are, or what one of them takes."""
        settle_typed(self._group, self._table, f"{topic} --help".strip())

    def typed_words(self, asked: Shown) -> list[tuple[str, str]]:
        """Return what else may be typed."""
        return []

    def words(self, asked: Shown) -> list[str]:
        """Return the lines, and the units at the table."""
        return [*self._group.commands, *(unit.name for unit in self._table.log.table.units)]
