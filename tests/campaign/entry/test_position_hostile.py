"""Files that mean harm or hold something else: one clear sentence, soon, in little memory."""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from positions import file_faults, saved, sentence
from sentences import Tells

from asl_pbcg.campaign.entry.position_files import read_position, write_template
from asl_pbcg.kernel.errors import PBCGError

UNITS = "xl/worksheets/sheet7.xml"
HEAD = (
    b'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/'
    b'spreadsheetml/2006/main"><sheetData>'
)
TAIL = b"</sheetData></worksheet>"
MB = 1024 * 1024

Parts = dict[str, bytes]


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Whatever happens comes to an end: a bomb that went off would take minutes or the memory."""
    began = time.process_time()
    yield
    assert time.process_time() - began < 60


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    """The parts of the template, read once."""
    path = tmp_path_factory.mktemp("honest") / "t.xlsx"
    write_template(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, parts: Parts, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "end.xlsx"


def memory_of(act: Callable[[], object]) -> int:
    """The most memory ``act`` held at once, in bytes."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Workbooks

TRAP = "end.xlsx unpacks to far more than a position needs and is not read; this can be a trap."
CELLS = "end.xlsx holds far more cells than a position needs."


def test_a_zip_bomb_is_refused_unread(path: Path, honest: Parts) -> None:
    pack(path, honest | {"xl/media/bomb.bin": bytes(40 * MB)})
    assert path.stat().st_size < MB
    assert memory_of(lambda: sentence(path)) < 10 * MB
    assert sentence(path) == TRAP


def test_a_zip_bomb_that_lies_about_its_size(tells: Tells, path: Path, honest: Parts) -> None:
    pack(path, honest | {"xl/media/bomb.bin": bytes(40 * MB)})
    data = bytearray(path.read_bytes())
    at = data.find(b"PK\x01\x02")
    while at != -1:
        struct.pack_into("<I", data, at + 24, 10)
        at = data.find(b"PK\x01\x02", at + 1)
    path.write_bytes(data)
    assert memory_of(lambda: sentence(path)) < 40 * MB
    tells(sentence(path), "workbook")


@pytest.mark.parametrize(
    "rows",
    [
        b'<row r="1">' + b"<c/>" * 300_000 + b"</row>",
        b"".join(b'<row r="%d"><c r="XFD%d"/></row>' % (n, n) for n in range(1, 2000)),
        b'<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>',
    ],
    ids=["a row without end", "every row to the last column", "a row far away"],
)
def test_too_many_cells(path: Path, honest: Parts, rows: bytes) -> None:
    pack(path, honest | {UNITS: HEAD + rows + TAIL})
    assert sentence(path) == CELLS


def test_too_many_parts(path: Path, honest: Parts) -> None:
    pack(path, honest | {f"xl/media/{n}.bin": b"" for n in range(600)})
    assert sentence(path) == TRAP


def test_xml_entities(tells: Tells, path: Path, honest: Parts) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    pack(path, honest | {"xl/sharedStrings.xml": bomb})
    tells(sentence(path), "XML")


@pytest.mark.parametrize(
    "content",
    [
        HEAD.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        HEAD.replace(b"UTF-8", b"cp037"),
        '<?xml version="1.0"?><!DOCTYPE x>'.encode("utf-16-le"),
    ],
    ids=["utf-16", "ebcdic", "utf-16 without mark"],
)
def test_entities_cannot_hide_in_another_encoding(
    tells: Tells, path: Path, honest: Parts, content: bytes
) -> None:
    pack(path, honest | {UNITS: content})
    tells(sentence(path), "UTF-8")


def test_two_parts_of_one_name(tells: Tells, path: Path, honest: Parts) -> None:
    pack(path, honest)
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(UNITS, HEAD + TAIL)
    tells(sentence(path), "workbook")


def test_a_part_locked_with_a_password(tells: Tells, path: Path, honest: Parts) -> None:
    data = bytearray(pack(path, honest).read_bytes())
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    tells(sentence(path), "password")


def test_another_packing(tells: Tells, path: Path, honest: Parts) -> None:
    tells(sentence(pack(path, honest, zipfile.ZIP_LZMA)), "Excel")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty."),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "is not an Excel workbook, whatever its name says."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99),
            "is an old Excel file or locked with a password: save it as .xlsx without a password.",
        ),
        (b"PK\x03\x04" + bytes(99), "is a damaged workbook: open it and save it again as .xlsx."),
    ],
)
def test_no_workbook_at_all(path: Path, content: bytes, said: str) -> None:
    path.write_bytes(content)
    assert sentence(path) == f"end.xlsx {said}"


def test_half_a_workbook(tells: Tells, path: Path, honest: Parts) -> None:
    data = pack(path, honest).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    tells(sentence(path), "workbook")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"a.txt": b"hello"}, "is a zip file, but no Excel workbook."),
        (
            {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<a/>"},
            "is an OpenDocument file: save it as .xlsx.",
        ),
        (
            {"[Content_Types].xml": b"<a/>"},
            "could not be read as an Excel workbook: open it and save it again as .xlsx.",
        ),
    ],
)
def test_another_zip_file(path: Path, parts: Parts, said: str) -> None:
    assert sentence(pack(path, parts)) == f"end.xlsx {said}"


@pytest.mark.parametrize("broken", [b"<worksheet", b"no xml", b"<a></b>", HEAD + b"<row r='x'/>"])
def test_a_broken_sheet(tells: Tells, path: Path, honest: Parts, broken: bytes) -> None:
    tells(sentence(pack(path, honest | {UNITS: broken})), "Excel")


def test_every_damage_gets_a_sentence(path: Path, honest: Parts) -> None:
    data = pack(path, honest).read_bytes()
    for place in range(0, len(data), len(data) // 40):
        spoilt = bytearray(data)
        spoilt[place : place + 20] = bytes(20)
        path.write_bytes(spoilt)
        with pytest.raises(PBCGError):
            read_position(path)


# Text files


@pytest.mark.parametrize(("suffix", "most"), [("xlsx", 8), ("yaml", 1), ("yml", 1), ("json", 1)])
def test_200_megabytes(tmp_path: Path, suffix: str, most: int) -> None:
    path = tmp_path / f"end.{suffix}"
    with path.open("wb") as stream:
        stream.truncate(200 * MB)
    assert memory_of(lambda: sentence(path)) < 20 * MB
    assert sentence(path) == f"end.{suffix} is too large: {most} MB is the most."


TEXTS: dict[str, tuple[str, bytes, str]] = {
    "empty yaml": ("yaml", b" \n", "end.yaml is empty."),
    "empty json": ("json", b"", "end.json is empty."),
    "binary yaml": ("yaml", b"\x89PNG\0\0", "end.yaml is not a text file."),
    "binary json": ("json", b"PK\x03\x04\0\0", "end.json is not a text file."),
    "utf-8": (
        "yaml",
        b"date: dawn\ntitle: \xff",
        "end.yaml, line 2: this is not UTF-8 text. Open it in a text editor and save it as UTF-8.",
    ),
    "anchor": (
        "yaml",
        b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
        "end.yaml, line 1: anchors and aliases (& and *) are not used here.",
    ),
    "alias": (
        "yaml",
        b"a: x\nb: *a",
        "end.yaml, line 2: anchors and aliases (& and *) are not used here.",
    ),
    "tag": (
        "yaml",
        b"a: !!python/object/apply:os.system [ls]",
        "end.yaml, line 1: tags (!) are not used here.",
    ),
    "deep yaml": ("yaml", b"[" * 50_000, "end.yaml, line 1: this is nested too deeply."),
    "deep json": ("json", b"[" * 50_000, "end.json is nested too deeply."),
    "key twice in yaml": ("yaml", b"a: 1\na: 2", "end.yaml, line 2: a is written twice."),
    "key twice in json": ("json", b'{"a": 1, "a": 2}', "end.json: a is written twice."),
    "nan": ("json", b'{"turn": NaN}', "end.json: NaN is not a number."),
    "long number": ("json", b'{"turn": 1' + b"0" * 5000 + b"}", "end.json holds a number that is "
                    "too long."),
    "no yaml": ("yaml", b"a: [1", "end.yaml, line 2: this is not YAML (did not find expected ',' "
                "or ']')."),
    "no json": ("json", b"{,}", "end.json, line 1: this is not JSON (expecting property name "
                "enclosed in double quotes)."),
    "two documents": ("yaml", b"a: 1\n---\nb: 2", "end.yaml, line 2: a second document begins here "
                      "(---); write one."),
    "too many entries": ("yaml", b"a: [" + b"[]," * 300_000 + b"]",
                         "end.yaml holds far too many entries."),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_no_position(tmp_path: Path, name: str) -> None:
    suffix, content, said = TEXTS[name]
    path = tmp_path / f"end.{suffix}"
    path.write_bytes(content)
    assert sentence(path) == said


def test_a_long_number_in_yaml_is_text(tmp_path: Path) -> None:
    path = tmp_path / "end.yaml"
    path.write_text(f"format: pbcg-position/1\ndate: dawn\nturn: {'9' * 400}\n")
    assert file_faults(path) == [f'turn: "{"9" * 57}..." must be a whole number from 1 to 99']


def test_a_huge_list_of_nothing(tmp_path: Path) -> None:
    path = saved(tmp_path / "end.json", units=[{}] * 200_000)
    assert len(file_faults(path)) == 1


def test_more_pieces_than_a_position_may_hold(tells: Tells, tmp_path: Path) -> None:
    rows = [{"count": 60, "side": "german", "type": "4-6-7", "at": "N11"}] * 40
    faults = file_faults(saved(tmp_path / "end.json", units=rows))
    tells(faults[0], "entry 12", "most 700")


@pytest.mark.parametrize("junk", [5, [[1]], [{"a": 1}], {"a": [1]}, [None], True, "x" * 500])
@pytest.mark.parametrize("key", ["id", "type", "at", "status", "possesses", "formation"])
def test_junk_beside_rows_by_count(tmp_path: Path, key: str, junk: object) -> None:
    """Who holds a counted LMG looks at units whose own rows may be anything."""
    unit = {"id": "g-1", "side": "german", "type": "4-6-7", "at": "N11", key: junk}
    counted = {"count": 2, "side": "german", "type": "LMG", "at": "N11"}
    path = saved(tmp_path / "end.json", units=[unit], equipment=[counted])
    told = file_faults(path)
    assert any(key in each or "unit" in each for each in told)


# Not files to read


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no.yaml", "no.yaml could not be read: there is no such file or folder."),
        ("no.xlsx", "no.xlsx could not be read: there is no such file or folder."),
        ("no.xls", "no.xls is an old Excel file: save it as .xlsx. "),
        ("no.xlsm", "no.xlsm is a workbook with macros: save it as .xlsx. "),
        ("no.xlsb", "no.xlsb is a binary workbook: save it as .xlsx. "),
        ("no.ods", "no.ods is an OpenDocument file: save it as .xlsx. "),
        ("no.csv", "no.csv is a comma table, which holds one list only: use .xlsx. "),
        ("no.vsav", "no.vsav is a VASL save: make a position of it with pbcg position from-vasl. "),
        (
            "no.vlog",
            "no.vlog is a VASL log: step through it to its end in VASL and save the game there, "
            "as .vsav. ",
        ),
        ("no.zip", "no.zip is a zip archive: if it is a VASL save, let its name end in .vsav. "),
        ("no.txt", "no.txt is not a position file. "),
        ("no", "no is not a position file. "),
    ],
)
def test_a_name_that_cannot_be_read(tmp_path: Path, name: str, said: str) -> None:
    formats = "Positions are .yaml, .json or .xlsx files." if said.endswith(" ") else ""
    if "not a position file" in said:  # what the others are they say themselves
        formats = "Positions are .yaml, .json or .xlsx files, or VASL saves (.vsav)."
    assert sentence(tmp_path / name) == said + formats


@pytest.mark.parametrize("name", ["end.yaml", "end.json", "end.xlsx"])
def test_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert sentence(tmp_path / name) == f"{name} is a folder, not a file."


def test_a_capital_suffix_is_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(), "w"):
        pass
    path = saved(tmp_path / "END.JSON")
    assert read_position(path).date == "night-1"
