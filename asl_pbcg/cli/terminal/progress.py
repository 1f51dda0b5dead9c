"""How far long work has come: bars at a terminal, on a pipe some lines, always on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.progress import TimeRemainingColumn as Remaining

from asl_pbcg.cli.terminal.streams import unguarded_console

Begin = Callable[[str, float], Callable[[float], None]]
"""Begins work of a name and a total, and returns what hears how much of it is done."""
QUIET: Final = 1.0
"""So many seconds pass before a first line, and between two: short work says nothing."""


@contextmanager
def show_progress() -> Iterator[Begin]:
    """Show how far work is that is begun in here."""
    if not sys.stderr.isatty():
        yield _begin_lines
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    with Progress(*columns, console=unguarded_console(), transient=True) as progress:

        def begin(name: str, total: float) -> Callable[[float], None]:
            task = progress.add_task(name, total=total)
            return lambda done: progress.update(task, completed=done)

        yield begin


def _begin_lines(name: str, total: float) -> Callable[[float], None]:
    """Print a line at the start and one each tenth, with the time that is left.

    What is heard first is the beginning: before it processes had to start.
    """
    begun = last = first = 0.0
    tenths = -1

    def move(done: float) -> None:
        nonlocal begun, last, first, tenths
        now, part = monotonic(), done / total
        if not begun:
            begun, last, first = now, now, part
        elif first < part < 1 and int(10 * part) > tenths and now - last >= QUIET:
            last, tenths = now, int(10 * part)
            remaining = _time_words((now - begun) * (1 - part) / (part - first))
            typer.echo(f"{name}: {part:.0%} done, about {remaining} to go.", err=True)

    return move


def _time_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"
