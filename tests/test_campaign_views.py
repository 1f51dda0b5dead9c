"""Two campaigns that differ only in one side's secrets look the same to the other side."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from campaign_generator import Battle
from typer.testing import CliRunner

from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.cli.main import app
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit import s600_losses

COMMANDS = [
    ("status", "FILE", "--as", "SIDE"),
    ("status", "FILE", "--as", "SIDE", "--json"),
    ("log", "FILE", "--as", "SIDE"),
    ("log", "FILE", "--as", "SIDE", "--json"),
    ("refit", "FILE", "--as", "SIDE"),
]
PRINTS = [
    ("records", "FILE", "--as", "SIDE", "-o", "records.pdf"),
    ("records", "FILE", "--as", "SIDE", "-o", "records.xlsx"),
    ("position", "template", "--campaign", "FILE", "--as", "SIDE", "position.yaml"),
    ("position", "template", "--campaign", "FILE", "--as", "SIDE", "position.json"),
    ("position", "template", "--campaign", "FILE", "--as", "SIDE", "position.xlsx"),
]


class Twin:
    """Answers and dice at random: what ``side`` alone sees follows ``variant``, the rest does not.

    A prompt is answered by how often its point was asked before, so that a secret that takes one
    answer more changes nothing for anybody else.
    """

    def __init__(self, seed: int, side: Side, variant: int) -> None:
        self._seed, self._side, self._variant = seed, side, variant
        self._asked: dict[tuple[bool, str], int] = {}
        self.position: dict[str, Any] | None = None

    def _source(self, asked: Prompt | Roll) -> random.Random:
        own = asked.secret and asked.side == self._side
        key = (own, f"{asked.id} {asked.side}")
        self._asked[key] = self._asked.get(key, 0) + 1
        return random.Random(f"{self._seed}/{self._variant if own else 0}/{key}/{self._asked[key]}")

    def answer(self, prompt: Prompt) -> Any:
        source = self._source(prompt)
        if prompt.id == "0.1":
            return "dr"
        if prompt.id == "0.2":
            return self.position
        if prompt.id == "0.2.1":  # what the position does not list never entered
            return [option.id for option in prompt.legal]
        if prompt.kind == "document":
            return prompt.default
        if prompt.id == "9.62022":  # entrenchments are placed on map at the scenario's end
            return "later"
        if prompt.id.startswith(("9.613", "9.614")) and prompt.secret:
            return self._nothing(prompt)  # what becomes of a vehicle on map is open to both sides
        answer = prompt.random_answer(source)
        # The SAN itself is open. HIP and Shift are left alone here: the other side's force roster
        # still follows them (docs/soak.md, known gaps).
        while answer == "san" or str(answer).startswith("hip"):
            answer = prompt.random_answer(source)
        return answer

    @staticmethod
    def _nothing(prompt: Prompt) -> Any:
        ids = [option.id for option in prompt.legal]
        if prompt.kind == "choose-some":
            return ids[: prompt.least]
        return next((id for id in ids if id in ("no", "none", "keep", "done")), ids[-1])

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        source = self._source(roll)
        return tuple(source.randint(1, roll.spec.sides) for _ in range(roll.spec.count))

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        raise AssertionError(f"{prompt.id}: {error}") from error


def twins(folder: Path, seed: int, side: Side, dates: int) -> list[Path]:
    """Two campaigns up to the same CG scenario; ``side`` decided its secrets otherwise in each."""
    sessions: list[Session[Campaign]] = []
    files = []
    meta = {"settings": {"campaign": "CG1" if seed % 2 else "CG2"}, "seed": 0, "dice": "seeded"}
    answers = [Twin(seed, side, variant) for variant in (1, 2)]
    for number in range(2):
        files.append(folder / str(number) / "evening.pbcg")
        files[-1].parent.mkdir(parents=True)
        sessions.append(create_campaign(files[-1], meta))
    for date in range(dates):
        for session, answering in zip(sessions, answers, strict=True):
            drive(session, answering, NoDice(), until=waits_for_position(session))
        if any(session.pending is None for session in sessions) or date == dates - 1:
            break
        first, second = (session.state for session in sessions)
        # What is on the map is no secret: the position has only what both campaigns have alike.
        known = {piece.id: (piece.type, piece.rg) for piece in second.pieces if not piece.hip}
        both = tuple(
            piece
            for piece in first.pieces
            if known.get(piece.id) == (piece.type, piece.rg) and not piece.hip
        )
        battle = Battle(change(first, pieces=both), random.Random(f"{seed}/{date}"))
        document, _ = battle.play()
        for answering in answers:
            answering.position = document
        for session, answering in zip(sessions, answers, strict=True):
            while waits_for_position(session)():
                session.answer(answering.answer(session.pending))  # type: ignore[arg-type]
    for session in sessions:
        session.journal.close()
    return files


class NoDice:
    """The twins bring their own dice."""

    def throw(self, spec: Any, number: int, text: str) -> tuple[int, ...]:
        raise AssertionError(text)


def waits_for_position(session: Session[Campaign]) -> Callable[[], bool]:
    return lambda: isinstance(session.pending, Prompt) and session.pending.id == "0.2"


def run(file: Path, side: Side, command: tuple[str, ...], monkeypatch: Any) -> bytes:
    """What a command tells and writes, to the last byte."""
    monkeypatch.chdir(file.parent)
    words = [{"FILE": file.name, "SIDE": side.value}.get(word, word) for word in command]
    made = next((file.parent / word for word in command if "." in word), None)
    if made:
        made.unlink(missing_ok=True)
    result = CliRunner().invoke(app, words, input="")
    assert result.exit_code == 0, result.output
    return result.output.encode() + (content(made) if made else b"")


def content(file: Path) -> bytes:
    """The bytes of a file; of a workbook those of its parts, without the time it was written."""
    if file.suffix != ".xlsx":
        return file.read_bytes()
    with zipfile.ZipFile(file) as book:
        parts = [name.encode() + book.read(name) for name in book.namelist()]
    return re.sub(rb">[0-9-]{10}T[0-9:]{8}Z<", b"><", b"".join(parts))


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("seed", [1, 2])
def test_the_other_side_sees_no_difference(
    seed: int, side: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What sets up on map is no secret at the scenario's end; here it is let wait off map.
    monkeypatch.setattr(
        s600_losses, "_entered", lambda state, piece: "It is on map." * piece.on_map
    )
    files = twins(tmp_path, seed, side, dates=2)
    for command in COMMANDS + PRINTS:
        seen = [run(file, side.other, command, monkeypatch) for file in files]
        assert seen[0] == seen[1], command
    own = [run(file, side, ("log", "FILE", "--as", "SIDE"), monkeypatch) for file in files]
    assert own[0] != own[1]  # the twins do differ


def test_a_secret_that_waits_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "evening.pbcg"
    meta = {"settings": {"campaign": "CG2"}, "seed": 0, "dice": "seeded"}
    session = create_campaign(file, meta)
    answers = Twin(5, Side.GERMAN, 1)
    seen = 0
    while session.state.at != "scenario":
        asked = session.pending
        assert asked
        if asked.secret and isinstance(asked, Prompt):
            seen += 1
            session.journal.close()
            for command in (COMMANDS[0], COMMANDS[4]):
                told = run(file, Side(asked.side).other, command, monkeypatch).decode()
                assert asked.text not in told
            session = open_campaign(file)
            asked = session.pending
        if isinstance(asked, Prompt):
            session.answer(answers.answer(asked))
        else:
            assert asked
            session.throw(answers.dice(asked) or ())
    session.journal.close()
    assert seen > 5
