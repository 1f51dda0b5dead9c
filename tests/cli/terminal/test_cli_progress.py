"""How far long work is, where no terminal shows a bar: some lines on stderr."""

from __future__ import annotations

import re

import pytest

from asl_pbcg.cli.terminal import progress


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
    assert re.findall(r"(\d+)%", said.err) == ["1", *(str(10 * tenth) for tenth in range(1, 10))]
    assert [re.findall(r"about (\w+ \w+)", each) for each in (*lines[:2], lines[-1])] == [
        ["7 minutes"], ["6 minutes"], ["40 s"],
    ]  # fmt: skip
    assert all(line.startswith("Games: ") for line in lines)


def test_short_work_says_nothing(seconds: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as begin:
        move = begin("Games", 10)
        for done in range(1, 11):
            seconds[0] = done * 0.09
            move(done)
    assert not any(capsys.readouterr())
