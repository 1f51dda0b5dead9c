"""Long text goes through a pager where there is a terminal: its beginning stays in sight."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from asl_pbcg.cli.terminal.streams import FoldingStream, guard_text


class _Kept(io.StringIO):
    """Printed text, kept; it takes colours as the terminal does."""

    folds = True
    """Whether its lines are broken for the terminal; not those of a document."""

    def isatty(self) -> bool:
        return True


@contextmanager
def page_output() -> Iterator[None]:
    """Show what is printed within through the pager (PAGER, else less) if it fills the screen.

    Without a terminal, and where it fits, it is printed as ever.
    """
    terminal = sys.stdout
    if not (isinstance(terminal, FoldingStream) and sys.stdin.isatty()):
        yield
        return
    kept = _Kept()
    sys.stdout = kept
    try:
        yield
    finally:
        sys.stdout = terminal
        text = terminal.fold(kept.getvalue()) if kept.folds else kept.getvalue()
        if text.count("\n") < os.get_terminal_size(terminal.fileno()).lines:
            terminal.write(kept.getvalue())
        else:
            os.environ.setdefault("LESS", "-R")
            click.echo_via_pager(guard_text(text).removesuffix("\n"), color=True)
