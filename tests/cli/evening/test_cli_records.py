"""``pbcg records``: real PDF and Excel files from real campaigns, read back."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest
from in_process import pbcg
from sentences import Tells

from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Prompt


class Scripted(RandomAnswers):
    """The German buys what he is told; everybody else buys nothing."""

    def __init__(self, purchases: list[str]) -> None:
        super().__init__(0)
        self.purchases = list(purchases)

    def answer(self, prompt: Prompt) -> Any:
        if prompt.side == "german" and prompt.id.startswith("9.617"):
            return self.purchases.pop(0) if self.purchases else "done"
        ids = [option.id for option in prompt.options]
        return "done" if "done" in ids else super().answer(prompt)


def campaign(path: Path, purchases: list[str], seed: int = 1) -> Path:
    meta = {"settings": {"campaign": "CG2", "players": {"german": "=1+1"}}, "seed": seed,
            "dice": "seeded"}  # fmt: skip
    session = create_campaign(path, meta)
    drive(session, Scripted(purchases), SeededDice(seed), until=lambda: at_end(session))
    session.journal.close()
    return path


def at_end(session: Any) -> bool:
    return bool(session.state.at == "scenario")


def text_of(pdf: Path) -> str:
    return "\n".join(
        page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf.read_bytes())).pages
    )


def cells_of(xlsx: Path) -> list[Any]:
    book = openpyxl.load_workbook(xlsx)
    return [cell.value for sheet in book for row in sheet.iter_rows() for cell in row
            if cell.value is not None]  # fmt: skip


@pytest.mark.rule("9.617-a", "9.617-c", "9.6178-a")
def test_the_german_reads_what_he_bought(tells: Tells, tmp_path: Path) -> None:
    file = campaign(tmp_path / "a.pbcg", ["I5", "J0", "V1", "A7", "done"])
    for suffix in ("pdf", "xlsx"):
        pbcg("records", file, "-o", tmp_path / f"g.{suffix}", "--as", "german")
    text = text_of(tmp_path / "g.pdf")
    assert "I5 15, V1 3" in text.replace("\n", " ")
    tells(text, "Coy")
    cells = cells_of(tmp_path / "g.xlsx")
    assert "I5" in cells
    assert 13 in cells
    assert 18 in cells
    tells(cells, "Tank", "Pltn")


def all_of(path: Path) -> str:
    if path.suffix == ".pdf":
        return text_of(path)
    with zipfile.ZipFile(path) as book:
        return "".join(book.read(name).decode() for name in sorted(book.namelist()))


@pytest.mark.rule("9.617-a", "9.617-c", "9.6172-a", "9.619-a")
def test_the_british_prints_are_the_same_whatever_the_german_bought(
    tells: Tells, tmp_path: Path
) -> None:
    files = [
        campaign(tmp_path / "a.pbcg", ["I5", "J0", "V1", "A7", "done"], seed=1),
        campaign(tmp_path / "b.pbcg", ["done"], seed=2),
    ]
    for suffix in ("pdf", "xlsx"):
        prints = []
        for file in files:
            output = tmp_path / f"{file.stem}.{suffix}"
            pbcg("records", file, "-o", output, "--as", "british")
            # The fingerprint of the whole file is another, of course.
            prints.append(re.sub(r"File [0-9a-f-]{19}", "", all_of(output)))
        assert prints[0] == prints[1]
    umpire = tmp_path / "u.pdf"
    pbcg("records", files[0], "-o", umpire, "--as", "umpire")
    tells(text_of(umpire), "Coy")


def test_a_name_that_looks_like_a_formula_stays_text(tmp_path: Path) -> None:
    file = campaign(tmp_path / "a.pbcg", [])
    pbcg("records", file, "-o", tmp_path / "a.xlsx", "--as", "umpire")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    found = [cell for sheet in book for row in sheet.iter_rows() for cell in row
             if isinstance(cell.value, str) and "=1+1" in cell.value]  # fmt: skip
    assert found
    assert all(cell.data_type == "s" for cell in found)


def test_printing_changes_nothing(tmp_path: Path) -> None:
    file = campaign(tmp_path / "a.pbcg", ["V1", "A7", "done"])
    session = open_campaign(file)
    before = (session.state, session.journal.entries())
    session.journal.close()
    pbcg("records", file, "-o", tmp_path / "a.pdf", "--as", "british", "--paper", "letter")
    session = open_campaign(file)
    assert (session.state, session.journal.entries()) == before
    session.journal.close()


def test_blank_forms(tmp_path: Path) -> None:
    for campaign_name, dates in (("CG1", 8), ("CG2", 5)):
        output = tmp_path / f"{campaign_name}.pdf"
        pbcg("records", "--blank", "--campaign", campaign_name, "-o", output, "--as", "umpire")
        text = text_of(output)
        shown = [name for name in ("Night I\n", "Night II\n", "Night III\n", "Dawn", "Day I\n",
                                   "Day II\n", "Day III\n", "Dusk") if name in text]  # fmt: skip
        assert len(shown) == dates
        assert "Seen by" not in text


def test_one_sheet_only(tmp_path: Path) -> None:
    file = campaign(tmp_path / "a.pbcg", [])
    told = pbcg(
        "records", file, "-o", tmp_path / "a.xlsx", "--as", "german", "--sheet", "purchases"
    )
    assert "RG Purchase Record." in told
    assert "CG Roster" not in told


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["-o", "a.pdf", "--as", "umpire"], "Give a campaign file, or --blank"),
        (["x.pbcg", "-o", "a.pdf", "--as", "umpire"], "no such file or folder"),
        (["x.pbcg", "--blank", "-o", "a.pdf", "--as", "umpire"], "not both"),
        (["--blank", "-o", "a.doc", "--as", "umpire"], ".pdf"),
        (["--blank", "-o", "nowhere/a.pdf", "--as", "umpire"], "no such file or folder"),
        (["--blank", "-o", "a.pdf", "--as", "umpire", "--campaign", "CG9"], "CG1 or CG2"),
        (["--blank", "-o", "a.pdf", "--as", "umpire", "--templates", "nowhere"], "nowhere"),
    ],
)
def test_wrong_words(tmp_path: Path, args: list[str], sentence: str) -> None:
    changed = [str(tmp_path / arg) if "." in arg and "-" not in arg else arg for arg in args]
    told = " ".join(pbcg("records", *changed, code=2).split())
    assert sentence in told
    assert not (tmp_path / "a.pdf").exists()


@pytest.mark.finding("G-62")
@pytest.mark.parametrize(
    ("command", "idle"),
    [
        ("records --blank -o x.pdf --log", "--log has no effect with --blank"),
        ("board draw -o x.pdf --radius 3", "--radius has no effect without --around"),
        ("areas night-1.yaml --around Y20", "--around has no effect without -o"),
        ("map evening.pbcg -o x.png --no-spread", "--no-spread has no effect but in a PDF"),
        ("map evening.pbcg -o x.pdf --setup --bare", "--bare has no effect with --setup"),
        ("position template x.yaml --paper a4", "--paper has no effect but in a workbook"),
        ("st log x.pbcg --answers --turn 2", "--turn has no effect with --answers"),
        ("st film x.pbcg -o x.html --seconds 2", "--seconds has no effect in a page"),
        ("st map draw -o x.pdf --unfinished", "--unfinished has no effect without a map file"),
        ("st sim -n 2 --dask tcp://a:1 -j 2", "--jobs has no effect with --dask"),
        ("drop table drift --map x.yaml", "--map has no effect without --at"),
        ("drop odds x.yaml --sticks 3", "--sticks has no effect with a file"),
        ("drop odds --terrain clear --at Y20", "--at has no effect with --terrain"),
        ("drop orders x.yaml -o y.yaml", "--output has no effect without --template"),
        ("drop orders x.pbcg --check 1 --open y", "--open has no effect with --check"),
        ("drop survive --terrain clear --defaults", "--defaults has no effect without a drop file"),
        ("drop night --range 2 --wagon", "--wagon has no effect without --movement"),
        ("drop log x.pbcg --apply y.pbcg --as german", "has no effect with --apply"),
        ("mega log x.mega --paper a3", "--paper has no effect without -o"),
        ("mega log x.mega -o x.pdf --all", "--all has no effect with -o"),
        ("mega run x.mega --from 3", "--from has no effect without --script"),
        ("mega settings --words --all", "--all has no effect with --words"),
        ("mega morale veteran -r 4 --seed 3", "--seed has no effect with real dice"),
        ("mega house 3v 2e --as both", "--as has no effect without --play"),
        ("st challenge 2026-11-22 a.pbcg --card --name Ann", "--name has no effect with --card"),
        ("st challenge 2026-11-22 . --compare --name Ann", "--name has no effect with --compare"),
        ("st challenge 2026-11-22 a.pbcg -o x.csv", "--output has no effect without --compare"),
        ("st challenge 2026-11-22 --card -o x.csv", "--output has no effect without --compare"),
        ("position template x.xlsx --as german", "--as has no effect without --campaign"),
        ("new x.pbcg --campaign CG1 --show", "--show has no effect without --auto"),
        ("dice x.pbcg --player german=Karl", "--player has no effect without --vlog"),
        ("dice --vlog x.vlog --as german", "--as has no effect without a campaign file"),
        ("undo x.pbcg --yes", "--yes has no effect without --to"),
        ("correct x.pbcg --yes", "--yes has no effect without PATH=VALUE"),
        ("correct x.pbcg --agree a1 --reason why", "--reason has no effect without PATH=VALUE"),
        ("correct x.pbcg --decline a1 --yes", "--yes has no effect without PATH=VALUE"),
        ("note x.pbcg --private", "--private has no effect without a note"),
        ("note x.pbcg --line Escape", "--line has no effect without a note"),
        ("rulings C-14 --all", "--all has no effect with a word"),
        ("table --list --roll 8", "--roll has no effect without a table"),
        ("records x.pbcg -o x.csv --paper a4", "--paper has no effect in a table for programs"),
        ("records x.pbcg --sheet roster -o x.csv --templates .", "--templates has no effect"),
    ],
)
def test_an_option_without_effect_is_refused(
    command: str, idle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = " ".join(pbcg(*command.split(), code=2).split())
    assert idle in told and told.endswith(": leave it out.")
    assert not list(tmp_path.iterdir())


@pytest.mark.finding("G-62")
def test_setup_sheets_and_a_map_are_among_the_blank_forms(tmp_path: Path) -> None:
    path = tmp_path / "forms.pdf"
    told = pbcg("records", "--blank", "-o", path)
    for title in ("British Setup Sheet", "German Setup Sheet", "Map Sheet"):
        assert title in told
    for side in ("British", "German"):  # the tables that a side rolls on
        assert f"{side} Table Card" in told
    assert text_of(path).count("9.61424 Special ammunition: dr") == 2
    told = pbcg("records", "--blank", "-o", path, "--sheet", "german-card", "--paper", "letter")
    assert told.endswith("German Table Card.\n")
    assert "Escape" not in pbcg("records", "--blank", "-o", path, "--sheet", "roster")
    assert "Escape" not in text_of(path)


@pytest.mark.finding("J-51")
def test_a_side_gets_its_own_table_card_on_request(tmp_path: Path) -> None:
    file, path = campaign(tmp_path / "a.pbcg", []), tmp_path / "card.pdf"
    assert "Card" not in pbcg("records", file, "-o", path, "--as", "german")
    pbcg("records", file, "-o", path, "--as", "german", "--sheet", "german-card")
    assert "PzGrenadier" in text_of(path)
    pbcg("records", file, "-o", path, "--as", "british", "--sheet", "british-card")
    assert "PzGrenadier Coy" not in text_of(path).replace("-1 PzGrenadier Coy", "")


@pytest.mark.finding("G-62")
@pytest.mark.parametrize(
    "command",
    [
        "st challenge 2026-11-22 a.pbcg --card --compare",
        "st challenge 2026-11-22 a.pbcg b.pbcg --card",
        "correct x.pbcg --agree a1 --decline a1",
        "correct x.pbcg san/german=4 --agree a1",
        "table escape.infantry --list",
        "mega house 3v 2e --play --cards 7H",
    ],
)
def test_options_of_which_one_has_no_effect_are_refused_together(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pbcg(*command.split(), code=2)
    assert not list(tmp_path.iterdir())
