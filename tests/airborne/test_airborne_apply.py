"""``pbcg drop ... --apply``: a drop offered to a campaign, which changes only when told to."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import pbcg
from sentences import Tells

from asl_pbcg.cli.campaign_file import open_campaign


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("apply")
    drop, campaign = folder / "drop.pbcg", folder / "c.pbcg"
    pbcg("drop", "orders", "--template", "-o", folder / "orders.yaml")
    pbcg("drop", "orders", drop, "--seal", folder / "orders.yaml")
    pbcg("drop", "run", drop, "--turns", "5", "--seed", "9", "--defaults")
    pbcg("new", campaign, "--campaign", "CG1", "--auto")
    return drop, campaign


def places(campaign: Path) -> dict[str, str]:
    session = open_campaign(campaign)
    found = {piece.id: piece.at for piece in session.state.pieces}
    session.journal.close()
    return found


def test_nothing_changes_unless_told_to(tells: Tells, files: tuple[Path, Path]) -> None:
    drop, campaign = files
    before = places(campaign)
    told = pbcg("drop", "log", drop, "--apply", campaign, "--piece", "25/D=b-648-1", typed="n\n")
    tells(told, "6-4-8 A-1", "X22", "25/D")
    tells(told, "campaign")
    assert places(campaign) == before


def test_told_to_it_records_a_correction(tells: Tells, files: tuple[Path, Path]) -> None:
    drop, campaign = files
    before = places(campaign)
    told = pbcg(
        "drop", "log", drop, "--apply", campaign, "--piece", "25/D=b-648-1",
        "--piece", "24/D=b-648-2", "--yes",
    )  # fmt: skip
    assert "Recorded" in told
    assert places(campaign) == before | {"b-648-1": "X22", "b-648-2": "X20"}
    log = pbcg("log", campaign)
    tells(log, "pieces/A-1/at", "X22")
    tells(log, "25/D")


def test_what_stands_there_already_is_not_recorded_again(
    tells: Tells, files: tuple[Path, Path]
) -> None:
    drop, campaign = files
    piece = ("--piece", "14/D=b-648-3")
    pbcg("drop", "log", drop, "--apply", campaign, *piece, "--yes")
    log = pbcg("log", campaign)
    told = pbcg("drop", "log", drop, "--apply", campaign, *piece, "--yes")
    tells(told, "A-3", "14/D")
    assert "Recorded" not in told and pbcg("log", campaign) == log


def test_pieces_are_named_for_a_campaign_alone(files: tuple[Path, Path]) -> None:
    for words in (("--piece", "25/D=b-648-1"), ("--yes",)):
        assert "--apply" in pbcg("drop", "log", files[0], *words, code=2)


def test_a_side_looks_at_the_log_as_everywhere(files: tuple[Path, Path]) -> None:
    for side in ("British", "german"):
        seen = pbcg("drop", "log", files[0], "--as", side)
        assert seen == pbcg("drop", "log", files[0], "--side", side.lower())


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ([], "No landed counter"),
        (["--piece", "25/D=nobody"], 'No piece that you know of is called "nobody"'),
        (["--piece", "99/Z=b-648-1"], "99/Z has not landed"),
        (["--piece", "b-648-1"], "write NAME=ID"),
        (["--piece", "25/D=g-447-1"], "E-1 is German, but 25/D is British"),
        (["--piece", "25/D=b-648-1", "--piece", "24/D=b-648-1"], "cannot be both 25/D and 24/D"),
    ],
)
def test_wrong_words(files: tuple[Path, Path], args: list[str], sentence: str) -> None:
    drop, campaign = files
    told = pbcg("drop", "log", drop, "--apply", campaign, *args, code=2)
    assert sentence in " ".join(told.split())


def test_a_drop_is_no_campaign(tells: Tells, files: tuple[Path, Path]) -> None:
    drop, _ = files
    tells(pbcg("drop", "log", drop, "--apply", drop, code=2), "itself")
