"""Dashes of phones and Word, BOM and UTF-16: what players' programs write, in every reader."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openpyxl
import pytest
import yaml
from airborne_help import glider, orders_of, sheet
from in_process import run_pbcg
from positions import UNIT, data
from refit_helpers import campaign_at

from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.campaign.state.piece_names import pieces_called, short_name
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt
from asl_pbcg.kernel.textfiles import decode_text, read_yaml_or_json
from asl_pbcg.megagame.game_table import Table
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.line_words import read_words
from asl_pbcg.play.typed_answers import read_words as read_answer
from asl_pbcg.records import data_tables as csv_module
from asl_pbcg.records.data_tables import tables_as, write_tables
from asl_pbcg.st.many.sim import Spec
from asl_pbcg.st.many.simulated_games import GamesFile
from asl_pbcg.web.messages import AnswerIn, CorrectionIn, DraftOrder, NoteIn

DASHES = [chr(each) for each in (*range(0x2010, 0x2016), 0x2212)]

pytestmark = pytest.mark.finding("J-65")
each_dash = pytest.mark.parametrize("dash", DASHES)


@each_dash
@pytest.mark.parametrize("suffix", [".yaml", ".json", ".xlsx"])
def test_position_files_read_a_dash_as_a_hyphen(tmp_path: Path, dash: str, suffix: str) -> None:
    plain = tmp_path / f"plain{suffix}"
    typed = tmp_path / f"typed{suffix}"
    source = tmp_path / "source.yaml"
    source.write_text(yaml.safe_dump(data(units=[{**UNIT, "id": "b-1"}])), encoding="utf-8")
    write_position(read_position(source), plain)
    if suffix == ".xlsx":
        book = openpyxl.load_workbook(plain)
        for sheet in book:
            for row in sheet.iter_rows():
                for cell in row:
                    if isinstance(cell.value, str):
                        cell.value = cell.value.replace("-", dash)
        book.save(typed)
    else:
        text = plain.read_text(encoding="utf-8")
        typed.write_text(re.sub(r"(?<=\w)-(?=\w)", dash, text), encoding="utf-8")
        assert dash in typed.read_text(encoding="utf-8")
    assert read_position(typed) == read_position(plain)


@each_dash
def test_answers_numbers_and_lists_read_a_dash(tmp_path: Path, dash: str) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text(f"format: pbcg-answers/1\nanswers:\n  {dash} leader: a{dash}1\n", "utf-8")
    assert read_yaml_or_json(file)["answers"] == [{"leader": "a-1"}]
    file.write_text(f"a: {dash}1", encoding="utf-8")
    assert read_yaml_or_json(file) == {"a": -1}
    options = (Option("a-1", "the 8-0"), Option("a-2", "the 9-1"), Option("a-3", "the 7-0"))
    choose = Prompt(id="leader", text="Who?", options=options)
    many = Prompt(id="leader", text="Who?", options=options, kind="choose-some")
    number = Prompt(id="n", text="How many?", kind="number", least=-2, most=2)
    assert read_answer(choose, f"A{dash}2") == choose.check(f"A{dash}2") == "a-2"
    assert read_answer(choose, f"9{dash}1") == "a-2"
    assert read_answer(many, f"1{dash}3") == ["a-1", "a-2", "a-3"]
    assert many.check([f"a{dash}3"]) == many.check(f"a{dash}3") == ["a-3"]
    assert number.check(f"{dash}2") == -2


def test_a_players_own_words_stay_as_they_are() -> None:
    own = Prompt(id="why", text="Why?", kind="text")
    read = Prompt(id="which", text="Which?", kind="text", verify=lambda text: text)
    assert own.check("Bénouville – Ranville") == "Bénouville – Ranville"
    assert read.check("X17–X20") == "X17-X20"


@each_dash
def test_orders_and_names_of_pieces_read_a_dash(dash: str) -> None:
    state = campaign_at("scenario", date=CGDate.NIGHT_1)
    editor = Editor(Draft(state, state.board, state.catalogue))
    editor.do(f"6{dash}4{dash}8 x18 new")
    editor.do(f"control british X17{dash}X18")
    (unit,) = editor.draft.position.units
    assert unit.type == "6-4-8" and str(unit.at) == "X18"
    assert pieces_called(unit.id.replace("-", dash), [unit]) == [unit]
    assert pieces_called(f"6{dash}4{dash}8 {short_name(unit.id)}", [unit]) == [unit]
    assert "X18" in map(str, editor.draft.position.control.british)


@each_dash
def test_drop_and_mega_lines_read_a_dash(dash: str) -> None:
    file = json.dumps(sheet(gliders=[glider(f"6{dash}pdr", "AA10")]), ensure_ascii=False)
    orders = orders_of(json.loads(decode_text(file.encode(), "drop.json")))
    assert orders.gliders[0].load == "6-pdr"
    content = LineContent()
    read_words("unit", [f"B{dash}2", "British"], Table(), content)
    assert content.at.name == "B-2"


@each_dash
def test_the_page_reads_a_dash_in_fields_and_documents(dash: str) -> None:
    answer = AnswerIn(seq=0, prompt="p", value={"units": [{"type": f"6{dash}4{dash}8"}]})
    assert answer.value == {"units": [{"type": "6-4-8"}]}
    assert DraftOrder(do="put", ids=[f"b{dash}1"], at=f"off{dash}map:A7").ids == ["b-1"]
    assert CorrectionIn(seq=0, path=f"pieces/b{dash}1/type", reason="a – b").path.endswith(
        "b-1/type"
    )
    assert CorrectionIn(seq=0, path="x", reason=f"a {dash} b").reason == f"a {dash} b"
    assert NoteIn(text=f"a {dash} b").text == f"a {dash} b"


# -- encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named_with_the_way_out(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "end.yaml"
    file.write_bytes("format: pbcg-position/1\ndate: night-1\n".encode(encoding))
    with pytest.raises(PBCGError, match="UTF-16.*as UTF-8"):
        read_position(file)
    told = run_pbcg("position", "check", file)
    assert told.code == 2 and "UTF-16" in told.err
    with pytest.raises(PBCGError, match="not UTF-8.*as UTF-8"):
        decode_text("title: Bénouville".encode("latin-1"), "end.yaml")
    with pytest.raises(PBCGError, match="text file"):
        decode_text(b"\x89PNG\0\0\1\2", "end.yaml")


def test_csv_begins_with_a_byte_order_mark_everywhere(tmp_path: Path) -> None:
    rows = {"notes": [{"text": "żółć"}], "others": [{"text": "–"}]}
    for file in (
        *write_tables(rows, tmp_path / "x.csv"),
        *write_tables({"a": rows["notes"]}, tmp_path / "y.csv"),
    ):
        assert file.read_bytes().startswith(b"\xef\xbb\xbftext\n")
    assert tables_as(rows, "csv").decode().startswith("\ufefftable,text\nnotes,żółć\n")
    told = run_pbcg("st", "sim", "--games", "2", "--jobs", "1", "-o", tmp_path / "sim.csv")
    assert told.code == 0, told.err
    assert (tmp_path / "sim.csv").read_bytes().startswith(b"\xef\xbb\xbfgame,")


def test_no_csv_is_written_but_by_the_one_writer() -> None:
    root = Path(csv_module.__file__).parent.parent
    calls = [
        f"{path.name}: {line.strip()}"
        for path in root.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\.to_csv\(|csv\.(writer|DictWriter)\(", line)
    ]
    assert len(calls) == 1 and calls[0].startswith("data_tables.py")


def test_games_of_a_simulation_are_kept_behind_the_mark(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    for games in (1, 2):
        kept = GamesFile(file, Spec(policy="random"), games)
        kept.play_on(1, "", lambda *_: None)
    assert file.read_bytes().startswith(b"\xef\xbb\xbf1,")
    assert file.read_bytes().count(b"\n") == 2
    assert len(GamesFile(file, Spec(policy="random"), 2).results.numbers()) == 2
