"""How far long work is, where no terminal shows a bar: some lines on stderr."""

from __future__ import annotations

import pytest

from asl_pbcg.cli import progress


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock, to be set."""
    clock = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    return clock


def test_a_line_at_the_start_and_one_each_tenth(
    seconds: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.show_progress() as begin:
        move = begin("Games", 200)
        for done in range(1, 201):
            seconds[0] = done * 2.0
            move(done)
    said = capsys.readouterr()
    assert not said.out
    lines = said.err.splitlines()
    assert lines[0] == "Games: 1% done, about 7 minutes to go."
    assert lines[1] == "Games: 10% done, about 6 minutes to go."
    assert lines[-1] == "Games: 90% done, about 40 s to go." and len(lines) == 10


def test_short_work_says_nothing(seconds: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as begin:
        move = begin("Games", 10)
        for done in range(1, 11):
            seconds[0] = done * 0.09
            move(done)
    assert not any(capsys.readouterr())
