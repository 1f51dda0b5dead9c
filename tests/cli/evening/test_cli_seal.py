"""``pbcg seal notes.txt``: a text or any file of players on paper, proved by its words later."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from in_process import pbcg, run_pbcg
from sentences import Tells


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "notes.txt"
    file.write_text("I5 at J0, HIP in M12\n", encoding="utf-8")
    return file


def sealed(file: Path, *options: str) -> str:
    return str(json.loads(run_pbcg("seal", file, "--json", *options).out)["words"])


def test_a_file_is_sealed_and_proved(tells: Tells, notes: Path) -> None:
    told = pbcg("seal", notes)
    tells(told.replace(str(notes.parent), "FOLDER"), "Keep")
    words = told.splitlines()[1].strip()
    assert len(words.split()) == 8
    beside = notes.with_name("notes.txt.sealed")
    assert beside.exists() and "I5" not in beside.read_text(encoding="utf-8")
    for file in (notes, beside):
        tells(pbcg("verify", file, "--sealed", words), "byte for byte")
    assert words in pbcg("unseal", notes)


def test_a_file_changed_since_is_told(tells: Tells, notes: Path) -> None:
    words = sealed(notes)
    notes.write_text("I5 at J0, HIP in M13\n", encoding="utf-8")
    tells(pbcg("verify", notes, "--sealed", words, code=1), "changed")
    beside = notes.with_name("notes.txt.sealed")
    text = beside.read_text(encoding="utf-8")
    beside.write_text(text.replace("salt: ", "salt: 0"), encoding="utf-8")
    told = pbcg("verify", notes, "--sealed", words, code=1)
    tells(told.replace(str(notes), "notes.txt"), "not those")


def test_each_seal_of_a_file_is_kept(notes: Path) -> None:
    words = [sealed(notes, "--as", "german") for _ in range(3)]
    assert len(set(words)) == 3
    for each in words:
        pbcg("verify", notes, "--sealed", each)
        assert f"Sealed as: {each}" in pbcg("unseal", notes, each)
    assert "side: german" in pbcg("unseal", notes)
    assert sorted(file.name for file in notes.parent.iterdir()) == [
        "notes.txt",
        "notes.txt.2.sealed",
        "notes.txt.3.sealed",
        "notes.txt.sealed",
    ]


def test_a_picture_is_sealed_too(tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    picture.write_bytes(bytes(range(256)) * 100)
    pbcg("verify", picture, "--sealed", sealed(picture))


def test_the_other_player_needs_both(tells: Tells, notes: Path, tmp_path: Path) -> None:
    words = sealed(notes)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    shutil.copy(notes.with_name("notes.txt.sealed"), theirs)
    told = pbcg("verify", theirs / "notes.txt.sealed", "--sealed", words, code=2)
    tells(told.replace(str(theirs), "FOLDER"), "not beside it")
    shutil.copy(notes, theirs)
    pbcg("verify", theirs / "notes.txt.sealed", "--sealed", words)


def test_what_is_wrong_is_said(tells: Tells, notes: Path, tmp_path: Path) -> None:
    plain = (str(tmp_path), "FOLDER")
    tells(pbcg("verify", notes, "--sealed", "zoo " * 8, code=2).replace(*plain), "Nothing")
    tells(pbcg("seal", tmp_path / "none.txt", code=2).replace(*plain), "none.txt")
    sealed(notes)
    tells(pbcg("verify", notes, "--sealed", "zoo " * 7 + "zo", code=2), "nearest")
    tells(pbcg("unseal", notes, "--open", code=2), "other player")
    pbcg("unseal", notes, "zoo " * 8, code=2)
