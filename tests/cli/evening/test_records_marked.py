"""Nothing hidden: the records mark corrections, rolls undone and dice of another source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from in_process import pbcg
from sentences import Tells
from test_cli_records import Scripted, at_end, cells_of, text_of

from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.campaign_game.campaign_sheets import MAX_LISTED, mark_notes

SECRET_REASON = "the other table's dice"
HOUSE_RULE = "house_rules/C-16"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("marked") / "a.pbcg", 6)


def played(path: Path, face: int) -> Path:
    """A campaign in which the German throws a secret roll with real dice and undoes it, and
    both correct the SAN and a house rule."""
    meta = {"settings": {"campaign": "CG2", "players": {"german": "=1+1"}}, "seed": 1,
            "dice": "seeded"}  # fmt: skip
    session = create_campaign(path, meta)
    answers, dice = Scripted(["I5", "J0", "done"]), SeededDice(1)
    drive(session, answers, dice, until=lambda: _is_secret(session.pending))
    roll = session.pending
    assert isinstance(roll, Roll) and roll.side == "german", roll
    session.throw((face,) * roll.spec.count, "table")
    session.undo(SECRET_REASON)
    session.throw((3,) * roll.spec.count, "table")
    drive(session, answers, dice, until=lambda: at_end(session))
    session.correct("san/german", 5, "read wrongly")
    session.correct(HOUSE_RULE, _other(session), "both agreed")
    session.journal.close()
    return path


def _is_secret(asked: Any) -> bool:
    return isinstance(asked, Roll) and asked.secret and asked.side == "german"


def _other(session: Any) -> str:
    ruling = session.state.module.rulings["C-16"]
    now = session.state.ruling("C-16")
    return next(each for each in ruling.choices if each != now)


def record(file: Path, viewer: str, suffix: str, *more: str) -> str:
    out = file.with_name(f"{file.stem}-{viewer}.{suffix}")
    pbcg("records", str(file), "-o", str(out), "--as", viewer, *more)
    words = text_of(out) if suffix == "pdf" else "\n".join(map(str, cells_of(out)))
    return " ".join(words.split())


@pytest.mark.parametrize("suffix", ["pdf", "xlsx"])
@pytest.mark.parametrize("sheet", ["roster", "purchases"])
def test_the_records_mark_what_must_not_be_hidden(
    tells: Tells, campaign: Path, sheet: str, suffix: str
) -> None:
    for viewer in ("german", "british", "umpire"):
        words = record(campaign, viewer, suffix, "--sheet", sheet)
        tells(words, "san/german")
        tells(words, "Reason", "wrongly")
        assert HOUSE_RULE in words
        tells(words, "agreed")
        assert words.count("MARKED") == 4, words
        if viewer == "british":
            tells(words, "secret", "undone")
            tells(words, "secret", "typed")
            assert SECRET_REASON not in words
        else:
            assert "Undone: " in words and SECRET_REASON in words
            assert words.count("dice typed or listed by players") == 2
            assert "A secret roll" not in words


def test_what_a_secret_roll_was_makes_no_difference_to_the_other_side(
    campaign: Path, tmp_path: Path
) -> None:
    twin = played(tmp_path / "b.pbcg", 1)
    sheets = [word for name in ("roster", "purchases") for word in ("--sheet", name)]
    for suffix in ("pdf", "xlsx"):
        both = [
            re.sub(r"File [0-9a-f-]{19}", "", record(each, "british", suffix, *sheets))
            for each in (campaign, twin)
        ]
        assert both[0] == both[1]
    own = [record(each, "german", "xlsx", *sheets) for each in (campaign, twin)]
    assert "6: " in own[0] and "6: " not in own[1].split("Undone")[1][:60]


def test_many_marks_are_counted(tells: Tells) -> None:
    old = [LogLine(kind="undo", step="night-1/9.606", text="Undone: a DR.")]
    new = [
        LogLine(kind="correction", step="night-2/9.606", text=f"Correction {n}.")
        for n in range(MAX_LISTED + 2)
    ]
    notes = mark_notes([*old, *new], new, "british")
    assert len(notes) == MAX_LISTED + 2
    assert notes[0] == "MARKED, Night II 9.606: Correction 0."
    assert "2 corrections" in notes[-2]
    tells(notes[-1], "1 roll")
    assert mark_notes([], [], "british") == ()
