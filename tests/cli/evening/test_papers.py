"""Every paper that the program prints brings its fonts along, and its words stay whole."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest
from in_process import pbcg
from pdf_fonts import fonts_left_to_the_reader

PAPERS = (
    "records {campaign} --as umpire --log -o {pdf}",
    "records {campaign} --as german --sheet german-service -o {pdf} --paper letter",
    "records --blank -o {pdf}",
    "map {campaign} --as umpire -o {pdf}",
    "map {campaign} --as british --setup -o {pdf} --paper letter",
    "map {campaign} --as umpire --poster 2x1 -o {pdf}",
    "areas {position} -o {pdf}",
    "board draw --around Y20 -o {pdf}",
    "records {campaign} --as umpire --sheet campaign -o {pdf}",
    "drop draw {drop} -o {pdf}",
    "history {campaign} --as umpire -o {pdf}",
    "st records --blank -o {pdf}",
    "st map draw --game {game} -o {pdf}",
    "st sim -n 20 -j 1 -o {pdf}",
    "mega log {mega} -o {pdf}",
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A campaign that stands before Night II, an area game and a megagame's table."""
    folder = tmp_path_factory.mktemp("papers")
    pbcg("demo", folder / "demo")
    campaign, position = folder / "demo" / "coup-de-main.pbcg", folder / "demo" / "night-1-end.yaml"
    pbcg("refit", campaign, "--position", position, "--auto", "5")
    pbcg("st", "new", folder / "game.pbcg", "--historical")
    pbcg("mega", "run", folder / "table.mega", typed="barrage 105 open veteran -r 5\nq\n")
    pbcg("drop", "orders", "--template", "-o", folder / "orders.yaml")
    pbcg("drop", "orders", folder / "drop.pbcg", "--seal", folder / "orders.yaml")
    pbcg("drop", "run", folder / "drop.pbcg", "--seed", "9", "--defaults")
    return {
        "drop": folder / "drop.pbcg",
        "campaign": campaign,
        "position": position,
        "game": folder / "game.pbcg",
        "mega": folder / "table.mega",
    }


@pytest.mark.finding("G-60")
@pytest.mark.parametrize("command", PAPERS)
def test_every_font_is_embedded(command: str, files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    pbcg(*(word.format(**files, pdf=path) for word in command.split()))
    assert not fonts_left_to_the_reader(path)


@pytest.mark.finding("G-60")
def test_words_of_a_print_stay_whole(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "roster.pdf"
    pbcg("records", files["campaign"], "--as", "umpire", "--sheet", "german-forces", "-o", path)
    words = "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    assert "Grenadier Regiment 736" in words
    assert "German Force Roster, page 1 of 1" in words
