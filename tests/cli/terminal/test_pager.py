"""Long answers go through a pager at a terminal, short ones and those for programs do not."""

from __future__ import annotations

import io
import os
import sys

import click
import pytest
import typer

from asl_pbcg.cli.terminal import pager
from asl_pbcg.cli.terminal.streams import FoldingStream


class Terminal(io.StringIO):
    """A terminal of 80 columns and 24 lines."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0


@pytest.mark.finding("G-63")
@pytest.mark.parametrize(("lines", "is_paged"), [(5, False), (23, False), (24, True), (200, True)])
def test_what_fills_the_screen_is_paged(
    lines: int, is_paged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, shown = Terminal(), []
    monkeypatch.setattr(sys, "stdout", FoldingStream(terminal))
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((80, 24)))
    monkeypatch.setattr(click, "echo_via_pager", lambda text, color: shown.append(text))
    monkeypatch.setenv("COLUMNS", "80")
    text = "".join(f"line {number}\n" for number in range(lines))
    with pager.page_output():
        typer.echo(text + "\x1b]0;a title\x07", nl=False)
    assert bool(shown) is is_paged
    assert "line 4" in (shown[0] if is_paged else terminal.getvalue())
    assert "\x1b]" not in "".join(shown)


@pytest.mark.finding("G-63")
def test_without_a_terminal_nothing_is_paged(capsys: pytest.CaptureFixture[str]) -> None:
    with pager.page_output():
        typer.echo("line\n" * 100)
    assert capsys.readouterr().out.count("line") == 100
